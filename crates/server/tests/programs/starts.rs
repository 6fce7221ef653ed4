//! START, RETRIEVE and CANCEL without a terminal.

use super::support::*;
use exec::{Threadsafe, command, condition, option};
use region::exec_interface::Call;
use region::{Raised, Task};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

const INVREQ: u16 = condition::INVREQ.0;
const SOON: Duration = Duration::from_secs(10);

fn start(task: &mut Task, transid: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::START, |call| {
        call.bytes(option::TRANSID, &e(&format!("{transid:<4}")));
        build(call);
    })?;
    Ok(reply.code)
}

fn cancel(task: &mut Task, request: &str) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::CANCEL, |call| {
        call.bytes(option::REQID, &e(&format!("{request:<8}")));
    })?;
    Ok(reply.code)
}

/// A transaction that sends what its body gives.
fn tells<T: Send + 'static>(
    transid: &'static str,
    body: impl Fn(&mut Task) -> Result<T, Raised> + Send + Sync + 'static,
) -> mpsc::Receiver<T> {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_transaction(the_region(), transid, move |task| {
        let value = body(task)?;
        drop(sender.lock().unwrap().send(value));
        Ok(())
    });
    receiver
}

/// Runs on QR: the table says that these are not threadsafe, and the gate changes the mode for them.
#[test]
fn start_send_and_receive_are_not_threadsafe() {
    for command in [command::START, command::START_CHANNEL, command::SEND, command::RECEIVE, command::CONVERSE] {
        assert_eq!(exec::threadsafe(command), Threadsafe::No, "{command:?}");
    }
    let _started = tells("STNT", |_| Ok(()));
    let changes = begin_with(the_region(), &[("CONCURRENCY", "REQUIRED")], |task| {
        let before = (task.kernel.mode(), task.kernel.times().change_modes);
        assert_eq!(start(task, "STNT", |_| {})?, NORMAL);
        let after = (task.kernel.mode(), task.kernel.times().change_modes);
        Ok((before.0, after.0, after.1 - before.1))
    });
    // To QR and back.
    assert_eq!(changes.result().unwrap(), (kernel::Mode::L8, kernel::Mode::L8, 2));
}

/// A task that START began without TERMID has no terminal to send to or to receive from.
#[test]
fn terminal_commands_of_a_task_without_a_terminal_are_notalloc() {
    run(|task| {
        for command in [command::SEND, command::RECEIVE, command::CONVERSE] {
            let reply = issue(task, command, |call| {
                if command != command::RECEIVE {
                    call.bytes(option::FROM, b"X");
                }
                if command != command::SEND {
                    call.bytes(option::INTO, &[0; 4]);
                }
            })?;
            assert_eq!(reply.code, (condition::NOTALLOC.0, 0), "{command:?}");
        }
        Ok(())
    });
}

#[test]
fn start_has_the_documented_conditions() {
    let _started = tells("STCO", |_| Ok(()));
    run(|task| {
        let code = |task: &mut Task, transid: &str, build: &dyn Fn(&mut Call)| start(task, transid, |call| build(call));
        assert_eq!(code(task, "NONE", &|_| {})?, (condition::TRANSIDERR.0, 0));
        assert_eq!(
            code(task, "STCO", &|call| {
                call.bytes(option::TERMID, &e("NOTT"));
            })?,
            (condition::TERMIDERR.0, 0)
        );
        for (option, value, resp2) in [
            (option::INTERVAL, 1_000_000, 4),
            (option::INTERVAL, 6_000, 5),
            (option::INTERVAL, 60, 6),
            (option::TIME, -1, 4),
            (option::TIME, 1_006_000, 4),
        ] {
            let wrong = code(task, "STCO", &|call| {
                call.integer(option, value);
            })?;
            assert_eq!(wrong, (INVREQ, resp2), "{value}");
        }
        // Each part within its range: MINUTES and SECONDS alone may be more than 59.
        for (parts, resp2) in [
            (&[(option::HOURS, 100)][..], 4),
            (&[(option::HOURS, -1)], 4),
            (&[(option::HOURS, 1), (option::MINUTES, 60)], 5),
            (&[(option::MINUTES, 6_000)], 5),
            (&[(option::MINUTES, 1), (option::SECONDS, 60)], 6),
            (&[(option::SECONDS, 360_000)], 6),
        ] {
            let wrong = code(task, "STCO", &|call| {
                call.flag(option::AFTER);
                parts.iter().for_each(|(option, value)| {
                    call.integer(*option, *value);
                });
            })?;
            assert_eq!(wrong, (INVREQ, resp2), "{parts:?}");
        }
        for (part, value) in [(option::HOURS, 99), (option::MINUTES, 5_999), (option::SECONDS, 359_999)] {
            let accepted = code(task, "STCO", &|call| {
                call.flag(option::AFTER).integer(part, value).bytes(option::REQID, &e("STCOLATE"));
            })?;
            assert_eq!(accepted, NORMAL, "{value}");
            // The same name again, while it is pending.
            let twice = code(task, "STCO", &|call| {
                call.flag(option::AFTER).integer(part, value).bytes(option::REQID, &e("STCOLATE"));
            })?;
            assert_eq!(twice, (condition::IOERR.0, 0));
            cancel(task, "STCOLATE")?;
        }
        Ok(())
    });
}

#[test]
fn data_has_1_to_32763_bytes() {
    let lengths = tells("STLE", |task| {
        let reply = issue(task, command::RETRIEVE, |call| {
            call.integer(option::SET, 0).integer(option::LENGTH, 0);
        })?;
        assert_eq!(reply.code, NORMAL);
        let data = region::storage_access::Area::new(reply.number(option::SET) as usize, reply.number(option::LENGTH) as usize).read()?;
        assert!(data.iter().all(|byte| *byte == 0xC1));
        Ok(data.len())
    });
    run(|task| {
        let area = vec![0xC1; 32_764];
        let lengerr = (condition::LENGERR.0, 0);
        for (length, expected) in [(-1, lengerr), (0, lengerr), (1, NORMAL), (32_763, NORMAL), (32_764, lengerr)] {
            let code = start(task, "STLE", |call| {
                call.bytes(option::FROM, &area).integer(option::LENGTH, length);
            })?;
            assert_eq!(code, expected, "{length}");
        }
        Ok(())
    });
    let mut found = [lengths.recv_timeout(SOON).unwrap(), lengths.recv_timeout(SOON).unwrap()];
    found.sort_unstable();
    assert_eq!(found, [1, 32_763]);
}

#[test]
fn a_start_is_immediate_or_waits_for_its_time() {
    let started = tells("STTI", |task| {
        let code = task.start_code.text();
        Ok((code, Instant::now()))
    });
    let begun = Instant::now();
    run(|task| start(task, "STTI", |_| {}));
    assert_eq!(started.recv_timeout(SOON).unwrap().0, "S");
    for late in [0, 1] {
        let begun = Instant::now();
        let code = run(move |task| {
            start(task, "STTI", |call| {
                if late == 0 {
                    call.integer(option::INTERVAL, 1);
                } else {
                    call.flag(option::AFTER).integer(option::SECONDS, 1);
                }
            })
        });
        assert_eq!(code, NORMAL);
        let (_, at) = started.recv_timeout(SOON).unwrap();
        assert!(at - begun >= Duration::from_millis(990), "{:?}", at - begun);
    }
    assert!(begun.elapsed() < Duration::from_secs(60));
}

/// EIBREQID names the request, given or made up; CANCEL by that name takes it back.
#[test]
fn a_start_that_is_pending_is_cancelled_by_its_name() {
    let started = tells("STCA", |_| Ok(()));
    run(|task| {
        let code = start(task, "STCA", |call| {
            call.integer(option::INTERVAL, 1).bytes(option::REQID, &e("STCAONE "));
        })?;
        assert_eq!(code, NORMAL);
        let request = |task: &Task| t(&task.eib.bytes()[exec::eib::EIBREQID..exec::eib::EIBREQID + 8]);
        assert_eq!(request(task), "STCAONE");
        assert_eq!(cancel(task, "STCAONE")?, NORMAL);
        assert_eq!(cancel(task, "STCAONE")?, (condition::NOTFND.0, 0));
        start(task, "STCA", |call| {
            call.integer(option::INTERVAL, 1);
        })?;
        let made_up = request(task);
        assert!(!made_up.is_empty());
        assert_eq!(cancel(task, &made_up)?, NORMAL);
        Ok(())
    });
    assert!(started.recv_timeout(Duration::from_millis(1_500)).is_err(), "both were cancelled");
}

/// RETRIEVE gives what the START gave, once; what it did not give is ENVDEFERR.
#[test]
fn retrieve_gives_each_item_that_start_gave() {
    let all = tells("STRA", |task| {
        let reply = issue(task, command::RETRIEVE, |call| {
            call.bytes(option::INTO, &[0; 8]).integer(option::LENGTH, 8).bytes(option::RTRANSID, &[0; 4]);
            call.bytes(option::RTERMID, &[0; 4]).bytes(option::QUEUE, &[0; 8]);
        })?;
        let names = [option::INTO, option::RTRANSID, option::RTERMID, option::QUEUE].map(|option| reply.text(option));
        let again = issue(task, command::RETRIEVE, |_| {})?;
        Ok((reply.code, names, again.code))
    });
    let some = tells("STRB", |task| {
        let reply = issue(task, command::RETRIEVE, |call| {
            call.bytes(option::INTO, &[0; 8]).bytes(option::RTERMID, &[0; 4]);
        })?;
        start(task, "STRC", |_| {})?;
        Ok(reply.code)
    });
    let none = tells("STRC", |task| {
        let reply = issue(task, command::RETRIEVE, |call| {
            call.bytes(option::INTO, &[0; 8]);
        })?;
        Ok((task.start_code.text(), reply.code))
    });
    run(|task| {
        start(task, "STRA", |call| {
            call.bytes(option::FROM, &e("CONTENTS")).bytes(option::RTRANSID, &e("BACK")).bytes(option::RTERMID, &e("TERM"));
            call.bytes(option::QUEUE, &e("QUEUE   "));
        })?;
        start(task, "STRB", |call| {
            call.bytes(option::FROM, &e("CONTENTS"));
        })
    });
    let (code, names, again) = all.recv_timeout(SOON).unwrap();
    assert_eq!((code, again), (NORMAL, (condition::ENDDATA.0, 0)));
    assert_eq!(names, ["CONTENTS", "BACK", "TERM", "QUEUE"]);
    assert_eq!(some.recv_timeout(SOON).unwrap(), (condition::ENVDEFERR.0, 0));
    assert_eq!(none.recv_timeout(SOON).unwrap(), ("S", (condition::ENDDATA.0, 0)));
}

/// A channel is copied for the task started.
#[test]
fn start_channel_gives_the_task_a_copy() {
    let started = tells("STCH", |task| {
        let reply = issue(task, command::GET_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).bytes(option::INTO, &[0; 4]).integer(option::FLENGTH, 4);
        })?;
        Ok((task.start_code.text(), reply.code, reply.call.result_bytes(option::INTO)))
    });
    run(|task| {
        let channel = e(&format!("{:<16}", "STARTS"));
        let put = |task: &mut Task, data: &[u8]| {
            issue(task, command::PUT_CONTAINER, |call| {
                call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).bytes(option::CHANNEL, &channel).bytes(option::FROM, data);
            })
            .map(|reply| reply.code)
        };
        assert_eq!(put(task, b"DATA")?, NORMAL);
        let reply = issue(task, command::START_CHANNEL, |call| {
            call.bytes(option::TRANSID, &e("STCH")).bytes(option::CHANNEL, &channel);
        })?;
        assert_eq!(reply.code, NORMAL);
        put(task, b"LATE")
    });
    assert_eq!(started.recv_timeout(SOON).unwrap(), ("S", NORMAL, b"DATA".to_vec()));
}
