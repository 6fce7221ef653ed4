//! The file of the database: a line for each transaction, appended and synced before the transaction takes effect.
//!
//! Invariants: a line is its checksum (CRC-32, eight hexadecimal digits), a blank and the transaction as JSON. Only the holder of the lock
//! appends. A last line that is not complete was cut off by a crash or a full disk before its transaction was acknowledged, and is
//! overwritten by the next; any other line that does not agree with its checksum is damage, which is told and never passed over. A file is
//! replaced as a whole only by one that is complete and synced.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::change::{Change, Transaction};

/// The first line.
const HEADER: &str = "regent security database, format 1\n";
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;
/// `O_NOFOLLOW`: a symbolic link in place of a file is not followed.
const NO_FOLLOW: i32 = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
/// Digits of the checksum and the blank behind them.
const CHECKSUM_LENGTH: usize = 9;
/// Changes in a line of a snapshot.
const SNAPSHOT_LINE_CHANGES: usize = 64;
/// The file is written anew when it is longer than this and than `GROWTH_MAX` times what it would be.
const COMPACT_BYTES_MIN: u64 = 4 << 20;
const GROWTH_MAX: u64 = 4;

/// How long a change waits for those of other processes, and how often it looks.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(10);
const LOCK_RETRY: Duration = Duration::from_micros(500);

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path}: {error}", path = .path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{path}: it is damaged at byte {offset}: {what}. Restore it from a copy", path = .path.display())]
    Damaged { path: PathBuf, offset: u64, what: String },
    #[error("{path}: it is not a security database of this release", path = .path.display())]
    NotADatabase { path: PathBuf },
}

/// Which file was read, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position {
    inode: u64,
    offset: u64,
    /// The length of the file when it was last looked at; what is beyond `offset` is a line that is not complete.
    seen: u64,
}

impl Position {
    /// The file when it was last looked at: its inode and length.
    pub fn file(&self) -> (u64, u64) {
        (self.inode, self.seen)
    }

    /// How much of the file has been read.
    pub fn length(&self) -> u64 {
        self.offset
    }
}

/// What has been read.
pub(crate) enum News {
    /// Nothing new.
    Nothing,
    /// What was appended.
    Appended(Vec<Transaction>),
    /// A file that replaced the one known.
    Whole(Vec<Transaction>),
}

/// The files of the database in a directory.
pub(crate) struct Journal {
    directory: PathBuf,
    path: PathBuf,
}

/// The right to write, until it is dropped.
pub(crate) struct Lock(#[expect(dead_code, reason = "the lock is released when the file is closed")] File);

/// Options to open a private file by, which the caller completes.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(FILE_MODE).custom_flags(NO_FOLLOW);
    options
}

impl Journal {
    /// The journal of a directory, which is created if it is missing.
    pub fn new(directory: &Path) -> Result<Journal, Error> {
        let created = std::fs::DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(directory);
        created.map_err(|error| Error::Io { path: directory.to_path_buf(), error })?;
        Ok(Journal { directory: directory.to_path_buf(), path: directory.join("database") })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self) -> impl Fn(io::Error) -> Error {
        |error| Error::Io { path: self.path.clone(), error }
    }

    /// Waits for the right to write, among all processes; not for ever, because one that holds it may have been stopped.
    pub fn lock(&self) -> Result<Lock, Error> {
        let path = self.directory.join("lock");
        let failed = |error: io::Error| Error::Io { path: path.clone(), error };
        let file = private_file().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        let end = Instant::now() + LOCK_WAIT_MAX;
        loop {
            match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Lock(file)),
                Err(rustix::io::Errno::WOULDBLOCK) if Instant::now() < end => std::thread::sleep(LOCK_RETRY),
                Err(rustix::io::Errno::WOULDBLOCK) => {
                    return Err(failed(io::Error::new(io::ErrorKind::TimedOut, "another process holds it")));
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(failed(error.into())),
            }
        }
    }

    /// Whether anything may have been written since a position; costs one call of the system.
    pub fn has_changed(&self, position: &Position) -> bool {
        self.file() != Some(position.file())
    }

    /// The inode and the length of the file as it is now.
    pub fn file(&self) -> Option<(u64, u64)> {
        let found = std::fs::symlink_metadata(&self.path).ok()?;
        Some((found.ino(), found.len()))
    }

    /// Reads what was written since a position. There is no file yet: nothing.
    pub fn read(&self, position: &mut Position) -> Result<News, Error> {
        let mut file = match private_file().read(true).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && position.inode == 0 => return Ok(News::Nothing),
            Err(error) => return Err(self.failed()(error)),
        };
        let found = file.metadata().map_err(self.failed())?;
        let is_same = found.ino() == position.inode && found.len() >= position.offset;
        let start = if is_same { position.offset } else { 0 };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut bytes)).map_err(self.failed())?;
        let mut from = 0;
        if !is_same {
            if !bytes.starts_with(HEADER.as_bytes()) {
                return Err(Error::NotADatabase { path: self.path.clone() });
            }
            from = HEADER.len();
        }
        let (transactions, length) = match self.transactions(&bytes[from..], start + from as u64) {
            // A line that was read here was taken back by its writer, whose sync failed, and others stand in its place.
            Err(_) if is_same => {
                *position = Position { inode: 0, ..Position::default() };
                return self.read(position);
            }
            result => result?,
        };
        let seen = start + bytes.len() as u64;
        *position = Position { inode: found.ino(), offset: start + (from + length) as u64, seen };
        Ok(match transactions {
            transactions if !is_same => News::Whole(transactions),
            transactions if transactions.is_empty() => News::Nothing,
            transactions => News::Appended(transactions),
        })
    }

    /// The transactions of complete lines, and how many bytes those have.
    fn transactions(&self, bytes: &[u8], start: u64) -> Result<(Vec<Transaction>, usize), Error> {
        let mut transactions = Vec::new();
        let mut at = 0;
        while let Some(length) = bytes[at..].iter().position(|byte| *byte == b'\n') {
            let line = &bytes[at..at + length];
            let is_last = at + length + 1 == bytes.len();
            match transaction(line) {
                Ok(transaction) => transactions.push(transaction),
                // Blocks of one append reach the disk in any order; those that did not are zero.
                Err(_) if is_last && line.contains(&0) => break,
                Err(what) => return Err(Error::Damaged { path: self.path.clone(), offset: start + at as u64, what }),
            }
            at += length + 1;
        }
        Ok((transactions, at))
    }

    /// Appends a transaction behind a position, which is that of the end. The caller holds the lock. A transaction that must not be lost is
    /// synced. If that fails, the file is as before.
    pub fn append(&self, _lock: &Lock, position: &mut Position, transaction: &Transaction, is_synced: bool) -> Result<(), Error> {
        let mut file = private_file().write(true).open(&self.path).map_err(self.failed())?;
        let line = line(transaction);
        let mut write = || {
            file.set_len(position.offset)?;
            file.seek(SeekFrom::Start(position.offset))?;
            file.write_all(&line)?;
            if is_synced { file.sync_data() } else { Ok(()) }
        };
        if let Err(error) = write() {
            // A reader passes over what remains if this fails too: it is not complete, or its transaction is not acknowledged.
            let _ = file.set_len(position.offset);
            return Err(self.failed()(error));
        }
        position.offset += line.len() as u64;
        position.seen = position.offset;
        Ok(())
    }

    /// Whether the file has grown so much that it should be written anew.
    pub fn is_overgrown(&self, position: &Position, snapshot_bytes: u64) -> bool {
        position.offset > COMPACT_BYTES_MIN && position.offset > GROWTH_MAX * snapshot_bytes
    }

    /// Writes the file anew from a snapshot; how long it is then. The caller holds the lock.
    pub fn replace(
        &self,
        _lock: &Lock,
        position: &mut Position,
        generation: u64,
        changes: impl Iterator<Item = Change>,
    ) -> Result<(), Error> {
        let new = self.directory.join("database.new");
        let mut bytes = HEADER.as_bytes().to_vec();
        let changes: Vec<Change> = changes.collect();
        for chunk in changes.chunks(SNAPSHOT_LINE_CHANGES) {
            bytes.extend(line(&Transaction { generation, touched: Vec::new(), changes: chunk.to_vec() }));
        }
        let write = || {
            // A file left by a crash is not taken over with the rights it may have.
            std::fs::remove_file(&new).or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
            let mut file = private_file().write(true).create_new(true).open(&new)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            let inode = file.metadata()?.ino();
            std::fs::rename(&new, &self.path)?;
            File::open(&self.directory)?.sync_all()?;
            Ok(inode)
        };
        let inode = write().map_err(|error| {
            let _ = std::fs::remove_file(&new);
            Error::Io { path: new.clone(), error }
        })?;
        *position = Position { inode, offset: bytes.len() as u64, seen: bytes.len() as u64 };
        Ok(())
    }
}

fn line(transaction: &Transaction) -> Vec<u8> {
    let json = serde_json::to_string(transaction).expect("a transaction has only names as keys");
    format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes())).into_bytes()
}

fn transaction(line: &[u8]) -> Result<Transaction, String> {
    let (checksum, json) = line.split_at_checked(CHECKSUM_LENGTH).ok_or("a line is too short")?;
    let checksum = std::str::from_utf8(checksum).ok().and_then(|text| u32::from_str_radix(text.trim_end(), 16).ok());
    if checksum != Some(crc32fast::hash(json)) {
        return Err("a line does not agree with its checksum".to_string());
    }
    serde_json::from_slice(json).map_err(|error| error.to_string())
}
