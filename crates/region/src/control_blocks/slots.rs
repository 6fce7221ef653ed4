//! Typed slots: the location of each domain's part in a region and in each task.
//!
//! The region and the task know no domain. A domain has a `static` [`Slot`] for its part; the registry puts the slots of all domains into a
//! plan, which gives each a fixed offset, and every region (or task) has one block of memory laid out by the plan. Access to a part adds
//! its offset to the address of the block, without a map, a dynamic cast or an allocation for each part.
//!
//! Invariants, on which the unsafe code below rests:
//! * a slot gets its offset once, from the plan of its kind, and keeps it; the ranges of two slots do not overlap;
//! * a plan is sealed before the first block is made, and accepts no slot afterwards, so every slot with an offset has its value in every
//!   block;
//! * a block creates the value of each slot, with the slot's own type, when the block is made, and drops each value once.
//!
//! The unit tests below cover sizes, alignments, drops and unregistered slots, also under Miri with strict provenance; nothing here depends
//! on timing.
#![allow(unsafe_code)]

use super::recycled;
use parking_lot::Mutex;
use std::alloc::Layout;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The offset of a slot that no plan has.
const UNPLANNED: usize = usize::MAX;

/// An owner of a block: a region or a task. Each kind has one plan.
pub trait Kind: Sized + 'static {
    fn plan() -> &'static Plan;
}

/// A part as the plan sees it.
#[derive(Clone, Copy)]
struct Part {
    offset: usize,
    make: unsafe fn(*mut u8),
    drop: unsafe fn(*mut u8),
}

#[derive(Clone)]
struct Sealed {
    layout: Layout,
    parts: Vec<Part>,
}

/// The layout of the blocks of a kind.
pub struct Plan {
    draft: Mutex<Option<Sealed>>,
    sealed: OnceLock<Sealed>,
}

impl Plan {
    pub const fn new() -> Self {
        Self { draft: Mutex::new(None), sealed: OnceLock::new() }
    }

    /// Assigns an offset to a place of this layout.
    fn place(&self, layout: Layout, make: unsafe fn(*mut u8), drop: unsafe fn(*mut u8)) -> usize {
        assert!(self.sealed.get().is_none(), "a slot is registered after the first block was made");
        let mut draft = self.draft.lock();
        let draft = draft.get_or_insert_with(|| Sealed { layout: Layout::new::<()>(), parts: Vec::new() });
        let (whole, offset) = draft.layout.extend(layout).expect("the parts of all domains fit into memory");
        draft.layout = whole;
        draft.parts.push(Part { offset, make, drop });
        offset
    }

    fn seal(&self) -> &Sealed {
        self.sealed.get_or_init(|| {
            let draft = self.draft.lock();
            draft.clone().unwrap_or(Sealed { layout: Layout::new::<()>(), parts: Vec::new() })
        })
    }
}

impl Default for Plan {
    fn default() -> Self {
        Self::new()
    }
}

/// The location of one domain's part `T` in each block of kind `K`.
pub struct Slot<K, T> {
    offset: AtomicUsize,
    of: PhantomData<fn() -> (K, T)>,
}

/// A slot without its type, for the list of a domain's slots.
pub trait AnySlot: Sync {
    /// Adds the slot to the plan of its kind; a second call has no effect.
    fn register(&self);
}

/// A region: its parts are used by all threads.
pub struct OfRegion;
/// A task: its parts are used only by the code of the task.
pub struct OfTask;

/// A transaction: its parts are used by all its tasks.
pub struct OfTransaction;

impl Kind for OfTransaction {
    fn plan() -> &'static Plan {
        static PLAN: Plan = Plan::new();
        &PLAN
    }
}

impl Kind for OfRegion {
    fn plan() -> &'static Plan {
        static PLAN: Plan = Plan::new();
        &PLAN
    }
}

impl Kind for OfTask {
    fn plan() -> &'static Plan {
        static PLAN: Plan = Plan::new();
        &PLAN
    }
}

pub type RegionSlot<T> = Slot<OfRegion, T>;
pub type TaskSlot<T> = Slot<OfTask, T>;
pub type TransactionSlot<T> = Slot<OfTransaction, T>;

// SAFETY: a block of a region holds values of `Send + Sync` types only: `Slot::in_region` is the only way to make a slot of this kind.
unsafe impl Send for Block<OfRegion> {}
// SAFETY: as above.
unsafe impl Sync for Block<OfRegion> {}
// SAFETY: as for a region, by `Slot::in_transaction`.
unsafe impl Send for Block<OfTransaction> {}
// SAFETY: as above.
unsafe impl Sync for Block<OfTransaction> {}

impl<T: Default + Send + Sync + 'static> Slot<OfRegion, T> {
    pub const fn in_region() -> Self {
        Self::unplanned()
    }
}

impl<T: Default + Send + Sync + 'static> Slot<OfTransaction, T> {
    pub const fn in_transaction() -> Self {
        Self::unplanned()
    }
}

impl<T: Default + 'static> Slot<OfTask, T> {
    pub const fn in_task() -> Self {
        Self::unplanned()
    }
}

impl<K: Kind, T: Default + 'static> Slot<K, T> {
    const fn unplanned() -> Self {
        Self { offset: AtomicUsize::new(UNPLANNED), of: PhantomData }
    }

    #[inline]
    fn offset(&self) -> usize {
        let offset = self.offset.load(Ordering::Relaxed);
        if offset == UNPLANNED {
            not_registered(std::any::type_name::<T>());
        }
        offset
    }

    #[inline]
    pub fn of<'a>(&self, block: &'a Block<K>) -> &'a T {
        // SAFETY: the offset comes from the plan of `K` (the slot is of that kind), which determines the layout of the block, and the block
        // has a live `T` there; the borrow of the block guards it.
        unsafe { &*block.memory.as_ptr().add(self.offset()).cast::<T>() }
    }

    #[inline]
    pub fn of_mut<'a>(&self, block: &'a mut Block<K>) -> &'a mut T {
        // SAFETY: as in `of`; the block is borrowed for writing as a whole, so no other part is in use.
        unsafe { &mut *block.memory.as_ptr().add(self.offset()).cast::<T>() }
    }
}

impl<K: Kind, T: Default + 'static> AnySlot for Slot<K, T> {
    fn register(&self) {
        // One at a time: two threads must not assign two offsets to one slot.
        static REGISTRATION: Mutex<()> = Mutex::new(());
        let _one = REGISTRATION.lock();
        if self.offset.load(Ordering::Relaxed) == UNPLANNED {
            let offset = K::plan().place(Layout::new::<T>(), make::<T>, drop_in_place::<T>);
            self.offset.store(offset, Ordering::Relaxed);
        }
    }
}

#[cold]
fn not_registered(name: &str) -> ! {
    panic!("the domain of {name} is not in the registry")
}

unsafe fn make<T: Default>(place: *mut u8) {
    // SAFETY: the caller gives memory of the layout of `T` that holds no value.
    unsafe { place.cast::<T>().write(T::default()) }
}

unsafe fn drop_in_place<T>(place: *mut u8) {
    // SAFETY: the caller gives a place that holds a `T` which is not used again.
    unsafe { place.cast::<T>().drop_in_place() }
}

/// The parts of all domains in one region or one task.
pub struct Block<K: Kind> {
    memory: NonNull<u8>,
    of: PhantomData<K>,
}

impl<K: Kind> Block<K> {
    pub fn new() -> Self {
        let sealed = K::plan().seal();
        let memory = match sealed.layout.size() {
            0 => NonNull::dangling(),
            _ => recycled::take(sealed.layout),
        };
        for part in &sealed.parts {
            // SAFETY: the plan gave the part its own range of this memory, with the alignment of its type; the range contains no value yet.
            unsafe { (part.make)(memory.as_ptr().add(part.offset)) };
        }
        Self { memory, of: PhantomData }
    }
}

impl<K: Kind> Default for Block<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Kind> Drop for Block<K> {
    fn drop(&mut self) {
        let sealed = K::plan().seal();
        for part in &sealed.parts {
            // SAFETY: `new` made a value at each part, and no reference to the block is left.
            unsafe { (part.drop)(self.memory.as_ptr().add(part.offset)) };
        }
        if sealed.layout.size() > 0 {
            recycled::give_back(self.memory, sealed.layout);
        }
    }
}

/// Gives a type its slot in each region: `Type::of(region)`.
#[macro_export]
macro_rules! region_part {
    ($type:ty) => {
        static IN_REGION: $crate::slots::RegionSlot<$type> = $crate::slots::RegionSlot::in_region();

        impl $type {
            /// The domain's part of a region.
            #[inline]
            pub fn of(region: &$crate::Region) -> &$type {
                IN_REGION.of(&region.parts)
            }
        }
    };
}

/// Gives a type its slot in each task: `Type::of(&task.parts)`, which leaves the other fields of the task free to be borrowed.
#[macro_export]
macro_rules! task_part {
    ($type:ty) => {
        static IN_TASK: $crate::slots::TaskSlot<$type> = $crate::slots::TaskSlot::in_task();

        impl $type {
            /// The domain's part of a task.
            #[inline]
            pub fn of(parts: &$crate::slots::Block<$crate::slots::OfTask>) -> &$type {
                IN_TASK.of(parts)
            }

            #[inline]
            pub fn of_mut(parts: &mut $crate::slots::Block<$crate::slots::OfTask>) -> &mut $type {
                IN_TASK.of_mut(parts)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Probe;
    impl Kind for Probe {
        fn plan() -> &'static Plan {
            static PLAN: Plan = Plan::new();
            &PLAN
        }
    }

    static DROPS: AtomicUsize = AtomicUsize::new(0);

    #[derive(Default)]
    struct Counted(Vec<u32>);
    impl Drop for Counted {
        fn drop(&mut self) {
            DROPS.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[derive(Default)]
    #[repr(align(64))]
    struct Aligned(u8);

    #[test]
    fn each_block_has_its_own_value_at_each_slot() {
        static BYTE: Slot<Probe, u8> = Slot::unplanned();
        static COUNTED: Slot<Probe, Counted> = Slot::unplanned();
        static ALIGNED: Slot<Probe, Aligned> = Slot::unplanned();
        static NOTHING: Slot<Probe, ()> = Slot::unplanned();
        static LATE: Slot<Probe, u64> = Slot::unplanned();
        let slots: [&dyn AnySlot; 5] = [&BYTE, &COUNTED, &ALIGNED, &NOTHING, &BYTE];
        slots.iter().for_each(|slot| slot.register());

        let (mut one, mut other) = (Block::<Probe>::new(), Block::<Probe>::new());
        *BYTE.of_mut(&mut one) = 7;
        COUNTED.of_mut(&mut one).0.push(1);
        COUNTED.of_mut(&mut other).0.extend([2, 3]);
        ALIGNED.of_mut(&mut other).0 = 9;
        assert_eq!((*BYTE.of(&one), *BYTE.of(&other)), (7, 0));
        assert_eq!((COUNTED.of(&one).0.as_slice(), COUNTED.of(&other).0.as_slice()), (&[1][..], &[2, 3][..]));
        assert_eq!((ALIGNED.of(&one).0, ALIGNED.of(&other).0), (0, 9));
        assert_eq!(std::ptr::from_ref(ALIGNED.of(&one)) as usize % 64, 0);
        NOTHING.of(&one);
        drop(one);
        assert_eq!(DROPS.load(Ordering::Relaxed), 1);
        drop(other);
        assert_eq!(DROPS.load(Ordering::Relaxed), 2);
        assert!(std::panic::catch_unwind(|| LATE.register()).is_err(), "a sealed plan takes no slot");
        assert!(std::panic::catch_unwind(|| *LATE.of(&Block::new())).is_err(), "a slot without a place has no value");
    }
}
