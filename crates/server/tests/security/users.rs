//! Who the users of tasks are: START USERID, surrogates, ASSIGN, default user; the start of the region.

use crate::cobol_support::REPORT;
use crate::support::{compile, define, refused_for, region, reported_for, setup, wait_for_message};
use csd::Definition;

const STORAGE: &str = "01 WS-RESP PIC S9(8) COMP VALUE -1.
01 WS-RESP2 PIC S9(8) COMP VALUE -1.
01 WS-REPORT.
   05 RP-USER PIC X(8).
   05 PIC X VALUE SPACE.
   05 RP-NAME PIC X(20).
   05 PIC X VALUE SPACE.
   05 RP-OPID PIC X(3).
   05 PIC X VALUE SPACE.
   05 RP-RESP PIC -999.
   05 PIC X VALUE SPACE.
   05 RP-RESP2 PIC -999.";
const LINKAGE: &str = "01 DFHCOMMAREA.\n   05 LK-TRAN PIC X(4).\n   05 LK-USER PIC X(8).";

fn define_programs() {
    let report = REPORT.replace('\n', "\n    ");
    let who = format!(
        "    EXEC CICS ASSIGN USERID(RP-USER) USERNAME(RP-NAME) OPID(RP-OPID) END-EXEC
    MOVE 0 TO RP-RESP RP-RESP2
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    compile("USERWHO", STORAGE, "", &who);
    let start = format!(
        "    EXEC CICS START TRANSID(LK-TRAN) USERID(LK-USER) RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE SPACES TO RP-USER RP-NAME RP-OPID
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    compile("USERSTRT", STORAGE, LINKAGE, &start);
    define("TUWH", "USERWHO", &[]);
    define("XUWH", "USERWHO", &[]);
    define("TUST", "USERSTRT", &[]);
}

fn codes(report: &str) -> Vec<i32> {
    report.split_whitespace().rev().take(2).map(|number| number.parse().unwrap()).collect::<Vec<_>>().into_iter().rev().collect()
}

#[test]
fn assign_returns_what_the_database_says_of_the_user() {
    define_programs();
    assert!(reported_for("TELLER", "TUWH", "").starts_with("TELLER   TOM TELLER           TOM"));
    assert!(reported_for("SUPER", "TUWH", "").starts_with("SUPER   "));
}

#[test]
fn a_started_task_is_checked_as_its_own_user() {
    define_programs();
    let message = refused_for("LONER", "TUWH");
    assert!(message.contains("DFHAC2033"), "{message}");
    wait_for_message(&["DFHXS1111", "LONER", "resource TUWH in class TCICSTRN"]);
    let message = refused_for("NOBODY", "NONE");
    assert!(message.contains("DFHAC2001"), "a transaction that is not there is told first: {message}");
    let message = refused_for("REVOKED", "TUWH");
    assert!(message.contains("DFHAC2033"), "{message}");
}

#[test]
fn start_userid_needs_a_surrogate() {
    define_programs();
    let start = |user: &str, transid: &str, other: &str| codes(&reported_for(user, "TUST", &format!("{transid:<4}{other:<8}")));
    assert_eq!(start("TELLER", "TUWH", "BATCH"), [70, 9]);
    wait_for_message(&["DFHXS1111", "TELLER", "resource BATCH.DFHSTART in class SURROGAT"]);
    assert_eq!(start("TELLER", "TUWH", "NOBODY"), [69, 8]);
    // Everybody is his own surrogate.
    assert_eq!(start("TELLER", "TUWH", "TELLER"), [0, 0]);
    // The surrogate may start it, and the task is then checked as the other's: BATCH may not run it.
    assert_eq!(start("SUPER", "XUWH", "BATCH"), [0, 0]);
    wait_for_message(&["DFHXS1111", "BATCH", "resource XUWH in class TCICSTRN"]);
    wait_for_message(&["DFHIC0360", "XUWH", "not authorized"]);
}

#[test]
fn the_start_tells_what_protects_the_region() {
    let lines = setup().lines();
    let has = |parts: [&str; 2]| assert!(lines.iter().any(|line| parts.iter().all(|part| line.contains(part))), "{parts:?} in {lines:#?}");
    has(["DFHXS1100", "started"]);
    has(["DFHXS1101", "ended"]);
    has(["DFHXS1103", "CICSUSER"]);
    for class in ["TCICSTRN", "FCICSFCT", "SCICSTST", "DCICSDCT", "MCICSPPT", "ACICSPCT", "JCICSJCT", "RCICSRES", "CCICSCMD"] {
        has(["DFHXS1105", class]);
    }
    let figures = region().registry.domains().iter().filter_map(|domain| domain.statistics).flat_map(|of| of(region()));
    assert!(figures.into_iter().any(|figures| figures.resource == "USER"));
}

/// Commands that put a user into a resource (userid.DFHINSTL): RESP2 102, whatever CMDSEC and RESSEC say.
#[test]
fn a_resource_that_names_a_user_needs_a_surrogate() {
    let queue = Definition::new("TDQUEUE", "ATIQ", "TEST").with("TYPE", "INTRA").with("TRANSID", "TUWH").with("TRIGGERLEVEL", "5");
    region().install(&queue).unwrap();
    let report = REPORT.replace('\n', "\n    ");
    let commands = [
        ("CREATE TDQUEUE('ATI2') ATTRIBUTES(WS-ATTRIBUTES) ATTRLEN(100)", "TYPE(INTRA) ATIF(FILE) TRANSID(TUWH) USERID(BATCH)"),
        ("CREATE TERMINAL('PRE9') ATTRIBUTES(WS-ATTRIBUTES) ATTRLEN(100)", "NETNAME(LUPRE9) TYPETERM(DFHLU2E2) USERID(BATCH)"),
        ("CREATE DB2CONN('CONN') ATTRIBUTES(WS-ATTRIBUTES) ATTRLEN(100)", "AUTHID(BATCH)"),
        ("CREATE DB2CONN('CONN') ATTRIBUTES(WS-ATTRIBUTES) ATTRLEN(100)", "COMAUTHID(BATCH)"),
        ("CREATE DB2ENTRY('ENTRY') ATTRIBUTES(WS-ATTRIBUTES) ATTRLEN(100)", "AUTHID(BATCH)"),
        ("SET TDQUEUE('ATIQ') ATIUSERID('BATCH')", ""),
        ("SET DB2CONN AUTHID('BATCH')", ""),
        ("SET DB2CONN COMAUTHID('BATCH')", ""),
        ("SET DB2ENTRY('ENTRY') AUTHID('BATCH')", ""),
    ];
    for (at, (command, attributes)) in commands.into_iter().enumerate() {
        let (program, transid) = (format!("INSTPG{at}"), format!("TIN{at}"));
        let procedure = format!(
            "    MOVE '{attributes} ' TO WS-ATTRIBUTES
    EXEC CICS {command} RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE SPACES TO RP-USER RP-NAME RP-OPID
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    {report}
    EXEC CICS RETURN END-EXEC."
        );
        compile(&program, &format!("{STORAGE}\n01 WS-ATTRIBUTES PIC X(100)."), "", &procedure);
        define(&transid, &program, &[]);
        assert_eq!(codes(&reported_for("TELLER", &transid, "")), [70, 102], "{command} {attributes}");
        wait_for_message(&["DFHXS1111", &transid, "TELLER", "resource BATCH.DFHINSTL in class SURROGAT"]);
        // A surrogate may; whether there is such a resource is another question.
        assert_ne!(codes(&reported_for("SUPER", &transid, "")), [70, 102], "{command} {attributes}");
    }
    assert!(region().installed.read().get("TDQUEUE", "ATI2").is_some(), "SUPER has created it");
}
