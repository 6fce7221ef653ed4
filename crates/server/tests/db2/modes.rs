//! TCB modes of statements and syncpoints (tables 4-1 to 4-3), and the change modes that each costs.

use super::support::*;
use kernel::Mode;

const STATEMENTS: &[&str] = &["select 1"];
const CALLS: u64 = 5;

/// The mode after a statement, and the changes of mode of some statements.
fn modes(transid: &str, concurrency: &str) -> (Mode, u64) {
    run(transid, concurrency, STATEMENTS, |task, program| {
        // The first statement gets the open TCB.
        program.run(task, 0)?;
        let before = task.kernel.times().change_modes;
        for _ in 0..CALLS {
            program.run(task, 0)?;
        }
        Ok((task.kernel.mode(), task.kernel.times().change_modes - before))
    })
    .unwrap()
}

#[test]
fn statements_change_modes_as_the_definition_of_the_program_says() {
    assert_eq!(modes("MO01", "QUASIRENT"), (Mode::Qr, 2 * CALLS));
    assert_eq!(modes("MO02", "THREADSAFE"), (Mode::L8, 0));
    assert_eq!(modes("MO03", "REQUIRED"), (Mode::L8, 0));
    // Without storage protection OPENAPI is L8 for every key.
    assert_eq!(modes("MO04", "OPENAPI"), (Mode::L8, 0));
}

#[test]
fn a_syncpoint_of_a_required_program_stays_on_its_open_tcb() {
    let (mode, changes) = run("MO05", "REQUIRED", STATEMENTS, |task, program| {
        program.run(task, 0)?;
        let before = task.kernel.times().change_modes;
        syncpoint(task)?;
        Ok((task.kernel.mode(), task.kernel.times().change_modes - before))
    })
    .unwrap();
    assert_eq!((mode, changes), (Mode::L8, 0));
}

#[test]
fn the_database_ends_units_of_work_of_other_programs_on_l8_too() {
    let (mode, changes) = run("MO06", "QUASIRENT", STATEMENTS, |task, program| {
        program.run(task, 0)?;
        let before = task.kernel.times().change_modes;
        syncpoint(task)?;
        Ok((task.kernel.mode(), task.kernel.times().change_modes - before))
    })
    .unwrap();
    assert_eq!((mode, changes), (Mode::Qr, 2));
}
