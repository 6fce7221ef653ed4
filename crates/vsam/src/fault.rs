//! Fault points: named places of the log and the store where a test makes the process die, an operation fail, or a
//! write stop half way.
//!
//! Invariant: a disarmed fault point costs one relaxed load and does nothing; only a test or `REGENT_FAULT` arms one. `REGENT_FAULT` is a
//! list such as `log.sync:17:kill,pages.commit:2:error,log.write:9:torn=100`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// The action when an armed point is reached for the nth time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The process aborts at once, as by kill -9.
    Kill,
    /// The operation answers an input/output error.
    Error,
    /// Only this many bytes of the write are done, then the process aborts (at other points: `Kill`).
    Torn(usize),
}

struct Armed {
    point: String,
    /// Passes left before the action.
    left: u64,
    action: Action,
}

static ANY: AtomicBool = AtomicBool::new(false);
static ARMED: Mutex<Vec<Armed>> = Mutex::new(Vec::new());

/// Arms `point` to act when reached for the `nth` time (1: the next time).
pub fn arm(point: &str, nth: u64, action: Action) {
    ARMED.lock().push(Armed { point: point.to_string(), left: nth.max(1), action });
    ANY.store(true, Ordering::Release);
}

/// Disarms every point.
pub fn disarm() {
    ARMED.lock().clear();
    ANY.store(false, Ordering::Release);
}

/// Arms the points in the environment variable `REGENT_FAULT`; an invalid word is reported and skipped.
pub fn arm_from_environment() {
    let Ok(text) = std::env::var("REGENT_FAULT") else { return };
    for word in text.split(',').filter(|word| !word.is_empty()) {
        let parts: Vec<&str> = word.split(':').collect();
        let action = match parts.get(2).copied() {
            Some("kill") | None => Some(Action::Kill),
            Some("error") => Some(Action::Error),
            Some(other) => other.strip_prefix("torn=").and_then(|n| n.parse().ok()).map(Action::Torn),
        };
        let nth = parts.get(1).map_or(Some(1), |n| n.parse().ok());
        match (action, nth) {
            (Some(action), Some(nth)) => arm(parts[0], nth, action),
            _ => tracing::warn!("REGENT_FAULT: {word} not understood"),
        }
    }
}

fn reached(point: &str) -> Option<Action> {
    let mut armed = ARMED.lock();
    let index = armed.iter().position(|entry| entry.point == point)?;
    armed[index].left -= 1;
    if armed[index].left > 0 {
        return None;
    }
    Some(armed.remove(index).action)
}

/// Passes a fault point.
#[inline]
pub fn point(name: &str) -> io::Result<()> {
    if !ANY.load(Ordering::Relaxed) {
        return Ok(());
    }
    match reached(name) {
        None => Ok(()),
        Some(Action::Error) => Err(io::Error::other(format!("fault point {name}"))),
        Some(Action::Kill | Action::Torn(_)) => std::process::abort(),
    }
}

/// Passes a fault point before a write: `Some(n)` means write only n bytes, then call `std::process::abort`.
#[inline]
pub fn write_point(name: &str) -> io::Result<Option<usize>> {
    if !ANY.load(Ordering::Relaxed) {
        return Ok(None);
    }
    match reached(name) {
        None => Ok(None),
        Some(Action::Error) => Err(io::Error::other(format!("fault point {name}"))),
        Some(Action::Kill) => std::process::abort(),
        Some(Action::Torn(bytes)) => Ok(Some(bytes)),
    }
}
