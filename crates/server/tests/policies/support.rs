//! A region, and bundles on disk.

use crate::bundle_support::write_bundle;
pub use crate::cobol_support::REPORT;
use crate::cobol_support::Setup;
use csd::Definition;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

pub fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| Setup::start("POLICREG"))
}

pub fn define(transid: &str, program: &str) {
    setup().define_program(program, &[]);
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
    setup().reported(transid)
}

/// Compiles and runs a program that reports what it finds in `WS-REPORT`; its report as text.
pub fn reported_after(transid: &str, name: &str, working_storage: &str, statements: &str) -> String {
    program(transid, name, working_storage, &format!("MAIN.\n{statements}\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."));
    reported(transid)
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

/// The directory of a new bundle with these parts: type, name, file, text.
pub fn bundle(name: &str, parts: &[(&str, &str, &str, &str)]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundles").join(name);
    write_bundle(&directory, &format!("{name}.id"), parts);
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
