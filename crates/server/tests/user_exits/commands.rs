//! ENABLE PROGRAM, DISABLE PROGRAM, EXTRACT EXIT and INQUIRE EXITPROGRAM: normal path, conditions and the EIB.

use super::{alone, define, exit_program, run, says, setup};

/// Each line: the response, and bytes 0 to 2 of EIBRCODE in hexadecimal. 63 is INVEXITREQ.
const CODES: &str = "01 WS-REPORT.\n   05 R-LINE OCCURS 20 TIMES.\n      10 R-RESP PIC 99.\n      10 R-CODE PIC X(3).\n01 WS-N PIC S9(4) COMP VALUE 0.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-PTR POINTER.\n01 WS-LEN PIC S9(4) COMP.";

fn codes(report: &str) -> Vec<(String, String)> {
    let bytes = setup().region.code_page.encode(report);
    let text = |part: &[u8]| setup().region.code_page.text(part);
    let hex = |part: &[u8]| part.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
    bytes.chunks(5).take_while(|line| line[0] >= 0xF0).map(|line| (text(&line[..2]), hex(&line[2..]))).collect()
}

#[test]
fn conditions_say_in_eibrcode_what_is_wrong() {
    let _alone = alone();
    exit_program("EXCOND", "XEIIN", "", "MAIN.\n    GOBACK.");
    define("EXMISSNG");
    let commands = [
        ("ENABLE PROGRAM('EXMISSNG')", "63", "808000"),
        ("ENABLE PROGRAM('EXCOND') EXIT('XNOSUCH')", "63", "804000"),
        ("ENABLE PROGRAM('EXCOND') EXIT('XTCIN')", "63", "804000"),
        ("ENABLE PROGRAM('EXCOND') GALENGTH(0)", "63", "800200"),
        ("ENABLE PROGRAM('EXCOND') GALENGTH(65536)", "63", "800200"),
        ("ENABLE PROGRAM('EXCOND') GAENTRYNAME('EXNOBODY')", "63", "800800"),
        ("DISABLE PROGRAM('EXCOND') STOP", "63", "808000"),
        ("EXTRACT EXIT PROGRAM('EXCOND') GASET(WS-PTR)\n GALENGTH(WS-LEN)", "63", "808000"),
        ("ENABLE PROGRAM('EXCOND') EXIT('XEIIN')", "00", "000000"),
        ("ENABLE PROGRAM('EXCOND') EXIT('XEIIN')", "63", "801000"),
        ("ENABLE PROGRAM('EXCOND') GALENGTH(10)", "63", "802000"),
        ("EXTRACT EXIT PROGRAM('EXCOND') GASET(WS-PTR)\n GALENGTH(WS-LEN)", "63", "800400"),
        ("ENABLE PROGRAM('EXCOND') ENTRYNAME('EXSECOND')\n GAENTRYNAME('EXCOND')", "63", "800400"),
        ("DISABLE PROGRAM('EXCOND') EXIT('XEIOUT')", "63", "802000"),
        ("DISABLE PROGRAM('EXCOND') ENTRYNAME('OTHER') STOP", "63", "808000"),
        ("DISABLE PROGRAM('EXCOND') EXITALL", "00", "000000"),
        ("DISABLE PROGRAM('EXCOND') EXITALL", "63", "808000"),
    ];
    let mut procedure = String::from("MAIN.\n    MOVE LOW-VALUES TO WS-REPORT.\n");
    for (command, ..) in commands {
        procedure += &format!(
            "    EXEC CICS {command}\n       RESP(WS-RESP) END-EXEC.\n    ADD 1 TO WS-N.\n    MOVE WS-RESP TO R-RESP(WS-N).\n    MOVE EIBRCODE TO R-CODE(WS-N).\n"
        );
    }
    let report = run("EX01", "EXTEST1", CODES, "", &procedure);
    let expected: Vec<_> = commands.iter().map(|(_, resp, code)| (resp.to_string(), code.to_string())).collect();
    assert_eq!(codes(&report), expected);
    // An exit point of CICS that the region has not.
    assert!(says(&["DFHAP0700", "EXCOND", "XTCIN", "there are no sequential terminals"]));
}

/// A global work area is below 16 MB unless GALOCATION(LOC31) is given.
#[test]
fn galocation_says_where_the_work_area_is() {
    let _alone = alone();
    exit_program("EXGALOC", "XEIIN", "", "MAIN.\n    GOBACK.");
    let data = "01 WS-REPORT.\n   05 R-ONE PIC 9(10).\n   05 R-TWO PIC 9(10).\n   05 R-LEN PIC 9(5).\n01 WS-PTR POINTER.\n01 WS-NUM REDEFINES WS-PTR PIC S9(9) COMP-5.\n01 WS-LEN PIC S9(4) COMP.";
    let pair = |location: &str, into: &str| {
        format!(
            "    EXEC CICS ENABLE PROGRAM('EXGALOC') GALENGTH(100)\n       {location} END-EXEC.\n    EXEC CICS EXTRACT EXIT PROGRAM('EXGALOC')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    MOVE WS-NUM TO {into}.\n    EXEC CICS DISABLE PROGRAM('EXGALOC') EXITALL END-EXEC.\n"
        )
    };
    let procedure = format!("MAIN.\n{}{}    MOVE WS-LEN TO R-LEN.", pair("", "R-ONE"), pair("GALOCATION(DFHVALUE(LOC31))", "R-TWO"));
    let report = run("EX03", "EXTEST3", data, "", &procedure);
    let number = |part: &str| part.parse::<usize>().unwrap();
    let line = 16 << 20;
    assert!((1..line).contains(&number(&report[..10])) && (line..1 << 31).contains(&number(&report[10..20])), "{report}");
    assert_eq!(&report[20..25], "00100");
}

const INQUIRED: &str = "01 WS-REPORT.\n   05 R-FIRST PIC X(30).\n   05 R-SECOND PIC X(30).\n   05 R-BROWSE PIC X(40).\n   05 R-LAST PIC X(20).\n01 WS-RESP PIC S9(8) COMP.\n01 WS-NAME PIC X(8).\n01 WS-ENTRY PIC X(8).\n01 WS-OWNER PIC X(8).\n01 WS-LEN PIC S9(8) COMP.\n01 WS-USERS PIC S9(8) COMP.\n01 WS-EXITS PIC S9(8) COMP.\n01 WS-STATE PIC S9(8) COMP.\n01 WS-CON PIC S9(8) COMP.\n01 WS-API PIC S9(8) COMP.\n01 N1 PIC 99. \n01 N2 PIC 99.\n01 N3 PIC 999.\n01 N4 PIC 9999.\n01 N5 PIC 9999.\n01 N6 PIC 99.\n01 N7 PIC 99.";

/// The second exit shares the first one's area. The browse has the order in which they were enabled, whatever their names.
#[test]
fn inquire_exitprogram_tells_all_and_browses_in_the_order_of_enabling() {
    let _alone = alone();
    exit_program("EXINQB", "XEIIN", "", "MAIN.\n    GOBACK.");
    exit_program("EXINQA", "XEIIN", "", "MAIN.\n    GOBACK.");
    let inquire = |program: &str, into: &str| {
        format!(
            "    EXEC CICS INQUIRE EXITPROGRAM('{program}')\n       ENTRYNAME(WS-ENTRY) GAENTRYNAME(WS-OWNER)\n       GALENGTH(WS-LEN) GAUSECOUNT(WS-USERS) NUMEXITS(WS-EXITS)\n       STARTSTATUS(WS-STATE) CONCURRENTST(WS-CON) APIST(WS-API)\n       RESP(WS-RESP) END-EXEC.\n    MOVE WS-LEN TO N1. MOVE WS-USERS TO N2.\n    MOVE WS-STATE TO N3. MOVE WS-CON TO N4. MOVE WS-API TO N5.\n    MOVE WS-EXITS TO N6. MOVE WS-RESP TO N7.\n    STRING WS-OWNER N1 N2 N3 N4 N5 N6 N7 DELIMITED SIZE\n       INTO {into}.\n"
        )
    };
    let next = "    EXEC CICS INQUIRE EXITPROGRAM(WS-NAME) ENTRYNAME(WS-ENTRY)\n       NEXT RESP(WS-RESP) END-EXEC.\n";
    let procedure = format!(
        "MAIN.\n    MOVE SPACES TO WS-REPORT.\n    MOVE SPACES TO WS-ENTRY.\n    EXEC CICS ENABLE PROGRAM('EXINQB') EXIT('XEIIN')\n       GALENGTH(40) GALOCATION(DFHVALUE(LOC31)) THREADSAFE\n       OPENAPI END-EXEC.\n    EXEC CICS ENABLE PROGRAM('EXINQB') EXIT('XEIOUT') END-EXEC.\n    EXEC CICS ENABLE PROGRAM('EXINQA') ENTRYNAME('OWNNAME')\n       EXIT('XEIIN') GAENTRYNAME('EXINQB') START END-EXEC.\n{}    MOVE 'OWNNAME' TO WS-ENTRY.\n{}    EXEC CICS INQUIRE EXITPROGRAM START END-EXEC.\n{next}    MOVE WS-NAME TO R-BROWSE(1:8).\n    MOVE WS-ENTRY TO R-BROWSE(9:8).\n{next}    MOVE WS-NAME TO R-BROWSE(17:8).\n    MOVE WS-ENTRY TO R-BROWSE(25:8).\n{next}    MOVE WS-RESP TO N7.\n    MOVE N7 TO R-BROWSE(33:2).\n    MOVE EIBRESP2 TO N7.\n    MOVE N7 TO R-BROWSE(35:2).\n    EXEC CICS INQUIRE EXITPROGRAM END END-EXEC.\n    MOVE SPACES TO WS-ENTRY.\n    EXEC CICS INQUIRE EXITPROGRAM('EXINQA') RESP(WS-RESP)\n       END-EXEC.\n    MOVE WS-RESP TO N7.\n    MOVE N7 TO R-LAST(1:2).\n    EXEC CICS INQUIRE EXITPROGRAM EXIT('XNOSUCH') START\n       RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N7.\n    MOVE N7 TO R-LAST(3:2).\n    EXEC CICS INQUIRE EXITPROGRAM END RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N7.\n    MOVE N7 TO R-LAST(5:2).\n    EXEC CICS DISABLE PROGRAM('EXINQB') EXITALL END-EXEC.\n    EXEC CICS DISABLE PROGRAM('EXINQA') ENTRYNAME('OWNNAME')\n       EXITALL END-EXEC.",
        inquire("EXINQB", "R-FIRST"),
        inquire("EXINQA", "R-SECOND"),
    );
    let report = run("EX02", "EXTEST2", INQUIRED, "", &procedure);
    // GAENTRYNAME, GALENGTH, GAUSECOUNT, STOPPED 610, THREADSAFE 1051, OPENAPI 1053, NUMEXITS, RESP.
    assert_eq!(report[..27].trim_end(), "EXINQB  4002610105110530200");
    // STARTED 609, QUASIRENT 1050, CICSAPI 1052.
    assert_eq!(report[30..57].trim_end(), "EXINQB  4000609105010520100");
    // END is 83, RESP2 2.
    assert_eq!(&report[60..96], "EXINQB  EXINQB  EXINQA  OWNNAME 8302");
    // PGMIDERR 27, INVREQ 16, ILLOGIC 21.
    assert_eq!(&report[100..106], "271621");
}
