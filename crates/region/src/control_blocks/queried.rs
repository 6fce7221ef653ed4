//! The options that handlers look at, for the test that finds an option nobody looks at.
//!
//! Invariant: only builds with debug assertions record anything, and only between [`begin`] and [`end`].

use exec::block::{CommandId, OptionId};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A command, and an option its handler has asked for, whether or not the program gave it.
pub type Queried = (CommandId, OptionId);

static IS_RECORDING: AtomicBool = AtomicBool::new(false);
static QUERIED: Mutex<Option<HashSet<Queried>>> = Mutex::new(None);

/// Records the queries of all tasks from now on.
pub fn begin() {
    *QUERIED.lock().expect("queries are recorded without a panic") = Some(HashSet::new());
    IS_RECORDING.store(true, Ordering::SeqCst);
}

/// Ends the recording and returns what it has.
pub fn end() -> HashSet<Queried> {
    IS_RECORDING.store(false, Ordering::SeqCst);
    QUERIED.lock().expect("queries are recorded without a panic").take().unwrap_or_default()
}

#[inline]
pub(super) fn note(command: CommandId, option: OptionId) {
    if cfg!(debug_assertions) && IS_RECORDING.load(Ordering::Relaxed) {
        keep((command, option));
    }
}

#[cold]
fn keep(queried: Queried) {
    if let Some(all) = QUERIED.lock().expect("queries are recorded without a panic").as_mut() {
        all.insert(queried);
    }
}
