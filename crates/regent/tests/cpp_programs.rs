//! Programs written in C++: the CICS foundation classes, exceptions, EXEC CICS, and structures that COBOL shares.

mod support;

use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, root};

const LONG: Duration = Duration::from_secs(30);

fn start(arguments: &[&str]) -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    (Region::start(&root().join("crates/regent/tests/applications/cpp"), data.path(), arguments), data)
}

/// The lines of the screen that hold something.
fn lines(terminal: &mut Terminal) -> Vec<String> {
    terminal.text().iter().map(|line| line.trim_end().to_string()).filter(|line| !line.is_empty()).collect()
}

fn shows(terminal: &mut Terminal, transaction: &str, last: &str, expected: &[&str]) {
    terminal.transaction(transaction);
    terminal.expect(last);
    let screen = lines(terminal);
    for line in expected {
        assert!(screen.iter().any(|shown| shown == line), "{transaction} is to show {line:?}\n{}", screen.join("\n"));
    }
}

#[test]
fn buffers_grow_are_cut_and_lie_over_areas() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    shows(
        &mut terminal,
        "CP01",
        "THE AREA IS THE DATA",
        &[
            "IccBuf first              0  0 EI ()",
            "second(50)               50  0 EI ()",
            "third(30,fixed)          30  0 FI ()",
            "sixth(fifth)              6  6 EI (A text)",
            "first = text             13 13 EI (Some XXX data)",
            "assign                   50  9 EI (assigned!)",
            "cut(4,5)                 13  9 EI (Some data)",
            "insert(5,more,2)         11 11 EI (A more text)",
            "replace(4,MUCH,2)        11 11 EI (A MUCH text)",
            "<<                       50 18 EI (assigned!.ext5 2.5)",
            "EQUAL",
            "001 IccBuf::assign type=invalidArgument the data is longer than the data area, w",
            "cut by the assignment    30 30 FI (This text is too long for the )",
            "appended to the area     24  5 FE (Some!)",
        ],
    );
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_terminal_has_lines_colours_keys_and_input() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CP02");
    terminal.expect("TYPE AND PRESS PF5");
    assert_eq!(terminal.row(1).trim_end(), "First part of the line...");
    assert_eq!(terminal.row(2).trim_end(), "second line goes on");
    assert_eq!(terminal.at(5, 10, 15), "ROW 5 COLUMN 10");
    assert_eq!(terminal.at(5, 40, 26), "COLUMN 40 OF THE SAME LINE");
    assert_eq!(terminal.row(6).trim_end(), "RED PLAIN");
    assert_eq!(terminal.row(7).trim_end(), "NUMBERS -5 70000 x");
    assert!(terminal.row(12).starts_with("SIZE 24 80 DEFAULT 24 80 COLOR 1 EXTENDED 1 NAME "), "{}", terminal.row(12));
    // Character attributes: red and underscore, then those of the field.
    let red = terminal.buffer()[5][0].clone();
    let plain = terminal.buffer()[5][4].clone();
    assert_ne!(format!("{red:?}"), format!("{plain:?}"));
    assert_eq!(terminal.cursor(), (24, 1));
    terminal.type_text("Mixed");
    terminal.pf(5);
    terminal.expect("NOW PRESS PF12");
    assert!(terminal.row(14).starts_with("KEY 1 AT 1845 LENGTH "), "{}", terminal.row(14));
    terminal.pf(3);
    terminal.unlocked();
    assert!(terminal.text().join(" ").contains("NOW PRESS PF12"));
    terminal.pf(12);
    terminal.expect("END OF CPTERM");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn queues_journals_and_the_console() {
    let (mut region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    shows(
        &mut terminal,
        "CP03",
        "CONSOLE NORMAL 0",
        &[
            "EMPTY QIDERR 0",
            "ITEM 2 OF 2",
            "READ second rewritten",
            "first item NORMAL 0",
            "NO ITEM 9 ITEMERR 0",
            "044 IccTempStore::readItem type=CICSCondition CICS returned the 'QIDERR' conditi",
            "TD in transient data, and more",
            "TD EMPTY QZERO 0",
            "TD NONE QIDERR 0",
            "JOURNAL NORMAL 0",
        ],
    );
    let told = |line: &str| line.contains("CPQUEUE TO THE OPERATOR");
    assert!(region.output.iter().any(|line| told(line)) || region.wait_for(told, LONG), "{}", region.output.join("\n"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn files_of_three_kinds_and_browses() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    for deleted in ["DELETED 0", "DELETED 3"] {
        shows(
            &mut terminal,
            "CP04",
            "FILES 3 APPLID CPTESTS",
            &[
                deleted,
                "AGAIN DUPREC",
                "READ 140001",
                "DELETED NOTFND",
                "BROWSE K001 K002 K004 ENDFILE",
                "BACK K004 K002 K001",
                "KEY 4 AT 0 TYPE 1 READABLE 1 OPEN 1 ACCESS 1",
                "SLOT 3 RECORD OF SLOT 3....",
                "PLACES DIFFER 1 ENTRY ONE",
                "invalidMethodCall readRecord",
            ],
        );
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn cobol_and_cpp_link_to_each_other() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    shows(&mut terminal, "CP05", "LOADED", &["COBOL NORMAL 70005 -6 99 BACK", "NOWHERE PGMIDERR 1", "LOADED 1 NORMAL"]);
    terminal.transaction("CP5C");
    terminal.expect("CPP ANSWERS CPCO       530 Y");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn conditions_are_events_exceptions_or_abends() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    shows(
        &mut terminal,
        "CP06",
        "END OF CPERROR",
        &[
            "MANUAL QIDERR 1 0",
            "CICS event summary: IccTempStore::readNextItem condition=QIDERR minor=0",
            "LEFT INNER",
            "LEFT OUTER",
            "044 IccTempStore::readNextItem type=CICSCondition CICS returned the 'QIDERR' con",
            "044 IccTempStore::readNextItem CICS returned the 'QIDERR' condition IccTempStore",
            "CAUGHT text",
            "AND 25",
            "NO STORAGE",
        ],
    );
    terminal.transaction("CP06 ABEND");
    terminal.expect("DFHAC2206");
    assert!(terminal.text().join(" ").contains("ACL3"));
    for (how, code) in [("E", "ACL1"), ("O", "ACL2"), ("N", "4038")] {
        terminal.transaction(&format!("CP10 {how}"));
        terminal.expect("DFHAC2206");
        assert!(terminal.text().join(" ").contains(code), "{}", terminal.text().join("\n"));
    }
    terminal.transaction("CP10 H");
    terminal.expect("HANDLED CPHD CPHD IN CPTHROW");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_task_its_clock_and_its_locks() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    shows(
        &mut terminal,
        "CP07",
        "SYSTEM ",
        &[
            "TASK 1 CP07 1 1 0 1",
            "STORAGE 1",
            "TWA 16 TWA!",
            "DATE 2023-12-15 151223 TIME 12:20:12 DAY 15 0 12 2023",
            "WAITED 1",
            "ALARM 0 1 NORMAL",
            "LOCK 1 NORMAL NORMAL",
            "TRACE NORMAL DUMP NORMAL 1",
            "COMMIT NORMAL",
        ],
    );
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn transactions_are_started_with_data_and_cancelled() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CP08");
    terminal.expect_within("NO MORE ENDDATA", LONG);
    let screen = lines(&mut terminal);
    assert!(screen.iter().any(|line| line.contains("STARTED passed on QUEUE CPQ BY CP08 1 NORMAL 1")), "{}", screen.join("\n"));
    drop(terminal);
    let mut terminal = Terminal::connect(region.port);
    shows(&mut terminal, "CP08", "NONE TRANSIDERR", &["REQUEST 8 CANCELLED NORMAL NOTFND"]);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn commands_in_cpp_share_structures_with_cobol() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CP09");
    terminal.expect("CAUGHT 44");
    assert_eq!(terminal.row(1).split_whitespace().collect::<Vec<_>>().join(" "), "CPEXEC 7 70000 2 16 000111 69995 CP09 CAUGHT 44");
    terminal.transaction("CP11");
    terminal.expect("PRESS ENTER");
    terminal.enter();
    terminal.expect("NEXT CP1N HAS what it left");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn users_are_asked_of_the_security_manager() {
    let (region, _data) = start(&[]);
    let mut terminal = Terminal::connect(region.port);
    // Without one (SEC=NO) the commands raise INVREQ.
    shows(&mut terminal, "CP12", "SIGNOFF ", &["ANNA OF STAFF ENU VERIFY INVREQ 0", "CHANGE INVREQ", "SIGNON INVREQ", "SIGNOFF INVREQ"]);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
