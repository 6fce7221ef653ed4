//! The identification of a task's unit of work, for inquiries by others.
//!
//! Invariant: identifiers always grow, also over restarts: they are microseconds of the clock, and none is used twice.

use crate::Region;
use crate::name::{Name4, Name8};

/// The network that regions are in, as their network-wide names have it.
pub const NETWORK: &str = "NETREGNT";

/// The network-wide name of a unit of work: length, name of the network and the region, identifier and sequence.
pub fn network_name(region: &Region, id: u64) -> Vec<u8> {
    let mut bytes = vec![26u8, 17];
    let mut name = region.code_page.encode(&format!("{NETWORK}.{}", region.applid.as_str().trim_end()));
    name.resize(17, region.code_page.space());
    bytes.extend(name);
    bytes.extend(&id.to_be_bytes()[2..]);
    bytes.extend([0, 1]);
    bytes
}

/// The owner of a unit of work, stored with a prepared one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub id: u64,
    pub task: u32,
    pub transid: Name4,
    pub terminal: Name4,
    pub user_id: Name8,
    /// The resource manager that knows the outcome.
    pub coordinator: Name8,
    /// ACTION(COMMIT) of the transaction: the action of SET UOW FORCE.
    pub forced_commit: bool,
    /// When that happens automatically: microseconds since 1970; 0: WAIT(NO); `None`: never.
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
    use crate::UnitIdentity;

    #[test]
    fn identifiers_grow_and_owners_come_back() {
        let identity = UnitIdentity::new();
        let ids: Vec<u64> = (0..1000)
            .map(|_| {
                identity.next();
                identity.id()
            })
            .collect();
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
