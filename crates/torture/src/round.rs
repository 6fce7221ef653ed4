//! One round, in its own process: start, report the data, tidy, work, end as told.

use crate::commands::{encode, issue, on_file, on_queue};
use crate::model::{MARKERS, marker_key};
use crate::protocol::{Change, Event};
use crate::work::{Shared, Unit, work};
use crate::{Random, doubt, report, setup};
use clap::ValueEnum;
use csd::{Definition, TransactionDefinition};
use exec::{OptionId, command, option};
use parking_lot::Mutex;
use region::name::{Name4, Name8};
use region::{AttachRequest, NativeProgram, Raised, Region, RegionConfig, StartCode, Task};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use vsam::disk::{Disk, FaultDisk, FaultKind, FaultPlan, RealDisk};
use vsam::{Store, StoreError};

/// A round that hangs is ended after this.
const TIME_MAX: Duration = Duration::from_secs(60);
/// Growing containers are emptied at this number of entries, so that the last round costs as much as the first.
const ENTRIES_MAX: usize = 24;
/// The same for containers that are cheap to report.
const RECORDS_MAX: usize = 4 * ENTRIES_MAX;
/// Units of work of long rounds, and of those that the parent ends by a kill.
pub const UNITS_MAX: u64 = 800;
/// Units of work of most rounds.
pub const UNITS: u64 = 60;

/// How a round ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum End {
    /// The disk loses power at an operation and the process dies there.
    PowerLoss,
    /// No room from an operation on; a kill later.
    Full,
    /// Read-only from an operation on; a kill later.
    ReadOnly,
    /// One sync or batch fails; a kill later.
    Failure,
    /// The process is killed from outside, on the real disk.
    Kill,
    /// An orderly shutdown.
    Shutdown,
}

#[derive(clap::Args, Clone, Debug)]
pub struct RoundArguments {
    #[arg(long)]
    pub data: PathBuf,
    #[arg(long)]
    pub round: u64,
    #[arg(long)]
    pub seed: u64,
    #[arg(long, value_enum)]
    pub end: End,
    /// The operation of the disk at which it happens.
    #[arg(long, default_value_t = 1)]
    pub at: u64,
    #[arg(long, default_value_t = 6)]
    pub tasks: u64,
    /// Units of work after which the round ends if nothing else ended it.
    #[arg(long, default_value_t = UNITS)]
    pub units: u64,
}

struct Context {
    shared: Shared,
    seed: AtomicU64,
    running: AtomicU64,
    /// The disk of a round in which it is to fail.
    disk: Option<FaultDisk>,
    /// Set when the report has been sent and the data tidied.
    told: Mutex<Option<Result<(), String>>>,
}

impl Context {
    fn disk_failed(&self) -> bool {
        self.disk.as_ref().is_some_and(|disk| disk.failed_at().is_some())
    }
}

static CONTEXT: OnceLock<Context> = OnceLock::new();

fn context() -> &'static Context {
    CONTEXT.get().expect("set before any task is attached")
}

/// The hidden command `torture-round`.
pub fn round(arguments: RoundArguments) -> Result<u8, String> {
    let kind = match arguments.end {
        End::PowerLoss => Some(FaultKind::Kill),
        End::Full => Some(FaultKind::Full),
        End::ReadOnly => Some(FaultKind::ReadOnly),
        End::Failure => Some(FaultKind::Failure),
        End::Kill | End::Shutdown => None,
    };
    let plan = kind.map(|kind| FaultPlan { at_operation: arguments.at, kind, seed: arguments.seed });
    let fault_disk = FaultDisk::new(&arguments.data, plan).map_err(|error| error.to_string())?;
    let disk: Arc<dyn Disk> = if plan.is_some() { Arc::new(fault_disk.clone()) } else { Arc::new(RealDisk) };
    let mut random = Random::new(arguments.seed);
    let store = match Store::open(&arguments.data, setup::store_config(disk, 1 + random.below(12))) {
        Ok(store) => store,
        // A disk that fails at once may prevent the start; the data is unaffected.
        Err(StoreError::Io { .. } | StoreError::Engine(_) | StoreError::NoRoom(_)) if plan.is_some() => return Ok(0),
        Err(error) => return Err(format!("the start failed: {error}")),
    };
    let shared = Shared::new(arguments.round);
    let (seed, running) = (AtomicU64::new(arguments.seed), AtomicU64::new(0));
    let _ = CONTEXT.set(Context { shared, seed, running, disk: plan.map(|_| fault_disk), told: Mutex::new(None) });
    if arguments.end == End::Full {
        std::thread::spawn(move || fill_for_a_while(arguments.seed));
    }
    let region = match start(&arguments, store) {
        Ok(region) => region,
        Err(_) if context().disk_failed() => return Ok(0),
        Err(error) => return Err(error),
    };
    attach(region, "TORR")?;
    wait(|| context().told.lock().is_some());
    match context().told.lock().take() {
        Some(Ok(())) => {}
        Some(Err(_)) if context().disk_failed() => return Ok(0),
        other => return Err(format!("the report failed: {other:?}")),
    }
    drive(region, &arguments);
    if arguments.end == End::Shutdown {
        region.shutdown(false);
        Event::Stopped.send();
        return Ok(0);
    }
    // Like a kill from outside, also in a region that was to survive a failed disk for a while.
    std::process::abort()
}

fn start(arguments: &RoundArguments, store: Arc<Store>) -> Result<&'static Region, String> {
    let emergency = !store.restart_report().clean;
    let mut config = RegionConfig::new(arguments.data.clone());
    // Keypoints never, often, seldom.
    let keypoints = ["AKPFREQ=0", "AKPFREQ=50", "AKPFREQ=4000"][(arguments.seed % 3) as usize];
    for setting in ["APPLID=TORTURE", "STGPROT=NO", "MXT=50", keypoints] {
        config.sit.apply(setting).map_err(|error| error.to_string())?;
    }
    config.workers = 2;
    config.store = Some(store);
    let region = Region::start(config, &server::registry::DOMAINS).map_err(|error| format!("the start failed: {error}"))?;
    setup::install(region)?;
    define(region, "TORR", report_program as NativeProgram)?;
    define(region, "TORW", work_program as NativeProgram)?;
    define(region, "TORP", physical_program as NativeProgram)?;
    Event::Started { emergency }.send();
    Ok(region)
}

/// A region waits for room on a full device. Every second one gets it and continues; the others are killed while they wait.
fn fill_for_a_while(seed: u64) {
    wait(|| context().disk_failed());
    std::thread::sleep(Duration::from_millis(5 + seed % 40));
    match &context().disk {
        Some(disk) if seed.is_multiple_of(2) => disk.mend(),
        _ => std::process::abort(),
    }
}

fn define(region: &'static Region, transid: &str, program: NativeProgram) -> Result<(), String> {
    let name = format!("PGM{transid}");
    region.programs().install_native(Name8::new(&name), program);
    region.install(&Definition::new("PROGRAM", &name, "TORTURE").with("CONCURRENCY", "THREADSAFE"))?;
    let definition = Definition::new("TRANSACTION", transid, "TORTURE").with("PROGRAM", &name).with("DUMP", "NO");
    let definition = definition.with("DTIMOUT", "5").with("SPURGE", "YES");
    region.transactions().install(TransactionDefinition::from(&definition));
    Ok(())
}

fn attach(region: &'static Region, transid: &str) -> Result<(), String> {
    let request = AttachRequest::new(Name4::new(transid), StartCode::Start);
    region.attach(request).map(|_| ()).map_err(|failure| failure.message.text)
}

fn wait(condition: impl Fn() -> bool) {
    let until = Instant::now() + TIME_MAX;
    while !condition() && Instant::now() < until {
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Keeps tasks running until enough units of work have ended.
fn drive(region: &'static Region, arguments: &RoundArguments) {
    let (context, until) = (context(), Instant::now() + TIME_MAX);
    let mut units = arguments.units;
    if arguments.end == End::Kill {
        // Until the parent has had enough.
        units = UNITS_MAX;
    }
    let mut attached = 0;
    while context.shared.ended.load(Ordering::Relaxed) < units && Instant::now() < until && region.store.is_working() {
        while context.running.load(Ordering::Relaxed) < arguments.tasks {
            context.running.fetch_add(1, Ordering::Relaxed);
            let transid = if attached % arguments.tasks == 0 { "TORP" } else { "TORW" };
            attached += 1;
            if attach(region, transid).is_err() {
                return;
            }
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    if arguments.end == End::Kill {
        wait(|| false);
    }
    if arguments.end == End::Shutdown {
        wait(|| context.running.load(Ordering::Relaxed) == 0);
    }
}

/// Counts a task as over however it ends.
struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        context().running.fetch_sub(1, Ordering::Relaxed);
    }
}

fn run_work(task: &mut Task, physical: bool) -> Result<(), Raised> {
    let _running = Running;
    let context = context();
    let mut random = Random::new(context.seed.fetch_add(1, Ordering::Relaxed));
    work(task, &context.shared, &mut random, physical)
}

fn work_program(task: &mut Task) -> Result<(), Raised> {
    run_work(task, false)
}

fn physical_program(task: &mut Task) -> Result<(), Raised> {
    // The queue belongs to one task at a time, so that the order of its records is known.
    static TAKEN: AtomicBool = AtomicBool::new(false);
    let physical = !TAKEN.swap(true, Ordering::AcqRel);
    let result = run_work(task, physical);
    if physical {
        TAKEN.store(false, Ordering::Release);
    }
    result
}

fn report_program(task: &mut Task) -> Result<(), Raised> {
    let told = report_and_tidy(task);
    *context().told.lock() = Some(told);
    Ok(())
}

fn report_and_tidy(task: &mut Task) -> Result<(), String> {
    let text = |raised: Raised| format!("{raised:?}");
    let mut random = Random::new(context().seed.load(Ordering::Relaxed));
    let mut events = doubt::decide(task, &mut random)?;
    events.extend(report::report(task).map_err(text)?);
    if let Some(Event::Wrong(why)) = events.iter().find(|event| matches!(event, Event::Wrong(_)))
        && context().disk_failed()
    {
        // Data that cannot be read because the disk failed proves nothing.
        return Err(why.clone());
    }
    events.iter().for_each(Event::send);
    Event::Told.send();
    tidy(task, &events).map_err(text)
}

/// Removes markers and empties long containers, in a separate unit of work.
fn tidy(task: &mut Task, events: &[Event]) -> Result<(), Raised> {
    let mut random = Random::new(1);
    let mut unit = Unit::begin(task, &context().shared, &mut random)?;
    for event in events {
        if let Event::Key { container, key, .. } = event
            && (container == MARKERS)
        {
            let id = marker_key(key);
            on_file(task, command::DELETE, MARKERS, |task, call| {
                call.bytes(option::RIDFLD, &encode(task, &id));
            })?;
            unit.add(Change::Delete { container: MARKERS.into(), key: key.clone() });
        }
    }
    for queue in setup::TS_QUEUES {
        if entries(events, queue) > ENTRIES_MAX {
            let reply = on_queue(task, command::DELETEQ_TS, queue, |_, _| {})?;
            if reply.is_normal() {
                unit.add(Change::Clear { container: queue.into() });
            }
        }
    }
    for queue in setup::TD_LOGICAL {
        if entries(events, queue) > ENTRIES_MAX {
            let reply = on_queue(task, command::DELETEQ_TD, queue, |_, _| {})?;
            if reply.is_normal() {
                unit.add(Change::Clear { container: queue.into() });
            }
        }
    }
    unit.commit(task, &context().shared)?;
    empty_if_long(task, events, setup::JOURNAL, |task| Ok(remove_journal(task)))?;
    empty_if_long(task, events, setup::TD_PHYSICAL, |task| {
        Ok(on_queue(task, command::DELETEQ_TD, setup::TD_PHYSICAL, |_, _| {})?.is_normal())
    })?;
    empty_if_long(task, events, setup::ENTRY, empty_entries)?;
    cancel_starts(task, events)
}

/// Empties a long container at once, outside units of work. `empty` returns whether it did.
fn empty_if_long(
    task: &mut Task,
    events: &[Event],
    container: &str,
    empty: impl FnOnce(&mut Task) -> Result<bool, Raised>,
) -> Result<(), Raised> {
    if entries(events, container) <= RECORDS_MAX {
        return Ok(());
    }
    let number = context().shared.new_unit();
    Event::Begin { unit: number, marked: false, changes: vec![Change::Clear { container: container.into() }] }.send();
    if empty(task)? {
        Event::Done { unit: number }.send();
    }
    Ok(())
}

fn remove_journal(task: &Task) -> bool {
    report::journal_path(task).is_ok_and(|path| {
        // The journal is written from its beginning again when it is next used.
        files::journaling::Journaling::of(task.region).discard(region::name::Name8::new(setup::JOURNAL));
        std::fs::remove_file(path).is_ok()
    })
}

/// An open with EMPTY is the only way to get rid of the records of an ESDS.
fn empty_entries(task: &mut Task) -> Result<bool, Raised> {
    let states: [&[OptionId]; 2] = [&[option::CLOSED, option::EMPTY], &[option::OPEN, option::ENABLED]];
    for state in states {
        let reply = on_file(task, command::SET_FILE, setup::ENTRY, |_, call| {
            for flag in state {
                call.flag(*flag);
            }
        })?;
        if !reply.is_normal() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn entries(events: &[Event], name: &str) -> usize {
    let own = |event: &&Event| matches!(event, Event::Item { container, .. } | Event::Key { container, .. } if container == name);
    events.iter().filter(own).count()
}

fn cancel_starts(task: &mut Task, events: &[Event]) -> Result<(), Raised> {
    if entries(events, "START") <= ENTRIES_MAX {
        return Ok(());
    }
    for event in events {
        let Event::Key { container, key, .. } = event else { continue };
        if container != "START" {
            continue;
        }
        let number = context().shared.new_unit();
        let changes = vec![Change::Delete { container: container.clone(), key: key.clone() }];
        Event::Begin { unit: number, marked: false, changes }.send();
        let reply = issue(task, command::CANCEL, |task, call| {
            call.text(task, option::REQID, key);
        })?;
        if reply.is_normal() {
            Event::Done { unit: number }.send();
        }
    }
    Ok(())
}
