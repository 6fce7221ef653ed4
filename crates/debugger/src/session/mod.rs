//! One client of the debugger: its requests, in the order in which they come.
//!
//! * `requests`     the arguments of requests;
//! * `handles`      the numbers that stand for frames and variables;
//! * `inspect`      what a client sees of a stopped task and changes in it;
//! * `breakpoints`  what it sets before and while tasks run.
//!
//! Invariants: each request gets one response; a request that cannot be carried out gets one that says why and changes nothing; a request
//! that this debugger does not have is refused by its name. When the session ends, for whatever reason, its tasks go on.
//!
//! Source: Debug Adapter Protocol, specification.

mod breakpoints;
mod handles;
mod inspect;
mod requests;

use crate::breakpoints::Plan;
use crate::client::{Client, Outgoing, Selection};
use crate::commands;
use crate::follow::Pace;
use crate::protocol;
use crate::stop::{Order, View};
use crate::tasks::{self, Debugging, Watched};
use handles::Handles;
use region::Region;
use region::name::{Name, Name4};
use requests::{Attach, Continue, Disconnect, Initialize, Step, Threads, arguments};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// The outcome of a request: the body of its response, or why there is none.
type Answer = Result<Value, String>;

/// What a terminal, transaction or user of no name would select.
const UNSELECTED: &str =
    "attach names no user, terminal, transaction or program: give one of them, or \"everyone\": true to debug the tasks of all users";

pub struct Session {
    region: &'static Region,
    outgoing: Arc<Outgoing>,
    /// From attach on.
    selection: Option<Selection>,
    /// From configurationDone on.
    client: Option<Arc<Client>>,
    plan: Arc<Plan>,
    handles: Handles,
    last_breakpoint: u64,
    /// What the client calls the first line and the first column.
    first_line: u32,
    first_column: u32,
    has_ended: bool,
}

/// Serves a client until it disconnects, or the session is to end.
pub fn serve(region: &'static Region, outgoing: Arc<Outgoing>, messages: Receiver<Option<Value>>) {
    let (Ok(reader), Ok(mut writer)) = (outgoing.incoming(), outgoing.writer()) else { return };
    let is_written = std::thread::Builder::new().name("debugger-writer".to_string()).spawn(move || {
        while let Ok(Some(message)) = messages.recv() {
            if protocol::write(&mut writer, &message).is_err() {
                break;
            }
        }
        let _ = writer.shutdown(Shutdown::Both);
    });
    let Ok(writer) = is_written else { return };
    let mut session = Session::new(region, outgoing.clone());
    session.read(&mut BufReader::new(reader));
    drop(session);
    outgoing.event("terminated", json!({}));
    outgoing.finish();
    let _ = writer.join();
}

/// However the session ends, by an error of its own too.
impl Drop for Session {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl Session {
    fn new(region: &'static Region, outgoing: Arc<Outgoing>) -> Session {
        Session {
            region,
            outgoing,
            selection: None,
            client: None,
            plan: Arc::new(Plan::default().with(|plan| plan.exceptions.abends = true)),
            handles: Handles::default(),
            last_breakpoint: 0,
            first_line: 1,
            first_column: 1,
            has_ended: false,
        }
    }

    fn read(&mut self, input: &mut impl BufRead) {
        while !self.has_ended {
            match protocol::read(input) {
                Ok(Some(message)) => self.message(&message),
                Ok(None) => break,
                Err(protocol::Fault::Io(_)) => break,
                Err(fault) => {
                    self.tell(&format!("the debugger ends this session: {fault}"));
                    break;
                }
            }
        }
    }

    fn tell(&self, text: &str) {
        self.outgoing.event("output", json!({ "category": "important", "output": format!("{text}\n") }));
    }

    fn message(&mut self, message: &Value) {
        let is_request = message["type"] == "request";
        let (Some(sequence), Some(command), true) = (message["seq"].as_i64(), message["command"].as_str(), is_request) else {
            return self.tell("a message that is not a request, or has no seq and command, is not answered");
        };
        let none = json!({});
        let given = message.get("arguments").filter(|given| !given.is_null()).unwrap_or(&none);
        let mut response = json!({ "type": "response", "request_seq": sequence, "command": command });
        let answer = self.request(command, given);
        response["success"] = answer.is_ok().into();
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => response["body"] = body,
            Err(why) => {
                response["message"] = why.as_str().into();
                response["body"] = json!({ "error": { "id": 1, "format": why.replace('{', "(").replace('}', ")"), "showUser": true } });
            }
        }
        let is_attached = command == "attach" && response["success"] == true;
        self.outgoing.send(response);
        if is_attached {
            // Now the client sets its breakpoints.
            self.outgoing.event("initialized", json!({}));
        }
    }

    fn request(&mut self, command: &str, given: &Value) -> Answer {
        match command {
            "initialize" => self.initialize(given),
            "attach" => self.attach(given),
            "launch" => Err("a region is started by `regent up`: use the request attach".to_string()),
            "configurationDone" => self.configuration_done(),
            "setBreakpoints" => self.set_breakpoints(given),
            "setFunctionBreakpoints" => self.set_function_breakpoints(given),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(given),
            "breakpointLocations" => self.breakpoint_locations(given),
            "threads" => self.threads(),
            "continue" => self.go(given),
            "next" => self.step(given, Pace::Over),
            "stepIn" => self.step(given, |_| Pace::In),
            "stepOut" => self.step(given, Pace::Out),
            "pause" => self.pause(given),
            "terminate" => self.terminate(),
            "terminateThreads" => self.terminate_threads(given),
            "disconnect" => self.disconnect(given),
            "stackTrace" => self.stack_trace(given),
            "scopes" => self.scopes(given),
            "variables" => self.variables(given),
            "setVariable" => self.set_variable(given),
            "setExpression" => self.set_expression(given),
            "evaluate" => self.evaluate(given),
            "exceptionInfo" => self.exception_info(given),
            "readMemory" => self.read_memory(given),
            "writeMemory" => self.write_memory(given),
            "goto" | "gotoTargets" => Err("goto is not supported: a statement may depend on those before it".to_string()),
            other => Err(format!("{other} is not supported by this debugger")),
        }
    }

    fn initialize(&mut self, given: &Value) -> Answer {
        let given: Initialize = arguments(given)?;
        self.first_line = u32::from(given.lines_start_at1.unwrap_or(true));
        self.first_column = u32::from(given.columns_start_at1.unwrap_or(true));
        if given.path_format.is_some_and(|format| format != "path") {
            return Err("paths are named by path, not by URI".to_string());
        }
        Ok(capabilities())
    }

    fn attach(&mut self, given: &Value) -> Answer {
        if self.selection.is_some() {
            return Err("this session is attached already".to_string());
        }
        let given: Attach = arguments(given)?;
        let selection = Selection {
            user: name("user", given.user)?,
            terminal: name("terminal", given.terminal)?,
            // A transaction is named in mixed case, unlike the others.
            transaction: given
                .transaction
                .as_deref()
                .map(|text| checked::<4>("transaction", text))
                .transpose()?
                .map(|text| Name4::new(&text)),
            program: name("program", given.program)?,
        };
        if selection == Selection::default() && !given.everyone.unwrap_or(false) {
            return Err(UNSELECTED.to_string());
        }
        self.selection = Some(selection);
        Ok(Value::Null)
    }

    fn configuration_done(&mut self) -> Answer {
        let selection = self.selection.clone().ok_or("attach comes first")?;
        if self.client.is_none() {
            let client = Arc::new(Client::new(selection, self.plan.clone(), self.outgoing.clone(), self.first_line));
            self.client = Some(client.clone());
            self.tell_places();
            commands::observe(self.region);
            Debugging::of(self.region).add(&client);
            tracing::info!(target: "region", "a debugger is attached: {:?}", client.selection);
        }
        Ok(Value::Null)
    }

    fn client(&self) -> Result<&Arc<Client>, String> {
        self.client.as_ref().ok_or_else(|| "attach and configurationDone come first".to_string())
    }

    fn task(&self, number: u64) -> Result<Arc<Watched>, String> {
        let number = u32::try_from(number).map_err(|_| format!("there is no task {number}"))?;
        Debugging::of(self.region).task(self.client()?, number)
    }

    fn threads(&mut self) -> Answer {
        let client = self.client()?;
        let thread = |watched: &Arc<Watched>| {
            let identity = &watched.identity;
            let terminal = if identity.terminal.is_blank() { String::new() } else { format!(" at {}", identity.terminal) };
            let name = format!("{} task {} of {}{terminal}", identity.transaction, identity.number, identity.user);
            json!({ "id": identity.number, "name": name })
        };
        let threads: Vec<Value> = Debugging::of(self.region).tasks_of(client).iter().map(thread).collect();
        Ok(json!({ "threads": threads }))
    }

    /// Lets a stopped task go on: what the client knows of its frames and variables is void.
    fn release(&mut self, number: u64, pace: impl FnOnce(&Watched) -> Result<Pace, String>) -> Result<(), String> {
        let watched = self.task(number)?;
        let pace = pace(&watched)?;
        if !watched.desk.order(Order::Go(pace)) {
            return Err("the task is not stopped".to_string());
        }
        self.handles.forget(watched.identity.number);
        Ok(())
    }

    fn go(&mut self, given: &Value) -> Answer {
        let given: Continue = arguments(given)?;
        self.release(given.thread_id, |_| Ok(Pace::Run))?;
        Ok(json!({ "allThreadsContinued": false }))
    }

    fn step(&mut self, given: &Value, pace: impl FnOnce(crate::follow::Depth) -> Pace) -> Answer {
        let given: Step = arguments(given)?;
        let to_command = given.granularity.as_deref() == Some("instruction");
        self.release(given.thread_id, |watched| {
            let depth = watched.desk.ask(|view: &mut View| tasks::depth_of(view))?;
            Ok(if to_command { Pace::Command } else { pace(depth) })
        })?;
        Ok(Value::Null)
    }

    fn pause(&mut self, given: &Value) -> Answer {
        let given: Continue = arguments(given)?;
        self.task(given.thread_id)?.pause();
        Ok(Value::Null)
    }

    fn end_tasks(&self, wanted: impl Fn(&Watched) -> bool) -> Result<(), String> {
        let own = Debugging::of(self.region).tasks_of(self.client()?);
        own.iter().filter(|watched| wanted(watched)).for_each(|watched| tasks::end(self.region, watched));
        Ok(())
    }

    fn terminate(&mut self) -> Answer {
        self.end_tasks(|_| true)?;
        self.has_ended = true;
        Ok(Value::Null)
    }

    fn terminate_threads(&mut self, given: &Value) -> Answer {
        let given: Threads = arguments(given)?;
        self.end_tasks(|watched| given.thread_ids.contains(&u64::from(watched.identity.number)))?;
        Ok(Value::Null)
    }

    fn disconnect(&mut self, given: &Value) -> Answer {
        let given: Disconnect = arguments(given)?;
        if given.terminate_debuggee.unwrap_or(false) && self.client.is_some() {
            self.end_tasks(|_| true)?;
        }
        self.has_ended = true;
        Ok(Value::Null)
    }

    /// The tasks of the client go on without it.
    fn let_go(&mut self) {
        if let Some(client) = self.client.take() {
            Debugging::of(self.region).remove(&client);
            tracing::info!(target: "region", "a debugger is detached");
        }
    }
}

/// A name of at most N characters.
fn checked<const N: usize>(what: &str, text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_name = (1..=N).contains(&text.len()) && text.is_ascii();
    if is_name { Ok(text.to_string()) } else { Err(format!("{text:?} is not the name of a {what}: it has 1 to {N} characters")) }
}

fn name<const N: usize>(what: &str, text: Option<String>) -> Result<Option<Name<N>>, String> {
    let text = text.map(|text| checked::<N>(what, &text)).transpose()?;
    Ok(text.map(|text| Name::new(&text.to_uppercase())))
}

fn capabilities() -> Value {
    let filter = |name: &str, label: &str, description: &str, is_default: bool| json!({ "filter": name, "label": label, "description": description, "default": is_default });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsSteppingGranularity": true,
        "supportsExceptionInfoRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsReadMemoryRequest": true,
        "supportsWriteMemoryRequest": true,
        "supportsTerminateRequest": true,
        "supportTerminateDebuggee": true,
        "supportsTerminateThreadsRequest": true,
        "supportsClipboardContext": true,
        "exceptionBreakpointFilters": [
            filter("abends", "Abends", "Stops at the statement that abends.", true),
            filter("conditions", "Conditions", "Stops behind a command that raises a condition other than NORMAL.", false),
            filter("commands", "Commands", "Stops before each EXEC CICS command.", false),
        ],
    })
}
