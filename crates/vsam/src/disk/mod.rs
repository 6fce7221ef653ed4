//! The disk below the log and the pages: every write, sync, rename and removal of the store goes through [`Disk`].
//!
//! [`RealDisk`] is the operating system's; [`FaultDisk`] is a simulated one that loses power, fills up, becomes read-only or fails a sync
//! at a chosen operation, for tests and `regent torture`. Invariants: a caller considers nothing durable before `sync` (of a file) or
//! `sync_directory` (of names) has returned; an operation that fails may have done any part of its work.
//!
//! `names` maps names to file names; `private` keeps other users from reading the files.

mod fault;
pub mod names;
pub mod private;
mod sectors;

use rustix::fs::{AtFlags, StatxFlags};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

pub use self::fault::{FaultDisk, FaultKind, FaultPlan, OPERATION_NAMES, Operation};

/// Files and names of one store.
pub trait Disk: Send + Sync + std::fmt::Debug {
    fn create_directory(&self, path: &Path) -> io::Result<()>;
    /// Names of the entries of a directory.
    fn list(&self, directory: &Path) -> io::Result<Vec<String>>;
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Opens a file for reading and writing, creating it if missing.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>>;
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
    /// Bytes that can still be written to the device of a directory, if known.
    fn room(&self, directory: &Path) -> Option<u64>;

    /// Makes one durable batch of the pages, whose writes the engine itself does to `file`. A simulated disk decides how much of it
    /// survives a loss of power.
    fn commit_pages(&self, _file: &Path, commit: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        commit()
    }
}

/// An open file.
pub trait DiskFile: Send + Sync {
    fn length(&self) -> io::Result<u64>;
    /// The length; `None` once the file has been deleted while it is open.
    fn linked_length(&self) -> io::Result<Option<u64>>;
    fn set_length(&self, length: u64) -> io::Result<()>;
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Everything written before is durable when this answers.
    fn sync(&self) -> io::Result<()>;
}

/// The operating system's files.
#[derive(Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        private::create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        std::fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(open_file(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn room(&self, directory: &Path) -> Option<u64> {
        rustix::fs::statvfs(directory).ok().map(|system| system.f_bavail.saturating_mul(system.f_frsize))
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    private::open(private::open_options().read(true).write(true).create(true).truncate(false), path)
}

impl DiskFile for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn linked_length(&self) -> io::Result<Option<u64>> {
        // `metadata` would also ask for the times. From Linux 6.13 on, that makes the next write give the file a new time, which the next
        // sync must store: it took half as long again.
        let wanted = StatxFlags::NLINK | StatxFlags::SIZE;
        let state = rustix::fs::statx(self, "", AtFlags::EMPTY_PATH, wanted)?;
        Ok((state.stx_nlink > 0).then_some(state.stx_size))
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        // The length is set when a file is created, so syncing data is enough: fdatasync also stores a changed length.
        self.sync_data()
    }
}
