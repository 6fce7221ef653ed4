//! A client as the tasks see it: whose work it wants to see, its breakpoints, and the way of messages to it.
//!
//! Invariants: no task waits for a client to read: messages wait in a queue of bounded length, and a client that does not read is
//! disconnected; what a client sees of a task it selects, and of no other.

use crate::breakpoints::{Plan, Resolved};
use crate::place::Place;
use parking_lot::{Mutex, RwLock};
use region::name::{Name4, Name8};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use std::io::{self, Read};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// Messages that wait for a client to read them.
const MESSAGES_MAX: usize = 2000;

/// Whose tasks a client debugs: those for which all that is given agrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub user: Option<Name8>,
    pub terminal: Option<Name4>,
    pub transaction: Option<Name4>,
    /// Tasks stop in this program and those called by it only.
    pub program: Option<Name8>,
}

/// Who a task works for.
#[derive(Clone, Debug)]
pub struct Identity {
    pub number: u32,
    pub user: Name8,
    pub terminal: Name4,
    pub transaction: Name4,
}

impl Selection {
    pub fn selects(&self, task: &Identity) -> bool {
        self.user.is_none_or(|user| user == task.user)
            && self.terminal.is_none_or(|terminal| terminal == task.terminal)
            && self.transaction.is_none_or(|transaction| transaction == task.transaction)
    }
}

pub struct Client {
    number: u64,
    pub selection: Selection,
    plan: RwLock<Arc<Plan>>,
    /// Breakpoints that the client knows to be somewhere.
    verified: Mutex<FxHashSet<u64>>,
    outgoing: Arc<Outgoing>,
    /// What the client calls the first line of a source.
    first_line: u32,
}

impl Client {
    pub fn new(selection: Selection, plan: Arc<Plan>, outgoing: Arc<Outgoing>, first_line: u32) -> Client {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        Client { number, selection, plan: RwLock::new(plan), verified: Mutex::default(), outgoing, first_line }
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    pub fn plan(&self) -> Arc<Plan> {
        self.plan.read().clone()
    }

    pub fn set_plan(&self, plan: Arc<Plan>) {
        *self.plan.write() = plan;
    }

    pub fn event(&self, name: &str, body: Value) {
        self.outgoing.event(name, body);
    }

    /// A line for the user, at a place of the source.
    pub fn tell(&self, category: &str, text: &str, place: &Place) {
        let mut body = json!({ "category": category, "output": format!("{text}\n") });
        if let Some(source) = &place.source {
            body["source"] = source_of(source);
            body["line"] = shown_number(place.line, self.first_line).into();
        }
        self.event("output", body);
    }

    pub fn is_verified(&self, breakpoint: u64) {
        self.verified.lock().insert(breakpoint);
    }

    /// A module is used for the first time: breakpoints that now have a place are told.
    pub fn saw(&self, plan: &Plan, resolved: &Resolved) {
        for (at, line) in &resolved.found {
            if !self.verified.lock().insert(plan.id(*at)) {
                continue;
            }
            let mut breakpoint = json!({ "id": plan.id(*at), "verified": true });
            if let Some(line) = line {
                breakpoint["line"] = shown_number(*line, self.first_line).into();
            }
            self.event("breakpoint", json!({ "reason": "changed", "breakpoint": breakpoint }));
        }
    }
}

/// The number of a line or column, which count from 1, as a client that begins with `first` has it.
pub fn shown_number(number: u32, first: u32) -> u32 {
    number.saturating_add(first).saturating_sub(1)
}

/// The description of a source file.
pub fn source_of(path: &std::path::Path) -> Value {
    let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    json!({ "name": name, "path": path.to_string_lossy() })
}

/// The queue of messages to a client, and the end of its session.
pub struct Outgoing {
    /// Nothing is the end: the last message has been queued.
    queue: SyncSender<Option<Value>>,
    sequence: AtomicI64,
    has_ended: AtomicBool,
    stream: UnixStream,
}

/// What a session waits for input before it looks whether it is to end: closing one's own end of a socket wakes no reader of it.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The input of a session, which ends when the client closes it and when the session is to end.
pub struct Incoming {
    stream: UnixStream,
    outgoing: Arc<Outgoing>,
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.outgoing.has_ended.load(Ordering::Acquire) {
            match self.stream.read(buffer) {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted) => {}
                other => return other,
            }
        }
        Ok(0)
    }
}

impl Outgoing {
    pub fn new(stream: UnixStream) -> (Arc<Outgoing>, Receiver<Option<Value>>) {
        let (queue, messages) = sync_channel(MESSAGES_MAX);
        (Arc::new(Outgoing { queue, sequence: AtomicI64::new(0), has_ended: AtomicBool::new(false), stream }), messages)
    }

    pub fn incoming(self: &Arc<Outgoing>) -> io::Result<Incoming> {
        let stream = self.stream.try_clone()?;
        stream.set_read_timeout(Some(LOOK_EVERY))?;
        Ok(Incoming { stream, outgoing: self.clone() })
    }

    pub fn writer(&self) -> io::Result<UnixStream> {
        self.stream.try_clone()
    }

    /// The session ends, as if the client had closed its input.
    pub fn end(&self) {
        self.has_ended.store(true, Ordering::Release);
    }

    pub fn event(&self, name: &str, body: Value) {
        self.send(json!({ "type": "event", "event": name, "body": body }));
    }

    /// Numbers and queues a message.
    pub fn send(&self, mut message: Value) {
        message["seq"] = (self.sequence.fetch_add(1, Ordering::Relaxed) + 1).into();
        self.put(Some(message));
    }

    /// The writer ends behind what has been sent.
    pub fn finish(&self) {
        self.put(None);
    }

    fn put(&self, message: Option<Value>) {
        if self.queue.try_send(message).is_err() {
            self.disconnect();
        }
    }

    fn disconnect(&self) {
        self.end();
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_agrees_in_all_that_is_given() {
        let task = Identity { number: 1, user: Name8::new("ADAMS"), terminal: Name4::new("T001"), transaction: Name4::new("BAIN") };
        let selection = |user: Option<&str>, transaction: Option<&str>| Selection {
            user: user.map(Name8::new),
            transaction: transaction.map(Name4::new),
            ..Selection::default()
        };
        assert!(selection(None, None).selects(&task) && selection(Some("ADAMS"), Some("BAIN")).selects(&task));
        assert!(!selection(Some("ADAMS"), Some("BAUP")).selects(&task) && !selection(Some("OTHER"), None).selects(&task));
    }

    /// A client that does not read never makes a task wait, and is disconnected.
    #[test]
    fn a_client_that_does_not_read_is_disconnected() {
        let (own, mut other) = UnixStream::pair().unwrap();
        let (outgoing, messages) = Outgoing::new(own);
        (0..MESSAGES_MAX).for_each(|number| outgoing.event("output", json!(number)));
        other.set_read_timeout(Some(std::time::Duration::from_millis(50))).unwrap();
        assert!(other.read(&mut [0; 1]).is_err(), "it is connected");
        outgoing.event("output", json!("one too many"));
        assert_eq!(other.read(&mut [0; 1]).unwrap(), 0);
        // Its session ends, though the client holds its end open.
        assert_eq!(outgoing.incoming().unwrap().read(&mut [0; 1]).unwrap(), 0);
        assert_eq!(messages.try_iter().count(), MESSAGES_MAX);
    }
}
