//! INQUIRE and SET EVENTBINDING and EVENTPROCESS, INQUIRE of capture specifications and their parts, SIGNAL EVENT: options and conditions.

use crate::adapters::{answers, step};
use crate::bindings::{dispatcher, install_binding, queue};
use crate::bundle_support::{Capture, event_binding};
use crate::cobol_support::Setup;
use crate::support::{REPORT, bundle, setup};
use csd::Definition;
use exec::cvda;
use region::statistics::report;

const LOCATION: &str = "<linkCommand isPre=\"true\" adVerb=\"PROGRAM\" verb=\"LINK\"><PROGRAM filterValue=\"ORD\" filterOperator=\"SW\" keyword=\"PROGRAM\"/><CHANNEL filterValue=\"\" filterOperator=\"EX\" keyword=\"CHANNEL\"/></linkCommand>";
const CONTEXT: &str = "<transactionId filterValue=\"EVC9\" filterOperator=\"EQ\"/><currentProgram filterValue=\"PL\" filterOperator=\"NSW\"/><userId filterValue=\"\" filterOperator=\"OFF\"/>";
const DATA: &str = "<dataFilterItem filterOperator=\"GT\" filterValue=\"10\" captureDataType=\"PACKED\" captureLength=\"3\" offset=\"7\" container=\"ORDER\" source=\"CHANNEL\" languageVariableName=\"AMOUNT\" languageStructureName=\"ORDERREC\" languageFileName=\"order.cpy\"/>";

fn install_filtered(name: &str) {
    let items = [
        ("Who", "text", 8, 0, "captureDataType=\"CHAR\" captureLength=\"8\" offset=\"3\" source=\"COMMAREA\""),
        ("Program", "text", 8, 0, "captureDataType=\"CHAR\" source=\"PROGRAM\""),
    ];
    let capture = |name| Capture { name, location: LOCATION, context: CONTEXT, data: DATA, items: &items };
    install_binding(name, &[capture("filtered"), capture("second")], &dispatcher("asynchronous", false, &queue("EVCALL")));
}

/// NOTFND 13, INVREQ 16, ILLOGIC 21, END 83.
#[test]
fn event_bindings_are_inquired_browsed_and_set() {
    install_filtered("EVC");
    let found = answers(
        "EVC1",
        "PLEVC1",
        &[
            step("INQUIRE EVENTBINDING('EVCB')\n       ENABLESTATUS(WS-A) EPADAPTER(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE EVENTBINDING('EVCB')\n       EPADAPTERRES(WS-A) USERTAG(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE EVENTBINDING('EVCB')\n       INSTALLAGENT(WS-A) DEFINESOURCE(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE EVENTBINDING('EVCB')\n       CHANGEAGENT(WS-A) CHANGEAGREL(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step(
                "INQUIRE EVENTBINDING('EVCB')\n       EPADAPTERSET(WS-NAME) CHANGEUSRID(WS-SET)\n       CHANGETIME(WS-T) DEFINETIME(WS-T)",
                &[],
            ),
            step("INQUIRE EVENTBINDING('EVCB')\n       INSTALLTIME(WS-T) INSTALLUSRID(WS-SET)", &[]),
            step("SET EVENTBINDING('EVCB') DISABLED", &[]),
            step("INQUIRE EVENTBINDING('EVCB')\n       ENABLESTATUS(WS-A)", &["NUMBER-IT"]),
            step("SET EVENTBINDING('EVCB')\n       ENABLESTATUS(DFHVALUE(ENABLED))", &[]),
            step("SET EVENTBINDING('EVCB') ENABLED", &[]),
            step("INQUIRE EVENTBINDING('EVCB')\n       ENABLESTATUS(WS-A)", &["NUMBER-IT"]),
            step("SET EVENTBINDING('EVCB') ENABLESTATUS(WS-BAD)", &[]),
            step("SET EVENTBINDING('NOWHERE') ENABLED", &[]),
            step("INQUIRE EVENTBINDING('NOWHERE')", &[]),
            step("INQUIRE EVENTBINDING START", &[]),
            step("INQUIRE EVENTBINDING START", &[]),
            step("INQUIRE EVENTBINDING(WS-NAME) NEXT", &[]),
            step("INQUIRE EVENTBINDING END", &[]),
            step("INQUIRE EVENTBINDING END", &[]),
        ],
    );
    let expected = [
        "000.00   23 EVCB".to_string(),
        format!("000.00{:5} TAGGED", cvda::EPADAPTER),
        format!("000.00{:5} EVC", cvda::GRPLIST),
        format!("000.00{:5} 0720", cvda::CSDBATCH),
        "000.00".to_string(),
        "000.00".to_string(),
        "000.00".to_string(),
        "000.00   24".to_string(),
        "000.00".to_string(),
        "000.00".to_string(),
        "000.00   23".to_string(),
        "016.04".to_string(),
        "013.03".to_string(),
        "013.03".to_string(),
        "000.00".to_string(),
        "021.01".to_string(),
        "000.00".to_string(),
        "000.00".to_string(),
        "021.01".to_string(),
    ];
    assert_eq!(found, expected, "{:#?}", setup().lines());
}

#[test]
fn capture_specifications_are_inquired_and_browsed() {
    install_filtered("EVD");
    let found = answers(
        "EVD1",
        "PLEVD1",
        &[
            step(
                "INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') CAPTUREPTYPE(WS-A)\n       CAPTUREPOINT(WS-NAME)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step(
                "INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') CURRPGMOP(WS-A)\n       CURRPGM(WS-NAME)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step(
                "INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') CURRTRANIDOP(WS-A)\n       CURRTRANID(WS-NAME)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step(
                "INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') CURRUSERIDOP(WS-A)\n       CURRUSERID(WS-SET)",
                &["NUMBER-IT"],
            ),
            step(
                "INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') NUMDATAPRED(WS-A)\n       EVENTNAME(WS-NAME)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step(
                "INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') NUMINFOSRCE(WS-A)\n       PRIMPRED(WS-NAME)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step("INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') NUMOPTPRED(WS-A)", &["NUMBER-IT"]),
            step("INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') PRIMPREDOP(WS-A)", &["NUMBER-IT"]),
            step("INQUIRE CAPTURESPEC('filtered')\n       EVENTBINDING('EVDB') PRIMPREDTYPE(WS-A)", &["NUMBER-IT"]),
            step("INQUIRE CAPTURESPEC START\n       EVENTBINDING('EVDB')", &[]),
            step("INQUIRE CAPTURESPEC(WS-NAME) NEXT", &["NAME-IT"]),
            step("INQUIRE CAPTURESPEC(WS-NAME) NEXT", &["NAME-IT"]),
            step("INQUIRE CAPTURESPEC(WS-NAME) NEXT", &[]),
            step("INQUIRE CAPTURESPEC END", &[]),
            step("INQUIRE CAPTURESPEC('NONE')\n       EVENTBINDING('EVDB')", &[]),
            step("INQUIRE CAPTURESPEC('NONE')\n       EVENTBINDING('NOWHERE')", &[]),
            step("INQUIRE CAPTURESPEC('filtered')", &[]),
        ],
    );
    let expected = [
        format!("000.00{:5} LINK_PROGRAM", cvda::PRECOMMAND),
        format!("000.00{:5} PL", cvda::DOESNOTSTART),
        format!("000.00{:5} EVC9", cvda::EQUALS),
        format!("000.00{:5}", cvda::ALLVALUES),
        "000.00    1 filtered_event".to_string(),
        "000.00    2 ORD".to_string(),
        "000.00    2".to_string(),
        format!("000.00{:5}", cvda::STARTSWITH),
        format!("000.00{:5}", cvda::PROGRAM),
        "000.00".to_string(),
        "000.00 filtered".to_string(),
        "000.00 second".to_string(),
        "083.02".to_string(),
        "000.00".to_string(),
        "013.04".to_string(),
        "013.03".to_string(),
        "016.05".to_string(),
    ];
    assert_eq!(found, expected, "{:#?}", setup().lines());
}

#[test]
fn predicates_and_sources_are_browsed() {
    install_filtered("EVE");
    let found = answers(
        "EVE1",
        "PLEVE1",
        &[
            step("INQUIRE CAPOPTPRED START CAPTURESPEC('filtered')\n       EVENTBINDING('EVEB')", &[]),
            step(
                "INQUIRE CAPOPTPRED NEXT\n       OPTIONNAME(WS-NAME) OPERATOR(WS-A)\n       FILTERVALUE(WS-SET)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step("INQUIRE CAPOPTPRED NEXT\n       OPTIONNAME(WS-NAME) OPERATOR(WS-A)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE CAPOPTPRED NEXT\n       OPTIONNAME(WS-NAME)", &[]),
            step("INQUIRE CAPOPTPRED END", &[]),
            step("INQUIRE CAPDATAPRED START CAPTURESPEC('filtered')\n       EVENTBINDING('EVEB')", &[]),
            step(
                "INQUIRE CAPDATAPRED NEXT\n       LOCATION(WS-NAME) OPERATOR(WS-A)\n       CONTAINER(WS-SET) FILENAME(WS-SET) STRUCTNAME(WS-SET)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step("INQUIRE CAPDATAPRED END", &[]),
            step("INQUIRE CAPDATAPRED START CAPTURESPEC('filtered')\n       EVENTBINDING('EVEB')", &[]),
            step("INQUIRE CAPDATAPRED NEXT\n       FIELDLENGTH(WS-A)\n       VARIABLENAME(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE CAPDATAPRED END", &[]),
            step("INQUIRE CAPDATAPRED START CAPTURESPEC('filtered')\n       EVENTBINDING('EVEB')", &[]),
            step("INQUIRE CAPDATAPRED NEXT\n       FIELDOFFSET(WS-A)\n       FILTERVALUE(WS-NAME)", &["NUMBER-IT", "NAME-IT"]),
            step("INQUIRE CAPDATAPRED END", &[]),
            step("INQUIRE CAPINFOSRCE START CAPTURESPEC('filtered')\n       EVENTBINDING('EVEB')", &[]),
            step(
                "INQUIRE CAPINFOSRCE NEXT\n       ITEMNAME(WS-NAME) FIELDLENGTH(WS-A)\n       CONTAINER(WS-SET) FILENAME(WS-SET) STRUCTNAME(WS-SET)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step(
                "INQUIRE CAPINFOSRCE NEXT\n       LOCATION(WS-NAME) FIELDOFFSET(WS-A)\n       VARIABLENAME(WS-SET)",
                &["NUMBER-IT", "NAME-IT"],
            ),
            step("INQUIRE CAPINFOSRCE END", &[]),
            step("INQUIRE CAPDATAPRED", &[]),
            step("INQUIRE CAPOPTPRED", &[]),
            step("INQUIRE CAPINFOSRCE", &[]),
            step("INQUIRE CAPINFOSRCE START CAPTURESPEC('NONE')\n       EVENTBINDING('EVEB')", &[]),
            step("INQUIRE CAPINFOSRCE END", &[]),
        ],
    );
    let expected = [
        "000.00".to_string(),
        format!("000.00{:5} PROGRAM", cvda::STARTSWITH),
        format!("000.00{:5} CHANNEL", cvda::EXISTS),
        "083.02".to_string(),
        "000.00".to_string(),
        "000.00".to_string(),
        format!("000.00{:5} CHANNEL", cvda::GREATERTHAN),
        "000.00".to_string(),
        "000.00".to_string(),
        "000.00    3 AMOUNT".to_string(),
        "000.00".to_string(),
        "000.00".to_string(),
        "000.00    7 10".to_string(),
        "000.00".to_string(),
        "000.00".to_string(),
        "000.00    8 Who".to_string(),
        "000.00    0 PROGRAM".to_string(),
        "000.00".to_string(),
        "016.06".to_string(),
        "016.06".to_string(),
        "016.06".to_string(),
        "013.04".to_string(),
        "021.01".to_string(),
    ];
    assert_eq!(found, expected, "{:#?}", setup().lines());
}

/// CHANNELERR 122, INVREQ 16, LENGERR 22.
#[test]
fn a_signal_has_its_conditions() {
    let found = answers(
        "EVF1",
        "PLEVF1",
        &[
            step("SIGNAL EVENT('Nobody.Listens')", &[]),
            step("SIGNAL EVENT('Nobody.Listens') FROM(WS-NAME)\n       FROMLENGTH(4)", &[]),
            step("SIGNAL EVENT('A B')", &[]),
            step("SIGNAL EVENT(WS-SET)", &[]),
            step("SIGNAL EVENT('X') FROM(WS-NAME) FROMLENGTH(-1)", &[]),
            step("SIGNAL EVENT('X') FROMCHANNEL('NONE')", &[]),
            step("SIGNAL EVENT('X') FROMCHANNEL('A B')", &[]),
        ],
    );
    assert_eq!(found, ["000.00", "000.00", "016.06", "016.06", "022.07", "122.02", "122.01"], "{:#?}", setup().lines());
}

/// In a process of its own: the other tests capture events meanwhile.
#[test]
fn event_processing_is_stopped_drained_and_counted() {
    let test = ["--exact", "--ignored", "event_commands::events_of_commands_are_counted_while_event_processing_is_started"];
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    let output = child.args(test).env(crate::scratch::PURPOSE, "-stopped").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "event_processing_is_stopped_drained_and_counted runs it in a process of its own"]
fn events_of_commands_are_counted_while_event_processing_is_started() {
    let own = Setup::start("EVSTOPRG");
    let location = "<x isPre=\"true\" verb=\"SIGNAL\" adVerb=\"EVENT\"/>";
    let text = event_binding(
        &[Capture { name: "counted", location, context: "", data: "", items: &[] }],
        &dispatcher("synchronous", false, &queue("EVGALL")),
    );
    let directory = bundle("EVG", &[("EVENTBINDING", "EVGB", "b.evbind", &text)]);
    own.region.install(&Definition::new("BUNDLE", "EVG", "TESTGRP").with("BUNDLEDIR", &directory.display().to_string())).unwrap();
    let status = "    EXEC CICS INQUIRE EVENTPROCESS EPSTATUS(WS-A)\n       SCHEMALEVEL(WS-LEVEL) END-EXEC.\n    PERFORM NOTE-IT.\n";
    let set = |command: &str| format!("    EXEC CICS {command} END-EXEC.\n    EXEC CICS SIGNAL EVENT('X') END-EXEC.\n{status}");
    own.compile(
        "PLEVG1",
        "01 WS-A PIC S9(8) COMP.\n01 WS-BAD PIC S9(8) COMP VALUE 999.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-PTR POINTER.\n01 WS-LEVEL PIC X(4).\n01 WS-NAME PIC X(32) VALUE 'EVGB'.\n01 WS-PART PIC X(32) VALUE 'counted'.\n01 L-NUM PIC Z(3)9.\n01 WS-AT PIC S9(4) COMP VALUE 1.\n01 WS-REPORT PIC X(200) VALUE SPACES.",
        "COPY DFHEPGDS.\nCOPY DFHECGDS.\nCOPY DFHECCDS.",
        &format!(
            "MAIN.\n    EXEC CICS SIGNAL EVENT('X') END-EXEC.\n{status}{}{}{}    EXEC CICS SET EVENTPROCESS EPSTATUS(WS-BAD) RESP(WS-RESP)\n       END-EXEC.\n    MOVE EIBRESP2 TO WS-A.\n    PERFORM NOTE-IT.\n    EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(EVENTPROCESS))\n       SET(WS-PTR) END-EXEC.\n    SET ADDRESS OF DFHEPGDS TO WS-PTR.\n    MOVE EPG-SYNC-EVENTS TO WS-A.\n    PERFORM NOTE-IT.\n    EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(EVENTBINDING))\n       SET(WS-PTR) END-EXEC.\n    SET ADDRESS OF DFHECGDS TO WS-PTR.\n    MOVE ECG-EB-EVENTS-CAPTURED TO WS-A.\n    PERFORM NOTE-IT.\n    EXEC CICS EXTRACT STATISTICS RESTYPE(DFHVALUE(EVENTBINDING))\n       RESID(WS-NAME) SUBRESTYPE(DFHVALUE(CAPTURESPEC))\n       SUBRESID(WS-PART) SUBRESIDLEN(7) SET(WS-PTR) END-EXEC.\n    SET ADDRESS OF DFHECCDS TO WS-PTR.\n    MOVE ECC-EVENTS-CAPTURED TO WS-A.\n    PERFORM NOTE-IT.\n    EXEC CICS PERFORM STATISTICS RECORD EVENTPROCESS EVENTBINDING\n       CAPTURESPEC END-EXEC.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.\nNOTE-IT.\n    MOVE WS-A TO L-NUM.\n    STRING '/' L-NUM DELIMITED BY SIZE\n       INTO WS-REPORT WITH POINTER WS-AT END-STRING.",
            set("SET EVENTPROCESS STOPPED"),
            set("SET EVENTPROCESS DRAIN"),
            set("SET EVENTPROCESS STARTED"),
        ),
    );
    own.define_program("PLEVG1", &[]);
    own.define_transaction("EVG1", "PLEVG1");
    let found = own.reported("EVG1");
    let numbers: Vec<i64> = found.trim_end().split('/').skip(1).map(|number| number.trim().parse().unwrap()).collect();
    // An event while processing is started, and one when it is started again; a queue that is empty is drained at once.
    assert_eq!(numbers, [cvda::STARTED, cvda::STOPPED, cvda::STOPPED, cvda::STARTED, 4, 2, 2, 2], "{:#?}", own.lines());
    let text = report::text(own.region);
    let rows: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in ["EVENTBINDING name : EVGB", "CAPTURESPEC name : counted", "Capture point : SIGNAL_EVENT", "Synchronous events : 2"] {
        assert!(rows.iter().any(|found| found == row), "{row}: {rows:#?}");
    }
}
