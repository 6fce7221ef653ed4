//! Event loops that serve sockets, over mio: accept, read, bounded queues of what is to be sent, time. What the bytes mean is the affair
//! of a [`Protocol`]: TN3270 is one.
//!
//! No async runtime: bytes go from the socket to the protocol on the event loop thread, and an answer is written by the thread that made
//! it when the socket takes it.

#![forbid(unsafe_code)]

mod common;
mod config;
mod connection;
mod event_loop;
mod loop_control;
mod protocol;
mod server;

pub use common::Statistics;
pub use config::Config;
pub use connection::{Connection, Room, SendError};
pub use protocol::{CloseReason, Conversation, End, Protocol};
pub use server::Server;
