//! Runs threads in every order of their steps: a step is one access to an atomic word, or one attempt to take a lock.
//!
//! The unit tests of this crate are built with the atomic words below in place of the standard ones ([`crate::words`]), and with locks that
//! ask here, so what is explored is the code of the dispatcher itself. Threads that are not explored pass through. An exploration runs its
//! threads again and again, one at a time, and takes another turn at the last decision that has one left, until none has: a depth-first search
//! over all schedules with at most so many preemptions (Musuvathi and Qadeer, "Iterative context bounding").
//!
//! Steps are sequentially consistent: reorderings of the processor are not explored. The stress tests and Miri, which run the same code, are
//! for those.
//!
//! Invariants: one explored thread runs at a time; the others wait in [`step`]. A thread that is blocked runs again only after another has
//! made a step, and when all are blocked the exploration fails.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};

/// Steps of one execution, beyond which a schedule is taken for endless.
const STEPS_MAX: usize = 10_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Ready,
    Blocked,
    Done,
}

/// A decision: the turn taken, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Decision {
    taken: usize,
    turns: usize,
}

struct Run {
    threads: Vec<Status>,
    current: Option<usize>,
    path: Vec<Decision>,
    at: usize,
    preemptions_left: usize,
    steps: usize,
    failed: bool,
}

struct Scheduler {
    run: Mutex<Run>,
    changed: Condvar,
}

thread_local! {
    /// The scheduler of an explored thread, and its number.
    static ME: Cell<Option<(&'static Scheduler, usize)>> = const { Cell::new(None) };
}

impl Run {
    /// Chooses who goes on; `me` has reached a step, is blocked or is done.
    fn choose(&mut self, me: Option<usize>) {
        self.steps += 1;
        assert!(self.steps < STEPS_MAX, "a schedule without an end");
        let goes_on = me.filter(|me| self.threads[*me] == Status::Ready);
        let others = (0..self.threads.len()).filter(|other| Some(*other) != goes_on && self.threads[*other] == Status::Ready);
        let mut turns: Vec<usize> = goes_on.into_iter().collect();
        if goes_on.is_none() || self.preemptions_left > 0 {
            turns.extend(others);
        }
        if turns.is_empty() {
            assert!(self.threads.iter().all(|status| *status == Status::Done), "every thread is blocked: {:?}", self.threads);
            self.current = None;
            return;
        }
        let taken = match self.path.get(self.at) {
            Some(decision) => {
                assert_eq!(decision.turns, turns.len(), "threads do the same in the same schedule");
                decision.taken
            }
            None => {
                self.path.push(Decision { taken: 0, turns: turns.len() });
                0
            }
        };
        self.at += 1;
        if goes_on.is_some() && taken > 0 {
            self.preemptions_left -= 1;
        }
        self.current = Some(turns[taken]);
    }
}

impl Scheduler {
    /// Gives up the turn, and waits for the next.
    fn turn(&self, me: usize, status: Status) {
        let mut run = self.run.lock().unwrap_or_else(|broken| broken.into_inner());
        run.threads[me] = status;
        if status != Status::Blocked {
            // What this thread did since its last step may be what others wait for.
            run.threads.iter_mut().filter(|other| **other == Status::Blocked).for_each(|other| *other = Status::Ready);
        }
        run.choose(Some(me));
        self.changed.notify_all();
        while status != Status::Done && run.current != Some(me) {
            assert!(!run.failed, "another thread has failed");
            run = self.changed.wait(run).unwrap_or_else(|broken| broken.into_inner());
        }
    }

    fn wait_for_first_turn(&self, me: usize) {
        let mut run = self.run.lock().unwrap_or_else(|broken| broken.into_inner());
        while run.current != Some(me) && !run.failed {
            run = self.changed.wait(run).unwrap_or_else(|broken| broken.into_inner());
        }
    }
}

/// An explored thread is about to access what others access.
pub(crate) fn step() {
    if let Some((scheduler, me)) = ME.get() {
        scheduler.turn(me, Status::Ready);
    }
}

/// An explored thread waits until `attempt` has a result; `None` for any other thread.
pub(crate) fn wait_until<T>(mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let (scheduler, me) = ME.get()?;
    scheduler.turn(me, Status::Ready);
    loop {
        if let Some(found) = attempt() {
            return Some(found);
        }
        scheduler.turn(me, Status::Blocked);
    }
}

type Body = Box<dyn FnOnce() + Send>;

/// Runs the threads that `make` makes in every schedule with at most `preemptions`, and `check` after each; returns how many there were.
///
/// # Panics
///
/// If a thread or the check panics in any schedule, or all threads are blocked.
pub(crate) fn explore<S: Send + Sync + 'static>(preemptions: usize, make: impl Fn() -> (Arc<S>, Vec<Body>), check: impl Fn(&S)) -> usize {
    let mut path: Vec<Decision> = Vec::new();
    for executions in 1.. {
        let (state, bodies) = make();
        let threads = vec![Status::Ready; bodies.len()];
        let run = Run { threads, current: None, path, at: 0, preemptions_left: preemptions, steps: 0, failed: false };
        let scheduler: &'static Scheduler = Box::leak(Box::new(Scheduler { run: Mutex::new(run), changed: Condvar::new() }));
        scheduler.run.lock().unwrap().choose(None);
        let spawned: Vec<_> =
            bodies.into_iter().enumerate().map(|(me, body)| std::thread::spawn(move || explored(scheduler, me, body))).collect();
        let results: Vec<_> = spawned.into_iter().map(|thread| thread.join()).collect();
        let mut run = scheduler.run.lock().unwrap_or_else(|broken| broken.into_inner());
        path = std::mem::take(&mut run.path);
        let turns: Vec<usize> = path.iter().map(|decision| decision.taken).collect();
        assert!(results.iter().all(Result::is_ok), "schedule {executions}: {turns:?}");
        check(&state);
        while path.last().is_some_and(|decision| decision.taken + 1 == decision.turns) {
            path.pop();
        }
        match path.last_mut() {
            Some(decision) => decision.taken += 1,
            None => return executions,
        }
    }
    unreachable!("the range has no end")
}

fn explored(scheduler: &'static Scheduler, me: usize, body: Body) {
    /// Lets the others go when the body panics.
    struct End(&'static Scheduler, usize);
    impl Drop for End {
        fn drop(&mut self) {
            ME.set(None);
            if std::thread::panicking() {
                self.0.run.lock().unwrap_or_else(|broken| broken.into_inner()).failed = true;
                self.0.changed.notify_all();
            } else {
                self.0.turn(self.1, Status::Done);
            }
        }
    }
    let _end = End(scheduler, me);
    scheduler.wait_for_first_turn(me);
    ME.set(Some((scheduler, me)));
    body();
}

macro_rules! word {
    ($name:ident, $value:ty) => {
        /// The standard word, with a step before each access.
        #[derive(Default, Debug)]
        #[repr(transparent)]
        pub(crate) struct $name(std::sync::atomic::$name);

        #[allow(dead_code)]
        impl $name {
            pub const fn new(value: $value) -> Self {
                Self(std::sync::atomic::$name::new(value))
            }

            /// The value, without a step: for conditions of [`wait_until`].
            pub fn peek(&self) -> $value {
                self.0.load(Ordering::SeqCst)
            }

            pub fn load(&self, order: Ordering) -> $value {
                step();
                self.0.load(order)
            }

            pub fn store(&self, value: $value, order: Ordering) {
                step();
                self.0.store(value, order)
            }

            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                step();
                self.0.swap(value, order)
            }

            pub fn fetch_add(&self, value: $value, order: Ordering) -> $value {
                step();
                self.0.fetch_add(value, order)
            }

            pub fn fetch_sub(&self, value: $value, order: Ordering) -> $value {
                step();
                self.0.fetch_sub(value, order)
            }

            pub fn fetch_and(&self, value: $value, order: Ordering) -> $value {
                step();
                self.0.fetch_and(value, order)
            }

            pub fn fetch_max(&self, value: $value, order: Ordering) -> $value {
                step();
                self.0.fetch_max(value, order)
            }

            pub fn compare_exchange(&self, from: $value, to: $value, done: Ordering, failed: Ordering) -> Result<$value, $value> {
                step();
                self.0.compare_exchange(from, to, done, failed)
            }

            /// Never fails without a reason: a spurious failure would only repeat the loop.
            pub fn compare_exchange_weak(&self, from: $value, to: $value, done: Ordering, failed: Ordering) -> Result<$value, $value> {
                self.compare_exchange(from, to, done, failed)
            }
        }
    };
}

word!(AtomicU8, u8);
word!(AtomicU32, u32);
word!(AtomicU64, u64);

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies<S: Send + Sync + 'static>(state: &Arc<S>, threads: &[fn(&S)]) -> Vec<Body> {
        let body = |thread: &fn(&S)| {
            let (state, thread) = (state.clone(), *thread);
            Box::new(move || thread(&state)) as Body
        };
        threads.iter().map(body).collect()
    }

    /// Two threads that add one by a load and a store lose one addition in some schedules.
    #[test]
    fn every_order_of_two_steps_of_two_threads_is_run() {
        let add: fn(&AtomicU32) = |word| {
            let value = word.load(Ordering::SeqCst);
            word.store(value + 1, Ordering::SeqCst);
        };
        let sums = Mutex::new(Vec::new());
        let make = || {
            let word = Arc::new(AtomicU32::new(0));
            let threads = bodies(&word, &[add, add]);
            (word, threads)
        };
        let executions = explore(9, make, |word| sums.lock().unwrap().push(word.0.load(Ordering::SeqCst)));
        let sums = sums.into_inner().unwrap();
        assert_eq!(executions, sums.len());
        assert!(sums.contains(&1) && sums.contains(&2), "{sums:?}");
        // Without a preemption each thread runs to its end.
        let in_turn = explore(0, make, |word| assert_eq!(word.0.load(Ordering::SeqCst), 2));
        assert!(in_turn < executions, "{in_turn} {executions}");
    }

    #[test]
    fn threads_that_wait_for_each_other_are_found() {
        type Two = [AtomicU32; 2];
        let first: fn(&Two) = |words| {
            wait_until(|| (words[0].0.load(Ordering::SeqCst) == 1).then_some(()));
            words[1].store(1, Ordering::SeqCst);
        };
        let second: fn(&Two) = |words| {
            wait_until(|| (words[1].0.load(Ordering::SeqCst) == 1).then_some(()));
            words[0].store(1, Ordering::SeqCst);
        };
        let make = || {
            let words = Arc::new(Two::default());
            let threads = bodies(&words, &[first, second]);
            (words, threads)
        };
        assert!(std::panic::catch_unwind(|| explore(2, make, |_| ())).is_err());
    }
}
