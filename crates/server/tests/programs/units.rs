//! INQUIRE UOW, INQUIRE UOWENQ and SET UOW, of units of work in flight. Those in doubt are tested with their resource managers.

use super::support::*;
use csd::Definition;
use exec::{CommandId, OptionId, command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Task};

const ILLOGIC: (u16, i32) = (condition::ILLOGIC.0, 1);
const END: (u16, i32) = (condition::END.0, 2);
const UOWNOTFOUND: (u16, i32) = (condition::UOWNOTFOUND.0, 1);

/// The unit of work of a task.
fn unit_of(task: &mut Task, number: u32) -> Result<Vec<u8>, Raised> {
    let reply = issue(task, command::INQUIRE_TASK, |call| {
        call.integer(option::TASK, i64::from(number)).bytes(option::UOW, &[0; 8]);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(reply.call.result_bytes(option::UOW))
}

const NUMBERS: [OptionId; 5] = [option::AGE, option::TASKID, option::UOWSTATE, option::WAITSTATE, option::WAITCAUSE];
const NAMES: [(OptionId, usize); 7] = [
    (option::TRANSID, 4),
    (option::USERID, 8),
    (option::TERMID, 4),
    (option::LINK, 8),
    (option::NETNAME, 8),
    (option::SYSID, 4),
    (option::OTSTID, 128),
];

fn inquire(task: &mut Task, unit: Option<&[u8]>) -> Result<Reply, Raised> {
    issue(task, command::INQUIRE_UOW, |call| {
        match unit {
            Some(unit) => call.bytes(option::UOW, unit),
            None => call.flag(option::NEXT).bytes(option::UOW, &[0; 8]),
        };
        NUMBERS.into_iter().for_each(|option| {
            call.integer(option, -7);
        });
        NAMES.into_iter().for_each(|(option, length)| {
            call.bytes(option, &vec![0; length]);
        });
        call.bytes(option::NETUOWID, &[0; 27]);
    })
}

fn browse(task: &mut Task, command: CommandId, step: OptionId) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command, |call| {
        call.flag(step);
    })?;
    Ok(reply.code)
}

#[test]
fn a_unit_of_work_in_flight_is_inquired() {
    let other = begin(|task| delay(task, 1_500));
    let number = other.number();
    run(move |task| {
        // Long enough for the other task to wait, and shorter than it waits.
        delay(task, 300)?;
        let own = unit_of(task, task.number)?;
        let reply = inquire(task, Some(&own))?;
        assert_eq!(reply.code, NORMAL);
        let numbers = NUMBERS.map(|option| reply.number(option));
        assert!((0..60).contains(&numbers[0]), "AGE {}", numbers[0]);
        assert_eq!(numbers[1..], [i64::from(task.number), cvda::INFLIGHT, cvda::ACTIVE, cvda::NOTAPPLIC]);
        let names = NAMES.map(|(option, _)| reply.text(option));
        assert_eq!(names[..2], [task.transid.to_string(), "CICSUSER".to_string()]);
        assert!(names[2..].iter().all(String::is_empty), "no terminal, no link: {names:?}");
        let network = reply.call.result_bytes(option::NETUOWID);
        assert!(network.iter().any(|byte| *byte != 0), "NETUOWID");
        // Another task's, which waits.
        let others = unit_of(task, number)?;
        assert_ne!(own, others);
        let reply = inquire(task, Some(&others))?;
        let seen = (reply.number(option::TASKID), reply.number(option::UOWSTATE), reply.number(option::WAITSTATE));
        assert_eq!(seen, (i64::from(number), cvda::INFLIGHT, cvda::WAITING));
        assert_ne!(reply.call.result_bytes(option::NETUOWID), network);
        assert_eq!(inquire(task, Some(&[0xFF; 8]))?.code, UOWNOTFOUND);
        // A syncpoint begins another unit of work.
        syncpoint(task)?;
        assert_eq!(inquire(task, Some(&own))?.code, UOWNOTFOUND);
        let next = unit_of(task, task.number)?;
        assert_eq!(inquire(task, Some(&next))?.code, NORMAL);
        Ok(())
    });
    other.result().unwrap();
}

#[test]
fn units_of_work_are_browsed() {
    run(|task| {
        let own = unit_of(task, task.number)?;
        assert_eq!(inquire(task, None)?.code, ILLOGIC);
        assert_eq!(browse(task, command::INQUIRE_UOW, option::END)?, ILLOGIC);
        assert_eq!(browse(task, command::INQUIRE_UOW, option::START)?, NORMAL);
        assert_eq!(browse(task, command::INQUIRE_UOW, option::START)?, ILLOGIC);
        let mut found = 0;
        loop {
            let reply = inquire(task, None)?;
            if reply.code != NORMAL {
                assert_eq!(reply.code, END);
                break;
            }
            if reply.call.result_bytes(option::UOW) == own {
                assert_eq!(reply.number(option::TASKID), i64::from(task.number));
                found += 1;
            }
        }
        assert_eq!(found, 1);
        assert_eq!(browse(task, command::INQUIRE_UOW, option::END)?, NORMAL);
        Ok(())
    });
}

/// Only units of work in doubt can be ended so.
#[test]
fn set_uow_refuses_a_unit_of_work_in_flight() {
    run(|task| {
        let own = unit_of(task, task.number)?;
        let set = |task: &mut Task, unit: &[u8], build: &dyn Fn(&mut Call)| {
            issue(task, command::SET_UOW, |call| {
                call.bytes(option::UOW, unit);
                build(call);
            })
            .map(|reply| reply.code)
        };
        for action in [option::COMMIT, option::BACKOUT, option::FORCE] {
            let keyword = move |call: &mut Call| {
                call.flag(action);
            };
            assert_eq!(set(task, &own, &keyword)?, (condition::INVREQ.0, 4));
            assert_eq!(set(task, &[0xFF; 8], &keyword)?, UOWNOTFOUND);
        }
        let wrong = set(task, &own, &|call| {
            call.integer(option::UOWSTATE, cvda::INFLIGHT);
        })?;
        assert_eq!(wrong, (condition::INVREQ.0, 3));
        Ok(())
    });
}

/// One row of INQUIRE UOWENQ.
#[derive(Debug)]
struct Row {
    unit: Vec<u8>,
    task: i64,
    transid: String,
    relation: i64,
    state: i64,
    kind: i64,
    resource: Vec<u8>,
    qualifier: Vec<u8>,
}

fn enqueues(task: &mut Task, start: impl FnOnce(&mut Call)) -> Result<Vec<Row>, Raised> {
    let started = issue(task, command::INQUIRE_UOWENQ, |call| {
        call.flag(option::START);
        start(call);
    })?;
    assert_eq!(started.code, NORMAL);
    let mut rows = Vec::new();
    let numbers = [
        option::TASKID,
        option::RELATION,
        option::STATE,
        option::TYPE,
        option::RESLEN,
        option::QUALLEN,
        option::DURATION,
        option::ENQFAILS,
    ];
    loop {
        let reply = issue(task, command::INQUIRE_UOWENQ, |call| {
            call.flag(option::NEXT).bytes(option::UOW, &[0; 8]).bytes(option::TRANSID, &[0; 4]);
            call.bytes(option::RESOURCE, &[0; 255]).bytes(option::QUALIFIER, &[0; 255]).bytes(option::NETUOWID, &[0; 27]);
            numbers.into_iter().for_each(|option| {
                call.integer(option, -7);
            });
        })?;
        if reply.code != NORMAL {
            assert_eq!(reply.code, END);
            break;
        }
        assert!((0..60).contains(&reply.number(option::DURATION)) && reply.number(option::ENQFAILS) == 0);
        let area = |option, length| reply.call.result_bytes(option)[..reply.number(length) as usize].to_vec();
        rows.push(Row {
            unit: reply.call.result_bytes(option::UOW),
            task: reply.number(option::TASKID),
            transid: reply.text(option::TRANSID),
            relation: reply.number(option::RELATION),
            state: reply.number(option::STATE),
            kind: reply.number(option::TYPE),
            resource: area(option::RESOURCE, option::RESLEN),
            qualifier: area(option::QUALIFIER, option::QUALLEN),
        });
    }
    assert_eq!(browse(task, command::INQUIRE_UOWENQ, option::END)?, NORMAL);
    Ok(rows)
}

/// A unit of work with an enqueue of each kind; another waits for one of them.
#[test]
fn enqueues_and_locks_are_listed_by_unit_of_work_and_by_resource() {
    let region = the_region();
    region.install(&Definition::new("ENQMODEL", "UOWENQM", "TEST").with("ENQNAME", "UOWENQ-*").with("ENQSCOPE", "SCPE")).unwrap();
    region.install(&Definition::new("TDQUEUE", "UETD", "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", "LOGICAL")).unwrap();
    let model = Definition::new("TSMODEL", "UOWENQTS", "TEST").with("PREFIX", "UETS").with("RECOVERY", "YES");
    region.install(&model.with("LOCATION", "AUXILIARY")).unwrap();
    let (held, end) = (Flag::default(), Flag::default());
    let holder = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            enq(task)?;
            assert_eq!(
                issue(task, command::ENQ, |call| {
                    call.area(option::RESOURCE, 0x0070_0000, 8);
                })?
                .code,
                NORMAL
            );
            assert_eq!(write(task, "VARFILE", "UOWENQ1", "X")?.code, NORMAL);
            for (command, queue) in [(command::WRITEQ_TD, "UETD"), (command::WRITEQ_TS, "UETSQUEU")] {
                let written = issue(task, command, |call| {
                    call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, b"X");
                })?;
                assert_eq!(written.code, NORMAL);
            }
            held.raise();
            end.await_raised(task)
        })
    };
    held.wait();
    let waiter = begin(enq);
    until(|| is_waiting(region, "ENQUEUE"));
    let (owner_task, waiter_task) = (i64::from(holder.number()), i64::from(waiter.number()));
    run(move |task| {
        let unit = unit_of(task, owner_task as u32)?;
        let rows = enqueues(task, |call| {
            call.bytes(option::UOW, &unit);
        })?;
        assert!(rows.iter().all(|row| row.unit == unit && row.task == owner_task && row.relation == cvda::OWNER), "{rows:?}");
        assert!(rows.iter().all(|row| row.state == cvda::ACTIVE && !row.transid.is_empty()), "{rows:?}");
        let of = |kind: i64| rows.iter().find(|row| row.kind == kind).unwrap_or_else(|| panic!("{kind}: {rows:?}"));
        let value = of(cvda::EXECENQ);
        assert_eq!((value.resource.clone(), value.qualifier.len()), (e("UOWENQ-R"), 0));
        assert_eq!(of(cvda::EXECENQADDR).resource, [0, 0x70, 0, 0]);
        let record = of(cvda::DATASET);
        assert_eq!((t(&record.resource), record.qualifier.clone()), ("TEST.VARIABLE".to_string(), e("UOWENQ1 ")));
        assert_eq!(t(&of(cvda::TDQUEUE).resource), "UETD");
        assert_eq!(t(&of(cvda::TSQUEUE).resource), "UETSQUEU");
        // By resource: the owner and the one who waits.
        let rows = enqueues(task, |call| {
            call.bytes(option::RESOURCE, &e("UOWENQ-R")).integer(option::RESLEN, 8);
        })?;
        let seen: Vec<(i64, i64)> = rows.iter().map(|row| (row.task, row.relation)).collect();
        assert_eq!(seen, [(owner_task, cvda::OWNER), (waiter_task, cvda::WAITER)]);
        // By scope.
        let rows = enqueues(task, |call| {
            call.bytes(option::ENQSCOPE, &e("SCPE"));
        })?;
        assert_eq!(rows.len(), 2);
        let none = enqueues(task, |call| {
            call.bytes(option::RESOURCE, &e("NOBODYS ")).integer(option::RESLEN, 8);
        })?;
        assert!(none.is_empty());
        let unknown = issue(task, command::INQUIRE_UOWENQ, |call| {
            call.flag(option::START).bytes(option::UOW, &[0xFF; 8]);
        })?;
        assert_eq!(unknown.code, UOWNOTFOUND);
        assert_eq!(browse(task, command::INQUIRE_UOWENQ, option::NEXT)?, ILLOGIC);
        Ok(())
    });
    end.raise();
    holder.result().unwrap();
    waiter.result().unwrap();
}

fn enq(task: &mut Task) -> Result<(), Raised> {
    let reply = issue(task, command::ENQ, |call| {
        call.bytes(option::RESOURCE, &e("UOWENQ-R")).integer(option::LENGTH, 8);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(())
}

/// SYNCPOINT and SYNCPOINT ROLLBACK end a unit of work with changes of files and queues where the task is: no participant needs QR.
#[test]
fn a_syncpoint_stays_on_the_open_tcb() {
    let changes = begin_with(the_region(), &[("CONCURRENCY", "REQUIRED")], |task| {
        let mut modes = Vec::new();
        for command in [command::SYNCPOINT, command::SYNCPOINT_ROLLBACK] {
            assert_eq!(write(task, "VARFILE", &format!("OPEN{}", modes.len()), "X")?.code, NORMAL);
            issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option::QUEUE, &e("OPENTCB ")).bytes(option::FROM, b"X");
            })?;
            let before = task.kernel.times().change_modes;
            assert_eq!(issue(task, command, |_| {})?.code, NORMAL);
            modes.push((task.kernel.mode(), task.kernel.times().change_modes - before));
        }
        Ok(modes)
    });
    assert_eq!(changes.result().unwrap(), [(kernel::Mode::L8, 0); 2]);
}
