//! CEDF: the arguments of commands by their types, and storage of each kind.

mod support;

use support::edf::{continue_to, shows, start_programs, step_to};
use support::terminal::Terminal;

/// Numbers have the form that is documented for their option, and values of CICS their names. A number is typed over in the same form.
#[test]
fn arguments_are_shown_by_their_types() {
    let (region, _data, mut terminal) = start_programs();
    step_to(&mut terminal, "EDFV", "ABOUT TO EXECUTE", "FORMATTIME");
    shows(&mut terminal, "formattime_before");
    terminal.pf(2);
    terminal.expect("ABSTIME (X'004004853908356C')");
    terminal.fill(4, 13, "X'004004853908356F')");
    terminal.enter();
    terminal.expect("ABSTIME (X'004004853908356C')");
    terminal.fill(4, 13, "X'004004853908356')");
    terminal.enter();
    terminal.expect("THE NUMBER IS NOT VALID");
    terminal.pf(2);
    continue_to(&mut terminal, "ABOUT TO EXECUTE", "START");
    terminal.expect("INTERVAL (10000)");
    terminal.pf(2);
    terminal.expect("INTERVAL (X'0010000C')");
    terminal.pf(2);
    terminal.fill(5, 13, "(12345678)");
    terminal.enter();
    terminal.expect("THE NUMBER IS NOT VALID");
    continue_to(&mut terminal, "ABOUT TO EXECUTE", "SET PROGRAM");
    shows(&mut terminal, "set_program_before");
    terminal.fill(5, 11, "(NOSUCH)");
    terminal.enter();
    terminal.expect("THE NUMBER IS NOT VALID");
    terminal.fill(5, 11, "(DISABLED)");
    terminal.enter();
    terminal.expect("STATUS (DISABLED)");
    // A constant has an address of its own.
    terminal.pf(2);
    terminal.expect("STATUS (X'00000018')");
    let address = address_in(&mut terminal, 4);
    terminal.pf(2);
    terminal.pf(5);
    terminal.fill(2, 11, &address);
    terminal.enter();
    terminal.expect("C5C4C6E3");
    terminal.enter();
    continue_to(&mut terminal, "COMMAND EXECUTION COMPLETE", "INQUIRE PROGRAM");
    terminal.expect("STATUS (DISABLED)");
    // A condition that INQUIRE PROGRAM does not have.
    terminal.fill(18, 12, "QIDERR");
    terminal.enter();
    terminal.expect("THE CONDITION CANNOT OCCUR FOR THIS COMMAND");
    terminal.fill(18, 12, "PGMIDERR");
    terminal.enter();
    terminal.expect("EIBRESP=27");
    continue_to(&mut terminal, "COMMAND EXECUTION COMPLETE", "PROGRAM ('NOSUCH  ')");
    terminal.expect("EIBRESP=27    EIBRESP2=1");
    assert_eq!(terminal.row(19), " there is no such program");
    terminal.pf(3);
    terminal.expect("STATUS: 024");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The address of the value in a row of a hexadecimal display.
fn address_in(terminal: &mut Terminal, row: usize) -> String {
    let row = terminal.row(row);
    row.split("AT X'").nth(1).unwrap_or_else(|| panic!("no address: {row}")).trim_end_matches('\'').to_string()
}

/// PG-23: storage of each kind: automatic, static, and above the bar, with addresses of 64 bits.
#[test]
fn storage_of_each_kind_is_shown_and_changed() {
    let (region, _data, mut terminal) = start_programs();
    step_to(&mut terminal, "EDFZ", "ABOUT TO EXECUTE", "WRITEQ TS");
    terminal.expect("FROM ('AUTOMATIC       ')");
    terminal.pf(2);
    terminal.expect("FROM (X'C1E4E3D6D4C1E3C9C340404040404040')");
    let automatic = address_in(&mut terminal, 5);
    terminal.pf(2);
    terminal.pf(5);
    terminal.expect("WORKING STORAGE");
    assert_eq!(terminal.at(3, 13, 6), "000000", "automatic storage begins at the function that issued the command");
    terminal.fill(2, 11, &automatic);
    terminal.enter();
    terminal.expect("AUTOMATIC");
    terminal.move_to(3, 61);
    terminal.type_text("CHANGED");
    terminal.enter();
    terminal.expect("CHANGEDIC");
    terminal.enter();
    terminal.expect("FROM ('CHANGEDIC       ')");
    continue_to(&mut terminal, "ABOUT TO EXECUTE", "STATIC STORAGE");
    terminal.pf(2);
    let fixed = address_in(&mut terminal, 5);
    terminal.pf(5);
    terminal.fill(2, 11, &fixed);
    terminal.enter();
    terminal.move_to(3, 22);
    terminal.type_text("C6C9E7C5 C440");
    terminal.enter();
    terminal.expect("FIXED  STORAGE");
    terminal.enter();
    terminal.pf(2);
    continue_to(&mut terminal, "COMMAND EXECUTION COMPLETE", "GETMAIN64");
    let row = terminal.row(4);
    let above = row.split("SET (X'").nth(1).and_then(|rest| rest.strip_suffix("')")).expect("an address").to_string();
    assert_eq!(above.len(), 16, "{above}");
    terminal.pf(5);
    terminal.fill(2, 11, &format!("{}_{}", &above[..8], &above[8..]));
    terminal.enter();
    assert_eq!(terminal.at(3, 2, 16), above);
    terminal.move_to(3, 61);
    terminal.type_text("ABOVE THE BAR");
    terminal.enter();
    terminal.pf(11);
    terminal.pf(10);
    terminal.expect("C1C2D6E5 C540E3C8 C540C2C1 D9");
    // What is no storage of CICS is not shown.
    terminal.fill(2, 11, "0000555555555555");
    terminal.enter();
    assert!(terminal.row(3).contains("NOT ADDRESSABLE"), "{}", terminal.row(3));
    terminal.enter();
    terminal.pf(4);
    terminal.expect("TASK TERMINATION");
    terminal.pf(3);
    terminal.expect("FIXED  STORAGE");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
