//! XFCREQ and XFCREQC: the parameter list of a command, its changes, and the response of a bypassed command.

use super::alone;
use super::sources::{install, run};

/// The exit answers a READ itself: the record, its length, and NOTFND for another key. The file does not even exist.
#[test]
fn xfcreq_answers_for_a_file_that_is_not_there() {
    let _alone = alone();
    assert_eq!(run("EX20", &["EXFCREQ", "EXTEST20"]).trim_end(), "ANSWER  001380C");
}

/// XFCREQ changes the file name in the application's list; XFCREQC gets the token of XFCREQ and changes the response. FILENOTFOUND is 12.
#[test]
fn xfcreq_hands_its_token_to_xfcreqc_which_changes_the_response() {
    let _alone = alone();
    assert_eq!(run("EX21", &["EXFCTOK", "EXTEST21"]).trim_end(), format!("0002TOKNNOFILE  12{}20", " ".repeat(5)));
}

/// XTSEREQ puts another queue name in place of the application's, and a shorter LENGTH.
#[test]
fn xtsereq_changes_the_arguments_of_a_command() {
    let _alone = alone();
    // QIDERR is 44.
    assert_eq!(run("EX22", &["EXTSEREQ", "EXTEST22"]).trim_end(), "0344");
}

/// XICEREQ sees the interval of a DELAY as packed decimal and makes it zero; XPCREQ and XNQEREQ bypass LINK and ENQ.
#[test]
fn interval_program_and_enqueue_requests_have_exits() {
    let _alone = alone();
    ["EXICEREQ", "EXPCREQ", "EXNQEREQ"].into_iter().for_each(install);
    // ENQBUSY is 55.
    assert_eq!(run("EX23", &["EXTEST23"]).trim_end(), "0055");
}

/// XTDEREQ answers for transient data (QBUSY is 25), and XTDEREQC gets its token and the response.
#[test]
fn xtdereq_answers_for_transient_data_and_xtdereqc_sees_the_response() {
    let _alone = alone();
    assert_eq!(run("EX24", &["EXTDERQ", "EXTEST24"]).trim_end(), "0002TOKN    BUSY       25");
}

/// XEISPIN and XEISPOUT are called for a command of the system programming interface, and not for others; UERCBYP bypasses it.
#[test]
fn xeispin_and_xeispout_see_system_programming_commands_only() {
    let _alone = alone();
    // In and out for INQUIRE SYSTEM, which has not been executed, and for INQUIRE TASK; EXTRACT EXIT and the rest are passed over.
    assert_eq!(run("EX25", &["EXEISPI", "EXTEST25"]).trim_end(), "0004IOIO     00KEY1");
}
