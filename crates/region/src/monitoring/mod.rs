//! Monitoring: the performance class records of a task, at its end and before (`interim`), and the health of the region (`health`).
//!
//! The counters are plain fields of the task, updated by the domains as they work; times come from the kernel's task figures at the end.

mod commands;
mod control_table;
mod exit;
pub mod fields;
pub mod health;
mod interim;
mod records;

pub use control_table::{ControlTable, parse, table_name};
pub use interim::{Cause, TaskState};

use crate::control_blocks::transaction_flags::TransactionFlags;
use crate::name::Name8;
use crate::{Domain, Life, Performance, Region, Task};
use kernel::{Clock, Peaks};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "monitoring",
    slots: &[&IN_REGION, &IN_TASK],
    commands: &[commands::handlers, health::handlers],
    records: &[&records::RECORD],
    report: Some(health::report),
    life: Life { running: Some(health::running), quiesce: Some(|region, _| health::quiesce(region)), ..Life::NONE },
    ..Domain::NONE
};

crate::region_part!(Monitoring);
crate::task_part!(TaskState);

impl Region {
    pub fn monitoring(&self) -> &Monitoring {
        Monitoring::of(self)
    }
}

/// A record of a task.
#[derive(Clone, Debug)]
pub struct Record {
    pub transid: crate::name::Name4,
    pub task_number: u32,
    pub program: crate::name::Name8,
    pub user_id: crate::name::Name8,
    pub terminal: crate::name::Name4,
    /// ABCODEO: of the first abend of the task.
    pub original_abend_code: [u8; 4],
    /// ABCODEC: of the last one.
    pub abend_code: [u8; 4],
    /// Origin and previous transaction (PTTRAN, PTTRANNO, PTSTART, PTCOUNT); `None`: the task is a point of origin.
    pub ancestry: Option<std::sync::Arc<crate::control_blocks::origin::Ancestry>>,
    /// The initial application context (ACAPPLNM, ACPLATNM, ACMAJVER, ACMINVER, ACMICVER, ACOPERNM).
    pub context: Option<std::sync::Arc<crate::control_blocks::application::Context>>,
    /// TRANFLAG.
    pub flags: TransactionFlags,
    /// Without group DFHRMI if the monitoring control table says RMI=NO: its fields are zero.
    pub counters: Performance,
    /// TRANPRI.
    pub priority: u8,
    pub times: kernel::TaskTimes,
    /// The waits by resource type.
    pub waits: Vec<(Name8, Clock)>,
    pub ended_at: SystemTime,
    /// RTYPE.
    pub cause: Cause,
    /// The figures of the task in its records before this one.
    pub before: Option<std::sync::Arc<Record>>,
}

impl Record {
    /// OTRANFLG: the flags of the task where the work began.
    pub fn origin_flags(&self) -> TransactionFlags {
        self.ancestry.as_ref().map_or(self.flags, |ancestry| ancestry.origin.flags)
    }
}

/// A receiver of the records of tasks (a file writer, an exporter, a test).
pub trait RecordSink: Send + Sync {
    fn record(&self, record: &Record);
}

#[derive(Default)]
pub struct Monitoring {
    /// MN, SET MONITOR STATUS.
    active: AtomicBool,
    /// MNPER, SET MONITOR PERFCLASS.
    performance_class: AtomicBool,
    choices: interim::Choices,
    /// RMI=NO of the monitoring control table: performance records have no group DFHRMI.
    no_rmi: AtomicBool,
    sinks: Mutex<Vec<std::sync::Arc<dyn RecordSink>>>,
    counters: Counters,
    health: health::Health,
}

/// Statistics of ended tasks. Durations are in nanoseconds, points in time in nanoseconds since 1970.
#[derive(Default)]
struct Counters {
    performance_records: AtomicU64,
    user_transactions: AtomicU64,
    system_transactions: AtomicU64,
    response_time: AtomicU64,
    response_time_longest: AtomicU64,
    longest_at: AtomicU64,
    last_ended_at: AtomicU64,
    /// Of user transactions and their response times, at the begin of the interval.
    before: Mutex<(u64, u64)>,
}

/// The counters as statistics show them.
pub struct MonitoringStatistics {
    pub performance_records: u64,
    pub user_transactions_total: u64,
    pub system_transactions_total: u64,
    /// User transactions of the interval and their response times together.
    pub user_transactions: u64,
    pub response_time: Duration,
    pub response_time_longest: Duration,
    pub longest_at: Option<SystemTime>,
    pub last_ended_at: Option<SystemTime>,
}

impl Monitoring {
    /// MN, MNPER, and the monitoring control table.
    pub fn configure(&self, active: bool, performance_class: bool, table: &ControlTable) {
        self.activate(active);
        self.choose_performance_class(performance_class);
        self.no_rmi.store(!table.rmi, Ordering::Relaxed);
    }

    /// Group DFHRMI is in performance records.
    pub fn has_rmi(&self) -> bool {
        !self.no_rmi.load(Ordering::Relaxed)
    }

    /// The counters; with `Peaks::Begin` a statistics interval begins.
    pub fn statistics(&self, peaks: Peaks) -> MonitoringStatistics {
        let counters = &self.counters;
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let moment = |counter: &AtomicU64| match get(counter) {
            0 => None,
            nanoseconds => Some(UNIX_EPOCH + Duration::from_nanos(nanoseconds)),
        };
        let (users, time) = (get(&counters.user_transactions), get(&counters.response_time));
        let mut before = counters.before.lock();
        let (users_before, time_before) = *before;
        if peaks == Peaks::Begin {
            *before = (users, time);
        }
        MonitoringStatistics {
            performance_records: get(&counters.performance_records),
            user_transactions_total: users,
            system_transactions_total: get(&counters.system_transactions),
            user_transactions: users - users_before,
            response_time: Duration::from_nanos(time - time_before),
            response_time_longest: Duration::from_nanos(peaks.read(&counters.response_time_longest, || 0)),
            longest_at: moment(&counters.longest_at),
            last_ended_at: moment(&counters.last_ended_at),
        }
    }

    fn count(&self, task: &Task) {
        let counters = &self.counters;
        if task.kernel.is_system() {
            counters.system_transactions.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64;
        let response = task.kernel.age().as_nanos() as u64;
        counters.response_time.fetch_add(response, Ordering::Relaxed);
        counters.user_transactions.fetch_add(1, Ordering::Relaxed);
        counters.last_ended_at.store(now, Ordering::Relaxed);
        if response > counters.response_time_longest.load(Ordering::Relaxed) {
            counters.response_time_longest.fetch_max(response, Ordering::Relaxed);
            counters.longest_at.store(now, Ordering::Relaxed);
        }
    }

    /// Whether there are records of the performance class.
    pub fn is_on(&self) -> bool {
        self.is_active() && self.has_performance_class()
    }

    pub fn is_active(&self) -> bool {
        self.active.load(Ordering::Relaxed)
    }

    pub fn has_performance_class(&self) -> bool {
        self.performance_class.load(Ordering::Relaxed)
    }

    /// Monitoring, and its performance class.
    pub fn switch(&self, on: bool) {
        self.activate(on);
        self.choose_performance_class(on);
    }

    pub fn activate(&self, on: bool) {
        self.active.store(on, Ordering::Relaxed);
    }

    pub fn choose_performance_class(&self, on: bool) {
        self.performance_class.store(on, Ordering::Relaxed);
    }

    pub fn add_sink(&self, sink: std::sync::Arc<dyn RecordSink>) {
        self.sinks.lock().push(sink);
    }

    /// Whether the exit programs of XMNOUT let the record of a task be written. The task can still run programs.
    pub fn is_wanted(&self, task: &mut Task) -> bool {
        !self.is_on() || !task.has_exit(exec::exit_point::XMNOUT) || exit::is_wanted(task, &Self::record(task, Cause::Termination))
    }

    /// Counts a task that is about to end, and writes its record.
    pub fn task_ended(&self, task: &Task, is_wanted: bool) {
        self.count(task);
        if !self.is_on() || !is_wanted {
            return;
        }
        if !self.sinks.lock().is_empty() {
            self.write(&Self::record(task, Cause::Termination));
        }
    }

    fn write(&self, record: &Record) {
        let sinks = self.sinks.lock().clone();
        if sinks.is_empty() {
            return;
        }
        self.counters.performance_records.fetch_add(1, Ordering::Relaxed);
        for sink in sinks {
            sink.record(record);
        }
    }

    fn record(task: &Task, cause: Cause) -> Record {
        let flags = TransactionFlags::of(&task.shared);
        let mut counters = task.performance;
        if !task.region.monitoring().has_rmi() {
            (counters.rmi_total, counters.rmi_other, counters.rmi_db2) = Default::default();
        }
        Record {
            transid: task.transid,
            task_number: task.number,
            program: task.definition.program,
            user_id: task.user_id,
            terminal: task.facility.terminal().map_or_else(Default::default, |terminal| terminal.name()),
            original_abend_code: task.abend_information.original_code,
            abend_code: task.abend_information.code,
            ancestry: task.shared.ancestry.clone(),
            context: task.shared.contexts.initial().cloned(),
            flags: if task.abend_information.code == [0; 4] { flags } else { flags.abended() },
            counters,
            priority: task.definition.priority,
            times: task.kernel.own_times(),
            waits: task.kernel.waits(),
            ended_at: SystemTime::now(),
            cause,
            before: TaskState::of(&task.parts).recorded.clone(),
        }
    }
}
