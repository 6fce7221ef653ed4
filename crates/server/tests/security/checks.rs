//! Checks of resources (RESSEC) and of commands (CMDSEC): who may use what, with which condition, abend and message.

use crate::cobol_support::REPORT;
use crate::support::{compile, define, region, reported_for, wait_for_message};
use csd::Definition;
use std::sync::Once;

/// Files without records, queues, programs.
pub fn define_resources() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for file in ["TFILE", "OFILE", "QUIET", "LOUD"] {
            let definition =
                Definition::new("FILE", file, "TEST").with("DSNAME", &format!("TEST.{file}")).with("READ", "YES").with("UPDATE", "YES");
            region().install(&definition).unwrap();
        }
        for queue in ["TQ01", "OQ01"] {
            let definition = Definition::new("TDQUEUE", queue, "TEST").with("TYPE", "INTRA");
            region().install(&definition).unwrap();
        }
        for (model, prefix) in [("SECURED", "TSEC"), ("OTHER", "OSEC")] {
            let definition = Definition::new("TSMODEL", model, "TEST").with("PREFIX", prefix).with("SECURITY", "YES");
            region().install(&definition).unwrap();
        }
        for program in ["TPGM1", "OPGM1"] {
            compile(program, "01 WS PIC X.", "", "    EXEC CICS RETURN END-EXEC.");
        }
    });
}

const STORAGE: &str = "01 WS-RESP PIC S9(8) COMP VALUE -1.
01 WS-RESP2 PIC S9(8) COMP VALUE -1.
01 WS-KEY PIC X(4) VALUE 'K'.
01 WS-DATA PIC X(20) VALUE 'DATA'.
01 WS-LENGTH PIC S9(4) COMP VALUE 20.
01 WS-NUMBER PIC S9(8) COMP VALUE 0.
01 WS-POINTER POINTER.
01 WS-REPORT.
   05 RP-RESP PIC -999.
   05 PIC X VALUE SPACE.
   05 RP-RESP2 PIC -999.
   05 PIC X VALUE SPACE.
   05 RP-RSRCE PIC X(8).";

/// RESP, RESP2 and EIBRSRCE of a command in a transaction that is checked for its resources and commands.
fn response(user: &str, transid: &str, command: &str) -> String {
    let program = format!("{transid}PGM");
    let report = REPORT.replace('\n', "\n    ");
    let procedure = format!(
        "    EXEC CICS {command} RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    MOVE EIBRSRCE TO RP-RSRCE
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    compile(&program, STORAGE, "", &procedure);
    define(transid, &program, &[("RESSEC", "YES"), ("CMDSEC", "YES")]);
    reported_for(user, transid, "")
}

const NOT_AUTHORIZED: &str = " 070  101";

#[test]
fn resources_are_checked_by_the_access_that_a_command_needs() {
    define_resources();
    // The command, and the access that the message says.
    let refused = [
        ("READ FILE('OFILE') INTO(WS-DATA) RIDFLD(WS-KEY)", "OFILE", "READ"),
        // TELLER may read TFILE, and no more.
        ("READ FILE('TFILE') INTO(WS-DATA) RIDFLD(WS-KEY) UPDATE", "TFILE", "UPDATE"),
        ("WRITE FILE('TFILE') FROM(WS-DATA) RIDFLD(WS-KEY)", "TFILE", "UPDATE"),
        ("DELETE FILE('TFILE') RIDFLD(WS-KEY)", "TFILE", "UPDATE"),
        ("STARTBR FILE('OFILE') RIDFLD(WS-KEY)", "OFILE", "READ"),
        // Reading transient data takes the record away.
        ("READQ TD QUEUE('TQ01') INTO(WS-DATA) LENGTH(WS-LENGTH)", "TQ01", "UPDATE"),
        ("WRITEQ TD QUEUE('OQ01') FROM(WS-DATA)", "OQ01", "UPDATE"),
        ("READQ TS QUEUE('OSEC1') INTO(WS-DATA) LENGTH(WS-LENGTH)", "OSEC1", "READ"),
        ("WRITEQ TS QUEUE('TSEC1') FROM(WS-DATA)", "TSEC1", "UPDATE"),
        ("DELETEQ TS QUEUE('TSEC1')", "TSEC1", "UPDATE"),
        ("LINK PROGRAM('OPGM1')", "OPGM1", "READ"),
        ("XCTL PROGRAM('OPGM1')", "OPGM1", "READ"),
        ("LOAD PROGRAM('OPGM1') SET(WS-POINTER)", "OPGM1", "READ"),
        ("HANDLE ABEND PROGRAM('OPGM1')", "OPGM1", "READ"),
        ("INQUIRE FILE('OFILE') OPENSTATUS(WS-NUMBER)", "OFILE", "READ"),
        ("WRITE JOURNALNAME('OJRNL') JTYPEID('AA') FROM(WS-DATA)", "OJRNL", "UPDATE"),
    ];
    for (at, (command, resource, access)) in refused.iter().enumerate() {
        let report = response("TELLER", &format!("TR{at:02}"), command);
        assert!(report.starts_with(NOT_AUTHORIZED), "{command}: {report}");
        wait_for_message(&["DFHXS1111", &format!("TR{at:02}"), "TELLER", &format!("resource {resource} "), &format!("intent {access}")]);
    }
    // EIBRSRCE has the name although the command was refused.
    assert_eq!(response("TELLER", "TR20", refused[0].0), " 070  101 OFILE   ");
    // START is told apart from others by its RESP2.
    assert!(response("TELLER", "TR21", "START TRANSID('CSGM')").starts_with(" 070  007"));
}

#[test]
fn what_profiles_permit_is_done() {
    define_resources();
    let permitted = [
        // The file cannot be opened, and the queues are not there: nobody has refused.
        ("READ FILE('TFILE') INTO(WS-DATA) RIDFLD(WS-KEY)", " 019"),
        ("READQ TS QUEUE('TSEC1') INTO(WS-DATA) LENGTH(WS-LENGTH)", " 044"),
        // No TSMODEL with SECURITY(YES) has the name.
        ("WRITEQ TS QUEUE('FREE1') FROM(WS-DATA)", " 000"),
        ("LINK PROGRAM('TPGM1')", " 000"),
        ("INQUIRE FILE('TFILE') OPENSTATUS(WS-NUMBER)", " 000"),
        ("INQUIRE FILE START", " 000"),
    ];
    for (at, (command, response_code)) in permitted.iter().enumerate() {
        let report = response("TELLER", &format!("TP{at:02}"), command);
        assert!(!report.starts_with(" 070"), "{command}: {report}");
        assert!(report.starts_with(response_code) || *response_code == " 019", "{command}: {report}");
    }
}

#[test]
fn commands_are_checked_by_their_resource_of_class_xcmd() {
    define_resources();
    // FILE may be read, nothing else but TASK.
    for (at, (command, resource, access)) in [
        ("SET FILE('TFILE') CLOSED", "FILE", "UPDATE"),
        ("DISCARD FILE('TFILE')", "FILE", "ALTER"),
        ("INQUIRE PROGRAM('TPGM1') USECOUNT(WS-NUMBER)", "PROGRAM", "READ"),
        ("INQUIRE TRANCLASS('DFHTCL01') MAXACTIVE(WS-NUMBER)", "TCLASS", "READ"),
        ("INQUIRE SYSTEM MAXTASKS(WS-NUMBER)", "SYSTEM", "READ"),
        ("PERFORM SHUTDOWN", "SHUTDOWN", "UPDATE"),
        ("PERFORM STATISTICS RECORD ALL", "STATISTICS", "UPDATE"),
    ]
    .into_iter()
    .enumerate()
    {
        let report = response("TELLER", &format!("TC{at:02}"), command);
        assert!(report.starts_with(" 070  100"), "{command}: {report}");
        let about = format!("resource {resource} in class CCICSCMD");
        wait_for_message(&["DFHXS1111", &format!("TC{at:02}"), &about, &format!("intent {access}")]);
    }
}

/// The transaction decides whether anything is checked.
#[test]
fn a_transaction_without_ressec_is_not_checked_for_its_resources() {
    define_resources();
    let report = REPORT.replace('\n', "\n    ");
    let procedure = format!(
        "    EXEC CICS LINK PROGRAM('OPGM1') RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    compile("FREEPGM", STORAGE, "", &procedure);
    define("TFRE", "FREEPGM", &[]);
    assert!(reported_for("TELLER", "TFRE", "").starts_with(" 000  000"));
}

/// NOTAUTH that nobody handles is abend AEY7, and its message names the cause.
#[test]
fn an_unhandled_refusal_abends_aey7() {
    define_resources();
    compile(
        "ABPGM",
        STORAGE,
        "",
        "    EXEC CICS WRITE FILE('TFILE') FROM(WS-DATA) RIDFLD(WS-KEY) END-EXEC\n    EXEC CICS RETURN END-EXEC.",
    );
    define("TABN", "ABPGM", &[("RESSEC", "YES")]);
    let mut request = region::AttachRequest::new(region::name::Name4::new("TABN"), region::StartCode::Start);
    request.user_id = region::name::Name8::new("TELLER");
    region().attach(request).unwrap();
    let message = wait_for_message(&["TABN", "AEY7"]);
    assert!(message.contains("AEY7"), "{message}");
}

/// A browse comes to what the task may inquire about.
#[test]
fn a_browse_passes_over_what_the_task_may_not_see() {
    define_resources();
    let report = REPORT.replace('\n', "\n    ");
    let procedure = format!(
        "    EXEC CICS INQUIRE FILE START END-EXEC
    MOVE SPACES TO WS-LIST
    MOVE 1 TO WS-AT
    PERFORM UNTIL WS-RESP NOT = 0
        EXEC CICS INQUIRE FILE(WS-FILE) NEXT RESP(WS-RESP) END-EXEC
        IF WS-RESP = 0
            STRING WS-FILE DELIMITED BY SPACE ' ' DELIMITED BY SIZE
                INTO WS-LIST WITH POINTER WS-AT
        END-IF
    END-PERFORM
    EXEC CICS INQUIRE FILE END END-EXEC
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    let storage = "01 WS-RESP PIC S9(8) COMP VALUE 0.
01 WS-FILE PIC X(8).
01 WS-AT PIC S9(4) COMP.
01 WS-REPORT.
   05 WS-LIST PIC X(60).";
    compile("BRWPGM", storage, "", &procedure);
    define("TBRW", "BRWPGM", &[("RESSEC", "YES"), ("CMDSEC", "YES")]);
    assert_eq!(reported_for("TELLER", "TBRW", "").trim(), "TFILE");
    let all = reported_for("SUPER", "TBRW", "");
    assert!(["OFILE", "QUIET", "LOUD"].iter().all(|file| all.contains(file)), "{all}");
}

/// "Even if a command references the document template using its 48-character template name, the shorter name of the DOCTEMPLATE resource
/// definition is always used for security checking" (XRES).
#[test]
fn templates_are_checked_by_the_names_of_their_definitions() {
    for (name, template) in [("TTEMPL", "Template of tellers"), ("OTEMPL", "Template of others")] {
        let definition = Definition::new("DOCTEMPLATE", name, "TEST").with("TEMPLATENAME", template).with("TSQUEUE", "FREETEMP");
        region().install(&definition).unwrap();
    }
    let set_up = "WRITEQ TS QUEUE('FREETEMP') FROM(WS-DATA)";
    assert!(response("TELLER", "TD00", set_up).starts_with(" 000"));
    for (transid, command) in [
        ("TD01", "DOCUMENT CREATE DOCTOKEN(WS-TOKEN) TEMPLATE(WS-OTHERS)"),
        ("TD02", "DOCUMENT INSERT DOCTOKEN(WS-TOKEN) TEMPLATE(WS-OTHERS)"),
    ] {
        let report = document_response("TELLER", transid, command);
        assert!(report.starts_with(NOT_AUTHORIZED), "{command}: {report}");
        wait_for_message(&["DFHXS1111", transid, "resource DOCTEMPLATE.OTEMPL in class RCICSRES", "intent READ"]);
    }
    for (transid, command) in [
        ("TD03", "DOCUMENT CREATE DOCTOKEN(WS-TOKEN) TEMPLATE(WS-TELLERS)"),
        ("TD04", "DOCUMENT INSERT DOCTOKEN(WS-TOKEN) TEMPLATE(WS-TELLERS)"),
    ] {
        let report = document_response("TELLER", transid, command);
        assert!(report.starts_with(" 000"), "{command}: {report}");
    }
    // A template is not got at by way of one that includes it.
    let report = document_response("TELLER", "TD05", "DOCUMENT CREATE DOCTOKEN(WS-TOKEN) FROM(WS-INCLUDE) LENGTH(50)");
    assert!(report.starts_with(NOT_AUTHORIZED), "{report}");
}

/// A command about a document that is there.
fn document_response(user: &str, transid: &str, command: &str) -> String {
    let program = format!("{transid}PGM");
    let report = REPORT.replace('\n', "\n    ");
    let storage = format!(
        "{STORAGE}
01 WS-TOKEN PIC X(16).
01 WS-TELLERS PIC X(48) VALUE 'Template of tellers'.
01 WS-OTHERS PIC X(48) VALUE 'Template of others'.
01 WS-INCLUDE PIC X(50) VALUE '<!--#include template=\"Template of others\"-->'."
    );
    let procedure = format!(
        "    EXEC CICS DOCUMENT CREATE DOCTOKEN(WS-TOKEN) END-EXEC
    EXEC CICS {command} RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC
    MOVE WS-RESP TO RP-RESP
    MOVE WS-RESP2 TO RP-RESP2
    MOVE EIBRSRCE TO RP-RSRCE
    {report}
    EXEC CICS RETURN END-EXEC."
    );
    compile(&program, &storage, "", &procedure);
    define(transid, &program, &[("RESSEC", "YES")]);
    reported_for(user, transid, "")
}
