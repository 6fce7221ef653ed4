//! Overload: requests that create more requests, and output that its reader cannot keep up with.

mod support;

use std::path::PathBuf;
use std::time::{Duration, Instant};
use support::Region;
use support::terminal::Terminal;

/// What a region with EDSALIM=64M may take in all; the queues of an unbounded one pass it within seconds.
const RESIDENT_MAX_KB: u64 = 700_000;
/// Of profile TIMED.
const RTIMOUT: Duration = Duration::from_secs(3);

fn application() -> PathBuf {
    support::root().join("crates/regent/tests/applications/overload")
}

fn resident_kb(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_transaction_that_starts_itself_twice_is_bounded_and_can_be_stopped() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &["--sit", "EDSALIM=64M", "--sit", "MXT=20"]);
    let mut operator = Terminal::connect(region.port);
    operator.transaction("CEMT I TASK");
    operator.expect("CEMT");
    let mut starter = Terminal::connect(region.port);
    starter.start_and_leave("BOMB");
    // The region goes short on storage, and its tasks wait.
    assert!(region.wait_for(|line| line.contains("DFHSM0133"), Duration::from_secs(60)), "{:#?}", region.output.last());
    let until = Instant::now() + Duration::from_secs(8);
    while Instant::now() < until {
        let resident_kb = resident_kb(region.id());
        assert!(resident_kb < RESIDENT_MAX_KB, "{resident_kb} kB");
        std::thread::sleep(Duration::from_millis(100));
    }
    // The operator goes on, and a waiting task can be purged.
    operator.fill(1, 2, "S TASK ALL PURGE");
    operator.leave("Enter");
    assert!(region.wait_for(|line| line.contains("BOMB") && line.contains("AEXY"), Duration::from_secs(60)));
    region.terminate();
    std::thread::sleep(Duration::from_millis(500));
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
}

#[test]
fn a_task_waits_for_a_terminal_that_reads_more_slowly_than_it_sends() {
    let data = tempfile::tempdir().unwrap();
    let region = Region::start(&application(), data.path(), &[]);
    let mut reader = Terminal::connect(region.port);
    reader.transaction("FLOO");
    reader.expect_within("FLOOD SENT   8000", Duration::from_secs(120));
}

#[test]
fn a_purge_ends_the_wait_for_a_terminal_that_reads_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &[]);
    let mut reader = Terminal::connect(region.port);
    reader.clear();
    reader.type_text("FLOO");
    reader.pause_after("Enter");
    let mut operator = Terminal::connect(region.port);
    // The queue of the terminal fills, and the task waits for it as for input.
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        operator.transaction("CEMT I TASK TRA(FLOO)");
        operator.expect("RESPONSE");
        if operator.text().iter().any(|line| line.contains("Tra(FLOO)") && line.contains("Sus")) {
            break;
        }
        assert!(Instant::now() < until, "{}", operator.text().join("\n"));
        operator.pf(3);
    }
    let purged = |line: &str| line.contains("FLOO") && line.contains("AEXY");
    operator.fill(1, 2, "S TASK ALL PURGE");
    operator.leave("Enter");
    assert!(region.wait_for(purged, Duration::from_secs(60)), "{:#?}", region.output);
    reader.resume();
}

/// PROFILE, RTIMOUT: "a task that uses this profile is abended AKCT" when it waits longer for its terminal.
#[test]
fn rtimout_ends_the_wait_for_a_terminal_that_reads_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &[]);
    let mut reader = Terminal::connect(region.port);
    reader.clear();
    reader.type_text("FLOT");
    let begun = Instant::now();
    reader.pause_after("Enter");
    let timed_out = |line: &str| line.contains("FLOT") && line.contains("AKCT");
    assert!(region.wait_for(timed_out, Duration::from_secs(60)), "{:#?}", region.output);
    assert!(begun.elapsed() >= RTIMOUT, "the task waited for {:?} only", begun.elapsed());
    reader.resume();
    // The terminal is free for the next task, as soon as the dump of this one is written.
    let mut other = Terminal::connect(region.port);
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        other.transaction("CEMT I TASK TRA(FLOT)");
        other.expect("RESPONSE");
        if other.text().iter().any(|line| line.contains("NOT FOUND")) {
            break;
        }
        assert!(Instant::now() < until, "{}", other.text().join("\n"));
        other.pf(3);
    }
}
