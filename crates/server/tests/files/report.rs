//! The statistics report of files, LSR pools and queues: it shows exactly the requests made.

use super::restart::{region_with_queues, spawn_test};
use super::support::*;
use csd::Definition;
use exec::{CommandId, OptionId, command, option};
use region::statistics::report;
use region::{Raised, Region, Task};

/// Lines of the report that begin with this name, with runs of blanks reduced to one.
fn lines(text: &str, begins: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| line.starts_with(begins)).collect()
}

#[test]
fn files_and_their_pool_are_reported() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL91", "TEST").with("LSRPOOLNUM", "91").with("STRINGS", "6");
    region.install(&pool.with("DATA2K", "4").with("INDEX512", "8")).unwrap();
    define_file(region, "REPORTED", "TEST.REPORT", &[("LSRPOOLNUM", "91"), ("STRINGS", "5")]);
    run(|task| {
        for number in 0..100 {
            write(task, "REPORTED", &format!("{number:08}"), &"X".repeat(42))?;
        }
        for _ in 0..50 {
            read(task, "REPORTED", "00000007", |_| {})?;
        }
        Ok(())
    });
    // Records are counted in the pages, which contain changes after a keypoint.
    region.store.keypoint().unwrap();
    let text = report::text(region);
    let file = lines(&text, "REPORTED");
    let requests = &file[0];
    // Name, method, type, pool, strings and their waits, requests by kind; then what was read and written.
    assert!(requests.starts_with("REPORTED VSAM KSDS 91 5 0 0 50 0 0 100 0 0 "), "{requests}");
    assert_eq!(file[1], "REPORTED BUFFER SIZE DATA 2,048 INDEX 512");
    // 100 ascending records of 50 bytes are added one by one: 40 fit an interval of 2,048, and the end of the data splits none.
    assert!(file[2].contains("DEFINED CISZ DATA 2,048 INDEX 512 EXCC 0 SHAREOPTIONS 1"), "{}", file[2]);
    assert_eq!(file[3], "REPORTED DATASET NAME TEST.REPORT DSNSHARING Y BASE R/W RECSZ 50 RECORDS 100");
    assert!(file[4].starts_with("REPORTED STRINGS 5 KEYLEN 8 CI/CA "), "{}", file[4]);
    assert!(file[4].contains(" COMPRESSED N XXL N INDEX-RECORDS 1 STRINGS ACTIVE 0 PEAK 1"), "{}", file[4]);
    let pool = lines(&text, "LSRPOOL 91 Maximum");
    assert!(pool[0].starts_with("LSRPOOL 91 Maximum key length 255 Strings 6 active 0 peak 1"), "{pool:?}");
    assert_eq!(lines(&text, "DATA 2,048 4 ").len(), 1, "the buffers of 2K, of which there are 4");
    assert_eq!(lines(&text, "File REPORTED data buffer size 2,048 index buffer size 512 EXCPs").len(), 1);
    let profile = text[text.find("File Profile").unwrap()..].to_string();
    assert_eq!(lines(&profile, "File REPORTED"), ["File REPORTED LSRPOOL 91 KSDS"]);
    let shares = "Read 50 33.33% Read Update 0 0.00% Browse 0 0.00% Rewrite 0 0.00% Add 100 66.67% Delete 0 0.00%";
    assert!(lines(&profile, "Read 50").contains(&shares.to_string()), "{profile}");
    let requests = lines(&profile, "File requests 150");
    assert!(requests[0].contains("Read/Write ratio 0.50"), "{requests:?}");
    let path = report::write(region).unwrap();
    assert!(std::fs::read_to_string(path).unwrap().contains("REPORTED"));
}

/// The number behind a word of a line, whose thousands have commas.
fn after(line: &str, word: &str) -> f64 {
    let at = line.find(word).unwrap_or_else(|| panic!("{word}: {line}")) + word.len();
    line[at..].split_whitespace().next().unwrap().replace([',', '%'], "").parse().unwrap_or_else(|_| panic!("{word}: {line}"))
}

/// The file whose requests are reported.
const NAME: &str = "FIGURES";

/// Requests of every kind in different numbers, a control interval split among them.
fn requests_of_every_kind() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL96", "TEST").with("LSRPOOLNUM", "96").with("STRINGS", "6");
    region.install(&pool.with("DATA2K", "5").with("INDEX512", "8")).unwrap();
    idcams("  DEFINE CLUSTER (NAME(TEST.FIGURES) INDEXED KEYS(8 0) RECORDSIZE(50 50) TRACKS(1 1) CISZ(2048) SHAREOPTIONS(2 3))\n");
    define_file(region, NAME, "TEST.FIGURES", &[("LSRPOOLNUM", "96"), ("STRINGS", "5"), ("DSNSHARING", "ALLREQS")]);
    run(|task| {
        // (2048 - 4 - 6) / 50 = 40 records fill a control interval; one more in the middle splits it.
        for number in (0..40).map(|number| number * 10).chain([195]) {
            assert_eq!(write(task, NAME, &format!("{number:08}"), &"X".repeat(42))?.code, NORMAL);
        }
        for _ in 0..7 {
            read(task, NAME, "00000100", |_| {})?;
        }
        for number in 0..5 {
            let key = format!("{:08}", number * 10);
            read(task, NAME, &key, |call| {
                call.flag(option::UPDATE);
            })?;
            let code = if number < 3 {
                rewrite(task, NAME, &key, &"Y".repeat(42))?.code
            } else {
                on_file(task, command::DELETE, NAME, |_| {})?.code
            };
            assert_eq!(code, NORMAL);
        }
        on_file(task, command::STARTBR, NAME, |call| {
            call.bytes(option::RIDFLD, &e("00000000"));
        })?;
        let mut key = e("00000000");
        for _ in 0..4 {
            let reply = on_file(task, command::READNEXT, NAME, |call| {
                call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &key);
            })?;
            assert_eq!(reply.code, NORMAL);
            key = reply.call.result_bytes(option::RIDFLD);
        }
        Ok(())
    });
}

/// The counters of the file.
fn counters() -> std::collections::HashMap<&'static str, u64> {
    let all = files::file_control::FileControl::of(the_region()).statistics();
    all.into_iter().find(|of| of.resource == "FILE" && of.name == NAME).unwrap().counters.into_iter().collect()
}

/// The lines of the file, its profile with every ratio, and its pool.
#[test]
fn every_request_and_every_ratio_of_a_file_is_reported() {
    requests_of_every_kind();
    let region = the_region();
    region.store.keypoint().unwrap();
    let activity = || (region.started_at().elapsed().unwrap().as_secs_f64(), region.transactions().attaches() as f64);
    let before = activity();
    let text = report::text(region);
    let now = activity();
    let file = lines(&text, NAME);
    let (data, index) = (counters()["data_excps"], counters()["index_excps"]);
    assert!(data > 0 && index > 0);
    // Method, type, pool, strings, string waits and their peak; read, get update, browse, add, update, delete; EXCPs.
    assert_eq!(file[0], format!("{NAME} VSAM KSDS 96 5 0 0 7 5 4 41 3 2 {data} {index}"));
    assert_eq!(file[2], format!("{NAME} SPLITS CI 1 CA 0 DEFINED CISZ DATA 2,048 INDEX 512 EXCC 0 SHAREOPTIONS 2"));
    assert_eq!(file[3], format!("{NAME} DATASET NAME TEST.FIGURES DSNSHARING Y BASE R/W RECSZ 50 RECORDS 39"));
    // The first write of the empty data set has closed the file once.
    assert!(file[4].starts_with(&format!("{NAME} STRINGS 5 KEYLEN 8 CI/CA ")) && file[4].ends_with(" OPENED 2"), "{}", file[4]);
    let profile = &text[text.find(&format!("File {NAME}   LSRPOOL 96   KSDS")).expect("its profile")..];
    let rows: Vec<String> = profile.lines().take(6).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let near = |line: usize, word: &str, expected: f64| {
        let found = after(&rows[line], word);
        assert!((found - expected).abs() < 0.006, "{word} {found}, not {expected}");
    };
    let (data, index, requests) = (data as f64, index as f64, 62.0);
    near(1, "EXCPs ", data + index);
    near(1, "DEXCPs ", data);
    near(1, "IEXCPs ", index);
    near(1, "Index/Data EXCP ratio ", index / data);
    near(1, "EXCPs/Request ", (data + index) / requests);
    // Time and tasks go on while the report is written.
    let between = |line: usize, word: &str, of: f64, low: f64, high: f64| {
        let found = after(&rows[line], word);
        assert!(found <= of / low + 0.006 && found >= of / high - 0.006, "{word} {found} of {of}");
    };
    between(1, "EXCPs/second ", data + index, before.0, now.0);
    between(1, "EXCPs/task ", data + index, before.1, now.1);
    between(2, "Requests/task ", requests, before.1, now.1);
    near(2, "File requests ", requests);
    near(2, "Read/Write ratio ", (7.0 + 5.0 + 4.0) / (3.0 + 41.0 + 2.0));
    assert_eq!(rows[3], "Read 7 11.29% Read Update 5 8.06% Browse 4 6.45% Rewrite 3 4.84% Add 41 66.13% Delete 2 3.23%");
    assert_eq!(rows[4], "CI split/Add 1 0.02 CA split/Add 0 0.00 Exclusive Control/Request 0 0.00");
    the_pool_is_reported(&text);
}

/// Look-asides of look-asides and reads, by component, by size of buffer and overall, and the pool's part of all pools.
fn the_pool_is_reported(text: &str) {
    let pool = lines(text, "LSRPOOL 96");
    assert_eq!(pool[0], "LSRPOOL 96 Maximum key length 255 Strings 6 active 0 peak 1 String waits 0 peak 0 Buffer waits 0 peak 0");
    let of_pool = &text[text.find("LSRPOOL 96   Maximum").unwrap()..];
    let size = |component: &str| {
        of_pool
            .lines()
            .find(|line| line.trim_start().starts_with(component))
            .unwrap()
            .split_whitespace()
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let mut all = (0.0, 0.0);
    let mut shares = Vec::new();
    for (component, bytes, buffers) in [("DATA", "2,048", "5"), ("INDEX", "512", "8")] {
        let row = size(component);
        assert_eq!(row[1..3], [bytes, buffers], "{row:?}");
        let (lookasides, reads): (f64, f64) = (row[3].replace(',', "").parse().unwrap(), row[4].replace(',', "").parse().unwrap());
        let share = format!("{:.2}%", lookasides * 100.0 / (lookasides + reads));
        assert_eq!(row[6], share, "{row:?}");
        all = (all.0 + lookasides, all.1 + reads);
        shares.push(share);
    }
    let overall = format!("{:.2}%", all.0 * 100.0 / (all.0 + all.1));
    let line = lines(of_pool, "Look-aside:").remove(0);
    assert_eq!(line, format!("Look-aside: data {}, index {}, overall {overall} Storage estimate 14K", shares[0], shares[1]));
    assert!(lines(of_pool, "LSRPOOL 96 is responsible for ")[0].contains("% of all LSR Read EXCPs and "));
    let excps = counters()["data_excps"] + counters()["index_excps"];
    let map = format!("File {NAME} data buffer size 2,048 index buffer size 512 EXCPs {excps}");
    assert_eq!(lines(of_pool, &format!("File {NAME} data")), [map]);
}

#[test]
fn a_compressed_data_set_is_reported_as_compressed() {
    let region = the_region();
    idcams("  DEFINE CLUSTER (NAME(TEST.PRESSED) INDEXED KEYS(8 0) RECORDSIZE(80 80) TRACKS(1 1) COMPRESSED)\n");
    define_file(region, "PRESSED", "TEST.PRESSED", &[]);
    run(|task| write(task, "PRESSED", "00000001", &"X".repeat(72)).map(drop));
    // The first record was a load; this opens the file for reading.
    let code = run(|task| read(task, "PRESSED", "00000001", |_| {}).map(|reply| reply.code));
    assert_eq!(code, (0, 0));
    // A new data set is in the pages after a keypoint.
    region.store.keypoint().unwrap();
    let text = report::text(region);
    let file = lines(&text, "PRESSED STRINGS");
    assert_eq!(file.len(), 1, "{:#?}", lines(&text, "PRESSED"));
    assert!(file[0].contains(" COMPRESSED Y XXL N "), "{}", file[0]);
}

/// The number behind a name of DFHSTUP.
fn figure(text: &str, name: &str) -> u64 {
    let own = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let line = text.lines().find(own).unwrap_or_else(|| panic!("{name}: {text}"));
    line.rsplit(':').next().unwrap_or_default().trim().replace(',', "").parse().unwrap()
}

#[test]
fn temporary_storage_and_transient_data_queues_are_reported() {
    let region = the_region();
    region.install(&Definition::new("TDQUEUE", "RPTQ", "TEST").with("TYPE", "INTRA").with("RECOVSTATUS", "LOGICAL")).unwrap();
    let before = report::text(region);
    run(|task| {
        let ts = |task: &mut Task, command, queue: &str, kind| {
            issue(task, command, |call| {
                call.bytes(option::QUEUE, &e(&format!("{queue:<8}")));
                if command == command::WRITEQ_TS {
                    call.bytes(option::FROM, &e(&"X".repeat(700))).flag(kind);
                } else {
                    call.bytes(option::INTO, &[0; 700]).integer(option::LENGTH, 700).integer(option::ITEM, 1);
                }
            })
        };
        for (queue, kind, reads) in [("RPTMAIN", option::MAIN, 2), ("RPTAUX", option::AUXILIARY, 3)] {
            for _ in 0..4 {
                assert_eq!(ts(task, command::WRITEQ_TS, queue, kind)?.code, NORMAL);
            }
            for _ in 0..reads {
                assert_eq!(ts(task, command::READQ_TS, queue, kind)?.code, NORMAL);
            }
        }
        let td = |task: &mut Task, command| {
            issue(task, command, |call| {
                call.bytes(option::QUEUE, &e("RPTQ"));
                match command {
                    command::WRITEQ_TD => call.bytes(option::FROM, &e("RECORD")),
                    _ => call.bytes(option::INTO, &[0; 10]).integer(option::LENGTH, 10),
                };
            })
        };
        for _ in 0..3 {
            assert_eq!(td(task, command::WRITEQ_TD)?.code, NORMAL);
        }
        syncpoint(task)?;
        for _ in 0..2 {
            assert_eq!(td(task, command::READQ_TD)?.code, NORMAL);
        }
        syncpoint(task)?;
        Ok(())
    });
    let after = report::text(region);
    // Other tests use temporary storage meanwhile.
    let least = [
        ("Put/Putq main storage requests", 4),
        ("Get/Getq main storage requests", 2),
        ("Put/Putq auxiliary storage requests", 4),
        ("Get/Getq auxiliary storage requests", 3),
        ("Times queues created", 2),
    ];
    for (name, count) in least {
        assert!(figure(&after, name) >= figure(&before, name) + count, "{name}: {before}{after}");
    }
    assert!(figure(&after, "Peak storage used for TSMAINLIMIT") >= 4 * 700);
    assert_eq!(figure(&after, "Current TSMAINLIMIT setting"), 64 << 20, "the default");
    assert!(figure(&after, "Longest auxiliary temp storage record") >= 700);
    // Writes, reads, deletes, triggers, items now and at most.
    assert_eq!(lines(&after, "RPTQ"), ["RPTQ Intrapartition 3 2 0 0 1 3"]);
    assert!(lines(&after, "CSMT")[0].starts_with("CSMT Indirect") || lines(&after, "CSMT")[0].starts_with("CSMT Extrapartition"));
}

fn on_queue(task: &mut Task, command: CommandId, queue: &str, kind: OptionId) -> Result<(), Raised> {
    let reply = issue(task, command, |call| {
        call.bytes(option::QUEUE, &e(&format!("{queue:<8}")));
        if command == command::WRITEQ_TS {
            call.bytes(option::FROM, &e("ITEM")).flag(kind);
        }
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(())
}

/// Names in use now and at most, then queues in auxiliary and in main storage.
fn names(region: &'static Region) -> [u64; 4] {
    let text = report::text(region);
    let names = ["Current temporary storage names in use", "Peak temporary storage names in use"];
    let totals = ["Current auxiliary temporary storage queues", "Current main temporary storage queues"];
    [names[0], names[1], totals[0], totals[1]].map(|name| figure(&text, name))
}

#[test]
#[ignore = "run by the test of names in use"]
fn child_makes_queues() {
    let Some(region) = region_with_queues(&[]) else { return };
    assert_eq!(names(region), [0, 0, 0, 0]);
    let unit = |body: fn(&mut Task) -> Result<(), Raised>| begin_with(region, &[], body).result().unwrap();
    unit(|task| {
        for _ in 0..2 {
            on_queue(task, command::WRITEQ_TS, "AUXTS", option::AUXILIARY)?;
        }
        for _ in 0..3 {
            on_queue(task, command::WRITEQ_TS, "MAINTS", option::MAIN)?;
        }
        on_queue(task, command::WRITEQ_TS, "RECTS", option::AUXILIARY)
    });
    let text = report::text(region);
    assert_eq!(figure(&text, "Current temporary storage queues"), 3);
    assert_eq!(figure(&text, "Current items in auxiliary temporary storage queues"), 3);
    assert_eq!(figure(&text, "Average items per auxiliary temporary storage queue"), 1);
    assert_eq!(figure(&text, "Current items in main temporary storage queues"), 3);
    assert_eq!(figure(&text, "Average items per main temporary storage queue"), 3);
    assert_eq!(figure(&text, "Times auxiliary storage exhausted"), 0);
    unit(|task| {
        on_queue(task, command::WRITEQ_TS, "RECTS2", option::AUXILIARY)?;
        rollback(task).map(|_| ())
    });
    assert_eq!(names(region), [3, 3, 2, 1], "a queue that is backed out does not count");
    unit(|task| {
        on_queue(task, command::DELETEQ_TS, "RECTS", option::AUXILIARY)?;
        rollback(task).map(|_| ())
    });
    assert_eq!(names(region), [3, 3, 2, 1], "a queue whose deletion is backed out does");
    unit(|task| on_queue(task, command::DELETEQ_TS, "MAINTS", option::MAIN));
    assert_eq!(names(region), [2, 3, 2, 0]);
    unit(|task| on_queue(task, command::DELETEQ_TS, "RECTS", option::AUXILIARY));
    assert_eq!(names(region), [1, 3, 1, 0]);
    assert!(region.shutdown(false));
}

#[test]
#[ignore = "run by the test of names in use"]
fn child_finds_queues() {
    let Some(region) = region_with_queues(&[]) else { return };
    assert_eq!(names(region), [1, 1, 1, 0]);
    assert!(region.shutdown(false));
}

#[test]
fn names_of_queues_in_use_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    spawn_test("report::child_makes_queues", directory.path(), 0);
    spawn_test("report::child_finds_queues", directory.path(), 0);
}
