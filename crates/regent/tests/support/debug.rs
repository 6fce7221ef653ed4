//! A client of the debugger: `regent debug` and its messages.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const ANSWER_LIMIT: Duration = Duration::from_secs(60);

pub struct Debugger {
    pub child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Events that no one has waited for yet.
    events: Vec<Value>,
    sequence: i64,
}

impl Debugger {
    /// Connects to the region that works in a directory.
    pub fn connect(directory: &Path, data: &Path) -> Debugger {
        let mut child = super::regent()
            .arg("debug")
            .arg(directory)
            .arg("--data")
            .arg(data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("regent starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Debugger { child, input, messages, events: Vec::new(), sequence: 0 }
    }

    /// Connects, and attaches to the tasks that the arguments select. `set` is what is set before the tasks are watched.
    pub fn attach(directory: &Path, data: &Path, arguments: Value, set: impl FnOnce(&mut Debugger)) -> Debugger {
        let mut debugger = Debugger::connect(directory, data);
        let capabilities = debugger.expect("initialize", json!({ "adapterID": "regent", "linesStartAt1": true }));
        assert_eq!(capabilities["supportsConfigurationDoneRequest"], true);
        debugger.expect("attach", arguments);
        debugger.event("initialized");
        set(&mut debugger);
        debugger.expect("configurationDone", json!({}));
        debugger
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("not closed");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the adapter reads");
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The response to a request.
    pub fn request(&mut self, command: &str, arguments: Value) -> Value {
        self.sequence += 1;
        let text = json!({ "seq": self.sequence, "type": "request", "command": command, "arguments": arguments }).to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        loop {
            let message = self.next().unwrap_or_else(|| panic!("no answer to {command}"));
            match message["type"].as_str() {
                Some("response") if message["request_seq"] == self.sequence => return message,
                _ => self.events.push(message),
            }
        }
    }

    /// The body of the response, which must be a success.
    #[track_caller]
    pub fn expect(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], true, "{command}: {response}");
        response["body"].clone()
    }

    /// Why a request is refused.
    #[track_caller]
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], false, "{command}: {response}");
        response["message"].as_str().expect("a reason").to_string()
    }

    fn next(&mut self) -> Option<Value> {
        self.messages.recv_timeout(ANSWER_LIMIT).ok()
    }

    /// The body of the next event of this name.
    #[track_caller]
    pub fn event(&mut self, name: &str) -> Value {
        let deadline = Instant::now() + ANSWER_LIMIT;
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].clone();
            }
            assert!(Instant::now() < deadline, "no event {name}: {:?}", self.events);
            let event = self.next().unwrap_or_else(|| panic!("no event {name}: {:?}", self.events));
            self.events.push(event);
        }
    }

    /// Whether an event of this name comes within a time.
    pub fn event_within(&mut self, name: &str, limit: Duration) -> Option<Value> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return Some(self.events.remove(at)["body"].clone());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            self.events.push(self.messages.recv_timeout(left).ok()?);
        }
    }

    /// Waits until a task stops; its number.
    #[track_caller]
    pub fn stopped(&mut self, reason: &str) -> u64 {
        let body = self.event("stopped");
        assert_eq!(body["reason"], reason, "{body}");
        body["threadId"].as_u64().expect("a task")
    }

    pub fn frames(&mut self, task: u64) -> Vec<Value> {
        let body = self.expect("stackTrace", json!({ "threadId": task }));
        body["stackFrames"].as_array().expect("frames").clone()
    }

    /// Names and lines of the frames, innermost first.
    pub fn places(&mut self, task: u64) -> Vec<(String, u64)> {
        let place = |frame: &Value| (frame["name"].as_str().unwrap_or("").to_string(), frame["line"].as_u64().unwrap_or(0));
        self.frames(task).iter().map(place).collect()
    }

    pub fn frame(&mut self, task: u64, index: usize) -> Value {
        self.frames(task)[index]["id"].clone()
    }

    /// The value of an expression in the innermost frame.
    #[track_caller]
    pub fn value(&mut self, task: u64, expression: &str) -> String {
        let frame = self.frame(task, 0);
        let body = self.expect("evaluate", json!({ "expression": expression, "frameId": frame }));
        body["result"].as_str().expect("a value").to_string()
    }

    /// The variables of a scope of the innermost frame.
    pub fn scope(&mut self, task: u64, name: &str) -> Value {
        let frame = self.frame(task, 0);
        let body = self.expect("scopes", json!({ "frameId": frame }));
        let scopes = body["scopes"].as_array().expect("scopes").clone();
        let scope = scopes.iter().find(|scope| scope["name"] == name).unwrap_or_else(|| panic!("no scope {name}: {body}"));
        scope["variablesReference"].clone()
    }

    pub fn variables(&mut self, reference: &Value) -> Vec<Value> {
        let body = self.expect("variables", json!({ "variablesReference": reference }));
        body["variables"].as_array().expect("variables").clone()
    }

    /// The variable of this name among those of a reference.
    #[track_caller]
    pub fn variable(&mut self, reference: &Value, name: &str) -> Value {
        let variables = self.variables(reference);
        variables.iter().find(|variable| variable["name"] == name).unwrap_or_else(|| panic!("no {name}: {variables:?}")).clone()
    }

    pub fn go(&mut self, task: u64) {
        self.expect("continue", json!({ "threadId": task }));
    }

    /// Steps, and waits for the end of the step.
    #[track_caller]
    pub fn step(&mut self, request: &str, task: u64) {
        self.expect(request, json!({ "threadId": task }));
        assert_eq!(self.stopped("step"), task);
    }

    pub fn break_at(&mut self, source: &Path, breakpoints: Value) -> Vec<Value> {
        let body = self.expect("setBreakpoints", json!({ "source": { "path": source }, "breakpoints": breakpoints }));
        body["breakpoints"].as_array().expect("breakpoints").clone()
    }
}

impl Drop for Debugger {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(':') {
            Some((_, value)) => length = value.trim().parse().ok()?,
            None => break,
        }
    }
    let mut text = vec![0; length];
    input.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
