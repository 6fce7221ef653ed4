//! Registry of program code: which addresses are instructions of which load module.
//!
//! Invariants: signal handlers read it without a lock. A slot is free while its `start` is 0; registering writes `end` and `id`
//! before `start`, unregistering clears `start` first. A range is unregistered only when nothing can run in it any more (use
//! count zero), so a handler never looks for a range that is going away; but a slot it passes may change hands under it, so it looks at
//! `start` again before it believes the rest. Ranges do not overlap. Chunks of slots are never freed.
//!
//! Shown by the tests below, also under Miri, which finds what a thread may see that looks while another one registers. That ranges do not
//! overlap is asserted.

use crate::lock_order::{Ordered, rank};
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

const CHUNK_SLOTS: usize = 256;

struct Slot {
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
        let slots = [const { Slot { start: AtomicUsize::new(0), end: AtomicUsize::new(0), id: AtomicU64::new(0) } }; CHUNK_SLOTS];
        Chunk { slots, next: AtomicPtr::new(std::ptr::null_mut()) }
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
    for slot in chunks().flat_map(|chunk| &chunk.slots) {
        let start = slot.start.load(Ordering::Acquire);
        if start != 0 && pc >= start && pc < slot.end.load(Ordering::Relaxed) {
            let id = slot.id.load(Ordering::Relaxed);
            // End and identifier may be those of another range that has taken the slot meanwhile.
            fence(Ordering::Acquire);
            if slot.start.load(Ordering::Relaxed) == start {
                return Some(CodePlace { id, offset: pc - start });
            }
        }
    }
    None
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
        slot.start.store(0, Ordering::Release);
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
    // With the reader's: who sees the new end or identifier sees that the slot has changed hands.
    fence(Ordering::Release);
    slot.end.store(end, Ordering::Relaxed);
    slot.id.store(id, Ordering::Relaxed);
    slot.start.store(start, Ordering::Release);
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

    /// A slot goes from a range below an address to one above it and back, while another thread looks for the address between.
    #[test]
    fn a_slot_that_changes_hands_never_holds_what_lies_between() {
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
