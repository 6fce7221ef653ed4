//! INQUIRE ASSOCIATION with native programs: which tasks hand their origin on to the tasks they START, and which begin a new one.

mod scratch;
mod tasks_support;

use exec::{command, cvda, option};
use region::exec_interface::call::Call;
use region::{Raised, Task};
use std::sync::{Mutex, mpsc};
use std::time::Duration;
use tasks_support::{define_program, define_transaction, run};

const LIMIT: Duration = Duration::from_secs(10);

/// Own transaction and facility, those of the origin, the transaction before, and the number of STARTs.
type Seen = (String, i64, String, i64, String, i64);

fn seen(task: &mut Task) -> Result<Seen, Raised> {
    let number = i64::from(task.number);
    let mut inquire = Call::new(command::INQUIRE_ASSOCIATION);
    inquire.integer(option::ASSOCIATION, number).integer(option::FACILTYPE, 0).integer(option::ODFACILTYPE, 0);
    inquire.integer(option::PTCOUNT, 0);
    inquire.bytes(option::TRANSACTION, &[0; 4]).bytes(option::ODTRANSID, &[0; 4]).bytes(option::PTTRANSID, &[0; 4]);
    inquire.execute(task)?;
    let integer = |option| inquire.result(option).unwrap_or(-1);
    let text = |option| inquire.result_text(task, option);
    Ok((
        text(option::TRANSACTION),
        integer(option::FACILTYPE),
        text(option::ODTRANSID),
        integer(option::ODFACILTYPE),
        text(option::PTTRANSID),
        integer(option::PTCOUNT),
    ))
}

fn start(task: &mut Task, transid: &str, attach: bool) -> Result<(), Raised> {
    let mut start = Call::new(if attach { command::START_ATTACH } else { command::START });
    start.text(task, option::TRANSID, transid);
    start.execute(task).map(|_| ())
}

/// A transaction that tells what it sees, and starts the next.
fn define(transid: &'static str, next: Option<(&'static str, bool)>, told: &mpsc::Sender<Seen>) {
    let told = Mutex::new(told.clone());
    let program = format!("PGM{transid}");
    define_program(&program, &[], move |task| {
        let seen = seen(task)?;
        told.lock().unwrap().send(seen).unwrap();
        next.map_or(Ok(()), |(next, attach)| start(task, next, attach))
    });
    define_transaction(transid, &program);
}

#[test]
fn a_start_hands_the_origin_on_and_start_attach_begins_a_new_one() {
    let (sender, receiver) = mpsc::channel();
    define("AS02", Some(("AS03", false)), &sender);
    define("AS03", Some(("AS04", true)), &sender);
    define("AS04", None, &sender);
    let first = run("AS01", |task| {
        let seen = seen(task)?;
        start(task, "AS02", false)?;
        Ok(seen)
    });
    let row = |own: &str, origin: &str, before: &str, starts| {
        (own.to_string(), cvda::START, origin.to_string(), cvda::START, before.to_string(), starts)
    };
    assert_eq!(first.unwrap(), row("AS01", "AS01", "", 0));
    assert_eq!(receiver.recv_timeout(LIMIT).unwrap(), row("AS02", "AS01", "AS01", 1));
    assert_eq!(receiver.recv_timeout(LIMIT).unwrap(), row("AS03", "AS01", "AS02", 2));
    assert_eq!(receiver.recv_timeout(LIMIT).unwrap(), row("AS04", "AS04", "", 0));
}

#[test]
fn the_group_of_an_origin_is_that_of_the_tasks_it_started() {
    let group = |task: &mut Task| {
        let number = i64::from(task.number);
        let mut inquire = Call::new(command::INQUIRE_ASSOCIATION);
        inquire.integer(option::ASSOCIATION, number).bytes(option::TRNGRPID, &[0; 28]);
        inquire.execute(task)?;
        Ok(inquire.result_bytes(option::TRNGRPID))
    };
    let (sender, receiver) = mpsc::channel();
    for (transid, program) in [("AS06", "PGMAS06"), ("AS07", "PGMAS07")] {
        let told = Mutex::new(sender.clone());
        define_program(program, &[], move |task| {
            let group = group(task)?;
            told.lock().unwrap().send((task.transid.to_string(), group)).unwrap();
            Ok(())
        });
        define_transaction(transid, program);
    }
    let own = run("AS05", move |task| {
        start(task, "AS06", false)?;
        start(task, "AS07", true)?;
        group(task)
    });
    let own = own.unwrap();
    let groups: Vec<(String, Vec<u8>)> = (0..2).map(|_| receiver.recv_timeout(LIMIT).unwrap()).collect();
    for (transid, group) in groups {
        assert_eq!(group == own, transid == "AS06", "{transid}: {group:02x?} beside {own:02x?}");
    }
}
