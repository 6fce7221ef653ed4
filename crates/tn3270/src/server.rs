//! The server: listens, runs event loops, hands records to its handler.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use crate::config::{Config, LuAssignment, LuRefusal, LuRequest};
use crate::event_loop::{EventLoop, LoopControl};
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
    /// Names a terminal; the name is taken until `release_name`.
    pub fn assign(&self, request: &LuRequest) -> Result<String, LuRefusal> {
        let assignment = self.handler.assign_lu(request)?;
        let mut names = self.names.lock();
        let name = match (assignment, &request.name) {
            (LuAssignment::Name(name), _) => name,
            (LuAssignment::Default, Some(name)) => name.clone(),
            (LuAssignment::Default, None) => self.generated(&mut names),
        };
        if name.is_empty() || name.len() > crate::config::LU_NAME_LENGTH_MAX {
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

pub struct Server {
    local_address: SocketAddr,
    common: Arc<Common>,
    controls: Vec<Arc<LoopControl>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Server {
    /// Listens and starts the event loop threads.
    pub fn listen(address: impl ToSocketAddrs, config: Config, handler: Arc<dyn SessionHandler>) -> io::Result<Server> {
        let address = address.to_socket_addrs()?.next().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no address"))?;
        let listener = mio::net::TcpListener::bind(address)?;
        rustix::net::listen(&listener, config.backlog)?;
        let local_address = listener.local_addr()?;
        let thread_count = config.thread_count.max(1);
        let common = Arc::new(Common {
            config,
            handler,
            statistics: Statistics::default(),
            stopping: AtomicBool::new(false),
            next_id: AtomicU64::new(1),
            names: Mutex::new(Names::default()),
        });
        let mut loops = Vec::new();
        for _ in 0..thread_count {
            loops.push(EventLoop::new(common.clone())?);
        }
        let controls: Vec<Arc<LoopControl>> = loops.iter().map(|event_loop| event_loop.control()).collect();
        loops[0].set_listener(listener, controls.clone())?;
        let mut threads = Vec::new();
        for (index, event_loop) in loops.into_iter().enumerate() {
            threads.push(std::thread::Builder::new().name(format!("tn3270-{index}")).spawn(move || event_loop.run())?);
        }
        Ok(Server { local_address, common, controls, threads: Mutex::new(threads) })
    }

    pub fn local_address(&self) -> SocketAddr {
        self.local_address
    }

    pub fn session_count(&self) -> usize {
        self.common.statistics.sessions_current.load(Ordering::Relaxed)
    }

    pub fn statistics(&self) -> &Statistics {
        &self.common.statistics
    }

    /// Closes the listener and all sessions (what is queued is sent as far as the sockets take it) and waits for the threads.
    pub fn stop(&self) {
        self.common.stopping.store(true, Ordering::Release);
        for control in &self.controls {
            control.wake();
        }
        let threads = std::mem::take(&mut *self.threads.lock());
        let own = std::thread::current().id();
        for thread in threads {
            // A handler that stops the server runs on one of these threads.
            if thread.thread().id() != own {
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
