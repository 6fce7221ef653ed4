//! The information for an operator about a failed task: one line with the place and the cause, and a dump with the program's data.

mod cobol_support;
mod scratch;

use cobol_support::Setup;
use csd::Definition;
use region::name::Name4;
use region::{AttachRequest, StartCode};
use std::sync::OnceLock;

struct NoDds;

impl vsam::idcams::DdResolver for NoDds {
    fn resolve_dd(&self, _name: &str) -> Option<vsam::idcams::DdTarget> {
        None
    }
}

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let setup = Setup::start("FAILURES");
        let region = setup.region;
        let cluster = "  DEFINE CLUSTER (NAME(TEST.ACCT) INDEXED KEYS(6 0) RECORDSIZE(80 80) TRACKS(1 1))\n";
        let options = vsam::idcams::IdcamsOptions { ccsid: 37, progress: None };
        let outcome = vsam::idcams::run(&region.data_sets, cluster, &NoDds, &options);
        assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
        let file = Definition::new("FILE", "ACCT", "TEST").with("DSNAME", "TEST.ACCT").with("ADD", "YES").with("READ", "YES");
        region.install(&file).unwrap();
        setup
    })
}

/// Compiles a program, runs it as the first of a transaction and waits for its end: the messages of the region about it.
fn messages_of(transid: &str, name: &str, working_storage: &str, linkage: &str, procedure: &str) -> Vec<String> {
    let setup = setup();
    setup.compile(name, working_storage, linkage, procedure);
    setup.region.install(&Definition::new("PROGRAM", name, "TEST")).unwrap();
    setup.define_transaction(transid, name);
    setup.attach(transid);
    // DFHAC2206 is the last message of a failed task.
    let ends = |line: &String| line.starts_with("DFHAC2206") && line.contains(&format!("Transaction {transid} "));
    testing::eventually(&format!("the failure of {transid}"), || setup.lines().iter().any(ends));
    let lines = setup.lines();
    let end = lines.iter().position(ends).expect("it came");
    // The message about the cause first: those of the dumps come before it.
    let cause = lines.iter().position(|line| line.starts_with("DFHAP1201") && line.contains(name)).expect("the cause");
    lines[cause..=end].iter().filter(|line| line.contains(name) || line.contains(transid)).cloned().collect()
}

fn dump_of(message: &str) -> String {
    Setup::dump_of(message)
}

#[track_caller]
fn begins(message: &str, beginning: &str) {
    let (id, text) = message.split_once(' ').unwrap();
    assert_eq!(id, "DFHAP1201", "{message}");
    assert!(text.starts_with(beginning), "{message}");
}

#[test]
fn a_condition_is_one_line_with_place_command_and_reason() {
    let storage = "01  REC PIC X(60).\n01  KEY1 PIC X(6) VALUE 'A00042'.";
    let read = |file: &str| {
        format!("MAIN.\n    EXEC CICS READ FILE('{file}') INTO(REC) RIDFLD(KEY1)\n    END-EXEC.\n    EXEC CICS RETURN END-EXEC.")
    };
    let told = messages_of("FA01", "NOFILEP", storage, "", &read("NOFILE"));
    begins(&told[0], "NOFILEP.cbl:10 READ FILE(NOFILE): FILENOTFOUND, no such FILE. Dump: ");
    assert!(dump_of(&told[0]).contains("Abend AEIL in program NOFILEP line 10"));
    let told = messages_of("FA02", "NOKEYP", storage, "", &read("ACCT"));
    begins(&told[0], "NOKEYP.cbl:10 READ FILE(ACCT) RIDFLD(A00042): NOTFND, no record with this key. Dump: ");
    let write = "MAIN.\n    EXEC CICS WRITE FILE('ACCT') FROM(REC) RIDFLD(KEY1)\n    END-EXEC.\n    EXEC CICS RETURN END-EXEC.";
    let told = messages_of("FA03", "SHORTP", &storage.replace("(60)", "(90)"), "", write);
    begins(&told[0], "SHORTP.cbl:10 WRITE FILE(ACCT) RIDFLD(A00042): LENGERR, the program gives 90 bytes, the file takes 80. Dump: ");
}

#[test]
fn a_data_exception_shows_the_operands_and_the_dump_the_storage() {
    let storage = "01  WS-TEXT PIC X(5) VALUE 'ABC'.\n01  WS-BAD PIC X(3) VALUE X'40C1FF'.\n01  WS-TOTAL REDEFINES WS-BAD PIC S9(5) COMP-3.\n01  WS-RATE PIC S9(3)V99 COMP-3 VALUE -12.50.\n01  WS-TABLE.\n    05  WS-ROW OCCURS 3 PIC 9(4) VALUE 1234.\n01  WS-N PIC S9(4) COMP VALUE 2.\n01  WS-SUM PIC 9(7) VALUE 7.";
    let told = messages_of(
        "FA04",
        "BADDEC",
        storage,
        "",
        "MAIN.\n    COMPUTE WS-SUM = WS-RATE + WS-ROW(WS-N) + WS-TOTAL.\n    EXEC CICS RETURN END-EXEC.",
    );
    begins(&told[0], "BADDEC.cbl:16 0C7 data exception: WS-RATE=-12.50 WS-N=2 WS-ROW(2)=1234 WS-TOTAL=X'40C1FF' (not valid S9(5) COMP-3)");
    let dump = dump_of(&told[0]);
    let has =
        |line: &str| assert!(dump.lines().any(|found| found.split_whitespace().collect::<Vec<_>>().join(" ") == line), "{line}\n{dump}");
    has("=== SUMMARY: WORKING-STORAGE of BADDEC");
    has("01 WS-TEXT X(5) 'ABC'");
    has("01 WS-TOTAL S9(5) COMP-3 X'40C1FF' (not valid)");
    has("01 WS-RATE S9(3)V99 COMP-3 -12.50");
    has("05 WS-ROW 9(4) OCCURS 3 1234 1234 1234");
    has("01 WS-N S9(4) COMP 2");
    // The bytes, as the last part of the area: 'ABC' and two blanks in EBCDIC.
    assert!(dump.replace(' ', "").contains("C1C2C34040"), "{dump}");
}

#[test]
fn linkage_that_is_addressable_is_in_the_dump() {
    let linkage = "01  LK-GIVEN.\n    05  LK-NAME PIC X(4).\n01  LK-NOWHERE PIC X(4).";
    let storage = "01  WS-P POINTER.\n01  WS-B PIC S9(4) COMP VALUE 0.\n01  WS-A PIC S9(4) COMP VALUE 1.";
    let procedure = "MAIN.\n    EXEC CICS GETMAIN SET(ADDRESS OF LK-GIVEN)\n     FLENGTH(4) END-EXEC.\n    MOVE 'GIVE' TO LK-NAME.\n    DIVIDE WS-B INTO WS-A.\n    EXEC CICS RETURN END-EXEC.";
    let told = messages_of("FA05", "LINKED", storage, linkage, procedure);
    begins(&told[0], "LINKED.cbl:17 0C");
    assert!(told[0].contains("divide exception: ") && told[0].contains("WS-A=1") && told[0].contains("WS-B=0"), "{}", told[0]);
    let dump = dump_of(&told[0]);
    assert!(dump.contains("'GIVE'") && dump.contains("LK-NOWHERE") && dump.contains("not addressable"), "{dump}");
}

#[test]
fn a_call_of_a_missing_program_is_reported_at_its_line() {
    let procedure = "MAIN.\n    EXEC CICS ASKTIME END-EXEC.\n    CALL WS-NAME.\n    EXEC CICS RETURN END-EXEC.";
    let told = messages_of("FA06", "CALLER", "01  WS-NAME PIC X(8) VALUE 'NOWHERE'.", "", procedure);
    begins(&told[0], "CALLER.cbl:10 CALL NOWHERE: no such program. Dump: ");
}

#[test]
fn an_unsupported_supplied_transaction_is_reported() {
    let request = AttachRequest::new(Name4::new("CRTE"), StartCode::Start);
    let line = setup().region.attach(request).expect_err("there is no CRTE").message.line();
    assert!(line.contains("Transaction CRTE (") && line.contains(") is not part of Regent yet. There are no connections"), "{line}");
    let request = AttachRequest::new(Name4::new("CSMI"), StartCode::Start);
    let line = setup().region.attach(request).expect_err("there is no CSMI").message.line();
    assert!(line.ends_with("is not part of Regent yet."), "{line}");
}
