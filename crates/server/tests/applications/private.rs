//! Private programs and libraries: two applications have programs of one name, and INQUIRE shows those of the task or of a named application.

use crate::support::{application, invoked, open, reported_after, response_of, setup};

#[test]
fn two_applications_have_programs_of_one_name() {
    application("ONE0", "one", [1, 0, 0], "ONEENTRY", "SAMENAME");
    application("TWO0", "two", [7, 8, 9], "TWOENTRY", "SAMENAME");
    open("PRO1", "ONE0");
    open("PRO2", "TWO0");
    let of = |transid: &str, name: &str| {
        invoked(transid, &format!("IV{transid}"), &format!("INVOKE APPLICATION('{name}') PLATFORM('plat')\n       OPERATION('browse')"))
    };
    assert!(of("PR01", "one").ends_with("1 0 0v100"));
    assert!(of("PR02", "two").ends_with("7 8 9v789"));
    let inquire = "    EXEC CICS INQUIRE PROGRAM('SAMENAME') RESP(WS-RESP)\n       RESP2(WS-RESP2) END-EXEC.";
    assert_eq!(response_of("PR03", "IQPR03", inquire), "00270001", "no task without an application finds it");
    assert!(setup().region.installed.read().get("PROGRAM", "SAMENAME").is_none());
}

const BROWSE: &str = "01 WS-REPORT.\n   05 R-N PIC 9(4).\n   05 R-OWN PIC 9(4).\n   05 R-OP PIC X(8).\n01 WS-NAME PIC X(8).\n01 WS-APPL PIC X(64).\n01 WS-PLAT PIC X(64).\n01 WS-OPER PIC X(64).\n01 WS-A1 PIC S9(8) COMP VALUE 4.\n01 WS-A2 PIC S9(8) COMP VALUE 5.\n01 WS-A3 PIC S9(8) COMP VALUE 6.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.";

/// START names the application whose programs are browsed, with the public ones.
#[test]
fn a_browse_shows_the_programs_of_a_named_application() {
    application("BRW0", "browsed", [4, 5, 6], "BRWENTRY", "BRWSUB");
    open("PRO3", "BRW0");
    let browse = "    MOVE 0 TO R-N R-OWN.\n    MOVE SPACES TO R-OP.\n    MOVE 'browsed' TO WS-APPL.\n    MOVE 'plat' TO WS-PLAT.\n    EXEC CICS INQUIRE PROGRAM START APPLICATION(WS-APPL)\n       APPLMAJORVER(WS-A1) APPLMINORVER(WS-A2)\n       APPLMICROVER(WS-A3) PLATFORM(WS-PLAT) END-EXEC.\n    PERFORM UNTIL WS-RESP = DFHRESP(END)\n       EXEC CICS INQUIRE PROGRAM(WS-NAME) NEXT\n          APPLICATION(WS-APPL) OPERATION(WS-OPER)\n          APPLMICROVER(WS-A3) RESP(WS-RESP) END-EXEC\n       IF WS-RESP = 0 AND WS-NAME(1:3) = 'BRW'\n          ADD 1 TO R-N\n          IF WS-APPL = 'browsed' AND WS-A3 = 6\n             ADD 1 TO R-OWN\n          END-IF\n          IF WS-OPER NOT = SPACES MOVE WS-OPER TO R-OP END-IF\n       END-IF\n    END-PERFORM.\n    EXEC CICS INQUIRE PROGRAM END END-EXEC.";
    assert_eq!(reported_after("PR04", "BRPR04", BROWSE, browse), "00020002browse  ");
    let part = "    MOVE 'browsed' TO WS-AREA.\n    EXEC CICS INQUIRE PROGRAM START APPLICATION(WS-AREA)\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.";
    assert_eq!(response_of("PR05", "BRPR05", part), "00160001", "a part of a context is INVREQ");
    let libraries = "    MOVE 0 TO R-N R-OWN.\n    MOVE SPACES TO R-OP.\n    MOVE 'browsed' TO WS-APPL.\n    MOVE 'plat' TO WS-PLAT.\n    EXEC CICS INQUIRE LIBRARY START APPLICATION(WS-APPL)\n       APPLMAJORVER(WS-A1) APPLMINORVER(WS-A2)\n       APPLMICROVER(WS-A3) PLATFORM(WS-PLAT) END-EXEC.\n    PERFORM UNTIL WS-RESP = DFHRESP(END)\n       EXEC CICS INQUIRE LIBRARY(WS-NAME) NEXT\n          APPLICATION(WS-APPL) APPLMICROVER(WS-A3)\n          RESP(WS-RESP) END-EXEC\n       IF WS-RESP = 0\n          ADD 1 TO R-N\n          IF WS-APPL = 'browsed' AND WS-A3 = 6\n             ADD 1 TO R-OWN\n             MOVE WS-NAME TO R-OP\n          END-IF\n       END-IF\n    END-PERFORM.\n    EXEC CICS INQUIRE LIBRARY END END-EXEC.";
    assert_eq!(reported_after("PR06", "BRPR06", BROWSE, libraries), "00020001PRIVLIB ", "its own, and DFHRPL");
}

/// What a bundle has made private is changed by its bundle only.
#[test]
fn a_private_program_is_not_set_or_discarded_by_itself() {
    application("SET0", "settled", [1, 0, 0], "SETENTRY", "SETSUB");
    open("PRO4", "SET0");
    let of = |transid: &str, command: &str| {
        response_of(transid, &format!("SP{transid}"), &format!("    EXEC CICS {command}\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC."))
    };
    assert_eq!(of("PR07", "SET PROGRAM('SETENTRY') DISABLED"), "00160300");
    assert_eq!(of("PR08", "DISCARD PROGRAM('SETENTRY')"), "00160300");
    assert_eq!(of("PR09", "SET PROGRAM('SETSUB') DISABLED"), "00270007", "nobody else sees it");
}
