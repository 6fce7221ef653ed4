//! Internal trace: fixed-size entries in one ring for each thread.
//!
//! A trace point that is off costs one load and one branch. Each component (the two-letter domain codes of CICS) has a level from 0 to 3;
//! an entry is written if the level of its trace point does not exceed that of its component. Invariants: a ring has one writer, the thread
//! that owns it; an entry is published by its sequence number, set to 0 before and to the number after the entry is written, so a reader
//! skips entries that change while it reads; rings of ended threads are kept until they are reused. All words are atomics, so a reader that
//! loses the race reads a mixed entry, which it discards, and the behaviour is always defined.

use crate::clock::ticks;
use crate::lock_order::{Ordered, rank};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

/// A component that traces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Component {
    /// Application domain: EXEC interface, file control and the rest of the commands.
    Ap,
    /// Business application manager, channels and containers.
    Ba,
    /// Document handling.
    Dh,
    /// Dispatcher.
    Ds,
    /// Dump.
    Du,
    /// Kernel.
    Ke,
    /// Log manager.
    Lg,
    /// Loader.
    Ld,
    /// Local catalog and global catalog.
    Cc,
    /// Monitoring.
    Mn,
    /// Enqueue.
    Nq,
    /// Program manager.
    Pg,
    /// Recovery manager.
    Rm,
    /// Storage manager.
    Sm,
    /// Sockets.
    So,
    /// Statistics.
    St,
    /// Timer.
    Ti,
    /// Terminal control.
    Tc,
    /// Temporary storage.
    Ts,
    /// Transient data.
    Td,
    /// User.
    Us,
    /// Web.
    Wb,
    /// Security.
    Xs,
    /// Transaction manager.
    Xm,
    /// Entries of programs (ENTER TRACENUM).
    User,
}

const COMPONENT_COUNT: usize = Component::User as usize + 1;

impl Component {
    /// The two characters before the point number.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; COMPONENT_COUNT] = [
            "AP", "BA", "DH", "DS", "DU", "KE", "LG", "LD", "CC", "MN", "NQ", "PG", "RM", "SM", "SO", "ST", "TI", "TC", "TS", "TD", "US",
            "WB", "XS", "XM", "UE",
        ];
        NAMES[self as usize]
    }

    const fn from_index(index: u8) -> Option<Component> {
        if (index as usize) < COMPONENT_COUNT { Some(ALL[index as usize]) } else { None }
    }
}

const ALL: [Component; COMPONENT_COUNT] = {
    use Component::*;
    [Ap, Ba, Dh, Ds, Du, Ke, Lg, Ld, Cc, Mn, Nq, Pg, Rm, Sm, So, St, Ti, Tc, Ts, Td, Us, Wb, Xs, Xm, User]
};

static LEVELS: [AtomicU8; COMPONENT_COUNT] = [const { AtomicU8::new(0) }; COMPONENT_COUNT];
static RINGS: Ordered<Vec<Arc<Ring>>, { rank::MEMORY }> = Ordered::new(Vec::new());
/// Entries of each ring made from now on.
static RING_ENTRIES: AtomicUsize = AtomicUsize::new(4096);

/// Bytes of text an entry holds.
const TEXT_BYTES: usize = 24;
const WORDS: usize = 8;

/// Sets the level of a component (0: off; 1: standard; 2, 3: special).
pub fn set_level(component: Component, level: u8) {
    LEVELS[component as usize].store(level, Ordering::Relaxed);
}

/// Sets the level of every component.
pub fn set_all_levels(level: u8) {
    ALL.into_iter().for_each(|component| set_level(component, level));
}

pub fn level(component: Component) -> u8 {
    LEVELS[component as usize].load(Ordering::Relaxed)
}

/// Sets the size of the table (TRTABSZ), spread over `threads` rings, for rings created from now on.
pub fn set_table_bytes(bytes: usize, threads: usize) {
    let entries = bytes / threads.max(1) / (WORDS * 8);
    RING_ENTRIES.store(entries.clamp(64, 1 << 20).next_power_of_two(), Ordering::Relaxed);
}

/// True if points of this component and level are written.
#[inline(always)]
pub fn is_on(component: Component, level: u8) -> bool {
    level <= LEVELS[component as usize].load(Ordering::Relaxed) && level != 0
}

/// Writes a trace entry if the level of the component includes it.
#[inline(always)]
pub fn point(component: Component, level: u8, number: u16, first: u64, second: u64, text: &str) {
    if is_on(component, level) {
        write(component, number, first, second, text.as_bytes());
    }
}

/// Writes a trace entry in any case.
#[cold]
#[inline(never)]
pub fn write(component: Component, number: u16, first: u64, second: u64, text: &[u8]) {
    let (task, mode) = crate::dispatcher::with_current(|task| (task.number(), task.mode() as u8)).unwrap_or((0, u8::MAX));
    with_ring(|ring| {
        let place = ring.next.load(Ordering::Relaxed);
        let words = &ring.entries[place as usize & (ring.entries.len() - 1)].0;
        let mut bytes = [b' '; TEXT_BYTES];
        let length = text.len().min(TEXT_BYTES);
        bytes[..length].copy_from_slice(&text[..length]);
        words[0].store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        let head = (component as u64) << 56 | (mode as u64) << 48 | (number as u64) << 32 | task as u64;
        words[1].store(ticks(), Ordering::Relaxed);
        words[2].store(head, Ordering::Relaxed);
        words[3].store(first, Ordering::Relaxed);
        words[4].store(second, Ordering::Relaxed);
        for (word, chunk) in words[5..].iter().zip(bytes.chunks_exact(8)) {
            word.store(u64::from_ne_bytes(chunk.try_into().expect("eight bytes")), Ordering::Relaxed);
        }
        words[0].store(place + 1, Ordering::Release);
        ring.next.store(place + 1, Ordering::Relaxed);
    });
}

/// One entry: sequence, time, head, two values, text.
struct RingEntry([AtomicU64; WORDS]);

struct Ring {
    number: u32,
    in_use: AtomicBool,
    next: AtomicU64,
    entries: Box<[RingEntry]>,
}

/// The ring of this thread, released when the thread ends.
struct OwnRing(Cell<Option<Arc<Ring>>>);

impl Drop for OwnRing {
    fn drop(&mut self) {
        if let Some(ring) = self.0.take() {
            ring.in_use.store(false, Ordering::Release);
        }
    }
}

thread_local! {
    static OWN: OwnRing = const { OwnRing(Cell::new(None)) };
}

#[inline(never)]
fn with_ring(work: impl FnOnce(&Ring)) {
    // A thread that is ending no longer traces.
    let _ = OWN.try_with(|own| {
        let ring = own.0.take().unwrap_or_else(take_ring);
        work(&ring);
        own.0.set(Some(ring));
    });
}

fn take_ring() -> Arc<Ring> {
    static NUMBERS: AtomicU32 = AtomicU32::new(1);
    let size = RING_ENTRIES.load(Ordering::Relaxed);
    let mut rings = RINGS.lock();
    let free = rings.iter().find(|ring| ring.entries.len() == size && !ring.in_use.load(Ordering::Acquire));
    if let Some(ring) = free {
        ring.in_use.store(true, Ordering::Relaxed);
        return ring.clone();
    }
    let ring = Arc::new(Ring {
        number: NUMBERS.fetch_add(1, Ordering::Relaxed),
        in_use: AtomicBool::new(true),
        next: AtomicU64::new(0),
        entries: (0..size).map(|_| RingEntry([const { AtomicU64::new(0) }; WORDS])).collect(),
    });
    rings.push(ring.clone());
    ring
}

/// A trace entry as read.
#[derive(Clone, Debug)]
pub struct TraceEntry {
    pub component: Component,
    pub number: u16,
    /// 0: no task.
    pub task: u32,
    pub mode: Option<crate::mode::Mode>,
    pub thread: u32,
    pub ticks: u64,
    pub first: u64,
    pub second: u64,
    pub text: String,
}

/// A copy of all rings, oldest first.
pub fn snapshot() -> Vec<TraceEntry> {
    let rings = RINGS.lock().clone();
    let mut entries: Vec<_> = rings.iter().flat_map(|ring| ring.entries.iter().filter_map(|entry| read(entry, ring.number))).collect();
    entries.sort_by_key(|entry| entry.ticks);
    entries
}

/// A copy of the entries of one task, oldest first. Entries of others are passed over before they are copied.
pub fn snapshot_of(task: u32) -> Vec<TraceEntry> {
    let rings = RINGS.lock().clone();
    let own = |entry: &&RingEntry| entry.0[2].load(Ordering::Relaxed) as u32 == task;
    let read_own = |ring: &Arc<Ring>| ring.entries.iter().filter(own).filter_map(|entry| read(entry, ring.number)).collect::<Vec<_>>();
    let mut entries: Vec<TraceEntry> = rings.iter().flat_map(read_own).filter(|entry| entry.task == task).collect();
    entries.sort_by_key(|entry| entry.ticks);
    entries
}

fn read(entry: &RingEntry, thread: u32) -> Option<TraceEntry> {
    let sequence = entry.0[0].load(Ordering::Acquire);
    let words: [u64; WORDS] = std::array::from_fn(|index| entry.0[index].load(Ordering::Relaxed));
    fence(Ordering::Acquire);
    if sequence == 0 || entry.0[0].load(Ordering::Relaxed) != sequence {
        return None;
    }
    let head = words[2];
    let text: Vec<u8> = words[5..].iter().flat_map(|word| word.to_ne_bytes()).collect();
    Some(TraceEntry {
        component: Component::from_index((head >> 56) as u8)?,
        number: (head >> 32) as u16,
        task: head as u32,
        mode: crate::mode::Mode::ALL.get((head >> 48) as u8 as usize).copied(),
        thread,
        ticks: words[1],
        first: words[3],
        second: words[4],
        text: String::from_utf8_lossy(&text).trim_end().to_string(),
    })
}

/// Empties all rings.
pub fn clear() {
    for ring in RINGS.lock().iter() {
        ring.entries.iter().for_each(|entry| entry.0[0].store(0, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of this test, distinguished from others by their second value.
    fn mine(mark: u64) -> Vec<TraceEntry> {
        snapshot().into_iter().filter(|entry| entry.second == mark).collect()
    }

    #[test]
    fn levels_decide() {
        point(Component::Wb, 1, 1, 0, 0xA1, "off");
        assert!(mine(0xA1).is_empty());
        set_level(Component::Wb, 1);
        point(Component::Wb, 1, 2, 0, 0xA1, "on");
        point(Component::Wb, 2, 3, 0, 0xA1, "too high");
        set_level(Component::Wb, 0);
        let entries = mine(0xA1);
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].number, entries[0].text.as_str(), entries[0].component), (2, "on", Component::Wb));
    }

    #[test]
    fn the_ring_keeps_the_newest() {
        let thread = std::thread::spawn(|| {
            let size = RING_ENTRIES.load(Ordering::Relaxed) as u64;
            for number in 0..size + 10 {
                write(Component::Ti, 9, number, 0xA2, b"abcdefghijklmnopqrstuvwxyz");
            }
            let entries = mine(0xA2);
            assert_eq!(entries.len() as u64, size);
            assert_eq!((entries[0].first, entries[0].text.len()), (10, TEXT_BYTES));
        });
        thread.join().unwrap();
    }
}
