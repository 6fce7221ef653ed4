//! Data tables: TABLE(USER) and TABLE(CF) of a FILE, how they are opened, filled up and changed by contention.
//!
//! A CICS-maintained table reads as its source does, because what a task reads comes from memory either way; only the source's buffers are
//! not used. A user-maintained table is a copy made at open. A coupling facility table is in the local pool; by UPDATEMODEL(CONTENTION)
//! no record is locked by READ UPDATE, and REWRITE or DELETE of one that has changed since raises CHANGED. Invariant: the number of records
//! is counted at open and kept with every request; after a backout it is counted again.

use super::{FileUse, Hold};
use crate::exec_interface::{Outcome, Raised, raise};
use crate::region::Region;
use crate::resources::{FileDefinition, FileRecovery};
use exec::condition;
use std::sync::atomic::{AtomicU32, Ordering};
use vsam::data_tables::TableShape;
use vsam::{File, FileError, LockWait, RecordId, Search, Token, UnitOfWork};

/// Tokens of records read for update without a lock: apart from the access method's own.
static NEXT_TOKEN: AtomicU32 = AtomicU32::new(0x8000_0000);

/// What TABLE says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    No,
    Cics,
    User,
    CouplingFacility,
}

impl FileDefinition {
    pub fn table_kind(&self) -> TableKind {
        match self.table.as_str() {
            "CICS" => TableKind::Cics,
            "USER" => TableKind::User,
            "CF" => TableKind::CouplingFacility,
            _ => TableKind::No,
        }
    }

    fn records_limit(&self) -> u64 {
        if self.records_max == 0 { u64::MAX } else { self.records_max }
    }
}

/// Opens the table of a file. `None`: the file has none of its own.
pub(super) fn open(region: &Region, name: &str, data_set: &str, definition: &FileDefinition) -> Option<Result<File, FileError>> {
    let recoverable = definition.recovery != FileRecovery::None;
    let limit = definition.records_limit();
    match definition.table_kind() {
        TableKind::No | TableKind::Cics => None,
        TableKind::User => {
            let opened = region.data_sets.open_user_table(name, data_set, recoverable, limit);
            Some(opened.map(|(file, records)| {
                loaded(region, name, records);
                file
            }))
        }
        TableKind::CouplingFacility => {
            let table = if definition.table_name.as_str().is_empty() { name } else { definition.table_name.as_str() };
            let shape = TableShape { key_length: definition.key_bytes, key_position: 0, record_max: definition.record_bytes };
            if definition.pool.as_str().is_empty() || shape.key_length == 0 || shape.record_max == 0 {
                return Some(Err(FileError::NotAllowed("CFDTPOOL, KEYLENGTH and RECORDSIZE are needed")));
            }
            let source = (definition.load && !data_set.is_empty()).then_some(data_set);
            let opened = region.data_sets.open_pool_table((definition.pool.as_str(), table), shape, source, recoverable, limit);
            Some(opened.map(|(file, records)| {
                if let Some(records) = records {
                    loaded(region, name, records);
                }
                file
            }))
        }
    }
}

fn loaded(region: &Region, name: &str, records: u64) {
    region.messages.send("DFHFC0941", &[("file", name), ("records", records.to_string().as_str())]);
}

impl FileUse {
    /// Requests a table cannot do: by anything but its key.
    pub(super) fn is_own_table(&self) -> bool {
        matches!(self.definition.table_kind(), TableKind::User | TableKind::CouplingFacility)
    }

    pub(super) fn by_contention(&self) -> bool {
        self.definition.table_kind() == TableKind::CouplingFacility && self.definition.contention
    }

    /// NOSPACE when a table has as many records as it may.
    pub(super) fn check_room(&self) -> Outcome {
        if !self.is_own_table() || self.resource.table_records.load(Ordering::Relaxed) < self.definition.records_limit() {
            return Ok(());
        }
        let user = self.definition.table_kind() == TableKind::User;
        raise(condition::NOSPACE, if user { 102 } else { 103 })
    }

    /// Counts records added and deleted.
    pub(super) fn count_records(&self, difference: i64) {
        if self.is_own_table() {
            let count = |records: u64| Some(records.saturating_add_signed(difference));
            let _ = self.resource.table_records.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
        }
    }

    /// Notes a record read for update without a lock.
    pub(super) fn hold_by_contention(&mut self, key: &[u8], record: &[u8], by_token: bool) -> Token {
        let token = Token(NEXT_TOKEN.fetch_add(1, Ordering::Relaxed) | 0x8000_0000);
        let image = Some(Box::new((key.to_vec(), record.to_vec())));
        self.holds.push(Hold { token, by_token, storage: None, image });
        token
    }

    /// The access method's token of a held record: of one held by contention it is taken now, if the record is as it was read.
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
        raise(condition::CHANGED, 109)
    }
}
