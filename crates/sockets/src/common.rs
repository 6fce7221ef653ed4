//! The shared state of the event loops of one server: settings, protocol, counters.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

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

/// The shared state of the event loops of one server.
pub(crate) struct Common {
    pub config: Config,
    pub protocol: Arc<dyn Protocol>,
    pub statistics: Statistics,
    pub stopping: AtomicBool,
    pub next_id: AtomicU64,
}
