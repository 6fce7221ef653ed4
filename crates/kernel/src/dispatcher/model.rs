//! Every order of the steps of a few threads that wait, post, time out, purge, and hand QR on: no wake-up is lost, a wait ends once and for
//! the reason of who ended it, and one task at a time has the token. The code is that of the dispatcher (see `interleave`).

use super::ready::Token;
use super::timer::Timers;
use crate::inquire::TaskId;
use crate::interleave::{explore, step, wait_until};
use crate::name::{Name, Name8};
use crate::task::wait_word::{Fired, WaitWord};
use crate::task::{Attributes, ControlBlock};
use crate::wait::{Purge, Resumed, Wait};
use crate::words::{AtomicU32, AtomicU64};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Preemptions of one schedule. Known races of this kind of code need at most two (Musuvathi and Qadeer).
const PREEMPTIONS: usize = 3;

type Body = Box<dyn FnOnce() + Send>;

fn body<S: Send + Sync + 'static>(state: &Arc<S>, thread: impl FnOnce(&S) + Send + 'static) -> Body {
    let state = state.clone();
    Box::new(move || thread(&state))
}

/// A wait, and what became of it.
#[derive(Default)]
struct World {
    word: WaitWord,
    /// Set by who ended the wait of a sleeping task.
    ready: AtomicU32,
    ended_by: Mutex<Vec<Resumed>>,
    resumed: Mutex<Vec<Option<Resumed>>>,
}

impl World {
    fn fire(&self, number: u64, reason: Resumed) {
        match self.word.fire(number, reason) {
            Fired::TooLate => return,
            Fired::Awake => {}
            Fired::Asleep => assert_eq!(self.ready.swap(1, Ordering::SeqCst), 0, "a task is made ready once"),
        }
        self.ended_by.lock().unwrap().push(reason);
    }

    fn sleep(&self) {
        if self.word.fall_asleep() {
            wait_until(|| (self.ready.peek() == 1).then_some(()));
            self.ready.store(0, Ordering::SeqCst);
        }
        self.resumed.lock().unwrap().push(self.word.close());
    }
}

#[test]
fn a_wait_that_is_posted_and_times_out_ends_once() {
    let make = || {
        let world = Arc::new(World::default());
        let first = world.word.open();
        let task = body(&world, |world: &World| {
            world.sleep();
            // Late wakers of the first wait do not end the second.
            world.word.open();
            step();
            world.resumed.lock().unwrap().push(world.word.close());
        });
        let poster = body(&world, move |world: &World| world.fire(first, Resumed::Posted(7)));
        let timer = body(&world, move |world: &World| world.fire(first, Resumed::TimedOut));
        (world, vec![task, poster, timer])
    };
    let schedules = explore(PREEMPTIONS, make, |world| {
        let ended_by = world.ended_by.lock().unwrap();
        assert_eq!(ended_by.len(), 1, "one of two wakers ends a wait");
        assert_eq!(*world.resumed.lock().unwrap(), [Some(ended_by[0]), None]);
    });
    assert!(schedules > 100, "{schedules}");
}

fn block() -> ControlBlock {
    ControlBlock::new(Attributes {
        id: TaskId(1),
        transaction: Name::<4>::new("MODL"),
        class: Name8::BLANK,
        system: false,
        priority: 1,
        purgeable: true,
        runaway: Duration::ZERO,
    })
}

/// A task that waits, as [`super::core::Task::suspend`] and the worker do it.
struct Purged {
    block: ControlBlock,
    world: World,
}

impl Purged {
    fn end(&self, number: u64, reason: Resumed) {
        if self.block.wait.fire(number, reason) == Fired::Asleep {
            assert_eq!(self.world.ready.swap(1, Ordering::SeqCst), 0, "a task is made ready once");
        }
    }

    fn purge_asleep(&self) {
        if let Some((sequence, purge)) = self.block.purge_of_sleep() {
            self.end(sequence, Resumed::Purged(purge));
        }
    }

    fn wait(&self) {
        self.block.note_wait(&Wait::new("MODEL"));
        let reason = match self.block.applicable_purge() {
            Some(purge) => self.block.wait.close().unwrap_or(Resumed::Purged(purge)),
            None => {
                if self.block.wait.fall_asleep() {
                    self.purge_asleep();
                    wait_until(|| (self.world.ready.peek() == 1).then_some(()));
                    self.world.ready.store(0, Ordering::SeqCst);
                }
                self.block.wait.close().expect("a task that sleeps is resumed by the end of its wait")
            }
        };
        if matches!(reason, Resumed::Purged(_)) {
            self.block.exec_state().purge_delivered();
        }
        self.world.resumed.lock().unwrap().push(Some(reason));
    }

    fn purge(&self, purge: Purge) {
        self.block.exec_state().purge_pending.fetch_max(purge as u8, Ordering::SeqCst);
        self.purge_asleep();
    }
}

/// Purger and worker both look after both have written: whoever is second ends the wait.
#[test]
fn a_purge_that_races_with_the_wait_reaches_the_task() {
    for strength in [Purge::Purge, Purge::ForcePurge, Purge::Kill] {
        let make = || {
            let purged = Arc::new(Purged { block: block(), world: World::default() });
            purged.block.wait.open();
            let task = body(&purged, Purged::wait);
            let purger = body(&purged, move |purged: &Purged| purged.purge(strength));
            (purged, vec![task, purger])
        };
        let schedules = explore(PREEMPTIONS, make, |purged| {
            assert_eq!(*purged.world.resumed.lock().unwrap(), [Some(Resumed::Purged(strength))]);
        });
        assert!(schedules > 10, "{schedules}");
    }
}

/// With a poster besides: the wait ends for one of the two, never for both and never not at all.
#[test]
fn a_wait_that_is_posted_and_purged_ends_for_one_of_them() {
    let make = || {
        let purged = Arc::new(Purged { block: block(), world: World::default() });
        let number = purged.block.wait.open();
        let task = body(&purged, Purged::wait);
        let purger = body(&purged, |purged: &Purged| purged.purge(Purge::Purge));
        let poster = body(&purged, move |purged: &Purged| purged.end(number, Resumed::Posted(3)));
        (purged, vec![task, purger, poster])
    };
    let reasons = Mutex::new(Vec::new());
    explore(PREEMPTIONS, make, |purged| {
        let resumed = purged.world.resumed.lock().unwrap();
        let [Some(reason)] = resumed[..] else { panic!("{resumed:?}") };
        reasons.lock().unwrap().push(reason);
    });
    let reasons = reasons.into_inner().unwrap();
    for reason in [Resumed::Posted(3), Resumed::Purged(Purge::Purge)] {
        assert!(reasons.contains(&reason), "{reason:?} ends it in some schedule");
    }
}

/// Two waits, one after the other; the number of the second is known when it is opened.
struct Twice {
    purged: Purged,
    second: AtomicU64,
}

/// A purge ends the wait that it finds, or the next one; it does not end two, and what it has not ended finds it pending.
#[test]
fn a_purge_ends_one_of_two_waits_or_stays_pending() {
    let make = || {
        let purged = Purged { block: block(), world: World::default() };
        let twice = Arc::new(Twice { purged, second: AtomicU64::new(u64::MAX) });
        let first = twice.purged.block.wait.open();
        let task = body(&twice, |twice: &Twice| {
            twice.purged.wait();
            twice.second.store(twice.purged.block.wait.open(), Ordering::SeqCst);
            twice.purged.wait();
        });
        let purger = body(&twice, |twice: &Twice| twice.purged.purge(Purge::Purge));
        let poster = body(&twice, move |twice: &Twice| {
            twice.purged.end(first, Resumed::Posted(1));
            wait_until(|| (twice.second.peek() != u64::MAX).then_some(()));
            twice.purged.end(twice.second.peek(), Resumed::Posted(2));
        });
        (twice, vec![task, purger, poster])
    };
    let seen = Mutex::new(Vec::new());
    let purge = Resumed::Purged(Purge::Purge);
    explore(2, make, |twice| {
        let resumed = twice.purged.world.resumed.lock().unwrap();
        let [Some(first), Some(second)] = resumed[..] else { panic!("{resumed:?}") };
        let is_pending = twice.purged.block.exec_state().pending_purge().is_some();
        match (first == purge, second == purge) {
            (false, false) => assert_eq!((first, second, is_pending), (Resumed::Posted(1), Resumed::Posted(2), true)),
            (true, false) => assert_eq!((second, is_pending), (Resumed::Posted(2), false)),
            (false, true) => assert_eq!((first, is_pending), (Resumed::Posted(1), false)),
            (true, true) => panic!("one purge has ended two waits"),
        }
        seen.lock().unwrap().push((first == purge, second == purge));
    });
    let seen = seen.into_inner().unwrap();
    for outcome in [(false, false), (true, false), (false, true)] {
        assert!(seen.contains(&outcome), "{outcome:?} in some schedule");
    }
}

/// A wait with a time limit: the timer wheel of the dispatcher, with the numbers of the waits that its timers end.
struct Timed {
    purged: Purged,
    timers: Timers<u64>,
    set: AtomicU32,
}

const LIMIT: Duration = Duration::from_secs(1);

impl Timed {
    /// As [`super::core::Task::suspend`]: the timer is set before the task sleeps, and cancelled unless it ended the wait.
    fn wait(&self, number: u64) {
        let timer = self.timers.insert(LIMIT, number);
        self.set.store(1, Ordering::SeqCst);
        self.purged.wait();
        let resumed = *self.purged.world.resumed.lock().unwrap().last().expect("the wait has ended");
        if resumed != Some(Resumed::TimedOut) {
            self.timers.cancel(timer);
        }
        // A timer that was due when it was to be cancelled does not end the next wait.
        self.purged.block.wait.open();
        step();
        self.purged.world.resumed.lock().unwrap().push(self.purged.block.wait.close());
    }

    fn timer_thread(&self) {
        wait_until(|| (self.set.peek() == 1).then_some(()));
        for number in self.timers.take_due(LIMIT * 2) {
            self.purged.end(number, Resumed::TimedOut);
        }
    }
}

/// Purger, timer wheel and perhaps a poster at once: one of them ends the wait, no timer is left behind, and none ends a later wait.
fn explore_timed(preemptions: usize, is_posted: bool, expected: &[Resumed]) {
    let make = || {
        let purged = Purged { block: block(), world: World::default() };
        let timed = Arc::new(Timed { purged, timers: Timers::new(), set: AtomicU32::new(0) });
        let number = timed.purged.block.wait.open();
        let task = body(&timed, move |timed: &Timed| timed.wait(number));
        let timer = body(&timed, Timed::timer_thread);
        let purger = body(&timed, |timed: &Timed| timed.purged.purge(Purge::Purge));
        let poster = body(&timed, move |timed: &Timed| timed.purged.end(number, Resumed::Posted(3)));
        let threads = [task, timer, purger].into_iter().chain(is_posted.then_some(poster)).collect();
        (timed, threads)
    };
    let reasons = Mutex::new(Vec::new());
    let schedules = explore(preemptions, make, |timed| {
        let resumed = timed.purged.world.resumed.lock().unwrap();
        let [Some(reason), None] = resumed[..] else { panic!("{resumed:?}") };
        reasons.lock().unwrap().push(reason);
        assert_eq!(timed.timers.count(), 0, "{reason:?}");
    });
    let reasons = reasons.into_inner().unwrap();
    for reason in expected {
        assert!(reasons.contains(reason), "{reason:?} ends it in some schedule");
    }
    assert!(schedules > 100, "{schedules}");
}

#[test]
fn a_wait_that_is_purged_and_timed_ends_for_one_of_them_and_leaves_no_timer() {
    explore_timed(2, false, &[Resumed::Purged(Purge::Purge), Resumed::TimedOut]);
}

/// The schedules of four threads are many: one preemption.
#[test]
fn a_wait_that_is_posted_purged_and_timed_ends_for_one_of_them_and_leaves_no_timer() {
    explore_timed(1, true, &[Resumed::Posted(3), Resumed::Purged(Purge::Purge), Resumed::TimedOut]);
}

/// QR: tasks that take the token or queue for it, and a worker that serves the queue.
#[derive(Default)]
struct Quasi {
    token: Token<u32>,
    inside: AtomicU32,
    served: AtomicU32,
    notified: AtomicU32,
}

impl Quasi {
    fn run(&self) {
        assert_eq!(self.inside.swap(1, Ordering::SeqCst), 0, "one task at a time is active on QR");
        self.inside.store(0, Ordering::SeqCst);
        self.served.fetch_add(1, Ordering::SeqCst);
    }

    fn notify(&self) {
        self.notified.fetch_add(1, Ordering::SeqCst);
    }

    /// A task that changes to QR: it goes on at once, or is queued.
    fn change_to_qr(&self, number: u32) {
        if self.token.try_take() {
            self.run();
            if self.token.release() {
                self.notify();
            }
        } else if self.token.enqueue(number, 1, u64::from(number), || ()) {
            self.notify();
        }
    }

    fn serve(&self, tasks: u32) {
        while self.served.peek() < tasks {
            let seen = self.notified.peek();
            if self.token.take_queued(|| ()).is_some() {
                self.run();
                self.token.release();
            } else {
                wait_until(|| (self.notified.peek() > seen || self.served.peek() == tasks).then_some(()));
            }
        }
    }
}

#[test]
fn no_task_that_queues_for_qr_is_forgotten() {
    const TASKS: u32 = 2;
    let make = || {
        let quasi = Arc::new(Quasi::default());
        let tasks = (0..TASKS).map(|number| body(&quasi, move |quasi: &Quasi| quasi.change_to_qr(number)));
        let mut threads: Vec<Body> = tasks.collect();
        threads.push(body(&quasi, |quasi: &Quasi| quasi.serve(TASKS)));
        (quasi, threads)
    };
    let schedules = explore(PREEMPTIONS, make, |quasi| {
        assert_eq!(quasi.served.peek(), TASKS);
        assert!(!quasi.token.is_held() && quasi.token.queue().is_empty());
    });
    assert!(schedules > 100, "{schedules}");
}
