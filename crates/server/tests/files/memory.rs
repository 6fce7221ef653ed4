//! The limit of the memory that programs make the region keep: containers, START data and changes that are not committed.
//!
//! The region, in a process of its own, has MEMLIMIT=4M. A unit of work may have a quarter of it. A container takes 160 bytes besides its
//! data, a START 2048.

use super::restart::{directory, region_with_queues, spawn_test};
use super::support::*;
use exec::{command, condition, option};
use region::exec_interface::Call;
use region::{Raised, Region, Task};

const LIMIT: usize = 4 << 20;
const CONTAINER: usize = 160;
const START: usize = 2048;

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
    let full = begin_with(region, &[], move |task| {
        put(task, "ONE", LIMIT - CONTAINER, |_| {})?;
        Ok(())
    });
    assert_eq!(full.result(), Ok(()));
    assert_eq!(account.used(), 0, "the task has ended");
    for (last, end) in [(1000, Ok(())), (1001, Err("AKCS".to_string()))] {
        let two = begin_with(region, &[], move |task| {
            put(task, "ONE", LIMIT - 2 * CONTAINER - 1000, |_| {})?;
            put(task, "TWO", last, |_| {})
        });
        assert_eq!(two.result(), end, "{last}");
        // While a command appends, its data needs the memory of a container.
        let appended = begin_with(region, &[], move |task| {
            put(task, "ONE", LIMIT - 2 * CONTAINER - 1000, |_| {})?;
            put(task, "ONE", last, append)
        });
        assert_eq!(appended.result(), end, "{last}");
    }
    let over = begin_with(region, &[], move |task| put(task, "ONE", LIMIT - CONTAINER + 1, |_| {}));
    assert_eq!(over.result(), Err("AKCS".into()));
    let appended = begin_with(region, &[], move |task| {
        for _ in 0..LIMIT / 32_000 {
            put(task, "ONE", 32_000, append)?;
        }
        Ok(())
    });
    assert_eq!(appended.result(), Err("AKCS".into()));
    // What is deleted or replaced no longer counts.
    let replaced = begin_with(region, &[], move |task| {
        for _ in 0..10 {
            put(task, "ONE", LIMIT / 3, |_| {})?;
        }
        issue(task, command::DELETE_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "ONE"))).bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN")));
        })?;
        put(task, "TWO", LIMIT - CONTAINER, |_| {})
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
        let kinds: [(&dyn Fn(&mut Task, u32) -> Result<(u16, i32), Raised>, usize, (u16, i32)); 3] = [
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
                assert!(used <= LIMIT / 4 && used + length + 1000 > LIMIT / 4 && data > used / 3, "{used} of {number} changes");
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
        for _ in 0..LIMIT / (START + 32_000) {
            start(task, 32_000)?;
        }
        Ok(())
    });
    assert_eq!(filled.result(), Ok(()));
    let left = LIMIT % (START + 32_000);
    assert_eq!(account.used() as usize, LIMIT - left);
    let over = begin_with(region, &[], move |task| start(task, left - START + 1));
    assert_eq!(over.result(), Err("AKCS".into()));
    let exact = begin_with(region, &[], move |task| start(task, left - START));
    assert_eq!(exact.result(), Ok(()));
    assert_eq!(account.used() as usize, LIMIT);
    region.shutdown(false);
}
