//! The load of a data table, as seen by the requests of its file.
//!
//! A load begins with the open of the file, and ends with the file at the latest. Tables in shared storage are loaded by a thread of its own;
//! a coupling facility table by a task on QR, CFCL ("threadsafe file control", "Opening a data table"), in pieces, between which QR runs other
//! tasks. While a table is loaded:
//! * a CICS-maintained table reads from its source, as always;
//! * a user-maintained table answers only a READ without UPDATE by a full key, from the source; other requests get LOADING;
//! * a coupling facility table is usable for keys up to the one the load has reached; requests beyond it get LOADING.
//!
//! If the load of a coupling facility table cannot be completed, requests beyond the loaded part continue to get LOADING. A user-maintained
//! table that becomes full keeps the records loaded so far. Invariants: loads by threads run one at a time; a piece never waits, so that who
//! ends a load can wait for the piece in progress; and `FileResource` waits for the end of
//! the last load of a file before the next; only the load changes a user-maintained table until it has ended.

use super::{FileResource, FileUse};
use crate::file_control::FileControl;
use csd::TableKind;
use exec::condition;
use exec::resp2::file_control as resp2;
use kernel::Mode;
use parking_lot::{Condvar, Mutex};
use region::messages::Message;
use region::name::{Name4, Name8};
use region::{AttachRequest, Outcome, Raised, Region, StartCode, Task, raise};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use vsam::data_tables::{LoadEnd, LoadProgress, TableLoad};
use vsam::{File, FileError};

/// How often a load that waits for another checks whether it is still wanted.
const TURN_INTERVAL: Duration = Duration::from_millis(20);

/// The transaction that loads coupling facility tables.
const LOAD_TRANSACTION: &str = "CFCL";

/// The load of a file's table.
pub(super) struct Loading {
    kind: TableKind,
    pub progress: LoadProgress,
    /// Requests may go to the table without a thought of the load.
    complete: AtomicBool,
    file: Name8,
    /// The load of a coupling facility table, until it has ended. Locked by its task for a piece.
    work: Mutex<Option<TableLoad>>,
    /// The source of a user-maintained table, until it is loaded.
    source: Mutex<Option<File>>,
    ended: (Mutex<bool>, Condvar),
}

impl Loading {
    fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    /// Stops the load and waits until it has ended.
    pub fn end(&self, region: &'static Region) {
        self.progress.stop();
        // Not in the condition: the lock would be held while messages are sent.
        let load = self.work.lock().take();
        if load.is_some() {
            drop(load);
            finish(region, self, &Ok(LoadEnd::Stopped));
        }
        self.await_end();
    }

    pub fn await_end(&self) {
        let (ended, changed) = &self.ended;
        let mut ended = ended.lock();
        while !*ended {
            changed.wait(&mut ended);
        }
    }

    fn has_ended(&self, complete: bool) {
        self.complete.store(complete, Ordering::Release);
        *self.source.lock() = None;
        *self.ended.0.lock() = true;
        self.ended.1.notify_all();
    }
}

/// Counters of a data table, as file statistics report them.
#[derive(Default)]
pub(super) struct TableCounters {
    pub reads: AtomicU64,
    /// Reads that went to the source, because the record was not in the table.
    pub source_reads: AtomicU64,
    /// Records put there by the load.
    pub loaded: AtomicU64,
    pub adds: AtomicU64,
    /// Records there was no room for.
    pub adds_full: AtomicU64,
    pub rewrites: AtomicU64,
    pub deletes: AtomicU64,
    pub records_peak: AtomicU64,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Begins the load of a file that has just been opened.
pub(super) fn begin(region: &'static Region, resource: &FileResource, load: TableLoad) -> Arc<Loading> {
    let kind = resource.definition().table;
    let source = Mutex::new((kind == TableKind::User).then(|| load.source.clone()));
    let loading = Arc::new(Loading {
        kind,
        progress: LoadProgress::default(),
        complete: AtomicBool::new(false),
        file: resource.name,
        work: Mutex::new(None),
        source,
        ended: (Mutex::new(false), Condvar::new()),
    });
    load.begin(&loading.progress);
    region.messages.send("DFHFC0940", &[("file", resource.name.as_str())]);
    if kind == TableKind::CouplingFacility {
        *loading.work.lock() = Some(load);
        FileControl::of(region).to_load.lock().push_back(loading.clone());
        // The opener holds locks that an attach may need.
        region.dispatcher.spawn_blocking(move || attach(region));
    } else {
        begin_thread(region, load, &loading);
    }
    loading
}

fn begin_thread(region: &'static Region, load: TableLoad, loading: &Arc<Loading>) {
    let running = loading.clone();
    let run = move || {
        let end = await_turn(region, &running).map_or(Ok(LoadEnd::Stopped), |_turn| load.run(&running.progress));
        drop(load);
        finish(region, &running, &end);
    };
    if let Err(error) = std::thread::Builder::new().name("table-load".to_string()).spawn(run) {
        not_loaded(region, loading.file, &error.to_string());
        loading.has_ended(false);
    }
}

/// Attaches the task that loads the next coupling facility table.
fn attach(region: &'static Region) {
    let request = AttachRequest::new(Name4::new(LOAD_TRANSACTION), StartCode::System);
    let Err(failure) = region.attach(request) else { return };
    let next = FileControl::of(region).to_load.lock().pop_front();
    if let Some(loading) = next
        && loading.work.lock().take().is_some()
    {
        not_loaded(region, loading.file, &failure.message.text);
        loading.has_ended(false);
    }
}

/// DFHFCDL, the program of CFCL: loads a coupling facility table, on QR as it begins. Other tasks run between two pieces.
///
/// # Errors
///
/// The task is purged while it waits.
pub(super) fn load_pool_table(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    let Some(loading) = FileControl::of(region).to_load.lock().pop_front() else { return Ok(()) };
    debug_assert_eq!(task.kernel.mode(), Mode::Qr);
    let waiter = task.waiter();
    loop {
        // Not under the lock: whoever ends the load waits for it.
        let has_room = region.data_sets.wait_for_room(loading.file.as_str(), &*waiter);
        let mut work = loading.work.lock();
        let Some(load) = work.as_ref() else { return Ok(()) };
        let end = match has_room.and_then(|()| load.piece(&loading.progress)) {
            Ok(None) => None,
            Ok(Some(end)) => Some(Ok(end)),
            Err(error) => Some(Err(error)),
        };
        if end.is_some() {
            *work = None;
        }
        drop(work);
        match end {
            None => task.kernel.relinquish(),
            Some(end) => {
                finish(region, &loading, &end);
                return Ok(());
            }
        }
    }
}

/// Waits until no other load runs; `None` if this one is no longer wanted.
fn await_turn(region: &'static Region, loading: &Loading) -> Option<parking_lot::MutexGuard<'static, ()>> {
    loop {
        let turn = FileControl::of(region).loads.try_lock_for(TURN_INTERVAL);
        if loading.progress.is_stopped() {
            return None;
        }
        if turn.is_some() {
            return turn;
        }
    }
}

fn not_loaded(region: &'static Region, file: Name8, reason: &str) -> Message {
    region.messages.send("DFHFC0945", &[("file", file.as_str()), ("reason", reason)])
}

fn finish(region: &'static Region, loading: &Loading, end: &Result<LoadEnd, FileError>) {
    let name = loading.file;
    let records = loading.progress.records();
    if let Some(resource) = FileControl::of(region).find(name) {
        resource.table.loaded.fetch_add(records, Ordering::Relaxed);
        resource.table_loaded(records);
        if matches!(end, Ok(LoadEnd::Full)) {
            count(&resource.table.adds_full);
        }
    }
    let (file, count) = (name.as_str(), records.to_string());
    match end {
        Ok(LoadEnd::Complete) => region.messages.send("DFHFC0941", &[("file", file), ("records", count.as_str())]),
        Ok(LoadEnd::Full) => region.messages.send("DFHFC0942", &[("file", file), ("records", count.as_str())]),
        Ok(LoadEnd::Stopped) => not_loaded(region, name, "the file was closed"),
        Err(error) => not_loaded(region, name, &error.to_string()),
    };
    // Records that a user-maintained table could not take are simply missing; a coupling facility table reports LOADING for them.
    let whole = matches!(end, Ok(LoadEnd::Complete));
    loading.has_ended(whole || loading.kind == TableKind::User);
}

/// Where a request on a table finds its records.
pub(super) enum Place {
    Table,
    /// The table is being loaded: the source has the record.
    Source(File),
}

impl FileUse {
    fn incomplete(&self) -> Option<&Loading> {
        self.loading.as_deref().filter(|loading| !loading.is_complete())
    }

    /// The place for a READ without UPDATE. `exact`: by a full key.
    #[inline]
    pub(super) fn place_of_read(&self, key: &[u8], exact: bool) -> Result<Place, Raised> {
        let counters = &self.resource.table;
        match self.incomplete() {
            None => {
                if self.table_kind != TableKind::No {
                    count(&counters.reads);
                }
                Ok(Place::Table)
            }
            Some(loading) if loading.kind == TableKind::User => match loading.source.lock().clone() {
                Some(source) if exact => {
                    count(&counters.source_reads);
                    Ok(Place::Source(source))
                }
                // The load ended a moment ago.
                None => Ok(Place::Table),
                Some(_) => raise(condition::LOADING, resp2::TABLE_LOADING),
            },
            Some(loading) => {
                let reached = loading.progress.has_reached(key);
                if reached {
                    count(&counters.reads);
                } else if loading.kind == TableKind::Cics {
                    count(&counters.source_reads);
                }
                if reached || loading.kind == TableKind::Cics { Ok(Place::Table) } else { raise(condition::LOADING, resp2::TABLE_LOADING) }
            }
        }
    }

    /// LOADING for a request that is not yet allowed, by the key it begins at.
    #[inline]
    pub(super) fn check_loading(&self, key: &[u8]) -> Outcome {
        match self.incomplete() {
            None => Ok(()),
            Some(loading) if loading.kind == TableKind::Cics => Ok(()),
            Some(loading) if loading.kind == TableKind::CouplingFacility && loading.progress.has_reached(key) => Ok(()),
            Some(_) => raise(condition::LOADING, resp2::TABLE_LOADING),
        }
    }

    pub(super) fn or_loading(&self, error: FileError) -> FileError {
        or_loading(self.loading.as_deref(), error)
    }
}

/// A table of a pool that is not completely loaded cannot report the end of the file.
#[cold]
pub(super) fn or_loading(loading: Option<&Loading>, error: FileError) -> FileError {
    let partial = loading.is_some_and(|loading| loading.kind == TableKind::CouplingFacility && !loading.is_complete());
    if partial && matches!(error, FileError::NotFound | FileError::EndOfFile) { FileError::Loading } else { error }
}
