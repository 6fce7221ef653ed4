//! The model: files as maps, units of work as maps of changes over them, locks as a map to their owner.
//!
//! Rules, from the descriptions of the commands and of recoverable files: a unit of work sees its own changes and else what is committed; a
//! record read for update is locked until it is rewritten, deleted, unlocked or the unit of work ends, a changed record is locked to the
//! end of the unit of work; so is the key of a unique alternate index that was taken or given up. A request for a lock that another unit of
//! work holds returns RECORDBUSY (NOSUSPEND). A request that fails changes nothing and keeps no lock it took.

use std::collections::BTreeMap;

pub const UNITS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Ksds,
    Esds,
    Rrds,
    Vrrds,
}

/// An alternate index: part of the record, unique or not.
#[derive(Clone, Copy, Debug)]
pub struct IndexRule {
    pub position: usize,
    pub length: usize,
    pub unique: bool,
}

impl IndexRule {
    pub fn key<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        record.get(self.position..self.position + self.length)
    }
}

/// A record, and for each index when it was entered there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub data: Vec<u8>,
    pub entered: Vec<u64>,
}

/// The name of a lock: a record (no index) or a key of a unique index.
type LockName = (usize, Option<usize>, Vec<u8>);

#[derive(Debug)]
pub struct FileModel {
    pub kind: Kind,
    pub indexes: Vec<IndexRule>,
    pub length_max: usize,
    pub committed: BTreeMap<Vec<u8>, Stored>,
    pub changes: [BTreeMap<Vec<u8>, Option<Stored>>; UNITS],
}

pub const KEY_LENGTH: usize = 4;

/// Condition and RESP2 of a request, `None` for a normal response.
pub type Answer = Option<(&'static str, u32)>;

pub const NOT_FOUND: Answer = Some(("NOTFND", 80));
pub const DUPLICATE: Answer = Some(("DUPREC", 150));
pub const BUSY: Answer = Some(("RECORDBUSY", 107));
pub const LENGTH: Answer = Some(("LENGERR", 14));
pub const NO_UPDATE: Answer = Some(("INVREQ", 30));
pub const KEY_CHANGED: Answer = Some(("INVREQ", 46));
pub const ESDS_DELETE: Answer = Some(("INVREQ", 21));
pub const END_OF_FILE: Answer = Some(("ENDFILE", 90));
pub const GENERIC_PREVIOUS: Answer = Some(("INVREQ", 24));

/// The condition and RESP2 that the command reference has for an error, as a region gives them.
pub fn condition(error: &vsam::FileError) -> (&'static str, u32) {
    match error {
        vsam::FileError::NotFound => ("NOTFND", 80),
        vsam::FileError::DuplicateRecord => ("DUPREC", 150),
        vsam::FileError::RecordBusy(_) => ("RECORDBUSY", 107),
        vsam::FileError::Length(_) => ("LENGERR", 14),
        vsam::FileError::NoUpdate => ("INVREQ", 30),
        vsam::FileError::KeyChanged => ("INVREQ", 46),
        vsam::FileError::EsdsDelete => ("INVREQ", 21),
        vsam::FileError::EndOfFile => ("ENDFILE", 90),
        vsam::FileError::GenericPrevious => ("INVREQ", 24),
        other => panic!("the model does not know: {other}"),
    }
}

/// An entry of a view in its order: view key, order of arrival, base key.
pub type ViewEntry = (Vec<u8>, u64, Vec<u8>);

pub struct Model {
    pub files: Vec<FileModel>,
    pub locks: BTreeMap<LockName, usize>,
    pub arrivals: u64,
}

impl FileModel {
    pub fn get(&self, unit: usize, key: &[u8]) -> Option<&Stored> {
        match self.changes[unit].get(key) {
            Some(own) => own.as_ref(),
            None => self.committed.get(key),
        }
    }

    /// Keys of the records a unit of work sees, in order.
    pub fn keys(&self, unit: usize) -> Vec<Vec<u8>> {
        let mut keys: Vec<Vec<u8>> = self.committed.keys().chain(self.changes[unit].keys()).cloned().collect();
        keys.sort_unstable();
        keys.dedup();
        keys.retain(|key| self.get(unit, key).is_some());
        keys
    }

    /// The view by an index (or the base), in its order.
    pub fn view(&self, unit: usize, index: Option<usize>) -> Vec<ViewEntry> {
        let keys = self.keys(unit);
        let Some(index) = index else { return keys.into_iter().map(|key| (key.clone(), 0, key)).collect() };
        let rule = self.indexes[index];
        let mut entries = Vec::with_capacity(keys.len());
        for key in keys {
            let stored = self.get(unit, &key).expect("listed");
            if let Some(alternate) = rule.key(&stored.data) {
                // A browse over unique keys is at a key, whoever has the key now: its next record has a higher one.
                let arrival = if rule.unique { 0 } else { stored.entered[index] };
                entries.push((alternate.to_vec(), arrival, key));
            }
        }
        entries.sort_unstable();
        entries
    }

    fn length_fits(&self, data: &[u8]) -> bool {
        match self.kind {
            Kind::Ksds => (KEY_LENGTH..=self.length_max).contains(&data.len()),
            Kind::Rrds => data.len() == self.length_max,
            Kind::Esds | Kind::Vrrds => (1..=self.length_max).contains(&data.len()),
        }
    }
}

impl Model {
    pub fn lock_owner(&self, file: usize, index: Option<usize>, key: &[u8]) -> Option<usize> {
        self.locks.get(&(file, index, key.to_vec())).copied()
    }

    fn is_busy(&self, unit: usize, file: usize, index: Option<usize>, key: &[u8]) -> bool {
        self.lock_owner(file, index, key).is_some_and(|owner| owner != unit)
    }

    pub fn lock(&mut self, unit: usize, file: usize, index: Option<usize>, key: &[u8]) {
        self.locks.insert((file, index, key.to_vec()), unit);
    }

    pub fn unlock(&mut self, file: usize, key: &[u8]) {
        self.locks.remove(&(file, None, key.to_vec()));
    }

    /// Checks the conditions for a change of alternate keys; returns the unique keys to lock.
    fn check_indexes(
        &self,
        unit: usize,
        file: usize,
        key: &[u8],
        old: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Result<Vec<(usize, Vec<u8>)>, Answer> {
        let mut locks = Vec::new();
        for (number, rule) in self.files[file].indexes.iter().enumerate().filter(|(_, rule)| rule.unique) {
            let (before, after) = (old.and_then(|data| rule.key(data)), new.and_then(|data| rule.key(data)));
            if before == after {
                continue;
            }
            for alternate in [before, after].into_iter().flatten() {
                if self.is_busy(unit, file, Some(number), alternate) {
                    return Err(BUSY);
                }
                locks.push((number, alternate.to_vec()));
            }
            if let Some(after) = after {
                let view = self.files[file].view(unit, Some(number));
                if view.iter().any(|entry| entry.0 == after && entry.2 != key) {
                    return Err(DUPLICATE);
                }
            }
        }
        Ok(locks)
    }

    fn put(&mut self, unit: usize, file: usize, key: &[u8], data: Option<Vec<u8>>, locks: Vec<(usize, Vec<u8>)>) {
        for (index, alternate) in locks {
            self.lock(unit, file, Some(index), &alternate);
        }
        self.lock(unit, file, None, key);
        let old = self.files[file].get(unit, key).cloned();
        let stored = data.map(|data| {
            let mut entered = old.as_ref().map_or_else(|| vec![0; self.files[file].indexes.len()], |old| old.entered.clone());
            for (index, rule) in self.files[file].indexes.iter().enumerate() {
                if old.as_ref().and_then(|old| rule.key(&old.data)) != rule.key(&data) {
                    self.arrivals += 1;
                    entered[index] = self.arrivals;
                }
            }
            Stored { data, entered }
        });
        self.files[file].changes[unit].insert(key.to_vec(), stored);
    }

    /// WRITE with a key, or the RBA the file gave.
    pub fn write(&mut self, unit: usize, file: usize, key: &[u8], data: &[u8]) -> Answer {
        if !self.files[file].length_fits(data) {
            return LENGTH;
        }
        if self.is_busy(unit, file, None, key) {
            return BUSY;
        }
        if self.files[file].get(unit, key).is_some() {
            return DUPLICATE;
        }
        match self.check_indexes(unit, file, key, None, Some(data)) {
            Ok(locks) => {
                self.put(unit, file, key, Some(data.to_vec()), locks);
                None
            }
            Err(answer) => answer,
        }
    }

    /// READ UPDATE of a base key.
    pub fn read_update(&mut self, unit: usize, file: usize, key: &[u8]) -> Answer {
        if self.is_busy(unit, file, None, key) {
            return BUSY;
        }
        if self.files[file].get(unit, key).is_none() {
            return NOT_FOUND;
        }
        self.lock(unit, file, None, key);
        None
    }

    /// REWRITE of a record held.
    pub fn rewrite(&mut self, unit: usize, file: usize, key: &[u8], index: Option<usize>, data: &[u8]) -> Answer {
        let model = &self.files[file];
        if !model.length_fits(data) {
            return LENGTH;
        }
        let Some(old) = model.get(unit, key).map(|stored| stored.data.clone()) else { return NOT_FOUND };
        if model.kind == Kind::Ksds && data[..KEY_LENGTH] != *key {
            return KEY_CHANGED;
        }
        if model.kind == Kind::Esds && data.len() != old.len() {
            return LENGTH;
        }
        if index.is_some_and(|index| model.indexes[index].key(&old) != model.indexes[index].key(data)) {
            return KEY_CHANGED;
        }
        match self.check_indexes(unit, file, key, Some(&old), Some(data)) {
            Ok(locks) => {
                self.put(unit, file, key, Some(data.to_vec()), locks);
                None
            }
            Err(answer) => answer,
        }
    }

    /// DELETE of a record held, or found by its base key.
    pub fn delete(&mut self, unit: usize, file: usize, key: &[u8]) -> Answer {
        let Some(old) = self.files[file].get(unit, key).map(|stored| stored.data.clone()) else { return NOT_FOUND };
        match self.check_indexes(unit, file, key, Some(&old), None) {
            Ok(locks) => {
                self.put(unit, file, key, None, locks);
                None
            }
            Err(answer) => answer,
        }
    }

    /// Whether the unit of work has changed the record, so that its lock stays.
    pub fn has_changed(&self, unit: usize, file: usize, key: &[u8]) -> bool {
        self.files[file].changes[unit].contains_key(key)
    }

    pub fn end(&mut self, unit: usize, commit: bool) {
        for file in &mut self.files {
            for (key, stored) in std::mem::take(&mut file.changes[unit]) {
                match stored {
                    _ if !commit => {}
                    Some(stored) => drop(file.committed.insert(key, stored)),
                    None => drop(file.committed.remove(&key)),
                }
            }
        }
        self.locks.retain(|_, owner| *owner != unit);
    }
}
