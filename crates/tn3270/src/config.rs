//! Settings and bounds of a server, and the naming of terminals.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bms::Model;
use bms::constants::*;
use sockets::{ThreadWatch, Tls};

/// How sessions are encrypted.
#[derive(Debug, Clone)]
pub enum Encryption {
    None,
    /// TLS from the first byte, as `L:` of the x3270 family asks for.
    FromTheStart(Tls),
    /// A client may change to TLS (the telnet option STARTTLS); `required`: one that does not is refused.
    OnRequest {
        tls: Tls,
        required: bool,
    },
}

/// Every limit a client can run into has its name here.
#[derive(Debug, Clone)]
pub struct Config {
    pub sessions_max: usize,
    /// Connections the kernel keeps until they are accepted (bounded by net.core.somaxconn). A terminal waits for the host to speak, so one
    /// that overflows this and gets a SYN cookie would wait forever.
    pub backlog: i32,
    /// Longest inbound record.
    pub record_length_max: usize,
    /// Bytes waiting for one client that does not read.
    pub send_queue_length_max: usize,
    /// From accept to the end of negotiation.
    pub negotiation_timeout: Duration,
    /// Time the terminal has to answer the Query.
    pub query_timeout: Duration,
    /// Time a record may take from its first byte to its last.
    pub record_timeout: Duration,
    /// Time a client may leave its socket full.
    pub send_timeout: Duration,
    pub encryption: Encryption,
    /// After this period of silence the client is probed (TIMING-MARK); None never probes.
    pub probe_interval: Option<Duration>,
    /// Time the client has to answer the probe.
    pub probe_timeout: Duration,
    /// Time a client has to show that it is there when another asks for its LU name; otherwise the other gets it.
    pub takeover_timeout: Duration,
    /// Offer TN3270E.
    pub tn3270e: bool,
    /// Query terminals of type -E for their capabilities.
    pub query: bool,
    /// Event loop threads.
    pub thread_count: usize,
    /// Told of the event loop threads.
    pub thread_watch: Option<Arc<dyn ThreadWatch>>,
    /// Prefix of generated LU names; a five-digit number follows.
    pub lu_prefix: String,
    /// Name of the host application in the BIND image (APPLID).
    pub application_name: String,
    /// Shown to a client that is not a 3270.
    pub rejection_text: String,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            sessions_max: 50_000,
            backlog: 4_096,
            record_length_max: 65_536,
            send_queue_length_max: 1 << 20,
            negotiation_timeout: Duration::from_secs(20),
            query_timeout: Duration::from_secs(5),
            record_timeout: Duration::from_secs(30),
            send_timeout: Duration::from_secs(60),
            encryption: Encryption::None,
            probe_interval: Some(Duration::from_secs(120)),
            probe_timeout: Duration::from_secs(30),
            takeover_timeout: Duration::from_secs(3),
            tn3270e: true,
            query: true,
            thread_count: 1,
            thread_watch: None,
            lu_prefix: "TCP".to_string(),
            application_name: "REGENT".to_string(),
            rejection_text: "This port is for 3270 terminals: connect with a TN3270 client (terminal type IBM-3278 or IBM-3279)."
                .to_string(),
        }
    }
}

/// The request of a client for a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LuRequest {
    /// Upper case; None if the client leaves the choice to the server.
    pub name: Option<String>,
    pub terminal_type: String,
    pub model: Model,
    pub extended: bool,
    pub peer: SocketAddr,
    pub tn3270e: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LuAssignment {
    /// The requested name, or a generated one.
    Default,
    /// 1 to 8 characters.
    Name(String),
}

/// Why a client gets no LU; the reasons TN3270E has codes for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LuRefusal {
    InUse,
    UnknownName,
    DeviceType,
    Unavailable,
}

impl LuRefusal {
    pub fn reason_code(self) -> u8 {
        match self {
            LuRefusal::InUse => TN3270E_REASON_DEVICE_IN_USE,
            LuRefusal::UnknownName => TN3270E_REASON_INV_DEVICE_NAME,
            LuRefusal::DeviceType => TN3270E_REASON_INV_DEVICE_TYPE,
            LuRefusal::Unavailable => TN3270E_REASON_CONN_PARTNER,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            LuRefusal::InUse => "The terminal name is in use.",
            LuRefusal::UnknownName => "There is no terminal of this name.",
            LuRefusal::DeviceType => "The terminal type is not supported.",
            LuRefusal::Unavailable => "The host is not available.",
        }
    }
}

/// Longest LU name.
pub const LU_NAME_LENGTH_MAX: usize = 8;

/// Letters, digits, @ # $; a letter or national character first.
pub fn is_lu_name(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || "@#$".contains(first));
    first
        && name.len() <= LU_NAME_LENGTH_MAX
        && name.chars().all(|character| character.is_ascii_alphanumeric() || "@#$".contains(character))
}
