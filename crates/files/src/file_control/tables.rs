//! Data tables: TABLE(USER) and TABLE(CF) of a FILE, how they are opened, loaded and updated by contention.
//!
//! A CICS-maintained table reads from its source, because records come from memory either way; only the source's buffers are not used. A
//! user-maintained table is a copy made from its open on (see `table_load`). A coupling facility table is in the local pool; by
//! UPDATEMODEL(CONTENTION) no record is locked by READ UPDATE, and REWRITE or DELETE of one that has changed since raises CHANGED.
//! Invariant: the number of records is counted at open and updated by every request; after a backout it is counted again.

use super::request::HOLD_BYTES;
use super::{FileUse, Hold};
use csd::{FileDefinition, FileRecovery, TableKind};
use exec::condition;
use exec::resp2::file_control as resp2;
use region::{Outcome, Raised, Region, raise};
use std::sync::atomic::{AtomicU32, Ordering};
use vsam::data_tables::{TableLoad, TableShape};
use vsam::{File, FileError, LockWait, Organization, RecordId, Search, Token, UnitOfWork};

/// Tokens of records read for update without a lock: apart from the access method's own.
static NEXT_TOKEN: AtomicU32 = AtomicU32::new(0x8000_0000);

/// The bit that distinguishes tokens of tables from those of data sets.
const OF_A_TABLE: u32 = 0x8000_0000;

/// An open file, and the load of its table.
pub(super) type Opened = (File, Option<TableLoad>);

/// The load of a CICS-maintained table.
pub(super) fn load_of(region: &Region, definition: &FileDefinition, file: &File) -> Result<Option<TableLoad>, FileError> {
    if definition.table != TableKind::Cics {
        return Ok(None);
    }
    if file.attributes().organization != Organization::Ksds || file.attributes().path || file.is_alternate_index() {
        return Err(FileError::NotAllowed("the source of a data table is a KSDS"));
    }
    Ok(Some(region.data_sets.load_cics_table(file, definition.records_limit())))
}

/// Opens the table of a file. `None`: the file has no table.
pub(super) fn open(region: &Region, name: &str, data_set: &str, definition: &FileDefinition) -> Option<Result<Opened, FileError>> {
    let recoverable = definition.recovery != FileRecovery::None;
    let limit = definition.records_limit();
    match definition.table {
        TableKind::No | TableKind::Cics => None,
        TableKind::User => {
            let opened = region.data_sets.open_user_table(name, data_set, recoverable, limit);
            Some(opened.map(|(file, load)| (file, Some(load))))
        }
        TableKind::CouplingFacility => {
            let table = if definition.table_name.as_str().is_empty() { name } else { definition.table_name.as_str() };
            let shape = TableShape { key_length: definition.key_bytes, key_position: 0, record_max: definition.record_bytes };
            if definition.pool.as_str().is_empty() || shape.key_length == 0 || shape.record_max == 0 {
                return Some(Err(FileError::NotAllowed("CFDTPOOL, KEYLENGTH and RECORDSIZE are needed")));
            }
            let source = (definition.load && !data_set.is_empty()).then_some(data_set);
            Some(region.data_sets.open_pool_table((definition.pool.as_str(), table), shape, source, recoverable, limit))
        }
    }
}

impl FileUse {
    /// Requests a table cannot do: by anything but its key.
    pub(super) fn is_own_table(&self) -> bool {
        matches!(self.table_kind, TableKind::User | TableKind::CouplingFacility)
    }

    pub(super) fn by_contention(&self) -> bool {
        self.table_kind == TableKind::CouplingFacility && self.definition.contention
    }

    /// NOSPACE when a table has its maximum number of records.
    pub(super) fn check_room(&self) -> Outcome {
        if !self.is_own_table() || self.resource.table_records.load(Ordering::Relaxed) < self.definition.records_limit() {
            return Ok(());
        }
        self.resource.table.adds_full.fetch_add(1, Ordering::Relaxed);
        let user = self.table_kind == TableKind::User;
        raise(condition::NOSPACE, if user { resp2::USER_TABLE_FULL } else { resp2::COUPLING_TABLE_FULL })
    }

    /// Counts records added and deleted. A full CICS-maintained table does not take the new record.
    pub(super) fn count_records(&self, difference: i64) {
        let kind = self.table_kind;
        if kind == TableKind::No {
            return;
        }
        let counters = &self.resource.table;
        let limit = if kind == TableKind::Cics { self.definition.records_limit() } else { u64::MAX };
        let change = |records: u64| (difference < 0 || records < limit).then(|| records.saturating_add_signed(difference));
        match self.resource.table_records.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change) {
            Ok(before) if difference > 0 => {
                counters.adds.fetch_add(difference as u64, Ordering::Relaxed);
                counters.records_peak.fetch_max(before + 1, Ordering::Relaxed);
            }
            Ok(_) => {
                counters.deletes.fetch_add(difference.unsigned_abs(), Ordering::Relaxed);
            }
            Err(_) => {
                counters.adds_full.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    pub(super) fn count_rewrite(&self) {
        if self.table_kind != TableKind::No {
            self.resource.table.rewrites.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Requests that a table does not support: addresses, and a READ UPDATE by part of a key.
    pub(super) fn check_table_update(&self, exact: bool) -> Outcome {
        if self.is_own_table() && !exact { raise(condition::INVREQ, resp2::NOT_FOR_DATA_TABLE) } else { Ok(()) }
    }

    /// Notes a record read for update without a lock.
    pub(super) fn hold_by_contention(
        &mut self,
        region: &'static Region,
        (key, record): (&[u8], &[u8]),
        by_token: bool,
    ) -> Result<Token, Raised> {
        let charge = self.charge_for(region, self.holds.len(), HOLD_BYTES + key.len() + record.len())?;
        let token = Token(NEXT_TOKEN.fetch_add(1, Ordering::Relaxed) | OF_A_TABLE);
        let image = Some(Box::new((key.to_vec(), record.to_vec())));
        self.holds.push(Hold { token, by_token, storage: None, image, _charge: charge });
        Ok(token)
    }

    /// The access method's token of a held record: for a record held by contention the lock is taken now, if the record is unchanged.
    pub(super) fn lock_held(&self, at: usize, unit: &UnitOfWork, wait: LockWait<'_>) -> Result<Token, Raised> {
        let hold = &self.holds[at];
        let Some(image) = &hold.image else { return Ok(hold.token) };
        let mut record = Vec::new();
        let read = self.file.read_update(unit, RecordId::Key(&image.0), Search::EQUAL, wait, &mut record);
        let (_, token) = read.map_err(|error| super::request::raised(error, false))?;
        if record == image.1 {
            return Ok(token);
        }
        let _ = self.file.unlock(unit, token);
        raise(condition::CHANGED, resp2::RECORD_CHANGED)
    }
}
