//! Queues, files and data tables used by many tasks at once, on open TCBs: nothing is lost, duplicated or out of order, and committed data
//! is visible to everyone.

use super::support::*;
use csd::Definition;
use exec::{command, condition, option};
use region::exec_interface::Call;
use region::name::Name8;
use region::{Raised, Task};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const QZERO: (u16, i32) = (23, 0);
const WRITERS: u32 = 4;
const EACH: u32 = 150;
/// Records of a unit of work.
const UNIT: u32 = 5;
const ON_OPEN_TCBS: &[(&str, &str)] = &[("CONCURRENCY", "REQUIRED")];

fn write_item(task: &mut Task, queue: &str, text: &str) -> Result<i64, Raised> {
    let reply = issue(task, command::WRITEQ_TS, |call| {
        call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &e(text)).integer(option::ITEM, 0);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(reply.number(option::ITEM))
}

fn read_item(task: &mut Task, queue: &str, item: i64) -> Result<String, Raised> {
    let reply = issue(task, command::READQ_TS, |call| {
        call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0; 50]).integer(option::LENGTH, 50).integer(option::ITEM, item);
    })?;
    assert_eq!(reply.code, NORMAL, "{queue} {item}");
    Ok(t(&reply.call.result_bytes(option::INTO)[..reply.number(option::LENGTH) as usize]))
}

/// Every writer gets its own numbers, without gaps, and reads under them the items it wrote, also while others write. Items of a backed-out
/// unit of work are gone, and their numbers are assigned again.
#[test]
fn items_of_one_queue_from_many_tasks() {
    let model = Definition::new("TSMODEL", "SIDEMODL", "TEST").with("PREFIX", "SIDR").with("RECOVERY", "YES").with("LOCATION", "AUXILIARY");
    the_region().install(&model).unwrap();
    the_region().install(&Definition::new("TSMODEL", "SIDMMODL", "TEST").with("PREFIX", "SIDM").with("LOCATION", "MAIN")).unwrap();
    for (queue, recoverable) in [("SIDAUX", false), ("SIDMAIN", false), ("SIDREC", true)] {
        let write = move |writer: u32| {
            move |task: &mut Task| {
                let mut written = Vec::new();
                for unit in 0..EACH / UNIT {
                    let keep = !(recoverable && unit % 3 == 2);
                    let mut items = Vec::new();
                    for record in 0..UNIT {
                        let text = format!("{writer}-{unit}-{record}");
                        items.push((write_item(task, queue, &text)?, text));
                    }
                    for (item, text) in &items {
                        assert_eq!(read_item(task, queue, *item)?, *text, "{queue}");
                    }
                    if keep {
                        syncpoint(task)?;
                        written.append(&mut items);
                    } else {
                        rollback(task)?;
                    }
                }
                Ok(written)
            }
        };
        let tasks: Vec<_> = (0..WRITERS).map(|writer| begin_with(the_region(), ON_OPEN_TCBS, write(writer))).collect();
        let mut written = BTreeMap::new();
        for (item, text) in tasks.into_iter().flat_map(|task| task.result().unwrap()) {
            assert!(written.insert(item, text).is_none(), "{queue}: item {item} was given twice");
        }
        let last = written.len() as i64;
        assert_eq!(written.keys().copied().collect::<Vec<_>>(), (1..=last).collect::<Vec<_>>(), "{queue}");
        let texts = run(move |task| (1..=last).map(|item| read_item(task, queue, item)).collect::<Result<Vec<_>, _>>());
        assert!(written.into_values().eq(texts), "{queue}");
    }
}

/// Each record of a queue is read once; a reader gets the records of one writer in the order in which they were written.
#[test]
fn records_of_one_queue_for_many_tasks() {
    for (queue, recovery) in [("SID1", "NO"), ("SID2", "PHYSICAL"), ("SID3", "LOGICAL")] {
        let definition = Definition::new("TDQUEUE", queue, "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", recovery);
        the_region().install(&definition).unwrap();
        let left = Arc::new(AtomicU32::new(WRITERS * EACH));
        let write = move |writer: u32| {
            move |task: &mut Task| {
                for record in 0..EACH {
                    let reply = issue(task, command::WRITEQ_TD, |call| {
                        call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &e(&format!("{writer}-{record:04}")));
                    })?;
                    assert_eq!(reply.code, NORMAL);
                    if record % UNIT == UNIT - 1 {
                        syncpoint(task)?;
                    }
                }
                Ok(())
            }
        };
        let read = |left: Arc<AtomicU32>| {
            move |task: &mut Task| {
                let mut seen = Vec::new();
                while left.load(Ordering::Acquire) > 0 {
                    let reply = issue(task, command::READQ_TD, |call| {
                        call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0; 50]).integer(option::LENGTH, 50);
                    })?;
                    if reply.code == NORMAL {
                        left.fetch_sub(1, Ordering::AcqRel);
                        seen.push(t(&reply.call.result_bytes(option::INTO)[..reply.number(option::LENGTH) as usize]));
                    } else {
                        assert_eq!(reply.code, QZERO);
                    }
                    syncpoint(task)?;
                }
                Ok(seen)
            }
        };
        let writers: Vec<_> = (0..WRITERS).map(|writer| begin_with(the_region(), ON_OPEN_TCBS, write(writer))).collect();
        let readers: Vec<_> = (0..2).map(|_| begin_with(the_region(), ON_OPEN_TCBS, read(left.clone()))).collect();
        writers.into_iter().for_each(|writer| writer.result().unwrap());
        let mut all = Vec::new();
        for seen in readers.into_iter().map(|reader| reader.result().unwrap()) {
            for writer in 0..WRITERS {
                let of_writer: Vec<_> = seen.iter().filter(|text| text.starts_with(&format!("{writer}-"))).collect();
                assert!(of_writer.is_sorted(), "{recovery}: {of_writer:?}");
            }
            all.extend(seen);
        }
        all.sort_unstable();
        let expected: Vec<String> = (0..WRITERS).flat_map(|writer| (0..EACH).map(move |record| format!("{writer}-{record:04}"))).collect();
        assert_eq!(all, expected, "{recovery}");
    }
}

const COUNTERS: u32 = 3;
const UPDATES: u32 = 60;

/// Records that are counters, and how far each has been committed at least.
struct Counted {
    file: &'static str,
    committed: [AtomicU32; COUNTERS as usize],
}

impl Counted {
    fn key(number: u32) -> String {
        format!("COUNT{number:03}")
    }

    /// What a record has.
    fn read(&self, task: &mut Task, number: u32, update: bool) -> Result<u32, Raised> {
        let reply = on_file(task, command::READ, self.file, |call| {
            call.bytes(option::RIDFLD, &e(&Counted::key(number))).bytes(option::INTO, &[0; 100]);
            if update {
                call.flag(option::UPDATE);
            }
        })?;
        assert_eq!(reply.code, NORMAL, "{}", self.file);
        let text = t(&reply.call.result_bytes(option::INTO)[8..18]);
        Ok(text.trim().parse().unwrap())
    }

    /// Adds one; false when the record changed since it was read (UPDATEMODEL(CONTENTION)).
    fn add(&self, task: &mut Task, number: u32) -> Result<Option<u32>, Raised> {
        let count = self.read(task, number, true)? + 1;
        let code = rewrite(task, self.file, &Counted::key(number), &format!("{count:010}"))?.code;
        if code.0 == condition::CHANGED.0 {
            return Ok(None);
        }
        assert_eq!(code, NORMAL, "{}", self.file);
        Ok(Some(count))
    }

    fn update(&self, task: &mut Task, updater: u32, backs_out: bool) -> Result<u32, Raised> {
        let mut kept = 0;
        for turn in 0..UPDATES {
            let number = (turn + updater) % COUNTERS;
            let Some(count) = self.add(task, number)? else {
                syncpoint(task)?;
                continue;
            };
            if backs_out && turn % 4 == 3 {
                rollback(task)?;
                continue;
            }
            syncpoint(task)?;
            self.committed[number as usize].fetch_max(count, Ordering::AcqRel);
            kept += 1;
        }
        Ok(kept)
    }
}

/// Defines and opens the file, with its counters at zero.
fn counted(file: &'static str, data_set: &str, attributes: &[(&'static str, &str)]) -> Arc<Counted> {
    let region = the_region();
    define_file(region, file, data_set, attributes);
    let opened = files::file_control::FileControl::of(region).find(Name8::new(file)).unwrap();
    opened.open(region).unwrap();
    opened.await_loaded();
    run(move |task| {
        for number in 0..COUNTERS {
            assert_eq!(write(task, file, &Counted::key(number), &format!("{:010}", 0))?.code, NORMAL, "{file}");
        }
        Ok(())
    });
    Arc::new(Counted { file, committed: Default::default() })
}

/// No addition is lost, in any kind of file, and readers without locks see at least the changes committed before they asked.
#[test]
fn counters_of_one_file_for_many_tasks() {
    let recoverable = ("RECOVERY", "BACKOUTONLY");
    let pool = [("TABLE", "CF"), ("CFDTPOOL", "SIDEPOOL"), ("KEYLENGTH", "8"), ("RECORDSIZE", "100"), ("LOAD", "NO")];
    let in_pool = |more: &[(&'static str, &'static str)]| [&pool[..], more].concat();
    let files: [(&'static str, bool, Vec<(&'static str, &str)>); 7] = [
        ("SIDEKSDS", true, vec![recoverable]),
        ("SIDENSR", true, vec![recoverable, ("LSRPOOLNUM", "NONE")]),
        ("SIDEPLN", false, vec![("RECOVERY", "NONE")]),
        ("SIDECMT", true, vec![recoverable, ("TABLE", "CICS"), ("MAXNUMRECS", "10")]),
        ("SIDEUMT", true, vec![recoverable, ("TABLE", "USER"), ("MAXNUMRECS", "10")]),
        ("SIDELOCK", true, in_pool(&[recoverable, ("UPDATEMODEL", "LOCKING")])),
        ("SIDECONT", false, in_pool(&[("UPDATEMODEL", "CONTENTION")])),
    ];
    for (file, backs_out, attributes) in files {
        let data_set = format!("TEST.{file}");
        idcams(&format!("  DEFINE CLUSTER (NAME({data_set}) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(5 1))"));
        let counted = counted(file, &data_set, &attributes);
        let updaters: Vec<_> = (0..WRITERS)
            .map(|updater| {
                let counted = counted.clone();
                begin_with(the_region(), ON_OPEN_TCBS, move |task| counted.update(task, updater, backs_out))
            })
            .collect();
        let done = Flag::default();
        let looks = begin_with(the_region(), ON_OPEN_TCBS, {
            let (counted, done) = (counted.clone(), done.clone());
            move |task| {
                while !done.is_raised() {
                    for number in 0..COUNTERS {
                        let least = counted.committed[number as usize].load(Ordering::Acquire);
                        let count = counted.read(task, number, false)?;
                        assert!(count >= least, "{file}: {count}, {least} were committed");
                    }
                    // Records that are in storage do not make a task wait: it would run away on a busy machine.
                    Call::new(command::SUSPEND).execute(task)?;
                }
                Ok(())
            }
        });
        let kept: u32 = updaters.into_iter().map(|updater| updater.result().unwrap()).sum();
        done.raise();
        assert_eq!(looks.result(), Ok(()), "{file}");
        let total = run(move |task| (0..COUNTERS).map(|number| counted.read(task, number, false)).sum::<Result<u32, _>>());
        assert_eq!(total, kept, "{file}");
    }
}
