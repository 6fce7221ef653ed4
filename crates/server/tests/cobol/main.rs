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
#[path = "../scratch/mod.rs"]
mod scratch;

use cobol_support::Setup;
use csd::Definition;
use region::Task;
use region::name::Name8;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, mpsc};
use std::time::Duration;

type Reports = Mutex<HashMap<String, mpsc::Sender<Vec<u8>>>>;

fn reports() -> &'static Reports {
    static REPORTS: OnceLock<Reports> = OnceLock::new();
    REPORTS.get_or_init(Mutex::default)
}

fn report(task: &mut Task) -> Result<(), region::Raised> {
    let bytes = task.level().unwrap().commarea.read()?;
    let transid = task.transid.to_string();
    if let Some(sender) = reports().lock().unwrap().get(&transid) {
        let _ = sender.send(bytes);
    }
    Ok(())
}

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let setup = Setup::start("COBOLREG");
        setup.region.programs().install_native(Name8::new("REPORT"), report);
        setup
    })
}

fn compile(name: &str, working_storage: &str, linkage: &str, procedure: &str) {
    setup().compile(name, working_storage, linkage, procedure);
}

fn define(transid: &str, program: &str, attributes: &[(&'static str, &str)]) {
    let region = setup().region;
    let mut definition = Definition::new("PROGRAM", program, "TEST");
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    region.install(&definition).unwrap();
    if !transid.is_empty() {
        setup().define_transaction(transid, program);
    }
}

fn start(transid: &str) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    reports().lock().unwrap().insert(transid.to_string(), sender);
    attach(transid);
    receiver
}

fn attach(transid: &str) {
    setup().attach(transid);
}

/// The report of a transaction as text.
fn reported(transid: &str) -> String {
    let receiver = start(transid);
    let bytes = receiver.recv_timeout(Duration::from_secs(10)).unwrap_or_else(|_| panic!("no report; {:#?}", setup().lines()));
    setup().region.code_page.text(&bytes)
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

const REPORT: &str = "EXEC CICS LINK PROGRAM('REPORT')\n       COMMAREA(WS-REPORT) END-EXEC";
