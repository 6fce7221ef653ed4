//! The TCBs of file control: requests on QR or on the program's own TCB by FCQRONLY and the kind of file, OPEN and CLOSE on the file owning TCB.

use super::restart::{directory, spawn_test};
use super::support::*;
use exec::{command, condition, option};
use kernel::Mode;
use region::{Raised, Region, Task};

const REQUIRED: [(&str, &str); 1] = [("CONCURRENCY", "REQUIRED")];

/// Switches of a request on a file that is open, and the mode after it.
fn switches(task: &mut Task, request: impl Fn(&mut Task) -> Result<(u16, i32), Raised>) -> Result<(u64, Mode), Raised> {
    let mut first = request(task)?;
    while first.0 == condition::LOADING.0 {
        delay(task, 5)?;
        first = request(task)?;
    }
    assert_eq!(first, NORMAL);
    let before = task.kernel.times().change_modes;
    assert_eq!(request(task)?, NORMAL);
    Ok((task.kernel.times().change_modes - before, task.kernel.mode()))
}

fn read_of(file: &'static str) -> impl Fn(&mut Task) -> Result<(u16, i32), Raised> {
    move |task| read(task, file, "KEY1", |_| {}).map(|reply| reply.code)
}

/// READ UPDATE and REWRITE; ENDBR ends the browse that STARTBR and READNEXT make.
fn changes(file: &'static str) -> impl Fn(&mut Task) -> Result<(u16, i32), Raised> {
    move |task| {
        read(task, file, "KEY1", |call| {
            call.flag(option::UPDATE);
        })?;
        rewrite(task, file, "KEY1", "Y").map(|reply| reply.code)
    }
}

fn browses(file: &'static str) -> impl Fn(&mut Task) -> Result<(u16, i32), Raised> {
    move |task| {
        on_file(task, command::STARTBR, file, |call| {
            call.bytes(option::RIDFLD, &e("KEY1    "));
        })?;
        on_file(task, command::READNEXT, file, |call| {
            call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e("KEY1    "));
        })?;
        on_file(task, command::ENDBR, file, |_| {}).map(|reply| reply.code)
    }
}

/// One data set with files of every kind over it, and a record.
fn define_kinds(region: &'static Region) {
    define_file(region, "OTLSR", "TEST.SOURCE", &[]);
    begin_with(region, &[], |task| {
        assert_eq!(write(task, "OTLSR", "KEY1", "X")?.code, NORMAL);
        Ok(())
    })
    .result()
    .unwrap();
    let table = [("MAXNUMRECS", "100")];
    let user = [("TABLE", "USER"), ("RECORDFORMAT", "V"), table[0]];
    let cics = [("TABLE", "CICS"), table[0]];
    let coupling =
        [("TABLE", "CF"), ("CFDTPOOL", "OTPOOL"), ("TABLENAME", "OTTABLE"), ("KEYLENGTH", "8"), ("RECORDSIZE", "100"), ("LOAD", "YES")];
    define_file(region, "OTNSR", "TEST.SOURCE", &[("LSRPOOLNUM", "NONE")]);
    define_file(region, "OTUMT", "TEST.SOURCE", &user);
    define_file(region, "OTCMT", "TEST.SOURCE", &cics);
    define_file(region, "OTCFT", "TEST.SOURCE", &coupling);
    define_file(region, "OTRLS", "TEST.LOCKS", &[("RLSACCESS", "YES")]);
    begin_with(region, &[], |task| {
        assert_eq!(write(task, "OTRLS", "KEY1", "X")?.code, NORMAL);
        Ok(())
    })
    .result()
    .unwrap();
}

/// FCQRONLY=YES is the default.
#[test]
fn file_requests_run_on_qr_by_default() {
    let region = the_region();
    assert!(region.file_control_on_qr);
    define_file(region, "OTQR", "TEST.VARIABLE", &[]);
    run(|task| write(task, "OTQR", "KEY1", "X").map(drop));
    let seen = begin_with(region, &REQUIRED, |task| switches(task, read_of("OTQR"))).result();
    assert_eq!(seen, Ok((2, Mode::L8)), "to QR and back");
}

/// Requests of files in LSR pools, in RLS mode and of coupling facility tables are threadsafe; all others go to QR.
#[test]
fn file_requests_of_threadsafe_kinds_stay_on_the_open_tcb_with_fcqronly_no() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("open_tcbs::child_runs_file_requests_on_open_tcbs", directory.path(), 0);
}

#[test]
#[ignore = "run by the test of FCQRONLY=NO"]
fn child_runs_file_requests_on_open_tcbs() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["FCQRONLY=NO"]);
    define_kinds(region);
    let of = |file: &'static str| begin_with(region, &REQUIRED, move |task| switches(task, read_of(file))).result();
    for file in ["OTLSR", "OTRLS", "OTCFT"] {
        assert_eq!(of(file), Ok((0, Mode::L8)), "{file}");
    }
    for file in ["OTNSR", "OTUMT", "OTCMT"] {
        assert_eq!(of(file), Ok((2, Mode::L8)), "{file}");
    }
    assert_eq!(begin_with(region, &REQUIRED, |task| switches(task, changes("OTLSR"))).result(), Ok((0, Mode::L8)));
    assert_eq!(begin_with(region, &REQUIRED, |task| switches(task, browses("OTLSR"))).result(), Ok((0, Mode::L8)));
    assert_eq!(begin_with(region, &REQUIRED, |task| switches(task, browses("OTNSR"))).result(), Ok((6, Mode::L8)), "three commands");
    // A threadsafe program stays where the request has brought it.
    let threadsafe = begin_with(region, &[("CONCURRENCY", "THREADSAFE")], |task| {
        task.kernel.change_mode(Mode::L8).unwrap();
        assert_eq!(read_of("OTLSR")(task)?, NORMAL);
        let after_lsr = task.kernel.mode();
        assert_eq!(read_of("OTNSR")(task)?, NORMAL);
        Ok((after_lsr, task.kernel.mode()))
    });
    assert_eq!(threadsafe.result(), Ok((Mode::L8, Mode::Qr)));
    assert!(region.shutdown(false));
}

fn counter(name: &str, counter: &str) -> u64 {
    let all = files::file_control::FileControl::of(the_region()).statistics();
    let found = all.into_iter().find(|statistics| statistics.resource == "FILE" && statistics.name == name).expect("it is there");
    found.counters.into_iter().find(|(name, _)| *name == counter).expect("it is counted").1
}

/// The opens of a file are counted, and each OPEN and CLOSE that a task asks for is on FO.
#[test]
fn files_are_opened_and_closed_on_the_file_owning_tcb_and_opens_are_counted() {
    define_file(the_region(), "OTFO", "TEST.VARIABLE", &[]);
    assert_eq!(counter("OTFO", "opens"), 0);
    let on_fo = run(|task| {
        let mut seen = Vec::new();
        let mut trip = |task: &mut Task, work: &dyn Fn(&mut Task) -> Result<(), Raised>| {
            let before = (task.kernel.times().change_modes, task.kernel.times().modes[Mode::Fo as usize].dispatch);
            work(task)?;
            let now = (task.kernel.times().change_modes, task.kernel.times().modes[Mode::Fo as usize].dispatch);
            seen.push((now.0 - before.0, now.1 > before.1));
            Ok::<(), Raised>(())
        };
        // The first request opens it, the second does not.
        trip(task, &|task| read(task, "OTFO", "NOBODY", |_| {}).map(drop))?;
        trip(task, &|task| read(task, "OTFO", "NOBODY", |_| {}).map(drop))?;
        syncpoint(task)?;
        let set = |status| {
            move |task: &mut Task| {
                let reply = issue(task, command::SET_FILE, |call| {
                    call.bytes(option::FILE, &e("OTFO    ")).flag(status);
                })?;
                assert_eq!(reply.code, NORMAL);
                Ok(())
            }
        };
        trip(task, &set(option::CLOSED))?;
        trip(task, &set(option::OPEN))?;
        Ok(seen)
    });
    assert_eq!(on_fo, [(2, true), (0, false), (2, true), (2, true)]);
    assert_eq!(counter("OTFO", "opens"), 2);
}
