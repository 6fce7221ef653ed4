//! INVOKE APPLICATION: which version it runs, and each of its conditions. EIBFN of the command is X'0E10', which is 3600.

use crate::support::{application, invoked, open, response_of, set_bundle, setup};
use std::sync::Once;

const NORMAL: &str = "0000000003600";

/// Versions 1.0.0, 1.1.0, 1.1.2 and 2.0.0 of an application are available at once.
fn versions() {
    static VERSIONS: Once = Once::new();
    VERSIONS.call_once(|| {
        for (at, version) in [[1, 0, 0], [1, 1, 0], [1, 1, 2], [2, 0, 0]].into_iter().enumerate() {
            application(&format!("PAY{at}"), "payroll", version, "INVENTRY", "INVSUB");
            open(&format!("VA0{at}"), &format!("PAY{at}"));
        }
    });
}

fn payroll(transid: &str, options: &str) -> String {
    versions();
    invoked(
        transid,
        &format!("IV{transid}"),
        &format!("INVOKE APPLICATION('payroll') PLATFORM('plat')\n       OPERATION('browse') {options}"),
    )
}

const EXACT: &str =
    "INVOKE APPLICATION('payroll') PLATFORM('plat')\n       OPERATION('browse') MAJORVERSION(1) MINORVERSION(1)\n       EXACTMATCH";
const MINIMUM: &str =
    "INVOKE APPLICATION('payroll') PLATFORM('plat')\n       OPERATION('browse') MAJORVERSION(1) MINORVERSION(0)\n       MINIMUM";

#[test]
fn the_highest_version_runs_unless_one_is_asked_for() {
    assert_eq!(payroll("VI01", ""), format!("{NORMAL}payroll plat browse  2 0 0v200"));
    assert_eq!(payroll("VI02", "MAJORVERSION(1) MINORVERSION(0)"), format!("{NORMAL}payroll plat browse  1 0 0v100"));
    assert_eq!(invoked("VI03", "IVVI03", EXACT), format!("{NORMAL}payroll plat browse  1 1 2v112"));
    assert_eq!(invoked("VI04", "IVVI04", MINIMUM), format!("{NORMAL}payroll plat browse  1 1 2v112"));
    assert_eq!(payroll("VI05", "MAJORVERSION(2) MINORVERSION(0)\n       MINIMUM"), format!("{NORMAL}payroll plat browse  2 0 0v200"));
}

#[test]
fn each_condition_says_what_there_is_not() {
    versions();
    let not_found = |resp2: u32| format!("0127{resp2:04}03600{:30}", "");
    let of = |transid: &str, options: &str| invoked(transid, &format!("IV{transid}"), options);
    assert_eq!(of("VC01", "INVOKE APPLICATION('payroll')\n       OPERATION('browse')"), not_found(1), "no current platform");
    assert_eq!(of("VC02", "INVOKE APPLICATION('nothing') PLATFORM('plat')\n       OPERATION('browse')"), not_found(2));
    assert_eq!(of("VC03", "INVOKE APPLICATION('payroll') PLATFORM('Plat')\n       OPERATION('browse')"), not_found(2));
    assert_eq!(
        of("VC04", "INVOKE APPLICATION('payroll') PLATFORM('plat')\n       OPERATION('BROWSE')"),
        not_found(3),
        "names are case sensitive"
    );
    assert_eq!(payroll("VC05", "MAJORVERSION(1) MINORVERSION(2)"), not_found(4));
    assert_eq!(payroll("VC06", "MAJORVERSION(1) MINORVERSION(2)\n       MINIMUM"), not_found(4));
    assert_eq!(payroll("VC07", "MAJORVERSION(3) MINORVERSION(0)\n       MINIMUM"), not_found(4));
    let negative = payroll("VC08", "MAJORVERSION(WS-MINUS) MINORVERSION(0)");
    assert!(negative.starts_with("0016000103600"), "{negative}");
    let length = "INVOKE APPLICATION('payroll') PLATFORM('plat')\n       OPERATION('browse') LENGTH(-1)";
    assert!(of("VC09", length).starts_with("0022001103600"), "LENGERR 11");
    let channel = "    EXEC CICS INVOKE APPLICATION('payroll') PLATFORM('plat')\n       OPERATION('browse') CHANNEL('A B')\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.";
    assert_eq!(response_of("VC10", "IVVC10", channel), "01220001", "CHANNELERR");
}

/// EXEC CICS LINK sees the entry points of the highest available version only, and that changes with its status.
#[test]
fn link_runs_the_highest_available_version() {
    for (at, version) in [[1, 0, 0], [1, 1, 0]].into_iter().enumerate() {
        application(&format!("LNK{at}"), "linked", version, "LNKENTRY", "LNKSUB");
    }
    let link = |transid: &str| {
        let statements = "    EXEC CICS LINK PROGRAM('LNKENTRY') COMMAREA(WS-AREA)\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.\n    MOVE WS-AREA(24:1) TO WS-AREA(1:1).\n    IF WS-AREA(24:1) = '1' ADD 1000 TO WS-RESP.\n    IF WS-AREA(22:1) = '1' ADD 100 TO WS-RESP.";
        response_of(transid, &format!("LK{transid}"), statements)
    };
    assert_eq!(link("VL01"), "00270001", "PGMIDERR: the entry point is private to applications that are not available");
    open("VLO1", "LNK0");
    assert_eq!(link("VL02"), "01000000", "1.0.0");
    open("VLO2", "LNK1");
    assert_eq!(link("VL03"), "11000000", "1.1.0");
    assert_eq!(set_bundle("VLS1", "LNK1", "UNAVAILABLE"), "00000000");
    assert_eq!(link("VL04"), "01000000", "1.0.0 again");
    let private = "    EXEC CICS LINK PROGRAM('LNKSUB') COMMAREA(WS-AREA)\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.";
    assert_eq!(response_of("VL05", "LKVL05", private), "00270001", "what is no entry point stays private");
    let lines = setup().lines();
    assert!(lines.iter().any(|line| line.contains("DFHRL0132") && line.contains("LNK1 is unavailable")), "{lines:#?}");
}

/// An entry point that is disabled with its program is PGMIDERR 2, as for LINK.
#[test]
fn a_disabled_entry_point_is_not_run() {
    use crate::support::{Part, install};
    setup().define_program("DISENTRY", &[("STATUS", "DISABLED")]);
    let scope = "cicsapplication://plat/disabled/1/0/0";
    install("DIS0", scope, &[Part::Entry("PROGRAM", "DISENTRY", "browse")]).unwrap();
    open("VDO1", "DIS0");
    let found = invoked("VD01", "IVVD01", "INVOKE APPLICATION('disabled') PLATFORM('plat')\n       OPERATION('browse')");
    assert!(found.starts_with("0027000203600"), "{found}");
}
