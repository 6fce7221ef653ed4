//! The TCB modes a program and its commands run under (tables 4-1 and 4-2 of the performance report, with STGPROT=NO).
//!
//! The region's authority, which the gate asks while a command is executed, notes the mode of that moment; a domain of the test's own notes
//! the modes in which a task begins and ends.

mod scratch;
mod tasks_support;

use exec::block::Block;
use exec::{CommandId, CommandSpec, OptionId, command, option};
use kernel::Mode;
use region::control_blocks::target::Target;
use region::exec_interface::call::Call;
use region::extensions::{Authority, Observer, Verdict};
use region::name::Name4;
use region::{AttachRequest, Domain, Outcome, Region, StartCode, Task};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};
use tasks_support::{OWN_DOMAIN, define_program, define_transaction};

const LONG: Duration = Duration::from_secs(20);

/// Modes by task number.
type Seen = Mutex<HashMap<u32, Vec<Mode>>>;

static DURING_COMMANDS: OnceLock<Seen> = OnceLock::new();
static AT_BOTH_ENDS: OnceLock<Seen> = OnceLock::new();

fn note(seen: &OnceLock<Seen>, task: &Task) {
    seen.get_or_init(Seen::default).lock().unwrap().entry(task.number).or_default().push(task.kernel.mode());
}

fn noted(seen: &OnceLock<Seen>, task: u32) -> Vec<Mode> {
    seen.get_or_init(Seen::default).lock().unwrap().remove(&task).unwrap_or_default()
}

/// Allows everything and notes the mode.
struct Witness;

impl Authority for Witness {
    fn allows(&self, task: &Task, _: &CommandSpec, _: Option<&Target>, _: &region::Arguments) -> Outcome {
        note(&DURING_COMMANDS, task);
        Ok(())
    }
}

/// Answers every command of transaction MALL, so that it switches and does nothing else.
struct Nothing;

impl Observer for Nothing {
    fn before(&self, task: &mut Task, _: &mut Block) -> Verdict {
        if task.transid.as_str() == "MALL" { Verdict::Answer(Ok(())) } else { Verdict::Execute }
    }

    fn after(&self, _: &mut Task, _: &mut Block, _: &mut Outcome) {}
}

static ENDS: Domain = Domain {
    name: "ends",
    task_attached: Some(|task, _| note(&AT_BOTH_ENDS, task)),
    task_ended: Some(|task| note(&AT_BOTH_ENDS, task)),
    ..Domain::NONE
};

fn the_region() -> &'static Region {
    static REGION: OnceLock<&'static Region> = OnceLock::new();
    REGION.get_or_init(|| {
        OWN_DOMAIN.get_or_init(|| &ENDS);
        let region = tasks_support::the_region();
        assert!(region.extensions.authorize_by(Box::new(Witness)));
        region.extensions.observe(Arc::new(Nothing));
        region
    })
}

fn attach(transid: &str) -> u32 {
    let request = AttachRequest::new(Name4::new(transid), StartCode::Start);
    the_region().attach(request).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// What became of a task.
#[derive(Debug, PartialEq)]
struct Trip {
    /// The mode when the program got control, then during and after each command.
    path: Vec<Mode>,
    change_modes: u64,
    begun: Mode,
    ended: Mode,
}

/// Runs a program defined so as the first of a task. CANCEL is the one command of these tests that is not threadsafe.
fn trip(transid: &str, attributes: &[(&'static str, &str)], commands: &'static [CommandId]) -> Trip {
    the_region();
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let program = format!("PGM{transid}");
    define_program(&program, attributes, move |task| {
        let mut after = vec![task.kernel.mode()];
        for command in commands {
            let mut call = Call::new(*command);
            if *command == command::CANCEL {
                call.text(task, option::REQID, "NOTHING");
            }
            call.execute(task)?;
            after.push(task.kernel.mode());
        }
        sender.lock().unwrap().send((task.number, task.kernel.clone(), after)).unwrap();
        Ok(())
    });
    define_transaction(transid, &program);
    attach(transid);
    let (number, kernel, after) = receiver.recv_timeout(LONG).unwrap();
    assert!(kernel.join(LONG));
    let during = noted(&DURING_COMMANDS, number);
    assert_eq!(during.len(), commands.len());
    let ends = noted(&AT_BOTH_ENDS, number);
    let [begun, ended] = ends[..] else { panic!("{ends:?}") };
    let of_commands = during.into_iter().zip(&after[1..]).flat_map(|(during, after)| [during, *after]);
    Trip { path: [after[0]].into_iter().chain(of_commands).collect(), change_modes: kernel.times().change_modes, begun, ended }
}

fn went(path: &[Mode], change_modes: u64) -> Trip {
    Trip { path: path.to_vec(), change_modes, begun: Mode::Qr, ended: Mode::Qr }
}

const QR: Mode = Mode::Qr;
const L8: Mode = Mode::L8;
const THREADSAFE_THEN_NOT: &[CommandId] = &[command::ASSIGN, command::CANCEL, command::ASSIGN, command::CANCEL];

#[test]
fn a_quasirent_program_is_on_qr_from_begin_to_end() {
    for (transid, key) in [("MQ01", "USER"), ("MQ02", "CICS")] {
        let attributes = [("CONCURRENCY", "QUASIRENT"), ("API", "CICSAPI"), ("EXECKEY", key)];
        assert_eq!(trip(transid, &attributes, THREADSAFE_THEN_NOT), went(&[QR; 9], 0), "{key}");
    }
}

/// It is the first program of its task, so the TCB it finds is QR, and no command of these takes it off.
#[test]
fn a_threadsafe_program_starts_on_qr_when_it_is_the_first_of_its_task() {
    for (transid, key) in [("MT01", "USER"), ("MT02", "CICS")] {
        let attributes = [("CONCURRENCY", "THREADSAFE"), ("API", "CICSAPI"), ("EXECKEY", key)];
        assert_eq!(trip(transid, &attributes, THREADSAFE_THEN_NOT), went(&[QR; 9], 0), "{key}");
    }
}

/// To L8, QR and back for each command that is not threadsafe, and QR for the end of the task.
#[test]
fn required_programs_run_on_l8_in_either_key_and_switch_for_commands_that_are_not_threadsafe() {
    for (transid, key) in [("MR01", "USER"), ("MR02", "CICS")] {
        let attributes = [("CONCURRENCY", "REQUIRED"), ("API", "CICSAPI"), ("EXECKEY", key)];
        let expected = went(&[L8, L8, L8, QR, L8, L8, L8, QR, L8], 1 + 2 + 2 + 1);
        assert_eq!(trip(transid, &attributes, THREADSAFE_THEN_NOT), expected, "{key}");
    }
}

/// Without storage protection EXECKEY makes no difference.
#[test]
fn openapi_programs_run_on_l8_and_threadsafe_means_required_for_them() {
    for (number, (concurrency, key)) in
        [("REQUIRED", "USER"), ("REQUIRED", "CICS"), ("THREADSAFE", "USER"), ("THREADSAFE", "CICS")].into_iter().enumerate()
    {
        let attributes = [("CONCURRENCY", concurrency), ("API", "OPENAPI"), ("EXECKEY", key)];
        let expected = went(&[L8, L8, L8, QR, L8, L8, L8, QR, L8], 6);
        assert_eq!(trip(&format!("MO0{number}"), &attributes, THREADSAFE_THEN_NOT), expected, "{concurrency} {key}");
    }
}

#[test]
fn the_end_of_a_task_is_one_switch_to_qr() {
    assert_eq!(trip("MN01", &[("CONCURRENCY", "REQUIRED")], &[]), went(&[L8], 2));
    assert_eq!(trip("MN02", &[("CONCURRENCY", "QUASIRENT")], &[]), went(&[QR], 0));
}

/// DSP-13: data sets of libraries, dump data sets and auxiliary trace are dealt with on RO, from QR and from an open TCB.
#[test]
fn commands_for_libraries_run_on_the_resource_owning_tcb() {
    const COMMANDS: [(CommandId, OptionId); 4] = [
        (command::SET_LIBRARY, option::LIBRARY),
        (command::DISCARD_LIBRARY, option::LIBRARY),
        (command::SET_DUMPDS, option::SWITCH),
        (command::SET_TRACEDEST, option::NOSWITCH),
    ];
    static RO: Mutex<Vec<(Mode, u64)>> = Mutex::new(Vec::new());
    for (transid, concurrency) in [("ML01", "QUASIRENT"), ("ML02", "REQUIRED")] {
        the_region();
        let program = format!("PGM{transid}");
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        define_program(&program, &[("CONCURRENCY", concurrency)], move |task| {
            let switches = |task: &Task| task.kernel.times().modes[Mode::Ro as usize].switches;
            for (command, about) in COMMANDS {
                let before = (task.kernel.mode(), switches(task));
                let mut call = Call::new(command);
                match about {
                    option::LIBRARY => call.text(task, about, "NOLIB"),
                    flag => call.flag(flag),
                };
                call.execute(task)?;
                assert_eq!(task.kernel.mode(), before.0);
                RO.lock().unwrap().push((before.0, switches(task) - before.1));
            }
            sender.lock().unwrap().send(()).unwrap();
            Ok(())
        });
        define_transaction(transid, &program);
        attach(transid);
        receiver.recv_timeout(LONG).unwrap();
    }
    assert_eq!(*RO.lock().unwrap(), [[(QR, 1); 4], [(L8, 1); 4]].concat());
}

/// "Threadsafe command list" of the application programming reference.
const THREADSAFE: [CommandId; 34] = [
    command::ADDRESS,
    command::ASKTIME,
    command::ASSIGN,
    command::DELETE_CONTAINER,
    command::DELETEQ_TD,
    command::DELETEQ_TS,
    command::DEQ,
    command::ENQ,
    command::FORMATTIME,
    command::FREEMAIN,
    command::GET_CONTAINER,
    command::GETMAIN,
    command::GETMAIN64,
    command::FREEMAIN64,
    command::HANDLE_ABEND,
    command::HANDLE_CONDITION,
    command::IGNORE_CONDITION,
    command::LINK,
    command::LOAD,
    command::MOVE_CONTAINER,
    command::POP_HANDLE,
    command::PUSH_HANDLE,
    command::PUT_CONTAINER,
    command::READQ_TD,
    command::READQ_TS,
    command::RELEASE,
    command::RETURN,
    command::SUSPEND,
    command::SYNCPOINT,
    command::SYNCPOINT_ROLLBACK,
    command::WRITE_JOURNALNAME,
    command::WRITEQ_TD,
    command::WRITEQ_TS,
    command::XCTL,
];
/// Those of terminals and intervals; file control with FCQRONLY=YES, which is the default.
const NOT_THREADSAFE: [CommandId; 20] = [
    command::CANCEL,
    command::CONVERSE,
    command::DELAY,
    command::DELETE,
    command::ENDBR,
    command::POST,
    command::READ,
    command::READNEXT,
    command::READPREV,
    command::RECEIVE,
    command::RECEIVE_MAP,
    command::RESETBR,
    command::RETRIEVE,
    command::REWRITE,
    command::SEND,
    command::SEND_MAP,
    command::SEND_TEXT,
    command::START,
    command::STARTBR,
    command::WRITE,
];

/// Every command of the catalogue in a program on L8: none or two switches.
#[test]
fn no_threadsafe_command_switches_and_every_other_goes_to_qr_and_back() {
    the_region();
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let program = "PGMMALL";
    define_program(program, &[("CONCURRENCY", "REQUIRED")], move |task| {
        let mut switches = HashMap::new();
        for spec in exec::commands().iter().filter(|spec| spec.implemented) {
            let before = task.kernel.times().change_modes;
            let answered = Call::new(spec.id).execute(task).is_ok();
            switches.insert(spec.id, (task.kernel.times().change_modes - before, task.kernel.mode(), answered));
        }
        sender.lock().unwrap().send(switches).unwrap();
        Ok(())
    });
    define_transaction("MALL", program);
    attach("MALL");
    let switches = receiver.recv_timeout(LONG).unwrap();
    for command in THREADSAFE {
        assert_eq!(switches[&command], (0, L8, true), "{}", command.name());
    }
    for command in NOT_THREADSAFE {
        assert_eq!(switches[&command], (2, L8, true), "{}", command.name());
    }
    for spec in exec::commands().iter().filter(|spec| spec.implemented) {
        let of_files = spec.eibfn >> 8 == 0x06;
        let expected = if spec.threadsafe == exec::Threadsafe::No || of_files { 2 } else { 0 };
        assert_eq!(switches[&spec.id].0, expected, "{}", spec.name);
    }
}

/// Runs whatever TCB its caller has; a command that is not threadsafe leaves it on QR, and the caller is on its own again.
#[test]
fn a_threadsafe_program_has_the_tcb_of_its_caller() {
    the_region();
    type Place = (&'static str, Mode);
    let (sender, receiver) = mpsc::channel::<Vec<Place>>();
    let sender = Mutex::new(sender);
    static PLACES: Mutex<Vec<Place>> = Mutex::new(Vec::new());
    fn here(task: &Task, place: &'static str) {
        PLACES.lock().unwrap().push((place, task.kernel.mode()));
    }
    fn link(task: &mut Task, program: &str) -> Result<(), region::Raised> {
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, program);
        assert!(link.execute(task)?.is_normal());
        Ok(())
    }
    define_program("HEIR", &[("CONCURRENCY", "THREADSAFE")], |task| {
        here(task, "begins");
        Call::new(command::ASSIGN).execute(task)?;
        here(task, "after ASSIGN");
        let mut cancel = Call::new(command::CANCEL);
        cancel.text(task, option::REQID, "NOTHING").execute(task)?;
        here(task, "after CANCEL");
        Ok(())
    });
    define_program("OPENCALL", &[("CONCURRENCY", "REQUIRED")], |task| {
        link(task, "HEIR")?;
        here(task, "its caller");
        Ok(())
    });
    define_program("QRCALL", &[("CONCURRENCY", "QUASIRENT")], move |task| {
        link(task, "HEIR")?;
        here(task, "its caller");
        link(task, "OPENCALL")?;
        here(task, "the first");
        sender.lock().unwrap().send(std::mem::take(&mut PLACES.lock().unwrap())).unwrap();
        Ok(())
    });
    define_transaction("MC01", "QRCALL");
    attach("MC01");
    let expected = [
        ("begins", QR),
        ("after ASSIGN", QR),
        ("after CANCEL", QR),
        ("its caller", QR),
        ("begins", L8),
        ("after ASSIGN", L8),
        ("after CANCEL", QR),
        ("its caller", L8),
        ("the first", QR),
    ];
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), expected);
}

/// One task at a time is on QR, and it stays there until it waits: what is ready meanwhile does not run, and a SUSPEND lets it.
#[test]
fn one_task_has_qr_until_it_gives_up_control() {
    the_region();
    const TASKS: u32 = 8;
    static INSIDE: AtomicBool = AtomicBool::new(false);
    static TURNS: AtomicU32 = AtomicU32::new(0);
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("ONEATIME", &[("CONCURRENCY", "QUASIRENT")], move |task| {
        let mut alone = true;
        let mut taken_over = 0;
        for _ in 0..20 {
            alone &= !INSIDE.swap(true, Ordering::SeqCst);
            let turn = TURNS.fetch_add(1, Ordering::SeqCst);
            let until = Instant::now() + Duration::from_micros(300);
            while Instant::now() < until {}
            // A command that does not wait gives nothing up.
            Call::new(command::ASSIGN).execute(task)?;
            alone &= TURNS.load(Ordering::SeqCst) == turn + 1 && task.kernel.mode() == QR;
            INSIDE.store(false, Ordering::SeqCst);
            Call::new(command::SUSPEND).execute(task)?;
            taken_over += u32::from(TURNS.load(Ordering::SeqCst) != turn + 1);
        }
        sender.lock().unwrap().send((alone, taken_over)).unwrap();
        Ok(())
    });
    define_transaction("MX01", "ONEATIME");
    for _ in 0..TASKS {
        attach("MX01");
    }
    let ended: Vec<(bool, u32)> = (0..TASKS).map(|_| receiver.recv_timeout(LONG).unwrap()).collect();
    assert!(ended.iter().all(|(alone, _)| *alone));
    assert!(ended.iter().any(|(_, taken_over)| *taken_over > 0), "nobody ran when a task gave up control");
}

/// Two programs on open TCBs meet, each without giving up control, and a third on QR runs its commands beside them.
#[test]
fn programs_on_open_tcbs_run_beside_each_other_and_beside_qr() {
    the_region();
    static HERE: AtomicU32 = AtomicU32::new(0);
    static QR_ROUNDS: AtomicU32 = AtomicU32::new(0);
    let (sender, receiver) = mpsc::channel();
    let (open, quasi_reentrant) = (Mutex::new(sender.clone()), Mutex::new(sender));
    define_program("MEETING", &[("CONCURRENCY", "REQUIRED")], move |task| {
        HERE.fetch_add(1, Ordering::SeqCst);
        let until = Instant::now() + LONG;
        while (HERE.load(Ordering::SeqCst) < 2 || QR_ROUNDS.load(Ordering::SeqCst) < 100) && Instant::now() < until {
            std::thread::yield_now();
        }
        open.lock().unwrap().send((Instant::now() < until, task.kernel.mode())).unwrap();
        Ok(())
    });
    define_program("BESIDE", &[("CONCURRENCY", "QUASIRENT")], move |task| {
        for _ in 0..100 {
            Call::new(command::SUSPEND).execute(task)?;
            QR_ROUNDS.fetch_add(1, Ordering::SeqCst);
        }
        quasi_reentrant.lock().unwrap().send((true, task.kernel.mode())).unwrap();
        Ok(())
    });
    define_transaction("MB01", "MEETING");
    define_transaction("MB02", "BESIDE");
    for transid in ["MB01", "MB01", "MB02"] {
        attach(transid);
    }
    let mut ended: Vec<(bool, Mode)> = (0..3).map(|_| receiver.recv_timeout(2 * LONG).unwrap()).collect();
    ended.sort_by_key(|(_, mode)| *mode);
    assert_eq!(ended, [(true, QR), (true, L8), (true, L8)]);
}

/// The lines of one section of the statistics report.
fn section(text: &str, title: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with(&format!("{title}  "))).skip(2);
    lines.take_while(|line| line.is_empty() || line.starts_with(' ')).map(str::to_string).collect()
}

/// The value behind a title and its dots.
fn value(lines: &[String], title: &str) -> String {
    let line = lines.iter().find(|line| line.trim_start().strip_prefix(title).is_some_and(|rest| rest.starts_with(['.', ':'])));
    line.unwrap_or_else(|| panic!("{title}: {lines:#?}")).split_once(": ").expect("a value").1.trim().to_string()
}

/// The lines of example 6-1, in its order.
const GLOBAL_TITLES: [&str; 18] = [
    "Dispatcher Start Date and Time",
    "Address Space CPU Time",
    "Address Space SRB Time",
    "Current number of dispatcher tasks",
    "Peak number of dispatcher tasks",
    "Current ICV time (msec)",
    "Current ICVR time (msec)",
    "Current ICVTSD time (msec)",
    "Current PRTYAGE time (msec)",
    "Current MRO (QR) Batching (MROBTCH) value",
    "Last Excess TCB Scan",
    "Number of Excess TCB Scans",
    "Last Excess TCB Scan - No TCB Detached",
    "Excess TCB Scans - No TCB Detached",
    "Number of Excess TCBs Detached",
    "Average Excess TCBs Detached per Scan",
    "Number of CICS TCB MODEs",
    "Number of CICS TCB POOLs",
];

/// Examples 6-1, 6-2 and 6-3 of the performance report: the scans for excess TCBs, the modes with Open and pool, the pools with their limits.
#[test]
fn the_report_shows_scans_modes_and_pools_of_the_dispatcher() {
    assert_eq!(trip("MS01", &[("CONCURRENCY", "REQUIRED")], &[]), went(&[L8], 2));
    the_region().dispatcher.scan_excess_tcbs();
    let figures = the_region().dispatcher.statistics();
    let text = region::statistics::report::text(the_region());
    let global = section(&text, "Dispatcher");
    assert_eq!(["Number of CICS TCB MODEs", "Number of CICS TCB POOLs"].map(|title| value(&global, title)), ["18", "4"]);
    let titles: Vec<&str> = global.iter().filter_map(|line| Some(line.split_once(": ")?.0.trim().trim_end_matches('.'))).collect();
    assert_eq!(titles, GLOBAL_TITLES);
    // ICV, ICVR, ICVTSD, PRTYAGE and MROBTCH have their defaults.
    let settings = GLOBAL_TITLES[5..10].iter().map(|title| value(&global, title)).collect::<Vec<_>>();
    assert_eq!(settings, ["1000", "2000", "0", "1000", "1"]);
    let number = |title: &str| value(&global, title).parse::<f64>().unwrap();
    let (scans, detached) = (number("Number of Excess TCB Scans"), number("Number of Excess TCBs Detached"));
    assert!(scans >= 1.0 && number("Excess TCB Scans - No TCB Detached") <= scans);
    assert!((number("Average Excess TCBs Detached per Scan") - detached / scans).abs() < 0.006);
    let moment = value(&global, "Last Excess TCB Scan");
    assert!(moment.len() == "2014-05-16 05:28:10".len() && moment.starts_with("20"), "{moment}");

    let modes = section(&text, "Dispatcher TCB Modes");
    let rows: Vec<Vec<&str>> =
        modes[2..].iter().map(|line| line.split_whitespace().collect()).filter(|row: &Vec<&str>| !row.is_empty()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names.join(" "), "QR RO CO SZ RP FO SL SO SP EP TP D2 S8 L8 L9 X8 X9 T8 Totals");
    let sum = |at: usize| rows[..18].iter().map(|row| row[at].parse::<u32>().unwrap()).sum::<u32>().to_string();
    assert_eq!(rows[18][1..], [sum(3), sum(5), sum(7)]);
    let row = |name: &str| rows.iter().find(|row| row[0] == name).unwrap()[1..].to_vec();
    assert_eq!(row("QR")[..4], ["No", "N/A", "1", "1"]);
    assert_eq!(row("L8")[..2], ["Yes", "Open"]);
    for unused in ["CO", "SZ", "RP", "SO", "SP", "EP", "TP", "D2", "L9", "X8", "X9", "S8", "T8"] {
        assert_eq!(row(unused)[..7], ["Unk", "N/A", "0", "0", "0", "0", "0"], "{unused}");
    }
    // The queue is shown for modes of a single TCB.
    assert_eq!([row("QR").len(), row("SP").len(), row("EP").len(), row("L8").len()], [10, 10, 7, 7]);

    let pools = section(&text, "Dispatcher TCB Pools");
    let titles: Vec<String> = pools
        .iter()
        .filter(|line| line.contains("TCB Pool."))
        .filter_map(|line| Some(line.split_once(": ")?.1.trim().to_string()))
        .collect();
    assert_eq!(titles[0], "OPEN");
    let names: Vec<&String> = titles.iter().filter(|title| ["OPEN", "SSL", "XP", "THRD"].contains(&title.as_str())).collect();
    assert_eq!(names, ["OPEN", "SSL", "XP", "THRD"]);
    let limit = figures.pools[kernel::Pool::Open as usize].limit.to_string();
    assert_eq!(value(&pools, "Max TCB Pool limit (MAXOPENTCBS)"), limit);
    assert_ne!(value(&pools, "Peak TCBs attached in this TCB Pool"), "0");
    // Ten lines for each, as in example 6-3.
    assert_eq!(pools.iter().filter(|line| !line.is_empty()).count(), 4 * 10);
    for title in [
        "Current TCBs attached in this TCB Pool",
        "Peak TCBs attached in this TCB Pool",
        "Time Max TCB Pool Limit last reached",
        "Total Requests delayed by Max TCB Pool Limit",
        "Total Max TCB Pool Limit delay time",
        "Current Requests delayed by Max TCB Pool Limit",
        "Current Max TCB Pool Limit delay time",
        "Peak Requests delayed by Max TCB Pool Limit",
    ] {
        assert_eq!(pools.iter().filter(|line| line.contains(title)).count(), 4, "{title}");
    }
}

/// QR CPU to dispatch ratio, and the part of the process's CPU time that the TCB modes account for. A task that computes on QR uses what it
/// is dispatched for; the process uses more than its tasks do.
#[test]
fn the_report_shows_the_ratios_of_cpu_time() {
    define_program("PGMMS09", &[("CONCURRENCY", "QUASIRENT")], |task| {
        let until = std::time::Instant::now() + Duration::from_millis(200);
        while std::time::Instant::now() < until {
            std::hint::black_box(task.number);
        }
        Ok(())
    });
    define_transaction("MS09", "PGMMS09");
    let number =
        the_region().attach(AttachRequest::new(Name4::new("MS09"), StartCode::Start)).unwrap_or_else(|failure| panic!("{failure:?}"));
    testing::eventually("the end of the task", || the_region().transactions().task(number).is_none());
    let percent = |text: &str| text.trim_end_matches('%').parse::<f64>().unwrap();
    let seconds = |text: &str| text.rsplit(':').next().unwrap().parse::<f64>().unwrap();
    let report = || {
        let text = region::statistics::report::text(the_region());
        let times = section(&text, "TCB CPU and Dispatch Time");
        let row: Vec<&str> = times.iter().find(|line| line.trim().starts_with("QR ")).unwrap().split_whitespace().collect();
        let figures = (seconds(row[2]), seconds(row[3]), percent(row[4]));
        (text, figures)
    };
    // Its last dispatch is charged behind its end.
    testing::eventually("its time in the report", || report().1.0 >= 0.2);
    let (text, (dispatch, cpu, ratio)) = report();
    assert!(cpu > 0.0 && cpu <= dispatch * 1.05, "{dispatch} {cpu}");
    assert!((ratio - cpu * 100.0 / dispatch).abs() < 0.5, "{dispatch} {cpu} {ratio}");
    let processors = section(&text, "Processors");
    let capture = percent(&value(&processors, "CPU capture ratio"));
    assert!(capture > 0.0 && capture <= 100.5, "{capture}");
    assert!(value(&processors, "Processors allowed").parse::<usize>().unwrap() >= 1);
    assert_eq!(value(&processors, "Worker threads"), the_region().dispatcher.statistics().workers.to_string());
    // HWOS-02 and HWOS-04: the machine, and what the region runs on.
    let machine = kernel::machine::Machine::of_this_process();
    assert_eq!(value(&processors, "Machine (LPARNAME)"), machine.name.as_str());
    assert_eq!(value(&processors, "Machine type (CECMCHTP)"), machine.architecture.as_str());
    assert!(["Hardware", "Virtual machine", "Container"].contains(&&*value(&processors, "Runs on")));
    // DSP-58 and DSP-49: what a task has for a kernel stack, and no process of an open TCB to release.
    assert_eq!(value(&processors, "Stack of a task (bytes)"), "262,144");
    let stacks = |title: &str| value(&processors, title).parse::<u32>().unwrap();
    assert!(stacks("Stacks made") > 0 && stacks("Stacks in use") <= stacks("Stacks made"));
    assert_eq!(value(&processors, "UNIX processes released"), "0");
}

/// STAT-28 and STAT-15: the threads of the region, those that run tasks apart from others, with their times and the storage of 31 bits.
#[test]
fn the_report_lists_the_threads_of_the_region() {
    let text = region::statistics::report::text(the_region());
    let tcbs = section(&text, "MVS TCBs");
    let seconds = |text: &str| text.rsplit(':').next().unwrap().parse::<f64>().unwrap();
    let count = |title: &str| value(&tcbs, title).replace(',', "").parse::<u64>().unwrap();
    let rows: Vec<Vec<&str>> = tcbs.iter().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|row| row.len() >= 9).collect();
    assert_eq!(count("Current number of CICS TCBs"), rows.iter().filter(|row| row.contains(&"Yes")).count() as u64);
    let workers: Vec<_> = rows.iter().filter(|row| row[1].starts_with("worker-")).collect();
    assert!(!workers.is_empty() && workers.iter().all(|row| row[2] == "Yes" && ["Running", "Waiting"].contains(&row[3])), "{rows:?}");
    assert!(count("Current number of non-CICS TCBs") >= 3, "the timer, the monitor, the test: {rows:?}");
    for row in workers {
        let [.., waits, _wait, dispatch, cpu] = row[..] else { panic!("{row:?}") };
        assert!(waits.replace(',', "").parse::<u64>().is_ok() && seconds(cpu) <= seconds(dispatch), "{row:?}");
    }
    let [allocated, used] = ["allocated", "in use"].map(|kind| count(&format!("Private storage {kind} from 16 MB to 2 GB")));
    assert!(allocated > 0 && used <= allocated);
    assert!(value(&tcbs, "CPU time of CICS TCBs").contains(':') && value(&tcbs, "CPU time of the dispatcher (DS CPU)").contains(':'));
}
