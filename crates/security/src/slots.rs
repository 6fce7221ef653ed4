//! A bound on how many threads compute hashes at a time, each of which needs a processor and megabytes of memory: a storm of sign-ons waits
//! here and does not take the machine from everything else.

use parking_lot::{Condvar, Mutex};

/// Most computations at a time on a machine with many processors.
const SLOTS_MAX: usize = 8;

pub(crate) struct Slots {
    free: Mutex<usize>,
    returned: Condvar,
}

impl Slots {
    /// One for each processor.
    pub fn for_processors() -> Slots {
        let processors = std::thread::available_parallelism().map_or(1, |processors| processors.get());
        Slots { free: Mutex::new(processors.min(SLOTS_MAX)), returned: Condvar::new() }
    }

    /// Does work when a slot is free.
    pub fn with<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut free = self.free.lock();
        self.returned.wait_while(&mut free, |free| *free == 0);
        *free -= 1;
        drop(free);
        let _returned = Returned(self);
        work()
    }
}

/// Returns a slot, after a panic too.
struct Returned<'a>(&'a Slots);

impl Drop for Returned<'_> {
    fn drop(&mut self) {
        *self.0.free.lock() += 1;
        self.0.returned.notify_one();
    }
}
