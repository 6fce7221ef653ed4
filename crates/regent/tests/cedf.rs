//! CEDF on the bank sample as a user of s3270 sees it, display by display.
//!
//! The displays are in `cedf/*.txt`. Their form is that of the figures in "Testing with EDF", "What does EDF display?"; their contents follow
//! from the source of the sample. Values that change from run to run are replaced by `#`. `REGENT_SCREENS=write` writes the displays anew, to
//! be compared with the figures.

mod support;

use support::application::Application;
use support::edf::{cedf_on, continue_to, golden, shows, start_programs, step_to};
use support::terminal::Terminal;
use support::{Region, root};

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("samples/bank"), data.path(), &[]);
    (region, data)
}

#[test]
fn the_displays_of_a_task_at_its_own_terminal() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    cedf_on(&mut terminal);
    terminal.transaction("BANK");
    terminal.expect("PROGRAM INITIATION");
    shows(&mut terminal, "initiation");
    terminal.enter();
    terminal.expect("EXEC CICS HANDLE AID");
    shows(&mut terminal, "handle_aid_before");
    terminal.enter();
    terminal.expect("COMMAND EXECUTION COMPLETE");
    shows(&mut terminal, "handle_aid_after");
    terminal.enter();
    terminal.expect("EXEC CICS ASKTIME");
    shows(&mut terminal, "asktime_before");
    // To the end of the task, with the screen of the bank in between.
    terminal.pf(4);
    terminal.expect("TASK TERMINATION");
    shows(&mut terminal, "task_termination");
    terminal.pf(3);
    terminal.expect("BRANCH TELLER SIGN-ON");
    terminal.fill(10, 42, "ADAMS");
    terminal.fill(12, 42, "4711");
    terminal.enter();
    terminal.expect("MAIN MENU");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// "Overtyping to make changes": NOOP, values of arguments before the command, the response after it.
#[test]
fn what_is_typed_over_a_display_counts() {
    let (region, _data, mut terminal) = start_programs();
    step_to(&mut terminal, "EDFA", "ABOUT TO EXECUTE", "WRITEQ TS");
    shows(&mut terminal, "writeq_before");
    // The text and the length of the item.
    terminal.move_to(5, 10);
    terminal.type_text("CHANGED");
    terminal.enter();
    assert_eq!(terminal.row(5), "  FROM ('CHANGED BY EDFA     ')", "ENTER shows the display with its changes");
    terminal.fill(6, 10, "(7)");
    terminal.enter();
    terminal.expect("LENGTH (7)");
    terminal.fill(6, 10, "(70000)");
    terminal.enter();
    terminal.expect("THE NUMBER IS NOT VALID");
    terminal.pf(2);
    terminal.expect("FROM (X'C3C8C1D5C7C5C440C2E840C5C4C6C14040404040')");
    terminal.move_to(5, 11);
    terminal.type_text("D9");
    terminal.enter();
    terminal.expect("FROM (X'D9C8C1");
    terminal.move_to(5, 11);
    terminal.type_text("ZZ");
    terminal.enter();
    terminal.expect("THE DIGITS ARE NOT HEXADECIMAL");
    terminal.pf(2);
    continue_to(&mut terminal, "COMMAND EXECUTION COMPLETE", "READQ TS");
    shows(&mut terminal, "readq_after");
    terminal.fill(18, 12, "NOTHING");
    terminal.enter();
    terminal.expect("THE CONDITION IS NOT KNOWN");
    terminal.fill(18, 12, "QIDERR");
    terminal.enter();
    terminal.expect("EIBRESP=44");
    terminal.pf(11);
    terminal.expect("EXEC INTERFACE BLOCK");
    terminal.pf(8);
    terminal.expect("EIBRESP       = 44");
    terminal.enter();
    continue_to(&mut terminal, "ABOUT TO EXECUTE", "DELETEQ TS");
    // Its operand is a constant of the program: the command gets a changed copy of it.
    terminal.fill(3, 2, "NOOP");
    terminal.enter();
    assert_eq!(terminal.row(3), " NOOP");
    terminal.fill(3, 2, "");
    terminal.enter();
    assert_eq!(terminal.row(3), " EXEC CICS DELETEQ TS", "a blank verb restores the command");
    terminal.move_to(4, 11);
    terminal.type_text("NOSUCH  ");
    terminal.enter();
    terminal.expect("QUEUE ('NOSUCH  ')");
    terminal.enter();
    terminal.expect("RESPONSE: QIDERR");
    terminal.fill(18, 12, "NORMAL");
    terminal.enter();
    terminal.expect("EIBRESP=0");
    terminal.pf(4);
    terminal.expect("TASK TERMINATION");
    assert_eq!(terminal.row(18).trim_end(), " TO CONTINUE EDF SESSION REPLY YES                       REPLY: NO");
    terminal.enter();
    terminal.expect("READ: RHANGED              RESP: 044");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// A command that is not executed leaves no item to read.
#[test]
fn noop_keeps_a_command_from_being_executed() {
    let (region, _data, mut terminal) = start_programs();
    step_to(&mut terminal, "EDFA", "ABOUT TO EXECUTE", "WRITEQ TS");
    terminal.fill(3, 2, "NOP");
    terminal.enter();
    terminal.expect("NOOP");
    terminal.enter();
    terminal.expect("COMMAND EXECUTION COMPLETE");
    assert_eq!(terminal.row(3), " NOOP");
    continue_to(&mut terminal, "COMMAND EXECUTION COMPLETE", "READQ TS");
    terminal.expect("RESPONSE: QIDERR");
    continue_to(&mut terminal, "ABOUT TO EXECUTE", "DELETEQ TS");
    // ERASE EOF has the same effect.
    terminal.fill(3, 2, "");
    terminal.enter();
    assert_eq!(terminal.row(3), " NOOP");
    terminal.pf(3);
    terminal.expect("THAT KEY IS UNDEFINED");
    terminal.enter();
    terminal.expect("COMMAND EXECUTION COMPLETE");
    terminal.pf(3);
    terminal.expect("READ:                      RESP: 044");
    // END EDF SESSION has ended it for the terminal.
    terminal.transaction("EDFT");
    terminal.expect("TERMINAL: ");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Storage by its address: the program's own can be changed, wild addresses harm nothing.
#[test]
fn working_storage_can_be_changed_and_wild_addresses_cannot() {
    let (region, _data, mut terminal) = start_programs();
    cedf_on(&mut terminal);
    terminal.transaction("EDFA");
    terminal.expect("PROGRAM INITIATION");
    terminal.pf(5);
    terminal.expect("WORKING STORAGE IS NOT AVAILABLE");
    shows(&mut terminal, "no_working_storage");
    terminal.enter();
    continue_to(&mut terminal, "ABOUT TO EXECUTE", "WRITEQ TS");
    terminal.pf(5);
    terminal.expect("WORKING STORAGE");
    assert!(
        terminal.row(3).contains("C5C4C6D8 E4C5E4C5 E6D9C9E3 E3C5D540") && terminal.row(3).ends_with("EDFQUEUEWRITTEN"),
        "{}",
        terminal.row(3)
    );
    assert_eq!(terminal.at(3, 13, 6), "000000");
    // Characters, then digits, which take precedence.
    terminal.move_to(3, 69);
    terminal.type_text("P");
    terminal.enter();
    assert!(terminal.row(3).ends_with("EDFQUEUEPRITTEN"), "{}", terminal.row(3));
    terminal.move_to(3, 69);
    terminal.type_text("X");
    terminal.move_to(3, 40);
    terminal.type_text("C7");
    terminal.enter();
    assert!(terminal.row(3).ends_with("EDFQUEUEGRITTEN"), "{}", terminal.row(3));
    terminal.move_to(3, 40);
    terminal.type_text("G7");
    terminal.enter();
    terminal.expect("THE DIGITS ARE NOT HEXADECIMAL");
    let own = terminal.at(2, 11, 8);
    for wild in ["00000000", "00000008", "7FFFFFF8", "FFFFFFFF"] {
        terminal.fill(2, 11, wild);
        terminal.enter();
        assert!(terminal.row(3).contains("NOT ADDRESSABLE") || terminal.row(3).contains("NOT AVAILABLE"), "{}", terminal.row(3));
    }
    for wrong in ["GARBAGE", "FFFFFFFFFFFFFFFF", ""] {
        terminal.fill(2, 11, wrong);
        terminal.enter();
        terminal.expect("THE ADDRESS IS NOT VALID");
    }
    terminal.fill(2, 11, &own);
    terminal.enter();
    terminal.pf(8);
    terminal.pf(11);
    terminal.pf(7);
    terminal.pf(10);
    terminal.expect("EDFQUEUEGRITTEN");
    terminal.pf(2);
    terminal.expect("CEBR");
    terminal.pf(3);
    terminal.expect("EDFQUEUEGRITTEN");
    terminal.pf(5);
    terminal.expect("ENTER ONE OF THE FOLLOWING");
    terminal.pf(3);
    terminal.expect("EDFQUEUEGRITTEN");
    terminal.pf(4);
    terminal.expect("EXEC INTERFACE BLOCK");
    terminal.enter();
    terminal.expect("ABOUT TO EXECUTE");
    terminal.expect("FROM ('GRITTEN BY EDFA     ')");
    terminal.enter();
    terminal.pf(3);
    terminal.expect("READ: GRITTEN BY EDFA      RESP: 000");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Stop conditions, the user's display, displays that are remembered, ABEND USER TASK.
#[test]
fn displays_are_suppressed_until_a_stop_condition_and_remembered() {
    let (region, _data, mut terminal) = start_programs();
    cedf_on(&mut terminal);
    terminal.transaction("EDFA");
    terminal.expect("PROGRAM INITIATION");
    terminal.pf(9);
    shows(&mut terminal, "stop_conditions");
    terminal.fill(4, 36, "DELETEQ");
    terminal.fill(8, 36, "MAYBE");
    terminal.enter();
    terminal.expect("REPLY YES OR NO");
    terminal.expect("EXEC CICS DELETEQ");
    terminal.pf(4);
    terminal.expect("EXEC CICS DELETEQ TS");
    terminal.pf(10);
    terminal.expect("DISPLAY:-01");
    shows(&mut terminal, "previous_display");
    terminal.pf(10);
    terminal.expect("DISPLAY:-02");
    terminal.pf(11);
    terminal.expect("DISPLAY:-01");
    for number in 2..=4 {
        terminal.pf(10);
        terminal.expect(&format!("DISPLAY:-{number:02}"));
    }
    terminal.expect("EXEC CICS WRITEQ TS");
    terminal.pf(10);
    terminal.expect("NO FURTHER DISPLAYS ARE REMEMBERED");
    terminal.enter();
    terminal.expect("DISPLAY:00");
    terminal.pf(6);
    assert_eq!(terminal.row(1), "EDFA", "the screen of the user");
    terminal.enter();
    terminal.expect("EXEC CICS DELETEQ TS");
    terminal.pf(12);
    terminal.expect("ENTER ABEND CODE AND REQUEST ABEND AGAIN");
    terminal.type_text("TEST");
    terminal.pf(12);
    terminal.expect("AN ABEND HAS OCCURRED");
    shows(&mut terminal, "abend");
    terminal.enter();
    terminal.expect("ABNORMAL TASK TERMINATION");
    terminal.expect("ABEND :  TEST");
    terminal.enter();
    terminal.expect("DFHAC2206");
    terminal.expect("abend TEST");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn an_interrupted_program_is_shown_with_its_interrupt() {
    let (region, _data, mut terminal) = start_programs();
    cedf_on(&mut terminal);
    terminal.transaction("EDFC");
    terminal.expect("PROGRAM INITIATION");
    terminal.pf(4);
    terminal.expect("AN ABEND HAS OCCURRED");
    terminal.expect("ABEND :  ASRA           INTERRUPT: DECIMAL DIVIDE");
    terminal.pf(11);
    terminal.expect("REGISTERS AT ABEND");
    terminal.enter();
    terminal.expect("AN ABEND HAS OCCURRED");
    terminal.pf(3);
    terminal.expect("DFHAC2206");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// NOEDF: no displays of commands. CEDF(NO): no display of the program at all.
#[test]
fn programs_without_edf_are_not_shown() {
    let (region, _data, mut terminal) = start_programs();
    cedf_on(&mut terminal);
    terminal.transaction("EDFN");
    terminal.expect("PROGRAM INITIATION");
    assert!(terminal.row(1).contains("PROGRAM: EDFN"));
    terminal.enter();
    terminal.expect("PROGRAM TERMINATION");
    assert!(terminal.row(1).contains("PROGRAM: EDFN"), "EDFO has passed without a display");
    terminal.enter();
    terminal.expect("TASK TERMINATION");
    terminal.enter();
    terminal.expect("NOEDF ENDS");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// A C program says NOEDF in `#pragma XOPTS`.
#[test]
fn commands_of_c_programs_are_shown_unless_they_are_translated_with_noedf() {
    let (region, _data, mut terminal) = start_programs();
    cedf_on(&mut terminal);
    terminal.transaction("EDFX");
    terminal.expect("PROGRAM INITIATION");
    terminal.enter();
    terminal.expect("PROGRAM INITIATION");
    assert!(terminal.row(1).contains("PROGRAM: EDFY"), "LINK is no display of EDFX: {:#?}", terminal.text());
    terminal.enter();
    terminal.expect("EXEC CICS ASKTIME");
    continue_to(&mut terminal, "PROGRAM TERMINATION", "PROGRAM: EDFY");
    terminal.enter();
    // The next display comes after the output of EDFX, of which there is none.
    terminal.expect("TRANSACTION: EDFX PROGRAM: EDFX");
    terminal.expect("PROGRAM TERMINATION");
    terminal.enter();
    terminal.expect("TASK TERMINATION");
    terminal.enter();
    terminal.expect("C WORKED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The channel of a program, with its containers: those of type CHAR in their own code page, in hexadecimal too.
#[test]
fn the_containers_of_the_channel_are_shown() {
    let (region, _data, mut terminal) = start_programs();
    step_to(&mut terminal, "EDFH", "PROGRAM INITIATION", "PROGRAM: EDFI");
    let lines = |terminal: &mut Terminal| -> Vec<String> {
        let of_channel = |line: &String| line.starts_with("CHANNEL") || line.starts_with("CONTAINER");
        let words = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
        terminal.text().iter().map(words).filter(of_channel).collect()
    };
    assert_eq!(
        lines(&mut terminal),
        [
            "CHANNEL = 'ORDER'",
            "CONTAINER = 'LONG ' CHAR LENGTH=20 'LONGLONG'...",
            "CONTAINER = 'NAME ' CHAR LENGTH=8 'MARY ANN'",
            "CONTAINER = 'RATE ' BIT LENGTH=3 '..*'",
        ]
    );
    terminal.pf(2);
    terminal.expect("X'12345C'");
    assert!(lines(&mut terminal).contains(&"CONTAINER = 'NAME ' CHAR LENGTH=8 X'D4C1D9E840C1D5D5'".to_string()), "{:#?}", terminal.text());
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// REPLY YES at the end of a task goes on with the next one at the same terminal, NO ends the session.
#[test]
fn the_session_goes_on_with_the_next_task_of_the_terminal() {
    let (region, _data, mut terminal) = start_programs();
    step_to(&mut terminal, "EDFR", "TASK TERMINATION", "REPLY: YES");
    terminal.enter();
    terminal.expect("NEXT INPUT");
    terminal.enter();
    terminal.expect("PROGRAM INITIATION");
    assert!(terminal.row(1).contains("TRANSACTION: EDFR PROGRAM: EDFR"), "{:#?}", terminal.text());
    continue_to(&mut terminal, "TASK TERMINATION", "REPLY: YES");
    terminal.fill(18, 65, "NO ");
    terminal.enter();
    terminal.expect("NEXT INPUT");
    // Without EDF the task answers at once.
    terminal.enter();
    terminal.expect("NEXT INPUT");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Reads the row of a table by its key; the second statement fails.
const SQL_PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. EDFQ.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WS-KEY          PIC X(4)  VALUE 'OSLO'.
       01  WS-SIZE         PIC S9(9) COMP.
       01  WS-OUT          PIC X(9)  VALUE 'SQL ENDED'.
       PROCEDURE DIVISION.
           EXEC SQL SELECT SIZE INTO :WS-SIZE FROM TOWN
               WHERE NAME = :WS-KEY END-EXEC
           EXEC SQL INSERT INTO TOWN VALUES (:WS-KEY, 1) END-EXEC
           EXEC CICS SEND TEXT FROM(WS-OUT) LENGTH(9) ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN END-EXEC.
";

/// Db2, "Using the execution diagnostic facility with your program": the statement and its host variables, then the SQLCA.
#[test]
fn sql_statements_have_displays_before_and_after() {
    let application = Application::new();
    application.write("EDFQ.cbl", SQL_PROGRAM);
    application.write(
        "tables.sql",
        "CREATE TABLE TOWN (NAME CHAR(4) NOT NULL PRIMARY KEY, SIZE INTEGER);\nINSERT INTO TOWN VALUES ('OSLO', 7);\n",
    );
    application.write("app.csd", "DEFINE PROGRAM(EDFQ) GROUP(APP)\nDEFINE TRANSACTION(EDFQ) GROUP(APP) PROGRAM(EDFQ)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    cedf_on(&mut terminal);
    terminal.transaction("EDFQ");
    terminal.expect("PROGRAM INITIATION");
    terminal.enter();
    terminal.expect("EXEC SQL SELECT");
    shows(&mut terminal, "select_before");
    terminal.enter();
    terminal.expect("COMMAND EXECUTION COMPLETE");
    shows(&mut terminal, "select_after");
    terminal.pf(9);
    terminal.fill(14, 36, "YES");
    terminal.pf(4);
    // Its key is there already: SQLCODE -803.
    terminal.expect("EXEC SQL INSERT");
    terminal.expect("SQLCODE      = -803");
    terminal.pf(3);
    terminal.expect("SQL ENDED");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The displays in docs/cedf.md are those that the tests of this file see.
#[test]
fn the_document_shows_the_displays_of_these_tests() {
    let document = std::fs::read_to_string(root().join("docs/cedf.md")).expect("the document");
    let blocks: Vec<(&str, &str)> = document
        .split("```screen ")
        .skip(1)
        .filter_map(|rest| rest.split_once('\n'))
        .filter_map(|(name, rest)| Some((name, rest.split_once("```")?.0)))
        .collect();
    assert!(blocks.len() >= 4, "{}", blocks.len());
    for (name, shown) in blocks {
        let screen = std::fs::read_to_string(golden(name)).expect("a display");
        assert!(shown == screen, "{name} in docs/cedf.md should be\n{screen}");
    }
}
