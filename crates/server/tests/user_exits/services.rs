//! The exit points of statistics, interval control, the loader, dumps and messages, with programs in files.
//!
//! Expected values are from "Global user exit points (by function)" of the CICS reference.

use super::sources::{install, run};
use super::{again, alone, setup};
use csd::Definition;
use region::name::{Name4, Name8};
use std::sync::atomic::Ordering;

fn statistics() -> String {
    let path = setup().region.data_directory.join("statistics").join("DFHSTATS");
    std::fs::read_to_string(path).unwrap_or_default()
}

/// XSTOUT has requested records with the task that has asked for them, and UERCBYP keeps them from being written.
#[test]
fn xstout_sees_statistics_and_suppresses_them() {
    let _alone = alone();
    let report = run("EXDS", &["EXSTOUT", "STOUT"]);
    // REQ, the transaction, the beginning of a record, digits in date and time, no interval.
    assert_eq!((&report[..4], &report[4..19]), ("0001", "REQEXDS{N000000"));
    assert!(report[19..25].parse::<u32>().unwrap() > 100, "{report}");
    assert!(!statistics().contains("\"REQ\""));
    // Without the exit program they are written.
    setup().compile("STATSREQ", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS PERFORM STATISTICS RECORD STATS END-EXEC.\n    GOBACK.");
    super::define("STATSREQ");
    setup().define_transaction("EXDT", "STATSREQ");
    super::wait_for_end(setup().attach("EXDT"));
    assert!(statistics().contains("\"REQ\""));
}

/// XICEXP is called for a DELAY, a POST and a START whose time has come.
#[test]
fn xicexp_is_called_at_the_end_of_an_interval() {
    let _alone = alone();
    install("NOTHING");
    setup().define_transaction("EXD0", "NOTHING");
    let report = run("EXDX", &["EXICEXP", "ICEXP"]);
    assert_eq!(report.trim_end(), "0003EXICDLAY    EXICPOST    EXICSTRTEXD0");
}

/// XTSPTIN and XTSPTOUT see the data of a START when it is kept, dropped and retrieved.
#[test]
fn xtsptin_and_xtsptout_see_the_data_of_start() {
    let _alone = alone();
    install("NOTHING");
    install("TSPTGET");
    setup().define_transaction("EXD0", "NOTHING");
    setup().define_transaction("EXDB", "TSPTGET");
    let report = run("EXDY", &["EXTSPT", "TSPT"]);
    // START gives the data to PUT and RETRIEVE takes them from GET; CANCEL releases them.
    let calls = ["IPRECO", "OPRECO", "IR    ", "OR    ", "IPRECO", "OPRECO", "IG    ", "OGRECO"];
    assert_eq!(report[4..52], calls.concat());
    assert_eq!(&report[..4], "0008");
}

/// A program is loaded at its first use, and its copy is given up by NEWCOPY, which loads another, and by DISCARD. LOAD gives it an address.
#[test]
fn xldload_and_xldelete_see_programs_come_and_go() {
    let _alone = alone();
    for program in ["LDPR1", "LDPR2"] {
        setup().compile(program, "01 WS-X PIC X(200) VALUE 'X'.", "", "MAIN.\n    GOBACK.");
        super::define(program);
    }
    let report = run("EXDC", &["EXLOADER", "LOADER"]);
    assert_eq!(report.trim_end(), "0006L1 D1 L1 L2AD2AD1");
}

/// XDUOUT sees each section of a dump and suppresses one; for a data set that is closed it is told so, and that the dump has failed.
#[test]
fn xduout_suppresses_a_section() {
    let _alone = alone();
    let report = run("EXDE", &["EXDUMP", "DUMPOUT"]);
    assert!(report[..4].parse::<u32>().unwrap() > 6, "{report}");
    assert_eq!(&report[4..7], "WDA");
    let path = setup().region.data_directory.join("dumps").join("DFHDMPA");
    let path = if path.exists() { path } else { path.with_file_name("DFHDMPB") };
    let text = super::cobol_support::Setup::formatted(&path, "AP");
    assert!(!text.contains("EXEC interface block"), "{text}");
}

/// XDUCLSE is told the DD name and the name of the data set, once; UERCSWCH sets SWITCHNEXT.
#[test]
fn xduclse_is_called_when_a_data_set_is_closed() {
    let _alone = alone();
    let report = run("EXDU", &["EXDUCLSE", "DUMPCLSE"]);
    assert_eq!(&report[..4], "0001");
    assert_eq!((&report[4..10], &report[13..19], &report[23..27]), ("DFHDMP", "DFHDMP", "NEXT"));
}

/// XDUREQ sees the entry of the dump table and changes it: the second dump is not taken. SUPPRESSED is 72.
#[test]
fn xdureq_changes_the_dump_table() {
    let _alone = alone();
    let report = run("EXDF", &["EXDUTAB", "DUMPTAB"]);
    assert_eq!((&report[..4], &report[4..12], &report[13..20]), ("0002", "DEFAULTS", "COUNTED"));
    assert_eq!(report[23..].trim_end(), "007207NORELATED");
}

/// XMEOUT sends a message of the console to two queues, and a message of CSMT to another queue.
#[test]
fn xmeout_reroutes_messages() {
    let _alone = alone();
    for name in ["EXM1", "EXM2"] {
        let queue = Definition::new("TDQUEUE", name, "TEST").with("TYPE", "INTRA").with("ATIFACILITY", "FILE").with("TRIGGERLEVEL", "0");
        setup().region.install(&queue).unwrap();
    }
    install("EXABENDS");
    let report = run("EXMR", &["EXREROUT", "REROUTE"]);
    assert_eq!(&report[..4], "0002");
    assert_eq!((&report[4..11], &report[13..17], &report[18..23]), ("CONSOLE", "CSMT", "QUEUE"));
    assert_eq!(report[24..43].trim_end(), "DFHAP0701+DFHDU0203");
    assert!(!setup().lines().iter().any(|line| line.contains("DFHAP0701") && line.contains("MEOB")));
}

/// The task that calls exit programs fails: what has been given to it meanwhile is done all the same.
#[test]
fn a_failure_of_the_task_that_calls_exit_programs_loses_no_message() {
    let _alone = alone();
    install("EXMEOUT");
    let report = "01 WS-REPORT PIC X.";
    let enable = "MAIN.\n    EXEC CICS ENABLE PROGRAM('EXMEOUT') EXIT('XMEOUT')\n       GALENGTH(64) START END-EXEC.";
    super::run("EXMX", "EXMEON", report, "", enable);
    setup().region.at_exit_point(exec::exit_point::XMEOUT, |task| assert!(task.is_none(), "the test ends the task"));
    setup().region.messages.send("DFHWTO000", &[("text", "AFTER THE FAILURE")]);
    let is_told = super::says(&["DFHWTO000", "AFTER THE FAILURE"]);
    super::run("EXMY", "EXMEOFF", report, "", "MAIN.\n    EXEC CICS DISABLE PROGRAM('EXMEOUT') EXITALL END-EXEC.");
    assert!(is_told);
}

/// The task of the region cannot run its program: intervals end without it. When it can, it is called again.
#[test]
fn intervals_end_without_the_task_that_calls_exit_programs() {
    let _alone = alone();
    install("NOTHING");
    setup().define_transaction("EXD0", "NOTHING");
    let region = setup().region;
    let attaches = || region.transactions().find(Name4::new("EXD0")).unwrap().attaches.load(Ordering::SeqCst);
    let program = region.programs().find(Name8::new("DFHAPATT")).unwrap();
    let before = attaches();
    program.change(|definition| definition.enabled = false);
    let report = run("EXDW", &["EXICEXP", "ICEXP"]);
    program.change(|definition| definition.enabled = true);
    // The DELAY has a task of its own.
    assert_eq!(report.trim_end(), "0001EXICDLAY");
    assert_eq!(attaches(), before + 1, "the START is carried out");
    assert_eq!(again("EXDW").trim_end(), "0003EXICDLAY    EXICPOST    EXICSTRTEXD0");
}
