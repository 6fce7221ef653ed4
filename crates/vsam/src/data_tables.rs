//! Data tables: keyed tables of records beside the data sets, read and written by the same requests.
//!
//! A user-maintained table `table.user.FILE` is a copy of its source made at open, and changes of it never reach the source. A coupling
//! facility table `table.POOL.NAME` belongs to a pool that outlives the regions: here the pool is local, in the store, so it outlives a
//! restart of the region. Record formats as of a KSDS. Invariant: everyone who has a table open shares one `Sphere`; a table's key and
//! record lengths are those it was made with.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::catalog::{Attributes, Organisation};
use crate::codec::{Decoder, Encoder};
use crate::error::{FileError, StoreError};
use crate::file::{DataSets, File};
use crate::sphere::Sphere;
use crate::store::{Change, Direction, Table};

const USER_PREFIX: &str = "table.user.";
const POOL_PREFIX: &str = "table.";
/// What tables of pools there are: name -> key length u32, record length u32.
const POOL_TABLES: &str = "table.descriptions";

/// Key, and the longest record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    pub key_length: u32,
    pub key_position: u32,
    pub record_max: u32,
}

impl DataSets {
    fn table_file(self: &Arc<Self>, table: &Table, shown: &str, shape: TableShape, recoverable: bool) -> Result<File, FileError> {
        let mut attributes = Attributes::new(shape.key_length, shape.key_position, shape.record_max, shape.record_max);
        // Records of any length up to the longest.
        attributes.record_average = shape.record_max.div_ceil(2).max(1);
        attributes.spanned = true;
        let sphere = self.shared_sphere(&format!("{}:{shown}", table.name()), |store| {
            Sphere::over_table(store, shown, Organisation::Ksds, attributes, table.clone())
        })?;
        let attributes = crate::data_sets::attributes(shown, &sphere, None, Some(recoverable));
        Ok(File::plain(attributes, sphere, self.next_file().fetch_add(1, Ordering::Relaxed)))
    }

    /// Opens a user-maintained table as a fresh copy of its source, a KSDS or a path is not. Answers it and the records loaded.
    pub fn open_user_table(self: &Arc<Self>, file: &str, source: &str, recoverable: bool, limit: u64) -> Result<(File, u64), FileError> {
        let from = self.open(source, Default::default())?;
        let attributes = from.attributes();
        if attributes.organisation != Organisation::Ksds || attributes.path {
            return Err(FileError::NotAllowed("the source of a data table is a KSDS"));
        }
        let shape = TableShape {
            key_length: attributes.key_length as u32,
            key_position: attributes.key_position as u32,
            record_max: attributes.record_length_max as u32,
        };
        let table = self.store().table(&format!("{USER_PREFIX}{file}"))?;
        self.store().clear_table(&table)?;
        let records = self.copy_records(&from, &table, limit)?;
        Ok((self.table_file(&table, file, shape, recoverable)?, records))
    }

    /// Opens a table of a pool, making it if it is not there: loaded from `source` if one is given, else empty. Answers it, and the
    /// records loaded if it was new.
    pub fn open_pool_table(
        self: &Arc<Self>,
        (pool, name): (&str, &str),
        shape: TableShape,
        source: Option<&str>,
        recoverable: bool,
        limit: u64,
    ) -> Result<(File, Option<u64>), FileError> {
        let shown = format!("{pool}.{name}");
        let descriptions = self.store().table(POOL_TABLES)?;
        let mut described = Encoder::default();
        described.u32(shape.key_length).u32(shape.record_max).u32(shape.key_position);
        let present = self.store().get(&descriptions, shown.as_bytes())?;
        if let Some(present) = &present
            && *present != described.bytes
        {
            return Err(FileError::NotAllowed("the data table was made with other lengths"));
        }
        let table = self.store().table(&format!("{POOL_PREFIX}{shown}"))?;
        let mut loaded = None;
        if present.is_none() {
            let records = match source {
                Some(source) => self.copy_records(&self.open(source, Default::default())?, &table, limit)?,
                None => 0,
            };
            loaded = Some(records);
            let change = Change { table: descriptions, key: shown.clone().into_bytes(), value: Some(described.bytes) };
            self.store().publish_now(vec![change])?;
        }
        Ok((self.table_file(&table, &shown, shape, recoverable)?, loaded))
    }

    /// The tables of the pools: name and lengths.
    pub fn pool_tables(&self) -> Result<Vec<(String, TableShape)>, StoreError> {
        let Some(descriptions) = self.store().existing_table(POOL_TABLES) else { return Ok(Vec::new()) };
        let mut tables = Vec::new();
        self.store().scan(&descriptions, None, Direction::Forward, &mut |name, lengths| {
            let mut input = Decoder { bytes: lengths };
            if let (Some(key_length), Some(record_max), Some(key_position)) = (input.u32(), input.u32(), input.u32()) {
                tables.push((String::from_utf8_lossy(name).into_owned(), TableShape { key_length, key_position, record_max }));
            }
            true
        })?;
        Ok(tables)
    }

    fn copy_records(&self, from: &File, table: &Table, limit: u64) -> Result<u64, FileError> {
        let mut load = self.store().bulk_load(table)?;
        let mut failure = None;
        self.store().scan(&from.0.sphere.data, None, Direction::Forward, &mut |key, record| {
            failure = if load.records() >= limit { Some(FileError::NoSpace) } else { load.put(key, record).err().map(FileError::from) };
            failure.is_none()
        })?;
        let records = load.records();
        load.finish()?;
        failure.map_or(Ok(records), Err)
    }
}

impl File {
    /// Records in the table, as committed. For the limits of data tables.
    pub fn record_count(&self) -> Result<u64, FileError> {
        let mut records = 0;
        self.0.sphere.store.scan(&self.0.sphere.data, None, Direction::Forward, &mut |_, _| {
            records += 1;
            true
        })?;
        Ok(records)
    }
}
