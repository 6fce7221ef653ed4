//! INQUIRE, SET and browses of EPADAPTER, EPADAPTERSET and EPADAPTINSET, with their conditions; what SET changes for events.

use crate::bundle_support::{adapter, adapter_set};
use crate::events::{LINKER, LINKS};
use crate::support::{REPORT, bundle, install, limit, policy, program, reported, run, setup};

/// The function codes of the commands.
const FUNCTIONS: [(&str, &str); 14] = [
    ("INQUIRE EVENTBINDING", "CA02"),
    ("SET EVENTBINDING", "CA04"),
    ("INQUIRE EVENTPROCESS", "CA12"),
    ("SET EVENTPROCESS", "CA14"),
    ("INQUIRE CAPTURESPEC", "CA22"),
    ("INQUIRE CAPOPTPRED", "CA28"),
    ("INQUIRE CAPDATAPRED", "CA2A"),
    ("INQUIRE CAPINFOSRCE", "CA2C"),
    ("SIGNAL EVENT", "2802"),
    ("INQUIRE EPADAPTERSET", "CA32"),
    ("SET EPADAPTERSET", "CA34"),
    ("INQUIRE EPADAPTINSET", "CA52"),
    ("INQUIRE EPADAPTER", "CA42"),
    ("SET EPADAPTER", "CA44"),
];

/// The report has for each command its response and RESP2, and what was asked for after it; a command with another EIBFN has none.
const WORKING_STORAGE: &str = "01 WS-RESP PIC S9(8) COMP.\n01 WS-A PIC S9(8) COMP VALUE 0.\n01 WS-BAD PIC S9(8) COMP VALUE 999.\n01 WS-T PIC S9(15) COMP-3 VALUE 0.\n01 WS-PTR POINTER.\n01 WS-NAME PIC X(32) VALUE SPACES.\n01 WS-SET PIC X(32) VALUE SPACES.\n01 WS-AT PIC S9(4) COMP VALUE 1.\n01 L-RESP PIC 9(3).\n01 L-RESP2 PIC 9(2).\n01 L-NUM PIC Z(4)9.\n01 WS-REPORT PIC X(600) VALUE SPACES.";

const PARAGRAPHS: &str = "\nNOTE-IT.\n    MOVE WS-RESP TO L-RESP.\n    MOVE EIBRESP2 TO L-RESP2.\n    STRING '/' L-RESP '.' L-RESP2 DELIMITED BY SIZE\n       INTO WS-REPORT WITH POINTER WS-AT END-STRING.\nNUMBER-IT.\n    MOVE WS-A TO L-NUM.\n    STRING L-NUM DELIMITED BY SIZE\n       INTO WS-REPORT WITH POINTER WS-AT END-STRING.\nNAME-IT.\n    STRING ' ' DELIMITED BY SIZE WS-NAME DELIMITED BY SPACE\n       INTO WS-REPORT WITH POINTER WS-AT END-STRING.";

/// A command, and what of it goes into the report.
pub fn step(command: &str, shown: &[&str]) -> String {
    let named = command.replace(" START", "").replace(" NEXT", "").replace(" END", "");
    let (_, function) = FUNCTIONS.iter().find(|(name, _)| named.starts_with(name)).expect("a command about adapters");
    let shown: String = shown.iter().map(|paragraph| format!("    PERFORM {paragraph}.\n")).collect();
    format!("    EXEC CICS {command}\n       RESP(WS-RESP) END-EXEC.\n    IF EIBFN = X'{function}' PERFORM NOTE-IT.\n{shown}")
}

/// Runs a program of these steps; what each reported.
pub fn answers(transid: &str, name: &str, steps: &[String]) -> Vec<String> {
    let procedure = format!("MAIN.\n{}    {REPORT}.\n    EXEC CICS RETURN END-EXEC.{PARAGRAPHS}", steps.concat());
    program(transid, name, WORKING_STORAGE, &procedure);
    reported(transid).trim_end().split('/').skip(1).map(str::to_string).collect()
}

const QUEUE: &str = "<cicsTSQueueAdapter><queueName>ADPEVNTS</queueName><sysid/><useAuxTempStorage>false</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>";
const START: &str = "<cicsTransactionStartAdapter><transactionId>ADST</transactionId></cicsTransactionStartAdapter>";

#[test]
fn adapters_and_sets_are_inquired_browsed_and_set() {
    let (queue, start, set) = (adapter(QUEUE), adapter(START), adapter_set(&["ADPQ", "ADPS"]));
    let parts = [
        ("EPADAPTER", "ADPQ", "q.epadapter", queue.as_str()),
        ("EPADAPTER", "ADPS", "s.epadapter", &start),
        ("EPADAPTERSET", "ADPSET", "s.epadapterset", &set),
    ];
    install("ADPB", &bundle("ADPB", &parts), "ENABLED").unwrap();
    let status = |kind: &str, name: &str| step(&format!("INQUIRE {kind}('{name}')\n       ENABLESTATUS(WS-A)"), &["NUMBER-IT"]);
    let found = answers(
        "ADP1",
        "PLADP1",
        &[
            step("INQUIRE EPADAPTER('ADPQ') ADAPTERTYPE(WS-A)\n       CONFIGDATA1(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE EPADAPTER('ADPQ') DATAFORMAT(WS-A)\n       PROGRAM(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE EPADAPTER('ADPS') ADAPTERTYPE(WS-A)\n       CONFIGDATA1(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE EPADAPTER('ADPS') EMITMODE(WS-A)\n       DEFINESOURCE(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE EPADAPTERSET('ADPSET')\n       EPADAPTERNUM(WS-A)", &["NUMBER-IT"]),
            status("EPADAPTER", "ADPQ"),
            step("SET EPADAPTER('ADPQ') DISABLED", &[]),
            status("EPADAPTER", "ADPQ"),
            step("SET EPADAPTER('ADPQ')\n       ENABLESTATUS(DFHVALUE(ENABLED))", &[]),
            status("EPADAPTER", "ADPQ"),
            step("SET EPADAPTERSET('ADPSET') DISABLED", &[]),
            status("EPADAPTERSET", "ADPSET"),
            step("SET EPADAPTERSET('ADPSET') ENABLED", &[]),
            status("EPADAPTERSET", "ADPSET"),
        ],
    );
    assert_eq!(
        found,
        [
            // TSQUEUE and its queue, CFE and its program.
            "000.00  768 ADPEVNTS",
            "000.00  584 DFHECEAS",
            // TRANSTART and its transaction, ASYNCHRONOUS and its bundle.
            "000.00  580 ADST",
            "000.00  570 ADPB",
            "000.00    2",
            "000.00   23",
            "000.00",
            "000.00   24",
            "000.00",
            "000.00   23",
            "000.00",
            "000.00   24",
            "000.00",
            "000.00   23",
        ],
        "{:#?}",
        setup().lines()
    );
}

/// NOTFND 13, INVREQ 16, ILLOGIC 21, END 83.
#[test]
fn commands_about_adapters_have_their_conditions() {
    let (queue, set) = (adapter(&QUEUE.replace("ADPEVNTS", "ADCEVNTS")), adapter_set(&["ADCQ", "ADCNONE"]));
    let parts = [("EPADAPTER", "ADCQ", "q.epadapter", queue.as_str()), ("EPADAPTERSET", "ADCSET", "s.epadapterset", &set)];
    install("ADCB", &bundle("ADCB", &parts), "ENABLED").unwrap();
    let next = |kind: &str, more: &str| step(&format!("INQUIRE {kind} NEXT {more}"), &[]);
    let in_set = "EPADAPTERSET(WS-SET) EPADAPTER(WS-NAME)";
    let browse = |kind: &str| {
        [
            next(kind, &format!("{kind}(WS-NAME)")),
            step(&format!("INQUIRE {kind} START"), &[]),
            step(&format!("INQUIRE {kind} START"), &[]),
            next(kind, &format!("{kind}(WS-NAME)")),
            step(&format!("INQUIRE {kind} END"), &[]),
            step(&format!("INQUIRE {kind} END"), &[]),
        ]
    };
    let mut steps = vec![
        step("INQUIRE EPADAPTER('NOWHERE')", &[]),
        step("INQUIRE EPADAPTERSET('NOWHERE')", &[]),
        step("SET EPADAPTER('NOWHERE') ENABLED", &[]),
        step("SET EPADAPTERSET('NOWHERE') ENABLED", &[]),
        step("SET EPADAPTER('ADCQ') ENABLESTATUS(WS-BAD)", &[]),
        step("SET EPADAPTERSET('ADCSET')\n       ENABLESTATUS(WS-BAD)", &[]),
    ];
    steps.extend(browse("EPADAPTER"));
    steps.extend(browse("EPADAPTERSET"));
    steps.extend([
        format!("    MOVE 'ADCNOSET' TO WS-SET.\n{}", step("INQUIRE EPADAPTINSET START\n       EPADAPTERSET(WS-SET)", &[])),
        format!("    MOVE 'ADCSET' TO WS-SET.\n{}", step("INQUIRE EPADAPTINSET START\n       EPADAPTERSET(WS-SET)", &[])),
        step(&format!("INQUIRE EPADAPTINSET NEXT\n       {in_set}"), &["NAME-IT"]),
        step(&format!("INQUIRE EPADAPTINSET NEXT\n       {in_set}"), &["NAME-IT"]),
        step(&format!("INQUIRE EPADAPTINSET NEXT\n       {in_set}"), &[]),
        step("INQUIRE EPADAPTINSET END", &[]),
        step("INQUIRE EPADAPTINSET END", &[]),
    ]);
    let found = answers("ADP2", "PLADP2", &steps);
    let browsed = ["021.01", "000.00", "021.01", "000.00", "000.00", "021.01"];
    let expected = ["013.03", "013.03", "013.03", "013.03", "016.04", "016.04"].into_iter().chain(browsed).chain(browsed).chain([
        "013.03",
        "000.00",
        "000.00 ADCQ",
        "000.00 ADCNONE",
        "083.02",
        "000.00",
        "021.01",
    ]);
    assert_eq!(found, expected.collect::<Vec<_>>(), "{:#?}", setup().lines());
}

#[test]
fn a_disabled_adapter_gets_no_event_and_a_disabled_set_passes_none_on() {
    let (queue, set) = (adapter(&QUEUE.replace("ADPEVNTS", "ADDEVNTS")), adapter_set(&["ADDQ"]));
    let rules = policy(&limit("add_link", "ADP3", LINKS, (1, ""), "<event epAdapterSet=\"ADDSET\"/>"));
    let parts = [
        ("EPADAPTER", "ADDQ", "q.epadapter", queue.as_str()),
        ("EPADAPTERSET", "ADDSET", "s.epadapterset", &set),
        ("POLICY", "ADDPOL", "p.policy", &rules),
    ];
    setup().define_transaction("CEPR", "DFHECEAS");
    install("ADDB", &bundle("ADDB", &parts), "ENABLED").unwrap();
    program("", "PLEVENT0", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    let lost = || setup().lines().iter().filter(|line| line.starts_with("DFHEP0114") && line.contains("ADDQ")).count();
    let after = |transid: &str, name: &str, set: &str| {
        program(transid, name, "01 WS-X PIC X.", &LINKER.replace("MAIN.\n", &format!("MAIN.\n    EXEC CICS SET {set} END-EXEC.\n")));
        run(transid);
    };
    after("ADP3", "PLADP3", "EPADAPTER('ADDQ') DISABLED");
    assert_eq!(lost(), 1, "{:#?}", setup().lines());
    after("ADP3", "PLADP4", "EPADAPTERSET('ADDSET') DISABLED");
    assert_eq!(lost(), 1, "a disabled set has no adapter that could lose it");
}
