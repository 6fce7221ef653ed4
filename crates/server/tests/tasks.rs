//! A region with native programs: attach, levels, conditions, abends, enqueues, change modes, inquiry.

mod scratch;
mod tasks_support;

use csd::{Definition, TransactionDefinition};
use exec::{command, condition, option};
use region::exec_interface::call::Call;
use region::facility::{Facility, Partner, PartnerKind};
use region::messages::Message;
use region::name::{Name4, Name8};
use region::{Abend, AttachRequest, Raised, StartCode, Task};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use tasks_support::{define_program, define_transaction, response, run, the_region};

#[test]
fn a_task_has_its_eib_twa_and_assign_values() {
    let (eib, twa, program, startcode, level) = run("T001", |task| {
        let mut assign = Call::new(command::ASSIGN);
        assign.bytes(option::PROGRAM, &[0; 8]).bytes(option::STARTCODE, &[0; 2]).integer(option::LINKLEVEL, 0);
        assign.integer(option::TWALENG, 0);
        assign.execute(task)?;
        let eib = region::storage_access::Area::new(task.eib.address() as usize, 85).read()?;
        let text = |option| assign.result_text(task, option);
        Ok((eib, assign.result(option::TWALENG), text(option::PROGRAM), text(option::STARTCODE), assign.result(option::LINKLEVEL)))
    })
    .unwrap();
    // EIBTRNID in code page 037, EIBFN of ASSIGN.
    assert_eq!(eib[8..12], [0xE3, 0xF0, 0xF0, 0xF1]);
    assert_eq!(eib[27..29], [0x02, 0x08]);
    assert_eq!((twa, level), (Some(16), Some(1)));
    assert_eq!((program.as_str(), startcode.as_str()), ("PGMT001", "S"));
}

#[test]
fn assign_of_a_terminal_option_without_a_terminal_is_invreq_but_gives_the_others() {
    let (outcome, applid) = run("T002", |task| {
        let mut assign = Call::new(command::ASSIGN);
        assign.bytes(option::NETNAME, &[0; 8]).bytes(option::APPLID, &[0; 8]);
        let outcome = response(&mut assign, task)?;
        Ok((outcome, assign.result_text(task, option::APPLID)))
    })
    .unwrap();
    assert_eq!(outcome, (condition::INVREQ.0, 5));
    assert_eq!(applid, "TESTREG");
}

/// What a task found of its own areas, and left in them.
struct Areas {
    eib: i64,
    twa: i64,
    length: i64,
    clear: bool,
}

/// ADDRESS and ASSIGN in the first program of a transaction, which fills its TWA.
fn areas_of(transid: &str, attributes: &[(&'static str, &str)]) -> Areas {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let program = format!("PGM{transid}");
    define_program(&program, &[], move |task| {
        let mut address = Call::new(command::ADDRESS);
        address.integer(option::EIB, 0).integer(option::TWA, 0);
        assert_eq!(response(&mut address, task)?, (0, 0));
        let mut assign = Call::new(command::ASSIGN);
        assign.integer(option::TWALENG, 0);
        assert_eq!(response(&mut assign, task)?, (0, 0));
        let (eib, twa, length) = (address.result(option::EIB), address.result(option::TWA), assign.result(option::TWALENG));
        let (eib, twa, length) = (eib.unwrap(), twa.unwrap(), length.unwrap());
        let area = region::storage_access::Area::new(if length == 0 { 0 } else { twa as usize }, length as usize);
        let clear = area.read()?.iter().all(|byte| *byte == 0);
        region::storage_access::write(area.address, &vec![0xFF; area.length])?;
        // The EIB is the task's: its transaction is in it.
        let name = region::storage_access::Area::new(eib as usize + exec::eib::EIBTRNID, 4).read()?;
        assert_eq!(task.region.code_page.text(&name), task.transid.as_str());
        sender.lock().unwrap().send(Areas { eib, twa, length, clear }).unwrap();
        Ok(())
    });
    let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &program);
    let definition = attributes.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
    the_region().transactions().install(TransactionDefinition::from(&definition));
    the_region().attach(AttachRequest::new(Name4::new(transid), StartCode::Start)).unwrap();
    receiver.recv_timeout(Duration::from_secs(5)).unwrap()
}

const LINE: i64 = 1 << 24;

const BAR: i64 = 1 << 31;

#[test]
fn the_eib_lies_where_taskdataloc_says() {
    let below = areas_of("AE01", &[("TASKDATALOC", "BELOW")]);
    assert!((1..LINE).contains(&below.eib), "{:x}", below.eib);
    let by_default = areas_of("AE02", &[]);
    assert!((LINE..BAR).contains(&by_default.eib), "{:x}", by_default.eib);
    let anywhere = areas_of("AE03", &[("TASKDATALOC", "ANY")]);
    assert!((LINE..BAR).contains(&anywhere.eib), "{:x}", anywhere.eib);
}

/// ADDRESS gives the null value X'FF000000' for a TWA of no length. What a task leaves in its TWA is nothing to the next.
#[test]
fn the_twa_has_the_size_of_the_definition_and_lies_where_taskdataloc_says() {
    for (transid, location, place) in [("AT01", "BELOW", 1..LINE), ("AT02", "ANY", LINE..BAR)] {
        for size in ["1", "32767", "32767"] {
            let areas = areas_of(transid, &[("TASKDATALOC", location), ("TWASIZE", size)]);
            assert!(place.contains(&areas.twa), "{location} {size}: {:x}", areas.twa);
            assert_eq!((areas.length.to_string().as_str(), areas.clear), (size, true), "{location}");
        }
        let none = areas_of(transid, &[("TASKDATALOC", location), ("TWASIZE", "0")]);
        assert_eq!((none.twa & 0xFFFF_FFFF, none.length), (0xFF00_0000, 0), "{location}");
    }
    let by_default = areas_of("AT03", &[]);
    assert_eq!(by_default.length, 0);
}

#[test]
fn link_passes_the_communication_area_by_address_and_return_comes_back() {
    define_program("LINKED1", &[], |task| {
        let area = task.level().unwrap().commarea;
        assert_eq!(area.read()?, b"before");
        area.write(b"after!")?;
        assert_eq!(task.eib.half(exec::eib::EIBCALEN), 6);
        assert_eq!(task.levels.len(), 2);
        assert_eq!(task.level().unwrap().invoked_by.as_str(), "PGMT003");
        Ok(())
    });
    let (outcome, left, length) = run("T003", |task| {
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "LINKED1").bytes(option::COMMAREA, b"before");
        let outcome = response(&mut link, task)?;
        Ok((outcome, link.result_bytes(option::COMMAREA), task.eib.half(exec::eib::EIBCALEN)))
    })
    .unwrap();
    assert_eq!(outcome, (0, 0));
    assert_eq!(left, b"after!");
    assert_eq!(length, 0);
}

#[test]
fn pgmiderr_tells_why() {
    define_program("DISABLD1", &[("STATUS", "DISABLED")], |_| Ok(()));
    let responses = run("T004", |task| {
        let mut responses = Vec::new();
        for program in ["NOTTHERE", "DISABLD1"] {
            let mut link = Call::new(command::LINK);
            link.text(task, option::PROGRAM, program);
            responses.push(response(&mut link, task)?);
        }
        Ok(responses)
    })
    .unwrap();
    assert_eq!(responses, [(condition::PGMIDERR.0, 1), (condition::PGMIDERR.0, 2)]);
}

/// All 32,763 bytes arrive, by LINK in place and by XCTL in storage below 2 GB that is the receiver's.
#[test]
fn a_commarea_of_the_greatest_length_arrives_whole() {
    const LENGTH: usize = 32_763;
    fn pattern() -> Vec<u8> {
        (0..LENGTH).map(|at| (at % 251) as u8).collect()
    }
    define_program("WHOLE1", &[], |task| {
        let area = task.level().unwrap().commarea;
        assert!(area.length == LENGTH && area.read()? == pattern());
        assert_eq!(usize::from(task.eib.half(exec::eib::EIBCALEN)), LENGTH);
        // After XCTL it is CICS's copy, for programs with addresses of 31 bits.
        if task.level().unwrap().invoked_by.as_str() == "WHOLE2" {
            assert!((LINE..BAR).contains(&(area.address as i64)), "{:x}", area.address);
        }
        region::storage_access::write(area.address, &[0xEE])?;
        region::storage_access::write(area.address + LENGTH - 1, &[0xEE])?;
        Ok(())
    });
    define_program("WHOLE2", &[], |task| {
        let mut xctl = Call::new(command::XCTL);
        xctl.text(task, option::PROGRAM, "WHOLE1").bytes(option::COMMAREA, &pattern());
        xctl.execute(task).map(|_| ())
    });
    let left = run("T021", |task| {
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "WHOLE1").bytes(option::COMMAREA, &pattern());
        assert_eq!(response(&mut link, task)?, (0, 0));
        let mut transferred = Call::new(command::LINK);
        transferred.text(task, option::PROGRAM, "WHOLE2");
        assert_eq!(response(&mut transferred, task)?, (0, 0));
        Ok(link.result_bytes(option::COMMAREA))
    })
    .unwrap();
    let mut expected = pattern();
    (expected[0], expected[LENGTH - 1]) = (0xEE, 0xEE);
    assert!(left == expected);
}

#[test]
fn a_commarea_is_checked_at_its_limit() {
    define_program("LINKED2", &[], |_| Ok(()));
    let responses = run("T005", |task| {
        let mut responses = Vec::new();
        let area = vec![0; 32_764];
        for length in [32_763, 32_764, -1, 0] {
            let mut link = Call::new(command::LINK);
            link.text(task, option::PROGRAM, "LINKED2").bytes(option::COMMAREA, &area).integer(option::LENGTH, length);
            responses.push(response(&mut link, task)?);
        }
        Ok(responses)
    })
    .unwrap();
    let lengerr = condition::LENGERR.0;
    assert_eq!(responses, [(0, 0), (lengerr, 11), (lengerr, 11), (0, 0)]);
}

#[test]
fn an_abend_goes_up_the_levels_and_ends_the_task() {
    static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    struct Seen;
    impl region::messages::Sink for Seen {
        fn message(&self, message: &region::messages::Message) {
            SEEN.lock().unwrap().push(message.line());
        }
    }
    the_region().messages.add_sink(Arc::new(Seen));
    define_program("ABENDS1", &[], |task| {
        let mut abend = Call::new(command::ABEND);
        abend.text(task, option::ABCODE, "TEST");
        abend.execute(task).map(|_| ())
    });
    let code = run("T006", |task| {
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "ABENDS1");
        match link.execute(task) {
            Err(Raised::Abend(abend)) => Ok((abend.code_text(), abend.program)),
            other => panic!("{other:?}"),
        }
    })
    .unwrap();
    assert_eq!(code, ("TEST".to_string(), Name8::new("ABENDS1")));
    // The same, not caught: the task ends with the message.
    define_program("UNCAUGHT", &[], |_| Err(Raised::Abend(Box::new(Abend::new("AB07")))));
    define_transaction("T007", "UNCAUGHT");
    the_region().attach(AttachRequest::new(Name4::new("T007"), StartCode::Start)).unwrap();
    let told = || SEEN.lock().unwrap().iter().any(|line| line.starts_with("DFHAC2236") && line.contains("T007") && line.contains("AB07"));
    testing::eventually("the message of the abend", told);
}

#[test]
fn enqueues_exclude_other_tasks_until_the_syncpoint() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("WAITER1", &[], move |task| {
        let mut busy = Call::new(command::ENQ);
        busy.bytes(option::RESOURCE, b"RES1").integer(option::LENGTH, 4).flag(option::NOSUSPEND);
        let first = response(&mut busy, task)?;
        let mut enq = Call::new(command::ENQ);
        enq.bytes(option::RESOURCE, b"RES1").integer(option::LENGTH, 4);
        let second = response(&mut enq, task)?;
        sender.lock().unwrap().send((first, second)).unwrap();
        Ok(())
    });
    define_transaction("WAI1", "WAITER1");
    run("T012", |task| {
        let mut enq = Call::new(command::ENQ);
        enq.bytes(option::RESOURCE, b"RES1").integer(option::LENGTH, 4);
        assert_eq!(response(&mut enq, task)?, (0, 0));
        let mut too_long = Call::new(command::ENQ);
        too_long.bytes(option::RESOURCE, b"RES1").integer(option::LENGTH, 256);
        assert_eq!(response(&mut too_long, task)?, (condition::LENGERR.0, 1));
        task.region.attach(AttachRequest::new(Name4::new("WAI1"), StartCode::Start)).unwrap();
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::MILLISECS, 100);
        delay.execute(task)?;
        Ok(())
    })
    .unwrap();
    assert_eq!(receiver.recv_timeout(Duration::from_secs(5)).unwrap(), ((condition::ENQBUSY.0, 0), (0, 0)));
}

/// Counts change modes of a program defined so, issuing these commands: threadsafe (ASSIGN) and not (CANCEL).
fn change_modes(transid: &str, attributes: &[(&'static str, &str)], commands: &'static [bool]) -> u64 {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let program = format!("PGM{transid}");
    define_program(&program, attributes, move |task| {
        for threadsafe in commands {
            let mut call = if *threadsafe { Call::new(command::ASSIGN) } else { Call::new(command::CANCEL) };
            if !threadsafe {
                call.text(task, option::REQID, "NOTHING");
            }
            call.execute(task)?;
        }
        sender.lock().unwrap().send(task.kernel.clone()).unwrap();
        Ok(())
    });
    define_transaction(transid, &program);
    the_region().attach(AttachRequest::new(Name4::new(transid), StartCode::Start)).unwrap();
    let kernel = receiver.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(kernel.join(Duration::from_secs(5)));
    kernel.times().change_modes
}

#[test]
fn change_modes_are_those_of_tables_4_1_and_4_2() {
    const COMMANDS: &[bool] = &[true, false, true, false];
    // QR throughout.
    assert_eq!(change_modes("MQ01", &[("CONCURRENCY", "QUASIRENT")], COMMANDS), 0);
    // The first program of a task starts on QR and nothing takes it off.
    assert_eq!(change_modes("MT01", &[("CONCURRENCY", "THREADSAFE")], COMMANDS), 0);
    // To L8, two round trips, and back to QR for the end of the task: 1 + 2 x 2 + 1.
    assert_eq!(change_modes("MR01", &[("CONCURRENCY", "REQUIRED")], COMMANDS), 6);
    assert_eq!(change_modes("MO01", &[("CONCURRENCY", "REQUIRED"), ("API", "OPENAPI")], COMMANDS), 6);
    // Only threadsafe commands: in and out.
    assert_eq!(change_modes("MR02", &[("CONCURRENCY", "REQUIRED")], &[true, true]), 2);
}

#[test]
fn a_threadsafe_program_inherits_the_open_tcb_of_its_caller() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("INHERIT1", &[("CONCURRENCY", "THREADSAFE")], move |task| {
        let before = task.kernel.mode();
        let mut cancel = Call::new(command::CANCEL);
        cancel.text(task, option::REQID, "NOTHING");
        cancel.execute(task)?;
        sender.lock().unwrap().send((before, task.kernel.mode())).unwrap();
        Ok(())
    });
    define_program("CALLER1", &[("CONCURRENCY", "REQUIRED")], |task| {
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "INHERIT1");
        link.execute(task)?;
        assert_eq!(task.kernel.mode(), kernel::Mode::L8);
        Ok(())
    });
    define_transaction("MI01", "CALLER1");
    the_region().attach(AttachRequest::new(Name4::new("MI01"), StartCode::Start)).unwrap();
    let (before, after) = receiver.recv_timeout(Duration::from_secs(5)).unwrap();
    assert_eq!((before, after), (kernel::Mode::L8, kernel::Mode::Qr));
}

#[test]
fn inquire_and_set_task_and_program() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("SLEEPER1", &[], move |task| {
        sender.lock().unwrap().send(task.number).unwrap();
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::SECONDS, 60);
        delay.execute(task).map(|_| ())
    });
    let definition = Definition::new("TRANSACTION", "SLP1", "TEST").with("PROGRAM", "SLEEPER1").with("SPURGE", "YES");
    the_region().transactions().install(TransactionDefinition::from(&definition));
    the_region().attach(AttachRequest::new(Name4::new("SLP1"), StartCode::Start)).unwrap();
    let number = i64::from(receiver.recv_timeout(Duration::from_secs(5)).unwrap());
    let (suspended, gone) = run("T015", move |task| {
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::MILLISECS, 50);
        delay.execute(task)?;
        let mut inquire = Call::new(command::INQUIRE_TASK);
        inquire.integer(option::TASK, number).bytes(option::SUSPENDTYPE, &[0; 8]).integer(option::RUNSTATUS, 0);
        assert_eq!(response(&mut inquire, task)?, (0, 0));
        assert_eq!(inquire.result(option::RUNSTATUS), Some(exec::cvda::SUSPENDED));
        let suspended = inquire.result_text(task, option::SUSPENDTYPE);
        let mut set = Call::new(command::SET_TASK);
        set.integer(option::TASK, number).flag(option::PURGE);
        assert_eq!(response(&mut set, task)?, (0, 0));
        delay.execute(task)?;
        let gone = response(&mut inquire, task)?;
        Ok((suspended, gone))
    })
    .unwrap();
    assert_eq!(suspended, "ICWAIT");
    assert_eq!(gone, (condition::TASKIDERR.0, 1));
    let names = run("T016", |task| {
        let mut start = Call::new(command::INQUIRE_PROGRAM);
        start.flag(option::START);
        assert_eq!(response(&mut start, task)?, (0, 0));
        let mut count = 0;
        loop {
            let mut next = Call::new(command::INQUIRE_PROGRAM);
            next.flag(option::NEXT).bytes(option::PROGRAM, &[0; 8]).integer(option::STATUS, 0);
            match response(&mut next, task)? {
                (0, 0) => count += 1,
                ended => {
                    assert_eq!(ended, (condition::END.0, 2));
                    break;
                }
            }
        }
        let mut end = Call::new(command::INQUIRE_PROGRAM);
        end.flag(option::END);
        assert_eq!(response(&mut end, task)?, (0, 0));
        Ok(count)
    })
    .unwrap();
    assert!(names > 10, "{names}");
}

#[test]
fn unknown_and_disabled_transactions_are_refused_with_their_messages() {
    let region = the_region();
    let failure = region.attach(AttachRequest::new(Name4::new("ZZZZ"), StartCode::TerminalData)).unwrap_err();
    assert!(failure.message.line().starts_with("DFHAC2001"));
    let definition = Definition::new("TRANSACTION", "DIS1", "TEST").with("PROGRAM", "ANY").with("STATUS", "DISABLED");
    region.transactions().install(TransactionDefinition::from(&definition));
    let failure = region.attach(AttachRequest::new(Name4::new("DIS1"), StartCode::TerminalData)).unwrap_err();
    assert_eq!(failure.message.id, "DFHAC2008");
}

/// DFHSTOR 54, 105, 117, 120 and 443 of task storage by DSA, 144 to 149 and 445 to 447 of shared storage with what was got and freed.
#[test]
fn getmains_are_counted_by_dsa_and_shared_storage_is_measured() {
    let counted = run("T018", |task| {
        let get = |task: &mut Task, command, length: i64, flags: &[exec::OptionId]| {
            let mut getmain = Call::new(command);
            getmain.integer(option::SET, 0).integer(option::FLENGTH, length);
            for flag in flags {
                getmain.flag(*flag);
            }
            assert_eq!(response(&mut getmain, task)?, (0, 0));
            Ok::<i64, region::Raised>(getmain.result(option::SET).unwrap())
        };
        use command::{GETMAIN, GETMAIN64};
        use option::{BELOW, CICSDATAKEY, SHARED, USERDATAKEY};
        for _ in 0..2 {
            assert!((1..LINE).contains(&get(task, GETMAIN, 10, &[BELOW, USERDATAKEY])?));
        }
        assert!((LINE..BAR).contains(&get(task, GETMAIN, 10, &[USERDATAKEY])?));
        assert!((1..LINE).contains(&get(task, GETMAIN, 10, &[BELOW, CICSDATAKEY])?));
        assert!((LINE..BAR).contains(&get(task, GETMAIN, 10, &[CICSDATAKEY])?));
        let own_64 = get(task, GETMAIN64, 10, &[])?;
        assert!(own_64 > BAR);
        let mut freemain = Call::new(command::FREEMAIN64);
        freemain.integer(option::DATAPOINTER, own_64);
        assert_eq!([response(&mut freemain, task)?, response(&mut freemain, task)?], [(0, 0), (condition::INVREQ.0, 1)]);
        let mut none = Call::new(GETMAIN64);
        none.integer(option::SET, 0).integer(option::FLENGTH, 0);
        assert_eq!(response(&mut none, task)?, (condition::LENGERR.0, 1));
        let shared_24 = get(task, GETMAIN, 100, &[BELOW, SHARED])?;
        let shared_31 = get(task, GETMAIN, 200, &[SHARED])?;
        let shared_64 = get(task, GETMAIN64, 4097, &[SHARED])?;
        assert!((1..LINE).contains(&shared_24) && (LINE..BAR).contains(&shared_31) && shared_64 > BAR);
        for (command, address) in [(command::FREEMAIN, shared_24), (command::FREEMAIN, shared_31), (command::FREEMAIN64, shared_64)] {
            let mut freemain = Call::new(command);
            freemain.integer(option::DATAPOINTER, address);
            assert_eq!(response(&mut freemain, task)?, (0, 0));
        }
        Ok(task.performance)
    })
    .unwrap();
    let values = counted.values();
    let fields = region::performance::FIELDS.iter().zip(values).filter(|((group, _, _), _)| *group == "DFHSTOR");
    let found: Vec<(u16, u64)> = fields.map(|((_, number, _), value)| (*number, value)).collect();
    let field = |number: u16| found.iter().find(|(of, _)| *of == number).unwrap_or_else(|| panic!("{number}: {found:?}")).1;
    assert_eq!([54, 105, 117, 120, 443, 441].map(field), [2, 1, 1, 1, 1, 0]);
    assert_eq!([144, 145, 146].map(field), [1, 100, 100]);
    assert_eq!([147, 148, 149].map(field), [1, 200, 200]);
    assert_eq!([445, 446, 447].map(field), [1, 2, 2]);
}

/// Storage of a task goes with it, SHARED storage does not: another task finds it as it was left, and frees it.
#[test]
fn shared_storage_outlives_its_task() {
    let address = run("T019", |task| {
        let mut getmain = Call::new(command::GETMAIN);
        getmain.integer(option::SET, 0).integer(option::FLENGTH, 50).flag(option::SHARED).bytes(option::INITIMG, &[0x77]);
        assert_eq!(response(&mut getmain, task)?, (0, 0));
        Ok(getmain.result(option::SET).unwrap())
    })
    .unwrap();
    let codes = run("T020", move |task| {
        assert_eq!(region::storage_access::Area::new(address as usize, 50).read()?, [0x77; 50]);
        let mut freemain = Call::new(command::FREEMAIN);
        freemain.integer(option::DATAPOINTER, address);
        Ok([response(&mut freemain, task)?, response(&mut freemain, task)?])
    })
    .unwrap();
    assert_eq!(codes, [(0, 0), (condition::INVREQ.0, 1)]);
}

#[test]
fn getmain_and_freemain() {
    let results = run("T017", |task| {
        let mut results = Vec::new();
        let mut getmain = Call::new(command::GETMAIN);
        getmain.integer(option::SET, 0).integer(option::FLENGTH, 100).bytes(option::INITIMG, &[0x5A]);
        results.push(response(&mut getmain, task)?);
        let address = getmain.result(option::SET).unwrap();
        assert!(address > 0 && address < 1 << 31);
        let area = region::storage_access::Area::new(address as usize, 100);
        assert!(area.read()?.iter().all(|byte| *byte == 0x5A));
        for _ in 0..2 {
            let mut freemain = Call::new(command::FREEMAIN);
            freemain.integer(option::DATAPOINTER, address);
            results.push(response(&mut freemain, task)?);
        }
        let mut below = Call::new(command::GETMAIN);
        below.integer(option::SET, 0).integer(option::LENGTH, 64);
        results.push(response(&mut below, task)?);
        assert!(below.result(option::SET).unwrap() < 1 << 24);
        let mut zero = Call::new(command::GETMAIN);
        zero.integer(option::SET, 0).integer(option::FLENGTH, 0);
        results.push(response(&mut zero, task)?);
        Ok(results)
    })
    .unwrap();
    assert_eq!(results, [(0, 0), (0, 0), (condition::INVREQ.0, 1), (0, 0), (condition::LENGERR.0, 1)]);
}

#[test]
fn a_command_the_region_does_not_have_abends() {
    let code = run("T019", |task| {
        let mut call = Call::new(command::WEB_OPEN);
        match call.execute(task) {
            Err(Raised::Abend(abend)) => Ok(abend.code_text()),
            other => panic!("{other:?}"),
        }
    })
    .unwrap();
    assert_eq!(code, "AEY9");
}

/// A partner that notes what it is told.
struct Noting {
    told: Mutex<mpsc::Sender<String>>,
}

impl Noting {
    fn note(&self, text: impl Into<String>) {
        self.told.lock().unwrap().send(text.into()).unwrap();
    }
}

impl Partner for Noting {
    fn name(&self) -> Name4 {
        Name4::new("SES1")
    }

    fn user_id(&self) -> Name8 {
        Name8::new("PARTNER")
    }

    fn task_started(&self, task: &Task) {
        self.note(format!("{} started", task.transid));
    }

    fn task_ended(&self, _task: &mut Task, failure: Option<&Message>) {
        self.note(failure.map_or("ended".to_string(), |failure| format!("failed: {}", failure.id)));
    }

    fn task_restarts(&self) {
        self.note("restarts");
    }

    fn not_started(&self, message: &Message) {
        self.note(format!("not started: {}", message.id));
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// What a task with this facility sees of it, and what the partner is told.
fn with_partner(transid: &'static str, kind: PartnerKind, abends: bool) -> Vec<String> {
    let (sender, told) = mpsc::channel();
    let facts = Mutex::new(sender.clone());
    let program = format!("PGM{transid}");
    define_program(&program, &[], move |task| {
        let mut assign = Call::new(command::ASSIGN);
        assign.bytes(option::FACILITY, &[0; 4]).bytes(option::FCI, &[0]).bytes(option::USERID, &[0; 8]);
        assign.execute(task)?;
        let number = i64::from(task.number);
        let mut inquire = Call::new(command::INQUIRE_TASK);
        inquire.integer(option::TASK, number).integer(option::FACILITYTYPE, 0);
        inquire.execute(task)?;
        let (facility, user) = (assign.result_text(task, option::FACILITY), assign.result_text(task, option::USERID));
        let fci = assign.result_bytes(option::FCI);
        let kind = inquire.result(option::FACILITYTYPE).and_then(exec::cvda::name_of).unwrap_or_default();
        facts.lock().unwrap().send(format!("{facility} {fci:?} {user} {kind}")).unwrap();
        if abends { Err(Raised::Abend(Box::new(Abend::new("PART")))) } else { Ok(()) }
    });
    define_transaction(transid, &program);
    let mut request = AttachRequest::new(Name4::new(transid), StartCode::System);
    request.facility = Facility::Partner(kind, Arc::new(Noting { told: Mutex::new(sender) }));
    the_region().attach(request).unwrap_or_else(|failure| panic!("{failure:?}"));
    (0..3).map(|_| told.recv_timeout(Duration::from_secs(10)).unwrap()).collect()
}

#[test]
fn a_partner_without_a_screen_is_the_facility_of_its_task_and_learns_how_it_ends() {
    // A session counts as a terminal (ASSIGN FACILITY, FCI X'01'); a web client and a parent are no facility that INQUIRE TASK names.
    let session = with_partner("PA01", PartnerKind::Session, false);
    assert_eq!(session, ["PA01 started", "SES1 [1] PARTNER TERM", "ended"]);
    let web = with_partner("PA02", PartnerKind::WebClient, true);
    assert_eq!(web, ["PA02 started", "SES1 [0] PARTNER TASK", "failed: DFHAC2206"]);
    let parent = with_partner("PA03", PartnerKind::Parent, false);
    assert_eq!(parent, ["PA03 started", "SES1 [0] PARTNER TASK", "ended"]);
}
