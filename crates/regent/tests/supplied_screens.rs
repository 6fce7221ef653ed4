//! Supplied transactions as their users see them with s3270: CEMT's expanded displays, CMAC, CMSG, CWTO and CSFE.
//!
//! Expected results come from the pages of the transactions in the Reference of CICS TS 5.5.

mod support;

use std::time::Duration;
use support::application::Application;
use support::golden::{agrees, shows};
use support::terminal::Terminal;
use support::{Region, root};

/// Where the messages to the operator are kept.
const LOG: &str = "log/region.log";

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("samples/filework"), data.path(), &[]);
    (region, data)
}

/// The way of test automation: TAB and ENTER from a row, PF11 until nothing follows.
#[test]
fn cemt_shows_a_resource_in_full() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CEMT INQUIRE TRANSACTION(FCWK)");
    terminal.expect("RESPONSE: NORMAL");
    shows(&mut terminal, "cemt_transaction");
    terminal.act("Tab");
    assert_eq!(terminal.cursor(), (3, 1));
    terminal.enter();
    terminal.expect("RESULT - OVERTYPE TO MODIFY");
    shows(&mut terminal, "cemt_expanded");
    terminal.pf(11);
    terminal.expect("Dtimeout(");
    // A value is typed over here as in the row.
    terminal.pf(10);
    terminal.fill(4, 13, "007");
    terminal.enter();
    terminal.expect("Priority( 007 )");
    // ENTER comes back, and the row has it.
    terminal.move_to(1, 2);
    terminal.enter();
    terminal.expect("Pri( 007 )");
    // S or a question mark before the row, or the cursor anywhere on it.
    for select in ["S", "?"] {
        terminal.fill(3, 1, select);
        terminal.enter();
        terminal.expect("RESULT - OVERTYPE TO MODIFY");
        terminal.move_to(1, 2);
        terminal.enter();
        terminal.expect("STATUS:  RESULTS");
    }
    terminal.move_to(4, 50);
    terminal.enter();
    terminal.expect("RESULT - OVERTYPE TO MODIFY");
    terminal.pf(3);
    terminal.expect("SESSION ENDED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn cemt_lists_what_an_abbreviation_could_be_and_ignores_what_is_not_valid() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CEMT I T");
    terminal.expect("ENTER ONE OF THE FOLLOWING");
    let screen = terminal.text().join("\n");
    assert!(screen.contains("TAsk") && screen.contains("TRAnsaction") && !screen.contains("FIle"), "{screen}");
    for (command, expected) in [
        ("I FOO", &["E 'FOO' IS NOT VALID AND IS IGNORED.", "BUNDLEPart"][..]),
        ("I SYSTEM FOO", &["E 'FOO' IS NOT VALID AND IS IGNORED.", "Maxtasks( "]),
        ("I FI FCW064X", &["E 'FCW064X' IS NOT VALID AND IS IGNORED.", "Fil(FCW064"]),
        ("I TRAN(TOOLONG)", &["S 'TOOLONG' HAS MORE THAN 4 CHARACTERS."]),
        ("I TAS(A,B)", &["S 'A' IS NOT NUMERIC."]),
        ("S STAT INT(010000) EN(000000)", &["Interval( 010000 )", "RESPONSE: NORMAL"]),
        ("S TCL(NONE) PUR(2)", &["NOT FOUND"]),
        ("I TAS TRA(CEMT)", &["Sta(TO)"]),
        ("P SH", &["DID YOU MEAN SHUTDOWN?"]),
        ("?I TASK", &["CEMT Inquire TAsk", "< TRANSACTION() >"]),
        ("P SHUT ?", &["CEMT Perform SHUTdown", "IMMEDIATE"]),
        ("S FI ?", &["READABLE | NOTREADABLE"]),
    ] {
        terminal.pf(3);
        terminal.transaction(&format!("CEMT {command}"));
        for text in expected {
            terminal.expect(text);
        }
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn messages_and_codes_are_explained_at_a_terminal() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMAC");
    terminal.expect("DISPLAY ON-LINE MESSAGES AND CODES");
    shows(&mut terminal, "cmac");
    terminal.type_text("AC");
    terminal.move_to(13, 26);
    terminal.type_text("2001");
    terminal.enter();
    terminal.expect("DFHAC2001");
    terminal.expect("is not recognized");
    terminal.pf(3);
    terminal.fill(8, 26, "");
    terminal.fill(13, 26, "ASRA");
    terminal.enter();
    terminal.expect("program interruption");
    terminal.pf(3);
    terminal.fill(13, 26, "XYZZ");
    terminal.enter();
    terminal.expect("XYZZ IS NOT IN THE MESSAGES AND CODES");
    terminal.pf(3);
    terminal.expect("CMAC: SESSION ENDED");
    terminal.transaction("CMAC AEIM");
    terminal.expect("condition NOTFND");
    terminal.pf(12);
    terminal.expect("CMAC: SESSION ENDED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_message_is_switched_to_another_terminal() {
    let (region, _data) = start();
    let mut sender = Terminal::connect(region.port);
    sender.transaction("CEMT I TERM");
    sender.expect("Ter(");
    let own = sender.text().join("\n").split("Ter(").nth(1).map(|rest| rest[..4].to_string()).expect("a terminal");
    sender.pf(3);
    let mut receiver = Terminal::connect(region.port);
    receiver.clear();
    sender.transaction("CMSG 'GOOD MORNING'");
    sender.expect("M OK CONTINUE INPUT");
    sender.type_text("R=T00AX");
    sender.enter();
    sender.expect("M OK TERMID GT 4 CHAR AT T00AX");
    sender.type_text("R=ZZZZ,H,S");
    sender.enter();
    sender.expect("HMR OK INVLD TERMINL ID ZZZZ");
    sender.type_text("R=ALL,S");
    sender.enter();
    sender.expect("HMRS OK MSG SENT TO 1 TERMINAL(S)");
    receiver.expect_within("GOOD MORNING", Duration::from_secs(30));
    receiver.expect(&format!("MSG FROM {own}"));
    sender.transaction("CMSG 'X',R=ALL,CANCEL");
    sender.expect("MESSAGE CANCELLED");
    drop((sender, receiver));
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_operator_gets_a_message_and_a_terminal_is_tested() {
    let (region, data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CWTO");
    terminal.expect("ENTER MESSAGE");
    terminal.enter();
    terminal.expect("NO INPUT - REENTER");
    terminal.type_text("PLEASE MOUNT TAPE 0815");
    terminal.enter();
    terminal.expect("MESSAGE HAS BEEN SENT");
    let log = data.path().join(LOG);
    assert!(
        std::fs::read_to_string(&log).is_ok_and(|text| text.contains("PLEASE MOUNT TAPE 0815")),
        "the operator has it: {}",
        log.display()
    );
    terminal.transaction("CWTO NEVER MIND CANCEL");
    terminal.expect("TERMINATED BY OPERATOR");
    terminal.transaction("CSFE PRINT");
    terminal.expect("ABCDEFGHI");
    terminal.expect("DFHFE3301");
    terminal.transaction("CSFE ECHO");
    // The terminal is defined with UCTRAN(YES).
    terminal.type_text("some text");
    terminal.enter();
    terminal.expect("SOME TEXT");
    terminal.type_text("END");
    terminal.enter();
    terminal.expect("DFHFE3301 Transaction complete");
    terminal.transaction("CSFE DEBUG,TRAP=ON");
    terminal.expect("CSFE DEBUG,TRAP=ON IS NOT AVAILABLE IN THIS RELEASE");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Copies of the transactions whose profile has the alternate screen use all 27 lines and 132 columns of a model 5.
#[test]
fn displays_use_the_alternate_screen_of_a_wide_terminal() {
    let application = Application::new();
    application.write(
        "wide.csd",
        "DEFINE PROFILE(WIDE) GROUP(WIDE) SCRNSIZE(ALTERNATE)\n\
         DEFINE TRANSACTION(WEMT) GROUP(WIDE) PROGRAM(DFHEMTP) PROFILE(WIDE)\n\
         DEFINE TRANSACTION(WEDA) GROUP(WIDE) PROGRAM(DFHEDAP) PROFILE(WIDE)\n",
    );
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect_as(region.port, "3279-5-E", &[]);
    terminal.transaction("WEMT INQUIRE TRANSACTION(WE*)");
    terminal.expect("RESPONSE: NORMAL");
    shows(&mut terminal, "cemt_wide");
    assert_eq!((terminal.text().len(), terminal.text()[26].trim_start().starts_with("PF 1 HELP")), (27, true));
    terminal.pf(3);
    terminal.act("Clear");
    terminal.transaction("WEDA VIEW TRANSACTION(WEMT) GROUP(WIDE)");
    terminal.expect("View TRANSaction( WEMT");
    shows(&mut terminal, "ceda_wide");
    assert_eq!(terminal.text().len(), 27);
    terminal.pf(3);
    // Without the profile the screen is that of 24 lines.
    terminal.act("Clear");
    terminal.transaction("CEMT INQUIRE TRANSACTION(WE*)");
    terminal.expect("RESPONSE: NORMAL");
    assert_eq!(terminal.text().len(), 24);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn the_screens_in_the_page_for_operators_are_those_of_the_region() {
    assert!(agrees("docs/operators.md") >= 3);
}
