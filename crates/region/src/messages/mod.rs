//! Messages and their destinations. Identifiers are those of CICS, texts are our own, from `tables/messages.tsv`.
//!
//! Destinations: `terminal` messages are shown on the task's terminal (and logged), `log` messages go to transient data queue
//! CSMT or its relatives, `console` messages to the operator. All of them reach the structured log (`tracing`), which is the console of a
//! region, and the last few hundred are kept for inquiry. An exit program at XMEOUT may send a message elsewhere or suppress it.

use crate::name::Name4;
use kernel::trace::{self, Value, points};
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, OnceLock};

const TABLE: &str = include_str!("../../tables/messages.tsv");
/// Messages kept for inquiry.
const KEPT_MAX: usize = 512;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Information,
    Warning,
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    Terminal,
    Log,
    Console,
}

/// A row of the table: a message before its values are filled in.
pub struct Row {
    pub severity: Severity,
    pub destination: Destination,
    /// `{name}` stands for a value.
    pub text: &'static str,
}

/// All messages by identifier.
pub fn table() -> &'static BTreeMap<&'static str, Row> {
    static ROWS: OnceLock<BTreeMap<&'static str, Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines
            .map(|line| {
                let columns: Vec<&'static str> = line.splitn(4, '\t').collect();
                let severity = match columns[1] {
                    "E" => Severity::Error,
                    "W" => Severity::Warning,
                    _ => Severity::Information,
                };
                let destination = match columns[2] {
                    "terminal" => Destination::Terminal,
                    "console" => Destination::Console,
                    _ => Destination::Log,
                };
                (columns[0], Row { severity, destination, text: columns[3] })
            })
            .collect()
    })
}

/// A message with its values filled in.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: &'static str,
    pub severity: Severity,
    pub destination: Destination,
    /// Without the identifier.
    pub text: String,
    /// The transient data queues that it is written to.
    pub queues: Vec<Name4>,
    /// It is shown on the console, and is in the structured log.
    pub is_on_console: bool,
    /// The delivery of another message has caused it: what answers messages does not answer it.
    pub is_consequence: bool,
}

/// The transient data queue of a message, by the component that sends it. Messages for the operator's console are not also written to a queue.
fn queue_of(id: &str, destination: Destination) -> Option<Name4> {
    let queue = match id.get(..5).unwrap_or_default() {
        "DFHFC" => "CSFL",
        "DFHZC" => "CSNE",
        "DFHSN" | "DFHUS" | "DFHXS" => "CSCS",
        "DFHAM" => "CSDL",
        "DFHPG" => "CSPL",
        "DFHRD" => "CRDI",
        _ => "CSMT",
    };
    (destination != Destination::Console).then(|| Name4::new(queue))
}

thread_local! {
    /// The thread delivers a message.
    static DELIVERS: Cell<bool> = const { Cell::new(false) };
}

/// Delivers a message to where the user has sent it. `deliver` does not suspend a task: it runs on this thread to its end.
pub fn delivering<T>(deliver: impl FnOnce() -> T) -> T {
    let before = DELIVERS.replace(true);
    let delivered = deliver();
    DELIVERS.set(before);
    delivered
}

impl Message {
    /// Fills in the values; a placeholder without a value is left empty. An identifier that is not in the table is a programming error, and
    /// only the values are shown.
    pub fn new(id: &'static str, values: &[(&str, &str)]) -> Self {
        let Some(row) = table().get(id) else {
            debug_assert!(false, "{id} is not in messages.tsv");
            let text = values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
            return Self::of(id, Severity::Error, Destination::Console, text);
        };
        Self::of(id, row.severity, row.destination, fill(row.text, values))
    }

    fn of(id: &'static str, severity: Severity, destination: Destination, text: String) -> Self {
        let queues = queue_of(id, destination).into_iter().collect();
        Self { id, severity, destination, text, queues, is_on_console: true, is_consequence: DELIVERS.get() }
    }

    /// The message as a user sees it.
    pub fn line(&self) -> String {
        format!("{} {}", self.id, self.text)
    }
}

fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        text.push_str(&rest[..start]);
        let Some(end) = rest[start..].find('}') else { break };
        let name = &rest[start + 1..start + end];
        text.push_str(values.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value));
        rest = &rest[start + end + 1..];
    }
    text.push_str(rest);
    text
}

/// Receives every message of the region (the console of `regent up`, a transient data queue, a test).
pub trait Sink: Send + Sync {
    fn message(&self, message: &Message);
}

/// The message domain of a region.
#[derive(Default)]
pub struct Messages {
    applid: String,
    sinks: Mutex<Vec<Arc<dyn Sink>>>,
    kept: Mutex<VecDeque<Message>>,
    /// Takes a message that something else will put out; false: it is put out at once.
    passes: OnceLock<Box<dyn Fn(&Message) -> bool + Send + Sync>>,
}

impl Messages {
    pub fn new(applid: &str) -> Self {
        Self { applid: applid.to_string(), ..Self::default() }
    }

    pub fn add_sink(&self, sink: Arc<dyn Sink>) {
        self.sinks.lock().push(sink);
    }

    /// Makes the message, with APPLID, date and time filled in, and puts it out.
    pub fn send(&self, id: &'static str, values: &[(&str, &str)]) -> Message {
        let now = crate::clock::now_local();
        let (date, time) = (now.date_text(), now.time_text());
        let mut all: Vec<(&str, &str)> = values.to_vec();
        all.extend([("applid", self.applid.as_str()), ("date", date.as_str()), ("time", time.as_str())]);
        let message = Message::new(id, &all);
        trace::point(&points::ME_MESSAGE, &[Value::Text("SEND_MESSAGE"), Value::Text(id), Value::Text(&message.text)]);
        {
            let mut kept = self.kept.lock();
            if kept.len() == KEPT_MAX {
                kept.pop_front();
            }
            kept.push_back(message.clone());
        }
        if !self.passes.get().is_some_and(|takes| takes(&message)) {
            self.put_out(&message);
        }
        message
    }

    /// Sends a message to the structured log and the sinks.
    pub fn put_out(&self, message: &Message) {
        let id = message.id;
        match message.severity {
            _ if !message.is_on_console => {}
            Severity::Information => tracing::info!(target: "region", id, "{}", message.text),
            Severity::Warning => tracing::warn!(target: "region", id, "{}", message.text),
            Severity::Error => tracing::error!(target: "region", id, "{}", message.text),
        }
        let sinks = self.sinks.lock().clone();
        for sink in sinks {
            sink.message(message);
        }
    }

    /// Messages pass this on their way to the sinks; a second call has no effect.
    pub fn pass_by(&self, takes: Box<dyn Fn(&Message) -> bool + Send + Sync>) {
        let _ = self.passes.set(takes);
    }

    /// The last messages, oldest first.
    pub fn kept(&self) -> Vec<Message> {
        self.kept.lock().iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_filled_in_and_missing_ones_left_empty() {
        assert_eq!(fill("a {x} b {y}.", &[("x", "1")]), "a 1 b .");
        let values = [("transid", "ABCD"), ("applid", "REG1"), ("date", "2020-02-29"), ("time", "10:11:12")];
        let message = Message::new("DFHAC2001", &values);
        assert!(message.line().starts_with("DFHAC2001 2020-02-29 10:11:12 REG1 Transaction 'ABCD' is not recognized."));
        assert_eq!(message.destination, Destination::Terminal);
    }

    #[test]
    fn the_table_is_well_formed() {
        assert!(table().len() > 50);
        for (id, row) in table() {
            assert!(id.starts_with("DFH") && !row.text.is_empty(), "{id}");
        }
    }
}
