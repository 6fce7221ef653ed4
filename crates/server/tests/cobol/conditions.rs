//! Conditions that only another task, or the state of a resource, brings about: RESP and RESP2 of a program that checks them, and the abend of
//! one that does not.

use super::managers::Manager;
use super::{REPORT, attach, compile, define, message_with, reported, setup};
use csd::Definition;
use exec::command;
use region::Task;
use region::exec_interface::Call;
use region::name::Name8;
use std::sync::Arc;
use std::time::Duration;

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
    // No dump is taken of an abend of the syncpoint.
    assert!(!message_with(&["DFHDU0203", "FL01"]), "{:#?}", setup().lines());
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
