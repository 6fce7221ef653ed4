//! Restart: the data a region finds after an orderly shutdown, after a failure, and at a cold start.
//!
//! Each region runs in a process of its own: this binary again, started with one of the `child` tests below.

use super::support::*;
use csd::Definition;
use exec::{command, option};
use kernel::storage::Line;
use region::{Raised, Region, ResourceManager, Task};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

const DIRECTORY: &str = "REGION_TEST_DIRECTORY";
const EXPECTED: &str = "REGION_TEST_EXPECTED";

fn spawn(child: &str, directory: &Path) -> std::process::Output {
    spawn_expecting(child, directory, 0)
}

fn spawn_expecting(child: &str, directory: &Path, expected: usize) -> std::process::Output {
    spawn_test(&format!("restart::{child}"), directory, expected)
}

/// Runs a test of this binary in a separate process.
pub fn spawn_test(child: &str, directory: &Path, expected: usize) -> std::process::Output {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", child, "--nocapture", "--include-ignored"])
        .env(DIRECTORY, directory)
        .env(EXPECTED, expected.to_string())
        .output()
        .unwrap();
    if !output.status.success() && !child.ends_with("dies") {
        panic!("{child}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    output
}

/// The number given to [`spawn_test`].
pub fn expected() -> usize {
    std::env::var(EXPECTED).unwrap().parse().unwrap()
}

pub fn directory() -> Option<PathBuf> {
    std::env::var_os(DIRECTORY).map(PathBuf::from)
}

pub fn region_with_queues(settings: &[&str]) -> Option<&'static Region> {
    let region = start_region(&directory()?, settings);
    let recoverable = Definition::new("TSMODEL", "RECMODEL", "TEST").with("PREFIX", "REC").with("RECOVERY", "YES");
    region.install(&recoverable.with("LOCATION", "AUXILIARY")).unwrap();
    for (queue, recovery) in [("TDNO", "NO"), ("TDPH", "PHYSICAL"), ("TDLO", "LOGICAL")] {
        region.install(&Definition::new("TDQUEUE", queue, "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", recovery)).unwrap();
    }
    Some(region)
}

const TD_QUEUES: [&str; 3] = ["TDNO", "TDPH", "TDLO"];
const TS_QUEUES: [&str; 2] = ["RECTS", "AUXTS"];

fn change_everything(task: &mut Task, text: &str) -> Result<(), Raised> {
    write(task, "VARFILE", text, "DATA")?;
    for queue in TD_QUEUES {
        issue(task, command::WRITEQ_TD, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &e(text));
        })?;
    }
    for queue in TS_QUEUES {
        issue(task, command::WRITEQ_TS, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &e(text));
        })?;
    }
    Ok(())
}

/// All data: file records, then the texts of each queue.
fn everything(region: &'static Region) -> Vec<String> {
    let found = begin_with(region, &[], |task| {
        let mut found = Vec::new();
        for key in ["DONE", "UNDONE"] {
            if read(task, "VARFILE", key, |_| {})?.code == NORMAL {
                found.push(format!("FILE {key}"));
            }
        }
        for queue in TD_QUEUES {
            loop {
                let reply = issue(task, command::READQ_TD, |call| {
                    call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0x40; 10]);
                })?;
                if reply.code != NORMAL {
                    break;
                }
                found.push(format!("{queue} {}", reply.text(option::INTO)));
            }
        }
        for queue in TS_QUEUES {
            for item in 1.. {
                let reply = issue(task, command::READQ_TS, |call| {
                    call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0x40; 10]).integer(option::ITEM, item);
                })?;
                if reply.code != NORMAL {
                    break;
                }
                found.push(format!("{queue} {}", reply.text(option::INTO)));
            }
        }
        rollback(task)?;
        Ok(found)
    });
    found.result().unwrap()
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_writes_and_stops() {
    let Some(region) = region_with_queues(&[]) else { return };
    begin_with(region, &[], |task| change_everything(task, "DONE")).result().unwrap();
    assert!(region.shutdown(false));
}

/// Commits one unit of work, leaves another open, and dies as by kill -9.
#[test]
#[ignore = "run by the tests of restart"]
fn child_writes_and_dies() {
    let Some(region) = region_with_queues(&[]) else { return };
    begin_with(region, &[], |task| change_everything(task, "DONE")).result().unwrap();
    let unfinished = begin_with(region, &[], |task| {
        change_everything(task, "UNDONE")?;
        // SAFETY: a signal to this process itself.
        unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
        Ok(())
    });
    let _ = unfinished.result();
}

fn report(settings: &[&str]) {
    let Some(region) = region_with_queues(settings) else { return };
    let found = everything(region).join("\n");
    std::fs::write(region.data_directory.join("found"), found).unwrap();
    region.shutdown(false);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_reports() {
    report(&[]);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_reports_after_a_cold_start() {
    report(&["START=COLD"]);
}

fn found(directory: &Path) -> Vec<String> {
    std::fs::read_to_string(directory.join("found")).unwrap().lines().map(str::to_string).collect()
}

#[test]
fn an_orderly_shutdown_keeps_all_but_main_storage() {
    let directory = tempfile::tempdir().unwrap();
    spawn("child_writes_and_stops", directory.path());
    spawn("child_reports", directory.path());
    assert_eq!(found(directory.path()), ["FILE DONE", "TDNO DONE", "TDPH DONE", "TDLO DONE", "RECTS DONE", "AUXTS DONE"]);
}

#[test]
fn a_failure_keeps_committed_recoverable_data() {
    let directory = tempfile::tempdir().unwrap();
    spawn("child_writes_and_dies", directory.path());
    spawn("child_reports", directory.path());
    // Physical recovery keeps what the unfinished unit of work wrote.
    assert_eq!(found(directory.path()), ["FILE DONE", "TDPH DONE", "TDPH UNDONE", "TDLO DONE", "RECTS DONE"]);
}

#[test]
fn a_cold_start_keeps_files_and_empties_queues() {
    let directory = tempfile::tempdir().unwrap();
    spawn("child_writes_and_stops", directory.path());
    spawn("child_reports_after_a_cold_start", directory.path());
    assert_eq!(found(directory.path()), ["FILE DONE"]);
}

fn region_with_starts(settings: &[&str]) -> Option<&'static Region> {
    let region = start_region(&directory()?, settings);
    for transid in ["PST1", "PST2"] {
        define_transaction(region, transid, |task| {
            let retrieved = issue(task, command::RETRIEVE, |call| {
                call.bytes(option::INTO, &[0x40; 20]);
            })?;
            let line = format!("{} {}\n", task.transid, retrieved.text(option::INTO));
            use std::io::Write;
            let mut file = std::fs::File::options().create(true).append(true).open(task.region.data_directory.join("found")).unwrap();
            file.write_all(line.as_bytes()).unwrap();
            Ok(())
        });
    }
    Some(region)
}

fn start(task: &mut Task, transid: &str, text: &str, seconds: i64, protect: bool) -> Result<(), Raised> {
    let reply = issue(task, command::START, |call| {
        call.bytes(option::TRANSID, &e(transid)).bytes(option::FROM, &e(text));
        call.flag(option::AFTER).integer(option::SECONDS, seconds);
        if protect {
            call.flag(option::PROTECT);
        }
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(())
}

fn start_three(region: &'static Region) {
    let committed = begin_with(region, &[], |task| {
        start(task, "PST1", "PROTECTED", 8, true)?;
        start(task, "PST2", "PLAIN", 8, false)
    });
    committed.result().unwrap();
    let backed_out = begin_with(region, &[], |task| {
        start(task, "PST1", "BACKED OUT", 8, true)?;
        rollback(task).map(|_| ())
    });
    backed_out.result().unwrap();
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_starts_and_stops() {
    let Some(region) = region_with_starts(&[]) else { return };
    start_three(region);
    region.shutdown(false);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_starts_and_dies() {
    let Some(region) = region_with_starts(&[]) else { return };
    start_three(region);
    // SAFETY: a signal to this process itself.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
}

/// Waits until as many STARTs as the test expects have run, and a little for more.
#[test]
#[ignore = "run by the tests of restart"]
fn child_waits_for_starts() {
    let Some(region) = region_with_starts(&[]) else { return };
    let expected = expected();
    until(|| started(&region.data_directory).len() >= expected);
    std::thread::sleep(std::time::Duration::from_millis(500));
    region.shutdown(false);
}

fn started(directory: &Path) -> Vec<String> {
    let mut lines: Vec<String> = std::fs::read_to_string(directory.join("found")).unwrap_or_default().lines().map(str::to_string).collect();
    lines.sort();
    lines
}

#[test]
fn starts_survive_a_shutdown_and_the_protected_ones_a_failure() {
    for (child, expected) in
        [("child_starts_and_stops", vec!["PST1 PROTECTED", "PST2 PLAIN"]), ("child_starts_and_dies", vec!["PST1 PROTECTED"])]
    {
        let directory = tempfile::tempdir().unwrap();
        spawn(child, directory.path());
        spawn_expecting("child_waits_for_starts", directory.path(), expected.len());
        assert_eq!(started(directory.path()), expected, "{child}");
        // Once is enough.
        spawn_expecting("child_waits_for_starts", directory.path(), expected.len());
        assert_eq!(started(directory.path()), expected, "{child}");
    }
}

/// Messages of main temporary storage.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl region::messages::Sink for Told {
    fn message(&self, message: &region::messages::Message) {
        if message.id.starts_with("DFHTS16") {
            let text = &message.text[message.text.find("Main").unwrap()..];
            self.0.lock().unwrap().push(format!("{} {text}", message.id));
        }
    }
}

/// A region with little main temporary storage.
#[test]
#[ignore = "run by the tests of restart"]
fn child_fills_main_storage() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["TSMAINLIMIT=1M"]);
    let told = Arc::new(Told::default());
    region.messages.add_sink(told.clone());
    let put = |task: &mut Task, queue: &str, length: i64| {
        issue(task, command::WRITEQ_TS, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &[0xC1; 32_763]).integer(option::LENGTH, length);
            call.flag(option::MAIN).flag(option::NOSUSPEND);
        })
        .map(|reply| reply.code)
    };
    let filled = begin_with(region, &[], move |task| {
        // A megabyte is 32 items of 32,763 bytes and 160 bytes.
        for _ in 0..32 {
            assert_eq!(put(task, "FILL1", 32_763)?, NORMAL);
        }
        let nospace = (exec::condition::NOSPACE.0, 0);
        assert_eq!(put(task, "FILL1", 161)?, nospace);
        assert_eq!(put(task, "FILL1", 160)?, NORMAL);
        assert_eq!(put(task, "FILL2", 1)?, nospace);
        issue(task, command::DELETEQ_TS, |call| {
            call.bytes(option::QUEUE, &e("FILL1"));
        })?;
        assert_eq!(put(task, "FILL2", 32_763)?, NORMAL);
        Ok(())
    });
    filled.result().unwrap();
    let reached = |percent: u32| format!("DFHTS1601 Main temporary storage usage has reached {percent}% of TSMAINLIMIT storage");
    let mut expected = [75, 80, 85, 90, 95].map(reached).to_vec();
    expected.push("DFHTS1602 Main temporary storage has attempted to exceed the TSMAINLIMIT".to_string());
    assert_eq!(*told.0.lock().unwrap(), expected);
    limits_are_set(region);
    storage_above_the_bar_runs_out(region);
    region.shutdown(false);
}

/// TSMAIN is in the GCDSA: with no limit of its own in the way, items use it up, and the region is short of 64-bit storage until some go.
fn storage_above_the_bar_runs_out(region: &'static Region) {
    let before = region.storage.limit(Line::Above);
    let written = begin_with(region, &[], |task| {
        issue(task, command::SET_TEMPSTORAGE, |call| {
            call.integer(option::TSMAINLIMIT, 1 << 30);
        })?;
        task.region.storage.set_limit(Line::Above, 64 << 20);
        let write = |task: &mut Task| {
            issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option::QUEUE, &e("FILL3")).bytes(option::FROM, &[0xC1; 32_763]).flag(option::MAIN).flag(option::NOSUSPEND);
            })
            .map(|reply| reply.code)
        };
        let items = (0..4000).find_map(|items| match write(task) {
            Ok(NORMAL) => None,
            other => Some((items, other.unwrap())),
        });
        let short = task.region.storage.is_short(Line::Above);
        issue(task, command::DELETEQ_TS, |call| {
            call.bytes(option::QUEUE, &e("FILL3"));
        })?;
        Ok((items, short, write(task)?))
    });
    let (items, short, after) = written.result().unwrap();
    let (items, code) = items.expect("storage is used up");
    assert!((500..=2048).contains(&items), "{items} items of 32 KB in 64 MB");
    assert_eq!((code, short, after), ((exec::condition::NOSPACE.0, 0), true, NORMAL));
    region.storage.set_limit(Line::Above, before);
}

/// SET TEMPSTORAGE, with 32,763 bytes in use. MEMLIMIT is 10G.
fn limits_are_set(region: &'static Region) {
    const MEGABYTE: i64 = 1 << 20;
    const GIGABYTE: i64 = 1 << 30;
    let set = begin_with(region, &[], |task| {
        let invreq = |code| (exec::condition::INVREQ.0, code);
        let mut found = Vec::new();
        for (limit, code, now) in [
            (MEGABYTE - 1, invreq(1), MEGABYTE),
            (-1, invreq(1), MEGABYTE),
            (32 * GIGABYTE + 1, invreq(1), MEGABYTE),
            (32 * GIGABYTE, invreq(2), MEGABYTE),
            (2 * GIGABYTE + 512 * MEGABYTE + MEGABYTE, invreq(2), MEGABYTE),
            (2 * GIGABYTE + 512 * MEGABYTE, NORMAL, 2 * GIGABYTE + 512 * MEGABYTE),
            (5 * MEGABYTE - 1, NORMAL, 4 * MEGABYTE),
            (MEGABYTE, NORMAL, MEGABYTE),
        ] {
            let reply = issue(task, command::SET_TEMPSTORAGE, |call| {
                call.integer(option::TSMAINLIMIT, limit);
            })?;
            assert_eq!(reply.code, code, "{limit}");
            let reply = issue(task, command::INQUIRE_TEMPSTORAGE, |call| {
                call.integer(option::TSMAINLIMIT, 0).integer(option::TSMAININUSE, 0);
            })?;
            assert_eq!((reply.number(option::TSMAININUSE), reply.number(option::TSMAINLIMIT)), (32_763, now), "{limit}");
            found.push(reply.number(option::TSMAINLIMIT));
        }
        Ok(found.len())
    });
    assert_eq!(set.result(), Ok(8));
}

#[test]
fn main_storage_has_a_limit() {
    let directory = tempfile::tempdir().unwrap();
    spawn("child_fills_main_storage", directory.path());
}

/// The region fails before its last agent has answered.
fn die() {
    // SAFETY: a signal to this process itself.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
}

/// Records, and the transaction that leaves each in doubt.
const IN_DOUBT: [(&str, [(&str, &str); 2]); 3] = [
    ("WAITS", [("WAIT", "YES"), ("ACTION", "COMMIT")]),
    ("COMMITS", [("WAIT", "NO"), ("ACTION", "COMMIT")]),
    ("BACKSOUT", [("WAIT", "NO"), ("ACTION", "BACKOUT")]),
];

#[test]
#[ignore = "run by the tests of restart"]
fn child_prepares_and_dies() {
    let Some(region) = region_with_queues(&[]) else { return };
    let (key, attributes) = IN_DOUBT[expected()];
    let doubtful = begin_with(region, &attributes, move |task| {
        write(task, "VARFILE", key, "DATA")?;
        let manager: std::sync::Arc<dyn ResourceManager> = super::managers::Manager::lost_after("DEADLY", die);
        task.enlist(&manager)?;
        syncpoint(task).map(|_| ())
    });
    let _ = doubtful.result();
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_reports_units_in_doubt() {
    let Some(region) = region_with_queues(&[]) else { return };
    // Nobody has to ask for it.
    until(|| region.recovery().owners().len() == 1);
    let found = begin_with(region, &[], |task| {
        let mut found = Vec::new();
        for (key, _) in IN_DOUBT {
            found.push(format!("{key} {}", read(task, "VARFILE", key, |_| {})?.code == NORMAL));
        }
        // Still in doubt: locked, and kept for whoever opens its data set.
        let locked = write(task, "VARFILE", "WAITS", "OTHER")?.code;
        found.push(format!("{}", locked == (exec::condition::LOCKED.0, 106)));
        Ok(found)
    });
    std::fs::write(region.data_directory.join("found"), found.result().unwrap().join("\n")).unwrap();
    region.shutdown(false);
}

#[test]
fn an_in_doubt_unit_waits_according_to_its_transaction() {
    let directory = tempfile::tempdir().unwrap();
    for number in 0..IN_DOUBT.len() {
        spawn_expecting("child_prepares_and_dies", directory.path(), number);
    }
    for _ in 0..2 {
        spawn("child_reports_units_in_doubt", directory.path());
        assert_eq!(found(directory.path()), ["WAITS false", "COMMITS true", "BACKSOUT false", "true"]);
    }
}

/// A queue for a connection, and one without a facility, at their trigger levels before a restart.
fn region_with_triggers() -> Option<&'static Region> {
    let region = start_region(&directory()?, &[]);
    for (queue, facility) in [("TGSY", "SYSTEM"), ("TGFI", "FILE")] {
        let definition = Definition::new("TDQUEUE", queue, "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", "PHYSICAL");
        region.install(&definition.with("ATIFACILITY", facility).with("TRANSID", "TGNO").with("TRIGGERLEVEL", "1")).unwrap();
    }
    Some(region)
}

fn triggers_told(region: &Region, queue: &str) -> usize {
    let log = std::fs::read_to_string(region.data_directory.join("queues/msgusr.log")).unwrap();
    log.lines().filter(|line| line.contains("DFHTD0340") && line.contains(&format!("queue {queue} "))).count()
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_fills_queues_to_their_trigger_levels() {
    let Some(region) = region_with_triggers() else { return };
    begin_with(region, &[], |task| {
        for queue in ["TGSY", "TGFI"] {
            issue(task, command::WRITEQ_TD, |call| {
                call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, b"X");
            })?;
        }
        Ok(())
    })
    .result()
    .unwrap();
    assert_eq!((triggers_told(region, "TGSY"), triggers_told(region, "TGFI")), (1, 1));
    region.shutdown(false);
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_finds_queues_at_their_trigger_levels() {
    let Some(region) = region_with_triggers() else { return };
    assert_eq!((triggers_told(region, "TGSY"), triggers_told(region, "TGFI")), (2, 1));
    region.shutdown(false);
}

/// After a restart a task for a terminal or a connection is requested again; for other queues the next WRITEQ checks the trigger level.
/// Neither the transaction nor the connection exists, so each check leaves a message.
#[test]
fn trigger_levels_are_looked_at_after_a_restart() {
    let scratch = tempfile::tempdir().unwrap();
    spawn("child_fills_queues_to_their_trigger_levels", scratch.path());
    spawn("child_finds_queues_at_their_trigger_levels", scratch.path());
}

#[test]
fn the_keypoint_frequency_is_zero_or_from_50_to_65535() {
    run(|task| {
        let set = |task: &mut Task, value| {
            issue(task, command::SET_SYSTEM, |call| {
                call.integer(option::AKP, value);
            })
            .map(|reply| reply.code)
        };
        for (value, code) in [
            (49, (exec::condition::INVREQ.0, 1)),
            (50, NORMAL),
            (65_536, (exec::condition::INVREQ.0, 1)),
            (0, NORMAL),
            (65_535, NORMAL),
            (4000, NORMAL),
        ] {
            assert_eq!(set(task, value)?, code, "AKP {value}");
            let shown = issue(task, command::INQUIRE_SYSTEM, |call| {
                call.integer(option::AKP, 0);
            })?
            .number(option::AKP);
            assert_eq!(shown == value, code == NORMAL, "AKP {value}, shown {shown}");
        }
        Ok(())
    });
}

#[test]
#[ignore = "run by the tests of restart"]
fn child_reports_after_starts_are_cold() {
    let Some(region) = region_with_starts(&["ICP=COLD"]) else { return };
    let counted = region.registry.domains().iter().filter_map(|domain| domain.statistics).flat_map(|statistics| statistics(region));
    let requests = counted.into_iter().find(|of| of.resource == "INTERVAL CONTROL").unwrap();
    let pending = requests.counters.iter().find(|(name, _)| *name == "pending").unwrap();
    assert_eq!(pending.1, 0, "what does not wait for its time does not start: {:?}", requests.counters);
    region.shutdown(false);
}

#[test]
fn interval_control_started_cold_has_no_starts() {
    let directory = tempfile::tempdir().unwrap();
    spawn("child_starts_and_stops", directory.path());
    spawn("child_reports_after_starts_are_cold", directory.path());
    assert!(started(directory.path()).is_empty());
}
