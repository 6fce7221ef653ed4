//! Requests that change records: REWRITE, WRITE, DELETE.
//!
//! Invariants, as in `file`: a request either completes or changes nothing; the lock of a record changed recoverably is held to the end of
//! the unit of work.

use crate::buffers::{Component, Counted};
use crate::catalog::Organization;
use crate::ci::Splits;
use crate::component::Count;
use crate::error::FileError;
use crate::file::{File, Found, RecordId, Search, Token, count};
use crate::sphere::access::LockScope;
use crate::sphere::{rba_of, rrn_of};
use crate::store::UnitOfWork;
use crate::wait::LockWait;
use std::borrow::Cow;

impl File {
    /// REWRITE of the record held by `token`.
    pub fn rewrite(&self, unit: &UnitOfWork, token: Token, record: &[u8], wait: LockWait<'_>) -> Result<(), FileError> {
        let (key, mut old_length) = self.held_record(unit, token)?;
        let sphere = &self.0.sphere;
        sphere.check_length(record)?;
        // The old record is needed only for alternate keys, replication and its compressed length: the lock and the hold ensure that it
        // exists.
        let mut old = Vec::new();
        let replicates = self.0.forward.as_ref().is_some_and(|log| log.replicates());
        if replicates || sphere.attributes.compressed || sphere.indexes.iter().any(|index| index.upgrade) || self.index().is_some() {
            if !unit.read(&sphere.data, &key, &mut old)? {
                return Err(FileError::NotFound);
            }
            old_length = old.len();
        }
        if sphere.organization == Organization::Ksds && sphere.key_of(record) != Some(&key[..]) {
            return Err(FileError::KeyChanged);
        }
        if sphere.organization == Organization::Esds && record.len() != old_length {
            return Err(FileError::Length(record.len()));
        }
        if self.index().is_some_and(|index| index.key_of(record) != index.key_of(&old)) {
            return Err(FileError::KeyChanged);
        }
        if !self.has_control(unit, token) {
            self.claim(unit, &key, wait)?;
        }
        let mut scope = LockScope::new(unit);
        let access = self.access(unit, wait);
        self.admit(unit, access.recoverable, record)?;
        let splits = sphere.replace(access, &mut scope, &key, (&old, old_length), record)?;
        if access.recoverable {
            scope.keep();
        }
        self.count_splits(splits);
        self.written();
        count(&self.0.counters.updates);
        self.end_hold(unit, token, true)
    }

    /// WRITE. `id` is needed for RRDS (the number) and, when given with keys, must agree with the key in the record. Answers the
    /// new record's identification (key, RBA, RRN).
    pub fn write(
        &self,
        unit: &UnitOfWork,
        id: Option<RecordId<'_>>,
        record: &[u8],
        mass_insert: bool,
        wait: LockWait<'_>,
    ) -> Result<Found, FileError> {
        self.check_changes()?;
        let sphere = &self.0.sphere;
        sphere.check_length(record)?;
        let key = self.new_key(unit, id, record)?;
        let access = self.access(unit, wait);
        let mut scope = LockScope::new(unit);
        if self.lock_record(unit, &key, wait)? {
            scope.add(&sphere.data, &key);
        }
        if mass_insert {
            self.claim_for_mass_insert(unit, &key, wait)?;
        } else {
            self.claim(unit, &key, wait)?;
        }
        if sphere.organization != Organization::Esds && unit.read(&sphere.data, &key, &mut Vec::new())? {
            return Err(FileError::DuplicateRecord);
        }
        self.admit(unit, access.recoverable, record)?;
        let splits = sphere.insert(access, &mut scope, &key, record, mass_insert)?;
        if access.recoverable {
            scope.keep();
        }
        self.touch(&key);
        self.written();
        count(&self.0.counters.adds);
        self.count_splits(splits);
        let number = match sphere.organization {
            Organization::Esds | Organization::Linear => rba_of(&key),
            Organization::Rrds | Organization::Vrrds => rrn_of(&key) as u64,
            _ => 0,
        };
        let shown = match self.index() {
            Some(index) => index.key_of(record).unwrap_or_default().to_vec(),
            None => key,
        };
        Ok(Found { key: shown, duplicate_key: false, number })
    }

    /// Refuses a change that the unit of work must keep until it ends, if there is no memory for it.
    fn admit(&self, unit: &UnitOfWork, recoverable: bool, record: &[u8]) -> Result<(), FileError> {
        if recoverable {
            unit.admit(record.len())?;
        }
        Ok(())
    }

    fn count_splits(&self, splits: Splits) {
        // A CI split writes both halves and the sequence set; a CA split moves half of the CIs: some five transfers for every two CIs.
        let cis = self.0.sphere.shape().cis_per_ca;
        self.0.counts.add(Counted {
            data_excps: splits.ci + splits.ca * cis * 5 / 2,
            index_excps: splits.ci + 3 * splits.ca,
            ci_splits: splits.ci,
            ca_splits: splits.ca,
        });
    }

    /// A changed control interval is written at once.
    fn written(&self) {
        if let Some(pool) = &self.0.pool {
            pool.written(Component::Data, self.0.sphere.attributes.ci_size);
            self.count_excps(1, 0);
            self.0.sphere.counters.add(Count::Excps, 1);
        }
    }

    fn new_key(&self, unit: &UnitOfWork, id: Option<RecordId<'_>>, record: &[u8]) -> Result<Vec<u8>, FileError> {
        let sphere = &self.0.sphere;
        let key = match sphere.organization {
            Organization::Ksds => sphere.key_of(record).ok_or(FileError::Length(record.len()))?.to_vec(),
            Organization::Esds => sphere.next_rba(record.len())?.to_be_bytes().to_vec(),
            Organization::Rrds | Organization::Vrrds => match id {
                Some(id @ RecordId::Rrn(_)) => return self.search_key(unit, id, Search::EQUAL).map(Cow::into_owned),
                _ => return Err(FileError::Identification("a relative record number is needed")),
            },
            Organization::Linear => match id {
                Some(RecordId::Rba(rba)) if rba % sphere.attributes.ci_size as u64 == 0 => rba.to_be_bytes().to_vec(),
                Some(_) => return Err(FileError::RecordNumber),
                None => sphere.next_rba(record.len())?.to_be_bytes().to_vec(),
            },
        };
        if let Some(RecordId::Key(given)) = id {
            if given.len() != self.0.attributes.key_length {
                return Err(FileError::KeyLength(given.len()));
            }
            let in_record = self.index().map_or(Some(&key[..]), |index| index.key_of(record));
            if in_record.is_some_and(|in_record| in_record != given) {
                return Err(FileError::KeyChanged);
            }
        }
        Ok(key)
    }

    /// DELETE after READ UPDATE.
    pub fn delete(&self, unit: &UnitOfWork, token: Token, wait: LockWait<'_>) -> Result<(), FileError> {
        if self.0.sphere.organization == Organization::Esds {
            return Err(FileError::EsdsDelete);
        }
        let (key, _) = self.held_record(unit, token)?;
        if !self.has_control(unit, token) {
            self.claim(unit, &key, wait)?;
        }
        self.remove(unit, &key, wait)?;
        self.end_hold(unit, token, true)?;
        // Other holds of this unit of work on the record become void, because there is nothing to rewrite.
        let base = self.0.sphere.attributes.number;
        unit.holds.lock().retain(|hold| hold.key != key || hold.base != base);
        Ok(())
    }

    /// Deletes the record with a base key whose lock is held.
    fn remove(&self, unit: &UnitOfWork, key: &[u8], wait: LockWait<'_>) -> Result<(), FileError> {
        let sphere = &self.0.sphere;
        let mut old = Vec::new();
        if !unit.read(&sphere.data, key, &mut old)? {
            return Err(FileError::NotFound);
        }
        let access = self.access(unit, wait);
        let mut scope = LockScope::new(unit);
        self.admit(unit, access.recoverable, &[])?;
        sphere.remove(access, &mut scope, key, &old)?;
        if access.recoverable {
            scope.keep();
        }
        self.written();
        count(&self.0.counters.deletes);
        Ok(())
    }

    /// DELETE RIDFLD.
    pub fn delete_record(&self, unit: &UnitOfWork, id: RecordId<'_>, wait: LockWait<'_>) -> Result<(), FileError> {
        if self.0.sphere.organization == Organization::Esds {
            return Err(FileError::EsdsDelete);
        }
        let (_, token) = self.read_update(unit, id, Search::EQUAL, wait, &mut Vec::new())?;
        let result = self.delete(unit, token, wait);
        if result.is_err() {
            self.end_hold(unit, token, false)?;
        }
        result
    }

    /// DELETE GENERIC: returns NUMREC; NotFound if no record matches. After an error some records may be deleted, as with VSAM; a backout
    /// restores those of a recoverable file.
    pub fn delete_generic(&self, unit: &UnitOfWork, key: &[u8], length: usize, wait: LockWait<'_>) -> Result<u32, FileError> {
        if self.0.sphere.organization == Organization::Esds {
            return Err(FileError::EsdsDelete);
        }
        if self.0.sphere.organization != Organization::Ksds {
            return Err(FileError::GenericNotKeyed);
        }
        let mut deleted = 0;
        let search = Search::generic(length, false);
        loop {
            match self.read_update(unit, RecordId::Key(key), search, wait, &mut Vec::new()) {
                Ok((_, token)) => {
                    let result = self.delete(unit, token, wait);
                    if result.is_err() {
                        self.end_hold(unit, token, false)?;
                    }
                    result?;
                    deleted += 1;
                }
                Err(FileError::NotFound) if deleted > 0 => return Ok(deleted),
                Err(error) => return Err(error),
            }
        }
    }
}
