//! Record locks between tasks: waiting, deadlock, DTIMOUT, RLS.

use super::support::*;
use exec::{command, condition, option};
use region::{Raised, Task};
use std::time::{Duration, Instant};

fn hold(task: &mut Task, key: &str) -> Result<(u16, i32), Raised> {
    read(task, "LCKFILE", key, |call| {
        call.flag(option::UPDATE).bytes(option::TOKEN, &[0; 4]);
    })
    .map(|reply| reply.code)
}

fn add(keys: &'static [&'static str]) {
    run(move |task| {
        for key in keys {
            assert_eq!(write(task, "LCKFILE", key, "X")?.code, NORMAL);
        }
        Ok(())
    });
}

#[test]
fn a_second_task_waits_for_the_syncpoint_of_the_first() {
    let region = the_region();
    add(&["LOCK01"]);
    let (locked, commit) = (Flag::default(), Flag::default());
    let first = {
        let (locked, commit) = (locked.clone(), commit.clone());
        begin(move |task| {
            read(task, "LCKFILE", "LOCK01", |call| {
                call.flag(option::UPDATE);
            })?;
            // A recoverable record stays locked after the REWRITE.
            rewrite(task, "LCKFILE", "LOCK01", "FIRST")?;
            locked.raise();
            commit.await_raised(task)?;
            Ok(syncpoint(task)?.code)
        })
    };
    locked.wait();
    let seen = commit.clone();
    let second = begin(move |task| {
        // Reading is not waiting; what is read is committed.
        let before = read(task, "LCKFILE", "LOCK01", |_| {})?;
        assert_eq!(t(&before.call.result_bytes(option::INTO)[8..9]), "X");
        let reply = read(task, "LCKFILE", "LOCK01", |call| {
            call.flag(option::UPDATE);
        })?;
        Ok((seen.is_raised(), t(&reply.call.result_bytes(option::INTO)[8..13])))
    });
    until(|| is_waiting(region, "FCDSRECD"));
    commit.raise();
    assert_eq!(second.result(), Ok((true, "FIRST".to_string())));
    assert_eq!(first.result(), Ok(NORMAL));
    let statistics = files::file_control::FileControl::of(region).find(region::name::Name8::new("LCKFILE")).unwrap().statistics();
    let waits = statistics.counter("record_lock_waits");
    assert!(waits > 0);
}

#[test]
fn two_tasks_in_a_circle_end_one_of_them_with_afcf() {
    add(&["LOCK11", "LOCK12"]);
    let both = Flag::default();
    let task_for = |mine: &'static str, other: &'static str| {
        let both = both.clone();
        begin(move |task| {
            assert_eq!(hold(task, mine)?, NORMAL);
            both.raise();
            both.await_times(task, 2)?;
            hold(task, other)
        })
    };
    let (one, two) = (task_for("LOCK11", "LOCK12"), task_for("LOCK12", "LOCK11"));
    let mut results = [one.result(), two.result()];
    results.sort_by_key(|result| result.is_err());
    assert_eq!(results, [Ok(NORMAL), Err("AFCF".into())]);
}

/// A task that holds a record until it is told to end.
fn holder(key: &'static str) -> (Flag, Running<()>) {
    let (held, end) = (Flag::default(), Flag::default());
    let running = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            assert_eq!(hold(task, key)?, NORMAL);
            held.raise();
            end.await_raised(task)
        })
    };
    held.wait();
    (end, running)
}

#[test]
fn dtimout_ends_a_wait_with_afcy() {
    add(&["LOCK21"]);
    let (end, running) = holder("LOCK21");
    let before = Instant::now();
    // SPURGE(NO) overrides DTIMOUT: this task goes on waiting.
    let patient = begin_with(the_region(), &[("DTIMOUT", "1"), ("SPURGE", "NO")], |task| hold(task, "LOCK21"));
    let waiter = begin_with(the_region(), &[("DTIMOUT", "1"), ("SPURGE", "YES")], |task| hold(task, "LOCK21"));
    assert_eq!(waiter.result(), Err("AFCY".into()));
    assert!(before.elapsed() >= Duration::from_millis(900));
    // One minute and no seconds is far away.
    let minute = begin_with(the_region(), &[("DTIMOUT", "100"), ("SPURGE", "YES")], |task| hold(task, "LOCK21"));
    std::thread::sleep(Duration::from_millis(300));
    end.raise();
    assert_eq!(patient.result(), Ok(NORMAL));
    assert_eq!(minute.result(), Ok(NORMAL));
    running.result().unwrap();
}

#[test]
fn rls_requests_do_not_wait_when_told_so() {
    add(&["LOCK31"]);
    let (end, running) = holder("LOCK31");
    run(|task| {
        let busy = (condition::RECORDBUSY.0, 107);
        let mut code = |options: &[exec::OptionId]| {
            read(task, "RLSFILE", "LOCK31", |call| {
                for option in options {
                    call.flag(*option);
                }
            })
            .map(|reply| reply.code)
        };
        assert_eq!(code(&[option::UPDATE, option::NOSUSPEND])?, busy);
        assert_eq!(code(&[option::CONSISTENT, option::NOSUSPEND])?, busy);
        assert_eq!(code(&[option::UNCOMMITTED])?, NORMAL);
        let deleted = on_file(task, command::DELETE, "RLSFILE", |call| {
            call.bytes(option::RIDFLD, &e("LOCK31  ")).flag(option::NOSUSPEND);
        })?;
        assert_eq!(deleted.code, busy);
        Ok(())
    });
    end.raise();
    running.result().unwrap();
}

/// Readers with REPEATABLE share a record to the ends of their units of work; an update waits for them.
#[test]
fn repeatable_readers_share_a_record_and_keep_it_from_updates() {
    add(&["LOCK35"]);
    let repeatable = |task: &mut Task| {
        read(task, "RLSFILE", "LOCK35", |call| {
            call.flag(option::REPEATABLE).flag(option::NOSUSPEND);
        })
        .map(|reply| reply.code)
    };
    let (held, end) = (Flag::default(), Flag::default());
    let reader = || {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            assert_eq!(repeatable(task)?, NORMAL);
            held.raise();
            end.await_raised(task)?;
            // It is as it was.
            let again = read(task, "RLSFILE", "LOCK35", |_| {})?;
            Ok(t(&again.call.result_bytes(option::INTO)[8..9]))
        })
    };
    let readers = [reader(), reader()];
    until(|| held.count() == 2);
    run(move |task| {
        let busy = (condition::RECORDBUSY.0, 107);
        let read_as = |task: &mut Task, options: &[exec::OptionId]| {
            read(task, "RLSFILE", "LOCK35", |call| {
                options.iter().for_each(|option| {
                    call.flag(*option);
                });
            })
            .map(|reply| reply.code)
        };
        assert_eq!(read_as(task, &[option::CONSISTENT, option::NOSUSPEND])?, NORMAL);
        assert_eq!(read_as(task, &[option::UPDATE, option::NOSUSPEND])?, busy);
        // A browse with integrity shares it too.
        let key = e("LOCK35  ");
        on_file(task, command::STARTBR, "RLSFILE", |call| {
            call.bytes(option::RIDFLD, &key);
        })?;
        let next = on_file(task, command::READNEXT, "RLSFILE", |call| {
            call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &key).flag(option::CONSISTENT).flag(option::NOSUSPEND);
        })?;
        assert_eq!(next.code, NORMAL);
        Ok(())
    });
    let seen = end.clone();
    let writer = begin(move |task| {
        let held = read(task, "RLSFILE", "LOCK35", |call| {
            call.flag(option::UPDATE);
        })?;
        assert_eq!(held.code, NORMAL);
        rewrite(task, "RLSFILE", "LOCK35", "N")?;
        Ok(seen.is_raised())
    });
    until(|| is_waiting_for(the_region(), "FCRVWAIT", "RLSFILE"));
    end.raise();
    for reader in readers {
        assert_eq!(reader.result(), Ok("X".to_string()));
    }
    assert_eq!(writer.result(), Ok(true));
}

/// Two readers of a record that both want to change it block each other.
#[test]
fn repeatable_readers_who_update_end_one_with_afcw() {
    add(&["LOCK36"]);
    let held = Flag::default();
    let upgrade = || {
        let held = held.clone();
        begin(move |task| {
            read(task, "RLSFILE", "LOCK36", |call| {
                call.flag(option::REPEATABLE);
            })?;
            held.raise();
            held.await_times(task, 2)?;
            read(task, "RLSFILE", "LOCK36", |call| {
                call.flag(option::UPDATE);
            })
            .map(|reply| reply.code)
        })
    };
    let mut ends = [upgrade(), upgrade()].map(|task| task.result());
    ends.sort();
    assert_eq!(ends, [Ok(NORMAL), Err("AFCW".to_string())]);
}

#[test]
fn unlock_and_a_file_without_recovery_let_go_at_once() {
    add(&["LOCK41"]);
    let (let_go, end) = (Flag::default(), Flag::default());
    let running = {
        let (let_go, end) = (let_go.clone(), end.clone());
        begin(move |task| {
            read(task, "LCKFILE", "LOCK41", |call| {
                call.flag(option::UPDATE);
            })?;
            on_file(task, command::UNLOCK, "LCKFILE", |_| {})?;
            write(task, "BRWFILE", "LOCK42", "X")?;
            read(task, "BRWFILE", "LOCK42", |call| {
                call.flag(option::UPDATE);
            })?;
            rewrite(task, "BRWFILE", "LOCK42", "Y")?;
            let_go.raise();
            end.await_raised(task)
        })
    };
    let_go.wait();
    // The first task has not ended, so a lock it still held would never be released.
    run(|task| {
        assert_eq!(hold(task, "LOCK41")?, NORMAL);
        let deleted = on_file(task, command::DELETE, "BRWFILE", |call| {
            call.bytes(option::RIDFLD, &e("LOCK42  "));
        })?;
        assert_eq!(deleted.code, NORMAL);
        Ok(())
    });
    end.raise();
    running.result().unwrap();
}

#[test]
fn strings_limit_the_requests_of_a_file_and_are_given_back() {
    let region = the_region();
    define_file(region, "STRFILE", "TEST.LOCKS", &[("RECOVERY", "BACKOUTONLY"), ("STRINGS", "1")]);
    add(&["STRING1", "STRING2"]);
    let hold_one = |task: &mut Task, key: &str| {
        read(task, "STRFILE", key, |call| {
            call.flag(option::UPDATE).bytes(option::TOKEN, &[0; 4]);
        })
        .map(|reply| reply.code)
    };
    let (held, end) = (Flag::default(), Flag::default());
    let holder = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            assert_eq!(hold_one(task, "STRING1")?, NORMAL);
            // A task that has a string does not wait for another one.
            assert_eq!(read(task, "STRFILE", "STRING2", |_| {})?.code, NORMAL);
            held.raise();
            end.await_raised(task)
        })
    };
    held.wait();
    let seen = end.clone();
    let waiter = begin(move |task| {
        assert_eq!(read(task, "STRFILE", "STRING2", |_| {})?.code, NORMAL);
        Ok(seen.is_raised())
    });
    until(|| is_waiting(region, "FCPSSUSP"));
    end.raise();
    holder.result().unwrap();
    assert_eq!(waiter.result(), Ok(true));
    let statistics = files::file_control::FileControl::of(region).find(region::name::Name8::new("STRFILE")).unwrap().statistics();
    assert!(statistics.counters.contains(&("string_waits", 1)), "{statistics:?}");
    // Everything was released: browses, updates and holds ended by a syncpoint.
    for _ in 0..3 {
        run(move |task| {
            hold_one(task, "STRING1")?;
            on_file(task, command::STARTBR, "STRFILE", |call| {
                call.bytes(option::RIDFLD, &e("STRING1 "));
            })?;
            Ok(())
        });
    }
    let waiter =
        begin_with(region, &[("DTIMOUT", "5"), ("SPURGE", "YES")], |task| read(task, "STRFILE", "STRING2", |_| {}).map(|reply| reply.code));
    assert_eq!(waiter.result(), Ok(NORMAL));
}
