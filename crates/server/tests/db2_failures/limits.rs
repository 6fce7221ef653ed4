//! The bounds of a DB2CONN: TCBLIMIT at n and n + 1 tasks, REUSELIMIT at n and n + 1 uses.

use super::support::*;
use super::{set_connection, turn};
use csd::Definition;
use exec::{OptionId, command, option};
use region::exec_interface::Call;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// The least that TCBLIMIT may be.
const TCBS: i64 = 4;

/// SET DB2CONN with a number.
fn set(transid: &str, option: OptionId, value: i64) {
    run(transid, "THREADSAFE", &[], move |task, _| {
        let mut call = Call::new(command::SET_DB2CONN);
        call.integer(option, value);
        super::support::command(task, call)
    })
    .unwrap();
}

#[test]
fn a_task_waits_for_one_of_the_tcbs_of_the_connection() {
    let _turn = turn();
    setup();
    set("TL01", option::TCBLIMIT, TCBS);
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let held = gate.clone();
    define("TL02", "THREADSAFE", &["select 1"], move |task, program| {
        program.run(task, 0)?;
        task.kernel.run_blocking(&kernel::Wait::new("TEST"), || {
            let opened = held.0.lock().unwrap();
            drop(held.1.wait_timeout_while(opened, Duration::from_secs(30), |opened| !*opened).unwrap());
        });
        Ok(())
    });
    let kernel = |task| setup().region.transactions().task(task).and_then(|shared| shared.kernel.lock().clone());
    let waits_for = |task, what: &str| kernel(task).is_some_and(|kernel| kernel.info().resource_type.as_str().trim_end() == what);
    let holders: Vec<u32> = (0..TCBS).map(|_| attach("TL02")).collect();
    for task in &holders {
        testing::eventually("it has a thread", || waits_for(*task, "TEST"));
    }
    let last = attach("TL02");
    testing::eventually("the last waits for a TCB", || waits_for(last, "CDB2CONN"));
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    holders.into_iter().for_each(ended);
    ended(last);
    set("TL03", option::TCBLIMIT, 80);
}

#[test]
fn a_session_is_closed_after_as_many_uses_as_the_connection_allows() {
    let _turn = turn();
    setup();
    // The sessions of tests before this one have been used.
    set_connection("RL04", &[option::NOTCONNECTED, option::WAIT]);
    set_connection("RL05", &[option::CONNECTED]);
    set("RL01", option::REUSELIMIT, 2);
    let definition = Definition::new("DB2ENTRY", "REUSES", "TEST").with("TRANSID", "RL02").with("PLAN", "REUSES");
    setup().region.install(&definition.with("THREADLIMIT", "1").with("PROTECTNUM", "1")).unwrap();
    direct("create table reuses (at serial primary key, process int)");
    for _ in 0..5 {
        run("RL02", "THREADSAFE", &["insert into reuses (process) values (pg_backend_pid())"], |task, program| program.run(task, 0))
            .unwrap();
    }
    let again = "select string_agg((process = before)::text, ' ' order by at) from
        (select at, process, lag(process) over (order by at) as before from reuses) as uses where before is not null";
    assert_eq!(direct(again).as_deref(), Some("true false true false"));
    set("RL03", option::REUSELIMIT, 1000);
}
