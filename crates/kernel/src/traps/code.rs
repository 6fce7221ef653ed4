//! The registry of program code: which addresses hold instructions of which load module.
//!
//! Invariants: signal handlers read it without a lock. A slot is free while its `start` is 0; its `version` is odd while a writer changes
//! it and never the same twice. A range is unregistered only when nothing can run in it any more (use count zero), so a handler never
//! searches for a range that is being unregistered. A slot that it passes may be reused meanwhile, even for the same start, so it trusts
//! what it has read only if the version is unchanged. Ranges do not overlap. Chunks of slots are never freed.
//!
//! `unsafe` here follows pointers to slots and chunks, which are static or leaked and made of atomics, and lets [`register_code`] demand
//! that code in a range keeps the rules of guarded calls. The tests below run also under Miri, which checks what a thread may see while
//! another one registers. Assertions check that ranges do not overlap.

use crate::lock_order::{Ordered, rank};
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

const CHUNK_SLOTS: usize = 256;

struct Slot {
    version: AtomicU64,
    start: AtomicUsize,
    end: AtomicUsize,
    id: AtomicU64,
}

struct Chunk {
    slots: [Slot; CHUNK_SLOTS],
    next: AtomicPtr<Chunk>,
}

impl Chunk {
    const fn new() -> Chunk {
        let slots = [const { Slot::free() }; CHUNK_SLOTS];
        Chunk { slots, next: AtomicPtr::new(std::ptr::null_mut()) }
    }
}

impl Slot {
    const fn free() -> Slot {
        Slot { version: AtomicU64::new(0), start: AtomicUsize::new(0), end: AtomicUsize::new(0), id: AtomicU64::new(0) }
    }

    /// Assigns the slot to a range, or frees it (`start` 0). The caller holds the writers' lock.
    fn set(&self, start: usize, end: usize, id: u64) {
        let version = self.version.load(Ordering::Relaxed);
        debug_assert!(version.is_multiple_of(2), "one writer at a time");
        self.version.store(version + 1, Ordering::Relaxed);
        // A reader that sees any of the following stores also sees that the slot is being changed.
        fence(Ordering::Release);
        self.start.store(start, Ordering::Relaxed);
        self.end.store(end, Ordering::Relaxed);
        self.id.store(id, Ordering::Relaxed);
        self.version.store(version + 2, Ordering::Release);
    }

    /// The identifier and the offset, if the instruction is in the slot's range.
    fn find(&self, pc: usize) -> Option<CodePlace> {
        let version = self.version.load(Ordering::Acquire);
        let start = self.start.load(Ordering::Relaxed);
        if start == 0 || pc < start || pc >= self.end.load(Ordering::Relaxed) {
            return None;
        }
        let id = self.id.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        // A range that changes is not the one an instruction runs in.
        let is_whole = version.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == version;
        is_whole.then(|| CodePlace { id, offset: pc - start })
    }
}

static FIRST: Chunk = Chunk::new();
static WRITERS: Ordered<(), { rank::MEMORY }> = Ordered::new(());

/// The range an instruction lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePlace {
    pub id: u64,
    pub offset: usize,
}

fn chunks() -> impl Iterator<Item = &'static Chunk> {
    std::iter::successors(Some(&FIRST), |chunk| unsafe { chunk.next.load(Ordering::Acquire).as_ref() })
}

/// Finds the range of an instruction. Safe in a signal handler.
pub fn find_code(pc: usize) -> Option<CodePlace> {
    chunks().flat_map(|chunk| &chunk.slots).find_map(|slot| slot.find(pc))
}

/// A registered range; unregistered on drop.
#[derive(Debug)]
pub struct CodeRange {
    pub start: usize,
    pub length: usize,
    pub id: u64,
    slot: SlotReference,
}

#[derive(Debug)]
struct SlotReference(*const Slot);
// Slots are static and made of atomics.
unsafe impl Send for SlotReference {}
unsafe impl Sync for SlotReference {}

impl Drop for CodeRange {
    fn drop(&mut self) {
        let _writer = WRITERS.lock();
        let slot = unsafe { &*self.slot.0 };
        debug_assert_eq!(slot.start.load(Ordering::Relaxed), self.start, "a range keeps its slot");
        slot.set(0, 0, 0);
    }
}

/// Registers executable memory as program code; `id` is the owner's.
///
/// # Safety
/// Code in the range must obey the rules of [`super::guard::guarded_call`], and must not run after the range is dropped.
pub unsafe fn register_code(start: usize, length: usize, id: u64) -> CodeRange {
    assert!(start != 0 && length != 0, "a code range has instructions");
    let end = start.checked_add(length).expect("a code range lies in the address space");
    let _writer = WRITERS.lock();
    let free = chunks().flat_map(|chunk| &chunk.slots).find(|slot| slot.start.load(Ordering::Relaxed) == 0);
    let slot = free.unwrap_or_else(|| {
        let last = chunks().last().expect("there is a first chunk");
        let chunk: &'static Chunk = Box::leak(Box::new(Chunk::new()));
        last.next.store(chunk as *const Chunk as *mut Chunk, Ordering::Release);
        &chunk.slots[0]
    });
    let overlaps = |slot: &Slot| {
        let other = slot.start.load(Ordering::Relaxed);
        other != 0 && other < end && start < slot.end.load(Ordering::Relaxed)
    };
    debug_assert!(!chunks().flat_map(|chunk| &chunk.slots).any(overlaps), "an instruction lies in one range");
    slot.set(start, end, id);
    CodeRange { start, length, id, slot: SlotReference(slot) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_exactly_the_registered_bytes() {
        let base = 0x7100_0000_0000usize;
        let range = unsafe { register_code(base, 64, 5) };
        assert_eq!(find_code(base), Some(CodePlace { id: 5, offset: 0 }));
        assert_eq!(find_code(base + 63), Some(CodePlace { id: 5, offset: 63 }));
        assert_eq!(find_code(base + 64), None);
        assert_eq!(find_code(base - 1), None);
        drop(range);
        assert_eq!(find_code(base), None);
    }

    /// A slot changes from a range below an address to one above it and back, while another thread looks up the address between them.
    #[test]
    fn a_reused_slot_never_matches_an_address_outside_its_ranges() {
        let rounds = if cfg!(miri) { 200 } else { 200_000 };
        let base = 0x7300_0000_0000usize;
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert_eq!(find_code(base + 500), None);
                }
            });
            for _ in 0..rounds {
                drop(unsafe { register_code(base, 16, 1) });
                drop(unsafe { register_code(base + 1000, 16, 2) });
            }
            done.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn grows_and_reuses_slots() {
        let base = 0x7200_0000_0000usize;
        let ranges: Vec<_> = (0..2 * CHUNK_SLOTS).map(|index| unsafe { register_code(base + index * 16, 16, index as u64) }).collect();
        for index in 0..2 * CHUNK_SLOTS {
            assert_eq!(find_code(base + index * 16 + 3), Some(CodePlace { id: index as u64, offset: 3 }));
        }
        let count = chunks().count();
        drop(ranges);
        let again: Vec<_> = (0..CHUNK_SLOTS).map(|index| unsafe { register_code(base + index * 16, 16, 1) }).collect();
        assert_eq!(chunks().count(), count);
        drop(again);
    }
}
