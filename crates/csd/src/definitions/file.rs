//! Typed FILE definitions.

use super::Definition;
use kernel::name::{Name4, Name8};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileRecovery {
    None,
    BackoutOnly,
    All,
}

#[derive(Clone, Debug)]
pub struct FileDefinition {
    pub name: Name8,
    pub dataset: String,
    pub status: FileStatus,
    pub open_at_startup: bool,
    pub read: bool,
    pub update: bool,
    pub add: bool,
    pub delete: bool,
    pub browse: bool,
    pub recovery: FileRecovery,
    pub strings: u32,
    pub fixed: bool,
    pub record_bytes: u32,
    pub key_bytes: u32,
    pub lsrpool: u32,
    pub rls: bool,
    /// Of requests to an RLS file that do not say.
    pub read_integrity: ReadIntegrity,
    pub table: TableKind,
    pub table_name: Name8,
    pub pool: Name8,
    pub records_max: u64,
    /// UPDATEMODEL(CONTENTION) of a coupling facility table, and LOAD(YES).
    pub contention: bool,
    pub load: bool,
    /// Number of the journal that is the forward recovery log; 0: none.
    pub forward_log: u32,
    /// DSNSHARING(ALLREQS): shares the control blocks of its data set even if it only reads.
    pub shares_all: bool,
    /// BACKUPTYPE(DYNAMIC): may be backed up while it is open, unless the catalog specifies it.
    pub dynamic_backup: bool,
    pub data_buffers: u32,
    pub index_buffers: u32,
    pub disposition_old: bool,
    pub automatic_journal: AutomaticJournal,
    /// SET FILE EMPTY: a REUSE data set is emptied when the file is next opened.
    pub empty_at_open: bool,
    pub remote_system: Name4,
    pub remote_name: Name8,
}

/// The value of STATUS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileStatus {
    Enabled,
    Disabled,
    Unenabled,
}

/// The value of READINTEG, and of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadIntegrity {
    Uncommitted,
    Consistent,
    Repeatable,
}

/// The value of TABLE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    No,
    Cics,
    User,
    CouplingFacility,
}

impl FileDefinition {
    /// Whether requests may change records.
    pub fn changes_records(&self) -> bool {
        self.update || self.add || self.delete
    }

    /// Whether VSAM should connect the file to other opens of its data set (DSNSHARING).
    pub fn shares_data_set(&self) -> bool {
        self.shares_all || self.changes_records()
    }

    /// MAXNUMRECS: the records a table may have.
    pub fn records_limit(&self) -> u64 {
        if self.records_max == 0 { u64::MAX } else { self.records_max }
    }
}

/// The requests that a FILE definition journals.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct AutomaticJournal {
    /// Number of the journal; 0: none.
    pub journal: u32,
    pub read_only: bool,
    pub read_update: bool,
    pub sync_read: bool,
    pub update: bool,
    pub add_before: bool,
    pub add_after: bool,
    pub sync_write: bool,
}

impl From<&Definition> for AutomaticJournal {
    fn from(definition: &Definition) -> Self {
        let any = |attribute: &str, values: [&str; 2]| values.iter().any(|value| definition.is(attribute, value));
        Self {
            journal: definition.number("JOURNAL").unwrap_or(0),
            read_only: any("JNLREAD", ["ALL", "READONLY"]),
            read_update: any("JNLREAD", ["ALL", "UPDATEONLY"]),
            sync_read: definition.is("JNLSYNCREAD", "YES"),
            update: definition.is("JNLUPDATE", "YES"),
            add_before: any("JNLADD", ["ALL", "BEFORE"]),
            add_after: any("JNLADD", ["ALL", "AFTER"]),
            sync_write: definition.is("JNLSYNCWRITE", "YES"),
        }
    }
}

impl AutomaticJournal {
    /// Updates and deletions are journaled.
    pub fn wants_updates(&self) -> bool {
        self.journal > 0 && self.update
    }
}

impl FileDefinition {
    pub fn from(definition: &Definition) -> Self {
        let yes = |attribute: &str| definition.is(attribute, "YES");
        Self {
            name: definition.name.as_str().into(),
            dataset: definition.get("DSNAME").to_string(),
            status: match definition.get("STATUS") {
                "ENABLED" => FileStatus::Enabled,
                "DISABLED" => FileStatus::Disabled,
                _ => FileStatus::Unenabled,
            },
            open_at_startup: definition.is("OPENTIME", "STARTUP"),
            read: yes("READ"),
            update: yes("UPDATE"),
            add: yes("ADD"),
            delete: yes("DELETE"),
            browse: yes("BROWSE"),
            recovery: match definition.get("RECOVERY") {
                "ALL" => FileRecovery::All,
                "BACKOUTONLY" => FileRecovery::BackoutOnly,
                _ => FileRecovery::None,
            },
            strings: definition.number("STRINGS").unwrap_or(1),
            fixed: definition.is("RECORDFORMAT", "F"),
            record_bytes: definition.number("RECORDSIZE").unwrap_or(0),
            key_bytes: definition.number("KEYLENGTH").unwrap_or(0),
            lsrpool: definition.number("LSRPOOLNUM").unwrap_or(0),
            rls: yes("RLSACCESS"),
            read_integrity: match definition.get("READINTEG") {
                "CONSISTENT" => ReadIntegrity::Consistent,
                "REPEATABLE" => ReadIntegrity::Repeatable,
                _ => ReadIntegrity::Uncommitted,
            },
            table: match definition.get("TABLE") {
                "CICS" => TableKind::Cics,
                "USER" => TableKind::User,
                "CF" => TableKind::CouplingFacility,
                _ => TableKind::No,
            },
            table_name: definition.get("TABLENAME").into(),
            pool: definition.get("CFDTPOOL").into(),
            records_max: definition.get("MAXNUMRECS").parse().unwrap_or(0),
            contention: definition.is("UPDATEMODEL", "CONTENTION"),
            load: yes("LOAD"),
            forward_log: definition.number("FWDRECOVLOG").unwrap_or(0),
            shares_all: !definition.is("DSNSHARING", "MODIFYREQS"),
            dynamic_backup: definition.is("BACKUPTYPE", "DYNAMIC"),
            data_buffers: definition.number("DATABUFFERS").unwrap_or(2),
            index_buffers: definition.number("INDEXBUFFERS").unwrap_or(1),
            disposition_old: definition.is("DISPOSITION", "OLD"),
            automatic_journal: AutomaticJournal::from(definition),
            empty_at_open: false,
            remote_system: definition.get("REMOTESYSTEM").into(),
            remote_name: definition.get("REMOTENAME").into(),
        }
    }
}
