//! The shared state of a server's event loops: configuration, the handler of sessions, counters, and the LU names in use. Invariant: a name
//! is in use by at most one session.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use crate::config::{Config, LU_NAME_LENGTH_MAX, LuAssignment, LuRefusal, LuRequest};
use crate::session::{CloseReason, Record, Session, SessionInfo};

/// What is done with sessions. All calls come on an event loop thread, must not block, and come in order for one session:
/// `connected`, any number of `received`, `disconnected`. A panic in one ends that session only.
pub trait SessionHandler: Send + Sync {
    /// Names a terminal before it is connected. The server itself keeps names unique.
    fn assign_lu(&self, _request: &LuRequest) -> Result<LuAssignment, LuRefusal> {
        Ok(LuAssignment::Default)
    }

    fn connected(&self, session: &Session, info: &SessionInfo);

    fn received(&self, session: &Session, record: Record<'_>);

    fn disconnected(&self, session: &Session, reason: CloseReason);
}

/// Counters for statistics.
#[derive(Debug, Default)]
pub struct Statistics {
    pub sessions_current: AtomicUsize,
    pub sessions_peak: AtomicUsize,
    pub sessions_accepted: AtomicU64,
    pub sessions_refused: AtomicU64,
    pub records_in: AtomicU64,
    pub protocol_errors: AtomicU64,
}

/// What the event loops of one server share.
pub(crate) struct Common {
    pub config: Config,
    pub handler: Arc<dyn SessionHandler>,
    pub statistics: Statistics,
    pub stopping: AtomicBool,
    pub next_id: AtomicU64,
    names: Mutex<Names>,
}

#[derive(Default)]
struct Names {
    used: FxHashSet<String>,
    next: u32,
}

impl Common {
    pub fn new(config: Config, handler: Arc<dyn SessionHandler>) -> Common {
        Common {
            config,
            handler,
            statistics: Statistics::default(),
            stopping: AtomicBool::new(false),
            next_id: AtomicU64::new(1),
            names: Mutex::new(Names::default()),
        }
    }

    /// Names a terminal; the name is taken until `release_name`.
    pub fn assign(&self, request: &LuRequest) -> Result<String, LuRefusal> {
        let assignment = self.handler.assign_lu(request)?;
        let mut names = self.names.lock();
        let name = match (assignment, &request.name) {
            (LuAssignment::Name(name), _) => name,
            (LuAssignment::Default, Some(name)) => name.clone(),
            (LuAssignment::Default, None) => self.generated(&mut names),
        };
        if name.is_empty() || name.len() > LU_NAME_LENGTH_MAX {
            return Err(LuRefusal::UnknownName);
        }
        if names.used.insert(name.clone()) { Ok(name) } else { Err(LuRefusal::InUse) }
    }

    fn generated(&self, names: &mut Names) -> String {
        loop {
            names.next = names.next % 99_999 + 1;
            let name = format!("{}{:05}", self.config.lu_prefix, names.next);
            if !names.used.contains(&name) || names.used.len() >= 99_999 {
                return name;
            }
        }
    }

    pub fn release_name(&self, name: &str) {
        self.names.lock().used.remove(name);
    }
}
