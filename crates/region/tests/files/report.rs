//! The statistics report of files, LSR pools and queues: what was done is what it says.

use super::support::*;
use exec::{command, option};
use region::resources::Definition;
use region::statistics::report;

/// Lines of the report that begin with this name, their blanks made one.
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
    // Records are counted in the pages, where changes are after a keypoint.
    region.store.keypoint().unwrap();
    let text = report::text(region);
    let file = lines(&text, "REPORTED");
    let requests = &file[0];
    // Name, method, type, pool, strings and their waits, requests by kind; then what was read and written.
    assert!(requests.starts_with("REPORTED VSAM KSDS 91 5 0 0 50 0 0 100 0 0 "), "{requests}");
    assert_eq!(file[1], "REPORTED BUFFER SIZE DATA 2,048 INDEX 512");
    // 100 ascending records of 50 bytes are added one by one: 40 fit an interval of 2,048, and the end of the data splits none.
    assert!(file[2].contains("DEFINED CISZ DATA 2,048 INDEX 512 EXCC 0 SHAREOPTIONS 1"), "{}", file[2]);
    assert_eq!(file[3], "REPORTED DATASET NAME TEST.REPORT BASE R/W RECSZ 50 RECORDS 100");
    assert!(file[4].starts_with("REPORTED DATASET SHAPE KEYLEN 8 CI/CA "), "{}", file[4]);
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
        let ts = |task: &mut region::transaction_manager::Task, command, queue: &str, kind| {
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
        let td = |task: &mut region::transaction_manager::Task, command| {
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
