//! System rules: states of programs and bundles, abends, messages.

use crate::support::{bundle, install, policy, program, run, setup};

fn rule(name: &str, kind: &str, filters: &str) -> String {
    format!(
        "<rule group=\"SYSTEM\" type=\"{kind}\"><name>{name}</name><description/><{kind}Condition><contextFilter><TRANSACTION_ID filterOperator=\"OFF\" filterValue=\"\"/><USER_ID filterOperator=\"OFF\" filterValue=\"\"/></contextFilter><{kind}Filter>{filters}</{kind}Filter></{kind}Condition><action><message/></action></rule>"
    )
}

fn filter(field: &str, operator: &str, value: &str) -> String {
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
