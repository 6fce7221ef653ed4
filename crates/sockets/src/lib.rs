//! Event loops that serve sockets, over mio: accept, read, bounded send queues, time limits, TLS. A [`Protocol`] interprets the bytes: TN3270
//! is one.
//!
//! No async runtime: bytes go from the socket to the protocol on the event loop thread, and the thread that produced an answer writes it if
//! the socket accepts it.

#![forbid(unsafe_code)]

mod common;
mod config;
mod connection;
mod descriptors;
mod event_loop;
mod loop_control;
mod protocol;
mod server;
mod thread_watch;
mod tls;

pub use common::Statistics;
pub use config::Config;
pub use connection::{Connection, Room, SendError};
pub use descriptors::raise_file_limit;
pub use protocol::{CloseReason, Conversation, End, Protocol};
pub use server::Server;
pub use thread_watch::{ThreadWatch, WatchedThread};
pub use tls::Tls;
