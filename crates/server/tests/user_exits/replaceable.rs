//! User-replaceable programs: the program autoinstall control program, and DFHPEP.

use super::{alone, define, run, says, setup};

const DATA: &str = "01 WS-REPORT.\n   05 R-RESP PIC 9(4).\n   05 R-RUN PIC X(4).\n   05 R-KEY PIC 9(4).\n   05 R-CON PIC 9(4).\n01 WS-AREA PIC X(4) VALUE SPACES.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-KEY PIC S9(8) COMP.\n01 WS-CON PIC S9(8) COMP.\n01 WS-OLD PIC X(8).";

fn control_program(name: &str, procedure: &str) {
    setup().compile(name, "01 WS-X PIC X.", "01 DFHCOMMAREA.\n    COPY DFHPGACO.", procedure);
    define(name);
}

/// Links to a program without a definition, with `exit` as control program.
fn link(transid: &str, program: &str, exit: &str, wanted: &str) -> String {
    setup().compile(wanted, "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(4).", "MAIN.\n    MOVE 'RAN ' TO DFHCOMMAREA.\n    GOBACK.");
    let procedure = format!(
        "MAIN.\n    MOVE ZERO TO R-KEY R-CON.\n    EXEC CICS INQUIRE SYSTEM PROGAUTOEXIT(WS-OLD) END-EXEC.\n    EXEC CICS SET SYSTEM PROGAUTOEXIT('{exit}') AUTOACTIVE\n       END-EXEC.\n    EXEC CICS LINK PROGRAM('{wanted}') COMMAREA(WS-AREA)\n       RESP(WS-RESP) END-EXEC.\n    COMPUTE R-RESP = WS-RESP * 100 + EIBRESP2.\n    MOVE WS-AREA TO R-RUN.\n    EXEC CICS INQUIRE PROGRAM('{wanted}') EXECKEY(WS-KEY)\n       CONCURRENCY(WS-CON) RESP(WS-RESP) END-EXEC.\n    IF WS-RESP = 0 MOVE WS-KEY TO R-KEY MOVE WS-CON TO R-CON.\n    EXEC CICS SET SYSTEM PROGAUTOEXIT(WS-OLD) AUTOINACTIVE\n       END-EXEC."
    );
    run(transid, program, DATA, "", &procedure)
}

/// CICSEXECKEY is 381, USEREXECKEY 382; THREADSAFE 1051, QUASIRENT 1050. PGMIDERR is 27.
#[test]
fn the_control_program_decides_how_a_program_is_installed() {
    let _alone = alone();
    control_program(
        "PGOWN",
        "MAIN.\n    IF NOT PGAC-TYPE-PROGRAM GOBACK.\n    SET PGAC-CICS-KEY TO TRUE.\n    SET PGAC-THREADSAFE TO TRUE.\n    SET PGAC-RETURN-OK TO TRUE.\n    EXEC CICS RETURN END-EXEC.",
    );
    assert_eq!(link("EX40", "EXTEST40", "PGOWN", "AUTOPGM1"), format!("0000RAN {:04}1051", exec::cvda::CICSEXECKEY));
    control_program("PGREFUSE", "MAIN.\n    SET PGAC-RETURN-DONT-DEFINE-PROGRAM TO TRUE.\n    GOBACK.");
    assert_eq!(link("EX41", "EXTEST41", "PGREFUSE", "AUTOPGM2"), "2701    00000000");
    control_program("PGMODEL", "MAIN.\n    MOVE 'NOMODEL' TO PGAC-MODEL-NAME.\n    GOBACK.");
    assert_eq!(link("EX42", "EXTEST42", "PGMODEL", "AUTOPGM3"), "2722    00000000");
    control_program("PGDATA", "MAIN.\n    MOVE '9' TO PGAC-LANGUAGE.\n    GOBACK.");
    assert_eq!(link("EX43", "EXTEST43", "PGDATA", "AUTOPGM4"), "2723    00000000");
    control_program("PGABEND", "MAIN.\n    EXEC CICS ABEND ABCODE('PGAB') END-EXEC.");
    assert_eq!(link("EX44", "EXTEST44", "PGABEND", "AUTOPGM5"), "2721    00000000");
    assert!(says(&["DFHPG0206", "AUTOPGM5"]));
    // Without a program of that name in a library it is the region's own.
    assert_eq!(link("EX45", "EXTEST45", "DFHPGADX", "AUTOPGM6"), format!("0000RAN {:04}1050", exec::cvda::USEREXECKEY));
    // A program in the library takes its place.
    setup().compile(
        "DFHPGADX",
        "01 WS-X PIC X.",
        "01 DFHCOMMAREA.\n    COPY DFHPGACO.",
        "MAIN.\n    SET PGAC-RETURN-DONT-DEFINE-PROGRAM TO TRUE.\n    GOBACK.",
    );
    let report = link("EX46", "EXTEST46", "DFHPGADX", "AUTOPGM7");
    std::fs::remove_file(setup().library().join("DFHPGADX.rlm")).unwrap();
    assert_eq!(report, "2701    00000000");
}

/// The error program is told the abend code and the program, and disables the transaction.
#[test]
fn the_program_error_program_disables_a_transaction() {
    let _alone = alone();
    let own = "MAIN.\n    IF PEP-COM-CURRENT-ABEND-CODE = 'PEP1'\n       AND PEP-COM-ABPROGRAM = 'EXTEST50'\n       SET PEP-COM-RETURN-DISABLE TO TRUE.\n    IF PEP-COM-CURRENT-ABEND-CODE = 'PEP2'\n       EXEC CICS ABEND ABCODE('OWN1') END-EXEC.\n    EXEC CICS RETURN END-EXEC.";
    setup().compile("DFHPEP", "01 WS-X PIC X.", "01 DFHCOMMAREA.\n    COPY DFHPCOM.", own);
    define("DFHPEP");
    let abend = |code: &str| {
        format!(
            "MAIN.\n    EXEC CICS LINK PROGRAM('REPORT')\n       COMMAREA(WS-REPORT) END-EXEC.\n    EXEC CICS ABEND ABCODE('{code}') END-EXEC."
        )
    };
    run("EX50", "EXTEST50", "01 WS-REPORT PIC X.", "", &abend("PEP1"));
    run("EX51", "EXTEST51", "01 WS-REPORT PIC X.", "", &abend("PEP2"));
    run("EX52", "EXTEST52", "01 WS-REPORT PIC X.", "", &abend("PEP3"));
    let enabled = |transid: &str| setup().region.transactions().find(region::name::Name4::new(transid)).unwrap().definition().enabled;
    assert!(!enabled("EX50") && enabled("EX51") && enabled("EX52"));
    assert!(says(&["DFHAC2264", "EX50", "PEP1"]) && says(&["DFHAC2263", "EX51", "PEP2"]));
    std::fs::remove_file(setup().library().join("DFHPEP.rlm")).unwrap();
}
