//! Queues of shared temporary storage pools: one queue for all tasks and all starts of a region, independent of units of work.

use super::queue_support::*;
use super::support::*;
use csd::Definition;
use exec::{CommandId, command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Region, Task};
use std::io::Write;
use std::sync::OnceLock;

/// RECOVERY and LOCATION of a model with a pool have no effect.
fn install(region: &'static Region) {
    let model = Definition::new("TSMODEL", "SHRMODEL", "TEST").with("PREFIX", "SHR").with("POOLNAME", "POOLONE");
    region.install(&model.with("RECOVERY", "YES").with("LOCATION", "MAIN")).unwrap();
    region.install(&Definition::new("TSMODEL", "SHTMODEL", "TEST").with("PREFIX", "SHTWO").with("POOLNAME", "POOLTWO")).unwrap();
    let expiring = Definition::new("TSMODEL", "SHXMODEL", "TEST").with("PREFIX", "SHX").with("POOLNAME", "POOLONE");
    region.install(&expiring.with("EXPIRYINTMIN", "10")).unwrap();
}

fn models() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| install(the_region()));
}

/// INQUIRE TSQNAME of a queue of a pool.
fn inquire(task: &mut Task, pool: &str, queue: &str) -> Result<Reply, Raised> {
    issue(task, command::INQUIRE_TSQNAME, |call| {
        call.bytes(option::TSQNAME, &e(&format!("{queue:16}"))).bytes(option::TSMODEL, &[0; 8]).bytes(option::TRANSID, &[0; 4]);
        if !pool.is_empty() {
            call.bytes(option::POOLNAME, &e(pool));
        }
        for option in NUMBERS {
            call.integer(option, 0);
        }
    })
}

const NUMBERS: [exec::OptionId; 8] = [
    option::NUMITEMS,
    option::FLENGTH,
    option::MAXITEMLEN,
    option::MINITEMLEN,
    option::LOCATION,
    option::RECOVSTATUS,
    option::EXPIRYINT,
    option::EXPIRYINTMIN,
];

#[test]
fn items_are_written_read_rewritten_and_deleted() {
    models();
    run(|task| {
        assert_eq!(get(task, "SHRITEMS", None)?, Err(QIDERR));
        assert_eq!(delete(task, "SHRITEMS")?, QIDERR);
        let rewrite = |task: &mut Task, item: i64| {
            on_queue(task, command::WRITEQ_TS, "SHRITEMS", |call| {
                call.bytes(option::FROM, &e("NEW TWO")).integer(option::ITEM, item).flag(option::REWRITE).integer(option::NUMITEMS, 0);
            })
            .map(|reply| (reply.code, reply.number(option::NUMITEMS)))
        };
        assert_eq!(rewrite(task, 1)?.0, QIDERR);
        for (number, text) in [(1, "ONE"), (2, "TWO"), (3, "THREE")] {
            let reply = on_queue(task, command::WRITEQ_TS, "SHRITEMS", |call| {
                call.bytes(option::FROM, &e(text)).integer(option::ITEM, 0).integer(option::NUMITEMS, 0);
            })?;
            assert_eq!((reply.code, reply.number(option::ITEM), reply.number(option::NUMITEMS)), (NORMAL, number, number));
        }
        for text in ["ONE", "TWO", "THREE"] {
            assert_eq!(get(task, "SHRITEMS", None)?, ok(text));
        }
        assert_eq!(get(task, "SHRITEMS", None)?, Err(ITEMERR));
        assert_eq!(get(task, "SHRITEMS", Some(1))?, ok("ONE"));
        assert_eq!(get(task, "SHRITEMS", None)?, ok("TWO"));
        for item in [0, 4, -1] {
            assert_eq!(get(task, "SHRITEMS", Some(item))?, Err(ITEMERR));
        }
        assert_eq!(rewrite(task, 2)?, (NORMAL, 3));
        assert_eq!((rewrite(task, 4)?.0, rewrite(task, 0)?.0), (ITEMERR, ITEMERR));
        assert_eq!(get(task, "SHRITEMS", Some(2))?, ok("NEW TWO"));
        let count = on_queue(task, command::READQ_TS, "SHRITEMS", |call| {
            call.bytes(option::INTO, &[0; 50]).integer(option::ITEM, 1).integer(option::NUMITEMS, 0);
        })?;
        assert_eq!(count.number(option::NUMITEMS), 3);
        assert_eq!(delete(task, "SHRITEMS")?, NORMAL);
        assert_eq!(get(task, "SHRITEMS", Some(1))?, Err(QIDERR));
        // A new queue of the name has none of the old one's items, and its cursor is at the begin.
        put(task, "SHRITEMS", "AGAIN")?;
        assert_eq!(get(task, "SHRITEMS", None)?, ok("AGAIN"));
        assert_eq!(delete(task, "SHRITEMS")?, NORMAL);
        Ok(())
    });
}

#[test]
fn lengths_are_checked_at_their_bounds() {
    models();
    run(|task| {
        let lengerr = (condition::LENGERR.0, 0);
        let area = vec![0xC1; 32_764];
        for (length, expected) in [(32_763, NORMAL), (32_764, lengerr), (1, NORMAL), (0, lengerr), (-1, lengerr)] {
            let reply = on_queue(task, command::WRITEQ_TS, "SHRLENG", |call| {
                call.bytes(option::FROM, &area).integer(option::LENGTH, length);
            })?;
            assert_eq!(reply.code, expected, "{length}");
        }
        let reply = on_queue(task, command::READQ_TS, "SHRLENG", |call| {
            call.integer(option::SET, 0).integer(option::ITEM, 1).integer(option::LENGTH, 0);
        })?;
        assert_eq!((reply.code, reply.number(option::LENGTH)), (NORMAL, 32_763));
        let reply = on_queue(task, command::READQ_TS, "SHRLENG", |call| {
            call.bytes(option::INTO, &[0; 6]).integer(option::ITEM, 1).integer(option::LENGTH, 6);
        })?;
        assert_eq!((reply.code, reply.number(option::LENGTH)), (lengerr, 32_763));
        delete(task, "SHRLENG")?;
        Ok(())
    });
}

/// The header of a queue of pool POOLONE as the store has it.
fn change_header(queue: &str, change: impl Fn(&mut Vec<u8>)) {
    let store = &the_region().store;
    let table = store.table("tspool.queues").unwrap();
    let key = [b"POOLONE ".to_vec(), e(&format!("{queue:16}"))].concat();
    let mut header = store.get(&table, &key).unwrap().expect("the queue is there");
    change(&mut header);
    store.publish(vec![vsam::Change { table, key, value: Some(header) }], &vsam::ThreadWaiter::new()).unwrap();
}

/// Bytes 10 and 11 of the header are the number of items: a queue need not be filled to be full.
#[test]
fn a_queue_holds_32767_items() {
    models();
    assert_eq!(run(|task| put(task, "SHRMANY", "X")), NORMAL);
    change_header("SHRMANY", |header| header[10..12].copy_from_slice(&32_766_u16.to_be_bytes()));
    run(|task| {
        assert_eq!(put(task, "SHRMANY", "LAST")?, NORMAL);
        assert_eq!(put(task, "SHRMANY", "MORE")?, ITEMERR);
        assert_eq!(get(task, "SHRMANY", Some(32_767))?, ok("LAST"));
        delete(task, "SHRMANY")
    });
}

#[test]
fn a_backout_does_not_undo_changes_of_shared_queues() {
    models();
    run(|task| {
        put(task, "SHRBACK", "STAYS")?;
        rollback(task)?;
        assert_eq!(get(task, "SHRBACK", Some(1))?, ok("STAYS"));
        assert_eq!(delete(task, "SHRBACK")?, NORMAL);
        rollback(task)?;
        assert_eq!(get(task, "SHRBACK", Some(1))?, Err(QIDERR));
        Ok(())
    });
}

/// A name is one queue in each pool and one in the region: models decide which is meant.
#[test]
fn pools_keep_queues_of_one_name_apart() {
    models();
    run(|task| {
        put(task, "SHRSAME", "IN POOLONE")?;
        assert_eq!(inquire(task, "POOLTWO", "SHRSAME")?.code, (condition::QIDERR.0, 1));
        let region = task.region;
        region.install(&Definition::new("TSMODEL", "SHRAPART", "TEST").with("PREFIX", "SHRSAME").with("POOLNAME", "POOLTWO")).unwrap();
        assert_eq!(get(task, "SHRSAME", Some(1))?, Err(QIDERR));
        put(task, "SHRSAME", "IN POOLTWO")?;
        region.install(&Definition::new("TSMODEL", "SHRAPART", "TEST").with("PREFIX", "SHRSAME")).unwrap();
        assert_eq!(get(task, "SHRSAME", Some(1))?, Err(QIDERR));
        put(task, "SHRSAME", "IN THE REGION")?;
        assert_eq!(get(task, "SHRSAME", Some(1))?, ok("IN THE REGION"));
        delete(task, "SHRSAME")?;
        for (pool, text) in [("POOLTWO", "IN POOLTWO"), ("POOLONE", "IN POOLONE")] {
            region.install(&Definition::new("TSMODEL", "SHRAPART", "TEST").with("PREFIX", "SHRSAME").with("POOLNAME", pool)).unwrap();
            assert_eq!(get(task, "SHRSAME", Some(1))?, ok(text));
            delete(task, "SHRSAME")?;
        }
        Ok(())
    });
}

/// The cursor belongs to the queue: every item is returned as the next one exactly once. Writers of one queue get numbers without gaps.
#[test]
fn tasks_share_a_queue_and_its_cursor() {
    const TASKS: usize = 4;
    const EACH: usize = 25;
    models();
    let writers: Vec<_> = (0..TASKS)
        .map(|writer| {
            begin_with(the_region(), &[("CONCURRENCY", "REQUIRED")], move |task| {
                for number in 0..EACH {
                    assert_eq!(put(task, "SHRTASKS", &format!("{writer} {number:02}"))?, NORMAL);
                }
                Ok(())
            })
        })
        .collect();
    writers.into_iter().for_each(|writer| writer.result().unwrap());
    let readers: Vec<_> = (0..TASKS)
        .map(|_| {
            begin_with(the_region(), &[("CONCURRENCY", "REQUIRED")], |task| {
                let mut found = Vec::new();
                while let Ok(text) = get(task, "SHRTASKS", None)? {
                    found.push(text);
                }
                Ok(found)
            })
        })
        .collect();
    let mut found: Vec<String> = readers.into_iter().flat_map(|reader| reader.result().unwrap()).collect();
    found.sort_unstable();
    let all: Vec<String> = (0..TASKS).flat_map(|writer| (0..EACH).map(move |number| format!("{writer} {number:02}"))).collect();
    assert_eq!(found, all);
    assert_eq!(run(|task| delete(task, "SHRTASKS")), NORMAL);
}

#[test]
fn queues_of_a_pool_are_inquired_and_deleted() {
    models();
    run(|task| {
        put(task, "SHRINQ", "12345")?;
        put(task, "SHRINQ", "123")?;
        put(task, "SHXINQ", "1")?;
        let reply = inquire(task, "POOLONE", "SHRINQ")?;
        assert_eq!(reply.code, NORMAL);
        let expected = [2, 8, 5, 3, cvda::AUXILIARY, cvda::NOTRECOVABLE, 0, 0];
        assert_eq!(NUMBERS.map(|option| reply.number(option)), expected);
        assert_eq!((reply.text(option::TSMODEL), reply.text(option::TRANSID)), ("SHRMODEL".into(), task.transid.to_string()));
        let report = region::statistics::report::text(task.region);
        let line = report.lines().find(|line| line.contains(" SHRINQ ")).unwrap_or_else(|| panic!("{report}"));
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..8], ["POOLONE", "CONNECTED", "SHRINQ", task.transid.as_str().trim_end(), "2", "3", "5", "8"]);
        let reply = inquire(task, "POOLONE", "SHXINQ")?;
        assert_eq!((reply.number(option::EXPIRYINT), reply.number(option::EXPIRYINTMIN)), (1, 10));
        // Without POOLNAME the queues of the region are meant.
        assert_eq!(inquire(task, "", "SHRINQ")?.code, (condition::QIDERR.0, 1));
        assert_eq!(inquire(task, "NOPOOL", "SHRINQ")?.code, (condition::POOLERR.0, 0));
        let by_system = issue(task, command::INQUIRE_TSQNAME, |call| {
            call.bytes(option::TSQNAME, &e("SHRINQ          ")).bytes(option::SYSID, &e("SHRD"));
        })?;
        assert_eq!(by_system.code, (condition::INVREQ.0, 1));
        let set = |task: &mut Task, pool: &str, queue: &str, interval: Option<i64>, action: i64| {
            issue(task, command::SET_TSQNAME, |call| {
                call.bytes(option::TSQNAME, &e(&format!("{queue:16}"))).bytes(option::POOLNAME, &e(pool)).integer(option::ACTION, action);
                if let Some(interval) = interval {
                    call.integer(option::LASTUSEDINT, interval);
                }
            })
            .map(|reply| reply.code)
        };
        assert_eq!(set(task, "NOPOOL", "SHRINQ", None, cvda::DELETE)?, (condition::POOLERR.0, 0));
        assert_eq!(set(task, "POOLONE", "SHRNONE", None, cvda::DELETE)?, (condition::NOTFND.0, 1));
        let nameless = issue(task, command::SET_TSQNAME, |call| {
            call.bytes(option::TSQNAME, &[0; 16]).bytes(option::POOLNAME, &e("POOLONE")).integer(option::ACTION, cvda::DELETE);
        })?;
        assert_eq!(nameless.code, (condition::QIDERR.0, 1));
        assert_eq!(set(task, "POOLONE", "SHRINQ", None, cvda::OPEN)?, (condition::INVREQ.0, 2));
        assert_eq!(set(task, "POOLONE", "SHRINQ", Some(-1), cvda::DELETE)?, (condition::INVREQ.0, 3));
        assert_eq!(set(task, "POOLONE", "SHRINQ", Some(1_000), cvda::DELETE)?, (condition::INVREQ.0, 1));
        assert_eq!(set(task, "POOLONE", "SHRINQ", Some(0), cvda::DELETE)?, NORMAL);
        assert_eq!(get(task, "SHRINQ", Some(1))?, Err(QIDERR));
        assert_eq!(set(task, "POOLONE", "SHXINQ", None, cvda::DELETE)?, NORMAL);
        Ok(())
    });
}

/// POOLNAME of START selects the pool of the browse; other browses of the task continue beside it.
#[test]
fn a_pool_is_browsed() {
    models();
    run(|task| {
        for queue in ["SHTWOB", "SHTWOA", "SHTWOC"] {
            put(task, queue, "X")?;
        }
        let browse = |task: &mut Task, command: CommandId, build: &dyn Fn(&mut Call)| issue(task, command, |call| build(call));
        let start = browse(task, command::INQUIRE_TSQNAME, &|call| {
            call.flag(option::START).bytes(option::POOLNAME, &e("NOPOOL"));
        })?;
        assert_eq!(start.code, (condition::POOLERR.0, 0));
        let start = browse(task, command::INQUIRE_TSQNAME, &|call| {
            call.flag(option::START).bytes(option::POOLNAME, &e("POOLTWO")).bytes(option::AT, &e("SHTWO           "));
        })?;
        assert_eq!(start.code, NORMAL);
        let mut found = Vec::new();
        let end = loop {
            let next = browse(task, command::INQUIRE_TSQNAME, &|call| {
                call.flag(option::NEXT).bytes(option::TSQNAME, &[0; 16]).integer(option::NUMITEMS, 0);
            })?;
            if next.code != NORMAL {
                break next.code;
            }
            found.push((next.text(option::TSQNAME).trim_end().to_string(), next.number(option::NUMITEMS)));
            if found.len() == 1 {
                delete(task, "SHTWOB")?;
            }
        };
        assert_eq!((found, end), (vec![("SHTWOA".into(), 1), ("SHTWOC".into(), 1)], (condition::END.0, 2)));
        assert_eq!(
            browse(task, command::INQUIRE_TSQNAME, &|call| {
                call.flag(option::END);
            })?
            .code,
            NORMAL
        );
        delete(task, "SHTWOA")?;
        delete(task, "SHTWOC")?;
        Ok(())
    });
}

#[test]
fn pools_are_inquired() {
    models();
    let region = the_region();
    region.install(&Definition::new("TSMODEL", "SHPMODEL", "TEST").with("PREFIX", "SHP").with("POOLNAME", "POOLNEW")).unwrap();
    run(|task| {
        let pool = |task: &mut Task, name: &str| {
            issue(task, command::INQUIRE_TSPOOL, |call| {
                call.bytes(option::TSPOOL, &e(&format!("{name:8}"))).integer(option::CONNSTATUS, 0);
            })
        };
        let status = |task: &mut Task| pool(task, "POOLNEW").map(|reply| (reply.code, reply.number(option::CONNSTATUS)));
        assert_eq!(status(task)?, (NORMAL, cvda::UNCONNECTED));
        assert_eq!(pool(task, "NOPOOL")?.code, (condition::NOTFND.0, 1));
        assert_eq!(get(task, "SHPQ", Some(1))?, Err(QIDERR));
        assert_eq!(status(task)?, (NORMAL, cvda::CONNECTED));
        let model = issue(task, command::INQUIRE_TSMODEL, |call| {
            call.bytes(option::TSMODEL, &e("SHPMODEL")).bytes(option::POOLNAME, &[0; 8]);
        })?;
        assert_eq!((model.code, model.text(option::POOLNAME)), (NORMAL, "POOLNEW".into()));
        issue(task, command::INQUIRE_TSPOOL, |call| {
            call.flag(option::START);
        })?;
        let mut names = Vec::new();
        loop {
            let next = issue(task, command::INQUIRE_TSPOOL, |call| {
                call.flag(option::NEXT).bytes(option::TSPOOL, &[0; 8]);
            })?;
            if next.code != NORMAL {
                assert_eq!(next.code, (condition::END.0, 2));
                break;
            }
            names.push(next.text(option::TSPOOL).trim_end().to_string());
        }
        issue(task, command::INQUIRE_TSPOOL, |call| {
            call.flag(option::END);
        })?;
        assert_eq!(names, ["POOLNEW", "POOLONE", "POOLTWO"]);
        Ok(())
    });
}

fn statistic(name: &str) -> u64 {
    let counters = queues::temporary_storage::TemporaryStorage::of(the_region()).statistics().counters;
    counters.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}")).1
}

/// An expiry interval applies to a queue that is not used: bytes 24 to 31 of the header are the time of the last WRITEQ.
#[test]
fn a_queue_that_is_not_used_expires() {
    models();
    run(|task| {
        put(task, "SHXOLD", "X")?;
        put(task, "SHXREAD", "X")?;
        put(task, "SHXNEW", "X")
    });
    let minutes_ago = |minutes: u64| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        move |header: &mut Vec<u8>| header[24..32].copy_from_slice(&(now - minutes * 60).to_be_bytes())
    };
    change_header("SHXOLD", minutes_ago(10));
    change_header("SHXREAD", minutes_ago(10));
    change_header("SHXNEW", minutes_ago(9));
    assert_eq!(run(|task| get(task, "SHXREAD", Some(1))), ok("X"));
    let before = statistic("queues_expired");
    queues::temporary_storage::clean_up(the_region());
    until(|| statistic("queues_expired") > before);
    run(|task| {
        assert_eq!(get(task, "SHXOLD", Some(1))?, Err(QIDERR));
        for queue in ["SHXREAD", "SHXNEW"] {
            assert_eq!(get(task, queue, Some(1))?, ok("X"));
            delete(task, queue)?;
        }
        Ok(())
    });
}

fn region_with_pool(settings: &[&str]) -> Option<&'static Region> {
    let region = start_region(&super::restart::directory()?, settings);
    install(region);
    Some(region)
}

/// Reports every item it has written to the test; then the process dies as by kill -9.
#[test]
#[ignore = "run by the tests of restart"]
fn child_writes_items_and_dies() {
    let Some(region) = region_with_pool(&[]) else { return };
    let told = Flag::default();
    for writer in 0..3 {
        let told = told.clone();
        let _ = begin_with(region, &[], move |task| {
            let mut file = std::fs::File::options().create(true).append(true).open(task.region.data_directory.join("found")).unwrap();
            for number in 0.. {
                let text = format!("{writer} {number:05}");
                assert_eq!(put(task, "SHRCRASH", &text)?, NORMAL);
                // One write: a line is there whole or not at all.
                file.write_all(format!("{text}\n").as_bytes()).unwrap();
                told.raise();
            }
            Ok(())
        });
    }
    until(|| told.count() >= 60);
    // SAFETY: a signal to this process itself.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
}

/// The next item, and all items.
fn report(settings: &[&str]) {
    let Some(region) = region_with_pool(settings) else { return };
    let found = begin_with(region, &[], |task| {
        let next = get(task, "SHRCRASH", None)?.unwrap();
        let mut items = Vec::new();
        for item in 1.. {
            match get(task, "SHRCRASH", Some(item))? {
                Ok(text) => items.push(text),
                Err(code) => {
                    assert_eq!(code, ITEMERR);
                    break;
                }
            }
        }
        // The next start continues behind this item.
        get(task, "SHRCRASH", Some(5))?.unwrap();
        Ok((next, items))
    });
    let (next, items) = found.result().unwrap();
    std::fs::write(region.data_directory.join("items"), items.join("\n")).unwrap();
    std::fs::write(region.data_directory.join("next"), next).unwrap();
    region.shutdown(false);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_reads_the_items() {
    report(&[]);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_reads_the_items_after_an_initial_start() {
    report(&["START=INITIAL"]);
}

#[test]
fn a_queue_outlives_failures_and_cold_starts() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    super::restart::spawn_test("shared_queues::child_writes_items_and_dies", path, 0);
    let told = std::fs::read_to_string(path.join("found")).unwrap();
    let after = |child: &str| {
        super::restart::spawn_test(child, path, 0);
        let items: Vec<String> = std::fs::read_to_string(path.join("items")).unwrap().lines().map(str::to_string).collect();
        (items, std::fs::read_to_string(path.join("next")).unwrap())
    };
    let (items, next) = after("shared_queues::child_reads_the_items");
    assert_eq!(next, items[0]);
    for line in told.lines() {
        assert_eq!(items.iter().filter(|item| *item == line).count(), 1, "{line}");
    }
    // Each of the writers may have been about to tell of one more.
    assert!(items.len() <= told.lines().count() + 3, "{} items", items.len());
    let (again, next) = after("shared_queues::child_reads_the_items_after_an_initial_start");
    assert_eq!((again, next), (items.clone(), items[5].clone()), "a pool and its cursors outlive regions");
}
