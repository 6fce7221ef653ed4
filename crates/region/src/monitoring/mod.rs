//! Monitoring: the performance class record of a task.
//!
//! The counters are plain fields of the task, updated by the domains as they work; times come from the kernel's task figures at the end.
//! `FIELDS` says which CMF field each counter is, so that records, INQUIRE MONITOR and statistics name them alike.

mod records;

use crate::domain::Domain;
use crate::transaction_manager::Task;
use kernel::Peaks;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

macro_rules! counters {
    ($( $(#[$doc:meta])* $field:ident = $group:literal $id:literal $nickname:literal, )*) => {
        /// What a task did, field by field.
        #[derive(Clone, Copy, Default, Debug)]
        pub struct Performance { $( $(#[$doc])* pub $field: u64, )* }

        /// CMF group, field number and nickname of each counter, in the order of [`Performance::values`].
        pub const FIELDS: &[(&str, u16, &str)] = &[ $( ($group, $id, $nickname) ),* ];

        impl Performance {
            pub fn values(&self) -> Vec<u64> {
                vec![ $( self.$field ),* ]
            }
        }
    };
}

counters! {
    /// EXEC CICS commands.
    commands = "DFHCICS" 402 "EICTOTCT",
    /// ASKTIME
    asktimes = "DFHCICS" 405 "TIASKTCT",
    asktime_total = "DFHCICS" 406 "TITOTCT",
    bif_digest = "DFHCICS" 408 "BFDGSTCT",
    bif_total = "DFHCICS" 409 "BFTOTCT",
    /// GET COUNTER and GET DCOUNTER
    named_counter_gets = "DFHCICS" 464 "NCGETCT",
    file_gets = "DFHFILE" 36 "FCGETCT",
    file_puts = "DFHFILE" 37 "FCPUTCT",
    file_browses = "DFHFILE" 38 "FCBRWCT",
    file_adds = "DFHFILE" 39 "FCADDCT",
    file_deletes = "DFHFILE" 40 "FCDELCT",
    file_total = "DFHFILE" 93 "FCTOTCT",
    file_access_method = "DFHFILE" 70 "FCAMCT",
    /// Microseconds waited for control intervals, and for strings and buffers.
    file_exclusive_wait = "DFHFILE" 426 "FCXCWTT",
    file_string_wait = "DFHFILE" 427 "FCVSWTT",
    td_gets = "DFHDEST" 41 "TDGETCT",
    td_puts = "DFHDEST" 42 "TDPUTCT",
    td_purges = "DFHDEST" 43 "TDPURCT",
    td_total = "DFHDEST" 91 "TDTOTCT",
    ts_gets = "DFHTEMP" 44 "TSGETCT",
    ts_puts_auxiliary = "DFHTEMP" 46 "TSPUTACT",
    ts_puts_main = "DFHTEMP" 47 "TSPUTMCT",
    ts_total = "DFHTEMP" 92 "TSTOTCT",
    /// Microseconds waited for requests to shared pools.
    ts_shared_wait = "DFHTEMP" 178 "TSSHWAIT",
    ts_gets_shared = "DFHTEMP" 460 "TSGETSCT",
    ts_puts_shared = "DFHTEMP" 461 "TSPUTSCT",
    map_requests = "DFHMAPP" 50 "BMSMAPCT",
    map_inputs = "DFHMAPP" 51 "BMSINCT",
    map_outputs = "DFHMAPP" 52 "BMSOUTCT",
    map_total = "DFHMAPP" 90 "BMSTOTCT",
    terminal_messages_in = "DFHTERM" 34 "TCMSGIN1",
    terminal_messages_out = "DFHTERM" 35 "TCMSGOU1",
    terminal_characters_in = "DFHTERM" 83 "TCCHRIN1",
    terminal_characters_out = "DFHTERM" 84 "TCCHROU1",
    storage_getmains_below = "DFHSTOR" 117 "SC24UGCT",
    storage_getmains_user = "DFHSTOR" 54 "SCUGETCT",
    storage_getmains_extended = "DFHSTOR" 105 "SCUGTCT31",
    program_links = "DFHPROG" 55 "PCLINKCT",
    program_xctls = "DFHPROG" 56 "PCXCTLCT",
    program_loads = "DFHPROG" 57 "PCLOADCT",
    program_links_dpl = "DFHPROG" 73 "PCDPLCT",
    program_channel_links = "DFHPROG" 113 "PCLNKCCT",
    starts = "DFHTASK" 66 "ICSTRTCT",
    interval_total = "DFHTASK" 59 "ICTOTCT",
    syncpoints = "DFHSYNC" 60 "SPSYNCCT",
    rollbacks = "DFHSYNC" 61 "SPROLLCT",
    container_puts = "DFHCHNL" 323 "PGPUTCCT",
    container_gets = "DFHCHNL" 322 "PGGETCCT",
    container_moves = "DFHCHNL" 324 "PGMOVCCT",
    container_bytes_put = "DFHCHNL" 328 "PGPUTCDL",
    container_bytes_got = "DFHCHNL" 327 "PGGETCDL",
    enqueues = "DFHTASK" 129 "ENQCT",
    abends = "DFHTASK" 114 "ABENDCT",
}

/// What this domain is made of.
pub static DOMAIN: Domain = Domain { name: "monitoring", records: &[&records::RECORD], ..Domain::NONE };

/// The record of an ended task.
#[derive(Clone, Debug)]
pub struct Record {
    pub transid: crate::name::Name4,
    pub task_number: u32,
    pub program: crate::name::Name8,
    pub user_id: crate::name::Name8,
    pub terminal: crate::name::Name4,
    pub abend_code: [u8; 4],
    pub counters: Performance,
    pub times: kernel::TaskTimes,
}

/// Takes the records of ended tasks (a file writer, an exporter, a test).
pub trait RecordSink: Send + Sync {
    fn record(&self, record: &Record);
}

#[derive(Default)]
pub struct Monitoring {
    performance_class: AtomicBool,
    sinks: Mutex<Vec<std::sync::Arc<dyn RecordSink>>>,
    counters: Counters,
}

/// What statistics count of ended tasks. Times are in nanoseconds, moments in nanoseconds since 1970.
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
    pub fn new(performance_class: bool) -> Self {
        Self { performance_class: AtomicBool::new(performance_class), ..Self::default() }
    }

    /// What was counted; with `Peaks::Begin` a statistics interval begins.
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

    pub fn is_on(&self) -> bool {
        self.performance_class.load(Ordering::Relaxed)
    }

    pub fn switch(&self, on: bool) {
        self.performance_class.store(on, Ordering::Relaxed);
    }

    pub fn add_sink(&self, sink: std::sync::Arc<dyn RecordSink>) {
        self.sinks.lock().push(sink);
    }

    /// Writes the record of a task that is about to end.
    pub fn task_ended(&self, task: &Task) {
        self.count(task);
        if !self.is_on() {
            return;
        }
        let sinks = self.sinks.lock().clone();
        if sinks.is_empty() {
            return;
        }
        let record = Record {
            transid: task.transid,
            task_number: task.number,
            program: task.definition.program,
            user_id: task.user_id,
            terminal: task.facility.terminal().map_or_else(Default::default, |terminal| terminal.name()),
            abend_code: task.abend_information.code,
            counters: task.performance,
            times: task.kernel.times(),
        };
        self.counters.performance_records.fetch_add(1, Ordering::Relaxed);
        for sink in sinks {
            sink.record(&record);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_a_field() {
        assert_eq!(Performance::default().values().len(), FIELDS.len());
        let mut names: Vec<_> = FIELDS.iter().map(|(_, _, nickname)| nickname).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FIELDS.len());
    }
}
