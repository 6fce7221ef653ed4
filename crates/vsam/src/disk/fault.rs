//! A disk that loses power or fails at a chosen operation.
//!
//! Writes are kept in memory until their file is synced; at the loss of power a random subset of the sectors written since then reaches the
//! file, and renames since the last sync of the directory may be undone. Invariants: synced data is in the file; after the loss of power no
//! operation changes anything; the same seed and the same order of operations leave the same bytes.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::sectors::{Random, mix_pages, write_survivors};
use super::{Disk, DiskFile, RealDisk};

/// The pages as left by a loss of power; [`FaultDisk::new`] replaces the real file by them.
const CRASHED_SUFFIX: &str = "crashed";

/// Kinds of operations, in the order of [`OPERATION_NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Write,
    Sync,
    Create,
    Rename,
    Remove,
    SyncDirectory,
    CommitPages,
}

pub const OPERATION_NAMES: [&str; 7] = ["write", "sync", "create", "rename", "remove", "sync of a directory", "batch of the pages"];

/// The fault at the chosen operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Power is lost, the process ends at once.
    Kill,
    /// Power is lost, the process lives: every later operation answers an error.
    PowerLoss,
    /// From now on there is no room for writes and new files.
    Full,
    /// From now on nothing can be changed.
    ReadOnly,
    /// This operation (or the next sync) fails, and data it should have made durable may be lost. After a page batch that failed in the
    /// middle no other succeeds, because LMDB refuses everything once its meta page could not be written.
    Failure,
}

/// When and how the disk fails.
#[derive(Clone, Copy, Debug)]
pub struct FaultPlan {
    /// Counted from 1 over all operations that change something.
    pub at_operation: u64,
    pub kind: FaultKind,
    pub seed: u64,
}

struct Pending {
    path: PathBuf,
    inode: u64,
    file: Arc<File>,
    bytes: Vec<u8>,
    offset: u64,
}

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Condition {
    Good,
    Full,
    ReadOnly,
    Dead,
}

struct State {
    operations: u64,
    plan: Option<FaultPlan>,
    condition: Condition,
    random: Random,
    pending: Vec<Pending>,
    /// Renames since the last sync of their directory.
    renames: Vec<(PathBuf, PathBuf)>,
    /// The operation at which the fault occurred.
    failed_at: Option<Operation>,
    /// A page batch failed in the middle; the next start decides what the pages are.
    pages_failed: bool,
}

#[derive(Clone)]
pub struct FaultDisk(Arc<Mutex<State>>);

impl std::fmt::Debug for FaultDisk {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.0.lock();
        write!(formatter, "FaultDisk({} operations, {:?})", state.operations, state.condition)
    }
}

fn power_lost() -> io::Error {
    io::Error::other("the simulated disk has lost power")
}

impl FaultDisk {
    /// A disk for the store in `directory`, which first gets the state that an earlier loss of power left.
    pub fn new(directory: &Path, plan: Option<FaultPlan>) -> io::Result<FaultDisk> {
        let pages = directory.join("pages/data.mdb");
        let crashed = pages.with_extension(CRASHED_SUFFIX);
        if crashed.exists() {
            std::fs::rename(&crashed, &pages)?;
        }
        let random = Random(plan.map_or(1, |plan| plan.seed) | 1);
        let (pending, renames) = (Vec::new(), Vec::new());
        let condition = Condition::Good;
        let (failed_at, pages_failed) = (None, false);
        let state = State { operations: 0, plan, condition, random, pending, renames, failed_at, pages_failed };
        Ok(FaultDisk(Arc::new(Mutex::new(state))))
    }

    /// Operations so far.
    pub fn operations(&self) -> u64 {
        self.0.lock().operations
    }

    /// The kind of operation at which the fault occurred.
    pub fn failed_at(&self) -> Option<Operation> {
        self.0.lock().failed_at
    }

    /// Changes the plan; operations are counted from here again.
    pub fn set_plan(&self, plan: Option<FaultPlan>) {
        let mut state = self.0.lock();
        state.operations = 0;
        state.failed_at = None;
        state.plan = plan;
        if let Some(plan) = plan {
            state.random = Random(plan.seed | 1);
        }
    }

    /// Room again, writable again (a disk without power stays so).
    pub fn mend(&self) {
        let mut state = self.0.lock();
        if state.condition != Condition::Dead {
            state.condition = Condition::Good;
        }
        state.plan = None;
    }

    /// Loses power now, like a kill of the process between two operations.
    pub fn lose_power(&self) {
        self.0.lock().lose_power();
    }
}

impl State {
    /// Counts an operation. `Ok(true)`: the fault occurs here, and the caller decides how much of the operation is done.
    fn pass(&mut self, operation: Operation) -> io::Result<bool> {
        match self.condition {
            Condition::Good => {}
            Condition::Dead => return Err(power_lost()),
            Condition::Full if matches!(operation, Operation::Write | Operation::Create | Operation::CommitPages) => {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            Condition::Full => {}
            Condition::ReadOnly => return Err(io::Error::from(io::ErrorKind::ReadOnlyFilesystem)),
        }
        if self.pages_failed && operation == Operation::CommitPages {
            return Err(io::Error::other("an earlier batch of the pages failed"));
        }
        self.operations += 1;
        let Some(plan) = self.plan else { return Ok(false) };
        if self.operations < plan.at_operation || self.failed_at.is_some() {
            return Ok(false);
        }
        match plan.kind {
            FaultKind::Kill | FaultKind::PowerLoss => {}
            FaultKind::Full => self.condition = Condition::Full,
            FaultKind::ReadOnly => self.condition = Condition::ReadOnly,
            // The operation that fails is a sync or a batch; the others are repaired by a retry.
            FaultKind::Failure if matches!(operation, Operation::Sync | Operation::CommitPages) => {}
            FaultKind::Failure => return Ok(false),
        }
        self.failed_at = Some(operation);
        match self.condition {
            Condition::Good | Condition::Dead => Ok(true),
            _ => {
                // The next operations, including this one, see the new condition.
                self.operations -= 1;
                self.pass(operation)
            }
        }
    }

    fn kind(&self) -> FaultKind {
        self.plan.map_or(FaultKind::PowerLoss, |plan| plan.kind)
    }

    fn lose_power(&mut self) {
        if self.condition == Condition::Dead {
            return;
        }
        self.condition = Condition::Dead;
        for write in std::mem::take(&mut self.pending) {
            let _ = write_survivors(&write.file, &write.bytes, write.offset, &mut self.random);
        }
        // Directories are journals of their own: names are lost from the newest on.
        let mut kept = self.random.below(self.renames.len() as u64 + 1) as usize;
        while self.renames.len() > kept {
            let (from, to) = self.renames.pop().expect("longer than what is kept");
            if from.exists() || std::fs::rename(&to, &from).is_err() {
                kept = self.renames.len();
            }
        }
    }

    /// The fault has occurred at an operation that is not a page batch.
    fn fail(&mut self) -> io::Error {
        match self.kind() {
            FaultKind::Kill => {
                self.lose_power();
                std::process::abort()
            }
            FaultKind::PowerLoss => {
                self.lose_power();
                power_lost()
            }
            FaultKind::Full | FaultKind::ReadOnly | FaultKind::Failure => io::Error::other("the simulated disk failed"),
        }
    }
}

struct FaultFile {
    disk: FaultDisk,
    path: PathBuf,
    /// A sync reaches what was written through any handle of the file.
    inode: u64,
    file: Arc<File>,
}

impl Disk for FaultDisk {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        RealDisk.create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        RealDisk.list(directory)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = RealDisk.read(path)?;
        for write in self.0.lock().pending.iter().filter(|write| write.path == path) {
            let end = write.offset as usize + write.bytes.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[write.offset as usize..end].copy_from_slice(&write.bytes);
        }
        Ok(bytes)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        if !path.exists() {
            let mut state = self.0.lock();
            if state.pass(Operation::Create)? {
                return Err(state.fail());
            }
        }
        let file = Arc::new(super::open_file(path)?);
        let inode = file.metadata()?.ino();
        Ok(Arc::new(FaultFile { disk: self.clone(), path: path.to_path_buf(), inode, file }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.0.lock();
        let fails = state.pass(Operation::Rename)?;
        std::fs::rename(from, to)?;
        for write in state.pending.iter_mut().filter(|write| write.path == from) {
            write.path = to.to_path_buf();
        }
        state.renames.push((from.to_path_buf(), to.to_path_buf()));
        if fails { Err(state.fail()) } else { Ok(()) }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.0.lock();
        if state.pass(Operation::Remove)? {
            return Err(state.fail());
        }
        state.pending.retain(|write| write.path != path);
        // A rename cannot bring back a removed file.
        state.renames.retain(|(_, to)| to != path);
        std::fs::remove_file(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        let mut state = self.0.lock();
        if state.pass(Operation::SyncDirectory)? {
            return Err(state.fail());
        }
        state.renames.retain(|(_, to)| to.parent() != Some(path));
        Ok(())
    }

    fn room(&self, directory: &Path) -> Option<u64> {
        RealDisk.room(directory)
    }

    fn commit_pages(&self, file: &Path, commit: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let (fails, choice) = {
            let mut state = self.0.lock();
            (state.pass(Operation::CommitPages)?, state.random.below(3))
        };
        if !fails {
            return commit();
        }
        // Before the batch, in the middle of its writes, or when it is durable but has not returned.
        if choice == 1 {
            let before = std::fs::read(file)?;
            commit()?;
            let after = std::fs::read(file)?;
            let mut state = self.0.lock();
            // Under its name only when it is whole: the process may be killed here.
            let unfinished = file.with_extension("unfinished");
            mix_pages(&before, &after, &unfinished, &mut state.random)?;
            std::fs::rename(&unfinished, file.with_extension(CRASHED_SUFFIX))?;
            state.pages_failed = true;
        } else if choice == 2 && self.0.lock().kind() != FaultKind::Failure {
            commit()?;
        }
        Err(self.0.lock().fail())
    }
}

impl DiskFile for FaultFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn linked_length(&self) -> io::Result<Option<u64>> {
        self.file.linked_length()
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        let mut state = self.disk.0.lock();
        if state.pass(Operation::Write)? {
            return Err(state.fail());
        }
        self.file.set_len(length)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut state = self.disk.0.lock();
        let fails = state.pass(Operation::Write)?;
        // A file may be renamed while it is open: `read` uses the newest name of this file.
        let known = state.pending.iter().find(|write| write.inode == self.inode).map(|write| write.path.clone());
        let path = known.unwrap_or_else(|| self.path.clone());
        state.pending.push(Pending { path, inode: self.inode, file: self.file.clone(), bytes: bytes.to_vec(), offset });
        if fails { Err(state.fail()) } else { Ok(()) }
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.disk.0.lock();
        let fails = state.pass(Operation::Sync)?;
        if fails && state.kind() != FaultKind::Failure {
            return Err(state.fail());
        }
        let (own, others) = std::mem::take(&mut state.pending).into_iter().partition(|write| write.inode == self.inode);
        state.pending = others;
        let own: Vec<Pending> = own;
        for write in own {
            if fails {
                // After a failed fsync the kernel considers the pages clean, so they may be lost for good.
                write_survivors(&write.file, &write.bytes, write.offset, &mut state.random)?;
            } else {
                write.file.write_all_at(&write.bytes, write.offset)?;
            }
        }
        if fails { Err(state.fail()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sync_reaches_what_other_handles_of_the_file_have_written() {
        for seed in 1..100 {
            let directory = tempfile::tempdir().unwrap();
            let (spare, segment) = (directory.path().join("spare"), directory.path().join("segment"));
            let disk =
                FaultDisk::new(directory.path(), Some(FaultPlan { at_operation: u64::MAX, kind: FaultKind::PowerLoss, seed })).unwrap();
            disk.open(&spare).unwrap().write_at(&[0; 4096], 0).unwrap();
            disk.rename(&spare, &segment).unwrap();
            let file = disk.open(&segment).unwrap();
            file.write_at(&[7; 4096], 0).unwrap();
            file.sync().unwrap();
            disk.sync_directory(directory.path()).unwrap();
            disk.lose_power();
            assert_eq!(std::fs::read(&segment).unwrap(), [7; 4096], "seed {seed}");
        }
    }
}
