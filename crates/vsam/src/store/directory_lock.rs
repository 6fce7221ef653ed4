//! The lock of a data directory: only one store at a time uses it, even if files in the directory are deleted.
//!
//! Two inodes are locked (flock): the directory and the page file. A second store meets at least one of these locks, whatever was deleted
//! and even if the directory was moved. A copy has inodes of its own and is free. The file `lock` is locked for the sake of earlier
//! releases, and shows the process number. Invariants: the locked page file is the one at its path when the lock was taken; nothing is
//! written to the pages before both inodes are locked.

use std::fs::{File, Metadata, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::disk::{DiskFile, private};

/// How often the lock is retried if the page file is not the one just locked, because it is being replaced at this moment.
const ATTEMPTS_MAX: usize = 100;

/// Held while a store is open.
pub(crate) struct DirectoryLock {
    /// None if the file system does not support locks on directories.
    _directory: Option<File>,
    pages: File,
    page_file: PathBuf,
    _note: File,
}

enum Taken {
    Locked,
    /// Another store has it.
    Busy,
    /// This file system has no such locks.
    Unsupported,
}

fn lock(file: &File, path: &Path) -> Result<Taken, StoreError> {
    match file.try_lock() {
        Ok(()) => Ok(Taken::Locked),
        Err(TryLockError::WouldBlock) => Ok(Taken::Busy),
        Err(TryLockError::Error(error)) => match error.raw_os_error() {
            Some(libc::EINVAL | libc::EBADF | libc::ENOLCK | libc::EOPNOTSUPP | libc::ENOSYS) => Ok(Taken::Unsupported),
            _ => Err(StoreError::io(path, error)),
        },
    }
}

/// The directory of the pages in a data directory, and the file in it.
fn page_file(directory: &Path) -> (PathBuf, PathBuf) {
    let pages = directory.join("pages");
    let file = pages.join("data.mdb");
    (pages, file)
}

impl DirectoryLock {
    /// Locks the directory, creating it if missing, or reports the process that has it.
    pub(crate) fn take(directory: &Path) -> Result<DirectoryLock, StoreError> {
        let io = |path: &Path, error| StoreError::io(path, error);
        let (pages_directory, page_file) = page_file(directory);
        private::create_directory(directory).map_err(|error| io(directory, error))?;
        let directory_file = File::open(directory).map_err(|error| io(directory, error))?;
        let in_use = |inode: &Metadata| StoreError::InUse(directory.to_path_buf(), owner_of(directory, inode));
        let directory_file = match lock(&directory_file, directory)? {
            Taken::Locked => Some(directory_file),
            Taken::Busy => return Err(in_use(&directory_file.metadata().map_err(|error| io(directory, error))?)),
            Taken::Unsupported => None,
        };
        private::create_directory(&pages_directory).map_err(|error| io(&pages_directory, error))?;
        let pages = match lock_page_file(&page_file)? {
            Ok(pages) => pages,
            Err(inode) => return Err(in_use(&inode)),
        };
        let note = directory.join("lock");
        let mut note_file = open(&note)?;
        if matches!(lock(&note_file, &note)?, Taken::Busy) {
            return Err(in_use(&note_file.metadata().map_err(|error| io(&note, error))?));
        }
        let write = |file: &mut File| file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
        write(&mut note_file).map_err(|error| io(&note, error))?;
        private::tighten(directory);
        Ok(DirectoryLock { _directory: directory_file, pages, page_file, _note: note_file })
    }

    /// Fails once the page file has been deleted or replaced: data written to it from now on is lost with the process.
    pub(crate) fn check_pages(&self) -> Result<(), StoreError> {
        let io = |error| StoreError::io(&self.page_file, error);
        let length = self.pages.linked_length().map_err(io)?;
        if length.is_none() { Err(StoreError::Deleted(self.page_file.clone())) } else { Ok(()) }
    }
}

fn open(path: &Path) -> Result<File, StoreError> {
    let mut options = private::open_options();
    private::open(options.read(true).write(true).create(true).truncate(false), path).map_err(|error| StoreError::io(path, error))
}

/// The page file, locked; or the file that another process has locked.
fn lock_page_file(path: &Path) -> Result<Result<File, Metadata>, StoreError> {
    let io = |error| StoreError::io(path, error);
    for _ in 0..ATTEMPTS_MAX {
        let file = open(path)?;
        let own = file.metadata().map_err(io)?;
        if let Taken::Busy = lock(&file, path)? {
            return Ok(Err(own));
        }
        let is_same = |other: &Metadata| (other.dev(), other.ino()) == (own.dev(), own.ino());
        match std::fs::metadata(path) {
            Ok(other) if is_same(&other) => return Ok(Ok(file)),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(io(error)),
        }
    }
    Err(io(std::io::Error::other("the file is replaced all the time")))
}

/// The process that has this inode locked, from the system if it reports it, else from the file `lock`.
fn owner_of(directory: &Path, inode: &Metadata) -> u32 {
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    lock_owner(&locks, inode.dev(), inode.ino()).unwrap_or_else(|| {
        let mut text = String::new();
        let _ = File::open(directory.join("lock")).and_then(|mut file| file.read_to_string(&mut text));
        text.trim().parse().unwrap_or(0)
    })
}

/// Finds the owner of a flock in the text of /proc/locks (proc_locks(5)): number, FLOCK, ADVISORY, WRITE, process, major:minor:inode, range.
fn lock_owner(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let name = format!("{:02x}:{:02x}:{inode}", libc::major(device), libc::minor(device));
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "FLOCK", _, "WRITE", process, place, ..] if place == name => process.parse().ok().filter(|process| *process > 0),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_of_a_lock_is_found_among_others() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 fe:00:42 0 EOF\n2: FLOCK  ADVISORY  READ 12 fe:00:42 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 13 fe:01:42 0 EOF\n4: FLOCK  ADVISORY  WRITE 14 fe:00:42 0 EOF\n\
                     4: -> FLOCK  ADVISORY  WRITE 15 fe:00:42 0 EOF\n";
        let device = libc::makedev(0xFE, 0);
        assert_eq!(lock_owner(locks, device, 42), Some(14));
        assert_eq!(lock_owner(locks, device, 43), None);
    }
}
