//! Interval control and event waits with native programs: DELAY, START, RETRIEVE, POST, WAIT EVENT, WAITCICS, ASKTIME.

mod scratch;
mod tasks_support;

use csd::{Definition, TransactionDefinition};
use exec::{command, condition, option};
use kernel::storage::Getmain;
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{AttachRequest, StartCode, Task};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};
use tasks_support::{define_program, define_transaction, response, run, the_region};

#[test]
fn delay_waits_and_cancel_ends_it() {
    let elapsed = run("T008", |task| {
        let before = std::time::Instant::now();
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::MILLISECS, 50);
        delay.execute(task)?;
        Ok(before.elapsed())
    })
    .unwrap();
    assert!(elapsed >= Duration::from_millis(45) && elapsed < Duration::from_secs(2), "{elapsed:?}");
    let canceller = std::thread::spawn(|| {
        let region = the_region();
        for _ in 0..200 {
            std::thread::sleep(Duration::from_millis(10));
            if region::interval_control::IntervalControl::of(region).cancel(region, Name8::new("WAKEME"))
                != region::interval_control::Cancelled::NotFound
            {
                return true;
            }
        }
        false
    });
    let elapsed = run("T009", |task| {
        let before = std::time::Instant::now();
        let mut delay = Call::new(command::DELAY);
        delay.integer(option::INTERVAL, 100).text(task, option::REQID, "WAKEME");
        delay.execute(task)?;
        Ok(before.elapsed())
    })
    .unwrap();
    assert!(canceller.join().unwrap());
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

/// ENQ in two tasks with DTIMOUT: SPURGE(NO) overrides it, so one is ended and the other waits on.
#[test]
fn a_wait_for_an_enqueue_ends_with_akcs_after_dtimout() {
    static RELEASED: AtomicBool = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let (holding, waiting) = (Mutex::new(sender.clone()), Mutex::new(sender));
    let enqueue = |task: &mut Task| {
        let mut enq = Call::new(command::ENQ);
        enq.bytes(option::RESOURCE, b"DTIMOUT").integer(option::LENGTH, 7);
        response(&mut enq, task)
    };
    define_program("ENQHOLD", &[], move |task| {
        assert_eq!(enqueue(task)?, (0, 0));
        holding.lock().unwrap().send((task.transid.to_string(), "HOLDS".to_string(), Duration::ZERO)).unwrap();
        while !RELEASED.load(Ordering::SeqCst) {
            let mut delay = Call::new(command::DELAY);
            delay.flag(option::FOR).integer(option::MILLISECS, 20);
            delay.execute(task)?;
        }
        Ok(())
    });
    define_program("ENQWAIT", &[], move |task| {
        let begun = Instant::now();
        let ended = match enqueue(task) {
            Ok(code) => format!("{code:?}"),
            Err(region::Raised::Abend(abend)) => abend.code_text(),
            Err(_) => "raised".to_string(),
        };
        waiting.lock().unwrap().send((task.transid.to_string(), ended, begun.elapsed())).unwrap();
        Ok(())
    });
    let attach = |transid: &str, program: &str, spurge: &str| {
        let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program).with("DTIMOUT", "1");
        the_region().transactions().install(TransactionDefinition::from(&definition.with("SPURGE", spurge)));
        the_region().attach(AttachRequest::new(Name4::new(transid), StartCode::Start)).unwrap();
    };
    let told = |limit: u64| receiver.recv_timeout(Duration::from_millis(limit));
    attach("ENQH", "ENQHOLD", "YES");
    assert_eq!(told(10_000).unwrap().1, "HOLDS");
    attach("ENQN", "ENQWAIT", "NO");
    attach("ENQY", "ENQWAIT", "YES");
    let (transid, ended, waited) = told(10_000).unwrap();
    assert_eq!((transid.as_str(), ended.as_str()), ("ENQY", "AKCS"));
    assert!(waited >= Duration::from_secs(1), "{waited:?}");
    assert!(told(500).is_err(), "the other waits on");
    RELEASED.store(true, Ordering::SeqCst);
    let (transid, ended, _) = told(10_000).unwrap();
    assert_eq!((transid.as_str(), ended.as_str()), ("ENQN", "(0, 0)"));
}

#[test]
fn start_passes_data_and_retrieve_takes_it_once() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("STARTED1", &[], move |task| {
        let mut retrieve = Call::new(command::RETRIEVE);
        retrieve.bytes(option::INTO, &[0; 4]).integer(option::LENGTH, 4).bytes(option::RTRANSID, &[0; 4]);
        let first = response(&mut retrieve, task)?;
        let data = retrieve.result_bytes(option::INTO);
        let length = retrieve.result(option::LENGTH);
        let back = retrieve.result_text(task, option::RTRANSID);
        let second = response(&mut Call::new(command::RETRIEVE), task)?;
        sender.lock().unwrap().send((task.start_code.text(), first, data, length, back, second)).unwrap();
        Ok(())
    });
    define_transaction("STD1", "STARTED1");
    let outcome = run("T010", |task| {
        let mut start = Call::new(command::START);
        start.text(task, option::TRANSID, "STD1").bytes(option::FROM, b"12345").text(task, option::RTRANSID, "BACK");
        let started = response(&mut start, task)?;
        let mut unknown = Call::new(command::START);
        unknown.text(task, option::TRANSID, "NONE");
        Ok((started, response(&mut unknown, task)?))
    })
    .unwrap();
    assert_eq!(outcome, ((0, 0), (condition::TRANSIDERR.0, 0)));
    let (code, first, data, length, back, second) = receiver.recv_timeout(Duration::from_secs(5)).unwrap();
    assert_eq!((code, first), ("SD", (condition::LENGERR.0, 0)));
    assert_eq!((data.as_slice(), length, back.as_str()), (&b"1234"[..], Some(5), "BACK"));
    assert_eq!(second, (condition::ENDDATA.0, 0));
}

#[test]
fn a_protected_start_waits_for_the_syncpoint() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("STARTED2", &[], move |task| {
        sender.lock().unwrap().send(task.number).unwrap();
        Ok(())
    });
    define_transaction("STD2", "STARTED2");
    run("T011", |task| {
        for rolled_back in [true, false] {
            let mut start = Call::new(command::START);
            start.text(task, option::TRANSID, "STD2").flag(option::PROTECT);
            assert_eq!(response(&mut start, task)?, (0, 0));
            let end = if rolled_back { command::SYNCPOINT_ROLLBACK } else { command::SYNCPOINT };
            Call::new(end).execute(task)?;
        }
        Ok(())
    })
    .unwrap();
    receiver.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(receiver.recv_timeout(Duration::from_millis(200)).is_err(), "only the committed START runs");
}

#[test]
fn asktime_and_formattime() {
    let text = run("T018", |task| {
        let mut asktime = Call::new(command::ASKTIME);
        asktime.integer(option::ABSTIME, 0);
        assert_eq!(response(&mut asktime, task)?, (0, 0));
        assert!(asktime.result(option::ABSTIME).unwrap() > 3_900_000_000_000);
        let mut format = Call::new(command::FORMATTIME);
        // 2000-02-29 13:14:15.016
        format.integer(option::ABSTIME, 3_160_818_855_016).bytes(option::YYYYMMDD, &[0x40; 10]).text(task, option::DATESEP, "-");
        format.bytes(option::TIME, &[0x40; 8]).flag(option::TIMESEP).integer(option::DAYOFWEEK, 0).integer(option::MILLISECONDS, 0);
        assert_eq!(response(&mut format, task)?, (0, 0));
        assert_eq!((format.result(option::DAYOFWEEK), format.result(option::MILLISECONDS)), (Some(2), Some(16)));
        let mut negative = Call::new(command::FORMATTIME);
        negative.integer(option::ABSTIME, -1);
        assert_eq!(response(&mut negative, task)?, (condition::INVREQ.0, 1));
        Ok((format.result_text(task, option::YYYYMMDD), format.result_text(task, option::TIME)))
    })
    .unwrap();
    assert_eq!(text, ("2000-02-29".to_string(), "13:14:15".to_string()));
}

#[test]
fn post_wakes_the_task_that_waits_for_its_area() {
    let (posted, suspends, early) = run("T120", |task| {
        let mut post = Call::new(command::POST);
        post.integer(option::SET, 0).flag(option::AFTER).integer(option::SECONDS, 1);
        assert_eq!(response(&mut post, task)?, (0, 0));
        let area = post.result(option::SET).unwrap() as usize;
        let early = bytes_at(area);
        let before = task.kernel.times().suspends;
        let mut wait = Call::new(command::WAIT_EVENT);
        wait.integer(option::ECADDR, area as i64);
        assert_eq!(response(&mut wait, task)?, (0, 0));
        Ok((bytes_at(area), task.kernel.times().suspends - before, early))
    })
    .unwrap();
    assert_eq!((early, posted), ([0, 0, 0, 0], [0x40, 0, 0x80, 0]), "X'40' in the first byte, X'80' in the third");
    assert_eq!(suspends, 1, "the task sleeps until it is woken");
}

#[test]
fn a_cancelled_post_is_posted_for_the_task_that_waits() {
    define_program("CANCELS", &[], |task| {
        let mut cancel = Call::new(command::CANCEL);
        cancel.text(task, option::REQID, "POSTED1");
        assert_eq!(response(&mut cancel, task)?, (0, 0));
        Ok(())
    });
    define_transaction("CANC", "CANCELS");
    let elapsed = run("T121", |task| {
        let mut post = Call::new(command::POST);
        post.integer(option::SET, 0).flag(option::AFTER).integer(option::HOURS, 1).text(task, option::REQID, "POSTED1");
        assert_eq!(response(&mut post, task)?, (0, 0));
        task.region.attach(AttachRequest::new(Name4::new("CANC"), StartCode::Start)).unwrap();
        let before = Instant::now();
        let mut wait = Call::new(command::WAIT_EVENT);
        wait.integer(option::ECADDR, post.result(option::SET).unwrap());
        assert_eq!(response(&mut wait, task)?, (0, 0));
        Ok(before.elapsed())
    })
    .unwrap();
    assert!(elapsed < Duration::from_secs(600), "{elapsed:?}");
}

#[test]
fn a_later_post_delay_or_the_end_of_the_task_drops_a_post() {
    run("T122", |task| {
        let region = task.region;
        for id in ["POSTED2", "POSTED3"] {
            let mut post = Call::new(command::POST);
            post.integer(option::SET, 0).flag(option::AFTER).integer(option::HOURS, 1).text(task, option::REQID, id);
            assert_eq!(response(&mut post, task)?, (0, 0));
        }
        assert!(!region::interval_control::IntervalControl::of(region).is_pending(Name8::new("POSTED2")), "a task has one POST at a time");
        assert!(region::interval_control::IntervalControl::of(region).is_pending(Name8::new("POSTED3")));
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::MILLISECS, 1);
        assert_eq!(response(&mut delay, task)?, (0, 0));
        assert!(!region::interval_control::IntervalControl::of(region).is_pending(Name8::new("POSTED3")), "DELAY supersedes it");
        let mut post = Call::new(command::POST);
        post.integer(option::SET, 0).flag(option::AFTER).integer(option::HOURS, 1).text(task, option::REQID, "POSTED4");
        assert_eq!(response(&mut post, task)?, (0, 0));
        Ok(())
    })
    .unwrap();
    let is_pending = || region::interval_control::IntervalControl::of(the_region()).is_pending(Name8::new("POSTED4"));
    testing::eventually("the end of the POST of an ended task", || !is_pending());
}

#[test]
fn a_block_posted_by_a_store_ends_waitcics() {
    let block = the_region().storage.getmain_shared(Getmain { initial: Some(0), ..Getmain::user(8) }).unwrap();
    let list = the_region().storage.getmain_shared(Getmain::user(4)).unwrap();
    region::storage_access::write(list, &(block as u32).to_be_bytes()).unwrap();
    define_program("STORES", &[], move |task| {
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::MILLISECS, 60);
        delay.execute(task)?;
        region::storage_access::write(block, &[0x40, 0, 0, 0])?;
        Ok(())
    });
    define_transaction("STOR", "STORES");
    run("T123", move |task| {
        task.region.attach(AttachRequest::new(Name4::new("STOR"), StartCode::Start)).unwrap();
        let before = task.kernel.times().suspends;
        let mut wait = Call::new(command::WAITCICS);
        wait.integer(option::ECBLIST, list as i64).integer(option::NUMEVENTS, 1);
        assert_eq!(response(&mut wait, task)?, (0, 0));
        assert_eq!(task.kernel.times().suspends - before, 1, "the task is not dispatched to look at its block");
        Ok(())
    })
    .unwrap();
    assert_eq!(bytes_at(block), [0x40, 0, 0, 0]);
}

fn bytes_at(address: usize) -> [u8; 4] {
    let mut bytes = [0; 4];
    region::storage_access::read(address, &mut bytes).unwrap();
    bytes
}
