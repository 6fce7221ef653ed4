//! The TCB of input and output with SUBTSKS=1: which requests leave QR for CO, and which do not ("Using VSAM subtasking").

use super::queue_support as ts;
use super::restart::{directory, spawn_test};
use super::support::*;
use super::transient_data as td;
use csd::Definition;
use exec::{command, option};
use kernel::Mode;
use region::{Raised, Region, Task};

/// Change modes of a request, and those to CO.
fn switches(task: &mut Task, request: impl FnOnce(&mut Task) -> Result<(u16, i32), Raised>) -> Result<(u64, u64), Raised> {
    let figures = |task: &Task| {
        let times = task.kernel.times();
        (times.change_modes, times.modes[Mode::Co as usize].switches)
    };
    let (before, mode) = (figures(task), task.kernel.mode());
    assert_eq!(request(task)?, NORMAL);
    assert_eq!(task.kernel.mode(), mode, "the program is where it was");
    let after = figures(task);
    Ok((after.0 - before.0, after.1 - before.1))
}

const STAYS: (u64, u64) = (0, 0);
/// To CO, and back to QR.
const SUBTASKED: (u64, u64) = (2, 1);

fn add(file: &'static str, key: &'static str) -> impl Fn(&mut Task) -> Result<(u16, i32), Raised> {
    move |task| write(task, file, key, "X").map(|reply| reply.code)
}

/// Auxiliary and main temporary storage: WRITEQ, READQ and DELETEQ of a queue that is there.
fn queue_requests(task: &mut Task, queue: &'static str, is_main: bool) -> Result<[(u64, u64); 3], Raised> {
    let put = |task: &mut Task| {
        ts::on_queue(task, command::WRITEQ_TS, queue, |call| {
            call.bytes(option::FROM, &e("ITEM"));
            if is_main {
                call.flag(option::MAIN);
            }
        })
        .map(|reply| reply.code)
    };
    assert_eq!(put(task)?, NORMAL);
    let written = switches(task, put)?;
    let read = switches(task, |task| ts::get(task, queue, Some(2)).map(|item| item.map_or_else(|code| code, |_| NORMAL)))?;
    assert_eq!(ts::get(task, queue, Some(1))?, ts::ok("ITEM"));
    Ok([written, read, switches(task, |task| ts::delete(task, queue))?])
}

fn transient_requests(task: &mut Task, queue: &'static str) -> Result<[(u64, u64); 3], Raised> {
    let written = switches(task, |task| td::put(task, queue, "RECORD"))?;
    let read = switches(task, |task| td::get(task, queue).map(|record| record.map_or_else(|code| code, |_| NORMAL)))?;
    let deleted = switches(task, |task| td::on_queue(task, command::DELETEQ_TD, queue, |_| {}).map(|reply| reply.code))?;
    Ok([written, read, deleted])
}

#[test]
fn with_subtsks_1_input_and_output_moves_from_qr_to_co() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("subtask::child_moves_input_and_output_to_co", directory.path(), 0);
}

fn define(region: &'static Region) {
    define_file(region, "COKSDS", "TEST.VARIABLE", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "COPLAIN", "TEST.FIXED", &[("RECORDFORMAT", "V")]);
    define_file(region, "COUMT", "TEST.SOURCE", &[("TABLE", "USER"), ("RECORDFORMAT", "V"), ("MAXNUMRECS", "100")]);
    let recoverable = Definition::new("TSMODEL", "CORECOV", "TEST").with("PREFIX", "COREC").with("RECOVERY", "YES");
    region.install(&recoverable.with("LOCATION", "AUXILIARY")).unwrap();
    for (queue, recovery) in [("CONO", "NO"), ("COPH", "PHYSICAL"), ("COLO", "LOGICAL")] {
        region.install(&Definition::new("TDQUEUE", queue, "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", recovery)).unwrap();
    }
}

fn co_is_in_the_figures(region: &'static Region) {
    let figures = region.dispatcher.statistics();
    let concurrent = figures.modes[Mode::Co as usize];
    assert_eq!((concurrent.open, concurrent.attached_current, concurrent.in_use_current), (Some(false), 1, 0));
    assert!(concurrent.switches > 10 && concurrent.dispatch > std::time::Duration::ZERO);
    let subtasks = begin_with(region, &[], |task| {
        let reply = issue(task, command::INQUIRE_DISPATCHER, |call| {
            call.integer(option::SUBTASKS, -1);
        })?;
        Ok(reply.number(option::SUBTASKS))
    });
    assert_eq!(subtasks.result(), Ok(1));
}

#[test]
#[ignore = "run by the test of SUBTSKS=1"]
fn child_moves_input_and_output_to_co() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["SUBTSKS=1"]);
    define(region);
    let on_qr = [("CONCURRENCY", "QUASIRENT")];
    let files = begin_with(region, &on_qr, |task| {
        // The first request opens the file.
        for file in ["COKSDS", "COPLAIN", "ENTFILE", "SLOFILE", "RLSFILE"] {
            read(task, file, "NOBODY", |_| {})?;
        }
        // A first record ends the load of an empty data set, which opens it anew.
        write(task, "COKSDS", "CO0", "X")?;
        read(task, "COKSDS", "CO0", |_| {})?;
        let added = switches(task, add("COKSDS", "CO1"))?;
        let fixed = switches(task, |task| {
            on_file(task, command::WRITE, "COPLAIN", |call| {
                call.bytes(option::FROM, &record("CO1", &" ".repeat(42))).bytes(option::RIDFLD, &e("CO1     "));
            })
            .map(|reply| reply.code)
        })?;
        let read_back = switches(task, |task| read(task, "COKSDS", "CO1", |_| {}).map(|reply| reply.code))?;
        let for_update = switches(task, |task| {
            let reply = read(task, "COKSDS", "CO1", |call| {
                call.flag(option::UPDATE);
            })?;
            Ok(reply.code)
        })?;
        let rewritten = switches(task, |task| rewrite(task, "COKSDS", "CO1", "Y").map(|reply| reply.code))?;
        let deleted = switches(task, |task| {
            on_file(task, command::DELETE, "COKSDS", |call| {
                call.bytes(option::RIDFLD, &e("CO1     "));
            })
            .map(|reply| reply.code)
        })?;
        Ok(([added, fixed], [read_back, for_update, rewritten, deleted]))
    });
    assert_eq!(files.result(), Ok(([SUBTASKED; 2], [STAYS; 4])), "WRITE to a KSDS, and nothing else");
    let others = begin_with(region, &on_qr, |task| {
        let rls = switches(task, add("RLSFILE", "CO2"))?;
        let entry = switches(task, |task| {
            on_file(task, command::WRITE, "ENTFILE", |call| {
                call.bytes(option::FROM, &e("ENTRY")).bytes(option::RIDFLD, &[0; 4]).flag(option::RBA);
            })
            .map(|reply| reply.code)
        })?;
        let slot = switches(task, |task| {
            on_file(task, command::WRITE, "SLOFILE", |call| {
                call.bytes(option::FROM, &e(&"S".repeat(50))).bytes(option::RIDFLD, &1u32.to_be_bytes()).flag(option::RRN);
            })
            .map(|reply| reply.code)
        })?;
        Ok([rls, entry, slot])
    });
    assert_eq!(others.result(), Ok([STAYS; 3]), "RLS, ESDS, RRDS");
    let queues = begin_with(region, &on_qr, |task| {
        let auxiliary = queue_requests(task, "COAUX", false)?;
        let recoverable = queue_requests(task, "COREC1", false)?;
        let main = queue_requests(task, "COMAIN", true)?;
        Ok([auxiliary, recoverable, main])
    });
    assert_eq!(queues.result(), Ok([[SUBTASKED; 3], [SUBTASKED; 3], [STAYS; 3]]));
    for queue in ["CONO", "COPH", "COLO"] {
        let transient = begin_with(region, &on_qr, move |task| transient_requests(task, queue));
        assert_eq!(transient.result(), Ok([SUBTASKED; 3]), "{queue}");
    }
    // From an open TCB there is no switch to CO.
    let open = begin_with(region, &[("CONCURRENCY", "REQUIRED")], |task| {
        assert_eq!(task.kernel.mode(), Mode::L8);
        Ok([queue_requests(task, "COAUX2", false)?, transient_requests(task, "COLO")?])
    });
    assert_eq!(open.result(), Ok([[STAYS; 3]; 2]));
    co_is_in_the_figures(region);
    assert!(region.shutdown(false));
}

/// SUBTSKS=0 is the default: nothing uses CO.
#[test]
fn without_subtsks_input_and_output_stays_on_qr() {
    define_file(the_region(), "CONOT", "TEST.VARIABLE", &[("RECOVERY", "BACKOUTONLY")]);
    let seen = begin_with(the_region(), &[("CONCURRENCY", "QUASIRENT")], |task| {
        read(task, "CONOT", "NOBODY", |_| {})?;
        let added = switches(task, add("CONOT", "CONOT1"))?;
        Ok((added, queue_requests(task, "CONOTQ", false)?))
    });
    assert_eq!(seen.result(), Ok((STAYS, [STAYS; 3])));
    assert_eq!(the_region().dispatcher.statistics().modes[Mode::Co as usize].open, None, "Unk until it is used");
}

/// A coupling facility data table is opened on QR, other files on FO; requests of an open one stay on the open TCB (FCQRONLY=NO).
#[test]
fn coupling_facility_tables_are_opened_on_qr() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("subtask::child_opens_tables_on_qr", directory.path(), 0);
}

#[test]
#[ignore = "run by the test of coupling facility tables"]
fn child_opens_tables_on_qr() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["FCQRONLY=NO"]);
    let shape = [("TABLE", "CF"), ("CFDTPOOL", "COPOOL"), ("TABLENAME", "COTABLE"), ("KEYLENGTH", "8"), ("RECORDSIZE", "100")];
    define_file(region, "COCFT", "TEST.SOURCE", &shape);
    let seen = begin_with(region, &[("CONCURRENCY", "REQUIRED")], |task| {
        let modes = |task: &Task| [Mode::Qr, Mode::Fo].map(|mode| task.kernel.times().modes[mode as usize].switches);
        let before = modes(task);
        // The first request opens the table; the second finds it open.
        let first = switches(task, add("COCFT", "CF1"))?;
        let opened = modes(task);
        let second = switches(task, add("COCFT", "CF2"))?;
        let changed = switches(task, |task| syncpoint(task).map(|reply| reply.code))?;
        Ok((first, [opened[0] - before[0], opened[1] - before[1]], second, changed))
    });
    assert_eq!(seen.result(), Ok(((2, 0), [1, 0], STAYS, STAYS)));
    assert!(region.shutdown(false));
}
