//! Common parts of the file control commands.
//!
//! The file a command names, whether its definition allows the request, RIDFLD and KEYLENGTH, the length rules of records, delivery by INTO
//! or SET, and the conditions for results of the access method. RESP2 values are those of the command reference.

use super::resource::Admitted;
use super::{FileUse, Hold, IdKind};
use crate::file_control::FileControl;
use crate::file_control::TaskState;
use csd::{FileDefinition, ReadIntegrity, TableKind};
use exec::resp2::file_control as resp2;
use exec::{condition, option};
use kernel::Mode;
use kernel::storage::Getmain;
use region::exec_interface::delivery::lies;
use region::name::Name8;
use region::{Abend, About, Arguments, Outcome, Raised, Region, Task, TaskWaiter, raise, raise_length, storage_access};
use smallvec::SmallVec;
use std::sync::Arc;
use vsam::store::Charge;
use vsam::{FileError, Found, Organization, RecordId, Search, Token};

/// Longest key of a data set.
const KEY_BYTES_MAX: usize = 255;
/// Longest record a program can be given.
pub(super) const RECORD_BYTES_MAX: i64 = 32_767;

pub(super) type IdBytes = SmallVec<[u8; 64]>;

/// Which requests a definition must allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Request {
    Read,
    Update,
    Add,
    Delete,
    Browse,
}

/// Memory of a browse: what it reads ahead, and the longest record behind that.
pub(super) const BROWSE_BYTES: usize = 96 << 10;
/// Memory of a record held for update, besides its image.
pub(super) const HOLD_BYTES: usize = 512;

impl FileUse {
    /// Memory for one more browse or record held for update. The first of a file costs nothing: tasks and files are limited.
    pub(super) fn charge_for(&self, region: &'static Region, already: usize, bytes: usize) -> Result<Charge, Raised> {
        if already == 0 { Ok(Charge::default()) } else { region.reserve(bytes) }
    }

    /// RESP2 20 unless the definition allows the request. UPDATE and BROWSE bring READ with them.
    pub(super) fn allow(&self, request: Request) -> Outcome {
        let definition = &self.definition;
        let allowed = match request {
            Request::Read => definition.read || definition.update || definition.browse,
            Request::Update => definition.update,
            Request::Add => definition.add,
            Request::Delete => definition.delete,
            Request::Browse => definition.browse,
        };
        if allowed { Ok(()) } else { raise(condition::INVREQ, resp2::REQUEST_NOT_ALLOWED) }
    }

    /// NOSUSPEND and the read integrity options are for files accessed in RLS mode.
    pub(super) fn no_suspend(&self, arguments: &Arguments) -> Result<bool, Raised> {
        let no_suspend = arguments.has(option::NOSUSPEND);
        if no_suspend && !self.definition.rls { raise(condition::INVREQ, resp2::NOSUSPEND_WITHOUT_RLS) } else { Ok(no_suspend) }
    }

    pub(super) fn integrity(&self, arguments: &Arguments) -> Result<ReadIntegrity, Raised> {
        let rls = self.definition.rls;
        if arguments.has(option::CONSISTENT) {
            return if rls { Ok(ReadIntegrity::Consistent) } else { raise(condition::INVREQ, resp2::CONSISTENT_WITHOUT_RLS) };
        }
        if arguments.has(option::REPEATABLE) {
            return if rls { Ok(ReadIntegrity::Repeatable) } else { raise(condition::INVREQ, resp2::REPEATABLE_WITHOUT_RLS) };
        }
        if !rls || arguments.has(option::UNCOMMITTED) {
            return Ok(ReadIntegrity::Uncommitted);
        }
        Ok(self.definition.read_integrity)
    }

    /// The position in `holds` of the record a request means: that of its TOKEN, or the one read for update without.
    pub(super) fn hold_for(&self, token: Option<Token>) -> Option<usize> {
        match token {
            Some(token) => self.holds.iter().position(|hold| hold.by_token && hold.token == token),
            None => self.holds.iter().position(|hold| !hold.by_token),
        }
    }

    /// WRITE is subtasked with SUBTSKS=1: to a KSDS that is not accessed in RLS mode, and has records outside a table.
    pub(super) fn is_subtasked(&self) -> bool {
        self.file.attributes().organization == Organization::Ksds && !self.definition.rls && !self.is_own_table()
    }

    /// Nothing can be read from a file in load mode.
    pub(super) fn check_loaded(&self) -> Outcome {
        if self.load_mode { raise(condition::NOTFND, resp2::RECORD_NOT_FOUND) } else { Ok(()) }
    }

    pub(super) fn drop_hold(&mut self, at: usize) {
        let Hold { storage, .. } = self.holds.swap_remove(at);
        self.spare_storage.extend(storage);
    }
}

/// The position in the task's list of the file a command names; the file is open and the task is its user. From here to the end of the
/// request the task is on QR, unless requests of the file are threadsafe.
#[inline]
pub(super) fn file_of(task: &mut Task, arguments: &Arguments) -> Result<usize, Raised> {
    task.performance.file_total += 1;
    let name: Name8 = arguments.name(option::FILE)?.unwrap_or_default();
    let known = TaskState::of(&task.parts).uses.iter().position(|used| used.resource.name == name);
    let at = match known {
        Some(at) if TaskState::of(&task.parts).uses[at].generation == TaskState::of(&task.parts).uses[at].resource.generation() => at,
        known => enter(task, name, known)?,
    };
    if !TaskState::of(&task.parts).uses[at].threadsafe && task.kernel.mode() != Mode::Qr {
        task.kernel.change_mode(Mode::Qr).map_err(purged)?;
    }
    Ok(at)
}

/// Files in an LSR pool or in RLS mode, and coupling facility data tables. FCQRONLY has been looked at before.
fn is_threadsafe(definition: &FileDefinition) -> bool {
    match definition.table {
        TableKind::CouplingFacility => true,
        TableKind::No => definition.rls || definition.lsrpool != 0,
        TableKind::Cics | TableKind::User => false,
    }
}

fn purged(_: kernel::Purge) -> Raised {
    Raised::Abend(Box::new(Task::purge_abend()))
}

/// Becomes a user of the file, or checks it again after a change of its state.
#[cold]
fn enter(task: &mut Task, name: Name8, known: Option<usize>) -> Result<usize, Raised> {
    let region = task.region;
    let resource = match known {
        Some(at) => TaskState::of(&task.parts).uses[at].resource.clone(),
        None => FileControl::of(region).find(name).ok_or(Raised::new(condition::FILENOTFOUND, resp2::FILE_NOT_DEFINED))?,
    };
    let access = loop {
        match resource.admit(task.number)? {
            Admitted::Yes(access) => break access,
            Admitted::Closed => open_from_task(task, &resource)?,
        }
    };
    task.touch_unit_of_work();
    let key_length = access.file.attributes().key_length;
    if let Some(at) = known {
        let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
        (used.definition, used.generation, used.load_mode) = (access.definition, access.generation, access.load_mode);
        (used.table_kind, used.loading) = (used.definition.table, access.loading);
        used.threadsafe = is_threadsafe(&used.definition);
        if used.holds.is_empty() && used.browses.is_empty() && used.strings == 0 {
            used.buffers = scarce_buffers(&access.file, access.pool.as_deref());
            (used.file, used.pool) = (access.file, access.pool);
        }
        return Ok(at);
    }
    let buffers = scarce_buffers(&access.file, access.pool.as_deref());
    let (table_kind, threadsafe) = (access.definition.table, is_threadsafe(&access.definition));
    TaskState::of_mut(&mut task.parts).uses.push(FileUse {
        resource,
        file: access.file,
        definition: access.definition,
        generation: access.generation,
        key_length,
        holds: SmallVec::new(),
        browses: Vec::new(),
        mass_insert: false,
        load_mode: access.load_mode,
        table_kind,
        threadsafe,
        loading: access.loading,
        strings: 0,
        pool: access.pool,
        buffers,
        storage: None,
        spare_storage: Vec::new(),
    });
    Ok(TaskState::of(&task.parts).uses.len() - 1)
}

/// The buffers of a pool that requests of a file may have to wait for.
fn scarce_buffers(file: &vsam::File, pool: Option<&super::LsrPool>) -> Option<usize> {
    pool.and_then(|pool| pool.scarce_buffers(file.ci_size()))
}

/// How the task waits for records and control intervals of a file, and the resource that the wait shows.
pub(super) fn waiter_for(task: &mut Task, at: usize) -> Arc<TaskWaiter> {
    let waiter = task.waiter();
    let used = &TaskState::of(&task.parts).uses[at];
    let file = kernel::Name16::new(used.resource.name.as_str());
    // A record is an enqueue of CICS; in RLS mode the wait is in VSAM.
    let about = match used.definition.rls {
        true => About::new("FCRVWAIT", file).with_access_type("FCRVWAIT"),
        false => About::new("ENQUEUE", kernel::Name16::new("FCDSRECD")),
    };
    waiter.about(about.of_file(file));
    waiter
}

impl super::FileResource {
    /// Counts the record waits of a request.
    pub(super) fn count_waits(&self, waiter: &TaskWaiter) {
        let waits = waiter.take_record_waits();
        if waits > 0 {
            self.record_waits.fetch_add(u64::from(waits), std::sync::atomic::Ordering::Relaxed);
        }
    }
}

/// Opens a closed file on the TCB of its kind.
fn open_from_task(task: &mut Task, resource: &super::FileResource) -> Outcome {
    try_open(task, resource)?.map_err(|error| {
        let feedback = error.open_feedback();
        Raised::Condition { condition: condition::NOTOPEN, resp2: 60, access: [feedback.return_code, feedback.reason], lengths: [0; 2] }
    })
}

/// As `open_from_task`, with the reason if the file cannot be opened.
pub(super) fn try_open(task: &mut Task, resource: &super::FileResource) -> Result<Result<(), FileError>, Raised> {
    let region = task.region;
    // A coupling facility data table is opened on QR ("threadsafe file control").
    let mode = if resource.definition().table == TableKind::CouplingFacility { Mode::Qr } else { Mode::Fo };
    on_tcb(task, mode, || resource.open(region))
}

/// Work of the file owning TCB: data sets are opened and closed there.
pub(super) fn on_file_owner<T>(task: &mut Task, work: impl FnOnce() -> T) -> Result<T, Raised> {
    on_tcb(task, Mode::Fo, work)
}

fn on_tcb<T>(task: &mut Task, mode: Mode, work: impl FnOnce() -> T) -> Result<T, Raised> {
    let before = task.kernel.change_mode(mode).map_err(purged)?;
    let done = work();
    task.kernel.change_mode(before).map_err(purged)?;
    Ok(done)
}

/// The kind of record identification a command uses.
pub(super) fn id_kind(arguments: &Arguments) -> IdKind {
    if arguments.has(option::RBA) {
        IdKind::Rba
    } else if arguments.has(option::XRBA) {
        IdKind::Xrba
    } else if arguments.has(option::RRN) {
        IdKind::Rrn
    } else {
        IdKind::Key
    }
}

/// The significant bytes of RIDFLD, and the kind of search.
pub(super) struct Identification {
    pub kind: IdKind,
    pub bytes: IdBytes,
    pub generic: Option<usize>,
}

impl Identification {
    pub fn id(&self) -> RecordId<'_> {
        record_id(self.kind, &self.bytes)
    }

    pub fn search(&self, greater_or_equal: bool) -> Search {
        Search { greater_or_equal, generic: self.generic }
    }
}

pub(super) fn record_id(kind: IdKind, bytes: &[u8]) -> RecordId<'_> {
    let number = |bytes: &[u8]| bytes.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    match kind {
        IdKind::Key => RecordId::Key(bytes),
        IdKind::Rba | IdKind::Xrba => RecordId::Rba(number(bytes)),
        IdKind::Rrn => RecordId::Rrn(number(bytes) as u32),
    }
}

/// Reads RIDFLD by the rules of KEYLENGTH and GENERIC. `whole` reads the full key even if only a part of it is used for the search, because
/// a browse compares it with the program's later value; unreadable storage behind the item counts as X'00'.
#[inline]
pub(super) fn identification(used: &FileUse, arguments: &Arguments, whole: bool) -> Result<Option<Identification>, Raised> {
    let Some(area) = arguments.area(option::RIDFLD) else { return Ok(None) };
    let kind = id_kind(arguments);
    if kind != IdKind::Key {
        check_address(used, kind)?;
        let mut bytes = IdBytes::from_elem(0, if kind == IdKind::Xrba { 8 } else { 4 });
        storage_access::read(area.address, &mut bytes)?;
        return Ok(Some(Identification { kind, bytes, generic: None }));
    }
    let full = used.key_length.min(KEY_BYTES_MAX);
    let length = arguments.integer(option::KEYLENGTH);
    let generic = if arguments.has(option::GENERIC) {
        let length = length.unwrap_or(full as i64);
        if length < 0 {
            return raise(condition::INVREQ, resp2::GENERIC_KEY_NEGATIVE);
        }
        if length >= full as i64 {
            return raise(condition::INVREQ, resp2::GENERIC_KEY_TOO_LONG);
        }
        Some(length as usize)
    } else {
        if length.is_some_and(|length| length != full as i64) {
            return raise(condition::INVREQ, resp2::KEY_LENGTH);
        }
        None
    };
    let wanted = if whole { full } else { generic.unwrap_or(full) };
    let mut bytes = IdBytes::from_elem(0, wanted);
    match (storage_access::read(area.address, &mut bytes), generic) {
        (Ok(()), _) => {}
        (Err(_), Some(generic)) if whole => storage_access::read(area.address, &mut bytes[..generic])?,
        (Err(fault), _) => return Err(fault.into()),
    }
    Ok(Some(Identification { kind, bytes, generic }))
}

/// The uses allowed for RBA, XRBA and RRN.
fn check_address(used: &FileUse, kind: IdKind) -> Outcome {
    let attributes = used.file.attributes();
    let ksds = attributes.organization == Organization::Ksds;
    if used.is_own_table() {
        return raise(condition::INVREQ, resp2::NOT_FOR_DATA_TABLE);
    }
    if kind == IdKind::Xrba && (attributes.path || attributes.organization != Organization::Esds) {
        return raise(condition::INVREQ, resp2::XRBA_NOT_ESDS);
    }
    if kind == IdKind::Rba && ksds && used.definition.rls {
        return raise(condition::INVREQ, resp2::RBA_WITH_RLS);
    }
    Ok(())
}

/// The token of a request. It is four bytes of the access method's own.
pub(super) fn token_of(arguments: &Arguments) -> Result<Option<Token>, Raised> {
    let Some(area) = arguments.area(option::TOKEN) else {
        return Ok(arguments.integer(option::TOKEN).map(|token| Token(token as u32)));
    };
    let mut bytes = [0; 4];
    storage_access::read(area.address, &mut bytes)?;
    Ok(Some(Token(u32::from_be_bytes(bytes))))
}

pub(super) fn give_token(arguments: &mut Arguments, token: Token) -> Outcome {
    arguments.set_integer(option::TOKEN, i64::from(token.0));
    arguments.set_bytes(option::TOKEN, &token.0.to_be_bytes())
}

/// The record to be written, checked against the file's lengths, into `record`.
pub(super) fn record_from(used: &FileUse, arguments: &Arguments, record: &mut Vec<u8>) -> Outcome {
    let Some(area) = arguments.area(option::FROM) else { return raise(condition::LENGERR, resp2::LENGTH_MISSING) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    let attributes = used.file.attributes();
    let longest = attributes.record_length_max as i64;
    if length > longest {
        return raise_length(resp2::RECORD_TOO_LONG, length, longest);
    }
    if used.definition.fixed && length != longest {
        return raise_length(resp2::FIXED_LENGTH_OF_RECORD, length, longest);
    }
    if length <= 0 {
        return raise(condition::LENGERR, resp2::RECORD_TOO_LONG);
    }
    record.resize(length as usize, 0);
    storage_access::read(area.address, record)?;
    Ok(())
}

/// Delivers the record to the program. A condition is raised only after all values have been set.
#[inline]
pub(super) fn deliver(arguments: &mut Arguments, record: &[u8], fixed: bool, address: Option<usize>) -> Result<Outcome, Raised> {
    let length = record.len() as i64;
    if let Some(address) = address {
        storage_access::write(address, record)?;
        arguments.set_integer(option::SET, address as i64);
        arguments.set_integer(option::LENGTH, length);
        return Ok(Ok(()));
    }
    let Some(area) = arguments.area(option::INTO) else { return Ok(raise(condition::LENGERR, resp2::LENGTH_MISSING)) };
    let room = arguments.integer(option::LENGTH).unwrap_or(area.length as i64).clamp(0, RECORD_BYTES_MAX);
    arguments.set_bytes_unbounded(option::INTO, &record[..record.len().min(room as usize)])?;
    arguments.set_integer(option::LENGTH, length);
    Ok(if fixed && room != length {
        raise_length(resp2::FIXED_LENGTH_OF_AREA, room, length)
    } else if length > room {
        raise_length(resp2::RECORD_TOO_LONG_FOR_AREA, room, length)
    } else {
        Ok(())
    })
}

/// Storage for a SET option, of task lifetime, as long as the file's longest record.
pub(super) fn storage_for(task: &mut Task, at: usize) -> Result<usize, Raised> {
    let line = task.set_line();
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    if let Some(at) = used.spare_storage.iter().rposition(|address| lies(*address, line)) {
        return Ok(used.spare_storage.remove(at));
    }
    let length = used.file.attributes().record_length_max.max(1);
    let request = Getmain { length, line, key: task.data_key(), initial: None };
    task.getmain(request, false)
}

/// The response for a found record: its data first, DUPKEY last.
pub(super) fn duplicate(found: &Found) -> Outcome {
    if found.duplicate_key { raise(condition::DUPKEY, resp2::MORE_WITH_KEY) } else { Ok(()) }
}

/// The condition or abend for an answer of the access method.
#[cold]
pub(super) fn raised(error: FileError, rls: bool) -> Raised {
    let abend = |code: &str, reason: String| Raised::Abend(Box::new(Abend::new(code).because(reason)));
    match error {
        FileError::Deadlock(owner) => {
            let code = if rls { "AFCW" } else { "AFCF" };
            abend(code, format!("deadlock: unit of work {owner} waits for a record of this task"))
        }
        FileError::LockTimeout(owner) => {
            let code = if rls { "AFCV" } else { "AFCY" };
            abend(code, format!("DTIMOUT: the record is held by unit of work {owner}"))
        }
        FileError::SelfDeadlock => abend("AFCG", "the task waits for a control interval it has control of itself".to_string()),
        FileError::Purged => Raised::Abend(Box::new(Task::purge_abend())),
        other => {
            if let FileError::Store(error) = &other {
                tracing::error!(target: "region::file", %error, "a file request failed");
            }
            super::conditions::condition_of(&other)
        }
    }
}
