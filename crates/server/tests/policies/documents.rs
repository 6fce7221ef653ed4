//! The examples of `docs/policies.md` and `docs/events.md`: their bundles are installed, and do what the pages say.

use crate::support::{install, program, reported_after, run, setup};

const DOCUMENT: &str = include_str!("../../../../docs/policies.md");

/// The XML blocks of the page that contain this text.
fn example(part: &str) -> &'static str {
    let blocks = DOCUMENT.split("```xml\n").skip(1).filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
    let found: Vec<&str> = blocks.filter(|block| block.contains(part)).collect();
    assert_eq!(found.len(), 1, "{part} is in one example");
    found[0]
}

#[test]
fn the_bundle_of_the_page_is_installed_and_limits_links() {
    let policy = example("<policy:policy");
    // The system rule of the page, the filter of tasks and the adapter belong to the same bundle here.
    let filter = example("<contextFilter>\n  <TRANSACTION_ID filterOperator=\"SW\"");
    let policy = policy.replace("</policy:policy>", &format!("{}</policy:policy>", example("fileOpenFilter")));
    let condition = "<programRequestCondition item=\"link\" operator=\"GT\" unit=\"\" value=\"100\"";
    assert!(policy.contains(&format!("{condition}/>")), "the rule about links");
    let policy = policy.replace(&format!("{condition}/>"), &format!("{condition}>{filter}</programRequestCondition>"));
    let manifest = example("<manifest").replace(
        "</manifest>",
        "<define name=\"DOCADAPT\" type=\"http://www.ibm.com/xmlns/prod/cics/bundle/EPADAPTER\" path=\"a.epadapter\"/></manifest>",
    );
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundles/DOCUMENT");
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    for (name, text) in
        [("META-INF/cics.xml", manifest.as_str()), ("BANKLIMITS.policy", &policy), ("a.epadapter", example("<ep:EPAdapter"))]
    {
        std::fs::write(directory.join(name), text).unwrap();
    }
    install("DOCUMENT", &directory, "ENABLED").unwrap();
    program("", "PLDOC0", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    let linker =
        "MAIN.\n    PERFORM 101 TIMES\n       EXEC CICS LINK PROGRAM('PLDOC0') END-EXEC\n    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.";
    program("BADO", "PLDOC1", "01 WS-X PIC X.", linker);
    program("DOCO", "PLDOC2", "01 WS-X PIC X.", linker);
    assert_eq!(run("DOCO"), Vec::<String>::new(), "the filter accepts transactions that begin with BA");
    let told = run("BADO");
    // The message of the page has the number of another task.
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>().join(" ");
    let shown = DOCUMENT.split("```\n").find(|block| block.starts_with("DFHMP3001")).expect("the message");
    let shown = words(shown).split_once(" exceeded").expect("what it says").1.to_string();
    assert!(told.len() == 1 && words(&told[0]).ends_with(&shown), "{told:#?}\n{shown}");
    assert!(setup().lines().iter().any(|line| line.contains("BUNDLE DOCUMENT is enabled")));
}

const EVENTS: &str = include_str!("../../../../docs/events.md");

/// The event binding of `docs/events.md`: of two orders the one of more than 10000 starts the transaction with its customer and its amount. The
/// command of the page is one that compiles.
#[test]
fn the_event_binding_of_the_page_captures_large_orders() {
    let blocks = |fence: &str| {
        let rest = EVENTS.split(fence).skip(1).filter_map(|rest| rest.split_once("```"));
        rest.map(|(block, _)| block).collect::<Vec<_>>()
    };
    let [define, binding] = blocks("```xml\n")[..] else { panic!("a part of a manifest and a binding are expected") };
    let manifest = format!("<manifest xmlns=\"http://www.ibm.com/xmlns/prod/cics/bundle\" id=\"orders\">{define}</manifest>");
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundles/ORDERS");
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    std::fs::write(directory.join("META-INF/cics.xml"), manifest).unwrap();
    std::fs::write(directory.join("Orders.evbind"), binding).unwrap();
    install("ORDERS", &directory, "ENABLED").unwrap();
    program(
        "ORDE",
        "ORDEVENT",
        "01 WS-OUT.\n   05 O-CUSTOMER PIC X(8).\n   05 O-AMOUNT PIC X(10).",
        "MAIN.\n    EXEC CICS GET CONTAINER('DFHEP.DATA.00001')\n       INTO(O-CUSTOMER) END-EXEC.\n    EXEC CICS GET CONTAINER('DFHEP.DATA.00002')\n       INTO(O-AMOUNT) END-EXEC.\n    EXEC CICS WRITEQ TS QUEUE('ORDERS') FROM(WS-OUT)\n       MAIN END-EXEC.\n    EXEC CICS RETURN END-EXEC.",
    );
    setup().compile("ORDSTORE", "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(12).", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    setup().define_program("ORDSTORE", &[]);
    let [signal] = blocks("```cobol\n")[..] else { panic!("one command is expected") };
    let order = "    EXEC CICS LINK PROGRAM('ORDSTORE') COMMAREA(ORDER-DATA)\n       LENGTH(12) END-EXEC.\n";
    program(
        "ORDM",
        "ORDMAIN",
        "01 ORDER-DATA.\n   05 R-CUSTOMER PIC X(8) VALUE 'SMALL'.\n   05 R-AMOUNT PIC S9(5)V99 COMP-3 VALUE 10000.",
        &format!(
            "MAIN.\n{order}    MOVE 'LARGE' TO R-CUSTOMER.\n    MOVE 12345.67 TO R-AMOUNT.\n{order}{}.\n    EXEC CICS RETURN END-EXEC.",
            signal.trim_end()
        ),
    );
    run("ORDM");
    let found = reported_after(
        "ORDR",
        "PLORDR",
        "01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-ITEMS PIC S9(4) COMP VALUE 0.\n01 WS-REPORT.\n   05 R-TEXT PIC X(18) VALUE SPACES.\n   05 R-ITEMS PIC 9.",
        "    PERFORM 500 TIMES\n       MOVE 18 TO WS-LEN\n       EXEC CICS READQ TS QUEUE('ORDERS') INTO(R-TEXT)\n          LENGTH(WS-LEN) ITEM(1) NUMITEMS(WS-ITEMS)\n          RESP(WS-RESP) END-EXEC\n       IF WS-RESP = DFHRESP(NORMAL) EXIT PERFORM END-IF\n       EXEC CICS DELAY FOR MILLISECS(10) END-EXEC\n    END-PERFORM.\n    MOVE WS-ITEMS TO R-ITEMS.",
    );
    assert_eq!(found, "LARGE   +012345.671", "{:#?}", setup().lines());
}
