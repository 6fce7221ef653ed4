//! The performance record: how file control commands are counted, and where the time of a task went.

use super::restart::{directory, expected, spawn_test};
use super::support::*;
use exec::{command, option};
use kernel::storage::{Getmain, Key, Line};
use kernel::{Peaks, Wait};
use region::exec_interface::Call;
use region::monitoring::fields::Value;
use region::monitoring::{Cause, Record, RecordSink};
use region::{Performance, Raised, Task};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

#[derive(Default)]
struct Records(Mutex<HashMap<u32, Record>>);

impl RecordSink for Records {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().insert(record.task_number, record.clone());
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

/// The counters of a task that has ended.
fn performance(body: impl Fn(&mut Task) -> Result<(), Raised> + Send + Sync + 'static) -> Performance {
    records();
    record_of(begin(body)).counters
}

/// The performance record of a task, which is waited for. Monitoring is on since `records`.
fn record_of(running: Running<()>) -> Record {
    let records = records();
    let number = running.number();
    running.result().unwrap();
    until(|| records.0.lock().unwrap().contains_key(&number));
    records.0.lock().unwrap()[&number].clone()
}

/// FCIOWTT, FCXCWTT and FCVSWTT: how often the task waited.
fn waits_of_files(record: &Record) -> [u64; 3] {
    ["FCIOWTT", "FCXCWTT", "FCVSWTT"].map(|nickname| record.clock(nickname).unwrap().count)
}

/// The table "How EXEC CICS file commands correspond to file control monitoring fields".
#[test]
fn commands_are_counted_by_kind() {
    idcams("  DEFINE CLUSTER (NAME(TEST.MONFILE) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "MONFILE", "TEST.MONFILE", &[]);
    records();
    let record = record_of(begin(|task| {
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
    }));
    let counts = record.counters;
    let fields = [counts.file_gets, counts.file_puts, counts.file_browses, counts.file_adds, counts.file_deletes, counts.file_total];
    // FCGETCT, FCPUTCT, FCBRWCT (without STARTBR, RESETBR and ENDBR), FCADDCT, FCDELCT, FCTOTCT.
    assert_eq!(fields, [3, 1, 2, 3, 1, 14]);
    assert!(counts.file_access_method >= 12, "FCAMCT {}", counts.file_access_method);
    assert_eq!(waits_of_files(&record), [0; 3]);
}

/// TRANPRI, MAXTASKS and CURTASKS are those of the attach; SYNCTIME counts SYNCPOINT, ROLLBACK and the end of the task.
#[test]
fn tasks_beside_it_and_its_syncpoints_are_recorded() {
    let region = the_region();
    records();
    let count = |record: &Record, number: u16| match record.field("DFHTASK", number) {
        Some(Value::Count(count)) => count,
        other => panic!("{number}: {other:?}"),
    };
    let beside = begin(|task| {
        task.kernel.suspend(&Wait::new("BESIDE").timeout(Duration::from_millis(500)));
        Ok(())
    });
    let record = record_of(begin_with(region, &[("PRIORITY", "7")], |task| {
        task.syncpoint()?;
        task.rollback();
        Ok(())
    }));
    let other = record_of(beside);
    assert_eq!(count(&record, 433), u64::from(region.dispatcher.max_tasks()));
    assert!(count(&record, 434) >= 1, "the task beside it is active");
    assert_eq!(count(&record, 109), 7);
    assert_eq!(record.clock("SYNCTIME").unwrap().count, 3);
    assert_eq!(other.clock("SYNCTIME").unwrap().count, 1);
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
    assert!(!counts.ts_shared_wait.time.is_zero(), "TSSHWAIT: three requests went to the disk");
    let after = ["shared_reads", "shared_writes"].map(statistic);
    assert!(after[0] >= before[0] + 3 && after[1] >= before[1] + 2);
    assert!(statistic("shared_pools") >= statistic("shared_pools_connected") && statistic("shared_pools_connected") >= 1);
}

/// A task that has a browse of the file, until the flag that is returned is raised.
fn holder(file: &'static str) -> (Running<()>, Flag) {
    let (held, end) = (Flag::default(), Flag::default());
    let running = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            on_file(task, command::STARTBR, file, |call| {
                call.bytes(option::RIDFLD, &e("KEY1    "));
            })?;
            held.raise();
            end.await_raised(task)
        })
    };
    held.wait();
    (running, end)
}

/// The record of a task that reads a record for update while another task has what it needs; meanwhile it waits for this resource.
fn held_up(file: &'static str, resource_type: &'static str, resource: &'static str) -> Record {
    records();
    let (holder, end) = holder(file);
    let raiser = std::thread::spawn(move || {
        until(|| is_waiting_for(the_region(), resource_type, resource));
        delayed(&end);
    });
    let record = record_of(begin(move |task| {
        read(task, file, "KEY1", |call| {
            call.flag(option::UPDATE);
        })
        .map(|_| ())
    }));
    raiser.join().unwrap();
    holder.result().unwrap();
    record
}

/// Ends a wait after a time that clocks show.
fn delayed(end: &Flag) {
    std::thread::sleep(WAIT);
    end.raise();
}

const WAIT: Duration = Duration::from_millis(20);

fn has_waited(record: &Record, nickname: &str) {
    let clock = record.clock(nickname).unwrap();
    assert!(clock.time >= WAIT && clock.count == 1, "{nickname} {clock:?}");
    // It is a part of SUSPTIME.
    assert!(record.clock("SUSPTIME").unwrap().time >= clock.time);
}

/// FCXCWTT, which is no part of FCIOWTT: exclusive control of an interval.
#[test]
fn waits_for_intervals_are_timed() {
    idcams("  DEFINE CLUSTER (NAME(TEST.MONWAIT) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "MONWAIT", "TEST.MONWAIT", &[]);
    run(|task| write(task, "MONWAIT", "KEY1", "X").map(|_| ()));
    let record = held_up("MONWAIT", "FCXCSUSP", "MONWAIT");
    assert_eq!(waits_of_files(&record), [0, 1, 0]);
    has_waited(&record, "FCXCWTT");
}

/// FCVSWTT: a string of the file, and one of its LSR pool.
#[test]
fn waits_for_strings_are_timed() {
    idcams("  DEFINE CLUSTER (NAME(TEST.MONSTR) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) CISZ(4096))\n");
    let pool = csd::Definition::new("LSRPOOL", "POOL94", "TEST").with("LSRPOOLNUM", "94").with("STRINGS", "1");
    the_region().install(&pool.with("DATA4K", "9").with("INDEX4K", "9")).unwrap();
    define_file(the_region(), "MONSTR", "TEST.MONSTR", &[("STRINGS", "1"), ("LSRPOOLNUM", "NONE")]);
    define_file(the_region(), "MONLSR", "TEST.MONSTR", &[("LSRPOOLNUM", "94")]);
    run(|task| write(task, "MONSTR", "KEY1", "X").map(|_| ()));
    for (file, resource_type, resource) in [("MONSTR", "FCPSSUSP", "MONSTR"), ("MONLSR", "FCSRSUSP", "LSRPOOL94")] {
        let record = held_up(file, resource_type, resource);
        assert_eq!(waits_of_files(&record), [0, 0, 1], "{file}");
        has_waited(&record, "FCVSWTT");
    }
}

/// FCIOWTT by FCCIWAIT: tasks on open TCBs split control intervals of one data set.
#[test]
fn a_task_waits_for_the_split_of_another() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("monitoring::child_waits_for_a_split", directory.path(), 0);
}

/// With FCQRONLY=NO requests of a file in a pool are on open TCBs. A task that needs the counts of an interval while another splits one waits for
/// it. The interval of 512 bytes splits at every third record.
#[test]
#[ignore = "run by the test above"]
fn child_waits_for_a_split() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["FCQRONLY=NO", "MN=ON", "MNPER=ON"]);
    let records = Arc::new(Records::default());
    region.monitoring().add_sink(records.clone());
    define_cluster(region, "  DEFINE CLUSTER (NAME(TEST.MONSPLIT) INDEXED KEYS(8 0) RECORDSIZE(100 100) TRACKS(50 50) CISZ(512))\n");
    define_file(region, "MONSPLIT", "TEST.MONSPLIT", &[("LSRPOOLNUM", "1"), ("RECOVERY", "NONE")]);
    let (waited, all) = (Flag::default(), Flag::default());
    let writers: Vec<_> = (0..4u32)
        .map(|writer| {
            let (waited, all) = (waited.clone(), all.clone());
            begin_with(region, &[("CONCURRENCY", "REQUIRED")], move |task| {
                all.raise();
                all.await_times(task, 4)?;
                let end = std::time::Instant::now() + Duration::from_secs(10);
                let mut number = 0u64;
                while !waited.is_raised() && std::time::Instant::now() < end {
                    number += 1;
                    // Keys in no order, so that intervals split everywhere.
                    let key = format!("{:07}{writer}", number * 7919 % 10_000_000);
                    assert_eq!(write(task, "MONSPLIT", &key, &"X".repeat(92))?.code, NORMAL);
                    if waits(task, "FCCIWAIT").count > 0 {
                        waited.raise();
                    }
                }
                Ok(())
            })
        })
        .collect();
    let numbers: Vec<u32> = writers.iter().map(|writer| writer.number()).collect();
    writers.into_iter().for_each(|writer| writer.result().unwrap());
    until(|| numbers.iter().all(|number| records.0.lock().unwrap().contains_key(number)));
    let records = records.0.lock().unwrap();
    let waited: Vec<&Record> = records.values().filter(|record| record.waits.iter().any(|(of, _)| of.as_str() == "FCCIWAIT")).collect();
    assert!(!waited.is_empty(), "no task waited for a split");
    for record in waited {
        let clock = record.clock("FCIOWTT").unwrap();
        assert!(clock.count >= 1 && !clock.time.is_zero(), "{clock:?}");
    }
    drop(records);
    assert!(region.shutdown(false));
}

fn define_cluster(region: &'static region::Region, statements: &str) {
    let options = vsam::idcams::IdcamsOptions { ccsid: 37, progress: None };
    let outcome = vsam::idcams::run(&region.data_sets, statements, &NoDds, &options);
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
}

/// FCIOWTT by FCIOWAIT: a file that is not recoverable is written faster than its control intervals go to the disk. MEMLIMIT allows 1 MB of them.
#[test]
fn a_task_waits_for_output_of_a_file() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("monitoring::child_waits_for_output", directory.path(), 0);
}

#[test]
#[ignore = "run by the test above"]
fn child_waits_for_output() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["MEMLIMIT=4M", "TSMAINLIMIT=1M", "MN=ON", "MNPER=ON"]);
    let records = Arc::new(Records::default());
    region.monitoring().add_sink(records.clone());
    define_cluster(region, "  DEFINE CLUSTER (NAME(TEST.MONOUT) INDEXED KEYS(8 0) RECORDSIZE(30000 32000) CISZ(32768) CYLINDERS(9 9))\n");
    define_file(region, "MONOUT", "TEST.MONOUT", &[("RECOVERY", "NONE")]);
    let seen = std::thread::spawn(move || until(|| is_waiting_for(region, "FCIOWAIT", "MONOUT")));
    let running = begin_with(region, &[], |task| {
        for number in 0..2_000 {
            assert_eq!(write(task, "MONOUT", &format!("K{number:07}"), &"X".repeat(29_000))?.code, NORMAL);
            if waits(task, "FCIOWAIT").count >= 5 {
                return Ok(());
            }
        }
        panic!("the disk is faster than the task: {:?}", task.kernel.waits());
    });
    let number = running.number();
    running.result().unwrap();
    seen.join().unwrap();
    until(|| records.0.lock().unwrap().contains_key(&number));
    let record = records.0.lock().unwrap()[&number].clone();
    assert!(waits_of_files(&record)[0] >= 5 && waits_of_files(&record)[1..] == [0, 0], "{:?}", record.waits);
    assert!(!record.clock("FCIOWTT").unwrap().time.is_zero());
    assert!(region.shutdown(false));
}

/// Clocks by TCB mode: each mode is in one of four clocks of dispatch time, which add up to USRDISPT; the same for processor time.
#[test]
fn the_time_of_a_task_is_in_the_clocks_of_its_modes() {
    idcams("  DEFINE CLUSTER (NAME(TEST.MONMODE) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "MONMODE", "TEST.MONMODE", &[]);
    records();
    let record = record_of(begin_with(the_region(), &[("CONCURRENCY", "REQUIRED")], |task| {
        // The file is opened on FO, and is read on QR; the loop is on L8.
        write(task, "MONMODE", "KEY1", "X")?;
        delay(task, 5)?;
        let until = std::time::Instant::now() + Duration::from_millis(30);
        while std::time::Instant::now() < until {}
        Ok(())
    }));
    let clock = |nickname: &str| record.clock(nickname).unwrap_or_else(|| panic!("{nickname}"));
    for (all, parts) in
        [("USRDISPT", ["QRDISPT", "MSDISPT", "KY8DISPT", "KY9DISPT"]), ("USRCPUT", ["QRCPUT", "MSCPUT", "KY8CPUT", "KY9CPUT"])]
    {
        assert_eq!(parts.map(clock).into_iter().fold(Default::default(), kernel::Clock::and), clock(all), "{all}");
    }
    assert!(clock("KY8DISPT").time >= Duration::from_millis(29) && clock("KY8DISPT").count >= 2);
    assert_eq!((clock("L8CPUT"), clock("KY9DISPT")), (clock("KY8CPUT"), kernel::Clock::default()));
    assert!(clock("MSDISPT").count == 1 && clock("QRDISPT").count >= 3, "FO once; QR at the begin, for the file and at the end");
    // One wait of five milliseconds, and those for TCBs that others had.
    let suspended = clock("SUSPTIME");
    assert!(clock("ICDELAY").count == 1 && clock("ICDELAY").time >= Duration::from_millis(4));
    assert!(suspended.time >= clock("DSPDELAY").time + clock("ICDELAY").time && suspended.count >= 2, "{suspended:?}");
    assert!(clock("DISPWTT").count >= 1 && clock("DISPWTT").time >= clock("QRMODDLY").time + clock("ROMODDLY").time);
    let count = |number: u16| match record.field("DFHTASK", number) {
        Some(Value::Count(count)) => count,
        other => panic!("{number} {other:?}"),
    };
    // CHMODECT, TCBATTCT, DSTCBHWM.
    assert!(count(248) >= 6 && count(251) <= 1 && count(252) == 1, "{:?}", [248, 251, 252].map(count));
    assert!(clock("DSCHMDLY").count <= count(248));
    // There are no specialty processors (HWOS-01, MON-14).
    assert_eq!((clock("CPUTONCP"), clock("OFFLCPUT")), (clock("USRCPUT"), kernel::Clock::default()));
}

/// LPARNAME, CECMCHTP and CECMDLID.
#[test]
fn records_name_the_machine() {
    records();
    let record = record_of(begin(|_| Ok(())));
    let text = |number: u16| match record.field("DFHTASK", number) {
        Some(Value::Text(text)) => text,
        other => panic!("{number} {other:?}"),
    };
    let told = std::process::Command::new("uname").arg("-n").output().unwrap().stdout;
    let host = String::from_utf8(told).unwrap().trim().split('.').next().unwrap().to_uppercase();
    assert_eq!(text(482), host.chars().take(8).collect::<String>());
    assert!(["X64", "A64"].contains(&&*text(430)), "{}", text(430));
    assert!(text(431).len() <= 16);
}

/// DSPDELAY with its parts: TCLDELAY for the class, MXTDELAY for MXT, and neither for a task that began at once.
#[test]
fn delays_before_the_first_dispatch_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("monitoring::child_delays_tasks_before_their_dispatch", directory.path(), 0);
}

#[test]
#[ignore = "run by the test above"]
fn child_delays_tasks_before_their_dispatch() {
    let Some(directory) = directory() else { return };
    const MXT: usize = 10;
    let region = start_region(&directory, &["MXT=10", "MN=ON", "MNPER=ON"]);
    let records = Arc::new(Records::default());
    region.monitoring().add_sink(records.clone());
    region.install(&csd::Definition::new("TRANCLASS", "MONCLASS", "TEST").with("MAXACTIVE", "1")).unwrap();
    let hold = |attributes: &[(&'static str, &str)], held: &Flag, end: &Flag| {
        let (held, end) = (held.clone(), end.clone());
        begin_with(region, attributes, move |task| {
            held.raise();
            end.await_raised(task)
        })
    };
    let of = |running: Running<()>| {
        let number = running.number();
        running.result().unwrap();
        until(|| records.0.lock().unwrap().contains_key(&number));
        let record = records.0.lock().unwrap()[&number].clone();
        ["DSPDELAY", "TCLDELAY", "MXTDELAY"].map(|nickname| record.clock(nickname).unwrap())
    };
    let none = kernel::Clock::default();
    let in_class = [("TRANCLASS", "MONCLASS")];
    let (held, end) = (Flag::default(), Flag::default());
    let first = hold(&in_class, &held, &end);
    held.wait();
    let second = hold(&in_class, &Flag::default(), &end);
    std::thread::sleep(WAIT);
    delayed(&end);
    let [delay, class, max_tasks] = of(first);
    assert!(delay.count == 1 && class == none && max_tasks == none);
    let [delay, class, max_tasks] = of(second);
    assert!(class.time >= WAIT && class.count == 1 && delay.time >= class.time && delay.count == 1 && max_tasks == none);
    let (held, end) = (Flag::default(), Flag::default());
    let holders: Vec<_> = (0..MXT).map(|_| hold(&[], &held, &end)).collect();
    until(|| held.count() == MXT as u32);
    let queued = hold(&[], &Flag::default(), &end);
    std::thread::sleep(WAIT);
    delayed(&end);
    holders.into_iter().for_each(|holder| assert_eq!(of(holder)[2], none));
    let [delay, class, max_tasks] = of(queued);
    assert!(max_tasks.time >= WAIT && max_tasks.count == 1 && delay.time >= max_tasks.time && class == none);
    assert!(region.shutdown(false));
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

/// All records, in the order in which they are written.
#[derive(Default)]
struct Sequence(Mutex<Vec<Record>>);

impl RecordSink for Sequence {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().push(record.clone());
    }
}

/// MNSYNC and SET MONITOR: a syncpoint ends a record, and the next one has what came after it.
#[test]
fn syncpoints_end_records() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("monitoring::child_ends_records", directory.path(), 0);
}

fn set_syncpoint_records(task: &mut Task, on: bool) -> Result<i64, Raised> {
    Call::new(command::SET_MONITOR).flag(if on { option::SYNCPOINT } else { option::NOSYNCPOINT }).execute(task)?;
    let mut inquire = Call::new(command::INQUIRE_MONITOR);
    inquire.integer(option::SYNCPOINTST, 0).execute(task)?;
    Ok(inquire.result(option::SYNCPOINTST).unwrap())
}

#[test]
#[ignore = "run by the test above"]
fn child_ends_records() {
    let Some(directory) = directory() else { return };
    let region = start_region(&directory, &["MN=ON", "MNPER=ON", "MNSYNC=YES"]);
    let records = Arc::new(Sequence::default());
    region.monitoring().add_sink(records.clone());
    let running = begin_with(region, &[], |task| {
        let issue = |task: &mut Task, id| Call::new(id).execute(task).map(drop);
        issue(task, command::ASKTIME)?;
        issue(task, command::ASKTIME)?;
        issue(task, command::SYNCPOINT)?;
        issue(task, command::ASKTIME)?;
        // No action is taken for a rollback.
        issue(task, command::SYNCPOINT_ROLLBACK)?;
        issue(task, command::ASKTIME)?;
        issue(task, command::ASKTIME)?;
        issue(task, command::SYNCPOINT)?;
        assert_eq!(set_syncpoint_records(task, false)?, exec::cvda::NOSYNCPOINT);
        issue(task, command::SYNCPOINT)?;
        assert_eq!(set_syncpoint_records(task, true)?, exec::cvda::SYNCPOINT);
        issue(task, command::ASKTIME)
    });
    let number = running.number();
    running.result().unwrap();
    until(|| region.transactions().task(number).is_none());
    let records: Vec<Record> = records.0.lock().unwrap().iter().filter(|record| record.task_number == number).cloned().collect();
    let value = |record: &Record, nickname: &str| {
        let field = record.fields().into_iter().find(|field| field.spec.nickname == nickname).unwrap();
        field.value
    };
    let types: Vec<Value> = records.iter().map(|record| value(record, "RTYPE")).collect();
    assert_eq!(types, ["   S", "   S", "   T"].map(|text| Value::Text(text.to_string())));
    assert_eq!(records.iter().map(|record| record.cause).collect::<Vec<_>>(), [Cause::Syncpoint, Cause::Syncpoint, Cause::Termination]);
    let counts: Vec<Value> = records.iter().map(|record| value(record, "TITOTCT")).collect();
    assert_eq!(counts, [2, 3, 1].map(Value::Count));
    for pair in records.windows(2) {
        assert_eq!(value(&pair[1], "START"), value(&pair[0], "STOP"), "a record begins where the one before ends");
    }
    // The whole is the sum of its parts: the last record without what the others have.
    let whole = Record { before: None, ..records[2].clone() };
    let commands = |record: &Record| match value(record, "EICTOTCT") {
        Value::Count(count) => count,
        other => panic!("{other:?}"),
    };
    assert_eq!(records.iter().map(commands).sum::<u64>(), commands(&whole));
    assert!(commands(&records[0]) >= 3);
    assert!(region.shutdown(false));
}
