//! The CICS-Db2 attachment when its database fails: a session that ends in a statement or at a commit, a server that goes and comes back,
//! units of work in doubt. The tests take turns, because they share the server.

mod limits;
mod locations;
#[path = "../scratch/mod.rs"]
mod scratch;
mod standby;
#[path = "../db2/support.rs"]
mod support;

use exec::{command, condition, option};
use postgres::cluster::PrivateCluster;
use region::exec_interface::Call;
use region::recovery_manager::EndedBy;
use region::resource_manager::Caller;
use standby::AwaitedStandby;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, mpsc};
use std::time::Duration;
use support::*;

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> std::sync::MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn count(table: &str) -> String {
    direct(&format!("select count(*) from {table}")).unwrap()
}

/// Ends the session that executes this text.
fn terminate(text: &str) {
    let sessions = format!("from pg_stat_activity where query like '{text}%' and pid <> pg_backend_pid()");
    testing::eventually("the session executes it", || {
        direct(&format!("select count(*) {sessions} and state = 'active'")).as_deref() != Some("0")
    });
    direct(&format!("select pg_terminate_backend(pid) {sessions} and state = 'active'"));
}

fn said(words: &[&str]) -> bool {
    messages().iter().any(|line| words.iter().all(|word| line.contains(word)))
}

#[test]
fn a_session_lost_in_a_statement_gives_a_code_and_backs_the_unit_of_work_out() {
    let _turn = turn();
    setup();
    define_recoverable_queues("FS");
    direct("create table lost_statement (id int primary key)");
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define("FA01", "THREADSAFE", &["insert into lost_statement values (1)", "select pg_sleep(61)"], move |task, program| {
        write_queue(task, "FSTATE")?;
        program.run(task, 0)?;
        let lost = program.execute(task, 1)?.1;
        let next = program.execute(task, 0)?.1;
        let response = Call::new(command::SYNCPOINT).execute(task)?;
        let again = program.execute(task, 0)?.1;
        sender.lock().unwrap().send((lost, next, response.condition, again)).unwrap();
        Ok(())
    });
    let task = attach("FA01");
    terminate("select pg_sleep(61)");
    let (lost, next, condition, again) = receiver.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(lost < 0 && next < 0, "{lost} {next}");
    assert_eq!((condition, again), (condition::ROLLEDBACK, 0), "the next unit of work has a new thread");
    ended(task);
    assert_eq!((count("lost_statement").as_str(), items("FSTATE")), ("1", 0));
}

#[test]
fn a_deadlock_backs_the_whole_unit_of_work_out() {
    let _turn = turn();
    setup();
    direct("create table crossed (id int primary key, n int); insert into crossed values (1, 0), (2, 0)");
    define_recoverable_queues("FD");
    let updates = ["update crossed set n = n + 1 where id = 1", "update crossed set n = n + 1 where id = 2"];
    let (sender, receiver) = mpsc::channel();
    let barrier = std::sync::Arc::new(std::sync::Barrier::new(2));
    for (transid, order, queue) in [("FD01", [0, 1], "FDONE"), ("FD02", [1, 0], "FDTWO")] {
        let (sender, barrier) = (Mutex::new(sender.clone()), barrier.clone());
        define(transid, "THREADSAFE", &updates, move |task, program| {
            write_queue(task, queue)?;
            program.run(task, order[0])?;
            let barrier = barrier.clone();
            task.kernel.run_blocking(&kernel::Wait::new("TEST"), || {
                barrier.wait();
            });
            let code = program.execute(task, order[1])?.1;
            sender.lock().unwrap().send((queue, code)).unwrap();
            Ok(())
        });
    }
    let tasks = [attach("FD01"), attach("FD02")];
    let mut ends: Vec<(&str, i32)> = (0..2).map(|_| receiver.recv_timeout(Duration::from_secs(30)).unwrap()).collect();
    tasks.into_iter().for_each(ended);
    ends.sort_by_key(|(_, code)| *code);
    assert_eq!([ends[0].1, ends[1].1], [-911, 0]);
    assert_eq!((items(ends[0].0), items(ends[1].0)), (0, 1), "the victim's queue was backed out with its rows");
    assert_eq!(direct("select sum(n) from crossed").as_deref(), Some("2"));
}

/// A task that changes a queue and the database, whose session is lost at the commit: before it takes effect, or after.
fn lost_at_commit(transid: &str, queue: &'static str, insert: &'static str, commits: bool) -> u32 {
    let standby = commits.then(AwaitedStandby::new);
    define(transid, "THREADSAFE", &[insert], move |task, program| {
        write_queue(task, queue)?;
        program.run(task, 0)
    });
    let task = attach(transid);
    match standby {
        None => terminate("COMMIT"),
        Some(standby) => standby.end_who_waits("regent"),
    }
    task
}

#[test]
fn a_unit_of_work_whose_commit_was_lost_is_resolved_by_its_marker() {
    let _turn = turn();
    setup();
    define_recoverable_queues("FC");
    direct("create table slow_commit (id int primary key); create table quick_commit (id int primary key)");
    direct("create function wait_at_commit() returns trigger language plpgsql as 'begin perform pg_sleep(5); return null; end'");
    direct(
        "create constraint trigger wait_at_commit after insert on slow_commit initially deferred for each row execute function wait_at_commit()",
    );
    let task = lost_at_commit("FC01", "FCBACK", "insert into slow_commit values (1)", false);
    ended(task);
    testing::eventually("it is resolved", || setup().region.recovery().owners().is_empty());
    assert_eq!((count("slow_commit").as_str(), items("FCBACK")), ("0", 0));
    assert!(said(&["DFHDB2110", "backed out"]), "{:#?}", messages());

    let task = lost_at_commit("FC02", "FCDONE", "insert into quick_commit values (1)", true);
    ended(task);
    testing::eventually("it is resolved", || setup().region.recovery().owners().is_empty());
    assert_eq!((count("quick_commit").as_str(), items("FCDONE")), ("1", 1));
    assert!(said(&["DFHDB2110", "committed"]), "{:#?}", messages());
}

/// Whether the attachment is connected.
fn status(transid: &str) -> i64 {
    run(transid, "THREADSAFE", &[], |task, _| {
        let mut call = Call::new(command::INQUIRE_DB2CONN);
        call.integer(option::CONNECTST, 0);
        call.execute(task)?;
        Ok(call.result(option::CONNECTST).unwrap())
    })
    .unwrap()
}

#[test]
fn the_region_waits_for_a_server_that_has_gone_and_connects_again() {
    let _turn = turn();
    let setup = setup();
    direct("create table outage (id int primary key)");
    assert_eq!(status("FO01"), exec::cvda::CONNECTED);
    assert_eq!(run("FO02", "THREADSAFE", &["insert into outage values (1)"], |task, program| program.run(task, 0)), Ok(()));
    kill_server();
    let code = run("FO03", "THREADSAFE", &["insert into outage values (2)"], |task, program| Ok(program.execute(task, 0)?.1)).unwrap();
    assert!(code < 0, "{code}");
    testing::eventually("it awaits the server", || status("FO04") == exec::cvda::CONNECTING);
    let code = run("FO05", "THREADSAFE", &["insert into outage values (3)"], |task, program| Ok(program.execute(task, 0)?.1)).unwrap();
    assert_eq!(code, -923);
    assert!(said(&["DFHDB2037"]), "{:#?}", messages());
    let again = PrivateCluster::open(setup.cluster.log().parent().unwrap(), 60).unwrap();
    testing::eventually("it connects again", || status("FO06") == exec::cvda::CONNECTED);
    assert_eq!(run("FO07", "THREADSAFE", &["insert into outage values (4)"], |task, program| program.run(task, 0)), Ok(()));
    assert_eq!(direct("select count(*) from outage").as_deref(), Some("2"));
    drop(again);
}

/// The sessions of the region, by the processes of the server.
fn sessions() -> Vec<String> {
    let list = "select string_agg(pid::text, ' ') from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
    direct(list).unwrap_or_default().split(' ').filter(|pid| !pid.is_empty()).map(str::to_string).collect()
}

/// Sends a signal to processes.
fn signal<S: AsRef<std::ffi::OsStr>>(signal: &str, processes: impl IntoIterator<Item = S>) {
    let sent = std::process::Command::new("kill").arg(signal).args(processes).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

#[test]
fn a_server_that_no_longer_answers_is_awaited() {
    let _turn = turn();
    let server = setup().cluster.process().expect("it runs").to_string();
    define("FN01", "THREADSAFE", &["select pg_sleep(62)"], |task, program| program.execute(task, 0).map(drop));
    let task = attach("FN01");
    let asleep = "select pid from pg_stat_activity where query = 'select pg_sleep(62)' and state = 'active'";
    testing::eventually("the session executes it", || direct(asleep).is_some());
    let (asleep, mut stopped) = (direct(asleep).unwrap(), sessions());
    stopped.push(server);
    signal("-STOP", &stopped);
    // The region learns that one session is lost, and asks on another.
    signal("-KILL", [&asleep]);
    ended(task);
    testing::eventually_within(Duration::from_secs(25), "it is awaited", || status("FN02") == exec::cvda::CONNECTING);
    stopped.retain(|process| *process != asleep);
    signal("-CONT", &stopped);
    testing::eventually("it connects again", || status("FN03") == exec::cvda::CONNECTED);
    assert_eq!(run("FN04", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0)), Ok(()));
}

#[test]
fn a_connection_that_an_operator_ends_while_it_is_made_leaves_no_session() {
    let _turn = turn();
    setup();
    assert_eq!(set_connection("FS01", &[option::NOTCONNECTED, option::WAIT]).0, condition::NORMAL);
    IS_SLOW.store(true, Ordering::Relaxed);
    let connecting = std::thread::spawn(|| set_connection("FS02", &[option::CONNECTED]).0);
    testing::eventually("it is being made", || status("FS03") == exec::cvda::CONNECTING);
    assert_eq!(set_connection("FS04", &[option::NOTCONNECTED, option::WAIT]).0, condition::NORMAL);
    IS_SLOW.store(false, Ordering::Relaxed);
    assert_eq!(connecting.join().unwrap(), condition::INVREQ);
    assert_eq!(status("FS05"), exec::cvda::NOTCONNECTED);
    testing::eventually("its session is closed", || sessions().is_empty());
    assert_eq!(set_connection("FS06", &[option::CONNECTED]).0, condition::NORMAL);
    assert_eq!(run("FS07", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0)), Ok(()));
}

#[test]
fn a_decision_of_the_operator_that_differs_from_the_database_is_reported() {
    let _turn = turn();
    let region = setup().region;
    define_recoverable_queues("FF");
    direct("create table forced (id int primary key)");
    // The region learns that the session is lost when nobody can be asked any more.
    let standby = AwaitedStandby::new();
    define("FF01", "THREADSAFE", &["insert into forced values (1)"], move |task, program| {
        write_queue(task, "FFORCED")?;
        program.run(task, 0)
    });
    let task = attach("FF01");
    standby.eventually_waits("regent");
    kill_server();
    drop(standby);
    ended(task);
    testing::eventually("it is in doubt", || !region.recovery().owners().is_empty());
    let id = region.recovery().owners()[0].id;
    assert!(region.recovery().resolve(&mut Caller::Thread(region), id, false, EndedBy::Operator).unwrap());
    assert_eq!(items("FFORCED"), 0);
    let again = PrivateCluster::open(setup().cluster.log().parent().unwrap(), 60).unwrap();
    testing::eventually("the difference is reported", || said(&["DFHRM0113", &format!("{id:016X}")]));
    assert_eq!(count("forced"), "1");
    drop(again);
}

/// The server ends at once, as after a failure.
fn kill_server() {
    let process = setup().cluster.process().expect("it runs").to_string();
    let killed = std::process::Command::new("sh").args(["-c", "kill -QUIT $0", &process]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    testing::eventually("the server has ended", || !std::path::Path::new("/proc").join(&process).exists());
}

/// SET DB2CONN; answers the condition.
fn set_connection(transid: &str, options: &'static [exec::OptionId]) -> (exec::Condition, u64) {
    run(transid, "THREADSAFE", &[], move |task, _| {
        let mut call = Call::new(command::SET_DB2CONN);
        for option in options {
            call.flag(*option);
        }
        let condition = call.execute(task)?.condition;
        Ok((condition, task.kernel.times().modes[kernel::Mode::D2 as usize].switches))
    })
    .unwrap()
}

#[test]
fn an_operator_disconnects_and_connects_on_the_tcb_of_the_attachment() {
    let _turn = turn();
    setup();
    assert_eq!(set_connection("FW01", &[option::NOTCONNECTED, option::WAIT]), (condition::NORMAL, 1));
    assert_eq!(status("FW02"), exec::cvda::NOTCONNECTED);
    assert_eq!(run("FW03", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0)), Err("AEY9".to_string()));
    assert_eq!(set_connection("FW04", &[option::CONNECTED]), (condition::NORMAL, 1));
    assert_eq!(status("FW05"), exec::cvda::CONNECTED);
    assert_eq!(run("FW06", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0)), Ok(()));
}

/// What becomes of the users of a connection that ends (BUSY).
#[derive(Clone, Copy)]
enum Users {
    WaitedFor,
    LeftAlone,
    Purged,
}

/// SET DB2CONN CONNECTST(NOTCONNECTED); answers the condition.
fn disconnect(transid: &str, users: Users) -> exec::Condition {
    run(transid, "THREADSAFE", &[], move |task, _| {
        let mut call = Call::new(command::SET_DB2CONN);
        call.integer(option::CONNECTST, exec::cvda::NOTCONNECTED).flag(match users {
            Users::WaitedFor => option::WAIT,
            Users::LeftAlone => option::NOWAIT,
            Users::Purged => option::FORCE,
        });
        Ok(call.execute(task)?.condition)
    })
    .unwrap()
}

/// A task that uses a thread for so many seconds.
fn user(transid: &str, seconds: &str) -> u32 {
    let wait = format!("select pg_sleep({seconds})");
    define(transid, "THREADSAFE", &[&wait], |task, program| program.run(task, 0));
    let task = attach(transid);
    let uses = format!("select count(*) from pg_stat_activity where state = 'active' and query like '{wait}%'");
    testing::eventually("it uses its thread", || direct(&uses).as_deref() == Some("1"));
    task
}

#[test]
fn users_of_a_connection_that_ends_are_left_alone_waited_for_or_purged() {
    let _turn = turn();
    setup();
    let region = setup().region;
    let long = user("FB01", "62");
    assert_eq!(disconnect("FB02", Users::LeftAlone), condition::NORMAL);
    assert_eq!(status("FB03"), exec::cvda::DISCONNING);
    assert!(region.transactions().task(long).is_some(), "NOWAIT leaves it alone");
    assert_eq!(disconnect("FB04", Users::Purged), condition::NORMAL);
    ended(long);
    assert_eq!(status("FB05"), exec::cvda::NOTCONNECTED);
    assert_eq!(set_connection("FB06", &[option::CONNECTED]).0, condition::NORMAL);
    let short = user("FB07", "2");
    assert_eq!(disconnect("FB08", Users::WaitedFor), condition::NORMAL);
    assert_eq!(status("FB09"), exec::cvda::NOTCONNECTED);
    assert!(region.transactions().task(short).is_none(), "WAIT has waited for it");
    assert_eq!(set_connection("FB10", &[option::CONNECTED]).0, condition::NORMAL);
}
