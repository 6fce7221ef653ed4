//! Statistics while tasks run: the sum over the intervals equals the requests made.
//!
//! Regions run in processes of their own, because a reset affects the whole region.

use super::restart::{directory, region_with_queues, spawn_test};
use super::support::*;
use csd::Definition;
use exec::{OptionId, command, condition, cvda, option};
use region::name::Name4;
use region::statistics::recording::{SECONDS_PER_DAY, hhmmss_of};
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::path::Path;
use std::time::Duration;

/// Tasks of the load, the work of each, and the number of threads that attach them.
const TASKS: u64 = 3_000;
const READS: u64 = 5;
const AUXILIARY_PUTS: u64 = 3;
const MAIN_PUTS: u64 = 2;
const TD_PUTS: u64 = 1;
const THREADS: u64 = 2;

/// The sum of a field over all intervals, of a record and a resource.
pub fn recorded(directory: &Path, record: &str, name: &str, field: &str) -> u64 {
    let of = lines(directory).into_iter().filter(|line| line["record"] == record && line["name"] == name && line["reason"] != "REQ");
    of.map(|line| line["fields"][field].as_u64().unwrap()).sum()
}

fn lines(directory: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(directory.join("statistics/DFHSTATS")).unwrap();
    // The region may be writing the last line.
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    complete.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn load(task: &mut Task) -> Result<(), Raised> {
    for _ in 0..READS {
        assert_eq!(read(task, "VARFILE", "THERE", |_| {})?.code, NORMAL);
    }
    for (queue, puts, main) in [("LOADAUX", AUXILIARY_PUTS, false), ("LOADMAIN", MAIN_PUTS, true)] {
        for _ in 0..puts {
            issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option::QUEUE, &e(&format!("{queue}{}", task_number()))).bytes(option::FROM, &e("ITEM"));
                if main {
                    call.flag(option::MAIN);
                }
            })?;
        }
    }
    issue(task, command::WRITEQ_TD, |call| {
        call.bytes(option::QUEUE, &e("TDNO")).bytes(option::FROM, &e("ITEM"));
    })?;
    rollback(task).map(|_| ())
}

/// Queues that stay shorter than the most items there may be.
fn task_number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed) % 7
}

/// Records and resets in both ways, as often as possible.
fn record_and_reset(task: &mut Task, on: bool) -> Result<(), Raised> {
    let reply = issue(task, command::PERFORM_STATISTICS_RECORD, |call| {
        call.flag(option::ALL).flag(option::RESETNOW);
    })?;
    assert_eq!(reply.code, NORMAL);
    let reply = issue(task, command::SET_STATISTICS, |call| {
        call.flag(if on { option::ON } else { option::OFF }).flag(option::RECORDNOW).flag(option::RESETNOW);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(())
}

fn attach_load(region: &'static Region) {
    for _ in 0..TASKS / THREADS {
        while region.dispatcher.statistics().max_tasks.active_current > 20 {
            std::thread::sleep(Duration::from_micros(200));
        }
        region.attach(AttachRequest::new(Name4::new("LOAD"), StartCode::Start)).unwrap();
    }
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_records_while_tasks_run() {
    let directory = directory().unwrap();
    let region = region_with_queues(&["MXT=50"]).unwrap();
    region.install(&Definition::new("TRANCLASS", "LOADCLAS", "TEST").with("MAXACTIVE", "40")).unwrap();
    begin_with(region, &[], |task| write(task, "VARFILE", "THERE", "DATA")).result().unwrap();
    define_transaction_of_class(region, "LOAD", "LOADCLAS", load);
    begin_with(region, &[], |task| record_and_reset(task, true)).result().unwrap();
    let before = [
        recorded(&directory, "DFHXMGDS", "", "XMGTAT"),
        recorded(&directory, "DFHA17DS", "VARFILE", "A17DSRD"),
        recorded(&directory, "DFHTSGDS", "", "TSGSTA7F"),
    ];
    let attached_before = region.dispatcher.statistics().max_tasks.attaches_user;
    let threads: Vec<_> = (0..THREADS).map(|_| std::thread::spawn(move || attach_load(region))).collect();
    let mut recorders = 0;
    while !threads.iter().all(|thread| thread.is_finished()) {
        // Another records at the same time without a reset.
        let other = begin_with(region, &[], |task| {
            issue(task, command::PERFORM_STATISTICS_RECORD, |call| {
                call.flag(option::ALL);
            })
        });
        begin_with(region, &[], move |task| record_and_reset(task, recorders % 2 == 1)).result().unwrap();
        assert_eq!(other.result().unwrap().code, NORMAL);
        recorders += 1;
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    until(|| region.dispatcher.statistics().max_tasks.active_current == 0);
    assert!(recorders > 10, "recorded {recorders} times");
    let mark = region.dispatcher.statistics().max_tasks.attaches_user;
    begin_with(region, &[], move |task| record_and_reset(task, recorders % 2 == 1)).result().unwrap();

    let sum = |record: &str, name: &str, field: &str| recorded(&directory, record, name, field);
    assert_eq!(sum("DFHXMRDS", "LOAD", "XMRAC"), TASKS);
    assert_eq!(sum("DFHXMCDS", "LOADCLAS", "XMCTAT"), TASKS);
    assert_eq!(sum("DFHXMCDS", "LOADCLAS", "XMCAI") + sum("DFHXMCDS", "LOADCLAS", "XMCTQ"), TASKS);
    assert_eq!(sum("DFHLDRDS", "PGMLOAD", "LDRTU"), TASKS);
    assert_eq!(sum("DFHA17DS", "VARFILE", "A17DSRD") - before[1], TASKS * READS);
    assert_eq!(sum("DFHTSGDS", "", "TSGSTA7F") - before[2], TASKS * AUXILIARY_PUTS);
    assert_eq!(sum("DFHTSGDS", "", "TSGSTA5F"), TASKS * MAIN_PUTS);
    assert_eq!(sum("DFHTQRDS", "TDNO", "TQRWRITE"), TASKS * TD_PUTS);
    assert_eq!(sum("DFHRMGDS", "", "RMGSYBWD"), TASKS);
    // All that were attached have ended but the task that recorded last.
    assert_eq!(sum("DFHMNGDS", "", "MNGUTNUM") + 1, sum("DFHXMGDS", "", "XMGTAT"));
    // The task that recorded last is one of those attached since.
    assert_eq!(sum("DFHXMGDS", "", "XMGTAT") - before[0], mark + 1 - attached_before);
    lines_of_a_recording_are_together(&directory);
}

/// A recording has the record of asynchronous services first, others, and in between the domain's own, once each: those of two never mix.
fn lines_of_a_recording_are_together(directory: &Path) {
    let mut open = None;
    for line in lines(directory).iter().filter(|line| line["reason"] != "USS") {
        if line["record"] == "DFHASGDS" {
            open = Some((line["reason"].clone(), 0));
        }
        let (reason, own) = open.as_mut().unwrap();
        assert_eq!(line["reason"], *reason, "{line}");
        *own += u32::from(line["record"] == "DFHSTGDS");
        assert!(*own <= 1, "{line}");
    }
}

/// The record of temporary storage, or of transient data, now.
fn record_now(region: &'static Region, directory: &Path, record: &str) -> serde_json::Value {
    let recorded = begin_with(region, &[], |task| {
        issue(task, command::PERFORM_STATISTICS_RECORD, |call| {
            call.flag(option::TSQUEUE).flag(option::TDQUEUE);
        })
    });
    assert_eq!(recorded.result().unwrap().code, NORMAL);
    lines(directory).into_iter().rev().find(|line| line["record"] == record).unwrap()["fields"].clone()
}

/// WRITEQ TS of so many items with 988 bytes: with a header of 36 sixteen segments of 64, of which an interval of 63 has three.
fn write_items(task: &mut Task, queue: &str, items: u32, main: bool) -> Result<(), Raised> {
    for _ in 0..items {
        let reply = issue(task, command::WRITEQ_TS, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &[0x40; 988]);
            if main {
                call.flag(option::MAIN);
            }
        })?;
        assert_eq!(reply.code, NORMAL);
    }
    Ok(())
}

fn read_items(task: &mut Task, queue: &str, items: &[i64]) -> Result<(), Raised> {
    for item in items {
        let reply = issue(task, command::READQ_TS, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0x40; 988]).integer(option::ITEM, *item);
        })?;
        assert_eq!(reply.code, NORMAL);
    }
    Ok(())
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_uses_auxiliary_storage() {
    let directory = directory().unwrap();
    let region = region_with_queues(&["TS=(,4,2)"]).unwrap();
    let subpool =
        || region.storage.statistics().subpools.into_iter().find(|subpool| subpool.name.as_str() == "TSBUFFRS").unwrap().figures.bytes;
    assert_eq!(subpool(), 4 * 4096);
    let now = || record_now(region, &directory, "DFHTSGDS");
    let fields = |record: &serde_json::Value, names: &[&str]| names.iter().map(|name| record[name].as_u64().unwrap()).collect::<Vec<_>>();
    let shape = ["TSGNBCA", "TSGNVCA", "TSGCSZ", "TSGNAVB", "TSGSPCI", "TSGBPSEG"];
    assert_eq!(fields(&now(), &shape), [4, 2, 4096, 4032, 63, 64]);
    // Main storage has no intervals; it is subpool TSMAIN.
    let main = || region.storage.statistics().subpools.into_iter().find(|subpool| subpool.name.as_str() == "TSMAIN").unwrap();
    assert_eq!((main().dsa, main().figures.elements), (kernel::storage::Dsa::Gcdsa, 0));
    begin_with(region, &[], |task| write_items(task, "MAINQ", 5, true)).result().unwrap();
    let kept = main().figures;
    assert_eq!((kept.elements, kept.getmains), (5, 5));
    assert_eq!(kept.bytes as u64, now()["TSGTSMUS"].as_u64().unwrap(), "the data of the items");
    begin_with(region, &[], |task| {
        issue(task, command::DELETEQ_TS, |call| {
            call.bytes(option::QUEUE, &e("MAINQ"));
        })
        .map(|_| ())
    })
    .result()
    .unwrap();
    assert_eq!((main().figures.elements, main().figures.peak_bytes), (0, kept.bytes));
    let counts = ["TSGNCIA", "TSGTWTNF", "TSGTWTN", "TSGTRDN", "TSGTWTNR"];
    assert_eq!(fields(&now(), &counts), [0, 0, 0, 0, 0]);
    // Twelve items are four intervals; two buffers are for output.
    begin_with(region, &[], |task| write_items(task, "AUXQ", 12, false)).result().unwrap();
    assert_eq!(fields(&now(), &counts), [4, 4, 2, 0, 0]);
    begin_with(region, &[], |task| read_items(task, "AUXQ", &[1, 4, 7, 10, 1])).result().unwrap();
    assert_eq!(fields(&now(), &counts), [4, 4, 2, 2, 0]);
    // The last interval has 15 segments left, so four recoverable items are two more, for which those in buffers are written; at the
    // syncpoint the two are written.
    begin_with(region, &[], |task| write_items(task, "RECQ", 4, false)).result().unwrap();
    assert_eq!(fields(&now(), &counts), [6, 6, 2 + 2 + 2, 2, 2]);
    begin_with(region, &[], |task| {
        write_items(task, "RECQ", 2, false)?;
        rollback(task)
    })
    .result()
    .unwrap();
    assert_eq!(fields(&now(), &counts), [6, 6, 6, 2, 2]);
    begin_with(region, &[], |task| {
        for queue in ["AUXQ", "RECQ"] {
            issue(task, command::DELETEQ_TS, |call| {
                call.bytes(option::QUEUE, &e(queue));
            })?;
        }
        Ok(())
    })
    .result()
    .unwrap();
    assert_eq!(fields(&now(), &["TSGNCIA", "TSGNCIAH", "TSGNCI", "TSGSTABF", "TSGSTA9F"]), [0, 6, 6, 0, 0]);
    assert_eq!(subpool(), 4 * 4096);
}

/// WRITEQ TD of so many records with 496 bytes: with four before each, three of them are in an interval of 1,504.
fn write_records(task: &mut Task, queue: &str, records: u32) -> Result<(), Raised> {
    for _ in 0..records {
        let reply = issue(task, command::WRITEQ_TD, |call| {
            call.bytes(option::QUEUE, &e(queue)).bytes(option::FROM, &[0x40; 496]);
        })?;
        assert_eq!(reply.code, NORMAL);
    }
    Ok(())
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_uses_intrapartition_queues() {
    let directory = directory().unwrap();
    let region = region_with_queues(&["TD=(8,5)"]).unwrap();
    let names = ["TQGANBFA", "TQGSNSTA", "TQGACTCI", "TQGACTFT", "TQGACTPT", "TQGACTGT"];
    let now = || {
        let record = record_now(region, &directory, "DFHTQGDS");
        names.iter().map(|name| record[name].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(now(), [8, 5, 0, 0, 0, 0]);
    // Physically recoverable: each request writes; logically: the syncpoint writes the two intervals changed; else nothing does.
    begin_with(region, &[], |task| write_records(task, "TDPH", 4)).result().unwrap();
    assert_eq!(now(), [8, 5, 2, 2, 4, 0]);
    begin_with(region, &[], |task| write_records(task, "TDLO", 4)).result().unwrap();
    assert_eq!(now(), [8, 5, 4, 4, 6, 0]);
    begin_with(region, &[], |task| {
        write_records(task, "TDNO", 3)?;
        write_records(task, "TDLO", 4)?;
        rollback(task)
    })
    .result()
    .unwrap();
    // What was backed out had formatted another interval, which is free again.
    assert_eq!(now(), [8, 5, 5, 6, 6, 0]);
    // Three reads free the first interval of each queue.
    for (queue, left) in [("TDPH", 4), ("TDLO", 3), ("TDNO", 2)] {
        begin_with(region, &[], move |task| {
            for _ in 0..3 {
                let reply = issue(task, command::READQ_TD, |call| {
                    call.bytes(option::QUEUE, &e(queue)).bytes(option::INTO, &[0x40; 496]);
                })?;
                assert_eq!(reply.code, NORMAL);
            }
            Ok(())
        })
        .result()
        .unwrap();
        assert_eq!(now()[2], left, "{queue}");
    }
}

/// What INQUIRE STATISTICS shows: RECORDING, INTERVAL and its parts, ENDOFDAY and its parts, NEXTTIME.
fn settings(region: &'static Region) -> [i64; 10] {
    begin_with(region, &[], |task| {
        let options = [
            option::RECORDING,
            option::INTERVAL,
            option::INTERVALHRS,
            option::INTERVALMINS,
            option::INTERVALSECS,
            option::ENDOFDAY,
            option::ENDOFDAYHRS,
            option::ENDOFDAYMINS,
            option::ENDOFDAYSECS,
            option::NEXTTIME,
        ];
        let reply = issue(task, command::INQUIRE_STATISTICS, |call| {
            options.into_iter().for_each(|option| {
                call.integer(option, -7);
            });
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(options.map(|option| reply.number(option)))
    })
    .result()
    .unwrap()
}

fn set(region: &'static Region, numbers: &'static [(OptionId, i64)], flags: &'static [OptionId]) -> (u16, i32) {
    begin_with(region, &[], move |task| {
        issue(task, command::SET_STATISTICS, |call| {
            numbers.iter().for_each(|(option, value)| {
                call.integer(*option, *value);
            });
            flags.iter().for_each(|flag| {
                call.flag(*flag);
            });
        })
        .map(|reply| reply.code)
    })
    .result()
    .unwrap()
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_inquires_and_sets_statistics() {
    let region = region_with_queues(&["STATRCD=ON", "STATINT=020000", "STATEOD=170000"]).unwrap();
    let [recording, interval, hours, minutes, seconds, end_of_day, end_hours, end_minutes, end_seconds, next] = settings(region);
    assert_eq!((recording, interval, hours, minutes, seconds), (cvda::ON, 20_000, 2, 0, 0));
    assert_eq!((end_of_day, end_hours, end_minutes, end_seconds), (170_000, 17, 0, 0));
    // A whole number of intervals is left until the end of the day: the odd hours.
    assert_eq!((next % 10_000, next / 10_000 % 2), (0, 1), "NEXTTIME {next}");
    let fault = |resp2| (condition::INVREQ.0, resp2);
    // From a minute to a day; a part that stands alone may be as large as the whole.
    let accepted: [&'static [(OptionId, i64)]; 7] = [
        &[(option::INTERVAL, 100)],
        &[(option::INTERVAL, 240_000)],
        &[(option::INTERVALHRS, 24)],
        &[(option::INTERVALMINS, 1_440)],
        &[(option::INTERVALSECS, 86_400)],
        &[(option::INTERVALSECS, 60)],
        &[(option::INTERVALHRS, 1), (option::INTERVALMINS, 59), (option::INTERVALSECS, 59)],
    ];
    for (numbers, shown) in accepted.into_iter().zip([100, 240_000, 240_000, 240_000, 240_000, 100, 15_959]) {
        assert_eq!((set(region, numbers, &[]), settings(region)[1]), (NORMAL, shown), "{numbers:?}");
    }
    let refused: [&'static [(OptionId, i64)]; 9] = [
        &[(option::INTERVAL, 59)],
        &[(option::INTERVAL, 240_001)],
        &[(option::INTERVAL, 6_000)],
        &[(option::INTERVAL, -1)],
        &[(option::INTERVALHRS, 25)],
        &[(option::INTERVALMINS, 1_441)],
        &[(option::INTERVALSECS, 59)],
        &[(option::INTERVALSECS, 86_401)],
        &[(option::INTERVALHRS, 1), (option::INTERVALMINS, 60)],
    ];
    for numbers in refused {
        assert_eq!((set(region, numbers, &[]), settings(region)[1]), (fault(1), 15_959), "{numbers:?}");
    }
    assert_eq!((set(region, &[(option::ENDOFDAY, 235_959)], &[]), settings(region)[5]), (NORMAL, 235_959));
    let refused: [&'static [(OptionId, i64)]; 4] =
        [&[(option::ENDOFDAY, 240_000)], &[(option::ENDOFDAY, 60)], &[(option::ENDOFDAYHRS, 24)], &[(option::ENDOFDAYMINS, 1_440)]];
    for numbers in refused {
        assert_eq!((set(region, numbers, &[]), settings(region)[5]), (fault(2), 235_959), "{numbers:?}");
    }
    assert_eq!(set(region, &[(option::RECORDING, cvda::OPEN)], &[]), fault(3));
    assert_eq!((set(region, &[], &[option::OFF]), settings(region)[0]), (NORMAL, cvda::OFF));
}

#[test]
fn statistics_settings_come_from_initialization_and_are_set_within_their_bounds() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_inquires_and_sets_statistics", directory.path(), 0);
}

/// The main temporary storage requests that recordings of a reason tell of, one after the other.
fn recorded_puts(directory: &Path, reason: &str) -> Vec<u64> {
    let of = lines(directory).into_iter().filter(|line| line["record"] == "DFHTSGDS" && line["reason"] == reason);
    of.map(|line| line["fields"]["TSGSTA5F"].as_u64().unwrap()).collect()
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_records_and_resets() {
    let directory = directory().unwrap();
    let region = region_with_queues(&[]).unwrap();
    let perform = |flags: &'static [OptionId]| {
        begin_with(region, &[], move |task| {
            let reply = issue(task, command::PERFORM_STATISTICS_RECORD, |call| {
                flags.iter().for_each(|flag| {
                    call.flag(*flag);
                });
            })?;
            assert_eq!(reply.code, NORMAL);
            Ok(())
        })
        .result()
        .unwrap();
    };
    let put = |items: u32| begin_with(region, &[], move |task| write_items(task, "MAINQ", items, true)).result().unwrap();
    put(3);
    let before = region.statistics().last_reset();
    // Without RESETNOW the counts go on.
    perform(&[option::ALL]);
    perform(&[option::TSQUEUE]);
    assert_eq!((recorded_puts(&directory, "REQ"), region.statistics().last_reset()), (vec![3, 3], before));
    put(2);
    perform(&[option::ALL, option::RESETNOW]);
    assert_eq!(recorded_puts(&directory, "RRT"), [5], "what was counted until the reset");
    assert!(region.statistics().last_reset() > before);
    perform(&[option::ALL]);
    put(1);
    perform(&[option::ALL]);
    assert_eq!(recorded_puts(&directory, "REQ"), [3, 3, 0, 1]);
    // SET STATISTICS: only with a change of the recording status.
    let reset = region.statistics().last_reset();
    assert_eq!(set(region, &[], &[option::OFF, option::RECORDNOW, option::RESETNOW]), NORMAL);
    assert_eq!((recorded_puts(&directory, "RRT"), region.statistics().last_reset()), (vec![5], reset));
    assert_eq!(set(region, &[], &[option::ON, option::RECORDNOW, option::RESETNOW]), NORMAL);
    assert_eq!(recorded_puts(&directory, "RRT"), [5, 1]);
    assert!(region.statistics().last_reset() > reset);
    put(4);
    assert_eq!(set(region, &[], &[option::OFF, option::RESETNOW]), NORMAL);
    perform(&[option::ALL]);
    assert_eq!(recorded_puts(&directory, "REQ"), [3, 3, 0, 1, 0], "a reset that records nothing");
}

#[test]
fn resetnow_records_and_resets_statistics() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_records_and_resets", directory.path(), 0);
}

/// An interval of a minute that ends in two seconds: the day ends in a minute and two seconds.
fn end_interval_soon(region: &'static Region, recording: bool) {
    let end = (region::clock::now_local().seconds_of_day() + 62) % SECONDS_PER_DAY;
    begin_with(region, &[], move |task| {
        let reply = issue(task, command::SET_STATISTICS, |call| {
            call.integer(option::INTERVAL, 100).integer(option::ENDOFDAY, hhmmss_of(end));
            call.flag(if recording { option::ON } else { option::OFF });
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(())
    })
    .result()
    .unwrap();
}

#[test]
#[ignore = "run by the tests of statistics"]
fn child_waits_for_the_end_of_an_interval() {
    let directory = directory().unwrap();
    let region = region_with_queues(&[]).unwrap();
    assert_eq!(settings(region)[..2], [cvda::OFF, 30_000], "STATRCD and STATINT by default");
    let put = |items: u32| begin_with(region, &[], move |task| write_items(task, "MAINQ", items, true)).result().unwrap();
    put(3);
    let reset = region.statistics().last_reset();
    end_interval_soon(region, false);
    std::thread::sleep(Duration::from_millis(3_500));
    assert_eq!(region.statistics().last_reset(), reset, "with recording off no interval ends");
    let recorded = || if directory.join("statistics/DFHSTATS").exists() { recorded_puts(&directory, "INT") } else { Vec::new() };
    assert!(recorded().is_empty());
    end_interval_soon(region, true);
    until(|| region.statistics().last_reset() > reset);
    until(|| recorded() == [3]);
}

#[test]
fn an_interval_ends_only_while_recording_is_on() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_waits_for_the_end_of_an_interval", directory.path(), 0);
}

#[test]
fn control_intervals_of_intrapartition_queues_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_uses_intrapartition_queues", directory.path(), 0);
}

#[test]
fn control_intervals_and_buffers_of_auxiliary_storage_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_uses_auxiliary_storage", directory.path(), 0);
}

#[test]
fn interval_statistics_add_up_to_the_requests_made() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("statistics::child_records_while_tasks_run", directory.path(), 0);
}
