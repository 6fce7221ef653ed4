//! The DFHFILE fields of the performance record: how file control commands are counted.

use super::restart::{directory, expected, spawn_test};
use super::support::*;
use exec::{command, option};
use kernel::Peaks;
use kernel::storage::{Getmain, Key, Line};
use region::monitoring::{Record, RecordSink};
use region::{Performance, Raised, Task};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

#[derive(Default)]
struct Records(Mutex<HashMap<u32, Performance>>);

impl RecordSink for Records {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().insert(record.task_number, record.counters);
    }
}

fn records() -> Arc<Records> {
    static RECORDS: OnceLock<Arc<Records>> = OnceLock::new();
    let make = || {
        let records = Arc::new(Records::default());
        the_region().monitoring().add_sink(records.clone());
        the_region().monitoring().switch(true);
        records
    };
    RECORDS.get_or_init(make).clone()
}

/// The performance record of a task that has ended.
fn performance(body: impl Fn(&mut Task) -> Result<(), Raised> + Send + Sync + 'static) -> Performance {
    let records = records();
    let running = begin(body);
    let number = running.number();
    running.result().unwrap();
    until(|| records.0.lock().unwrap().contains_key(&number));
    records.0.lock().unwrap()[&number]
}

/// The table "How EXEC CICS file commands correspond to file control monitoring fields".
#[test]
fn commands_are_counted_by_kind() {
    idcams("  DEFINE CLUSTER (NAME(TEST.MONFILE) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "MONFILE", "TEST.MONFILE", &[]);
    let counts = performance(|task| {
        for number in 1..=3 {
            write(task, "MONFILE", &format!("KEY{number}"), "X")?;
        }
        read(task, "MONFILE", "KEY1", |_| {})?;
        read(task, "MONFILE", "KEY2", |call| {
            call.flag(option::UPDATE);
        })?;
        rewrite(task, "MONFILE", "KEY2", "Y")?;
        read(task, "MONFILE", "KEY3", |call| {
            call.flag(option::UPDATE);
        })?;
        on_file(task, command::UNLOCK, "MONFILE", |_| {})?;
        on_file(task, command::DELETE, "MONFILE", |call| {
            call.bytes(option::RIDFLD, &e("KEY1    "));
        })?;
        on_file(task, command::STARTBR, "MONFILE", |call| {
            call.bytes(option::RIDFLD, &e("KEY2    "));
        })?;
        for _ in 0..2 {
            on_file(task, command::READNEXT, "MONFILE", |call| {
                call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e("KEY2    "));
            })?;
        }
        on_file(task, command::RESETBR, "MONFILE", |call| {
            call.bytes(option::RIDFLD, &e("KEY3    "));
        })?;
        on_file(task, command::ENDBR, "MONFILE", |_| {})?;
        Ok(())
    });
    let fields = [counts.file_gets, counts.file_puts, counts.file_browses, counts.file_adds, counts.file_deletes, counts.file_total];
    // FCGETCT, FCPUTCT, FCBRWCT (without STARTBR, RESETBR and ENDBR), FCADDCT, FCDELCT, FCTOTCT.
    assert_eq!(fields, [3, 1, 2, 3, 1, 14]);
    assert!(counts.file_access_method >= 12, "FCAMCT {}", counts.file_access_method);
    assert_eq!((counts.file_exclusive_wait, counts.file_string_wait), (0, 0));
}

/// SCUSRHWM, SC24CHWM, SC31CHWM, SC64CHWM and SC64UHWM: the most task storage of each DSA, above the bar in whole pages.
#[test]
fn the_most_storage_of_each_area_is_recorded() {
    let counts = performance(|task| {
        for (line, key, bytes) in [
            (Line::Below16M, Key::User, 20_000),
            (Line::Below16M, Key::Cics, 30_000),
            (Line::Below2G, Key::User, 1_000_000),
            (Line::Below2G, Key::Cics, 2_000_000),
            (Line::Above, Key::User, 5_000),
            (Line::Above, Key::Cics, 9_000),
        ] {
            let request = Getmain { length: bytes, line, key, initial: None };
            for _ in 0..2 {
                let address = task.getmain(request, false)?;
                task.storage.freemain(address).unwrap();
            }
        }
        Ok(())
    });
    assert_eq!([counts.storage_peak_udsa, counts.storage_peak_cdsa], [20_000, 30_000]);
    // The region's own areas of the task are in the EUDSA: EIB, levels.
    assert!((1_000_000..1_100_000).contains(&counts.storage_peak_eudsa), "{}", counts.storage_peak_eudsa);
    assert!((2_000_000..2_100_000).contains(&counts.storage_peak_ecdsa), "{}", counts.storage_peak_ecdsa);
    assert_eq!([counts.storage_peak_gudsa, counts.storage_peak_gcdsa], [8_192, 12_288]);
}

/// NCGETCT: counts GET COUNTER and GET DCOUNTER, whatever the result, and no other command of a named counter.
#[test]
fn gets_of_named_counters_are_counted() {
    let counts = performance(|task| {
        let on_counter = |task: &mut Task, command, option| {
            issue(task, command, |call| {
                call.bytes(option, &e("MONCOUNT")).integer(option::VALUE, 0);
            })
        };
        on_counter(task, command::GET_COUNTER, option::COUNTER)?;
        on_counter(task, command::DEFINE_COUNTER, option::COUNTER)?;
        on_counter(task, command::GET_COUNTER, option::COUNTER)?;
        on_counter(task, command::GET_DCOUNTER, option::DCOUNTER)?;
        on_counter(task, command::QUERY_COUNTER, option::COUNTER)?;
        on_counter(task, command::UPDATE_COUNTER, option::COUNTER)?;
        Ok(())
    });
    assert_eq!(counts.named_counter_gets, 3);
}

/// TSGETSCT and TSPUTSCT beside TSGETCT, TSPUTACT and TSPUTMCT; TSTOTCT has all, and DELETEQ.
#[test]
fn requests_for_shared_queues_are_counted() {
    let region = the_region();
    let model = csd::Definition::new("TSMODEL", "MOSMODEL", "TEST").with("PREFIX", "MOS").with("POOLNAME", "POOLONE");
    region.install(&model).unwrap();
    let statistic = |name: &str| {
        let counters = queues::temporary_storage::TemporaryStorage::of(region).statistics().counters;
        counters.iter().find(|(known, _)| *known == name).unwrap().1
    };
    let before = ["shared_reads", "shared_writes"].map(statistic);
    let counts = performance(|task| {
        for queue in ["MOSHARED", "MOLOCAL"] {
            for command in [command::WRITEQ_TS, command::WRITEQ_TS, command::READQ_TS, command::READQ_TS, command::READQ_TS] {
                issue(task, command, |call| {
                    call.bytes(option::QUEUE, &e(queue));
                    match command {
                        command::WRITEQ_TS => call.bytes(option::FROM, b"X"),
                        _ => call.bytes(option::INTO, &[0; 10]),
                    };
                })?;
            }
            issue(task, command::DELETEQ_TS, |call| {
                call.bytes(option::QUEUE, &e(queue));
            })?;
        }
        Ok(())
    });
    let fields = [counts.ts_gets, counts.ts_puts_auxiliary, counts.ts_puts_main, counts.ts_gets_shared, counts.ts_puts_shared];
    assert_eq!((fields, counts.ts_total), ([3, 2, 0, 3, 2], 12));
    assert!(counts.ts_shared_wait > 0, "TSSHWAIT: three requests went to the disk");
    let after = ["shared_reads", "shared_writes"].map(statistic);
    assert!(after[0] >= before[0] + 3 && after[1] >= before[1] + 2);
    assert!(statistic("shared_pools") >= statistic("shared_pools_connected") && statistic("shared_pools_connected") >= 1);
}

#[test]
fn waits_for_intervals_are_timed() {
    idcams("  DEFINE CLUSTER (NAME(TEST.MONWAIT) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "MONWAIT", "TEST.MONWAIT", &[]);
    run(|task| write(task, "MONWAIT", "KEY1", "X").map(|_| ()));
    let (held, end) = (Flag::default(), Flag::default());
    let holder = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            on_file(task, command::STARTBR, "MONWAIT", |call| {
                call.bytes(option::RIDFLD, &e("KEY1    "));
            })?;
            held.raise();
            end.await_raised(task)
        })
    };
    held.wait();
    let seen = end.clone();
    let raiser = std::thread::spawn(move || {
        until(|| is_waiting_for(the_region(), "FCXCSUSP", "MONWAIT"));
        seen.raise();
    });
    let counts = performance(|task| {
        read(task, "MONWAIT", "KEY1", |call| {
            call.flag(option::UPDATE);
        })
        .map(|_| ())
    });
    raiser.join().unwrap();
    holder.result().unwrap();
    assert!(counts.file_exclusive_wait > 0);
    assert_eq!(counts.file_string_wait, 0);
}

/// MN=ON and MNPER=ON: with one of them alone there is no record of a task.
#[test]
fn performance_records_need_monitoring_and_their_class() {
    for child in 0..PARAMETERS.len() {
        let directory = tempfile::tempdir().unwrap();
        spawn_test("monitoring::child_counts_performance_records", directory.path(), child);
    }
}

const PARAMETERS: [(&[&str], u64); 4] = [(&[], 0), (&["MN=ON"], 0), (&["MN=OFF", "MNPER=ON"], 0), (&["MN=ON", "MNPER=ON"], 1)];

#[test]
#[ignore = "run by the test above"]
fn child_counts_performance_records() {
    let Some(directory) = directory() else { return };
    let (parameters, expected) = PARAMETERS[expected()];
    let region = start_region(&directory, parameters);
    region.monitoring().add_sink(Arc::new(Records::default()));
    let before = region.monitoring().statistics(Peaks::Keep).performance_records;
    let running = begin_with(region, &[], |_| Ok(()));
    let number = running.number();
    running.result().unwrap();
    until(|| region.transactions().task(number).is_none());
    let statistics = region.monitoring().statistics(Peaks::Keep);
    assert_eq!(statistics.performance_records - before, expected, "{parameters:?}");
    assert!(statistics.user_transactions_total >= 1, "tasks are counted without records: {parameters:?}");
}
