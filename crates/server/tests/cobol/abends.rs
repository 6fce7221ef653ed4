//! How programs that fail end: program checks, no storage, runaways.

use super::{REPORT, attach, compile, define, message_with, reported, setup};
use csd::{Definition, TransactionDefinition};
use std::time::Duration;

#[test]
fn program_checks_are_asra_with_their_code_and_can_be_handled() {
    compile(
        "COBDATA",
        "01 WS-BAD PIC X(3) VALUE X'FFFFFF'.\n01 WS-NUM REDEFINES WS-BAD PIC S9(5) COMP-3.\n01 WS-REPORT PIC X(8) VALUE SPACES.\n01 WS-CODE PIC X(4).",
        "",
        &format!(
            "MAIN.\n    EXEC CICS HANDLE ABEND LABEL(AN-ABEND) END-EXEC.\n    ADD 1 TO WS-NUM.\n    MOVE 'WRONG' TO WS-REPORT.\n    GO TO FINISH.\nAN-ABEND.\n    EXEC CICS ASSIGN ABCODE(WS-CODE) END-EXEC.\n    MOVE WS-CODE TO WS-REPORT.\nFINISH.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define("CB03", "COBDATA", &[]);
    assert_eq!(reported("CB03"), "ASRA    ");
    compile(
        "COBZERO",
        "01 WS-A PIC S9(4) COMP VALUE 1.\n01 WS-B PIC S9(4) COMP VALUE 0.",
        "",
        "MAIN.\n    DIVIDE WS-B INTO WS-A.\n    EXEC CICS RETURN END-EXEC.",
    );
    define("CB04", "COBZERO", &[]);
    attach("CB04");
    assert!(message_with(&["DFHAC2236", "CB04", "ASRA", "COBZERO"]), "{:#?}", setup().lines());
    compile(
        "COBPTR",
        "01 WS-P POINTER.\n01 WS-N REDEFINES WS-P PIC S9(8) COMP.",
        "01 LK-AREA PIC X(100).",
        "MAIN.\n    MOVE 1048576 TO WS-N.\n    SET ADDRESS OF LK-AREA TO WS-P.\n    MOVE SPACES TO LK-AREA.\n    EXEC CICS RETURN END-EXEC.",
    );
    define("CB05", "COBPTR", &[]);
    attach("CB05");
    assert!(message_with(&["DFHSR0001", "0C4", "COBPTR"]), "{:#?}", setup().lines());
}

/// The result of a function longer than the storage of the region: the message names program, line and bytes, though no command failed.
#[test]
fn a_temporary_without_storage_is_an_abend_with_its_line() {
    compile(
        "COBTEMP",
        "01 WS-X PIC X(8).",
        "01 LK-AREA PIC X(134217727).",
        "MAIN.\n    CONTINUE.\n    MOVE FUNCTION BIT-OF(LK-AREA) TO WS-X.\n    EXEC CICS RETURN END-EXEC.",
    );
    define("CBTM", "COBTEMP", &[]);
    attach("CBTM");
    assert!(message_with(&["DFHAC2236", "CBTM", "AEIV", "COBTEMP"]), "{:#?}", setup().lines());
    assert!(message_with(&["DFHAP1201", "COBTEMP.cbl:11", "1073741816 bytes of program storage"]), "{:#?}", setup().lines());
}

/// CEEGTST returns CEE0PD and ALLOCATE sets its pointer to NULL: neither waits for storage that the task has itself.
#[test]
fn language_environment_tells_that_there_is_no_storage() {
    compile(
        "COBGTST",
        "01 WS-HEAP PIC S9(9) COMP VALUE 0.\n01 WS-SIZE PIC S9(9) COMP VALUE 90000000.\n01 WS-P POINTER.\n01 WS-FC.\n   05 FC-SEVERITY PIC S9(4) COMP.\n   05 FC-MESSAGE PIC S9(4) COMP.\n   05 FILLER PIC X(8).\n01 WS-REPORT.\n   05 R-SEVERITY PIC 9.\n   05 R-MESSAGE PIC 9(4).\n   05 R-POINTER PIC X(4).",
        "",
        &format!(
            "MAIN.\n    PERFORM WITH TEST AFTER UNTIL FC-SEVERITY > 0\n      CALL 'CEEGTST' USING WS-HEAP WS-SIZE WS-P WS-FC\n    END-PERFORM.\n    MOVE FC-SEVERITY TO R-SEVERITY.\n    MOVE FC-MESSAGE TO R-MESSAGE.\n    MOVE 'SOME' TO R-POINTER.\n    ALLOCATE 90000000 CHARACTERS RETURNING WS-P.\n    IF WS-P = NULL\n       MOVE 'NULL' TO R-POINTER.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define("CBGT", "COBGTST", &[]);
    assert_eq!(reported("CBGT"), "30813NULL");
}

/// A long document takes memory outside program storage while it is read. Without it the task abends; other tasks lose nothing.
#[test]
fn long_documents_take_memory_that_is_counted() {
    let data = "01 WS-TEXT PIC X(2000000).\n01 G.\n   05 A PIC 9 VALUE 0.\n01 WS-REPORT PIC X.";
    compile(
        "COBJSON",
        data,
        "",
        &format!(
            "MAIN.\n    MOVE ALL X'20' TO WS-TEXT.\n    MOVE X'7B2247223A7B2241223A377D7D' TO WS-TEXT(1:13).\n    JSON PARSE WS-TEXT INTO G.\n    MOVE A TO WS-REPORT.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    compile(
        "COBXML",
        data,
        "",
        &format!(
            "MAIN SECTION.\n    MOVE '<a>7</a>' TO WS-TEXT.\n    XML PARSE WS-TEXT PROCESSING PROCEDURE HANDLER.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.\nHANDLER SECTION.\n    IF XML-EVENT = 'CONTENT-CHARACTERS'\n       MOVE XML-TEXT TO WS-REPORT."
        ),
    );
    define("CBJS", "COBJSON", &[]);
    define("CBXM", "COBXML", &[]);
    let account = setup().region.store.account();
    assert_eq!((reported("CBJS"), reported("CBXM")), ("7".to_string(), "7".to_string()));
    testing::eventually("memory is released", || account.used() < 1 << 20);
    let others = account.reserve((account.limit() / 4 * 3 - account.used()) as usize - (1 << 20)).unwrap();
    attach("CBJS");
    attach("CBXM");
    for (transid, program) in [("CBJS", "COBJSON"), ("CBXM", "COBXML")] {
        assert!(message_with(&["DFHAC2236", transid, "AKCS", program]), "{:#?}", setup().lines());
    }
    drop(others);
    assert_eq!((reported("CBJS"), reported("CBXM")), ("7".to_string(), "7".to_string()));
}

#[test]
fn a_loop_is_aica_and_an_unhandled_condition_its_own_abend() {
    compile(
        "COBLOOP",
        "01 WS-I PIC S9(8) COMP VALUE 0.",
        "",
        "MAIN.\n    PERFORM UNTIL WS-I > 5\n       MOVE 0 TO WS-I\n    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.",
    );
    define("CB06", "COBLOOP", &[]);
    attach("CB06");
    compile("COBPGMI", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS LINK PROGRAM('NOBODY') END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    define("CB07", "COBPGMI", &[]);
    attach("CB07");
    assert!(message_with(&["DFHAC2236", "CB07", "AEI0"]));
    assert!(message_with(&["DFHAC2236", "CB06", "AICA"]), "{:#?}", setup().lines());
}

/// A transaction with a limit of its own, in milliseconds.
fn define_runaway(transid: &str, program: &str, runaway: &str) {
    let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program).with("RUNAWAY", runaway);
    setup().region.transactions().install(TransactionDefinition::from(&definition));
}

/// Attaches the transaction and waits until it runs.
fn attach_running(transid: &str) -> kernel::TaskRef {
    let number = setup().attach(transid);
    let kernel = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(5));
        setup().region.transactions().task(number).and_then(|task| task.kernel.lock().clone())
    });
    kernel.take(1_000).flatten().next().expect("it runs")
}

/// One statement that compares each of a million characters with a million others; and statements with operands of many megabytes, one after
/// the other, between which there is next to no code of the program.
#[test]
fn long_statements_are_aica_while_other_tasks_run() {
    compile(
        "COBLIST",
        "01 WS-A PIC N(1000000).\n01 WS-B PIC N(1000000).",
        "",
        "MAIN.\n    MOVE ALL N'A' TO WS-A.\n    MOVE ALL N'B' TO WS-B.\n    INSPECT WS-A CONVERTING WS-B TO WS-B.\n    EXEC CICS RETURN END-EXEC.",
    );
    compile(
        "COBHUGE",
        "01 WS-A PIC X(40000000).\n01 WS-B PIC X(8000000).\n01 WS-N PIC 9(9) VALUE 0.\n01 WS-C PIC X(80).",
        "",
        "MAIN.\n    MOVE ALL 'A' TO WS-A.\n    MOVE ALL 'A' TO WS-B.\n    MOVE 'B' TO WS-B(8000000:1).\n    PERFORM UNTIL WS-N > 0\n       INSPECT WS-A TALLYING WS-N FOR ALL WS-B\n       UNSTRING WS-A DELIMITED BY WS-B INTO WS-C\n    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.",
    );
    let small = format!("MAIN.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.");
    compile("COBSMALL", "01 WS-REPORT PIC X(7) VALUE 'THE END'.", "", &small);
    define("RNWE", "COBSMALL", &[]);
    for (transid, program) in [("RNWL", "COBLIST"), ("RNWH", "COBHUGE")] {
        define("", program, &[("CONCURRENCY", "REQUIRED")]);
        define_runaway(transid, program, "500");
        let kernel = attach_running(transid);
        assert_eq!(reported("RNWE"), "THE END", "beside {transid}");
        assert!(message_with(&["DFHAC2236", transid, "AICA"]), "{:#?}", setup().lines());
        // Of processor time, which does not depend on what else the machine does.
        let used = kernel.times().cpu;
        assert!(used < Duration::from_secs(3), "{transid}: {used:?}");
        assert_eq!(reported("RNWE"), "THE END", "after {transid}");
    }
}

/// Searches of long operands take no longer than a few passes over them: the limit is a second.
#[test]
fn a_search_of_long_operands_ends() {
    compile(
        "COBSEEK",
        "01 WS-A PIC X(6000000) VALUE ALL 'A'.\n01 WS-B PIC X(2000000) VALUE ALL 'A'.\n01 WS-N PIC 9(9) VALUE 0.\n01 WS-C PIC X(80).\n01 WS-REPORT PIC X(7) VALUE 'THE END'.",
        "",
        &format!(
            "MAIN.\n    MOVE 'B' TO WS-B(2000000:1).\n    INSPECT WS-A TALLYING WS-N FOR ALL WS-B.\n    UNSTRING WS-A DELIMITED BY WS-B INTO WS-C.\n    STRING WS-A DELIMITED BY WS-B INTO WS-C.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define("RNWD", "COBSEEK", &[]);
    assert_eq!(reported("RNWD"), "THE END");
}

/// RUNAWAY: a limit of the transaction's own, ICVR (SYSTEM; 1,000 ms here), or none; of time without giving up control.
#[test]
fn runaway_of_the_transaction_goes_before_icvr() {
    let program = |name: &str, hundredths: u32, in_each_round: &str| {
        compile(
            name,
            "01 WS-DATE.\n   05 FILLER PIC X(8).\n   05 WS-HOURS PIC 9(2).\n   05 WS-MINUTES PIC 9(2).\n   05 WS-SECONDS PIC 9(2).\n   05 WS-HUNDREDTHS PIC 9(2).\n   05 FILLER PIC X(5).\n01 WS-NOW PIC S9(9) COMP.\n01 WS-BEGIN PIC S9(9) COMP.\n01 WS-REPORT PIC X(7) VALUE 'THE END'.",
            "",
            &format!(
                "MAIN.\n    PERFORM LOOK.\n    MOVE WS-NOW TO WS-BEGIN.\n    PERFORM LOOK UNTIL WS-NOW < WS-BEGIN\n       OR WS-NOW > WS-BEGIN + {hundredths}.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.\nLOOK.\n    {in_each_round}\n    MOVE FUNCTION CURRENT-DATE TO WS-DATE.\n    COMPUTE WS-NOW = WS-HOURS * 360000 + WS-MINUTES * 6000\n       + WS-SECONDS * 100 + WS-HUNDREDTHS."
            ),
        );
        define("", name, &[]);
    };
    program("COBLONG", 6_000, "CONTINUE.");
    program("COBSHORT", 250, "CONTINUE.");
    program("COBPOLIT", 250, "EXEC CICS SUSPEND END-EXEC.");
    for (transid, program, runaway) in [
        ("RNW0", "COBSHORT", "0"),
        ("RNWM", "COBSHORT", "2700000"),
        ("RNWP", "COBPOLIT", "500"),
        ("RNW5", "COBLONG", "500"),
        ("RNWS", "COBLONG", "SYSTEM"),
    ] {
        define_runaway(transid, program, runaway);
    }
    let milliseconds = Duration::from_millis;
    for (transid, limit) in [("RNW5", 500), ("RNWS", 1_000)] {
        let kernel = attach_running(transid);
        assert!(message_with(&["DFHAC2236", transid, "AICA"]), "{:#?}", setup().lines());
        let used = kernel.times().cpu;
        assert!(used >= milliseconds(limit) * 9 / 10, "{transid}: {used:?}");
        let reason = format!("the task ran {limit} ms (RUNAWAY)");
        assert!(message_with(&["COBLONG", &reason]), "{:#?}", setup().lines());
    }
    for transid in ["RNW0", "RNWM", "RNWP"] {
        assert_eq!(reported(transid), "THE END", "{transid}");
    }
}
