//! CECI as a programmer uses it, and the region's messages on a screen.
//!
//! One region serves all tests of this binary, because the storage areas have fixed addresses.

mod scratch;
mod terminal_support;

use csd::Definition;
use terminal_support::{connect, the_region};
use tn3270::Client;

/// Enters a CECI command on a cleared screen.
fn enter(terminal: &mut Client, command: &str) -> String {
    terminal.enter("PF3").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run(&format!("CECI {command}")).unwrap();
    terminal.wait_text("PF 1 HELP").unwrap_or_else(|_| panic!("{command}: {}", terminal.text()));
    terminal.text()
}

/// A value that is taken from a variable needs the variable; a receiver makes it.
#[test]
fn a_variable_that_is_not_defined_is_named() {
    let mut terminal = connect();
    for (command, answer) in [
        ("READ FILE(ANYFILE) RIDFLD(&K1)", "S Option RIDFLD has an invalid value: &K1 is not defined."),
        ("WRITEQ TS QUEUE(VARQ) FROM(&nodata)", "S Option FROM has an invalid value: &NODATA is not defined."),
        ("DELAY INTERVAL(&TIME)", "S Option INTERVAL has an invalid value: &TIME is not defined."),
    ] {
        let screen = enter(&mut terminal, command);
        assert!(screen.contains(answer) && screen.contains("COMMAND SYNTAX CHECK"), "{command}: {screen}");
    }
    for command in ["WRITEQ TS QUEUE(VARQ) FROM(&DFHC)", "ASSIGN APPLID(&MADE)"] {
        let screen = enter(&mut terminal, command);
        assert!(screen.contains("ABOUT TO EXECUTE"), "{command}: {screen}");
    }
}

/// The options are in the order of the command reference; a CVDA has its name, a fullword ten digits and a halfword five.
#[test]
fn results_are_shown_as_the_reference_writes_them() {
    the_region().install(&Definition::new("FILE", "SHOWNFIL", "TEST").with("DSNAME", "TEST.SHOWN").with("STATUS", "UNENABLED")).unwrap();
    let mut terminal = connect();
    let screen = enter(&mut terminal, "READ FILE(SHOWNFIL) RIDFLD(A)");
    let at = |word: &str| screen.find(word).unwrap_or_else(|| panic!("{word}: {screen}"));
    let order = ["FIle( ", "UPdate", "INto", "RIdfld( ", "KEylength", "LEngth", "NOsuspend"];
    assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{screen}");
    enter(&mut terminal, "INQUIRE FILE(SHOWNFIL) OPENSTATUS ENABLESTATUS STRINGS");
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("EXECUTION COMPLETE").unwrap();
    let mut screen = terminal.text();
    for _ in 0..4 {
        terminal.enter("PF11").unwrap();
        screen.push_str(&terminal.text());
    }
    assert!(screen.contains("( CLOSED )") && screen.contains("( UNENABLED )") && screen.contains("( +0000000001 )"), "{screen}");
}

#[test]
fn a_short_message_leaves_no_rest_of_a_long_one() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.enter("PF5").unwrap();
    terminal.wait_text("was pressed, and no transaction is named").unwrap();
    assert!(!terminal.screen().row(22).trim().is_empty(), "three lines: {}", terminal.text());
    terminal.run("ZZZZ").unwrap();
    terminal.wait_text("'ZZZZ' is not recognized").unwrap();
    let screen = terminal.text();
    assert!(terminal.screen().row(22).trim().is_empty() && screen.matches("DFHAC2001").count() == 1, "{screen}");
}

#[test]
fn ceci_checks_and_executes_commands() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CECI").unwrap();
    terminal.wait_text("STATUS:  ENTER ONE OF THE FOLLOWING").unwrap();
    assert!(terminal.text().contains("ASKTIME"), "{}", terminal.text());
    let command = |terminal: &mut Client, text: &str| {
        terminal.fill_at(1, 2, text).unwrap();
        terminal.enter("ENTER").unwrap();
    };
    command(&mut terminal, "READ");
    terminal.wait_text("STATUS:  COMMAND SYNTAX CHECK").unwrap();
    assert!(terminal.text().contains("S Option"), "{}", terminal.text());
    command(&mut terminal, "INQ TRANSACTION(CEMT)");
    terminal.wait_text("STATUS:  ABOUT TO EXECUTE COMMAND").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("STATUS:  COMMAND EXECUTION COMPLETE").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("RESPONSE: NORMAL") && screen.contains("EIBRESP=+0000000000 EIBRESP2=+0000000000"), "{screen}");
    assert!(screen.contains("PROGram( 'DFHEMTP ' )") || screen.contains("'DFHEMTP"), "{screen}");
    command(&mut terminal, "INQUIRE TRANSACTION(NONE)");
    terminal.wait_text("ABOUT TO EXECUTE COMMAND").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("RESPONSE: TRANSIDERR").unwrap();
    terminal.enter("PF4").unwrap();
    terminal.wait_text("EIBTRNID = 'CECI'").unwrap();
    terminal.enter("ENTER").unwrap();
    // A variable receives the value returned by the command.
    command(&mut terminal, "ASSIGN APPLID(&APP)");
    terminal.wait_text("ABOUT TO EXECUTE COMMAND").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("COMMAND EXECUTION COMPLETE").unwrap();
    terminal.enter("PF5").unwrap();
    terminal.wait_text("TESTTERM").unwrap();
    assert!(terminal.text().contains("&APP"), "{}", terminal.text());
    terminal.enter("ENTER").unwrap();
    // The output of a command stays until ENTER.
    command(&mut terminal, "SEND TEXT FROM('HELLO') ERASE FREEKB");
    terminal.wait_text("ABOUT TO EXECUTE").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait("the text alone", |client| client.screen().row(1) == " HELLO").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("COMMAND EXECUTION COMPLETE").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("SESSION ENDED").unwrap();
}

#[test]
fn ceci_and_cebr_on_a_queue() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CECI WRITEQ TS QUEUE(TERMQ) FROM('FIRST ITEM')").unwrap();
    terminal.wait_text("ABOUT TO EXECUTE").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("RESPONSE: NORMAL").unwrap();
    terminal.fill_at(1, 2, "READQ TS QUEUE(TERMQ) ITEM(1)").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("'FIRST ITEM'").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("SESSION ENDED").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEBR TERMQ").unwrap();
    terminal.wait_text("00001 FIRST ITEM").unwrap();
    assert!(terminal.text().contains("TOP OF QUEUE") && terminal.text().contains("BOTTOM OF QUEUE"));
    terminal.run("PURGE").unwrap();
    terminal.wait_text("QUEUE PURGED").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("CEBR: SESSION ENDED").unwrap();
}
