//! Settings and bounds of a server.

use std::time::Duration;

/// Every limit of a connection that does not depend on its protocol.
#[derive(Debug, Clone)]
pub struct Config {
    /// Begins the names of the threads.
    pub thread_name: &'static str,
    /// Event loop threads.
    pub thread_count: usize,
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
}
