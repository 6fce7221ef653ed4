//! WRITEQ, READQ and DELETEQ TD: intrapartition by kinds of recovery, triggers, extrapartition, indirect.

use super::support::*;
use csd::Definition;
use exec::{CommandId, command, condition, cvda, option};
use kernel::Clock;
use region::exec_interface::Call;
use region::{Raised, Task};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

pub fn define(name: &str, attributes: &[(&'static str, &str)]) {
    let mut definition = Definition::new("TDQUEUE", name, "TEST");
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    the_region().install(&definition).unwrap();
}

pub fn on_queue(task: &mut Task, command: CommandId, queue: &str, build: impl FnOnce(&mut Call)) -> Result<Reply, Raised> {
    issue(task, command, |call| {
        call.bytes(option::QUEUE, &e(queue));
        build(call);
    })
}

pub fn put(task: &mut Task, queue: &str, text: &str) -> Result<(u16, i32), Raised> {
    on_queue(task, command::WRITEQ_TD, queue, |call| {
        call.bytes(option::FROM, &e(text));
    })
    .map(|reply| reply.code)
}

pub fn get(task: &mut Task, queue: &str) -> Result<Result<String, (u16, i32)>, Raised> {
    get_with(task, queue, false)
}

fn get_with(task: &mut Task, queue: &str, no_suspend: bool) -> Result<Result<String, (u16, i32)>, Raised> {
    let reply = on_queue(task, command::READQ_TD, queue, |call| {
        call.bytes(option::INTO, &[0; 50]).integer(option::LENGTH, 50);
        if no_suspend {
            call.flag(option::NOSUSPEND);
        }
    })?;
    let length = reply.number(option::LENGTH).clamp(0, 50) as usize;
    let text = t(&reply.call.result_bytes(option::INTO)[..length]);
    Ok(if reply.code == NORMAL { Ok(text) } else { Err(reply.code) })
}

pub fn ok(text: &str) -> Result<String, (u16, i32)> {
    Ok(text.to_string())
}

pub const QZERO: (u16, i32) = (23, 0);
const QBUSY: (u16, i32) = (25, 0);

#[test]
fn records_are_read_once_in_order() {
    for (queue, recovery) in [("IN01", "NO"), ("IN02", "PHYSICAL"), ("IN03", "LOGICAL")] {
        define(queue, &[("TYPE", "INTRA"), ("RECOVSTATUS", recovery)]);
        let queue: &'static str = queue;
        run(move |task| {
            assert_eq!(get(task, queue)?, Err(QZERO), "{recovery}");
            for text in ["ONE", "TWO", "THREE"] {
                assert_eq!(put(task, queue, text)?, NORMAL);
            }
            assert_eq!(get(task, queue)?, ok("ONE"));
            assert_eq!(get(task, queue)?, ok("TWO"));
            put(task, queue, "FOUR")?;
            assert_eq!(get(task, queue)?, ok("THREE"));
            assert_eq!(get(task, queue)?, ok("FOUR"));
            assert_eq!(get(task, queue)?, Err(QZERO));
            put(task, queue, "FIVE")?;
            assert_eq!(on_queue(task, command::DELETEQ_TD, queue, |_| {})?.code, NORMAL);
            assert_eq!(get(task, queue)?, Err(QZERO));
            Ok(())
        });
    }
}

#[test]
fn only_logical_recovery_follows_the_unit_of_work() {
    for (queue, recovery) in [("BK01", "NO"), ("BK02", "PHYSICAL"), ("BK03", "LOGICAL")] {
        define(queue, &[("TYPE", "INTRA"), ("RECOVSTATUS", recovery)]);
        let queue: &'static str = queue;
        let logical = recovery == "LOGICAL";
        run(move |task| {
            put(task, queue, "FIRST")?;
            syncpoint(task)?;
            assert_eq!(get(task, queue)?, ok("FIRST"));
            put(task, queue, "SECOND")?;
            rollback(task)?;
            // Read or written, logical recovery takes it back; else both stand.
            assert_eq!(get(task, queue)?, ok(if logical { "FIRST" } else { "SECOND" }), "{recovery}");
            assert_eq!(get(task, queue)?, Err(QZERO));
            Ok(())
        });
    }
}

#[test]
fn readers_of_a_logical_queue_wait_or_get_qbusy() {
    define("WT01", &[("TYPE", "INTRA"), ("RECOVSTATUS", "LOGICAL")]);
    let (written, waiting) = (Flag::default(), Flag::default());
    let writer = {
        let (written, waiting) = (written.clone(), waiting.clone());
        begin(move |task| {
            put(task, "WT01", "NOT YET")?;
            written.raise();
            waiting.await_raised(task)?;
            delay(task, 50)
        })
    };
    written.wait();
    run(move |task| {
        assert_eq!(get_with(task, "WT01", true)?, Err(QBUSY));
        assert_eq!(waits(task, "TDILWTT"), Clock::default(), "it was told at once");
        waiting.raise();
        assert_eq!(get(task, "WT01")?, ok("NOT YET"));
        // TDILWTT: the writer went on for 50 ms.
        let waited = waits(task, "TDILWTT");
        assert!((40..5_000).contains(&waited.time.as_millis()) && waited.count == 1, "{waited:?}");
        assert_eq!(get(task, "WT01")?, Err(QZERO));
        assert_eq!(waits(task, "TDILWTT"), waited, "nobody to wait for");
        assert_eq!(waits(task, "ENQUEUE"), Clock::default(), "it is no wait for an enqueue of the program");
        assert_eq!(task.performance.td_extrapartition_lock_wait, Clock::default());
        Ok(())
    });
    writer.result().unwrap();
}

/// TDELWTT: one task at a time has the file of an extrapartition queue.
#[test]
fn tasks_that_wait_for_the_file_of_a_queue_are_timed() {
    define("EXWT", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DDNAME", "TDWAIT"), ("RECORDFORMAT", "VARIABLE")]);
    let told = run(|task| {
        put(task, "EXWT", "ALONE")?;
        Ok((task.performance.td_extrapartition_lock_wait.count, task.performance.td_puts))
    });
    assert_eq!(told, (0, 1));
    // Two tasks on open TCBs write until one of them has waited.
    let (waited, both) = (Flag::default(), Flag::default());
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let (waited, both) = (waited.clone(), both.clone());
            begin_with(the_region(), &[("CONCURRENCY", "REQUIRED")], move |task| {
                both.raise();
                both.await_times(task, 2)?;
                let end = std::time::Instant::now() + std::time::Duration::from_secs(15);
                while !waited.is_raised() && std::time::Instant::now() < end {
                    put(task, "EXWT", "BOTH")?;
                    if task.performance.td_extrapartition_lock_wait.count > 0 {
                        waited.raise();
                    }
                }
                Ok((task.performance.td_extrapartition_lock_wait.time.as_nanos() as u64, waits(task, "TDILWTT").count))
            })
        })
        .collect();
    let waits: Vec<(u64, u64)> = writers.into_iter().map(|writer| writer.result().unwrap()).collect();
    assert!(waits.iter().any(|(extrapartition, _)| *extrapartition > 0), "{waits:?}");
    assert!(waits.iter().all(|(_, intrapartition)| *intrapartition == 0), "{waits:?}");
}

#[test]
fn lengths_and_conditions() {
    define("LN01", &[("TYPE", "INTRA")]);
    define("RM01", &[("REMOTESYSTEM", "SYSB")]);
    run(|task| {
        let lengerr = (condition::LENGERR.0, 0);
        let area = vec![0xC1; 32_764];
        for (length, expected) in [(32_763, NORMAL), (32_764, lengerr), (0, lengerr), (-1, lengerr)] {
            let reply = on_queue(task, command::WRITEQ_TD, "LN01", |call| {
                call.bytes(option::FROM, &area).integer(option::LENGTH, length);
            })?;
            assert_eq!(reply.code, expected, "{length}");
        }
        let reply = on_queue(task, command::READQ_TD, "LN01", |call| {
            call.bytes(option::INTO, &[0; 4]).integer(option::LENGTH, 4);
        })?;
        assert_eq!((reply.code, reply.number(option::LENGTH)), (lengerr, 32_763));
        assert_eq!(reply.call.result_bytes(option::INTO), [0xC1; 4]);
        // The rest is lost with it.
        assert_eq!(get(task, "LN01")?, Err(QZERO));
        assert_eq!(get(task, "NONE")?, Err((condition::QIDERR.0, 0)));
        assert_eq!(put(task, "NONE", "X")?, (condition::QIDERR.0, 0));
        assert_eq!(put(task, "RM01", "X")?, (condition::SYSIDERR.0, 0));
        let set = |task: &mut Task, option| {
            issue(task, command::SET_TDQUEUE, |call| {
                call.bytes(option::TDQUEUE, &e("LN01")).flag(option);
            })
        };
        assert_eq!(set(task, option::DISABLED)?.code, NORMAL);
        assert_eq!(put(task, "LN01", "X")?, (condition::DISABLED.0, 0));
        assert_eq!(set(task, option::ENABLED)?.code, NORMAL);
        assert_eq!(put(task, "LN01", "X")?, NORMAL);
        Ok(())
    });
}

#[test]
fn a_trigger_level_starts_one_task_that_empties_the_queue() {
    let region = the_region();
    for (queue, transid, recovery) in [("TR01", "TRG1", "NO"), ("TR02", "TRG2", "LOGICAL")] {
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        define_transaction(region, transid, move |task| {
            let started = (task.start_code.text(), task.queue.map(|queue| queue.to_string()));
            let queue = started.1.clone().unwrap();
            let mut texts = Vec::new();
            while let Ok(text) = get(task, &queue)? {
                texts.push(text);
            }
            sender.lock().unwrap().send((started, texts)).unwrap();
            Ok(())
        });
        define(
            queue,
            &[("TYPE", "INTRA"), ("RECOVSTATUS", recovery), ("TRIGGERLEVEL", "3"), ("TRANSID", transid), ("ATIFACILITY", "FILE")],
        );
        let queue: &'static str = queue;
        run(move |task| {
            put(task, queue, "A")?;
            put(task, queue, "B")?;
            Ok(())
        });
        assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err(), "two records are not three");
        run(move |task| put(task, queue, "C"));
        let (started, texts) = receiver.recv_timeout(Duration::from_secs(5)).unwrap();
        assert_eq!(started, ("QD", Some(queue.to_string())));
        assert_eq!(texts, ["A", "B", "C"]);
        assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err(), "started once");
    }
}

#[test]
fn extrapartition_queues_read_and_write_files() {
    define("EXIN", &[("TYPE", "EXTRA"), ("TYPEFILE", "INPUT"), ("DDNAME", "TESTIN")]);
    define("EXFX", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DDNAME", "TESTFIX"), ("RECORDFORMAT", "FIXED"), ("RECORDSIZE", "5")]);
    define("EXIX", &[("TYPE", "INDIRECT"), ("INDIRECTNAME", "EXFX")]);
    define("EXDF", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DDNAME", "DEFER"), ("OPENTIME", "DEFERRED")]);
    run(|task| {
        assert_eq!(get(task, "EXIN")?, ok("FIRST"));
        assert_eq!(get(task, "EXIN")?, ok("SECOND"));
        assert_eq!(get(task, "EXIN")?, Err(QZERO));
        assert_eq!(put(task, "EXIN", "X")?, (condition::INVREQ.0, 0));
        assert_eq!(put(task, "EXFX", "12345")?, NORMAL);
        assert_eq!(put(task, "EXIX", "ABCDE")?, NORMAL);
        for text in ["1234", "123456"] {
            assert_eq!(put(task, "EXFX", text)?, (condition::LENGERR.0, 0));
        }
        assert_eq!(on_queue(task, command::DELETEQ_TD, "EXFX", |_| {})?.code, (condition::INVREQ.0, 0));
        assert_eq!(put(task, "EXDF", "X")?, (condition::NOTOPEN.0, 0));
        let open = issue(task, command::SET_TDQUEUE, |call| {
            call.bytes(option::TDQUEUE, &e("EXDF")).flag(option::OPEN);
        })?;
        assert_eq!(open.code, NORMAL);
        assert_eq!(put(task, "EXDF", "X")?, NORMAL);
        Ok(())
    });
    let written = std::fs::read(the_region().data_directory.join("fixed.bin")).unwrap();
    assert_eq!(written, e("12345ABCDE"));
}

/// A device that is always full (Linux).
#[test]
fn a_full_disk_is_nospace() {
    define("EXFU", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DSNAME", "/dev/full")]);
    run(|task| {
        assert_eq!(put(task, "EXFU", "X")?, (condition::NOSPACE.0, 0));
        Ok(())
    });
}

#[test]
fn messages_and_program_output_reach_their_logs() {
    let region = the_region();
    run(|task| put(task, "CSMT", "FROM A PROGRAM"));
    queues::transient_data::write_text(region, region::name::Name4::new("CESO"), "displayed");
    let log = std::fs::read_to_string(region.data_directory.join("queues/msgusr.log")).unwrap();
    assert!(log.contains("FROM A PROGRAM") && log.contains("DFHTD0100"), "{log}");
    let output = std::fs::read_to_string(region.data_directory.join("queues/ceeout.log")).unwrap();
    assert!(output.contains("displayed"));
}

/// The next task of a logically recoverable queue is started when the previous one has ended, that of another queue as soon as the previous
/// one has read the queue to its end.
#[test]
fn a_new_cycle_of_a_logical_queue_begins_when_its_task_has_ended() {
    let region = the_region();
    for (queue, transid, recovery, at_once) in [("TC01", "TCY1", "NO", true), ("TC02", "TCY2", "LOGICAL", false)] {
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        let go = Flag::default();
        let goes = go.clone();
        define_transaction(region, transid, move |task| {
            let queue = task.queue.map(|queue| queue.to_string()).unwrap();
            let mut texts = String::new();
            while let Ok(text) = get(task, &queue)? {
                texts += &text;
            }
            syncpoint(task)?;
            sender.lock().unwrap().send(texts).unwrap();
            goes.await_raised(task)
        });
        define(
            queue,
            &[("TYPE", "INTRA"), ("RECOVSTATUS", recovery), ("TRIGGERLEVEL", "1"), ("TRANSID", transid), ("ATIFACILITY", "FILE")],
        );
        let queue: &'static str = queue;
        run(move |task| put(task, queue, "FIRST"));
        assert_eq!(receiver.recv_timeout(Duration::from_secs(5)).as_deref(), Ok("FIRST"));
        run(move |task| put(task, queue, "SECOND"));
        let second = receiver.recv_timeout(Duration::from_millis(if at_once { 5_000 } else { 200 }));
        assert_eq!(second.as_deref().ok(), at_once.then_some("SECOND"), "{recovery}");
        go.raise();
        if !at_once {
            assert_eq!(receiver.recv_timeout(Duration::from_secs(5)).as_deref(), Ok("SECOND"));
        }
    }
}

/// A trigger level of 0 starts nothing, 32,767 is the highest allowed.
#[test]
fn trigger_levels_at_their_bounds() {
    let region = the_region();
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_transaction(region, "TRBO", move |task| {
        let queue = task.queue.map(|queue| queue.to_string()).unwrap();
        while get(task, &queue)?.is_ok() {}
        sender.lock().unwrap().send(()).unwrap();
        Ok(())
    });
    define("TRBO", &[("TYPE", "INTRA"), ("TRIGGERLEVEL", "0"), ("TRANSID", "TRBO"), ("ATIFACILITY", "FILE")]);
    let set = |level: i64| {
        run(move |task| {
            let reply = issue(task, command::SET_TDQUEUE, |call| {
                call.bytes(option::TDQUEUE, &e("TRBO")).integer(option::TRIGGERLEVEL, level);
            })?;
            Ok(reply.code)
        })
    };
    run(|task| put(task, "TRBO", "X"));
    assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err());
    assert_eq!((set(32_768), set(-2)), ((condition::INVREQ.0, 3), (condition::INVREQ.0, 3)));
    assert_eq!(set(32_767), NORMAL);
    run(|task| {
        for _ in 2..32_767 {
            assert_eq!(put(task, "TRBO", "X")?, NORMAL);
        }
        Ok(())
    });
    assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err(), "32,766 records");
    run(|task| put(task, "TRBO", "X"));
    assert!(receiver.recv_timeout(Duration::from_secs(10)).is_ok());
}

/// Indirect queues lead to others, through as many as one likes to name; in a circle they lead nowhere.
#[test]
fn indirect_queues_lead_to_the_end_of_their_chain() {
    define("INDT", &[("TYPE", "INTRA")]);
    for (queue, next) in [("IND1", "IND2"), ("IND2", "IND3"), ("IND3", "INDT"), ("INC1", "INC2"), ("INC2", "INC1"), ("INDN", "NONE")] {
        define(queue, &[("TYPE", "INDIRECT"), ("INDIRECTNAME", next)]);
    }
    run(|task| {
        assert_eq!(put(task, "IND1", "THROUGH")?, NORMAL);
        assert_eq!(get(task, "INDT")?, ok("THROUGH"));
        assert_eq!(put(task, "INC1", "X")?, (condition::QIDERR.0, 0));
        assert_eq!(put(task, "INDN", "X")?, (condition::QIDERR.0, 0));
        Ok(())
    });
}

/// DSNAME(DUMMY): written records are discarded, and there is nothing to read.
#[test]
fn a_dummy_data_set_is_empty() {
    define("DUMO", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DSNAME", "DUMMY"), ("RECORDFORMAT", "VARIABLE")]);
    define("DUMI", &[("TYPE", "EXTRA"), ("TYPEFILE", "INPUT"), ("DSNAME", "DUMMY"), ("RECORDFORMAT", "VARIABLE")]);
    run(|task| {
        assert_eq!(put(task, "DUMO", "LOST")?, NORMAL);
        assert_eq!(get(task, "DUMI")?, Err(QZERO));
        Ok(())
    });
    assert!(!the_region().data_directory.join("queues/dumo.log").exists());
}

/// TYPEFILE(RDBACK) reads from the end. EMPTYSTATUS is that of the file.
#[test]
fn a_file_may_be_read_backwards() {
    let path = the_region().data_directory.join("back.bin");
    std::fs::write(&path, e("ONE  TWO  THREE")).unwrap();
    let path = path.to_str().unwrap();
    let fixed = [("TYPE", "EXTRA"), ("DSNAME", path), ("RECORDSIZE", "5"), ("TYPEFILE", "RDBACK")];
    define("EXRB", &[&fixed[..], &[("RECORDFORMAT", "FIXED")]].concat());
    define("EXRV", &[&fixed[..], &[("RECORDFORMAT", "VARIABLE")]].concat());
    let written = the_region().data_directory.join("empty.bin");
    define("EXEO", &[("TYPE", "EXTRA"), ("DSNAME", written.to_str().unwrap()), ("TYPEFILE", "OUTPUT"), ("RECORDFORMAT", "VARIABLE")]);
    define("EXEC", &[("TYPE", "EXTRA"), ("DSNAME", "DUMMY"), ("TYPEFILE", "INPUT"), ("OPENTIME", "DEFERRED")]);
    run(|task| {
        let status = |task: &mut Task, queue: &str| {
            issue(task, command::INQUIRE_TDQUEUE, |call| {
                call.bytes(option::TDQUEUE, &e(queue)).integer(option::EMPTYSTATUS, 0);
            })
            .map(|reply| reply.number(option::EMPTYSTATUS))
        };
        assert_eq!((status(task, "EXRB")?, status(task, "EXEO")?, status(task, "EXEC")?), (cvda::NOTEMPTY, cvda::EMPTY, cvda::NOTAPPLIC));
        for text in ["THREE", "TWO", "ONE"] {
            assert_eq!(get(task, "EXRB")?, ok(text));
        }
        assert_eq!(get(task, "EXRB")?, Err(QZERO));
        assert_eq!(put(task, "EXRB", "X")?, (condition::INVREQ.0, 0));
        assert_eq!(get(task, "EXRV")?, Err((condition::NOTOPEN.0, 0)));
        put(task, "EXEO", "X")?;
        assert_eq!((status(task, "EXRB")?, status(task, "EXEO")?), (cvda::EMPTY, cvda::NOTEMPTY));
        Ok(())
    });
    let log = std::fs::read_to_string(the_region().data_directory.join("queues/msgusr.log")).unwrap();
    assert!(log.contains("EXRV could not be opened: records of variable length cannot be read backwards"), "{log}");
}

/// No region has connections: a queue for one starts nothing, reports it, and keeps its records.
#[test]
fn a_queue_for_a_connection_starts_nothing() {
    define("TRSY", &[("TYPE", "INTRA"), ("ATIFACILITY", "SYSTEM"), ("FACILITYID", "FARS"), ("TRANSID", "TRSX"), ("TRIGGERLEVEL", "2")]);
    let region = the_region();
    run(|task| {
        put(task, "TRSY", "ONE")?;
        put(task, "TRSY", "TWO")
    });
    let log = std::fs::read_to_string(region.data_directory.join("queues/msgusr.log")).unwrap();
    let messages: Vec<&str> = log.lines().filter(|line| line.contains("queue TRSY ")).collect();
    assert_eq!(messages.len(), 1, "{log}");
    assert!(messages[0].contains("DFHTD0340") && messages[0].contains("transaction TRSX: connection FARS is not there"), "{}", messages[0]);
    run(|task| {
        assert_eq!(get(task, "TRSY")?, Ok("ONE".to_string()));
        assert_eq!(get(task, "TRSY")?, Ok("TWO".to_string()));
        Ok(())
    });
}

#[test]
fn queues_are_inquired_and_discarded() {
    define("DS01", &[("TYPE", "INTRA"), ("RECOVSTATUS", "LOGICAL"), ("TRIGGERLEVEL", "7"), ("TRANSID", "NONE")]);
    run(|task| {
        put(task, "DS01", "X")?;
        syncpoint(task)?;
        let options = [option::NUMITEMS, option::TYPE, option::RECOVSTATUS, option::TRIGGERLEVEL, option::ENABLESTATUS];
        let reply = issue(task, command::INQUIRE_TDQUEUE, |call| {
            call.bytes(option::TDQUEUE, &e("DS01")).bytes(option::ATITRANID, &[0; 4]);
            for option in options {
                call.integer(option, 0);
            }
        })?;
        assert_eq!(options.map(|option| reply.number(option)), [1, cvda::INTRA, cvda::LOGICAL, 7, cvda::ENABLED]);
        assert_eq!(reply.text(option::ATITRANID), "NONE");
        let named = |task: &mut Task, command, queue: &str, option: Option<exec::OptionId>| {
            issue(task, command, |call| {
                call.bytes(option::TDQUEUE, &e(queue));
                if let Some(option) = option {
                    call.flag(option);
                }
            })
            .map(|reply| reply.code)
        };
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "DS01", None)?, (condition::INVREQ.0, 31));
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "CSMT", None)?, (condition::INVREQ.0, 11));
        assert_eq!(named(task, command::SET_TDQUEUE, "DS01", Some(option::DISABLED))?, NORMAL);
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "DS01", None)?, NORMAL);
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "DS01", None)?, (condition::QIDERR.0, 1));
        assert_eq!(put(task, "DS01", "X")?, (condition::QIDERR.0, 0));
        Ok(())
    });
}

#[test]
fn local_queues_are_threadsafe() {
    define("TS01", &[("TYPE", "INTRA")]);
    let body = |task: &mut Task| {
        task.kernel.change_mode(kernel::Mode::L8).unwrap();
        let before = task.kernel.times().change_modes;
        put(task, "TS01", "X")?;
        get(task, "TS01")?.unwrap();
        assert_eq!(on_queue(task, command::DELETEQ_TD, "TS01", |_| {})?.code, NORMAL);
        issue(task, command::WRITEQ_TS, |call| {
            call.bytes(option::QUEUE, &e("THREADSF")).bytes(option::FROM, b"X");
        })?;
        Ok((task.kernel.times().change_modes - before, task.kernel.mode()))
    };
    assert_eq!(run(body), (0, kernel::Mode::L8));
}

/// INQUIRE TDQUEUE returns null values (-1, NOTAPPLIC) for attributes that do not apply to a queue of its type, and those of the definition
/// for the others.
#[test]
fn inapplicable_tdqueue_attributes_are_null() {
    define("NUIN", &[("TYPE", "INTRA"), ("WAIT", "NO"), ("WAITACTION", "QUEUE"), ("TRIGGERLEVEL", "3")]);
    define("NUID", &[("TYPE", "INTRA")]);
    let more = [("ERROROPTION", "SKIP"), ("DISPOSITION", "OLD"), ("DATABUFFERS", "4"), ("BLOCKSIZE", "800"), ("RECORDSIZE", "80")];
    let print = [("PRINTCONTROL", "A"), ("BLOCKFORMAT", "BLOCKED"), ("TYPEFILE", "OUTPUT"), ("DDNAME", "NODD"), ("OPENTIME", "DEFERRED")];
    define("NUEX", &[&[("TYPE", "EXTRA")][..], &more, &print].concat());
    define("NUIX", &[("TYPE", "INDIRECT"), ("INDIRECTNAME", "NUIN")]);
    let of_intra = [option::INDOUBT, option::INDOUBTWAIT, option::TRIGGERLEVEL, option::NUMITEMS];
    let of_extra = [
        option::ERROROPTION,
        option::DISPOSITION,
        option::DATABUFFERS,
        option::BLOCKSIZE,
        option::RECORDLENGTH,
        option::PRINTCONTROL,
        option::BLOCKFORMAT,
        option::IOTYPE,
    ];
    run(move |task| {
        let mut see = |queue: &str| -> Result<(Vec<i64>, Vec<i64>, i64), Raised> {
            let reply = issue(task, command::INQUIRE_TDQUEUE, |call| {
                call.bytes(option::TDQUEUE, &e(queue)).integer(option::ENABLESTATUS, 0);
                of_intra.iter().chain(&of_extra).for_each(|option| {
                    call.integer(*option, 0);
                });
            })?;
            let numbers = |options: &[exec::OptionId]| options.iter().map(|option| reply.number(*option)).collect::<Vec<_>>();
            Ok((numbers(&of_intra), numbers(&of_extra), reply.number(option::ENABLESTATUS)))
        };
        let n = cvda::NOTAPPLIC;
        let (no_intra, no_extra) = (vec![n, n, -1, -1], vec![n, n, -1, -1, -1, n, n, n]);
        assert_eq!(see("NUIN")?, (vec![cvda::QUEUE, cvda::NOWAIT, 3, 0], no_extra.clone(), cvda::ENABLED));
        assert_eq!(see("NUID")?, (vec![cvda::REJECT, cvda::WAIT, 1, 0], no_extra.clone(), cvda::ENABLED));
        let extra = vec![cvda::SKIP, cvda::OLD, 4, 800, 80, cvda::ASACTL, cvda::BLOCKED, cvda::OUTPUT];
        assert_eq!(see("NUEX")?, (no_intra.clone(), extra, cvda::ENABLED));
        assert_eq!(see("NUIX")?, (no_intra, no_extra, n));
        Ok(())
    });
}
