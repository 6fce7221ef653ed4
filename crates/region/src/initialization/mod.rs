//! Initialization of a region, from its configuration to the moment control is given; `install` turns definitions of the CSD into resources
//! of the domains that own their types.

mod install;
mod memory;

use crate::code_page::RegionCodePage;
use crate::dump::DumpNumbers;
use crate::extensions::Extensions;
use crate::feature_toggles::FeatureToggles;
use crate::messages::{Messages, Sink};
use crate::monitoring::{self, Cause, ControlTable};
use crate::name::Name8;
use crate::program_list::{self, Phase, ProgramList, ProgramLists};
use crate::shutdown::Shutdown;
use crate::shutdown::assist::Intervals;
use crate::slots::Block;
use crate::system_initialization::SystemInitialization;
use crate::{Domain, Region, Registry, Stage};
use csd::{Csd, SharedCsd};
use kernel::Dispatcher;
use kernel::storage::{Line, Storage, StorageConfig};
use parking_lot::{Condvar, Mutex, RwLock};
use program::rununit::RunTimeOptions;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

/// The end of a region whose page file someone cuts short.
fn tell_of_missing_pages(store: &vsam::Store) {
    if let Some((file, addresses)) = store.mapped_pages() {
        let advice = "the region ends at once. Restore the data directory from its backup";
        let text = format!("regent: {} was cut short, or could not be read, while the region ran: {advice}", file.display());
        kernel::tell_of_missing_pages(addresses, &text);
    }
}

/// The configuration that a region is started from.
pub struct RegionConfig {
    pub sit: SystemInitialization,
    pub csd: SharedCsd,
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
    /// Monitoring control tables, for MCT.
    pub monitoring_tables: Vec<ControlTable>,
    /// Run-time options of Language Environment, when they are not the defaults (CEEROPT).
    pub run_time_options: Option<RunTimeOptions>,
    /// 0: one a processor.
    pub workers: usize,
    pub sinks: Vec<Arc<dyn Sink>>,
    /// The store, if the caller already has it open (to load data first); otherwise it is opened at `data_directory`.
    pub store: Option<Arc<vsam::Store>>,
    /// Bytes of a transaction dump data set.
    pub dump_data_set_bytes: u64,
    /// How patient the shutdown assist program is.
    pub shutdown_assist: Intervals,
    /// The size of each auxiliary trace data set.
    pub auxiliary_trace_bytes: u64,
    /// Called with the region as soon as it is there, before its initialization: a shutdown may be asked for from then on.
    pub created: Option<Box<dyn FnOnce(&'static Region)>>,
}

impl RegionConfig {
    pub fn new(data_directory: PathBuf) -> Self {
        Self {
            sit: SystemInitialization::new(),
            csd: Csd::initialized().into(),
            groups: Vec::new(),
            libraries: Vec::new(),
            data_directory,
            dd_names: Default::default(),
            program_lists: Vec::new(),
            monitoring_tables: Vec::new(),
            run_time_options: None,
            workers: 0,
            sinks: Vec::new(),
            store: None,
            dump_data_set_bytes: crate::dump::data_sets::BYTES_MAX,
            shutdown_assist: Default::default(),
            auxiliary_trace_bytes: kernel::trace::auxiliary::BYTES_DEFAULT,
            created: None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("DFHSI1520 the dispatcher cannot start: {0}")]
    Dispatcher(std::io::Error),
    #[error("DFHSI1520 storage cannot be obtained: {0}")]
    Storage(std::io::Error),
    #[error("DFHSI1520 the common work area does not fit into EDSALIM: lower WRKAREA or raise EDSALIM")]
    CommonWorkArea,
    #[error("DFHSI1520 {0}")]
    Store(#[from] vsam::StoreError),
    #[error("DFHSI1520 {0}")]
    DataSets(#[from] vsam::FileError),
    #[error("DFHSI1520 LOCALCCSID={0} is not a code page of the run time")]
    CodePage(u16),
    #[error("DFHSI1520 {0}={1}: there is no program list table {2}")]
    ProgramList(&'static str, String, Name8),
    #[error("DFHSI1520 MCT={0}: there is no monitoring control table {1}")]
    MonitoringTable(String, Name8),
    #[error("{0}")]
    Security(String),
}

impl Region {
    /// Starts a region up to the point where user tasks may run.
    pub fn start(config: RegionConfig, domains: &'static [&'static Domain]) -> Result<&'static Region, StartError> {
        let registry = Registry::new(domains);
        let sit = config.sit;
        let ccsid = sit.local_ccsid();
        let page = RegionCodePage::by_ccsid(ccsid).ok_or(StartError::CodePage(ccsid))?;
        let messages = first_messages(&sit, config.sinks);
        let process = memory::of_this_process();
        let account_limit = memory::account_limit(sit.size("MEMLIMIT"), process);
        let storage = Storage::start(storage_config(&sit, process, account_limit)).map_err(StartError::Storage)?;
        let storage_protection = storage.is_protected();
        let transaction_isolation = storage.is_isolated();
        report_protection(&sit, storage_protection, transaction_isolation, &messages);
        crate::trace::set_up(&sit);
        let dispatcher = Dispatcher::start(dispatcher_config(&sit, config.workers)).map_err(StartError::Dispatcher)?;
        let store = match config.store {
            Some(store) => store,
            None => vsam::Store::open(&config.data_directory, vsam::StoreConfig::default())?,
        };
        store.begin_run()?;
        tell_of_missing_pages(&store);
        limit_memory(account_limit, &store);
        store.set_keypoint_frequency(u64::from(sit.number("AKPFREQ")));
        dispatcher.set_idle_work(Box::new(crate::control_blocks::waiter::LogFlushes(store.log_flushes())));
        report_restart(&sit, store.restart_report(), &messages);
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
            csd: if sit.is("CSDACC", "READONLY") { config.csd.read_only() } else { config.csd },
            installed: RwLock::default(),
            dd_names: config.dd_names,
            run_time_options: config.run_time_options,
            parts: Block::new(),
            registry,
            extensions: Extensions::default(),
            changes: Default::default(),
            terminals: Default::default(),
            cwa,
            file_control_on_qr: sit.is("FCQRONLY", "YES"),
            uses_io_subtask: sit.is("SUBTSKS", "1"),
            storage_protection,
            transaction_isolation,
            command_protection: storage_protection && sit.is("CMDPROT", "YES"),
            force_qr: sit.is("FORCEQR", "YES"),
            data_directory: config.data_directory,
            dump_data_set_bytes: config.dump_data_set_bytes,
            started_at: std::time::SystemTime::now(),
            short_lines: AtomicU8::new(0),
            stage: Mutex::default(),
            stage_changed: Condvar::new(),
            any_remote: Default::default(),
            hastened: Default::default(),
            sit,
        }));
        let region: &'static Region = region;
        crate::trace::open_destinations(region, config.auxiliary_trace_bytes);
        region.configure(config.libraries, config.program_lists, config.shutdown_assist);
        region.configure_monitoring(&config.monitoring_tables)?;
        if let Some(created) = config.created {
            created(region);
        }
        region.initialize(config.groups)?;
        Ok(region)
    }

    /// Gives the domains what the configuration says of them.
    fn configure(&'static self, libraries: Vec<PathBuf>, program_lists: Vec<ProgramList>, shutdown_assist: Intervals) {
        let sit = &self.sit;
        FeatureToggles::of(self).configure(self);
        self.programs().configure(libraries, sit.is("PGAIPGM", "ACTIVE"), Name8::new(sit.get("PGAIEXIT")));
        self.statistics().configure(sit.is("STATRCD", "ON"), sit.number("STATINT"), sit.number("STATEOD"));
        ProgramLists::of(self).configure(program_lists);
        Shutdown::of(self).configure(shutdown_assist);
        for (name, program) in self.registry.domains().iter().flat_map(|domain| domain.programs) {
            self.programs().install_native(Name8::new(name), *program);
        }
    }

    /// MN, MNPER, MNCONV, MNSYNC and MCT.
    fn configure_monitoring(&self, tables: &[ControlTable]) -> Result<(), StartError> {
        let (sit, value) = (&self.sit, self.sit.get("MCT"));
        let table = match monitoring::table_name(value) {
            None => ControlTable::standard(),
            Some(name) => match tables.iter().find(|table| table.name == name) {
                Some(table) => table.clone(),
                None => return Err(StartError::MonitoringTable(value.to_string(), name)),
            },
        };
        self.monitoring().configure(sit.is("MN", "ON"), sit.is("MNPER", "ON"), &table);
        self.monitoring().choose(Cause::Converse, sit.is("MNCONV", "YES"));
        self.monitoring().choose(Cause::Syncpoint, sit.is("MNSYNC", "YES"));
        Ok(())
    }

    /// The second and third stage of initialization: recovery, the programs of PLTPI, the resources.
    fn initialize(&'static self, groups: Vec<String>) -> Result<(), StartError> {
        let start_programs = self.program_list("PLTPI")?;
        self.program_list("PLTSD")?;
        self.registry.each(|life| life.secure).try_for_each(|secure| secure(self)).map_err(StartError::Security)?;
        crate::recovery_manager::restart(self)?;
        DumpNumbers::of(self).begin_run(self)?;
        if !start_programs.first.is_empty() {
            self.install_groups(&[program_list::GROUP.to_string()]);
            program_list::run(self, &start_programs.first, Phase::SystemOnly);
        }
        self.enter(Stage::ThirdInitialization);
        let mut lists = vec!["DFHLIST".to_string()];
        lists.extend(self.sit.group_lists().into_iter().filter(|list| list != "DFHLIST"));
        lists.extend(groups);
        self.install_groups(&lists);
        self.registry.each(|life| life.installed).try_for_each(|installed| installed(self))?;
        self.messages.send("DFHSI1501", &[]);
        program_list::run(self, &start_programs.second, Phase::WithResources);
        self.enter(Stage::Running);
        self.messages.send("DFHSI1517", &[]);
        self.recovery().begin(self);
        self.registry.each(|life| life.running).for_each(|running| running(self));
        Ok(())
    }

    /// The table a system initialization parameter names; an empty one for NO.
    pub(crate) fn program_list(&self, parameter: &'static str) -> Result<ProgramList, StartError> {
        let value = self.sit.get(parameter);
        let Some(name) = program_list::table_name(value) else {
            return Ok(ProgramList::empty(Name8::BLANK));
        };
        ProgramLists::of(self).find(name).cloned().ok_or_else(|| StartError::ProgramList(parameter, value.to_string(), name))
    }
}

/// The messages of the region, with the first of them sent.
fn first_messages(sit: &SystemInitialization, sinks: Vec<Arc<dyn Sink>>) -> Messages {
    let messages = Messages::new(sit.applid().as_str());
    for sink in sinks {
        messages.add_sink(sink);
    }
    messages.send("DFHSI1500", &[("sysid", sit.sysidnt().as_str())]);
    messages
}

/// Reports how the region starts, and what its restart replayed.
fn report_restart(sit: &SystemInitialization, report: &vsam::store::RestartReport, messages: &Messages) {
    messages.send("DFHSI1502", &[("start", crate::StartType::from(report, sit).text())]);
    if !report.clean && !report.created {
        messages.send("DFHRM0209", &[("units", &report.units_replayed.to_string())]);
    }
}

/// Reports the storage protection in force, not the one requested.
fn report_protection(sit: &SystemInitialization, storage_protection: bool, transaction_isolation: bool, messages: &Messages) {
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

/// Limits what programs can make the region keep outside its storage to the MEMLIMIT in force.
fn limit_memory(limit: u64, store: &vsam::Store) {
    store.account().set_limit(limit);
    let (megabytes, of_unit) = (limit >> 20, store.account().unit_limit() >> 20);
    tracing::info!(target: "region::sm", "containers, START data, changes and queues: {megabytes} MB, one unit of work: {of_unit} MB");
}

/// The 64-bit DSAs have room for a few extents, however small MEMLIMIT is: items of main temporary storage are there.
const LEAST_64_BIT_STORAGE_BYTES: u64 = 64 << 20;

fn storage_config(sit: &SystemInitialization, process: Option<u64>, account_limit: u64) -> StorageConfig {
    let edsalim = sit.size("EDSALIM");
    let edsa_limit = memory::storage_limit(edsalim, process);
    if edsa_limit < edsalim {
        let (wanted, limit) = (sit.get("EDSALIM"), edsa_limit >> 20);
        tracing::warn!(target: "region::sm", "EDSALIM={wanted} is more than a quarter of the memory of the process: {limit} MB is used");
    }
    StorageConfig {
        dsa_limit: sit.size("DSALIM"),
        edsa_limit,
        memory_limit: account_limit.max(LEAST_64_BIT_STORAGE_BYTES),
        protection: sit.storage_protection(),
        isolation: sit.is("TRANISO", "YES"),
        protect_reentrant: sit.is("RENTPGM", "PROTECT"),
    }
}

/// The limit of T8 TCBs, which no parameter sets.
const THREAD_TCBS_MAX: u32 = 2000;

fn dispatcher_config(sit: &SystemInitialization, workers: usize) -> kernel::Config {
    let mut config = kernel::Config { workers, ..kernel::Config::default() };
    config.max_tasks = sit.max_tasks();
    config.priority_aging = sit.priority_aging();
    config.runaway = sit.runaway();
    config.icv = sit.interval();
    config.terminal_scan_delay = sit.terminal_scan_delay();
    config.mro_batch = sit.number("MROBTCH");
    config.pool_limits = kernel::Pool::ALL.map(|pool| match pool {
        kernel::Pool::Open => sit.max_open_tcbs(),
        kernel::Pool::Ssl => sit.number("MAXSSLTCBS"),
        kernel::Pool::Xp => sit.max_xp_tcbs(),
        kernel::Pool::Thrd => THREAD_TCBS_MAX,
    });
    config
}

fn common_work_area(sit: &SystemInitialization, storage: &Storage) -> Result<crate::storage_access::Area, StartError> {
    let length = sit.cwa_bytes() as usize;
    if length == 0 {
        return Ok(crate::storage_access::Area::new(0, 0));
    }
    let key = if sit.is("CWAKEY", "CICS") { kernel::storage::Key::Cics } else { kernel::storage::Key::User };
    let request = kernel::storage::Getmain { length, line: Line::Below2G, key, initial: Some(0) };
    let address = storage.getmain_shared(request).map_err(|_| StartError::CommonWorkArea)?;
    Ok(crate::storage_access::Area::new(address, length))
}
