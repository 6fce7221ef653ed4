//! The region: the state shared by all domains.
//!
//! Invariants: a region is made once and lives until the process ends, so the domains and tasks hold it by plain reference; no user task
//! runs before control is given and none after shutdown has finished; the store is closed last. The region names no domain: the domains are
//! in its registry, and their state for the region is in their slots (`parts`).

use super::changes::Changes;
use crate::Registry;
use crate::code_page::RegionCodePage;
use crate::extensions::Extensions;
use crate::messages::Messages;
use crate::name::{Name4, Name8};
use crate::slots::{Block, OfRegion};
use crate::system_initialization::SystemInitialization;
use csd::{Installed, SharedCsd};
use kernel::Dispatcher;
use kernel::storage::{Dsa, Line, Storage, Violation};
use parking_lot::{Condvar, Mutex, RwLock};
use program::rununit::RunTimeOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

/// The stage of the region's start or end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Default, Debug)]
pub enum Stage {
    /// Recovery, before the resources are installed: the first programs of PLTPI.
    #[default]
    SecondInitialization,
    /// Resources are installed: the second programs of PLTPI.
    ThirdInitialization,
    Running,
    /// User tasks end, and the first programs of PLTSD run.
    FirstQuiesce,
    /// No user task is left: the second programs of PLTSD.
    SecondQuiesce,
    Stopped,
}

/// The internal number of the release the region behaves as, CICS Transaction Server 5.5.
pub const RELEASE: &str = csd::RELEASE;

/// The polling interval of a thread that waits for the end of tasks.
pub const TASKS_LOOK_EVERY: Duration = Duration::from_millis(1);

pub struct Region {
    pub sit: SystemInitialization,
    pub applid: Name8,
    pub sysid: Name4,
    pub default_user: Name8,
    pub code_page: RegionCodePage,
    pub messages: Messages,
    pub dispatcher: Dispatcher,
    pub storage: Storage,
    pub store: Arc<vsam::Store>,
    pub data_sets: Arc<vsam::DataSets>,
    pub csd: SharedCsd,
    pub installed: RwLock<Installed>,
    pub dd_names: std::collections::BTreeMap<String, PathBuf>,
    pub run_time_options: Option<RunTimeOptions>,

    /// The parts of the domains in the region; only their owners access them.
    pub parts: Block<OfRegion>,
    pub registry: Registry,
    pub extensions: Extensions,
    pub changes: Changes,
    /// Installed and connected terminals, by name.
    pub terminals: crate::facility::Terminals,

    /// Address and length of the common work area.
    pub cwa: crate::storage_access::Area,
    /// FCQRONLY=YES.
    pub file_control_on_qr: bool,
    /// SUBTSKS=1.
    pub uses_io_subtask: bool,
    pub storage_protection: bool,
    /// TRANISO in force: user-key task storage is inaccessible to other tasks' programs.
    pub transaction_isolation: bool,
    /// CMDPROT=YES, with storage protection: the output areas of commands are tested.
    pub command_protection: bool,
    pub force_qr: bool,
    pub data_directory: PathBuf,
    /// Bytes of a transaction dump data set.
    pub dump_data_set_bytes: u64,
    pub(crate) started_at: std::time::SystemTime,
    /// The lines that an operator was told are short on storage, by bit.
    pub(crate) short_lines: AtomicU8,
    pub(crate) stage: Mutex<Stage>,
    pub(crate) stage_changed: Condvar,
    /// A definition names another system: commands must look up where their resource is.
    pub(crate) any_remote: AtomicBool,
    /// A shutdown waits for no task any more.
    pub(crate) hastened: AtomicBool,
}

impl Region {
    /// Whether a path leads to the files of the security database. No definition may name them: they are what decides who may define.
    pub fn is_of_security(&self, path: &Path) -> bool {
        let Ok(own) = self.data_directory.join("security").canonicalize() else { return false };
        let in_folder = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(in_folder).is_some_and(|real| real.starts_with(own))
    }

    /// Whether a SYSID or REMOTESYSTEM names this region (or nothing).
    pub fn is_local(&self, system: Name4) -> bool {
        system.is_blank() || system == self.sysid
    }

    /// A shutdown waits for no task any more.
    pub fn is_hastened(&self) -> bool {
        self.hastened.load(Ordering::Acquire)
    }

    /// Whether any resource is defined in another system.
    #[inline]
    pub fn has_remote_resources(&self) -> bool {
        self.any_remote.load(Ordering::Relaxed)
    }

    pub fn stage(&self) -> Stage {
        *self.stage.lock()
    }

    pub(crate) fn enter(&self, stage: Stage) {
        *self.stage.lock() = stage;
        self.stage_changed.notify_all();
    }

    pub fn started_at(&self) -> std::time::SystemTime {
        self.started_at
    }

    /// A task must wait for storage of a DSA: the operator is told that its line is short, once until it has recovered.
    pub(crate) fn short_of_storage(&self, dsa: Dsa) {
        let line = dsa.line();
        if self.short_lines.fetch_or(1 << line as u8, Ordering::SeqCst) & 1 << line as u8 == 0 {
            let (short, _) = short_messages(line);
            self.messages.send(short, &[("dsa", dsa.name())]);
        }
    }

    /// Storage has been freed or obtained: tells the operator of the lines that are no longer short and for which nobody waits.
    #[inline]
    pub(crate) fn tell_recovered_storage(&self) {
        if self.short_lines.load(Ordering::Relaxed) != 0 {
            [Line::Below16M, Line::Below2G, Line::Above].into_iter().for_each(|line| self.tell_recovered(line));
        }
    }

    #[cold]
    fn tell_recovered(&self, line: Line) {
        let told = 1 << line as u8;
        let is_short = self.storage.is_short(line) || self.storage.has_waiting_tasks(line);
        if !is_short && self.short_lines.fetch_and(!told, Ordering::SeqCst) & told != 0 {
            let (_, recovered) = short_messages(line);
            self.messages.send(recovered, &[]);
        }
    }

    pub(crate) fn storage_violation(&self, task: u32, violation: &Violation) {
        let (task, address, length) = (task.to_string(), format!("{:08X}", violation.address), violation.length.to_string());
        let subpool = violation.subpool;
        let values = [("task", task.as_str()), ("address", &address), ("length", &length), ("subpool", subpool.as_str())];
        self.messages.send("DFHSM0102", &values);
    }

    /// Blocks the calling thread (never a task's) until a shutdown, whoever requested it, has finished.
    pub fn wait_until_stopped(&self) {
        let mut stage = self.stage.lock();
        while *stage != Stage::Stopped {
            self.stage_changed.wait(&mut stage);
        }
    }

    /// True for the first shutdown request; waits for the end of the initialization.
    pub(crate) fn claim_shutdown(&self) -> bool {
        let mut stage = self.stage.lock();
        // A program of PLTPI may ask for it.
        while *stage < Stage::Running {
            self.stage_changed.wait(&mut stage);
        }
        let first = *stage == Stage::Running;
        if first {
            *stage = Stage::FirstQuiesce;
        }
        first
    }
}

/// The messages that a line is short on storage, and that it is no longer.
const fn short_messages(line: Line) -> (&'static str, &'static str) {
    match line {
        Line::Below16M => ("DFHSM0131", "DFHSM0132"),
        Line::Below2G => ("DFHSM0133", "DFHSM0134"),
        Line::Above => ("DFHSM0606", "DFHSM0607"),
    }
}
