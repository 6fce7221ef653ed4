//! Stress test: tasks change modes, wait, are resumed, time out, are purged, attach others, get storage and abend, on more workers than
//! processors; the counts must come out exactly. Also fairness: equal tasks get about equal shares.

use kernel::storage::{Getmain, Storage, StorageConfig};
use kernel::{
    Abend, AttachRequest, Config, Departure, Dispatcher, Ecb, Mode, Pool, Purge, Resumed, Stop, Task, Wait, Waker, guarded_call, raise,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testing::Random;

const LONG: Duration = Duration::from_secs(120);
const USER: Wait = Wait::new("USERWAIT");

#[derive(Default)]
struct World {
    sleepers: Mutex<Vec<Waker>>,
    sleeping: AtomicU64,
    woken: AtomicU64,
    timed_out: AtomicU64,
    purged: AtomicU64,
    abends: AtomicU64,
    steps: AtomicU64,
    children: AtomicU64,
    inside: [AtomicBool; 9],
}

/// Abends. No frame between it and the recovery point needs a destructor.
unsafe extern "C" fn raiser(_: usize, _: usize, _: usize, _: usize) -> u64 {
    unsafe { raise(Box::new(Abend::new("STRM", 0))) }
}

impl World {
    /// Runs work under a single mode and checks that no one else does at the same time.
    fn exclusive(&self, task: &Task, mode: Mode) {
        if task.change_mode(mode).is_ok() && mode.is_single() {
            assert!(!self.inside[mode as usize].swap(true, Ordering::SeqCst), "two tasks under {}", mode.name());
            std::hint::spin_loop();
            self.inside[mode as usize].store(false, Ordering::SeqCst);
        }
    }

    fn sleep(&self, task: &Task, timeout: Option<Duration>) {
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        let waker = task.waker();
        // The shortest delays are left to the timer alone.
        if timeout != Some(Duration::from_millis(1)) {
            self.sleepers.lock().unwrap().push(waker);
        }
        let reason = task.suspend(&Wait { timeout, ..USER });
        let counter = match reason {
            Resumed::Posted(_) => &self.woken,
            Resumed::TimedOut => &self.timed_out,
            Resumed::Purged(_) => &self.purged,
        };
        counter.fetch_add(1, Ordering::SeqCst);
    }

    /// A program that abends at a recovery point of its own. Its task goes on.
    fn abend(&self) {
        let ended = unsafe { guarded_call(raiser, [0; 4]) };
        assert!(matches!(ended, Err(Departure::Abend(_))), "the abend reaches the recovery point");
        self.abends.fetch_add(1, Ordering::SeqCst);
    }

    fn wake_some(&self, count: usize) {
        let wakers: Vec<_> = {
            let mut sleepers = self.sleepers.lock().unwrap();
            let keep = sleepers.len().saturating_sub(count);
            sleepers.split_off(keep)
        };
        for waker in wakers {
            waker.resume();
        }
    }
}

fn body(task: &Task, world: &Arc<World>, storage: &Storage, seed: u64, steps: u64) {
    let mut random = Random::new(seed);
    let mut own = storage.task(task.number());
    let mut addresses = Vec::new();
    for _ in 0..steps {
        world.steps.fetch_add(1, Ordering::Relaxed);
        match random.below(12) {
            0 => world.exclusive(task, Mode::Ro),
            1 => world.exclusive(task, Mode::Fo),
            2 | 3 => world.exclusive(task, Mode::Qr),
            4 | 5 => {
                // Each task holds at most one open mode, and none of another pool meanwhile: tasks that hold one and wait for another could
                // deadlock.
                task.change_mode(Mode::Qr).unwrap();
                let held = [Mode::L8, Mode::L9, Mode::X8, Mode::X9][seed as usize % 4];
                let _ = task.change_mode([held, held, Mode::S8, Mode::Ep, Mode::T8][random.below(5) as usize]);
            }
            6 => world.sleep(task, Some(Duration::from_millis(1 + random.below(5)))),
            7 => world.sleep(task, None),
            8 => world.wake_some(1 + random.below(8) as usize),
            9 if random.below(4) == 0 => world.abend(),
            9 => task.relinquish(),
            10 => addresses.push(own.getmain(Getmain::user(1 + random.below(3000) as usize)).unwrap()),
            _ => {
                if let Some(address) = addresses.pop() {
                    own.freemain(address).unwrap();
                }
                if random.below(40) == 0 {
                    let value = task.run_blocking(&USER, || random.below(1000) + 1);
                    assert!(value <= 1000);
                }
                if random.below(20) == 0 {
                    let world = world.clone();
                    let request = AttachRequest::new("CHLD", move |_| {
                        world.children.fetch_sub(1, Ordering::SeqCst);
                    });
                    world_child(task, request, &mut random);
                }
            }
        }
    }
    assert_eq!(own.end(), []);
    task.change_mode(Mode::Qr).unwrap();
}

fn world_child(task: &Task, request: AttachRequest, random: &mut Random) {
    let priority = random.below(256) as u8;
    // Refused attaches never run their entry, so only accepted ones are counted.
    task.dispatcher().attach(request.priority(priority)).unwrap();
}

/// Seconds of storms; one storm if it is not set.
const SECONDS: &str = "REGENT_STRESS_SECONDS";

#[test]
fn counts_match_after_a_storm_of_operations() {
    let seconds = std::env::var(SECONDS).ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(0);
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut storms = 0;
    while storms == 0 || Instant::now() < until {
        storm(storms);
        storms += 1;
    }
}

/// One storm: what it does depends on the seed and on the threads.
fn storm(seed: u64) {
    const TASKS: u64 = 200;
    const STEPS: u64 = 200;
    let storage = Storage::start(StorageConfig::default()).unwrap();
    let config = Config { workers: 4, max_tasks: 64, pool_limits: [20, 4, 8, 4], stack_bytes: 64 * 1024, ..Config::default() };
    let dispatcher = Dispatcher::start(config).unwrap();
    let world = Arc::new(World::default());
    world.children.store(u64::MAX / 2, Ordering::SeqCst);
    let tasks: Vec<_> = (0..TASKS)
        .map(|number| {
            let (world, storage) = (world.clone(), storage.clone());
            let seed = seed * TASKS + number;
            let request = AttachRequest::new("STRM", move |task| body(task, &world, &storage, seed, STEPS));
            dispatcher.attach(request.priority((number % 7) as u8)).unwrap()
        })
        .collect();
    let mut random = Random::new(99 + seed);
    let deadline = Instant::now() + LONG;
    // The driver wakes, purges and changes limits until all have ended.
    let mut round = 0;
    while !tasks.iter().all(|task| task.join(Duration::ZERO)) {
        assert!(Instant::now() < deadline, "{:?}", dispatcher.tasks());
        world.wake_some(4);
        if random.below(8) == 0 {
            // Only tasks that have started, so that the count of steps is exact.
            let victim = &tasks[random.below(TASKS) as usize];
            if victim.times().dispatches > 0 {
                victim.purge([Purge::Purge, Purge::ForcePurge][random.below(2) as usize]);
            }
        }
        round += 1;
        dispatcher.set_max_tasks([64, 20, 100][round % 3]);
        dispatcher.set_pool_limit(Pool::Open, [20, 5][round % 2]);
        dispatcher.set_priority_aging(Duration::from_millis([0, 1, 1000][round % 3]));
        drop((dispatcher.tasks(), dispatcher.statistics()));
        std::thread::sleep(Duration::from_micros(200));
    }
    assert!(tasks.iter().all(|task| !task.has_panicked()));
    let count = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
    assert_eq!(count(&world.steps), TASKS * STEPS);
    assert_eq!(count(&world.sleeping), count(&world.woken) + count(&world.timed_out) + count(&world.purged));
    assert!(count(&world.abends) > 0);
    assert!(count(&world.woken) > 0 && count(&world.timed_out) > 0, "{} {}", count(&world.woken), count(&world.timed_out));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
    let statistics = dispatcher.statistics();
    assert_eq!((statistics.tasks_current, statistics.max_tasks.active_current, statistics.max_tasks.queued_current), (0, 0, 0));
    assert!(statistics.pools.iter().all(|pool| pool.in_use_current == 0 && pool.delayed_current == 0), "{:?}", statistics.pools);
    let ran = u64::MAX / 2 - count(&world.children);
    assert_eq!(statistics.max_tasks.attaches_user, TASKS + ran, "every child attached has run");
    assert!(storage.statistics().dsas.iter().all(|dsa| dsa.used == 0 && dsa.violations == 0));
}

/// Trips of equal tasks in a fixed time: least and most.
fn shares(workers: usize, tasks: usize, work: fn(&Task, &AtomicBool, &AtomicU64)) -> (u64, u64) {
    let dispatcher = Dispatcher::start(Config { workers, ..Config::default() }).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let trips: Arc<Vec<AtomicU64>> = Arc::new((0..tasks).map(|_| AtomicU64::new(0)).collect());
    let start = Ecb::new();
    let all: Vec<_> = (0..tasks)
        .map(|index| {
            let (stop, trips, start) = (stop.clone(), trips.clone(), start.clone());
            let request = AttachRequest::new("FAIR", move |task| {
                task.wait_ecb(&start, &USER);
                work(task, &stop, &trips[index]);
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    start.post(0);
    std::thread::sleep(Duration::from_millis(500));
    stop.store(true, Ordering::SeqCst);
    assert!(all.iter().all(|task| task.join(LONG) && !task.has_panicked()));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
    let trips = trips.iter().map(|trips| trips.load(Ordering::SeqCst));
    (trips.clone().min().unwrap(), trips.max().unwrap())
}

#[test]
fn equal_tasks_get_equal_shares() {
    let change = |task: &Task, stop: &AtomicBool, trips: &AtomicU64| {
        while !stop.load(Ordering::Relaxed) {
            task.change_mode(Mode::L8).unwrap();
            task.change_mode(Mode::Qr).unwrap();
            trips.fetch_add(1, Ordering::Relaxed);
        }
    };
    let take_turns = |task: &Task, stop: &AtomicBool, trips: &AtomicU64| {
        while !stop.load(Ordering::Relaxed) {
            task.relinquish();
            trips.fetch_add(1, Ordering::Relaxed);
        }
    };
    for workers in [1, 2] {
        let (least, most) = shares(workers, 8, take_turns);
        assert!(least > 100 && most < 3 * least, "QR, {workers} workers: {least} to {most}");
        let (least, most) = shares(workers, 8, change);
        assert!(least > 100 && most < 20 * least, "change mode, {workers} workers: {least} to {most}");
    }
}
