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

#[derive(Default)]
struct Flags(Mutex<Vec<(String, [u8; 8], [u8; 8])>>);

impl region::monitoring::RecordSink for Flags {
    fn record(&self, record: &region::monitoring::Record) {
        self.0.lock().unwrap().push((record.transid.to_string(), record.flags.bytes(), record.origin_flags().bytes()));
    }
}

/// TRANFLAG and OTRANFLG: facility, definition, type of the origin, status. RUN TRANSID has a type of its own, and its origin that of the parent.
#[test]
fn monitoring_records_have_the_flags_of_the_task_and_of_its_origin() {
    let region = tasks_support::the_region();
    let flags = std::sync::Arc::new(Flags::default());
    region.monitoring().add_sink(flags.clone());
    region.monitoring().switch(true);
    define_program("PGMASF2", &[("EXECKEY", "CICS")], |_| Ok(()));
    let child = csd::Definition::new("TRANSACTION", "ASF2", "TEST").with("PROGRAM", "PGMASF2").with("TASKDATAKEY", "CICS");
    region.install(&child.with("TASKDATALOC", "BELOW").with("ISOLATE", "NO").with("ACTION", "COMMIT")).unwrap();
    define_program("PGMASF3", &[], |_| Err(Raised::Abend(Box::new(region::Abend::new("ASFX")))));
    define_transaction("ASF3", "PGMASF3");
    let ended = run("ASF1", |task| {
        let mut child = Call::new(command::RUN_TRANSID);
        child.text(task, option::TRANSID, "ASF2").bytes(option::CHILD, &[0; 16]);
        child.execute(task)?;
        start(task, "ASF3", true)
    });
    ended.unwrap();
    let of = |transid: &str| flags.0.lock().unwrap().iter().find(|(of, ..)| of == transid).map(|(_, own, origin)| (*own, *origin));
    testing::eventually("the records are written", || ["ASF1", "ASF2", "ASF3"].iter().all(|transid| of(transid).is_some()));
    // No facility, a START, a point of origin; ISOLATE(YES), TASKDATALOC(ANY), WAIT(YES).
    let (own, origin) = of("ASF1").unwrap();
    assert_eq!((own, origin), ([0x80, 0, 0, 0, 0x04, 0x80, 0, 0], own));
    let (child, origin) = of("ASF2").unwrap();
    assert_eq!((child, origin), ([0x80, 0, 0, 0xE0, 0x16, 0, 0, 0x40], own));
    // START ATTACH begins a new origin; it has abended.
    let (abended, origin) = of("ASF3").unwrap();
    assert_eq!((abended, origin), ([0x80, 0, 0, 0, 0x04, 0x81, 0, 0], abended));
}
