//! Every kind of wait against everything that may end it: SET TASK PURGE, FORCEPURGE and KILL, and DTIMOUT, with SPURGE(YES) and SPURGE(NO).
//!
//! Sources: "SET TASK", TRANSACTION attributes SPURGE and DTIMOUT, "WAIT EXTERNAL", abend codes AEXY, AKCS, AFCY. The region is a child's own,
//! because its resources are all taken: an enqueue, a record, a string, a queue, main temporary storage, storage below the line, open TCBs.

use super::queue_support as ts;
use super::restart::{directory, spawn_test};
use super::support::*;
use super::transient_data as td;
use csd::{Definition, TransactionDefinition};
use exec::{CommandId, OptionId, command, condition, option};
use kernel::storage::Getmain;
use kernel::{Pool, RunState};
use region::name::{Name4, Name8};
use region::{AttachRequest, NativeProgram, Raised, Region, StartCode, Task};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A kind of wait.
struct Kind {
    name: &'static str,
    /// SUSPENDTYPE.
    resource_type: &'static str,
    waits: fn(&mut Task) -> Result<(), Raised>,
    /// PURGE ends it.
    is_purgeable: bool,
    /// The abend code after DTIMOUT; none if that does not apply.
    timed_out: Option<&'static str>,
}

/// An event control block that nobody posts, and a list with it.
static BLOCK: AtomicUsize = AtomicUsize::new(0);
static LIST: AtomicUsize = AtomicUsize::new(0);

fn normal(code: (u16, i32)) {
    assert_eq!(code, NORMAL);
}

fn enqueue(task: &mut Task) -> Result<(), Raised> {
    let reply = issue(task, command::ENQ, |call| {
        call.bytes(option::RESOURCE, b"MATRIX").integer(option::LENGTH, 6);
    })?;
    normal(reply.code);
    Ok(())
}

fn update(task: &mut Task) -> Result<(), Raised> {
    let reply = read(task, "LCKFILE", "MATRIX", |call| {
        call.flag(option::UPDATE);
    })?;
    normal(reply.code);
    Ok(())
}

fn wait_for_list(task: &mut Task, wait: CommandId, purgeability: OptionId) -> Result<(), Raised> {
    let reply = issue(task, wait, |call| {
        call.integer(option::ECBLIST, LIST.load(Ordering::SeqCst) as i64).integer(option::NUMEVENTS, 1).flag(purgeability);
    })?;
    normal(reply.code);
    Ok(())
}

/// GETMAIN of a piece of storage below 16 MB; NOSTG only with NOSUSPEND.
fn below(task: &mut Task, no_suspend: bool) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::GETMAIN, |call| {
        call.integer(option::SET, 0).integer(option::FLENGTH, 100_000).flag(option::BELOW);
        if no_suspend {
            call.flag(option::NOSUSPEND);
        }
    })?;
    Ok(reply.code)
}

fn write_main(task: &mut Task, queue: &str, no_suspend: bool) -> Result<(u16, i32), Raised> {
    let reply = ts::on_queue(task, command::WRITEQ_TS, queue, |call| {
        call.bytes(option::FROM, &[0x40; 30_000]).flag(option::MAIN);
        if no_suspend {
            call.flag(option::NOSUSPEND);
        }
    })?;
    Ok(reply.code)
}

fn fetch(task: &mut Task) -> Result<(), Raised> {
    let run = issue(task, command::RUN_TRANSID, |call| {
        call.bytes(option::TRANSID, &e("MXCH")).bytes(option::CHILD, &[0; 16]);
    })?;
    normal(run.code);
    let token = run.call.result_bytes(option::CHILD);
    let fetched = issue(task, command::FETCH_CHILD, |call| {
        call.bytes(option::CHILD, &token).integer(option::COMPSTATUS, 0);
    })?;
    normal(fetched.code);
    Ok(())
}

const KINDS: [Kind; 14] = [
    Kind { name: "enqueue", resource_type: "ENQUEUE", waits: enqueue, is_purgeable: true, timed_out: Some("AKCS") },
    Kind { name: "record", resource_type: "ENQUEUE", waits: update, is_purgeable: true, timed_out: Some("AFCY") },
    Kind {
        name: "string of a file",
        resource_type: "FCPSSUSP",
        waits: |task| read(task, "MXSTRING", "NOBODY", |_| {}).map(drop),
        is_purgeable: true,
        timed_out: Some("AFCY"),
    },
    Kind {
        name: "transient data",
        resource_type: "ENQUEUE",
        waits: |task| td::put(task, "MXTD", "RECORD").map(normal),
        is_purgeable: true,
        timed_out: Some("AKCS"),
    },
    Kind {
        name: "main temporary storage",
        resource_type: "TSMAINLM",
        waits: |task| write_main(task, "MXTS2", false).map(normal),
        is_purgeable: true,
        timed_out: Some("AKCS"),
    },
    Kind {
        name: "storage",
        resource_type: "UDSA",
        waits: |task| below(task, false).map(normal),
        is_purgeable: true,
        timed_out: Some("AKCS"),
    },
    Kind { name: "DELAY", resource_type: "ICWAIT", waits: |task| delay(task, 600_000), is_purgeable: true, timed_out: None },
    Kind {
        name: "WAIT EVENT",
        resource_type: "USERWAIT",
        waits: |task| {
            let reply = issue(task, command::WAIT_EVENT, |call| {
                call.integer(option::ECADDR, BLOCK.load(Ordering::SeqCst) as i64);
            })?;
            normal(reply.code);
            Ok(())
        },
        is_purgeable: true,
        timed_out: None,
    },
    Kind {
        name: "WAIT EXTERNAL PURGEABLE",
        resource_type: "EKCWAIT",
        waits: |task| wait_for_list(task, command::WAIT_EXTERNAL, option::PURGEABLE),
        is_purgeable: true,
        timed_out: Some("AEXY"),
    },
    Kind {
        name: "WAIT EXTERNAL NOTPURGEABLE",
        resource_type: "EKCWAIT",
        waits: |task| wait_for_list(task, command::WAIT_EXTERNAL, option::NOTPURGEABLE),
        is_purgeable: false,
        timed_out: None,
    },
    Kind {
        name: "WAITCICS PURGEABLE",
        resource_type: "WAITCICS",
        waits: |task| wait_for_list(task, command::WAITCICS, option::PURGEABLE),
        is_purgeable: true,
        timed_out: Some("AEXY"),
    },
    Kind {
        name: "WAITCICS NOTPURGEABLE",
        resource_type: "WAITCICS",
        waits: |task| wait_for_list(task, command::WAITCICS, option::NOTPURGEABLE),
        is_purgeable: false,
        timed_out: None,
    },
    Kind { name: "child", resource_type: "AS_CHILD", waits: fetch, is_purgeable: true, timed_out: Some("AKCS") },
    Kind {
        name: "open TCB",
        resource_type: "OPENPOOL",
        waits: |task| {
            issue(task, command::LINK, |call| {
                call.bytes(option::PROGRAM, &e("MXOPEN"));
            })
            .map(drop)
        },
        is_purgeable: true,
        timed_out: None,
    },
];

/// Takes everything that the kinds wait for, until the region ends.
fn take_everything(region: &'static Region) {
    region.install(&Definition::new("TDQUEUE", "MXTD", "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", "LOGICAL")).unwrap();
    define_file(region, "MXSTRING", "TEST.VARIABLE", &[("STRINGS", "1")]);
    define_transaction(region, "MXCH", |task| delay(task, 600_000));
    region.programs().install_native(Name8::new("MXOPEN"), (|_| Ok(())) as NativeProgram);
    region.install(&Definition::new("PROGRAM", "MXOPEN", "TEST").with("CONCURRENCY", "REQUIRED")).unwrap();
    BLOCK.store(region.storage.getmain_shared(Getmain { initial: Some(0), ..Getmain::user(4) }).unwrap(), Ordering::SeqCst);
    let list = region.storage.getmain_shared(Getmain::user(4)).unwrap();
    region::storage_access::write(list, &(BLOCK.load(Ordering::SeqCst) as u32).to_be_bytes()).unwrap();
    LIST.store(list, Ordering::SeqCst);
    let taken = Flag::default();
    let holds = |has_it: Flag, take: fn(&mut Task) -> Result<(), Raised>| {
        drop(begin_with(region, &[], move |task| {
            take(task)?;
            has_it.raise();
            delay(task, 3_600_000)
        }));
    };
    let holders: [fn(&mut Task) -> Result<(), Raised>; 6] = [
        enqueue,
        |task| {
            write(task, "LCKFILE", "MATRIX", "X")?;
            syncpoint(task)?;
            update(task)
        },
        |task| {
            write(task, "MXSTRING", "STRING", "X")?;
            syncpoint(task)?;
            let reply = on_file(task, command::STARTBR, "MXSTRING", |call| {
                call.bytes(option::RIDFLD, &[0; 8]);
            })?;
            normal(reply.code);
            Ok(())
        },
        |task| td::put(task, "MXTD", "RECORD").map(normal),
        |task| {
            while write_main(task, "MXTS", true)? == NORMAL {}
            Ok(())
        },
        |task| {
            while below(task, true)? == NORMAL {}
            Ok(())
        },
    ];
    let count = holders.len() as u32;
    for take in holders {
        holds(taken.clone(), take);
    }
    until(|| taken.count() == count);
    region.dispatcher.set_pool_limit(Pool::Open, 1);
    let open = Flag::default();
    let has_it = open.clone();
    drop(begin_with(region, &[("CONCURRENCY", "REQUIRED")], move |task| {
        has_it.raise();
        delay(task, 3_600_000)
    }));
    open.wait();
}

/// A task that waits in this way.
fn waiting(region: &'static Region, kind: &'static Kind, attributes: &[(&'static str, &str)]) -> Running<()> {
    let task = begin_with(region, attributes, kind.waits);
    let number = task.number();
    testing::eventually_within(Duration::from_secs(15), kind.name, || is_in_wait(region, number, kind.resource_type));
    task
}

fn is_in_wait(region: &Region, number: u32, resource_type: &str) -> bool {
    let shared = region.transactions().task(number);
    let info = shared.and_then(|shared| shared.kernel.lock().as_ref().map(|kernel| kernel.info()));
    info.is_some_and(|info| info.state == RunState::Suspended && info.resource_type.as_str() == resource_type)
}

/// SET TASK, by a task of its own.
fn set_task(region: &'static Region, number: u32, purge: OptionId) -> (u16, i32) {
    let set = begin_with(region, &[], move |task| {
        let reply = issue(task, command::SET_TASK, |call| {
            call.integer(option::TASK, i64::from(number)).flag(purge);
        })?;
        Ok(reply.code)
    });
    set.result().unwrap()
}

const NOT_PURGED: (u16, i32) = (condition::INVREQ.0, 5);
/// Long enough for a purge to have its effect.
const MOMENT: Duration = Duration::from_millis(60);

#[test]
fn each_wait_ends_by_what_may_end_it_and_by_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("purge::child_purges_every_kind_of_wait", directory.path(), 0);
}

#[test]
#[ignore = "run by the test of every kind of wait"]
fn child_purges_every_kind_of_wait() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["DSALIM=2M", "TSMAINLIMIT=1M"]);
    take_everything(region);
    let aexy = Err("AEXY".to_string());
    for kind in &KINDS {
        let name = kind.name;
        // SPURGE(YES): PURGE ends a purgeable wait, and leaves another alone.
        let task = waiting(region, kind, &[("SPURGE", "YES")]);
        let number = task.number();
        assert_eq!(set_task(region, number, option::PURGE), NORMAL, "{name}");
        if !kind.is_purgeable {
            std::thread::sleep(MOMENT);
            assert!(is_in_wait(region, number, kind.resource_type), "{name}: PURGE");
            assert_eq!(set_task(region, number, option::FORCEPURGE), NORMAL, "{name}");
        }
        assert_eq!(task.result(), aexy, "{name}: PURGE");
        // SPURGE(NO): the command is refused; FORCEPURGE and KILL end every wait.
        for strong in [option::FORCEPURGE, option::KILL] {
            let task = waiting(region, kind, &[("SPURGE", "NO")]);
            let number = task.number();
            assert_eq!(set_task(region, number, option::PURGE), NOT_PURGED, "{name}");
            std::thread::sleep(MOMENT);
            assert!(is_in_wait(region, number, kind.resource_type), "{name}: PURGE with SPURGE(NO)");
            assert_eq!(set_task(region, number, strong), NORMAL, "{name}");
            assert_eq!(task.result(), aexy, "{name}: {strong:?}");
        }
    }
    time_limits(region);
    held_back(region);
    assert!(region.shutdown(true) || region.is_hastened());
}

/// DTIMOUT of two seconds, for all kinds at once.
fn time_limits(region: &'static Region) {
    let tasks = |spurge: &'static str| -> Vec<Running<()>> {
        KINDS.iter().map(|kind| waiting(region, kind, &[("DTIMOUT", "2"), ("SPURGE", spurge)])).collect()
    };
    let begun = Instant::now();
    let (limited, unlimited) = (tasks("YES"), tasks("NO"));
    std::thread::sleep(Duration::from_millis(2_500).saturating_sub(begun.elapsed()) + MOMENT);
    for (kind, task) in KINDS.iter().zip(unlimited) {
        assert!(is_in_wait(region, task.number(), kind.resource_type), "{}: SPURGE(NO) overrides DTIMOUT", kind.name);
        assert_eq!(set_task(region, task.number(), option::FORCEPURGE), NORMAL);
        assert_eq!(task.result(), Err("AEXY".to_string()), "{}", kind.name);
    }
    for (kind, task) in KINDS.iter().zip(limited) {
        if let Some(code) = kind.timed_out {
            assert_eq!(task.result(), Err(code.to_string()), "{}: DTIMOUT", kind.name);
            continue;
        }
        assert!(is_in_wait(region, task.number(), kind.resource_type), "{}: DTIMOUT does not apply", kind.name);
        assert_eq!(set_task(region, task.number(), option::FORCEPURGE), NORMAL);
        assert_eq!(task.result(), Err("AEXY".to_string()), "{}", kind.name);
    }
}

/// Tasks that MXT or their class holds back: INQUIRE TASK shows what for, and a purge ends them before they begin.
fn held_back(region: &'static Region) {
    region.install(&Definition::new("TRANCLASS", "MXCLASS", "TEST").with("MAXACTIVE", "0").with("PURGETHRESH", "NO")).unwrap();
    define_transaction(region, "MXHB", |_| panic!("a task that is held back does not begin"));
    let attach = |class: &str, spurge: &str| {
        let definition = Definition::new("TRANSACTION", "MXHB", "TEST").with("PROGRAM", "PGMMXHB").with("SPURGE", spurge);
        region.transactions().install(TransactionDefinition::from(&definition.with("TRANCLASS", class)));
        region.attach(AttachRequest::new(Name4::new("MXHB"), StartCode::Start)).unwrap_or_else(|failure| panic!("{failure:?}"))
    };
    // A system task is not held back, so it can ask.
    let ask = |number: u32, purge: Option<OptionId>| {
        static ANSWER: parking_lot::Mutex<Option<(i64, String, String, (u16, i32))>> = parking_lot::Mutex::new(None);
        *ANSWER.lock() = None;
        define_transaction(region, "MXAS", move |task| {
            let inquired = issue(task, command::INQUIRE_TASK, |call| {
                call.integer(option::TASK, i64::from(number)).integer(option::RUNSTATUS, 0);
                call.bytes(option::SUSPENDTYPE, &[0; 8]).bytes(option::SUSPENDVALUE, &[0; 8]).bytes(option::TRANSACTION, &[0; 4]);
            })?;
            let code = match purge {
                None => inquired.code,
                Some(purge) => {
                    let set = issue(task, command::SET_TASK, |call| {
                        call.integer(option::TASK, i64::from(number)).flag(purge);
                    })?;
                    set.code
                }
            };
            let answer =
                (inquired.number(option::RUNSTATUS), inquired.text(option::SUSPENDTYPE), inquired.text(option::SUSPENDVALUE), code);
            *ANSWER.lock() = Some(answer);
            Ok(())
        });
        region.attach(AttachRequest::new(Name4::new("MXAS"), StartCode::System)).unwrap_or_else(|failure| panic!("{failure:?}"));
        until(|| ANSWER.lock().is_some());
        ANSWER.lock().take().unwrap()
    };
    let (active, max_tasks) = region.dispatcher.active_and_max_tasks();
    region.dispatcher.set_max_tasks(active);
    for (class, kind, name) in [("MXCLASS", "TCLASS", "MXCLASS"), ("", "MXT", "XM_HELD")] {
        let patient = attach(class, "NO");
        let shown = (exec::cvda::SUSPENDED, kind.to_string(), name.to_string());
        let expect = |answer: (i64, String, String, (u16, i32)), code: (u16, i32)| {
            assert_eq!((answer.0, answer.1, answer.2), shown);
            assert_eq!(answer.3, code, "{kind}");
        };
        expect(ask(patient, None), NORMAL);
        expect(ask(patient, Some(option::PURGE)), NOT_PURGED);
        expect(ask(patient, Some(option::FORCEPURGE)), NORMAL);
        let purged = attach(class, "YES");
        expect(ask(purged, Some(option::PURGE)), NORMAL);
        for number in [patient, purged] {
            assert_eq!(ask(number, None).3, (condition::TASKIDERR.0, 1), "{kind}: it has gone");
        }
    }
    region.dispatcher.set_max_tasks(max_tasks);
    let messages = region.messages.kept();
    assert_eq!(messages.iter().filter(|message| message.id == "DFHAC2262" && message.text.contains("MXHB")).count(), 4);
}
