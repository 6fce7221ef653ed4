//! LSR pools: the counts of look-asides, reads and strings, also for alternate indexes; files without a pool; files that share a data set.

use super::support::*;
use csd::Definition;
use exec::{command, option};
use region::name::Name8;

fn counters(resource: &str, name: &str) -> std::collections::HashMap<&'static str, u64> {
    let all = files::file_control::FileControl::of(the_region()).statistics();
    let found = all.into_iter().find(|statistics| statistics.resource == resource && statistics.name == name);
    found.unwrap_or_else(|| panic!("{resource} {name}")).counters.into_iter().collect()
}

#[test]
fn lookaside_and_reads_are_counted_by_control_interval() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL77", "TEST").with("LSRPOOLNUM", "77").with("STRINGS", "4");
    region.install(&pool.with("DATA2K", "3").with("INDEX512", "5")).unwrap();
    define_file(region, "POOLFILE", "TEST.POOL", &[("LSRPOOLNUM", "77"), ("STRINGS", "3")]);
    run(|task| {
        // (2048 - 4 - 6) / 50 = 40 records fill a control interval: five of them.
        for number in 0..200 {
            write(task, "POOLFILE", &format!("{number:08}"), &"X".repeat(42))?;
        }
        Ok(())
    });
    let before = counters("LSRPOOL", "77");
    assert_eq!((before["strings"], before["data_2k_buffers"], before["index_512_buffers"]), (4, 3, 5));
    assert_eq!(before["data_2k_user_writes"], 200, "LSR writes every change at once");
    run(|task| {
        // Round and round over four intervals, with buffers for three: the next one is never in a buffer.
        for _ in 0..5 {
            for number in [0, 40, 80, 120] {
                assert_eq!(read(task, "POOLFILE", &format!("{number:08}"), |_| {})?.code, NORMAL);
            }
        }
        // The same one repeatedly: all but the first are look-asides.
        for _ in 0..10 {
            read(task, "POOLFILE", &format!("{:08}", 160), |_| {})?;
        }
        Ok(())
    });
    let after = counters("LSRPOOL", "77");
    let grown = |name: &str| after[name] - before[name];
    assert_eq!((grown("data_2k_reads"), grown("data_2k_lookasides")), (21, 9));
    assert_eq!((grown("index_512_reads"), grown("index_512_lookasides")), (0, 30), "one sequence set record serves all");
    assert_eq!(grown("data_2k_user_writes"), 0);
    let file = counters("FILE", "POOLFILE");
    assert_eq!((file["lsrpool"], file["strings"], file["get_requests"]), (77, 3, 30));
    // A browse needs each control interval once.
    let before = counters("LSRPOOL", "77");
    run(|task| {
        on_file(task, command::STARTBR, "POOLFILE", |call| {
            call.bytes(option::RIDFLD, &e("00000000"));
        })?;
        let mut key = e("00000000");
        for _ in 0..200 {
            let reply = on_file(task, command::READNEXT, "POOLFILE", |call| {
                call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &key);
            })?;
            assert_eq!(reply.code, NORMAL);
            key = reply.call.result_bytes(option::RIDFLD);
        }
        Ok(())
    });
    let after = counters("LSRPOOL", "77");
    let data = |of: &std::collections::HashMap<&str, u64>| of["data_2k_reads"] + of["data_2k_lookasides"];
    assert_eq!(data(&after) - data(&before), 5);
    assert_eq!(after["strings_active"], 0);
    assert!(after["strings_active_peak"] >= 1);
}

#[test]
fn strings_of_a_pool_are_shared_by_its_files() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL78", "TEST").with("LSRPOOLNUM", "78").with("STRINGS", "1");
    region.install(&pool).unwrap();
    define_file(region, "SHARE1", "TEST.VARIABLE", &[("LSRPOOLNUM", "78"), ("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "SHARE2", "TEST.STATE", &[("LSRPOOLNUM", "78"), ("RECOVERY", "BACKOUTONLY")]);
    run(|task| {
        write(task, "SHARE1", "POOLSTR", "X")?;
        write(task, "SHARE2", "POOLSTR", "X")?;
        Ok(())
    });
    let (held, go) = (Flag::default(), Flag::default());
    let first = {
        let (held, go) = (held.clone(), go.clone());
        begin(move |task| {
            // A browse has its string from STARTBR to ENDBR.
            on_file(task, command::STARTBR, "SHARE1", |call| {
                call.bytes(option::RIDFLD, &e("POOLSTR "));
            })?;
            held.raise();
            go.await_raised(task)
        })
    };
    held.wait();
    let second = begin(|task| Ok(read(task, "SHARE2", "POOLSTR", |_| {})?.code));
    until(|| is_waiting(region, "FCSRSUSP"));
    go.raise();
    assert_eq!(second.result(), Ok(NORMAL));
    first.result().unwrap();
    let pool = counters("LSRPOOL", "78");
    assert_eq!((pool["strings"], pool["strings_active"], pool["strings_active_peak"], pool["string_waits"]), (1, 0, 1, 1));
    assert_eq!(counters("FILE", "SHARE2")["string_waits"], 0, "the file had a string, the pool had none");
}

#[test]
fn a_pool_without_buffers_of_the_size_refuses_the_file() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL79", "TEST").with("LSRPOOLNUM", "79").with("STRINGS", "5").with("DATA512", "10");
    region.install(&pool).unwrap();
    define_file(region, "SMALL", "TEST.POOL", &[("LSRPOOLNUM", "79")]);
    run(|task| {
        assert_eq!(read(task, "SMALL", "X", |_| {})?.code, (exec::condition::NOTOPEN.0, 60));
        Ok(())
    });
    // Without a pool the file has its own buffers.
    define_file(region, "SMALL", "TEST.POOL", &[("LSRPOOLNUM", "NONE"), ("STRINGS", "2")]);
    run(|task| {
        read(task, "SMALL", "X", |_| {})?;
        Ok(())
    });
    let file = files::file_control::FileControl::of(region).find(Name8::new("SMALL")).unwrap();
    assert!(file.attributes().is_some());
    assert_eq!(counters("FILE", "SMALL")["lsrpool"], 0);
}

/// SHAREOPTIONS(4): the buffers of direct requests are read anew each time; a browse uses what is there.
#[test]
fn share_option_four_does_little_lookaside() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL95", "TEST").with("LSRPOOLNUM", "95").with("STRINGS", "4");
    region.install(&pool.with("DATA2K", "9").with("INDEX512", "9")).unwrap();
    for (name, options) in [("SHROPT3", "3"), ("SHROPT4", "4")] {
        idcams(&format!(
            "  DEFINE CLUSTER (NAME(TEST.{name}) INDEXED KEYS(8 0) RECORDSIZE(50 50) TRACKS(1 1) CISZ(2048) SHAREOPTIONS({options} 3))\n"
        ));
        define_file(region, name, &format!("TEST.{name}"), &[("LSRPOOLNUM", "95")]);
        run(move |task| {
            for number in 0..100 {
                write(task, name, &format!("{number:08}"), &"X".repeat(42))?;
            }
            Ok(())
        });
        let before = counters("LSRPOOL", "95");
        run(move |task| {
            for _ in 0..10 {
                assert_eq!(read(task, name, "00000050", |_| {})?.code, NORMAL);
            }
            Ok(())
        });
        let after = counters("LSRPOOL", "95");
        let grown = |of: &str| after[of] - before[of];
        let found = ["data_2k_lookasides", "data_2k_reads", "index_512_lookasides", "index_512_reads"].map(grown);
        assert_eq!(found, if options == "4" { [0, 10, 0, 10] } else { [10, 0, 10, 0] }, "SHAREOPTIONS({options})");
        run(move |task| {
            on_file(task, command::STARTBR, name, |call| {
                call.bytes(option::RIDFLD, &e("00000000"));
            })?;
            let mut key = e("00000000");
            for _ in 0..100 {
                let reply = on_file(task, command::READNEXT, name, |call| {
                    call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &key);
                })?;
                assert_eq!(reply.code, NORMAL);
                key = reply.call.result_bytes(option::RIDFLD);
            }
            Ok(())
        });
        assert_eq!(counters("LSRPOOL", "95")["data_2k_reads"], after["data_2k_reads"], "SHAREOPTIONS({options})");
    }
}

/// DSNSHARING: what one file has read is in the buffers of the other.
#[test]
fn files_without_a_pool_share_the_buffers_of_their_data_set() {
    idcams("  DEFINE CLUSTER (NAME(TEST.SHARED) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    let region = the_region();
    let none = ("LSRPOOLNUM", "NONE");
    let reads_only = [none, ("DSNSHARING", "MODIFYREQS"), ("ADD", "NO"), ("DELETE", "NO"), ("UPDATE", "NO")];
    define_file(region, "SHRONE", "TEST.SHARED", &[none]);
    define_file(region, "SHRTWO", "TEST.SHARED", &[none, ("DSNSHARING", "MODIFYREQS")]);
    define_file(region, "SHRALL", "TEST.SHARED", &[none, ("ADD", "NO"), ("DELETE", "NO"), ("UPDATE", "NO")]);
    define_file(region, "SHRREAD", "TEST.SHARED", &reads_only);
    run(|task| {
        write(task, "SHRONE", "KEY1", "X")?;
        syncpoint(task).map(|_| ())
    });
    // The first record has closed the file: these opens are the first after it.
    let read_by = |name: &'static str| {
        let before = counters("FILE", name)["data_excps"];
        run(move |task| {
            assert_eq!(read(task, name, "KEY1", |_| {})?.code, NORMAL);
            Ok(())
        });
        counters("FILE", name)["data_excps"] - before
    };
    assert_eq!(["SHRONE", "SHRTWO", "SHRALL", "SHRREAD", "SHRREAD"].map(read_by), [1, 0, 0, 1, 0]);
}

/// A base with records of 50 bytes whose alternate keys (bytes 8 to 11) are the same numbers, its path, and 500 records.
fn base_with_path(name: &'static str, path: &'static str, more: &[(&'static str, &str)]) {
    idcams(&format!(
        "
  DEFINE CLUSTER (NAME(TEST.{name}) INDEXED KEYS(8 0) RECORDSIZE(50 50) TRACKS(5 1) CISZ(2048))
  DEFINE ALTERNATEINDEX (NAME(TEST.{name}.AIX) RELATE(TEST.{name}) KEYS(4 8) RECORDSIZE(17 17) UNIQUEKEY UPGRADE TRACKS(5 1) CISZ(4096))
  DEFINE PATH (NAME(TEST.{name}.PATH) PATHENTRY(TEST.{name}.AIX))
"
    ));
    define_file(the_region(), name, &format!("TEST.{name}"), more);
    define_file(the_region(), path, &format!("TEST.{name}.PATH"), more);
    run(move |task| {
        for number in 0..500 {
            assert_eq!(write(task, name, &format!("{number:08}"), &format!("{number:04}{}", "X".repeat(38)))?.code, NORMAL);
        }
        Ok(())
    });
}

fn read_path(task: &mut region::Task, path: &str, number: u32) -> Result<(), region::Raised> {
    let reply = on_file(task, command::READ, path, |call| {
        call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e(&format!("{number:04}")));
    })?;
    assert_eq!(reply.code, NORMAL);
    assert_eq!(t(&reply.call.result_bytes(option::INTO)[..8]), format!("{number:08}"));
    Ok(())
}

/// Only the alternate index has intervals of 4096 bytes, so the pool's buffers of that size are its own.
#[test]
fn alternate_indexes_are_read_through_the_pool() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL92", "TEST").with("LSRPOOLNUM", "92").with("STRINGS", "3");
    let pool = pool.with("DATA2K", "20").with("DATA4K", "3").with("INDEX512", "9").with("INDEX1K", "9").with("INDEX2K", "9");
    region.install(&pool).unwrap();
    base_with_path("AIXPOOL", "AIXPATH", &[("LSRPOOLNUM", "92"), ("STRINGS", "3")]);
    let written = counters("LSRPOOL", "92");
    assert_eq!((written["data_2k_user_writes"], written["data_4k_user_writes"]), (500, 500), "each record, and its pointer");
    // Records of 5 + 4 + 8 bytes and 3 of an RDF: 204 in 4092 bytes. Ascending ones split the last interval after 204, 306 and 408.
    let before = counters("LSRPOOL", "92");
    let files = ["AIXPOOL", "AIXPATH"].map(|name| counters("FILE", name));
    run(|task| {
        for _ in 0..5 {
            for number in [50, 150, 250, 350] {
                read_path(task, "AIXPATH", number)?;
            }
        }
        for _ in 0..10 {
            read_path(task, "AIXPATH", 350)?;
        }
        Ok(())
    });
    let after = counters("LSRPOOL", "92");
    let grown = |name: &str| after[name] - before[name];
    assert_eq!((grown("data_4k_reads"), grown("data_4k_lookasides")), (20, 10), "four intervals, buffers for three");
    assert_eq!(grown("data_2k_reads") + grown("data_2k_lookasides"), 30, "each base record");
    // A file's EXCPs are those of the base alone; it was all in buffers.
    for (name, before) in ["AIXPOOL", "AIXPATH"].into_iter().zip(files) {
        assert_eq!(counters("FILE", name)["data_excps"], before["data_excps"], "{name}");
    }
    // A browse needs each interval of the index once.
    let before = counters("LSRPOOL", "92");
    run(|task| {
        on_file(task, command::STARTBR, "AIXPATH", |call| {
            call.bytes(option::RIDFLD, &e("0000"));
        })?;
        let mut key = e("0000");
        for _ in 0..500 {
            let reply = on_file(task, command::READNEXT, "AIXPATH", |call| {
                call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &key);
            })?;
            assert_eq!(reply.code, NORMAL);
            key = reply.call.result_bytes(option::RIDFLD);
        }
        Ok(())
    });
    let after = counters("LSRPOOL", "92");
    let needed = |size: &str| {
        let sum = |of: &std::collections::HashMap<&str, u64>| of[&format!("{size}_reads")[..]] + of[&format!("{size}_lookasides")[..]];
        sum(&after) - sum(&before)
    };
    assert_eq!((needed("data_4k"), needed("data_2k")), (4, 13), "500 records of 50 bytes in intervals of 40");
}

/// "Files: resource statistics - requests information", note 2: each file has the accesses of all while it was open.
#[test]
fn files_that_share_a_data_set_show_the_same_excps() {
    let region = the_region();
    let pool = Definition::new("LSRPOOL", "POOL93", "TEST").with("LSRPOOLNUM", "93").with("STRINGS", "9");
    region.install(&pool.with("DATA2K", "3").with("DATA4K", "3").with("INDEX512", "9").with("INDEX1K", "9").with("INDEX2K", "9")).unwrap();
    let shared = [("LSRPOOLNUM", "93"), ("STRINGS", "3")];
    base_with_path("EXCPBASE", "EXCPPATH", &shared);
    let alone = [shared[0], shared[1], ("DSNSHARING", "MODIFYREQS"), ("ADD", "NO"), ("DELETE", "NO"), ("UPDATE", "NO")];
    define_file(region, "EXCPALON", "TEST.EXCPBASE", &alone);
    let names = ["EXCPBASE", "EXCPPATH", "EXCPALON"];
    let excps = || names.map(|name| counters("FILE", name)["data_excps"]);
    // All are open from here on.
    run(|task| {
        read_path(task, "EXCPPATH", 1)?;
        read(task, "EXCPALON", "00000001", |_| {})?;
        Ok(())
    });
    let before = excps();
    run(|task| {
        // Four intervals of the base, buffers for three: twelve reads by one file, and four by the path.
        for _ in 0..3 {
            for number in [0, 100, 200, 300] {
                assert_eq!(read(task, "EXCPBASE", &format!("{number:08}"), |_| {})?.code, NORMAL);
            }
        }
        for number in [20, 120, 220, 320] {
            read_path(task, "EXCPPATH", number)?;
        }
        for number in [40, 140] {
            assert_eq!(read(task, "EXCPALON", &format!("{number:08}"), |_| {})?.code, NORMAL);
        }
        Ok(())
    });
    let after = excps();
    let grown = [0, 1, 2].map(|at| after[at] - before[at]);
    assert_eq!(grown[0], grown[1], "the base and its path");
    assert!((12..=16).contains(&grown[0]), "{grown:?}");
    assert_eq!(grown[2], 2, "DSNSHARING(MODIFYREQS) of a file that only reads shares nothing");
    // Requests are each file's own.
    assert_eq!(counters("FILE", "EXCPPATH")["get_requests"], 5);
    assert_eq!(counters("FILE", "EXCPBASE")["get_requests"], 12);
}

/// Without a pool a file has its own buffers and counts.
#[test]
fn a_file_without_a_pool_counts_its_own_reads() {
    let none = [("LSRPOOLNUM", "NONE"), ("STRINGS", "1"), ("DATABUFFERS", "3"), ("INDEXBUFFERS", "1")];
    base_with_path("NSRBASE", "NSRPATH", &none);
    let before = counters("FILE", "NSRBASE");
    run(|task| {
        for _ in 0..5 {
            for number in [0, 100, 200, 300] {
                assert_eq!(read(task, "NSRBASE", &format!("{number:08}"), |_| {})?.code, NORMAL);
            }
        }
        for _ in 0..10 {
            assert_eq!(read(task, "NSRBASE", "00000300", |_| {})?.code, NORMAL);
        }
        Ok(())
    });
    let after = counters("FILE", "NSRBASE");
    assert_eq!(after["data_excps"] - before["data_excps"], 20, "four intervals, three buffers");
    assert_eq!((after["lsrpool"], after["get_requests"]), (0, 30));
}
