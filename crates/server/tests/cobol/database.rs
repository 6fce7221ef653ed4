//! The commands of DB2CONN, DB2ENTRY and DB2TRAN as a COBOL program sees them, in a region without a database.

use super::{REPORT, compile, define, reported, setup};
use std::sync::Mutex;

/// The connection of the region is one for all tests.
static CONNECTION: Mutex<()> = Mutex::new(());

const STORAGE: &str = "01 RESPS.\n   05 RESP1 PIC S9(8) COMP.\n   05 RESP2 PIC S9(8) COMP.\n01 A-TEXT PIC X(200).\n01 A-LENGTH PIC S9(8) COMP.\n\
    01 A-NAME PIC X(8).\n01 B-NAME PIC X(8).\n01 A-TRAN PIC X(4).\n01 CVDA1 PIC S9(8) COMP.\n01 CVDA2 PIC S9(8) COMP.\n01 CVDA3 PIC S9(8) COMP.\n\
    01 N1 PIC S9(8) COMP.\n01 N2 PIC S9(8) COMP.\n01 N3 PIC S9(8) COMP.\n01 WS-REPORT.\n   05 R PIC X(60).\n\
    01 LINE-OF.\n   05 L-RESP PIC 9(4).\n   05 FILLER PIC X VALUE ' '.\n   05 L-RESP2 PIC 9(4).\n   05 FILLER PIC X VALUE ' '.\n   05 L-NAME PIC X(8).\n\
    \x20  05 FILLER PIC X VALUE ' '.\n   05 L-N1 PIC 9(5).\n   05 FILLER PIC X VALUE ' '.\n   05 L-N2 PIC 9(5).\n   05 FILLER PIC X VALUE ' '.\n   05 L-N3 PIC 9(5).";

/// Runs the command in a program; answers RESP, RESP2, a name and three numbers.
fn answer(transid: &str, before: &str, command: &str, after: &str) -> String {
    let program = format!("DB2{transid}");
    let procedure = format!(
        "MAIN.\n    MOVE 0 TO N1 N2 N3.\n{before}\n    {command}\n       RESP(RESP1) RESP2(RESP2) END-EXEC.\n    MOVE RESP1 TO L-RESP.\n    \
         MOVE RESP2 TO L-RESP2.\n{after}\n    MOVE A-NAME TO L-NAME.\n    MOVE N1 TO L-N1.\n    MOVE N2 TO L-N2.\n    MOVE N3 TO L-N3.\n    \
         MOVE LINE-OF TO R.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
    );
    compile(&program, STORAGE, "", &procedure);
    define(transid, &program, &[]);
    reported(transid).trim_end().to_string()
}

/// Sets the attributes, in lines that fit the reference format.
fn text(attributes: &str) -> String {
    let parts: String = attributes.split(' ').map(|part| format!("        '{part} '\n")).collect();
    format!("    MOVE SPACES TO A-TEXT.\n    STRING\n{parts}        DELIMITED BY SIZE INTO A-TEXT.\n    MOVE 200 TO A-LENGTH.")
}

fn plain(transid: &str, command: &str) -> String {
    answer(transid, "    MOVE SPACES TO A-NAME.", command, "")[..9].to_string()
}

const NORMAL: &str = "0000 0000";
const NOT_FOUND: &str = "0013 0001";
const INVREQ: &str = "0016";

#[test]
fn a_connection_its_entries_and_transactions_are_created_changed_and_discarded() {
    let _alone = CONNECTION.lock();
    assert_eq!(plain("DB01", "EXEC CICS INQUIRE DB2CONN THREADS(N1)"), NOT_FOUND);
    assert_eq!(plain("DB02", "EXEC CICS SET DB2CONN THREADLIMIT(9)"), NOT_FOUND);
    let created = answer(
        "DB03",
        &text("THREADLIMIT(7) TCBLIMIT(20) DB2ID(DBX1) CONNECTERROR(ABEND) PLAN(PLANX)"),
        "EXEC CICS CREATE DB2CONN('CON1') ATTRIBUTES(A-TEXT)\n       ATTRLEN(A-LENGTH)",
        "",
    );
    assert_eq!(&created[..9], NORMAL, "{:?}", setup().lines());
    let shown = answer("DB04", "", "EXEC CICS INQUIRE DB2CONN THREADLIMIT(N1) TCBLIMIT(N2)\n       REUSELIMIT(N3) PLAN(A-NAME)", "");
    assert_eq!(shown, "0000 0000 PLANX    00007 00020 01000");
    let entry = answer(
        "DB05",
        &text("THREADLIMIT(5) PROTECTNUM(2) TRANSID(DBE*)"),
        "EXEC CICS CREATE DB2ENTRY('ENT1') ATTRIBUTES(A-TEXT)\n       ATTRLEN(A-LENGTH)",
        "",
    );
    assert_eq!(&entry[..9], NORMAL);
    let tran = answer(
        "DB06",
        &text("ENTRY(ENT1) TRANSID(DBT1)"),
        "EXEC CICS CREATE DB2TRAN('TRN1') ATTRIBUTES(A-TEXT)\n       ATTRLEN(A-LENGTH)",
        "",
    );
    assert_eq!(&tran[..9], NORMAL);
    let shown = answer(
        "DB07",
        "    MOVE 'ENT1' TO B-NAME.",
        "EXEC CICS INQUIRE DB2ENTRY(B-NAME) THREADLIMIT(N1)\n       PROTECTNUM(N2) THREADS(N3)",
        "",
    );
    assert_eq!(&shown[..9], NORMAL);
    assert!(shown.ends_with("00005 00002 00000"), "{shown}");
    let shown =
        answer("DB08", "    MOVE 'TRN1' TO B-NAME.", "EXEC CICS INQUIRE DB2TRAN(B-NAME) DB2ENTRY(A-NAME)\n       TRANSID(A-TRAN)", "");
    assert_eq!(&shown[..13], "0000 0000 ENT");
    assert_eq!(plain("DB09", "EXEC CICS SET DB2CONN THREADLIMIT(9) STANDBYMODE(CVDA1)").as_bytes()[..4], *INVREQ.as_bytes());
    assert_eq!(plain("DB10", "EXEC CICS SET DB2CONN THREADLIMIT(9) PURGECYCLES(45) HIGH\n       NOTWAIT RELEASE RECONNECT"), NORMAL);
    assert_eq!(plain("DB11", "EXEC CICS SET DB2ENTRY('ENT1') PROTECTNUM(6)")[..4], *INVREQ, "more than THREADLIMIT");
    assert_eq!(plain("DB12", "EXEC CICS SET DB2ENTRY('ENT1') THREADLIMIT(6)\n       PROTECTNUM(6) DISABLED ABEND"), NORMAL);
    assert_eq!(plain("DB13", "EXEC CICS SET DB2TRAN('TRN1') DB2ENTRY('GONE')")[..4], *INVREQ);
    assert_eq!(plain("DB14", "EXEC CICS SET DB2TRAN('TRN1') TRANSID('DBT2')"), NORMAL);
    assert_eq!(plain("DB15", "EXEC CICS SET DB2CONN CONNECTED")[..4], *INVREQ, "the region has no database");
    assert_eq!(plain("DB16", "EXEC CICS DISCARD DB2TRAN('TRN1')"), NORMAL);
    assert_eq!(plain("DB17", "EXEC CICS DISCARD DB2TRAN('TRN1')"), NOT_FOUND);
    assert_eq!(plain("DB18", "EXEC CICS DISCARD DB2ENTRY('ENT1')"), NORMAL);
    assert_eq!(plain("DB19", "EXEC CICS DISCARD DB2CONN('CON2')"), NOT_FOUND);
    assert_eq!(plain("DB20", "EXEC CICS DISCARD DB2CONN('CON1')"), NORMAL);
    assert_eq!(plain("DB21", "EXEC CICS INQUIRE DB2CONN THREADS(N1)"), NOT_FOUND);
}

#[test]
fn definitions_that_are_not_valid_are_refused_with_a_message() {
    let _alone = CONNECTION.lock();
    let refused = |transid: &str, attributes: &str, command: &str| {
        let command = format!("EXEC CICS CREATE {command} ATTRIBUTES(A-TEXT)\n       ATTRLEN(A-LENGTH)");
        answer(transid, &text(attributes), &command, "")[..4].to_string()
    };
    assert_eq!(refused("DB31", "ENTRY(X)", "DB2TRAN('TRN9')"), INVREQ, "without a DB2CONN");
    assert_eq!(refused("DB32", "THREADLIMIT(2)", "DB2CONN('CON9')"), INVREQ, "at least three");
    assert_eq!(refused("DB33", "COLOUR(RED)", "DB2CONN('CON9')"), INVREQ);
    let said = setup().lines();
    assert!(said.iter().any(|line| line.contains("COLOUR is not an attribute of DB2CONN")), "{said:?}");
    let long =
        answer("DB34", "    MOVE -1 TO A-LENGTH.", "EXEC CICS CREATE DB2CONN('CON9') ATTRIBUTES(A-TEXT)\n       ATTRLEN(A-LENGTH)", "");
    assert_eq!(&long[..9], "0022 0001");
}
