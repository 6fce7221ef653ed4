//! User exits in COBOL: the commands that enable them, and the exit points of commands, programs, abends and monitoring.
//!
//! Expected values are from "Global user exit points (by function)" and the pages of the commands. Exits are called for all tasks of the region,
//! so one test runs at a time.

mod association;
#[path = "../cobol_support/mod.rs"]
mod cobol_support;
mod commands;
mod control;
mod domains;
mod failures;
#[path = "../managers/mod.rs"]
mod managers;
mod replaceable;
mod requests;
mod resync;
#[path = "../scratch/mod.rs"]
mod scratch;
mod services;
mod sources;
mod task_related;
mod terminals;

use cobol_support::{REPORT, Setup};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let setup = Setup::start_with("EXITREG", |config| config.sit.apply("AIEXIT=ZATDX").unwrap());
        // The tasks of the region that call exit programs.
        setup.define_transaction("CRSY", "DFHRMXN3");
        setup.define_transaction("CSSY", "DFHAPATT");
        setup.define_transaction("CATA", "DFHZATA");
        setup.define_transaction("CATD", "DFHZATD");
        setup
    })
}

/// The test has the region alone while it holds this.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn define(program: &str) {
    setup().define_program(program, &[]);
}

/// An exit program: its data, and its statements behind the addressing of the global work area.
fn exit_program(name: &str, point: &str, linkage: &str, procedure: &str) {
    let linkage = format!("01 DFHCOMMAREA.\n    COPY {point}.\n{linkage}");
    setup().compile(name, "01 DFHUEXIT-AREA.\n    05 FILLER PIC X.\nCOPY DFHUEXIT.", &linkage, procedure);
    define(name);
}

/// Compiles a program, runs it as a transaction, and returns what it reports.
fn run(transid: &str, program: &str, working_storage: &str, linkage: &str, procedure: &str) -> String {
    setup().compile(program, working_storage, linkage, &format!("{procedure}\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."));
    define(program);
    setup().define_transaction(transid, program);
    again(transid)
}

/// Runs a transaction that has been run before.
fn again(transid: &str) -> String {
    let reports = setup().reports_of(transid);
    let number = setup().attach(transid);
    let report = setup().report_in(&reports);
    wait_for_end(number);
    report
}

fn wait_for_end(number: u32) {
    for _ in 0..2_000 {
        if setup().region.dispatcher.task_by_number(number).is_none() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("task {number} does not end");
}

fn says(words: &[&str]) -> bool {
    (0..1_000).any(|_| {
        let found = setup().lines().iter().any(|line| words.iter().all(|word| line.contains(word)));
        if !found {
            std::thread::sleep(Duration::from_millis(10));
        }
        found
    })
}
