//! The shared state of the event loops of one server: settings, protocol, counters.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::config::Config;
use crate::protocol::Protocol;

/// Counters of a server since it listens.
#[derive(Debug, Default)]
pub struct Statistics {
    pub connections_current: AtomicUsize,
    pub connections_peak: AtomicUsize,
    pub connections_accepted: AtomicU64,
    pub connections_refused: AtomicU64,
}

/// How often a shortage that lasts is reported.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// When a shortage was last reported.
#[derive(Default)]
pub(crate) struct Reports(Mutex<Option<Instant>>);

impl Reports {
    /// True once a minute.
    pub fn is_due(&self) -> bool {
        let (mut last, now) = (self.0.lock(), Instant::now());
        let is_due = last.is_none_or(|last| now.duration_since(last) >= REPORT_EVERY);
        if is_due {
            *last = Some(now);
        }
        is_due
    }
}

/// The shared state of the event loops of one server.
pub(crate) struct Common {
    pub config: Config,
    pub protocol: Arc<dyn Protocol>,
    pub statistics: Statistics,
    pub stopping: AtomicBool,
    pub next_id: AtomicU64,
    /// The limit on open files.
    pub files_max: Option<usize>,
    /// Of connections that found no room.
    pub shortage: Reports,
}
