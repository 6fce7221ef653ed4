//! Settings and bounds of a server.

use std::sync::Arc;
use std::time::Duration;

use crate::thread_watch::ThreadWatch;
use crate::tls::Tls;

/// Every limit of a connection that does not depend on its protocol.
#[derive(Debug, Clone)]
pub struct Config {
    /// Begins the names of the threads.
    pub thread_name: &'static str,
    /// Event loop threads.
    pub thread_count: usize,
    /// Told of the event loop threads.
    pub thread_watch: Option<Arc<dyn ThreadWatch>>,
    /// Connections the kernel keeps until they are accepted (bounded by net.core.somaxconn).
    pub backlog: i32,
    /// At most; fewer if the limit on open files leaves no room for so many.
    pub connections_max: usize,
    /// Sent to a client there is no room for.
    pub no_room_text: &'static [u8],
    /// Bytes waiting for one client that does not read.
    pub send_queue_length_max: usize,
    /// Time a client may leave its socket full.
    pub send_timeout: Duration,
    /// Connections are encrypted.
    pub tls: Option<Tls>,
}
