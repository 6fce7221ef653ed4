//! Checks data sets, and repairs structures that can be rebuilt from the records.
//!
//! Rules: every record and index entry agrees with its checksum; keys ascend strictly, and the pages count as many records as are read;
//! every entry of an alternate index leads to a record with that key, and every record that is long enough has an entry in each index of
//! the upgrade set; the control interval map begins at the lowest key. Repair rebuilds indexes and map from the records. A record that does
//! not agree with its checksum is lost; repair removes it only on request. Invariant: a check changes nothing.

use std::sync::Arc;

use crate::catalog::{Entry, ci_table};
use crate::data_sets::DataSets;
use crate::error::{FileError, StoreError};
use crate::sphere::Sphere;
use crate::sphere::index::Index;
use crate::store::{Change, Direction, Table};

/// Faults listed for one data set; there may be more.
const FAULTS_MAX: usize = 20;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    pub records: u64,
    pub index_entries: u64,
    /// One line each.
    pub faults: Vec<String>,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

impl CheckReport {
    fn fault(&mut self, line: String) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(line);
        }
    }

    /// Damage is a fault; any other error ends the check.
    fn damage(&mut self, error: StoreError) -> Result<(), FileError> {
        match error {
            StoreError::RecordDamaged { .. } | StoreError::PagesDamaged { .. } => {
                self.fault(error.to_string());
                Ok(())
            }
            other => Err(other.into()),
        }
    }
}

impl DataSets {
    /// Names of the clusters in the catalog.
    pub fn clusters(&self) -> Result<Vec<String>, FileError> {
        let mut names = Vec::new();
        self.catalog().for_each(None, |name, entry| {
            if matches!(entry, Entry::Cluster(_)) {
                names.push(name.to_string());
            }
        })?;
        Ok(names)
    }

    /// Checks a cluster with its alternate indexes.
    pub fn check_cluster(&self, base: &str) -> Result<CheckReport, FileError> {
        let sphere = self.sphere(base)?;
        let mut report = CheckReport::default();
        if self.count_records(&sphere.data, &mut report)? {
            // The following checks need every record.
            return Ok(report);
        }
        for index in &sphere.indexes {
            self.check_index(&sphere, index, &mut report)?;
        }
        if report.records > 0 && self.has_lost_intervals(&sphere)? {
            report.fault(format!("{base}: the control interval map does not begin at the lowest key"));
        }
        Ok(report)
    }

    /// Whether the control interval map of a data set with records is incomplete, as after an interrupted load.
    fn has_lost_intervals(&self, sphere: &Sphere) -> Result<bool, FileError> {
        if sphere.ci.is_none() || sphere.is_empty()? {
            return Ok(false);
        }
        let map = self.store().table(&ci_table(sphere.attributes.number))?;
        let mut first = None;
        self.store().scan(&map, None, Direction::Forward, &mut |low, _| {
            first = Some(low.to_vec());
            false
        })?;
        Ok(first.as_deref() != Some(&[0]))
    }

    /// VERIFY: reads the records and index entries, and updates the end of data in the catalog if an interrupted load did not.
    pub fn verify_cluster(&self, base: &str) -> Result<(), FileError> {
        let sphere = self.sphere(base)?;
        self.store().check_table(&sphere.data)?;
        for index in &sphere.indexes {
            self.store().check_table(&index.table)?;
        }
        let is_lost = self.has_lost_intervals(&sphere)?;
        drop(sphere);
        if is_lost { self.rebuild_intervals(base) } else { Ok(()) }
    }

    /// Counts the good records of a table and notes each damaged one; returns whether there is any.
    fn count_records(&self, table: &Table, report: &mut CheckReport) -> Result<bool, FileError> {
        let (mut from, mut is_damaged) = (None::<Vec<u8>>, false);
        loop {
            let scanned = self.store().scan(table, from.as_deref(), Direction::Forward, &mut |_, _| {
                report.records += 1;
                true
            });
            match scanned {
                Ok(()) => return Ok(is_damaged),
                Err(error) => {
                    let StoreError::RecordDamaged { key, .. } = &error else {
                        report.damage(error)?;
                        return Ok(true);
                    };
                    is_damaged = true;
                    let next = [key_of_damage(key)?, vec![0]].concat();
                    report.damage(error)?;
                    // Keys out of order mean that the pages themselves are damaged, so the next key is unknown.
                    if from.as_ref().is_some_and(|from| next <= *from) {
                        report.fault(format!("{}: the order of the keys is damaged behind {}", table.name(), hex(&next)));
                        return Ok(true);
                    }
                    from = Some(next);
                }
            }
        }
    }

    fn check_index(&self, sphere: &Arc<Sphere>, index: &Index, report: &mut CheckReport) -> Result<(), FileError> {
        let store = self.store();
        let (mut entries, mut faults) = (0u64, Vec::new());
        let scanned = store.scan(&index.table, None, Direction::Forward, &mut |entry, base_key| {
            let Some(key) = index.display(entry) else { return false };
            entries += 1;
            let record = store.get(&sphere.data, base_key);
            let fits = matches!(&record, Ok(Some(record)) if index.key_of(record) == Some(key));
            if !fits && faults.len() < FAULTS_MAX {
                faults.push(format!("{}: the entry of key {} leads to no record with it", index.name, hex(key)));
            }
            true
        });
        if let Err(error) = scanned {
            return report.damage(error);
        }
        faults.into_iter().for_each(|fault| report.fault(fault));
        report.index_entries += entries;
        if !index.upgrade {
            return Ok(());
        }
        let mut keyed = 0;
        store.scan(&sphere.data, None, Direction::Forward, &mut |_, record| {
            keyed += index.key_of(record).is_some() as u64;
            true
        })?;
        if keyed != entries {
            report.fault(format!("{}: {entries} entries for {keyed} records with an alternate key", index.name));
        }
        Ok(())
    }

    /// Rebuilds the alternate indexes and the control interval map of a cluster; first removes damaged records on request. Returns the
    /// removed keys.
    pub fn repair_cluster(&self, base: &str, drop_damaged: bool) -> Result<Vec<Vec<u8>>, FileError> {
        self.must_be_free(base)?;
        let sphere = self.sphere(base)?;
        let mut dropped = Vec::new();
        while let Some(key) = self.first_damaged(&sphere.data)? {
            if !drop_damaged {
                let why = format!(
                    "record {} is damaged and cannot be repaired; restore the data set, or remove it with `regent vsam repair --drop-damaged`",
                    hex(&key)
                );
                return Err(FileError::Store(StoreError::Invalid(why)));
            }
            self.store().publish_now(vec![Change { table: sphere.data.clone(), key: key.clone(), value: None }])?;
            self.store().keypoint()?;
            if dropped.contains(&key) {
                let why = format!("record {} cannot be taken away: the pages are damaged; restore the data set", hex(&key));
                return Err(FileError::Store(StoreError::Invalid(why)));
            }
            dropped.push(key);
        }
        let indexes: Vec<String> = sphere.indexes.iter().map(|index| index.name.clone()).collect();
        drop(sphere);
        for index in indexes {
            self.build_index(&index)?;
        }
        self.rebuild_intervals(base)?;
        Ok(dropped)
    }

    /// The key of the first damaged record of a table.
    fn first_damaged(&self, table: &Table) -> Result<Option<Vec<u8>>, FileError> {
        match self.store().check_table(table) {
            Ok(_) => Ok(None),
            Err(StoreError::RecordDamaged { key, .. }) => Ok(Some(key_of_damage(&key)?)),
            Err(error) => Err(error.into()),
        }
    }
}

/// The key of a damaged record, which the store gives in hexadecimal.
fn key_of_damage(key: &str) -> Result<Vec<u8>, FileError> {
    let digits: Option<Vec<u8>> = key.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0);
    let digits = digits.ok_or_else(|| FileError::Store(StoreError::Invalid(format!("key {key}"))))?;
    Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
