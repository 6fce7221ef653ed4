//! TN3270 (RFC 1576, RFC 1646 names) and TN3270E (RFC 2355), server and client.
//!
//! * `telnet` and `negotiation` are state machines without sockets: bytes in, events and bytes out. They take any bytes,
//!   keep at most one record of bounded length and never loop on options.
//! * `conversation` is a protocol of the crate `sockets`, whose event loops serve it: negotiate, query, frame records, bound time. It
//!   knows nothing of what the records mean; the region's terminal control does.
//! * `client` is the other end, on `bms::Screen` for tests and `regent drive`, and as `driver` for many sessions on one
//!   thread.

#![forbid(unsafe_code)]

pub mod client;
pub mod client_protocol;
mod common;
pub mod config;
mod conversation;
pub mod driver;
pub mod negotiation;
pub mod server;
pub mod session;
pub mod telnet;

pub use client::{Client, ClientError};
pub use client_protocol::{ClientConfig, ClientProtocol};
pub use common::SessionHandler;
pub use config::{Config, Encryption, LuAssignment, LuRefusal, LuRequest};
pub use driver::{Driver, DriverEvent};
pub use server::Server;
pub use session::{Record, RecordKind, Session, SessionInfo};
pub use sockets::{CloseReason, Room, SendError, ThreadWatch, Tls, WatchedThread};
