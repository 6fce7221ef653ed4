//! What is told of rules afterwards: the performance record of the task, and the section of the statistics report.

use crate::support::{install_policy, limit, program, run, setup};
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
