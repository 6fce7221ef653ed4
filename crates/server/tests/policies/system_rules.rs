//! System rules: states of files, programs and bundles, abends, messages, the number of tasks.

use crate::support::{bundle, install, policy, program, run, setup};
use csd::Definition;
use vsam::idcams::{DdResolver, DdTarget, IdcamsOptions, run as idcams};

pub fn rule(name: &str, kind: &str, filters: &str) -> String {
    format!(
        "<rule group=\"SYSTEM\" type=\"{kind}\"><name>{name}</name><description/><{kind}Condition><contextFilter><TRANSACTION_ID filterOperator=\"OFF\" filterValue=\"\"/><USER_ID filterOperator=\"OFF\" filterValue=\"\"/></contextFilter><{kind}Filter>{filters}</{kind}Filter></{kind}Condition><action><message/></action></rule>"
    )
}

pub fn filter(field: &str, operator: &str, value: &str) -> String {
    format!("<{field} filterOperator=\"{operator}\" filterValue=\"{value}\"/>")
}

fn told(rule: &str) -> Vec<String> {
    let name = format!("system rule {rule} ");
    setup().lines().into_iter().filter(|line| line.starts_with("DFHMP3009") && line.contains(&name)).collect()
}

#[test]
fn a_program_that_is_disabled_and_an_abend_that_nobody_handles_are_told() {
    let rules = rule("prog_off", "programEnable", &(filter("PROGRAM", "EQ", "PLSYS00") + &filter("TO_ENABLESTATUS", "EQ", "DISABLED")))
        + &rule("abend_zz", "unhandledAbend", &filter("ABEND_CODE", "SW", "ZZ"))
        + &rule("abend_msg", "message", &filter("MESSAGE_ID", "EQ", "DFHAC2236"));
    install("SYB1", &bundle("SYB1", &[("POLICY", "SYSPOL1", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    program("", "PLSYS00", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program(
        "SYS1",
        "PLSYS01",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SET PROGRAM('PLSYS00') DISABLED END-EXEC.\n    EXEC CICS SET PROGRAM('PLSYS00') ENABLED END-EXEC.\n    EXEC CICS ABEND ABCODE('ZZ99') END-EXEC.",
    );
    run("SYS1");
    let program = told("prog_off");
    assert_eq!(program.len(), 1, "{program:#?}");
    assert!(program[0].contains("(SYS1)") && program[0].contains("PLSYS00, FROM=ENABLED, TO=DISABLED"), "{program:#?}");
    assert!(told("abend_zz").iter().any(|line| line.contains("ZZ99")), "{:#?}", setup().lines());
    assert!(!told("abend_msg").is_empty(), "{:#?}", setup().lines());
}

/// No DD statement is there.
struct NoDd;

impl DdResolver for NoDd {
    fn resolve_dd(&self, _: &str) -> Option<DdTarget> {
        None
    }
}

#[test]
fn a_file_is_told_when_it_opens_closes_and_changes_its_enable_status() {
    let region = setup().region;
    let define = "  DEFINE CLUSTER (NAME(POLICY.FILE) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1))";
    let outcome = idcams(&region.data_sets, define, &NoDd, &IdcamsOptions { ccsid: 37, progress: None });
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
    region.install(&Definition::new("FILE", "POLFILE", "TEST").with("DSNAME", "POLICY.FILE").with("STATUS", "ENABLED")).unwrap();
    let of_file = |field: &str, to: &str| filter("FILE", "EQ", "POLFILE") + &filter(field, "EQ", to);
    let rules = rule("opened", "fileOpen", &of_file("TO_OPENSTATUS", "OPEN"))
        + &rule("closed", "fileOpen", &of_file("TO_OPENSTATUS", "CLOSED"))
        + &rule("unenabled", "fileEnable", &of_file("TO_ENABLESTATUS", "UNENABLED"))
        + &rule("enabled", "fileEnable", &of_file("TO_ENABLESTATUS", "ENABLED"));
    install("SYB2", &bundle("SYB2", &[("POLICY", "SYSPOL2", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    program(
        "SYS2",
        "PLSYS02",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SET FILE('POLFILE') OPEN END-EXEC.\n    EXEC CICS SET FILE('POLFILE') CLOSED END-EXEC.\n    EXEC CICS SET FILE('POLFILE') ENABLED END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("SYS2");
    for (name, change) in [
        ("opened", "POLFILE, FROM=CLOSED, TO=OPEN"),
        ("closed", "POLFILE, FROM=OPEN, TO=CLOSED"),
        ("unenabled", "POLFILE, FROM=ENABLED, TO=UNENABLED"),
        ("enabled", "POLFILE, FROM=UNENABLED, TO=ENABLED"),
    ] {
        let lines = told(name);
        assert!(lines.len() == 1 && lines[0].contains(change), "{name}: {lines:#?}\n{:#?}", setup().lines());
    }
}

#[test]
fn a_bundle_that_is_disabled_is_told() {
    let rules = rule("bundle_off", "bundleEnable", &filter("BUNDLE", "EQ", "SYB4"));
    install("SYB3", &bundle("SYB3", &[("POLICY", "SYSPOL3", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    install("SYB4", &bundle("SYB4", &[]), "ENABLED").unwrap();
    program(
        "SYS3",
        "PLSYS03",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SET BUNDLE('SYB4') DISABLED END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("SYS3");
    let lines = told("bundle_off");
    assert!(lines.len() == 1 && lines[0].contains("SYB4, FROM=ENABLED, TO=DISABLED"), "{lines:#?}");
}
