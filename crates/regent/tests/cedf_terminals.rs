//! CEDF with displays at another terminal, and CEDX: two terminals, tasks without one, terminals that go, purges, many tasks.

mod support;

use support::terminal::Terminal;
use support::{Region, root};

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("crates/regent/tests/applications/cedf"), data.path(), &[]);
    (region, data)
}

/// A terminal that can be looked at while its keyboard is locked, and its name.
fn tested(region: &Region) -> (Terminal, String) {
    let mut terminal = Terminal::connect(region.port);
    terminal.act("Set(AidWait,False)");
    terminal.transaction("EDFT");
    terminal.expect("TERMINAL: ");
    let name = terminal.at(1, 12, 4);
    (terminal, name)
}

/// Starts a transaction whose task waits for another terminal.
fn leave_in(terminal: &mut Terminal, transaction: &str) {
    terminal.clear();
    terminal.type_text(transaction);
    terminal.act("Enter");
}

/// The number of the task on display.
fn task_number(terminal: &mut Terminal) -> String {
    let heading = terminal.row(1);
    heading.split("TASK: ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a heading").to_string()
}

#[test]
fn the_displays_of_a_terminal_at_another_one() {
    let (region, _data) = start();
    let (mut user, name) = tested(&region);
    let mut edf = Terminal::connect(region.port);
    edf.transaction(&format!("CEDF {name}"));
    edf.expect(&format!("TERMINAL {name}: EDF MODE ON"));
    leave_in(&mut user, "EDFA");
    edf.expect("PROGRAM INITIATION");
    edf.enter();
    edf.expect("EXEC CICS WRITEQ TS");
    edf.move_to(5, 10);
    edf.type_text("SHOWN TO ANOTHER");
    edf.enter();
    edf.pf(4);
    edf.expect("TASK TERMINATION");
    user.expect("READ: SHOWN TO ANOTHER     RESP: 000");
    edf.move_to(18, 65);
    edf.type_text("YES");
    edf.enter();
    edf.expect(&format!("TERMINAL {name}: EDF MODE ON"));
    // The session goes on with the next task.
    leave_in(&mut user, "EDFT");
    edf.expect("PROGRAM INITIATION");
    edf.pf(3);
    edf.expect(&format!("TERMINAL {name}: EDF MODE OFF"));
    user.expect("TERMINAL: ");
    edf.transaction("CEDF QQQQ");
    edf.expect("QQQQ IS NO TERMINAL OF THIS REGION");
    edf.transaction(&format!("CEDF {name},OFF"));
    edf.expect(&format!("TERMINAL {name}: EDF MODE OFF"));
    drop((user, edf));
    assert_eq!(region.stop(), 0);
}

#[test]
fn cedx_tests_a_task_without_a_terminal() {
    let (region, _data) = start();
    let mut edf = Terminal::connect(region.port);
    let mut user = Terminal::connect(region.port);
    edf.transaction("CEDX NONE");
    edf.expect("TRANSACTION NONE: IS NOT DEFINED");
    edf.transaction("CEDX CEMT,ON");
    edf.expect("IS SUPPLIED AND CANNOT BE TESTED");
    edf.transaction("CEDX EDFB,ON");
    edf.expect("TRANSACTION EDFB: EDF MODE ON");
    user.transaction("EDFS 01");
    user.expect("EDFB IS STARTED");
    edf.expect("PROGRAM INITIATION");
    assert!(edf.row(1).contains("TRANSACTION: EDFB PROGRAM: EDFB"));
    edf.enter();
    edf.expect("EXEC CICS ASKTIME");
    edf.pf(6);
    edf.expect("THE USER DISPLAY IS AT ANOTHER TERMINAL");
    edf.enter();
    edf.expect("COMMAND EXECUTION COMPLETE");
    edf.pf(4);
    edf.expect("TASK TERMINATION");
    edf.enter();
    edf.expect("TRANSACTION EDFB: EDF MODE OFF");
    user.transaction("EDFS 01");
    user.expect("EDFB IS STARTED");
    edf.transaction("CEDX EDFB,OFF");
    edf.expect("TRANSACTION EDFB: EDF MODE OFF");
    drop((user, edf));
    assert_eq!(region.stop(), 0);
}

/// What one operator tests is not taken away by another one, unless the first has gone.
#[test]
fn a_transaction_is_tested_at_one_terminal() {
    let (region, _data) = start();
    let mut first = Terminal::connect(region.port);
    let mut second = Terminal::connect(region.port);
    let mut user = Terminal::connect(region.port);
    user.transaction("EDFT");
    user.expect("TERMINAL: ");
    first.transaction("CEDX EDFB");
    first.expect("TRANSACTION EDFB: EDF MODE ON");
    second.transaction("CEDX EDFB");
    second.expect("TRANSACTION EDFB: IS TESTED AT TERMINAL");
    user.transaction("EDFS 01");
    user.expect("EDFB IS STARTED");
    first.expect("PROGRAM INITIATION");
    first.pf(3);
    first.expect("TRANSACTION EDFB: EDF MODE OFF");
    second.transaction("CEDX EDFB");
    second.expect("TRANSACTION EDFB: EDF MODE ON");
    first.transaction("CEDX EDFB");
    first.expect("IS TESTED AT TERMINAL");
    drop(second);
    testing::eventually("the terminal has gone", || {
        first.transaction("CEDX EDFB");
        first.text().iter().any(|line| line.contains("TRANSACTION EDFB: EDF MODE ON"))
    });
    user.transaction("EDFS 01");
    user.expect("EDFB IS STARTED");
    first.expect("PROGRAM INITIATION");
    drop((first, user));
    assert_eq!(region.stop(), 0);
}

/// A waiting task is a waiting task: INQUIRE shows what it waits for, and a purge ends it.
#[test]
fn a_task_at_a_display_can_be_purged() {
    let (region, _data) = start();
    let (mut user, name) = tested(&region);
    let mut edf = Terminal::connect(region.port);
    let mut operator = Terminal::connect(region.port);
    edf.transaction(&format!("CEDF {name}"));
    edf.expect("EDF MODE ON");
    leave_in(&mut user, "EDFA");
    edf.expect("PROGRAM INITIATION");
    edf.enter();
    edf.expect("EXEC CICS WRITEQ TS");
    let number = task_number(&mut edf);
    operator.transaction(&format!("CEMT SET TASK({number}) FORCEPURGE"));
    user.expect("DFHAC2206");
    user.expect("AEXY");
    drop((user, edf, operator));
    assert_eq!(region.stop(), 0);
}

/// The terminal with the displays goes: the task continues without them.
#[test]
fn a_terminal_that_goes_ends_edf() {
    let (region, _data) = start();
    let (mut user, name) = tested(&region);
    let mut edf = Terminal::connect(region.port);
    edf.transaction(&format!("CEDF {name}"));
    edf.expect("EDF MODE ON");
    leave_in(&mut user, "EDFA");
    edf.expect("PROGRAM INITIATION");
    drop(edf);
    user.expect("READ: WRITTEN BY EDFA      RESP: 000");
    leave_in(&mut user, "EDFA");
    user.expect("READ: WRITTEN BY EDFA      RESP: 000");
    // At its own terminal the task ends with its displays.
    let mut own = Terminal::connect(region.port);
    own.transaction("CEDF");
    own.expect("THIS TERMINAL: EDF MODE ON");
    own.transaction("EDFA");
    own.expect("PROGRAM INITIATION");
    drop(own);
    leave_in(&mut user, "EDFA");
    user.expect("READ: WRITTEN BY EDFA      RESP: 000");
    drop(user);
    assert_eq!(region.stop(), 0);
}

/// CEDG and CEDY look and change nothing.
#[test]
fn the_read_only_forms_change_nothing() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CEDG");
    terminal.expect("THIS TERMINAL: EDF MODE ON");
    terminal.transaction("EDFA");
    terminal.expect("PROGRAM INITIATION");
    terminal.enter();
    terminal.expect("EXEC CICS WRITEQ TS");
    terminal.move_to(5, 10);
    terminal.type_text("CHANGED");
    terminal.enter();
    terminal.expect("EDF IS IN READ-ONLY MODE");
    terminal.expect("FROM ('WRITTEN BY EDFA     ')");
    terminal.pf(12);
    terminal.expect("EDF IS IN READ-ONLY MODE");
    terminal.pf(4);
    terminal.expect("TASK TERMINATION");
    terminal.enter();
    terminal.expect("READ: WRITTEN BY EDFA      RESP: 000");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Twenty tasks under EDF: one after the other at the terminal with the displays, while others run.
#[test]
fn twenty_tasks_take_turns_at_the_terminal() {
    let (region, _data) = start();
    let mut edf = Terminal::connect(region.port);
    let mut user = Terminal::connect(region.port);
    edf.transaction("CEDX EDFB");
    edf.expect("TRANSACTION EDFB: EDF MODE ON");
    user.transaction("EDFS 20");
    user.expect("EDFB IS STARTED");
    let mut seen = Vec::new();
    for _ in 0..3 {
        edf.expect("PROGRAM INITIATION");
        seen.push(task_number(&mut edf));
        edf.pf(4);
        edf.expect("TASK TERMINATION");
        edf.move_to(18, 65);
        edf.type_text("YES");
        edf.enter();
    }
    seen.dedup();
    assert_eq!(seen.len(), 3, "three tasks");
    // Meanwhile the region works.
    user.transaction("EDFT");
    user.expect("TERMINAL: ");
    // The end of the session ends it for the tasks that wait.
    edf.expect("PROGRAM INITIATION");
    edf.pf(3);
    edf.expect("TRANSACTION EDFB: EDF MODE OFF");
    user.transaction("CEMT I TASK");
    user.expect("SYSID");
    let running = user.text().iter().filter(|line| line.contains("EDFB")).count();
    assert_eq!(running, 0, "no task of EDFB waits");
    drop((user, edf));
    assert_eq!(region.stop(), 0);
}
