//! Events of rules: the flattened event in a queue, the containers of a started transaction, and adapters that are not there.

use crate::bundle_support::{adapter, adapter_set};
use crate::support::{REPORT, bundle, install, limit, policy, program, reported, run, setup};

pub const LINKS: (&str, &str, &str) = ("programrequest", "programRequestCondition", "link");
pub const LINKER: &str =
    "MAIN.\n    PERFORM 2 TIMES\n       EXEC CICS LINK PROGRAM('PLEVENT0') END-EXEC\n    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.";

#[test]
fn an_event_is_in_the_queue_and_in_the_containers_of_each_adapter_of_a_set() {
    let set = adapter_set(&["EVQUEUE", "EVSTART"]);
    let queue = adapter(
        "<cicsTSQueueAdapter><queueName>POLEVNTS</queueName><sysid/><useAuxTempStorage>false</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>",
    );
    let start = adapter("<cicsTransactionStartAdapter><transactionId>EVST</transactionId></cicsTransactionStartAdapter>");
    let rules = policy(&limit("one_link", "EVT1", LINKS, (1, ""), "<event epAdapterSet=\"EVSET\"/>"));
    let parts = [
        ("EPADAPTER", "EVQUEUE", "q.epadapter", queue.as_str()),
        ("EPADAPTER", "EVSTART", "s.epadapter", &start),
        ("EPADAPTERSET", "EVSET", "s.epadapterset", &set),
        ("POLICY", "EVENTPOL", "p.policy", &rules),
    ];
    // The supplied transaction of adapters: this region has no list of groups.
    setup().define_transaction("CEPR", "DFHECEAS");
    install("EVB1", &bundle("EVB1", &parts), "ENABLED").unwrap();
    program("", "PLEVENT0", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program(
        "EVST",
        "PLEVSTRT",
        "01 WS-AREA PIC X(64).\n01 WS-LEN PIC S9(8) COMP.",
        "MAIN.\n    MOVE 64 TO WS-LEN.\n    EXEC CICS GET CONTAINER('DFHEP.DATA.00008')\n       INTO(WS-AREA) FLENGTH(WS-LEN) END-EXEC.\n    EXEC CICS WRITEQ TS QUEUE('POLSTART') FROM(WS-AREA)\n       LENGTH(20) MAIN END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    program("EVT1", "PLEVENT1", "01 WS-X PIC X.", LINKER);
    run("EVT1");
    program(
        "EVT2",
        "PLEVENT2",
        "01 WS-EVENT PIC X(800) VALUE SPACES.\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-REPORT.\n   05 R-ID PIC X(8).\n   05 R-SPEC PIC X(30).\n   05 R-RULE PIC X(8).\n   05 R-COUNT PIC X(1).\n   05 R-NAME PIC X(20).",
        &format!(
            "MAIN.\n    PERFORM 500 TIMES\n       MOVE 800 TO WS-LEN\n       EXEC CICS READQ TS QUEUE('POLEVNTS') INTO(WS-EVENT)\n          LENGTH(WS-LEN) ITEM(1) RESP(WS-RESP) END-EXEC\n       IF WS-RESP = DFHRESP(NORMAL)\n          MOVE 20 TO WS-LEN\n          EXEC CICS READQ TS QUEUE('POLSTART') INTO(R-NAME)\n             LENGTH(WS-LEN) ITEM(1) RESP(WS-RESP) END-EXEC\n       END-IF\n       IF WS-RESP = DFHRESP(NORMAL)\n          EXIT PERFORM\n       END-IF\n       EXEC CICS DELAY FOR MILLISECS(10) END-EXEC\n    END-PERFORM.\n    MOVE WS-EVENT(1:8) TO R-ID.\n    MOVE WS-EVENT(181:30) TO R-SPEC.\n    MOVE WS-EVENT(394:8) TO R-RULE.\n    MOVE WS-EVENT(550:1) TO R-COUNT.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    // A program that is not threadsafe would be on QR behind its first command.
    let figures = || setup().region.dispatcher.statistics().modes[kernel::Mode::Ep as usize];
    let found = reported("EVT2");
    testing::eventually("the adapter's task has left EP", || figures().open.is_some() && figures().in_use_current == 0);
    let events = figures();
    assert_eq!((events.open, events.pool), (Some(false), None), "Open No, of no pool");
    assert!(events.attaches >= 1 && events.attached_current >= 1 && events.switches >= 1 && !events.dispatch.is_zero());
    assert_eq!(found, "EPFE0002CICS_Policy_Event_Capture_Specone_link2one_link            ", "{:#?}", setup().lines());
}

#[test]
fn an_event_for_an_adapter_that_is_not_there_is_lost_with_a_message() {
    let rules = policy(&limit("one_link", "EVT3", LINKS, (1, ""), "<event epAdapter=\"NOWHERE\"/>"));
    install("EVB2", &bundle("EVB2", &[("POLICY", "EVENTPO2", "p.policy", &rules)]), "ENABLED").unwrap();
    program("", "PLEVENT0", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program("EVT3", "PLEVENT3", "01 WS-X PIC X.", LINKER);
    run("EVT3");
    let lines = setup().lines();
    assert!(lines.iter().any(|line| line.starts_with("DFHEP0114") && line.contains("adapter NOWHERE is lost")), "{lines:#?}");
}

/// EVSET2 is in no bundle. A program that starts CEPR itself, with a channel of the name that events have, neither writes to the queue of an
/// adapter nor keeps later events from being emitted.
#[test]
fn only_events_of_rules_are_emitted() {
    let queue = adapter(
        "<cicsTSQueueAdapter><queueName>POLFORGE</queueName><sysid/><useAuxTempStorage>false</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>",
    );
    let rules = policy(
        &[("EVT5", "<event epAdapter=\"EVFORGE\"/>"), ("EVT6", "<event epAdapterSet=\"EVSET2\"/>")]
            .map(|(transid, action)| limit(transid, transid, LINKS, (1, ""), action))
            .concat(),
    );
    let parts = [("EPADAPTER", "EVFORGE", "q.epadapter", queue.as_str()), ("POLICY", "EVENTPO3", "p.policy", &rules)];
    setup().define_transaction("CEPR", "DFHECEAS");
    install("EVB3", &bundle("EVB3", &parts), "ENABLED").unwrap();
    program("", "PLEVENT0", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program(
        "EVT4",
        "PLEVENT4",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS PUT CONTAINER('DFHEP.ADAPTER')\n       CHANNEL('DFHEP.EVENT') FROM('EVFORGE') END-EXEC.\n    EXEC CICS PUT CONTAINER('DFHEP.FLATTENED')\n       CHANNEL('DFHEP.EVENT') FROM('FORGED') END-EXEC.\n    EXEC CICS START TRANSID('CEPR')\n       CHANNEL('DFHEP.EVENT') END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("EVT4");
    let started = || setup().region.dispatcher.tasks().iter().any(|task| task.transaction.as_str() == "CEPR");
    testing::eventually("the end of the forged event", || !started());
    program("EVT5", "PLEVENT5", "01 WS-X PIC X.", LINKER);
    program("EVT6", "PLEVENT6", "01 WS-X PIC X.", LINKER);
    run("EVT5");
    run("EVT6");
    program(
        "EVT7",
        "PLEVENT7",
        "01 WS-EVENT PIC X(800) VALUE SPACES.\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-REPORT PIC X(8).",
        &format!(
            "MAIN.\n    PERFORM 500 TIMES\n       MOVE 800 TO WS-LEN\n       EXEC CICS READQ TS QUEUE('POLFORGE') INTO(WS-EVENT)\n          LENGTH(WS-LEN) ITEM(1) RESP(WS-RESP) END-EXEC\n       IF WS-RESP = DFHRESP(NORMAL)\n          EXIT PERFORM\n       END-IF\n       EXEC CICS DELAY FOR MILLISECS(10) END-EXEC\n    END-PERFORM.\n    MOVE WS-EVENT(1:8) TO WS-REPORT.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    assert_eq!(reported("EVT7"), "EPFE0002", "{:#?}", setup().lines());
    let lines = setup().lines();
    assert!(lines.iter().any(|line| line.starts_with("DFHEP0114") && line.contains("adapter EVSET2 is lost")), "{lines:#?}");
}
