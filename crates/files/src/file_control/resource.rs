//! A FILE resource: definition, state, users.
//!
//! States as CICS names them: CLOSED or OPEN, and ENABLED, DISABLED or UNENABLED. A request opens a CLOSED ENABLED file. SET FILE CLOSED
//! leaves the file CLOSED UNENABLED, SET FILE DISABLED does not change whether it is open; both take effect when the last user has
//! finished, and until then no new task may use the file (CLOSING, DISABLING).
//!
//! A data set that is empty when its file is opened is in load mode: reads find nothing, and when the first write or mass insert is complete
//! the file is closed and left enabled.
//!
//! Invariants: the generation changes with every change of state or definition that a task's handle must notice; the state lock is never
//! held across a suspend; the thread that removes the last user carries out the changes that were waiting for it.

use super::backup;
use super::counts::add;
use super::opening::{is_dynamic, open_data_set};
use super::pools::LsrPool;
use super::records;
use super::status::{EnableStatus, OpenStatus};
use super::strings::Strings;
use super::table_load::{Loading, TableCounters};
use crate::file_control::FileControl;
use csd::{FileDefinition, FileStatus, TableKind};
use exec::condition;
use exec::resp2::file_control as resp2;
use kernel::{Peaks, Waker};
use parking_lot::{Mutex, RwLock};
use region::changes::Change;
use region::name::Name8;
use region::statistics::recording;
use region::{Raised, Region, raise};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::SystemTime;
use vsam::buffers::Component;
use vsam::file::{FileAttributes, FileStatistics};
use vsam::forward::ImageKind;
use vsam::{File, FileError};

/// How SET FILE treats tasks that use the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Busy {
    /// Waits until they have ended their units of work.
    #[default]
    Wait,
    /// Leaves it to the last of them.
    NoWait,
    /// Abends them.
    Force,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Admission {
    Enabled,
    Disabled,
    Unenabled,
}

impl Admission {
    fn status(self) -> EnableStatus {
        match self {
            Admission::Enabled => EnableStatus::Enabled,
            Admission::Disabled => EnableStatus::Disabled,
            Admission::Unenabled => EnableStatus::Unenabled,
        }
    }
}

struct State {
    file: Option<File>,
    pool: Option<Arc<LsrPool>>,
    /// The data set was empty when it was opened and has not been loaded since.
    load_mode: bool,
    /// The load of the data table of this open.
    loading: Option<Arc<Loading>>,
    admission: Admission,
    /// Requested, and waiting until there are no users.
    close_pending: bool,
    disable_pending: bool,
    /// Numbers of the tasks that use the file.
    users: Vec<u32>,
    waiting: Vec<Waker>,
    /// The base cluster, since the file was first opened.
    base: String,
    /// Counters of the times it was open before.
    past: FileStatistics,
    opened_at: Option<SystemTime>,
    closed_at: Option<SystemTime>,
}

/// What SET FILE asks of a file that may have users.
#[derive(Clone, Copy)]
pub(super) struct Closing {
    pub close: bool,
    pub disable: bool,
}

pub struct FileResource {
    pub name: Name8,
    definition: RwLock<Arc<FileDefinition>>,
    generation: AtomicU32,
    state: Mutex<State>,
    pub(super) strings: Strings,
    /// Requests that found their record locked by another task.
    pub(super) record_waits: AtomicU64,
    /// How often it was opened.
    pub(super) opens: AtomicU64,
    /// The states that were told last.
    told: Mutex<(OpenStatus, EnableStatus)>,
    /// Records of a data table, and what it has done.
    pub(super) table_records: AtomicU64,
    pub(super) table: TableCounters,
}

/// A task's handle for using the file.
pub(super) struct Access {
    pub load_mode: bool,
    pub loading: Option<Arc<Loading>>,
    pub file: File,
    pub pool: Option<Arc<LsrPool>>,
    pub definition: Arc<FileDefinition>,
    pub generation: u32,
}

/// Whether the file is there for a task.
pub(super) enum Admitted {
    Yes(Access),
    /// It must be opened first.
    Closed,
}

impl FileResource {
    pub(super) fn new(definition: FileDefinition) -> Self {
        let admission = match definition.status {
            FileStatus::Enabled => Admission::Enabled,
            FileStatus::Disabled => Admission::Disabled,
            FileStatus::Unenabled => Admission::Unenabled,
        };
        let state = State {
            file: None,
            pool: None,
            load_mode: false,
            loading: None,
            admission,
            close_pending: false,
            disable_pending: false,
            users: Vec::new(),
            waiting: Vec::new(),
            base: String::new(),
            past: FileStatistics::default(),
            opened_at: None,
            closed_at: None,
        };
        Self {
            name: definition.name,
            told: Mutex::new((OpenStatus::Closed, admission.status())),
            definition: RwLock::new(Arc::new(definition)),
            generation: AtomicU32::new(0),
            state: Mutex::new(state),
            strings: Strings::default(),
            record_waits: AtomicU64::new(0),
            opens: AtomicU64::new(0),
            table_records: AtomicU64::new(0),
            table: TableCounters::default(),
        }
    }

    pub fn definition(&self) -> Arc<FileDefinition> {
        self.definition.read().clone()
    }

    #[inline]
    pub(super) fn generation(&self) -> u32 {
        self.generation.load(Ordering::Acquire)
    }

    fn changed(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn change_definition(&self, change: impl FnOnce(&mut FileDefinition)) {
        let mut definition = self.definition.write();
        let mut new = (**definition).clone();
        change(&mut new);
        *definition = Arc::new(new);
        self.changed();
    }

    pub fn enable_status(&self) -> EnableStatus {
        let state = self.state.lock();
        match state.admission {
            Admission::Disabled => EnableStatus::Disabled,
            _ if state.disable_pending => EnableStatus::Disabling,
            Admission::Enabled if state.close_pending => EnableStatus::Unenabling,
            Admission::Enabled => EnableStatus::Enabled,
            Admission::Unenabled => EnableStatus::Unenabled,
        }
    }

    pub fn open_status(&self) -> OpenStatus {
        let state = self.state.lock();
        match (&state.file, state.close_pending) {
            (None, _) => OpenStatus::Closed,
            (Some(_), true) => OpenStatus::Closing,
            (Some(_), false) => OpenStatus::Open,
        }
    }

    /// Tells what has changed of its states since they were told last.
    fn tell(&self, region: &'static Region) {
        let now = (self.open_status(), self.enable_status());
        let before = std::mem::replace(&mut *self.told.lock(), now);
        let file = self.name.as_str();
        if before.0 != now.0 {
            region.changes.tell(region, Change::FileOpen { file, from: before.0.name(), to: now.0.name() });
        }
        if before.1 != now.1 {
            region.changes.tell(region, Change::FileEnable { file, from: before.1.name(), to: now.1.name() });
        }
    }

    /// The attributes from the access method while the file is open.
    pub fn attributes(&self) -> Option<FileAttributes> {
        self.state.lock().file.as_ref().map(|file| file.attributes().clone())
    }

    /// The base cluster of the data set over which the file was last open; empty if it has not been open.
    pub fn base(&self) -> String {
        self.state.lock().base.clone()
    }

    pub fn users(&self) -> Vec<u32> {
        self.state.lock().users.clone()
    }

    pub(super) fn is_idle(&self) -> bool {
        let state = self.state.lock();
        state.file.is_none() && state.users.is_empty()
    }

    /// Admits a task, as the file's state allows. A task that already uses the file may continue while it is closing.
    pub(super) fn admit(&self, task: u32) -> Result<Admitted, Raised> {
        let mut state = self.state.lock();
        let is_user = state.users.contains(&task);
        if !is_user {
            if state.admission == Admission::Disabled || state.disable_pending {
                return raise(condition::DISABLED, resp2::FILE_DISABLED);
            }
            if state.close_pending || state.admission == Admission::Unenabled {
                return raise(condition::NOTOPEN, resp2::FILE_NOT_OPEN);
            }
        }
        let Some(file) = state.file.clone() else { return Ok(Admitted::Closed) };
        if !is_user {
            state.users.push(task);
        }
        let pool = state.pool.clone();
        let (load_mode, loading) = (state.load_mode, state.loading.clone());
        Ok(Admitted::Yes(Access { load_mode, loading, file, pool, definition: self.definition(), generation: self.generation() }))
    }

    /// Opens the data set if it is closed.
    pub fn open(&self, region: &'static Region) -> Result<(), FileError> {
        let definition = self.definition();
        let mut state = self.state.lock();
        if state.file.is_some() {
            return Ok(());
        }
        // A definition without DSNAME has its data set from a DD statement with the file's name.
        let from_dd = || region.dd_names.get(self.name.as_str()).map(|path| path.to_string_lossy().into_owned());
        let data_set = if definition.dataset.is_empty() { from_dd().unwrap_or_default() } else { definition.dataset.clone() };
        let pool = (!definition.rls && definition.lsrpool > 0).then(|| FileControl::of(region).pools.pool(region, definition.lsrpool));
        match open_data_set(region, self.name.as_str(), &data_set, &definition, pool.as_ref()) {
            Ok((file, load)) => {
                region.data_sets.log_file(&file, self.name.as_str(), ImageKind::TieUp)?;
                if definition.changes_records() && is_dynamic(&definition, &file) {
                    backup::opened(region, &file.attributes().base);
                }
                let replicated = file.attributes().log_replicate && definition.table != TableKind::User;
                if definition.table == TableKind::CouplingFacility {
                    self.count_table(&file);
                } else {
                    self.table_records.store(0, Ordering::Relaxed);
                }
                state.load_mode = !definition.rls && definition.table == TableKind::No && file.is_to_be_loaded()?;
                state.base.clone_from(&file.attributes().base);
                (state.file, state.pool) = (Some(file), pool);
                (state.opened_at, state.closed_at) = (Some(SystemTime::now()), None);
                self.opens.fetch_add(1, Ordering::Relaxed);
                state.loading = load.map(|load| super::table_load::begin(region, self, load));
                drop(state);
                if definition.empty_at_open {
                    // Once: it is not emptied again by the next open.
                    self.change_definition(|definition| definition.empty_at_open = false);
                }
                self.changed();
                self.tell(region);
                region.messages.send("DFHFC0200", &[("file", self.name.as_str())]);
                if replicated {
                    region.messages.send("DFHFC6046", &[]);
                }
                Ok(())
            }
            Err(error) => {
                drop(state);
                let feedback = error.open_feedback();
                let (code, number) = (format!("X'{:02X}'", feedback.return_code), format!("X'{:02X}'", feedback.reason));
                let reason = error.to_string();
                let values = [("file", self.name.as_str()), ("return_code", &code), ("error", &number), ("reason", &reason)];
                region.messages.send("DFHFC0962", &values);
                Err(error)
            }
        }
    }

    /// Recounts the records of a data table.
    pub(super) fn count_table(&self, file: &File) {
        if matches!(self.definition().table, TableKind::User | TableKind::CouplingFacility) {
            // An unreadable table counts as full: the next request reports the error.
            let records = file.record_count().unwrap_or(u64::MAX);
            self.table_records.store(records, Ordering::Relaxed);
            self.table.records_peak.fetch_max(records, Ordering::Relaxed);
        }
    }

    /// The load of the data table has stored records.
    pub(super) fn table_loaded(&self, records: u64) {
        let before = self.table_records.fetch_add(records, Ordering::Relaxed);
        self.table.records_peak.fetch_max(before + records, Ordering::Relaxed);
    }

    /// Waits until the data table of the open file is loaded, or its load has failed.
    pub fn await_loaded(&self) {
        let loading = self.state.lock().loading.clone();
        if let Some(loading) = loading {
            loading.await_end();
        }
    }

    /// The first write, or mass insert, of an empty data set is complete: the file is closed and stays enabled, so that the next request
    /// opens it for normal processing. With other users it stays open.
    pub(super) fn end_load_mode(&self, region: &'static Region, task: u32) {
        let mut state = self.state.lock();
        if !std::mem::take(&mut state.load_mode) {
            return;
        }
        let (mut closed, mut pool) = (None, None);
        if state.users.iter().all(|user| *user == task) && !state.close_pending {
            closed = state.file.take();
            pool = state.pool.take();
            state.closed_at = Some(SystemTime::now());
            if let Some(file) = &closed {
                add(&mut state.past, &file.statistics());
            }
        }
        drop(state);
        self.changed();
        self.tell(region);
        if let Some(file) = &closed {
            self.log_close(region, file);
            self.record_close(region, file, pool);
            region.messages.send("DFHFC0201", &[("file", self.name.as_str())]);
        }
    }

    /// A task has ended its unit of work.
    pub(super) fn leave(&self, region: &'static Region, task: u32) {
        let mut state = self.state.lock();
        if let Some(at) = state.users.iter().position(|user| *user == task) {
            state.users.swap_remove(at);
        }
        self.settle(region, state);
    }

    /// Carries out the changes that were waiting for the last user, if there is none.
    fn settle(&self, region: &'static Region, mut state: parking_lot::MutexGuard<'_, State>) {
        if !state.users.is_empty() || !(state.close_pending || state.disable_pending) {
            return;
        }
        let closing = state.close_pending;
        let (mut loading, mut pool) = (None, None);
        if std::mem::take(&mut state.disable_pending) {
            state.admission = Admission::Disabled;
        }
        let mut closed = None;
        if std::mem::take(&mut state.close_pending) {
            if state.admission == Admission::Enabled {
                state.admission = Admission::Unenabled;
            }
            closed = state.file.take();
            pool = state.pool.take();
            state.load_mode = false;
            state.closed_at = Some(SystemTime::now());
            loading = state.loading.take();
            if let Some(file) = &closed {
                add(&mut state.past, &file.statistics());
            }
        }
        let waiting = std::mem::take(&mut state.waiting);
        if let Some(loading) = loading {
            // Before the file can be opened again, because the table is then created again.
            loading.end(region);
        }
        drop(state);
        self.changed();
        self.tell(region);
        if let Some(file) = &closed {
            self.log_close(region, file);
        }
        if closing && let Some(file) = closed.take() {
            self.record_close(region, &file, pool);
            region.messages.send("DFHFC0201", &[("file", self.name.as_str())]);
            super::carry_forward_logs(region);
        }
        for waker in waiting {
            waker.resume();
        }
    }

    /// Unsolicited statistics: those of the closed file, and those of its LSR pool if no other file uses it.
    fn record_close(&self, region: &'static Region, file: &File, pool: Option<Arc<LsrPool>>) {
        recording::unsolicited(region, |reading| records::file(reading, self).text("A17DSNAM", file.attributes().data_set.clone()));
        let Some(pool) = pool else { return };
        recording::unsolicited_at_end(region, |_| {
            let (figures, buffers) = Arc::into_inner(pool)?.report(Peaks::Keep);
            Some(records::lsr_pool(&figures, &buffers))
        });
    }

    /// The times of the last open, and of the close since.
    pub fn times(&self) -> (Option<SystemTime>, Option<SystemTime>) {
        let state = self.state.lock();
        (state.opened_at, state.closed_at)
    }

    pub fn string_waiters(&self) -> u32 {
        self.strings.waiting()
    }

    /// At a keypoint: the file is tied up with its data set in its logs, and the recovery point of a data set that may be backed up while it
    /// is open moves to the keypoint before.
    pub(super) fn keypoint(&self, region: &'static Region, before: u64) {
        let Some(file) = self.state.lock().file.clone() else { return };
        if let Err(error) = region.data_sets.log_file(&file, self.name.as_str(), ImageKind::TieUp) {
            tracing::error!(target: "region::file", %error, "a file could not be tied up with its data set in its logs");
        }
        let definition = self.definition();
        if definition.changes_records() && is_dynamic(&definition, &file) {
            backup::keypoint(region, &file.attributes().base, before);
        }
    }

    /// Whether the file updates a data set that may be backed up meanwhile.
    pub(super) fn updates_dynamically(&self, base: &str) -> bool {
        let Some(file) = self.state.lock().file.clone() else { return false };
        let definition = self.definition();
        file.attributes().base == base && definition.changes_records() && is_dynamic(&definition, &file)
    }

    /// Whether the open file's data set may be backed up while it is open; `None`: it is closed.
    pub(super) fn is_dynamic(&self) -> Option<bool> {
        let file = self.state.lock().file.clone()?;
        Some(is_dynamic(&self.definition(), &file))
    }

    fn log_close(&self, region: &'static Region, file: &File) {
        if self.definition().changes_records() && is_dynamic(&self.definition(), file) {
            backup::closed(region, &file.attributes().base);
        }
        if let Err(error) = region.data_sets.log_file(file, self.name.as_str(), ImageKind::FileClose) {
            tracing::error!(target: "region::file", %error, "a close could not be logged for forward recovery or replication");
        }
    }

    /// Makes the file available again; a pending close or disable is cancelled.
    pub fn enable(&self, region: &'static Region) {
        let mut state = self.state.lock();
        state.admission = Admission::Enabled;
        (state.close_pending, state.disable_pending) = (false, false);
        drop(state);
        self.changed();
        self.tell(region);
    }

    /// Requests a change, which happens at once if the file has no users. Returns the tasks that must end first.
    pub(super) fn request(&self, region: &'static Region, Closing { close, disable }: Closing) -> Vec<u32> {
        let mut state = self.state.lock();
        state.close_pending |= close && state.file.is_some();
        state.disable_pending |= disable && state.admission != Admission::Disabled;
        if close && state.file.is_none() && state.admission == Admission::Enabled {
            state.admission = Admission::Unenabled;
        }
        let users = state.users.clone();
        self.changed();
        self.settle(region, state);
        self.tell(region);
        users
    }

    /// False if there is nothing to wait for; otherwise the waker is resumed when there are no users.
    pub(super) fn wait_for_users(&self, waker: Waker) -> bool {
        let mut state = self.state.lock();
        let waits = state.close_pending || state.disable_pending;
        if waits {
            state.waiting.push(waker);
        }
        waits
    }

    /// Closes without checking for users: at the end of the region there are none.
    pub(super) fn close_now(&self, region: &'static Region) {
        let mut state = self.state.lock();
        state.users.clear();
        state.close_pending = state.file.is_some();
        self.settle(region, state);
    }

    /// The file while it is open.
    pub fn opened(&self) -> Option<File> {
        self.state.lock().file.clone()
    }

    /// Its counts, including earlier opens.
    pub(super) fn counted(&self) -> FileStatistics {
        let state = self.state.lock();
        let mut total = state.past;
        if let Some(file) = &state.file {
            add(&mut total, &file.statistics());
        }
        total
    }

    /// The sizes of the LSR pool buffers used by its data and index control intervals; `None` while closed or without a pool.
    pub fn buffer_sizes(&self, shape: &vsam::shape::DataSetShape) -> Option<(u32, u32)> {
        let pool = self.state.lock().pool.clone()?;
        let size = |component, ci_size| pool.buffers.buffers_for(component, ci_size).map_or(0, |(size, _)| size);
        let index = if shape.index_ci_size == 0 { 0 } else { size(Component::Index, shape.index_ci_size) };
        Some((size(Component::Data, shape.ci_size), index))
    }
}
