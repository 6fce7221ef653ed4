//! Named counters: one sequence for all tasks, whatever happens to their units of work and to the region.

use super::support::*;
use exec::{command, option};
use region::{Raised, Region, Task};
use std::io::Write;

const SUPPRESSED: u16 = 72;
const INVREQ: u16 = 16;

fn define(task: &mut Task, name: &str, value: i64, maximum: i64) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::DEFINE_COUNTER, |call| {
        call.bytes(option::COUNTER, &e(name)).integer(option::VALUE, value).integer(option::MAXIMUM, maximum);
    })?;
    Ok(reply.code)
}

fn get(task: &mut Task, name: &str) -> Result<Reply, Raised> {
    issue(task, command::GET_COUNTER, |call| {
        call.bytes(option::COUNTER, &e(name)).integer(option::VALUE, 0);
    })
}

#[test]
fn tasks_take_numbers_of_one_sequence() {
    const TASKS: usize = 8;
    const EACH: usize = 500;
    assert_eq!(run(|task| define(task, "SHARED", 1, 1_000_000)), NORMAL);
    let take = |task: &mut Task| {
        let mut numbers = Vec::new();
        for _ in 0..EACH {
            let reply = get(task, "SHARED")?;
            assert_eq!(reply.code, NORMAL);
            numbers.push(reply.number(option::VALUE));
        }
        // An assigned number is not returned.
        rollback(task)?;
        Ok(numbers)
    };
    // On open TCBs, side by side.
    let tasks: Vec<_> = (0..TASKS).map(|_| begin_with(the_region(), &[("CONCURRENCY", "REQUIRED")], take)).collect();
    let mut numbers: Vec<i64> = tasks.into_iter().flat_map(|task| task.result().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=(TASKS * EACH) as i64).collect::<Vec<_>>());
}

/// A task that waits in the middle of a unit of work with an assigned number does not keep others from taking the next.
#[test]
fn a_unit_of_work_holds_no_counter() {
    assert_eq!(run(|task| define(task, "FREE", 1, 10)), NORMAL);
    let (taken, go_on) = (Flag::default(), Flag::default());
    let first = begin({
        let (taken, go_on) = (taken.clone(), go_on.clone());
        move |task| {
            write(task, "VARFILE", "NCKEY", "X")?;
            let number = get(task, "FREE")?.number(option::VALUE);
            taken.raise();
            go_on.await_raised(task)?;
            rollback(task)?;
            Ok(number)
        }
    });
    taken.wait();
    assert_eq!(run(|task| Ok(get(task, "FREE")?.number(option::VALUE))), 2);
    go_on.raise();
    assert_eq!(first.result(), Ok(1));
    assert_eq!(run(|task| Ok(get(task, "FREE")?.number(option::VALUE))), 3);
}

fn region_with_counters(settings: &[&str]) -> Option<&'static Region> {
    Some(start_region(&super::restart::directory()?, settings))
}

/// Tasks take numbers, reporting each to the test; then the process dies as by kill -9.
#[test]
#[ignore = "run by the tests of restart"]
fn child_takes_numbers_and_dies() {
    const TASKS: usize = 4;
    const NUMBERS: u32 = 200;
    let Some(region) = region_with_counters(&[]) else { return };
    let defined = begin_with(region, &[], |task| {
        assert_eq!(define(task, "LIMITED", 5, 5)?, NORMAL);
        assert_eq!(get(task, "LIMITED")?.code, NORMAL);
        assert_eq!(define(task, "DELETED", 5, 5)?, NORMAL);
        issue(task, command::DELETE_COUNTER, |call| {
            call.bytes(option::COUNTER, &e("DELETED"));
        })?;
        define(task, "CRASH", 1, i64::from(i32::MAX))
    });
    assert_eq!(defined.result(), Ok(NORMAL));
    let told = Flag::default();
    for _ in 0..TASKS {
        let told = told.clone();
        let _ = begin_with(region, &[], move |task| {
            let mut file = std::fs::File::options().create(true).append(true).open(task.region.data_directory.join("found")).unwrap();
            loop {
                let number = get(task, "CRASH")?.number(option::VALUE);
                // One write: a line is there whole or not at all.
                file.write_all(format!("{number}\n").as_bytes()).unwrap();
                told.raise();
            }
            #[allow(unreachable_code)]
            Ok(())
        });
    }
    until(|| told.count() >= NUMBERS);
    // SAFETY: a signal to this process itself.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
}

fn report(settings: &[&str]) {
    let Some(region) = region_with_counters(settings) else { return };
    let found = begin_with(region, &[], |task| {
        let limited = get(task, "LIMITED")?.code;
        let deleted = get(task, "DELETED")?.code;
        Ok((limited, deleted, get(task, "CRASH")?.number(option::VALUE)))
    });
    let (limited, deleted, next) = found.result().unwrap();
    assert_eq!((limited, deleted), ((SUPPRESSED, 101), (INVREQ, 201)));
    std::fs::write(region.data_directory.join("next"), next.to_string()).unwrap();
    region.shutdown(false);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_takes_the_next_number() {
    report(&[]);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_takes_the_next_number_after_a_cold_start() {
    report(&["START=COLD"]);
}

#[test]
fn no_number_is_given_twice_after_a_failure() {
    let directory = tempfile::tempdir().unwrap();
    super::restart::spawn_test("named_counters::child_takes_numbers_and_dies", directory.path(), 0);
    let text = std::fs::read_to_string(directory.path().join("found")).unwrap();
    let mut numbers: Vec<i64> = text.lines().map(|line| line.parse().unwrap()).collect();
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), count, "no number twice");
    let next = |child: &str| -> i64 {
        super::restart::spawn_test(child, directory.path(), 0);
        std::fs::read_to_string(directory.path().join("next")).unwrap().parse().unwrap()
    };
    let last = *numbers.last().unwrap();
    let first = next("named_counters::child_takes_the_next_number");
    // Each of the tasks may have been about to tell of one more.
    assert!((last + 1..=last + 5).contains(&first), "{first} after {last}");
    assert_eq!(next("named_counters::child_takes_the_next_number"), first + 1);
    assert_eq!(next("named_counters::child_takes_the_next_number_after_a_cold_start"), first + 2, "a pool outlives its regions");
}
