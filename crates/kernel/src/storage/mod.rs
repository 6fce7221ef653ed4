//! Storage manager: DSAs at their addresses, subpools, task storage, shared storage, program storage.
//!
//! CDSA UDSA SDSA RDSA lie below 16 MB, ECDSA EUDSA ESDSA ERDSA below 2 GB, GCDSA GUDSA GSDSA above. Storage is got in three steps:
//! a DSA takes extents of address space on demand, within the limit of its line (DSALIM, EDSALIM, MEMLIMIT); runs of pages of a DSA
//! become chunks; arenas cut chunks into elements between check zones.
//! Invariants: the extents of a line never exceed its limit; a user request is refused rather than served from the last
//! bytes of the line (the cushion), which are kept for the region; every refusal declares the line short on storage, and storage freed
//! resumes the tasks that wait for it.

mod arena;
mod dsa;
pub(crate) mod space;
mod task;

use crate::code::{CodeRange, register_code};
use crate::name::{Name8, Name16};
use crate::task::Task;
use crate::wait::{Resumed, Wait, Waker};
use arena::Arena;
use dsa::{NoPages, Pages};
use parking_lot::Mutex;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

pub use arena::ArenaFigures;
pub(crate) use space::is_above_address;
pub use task::{TaskStorage, TaskStorageFigures};

/// The dynamic storage areas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Dsa {
    Cdsa,
    Udsa,
    Sdsa,
    Rdsa,
    Ecdsa,
    Eudsa,
    Esdsa,
    Erdsa,
    Gcdsa,
    Gudsa,
    Gsdsa,
}

pub const DSA_COUNT: usize = 11;

/// Where storage must lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Line {
    Below16M,
    Below2G,
    Above,
}

/// Storage key: who may write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Key {
    Cics,
    User,
}

impl Dsa {
    pub const ALL: [Dsa; DSA_COUNT] = [
        Dsa::Cdsa, Dsa::Udsa, Dsa::Sdsa, Dsa::Rdsa, Dsa::Ecdsa, Dsa::Eudsa, Dsa::Esdsa, Dsa::Erdsa, Dsa::Gcdsa, Dsa::Gudsa,
        Dsa::Gsdsa,
    ];

    pub const fn name(self) -> &'static str {
        const NAMES: [&str; DSA_COUNT] =
            ["CDSA", "UDSA", "SDSA", "RDSA", "ECDSA", "EUDSA", "ESDSA", "ERDSA", "GCDSA", "GUDSA", "GSDSA"];
        NAMES[self as usize]
    }

    pub const fn line(self) -> Line {
        match self {
            Dsa::Cdsa | Dsa::Udsa | Dsa::Sdsa | Dsa::Rdsa => Line::Below16M,
            Dsa::Ecdsa | Dsa::Eudsa | Dsa::Esdsa | Dsa::Erdsa => Line::Below2G,
            Dsa::Gcdsa | Dsa::Gudsa | Dsa::Gsdsa => Line::Above,
        }
    }

    /// User and shared DSAs are user-key; the read-only ones are written by nobody.
    pub const fn key(self) -> Key {
        match self {
            Dsa::Udsa | Dsa::Sdsa | Dsa::Eudsa | Dsa::Esdsa | Dsa::Gudsa | Dsa::Gsdsa => Key::User,
            _ => Key::Cics,
        }
    }

    /// The DSA of shared storage.
    pub const fn shared(line: Line, key: Key) -> Dsa {
        match (line, key) {
            (Line::Below16M, Key::User) => Dsa::Sdsa,
            (Line::Below16M, Key::Cics) => Dsa::Cdsa,
            (Line::Below2G, Key::User) => Dsa::Esdsa,
            (Line::Below2G, Key::Cics) => Dsa::Ecdsa,
            (Line::Above, Key::User) => Dsa::Gsdsa,
            (Line::Above, Key::Cics) => Dsa::Gcdsa,
        }
    }

    /// Bytes an arena takes at a time.
    const fn chunk_bytes(self) -> usize {
        match self.line() {
            Line::Below16M => 4 * 1024,
            Line::Below2G if matches!(self, Dsa::Eudsa) => 64 * 1024,
            Line::Below2G => 16 * 1024,
            Line::Above => 64 * 1024,
        }
    }

    /// The storage cushion kept for the region.
    pub const fn cushion_bytes(self) -> usize {
        match self {
            Dsa::Eudsa => 0,
            Dsa::Ecdsa | Dsa::Esdsa => 128 * 1024,
            Dsa::Erdsa => 256 * 1024,
            Dsa::Gcdsa | Dsa::Gudsa | Dsa::Gsdsa => 64 * 1024 * 1024,
            _ => 64 * 1024,
        }
    }
}

#[derive(Clone, Debug)]
pub struct StorageConfig {
    /// DSALIM
    pub dsa_limit: u64,
    /// EDSALIM
    pub edsa_limit: u64,
    /// MEMLIMIT
    pub memory_limit: u64,
    /// STGPROT; where the machine has no keys the region runs without and [`Storage::is_protected`] says so.
    pub protection: bool,
    /// RENTPGM=PROTECT: code and constants are read-only.
    pub protect_reentrant: bool,
}

impl Default for StorageConfig {
    fn default() -> StorageConfig {
        StorageConfig {
            dsa_limit: 5 << 20,
            edsa_limit: 800 << 20,
            memory_limit: 10 << 30,
            protection: true,
            protect_reentrant: true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageError {
    /// The DSA is at its limit: NOSTG, or wait ([`TaskStorage::getmain_wait`]).
    NoStorage(Dsa),
    /// Zero, or more than the limit of the line.
    Length,
    /// Not the address of an element of this task or subpool.
    NotOwned,
    /// A check zone was overwritten; the element is freed but kept out of use.
    Violation(Violation),
}

/// A damaged check zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// 0 for storage of no task.
    pub task_number: u32,
    pub subpool: Name8,
    pub address: usize,
    pub length: usize,
    pub leading: [u8; 8],
    pub trailing: [u8; 8],
    pub expected: [u8; 8],
}

/// A request for storage.
#[derive(Clone, Copy, Debug)]
pub struct Getmain {
    pub length: usize,
    pub line: Line,
    pub key: Key,
    /// INITIMG
    pub initial: Option<u8>,
}

impl Getmain {
    /// 31-bit user-key storage, the usual case.
    pub const fn user(length: usize) -> Getmain {
        Getmain { length, line: Line::Below2G, key: Key::User, initial: None }
    }
}

/// Figures of one DSA.
#[derive(Clone, Copy, Debug)]
pub struct DsaStatistics {
    pub dsa: Dsa,
    /// Extents held.
    pub size: usize,
    pub size_peak: usize,
    /// In runs handed out, chunks kept for reuse not counted.
    pub used: usize,
    pub used_peak: usize,
    pub cushion: usize,
    pub free: usize,
    pub largest_free: usize,
    pub extents: usize,
    pub extents_added: u64,
    pub extents_released: u64,
    pub getmains: u64,
    pub freemains: u64,
    /// Requests refused for want of storage.
    pub no_storage: u64,
    /// Requests that suspended their task.
    pub suspended_total: u64,
    pub suspended_current: u32,
    pub violations: u64,
}

/// Figures of one line (DSALIM, EDSALIM, MEMLIMIT).
#[derive(Clone, Copy, Debug)]
pub struct LineStatistics {
    pub line: Line,
    pub limit: usize,
    pub allocated: usize,
    pub allocated_peak: usize,
    pub short_on_storage: bool,
    pub times_short: u64,
    pub time_short: Duration,
    pub last_short_at: Option<SystemTime>,
}

/// Figures of one named subpool.
#[derive(Clone, Copy, Debug)]
pub struct SubpoolStatistics {
    pub name: Name8,
    pub dsa: Dsa,
    pub figures: ArenaFigures,
}

#[derive(Clone, Debug)]
pub struct StorageStatistics {
    /// STGPROT as it is in force.
    pub protection: bool,
    pub protect_reentrant: bool,
    pub dsas: Vec<DsaStatistics>,
    pub lines: Vec<LineStatistics>,
    pub subpools: Vec<SubpoolStatistics>,
}

/// One line: the extents of its DSAs against the limit.
#[derive(Debug)]
struct LineState {
    limit: AtomicUsize,
    allocated: AtomicUsize,
    allocated_peak: AtomicUsize,
    short: AtomicBool,
    shortage: Mutex<Shortage>,
    waiters: Mutex<Vec<Waker>>,
    has_waiters: AtomicBool,
}

/// Times short on storage, ticks in the ended ones, and start of the last one.
#[derive(Default, Debug)]
struct Shortage {
    times: u64,
    ticks: u64,
    since: u64,
}

#[derive(Debug)]
struct DsaState {
    pages: Mutex<Pages>,
    /// Chunks kept for reuse, with their pages resident.
    chunks: Mutex<Vec<usize>>,
    getmains: AtomicU64,
    freemains: AtomicU64,
    no_storage: AtomicU64,
    suspended_total: AtomicU64,
    suspended_current: AtomicU64,
    violations: AtomicU64,
}

/// State shared by all clones and all task storage.
#[derive(Debug)]
pub(crate) struct Shared {
    lines: [LineState; 3],
    dsas: [DsaState; DSA_COUNT],
    arenas: Mutex<Vec<Box<Arena>>>,
    subpools: Mutex<Vec<Arc<SubpoolState>>>,
    protected: bool,
    protect_reentrant: bool,
}

/// Arenas kept for reuse.
const SPARE_ARENAS_MAX: usize = 4096;

impl Shared {
    fn limit_of(&self, line: Line) -> usize {
        self.lines[line as usize].limit.load(Ordering::Relaxed)
    }

    /// A chunk of the DSA, with resident pages if one was used before.
    fn take_chunk(&self, dsa: Dsa, system: bool) -> Result<usize, StorageError> {
        if let Some(chunk) = self.dsas[dsa as usize].chunks.lock().pop() {
            return Ok(chunk);
        }
        self.take_pages(dsa, dsa.chunk_bytes(), system).map(|(address, _)| address)
    }

    fn give_back_chunks(&self, dsa: Dsa, chunks: &mut Vec<usize>) {
        if chunks.is_empty() {
            return;
        }
        self.dsas[dsa as usize].chunks.lock().append(chunks);
        self.storage_freed(dsa.line());
    }

    /// A run of pages of at least the length; returns its address and its length.
    fn take_pages(&self, dsa: Dsa, length: usize, system: bool) -> Result<(usize, usize), StorageError> {
        if let Some(run) = self.try_take_pages(dsa, length, system) {
            return Ok(run);
        }
        // What other DSAs of the line and the reuse lists keep without need may be enough.
        self.trim(dsa.line());
        if let Some(run) = self.try_take_pages(dsa, length, system) {
            return Ok(run);
        }
        self.dsas[dsa as usize].no_storage.fetch_add(1, Ordering::Relaxed);
        self.lines[dsa.line() as usize].begin_shortage();
        Err(StorageError::NoStorage(dsa))
    }

    fn try_take_pages(&self, dsa: Dsa, length: usize, system: bool) -> Option<(usize, usize)> {
        let line = &self.lines[dsa.line() as usize];
        let mut pages = self.dsas[dsa as usize].pages.lock();
        let rounded = pages.round(length);
        let needed = match pages.take(rounded) {
            Ok(address) => return Some((address, rounded)),
            Err(NoPages::NeedsExtents(needed)) => needed,
        };
        let kept = if system { 0 } else { dsa.cushion_bytes() };
        if !line.reserve(needed, kept) {
            return None;
        }
        if !pages.add_extents(needed) {
            line.allocated.fetch_sub(needed, Ordering::SeqCst);
            return None;
        }
        pages.take(rounded).ok().map(|address| (address, rounded))
    }

    fn give_back_pages(&self, dsa: Dsa, address: usize, length: usize) {
        self.dsas[dsa as usize].pages.lock().give_back(address, length);
        self.storage_freed(dsa.line());
    }

    /// Returns what the line holds and does not use to the address space.
    fn trim(&self, line: Line) {
        for dsa in Dsa::ALL.into_iter().filter(|dsa| dsa.line() == line) {
            let state = &self.dsas[dsa as usize];
            let chunks = std::mem::take(&mut *state.chunks.lock());
            let mut pages = state.pages.lock();
            chunks.into_iter().for_each(|chunk| pages.give_back(chunk, dsa.chunk_bytes()));
            let released = pages.release_empty();
            self.lines[line as usize].allocated.fetch_sub(released, Ordering::SeqCst);
        }
    }

    #[inline]
    fn storage_freed(&self, line: Line) {
        let line = &self.lines[line as usize];
        if line.has_waiters.load(Ordering::SeqCst) || line.short.load(Ordering::Relaxed) {
            line.end_shortage();
        }
    }

    fn add_waiter(&self, line: Line, waker: Waker) {
        let line = &self.lines[line as usize];
        let mut waiters = line.waiters.lock();
        waiters.retain(Waker::is_live);
        waiters.push(waker);
        line.has_waiters.store(true, Ordering::SeqCst);
    }

    fn count_violation(&self, dsa: Dsa) {
        self.dsas[dsa as usize].violations.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds the figures of an arena that closes.
    fn count_closed(&self, dsa: Dsa, figures: &ArenaFigures) {
        let state = &self.dsas[dsa as usize];
        state.getmains.fetch_add(figures.getmains, Ordering::Relaxed);
        state.freemains.fetch_add(figures.freemains, Ordering::Relaxed);
    }

    fn take_arena(&self) -> Box<Arena> {
        let spare = self.arenas.lock().pop();
        spare.unwrap_or_else(|| Box::new(Arena::new()))
    }

    fn return_arena(&self, arena: Box<Arena>) {
        let mut arenas = self.arenas.lock();
        if arenas.len() < SPARE_ARENAS_MAX {
            arenas.push(arena);
        }
    }

    fn dsa_statistics(&self, dsa: Dsa) -> DsaStatistics {
        let state = &self.dsas[dsa as usize];
        let spare = state.chunks.lock().len() * dsa.chunk_bytes();
        let (mut getmains, mut freemains) =
            (state.getmains.load(Ordering::Relaxed), state.freemains.load(Ordering::Relaxed));
        for subpool in self.subpools.lock().iter().filter(|subpool| subpool.dsa == dsa) {
            let figures = subpool.arena.lock().figures;
            getmains += figures.getmains;
            freemains += figures.freemains;
        }
        let pages = state.pages.lock();
        let used = pages.used_bytes - spare.min(pages.used_bytes);
        DsaStatistics {
            dsa,
            size: pages.size_bytes,
            size_peak: pages.size_peak_bytes,
            used,
            used_peak: pages.used_peak_bytes,
            cushion: dsa.cushion_bytes(),
            free: pages.size_bytes - used,
            largest_free: pages.largest_free(),
            extents: pages.extent_count(),
            extents_added: pages.extents_added,
            extents_released: pages.extents_released,
            getmains,
            freemains,
            no_storage: state.no_storage.load(Ordering::Relaxed),
            suspended_total: state.suspended_total.load(Ordering::Relaxed),
            suspended_current: state.suspended_current.load(Ordering::Relaxed) as u32,
            violations: state.violations.load(Ordering::Relaxed),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.dsas.iter_mut().for_each(|state| state.pages.get_mut().clear());
    }
}

impl LineState {
    fn new(limit: u64) -> LineState {
        LineState {
            limit: AtomicUsize::new(limit as usize),
            allocated: AtomicUsize::new(0),
            allocated_peak: AtomicUsize::new(0),
            short: AtomicBool::new(false),
            shortage: Mutex::default(),
            waiters: Mutex::default(),
            has_waiters: AtomicBool::new(false),
        }
    }

    /// Counts new extents against the limit, leaving `kept` bytes of it.
    fn reserve(&self, needed: usize, kept: usize) -> bool {
        let limit = self.limit.load(Ordering::SeqCst);
        let fits = |allocated: usize| {
            let after = allocated.checked_add(needed)?;
            (after.checked_add(kept)? <= limit).then_some(after)
        };
        match self.allocated.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits) {
            Ok(before) => {
                self.allocated_peak.fetch_max(before + needed, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }

    #[cold]
    fn begin_shortage(&self) {
        if !self.short.swap(true, Ordering::SeqCst) {
            let mut shortage = self.shortage.lock();
            shortage.times += 1;
            shortage.since = crate::clock::ticks();
        }
    }

    #[cold]
    fn end_shortage(&self) {
        if self.short.swap(false, Ordering::SeqCst) {
            let mut shortage = self.shortage.lock();
            shortage.ticks += crate::clock::ticks().saturating_sub(shortage.since);
        }
        let waiters = {
            let mut waiters = self.waiters.lock();
            self.has_waiters.store(false, Ordering::SeqCst);
            std::mem::take(&mut *waiters)
        };
        for waker in waiters {
            waker.resume();
        }
    }

    fn statistics(&self, line: Line) -> LineStatistics {
        let shortage = self.shortage.lock();
        let short = self.short.load(Ordering::SeqCst);
        let present = if short { crate::clock::ticks().saturating_sub(shortage.since) } else { 0 };
        LineStatistics {
            line,
            limit: self.limit.load(Ordering::Relaxed),
            allocated: self.allocated.load(Ordering::Relaxed),
            allocated_peak: self.allocated_peak.load(Ordering::Relaxed),
            short_on_storage: short,
            times_short: shortage.times,
            time_short: crate::clock::ticks_to_duration(shortage.ticks + present),
            last_short_at: (shortage.times > 0).then(|| crate::clock::ticks_to_wall(shortage.since)),
        }
    }
}

#[derive(Debug)]
struct SubpoolState {
    name: Name8,
    dsa: Dsa,
    arena: Mutex<Arena>,
}

impl SubpoolState {
    fn new(name: Name8, dsa: Dsa) -> SubpoolState {
        let mut arena = Arena::new();
        arena.open(dsa, name, *name.as_bytes(), 0);
        SubpoolState { name, dsa, arena: Mutex::new(arena) }
    }
}

/// A named subpool of a DSA. Clones share it; its storage lives as long as the region's.
#[derive(Clone, Debug)]
pub struct Subpool {
    storage: Storage,
    state: Arc<SubpoolState>,
}

impl Subpool {
    /// An element; its address is on a 16-byte boundary. May use the cushion.
    pub fn getmain(&self, length: usize) -> Result<usize, StorageError> {
        self.state.arena.lock().getmain(&self.storage.0, length, true)
    }

    pub fn freemain(&self, address: usize) -> Result<usize, StorageError> {
        self.state.arena.lock().freemain(&self.storage.0, address)
    }

    /// Start and length of the element the address lies in.
    pub fn find(&self, address: usize) -> Option<(usize, usize)> {
        self.state.arena.lock().find(address)
    }

    pub fn statistics(&self) -> SubpoolStatistics {
        let figures = self.state.arena.lock().figures;
        SubpoolStatistics { name: self.state.name, dsa: self.state.dsa, figures }
    }
}

/// Storage of one region. Clones share it.
#[derive(Clone, Debug)]
pub struct Storage(Arc<Shared>);

/// Name of the subpool of shared storage, by line and key.
const SHARED_SUBPOOLS: [(&str, Line, Key); 6] = [
    ("SMSHRC24", Line::Below16M, Key::Cics),
    ("SMSHRU24", Line::Below16M, Key::User),
    ("SMSHRC31", Line::Below2G, Key::Cics),
    ("SMSHRU31", Line::Below2G, Key::User),
    ("SMSHRC64", Line::Above, Key::Cics),
    ("SMSHRU64", Line::Above, Key::User),
];

impl Storage {
    /// Reserves the address space (once a process) and opens empty DSAs. With `protection`, must come before the dispatcher,
    /// so that stacks get the user key.
    pub fn start(config: StorageConfig) -> io::Result<Storage> {
        space::address_space()?;
        let protected = config.protection
            && match crate::keys::activate() {
                Ok(()) => true,
                Err(error) => {
                    tracing::info!(%error, "no storage protection keys: running with STGPROT=NO");
                    false
                }
            };
        let below_2g_max = (0x8000_0000u64 - 0x0100_0000).min(config.edsa_limit);
        let shared = Shared {
            lines: [
                LineState::new(config.dsa_limit.min(0x0100_0000)),
                LineState::new(below_2g_max),
                LineState::new(config.memory_limit),
            ],
            dsas: Dsa::ALL.map(|dsa| DsaState {
                pages: Mutex::new(Pages::new(dsa)),
                chunks: Mutex::default(),
                getmains: AtomicU64::new(0),
                freemains: AtomicU64::new(0),
                no_storage: AtomicU64::new(0),
                suspended_total: AtomicU64::new(0),
                suspended_current: AtomicU64::new(0),
                violations: AtomicU64::new(0),
            }),
            arenas: Mutex::default(),
            subpools: Mutex::default(),
            protected,
            protect_reentrant: config.protect_reentrant,
        };
        let storage = Storage(Arc::new(shared));
        for (name, line, key) in SHARED_SUBPOOLS {
            storage.subpool(Name8::new(name), Dsa::shared(line, key));
        }
        Ok(storage)
    }

    /// STGPROT in force: keys are enforced by the processor.
    pub fn is_protected(&self) -> bool {
        self.0.protected
    }

    /// DSALIM, EDSALIM or MEMLIMIT.
    pub fn set_limit(&self, line: Line, limit: u64) {
        self.0.lines[line as usize].limit.store(limit as usize, Ordering::SeqCst);
        self.0.storage_freed(line);
    }

    /// Storage of one task; freed in bulk by [`TaskStorage::end`] or when dropped.
    pub fn task(&self, task_number: u32) -> TaskStorage {
        TaskStorage::new(self.clone(), task_number)
    }

    /// The named subpool, made at the first call.
    pub fn subpool(&self, name: Name8, dsa: Dsa) -> Subpool {
        let mut subpools = self.0.subpools.lock();
        let known = subpools.iter().find(|subpool| subpool.name == name && subpool.dsa == dsa).cloned();
        let state = known.unwrap_or_else(|| {
            let state = Arc::new(SubpoolState::new(name, dsa));
            subpools.push(state.clone());
            state
        });
        Subpool { storage: self.clone(), state }
    }

    fn shared_subpool(&self, line: Line, key: Key) -> Arc<SubpoolState> {
        // Made at the start, in this order.
        self.0.subpools.lock()[line as usize * 2 + key as usize].clone()
    }

    /// GETMAIN SHARED: lives until it is freed.
    pub fn getmain_shared(&self, request: Getmain) -> Result<usize, StorageError> {
        let subpool = self.shared_subpool(request.line, request.key);
        let address = subpool.arena.lock().getmain(&self.0, request.length, false)?;
        if let Some(byte) = request.initial {
            space::fill(address, request.length, byte);
        }
        Ok(address)
    }

    /// FREEMAIN of shared storage by any task: returns the length.
    pub fn freemain_shared(&self, address: usize) -> Result<usize, StorageError> {
        for (_, line, key) in SHARED_SUBPOOLS {
            match self.shared_subpool(line, key).arena.lock().freemain(&self.0, address) {
                Err(StorageError::NotOwned) => (),
                done => return done,
            }
        }
        Err(StorageError::NotOwned)
    }

    /// Start and length of the element of shared storage the address lies in.
    pub fn find_shared(&self, address: usize) -> Option<(usize, usize)> {
        SHARED_SUBPOOLS.iter().find_map(|&(_, line, key)| self.shared_subpool(line, key).arena.lock().find(address))
    }

    /// Own task: suspends until storage of the DSA's line has been freed; the caller then tries again. Storage freed before the call
    /// is noticed after at most 100 ms; [`TaskStorage::getmain_wait`] has no such gap.
    pub fn wait_for_storage(&self, task: &Task, dsa: Dsa) -> Resumed {
        self.0.add_waiter(dsa.line(), task.waker());
        self.suspend_with(task, dsa, Some(Duration::from_millis(100)))
    }

    /// Suspends a task whose waker is registered.
    fn suspend_for(&self, task: &Task, dsa: Dsa) -> Resumed {
        self.suspend_with(task, dsa, None)
    }

    fn suspend_with(&self, task: &Task, dsa: Dsa, timeout: Option<Duration>) -> Resumed {
        let state = &self.0.dsas[dsa as usize];
        state.suspended_total.fetch_add(1, Ordering::Relaxed);
        state.suspended_current.fetch_add(1, Ordering::Relaxed);
        let wait = Wait { timeout, ..Wait::new(dsa.name()).named(Name16::new("SMSYSTEM")) };
        let resumed = task.suspend(&wait);
        state.suspended_current.fetch_sub(1, Ordering::Relaxed);
        resumed
    }

    /// Maps code of a load module into the ERDSA, read-only and executable, and registers it for traps. `offset` is a multiple of the
    /// page size; the file covers the length.
    pub fn map_code(&self, file: BorrowedFd<'_>, offset: u64, length: usize, id: u64) -> io::Result<CodeMapping> {
        let pages = self.map_pages(file, offset, length, true)?;
        // The module's compiler keeps the rules of guarded calls; the range is dropped before its pages.
        let range = unsafe { register_code(pages.address, length, id) };
        Ok(CodeMapping { range, _pages: pages })
    }

    /// Maps constants of a load module into the ERDSA, read-only.
    pub fn map_constants(&self, file: BorrowedFd<'_>, offset: u64, length: usize) -> io::Result<PageMapping> {
        self.map_pages(file, offset, length, false)
    }

    fn map_pages(&self, file: BorrowedFd<'_>, offset: u64, length: usize, executable: bool) -> io::Result<PageMapping> {
        if length == 0 || !offset.is_multiple_of(space::PAGE_BYTES as u64) {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let taken = self.0.take_pages(Dsa::Erdsa, length, true);
        let (address, bytes) = taken.map_err(|_| io::Error::new(io::ErrorKind::OutOfMemory, "ERDSA is at its limit"))?;
        let mapping = PageMapping { storage: self.clone(), address, length, bytes };
        space::map_file(address, length.next_multiple_of(space::PAGE_BYTES), file.as_raw_fd(), offset, executable)?;
        Ok(mapping)
    }

    /// Makes whole pages of a read-only DSA's storage read-only, if RENTPGM=PROTECT.
    pub fn seal(&self, address: usize, length: usize) -> io::Result<()> {
        if self.0.protect_reentrant { space::protect_pages(address, length) } else { Ok(()) }
    }

    /// Returns storage that is kept for reuse to the system.
    pub fn trim(&self) {
        [Line::Below16M, Line::Below2G, Line::Above].into_iter().for_each(|line| self.0.trim(line));
    }

    /// True while the line is short on storage (SOS).
    pub fn is_short(&self, line: Line) -> bool {
        self.0.lines[line as usize].short.load(Ordering::Relaxed)
    }

    pub fn statistics(&self) -> StorageStatistics {
        let lines = [Line::Below16M, Line::Below2G, Line::Above];
        let subpools = self.0.subpools.lock().clone();
        StorageStatistics {
            protection: self.0.protected,
            protect_reentrant: self.0.protect_reentrant,
            dsas: Dsa::ALL.into_iter().map(|dsa| self.0.dsa_statistics(dsa)).collect(),
            lines: lines.into_iter().map(|line| self.0.lines[line as usize].statistics(line)).collect(),
            subpools: subpools
                .iter()
                .map(|subpool| SubpoolStatistics {
                    name: subpool.name,
                    dsa: subpool.dsa,
                    figures: subpool.arena.lock().figures,
                })
                .collect(),
        }
    }
}

/// File pages mapped into the ERDSA; unmapped on drop.
#[derive(Debug)]
pub struct PageMapping {
    storage: Storage,
    pub address: usize,
    pub length: usize,
    bytes: usize,
}

impl Drop for PageMapping {
    fn drop(&mut self) {
        space::unmap_file(self.address, self.bytes);
        self.storage.0.give_back_pages(Dsa::Erdsa, self.address, self.bytes);
    }
}

/// Mapped and registered code; unregistered and unmapped on drop, when nothing runs in it any more.
#[derive(Debug)]
pub struct CodeMapping {
    pub range: CodeRange,
    _pages: PageMapping,
}

#[cfg(test)]
mod tests;
