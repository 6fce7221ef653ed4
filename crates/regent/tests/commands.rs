//! Every command group, command by command: the normal path and each condition its documentation gives, as a program sees them.
//!
//! A transaction of `applications/commands` issues the commands, compares RESP, RESP2, the EXEC interface block and the data with the
//! documented values, and says how many checks it made and which of them failed.

mod support;

use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, root};

/// Transaction and the number of its checks: one that ends early has made fewer.
const GROUPS: [(&str, u32); 28] = [
    ("CMFO", 73),
    ("CMFC", 102),
    ("CMPT", 140),
    ("CMFA", 13),
    ("CMBR", 74),
    ("CMTS", 38),
    ("CMSQ", 38),
    ("CMSH", 34),
    ("CMNC", 141),
    ("CMPC", 51),
    ("CMCO", 32),
    ("CMHC", 22),
    ("CMIC", 55),
    ("CMSY", 48),
    ("CMAX", 20),
    ("CMSW", 49),
    ("CMWT", 66),
    ("CMIQ", 58),
    ("CMLI", 59),
    ("CMAS", 226),
    ("CMTA", 21),
    ("CMRM", 16),
    ("CMAG", 8),
    ("CMNQ", 26),
    ("CMUT", 28),
    ("CMSP", 68),
    ("CMST", 85),
    ("CMIS", 21),
];

const LIMIT: Duration = Duration::from_secs(60);

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    (Region::start(&root().join("crates/regent/tests/applications/commands"), data.path(), &[]), data)
}

#[test]
fn each_command_answers_as_documented() {
    let (region, data) = start();
    let mut terminal = Terminal::connect(region.port);
    let mut faults = Vec::new();
    terminal.transaction("CMFR");
    terminal.expect("DFHAC2261");
    for (transaction, checks) in GROUPS {
        terminal.transaction(transaction);
        terminal.expect(" CHECKS, ");
        let expected = format!("{transaction}: {checks:04} CHECKS, 0000 FAULTS");
        let screen = terminal.text();
        if !screen.iter().any(|line| line.contains(&expected)) {
            faults.push(format!("{expected} expected\n{}", screen.join("\n").trim_end()));
        }
    }
    assert!(faults.is_empty(), "{}\n{}", faults.join("\n\n"), region.output.join("\n"));
    terminal.transaction("STAT");
    terminal.expect("Statistics report DFH0STAT-");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    statistics_are_written(data.path());
}

/// What transaction CMST made the region write, and the end of the region: the reason and name of records and the reads of files.
fn statistics_are_written(data: &std::path::Path) {
    let text = std::fs::read_to_string(data.join("data/statistics/DFHSTATS")).expect("the statistics file");
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let reads = |reason: &str, name: &str| {
        let of = |line: &&serde_json::Value| line["reason"] == reason && line["record"] == "DFHA17DS" && line["name"] == name;
        lines.iter().filter(of).filter_map(|line| line["fields"]["A17DSRD"].as_u64()).collect::<Vec<_>>()
    };
    // CMST: VARIES was read once and closed; the reset before recorded what all transactions had done.
    assert_eq!(reads("USS", "VARIES").last(), Some(&1));
    assert_eq!(reads("RRT", "FIXED").len(), 1);
    assert!(reads("RRT", "FIXED")[0] > 0);
    assert_eq!(reads("EOD", "FIXED").len(), 1);
    assert!(lines.iter().any(|line| line["reason"] == "REQ" && line["record"] == "DFHTSGDS" && line["stid"] == 48));
}

/// ISSUE DISCONNECT ends the session with its task, PERFORM SHUTDOWN IMMEDIATE the region.
#[test]
fn a_program_ends_its_session_and_the_region() {
    let (mut region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.start_and_leave("CMDI");
    assert!(region.wait_for(|line| line.contains("DFHZC3462"), LIMIT), "{}", region.output.join("\n"));
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMDS");
    // NONVAL of ISSUE LOAD, and EIBFN of ISSUE DISCONNECT.
    terminal.expect("ANSWERED 0009 0000 RIGHT");
    terminal.clear();
    terminal.start_and_leave("CMDX");
    assert_eq!(region.wait_for_end(), Some(0), "{}", region.output.join("\n"));
}

#[test]
fn terminal_commands_answer_as_documented() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMTM HELLO");
    terminal.expect("TYPE A WORD:");
    // The cursor is at the first position and the screen has no fields: all twelve characters are read.
    terminal.type_text("WORDLONG");
    terminal.enter();
    terminal.expect("COMMAND CHECK");
    terminal.fill(3, 11, "REGENT");
    terminal.fill(4, 11, "42");
    terminal.pf(5);
    terminal.expect("AGAIN");
    assert_eq!(terminal.cursor(), (4, 11), "CURSOR with a length of -1 puts it into that field");
    terminal.clear();
    terminal.expect("COMMAND CHECK");
    terminal.fill(3, 11, "PF");
    terminal.pf(3);
    terminal.expect("CMTM: 0017 CHECKS, 0000 FAULTS");
    // Data of a program in place of terminal input, for the next task and for the program that takes over.
    terminal.transaction("CMLX");
    terminal.expect("RECEIVED FROM RETURN KEPT 0011");
    terminal.transaction("CMLY");
    terminal.expect("RECEIVED FROM XCTL   KEPT 0009");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Starts a conversation and answers its empty screen with a word.
fn converse(terminal: &mut Terminal, transaction: &str, word: &str) {
    terminal.transaction(transaction);
    terminal.type_text(word);
    terminal.enter();
}

/// The default restart program restarts a task of a RESTART(YES) transaction that lost a deadlock, up to twenty times, if it has read nothing
/// more, written nothing to its terminal and taken no syncpoint.
#[test]
fn a_task_that_lost_a_deadlock_is_restarted() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for (word, runs) in [("ONCE", "02"), ("RLS", "02")] {
        converse(&mut terminal, "CMRS", word);
        terminal.expect(&format!("RUNS {runs} {word:8} KEPT     AGAIN TD"));
    }
    for (transaction, word, code, runs) in [
        ("CMRS", "MANY", "AFCF", "21"),
        ("CMRS", "OTHER", "AFCY", "01"),
        ("CMRS", "SENT", "AFCF", "01"),
        ("CMRS", "SYNC", "AFCF", "01"),
        ("CMRN", "ONCE", "AFCF", "01"),
    ] {
        converse(&mut terminal, transaction, word);
        terminal.expect("DFHAC2206");
        terminal.expect(code);
        terminal.transaction("CMRQ");
        terminal.expect(&format!("RUNS {runs} {word}"));
    }
    // Started tasks: data retrieved and gone; data not retrieved yet; no data.
    for (start, runs, first) in [("S1", "01", "DATA"), ("S2", "02", "KEEP"), ("S3", "02", "NODATA")] {
        terminal.transaction(&format!("CMRQ {start}"));
        terminal.expect(&format!("RUNS {runs} {first}"));
    }
    converse(&mut terminal, "CMDD", "GO");
    terminal.expect("RESTARTED AFTER THE DEADLOCK");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// STARTs and triggers for a terminal wait until it is free; one task takes the data of all STARTs of its transaction that have expired.
#[test]
fn starts_for_a_terminal_wait_for_it() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMA1");
    terminal.expect("ATI SD R001 R002 R003");
    terminal.expect("CHECKS 0009 FAULTS 0000");
    terminal.expect("NEXT  S  0029");
    terminal.transaction("CMRW");
    terminal.expect("WAITED ONE  TWO");
    terminal.transaction("CMA4");
    terminal.expect("NEXT  QD 0023 CMDG 0003");
    let mut other = Terminal::connect(region.port);
    other.transaction("CMA1 WHO");
    other.expect("TERMINAL ");
    let name = other.row(1).trim_start().trim_start_matches("TERMINAL ").to_string();
    terminal.transaction(&format!("CMA1 {name}"));
    terminal.expect("STARTED.");
    // The other terminal is free: its task came at once, with the data that had expired then, and the later START brings another.
    other.expect("ATI SD R003");
    drop((terminal, other));
    assert_eq!(region.stop(), 0);
}
