//! A task that waits for its terminal: the TCB of the listener, what ends the wait (PURGE, FORCEPURGE, KILL), and a session that fails with
//! TPURGE(YES) and TPURGE(NO).

#[path = "terminal_support/access.rs"]
mod access;
mod scratch;
mod terminal_support;

use csd::Definition;
use exec::{command, cvda, option};
use kernel::{Mode, Purge, RunState, TaskRef};
use region::exec_interface::call::Call;
use region::monitoring::{Cause, Record, RecordSink};
use region::name::Name4;
use region::{AttachRequest, Raised, StartCode, Task};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use terminal_support::{connect, define, the_region};
use testing::eventually;
use tn3270::Client;

const LONG: Duration = Duration::from_secs(20);

/// A transaction that waits for its terminal, and tells how the wait ended.
fn define_waiting(transid: &str, attributes: &[(&'static str, &str)]) -> mpsc::Receiver<(TaskRef, String)> {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define(transid, move |task: &mut Task| {
        let tell = |task: &Task, how: &str| sender.lock().unwrap().send((task.kernel.clone(), how.to_string())).unwrap();
        let mut input = Call::new(command::RECEIVE);
        input.bytes(option::INTO, &[0; 40]).integer(option::LENGTH, 40);
        input.execute(task)?;
        tell(task, "waits");
        match input.execute(task) {
            Ok(response) => tell(task, response.condition.name()),
            Err(Raised::Abend(abend)) => {
                tell(task, &abend.code_text());
                return Err(Raised::Abend(abend));
            }
            Err(_) => tell(task, "left"),
        }
        Ok(())
    });
    let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &format!("PGM{transid}"));
    let definition = attributes.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
    the_region().install(&definition).unwrap();
    receiver
}

/// A terminal whose task waits for it.
fn waiting(transid: &str, told: &mpsc::Receiver<(TaskRef, String)>) -> (Client, TaskRef) {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.type_text(transid).unwrap();
    terminal.press("ENTER").unwrap();
    let (task, how) = told.recv_timeout(LONG).unwrap();
    assert_eq!(how, "waits");
    eventually("the wait for the terminal", || is_waiting(&task));
    (terminal, task)
}

fn is_waiting(task: &TaskRef) -> bool {
    let info = task.info();
    info.state == RunState::Suspended && info.resource_type.as_str() == "ZCIOWAIT" && info.resource_name.as_str() == "DFHZARQ1"
}

#[test]
fn a_wait_for_the_terminal_is_purged() {
    for (transid, spurge, purge) in [("TWP1", "YES", Purge::Purge), ("TWP2", "NO", Purge::ForcePurge), ("TWP3", "NO", Purge::Kill)] {
        let told = define_waiting(transid, &[("SPURGE", spurge)]);
        let (mut terminal, task) = waiting(transid, &told);
        if spurge == "NO" {
            assert!(!task.purge(Purge::Purge), "SPURGE(NO)");
            std::thread::sleep(Duration::from_millis(50));
            assert!(is_waiting(&task));
        }
        assert!(task.purge(purge));
        assert_eq!(told.recv_timeout(LONG).unwrap().1, "AEXY", "{purge:?}");
        terminal.wait_text("AEXY").unwrap();
    }
}

/// The records of tasks by what has ended them.
#[derive(Default)]
struct Records(Mutex<Vec<(u32, Cause)>>);

impl RecordSink for Records {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().push((record.task_number, record.cause));
    }
}

/// SET MONITOR CONVERSEST; answers what INQUIRE tells then.
fn set_converse_records(transid: &str, on: bool) -> i64 {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define(transid, move |task| {
        let mut set = Call::new(command::SET_MONITOR);
        set.flag(option::ON).flag(option::PERF).flag(if on { option::CONVERSE } else { option::NOCONVERSE }).execute(task)?;
        let mut inquire = Call::new(command::INQUIRE_MONITOR);
        inquire.integer(option::CONVERSEST, 0).execute(task)?;
        sender.lock().unwrap().send(inquire.result(option::CONVERSEST).unwrap()).unwrap();
        Ok(())
    });
    the_region().attach(AttachRequest::new(Name4::new(transid), StartCode::Start)).map_err(|_| "not attached").unwrap();
    receiver.recv_timeout(LONG).unwrap()
}

/// MNCONV: a record ends before a task waits for its terminal.
#[test]
fn a_wait_for_the_terminal_ends_a_record() {
    let records = Arc::new(Records::default());
    the_region().monitoring().add_sink(records.clone());
    assert_eq!(set_converse_records("TWM1", true), cvda::CONVERSE);
    let told = define_waiting("TWM2", &[]);
    let (mut terminal, task) = waiting("TWM2", &told);
    let of_task = || {
        let all = records.0.lock().unwrap();
        all.iter().filter(|(number, _)| *number == task.number()).map(|(_, cause)| *cause).collect::<Vec<_>>()
    };
    assert_eq!(of_task(), [Cause::Converse]);
    terminal.wait("the keyboard", |client| client.screen().is_unlocked()).unwrap();
    terminal.press("ENTER").unwrap();
    assert_eq!(told.recv_timeout(LONG).unwrap().1, "EOC");
    eventually("the record of the end", || of_task() == [Cause::Converse, Cause::Termination]);
    assert_eq!(set_converse_records("TWM3", false), cvda::NOCONVERSE);
}

/// XM-14: the session of the terminal fails while its task waits for input.
#[test]
fn a_task_whose_terminal_is_lost_ends_unless_it_is_tpurge_no() {
    let told = define_waiting("TWT1", &[("TPURGE", "YES")]);
    let (terminal, task) = waiting("TWT1", &told);
    drop(terminal);
    let how = told.recv_timeout(LONG).unwrap().1;
    assert!(how == "TERMERR" || how == "ATNI", "{how}");
    assert!(task.join(LONG));

    let told = define_waiting("TWT2", &[("TPURGE", "NO"), ("SPURGE", "YES")]);
    let (terminal, task) = waiting("TWT2", &told);
    drop(terminal);
    assert!(told.recv_timeout(Duration::from_millis(500)).is_err(), "it waits on");
    assert!(is_waiting(&task));
    assert!(task.purge(Purge::Purge));
    assert_eq!(told.recv_timeout(LONG).unwrap().1, "AEXY");
    assert!(task.join(LONG));
}

/// DSP-17: the thread that accepts terminals and reads their input is the TCB of mode SL.
#[test]
fn the_listener_is_the_tcb_of_mode_sl() {
    the_region();
    let listener = || the_region().dispatcher.statistics().modes[Mode::Sl as usize];
    eventually("the listener runs", || listener().open.is_some());
    let before = listener();
    assert_eq!((before.open, before.attached_current, before.attached_peak, before.attaches), (Some(false), 1, 1, 1));
    for _ in 0..3 {
        let mut terminal = connect();
        terminal.wait_text("WELCOME").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run("NONE").unwrap();
        terminal.wait_text("DFHAC2001").unwrap();
    }
    eventually("its time is counted", || listener().dispatch > before.dispatch && listener().cpu > before.cpu);
    let after = listener();
    assert_eq!((after.attached_current, after.attaches), (1, 1), "one TCB for all terminals");
    assert!(after.cpu <= after.dispatch * 2);
    let report = region::statistics::report::text(the_region());
    let row = report.lines().find(|line| line.trim_start().starts_with("SL ")).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(row[1..5], ["No", "N/A", "1", "1"], "{row:?}");
}
