//! Units of work with other resource managers: two-phase commit, the loss of a last agent, and inquiry about and resolution of shunted
//! units of work.

use super::managers::Manager;
use super::support::*;
use exec::{command, condition, cvda, option};
use region::exec_interface::Call;
use region::resource_manager::Outcome;
use region::{Raised, ResourceManager, Task, Vote};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// More tasks than the machine has processors wait for their managers; another task must run for them to get their answers.
#[test]
fn tasks_that_wait_for_a_manager_hold_no_worker() {
    let count = 2 * std::thread::available_parallelism().map_or(4, |count| count.get() as u32);
    let (answer, answers) = std::sync::mpsc::channel();
    let (waiting_count, answers) = (Arc::new(AtomicU32::new(0)), Mutex::new(answers));
    let server = Manager::voting("SERVER", {
        let waiting = waiting_count.clone();
        move |caller| {
            waiting.fetch_add(1, Ordering::SeqCst);
            let answered = caller.blocking(|| answers.lock().unwrap().recv_timeout(std::time::Duration::from_secs(60)).is_ok());
            if answered { Vote::Prepared } else { Vote::No }
        }
    });
    let waiting: Vec<_> = (0..count)
        .map(|_| {
            let manager = server.clone() as Arc<dyn ResourceManager>;
            begin(move |task| {
                task.enlist(&manager)?;
                Ok(syncpoint(task)?.code)
            })
        })
        .collect();
    testing::eventually("all of them wait", || waiting_count.load(Ordering::SeqCst) == count);
    run(move |_| {
        (0..count).for_each(|_| answer.send(()).unwrap());
        Ok(())
    });
    for task in waiting {
        assert_eq!(task.result(), Ok(NORMAL));
    }
}

/// A task that writes a record with managers in its unit of work; its abend, or the condition of the syncpoint.
fn write_with(key: &'static str, managers: &[Arc<Manager>]) -> Result<(u16, i32), String> {
    let managers: Vec<Arc<dyn ResourceManager>> = managers.iter().map(|manager| manager.clone() as Arc<dyn ResourceManager>).collect();
    begin(move |task| {
        assert_eq!(write(task, "VARFILE", key, "DATA")?.code, NORMAL);
        for manager in &managers {
            task.enlist(manager)?;
        }
        Ok(syncpoint(task)?.code)
    })
    .result()
}

fn is_there(key: &'static str) -> bool {
    run(move |task| Ok(read(task, "VARFILE", key, |_| {})?.code == NORMAL))
}

#[test]
fn all_prepared_commit_and_one_no_backs_out_all() {
    let (one, two) =
        (Manager::new("ONE", false, Vote::Prepared, Outcome::Committed), Manager::new("TWO", false, Vote::ReadOnly, Outcome::Committed));
    assert_eq!(write_with("TWOPHAS1", &[one.clone(), two.clone()]), Ok(NORMAL));
    assert!(is_there("TWOPHAS1"));
    assert_eq!((one.told(), two.told()), (vec!["prepare", "commit"], vec!["prepare"]));

    let (yes, no) =
        (Manager::new("YES", false, Vote::Prepared, Outcome::Committed), Manager::new("NO", false, Vote::No, Outcome::Committed));
    let (code, _) = write_with("TWOPHAS2", &[yes.clone(), no.clone()]).unwrap();
    assert_eq!(code, condition::ROLLEDBACK.0);
    assert!(!is_there("TWOPHAS2"));
    assert_eq!((yes.told(), no.told()), (vec!["prepare", "backout"], vec!["prepare"]));
}

#[test]
fn a_last_agent_decides() {
    let agent = Manager::new("AGENT", true, Vote::No, Outcome::Committed);
    assert_eq!(write_with("AGENT001", std::slice::from_ref(&agent)), Ok(NORMAL));
    assert!(is_there("AGENT001"));
    assert_eq!(agent.told(), ["commit"]);
    let agent = Manager::new("AGENT", true, Vote::No, Outcome::BackedOut);
    assert_eq!(write_with("AGENT002", &[agent]).unwrap().0, condition::ROLLEDBACK.0);
    assert!(!is_there("AGENT002"));
}

/// Identifiers of the units of work that are shunted.
fn shunted(task: &mut Task) -> Result<Vec<Vec<u8>>, Raised> {
    assert_eq!(
        issue(task, command::INQUIRE_UOW, |call| {
            call.flag(option::START);
        })?
        .code,
        NORMAL
    );
    let mut units = Vec::new();
    loop {
        let reply = issue(task, command::INQUIRE_UOW, |call| {
            call.flag(option::NEXT).bytes(option::UOW, &[0; 8]).integer(option::UOWSTATE, 0).integer(option::WAITSTATE, 0);
            call.integer(option::WAITCAUSE, 0).bytes(option::LINK, &[0x40; 8]);
        })?;
        if reply.code != NORMAL {
            assert_eq!(reply.code, (condition::END.0, 2));
            break;
        }
        if reply.number(option::WAITSTATE) == cvda::SHUNTED {
            assert_eq!((reply.number(option::UOWSTATE), reply.number(option::WAITCAUSE)), (cvda::INDOUBT, cvda::RMI));
            units.push(reply.call.result_bytes(option::UOW));
        }
    }
    issue(task, command::INQUIRE_UOW, |call| {
        call.flag(option::END);
    })?;
    Ok(units)
}

fn set_uow(task: &mut Task, unit: &[u8], action: i64) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::SET_UOW, |call| {
        call.bytes(option::UOW, unit).integer(option::UOWSTATE, action);
    })?;
    Ok(reply.code)
}

/// States of the record locks of a unit of work.
fn enqueues(task: &mut Task, unit: &[u8]) -> Result<Vec<i64>, Raised> {
    let unit = unit.to_vec();
    assert_eq!(
        issue(task, command::INQUIRE_UOWENQ, |call| {
            call.flag(option::START).bytes(option::UOW, &unit);
        })?
        .code,
        NORMAL
    );
    let mut states = Vec::new();
    loop {
        let reply = issue(task, command::INQUIRE_UOWENQ, |call| {
            call.flag(option::NEXT).integer(option::STATE, 0).integer(option::TYPE, 0).bytes(option::UOW, &[0; 8]);
        })?;
        if reply.code != NORMAL {
            break;
        }
        assert_eq!(reply.number(option::TYPE), cvda::DATASET);
        states.push(reply.number(option::STATE));
    }
    issue(task, command::INQUIRE_UOWENQ, |call| {
        call.flag(option::END);
    })?;
    Ok(states)
}

#[test]
fn a_unit_with_a_lost_agent_is_shunted_until_resolved() {
    let agent = Manager::new("LOSTAGNT", true, Vote::No, Outcome::Unknown);
    units_in_doubt_end_by_data_set(&agent);
    for (key, action) in
        [("SHUNTED1", Some(cvda::COMMIT)), ("SHUNTED2", Some(cvda::BACKOUT)), ("SHUNTED3", Some(cvda::FORCE)), ("SHUNTED4", None)]
    {
        assert_eq!(write_with(key, std::slice::from_ref(&agent)), Err("ASP1".into()));
        assert!(!is_there(key), "nobody sees what is in doubt");
        let contact = agent.clone();
        run(move |task| {
            // Not a wait for nobody knows how long.
            assert_eq!(write(task, "VARFILE", key, "OTHER")?.code, (condition::LOCKED.0, 106));
            let units = shunted(task)?;
            assert_eq!(units.len(), 1);
            assert_eq!(enqueues(task, &units[0])?, [cvda::RETAINED]);
            match action {
                Some(action) => {
                    assert_eq!(set_uow(task, &units[0], cvda::INDOUBT)?, (condition::INVREQ.0, 3));
                    assert_eq!(set_uow(task, &units[0], action)?, NORMAL);
                    assert_eq!(set_uow(task, &units[0], action)?, (condition::UOWNOTFOUND.0, 1));
                }
                None => {
                    // Contact is restored: the agent had committed.
                    *contact.answer.lock().unwrap() = Outcome::Committed;
                    the_region().register_resource_manager(contact.clone()).unwrap();
                }
            }
            assert!(shunted(task)?.is_empty());
            Ok(())
        });
        let committed = action.is_none_or(|action| action == cvda::COMMIT);
        assert_eq!(is_there(key), committed, "{key}");
    }
}

/// RETLOCKS of a data set.
fn retained(task: &mut Task, name: &str) -> Result<i64, Raised> {
    let reply = issue(task, command::INQUIRE_DSNAME, |call| {
        call.bytes(option::DSNAME, &e(&format!("{name:<44}"))).integer(option::RETLOCKS, 0);
    })?;
    Ok(reply.number(option::RETLOCKS))
}

/// The failures in INQUIRE UOWDSNFAIL: unit of work, data set, CAUSE, REASON and RLSACCESS.
fn failures(task: &mut Task) -> Result<Vec<(Vec<u8>, String, i64, i64, i64)>, Raised> {
    let browse = |task: &mut Task, step| {
        issue(task, command::INQUIRE_UOWDSNFAIL, |call| {
            call.flag(step);
        })
    };
    assert_eq!(browse(task, option::START)?.code, NORMAL);
    assert_eq!(browse(task, option::START)?.code, (condition::ILLOGIC.0, 1));
    let mut failures = Vec::new();
    loop {
        let reply = issue(task, command::INQUIRE_UOWDSNFAIL, |call| {
            call.flag(option::NEXT).bytes(option::UOW, &[0; 8]).bytes(option::DSNAME, &[0; 44]);
            call.integer(option::CAUSE, 0).integer(option::REASON, 0).integer(option::RLSACCESS, 0);
            call.bytes(option::NETNAME, &[0; 8]).bytes(option::SYSID, &[0; 4]);
        })?;
        if reply.code != NORMAL {
            assert_eq!(reply.code, (condition::END.0, 2));
            break;
        }
        // No other system has a part in the failure.
        assert_eq!((reply.text(option::NETNAME), reply.text(option::SYSID)), (String::new(), String::new()));
        let numbers = [option::CAUSE, option::REASON, option::RLSACCESS].map(|option| reply.number(option));
        failures.push((reply.call.result_bytes(option::UOW), reply.text(option::DSNAME), numbers[0], numbers[1], numbers[2]));
    }
    assert_eq!(browse(task, option::END)?.code, NORMAL);
    Ok(failures)
}

/// SET DSNAME ends the units of work in doubt that have changed a data set. Runs within the test of shunted units, which counts them.
fn units_in_doubt_end_by_data_set(agent: &Arc<Manager>) {
    define_file(the_region(), "DSNVAR", "TEST.VARIABLE", &[("STATUS", "DISABLED")]);
    for (key, action, committed) in
        [("DSNUNIT1", option::COMMIT, true), ("DSNUNIT2", option::BACKOUT, false), ("DSNUNIT3", option::FORCE, false)]
    {
        assert_eq!(write_with(key, std::slice::from_ref(agent)), Err("ASP1".into()));
        run(move |task| {
            let set = |task: &mut Task, action| {
                let reply = issue(task, command::SET_DSNAME, |call| {
                    call.bytes(option::DSNAME, &e(&format!("{:<44}", "TEST.VARIABLE"))).flag(action);
                });
                reply.map(|reply| reply.code)
            };
            assert_eq!(retained(task, "TEST.VARIABLE")?, cvda::RETAINED);
            let unit = shunted(task)?.remove(0);
            let failure = (unit, "TEST.VARIABLE".to_string(), cvda::CONNECTION, cvda::INDOUBT, cvda::NOTRLS);
            assert_eq!(failures(task)?, [failure]);
            // Neither is for locks of units of work in doubt.
            for other in [option::RETRY, option::RESETLOCKS] {
                assert_eq!(set(task, other)?, NORMAL);
                assert_eq!(retained(task, "TEST.VARIABLE")?, cvda::RETAINED);
            }
            assert_eq!(set(task, option::REMOVE)?.0, condition::INVREQ.0);
            let changed = |task: &mut Task, build: &dyn Fn(&mut Call)| on_file(task, command::SET_FILE, "DSNVAR", |call| build(call));
            let attribute = changed(task, &|call| {
                call.flag(option::NOTADDABLE);
            })?;
            let name = changed(task, &|call| {
                call.bytes(option::DSNAME, &e(&format!("{:<44}", "TEST.FIXED")));
            })?;
            let discard = on_file(task, command::DISCARD_FILE, "DSNVAR", |_| {})?;
            let invalid = |resp2| (condition::INVREQ.0, resp2);
            assert_eq!([attribute.code, name.code, discard.code], [invalid(42), invalid(41), invalid(43)]);
            assert_eq!(set(task, action)?, NORMAL);
            assert_eq!(retained(task, "TEST.VARIABLE")?, cvda::NORETAINED);
            assert!(shunted(task)?.is_empty() && failures(task)?.is_empty());
            Ok(())
        });
        assert_eq!(is_there(key), committed, "{key}");
    }
}

#[test]
fn a_manager_lost_in_phase_two_is_notified_on_reconnection() {
    let manager = Manager::new("PHASETWO", false, Vote::Prepared, Outcome::Unknown);
    assert_eq!(write_with("PHASE2ND", std::slice::from_ref(&manager)), Ok(NORMAL));
    assert!(is_there("PHASE2ND"), "the decision was made");
    *manager.answer.lock().unwrap() = Outcome::Committed;
    the_region().register_resource_manager(manager.clone()).unwrap();
    assert_eq!(manager.told(), ["prepare", "commit", "commit"]);
    // And not again.
    the_region().register_resource_manager(manager.clone()).unwrap();
    assert_eq!(manager.told().len(), 3);
}

/// A queue that a unit of work in doubt has deleted is there, and its control intervals are in use, until the unit has committed.
#[test]
#[ignore = "run by the test of queues in doubt"]
fn child_deletes_queues_in_doubt() {
    let Some(region) = super::restart::region_with_queues(&[]) else { return };
    let intervals = || {
        let counters = queues::temporary_storage::TemporaryStorage::of(region).statistics().counters;
        counters.iter().find(|(name, _)| *name == "intervals_in_use").unwrap().1
    };
    let on_queue = |task: &mut Task, command, queue: &str| {
        issue(task, command, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &[0x40; 3_000]);
        })
        .map(|reply| reply.code)
    };
    let agent = Manager::new("LOSTAGNT", true, Vote::No, Outcome::Unknown);
    for (queue, action, left) in [("RECGONE", cvda::COMMIT, 1), ("RECSTAYS", cvda::BACKOUT, 2)] {
        let write = begin_with(region, &[], move |task| on_queue(task, command::WRITEQ_TS, queue));
        assert_eq!(write.result(), Ok(NORMAL));
        let written = intervals();
        let managed = agent.clone();
        let in_doubt = begin_with(region, &[], move |task| {
            on_queue(task, command::DELETEQ_TS, queue)?;
            on_queue(task, command::WRITEQ_TS, "RECNEW")?;
            task.enlist(&(managed.clone() as Arc<dyn ResourceManager>))?;
            syncpoint(task).map(|_| ())
        });
        assert_eq!(in_doubt.result(), Err("ASP1".into()));
        assert_eq!(intervals(), written);
        let decided = begin_with(region, &[], move |task| {
            let unit = shunted(task)?.remove(0);
            set_uow(task, &unit, action)
        });
        assert_eq!(decided.result(), Ok(NORMAL));
        assert_eq!(intervals(), left, "{queue}");
    }
    region.shutdown(false);
}

#[test]
fn control_intervals_of_queues_deleted_in_doubt_are_free_after_the_commit() {
    let directory = tempfile::tempdir().unwrap();
    super::restart::spawn_test("units::child_deletes_queues_in_doubt", directory.path(), 0);
}
