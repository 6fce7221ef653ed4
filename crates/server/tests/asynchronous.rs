//! RUN TRANSID, FETCH CHILD, FETCH ANY and FREE CHILD between tasks: change modes, flow control at MXT, children that do not start,
//! parents that are purged or end first. What a program sees of one parent and its children is in the commands of `regent`.

mod scratch;
mod tasks_support;

use csd::{Definition, TransactionDefinition};
use exec::{command, condition, cvda, option};
use kernel::TaskRef;
use region::exec_interface::call::Call;
use region::monitoring::{Record, RecordSink};
use region::name::Name4;
use region::{AttachRequest, Raised, StartCode, Task};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};
use tasks_support::{define_program, define_transaction, response, run, the_region};

const LONG: Duration = Duration::from_secs(20);
const NORMAL: (u16, i32) = (0, 0);
const TOKEN: [u8; 16] = [0; 16];

/// They count tasks of the region, or change MXT.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn run_child(task: &mut Task, transid: &str) -> Result<((u16, i32), Vec<u8>), Raised> {
    let mut call = Call::new(command::RUN_TRANSID);
    call.text(task, option::TRANSID, transid).bytes(option::CHILD, &TOKEN);
    let code = response(&mut call, task)?;
    Ok((code, call.result_bytes(option::CHILD)))
}

/// The response, COMPSTATUS and ABCODE.
fn fetch(task: &mut Task, token: &[u8]) -> Result<((u16, i32), i64, String), Raised> {
    let mut call = Call::new(command::FETCH_CHILD);
    call.bytes(option::CHILD, token).integer(option::COMPSTATUS, 0).bytes(option::ABCODE, &[0; 4]);
    let code = response(&mut call, task)?;
    Ok((code, call.result(option::COMPSTATUS).unwrap_or(0), call.result_text(task, option::ABCODE)))
}

/// A transaction whose task waits until the test sends, and then ends.
fn define_waiting(transid: &str) -> mpsc::Sender<()> {
    let (sender, receiver) = mpsc::channel::<()>();
    let receiver = Mutex::new(receiver);
    let program = format!("PGM{transid}");
    define_program(&program, &[("CONCURRENCY", "REQUIRED")], move |task| {
        loop {
            if receiver.lock().unwrap().try_recv().is_ok() {
                return Ok(());
            }
            let mut delay = Call::new(command::DELAY);
            delay.flag(option::FOR).integer(option::MILLISECS, 5);
            delay.execute(task)?;
        }
    });
    define_transaction(transid, &program);
    sender
}

/// The counters of DFHASGDS, which are fullwords behind a head of 8 bytes.
fn statistics(transid: &str) -> [u32; 8] {
    let counters = run(transid, |task| {
        let mut call = Call::new(command::EXTRACT_STATISTICS);
        call.integer(option::RESTYPE, cvda::ASYNCSERVICE).integer(option::SET, 0);
        assert_eq!(response(&mut call, task)?, NORMAL);
        let mut record = [0; 40];
        region::storage_access::read(call.result(option::SET).unwrap() as usize, &mut record)?;
        Ok(std::array::from_fn(|at| u32::from_be_bytes(record[8 + 4 * at..][..4].try_into().unwrap())))
    });
    counters.unwrap()
}

const DELAYS: usize = 3;
const DELAYED: usize = 4;
const DELAYED_PEAK: usize = 5;
const CHILDREN: usize = 6;
const CHILDREN_PEAK: usize = 7;

fn until(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < LONG, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Attaches a task whose program is the body. It can be waited for.
fn start(transid: &str, body: impl Fn(&mut Task) -> Result<(), Raised> + Send + Sync + 'static) -> TaskRef {
    let program = format!("PGM{transid}");
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program(&program, &[("CONCURRENCY", "REQUIRED")], move |task| {
        sender.lock().unwrap().send(task.kernel.clone()).unwrap();
        body(task)
    });
    define_transaction(transid, &program);
    let request = AttachRequest::new(Name4::new(transid), StartCode::Start);
    the_region().attach(request).unwrap_or_else(|failure| panic!("{failure:?}"));
    receiver.recv_timeout(LONG).expect("it runs")
}

/// MXT as it was, also if the test fails.
struct MaxTasks(u32);

impl Drop for MaxTasks {
    fn drop(&mut self) {
        the_region().dispatcher.set_max_tasks(self.0);
    }
}

/// What the task waits for.
fn waits_for(task: &TaskRef) -> String {
    task.info().resource_type.to_string()
}

fn define_quick(transid: &str) {
    let program = format!("PGM{transid}");
    define_program(&program, &[("CONCURRENCY", "REQUIRED")], |_| Ok(()));
    define_transaction(transid, &program);
}

/// As the study of the asynchronous API counts them: ten STARTs cost twenty change modes more than ten RUN TRANSIDs (H11).
#[test]
fn run_and_fetch_stay_on_the_open_tcb() {
    let _alone = alone();
    define_quick("YQ01");
    let count = |transid: &str, body: fn(&mut Task) -> Result<(), Raised>| {
        let task = start(transid, body);
        assert!(task.join(LONG));
        task.times().change_modes
    };
    let by_run = count("YM01", |task| {
        let tokens: Vec<Vec<u8>> = (0..10).map(|_| run_child(task, "YQ01").map(|(_, token)| token)).collect::<Result<_, _>>()?;
        for token in tokens {
            assert_eq!(fetch(task, &token)?.0, NORMAL);
        }
        Ok(())
    });
    let by_start = count("YM02", |task| {
        for _ in 0..10 {
            let mut call = Call::new(command::START);
            call.text(task, option::TRANSID, "YQ01");
            assert_eq!(response(&mut call, task)?, NORMAL);
        }
        Ok(())
    });
    assert_eq!((by_run, by_start), (2, 22));
}

#[test]
fn a_parent_is_delayed_at_mxt_until_a_child_ends() {
    let _alone = alone();
    let region = the_region();
    let restored = MaxTasks(region.dispatcher.max_tasks());
    let go = define_waiting("YW02");
    define_quick("YQ02");
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    region.dispatcher.set_max_tasks(2);
    let parent = start("YP02", move |task| {
        let first = run_child(task, "YW02")?.1;
        until("the child runs", || the_region().transactions().tasks().iter().any(|task| task.transid.as_str() == "YW02"));
        let (code, second) = run_child(task, "YQ02")?;
        let fetched = [fetch(task, &first)?, fetch(task, &second)?];
        sender.lock().unwrap().send((code, fetched, task.performance.asynchronous_run_delay.time.as_micros() as u64)).unwrap();
        Ok(())
    });
    until("the parent is delayed", || waits_for(&parent) == "ASPARENT");
    go.send(()).unwrap();
    let (code, fetched, delay) = receiver.recv_timeout(LONG).unwrap();
    assert!(parent.join(LONG));
    assert_eq!(code, NORMAL);
    assert!(fetched.iter().all(|fetched| fetched.0 == NORMAL && fetched.1 == cvda::NORMAL), "{fetched:?}");
    assert!(delay > 0);
    drop(restored);
    let record = statistics("YS02");
    assert_eq!((record[DELAYS], record[DELAYED], record[DELAYED_PEAK], record[CHILDREN]), (1, 0, 1, 0));
    assert!(record[CHILDREN_PEAK] >= 1);
}

/// The purge threshold of its class is a matter of the child, whose parent is told so.
#[test]
fn a_child_that_its_class_refuses_has_abended() {
    let _alone = alone();
    let region = the_region();
    region.install(&Definition::new("TRANCLASS", "YCLASS", "TEST").with("MAXACTIVE", "1").with("PURGETHRESH", "2")).unwrap();
    let go = define_waiting("YW03");
    let definition = Definition::new("TRANSACTION", "YW03", "TEST").with("PROGRAM", "PGMYW03").with("TRANCLASS", "YCLASS");
    region.transactions().install(TransactionDefinition::from(&definition));
    let ended = run("YP03", move |task| {
        let tokens: Vec<Vec<u8>> = (0..3).map(|_| run_child(task, "YW03").map(|(_, token)| token)).collect::<Result<_, _>>()?;
        let refused = fetch(task, &tokens[2])?;
        go.send(()).unwrap();
        go.send(()).unwrap();
        let others = [fetch(task, &tokens[0])?, fetch(task, &tokens[1])?];
        Ok((refused, others))
    });
    let (refused, others) = ended.unwrap();
    assert_eq!(refused, (NORMAL, cvda::ABEND, "AKCC".to_string()));
    assert!(others.iter().all(|other| other.1 == cvda::NORMAL), "{others:?}");
}

#[test]
fn a_parent_that_waits_can_be_purged_and_its_child_goes_on() {
    let _alone = alone();
    let go = define_waiting("YW04");
    let parent = start("YP04", |task| {
        let token = run_child(task, "YW04")?.1;
        fetch(task, &token).map(|_| ())
    });
    until("the parent waits", || waits_for(&parent) == "AS_CHILD");
    let child = the_region().dispatcher.tasks().into_iter().find(|task| task.transaction.as_str() == "YW04").expect("the child");
    assert!(parent.purge(kernel::Purge::Purge));
    assert!(parent.join(LONG));
    let child = the_region().dispatcher.task_by_number(child.number).expect("the child goes on");
    go.send(()).unwrap();
    assert!(child.join(LONG));
}

#[test]
fn a_child_that_is_purged_has_abended() {
    let _alone = alone();
    let _go = define_waiting("YW05");
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let parent = start("YP05", move |task| {
        let token = run_child(task, "YW05")?.1;
        sender.lock().unwrap().send(fetch(task, &token)?).unwrap();
        Ok(())
    });
    let is_child = |task: &kernel::TaskInfo| task.transaction.as_str() == "YW05" && task.resource_type.as_str() == "ICWAIT";
    until("the child waits", || the_region().dispatcher.tasks().iter().any(is_child));
    let child = the_region().dispatcher.tasks().into_iter().find(is_child);
    until("it is purged", || {
        let number = child.as_ref().map_or(0, |child| child.number);
        the_region().dispatcher.task_by_number(number).is_none_or(|child| child.purge(kernel::Purge::Purge))
    });
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), (NORMAL, cvda::ABEND, "AEXY".to_string()));
    assert!(parent.join(LONG));
}

/// A child that nobody fetches leaves no memory behind, whether it or its parent ends first.
#[test]
fn children_that_are_not_fetched_leave_nothing() {
    let _alone = alone();
    let region = the_region();
    let go = define_waiting("YW06");
    define_quick("YQ06");
    let with_channel = |task: &mut Task, transid: &str| {
        let mut put = Call::new(command::PUT_CONTAINER);
        put.text(task, option::CONTAINER, "DATA").text(task, option::CHANNEL, "CH").bytes(option::FROM, &[7; 10_000]);
        response(&mut put, task)?;
        let mut call = Call::new(command::RUN_TRANSID);
        call.text(task, option::TRANSID, transid).text(task, option::CHANNEL, "CH").bytes(option::CHILD, &TOKEN);
        response(&mut call, task)
    };
    let used = region.store.account().used();
    for transid in ["YQ06", "YW06"] {
        let parent = start("YP06", move |task| with_channel(task, transid).map(|code| assert_eq!(code, NORMAL)));
        assert!(parent.join(LONG));
    }
    go.send(()).unwrap();
    until("the memory is given back", || region.store.account().used() == used);
    assert_eq!(statistics("YS06")[CHILDREN], 0);
}

struct Records(Mutex<Vec<Record>>);

impl RecordSink for Records {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().push(record.clone());
    }
}

/// The depth counts from the point of origin, which has no previous transaction (Previous transaction data characteristics).
#[test]
fn monitoring_records_have_the_parent_as_previous_transaction() {
    let _alone = alone();
    let monitoring = the_region().monitoring();
    let records = Arc::new(Records(Mutex::default()));
    monitoring.add_sink(records.clone());
    monitoring.switch(true);
    define_quick("YQ08");
    let program = |task: &mut Task| {
        let token = run_child(task, "YQ08")?.1;
        fetch(task, &token).map(|_| ())
    };
    define_program("PGMYC08", &[("CONCURRENCY", "REQUIRED")], program);
    define_transaction("YC08", "PGMYC08");
    let parent = start("YP08", |task| {
        let token = run_child(task, "YC08")?.1;
        fetch(task, &token).map(|_| ())
    });
    assert!(parent.join(LONG));
    let found = |transid: &str| records.0.lock().unwrap().iter().find(|record| record.transid.as_str() == transid).cloned();
    until("all have ended", || ["YP08", "YC08", "YQ08"].iter().all(|transid| found(transid).is_some()));
    let [origin, child, grandchild] = ["YP08", "YC08", "YQ08"].map(|transid| found(transid).unwrap());
    assert!(origin.ancestry.is_none());
    for record in [&origin, &child, &grandchild] {
        let times = &record.times;
        assert!(times.cpu > Duration::ZERO && times.cpu <= times.dispatch && times.dispatch <= times.elapsed, "{times:?}");
    }
    assert_eq!((origin.counters.asynchronous_total, origin.counters.asynchronous_runs, origin.counters.asynchronous_fetches), (2, 1, 1));
    for (record, previous, depth) in [(&child, &origin, 1), (&grandchild, &child, 2)] {
        let ancestry = record.ancestry.as_ref().unwrap();
        assert_eq!((ancestry.previous.transid, ancestry.previous.number), (previous.transid, previous.task_number));
        assert_eq!((ancestry.starts, ancestry.origin.number), (depth, origin.task_number));
        assert!(ancestry.previous.attached_at.is_some());
    }
}

/// A token is known to the task that ran the child only.
#[test]
fn the_child_of_another_task_cannot_be_fetched_or_freed() {
    let _alone = alone();
    define_quick("YQ07");
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let parent = start("YP07", move |task| {
        let token = run_child(task, "YQ07")?.1;
        let (theirs, answered) = mpsc::channel();
        let theirs = Mutex::new(theirs);
        let other = start("YO07", move |task| {
            let mut free = Call::new(command::FREE_CHILD);
            free.bytes(option::CHILD, &token);
            theirs.lock().unwrap().send((fetch(task, &token)?.0, response(&mut free, task)?)).unwrap();
            Ok(())
        });
        assert!(other.join(LONG));
        sender.lock().unwrap().send(answered.recv_timeout(LONG).unwrap()).unwrap();
        Ok(())
    });
    let refused = (condition::INVREQ.0, 50);
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), (refused, refused));
    assert!(parent.join(LONG));
}

/// XM-05: parents fill their class and wait for children. In a class of their own the children run; in the parents' class none of them would
/// begin, and DTIMOUT ends a parent. MAXACTIVE of the parents, times the children of each, is within MXT.
#[test]
fn parents_and_children_need_classes_of_their_own() {
    let _alone = alone();
    let region = the_region();
    const PARENTS: usize = 2;
    for (name, active) in [("YPARENTS", "2"), ("YCHILDRN", "4")] {
        region.install(&Definition::new("TRANCLASS", name, "TEST").with("MAXACTIVE", active)).unwrap();
    }
    let classify = |transid: &str, class: &str| {
        let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &format!("PGM{transid}"));
        let definition = definition.with("TRANCLASS", class).with("DTIMOUT", "1").with("SPURGE", "YES");
        region.transactions().install(TransactionDefinition::from(&definition));
    };
    let ended = |child_class: &str| -> Vec<String> {
        define_quick("YC05");
        classify("YC05", child_class);
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        let started = Arc::new(AtomicUsize::new(0));
        define_program("PGMYP05", &[("CONCURRENCY", "REQUIRED")], move |task| {
            // All parents have begun, and fill their class, before the first child is attached.
            started.fetch_add(1, Ordering::SeqCst);
            until("all parents", || started.load(Ordering::SeqCst) == PARENTS);
            let answer = run_child(task, "YC05").and_then(|(_, token)| fetch(task, &token));
            let text = match &answer {
                Ok((code, status, _)) => format!("{code:?} {}", cvda::name_of(*status).unwrap_or_default()),
                Err(Raised::Abend(abend)) => abend.code_text(),
                Err(_) => "left".to_string(),
            };
            sender.lock().unwrap().send(text).unwrap();
            answer.map(drop)
        });
        classify("YP05", "YPARENTS");
        for _ in 0..PARENTS {
            region.attach(AttachRequest::new(Name4::new("YP05"), StartCode::Start)).unwrap_or_else(|failure| panic!("{failure:?}"));
        }
        (0..PARENTS).map(|_| receiver.recv_timeout(LONG).unwrap()).collect()
    };
    assert_eq!(ended("YCHILDRN"), ["(0, 0) NORMAL"; PARENTS]);
    let shared = ended("YPARENTS");
    assert!(shared.iter().any(|ended| ended == "AKCS"), "{shared:?}");
    until("the tasks end", || region.transactions().attached_tasks().iter().all(|task| !["YP05", "YC05"].contains(&task.transid.as_str())));
    let figures = region.dispatcher.statistics().classes.into_iter().find(|class| class.name.as_str() == "YPARENTS").unwrap();
    assert_eq!((figures.active_max, figures.active_peak, figures.active_current), (2, 2, 0));
    assert!(figures.queued_total >= 1 && figures.at_limit >= 1);
}

/// Each child runs children without end. They must not fill the memory: what waits to be attached is bounded by MXT and the delay.
#[test]
fn children_that_run_children_without_end_are_delayed_too() {
    let _alone = alone();
    let region = the_region();
    let restored = MaxTasks(region.dispatcher.max_tasks());
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    define_program("PGMYF03", &[("CONCURRENCY", "REQUIRED")], move |task| {
        while !stopped.load(Ordering::Relaxed) {
            run_child(task, "YF03")?;
        }
        Ok(())
    });
    define_transaction("YF03", "PGMYF03");
    region.dispatcher.set_max_tasks(10);
    region.attach(AttachRequest::new(Name4::new("YF03"), StartCode::Start)).unwrap_or_else(|failure| panic!("{failure:?}"));
    std::thread::sleep(Duration::from_secs(2));
    let queued = region.dispatcher.statistics().max_tasks.queued_current;
    stop.store(true, Ordering::Relaxed);
    drop(restored);
    until("all have ended", || !region.transactions().tasks().iter().any(|task| task.transid.as_str() == "YF03"));
    assert!((1..=100).contains(&queued), "{queued} children wait to be attached");
    assert_eq!(statistics("YS03")[CHILDREN], 0);
}
