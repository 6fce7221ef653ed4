//! A region that is started before its database: STANDBYMODE and CONNECTERROR as they are documented for DB2CONN.

#[path = "../scratch/mod.rs"]
mod scratch;
#[path = "../db2/support.rs"]
mod support;

use exec::{Condition, OptionId, condition, cvda, option};
use region::exec_interface::Call;
use std::sync::atomic::Ordering;
use support::*;

fn status(transid: &str) -> i64 {
    run(transid, "THREADSAFE", &[], |task, _| {
        let mut call = Call::new(exec::command::INQUIRE_DB2CONN);
        call.integer(option::CONNECTST, 0);
        call.execute(task)?;
        Ok(call.result(option::CONNECTST).unwrap())
    })
    .unwrap()
}

fn set(transid: &str, option: OptionId, value: i64) -> Condition {
    run(transid, "THREADSAFE", &[], move |task, _| {
        let mut call = Call::new(exec::command::SET_DB2CONN);
        call.integer(option, value);
        Ok(call.execute(task)?.condition)
    })
    .unwrap()
}

/// The SQLCODE of a statement, or the code of the abend.
fn statement(transid: &str) -> Result<i32, String> {
    run(transid, "THREADSAFE", &["select 1"], |task, program| Ok(program.execute(task, 0)?.1))
}

fn times_said(id: &str) -> usize {
    messages().iter().filter(|line| line.contains(id) && line.contains(AWAY)).count()
}

#[test]
fn a_region_awaits_a_database_that_is_not_there_at_its_start() {
    IS_AWAY.store(true, Ordering::Relaxed);
    setup();
    assert_eq!(status("SB01"), cvda::CONNECTING);
    assert_eq!(statement("SB02"), Ok(-923));
    assert_eq!(set("SB03", option::CONNECTERROR, cvda::ABEND), condition::NORMAL);
    assert_eq!(statement("SB04"), Err("AEY9".to_string()));
    assert_eq!(set("SB05", option::CONNECTERROR, cvda::SQLCODE), condition::NORMAL);
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert_eq!(times_said("DFHDB2037"), 1, "the reason is told once: {:#?}", messages());
    IS_AWAY.store(false, Ordering::Relaxed);
    testing::eventually("it connects", || status("SB06") == cvda::CONNECTED);
    assert_eq!(statement("SB07"), Ok(0));

    assert_eq!(set("SB08", option::STANDBYMODE, cvda::NOCONNECT), condition::NORMAL);
    assert_eq!(set("SB09", option::CONNECTST, cvda::NOTCONNECTED), condition::NORMAL);
    IS_AWAY.store(true, Ordering::Relaxed);
    assert_eq!(set("SB10", option::CONNECTST, cvda::CONNECTED), condition::INVREQ);
    assert_eq!((status("SB11"), times_said("DFHDB2018")), (cvda::NOTCONNECTED, 1));
    assert_eq!(statement("SB12"), Err("AEY9".to_string()));
    IS_AWAY.store(false, Ordering::Relaxed);
    assert_eq!(set("SB13", option::CONNECTST, cvda::CONNECTED), condition::NORMAL);
    assert_eq!(statement("SB14"), Ok(0));
}
