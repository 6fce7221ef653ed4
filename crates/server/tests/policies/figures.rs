//! What is told of rules afterwards: the performance record of the task, and the section of the statistics report.

use crate::bundle_support::adapter;
use crate::events::{LINKER, LINKS};
use crate::support::{REPORT, bundle, install, install_policy, limit, policy, program, reported, run, setup};
use crate::system_rules::{filter, rule};
use region::Performance;
use region::monitoring::{Record, RecordSink};
use region::statistics::report;
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Records(Mutex<Vec<(String, Performance)>>);

impl RecordSink for Records {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().push((record.transid.to_string(), record.counters));
    }
}

#[test]
fn an_action_is_counted_in_the_performance_record_and_the_report() {
    let records = Arc::new(Records::default());
    setup().region.monitoring().add_sink(records.clone());
    setup().region.monitoring().switch(true);
    let of = ("startrequest", "startRequestCondition", "start");
    let disabled = filter("PROGRAM", "EQ", "PLFIGOFF") + &filter("TO_ENABLESTATUS", "EQ", "DISABLED");
    let rules = limit("one", "PFG1", of, (1, ""), "<message/>")
        + &limit("two", "PFG1", of, (2, ""), "<message/>")
        + &limit("never", "PFG1", of, (9, ""), "<message/>")
        + &rule("off", "programEnable", &disabled);
    install_policy("BPFG", &rules);
    program("", "PLFIGOFF", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    let start = "    EXEC CICS START TRANSID('NONE') RESP(WS-RESP) END-EXEC\n";
    let set = |status: &str| format!("    EXEC CICS SET PROGRAM('PLFIGOFF') {status} END-EXEC\n");
    let procedure = format!("MAIN.\n{start}{start}{start}{}{}    EXEC CICS RETURN END-EXEC.", set("DISABLED"), set("ENABLED"));
    program("PFG1", "PLFIGURE", "01 WS-RESP PIC S9(8) COMP.", &procedure);
    run("PFG1");
    let records = records.0.lock().unwrap().clone();
    let counters = records.iter().find(|(transid, _)| transid.trim() == "PFG1").expect("a record").1;
    assert_eq!(counters.policy_thresholds, 2, "MPPRTXCD");
    // Rules of the other tests are about programs too.
    assert!(counters.policy_system_rules_evaluated >= 2, "MPSRECT: {}", counters.policy_system_rules_evaluated);
    assert_eq!(counters.policy_system_rules_acted, 1, "MPSRACT");
    let text = report::text(setup().region);
    let section = &text[text.find("Policies").unwrap()..];
    let of_rule = |name: &str| -> Vec<String> {
        let at = section.find(&format!(": {name}\n")).unwrap_or_else(|| panic!("{name}: {section}"));
        let begin = section[..at].rfind("Policy name").unwrap();
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        section[begin..].lines().take(10).map(line).collect()
    };
    let one = of_rule("one");
    let expected = ["Policy name : BPFGP", "Policy user tag : TEST", "Bundle name : BPFG", "Bundle directory : "];
    assert!(one.iter().zip(expected).all(|(line, expected)| line.starts_with(expected)), "{one:#?}");
    let expected = ["Rule name : one", "Rule type : startrequest", "Rule subtype : start", "Action type : message", "Action count : 1"];
    assert_eq!(one[4..9], expected);
    assert_ne!(one[9], "Last action time :", "{one:#?}");
    assert_eq!(of_rule("off")[8], "Action count : 1");
    let never = of_rule("never");
    assert_eq!(never[8..], ["Action count : 0", "Last action time :"]);
}

/// The records of a type in the statistics file that are about a resource.
fn records(structure: &str, name: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(setup().region.data_directory.join("statistics/DFHSTATS")).unwrap_or_default();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.filter(|line| line["record"] == structure && line["name"] == name).collect()
}

#[test]
fn bundles_adapters_and_rules_have_statistics_records() {
    let queue = adapter(
        "<cicsTSQueueAdapter><queueName>STATEVNT</queueName><sysid/><useAuxTempStorage>false</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>",
    );
    let rules = policy(
        &(limit("counted", "PFS1", LINKS, (1, ""), "<event epAdapter=\"STATQ\"/>") + &limit("idle", "PFS1", LINKS, (99, ""), "<message/>")),
    );
    let directory = bundle("BPFS", &[("EPADAPTER", "STATQ", "q.epadapter", &queue), ("POLICY", "STATPOL", "p.policy", &rules)]);
    setup().define_transaction("CEPR", "DFHECEAS");
    install("BPFS", &directory, "ENABLED").unwrap();
    program("", "PLEVENT0", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program("PFS1", "PLPFS1", "01 WS-X PIC X.", LINKER);
    run("PFS1");
    setup().compile(
        "PLPFS2",
        "01 WS-PTR USAGE POINTER.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-NAME PIC X(32).\n01 WS-REPORT.\n   05 R-B PIC X(12).\n   05 R-BR PIC 9(4).\n   05 R-A PIC X(12).\n   05 R-AN PIC 9(2).\n   05 R-P PIC 9(4).\n   05 R-P2 PIC 9(2).\n   05 R-N PIC 9(4).",
        "COPY DFHRLRDS.\nCOPY DFHEPRDS.",
        &format!(
            "MAIN.\n    MOVE 'BPFS' TO WS-NAME.\n    EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(BUNDLE))\n       RESID(WS-NAME) RESIDLEN(8) SET(WS-PTR) END-EXEC.\n    SET ADDRESS OF DFHRLRDS TO WS-PTR.\n    MOVE RLR-BUNDLE-NAME TO R-B.\n    MOVE RLRDS-ID TO R-BR.\n    MOVE 'STATQ' TO WS-NAME.\n    EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(EPADAPTER))\n       RESID(WS-NAME) SET(WS-PTR) END-EXEC.\n    SET ADDRESS OF DFHEPRDS TO WS-PTR.\n    MOVE EPR-ADAPTER-NAME TO R-A.\n    MOVE EPR-PUT-EVENTS TO R-AN.\n    MOVE 'STATPOL' TO WS-NAME.\n    EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(POLICY))\n       RESID(WS-NAME) SET(WS-PTR) RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO R-P.\n    MOVE EIBRESP2 TO R-P2.\n    MOVE 'NOWHERE' TO WS-NAME.\n    EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(BUNDLE))\n       RESID(WS-NAME) RESIDLEN(8) SET(WS-PTR) RESP(WS-RESP)\n       END-EXEC.\n    MOVE WS-RESP TO R-N.\n    EXEC CICS PERFORM STATISTICS RECORD BUNDLE EPADAPTER POLICY\n       END-EXEC.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    crate::support::define("PFS2", "PLPFS2");
    let found = reported("PFS2");
    assert_eq!(found, "BPFS        0100STATQ       010013020013", "{:#?}", setup().lines());
    let counted = records("DFHMPRDS", "BPFS.STATPOL.counted");
    assert_eq!(counted.len(), 1, "{counted:#?}");
    let fields = &counted[0]["fields"];
    assert_eq!((&fields["MPR_POLICY_NAME"], &fields["MPR_POLICY_USERTAG"]), (&"STATPOL".into(), &"TEST".into()));
    assert_eq!((&fields["MPR_RULE_TYPE"], &fields["MPR_RULE_SUBTYPE"]), (&"programrequest".into(), &"link".into()));
    assert_eq!((&fields["MPR_ACTION_TYPE"], &fields["MPR_ACTION_COUNT"]), (&"event".into(), &1.into()));
    assert!(fields["MPR_ACTION_TIME"].as_u64().unwrap() > 0, "{fields}");
    let idle = &records("DFHMPRDS", "BPFS.STATPOL.idle")[0]["fields"];
    assert_eq!((&idle["MPR_ACTION_COUNT"], &idle["MPR_ACTION_TIME"]), (&0.into(), &0.into()));
    let text = report::text(setup().region);
    let rows: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in ["BUNDLE Name : BPFS", "EPADAPTER name : STATQ", "EPADAPTER number of put events : 1"] {
        assert!(rows.iter().any(|found| found == row), "{row}: {rows:#?}");
    }
    // What they have counted is written when the bundle goes.
    program(
        "PFS3",
        "PLPFS3",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SET BUNDLE('BPFS') DISABLED END-EXEC.\n    EXEC CICS DISCARD BUNDLE('BPFS') END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("PFS3");
    for (structure, name) in [("DFHMPRDS", "BPFS.STATPOL.counted"), ("DFHEPRDS", "STATQ")] {
        let last = records(structure, name);
        assert_eq!(last.last().map(|record| record["reason"].clone()), Some("USS".into()), "{last:#?}");
    }
}
