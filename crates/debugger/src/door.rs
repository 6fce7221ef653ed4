//! Where clients come in: a socket in the data directory of the region.
//!
//! Invariants: only the user that runs the region can connect (the socket has mode 0600, its directory 0700): a debugger reads and changes
//! the data of all users; there are at most [`SESSIONS_MAX`] sessions; when the region stops, no session is left that holds a task.

use crate::client::Outgoing;
use crate::session;
use parking_lot::Mutex;
use region::Region;
use rustc_hash::FxHashMap;
use serde_json::json;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The name of the socket in the data directory.
const SOCKET: &str = "debugger";
const SESSIONS_MAX: usize = 16;
const OWNER_ONLY: u32 = 0o600;

region::region_part!(Door);

pub const SLOTS: &[&dyn region::slots::AnySlot] = &[&IN_REGION];

/// The part of the region.
#[derive(Default)]
pub struct Door {
    is_closed: AtomicBool,
    last: AtomicU64,
    /// The sessions, by their numbers.
    sessions: Mutex<FxHashMap<u64, Arc<Outgoing>>>,
}

/// The path of a socket may have about a hundred characters; that of a directory any number. A path through the open directory is short.
fn short(directory: &std::fs::File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", directory.as_raw_fd()))
}

/// Connects to the debugger of the region that works on a data directory.
pub fn connect(data_directory: &Path) -> io::Result<UnixStream> {
    let directory = std::fs::File::open(data_directory)?;
    UnixStream::connect(short(&directory))
}

/// Lets clients in, from now on until the region stops.
pub fn open(region: &'static Region) {
    if let Err(error) = listen(region) {
        tracing::warn!(target: "region", "programs cannot be debugged: {}: {error}", region.data_directory.join(SOCKET).display());
    }
}

fn listen(region: &'static Region) -> io::Result<()> {
    let directory = std::fs::File::open(&region.data_directory)?;
    let path = short(&directory);
    // Of a region that has died. Two regions never work on one directory.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(OWNER_ONLY))?;
    std::thread::Builder::new().name("debugger".to_string()).spawn(move || {
        for stream in listener.incoming() {
            if Door::of(region).is_closed.load(Ordering::Acquire) {
                break;
            }
            if let Ok(stream) = stream {
                admit(region, stream);
            }
        }
    })?;
    Ok(())
}

/// A session that is in the list as long as this lives.
struct Seat {
    door: &'static Door,
    number: u64,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.door.sessions.lock().remove(&self.number);
    }
}

impl Door {
    /// A seat for a new session; `None` if all are taken.
    fn seat(&'static self, session: &Arc<Outgoing>) -> Option<Seat> {
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let mut sessions = self.sessions.lock();
        if sessions.len() >= SESSIONS_MAX {
            return None;
        }
        sessions.insert(number, session.clone());
        Some(Seat { door: self, number })
    }
}

fn admit(region: &'static Region, stream: UnixStream) {
    let (outgoing, messages) = Outgoing::new(stream);
    let Some(seat) = Door::of(region).seat(&outgoing) else { return refuse(&outgoing) };
    let begun = std::thread::Builder::new().name("debugger-session".to_string()).spawn(move || {
        // All of it: the seat is taken as long as this thread runs.
        let seat: Seat = seat;
        // The region may have closed the door before the session was in the list.
        if !seat.door.is_closed.load(Ordering::Acquire) {
            session::serve(region, outgoing, messages);
        }
    });
    if let Err(error) = begun {
        tracing::warn!(target: "region", "a client of the debugger is not served: {error}");
    }
}

/// Tells a client why it is not let in.
fn refuse(outgoing: &Outgoing) {
    let text = format!("{SESSIONS_MAX} clients debug this region already\n");
    let output = json!({ "seq": 1, "type": "event", "event": "output", "body": { "category": "important", "output": text } });
    if let Ok(mut writer) = outgoing.writer() {
        let _ = crate::protocol::write(&mut writer, &output);
    }
}

/// The region stops: stopped tasks go on, and their clients are disconnected.
pub fn close(region: &'static Region) {
    let door = Door::of(region);
    if door.is_closed.swap(true, Ordering::AcqRel) {
        return;
    }
    if let Ok(directory) = std::fs::File::open(&region.data_directory) {
        // The thread that waits for clients sees that the door is closed.
        let _ = UnixStream::connect(short(&directory));
        let _ = std::fs::remove_file(short(&directory));
    }
    // Each session lets its tasks go.
    door.sessions.lock().values().for_each(|session| session.end());
}
