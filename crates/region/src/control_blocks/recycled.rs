//! Memory for the control blocks of tasks, reused by later tasks.
//!
//! These blocks are longer than those that the system's allocator caches for a thread; searching its free memory for them costs a short
//! task a tenth of its time. So each thread keeps the memory of tasks that ended on it, for tasks that begin on it.
//!
//! Invariants, on which the unsafe code below rests: memory belongs to its taker, or to the list of one thread, with the layout it was
//! allocated with; a [`Recycled`] holds a value from its creation until it is dropped. The thread's list is accessed by functions that are
//! not inlined, because a task may continue on another thread.
//!
//! The tests below cover it; nothing here depends on timing.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Pieces a thread keeps.
const KEPT_MAX: usize = 16;

struct Kept(Vec<(Layout, NonNull<u8>)>);

impl Drop for Kept {
    fn drop(&mut self) {
        for (layout, memory) in self.0.drain(..) {
            // SAFETY: allocated with this layout, and the list's alone.
            unsafe { dealloc(memory.as_ptr(), layout) };
        }
    }
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept(Vec::new())) };
}

/// Memory of this layout, whose size is not zero. It contains no value.
#[inline(never)]
pub(super) fn take(layout: Layout) -> NonNull<u8> {
    assert!(layout.size() > 0);
    let known = KEPT.try_with(|kept| {
        let kept = &mut kept.borrow_mut().0;
        let at = kept.iter().rposition(|(of, _)| *of == layout)?;
        Some(kept.swap_remove(at).1)
    });
    // SAFETY: the size is not zero.
    let new = || NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout));
    known.ok().flatten().unwrap_or_else(new)
}

/// Returns memory obtained from [`take`] for the same layout; the caller no longer uses it.
#[inline(never)]
pub(super) fn give_back(memory: NonNull<u8>, layout: Layout) {
    let is_kept = KEPT.try_with(|kept| {
        let kept = &mut kept.borrow_mut().0;
        let has_room = kept.len() < KEPT_MAX;
        if has_room {
            kept.push((layout, memory));
        }
        has_room
    });
    if !is_kept.unwrap_or(false) {
        // SAFETY: the only callers are owners of memory that `take` allocated with this layout.
        unsafe { dealloc(memory.as_ptr(), layout) };
    }
}

/// A box whose memory is used again.
pub struct Recycled<T>(NonNull<T>);

impl<T> Recycled<T> {
    pub fn new(value: T) -> Self {
        const { assert!(size_of::<T>() > 0) };
        let place = take(Layout::new::<T>()).cast::<T>();
        // SAFETY: memory of the layout of `T`, with no other owner.
        unsafe { place.write(value) };
        Self(place)
    }
}

impl<T> Deref for Recycled<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: there is a value as long as `self` lives, and the borrow guards it.
        unsafe { self.0.as_ref() }
    }
}

impl<T> DerefMut for Recycled<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { self.0.as_mut() }
    }
}

impl<T> Drop for Recycled<T> {
    fn drop(&mut self) {
        // SAFETY: the value is not used again; the memory is from `take` with this layout.
        unsafe { self.0.drop_in_place() };
        give_back(self.0.cast(), Layout::new::<T>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn memory_is_used_again_and_values_are_dropped_once() {
        let counted = Rc::new(());
        let value = || (Rc::clone(&counted), [7u64; 200]);
        let first = Recycled::new(value());
        let (place, other) = (std::ptr::from_ref(&*first) as usize, Recycled::new(value()));
        assert_ne!(place, std::ptr::from_ref(&*other) as usize);
        drop(first);
        assert_eq!(Rc::strong_count(&counted), 2);
        let mut again = Recycled::new(value());
        assert_eq!(std::ptr::from_ref(&*again) as usize, place);
        again.1[3] = 1;
        assert_eq!((again.1[3], other.1[3]), (1, 7));
        drop((again, other));
        assert_eq!(Rc::strong_count(&counted), 1);
    }

    #[test]
    fn a_thread_keeps_a_bounded_number_of_pieces_by_layout() {
        let long: Vec<Recycled<[u64; 300]>> = (0..KEPT_MAX + 5).map(|_| Recycled::new([1; 300])).collect();
        drop(long);
        assert_eq!(KEPT.with(|kept| kept.borrow().0.len()), KEPT_MAX);
        let short = Recycled::new([2u64; 150]);
        assert_eq!(*short, [2; 150]);
        drop(short);
        assert_eq!(KEPT.with(|kept| kept.borrow().0.len()), KEPT_MAX);
    }
}
