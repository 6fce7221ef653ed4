//! Shunted units of work: the task has ended, and the resource manager that knows the outcome cannot be reached.
//!
//! Invariants: a shunted unit of work is prepared in the log, so it exists again after a restart; its locks are retained, so requests for
//! the records it changed get LOCKED instead of waiting; it ends by a decision of its coordinator, of SET UOW or of WAITTIME.

use super::forced;
use super::identity::Owner;
use super::resource_manager::ResourceManagers;
use super::two_phase;
use crate::control_blocks::unit_of_work::microseconds_now;
use crate::name::Name8;
use crate::resource_manager::Caller;
use crate::{Decision, Region};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use vsam::{StoreError, UnitId, UnitOfWork};

/// A prepared unit of work without a task.
pub(super) struct Shunted {
    pub unit: UnitOfWork,
    pub owner: Owner,
    /// In this region; a restart resets it.
    pub since: Instant,
}

/// How a shunted unit of work was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndedBy {
    Coordinator,
    WaitTime,
    /// WAIT(NO), of a unit of work that a failure of the region left in doubt.
    Definition,
    Operator,
}

/// The counters for statistics.
#[derive(Default)]
pub struct Counters {
    pub forward: AtomicU64,
    pub backward: AtomicU64,
    pub resynchronizations: AtomicU64,
    pub shunts_ended: AtomicU64,
    pub shunted_nanoseconds: AtomicU64,
    pub forced_by_definition: AtomicU64,
    pub forced_by_time: AtomicU64,
    pub forced_by_operator: AtomicU64,
}

impl Shunted {
    /// Commits it, and notifies the managers prepared with it. That they are owed the outcome is stored first: until the commit is in the
    /// log, the unit of work is in doubt all the same, and they are not told.
    pub fn commit(self, caller: &mut Caller) -> Result<(), StoreError> {
        let Owner { id, prepared, .. } = &self.owner;
        if !prepared.is_empty() {
            two_phase::owe(caller, *id, prepared)?;
        }
        if let Err(error) = self.unit.commit(&*caller.waiter()) {
            two_phase::keep(caller, *id, &[]);
            return Err(error);
        }
        let region = caller.region();
        let (mut managers, mut absent) = (Vec::new(), Vec::new());
        for name in prepared {
            match region.recovery().managers.find(*name) {
                Some(manager) => managers.push(manager),
                None => absent.push(*name),
            }
        }
        two_phase::tell_committed(caller, *id, managers, absent);
        Ok(())
    }

    pub fn back_out(self, caller: &mut Caller) {
        let region = caller.region();
        let managers: Vec<_> = self.owner.prepared.iter().filter_map(|name| region.recovery().managers.find(*name)).collect();
        two_phase::back_out(caller, self.owner.id, managers.iter());
        region.registry.back_out(region, &self.unit);
    }
}

/// This domain's part of the region.
#[derive(Default)]
pub struct RecoveryManager {
    pub managers: ResourceManagers,
    pub counters: Counters,
    shunted: Mutex<Vec<Shunted>>,
    /// Backouts that managers could not carry out.
    pub(super) held: Mutex<BTreeSet<(u64, Name8)>>,
    /// Those whose end is under way: until the log has it, a kill of the region leaves them in doubt.
    resolving: Mutex<Vec<Owner>>,
}

/// A unit of work that is being resolved, by one caller alone.
struct Resolving<'a> {
    all: &'a Mutex<Vec<Owner>>,
    id: u64,
}

impl Drop for Resolving<'_> {
    fn drop(&mut self) {
        self.all.lock().retain(|owner| owner.id != self.id);
    }
}

impl RecoveryManager {
    /// Whose units of work are shunted, with those that are being resolved.
    pub fn owners(&self) -> Vec<Owner> {
        let shunted = self.shunted.lock();
        let resolving = self.resolving.lock();
        shunted.iter().map(|shunted| &shunted.owner).chain(resolving.iter()).cloned().collect()
    }

    /// How many units of work are shunted, and for how long together.
    pub fn shunted_now(&self) -> (u64, Duration) {
        let shunted = self.shunted.lock();
        (shunted.len() as u64, shunted.iter().map(|shunted| shunted.since.elapsed()).sum())
    }

    /// The owner of a shunted unit of work of the store.
    pub fn owner_of(&self, unit: UnitId) -> Option<Owner> {
        self.shunted.lock().iter().find(|shunted| shunted.unit.id() == unit).map(|shunted| shunted.owner.clone())
    }

    /// Shunts a unit of work; when its time is over the action of its transaction decides.
    pub(super) fn shunt(&self, region: &'static Region, shunted: Shunted) {
        shunted.unit.retain_locks();
        let owner = shunted.owner.clone();
        self.shunted.lock().push(shunted);
        decide_in_time(region, &owner);
    }

    /// User tasks may run: units of work found in doubt at the start are decided when their time is over, which went on meanwhile.
    pub fn begin(&self, region: &'static Region) {
        self.owners().iter().for_each(|owner| decide_in_time(region, owner));
    }

    /// Ends a shunted unit of work; false if there is none with that identifier, or another caller is ending it.
    pub fn resolve(&self, caller: &mut Caller, id: u64, commit: bool, by: EndedBy) -> Result<bool, StoreError> {
        let (shunted, resolving) = {
            let mut all = self.shunted.lock();
            let Some(index) = all.iter().position(|shunted| shunted.owner.id == id) else { return Ok(false) };
            let shunted = all.swap_remove(index);
            self.resolving.lock().push(shunted.owner.clone());
            (shunted, Resolving { all: &self.resolving, id })
        };
        self.counters.shunts_ended.fetch_add(1, Ordering::Relaxed);
        self.counters.shunted_nanoseconds.fetch_add(shunted.since.elapsed().as_nanos() as u64, Ordering::Relaxed);
        match by {
            EndedBy::Coordinator => 0,
            EndedBy::WaitTime => self.counters.forced_by_time.fetch_add(1, Ordering::Relaxed),
            EndedBy::Definition => self.counters.forced_by_definition.fetch_add(1, Ordering::Relaxed),
            EndedBy::Operator => self.counters.forced_by_operator.fetch_add(1, Ordering::Relaxed),
        };
        let owner = shunted.owner.clone();
        if by != EndedBy::Coordinator {
            forced::record(caller, &owner, commit);
        }
        if commit {
            shunted.commit(caller)?;
        } else {
            shunted.back_out(caller);
        }
        drop(resolving);
        if by == EndedBy::Coordinator
            && let Some(coordinator) = self.managers.find(owner.coordinator)
        {
            coordinator.forget(caller.region(), id);
        }
        // Its task has ended: queues and STARTs check the store for new data.
        let decision = if commit { Decision::Commit } else { Decision::Backout };
        let region = caller.region();
        for participant in region.registry.participants() {
            if let Some(resolved) = participant.resolved {
                resolved(region, decision)?;
            }
        }
        Ok(true)
    }

    /// Takes over the units of work that were in doubt when the region ended.
    pub(super) fn restart(&self, region: &'static Region) -> Result<(), StoreError> {
        let mut shunted = self.shunted.lock();
        for (unit, description) in region.store.take_in_doubt()? {
            let owner = Owner::decode(&description);
            let owner = owner.ok_or_else(|| StoreError::Invalid(format!("in-doubt unit of work {} tells no owner", unit.id())))?;
            shunted.push(Shunted { unit, owner, since: Instant::now() });
        }
        if !shunted.is_empty() {
            region.messages.send("DFHRM0200", &[("units", &shunted.len().to_string())]);
        }
        Ok(())
    }
}

/// ACTION of the transaction, when WAITTIME is over, or at once with WAIT(NO).
fn decide_in_time(region: &'static Region, owner: &Owner) {
    let Some(at) = owner.decide_at else { return };
    let (id, commit) = (owner.id, owner.forced_commit);
    let by = if at == 0 { EndedBy::Definition } else { EndedBy::WaitTime };
    let left = Duration::from_micros(at.saturating_sub(microseconds_now()));
    region.dispatcher.after(left, move || {
        region.dispatcher.spawn_blocking(move || {
            if let Err(error) = region.recovery().resolve(&mut Caller::Thread(region), id, commit, by) {
                tracing::error!(target: "region::rm", %error, "the in-doubt time of a unit of work is over and it cannot end");
            }
        });
    });
}

impl Region {
    /// Contact with a resource manager is there (again).
    pub fn register_resource_manager(&'static self, manager: std::sync::Arc<dyn crate::ResourceManager>) -> Result<(), StoreError> {
        self.recovery().managers.add(manager.clone());
        two_phase::resynchronize(self, &manager)
    }
}
