//! The region: all domains, started and stopped in order.
//!
//! Invariants: a region is made once and lives until the process ends, so the domains and tasks hold it by plain reference; no user task
//! runs before control is given and none after shutdown has finished; the store is closed last.

use crate::code_page::RegionCodePage;
use crate::exec_interface::gate::Hooks;
use crate::messages::{Messages, Sink};
use crate::name::{Name4, Name8};
use crate::program_list::{self, Phase, ProgramList, ProgramLists};
use crate::resources::{Csd, Definition, Installed};
use crate::system_initialization::SystemInitialization;
use crate::transaction_manager::Task;
use kernel::storage::{Dsa, Storage, StorageConfig, Violation};
use kernel::{Dispatcher, Stop, Wait};
use parking_lot::{Condvar, Mutex, RwLock};
use program::rununit::RunTimeOptions;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// What a region is started from.
pub struct RegionConfig {
    pub sit: SystemInitialization,
    pub csd: Csd,
    /// Lists and groups to install, in order, after GRPLIST.
    pub groups: Vec<String>,
    /// Directories of load modules, searched in order (DFHRPL).
    pub libraries: Vec<PathBuf>,
    /// Where the store lives.
    pub data_directory: PathBuf,
    /// Files by DD name, for extrapartition queues.
    pub dd_names: std::collections::BTreeMap<String, PathBuf>,
    /// Program list tables, for PLTPI and PLTSD.
    pub program_lists: Vec<ProgramList>,
    /// Run-time options of Language Environment, when they are not the defaults (CEEROPT).
    pub run_time_options: Option<RunTimeOptions>,
    /// 0: one a processor.
    pub workers: usize,
    pub sinks: Vec<Arc<dyn Sink>>,
    /// The store, when the caller has it open already (to load data first); opened at `data_directory` otherwise.
    pub store: Option<Arc<vsam::Store>>,
}

/// How far the start or the end of the region has come.
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

/// Longest time user tasks have to end in a normal shutdown.
const QUIESCE_TIME: Duration = Duration::from_secs(30);
/// How often somebody who waits for the end of tasks looks.
pub(crate) const TASKS_LOOK_EVERY: Duration = Duration::from_millis(1);

impl RegionConfig {
    pub fn new(data_directory: PathBuf) -> Self {
        Self {
            sit: SystemInitialization::new(),
            csd: Csd::initialized(),
            groups: Vec::new(),
            libraries: Vec::new(),
            data_directory,
            dd_names: Default::default(),
            program_lists: Vec::new(),
            run_time_options: None,
            workers: 0,
            sinks: Vec::new(),
            store: None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("DFHSI1520 the dispatcher cannot start: {0}")]
    Dispatcher(std::io::Error),
    #[error("DFHSI1520 storage cannot be obtained: {0}")]
    Storage(std::io::Error),
    #[error("DFHSI1520 no storage for the common work area")]
    CommonWorkArea,
    #[error("DFHSI1520 {0}")]
    Store(#[from] vsam::StoreError),
    #[error("DFHSI1520 {0}")]
    DataSets(#[from] vsam::FileError),
    #[error("DFHSI1520 LOCALCCSID={0} is not a code page of the run time")]
    CodePage(u16),
    #[error("DFHSI1520 {0}={1}: there is no program list table {2}")]
    ProgramList(&'static str, String, Name8),
}

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
    pub csd: Mutex<Csd>,
    pub installed: RwLock<Installed>,
    pub dd_names: std::collections::BTreeMap<String, PathBuf>,
    pub program_lists: ProgramLists,
    pub run_time_options: Option<RunTimeOptions>,

    pub transactions: crate::transaction_manager::TransactionManager,
    pub programs: crate::program_manager::ProgramManager,
    pub interval: crate::interval_control::IntervalControl,
    pub journaling: crate::journaling::Journaling,
    pub event_waits: crate::event_wait::EventWaits,
    pub enqueues: crate::enqueue::EnqueueManager,
    pub terminals: crate::terminal_control::TerminalControl,
    pub files: crate::file_control::FileControl,
    pub temporary_storage: crate::temporary_storage::TemporaryStorage,
    pub transient_data: crate::transient_data::TransientData,
    pub named_counters: crate::named_counters::NamedCounters,
    pub maps: crate::basic_mapping::BasicMapping,
    pub recovery: crate::recovery_manager::RecoveryManager,
    pub monitoring: crate::monitoring::Monitoring,
    pub statistics: crate::statistics::Statistics,
    pub operator: crate::operator::Operator,
    pub hooks: Hooks,

    /// Address and length of the common work area.
    pub cwa: crate::storage_access::Area,
    /// FCQRONLY=YES.
    pub file_control_on_qr: bool,
    pub storage_protection: bool,
    /// TRANISO as it is in force: user-key task storage is out of reach of other tasks' programs.
    pub transaction_isolation: bool,
    /// CMDPROT=YES, with storage protection: the output areas of commands are tested.
    pub command_protection: bool,
    pub force_qr: bool,
    pub data_directory: PathBuf,
    dump_sequence: AtomicU32,
    started_at: std::time::SystemTime,
    storage_shortages: AtomicU64,
    stage: Mutex<Stage>,
    stage_changed: Condvar,
}

impl Region {
    /// Starts a region up to the point where user tasks may run.
    pub fn start(config: RegionConfig) -> Result<&'static Region, StartError> {
        let sit = config.sit;
        let ccsid = sit.local_ccsid();
        let page = RegionCodePage::by_ccsid(ccsid).ok_or(StartError::CodePage(ccsid))?;
        let messages = Messages::new(sit.applid().as_str());
        for sink in config.sinks {
            messages.add_sink(sink);
        }
        messages.send("DFHSI1500", &[("sysid", sit.sysidnt().as_str())]);
        let storage = Storage::start(storage_config(&sit)).map_err(StartError::Storage)?;
        let storage_protection = storage.is_protected();
        let transaction_isolation = storage_protection && sit.is("TRANISO", "YES") && kernel::can_isolate();
        tell_protection(&sit, storage_protection, transaction_isolation, &messages);
        crate::diagnostics::set_trace(&sit, config.workers);
        let dispatcher = Dispatcher::start(dispatcher_config(&sit, config.workers)).map_err(StartError::Dispatcher)?;
        let store = match config.store {
            Some(store) => store,
            None => vsam::Store::open(&config.data_directory, vsam::StoreConfig::default())?,
        };
        dispatcher.set_idle_work(Box::new(crate::recovery_manager::LogFlushes(store.log_flushes())));
        let report = store.restart_report();
        messages.send("DFHSI1502", &[("start", crate::recovery_manager::StartType::from(report, &sit).text())]);
        if !report.clean && !report.created {
            messages.send("DFHRM0209", &[("units", &report.units_replayed.to_string())]);
        }
        store.set_keypoint_frequency(u64::from(sit.number("AKPFREQ")));
        let data_sets = vsam::DataSets::new(store.clone())?;
        let cwa = common_work_area(&sit, &storage)?;
        let region = Box::leak(Box::new(Region {
            applid: sit.applid(),
            sysid: sit.sysidnt(),
            default_user: sit.default_user(),
            code_page: RegionCodePage::new(page),
            messages,
            dispatcher,
            storage,
            store,
            data_sets,
            csd: Mutex::new(config.csd),
            installed: RwLock::default(),
            dd_names: config.dd_names,
            program_lists: ProgramLists::new(config.program_lists),
            run_time_options: config.run_time_options,
            transactions: crate::transaction_manager::TransactionManager::new(sit.max_tasks()),
            programs: crate::program_manager::ProgramManager::new(config.libraries, sit.is("PGAIPGM", "ACTIVE")),
            interval: Default::default(),
            journaling: Default::default(),
            event_waits: Default::default(),
            enqueues: Default::default(),
            terminals: Default::default(),
            files: Default::default(),
            temporary_storage: Default::default(),
            transient_data: Default::default(),
            named_counters: Default::default(),
            maps: Default::default(),
            recovery: Default::default(),
            monitoring: crate::monitoring::Monitoring::new(sit.is("MN", "ON") && sit.is("MNPER", "ON")),
            statistics: crate::statistics::Statistics::new(sit.is("STATRCD", "ON"), sit.number("STATINT"), sit.number("STATEOD")),
            operator: Default::default(),
            hooks: Hooks::default(),
            cwa,
            file_control_on_qr: sit.is("FCQRONLY", "YES"),
            storage_protection,
            transaction_isolation,
            command_protection: storage_protection && sit.is("CMDPROT", "YES"),
            force_qr: sit.is("FORCEQR", "YES"),
            data_directory: config.data_directory,
            dump_sequence: AtomicU32::new(0),
            started_at: std::time::SystemTime::now(),
            storage_shortages: AtomicU64::new(0),
            stage: Mutex::default(),
            stage_changed: Condvar::new(),
            sit,
        }));
        let region: &'static Region = region;
        let start_programs = region.program_list("PLTPI")?;
        region.program_list("PLTSD")?;
        crate::recovery_manager::restart(region)?;
        if !start_programs.first.is_empty() {
            region.install_groups(&[program_list::GROUP.to_string()]);
            program_list::run(region, &start_programs.first, Phase::SystemOnly);
        }
        region.enter(Stage::ThirdInitialization);
        let mut lists = vec!["DFHLIST".to_string()];
        lists.extend(region.sit.group_lists().into_iter().filter(|list| list != "DFHLIST"));
        lists.extend(config.groups);
        region.install_groups(&lists);
        crate::interval_control::restart(region)?;
        region.messages.send("DFHSI1501", &[]);
        program_list::run(region, &start_programs.second, Phase::WithResources);
        region.enter(Stage::Running);
        region.messages.send("DFHSI1517", &[]);
        region.recovery.begin(region);
        region.interval.begin(region);
        crate::transient_data::region_runs(region);
        crate::statistics::recording::begin(region);
        Ok(region)
    }

    /// The table a system initialization parameter names; an empty one for NO.
    pub(crate) fn program_list(&self, parameter: &'static str) -> Result<ProgramList, StartError> {
        let value = self.sit.get(parameter);
        let Some(name) = program_list::table_name(value) else {
            return Ok(ProgramList::empty(Name8::BLANK));
        };
        self.program_lists.find(name).cloned().ok_or_else(|| StartError::ProgramList(parameter, value.to_string(), name))
    }

    pub fn stage(&self) -> Stage {
        *self.stage.lock()
    }

    fn enter(&self, stage: Stage) {
        *self.stage.lock() = stage;
        self.stage_changed.notify_all();
    }

    /// Installs lists or groups of the CSD; what fails is reported and the rest goes on.
    pub fn install_groups(&'static self, names: &[String]) -> usize {
        let csd = self.csd.lock();
        let (definitions, faults) = crate::resources::installed::in_install_order(&csd, names);
        let definitions: Vec<Definition> = definitions.into_iter().cloned().collect();
        drop(csd);
        let mut failures = faults.len();
        for fault in faults {
            let values = [("resource", ""), ("name", fault.resource.as_str()), ("reason", fault.reason.as_str())];
            self.messages.send("DFHAM4833", &values);
        }
        for definition in definitions {
            if let Err(reason) = self.install(&definition) {
                failures += 1;
                let values = [("resource", definition.resource.name), ("name", definition.name.as_str()), ("reason", reason.as_str())];
                self.messages.send("DFHAM4833", &values);
            }
        }
        failures
    }

    /// Installs one definition in the domain that owns its type; types no domain works with yet are kept for inquiry.
    pub fn install(&'static self, definition: &Definition) -> Result<(), String> {
        use crate::resources::*;
        match definition.resource.name {
            "PROGRAM" | "MAPSET" | "PARTITIONSET" => self.programs.install(ProgramDefinition::from(definition)),
            "TRANSACTION" => {
                self.transactions.install(TransactionDefinition::from(definition));
            }
            "TRANCLASS" => self.transactions.install_class(&self.dispatcher, TranclassDefinition::from(definition)),
            "LIBRARY" => self.programs.install_library(&LibraryDefinition::from(definition)),
            "FILE" => crate::file_control::install(self, FileDefinition::from(definition))?,
            "TDQUEUE" => crate::transient_data::install(self, TdQueueDefinition::from(definition))?,
            "TSMODEL" => crate::temporary_storage::install(self, TsModelDefinition::from(definition))?,
            "ENQMODEL" => self.enqueues.install(EnqModelDefinition::from(definition), &self.code_page)?,
            "JOURNALMODEL" => crate::journaling::install(self, definition),
            "PROFILE" => self.terminals.install_profile(definition),
            _ => {}
        }
        self.installed.write().put(definition.clone());
        Ok(())
    }

    /// Blocks the calling thread (never a task's) until a shutdown, whoever asked for it, has finished.
    pub fn wait_until_stopped(&self) {
        let mut stage = self.stage.lock();
        while *stage != Stage::Stopped {
            self.stage_changed.wait(&mut stage);
        }
    }

    /// Stops the region: user tasks end, the programs of PLTSD run, files close, the store is closed. True if no task had to be purged.
    /// From any thread that is not a worker; a second call waits for the first, and makes it immediate if it asks for that.
    pub fn shutdown(&'static self, immediate: bool) -> bool {
        let programs = self.program_list("PLTSD").ok().filter(|_| !immediate);
        self.shutdown_with(programs)
    }

    /// Stops the region; without programs, at once.
    pub fn shutdown_with(&'static self, programs: Option<ProgramList>) -> bool {
        if !self.claim_shutdown() {
            if programs.is_none() {
                self.dispatcher.stop(Stop::Immediate(Duration::from_secs(2)));
            }
            self.wait_until_stopped();
            return false;
        }
        self.quiesce(programs.is_none());
        if let Some(programs) = &programs {
            program_list::run(self, &programs.first, Phase::WithResources);
            if !programs.second.is_empty() {
                self.wait_for_user_tasks();
                self.enter(Stage::SecondQuiesce);
                program_list::run(self, &programs.second, Phase::SystemOnly);
            }
        }
        self.stop(programs.is_none())
    }

    /// PERFORM SHUTDOWN of a task: the programs run in that task (System programming, "General considerations when writing
    /// initialization and shutdown programs"), and the region stops when the task has ended. The caller ends it.
    pub fn shutdown_by(&'static self, task: &mut Task, programs: ProgramList) {
        // A program of PLTPI must end before there is anything to shut down; one shutdown is enough.
        if self.stage() < Stage::Running || !self.claim_shutdown() {
            std::thread::spawn(move || self.shutdown_with(Some(programs)));
            return;
        }
        self.quiesce(false);
        if program_list::run_in(task, &programs.first, Phase::WithResources) && !programs.second.is_empty() {
            self.wait_for_tasks_beside(task);
            self.enter(Stage::SecondQuiesce);
            program_list::run_in(task, &programs.second, Phase::SystemOnly);
        }
        std::thread::spawn(move || self.stop(false));
    }

    /// True for the first who asks for a shutdown; waits for the end of the initialization.
    fn claim_shutdown(&self) -> bool {
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

    /// No new work from here on.
    fn quiesce(&'static self, immediate: bool) {
        self.messages.send("DFHTM1700", &[("kind", if immediate { "IMMEDIATE" } else { "NORMAL" })]);
        let stopping = self.messages.send("DFHTM1715", &[]);
        self.transactions.quiesce();
        self.terminals.quiesce(&stopping);
        self.interval.stop(self);
    }

    /// Ends the tasks that are left and everything else; true if no task had to be purged.
    fn stop(&'static self, immediate: bool) -> bool {
        let wait = if immediate { Duration::from_secs(2) } else { QUIESCE_TIME };
        let quiet = self.dispatcher.stop(if immediate { Stop::Immediate(wait) } else { Stop::Quiesce(wait) });
        if !quiet {
            let left = self.transactions.tasks().len().to_string();
            self.messages.send("DFHTM1748", &[("tasks", &left)]);
            self.dispatcher.stop(Stop::Immediate(Duration::from_secs(5)));
        }
        self.terminals.shutdown();
        if !immediate {
            crate::statistics::recording::shutdown(self);
        }
        crate::file_control::shutdown(self);
        crate::temporary_storage::shutdown(self);
        crate::journaling::shutdown(self);
        // Last, because the other domains' messages go there.
        crate::transient_data::shutdown(self);
        if let Err(error) = self.store.close() {
            tracing::error!(target: "region", %error, "the store did not close");
        }
        self.messages.send("DFHKE1799", &[]);
        self.enter(Stage::Stopped);
        quiet
    }

    /// Until the last of them has ended or their time is over.
    fn wait_for_user_tasks(&self) {
        let until = std::time::Instant::now() + QUIESCE_TIME;
        while !self.transactions.tasks().is_empty() && std::time::Instant::now() < until {
            std::thread::sleep(TASKS_LOOK_EVERY);
        }
    }

    /// The same for a task, which is not waited for.
    fn wait_for_tasks_beside(&self, task: &Task) {
        let until = std::time::Instant::now() + QUIESCE_TIME;
        let others = || self.transactions.tasks().iter().any(|other| other.number != task.number);
        let look_again = Wait { timeout: Some(TASKS_LOOK_EVERY), ..Wait::new("SHUTDOWN") };
        while others() && std::time::Instant::now() < until && task.suspend(&look_again).is_ok() {}
    }

    pub fn started_at(&self) -> std::time::SystemTime {
        self.started_at
    }

    /// A request found a DSA full; the first of a row of them is a message.
    pub(crate) fn short_of_storage(&self, dsa: Dsa) {
        if self.storage_shortages.fetch_add(1, Ordering::Relaxed) % 100 == 0 {
            let below = matches!(dsa, Dsa::Cdsa | Dsa::Udsa | Dsa::Sdsa | Dsa::Rdsa);
            self.messages.send(if below { "DFHSM0131" } else { "DFHSM0133" }, &[]);
        }
    }

    pub(crate) fn storage_violation(&self, task: u32, violation: &Violation) {
        let (task, address, length) = (task.to_string(), format!("{:08X}", violation.address), violation.length.to_string());
        let subpool = violation.subpool;
        let values = [("task", task.as_str()), ("address", &address), ("length", &length), ("subpool", subpool.as_str())];
        self.messages.send("DFHSM0102", &values);
    }

    pub(crate) fn next_dump_id(&self) -> String {
        let sequence = self.dump_sequence.fetch_add(1, Ordering::Relaxed) + 1;
        format!("1/{sequence:04}")
    }

    /// Writes a transaction dump beside the data.
    pub(crate) fn write_dump(&self, task: &Task, abend: &crate::exec_interface::Abend, id: &str) {
        crate::program_manager::dump::write(self, task, abend, id);
    }
}

/// What protects storage in this region, as it is and not as it was asked for.
fn tell_protection(sit: &SystemInitialization, storage_protection: bool, transaction_isolation: bool, messages: &Messages) {
    if sit.storage_protection() && !storage_protection {
        messages.send("DFHSI1518", &[]);
    }
    messages.send(if storage_protection { "DFHSM0115" } else { "DFHSM0113" }, &[]);
    if sit.is("TRANISO", "YES") && !transaction_isolation {
        messages.send("DFHSI1519", &[]);
    }
    messages.send(if transaction_isolation { "DFHSM0125" } else { "DFHSM0126" }, &[]);
    messages.send(if sit.is("RENTPGM", "PROTECT") { "DFHSM0119" } else { "DFHSM0120" }, &[]);
}

fn storage_config(sit: &SystemInitialization) -> StorageConfig {
    StorageConfig {
        dsa_limit: sit.size("DSALIM"),
        edsa_limit: sit.size("EDSALIM"),
        memory_limit: sit.size("MEMLIMIT"),
        protection: sit.storage_protection(),
        protect_reentrant: sit.is("RENTPGM", "PROTECT"),
    }
}

fn dispatcher_config(sit: &SystemInitialization, workers: usize) -> kernel::Config {
    let mut config = kernel::Config { workers, ..kernel::Config::default() };
    config.max_tasks = sit.max_tasks();
    config.priority_aging = sit.priority_aging();
    config.runaway = sit.runaway();
    config.icv = sit.interval();
    config.mro_batch = sit.number("MROBTCH");
    config.pool_limits[kernel::Pool::Open as usize] = sit.max_open_tcbs();
    config.pool_limits[kernel::Pool::Xp as usize] = sit.max_xp_tcbs();
    config.pool_limits[kernel::Pool::Ssl as usize] = sit.number("MAXSSLTCBS");
    config
}

fn common_work_area(sit: &SystemInitialization, storage: &Storage) -> Result<crate::storage_access::Area, StartError> {
    let length = sit.cwa_bytes() as usize;
    if length == 0 {
        return Ok(crate::storage_access::Area::new(0, 0));
    }
    let key = if sit.is("CWAKEY", "CICS") { kernel::storage::Key::Cics } else { kernel::storage::Key::User };
    let request = kernel::storage::Getmain { length, line: kernel::storage::Line::Below2G, key, initial: Some(0) };
    let address = storage.getmain_shared(request).map_err(|_| StartError::CommonWorkArea)?;
    Ok(crate::storage_access::Area::new(address, length))
}
