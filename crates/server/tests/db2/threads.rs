//! Threads: limits, waits, reuse, disabled entries, and what is counted.

use super::support::*;
use csd::Definition;
use kernel::Purge;
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

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
