//! Conditions that every request for a file has in common, command by command, and what each command leaves in the EXEC interface block.

use super::support::*;
use exec::{CommandId, command, condition, eib, option};
use region::exec_interface::Call;
use region::{Raised, Task};

const INVREQ: u16 = condition::INVREQ.0;
const SYSIDERR: (u16, i32) = (condition::SYSIDERR.0, 130);

/// Commands, each with EIBFN.
const REQUESTS: [(CommandId, u16); 8] = [
    (command::READ, 0x0602),
    (command::WRITE, 0x0604),
    (command::REWRITE, 0x0606),
    (command::DELETE, 0x0608),
    (command::UNLOCK, 0x060A),
    (command::STARTBR, 0x060C),
    (command::READNEXT, 0x060E),
    (command::READPREV, 0x0610),
];

/// A request as a program makes it, whether or not the file is there.
fn request(task: &mut Task, command: CommandId, file: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = on_file(task, command, file, |call| {
        if !matches!(command, command::REWRITE | command::UNLOCK) {
            call.bytes(option::RIDFLD, &e("REQUEST "));
        }
        match command {
            command::WRITE | command::REWRITE => {
                call.bytes(option::FROM, &record("REQUEST", "X"));
            }
            command::READ | command::READNEXT | command::READPREV => {
                call.bytes(option::INTO, &[0; 100]);
            }
            _ => {}
        }
        build(call);
    })?;
    Ok(reply.code)
}

#[test]
fn a_file_that_cannot_be_used_has_the_same_condition_for_every_request() {
    let region = the_region();
    define_file(region, "RQDISABL", "TEST.STATE", &[("STATUS", "DISABLED")]);
    define_file(region, "RQUNENAB", "TEST.STATE", &[("STATUS", "UNENABLED")]);
    run(|task| {
        for (command, function) in REQUESTS {
            assert_eq!(request(task, command, "NOFILE", |_| {})?, (condition::FILENOTFOUND.0, 1), "{command:?}");
            let block = task.eib.bytes();
            assert_eq!(block[eib::EIBFN..eib::EIBFN + 2], function.to_be_bytes(), "{command:?}");
            let names = [eib::EIBDS, eib::EIBRSRCE].map(|at| t(&block[at..at + 8]));
            assert_eq!(names, ["NOFILE", "NOFILE"], "{command:?}");
            assert_eq!(request(task, command, "REMFILE", |_| {})?, SYSIDERR, "{command:?}");
            let sysid = request(task, command, "VARFILE", |call| {
                call.bytes(option::SYSID, &e("SYSB"));
            })?;
            assert_eq!(sysid, SYSIDERR, "{command:?}");
            // What needs a request before it, a READ UPDATE or a STARTBR, says that there was none.
            let needs = matches!(command, command::REWRITE | command::UNLOCK | command::READNEXT | command::READPREV);
            if !needs {
                assert_eq!(request(task, command, "NOWHERE", |_| {})?, (condition::NOTOPEN.0, 60), "{command:?}");
                assert_eq!(request(task, command, "RQUNENAB", |_| {})?, (condition::NOTOPEN.0, 60), "{command:?}");
                assert_eq!(request(task, command, "RQDISABL", |_| {})?, (condition::DISABLED.0, 50), "{command:?}");
                assert_eq!(request(task, command, "NONFILE", |_| {})?, (INVREQ, 20), "{command:?}");
            }
        }
        Ok(())
    });
}

/// NOSUSPEND is for files in RLS mode, where it does not wait for locks.
#[test]
fn nosuspend_is_for_rls_files() {
    run(|task| {
        for command in [command::READ, command::WRITE, command::DELETE] {
            let code = request(task, command, "VARFILE", |call| {
                call.flag(option::NOSUSPEND);
            })?;
            assert_eq!(code, (INVREQ, 55), "{command:?}");
        }
        Ok(())
    });
}

/// Relative byte addresses and relative record numbers name records of the organization that has them.
#[test]
fn a_request_without_a_record_names_what_is_missing() {
    run(|task| {
        assert_eq!(request(task, command::READ, "VARFILE", |_| {})?, (condition::NOTFND.0, 80));
        assert_eq!(request(task, command::DELETE, "VARFILE", |_| {})?, (condition::NOTFND.0, 80));
        assert_eq!(request(task, command::REWRITE, "VARFILE", |_| {})?, (INVREQ, 30));
        let held = on_file(task, command::DELETE, "VARFILE", |_| {})?;
        assert_eq!(held.code, (INVREQ, 31));
        assert_eq!(request(task, command::UNLOCK, "VARFILE", |_| {})?, NORMAL, "nothing to let go is no error");
        assert_eq!(request(task, command::READNEXT, "VARFILE", |_| {})?, (INVREQ, 34));
        assert_eq!(request(task, command::READPREV, "VARFILE", |_| {})?, (INVREQ, 41));
        for (command, resp2) in [(command::ENDBR, 35), (command::RESETBR, 36)] {
            let reply = on_file(task, command, "VARFILE", |call| {
                if command == command::RESETBR {
                    call.bytes(option::RIDFLD, &e("REQUEST "));
                }
            })?;
            assert_eq!(reply.code, (INVREQ, resp2));
        }
        Ok(())
    });
}

/// WRITE and REWRITE: the area of FROM as long as LENGTH says, 1 to the file's longest record.
#[test]
fn records_are_written_at_the_bounds_of_length() {
    run(|task| {
        let lengerr = (condition::LENGERR.0, 12);
        let text = record("LENGTHS", &"X".repeat(93));
        let from = |length: i64| {
            let text = text.clone();
            move |call: &mut Call| {
                call.bytes(option::FROM, &text).integer(option::LENGTH, length);
            }
        };
        for (length, code) in [(-1, lengerr), (0, lengerr), (101, lengerr), (100, NORMAL)] {
            let reply = on_file(task, command::WRITE, "VARFILE", |call| {
                call.bytes(option::RIDFLD, &e("LENGTHS "));
                from(length)(call);
            })?;
            assert_eq!(reply.code, code, "WRITE LENGTH({length})");
        }
        for (length, code) in [(-1, lengerr), (0, lengerr), (101, lengerr), (8, NORMAL)] {
            read(task, "VARFILE", "LENGTHS", |call| {
                call.flag(option::UPDATE);
            })?;
            let reply = on_file(task, command::REWRITE, "VARFILE", from(length))?;
            assert_eq!(reply.code, code, "REWRITE LENGTH({length})");
            on_file(task, command::UNLOCK, "VARFILE", |_| {})?;
        }
        let reply = read(task, "VARFILE", "LENGTHS", |call| {
            call.integer(option::LENGTH, 100);
        })?;
        assert_eq!((reply.code, reply.number(option::LENGTH)), (NORMAL, 8));
        rollback(task)?;
        Ok(())
    });
}

/// The data table forms of a file answer as the data set does.
#[test]
fn a_user_maintained_table_takes_the_same_requests() {
    let region = the_region();
    define_file(region, "RQTABLE", "TEST.STATE", &[("TABLE", "USER"), ("MAXNUMRECS", "100"), ("RECORDFORMAT", "V")]);
    run(|task| {
        // The table is loaded by the first request; those that cannot wait say LOADING.
        let mut code = write(task, "RQTABLE", "TABLE1", "ONE")?.code;
        while code.0 == condition::LOADING.0 {
            delay(task, 5)?;
            code = write(task, "RQTABLE", "TABLE1", "ONE")?.code;
        }
        assert_eq!(code, NORMAL);
        assert_eq!(write(task, "RQTABLE", "TABLE1", "ONE")?.code, (condition::DUPREC.0, 150));
        let update = read(task, "RQTABLE", "TABLE1", |call| {
            call.flag(option::UPDATE);
        })?;
        assert_eq!(update.code, NORMAL);
        assert_eq!(rewrite(task, "RQTABLE", "TABLE1", "TWO")?.code, NORMAL);
        assert_eq!(request(task, command::DELETE, "RQTABLE", |_| {})?, (condition::NOTFND.0, 80));
        let deleted = on_file(task, command::DELETE, "RQTABLE", |call| {
            call.bytes(option::RIDFLD, &e("TABLE1  "));
        })?;
        assert_eq!(deleted.code, NORMAL);
        Ok(())
    });
}
