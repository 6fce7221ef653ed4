//! What a dump is made of: a header that says what it is a dump of, and sections, each of a component and a level of detail.
//!
//! The component keywords and the levels are those of the dump exit of IPCS ("CICS system dump formatting component keywords and levels"):
//! level 1 is a summary, level 2 the contents. Invariant: a section owns its bytes, so it may be written while the storage changes.

use serde::{Deserialize, Serialize};

/// The component of what always is shown.
pub const SUMMARY: &str = "SUMMARY";
/// Levels of detail.
pub const BRIEF: u8 = 1;
pub const FULL: u8 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum DumpKind {
    Transaction,
    System,
}

/// The head of a dump.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    pub kind: DumpKind,
    /// `run/count`.
    pub id: String,
    pub code: String,
    pub applid: String,
    pub sysid: String,
    /// Local date and time.
    pub date: String,
    pub time: String,
    /// The coded character set of storage.
    pub ccsid: u16,
    /// Of the task that asked for the dump; blank and 0 without one.
    pub transid: String,
    pub task: u32,
    pub terminal: String,
    pub user: String,
    pub program: String,
    /// As PERFORM DUMP gives them, or the region.
    pub title: String,
    pub caller: String,
    pub symptoms: String,
    /// The message that goes with the dump.
    pub message: String,
    /// How long the storage was copied, microseconds: other work on QR waits that long.
    pub copied_microseconds: u64,
}

#[cfg(test)]
impl Header {
    /// That of a system dump with this code.
    pub fn of_system(code: &str) -> Header {
        Header {
            kind: DumpKind::System,
            id: "1/0001".into(),
            code: code.into(),
            applid: "REG".into(),
            sysid: "S1".into(),
            date: String::new(),
            time: String::new(),
            ccsid: 37,
            transid: String::new(),
            task: 0,
            terminal: String::new(),
            user: String::new(),
            program: String::new(),
            title: String::new(),
            caller: String::new(),
            symptoms: String::new(),
            message: String::new(),
            copied_microseconds: 0,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    Lines(Vec<String>),
    /// Storage, with the address it had.
    Area {
        address: u64,
        bytes: Vec<u8>,
    },
    /// Trace entries, one behind another, as the trace table has them.
    Trace(Vec<u8>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    pub component: String,
    pub level: u8,
    pub title: String,
    pub content: Content,
}

impl Section {
    pub fn lines(component: &str, level: u8, title: impl Into<String>, lines: Vec<String>) -> Section {
        Section { component: component.to_string(), level, title: title.into(), content: Content::Lines(lines) }
    }

    pub fn area(component: &str, title: impl Into<String>, address: usize, bytes: Vec<u8>) -> Section {
        let content = Content::Area { address: address as u64, bytes };
        Section { component: component.to_string(), level: FULL, title: title.into(), content }
    }
}

/// A dump that has been taken and is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dump {
    pub header: Header,
    pub sections: Vec<Section>,
}
