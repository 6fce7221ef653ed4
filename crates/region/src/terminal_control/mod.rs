//! Terminal control: the terminals of the region as the other domains use them, and SEND, RECEIVE, CONVERSE, ISSUE ...
//!
//! A terminal is whatever implements [`Terminal`]; TN3270 sessions, sequential terminals of tests and consoles do. The rest of the region
//! knows only this trait: who is at the terminal, what its next transaction is, which task it belongs to, and how to show a message.
//!
//! Invariants: a terminal belongs to at most one task at a time; input that arrives without a task starts one, by the terminal's
//! next transaction or the first characters of the input; a task for a terminal (START TERMID, trigger) waits until it is free.

mod commands;
pub mod terminal;

pub use commands::handlers;
pub use terminal::{NextTransaction, StartForTerminal, Terminal, TerminalAttributes};

use crate::name::{Name4, Name8};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Terminal control's part of a task: what of the conversation belongs to the task and not to the terminal.
#[derive(Default)]
pub struct TaskState {
    /// The data stream that started the task, until a RECEIVE takes it.
    pub initial_input: Option<Vec<u8>>,
    /// Output deferred until a WAIT, a RECEIVE or the end of the task.
    pub deferred_output: Vec<u8>,
    /// SEND LAST was done.
    pub last: bool,
}

/// The terminals of the region.
#[derive(Default)]
pub struct TerminalControl {
    terminals: RwLock<FxHashMap<Name4, Arc<dyn Terminal>>>,
}

impl TerminalControl {
    pub fn find(&self, name: Name4) -> Option<Arc<dyn Terminal>> {
        self.terminals.read().get(&name).cloned()
    }

    pub fn find_by_netname(&self, netname: Name8) -> Option<Arc<dyn Terminal>> {
        self.terminals.read().values().find(|terminal| terminal.netname() == netname).cloned()
    }

    /// False if the name is taken.
    pub fn add(&self, terminal: Arc<dyn Terminal>) -> bool {
        let mut terminals = self.terminals.write();
        let name = terminal.name();
        if terminals.contains_key(&name) {
            return false;
        }
        terminals.insert(name, terminal);
        true
    }

    pub fn remove(&self, name: Name4) -> Option<Arc<dyn Terminal>> {
        self.terminals.write().remove(&name)
    }

    /// By name, for inquiry.
    pub fn all(&self) -> Vec<Arc<dyn Terminal>> {
        let mut all: Vec<_> = self.terminals.read().values().cloned().collect();
        all.sort_by_key(|terminal| terminal.name());
        all
    }
}
