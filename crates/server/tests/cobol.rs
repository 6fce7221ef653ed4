//! Compiled COBOL programs in a region: commands, levels, conditions, abends and re-entrancy as a program sees them.
//!
//! Each program reports by LINK to REPORT, a native program that passes the communication area to the test.

mod cobol_support;
mod managers;
mod scratch;

use cobol_support::Setup;
use csd::{Definition, TransactionDefinition};
use exec::command;
use kernel::Mode;
use managers::Manager;
use region::Task;
use region::exec_interface::Call;
use region::name::Name8;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::Duration;

type Reports = Mutex<HashMap<String, mpsc::Sender<Vec<u8>>>>;

fn reports() -> &'static Reports {
    static REPORTS: OnceLock<Reports> = OnceLock::new();
    REPORTS.get_or_init(Mutex::default)
}

fn report(task: &mut Task) -> Result<(), region::Raised> {
    let bytes = task.level().unwrap().commarea.read()?;
    let transid = task.transid.to_string();
    if let Some(sender) = reports().lock().unwrap().get(&transid) {
        let _ = sender.send(bytes);
    }
    Ok(())
}

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let setup = Setup::start("COBOLREG");
        setup.region.programs().install_native(Name8::new("REPORT"), report);
        setup
    })
}

fn compile(name: &str, working_storage: &str, linkage: &str, procedure: &str) {
    setup().compile(name, working_storage, linkage, procedure);
}

fn define(transid: &str, program: &str, attributes: &[(&'static str, &str)]) {
    let region = setup().region;
    let mut definition = Definition::new("PROGRAM", program, "TEST");
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    region.install(&definition).unwrap();
    if !transid.is_empty() {
        setup().define_transaction(transid, program);
    }
}

fn start(transid: &str) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    reports().lock().unwrap().insert(transid.to_string(), sender);
    attach(transid);
    receiver
}

fn attach(transid: &str) {
    setup().attach(transid);
}

/// The report of a transaction as text.
fn reported(transid: &str) -> String {
    let receiver = start(transid);
    let bytes = receiver.recv_timeout(Duration::from_secs(10)).unwrap_or_else(|_| panic!("no report; {:#?}", setup().lines()));
    setup().region.code_page.text(&bytes)
}

fn message_with(words: &[&str]) -> bool {
    // A runaway task uses a second of processor time first, which on a busy machine is many seconds.
    for _ in 0..6_000 {
        if setup().lines().iter().any(|line| words.iter().all(|word| line.contains(word))) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

const REPORT: &str = "EXEC CICS LINK PROGRAM('REPORT')\n       COMMAREA(WS-REPORT) END-EXEC";

#[test]
fn assign_link_return_and_the_eib() {
    compile(
        "COBCALLE",
        "01 WS-X PIC X.",
        "01 DFHCOMMAREA.\n   05 CA-N PIC S9(5) COMP-3.\n   05 CA-T PIC X(4).",
        "MAIN.\n    ADD 7 TO CA-N.\n    MOVE EIBTRNID TO CA-T.\n    IF EIBCALEN NOT = 7\n       MOVE 'LEN?' TO CA-T.\n    EXEC CICS RETURN END-EXEC.",
    );
    compile(
        "COBMAIN1",
        "01 WS-AREA.\n   05 WS-N PIC S9(5) COMP-3 VALUE 5.\n   05 WS-T PIC X(4).\n01 WS-LEVEL PIC S9(4) COMP.\n01 WS-PGM PIC X(8).\n01 WS-RESP PIC S9(8) COMP.\n01 WS-REPORT.\n   05 R-N PIC 9(5).\n   05 R-T PIC X(4).\n   05 R-PGM PIC X(8).\n   05 R-LEVEL PIC 9(4).\n   05 R-RESP PIC 9(4).\n   05 R-RESP2 PIC 9(4).",
        "",
        &format!(
            "MAIN.\n    EXEC CICS ASSIGN PROGRAM(WS-PGM)\n       LINKLEVEL(WS-LEVEL) END-EXEC.\n    EXEC CICS LINK PROGRAM('COBCALLE')\n       COMMAREA(WS-AREA) END-EXEC.\n    MOVE WS-N TO R-N.\n    MOVE WS-T TO R-T.\n    MOVE WS-PGM TO R-PGM.\n    MOVE WS-LEVEL TO R-LEVEL.\n    EXEC CICS LINK PROGRAM('NOBODY') RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO R-RESP.\n    MOVE EIBRESP2 TO R-RESP2.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define("", "COBCALLE", &[]);
    define("CB01", "COBMAIN1", &[]);
    assert_eq!(reported("CB01"), "00012CB01COBMAIN1000100270001");
}

#[test]
fn handle_condition_and_handle_abend_go_to_their_labels() {
    compile("COBABND", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS ABEND ABCODE('ZZ01') END-EXEC.");
    compile(
        "COBHAND",
        "01 WS-REPORT PIC X(12) VALUE SPACES.\n01 WS-CODE PIC X(4).",
        "",
        &format!(
            "MAIN.\n    EXEC CICS HANDLE CONDITION\n       PGMIDERR(NO-PROGRAM) END-EXEC.\n    EXEC CICS LINK PROGRAM('NOBODY') END-EXEC.\n    MOVE 'WRONG' TO WS-REPORT.\n    GO TO FINISH.\nNO-PROGRAM.\n    MOVE 'COND' TO WS-REPORT(1:4).\n    EXEC CICS HANDLE ABEND LABEL(AN-ABEND) END-EXEC.\n    EXEC CICS LINK PROGRAM('COBABND') END-EXEC.\n    MOVE 'WRONG' TO WS-REPORT.\n    GO TO FINISH.\nAN-ABEND.\n    EXEC CICS ASSIGN ABCODE(WS-CODE) END-EXEC.\n    MOVE WS-CODE TO WS-REPORT(5:4).\n    EXEC CICS IGNORE CONDITION PGMIDERR END-EXEC.\n    EXEC CICS LINK PROGRAM('NOBODY') END-EXEC.\n    MOVE 'IGNR' TO WS-REPORT(9:4).\nFINISH.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define("", "COBABND", &[]);
    define("CB02", "COBHAND", &[]);
    assert_eq!(reported("CB02"), "CONDZZ01IGNR");
}

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

#[test]
fn xctl_takes_the_level_over_with_a_copy_of_the_area() {
    compile(
        "COBXCTL1",
        "01 WS-AREA PIC X(6) VALUE 'HANDED'.",
        "",
        "MAIN.\n    EXEC CICS XCTL PROGRAM('COBXCTL2')\n       COMMAREA(WS-AREA) END-EXEC.",
    );
    compile(
        "COBXCTL2",
        "01 WS-REPORT.\n   05 R-CA PIC X(6).\n   05 R-INV PIC X(8).\n   05 R-LEVEL PIC 9(2).\n01 WS-LEVEL PIC S9(4) COMP.",
        "01 DFHCOMMAREA PIC X(6).",
        &format!(
            "MAIN.\n    MOVE DFHCOMMAREA TO R-CA.\n    EXEC CICS ASSIGN INVOKINGPROG(R-INV)\n       LINKLEVEL(WS-LEVEL) END-EXEC.\n    MOVE WS-LEVEL TO R-LEVEL.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define("", "COBXCTL2", &[]);
    define("CB08", "COBXCTL1", &[]);
    assert_eq!(reported("CB08"), "HANDEDCOBXCTL101");
}

/// One program, 50 tasks at once: each counts in its own WORKING-STORAGE across waits.
fn reentrancy(transid: &str, concurrency: &str, program: &str) {
    compile(
        program,
        "01 WS-COUNT PIC 9(4) VALUE 0.\n01 WS-I PIC S9(4) COMP.\n01 WS-REPORT.\n   05 R-TASK PIC 9(7).\n   05 R-COUNT PIC 9(4).",
        "",
        &format!(
            "MAIN.\n    PERFORM VARYING WS-I FROM 1 BY 1 UNTIL WS-I > 20\n       ADD 1 TO WS-COUNT\n       EXEC CICS DELAY FOR MILLISECS(1) END-EXEC\n    END-PERFORM.\n    MOVE EIBTASKN TO R-TASK.\n    MOVE WS-COUNT TO R-COUNT.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define(transid, program, &[("CONCURRENCY", concurrency)]);
    let receiver = start(transid);
    for _ in 1..50 {
        attach(transid);
    }
    let mut tasks = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let text = setup().region.code_page.text(&receiver.recv_timeout(Duration::from_secs(20)).expect("a report of each task"));
        assert_eq!(&text[7..], "0020");
        assert!(tasks.insert(text[..7].to_string()), "task {} twice", &text[..7]);
    }
}

#[test]
fn fifty_quasirent_tasks_have_their_own_storage() {
    reentrancy("CB09", "QUASIRENT", "COBREEN1");
}

#[test]
fn fifty_required_tasks_have_their_own_storage() {
    reentrancy("CB10", "REQUIRED", "COBREEN2");
}

/// One load module, not compiled or loaded anew: CONCURRENCY of its definition says where it runs. Beside it other programs stay on QR.
#[test]
fn the_definition_alone_moves_a_program_to_an_open_tcb() {
    static MODES: Mutex<Vec<Mode>> = Mutex::new(Vec::new());
    compile(
        "COBMOVE1",
        "01 WS-REPORT PIC X(4) VALUE 'DONE'.",
        "",
        &format!("MAIN.\n    EXEC CICS LINK PROGRAM('NOTEMODE') END-EXEC.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."),
    );
    // It calls the other, and notes its own mode again.
    compile(
        "COBMOVE2",
        "01 WS-REPORT PIC X(4) VALUE 'BOTH'.",
        "",
        "MAIN.\n    EXEC CICS LINK PROGRAM('COBMOVE1') END-EXEC.\n    EXEC CICS LINK PROGRAM('NOTEMODE') END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    setup().region.programs().install_native(Name8::new("NOTEMODE"), |task| {
        MODES.lock().unwrap().push(task.kernel.mode());
        Ok(())
    });
    let region = setup().region;
    region.install(&Definition::new("PROGRAM", "NOTEMODE", "TEST").with("CONCURRENCY", "THREADSAFE")).unwrap();
    define("CBM2", "COBMOVE2", &[("CONCURRENCY", "QUASIRENT")]);
    for (concurrency, alone, called) in [
        ("QUASIRENT", Mode::Qr, [Mode::Qr, Mode::Qr]),
        ("REQUIRED", Mode::L8, [Mode::L8, Mode::Qr]),
        ("THREADSAFE", Mode::Qr, [Mode::Qr, Mode::Qr]),
    ] {
        define("CBM1", "COBMOVE1", &[("CONCURRENCY", concurrency)]);
        assert_eq!(reported("CBM1"), "DONE");
        assert_eq!(std::mem::take(&mut *MODES.lock().unwrap()), [alone], "{concurrency}");
        attach("CBM2");
        for _ in 0..1_000 {
            if MODES.lock().unwrap().len() == 2 {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(std::mem::take(&mut *MODES.lock().unwrap()), called, "{concurrency}");
    }
}

#[test]
fn a_required_program_runs_on_l8() {
    static MODE: Mutex<Option<Mode>> = Mutex::new(None);
    compile("COBREQ1", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS LINK PROGRAM('SEEMODE') END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    define("CB11", "COBREQ1", &[("CONCURRENCY", "REQUIRED")]);
    setup().region.programs().install_native(Name8::new("SEEMODE"), |task| {
        *MODE.lock().unwrap() = Some(task.kernel.mode());
        Call::new(command::SUSPEND).execute(task).map(|_| ())
    });
    attach("CB11");
    testing::eventually("the program runs", || MODE.lock().unwrap().is_some());
    assert_eq!(*MODE.lock().unwrap(), Some(Mode::L8));
}

#[test]
fn a_task_finds_nothing_of_the_task_before_and_a_new_copy_at_once() {
    let version = |number: u32| {
        compile(
            "COBAGAIN",
            "01 WS-COUNT PIC 9(4) VALUE 1.\n01 WS-REPORT.\n   05 R-VERSION PIC 9.\n   05 R-COUNT PIC 9(4).\n   05 R-RANDOM PIC 9(6).",
            "",
            &format!(
                "MAIN.\n    ADD 1 TO WS-COUNT.\n    MOVE {number} TO R-VERSION.\n    MOVE WS-COUNT TO R-COUNT.\n    COMPUTE R-RANDOM = FUNCTION RANDOM * 1000000.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
            ),
        );
    };
    version(1);
    define("AGAI", "COBAGAIN", &[]);
    let first = reported("AGAI");
    assert_eq!(&first[..5], "10002");
    // Later tasks get the run unit of an ended one: storage and the state of FUNCTION RANDOM are new all the same.
    for _ in 0..3 {
        assert_eq!(reported("AGAI"), first);
    }
    version(2);
    let region = setup().region;
    let program = region.programs().find(Name8::new("COBAGAIN")).unwrap();
    region.programs().new_copy(region, &program, true).unwrap();
    assert_eq!(reported("AGAI"), format!("2{}", &first[1..]));
}

/// The result of a file request: RESP and RESP2 for a program that checks them, and the abend of one that does not.
fn meets(transids: [&str; 2], command: &str, resp: (u32, u32), abend: &str) {
    let storage = "01 WS-REC PIC X(50) VALUE 'KEY1'.\n01 WS-KEY PIC X(8) VALUE 'KEY1'.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.\n01 WS-REPORT.\n   05 R-RESP PIC 9(4).\n   05 R-RESP2 PIC 9(4).";
    let programs = transids.map(|transid| format!("FCND{transid}"));
    compile(
        &programs[0],
        storage,
        "",
        &format!(
            "MAIN.\n    EXEC CICS {command}\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.\n    MOVE WS-RESP TO R-RESP.\n    MOVE WS-RESP2 TO R-RESP2.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    compile(&programs[1], storage, "", &format!("MAIN.\n    EXEC CICS {command} END-EXEC.\n    EXEC CICS RETURN END-EXEC."));
    define(transids[0], &programs[0], &[]);
    define(transids[1], &programs[1], &[]);
    assert_eq!(reported(transids[0]), format!("{:04}{:04}", resp.0, resp.1), "{command}");
    attach(transids[1]);
    assert!(message_with(&["DFHAC2236", transids[1], abend, &programs[1]]), "{command}: {:#?}", setup().lines());
}

/// Creates a data set and a file over it, with a record KEY1.
fn file_with_a_record(name: &str, attributes: &[(&'static str, &str)]) {
    struct NoDds;
    impl vsam::idcams::DdResolver for NoDds {
        fn resolve_dd(&self, _name: &str) -> Option<vsam::idcams::DdTarget> {
            None
        }
    }
    let region = setup().region;
    let cluster = format!("  DEFINE CLUSTER (NAME(COB.{name}) INDEXED KEYS(8 0) RECORDSIZE(50 50) TRACKS(1 1) LOG(UNDO))\n");
    let options = vsam::idcams::IdcamsOptions { ccsid: 37, progress: None };
    let outcome = vsam::idcams::run(&region.data_sets, &cluster, &NoDds, &options);
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
    let file = region.data_sets.open(&format!("COB.{name}"), Default::default()).unwrap();
    let unit = region.store.begin();
    let waiter = vsam::ThreadWaiter::new();
    let wait = vsam::LockWait { waiter: &waiter, no_suspend: false, timeout: None };
    file.write(&unit, None, &region.code_page.encode(&format!("{:<50}", "KEY1")), false, wait).unwrap();
    unit.commit(&waiter).unwrap();
    let mut definition = Definition::new("FILE", name, "TEST").with("DSNAME", &format!("COB.{name}"));
    for service in ["ADD", "BROWSE", "DELETE", "READ", "UPDATE"] {
        definition = definition.with(service, "YES");
    }
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    region.install(&definition).unwrap();
}

/// READ UPDATE of KEY1.
fn read_for_update(task: &mut Task, file: &str) -> Result<(), region::Raised> {
    let mut read = Call::new(command::READ);
    let key = task.region.code_page.encode("KEY1    ");
    read.text(task, exec::option::FILE, file)
        .bytes(exec::option::INTO, &[0; 50])
        .bytes(exec::option::RIDFLD, &key)
        .flag(exec::option::UPDATE);
    assert_eq!(read.execute(task)?.condition, exec::condition::NORMAL);
    Ok(())
}

/// Runs a body as the program of a transaction.
fn native(transid: &str, program: &str, body: region::NativeProgram) {
    setup().region.programs().install_native(Name8::new(program), body);
    define(transid, program, &[]);
    attach(transid);
}

static HELD: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

#[test]
fn a_record_another_task_holds_is_busy_in_rls_mode() {
    use std::sync::atomic::Ordering;
    file_with_a_record("FCBUSY", &[("RLSACCESS", "YES")]);
    native("FB01", "FCHOLD", |task| {
        read_for_update(task, "FCBUSY  ")?;
        HELD.store(1, Ordering::SeqCst);
        while HELD.load(Ordering::SeqCst) == 1 {
            let mut delay = Call::new(command::DELAY);
            delay.flag(exec::option::FOR).integer(exec::option::MILLISECS, 5);
            delay.execute(task)?;
        }
        Ok(())
    });
    while HELD.load(Ordering::SeqCst) == 0 {
        std::thread::sleep(Duration::from_millis(2));
    }
    meets(["FB02", "FB03"], "READ FILE('FCBUSY') INTO(WS-REC)\n       RIDFLD(WS-KEY) UPDATE NOSUSPEND", (101, 107), "AEX9");
    HELD.store(2, Ordering::SeqCst);
}

#[test]
fn a_record_of_a_shunted_unit_of_work_is_locked() {
    file_with_a_record("FCLOCK", &[("RLSACCESS", "YES")]);
    native("FL01", "FCSHUNT", |task| {
        read_for_update(task, "FCLOCK  ")?;
        let record = task.region.code_page.encode(&format!("{:<50}", "KEY1    IN DOUBT"));
        let mut rewrite = Call::new(command::REWRITE);
        rewrite.text(task, exec::option::FILE, "FCLOCK  ").bytes(exec::option::FROM, &record);
        assert_eq!(rewrite.execute(task)?.condition, exec::condition::NORMAL);
        let lost: Arc<dyn region::ResourceManager> = Manager::lost("LOST");
        task.enlist(&lost)?;
        Call::new(command::SYNCPOINT).execute(task).map(|_| ())
    });
    assert!(message_with(&["DFHAC2236", "FL01", "ASP1"]), "{:#?}", setup().lines());
    meets(["FL02", "FL03"], "READ FILE('FCLOCK') INTO(WS-REC)\n       RIDFLD(WS-KEY) UPDATE", (100, 106), "AEX8");
}

#[test]
fn a_data_table_that_is_being_loaded_says_so() {
    file_with_a_record("FCLOAD", &[("TABLE", "USER"), ("MAXNUMRECS", "10")]);
    let turn = files::file_control::FileControl::of(setup().region).loads.lock();
    meets(["FD01", "FD02"], "READ FILE('FCLOAD') INTO(WS-REC)\n       RIDFLD(WS-KEY) UPDATE", (94, 104), "AEX2");
    drop(turn);
}

#[test]
fn a_request_that_cannot_be_journaled_is_an_input_output_error() {
    file_with_a_record("FCIOER", &[("JOURNAL", "44"), ("JNLREAD", "ALL")]);
    compile(
        "FCOFF",
        "01 WS-REPORT PIC X(4) VALUE 'DONE'.\n01 WS-REC PIC X(50).\n01 WS-KEY PIC X(8) VALUE 'KEY1'.",
        "",
        &format!(
            "MAIN.\n    EXEC CICS READ FILE('FCIOER') INTO(WS-REC)\n       RIDFLD(WS-KEY) END-EXEC.\n    EXEC CICS SET JOURNALNAME('DFHJ44')\n       DISABLED END-EXEC.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    define("FE01", "FCOFF", &[]);
    assert_eq!(reported("FE01"), "DONE");
    meets(["FE02", "FE03"], "READ FILE('FCIOER') INTO(WS-REC)\n       RIDFLD(WS-KEY)", (17, 120), "AEIQ");
}

/// FORMATTIME: INVREQ with RESP2 1 for an ABSTIME that is negative or no packed decimal.
#[test]
fn an_abstime_that_is_not_packed_is_invreq() {
    compile(
        "NOABSTIM",
        "01 WS-TIME PIC S9(15) COMP-3.\n01 WS-BYTES REDEFINES WS-TIME PIC X(8).\n01 WS-TEXT PIC X(8).\n01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.\n01 WS-I PIC 9.\n01 WS-REPORT.\n   05 R-X OCCURS 5.\n      10 R-RESP PIC 9(3).\n      10 R-RESP2 PIC 9(3).",
        "",
        &format!(
            "MAIN.\n    MOVE LOW-VALUES TO WS-BYTES. MOVE 1 TO WS-I. PERFORM ONE.\n    MOVE SPACES TO WS-BYTES. MOVE 2 TO WS-I. PERFORM ONE.\n    MOVE -1 TO WS-TIME. MOVE 3 TO WS-I. PERFORM ONE.\n    MOVE 3160818855016 TO WS-TIME.\n    MOVE 4 TO WS-I. PERFORM ONE.\n    MOVE X'003160818855016F' TO WS-BYTES.\n    MOVE 5 TO WS-I. PERFORM ONE.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.\nONE.\n    EXEC CICS FORMATTIME ABSTIME(WS-TIME) YYYYMMDD(WS-TEXT)\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.\n    MOVE WS-RESP TO R-RESP (WS-I).\n    MOVE WS-RESP2 TO R-RESP2 (WS-I)."
        ),
    );
    define("FTIM", "NOABSTIM", &[]);
    assert_eq!(reported("FTIM"), "016001016001016001000000000000");
}
