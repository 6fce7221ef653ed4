//! WRITEQ, READQ and DELETEQ TS; models; INQUIRE and SET TSQUEUE.

use super::queue_support::*;
use super::support::*;
use csd::Definition;
use exec::{command, condition, cvda, option};
use region::{Raised, Task};
use std::sync::OnceLock;

fn models() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let region = the_region();
        let recoverable = Definition::new("TSMODEL", "RECMODEL", "TEST").with("PREFIX", "REC").with("RECOVERY", "YES");
        region.install(&recoverable.with("LOCATION", "AUXILIARY")).unwrap();
        let main = Definition::new("TSMODEL", "MAIMODEL", "TEST").with("PREFIX", "MAI").with("LOCATION", "MAIN");
        region.install(&main).unwrap();
        region.install(&Definition::new("TSMODEL", "REMMODEL", "TEST").with("PREFIX", "REMO").with("REMOTESYSTEM", "SYSB")).unwrap();
    });
}

/// Main or auxiliary storage, a shared pool, another system, recovery: whatever the WRITEQ asks for, the model with the longest prefix that
/// fits has the say.
#[test]
fn the_model_of_a_prefix_says_where_a_queue_is() {
    let region = the_region();
    for (model, prefix, attributes) in [
        ("PFXMAIN", "PFX", &[("LOCATION", "MAIN")][..]),
        ("PFXAUX", "PFXA", &[("LOCATION", "AUXILIARY")]),
        ("PFXREC", "PFXAR", &[("LOCATION", "AUXILIARY"), ("RECOVERY", "YES")]),
        ("PFXPOOL", "PFXS", &[("POOLNAME", "PFXPOOL")]),
        ("PFXFAR", "PFXF", &[("REMOTESYSTEM", "SYSB")]),
    ] {
        let definition = Definition::new("TSMODEL", model, "TEST").with("PREFIX", prefix);
        let definition = attributes.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
        region.install(&definition).unwrap();
    }
    run(|task| {
        // Two items: one for good, one that is backed out if the queue is recoverable.
        let mut write = |queue: &str| {
            let put = |task: &mut Task, kind| {
                on_queue(task, command::WRITEQ_TS, queue, |call| {
                    call.bytes(option::FROM, &e("X")).flag(kind);
                })
            };
            let first = put(task, option::AUXILIARY)?.code;
            syncpoint(task)?;
            let second = put(task, option::MAIN)?.code;
            rollback(task)?;
            let local = issue(task, command::INQUIRE_TSQNAME, |call| {
                call.bytes(option::TSQNAME, &e(&format!("{queue:16}"))).integer(option::LOCATION, 0).integer(option::NUMITEMS, 0);
                call.integer(option::RECOVSTATUS, 0);
            })?;
            let pooled = issue(task, command::INQUIRE_TSQNAME, |call| {
                call.bytes(option::TSQNAME, &e(&format!("{queue:16}")))
                    .bytes(option::POOLNAME, &e("PFXPOOL "))
                    .integer(option::NUMITEMS, 0);
            })?;
            let found = |reply: &Reply, option| if reply.code == NORMAL { Some(reply.number(option)) } else { None };
            let options = [option::LOCATION, option::NUMITEMS, option::RECOVSTATUS];
            Ok::<_, region::Raised>(((first, second), options.map(|option| found(&local, option)), found(&pooled, option::NUMITEMS)))
        };
        let (both, far) = ((NORMAL, NORMAL), (condition::SYSIDERR.0, 0));
        let (not, recoverable) = (Some(cvda::NOTRECOVABLE), Some(cvda::RECOVERABLE));
        assert_eq!(write("PFX1")?, (both, [Some(cvda::MAIN), Some(2), not], None));
        assert_eq!(write("PFXA1")?, (both, [Some(cvda::AUXILIARY), Some(2), not], None));
        assert_eq!(write("PFXAR1")?, (both, [Some(cvda::AUXILIARY), Some(1), recoverable], None));
        assert_eq!(write("PFXS1")?, (both, [None; 3], Some(2)));
        assert_eq!(write("PFXF1")?, ((far, far), [None; 3], None));
        Ok(())
    });
}

/// The same for every kind of queue: by command option, by model, recoverable.
#[test]
fn items_are_written_read_rewritten_and_deleted() {
    models();
    for (queue, main) in [("AUX1", false), ("MAIN1", true), ("MAIMODL1", false), ("RECOV1", false)] {
        run(move |task| {
            assert_eq!(get(task, queue, None)?, Err(QIDERR), "{queue}");
            assert_eq!(delete(task, queue)?, QIDERR);
            for (number, text) in [(1, "ONE"), (2, "TWO"), (3, "THREE")] {
                let reply = on_queue(task, command::WRITEQ_TS, queue, |call| {
                    call.bytes(option::FROM, &e(text)).integer(option::ITEM, 0).integer(option::NUMITEMS, 0);
                    call.flag(if main { option::MAIN } else { option::AUXILIARY });
                })?;
                assert_eq!((reply.code, reply.number(option::ITEM), reply.number(option::NUMITEMS)), (NORMAL, number, number));
            }
            for text in ["ONE", "TWO", "THREE"] {
                assert_eq!(get(task, queue, None)?, ok(text), "{queue}");
            }
            assert_eq!(get(task, queue, None)?, Err(ITEMERR));
            assert_eq!(get(task, queue, Some(1))?, ok("ONE"));
            assert_eq!(get(task, queue, None)?, ok("TWO"));
            for item in [0, 4, -1] {
                assert_eq!(get(task, queue, Some(item))?, Err(ITEMERR));
            }
            let mut rewrite = |item: i64| {
                on_queue(task, command::WRITEQ_TS, queue, |call| {
                    call.bytes(option::FROM, &e("NEW TWO")).integer(option::ITEM, item).flag(option::REWRITE).integer(option::NUMITEMS, 0);
                })
                .map(|reply| (reply.code, reply.number(option::NUMITEMS)))
            };
            assert_eq!(rewrite(2)?, (NORMAL, 3));
            assert_eq!(rewrite(4)?.0, ITEMERR);
            assert_eq!(rewrite(0)?.0, ITEMERR);
            assert_eq!(get(task, queue, Some(2))?, ok("NEW TWO"));
            let count = on_queue(task, command::READQ_TS, queue, |call| {
                call.bytes(option::INTO, &[0; 50]).integer(option::ITEM, 1).integer(option::NUMITEMS, 0);
            })?;
            assert_eq!(count.number(option::NUMITEMS), 3);
            assert_eq!(delete(task, queue)?, NORMAL);
            assert_eq!(get(task, queue, Some(1))?, Err(QIDERR));
            let missing = on_queue(task, command::WRITEQ_TS, queue, |call| {
                call.bytes(option::FROM, b"X").integer(option::ITEM, 1).flag(option::REWRITE);
            })?;
            assert_eq!(missing.code, QIDERR);
            Ok(())
        });
    }
}

#[test]
fn lengths_are_checked_at_their_bounds() {
    run(|task| {
        let lengerr = (condition::LENGERR.0, 0);
        let area = vec![0xC1; 32_764];
        for (length, expected) in [(32_763, NORMAL), (32_764, lengerr), (1, NORMAL), (0, lengerr), (-1, lengerr)] {
            let reply = on_queue(task, command::WRITEQ_TS, "LENGTHS", |call| {
                call.bytes(option::FROM, &area).integer(option::LENGTH, length);
            })?;
            assert_eq!(reply.code, expected, "{length}");
        }
        put(task, "LENGTHS", "12345")?;
        for (room, expected) in [(5, NORMAL), (4, lengerr), (6, NORMAL)] {
            let reply = on_queue(task, command::READQ_TS, "LENGTHS", |call| {
                call.bytes(option::INTO, &[0; 6]).integer(option::ITEM, 3).integer(option::LENGTH, room);
            })?;
            assert_eq!((reply.code, reply.number(option::LENGTH)), (expected, 5));
            let expected = &e("12345")[..room.min(5) as usize];
            assert_eq!(reply.call.result_bytes(option::INTO)[..expected.len()], *expected);
        }
        let reply = on_queue(task, command::READQ_TS, "LENGTHS", |call| {
            call.integer(option::SET, 0).integer(option::ITEM, 1).integer(option::LENGTH, 0);
        })?;
        assert_eq!((reply.code, reply.number(option::LENGTH)), (NORMAL, 32_763));
        let area = region::storage_access::Area::new(reply.number(option::SET) as usize, 32_763);
        assert!(area.read()?.iter().all(|byte| *byte == 0xC1));
        delete(task, "LENGTHS")?;
        Ok(())
    });
}

#[test]
fn a_queue_holds_32767_items() {
    run(|task| {
        for number in 1..=32_768_i64 {
            let code = put(task, "MAIMANY", "X")?;
            if number == 32_768 {
                assert_eq!(code, ITEMERR);
            } else {
                assert_eq!(code, NORMAL, "{number}");
            }
        }
        assert_eq!(get(task, "MAIMANY", Some(32_767))?, ok("X"));
        delete(task, "MAIMANY")?;
        Ok(())
    });
}

#[test]
fn names_are_sixteen_bytes_of_any_kind() {
    models();
    run(|task| {
        let put = |task: &mut Task, option, name: &[u8]| {
            issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option, name).bytes(option::FROM, &e("X")).integer(option::NUMITEMS, 0);
            })
            .map(|reply| (reply.code, reply.number(option::NUMITEMS)))
        };
        // QUEUE and QNAME mean the same queue when the name is the same.
        assert_eq!(put(task, option::QUEUE, &e("SAME"))?, (NORMAL, 1));
        assert_eq!(put(task, option::QNAME, &e("SAME            "))?, (NORMAL, 2));
        assert_eq!(put(task, option::QNAME, &e("SAME           X"))?, (NORMAL, 1));
        // Bytes that are no characters tell queues apart.
        assert_eq!(put(task, option::QUEUE, &[0xC1, 1, 2, 3, 4, 5, 6, 7])?, (NORMAL, 1));
        assert_eq!(put(task, option::QUEUE, &[0xC1, 1, 2, 3, 4, 5, 6, 8])?, (NORMAL, 1));
        assert_eq!(put(task, option::QUEUE, &[0; 8])?.0, (condition::INVREQ.0, 0));
        assert_eq!(put(task, option::QNAME, &[0; 16])?.0, (condition::INVREQ.0, 0));
        // Only a name of nothing else is reserved.
        assert_eq!(put(task, option::QNAME, &[[0; 8], [0xC1; 8]].concat())?, (NORMAL, 1));
        assert_eq!(put(task, option::QUEUE, &e("REMOTEQ"))?.0, (condition::SYSIDERR.0, 0));
        Ok(())
    });
}

#[test]
fn recoverable_queues_follow_the_unit_of_work_and_others_do_not() {
    models();
    run(|task| {
        put(task, "RECBACK", "KEPT")?;
        syncpoint(task)?;
        put(task, "RECBACK", "LOST")?;
        put(task, "RECNEW", "LOST")?;
        put(task, "AUXBACK", "STAYS")?;
        rollback(task)?;
        assert_eq!(get(task, "RECBACK", Some(1))?, ok("KEPT"));
        assert_eq!(get(task, "RECBACK", Some(2))?, Err(ITEMERR));
        assert_eq!(get(task, "RECNEW", Some(1))?, Err(QIDERR));
        assert_eq!(get(task, "AUXBACK", Some(1))?, ok("STAYS"));
        delete(task, "RECBACK")?;
        assert_eq!(get(task, "RECBACK", Some(1))?, Err(QIDERR));
        rollback(task)?;
        assert_eq!(get(task, "RECBACK", Some(1))?, ok("KEPT"));
        Ok(())
    });
}

#[test]
fn a_recoverable_queue_is_one_writers_until_the_syncpoint() {
    models();
    let (written, waiting) = (Flag::default(), Flag::default());
    let first = {
        let (written, waiting) = (written.clone(), waiting.clone());
        begin(move |task| {
            put(task, "RECLOCK", "FIRST")?;
            written.raise();
            waiting.await_raised(task)?;
            delay(task, 50)
        })
    };
    written.wait();
    run(move |task| {
        // Not committed: not there for others.
        assert_eq!(get(task, "RECLOCK", Some(1))?, Err(QIDERR));
        waiting.raise();
        put(task, "RECLOCK", "SECOND")?;
        assert_eq!(get(task, "RECLOCK", Some(1))?, ok("FIRST"));
        assert_eq!(get(task, "RECLOCK", Some(2))?, ok("SECOND"));
        Ok(())
    });
    first.result().unwrap();
}

#[test]
fn inquire_and_set() {
    models();
    run(|task| {
        put(task, "MAIINQ", "12345")?;
        put(task, "MAIINQ", "123")?;
        let options = [option::NUMITEMS, option::FLENGTH, option::MAXITEMLEN, option::MINITEMLEN, option::LOCATION, option::RECOVSTATUS];
        let inquire = |task: &mut Task, queue: &str| {
            issue(task, command::INQUIRE_TSQUEUE, |call| {
                call.bytes(option::TSQUEUE, &e(queue)).bytes(option::TSMODEL, &[0; 8]);
                for option in options {
                    call.integer(option, 0);
                }
            })
        };
        let reply = inquire(task, "MAIINQ")?;
        assert_eq!(reply.code, NORMAL);
        let expected = [2, 8, 5, 3, cvda::MAIN, cvda::NOTRECOVABLE];
        assert_eq!(options.map(|option| reply.number(option)), expected);
        assert_eq!(reply.text(option::TSMODEL), "MAIMODEL");
        assert_eq!(inquire(task, "NOTTHERE")?.code, (condition::QIDERR.0, 1));
        let set = issue(task, command::SET_TSQUEUE, |call| {
            call.bytes(option::TSQUEUE, &e("MAIINQ")).flag(option::DELETE);
        })?;
        assert_eq!(set.code, NORMAL);
        assert_eq!(inquire(task, "MAIINQ")?.code, (condition::QIDERR.0, 1));
        Ok(())
    });
}

#[test]
fn models_are_inquired_and_discarded() {
    let region = the_region();
    let model = Definition::new("TSMODEL", "DISMODEL", "TEST").with("PREFIX", "DIS").with("LOCATION", "MAIN");
    region.install(&model.with("EXPIRYINT", "2")).unwrap();
    run(|task| {
        let on_model = |task: &mut Task, command| {
            issue(task, command, |call| {
                call.bytes(option::TSMODEL, &e("DISMODEL")).bytes(option::PREFIX, &[0; 16]);
                call.integer(option::LOCATION, 0).integer(option::EXPIRYINT, 0).integer(option::EXPIRYINTMIN, 0);
            })
        };
        let reply = on_model(task, command::INQUIRE_TSMODEL)?;
        let values = (reply.text(option::PREFIX), reply.number(option::LOCATION), reply.number(option::EXPIRYINT));
        assert_eq!((reply.code, values), (NORMAL, ("DIS".into(), cvda::MAIN, 2)));
        // EXPIRYINTMIN counts, in steps of ten minutes; EXPIRYINT is in hours, rounded up.
        let model = Definition::new("TSMODEL", "DISMODEL", "TEST").with("PREFIX", "DIS").with("LOCATION", "MAIN");
        region.install(&model.with("EXPIRYINT", "9").with("EXPIRYINTMIN", "61")).unwrap();
        let reply = on_model(task, command::INQUIRE_TSMODEL)?;
        assert_eq!((reply.number(option::EXPIRYINT), reply.number(option::EXPIRYINTMIN)), (2, 70));
        assert_eq!(on_model(task, command::DISCARD_TSMODEL)?.code, NORMAL);
        assert_eq!(on_model(task, command::DISCARD_TSMODEL)?.code, (condition::NOTFND.0, 1));
        assert_eq!(on_model(task, command::INQUIRE_TSMODEL)?.code, (condition::NOTFND.0, 1));
        Ok(())
    });
}

/// SET TSQUEUE deletes a recoverable queue apart from the unit of work of its task, unless a unit of work has changed it.
#[test]
fn set_deletes_recoverable_queues_at_once() {
    models();
    run(|task| {
        let set = |task: &mut Task| {
            issue(task, command::SET_TSQUEUE, |call| {
                call.bytes(option::TSQUEUE, &e("RECSETQ")).flag(option::DELETE);
            })
            .map(|reply| reply.code)
        };
        put(task, "RECSETQ", "ONE")?;
        syncpoint(task)?;
        put(task, "RECSETQ", "TWO")?;
        assert_eq!(set(task)?, (condition::INVREQ.0, 1), "in use");
        rollback(task)?;
        assert_eq!(set(task)?, NORMAL);
        rollback(task)?;
        assert_eq!(get(task, "RECSETQ", Some(1))?, Err(QIDERR));
        assert_eq!(set(task)?, (condition::NOTFND.0, 1));
        Ok(())
    });
}

/// XPREFIX has the bytes of names that are not text.
#[test]
fn a_model_may_have_a_hexadecimal_prefix() {
    let region = the_region();
    region.install(&Definition::new("TSMODEL", "HEXMODEL", "TEST").with("XPREFIX", "C8E70001").with("LOCATION", "MAIN")).unwrap();
    assert!(region.install(&Definition::new("TSMODEL", "NOMODEL", "TEST")).is_err(), "a model of every queue");
    run(|task| {
        for (last, location) in [(1, cvda::MAIN), (2, cvda::AUXILIARY)] {
            let name = [&[0xC8, 0xE7, 0, last][..], &[0xF1; 12]].concat();
            let written = issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option::QNAME, &name).bytes(option::FROM, b"X");
            })?;
            let reply = issue(task, command::INQUIRE_TSQNAME, |call| {
                call.bytes(option::TSQNAME, &name).integer(option::LOCATION, 0);
            })?;
            assert_eq!((written.code, reply.code, reply.number(option::LOCATION)), (NORMAL, NORMAL, location));
            issue(task, command::DELETEQ_TS, |call| {
                call.bytes(option::QNAME, &name);
            })?;
        }
        let model = issue(task, command::INQUIRE_TSMODEL, |call| {
            call.bytes(option::TSMODEL, &e("HEXMODEL")).bytes(option::PREFIX, &[0; 16]);
        })?;
        assert_eq!(model.call.result_bytes(option::PREFIX), [&[0xC8, 0xE7, 0, 1][..], &[0x40; 12]].concat());
        Ok(())
    });
}

#[test]
fn two_writers_in_a_circle_end_one_of_them_with_akcs() {
    models();
    let both = Flag::default();
    let writer = |mine: &'static str, other: &'static str| {
        let both = both.clone();
        begin(move |task| {
            put(task, mine, "X")?;
            both.raise();
            both.await_times(task, 2)?;
            put(task, other, "X")
        })
    };
    let (one, two) = (writer("RECCIR1", "RECCIR2"), writer("RECCIR2", "RECCIR1"));
    let mut results = [one.result(), two.result()];
    results.sort_by_key(|result| result.is_err());
    assert_eq!(results, [Ok(NORMAL), Err("AKCS".into())]);
    // What the abended task wrote is gone.
    let items = run(|task| {
        let mut items = 0;
        for queue in ["RECCIR1", "RECCIR2"] {
            while get(task, queue, None)?.is_ok() {
                items += 1;
            }
        }
        Ok(items)
    });
    assert_eq!(items, 2);
}

/// What WRITEQ, READQ and DELETEQ say of a queue they cannot use.
#[test]
fn each_request_has_the_conditions_of_its_queue() {
    models();
    run(|task| {
        for command in [command::WRITEQ_TS, command::READQ_TS, command::DELETEQ_TS] {
            let request = |task: &mut Task, name: &[u8], sysid: bool| {
                issue(task, command, |call| {
                    call.bytes(option::QUEUE, name);
                    if sysid {
                        call.bytes(option::SYSID, &e("SYSB"));
                    }
                    match command {
                        command::WRITEQ_TS => call.bytes(option::FROM, &e("X")),
                        command::READQ_TS => call.bytes(option::INTO, &[0; 50]),
                        _ => call,
                    };
                })
                .map(|reply| reply.code)
            };
            assert_eq!(request(task, &e("REMOTEQ "), false)?, (condition::SYSIDERR.0, 0), "{command:?}");
            assert_eq!(request(task, &e("ANYQUEUE"), true)?, (condition::SYSIDERR.0, 0), "{command:?}");
            assert_eq!(request(task, &[0; 8], false)?, (condition::INVREQ.0, 0), "{command:?}");
            if command != command::WRITEQ_TS {
                assert_eq!(request(task, &e("NOTTHERE"), false)?, QIDERR, "{command:?}");
                let resource = t(&task.eib.bytes()[exec::eib::EIBRSRCE..exec::eib::EIBRSRCE + 8]);
                assert_eq!(resource, "NOTTHERE", "{command:?}");
            }
        }
        Ok(())
    });
}

/// The item that comes next is next for every task.
#[test]
fn the_next_item_is_the_queues_and_not_the_tasks() {
    run(|task| {
        for text in ["ONE", "TWO", "THREE"] {
            put(task, "NEXTITEM", text)?;
        }
        assert_eq!(get(task, "NEXTITEM", None)?, ok("ONE"));
        Ok(())
    });
    run(|task| {
        assert_eq!(get(task, "NEXTITEM", None)?, ok("TWO"));
        assert_eq!(get(task, "NEXTITEM", Some(1))?, ok("ONE"));
        assert_eq!(get(task, "NEXTITEM", None)?, ok("TWO"), "the one after the item read last");
        delete(task, "NEXTITEM")?;
        Ok(())
    });
}

/// INQUIRE and SET under one of their two names.
#[derive(Clone, Copy)]
struct Inquiry {
    inquire: exec::CommandId,
    set: exec::CommandId,
    name: exec::OptionId,
}

/// INQUIRE TSQUEUE and TSQNAME are one command under two names, and so are SET TSQUEUE and TSQNAME.
const INQUIRIES: [Inquiry; 2] = [
    Inquiry { inquire: command::INQUIRE_TSQUEUE, set: command::SET_TSQUEUE, name: option::TSQUEUE },
    Inquiry { inquire: command::INQUIRE_TSQNAME, set: command::SET_TSQNAME, name: option::TSQNAME },
];

fn named(queue: &str) -> Vec<u8> {
    e(&format!("{queue:<16}"))
}

impl Inquiry {
    fn see(self, task: &mut Task, queue: &str) -> Result<Reply, Raised> {
        issue(task, self.inquire, |call| {
            call.bytes(self.name, &named(queue)).bytes(option::TRANSID, &[0; 4]).bytes(option::TSMODEL, &[0; 8]);
            for option in [option::LASTUSEDINT, option::LOCATION, option::RECOVSTATUS, option::EXPIRYINT, option::NUMITEMS] {
                call.integer(option, -7);
            }
        })
    }

    /// START, NEXT or END of a browse.
    fn step(self, task: &mut Task, step: exec::OptionId) -> Result<Reply, Raised> {
        issue(task, self.inquire, |call| {
            call.flag(step);
            if step == option::NEXT {
                call.bytes(self.name, &[0x40; 16]);
            }
        })
    }

    fn change(self, task: &mut Task, queue: &[u8], numbers: &[(exec::OptionId, i64)], delete: bool) -> Result<(u16, i32), Raised> {
        issue(task, self.set, |call| {
            call.bytes(self.name, queue);
            numbers.iter().for_each(|(option, value)| {
                call.integer(*option, *value);
            });
            if delete {
                call.flag(option::DELETE);
            }
        })
        .map(|reply| reply.code)
    }
}

#[test]
fn queues_are_inquired_under_both_names() {
    models();
    for (inquiry, first) in INQUIRIES.into_iter().zip(["INQA", "INQB"]) {
        run(move |task| {
            let (queue, recoverable) = (format!("{first}1"), format!("REC{first}"));
            put(task, &queue, "12345")?;
            put(task, &recoverable, "12345")?;
            syncpoint(task)?;
            let reply = inquiry.see(task, &recoverable)?;
            let numbers = [option::LOCATION, option::RECOVSTATUS, option::EXPIRYINT, option::NUMITEMS].map(|option| reply.number(option));
            assert_eq!((reply.code, numbers), (NORMAL, [cvda::AUXILIARY, cvda::RECOVERABLE, 0, 1]));
            assert!((0..60).contains(&reply.number(option::LASTUSEDINT)));
            assert_eq!((reply.text(option::TRANSID), reply.text(option::TSMODEL)), (task.transid.to_string(), "RECMODEL".to_string()));
            assert_eq!(inquiry.see(task, "NOTTHERE")?.code, (condition::QIDERR.0, 1));
            let system = issue(task, inquiry.inquire, |call| {
                call.bytes(inquiry.name, &named(&queue)).bytes(option::SYSID, &e("SYSB"));
            })?;
            assert_eq!(system.code, (condition::INVREQ.0, 1));
            assert_eq!((delete(task, &queue)?, delete(task, &recoverable)?), (NORMAL, NORMAL));
            Ok(())
        });
    }
}

/// A browse goes over the names in the order of their bytes, or from the name of AT on.
#[test]
fn queues_are_browsed_under_both_names() {
    models();
    for (inquiry, first) in INQUIRIES.into_iter().zip(["BRWA", "BRWB"]) {
        run(move |task| {
            let queues = [format!("{first}1"), format!("{first}2"), format!("REC{first}")];
            for queue in queues.iter().rev() {
                put(task, queue, "12345")?;
            }
            // A name that is no text, behind all others.
            let mut binary = vec![0xFF; 15];
            binary.push(if inquiry.name == option::TSQUEUE { 0x01 } else { 0x02 });
            let written = issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option::QNAME, &binary).bytes(option::FROM, b"X");
            })?;
            assert_eq!(written.code, NORMAL);
            syncpoint(task)?;
            let illogic = (condition::ILLOGIC.0, 1);
            assert_eq!((inquiry.step(task, option::NEXT)?.code, inquiry.step(task, option::END)?.code), (illogic, illogic));
            assert_eq!((inquiry.step(task, option::START)?.code, inquiry.step(task, option::START)?.code), (NORMAL, illogic));
            let mut names = Vec::new();
            loop {
                let next = inquiry.step(task, option::NEXT)?;
                if next.code != NORMAL {
                    assert_eq!(next.code, (condition::END.0, 2));
                    break;
                }
                names.push(next.call.result_bytes(inquiry.name));
            }
            assert_eq!(inquiry.step(task, option::END)?.code, NORMAL);
            let ours: Vec<Vec<u8>> = queues.iter().map(|queue| named(queue)).chain([binary.clone()]).collect();
            names.retain(|name| ours.contains(name));
            assert_eq!(names, ours);
            let started = issue(task, inquiry.inquire, |call| {
                call.flag(option::START).bytes(option::AT, &named(&queues[2]));
            })?;
            assert_eq!((started.code, inquiry.step(task, option::NEXT)?.call.result_bytes(inquiry.name)), (NORMAL, named(&queues[2])));
            assert_eq!(inquiry.step(task, option::END)?.code, NORMAL);
            for queue in &queues {
                assert_eq!(delete(task, queue)?, NORMAL);
            }
            Ok(())
        });
    }
}

/// SET deletes, with LASTUSEDINT only what has not been used for so long.
#[test]
fn queues_are_deleted_by_set_under_both_names() {
    models();
    for (inquiry, first) in INQUIRIES.into_iter().zip(["SETA", "SETB"]) {
        run(move |task| {
            let queues = [format!("{first}1"), format!("{first}2"), format!("REC{first}")];
            for queue in &queues {
                put(task, queue, "12345")?;
            }
            syncpoint(task)?;
            let queue = named(&queues[0]);
            assert_eq!(inquiry.change(task, &queue, &[(option::ACTION, cvda::OPEN)], false)?, (condition::INVREQ.0, 2));
            assert_eq!(inquiry.change(task, &queue, &[(option::LASTUSEDINT, -1)], true)?, (condition::INVREQ.0, 3));
            assert_eq!(inquiry.change(task, &queue, &[(option::LASTUSEDINT, 3_600)], true)?, (condition::INVREQ.0, 1));
            assert_eq!(inquiry.change(task, &[0; 16], &[], true)?, (condition::QIDERR.0, 1));
            assert_eq!(inquiry.change(task, &queue, &[(option::LASTUSEDINT, 0)], true)?, NORMAL);
            assert_eq!(inquiry.change(task, &queue, &[], true)?, (condition::NOTFND.0, 1));
            assert_eq!(inquiry.change(task, &named(&queues[1]), &[(option::ACTION, cvda::DELETE)], false)?, NORMAL);
            assert_eq!(inquiry.change(task, &named(&queues[2]), &[], true)?, NORMAL);
            Ok(())
        });
    }
}
