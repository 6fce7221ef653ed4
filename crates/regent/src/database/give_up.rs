//! Work for a database that is given up when nobody wants it any more: a region that ends does not wait for it.

use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use postgres::{Interest, Interrupted, ThreadWait, Wait};

/// How often a session that waits for its server looks whether it is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Shared by those who do the work and those who give it up.
#[derive(Clone, Debug, Default)]
pub struct GiveUp(Arc<AtomicBool>);

impl GiveUp {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

impl Wait for GiveUp {
    fn ready(&mut self, socket: BorrowedFd<'_>, interest: Interest, deadline: Option<Instant>) -> Result<(), Interrupted> {
        if self.is_set() {
            return Err(Interrupted::Cancelled);
        }
        let soon = Instant::now() + LOOK_EVERY;
        ThreadWait.ready(socket, interest, Some(deadline.map_or(soon, |deadline| deadline.min(soon))))
    }
}
