//! The storage of pending requests: an interval control element for each, and its data.
//!
//! The requests themselves are in the memory of the process. Their storage is accounted in the ECDSA, so that EDSALIM bounds them as in
//! CICS, and too many of them make the region short on storage. It is obtained in blocks whose contents are unused. What they take of the
//! memory of the process is in the account of the region.
//!
//! Invariants: the blocks are at least as large as the existing elements, with at most one spare block; an element returns its storage when
//! it is dropped, which is when its task has taken the data or has ended.

use super::IntervalControl;
use crate::{Raised, Region, Task};
use kernel::storage::{Dsa, Line, Storage, StorageError, Subpool};
use parking_lot::Mutex;
use std::sync::Arc;
use vsam::store::Charge;

/// The storage of a request without its data: the element, and the task waiting to be attached for it.
const ELEMENT_BYTES: usize = 2048;
const BLOCK_BYTES: usize = 64 * 1024;
/// The subpool of the blocks: "Storage for ICEs above the line" (CICS subpools in the ECDSA).
const SUBPOOL: &str = "APICE31";

fn subpool(storage: &Storage) -> Subpool {
    storage.subpool(SUBPOOL.into(), Dsa::Ecdsa)
}

/// The blocks of a region.
#[derive(Default)]
pub struct Elements(Mutex<Blocks>);

#[derive(Default)]
struct Blocks {
    used_bytes: usize,
    addresses: Vec<usize>,
}

impl Blocks {
    fn take(&mut self, storage: &Storage, length: usize) -> Result<(), StorageError> {
        while self.used_bytes + length > self.addresses.len() * BLOCK_BYTES {
            self.addresses.push(subpool(storage).getmain_for_program(BLOCK_BYTES)?);
        }
        self.used_bytes += length;
        Ok(())
    }

    fn give_back(&mut self, storage: &Storage, length: usize) {
        debug_assert!(self.used_bytes >= length, "an element is given back once");
        self.used_bytes -= length;
        while self.used_bytes + 2 * BLOCK_BYTES <= self.addresses.len() * BLOCK_BYTES {
            let Some(address) = self.addresses.pop() else { return };
            let freed = subpool(storage).freemain(address);
            debug_assert!(freed.is_ok(), "a block is of the subpool");
        }
    }
}

/// The storage of one request.
pub struct Element {
    region: &'static Region,
    length: usize,
    /// The request itself, in the memory of the process.
    _charge: Charge,
}

impl std::fmt::Debug for Element {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Element({} bytes)", self.length)
    }
}

impl Drop for Element {
    fn drop(&mut self) {
        IntervalControl::of(self.region).elements.0.lock().give_back(&self.region.storage, self.length);
        // The blocks may stay, with room in them.
        self.region.storage.room_was_made(Line::Below2G);
    }
}

/// Storage for a request with data of this length. Without memory for it the task abends. Without storage the task waits, as for any that
/// the region needs for it; a purge ends the wait.
pub(super) fn obtain(task: &Task, data_length: usize) -> Result<Arc<Element>, Raised> {
    let region = task.region;
    let length = ELEMENT_BYTES + data_length;
    let charge = task.reserve(length)?;
    // The lock is released before a wait: others must be able to return their blocks.
    task.obtain(false, || IntervalControl::of(region).elements.0.lock().take(&region.storage, length))?;
    Ok(Arc::new(Element { region, length, _charge: charge }))
}
