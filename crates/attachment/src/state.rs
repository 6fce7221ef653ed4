//! The definitions and threads of the attachment, under one lock: which thread a task gets, and what becomes of one that is released.
//!
//! Invariants: nobody waits or speaks to the database while the lock is held; `tcbs` counts the threads in use of all groups; a task is in
//! `users` while it has a thread or the place of one.

use crate::session::{Group, Identity, Parked, Session};
use crate::threads::{Level, Threads};
use csd::{Db2ConnDefinition, Db2EntryDefinition, Db2TranDefinition, StandbyMode, ThreadAttributes, ThreadWait};
use kernel::name::{Name4, Name8};
use kernel::{Ecb, Waker};
use std::collections::{BTreeMap, VecDeque};
use std::time::SystemTime;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    #[default]
    NotConnected,
    /// The database is awaited.
    Connecting,
    Connected,
    /// No new users; it ends with the last one.
    Disconnecting,
}

impl Status {
    /// As rules of policies name it.
    pub fn name(self) -> &'static str {
        match self {
            Status::NotConnected => "NOTCONNECTED",
            Status::Connecting => "CONNECTING",
            Status::Connected => "CONNECTED",
            Status::Disconnecting => "DISCONNING",
        }
    }
}

/// DISABLEDACT
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DisabledAction {
    Abend,
    SqlCode,
    Pool,
}

pub struct Entry {
    pub definition: Db2EntryDefinition,
    pub threads: Threads,
    pub enabled: bool,
    pub disabled_action: DisabledAction,
    /// Posted when no task uses it.
    pub quiesced: Ecb,
}

impl Entry {
    pub fn new(definition: Db2EntryDefinition) -> Entry {
        let mut threads = Threads::default();
        threads.limit = definition.threads.limit;
        Entry { definition, threads, enabled: true, disabled_action: DisabledAction::Pool, quiesced: Ecb::new() }
    }
}

/// A task with a thread.
#[derive(Clone, Debug)]
pub struct User {
    pub group: Group,
    pub identity: Identity,
    pub unit: u64,
    /// Waits for a thread.
    pub waits: bool,
}

#[derive(Default)]
pub struct State {
    pub connection: Option<Db2ConnDefinition>,
    pub status: Status,
    /// Why it is not connected.
    pub reason: String,
    /// Tries to connect under way carry this number; those with another have been overtaken.
    pub attempt: u32,
    pub epoch: u32,
    pub release: String,
    pub connected_at: Option<SystemTime>,
    pub disconnected_at: Option<SystemTime>,
    pub pool: Threads,
    pub command: Threads,
    pub entries: BTreeMap<Name8, Entry>,
    pub transactions: BTreeMap<Name8, Db2TranDefinition>,
    pub parked: Vec<Parked>,
    pub tcbs: Level,
    pub tcb_queue: Level,
    tcb_waiting: VecDeque<Waker>,
    pub users: BTreeMap<u32, User>,
    /// Posted when no task uses the connection.
    pub quiesced: Ecb,
}

/// What a connection leaves behind.
pub struct Ended {
    /// To be closed.
    pub sessions: Vec<Session>,
    /// Those who wait for a thread.
    pub waiting: Vec<Waker>,
    /// Everything before this epoch is over.
    pub epoch: u32,
}

/// What a task that needs a thread is told.
pub enum Answer {
    /// A parked session.
    Session(Box<Session>),
    /// A place: the task makes the session.
    Create(u32),
    /// It waits in the queue of this group (with the waker it gave), for the place of a thread.
    Wait(Group),
    /// It waits until fewer sessions are in use.
    WaitForTcb,
    Refused(Refusal),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    NotConnected,
    /// THREADWAIT(NO), of an entry or of the pool.
    EntryFull,
    PoolFull,
    /// DISABLEDACT of a disabled entry.
    EntryDisabledAbend,
    EntryDisabledCode,
}

/// Whether a transaction is meant: `*` stands for any characters, `+` for one.
pub fn matches(pattern: Name4, transid: Name4) -> bool {
    let (pattern, transid) = (pattern.as_bytes(), transid.as_bytes());
    for (at, expected) in pattern.iter().enumerate() {
        match expected {
            b'*' => return true,
            b'+' if transid[at] != b' ' => {}
            other if *other == transid[at] => {}
            _ => return false,
        }
    }
    true
}

/// How specific a pattern is: the characters before the first that is generic.
fn precision(pattern: Name4) -> usize {
    let bytes = pattern.as_bytes();
    bytes.iter().position(|byte| matches!(byte, b'*' | b'+')).unwrap_or(bytes.len() + 1)
}

impl State {
    /// The entry of a transaction: by the most specific DB2TRAN or TRANSID of an entry that matches it.
    pub fn entry_of(&self, transid: Name4) -> Option<Name8> {
        let by_transaction = self.transactions.values().map(|tran| (tran.transid, tran.entry));
        let by_entry = self.entries.values().filter(|entry| !entry.definition.transid.is_blank());
        let by_entry = by_entry.map(|entry| (entry.definition.transid, entry.definition.name));
        let matching = by_transaction.chain(by_entry).filter(|(pattern, _)| matches(*pattern, transid));
        let entry = matching.max_by_key(|(pattern, _)| precision(*pattern)).map(|(_, entry)| entry)?;
        // A DB2TRAN may be left over from an entry that was discarded: its transaction uses the pool.
        self.entries.contains_key(&entry).then_some(entry)
    }

    pub fn attributes(&self, group: Group) -> Option<&ThreadAttributes> {
        match group {
            Group::Pool => self.connection.as_ref().map(|connection| &connection.pool),
            Group::Entry(name) => self.entries.get(&name).map(|entry| &entry.definition.threads),
        }
    }

    pub fn threads(&mut self, group: Group) -> &mut Threads {
        match group {
            Group::Entry(name) => match self.entries.get_mut(&name) {
                Some(entry) => &mut entry.threads,
                None => &mut self.pool,
            },
            Group::Pool => &mut self.pool,
        }
    }

    /// The group whose threads a transaction uses at present.
    pub fn group_of(&self, transid: Name4) -> Result<Group, Refusal> {
        let Some(name) = self.entry_of(transid) else { return Ok(Group::Pool) };
        let entry = &self.entries[&name];
        if !entry.enabled {
            return match entry.disabled_action {
                DisabledAction::Pool => Ok(Group::Pool),
                DisabledAction::Abend => Err(Refusal::EntryDisabledAbend),
                DisabledAction::SqlCode => Err(Refusal::EntryDisabledCode),
            };
        }
        Ok(Group::Entry(name))
    }

    /// A thread for a task, or its place in a queue. `group` is what [`State::group_of`] has answered.
    pub fn acquire(&mut self, group: Group, identity: Identity, waker: impl FnOnce() -> Waker) -> (Group, Answer) {
        if self.status != Status::Connected {
            return (group, Answer::Refused(Refusal::NotConnected));
        }
        let mut group = group;
        if let Group::Entry(name) = group
            && !self.threads(group).has_room()
        {
            let wait = self.entries[&name].definition.threads.wait;
            self.threads(group).counters.waits_or_overflows += 1;
            match wait {
                ThreadWait::Pool => group = Group::Pool,
                ThreadWait::No => return (group, Answer::Refused(Refusal::EntryFull)),
                ThreadWait::Yes => {
                    self.threads(group).queue(waker());
                    return (group, Answer::Wait(group));
                }
            }
        }
        if group == Group::Pool && !self.pool.has_room() {
            self.pool.counters.waits_or_overflows += 1;
            let waits = self.connection.as_ref().is_none_or(|connection| connection.pool.wait != ThreadWait::No);
            if !waits {
                return (group, Answer::Refused(Refusal::PoolFull));
            }
            self.pool.queue(waker());
            return (group, Answer::Wait(group));
        }
        if self.connection.as_ref().is_some_and(|connection| self.tcbs.current >= connection.tcb_limit) {
            self.tcb_waiting.push_back(waker());
            self.tcb_queue.set(self.tcb_waiting.len() as u32);
            return (group, Answer::WaitForTcb);
        }
        self.threads(group).in_use.rise();
        self.tcbs.rise();
        (group, self.take(group, identity, false))
    }

    /// The session for a place that the task has, as a new use.
    pub fn take(&mut self, group: Group, identity: Identity, handed_over: bool) -> Answer {
        let of_group = |parked: &Parked| parked.session.group == group;
        let same = self.parked.iter().rposition(|parked| of_group(parked) && parked.session.identity.plan == identity.plan);
        // A protected thread of another entry is not taken away from it.
        let other = || self.parked.iter().rposition(|parked| !parked.is_protected);
        let Some(at) = same.or_else(other) else {
            self.threads(group).counters.creates += 1;
            return Answer::Create(self.epoch);
        };
        let Parked { mut session, is_protected, .. } = self.parked.swap_remove(at);
        let goes_on = session.group == group && (is_protected || handed_over) && session.identity.plan == identity.plan;
        let signs_on = session.identity.authorization_id != identity.authorization_id || session.identity.transid != identity.transid;
        let threads = self.threads(group);
        if is_protected {
            threads.protected.fall();
        }
        let counters = &mut threads.counters;
        if goes_on {
            counters.reuses += 1;
            if signs_on { counters.signons += 1 } else { counters.partial_signons += 1 }
        } else {
            counters.creates += 1;
            counters.signons += 1;
        }
        session.group = group;
        session.identity = identity;
        session.uses += 1;
        Answer::Session(session)
    }

    /// A task gives up its place, with its session if that can be used again; answers a session to be closed.
    #[must_use]
    pub fn release(&mut self, group: Group, session: Option<Box<Session>>) -> Option<Box<Session>> {
        let closed = session.and_then(|session| self.park(group, session));
        let handed = self.status == Status::Connected && self.threads(group).hand_over();
        if !handed {
            self.threads(group).in_use.fall();
            self.tcbs.fall();
            self.admit_by_tcb();
        }
        self.tell_quiesced();
        closed
    }

    /// Keeps a session for the next user; answers one that is not to be kept.
    fn park(&mut self, group: Group, session: Box<Session>) -> Option<Box<Session>> {
        let reuse_limit = self.connection.as_ref().map_or(0, |connection| connection.reuse_limit);
        let is_current = session.epoch == self.epoch && matches!(self.status, Status::Connected | Status::Disconnecting);
        let is_worn = reuse_limit != 0 && session.uses >= reuse_limit;
        let waited_for = self.threads(group).waiting() != 0;
        let protect = match group {
            Group::Entry(name) => self.entries.get(&name).is_some_and(|entry| {
                entry.enabled && entry.threads.protected.current < entry.definition.protected.min(entry.definition.threads.limit)
            }),
            Group::Pool => false,
        };
        if !is_current || is_worn {
            self.threads(group).counters.terminates += 1;
            return Some(session);
        }
        if waited_for {
            self.parked.push(Parked { session, is_protected: false, cycles: 0 });
            return None;
        }
        let threads = self.threads(group);
        if protect {
            threads.protected.rise();
        } else {
            threads.counters.terminates += 1;
        }
        self.parked.push(Parked { session, is_protected: protect, cycles: 0 });
        None
    }

    /// Fewer sessions are in use, or more may be: those who wait for that try again.
    fn admit_by_tcb(&mut self) {
        let limit = self.connection.as_ref().map_or(u32::MAX, |connection| connection.tcb_limit);
        let mut free = limit.saturating_sub(self.tcbs.current);
        while free > 0 {
            let Some(waker) = self.tcb_waiting.pop_front() else { break };
            free -= u32::from(waker.resume());
        }
        self.tcb_queue.current = self.tcb_waiting.len() as u32;
    }

    /// Limits may have been raised: places for those who wait.
    pub fn admit_by_limits(&mut self) {
        let admitted = self.pool.admit() + self.entries.values_mut().map(|entry| entry.threads.admit()).sum::<u32>();
        self.tcbs.set(self.tcbs.current + admitted);
        self.admit_by_tcb();
    }

    /// The connection has ended or changed: everybody who waits looks again.
    pub fn dismiss(&mut self) -> Vec<Waker> {
        let mut wakers: Vec<Waker> = self.tcb_waiting.drain(..).collect();
        self.tcb_queue.current = 0;
        wakers.extend(self.pool.dismiss());
        for entry in self.entries.values_mut() {
            wakers.extend(entry.threads.dismiss());
        }
        wakers
    }

    /// The connection that was made in this epoch is there for tasks; false if it is not wanted any more.
    pub fn begin(&mut self, epoch: u32, release: String) -> bool {
        if self.status != Status::Connecting || self.epoch != epoch {
            return false;
        }
        self.status = Status::Connected;
        self.release = release;
        self.connected_at = Some(SystemTime::now());
        self.disconnected_at = None;
        self.reason.clear();
        true
    }

    /// The database of this epoch has gone: whether it is awaited, and what is left. `None` if that connection has ended already.
    pub fn lose(&mut self, epoch: u32) -> Option<(Status, Ended)> {
        if self.status != Status::Connected || self.epoch != epoch {
            return None;
        }
        let reconnects = self.connection.as_ref().is_some_and(|connection| connection.standby == StandbyMode::Reconnect);
        let status = if reconnects { Status::Connecting } else { Status::NotConnected };
        Some((status, self.end(status)))
    }

    /// The connection has ended, or is no longer made.
    pub fn end(&mut self, status: Status) -> Ended {
        self.status = status;
        self.epoch += 1;
        self.disconnected_at = Some(SystemTime::now());
        Ended { sessions: self.take_parked(), waiting: self.dismiss(), epoch: self.epoch }
    }

    /// A purge cycle has ended: protected threads are kept over two of them.
    pub fn purge_cycle(&mut self) -> Vec<Session> {
        const CYCLES_MAX: u32 = 2;
        let mut closed = Vec::new();
        let mut kept = Vec::new();
        for mut parked in std::mem::take(&mut self.parked) {
            parked.cycles += 1;
            if parked.cycles < CYCLES_MAX {
                kept.push(parked);
                continue;
            }
            if parked.is_protected {
                let threads = self.threads(parked.session.group);
                threads.protected.fall();
                threads.counters.terminates += 1;
            }
            closed.push(*parked.session);
        }
        self.parked = kept;
        closed
    }

    /// The parked sessions of a plan, to be closed.
    pub fn take_parked_of(&mut self, plan: Name8) -> Vec<Session> {
        let (of_plan, others) = std::mem::take(&mut self.parked).into_iter().partition(|parked| parked.session.identity.plan == plan);
        self.parked = of_plan;
        let taken = self.take_parked();
        self.parked = others;
        taken
    }

    /// THREADLIMIT of a group.
    pub fn set_limit(&mut self, group: Group, limit: u32) {
        self.threads(group).limit = limit;
        match group {
            Group::Pool => self.connection.iter_mut().for_each(|connection| connection.pool.limit = limit),
            Group::Entry(name) => self.entries.get_mut(&name).into_iter().for_each(|entry| entry.definition.threads.limit = limit),
        }
        self.admit_by_limits();
    }

    /// All parked sessions, to be closed.
    fn take_parked(&mut self) -> Vec<Session> {
        let parked = std::mem::take(&mut self.parked);
        for of in parked.iter().filter(|parked| parked.is_protected) {
            self.threads(of.session.group).protected.fall();
        }
        parked.into_iter().map(|parked| *parked.session).collect()
    }

    /// Tells those who wait until the connection or a disabled entry is no longer in use.
    pub fn tell_quiesced(&mut self) {
        if self.users.is_empty() {
            self.quiesced.post(0);
        }
        for (name, entry) in self.entries.iter().filter(|(_, entry)| !entry.enabled) {
            if !self.users.values().any(|user| user.group == Group::Entry(*name)) {
                entry.quiesced.post(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use csd::Definition;

    #[test]
    fn a_generic_transid_matches_and_the_most_specific_wins() {
        let name = Name4::new;
        assert!(matches(name("AB*"), name("ABCD")) && matches(name("A+C"), name("ABC")) && matches(name("*"), name("X")));
        assert!(!matches(name("AB+"), name("AB")) && !matches(name("ABC"), name("ABCD")));
        let mut state = State::default();
        for (entry, transid) in [("ALL", "*"), ("SOME", "AB*"), ("ONE", "ABCD")] {
            let definition = Definition::new("DB2ENTRY", entry, "G").with("TRANSID", transid);
            state.entries.insert(Name8::new(entry), Entry::new(Db2EntryDefinition::from(&definition)));
        }
        let entry = |transid| state.entry_of(name(transid)).map(|name| name.as_str().trim_end().to_string());
        assert_eq!((entry("ABCD").as_deref(), entry("ABX").as_deref(), entry("ZZ").as_deref()), (Some("ONE"), Some("SOME"), Some("ALL")));
    }

    #[test]
    fn a_transaction_whose_entry_is_gone_uses_the_pool() {
        let mut state = State::default();
        let definition = Definition::new("DB2TRAN", "T1", "G").with("ENTRY", "GONE").with("TRANSID", "TRN1");
        state.transactions.insert(Name8::new("T1"), Db2TranDefinition::from(&definition));
        assert_eq!(state.group_of(Name4::new("TRN1")), Ok(Group::Pool));
    }

    #[test]
    fn only_the_connection_that_is_in_force_can_be_lost() {
        let mut state = State { status: Status::Connecting, epoch: 4, ..State::default() };
        assert!(!state.begin(3, String::new()), "it was disconnected and is connected anew meanwhile");
        assert!(state.begin(4, "15".to_string()) && state.status == Status::Connected);
        assert!(state.lose(3).is_none(), "that of an earlier connection is known already");
        state.status = Status::Disconnecting;
        assert!(state.lose(4).is_none() && state.status == Status::Disconnecting, "an operator has ended it");
        state.status = Status::Connected;
        let (status, ended) = state.lose(4).expect("it is lost");
        assert_eq!((status, state.status, ended.epoch, state.epoch), (Status::NotConnected, Status::NotConnected, 5, 5));
        assert!(!state.begin(4, String::new()) && state.lose(5).is_none());
    }

    #[test]
    fn a_disabled_entry_acts_as_it_is_told() {
        let mut state = State::default();
        let definition = Definition::new("DB2ENTRY", "E", "G").with("TRANSID", "TRN1");
        let mut entry = Entry::new(Db2EntryDefinition::from(&definition));
        entry.enabled = false;
        state.entries.insert(Name8::new("E"), entry);
        let mut answer = |action| {
            state.entries.get_mut(&Name8::new("E")).unwrap().disabled_action = action;
            state.group_of(Name4::new("TRN1"))
        };
        assert_eq!(answer(DisabledAction::Pool), Ok(Group::Pool));
        assert_eq!(answer(DisabledAction::Abend), Err(Refusal::EntryDisabledAbend));
        assert_eq!(answer(DisabledAction::SqlCode), Err(Refusal::EntryDisabledCode));
    }
}
