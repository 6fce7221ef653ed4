//! Task-related user exits: requests of applications, units of work, the calls of the task manager, INQUIRE EXITPROGRAM, and abends.
//!
//! The exit program notes its calls in its global work area, three characters each: what it is called for, and L at the last unit of work of
//! the task. What it answers to the syncpoint manager is what the application has asked for in its request. Expected calls are those of
//! "Coding a program to be started by the CICS syncpoint manager" and "Increasing efficiency: single-update and read-only protocols".

use super::{again, alone, define, run, says, setup, sources};
use csd::Definition;
use exec::cvda;
use region::name::Name8;
use region::{Raised, Task};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The application's areas.
const OWN: &str = "01 WS-REPORT PIC X(124).\n01 WS-RM.\n   COPY DFHRMCAL.\n01 WS-REQ PIC X(8).\n01 WS-REPLY PIC S9(8) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-PTR POINTER.\n01 WS-LEN PIC S9(4) COMP.\n01 N PIC -99.\n01 WS-ITEM PIC X(4) VALUE 'ITEM'.\n01 WS-QUAL PIC X(17).\n01 WS-LIST.\n   05 WS-ID-PTR POINTER OCCURS 2 TIMES.\n01 WS-IDS.\n   05 WS-ID PIC X(8) OCCURS 2 TIMES.";
const AREA: &str = "01 GWA.\n   05 G-COUNT PIC 9(4).\n   05 G-LOG PIC X(120).";

/// Compiles the exit program under a name of its own, and enables it with these options.
pub fn enabled(name: &str, options: &str) {
    sources::install_as("TRUEXIT", name);
    let enable = format!(
        "MAIN.\n    EXEC CICS ENABLE PROGRAM('{name}') GALENGTH(124)\n       TALENGTH(8)\n       {options} START END-EXEC.\n    EXEC CICS EXTRACT EXIT PROGRAM('{name}')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE ZERO TO G-COUNT. MOVE SPACES TO G-LOG."
    );
    run("TREN", "TREXENAB", OWN, AREA, &enable);
}

/// What the exit program has noted since it was enabled, or asked the last time.
pub fn noted(name: &str) -> String {
    let extract = format!(
        "MAIN.\n    EXEC CICS EXTRACT EXIT PROGRAM('{name}')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE G-LOG TO WS-REPORT.\n    MOVE ZERO TO G-COUNT. MOVE SPACES TO G-LOG(1:100)."
    );
    let program = format!("{}N", &name[..7.min(name.len())]);
    run("TRNO", &program, OWN, AREA, &extract)
}

pub fn calls(name: &str) -> String {
    noted(name)[..100].trim_end().to_string()
}

pub fn disabled(name: &str) {
    let disable = format!("MAIN.\n    EXEC CICS DISABLE PROGRAM('{name}') EXITALL END-EXEC.");
    run("TRDI", "TREXDISA", OWN, "", &disable);
}

/// One request to the exit.
pub fn request(exit: &str, request: &str) -> String {
    format!("    MOVE '{exit}' TO RMCAL-TO.\n    MOVE '{request}' TO WS-REQ.\n    CALL 'DFHRMCAL' USING WS-RM WS-REQ WS-REPLY.\n")
}

/// Runs the statements as a task of an application; it reports `WS-REPORT`.
pub fn application(program: &str, statements: &str) -> String {
    run("TRAP", program, OWN, AREA, &format!("MAIN.\n    MOVE SPACES TO WS-REPORT.\n{statements}    CONTINUE."))
}

/// A recoverable queue: the region's own part of a unit of work.
fn recoverable_queue() -> String {
    let model = Definition::new("TSMODEL", "TRUETS", "TEST").with("PREFIX", "TRUE").with("RECOVERY", "YES");
    setup().region.install(&model).unwrap();
    "    EXEC CICS WRITEQ TS QUEUE('TRUEQ') FROM(WS-ITEM) END-EXEC.\n".to_string()
}

/// Register 15 is RETURN-CODE; the local work area lasts as long as the task; a request that schedules nothing has no part in the syncpoint.
#[test]
fn a_request_gets_its_response_and_the_local_work_area_lasts_for_the_task() {
    let _alone = alone();
    enabled("TRREQ", "");
    let one = request("TRREQ", "NOTHING");
    let statements = format!(
        "{one}{one}    MOVE RETURN-CODE TO N.\n    MOVE N TO WS-REPORT(1:3).\n    MOVE WS-REPLY TO N.\n    MOVE N TO WS-REPORT(4:3).\n"
    );
    assert_eq!(application("TRREQA", &statements).trim_end(), " 42 02");
    assert_eq!(calls("TRREQ"), "AP.AP.");
    // In another task the area is new.
    assert_eq!(again("TRAP").trim_end(), " 42 02");
    disabled("TRREQ");
}

/// AEY9, unless RTNABND=YES: then register 15 is negative.
#[test]
fn an_exit_that_is_not_available_abends_the_task_or_answers() {
    let _alone = alone();
    let statements =
        format!("    SET RMCAL-RTNABND-YES TO TRUE.\n{}    MOVE RETURN-CODE TO N.\n    MOVE N TO WS-REPORT.\n", request("TRNONE", "READ"));
    assert_eq!(application("TRNONEA", &statements).trim_end(), "-01");
    let caught = format!(
        "    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n{}    MOVE 'LATE' TO WS-REPORT.\n    GO TO REPORTED.\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-ITEM) END-EXEC.\n    MOVE WS-ITEM TO WS-REPORT.\nREPORTED.\n",
        request("TRNONE", "READ")
    );
    assert_eq!(application("TRNONEB", &caught).trim_end(), "AEY9");
    // Enabled, but stopped.
    enabled("TRSTOP", "");
    let stop = format!("    EXEC CICS DISABLE PROGRAM('TRSTOP') STOP END-EXEC.\n{}", caught.replace("TRNONE", "TRSTOP"));
    assert_eq!(application("TRSTOPA", &stop).trim_end(), "AEY9");
    disabled("TRSTOP");
}

/// UEFMAPPL off: the exit takes no more requests of the task, and is called for the syncpoint all the same; the next task may call it.
#[test]
fn the_schedule_flag_for_applications_may_be_turned_off() {
    let _alone = alone();
    enabled("TRNOAP", "");
    let caught = format!(
        "    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n{}{}    MOVE 'LATE' TO WS-REPORT.\n    GO TO REPORTED.\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-ITEM) END-EXEC.\n    MOVE WS-ITEM TO WS-REPORT.\nREPORTED.\n",
        request("TRNOAP", "NOAPPL"),
        request("TRNOAP", "READ")
    );
    assert_eq!(application("TRNOAPA", &caught).trim_end(), "AEY9");
    assert_eq!(calls("TRNOAP"), "AP.PRLCML");
    application("TRNOAPB", &request("TRNOAP", "NOTHING"));
    assert_eq!(calls("TRNOAP"), "AP.");
    disabled("TRNOAP");
}

/// An abend of the exit program in a request is one of the application.
#[test]
fn an_abend_of_the_exit_program_is_the_applications() {
    let _alone = alone();
    enabled("TRABND", "");
    let caught = format!(
        "    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n{}    MOVE 'LATE' TO WS-REPORT.\n    GO TO REPORTED.\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-ITEM) END-EXEC.\n    MOVE WS-ITEM TO WS-REPORT.\nREPORTED.\n",
        request("TRABND", "ABEND")
    );
    assert_eq!(application("TRABNDA", &caught).trim_end(), "TRUA");
    disabled("TRABND");
}

/// Two phases, even alone, unless the exit knows the single-update protocol; with changes of the region always.
#[test]
fn the_calls_at_a_syncpoint_follow_what_the_exit_can_do() {
    let _alone = alone();
    let queue = recoverable_queue();
    enabled("TRSYNC", "");
    let syncpoint = "    EXEC CICS SYNCPOINT END-EXEC.\n";
    let cases = [
        ("UPDATE", "", syncpoint, "AP.PR.CM."),
        ("UPDATE", queue.as_str(), syncpoint, "AP.PR.CM."),
        ("ONE", "", syncpoint, "AP.ON."),
        ("ONE", queue.as_str(), syncpoint, "AP.PR.CM."),
        ("READ", "", syncpoint, "AP.EL."),
        ("READ", queue.as_str(), syncpoint, "AP.EL."),
        ("UPDATE", "", "    EXEC CICS SYNCPOINT ROLLBACK END-EXEC.\n", "AP.BK."),
        // At the end of the task.
        ("UPDATE", "", "", "AP.PRLCML"),
        ("ONE", "", "", "AP.ONL"),
    ];
    for (number, (what, before, after, expected)) in cases.into_iter().enumerate() {
        let statements = format!("{before}{}{after}", request("TRSYNC", what));
        application(&format!("TRSYNC{number}"), &statements);
        assert_eq!(calls("TRSYNC"), expected, "case {number}: {what}");
    }
    // The next unit of work begins without the flags of the one before.
    let statements = format!("{}{syncpoint}{syncpoint}", request("TRSYNC", "UPDATE"));
    application("TRSYNCX", &statements);
    assert_eq!(calls("TRSYNC"), "AP.PR.CM.");
    disabled("TRSYNC");
}

/// A vote to back out, and UERFBOUT, that the resource manager alone has backed out, are ROLLEDBACK of SYNCPOINT (AEXJ). What the region changed
/// is backed out too.
#[test]
fn a_resource_manager_that_cannot_commit_abends_the_task() {
    let _alone = alone();
    let queue = recoverable_queue();
    enabled("TRVOTE", "");
    let caught = |what: &str, before: &str| {
        format!(
            "    EXEC CICS DELETEQ TS QUEUE('TRUEQ') RESP(WS-RESP)\n       END-EXEC.\n    EXEC CICS SYNCPOINT END-EXEC.\n    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n{before}{}    EXEC CICS SYNCPOINT END-EXEC.\n    MOVE 'LATE' TO WS-REPORT.\n    GO TO REPORTED.\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-ITEM) END-EXEC.\n    MOVE WS-ITEM TO WS-REPORT.\n    EXEC CICS READQ TS QUEUE('TRUEQ') INTO(WS-ITEM)\n       RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO WS-REPORT(5:3).\nREPORTED.\n",
            request("TRVOTE", what)
        )
    };
    // QIDERR is 44.
    assert_eq!(application("TRVOTEA", &caught("VOTENO", &queue)).trim_end(), "AEXJ 44");
    assert_eq!(calls("TRVOTE"), "AP.PR.");
    assert_eq!(application("TRVOTEB", &caught("ONEBACK", "")).trim_end(), "AEXJ 44");
    assert_eq!(calls("TRVOTE"), "AP.ON.");
    disabled("TRVOTE");
}

/// TASKSTART: at the start of each task, and at its end; the flag may also be set by a request.
#[test]
fn the_task_manager_calls_at_the_start_and_the_end_of_tasks() {
    let _alone = alone();
    enabled("TRTASK", "");
    application("TRTASKA", &request("TRTASK", "TASKMGR"));
    assert_eq!(calls("TRTASK"), "AP.ONLEN.");
    let turn = |command: &str| format!("    EXEC CICS {command} PROGRAM('TRTASK') TASKSTART END-EXEC.\n");
    application("TRTASKB", &turn("ENABLE"));
    application("TRTASKC", "");
    application("TRTASKD", &turn("DISABLE"));
    application("TRTASKE", "");
    // Of TRTASKC and TRTASKD.
    assert_eq!(calls("TRTASK"), "ST.EN.ST.EN.");
    disabled("TRTASK");
}

/// INQUIRE EXITPROGRAM asks the exit itself for CONNECTST and QUALIFIER, if it was enabled with SPI. NOTAPPLIC is 1.
#[test]
fn inquire_exitprogram_tells_the_attributes_of_a_task_related_user_exit() {
    let _alone = alone();
    enabled("TRINQ", "SPI PURGEABLE INDOUBTWAIT FORMATEDF\n       SHUTDOWN OPENAPI");
    let fields = ["CONNECTST", "FORMATEDFST", "INDOUBTST", "PURGEABLEST", "SHUTDOWNST", "SPIST", "TASKSTARTST", "TALENGTH", "APIST"];
    let inquire: String = fields
        .iter()
        .enumerate()
        .map(|(at, field)| {
            format!(
                "    EXEC CICS INQUIRE EXITPROGRAM('TRINQ')\n       {field}(WS-REPLY) END-EXEC.\n    MOVE WS-REPLY TO WS-CVDA.\n    MOVE WS-CVDA TO WS-REPORT({}:5).\n",
                at * 5 + 1
            )
        })
        .collect();
    let statements = format!(
        "MAIN.\n    MOVE SPACES TO WS-REPORT.\n{inquire}    EXEC CICS INQUIRE EXITPROGRAM('TRINQ')\n       QUALIFIER(WS-QUAL) END-EXEC.\n    MOVE WS-QUAL TO WS-REPORT(50:17).\n    CONTINUE."
    );
    let report = run("TRI1", "TRINQA", &format!("{OWN}\n01 WS-CVDA PIC 9(5)."), "", &statements);
    let expected = [cvda::CONNECTED, cvda::FORMATEDF, cvda::WAIT, cvda::PURGEABLE, cvda::SHUTDOWN, cvda::SPI, cvda::NOTASKSTART];
    let told: Vec<i64> = (0..9).map(|at| report[at * 5..at * 5 + 5].parse().unwrap()).collect();
    assert_eq!(told[..7], expected);
    assert_eq!(told[7..], [8, cvda::OPENAPI]);
    assert_eq!(report[49..66].trim_end(), "QUALI");
    // The schedule flag of a task stays; the next one begins without.
    let disable = "    EXEC CICS DISABLE PROGRAM('TRINQ') SPI PURGEABLE\n       FORMATEDF SHUTDOWN END-EXEC.\n";
    application("TRINQB", disable);
    let inquire = "    EXEC CICS INQUIRE EXITPROGRAM('TRINQ')\n       CONNECTST(WS-REPLY) END-EXEC.\n    MOVE WS-REPLY TO N.\n    MOVE N TO WS-REPORT.\n";
    assert_eq!(application("TRINQC", inquire).trim_end(), " 01");
    disabled("TRINQ");
}

/// XRMIIN and XRMIOUT are called around a request, with the name of the exit and the parameter list of the request.
#[test]
fn xrmiin_and_xrmiout_are_called_around_a_request() {
    let _alone = alone();
    enabled("TRXRMI", "");
    let own = "MAIN.\n    SET ADDRESS OF GWA TO UEPGAA.\n    SET ADDRESS OF NAME TO UEPTRUEN.\n    SET ADDRESS OF ARGS TO UEPTRUEP.\n    SET ADDRESS OF REQ TO ARG(1).\n    SET ADDRESS OF EXN TO UEPEXN.\n    ADD 1 TO G-COUNT.\n    IF EXN = XRMIIN OF DFHUEXIT MOVE NAME TO G-LOG(1:8)\n    ELSE MOVE REQ TO G-LOG(9:8).\n    GOBACK.";
    let linkage = format!("{AREA}\n01 NAME PIC X(8).\n01 ARGS.\n   05 ARG POINTER OCCURS 10 TIMES.\n01 REQ PIC X(8).\n01 EXN PIC X.");
    super::exit_program("TRXRMIG", "XRMIIN", &linkage, own);
    let statements = format!(
        "    EXEC CICS ENABLE PROGRAM('TRXRMIG') EXIT('XRMIIN')\n       GALENGTH(124) END-EXEC.\n    EXEC CICS ENABLE PROGRAM('TRXRMIG') EXIT('XRMIOUT')\n       END-EXEC.\n    EXEC CICS EXTRACT EXIT PROGRAM('TRXRMIG')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE ZERO TO G-COUNT. MOVE SPACES TO G-LOG.\n    EXEC CICS ENABLE PROGRAM('TRXRMIG') START END-EXEC.\n{}    MOVE GWA TO WS-REPORT.\n    EXEC CICS DISABLE PROGRAM('TRXRMIG') EXITALL END-EXEC.\n",
        request("TRXRMI", "NOTHING")
    );
    assert_eq!(application("TRXRMIA", &statements)[..20].trim_end(), "0002TRXRMI  NOTHING");
    disabled("TRXRMI");
}

/// An exit that abends when the region calls it is reported; as a vote, that is no.
#[test]
fn an_abend_at_a_syncpoint_is_reported_and_backs_out() {
    let _alone = alone();
    let own = "MAIN.\n    SET ADDRESS OF RTR TO UEPEXN.\n    SET ADDRESS OF FLAGS TO UEPFLAGS.\n    IF UERTFID = UERTSYNC\n       EXEC CICS ABEND ABCODE('TSYN') NODUMP END-EXEC.\n    COMPUTE FLAGS = UEFMAPPL + UEFMSYNC.\n    GOBACK.";
    setup().compile(
        "TRBADS",
        "    COPY DFHUERMC.",
        "01 DFHCOMMAREA.\n    COPY DFHUERM.\n01 RTR.\n   COPY DFHUERTR.\n01 FLAGS PIC S9(8) COMP.",
        own,
    );
    define("TRBADS");
    let statements = format!(
        "    EXEC CICS ENABLE PROGRAM('TRBADS') START END-EXEC.\n    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n{}    EXEC CICS SYNCPOINT END-EXEC.\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-ITEM) END-EXEC.\n    MOVE WS-ITEM TO WS-REPORT.\n",
        request("TRBADS", "X")
    );
    assert_eq!(application("TRBADSA", &statements).trim_end(), "AEXJ");
    assert!(says(&["DFHAP0702", "TSYN", "TRBADS"]));
    disabled("TRBADS");
}

/// Records of the transaction of the tests.
struct Records(Mutex<Vec<region::Performance>>);

impl region::monitoring::RecordSink for Records {
    fn record(&self, record: &region::monitoring::Record) {
        if record.transid.as_str() == "TRAP" {
            self.0.lock().unwrap().push(record.counters);
        }
    }
}

/// RMIOTHER is the time in an exit of the shop, and RMITOTAL that in all.
#[test]
fn monitoring_times_the_calls_of_an_exit() {
    let _alone = alone();
    let records = Arc::new(Records(Mutex::default()));
    setup().region.monitoring().add_sink(records.clone());
    setup().region.monitoring().switch(true);
    enabled("TRMON", "");
    application("TRMONA", &request("TRMON", "UPDATE"));
    application("TRMONB", "");
    setup().region.monitoring().switch(false);
    disabled("TRMON");
    let records = records.0.lock().unwrap();
    let (with, without) = (records[0], records[1]);
    assert!(!with.rmi_other.time.is_zero() && with.rmi_total == with.rmi_other && with.resource_manager_time == with.rmi_total);
    // One call, and that of the syncpoint.
    assert!(with.rmi_other.count >= 1, "{:?}", with.rmi_other);
    let none = kernel::Clock::default();
    assert_eq!((with.rmi_db2, without.rmi_total, without.rmi_other), (none, none, none));
}

/// A wait in the exit program can be purged only if it is enabled with PURGEABLE; otherwise the purge stays pending until the wait is over.
#[test]
fn waits_in_the_exit_program_can_be_purged_only_with_purgeable() {
    let _alone = alone();
    enabled("TRPURG", "");
    let program = "TRPURGA";
    let statements = format!("MAIN.\n{}    EXEC CICS RETURN END-EXEC.", request("TRPURG", "WAIT"));
    setup().compile(program, OWN, AREA, &statements);
    define(program);
    setup().define_transaction("TRPU", program);
    let waiting = || {
        let number = setup().attach("TRPU");
        let task = setup().region.dispatcher.task_by_number(number).expect("the task waits for 20 seconds");
        while task.info().resource_type.as_str().trim_end() != "ICWAIT" {
            std::thread::sleep(Duration::from_millis(5));
        }
        (number, task)
    };
    let (number, task) = waiting();
    task.purge(kernel::Purge::Purge);
    std::thread::sleep(Duration::from_millis(300));
    assert!(setup().region.dispatcher.task_by_number(number).is_some());
    task.purge(kernel::Purge::ForcePurge);
    super::wait_for_end(number);
    application("TRPURGB", "    EXEC CICS ENABLE PROGRAM('TRPURG') PURGEABLE END-EXEC.\n");
    let (number, task) = waiting();
    task.purge(kernel::Purge::Purge);
    super::wait_for_end(number);
    disabled("TRPURG");
}

/// The task whose change modes a test counts.
static COUNTED: Mutex<Option<kernel::TaskRef>> = Mutex::new(None);

fn count(task: &mut Task) -> Result<(), Raised> {
    *COUNTED.lock().unwrap() = Some(task.kernel.clone());
    Ok(())
}

/// "End of task sync point and task-related user exit (TRUE) processing: 4 TCB change modes" (performance report, 8.9.5): a program with
/// CONCURRENCY(REQUIRED) is on L8, as is the exit with OPENAPI, and the end of a task is on QR.
#[test]
fn the_end_of_a_task_with_an_open_exit_costs_four_change_modes() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    let _alone = alone();
    INSTALLED.get_or_init(|| setup().region.programs().install_native(Name8::new("COUNTED"), count));
    enabled("TRMODE", "OPENAPI");
    let changes = |program: &str, statements: &str| {
        let definition = Definition::new("PROGRAM", program, "TEST").with("CONCURRENCY", "REQUIRED");
        let statements = format!("MAIN.\n    EXEC CICS LINK PROGRAM('COUNTED') END-EXEC.\n{statements}    CONTINUE.");
        setup().region.install(&definition).unwrap();
        run("TRMO", program, OWN, AREA, &statements);
        setup().region.install(&definition).unwrap();
        again("TRMO");
        COUNTED.lock().unwrap().take().unwrap().times().change_modes
    };
    let without = changes("TRMODEA", "");
    assert_eq!(changes("TRMODEB", &request("TRMODE", "TASKMGR")) - without, 4);
    assert_eq!(calls("TRMODE"), "AP.ONLEN.AP.ONLEN.");
    disabled("TRMODE");
}

/// Without a monitoring control table performance records have group DFHRMI (RMI=YES): eight fields.
#[test]
fn performance_records_have_the_group_of_the_interface() {
    let _alone = alone();
    setup().region.monitoring().switch(true);
    sources::install("NOTHING");
    setup().define_transaction("NOTH", "NOTHING");
    let report = sources::run("EXMR", &["EXMNRMI", "MNRMI"]);
    setup().region.monitoring().switch(false);
    assert_eq!(report.trim_end(), "0008TASK");
}
