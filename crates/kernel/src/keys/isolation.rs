//! Transaction isolation: the user-key task storage of one task is inaccessible to programs of other tasks.
//!
//! A subspace is the part of the task storage in the UDSA and EUDSA that a task's user-key programs can access: that of their own task
//! (unique, ISOLATE(YES)), or that of all tasks without isolation (common, ISOLATE(NO)). The processor has 16 keys and there are more
//! tasks, so unique subspaces borrow keys: a subspace keeps its key until another one needs it, and a key is taken only from a subspace in
//! which no program is running. Storage of a subspace without a key, and storage of no task, carries the closed key, to which no user-key
//! program has access.
//!
//! Invariants:
//! * a slot's word is the subspace's number shifted left, with bit 0 set while a program runs in it; only the task of the subspace sets and
//!   clears the bit, and only a thread that holds `CHANGE` gives a slot another number, by one compare-and-exchange from a word without the
//!   bit. A key is therefore never taken from a running program;
//! * the pages of a subspace, and the key they carry, change only under `CHANGE`; the runs of a subspace do not overlap (asserted).
//!
//! `unsafe` here is that of `keys`; the caller keeps its rules. `tests/keys.rs` covers it in the machine of `tests/keys`.

use super as keys;
use crate::lock_order::{Ordered, rank};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

/// Held while slots change hands or pages change keys.
static CHANGE: Ordered<Change, { rank::ISOLATION }> = Ordered::new(Change { hand: 0 });
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

struct Change {
    /// The position at which the search for a slot begins.
    hand: usize,
}

/// The keys of isolation, allocated once a process.
struct Table {
    closed: i32,
    common: Slot,
    slots: Vec<Slot>,
}

struct Slot {
    key: i32,
    /// The register while a program of this slot's subspace runs.
    rights: u32,
    word: AtomicU64,
    owner: Ordered<Weak<Pages>, { rank::SUBSPACE }>,
}

/// Slots there must be at least for isolation to be worth having.
const SLOTS_MIN: usize = 2;

fn table() -> Option<&'static Table> {
    static TABLE: OnceLock<Option<Table>> = OnceLock::new();
    TABLE.get_or_init(allocate).as_ref()
}

fn allocate() -> Option<Table> {
    keys::probe().ok()?;
    let all: Vec<i32> = std::iter::from_fn(keys::allocate).collect();
    let [closed, common, unique @ ..] = all.as_slice() else { return None };
    let slot = |&key: &i32| Slot { key, rights: keys::user_rights(&all, key), word: AtomicU64::new(0), owner: Ordered::default() };
    let table = Table { closed: *closed, common: slot(common), slots: unique.iter().map(slot).collect() };
    (table.slots.len() >= SLOTS_MIN).then_some(table)
}

/// True if the machine can isolate tasks from each other. Allocates the keys at the first call.
pub fn is_available() -> bool {
    table().is_some()
}

/// The pages of a subspace: address and length of each run.
#[derive(Debug, Default)]
struct Pages {
    number: u64,
    runs: Ordered<Vec<(usize, usize)>, { rank::SUBSPACE }>,
}

impl Pages {
    fn tag(&self, key: i32) {
        for &(address, length) in self.runs.lock().iter() {
            keys::tag(address, length, key);
        }
    }
}

/// A task's view of the isolated storage. Clones are the same subspace.
#[derive(Clone, Debug)]
pub struct Subspace {
    pages: Arc<Pages>,
    /// The slot that last had the number of this subspace.
    slot: Arc<AtomicUsize>,
}

const COMMON: usize = usize::MAX;

impl Subspace {
    /// A new subspace for one task; None if the machine cannot isolate.
    pub fn unique() -> Option<Subspace> {
        table()?;
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        Some(Subspace { pages: Arc::new(Pages { number, runs: Ordered::default() }), slot: Arc::default() })
    }

    /// The subspace of all tasks that are not isolated.
    pub fn common() -> Option<Subspace> {
        static SPACE: OnceLock<Subspace> = OnceLock::new();
        table()?;
        Some(SPACE.get_or_init(|| Subspace { pages: Arc::default(), slot: Arc::new(AtomicUsize::new(COMMON)) }).clone())
    }

    /// It is of one task: the others are the common one.
    pub(crate) fn is_unique(&self) -> bool {
        self.slot.load(Ordering::Relaxed) != COMMON
    }

    /// The subspace holds the page of this address.
    pub fn contains(&self, address: usize) -> bool {
        self.pages.runs.lock().iter().any(|&(start, length)| (start..start + length).contains(&address))
    }

    fn slot(&self) -> &'static Slot {
        let table = table().expect("there is no subspace without keys");
        match self.slot.load(Ordering::Relaxed) {
            COMMON => &table.common,
            index => &table.slots[index],
        }
    }

    fn idle_word(&self) -> u64 {
        self.pages.number << 1
    }

    /// Adds a run of pages that no other subspace has. Called in CICS key.
    pub(crate) fn add(&self, address: usize, length: usize) {
        let _change = CHANGE.lock();
        let table = table().expect("there is no subspace without keys");
        let slot = self.slot();
        let has_key = !self.is_unique() || slot.word.load(Ordering::Relaxed) >> 1 == self.pages.number;
        let mut runs = self.pages.runs.lock();
        debug_assert!(runs.iter().all(|&(start, size)| address + length <= start || start + size <= address), "runs do not overlap");
        runs.push((address, length));
        keys::tag(address, length, if has_key { slot.key } else { table.closed });
    }

    /// Removes a run: it now belongs to no task.
    pub(crate) fn remove(&self, address: usize) {
        let _change = CHANGE.lock();
        let table = table().expect("there is no subspace without keys");
        let mut runs = self.pages.runs.lock();
        let at = runs.iter().position(|&(start, _)| start == address);
        debug_assert!(at.is_some(), "only a run of the subspace is taken out");
        if let Some(at) = at {
            let (start, length) = runs.swap_remove(at);
            keys::tag(start, length, table.closed);
        }
    }

    /// From CICS key to user key in this subspace.
    ///
    /// # Safety
    /// As [`keys::enter_user_key`]; called by the code of the subspace's task.
    #[inline]
    pub unsafe fn enter_user_key(&self) {
        let mut slot = self.slot();
        if self.is_unique() {
            let idle = self.idle_word();
            if slot.word.compare_exchange(idle, idle | 1, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                slot = self.take_slot();
            }
        }
        keys::write_register(slot.rights);
    }

    /// From user key to CICS key. Called also when a trap has led to CICS key already.
    ///
    /// # Safety
    /// As [`keys::enter_cics_key`].
    #[inline]
    pub unsafe fn enter_cics_key(&self) {
        unsafe { keys::enter_cics_key() };
        if self.is_unique() {
            let idle = self.idle_word();
            // Not running, if the program had already left through a gate: the slot may belong to another subspace now.
            let _ = self.slot().word.compare_exchange(idle | 1, idle, Ordering::AcqRel, Ordering::Relaxed);
        }
    }

    /// Finds a slot in whose subspace no program runs, and takes it. With more threads than slots, waits for a program to enter a gate.
    #[cold]
    fn take_slot(&self) -> &'static Slot {
        let table = table().expect("there is no subspace without keys");
        loop {
            let mut change = CHANGE.lock();
            for _ in 0..table.slots.len() {
                change.hand = (change.hand + 1) % table.slots.len();
                let slot = &table.slots[change.hand];
                let word = slot.word.load(Ordering::Relaxed);
                let running = self.idle_word() | 1;
                if word & 1 == 0 && slot.word.compare_exchange(word, running, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                    let last = slot.owner.lock().upgrade();
                    if let Some(last) = last {
                        last.tag(table.closed);
                    }
                    *slot.owner.lock() = Arc::downgrade(&self.pages);
                    self.pages.tag(slot.key);
                    self.slot.store(change.hand, Ordering::Relaxed);
                    return slot;
                }
            }
            drop(change);
            std::thread::yield_now();
        }
    }
}
