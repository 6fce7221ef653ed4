//! Storage manager: DSAs at their addresses, subpools, task storage, shared storage, program storage.
//!
//! CDSA UDSA SDSA RDSA lie below 16 MB, ECDSA EUDSA ESDSA ERDSA below 2 GB, GCDSA GUDSA GSDSA above. Storage is obtained in three steps: a
//! DSA takes extents of address space on demand, within the limit of its line (DSALIM, EDSALIM, MEMLIMIT); runs of pages of a DSA become
//! chunks; arenas cut chunks into elements between check zones. Invariants: the extents of a line never exceed its limit; a user request is
//! refused rather than served from the last bytes of the line (the cushion), which are kept for the region; every refusal declares the line
//! short on storage, and storage freed resumes the tasks that wait for it.
//!
//! `unsafe` in `program` registers program code: the ranges are owned pages that hold code of a load module, whose compiler keeps the rules
//! of guarded calls, and are unregistered before their pages change (field order and `Drop`; assertions check that ranges do not overlap).
//! `tests.rs` covers it.

mod areas;
mod arena;
mod dsa;
mod figures;
mod free_lists;
mod manager;
mod pages;
mod program;
mod request;
mod stored;
mod subspaces;
mod task;
mod user_memory;
mod waits;

use crate::addresses;
use crate::inquire::Peaks;
use crate::name::Name8;
use manager::{Manager, SubpoolState};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use crate::addresses::{Key, Line, key_at};
pub use dsa::{DSA_COUNT, Dsa, Units};
pub use figures::{
    ArenaFigures, DsaStatistics, Extent, LineStatistics, StorageStatistics, SubpoolStatistics, SubspaceUsers, TaskSubpoolStatistics,
};
pub use program::{ProgramLayout, ProgramStorage};
pub use request::{Getmain, StorageConfig, StorageError, Violation};
pub use stored::StoredData;
pub use task::{TASK_DSAS, TaskElement, TaskElements, TaskStorage, TaskStorageFigures};
pub use user_memory::UserMemory;
pub use waits::{NotObtained, StorageWait};

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

    /// As [`Self::getmain`], on behalf of a program: the cushion is not used.
    pub fn getmain_for_program(&self, length: usize) -> Result<usize, StorageError> {
        self.state.arena.lock().getmain(&self.storage.0, length, false)
    }

    pub fn freemain(&self, address: usize) -> Result<usize, StorageError> {
        let freed = self.state.arena.lock().freemain(&self.storage.0, address);
        // An element within a chunk leaves room to others of the subpool.
        self.storage.0.wake_waiters(self.state.dsa.line());
        freed
    }

    /// Start and length of the element that contains the address.
    pub fn find(&self, address: usize) -> Option<(usize, usize)> {
        self.state.arena.lock().find(address)
    }

    pub fn statistics(&self) -> SubpoolStatistics {
        self.state.statistics(Peaks::Keep)
    }
}

/// Storage of one region. Clones share it.
#[derive(Clone, Debug)]
pub struct Storage(Arc<Manager>);

/// Most named subpools.
const SUBPOOLS_MAX: usize = 4096;

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
    /// Reserves the address space (once per process) and opens empty DSAs. With `protection` it must be called before the dispatcher
    /// starts, so that stacks get the user key.
    pub fn start(config: StorageConfig) -> io::Result<Storage> {
        crate::traps::prepare_thread();
        addresses::address_space()?;
        let protected = config.protection
            && match crate::keys::probe() {
                Ok(()) => true,
                Err(error) => {
                    tracing::info!(%error, "no storage protection keys: running with STGPROT=NO");
                    false
                }
            };
        let isolated = config.isolation && protected && crate::keys::isolation::is_available();
        let storage = Storage(Arc::new(Manager::new(&config, protected, isolated)));
        for (name, line, key) in SHARED_SUBPOOLS {
            storage.subpool(Name8::new(name), Dsa::shared(line, key));
        }
        Ok(storage)
    }

    /// STGPROT in force: keys are enforced by the processor.
    pub fn is_protected(&self) -> bool {
        self.0.protected
    }

    /// TRANISO in force: tasks are isolated by the processor.
    pub fn is_isolated(&self) -> bool {
        self.0.isolated
    }

    /// The DSA an address lies in.
    pub fn dsa_at(&self, address: usize) -> Option<Dsa> {
        Dsa::ALL.into_iter().find(|&dsa| self.0.dsas[dsa as usize].pages.lock().contains(address))
    }

    /// The storage of a DSA that is in use, for dumps: addresses and lengths, in order of address.
    pub fn runs(&self, dsa: Dsa) -> Vec<(usize, usize)> {
        self.0.dsas[dsa as usize].pages.lock().runs()
    }

    /// DSALIM, EDSALIM or MEMLIMIT. Extents above a lower limit are returned as far as they are free, and the others when they are.
    pub fn set_limit(&self, line: Line, limit: u64) {
        self.0.lines[line as usize].limit.store(limit as usize, Ordering::SeqCst);
        self.0.trim(line);
        self.0.storage_freed(line);
    }

    /// DSALIM, EDSALIM or MEMLIMIT, the value in force.
    pub fn limit(&self, line: Line) -> u64 {
        self.0.limit_of(line) as u64
    }

    /// Storage of one task; freed in bulk by [`TaskStorage::end`] or when dropped.
    pub fn task(&self, task_number: u32) -> TaskStorage {
        TaskStorage::new(self.clone(), task_number)
    }

    /// The named subpool, created at the first call.
    pub fn subpool(&self, name: Name8, dsa: Dsa) -> Subpool {
        let mut subpools = self.0.subpools.lock();
        let known = subpools.iter().find(|subpool| subpool.name == name && subpool.dsa == dsa).cloned();
        let state = known.unwrap_or_else(|| {
            assert!(subpools.len() < SUBPOOLS_MAX, "the region makes its subpools, a bounded number");
            let state = Arc::new(SubpoolState::new(name, dsa, self.0.dsas[dsa as usize].units));
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
            addresses::fill(address, request.length, byte);
        }
        Ok(address)
    }

    /// GETMAIN SHARED by a program: any program may free it.
    pub fn getmain_shared_of_program(&self, request: Getmain) -> Result<usize, StorageError> {
        let address = self.getmain_shared(request)?;
        self.shared_subpool(request.line, request.key).arena.lock().hand_out(address);
        Ok(address)
    }

    /// FREEMAIN of the region's own shared storage: returns the length.
    pub fn freemain_shared(&self, address: usize) -> Result<usize, StorageError> {
        self.free_shared(|arena| arena.freemain(&self.0, address))
    }

    /// FREEMAIN by a program of any task, of shared storage that a program obtained: returns the length.
    pub fn freemain_shared_of_program(&self, address: usize) -> Result<usize, StorageError> {
        self.free_shared(|arena| arena.freemain_of_program(&self.0, address))
    }

    fn free_shared(&self, free: impl Fn(&mut arena::Arena) -> Result<usize, StorageError>) -> Result<usize, StorageError> {
        for (_, line, key) in SHARED_SUBPOOLS {
            match free(&mut self.shared_subpool(line, key).arena.lock()) {
                Err(StorageError::NotOwned) => (),
                done => {
                    self.0.wake_waiters(line);
                    return done;
                }
            }
        }
        Err(StorageError::NotOwned)
    }

    /// Puts data of a re-entrant load module into the ERDSA; with RENTPGM=PROTECT nobody can write it, else CICS key can.
    pub fn map_data(&self, data: &[u8]) -> io::Result<PageMapping> {
        let length = data.len().max(1);
        let taken = self.0.take_pages(Dsa::Erdsa, length, true);
        let (address, bytes) = taken.map_err(|_| io::Error::new(io::ErrorKind::OutOfMemory, "ERDSA is at its limit"))?;
        let mapping = PageMapping { storage: self.clone(), address, length, bytes };
        addresses::write(address, data);
        if self.0.protect_reentrant {
            addresses::protect_pages(address, bytes)?;
        }
        Ok(mapping)
    }

    /// Returns storage kept for reuse to the system.
    pub fn trim(&self) {
        [Line::Below16M, Line::Below2G, Line::Above].into_iter().for_each(|line| self.0.trim(line));
    }

    /// Whether tasks wait for storage of the line.
    pub fn has_waiting_tasks(&self, line: Line) -> bool {
        !self.0.lines[line as usize].waiting.lock().is_empty()
    }

    /// True while the line is short on storage (SOS).
    pub fn is_short(&self, line: Line) -> bool {
        self.0.lines[line as usize].short.load(Ordering::Relaxed)
    }

    /// Bytes of the extents of each DSA.
    pub fn sizes(&self) -> [usize; DSA_COUNT] {
        Dsa::ALL.map(|dsa| self.0.dsas[dsa as usize].pages.lock().size_bytes)
    }

    /// The extents of all DSAs.
    pub fn extents(&self) -> Vec<Extent> {
        let of = |dsa: Dsa| {
            let extents = self.0.dsas[dsa as usize].pages.lock().extents();
            extents.into_iter().map(move |(address, length, used)| Extent { dsa, address, length, used })
        };
        Dsa::ALL.into_iter().flat_map(of).collect()
    }

    /// The named subpools, in the order of their creation.
    pub fn subpools(&self) -> Vec<SubpoolStatistics> {
        self.read_subpools(Peaks::Keep)
    }

    /// Everything counted. Totals are since the start.
    pub fn statistics(&self) -> StorageStatistics {
        self.read_statistics(Peaks::Keep)
    }

    /// As `statistics`; with `Peaks::Begin` a statistics interval begins.
    pub fn read_statistics(&self, peaks: Peaks) -> StorageStatistics {
        let lines = [Line::Below16M, Line::Below2G, Line::Above];
        let subpools = self.0.subpools.lock().clone();
        StorageStatistics {
            protection: self.0.protected,
            protect_reentrant: self.0.protect_reentrant,
            unique_subspaces: self.0.subspaces.unique.statistics(peaks),
            common_subspace: self.0.subspaces.common.statistics(peaks),
            dsas: Dsa::ALL.into_iter().map(|dsa| self.0.dsa_statistics(dsa, peaks)).collect(),
            lines: lines.into_iter().map(|line| self.0.lines[line as usize].statistics(line, peaks)).collect(),
            subpools: subpools.iter().map(|subpool| subpool.statistics(Peaks::Keep)).collect(),
        }
    }

    /// The task subpools of each DSA; `live` is the storage of the tasks that there are. Totals are since the start.
    pub fn task_subpools<'a>(&self, live: impl Iterator<Item = &'a TaskElements>, peaks: Peaks) -> Vec<TaskSubpoolStatistics> {
        let mut all = TASK_DSAS.map(|dsa| {
            let (page_bytes, page_peak_bytes) = self.0.dsas[dsa as usize].task_pages(peaks);
            let (getmains, freemains) = self.0.closed(dsa);
            TaskSubpoolStatistics { dsa, getmains, freemains, elements: 0, bytes: 0, page_bytes, page_peak_bytes }
        });
        for elements in live {
            elements.add_to(&mut all);
        }
        all.to_vec()
    }

    /// The named subpools, in the order of their creation. Those of a name in several DSAs are apart.
    pub fn read_subpools(&self, peaks: Peaks) -> Vec<SubpoolStatistics> {
        let subpools = self.0.subpools.lock().clone();
        subpools.iter().map(|subpool| subpool.statistics(peaks)).collect()
    }
}

/// Pages of a load module in the ERDSA; plain storage of the DSA again on drop.
#[derive(Debug)]
pub struct PageMapping {
    storage: Storage,
    pub address: usize,
    pub length: usize,
    bytes: usize,
}

impl Drop for PageMapping {
    fn drop(&mut self) {
        addresses::unmap_file(self.address, self.bytes);
        self.storage.0.give_back_pages(Dsa::Erdsa, self.address, self.bytes);
    }
}

#[cfg(test)]
mod tests;
