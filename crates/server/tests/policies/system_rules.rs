//! System rules: states of files, programs and bundles, abends, messages, the number of tasks.

use crate::support::{bundle, install, policy, program, run, setup};
use csd::Definition;
use vsam::idcams::{DdResolver, DdTarget, IdcamsOptions, run as idcams};

pub fn rule(name: &str, kind: &str, filters: &str) -> String {
    format!(
        "<rule group=\"SYSTEM\" type=\"{kind}\"><name>{name}</name><description/><{kind}Condition><contextFilter><TRANSACTION_ID filterOperator=\"OFF\" filterValue=\"\"/><USER_ID filterOperator=\"OFF\" filterValue=\"\"/></contextFilter><{kind}Filter>{filters}</{kind}Filter></{kind}Condition><action><message/></action></rule>"
    )
}

pub fn filter(field: &str, operator: &str, value: &str) -> String {
    format!("<{field} filterOperator=\"{operator}\" filterValue=\"{value}\"/>")
}

fn told(rule: &str) -> Vec<String> {
    let name = format!("system rule {rule} ");
    setup().lines().into_iter().filter(|line| line.starts_with("DFHMP3009") && line.contains(&name)).collect()
}

#[test]
fn a_program_that_is_disabled_and_an_abend_that_nobody_handles_are_told() {
    let rules = rule("prog_off", "programEnable", &(filter("PROGRAM", "EQ", "PLSYS00") + &filter("TO_ENABLESTATUS", "EQ", "DISABLED")))
        + &rule("abend_zz", "unhandledAbend", &filter("ABEND_CODE", "SW", "ZZ"))
        + &rule("abend_msg", "message", &filter("MESSAGE_ID", "EQ", "DFHAC2236"));
    install("SYB1", &bundle("SYB1", &[("POLICY", "SYSPOL1", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    program("", "PLSYS00", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program(
        "SYS1",
        "PLSYS01",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SET PROGRAM('PLSYS00') DISABLED END-EXEC.\n    EXEC CICS SET PROGRAM('PLSYS00') ENABLED END-EXEC.\n    EXEC CICS ABEND ABCODE('ZZ99') END-EXEC.",
    );
    run("SYS1");
    let program = told("prog_off");
    assert_eq!(program.len(), 1, "{program:#?}");
    assert!(program[0].contains("(SYS1)") && program[0].contains("PLSYS00, FROM=ENABLED, TO=DISABLED"), "{program:#?}");
    assert!(told("abend_zz").iter().any(|line| line.contains("ZZ99")), "{:#?}", setup().lines());
    assert!(!told("abend_msg").is_empty(), "{:#?}", setup().lines());
}

/// No DD statement is there.
pub struct NoDd;

impl DdResolver for NoDd {
    fn resolve_dd(&self, _: &str) -> Option<DdTarget> {
        None
    }
}

#[test]
fn a_file_is_told_when_it_opens_closes_and_changes_its_enable_status() {
    let region = setup().region;
    let define = "  DEFINE CLUSTER (NAME(POLICY.FILE) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1))";
    let outcome = idcams(&region.data_sets, define, &NoDd, &IdcamsOptions { ccsid: 37, progress: None });
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
    region.install(&Definition::new("FILE", "POLFILE", "TEST").with("DSNAME", "POLICY.FILE").with("STATUS", "ENABLED")).unwrap();
    let of_file = |field: &str, to: &str| filter("FILE", "EQ", "POLFILE") + &filter(field, "EQ", to);
    let rules = rule("opened", "fileOpen", &of_file("TO_OPENSTATUS", "OPEN"))
        + &rule("closed", "fileOpen", &of_file("TO_OPENSTATUS", "CLOSED"))
        + &rule("unenabled", "fileEnable", &of_file("TO_ENABLESTATUS", "UNENABLED"))
        + &rule("enabled", "fileEnable", &of_file("TO_ENABLESTATUS", "ENABLED"));
    install("SYB2", &bundle("SYB2", &[("POLICY", "SYSPOL2", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    program(
        "SYS2",
        "PLSYS02",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SET FILE('POLFILE') OPEN END-EXEC.\n    EXEC CICS SET FILE('POLFILE') CLOSED END-EXEC.\n    EXEC CICS SET FILE('POLFILE') ENABLED END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("SYS2");
    for (name, change) in [
        ("opened", "POLFILE, FROM=CLOSED, TO=OPEN"),
        ("closed", "POLFILE, FROM=OPEN, TO=CLOSED"),
        ("unenabled", "POLFILE, FROM=ENABLED, TO=UNENABLED"),
        ("enabled", "POLFILE, FROM=UNENABLED, TO=ENABLED"),
    ] {
        let lines = told(name);
        assert!(lines.len() == 1 && lines[0].contains(change), "{name}: {lines:#?}\n{:#?}", setup().lines());
    }
}

#[test]
fn a_bundle_that_is_disabled_is_told() {
    let rules = rule("bundle_off", "bundleEnable", &filter("BUNDLE", "EQ", "SYB4"));
    install("SYB3", &bundle("SYB3", &[("POLICY", "SYSPOL3", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    install("SYB4", &bundle("SYB4", &[]), "ENABLED").unwrap();
    program(
        "SYS3",
        "PLSYS03",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SET BUNDLE('SYB4') DISABLED END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("SYS3");
    let lines = told("bundle_off");
    assert!(lines.len() == 1 && lines[0].contains("SYB4, FROM=ENABLED, TO=DISABLED"), "{lines:#?}");
}

#[test]
fn a_class_that_fills_and_empties_is_told_once_each_time() {
    let region = setup().region;
    region.install(&Definition::new("TRANCLASS", "SYSCLASS", "TEST").with("MAXACTIVE", "4")).unwrap();
    let of_class =
        |operator: &str, percent: u32| filter("TRANCLASS", "EQ", "SYSCLASS") + &filter("PERCENT_MAXACTIVE", operator, &percent.to_string());
    let rules = rule("class_full", "tranclassTaskThreshold", &of_class("GHT", 100))
        + &rule("class_60", "tranclassTaskThreshold", &of_class("GHT", 60))
        + &rule("class_empty", "tranclassTaskThreshold", &of_class("GLT", 50))
        + &rule(
            "class_other",
            "tranclassTaskThreshold",
            &(filter("TRANCLASS", "EQ", "NOCLASS") + &filter("PERCENT_MAXACTIVE", "GHT", "60")),
        );
    install("SYB5", &bundle("SYB5", &[("POLICY", "SYSPOL5", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    program("", "PLSYS05", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS DELAY FOR SECONDS(2) END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    let transaction = Definition::new("TRANSACTION", "SYS5", "TEST").with("PROGRAM", "PLSYS05").with("TRANCLASS", "SYSCLASS");
    region.install(&transaction).unwrap();
    let limit = std::time::Duration::from_secs(20);
    let is_running = |task: &u32| region.transactions().task(*task).is_some();
    let tasks: Vec<u32> = std::iter::repeat_with(|| setup().attach("SYS5"))
        .take(4)
        .inspect(|task| testing::eventually_within(limit, "the begin of a task", || is_running(task)))
        .collect();
    testing::eventually_within(limit, "the end of the tasks", || !tasks.iter().any(is_running));
    for (name, change) in
        [("class_60", "SYSCLASS, FROM=50, TO=75"), ("class_full", "SYSCLASS, FROM=75, TO=100"), ("class_empty", "SYSCLASS, FROM=50, TO=25")]
    {
        let lines = told(name);
        assert!(lines.len() == 1 && lines[0].contains(change), "{name}: {lines:#?}\n{:#?}", setup().lines());
    }
    assert_eq!(told("class_other"), Vec::<String>::new());
}

/// MXT is 20 for the time of this test: thirteen tasks are more than 60 percent of it.
#[test]
fn a_region_that_fills_is_told_by_a_message_and_an_event() {
    let region = setup().region;
    let queue = crate::bundle_support::adapter(
        "<cicsTSQueueAdapter><queueName>FULLEVNT</queueName><sysid/><useAuxTempStorage>false</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>",
    );
    let above = filter("PERCENT_MAXTASKS", "GHT", "60");
    let event = rule("mxt_event", "taskThreshold", &above).replace("<message/>", "<event epAdapter=\"FULLQ\"/>");
    let rules = rule("mxt_60", "taskThreshold", &above) + &event;
    setup().define_transaction("CEPR", "DFHECEAS");
    let parts = [("EPADAPTER", "FULLQ", "q.epadapter", queue.as_str()), ("POLICY", "SYSPOL6", "p.policy", &policy(&rules))];
    install("SYB6", &bundle("SYB6", &parts), "ENABLED").unwrap();
    program("SYS6", "PLSYS06", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS DELAY FOR SECONDS(1) END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    let before = region.dispatcher.max_tasks();
    region.dispatcher.set_max_tasks(20);
    let tasks: Vec<u32> = (0..13).map(|_| setup().attach("SYS6")).collect();
    let limit = std::time::Duration::from_secs(20);
    testing::eventually_within(limit, "the message", || !told("mxt_60").is_empty());
    testing::eventually_within(limit, "the end of the tasks", || {
        tasks.iter().all(|task| region.transactions().task(*task).is_none() && region.dispatcher.task_by_number(*task).is_none())
    });
    region.dispatcher.set_max_tasks(before);
    assert!(told("mxt_60")[0].contains("FROM="), "{:#?}", setup().lines());
    let found = crate::support::reported_after(
        "SYE6",
        "PLSYE06",
        "01 WS-EVENT PIC X(800) VALUE SPACES.\n01 WS-LEN PIC S9(4) COMP VALUE 800.\n01 WS-REPORT.\n   05 R-RULE PIC X(9).\n   05 R-TYPE PIC X(13).",
        "    EXEC CICS READQ TS QUEUE('FULLEVNT') INTO(WS-EVENT)\n       LENGTH(WS-LEN) ITEM(1) END-EXEC.\n    MOVE WS-EVENT(394:9) TO R-RULE.\n    MOVE WS-EVENT(458:13) TO R-TYPE.",
    );
    assert_eq!(found, "mxt_eventtaskThreshold");
}

/// CMPO is intrapartition and triggers a transaction that is not there: the messages about that do not come back to CMPO for ever, and neither
/// does the abend of a task that it triggers.
#[test]
fn a_rule_about_messages_does_not_answer_what_its_own_queue_triggers() {
    let region = setup().region;
    let rules = rule("any_message", "message", &filter("MESSAGE_ID", "SW", "DFHA"))
        + &rule("td_message", "message", &filter("MESSAGE_ID", "SW", "DFHTD"));
    install("SYB7", &bundle("SYB7", &[("POLICY", "SYSPOL7", "p.policy", &policy(&rules))]), "ENABLED").unwrap();
    program("", "PLSYS07", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS ABEND ABCODE('LOOP') END-EXEC.");
    let queue = |transid: &str| {
        let queue = Definition::new("TDQUEUE", "CMPO", "TEST").with("TYPE", "INTRA").with("TRIGGERLEVEL", "1");
        region.install(&queue.with("TRANSID", transid).with("ATIFACILITY", "FILE")).unwrap();
    };
    let lines_with = |text: &str| setup().lines().iter().filter(|line| line.contains(text)).count();
    setup().define_transaction("SYS7", "PLSYS07");
    program("SYT7", "PLSYT07", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS ABEND ABCODE('FRST') END-EXEC.");
    for triggered in ["SYS7", "SYX7"] {
        queue(triggered);
        let before = told("any_message").len();
        run("SYT7");
        testing::eventually("the rule acts", || told("any_message").len() > before);
        testing::eventually("the queue triggers", || lines_with(triggered) > 0);
        std::thread::sleep(std::time::Duration::from_millis(500));
        // Other tests have abends too, which the rule answers; a loop has thousands.
        assert!(lines_with(triggered) < 200, "messages about {triggered} have come to an end: {}", lines_with(triggered));
    }
    let answered = |text: &str| told("any_message").into_iter().filter(|line| line.contains(text)).collect::<Vec<_>>();
    assert_eq!(answered("(SYS7)"), Vec::<String>::new(), "no rule is about a task that the queue has triggered");
    assert_eq!(answered("DFHAC2001"), Vec::<String>::new(), "nor about a task that it could not trigger");
    assert!(told("td_message").is_empty(), "{:#?}", told("td_message"));
    region.install(&Definition::new("TDQUEUE", "CMPO", "TEST").with("TYPE", "INTRA")).unwrap();
    let disable = "MAIN.\n    EXEC CICS SET BUNDLE('SYB7') DISABLED END-EXEC.\n    EXEC CICS RETURN END-EXEC.";
    program("SYU7", "PLSYU07", "01 WS-X PIC X.", disable);
    run("SYU7");
}
