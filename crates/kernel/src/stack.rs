//! Task stacks: taken from a pool, guarded below, never returned to the system while the dispatcher lives.
//!
//! Invariants: a stack consists of `GUARD_BYTES` that fault on any access, then `stack_bytes` of usable memory. A stack is owned by one
//! [`PooledStack`] or is on the free list. The stack freed last is reused first, so a busy region touches few pages. Guards are installed
//! without splitting the mapping where the kernel can do so (MADV_GUARD_INSTALL), else by protection, which costs two mappings for each
//! stack.
//!
//! `unsafe` here maps, protects and advises the pages of these stacks, and nothing else. Assertions check that a stack is given back once,
//! and that none is in use when the pool is dropped. The tests below and the overflow tests of `tests/guard/stack.rs` cover it; Miri cannot run
//! the mappings.

use crate::inquire::StackStatistics;
use crate::lock_order::{Ordered, rank};
use corosensei::stack::{Stack, StackPointer};
use std::io;
use std::sync::Arc;
use std::sync::OnceLock;

/// Bytes below each stack that fault. Generous, because compiled code may reserve a big frame without touching each page.
pub(crate) const GUARD_BYTES: usize = RED_BYTES + RESERVE_BYTES;
/// The part of the guard that always faults.
pub(crate) const RED_BYTES: usize = 64 * 1024;
/// The part next to the stack: opened by the signal handler when region code (not a program) runs out of stack, so that a gate called with
/// little stack left can finish; closed again when the stack returns to the pool.
pub(crate) const RESERVE_BYTES: usize = 128 * 1024;
const ARENA_STACKS: usize = 64;
const MADV_GUARD_INSTALL: i32 = 102;
const MADV_GUARD_REMOVE: i32 = 103;
/// Stacks start at different cache lines within their page; otherwise all of them would compete for the same few cache sets.
const COLOUR_BYTES: usize = 256;
const COLOURS: usize = 15;

#[derive(Debug)]
pub(crate) struct StackPool {
    stack_bytes: usize,
    free: Ordered<FreeStacks, { rank::MEMORY }>,
}

#[derive(Debug, Default)]
struct FreeStacks {
    /// Lowest addresses, guard included.
    stacks: Vec<usize>,
    arenas: Vec<(usize, usize)>,
}

/// True if the kernel can guard pages without splitting the mapping.
fn can_guard_in_place() -> bool {
    static PROBE: OnceLock<bool> = OnceLock::new();
    *PROBE.get_or_init(|| unsafe {
        let page =
            libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
        let works = page != libc::MAP_FAILED && libc::madvise(page, 4096, MADV_GUARD_INSTALL) == 0;
        libc::munmap(page, 4096);
        works
    })
}

/// Makes pages fault, or makes them usable. Safe in a signal handler once a pool exists.
fn set_guard(address: usize, length: usize, guarded: bool) -> bool {
    let pages = address as *mut libc::c_void;
    let result = unsafe {
        match (can_guard_in_place(), guarded) {
            (true, true) => libc::madvise(pages, length, MADV_GUARD_INSTALL),
            (true, false) => libc::madvise(pages, length, MADV_GUARD_REMOVE),
            (false, true) => libc::mprotect(pages, length, libc::PROT_NONE),
            (false, false) => libc::mprotect(pages, length, libc::PROT_READ | libc::PROT_WRITE),
        }
    };
    result == 0
}

/// Opens the reserve below the lowest usable address of a stack of a pool. Called by the signal handler.
pub(crate) fn open_reserve(limit: usize) -> bool {
    set_guard(limit - RESERVE_BYTES, RESERVE_BYTES, false)
}

/// The limit of the stack of a thread that is not a worker, and the number of bytes below it that count as overflow; None if the system
/// does not report it.
///
/// Such a stack has no reserve: as much as the reserve and the guard of a task's stack is left below the limit, above the system's own
/// guard.
pub(crate) fn of_this_thread() -> Option<(usize, usize)> {
    let (mut low, mut length) = (std::ptr::null_mut(), 0usize);
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let told = libc::pthread_attr_getstack(&attributes, &mut low, &mut length) == 0;
        libc::pthread_attr_destroy(&mut attributes);
        if !told {
            return None;
        }
    }
    (length > 4 * GUARD_BYTES).then_some((low as usize + GUARD_BYTES, GUARD_BYTES + RED_BYTES))
}

impl StackPool {
    pub fn new(stack_bytes: usize) -> Arc<StackPool> {
        let stack_bytes = stack_bytes.max(32 * 1024).next_multiple_of(4096);
        Arc::new(StackPool { stack_bytes, free: Ordered::new(FreeStacks::default()) })
    }

    /// A stack, from the pool or newly mapped.
    pub fn take(self: &Arc<StackPool>) -> io::Result<PooledStack> {
        let mut free = self.free.lock();
        if free.stacks.is_empty() {
            self.grow(&mut free)?;
        }
        let low = free.stacks.pop().expect("growing adds stacks");
        drop(free);
        Ok(PooledStack { pool: self.clone(), low })
    }

    pub fn figures(&self) -> StackStatistics {
        let free = self.free.lock();
        let stacks = free.arenas.len() * ARENA_STACKS;
        StackStatistics { bytes: self.stack_bytes, stacks, in_use: stacks - free.stacks.len() }
    }

    /// Stacks mapped, and of these free.
    #[cfg(test)]
    pub fn counts(&self) -> (usize, usize) {
        let figures = self.figures();
        (figures.stacks, figures.stacks - figures.in_use)
    }

    fn grow(&self, free: &mut FreeStacks) -> io::Result<()> {
        let step = GUARD_BYTES + self.stack_bytes;
        let length = step * ARENA_STACKS;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        let arena = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
        if arena == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = arena as usize;
        let prepared = self.prepare(base, length, step);
        if let Err(error) = prepared {
            unsafe { libc::munmap(arena, length) };
            return Err(error);
        }
        free.arenas.push((base, length));
        free.stacks.extend((0..ARENA_STACKS).rev().map(|index| base + index * step));
        Ok(())
    }

    fn prepare(&self, base: usize, length: usize, step: usize) -> io::Result<()> {
        crate::keys::tag_user(base, length)?;
        unsafe { libc::madvise(base as *mut libc::c_void, length, libc::MADV_NOHUGEPAGE) };
        for index in 0..ARENA_STACKS {
            if !set_guard(base + index * step, GUARD_BYTES, true) {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
}

impl Drop for StackPool {
    fn drop(&mut self) {
        // Every PooledStack holds the pool, so all stacks are free here.
        let free = self.free.get_mut();
        assert_eq!(free.stacks.len(), free.arenas.len() * ARENA_STACKS, "no stack is in use when its pool goes");
        for (base, length) in free.arenas.drain(..) {
            unsafe { libc::munmap(base as *mut libc::c_void, length) };
        }
    }
}

/// A stack in use; back to the pool on drop.
#[derive(Debug)]
pub(crate) struct PooledStack {
    pool: Arc<StackPool>,
    low: usize,
}

impl PooledStack {
    /// Lowest usable address.
    pub fn limit_address(&self) -> usize {
        self.low + GUARD_BYTES
    }

    /// Closes the reserve again, dropping its pages.
    pub fn close_reserve(&self) {
        let reserve = self.low + RED_BYTES;
        unsafe { libc::madvise(reserve as *mut libc::c_void, RESERVE_BYTES, libc::MADV_DONTNEED) };
        assert!(set_guard(reserve, RESERVE_BYTES, true), "a guard can be put back");
    }
}

unsafe impl Stack for PooledStack {
    fn base(&self) -> StackPointer {
        let step = GUARD_BYTES + self.pool.stack_bytes;
        let colour = self.low / step % COLOURS;
        StackPointer::new(self.low + step - colour * COLOUR_BYTES).expect("a stack is not at address zero")
    }

    fn limit(&self) -> StackPointer {
        StackPointer::new(self.low).expect("a stack is not at address zero")
    }
}

impl Drop for PooledStack {
    fn drop(&mut self) {
        let mut free = self.pool.free.lock();
        debug_assert!(!free.stacks.contains(&self.low), "a stack is given back once");
        debug_assert!(free.stacks.len() < free.arenas.len() * ARENA_STACKS, "only stacks of the pool are given back");
        free.stacks.push(self.low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::addresses::tests::is_accessible;

    #[test]
    fn last_freed_is_first_reused() {
        let pool = StackPool::new(64 * 1024);
        let (first, second) = (pool.take().unwrap(), pool.take().unwrap());
        assert_ne!(first.low, second.low);
        let low = second.low;
        drop(first);
        drop(second);
        assert_eq!(pool.take().unwrap().low, low);
        assert_eq!(pool.counts(), (ARENA_STACKS, ARENA_STACKS));
    }

    #[test]
    fn grows_at_the_end_of_an_arena() {
        let pool = StackPool::new(32 * 1024);
        let stacks: Vec<_> = (0..=ARENA_STACKS).map(|_| pool.take().unwrap()).collect();
        assert_eq!(pool.counts(), (2 * ARENA_STACKS, ARENA_STACKS - 1));
        for stack in &stacks {
            assert!(is_accessible(stack.limit_address(), 8, true));
            assert!(!is_accessible(stack.limit_address() - 1, 1, false));
            assert_eq!(stack.base().get() % 16, 0);
        }
    }
}
