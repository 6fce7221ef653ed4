//! The internal trace table: blocks that wrap around. Each thread fills a block of its own.
//!
//! A thread takes the next block when its own is full, or when another thread has taken it (the table has wrapped while the thread was idle).
//! Invariants: an entry lies in one block; a block is changed only under its lock, for the time of one copy, and nobody but its thread and those
//! that read the table take that lock, so it is hardly ever waited for; `used` never exceeds the block; what is at `exported..used` has not
//! been handed to the other destinations, and is handed over before the block is used anew.

use super::entry::{Head, Value, length_of, task_of, time_of, write_entry};
use crate::lock_order::{Ordered, rank};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The block of CICS's own table.
pub(crate) const BLOCK_BYTES: usize = 4096;
/// Least blocks of a table (TRTABSZ=16).
const BLOCKS_MIN: usize = 4;

#[derive(Default)]
struct Block {
    /// The turn in which the block was taken, from 1; 0: never.
    epoch: u64,
    used: usize,
    exported: usize,
    /// Empty until the block is first taken.
    bytes: Vec<u8>,
}

impl Block {
    fn unexported(&mut self) -> Option<Vec<u8>> {
        let rest = (self.exported < self.used).then(|| self.bytes[self.exported..self.used].to_vec());
        self.exported = self.used;
        rest
    }
}

#[derive(Default)]
struct Slot {
    block: Ordered<Block, { rank::TRACE }>,
    /// Something in it may not have been handed on.
    is_dirty: AtomicBool,
}

/// A table, for as long as its size is not changed.
pub(crate) struct Table {
    slots: Box<[Slot]>,
    next: AtomicU64,
}

impl Table {
    /// A table of this size, of whole blocks.
    pub fn new(bytes: usize) -> Table {
        let blocks = (bytes / BLOCK_BYTES).max(BLOCKS_MIN);
        Table { slots: (0..blocks).map(|_| Slot::default()).collect(), next: AtomicU64::new(0) }
    }

    pub fn bytes(&self) -> usize {
        self.slots.len() * BLOCK_BYTES
    }

    /// All entries, in the order of their times.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for slot in &self.slots {
            let block = slot.block.lock();
            all.extend_from_slice(&block.bytes[..block.used]);
        }
        in_order(&all)
    }

    /// The entries of one task, in the order of their times.
    pub fn snapshot_of(&self, task: u32) -> Vec<u8> {
        let mut own = Vec::new();
        for slot in &self.slots {
            let block = slot.block.lock();
            let mut rest = &block.bytes[..block.used];
            while let Some(length) = length_of(rest) {
                if task_of(rest) == task {
                    own.extend_from_slice(&rest[..length]);
                }
                rest = &rest[length..];
            }
        }
        in_order(&own)
    }

    /// What has been written since the last call.
    pub fn export(&self, into: &mut Vec<u8>) {
        for slot in self.slots.iter().filter(|slot| slot.is_dirty.load(Ordering::Relaxed)) {
            slot.is_dirty.store(false, Ordering::Relaxed);
            if let Some(rest) = slot.block.lock().unexported() {
                into.extend_from_slice(&rest);
            }
        }
    }

    /// Nothing of what is in the table now will be handed on.
    pub fn skip_export(&self) {
        for slot in &self.slots {
            let mut block = slot.block.lock();
            block.exported = block.used;
            slot.is_dirty.store(false, Ordering::Relaxed);
        }
    }

    /// Takes the next block for a thread; what had not been handed on of its entries, if somebody wants it (`exports`).
    fn take(&self, exports: bool) -> (usize, u64, Option<Vec<u8>>) {
        let epoch = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let index = epoch as usize % self.slots.len();
        let mut block = self.slots[index].block.lock();
        let rest = if exports { block.unexported() } else { None };
        if block.bytes.is_empty() {
            block.bytes = vec![0; BLOCK_BYTES];
        }
        (block.epoch, block.used, block.exported) = (epoch, 0, 0);
        (index, epoch, rest)
    }

    /// Writes into the block of the turn; false if it is full or has been taken by another thread.
    fn append(&self, index: usize, epoch: u64, bytes: usize, head: &Head<'_>, values: &[Value<'_>]) -> bool {
        let slot = &self.slots[index];
        let mut block = slot.block.lock();
        let (start, end) = (block.used, block.used + bytes);
        if block.epoch != epoch || end > BLOCK_BYTES {
            return false;
        }
        write_entry(&mut block.bytes[start..end], head, values);
        block.used = end;
        slot.is_dirty.store(true, Ordering::Relaxed);
        true
    }
}

/// The entries sorted by time; those of one time keep their order.
pub(crate) fn in_order(entries: &[u8]) -> Vec<u8> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(length) = length_of(&entries[at..]) {
        places.push((time_of(&entries[at..]), at, length));
        at += length;
    }
    places.sort_by_key(|(time, at, _)| (*time, *at));
    let mut sorted = Vec::with_capacity(entries.len());
    places.iter().for_each(|(_, at, length)| sorted.extend_from_slice(&entries[*at..at + length]));
    sorted
}

/// The block of this thread.
struct Own {
    table: Arc<Table>,
    /// Of [`super::TABLE`], when the table was looked up.
    generation: u64,
    index: usize,
    epoch: u64,
}

thread_local! {
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

/// Writes an entry of so many bytes into the block of this thread. Returns what was in a block that is used anew and had not been handed on,
/// if somebody wants it (`exports`).
///
/// Never inlined: the address of a thread-local is not kept across a suspend.
#[inline(never)]
pub(super) fn append(
    generation: u64,
    table: impl Fn() -> Arc<Table>,
    head: &Head<'_>,
    values: &[Value<'_>],
    bytes: usize,
    exports: bool,
) -> Option<Vec<u8>> {
    assert!(bytes <= BLOCK_BYTES, "an entry fits a block");
    let appended = OWN.try_with(|own| {
        let mut own = own.borrow_mut();
        if let Some(own) = own.as_ref().filter(|own| own.generation == generation)
            && own.table.append(own.index, own.epoch, bytes, head, values)
        {
            return None;
        }
        let table = table();
        let mut replaced = Vec::new();
        loop {
            let (index, epoch, rest) = table.take(exports);
            replaced.extend_from_slice(rest.as_deref().unwrap_or_default());
            let appended = table.append(index, epoch, bytes, head, values);
            *own = Some(Own { table: table.clone(), generation, index, epoch });
            if appended {
                return (!replaced.is_empty()).then_some(replaced);
            }
        }
    });
    // A thread that is ending no longer traces.
    appended.unwrap_or(None)
}
