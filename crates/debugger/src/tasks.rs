//! The tasks that clients debug: which are watched, where they stop, and how they go on.
//!
//! Invariants: a task belongs to one client at most, the first that selects it; its programs tell what they reach only while it does; a
//! task that has lost its client, because that has disconnected or the region stops, goes on.
//!
//! The methods of [`Watcher`] run in the task; those of [`Debugging`] are called by the threads of clients.

use crate::breakpoints::{At, Effect, Plan, Resolved};
use crate::client::{Client, Identity};
use crate::follow::{Pace, Path};
use crate::place::{self, Entry};
use crate::stop::{Desk, Order, View};
use exec::Condition;
use parking_lot::{Mutex, RwLock};
use program::module::Module;
use program::rununit::{FrameId, Milestone, WatchWord};
use region::extensions::Debugger;
use region::slots::AnySlot;
use region::{Abend, Outcome, Raised, Region, Task};
use rustc_hash::FxHashMap;
use serde_json::json;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};

region::region_part!(Debugging);
region::task_part!(TaskState);

pub const SLOTS: &[&dyn AnySlot] = &[&IN_REGION, &IN_TASK];

/// The part of the region.
#[derive(Default)]
pub struct Debugging {
    clients: RwLock<Vec<Arc<Client>>>,
    /// The tasks that have run a program compiled with TEST, or a command of one in C, by number.
    watched: Mutex<FxHashMap<u32, Arc<Watched>>>,
    /// Commands of programs in C are observed, from the first client on.
    pub observes: AtomicBool,
}

/// A task that can be debugged.
pub struct Watched {
    pub identity: Identity,
    /// Not zero while it belongs to a client.
    word: WatchWord,
    client: Mutex<Option<Arc<Client>>>,
    pub desk: Desk,
    /// It stops at its next statement.
    pause: AtomicBool,
    /// Why it stopped, if that was an exceptional event.
    event: Mutex<Option<Event>>,
}

/// An exceptional event.
#[derive(Clone, Debug)]
pub struct Event {
    /// The abend code, the condition or the command.
    pub name: String,
    pub text: String,
}

impl Event {
    pub fn of_command(name: &str) -> Event {
        Event { name: name.to_string(), text: format!("EXEC CICS {name} is about to be executed") }
    }
}

/// The part of a task.
#[derive(Default)]
pub struct TaskState {
    pub watched: Option<Arc<Watched>>,
    pub path: Path,
    pub pace: Pace,
    /// Commands executed when it told something last.
    commands: u64,
    /// Breakpoints of a program that has been entered: it stops at the first statement.
    entered: Vec<At>,
    /// The breakpoints of the module seen last, of that plan.
    breakpoints: Option<(Arc<Plan>, Weak<Module>, Arc<Resolved>)>,
}

impl Watched {
    pub fn client(&self) -> Option<Arc<Client>> {
        self.client.lock().clone()
    }

    fn belongs_to(&self, client: &Client) -> bool {
        self.client.lock().as_ref().is_some_and(|own| own.number() == client.number())
    }

    fn give_to(&self, client: Option<Arc<Client>>) {
        self.word.store(u32::from(client.is_some()), Ordering::Relaxed);
        *self.client.lock() = client;
    }

    pub fn pause(&self) {
        self.pause.store(true, Ordering::Relaxed);
    }

    /// Whether it is to pause; it is asked once.
    pub fn is_paused(&self) -> bool {
        self.pause.swap(false, Ordering::Relaxed)
    }

    pub fn event(&self) -> Option<Event> {
        self.event.lock().clone()
    }
}

impl Debugging {
    /// A client begins: the tasks that it selects are watched from now on.
    pub fn add(&self, client: &Arc<Client>) {
        self.clients.write().push(client.clone());
        for watched in self.all() {
            let mut own = watched.client.lock();
            if own.is_none() && client.selection.selects(&watched.identity) {
                *own = Some(client.clone());
                watched.word.store(1, Ordering::Relaxed);
            }
        }
    }

    /// A client has ended: its tasks go on.
    pub fn remove(&self, client: &Client) {
        self.clients.write().retain(|other| other.number() != client.number());
        for watched in self.tasks_of(client) {
            watched.give_to(None);
            watched.desk.order(Order::Go(Pace::Run));
        }
    }

    fn all(&self) -> Vec<Arc<Watched>> {
        self.watched.lock().values().cloned().collect()
    }

    /// The tasks of a client, by number.
    pub fn tasks_of(&self, client: &Client) -> Vec<Arc<Watched>> {
        let mut own: Vec<_> = self.all().into_iter().filter(|watched| watched.belongs_to(client)).collect();
        own.sort_by_key(|watched| watched.identity.number);
        own
    }

    pub fn task(&self, client: &Client, number: u32) -> Result<Arc<Watched>, String> {
        let found = self.watched.lock().get(&number).cloned();
        found.filter(|watched| watched.belongs_to(client)).ok_or_else(|| format!("task {number} is not one of this client's"))
    }

    /// A task begins to run programs compiled with TEST.
    fn register(&self, watched: &Arc<Watched>) {
        self.watched.lock().insert(watched.identity.number, watched.clone());
        // Behind the insertion: a client that begins meanwhile finds the task, or is found.
        let clients = self.clients.read();
        let mut own = watched.client.lock();
        if own.is_none()
            && let Some(client) = clients.iter().find(|client| client.selection.selects(&watched.identity))
        {
            *own = Some(client.clone());
            watched.word.store(1, Ordering::Relaxed);
        }
    }
}

/// A task has ended.
pub fn ended(task: &mut Task) {
    let Some(watched) = TaskState::of_mut(&mut task.parts).watched.take() else { return };
    Debugging::of(task.region).watched.lock().remove(&watched.identity.number);
    if let Some(client) = watched.client() {
        client.event("thread", json!({ "reason": "exited", "threadId": watched.identity.number }));
    }
}

/// Ends a task of a client by an abend.
pub fn end(region: &Region, watched: &Watched) {
    if watched.desk.order(Order::End) {
        return;
    }
    // It runs or waits for something else.
    if let Some(task) = region.dispatcher.task_by_number(watched.identity.number) {
        task.purge(kernel::Purge::Purge);
    }
}

/// What the region asks when programs compiled with TEST run.
pub struct Watcher;

impl Debugger for Watcher {
    fn watch(&self, task: &mut Task) -> Option<WatchWord> {
        if let Some(watched) = &TaskState::of(&task.parts).watched {
            return Some(watched.word.clone());
        }
        let identity = Identity { number: task.number, user: task.user_id, terminal: task.terminal_name(), transaction: task.transid };
        let watched = Arc::new(Watched {
            identity,
            word: Arc::new(AtomicU32::new(0)),
            client: Mutex::default(),
            desk: Desk::default(),
            pause: AtomicBool::new(false),
            event: Mutex::default(),
        });
        Debugging::of(task.region).register(&watched);
        let word = watched.word.clone();
        TaskState::of_mut(&mut task.parts).watched = Some(watched);
        Some(word)
    }

    fn reached(&self, task: &mut Task, frame: FrameId, milestone: Milestone) -> Outcome {
        let level = task.levels.len();
        let state = TaskState::of_mut(&mut task.parts);
        let Some(watched) = state.watched.clone() else { return Ok(()) };
        let Some(client) = watched.client() else {
            state.path.clear();
            state.pace = Pace::Run;
            return Ok(());
        };
        state.path.reached(level, place::call_depth(frame), frame, milestone);
        match milestone {
            Milestone::Entered => {
                let plan = client.plan();
                let resolved = state.breakpoints_of(&plan, frame.module());
                client.saw(&plan, &resolved);
                state.entered = resolved.at_program(frame.program()).to_vec();
                Ok(())
            }
            Milestone::Statement(statement) => at_statement(task, &watched, &client, frame, statement),
            Milestone::Performing(_) | Milestone::Performed(_) => Ok(()),
        }
    }

    fn abended(&self, task: &mut Task, innermost: FrameId, statement: Option<u32>, abend: &Abend) {
        let Some(watched) = TaskState::of(&task.parts).watched.clone() else { return };
        let Some(client) = watched.client() else { return };
        if !client.plan().exceptions.abends || innermost.module().debugging.is_none() {
            return;
        }
        let text = abend.cause.clone().or_else(|| abend.reason.clone()).unwrap_or_default();
        let event = Event { name: abend.code_text(), text: format!("abend {}: {text}", abend.code_text()) };
        let statement = statement.filter(|statement| *statement != 0).unwrap_or_else(|| innermost.statement());
        // It has abended already, whatever ends the wait.
        let _ = stop(task, &watched, &client, Entry::of(innermost, statement, 0), Reason::Event(event));
    }
}

impl TaskState {
    pub fn breakpoints_of(&mut self, plan: &Arc<Plan>, module: &Arc<Module>) -> Arc<Resolved> {
        if let Some((known, of, resolved)) = &self.breakpoints
            && Arc::ptr_eq(known, plan)
            && std::ptr::eq(of.as_ptr(), Arc::as_ptr(module))
        {
            return resolved.clone();
        }
        let resolved = plan.of_module(module);
        self.breakpoints = Some((plan.clone(), Arc::downgrade(module), resolved.clone()));
        resolved
    }
}

/// Why a task stops.
pub enum Reason {
    Breakpoint { name: &'static str, ids: Vec<u64>, why: Option<String> },
    Step,
    Pause,
    Event(Event),
}

fn at_statement(task: &mut Task, watched: &Arc<Watched>, client: &Arc<Client>, frame: FrameId, statement: u32) -> Outcome {
    let plan = client.plan();
    let commands = task.performance.commands;
    let state = TaskState::of_mut(&mut task.parts);
    let has_executed = std::mem::replace(&mut state.commands, commands) != commands;
    if !is_meant(client, frame) {
        return Ok(());
    }
    let resolved = state.breakpoints_of(&plan, frame.module());
    let entered = std::mem::take(&mut state.entered);
    let depth = state.path.depth();
    let pace = state.pace;
    let mut reached = entered;
    reached.extend(resolved.at_statement(statement));
    let command = command_of(frame, statement);
    let entry = Entry::of(frame, statement, 0);
    let reason = breakpoint(&plan, client, entry, &reached)
        .or_else(|| watched.is_paused().then_some(Reason::Pause))
        .or_else(|| pace.ends_at(depth, command.is_some()).then_some(Reason::Step))
        .or_else(|| condition(task, has_executed && plan.exceptions.conditions).map(Reason::Event))
        .or_else(|| {
            let name = command.filter(|_| plan.exceptions.commands)?;
            Some(Reason::Event(Event::of_command(name)))
        });
    match reason {
        Some(reason) => stop(task, watched, client, entry, reason),
        None => Ok(()),
    }
}

/// The program is in the module that the client has selected, or the client has selected none.
pub fn is_meant(client: &Client, frame: FrameId) -> bool {
    client.selection.program.is_none_or(|selected| {
        let name = selected.as_str();
        frame.name() == name || frame.module().programs.first().is_some_and(|program| program.name == name)
    })
}

fn command_of(frame: FrameId, statement: u32) -> Option<&'static str> {
    let number = frame.module().debugging.as_ref()?.statement(statement)?.command?;
    Some(exec::CommandId(number).checked()?.name)
}

/// Carries out what the breakpoints at a statement ask for.
pub fn breakpoint(plan: &Plan, client: &Client, entry: Entry, reached: &[At]) -> Option<Reason> {
    let mut ids = Vec::new();
    let (mut name, mut why) = ("function breakpoint", None);
    for at in reached {
        match plan.terms(*at).reached(entry.frame) {
            Effect::Nothing => continue,
            Effect::Log(text) => {
                client.tell("console", &text, &entry.place());
                continue;
            }
            Effect::Stop => {}
            Effect::Fault(text) => why = Some(text),
        }
        if matches!(at, At::Line(_)) {
            name = "breakpoint";
        }
        ids.push(plan.id(*at));
    }
    (!ids.is_empty()).then_some(Reason::Breakpoint { name, ids, why })
}

/// The condition that the last command has raised.
pub fn condition(task: &Task, is_wanted: bool) -> Option<Event> {
    let condition = Condition(task.eib.full(exec::eib::EIBRESP) as u16);
    if !is_wanted || condition == exec::condition::NORMAL {
        return None;
    }
    let command = task.command.and_then(exec::CommandId::checked).map_or("", |spec| spec.name);
    let resp2 = task.eib.full(exec::eib::EIBRESP2);
    Some(Event { name: condition.name().to_string(), text: format!("EXEC CICS {command}: {}, RESP2 {resp2}", condition.name()) })
}

/// The task stops until its client lets it go on.
pub fn stop(task: &mut Task, watched: &Arc<Watched>, client: &Arc<Client>, innermost: Entry, reason: Reason) -> Outcome {
    let path = &TaskState::of(&task.parts).path;
    let entries = place::entries(task, innermost, &|level, frame| path.performs(level, frame));
    watched.desk.open();
    // The client may have ended before it could have found the desk open.
    if !watched.belongs_to(client) {
        watched.desk.close();
        return Ok(());
    }
    watched.pause.store(false, Ordering::Relaxed);
    *watched.event.lock() = match &reason {
        Reason::Event(event) => Some(event.clone()),
        _ => None,
    };
    client.event("stopped", stopped(watched.identity.number, reason));
    let outcome = loop {
        match watched.desk.wait(task) {
            Some(Order::Work(work)) => {
                let mut view = View { task, entries: &entries };
                // An error of the debugger is not one of the program: the answer is missing, and the task still stopped.
                if std::panic::catch_unwind(AssertUnwindSafe(|| work(&mut view))).is_err() {
                    client.tell("important", "the debugger itself failed in this request", &place::Place::default());
                }
            }
            Some(Order::Go(pace)) => {
                TaskState::of_mut(&mut task.parts).pace = pace;
                break Ok(());
            }
            Some(Order::End) | None => break Err(Raised::Abend(Box::new(Task::purge_abend()))),
        }
    };
    watched.desk.close();
    outcome
}

fn stopped(number: u32, reason: Reason) -> serde_json::Value {
    let mut body = json!({ "threadId": number, "allThreadsStopped": false });
    match reason {
        Reason::Step => body["reason"] = "step".into(),
        Reason::Pause => body["reason"] = "pause".into(),
        Reason::Breakpoint { name, ids, why } => {
            body["reason"] = name.into();
            body["hitBreakpointIds"] = ids.into();
            if let Some(why) = why {
                body["text"] = why.into();
            }
        }
        Reason::Event(event) => {
            body["reason"] = "exception".into();
            body["description"] = event.name.into();
            body["text"] = event.text.into();
        }
    }
    body
}

/// How far the task goes if it is to step from where it is stopped.
pub fn depth_of(view: &View) -> crate::follow::Depth {
    TaskState::of(&view.task.parts).path.depth()
}
