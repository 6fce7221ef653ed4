//! XEIIN and XEIOUT, XPCFTCH, XPCTA and XMNOUT.

use super::{again, alone, define, exit_program, run, says, setup};
use std::sync::{Arc, Mutex};

const GWA: &str = "01 GWA.\n   05 G-COUNT PIC 9(4).\n   05 G-TEXT PIC X(60).";
/// Enables a program at one or more points, with a work area, runs the statements, and reports the area.
fn with_exit(program: &str, points: &[&str], statements: &str) -> String {
    let enable: String = points
        .iter()
        .enumerate()
        .map(|(at, point)| {
            let area = if at == 0 { "GALENGTH(64)" } else { "" };
            format!("    EXEC CICS ENABLE PROGRAM('{program}') EXIT('{point}')\n       {area} END-EXEC.\n")
        })
        .collect();
    format!(
        "MAIN.\n{enable}    EXEC CICS EXTRACT EXIT PROGRAM('{program}')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE ZERO TO G-COUNT. MOVE SPACES TO G-TEXT.\n    EXEC CICS ENABLE PROGRAM('{program}') START END-EXEC.\n{statements}\n    EXEC CICS DISABLE PROGRAM('{program}') STOP END-EXEC.\n    MOVE GWA TO WS-REPORT.\n    EXEC CICS DISABLE PROGRAM('{program}') EXITALL END-EXEC."
    )
}

const DATA: &str = "01 WS-REPORT PIC X(64).\n01 WS-PTR POINTER.\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-TIME PIC S9(15) COMP-3.\n01 WS-ITEM PIC X(4) VALUE 'ITEM'.";

/// XEIIN is called for each command after ENABLE START, the last one DISABLE; for the commands of the exit program itself it is not. What that
/// program does leaves no trace in the EIB: READQ of a queue that is not there would leave QIDERR.
#[test]
fn xeiin_sees_every_command_and_not_its_own() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    ADD 1 TO G-COUNT.\n    SET ADDRESS OF ARGS TO UEPARG.\n    SET ADDRESS OF EID TO ARG0.\n    IF EID-GROUP = X'4A' THEN\n       SET ADDRESS OF PGM TO UEPPGM\n       MOVE PGM TO G-TEXT(1:8).\n    EXEC CICS READQ TS QUEUE('NOQUEUE') INTO(PGM)\n       RESP(EIBRESP2) END-EXEC.\n    GOBACK.";
    let own = own.replace("\n       RESP(EIBRESP2) END-EXEC", " NOHANDLE\n       END-EXEC").replace("INTO(PGM)", "INTO(SOME-AREA)");
    let linkage = format!("{GWA}\n01 ARGS.\n   05 ARG0 POINTER.\n01 EID.\n   COPY DFHUEEID.\n01 PGM PIC X(8).\n01 SOME-AREA PIC X(8).");
    exit_program("EXEIIN", "XEIIN", &linkage.replace("01 SOME-AREA PIC X(8).", ""), &own.replace("SOME-AREA", "DFHUEXIT-AREA"));
    let statements = "    EXEC CICS WRITEQ TS QUEUE('EXITQ') FROM(WS-ITEM)\n       END-EXEC.\n    EXEC CICS ASKTIME ABSTIME(WS-TIME) END-EXEC.\n    IF EIBRESP NOT = 0 OR EIBFN NOT = X'4A02'\n       MOVE 'EIB' TO G-TEXT(20:3).\n    EXEC CICS DELETEQ TS QUEUE('EXITQ') END-EXEC.";
    let report = run("EX10", "EXTEST10", DATA, GWA, &with_exit("EXEIIN", &["XEIIN"], statements));
    assert_eq!(report.trim_end(), "0004EXTEST10");
}

/// UERCBYP (4) from XEIIN: the command is not executed, and the response is normal.
#[test]
fn xeiin_bypasses_a_command_and_xeiout_sees_it_all_the_same() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    SET ADDRESS OF ARGS TO UEPARG.\n    SET ADDRESS OF EID TO ARG0.\n    IF EID-GROUP NOT = X'0A' OR EID-FUNCT NOT = X'02'\n       GOBACK.\n    ADD 1 TO G-COUNT.\n    IF EXN = XEIIN OF DFHUEXIT\n       MOVE UERCBYP TO RETURN-CODE\n       MOVE 'I' TO G-TEXT(G-COUNT:1)\n    ELSE\n       MOVE 'O' TO G-TEXT(G-COUNT:1).\n    GOBACK.";
    let linkage = format!("{GWA}\n01 ARGS.\n   05 ARG0 POINTER.\n01 EID.\n   COPY DFHUEEID.\n01 EXN PIC X.");
    exit_program("EXEIBYP", "XEIIN", &linkage, own);
    let statements = "    EXEC CICS WRITEQ TS QUEUE('EXITQ2') FROM(WS-ITEM)\n       RESP(WS-RESP) END-EXEC.\n    IF WS-RESP NOT = 0 MOVE 'RESP' TO G-TEXT(20:4).\n    EXEC CICS DELETEQ TS QUEUE('EXITQ2') RESP(WS-RESP) END-EXEC.\n    IF WS-RESP = 44 MOVE 'QIDERR' TO G-TEXT(30:6).";
    let report = run("EX11", "EXTEST11", DATA, GWA, &with_exit("EXEIBYP", &["XEIIN", "XEIOUT"], statements));
    assert_eq!(
        report.trim_end(),
        "0002IO                           QIDERR".replace("IO                           ", &format!("IO{}", " ".repeat(27)))
    );
}

/// XPCFTCH has the name, the level and the communication area of each program that gets control, by LINK and by XCTL.
#[test]
fn xpcftch_is_called_for_each_program() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF PCUE TO UEPPCDS.\n    ADD 1 TO G-COUNT.\n    MOVE PCUE-PROGRAM-NAME TO G-TEXT(G-COUNT * 14 - 13:8).\n    MOVE PCUE-PROGRAM-LANGUAGE TO G-TEXT(G-COUNT * 14 - 5:3).\n    MOVE PCUE-LOGICAL-LEVEL TO N.\n    MOVE N TO G-TEXT(G-COUNT * 14 - 2:1).\n    MOVE PCUE-COMMAREA-SIZE TO N.\n    MOVE N TO G-TEXT(G-COUNT * 14 - 1:1).\n    GOBACK.";
    let linkage = format!("{GWA}\n01 PCUE.\n   COPY DFHPCUE.");
    let own = own.replace(" TO N.", " TO DIGIT.").replace("MOVE N TO", "MOVE DIGIT TO");
    setup().compile("EXPCFTCH", "01 DIGIT PIC 9.", &format!("01 DFHCOMMAREA.\n    COPY XPCFTCH.\n{linkage}"), &own);
    define("EXPCFTCH");
    setup().compile("EXCALLED", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS XCTL PROGRAM('EXCALLD2') END-EXEC.");
    setup().compile("EXCALLD2", "01 WS-X PIC X.", "", "MAIN.\n    GOBACK.");
    ["EXCALLED", "EXCALLD2"].into_iter().for_each(define);
    let statements = "    EXEC CICS LINK PROGRAM('EXCALLED')\n       COMMAREA(WS-ITEM) END-EXEC.";
    let report = run("EX12", "EXTEST12", DATA, GWA, &with_exit("EXPCFTCH", &["XPCFTCH"], statements));
    assert_eq!(report.trim_end(), "0002EXCALLEDCOB24 EXCALLD2COB20");
}

/// XPCTA is called once for an abend, before the handler of a higher level.
#[test]
fn xpcta_sees_an_abend_once() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF TACB TO UEPTACB.\n    ADD 1 TO G-COUNT.\n    MOVE TACB-ABCODE TO G-TEXT(1:4).\n    MOVE TACB-PROGRAM TO G-TEXT(5:8).\n    GOBACK.";
    exit_program("EXPCTA", "XPCTA", &format!("{GWA}\n01 TACB.\n   COPY DFHTACB."), own);
    setup().compile("EXABEND", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS ABEND ABCODE('EXAB') END-EXEC.");
    define("EXABEND");
    let statements = "    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n    EXEC CICS LINK PROGRAM('EXABEND') END-EXEC.\n    MOVE 'WRONG' TO G-TEXT(20:5).\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-ITEM) END-EXEC.\n    MOVE WS-ITEM TO G-TEXT(30:4).";
    let report = run("EX13", "EXTEST13", DATA, GWA, &with_exit("EXPCTA", &["XPCTA"], statements));
    assert_eq!(report.trim_end(), format!("0001EXABEXABEND {}EXAB", " ".repeat(17)));
}

#[derive(Default)]
struct Records(Mutex<Vec<String>>);

impl region::monitoring::RecordSink for Records {
    fn record(&self, record: &region::monitoring::Record) {
        self.0.lock().unwrap().push(record.transid.to_string());
    }
}

/// XMNOUT sees the record of each task at its end; UERCBYP keeps the record of EX15 from being written. The first entry of the dictionary is that
/// of the transaction identifier.
#[test]
fn xmnout_sees_and_suppresses_monitoring_records() {
    let _alone = alone();
    let records = Arc::new(Records::default());
    setup().region.monitoring().switch(true);
    setup().region.monitoring().add_sink(records.clone());
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    ADD 1 TO G-COUNT.\n    SET ADDRESS OF DICT TO UEPDICT.\n    SET ADDRESS OF TRAN TO UEPMRECD.\n    SET ADDRESS OF ENTRIES TO UEPDICTE.\n    MOVE TRAN TO G-TEXT(1:4).\n    MOVE MCTDR-NAME TO G-TEXT(5:4).\n    IF ENTRIES > 50 MOVE 'MANY' TO G-TEXT(9:4).\n    IF TRAN = 'EX15' MOVE UERCBYP TO RETURN-CODE.\n    GOBACK.";
    exit_program("EXMNOUT", "XMNOUT", &format!("{GWA}\n01 DICT.\n   COPY DFHMCTDR.\n01 TRAN PIC X(4).\n01 ENTRIES PIC S9(8) COMP."), own);
    let enable =
        "MAIN.\n    EXEC CICS ENABLE PROGRAM('EXMNOUT') EXIT('XMNOUT')\n       GALENGTH(64) START END-EXEC.\n    MOVE SPACES TO WS-REPORT.";
    run("EX14", "EXTEST14", DATA, "", enable);
    run("EX15", "EXTEST15", DATA, "", "MAIN.\n    MOVE SPACES TO WS-REPORT.");
    let area = "MAIN.\n    EXEC CICS EXTRACT EXIT PROGRAM('EXMNOUT')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE GWA TO WS-REPORT.\n    EXEC CICS DISABLE PROGRAM('EXMNOUT') EXITALL END-EXEC.";
    let report = run("EX16", "EXTEST16", DATA, &GWA.replace("G-COUNT PIC 9(4)", "G-COUNT PIC X(4)"), area);
    setup().region.monitoring().switch(false);
    // The area begins as binary zeros, to which 1 is added as to a zoned zero.
    assert_eq!(&report[4..16], "EX15TRANMANY");
    let written = records.0.lock().unwrap().clone();
    assert!(
        written.contains(&"EX14".to_string()) && written.contains(&"EX16".to_string()) && !written.contains(&"EX15".to_string()),
        "{written:?}"
    );
}

/// The exit programs of a point are called in the order they were enabled; each finds the return code of the one before at UEPCRCA, and the last
/// one decides.
#[test]
fn several_exit_programs_of_a_point_hand_their_return_code_on() {
    let _alone = alone();
    let own = |letter: &str, code: &str| {
        format!(
            "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF ARGS TO UEPARG.\n    SET ADDRESS OF EID TO ARG0.\n    SET ADDRESS OF BEFORE-CODE TO UEPCRCA.\n    IF EID-GROUP NOT = X'0A' OR EID-FUNCT NOT = X'02'\n       GOBACK.\n    ADD 1 TO G-COUNT.\n    MOVE '{letter}' TO G-TEXT(G-COUNT * 2 - 1:1).\n    IF BEFORE-CODE = 4 MOVE '4' TO G-TEXT(G-COUNT * 2:1)\n    ELSE MOVE '0' TO G-TEXT(G-COUNT * 2:1).\n{code}    GOBACK."
        )
    };
    let linkage = format!("{GWA}\n01 ARGS.\n   05 ARG0 POINTER.\n01 EID.\n   COPY DFHUEEID.\n01 BEFORE-CODE PIC S9(4) COMP.");
    exit_program("EXFIRST", "XEIIN", &linkage, &own("A", "    MOVE UERCBYP TO RETURN-CODE.\n"));
    exit_program("EXSECOND", "XEIIN", &linkage, &own("B", "    MOVE UERCBYP TO BEFORE-CODE.\n"));
    let statements = "    EXEC CICS ENABLE PROGRAM('EXSECOND') EXIT('XEIIN')\n       GAENTRYNAME('EXFIRST') START END-EXEC.\n    EXEC CICS WRITEQ TS QUEUE('EXITQ3') FROM(WS-ITEM)\n       RESP(WS-RESP) END-EXEC.\n    EXEC CICS DISABLE PROGRAM('EXSECOND') EXITALL END-EXEC.";
    let report = run("EX17", "EXTEST17", DATA, GWA, &with_exit("EXFIRST", &["XEIIN"], statements));
    assert_eq!(report.trim_end(), "0002A0B4");
}

/// DISABLE PROGRAM STOP and START again.
#[test]
fn a_stopped_exit_is_not_called() {
    let _alone = alone();
    exit_program("EXSTOP", "XEIIN", GWA, "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    ADD 1 TO G-COUNT.\n    GOBACK.");
    let statements = "    EXEC CICS DISABLE PROGRAM('EXSTOP') STOP END-EXEC.\n    EXEC CICS ASKTIME END-EXEC.\n    EXEC CICS ASKTIME END-EXEC.\n    EXEC CICS ENABLE PROGRAM('EXSTOP') START END-EXEC.\n    EXEC CICS ASKTIME END-EXEC.";
    let report = run("EX18", "EXTEST18", DATA, GWA, &with_exit("EXSTOP", &["XEIIN"], statements));
    // DISABLE, then ASKTIME and the last DISABLE.
    assert_eq!(report.trim_end(), "0003");
    assert_eq!(again("EX18").trim_end(), "0003");
}

/// An exit program that tells the operator about each task as it ends.
#[test]
fn xmnout_writes_metrics_to_the_console() {
    let _alone = alone();
    setup().region.monitoring().switch(true);
    let own = "MAIN.\n    SET ADDRESS OF TRAN TO UEPMRECD.\n    SET ADDRESS OF RECORD-LENGTH TO UEPMRLEN.\n    IF TRAN NOT = 'EX19' OR RECORD-LENGTH < 200 GOBACK.\n    EXEC CICS WRITE OPERATOR TEXT(METRICS) END-EXEC.\n    GOBACK.";
    let linkage = "01 DFHCOMMAREA.\n    COPY XMNOUT.\n01 TRAN PIC X(4).\n01 RECORD-LENGTH PIC S9(8) COMP.";
    setup().compile("EXLOGGER", "01 METRICS PIC X(16) VALUE 'EX19 HAS METRICS'.", linkage, own);
    define("EXLOGGER");
    let enable = "MAIN.\n    EXEC CICS ENABLE PROGRAM('EXLOGGER') EXIT('XMNOUT')\n       START END-EXEC.\n    MOVE SPACES TO WS-REPORT.";
    run("EX19", "EXTEST19", DATA, "", enable);
    setup().region.monitoring().switch(false);
    run("EX1A", "EXTEST1A", DATA, "", "MAIN.\n    EXEC CICS DISABLE PROGRAM('EXLOGGER') EXITALL END-EXEC.\n    MOVE SPACES TO WS-REPORT.");
    assert!(says(&["DFHWTO000", "EX19 HAS METRICS"]));
}

/// XPCHAIR before the label of HANDLE ABEND, XPCABND for the abend that ends the task: UERCBYP suppresses its dump.
#[test]
fn xpchair_and_xpcabnd_are_called_in_their_turn() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF EXN TO UEPEXN.\n    ADD 1 TO G-COUNT.\n    IF EXN = XPCHAIR OF DFHUEXIT MOVE 'H' TO G-TEXT(G-COUNT:1).\n    IF EXN = XPCTA OF DFHUEXIT MOVE 'T' TO G-TEXT(G-COUNT:1).\n    IF EXN = XPCABND OF DFHUEXIT\n       MOVE 'A' TO G-TEXT(G-COUNT:1)\n       MOVE UERCBYP TO RETURN-CODE.\n    GOBACK.";
    exit_program("EXABNDS", "DFHUEPAR", &format!("{GWA}\n01 EXN PIC X."), own);
    let enable =
        |point: &str, area: &str| format!("    EXEC CICS ENABLE PROGRAM('EXABNDS') EXIT('{point}')\n       {area} START END-EXEC.\n");
    let procedure = format!(
        "MAIN.\n{}{}{}    MOVE SPACES TO WS-REPORT.\n    EXEC CICS EXTRACT EXIT PROGRAM('EXABNDS')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE ZERO TO G-COUNT. MOVE SPACES TO G-TEXT.\n    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n    EXEC CICS ABEND ABCODE('HND1') END-EXEC.\nCAUGHT.\n    EXEC CICS LINK PROGRAM('REPORT') COMMAREA(WS-REPORT)\n       END-EXEC.\n    EXEC CICS ABEND ABCODE('END1') END-EXEC.",
        enable("XPCTA", "GALENGTH(64)"),
        enable("XPCHAIR", ""),
        enable("XPCABND", "")
    );
    run("EX1B", "EXTEST1B", DATA, GWA, &procedure);
    let area = "MAIN.\n    EXEC CICS EXTRACT EXIT PROGRAM('EXABNDS')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE GWA TO WS-REPORT.\n    EXEC CICS DISABLE PROGRAM('EXABNDS') EXITALL END-EXEC.";
    let report = run("EX1C", "EXTEST1C", DATA, GWA, area);
    assert_eq!(report.trim_end(), "0004THTA");
    assert!(says(&["DFHAP1201", "ABCODE(END1)"]));
    assert!(!setup().lines().iter().any(|line| line.contains("ABCODE(END1)") && line.contains("Dump")));
}
