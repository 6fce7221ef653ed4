//! File control: READ, WRITE, REWRITE, DELETE, UNLOCK and browses over the data sets of the store; FILE resources and their states.
//!
//! * `resource`  a FILE: its definition, `status` its states, whether it is enabled and open, its users; `opening` its data set; `counts` its statistics;
//! * `request`   the common parts of the commands: the file, RIDFLD, lengths, delivery of a record;
//! * `conditions` the conditions for results of the access method;
//! * `strings`   the number of concurrent requests of a file; `pools` LSR pools and their buffers; `tables`, `table_load` data tables;
//! * `read`, `update`, `browse` the commands; `autojournal` their records in user journals;
//! * `backup` backup while open; `inquire` INQUIRE FILE and SET FILE; `dsname` INQUIRE DSNAME and SET DSNAME; `unit_failures` INQUIRE
//!   UOWDSNFAIL.
//!
//! Invariants: a task is a user of a file from its first request to the end of its unit of work, and a file closes only when it has no
//! users; every position and hold of a task ends with its unit of work; a task's handle of a file is valid while the file's generation has
//! not changed, so a request with a handle needs no lookup.

mod autojournal;
mod backup;
mod browse;
mod cfdt_pools;
mod conditions;
mod counts;
mod dsname;
mod inquire;
mod opening;
mod pools;
mod read;
mod records;
mod report;
mod request;
mod resource;
mod status;
mod strings;
mod table_load;
mod tables;
mod unit_failures;
mod update;

pub use inquire::{FileChange, FileView};
pub use pools::{LsrPool, LsrPools};
pub use resource::{Busy, FileResource};
pub use status::{EnableStatus, OpenStatus};
pub use vsam::buffers::{BUFFER_SIZES, BufferStatistics as BufferCounts};

use csd::{FileDefinition, FileStatus, TableKind};
use exec::{CommandId, command};
use kernel::Peaks;
use parking_lot::RwLock;
use region::control_blocks::target::Target;
use region::domain::ResourceType as Installs;
use region::figures::{ResourceStatistics, ResourceType};
use region::name::{Name4, Name8};
use region::statistics::recording;
use region::{Abend, Decision, Domain, Handler, Life, Outcome, Participant, Raised, Region, Task};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use vsam::store::Charge;
use vsam::{Browse, File, Token, UnitOfWork};

const CARRY_INTERVAL: Duration = Duration::from_secs(1);

region::task_part!(TaskState);

region::region_part!(FileControl);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "file control",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[
        Installs { name: "LSRPOOL", install: None, ..Installs::NONE },
        Installs {
            name: "FILE",
            install: Some(|region, definition| install(region, FileDefinition::from(definition))),
            system: Some(system_of),
            ..Installs::NONE
        },
    ],
    unit_of_work: Some(Participant { before: unit_of_work_ends, after: unit_of_work_ended, back_out: Some(back_out), ..Participant::NONE }),
    life: Life { stop: Some(|region, _| shutdown(region)), ..Life::NONE },
    statistics: Some(|region| FileControl::of(region).statistics()),
    records: &[&records::FILES, &records::LSR_POOLS],
    programs: &[("DFHFCDL", table_load::load_pool_table)],
    report: Some(report::write),
    ..Domain::NONE
};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::READ, read::read),
        (command::WRITE, update::write),
        (command::REWRITE, update::rewrite),
        (command::DELETE, update::delete),
        (command::UNLOCK, update::unlock),
        (command::STARTBR, browse::start),
        (command::READNEXT, browse::next),
        (command::READPREV, browse::previous),
        (command::RESETBR, browse::reset),
        (command::ENDBR, browse::end),
        (command::INQUIRE_FILE, inquire::inquire),
        (command::SET_FILE, inquire::set),
        (command::DISCARD_FILE, inquire::discard),
        (command::INQUIRE_CFDTPOOL, cfdt_pools::inquire),
        (command::INQUIRE_DSNAME, dsname::inquire),
        (command::SET_DSNAME, dsname::set),
        (command::INQUIRE_UOWDSNFAIL, unit_failures::inquire),
    ]
}

fn system_of(region: &Region, target: &Target) -> Option<Name4> {
    FileControl::of(region).find(target.name(&region.code_page)).map(|file| file.definition().remote_system)
}

/// A record held for update.
struct Hold {
    token: Token,
    /// Read with TOKEN: only requests with that token mean it.
    by_token: bool,
    /// Storage given by SET, to be used again.
    storage: Option<usize>,
    /// Key and record as read, of a record held by contention: without a lock.
    image: Option<Box<(Vec<u8>, Vec<u8>)>>,
    /// Its memory in the account of the region.
    _charge: Charge,
}

/// The kind of RIDFLD of a browse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum IdKind {
    Key,
    Rba,
    Xrba,
    Rrn,
}

struct OpenBrowse {
    request_id: i64,
    browse: Browse,
    kind: IdKind,
    generic: bool,
    greater_or_equal: bool,
    storage: Option<usize>,
    /// Of the last request with UPDATE.
    token: Option<Token>,
    /// Its memory in the account of the region.
    _charge: Charge,
}

/// A file as one task uses it.
struct FileUse {
    resource: Arc<FileResource>,
    file: File,
    definition: Arc<FileDefinition>,
    generation: u32,
    key_length: usize,
    holds: SmallVec<[Hold; 2]>,
    browses: Vec<OpenBrowse>,
    mass_insert: bool,
    /// The data set is empty and being loaded.
    load_mode: bool,
    table_kind: TableKind,
    /// Requests run on whatever TCB the program has.
    threadsafe: bool,
    /// The load of the file's data table.
    loading: Option<Arc<table_load::Loading>>,
    /// Strings of the file, and of its LSR pool with a buffer each, this task has.
    strings: u32,
    pool: Option<Arc<LsrPool>>,
    /// The size of the pool's buffers, if there are fewer of them than strings.
    buffers: Option<usize>,
    /// Storage given by READ SET without UPDATE.
    storage: Option<usize>,
    spare_storage: Vec<usize>,
}

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    uses: Vec<FileUse>,
    /// The record of the request in progress; kept for its capacity.
    record: Vec<u8>,
    /// A browse of INQUIRE DSNAME: the remaining names.
    data_sets: Option<VecDeque<String>>,
    /// A browse of INQUIRE UOWDSNFAIL.
    failures: Option<VecDeque<unit_failures::Failure>>,
}

/// This domain's part of the region.
#[derive(Default)]
pub struct FileControl {
    files: RwLock<FxHashMap<Name8, Arc<FileResource>>>,
    pub pools: LsrPools,
    marks: dsname::Marks,
    /// Held while the data table of a file is loaded: each load reads its whole source.
    pub loads: parking_lot::Mutex<()>,
    /// Coupling facility tables whose loads wait for their tasks.
    to_load: parking_lot::Mutex<VecDeque<Arc<table_load::Loading>>>,
    /// The thread that carries forward recovery logs has been started; it is to end.
    carrier: OnceLock<()>,
    stopping: AtomicBool,
}

impl FileControl {
    pub fn find(&self, name: Name8) -> Option<Arc<FileResource>> {
        self.files.read().get(&name).cloned()
    }

    /// In order, for inquiry.
    pub fn names(&self) -> Vec<Name8> {
        let mut names: Vec<Name8> = self.files.read().keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// Removes an unused file (DISCARD); false while it is open or in use.
    pub fn discard(&self, name: Name8) -> bool {
        let mut files = self.files.write();
        let idle = files.get(&name).is_some_and(|file| file.is_idle());
        idle && files.remove(&name).is_some()
    }

    /// Whether a file of a base cluster accesses it in RLS mode.
    pub fn is_accessed_in_rls(&self, base: &str) -> bool {
        let of_base = |file: &FileResource| match file.attributes() {
            Some(attributes) => attributes.base == base,
            None => file.definition().dataset.eq_ignore_ascii_case(base),
        };
        self.files.read().values().any(|file| file.definition().rls && of_base(file))
    }

    /// The LSR pools in use by number, with the counts of their buffers.
    pub fn pool_reports(&self) -> Vec<(ResourceStatistics, Vec<BufferCounts>)> {
        self.pools.reports(Peaks::Keep)
    }

    pub fn statistics(&self) -> Vec<ResourceStatistics> {
        let files = self.names().into_iter().filter_map(|name| self.find(name)).map(|file| file.statistics());
        files.chain(self.pools.statistics()).collect()
    }
}

/// Replication logs get the COMMIT record of the unit of work.
fn unit_of_work_ends(task: &mut Task, decision: Decision) -> Outcome {
    if decision == Decision::Backout || TaskState::of(&task.parts).uses.iter().all(|used| !used.file.attributes().log_replicate) {
        return Ok(());
    }
    let Some(unit) = task.open_unit_of_work() else { return Ok(()) };
    task.region.data_sets.log_commit(unit).map_err(|error| {
        let why = format!("the replication log could not be written: {error}");
        Raised::Abend(Box::new(Abend::new("ASPB").because(why)))
    })
}

/// Backs out a unit of work; replication logs get its changes, and BACKOUT.
fn back_out(region: &Region, unit: &UnitOfWork) {
    if let Err(error) = region.data_sets.back_out(unit) {
        tracing::error!(target: "region::file", %error, "a backout could not be logged for replication");
    }
}

/// Ends every browse and hold of the task and its use of files.
fn unit_of_work_ended(task: &mut Task, decision: Decision) {
    if TaskState::of(&task.parts).uses.is_empty() {
        return;
    }
    for used in std::mem::take(&mut TaskState::of_mut(&mut task.parts).uses) {
        let storage = used.spare_storage.iter().copied();
        let storage = storage.chain(used.holds.iter().filter_map(|hold| hold.storage));
        let storage = storage.chain(used.browses.iter().filter_map(|browse| browse.storage)).chain(used.storage);
        let storage: SmallVec<[usize; 4]> = storage.collect();
        for address in storage {
            task.freemain(address);
        }
        let resource = used.resource.clone();
        strings::give_all(&used);
        if used.mass_insert && used.load_mode {
            resource.end_load_mode(task.region, task.number);
        }
        if decision == Decision::Backout && used.is_own_table() {
            resource.count_table(&used.file);
        }
        // The last user's handle must be dropped before the file can close.
        drop(used);
        resource.leave(task.region, task.number);
    }
}

/// Installs a definition: the file is replaced if it is not in use.
pub fn install(region: &'static Region, definition: FileDefinition) -> Result<(), String> {
    let open_now = definition.open_at_startup && definition.status == FileStatus::Enabled && region.is_local(definition.remote_system);
    let name = definition.name;
    let resource = Arc::new(FileResource::new(definition));
    let installed = recording::replaced(region, ResourceType::File, name.as_str(), || {
        let mut files = FileControl::of(region).files.write();
        let replaceable = files.get(&name).is_none_or(|present| present.is_idle());
        replaceable.then(|| files.insert(name, resource.clone()))
    });
    if installed.is_none() {
        return Err(format!("file {name} is open or in use"));
    }
    if open_now {
        // A file that cannot be opened now has reported it and stays closed; the next request tries again.
        let _ = resource.open(region);
    }
    Ok(())
}

/// Closes everything, at the end of the region.
pub fn shutdown(region: &'static Region) {
    for name in FileControl::of(region).names() {
        if let Some(file) = FileControl::of(region).find(name) {
            file.close_now(region);
        }
    }
    FileControl::of(region).stopping.store(true, Ordering::Release);
    carry_forward_logs(region);
}

/// Carries forward recovery logs every second from now on; records not yet carried are in the system log.
fn start_carrier(region: &'static Region) {
    FileControl::of(region).carrier.get_or_init(|| {
        let carry = move || {
            let (mut keypoints, mut before) = (region.store.statistics().keypoints, backup::now());
            while !FileControl::of(region).stopping.load(Ordering::Acquire) {
                std::thread::sleep(CARRY_INTERVAL);
                let taken = region.store.statistics().keypoints;
                if std::mem::replace(&mut keypoints, taken) != taken {
                    files_at_keypoint(region, std::mem::replace(&mut before, backup::now()));
                }
                carry_forward_logs(region);
            }
        };
        if let Err(error) = std::thread::Builder::new().name("forward-log".to_string()).spawn(carry) {
            tracing::error!(target: "region::file", %error, "forward recovery logs are carried only when files are closed");
        }
    });
}

/// The work of open files when the log has been cut. `before`: the time of the previous keypoint.
fn files_at_keypoint(region: &'static Region, before: u64) {
    for file in FileControl::of(region).names().into_iter().filter_map(|name| FileControl::of(region).find(name)) {
        file.keypoint(region, before);
    }
}

/// Moves committed records to the forward recovery logs.
pub(crate) fn carry_forward_logs(region: &'static Region) {
    if let Err(error) = region.data_sets.carry_forward_logs() {
        tracing::error!(target: "region::file", %error, "a forward recovery log could not be written");
    }
}
