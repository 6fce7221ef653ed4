//! Compiled COBOL programs in a region: commands, levels, conditions, abends and re-entrancy as a program sees them.
//!
//! Each program reports by LINK to REPORT, a native program that passes the communication area to the test.

mod abends;
#[path = "../cobol_support/mod.rs"]
mod cobol_support;
mod conditions;
mod database;
mod levels;
mod libraries;
#[path = "../managers/mod.rs"]
mod managers;
mod monitor;
#[path = "../scratch/mod.rs"]
mod scratch;

use cobol_support::{REPORT, Setup};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| Setup::start("COBOLREG"))
}

fn compile(name: &str, working_storage: &str, linkage: &str, procedure: &str) {
    setup().compile(name, working_storage, linkage, procedure);
}

fn define(transid: &str, program: &str, attributes: &[(&'static str, &str)]) {
    setup().define_program(program, attributes);
    if !transid.is_empty() {
        setup().define_transaction(transid, program);
    }
}

fn start(transid: &str) -> mpsc::Receiver<Vec<u8>> {
    let reports = setup().reports_of(transid);
    attach(transid);
    reports
}

fn attach(transid: &str) {
    setup().attach(transid);
}

/// The report of a transaction as text.
fn reported(transid: &str) -> String {
    setup().reported(transid)
}

fn message_with(words: &[&str]) -> bool {
    // A runaway task uses a second of processor time first, which on a busy machine is many seconds.
    for _ in 0..6_000 {
        if setup().lines().iter().any(|line| words.iter().all(|word| line.contains(word))) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}
