//! `regent csdup`: the CSD utility. Statements come in, the listing goes out, the return code is the exit code, and the CSD is a file from one
//! run to the next, which a region may use at the same time.

#[path = "csdup/resources.rs"]
mod resources;
#[path = "csdup/scan.rs"]
mod scan;
#[path = "csdup/statistics.rs"]
mod statistics;
mod support;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use support::application::Application;
use support::terminal::Terminal;
use support::{Region, regent};

/// Runs statements from standard input; the listing and the exit code.
fn csdup(csd: &Path, statements: &str) -> (String, Option<i32>) {
    let mut child = regent()
        .args(["csdup", "--csd"])
        .arg(csd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("regent runs");
    child.stdin.take().expect("standard input").write_all(statements.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    (String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr), output.status.code())
}

#[test]
fn definitions_stay_in_the_csd_from_run_to_run() {
    let directory = tempfile::tempdir().expect("a directory");
    let csd = directory.path().join("data/csd");
    let define = "DEFINE PROGRAM(PAYPGM) GROUP(PAY) EXECKEY(CICS)\n       DESCRIPTION(Payroll program)\n\
                  DEFINE TRANSACTION(PAY1) GROUP(PAY) PROGRAM(PAYPGM)\nADD GROUP(PAY) LIST(PAYLIST)\n";
    let (listing, code) = csdup(&csd, define);
    assert_eq!(code, Some(0), "{listing}");
    assert!(listing.contains("DFH5143 I PROGRAM PAYPGM DEFINED IN GROUP PAY"), "{listing}");
    assert!(listing.contains("END OF DFHCSDUP UTILITY JOB. HIGHEST RETURN CODE WAS: 0"), "{listing}");
    let (listing, code) = csdup(&csd, "LIST GROUP(PAY) OBJECTS\nLIST LIST(PAYLIST)\nLIST GROUP(DFHOPER)\n");
    assert_eq!(code, Some(0), "{listing}");
    for expected in ["GROUP NAME: PAY", "EXECKEY(CICS)", "PROGRAM(PAYPGM)", "LIST NAME: PAYLIST\n    PAY\n", "CEMT"] {
        assert!(listing.contains(expected), "{expected}:\n{listing}");
    }
    // From a file of statements.
    let statements = directory.path().join("statements");
    std::fs::write(&statements, "ALTER PROGRAM(PAYPGM) GROUP(PAY) EXECKEY(USER)\nDELETE TRANSACTION(PAY1) GROUP(PAY)\n").expect("written");
    let output = regent().arg("csdup").arg(&statements).arg("--csd").arg(&csd).output().expect("regent runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let (listing, _) = csdup(&csd, "LIST GROUP(PAY) OBJECTS\n");
    assert!(listing.contains("EXECKEY(USER)") && !listing.contains("PAY1"), "{listing}");
}

/// 4: done with a warning; 8: a statement was not executed, and none behind it but LIST.
#[test]
fn the_exit_code_is_the_return_code() {
    let directory = tempfile::tempdir().expect("a directory");
    let csd = directory.path().join("csd");
    let (listing, code) = csdup(&csd, "DEFINE PROGRAM(DFHMINE) GROUP(G1)\n");
    assert!(code == Some(4) && listing.contains("DFH5164 W"), "{listing}");
    let statements = "DEFINE PROGRAM(P1) GROUP(G1)\nDEFINE PROGRAM(P1) GROUP(G1)\nDEFINE PROGRAM(P2) GROUP(G1)\nLIST GROUP(G1)\n";
    let (listing, code) = csdup(&csd, statements);
    assert_eq!(code, Some(8), "{listing}");
    assert!(
        listing.contains("DFH5145 E PROGRAM P1 ALREADY EXISTS IN GROUP G1")
            && listing.contains("DFH5108 I COMMANDS NOT EXECUTED AFTER ERROR(S): 1"),
        "{listing}"
    );
    assert!(listing.contains("GROUP NAME: G1") && !listing.contains("PROGRAM P2 DEFINED"), "{listing}");
    let (listing, _) = csdup(&csd, "LIST GROUP(G1)\n");
    assert!(listing.contains(" P1 ") && !listing.contains(" P2 "), "what came before the error stays: {listing}");
    let (listing, code) = csdup(&csd, "DEFINE PROGRAM(P3 GROUP(G1)\n");
    assert!(code == Some(8) && listing.contains("DFH5201 E SYNTAX ERROR"), "{listing}");
}

/// `regent csdup | head`: the reader of the listing has gone, and the definitions are saved all the same.
#[test]
fn definitions_are_saved_when_nobody_reads_the_listing() {
    let directory = tempfile::tempdir().expect("a directory");
    let csd = directory.path().join("csd");
    let mut command = regent();
    command.args(["csdup", "--csd"]).arg(&csd).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("regent runs");
    drop(child.stdout.take());
    child.stdin.take().expect("standard input").write_all(b"DEFINE PROGRAM(UNREAD) GROUP(PAY)\n").expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    let (listing, _) = csdup(&csd, "LIST GROUP(PAY) OBJECTS\n");
    assert!(listing.contains("UNREAD"), "{listing}");
}

/// A program that issues one CSD command and shows RESP and RESP2.
fn csd_command(id: &str, command: &str) -> String {
    format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {id}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  R PIC S9(8) COMP.\n       01  R2 PIC S9(8) COMP.\n       01  T.\n           05 FILLER PIC X(9) VALUE 'ANSWERED '.\n           05 N PIC 9(4).\n           05 FILLER PIC X VALUE SPACE.\n           05 N2 PIC 9(4).\n       PROCEDURE DIVISION.\n           EXEC CICS CSD {command}\n             RESP(R) RESP2(R2) END-EXEC\n           MOVE R TO N MOVE R2 TO N2\n           EXEC CICS SEND TEXT FROM(T) LENGTH(18) ERASE FREEKB END-EXEC\n           EXEC CICS RETURN END-EXEC.\n"
    )
}

/// The utility and a region change one CSD: each sees what the other did, and a lock of a user of the region keeps the utility out (CEDA
/// LOCK: only the owner changes what is locked). What is defined at run time is there after a restart.
#[test]
fn the_utility_shares_the_csd_with_a_running_region() {
    let application = Application::new();
    let mut definitions = String::new();
    for (transaction, id, command) in [
        ("CLCK", "CSDLOCK", "LOCK GROUP('PAY')"),
        ("CULK", "CSDUNLK", "UNLOCK GROUP('PAY')"),
        ("CINQ", "CSDINQG", "INQUIREGROUP GROUP('PAY')"),
        ("CINS", "CSDINST", "INSTALL GROUP('PAY')"),
        ("CDEF", "CSDDEFN", "DEFINE PROGRAM RESID('ONLINE') GROUP('ONLINE')"),
    ] {
        application.write(&format!("{id}.cbl"), &csd_command(id, command));
        definitions += &format!("DEFINE PROGRAM({id}) GROUP(APP)\nDEFINE TRANSACTION({transaction}) GROUP(APP) PROGRAM({id})\n");
    }
    application.write("app.csd", &definitions);
    let csd = application.data().join("csd");
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    let mut answers = |transaction: &str, expected: &str| {
        terminal.act("Clear");
        terminal.transaction(transaction);
        terminal.expect(&format!("ANSWERED {expected}"));
    };
    answers("CINQ", "0013 0002");
    let (listing, code) = csdup(&csd, "DEFINE PROGRAM(PAYPGM) GROUP(PAY)\n");
    assert_eq!(code, Some(0), "{listing}");
    answers("CINQ", "0000 0000");
    answers("CINS", "0000 0000");
    answers("CLCK", "0000 0000");
    let (listing, code) = csdup(&csd, "DEFINE PROGRAM(PAYMORE) GROUP(PAY)\n");
    assert!(code == Some(8) && listing.contains("DFH5179 E GROUP PAY IS LOCKED BY USER CICSUSER"), "{listing}");
    let (listing, code) = csdup(&csd, "COPY GROUP(PAY) TO(PAYCOPY)\n");
    assert_eq!(code, Some(0), "anyone copies it: {listing}");
    answers("CDEF", "0000 0000");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let region = Region::start(application.path(), application.data(), &[]);
    let mut terminal = Terminal::connect(region.port);
    let mut answers = |transaction: &str, expected: &str| {
        terminal.act("Clear");
        terminal.transaction(transaction);
        terminal.expect(&format!("ANSWERED {expected}"));
    };
    answers("CINQ", "0000 0000");
    answers("CDEF", "0120 0001");
    let (listing, code) = csdup(&csd, "DELETE GROUP(PAY)\n");
    assert!(code == Some(8) && listing.contains("DFH5179"), "the lock stays: {listing}");
    answers("CULK", "0000 0000");
    let (listing, code) = csdup(&csd, "DELETE GROUP(PAY)\n");
    assert_eq!(code, Some(0), "{listing}");
    answers("CINQ", "0013 0002");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The sample of the documentation: a COBOL program that EXTRACT calls at each point, with its file open from the first call to the last.
#[test]
fn extract_calls_a_cobol_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let csd = directory.path().join("csd");
    let (listing, code) = csdup(
        &csd,
        "DEFINE PROGRAM(PAYPGM) GROUP(PAY) EXECKEY(CICS)\nDEFINE TRANSACTION(PAY1) GROUP(PAY) PROGRAM(PAYPGM)\nADD GROUP(PAY) LIST(PAYLIST)\n",
    );
    assert_eq!(code, Some(0), "{listing}");
    let library = directory.path().join("library");
    let source = support::root().join("samples/csdup/CSDREPT.cbl");
    let compiled = regent().arg("compile").arg(source).arg("-o").arg(&library).output().expect("regent runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
    let report = directory.path().join("report");
    let mut child = regent()
        .args(["csdup", "--csd"])
        .arg(&csd)
        .arg("-L")
        .arg(&library)
        .arg("--dd")
        .arg(format!("REPORT={}:text", report.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("regent runs");
    let statements = "EXTRACT LIST(PAYLIST) OBJECTS USERPROGRAM(CSDREPT)\nEXTRACT GROUP(PAY) USERPROGRAM(NOTHERE)\n";
    child.stdin.take().expect("standard input").write_all(statements.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let listing = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(8) && listing.contains("EXTRACT COMMAND EXECUTED SUCCESSFULLY."), "{listing}");
    assert!(listing.contains("USER PROGRAM NOTHERE: THERE IS NO LOAD MODULE IN THE LIBRARIES"), "{listing}");
    let written = std::fs::read_to_string(&report).expect("the report");
    let expected = [
        "LIST PAYLIST",
        "  GROUP PAY",
        "    PROGRAM      PAYPGM",
        "      EXECKEY      CICS",
        "    TRANSACTION  PAY1",
        "      PROGRAM      PAYPGM",
    ];
    let mut rest = written.as_str();
    for line in expected {
        rest = rest.split_once(line).unwrap_or_else(|| panic!("{line}: {written}")).1;
    }
    assert!(rest.contains("00002 RESOURCES IN 00001 GROUPS"), "{written}");
}
