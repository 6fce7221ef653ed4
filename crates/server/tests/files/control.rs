//! Control of control intervals between tasks: browses, mass inserts and updates of one interval, and buffers of a pool.

use super::support::*;
use csd::Definition;
use exec::{command, option};
use region::name::Name8;
use region::{Raised, Task};

const FULL: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX";

fn define(name: &str, data_set: &str, more: &[(&'static str, &str)]) {
    define_file(the_region(), name, data_set, more);
}

/// Creates a data set of the same name, and a file with a record that has this key.
fn file_with(name: &'static str, key: &'static str, more: &[(&'static str, &str)]) {
    idcams(&format!("  DEFINE CLUSTER (NAME(TEST.{name}) INDEXED KEYS(8 0) RECORDSIZE(50 50) CISZ(2048) TRACKS(1 1))\n"));
    define(name, &format!("TEST.{name}"), more);
    run(move |task| {
        write(task, name, key, FULL)?;
        // The first write of an empty data set closes the file; this opens it again.
        read(task, name, key, |_| {})?;
        Ok(())
    });
}

fn browse(task: &mut Task, file: &str, key: &str) -> Result<(u16, i32), Raised> {
    on_file(task, command::STARTBR, file, |call| {
        call.bytes(option::RIDFLD, &e(&format!("{key:<8}")));
    })
    .map(|reply| reply.code)
}

fn update(task: &mut Task, file: &str, key: &str) -> Result<(u16, i32), Raised> {
    read(task, file, key, |call| {
        call.flag(option::UPDATE);
    })
    .map(|reply| reply.code)
}

fn end_browse(task: &mut Task, file: &str) -> Result<(u16, i32), Raised> {
    on_file(task, command::ENDBR, file, |_| {}).map(|reply| reply.code)
}

fn mass_insert(task: &mut Task, file: &str, key: &str) -> Result<(u16, i32), Raised> {
    on_file(task, command::WRITE, file, |call| {
        call.bytes(option::FROM, &record(key, FULL)).bytes(option::RIDFLD, &e(&format!("{key:<8}"))).flag(option::MASSINSERT);
    })
    .map(|reply| reply.code)
}

fn counter(resource: &str, name: &str, counter: &str) -> u64 {
    let all = files::file_control::FileControl::of(the_region()).statistics();
    let found = all.into_iter().find(|statistics| statistics.resource == resource && statistics.name == name).expect("it is there");
    found.counters.into_iter().find(|(name, _)| *name == counter).expect("it is counted").1
}

#[test]
fn an_update_waits_for_the_browse_of_its_interval() {
    file_with("CTLBRW", "A0000001", &[]);
    let (held, end) = (Flag::default(), Flag::default());
    let first = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            assert_eq!(browse(task, "CTLBRW", "A0000001")?, NORMAL);
            held.raise();
            end.await_raised(task)?;
            end_browse(task, "CTLBRW")
        })
    };
    held.wait();
    let seen = end.clone();
    let second = begin(move |task| Ok((update(task, "CTLBRW", "A0000001")?, seen.is_raised())));
    until(|| is_waiting_for(the_region(), "FCXCSUSP", "CTLBRW"));
    // Another browse, and a read, have it with the first.
    run(|task| {
        assert_eq!(browse(task, "CTLBRW", "A0000001")?, NORMAL);
        assert_eq!(read(task, "CTLBRW", "A0000001", |_| {})?.code, NORMAL);
        Ok(())
    });
    end.raise();
    assert_eq!(second.result(), Ok((NORMAL, true)));
    assert_eq!(first.result(), Ok(NORMAL));
    assert_eq!(counter("FILE", "CTLBRW", "exclusive_control_waits"), 1);
    assert_eq!(counter("FILE", "CTLBRW", "record_lock_waits"), 0);
}

/// A browse by a path controls the interval of the base record it last returned.
#[test]
fn an_update_of_the_base_waits_for_the_browse_of_its_path() {
    idcams(
        "
  DEFINE CLUSTER (NAME(TEST.CTLAIX) INDEXED KEYS(8 0) RECORDSIZE(50 50) CISZ(2048) TRACKS(1 1))
  DEFINE ALTERNATEINDEX (NAME(TEST.CTLAIX.AIX) RELATE(TEST.CTLAIX) KEYS(4 8) UPGRADE TRACKS(1 1))
  DEFINE PATH (NAME(TEST.CTLAIX.PATH) PATHENTRY(TEST.CTLAIX.AIX))
",
    );
    define("CTLAIX", "TEST.CTLAIX", &[]);
    define("CTLPATH", "TEST.CTLAIX.PATH", &[]);
    run(|task| {
        assert_eq!(write(task, "CTLAIX", "P0000001", FULL)?.code, NORMAL);
        Ok(())
    });
    let (started, read, end) = (Flag::default(), Flag::default(), Flag::default());
    let first = {
        let (started, read, end) = (started.clone(), read.clone(), end.clone());
        begin(move |task| {
            let key = e("XXXX");
            let start = on_file(task, command::STARTBR, "CTLPATH", |call| {
                call.bytes(option::RIDFLD, &key);
            })?;
            assert_eq!(start.code, NORMAL);
            started.raise();
            read.await_raised(task)?;
            let next = on_file(task, command::READNEXT, "CTLPATH", |call| {
                call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &key);
            })?;
            started.raise();
            end.await_raised(task)?;
            end_browse(task, "CTLPATH")?;
            Ok(next.code)
        })
    };
    started.wait();
    // Started, it has read nothing of the base yet.
    assert_eq!(begin(|task| update(task, "CTLAIX", "P0000001")).result(), Ok(NORMAL));
    read.raise();
    until(|| started.count() == 2);
    let seen = end.clone();
    let second = begin(move |task| Ok((update(task, "CTLAIX", "P0000001")?, seen.is_raised())));
    until(|| is_waiting_for(the_region(), "FCXCSUSP", "CTLAIX"));
    end.raise();
    assert_eq!(second.result(), Ok((NORMAL, true)));
    assert_eq!(first.result(), Ok(NORMAL));
}

/// The example of the troubleshooting guide: a browse, and an update of a record of its interval by the same task.
#[test]
fn a_task_in_its_own_way_ends_with_afcg() {
    file_with("CTLOWN", "B0000001", &[]);
    let with_browse = |then: fn(&mut Task) -> Result<(u16, i32), Raised>| {
        begin(move |task| {
            assert_eq!(browse(task, "CTLOWN", "B0000001")?, NORMAL);
            then(task)
        })
        .result()
    };
    assert_eq!(with_browse(|task| update(task, "CTLOWN", "B0000001")), Err("AFCG".into()));
    assert_eq!(with_browse(|task| Ok(write(task, "CTLOWN", "B0000002", FULL)?.code)), Err("AFCG".into()));
    let ended = with_browse(|task| {
        end_browse(task, "CTLOWN")?;
        update(task, "CTLOWN", "B0000001")
    });
    assert_eq!(ended, Ok(NORMAL));
    // A record read for update does not keep the interval (CILOCK=NO): others of it may be read for update too.
    let twice = begin(|task| {
        for _ in 0..2 {
            let held = read(task, "CTLOWN", "B0000001", |call| {
                call.flag(option::UPDATE).bytes(option::TOKEN, &[0; 4]);
            })?;
            assert_eq!(held.code, NORMAL);
        }
        Ok(())
    });
    assert_eq!(twice.result(), Ok(()));
    // Files without a pool have copies of their own for readers.
    define("CTLNSR", "TEST.CTLOWN", &[("LSRPOOLNUM", "NONE")]);
    run(|task| {
        assert_eq!(browse(task, "CTLNSR", "B0000001")?, NORMAL);
        assert_eq!(update(task, "CTLNSR", "B0000001")?, NORMAL);
        Ok(())
    });
}

#[test]
fn a_mass_insert_keeps_its_interval_until_unlock() {
    file_with("CTLMAS", "C0000001", &[]);
    let own = begin(|task| {
        assert_eq!(mass_insert(task, "CTLMAS", "C0000002")?, NORMAL);
        assert_eq!(mass_insert(task, "CTLMAS", "C0000003")?, NORMAL);
        Ok(read(task, "CTLMAS", "C0000001", |_| {})?.code)
    });
    assert_eq!(own.result(), Err("AFCG".into()));
    let (held, unlock, end) = (Flag::default(), Flag::default(), Flag::default());
    let first = {
        let (held, unlock, end) = (held.clone(), unlock.clone(), end.clone());
        begin(move |task| {
            assert_eq!(mass_insert(task, "CTLMAS", "C0000004")?, NORMAL);
            held.raise();
            unlock.await_raised(task)?;
            assert_eq!(on_file(task, command::UNLOCK, "CTLMAS", |_| {})?.code, NORMAL);
            end.await_raised(task)
        })
    };
    held.wait();
    let seen = unlock.clone();
    let second = begin(move |task| {
        let code = read(task, "CTLMAS", "C0000001", |_| {})?.code;
        Ok((code, seen.is_raised()))
    });
    until(|| is_waiting_for(the_region(), "FCXCSUSP", "CTLMAS"));
    unlock.raise();
    assert_eq!(second.result(), Ok((NORMAL, true)));
    end.raise();
    first.result().unwrap();
}

/// READ UPDATE has the record; with CILOCK=YES it has the control interval too, until REWRITE, DELETE, UNLOCK or the syncpoint.
#[test]
fn a_read_for_update_keeps_its_interval_with_cilock_yes() {
    let directory = tempfile::tempdir().unwrap();
    super::restart::spawn_test("control::child_keeps_intervals", directory.path(), 0);
}

#[test]
#[ignore = "run by the test of CILOCK=YES"]
fn child_keeps_intervals() {
    let Some(directory) = super::restart::directory() else { return };
    let region = start_region(&directory, &["CILOCK=YES"]);
    let records = ["READ0001", "READ0002"];
    let put = begin_with(region, &[], move |task| {
        for key in records {
            assert_eq!(write(task, "BRWFILE", key, FULL)?.code, NORMAL);
        }
        Ok(())
    });
    put.result().unwrap();
    type End = fn(&mut Task) -> Result<(u16, i32), Raised>;
    let ends: [(&str, End); 4] = [
        ("UNLOCK", |task| on_file(task, command::UNLOCK, "BRWFILE", |_| {}).map(|reply| reply.code)),
        ("SYNCPOINT", |task| syncpoint(task).map(|reply| reply.code)),
        ("REWRITE", |task| rewrite(task, "BRWFILE", "READ0001", FULL).map(|reply| reply.code)),
        ("DELETE", |task| on_file(task, command::DELETE, "BRWFILE", |_| {}).map(|reply| reply.code)),
    ];
    for (name, end) in ends {
        let (held, go) = (Flag::default(), Flag::default());
        let holder = {
            let (held, go) = (held.clone(), go.clone());
            begin_with(region, &[], move |task| {
                assert_eq!(update(task, "BRWFILE", "READ0001")?, NORMAL);
                held.raise();
                go.await_raised(task)?;
                end(task)
            })
        };
        held.wait();
        let seen = go.clone();
        let waiter = begin_with(region, &[], move |task| Ok((update(task, "BRWFILE", "READ0002")?, seen.is_raised())));
        until(|| is_waiting_for(region, "FCXCSUSP", "BRWFILE"));
        go.raise();
        assert_eq!(waiter.result(), Ok((NORMAL, true)), "{name}");
        assert_eq!(holder.result(), Ok(NORMAL), "{name}");
    }
    assert!(region.shutdown(false));
}

/// Two tasks add to the end of an entry-sequenced data set: one interval is the end.
#[test]
fn mass_inserts_at_the_end_come_one_after_the_other() {
    idcams("  DEFINE CLUSTER (NAME(TEST.CTLESD) NONINDEXED RECORDSIZE(50 50) CISZ(2048) TRACKS(1 1))\n");
    define("CTLESD", "TEST.CTLESD", &[]);
    let add = |task: &mut Task| {
        on_file(task, command::WRITE, "CTLESD", |call| {
            call.bytes(option::FROM, &record("END", FULL)).flag(option::RBA).bytes(option::RIDFLD, &[0; 4]).flag(option::MASSINSERT);
        })
        .map(|reply| reply.code)
    };
    let (held, end) = (Flag::default(), Flag::default());
    let first = {
        let (held, end) = (held.clone(), end.clone());
        begin(move |task| {
            assert_eq!(add(task)?, NORMAL);
            held.raise();
            end.await_raised(task)
        })
    };
    held.wait();
    let seen = end.clone();
    let second = begin(move |task| Ok((add(task)?, seen.is_raised())));
    until(|| is_waiting_for(the_region(), "FCXCSUSP", "CTLESD"));
    end.raise();
    assert_eq!(second.result(), Ok((NORMAL, true)));
    first.result().unwrap();
}

/// Runs two tasks that each do a first step and then, when both have done so, a second one; returns the codes of the second, an abend last.
fn cross(steps: [[fn(&mut Task) -> Result<(u16, i32), Raised>; 2]; 2]) -> [Result<(u16, i32), String>; 2] {
    let both = Flag::default();
    let tasks = steps.map(|[first, then]| {
        let both = both.clone();
        begin(move |task| {
            assert_eq!(first(task)?, NORMAL);
            both.raise();
            both.await_times(task, 2)?;
            then(task)
        })
    });
    let mut results = tasks.map(Running::result);
    results.sort_by_key(|result| result.is_err());
    results
}

#[test]
fn tasks_in_a_circle_over_intervals_and_records_end_one_with_afcf() {
    file_with("CTLCI1", "D0000001", &[("RECOVERY", "BACKOUTONLY")]);
    file_with("CTLCI2", "D0000001", &[("RECOVERY", "BACKOUTONLY")]);
    let intervals = cross([
        [|task| browse(task, "CTLCI1", "D0000001"), |task| update(task, "CTLCI2", "D0000001")],
        [|task| browse(task, "CTLCI2", "D0000001"), |task| update(task, "CTLCI1", "D0000001")],
    ]);
    assert_eq!(intervals, [Ok(NORMAL), Err("AFCF".into())]);
    // One has an interval and wants the record the other has, who wants the interval.
    let mixed = cross([
        [|task| browse(task, "CTLCI1", "D0000001"), |task| update(task, "CTLCI2", "D0000001")],
        [|task| update(task, "CTLCI2", "D0000001"), |task| update(task, "CTLCI1", "D0000001")],
    ]);
    assert_eq!(mixed, [Ok(NORMAL), Err("AFCF".into())]);
}

/// With STRINGS(n), n tasks have requests at the same time, and the next one waits.
#[test]
fn as_many_tasks_as_strings_have_requests_and_one_more_waits() {
    for strings in [1_u64, 2, 3] {
        let name = ["CTLST1", "CTLST2", "CTLST3"][strings as usize - 1];
        file_with(name, "S0000001", &[("STRINGS", &strings.to_string())]);
        let end = Flag::default();
        let holders: Vec<_> = (0..strings)
            .map(|_| {
                let end = end.clone();
                begin(move |task| {
                    assert_eq!(browse(task, name, "S0000001")?, NORMAL);
                    end.await_raised(task)
                })
            })
            .collect();
        until(|| counter("FILE", name, "strings_active") == strings);
        assert_eq!(counter("FILE", name, "string_waits"), 0, "{strings} tasks");
        let seen = end.clone();
        let next = begin(move |task| Ok((read(task, name, "S0000001", |_| {})?.code, seen.is_raised())));
        until(|| is_waiting_for(the_region(), "FCPSSUSP", name));
        end.raise();
        assert_eq!(next.result(), Ok((NORMAL, true)));
        holders.into_iter().for_each(|holder| holder.result().unwrap());
        let counters = ["strings", "strings_active_peak", "string_waits", "string_waits_peak", "strings_active"];
        assert_eq!(counters.map(|of| counter("FILE", name, of)), [strings, strings, 1, 1, 0]);
    }
}

#[test]
fn a_pool_with_fewer_buffers_than_strings_makes_requests_wait_for_buffers() {
    let pool = Definition::new("LSRPOOL", "POOL76", "TEST").with("LSRPOOLNUM", "76").with("STRINGS", "9");
    the_region().install(&pool.with("DATA2K", "3").with("INDEX512", "5").with("INDEX4K", "5")).unwrap();
    file_with("CTLBUF", "E0000001", &[("LSRPOOLNUM", "76")]);
    let (held, end) = (Flag::default(), Flag::default());
    let holders: Vec<_> = (0..3)
        .map(|_| {
            let (held, end) = (held.clone(), end.clone());
            begin(move |task| {
                assert_eq!(browse(task, "CTLBUF", "E0000001")?, NORMAL);
                held.raise();
                end.await_raised(task)
            })
        })
        .collect();
    until(|| counter("LSRPOOL", "76", "strings_active") == 3);
    let seen = end.clone();
    let fourth = begin(move |task| {
        let code = read(task, "CTLBUF", "E0000001", |_| {})?.code;
        Ok((code, seen.is_raised()))
    });
    until(|| is_waiting_for(the_region(), "FCBFSUSP", "LSRPOOL76"));
    end.raise();
    assert_eq!(fourth.result(), Ok((NORMAL, true)));
    holders.into_iter().for_each(|holder| holder.result().unwrap());
    assert_eq!((counter("LSRPOOL", "76", "buffer_waits"), counter("LSRPOOL", "76", "string_waits")), (1, 0));
    assert_eq!(counter("LSRPOOL", "76", "data_2k_buffers"), 3, "a pool does not grow");
    assert_eq!(counter("LSRPOOL", "76", "strings_active"), 0);
    assert!(files::file_control::FileControl::of(the_region()).find(Name8::new("CTLBUF")).is_some());
}
