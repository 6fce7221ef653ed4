//! ENQ and DEQ, and ENQMODELs.

use super::support::*;
use csd::Definition;
use exec::{CommandId, command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Task};

const BUSY: (u16, i32) = (condition::ENQBUSY.0, 0);

/// ENQ or DEQ of a name.
fn on_name(task: &mut Task, command: CommandId, name: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command, |call| {
        call.bytes(option::RESOURCE, &e(name)).integer(option::LENGTH, name.len() as i64);
        build(call);
    })?;
    Ok(reply.code)
}

fn enq(task: &mut Task, name: &str) -> Result<(), Raised> {
    assert_eq!(on_name(task, command::ENQ, name, |_| {})?, NORMAL);
    Ok(())
}

/// What another task gets that does not wait; it ends at once.
fn probe(name: &'static str) -> (u16, i32) {
    run(move |task| {
        on_name(task, command::ENQ, name, |call| {
            call.flag(option::NOSUSPEND);
        })
    })
}

/// A task that goes on, step by step, as the test raises its flag.
struct Stepped {
    task: Running<()>,
    go: Flag,
    done: Flag,
    steps: u32,
}

impl Stepped {
    fn begin(steps: &'static [fn(&mut Task) -> Result<(), Raised>]) -> Stepped {
        let (go, done) = (Flag::default(), Flag::default());
        let task = {
            let (go, done) = (go.clone(), done.clone());
            begin(move |task| {
                for (number, step) in (1..).zip(steps) {
                    go.await_times(task, number)?;
                    step(task)?;
                    done.raise();
                }
                go.await_times(task, steps.len() as u32 + 1)
            })
        };
        Stepped { task, go, done, steps: 0 }
    }

    fn step(&mut self) {
        self.steps += 1;
        self.go.raise();
        let steps = self.steps;
        until(|| self.done.count() == steps);
    }

    fn end(self) {
        self.go.raise();
        self.task.result().unwrap();
    }
}

#[test]
fn an_enqueue_lasts_for_the_unit_of_work_or_the_task() {
    let mut holder = Stepped::begin(&[
        |task| {
            enq(task, "LIFE-DEFAULT")?;
            for (name, keyword) in [("LIFE-UOW", option::UOW), ("LIFE-TASK", option::TASK)] {
                assert_eq!(
                    on_name(task, command::ENQ, name, |call| {
                        call.flag(keyword);
                    })?,
                    NORMAL
                );
            }
            for (name, value) in [("LIFE-CVDA-UOW", cvda::UOW), ("LIFE-CVDA-TASK", cvda::TASK)] {
                assert_eq!(
                    on_name(task, command::ENQ, name, |call| {
                        call.integer(option::MAXLIFETIME, value);
                    })?,
                    NORMAL
                );
            }
            for command in [command::ENQ, command::DEQ] {
                let code = on_name(task, command, "LIFE-WRONG", |call| {
                    call.integer(option::MAXLIFETIME, cvda::OPEN);
                })?;
                assert_eq!(code, (condition::INVREQ.0, 2));
            }
            Ok(())
        },
        |task| {
            assert_eq!(syncpoint(task)?.code, NORMAL);
            Ok(())
        },
    ]);
    let of_unit = ["LIFE-DEFAULT", "LIFE-UOW", "LIFE-CVDA-UOW"];
    let of_task = ["LIFE-TASK", "LIFE-CVDA-TASK"];
    holder.step();
    assert_eq!([of_unit.map(probe), [probe(of_task[0]), probe(of_task[1]), probe("LIFE-UOW")]], [[BUSY; 3]; 2]);
    assert_eq!(probe("LIFE-WRONG"), NORMAL);
    holder.step();
    assert_eq!((of_unit.map(probe), of_task.map(probe)), ([NORMAL; 3], [BUSY; 2]));
    holder.end();
    assert_eq!(of_task.map(probe), [NORMAL; 2]);
}

#[test]
fn an_enqueue_is_given_back_as_often_as_it_was_made() {
    fn deq(task: &mut Task) -> Result<(), Raised> {
        assert_eq!(on_name(task, command::DEQ, "TWICE", |_| {})?, NORMAL);
        Ok(())
    }
    fn enq_twice(task: &mut Task) -> Result<(), Raised> {
        enq(task, "TWICE")?;
        enq(task, "TWICE")
    }
    let mut holder = Stepped::begin(&[enq_twice, deq, deq]);
    holder.step();
    assert_eq!(probe("TWICE"), BUSY);
    // What a task has not enqueued it cannot give back, and nobody tells it.
    run(deq);
    assert_eq!(probe("TWICE"), BUSY);
    holder.step();
    assert_eq!(probe("TWICE"), BUSY);
    holder.step();
    assert_eq!(probe("TWICE"), NORMAL);
    holder.end();
}

#[test]
fn a_name_has_1_to_255_bytes() {
    run(|task| {
        let lengerr = (condition::LENGERR.0, 1);
        let area = [0xC1; 256];
        for command in [command::ENQ, command::DEQ] {
            for (length, expected) in [(-1, lengerr), (0, lengerr), (1, NORMAL), (255, NORMAL), (256, lengerr)] {
                let reply = issue(task, command, |call| {
                    call.bytes(option::RESOURCE, &area).integer(option::LENGTH, length);
                })?;
                assert_eq!(reply.code, expected, "{length}");
            }
        }
        Ok(())
    });
}

/// Without LENGTH the resource is the address of the area, whatever is there.
#[test]
fn without_length_the_resource_is_an_address() {
    let shared = || {
        run(|task| {
            let reply = issue(task, command::GETMAIN, |call| {
                call.integer(option::SET, 0).integer(option::FLENGTH, 16).flag(option::SHARED).bytes(option::INITIMG, &[0xC1]);
            })?;
            Ok(reply.number(option::SET) as usize)
        })
    };
    let (one, other) = (shared(), shared());
    let on_address = |task: &mut Task, command, address: usize| {
        issue(task, command, |call| {
            call.area(option::RESOURCE, address, 16);
            if command == command::ENQ {
                call.flag(option::NOSUSPEND);
            }
        })
        .map(|reply| reply.code)
    };
    let (held, end) = (Flag::default(), Flag::default());
    let holder = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            assert_eq!(on_address(task, command::ENQ, one)?, NORMAL);
            held.raise();
            end.await_raised(task)?;
            assert_eq!(on_address(task, command::DEQ, one)?, NORMAL);
            held.raise();
            end.await_times(task, 2)
        })
    };
    held.wait();
    let probe = move |address: usize| run(move |task| on_address(task, command::ENQ, address));
    assert_eq!((probe(one), probe(other)), (BUSY, NORMAL));
    // The value of the area is another resource.
    let value = run(move |task| {
        issue(task, command::ENQ, |call| {
            call.area(option::RESOURCE, one, 16).integer(option::LENGTH, 16).flag(option::NOSUSPEND);
        })
        .map(|reply| reply.code)
    });
    assert_eq!(value, NORMAL);
    end.raise();
    until(|| held.count() == 2);
    assert_eq!(probe(one), NORMAL);
    end.raise();
    holder.result().unwrap();
}

fn install(name: &str, enq_name: &str, attributes: &[(&'static str, &str)]) -> Result<(), String> {
    let mut definition = Definition::new("ENQMODEL", name, "TEST").with("ENQNAME", enq_name);
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    the_region().install(&definition)
}

fn inquire(task: &mut Task, name: &str) -> Result<((u16, i32), i64, String, String), Raised> {
    let reply = issue(task, command::INQUIRE_ENQMODEL, |call| {
        call.bytes(option::ENQMODEL, &e(&format!("{name:<8}"))).integer(option::STATUS, 0);
        call.bytes(option::ENQNAME, &[0; 255]).bytes(option::ENQSCOPE, &[0; 4]);
    })?;
    Ok((reply.code, reply.number(option::STATUS), reply.text(option::ENQNAME), reply.text(option::ENQSCOPE)))
}

fn status(name: &'static str) -> i64 {
    run(move |task| inquire(task, name).map(|(_, status, ..)| status))
}

fn set(task: &mut Task, name: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::SET_ENQMODEL, |call| {
        call.bytes(option::ENQMODEL, &e(&format!("{name:<8}")));
        build(call);
    })?;
    Ok(reply.code)
}

fn set_flag(name: &'static str, keyword: exec::OptionId) -> (u16, i32) {
    run(move |task| {
        set(task, name, |call| {
            call.flag(keyword);
        })
    })
}

fn discard(name: &'static str) -> (u16, i32) {
    run(move |task| {
        issue(task, command::DISCARD_ENQMODEL, |call| {
            call.bytes(option::ENQMODEL, &e(&format!("{name:<8}")));
        })
        .map(|reply| reply.code)
    })
}

#[test]
fn an_enqmodel_is_inquired_set_and_discarded() {
    install("EQMA", "EQMA-RESOURCE", &[("ENQSCOPE", "SCOP")]).unwrap();
    let found = run(|task| inquire(task, "EQMA"));
    assert_eq!(found, (NORMAL, cvda::ENABLED, "EQMA-RESOURCE".to_string(), "SCOP".to_string()));
    assert_eq!(probe("EQMA-RESOURCE"), NORMAL);
    let wrong = run(|task| {
        set(task, "EQMA", |call| {
            call.integer(option::STATUS, cvda::OPEN);
        })
    });
    assert_eq!(wrong, (condition::INVREQ.0, 3));
    assert_eq!(set_flag("EQMA", option::DISABLED), NORMAL);
    assert_eq!(status("EQMA"), cvda::DISABLED);
    // An ENQ that matches a model that is not enabled abends; others go on.
    let refused = begin(|task| enq(task, "EQMA-RESOURCE")).result();
    assert_eq!(refused, Err("ANQE".into()));
    assert_eq!(probe("EQMA-RESOURCES"), NORMAL);
    assert_eq!(set_flag("EQMA", option::ENABLED), NORMAL);
    assert_eq!(probe("EQMA-RESOURCE"), NORMAL);
    assert_eq!(discard("EQMA"), NORMAL);
    let gone = (condition::NOTFND.0, 1);
    assert_eq!(run(|task| inquire(task, "EQMA")).0, gone);
    assert_eq!((discard("EQMA"), set_flag("EQMA", option::ENABLED)), (gone, gone));
}

/// A model cannot be enabled beside a more generic one that is; the most specific of those enabled decides.
#[test]
fn enqmodels_that_cover_each_other_are_not_both_enabled() {
    install("EQMG", "EQMG-*", &[]).unwrap();
    assert!(install("EQMS", "EQMG-ONE", &[]).unwrap_err().contains("DFHNQ0107"));
    install("EQMS", "EQMG-ONE", &[("STATUS", "DISABLED")]).unwrap();
    assert_eq!(set_flag("EQMS", option::ENABLED), (condition::INVREQ.0, 2));
    assert_eq!(probe("EQMG-TWO"), NORMAL);
    assert_eq!(begin(|task| enq(task, "EQMG-ONE")).result(), Err("ANQE".into()), "the specific model is disabled");
    assert_eq!((discard("EQMS"), discard("EQMG")), (NORMAL, NORMAL));
}

/// A change waits until no enqueue is held that the model matches, and further ENQs of it abend meanwhile.
#[test]
fn a_change_of_an_enqmodel_waits_for_the_enqueues_it_matches() {
    install("EQMW", "EQMW-*", &[]).unwrap();
    let mut holder = Stepped::begin(&[|task| enq(task, "EQMW-HELD")]);
    holder.step();
    assert_eq!(set_flag("EQMW", option::DISABLED), NORMAL);
    assert_eq!(status("EQMW"), cvda::WAITING);
    assert_eq!(set_flag("EQMW", option::ENABLED), (condition::INVREQ.0, 4));
    assert_eq!(begin(|task| enq(task, "EQMW-MORE")).result(), Err("ANQE".into()));
    holder.end();
    assert_eq!(status("EQMW"), cvda::DISABLED);
    assert_eq!(discard("EQMW"), NORMAL);
}

#[test]
fn enqmodels_are_browsed_by_name() {
    for name in ["EQMB2", "EQMB1"] {
        install(name, &format!("{name}-X"), &[]).unwrap();
    }
    let names = run(|task| {
        let browse = |task: &mut Task, step| {
            issue(task, command::INQUIRE_ENQMODEL, |call| {
                call.flag(step);
                if step == option::NEXT {
                    call.bytes(option::ENQMODEL, &[0x40; 8]);
                }
            })
        };
        let illogic = (condition::ILLOGIC.0, 1);
        assert_eq!((browse(task, option::NEXT)?.code, browse(task, option::END)?.code), (illogic, illogic));
        assert_eq!(browse(task, option::START)?.code, NORMAL);
        assert_eq!(browse(task, option::START)?.code, illogic);
        let mut names = Vec::new();
        loop {
            let next = browse(task, option::NEXT)?;
            if next.code != NORMAL {
                assert_eq!(next.code, (condition::END.0, 2));
                break;
            }
            names.push(next.text(option::ENQMODEL));
        }
        assert_eq!(browse(task, option::END)?.code, NORMAL);
        Ok(names)
    });
    let ours: Vec<&String> = names.iter().filter(|name| name.starts_with("EQMB")).collect();
    assert_eq!(ours, ["EQMB1", "EQMB2"]);
}

/// DSP-06: programs on open TCBs run side by side, so what they share they serialize themselves. With ENQ no addition is lost.
#[test]
fn threadsafe_programs_serialize_shared_storage_by_enq() {
    use kernel::storage::Getmain;
    use std::sync::atomic::{AtomicU32, Ordering};
    const TASKS: u32 = 8;
    const TURNS: u32 = 200;
    static INSIDE: AtomicU32 = AtomicU32::new(0);
    static OPEN: AtomicU32 = AtomicU32::new(0);
    let region = the_region();
    let counter = region.storage.getmain_shared(Getmain { initial: Some(0), ..Getmain::user(4) }).unwrap();
    let tasks: Vec<Running<()>> = (0..TASKS)
        .map(|_| {
            begin_with(region, &[("CONCURRENCY", "REQUIRED")], move |task| {
                OPEN.fetch_add(u32::from(task.kernel.mode() == kernel::Mode::L8), Ordering::SeqCst);
                for _ in 0..TURNS {
                    enq(task, "COUNTER")?;
                    assert_eq!(INSIDE.fetch_add(1, Ordering::SeqCst), 0, "one task at a time has the enqueue");
                    let mut word = [0; 4];
                    region::storage_access::read(counter, &mut word)?;
                    std::thread::yield_now();
                    region::storage_access::write(counter, &(u32::from_be_bytes(word) + 1).to_be_bytes())?;
                    INSIDE.fetch_sub(1, Ordering::SeqCst);
                    assert_eq!(on_name(task, command::DEQ, "COUNTER", |_| {})?, NORMAL);
                }
                Ok(())
            })
        })
        .collect();
    tasks.into_iter().for_each(|task| task.result().unwrap());
    let mut total = [0; 4];
    region::storage_access::read(counter, &mut total).unwrap();
    assert_eq!((u32::from_be_bytes(total), OPEN.load(Ordering::SeqCst)), (TASKS * TURNS, TASKS));
}
