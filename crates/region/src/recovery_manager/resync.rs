//! The outcome of a unit of work, for a resource manager that asks for it (RESYNC).
//!
//! The region keeps the outcome of a commit until the manager has acknowledged it (`two_phase`). Everything else that it does not know was
//! backed out: presumed abort. Within one run it knows better, and says of a unit of work that has ended everywhere that no one should be
//! in doubt about it.

use super::shunted::RecoveryManager;
use super::two_phase::{self, pending_commits};
use crate::control_blocks::unit_of_work::microseconds_now;
use crate::name::Name8;
use crate::resource_manager::Caller;
use crate::{Region, StartType};
use std::time::UNIX_EPOCH;
use vsam::{Change, StoreError, Table, ThreadWaiter};

/// Backouts that are remembered for managers; the oldest is forgotten first.
const HELD_MAX: usize = 65_536;
/// The key of the time of the last initial start.
const INITIAL_START: &[u8] = b"initial";

/// What the region says of a unit of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disposition {
    Committed,
    BackedOut,
    /// Its coordinator has not decided yet.
    InDoubt,
    /// Its task still works on it.
    Active,
    /// It is older than the last initial start.
    Lost,
    /// It has ended, and the manager has been told.
    NotInDoubt,
}

fn table(region: &Region) -> Result<Table, StoreError> {
    region.store.table("rm.starts")
}

/// Records an initial start, which loses the outcomes of all units of work before it.
pub(super) fn started(region: &'static Region, start_type: StartType) -> Result<(), StoreError> {
    if start_type != StartType::Initial {
        return Ok(());
    }
    let value = Some(microseconds_now().to_be_bytes().to_vec());
    region.store.publish(vec![Change { table: table(region)?, key: INITIAL_START.to_vec(), value }], &ThreadWaiter::new())
}

fn initial_start(region: &Region) -> Result<u64, StoreError> {
    let value = region.store.get(&table(region)?, INITIAL_START)?;
    Ok(value.and_then(|bytes| <[u8; 8]>::try_from(bytes.as_slice()).ok()).map_or(0, u64::from_be_bytes))
}

impl RecoveryManager {
    /// The outcome of a unit of work for a manager that has a part in it.
    pub fn disposition(&self, region: &'static Region, id: u64, manager: Name8) -> Result<Disposition, StoreError> {
        if self.owners().iter().any(|owner| owner.id == id) {
            return Ok(Disposition::InDoubt);
        }
        if pending_commits(region)?.iter().any(|(known, names)| *known == id && names.contains(&manager)) {
            return Ok(Disposition::Committed);
        }
        if region.transactions().tasks().iter().any(|task| task.unit_of_work.id() == id) {
            return Ok(Disposition::Active);
        }
        if id < initial_start(region)? {
            return Ok(Disposition::Lost);
        }
        let started = region.started_at().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64);
        let backed_out = id < started || self.held.lock().contains(&(id, manager));
        Ok(if backed_out { Disposition::BackedOut } else { Disposition::NotInDoubt })
    }

    /// A manager could not back a unit of work out; it will ask.
    pub fn hold_backout(&self, id: u64, manager: Name8) {
        let mut held = self.held.lock();
        held.insert((id, manager));
        if held.len() > HELD_MAX {
            held.pop_first();
        }
    }

    /// A manager has carried out what it was told of a unit of work.
    pub fn acknowledge(&self, caller: &Caller, id: u64, manager: Name8) {
        if !self.held.lock().remove(&(id, manager)) {
            two_phase::forget_commit(caller, id, manager);
        }
    }

    /// Outcomes older than `before` that are kept for a manager.
    pub fn kept(&self, region: &Region, manager: Name8, before: u64) -> Result<Vec<u64>, StoreError> {
        let commits = pending_commits(region)?.into_iter().filter(|(_, names)| names.contains(&manager)).map(|(id, _)| id);
        let held: Vec<u64> = self.held.lock().iter().filter(|(_, name)| *name == manager).map(|(id, _)| *id).collect();
        Ok(commits.chain(held).filter(|id| *id < before).collect())
    }

    /// The recovery manager calls a manager that does not tell itself which units of work it has prepared.
    pub fn know(&self, manager: std::sync::Arc<dyn crate::ResourceManager>) {
        self.managers.add(manager);
    }
}
