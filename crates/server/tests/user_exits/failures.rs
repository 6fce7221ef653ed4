//! Exit programs that fail: the region and the application go on.

use super::{alone, exit_program, run, says};

const DATA: &str = "01 WS-REPORT PIC X(4) VALUE 'GOOD'.\n01 WS-RESP PIC S9(8) COMP.";

fn around(program: &str, point: &str, statements: &str) -> String {
    format!(
        "MAIN.\n    EXEC CICS ENABLE PROGRAM('{program}') EXIT('{point}')\n       START END-EXEC.\n{statements}    EXEC CICS DISABLE PROGRAM('{program}') EXITALL END-EXEC."
    )
}

/// DFHAP0701 names the exit program and the exit point, and the return code is UERCNORM.
#[test]
fn an_exit_program_that_abends_is_reported_and_passed_over() {
    let _alone = alone();
    exit_program("EXBAD", "XEIIN", "", "MAIN.\n    EXEC CICS ABEND ABCODE('BAD1') END-EXEC.");
    let report = run("EX30", "EXTEST30", DATA, "", &around("EXBAD", "XEIIN", "    EXEC CICS ASKTIME END-EXEC.\n"));
    assert_eq!(report, "GOOD");
    assert!(says(&["DFHAP0701", "BAD1", "EXBAD", "XEIIN"]));
}

/// A wild pointer is 0C4 in the exit program, which is an abend of the exit program only.
#[test]
fn a_wild_pointer_ends_the_exit_program_only() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF WILD TO UEPTCA.\n    MOVE 'X' TO WILD.\n    GOBACK.";
    exit_program("EXWILD", "XEIIN", "01 WILD PIC X.", own);
    let report = run("EX31", "EXTEST31", DATA, "", &around("EXWILD", "XEIIN", "    EXEC CICS ASKTIME END-EXEC.\n"));
    assert_eq!(report, "GOOD");
    assert!(says(&["DFHAP0701", "ASRA", "EXWILD", "XEIIN"]));
}

/// What the exit program leaves in its parameter list is not trusted: it fills the list, the addresses of the command's arguments and the lengths
/// with addresses that lead nowhere. The application's command fails as with addresses of its own, and the region goes on.
#[test]
fn addresses_that_an_exit_program_leaves_cannot_end_the_region() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF ARGS TO UEPCLPS.\n    SET ADDRESS OF EID TO ARG(1).\n    SET ADDRESS OF ALL-PARAMETERS TO ADDRESS OF DFHCOMMAREA.\n    PERFORM VARYING N FROM 1 BY 1 UNTIL N > 16\n       MOVE X'7FFFFFF0' TO RAW(N)\n    END-PERFORM.\n    MOVE ALL X'FF' TO EID-AREA.\n    MOVE ALL X'7E' TO ALL-PARAMETERS.\n    GOBACK.";
    let linkage = "01 ARGS.\n   05 ARG POINTER OCCURS 16 TIMES.\n01 FILLER REDEFINES ARGS.\n   05 RAW PIC X(4) OCCURS 16 TIMES.\n01 EID.\n   05 EID-AREA PIC X(9).\n01 ALL-PARAMETERS PIC X(80).\n01 N PIC S9(4) COMP.";
    let linkage = linkage
        .replace("\n01 N PIC S9(4) COMP.", "")
        .replace("01 FILLER REDEFINES ARGS.\n   05 RAW PIC X(4) OCCURS 16 TIMES.\n", "")
        .replace("ARG POINTER OCCURS 16 TIMES", "ARG POINTER.\n   05 RAW PIC X(60)");
    let own = own.replace("ARG(1)", "ARG").replace(
        "    PERFORM VARYING N FROM 1 BY 1 UNTIL N > 16\n       MOVE X'7FFFFFF0' TO RAW(N)\n    END-PERFORM.\n",
        "    MOVE ALL X'7D' TO RAW.\n",
    );
    exit_program("EXHOST", "XFCREQ", &linkage, &own);
    let data = "01 WS-REPORT PIC X(4) VALUE 'GOOD'.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-REC PIC X(8).\n01 WS-LEN PIC S9(4) COMP VALUE 8.\n01 WS-KEY PIC X(4).\n01 WS-CODE PIC X(4).";
    let statements = "    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n    EXEC CICS READ FILE('NOFILE') INTO(WS-REC)\n       LENGTH(WS-LEN) RIDFLD(WS-KEY) RESP(WS-RESP) END-EXEC.\n    MOVE 'LATE' TO WS-REPORT.\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-CODE) END-EXEC.\n    IF WS-CODE NOT = 'ASRA' MOVE WS-CODE TO WS-REPORT.\n";
    let report = run("EX32", "EXTEST32", data, "", &around("EXHOST", "XFCREQ", statements));
    assert_eq!(report, "GOOD");
}

/// A return code that the point does not have is reported; UERCNORM is taken.
#[test]
fn a_return_code_of_another_point_is_not_accepted() {
    let _alone = alone();
    exit_program("EXCODE", "XEIOUT", "", "MAIN.\n    MOVE 99 TO RETURN-CODE.\n    GOBACK.");
    let report = run("EX33", "EXTEST33", DATA, "", &around("EXCODE", "XEIOUT", "    EXEC CICS ASKTIME END-EXEC.\n"));
    assert_eq!(report, "GOOD");
    assert!(says(&["DFHAP0700", "EXCODE", "XEIOUT", "99"]));
}
