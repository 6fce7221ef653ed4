//! Failing programs: each gets its documented abend and its terminal the message, and the region and other tasks continue.

mod support;

use support::terminal::Terminal;
use support::{Region, root};

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let directory = root().join("crates/regent/tests/applications/abends");
    (Region::start(&directory, data.path(), &[]), data)
}

/// Transaction, program, and what the terminal must show.
const CASES: [(&str, &str, &str); 13] = [
    ("AB01", "BADDATA", "ASRA"),
    ("AB02", "BADPTR", "ASRA"),
    ("AB04", "DIVBIN", "ASRA"),
    ("AB05", "DIVDEC", "ASRA"),
    ("AB07", "FARRUN", "ASRA"),
    ("AB08", "LOOP", "AICA"),
    ("AB09", "LOOPPERF", "AICA"),
    ("AB10", "NOLINK", "AEI0"),
    ("AB12", "NULLPTR", "ASRA"),
    ("AB14", "USERAB", "MINE"),
    ("AB15", "NOCALL", "AEI0"),
    ("AB16", "FILEIO", "4038"),
    ("AB01", "BADDATA", "ASRA"),
];

#[test]
fn each_failure_abends_its_task_and_nothing_else() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    let mut witness = Terminal::connect(region.port);
    for (transaction, program, code) in CASES {
        terminal.transaction(transaction);
        terminal.expect("DFHAC2206");
        let screen = terminal.text().join(" ");
        assert!(screen.contains(code) && screen.contains(transaction), "{program} is to abend {code}:\n{screen}");
        assert!(!screen.contains("CAME TO ITS END"), "{screen}");
        witness.transaction("AB11");
        witness.expect("PGMIDERR 0027");
    }
    drop((terminal, witness));
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_table_overrun_changes_the_field_behind_it() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("AB13");
    terminal.expect("OVERRUN LEFT OVER");
}

#[test]
fn endless_links_end_in_an_abend() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("AB06");
    terminal.expect("DFHAC2206");
    terminal.transaction("AB11");
    terminal.expect("PGMIDERR 0027");
}

#[test]
fn cics_key_storage_is_out_of_reach_where_the_processor_has_keys() {
    let (mut region, _data) = start();
    // What the system says of its processor: bit ospke, protection keys enabled.
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let keys = processors.lines().any(|line| line.starts_with("flags") && line.split_whitespace().any(|flag| flag == "ospke"));
    assert_eq!(region.output.iter().any(|line| line.contains("STGPROT=NO")), !keys, "the region says whether it is protected");
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("AB03");
    if keys {
        terminal.expect("DFHAC2206");
        assert!(terminal.text().join(" ").contains("ASRA"));
        assert!(region.wait_for(|line| line.contains("DFHSR0622") && line.contains("ECDSA"), std::time::Duration::from_secs(30)));
        terminal.transaction("AB11");
        terminal.expect("PGMIDERR 0027");
    } else {
        terminal.expect("CICSKEY CAME TO ITS END");
    }
}

/// What the log says of a CALL, which is no command, and of a file statement: the program, the line, and what failed.
#[test]
fn the_log_names_the_statement_of_a_failed_call_and_open() {
    let (mut region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for (transaction, told) in
        [("AB15", "CALL: program NOWHERE is not available, NOCALL line 8"), ("AB16", "OPEN of file ORDERS (DD ORDERS): file status 30")]
    {
        terminal.transaction(transaction);
        terminal.expect("DFHAC2206");
        let found = region.wait_for(|line| line.contains(told), std::time::Duration::from_secs(60));
        assert!(found, "{transaction}: {told}:\n{}", region.output.join("\n"));
    }
}
