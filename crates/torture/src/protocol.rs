//! The report of a round to its parent: one line for each event, words separated by blanks.
//!
//! Invariant: a line is written with one write, so lines of many tasks never mix; `Begin` of a unit of work is written while it holds all
//! its locks, so of two units that touch the same resource, the one whose `Begin` comes first commits first.

use std::io::Write;

/// A change of a unit of work. Names, keys and values have no blanks and no semicolons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Put {
        container: String,
        key: String,
        value: String,
    },
    Delete {
        container: String,
        key: String,
    },
    Push {
        container: String,
        value: String,
    },
    /// Removes the first element of a list, which must be this value.
    Pop {
        container: String,
        value: String,
    },
    Replace {
        container: String,
        index: usize,
        value: String,
    },
    Clear {
        container: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The region has started.
    Started {
        emergency: bool,
    },
    /// One fact of the state found.
    Key {
        container: String,
        key: String,
        value: String,
    },
    Item {
        container: String,
        value: String,
    },
    /// The whole state has been told.
    Told,
    /// Something found that can never be right.
    Wrong(String),
    /// A unit of work is about to commit. `marked`: its own record shows whether it did.
    Begin {
        unit: u64,
        marked: bool,
        changes: Vec<Change>,
    },
    Done {
        unit: u64,
    },
    /// A unit of work that is about to commit will be in doubt, under this identifier.
    Doubt {
        unit: u64,
        id: u64,
    },
    /// It is still in doubt: a fact of the state found.
    InDoubt {
        id: u64,
    },
    /// It has been decided.
    Decided {
        id: u64,
        commit: bool,
    },
    /// A number the counter gave.
    Given {
        number: u64,
    },
    /// The number it will give next: a fact of the state found.
    Next {
        number: u64,
    },
    /// The work of the round is over and the region was shut down in order.
    Stopped,
}

fn encode_change(change: &Change) -> String {
    match change {
        Change::Put { container, key, value } => format!("put {container} {key} {value}"),
        Change::Delete { container, key } => format!("del {container} {key}"),
        Change::Push { container, value } => format!("push {container} {value}"),
        Change::Pop { container, value } => format!("pop {container} {value}"),
        Change::Replace { container, index, value } => format!("set {container} {index} {value}"),
        Change::Clear { container } => format!("clear {container}"),
    }
}

fn decode_change(text: &str) -> Option<Change> {
    let words: Vec<String> = text.split(' ').map(str::to_string).collect();
    let word = |index: usize| words.get(index).cloned();
    let container = word(1)?;
    Some(match words[0].as_str() {
        "put" => Change::Put { container, key: word(2)?, value: word(3)? },
        "del" => Change::Delete { container, key: word(2)? },
        "push" => Change::Push { container, value: word(2)? },
        "pop" => Change::Pop { container, value: word(2)? },
        "set" => Change::Replace { container, index: word(2)?.parse().ok()?, value: word(3)? },
        "clear" => Change::Clear { container },
        _ => return None,
    })
}

impl Event {
    fn encode(&self) -> String {
        match self {
            Event::Started { emergency } => format!("STARTED {}", if *emergency { "emergency" } else { "warm" }),
            Event::Key { container, key, value } => format!("KEY {container} {key} {value}"),
            Event::Item { container, value } => format!("ITEM {container} {value}"),
            Event::Told => "TOLD".into(),
            Event::Wrong(why) => format!("WRONG {why}"),
            Event::Begin { unit, marked, changes } => {
                let changes: Vec<String> = changes.iter().map(encode_change).collect();
                format!("BEGIN {unit} {} {}", if *marked { "marked" } else { "solo" }, changes.join(";"))
            }
            Event::Done { unit } => format!("DONE {unit}."),
            Event::Doubt { unit, id } => format!("DOUBT {unit} {id}."),
            Event::InDoubt { id } => format!("INDOUBT {id}."),
            Event::Decided { id, commit } => format!("DECIDED {id} {}.", if *commit { "commit" } else { "backout" }),
            Event::Given { number } => format!("GIVEN {number}."),
            Event::Next { number } => format!("NEXT {number}."),
            Event::Stopped => "STOPPED".into(),
        }
    }

    /// `None` for a line cut off by the death of its writer, and for any other unknown line.
    pub fn decode(line: &str) -> Option<Event> {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut words = rest.splitn(3, ' ').map(str::to_string);
        let mut word = || words.next();
        let whole = rest.strip_suffix('.');
        Some(match name {
            "STARTED" => Event::Started { emergency: rest == "emergency" },
            "KEY" => Event::Key { container: word()?, key: word()?, value: word()? },
            "ITEM" => Event::Item { container: word()?, value: word()? },
            "TOLD" => Event::Told,
            "WRONG" => Event::Wrong(rest.into()),
            "BEGIN" => {
                let (unit, marked, changes) = (word()?.parse().ok()?, word()? == "marked", word()?);
                let changes: Option<Vec<Change>> = changes.split(';').map(decode_change).collect();
                Event::Begin { unit, marked, changes: changes? }
            }
            "DONE" => Event::Done { unit: whole?.parse().ok()? },
            "DOUBT" => {
                let (unit, id) = whole?.split_once(' ')?;
                Event::Doubt { unit: unit.parse().ok()?, id: id.parse().ok()? }
            }
            "INDOUBT" => Event::InDoubt { id: whole?.parse().ok()? },
            "DECIDED" => {
                let (id, outcome) = whole?.split_once(' ')?;
                Event::Decided { id: id.parse().ok()?, commit: outcome == "commit" }
            }
            "GIVEN" => Event::Given { number: whole?.parse().ok()? },
            "NEXT" => Event::Next { number: whole?.parse().ok()? },
            "STOPPED" => Event::Stopped,
            _ => return None,
        })
    }

    /// Sends it to the parent. A parent that has ended is not an error.
    pub fn send(&self) {
        let mut line = self.encode();
        line.push('\n');
        let mut output = std::io::stdout().lock();
        let _ = output.write_all(line.as_bytes()).and_then(|()| output.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_back_and_cut_lines_do_not() {
        let text = |text: &str| text.to_string();
        let changes = vec![
            Change::Put { container: text("K"), key: text("1"), value: text("v") },
            Change::Delete { container: text("K"), key: text("1") },
            Change::Push { container: text("T"), value: text("v") },
            Change::Pop { container: text("T"), value: text("v") },
            Change::Replace { container: text("T"), index: 3, value: text("v") },
            Change::Clear { container: text("T") },
        ];
        let events = [
            Event::Started { emergency: true },
            Event::Key { container: text("K"), key: text("k"), value: text("v") },
            Event::Item { container: text("T"), value: text("v") },
            Event::Told,
            Event::Begin { unit: 7, marked: true, changes },
            Event::Done { unit: 71 },
            Event::Doubt { unit: 71, id: 5 },
            Event::InDoubt { id: 5 },
            Event::Decided { id: 5, commit: true },
            Event::Given { number: 12 },
            Event::Next { number: 13 },
            Event::Stopped,
        ];
        for event in events {
            assert_eq!(Event::decode(&event.encode()), Some(event));
        }
        assert_eq!(Event::decode("DONE 7"), None);
        assert_eq!(Event::decode("BEGIN 7 marked put K"), None);
    }
}
