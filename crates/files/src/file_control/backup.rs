//! Backup while open: the catalog information on data sets that may be backed up while the region updates them.
//!
//! While a file that changes records is open, the data set is marked as eligible and its recovery point is a moment from which the forward
//! recovery log contains every change that a backup taken now may lack: first the open, then the last keypoint but one. Invariant: the mark
//! is removed when the last such file is closed; the recovery point stays.

use crate::file_control::FileControl;
use region::Region;
use vsam::backup::{BackupState, ELIGIBLE};

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    kernel::clock::coarse_unix_seconds() as u64
}

fn change(region: &'static Region, base: &str, change: impl FnOnce(&mut BackupState)) {
    if let Err(error) = region.data_sets.change_backup_state(base, change) {
        tracing::error!(target: "region::file", %error, "the catalog could not be told of backup while open of {base}");
    }
}

/// A file over the data set has been opened: another may have been before.
pub(super) fn opened(region: &'static Region, base: &str) {
    change(region, base, |state| {
        if state.status != ELIGIBLE {
            *state = BackupState { status: ELIGIBLE, recovery_point: now() };
        }
    });
}

pub(super) fn keypoint(region: &'static Region, base: &str, before: u64) {
    change(region, base, |state| state.recovery_point = state.recovery_point.max(before));
}

/// A file over the data set has been closed.
pub(super) fn closed(region: &'static Region, base: &str) {
    let mut files = FileControl::of(region).names().into_iter().filter_map(|name| FileControl::of(region).find(name));
    if !files.any(|file| file.updates_dynamically(base)) {
        change(region, base, |state| state.status = 0);
    }
}

/// SET DSNAME RECOVERED: the data set has been rebuilt from a backup and its log.
pub(super) fn recovered(region: &'static Region, base: &str) {
    change(region, base, |state| *state = BackupState::default());
}
