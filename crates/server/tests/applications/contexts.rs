//! Application contexts: where they begin and end, who inherits them, and who shows them.

use crate::support::{
    ASSIGN, CONTEXT, NO_CONTEXT, Part, REPORT, application, compile_into, ended, install, open, program, reported_after, scratch, setup,
};
use region::application::Context;
use region::monitoring::{Record, RecordSink};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Records(Mutex<Vec<(String, Option<Arc<Context>>)>>);

impl RecordSink for Records {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().push((record.transid.to_string(), record.context.clone()));
    }
}

fn records() -> &'static Records {
    static RECORDS: std::sync::OnceLock<Arc<Records>> = std::sync::OnceLock::new();
    RECORDS.get_or_init(|| {
        let records = Arc::new(Records::default());
        setup().region.monitoring().add_sink(records.clone());
        setup().region.monitoring().switch(true);
        records
    })
}

/// The operation in the monitoring record of a transaction.
fn recorded(transid: &str) -> Option<String> {
    let find = || records().0.lock().unwrap().iter().find(|(of, _)| of == transid).map(|(_, context)| context.clone());
    testing::eventually("the record", || find().is_some());
    find().flatten().map(|context| format!("{} {} {:?}", context.name(), context.operation, context.version()))
}

/// The task has no context, gets one by INVOKE APPLICATION, and has none again after the return; monitoring has the initial one.
#[test]
fn a_context_lasts_for_the_level_of_the_entry_point() {
    records();
    application("CTX0", "context", [3, 2, 1], "CTXENTRY", "CTXSUB");
    open("CTO0", "CTX0");
    let statements = format!(
        "{ASSIGN}    MOVE WS-TEXT TO R-BEFORE.\n    EXEC CICS INVOKE APPLICATION('context') PLATFORM('plat')\n       OPERATION('browse') COMMAREA(R-IN) END-EXEC.\n{ASSIGN}    MOVE WS-TEXT TO R-AFTER."
    );
    let data = format!("{CONTEXT}\n01 WS-REPORT.\n   05 R-BEFORE PIC X(30).\n   05 R-IN PIC X(80).\n   05 R-AFTER PIC X(30).");
    let report = reported_after("CT01", "CTX01", &data, &statements);
    assert_eq!(&report[..30], NO_CONTEXT);
    assert_eq!(&report[30..60], "context plat browse  3 2 1v321");
    assert_eq!(&report[110..], NO_CONTEXT);
    assert_eq!(recorded("CT01").as_deref(), Some("context browse [3, 2, 1]"));
}

const SHOW: &str = "01 WS-REPORT.\n   05 R-CONTEXT PIC X(30).\n   05 R-ACAPPL PIC X(64).\n   05 R-ACPLAT PIC X(64).\n   05 R-ACOPER PIC X(64).\n   05 R-ACMAJ PIC -9.";
const ASSOCIATION: &str = "    MOVE EIBTASKN TO WS-TASK.\n    EXEC CICS INQUIRE ASSOCIATION(WS-TASK) ACAPPLNAME(R-ACAPPL)\n       ACPLATNAME(R-ACPLAT) ACOPERNAME(R-ACOPER)\n       ACMAJORVER(WS-MAJ) END-EXEC.\n    MOVE WS-MAJ TO R-ACMAJ.\n";

/// START and RUN TRANSID hand the contexts on; the program of the new task can be a private one.
#[test]
fn tasks_that_an_application_starts_inherit_its_context() {
    records();
    let library = scratch("versions").join("INHERIT");
    std::fs::create_dir_all(&library).unwrap();
    let start = "MAIN.\n    EXEC CICS START TRANSID('CTC1') END-EXEC.\n    EXEC CICS RUN TRANSID('CTC2') CHILD(WS-CHILD) END-EXEC.\n    EXEC CICS FETCH CHILD(WS-CHILD) COMPSTATUS(WS-STATUS)\n       END-EXEC.\n    EXEC CICS RETURN END-EXEC.";
    compile_into(&library, "INHENTRY", "01 WS-CHILD PIC X(16).\n01 WS-STATUS PIC S9(8) COMP.", "", start);
    let dsname = format!("dsname01=\"{}\" ranking=\"50\"", library.display());
    let child = format!("MAIN.\n{ASSIGN}    MOVE WS-TEXT TO R-CONTEXT.\n{ASSOCIATION}    {REPORT}.\n    EXEC CICS RETURN END-EXEC.");
    compile_into(&library, "INHCHILD", &format!("{CONTEXT}\n01 WS-TASK PIC S9(8) COMP.\n{SHOW}"), "", &child);
    let parts = [
        Part::Define("LIBRARY", "INHLIB", &dsname),
        Part::Define("PROGRAM", "INHENTRY", ""),
        Part::Define("PROGRAM", "INHCHILD", ""),
        Part::Entry("PROGRAM", "INHENTRY", "start"),
    ];
    install("INH0", "cicsapplication://plat/inherit/1/0/0", &parts).unwrap();
    open("CTO1", "INH0");
    setup().define_transaction("CTC1", "INHCHILD");
    setup().define_transaction("CTC2", "INHCHILD");
    let (one, two) = (setup().reports_of("CTC1"), setup().reports_of("CTC2"));
    program("CT02", "CTX02", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS LINK PROGRAM('INHENTRY') END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    setup().attach("CT02");
    for reports in [one, two] {
        let report = setup().report_in(&reports);
        assert_eq!(&report[..30], "inherit plat start   1 0 0    ");
        let texts: Vec<&str> = report[30..].split_whitespace().collect();
        assert_eq!(texts, ["inherit", "plat", "start", "1"]);
    }
    for transid in ["CT02", "CTC1", "CTC2"] {
        assert_eq!(recorded(transid).as_deref(), Some("inherit start [1, 0, 0]"), "{transid}");
    }
}

/// A TRANSACTION as entry point gives its tasks a context from their begin. One that the bundle defines is not there until it is available.
#[test]
fn a_transaction_is_an_entry_point() {
    records();
    let show = format!("MAIN.\n{ASSIGN}    MOVE WS-TEXT TO WS-REPORT.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.");
    setup().compile("CTX03", &format!("{CONTEXT}\n01 WS-REPORT PIC X(30)."), "", &show);
    setup().define_program("CTX03", &[]);
    let parts = [Part::Define("TRANSACTION", "CT03", "program=\"CTX03\""), Part::Entry("TRANSACTION", "CT03", "enter")];
    install("TRN0", "cicsapplication://plat/entered/1/0/0", &parts).unwrap();
    let attach = || region::AttachRequest::new(region::name::Name4::new("CT03"), region::StartCode::Start);
    let refused = setup().region.attach(attach()).unwrap_err().message.line();
    assert!(refused.contains("DFHAC2008"), "{refused}");
    let inquire = |transid: &str| {
        let statement = "    EXEC CICS INQUIRE TRANSACTION('CT03') AVAILSTATUS(WS-A)\n       OPERATION(WS-OPER) END-EXEC.\n    MOVE '?' TO R-A.\n    IF WS-A = DFHVALUE(AVAILABLE) MOVE 'A' TO R-A.\n    IF WS-A = DFHVALUE(UNAVAILABLE) MOVE 'U' TO R-A.\n    MOVE WS-OPER TO R-O.";
        let data = "01 WS-A PIC S9(8) COMP.\n01 WS-OPER PIC X(64).\n01 WS-REPORT.\n   05 R-A PIC X.\n   05 R-O PIC X(5).";
        reported_after(transid, &format!("IQ{transid}"), data, statement)
    };
    assert_eq!(inquire("CTI1"), "U     ");
    open("CTO2", "TRN0");
    assert_eq!(inquire("CTI2"), "Aenter");
    assert_eq!(setup().reported("CT03"), "entered plat enter   1 0 0    ");
    assert_eq!(recorded("CT03").as_deref(), Some("entered enter [1, 0, 0]"));
}

/// "The EXEC CICS XCTL command is not supported for creating an application context"; nor is a CALL.
#[test]
fn xctl_creates_no_context() {
    records();
    setup().compile("CTX05", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    setup().define_program("CTX05", &[]);
    install("XCT0", "", &[Part::Entry("PROGRAM", "CTX05", "alone")]).unwrap();
    open("CTO3", "XCT0");
    program("CT04", "CTX04", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS XCTL PROGRAM('CTX05') END-EXEC.");
    ended(setup().attach("CT04"));
    assert_eq!(recorded("CT04"), None);
    program("CT05", "CTX06", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS LINK PROGRAM('CTX05') END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    ended(setup().attach("CT05"));
    assert_eq!(recorded("CT05").as_deref(), Some(" alone [-1, -1, -1]"), "a bundle of no application gives an operation only");
}

/// SET PROGRAM OPERATION is for experiments: an operation without an application, taken back by blanks.
#[test]
fn set_program_operation_declares_an_entry_point() {
    let show = format!("MAIN.\n{ASSIGN}    MOVE WS-TEXT TO DFHCOMMAREA.\n    EXEC CICS RETURN END-EXEC.");
    setup().compile("CTX07", CONTEXT, "01 DFHCOMMAREA PIC X(30).", &show);
    setup().define_program("CTX07", &[]);
    let run = |transid: &str, operation: &str| {
        let data = "01 WS-REPORT PIC X(30).\n01 WS-O PIC X(64).\n01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.";
        let statements = format!(
            "    MOVE '{operation}' TO WS-O.\n    EXEC CICS SET PROGRAM('CTX07') OPERATION(WS-O) RESP(WS-RESP)\n       RESP2(WS-RESP2) END-EXEC.\n    EXEC CICS LINK PROGRAM('CTX07') COMMAREA(WS-REPORT) END-EXEC.\n    IF WS-RESP NOT = 0 MOVE WS-RESP2 TO WS-REPORT."
        );
        reported_after(transid, &format!("SO{transid}"), data, &statements)
    };
    assert_eq!(run("CTE1", "try"), "             try    -1-1-1    ");
    assert_eq!(run("CTE2", " "), NO_CONTEXT);
    assert!(run("CTE3", "not a name").contains("301"));
}
