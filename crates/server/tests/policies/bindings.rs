//! Event bindings: events of the commands of COBOL programs, their predicates, and the ways of emission.

use crate::bundle_support::{Capture, event_binding};
use crate::support::{REPORT, bundle, install, program, reported, reported_after, run, setup};
use crate::system_rules::NoDd;
use csd::Definition;
use vsam::idcams::{IdcamsOptions, run as idcams};

const NO_DATA: &[(&str, &str, usize, usize, &str)] = &[];

/// The dispatcher of an adapter: mode of emission, whether it is transactional, and its element of a destination.
pub fn dispatcher(mode: &str, is_transactional: bool, destination: &str) -> String {
    format!(
        "<eventDispatcher><eventDispatcherPolicy><dispatchPriority>normal</dispatchPriority><eventsTransactional>{is_transactional}</eventsTransactional><emissionMode>{mode}</emissionMode><adapterUserid useContextUserid=\"false\"/><adapterTranId/></eventDispatcherPolicy><eventDispatcherAdapter>{destination}</eventDispatcherAdapter></eventDispatcher>"
    )
}

pub fn queue(name: &str) -> String {
    format!(
        "<cicsTSQueueAdapter><queueName>{name}</queueName><sysid/><useAuxTempStorage>false</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>"
    )
}

/// For the tasks of one transaction only.
pub fn of_transaction(transid: &str) -> String {
    format!("<transactionId filterOperator=\"EQ\" filterValue=\"{transid}\"/>")
}

/// Installs a bundle with one event binding.
pub fn install_binding(name: &str, captures: &[Capture], dispatcher: &str) {
    let text = event_binding(captures, dispatcher);
    install(name, &bundle(name, &[("EVENTBINDING", &format!("{name}B"), "b.evbind", &text)]), "ENABLED").unwrap();
}

/// The capture specifications and the data (up to sixteen characters) of the events in a queue of flattened events.
pub fn events_in(transid: &str, name: &str, queue: &str, count: usize) -> Vec<String> {
    let found = reported_after(
        transid,
        name,
        "01 WS-EVENT PIC X(500).\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP VALUE 0.\n01 WS-N PIC S9(4) COMP VALUE 1.\n01 WS-AT PIC S9(4) COMP VALUE 1.\n01 WS-REPORT PIC X(2000) VALUE SPACES.",
        &format!(
            "    PERFORM 400 TIMES\n       MOVE 500 TO WS-LEN\n       MOVE SPACES TO WS-EVENT\n       EXEC CICS READQ TS QUEUE('{queue}') INTO(WS-EVENT)\n          LENGTH(WS-LEN) ITEM(WS-N) RESP(WS-RESP) END-EXEC\n       IF WS-RESP = DFHRESP(NORMAL)\n          STRING '/' WS-EVENT(181:32) WS-EVENT(229:16)\n             DELIMITED BY SIZE INTO WS-REPORT\n             WITH POINTER WS-AT END-STRING\n          ADD 1 TO WS-N\n       ELSE\n          IF WS-N > {count} EXIT PERFORM END-IF\n          EXEC CICS DELAY FOR MILLISECS(5) END-EXEC\n       END-IF\n    END-PERFORM."
        ),
    );
    let found = found.trim_end().split('/').skip(1);
    found.map(|event| format!("{}={}", event[..32.min(event.len())].trim_end(), event.get(32..).unwrap_or("").trim_end())).collect()
}

/// As the sample application GenApp has it: a program is linked to, and a transaction gets its request and its return code.
#[test]
fn a_link_starts_a_transaction_with_the_data_of_the_communication_area() {
    let location = "<linkCommand isPre=\"false\" adVerb=\"PROGRAM\" verb=\"LINK\"><PROGRAM filterValue=\"\" filterOperator=\"OFF\" keyword=\"PROGRAM\"/><CHANNEL filterValue=\"\" filterOperator=\"OFF\" keyword=\"CHANNEL\"/></linkCommand>";
    let context = "<transactionId filterValue=\"\" filterOperator=\"OFF\"/><currentProgram filterValue=\"EB\" filterOperator=\"SW\"/><userId filterValue=\"\" filterOperator=\"OFF\"/><CommandResp filterValue=\"OK\" filterOperator=\"OFF\"/><EIBAID value=\"\" filterOperator=\"OFF\"/><EIBCPOSN filterValue=\"1\" filterOperator=\"OFF\"/>";
    let items = [
        (
            "Request_Type",
            "text",
            6,
            0,
            "captureDataPrecision=\"0\" captureDataType=\"CHAR\" captureLength=\"6\" offset=\"0\" container=\"\" source=\"COMMAREA\"",
        ),
        (
            "Return_code",
            "numeric",
            2,
            0,
            "captureDataPrecision=\"0\" captureDataType=\"CHAR\" captureLength=\"2\" offset=\"6\" container=\"\" source=\"COMMAREA\"",
        ),
    ];
    let adapter = "<cicsTransactionAdapter><transactionId>EBST</transactionId><sysid></sysid><userid useContextUserid=\"false\"></userid><format>CCE</format></cicsTransactionAdapter>";
    program(
        "EBST",
        "PLEBST",
        "COPY DFHEPFEO.\n01 WS-OUT PIC X(120) VALUE SPACES.\n01 WS-A PIC X(16) VALUE SPACES.\n01 WS-B PIC X(16) VALUE SPACES.\n01 WS-C PIC X(16) VALUE SPACES.\n01 WS-LEN PIC S9(8) COMP.",
        "MAIN.\n    EXEC CICS GET CONTAINER('DFHEP.DATA.00001') INTO(WS-A)\n       END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.DATA.00002') INTO(WS-B)\n       END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.NAME.00002') INTO(WS-C)\n       END-EXEC.\n    MOVE LENGTH OF EPFE TO WS-LEN.\n    EXEC CICS GET CONTAINER('DFHEP.CCECONTEXT') INTO(EPFE)\n       FLENGTH(WS-LEN) END-EXEC.\n    STRING WS-A(1:6) WS-B(1:2) WS-C EPFE-EVENTBINDING(1:5)\n       EPFE-EBUSERTAG EPFE-BUSINESSEVENT(1:10) EPFE-CSNAME(1:4)\n       EPFE-NETWORKUOWID(1:4)\n       DELIMITED BY SIZE INTO WS-OUT END-STRING.\n    EXEC CICS WRITEQ TS QUEUE('EBSTART') FROM(WS-OUT)\n       LENGTH(60) MAIN END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    install_binding(
        "EBG",
        &[Capture { name: "link", location, context, data: "", items: &items }],
        &dispatcher("asynchronous", false, adapter),
    );
    setup().compile(
        "EBLINKED",
        "01 WS-X PIC X.",
        "01 DFHCOMMAREA PIC X(8).",
        "MAIN.\n    MOVE '00' TO DFHCOMMAREA(7:2).\n    EXEC CICS RETURN END-EXEC.",
    );
    setup().define_program("EBLINKED", &[]);
    program(
        "EBG1",
        "EBLINKER",
        "01 WS-AREA PIC X(8) VALUE '01ACUS99'.",
        "MAIN.\n    EXEC CICS LINK PROGRAM('EBLINKED') COMMAREA(WS-AREA)\n       LENGTH(8) END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("EBG1");
    let found = reported_after(
        "EBG2",
        "PLEBG2",
        "01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-REPORT PIC X(60) VALUE SPACES.",
        "    PERFORM 500 TIMES\n       MOVE 60 TO WS-LEN\n       EXEC CICS READQ TS QUEUE('EBSTART') INTO(WS-REPORT)\n          LENGTH(WS-LEN) ITEM(1) RESP(WS-RESP) END-EXEC\n       IF WS-RESP = DFHRESP(NORMAL) EXIT PERFORM END-IF\n       EXEC CICS DELAY FOR MILLISECS(10) END-EXEC\n    END-PERFORM.",
    );
    assert_eq!(found.trim_end(), "01ACUS00Return_code     EBGB TAGGED  link_eventlink1A11", "{:#?}", setup().lines());
}

/// One capture specification of each kind; a synchronous adapter writes the events in the order of the commands.
#[test]
fn commands_and_program_starts_are_captured_with_their_data() {
    let here = of_transaction("EBC1");
    let char =
        |source: &str, length: usize| format!("captureDataType=\"CHAR\" captureLength=\"{length}\" offset=\"0\" source=\"{source}\"");
    let location = |pre: bool, verb: &str, adverb: &str| format!("<x isPre=\"{pre}\" verb=\"{verb}\" adVerb=\"{adverb}\"/>");
    let option = |verb: &str, adverb: &str, option: &str, value: &str| {
        format!(
            "<x isPre=\"false\" verb=\"{verb}\" adVerb=\"{adverb}\"><{option} keyword=\"{option}\" filterOperator=\"EQ\" filterValue=\"{value}\"/></x>"
        )
    };
    let contained = format!("container=\"EBBOX\" {}", char("FROMCHANNEL", 0));
    let started = format!("container=\"EBBOX\" {}", char("CHANNEL", 0));
    let rows: Vec<(&str, String, String)> = vec![
        ("write", option("WRITEQ", "TS", "QNAME", "EBTS"), char("FROM", 0)),
        ("write_other", option("WRITEQ", "TS", "QNAME", "NOWHERE"), char("FROM", 0)),
        ("read_into", location(false, "READQ", "TS"), char("INTO-SET", 0)),
        ("delete", location(true, "DELETEQ", "TS"), char("QNAME", 0)),
        ("put", location(false, "PUT", "CONTAINER"), char("CONTAINER", 0)),
        ("signal", option("SIGNAL", "EVENT", "EVENT", "Order.Placed"), char("FROM", 0)),
        ("signal_channel", option("SIGNAL", "EVENT", "EVENT", "Order.Sent"), contained),
        ("link_before", location(true, "LINK", "PROGRAM"), char("COMMAREA", 0)),
        ("begin", location(false, "PROGRAM", "INIT"), char("COMMAREA", 0)),
        ("xctl", location(true, "XCTL", "PROGRAM"), char("PROGRAM", 0)),
        ("failed", location(false, "LINK", "PROGRAM"), char("CommandResp", 0)),
        ("start", location(false, "START", ""), started),
        ("retrieve", location(false, "RETRIEVE", ""), char("CommandResp", 0)),
        ("operator", location(false, "WRITE", "OPERATOR"), char("TEXT", 0)),
    ];
    let items: Vec<_> = rows.iter().map(|(_, _, source)| [("data", "text", 16, 0, source.as_str())]).collect();
    let captures: Vec<Capture> =
        rows.iter().zip(&items).map(|((name, location, _), items)| Capture { name, location, context: &here, data: "", items }).collect();
    install_binding("EBC", &captures, &dispatcher("synchronous", false, &queue("EBCALL")));
    setup().compile("EBCALLEE", "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(8).", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    setup().define_program("EBCALLEE", &[]);
    setup().compile("EBCNEXT", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    setup().define_program("EBCNEXT", &[]);
    program("EBC9", "EBCSTART", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    program(
        "EBC1",
        "PLEBC1",
        "01 WS-AREA PIC X(8) VALUE 'AREADATA'.\n01 WS-IN PIC X(20).\n01 WS-LEN PIC S9(4) COMP VALUE 20.\n01 WS-RESP PIC S9(8) COMP.",
        "MAIN.\n    EXEC CICS WRITEQ TS QUEUE('EBTS') FROM(WS-AREA)\n       LENGTH(5) MAIN END-EXEC.\n    EXEC CICS READQ TS QUEUE('EBTS') INTO(WS-IN)\n       LENGTH(WS-LEN) ITEM(1) END-EXEC.\n    EXEC CICS DELETEQ TS QUEUE('EBTS') END-EXEC.\n    EXEC CICS PUT CONTAINER('EBBOX') CHANNEL('EBCHAN')\n       FROM('BOXED') END-EXEC.\n    EXEC CICS SIGNAL EVENT('Order.Placed') FROM(WS-AREA)\n       FROMLENGTH(4) END-EXEC.\n    EXEC CICS SIGNAL EVENT('Order.Sent') FROMCHANNEL('EBCHAN')\n       END-EXEC.\n    EXEC CICS SIGNAL EVENT('Order.Lost') END-EXEC.\n    EXEC CICS LINK PROGRAM('EBCALLEE') COMMAREA(WS-AREA)\n       LENGTH(8) END-EXEC.\n    EXEC CICS LINK PROGRAM('EBCNONE') RESP(WS-RESP) END-EXEC.\n    EXEC CICS START TRANSID('EBC9') CHANNEL('EBCHAN') END-EXEC.\n    EXEC CICS RETRIEVE INTO(WS-IN) RESP(WS-RESP) END-EXEC.\n    EXEC CICS WRITE OPERATOR TEXT('TO ALL') END-EXEC.\n    EXEC CICS XCTL PROGRAM('EBCNEXT') END-EXEC.",
    );
    run("EBC1");
    let found = events_in("EBC2", "PLEBC2", "EBCALL", 0);
    let expected = [
        "begin=",
        "write=AREAD",
        "read_into=AREAD",
        "delete=EBTS",
        "put=EBBOX",
        "signal=AREA",
        "signal_channel=BOXED",
        "link_before=AREADATA",
        "begin=AREADATA",
        "failed=0",
        "link_before=",
        "failed=27",
        "start=BOXED",
        "retrieve=29",
        "operator=TO ALL",
        "xctl=EBCNEXT",
        "begin=",
    ];
    assert_eq!(found, expected, "{:#?}", setup().lines());
}

/// Data of all types is compared and formatted; a predicate that is false, and data that is no number, emit nothing.
#[test]
fn predicates_compare_the_data_and_items_are_formatted() {
    let here = of_transaction("EBP1");
    let location = "<linkCommand isPre=\"true\" adVerb=\"PROGRAM\" verb=\"LINK\"/>";
    let at = |kind: &str, offset: usize, length: usize, precision: usize| {
        format!(
            "captureDataType=\"{kind}\" captureLength=\"{length}\" captureDataPrecision=\"{precision}\" offset=\"{offset}\" source=\"COMMAREA\""
        )
    };
    let filter = |operator: &str, value: &str, field: &str| {
        format!("<dataFilterItem filterOperator=\"{operator}\" filterValue=\"{value}\" {field}/>")
    };
    let amount = at("PACKED", 8, 4, 2);
    let items = [("packed", "numeric", 9, 2, amount.clone()), ("zoned", "text", 5, 0, at("ZONED", 12, 3, 0))];
    let float = [("float", "scientific", 0, 0, at("FLOAT", 17, 4, 0))];
    let half = [("half", "numeric", 0, 0, at("SHWORD", 15, 2, 0)), ("hex", "text", 0, 0, at("HEX", 15, 2, 0))];
    fn borrowed<'a>(items: &'a [(&'a str, &'a str, usize, usize, String)]) -> Vec<(&'a str, &'a str, usize, usize, &'a str)> {
        items.iter().map(|(name, form, length, precision, source)| (*name, *form, *length, *precision, source.as_str())).collect()
    }
    let (items, float, half) = (borrowed(&items), borrowed(&float), borrowed(&half));
    let filters = [
        filter("GT", "10000", &amount),
        filter("GT", "10001", &amount) + &filter("EQ", "ORDER", &at("CHAR", 0, 8, 0)),
        filter("SW", "ORD", &at("CHAR", 0, 8, 0)) + &filter("LT", "0", &at("ZONED", 12, 3, 0)),
        filter("EQ", "-2", &at("SHWORD", 15, 2, 0)),
        filter("EQ", "1", &at("PACKED", 0, 4, 0)),
        filter("EQ", "X", &at("CHAR", 30, 4, 0)),
    ];
    let of = |number: usize, name| (name, filters[number].as_str());
    let rows = [of(0, "greater"), of(1, "not_greater"), of(2, "negative"), of(3, "binary"), of(4, "not_packed"), of(5, "not_there")];
    let captures: Vec<Capture> = rows
        .iter()
        .map(|(name, data)| {
            let items = match *name {
                "negative" => &float,
                "binary" => &half,
                _ => &items,
            };
            Capture { name, location, context: &here, data, items }
        })
        .collect();
    install_binding("EBP", &captures, &dispatcher("synchronous", false, &queue("EBPALL")));
    setup().compile("EBPNEXT", "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(21).", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    setup().define_program("EBPNEXT", &[]);
    program(
        "EBP1",
        "PLEBP1",
        "01 WS-AREA.\n   05 A-NAME PIC X(8) VALUE 'ORDER'.\n   05 A-AMOUNT PIC S9(5)V99 COMP-3 VALUE 10000.55.\n   05 A-ZONED PIC S9(3) VALUE -42.\n   05 A-HALF PIC S9(4) COMP VALUE -2.\n   05 A-FLOAT COMP-1 VALUE 100.",
        "MAIN.\n    EXEC CICS LINK PROGRAM('EBPNEXT') COMMAREA(WS-AREA)\n       LENGTH(21) END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("EBP1");
    let found = events_in("EBP2", "PLEBP2", "EBPALL", 0);
    assert_eq!(found, ["greater=+10000.55-42", "negative=+1.000000E+002", "binary=-00002FFFE"], "{:#?}", setup().lines());
    let told = setup().lines().iter().filter(|line| line.starts_with("DFHEC1007") && line.contains("not_packed")).count();
    assert_eq!(told, 1, "{:#?}", setup().lines());
}

/// Events of a transactional adapter are emitted when the unit of work commits, and not when it is backed out.
#[test]
fn transactional_events_belong_to_the_unit_of_work() {
    setup().define_transaction("CEPR", "DFHECEAS");
    let location = "<x isPre=\"false\" verb=\"SIGNAL\" adVerb=\"EVENT\"/>";
    let context = of_transaction("EBT1");
    let items = [("what", "text", 8, 0, "captureDataType=\"CHAR\" captureLength=\"0\" source=\"EVENT\"")];
    let capture = [Capture { name: "transactional", location, context: &context, data: "", items: &items }];
    install_binding("EBT", &capture, &dispatcher("asynchronous", true, &queue("EBTALL")));
    program(
        "EBT1",
        "PLEBT1",
        "01 WS-X PIC X.",
        "MAIN.\n    EXEC CICS SIGNAL EVENT('BACKED') END-EXEC.\n    EXEC CICS SYNCPOINT ROLLBACK END-EXEC.\n    EXEC CICS SIGNAL EVENT('KEPT') END-EXEC.\n    EXEC CICS SYNCPOINT END-EXEC.\n    EXEC CICS SIGNAL EVENT('LAST') END-EXEC.\n    EXEC CICS SIGNAL EVENT('DROPPED') END-EXEC.\n    EXEC CICS ABEND ABCODE('DROP') NODUMP END-EXEC.",
    );
    run("EBT1");
    assert_eq!(events_in("EBT2", "PLEBT2", "EBTALL", 1), ["transactional=KEPT"], "{:#?}", setup().lines());
}

/// The queue of the adapter is not defined: the event is not emitted, and the unit of work is backed out at its syncpoint, which the program or
/// the end of the task gives.
#[test]
fn a_synchronous_event_that_fails_backs_the_unit_of_work_out() {
    let destination = "<cicsTDQueueAdapter><queueName>EBNO</queueName><sysid/><format>CFE</format></cicsTDQueueAdapter>";
    let location = "<x isPre=\"true\" verb=\"SIGNAL\" adVerb=\"EVENT\"/>";
    let context = of_transaction("EBF1");
    let capture = [Capture { name: "failing", location, context: &context, data: "", items: NO_DATA }];
    install_binding("EBF", &capture, &dispatcher("synchronous", true, destination));
    program(
        "EBF1",
        "PLEBF1",
        "01 WS-RESP PIC S9(8) COMP.",
        "MAIN.\n    EXEC CICS SIGNAL EVENT('FAILING') END-EXEC.\n    EXEC CICS SYNCPOINT RESP(WS-RESP) END-EXEC.\n    IF WS-RESP NOT = DFHRESP(ROLLEDBACK)\n       EXEC CICS ABEND ABCODE('WRNG') END-EXEC\n    END-IF.\n    EXEC CICS SIGNAL EVENT('FAILING') END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("EBF1");
    let lines = setup().lines();
    assert!(lines.iter().any(|line| line.contains("EBF1") && line.contains("ASP7")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("DFHEP0114") && line.contains("adapter EBFB is lost: QIDERR")), "{lines:#?}");
}

/// A program of the user gets the event as the object that "Writing a custom EP adapter" describes.
#[test]
fn a_custom_adapter_gets_the_context_the_description_and_the_data() {
    let destination = "<customAdapter><data>EBOUT</data><programName>EBCUSTOM</programName></customAdapter>";
    let location = "<x isPre=\"true\" verb=\"LINK\" adVerb=\"PROGRAM\"><PROGRAM keyword=\"PROGRAM\" filterOperator=\"EQ\" filterValue=\"EBUNEXT\"/></x>";
    let context = of_transaction("EBU1");
    let items = [("amount", "numeric", 6, 0, "captureDataType=\"PACKED\" captureLength=\"2\" offset=\"0\" source=\"COMMAREA\"")];
    let capture = [Capture { name: "custom", location, context: &context, data: "", items: &items }];
    install_binding("EBU", &capture, &dispatcher("synchronous", true, destination));
    program(
        "",
        "EBCUSTOM",
        "COPY DFHEPCXO.\nCOPY DFHEPAPO.\n01 WS-QUEUE PIC X(16) VALUE SPACES.\n01 WS-CHAR PIC X(6).\n01 WS-RAW PIC S9(3) COMP-3.\n01 WS-SHOWN PIC 999.\n01 WS-DESC PIC X(80).\n01 WS-OUT PIC X(80) VALUE SPACES.",
        "MAIN.\n    EXEC CICS GET CONTAINER('DFHEP.CONTEXT') INTO(EPCX) END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.ADAPTPARM') INTO(EPAP)\n       END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.ADAPTER') INTO(WS-QUEUE)\n       END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.CHAR.00001') INTO(WS-CHAR)\n       END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.DATA.00001') INTO(WS-RAW)\n       END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.DESCRIPTOR') INTO(WS-DESC)\n       END-EXEC.\n    MOVE WS-RAW TO WS-SHOWN.\n    STRING EPCX-CS-NAME(1:6) EPCX-TRANID EPCX-PROGRAM\n       EPCX-EVENT-TYPE EPAP-ADAPTERNAME(1:4) EPAP-RECOVER\n       WS-CHAR WS-SHOWN WS-DESC(17:6) WS-DESC(49:6)\n       DELIMITED BY SIZE INTO WS-OUT END-STRING.\n    EXEC CICS WRITEQ TS QNAME(WS-QUEUE) FROM(WS-OUT)\n       LENGTH(60) MAIN END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    setup().compile("EBUNEXT", "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(2).", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    setup().define_program("EBUNEXT", &[]);
    program(
        "EBU1",
        "PLEBU1",
        "01 WS-AREA PIC S9(3) COMP-3 VALUE -17.\n01 WS-LEN PIC S9(4) COMP VALUE 60.\n01 WS-REPORT PIC X(60) VALUE SPACES.",
        &format!(
            "MAIN.\n    EXEC CICS LINK PROGRAM('EBUNEXT') COMMAREA(WS-AREA)\n       LENGTH(2) END-EXEC.\n    EXEC CICS READQ TS QUEUE('EBOUT') INTO(WS-REPORT)\n       LENGTH(WS-LEN) ITEM(1) END-EXEC.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
        ),
    );
    assert_eq!(reported("EBU1").trim_end(), "customEBU1PLEBU1  AEBUBR-00017017amountPACKED", "{:#?}", setup().lines());
}

#[test]
fn a_binding_that_is_not_understood_is_refused_with_a_message() {
    let location = "<webReadCommand isPre=\"true\" verb=\"WEB\" adVerb=\"READ\"/>";
    let capture = [Capture { name: "web", location, context: "", data: "", items: NO_DATA }];
    let text = event_binding(&capture, &dispatcher("asynchronous", false, &queue("EBRALL")));
    install("EBR", &bundle("EBR", &[("EVENTBINDING", "EBRB", "b.evbind", &text)]), "ENABLED").unwrap();
    let lines = setup().lines();
    let told = |id: &str, text: &str| lines.iter().any(|line| line.starts_with(id) && line.contains(text));
    assert!(told("DFHEC1011", "EVENTBINDING EBRB in BUNDLE EBR cannot be created: capture specification web"), "{lines:#?}");
    assert!(told("DFHRL0109", "BUNDLE EBR is disabled"), "{lines:#?}");
}

/// Files have their key and their record, also of a record that SET points to.
#[test]
fn commands_about_files_are_captured_with_key_and_record() {
    let region = setup().region;
    let define = "  DEFINE CLUSTER (NAME(EVENTS.FILE) INDEXED KEYS(4 0) RECORDSIZE(20 40) CYLINDERS(1 1))";
    let outcome = idcams(&region.data_sets, define, &NoDd, &IdcamsOptions { ccsid: 37, progress: None });
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
    let file = Definition::new("FILE", "EBVFILE", "TEST").with("DSNAME", "EVENTS.FILE").with("STATUS", "ENABLED");
    let options = ["ADD", "BROWSE", "DELETE", "UPDATE"].into_iter().fold(file, |file, option| file.with(option, "YES"));
    region.install(&options).unwrap();
    let here = of_transaction("EBV1");
    let data =
        |source: &str, length: usize| format!("captureDataType=\"CHAR\" captureLength=\"{length}\" offset=\"0\" source=\"{source}\"");
    let rows = [
        ("written", "WRITE", "FROM"),
        ("read", "READ", "INTO-SET"),
        ("next", "READNEXT", "RIDFLD"),
        ("previous", "READPREV", "INTO-SET"),
        ("rewritten", "REWRITE", "FROM"),
        ("deleted", "DELETE", "RIDFLD"),
    ]
    .map(|(name, verb, source)| {
        let option = "<FILE keyword=\"FILE\" filterOperator=\"EQ\" filterValue=\"EBVFILE\"/>";
        (name, format!("<x isPre=\"false\" verb=\"{verb}\" adVerb=\"FILE\">{option}</x>"), data(source, 0))
    });
    let items: Vec<_> = rows.iter().map(|(_, _, source)| [("data", "text", 16, 0, source.as_str())]).collect();
    let captures: Vec<Capture> =
        rows.iter().zip(&items).map(|((name, location, _), items)| Capture { name, location, context: &here, data: "", items }).collect();
    install_binding("EBV", &captures, &dispatcher("synchronous", false, &queue("EBVALL")));
    program(
        "EBV1",
        "PLEBV1",
        "01 WS-KEY PIC X(4) VALUE 'KEY1'.\n01 WS-RECORD PIC X(12) VALUE 'KEY1RECORD01'.\n01 WS-IN PIC X(40).\n01 WS-LEN PIC S9(4) COMP.\n01 WS-PTR POINTER.",
        "MAIN.\n    EXEC CICS WRITE FILE('EBVFILE') RIDFLD(WS-KEY)\n       FROM(WS-RECORD) LENGTH(12) END-EXEC.\n    EXEC CICS READ FILE('EBVFILE') RIDFLD(WS-KEY)\n       SET(WS-PTR) LENGTH(WS-LEN) UPDATE END-EXEC.\n    MOVE 'KEY1SECOND' TO WS-RECORD.\n    EXEC CICS REWRITE FILE('EBVFILE') FROM(WS-RECORD)\n       LENGTH(10) END-EXEC.\n    EXEC CICS STARTBR FILE('EBVFILE') RIDFLD(WS-KEY) END-EXEC.\n    MOVE 40 TO WS-LEN.\n    EXEC CICS READNEXT FILE('EBVFILE') RIDFLD(WS-KEY)\n       INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.\n    MOVE 40 TO WS-LEN.\n    EXEC CICS READPREV FILE('EBVFILE') RIDFLD(WS-KEY)\n       INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.\n    EXEC CICS ENDBR FILE('EBVFILE') END-EXEC.\n    EXEC CICS DELETE FILE('EBVFILE') RIDFLD(WS-KEY) END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    run("EBV1");
    let found = events_in("EBV2", "PLEBV2", "EBVALL", 0);
    let expected =
        ["written=KEY1RECORD01", "read=KEY1RECORD01", "rewritten=KEY1SECOND", "next=KEY1", "previous=KEY1SECOND", "deleted=KEY1"];
    assert_eq!(found, expected, "{:#?}", setup().lines());
}
