//! LINK, XCTL and RETURN, handled conditions and abends, and many tasks in one program.

use super::{REPORT, attach, compile, define, reported, setup, start};
use csd::Definition;
use exec::command;
use kernel::Mode;
use region::exec_interface::Call;
use region::name::Name8;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

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

/// The communication area is where the program that takes over can address it: for DATALOCATION(BELOW), which is for programs that handle
/// 24-bit addresses only, below 16 MB, and above for any other.
#[test]
fn xctl_creates_the_area_where_the_receiver_can_address_it() {
    static ADDRESSES: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    for (number, location) in [(1, "ANY"), (2, "BELOW"), (3, "ANY")] {
        let name = format!("COBLOC{number}");
        let handed = format!("COBLOC{}", number + 1);
        let next = if number == 3 {
            format!("{REPORT}.\n    EXEC CICS RETURN END-EXEC.").replace("WS-REPORT", "DFHCOMMAREA")
        } else {
            format!("EXEC CICS XCTL PROGRAM('{handed}')\n       COMMAREA(DFHCOMMAREA) END-EXEC.")
        };
        let note = "EXEC CICS LINK PROGRAM('NOTEADDR')\n       COMMAREA(DFHCOMMAREA) END-EXEC.\n    ";
        compile(&name, "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(6).", &format!("MAIN.\n    {note}{next}"));
        define("", &name, &[("DATALOCATION", location)]);
    }
    setup().region.programs().install_native(Name8::new("NOTEADDR"), |task| {
        ADDRESSES.lock().unwrap().push(task.level().unwrap().commarea.address);
        Ok(())
    });
    compile(
        "COBLOC0",
        "01 WS-AREA PIC X(6) VALUE 'HANDED'.",
        "",
        "MAIN.\n    EXEC CICS XCTL PROGRAM('COBLOC1')\n       COMMAREA(WS-AREA) END-EXEC.",
    );
    define("CBLC", "COBLOC0", &[]);
    assert_eq!(reported("CBLC"), "HANDED");
    let line = |address: &usize| *address < 16 << 20;
    let addresses = ADDRESSES.lock().unwrap().clone();
    assert_eq!(addresses.iter().map(line).collect::<Vec<_>>(), [false, true, true], "{addresses:x?}");
    assert_eq!(addresses[1], addresses[2], "an area that can be addressed is not copied");
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

/// A load is the work of RO for a task on QR, and of its own TCB for a task on an open one. The first program of a task is loaded from QR.
#[test]
fn programs_are_loaded_on_ro_or_on_the_open_tcb_of_the_task() {
    static LOADS: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    setup().region.programs().install_native(Name8::new("SEELOADS"), |task| {
        LOADS.lock().unwrap().push(task.kernel.times().modes[Mode::Ro as usize].switches);
        Ok(())
    });
    setup().region.install(&Definition::new("PROGRAM", "SEELOADS", "TEST").with("CONCURRENCY", "THREADSAFE")).unwrap();
    let counted = || {
        let programs = setup().region.programs();
        (programs.loads.load(Ordering::SeqCst), programs.loads_on_ro.load(Ordering::SeqCst))
    };
    for (number, concurrency, loads) in [(1, "QUASIRENT", 3), (2, "REQUIRED", 1)] {
        let (outer, inner, transid) = (format!("COBLOAD{number}"), format!("COBLDED{number}"), format!("CBL{number}"));
        compile(&inner, "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS LINK PROGRAM('SEELOADS') END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
        let links = format!("EXEC CICS LINK PROGRAM('{inner}') END-EXEC");
        // Twice: it is loaded once. LOAD is done as LINK is.
        let data = format!("COBDATA{number}");
        compile(&data, "01 WS-X PIC X VALUE 'D'.", "", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
        define("", &data, &[]);
        let load = format!("EXEC CICS LOAD PROGRAM('{data}') SET(WS-P) END-EXEC");
        let procedure = format!("MAIN.\n    {load}.\n    {links}.\n    {links}.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.");
        compile(&outer, "01 WS-REPORT PIC X(4) VALUE 'DONE'.\n01 WS-P POINTER.", "", &procedure);
        let before = counted();
        define("", &inner, &[("CONCURRENCY", concurrency)]);
        define(&transid, &outer, &[("CONCURRENCY", concurrency)]);
        assert_eq!(reported(&transid), "DONE");
        assert_eq!(std::mem::take(&mut *LOADS.lock().unwrap()), [loads, loads], "{concurrency}");
        // Other tests load programs meanwhile.
        let after = counted();
        assert!(after.0 >= before.0 + 3 && after.1 >= before.1 + loads, "{concurrency}: {before:?} {after:?}");
        assert!(after.0 - before.0 >= after.1 - before.1, "{concurrency}: {before:?} {after:?}");
    }
}

/// PHASEIN is for uses that begin from now on: who has LOADed the program before keeps its data until RELEASE.
#[test]
fn data_of_load_stay_when_another_copy_is_phased_in() {
    compile("COBPHASD", "01 WS-X PIC X(4) VALUE 'KEPT'.", "", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    let load = "EXEC CICS LOAD PROGRAM('COBPHASD') SET(WS-P) END-EXEC.\n    SET ADDRESS OF THE-DATA TO WS-P";
    let phase_in = "EXEC CICS SET PROGRAM('COBPHASD')\n       COPY(DFHVALUE(PHASEIN)) END-EXEC";
    let release = "EXEC CICS RELEASE PROGRAM('COBPHASD') END-EXEC";
    let procedure = format!(
        "MAIN.\n    {load}.\n    {phase_in}.\n    MOVE THE-DATA TO WS-REPORT(1:4).\n    EXEC CICS LOAD PROGRAM('COBPHASD') SET(WS-Q) END-EXEC.\n    IF WS-P = WS-Q MOVE 'SAME' TO WS-REPORT(5:4)\n    ELSE MOVE 'MORE' TO WS-REPORT(5:4).\n    {release}.\n    MOVE THE-DATA TO WS-REPORT(9:4).\n    {release}.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
    );
    let data = "01 WS-REPORT PIC X(12) VALUE SPACES.\n01 WS-P POINTER.\n01 WS-Q POINTER.";
    compile("COBPHASE", data, "01 THE-DATA PIC X(4).", &procedure);
    define("", "COBPHASD", &[]);
    define("CBPH", "COBPHASE", &[]);
    assert_eq!(reported("CBPH"), "KEPTMOREKEPT");
    let image = setup().region.programs().find(Name8::new("COBPHASD")).unwrap().image();
    assert_eq!(image, None, "the last RELEASE gives the data up");
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
