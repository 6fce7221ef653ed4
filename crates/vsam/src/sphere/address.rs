//! Addresses: the RBAs of records in every organization, and the end of an ESDS where new records go.
//!
//! Rules: an ESDS record follows the one before it, but begins a new control interval (CI) if it does not fit or is spanned. A fixed-length
//! RRDS has slots of record and descriptor, so a record number always has the same RBA. A KSDS or variable-length RRDS record lies in its
//! CI in key order (see `ci`). A linear data set is addressed by CI. Invariants: the RBA of an ESDS record is assigned once, at the
//! request, and a backout leaves a hole; addresses of the others are computed, never stored.

use crate::catalog::Organization;
use crate::ci::CiBounds;
use crate::error::{FileError, StoreError};
use crate::sphere::{Sphere, rba_of, rrn_of};
use crate::store::{Direction, UnitOfWork};

/// Descriptor bytes of a slot of an RRDS.
const RDF_BYTES: u64 = 3;

/// Where the next record of an ESDS goes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EntryTail {
    ci_start: u64,
    bytes: u64,
    records: u64,
    /// CIs in use from `ci_start` on: more than one for a spanned record, none at the beginning.
    cis: u64,
}

impl Sphere {
    fn entry_needed(&self, tail: EntryTail, length: u64) -> u64 {
        let records = tail.records + 1;
        let fixed = self.attributes.record_average == self.attributes.record_max;
        tail.bytes + length + if fixed { RDF_BYTES * records.min(2) } else { RDF_BYTES * records }
    }

    fn tail(&self) -> Result<EntryTail, StoreError> {
        let mut slot = self.tail_slot().lock();
        let tail = match *slot {
            Some(tail) => tail,
            None => self.read_tail()?,
        };
        *slot = Some(tail);
        Ok(tail)
    }

    /// Assigns the RBA of the next record of an ESDS: a record does not cross a CI unless it is spanned, and then it begins one.
    pub(crate) fn next_rba(&self, length: usize) -> Result<u64, StoreError> {
        let shape = self.shape();
        let mut slot = self.tail_slot().lock();
        let mut tail = match *slot {
            Some(tail) => tail,
            None => self.read_tail()?,
        };
        let cis = shape.cis_of(length);
        if tail.cis > 1 || (tail.bytes > 0 && (cis > 1 || self.entry_needed(tail, length as u64) > shape.capacity)) {
            tail = EntryTail { ci_start: tail.ci_start + tail.cis * shape.ci_size, ..EntryTail::default() };
        }
        let rba = tail.ci_start + tail.bytes;
        debug_assert!(cis > 1 || tail.bytes + length as u64 <= shape.ci_size, "a record that is not spanned crosses a control interval");
        tail.bytes += length as u64;
        tail.records += 1;
        tail.cis = cis;
        *slot = Some(tail);
        Ok(rba)
    }

    fn read_tail(&self) -> Result<EntryTail, StoreError> {
        let shape = self.shape();
        let mut tail: Option<EntryTail> = None;
        self.store.scan(&self.data, None, Direction::Backward, &mut |key, record| {
            let rba = rba_of(key);
            let ci_start = rba - rba % shape.ci_size;
            match &mut tail {
                None => {
                    let bytes = rba - ci_start + record.len() as u64;
                    tail = Some(EntryTail { ci_start, bytes, records: 1, cis: shape.cis_of(record.len()) });
                    true
                }
                Some(tail) if tail.ci_start == ci_start => {
                    tail.records += 1;
                    true
                }
                Some(_) => false,
            }
        })?;
        Ok(tail.unwrap_or_default())
    }

    /// Slots in a CI of a fixed length RRDS.
    pub(crate) fn slots_per_ci(&self) -> u64 {
        (self.shape().capacity / (self.attributes.record_max as u64 + RDF_BYTES)).max(1)
    }

    /// End of the used part of the data, as LISTCAT's HI-U-RBA.
    pub(crate) fn high_used_rba(&self) -> Result<u64, StoreError> {
        let shape = self.shape();
        let ca_size = shape.ci_size * shape.cis_per_ca;
        match (self.organization, &self.ci) {
            (_, Some(ci)) => ci.high_used_rba(&self.store),
            (Organization::Esds | Organization::Linear, _) => {
                let tail = self.tail()?;
                Ok(tail.ci_start + tail.cis * shape.ci_size)
            }
            _ => {
                let mut last = 0;
                self.store.scan(&self.data, None, Direction::Backward, &mut |key, _| {
                    last = rrn_of(key) as u64;
                    false
                })?;
                Ok((last.div_ceil(self.slots_per_ci()) * shape.ci_size).next_multiple_of(ca_size))
            }
        }
    }

    /// The RBA of the record at a table key, as the unit of work sees the file.
    pub(crate) fn rba_of_record(&self, unit: &UnitOfWork, key: &[u8]) -> Result<u64, FileError> {
        match (self.organization, &self.ci) {
            (_, Some(ci)) => {
                let Some(bounds) = ci.ci_of_key(&self.store, key)? else { return Ok(0) };
                let mut rba = bounds.rba;
                self.records_of_ci(unit, &bounds, &mut |other, length| {
                    let before = other < key;
                    rba += if before { length as u64 } else { 0 };
                    before
                })?;
                Ok(rba)
            }
            (Organization::Rrds, _) => {
                let slot = (rrn_of(key) as u64).saturating_sub(1);
                let (ci, at) = (slot / self.slots_per_ci(), slot % self.slots_per_ci());
                Ok(ci * self.shape().ci_size + at * self.attributes.record_max as u64)
            }
            _ => Ok(rba_of(key)),
        }
    }

    /// The table key of the record that begins at an RBA.
    pub(crate) fn key_at_rba(&self, unit: &UnitOfWork, rba: u64) -> Result<Option<Vec<u8>>, FileError> {
        let Some(ci) = &self.ci else {
            return Ok(match self.organization {
                Organization::Rrds => {
                    let (ci, offset) = (rba / self.shape().ci_size, rba % self.shape().ci_size);
                    let length = self.attributes.record_max as u64;
                    let number = ci * self.slots_per_ci() + offset / length + 1;
                    let there = offset % length == 0 && offset / length < self.slots_per_ci() && number <= u32::MAX as u64;
                    there.then(|| (number as u32).to_be_bytes().to_vec())
                }
                _ => Some(rba.to_be_bytes().to_vec()),
            });
        };
        let Some(bounds) = ci.ci_at(&self.store, rba)? else { return Ok(None) };
        let mut at = bounds.rba;
        let mut found = None;
        self.records_of_ci(unit, &bounds, &mut |key, length| {
            if at == rba {
                found = Some(key.to_vec());
            }
            at += length as u64;
            at <= rba
        })?;
        Ok(found)
    }

    /// Visits the keys and lengths of the records of a CI, in key order, until `visit` answers false.
    fn records_of_ci(&self, unit: &UnitOfWork, bounds: &CiBounds, visit: &mut dyn FnMut(&[u8], usize) -> bool) -> Result<(), FileError> {
        let extra = if self.organization == Organization::Vrrds { 4 } else { 0 };
        let from = bounds.from.as_deref().map(|from| (from, true));
        Ok(unit.scan_locked(&self.data, from, Direction::Forward, &mut |key, record| {
            bounds.to.as_ref().is_none_or(|to| key < &to[..]) && visit(key, self.data.length_in_interval(record) + extra)
        })?)
    }

    /// The key of the first or last record of a CI.
    fn edge_of_ci(&self, unit: &UnitOfWork, bounds: &CiBounds, direction: Direction) -> Result<Option<Vec<u8>>, FileError> {
        let mut edge = None;
        self.records_of_ci(unit, bounds, &mut |key, _| {
            edge = Some(key.to_vec());
            direction == Direction::Backward
        })?;
        Ok(edge)
    }

    /// The record next to one (or the first, or last) in order of RBAs: for a KSDS this is not the order of keys once CIs were split.
    pub(crate) fn step_by_address(
        &self,
        unit: &UnitOfWork,
        key: Option<&[u8]>,
        direction: Direction,
    ) -> Result<Option<Vec<u8>>, FileError> {
        let Some(ci) = &self.ci else { return Ok(None) };
        let mut bounds = match key {
            None => ci.neighbour(&self.store, None, direction)?,
            Some(key) => {
                let Some(bounds) = ci.ci_of_key(&self.store, key)? else { return Ok(None) };
                let mut next = None;
                self.records_of_ci(unit, &bounds, &mut |other, _| match direction {
                    Direction::Forward => {
                        if other > key {
                            next = Some(other.to_vec());
                        }
                        next.is_none()
                    }
                    Direction::Backward => {
                        if other < key {
                            next = Some(other.to_vec());
                        }
                        other < key
                    }
                })?;
                if next.is_some() {
                    return Ok(next);
                }
                ci.neighbour(&self.store, Some(bounds.place), direction)?
            }
        };
        while let Some(here) = bounds {
            if let Some(key) = self.edge_of_ci(unit, &here, direction)? {
                return Ok(Some(key));
            }
            bounds = ci.neighbour(&self.store, Some(here.place), direction)?;
        }
        Ok(None)
    }
}
