//! Policies of applications and policy scopes, and the system rule about the availability of bundles.

use crate::support::{Part, application, ended, install, open, program, set_bundle, setup};

fn policy(rules: &str) -> String {
    format!(
        "<policy:policy xmlns:policy=\"http://www.ibm.com/xmlns/prod/cics/managedplatform/policy\" policySchemaVersion=\"4\" policySchemaRelease=\"0\"><description/><userTag>TEST</userTag>{rules}</policy:policy>"
    )
}

/// A message at the second ASKTIME of a task.
fn rule(name: &str) -> String {
    format!(
        "<rule type=\"execcicsrequest\"><name>{name}</name><description/><execCicsRequestCondition item=\"execcicscommand\" operator=\"GT\" unit=\"\" value=\"3\"/><action><message/></action></rule>"
    )
}

/// The tasks that exceeded the threshold of a rule.
fn told(rule: &str) -> Vec<String> {
    let name = format!("RuleName={rule},");
    setup().lines().into_iter().filter(|line| line.starts_with("DFHMP3001") && line.contains(&name)).collect()
}

const BUSY: &str = "MAIN.\n    PERFORM 6 TIMES EXEC CICS ASKTIME END-EXEC END-PERFORM.\n";

/// A policy of a bundle of no application with a policy scope is for tasks that enter by the operation.
#[test]
fn a_policy_scope_is_for_the_tasks_of_its_operation() {
    let parts = [
        Part::Policy("SCOPED", &policy(&rule("scoped"))),
        Part::Scope("SCOPED", "enter"),
        Part::Entry("TRANSACTION", "SC01", "enter"),
        Part::Entry("TRANSACTION", "SC02", "other"),
    ];
    for (transid, name) in [("SC01", "SCPGM01"), ("SC02", "SCPGM02"), ("SC03", "SCPGM03")] {
        program(transid, name, "01 WS-X PIC X.", &format!("{BUSY}    EXEC CICS RETURN END-EXEC."));
    }
    install("SCO0", "", &parts).unwrap();
    open("SCO1", "SCO0");
    for transid in ["SC01", "SC02", "SC03"] {
        ended(setup().attach(transid));
    }
    let lines = told("scoped");
    assert!(lines.len() == 1 && lines[0].contains("(SC01)"), "{lines:#?}");
}

/// A task that enters the application late is compared with what it has used before, once.
#[test]
fn a_policy_of_an_application_is_for_its_tasks_from_their_entry() {
    application("SCA0", "scoping", [1, 0, 0], "SCAENTRY", "SCASUB");
    install("SCA1", "cicsapplication://plat/scoping/1/0/0", &[Part::Policy("OFAPPL", &policy(&rule("of_application")))]).unwrap();
    install("SCA2", "", &[Part::Policy("OFALL", &policy(&rule("of_region")))]).unwrap();
    open("SCO2", "SCA0");
    let invoke = "    EXEC CICS INVOKE APPLICATION('scoping') PLATFORM('plat')\n       OPERATION('browse') END-EXEC.\n";
    program("SC04", "SCPGM04", "01 WS-X PIC X.", &format!("{BUSY}{invoke}    EXEC CICS ASKTIME END-EXEC.\n    EXEC CICS RETURN END-EXEC."));
    program("SC05", "SCPGM05", "01 WS-X PIC X.", &format!("{BUSY}    EXEC CICS RETURN END-EXEC."));
    let tasks = [setup().attach("SC04"), setup().attach("SC05")];
    tasks.into_iter().for_each(ended);
    let of = |rule: &str, transid: &str| told(rule).iter().filter(|line| line.contains(&format!("({transid})"))).count();
    assert_eq!((of("of_application", "SC04"), of("of_application", "SC05")), (1, 0), "{:#?}", told("of_application"));
    assert_eq!((of("of_region", "SC04"), of("of_region", "SC05")), (1, 1), "a rule acts once in a task");
}

#[test]
fn a_bundle_that_becomes_available_is_told() {
    let rules = "<rule group=\"SYSTEM\" type=\"bundleAvailable\"><name>told_available</name><description/><bundleAvailableCondition><contextFilter><TRANSACTION_ID filterOperator=\"OFF\" filterValue=\"\"/><USER_ID filterOperator=\"OFF\" filterValue=\"\"/></contextFilter><bundleAvailableFilter><BUNDLE filterOperator=\"EQ\" filterValue=\"SCB1\"/><TO_AVAILSTATUS filterOperator=\"OFF\" filterValue=\"\"/></bundleAvailableFilter></bundleAvailableCondition><action><message/></action></rule>";
    install("SCB0", "", &[Part::Policy("TELL", &policy(rules))]).unwrap();
    setup().define_transaction("SCBT", "NOTTHERE");
    for name in ["SCB1", "SCB2"] {
        install(name, &format!("cicsapplication://plat/{name}/1/0/0"), &[Part::Entry("TRANSACTION", "SCBT", "x")]).unwrap();
    }
    open("SCO3", "SCB1");
    assert_eq!(set_bundle("SCS1", "SCB1", "UNAVAILABLE"), "00000000");
    open("SCO4", "SCB2");
    let lines: Vec<String> = setup().lines().into_iter().filter(|line| line.contains("told_available")).collect();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(
        lines[0].contains("SCB1, FROM=UNAVAILABLE, TO=AVAILABLE") && lines[1].contains("SCB1, FROM=AVAILABLE, TO=UNAVAILABLE"),
        "{lines:#?}"
    );
}
