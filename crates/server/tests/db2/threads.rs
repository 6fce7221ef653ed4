//! Threads: limits, waits, reuse, disabled entries, and what is counted.

use super::support::*;
use csd::Definition;
use exec::{command, condition, cvda, option};
use kernel::{OpenPriority, Purge};
use region::exec_interface::Call;
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A DB2ENTRY for one transaction.
fn entry(name: &str, transid: &str, attributes: &[(&'static str, &str)]) {
    setup();
    let definition = Definition::new("DB2ENTRY", name, "TEST").with("TRANSID", transid).with("PLAN", name);
    let definition = attributes.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
    setup().region.install(&definition).unwrap();
}

/// A task that keeps a thread until it is told to go on.
fn holder(transid: &str) -> (u32, mpsc::Sender<()>) {
    let (go, gone) = mpsc::channel::<()>();
    let (begun, has_begun) = mpsc::channel();
    let (gone, begun) = (Mutex::new(gone), Mutex::new(begun));
    define(transid, "THREADSAFE", &["select 1"], move |task, program| {
        program.run(task, 0)?;
        begun.lock().unwrap().send(()).unwrap();
        task.kernel.run_blocking(&kernel::Wait::new("TEST"), || {
            let _ = gone.lock().unwrap().recv_timeout(Duration::from_secs(20));
        });
        Ok(())
    });
    let task = attach(transid);
    has_begun.recv_timeout(Duration::from_secs(10)).unwrap();
    (task, go)
}

#[test]
fn a_task_waits_for_a_thread_of_its_entry() {
    entry("WAITENT", "TH+1", &[("THREADLIMIT", "1"), ("THREADWAIT", "YES")]);
    let (first, go) = holder("THA1");
    define("THB1", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0));
    let second = attach("THB1");
    let kernel = || setup().region.transactions().task(second).and_then(|shared| shared.kernel.lock().clone());
    testing::eventually("the second waits", || {
        kernel().is_some_and(|kernel| {
            let info = kernel.info();
            info.resource_type.as_str() == "CDB2RDYQ" && info.resource_name.as_str().trim_end() == "WAITENT"
        })
    });
    go.send(()).unwrap();
    ended(first);
    ended(second);
}

#[test]
fn without_threadwait_a_full_entry_abends_the_task_and_pool_overflows() {
    entry("NOWAIT", "TH+2", &[("THREADLIMIT", "1"), ("THREADWAIT", "NO")]);
    let (first, go) = holder("THA2");
    assert_eq!(run("THB2", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0)), Err("AD2T".to_string()));
    go.send(()).unwrap();
    ended(first);
    entry("OVERFLOW", "TH+3", &[("THREADLIMIT", "1"), ("THREADWAIT", "POOL")]);
    let (first, go) = holder("THA3");
    assert_eq!(run("THB3", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0)), Ok(()));
    go.send(()).unwrap();
    ended(first);
}

/// PRIORITY: of the open TCB of a task, as long as it has the thread.
#[test]
fn the_tcb_of_a_task_has_the_priority_of_its_thread() {
    let of = |attributes: &[(&'static str, &str)], name: &str, transid: &str| {
        entry(name, transid, attributes);
        run(transid, "REQUIRED", &["select 1"], |task, program| {
            let before = task.kernel.open_priority();
            program.run(task, 0)?;
            Ok((before, task.kernel.open_priority()))
        })
    };
    assert_eq!(of(&[("PRIORITY", "HIGH")], "PRIOHIGH", "PRI1"), Ok((OpenPriority::Equal, OpenPriority::High)));
    assert_eq!(of(&[("PRIORITY", "EQUAL")], "PRIOEQ", "PRI2"), Ok((OpenPriority::Equal, OpenPriority::Equal)));
    assert_eq!(of(&[("PRIORITY", "LOW")], "PRIOLOW", "PRI3"), Ok((OpenPriority::Equal, OpenPriority::Low)));
}

/// ACCOUNTREC: the name of the session's application is what the server accounts for. All use the same session, one after the other.
#[test]
fn the_server_is_told_whose_statements_it_executes() {
    const STATEMENTS: &[&str] = &["create table if not exists account (name text)", "delete from account", NAMES];
    const NAMES: &str = "insert into account select pg_catalog.current_setting('application_name')";
    let of = |record: &'static str, transid: &'static str| {
        entry(&format!("ACCT{transid}"), transid, &[("ACCOUNTREC", record)]);
        run(transid, "THREADSAFE", STATEMENTS, |task, program| {
            (0..STATEMENTS.len() as u32).try_for_each(|statement| program.run(task, statement))?;
            Ok((task.number, task.recovery.identity.id()))
        })
        .map(|(task, unit)| (direct("select name from account").unwrap_or_default(), format!("{task:07}"), format!("{unit:016X}")))
        .unwrap()
    };
    let (names, _, _) = of("TXID", "ACT1");
    assert_eq!(names, "DB2REG.ACT1");
    let (names, task, _) = of("TASK", "ACT2");
    assert_eq!(names, format!("DB2REG.ACT2.{task}"));
    let (names, task, unit) = of("UOW", "ACT3");
    assert_eq!(names, format!("DB2REG.ACT3.{task}.{unit}"));
    let (names, _, _) = of("NONE", "ACT4");
    assert_eq!(names, "");
}

#[test]
fn a_protected_thread_is_used_again_by_the_next_task() {
    entry("PROTECT", "THP1", &[("THREADLIMIT", "1"), ("PROTECTNUM", "1")]);
    let process = |_: ()| {
        run(
            "THP1",
            "THREADSAFE",
            &["create temp table if not exists kept (id int)", "select 1/count(*) from kept", "insert into kept values (1)"],
            |task, program| {
                program.run(task, 0)?;
                let code = program.execute(task, 1)?.1;
                program.run(task, 2)?;
                Ok(code)
            },
        )
        .unwrap()
    };
    let first = process(());
    assert!(first < 0, "a new session has an empty table: {first}");
    assert_eq!(process(()), 0, "the session of the first task");
}

#[test]
fn a_purged_task_gives_its_unit_of_work_up() {
    direct("create table purged (id int primary key)");
    let (begun, has_begun) = mpsc::channel();
    let begun = Mutex::new(begun);
    define("THPU", "THREADSAFE", &["insert into purged values (1)", "select pg_sleep(60)"], move |task, program| {
        program.run(task, 0)?;
        begun.lock().unwrap().send(()).unwrap();
        program.run(task, 1)
    });
    let task = attach("THPU");
    has_begun.recv_timeout(Duration::from_secs(10)).unwrap();
    let kernel = || setup().region.transactions().task(task).and_then(|shared| shared.kernel.lock().clone());
    testing::eventually("it waits in the database", || {
        kernel().is_some_and(|kernel| kernel.info().resource_type.as_str().trim_end() == "DB2")
    });
    assert!(kernel().unwrap().purge(Purge::ForcePurge));
    ended(task);
    assert_eq!(direct("select count(*) from purged").as_deref(), Some("0"));
    testing::eventually("the server has given the statement up", || {
        direct("select count(*) from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()")
            .as_deref()
            == Some("0")
    });
}

/// What becomes of the users of an entry that is disabled (BUSY).
#[derive(Clone, Copy)]
enum Users {
    WaitedFor,
    LeftAlone,
    Purged,
}

/// SET DB2ENTRY DISABLED; answers the condition and the status afterwards.
fn disable(transid: &str, name: &'static str, users: Users) -> (exec::Condition, Option<i64>) {
    run(transid, "THREADSAFE", &[], move |task, _| {
        let condition = Call::new(command::SET_DB2ENTRY)
            .text(task, option::DB2ENTRY, name)
            .flag(option::DISABLED)
            .flag(match users {
                Users::WaitedFor => option::WAIT,
                Users::LeftAlone => option::NOWAIT,
                Users::Purged => option::FORCE,
            })
            .execute(task)?
            .condition;
        let mut inquire = Call::new(command::INQUIRE_DB2ENTRY);
        inquire.text(task, option::DB2ENTRY, name).integer(option::ENABLESTATUS, 0).execute(task)?;
        Ok((condition, inquire.result(option::ENABLESTATUS)))
    })
    .unwrap()
}

#[test]
fn users_of_an_entry_that_is_disabled_are_left_alone_waited_for_or_purged() {
    entry("BUSYENT", "BUS+", &[("THREADLIMIT", "1")]);
    let is_there = |task| setup().region.transactions().task(task).is_some();
    let (first, go) = holder("BUS1");
    assert_eq!(disable("THX1", "BUSYENT", Users::LeftAlone), (condition::NORMAL, Some(cvda::DISABLING)));
    assert!(is_there(first), "NOWAIT leaves it alone");
    let begun = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        go.send(()).unwrap();
    });
    assert_eq!(disable("THX2", "BUSYENT", Users::WaitedFor), (condition::NORMAL, Some(cvda::DISABLED)));
    assert!(begun.elapsed() >= Duration::from_secs(1), "WAIT has waited for it");
    ended(first);
    entry("PURGENT", "PUR1", &[("THREADLIMIT", "1")]);
    define("PUR1", "THREADSAFE", &["select pg_sleep(63)"], |task, program| program.run(task, 0));
    let second = attach("PUR1");
    let uses = "select count(*) from pg_stat_activity where state = 'active' and query like 'select pg_sleep(63)%'";
    testing::eventually("it uses its thread", || direct(uses).as_deref() == Some("1"));
    assert_eq!(disable("THX3", "PURGENT", Users::Purged), (condition::NORMAL, Some(cvda::DISABLED)));
    ended(second);
}
