//! A proxy between region and databases that counts the steps of commits, and strikes at one of them.
//!
//! It passes bytes on as they come, and follows the messages of the region far enough to see the Bind of the statement that commits, and the
//! Parse of those that prepare the part of a location and commit it.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Name of the prepared statement that commits (crate `db2`).
const COMMIT: &[u8] = b"commit\0";
const BIND: u8 = b'B';
/// Texts of statements without a name.
const PARTS: [&[u8]; 2] = [b"\0PREPARE TRANSACTION", b"\0COMMIT PREPARED"];
const PARSE: u8 = b'P';
/// Type and length of a message.
const HEAD_BYTES: usize = 5;
const BUFFER_BYTES: usize = 64 << 10;

/// When a strike comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The database never sees the commit.
    Before,
    /// The database has it, the region gets no answer.
    BetweenThem,
    /// The region has the answer.
    After,
}

type Strike = Box<dyn FnOnce() + Send>;

/// What the proxy's threads share.
struct Shared {
    socket: PathBuf,
    /// Commits until the strike; 0: none is armed.
    left: AtomicU64,
    armed: Mutex<Option<(Moment, Strike)>>,
    connections: Mutex<Vec<(TcpStream, UnixStream)>>,
}

pub struct Proxy {
    shared: Arc<Shared>,
    pub port: u16,
}

impl Proxy {
    /// Listens on a free port of loopback; `socket` is the database's.
    pub fn start(socket: PathBuf) -> std::io::Result<Proxy> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared { socket, left: AtomicU64::new(0), armed: Mutex::new(None), connections: Mutex::default() });
        let accepting = shared.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let shared = accepting.clone();
                std::thread::spawn(move || serve(&shared, client));
            }
        });
        Ok(Proxy { shared, port })
    }

    /// Strikes at the commit number `count` from now on.
    pub fn arm(&self, count: u64, moment: Moment, strike: Strike) {
        *lock(&self.shared.armed) = Some((moment, strike));
        self.shared.left.store(count, Ordering::SeqCst);
    }

    /// Takes an armed strike back.
    pub fn disarm(&self) {
        self.shared.left.store(0, Ordering::SeqCst);
        *lock(&self.shared.armed) = None;
    }

    /// What ends every connection, as a strike.
    pub fn cutter(&self) -> Strike {
        let shared = self.shared.clone();
        Box::new(move || cut(&shared))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cut(shared: &Shared) {
    for (client, server) in lock(&shared.connections).drain(..) {
        let _ = client.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
    }
}

fn serve(shared: &Arc<Shared>, client: TcpStream) {
    let Ok(server) = UnixStream::connect(&shared.socket) else { return };
    let (Ok(client_reader), Ok(server_reader)) = (client.try_clone(), server.try_clone()) else { return };
    let (Ok(client_kept), Ok(server_kept)) = (client.try_clone(), server.try_clone()) else { return };
    let _ = client.set_nodelay(true);
    lock(&shared.connections).push((client_kept, server_kept));
    // A strike between commit and answer ends this connection's way back.
    let muted = Arc::new(AtomicBool::new(false));
    let back = muted.clone();
    std::thread::spawn(move || answer(server_reader, client, &back));
    request(shared, client_reader, server, &muted);
}

/// Database to region.
fn answer(mut server: UnixStream, mut client: TcpStream, muted: &AtomicBool) {
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Ok(count @ 1..) = server.read(&mut buffer) {
        if muted.load(Ordering::SeqCst) {
            continue;
        }
        if client.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
}

/// Region to database.
fn request(shared: &Shared, mut client: TcpStream, mut server: UnixStream, muted: &AtomicBool) {
    let mut follower = Follower::default();
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        let strike = follower.commits(&buffer[..count]).and_then(|_| due(shared));
        match strike {
            Some((Moment::Before, strike)) => {
                // A message of which the database has nothing.
                muted.store(true, Ordering::SeqCst);
                strike();
                continue;
            }
            Some((Moment::BetweenThem, strike)) => {
                muted.store(true, Ordering::SeqCst);
                let _ = server.write_all(&buffer[..count]);
                // The database works on it meanwhile.
                std::thread::sleep(std::time::Duration::from_millis(2));
                strike();
                continue;
            }
            Some((Moment::After, strike)) => {
                let _ = server.write_all(&buffer[..count]);
                std::thread::sleep(std::time::Duration::from_millis(2));
                strike();
                continue;
            }
            None => {}
        }
        if server.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
}

/// The strike, if this commit is the one.
fn due(shared: &Shared) -> Option<(Moment, Strike)> {
    let left = shared.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).ok()?;
    if left != 1 {
        return None;
    }
    lock(&shared.armed).take()
}

/// Finds the beginnings of messages in a stream of bytes.
#[derive(Default)]
struct Follower {
    /// The first message has no type.
    started: bool,
    /// Bytes of the present message that are still to come.
    left: usize,
    /// The part of a head, or of a Bind's names, that the last bytes ended in.
    held: Vec<u8>,
}

impl Follower {
    /// Some if a step of a commit is among the messages that begin in these bytes.
    fn commits(&mut self, bytes: &[u8]) -> Option<()> {
        let mut found = None;
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.left > 0 {
                let skipped = self.left.min(rest.len());
                self.left -= skipped;
                rest = &rest[skipped..];
                continue;
            }
            self.held.push(rest[0]);
            rest = &rest[1..];
            let head = if self.started { HEAD_BYTES } else { HEAD_BYTES - 1 };
            if self.held.len() < head {
                continue;
            }
            let at = head - 4;
            let length = u32::from_be_bytes([self.held[at], self.held[at + 1], self.held[at + 2], self.held[at + 3]]) as usize;
            let body = length.saturating_sub(4);
            let kind = self.started.then_some(self.held[0]);
            // The names of a Bind are short: look at as much of it as is here.
            let names = &rest[..body.min(rest.len()).min(64)];
            let is_step = match kind {
                Some(BIND) => names.iter().position(|byte| *byte == 0).is_some_and(|end| names[end + 1..].starts_with(COMMIT)),
                Some(PARSE) => PARTS.iter().any(|part| names.starts_with(part)),
                _ => false,
            };
            if is_step {
                found = Some(());
            }
            self.started = true;
            self.left = body;
            self.held.clear();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![kind];
        bytes.extend((body.len() as u32 + 4).to_be_bytes());
        bytes.extend(body);
        bytes
    }

    #[test]
    fn a_commit_is_found_among_other_messages() {
        let mut follower = Follower::default();
        let start = [&9u32.to_be_bytes()[..], &[0, 3, 0, 0, 0]].concat();
        assert!(follower.commits(&start).is_none());
        let other = message(b'B', b"\0s1\0\0\0");
        let commit = message(b'B', b"\0commit\0\0\0");
        let text = message(b'Q', b"select 'Bcommit'\0");
        assert!(follower.commits(&[&other[..], &text[..]].concat()).is_none());
        assert!(follower.commits(&[&other[..], &commit[..]].concat()).is_some());
        for part in ["\0PREPARE TRANSACTION 'x'\0\0\0", "\0COMMIT PREPARED 'x'\0\0\0"] {
            assert!(follower.commits(&message(b'P', part.as_bytes())).is_some());
        }
        assert!(follower.commits(&message(b'P', b"s1\0COMMIT PREPARED 'x'\0\0\0")).is_none());
        // A head that comes in two parts.
        assert!(follower.commits(&other[..3]).is_none());
        assert!(follower.commits(&other[3..]).is_none());
        assert!(follower.commits(&commit).is_some());
    }
}
