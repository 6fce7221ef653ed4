//! Dumps as operators and programs see them: what is in them, the dump tables, the dump data sets, and who waits for them.
//!
//! One region serves all tests of this binary, because the storage areas have fixed addresses.

mod cobol_support;
mod scratch;

use cobol_support::Setup;
use csd::Definition;
use region::dump::codes::{Actions, DumpTables, NO_LIMIT, TableKind};
use region::dump::data_sets::{DataSets, Switching};
use region::name::Name8;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use vsam::ThreadWaiter;

/// Bytes of a dump data set of this region: a few dumps fit.
const DATA_SET_BYTES: u64 = 2 << 20;

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        Setup::start_with("DUMPS", |config| {
            config.dump_data_set_bytes = DATA_SET_BYTES;
            // A request for a system dump does not wait for another.
            config.sit.apply("DURETRY=0").unwrap();
        })
    })
}

/// Held by every test, because all have the same data sets and directory of dumps.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn directory() -> PathBuf {
    setup().region.data_directory.join("dumps")
}

/// The files of system dumps with a code.
fn system_dumps(code: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory()).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.to_string_lossy().ends_with(&format!("-{code}.dump"))).collect()
}

fn program(transid: &str, name: &str, working_storage: &str, procedure: &str) {
    setup().compile(name, working_storage, "", procedure);
    setup().region.install(&Definition::new("PROGRAM", name, "TEST")).unwrap();
    setup().define_transaction(transid, name);
}

/// Runs a transaction that fails to its end: the messages of the region meanwhile.
fn failed(transid: &str) -> Vec<String> {
    let before = setup().lines().len();
    setup().attach(transid);
    let ends = |line: &String| line.starts_with("DFHAC2206") && line.contains(&format!("Transaction {transid} "));
    testing::eventually(&format!("the failure of {transid}"), || setup().lines()[before..].iter().any(ends));
    setup().lines().split_off(before)
}

fn message<'a>(lines: &'a [String], id: &str) -> &'a str {
    lines.iter().find(|line| line.starts_with(id)).unwrap_or_else(|| panic!("{id} in {lines:#?}"))
}

fn actions(kind: TableKind) -> Actions {
    DumpTables::of(setup().region).defaults(setup().region, kind, false)
}

/// Puts an entry into a dump table, in place of one that is there.
fn entry(kind: TableKind, code: &str, actions: Actions) {
    let tables = DumpTables::of(setup().region);
    let _ = tables.remove(kind, Name8::new(code));
    tables.add(kind, Name8::new(code), actions).unwrap();
}

/// COMPUTE with a field that is no number ends with a data exception.
const BAD_DATA: &str = "01  WS-KEY PIC X(8) VALUE 'KEY00042'.\n01  WS-TEXT PIC X(3) VALUE 'ABC'.\n01  WS-BAD REDEFINES WS-TEXT PIC S9(5) COMP-3.\n01  WS-SUM PIC S9(5) COMP-3 VALUE 7.";
const BAD_ADDITION: &str = "MAIN.\n    EXEC CICS ASKTIME END-EXEC.\n    ADD WS-BAD TO WS-SUM.\n    EXEC CICS RETURN END-EXEC.";

#[test]
fn a_program_check_takes_a_system_dump_and_a_transaction_dump() {
    let _alone = alone();
    entry(TableKind::System, "SR0001", actions(TableKind::System));
    program("DU01", "DUASRA", BAD_DATA, BAD_ADDITION);
    let lines = failed("DU01");
    let at = |id: &str| lines.iter().position(|line| line.starts_with(id)).unwrap_or_else(|| panic!("{id} in {lines:#?}"));
    // The system dump precedes the abend.
    let order = ["DFHSR0001", "DFHDU0201", "DFHDU0202", "DFHDU0203", "DFHAP1201", "DFHAC2236"].map(at);
    assert!(order.is_sorted(), "{lines:#?}");
    assert!(message(&lines, "DFHSR0001").contains("(code 0C7/ASRA)"));
    assert!(message(&lines, "DFHDU0201").contains("Dumpcode: SR0001"));

    let dump = Setup::dump_of(message(&lines, "DFHAP1201"));
    let lines_of_dump: Vec<String> = dump.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let mut last = 0;
    for wanted in [
        "===== TRANSACTION DUMP =====",
        "APPLID: DUMPS SYSID",
        "DUMPCODE: ASRA",
        "TRAN: DU01 TASK",
        "PROGRAM: DUASRA",
        "MESSAGE: DUASRA.cbl:13 0C7 data exception:",
        "SYMPTOMS: AB/UASRA AB/S00C7 RIDS/DUASRA",
        "=== SUMMARY: Abend",
        "Abend ASRA in program DUASRA line 13",
        "Source /application/cobol/DUASRA.cbl",
        "PSW: interruption 0C7",
        "Registers 0:",
        "=== SUMMARY: Call chain",
        "DUASRA line 13 of /application/cobol/DUASRA.cbl",
        "=== SUMMARY: Last commands",
        "ASKTIME line 12 RESP 0 NORMAL",
        "=== SUMMARY: EIB fields",
        "EIBTRNID 'DU01'",
        "EIBFN X'1002'",
        "EIBRESP 0",
        "=== SUMMARY: WORKING-STORAGE of DUASRA",
        "01 WS-KEY X(8) 'KEY00042'",
        "01 WS-BAD S9(5) COMP-3 X'C1C2C3' (not valid)",
        "01 WS-SUM S9(5) COMP-3 7",
        "=== PG: WORKING-STORAGE of DUASRA",
        "=== AP: EXEC interface block",
        "=== SM: Transaction storage",
        "=== TR: Internal trace",
    ] {
        let found = lines_of_dump[last..].iter().position(|line| line.starts_with(wanted));
        last += found.unwrap_or_else(|| panic!("{wanted} is missing or out of order\n{dump}"));
    }
    // The characters beside the bytes are those of the code page.
    assert!(dump.contains("*KEY00042"), "{dump}");

    let [file] = system_dumps("SR0001").try_into().expect("one file");
    let summary = Setup::formatted(&file, "DEF=0");
    for wanted in [
        "===== SYSTEM DUMP =====",
        "DUMPCODE:   SR0001",
        "PROGRAM:    DUASRA",
        "TITLE:      Program check 0C7 in DUASRA",
        "MESSAGE:    DFHSR0001",
    ] {
        assert!(summary.contains(wanted), "{wanted}\n{summary}");
    }
    std::fs::remove_file(file).unwrap();
}

/// The call chain has the programs that led to the failure; a LINK that an abend ended has no response, and a RETURN is not that of the
/// command before it.
#[test]
fn the_commands_that_led_to_a_failure_have_their_own_responses() {
    let _alone = alone();
    program(
        "DU20",
        "DUOUTER",
        "77  WS-COUNT PIC S9(4) COMP VALUE 5.\n01  WS-RESP PIC S9(8) COMP.",
        "MAIN.\n    EXEC CICS DELETEQ TS QUEUE('NOSUCH') RESP(WS-RESP) END-EXEC.\n    EXEC CICS LINK PROGRAM('DUCHECK') END-EXEC.\n    EXEC CICS LINK PROGRAM('DUFAILS') END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    program("DU21", "DUCHECK", "01  WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program("DU22", "DUFAILS", BAD_DATA, BAD_ADDITION);
    let lines = failed("DU20");
    let dump = Setup::dump_of(message(&lines, "DFHAP1201"));
    let text: Vec<String> = dump.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let commands = text.iter().skip_while(|line| !line.contains("Last commands")).skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<String> = commands
        .map(|line| line.split_whitespace().filter(|word| word.parse::<u32>().is_err() && *word != "line").collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        commands,
        ["DELETEQ TS RESP QIDERR", "RETURN RESP NORMAL", "LINK RESP NORMAL", "ASKTIME RESP NORMAL", "LINK ABEND"],
        "{dump}"
    );
    assert!(dump.contains("\n  77 WS-COUNT "), "level 77 is the first level: {dump}");
}

#[test]
fn components_of_a_system_dump_are_chosen_by_level() {
    let _alone = alone();
    program(
        "DU02",
        "DUSYS",
        "01  WS-MARK PIC X(64) VALUE ALL 'MARK'.",
        "MAIN.\n    EXEC CICS PERFORM DUMP DUMPCODE('COMPONEN')\n     TITLE('ALL OF IT') TITLELENGTH(9) CALLER('TEST')\n     CALLERLENGTH(4) END-EXEC.\n    EXEC CICS ABEND ABCODE('DONE') NODUMP END-EXEC.",
    );
    failed("DU02");
    let [file] = system_dumps("COMPONEN").try_into().expect("one file");
    let titles = |keywords: &str| -> Vec<String> {
        let text = Setup::formatted(&file, keywords);
        text.lines().filter_map(|line| line.strip_prefix("=== ")).map(str::to_string).collect()
    };
    assert_eq!(titles("SM=1"), ["SM: Dynamic storage areas", "SM: Subpools"]);
    assert_eq!(titles("SM=0"), [""; 0]);
    let full = titles("SM=2");
    assert!(full[0] == "SM: Pages in use" && full.iter().any(|title| title == "SM: Storage of the EUDSA"), "{full:?}");
    assert_eq!(titles("KE=1 DS=1 XM=1"), ["KE: Tasks", "DS: Dispatcher", "XM: Tasks of transactions", "XM: TRANSACTION: counts"]);
    assert_eq!(titles("DEF=1,SM=0,XM=0").iter().filter(|title| title.starts_with("SM") || title.starts_with("XM")).count(), 0);
    let text = Setup::formatted(&file, "SM=3 KE=1 XM=1 LD=1 PG=1 TR=1 PA=1 ME=1 DU=1");
    for wanted in [
        "TITLE:      ALL OF IT",
        "CALLER:     TEST",
        "EUDSA",
        "MARKMARKMARKMARK",
        "DU02",
        "DUSYS",
        "PERFORM DUMP",
        "APPLID=DUMPS",
        "COMPONEN",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn transaction_dumps_are_taken_up_to_the_maximum_of_their_code() {
    let _alone = alone();
    program("DU03", "DULIM", "", "MAIN.\n    EXEC CICS ABEND ABCODE('LIMI') END-EXEC.");
    entry(TableKind::Transaction, "LIMI", Actions { maximum: 2, ..actions(TableKind::Transaction) });
    for number in 1..=3 {
        let lines = failed("DU03");
        let has_dump = message(&lines, "DFHAP1201").contains("Dump: ");
        assert_eq!(has_dump, number <= 2, "abend {number}: {lines:#?}");
        assert_eq!(lines.iter().any(|line| line.starts_with("DFHDU0203")), number <= 2, "abend {number}: {lines:#?}");
    }
    let entry = DumpTables::of(setup().region).find(TableKind::Transaction, Name8::new("LIMI")).unwrap();
    assert_eq!((entry.current, entry.counts.transaction_taken, entry.counts.transaction_suppressed), (3, 2, 1));
}

#[test]
fn options_of_a_code_decide_about_both_dumps() {
    let _alone = alone();
    program("DU04", "DUOPT", "", "MAIN.\n    EXEC CICS ABEND ABCODE('OPTI') END-EXEC.");
    entry(TableKind::Transaction, "OPTI", Actions { transaction_dump: false, system_dump: true, ..actions(TableKind::Transaction) });
    let lines = failed("DU04");
    assert!(!message(&lines, "DFHAP1201").contains("Dump: "), "{lines:#?}");
    assert!(message(&lines, "DFHDU0201").contains("Dumpcode: OPTI"));
    let [file] = system_dumps("OPTI").try_into().expect("one file");
    std::fs::remove_file(file).unwrap();
    // A system dump code that takes none is told, and the transaction dump is taken nevertheless.
    entry(TableKind::System, "SR0001", Actions { system_dump: false, ..actions(TableKind::System) });
    program("DU05", "DUNOSR", BAD_DATA, BAD_ADDITION);
    let lines = failed("DU05");
    assert!(message(&lines, "DFHDU0205").contains("SR0001"), "{lines:#?}");
    assert!(message(&lines, "DFHAP1201").contains("Dump: "), "{lines:#?}");
    assert!(system_dumps("SR0001").is_empty());
}

#[test]
fn no_dump_is_taken_with_nodump_or_without_a_code() {
    let _alone = alone();
    for (transid, name, options) in [("DU06", "DUNOD", "ABCODE('NODU') NODUMP"), ("DU07", "DUNOC", "CANCEL")] {
        program(transid, name, "", &format!("MAIN.\n    EXEC CICS ABEND {options} END-EXEC."));
        let lines = failed(transid);
        assert!(!lines.iter().any(|line| line.contains("DFHDU02") || line.contains("Dump: ")), "{lines:#?}");
    }
    assert!(DumpTables::of(setup().region).find(TableKind::Transaction, Name8::new("NODU")).is_none());
}

#[test]
fn a_full_data_set_is_switched_if_it_may_be() {
    let _alone = alone();
    let region = setup().region;
    let data_sets = DataSets::of(region);
    let storage = "01  WS-BIG PIC X(60000).\n01  WS-P POINTER.";
    let procedure = "MAIN.\n    EXEC CICS GETMAIN SET(WS-P) FLENGTH(700000)\n     INITIMG(WS-BIG(1:1)) END-EXEC.\n    EXEC CICS ABEND ABCODE('FULL') END-EXEC.";
    program("DU08", "DUFULL", storage, procedure);
    data_sets.set(region, None, Some(Switching::Next), &ThreadWaiter::new()).unwrap();
    let first = data_sets.current();
    let switched = (0..6).map(|_| failed("DU08")).find(|lines| lines.iter().any(|line| line.starts_with("DFHDU0305")));
    let lines = switched.expect("the data set is full after a few dumps");
    assert!(message(&lines, "DFHAP1201").contains("Dump: regent dump"), "{lines:#?}");
    assert!(data_sets.current() != first && data_sets.switching() == Switching::No && data_sets.is_open());
    for kept in ["DFHDMPA", "DFHDMPB"] {
        let text = Setup::formatted(&directory().join(kept), "INDEX");
        assert!(text.contains(" FULL "), "{kept}: {text}");
    }
    // It was switched once; then it is closed, and dumps are not taken.
    let closed = (0..6).map(|_| failed("DU08")).find(|lines| lines.iter().any(|line| line.starts_with("DFHDU0303")));
    let lines = closed.expect("the other data set is full, too");
    assert!(message(&lines, "DFHAP1201").contains("was not taken:") && !data_sets.is_open(), "{lines:#?}");
    assert!(message(&failed("DU08"), "DFHAP1201").contains("was not taken: the dump data set is not open"));
    data_sets.open(region).unwrap();
    assert!(message(&failed("DU08"), "DFHAP1201").contains("Dump: regent dump"));
    let text = Setup::formatted(&directory().join(format!("DFHDMP{}", data_sets.current().letter())), "INDEX");
    assert_eq!(text.lines().count(), 1, "what it had is lost: {text}");
    // For the tests that come.
    data_sets.set(region, None, Some(Switching::All), &ThreadWaiter::new()).unwrap();
}

/// 100 MB of storage are dumped. While the file is written the program that waits for it does not keep others from running.
#[test]
fn others_run_while_a_dump_is_written() {
    let _alone = alone();
    big_program("DU09", "DUBIG", "HUNDRED");
    let ticker = "MAIN.\n    PERFORM 400 TIMES\n      EXEC CICS DELAY FOR MILLISECS(1) END-EXEC\n      EXEC CICS WRITE OPERATOR TEXT('TICK') END-EXEC\n    END-PERFORM.\n    EXEC CICS ABEND ABCODE('DONE') NODUMP END-EXEC.";
    program("DU10", "DUTICK", "", ticker);
    let before = setup().lines().len();
    setup().attach("DU10");
    setup().attach("DU09");
    let ended = |transid: &str| setup().lines()[before..].iter().any(|line| line.starts_with("DFHAC2206") && line.contains(transid));
    testing::eventually("both ended", || ended("DU09") && ended("DU10"));
    let lines = setup().lines().split_off(before);
    let at = |id: &str| lines.iter().position(|line| line.starts_with(id) && line.contains("HUNDRED")).unwrap_or_else(|| panic!("{id}"));
    let ticks = lines[at("DFHDU0201")..at("DFHDU0202")].iter().filter(|line| line.contains("TICK")).count();
    let [file] = system_dumps("HUNDRED").try_into().expect("one file");
    assert!(std::fs::metadata(&file).unwrap().len() > 100 << 20);
    let summary = Setup::formatted(&file, "DEF=0");
    assert!(ticks >= 5, "{ticks} ticks while the dump was written\n{summary}");
    println!("{ticks} ticks; {}", summary.lines().find(|line| line.contains("COPIED IN")).unwrap());
    std::fs::remove_file(file).unwrap();
}

/// Holds 100 MB and takes a system dump.
fn big_program(transid: &str, name: &str, code: &str) {
    let procedure = format!(
        "MAIN.\n    PERFORM 10 TIMES\n      EXEC CICS GETMAIN SET(WS-P) FLENGTH(10485760)\n       INITIMG(WS-BYTE) END-EXEC\n    END-PERFORM.\n    EXEC CICS PERFORM DUMP DUMPCODE('{code}') END-EXEC.\n    EXEC CICS ABEND ABCODE('DONE') NODUMP END-EXEC."
    );
    program(transid, name, "01  WS-P POINTER.\n01  WS-BYTE PIC X VALUE 'X'.", &procedure);
}

#[test]
fn a_second_system_dump_is_refused_while_one_is_taken() {
    let _alone = alone();
    big_program("DU11", "DUBUSY", "BUSY1");
    let storage = "01  WS-TEXT.\n    05  FILLER PIC X(9) VALUE 'ANSWERED '.\n    05  WS-RESP PIC 9(4).\n    05  WS-RESP2 PIC 9(4).\n01  R1 PIC S9(8) COMP.\n01  R2 PIC S9(8) COMP.";
    let procedure = "MAIN.\n    EXEC CICS PERFORM DUMP DUMPCODE('BUSY2') RESP(R1)\n     RESP2(R2) END-EXEC.\n    MOVE R1 TO WS-RESP. MOVE R2 TO WS-RESP2.\n    EXEC CICS WRITE OPERATOR TEXT(WS-TEXT) END-EXEC.\n    EXEC CICS ABEND ABCODE('DONE') NODUMP END-EXEC.";
    program("DU12", "DUREFUS", storage, procedure);
    let before = setup().lines().len();
    let told = |text: &str| setup().lines()[before..].iter().any(|line| line.contains(text));
    setup().attach("DU11");
    testing::eventually("the first has begun", || told("Dumpcode: BUSY1"));
    setup().attach("DU12");
    testing::eventually("the second is answered", || told("ANSWERED "));
    // SYSBUSY is 59.
    assert!(told("ANSWERED 00590008"), "{:#?}", setup().lines().split_off(before));
    testing::eventually("the first has ended", || told("Transaction DU11 "));
    system_dumps("BUSY1").iter().for_each(|file| std::fs::remove_file(file).unwrap());
}

/// DAE suppresses what has been dumped, not what has only been asked for.
#[test]
fn a_dump_that_failed_is_no_duplicate_for_the_next() {
    let _alone = alone();
    entry(TableKind::System, "ONCE", Actions { dae: true, ..actions(TableKind::System) });
    let storage = "01  WS-TEXT.\n    05  FILLER PIC X(5) VALUE 'ONCE '.\n    05  WS-RESP PIC 9(4).\n01  R1 PIC S9(8) COMP.";
    let procedure = "MAIN.\n    EXEC CICS PERFORM DUMP DUMPCODE('ONCE') RESP(R1) END-EXEC.\n    MOVE R1 TO WS-RESP.\n    EXEC CICS WRITE OPERATOR TEXT(WS-TEXT) END-EXEC.\n    EXEC CICS ABEND ABCODE('DONE') NODUMP END-EXEC.";
    program("DU15", "DUONCE", storage, procedure);
    let responds = |response: &str| {
        let lines = failed("DU15");
        assert!(lines.iter().any(|line| line.contains(&format!("ONCE {response}"))), "{response}: {lines:#?}");
    };
    // As many files of system dumps as are kept.
    let files: Vec<PathBuf> = (1..=10).map(|number| directory().join(format!("SYSDUMP-0-{number:04}-FULL.dump"))).collect();
    std::fs::create_dir_all(directory()).unwrap();
    files.iter().for_each(|file| std::fs::write(file, []).unwrap());
    responds(NOSPACE);
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    responds(NORMAL);
    responds(SUPPRESSED);
    system_dumps("ONCE").iter().for_each(|file| std::fs::remove_file(file).unwrap());
}

const NORMAL: &str = "0000";
const NOSPACE: &str = "0018";
const SUPPRESSED: &str = "0072";

#[test]
fn a_dump_of_a_parent_tells_of_its_children() {
    let _alone = alone();
    program("DU14", "DUCHILD", "", "MAIN.\n    EXEC CICS DELAY FOR MILLISECS(300) END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    let parent = "MAIN.\n    EXEC CICS RUN TRANSID('DU14') CHILD(WS-TOKEN) END-EXEC.\n    EXEC CICS ABEND ABCODE('PARE') END-EXEC.";
    program("DU13", "DUPAREN", "01  WS-TOKEN PIC X(16).", parent);
    let dump = Setup::dump_of(message(&failed("DU13"), "DFHAP1201"));
    let (_, summary) = dump.split_once("=== AS: ASYNCHRONOUS CHILD SUMMARY").unwrap_or_else(|| panic!("{dump}"));
    assert!(summary.lines().nth(1).is_some_and(|line| line.ends_with("active, not fetched")), "{summary}");
}

#[test]
fn the_default_maximum_is_no_limit() {
    let _alone = alone();
    assert_eq!((actions(TableKind::Transaction).maximum, actions(TableKind::System).maximum), (NO_LIMIT, NO_LIMIT));
}

/// A dump is no larger than the memory that MEMLIMIT leaves: what does not fit is left out, and counted.
#[test]
fn a_system_dump_leaves_out_what_there_is_no_memory_for() {
    let _alone = alone();
    big_program("DU15", "DUMEMORY", "MEMORY");
    let account = setup().region.store.account();
    let limit = account.limit();
    // 75 of the 100 MB may be copied: a quarter is for changes of data.
    account.set_limit(account.used() + (100 << 20));
    let lines = failed("DU15");
    let used = account.used();
    account.set_limit(limit);
    assert!(message(&lines, "DFHDU0202").contains("complete"), "{lines:#?}");
    let [file] = system_dumps("MEMORY").try_into().expect("one file");
    let bytes = std::fs::metadata(&file).unwrap().len();
    assert!((40 << 20..80 << 20).contains(&bytes), "{bytes}");
    let text = Setup::formatted(&file, "SM=1");
    assert!(text.contains("=== SM: Storage left out") && text.contains("for what MEMLIMIT leaves"), "{text}");
    assert!(used < 10 << 20, "{used} bytes are still reserved");
    std::fs::remove_file(file).unwrap();
}
