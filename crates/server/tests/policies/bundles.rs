//! The commands of bundles: what INQUIRE shows, what SET and DISCARD change, and what cannot be installed.

use crate::support::{REPORT, bundle, install, limit, policy, program, reported, setup};

fn rules(transid: &str) -> String {
    policy(&limit("r", transid, ("programrequest", "programRequestCondition", "link"), (1_000, ""), "<message/>"))
}

const INQUIRE: &str = "01 WS-RESP PIC S9(8) COMP.\n01 WS-E PIC S9(8) COMP.\n01 WS-P PIC S9(8) COMP.\n01 WS-T PIC S9(8) COMP.\n01 WS-C PIC S9(8) COMP.\n01 WS-MAJ PIC S9(8) COMP.\n01 WS-MIN PIC S9(8) COMP.\n01 WS-MIC PIC S9(8) COMP.\n01 WS-ID PIC X(64).\n01 WS-REPORT.\n   05 R-R PIC 9(4).\n   05 R-R2 PIC 9(4).\n   05 R-FN PIC 9(5).\n   05 R-E PIC X(1).\n   05 R-P PIC 9(2).\n   05 R-T PIC 9(2).\n   05 R-C PIC 9(2).\n   05 R-V PIC 9(3).\n   05 R-ID PIC X(8).\n01 WS-FN PIC S9(4) COMP.\n01 WS-FNX REDEFINES WS-FN PIC X(2).";

fn inquire(transid: &str, program_name: &str, bundle: &str, before: &str) -> String {
    let procedure = format!(
        "MAIN.\n{before}    EXEC CICS INQUIRE BUNDLE('{bundle}') ENABLESTATUS(WS-E)\n       PARTCOUNT(WS-P) TARGETCOUNT(WS-T) ENABLEDCOUNT(WS-C)\n       MAJORVERSION(WS-MAJ) MINORVERSION(WS-MIN)\n       MICROVERSION(WS-MIC) BUNDLEID(WS-ID) RESP(WS-RESP)\n       END-EXEC.\n    MOVE WS-RESP TO R-R.\n    MOVE EIBRESP2 TO R-R2.\n    MOVE WS-P TO R-P.\n    MOVE WS-T TO R-T.\n    MOVE WS-C TO R-C.\n    COMPUTE R-V = WS-MAJ * 100 + WS-MIN * 10 + WS-MIC.\n    MOVE WS-ID TO R-ID.\n    MOVE '?' TO R-E.\n    IF WS-E = DFHVALUE(ENABLED) MOVE 'E' TO R-E.\n    IF WS-E = DFHVALUE(DISABLED) MOVE 'D' TO R-E.\n    MOVE ZERO TO R-FN.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
    );
    program(transid, program_name, INQUIRE, &procedure);
    reported(transid)
}

#[test]
fn a_bundle_shows_its_state_and_is_disabled_and_discarded_with_its_parts() {
    let directory = bundle(
        "BND1",
        &[
            ("POLICY", "P1", "P1.policy", &rules("NON1")),
            ("PROGRAM", "BNDPROG", "BNDPROG.program", "<cicsdefinitionprogram name=\"BNDPROG\" description=\"of a bundle\"/>"),
        ],
    );
    install("BND1", &directory, "ENABLED").unwrap();
    assert_eq!(inquire("BI01", "BINQ01", "BND1", ""), "0000000000000E020202123BND1.id ");
    assert!(setup().region.installed.read().get("PROGRAM", "BNDPROG").is_some());
    assert!(install("BND1", &directory, "ENABLED").unwrap_err().contains("already installed"));
    let discard = "    EXEC CICS DISCARD BUNDLE('BND1') RESP(WS-RESP)\n       END-EXEC.\n    IF WS-RESP = DFHRESP(INVREQ) AND EIBRESP2 = 6\n       EXEC CICS SET BUNDLE('BND1') DISABLED END-EXEC.\n";
    assert_eq!(inquire("BI02", "BINQ02", "BND1", discard), "0000000000000D020200123BND1.id ");
    let discard = "    EXEC CICS DISCARD BUNDLE('BND1') END-EXEC.\n";
    assert!(inquire("BI03", "BINQ03", "BND1", discard).starts_with("00130003"), "NOTFND, RESP2 3");
    assert!(setup().region.installed.read().get("PROGRAM", "BNDPROG").is_none());
}

#[test]
fn a_part_that_cannot_be_created_leaves_the_bundle_disabled() {
    let directory = bundle(
        "BND2",
        &[("POLICY", "P2", "P2.policy", &rules("NON2")), ("URIMAP", "U1", "U1.urimap", "<cicsdefinitionurimap name=\"U1\"/>")],
    );
    install("BND2", &directory, "ENABLED").unwrap();
    assert_eq!(inquire("BI04", "BINQ04", "BND2", ""), "0000000000000D020200123BND2.id ");
    let lines = setup().lines();
    assert!(lines.iter().any(|line| line.starts_with("DFHRL0110") && line.contains("resource type URIMAP is not available")), "{lines:#?}");
    let enable = "    EXEC CICS SET BUNDLE('BND2') ENABLED RESP(WS-RESP)\n       END-EXEC.\n    IF EIBRESP2 NOT = 12 MOVE 99 TO WS-P.\n";
    assert!(inquire("BI05", "BINQ05", "BND2", enable).contains('D'));
}

#[test]
fn a_bundle_without_a_readable_manifest_is_not_installed() {
    let directory = bundle("BND3", &[]);
    std::fs::write(directory.join("META-INF/cics.xml"), "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>").unwrap();
    let fault = install("BND3", &directory, "ENABLED").unwrap_err();
    assert!(fault.contains("DTD") && fault.starts_with(&directory.display().to_string()), "the file is named: {fault}");
    std::fs::remove_file(directory.join("META-INF/cics.xml")).unwrap();
    assert!(install("BND3", &directory, "ENABLED").unwrap_err().contains("No such file"));
    assert!(install("BND3", std::path::Path::new("/nowhere"), "ENABLED").unwrap_err().contains("No such file"));
}
