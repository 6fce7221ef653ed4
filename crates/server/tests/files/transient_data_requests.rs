//! Requests for transient data queues, command by command: the conditions of the queue, lengths, browses and DISCARD.

use super::support::*;
use super::transient_data::{QZERO, define, get, on_queue, put};
use exec::{CommandId, command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Task};

const REQUESTS: [CommandId; 3] = [command::WRITEQ_TD, command::READQ_TD, command::DELETEQ_TD];

fn request(task: &mut Task, command: CommandId, queue: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = on_queue(task, command, queue, |call| {
        match command {
            command::WRITEQ_TD => call.bytes(option::FROM, &e("X")),
            command::READQ_TD => call.bytes(option::INTO, &[0; 50]),
            _ => call,
        };
        build(call);
    })?;
    Ok(reply.code)
}

/// What WRITEQ, READQ and DELETEQ say of a queue they cannot use.
#[test]
fn each_request_has_the_conditions_of_its_queue() {
    define("RQ01", &[("TYPE", "INTRA")]);
    define("RQ02", &[("REMOTESYSTEM", "SYSB")]);
    define("RQ03", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DSNAME", "DUMMY"), ("RECORDFORMAT", "VARIABLE")]);
    define("RQ04", &[("TYPE", "EXTRA"), ("TYPEFILE", "INPUT"), ("DSNAME", "DUMMY"), ("RECORDFORMAT", "VARIABLE")]);
    define("RQ05", &[("TYPE", "EXTRA"), ("TYPEFILE", "INPUT"), ("DSNAME", "DUMMY"), ("OPENTIME", "DEFERRED")]);
    run(|task| {
        let set = |task: &mut Task, queue: &str, keyword| {
            issue(task, command::SET_TDQUEUE, |call| {
                call.bytes(option::TDQUEUE, &e(queue)).flag(keyword);
            })
            .map(|reply| reply.code)
        };
        let invreq = (condition::INVREQ.0, 0);
        for command in REQUESTS {
            assert_eq!(request(task, command, "NOQU", |_| {})?, (condition::QIDERR.0, 0), "{command:?}");
            assert_eq!(request(task, command, "RQ02", |_| {})?, (condition::SYSIDERR.0, 0), "{command:?}");
            let sysid = request(task, command, "RQ01", |call| {
                call.bytes(option::SYSID, &e("SYSB"));
            })?;
            assert_eq!(sysid, (condition::SYSIDERR.0, 0), "{command:?}");
            assert_eq!(set(task, "RQ01", option::DISABLED)?, NORMAL);
            assert_eq!(request(task, command, "RQ01", |_| {})?, (condition::DISABLED.0, 0), "{command:?}");
            assert_eq!(set(task, "RQ01", option::ENABLED)?, NORMAL);
            let resource = t(&task.eib.bytes()[exec::eib::EIBRSRCE..exec::eib::EIBRSRCE + 8]);
            assert!(resource.starts_with("RQ01"), "{resource}");
        }
        // Written to or read from only, and never deleted.
        assert_eq!(
            (request(task, command::READQ_TD, "RQ03", |_| {})?, request(task, command::DELETEQ_TD, "RQ03", |_| {})?),
            (invreq, invreq)
        );
        assert_eq!(
            (request(task, command::WRITEQ_TD, "RQ04", |_| {})?, request(task, command::DELETEQ_TD, "RQ04", |_| {})?),
            (invreq, invreq)
        );
        assert_eq!(request(task, command::READQ_TD, "RQ05", |_| {})?, (condition::NOTOPEN.0, 0));
        // DELETEQ of an empty queue is no error.
        assert_eq!(request(task, command::DELETEQ_TD, "RQ01", |_| {})?, NORMAL);
        Ok(())
    });
}

/// The record goes into the area as far as there is room, or to storage of CICS; either way it is gone.
#[test]
fn readq_gives_a_copy_or_a_pointer() {
    define("RP01", &[("TYPE", "INTRA")]);
    run(|task| {
        for (room, code) in [(5, NORMAL), (6, NORMAL), (4, (condition::LENGERR.0, 0)), (0, (condition::LENGERR.0, 0))] {
            put(task, "RP01", "12345")?;
            let reply = on_queue(task, command::READQ_TD, "RP01", |call| {
                call.bytes(option::INTO, &[0; 6]).integer(option::LENGTH, room);
            })?;
            assert_eq!((reply.code, reply.number(option::LENGTH)), (code, 5), "LENGTH({room})");
            let given = room.min(5) as usize;
            assert_eq!(reply.call.result_bytes(option::INTO)[..given], e("12345")[..given]);
            assert_eq!(get(task, "RP01")?, Err(QZERO), "read once");
        }
        put(task, "RP01", "12345")?;
        let set = on_queue(task, command::READQ_TD, "RP01", |call| {
            call.integer(option::SET, 0).integer(option::LENGTH, 0);
        })?;
        assert_eq!((set.code, set.number(option::LENGTH)), (NORMAL, 5));
        assert_eq!(region::storage_access::Area::new(set.number(option::SET) as usize, 5).read()?, e("12345"));
        Ok(())
    });
}

#[test]
fn queues_are_browsed_and_open_ones_are_not_discarded() {
    define("DSB2", &[("TYPE", "INTRA")]);
    define("DSB1", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DSNAME", "DUMMY"), ("RECORDFORMAT", "VARIABLE")]);
    define("DSB3", &[("TYPE", "INDIRECT"), ("INDIRECTNAME", "DSB2")]);
    run(|task| {
        let step = |task: &mut Task, step| {
            issue(task, command::INQUIRE_TDQUEUE, |call| {
                call.flag(step);
                if step == option::NEXT {
                    call.bytes(option::TDQUEUE, &[0x40; 4]).integer(option::TYPE, 0);
                }
            })
        };
        let illogic = (condition::ILLOGIC.0, 1);
        assert_eq!((step(task, option::NEXT)?.code, step(task, option::END)?.code), (illogic, illogic));
        assert_eq!((step(task, option::START)?.code, step(task, option::START)?.code), (NORMAL, illogic));
        let mut found = Vec::new();
        loop {
            let next = step(task, option::NEXT)?;
            if next.code != NORMAL {
                assert_eq!(next.code, (condition::END.0, 2));
                break;
            }
            found.push((next.text(option::TDQUEUE), next.number(option::TYPE)));
        }
        assert_eq!(step(task, option::END)?.code, NORMAL);
        let ours: Vec<_> = found.into_iter().filter(|(name, _)| name.starts_with("DSB")).collect();
        let expected = [("DSB1", cvda::EXTRA), ("DSB2", cvda::INTRA), ("DSB3", cvda::INDIRECT)];
        assert_eq!(ours, expected.map(|(name, kind)| (name.to_string(), kind)));
        let named = |task: &mut Task, command, queue: &str, flag: Option<exec::OptionId>| {
            issue(task, command, |call| {
                call.bytes(option::TDQUEUE, &e(queue));
                flag.into_iter().for_each(|flag| {
                    call.flag(flag);
                });
            })
            .map(|reply| reply.code)
        };
        for command in [command::INQUIRE_TDQUEUE, command::SET_TDQUEUE, command::DISCARD_TDQUEUE] {
            assert_eq!(named(task, command, "NOQU", None)?, (condition::QIDERR.0, 1), "{command:?}");
        }
        // Extrapartition: closed, then disabled, before it may go.
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "DSB1", None)?, (condition::INVREQ.0, 18));
        assert_eq!(named(task, command::SET_TDQUEUE, "DSB1", Some(option::CLOSED))?, NORMAL);
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "DSB1", None)?, (condition::INVREQ.0, 31));
        assert_eq!(named(task, command::SET_TDQUEUE, "DSB1", Some(option::DISABLED))?, NORMAL);
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "DSB1", None)?, NORMAL);
        assert_eq!(named(task, command::INQUIRE_TDQUEUE, "DSB1", None)?, (condition::QIDERR.0, 1));
        // An indirect queue has neither state.
        assert_eq!(named(task, command::DISCARD_TDQUEUE, "DSB3", None)?, NORMAL);
        Ok(())
    });
}
