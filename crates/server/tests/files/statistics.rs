//! Statistics while tasks run: the sum over the intervals equals the requests made.
//!
//! Regions run in processes of their own, because a reset affects the whole region.

use super::restart::{directory, region_with_queues, spawn_test};
use super::support::*;
use exec::{command, option};
use region::name::Name4;
use region::resources::Definition;
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::path::Path;
use std::time::Duration;

/// Tasks of the load, what each of them does, and in how many threads they are attached.
const TASKS: u64 = 3_000;
const READS: u64 = 5;
const AUXILIARY_PUTS: u64 = 3;
const MAIN_PUTS: u64 = 2;
const TD_PUTS: u64 = 1;
const THREADS: u64 = 2;

/// The sum of a field over all intervals, of a record and a resource.
pub fn recorded(directory: &Path, record: &str, name: &str, field: &str) -> u64 {
    let of = lines(directory).into_iter().filter(|line| line["record"] == record && line["name"] == name && line["reason"] != "REQ");
    of.map(|line| line["fields"][field].as_u64().unwrap()).sum()
}

fn lines(directory: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(directory.join("statistics/DFHSTATS")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn load(task: &mut Task) -> Result<(), Raised> {
    for _ in 0..READS {
        assert_eq!(read(task, "VARFILE", "THERE", |_| {})?.code, NORMAL);
    }
    for (queue, puts, main) in [("LOADAUX", AUXILIARY_PUTS, false), ("LOADMAIN", MAIN_PUTS, true)] {
        for _ in 0..puts {
            issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option::QUEUE, &e(&format!("{queue}{}", task_number()))).bytes(option::FROM, &e("ITEM"));
                if main {
                    call.flag(option::MAIN);
                }
            })?;
        }
    }
    issue(task, command::WRITEQ_TD, |call| {
        call.bytes(option::QUEUE, &e("TDNO")).bytes(option::FROM, &e("ITEM"));
    })?;
    rollback(task).map(|_| ())
}

/// Queues that stay shorter than the most items there may be.
fn task_number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed) % 7
}

/// Records and resets in both ways, as often as it can.
fn record_and_reset(task: &mut Task, on: bool) -> Result<(), Raised> {
    let reply = issue(task, command::PERFORM_STATISTICS_RECORD, |call| {
        call.flag(option::ALL).flag(option::RESETNOW);
    })?;
    assert_eq!(reply.code, NORMAL);
    let reply = issue(task, command::SET_STATISTICS, |call| {
        call.flag(if on { option::ON } else { option::OFF }).flag(option::RECORDNOW).flag(option::RESETNOW);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(())
}

fn attach_load(region: &'static Region) {
    for _ in 0..TASKS / THREADS {
        while region.dispatcher.statistics().max_tasks.active_current > 20 {
            std::thread::sleep(Duration::from_micros(200));
        }
        region.attach(AttachRequest::new(Name4::new("LOAD"), StartCode::Start)).unwrap();
    }
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_records_while_tasks_run() {
    let directory = directory().unwrap();
    let region = region_with_queues(&["MXT=50"]).unwrap();
    region.install(&Definition::new("TRANCLASS", "LOADCLAS", "TEST").with("MAXACTIVE", "40")).unwrap();
    begin_with(region, &[], |task| write(task, "VARFILE", "THERE", "DATA")).result().unwrap();
    define_transaction_of_class(region, "LOAD", "LOADCLAS", load);
    begin_with(region, &[], |task| record_and_reset(task, true)).result().unwrap();
    let before = [
        recorded(&directory, "DFHXMGDS", "", "XMGTAT"),
        recorded(&directory, "DFHA17DS", "VARFILE", "A17DSRD"),
        recorded(&directory, "DFHTSGDS", "", "TSGSTA7F"),
    ];
    let attached_before = region.dispatcher.statistics().max_tasks.attaches_user;
    let threads: Vec<_> = (0..THREADS).map(|_| std::thread::spawn(move || attach_load(region))).collect();
    let mut recorders = 0;
    while !threads.iter().all(|thread| thread.is_finished()) {
        // Another records at the same time without a reset.
        let other = begin_with(region, &[], |task| {
            issue(task, command::PERFORM_STATISTICS_RECORD, |call| {
                call.flag(option::ALL);
            })
        });
        begin_with(region, &[], move |task| record_and_reset(task, recorders % 2 == 1)).result().unwrap();
        assert_eq!(other.result().unwrap().code, NORMAL);
        recorders += 1;
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    until(|| region.dispatcher.statistics().max_tasks.active_current == 0);
    assert!(recorders > 10, "recorded {recorders} times");
    let mark = region.dispatcher.statistics().max_tasks.attaches_user;
    begin_with(region, &[], move |task| record_and_reset(task, recorders % 2 == 1)).result().unwrap();

    let sum = |record: &str, name: &str, field: &str| recorded(&directory, record, name, field);
    assert_eq!(sum("DFHXMRDS", "LOAD", "XMRAC"), TASKS);
    assert_eq!(sum("DFHXMCDS", "LOADCLAS", "XMCTAT"), TASKS);
    assert_eq!(sum("DFHXMCDS", "LOADCLAS", "XMCAI") + sum("DFHXMCDS", "LOADCLAS", "XMCTQ"), TASKS);
    assert_eq!(sum("DFHLDRDS", "PGMLOAD", "LDRTU"), TASKS);
    assert_eq!(sum("DFHA17DS", "VARFILE", "A17DSRD") - before[1], TASKS * READS);
    assert_eq!(sum("DFHTSGDS", "", "TSGSTA7F") - before[2], TASKS * AUXILIARY_PUTS);
    assert_eq!(sum("DFHTSGDS", "", "TSGSTA5F"), TASKS * MAIN_PUTS);
    assert_eq!(sum("DFHTQRDS", "TDNO", "TQRWRITE"), TASKS * TD_PUTS);
    assert_eq!(sum("DFHRMGDS", "", "RMGSYBWD"), TASKS);
    // All that were attached have ended but the task that recorded last.
    assert_eq!(sum("DFHMNGDS", "", "MNGUTNUM") + 1, sum("DFHXMGDS", "", "XMGTAT"));
    // The task that recorded last is one of those attached since.
    assert_eq!(sum("DFHXMGDS", "", "XMGTAT") - before[0], mark + 1 - attached_before);
    lines_of_a_recording_are_together(&directory);
}

/// A recording has the dispatcher's record, others, and in between the domain's own, once each: those of two never mix.
fn lines_of_a_recording_are_together(directory: &Path) {
    let mut open = None;
    for line in lines(directory).iter().filter(|line| line["reason"] != "USS") {
        if line["record"] == "DFHDSGDS" {
            open = Some((line["reason"].clone(), 0));
        }
        let (reason, own) = open.as_mut().unwrap();
        assert_eq!(line["reason"], *reason, "{line}");
        *own += u32::from(line["record"] == "DFHSTGDS");
        assert!(*own <= 1, "{line}");
    }
}

/// The record of temporary storage, or of transient data, now.
fn record_now(region: &'static Region, directory: &Path, record: &str) -> serde_json::Value {
    let recorded = begin_with(region, &[], |task| {
        issue(task, command::PERFORM_STATISTICS_RECORD, |call| {
            call.flag(option::TSQUEUE).flag(option::TDQUEUE);
        })
    });
    assert_eq!(recorded.result().unwrap().code, NORMAL);
    lines(directory).into_iter().rev().find(|line| line["record"] == record).unwrap()["fields"].clone()
}

/// WRITEQ TS of so many items with 988 bytes: with a header of 36 sixteen segments of 64, of which an interval of 63 has three.
fn write_items(task: &mut Task, queue: &str, items: u32, main: bool) -> Result<(), Raised> {
    for _ in 0..items {
        let reply = issue(task, command::WRITEQ_TS, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &[0x40; 988]);
            if main {
                call.flag(option::MAIN);
            }
        })?;
        assert_eq!(reply.code, NORMAL);
    }
    Ok(())
}

fn read_items(task: &mut Task, queue: &str, items: &[i64]) -> Result<(), Raised> {
    for item in items {
        let reply = issue(task, command::READQ_TS, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0x40; 988]).integer(option::ITEM, *item);
        })?;
        assert_eq!(reply.code, NORMAL);
    }
    Ok(())
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_uses_auxiliary_storage() {
    let directory = directory().unwrap();
    let region = region_with_queues(&["TS=(,4,2)"]).unwrap();
    let subpool =
        || region.storage.statistics().subpools.into_iter().find(|subpool| subpool.name.as_str() == "TSBUFFRS").unwrap().figures.bytes;
    assert_eq!(subpool(), 4 * 4096);
    let now = || record_now(region, &directory, "DFHTSGDS");
    let fields = |record: &serde_json::Value, names: &[&str]| names.iter().map(|name| record[name].as_u64().unwrap()).collect::<Vec<_>>();
    let shape = ["TSGNBCA", "TSGNVCA", "TSGCSZ", "TSGNAVB", "TSGSPCI", "TSGBPSEG"];
    assert_eq!(fields(&now(), &shape), [4, 2, 4096, 4032, 63, 64]);
    // Main storage has no intervals.
    begin_with(region, &[], |task| write_items(task, "MAINQ", 5, true)).result().unwrap();
    let counts = ["TSGNCIA", "TSGTWTNF", "TSGTWTN", "TSGTRDN", "TSGTWTNR"];
    assert_eq!(fields(&now(), &counts), [0, 0, 0, 0, 0]);
    // Twelve items are four intervals; two buffers are for output.
    begin_with(region, &[], |task| write_items(task, "AUXQ", 12, false)).result().unwrap();
    assert_eq!(fields(&now(), &counts), [4, 4, 2, 0, 0]);
    begin_with(region, &[], |task| read_items(task, "AUXQ", &[1, 4, 7, 10, 1])).result().unwrap();
    assert_eq!(fields(&now(), &counts), [4, 4, 2, 2, 0]);
    // The last interval has 15 segments left, so four recoverable items are two more, for which those in buffers are written; at the
    // syncpoint the two are written.
    begin_with(region, &[], |task| write_items(task, "RECQ", 4, false)).result().unwrap();
    assert_eq!(fields(&now(), &counts), [6, 6, 2 + 2 + 2, 2, 2]);
    begin_with(region, &[], |task| {
        write_items(task, "RECQ", 2, false)?;
        rollback(task)
    })
    .result()
    .unwrap();
    assert_eq!(fields(&now(), &counts), [6, 6, 6, 2, 2]);
    begin_with(region, &[], |task| {
        for queue in ["AUXQ", "RECQ"] {
            issue(task, command::DELETEQ_TS, |call| {
                call.bytes(option::QUEUE, &e(queue));
            })?;
        }
        Ok(())
    })
    .result()
    .unwrap();
    assert_eq!(fields(&now(), &["TSGNCIA", "TSGNCIAH", "TSGNCI", "TSGSTABF", "TSGSTA9F"]), [0, 6, 6, 0, 0]);
    assert_eq!(subpool(), 4 * 4096);
}

/// WRITEQ TD of so many records with 496 bytes: with four before each, three of them are in an interval of 1,504.
fn write_records(task: &mut Task, queue: &str, records: u32) -> Result<(), Raised> {
    for _ in 0..records {
        let reply = issue(task, command::WRITEQ_TD, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &[0x40; 496]);
        })?;
        assert_eq!(reply.code, NORMAL);
    }
    Ok(())
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_uses_intrapartition_queues() {
    let directory = directory().unwrap();
    let region = region_with_queues(&["TD=(8,5)"]).unwrap();
    let names = ["TQGANBFA", "TQGSNSTA", "TQGACTCI", "TQGACTFT", "TQGACTPT", "TQGACTGT"];
    let now = || {
        let record = record_now(region, &directory, "DFHTQGDS");
        names.iter().map(|name| record[name].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(now(), [8, 5, 0, 0, 0, 0]);
    // Physically recoverable: each request writes; logically: the syncpoint writes the two intervals changed; else nothing does.
    begin_with(region, &[], |task| write_records(task, "TDPH", 4)).result().unwrap();
    assert_eq!(now(), [8, 5, 2, 2, 4, 0]);
    begin_with(region, &[], |task| write_records(task, "TDLO", 4)).result().unwrap();
    assert_eq!(now(), [8, 5, 4, 4, 6, 0]);
    begin_with(region, &[], |task| {
        write_records(task, "TDNO", 3)?;
        write_records(task, "TDLO", 4)?;
        rollback(task)
    })
    .result()
    .unwrap();
    // What was backed out had formatted another interval, which is free again.
    assert_eq!(now(), [8, 5, 5, 6, 6, 0]);
    // Three reads free the first interval of each queue.
    for (queue, left) in [("TDPH", 4), ("TDLO", 3), ("TDNO", 2)] {
        begin_with(region, &[], move |task| {
            for _ in 0..3 {
                let reply = issue(task, command::READQ_TD, |call| {
                    call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0x40; 496]);
                })?;
                assert_eq!(reply.code, NORMAL);
            }
            Ok(())
        })
        .result()
        .unwrap();
        assert_eq!(now()[2], left, "{queue}");
    }
}

#[test]
fn control_intervals_of_intrapartition_queues_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_uses_intrapartition_queues", directory.path(), 0);
}

#[test]
fn control_intervals_and_buffers_of_auxiliary_storage_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_uses_auxiliary_storage", directory.path(), 0);
}

#[test]
fn intervals_say_together_what_was_done() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_records_while_tasks_run", directory.path(), 0);
}
