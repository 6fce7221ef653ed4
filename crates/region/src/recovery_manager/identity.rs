//! What identifies the unit of work a task is in, for inquiry by others.
//!
//! Invariant: identifiers grow for ever, also over restarts: they are microseconds of the clock, and never the same twice.

use crate::name::{Name4, Name8};
use crate::region::Region;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use vsam::UnitId;

static LAST: AtomicU64 = AtomicU64::new(0);

pub(super) fn microseconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_micros() as u64)
}

/// A new identifier.
fn new_id() -> u64 {
    let now = microseconds_now();
    let before = LAST.fetch_max(now, Ordering::Relaxed);
    if before < now { now } else { LAST.fetch_add(1, Ordering::Relaxed) + 1 }
}

/// The unit of work of a running task: shared with whoever inquires.
#[derive(Debug)]
pub struct UnitIdentity {
    id: AtomicU64,
    /// The unit of work of the store; 0 as long as the task has not used the store.
    store_unit: AtomicU64,
}

impl UnitIdentity {
    pub fn new() -> UnitIdentity {
        UnitIdentity { id: AtomicU64::new(new_id()), store_unit: AtomicU64::new(0) }
    }

    pub fn id(&self) -> u64 {
        self.id.load(Ordering::Relaxed)
    }

    /// Seconds since the unit of work began.
    pub fn age_seconds(&self) -> u64 {
        age_seconds(self.id())
    }

    pub fn store_unit(&self) -> Option<UnitId> {
        Some(UnitId(self.store_unit.load(Ordering::Relaxed))).filter(|unit| unit.0 != 0)
    }

    pub(super) fn uses(&self, unit: UnitId) {
        self.store_unit.store(unit.0, Ordering::Relaxed);
    }

    /// The task goes on in its next unit of work.
    pub(super) fn next(&self) {
        self.store_unit.store(0, Ordering::Relaxed);
        self.id.store(new_id(), Ordering::Relaxed);
    }
}

impl Default for UnitIdentity {
    fn default() -> Self {
        UnitIdentity::new()
    }
}

/// The network-wide name of a unit of work: length, name of the network and the region, identifier and sequence.
pub fn network_name(region: &Region, id: u64) -> Vec<u8> {
    let mut bytes = vec![26u8, 17];
    let mut name = region.code_page.encode(&format!("NETREGNT.{}", region.applid.as_str().trim_end()));
    name.resize(17, region.code_page.space());
    bytes.extend(name);
    bytes.extend(&id.to_be_bytes()[2..]);
    bytes.extend([0, 1]);
    bytes
}

/// Seconds since a unit of work with this identifier began.
pub fn age_seconds(id: u64) -> u64 {
    microseconds_now().saturating_sub(id) / 1_000_000
}

/// Whose unit of work it is, kept with a prepared one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub id: u64,
    pub task: u32,
    pub transid: Name4,
    pub terminal: Name4,
    pub user_id: Name8,
    /// The resource manager that knows the outcome.
    pub coordinator: Name8,
    /// ACTION(COMMIT) of the transaction: what SET UOW FORCE does.
    pub forced_commit: bool,
    /// When that is done without anybody's word: microseconds since 1970; 0: WAIT(NO); `None`: never.
    pub decide_at: Option<u64>,
    /// Other resource managers that are prepared for the same unit of work.
    pub prepared: Vec<Name8>,
}

const OWNER_BYTES: usize = 8 + 4 + 4 + 4 + 8 + 8 + 1;
/// Bits of the last of these bytes.
const FORCED_COMMIT: u8 = 1;
const DECIDED_AT: u8 = 2;

impl Owner {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(OWNER_BYTES + 8 * self.prepared.len());
        bytes.extend(self.id.to_be_bytes());
        bytes.extend(self.task.to_be_bytes());
        bytes.extend(self.transid.as_bytes());
        bytes.extend(self.terminal.as_bytes());
        bytes.extend(self.user_id.as_bytes());
        bytes.extend(self.coordinator.as_bytes());
        let commit = if self.forced_commit { FORCED_COMMIT } else { 0 };
        bytes.push(commit | if self.decide_at.is_some() { DECIDED_AT } else { 0 });
        self.decide_at.iter().for_each(|at| bytes.extend(at.to_be_bytes()));
        self.prepared.iter().for_each(|name| bytes.extend(name.as_bytes()));
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Owner> {
        let (front, mut names) = bytes.split_at_checked(OWNER_BYTES)?;
        let flags = front[OWNER_BYTES - 1];
        let mut decide_at = None;
        if flags & DECIDED_AT != 0 {
            let (at, rest) = names.split_first_chunk::<8>()?;
            (decide_at, names) = (Some(u64::from_be_bytes(*at)), rest);
        }
        let number = |from: usize, to: usize| front[from..to].iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        Some(Owner {
            id: number(0, 8),
            task: number(8, 12) as u32,
            transid: Name4::from_bytes(&front[12..16]),
            terminal: Name4::from_bytes(&front[16..20]),
            user_id: Name8::from_bytes(&front[20..28]),
            coordinator: Name8::from_bytes(&front[28..36]),
            forced_commit: flags & FORCED_COMMIT != 0,
            decide_at,
            prepared: names.chunks_exact(8).map(Name8::from_bytes).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_grow_and_owners_come_back() {
        let ids: Vec<u64> = (0..1000).map(|_| new_id()).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        let owner = Owner {
            id: ids[0],
            task: 4711,
            transid: Name4::new("TRAN"),
            terminal: Name4::new("T001"),
            user_id: Name8::new("USER"),
            coordinator: Name8::new("QUEUES"),
            forced_commit: true,
            decide_at: Some(1_800_000_000_000_000),
            prepared: vec![Name8::new("SQL1"), Name8::new("SQL2")],
        };
        let bytes = owner.encode();
        assert_eq!(Owner::decode(&bytes), Some(owner.clone()));
        let waiting = Owner { decide_at: None, forced_commit: false, ..owner };
        assert_eq!(Owner::decode(&waiting.encode()), Some(waiting));
        assert_eq!(Owner::decode(&bytes[..OWNER_BYTES - 1]), None);
    }
}
