//! `--port-health`: tells a balancer the health of the region.
//!
//! Each connection gets one line, the health as a percentage, and is closed. That is the answer that the agent check of HAProxy takes for the share
//! of work that a server should get ("agent-check": an ASCII percentage, `75%`), and what a script reads with one command.

use region::Region;
use sockets::{CloseReason, Config, Connection, Conversation, End, Protocol, Room, Server};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Balancers that ask at the same moment.
const CONNECTIONS_MAX: usize = 100;
/// A line is far below it.
const SEND_QUEUE_LENGTH_MAX: usize = 64;
/// Time a client may take for the line.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Listens as long as the server lives.
///
/// # Errors
///
/// The address is not available.
pub fn listen(region: &'static Region, address: &str) -> io::Result<Server> {
    let config = Config {
        thread_name: "health",
        thread_count: 1,
        thread_watch: None,
        backlog: CONNECTIONS_MAX as i32,
        connections_max: CONNECTIONS_MAX,
        no_room_text: b"",
        send_queue_length_max: SEND_QUEUE_LENGTH_MAX,
        send_timeout: TIMEOUT,
        tls: None,
    };
    Server::listen(address, config, Arc::new(Health(region)))
}

struct Health(&'static Region);

impl Protocol for Health {
    fn begin(&self, connection: &Connection) -> Box<dyn Conversation> {
        let line = format!("{}%\n", self.0.monitoring().health().health);
        // A client that is gone already needs no answer.
        let _ = connection.send(line.as_bytes(), Room::Reserve);
        Box::new(Told)
    }
}

/// The line is on its way.
struct Told;

impl Conversation for Told {
    /// What the client says is not looked at: an agent check may send a text.
    fn received(&mut self, _: &[u8]) -> Result<(), End> {
        Err(End::AfterSending(CloseReason::Host))
    }

    fn time_has_passed(&mut self, _: Instant) -> Result<(), End> {
        Err(End::AfterSending(CloseReason::Host))
    }

    fn ended(self: Box<Self>, _: CloseReason) {}
}
