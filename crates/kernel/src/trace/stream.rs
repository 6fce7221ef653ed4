//! The stream: trace entries as they are written, for processes that follow a running region.
//!
//! What GTF is on z/OS: a destination outside the region, that whoever reads it has started (GTFTR, SET TRACEDEST GTFSTATUS, CEMT SET GTFTRACE).
//! A follower connects to a socket in the data directory and gets the header of a data set, then chunks. Invariants: a region never waits for a
//! follower: one that does not read is disconnected; only the owner of the data directory can connect.

use super::file::{self, Description};
use super::settings;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The name of the socket in the directory of the trace.
const NAME: &str = "stream";
/// What waits for a follower at most.
const BACKLOG_BYTES_MAX: usize = 16 << 20;
/// Followers at a time.
const FOLLOWERS_MAX: usize = 16;

/// A directory by its descriptor: the path of a socket has at most 108 bytes, that of a data directory more.
fn short_path(directory: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}/{NAME}", directory.as_raw_fd()))
}

/// Connects to the region whose trace is in the directory.
pub fn connect(directory: &Path) -> io::Result<UnixStream> {
    UnixStream::connect(short_path(&File::open(directory)?))
}

struct Follower {
    socket: UnixStream,
    backlog: Vec<u8>,
}

impl Follower {
    /// Sends what the socket takes. False: the follower is gone or too slow.
    fn flush(&mut self) -> bool {
        while !self.backlog.is_empty() {
            match self.socket.write(&self.backlog) {
                Ok(0) => return false,
                Ok(sent) => drop(self.backlog.drain(..sent)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return self.backlog.len() <= BACKLOG_BYTES_MAX,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(_) => return false,
            }
        }
        true
    }

    /// It still listens: a follower sends nothing.
    fn is_there(&mut self) -> bool {
        !matches!(self.socket.read(&mut [0]), Ok(0))
    }
}

#[derive(Default)]
pub(super) struct Stream {
    listener: Option<(UnixListener, File)>,
    description: Option<Description>,
    followers: Vec<Follower>,
}

impl Stream {
    pub const NEW: Stream = Stream { listener: None, description: None, followers: Vec::new() };

    /// Listens in the directory, which is made if need be.
    pub fn open(&mut self, directory: &Path, description: Description) -> io::Result<()> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let directory = File::open(directory)?;
        let path = short_path(&directory);
        // That of a region that was killed.
        let _ = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        self.listener = Some((listener, directory));
        self.description = Some(description);
        Ok(())
    }

    /// Takes new followers, and forgets those that have gone.
    pub fn accept(&mut self) {
        self.followers.retain_mut(|follower| follower.is_there() && follower.flush());
        let (Some((listener, _)), Some(description)) = (&self.listener, self.description) else { return };
        while let Ok((socket, _)) = listener.accept() {
            if self.followers.len() < FOLLOWERS_MAX && socket.set_nonblocking(true).is_ok() {
                let letter = if settings::flags().stream { file::STREAM } else { file::STOPPED_STREAM };
                self.followers.push(Follower { socket, backlog: Description { letter, ..description }.header().to_vec() });
            }
        }
    }

    pub fn send(&mut self, entries: &[u8]) {
        if !settings::flags().stream || self.followers.is_empty() {
            return;
        }
        let chunk = file::chunk(entries);
        self.followers.retain_mut(|follower| {
            follower.backlog.extend_from_slice(&chunk);
            follower.flush()
        });
    }

    /// The region ends: followers are told.
    pub fn close(&mut self) {
        let chunk = file::chunk(&[]);
        for follower in &mut self.followers {
            follower.backlog.extend_from_slice(&chunk);
            follower.flush();
        }
        self.followers.clear();
        if let Some((_, directory)) = self.listener.take() {
            let _ = std::fs::remove_file(short_path(&directory));
        }
    }
}
