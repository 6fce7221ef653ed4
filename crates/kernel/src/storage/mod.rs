//! Storage manager: DSAs at their addresses, subpools, task storage, shared storage.
use crate::guard::CodeRange;
use crate::name::Name8;
use crate::wait::{Resumed};
use crate::task::Task;
use std::os::fd::BorrowedFd;

/// The dynamic storage areas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Dsa { Cdsa, Udsa, Sdsa, Rdsa, Ecdsa, Eudsa, Esdsa, Erdsa, Gcdsa, Gudsa, Gsdsa }

/// Where storage must lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Line { Below16M, Below2G, Above }

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Key { Cics, User }

#[derive(Clone, Debug)]
pub struct StorageConfig {
    /// DSALIM
    pub dsa_limit: u64,
    /// EDSALIM
    pub edsa_limit: u64,
    /// MEMLIMIT
    pub memory_limit: u64,
    /// STGPROT
    pub protection: bool,
    /// RENTPGM=PROTECT
    pub protect_reentrant: bool,
}
impl Default for StorageConfig { fn default() -> Self { unimplemented!() } }

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageError {
    /// The DSA is at its limit (NOSTG, or wait with [`Storage::wait_for_storage`]).
    NoStorage(Dsa),
    /// More than could ever be had, or zero.
    Length,
    /// Not the address of an element of this task or pool.
    NotOwned,
    /// A check zone was overwritten; the element is kept out of use.
    Violation(Violation),
}

/// A damaged check zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    pub task_number: u32,
    pub subpool: Name8,
    pub address: usize,
    pub length: usize,
    pub leading: [u8; 8],
    pub trailing: [u8; 8],
    pub expected: [u8; 8],
}

#[derive(Clone, Copy, Debug)]
pub struct Getmain {
    pub length: usize,
    pub line: Line,
    pub key: Key,
    /// INITIMG
    pub initial: Option<u8>,
}

/// Storage of one region. Clones share it.
#[derive(Clone, Debug)]
pub struct Storage {}
impl Storage {
    pub fn start(_config: StorageConfig) -> std::io::Result<Storage> { unimplemented!() }
    /// True if keys are enforced by the processor.
    pub fn is_protected(&self) -> bool { unimplemented!() }
    /// Storage of one task; freed in bulk by `end` (or drop).
    pub fn task(&self, _task_number: u32) -> TaskStorage { unimplemented!() }
    /// GETMAIN SHARED.
    pub fn getmain_shared(&self, _request: Getmain) -> Result<usize, StorageError> { unimplemented!() }
    pub fn freemain_shared(&self, _address: usize) -> Result<usize, StorageError> { unimplemented!() }
    /// Suspends the task until storage of the DSA has been freed.
    pub fn wait_for_storage(&self, _task: &Task, _dsa: Dsa) -> Resumed { unimplemented!() }
    /// Maps code of a load module read-only and executable below 2 GB and registers it for traps.
    pub fn map_code(&self, _file: BorrowedFd<'_>, _offset: u64, _length: usize, _id: u64) -> std::io::Result<CodeMapping> { unimplemented!() }
    pub fn subpool(&self, _name: Name8, _dsa: Dsa) -> Subpool { unimplemented!() }
}
/// Mapped code; unmapped on drop.
pub struct CodeMapping { pub range: CodeRange }

/// A named subpool of a DSA.
#[derive(Clone, Debug)]
pub struct Subpool {}
impl Subpool {
    pub fn getmain(&self, _length: usize) -> Result<usize, StorageError> { unimplemented!() }
    pub fn freemain(&self, _address: usize) -> Result<usize, StorageError> { unimplemented!() }
}

/// Storage of one task. Not shared between threads: it belongs to the code of the task.
#[derive(Debug)]
pub struct TaskStorage {}
impl TaskStorage {
    /// GETMAIN of task lifetime.
    pub fn getmain(&mut self, _request: Getmain) -> Result<usize, StorageError> { unimplemented!() }
    /// FREEMAIN: returns the length.
    pub fn freemain(&mut self, _address: usize) -> Result<usize, StorageError> { unimplemented!() }
    /// Length of the element at the address.
    pub fn length(&self, _address: usize) -> Option<usize> { unimplemented!() }
    /// Frees everything; returns the damaged check zones found.
    pub fn end(&mut self) -> Vec<Violation> { unimplemented!() }
}

/// True if the address lies in the 64-bit DSAs. Safe in a signal handler.
pub(crate) fn is_above_address(_address: usize) -> bool { false }
