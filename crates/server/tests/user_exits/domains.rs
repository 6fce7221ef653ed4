//! The exit points at the gates of the domains: file control, temporary storage, transient data, interval control and dumps.
//!
//! Expected values are from "Global user exit points (by function)" of the CICS reference.

use super::sources::{install, run};
use super::{again, alone, says, setup};
use csd::Definition;

/// XFCFRIN bypasses file control: the record is not read from a file that is not there. XFCFROUT sees the response of the exit program, and of
/// file control itself (FILENOTFOUND is 12).
#[test]
fn xfcfrin_answers_for_file_control_and_xfcfrout_sees_the_response() {
    let _alone = alone();
    let report = run("EXD1", &["EXFCFR", "EXDOM1"]);
    assert_eq!(&report[..4], "0006");
    // Called in and out for each of the three.
    assert_eq!([&report[8..10], &report[16..18], &report[24..26]], ["OK", "NF", "FN"]);
    assert_eq!((&report[34..42], &report[44..50]), ("FROMEXIT", "001312"));
}

/// XTSQRIN and XTSQROUT have the function, the name and the data of a request, inside XTSEREQ.
#[test]
fn xtsqrin_and_xtsqrout_see_requests_of_temporary_storage() {
    let _alone = alone();
    let report = run("EXD2", &["EXTSQR", "EXDOM2"]);
    assert_eq!(&report[..20], "0008IWOWINONIDODIDXD");
    assert_eq!((report[33..41].trim_end(), report[43..59].trim_end()), ("RECORD", "EXTSQQ"));
}

fn queue(name: &str) {
    let queue = Definition::new("TDQUEUE", name, "TEST").with("TYPE", "INTRA").with("ATIFACILITY", "FILE").with("TRIGGERLEVEL", "0");
    setup().region.install(&queue).unwrap();
}

/// XTDREQ ends requests with a normal response or NOTAUTH (70); XTDOUT replaces the record that is written, XTDIN that which is read.
#[test]
fn transient_data_has_its_exits() {
    let _alone = alone();
    queue("EXTD");
    // QIDERR is 44.
    assert_eq!(&run("EXD3", &["EXTDREQ", "EXDOM3"])[..10], "0003007044");
    // The area of the exit program: its data take the place of the others, ten bytes and three.
    let report = run("EXD4", &["EXTDOUT", "EXDOM4"]);
    assert_eq!((&report[..4], report[34..42].trim_end(), &report[54..64]), ("0001", "RECORD", "0000000008"));
    let report = run("EXD5", &["EXTDIN", "EXDOM5"]);
    // What XTDOUT has written is read, and replaced by XTDIN: three bytes in front of the rest of the record.
    assert_eq!((&report[34..42], &report[54..64]), ("LONGERDA", "0000000010"));
    assert_eq!(&report[14..26], "03INXGERDATA");
}

/// XICREQ sees REQID, TRANSID and the interval, and may change them: an hour's DELAY, and a START whose REQID is another than its program gave.
#[test]
fn xicreq_changes_a_request_of_interval_control() {
    let _alone = alone();
    let report = run("EXD6", &["EXICREQ", "EXDOM6"]);
    assert_eq!(&report[..16], "0002EXD6EXRQOLD ");
    // NOTFND is 13.
    assert_eq!(&report[24..28], "1300");
}

/// XDUREQ suppresses the dump of a code: DUMP TRANSACTION raises SUPPRESSED (72), and XDUREQC is told. Another code is dumped.
#[test]
fn xdureq_suppresses_a_dump_and_xdureqc_sees_what_became_of_it() {
    let _alone = alone();
    let report = run("EXD7", &["EXDUREQ", "EXDOM7"]);
    assert_eq!(&report[..10], "0006 S T S");
    assert_eq!(&report[24..32], "72007202");
}

/// XMEOUT suppresses a message by its number; another is put out as ever. DFHAP0700 is that of an exit point which is never called, DFHAP0701 that
/// of a global exit that abends.
#[test]
fn xmeout_suppresses_a_message() {
    let _alone = alone();
    install("EXBADMEO");
    let report = run("EXD8", &["EXMEOUT", "EXDOM8"]);
    // INVEXITREQ is 63.
    assert_eq!(&report[..8], "0001T 63");
    assert!(says(&["DFHAP0701", "MEOA"]));
    assert!(!setup().lines().iter().any(|line| line.contains("DFHAP0700") && line.contains("XALTENF")));
}

/// XXMATT sees the transaction of a task that is attached, and chooses another, whose program runs then.
#[test]
fn xxmatt_chooses_another_transaction() {
    let _alone = alone();
    install("EXXMATT");
    run("EXNW", &["EXDOMNEW"]);
    assert_eq!(run("EXOL", &["EXDOMOLD"]).trim_end(), "EXOL OLD");
    setup().define_transaction("EXNO", "EXDOMOLD");
    run("EXD9", &["EXDOM9"]);
    assert_eq!(attached("EXOL", "EXNW"), "EXNW NEW");
    // A transaction that is not there is not taken.
    assert_eq!(again("EXNO").trim_end(), "EXNO OLD");
    run("EXDA", &["EXDOMA"]);
    assert_eq!(again("EXOL").trim_end(), "EXOL OLD");
}

/// Attaches one transaction and takes the report of another.
fn attached(transid: &str, reports: &str) -> String {
    let reports = setup().reports_of(reports);
    setup().attach(transid);
    setup().report_in(&reports).trim_end().to_string()
}
