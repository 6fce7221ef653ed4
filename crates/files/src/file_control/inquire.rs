//! INQUIRE FILE and SET FILE, for programs and for the region's own transactions.
//!
//! Invariants: closing and disabling wait as BUSY specifies, and every other change needs the file CLOSED and not ENABLED; if one attribute
//! is refused, the definition is not changed at all. RESP2 values of SET FILE follow the system programming reference.

use super::request::{on_file_owner, try_open};
use super::resource::Closing;
use super::{Busy, EnableStatus, FileResource, OpenStatus};
use crate::file_control::FileControl;
use crate::file_control::TaskState;
use csd::{FileDefinition, FileRecovery, ReadIntegrity, TableKind};
use exec::resp2::files as resp2;
use exec::{OptionId, condition, cvda, option};
use kernel::{Name16, Purge, Wait};
use region::figures::ResourceType;
use region::inquiry::{self, BrowseStep, either, switch};
use region::name::Name8;
use region::statistics::recording;
use region::{Arguments, Outcome, Raised, Task, raise};
use std::sync::Arc;
use vsam::catalog::LogOption;
use vsam::file::FileAttributes;
use vsam::{FileError, Organization};

/// The longest key of a coupling facility data table.
const TABLE_KEY_BYTES_MAX: u64 = 16;

/// A file as inquiry shows it.
#[derive(Clone, Debug)]
pub struct FileView {
    pub name: Name8,
    pub definition: Arc<FileDefinition>,
    pub open: OpenStatus,
    pub enabled: EnableStatus,
    /// Known while it is open.
    pub attributes: Option<FileAttributes>,
    /// The base cluster over which it is or was last open.
    pub base: String,
    pub users: Vec<u32>,
}

impl FileResource {
    pub fn view(&self) -> FileView {
        FileView {
            name: self.name,
            definition: self.definition(),
            open: self.open_status(),
            enabled: self.enable_status(),
            attributes: self.attributes(),
            base: self.base(),
            users: self.users(),
        }
    }
}

/// The changes of SET FILE. An attribute with `None` is unchanged.
#[derive(Clone, Debug, Default)]
pub struct FileChange {
    pub busy: Busy,
    pub open: Option<bool>,
    pub enabled: Option<bool>,
    pub add: Option<bool>,
    pub browse: Option<bool>,
    pub delete: Option<bool>,
    pub read: Option<bool>,
    pub update: Option<bool>,
    pub dataset: Option<String>,
    pub strings: Option<u32>,
    pub lsrpool: Option<u32>,
    pub rls: Option<bool>,
    pub read_integrity: Option<ReadIntegrity>,
    pub disposition_old: Option<bool>,
    pub empty: Option<bool>,
    pub table: Option<TableChange>,
}

/// Data table attributes SET FILE changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableChange {
    pub kind: Option<TableKind>,
    pub records_max: Option<u64>,
    pub load: Option<bool>,
    pub contention: Option<bool>,
    pub pool: Option<Name8>,
    pub name: Option<Name8>,
    pub key_bytes: Option<u32>,
    pub record_bytes: Option<u32>,
}

impl TableChange {
    fn apply(&self, definition: &mut FileDefinition) {
        definition.table = self.kind.unwrap_or(definition.table);
        definition.records_max = self.records_max.unwrap_or(definition.records_max);
        definition.load = self.load.unwrap_or(definition.load);
        definition.contention = self.contention.unwrap_or(definition.contention);
        definition.pool = self.pool.unwrap_or(definition.pool);
        definition.table_name = self.name.unwrap_or(definition.table_name);
        definition.key_bytes = self.key_bytes.unwrap_or(definition.key_bytes);
        definition.record_bytes = self.record_bytes.unwrap_or(definition.record_bytes);
    }
}

impl FileChange {
    fn changes_definition(&self) -> bool {
        let services = [self.add, self.browse, self.delete, self.read, self.update, self.rls, self.disposition_old, self.empty];
        services.into_iter().any(|service| service.is_some())
            || self.dataset.is_some()
            || self.strings.is_some()
            || self.lsrpool.is_some()
            || self.read_integrity.is_some()
            || self.table.is_some()
    }

    fn apply(&self, definition: &mut FileDefinition) {
        let set = |value: Option<bool>, field: &mut bool| *field = value.unwrap_or(*field);
        set(self.add, &mut definition.add);
        set(self.browse, &mut definition.browse);
        set(self.delete, &mut definition.delete);
        set(self.read, &mut definition.read);
        set(self.update, &mut definition.update);
        set(self.rls, &mut definition.rls);
        set(self.disposition_old, &mut definition.disposition_old);
        set(self.empty, &mut definition.empty_at_open);
        if let Some(table) = &self.table {
            table.apply(definition);
        }
        definition.strings = self.strings.unwrap_or(definition.strings);
        definition.lsrpool = self.lsrpool.unwrap_or(definition.lsrpool);
        definition.read_integrity = self.read_integrity.unwrap_or(definition.read_integrity);
        if let Some(dataset) = &self.dataset {
            definition.dataset.clone_from(dataset);
        }
    }

    /// RESP2 for conflicting attributes in the definition that would result from the change.
    fn conflict(&self, changed: &FileDefinition) -> Option<i32> {
        let asked = self.table.as_ref().and_then(|table| table.kind).is_some();
        let strict = self.read_integrity.is_some_and(|integrity| integrity != ReadIntegrity::Uncommitted);
        let shared_table = matches!(changed.table, TableKind::Cics | TableKind::User);
        let without_pool = shared_table && changed.lsrpool == 0 && !changed.rls;
        let conflicts = [
            (asked && changed.table == TableKind::Cics && changed.rls, resp2::CICS_TABLE_RLS),
            (asked && changed.table == TableKind::User && changed.fixed, resp2::USER_TABLE_FIXED),
            (self.lsrpool == Some(0) && without_pool, resp2::POOL_ZERO_OF_TABLE),
            (asked && without_pool, resp2::TABLE_WITHOUT_POOL),
            (strict && !changed.rls, resp2::INTEGRITY_WITHOUT_RLS),
        ];
        conflicts.into_iter().find_map(|(met, resp2)| met.then_some(resp2))
    }
}

/// RESP2 for a coupling facility data table that lacks an attribute needed for OPEN.
fn lacking(definition: &FileDefinition) -> Option<i32> {
    if definition.table != TableKind::CouplingFacility {
        return None;
    }
    let lacks = [
        (definition.pool.as_str().is_empty(), resp2::NO_CFDTPOOL),
        (!definition.load && definition.key_bytes == 0, resp2::NO_KEYLENGTH),
        (!definition.load && definition.record_bytes == 0, resp2::NO_RECORDSIZE),
    ];
    lacks.into_iter().find_map(|(met, resp2)| met.then_some(resp2))
}

/// SET FILE. The order is that of CICS: close and disable first, then changes that need the file closed, then open and enable.
pub fn set_file(task: &mut Task, file: &Arc<FileResource>, change: &FileChange) -> Outcome {
    let region = task.region;
    if !region.is_local(file.definition().remote_system) {
        return raise(condition::INVREQ, resp2::REMOTE);
    }
    let request = Closing { close: change.open == Some(false), disable: change.enabled == Some(false) };
    if request.close || request.disable {
        // The task itself must not be a user of the file it waits for.
        if TaskState::of(&task.parts).uses.iter().any(|used| used.resource.name == file.name) && change.busy != Busy::NoWait {
            return raise(condition::INVREQ, resp2::OWN_USER);
        }
        let users = if request.close { on_file_owner(task, || file.request(region, request))? } else { file.request(region, request) };
        match change.busy {
            Busy::NoWait => {}
            Busy::Wait => wait_for_file(task, file)?,
            Busy::Force => {
                force_users(task, &users);
                wait_for_file(task, file)?;
            }
        }
    }
    if change.changes_definition() {
        if file.open_status() != OpenStatus::Closed {
            return raise(condition::INVREQ, resp2::NOT_CLOSED);
        }
        if !matches!(file.enable_status(), EnableStatus::Disabled | EnableStatus::Unenabled) {
            return raise(condition::INVREQ, resp2::NOT_DISABLED);
        }
        change_file(task, file, change)?;
    }
    if change.enabled == Some(true) && matches!(file.enable_status(), EnableStatus::Disabling | EnableStatus::Unenabling) {
        return raise(condition::INVREQ, resp2::BEING_DISABLED);
    }
    if change.open == Some(true) && file.open_status() != OpenStatus::Open {
        open_file(task, file)?;
        // OPEN of a file that CLOSED had left unenabled makes it available again.
        if matches!(file.enable_status(), EnableStatus::Unenabled | EnableStatus::Unenabling) && change.enabled.is_none() {
            file.enable(task.region);
        }
    }
    if change.enabled == Some(true) {
        file.enable(task.region);
    }
    Ok(())
}

/// Changes the definition of a closed file, as a whole or not at all.
fn change_file(task: &Task, file: &FileResource, change: &FileChange) -> Outcome {
    let definition = file.definition();
    if super::dsname::has_retained_locks(task.region, &definition.dataset) {
        return raise(condition::INVREQ, if change.dataset.is_some() { resp2::DSNAME_RETAINED } else { resp2::RETAINED });
    }
    let mut changed = (*definition).clone();
    change.apply(&mut changed);
    if let Some(conflict) = change.conflict(&changed) {
        return raise(condition::INVREQ, conflict);
    }
    file.change_definition(|definition| change.apply(definition));
    Ok(())
}

/// OPEN of SET FILE. RESP2 of IOERR is VSAM's error code.
fn open_file(task: &mut Task, file: &FileResource) -> Outcome {
    if let Some(lacking) = lacking(&file.definition()) {
        return raise(condition::INVREQ, lacking);
    }
    match try_open(task, file)? {
        Ok(()) => Ok(()),
        Err(FileError::Quiesced(_)) => raise(condition::INVREQ, resp2::QUIESCED),
        Err(FileError::Unavailable(_)) => raise(condition::INVREQ, resp2::UNAVAILABLE),
        Err(FileError::TableLengths) => raise(condition::INVREQ, resp2::OTHER_LENGTHS),
        Err(error) => raise(condition::IOERR, i32::from(error.open_feedback().reason)),
    }
}

fn wait_for_file(task: &mut Task, file: &FileResource) -> Outcome {
    loop {
        let waker = task.kernel.waker();
        if !file.wait_for_users(waker) {
            return Ok(());
        }
        task.suspend(&Wait::new("FCFSWAIT").named(Name16::new(file.name.as_str())))?;
    }
}

fn force_users(task: &Task, users: &[u32]) {
    for number in users.iter().filter(|number| **number != task.number) {
        let Some(shared) = task.region.transactions().task(*number) else { continue };
        let Some(kernel) = shared.kernel.lock().clone() else { continue };
        kernel.purge(Purge::ForcePurge);
    }
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let files = &FileControl::of(task.region);
    let step = task.browse_step(arguments, option::FILE, || files.names(), |name: Name8| files.find(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(file) = files.find(name) else { return raise(condition::FILENOTFOUND, resp2::NO_FILE) };
    let view = file.view();
    numbers(task, &view, arguments);
    names(task, &view, arguments)
}

fn numbers(task: &Task, view: &FileView, arguments: &mut Arguments) {
    let definition = &view.definition;
    let attributes = view.attributes.as_ref();
    let remote = !task.region.is_local(definition.remote_system);
    let recoverable = attributes.map_or(definition.recovery != FileRecovery::None, |attributes| attributes.recoverable);
    let table = definition.table;
    let (table_cvda, update_model) = match table {
        TableKind::No => (cvda::NOTTABLE, cvda::NOTAPPLIC),
        TableKind::Cics => (cvda::CICSTABLE, cvda::NOTAPPLIC),
        TableKind::User => (cvda::USERTABLE, cvda::NOTAPPLIC),
        TableKind::CouplingFacility => (cvda::CFTABLE, either(definition.contention, cvda::CONTENTION, cvda::LOCKING)),
    };
    let values = [
        (option::ACCESSMETHOD, either(remote, cvda::REMOTE, cvda::VSAM)),
        (option::ADD, either(definition.add, cvda::ADDABLE, cvda::NOTADDABLE)),
        (option::BLOCKFORMAT, cvda::BLOCKED),
        (option::BLOCKKEYLEN, -1),
        (option::BLOCKSIZE, -1),
        (option::BROWSE, either(definition.browse, cvda::BROWSABLE, cvda::NOTBRWBLE)),
        (option::DELETE, either(definition.delete, cvda::DELETABLE, cvda::NOTDELBLE)),
        (option::DISPOSITION, either(definition.disposition_old, cvda::OLD, cvda::SHARE)),
        (option::EMPTYSTATUS, either(definition.empty_at_open, cvda::EMPTYREQ, cvda::NOEMPTYREQ)),
        (option::ENABLESTATUS, view.enabled.cvda()),
        (option::EXCLUSIVE, cvda::NOTAPPLIC),
        (
            option::FWDRECSTATUS,
            either(
                definition.recovery == FileRecovery::All || attributes.is_some_and(|a| a.log == LogOption::All),
                cvda::FWDRECOVABLE,
                cvda::NOTFWDRCVBLE,
            ),
        ),
        (option::JOURNALNUM, i64::from(definition.automatic_journal.journal)),
        (option::KEYLENGTH, attributes.map_or(i64::from(definition.key_bytes), |attributes| attributes.key_length as i64)),
        (option::KEYPOSITION, attributes.map_or(0, |attributes| attributes.key_position as i64)),
        (
            option::LOADTYPE,
            if table == TableKind::CouplingFacility { either(definition.load, cvda::LOAD, cvda::NOLOAD) } else { cvda::NOTAPPLIC },
        ),
        (option::LSRPOOLNUM, i64::from(definition.lsrpool)),
        (option::MAXNUMRECS, definition.records_max as i64),
        (option::OBJECT, either(attributes.is_some_and(|attributes| attributes.path), cvda::PATH, cvda::BASE)),
        (option::OPENSTATUS, view.open.cvda()),
        (option::RBATYPE, cvda::NOTEXTENDED),
        (option::READ, either(definition.read, cvda::READABLE, cvda::NOTREADABLE)),
        (option::READINTEG, read_integrity(definition)),
        (option::RECORDFORMAT, either(definition.fixed, cvda::FIXED, cvda::VARIABLE)),
        (option::RECORDSIZE, attributes.map_or(i64::from(definition.record_bytes), |attributes| attributes.record_length_max as i64)),
        (option::RECOVSTATUS, either(recoverable, cvda::RECOVERABLE, cvda::NOTRECOVABLE)),
        (option::RELTYPE, cvda::NOTAPPLIC),
        (option::REMOTETABLE, cvda::NOTAPPLIC),
        (option::RLSACCESS, either(definition.rls, cvda::RLS, cvda::NOTRLS)),
        (option::STRINGS, i64::from(definition.strings)),
        (option::TABLE, table_cvda),
        (option::TYPE, attributes.map_or(cvda::NOTAPPLIC, data_set_type)),
        (option::UPDATE, either(definition.update, cvda::UPDATABLE, cvda::NOTUPDBLE)),
        (option::UPDATEMODEL, update_model),
    ];
    arguments.set_integers(values);
}

fn data_set_type(attributes: &FileAttributes) -> i64 {
    match (attributes.organization, attributes.path) {
        (Organization::Ksds, false) => cvda::KSDS,
        (Organization::Esds, false) => cvda::ESDS,
        (Organization::Ksds | Organization::Esds, true) => cvda::PATH,
        (Organization::Rrds, _) => cvda::RRDS,
        (Organization::Vrrds, _) => cvda::VRRDS,
        (Organization::Linear, _) => cvda::NOTAPPLIC,
    }
}

fn read_integrity(definition: &FileDefinition) -> i64 {
    if definition.rls { read_integrity_of(definition) } else { cvda::NOTAPPLIC }
}

fn read_integrity_of(definition: &FileDefinition) -> i64 {
    match definition.read_integrity {
        ReadIntegrity::Consistent => cvda::CONSISTENT,
        ReadIntegrity::Repeatable => cvda::REPEATABLE,
        ReadIntegrity::Uncommitted => cvda::UNCOMMITTED,
    }
}

fn names(task: &Task, view: &FileView, arguments: &mut Arguments) -> Outcome {
    let definition = &view.definition;
    arguments.set_text(option::BASEDSNAME, &view.base)?;
    arguments.set_text(option::DSNAME, &definition.dataset)?;
    arguments.set_name(option::CFDTPOOL, &definition.pool)?;
    arguments.set_name(option::TABLENAME, &definition.table_name)?;
    let remote = !task.region.is_local(definition.remote_system);
    arguments.set_name(option::REMOTESYSTEM, &definition.remote_system)?;
    arguments.set_name(option::REMOTENAME, if remote { &definition.remote_name } else { &Name8::BLANK })?;
    let name = definition.name;
    region::inquiry::give_signature(task.region, arguments, "FILE", name.as_str(), cvda::GRPLIST)
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::FILE)?.unwrap_or_default();
    let Some(file) = FileControl::of(task.region).find(name) else { return raise(condition::FILENOTFOUND, resp2::NO_FILE_TO_SET) };
    let busy = [(option::WAIT, cvda::WAIT), (option::NOWAIT, cvda::NOWAIT), (option::FORCE, cvda::FORCE)];
    let busy = match arguments.chosen(option::BUSY, &busy) {
        None | Some(cvda::WAIT) => Busy::Wait,
        Some(cvda::NOWAIT) => Busy::NoWait,
        Some(cvda::FORCE) => Busy::Force,
        Some(_) => return raise(condition::INVREQ, resp2::BUSY),
    };
    let exclusive = [(option::EXCTL, cvda::EXCTL), (option::NOEXCTL, cvda::NOEXCTL)];
    match arguments.chosen(option::EXCLUSIVE, &exclusive) {
        None => {}
        // For BDAM, and every file here is VSAM's.
        Some(cvda::EXCTL | cvda::NOEXCTL) => return raise(condition::INVREQ, resp2::EXCLUSIVE_OF_VSAM),
        Some(_) => return raise(condition::INVREQ, resp2::EXCLUSIVE),
    }
    let integrity =
        [(option::UNCOMMITTED, cvda::UNCOMMITTED), (option::CONSISTENT, cvda::CONSISTENT), (option::REPEATABLE, cvda::REPEATABLE)];
    let read_integrity = match arguments.chosen(option::READINTEG, &integrity) {
        None => None,
        Some(cvda::UNCOMMITTED) => Some(ReadIntegrity::Uncommitted),
        Some(cvda::CONSISTENT) => Some(ReadIntegrity::Consistent),
        Some(cvda::REPEATABLE) => Some(ReadIntegrity::Repeatable),
        Some(_) => return raise(condition::INVREQ, resp2::READINTEG),
    };
    let on = |option, on, off, invalid| switch(arguments, option, on, off, invalid);
    let empty = (option::EMPTYREQ, cvda::EMPTYREQ);
    let empty = on(option::EMPTYSTATUS, empty, (option::NOEMPTYREQ, cvda::NOEMPTYREQ), resp2::EMPTYSTATUS)?;
    let (opened, enabled) = ((option::OPEN, cvda::OPEN), (option::ENABLED, cvda::ENABLED));
    let change = FileChange {
        busy,
        open: on(option::OPENSTATUS, opened, (option::CLOSED, cvda::CLOSED), resp2::OPENSTATUS)?,
        enabled: on(option::ENABLESTATUS, enabled, (option::DISABLED, cvda::DISABLED), resp2::ENABLESTATUS)?,
        add: on(option::ADD, (option::ADDABLE, cvda::ADDABLE), (option::NOTADDABLE, cvda::NOTADDABLE), resp2::ADD)?,
        browse: on(option::BROWSE, (option::BROWSABLE, cvda::BROWSABLE), (option::NOTBROWSABLE, cvda::NOTBRWBLE), resp2::BROWSE)?,
        delete: on(option::DELETE, (option::DELETABLE, cvda::DELETABLE), (option::NOTDELETABLE, cvda::NOTDELBLE), resp2::DELETE)?,
        read: on(option::READ, (option::READABLE, cvda::READABLE), (option::NOTREADABLE, cvda::NOTREADABLE), resp2::READ)?,
        update: on(option::UPDATE, (option::UPDATABLE, cvda::UPDATABLE), (option::NOTUPDATABLE, cvda::NOTUPDBLE), resp2::UPDATE)?,
        dataset: data_set_name(arguments)?,
        strings: number(arguments, option::STRINGS, "STRINGS", resp2::STRINGS)?,
        lsrpool: number(arguments, option::LSRPOOLNUM, "LSRPOOLNUM", resp2::LSRPOOLNUM)?,
        rls: on(option::RLSACCESS, (option::RLS, cvda::RLS), (option::NOTRLS, cvda::NOTRLS), resp2::RLSACCESS)?,
        read_integrity,
        disposition_old: on(option::DISPOSITION, (option::OLD, cvda::OLD), (option::SHARE, cvda::SHARE), resp2::DISPOSITION)?,
        empty: if arguments.has(option::EMPTY) { Some(true) } else { empty },
        table: Some(table_change(arguments)?).filter(|change| *change != TableChange::default()),
    };
    set_file(task, &file, &change)
}

/// DSNAME: blanks change nothing, a leading X'00' leaves the file without a data set.
fn data_set_name(arguments: &Arguments) -> Result<Option<String>, Raised> {
    let name = arguments.text(option::DSNAME)?.or(arguments.text(option::OBJECTNAME)?).filter(|name| !name.is_empty());
    Ok(name.map(|name| if name.starts_with('\0') { String::new() } else { name }))
}

/// A number of SET FILE in place of that of the definition; `invalid` is the RESP2 of one out of range.
fn number(arguments: &Arguments, option: OptionId, attribute: &str, invalid: i32) -> Result<Option<u32>, Raised> {
    Ok(inquiry::attribute(arguments, option, ("FILE", attribute), invalid)?.map(|number| number as u32))
}

/// Keys of a coupling facility data table are shorter than those of remote files, which KEYLENGTH of a definition also describes.
fn table_key(bytes: u64) -> Option<u64> {
    (bytes <= TABLE_KEY_BYTES_MAX).then_some(bytes)
}

/// TABLE and related attributes.
fn table_change(arguments: &Arguments) -> Result<TableChange, Raised> {
    let kinds = [
        (option::NOTTABLE, cvda::NOTTABLE),
        (option::CICSTABLE, cvda::CICSTABLE),
        (option::USERTABLE, cvda::USERTABLE),
        (option::CFTABLE, cvda::CFTABLE),
    ];
    let kind = match arguments.chosen(option::TABLE, &kinds) {
        None => None,
        Some(cvda::NOTTABLE) => Some(TableKind::No),
        Some(cvda::CICSTABLE) => Some(TableKind::Cics),
        Some(cvda::USERTABLE) => Some(TableKind::User),
        Some(cvda::CFTABLE) => Some(TableKind::CouplingFacility),
        Some(_) => return raise(condition::INVREQ, resp2::TABLE),
    };
    let contention = (option::CONTENTION, cvda::CONTENTION);
    Ok(TableChange {
        kind,
        records_max: number(arguments, option::MAXNUMRECS, "MAXNUMRECS", resp2::MAXNUMRECS)?.map(u64::from),
        load: switch(arguments, option::LOADTYPE, (option::LOAD, cvda::LOAD), (option::NOLOAD, cvda::NOLOAD), resp2::LOADTYPE)?,
        contention: switch(arguments, option::UPDATEMODEL, contention, (option::LOCKING, cvda::LOCKING), resp2::UPDATEMODEL)?,
        pool: arguments.name(option::CFDTPOOL)?.filter(|pool: &Name8| !pool.is_blank()),
        name: arguments.name(option::TABLENAME)?.filter(|name: &Name8| !name.is_blank()),
        key_bytes: inquiry::number(arguments, option::KEYLENGTH, resp2::KEYLENGTH, table_key)?.map(|bytes| bytes as u32),
        record_bytes: number(arguments, option::RECORDSIZE, "RECORDSIZE", resp2::RECORDSIZE)?,
    })
}

/// DISCARD FILE: the file must be closed and not enabled.
pub(super) fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::FILE)?.unwrap_or_default();
    let files = &FileControl::of(task.region);
    let Some(file) = files.find(name) else { return raise(condition::FILENOTFOUND, resp2::NO_FILE_TO_SET) };
    if !matches!(file.enable_status(), EnableStatus::Disabled | EnableStatus::Unenabled) {
        return raise(condition::INVREQ, resp2::NOT_DISABLED);
    }
    if name.as_str().starts_with("DFH") {
        return raise(condition::INVREQ, resp2::DISCARD_OF_CICS);
    }
    if super::dsname::has_retained_locks(task.region, &file.definition().dataset) {
        return raise(condition::INVREQ, resp2::DISCARD_RETAINED);
    }
    let discarded = recording::replaced(task.region, ResourceType::File, name.as_str(), || files.discard(name).then_some(()));
    if discarded.is_none() {
        return raise(condition::INVREQ, resp2::NOT_CLOSED);
    }
    task.region.installed.write().remove("FILE", name.as_str());
    Ok(())
}
