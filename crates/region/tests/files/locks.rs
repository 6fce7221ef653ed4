//! Record locks between tasks: waiting, deadlock, DTIMOUT, RLS.

use super::support::*;
use exec::{command, condition, option};
use region::exec_interface::Raised;
use region::transaction_manager::Task;
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
    add(&["LOCK01"]);
    let first = begin(|task| {
        read(task, "LCKFILE", "LOCK01", |call| {
            call.flag(option::UPDATE);
        })?;
        rewrite(task, "LCKFILE", "LOCK01", "FIRST")?;
        // A recoverable record stays locked after the REWRITE.
        delay(task, 150)?;
        syncpoint(task)?;
        Ok(Instant::now())
    });
    std::thread::sleep(Duration::from_millis(50));
    let (second, content) = run(|task| {
        // Reading is not waiting; what is read is committed.
        let before = read(task, "LCKFILE", "LOCK01", |_| {})?;
        assert_eq!(t(&before.call.result_bytes(option::INTO)[8..9]), "X");
        let reply = read(task, "LCKFILE", "LOCK01", |call| {
            call.flag(option::UPDATE);
        })?;
        Ok((Instant::now(), t(&reply.call.result_bytes(option::INTO)[8..13])))
    });
    assert_eq!(content, "FIRST");
    assert!(second + Duration::from_millis(20) >= first.result().unwrap());
}

#[test]
fn two_tasks_in_a_circle_end_one_of_them_with_afcf() {
    add(&["LOCK11", "LOCK12"]);
    let task_for = |mine: &'static str, other: &'static str| {
        begin(move |task| {
            assert_eq!(hold(task, mine)?, NORMAL);
            delay(task, 100)?;
            hold(task, other)
        })
    };
    let (one, two) = (task_for("LOCK11", "LOCK12"), task_for("LOCK12", "LOCK11"));
    let mut results = [one.result(), two.result()];
    results.sort_by_key(|result| result.is_err());
    assert_eq!(results, [Ok(NORMAL), Err("AFCF".into())]);
}

#[test]
fn dtimout_ends_a_wait_with_afcy() {
    add(&["LOCK21"]);
    let holder = begin(|task| {
        hold(task, "LOCK21")?;
        delay(task, 2_500)
    });
    std::thread::sleep(Duration::from_millis(50));
    let before = Instant::now();
    let waiter = begin_with(the_region(), &[("DTIMOUT", "1")], |task| hold(task, "LOCK21"));
    assert_eq!(waiter.result(), Err("AFCY".into()));
    assert!(before.elapsed() >= Duration::from_millis(900));
    holder.result().unwrap();
}

#[test]
fn rls_requests_do_not_wait_when_told_so() {
    add(&["LOCK31"]);
    let holder = begin(|task| {
        hold(task, "LOCK31")?;
        delay(task, 400)
    });
    std::thread::sleep(Duration::from_millis(50));
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
    holder.result().unwrap();
}

#[test]
fn unlock_and_a_file_without_recovery_let_go_at_once() {
    add(&["LOCK41"]);
    let holder = begin(|task| {
        read(task, "LCKFILE", "LOCK41", |call| {
            call.flag(option::UPDATE);
        })?;
        on_file(task, command::UNLOCK, "LCKFILE", |_| {})?;
        write(task, "BRWFILE", "LOCK42", "X")?;
        read(task, "BRWFILE", "LOCK42", |call| {
            call.flag(option::UPDATE);
        })?;
        rewrite(task, "BRWFILE", "LOCK42", "Y")?;
        delay(task, 1_000)
    });
    std::thread::sleep(Duration::from_millis(100));
    let before = Instant::now();
    run(|task| {
        assert_eq!(hold(task, "LOCK41")?, NORMAL);
        let deleted = on_file(task, command::DELETE, "BRWFILE", |call| {
            call.bytes(option::RIDFLD, &e("LOCK42  "));
        })?;
        assert_eq!(deleted.code, NORMAL);
        Ok(())
    });
    assert!(before.elapsed() < Duration::from_millis(800), "{:?}", before.elapsed());
    holder.result().unwrap();
}
