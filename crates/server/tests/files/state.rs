//! FILE resources: opening, closing, enabling, disabling, INQUIRE FILE and SET FILE.

use super::support::*;
use exec::{command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Task};

fn set(task: &mut Task, file: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    on_file(task, command::SET_FILE, file, build).map(|reply| reply.code)
}

fn status(task: &mut Task, file: &str) -> Result<(i64, i64), Raised> {
    let reply = on_file(task, command::INQUIRE_FILE, file, |call| {
        call.integer(option::OPENSTATUS, 0).integer(option::ENABLESTATUS, 0);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok((reply.number(option::OPENSTATUS), reply.number(option::ENABLESTATUS)))
}

/// The result of a READ, in a separate task, of a key that does not exist.
fn outcome(file: &'static str) -> (u16, i32) {
    run(move |task| read(task, file, "NOKEY", |_| {}).map(|reply| reply.code))
}

#[test]
fn a_file_goes_through_its_states() {
    let region = the_region();
    define_file(region, "STATE1", "TEST.STATE", &[]);
    let (notfnd, notopen, disabled) = ((condition::NOTFND.0, 80), (condition::NOTOPEN.0, 60), (condition::DISABLED.0, 50));
    let see = || run(|task| status(task, "STATE1"));
    let change = |option: exec::OptionId| {
        run(move |task| {
            set(task, "STATE1", |call| {
                call.flag(option);
            })
        })
    };
    // Closed until the first reference.
    assert_eq!(see(), (cvda::CLOSED, cvda::ENABLED));
    assert_eq!(outcome("STATE1"), notfnd);
    assert_eq!(see(), (cvda::OPEN, cvda::ENABLED));
    assert_eq!(change(option::CLOSED), NORMAL);
    assert_eq!(see(), (cvda::CLOSED, cvda::UNENABLED));
    assert_eq!(outcome("STATE1"), notopen);
    assert_eq!(change(option::OPEN), NORMAL);
    assert_eq!(see(), (cvda::OPEN, cvda::ENABLED));
    assert_eq!(outcome("STATE1"), notfnd);
    assert_eq!(change(option::DISABLED), NORMAL);
    assert_eq!(see(), (cvda::OPEN, cvda::DISABLED));
    assert_eq!(outcome("STATE1"), disabled);
    assert_eq!(change(option::CLOSED), NORMAL);
    assert_eq!(see(), (cvda::CLOSED, cvda::DISABLED));
    assert_eq!(outcome("STATE1"), disabled);
    assert_eq!(change(option::ENABLED), NORMAL);
    assert_eq!(see(), (cvda::CLOSED, cvda::ENABLED));
    assert_eq!(outcome("STATE1"), notfnd);
}

#[test]
fn closing_waits_for_the_users_of_the_file() {
    let region = the_region();
    define_file(region, "STATE2", "TEST.STATE", &[]);
    let (using, end) = (Flag::default(), Flag::default());
    let user = {
        let (using, end) = (using.clone(), end.clone());
        begin(move |task| {
            write(task, "STATE2", "USER", "X")?;
            using.raise();
            end.await_raised(task)?;
            // While the file is closing its users go on.
            assert_eq!(read(task, "STATE2", "USER", |_| {})?.code, NORMAL);
            on_file(task, command::DELETE, "STATE2", |call| {
                call.bytes(option::RIDFLD, &e("USER    "));
            })?;
            Ok(())
        })
    };
    using.wait();
    let closer = begin(|task| {
        let code = set(task, "STATE2", |call| {
            call.flag(option::CLOSED);
        })?;
        Ok((code, status(task, "STATE2")?))
    });
    until(|| is_waiting(region, "FCFSWAIT"));
    assert_eq!(run(|task| status(task, "STATE2")), (cvda::CLOSING, cvda::UNENABLING));
    assert_eq!(outcome("STATE2"), (condition::NOTOPEN.0, 60));
    end.raise();
    user.result().unwrap();
    assert_eq!(closer.result().unwrap(), (NORMAL, (cvda::CLOSED, cvda::UNENABLED)));
}

#[test]
fn nowait_returns_at_once_and_force_ends_the_users() {
    let region = the_region();
    define_file(region, "STATE3", "TEST.STATE", &[]);
    let using = Flag::default();
    let user = {
        let using = using.clone();
        begin(move |task| {
            read(task, "STATE3", "NOKEY", |_| {})?;
            using.raise();
            delay(task, 30_000)
        })
    };
    using.wait();
    let code = run(|task| {
        let code = set(task, "STATE3", |call| {
            call.flag(option::DISABLED).flag(option::NOWAIT);
        })?;
        assert_eq!(status(task, "STATE3")?, (cvda::OPEN, cvda::DISABLING));
        assert_eq!(
            set(task, "STATE3", |call| {
                call.flag(option::ENABLED);
            })?,
            (condition::INVREQ.0, 22)
        );
        Ok(code)
    });
    assert_eq!(code, NORMAL);
    let code = run(|task| {
        set(task, "STATE3", |call| {
            call.flag(option::CLOSED).flag(option::FORCE);
        })
    });
    assert_eq!(code, NORMAL);
    assert!(user.result().is_err(), "the user was abended");
    assert_eq!(run(|task| status(task, "STATE3")), (cvda::CLOSED, cvda::DISABLED));
}

#[test]
fn attributes_change_only_while_the_file_is_closed_and_not_enabled() {
    let region = the_region();
    define_file(region, "STATE4", "TEST.STATE", &[]);
    outcome("STATE4");
    let update = |value: exec::OptionId| {
        run(move |task| {
            set(task, "STATE4", |call| {
                call.flag(value);
            })
        })
    };
    assert_eq!(update(option::NOTREADABLE), (condition::INVREQ.0, 2));
    assert_eq!(update(option::CLOSED), NORMAL);
    for option in [option::NOTREADABLE, option::NOTUPDATABLE, option::NOTBROWSABLE] {
        assert_eq!(update(option), NORMAL);
    }
    assert_eq!(update(option::OPEN), NORMAL);
    assert_eq!(outcome("STATE4"), (condition::INVREQ.0, 20));
    let (code, read) = run(|task| {
        let reply = on_file(task, command::INQUIRE_FILE, "STATE4", |call| {
            call.integer(option::READ, 0).integer(option::KEYLENGTH, 0).integer(option::RECORDSIZE, 0).integer(option::TYPE, 0);
        })?;
        Ok((reply.code, [option::READ, option::KEYLENGTH, option::RECORDSIZE, option::TYPE].map(|option| reply.number(option))))
    });
    assert_eq!((code, read), (NORMAL, [cvda::NOTREADABLE, 8, 100, cvda::KSDS]));
}

#[test]
fn conditions_of_set_and_inquire() {
    define_file(the_region(), "CLOSEDEN", "TEST.STATE", &[]);
    run(|task| {
        assert_eq!(
            set(task, "NOFILE", |call| {
                call.flag(option::CLOSED);
            })?,
            (condition::FILENOTFOUND.0, 18)
        );
        assert_eq!(
            set(task, "REMFILE", |call| {
                call.flag(option::CLOSED);
            })?,
            (condition::INVREQ.0, 1)
        );
        assert_eq!(
            set(task, "NOWHERE", |call| {
                call.flag(option::OPEN);
            })?,
            (condition::IOERR.0, 148),
            "VSAM's error code of the OPEN"
        );
        assert_eq!(on_file(task, command::INQUIRE_FILE, "NOFILE", |_| {})?.code, (condition::FILENOTFOUND.0, 1));
        // Closed and not open is not enough: the file must not be enabled either.
        let changed = set(task, "CLOSEDEN", |call| {
            call.flag(option::NOTREADABLE);
        })?;
        assert_eq!(changed, (condition::INVREQ.0, 3));
        for (option, value, resp2) in [
            (option::ADD, cvda::OPEN, 4),
            (option::BROWSE, cvda::OPEN, 5),
            (option::BUSY, cvda::OPEN, 6),
            (option::DELETE, cvda::OPEN, 7),
            (option::DISPOSITION, cvda::OPEN, 8),
            (option::EMPTYSTATUS, cvda::OPEN, 9),
            (option::LSRPOOLNUM, 256, 11),
            (option::READ, cvda::OPEN, 12),
            (option::STRINGS, 0, 13),
            (option::UPDATE, cvda::OPEN, 14),
            (option::OPENSTATUS, cvda::ADDABLE, 16),
            (option::ENABLESTATUS, cvda::OPEN, 17),
            (option::EXCLUSIVE, cvda::OPEN, 23),
            (option::EXCLUSIVE, cvda::EXCTL, 24),
            (option::TABLE, cvda::OPEN, 29),
            (option::MAXNUMRECS, 100_000_000, 30),
            (option::READINTEG, cvda::OPEN, 49),
            (option::RLSACCESS, cvda::OPEN, 51),
            (option::LOADTYPE, cvda::OPEN, 55),
            (option::UPDATEMODEL, cvda::OPEN, 56),
            (option::KEYLENGTH, 17, 60),
            (option::RECORDSIZE, 32_768, 62),
        ] {
            let wrong = set(task, "CLOSEDEN", |call| {
                call.integer(option, value);
            })?;
            assert_eq!(wrong, (condition::INVREQ.0, resp2));
        }
        // A task cannot wait for itself.
        read(task, "STAFILE", "NOKEY", |_| {})?;
        assert_eq!(
            set(task, "STAFILE", |call| {
                call.flag(option::CLOSED);
            })?,
            (condition::INVREQ.0, 21)
        );
        Ok(())
    });
}

#[test]
fn attributes_that_do_not_go_together_change_nothing() {
    let region = the_region();
    define_file(region, "STATE6", "TEST.STATE", &[("STATUS", "DISABLED")]);
    define_file(region, "STATE7", "TEST.STATE", &[("STATUS", "DISABLED"), ("RECORDFORMAT", "F")]);
    run(|task| {
        let refused = |task: &mut Task, file: &str, options: &[exec::OptionId], pool: Option<i64>| {
            set(task, file, |call| {
                for option in options {
                    call.flag(*option);
                }
                if let Some(pool) = pool {
                    call.integer(option::LSRPOOLNUM, pool);
                }
            })
        };
        let invalid = |resp2| (condition::INVREQ.0, resp2);
        assert_eq!(refused(task, "STATE6", &[option::CONSISTENT], None)?, invalid(40));
        assert_eq!(refused(task, "STATE6", &[option::CICSTABLE, option::RLS], None)?, invalid(53));
        assert_eq!(refused(task, "STATE6", &[option::CICSTABLE], Some(0))?, invalid(70));
        assert_eq!(refused(task, "STATE7", &[option::USERTABLE], None)?, invalid(39));
        let view = on_file(task, command::INQUIRE_FILE, "STATE6", |call| {
            call.integer(option::TABLE, 0).integer(option::LSRPOOLNUM, 0).integer(option::RLSACCESS, 0);
        })?;
        assert_eq!((view.number(option::TABLE), view.number(option::LSRPOOLNUM)), (cvda::NOTTABLE, 1));
        assert_eq!(view.number(option::RLSACCESS), cvda::NOTRLS);
        assert_eq!(refused(task, "STATE6", &[], Some(0))?, NORMAL);
        assert_eq!(refused(task, "STATE6", &[option::USERTABLE], None)?, invalid(37));
        assert_eq!(refused(task, "STATE6", &[option::CONSISTENT, option::RLS], None)?, NORMAL);
        // What an OPEN of a coupling facility data table needs, one after the other.
        assert_eq!(refused(task, "STATE6", &[option::CFTABLE, option::NOTRLS], Some(0))?, NORMAL);
        assert_eq!(refused(task, "STATE6", &[option::OPEN], None)?, invalid(58));
        for (option, bytes, resp2) in [(option::CFDTPOOL, "POOL6", 59), (option::KEYLENGTH, "", 61)] {
            assert_eq!(
                set(task, "STATE6", |call| {
                    if bytes.is_empty() {
                        call.integer(option, 8)
                    } else {
                        call.bytes(option, &e(&format!("{bytes:<8}")))
                    };
                })?,
                NORMAL
            );
            assert_eq!(refused(task, "STATE6", &[option::OPEN], None)?, invalid(resp2));
        }
        Ok(())
    });
}

#[test]
fn the_name_of_the_data_set_stays_with_blanks_and_goes_with_a_null() {
    define_file(the_region(), "STATE8", "TEST.STATE", &[("STATUS", "DISABLED")]);
    run(|task| {
        let name = |task: &mut Task| {
            on_file(task, command::INQUIRE_FILE, "STATE8", |call| {
                call.bytes(option::DSNAME, &[0; 44]);
            })
        };
        for (given, left) in [(vec![0x40; 44], "TEST.STATE"), (vec![0; 44], "")] {
            assert_eq!(
                set(task, "STATE8", |call| {
                    call.bytes(option::DSNAME, &given);
                })?,
                NORMAL
            );
            assert_eq!(name(task)?.text(option::DSNAME).trim_end(), left);
        }
        Ok(())
    });
}

#[test]
fn a_file_can_be_discarded_when_nobody_can_use_it() {
    define_file(the_region(), "STATE5", "TEST.STATE", &[]);
    outcome("STATE5");
    run(|task| {
        let discard = |task: &mut Task| on_file(task, command::DISCARD_FILE, "STATE5", |_| {}).map(|reply| reply.code);
        assert_eq!(discard(task)?, (condition::INVREQ.0, 3));
        assert_eq!(
            set(task, "STATE5", |call| {
                call.flag(option::DISABLED);
            })?,
            NORMAL
        );
        assert_eq!(discard(task)?, (condition::INVREQ.0, 2));
        assert_eq!(
            set(task, "STATE5", |call| {
                call.flag(option::CLOSED);
            })?,
            NORMAL
        );
        assert_eq!(discard(task)?, NORMAL);
        assert_eq!(discard(task)?, (condition::FILENOTFOUND.0, 18));
        Ok(())
    });
    assert_eq!(outcome("STATE5"), (condition::FILENOTFOUND.0, 1));
}

#[test]
fn the_first_write_of_an_empty_data_set_closes_its_file() {
    idcams("  DEFINE CLUSTER (NAME(TEST.LOADED) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "LOADED", "TEST.LOADED", &[("RECOVERY", "BACKOUTONLY")]);
    run(|task| {
        assert_eq!(read(task, "LOADED", "KEY1", |_| {})?.code, (condition::NOTFND.0, 80));
        assert_eq!(status(task, "LOADED")?, (cvda::OPEN, cvda::ENABLED));
        assert_eq!(write(task, "LOADED", "KEY1", "X")?.code, NORMAL);
        assert_eq!(status(task, "LOADED")?, (cvda::CLOSED, cvda::ENABLED));
        // The next request opens it, and sees what this unit of work has written.
        assert_eq!(read(task, "LOADED", "KEY1", |_| {})?.code, NORMAL);
        assert_eq!(status(task, "LOADED")?, (cvda::OPEN, cvda::ENABLED));
        assert_eq!(write(task, "LOADED", "KEY2", "X")?.code, NORMAL);
        assert_eq!(status(task, "LOADED")?, (cvda::OPEN, cvda::ENABLED));
        rollback(task)?;
        // It has no records, but has been loaded.
        assert_eq!(write(task, "LOADED", "KEY3", "X")?.code, NORMAL);
        assert_eq!(status(task, "LOADED")?, (cvda::OPEN, cvda::ENABLED));
        Ok(())
    });
    let statistics = files::file_control::FileControl::of(the_region()).find(region::name::Name8::new("LOADED")).unwrap().statistics();
    assert!(statistics.counters.contains(&("add_requests", 3)), "{statistics:?}");
}

#[test]
fn a_mass_insert_loads_until_it_ends() {
    idcams("  DEFINE CLUSTER (NAME(TEST.LOADMASS) NONINDEXED RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "LOADMASS", "TEST.LOADMASS", &[]);
    run(|task| {
        for _ in 0..2 {
            let added = on_file(task, command::WRITE, "LOADMASS", |call| {
                call.bytes(option::FROM, &record("KEY", "X")).flag(option::RBA).bytes(option::RIDFLD, &[0; 4]).flag(option::MASSINSERT);
            })?;
            assert_eq!(added.code, NORMAL);
        }
        let first = |task: &mut Task| {
            on_file(task, command::READ, "LOADMASS", |call| {
                call.bytes(option::INTO, &[0; 100]).flag(option::RBA).bytes(option::RIDFLD, &[0; 4]);
            })
            .map(|reply| reply.code)
        };
        assert_eq!(first(task)?, (condition::NOTFND.0, 80));
        assert_eq!(status(task, "LOADMASS")?, (cvda::OPEN, cvda::ENABLED));
        assert_eq!(on_file(task, command::UNLOCK, "LOADMASS", |_| {})?.code, NORMAL);
        assert_eq!(status(task, "LOADMASS")?, (cvda::CLOSED, cvda::ENABLED));
        assert_eq!(first(task)?, NORMAL);
        Ok(())
    });
}

#[test]
fn an_empty_data_set_in_rls_mode_is_not_closed() {
    idcams("  DEFINE CLUSTER (NAME(TEST.LOADRLS) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) LOG(NONE))\n");
    define_file(the_region(), "LOADRLS", "TEST.LOADRLS", &[("RLSACCESS", "YES")]);
    run(|task| {
        assert_eq!(write(task, "LOADRLS", "KEY1", "X")?.code, NORMAL);
        assert_eq!(status(task, "LOADRLS")?, (cvda::OPEN, cvda::ENABLED));
        Ok(())
    });
}

#[test]
fn vsam_codes_are_in_eibrcode_and_the_message() {
    let region = the_region();
    run(|task| {
        assert_eq!(read(task, "NOWHERE", "KEY", |_| {})?.code, (condition::NOTOPEN.0, 60));
        // 148: not in the catalog.
        assert_eq!(response_bytes(task), [0x0C, 8, 148]);
        let reply = on_file(task, command::READ, "SLOFILE", |call| {
            call.bytes(option::INTO, &[0; 50]).bytes(option::RIDFLD, &[0; 4]).flag(option::RRN);
        })?;
        assert_eq!(reply.code, (condition::ILLOGIC.0, 110));
        assert_eq!(response_bytes(task), [0x02, 8, 32]);
        assert_eq!(read(task, "VARFILE", "NO SUCH", |_| {})?.code, (condition::NOTFND.0, 80));
        assert_eq!(response_bytes(task), [0x81, 0, 0]);
        Ok(())
    });
    let failed = |message: &region::messages::Message| message.id == "DFHFC0962" && message.text.contains("NOWHERE");
    let kept = region.messages.kept();
    let message = kept.iter().find(|message| failed(message)).expect("DFHFC0962");
    assert!(message.text.contains("VSAM codes - X'08',X'94'"), "{}", message.text);
}

/// IGNORE, -1 and blanks are null values: a SET command leaves their attributes unchanged.
#[test]
fn null_values_of_set_change_nothing() {
    define_file(the_region(), "STATNUL", "TEST.STATE", &[]);
    run(|task| {
        let closed = set(task, "STATNUL", |call| {
            call.flag(option::CLOSED).flag(option::DISABLED);
        })?;
        assert_eq!(closed, NORMAL);
        let set_null = set(task, "STATNUL", |call| {
            for option in [option::OPENSTATUS, option::ENABLESTATUS, option::ADD, option::BUSY, option::TABLE, option::READINTEG] {
                call.integer(option, cvda::IGNORE);
            }
            call.integer(option::DELETE, cvda::NOTDELBLE).integer(option::STRINGS, -1).integer(option::LSRPOOLNUM, -1);
            call.integer(option::MAXNUMRECS, -1).bytes(option::DSNAME, &[0x40; 44]).bytes(option::CFDTPOOL, &[0x40; 8]);
        })?;
        assert_eq!(set_null, NORMAL);
        let options = [option::OPENSTATUS, option::ENABLESTATUS, option::ADD, option::DELETE, option::STRINGS, option::TABLE];
        let reply = on_file(task, command::INQUIRE_FILE, "STATNUL", |call| {
            call.bytes(option::DSNAME, &[0; 44]);
            options.iter().for_each(|option| {
                call.integer(*option, 0);
            });
        })?;
        let expected = [cvda::CLOSED, cvda::DISABLED, cvda::ADDABLE, cvda::NOTDELBLE, 50, cvda::NOTTABLE];
        assert_eq!(options.map(|option| reply.number(option)), expected);
        assert_eq!(reply.text(option::DSNAME).trim_end(), "TEST.STATE");
        Ok(())
    });
}

/// BASEDSNAME is blank until the file has been opened, and stays known when it has been closed.
#[test]
fn the_base_of_a_file_stays_known_when_it_is_closed() {
    define_file(the_region(), "STATBAS", "TEST.STATE", &[]);
    let base = || {
        run(|task| {
            let reply = on_file(task, command::INQUIRE_FILE, "STATBAS", |call| {
                call.bytes(option::BASEDSNAME, &[0; 44]).integer(option::OPENSTATUS, 0);
            })?;
            Ok((reply.text(option::BASEDSNAME).trim_end().to_string(), reply.number(option::OPENSTATUS)))
        })
    };
    assert_eq!(base(), (String::new(), cvda::CLOSED));
    outcome("STATBAS");
    assert_eq!(base(), ("TEST.STATE".to_string(), cvda::OPEN));
    let closed = run(|task| {
        set(task, "STATBAS", |call| {
            call.flag(option::CLOSED);
        })
    });
    assert_eq!(closed, NORMAL);
    assert_eq!(base(), ("TEST.STATE".to_string(), cvda::CLOSED));
}
