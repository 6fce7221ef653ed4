//! Backup while open (BWO): the catalog information on a data set that may be backed up while a region updates it.
//!
//! The status is that of the catalog's BWO flags; the recovery point is the moment from which the forward recovery log is needed with a
//! backup taken now. Kept in table `vsam.backup`, by the number of the base cluster: status u8 · seconds since 1970 u64. Invariant: the
//! recovery point only moves forward while the data set is open, and stays when it is closed.

use crate::catalog::Entry;
use crate::codec::{Decoder, Encoder};
use crate::data_sets::DataSets;
use crate::error::{FileError, StoreError};
use crate::store::Change;

const BACKUP_TABLE: &str = "vsam.backup";

/// BWO flags: a region has the data set open for update and it may be backed up meanwhile.
pub const ELIGIBLE: u8 = 0b100;

/// The catalog information about the backup of a data set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BackupState {
    /// BWO1, BWO2, BWO3.
    pub status: u8,
    /// Seconds since 1970, or 0.
    pub recovery_point: u64,
}

impl DataSets {
    fn base_number(&self, base: &str) -> Result<u32, FileError> {
        match self.catalog().get(base)? {
            Some(Entry::Cluster(cluster)) => Ok(cluster.attributes.number),
            _ => Err(FileError::DataSetNotFound(base.to_string())),
        }
    }

    pub(crate) fn backup_state_of(&self, number: u32) -> Result<BackupState, StoreError> {
        let Some(table) = self.store().existing_table(BACKUP_TABLE) else { return Ok(BackupState::default()) };
        let stored = self.store().get(&table, &number.to_be_bytes())?.unwrap_or_default();
        let mut input = Decoder { bytes: &stored };
        Ok(match (input.u8(), input.u64()) {
            (Some(status), Some(recovery_point)) => BackupState { status, recovery_point },
            _ => BackupState::default(),
        })
    }

    /// The base cluster is gone.
    pub(crate) fn forget_backup(&self, number: u32) -> Result<(), StoreError> {
        let Some(table) = self.store().existing_table(BACKUP_TABLE) else { return Ok(()) };
        self.store().publish_now(vec![Change { table, key: number.to_be_bytes().to_vec(), value: None }])
    }

    /// The catalog information about the backup of a base cluster.
    pub fn backup_state(&self, base: &str) -> Result<BackupState, FileError> {
        Ok(self.backup_state_of(self.base_number(base)?)?)
    }

    /// Changes the catalog information about the backup of a base cluster.
    pub fn change_backup_state(&self, base: &str, change: impl FnOnce(&mut BackupState)) -> Result<(), FileError> {
        let number = self.base_number(base)?;
        let before = self.backup_state_of(number)?;
        let mut state = before;
        change(&mut state);
        if state == before {
            return Ok(());
        }
        let mut out = Encoder::default();
        out.u8(state.status).u64(state.recovery_point);
        let change = Change { table: self.store().table(BACKUP_TABLE)?, key: number.to_be_bytes().to_vec(), value: Some(out.bytes) };
        Ok(self.store().publish_now(vec![change])?)
    }
}
