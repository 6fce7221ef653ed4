//! The ways in which a session or its beginning fails.

use crate::wait::Interrupted;
use std::fmt;

/// An error or notice of the server, with the fields it sent. `code` is the SQLSTATE.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ServerError {
    pub severity: String,
    pub code: String,
    pub message: String,
    pub detail: String,
    pub hint: String,
    /// Character of the statement at which the error is, from 1; 0: none.
    pub position: u32,
    pub context: String,
    pub schema: String,
    pub table: String,
    pub column: String,
    pub data_type: String,
    pub constraint: String,
}

impl ServerError {
    /// The server ends the session after this error.
    pub fn is_fatal(&self) -> bool {
        matches!(self.severity.as_str(), "FATAL" | "PANIC")
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} (SQLSTATE {})", self.message, self.code)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// The session can no longer be used. What the server made of messages without an answer is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// The server or the network ended the connection.
    Closed,
    Io(String),
    /// The server said why it ends the session.
    Ended(Box<ServerError>),
    /// Bytes that are not the protocol, or a message over the limit.
    Protocol(&'static str),
    Wait(Interrupted),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Broken::Closed => f.write_str("the connection was closed"),
            Broken::Io(error) => f.write_str(error),
            Broken::Ended(error) => error.fmt(f),
            Broken::Protocol(what) => write!(f, "protocol violation: {what}"),
            Broken::Wait(Interrupted::TimedOut) => f.write_str("no answer in time"),
            Broken::Wait(Interrupted::Cancelled) => f.write_str("the wait for an answer was cancelled"),
        }
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Broken {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => Broken::Closed,
            _ => Broken::Io(error.to_string()),
        }
    }
}

/// Messages did not have the answers that were wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FinishError {
    /// The server refused one of them.
    Refused(Box<ServerError>),
    Broken(Broken),
}

impl fmt::Display for FinishError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FinishError::Refused(error) => error.fmt(f),
            FinishError::Broken(broken) => broken.fmt(f),
        }
    }
}

/// No session could be begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConnectError {
    /// Nothing listens there.
    Unreachable {
        place: String,
        why: String,
    },
    /// Something is wrong with the configuration: a password file, a certificate.
    Config(String),
    Tls(String),
    /// The server asks for a password, and the configuration has none.
    NoPassword {
        user: String,
    },
    /// The server asks for an authentication that is not supported.
    Authentication(String),
    /// The server refuses: wrong password, no such database, too many connections.
    Refused(Box<ServerError>),
    Broken(Broken),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ConnectError::Unreachable { place, why } => write!(f, "{place}: {why}"),
            ConnectError::Config(text) | ConnectError::Tls(text) | ConnectError::Authentication(text) => f.write_str(text),
            ConnectError::NoPassword { user } => {
                write!(f, "the server asks for the password of {user}; name it with password_file or password_env")
            }
            ConnectError::Refused(error) => error.fmt(f),
            ConnectError::Broken(broken) => broken.fmt(f),
        }
    }
}

impl std::error::Error for ConnectError {}
impl std::error::Error for Broken {}
impl std::error::Error for FinishError {}

impl From<Broken> for ConnectError {
    fn from(broken: Broken) -> ConnectError {
        match broken {
            Broken::Ended(error) => ConnectError::Refused(error),
            broken => ConnectError::Broken(broken),
        }
    }
}
