//! The counters of a component that survive the process, as LISTCAT shows them.
//!
//! Record format 1, in the table `vsam.statistics` by the number of the component's tables: a version byte and the fields below, 8 bytes
//! each. Invariant: a record of another version is read as zeros and never refused, because counters are not data.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::codec::{Decoder, Encoder};

/// Persistent counters of a component, as LISTCAT shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComponentStatistics {
    pub records_inserted: u64,
    pub records_deleted: u64,
    pub records_updated: u64,
    pub records_retrieved: u64,
    pub ci_splits: u64,
    pub ca_splits: u64,
    /// Control areas in use.
    pub ca_count: u64,
    /// Control intervals in use.
    pub ci_count: u64,
    pub excps: u64,
    /// Time of the last close after a change, in seconds since 1970.
    pub changed_at: u64,
}

impl ComponentStatistics {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(1);
        for value in self.values() {
            out.u64(value);
        }
        out.bytes
    }

    fn values(&self) -> [u64; 10] {
        [
            self.records_inserted,
            self.records_deleted,
            self.records_updated,
            self.records_retrieved,
            self.ci_splits,
            self.ca_splits,
            self.ca_count,
            self.ci_count,
            self.excps,
            self.changed_at,
        ]
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<ComponentStatistics> {
        let mut input = Decoder { bytes };
        if input.u8()? != 1 {
            return None;
        }
        Some(ComponentStatistics {
            records_inserted: input.u64()?,
            records_deleted: input.u64()?,
            records_updated: input.u64()?,
            records_retrieved: input.u64()?,
            ci_splits: input.u64()?,
            ca_splits: input.u64()?,
            ca_count: input.u64()?,
            ci_count: input.u64()?,
            excps: input.u64()?,
            changed_at: input.u64()?,
        })
    }
}

/// Live counters of a component.
#[derive(Default)]
pub(crate) struct Counters {
    values: [AtomicU64; 9],
}

/// Index into `Counters`.
#[derive(Clone, Copy)]
pub(crate) enum Count {
    Inserted,
    Deleted,
    Updated,
    Retrieved,
    CiSplits,
    CaSplits,
    Cas,
    Cis,
    Excps,
}

impl Counters {
    pub(crate) fn add(&self, count: Count, amount: u64) {
        self.values[count as usize].fetch_add(amount, Ordering::Relaxed);
    }

    pub(crate) fn get(&self, count: Count) -> u64 {
        self.values[count as usize].load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self, statistics: &ComponentStatistics) {
        let values = [
            statistics.records_inserted,
            statistics.records_deleted,
            statistics.records_updated,
            statistics.records_retrieved,
            statistics.ci_splits,
            statistics.ca_splits,
            statistics.ca_count,
            statistics.ci_count,
            statistics.excps,
        ];
        for (counter, value) in self.values.iter().zip(values) {
            counter.store(value, Ordering::Relaxed);
        }
    }
}
