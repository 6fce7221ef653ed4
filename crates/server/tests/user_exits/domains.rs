//! The exit points at the gates of the domains: file control, temporary storage, transient data, interval control and dumps.
//!
//! Expected values are from "Global user exit points (by function)" of the CICS reference.

use super::{again, alone, exit_program, run, says, setup};
use csd::Definition;

const DATA: &str = "01 WS-REPORT PIC X(64).\n01 WS-PTR POINTER.\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-FILE PIC X(8) VALUE 'NOFILE'.\n01 WS-KEY PIC X(4) VALUE 'KEY1'.\n01 WS-REC PIC X(8) VALUE 'RECORD'.\n01 WS-RLEN PIC S9(4) COMP VALUE 8.\n01 N PIC 99.";
const GWA: &str = "01 GWA.\n   05 G-COUNT PIC 9(4).\n   05 G-TEXT PIC X(60).";

/// Enables a program at points, runs the statements, reports the work area, and disables it.
fn around(program: &str, points: &[&str], statements: &str) -> String {
    let enable: String = points
        .iter()
        .enumerate()
        .map(|(at, point)| {
            let area = if at == 0 { "GALENGTH(64)" } else { "" };
            format!("    EXEC CICS ENABLE PROGRAM('{program}') EXIT('{point}')\n       {area} END-EXEC.\n")
        })
        .collect();
    format!(
        "MAIN.\n{enable}    EXEC CICS EXTRACT EXIT PROGRAM('{program}')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE ZERO TO G-COUNT. MOVE SPACES TO G-TEXT.\n    EXEC CICS ENABLE PROGRAM('{program}') START END-EXEC.\n{statements}    MOVE GWA TO WS-REPORT.\n    EXEC CICS DISABLE PROGRAM('{program}') EXITALL END-EXEC."
    )
}

/// XFCFRIN bypasses file control: the record is not read from a file that is not there. XFCFROUT sees the response of the exit program, and of
/// file control itself (FILENOTFOUND is 12).
#[test]
fn xfcfrin_answers_for_file_control_and_xfcfrout_sees_the_response() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF FUN TO UEP-FC-FUNCTION.\n    SET ADDRESS OF NAME TO UEP-FC-FILE-NAME.\n    SET ADDRESS OF WORD TO UEP-FC-BUFFER-P.\n    SET ADDRESS OF RESPONSE TO UEP-FC-RESPONSE.\n    SET ADDRESS OF REASON TO UEP-FC-REASON.\n    ADD 1 TO G-COUNT.\n    IF EXN = XFCFRIN OF DFHUEXIT\n       IF FUN NOT = UEP-FC-FUN-READ-INTO\n          EXEC CICS ABEND ABCODE('FUNC') END-EXEC\n       END-IF\n       IF NAME = 'EXITFILE'\n          SET ADDRESS OF REC TO PTR\n          MOVE 'FROMEXIT' TO REC\n          MOVE UERCBYP TO RETURN-CODE\n       END-IF\n       IF NAME = 'EXITNONE'\n          MOVE UEP-FC-RESPONSE-EXCEPTION TO RESPONSE\n          MOVE 13 TO REASON\n          MOVE UERCBYP TO RETURN-CODE\n       END-IF\n    ELSE\n       IF RESPONSE = UEP-FC-RESPONSE-OK\n          MOVE 'OK' TO G-TEXT(G-COUNT * 4 - 3:2)\n       ELSE\n          IF REASON = 12\n             MOVE 'FN' TO G-TEXT(G-COUNT * 4 - 3:2) END-IF\n          IF REASON = 13\n             MOVE 'NF' TO G-TEXT(G-COUNT * 4 - 3:2) END-IF\n       END-IF\n    END-IF.\n    GOBACK.";
    let linkage = format!(
        "{GWA}\n01 EXN PIC X.\n01 FUN PIC X.\n01 NAME PIC X(8).\n01 WORD.\n   05 PTR POINTER.\n01 REC PIC X(8).\n01 RESPONSE PIC X.\n01 REASON PIC S9(4) COMP."
    );
    exit_program("EXFCFR", "XFCFRIN", &linkage, own);
    let read = |file: &str, at: usize| {
        format!(
            "    MOVE '{file}' TO WS-FILE.\n    EXEC CICS READ FILE(WS-FILE) INTO(WS-REC)\n       LENGTH(WS-RLEN) RIDFLD(WS-KEY) RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT({at}:2).\n"
        )
    };
    let statements = format!("{}    MOVE WS-REC TO G-TEXT(31:8).\n{}{}", read("EXITFILE", 41), read("EXITNONE", 43), read("NOFILE", 45));
    let report = run("EXD1", "EXDOM1", DATA, GWA, &around("EXFCFR", &["XFCFRIN", "XFCFROUT"], &statements));
    assert_eq!(&report[..4], "0006");
    // Called in and out for each of the three.
    assert_eq!([&report[8..10], &report[16..18], &report[24..26]], ["OK", "NF", "FN"]);
    assert_eq!((&report[34..42], &report[44..50]), ("FROMEXIT", "001312"));
}

/// XTSQRIN and XTSQROUT have the function, the name and the data of a request, inside XTSEREQ.
#[test]
fn xtsqrin_and_xtsqrout_see_requests_of_temporary_storage() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF FUN TO UEP-TS-FUNCTION.\n    SET ADDRESS OF QNAME TO UEP-TS-QUEUE-NAME.\n    ADD 1 TO G-COUNT.\n    IF EXN = XTSQRIN OF DFHUEXIT\n       MOVE 'I' TO G-TEXT(G-COUNT * 2 - 1:1)\n       IF FUN = UEP-TS-FUN-WRITE\n          SET ADDRESS OF WORD TO UEP-TS-DATA-P\n          SET ADDRESS OF REC TO PTR\n          MOVE REC TO G-TEXT(30:8)\n          MOVE QNAME TO G-TEXT(40:16)\n       END-IF\n    ELSE\n       SET ADDRESS OF RESPONSE TO UEP-TS-RESPONSE\n       MOVE 'O' TO G-TEXT(G-COUNT * 2 - 1:1)\n       IF RESPONSE = UEP-TS-RESPONSE-EXCEPTION\n          MOVE 'X' TO G-TEXT(G-COUNT * 2 - 1:1)\n       END-IF\n    END-IF.\n    IF FUN = UEP-TS-FUN-WRITE MOVE 'W' TO G-TEXT(G-COUNT * 2:1).\n    IF FUN = UEP-TS-FUN-READ-NEXT-INTO\n       MOVE 'N' TO G-TEXT(G-COUNT * 2:1).\n    IF FUN = UEP-TS-FUN-DELETE MOVE 'D' TO G-TEXT(G-COUNT * 2:1).\n    GOBACK.";
    let linkage = format!(
        "{GWA}\n01 EXN PIC X.\n01 FUN PIC X.\n01 QNAME PIC X(16).\n01 WORD.\n   05 PTR POINTER.\n01 REC PIC X(8).\n01 RESPONSE PIC X."
    );
    exit_program("EXTSQR", "XTSQROUT", &linkage, own);
    let statements = "    EXEC CICS WRITEQ TS QUEUE('EXTSQQ') FROM(WS-REC)\n       END-EXEC.\n    EXEC CICS READQ TS QUEUE('EXTSQQ') INTO(WS-REC)\n       LENGTH(WS-RLEN) NEXT END-EXEC.\n    EXEC CICS DELETEQ TS QUEUE('EXTSQQ') END-EXEC.\n    EXEC CICS DELETEQ TS QUEUE('EXTSQQ') RESP(WS-RESP)\n       END-EXEC.\n";
    let report = run("EXD2", "EXDOM2", DATA, GWA, &around("EXTSQR", &["XTSQRIN", "XTSQROUT"], statements));
    assert_eq!(&report[..20], "0008IWOWINONIDODIDXD");
    assert_eq!((report[33..41].trim_end(), report[43..59].trim_end()), ("RECORD", "EXTSQQ"));
}

fn queue(name: &str) {
    let queue = Definition::new("TDQUEUE", name, "TEST").with("TYPE", "INTRA").with("ATIFACILITY", "FILE").with("TRIGGERLEVEL", "0");
    setup().region.install(&queue).unwrap();
}

/// XTDREQ ends requests with a normal response or NOTAUTH (70); XTDOUT replaces the record that is written, XTDIN that which is read.
#[test]
fn transient_data_has_its_exits() {
    let _alone = alone();
    queue("EXTD");
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF QNAME TO UEPTDQUE.\n    ADD 1 TO G-COUNT.\n    IF EXN = XTDREQ OF DFHUEXIT\n       SET ADDRESS OF KIND TO UEPTDTYP\n       IF QNAME = 'EXT1' MOVE UERCTDOK TO RETURN-CODE END-IF\n       IF QNAME = 'EXT2' AND KIND = UEPTDPUT\n          MOVE UERCTDNA TO RETURN-CODE\n       END-IF\n       GOBACK.\n    GOBACK.";
    let linkage = format!("{GWA}\n01 EXN PIC X.\n01 QNAME PIC X(4).\n01 KIND PIC X.\n01 TWO PIC X.");
    exit_program("EXTDREQ", "XTDREQ", &linkage, own);
    let put = |queue: &str, at: usize| {
        format!(
            "    EXEC CICS WRITEQ TD QUEUE('{queue}') FROM(WS-REC)\n       LENGTH(WS-RLEN) RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT({at}:2).\n"
        )
    };
    let statements = format!("{}{}{}", put("EXT1", 1), put("EXT2", 3), put("EXT3", 5));
    let report = run("EXD3", "EXDOM3", DATA, GWA, &around("EXTDREQ", &["XTDREQ"], &statements));
    // QIDERR is 44.
    assert_eq!(&report[..10], "0003007044");

    // The area of the exit program: its data take the place of the others, ten bytes and three.
    let replace = |text: &str, length: usize| {
        format!(
            "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF DATUM TO UEPTDAUD.\n    SET ADDRESS OF LEN TO UEPTDLUD.\n    SET ADDRESS OF NEWLEN TO UEPTDLMD.\n    ADD 1 TO G-COUNT.\n    MOVE DATUM TO G-TEXT(31:8).\n    MOVE LEN TO G-LEN.\n    MOVE '{text}' TO G-TEXT(1:10).\n    SET UEPTDAMD TO ADDRESS OF G-TEXT.\n    MOVE {length} TO NEWLEN.\n    GOBACK."
        )
    };
    let area = "01 GWA.\n   05 G-COUNT PIC 9(4).\n   05 G-TEXT PIC X(50).\n   05 G-LEN PIC 9(10).";
    let linkage = format!("{area}\n01 DATUM PIC X(8).\n01 LEN PIC S9(8) COMP.\n01 NEWLEN PIC S9(8) COMP.");
    exit_program("EXTDOUT", "XTDOUT", &linkage, &replace("LONGERDATA", 10));
    exit_program("EXTDIN", "XTDIN", &linkage, &replace("INX", 3));
    let statements = "    EXEC CICS WRITEQ TD QUEUE('EXTD') FROM(WS-REC)\n       LENGTH(WS-RLEN) END-EXEC.\n";
    let report = run("EXD4", "EXDOM4", DATA, GWA, &around("EXTDOUT", &["XTDOUT"], statements));
    assert_eq!((&report[..4], report[34..42].trim_end(), &report[54..64]), ("0001", "RECORD", "0000000008"));
    let read = "    MOVE 10 TO WS-RLEN.\n    MOVE SPACES TO WS-BIG.\n    EXEC CICS READQ TD QUEUE('EXTD') INTO(WS-BIG)\n       LENGTH(WS-RLEN) RESP(WS-RESP) END-EXEC.\n    MOVE WS-RLEN TO N.\n    MOVE N TO G-TEXT(11:2).\n    MOVE WS-BIG TO G-TEXT(13:10).\n";
    let data = format!("{DATA}\n01 WS-BIG PIC X(10).");
    let report = run("EXD5", "EXDOM5", &data, GWA, &around("EXTDIN", &["XTDIN"], read));
    // What XTDOUT has written is read, and replaced by XTDIN: three bytes in front of the rest of the record.
    assert_eq!((&report[34..42], &report[54..64]), ("LONGERDA", "0000000010"));
    assert_eq!(&report[14..26], "03INXGERDATA");
}

/// XICREQ sees REQID, TRANSID and the interval, and may change them.
#[test]
fn xicreq_changes_a_request_of_interval_control() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF RQ TO UEPICRQ1.\n    SET ADDRESS OF QID TO UEPICQID.\n    SET ADDRESS OF TRAN TO UEPICTI.\n    SET ADDRESS OF TIM TO UEPICRT.\n    IF RQ = X'04' AND TIM = 10000\n       ADD 1 TO G-COUNT MOVE 0 TO TIM.\n    IF RQ = X'08'\n       ADD 1 TO G-COUNT\n       MOVE TRAN TO G-TEXT(1:4)\n       MOVE QID TO G-TEXT(5:8)\n       MOVE 'EXRQNEW' TO QID.\n    GOBACK.";
    let linkage = format!("{GWA}\n01 RQ PIC X.\n01 QID PIC X(8).\n01 TRAN PIC X(4).\n01 TIM PIC S9(7) COMP-3.");
    exit_program("EXICREQ", "XICREQ", &linkage, own);
    // An hour's DELAY; then a START whose REQID is another than its program gave.
    let statements = "    EXEC CICS DELAY INTERVAL(10000) END-EXEC.\n    EXEC CICS START TRANSID('EXD6') INTERVAL(10000)\n       REQID('EXRQOLD') END-EXEC.\n    EXEC CICS CANCEL REQID('EXRQOLD') RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT(21:2).\n    EXEC CICS CANCEL REQID('EXRQNEW') RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT(23:2).\n";
    let report = run("EXD6", "EXDOM6", DATA, GWA, &around("EXICREQ", &["XICREQ"], statements));
    assert_eq!(&report[..16], "0002EXD6EXRQOLD ");
    // NOTFND is 13.
    assert_eq!(&report[24..28], "1300");
}

/// XDUREQ suppresses the dump of a code: DUMP TRANSACTION raises SUPPRESSED (72), and XDUREQC is told. Another code is dumped.
#[test]
fn xdureq_suppresses_a_dump_and_xdureqc_sees_what_became_of_it() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF DCODE TO UEPDUMPC.\n    SET ADDRESS OF DTYPE TO UEPDUMPT.\n    ADD 1 TO G-COUNT.\n    IF EXN = XDUREQ OF DFHUEXIT\n       IF DCODE = 'EXD7' AND DTYPE = UEPDTRAN\n          MOVE UERCBYP TO RETURN-CODE END-IF\n       IF DCODE = 'EXSYSDMP' AND DTYPE = UEPDSYST\n          MOVE UERCBYP TO RETURN-CODE END-IF\n    ELSE\n       SET ADDRESS OF RESPONSE TO UEPDRESP\n       IF RESPONSE = UEPDROK\n          MOVE 'T' TO G-TEXT(G-COUNT:1) END-IF\n       IF RESPONSE = UEPDRSUP\n          MOVE 'S' TO G-TEXT(G-COUNT:1) END-IF\n    END-IF.\n    GOBACK.";
    let linkage = format!("{GWA}\n01 EXN PIC X.\n01 DCODE PIC X(8).\n01 DTYPE PIC X.\n01 RESPONSE PIC X.");
    exit_program("EXDUREQ", "XDUREQC", &linkage, own);
    let dump = |code: &str, at: usize| {
        format!(
            "    EXEC CICS DUMP TRANSACTION DUMPCODE('{code}')\n       RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT({at}:2).\n"
        )
    };
    let system = "    EXEC CICS PERFORM DUMP DUMPCODE('EXSYSDMP')\n       RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT(25:2).\n    MOVE EIBRESP2 TO N.\n    MOVE N TO G-TEXT(27:2).\n";
    let statements = format!("{}{}{system}", dump("EXD7", 21), dump("EXD8", 23));
    let report = run("EXD7", "EXDOM7", DATA, GWA, &around("EXDUREQ", &["XDUREQ", "XDUREQC"], &statements));
    assert_eq!(&report[..10], "0006 S T S");
    assert_eq!(&report[24..32], "72007202");
}

/// XMEOUT suppresses a message by its number; another is put out as ever. DFHAP0700 is that of an exit point which is never called.
#[test]
fn xmeout_suppresses_a_message() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF MDOM TO UEPMDOM.\n    SET ADDRESS OF MNUM TO UEPMNUM.\n    SET ADDRESS OF TEXT-SHOWN TO UEPMTXT.\n    IF MDOM = 'AP' AND MNUM = 700\n       ADD 1 TO G-COUNT\n       IF TEXT-SHOWN(1:7) = 'EXITREG'\n          MOVE 'T' TO G-TEXT(1:1) END-IF\n       MOVE UERCBYP TO RETURN-CODE.\n    GOBACK.";
    let linkage = format!("{GWA}\n01 MDOM PIC X(2).\n01 MNUM PIC S9(8) COMP.\n01 TEXT-SHOWN PIC X(256).");
    exit_program("EXMEOUT", "XMEOUT", &linkage, own);
    let statements = "    EXEC CICS ENABLE PROGRAM('EXMEOUT') EXIT('XALTENF')\n       RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT(3:2).\n    EXEC CICS ENABLE PROGRAM('EXNOPROG')\n       RESP(WS-RESP) END-EXEC.\n    EXEC CICS LINK PROGRAM('EXBADMSG') RESP(WS-RESP) END-EXEC.\n    EXEC CICS DELAY INTERVAL(1) END-EXEC.\n";
    // A global exit that abends is told in DFHAP0701, which passes.
    exit_program("EXBADMEO", "XNQEREQ", "", "MAIN.\n    EXEC CICS ABEND ABCODE('MEOA') NODUMP END-EXEC.");
    let bad = "    EXEC CICS ENABLE PROGRAM('EXBADMEO') EXIT('XNQEREQ') START\n       END-EXEC.\n    EXEC CICS ENQ RESOURCE(WS-KEY) LENGTH(4) END-EXEC.\n    EXEC CICS DISABLE PROGRAM('EXBADMEO') EXITALL END-EXEC.\n";
    let report = run("EXD8", "EXDOM8", DATA, GWA, &around("EXMEOUT", &["XMEOUT"], &format!("{bad}{statements}")));
    // INVEXITREQ is 63.
    assert_eq!(&report[..8], "0001T 63");
    assert!(says(&["DFHAP0701", "MEOA"]));
    assert!(!setup().lines().iter().any(|line| line.contains("DFHAP0700") && line.contains("XALTENF")));
}

/// XXMATT sees the transaction of a task that is attached, and chooses another, whose program runs then.
#[test]
fn xxmatt_chooses_another_transaction() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF PTI TO UEPATPTI.\n    SET ADDRESS OF LOC TO UEPATLOC.\n    IF PTI = 'EXOL' AND LOC = UEATFND\n       ADD 1 TO G-COUNT\n       MOVE 'EXNW' TO PTI.\n    IF PTI = 'EXNO' MOVE 'NONE' TO PTI.\n    GOBACK.";
    exit_program("EXXMATT", "XXMATT", &format!("{GWA}\n01 PTI PIC X(4).\n01 LOC PIC X."), own);
    let shows = "MAIN.\n    MOVE EIBTRNID TO WS-REPORT.\n    MOVE 'NEW' TO WS-REPORT(6:3).";
    run("EXNW", "EXDOMNEW", DATA, "", shows);
    let old = "MAIN.\n    MOVE EIBTRNID TO WS-REPORT.\n    MOVE 'OLD' TO WS-REPORT(6:3).";
    assert_eq!(run("EXOL", "EXDOMOLD", DATA, "", old).trim_end(), "EXOL OLD");
    setup().define_transaction("EXNO", "EXDOMOLD");
    run("EXD9", "EXDOM9", DATA, GWA, "MAIN.\n    EXEC CICS ENABLE PROGRAM('EXXMATT') EXIT('XXMATT')\n       GALENGTH(64) START END-EXEC.");
    assert_eq!(attached("EXOL", "EXNW"), "EXNW NEW");
    // A transaction that is not there is not taken.
    assert_eq!(again("EXNO").trim_end(), "EXNO OLD");
    run("EXDA", "EXDOMA", DATA, "", "MAIN.\n    EXEC CICS DISABLE PROGRAM('EXXMATT') EXITALL END-EXEC.");
    assert_eq!(again("EXOL").trim_end(), "EXOL OLD");
}

/// Attaches one transaction and takes the report of another.
fn attached(transid: &str, reports: &str) -> String {
    let reports = setup().reports_of(reports);
    setup().attach(transid);
    setup().report_in(&reports).trim_end().to_string()
}
