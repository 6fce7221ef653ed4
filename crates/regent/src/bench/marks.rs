//! The clock of measured programs, called by LINK: native program KBMARK; KBMODE, which changes mode in a loop; and KBATCH, which attaches
//! tasks.
//!
//! Marks of one thread are compared by its CPU time, so that other processes on the machine do not count; marks of two
//! threads by wall time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use kernel::Mode;
use region::name::Name4;
use region::{AttachRequest, Raised, StartCode, Task};

#[derive(Clone, Copy)]
pub struct Mark {
    pub at: Instant,
    cpu_ns: u64,
    thread: std::thread::ThreadId,
}

impl Mark {
    pub fn now() -> Mark {
        Mark { at: Instant::now(), cpu_ns: kernel::clock::thread_cpu_ns(), thread: std::thread::current().id() }
    }

    /// Nanoseconds from this mark to a later one.
    pub fn to(&self, end: &Mark) -> f64 {
        if self.thread == end.thread { (end.cpu_ns - self.cpu_ns) as f64 } else { (end.at - self.at).as_nanos() as f64 }
    }
}

static MARKS: Mutex<Vec<Mark>> = Mutex::new(Vec::new());
static CHANGED: Condvar = Condvar::new();
/// Round trips each task of KBMODE makes.
static TRIPS: AtomicU64 = AtomicU64::new(0);

/// Program KBMARK.
pub fn mark(_task: &mut Task) -> Result<(), Raised> {
    put(Mark::now());
    Ok(())
}

fn put(mark: Mark) {
    MARKS.lock().expect("no panic holds this lock").push(mark);
    CHANGED.notify_all();
}

pub fn set_trips(count: u64) {
    TRIPS.store(count, Ordering::Relaxed);
}

/// Program KBMODE: QR to L8 and back.
pub fn change_modes(task: &mut Task) -> Result<(), Raised> {
    put(Mark::now());
    for _ in 0..TRIPS.load(Ordering::Relaxed) {
        let _ = task.kernel.change_mode(Mode::L8);
        let _ = task.kernel.change_mode(Mode::Qr);
    }
    put(Mark::now());
    Ok(())
}

/// Tasks that KBATCH attaches.
pub const BATCH: u32 = 200;
/// The number of the last of them.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Program KBATCH: attaches tasks from a task, so that a worker is busy and finds them in its queue.
pub fn attach_batch(task: &mut Task) -> Result<(), Raised> {
    for _ in 0..BATCH {
        if let Ok(number) = task.region.attach(AttachRequest::new(Name4::new("KBNL"), StartCode::Start)) {
            LAST.store(u64::from(number), Ordering::Relaxed);
        }
    }
    put(Mark::now());
    Ok(())
}

pub fn last_of_batch() -> u32 {
    LAST.load(Ordering::Relaxed) as u32
}

/// Takes marks when there are as many.
pub fn take(count: usize) -> Result<Vec<Mark>, String> {
    let deadline = Instant::now() + Duration::from_secs(300);
    let mut marks = MARKS.lock().expect("no panic holds this lock");
    while marks.len() < count {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(format!("the measured program did not end ({} of {count} marks)", marks.len()));
        }
        marks = CHANGED.wait_timeout(marks, left).expect("no panic holds this lock").0;
    }
    Ok(std::mem::take(&mut *marks))
}
