//! The CSD of a region, as tasks of the region and other processes share it.
//!
//! Invariants: a change is made under the lock of the file and on its newest contents; it is in the file as a whole, or nothing of it is; a
//! reader never waits for a change. The file is replaced by a change, so the lock is that of whatever file has the path.

use crate::csdup::Report;
use crate::file::Csd;
use crate::remarks;
use parking_lot::Mutex;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Write as _};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The CSD is for its owner.
const FILE_MODE: u32 = 0o600;
/// How long a change waits for those of other processes, and how often it tries.
const WAIT_MAX: Duration = Duration::from_secs(10);
const TRIES_EVERY: Duration = Duration::from_millis(5);

/// Why the CSD cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unavailable {
    Unreadable(String),
    ReadOnly,
    Full,
    /// Another process has kept it for too long.
    InUse,
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Unavailable::Unreadable(reason) => write!(formatter, "{reason}"),
            Unavailable::ReadOnly => write!(formatter, "the CSD may only be read"),
            Unavailable::Full => write!(formatter, "there is no space for the CSD"),
            Unavailable::InUse => write!(formatter, "another process uses the CSD"),
        }
    }
}

/// What tells one state of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(metadata: &std::fs::Metadata) -> Stamp {
        Stamp { inode: metadata.ino(), bytes: metadata.len(), changed: (metadata.mtime(), metadata.mtime_nsec()) }
    }
}

#[derive(Debug)]
struct Kept {
    csd: Arc<Csd>,
    /// The state of the file that it is.
    stamp: Option<Stamp>,
}

/// A CSD that many change.
#[derive(Debug)]
pub struct SharedCsd {
    file: Option<PathBuf>,
    read_only: bool,
    kept: Mutex<Kept>,
}

impl From<Csd> for SharedCsd {
    /// A CSD without a file: it ends with its region.
    fn from(csd: Csd) -> Self {
        SharedCsd { file: None, read_only: false, kept: Mutex::new(Kept { csd: Arc::new(csd), stamp: None }) }
    }
}

impl SharedCsd {
    /// The CSD in a file, which is made when it is first changed.
    pub fn on_file(file: &Path) -> SharedCsd {
        let csd = Arc::new(Csd::initialized());
        SharedCsd { file: Some(file.to_path_buf()), read_only: false, kept: Mutex::new(Kept { csd, stamp: None }) }
    }

    /// As it is now, but it refuses every change (CSDACC=READONLY).
    pub fn read_only(mut self) -> SharedCsd {
        self.read_only = true;
        self
    }

    /// The CSD as it is at this moment.
    pub fn snapshot(&self) -> Result<Arc<Csd>, Unavailable> {
        let mut kept = self.kept.lock();
        self.refresh(&mut kept)?;
        Ok(kept.csd.clone())
    }

    fn refresh(&self, kept: &mut Kept) -> Result<(), Unavailable> {
        let Some(path) = &self.file else { return Ok(()) };
        let stamp = match std::fs::metadata(path) {
            Ok(metadata) => Stamp::of(&metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unreadable(path, &error)),
        };
        if kept.stamp == Some(stamp) {
            return Ok(());
        }
        let (csd, report) = Csd::load(path).map_err(|error| unreadable(path, &error))?;
        if let Some(reason) = damage(&report) {
            return Err(Unavailable::Unreadable(format!("{} is damaged:\n{reason}", path.display())));
        }
        *kept = Kept { csd: Arc::new(csd), stamp: Some(stamp) };
        Ok(())
    }

    /// Changes the CSD; a change that fails changes nothing.
    pub fn change<T, E: From<Unavailable>>(&self, change: impl FnOnce(&mut Csd) -> Result<T, E>) -> Result<T, E> {
        if self.read_only {
            return Err(Unavailable::ReadOnly.into());
        }
        let mut kept = self.kept.lock();
        let _alone = match &self.file {
            Some(path) => Some(lock(path)?),
            None => None,
        };
        self.refresh(&mut kept)?;
        let mut changed = (*kept.csd).clone();
        let done = change(&mut changed)?;
        let stamp = match &self.file {
            Some(path) => Some(changed.save(path).map_err(|error| unwritable(path, &error))?),
            None => None,
        };
        *kept = Kept { csd: Arc::new(changed), stamp };
        Ok(done)
    }
}

fn damage(report: &Report) -> Option<&str> {
    (report.return_code > 4).then_some(report.text.as_str())
}

fn unreadable(path: &Path, error: &Error) -> Unavailable {
    Unavailable::Unreadable(format!("{}: {error}", path.display()))
}

fn unwritable(path: &Path, error: &Error) -> Unavailable {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Unavailable::Full,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Unavailable::ReadOnly,
        _ => unreadable(path, error),
    }
}

/// Locks the file of the path, which is made if it is missing, against other processes.
fn lock(path: &Path) -> Result<File, Unavailable> {
    let until = Instant::now() + WAIT_MAX;
    loop {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).mode(FILE_MODE).open(path).map_err(|error| unwritable(path, &error))?;
        match file.try_lock() {
            // Whoever had the lock before may have replaced the file.
            Ok(()) if is_at(&file, path) => return Ok(file),
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(TRIES_EVERY),
            Err(TryLockError::WouldBlock) => return Err(Unavailable::InUse),
            Err(TryLockError::Error(error)) => return Err(unreadable(path, &error)),
        }
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let inode = |metadata: std::io::Result<std::fs::Metadata>| metadata.map(|metadata| (metadata.dev(), metadata.ino())).ok();
    inode(file.metadata()).is_some_and(|own| inode(std::fs::metadata(path)) == Some(own))
}

impl Csd {
    /// Replaces the CSD file; either the old or the new one is there after a failure at any point. Only its owner may read it.
    fn save(&self, path: &Path) -> std::io::Result<Stamp> {
        let scratch = path.with_extension("new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(FILE_MODE).open(&scratch)?;
        file.write_all(self.statements().as_bytes())?;
        file.write_all(remarks::text(self).as_bytes())?;
        file.sync_all()?;
        let stamp = Stamp::of(&file.metadata()?);
        std::fs::rename(&scratch, path)?;
        Ok(stamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Editor, Refused};
    use crate::file::{Definition, Owner, Part};

    #[derive(Debug)]
    enum Fault {
        Unavailable(#[expect(dead_code, reason = "shown by Debug")] Unavailable),
        Refused(Refused),
    }

    impl From<Unavailable> for Fault {
        fn from(unavailable: Unavailable) -> Self {
            Fault::Unavailable(unavailable)
        }
    }

    fn define(csd: &SharedCsd, name: &str) -> Result<(), Fault> {
        let program = Definition::new("PROGRAM", name, "G1");
        csd.change(|csd| csd.define(program, &Editor::Utility).map_err(Fault::Refused))
    }

    #[test]
    fn a_saved_csd_reads_back_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("csd");
        let shared = SharedCsd::on_file(&path);
        let written = shared.change(|csd| {
            csd.put(Definition::new("PROGRAM", "P1", "G1").with("DESCRIPTION", "Teller's (main) menu").with("EXECKEY", "CICS"));
            csd.put(Definition::new("TRANSACTION", "Ab12", "G1").with("PROGRAM", "P1"));
            csd.add_to_list("L1", "G1");
            csd.locks.insert((Part::List, "L1".to_string()), Owner { applid: "A".to_string(), user: "U".to_string() });
            Ok::<_, Unavailable>(csd.statements())
        });
        let again = SharedCsd::on_file(&path).snapshot().unwrap();
        assert_eq!(again.statements(), written.unwrap());
        let program = again.definition("G1", "PROGRAM", "P1").unwrap();
        assert_eq!(program.get("DESCRIPTION"), "Teller's (main) menu");
        assert_eq!(program.get("CONCURRENCY"), "QUASIRENT");
        assert!(again.lock_of(Part::List, "L1").is_some());
    }

    #[test]
    fn two_processes_change_one_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("csd");
        let (one, other) = (SharedCsd::on_file(&path), SharedCsd::on_file(&path));
        std::thread::scope(|scope| {
            for (shared, letter) in [(&one, 'A'), (&other, 'B')] {
                scope.spawn(move || (0..20).for_each(|number| define(shared, &format!("{letter}{number}")).unwrap()));
            }
        });
        assert_eq!((one.snapshot().unwrap().group("G1").count(), other.snapshot().unwrap().group("G1").count()), (40, 40));
        assert!(matches!(define(&one, "B1"), Err(Fault::Refused(Refused::DefinitionExists(..)))));
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, FILE_MODE);
    }

    #[test]
    fn a_damaged_file_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("csd");
        std::fs::write(&path, "DEFINE NONSENSE\n").unwrap();
        let shared = SharedCsd::on_file(&path);
        assert!(matches!(shared.snapshot(), Err(Unavailable::Unreadable(_))));
        assert!(matches!(define(&shared, "P1"), Err(Fault::Unavailable(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "DEFINE NONSENSE\n");
        assert!(matches!(define(&SharedCsd::from(Csd::initialized()).read_only(), "P1"), Err(Fault::Unavailable(_))));
    }
}
