//! LINK, XCTL and RETURN, and what ASSIGN tells of levels and tasks without a terminal.

use super::support::*;
use csd::Definition;
use exec::{OptionId, command, condition, option};
use region::exec_interface::Call;
use region::{Raised, Task};
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

const INVREQ: u16 = condition::INVREQ.0;
const LENGERR: u16 = condition::LENGERR.0;
const PGMIDERR: u16 = condition::PGMIDERR.0;

fn on_program(task: &mut Task, command: exec::CommandId, program: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command, |call| {
        call.bytes(option::PROGRAM, &e(&format!("{program:<8}")));
        build(call);
    })?;
    Ok(reply.code)
}

fn assign(task: &mut Task, option: OptionId) -> Result<String, Raised> {
    let reply = issue(task, command::ASSIGN, |call| {
        call.bytes(option, &[0; 8]);
    })?;
    assert_eq!(reply.code, NORMAL);
    // Names of four bytes and less leave the rest of the area alone.
    Ok(reply.text(option).trim_end_matches('\0').trim_end().to_string())
}

/// Program PGMLVLT, which any test may LINK to, and programs that cannot be.
fn programs() {
    define_transaction(the_region(), "LVLT", |_| Ok(()));
    let region = the_region();
    let program = |name: &str| Definition::new("PROGRAM", name, "TEST");
    region.install(&program("LVDISABL").with("STATUS", "DISABLED")).unwrap();
    region.install(&program("LVNOLIB")).unwrap();
}

/// Conditions that LINK and XCTL have in common.
#[test]
fn link_and_xctl_check_their_data_areas() {
    programs();
    run(|task| {
        let area = vec![0; 32_764];
        for command in [command::LINK, command::XCTL] {
            for (program, resp2) in [("NOTTHERE", 1), ("LVDISABL", 2), ("LVNOLIB", 3)] {
                assert_eq!(on_program(task, command, program, |_| {})?, (PGMIDERR, resp2), "{program}");
            }
            for length in [-1, 32_764] {
                let code = on_program(task, command, "PGMLVLT", |call| {
                    call.bytes(option::COMMAREA, &area).integer(option::LENGTH, length);
                })?;
                assert_eq!(code, (LENGERR, 11), "{length}");
            }
            let nowhere = on_program(task, command, "PGMLVLT", |call| {
                call.area(option::COMMAREA, 0, 10);
            })?;
            assert_eq!(nowhere, (LENGERR, 26));
            let name = on_program(task, command, "PGMLVLT", |call| {
                call.bytes(option::CHANNEL, &e("A B             "));
            })?;
            assert_eq!(name, (condition::CHANNELERR.0, 1));
            let input = on_program(task, command, "PGMLVLT", |call| {
                call.bytes(option::INPUTMSG, b"X");
            })?;
            assert_eq!(input, (INVREQ, 8), "no terminal");
        }
        // DATALENGTH is at most the length of the area.
        for (length, expected) in [(-1, (LENGERR, 12)), (0, NORMAL), (10, NORMAL), (11, (LENGERR, 12))] {
            let code = on_program(task, command::LINK, "PGMLVLT", |call| {
                call.bytes(option::COMMAREA, &[0; 10]).integer(option::DATALENGTH, length);
            })?;
            assert_eq!(code, expected, "DATALENGTH({length})");
        }
        for length in [0, 32_763] {
            let code = on_program(task, command::LINK, "PGMLVLT", |call| {
                call.bytes(option::COMMAREA, &area).integer(option::LENGTH, length);
            })?;
            assert_eq!(code, NORMAL);
        }
        assert_eq!(task.levels.len(), 1);
        Ok(())
    });
}

/// The program linked to has a level of its own, and its caller goes on where it was.
#[test]
fn link_runs_a_program_at_the_next_level() {
    define_transaction(the_region(), "LVLB", |task| {
        assert_eq!((task.levels.len(), task.eib.half(exec::eib::EIBCALEN)), (2, 4));
        assert_eq!([assign(task, option::PROGRAM)?, assign(task, option::INVOKINGPROG)?], ["PGMLVLB", "PGMLVLA"]);
        assert_eq!(assign(task, option::RETURNPROG)?, "PGMLVLA");
        let level = issue(task, command::ASSIGN, |call| {
            call.integer(option::LINKLEVEL, 0);
        })?;
        assert_eq!(level.number(option::LINKLEVEL), 2);
        task.level().unwrap().commarea.write(b"BACK")?;
        Ok(())
    });
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_transaction(the_region(), "LVLA", move |task| {
        let area = task.level_storage(b"GONE")?;
        let code = on_program(task, command::LINK, "PGMLVLB", |call| {
            call.area(option::COMMAREA, area, 4);
        })?;
        assert_eq!(code, NORMAL);
        // EIBRSRCE is that of LINK, whatever the program below did.
        let resource = t(&task.eib.bytes()[exec::eib::EIBRSRCE..exec::eib::EIBRSRCE + 8]);
        assert_eq!((resource.as_str(), task.levels.len(), task.eib.half(exec::eib::EIBCALEN)), ("PGMLVLB", 1, 0));
        assert_eq!([assign(task, option::PROGRAM)?, assign(task, option::INVOKINGPROG)?], ["PGMLVLA", ""]);
        sender.lock().unwrap().send(region::storage_access::Area::new(area, 4).read()?).unwrap();
        Ok(())
    });
    attach("LVLA");
    assert_eq!(receiver.recv_timeout(Duration::from_secs(10)).unwrap(), b"BACK");
}

fn attach(transid: &str) {
    let request = region::AttachRequest::new(region::name::Name4::new(transid), region::StartCode::Start);
    the_region().attach(request).unwrap_or_else(|failure| panic!("{failure:?}"));
}

/// The program that takes over has the level of the one that is gone: what that one was linked by gets control when it returns. The
/// communication area is a copy in 31-bit storage, where every program here can address it.
#[test]
fn xctl_hands_the_level_over() {
    define_transaction(the_region(), "LVXC", |task| {
        assert_eq!(task.levels.len(), 2);
        assert_eq!([assign(task, option::INVOKINGPROG)?, assign(task, option::RETURNPROG)?], ["PGMLVXB", "PGMLVXA"]);
        let area = task.level().unwrap().commarea;
        assert_eq!((area.read()?, task.eib.half(exec::eib::EIBCALEN)), (b"HANDED".to_vec(), 6));
        assert!(area.address < 1 << 31);
        Ok(())
    });
    define_transaction(the_region(), "LVXB", |task| {
        // Storage that ends with this program, and below 16 MB.
        let own = task.level_storage(b"HANDED OVER")?;
        on_program(task, command::XCTL, "PGMLVXC", |call| {
            call.area(option::COMMAREA, own, 11).integer(option::LENGTH, 6);
        })?;
        unreachable!("XCTL does not come back");
    });
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_transaction(the_region(), "LVXA", move |task| {
        let code = on_program(task, command::LINK, "PGMLVXB", |_| {})?;
        sender.lock().unwrap().send((code, task.levels.len())).unwrap();
        Ok(())
    });
    attach("LVXA");
    assert_eq!(receiver.recv_timeout(Duration::from_secs(10)).unwrap(), (NORMAL, 1));
}

#[test]
fn xctl_passes_a_channel_to_the_program_that_takes_over() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_transaction(the_region(), "LVCB", move |task| {
        let reply = issue(task, command::GET_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).bytes(option::INTO, &[0; 4]).integer(option::FLENGTH, 4);
        })?;
        sender.lock().unwrap().send((reply.code, reply.call.result_bytes(option::INTO))).unwrap();
        Ok(())
    });
    define_transaction(the_region(), "LVCA", |task| {
        let channel = e(&format!("{:<16}", "LEVELS"));
        issue(task, command::PUT_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).bytes(option::CHANNEL, &channel).bytes(option::FROM, b"DATA");
        })?;
        on_program(task, command::XCTL, "PGMLVCB", |call| {
            call.bytes(option::CHANNEL, &channel);
        })?;
        unreachable!("XCTL does not come back");
    });
    attach("LVCA");
    assert_eq!(receiver.recv_timeout(Duration::from_secs(10)).unwrap(), (NORMAL, b"DATA".to_vec()));
}

/// RETURN without options ends the program; what it leaves for a next transaction needs a terminal and the highest level.
#[test]
fn return_checks_level_and_terminal() {
    fn returns(task: &mut Task, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
        issue(task, command::RETURN, build).map(|reply| reply.code)
    }
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_transaction(the_region(), "LVRB", |task| {
        let area = |call: &mut Call| {
            call.bytes(option::COMMAREA, b"X");
        };
        assert_eq!(returns(task, area)?, (INVREQ, 2));
        let channel = |call: &mut Call| {
            call.bytes(option::TRANSID, &e("LVRA")).bytes(option::CHANNEL, &e(&format!("{:<16}", "C")));
        };
        assert_eq!(returns(task, channel)?, (INVREQ, 2));
        let immediate = |call: &mut Call| {
            call.bytes(option::TRANSID, &e("LVRA")).flag(option::IMMEDIATE);
        };
        assert_eq!(returns(task, immediate)?, (INVREQ, 2));
        returns(task, |_| {})?;
        unreachable!("RETURN does not come back");
    });
    define_transaction(the_region(), "LVRA", move |task| {
        assert_eq!(on_program(task, command::LINK, "PGMLVRB", |_| {})?, NORMAL);
        let transid = |call: &mut Call| {
            call.bytes(option::TRANSID, &e("LVRA"));
        };
        assert_eq!(returns(task, transid)?, (INVREQ, 1), "no terminal");
        let input = |call: &mut Call| {
            call.bytes(option::INPUTMSG, b"X");
        };
        assert_eq!(returns(task, input)?, (INVREQ, 8));
        sender.lock().unwrap().send(task.levels.len()).unwrap();
        returns(task, |_| {})?;
        unreachable!("RETURN does not come back");
    });
    attach("LVRA");
    assert_eq!(receiver.recv_timeout(Duration::from_secs(10)).unwrap(), 1);
}

/// A task that was attached without a terminal: every option that has a value is given, and the first that has none decides RESP2.
#[test]
fn assign_works_for_a_task_without_a_terminal() {
    let attributes = [("TWASIZE", "100"), ("PRIORITY", "7"), ("CMDSEC", "YES"), ("RESSEC", "YES")];
    begin_with(the_region(), &attributes, |task| {
        let names = [
            (option::APPLID, "TESTREG"),
            (option::USERID, "CICSUSER"),
            (option::STARTCODE, "S"),
            (option::ABCODE, ""),
            (option::CMDSEC, "X"),
            (option::RESSEC, "X"),
            (option::INVOKINGPROG, ""),
            (option::CHANNEL, ""),
            (option::LANGINUSE, "ENU"),
            (option::NATLANGINUSE, "E"),
        ];
        for (option, expected) in names {
            assert_eq!(assign(task, option)?, expected, "{option:?}");
        }
        let reply = issue(task, command::ASSIGN, |call| {
            for option in
                [option::TWALENG, option::LINKLEVEL, option::TRANPRIORITY, option::CWALENG, option::LOCALCCSID, option::USERPRIORITY]
            {
                call.integer(option, -7);
            }
            call.bytes(option::FCI, &[0xEE]).bytes(option::RESTART, &[0xEE]);
        })?;
        assert_eq!(reply.code, NORMAL);
        let of = |option| reply.number(option);
        assert_eq!((of(option::TWALENG), of(option::LINKLEVEL), of(option::TRANPRIORITY), of(option::USERPRIORITY)), (100, 1, 7, 0));
        assert_eq!((of(option::LOCALCCSID), of(option::CWALENG)), (37, i64::from(task.region.sit.number("WRKAREA"))));
        let area = issue(task, command::ASSIGN, |call| {
            call.integer(option::TCTUALENG, -7);
        })?;
        assert_eq!((area.code, area.number(option::TCTUALENG)), (NORMAL, 0), "no terminal has an area of no length");
        // FCI of a task that interval control started; the task was not restarted.
        assert_eq!((reply.call.result_bytes(option::FCI), reply.call.result_bytes(option::RESTART)), (vec![0x04], vec![0x00]));
        for (option, resp2) in [
            (option::MAPCOLUMN, 2),
            (option::MAPHEIGHT, 2),
            (option::DESTID, 3),
            (option::DESTIDLENG, 3),
            (option::QNAME, 4),
            (option::FACILITY, 5),
            (option::NETNAME, 5),
            (option::TERMCODE, 5),
            (option::SCRNHT, 5),
            (option::EXTDS, 5),
        ] {
            let reply = issue(task, command::ASSIGN, |call| {
                call.bytes(option, &[0; 8]).bytes(option::APPLID, &[0; 8]);
            })?;
            assert_eq!((reply.code, reply.text(option::APPLID).as_str()), ((INVREQ, resp2), "TESTREG"), "{option:?}");
        }
        Ok(())
    })
    .result()
    .unwrap();
}
