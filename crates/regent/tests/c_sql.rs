//! EXEC SQL in C programs under CICS, with a private database. Each program checks by itself what it gets and says what is wrong.

mod support;

use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, root};

const LONG: Duration = Duration::from_secs(30);

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    (Region::start(&root().join("crates/regent/tests/applications/c_sql"), data.path(), &[]), data)
}

/// Runs a transaction whose program ends with a line that counts its failures.
fn passes(region: &mut Region, terminal: &mut Terminal, transaction: &str, program: &str) {
    terminal.transaction(transaction);
    let last = format!("{program}: ");
    let ended = region.wait_for(|line| line.contains(&last) && line.contains(" checks, "), LONG);
    let output = region.output.join("\n");
    assert!(ended && output.contains(", 0 failures"), "{program}:\n{output}");
    assert!(!output.contains("FAILED"), "{output}");
}

/// Runs transactions and their programs in a region of their own.
fn all_pass(programs: &[(&str, &str)]) {
    let (mut region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for (transaction, program) in programs {
        passes(&mut region, &mut terminal, transaction, program);
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn host_variables_of_every_type_come_and_go() {
    all_pass(&[("CS01", "CSQLTYPE")]);
}

#[test]
fn cursors_rowsets_labels_and_units_of_work() {
    all_pass(&[("CS02", "CSQLCUR")]);
}

#[test]
fn dynamic_statements_have_descriptors() {
    all_pass(&[("CS03", "CSQLDYN"), ("CS04", "CSQLOWN")]);
}

#[test]
fn strings_of_every_kind_and_large_objects() {
    all_pass(&[("CS06", "CSQLWIDE")]);
}

#[test]
fn statements_of_every_kind() {
    all_pass(&[("CS07", "CSQLMORE")]);
}

/// A statement of an XPLINK program goes to L8 and comes back to X8 (table 4-3): the program is on X8 once at its start, and after each of five
/// statements; the sixth time on L8 is the end of the unit of work.
#[test]
fn statements_of_xplink_programs_go_to_l8_and_back() {
    let (mut region, data) = start();
    let mut terminal = Terminal::connect(region.port);
    passes(&mut region, &mut terminal, "CS08", "CSQLXPL");
    terminal.clear();
    terminal.transaction("STAT");
    terminal.expect("data/reports/DFH0STAT-");
    let directory = data.path().join("data/reports");
    let file = std::fs::read_dir(directory).expect("reports").flatten().next().expect("a report");
    let report = std::fs::read_to_string(file.path()).expect("the report");
    let times = report.split("TCB CPU and Dispatch Time").nth(1).expect("the section");
    let changes = |mode: &str| {
        let row = times.lines().find(|line| line.trim_start().starts_with(mode)).unwrap_or_else(|| panic!("{mode} in {times}"));
        row.split_whitespace().nth(1).expect("the change mode requests").to_string()
    };
    assert_eq!(["X8", "L8"].map(changes), ["6", "6"]);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn wild_pointers_are_program_checks_of_their_tasks() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for wild in ["O", "I", "S", "N", "T", "D"] {
        terminal.transaction(&format!("CS05 {wild}"));
        terminal.expect("DFHAC2206");
        let screen = terminal.text().join(" ");
        assert!(screen.contains("ASRA"), "{wild}: {screen}");
    }
    terminal.transaction("CS05 F");
    terminal.expect("FORGED REQUESTS ARE REFUSED");
    terminal.transaction("CS05 -");
    terminal.expect("CSQLTRAP CAME TO ITS END");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
