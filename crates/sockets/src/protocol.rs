//! The interface between a protocol and the event loops that serve it, and how a connection ends.

use std::time::Instant;

use crate::connection::Connection;

/// Creates a conversation for each connection.
pub trait Protocol: Send + Sync {
    /// Called on the event loop's thread. Output sent from here is the first that the client gets.
    fn begin(&self, connection: &Connection) -> Box<dyn Conversation>;
}

/// One connection's state in its protocol. All calls come in order on the connection's event loop thread and must not block. A panic in one
/// ends this connection only.
pub trait Conversation: Send {
    /// Takes bytes as the socket gave them.
    fn received(&mut self, bytes: &[u8]) -> Result<(), End>;

    /// Checks the protocol's own time limits; called about four times a second.
    fn time_has_passed(&mut self, now: Instant) -> Result<(), End>;

    /// The connection is closed. Called once, as the last call.
    fn ended(self: Box<Self>, reason: CloseReason);
}

/// How a conversation asks for its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    AtOnce(CloseReason),
    /// After queued bytes have been sent, as far as the client accepts them in time.
    AfterSending(CloseReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CloseReason {
    #[error("closed by the client")]
    Client,
    #[error("closed by the host")]
    Host,
    #[error("connection lost")]
    Lost,
    #[error("protocol error")]
    Protocol,
    #[error("client too slow")]
    Timeout,
    #[error("server stopped")]
    Stopped,
}
