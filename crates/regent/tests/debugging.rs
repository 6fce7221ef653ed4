//! The debugger: programs compiled with TEST in a running region, stopped, stepped and changed through `regent debug`.

mod support;

use serde_json::{Value, json};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;
use support::debug::Debugger;
use support::terminal::Terminal;
use support::{Region, root};

fn application() -> PathBuf {
    root().join("crates/regent/tests/applications/debugging")
}

fn source(name: &str) -> PathBuf {
    application().join("cobol").join(name)
}

/// The line of a source that contains a text first.
fn line_of(name: &str, text: &str) -> u64 {
    let source = std::fs::read_to_string(source(name)).expect("the source");
    source.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{name} has no {text}")) as u64 + 1
}

struct Setting {
    region: Region,
    data: tempfile::TempDir,
}

impl Setting {
    fn new() -> Setting {
        let data = tempfile::tempdir().expect("a scratch directory");
        let region = Region::start(&application(), data.path(), &[]);
        Setting { region, data }
    }

    fn attach(&self, arguments: Value, set: impl FnOnce(&mut Debugger)) -> Debugger {
        Debugger::attach(&application(), self.data.path(), arguments, set)
    }

    /// A transaction at a terminal of its own; the screen when the keyboard is free again.
    fn transaction(&self, text: &str) -> JoinHandle<String> {
        self.transaction_of(None, text)
    }

    fn transaction_of(&self, user: Option<&str>, text: &str) -> JoinHandle<String> {
        let (port, text, user) = (self.region.port, text.to_string(), user.map(str::to_string));
        std::thread::spawn(move || {
            let mut terminal = Terminal::connect(port);
            if let Some(user) = user {
                terminal.transaction(&format!("CESN USERID={user}"));
            }
            terminal.transaction(&text);
            terminal.text().join("\n")
        })
    }
}

fn place(name: &str, line: u64) -> (String, u64) {
    (name.to_string(), line)
}

const CALL: &str = "CALL 'PRICING'";
const LINK: &str = "LINK PROGRAM('AUDIT')";
const PERFORM: &str = "PERFORM FILL-LINE";
const ADD: &str = "ADD WS-PRICE(WS-I)";

#[test]
fn a_breakpoint_stops_a_task_and_steps_follow_control() {
    let setting = Setting::new();
    let lines = |text: &str| line_of("ORDERS.cbl", text);
    let mut debugger = setting.attach(json!({ "transaction": "ORDR" }), |debugger| {
        // No program has run: the breakpoint waits for one.
        let set = debugger.break_at(&source("ORDERS.cbl"), json!([{ "line": lines("MAIN-PARA.") }]));
        assert_eq!(set[0]["verified"], false, "{set:?}");
    });
    let screen = setting.transaction("ORDR");
    let task = debugger.stopped("breakpoint");
    let changed = debugger.event("breakpoint");
    assert_eq!(
        (&changed["breakpoint"]["verified"], changed["breakpoint"]["line"].as_u64()),
        (&json!(true), Some(lines("MOVE 0 TO WS-TOTAL")))
    );
    assert_eq!(debugger.places(task), [place("MAIN-PARA OF ORDERS", lines("MOVE 0 TO WS-TOTAL"))]);
    let threads = debugger.expect("threads", json!({}));
    let name = threads["threads"][0]["name"].as_str().expect("a name").to_string();
    assert!(name.starts_with("ORDR task ") && name.contains(" at "), "{threads}");

    // Into the PERFORM, whose first statements are those of a copied member.
    debugger.step("next", task);
    debugger.step("stepIn", task);
    let frames = debugger.frames(task);
    let (top, below) = (&frames[0], &frames[1]);
    assert!(top["source"]["path"].as_str().is_some_and(|path| path.ends_with("copy/FILLCODE.cpy")) && top["line"] == 1, "{top}");
    assert_eq!((&below["name"], below["line"].as_u64()), (&json!("MAIN-PARA OF ORDERS"), Some(lines(PERFORM))));
    assert_eq!(debugger.value(task, "WS-I"), "1");
    debugger.step("next", task);
    debugger.step("next", task);
    assert_eq!(debugger.places(task)[0], place("FILL-LINE OF ORDERS", lines(ADD)));
    debugger.step("stepOut", task);
    assert_eq!(debugger.places(task), [place("MAIN-PARA OF ORDERS", lines(CALL))]);
    assert_eq!(debugger.value(task, "WS-TOTAL"), "9.00");

    // Into the called program, and over the rest of it.
    debugger.step("stepIn", task);
    let pricing = [place("PRICE-PARA OF PRICING", line_of("PRICING.cbl", "ADD 1 TO")), place("MAIN-PARA OF ORDERS", lines(CALL))];
    assert_eq!(debugger.places(task), pricing);
    debugger.step("next", task);
    debugger.step("next", task);
    assert_eq!(debugger.places(task), [place("MAIN-PARA OF ORDERS", lines(LINK))]);

    // Into the program of the next level, out of it, and over a command.
    debugger.step("stepIn", task);
    let audit = line_of("AUDIT.cbl", "ADD 1 TO");
    assert_eq!(debugger.places(task), [place("AUDIT-PARA OF AUDIT", audit), place("MAIN-PARA OF ORDERS", lines(LINK))]);
    debugger.step("stepOut", task);
    assert_eq!(debugger.places(task), [place("MAIN-PARA OF ORDERS", lines("READQ TS"))]);
    // To the next command: two statements lie between.
    debugger.expect("next", json!({ "threadId": task, "granularity": "instruction" }));
    assert_eq!(debugger.stopped("step"), task);
    assert_eq!(debugger.places(task)[0].1, lines("SEND TEXT"));
    debugger.go(task);
    assert!(screen.join().expect("a screen").contains("TOTAL     10.00"));
    assert_eq!(debugger.event("thread")["threadId"], task);
    debugger.expect("disconnect", json!({}));
    assert_eq!(setting.region.stop(), 0);
}

#[test]
fn variables_are_shown_and_changed_by_their_pictures() {
    let setting = Setting::new();
    let mut debugger = setting.attach(json!({ "transaction": "ORDR" }), |debugger| {
        debugger.break_at(&source("ORDERS.cbl"), json!([{ "line": line_of("ORDERS.cbl", "READQ TS") }]));
    });
    let screen = setting.transaction("ORDR");
    let task = debugger.stopped("breakpoint");
    let working = debugger.scope(task, "WORKING-STORAGE");
    let order = debugger.variable(&working, "WS-ORDER");
    let order = &order["variablesReference"];
    let number = debugger.variable(order, "WS-NUMBER");
    assert_eq!((&number["value"], &number["type"], &number["evaluateName"]), (&json!("4711"), &json!("05 9(5)"), &json!("WS-NUMBER")));
    assert_eq!(debugger.variable(order, "WS-TOTAL")["value"], "10.00");
    let status = debugger.variable(order, "WS-STATUS")["variablesReference"].clone();
    assert_eq!(debugger.variable(&status, "IS-NEW")["value"], "true");
    assert_eq!(debugger.variable(&status, "IS-DONE")["value"], "false");
    // A table by element, and one within it.
    let table = debugger.variable(order, "WS-LINE");
    assert_eq!((&table["value"], &table["indexedVariables"]), (&json!("3 occurrences"), &json!(3)));
    let second = debugger.variable(&table["variablesReference"], "(2)");
    let price = debugger.variable(&second["variablesReference"], "WS-PRICE");
    assert_eq!((&price["value"], &price["evaluateName"]), (&json!("3.00"), &json!("WS-PRICE(2)")));
    let sizes = debugger.variable(&second["variablesReference"], "WS-SIZE")["variablesReference"].clone();
    assert_eq!(debugger.variables(&sizes).len(), 2);
    // A long table in pages, or as the client asks for it: 250 of 300 occurrences, by DEPENDING ON.
    let many = debugger.variable(&working, "WS-MANY")["variablesReference"].clone();
    let ones = debugger.variable(&many, "WS-ONE")["variablesReference"].clone();
    let pages: Vec<Value> = debugger.variables(&ones).iter().map(|page| page["name"].clone()).collect();
    assert_eq!(pages, ["(1:100)", "(101:200)", "(201:250)"]);
    let part = debugger.expect("variables", json!({ "variablesReference": ones, "filter": "indexed", "start": 248, "count": 100 }));
    let names: Vec<&Value> = part["variables"].as_array().expect("variables").iter().map(|variable| &variable["name"]).collect();
    assert_eq!(names, ["(249)", "(250)"]);
    kinds(&mut debugger, task);
    changes(&mut debugger, task, order);
    beside_storage(&mut debugger, task);
    debugger.go(task);
    let screen = screen.join().expect("a screen");
    assert!(screen.contains("TOTAL 12,345.67- BROWN"), "{screen}");
    debugger.close_input();
    assert!(debugger.child.wait().expect("it ends").success());
    assert_eq!(setting.region.stop(), 0);
}

/// Usages, expressions, and what has no value.
fn kinds(debugger: &mut Debugger, task: u64) {
    let values = [
        ("WS-NATIONAL", "'ABC'"),
        ("WS-RATE", "1.5"),
        ("WS-POINTER", "NULL"),
        ("WS-DIGITS", "X'404040' (not a number)"),
        ("WS-CUSTOMER OF WS-ORDER(1:3)", "'ADA'"),
        ("ws-price(ws-x + 1) + 1", "2.50"),
        ("LENGTH OF WS-ORDER", "59"),
        ("LS-LEFT", "7"),
        ("IS-DONE", "false"),
        ("WS-TOTAL >= 10 AND NOT IS-DONE", "true"),
        ("WS-CUSTOMER = 'ADAMS'", "true"),
        ("WS-TEXT = SPACES", "true"),
        ("WS-DIGITS IS NUMERIC", "false"),
        ("EIBTRNID", "'ORDR'"),
    ];
    // The index-name is 1 at the beginning of the program only if it has been set.
    let frame = debugger.frame(task, 0);
    debugger.expect("setExpression", json!({ "frameId": frame, "expression": "WS-X", "value": "0" }));
    for (expression, value) in values {
        assert_eq!(debugger.value(task, expression), value, "{expression}");
    }
    for (expression, reason) in [
        ("WS-NONE", "WS-NONE is not an item of ORDERS"),
        ("WS-PRICE", "WS-PRICE needs 1 subscripts, not 0"),
        ("WS-PRICE(4)", "WS-LINE has no occurrence 4: it has 3"),
        ("WS-TEXT(2:3)", "(2:3) is outside of WS-TEXT, which has 3 characters"),
        ("WS-NUMBER =", "the expression is not complete"),
    ] {
        let frame = debugger.frame(task, 0);
        assert_eq!(debugger.refused("evaluate", json!({ "expression": expression, "frameId": frame })), reason);
    }
}

fn changes(debugger: &mut Debugger, task: u64, order: &Value) {
    let set = |debugger: &mut Debugger, reference: &Value, name: &str, value: &str| {
        debugger.request("setVariable", json!({ "variablesReference": reference, "name": name, "value": value }))
    };
    assert_eq!(set(debugger, order, "WS-TOTAL", "-12345.67")["body"]["value"], "-12345.67");
    assert_eq!(set(debugger, order, "WS-CUSTOMER", "'BROWN'")["body"]["value"], "'BROWN'");
    for (name, value, reason) in [
        ("WS-TOTAL", "123456", "123456 does not fit WS-TOTAL 05 S9(5)V99 COMP-3"),
        ("WS-TOTAL", "1.005", "1.005 does not fit WS-TOTAL 05 S9(5)V99 COMP-3"),
        ("WS-NUMBER", "-1", "-1 does not fit WS-NUMBER 05 9(5)"),
        ("WS-NUMBER", "many", "MANY is not an item of ORDERS"),
        ("WS-CUSTOMER", "'ELEVEN CHARS'", "a value of 12 characters does not fit WS-CUSTOMER 05 X(10)"),
        ("WS-STATUS", "X'C1C2'", "2 bytes do not fit WS-STATUS 05 X"),
        ("WS-LINE", "1", "WS-LINE cannot be changed"),
    ] {
        let response = set(debugger, order, name, value);
        assert_eq!((&response["success"], &response["message"]), (&json!(false), &json!(reason)));
    }
    assert_eq!(debugger.value(task, "WS-TOTAL"), "-12345.67");
    let status = debugger.variable(order, "WS-STATUS")["variablesReference"].clone();
    assert_eq!(set(debugger, &status, "IS-DONE", "true")["success"], true);
    assert_eq!(debugger.value(task, "WS-STATUS"), "'C'");
    let frame = debugger.frame(task, 0);
    for (item, value, shown) in [
        ("WS-EDITED", "-1234.5", "' 1,234.50-'"),
        ("WS-NATIONAL", "N'ÄB'", "'ÄB'"),
        ("WS-RATE", "0.25", "0.25"),
        ("WS-DIGITS", "42", "42"),
        ("WS-TEXT", "X'C1C240'", "'AB'"),
        ("WS-RIGHT", "'ABC'", "'   ABC'"),
        ("WS-TEXT", "SPACES", "''"),
        ("WS-ONE(250)", "WS-NUMBER - 4000", "711"),
        ("WS-SIZE(3, 2)", "9", "9"),
    ] {
        let body = debugger.expect("setExpression", json!({ "frameId": frame, "expression": item, "value": value }));
        assert_eq!(body["value"], shown, "{item}");
    }
}

/// The EIB, the containers of a channel, storage by its address, and numbers that are void.
fn beside_storage(debugger: &mut Debugger, task: u64) {
    let eib = debugger.scope(task, "EIB");
    assert_eq!(debugger.variable(&eib, "EIBTRNID")["value"], "'ORDR'");
    assert_eq!(debugger.variable(&eib, "EIBTASKN")["value"], task.to_string());
    let of_task = debugger.scope(task, "Task");
    assert_eq!(debugger.variable(&of_task, "transaction")["value"], "ORDR");
    let frame = debugger.frame(task, 0);
    let customer = debugger.expect("evaluate", json!({ "expression": "WS-CUSTOMER", "frameId": frame }));
    let memory = customer["memoryReference"].clone();
    let read = debugger.expect("readMemory", json!({ "memoryReference": memory, "count": 5 }));
    // BROWN in EBCDIC.
    assert_eq!(read["data"], "wtnW5tU=");
    let written = debugger.expect("writeMemory", json!({ "memoryReference": memory, "offset": 1, "data": "2Q==" }));
    assert_eq!(written["bytesWritten"], 1);
    for reference in ["0x80000000", "0xFFFFFFFFFFFF", "here"] {
        debugger.refused("readMemory", json!({ "memoryReference": reference, "count": 1 }));
    }
    let nothing = debugger.expect("readMemory", json!({ "memoryReference": "0x00000000", "count": 16 }));
    assert_eq!((&nothing["data"], &nothing["unreadableBytes"]), (&json!(""), &json!(16)));
    assert!(debugger.refused("variables", json!({ "variablesReference": 999_999 })).contains("has gone on"));
    assert!(debugger.refused("goto", json!({ "threadId": task, "targetId": 1 })).contains("goto is not supported"));
    assert!(debugger.refused("disassemble", json!({ "memoryReference": memory })).contains("disassemble is not supported"));
}

#[test]
fn breakpoints_have_conditions_counts_messages_and_names() {
    let setting = Setting::new();
    let add = line_of("ORDERS.cbl", ADD);
    let mut debugger = setting.attach(json!({ "transaction": "ORDR" }), |debugger| {
        let set = debugger.break_at(
            &source("ORDERS.cbl"),
            json!([
                { "line": add, "condition": "WS-I = 2" },
                { "line": line_of("ORDERS.cbl", CALL), "logMessage": "priced {WS-TOTAL} of {WS-NONE}" },
                { "line": line_of("ORDERS.cbl", "MOVE WS-TOTAL"), "condition": "WS-NONE = 1" },
                { "line": 1, "condition": "WS-I =" },
            ]),
        );
        assert_eq!(set[3]["message"], "the expression is not complete");
        let set = debugger.expect(
            "setFunctionBreakpoints",
            json!({ "breakpoints": [{ "name": "AUDIT" }, { "name": "EXEC CICS SEND TEXT" }, { "name": "PRICE-PARA OF PRICING" }, { "name": "EXEC CICS NOTHING" }] }),
        );
        assert_eq!(set["breakpoints"][3]["message"], "NOTHING is not an EXEC CICS command");
        debugger.expect("setExceptionBreakpoints", json!({ "filters": ["abends", "conditions"] }));
    });
    let screen = setting.transaction("ORDR");
    let task = debugger.stopped("breakpoint");
    assert_eq!((debugger.value(task, "WS-I"), debugger.places(task)[0].1), ("2".to_string(), add));
    debugger.go(task);
    assert_eq!(debugger.stopped("function breakpoint"), task);
    assert_eq!(debugger.event("output")["output"], "priced 9.00 of (WS-NONE is not an item of ORDERS)\n");
    assert_eq!(debugger.places(task)[0], place("PRICE-PARA OF PRICING", line_of("PRICING.cbl", "ADD 1 TO")));
    debugger.go(task);
    assert_eq!(debugger.stopped("function breakpoint"), task);
    assert_eq!(debugger.places(task)[0].0, "AUDIT-PARA OF AUDIT");
    let commarea = debugger.scope(task, "COMMAREA");
    assert_eq!(debugger.variable(&commarea, "length")["value"], "59");
    debugger.go(task);
    // The command that raised a condition, of which RESP told the program.
    let stopped = debugger.event("stopped");
    assert_eq!((&stopped["reason"], &stopped["description"]), (&json!("exception"), &json!("QIDERR")));
    let information = debugger.expect("exceptionInfo", json!({ "threadId": task }));
    assert_eq!(information["description"], "EXEC CICS READQ TS: QIDERR, RESP2 0");
    debugger.go(task);
    // A condition that cannot be evaluated does not pass in silence.
    let stopped = debugger.event("stopped");
    assert!(stopped["text"].as_str().is_some_and(|text| text.ends_with("WS-NONE is not an item of ORDERS")), "{stopped}");
    debugger.go(task);
    assert_eq!(debugger.stopped("function breakpoint"), task);
    assert_eq!(debugger.places(task)[0].1, line_of("ORDERS.cbl", "SEND TEXT"));
    debugger.go(task);
    assert!(screen.join().expect("a screen").contains("TOTAL"));

    // The program is loaded: the breakpoint is verified at once, and moves to a statement. Hit counts; and before each command.
    debugger.expect("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    debugger.expect("setExceptionBreakpoints", json!({ "filters": ["commands"] }));
    let set = debugger.break_at(&source("ORDERS.cbl"), json!([{ "line": add - 2, "hitCondition": "= 3" }]));
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(add)));
    let places =
        debugger.expect("breakpointLocations", json!({ "source": { "path": source("ORDERS.cbl") }, "line": add - 1, "endLine": add }));
    assert_eq!(places["breakpoints"], json!([{ "line": add, "column": 12 }]));
    let screen = setting.transaction("ORDR");
    let task = debugger.stopped("breakpoint");
    assert_eq!(debugger.value(task, "WS-I"), "3");
    debugger.go(task);
    for command in ["LINK", "PUT CONTAINER", "RETURN", "READQ TS", "SEND TEXT", "RETURN"] {
        assert_eq!(debugger.event("stopped")["description"], command);
        debugger.go(task);
    }
    screen.join().expect("a screen");
    assert_eq!(setting.region.stop(), 0);
}

#[test]
fn tasks_of_others_are_not_stopped_and_two_are_stopped_at_once() {
    let setting = Setting::new();
    let breakpoint = |debugger: &mut Debugger| {
        debugger.break_at(&source("ORDERS.cbl"), json!([{ "line": line_of("ORDERS.cbl", CALL) }]));
    };
    let nobody = Debugger::connect(&application(), setting.data.path()).refused("attach", json!({}));
    assert!(nobody.contains("names no user, terminal, transaction or program"), "{nobody}");
    let mut debugger = setting.attach(json!({ "user": "adams" }), breakpoint);
    let mut second = setting.attach(json!({ "transaction": "ORDX", "program": "PRICING" }), |debugger| {
        breakpoint(debugger);
        debugger.expect("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "PRICING" }] }));
    });
    // Another user's task runs to its end.
    assert!(setting.transaction_of(Some("BAKER"), "ORDR").join().expect("a screen").contains("TOTAL"));
    let own = setting.transaction_of(Some("ADAMS"), "ORDR");
    let task = debugger.stopped("breakpoint");
    // The program of the selection only, not the one that calls it.
    let other = setting.transaction("ORDX");
    let stopped = second.stopped("function breakpoint");
    assert_eq!(second.places(stopped)[0].0, "PRICE-PARA OF PRICING");
    assert!(second.refused("stackTrace", json!({ "threadId": task })).contains("not one of this client's"));
    let third = setting.transaction_of(Some("ADAMS"), "ORDR");
    let also = debugger.stopped("breakpoint");
    assert_ne!(task, also);
    assert_eq!(debugger.expect("threads", json!({}))["threads"].as_array().map(Vec::len), Some(2));
    // Both are stopped, and neither holds the other up: a change in one is not seen in the other.
    let frame = debugger.frame(task, 0);
    debugger.expect("setExpression", json!({ "frameId": frame, "expression": "WS-TOTAL", "value": "1" }));
    assert_eq!(debugger.value(also, "WS-TOTAL"), "9.00");
    assert!(setting.transaction_of(Some("BAKER"), "ORDR").join().expect("a screen").contains("TOTAL"));
    debugger.go(also);
    assert!(third.join().expect("a screen").contains("TOTAL     10.00"));
    debugger.go(task);
    assert!(own.join().expect("a screen").contains("TOTAL      2.00"));
    second.go(stopped);
    assert!(other.join().expect("a screen").contains("TOTAL     10.00"));
    assert_eq!(setting.region.stop(), 0);
}

#[test]
fn an_abend_shows_the_statement_and_its_data() {
    let setting = Setting::new();
    let mut debugger = setting.attach(json!({ "transaction": "ORDB" }), |_| {});
    let screen = setting.transaction("ORDB");
    let stopped = debugger.event("stopped");
    assert_eq!((&stopped["reason"], &stopped["description"]), (&json!("exception"), &json!("ASRA")));
    let task = stopped["threadId"].as_u64().expect("a task");
    let places = [
        place("ADD-PARA OF BADORDER", line_of("BADORDER.cbl", "ADD 1 TO")),
        place("MAIN-PARA OF BADORDER", line_of("BADORDER.cbl", "PERFORM")),
    ];
    assert_eq!(debugger.places(task), places);
    assert_eq!(debugger.value(task, "WS-DIGITS"), "X'C1C2C3' (not a number)");
    assert!(stopped["text"].as_str().is_some_and(|text| text.contains("0C7")), "{stopped}");
    debugger.go(task);
    assert!(screen.join().expect("a screen").contains("ASRA"));
    assert_eq!(setting.region.stop(), 0);
}

#[test]
fn a_task_is_paused_ended_and_left_alone() {
    let setting = Setting::new();
    let mut debugger = setting.attach(json!({ "transaction": "ORDL" }), |_| {});
    let screen = setting.transaction("ORDL");
    let task = loop {
        let threads = debugger.expect("threads", json!({}));
        if let Some(number) = threads["threads"][0]["id"].as_u64() {
            break number;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    debugger.refused("stackTrace", json!({ "threadId": task }));
    debugger.expect("pause", json!({ "threadId": task }));
    assert_eq!(debugger.stopped("pause"), task);
    let frame = debugger.frame(task, 0);
    debugger.expect("setExpression", json!({ "frameId": frame, "expression": "WS-TURNS", "value": "-5" }));
    debugger.go(task);
    assert!(screen.join().expect("a screen").contains("COUNTED"));
    // A task that is stopped ends by the abend of a purge.
    let screen = setting.transaction("ORDL");
    let started = loop {
        let threads = debugger.expect("threads", json!({}));
        if let Some(number) = threads["threads"][0]["id"].as_u64().filter(|number| *number != task) {
            break number;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    debugger.expect("pause", json!({ "threadId": started }));
    assert_eq!(debugger.stopped("pause"), started);
    debugger.expect("terminateThreads", json!({ "threadIds": [started] }));
    assert!(screen.join().expect("a screen").contains("AEXY"));
    debugger.expect("terminate", json!({}));
    debugger.event("terminated");
    assert_eq!(setting.region.stop(), 0);
}

/// A client that dies, and one that sends what is no message, do not hold a task.
#[test]
fn a_client_that_fails_lets_its_tasks_go_on() {
    let setting = Setting::new();
    let breakpoint = |debugger: &mut Debugger| {
        debugger.break_at(&source("ORDERS.cbl"), json!([{ "line": line_of("ORDERS.cbl", CALL) }]));
    };
    let mut killed = setting.attach(json!({ "transaction": "ORDR" }), breakpoint);
    let screen = setting.transaction("ORDR");
    killed.stopped("breakpoint");
    killed.child.kill().expect("killed");
    assert!(screen.join().expect("a screen").contains("TOTAL"));
    for bytes in [
        "Content-Length: 99999999999\r\n\r\n{}".as_bytes(),
        b"Content-Length: 5\r\n\r\n{...}",
        b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        let mut wrong = setting.attach(json!({ "transaction": "ORDR" }), breakpoint);
        let screen = setting.transaction("ORDR");
        wrong.stopped("breakpoint");
        wrong.send_bytes(bytes);
        wrong.event("terminated");
        assert!(screen.join().expect("a screen").contains("TOTAL"));
        assert!(wrong.child.wait().expect("it ends").success());
    }
    // What is a message but no request is answered as such.
    let mut odd = setting.attach(json!({ "transaction": "ORDR" }), |_| {});
    odd.send_bytes(b"Content-Length: 2\r\n\r\n[]");
    assert!(odd.event("output")["output"].as_str().is_some_and(|text| text.contains("not a request")));
    for (command, arguments) in [
        ("nonsense", json!({})),
        ("continue", json!({})),
        ("continue", json!({ "threadId": "one" })),
        ("continue", json!({ "threadId": 18_446_744_073_709_551_615u64 })),
        ("setBreakpoints", json!([1, 2])),
        ("setBreakpoints", json!({ "source": { "path": "/a" }, "breakpoints": vec![json!({ "line": 1 }); 1001] })),
        ("launch", json!({})),
        ("attach", json!({ "transaction": "ORDR" })),
        ("evaluate", json!({ "expression": "1" })),
    ] {
        odd.refused(command, arguments);
    }
    assert_eq!(setting.region.stop(), 0);
}

/// A program written in C stops at its commands: at a breakpoint, by their names, by steps, and after a condition.
#[test]
fn a_c_program_stops_at_its_commands() {
    let setting = Setting::new();
    let source = application().join("c/COUNTC.c");
    let text = std::fs::read_to_string(&source).expect("the source");
    let line = |part: &str| text.lines().position(|line| line.contains(part)).expect("it is there") as u64 + 1;
    let at = |part: &str| [place("COUNTC", line(part))];
    let mut debugger = setting.attach(json!({ "transaction": "ORDC" }), |debugger| {
        debugger.break_at(&source, json!([{ "line": line("char text") }, { "line": line("DELETEQ"), "logMessage": "deleted" }]));
        debugger.expect("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "EXEC CICS SEND" }] }));
        debugger.expect("setExceptionBreakpoints", json!({ "filters": ["conditions"] }));
    });
    let screen = setting.transaction("ORDC");
    // The breakpoint has moved to the first command behind it.
    let task = debugger.stopped("breakpoint");
    let moved = debugger.event("breakpoint");
    assert_eq!(moved["breakpoint"]["line"].as_u64(), Some(line("WRITEQ")), "{moved}");
    assert_eq!(debugger.places(task), at("WRITEQ"));
    let frames = debugger.frames(task);
    assert!(frames[0]["source"]["path"].as_str().is_some_and(|path| path.ends_with("c/COUNTC.c")), "{frames:?}");
    let about_task = debugger.scope(task, "Task");
    assert!(!debugger.variables(&about_task).is_empty());
    debugger.step("next", task);
    assert_eq!(debugger.places(task), at("DELETEQ"));
    debugger.go(task);
    let told = debugger.event("output");
    assert!(told["output"].as_str().is_some_and(|text| text.starts_with("deleted")), "{told}");
    // The READQ raises QIDERR.
    assert_eq!(debugger.stopped("function breakpoint"), task);
    assert_eq!(debugger.places(task), at("SEND TEXT"));
    debugger.expect("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    debugger.expect("setExceptionBreakpoints", json!({ "filters": ["commands"] }));
    debugger.go(task);
    assert_eq!(debugger.stopped("exception"), task);
    assert_eq!(debugger.places(task), at("RETURN"));
    debugger.go(task);
    assert!(screen.join().expect("a screen").contains("OUNTED"));
    // Behind its last command there is none to stop at.
    let set = debugger.break_at(&source, json!([{ "line": text.lines().count() }]));
    assert_eq!(set[0]["verified"], false);
    assert!(set[0]["message"].as_str().is_some_and(|why| why.contains("EXEC CICS command")), "{set:?}");
    drop(debugger);
    assert_eq!(setting.region.stop(), 0);
}

#[test]
fn a_region_that_stops_lets_the_stopped_task_end_first() {
    let setting = Setting::new();
    let mut debugger = setting.attach(json!({ "transaction": "ORDR" }), |debugger| {
        debugger.break_at(&source("ORDERS.cbl"), json!([{ "line": line_of("ORDERS.cbl", CALL) }]));
    });
    let screen = setting.transaction("ORDR");
    debugger.stopped("breakpoint");
    assert_eq!(setting.region.stop(), 0);
    assert!(debugger.child.wait().expect("it ends").success());
    // The terminal goes away with the region, perhaps before it has shown anything.
    drop(screen);
    assert!(!setting.data.path().join("data/debugger").exists());
    let output = support::regent()
        .arg("debug")
        .arg(application())
        .arg("--data")
        .arg(setting.data.path())
        .stdin(std::process::Stdio::null())
        .output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(16));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no region serves"), "{output:?}");
    // An editor is told by the answer to its first request.
    let refused = Debugger::connect(&application(), setting.data.path()).refused("initialize", json!({}));
    assert!(refused.contains("no region serves"), "{refused}");
}

/// Only the user that runs the region may read and change its data; and only so many clients at a time.
#[test]
fn the_socket_is_private_and_has_room_for_sixteen() {
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::UnixStream;
    let setting = Setting::new();
    let socket = setting.data.path().join("data/debugger");
    let mode = std::fs::metadata(&socket).expect("the socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let connect = || UnixStream::connect(&socket).expect("it listens");
    let mut clients: Vec<UnixStream> = (0..16).map(|_| connect()).collect();
    let mut text = String::new();
    connect().read_to_string(&mut text).expect("it is told");
    assert!(text.contains("16 clients debug this region already"), "{text}");
    // The end of one makes room for another.
    clients.pop();
    testing::eventually("a session is over", || {
        let mut client = connect();
        client.set_read_timeout(Some(Duration::from_millis(300))).expect("set");
        client.read(&mut [0; 1]).is_err()
    });
    assert_eq!(setting.region.stop(), 0);
}
