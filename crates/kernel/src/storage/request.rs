//! The requests to the storage manager, and the reasons for a refusal.

#[cfg(doc)]
use super::Storage;
use super::dsa::Dsa;
use crate::addresses::{Key, Line};
use crate::name::Name8;

#[derive(Clone, Debug)]
pub struct StorageConfig {
    /// DSALIM
    pub dsa_limit: u64,
    /// EDSALIM
    pub edsa_limit: u64,
    /// MEMLIMIT
    pub memory_limit: u64,
    /// STGPROT. If the machine has no keys, [`Storage::is_protected`] is false and programs run in CICS key.
    pub protection: bool,
    /// TRANISO. Without keys, and without storage protection, [`Storage::is_isolated`] is false.
    pub isolation: bool,
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
            isolation: false,
            protect_reentrant: true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageError {
    /// The DSA is at its limit: NOSTG, or wait ([`Storage::wait_for_storage`]).
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
