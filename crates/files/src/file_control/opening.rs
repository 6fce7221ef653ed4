//! How a FILE opens its data set: the log for its recovery, whether a backup may run meanwhile, the buffers it uses.

use super::pools::LsrPool;
use crate::file_control::FileControl;
use csd::TableKind;
use csd::{FileDefinition, FileRecovery};
use region::Region;
use std::sync::Arc;
use vsam::catalog::{BackupOption, LogOption};
use vsam::{File, FileError, OpenContext, OpenOptions, Opener, Organization, Resources};

/// LOG of the data set decides whether it is recoverable; if the catalog does not specify it, RECOVERY of the FILE decides, except in RLS
/// mode.
pub(super) fn open_data_set(
    region: &'static Region,
    name: &str,
    data_set: &str,
    definition: &FileDefinition,
    pool: Option<&Arc<LsrPool>>,
) -> Result<super::tables::Opened, FileError> {
    if let Some(table) = super::tables::open(region, name, data_set, definition) {
        return table;
    }
    let by_catalog = region.data_sets.open(data_set, OpenOptions { recoverable: None, reset: false })?;
    FileControl::of(region).marks.refuse(&by_catalog.attributes().base, definition.rls)?;
    let log = by_catalog.attributes().log;
    let recoverable = match log {
        _ if definition.rls => None,
        LogOption::Undefined => Some(definition.recovery != FileRecovery::None),
        _ => None,
    };
    // A CICS-maintained table is read from memory: the buffers of its source are not used.
    let buffers = match pool {
        _ if definition.rls || definition.table == TableKind::Cics => None,
        Some(pool) => Some(pool.buffers.clone()),
        None => Some(FileControl::of(region).pools.own_buffers(definition, &by_catalog.attributes().base)),
    };
    let counts = buffers.is_some().then(|| FileControl::of(region).pools.counts(definition, &by_catalog.attributes().base));
    let output = definition.changes_records();
    let forward_log = forward_log(definition, log, &by_catalog);
    let replication_log = replication_log(&by_catalog)?;
    if forward_log.is_some() || replication_log.is_some() {
        super::start_carrier(region);
    }
    let resources = match pool {
        _ if buffers.is_none() => Resources::Uncontrolled,
        Some(_) => Resources::Shared,
        None => Resources::Own,
    };
    let keep_control = region.sit.is("CILOCK", "YES");
    let opener = Some(Opener { user: 0, output });
    let context = OpenContext { opener, pool: buffers, counts, forward_log, replication_log, resources, keep_control };
    drop(by_catalog);
    let file = region.data_sets.open_in(data_set, OpenOptions { recoverable, reset: definition.empty_at_open }, context)?;
    if file.attributes().organization == Organization::Linear {
        return Err(FileError::NotAllowed("file control does not process linear data sets"));
    }
    let load = super::tables::load_of(region, definition, &file)?;
    Ok((file, load))
}

/// The forward recovery log: LOGSTREAMID of a data set with LOG(ALL), else FWDRECOVLOG of the FILE with RECOVERY(ALL).
fn forward_log(definition: &FileDefinition, log: LogOption, file: &File) -> Option<String> {
    match log {
        LogOption::All => Some(file.attributes().log_stream.clone()).filter(|stream| !stream.is_empty()),
        LogOption::Undefined if definition.recovery == FileRecovery::All && definition.forward_log > 0 && !definition.rls => {
            Some(format!("DFHJ{:02}", definition.forward_log))
        }
        _ => None,
    }
}

/// Whether a data set may be backed up while the file updates it: by the catalog, else by BACKUPTYPE of the file; and only with forward
/// recovery.
pub(super) fn is_dynamic(definition: &FileDefinition, file: &File) -> bool {
    let attributes = file.attributes();
    let wanted = match attributes.backup {
        BackupOption::Undefined => definition.dynamic_backup && !definition.rls,
        option => option == BackupOption::TypeCics,
    };
    wanted && definition.table != TableKind::User && forward_log(definition, attributes.log, file).is_some()
}

/// The replication log of a data set with LOGREPLICATE.
fn replication_log(file: &File) -> Result<Option<String>, FileError> {
    let attributes = file.attributes();
    match (attributes.log_replicate, attributes.log_stream.is_empty()) {
        (false, _) => Ok(None),
        (true, false) => Ok(Some(attributes.log_stream.clone())),
        (true, true) => Err(FileError::NotAllowed("LOGREPLICATE of the data set needs LOGSTREAMID")),
    }
}
