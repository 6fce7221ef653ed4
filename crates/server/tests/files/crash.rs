//! Kill -9 under load: at whatever moment, money is neither created nor lost, and files and queues agree.
//!
//! A child process moves money between accounts from several tasks at once. Each transfer rewrites two records, writes a journal record, a
//! recoverable temporary storage item and a logically recoverable transient data record, and tells the parent after its syncpoint. The
//! parent kills the child at a random moment, and a second child reports the recovered data.

use super::support::*;
use csd::Definition;
use exec::{command, option};
use region::{Raised, Region, Task};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const DIRECTORY: &str = "REGION_CRASH_DIRECTORY";
const ACCOUNTS: u32 = 10;
const OPENING_BALANCE: i64 = 1_000;
const TASKS: u32 = 8;
const ROUNDS: u64 = 5;

fn region() -> Option<&'static Region> {
    let directory = std::env::var_os(DIRECTORY).map(PathBuf::from)?;
    let region = start_region(&directory, &[]);
    let model = Definition::new("TSMODEL", "RECMODEL", "TEST").with("PREFIX", "REC").with("RECOVERY", "YES");
    region.install(&model.with("LOCATION", "AUXILIARY")).unwrap();
    region.install(&Definition::new("TDQUEUE", "CRSH", "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", "LOGICAL")).unwrap();
    Some(region)
}

fn account(number: u32) -> String {
    format!("ACC{number:05}")
}

fn balance_of(reply: &Reply) -> i64 {
    t(&reply.call.result_bytes(option::INTO)[8..18]).trim().parse().unwrap()
}

fn open_accounts(task: &mut Task) -> Result<(), Raised> {
    for number in 0..ACCOUNTS {
        write(task, "VARFILE", &account(number), &format!("{OPENING_BALANCE:010}"))?;
    }
    syncpoint(task).map(|_| ())
}

/// A random number generator that is reproducible from its seed.
fn next_random(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as u32
}

/// Changes a balance; the record is held by token so that two can be held at once.
fn change(task: &mut Task, number: u32, amount: i64) -> Result<(), Raised> {
    let reply = read(task, "VARFILE", &account(number), |call| {
        call.flag(option::UPDATE).bytes(option::TOKEN, &[0; 4]);
    })?;
    let record = record(&account(number), &format!("{:010}", balance_of(&reply) + amount));
    let token = reply.call.result_bytes(option::TOKEN);
    let rewritten = on_file(task, command::REWRITE, "VARFILE", |call| {
        call.bytes(option::FROM, &record).bytes(option::TOKEN, &token);
    })?;
    assert_eq!(rewritten.code, NORMAL);
    Ok(())
}

fn transfer(task: &mut Task, worker: u32, sequence: u32, random: &mut u64) -> Result<(), Raised> {
    let (from, to) = (next_random(random) % ACCOUNTS, next_random(random) % ACCOUNTS);
    // Always in the same order, as careful programs do.
    let (low, high) = (from.min(to), from.max(to));
    let amount = i64::from(next_random(random) % 50) * if from < to { 1 } else { -1 };
    let id = format!("J{worker}{sequence:06}");
    change(task, low, -amount)?;
    change(task, high, amount)?;
    assert_eq!(write(task, "STAFILE", &id, "TRANSFER")?.code, NORMAL);
    issue(task, command::WRITEQ_TS, |call| {
        call.bytes(option::QUEUE, &e(&format!("RECCR{worker}"))).bytes(option::FROM, &e(&id));
    })?;
    issue(task, command::WRITEQ_TD, |call| {
        call.bytes(option::QUEUE, &e("CRSH")).bytes(option::FROM, &e(&id));
    })?;
    if next_random(random).is_multiple_of(8) {
        return rollback(task).map(|_| ());
    }
    assert_eq!(syncpoint(task)?.code, NORMAL);
    let mut output = std::io::stdout().lock();
    let _ = writeln!(output, "\ndone {id}").and_then(|()| output.flush());
    Ok(())
}

#[test]
#[ignore = "run by the test of crashes"]
fn child_transfers_until_killed() {
    let Some(region) = region() else { return };
    begin_with(region, &[], open_accounts).result().unwrap();
    println!("\nready");
    let tasks: Vec<_> = (0..TASKS)
        .map(|worker| {
            begin_with(region, &[], move |task| {
                let mut random = u64::from(worker) + 1;
                for sequence in 0..50_000 {
                    transfer(task, worker, sequence, &mut random)?;
                }
                Ok(())
            })
        })
        .collect();
    for task in tasks {
        let _ = task.result();
    }
}

#[test]
#[ignore = "run by the test of crashes"]
fn child_reports() {
    let Some(region) = region() else { return };
    let report = begin_with(region, &[], |task| {
        let mut lines = Vec::new();
        for number in 0..ACCOUNTS {
            let reply = read(task, "VARFILE", &account(number), |_| {})?;
            assert_eq!(reply.code, NORMAL);
            lines.push(format!("balance {}", balance_of(&reply)));
        }
        let area = task.level_storage(&e("J       "))?;
        let ridfld = |call: &mut region::exec_interface::Call| {
            call.area(option::RIDFLD, area, 8);
        };
        if on_file(task, command::STARTBR, "STAFILE", ridfld)?.code == NORMAL {
            loop {
                let reply = on_file(task, command::READNEXT, "STAFILE", |call| {
                    call.area(option::RIDFLD, area, 8).bytes(option::INTO, &[0; 100]);
                })?;
                if reply.code != NORMAL {
                    break;
                }
                lines.push(format!("journal {}", t(&reply.call.result_bytes(option::INTO)[..8])));
            }
        }
        for worker in 0..TASKS {
            loop {
                let reply = issue(task, command::READQ_TS, |call| {
                    call.bytes(option::QUEUE, &e(&format!("RECCR{worker}"))).bytes(option::INTO, &[0x40; 8]);
                })?;
                if reply.code != NORMAL {
                    break;
                }
                lines.push(format!("ts {}", reply.text(option::INTO)));
            }
        }
        loop {
            let reply = issue(task, command::READQ_TD, |call| {
                call.bytes(option::QUEUE, &e("CRSH")).bytes(option::INTO, &[0x40; 8]);
            })?;
            if reply.code != NORMAL {
                break;
            }
            lines.push(format!("td {}", reply.text(option::INTO)));
        }
        Ok(lines)
    });
    std::fs::write(region.data_directory.join("found"), report.result().unwrap().join("\n")).unwrap();
    region.shutdown(false);
}

fn child(name: &str, directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("crash::{name}"), "--nocapture", "--include-ignored"]).env(DIRECTORY, directory);
    command
}

/// Runs transfers and kills them a moment after they have begun; the transfers that were answered as done.
fn transfers_until(directory: &Path, moment: Duration) -> BTreeSet<String> {
    let mut process = child("child_transfers_until_killed", directory).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let output = BufReader::new(process.stdout.take().unwrap());
    let (ready, is_ready) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut done = BTreeSet::new();
        for line in output.lines().map_while(Result::ok) {
            if line == "ready" {
                let _ = ready.send(());
            }
            done.extend(line.strip_prefix("done ").map(str::to_string));
        }
        done
    });
    is_ready.recv_timeout(Duration::from_secs(60)).expect("the child begins");
    std::thread::sleep(moment);
    process.kill().unwrap();
    process.wait().unwrap();
    let mut done = reader.join().unwrap();
    // The last line may have been cut.
    done.retain(|id| id.len() == 8);
    done
}

#[test]
fn files_and_queues_agree_after_kill_at_any_moment() {
    let mut answered = 0;
    for round in 0..ROUNDS {
        let directory = tempfile::tempdir().unwrap();
        let done = transfers_until(directory.path(), Duration::from_millis(100 + 137 * round));
        answered += done.len();
        let report = child("child_reports", directory.path()).output().unwrap();
        assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
        let found = std::fs::read_to_string(directory.path().join("found")).unwrap();
        let of = |kind: &str| found.lines().filter_map(|line| line.strip_prefix(kind)).map(str::to_string).collect::<Vec<String>>();
        let total: i64 = of("balance ").iter().map(|balance| balance.parse::<i64>().unwrap()).sum();
        assert_eq!(total, i64::from(ACCOUNTS) * OPENING_BALANCE, "round {round}");
        let set = |kind: &str| of(kind).into_iter().collect::<BTreeSet<String>>();
        let journal = set("journal ");
        assert_eq!((set("ts "), set("td ")), (journal.clone(), journal.clone()), "round {round}");
        assert_eq!(of("td ").len(), journal.len(), "no record twice");
        let lost: Vec<&String> = done.difference(&journal).collect();
        assert!(lost.is_empty(), "round {round}: answered and lost {lost:?}");
    }
    assert!(answered > 0, "the children got to work");
}
