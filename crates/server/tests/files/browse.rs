//! STARTBR, READNEXT, READPREV, RESETBR, ENDBR.

use super::support::*;
use exec::{CommandId, command, condition, option};
use region::exec_interface::Call;
use region::{Raised, Task};
use std::sync::OnceLock;

/// Ten records B00 to B09.
fn prepare() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        run(|task| {
            for number in 0..10 {
                assert_eq!(write(task, "BRWFILE", &format!("B0{number}"), "X")?.code, NORMAL);
            }
            Ok(())
        });
    });
}

/// A browse by a program: RIDFLD is an area of the task's storage, so it keeps the values that the commands store there.
struct Program {
    ridfld: usize,
}

impl Program {
    fn new(task: &mut Task) -> Result<Program, Raised> {
        Ok(Program { ridfld: task.level_storage(&[0; 8])? })
    }

    fn set(&self, key: &[u8]) -> Result<(), Raised> {
        let mut bytes = vec![0x40; 8];
        bytes[..key.len()].copy_from_slice(key);
        Ok(region::storage_access::write(self.ridfld, &bytes)?)
    }

    fn start(&self, task: &mut Task, key: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
        self.set(&e(key))?;
        let ridfld = self.ridfld;
        on_file(task, command::STARTBR, "BRWFILE", |call| {
            call.area(option::RIDFLD, ridfld, 8);
            build(call);
        })
        .map(|reply| reply.code)
    }

    /// The key of the record, or the condition.
    fn step(&self, task: &mut Task, command: CommandId) -> Result<Result<String, (u16, i32)>, Raised> {
        let ridfld = self.ridfld;
        let reply = on_file(task, command, "BRWFILE", |call| {
            call.area(option::RIDFLD, ridfld, 8).bytes(option::INTO, &[0; 100]);
        })?;
        if reply.code != NORMAL {
            return Ok(Err(reply.code));
        }
        let key = t(&region::storage_access::Area::new(ridfld, 8).read()?);
        assert_eq!(t(&reply.call.result_bytes(option::INTO)[..8]), key, "RIDFLD is the key of the record");
        Ok(Ok(key))
    }

    fn next(&self, task: &mut Task) -> Result<Result<String, (u16, i32)>, Raised> {
        self.step(task, command::READNEXT)
    }

    fn previous(&self, task: &mut Task) -> Result<Result<String, (u16, i32)>, Raised> {
        self.step(task, command::READPREV)
    }

    fn end(&self, task: &mut Task) -> Result<(u16, i32), Raised> {
        on_file(task, command::ENDBR, "BRWFILE", |_| {}).map(|reply| reply.code)
    }
}

fn ok(key: &str) -> Result<String, (u16, i32)> {
    Ok(key.to_string())
}

#[test]
fn forward_to_the_end_and_back() {
    prepare();
    run(|task| {
        let program = Program::new(task)?;
        assert_eq!(program.start(task, "B07", |_| {})?, NORMAL);
        for key in ["B07", "B08", "B09"] {
            assert_eq!(program.next(task)?, ok(key));
        }
        assert_eq!(program.next(task)?, Err((condition::ENDFILE.0, 90)));
        assert_eq!(program.end(task)?, NORMAL);
        assert_eq!(program.end(task)?, (condition::INVREQ.0, 35));
        assert_eq!(program.next(task)?, Err((condition::INVREQ.0, 34)));
        assert_eq!(program.previous(task)?, Err((condition::INVREQ.0, 41)));
        Ok(())
    });
}

#[test]
fn a_change_of_direction_gives_the_same_record_again() {
    prepare();
    run(|task| {
        let program = Program::new(task)?;
        program.start(task, "B03", |_| {})?;
        for (forward, key) in [(true, "B03"), (true, "B04"), (false, "B04"), (false, "B03"), (true, "B03"), (true, "B04")] {
            let read = if forward { program.next(task)? } else { program.previous(task)? };
            assert_eq!(read, ok(key));
        }
        program.end(task)?;
        Ok(())
    });
}

#[test]
fn the_highest_key_positions_behind_the_last_record() {
    prepare();
    run(|task| {
        let program = Program::new(task)?;
        program.set(&[0xFF; 8])?;
        let ridfld = program.ridfld;
        let start = on_file(task, command::STARTBR, "BRWFILE", |call| {
            call.area(option::RIDFLD, ridfld, 8);
        })?;
        assert_eq!(start.code, NORMAL);
        assert_eq!(program.previous(task)?, ok("B09"));
        assert_eq!(program.previous(task)?, ok("B08"));
        program.end(task)?;
        program.start(task, "B00", |_| {})?;
        assert_eq!(program.previous(task)?, ok("B00"));
        assert_eq!(program.previous(task)?, Err((condition::ENDFILE.0, 90)));
        program.end(task)?;
        Ok(())
    });
}

#[test]
fn positions_and_their_conditions() {
    prepare();
    run(|task| {
        let program = Program::new(task)?;
        let notfnd = (condition::NOTFND.0, 80);
        assert_eq!(
            program.start(task, "B0A", |call| {
                call.flag(option::EQUAL);
            })?,
            notfnd
        );
        assert_eq!(program.start(task, "Z", |_| {})?, notfnd);
        // Greater or equal is the default; READPREV needs the record itself.
        assert_eq!(program.start(task, "B01X", |_| {})?, NORMAL);
        assert_eq!(program.previous(task)?, Err(notfnd));
        assert_eq!(program.next(task)?, ok("B02"));
        assert_eq!(program.start(task, "B01", |_| {})?, (condition::INVREQ.0, 33));
        program.end(task)?;
        let generic = |length: i64| {
            move |call: &mut Call| {
                call.flag(option::GENERIC).integer(option::KEYLENGTH, length);
            }
        };
        assert_eq!(program.start(task, "B0", generic(8))?, (condition::INVREQ.0, 25));
        assert_eq!(program.start(task, "B0", generic(-1))?, (condition::INVREQ.0, 42));
        assert_eq!(
            program.start(task, "B0", |call| {
                call.integer(option::KEYLENGTH, 7);
            })?,
            (condition::INVREQ.0, 26)
        );
        assert_eq!(program.start(task, "B0", generic(2))?, NORMAL);
        assert_eq!(program.previous(task)?, Err((condition::INVREQ.0, 24)));
        assert_eq!(program.next(task)?, ok("B00"));
        assert_eq!(program.next(task)?, ok("B01"));
        program.end(task)?;
        // KEYLENGTH(0) GENERIC: from the beginning of the file.
        assert_eq!(program.start(task, "", generic(0))?, NORMAL);
        assert!(program.next(task)?.is_ok());
        program.end(task)?;
        Ok(())
    });
}

#[test]
fn the_program_may_skip_and_reset() {
    prepare();
    run(|task| {
        let program = Program::new(task)?;
        program.start(task, "B00", |_| {})?;
        assert_eq!(program.next(task)?, ok("B00"));
        program.set(&e("B05"))?;
        assert_eq!(program.next(task)?, ok("B05"));
        assert_eq!(program.next(task)?, ok("B06"));
        program.set(&e("B02"))?;
        let ridfld = program.ridfld;
        let reset = on_file(task, command::RESETBR, "BRWFILE", |call| {
            call.area(option::RIDFLD, ridfld, 8);
        })?;
        assert_eq!(reset.code, NORMAL);
        assert_eq!(program.next(task)?, ok("B02"));
        program.end(task)?;
        let reset = on_file(task, command::RESETBR, "BRWFILE", |call| {
            call.area(option::RIDFLD, ridfld, 8);
        })?;
        assert_eq!(reset.code, (condition::INVREQ.0, 36));
        Ok(())
    });
}

#[test]
fn several_browses_by_reqid_and_their_end_at_the_syncpoint() {
    prepare();
    run(|task| {
        let next = |task: &mut Task, area: usize, id: i64| {
            on_file(task, command::READNEXT, "BRWFILE", |call| {
                call.area(option::RIDFLD, area, 8).bytes(option::INTO, &[0; 100]).integer(option::REQID, id);
            })
            .map(|reply| (reply.code, t(&reply.call.result_bytes(option::INTO)[..8])))
        };
        let (one, two) = (Program::new(task)?, Program::new(task)?);
        one.start(task, "B01", |call| {
            call.integer(option::REQID, 1);
        })?;
        assert_eq!(
            two.start(task, "B06", |call| {
                call.integer(option::REQID, 1);
            })?,
            (condition::INVREQ.0, 33)
        );
        two.start(task, "B06", |call| {
            call.integer(option::REQID, 2);
        })?;
        assert_eq!(next(task, one.ridfld, 1)?, (NORMAL, "B01".into()));
        assert_eq!(next(task, two.ridfld, 2)?, (NORMAL, "B06".into()));
        assert_eq!(next(task, one.ridfld, 1)?, (NORMAL, "B02".into()));
        assert_eq!(next(task, one.ridfld, 0)?.0, (condition::INVREQ.0, 34));
        syncpoint(task)?;
        assert_eq!(next(task, one.ridfld, 1)?.0, (condition::INVREQ.0, 34));
        Ok(())
    });
}

#[test]
fn kinds_of_identification_and_options_that_do_not_fit() {
    prepare();
    run(|task| {
        let program = Program::new(task)?;
        program.start(task, "B00", |_| {})?;
        let ridfld = program.ridfld;
        let mut step = |build: &dyn Fn(&mut Call)| {
            on_file(task, command::READNEXT, "BRWFILE", |call| {
                call.area(option::RIDFLD, ridfld, 8).bytes(option::INTO, &[0; 100]);
                build(call);
            })
            .map(|reply| reply.code)
        };
        let invreq = |resp2| (condition::INVREQ.0, resp2);
        assert_eq!(
            step(&|call| {
                call.flag(option::RBA);
            })?,
            invreq(37)
        );
        assert_eq!(
            step(&|call| {
                call.flag(option::UPDATE).bytes(option::TOKEN, &[0; 4]);
            })?,
            invreq(49)
        );
        assert_eq!(
            step(&|call| {
                call.integer(option::KEYLENGTH, 7);
            })?,
            invreq(26)
        );
        assert_eq!(
            step(&|call| {
                call.flag(option::CONSISTENT);
            })?,
            invreq(52)
        );
        assert_eq!(
            step(&|call| {
                call.integer(option::LENGTH, 8);
            })?,
            (condition::LENGERR.0, 11)
        );
        Ok(())
    });
}

#[test]
fn a_path_is_browsed_by_its_alternate_key() {
    run(|task| {
        for (key, alternate) in [("BRWP1", "P001"), ("BRWP2", "P002"), ("BRWP3", "P002"), ("BRWP4", "P003")] {
            write(task, "BASFILE", key, alternate)?;
        }
        let area = task.level_storage(&e("P001"))?;
        on_file(task, command::STARTBR, "PTHFILE", |call| {
            call.area(option::RIDFLD, area, 4);
        })?;
        let mut read = Vec::new();
        for _ in 0..4 {
            let reply = on_file(task, command::READNEXT, "PTHFILE", |call| {
                call.area(option::RIDFLD, area, 4).bytes(option::INTO, &[0; 100]);
            })?;
            read.push((t(&reply.call.result_bytes(option::INTO)[..8]), reply.code.0));
        }
        let dupkey = condition::DUPKEY.0;
        let expected = [("BRWP1", 0), ("BRWP2", dupkey), ("BRWP3", 0), ("BRWP4", 0)];
        assert_eq!(read, expected.map(|(key, code)| (key.to_string(), code)));
        Ok(())
    });
}

/// Of the TOKENs of a browse only the last is good: the next request of the browse and ENDBR let the record of the one before go.
#[test]
fn a_browse_has_one_token() {
    run(|task| {
        for key in ["TOK1", "TOK2", "TOK3"] {
            assert_eq!(write(task, "RLSFILE", key, "X")?.code, NORMAL);
        }
        syncpoint(task)?;
        let ridfld = task.level_storage(&e("TOK1    "))?;
        let on_ridfld = |task: &mut Task, command, update: bool| {
            let reply = on_file(task, command, "RLSFILE", |call| {
                call.area(option::RIDFLD, ridfld, 8);
                if command == command::READNEXT {
                    call.bytes(option::INTO, &[0; 100]);
                }
                if update {
                    call.flag(option::UPDATE).bytes(option::TOKEN, &[0; 4]);
                }
            })?;
            let token = if update { reply.call.result_bytes(option::TOKEN).to_vec() } else { Vec::new() };
            Ok::<_, Raised>((reply.code, token))
        };
        let rewrite = |task: &mut Task, token: &[u8], text: &str| {
            on_file(task, command::REWRITE, "RLSFILE", |call| {
                call.bytes(option::FROM, &e(text)).bytes(option::TOKEN, token);
            })
            .map(|reply| reply.code)
        };
        let gone = (condition::INVREQ.0, 47);
        on_ridfld(task, command::STARTBR, false)?;
        let (first, first_token) = on_ridfld(task, command::READNEXT, true)?;
        let (second, second_token) = on_ridfld(task, command::READNEXT, true)?;
        assert_eq!((first, second), (NORMAL, NORMAL));
        assert_eq!(rewrite(task, &first_token, "TOK1    Y")?, gone);
        assert_eq!(rewrite(task, &second_token, "TOK2    Y")?, NORMAL);
        let (_, third_token) = on_ridfld(task, command::READNEXT, true)?;
        on_file(task, command::ENDBR, "RLSFILE", |_| {})?;
        assert_eq!(rewrite(task, &third_token, "TOK3    Y")?, gone);
        // A request without UPDATE ends it too.
        region::storage_access::write(ridfld, &e("TOK1    "))?;
        on_ridfld(task, command::STARTBR, false)?;
        let (_, token) = on_ridfld(task, command::READNEXT, true)?;
        assert_eq!(on_ridfld(task, command::READNEXT, false)?.0, NORMAL);
        assert_eq!(rewrite(task, &token, "TOK1    Y")?, gone);
        on_file(task, command::ENDBR, "RLSFILE", |_| {})?;
        Ok(())
    });
}
