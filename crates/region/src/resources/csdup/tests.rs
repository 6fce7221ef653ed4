//! Statements of the utility: their effects, and the messages for those that cannot be executed.

use super::*;

fn run(csd: &mut Csd, text: &str) -> Report {
    execute(csd, text, "test")
}

#[test]
fn a_misspelt_keyword_names_the_one_that_was_meant() {
    let mut csd = Csd::initialized();
    let report = execute(&mut csd, "DEFINE TRANSACTION(AB01) GROUP(G) PROGRM(P)\nDEFINE TRANSCATION(AB02) GROUP(G) PROGRAM(P)\n", "t.csd");
    assert!(report.text.contains("PROGRM IS NOT AN ATTRIBUTE OF TRANSACTION; EXPECTED PROGRAM\n"), "{}", report.text);
    assert!(report.text.contains("TRANSCATION IS NOT A RESOURCE TYPE; EXPECTED TRANSACTION\n"), "{}", report.text);
}

#[test]
fn the_supplied_groups_are_correct() {
    let csd = Csd::initialized();
    assert!(csd.list("DFHLIST").unwrap().len() > 5);
    assert!(csd.group("DFHOPER").any(|d| d.name == "CEMT"));
}

#[test]
fn define_alter_copy_list_delete() {
    let mut csd = Csd::default();
    let report = run(&mut csd, "DEFINE PROGRAM(P1) GROUP(G1) LANG(COBOL)\nDEFINE TRANS(T1) GROUP(G1) PROG(P1)\nADD GROUP(G1) LIST(L1)\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    assert_eq!(report.groups, ["G1"]);
    let report = run(&mut csd, "ALTER PROGRAM(P*) GROUP(G1) EXECKEY(CICS)\nCOPY GROUP(G1) TO(G2)\nLIST GROUP(G2) OBJECTS\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    assert!(report.text.contains("EXECKEY(CICS)"));
    let report = run(&mut csd, "DELETE PROGRAM(P1) GROUP(G1)\nDELETE GROUP(G2)\nREMOVE GROUP(G1) LIST(L1)\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    assert!(csd.list("L1").is_none());
    assert!(!csd.has_group("G2"));
    assert_eq!(csd.group("G1").count(), 1);
}

#[test]
fn every_fault_of_a_statement_is_reported_and_nothing_defined() {
    let mut csd = Csd::default();
    let report = run(&mut csd, "DEFINE PROGRAM(P1) GROUP(G1)\n  EXECKEY(BOTH)\n  COLOUR(RED)\n  API(OPENAPI)\n");
    assert_eq!(report.return_code, 8);
    assert!(report.text.contains("LINE 2: BOTH is not a value of EXECKEY"));
    assert!(report.text.contains("LINE 3: COLOUR IS NOT AN ATTRIBUTE OF PROGRAM"));
    assert!(!csd.has_group("G1"));
    let report = run(&mut csd, "DEFINE PROGRAM(P2) GROUP(DFHX)\nDEFINE TRANSACTION(T2) GROUP(G)\nLIST GROUP(NONE)\n");
    assert_eq!(report.commands_in_error, 3);
    assert!(report.text.contains("TRANSACTION T2 NEEDS PROGRAM"));
}

#[test]
fn a_temporary_storage_model_has_one_prefix_and_one_place() {
    for (attributes, fault) in [
        ("PREFIX(ABC) POOLNAME(POOL1)", ""),
        ("XPREFIX(C1C2) REMOTESYSTEM(SYSB) REMOTEPREFIX(X)", ""),
        ("PREFIX(ABCDEFGHIJKLMNOP) RECOVERY(YES) LOCATION(MAIN) POOLNAME(POOL1)", ""),
        ("POOLNAME(POOL1)", "NEEDS PREFIX OR XPREFIX"),
        ("REMOTESYSTEM(SYSB)", "NEEDS PREFIX OR XPREFIX"),
        ("PREFIX(A) XPREFIX(C1)", "PREFIX AND XPREFIX EXCLUDE EACH OTHER"),
        ("PREFIX(A) POOLNAME(POOL1) REMOTESYSTEM(SYSB)", "POOLNAME AND REMOTESYSTEM EXCLUDE EACH OTHER"),
        ("XPREFIX(C1C)", "XPREFIX NEEDS PAIRS OF HEXADECIMAL DIGITS"),
        ("XPREFIX(C1CG)", "XPREFIX NEEDS PAIRS OF HEXADECIMAL DIGITS"),
        ("PREFIX(ABCDEFGHIJKLMNOPQ)", "PREFIX"),
    ] {
        let mut csd = Csd::default();
        let report = run(&mut csd, &format!("DEFINE TSMODEL(M1) GROUP(G1) {attributes}\n"));
        assert_eq!(report.return_code == 0, fault.is_empty(), "{attributes}: {}", report.text);
        assert!(report.text.contains(fault), "{attributes}: {}", report.text);
        assert_eq!(csd.has_group("G1"), fault.is_empty());
    }
}

#[test]
fn generic_names() {
    assert!(matches_name("AB*", "ABCD"));
    assert!(matches_name("A+C*", "ABC"));
    assert!(!matches_name("A+C", "ABCD"));
}

#[test]
fn a_job_stops_after_an_error_but_still_lists() {
    let mut csd = Csd::default();
    let report = execute_job(&mut csd, "DEFINE X(1) GROUP(G)\nDEFINE PROGRAM(P) GROUP(G)\nLIST ALL\n", "test");
    assert!(!csd.has_group("G"));
    assert!(report.text.contains("DFH5104"));
}
