//! XEIIN and XEIOUT, XPCFTCH, XPCTA and XMNOUT.

use super::sources::{install, run};
use super::{again, alone, says, setup};
use std::sync::{Arc, Mutex};

/// XEIIN is called for each command after ENABLE START, the last one DISABLE; for the commands of the exit program itself it is not. What that
/// program does leaves no trace in the EIB: READQ of a queue that is not there would leave QIDERR.
#[test]
fn xeiin_sees_every_command_and_not_its_own() {
    let _alone = alone();
    assert_eq!(run("EX10", &["EXEIIN", "EXTEST10"]).trim_end(), "0004EXTEST10");
}

/// UERCBYP (4) from XEIIN: the command is not executed, and the response is normal.
#[test]
fn xeiin_bypasses_a_command_and_xeiout_sees_it_all_the_same() {
    let _alone = alone();
    assert_eq!(run("EX11", &["EXEIBYP", "EXTEST11"]).trim_end(), format!("0002IO{}QIDERR", " ".repeat(27)));
}

/// XPCFTCH has the name, the level and the communication area of each program that gets control, by LINK and by XCTL.
#[test]
fn xpcftch_is_called_for_each_program() {
    let _alone = alone();
    ["EXCALLED", "EXCALLD2"].into_iter().for_each(install);
    assert_eq!(run("EX12", &["EXPCFTCH", "EXTEST12"]).trim_end(), "0002EXCALLEDCOB24 EXCALLD2COB20");
}

/// XPCTA is called once for an abend, before the handler of a higher level.
#[test]
fn xpcta_sees_an_abend_once() {
    let _alone = alone();
    install("EXABEND");
    assert_eq!(run("EX13", &["EXPCTA", "EXTEST13"]).trim_end(), format!("0001EXABEXABEND {}EXAB", " ".repeat(17)));
}

#[derive(Default)]
struct Records(Mutex<Vec<String>>);

impl region::monitoring::RecordSink for Records {
    fn record(&self, record: &region::monitoring::Record) {
        self.0.lock().unwrap().push(record.transid.to_string());
    }
}

/// XMNOUT sees the record of each task at its end; UERCBYP keeps the record of EX15 from being written. The first entry of the dictionary is that
/// of the transaction identifier.
#[test]
fn xmnout_sees_and_suppresses_monitoring_records() {
    let _alone = alone();
    let records = Arc::new(Records::default());
    setup().region.monitoring().switch(true);
    setup().region.monitoring().add_sink(records.clone());
    run("EX14", &["EXMNOUT", "EXTEST14"]);
    run("EX15", &["EXTEST15"]);
    let report = run("EX16", &["EXTEST16"]);
    setup().region.monitoring().switch(false);
    // The area begins as binary zeros, to which 1 is added as to a zoned zero.
    assert_eq!(&report[4..16], "EX15TRANMANY");
    let written = records.0.lock().unwrap().clone();
    assert!(
        written.contains(&"EX14".to_string()) && written.contains(&"EX16".to_string()) && !written.contains(&"EX15".to_string()),
        "{written:?}"
    );
}

/// The exit programs of a point are called in the order they were enabled; each finds the return code of the one before at UEPCRCA, and the last
/// one decides.
#[test]
fn several_exit_programs_of_a_point_hand_their_return_code_on() {
    let _alone = alone();
    assert_eq!(run("EX17", &["EXFIRST", "EXSECOND", "EXTEST17"]).trim_end(), "0002A0B4");
}

/// DISABLE PROGRAM STOP and START again.
#[test]
fn a_stopped_exit_is_not_called() {
    let _alone = alone();
    // DISABLE, then ASKTIME and the last DISABLE.
    assert_eq!(run("EX18", &["EXSTOP", "EXTEST18"]).trim_end(), "0003");
    assert_eq!(again("EX18").trim_end(), "0003");
}

/// An exit program that tells the operator about each task as it ends.
#[test]
fn xmnout_writes_metrics_to_the_console() {
    let _alone = alone();
    setup().region.monitoring().switch(true);
    run("EX19", &["EXLOGGER", "EXTEST19"]);
    setup().region.monitoring().switch(false);
    run("EX1A", &["EXTEST1A"]);
    assert!(says(&["DFHWTO000", "EX19 HAS METRICS"]));
}

/// XPCHAIR before the label of HANDLE ABEND, XPCABND for the abend that ends the task: UERCBYP suppresses its dump.
#[test]
fn xpchair_and_xpcabnd_are_called_in_their_turn() {
    let _alone = alone();
    run("EX1B", &["EXABNDS", "EXTEST1B"]);
    assert_eq!(run("EX1C", &["EXTEST1C"]).trim_end(), "0004THTA");
    assert!(says(&["DFHAP1201", "ABCODE(END1)"]));
    assert!(!setup().lines().iter().any(|line| line.contains("ABCODE(END1)") && line.contains("Dump")));
}
