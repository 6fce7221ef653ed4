//! The PostgreSQL protocol: a session that its caller drives, the binary formats of values, and a private cluster.
//!
//! What belongs here speaks the protocol or runs a server; nothing here knows Db2, CICS or COBOL. A [`Session`] has no thread and no
//! run time of its own: it queues messages, and whenever it must wait for its socket it asks the caller's [`Wait`], which may block a
//! thread or suspend a task. So any number of messages may be sent in one write, and a statement that was prepared before costs no
//! allocation.
#![forbid(unsafe_code)]

pub mod binary;
pub mod cluster;
mod config;
mod connect;
mod error;
mod message;
pub mod oid;
mod session;
mod stream;
mod tls;
mod users;
mod wait;

pub use config::{ChannelBinding, Config, ConfigError, Password, SslMode};
pub use connect::CancelToken;
pub use error::{Broken, ConnectError, FinishError, ServerError};
pub use message::{Column, Columns, Message, Parameters, Row, RowDescription};
pub use session::{Session, Target, TransactionStatus};
pub use wait::{Interest, Interrupted, ThreadWait, Wait};
