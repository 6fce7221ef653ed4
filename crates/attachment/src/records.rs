//! Statistics of the connection with its pool, and of each DB2ENTRY: records, and sections of the report.

use crate::Attachment;
use crate::state::{State, Status};
use crate::threads::Threads;
use csd::{AccountRecord, AuthorizationType, ThreadAttributes, ThreadPriority, ThreadWait};
use kernel::name::Name8;
use region::Region;
use region::figures::{Reading, Record, RecordType, Report, ResourceType};
use region::statistics::report::number;
use std::fmt::Write as _;

pub static CONNECTION: RecordType = RecordType {
    of: ResourceType::Db2Connection,
    one: |reading, _| connection(reading),
    names: |region| Attachment::of(region).state.lock().connection.iter().map(|_| String::new()).collect(),
    ..RecordType::NONE
};

pub static ENTRIES: RecordType = RecordType {
    of: ResourceType::Db2Entry,
    one: entry,
    names: |region| Attachment::of(region).state.lock().entries.keys().map(|name| name.as_str().trim_end().to_string()).collect(),
    ..RecordType::NONE
};

/// The codes that records have for the attributes of threads, as the record of CICS numbers them.
struct Codes {
    authorization: u8,
    account: u8,
    wait: u8,
    priority: u8,
}

fn codes(of: &ThreadAttributes) -> Codes {
    Codes {
        authorization: if of.authorization_id.is_blank() { authorization_code(of.authorization_type) } else { 0 },
        account: match of.account_record {
            AccountRecord::None => 1,
            AccountRecord::Task => 2,
            AccountRecord::TransactionId => 3,
            AccountRecord::UnitOfWork => 4,
        },
        wait: match of.wait {
            ThreadWait::Yes => 1,
            ThreadWait::No => 2,
            ThreadWait::Pool => 3,
        },
        priority: match of.priority {
            ThreadPriority::High => 1,
            ThreadPriority::Equal => 2,
            ThreadPriority::Low => 3,
        },
    }
}

fn authorization_code(kind: AuthorizationType) -> u8 {
    match kind {
        AuthorizationType::Group => 1,
        AuthorizationType::Sign => 2,
        AuthorizationType::Terminal => 3,
        AuthorizationType::Transaction => 4,
        AuthorizationType::OperatorId => 5,
        AuthorizationType::UserId => 6,
    }
}

/// The peaks of an interval, which a reading at its end begins anew.
fn begin_peaks(reading: &Reading, threads: &mut Threads) {
    if reading.peaks == kernel::Peaks::Begin {
        for level in [&mut threads.in_use, &mut threads.protected, &mut threads.tasks, &mut threads.ready_queue] {
            level.peak = level.current;
        }
    }
}

fn connection(reading: &Reading) -> Option<Record> {
    let mut state = Attachment::of(reading.region).state.lock();
    let definition = state.connection.clone()?;
    let free = state.parked.len() as u64;
    let pool = codes(&definition.pool);
    let release = if state.status == Status::Connected { format!("{:0<4}", state.release) } else { String::new() };
    let record = Record::new("DFHD2GDS", "")
        .text("D2G_DB2CONN_NAME", definition.name.to_string())
        .text("D2G_DB2_ID", definition.subsystem.to_string())
        .text("D2G_DB2_RELEASE", release)
        .time_gmt("D2G_CONNECT_TIME_GMT", state.connected_at)
        .time_local("D2G_CONNECT_TIME_LOCAL", state.connected_at)
        .time_gmt("D2G_DISCONNECT_TIME_GMT", state.disconnected_at)
        .time_local("D2G_DISCONNECT_TIME_LOCAL", state.disconnected_at)
        .number("D2G_TCB_LIMIT", definition.tcb_limit)
        .number("D2G_TCB_CURRENT", u64::from(state.tcbs.current) + free)
        .number("D2G_TCB_HWM", state.tcbs.peak)
        .number("D2G_TCB_FREE", free)
        .number("D2G_TCB_READYQ_CURRENT", state.tcb_queue.current)
        .number("D2G_TCB_READYQ_HWM", state.tcb_queue.peak)
        .text("D2G_DB2_GROUP_ID", definition.sharing_group.to_string())
        .number("D2G_RESYNCMEMBER", u8::from(definition.resynchronize_member))
        .text("D2G_POOL_PLAN_NAME", definition.pool.plan.to_string())
        .text("D2G_POOL_PLANEXIT_NAME", definition.pool.plan_exit.to_string())
        .text("D2G_POOL_AUTHID", definition.pool.authorization_id.to_string())
        .number("D2G_POOL_AUTHTYPE", pool.authorization)
        .number("D2G_POOL_ACCOUNTREC", pool.account)
        .number("D2G_POOL_THREADWAIT", pool.wait)
        .number("D2G_POOL_PRIORITY", pool.priority)
        .text("D2G_COMD_AUTHID", definition.command_authorization_id.to_string())
        .number("D2G_COMD_AUTHTYPE", authorization_code(definition.command_authorization_type));
    let record = pool_counters(record, &state.pool);
    let record = command_counters(record, &state.command);
    if reading.peaks == kernel::Peaks::Begin {
        state.tcbs.peak = state.tcbs.current;
        state.tcb_queue.peak = state.tcb_queue.current;
    }
    begin_peaks(reading, &mut state.pool);
    begin_peaks(reading, &mut state.command);
    Some(record)
}

fn pool_counters(record: Record, of: &Threads) -> Record {
    let counted = &of.counters;
    record.numbers([
        ("D2G_POOL_CALLS", counted.calls),
        ("D2G_POOL_SIGNONS", counted.signons),
        ("D2G_POOL_COMMITS", counted.commits),
        ("D2G_POOL_ABORTS", counted.aborts),
        ("D2G_POOL_SINGLE_PHASE", counted.single_phase),
        ("D2G_POOL_THREAD_REUSE", counted.reuses),
        ("D2G_POOL_THREAD_TERM", counted.terminates),
        ("D2G_POOL_THREAD_WAITS", counted.waits_or_overflows),
        ("D2G_POOL_THREAD_LIMIT", of.limit.into()),
        ("D2G_POOL_THREAD_CURRENT", of.in_use.current.into()),
        ("D2G_POOL_THREAD_HWM", of.in_use.peak.into()),
        ("D2G_POOL_TASK_CURRENT", of.tasks.current.into()),
        ("D2G_POOL_TASK_HWM", of.tasks.peak.into()),
        ("D2G_POOL_TASK_TOTAL", counted.tasks),
        ("D2G_POOL_READYQ_CURRENT", of.ready_queue.current.into()),
        ("D2G_POOL_READYQ_HWM", of.ready_queue.peak.into()),
    ])
}

fn command_counters(record: Record, of: &Threads) -> Record {
    record.numbers([
        ("D2G_COMD_CALLS", of.counters.calls),
        ("D2G_COMD_SIGNONS", of.counters.signons),
        ("D2G_COMD_THREAD_TERM", of.counters.terminates),
        ("D2G_COMD_THREAD_OVERF", of.counters.waits_or_overflows),
        ("D2G_COMD_THREAD_LIMIT", of.limit.into()),
        ("D2G_COMD_THREAD_CURRENT", of.in_use.current.into()),
        ("D2G_COMD_THREAD_HWM", of.in_use.peak.into()),
    ])
}

fn entry(reading: &Reading, name: &str) -> Option<Record> {
    let mut state = Attachment::of(reading.region).state.lock();
    let entry = state.entries.get_mut(&Name8::new(name))?;
    let threads = &entry.definition.threads;
    let codes = codes(threads);
    let counted = &entry.threads.counters;
    let record = Record::new("DFHD2RDS", name)
        .text("D2R_DB2ENTRY_NAME", name)
        .text("D2R_PLAN_NAME", threads.plan.to_string())
        .text("D2R_PLANEXIT_NAME", threads.plan_exit.to_string())
        .text("D2R_AUTHID", threads.authorization_id.to_string())
        .number("D2R_AUTHTYPE", codes.authorization)
        .number("D2R_ACCOUNTREC", codes.account)
        .number("D2R_THREADWAIT", codes.wait)
        .number("D2R_PRIORITY", codes.priority)
        .numbers([
            ("D2R_CALLS", counted.calls),
            ("D2R_SIGNONS", counted.signons),
            ("D2R_COMMITS", counted.commits),
            ("D2R_ABORTS", counted.aborts),
            ("D2R_SINGLE_PHASE", counted.single_phase),
            ("D2R_THREAD_REUSE", counted.reuses),
            ("D2R_THREAD_TERM", counted.terminates),
            ("D2R_THREAD_WAIT_OR_OVERFL", counted.waits_or_overflows),
            ("D2R_THREAD_LIMIT", entry.threads.limit.into()),
            ("D2R_THREAD_CURRENT", entry.threads.in_use.current.into()),
            ("D2R_THREAD_HWM", entry.threads.in_use.peak.into()),
            ("D2R_PTHREAD_LIMIT", entry.definition.protected.into()),
            ("D2R_PTHREAD_CURRENT", entry.threads.protected.current.into()),
            ("D2R_PTHREAD_HWM", entry.threads.protected.peak.into()),
            ("D2R_TASK_CURRENT", entry.threads.tasks.current.into()),
            ("D2R_TASK_HWM", entry.threads.tasks.peak.into()),
            ("D2R_TASK_TOTAL", counted.tasks),
            ("D2R_READYQ_CURRENT", entry.threads.ready_queue.current.into()),
            ("D2R_READYQ_HWM", entry.threads.ready_queue.peak.into()),
        ]);
    begin_peaks(reading, &mut entry.threads);
    Some(record)
}

const HEADS: [&str; 8] = ["Calls", "Creates", "Reuses", "Terms", "W/Ovfl", "2-phase", "1-phase", "Aborts"];

/// The sections of the report; none without a DB2CONN.
pub fn report(region: &'static Region, report: &mut Report) {
    let state = Attachment::of(region).state.lock();
    if state.connection.is_none() {
        return;
    }
    report.heading("Db2 Connection and Entries");
    let text = &mut report.text;
    let heads: String = HEADS.iter().map(|head| format!("{head:>11}")).collect();
    let _ = writeln!(text, "{:10}{:>7}{:>7}{:>7}{heads}", "Name", "Limit", "Inuse", "Peak");
    for (name, threads) in groups(&state) {
        let _ = writeln!(text, "{name:10}{:>7}{:>7}{:>7}{}", threads.limit, threads.in_use.current, threads.in_use.peak, line_of(threads));
    }
    text.push('\n');
}

/// All groups of threads by name.
pub fn groups(state: &State) -> impl Iterator<Item = (String, &Threads)> {
    let pool = ("*POOL".to_string(), &state.pool);
    let command = ("*COMMAND".to_string(), &state.command);
    let entries = state.entries.iter().map(|(name, entry)| (name.as_str().trim_end().to_string(), &entry.threads));
    [command, pool].into_iter().chain(entries)
}

fn line_of(threads: &Threads) -> String {
    let of = &threads.counters;
    let values = [of.calls, of.creates, of.reuses, of.terminates, of.waits_or_overflows, of.commits, of.single_phase, of.aborts];
    values.iter().map(|value| format!("{:>11}", number(*value))).collect()
}
