//! Kill -9 under load: a child process moves money between records from many threads, with a journal in the same unit of work; the parent
//! kills it at a random moment (or lets it die at a fault point within the log or the pages), opens the data and checks that no
//! acknowledged transfer is lost and none is applied in part.
//!
//! The child is this test program itself; `CRASH_CHILD` tells it to run the load.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use vsam::catalog::{Attributes, Organization};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

const ACCOUNTS: u64 = 40;
const OPENING_BALANCE: i64 = 1000;
const THREADS: u64 = 12;
const JOURNAL_BYTES: usize = 1500;
const RECOVERABLE: OpenOptions = OpenOptions { recoverable: Some(true), reset: false };

fn config() -> StoreConfig {
    let apply_interval = Duration::from_millis(20);
    StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 34, apply_interval, ..StoreConfig::default() }
}

fn open(directory: &Path) -> Arc<DataSets> {
    DataSets::new(Store::open(directory, config()).unwrap()).unwrap()
}

fn random(state: &mut u64, below: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) % below
}

fn account_key(number: u64) -> Vec<u8> {
    format!("{number:08}").into_bytes()
}

/// Journal record: key (thread, sequence), the accounts and the amount, filler. The account debited is an alternate key.
fn journal_record(thread: u64, sequence: u64, from: u64, to: u64, amount: i64) -> Vec<u8> {
    let mut record = format!("{thread:04}{sequence:012}{from:08}{to:08}{amount:08}").into_bytes();
    record.resize(JOURNAL_BYTES, b'.');
    record
}

fn number(record: &[u8], from: usize, length: usize) -> i64 {
    std::str::from_utf8(&record[from..from + length]).unwrap().trim().parse().unwrap()
}

fn create(directory: &Path) {
    let sets = open(directory);
    sets.define_cluster("ACCT", Organization::Ksds, Attributes::new(8, 0, 20, 20)).unwrap();
    sets.define_cluster("JRNL", Organization::Ksds, Attributes::new(16, 0, 1500, 1500)).unwrap();
    sets.define_index("JRNL.AIX", "JRNL", false, true, Attributes::new(8, 16, 20, 100)).unwrap();
    sets.define_path("JRNL.PATH", "JRNL.AIX", true).unwrap();
    let file = sets.open("ACCT", RECOVERABLE).unwrap();
    let waiter = ThreadWaiter::new();
    let unit = sets.store().begin();
    for number in 0..ACCOUNTS {
        let record = format!("{number:08}{OPENING_BALANCE:012}");
        file.write(&unit, None, record.as_bytes(), false, LockWait::forever(&waiter)).unwrap();
    }
    unit.commit(&waiter).unwrap();
    drop((file, unit));
    sets.store().close().unwrap();
}

fn transfer(sets: &Arc<DataSets>, state: &mut u64, thread: u64, sequence: u64) -> Result<(), FileError> {
    let accounts = sets.open("ACCT", RECOVERABLE)?;
    let journal = sets.open("JRNL", RECOVERABLE)?;
    let waiter = ThreadWaiter::new();
    let wait = LockWait::forever(&waiter);
    let unit = sets.store().begin();
    let from = random(state, ACCOUNTS);
    let to = (from + 1 + random(state, ACCOUNTS - 1)) % ACCOUNTS;
    let amount = 1 + random(state, 50) as i64;
    let mut record = Vec::new();
    for (account, change) in [(from, -amount), (to, amount)] {
        let key = account_key(account);
        let (_, token) = accounts.read_update(&unit, RecordId::Key(&key), Search::EQUAL, wait, &mut record)?;
        let balance = number(&record, 8, 12) + change;
        let new = format!("{account:08}{balance:012}");
        accounts.rewrite(&unit, token, new.as_bytes(), wait)?;
    }
    journal.write(&unit, None, &journal_record(thread, sequence, from, to, amount), false, wait)?;
    if random(state, 10) == 0 {
        unit.backout();
        return Ok(());
    }
    unit.commit(&waiter)?;
    let line = format!("{thread} {sequence}\n");
    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
    Ok(())
}

#[test]
fn child() {
    let Ok(directory) = std::env::var("CRASH_CHILD") else { return };
    fault::arm_from_environment();
    // A fault point may be in the restart itself: then the start is rightly refused.
    let Ok(store) = Store::open(Path::new(&directory), config()) else { return };
    let Ok(sets) = DataSets::new(store) else { return };
    let run = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as u64 % 1_000_000;
    println!("ready");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let sets = sets.clone();
            scope.spawn(move || {
                let mut state = run * 31 + thread * 7919 + 1;
                for count in 0.. {
                    // Sequences do not repeat over the runs.
                    let sequence = run * 1_000_000 + count;
                    match transfer(&sets, &mut state, thread, sequence) {
                        Ok(()) | Err(FileError::Deadlock(_) | FileError::DuplicateRecord) => {}
                        Err(FileError::Store(StoreError::Stopped(_))) => return,
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
}

/// Runs the child until killed or dead; returns what it acknowledged.
fn run_child(directory: &Path, life: Duration, faults: &str) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env("CRASH_CHILD", directory)
        .env("REGENT_FAULT", faults)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut errors = child.stderr.take().unwrap();
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).map(|_| text)
    });
    let mut line = String::new();
    while output.read_line(&mut line).unwrap() > 0 && !line.trim().ends_with("ready") {
        line.clear();
    }
    let reader = std::thread::spawn(move || output.lines().map_while(Result::ok).collect::<Vec<String>>());
    std::thread::sleep(life);
    child.kill().unwrap();
    child.wait().unwrap();
    let errors = errors.join().unwrap().unwrap();
    assert!(!errors.contains("panicked"), "{errors}");
    // A last line cut off by the kill was not acknowledged.
    let acknowledged = reader.join().unwrap();
    acknowledged.into_iter().filter(|line| line.split(' ').nth(1).is_some_and(|part| part.len() >= 7)).collect()
}

/// Checks balances, journal and index against each other; answers the journal's keys.
fn check(directory: &Path) -> BTreeSet<String> {
    let sets = open(directory);
    let unit = sets.store().begin();
    let mut expected = vec![OPENING_BALANCE; ACCOUNTS as usize];
    let mut keys = BTreeSet::new();
    let mut by_index = 0;
    let mut record = Vec::new();
    for (name, is_journal) in [("JRNL", true), ("JRNL.PATH", false)] {
        let file = sets.open(name, RECOVERABLE).unwrap();
        let Ok(mut browse) = file.start_browse(&unit, RecordId::Key(&[]), Search::generic(0, true)) else { continue };
        let mut id = Vec::new();
        loop {
            match browse.next(&unit, RecordId::Key(&id), &mut record) {
                Ok(found) => id = found.key,
                Err(FileError::EndOfFile) => break,
                Err(error) => panic!("{error}"),
            }
            if is_journal {
                let (from, to, amount) = (number(&record, 16, 8), number(&record, 24, 8), number(&record, 32, 8));
                expected[from as usize] -= amount;
                expected[to as usize] += amount;
                keys.insert(format!("{} {}", number(&record, 0, 4), number(&record, 4, 12)));
            } else {
                assert_eq!(record[16..24], id[..], "index entry leads to another record");
                by_index += 1;
            }
        }
    }
    assert_eq!(by_index, keys.len(), "index out of step");
    let accounts = sets.open("ACCT", RECOVERABLE).unwrap();
    for account in 0..ACCOUNTS {
        let key = account_key(account);
        accounts.read(&unit, RecordId::Key(&key), Search::EQUAL, &mut record).unwrap();
        assert_eq!(number(&record, 8, 12), expected[account as usize], "account {account}");
    }
    assert_eq!(expected.iter().sum::<i64>(), OPENING_BALANCE * ACCOUNTS as i64);
    drop(accounts);
    drop(unit);
    sets.store().abandon();
    keys
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_half() {
    if std::env::var("CRASH_CHILD").is_ok() {
        return;
    }
    let rounds: u64 = std::env::var("CRASH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let directory = tempfile::tempdir().unwrap();
    create(directory.path());
    let mut state = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    let mut acknowledged: BTreeSet<String> = BTreeSet::new();
    for round in 0..rounds {
        let points =
            ["log.write", "log.sync", "log.synced", "pages.commit", "pages.committed", "segment.sync", "segment.rename", "segment.renamed"];
        let point = points[random(&mut state, points.len() as u64) as usize];
        let nth = 1 + random(&mut state, 60);
        let faults = match (round % 3, point) {
            (0, _) => String::new(),
            (_, "log.write") => format!("{point}:{nth}:torn={}", random(&mut state, 5000)),
            (_, "pages.commit") if round % 2 == 0 => format!("{point}:{nth}:error"),
            (_, "segment.sync" | "segment.rename" | "segment.renamed") => format!("{point}:{}:kill", 1 + nth % 3),
            _ => format!("{point}:{nth}:kill"),
        };
        let life = Duration::from_millis(30 + random(&mut state, 400));
        acknowledged.extend(run_child(directory.path(), life, &faults));
        let present = check(directory.path());
        let lost: Vec<&String> = acknowledged.difference(&present).collect();
        assert!(lost.is_empty(), "round {round} ({faults}): lost {lost:?}");
        println!("round {round} {faults}: {} units of work, {} acknowledged", present.len(), acknowledged.len());
    }
    assert!(!acknowledged.is_empty());
}
