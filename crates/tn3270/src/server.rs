//! The server: TN3270 as a protocol of the event loops, which hands records to its handler.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use sockets::{Connection, Protocol, Statistics};

use crate::common::Common;
pub use crate::common::SessionHandler;
use crate::config::{Config, Encryption};
use crate::conversation::Conversation;
use crate::session::Session;

pub struct Server {
    sockets: sockets::Server,
}

struct Tn3270(Arc<Common>);

impl Protocol for Tn3270 {
    fn begin(&self, connection: &Connection) -> Box<dyn sockets::Conversation> {
        Box::new(Conversation::begin(self.0.clone(), Session::new(connection.clone())))
    }
}

impl Server {
    /// Listens and starts the event loop threads.
    pub fn listen(address: impl ToSocketAddrs, config: Config, handler: Arc<dyn SessionHandler>) -> io::Result<Server> {
        let settings = sockets::Config {
            thread_name: "tn3270",
            thread_count: config.thread_count,
            thread_watch: config.thread_watch.clone(),
            backlog: config.backlog,
            connections_max: config.sessions_max,
            no_room_text: b"\r\nThe host has no room for another terminal.\r\n",
            send_queue_length_max: config.send_queue_length_max,
            send_timeout: config.send_timeout,
            tls: match &config.encryption {
                Encryption::FromTheStart(tls) => Some(tls.clone()),
                Encryption::None | Encryption::OnRequest { .. } => None,
            },
        };
        let protocol = Arc::new(Tn3270(Arc::new(Common::new(config, handler))));
        Ok(Server { sockets: sockets::Server::listen(address, settings, protocol)? })
    }

    pub fn local_address(&self) -> SocketAddr {
        self.sockets.local_address()
    }

    pub fn session_count(&self) -> usize {
        self.sockets.connection_count()
    }

    /// The sessions that there is room for.
    pub fn sessions_max(&self) -> usize {
        self.sockets.connections_max()
    }

    pub fn statistics(&self) -> &Statistics {
        self.sockets.statistics()
    }

    /// Closes the listener and all sessions (queued records are sent as far as the sockets accept them) and waits for the threads.
    pub fn stop(&self) {
        self.sockets.stop();
    }
}
