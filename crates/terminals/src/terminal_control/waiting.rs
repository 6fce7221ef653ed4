//! Messages that wait for terminals: those of SEND PAGE at the task's own terminal, and those that ROUTE sends to others.
//!
//! Rules (CICS, "Message delivery" and "Undeliverable messages"): a message is delivered when it is due, its terminal is there and free, and the
//! operator it is meant for is signed on there; what is not delivered within PRGDLAY is purged. Invariants: a message waits for one terminal;
//! a message of ROUTE outlives the session of its terminal, any other is deleted with it; the number of messages is bounded.

use super::pages::{PagedMessage, TRANSACTION};
use super::{DisplayTerminal, kept_messages};
use parking_lot::Mutex;
use region::clock::{Abstime, now_local};
use region::facility::{Operator, Partner, StartForTerminal, Terminal};
use region::name::{Name3, Name4};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Messages that may wait for a terminal.
const OF_TERMINAL_MAX: usize = 256;
/// Messages that may wait for all terminals together.
const COUNT_MAX: usize = 65_536;

/// Who must be signed on at the terminal when a message is delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    Anyone,
    Operator(Name3),
    /// An operator with one of these classes.
    Classes([u8; 3]),
}

impl Receiver {
    fn is_at(self, terminal: &DisplayTerminal) -> bool {
        let operator = || Operator::of_user(terminal.user_id());
        match self {
            Receiver::Anyone => true,
            Receiver::Operator(id) => terminal.is_signed_on() && operator().id == id,
            Receiver::Classes(classes) => terminal.is_signed_on() && operator().is_in_any(classes),
        }
    }
}

/// A message that waits for a terminal.
pub struct Waiting {
    pub message: PagedMessage,
    pub receiver: Receiver,
    /// By ROUTE.
    pub is_routed: bool,
    /// Local time from which it may be delivered.
    pub due: Abstime,
    /// The terminal that is told when the message is purged (ERRTERM).
    pub error_terminal: Option<Name4>,
    /// Its number in the store, from which a restart brings it back.
    pub kept: Option<u64>,
}

impl Waiting {
    /// A message of the task's own terminal.
    pub fn own(message: PagedMessage) -> Self {
        Self { message, receiver: Receiver::Anyone, is_routed: false, due: now_local(), error_terminal: None, kept: None }
    }

    fn may_go_to(&self, terminal: &DisplayTerminal, now: Abstime) -> bool {
        self.due.0 <= now.0 && self.receiver.is_at(terminal)
    }
}

/// The messages that wait.
#[derive(Default)]
pub struct WaitingMessages(Mutex<Queues>);

#[derive(Default)]
struct Queues {
    by_terminal: FxHashMap<Name4, VecDeque<Waiting>>,
    /// In all queues.
    count: usize,
}

impl WaitingMessages {
    /// Adds a message for a terminal, which need not be there. False: too many wait.
    pub fn add(&self, terminal: Name4, waiting: Waiting) -> bool {
        let mut all = self.0.lock();
        let length = all.by_terminal.get(&terminal).map_or(0, VecDeque::len);
        let has_room = all.count < COUNT_MAX && length < OF_TERMINAL_MAX;
        if has_room {
            all.by_terminal.entry(terminal).or_default().push_back(waiting);
            all.count += 1;
        }
        has_room
    }

    /// The next message that may be delivered at the terminal.
    pub fn next(&self, terminal: &DisplayTerminal) -> Option<PagedMessage> {
        let now = now_local();
        self.take_first(terminal, |waiting| waiting.may_go_to(terminal, now))
    }

    /// The message of this identifier, which its operator asks for.
    pub fn take(&self, terminal: &DisplayTerminal, id: u32) -> Option<PagedMessage> {
        let now = now_local();
        self.take_first(terminal, |waiting| waiting.message.id == id && waiting.may_go_to(terminal, now))
    }

    fn take_first(&self, terminal: &DisplayTerminal, is_wanted: impl Fn(&Waiting) -> bool) -> Option<PagedMessage> {
        let name = terminal.name();
        let mut all = self.0.lock();
        let queue = all.by_terminal.get_mut(&name)?;
        let at = queue.iter().position(is_wanted)?;
        let taken = queue.remove(at);
        if queue.is_empty() {
            all.by_terminal.remove(&name);
        }
        all.count -= 1;
        drop(all);
        kept_messages::remove(terminal.region(), taken.as_slice());
        taken.map(|waiting| waiting.message)
    }

    /// What `of` makes of each message that may be delivered at the terminal.
    pub fn list<T>(&self, terminal: &DisplayTerminal, of: impl Fn(&PagedMessage) -> T) -> Vec<T> {
        let now = now_local();
        let all = self.0.lock();
        let queue = all.by_terminal.get(&terminal.name()).into_iter().flatten();
        queue.filter(|waiting| waiting.may_go_to(terminal, now)).map(|waiting| of(&waiting.message)).collect()
    }

    /// Whether a message may be delivered at the terminal.
    fn has_any(&self, terminal: &DisplayTerminal) -> bool {
        let now = now_local();
        self.0.lock().by_terminal.get(&terminal.name()).is_some_and(|queue| queue.iter().any(|waiting| waiting.may_go_to(terminal, now)))
    }

    /// Purges the messages that may be delivered at the terminal, or the one of an identifier; how many there were.
    pub fn purge(&self, terminal: &DisplayTerminal, id: Option<u32>) -> usize {
        let now = now_local();
        let purged = self.remove(|name, waiting| {
            name == terminal.name() && id.is_none_or(|id| waiting.message.id == id) && waiting.may_go_to(terminal, now)
        });
        let purged: Vec<Waiting> = purged.into_iter().map(|(_, waiting)| waiting).collect();
        kept_messages::remove(terminal.region(), &purged);
        purged.len()
    }

    /// The session of the terminal has ended.
    pub(super) fn terminal_deleted(&self, terminal: Name4) {
        self.remove(|name, waiting| name == terminal && !waiting.is_routed);
    }

    /// Removes and returns what was due before a time, with its terminals.
    pub fn expired(&self, before: Abstime) -> Vec<(Name4, Waiting)> {
        self.remove(|_, waiting| waiting.due.0 < before.0)
    }

    fn remove(&self, is_removed: impl Fn(Name4, &Waiting) -> bool) -> Vec<(Name4, Waiting)> {
        let mut removed = Vec::new();
        let mut all = self.0.lock();
        all.by_terminal.retain(|&terminal, queue| {
            let (gone, kept): (VecDeque<_>, VecDeque<_>) =
                std::mem::take(queue).into_iter().partition(|waiting| is_removed(terminal, waiting));
            removed.extend(gone.into_iter().map(|waiting| (terminal, waiting)));
            *queue = kept;
            !queue.is_empty()
        });
        all.count -= removed.len();
        removed
    }
}

impl DisplayTerminal {
    /// Starts page retrieval at the terminal if a message may be delivered there and none has been started yet.
    pub fn offer_messages(&self) {
        let waiting = &super::TerminalControl::of(self.region()).waiting;
        let retrieval = Name4::new(TRANSACTION);
        if self.starts_queued().contains(&retrieval) || self.paging.lock().is_displaying() || !waiting.has_any(self) {
            return;
        }
        let user_id = self.user_id();
        self.start(StartForTerminal { transid: retrieval, data: None, user_id, queue: None });
    }
}
