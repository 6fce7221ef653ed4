//! What a thread has done, for statistics and accounting.

use std::time::Duration;

/// Counts since the thread was created or its statistics were taken.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// EXEC SQL statements, by what they do.
    pub calls: u64,
    pub opens: u64,
    pub fetches: u64,
    pub selects: u64,
    pub changes: u64,
    /// Times that a statement waited for the server.
    pub round_trips: u64,
    /// Rows that came from the server, and their bytes.
    pub rows: u64,
    pub bytes: u64,
    /// Statements prepared at the server.
    pub prepares: u64,
    pub commits: u64,
    /// Commits of units of work that no other resource took part in.
    pub single_phase_commits: u64,
    pub aborts: u64,
    pub deadlocks: u64,
    /// Time spent waiting for answers.
    pub server_time: Duration,
}
