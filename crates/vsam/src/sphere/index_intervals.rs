//! A model of the control intervals of an alternate index, for the buffers they need.
//!
//! An alternate index lies in the store as entries (`index`); in VSAM it is a KSDS of index records: 5 bytes of control information, the
//! alternate key and a pointer for each base record. At the first request, the records are placed into intervals up to FREESPACE, as
//! BLDINDEX does; from then on an interval without room for a new record or pointer is split in half.
//!
//! Invariants: the intervals divide the whole key range, and each begins at its low key; an interval keeps its number; the model is in
//! memory only and never changes the result of a request.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::buffers::{BufferPool, Component};
use crate::catalog::{Attributes, Organization};
use crate::ci::{Shape, half_of};
use crate::error::StoreError;
use crate::sphere::Reads;
use crate::sphere::index::{CONTROL_BYTES, Index};
use crate::store::{Direction, UnitOfWork};

/// Record descriptor field of a record.
const RDF_BYTES: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    number: u64,
    bytes: u64,
}

/// The intervals by their low keys.
type Layout = BTreeMap<Vec<u8>, Interval>;

pub(crate) struct IndexIntervals {
    shape: Shape,
    /// Number of the alternate index's tables.
    number: u32,
    pub ci_size: u32,
    pub index_ci_size: u32,
    /// Length of a pointer to a base record.
    pointer_bytes: u64,
    /// `None` until a request needs it.
    layout: Mutex<Option<Layout>>,
}

impl IndexIntervals {
    pub(crate) fn new(attributes: &Attributes, pointer_bytes: usize) -> IndexIntervals {
        IndexIntervals {
            shape: Shape::new(attributes, Organization::Ksds),
            number: attributes.number,
            ci_size: attributes.ci_size,
            index_ci_size: attributes.index_ci_size,
            pointer_bytes: pointer_bytes as u64,
            layout: Mutex::new(None),
        }
    }

    /// Bytes of a record with so many pointers, and its descriptor.
    fn record_bytes(&self, index: &Index, pointers: u64) -> u64 {
        (CONTROL_BYTES + index.key_length) as u64 + pointers * self.pointer_bytes + RDF_BYTES
    }

    /// Drops the model: the index has been emptied or rebuilt.
    pub(crate) fn forget(&self) {
        *self.layout.lock() = None;
    }

    /// Needs the intervals that lead to the record of an alternate key in the buffers of a pool, those of the index component first.
    pub(crate) fn touch(&self, index: &Index, unit: &UnitOfWork, pool: &BufferPool, key: &[u8]) -> Result<Reads, StoreError> {
        let (interval, areas) =
            self.with_layout(index, unit, |layout| (floor(layout, key).1.number, (layout.len() as u64).div_ceil(self.shape.cis_per_ca)))?;
        let reads = pool.touch_levels(self.number, self.index_ci_size, (interval / self.shape.cis_per_ca, areas), false);
        Ok(Reads { data: !pool.touch(self.number, Component::Data, self.ci_size, interval) as u64, index: reads })
    }

    /// The number of the interval of an alternate key.
    pub(crate) fn interval_of(&self, index: &Index, unit: &UnitOfWork, key: &[u8]) -> Result<u64, StoreError> {
        self.with_layout(index, unit, |layout| floor(layout, key).1.number)
    }

    /// A pointer is added to the record of an alternate key, or with it a new record. Before the entry is in the table.
    pub(crate) fn add(&self, index: &Index, unit: &UnitOfWork, key: &[u8]) -> Result<(), StoreError> {
        let mut present = false;
        let prefix = index.entry_prefix(key);
        unit.scan_locked(&index.table, Some((&prefix, true)), Direction::Forward, &mut |entry, _| {
            present = entry.starts_with(&prefix);
            false
        })?;
        let more = if present { self.pointer_bytes } else { self.record_bytes(index, 1) };
        let full = self.with_layout(index, unit, |layout| {
            let low = floor(layout, key).0.to_vec();
            let next = above(layout, &low);
            let interval = layout.get_mut(&low)?;
            interval.bytes += more;
            (interval.bytes > self.shape.capacity).then_some((low, next))
        })?;
        let Some((low, next)) = full else { return Ok(()) };
        let mut records = self.read_records(index, unit, &low, next.as_deref())?;
        match records.binary_search_by(|(other, _)| other[..].cmp(key)) {
            Ok(at) => records[at].1 += self.pointer_bytes as usize,
            Err(at) => records.insert(at, (key.to_vec(), more as usize)),
        }
        self.split(index, unit, low, &records)
    }

    /// A pointer has been removed from the record of an alternate key.
    pub(crate) fn remove(&self, index: &Index, unit: &UnitOfWork, key: &[u8]) -> Result<(), StoreError> {
        self.with_layout(index, unit, |layout| {
            let low = floor(layout, key).0.to_vec();
            if let Some(interval) = layout.get_mut(&low) {
                interval.bytes = interval.bytes.saturating_sub(self.pointer_bytes);
            }
        })
    }

    /// Counts the bytes of an interval again, and moves the upper half to a new one if they are too many.
    fn split(&self, index: &Index, unit: &UnitOfWork, low: Vec<u8>, records: &[(Vec<u8>, usize)]) -> Result<(), StoreError> {
        let bytes = |records: &[(Vec<u8>, usize)]| records.iter().map(|(_, bytes)| *bytes as u64).sum::<u64>();
        let at = if records.len() > 1 && bytes(records) > self.shape.capacity { half_of(records) } else { records.len() };
        self.with_layout(index, unit, |layout| {
            let number = layout.len() as u64;
            if let Some(interval) = layout.get_mut(&low) {
                interval.bytes = bytes(&records[..at]);
            }
            if let Some((key, _)) = records.get(at) {
                layout.entry(key.clone()).or_insert(Interval { number, bytes: bytes(&records[at..]) });
            }
        })
    }

    fn with_layout<T>(&self, index: &Index, unit: &UnitOfWork, with: impl FnOnce(&mut Layout) -> T) -> Result<T, StoreError> {
        let mut known = self.layout.lock();
        if known.is_none() {
            *known = Some(self.load(index, unit)?);
        }
        let layout = known.get_or_insert_default();
        debug_assert!(layout.contains_key(&[][..]), "the first interval begins below every key");
        Ok(with(layout))
    }

    /// The records as BLDINDEX would have laid them.
    fn load(&self, index: &Index, unit: &UnitOfWork) -> Result<Layout, StoreError> {
        let mut layout = Layout::from([(Vec::new(), Interval { number: 0, bytes: 0 })]);
        let (mut low, mut bytes) = (Vec::new(), 0);
        self.each_record(index, unit, &[], None, &mut |key, record| {
            if bytes > 0 && bytes + record as u64 > self.shape.load_capacity() {
                let number = layout.len() as u64;
                layout.insert(std::mem::replace(&mut low, key.to_vec()), Interval { number: number - 1, bytes });
                layout.insert(low.clone(), Interval { number, bytes: 0 });
                bytes = 0;
            }
            bytes += record as u64;
            true
        })?;
        if let Some(last) = layout.get_mut(&low) {
            last.bytes = bytes;
        }
        Ok(layout)
    }
}

/// The interval a key belongs to; the low key of the first one is empty.
fn floor<'a>(layout: &'a Layout, key: &[u8]) -> (&'a [u8], Interval) {
    let found = layout.range::<[u8], _>((std::ops::Bound::Unbounded, std::ops::Bound::Included(key))).next_back();
    found.map_or((&[], Interval { number: 0, bytes: 0 }), |(low, interval)| (low, *interval))
}

/// The low key after one.
fn above(layout: &Layout, low: &[u8]) -> Option<Vec<u8>> {
    let mut after = layout.range::<[u8], _>((std::ops::Bound::Excluded(low), std::ops::Bound::Unbounded));
    after.next().map(|(key, _)| key.clone())
}

impl IndexIntervals {
    /// Keys and lengths of the records from one key up to another, as many as an interval can hold.
    fn read_records(&self, index: &Index, unit: &UnitOfWork, low: &[u8], next: Option<&[u8]>) -> Result<Vec<(Vec<u8>, usize)>, StoreError> {
        let mut records = Vec::new();
        self.each_record(index, unit, low, next, &mut |key, bytes| {
            records.push((key.to_vec(), bytes));
            (records.len() as u64) < self.shape.capacity
        })?;
        Ok(records)
    }

    /// Visits alternate key and length of each record from a key up to, but not, another.
    fn each_record(
        &self,
        index: &Index,
        unit: &UnitOfWork,
        low: &[u8],
        next: Option<&[u8]>,
        visit: &mut dyn FnMut(&[u8], usize) -> bool,
    ) -> Result<(), StoreError> {
        let from = index.entry_prefix(low);
        let from = (!from.is_empty()).then_some((&from[..], true));
        let mut current: Option<(Vec<u8>, u64)> = None;
        let mut on = true;
        unit.scan_locked(&index.table, from, Direction::Forward, &mut |entry, _| {
            let Some(key) = index.display(entry).filter(|key| next.is_none_or(|next| *key < next)) else { return false };
            match &mut current {
                Some((known, pointers)) if known == key => *pointers += 1,
                _ => {
                    let done = current.replace((key.to_vec(), 1));
                    on = done.is_none_or(|(key, pointers)| visit(&key, self.record_bytes(index, pointers) as usize));
                }
            }
            on
        })?;
        if let Some((key, pointers)) = current.filter(|_| on) {
            visit(&key, self.record_bytes(index, pointers) as usize);
        }
        Ok(())
    }
}
