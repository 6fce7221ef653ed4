//! The limit of the memory that programs make the region keep: containers, START data, changes that are not committed, queues, enqueues
//! and browses.
//!
//! The region, in a process of its own, has MEMLIMIT=4M. A unit of work may have a quarter of it, and everything but changes three
//! quarters. `docs/up.md` has the sizes: a channel takes 128 bytes, a container 160 bytes besides its data, a START 2048, a queue 400, an
//! item in main storage 80 besides its data.

use super::restart::{directory, region_with_queues, spawn_test};
use super::support::*;
use exec::{command, condition, option};
use region::exec_interface::Call;
use region::{Raised, Region, Task};

const LIMIT: usize = 4 << 20;
/// The part for everything but changes.
const KEPT: usize = LIMIT / 4 * 3;
const CHANNEL: usize = 128;
const CONTAINER: usize = 160;
const START: usize = 2048;
const QUEUE: usize = 400;
const ITEM: usize = 80;
/// The account may be behind by this for each unit of work, task and kind of queue.
const SLACK: usize = 4096;

fn region() -> Option<&'static Region> {
    directory()?;
    region_with_queues(&["MEMLIMIT=4M", "TSMAINLIMIT=1M"])
}

fn spawn(child: &str) {
    let directory = tempfile::tempdir().unwrap();
    spawn_test(&format!("memory::{child}"), directory.path(), 0);
}

fn put(task: &mut Task, name: &str, length: usize, build: impl FnOnce(&mut Call)) -> Result<(), Raised> {
    let reply = issue(task, command::PUT_CONTAINER, |call| {
        call.bytes(option::CONTAINER, &e(&format!("{name:<16}"))).bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN")));
        call.bytes(option::FROM, &vec![0; length]);
        build(call);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(())
}

#[test]
fn containers_have_a_limit() {
    spawn("child_fills_containers");
}

#[test]
#[ignore = "run by the test above"]
fn child_fills_containers() {
    let Some(region) = region() else { return };
    let account = region.store.account();
    assert_eq!((account.limit(), account.used()), (LIMIT as u64, 0));
    let append = |call: &mut Call| {
        call.flag(option::APPEND);
    };
    // Exactly the limit, by one container, by two, and by appending.
    let full = begin_with(region, &[], move |task| put(task, "ONE", KEPT - CHANNEL - CONTAINER, |_| {}));
    assert_eq!(full.result(), Ok(()));
    assert_eq!(account.used(), 0, "the task has ended");
    for (last, end) in [(1000, Ok(())), (1001, Err("AKCS".to_string()))] {
        let two = begin_with(region, &[], move |task| {
            put(task, "ONE", KEPT - CHANNEL - 2 * CONTAINER - 1000, |_| {})?;
            put(task, "TWO", last, |_| {})
        });
        assert_eq!(two.result(), end, "{last}");
        // While a command appends, its data needs the memory of a container.
        let appended = begin_with(region, &[], move |task| {
            put(task, "ONE", KEPT - CHANNEL - 2 * CONTAINER - 1000, |_| {})?;
            put(task, "ONE", last, append)
        });
        assert_eq!(appended.result(), end, "{last}");
    }
    let over = begin_with(region, &[], move |task| put(task, "ONE", KEPT - CHANNEL - CONTAINER + 1, |_| {}));
    assert_eq!(over.result(), Err("AKCS".into()));
    for (more, end) in [(0, Ok(())), (1, Err("AKCS".to_string()))] {
        let appended = begin_with(region, &[], move |task| {
            for _ in 0..KEPT / 32_000 + more {
                put(task, "ONE", 32_000, append)?;
            }
            Ok(())
        });
        assert_eq!(appended.result(), end);
    }
    // What is deleted or replaced no longer counts.
    let replaced = begin_with(region, &[], move |task| {
        for _ in 0..10 {
            put(task, "ONE", KEPT / 3, |_| {})?;
        }
        issue(task, command::DELETE_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "ONE"))).bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN")));
        })?;
        put(task, "TWO", KEPT - CHANNEL - CONTAINER, |_| {})
    });
    assert_eq!(replaced.result(), Ok(()));
    assert_eq!(account.used(), 0);
    region.shutdown(false);
}

#[test]
fn uncommitted_changes_have_a_limit() {
    spawn("child_does_not_commit");
}

#[test]
#[ignore = "run by the test above"]
fn child_does_not_commit() {
    let Some(region) = region() else { return };
    let account = region.store.account();
    let nospace = condition::NOSPACE.0;
    let write_queue = |task: &mut Task, command, queue: &str| {
        issue(task, command, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &[0; 10_000]);
        })
        .map(|reply| reply.code)
    };
    let done = begin_with(region, &[], move |task| {
        type Write<'a> = &'a dyn Fn(&mut Task, u32) -> Result<(u16, i32), Raised>;
        let kinds: [(Write<'_>, usize, (u16, i32)); 3] = [
            (&|task, _| write_queue(task, command::WRITEQ_TS, "RECTS"), 10_000, (nospace, 0)),
            (&|task, _| write_queue(task, command::WRITEQ_TD, "TDLO"), 10_000, (nospace, 0)),
            (&|task, number| Ok(write(task, "VARFILE", &format!("{number:08}"), &"X".repeat(92))?.code), 100, (nospace, 100)),
        ];
        for (write, length, expected) in kinds {
            for _ in 0..2 {
                let (mut number, mut code) = (0, NORMAL);
                while code == NORMAL && number < 20_000 {
                    code = write(task, number)?;
                    number += 1;
                }
                assert_eq!(code, expected);
                // What is used is the limit but for less than another change, and not much more than the data.
                let (used, data) = (account.used() as usize, (number as usize - 1) * length);
                let quarter = LIMIT / 4 - 2 * SLACK..LIMIT / 4 + 4 * SLACK;
                assert!(quarter.contains(&(used + length)) && data > used / 3, "{used} of {number} changes");
                assert_eq!(write(task, number)?, expected);
                rollback(task)?;
                assert_eq!(account.used(), 0);
            }
            assert_eq!(write(task, 0)?, NORMAL);
            syncpoint(task)?;
            assert_eq!(account.used(), 0);
        }
        Ok(())
    });
    assert_eq!(done.result(), Ok(()));
    let read_back = begin_with(region, &[], |task| Ok(read(task, "VARFILE", "00000001", |_| {})?.code.0));
    assert_eq!(read_back.result(), Ok(condition::NOTFND.0));
    region.shutdown(false);
}

#[test]
fn data_of_starts_has_a_limit() {
    spawn("child_starts");
}

#[test]
#[ignore = "run by the test above"]
fn child_starts() {
    let Some(region) = region() else { return };
    let account = region.store.account();
    define_transaction(region, "LATE", |_| Ok(()));
    let start = |task: &mut Task, length: usize| {
        let reply = issue(task, command::START, |call| {
            call.bytes(option::TRANSID, &e("LATE")).bytes(option::FROM, &vec![0; length]).integer(option::INTERVAL, 100_000);
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(())
    };
    let filled = begin_with(region, &[], move |task| {
        for _ in 0..KEPT / (START + 32_000) {
            start(task, 32_000)?;
        }
        Ok(())
    });
    assert_eq!(filled.result(), Ok(()));
    let left = KEPT % (START + 32_000);
    assert_eq!(account.used() as usize, KEPT - left);
    let over = begin_with(region, &[], move |task| start(task, left - START + 1));
    assert_eq!(over.result(), Err("AKCS".into()));
    let exact = begin_with(region, &[], move |task| start(task, left - START));
    assert_eq!(exact.result(), Ok(()));
    assert_eq!(account.used() as usize, KEPT);
    // Others can still change data.
    let written = begin_with(region, &[], |task| Ok(write(task, "VARFILE", "00000001", "X")?.code));
    assert_eq!(written.result(), Ok(NORMAL));
    region.shutdown(false);
}

fn on_queue(task: &mut Task, command: exec::CommandId, queue: &str, build: impl FnOnce(&mut Call)) -> Result<u16, Raised> {
    let reply = issue(task, command, |call| {
        call.bytes(option::QUEUE, &e(queue));
        build(call);
    })?;
    Ok(reply.code.0)
}

#[test]
fn items_without_data_fill_main_storage_too() {
    spawn("child_writes_short_items");
}

/// TSMAINLIMIT counts the data only; the account counts everything.
#[test]
#[ignore = "run by the test above"]
fn child_writes_short_items() {
    const ITEMS_MAX: usize = 32_767;
    let Some(region) = region() else { return };
    let account = region.store.account();
    let done = begin_with(region, &[], move |task| {
        let write = |task: &mut Task, queue: &str| {
            on_queue(task, command::WRITEQ_TS, queue, |call| {
                call.bytes(option::FROM, b"X").flag(option::MAIN);
            })
        };
        for _ in 0..ITEMS_MAX {
            assert_eq!(write(task, "FULL")?, 0);
        }
        assert_eq!(account.used() as usize, QUEUE + ITEMS_MAX * (ITEM + 1));
        let left = (KEPT - 2 * QUEUE) / (ITEM + 1) - ITEMS_MAX;
        for _ in 0..left {
            assert_eq!(write(task, "REST")?, 0);
        }
        assert_eq!(write(task, "REST")?, condition::NOSPACE.0);
        // An item of the same length takes the place of another.
        let rewritten = on_queue(task, command::WRITEQ_TS, "FULL", |call| {
            call.bytes(option::FROM, b"Y").flag(option::REWRITE).integer(option::ITEM, 7);
        })?;
        assert_eq!(rewritten, 0);
        for queue in ["FULL", "REST"] {
            assert_eq!(on_queue(task, command::DELETEQ_TS, queue, |_| {})?, 0);
        }
        Ok(())
    });
    assert_eq!(done.result(), Ok(()));
    assert_eq!(account.used(), 0);
    region.shutdown(false);
}

#[test]
fn what_a_task_holds_has_a_limit() {
    spawn("child_holds_much");
}

/// Runs a request with numbers from 0 on until the task abends; returns how often it was done before.
fn until_abend(region: &'static Region, request: impl Fn(&mut Task, usize) -> Result<(), Raised> + Send + Sync + 'static) -> usize {
    let done = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = done.clone();
    let ended = begin_with(region, &[], move |task| -> Result<(), Raised> {
        for number in 0..200_000 {
            request(task, number)?;
            counter.store(number + 1, std::sync::atomic::Ordering::SeqCst);
        }
        Ok(())
    });
    assert_eq!(ended.result(), Err("AKCS".into()));
    assert_eq!(region.store.account().used(), 0, "the task has ended");
    done.load(std::sync::atomic::Ordering::SeqCst)
}

#[test]
#[ignore = "run by the test above"]
fn child_holds_much() {
    let Some(region) = region() else { return };
    // An enqueue takes 200 bytes and twice its name.
    let enqueues = until_abend(region, |task, number| {
        let reply = issue(task, command::ENQ, |call| {
            call.bytes(option::RESOURCE, &e(&format!("{number:0255}"))).integer(option::LENGTH, 255);
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(())
    });
    let expected = KEPT / (200 + 2 * 255);
    assert!((expected..expected + 2 + SLACK / 700).contains(&enqueues), "{enqueues}, {expected}");
    // A browse of containers takes 192 bytes, and 16 for each name.
    let browses = until_abend(region, |task, number| {
        if number == 0 {
            put(task, "ONE", KEPT - CHANNEL - CONTAINER - 100 * (192 + 16), |_| {})?;
        }
        let reply = issue(task, command::STARTBROWSE_CONTAINER, |call| {
            call.bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN"))).integer(option::BROWSETOKEN, 0);
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(())
    });
    assert_eq!(browses, 100);
    // The first browse of a file takes nothing, each further one 96 kilobytes.
    let written = begin_with(region, &[], |task| Ok(write(task, "VARFILE", "00000001", "X")?.code));
    assert_eq!(written.result(), Ok(NORMAL));
    let file_browses = until_abend(region, |task, number| {
        let reply = on_file(task, command::STARTBR, "VARFILE", |call| {
            call.bytes(option::RIDFLD, &e("        ")).integer(option::REQID, number as i64);
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(())
    });
    assert_eq!(file_browses, 1 + KEPT / (96 << 10));
    region.shutdown(false);
}

#[test]
fn tasks_give_everything_back() {
    spawn("child_works_for_long");
}

/// Many units of work, some committed, some backed out, some ended by an abend.
#[test]
#[ignore = "run by the test above"]
fn child_works_for_long() {
    let Some(region) = region() else { return };
    let account = region.store.account();
    define_transaction(region, "NOOP", |_| Ok(()));
    let work = |task: &mut Task, number: usize| -> Result<(), Raised> {
        put(task, "ONE", 100 + number, |_| {})?;
        put(task, "ONE", number, |call| {
            call.flag(option::APPEND);
        })?;
        for queue in ["RECTS", "AUXTS"] {
            on_queue(task, command::WRITEQ_TS, queue, |call| {
                call.bytes(option::FROM, &vec![0; 10 * number + 1]);
            })?;
        }
        for queue in ["TDLO", "TDPH", "TDNO"] {
            on_queue(task, command::WRITEQ_TD, queue, |call| {
                call.bytes(option::FROM, &vec![0; 5000]);
            })?;
        }
        issue(task, command::ENQ, |call| {
            call.bytes(option::RESOURCE, &e(&format!("R{number:0250}"))).integer(option::LENGTH, 251);
        })?;
        issue(task, command::START, |call| {
            call.bytes(option::TRANSID, &e("NOOP")).bytes(option::FROM, &[0; 3000]).flag(option::PROTECT);
        })?;
        assert_eq!(write(task, "VARFILE", &format!("{number:08}"), "X")?.code, NORMAL);
        for queue in ["RECTS", "AUXTS"] {
            assert_eq!(on_queue(task, command::DELETEQ_TS, queue, |_| {})?, 0);
        }
        for queue in ["TDLO", "TDPH", "TDNO"] {
            assert_eq!(on_queue(task, command::DELETEQ_TD, queue, |_| {})?, 0);
        }
        on_file(task, command::DELETE, "VARFILE", |call| {
            call.bytes(option::RIDFLD, &e(&format!("{number:08}")));
        })?;
        Ok(())
    };
    for round in 0..40 {
        let task = begin_with(region, &[], move |task| {
            for number in 0..25 {
                work(task, number)?;
                match number % 3 {
                    0 => drop(syncpoint(task)?),
                    1 => drop(rollback(task)?),
                    _ => {}
                }
            }
            if round % 2 == 0 { Err(Raised::Abend(Box::new(region::Abend::new("TEST")))) } else { Ok(()) }
        });
        assert_eq!(task.result().err(), (round % 2 == 0).then(|| "TEST".to_string()));
    }
    until(|| account.used() == 0);
    region.shutdown(false);
}

#[test]
fn an_emergency_restart_needs_no_more_memory_than_before() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("memory::child_commits_much_and_dies", directory.path(), 0);
    spawn_test("memory::child_finds_everything", directory.path(), 0);
}

/// Units of work of nearly a megabyte each, a hundred times.
const LARGE_UNITS: u32 = 100;
const UNIT_ITEMS: u32 = 30;

#[test]
#[ignore = "run by the test above"]
fn child_commits_much_and_dies() {
    let Some(region) = region() else { return };
    region.store.set_keypoint_frequency(0);
    let done = begin_with(region, &[], move |task| {
        for unit in 0..LARGE_UNITS {
            for _ in 0..UNIT_ITEMS {
                let queue = format!("RECQ{unit:04}");
                let written = on_queue(task, command::WRITEQ_TS, &queue, |call| {
                    call.bytes(option::FROM, &vec![unit as u8; 32_000]);
                })?;
                assert_eq!(written, 0, "{unit}");
            }
            syncpoint(task)?;
        }
        Ok(())
    });
    assert_eq!(done.result(), Ok(()));
    std::process::abort();
}

#[test]
#[ignore = "run by the test above"]
fn child_finds_everything() {
    let Some(region) = region() else { return };
    assert!(!region.store.restart_report().clean);
    let done = begin_with(region, &[], move |task| {
        for unit in 0..LARGE_UNITS {
            let reply = issue(task, command::READQ_TS, |call| {
                call.bytes(option::QUEUE, &e(&format!("RECQ{unit:04}"))).bytes(option::INTO, &vec![0; 32_000]);
                call.integer(option::ITEM, UNIT_ITEMS.into());
            })?;
            assert_eq!(reply.code, NORMAL, "{unit}");
            assert!(reply.call.result_bytes(option::INTO).iter().all(|byte| *byte == unit as u8));
        }
        Ok(())
    });
    assert_eq!(done.result(), Ok(()));
    region.shutdown(false);
}
