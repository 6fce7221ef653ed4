//! TRANSACTION and TRANCLASS definitions: their defaults, what INQUIRE shows of them, what SET changes, and what they do.

use super::support::*;
use csd::Definition;
use exec::{OptionId, command, condition, cvda, option};
use region::exec_interface::Call;
use region::name::Name4;
use region::{AttachReason, AttachRequest, Raised, StartCode, Task};
use std::sync::Mutex;

const INVREQ: u16 = condition::INVREQ.0;
const LINE: usize = 16 << 20;

pub fn install(resource: &str, name: &str, attributes: &[(&'static str, &str)]) {
    let mut definition = Definition::new(resource, name, "TEST");
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    the_region().install(&definition).unwrap();
}

fn inquire_transaction(task: &mut Task, name: &str, options: &[OptionId]) -> Result<Vec<i64>, Raised> {
    let reply = issue(task, command::INQUIRE_TRANSACTION, |call| {
        call.bytes(option::TRANSACTION, &e(name));
        options.iter().for_each(|option| {
            call.integer(*option, -7);
        });
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(options.iter().map(|option| reply.number(*option)).collect())
}

/// Held by the tests that change or show the runaway limit of the region.
static REGION_LIMIT: Mutex<()> = Mutex::new(());

const OF_TRANSACTION: [OptionId; 22] = [
    option::TASKDATALOC,
    option::TASKDATAKEY,
    option::PURGEABILITY,
    option::RUNAWAYTYPE,
    option::RUNAWAY,
    option::ISOLATEST,
    option::DTIMEOUT,
    option::PRIORITY,
    option::STATUS,
    option::SHUTDOWN,
    option::DUMPING,
    option::TRACING,
    option::TWASIZE,
    option::INDOUBT,
    option::INDOUBTWAIT,
    option::INDOUBTMINS,
    option::ROUTING,
    option::CMDSEC,
    option::RESSEC,
    option::STORAGECLEAR,
    option::SCRNSIZE,
    option::RTIMEOUT,
];

/// Defaults of CICS TS 5.4 and later: data above 16 MB, and tasks that may be purged.
#[test]
fn a_transaction_has_the_defaults_of_the_release() {
    let _alone = REGION_LIMIT.lock();
    install("TRANSACTION", "DFT1", &[("PROGRAM", "PGMDFT1")]);
    run(|task| {
        let expected = [
            cvda::ANY,
            cvda::USERDATAKEY,
            cvda::PURGEABLE,
            cvda::SYSTEM,
            2_000,
            cvda::ISOLATE,
            0,
            1,
            cvda::ENABLED,
            cvda::SHUTDISABLED,
            cvda::TRANDUMP,
            cvda::STANTRACE,
            0,
            cvda::BACKOUT,
            cvda::WAIT,
            0,
            cvda::STATIC,
            cvda::CMDSECNO,
            cvda::RESSECNO,
            cvda::NOCLEAR,
            cvda::DEFAULT,
            0,
        ];
        assert_eq!(inquire_transaction(task, "DFT1", &OF_TRANSACTION)?, expected);
        let names = issue(task, command::INQUIRE_TRANSACTION, |call| {
            call.bytes(option::TRANSACTION, &e("DFT1")).bytes(option::PROGRAM, &[0; 8]).bytes(option::PROFILE, &[0; 8]);
            call.bytes(option::TRANCLASS, &[0; 8]).bytes(option::REMOTESYSTEM, &[0; 4]).bytes(option::REMOTENAME, &[0; 8]);
        })?;
        let texts = [option::PROGRAM, option::PROFILE, option::TRANCLASS, option::REMOTESYSTEM, option::REMOTENAME];
        assert_eq!(texts.map(|option| names.text(option)), ["PGMDFT1", "DFHCICST", "DFHTCL00", "", ""]);
        Ok(())
    });
    // TPURGE is of the definition only.
    assert_eq!(Definition::new("TRANSACTION", "DFT1", "TEST").get("TPURGE"), "YES");
}

#[test]
fn inquire_transaction_shows_every_attribute() {
    install("PROFILE", "DFPROFIL", &[("SCRNSIZE", "ALTERNATE"), ("RTIMOUT", "130")]);
    let attributes = [
        ("PROGRAM", "PGMDFT2"),
        ("PROFILE", "DFPROFIL"),
        ("TASKDATALOC", "BELOW"),
        ("TASKDATAKEY", "CICS"),
        ("SPURGE", "NO"),
        ("RUNAWAY", "1249"),
        ("ISOLATE", "NO"),
        ("DTIMOUT", "130"),
        ("PRIORITY", "255"),
        ("STATUS", "DISABLED"),
        ("SHUTDOWN", "ENABLED"),
        ("DUMP", "NO"),
        ("TRACE", "NO"),
        ("TWASIZE", "32767"),
        ("ACTION", "COMMIT"),
        ("WAIT", "NO"),
        ("WAITTIME", "1,2,3"),
        ("DYNAMIC", "YES"),
        ("CMDSEC", "YES"),
        ("RESSEC", "YES"),
        ("STORAGECLEAR", "YES"),
    ];
    install("TRANSACTION", "DFT2", &attributes);
    run(|task| {
        let expected = [
            cvda::BELOW,
            cvda::CICSDATAKEY,
            cvda::NOTPURGEABLE,
            cvda::USER,
            // In steps of 250 milliseconds.
            1_000,
            cvda::NOISOLATE,
            90,
            255,
            cvda::DISABLED,
            cvda::SHUTENABLED,
            cvda::NOTRANDUMP,
            cvda::SPRSTRACE,
            32_767,
            cvda::COMMIT,
            cvda::NOWAIT,
            (24 + 2) * 60 + 3,
            cvda::DYNAMIC,
            cvda::CMDSECYES,
            cvda::RESSECYES,
            cvda::CLEAR,
            cvda::ALTERNATE,
            90,
        ];
        assert_eq!(inquire_transaction(task, "DFT2", &OF_TRANSACTION)?, expected);
        Ok(())
    });
}

#[test]
fn transactions_are_inquired_one_by_one_and_browsed() {
    for name in ["DFB2", "DFB1"] {
        install("TRANSACTION", name, &[("PROGRAM", "PGMDFB1")]);
    }
    let names = run(|task| {
        let inquire = |task: &mut Task, step: Option<OptionId>, name: &str| {
            issue(task, command::INQUIRE_TRANSACTION, |call| {
                if let Some(step) = step {
                    call.flag(step);
                }
                if step != Some(option::START) && step != Some(option::END) {
                    call.bytes(option::TRANSACTION, &e(name)).integer(option::STATUS, 0);
                }
            })
        };
        assert_eq!(inquire(task, None, "NONE")?.code, (condition::TRANSIDERR.0, 1));
        let illogic = (condition::ILLOGIC.0, 1);
        assert_eq!(inquire(task, Some(option::NEXT), "    ")?.code, illogic);
        assert_eq!(inquire(task, Some(option::END), "")?.code, illogic);
        assert_eq!(inquire(task, Some(option::START), "")?.code, NORMAL);
        assert_eq!(inquire(task, Some(option::START), "")?.code, illogic);
        let mut names = Vec::new();
        loop {
            let next = inquire(task, Some(option::NEXT), "    ")?;
            if next.code != NORMAL {
                assert_eq!(next.code, (condition::END.0, 2));
                break;
            }
            names.push(next.text(option::TRANSACTION));
        }
        assert_eq!(inquire(task, Some(option::END), "")?.code, NORMAL);
        Ok(names)
    });
    let ours: Vec<&String> = names.iter().filter(|name| name.starts_with("DFB")).collect();
    assert_eq!(ours, ["DFB1", "DFB2"]);
    assert!(names.iter().any(|name| name == "CEMT"));
}

fn set_transaction(task: &mut Task, name: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::SET_TRANSACTION, |call| {
        call.bytes(option::TRANSACTION, &e(name));
        build(call);
    })?;
    Ok(reply.code)
}

#[test]
fn set_transaction_changes_only_the_named_attributes() {
    install("TRANSACTION", "DFS1", &[("PROGRAM", "PGMDFS1")]);
    install("TRANCLASS", "DFSCLASS", &[("MAXACTIVE", "5")]);
    run(|task| {
        let see = |task: &mut Task, keyword: OptionId, option: OptionId| {
            let code = set_transaction(task, "DFS1", |call| {
                call.flag(keyword);
            })?;
            assert_eq!(code, NORMAL);
            Ok::<_, Raised>(inquire_transaction(task, "DFS1", &[option])?[0])
        };
        for (keyword, option, value) in [
            (option::DISABLED, option::STATUS, cvda::DISABLED),
            (option::ENABLED, option::STATUS, cvda::ENABLED),
            (option::NOTPURGEABLE, option::PURGEABILITY, cvda::NOTPURGEABLE),
            (option::PURGEABLE, option::PURGEABILITY, cvda::PURGEABLE),
            (option::NOTRANDUMP, option::DUMPING, cvda::NOTRANDUMP),
            (option::TRANDUMP, option::DUMPING, cvda::TRANDUMP),
            (option::SHUTENABLED, option::SHUTDOWN, cvda::SHUTENABLED),
            (option::SHUTDISABLED, option::SHUTDOWN, cvda::SHUTDISABLED),
            (option::SPRSTRACE, option::TRACING, cvda::SPRSTRACE),
            (option::STANTRACE, option::TRACING, cvda::STANTRACE),
        ] {
            assert_eq!(see(task, keyword, option)?, value);
        }
        let code = set_transaction(task, "DFS1", |call| {
            call.bytes(option::TRANCLASS, &e("DFSCLASS")).integer(option::STATUS, cvda::DISABLED).integer(option::PRIORITY, 9);
        })?;
        assert_eq!((code, inquire_transaction(task, "DFS1", &[option::STATUS, option::PRIORITY])?), (NORMAL, vec![cvda::DISABLED, 9]));
        let class = issue(task, command::INQUIRE_TRANSACTION, |call| {
            call.bytes(option::TRANSACTION, &e("DFS1")).bytes(option::TRANCLASS, &[0; 8]);
        })?;
        assert_eq!(class.text(option::TRANCLASS), "DFSCLASS");
        Ok(())
    });
}

#[test]
fn set_transaction_has_the_documented_conditions() {
    install("TRANSACTION", "DFS2", &[("PROGRAM", "PGMDFS2")]);
    run(|task| {
        for (option, resp2) in [
            (option::PURGEABILITY, 2),
            (option::STATUS, 3),
            (option::TRACING, 7),
            (option::DUMPING, 8),
            (option::RUNAWAYTYPE, 10),
            (option::SHUTDOWN, 11),
        ] {
            let code = set_transaction(task, "DFS2", |call| {
                call.integer(option, cvda::OPEN).integer(option::PRIORITY, 200);
            })?;
            assert_eq!(code, (INVREQ, resp2));
        }
        // A command that is refused changes nothing.
        assert_eq!(inquire_transaction(task, "DFS2", &[option::PRIORITY])?, [1]);
        for (priority, code) in [(-2, (INVREQ, 4)), (-1, NORMAL), (0, NORMAL), (255, NORMAL), (256, (INVREQ, 4))] {
            let answered = set_transaction(task, "DFS2", |call| {
                call.integer(option::PRIORITY, priority);
            })?;
            assert_eq!(answered, code, "PRIORITY({priority})");
        }
        let class = set_transaction(task, "DFS2", |call| {
            call.bytes(option::TRANCLASS, &e("NOCLASS "));
        })?;
        assert_eq!(class, (INVREQ, 12));
        for supplied in ["CEMT", "CECI", "CETR", "CSNE"] {
            let disabled = set_transaction(task, supplied, |call| {
                call.flag(option::DISABLED);
            })?;
            assert_eq!(disabled, (INVREQ, 6), "{supplied}");
        }
        let unknown = set_transaction(task, "NONE", |call| {
            call.flag(option::DISABLED);
        })?;
        assert_eq!(unknown, (condition::TRANSIDERR.0, 1));
        Ok(())
    });
}

/// Zero, or 250 to 2,700,000 in steps of 250; SYSTEM is the region's limit.
#[test]
fn the_runaway_limit_of_a_transaction_at_its_bounds() {
    let _alone = REGION_LIMIT.lock();
    install("TRANSACTION", "DFS3", &[("PROGRAM", "PGMDFS3")]);
    run(|task| {
        let fault = (INVREQ, 9);
        for (value, code, shown) in [
            (250, NORMAL, 250),
            (249, fault, 250),
            (499, NORMAL, 250),
            (2_700_000, NORMAL, 2_700_000),
            (2_700_001, fault, 2_700_000),
            (-2, fault, 2_700_000),
            (0, NORMAL, 0),
        ] {
            let answered = set_transaction(task, "DFS3", |call| {
                call.flag(option::USER).integer(option::RUNAWAY, value);
            })?;
            assert_eq!(answered, code, "RUNAWAY({value})");
            let seen = inquire_transaction(task, "DFS3", &[option::RUNAWAY])?[0];
            if code == NORMAL || value != 249 {
                assert_eq!(seen, shown, "RUNAWAY({value})");
            }
        }
        // The null value is no limit ("Null values").
        for limit in [None, Some(-1)] {
            let user = set_transaction(task, "DFS3", |call| {
                call.flag(option::USER);
                if let Some(limit) = limit {
                    call.integer(option::RUNAWAY, limit);
                }
            })?;
            assert_eq!(user, (INVREQ, 10), "USER without a limit");
        }
        let system = set_transaction(task, "DFS3", |call| {
            call.flag(option::SYSTEM);
        })?;
        assert_eq!(system, NORMAL);
        assert_eq!(inquire_transaction(task, "DFS3", &[option::RUNAWAYTYPE, option::RUNAWAY])?, [cvda::SYSTEM, 2_000]);
        // The region's limit has the same bounds, and is the one in force for such a transaction.
        let fault = (INVREQ, 6);
        for (value, code, shown) in [
            (2_700_000, NORMAL, 2_700_000),
            (2_700_001, fault, 2_700_000),
            (249, fault, 2_700_000),
            (-1, NORMAL, 2_700_000),
            (2_249, NORMAL, 2_000),
        ] {
            let reply = issue(task, command::SET_SYSTEM, |call| {
                call.integer(option::RUNAWAY, value);
            })?;
            assert_eq!(reply.code, code, "SET SYSTEM RUNAWAY({value})");
            let seen = inquire_transaction(task, "DFS3", &[option::RUNAWAYTYPE, option::RUNAWAY])?;
            assert_eq!(seen, [cvda::SYSTEM, shown], "SET SYSTEM RUNAWAY({value})");
        }
        Ok(())
    });
}

/// EIB and TWA are task data.
#[test]
fn taskdataloc_places_the_data_of_the_task() {
    for (location, below) in [("BELOW", true), ("ANY", false)] {
        let lies = begin_with(the_region(), &[("TASKDATALOC", location), ("TWASIZE", "100")], |task| {
            Ok([task.eib.address() as usize, task.twa.address].map(|address| address < LINE))
        });
        assert_eq!(lies.result().unwrap(), [below; 2], "TASKDATALOC({location})");
    }
}

/// A queue of PURGETHRESH(3) holds two tasks that wait.
#[test]
fn a_class_has_maxactive_tasks_and_one_fewer_than_purgethresh_wait() {
    let region = the_region();
    install("TRANCLASS", "DFCLASS", &[("MAXACTIVE", "2"), ("PURGETHRESH", "3")]);
    let (begun, end) = (Flag::default(), Flag::default());
    {
        let (begun, end) = (begun.clone(), end.clone());
        define_transaction_of_class(region, "DFC1", "DFCLASS", move |task| {
            begun.raise();
            end.await_raised(task)
        });
    }
    let attach = || region.attach(AttachRequest::new(Name4::new("DFC1"), StartCode::Start));
    let figures = || {
        run(|task| {
            let reply = issue(task, command::INQUIRE_TRANCLASS, |call| {
                call.bytes(option::TRANCLASS, &e("DFCLASS "));
                for option in [option::ACTIVE, option::QUEUED, option::MAXACTIVE, option::PURGETHRESH] {
                    call.integer(option, -7);
                }
            })?;
            assert_eq!(reply.code, NORMAL);
            Ok([option::ACTIVE, option::QUEUED, option::MAXACTIVE, option::PURGETHRESH].map(|option| reply.number(option)))
        })
    };
    for _ in 0..4 {
        attach().unwrap_or_else(|failure| panic!("{failure:?}"));
    }
    until(|| begun.count() == 2);
    assert_eq!(figures(), [2, 2, 2, 3]);
    let failure = attach().unwrap_err();
    assert_eq!((failure.reason, failure.message.id), (AttachReason::ClassFull, "DFHAC2038"));
    assert!(failure.message.line().contains("DFC1"), "{}", failure.message.line());
    // A higher limit lets those begin that wait.
    run(|task| {
        let reply = issue(task, command::SET_TRANCLASS, |call| {
            call.bytes(option::TRANCLASS, &e("DFCLASS ")).integer(option::MAXACTIVE, 3);
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(())
    });
    until(|| begun.count() == 3);
    assert_eq!(figures(), [3, 1, 3, 3]);
    end.raise();
    until(|| begun.count() == 4);
    until(|| figures()[..2] == [0, 0]);
    // MAXACTIVE(0) lets none begin, and PURGETHRESH(NO) lets any number wait.
    install("TRANCLASS", "DFCLASS", &[("MAXACTIVE", "0"), ("PURGETHRESH", "NO")]);
    for _ in 0..10 {
        attach().unwrap_or_else(|failure| panic!("{failure:?}"));
    }
    assert_eq!(figures(), [0, 10, 0, 0]);
    run(|task| {
        issue(task, command::SET_TRANCLASS, |call| {
            call.bytes(option::TRANCLASS, &e("DFCLASS ")).integer(option::MAXACTIVE, 10);
        })
        .map(|_| ())
    });
    until(|| begun.count() == 14);
    until(|| figures()[..2] == [0, 0]);
}
