//! A region, bundles on disk, and programs that report to the test.

use crate::cobol_support::Setup;
use csd::Definition;
use region::Task;
use region::name::Name8;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, mpsc};
use std::time::Duration;

const NAMESPACE: &str = "http://www.ibm.com/xmlns/prod/cics/bundle";

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

pub fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let setup = Setup::start("POLICREG");
        setup.region.programs().install_native(Name8::new("REPORT"), report);
        setup
    })
}

pub const REPORT: &str = "EXEC CICS LINK PROGRAM('REPORT')\n       COMMAREA(WS-REPORT) END-EXEC";

pub fn define(transid: &str, program: &str) {
    setup().region.install(&Definition::new("PROGRAM", program, "TEST")).unwrap();
    if !transid.is_empty() {
        setup().define_transaction(transid, program);
    }
}

/// Compiles a program and defines its transaction.
pub fn program(transid: &str, name: &str, working_storage: &str, procedure: &str) {
    setup().compile(name, working_storage, "", procedure);
    define(transid, name);
}

/// Runs a transaction; its report as text.
pub fn reported(transid: &str) -> String {
    let (sender, receiver) = mpsc::channel();
    reports().lock().unwrap().insert(transid.to_string(), sender);
    setup().attach(transid);
    let bytes = receiver.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("no report; {:#?}", setup().lines()));
    setup().region.code_page.text(&bytes)
}

/// Runs a transaction to its end; its messages.
pub fn run(transid: &str) -> Vec<String> {
    let region = setup().region;
    let number = setup().attach(transid);
    // The dispatcher knows a task from its attach to its end, the transaction manager from its first dispatch.
    let limit = Duration::from_secs(20);
    testing::eventually_within(limit, "the end of the task", || {
        region.dispatcher.task_by_number(number).is_none() && region.transactions().task(number).is_none()
    });
    let task = format!("Task {number:05}({transid})");
    let of_task = |line: &&String| line.contains(&task) || line.contains(&format!("Transaction {transid} "));
    setup().lines().iter().filter(of_task).cloned().collect()
}

/// A directory with a manifest of these parts: type, name, file, text.
pub fn bundle(name: &str, parts: &[(&str, &str, &str, &str)]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundles").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    let defines: String = parts
        .iter()
        .map(|(kind, part, file, _)| format!("<define name=\"{part}\" type=\"{NAMESPACE}/{kind}\" path=\"{file}\"/>\n"))
        .collect();
    let manifest = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<manifest xmlns=\"{NAMESPACE}\" id=\"{name}.id\" bundleMajorVer=\"1\" bundleMinorVer=\"2\" bundleMicroVer=\"3\">\n{defines}</manifest>\n"
    );
    std::fs::write(directory.join("META-INF/cics.xml"), manifest).unwrap();
    for (_, _, file, text) in parts {
        std::fs::write(directory.join(file), text).unwrap();
    }
    directory
}

pub fn policy(rules: &str) -> String {
    format!(
        "<policy:policy xmlns:policy=\"http://www.ibm.com/xmlns/prod/cics/managedplatform/policy\" policySchemaVersion=\"4\" policySchemaRelease=\"0\"><description/><userTag>TEST</userTag>{rules}</policy:policy>"
    )
}

/// A task rule for one transaction.
pub fn limit(name: &str, transid: &str, (kind, condition, item): (&str, &str, &str), (value, unit): (u64, &str), action: &str) -> String {
    format!(
        "<rule type=\"{kind}\"><name>{name}</name><description/><{condition} item=\"{item}\" operator=\"GT\" unit=\"{unit}\" value=\"{value}\"><contextFilter><TRANSACTION_ID filterOperator=\"EQ\" filterValue=\"{transid}\"/><USER_ID filterOperator=\"OFF\" filterValue=\"\"/></contextFilter></{condition}><action>{action}</action></rule>"
    )
}

pub fn install(name: &str, directory: &Path, status: &str) -> Result<(), String> {
    let definition = Definition::new("BUNDLE", name, "TESTGRP").with("BUNDLEDIR", &directory.display().to_string()).with("STATUS", status);
    setup().region.install(&definition)
}

/// Installs a bundle with one policy of these rules.
pub fn install_policy(name: &str, rules: &str) {
    let directory = bundle(name, &[("POLICY", &format!("{name}P"), "rules.policy", &policy(rules))]);
    install(name, &directory, "ENABLED").unwrap();
}
