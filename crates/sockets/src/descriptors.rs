//! How many connections the limit on open files (RLIMIT_NOFILE) leaves room for.
//!
//! The host opens files all the time: load modules, segments of the log, journals, dumps. Clients must not take the last descriptor.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The part of the limit (one n-th) that no connection takes, besides what is open when the server starts to listen.
const RESERVE_FRACTION: usize = 4;

/// The limit on open files, after it has been raised as far as the process may. `None`: there is none.
pub fn raise_file_limit() -> Option<usize> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        // Refused by the system: the limit stays.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
    getrlimit(Resource::Nofile).current.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// The connections that have room below a limit.
pub(crate) fn room_below(limit: usize) -> usize {
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    limit.saturating_sub(open + limit / RESERVE_FRACTION).max(1)
}
