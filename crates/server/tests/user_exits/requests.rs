//! XFCREQ and XFCREQC: the parameter list of a command, its changes, and the response of a bypassed command.

use super::{alone, exit_program, run};

const DATA: &str = "01 WS-REPORT PIC X(64).\n01 WS-PTR POINTER.\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-FILE PIC X(8) VALUE 'NOFILE'.\n01 WS-KEY PIC X(4) VALUE 'KEY1'.\n01 WS-REC PIC X(8) VALUE SPACES.\n01 WS-RLEN PIC S9(4) COMP VALUE 8.\n01 N PIC 99.";
const LINKAGE: &str = "01 GWA.\n   05 G-COUNT PIC 9(4).\n   05 G-TEXT PIC X(60).";

const LIST: &str = "01 ARGS.\n   05 ARG POINTER OCCURS 16 TIMES.\n01 EID.\n   COPY DFHUEEID.\n01 A-FILE PIC X(8).\n01 A-KEY PIC X(4).\n01 A-AREA PIC X(8).\n01 A-LENGTH PIC S9(4) COMP.\n01 A-RESP PIC S9(8) COMP.\n01 A-RESP2 PIC S9(8) COMP.\n01 A-CODE PIC X(6).\n01 A-RSRCE PIC X(8).\n01 A-TOKEN PIC X(4).";

fn enabled(program: &str, points: &[&str], statements: &str) -> String {
    let enable: String = points
        .iter()
        .enumerate()
        .map(|(at, point)| {
            let area = if at == 0 { "GALENGTH(64)" } else { "" };
            format!("    EXEC CICS ENABLE PROGRAM('{program}') EXIT('{point}')\n       {area} START END-EXEC.\n")
        })
        .collect();
    format!(
        "MAIN.\n{enable}    EXEC CICS EXTRACT EXIT PROGRAM('{program}')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE ZERO TO G-COUNT. MOVE SPACES TO G-TEXT.\n{statements}\n    EXEC CICS DISABLE PROGRAM('{program}') EXITALL END-EXEC."
    )
}

/// The exit answers a READ itself: the record, its length, and NOTFND for another key. The file does not even exist.
#[test]
fn xfcreq_answers_for_a_file_that_is_not_there() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF ARGS TO UEPCLPS.\n    SET ADDRESS OF EID TO ARG(1).\n    SET ADDRESS OF A-FILE TO ARG(2).\n    SET ADDRESS OF A-AREA TO ARG(3).\n    SET ADDRESS OF A-LENGTH TO ARG(4).\n    SET ADDRESS OF A-KEY TO ARG(5).\n    SET ADDRESS OF A-RESP TO UEPRESP.\n    SET ADDRESS OF A-RESP2 TO UEPRESP2.\n    SET ADDRESS OF A-CODE TO UEPRCODE.\n    IF EID-GROUP NOT = X'06' OR EID-FUNCT NOT = X'02'\n       OR EID-BITS1 NOT = X'F0' OR A-FILE NOT = 'NOFILE'\n       EXEC CICS ABEND ABCODE('LIST') END-EXEC.\n    MOVE UERCBYP TO RETURN-CODE.\n    IF A-KEY = 'KEY1'\n       MOVE 'ANSWER' TO A-AREA\n       MOVE 6 TO A-LENGTH\n    ELSE\n       MOVE 13 TO A-RESP MOVE 80 TO A-RESP2\n       MOVE X'810000000000' TO A-CODE.\n    GOBACK.";
    exit_program("EXFCREQ", "XFCREQ", LIST, own);
    let read = "    EXEC CICS READ FILE(WS-FILE) INTO(WS-REC)\n       LENGTH(WS-RLEN) RIDFLD(WS-KEY) RESP(WS-RESP) END-EXEC.\n";
    let statements = format!(
        "{read}    MOVE WS-RESP TO N.\n    STRING WS-REC N DELIMITED SIZE INTO WS-REPORT.\n    MOVE 'KEY2' TO WS-KEY.\n{read}    MOVE WS-RESP TO N.\n    MOVE N TO WS-REPORT(11:2).\n    MOVE EIBRESP2 TO N.\n    MOVE N TO WS-REPORT(13:2).\n    IF EIBRCODE(1:1) = X'81' MOVE 'C' TO WS-REPORT(15:1).\n"
    );
    let report =
        run("EX20", "EXTEST20", DATA, LINKAGE, &enabled("EXFCREQ", &["XFCREQ"], &format!("    MOVE SPACES TO WS-REPORT.\n{statements}")));
    assert_eq!(report.trim_end(), "ANSWER  001380C");
}

/// XFCREQ changes the file name in the application's list; XFCREQC gets the token of XFCREQ and changes the response. FILENOTFOUND is 12.
#[test]
fn xfcreq_hands_its_token_to_xfcreqc_which_changes_the_response() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF A-TOKEN TO UEPFCTOK.\n    SET ADDRESS OF A-RESP TO UEPRESP.\n    SET ADDRESS OF A-RSRCE TO UEPRSRCE.\n    ADD 1 TO G-COUNT.\n    IF EXN = XFCREQ OF DFHUEXIT\n       MOVE 'TOKN' TO A-TOKEN\n    ELSE\n       MOVE A-TOKEN TO G-TEXT(1:4)\n       MOVE A-RSRCE TO G-TEXT(5:8)\n       MOVE A-RESP TO DIGITS\n       MOVE DIGITS TO G-TEXT(13:2)\n       MOVE 20 TO A-RESP.\n    GOBACK.";
    let linkage = format!("{LINKAGE}\n01 EXN PIC X.\n{LIST}\n01 DIGITS PIC 99.").replace("\n01 DIGITS PIC 99.", "");
    exit_program(
        "EXFCTOK",
        "XFCREQ",
        &linkage,
        &own.replace("MOVE A-RESP TO DIGITS\n       MOVE DIGITS TO G-TEXT(13:2)", "IF A-RESP = 12 MOVE '12' TO G-TEXT(13:2) END-IF"),
    );
    let statements = "    EXEC CICS READ FILE(WS-FILE) INTO(WS-REC)\n       LENGTH(WS-RLEN) RIDFLD(WS-KEY) RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT(20:2).\n    MOVE GWA TO WS-REPORT.";
    let report = run("EX21", "EXTEST21", DATA, LINKAGE, &enabled("EXFCTOK", &["XFCREQ", "XFCREQC"], statements));
    assert_eq!(report.trim_end(), format!("0002TOKNNOFILE  12{}20", " ".repeat(5)));
}

/// XTSEREQ puts another queue name in place of the application's, and a shorter LENGTH.
#[test]
fn xtsereq_changes_the_arguments_of_a_command() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF ARGS TO UEPCLPS.\n    SET ADDRESS OF EID TO ARG(1).\n    IF EID-FUNCT NOT = X'02' GOBACK.\n    SET ADDRESS OF A-LENGTH TO ARG(4).\n    MOVE 3 TO A-LENGTH.\n    MOVE 'OTHERQ' TO G-TEXT(41:16).\n    SET ARG(2) TO ADDRESS OF G-QUEUE.\n    GOBACK.";
    let linkage = format!(
        "{}\n{LIST}",
        LINKAGE.replace(
            "05 G-TEXT PIC X(60).",
            "05 G-TEXT.\n      10 FILLER PIC X(40).\n      10 G-QUEUE PIC X(16).\n      10 FILLER PIC X(4)."
        )
    );
    exit_program("EXTSEREQ", "XTSEREQ", &linkage, own);
    let statements = "    EXEC CICS WRITEQ TS QUEUE(WS-FILE) FROM(WS-REC)\n       LENGTH(WS-RLEN) END-EXEC.\n    EXEC CICS READQ TS QUEUE('OTHERQ') INTO(WS-REC)\n       LENGTH(WS-RLEN) ITEM(1) END-EXEC.\n    MOVE WS-RLEN TO N.\n    MOVE N TO WS-REPORT.\n    EXEC CICS READQ TS QUEUE(WS-FILE) INTO(WS-REC)\n       LENGTH(WS-RLEN) ITEM(1) RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO WS-REPORT(3:2).\n    EXEC CICS DELETEQ TS QUEUE('OTHERQ') END-EXEC.";
    let report = run("EX22", "EXTEST22", DATA, LINKAGE, &enabled("EXTSEREQ", &["XTSEREQ"], statements));
    // QIDERR is 44.
    assert_eq!(report.trim_end(), "0344");
}

/// XICEREQ sees the interval of a DELAY as packed decimal and makes it zero; XPCREQ and XNQEREQ bypass LINK and ENQ.
#[test]
fn interval_program_and_enqueue_requests_have_exits() {
    let _alone = alone();
    let interval = "MAIN.\n    SET ADDRESS OF ARGS TO UEPCLPS.\n    SET ADDRESS OF EID TO ARG(1).\n    IF EID-GROUP NOT = X'10' OR EID-FUNCT NOT = X'04' GOBACK.\n    SET ADDRESS OF A-TIME TO ARG(2).\n    IF A-TIME = 10000 MOVE 0 TO A-TIME.\n    GOBACK.";
    exit_program("EXICEREQ", "XICEREQ", &format!("{LIST}\n01 A-TIME PIC S9(7) COMP-3."), interval);
    exit_program(
        "EXPCREQ",
        "XPCREQ",
        LIST,
        "MAIN.\n    SET ADDRESS OF ARGS TO UEPCLPS.\n    SET ADDRESS OF A-FILE TO ARG(2).\n    IF A-FILE = 'NOPROG' MOVE UERCBYP TO RETURN-CODE.\n    GOBACK.",
    );
    exit_program(
        "EXNQEREQ",
        "XNQEREQ",
        LIST,
        "MAIN.\n    SET ADDRESS OF A-RESP TO UEPRESP.\n    MOVE 55 TO A-RESP.\n    MOVE UERCBYP TO RETURN-CODE.\n    GOBACK.",
    );
    let enable =
        |program: &str, point: &str| format!("    EXEC CICS ENABLE PROGRAM('{program}') EXIT('{point}')\n       START END-EXEC.\n");
    let disable = |program: &str| format!("    EXEC CICS DISABLE PROGRAM('{program}') EXITALL END-EXEC.\n");
    let procedure = [
        "MAIN.\n    MOVE SPACES TO WS-REPORT.\n",
        &enable("EXICEREQ", "XICEREQ"),
        &enable("EXPCREQ", "XPCREQ"),
        &enable("EXNQEREQ", "XNQEREQ"),
        // An hour.
        "    EXEC CICS DELAY INTERVAL(10000) END-EXEC.\n    EXEC CICS LINK PROGRAM('NOPROG') RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO WS-REPORT(1:2).\n",
        "    EXEC CICS ENQ RESOURCE(WS-KEY) LENGTH(4) RESP(WS-RESP)\n       END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO WS-REPORT(3:2).\n",
        &disable("EXICEREQ"),
        &disable("EXPCREQ"),
        &disable("EXNQEREQ"),
        "    CONTINUE.",
    ]
    .concat();
    // ENQBUSY is 55.
    assert_eq!(run("EX23", "EXTEST23", DATA, "", &procedure).trim_end(), "0055");
}

/// XTDEREQ answers for transient data (QBUSY is 25), and XTDEREQC gets its token and the response.
#[test]
fn xtdereq_answers_for_transient_data_and_xtdereqc_sees_the_response() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF A-TOKEN TO UEPTDTOK.\n    SET ADDRESS OF A-RESP TO UEPRESP.\n    SET ADDRESS OF A-RSRCE TO UEPRSRCE.\n    SET ADDRESS OF ARGS TO UEPCLPS.\n    SET ADDRESS OF EID TO ARG(1).\n    ADD 1 TO G-COUNT.\n    IF EXN = XTDEREQ OF DFHUEXIT\n       IF EID-GROUP NOT = X'08' OR EID-FUNCT NOT = X'02'\n          EXEC CICS ABEND ABCODE('LIST') END-EXEC END-IF\n       MOVE 'TOKN' TO A-TOKEN\n       MOVE 25 TO A-RESP\n       MOVE UERCBYP TO RETURN-CODE\n    ELSE\n       MOVE A-TOKEN TO G-TEXT(1:4)\n       IF A-RESP = 25 MOVE 'BUSY' TO G-TEXT(9:4) END-IF\n    END-IF.\n    GOBACK.";
    exit_program("EXTDERQ", "XTDEREQ", &format!("{LINKAGE}\n01 EXN PIC X.\n{LIST}"), own);
    let statements = "    EXEC CICS WRITEQ TD QUEUE('NOTD') FROM(WS-REC)\n       LENGTH(WS-RLEN) RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT(20:2).\n    MOVE GWA TO WS-REPORT.";
    let report = run("EX24", "EXTEST24", DATA, LINKAGE, &enabled("EXTDERQ", &["XTDEREQ", "XTDEREQC"], statements));
    assert_eq!(report.trim_end(), "0002TOKN    BUSY       25");
}

/// XEISPIN and XEISPOUT are called for a command of the system programming interface, and not for others; UERCBYP bypasses it.
#[test]
fn xeispin_and_xeispout_see_system_programming_commands_only() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF ARGS TO UEPARG.\n    SET ADDRESS OF EID TO ARG(1).\n    ADD 1 TO G-COUNT.\n    IF EXN = XEISPIN OF DFHUEXIT\n       MOVE 'I' TO G-TEXT(G-COUNT:1)\n       IF EID-GROUP = X'54' AND EID-FUNCT = X'02'\n          MOVE UERCBYP TO RETURN-CODE END-IF\n    ELSE MOVE 'O' TO G-TEXT(G-COUNT:1).\n    GOBACK.";
    exit_program("EXEISPI", "XEISPIN", &format!("{LINKAGE}\n01 EXN PIC X.\n{LIST}"), own);
    let statements = "    MOVE 1 TO WS-LEN.\n    EXEC CICS ASKTIME END-EXEC.\n    EXEC CICS INQUIRE SYSTEM RELEASE(WS-KEY) RESP(WS-RESP)\n       END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO G-TEXT(10:2).\n    MOVE WS-KEY TO G-TEXT(12:4).\n    EXEC CICS INQUIRE TASK(1) RESP(WS-RESP) END-EXEC.\n    MOVE GWA TO WS-REPORT.";
    let report = run("EX25", "EXTEST25", DATA, LINKAGE, &enabled("EXEISPI", &["XEISPIN", "XEISPOUT"], statements));
    // In and out for INQUIRE SYSTEM, which has not been executed, and for INQUIRE TASK; EXTRACT EXIT and the rest are passed over.
    assert_eq!(report.trim_end(), "0004IOIO     00KEY1");
}
