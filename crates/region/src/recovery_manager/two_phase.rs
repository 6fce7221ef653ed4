//! SYNCPOINT of a unit of work with other resource managers, and the calls they are still owed after contact was lost.

use super::forced;
use super::identity::Owner;
use super::shunted::{EndedBy, Shunted};
use crate::control_blocks::unit_of_work::microseconds_now;
use crate::name::Name8;
use crate::resource_manager::{Caller, Outcome, ResourceManager, Vote};
use crate::{Abend, Raised, Region, Task};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use vsam::{Change, Direction, StoreError, Table};

type Managers = Vec<Arc<dyn ResourceManager>>;

/// How the unit of work ended, for the task.
pub(super) enum Ended {
    Committed,
    /// The changes were backed out; the abend gives the reason.
    BackedOut(Raised),
    /// The outcome is not known: the abend ends the task, its unit of work waits.
    Shunted(Raised),
}

fn commits_table(region: &Region) -> Result<Table, StoreError> {
    region.store.table("rm.commits")
}

/// An abend of the syncpoint. There is no transaction dump, because the programs have ended, or wait at a command that is not theirs
/// (Abend codes, ASP1 and its relatives).
fn abend(code: &str, why: String) -> Raised {
    let abend = Abend { no_dump: true, ..Abend::new(code).because(why) };
    Raised::Abend(Box::new(abend))
}

fn names(managers: &Managers) -> Vec<Name8> {
    managers.iter().map(|manager| manager.name()).collect()
}

impl Task {
    /// Adds a manager to the unit of work; further calls have no effect. With a last agent there can be only one manager.
    pub fn enlist(&mut self, manager: &Arc<dyn ResourceManager>) -> Result<(), Raised> {
        let enlisted = &mut self.recovery.enlisted;
        if enlisted.iter().any(|known| known.name() == manager.name()) {
            return Ok(());
        }
        if manager.is_last_agent() && enlisted.iter().any(|known| known.is_last_agent()) {
            return Err(abend("ASP2", format!("{} and another resource manager have one phase only", manager.name())));
        }
        enlisted.push(manager.clone());
        self.touch_unit_of_work();
        Ok(())
    }

    fn owner(&self, coordinator: Name8, prepared: Vec<Name8>) -> Owner {
        Owner {
            id: self.recovery.identity.id(),
            task: self.number,
            transid: self.transid,
            terminal: self.terminal_name(),
            user_id: self.user_id,
            coordinator,
            forced_commit: self.definition.indoubt_commit,
            decide_at: self.in_doubt_until(),
            prepared,
        }
    }

    /// The time until which a unit of work prepared now waits for its outcome, by WAIT and WAITTIME of the transaction.
    fn in_doubt_until(&self) -> Option<u64> {
        let minutes = u64::from(self.definition.indoubt_wait_minutes);
        match self.definition.indoubt_wait {
            false => Some(0),
            true => (minutes > 0).then(|| microseconds_now() + minutes * 60_000_000),
        }
    }

    /// Commits a unit of work in which others take part.
    pub(super) fn commit_with(&mut self, managers: Managers) -> Ended {
        let id = self.recovery.identity.id();
        let (mut agents, others): (Managers, Managers) = managers.into_iter().partition(|manager| manager.is_last_agent());
        if let Some(only) = self.only_writer(id, &others, &agents) {
            let readers: Managers = others.iter().filter(|manager| manager.name() != only.name()).cloned().collect();
            for reader in &readers {
                let vote = reader.prepare(&mut Caller::Task(self), id);
                debug_assert_eq!(vote, Vote::ReadOnly, "{} has changed nothing", reader.name());
            }
            return self.commit_agent_alone(id, &only);
        }
        let mut prepared: Managers = Vec::new();
        for (index, manager) in others.iter().enumerate() {
            match manager.prepare(&mut Caller::Task(self), id) {
                Vote::Prepared => prepared.push(manager.clone()),
                Vote::ReadOnly => {}
                Vote::No => {
                    back_out(&mut Caller::Task(self), id, prepared.iter().chain(&others[index + 1..]).chain(&agents));
                    self.back_out_store();
                    return Ended::BackedOut(abend("ASP7", format!("{} cannot commit", manager.name())));
                }
            }
        }
        match agents.pop() {
            Some(agent) if !agent.has_changed(self, id) => self.commit_with_reader(id, &agent, prepared),
            Some(agent) if prepared.is_empty() && !self.has_changed_store() => self.commit_agent_alone(id, &agent),
            Some(agent) => self.commit_by_agent(id, &agent, prepared),
            None => self.commit_as_coordinator(id, prepared),
        }
    }

    /// The manager that alone has changed anything, if it can commit in one phase.
    fn only_writer(&self, id: u64, others: &Managers, agents: &Managers) -> Option<Arc<dyn ResourceManager>> {
        let mut writers = others.iter().filter(|manager| manager.has_changed(self, id));
        let only = writers.next().filter(|only| agents.is_empty() && !self.has_changed_store() && only.commits_alone(self, id))?;
        writers.next().is_none().then(|| only.clone())
    }

    fn back_out_store(&mut self) {
        if let Some(unit) = self.recovery.unit.take() {
            self.region.registry.back_out(self.region, &unit);
        }
    }

    fn commit_as_coordinator(&mut self, id: u64, prepared: Managers) -> Ended {
        let (region, waiter) = (self.region, self.waiter());
        let committed = commits_table(region).and_then(|table| {
            let unit = self.recovery.unit(&region.store);
            if !prepared.is_empty() {
                let bytes: Vec<u8> = names(&prepared).iter().flat_map(|name| *name.as_bytes()).collect();
                unit.put(&table, &id.to_be_bytes(), &bytes)?;
            }
            unit.commit(&*waiter)
        });
        self.recovery.unit = None;
        if let Err(error) = committed {
            back_out(&mut Caller::Task(self), id, prepared.iter());
            return Ended::BackedOut(super::commit_failure(error));
        }
        tell_committed(&mut Caller::Task(self), id, prepared, Vec::new());
        Ended::Committed
    }

    fn has_changed_store(&self) -> bool {
        self.recovery.unit.as_ref().is_some_and(vsam::UnitOfWork::has_changes)
    }

    /// The last agent has changed nothing: the store decides, and the agent only ends its unit of work.
    fn commit_with_reader(&mut self, id: u64, agent: &Arc<dyn ResourceManager>, prepared: Managers) -> Ended {
        let ended = self.commit_as_coordinator(id, prepared);
        let mut caller = Caller::Task(self);
        let _ = match ended {
            Ended::Committed => agent.commit_alone(&mut caller, id),
            _ => agent.backout(&mut caller, id),
        };
        ended
    }

    /// Only the last agent has changes: no record of the log is needed, because nothing waits for its decision.
    fn commit_agent_alone(&mut self, id: u64, agent: &Arc<dyn ResourceManager>) -> Ended {
        match agent.commit_alone(&mut Caller::Task(self), id) {
            Outcome::Committed => self.commit_alone(),
            Outcome::BackedOut => {
                self.back_out_store();
                Ended::BackedOut(abend("ASP3", format!("{} has backed out", agent.name())))
            }
            Outcome::Unknown => {
                self.back_out_store();
                Ended::Shunted(abend("ASPR", format!("contact with {} was lost; only it knows the outcome", agent.name())))
            }
        }
    }

    fn commit_by_agent(&mut self, id: u64, agent: &Arc<dyn ResourceManager>, prepared: Managers) -> Ended {
        let (region, waiter) = (self.region, self.waiter());
        let owner = self.owner(agent.name(), names(&prepared));
        let unit = self.recovery.unit(&region.store);
        if let Err(error) = unit.prepare(&owner.encode(), &*waiter) {
            back_out(&mut Caller::Task(self), id, prepared.iter().chain([agent]));
            self.back_out_store();
            return Ended::BackedOut(super::commit_failure(error));
        }
        let unit = self.recovery.unit.take().expect("just prepared");
        let shunted = Shunted { unit, owner, since: Instant::now() };
        let answer = agent.commit(&mut Caller::Task(self), id);
        match answer {
            Outcome::Committed => match shunted.commit(&mut Caller::Task(self)) {
                Ok(()) => {
                    agent.forget(region, id);
                    Ended::Committed
                }
                Err(error) => Ended::BackedOut(super::commit_failure(error)),
            },
            Outcome::BackedOut => {
                shunted.back_out(&mut Caller::Task(self));
                Ended::BackedOut(abend("ASP3", format!("{} has backed out", agent.name())))
            }
            Outcome::Unknown if self.definition.indoubt_wait && prepared.iter().all(|manager| manager.waits_in_doubt()) => {
                prepared.iter().for_each(|manager| manager.wait(&mut Caller::Task(self), id));
                region.recovery().shunt(region, shunted);
                Ended::Shunted(abend("ASP1", format!("contact with {} was lost; the unit of work is shunted", agent.name())))
            }
            Outcome::Unknown if self.definition.indoubt_commit => {
                region.recovery().counters.forced_by_definition.fetch_add(1, Ordering::Relaxed);
                forced::record(&Caller::Task(self), &shunted.owner, true);
                let _ = shunted.commit(&mut Caller::Task(self));
                Ended::Shunted(abend("ASPO", format!("contact with {} was lost; all updates are committed", agent.name())))
            }
            Outcome::Unknown => {
                region.recovery().counters.forced_by_definition.fetch_add(1, Ordering::Relaxed);
                forced::record(&Caller::Task(self), &shunted.owner, false);
                shunted.back_out(&mut Caller::Task(self));
                Ended::BackedOut(abend("ASPP", format!("contact with {} was lost; all updates are backed out", agent.name())))
            }
        }
    }
}

/// Tells managers to back out. One that cannot be reached asks later, and gets its answer then: a unit of work not known as committed is
/// backed out.
pub(super) fn back_out<'a>(caller: &mut Caller, id: u64, managers: impl Iterator<Item = &'a Arc<dyn ResourceManager>>) {
    for manager in managers {
        let _ = manager.backout(caller, id);
    }
}

/// Phase two of a commit that is durable. Managers that cannot be reached, and those that are `absent`, stay in the table.
pub(super) fn tell_committed(caller: &mut Caller, id: u64, managers: Managers, absent: Vec<Name8>) {
    if managers.is_empty() && absent.is_empty() {
        return;
    }
    let left: Managers = managers.into_iter().filter(|manager| manager.commit(caller, id) == Outcome::Unknown).collect();
    let left: Vec<Name8> = names(&left).into_iter().chain(absent).collect();
    keep(caller, id, &left);
}

/// A manager has been told of the commit of a unit of work, or its outcome is no longer kept for it.
pub(super) fn forget_commit(caller: &Caller, id: u64, manager: Name8) {
    let pending = pending_commits(caller.region()).unwrap_or_default();
    let Some((_, names)) = pending.into_iter().find(|(known, names)| *known == id && names.contains(&manager)) else { return };
    let left: Vec<Name8> = names.into_iter().filter(|name| *name != manager).collect();
    keep(caller, id, &left);
}

/// The managers of a unit of work that is about to be committed are owed its outcome: the record is in the log.
pub(super) fn owe(caller: &Caller, id: u64, managers: &[Name8]) -> Result<(), StoreError> {
    let (region, waiter) = (caller.region(), caller.waiter());
    let bytes: Vec<u8> = managers.iter().flat_map(|name| *name.as_bytes()).collect();
    let unit = region.store.begin();
    unit.put(&commits_table(region)?, &id.to_be_bytes(), &bytes)?;
    unit.commit(&*waiter)
}

/// Stores the managers that a commit must still be reported to. The record may be lost in a failure: then some are notified twice.
pub(super) fn keep(caller: &Caller, id: u64, left: &[Name8]) {
    let (region, waiter) = (caller.region(), caller.waiter());
    let bytes: Vec<u8> = left.iter().flat_map(|name| *name.as_bytes()).collect();
    let value = (!left.is_empty()).then_some(bytes);
    let kept = commits_table(region)
        .and_then(|table| region.store.publish(vec![Change { table, key: id.to_be_bytes().to_vec(), value }], &*waiter));
    if let Err(error) = kept {
        tracing::warn!(target: "region::rm", %error, "a resource manager may be told of a commit twice");
    }
}

/// Commits not yet reported to all managers: identifier and names.
pub fn pending_commits(region: &Region) -> Result<Vec<(u64, Vec<Name8>)>, StoreError> {
    let table = commits_table(region)?;
    let mut commits = Vec::new();
    region.store.scan(&table, Some(&[0]), Direction::Forward, &mut |key, value| {
        if let Ok(key) = <[u8; 8]>::try_from(key) {
            commits.push((u64::from_be_bytes(key), value.chunks_exact(8).map(Name8::from_bytes).collect()));
        }
        true
    })?;
    Ok(commits)
}

/// Contact with a manager is established (again): it is notified of commits it does not know, its other prepared units of work are backed
/// out, and units of work that wait for its decision are ended by it.
pub(super) fn resynchronize(region: &'static Region, manager: &Arc<dyn ResourceManager>) -> Result<(), StoreError> {
    let caller = &mut Caller::Thread(region);
    region.recovery().counters.resynchronizations.fetch_add(1, Ordering::Relaxed);
    let mut committed = Vec::new();
    for (id, names) in pending_commits(region)? {
        if !names.contains(&manager.name()) {
            continue;
        }
        committed.push(id);
        if manager.commit(caller, id) != Outcome::Unknown {
            let left: Vec<Name8> = names.into_iter().filter(|name| *name != manager.name()).collect();
            keep(caller, id, &left);
        }
    }
    let waiting = region.recovery().owners();
    for id in manager.prepared(caller) {
        if !committed.contains(&id) && waiting.iter().all(|owner| owner.id != id) {
            let _ = manager.backout(caller, id);
        }
    }
    for owner in waiting.iter().filter(|owner| owner.coordinator == manager.name()) {
        let outcome = manager.outcome(caller, owner.id);
        if outcome != Outcome::Unknown {
            region.recovery().resolve(caller, owner.id, outcome == Outcome::Committed, EndedBy::Coordinator)?;
        }
    }
    forced::compare(caller, manager)
}
