//! SET BUNDLE AVAILABLE and UNAVAILABLE: the order of the states, and what cannot be opened.

use crate::support::{Part, application, install, invoked, open, reported_after, set_bundle, setup};

fn status(transid: &str, bundle: &str) -> String {
    let statement = format!(
        "    EXEC CICS INQUIRE BUNDLE('{bundle}') AVAILSTATUS(WS-A)\n       ENABLESTATUS(WS-E) END-EXEC.\n    MOVE '??' TO WS-REPORT.\n    IF WS-A = DFHVALUE(AVAILABLE) MOVE 'A' TO WS-REPORT(1:1).\n    IF WS-A = DFHVALUE(UNAVAILABLE) MOVE 'U' TO WS-REPORT(1:1).\n    IF WS-A = DFHVALUE(NONE) MOVE 'N' TO WS-REPORT(1:1).\n    IF WS-E = DFHVALUE(ENABLED) MOVE 'E' TO WS-REPORT(2:1).\n    IF WS-E = DFHVALUE(DISABLED) MOVE 'D' TO WS-REPORT(2:1)."
    );
    reported_after(transid, &format!("IQ{transid}"), "01 WS-A PIC S9(8) COMP.\n01 WS-E PIC S9(8) COMP.\n01 WS-REPORT PIC X(2).", &statement)
}

#[test]
fn a_bundle_is_enabled_then_available_and_unavailable_then_disabled() {
    application("AVL0", "avail", [1, 0, 0], "AVLENTRY", "AVLSUB");
    let invoke = |transid: &str| {
        invoked(transid, &format!("IV{transid}"), "INVOKE APPLICATION('avail') PLATFORM('plat')\n       OPERATION('browse')")[..8]
            .to_string()
    };
    assert_eq!(status("AV01", "AVL0"), "UE");
    assert_eq!(invoke("AV02"), "01270002");
    assert_eq!(set_bundle("AV03", "AVL0", "DISABLED"), "00000000");
    assert_eq!(set_bundle("AV04", "AVL0", "AVAILABLE"), "00160016", "it is disabled");
    assert_eq!(set_bundle("AV05", "AVL0", "ENABLED"), "00000000");
    open("AV06", "AVL0");
    assert_eq!((status("AV07", "AVL0").as_str(), invoke("AV08").as_str()), ("AE", "00000000"));
    assert_eq!(set_bundle("AV09", "AVL0", "DISABLED"), "00160017", "users have access");
    assert_eq!(set_bundle("AV10", "AVL0", "AVAILABLE"), "00000000", "again, which changes nothing");
    assert_eq!(set_bundle("AV11", "AVL0", "UNAVAILABLE"), "00000000");
    assert_eq!((status("AV12", "AVL0").as_str(), invoke("AV13").as_str()), ("UE", "01270002"));
    assert_eq!(set_bundle("AV14", "AVL0", "DISABLED"), "00000000");
    let discard = "    EXEC CICS DISCARD BUNDLE('AVL0') RESP(WS-RESP)\n       RESP2(WS-RESP2) END-EXEC.";
    assert_eq!(crate::support::response_of("AV15", "DSAV15", discard), "00000000");
    application("AVL0", "avail", [1, 0, 0], "AVLENTRY", "AVLSUB");
    open("AV16", "AVL0");
    assert_eq!(invoke("AV17"), "00000000", "it is installed anew");
}

#[test]
fn what_cannot_be_opened_is_named() {
    install("AVN0", "", &[]).unwrap();
    assert_eq!(status("AV20", "AVN0"), "NE");
    assert_eq!(set_bundle("AV21", "AVN0", "AVAILABLE"), "00160014", "it has no entry points");
    let parts = [Part::Entry("TRANSACTION", "AVNO", "one"), Part::Entry("PROGRAM", "AVNOPROG", "two")];
    install("AVN1", "cicsapplication://plat/missing/1/0/0", &parts).unwrap();
    setup().define_transaction("AVNO", "NOTTHERE");
    assert_eq!(set_bundle("AV22", "AVN1", "AVAILABLE"), "00160012");
    let lines = setup().lines();
    assert!(lines.iter().any(|line| line.contains("DFHRL0133") && line.contains("PROGRAM AVNOPROG")), "{lines:#?}");
    assert_eq!(status("AV23", "AVN1"), "UE");
    let transaction = setup().region.transactions().find(region::name::Name4::new("AVNO")).unwrap();
    assert!(transaction.entry_point().is_none(), "those that were opened before it are closed again");
    install("AVN2", "cicsapplication://plat/missing", &[]).unwrap_err();
}

/// The program and the transaction of an entry point of another bundle are taken.
#[test]
fn a_resource_is_an_entry_point_once() {
    setup().compile("ONCE", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    setup().define_program("ONCE", &[]);
    for (name, operation) in [("AVO0", "first"), ("AVO1", "second")] {
        install(name, "cicsapplication://plat/once/1/0/0", &[Part::Entry("PROGRAM", "ONCE", operation)]).unwrap();
    }
    open("AV30", "AVO0");
    assert_eq!(set_bundle("AV31", "AVO1", "AVAILABLE"), "00160012");
    assert_eq!(set_bundle("AV32", "AVO0", "UNAVAILABLE"), "00000000");
    open("AV33", "AVO1");
    install("AVO2", "cicsapplication://plat/once/1/0/0", &[Part::Entry("PROGRAM", "OTHER", "second")]).unwrap();
    let lines = setup().lines();
    assert!(
        lines.iter().any(|line| line.contains("DFHRL0110") && line.contains("operation second has an entry point already")),
        "{lines:#?}"
    );
}
