//! WRITE and WAIT of journals, and the contents of their streams.

use super::support::*;
use exec::{command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Task};

fn write_journal(task: &mut Task, name: &str, data: &str, build: impl FnOnce(&mut Call)) -> Result<Reply, Raised> {
    issue(task, command::WRITE_JOURNALNAME, |call| {
        call.bytes(option::JOURNALNAME, &e(&format!("{name:<8}"))).bytes(option::JTYPEID, &e("XX"));
        call.bytes(option::FROM, &e(data)).integer(option::FLENGTH, data.len() as i64).integer(option::REQID, 0);
        build(call);
    })
}

/// The lines of a journal's stream: the region's user and application identifier are in its name.
pub fn lines(journal: &str) -> Vec<String> {
    let region = the_region();
    let stream = files::journaling::Journaling::of(region)
        .find(region::name::Name8::new(journal))
        .expect("the journal is there")
        .stream_name
        .to_lowercase();
    let text = std::fs::read_to_string(region.data_directory.join("journals").join(format!("{stream}.journal"))).unwrap();
    text.lines().map(str::to_string).collect()
}

fn inquire(task: &mut Task, name: &str) -> Result<Reply, Raised> {
    issue(task, command::INQUIRE_JOURNALNAME, |call| {
        call.bytes(option::JOURNALNAME, &e(&format!("{name:<8}"))).integer(option::STATUS, 0).integer(option::TYPE, 0);
        call.bytes(option::STREAMNAME, &[0x40; 26]);
    })
}

#[test]
fn records_that_were_waited_for_are_in_the_stream_and_stay_after_a_backout() {
    run(|task| {
        let first = write_journal(task, "JRNONE", "FIRST", |call| {
            call.bytes(option::PREFIX, &[1, 2]).integer(option::PFXLENG, 2);
        })?;
        assert_eq!((first.code, first.number(option::REQID)), (NORMAL, 1));
        let second = write_journal(task, "JRNONE", "SECOND", |call| {
            call.flag(option::WAIT);
        })?;
        assert_eq!((second.code, second.number(option::REQID)), (NORMAL, 2));
        assert_eq!(rollback(task)?.code, NORMAL);
        let third = write_journal(task, "JRNONE", "THIRD", |_| {})?;
        let wait = issue(task, command::WAIT_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("JRNONE  ")).integer(option::REQID, third.number(option::REQID));
        })?;
        assert_eq!(wait.code, NORMAL);
        let beyond = issue(task, command::WAIT_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("JRNONE  ")).integer(option::REQID, 99);
        })?;
        assert_eq!(beyond.code, (condition::INVREQ.0, 1));
        Ok(())
    });
    let lines = lines("JRNONE");
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with(r#"{"n":1,"#) && lines[0].contains(r#""prefix":"0102""#), "{}", lines[0]);
    for (line, text) in lines.iter().zip(["FIRST", "SECOND", "THIRD"]) {
        assert!(line.contains(&format!(r#""text":"{text}""#)) && line.contains(r#""type":"XX""#), "{line}");
    }
}

fn on_journal(task: &mut Task, command: exec::CommandId, flag: Option<exec::OptionId>) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command, |call| {
        call.bytes(option::JOURNALNAME, &e("JRNRO   "));
        if let Some(flag) = flag {
            call.flag(flag);
        }
    })?;
    Ok(reply.code)
}

/// The streams of journals are data sets of the region: they are opened and closed on RO.
#[test]
fn streams_are_opened_and_closed_on_the_resource_owning_tcb() {
    let switches = run(|task| {
        let ro = |task: &Task| task.kernel.times().modes[kernel::Mode::Ro as usize].switches;
        let mut all = Vec::new();
        for number in 0..4 {
            let before = ro(task);
            let code = match number {
                // The first record opens the stream.
                0 | 1 => write_journal(task, "JRNRO", "RECORD", |_| {})?.code,
                2 => on_journal(task, command::SET_JOURNALNAME, Some(option::RESET))?,
                _ => on_journal(task, command::DISCARD_JOURNALNAME, None)?,
            };
            assert_eq!(code, NORMAL);
            all.push(ro(task) - before);
        }
        Ok(all)
    });
    assert_eq!(switches, [1, 0, 1, 1]);
}

#[test]
fn journals_have_the_documented_conditions() {
    run(|task| {
        assert_eq!(write_journal(task, "DFHLOG", "X", |_| {})?.code, (condition::JIDERR.0, 2));
        assert_eq!(write_journal(task, "JRNTWO", "", |_| {})?.code, (condition::LENGERR.0, 1));
        assert_eq!(inquire(task, "JRNNONE")?.code, (condition::JIDERR.0, 1));
        assert_eq!(write_journal(task, "JRNTWO", "X", |_| {})?.code, NORMAL);
        let reply = inquire(task, "JRNTWO")?;
        assert_eq!((reply.number(option::STATUS), reply.number(option::TYPE)), (cvda::ENABLED, cvda::MVS));
        let of = |task: &mut Task, name: &str, option, value| {
            issue(task, command::SET_JOURNALNAME, |call| {
                call.bytes(option::JOURNALNAME, &e(&format!("{name:<8}"))).integer(option, value);
            })
        };
        let set = |task: &mut Task, status| of(task, "JRNTWO", option::STATUS, status);
        assert_eq!(set(task, cvda::OPEN)?.code, (condition::INVREQ.0, 5));
        assert_eq!(of(task, "JRNTWO", option::ACTION, cvda::OPEN)?.code, (condition::INVREQ.0, 4));
        assert_eq!(of(task, "JRNNONE", option::ACTION, cvda::FLUSH)?.code, (condition::INVREQ.0, 7));
        assert_eq!(of(task, "DFHLOG", option::STATUS, cvda::DISABLED)?.code, (condition::INVREQ.0, 3));
        // The system log can be inquired, and a journal nobody has written to yet is made by SET.
        let log = inquire(task, "DFHLOG")?;
        assert_eq!((log.number(option::STATUS), log.number(option::TYPE)), (cvda::ENABLED, cvda::MVS));
        assert_eq!(log.text(option::STREAMNAME), "CICSUSER.TESTREG.DFHLOG");
        assert_eq!(of(task, "JRNSET", option::STATUS, cvda::ENABLED)?.code, NORMAL);
        assert_eq!(inquire(task, "JRNSET")?.number(option::STATUS), cvda::ENABLED);
        assert_eq!(set(task, cvda::DISABLED)?.code, NORMAL);
        assert_eq!(write_journal(task, "JRNTWO", "X", |_| {})?.code, (condition::NOTOPEN.0, 1));
        assert_eq!(set(task, cvda::ENABLED)?.code, NORMAL);
        assert_eq!(write_journal(task, "JRNTWO", "Y", |_| {})?.code, NORMAL);
        let discarded = issue(task, command::DISCARD_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("JRNTWO  "));
        })?;
        assert_eq!(discarded.code, NORMAL);
        assert_eq!(inquire(task, "JRNTWO")?.code, (condition::JIDERR.0, 1));
        // Opened anew, numbers go on.
        let next = write_journal(task, "JRNTWO", "Z", |_| {})?;
        assert_eq!(next.number(option::REQID), 3);
        Ok(())
    });
}

#[test]
fn a_number_is_the_journal_dfhj_of_that_number_and_a_model_names_its_stream() {
    let model = csd::Definition::new("JOURNALMODEL", "MODEL5", "TEST").with("JOURNALNAME", "DFHJ+5");
    the_region().install(&model.with("STREAMNAME", "&APPLID..STREAM.&JNAME")).unwrap();
    run(|task| {
        let reply = issue(task, command::WRITE_JOURNALNUM, |call| {
            call.integer(option::JOURNALNUM, 5).bytes(option::JTYPEID, &e("05")).bytes(option::FROM, &e("FIVE"));
            call.integer(option::FLENGTH, 4).flag(option::WAIT);
        })?;
        assert_eq!(reply.code, NORMAL);
        assert_eq!(inquire(task, "DFHJ05")?.text(option::STREAMNAME), "TESTREG.STREAM.DFHJ05");
        Ok(())
    });
    assert!(lines("DFHJ05")[0].contains(r#""text":"FIVE""#));
}

fn inquire_stream(task: &mut Task, name: &str) -> Result<Reply, Raised> {
    issue(task, command::INQUIRE_STREAMNAME, |call| {
        call.bytes(option::STREAMNAME, &e(&format!("{name:<26}"))).integer(option::STATUS, 0).integer(option::SYSTEMLOG, 0);
        call.integer(option::USECOUNT, 0);
    })
}

#[test]
fn log_streams_are_inquired_with_their_users() {
    let model = csd::Definition::new("JOURNALMODEL", "JRNSHARE", "TEST").with("JOURNALNAME", "JRNSH*");
    the_region().install(&model.with("STREAMNAME", "TEST.SHARED")).unwrap();
    run(|task| {
        let absent = inquire_stream(task, "TEST.SHARED")?;
        assert_eq!(absent.code, (condition::NOTFND.0, 1));
        // Two journals of one stream are two users of it.
        for (journal, users) in [("JRNSHA", 1), ("JRNSHB", 2)] {
            assert_eq!(write_journal(task, journal, "X", |_| {})?.code, NORMAL);
            let reply = inquire_stream(task, "TEST.SHARED")?;
            let found = (reply.code, reply.number(option::STATUS), reply.number(option::SYSTEMLOG), reply.number(option::USECOUNT));
            assert_eq!(found, (NORMAL, cvda::OK, cvda::NOSYSLOG, users));
        }
        let discarded = issue(task, command::DISCARD_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("JRNSHA  "));
        })?;
        assert_eq!(discarded.code, NORMAL);
        assert_eq!(inquire_stream(task, "TEST.SHARED")?.number(option::USECOUNT), 1);
        assert_eq!(inquire_stream(task, "CICSUSER.TESTREG.DFHLOG")?.number(option::SYSTEMLOG), cvda::SYSLOG);
        let browse = |task: &mut Task, step| {
            issue(task, command::INQUIRE_STREAMNAME, |call| {
                call.flag(step).bytes(option::STREAMNAME, &[0x40; 26]);
            })
        };
        issue(task, command::INQUIRE_STREAMNAME, |call| {
            call.flag(option::START);
        })?;
        let mut names = Vec::new();
        loop {
            let next = browse(task, option::NEXT)?;
            if next.code != NORMAL {
                assert_eq!(next.code, (condition::END.0, 2));
                break;
            }
            names.push(next.text(option::STREAMNAME));
        }
        assert!(names.iter().any(|name| name == "CICSUSER.TESTREG.DFHLOG") && names.iter().any(|name| name == "TEST.SHARED"), "{names:?}");
        let ended = issue(task, command::INQUIRE_STREAMNAME, |call| {
            call.flag(option::END);
        })?;
        assert_eq!(ended.code, NORMAL);
        Ok(())
    });
}

/// A record has at least a byte, and a megabyte at most with its prefix.
#[test]
fn journal_records_at_the_bounds_of_their_length() {
    run(|task| {
        let lengerr = (condition::LENGERR.0, 1);
        let most = 1 << 20;
        let area = vec![0xC1; most + 1];
        let write = |task: &mut Task, length: i64, prefix: Option<i64>| {
            issue(task, command::WRITE_JOURNALNAME, |call| {
                call.bytes(option::JOURNALNAME, &e("JRNLEN  ")).bytes(option::JTYPEID, &e("XX"));
                call.bytes(option::FROM, &area).integer(option::FLENGTH, length);
                if let Some(prefix) = prefix {
                    call.bytes(option::PREFIX, &area).integer(option::PFXLENG, prefix);
                }
            })
            .map(|reply| reply.code)
        };
        let most = most as i64;
        for (length, prefix, code) in [
            (-1, None, lengerr),
            (0, None, lengerr),
            (1, None, NORMAL),
            (most, None, NORMAL),
            (most + 1, None, lengerr),
            (most - 10, Some(10), NORMAL),
            (most - 10, Some(11), lengerr),
            (1, Some(-1), lengerr),
            (1, Some(0), NORMAL),
        ] {
            assert_eq!(write(task, length, prefix)?, code, "FLENGTH({length}) PFXLENG({prefix:?})");
        }
        Ok(())
    });
}

#[test]
fn set_journalname_flushes_resets_enables_and_disables() {
    run(|task| {
        let set = |task: &mut Task, keyword| {
            issue(task, command::SET_JOURNALNAME, |call| {
                call.bytes(option::JOURNALNAME, &e("JRNACT  ")).flag(keyword);
            })
            .map(|reply| reply.code)
        };
        let status = |task: &mut Task| inquire(task, "JRNACT").map(|reply| reply.number(option::STATUS));
        // A journal that nobody has written to is connected by SET, and neither flushed nor reset.
        for keyword in [option::FLUSH, option::RESET] {
            assert_eq!(set(task, keyword)?, (condition::INVREQ.0, 7));
        }
        assert_eq!(write_journal(task, "JRNACT", "ONE", |_| {})?.code, NORMAL);
        assert_eq!(lines("JRNACT").len(), 0, "in the buffer");
        assert_eq!(set(task, option::FLUSH)?, NORMAL);
        assert_eq!(lines("JRNACT").len(), 1);
        assert_eq!((set(task, option::DISABLED)?, status(task)?), (NORMAL, cvda::DISABLED));
        assert_eq!(write_journal(task, "JRNACT", "TWO", |_| {})?.code, (condition::NOTOPEN.0, 1));
        // RESET opens it anew, enabled.
        assert_eq!((set(task, option::RESET)?, status(task)?), (NORMAL, cvda::ENABLED));
        let third = write_journal(task, "JRNACT", "THREE", |call| {
            call.flag(option::WAIT);
        })?;
        assert_eq!((third.code, third.number(option::REQID)), (NORMAL, 2));
        let both = issue(task, command::SET_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("JRNACT  ")).flag(option::ENABLED).flag(option::FLUSH);
        })?;
        assert_eq!(both.code, (condition::INVREQ.0, 2));
        // Disabling forces what is in the buffer.
        assert_eq!(write_journal(task, "JRNACT", "FOUR", |_| {})?.code, NORMAL);
        assert_eq!((set(task, option::DISABLED)?, lines("JRNACT").len()), (NORMAL, 3));
        Ok(())
    });
}

/// The model with most letters that are no wild cards decides; TYPE(DUMMY) keeps nothing.
#[test]
fn models_give_a_journal_its_type_and_stream() {
    let install = |name: &str, attributes: &[(&'static str, &str)]| {
        let mut model = csd::Definition::new("JOURNALMODEL", name, "TEST");
        for (attribute, value) in attributes {
            model = model.with(attribute, value);
        }
        the_region().install(&model).unwrap();
    };
    install("JMGEN", &[("JOURNALNAME", "JM*"), ("TYPE", "SMF")]);
    install("JMSPEC", &[("JOURNALNAME", "JMDUM+"), ("TYPE", "DUMMY")]);
    install("JMNAME", &[("JOURNALNAME", "JMNAMED"), ("STREAMNAME", "&USERID..&SYSID..&JNAME")]);
    run(|task| {
        let seen = |task: &mut Task, name: &str| {
            let written = write_journal(task, name, "X", |call| {
                call.flag(option::WAIT);
            })?;
            assert_eq!(written.code, NORMAL);
            let reply = inquire(task, name)?;
            Ok::<_, Raised>((reply.number(option::TYPE), reply.number(option::STATUS), reply.text(option::STREAMNAME)))
        };
        let sysid = task.region.sysid.to_string();
        assert_eq!(seen(task, "JMOTHER")?, (cvda::SMF, cvda::ENABLED, "CICSUSER.TESTREG.JMOTHER".into()));
        assert_eq!(seen(task, "JMDUM1")?.0, cvda::DUMMY);
        assert_eq!(seen(task, "JMNAMED")?, (cvda::MVS, cvda::ENABLED, format!("CICSUSER.{sysid}.JMNAMED")));
        let model = |task: &mut Task, command, name: &str| {
            issue(task, command, |call| {
                call.bytes(option::JOURNALMODEL, &e(&format!("{name:<8}"))).integer(option::TYPE, 0);
                call.bytes(option::JOURNALNAME, &[0; 8]).bytes(option::STREAMNAME, &[0; 26]);
            })
        };
        let reply = model(task, command::INQUIRE_JOURNALMODEL, "JMNAME")?;
        let texts = (reply.text(option::JOURNALNAME), reply.text(option::STREAMNAME));
        assert_eq!((reply.code, reply.number(option::TYPE)), (NORMAL, cvda::MVS));
        assert_eq!(texts, ("JMNAMED".into(), "&USERID..&SYSID..&JNAME".into()));
        // Journals that are open stay as they are when their model goes.
        assert_eq!(model(task, command::DISCARD_JOURNALMODEL, "JMGEN")?.code, NORMAL);
        assert_eq!(inquire(task, "JMOTHER")?.number(option::TYPE), cvda::SMF);
        assert_eq!(seen(task, "JMAFTER")?.0, cvda::MVS);
        let gone = (condition::NOTFND.0, 1);
        assert_eq!(model(task, command::DISCARD_JOURNALMODEL, "JMGEN")?.code, gone);
        assert_eq!(model(task, command::INQUIRE_JOURNALMODEL, "JMGEN")?.code, gone);
        Ok(())
    });
}
