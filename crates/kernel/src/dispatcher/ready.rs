//! Ready queues, and the tokens that represent the modes with a single TCB.
//!
//! Invariants: a task is in at most one queue. Order is by priority raised by one for each ageing interval waited (PRTYAGE), then first in,
//! first out; the order of two waiting tasks never changes, so a constant key expresses it. A token has at most one holder; the count of
//! waiters in its word never exceeds the number of tasks in its queue; a task that finds the token free while others wait may pass them at
//! most `PASSES_MAX` times in a row, so every waiter is served eventually.
//!
//! Asserted at each change. The tests below share a token between threads, also under Miri; `model` runs every order of their steps.

use crate::inquire::Peaks;
use crate::lock_order::{Ordered, rank};
use crate::words::{AtomicU32, AtomicU64};
use std::cmp::Ordering as Order;
use std::collections::BinaryHeap;
use std::sync::atomic::Ordering;

struct Entry<T> {
    key: i64,
    sequence: u64,
    ready_at: u64,
    priority: u8,
    task: T,
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Entry<T>) -> bool {
        self.cmp(other) == Order::Equal
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Entry<T>) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    // The heap returns the greatest entry first; the smallest key is the most urgent.
    fn cmp(&self, other: &Entry<T>) -> Order {
        (other.key, other.sequence).cmp(&(self.key, self.sequence))
    }
}

/// With ageing, urgency is the time of becoming ready less one interval for each point of priority.
fn key_of(ready_at: u64, priority: u8, aging_ticks: u64) -> i64 {
    match aging_ticks {
        0 => 255 - priority as i64,
        _ => (ready_at as i64).saturating_sub(priority as i64 * aging_ticks.min(1 << 50) as i64),
    }
}

struct Heap<T> {
    entries: BinaryHeap<Entry<T>>,
    sequence: u64,
    aging_ticks: u64,
    peak: u32,
    enqueued: u64,
    length_sum: u64,
}

/// Queue length figures.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QueueFigures {
    pub current: u32,
    pub peak: u32,
    pub average: f64,
}

pub(super) struct ReadyQueue<T> {
    heap: Ordered<Heap<T>, { rank::DISPATCHER }>,
    length: AtomicU32,
}

impl<T> Default for ReadyQueue<T> {
    fn default() -> ReadyQueue<T> {
        let heap = Heap { entries: BinaryHeap::new(), sequence: 0, aging_ticks: 0, peak: 0, enqueued: 0, length_sum: 0 };
        ReadyQueue { heap: Ordered::new(heap), length: AtomicU32::new(0) }
    }
}

impl<T> ReadyQueue<T> {
    pub fn push(&self, task: T, priority: u8, ready_at: u64) {
        self.push_then(task, priority, ready_at, |_| ());
    }

    /// Pushes, and runs `then` with the length while the queue is locked.
    fn push_then(&self, task: T, priority: u8, ready_at: u64, then: impl FnOnce(u32)) {
        let mut heap = self.heap.lock();
        let key = key_of(ready_at, priority, heap.aging_ticks);
        heap.sequence += 1;
        let sequence = heap.sequence;
        heap.entries.push(Entry { key, sequence, ready_at, priority, task });
        let length = heap.entries.len() as u32;
        heap.peak = heap.peak.max(length);
        heap.enqueued += 1;
        heap.length_sum += length as u64;
        self.length.store(length, Ordering::Release);
        then(length);
    }

    pub fn pop(&self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.pop_then(|_| ())
    }

    /// Pops, and runs `then` with the remaining length while the queue is locked.
    fn pop_then(&self, then: impl FnOnce(u32)) -> Option<T> {
        let mut heap = self.heap.lock();
        debug_assert_eq!(self.length.load(Ordering::Relaxed), heap.entries.len() as u32, "the length is known without the lock");
        let entry = heap.entries.pop()?;
        let length = heap.entries.len() as u32;
        self.length.store(length, Ordering::Release);
        then(length);
        Some(entry.task)
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length.load(Ordering::Acquire) == 0
    }

    /// Changes the ageing interval, also for the tasks waiting.
    pub fn set_aging(&self, aging_ticks: u64) {
        let mut heap = self.heap.lock();
        heap.aging_ticks = aging_ticks;
        let entries = std::mem::take(&mut heap.entries).into_vec();
        heap.entries =
            entries.into_iter().map(|entry| Entry { key: key_of(entry.ready_at, entry.priority, aging_ticks), ..entry }).collect();
    }

    /// Lengths since the interval began.
    pub fn figures(&self, peaks: Peaks) -> QueueFigures {
        let mut heap = self.heap.lock();
        let current = heap.entries.len() as u32;
        let average = if heap.enqueued == 0 { 0.0 } else { heap.length_sum as f64 / heap.enqueued as f64 };
        peaks.take(&mut heap.enqueued, 0);
        peaks.take(&mut heap.length_sum, 0);
        QueueFigures { current, peak: peaks.take(&mut heap.peak, current), average }
    }
}

const HELD: u64 = 1;
const WAITER: u64 = 2;
/// The number of times in a row that running tasks may take a free token ahead of queued ones.
const PASSES_MAX: u32 = 8;

/// The right to run under one mode of a single TCB. The word is the held bit and the count of queued tasks.
#[repr(align(128))]
pub(super) struct Token<T> {
    word: AtomicU64,
    /// Written only by a holder, on taking the token.
    passes: AtomicU32,
    queue: ReadyQueue<T>,
}

impl<T> Default for Token<T> {
    fn default() -> Token<T> {
        Token { word: AtomicU64::new(0), passes: AtomicU32::new(0), queue: ReadyQueue::default() }
    }
}

impl<T> Token<T> {
    /// A running task takes the token if it is free and queued tasks need not go first.
    #[inline]
    pub fn try_take(&self) -> bool {
        match self.word.compare_exchange(0, HELD, Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => true,
            Err(word) => word & HELD == 0 && self.try_pass(word),
        }
    }

    #[cold]
    fn try_pass(&self, word: u64) -> bool {
        let passes = self.passes.load(Ordering::Relaxed);
        if passes >= PASSES_MAX || self.word.compare_exchange(word, word | HELD, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return false;
        }
        self.passes.store(passes + 1, Ordering::Relaxed);
        debug_assert!(passes < PASSES_MAX && word / WAITER > 0, "a free token without waiters is taken at once");
        true
    }

    /// The holder releases the token; true if tasks are queued for it, so that a worker must be woken.
    #[inline]
    pub fn release(&self) -> bool {
        let word = self.word.fetch_and(!HELD, Ordering::AcqRel);
        debug_assert!(word & HELD != 0, "only a held token is released");
        word > HELD
    }

    /// Queues a task; true if the token was free, so that a worker must be woken. `first` runs under the queue's lock if the queue was
    /// empty.
    pub fn enqueue(&self, task: T, priority: u8, ready_at: u64, set_waiting: impl FnOnce()) -> bool {
        let mut free = false;
        self.queue.push_then(task, priority, ready_at, |length| {
            let before = self.word.fetch_add(WAITER, Ordering::AcqRel);
            debug_assert!(before / WAITER < length as u64, "waiters are counted after they are queued");
            free = before & HELD == 0;
            set_waiting();
        });
        free
    }

    /// A worker takes the token for the most urgent queued task, if the token is free and one is queued. `clear_waiting` runs
    /// under the queue's lock if the queue became empty.
    pub fn take_queued(&self, clear_waiting: impl FnOnce()) -> Option<T> {
        let mut word = self.word.load(Ordering::Relaxed);
        loop {
            if word & HELD != 0 || word < WAITER {
                return None;
            }
            match self.word.compare_exchange_weak(word, (word | HELD) - WAITER, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => word = now,
            }
        }
        self.passes.store(0, Ordering::Relaxed);
        let task = self.queue.pop_then(|length| {
            // Others may already have been subtracted while they wait for the queue's lock; every counted task is in the queue.
            debug_assert!(self.word.load(Ordering::Relaxed) / WAITER <= length as u64, "waiters are counted after they are queued");
            if length == 0 {
                clear_waiting();
            }
        });
        debug_assert!(task.is_some(), "waiters are counted after they are queued");
        task
    }

    /// Free, and somebody is queued.
    #[inline]
    pub fn has_work(&self) -> bool {
        let word = self.word.load(Ordering::Acquire);
        word & HELD == 0 && word >= WAITER
    }

    pub fn is_held(&self) -> bool {
        self.word.load(Ordering::Relaxed) & HELD != 0
    }

    pub fn queue(&self) -> &ReadyQueue<T> {
        &self.queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ageing_lifts_a_low_priority() {
        let aging = 1000;
        let (low, high) = (key_of(0, 10, aging), key_of(5_000, 20, aging));
        assert!(high < low, "ten points are worth ten intervals");
        assert!(key_of(0, 10, aging) < key_of(10_001, 20, aging));
        assert!(key_of(0, 10, 0) > key_of(u64::MAX / 4, 20, 0), "without ageing only priority counts");
    }

    #[test]
    fn keys_do_not_overflow() {
        assert!(key_of(u64::MAX / 2, 255, u64::MAX) < key_of(u64::MAX / 2, 0, u64::MAX));
    }

    #[test]
    fn a_token_has_one_holder() {
        let token = Token::<()>::default();
        assert!(token.try_take());
        assert!(!token.try_take());
        assert!(!token.release());
        assert!(token.take_queued(|| ()).is_none());
        assert!(token.try_take());
    }

    #[test]
    fn the_most_urgent_comes_first_and_equals_in_order() {
        let queue = ReadyQueue::default();
        for (task, priority) in [("c", 5), ("a", 9), ("d", 5), ("b", 9)] {
            queue.push(task, priority, 100);
        }
        queue.push("e", 1, 0);
        assert_eq!(std::iter::from_fn(|| queue.pop()).collect::<String>(), "abcde");
        assert!(queue.is_empty());
        let figures = queue.figures(Peaks::Keep);
        assert_eq!((figures.current, figures.peak, figures.average), (0, 5, 3.0));
    }

    /// Threads take a free token, queue for a held one, and take it for queued tasks: there is one holder at a time, and no task is
    /// forgotten.
    #[test]
    fn threads_share_a_token() {
        const THREADS: u32 = 3;
        let rounds = if cfg!(miri) { 60 } else { 20_000 };
        let token = Token::default();
        let (inside, served, wanted) = (AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0));
        let hold = || {
            assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0, "a token has one holder");
            served.fetch_add(1, Ordering::Relaxed);
            assert_eq!(inside.fetch_sub(1, Ordering::Relaxed), 1);
            token.release()
        };
        let serve = || {
            while let Some(()) = token.take_queued(|| wanted.store(0, Ordering::Relaxed)) {
                hold();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for round in 0..rounds {
                        let must_look =
                            if token.try_take() { hold() } else { token.enqueue((), 1, round, || wanted.store(1, Ordering::Relaxed)) };
                        if must_look {
                            serve();
                        }
                    }
                });
            }
        });
        // A holder that releases the token reports whether tasks are queued, so at the end none is.
        assert_eq!((served.load(Ordering::Relaxed), token.has_work(), token.queue().is_empty()), (THREADS * rounds as u32, false, true));
        assert_eq!(wanted.load(Ordering::Relaxed), 0);
    }
}
