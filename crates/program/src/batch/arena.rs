//! Program storage of batch programs below 2 GB, carved from one mapping at a time. All mappings end with the arena.
//!
//! `unsafe` here maps and unmaps memory that only this arena hands out; an address that it takes back has been handed out by it. The tests
//! below cover it.

use rustc_hash::FxHashMap;

#[derive(Default)]
pub(super) struct Arena {
    next: usize,
    end: usize,
    mappings: Vec<(usize, usize)>,
    /// Free areas by size.
    free: FxHashMap<u32, Vec<u32>>,
}

const ARENA_BYTES: usize = 16 << 20;
const PAGE_BYTES: usize = 4096;
const PROTECTION: i32 = libc::PROT_READ | libc::PROT_WRITE;
const FLAGS: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

impl Arena {
    pub(super) fn take(&mut self, length: u32) -> Option<u32> {
        let size = length.checked_next_multiple_of(16)?;
        if let Some(address) = self.free.get_mut(&size).and_then(Vec::pop) {
            return Some(address);
        }
        if self.end - self.next < size as usize {
            let bytes = ARENA_BYTES.max(size as usize).next_multiple_of(PAGE_BYTES);
            let base = map_below_2_gb(bytes)?;
            self.mappings.push((base, bytes));
            self.next = base;
            self.end = self.next + bytes;
        }
        let address = self.next;
        self.next += size as usize;
        Some(address as u32)
    }

    pub(super) fn give(&mut self, address: u32, length: u32) {
        self.free.entry(length.next_multiple_of(16)).or_default().push(address);
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for (base, length) in &self.mappings {
            unsafe { libc::munmap(*base as *mut libc::c_void, *length) };
        }
    }
}

/// The system knows a free place below 2 GB.
#[cfg(target_arch = "x86_64")]
fn map_below_2_gb(bytes: usize) -> Option<usize> {
    let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, PROTECTION, FLAGS | libc::MAP_32BIT, -1, 0) };
    (base != libc::MAP_FAILED).then_some(base as usize)
}

/// Only x86-64 has `MAP_32BIT`; elsewhere one place after the other is tried.
#[cfg(not(target_arch = "x86_64"))]
fn map_below_2_gb(bytes: usize) -> Option<usize> {
    find_below_2_gb(bytes)
}

/// Maps at the first free multiple of the arena's size from 16 MB on.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn find_below_2_gb(bytes: usize) -> Option<usize> {
    const LINE_2_GB: usize = 0x8000_0000;
    (ARENA_BYTES..LINE_2_GB.checked_sub(bytes)? + 1).step_by(ARENA_BYTES).find(|place| {
        let hint = *place as *mut libc::c_void;
        let base = unsafe { libc::mmap(hint, bytes, PROTECTION, FLAGS | libc::MAP_FIXED_NOREPLACE, -1, 0) };
        if base != libc::MAP_FAILED && base != hint {
            // A kernel without MAP_FIXED_NOREPLACE took the address as a hint only.
            unsafe { libc::munmap(base, bytes) };
        }
        base == hint
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_below_2_gb_and_never_twice() {
        let mut arena = Arena::default();
        for _ in 0..3 {
            let base = find_below_2_gb(ARENA_BYTES).expect("a free place");
            arena.mappings.push((base, ARENA_BYTES));
            assert!(base + ARENA_BYTES <= 1 << 31);
            // The mapping is writable up to the last byte.
            unsafe { ((base + ARENA_BYTES - 1) as *mut u8).write(0xC1) };
        }
        let mut bases: Vec<usize> = arena.mappings.iter().map(|(base, _)| *base).collect();
        bases.dedup();
        assert_eq!(bases.len(), 3);
        assert_eq!(find_below_2_gb(1 << 31), None);
    }

    #[test]
    fn areas_given_back_are_taken_again() {
        let mut arena = Arena::default();
        let first = arena.take(100).expect("storage");
        assert_ne!(arena.take(100), Some(first));
        arena.give(first, 100);
        assert_eq!(arena.take(100), Some(first));
        assert!(arena.take(20 << 20).is_some_and(|address| address % 16 == 0), "more than one mapping holds");
    }
}
