//! TN3270 (RFC 1576, RFC 1646 names) and TN3270E (RFC 2355), server and client, over mio.
//!
//! * `telnet` and `negotiation` are state machines without sockets: bytes in, events and bytes out. They accept any bytes, keep at most one
//!   record of bounded length and never loop on options.
//! * `server` runs sessions on event loop threads: accept, negotiate, query, frame records, bound queues and time. It does not interpret
//!   the records; the region's terminal control does.
//! * `client` is the other end, on `bms::Screen` for tests and `regent drive`, and as `driver` for many sessions on one
//!   thread.
//!
//! No async runtime: a record goes from the socket to the handler on the event loop thread, and the thread that produced an answer writes
//! it if the socket accepts it.

#![forbid(unsafe_code)]

pub mod client;
pub mod client_protocol;
mod common;
pub mod config;
pub mod driver;
mod event_loop;
mod loop_control;
pub mod negotiation;
pub mod server;
pub mod session;
pub mod telnet;

pub use client::{Client, ClientError};
pub use client_protocol::{ClientConfig, ClientProtocol};
pub use common::SessionHandler;
pub use config::{Config, LuAssignment, LuRefusal, LuRequest};
pub use driver::{Driver, DriverEvent};
pub use server::Server;
pub use session::{CloseReason, Record, RecordKind, Room, SendError, Session, SessionInfo};
