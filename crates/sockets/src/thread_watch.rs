//! What accounts for the event loop threads is told when they run and when they wait.

/// Watches the event loop threads of a server.
pub trait ThreadWatch: Send + Sync + std::fmt::Debug {
    /// The calling thread is an event loop of the server until the value is dropped, on the same thread.
    fn begin(&self) -> Box<dyn WatchedThread>;
}

/// One event loop thread; it runs when it begins.
pub trait WatchedThread {
    /// It is about to wait for its sockets.
    fn waits(&self);

    /// It has waited.
    fn runs(&self);
}
