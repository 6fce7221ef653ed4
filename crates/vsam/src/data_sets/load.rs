//! Bulk loading of an empty data set, and building of alternate indexes.
//!
//! Records go to the pages in large durable batches (see `store::BulkLoad`), not through units of work: the loader has the data set open
//! alone. Invariant: after `finish` the alternate indexes agree with the records; before it, or after a crash, the records are a prefix of
//! the load and the indexes are empty or partial, as after an interrupted REPRO; the user loads again (REUSE) or runs BLDINDEX.

use std::sync::Arc;

use crate::catalog::{Entry, Organization};
use crate::ci::CiLoad;
use crate::component::ComponentStatistics;
use crate::data_sets::DataSets;
use crate::error::FileError;
use crate::sphere::Sphere;
use crate::sphere::index::Index;
use crate::store::{BulkLoad, Direction, Store};

/// Why a record was not loaded; the load may go on.
#[derive(Debug)]
pub enum LoadError {
    /// The key is not greater than the one before.
    OutOfSequence,
    Duplicate,
    Length(usize),
    File(FileError),
}

impl<E: Into<FileError>> From<E> for LoadError {
    fn from(error: E) -> LoadError {
        LoadError::File(error.into())
    }
}

/// Alternate key and base key pairs in rows of one length.
struct Pairs {
    bytes: Vec<u8>,
    alternate_length: usize,
    row_length: usize,
}

impl Pairs {
    fn add(&mut self, alternate: &[u8], base: &[u8]) {
        debug_assert_eq!(alternate.len() + base.len(), self.row_length);
        self.bytes.extend_from_slice(alternate);
        self.bytes.extend_from_slice(base);
    }

    fn rows(&self) -> usize {
        self.bytes.len() / self.row_length
    }

    fn row(&self, row: u32) -> &[u8] {
        &self.bytes[row as usize * self.row_length..][..self.row_length]
    }

    /// Writes the index's entries in order. Answers the number of rows left out as duplicates of a unique key.
    fn write(&self, store: &Store, index: &Index) -> Result<u64, FileError> {
        let mut order: Vec<u32> = (0..self.rows() as u32).collect();
        order.sort_unstable_by(|left, right| self.row(*left).cmp(self.row(*right)));
        let mut duplicates = 0;
        let mut load = store.bulk_load(&index.table)?;
        let first_arrival = store.next_arrivals(order.len() as u64);
        let mut previous: Option<&[u8]> = None;
        for (position, row) in order.iter().enumerate() {
            let (alternate, base) = self.row(*row).split_at(self.alternate_length);
            if index.unique && previous == Some(alternate) {
                duplicates += 1;
                continue;
            }
            previous = Some(alternate);
            let records = index.records_of(alternate, base, first_arrival + position as u64);
            load.put(&records[0].0, &records[0].1)?;
        }
        if !index.unique {
            for (position, row) in order.iter().enumerate() {
                let (alternate, base) = self.row(*row).split_at(self.alternate_length);
                let records = index.records_of(alternate, base, first_arrival + position as u64);
                load.put(&records[1].0, &records[1].1)?;
            }
        }
        load.finish()?;
        Ok(duplicates)
    }
}

/// A load of an empty data set in progress.
pub struct SequentialLoad {
    sphere: Arc<Sphere>,
    data: BulkLoad,
    ci: Option<CiLoad>,
    pairs: Vec<Pairs>,
    last_key: Vec<u8>,
    last_number: u32,
    records: u64,
}

impl DataSets {
    /// Starts loading a cluster that is empty and not open. `None` if bulk loading is not possible and records must be written one by one:
    /// the data set is open or not empty, or has a unique upgrade index (duplicates are then found record by record).
    pub fn sequential_load(&self, base: &str) -> Result<Option<SequentialLoad>, FileError> {
        if self.must_be_free(base).is_err() {
            return Ok(None);
        }
        let sphere = self.sphere(base)?;
        let unique = sphere.indexes.iter().any(|index| index.upgrade && index.unique);
        if unique || !sphere.is_empty()? {
            return Ok(None);
        }
        let store = self.store();
        for index in sphere.indexes.iter().filter(|index| index.upgrade) {
            store.clear_table(&index.table)?;
            index.intervals.forget();
        }
        let base_length = base_key_length(&sphere);
        let pairs = sphere.indexes.iter().filter(|index| index.upgrade).map(|index| Pairs {
            bytes: Vec::new(),
            alternate_length: index.key_length,
            row_length: index.key_length + base_length,
        });
        Ok(Some(SequentialLoad {
            data: store.bulk_load(&sphere.data)?,
            ci: match &sphere.ci {
                Some(model) => Some(CiLoad::new(model, store)?),
                None => None,
            },
            pairs: pairs.collect(),
            sphere,
            last_key: Vec::new(),
            last_number: 0,
            records: 0,
        }))
    }

    /// BLDINDEX: builds an alternate index from the records of its base. Returns the number of entries created and of duplicates left out.
    pub fn build_index(&self, name: &str) -> Result<(u64, u64), FileError> {
        let Some((name, Entry::AlternateIndex(entry))) = self.catalog().resolve(name)? else {
            return Err(FileError::DataSetNotFound(name.to_string()));
        };
        self.must_be_free(&entry.base)?;
        let sphere = self.sphere(&entry.base)?;
        let Some(index) = sphere.indexes.iter().find(|index| index.name == name) else {
            return Err(FileError::DataSetNotFound(name));
        };
        let mut pairs =
            Pairs { bytes: Vec::new(), alternate_length: index.key_length, row_length: index.key_length + base_key_length(&sphere) };
        self.store().scan(&sphere.data, None, Direction::Forward, &mut |key, record| {
            if let Some(alternate) = index.key_of(record) {
                pairs.add(alternate, key);
            }
            true
        })?;
        self.store().clear_table(&index.table)?;
        index.intervals.forget();
        let duplicates = pairs.write(self.store(), index)?;
        Ok((pairs.rows() as u64 - duplicates, duplicates))
    }
}

impl DataSets {
    /// Empties a cluster that is not open, before its backup is loaded.
    pub fn empty_cluster(&self, base: &str) -> Result<(), FileError> {
        self.must_be_free(base)?;
        Ok(self.sphere(base)?.clear()?)
    }

    /// Rebuilds the control interval map of a data set from its records, as a load would have built it.
    pub fn rebuild_intervals(&self, base: &str) -> Result<(), FileError> {
        self.must_be_free(base)?;
        let sphere = self.sphere(base)?;
        let Some(model) = &sphere.ci else { return Ok(()) };
        let mut load = CiLoad::new(model, self.store())?;
        let mut failure = None;
        self.store().scan(&sphere.data, None, Direction::Forward, &mut |key, record| {
            failure = load.add(key, sphere.data.length_in_interval(record)).err();
            failure.is_none()
        })?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        let built = load.finish()?;
        let before = sphere.statistics();
        Ok(sphere.set_statistics(&ComponentStatistics { ca_count: built.ca_count, ci_count: built.ci_count, ..before })?)
    }
}

fn base_key_length(sphere: &Sphere) -> usize {
    match sphere.organization {
        Organization::Ksds => sphere.key_length(),
        Organization::Rrds | Organization::Vrrds => 4,
        _ => 8,
    }
}

impl SequentialLoad {
    /// Adds the next record. Records of an RRDS get the numbers 1, 2, 3 ...
    pub fn put(&mut self, record: &[u8]) -> Result<(), LoadError> {
        self.put_at(self.next_number(), record)
    }

    /// The key of a record, if the data set has keys.
    pub fn key_of<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        if self.sphere.organization == Organization::Ksds { self.sphere.key_of(record) } else { None }
    }

    /// The record number that `put` uses next.
    pub fn next_number(&self) -> u32 {
        self.last_number + 1
    }

    /// As `put`, a record of an RRDS at a number greater than the one before.
    pub fn put_at(&mut self, number: u32, record: &[u8]) -> Result<(), LoadError> {
        if self.sphere.check_length(record).is_err() {
            return Err(LoadError::Length(record.len()));
        }
        let esds_key;
        let key: &[u8] = match self.sphere.organization {
            Organization::Ksds => {
                let key = self.sphere.key_of(record).ok_or(LoadError::Length(record.len()))?;
                if self.records > 0 && key <= &self.last_key[..] {
                    return Err(if key == &self.last_key[..] { LoadError::Duplicate } else { LoadError::OutOfSequence });
                }
                self.last_key.clear();
                self.last_key.extend_from_slice(key);
                key
            }
            Organization::Esds | Organization::Linear => {
                esds_key = self.sphere.next_rba(record.len())?.to_be_bytes().to_vec();
                &esds_key
            }
            _ => {
                if number <= self.last_number {
                    return Err(LoadError::OutOfSequence);
                }
                self.last_number = number;
                esds_key = number.to_be_bytes().to_vec();
                &esds_key
            }
        };
        self.data.put(key, record)?;
        if let Some(ci) = &mut self.ci {
            ci.add(key, self.sphere.data.length_in_interval(record))?;
        }
        let indexes = self.sphere.indexes.iter().filter(|index| index.upgrade);
        for (index, pairs) in indexes.zip(&mut self.pairs) {
            if let Some(alternate) = index.key_of(record) {
                pairs.add(alternate, key);
            }
        }
        self.records += 1;
        Ok(())
    }

    pub fn records(&self) -> u64 {
        self.records
    }

    /// Makes the remaining records durable and builds the alternate indexes.
    pub fn finish(self) -> Result<u64, FileError> {
        self.data.finish()?;
        let statistics = match self.ci {
            Some(ci) => ci.finish()?,
            None => ComponentStatistics::default(),
        };
        self.sphere.set_statistics(&statistics)?;
        for (index, pairs) in self.sphere.indexes.iter().filter(|index| index.upgrade).zip(&self.pairs) {
            pairs.write(&self.sphere.store, index)?;
        }
        Ok(self.records)
    }
}
