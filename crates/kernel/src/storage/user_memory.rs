//! Memory of the run time that programs may write in user key: frames and headers of run units. It belongs to no DSA and lies above 2 GB,
//! where no 32-bit address of a program reaches.
//!
//! Invariants that make the `unsafe` here sound: a piece belongs to one [`UserMemory`] or is on the free list of its size; pieces of one
//! size class are equally long and aligned to [`PIECE_BYTES_MIN`]; mapped memory is never given back to the system, except pieces that have
//! a mapping of their own, so a pointer into a piece stays valid while its owner lives.
//!
//! The tests below, also under Miri, check that pieces do not overlap (also asserted), are aligned and are zero.

use crate::addresses::PAGE_BYTES;
use crate::lock_order::{Ordered, rank};
use std::alloc::{Layout, handle_alloc_error};
use std::ptr::NonNull;

const PIECE_BYTES_MIN: usize = 64;
/// Size classes: 64 bytes to 64 KB, by powers of two.
const CLASSES: usize = 11;
const PIECE_BYTES_MAX: usize = PIECE_BYTES_MIN << (CLASSES - 1);
const ARENA_BYTES: usize = 16 * PIECE_BYTES_MAX;

/// Free pieces by class.
static FREE: [Ordered<Vec<usize>, { rank::MEMORY }>; CLASSES] = [const { Ordered::new(Vec::new()) }; CLASSES];
/// The unused part of the newest arena: its start and end.
static ARENA: Ordered<(usize, usize), { rank::MEMORY }> = Ordered::new((0, 0));

/// A piece of user-key memory, at an address that never changes.
#[derive(Debug)]
pub struct UserMemory {
    start: NonNull<u8>,
    length: usize,
}

// The memory belongs to its owner alone.
unsafe impl Send for UserMemory {}

impl UserMemory {
    /// At least this many bytes, zero, aligned to 64.
    pub fn zeroed(length: usize) -> UserMemory {
        let address = match class_of(length) {
            Some(class) => {
                let free = FREE[class].lock().pop();
                free.unwrap_or_else(|| cut(PIECE_BYTES_MIN << class))
            }
            None => map(length.next_multiple_of(PAGE_BYTES)),
        };
        let start = NonNull::new(address as *mut u8).expect("mapped memory is not at address zero");
        let mut memory = UserMemory { start, length };
        memory.zero();
        memory
    }

    pub fn as_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    pub fn zero(&mut self) {
        unsafe { std::ptr::write_bytes(self.start.as_ptr(), 0, self.length) };
    }
}

impl Drop for UserMemory {
    fn drop(&mut self) {
        let address = self.start.as_ptr() as usize;
        match class_of(self.length) {
            Some(class) => {
                let mut free = FREE[class].lock();
                debug_assert!(!free.contains(&address), "a piece is freed once");
                free.push(address);
            }
            None => unsafe {
                libc::munmap(address as *mut libc::c_void, self.length.next_multiple_of(PAGE_BYTES));
            },
        }
    }
}

fn class_of(length: usize) -> Option<usize> {
    let bytes = length.max(PIECE_BYTES_MIN).next_power_of_two();
    (bytes <= PIECE_BYTES_MAX).then(|| (bytes / PIECE_BYTES_MIN).trailing_zeros() as usize)
}

/// A new piece. If the unused part of an arena is too short, it is lost.
fn cut(length: usize) -> usize {
    let mut arena = ARENA.lock();
    if arena.1 - arena.0 < length {
        let start = map(ARENA_BYTES);
        *arena = (start, start + ARENA_BYTES);
    }
    let start = arena.0;
    arena.0 += length;
    assert!(arena.0 <= arena.1 && start.is_multiple_of(PIECE_BYTES_MIN), "pieces do not overlap");
    start
}

fn map(length: usize) -> usize {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let mapped = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
    if mapped == libc::MAP_FAILED || crate::keys::tag_user(mapped as usize, length).is_err() {
        handle_alloc_error(Layout::from_size_align(length, PAGE_BYTES).unwrap_or(Layout::new::<u8>()));
    }
    mapped as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_smallest_class_that_holds_them() {
        assert_eq!(
            [0, 1, 64, 65, 128, PIECE_BYTES_MAX, PIECE_BYTES_MAX + 1].map(class_of),
            [Some(0), Some(0), Some(0), Some(1), Some(1), Some(CLASSES - 1), None]
        );
    }

    #[test]
    fn pieces_do_not_overlap_and_are_zero_again() {
        // Miri looks at each byte by itself.
        let (count, long): (usize, &[usize]) =
            if cfg!(miri) { (20, &[]) } else { (400, &[PIECE_BYTES_MAX, PIECE_BYTES_MAX + 1, ARENA_BYTES + 5]) };
        let lengths = (0..count).map(|index| 40 + index * 97 % 3000).chain(long.iter().copied());
        for _ in 0..if cfg!(miri) { 2 } else { 3 } {
            let pieces: Vec<UserMemory> = lengths.clone().map(UserMemory::zeroed).collect();
            let mut places: Vec<(usize, usize)> = pieces.iter().map(|piece| (piece.as_ptr() as usize, piece.length)).collect();
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "two pieces overlap");
            for &(address, length) in &places {
                assert!(address.is_multiple_of(PIECE_BYTES_MIN) && (cfg!(miri) || address > 1 << 32));
                let bytes = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length) };
                assert!(bytes.iter().all(|&byte| byte == 0));
                bytes.fill(0xFF);
            }
        }
    }
}
