//! What the sessions of one server share: configuration, their handler, and the LU names in use. Invariant: a
//! name is in use by at most one session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use sockets::CloseReason;

use crate::config::{Config, LU_NAME_LENGTH_MAX, LuAssignment, LuRefusal, LuRequest};
use crate::session::{Record, Session, SessionInfo};

/// The handler of sessions. All calls come on an event loop thread, must not block, and come in order for one session: `connected`, any
/// number of `received`, `disconnected`. A panic in one ends that session only.
pub trait SessionHandler: Send + Sync {
    /// Names a terminal before it is connected. The server itself keeps names unique.
    fn assign_lu(&self, _request: &LuRequest) -> Result<LuAssignment, LuRefusal> {
        Ok(LuAssignment::Default)
    }

    /// Whether the printer of this name is one of LU type 1, which gets SCS data instead of 3270 data.
    fn is_scs_printer(&self, _lu: &str) -> bool {
        false
    }

    fn connected(&self, session: &Session, info: &SessionInfo);

    fn received(&self, session: &Session, record: Record<'_>);

    fn disconnected(&self, session: &Session, reason: CloseReason);
}

/// What the sessions of one server share.
pub(crate) struct Common {
    pub config: Config,
    pub handler: Arc<dyn SessionHandler>,
    names: Mutex<Names>,
}

/// A session that has or wants a name.
#[derive(Clone)]
pub(crate) struct Holder {
    pub session: Session,
    /// How often its client has sent something.
    heard: Arc<AtomicU64>,
}

impl Holder {
    pub fn new(session: Session) -> Holder {
        Holder { session, heard: Arc::default() }
    }

    pub fn note_heard(&self) {
        self.heard.fetch_add(1, Ordering::Relaxed);
    }

    pub fn heard(&self) -> u64 {
        self.heard.load(Ordering::Relaxed)
    }
}

/// Why a session does not get a name.
pub(crate) enum NotAssigned {
    Refused(LuRefusal),
    /// This session has it.
    Taken(Holder),
}

#[derive(Default)]
struct Names {
    used: FxHashMap<String, Holder>,
    next: u32,
}

impl Common {
    pub fn new(config: Config, handler: Arc<dyn SessionHandler>) -> Common {
        Common { config, handler, names: Mutex::new(Names::default()) }
    }

    /// Names a terminal; the name is taken until `release_name`.
    pub fn assign(&self, request: &LuRequest, to: &Holder) -> Result<String, NotAssigned> {
        let assignment = self.handler.assign_lu(request).map_err(NotAssigned::Refused)?;
        let mut names = self.names.lock();
        let name = match (assignment, &request.name) {
            (LuAssignment::Name(name), _) => name,
            (LuAssignment::Default, Some(name)) => name.clone(),
            (LuAssignment::Default, None) => self.generated(&mut names),
        };
        if name.is_empty() || name.len() > LU_NAME_LENGTH_MAX {
            return Err(NotAssigned::Refused(LuRefusal::UnknownName));
        }
        if let Some(holder) = names.used.get(&name) {
            return Err(NotAssigned::Taken(holder.clone()));
        }
        names.used.insert(name.clone(), to.clone());
        Ok(name)
    }

    fn generated(&self, names: &mut Names) -> String {
        loop {
            names.next = names.next % 99_999 + 1;
            let name = format!("{}{:05}", self.config.lu_prefix, names.next);
            if !names.used.contains_key(&name) || names.used.len() >= 99_999 {
                return name;
            }
        }
    }

    pub fn release_name(&self, name: &str) {
        self.names.lock().used.remove(name);
    }
}
