//! Data tables: user-maintained, coupling facility by locking and by contention, CICS-maintained; and forward recovery logs.

use super::support::*;
use exec::{CommandId, OptionId, command, condition, cvda, option};
use region::name::Name8;
use region::{Raised, Task};
use vsam::forward::ImageKind;

/// Three records in the file the tables are copied from.
fn source() {
    run(|task| {
        for number in 1..=3 {
            let code = write(task, "SRCFILE", &format!("SRC{number}"), "SOURCE")?.code;
            assert!(code == NORMAL || code == (condition::DUPREC.0, 150));
        }
        Ok(())
    });
}

/// Opens a file over a table and waits until it is loaded.
fn load(name: &str) {
    let region = the_region();
    let file = files::file_control::FileControl::of(region).find(Name8::new(name)).unwrap();
    file.open(region).unwrap();
    file.await_loaded();
}

fn figure(name: &str, counter: &str) -> u64 {
    let statistics = files::file_control::FileControl::of(the_region()).find(Name8::new(name)).unwrap().statistics();
    statistics.counter(counter)
}

const LOADING: (u16, i32) = (condition::LOADING.0, 104);

/// Code of a command on a file with a key.
fn keyed(task: &mut Task, command: CommandId, file: &str, key: &str, more: &[OptionId]) -> Result<(u16, i32), Raised> {
    let reply = on_file(task, command, file, |call| {
        call.bytes(option::RIDFLD, &e(&format!("{key:<8}")));
        if command == command::READ || command == command::READNEXT {
            call.bytes(option::INTO, &[0; 100]);
        }
        for option in more {
            call.flag(*option);
        }
    })?;
    Ok(reply.code)
}

#[test]
fn a_user_maintained_table_is_read_from_its_source_while_it_is_loaded() {
    let region = the_region();
    source();
    define_file(region, "UMTLOAD", "TEST.SOURCE", &[("TABLE", "USER"), ("MAXNUMRECS", "10")]);
    let turn = files::file_control::FileControl::of(region).loads.lock();
    run(|task| {
        assert_eq!(keyed(task, command::READ, "UMTLOAD", "SRC2", &[])?, NORMAL);
        assert_eq!(keyed(task, command::READ, "UMTLOAD", "SRC9", &[])?, (condition::NOTFND.0, 80));
        assert_eq!(keyed(task, command::READ, "UMTLOAD", "SRC2", &[option::GTEQ])?, LOADING);
        assert_eq!(keyed(task, command::READ, "UMTLOAD", "SRC2", &[option::UPDATE])?, LOADING);
        assert_eq!(keyed(task, command::DELETE, "UMTLOAD", "SRC2", &[])?, LOADING);
        assert_eq!(keyed(task, command::STARTBR, "UMTLOAD", "SRC2", &[])?, LOADING);
        assert_eq!(write(task, "UMTLOAD", "NEW", "X")?.code, LOADING);
        // What would not be valid in a loaded table either.
        assert_eq!(keyed(task, command::READ, "UMTLOAD", "SRC2", &[option::UPDATE, option::GTEQ])?, (condition::INVREQ.0, 44));
        Ok(())
    });
    assert_eq!((figure("UMTLOAD", "table_source_reads"), figure("UMTLOAD", "table_records")), (2, 0));
    drop(turn);
    load("UMTLOAD");
    run(|task| {
        assert_eq!(keyed(task, command::READ, "UMTLOAD", "SRC2", &[option::GTEQ])?, NORMAL);
        assert_eq!(write(task, "UMTLOAD", "NEW", "X")?.code, NORMAL);
        assert_eq!(keyed(task, command::DELETE, "UMTLOAD", "SRC2", &[])?, NORMAL);
        assert_eq!(keyed(task, command::DELETE, "UMTLOAD", "SRC3", &[])?, NORMAL);
        Ok(())
    });
    let figures = ["table_adds_by_load", "table_adds", "table_deletes", "table_records", "table_records_peak"];
    assert_eq!(figures.map(|counter| figure("UMTLOAD", counter)), [3, 1, 2, 2, 4]);
    for id in ["DFHFC0940", "DFHFC0941"] {
        assert!(region.messages.kept().iter().any(|message| message.id == id && message.text.contains("UMTLOAD")), "{id}");
    }
}

#[test]
fn a_table_is_as_full_as_it_may_be() {
    let region = the_region();
    source();
    let limited = |kind, name| define_file(region, name, "TEST.SOURCE", &[("TABLE", kind), ("MAXNUMRECS", "2")]);
    limited("USER", "UMTFULL");
    load("UMTFULL");
    limited("CICS", "CMTFULL");
    load("CMTFULL");
    run(|task| {
        // A user-maintained table has what it could take, a CICS-maintained one has its source for the rest.
        assert_eq!(keyed(task, command::READ, "UMTFULL", "SRC2", &[])?, NORMAL);
        assert_eq!(keyed(task, command::READ, "UMTFULL", "SRC3", &[])?, (condition::NOTFND.0, 80));
        assert_eq!(keyed(task, command::READ, "CMTFULL", "SRC2", &[])?, NORMAL);
        assert_eq!(keyed(task, command::READ, "CMTFULL", "SRC3", &[])?, NORMAL);
        Ok(())
    });
    let figures = ["table_records", "table_reads", "table_source_reads", "table_adds_full"];
    assert_eq!(figures.map(|counter| figure("UMTFULL", counter)), [2, 2, 0, 1]);
    assert_eq!(figures.map(|counter| figure("CMTFULL", counter)), [2, 1, 1, 1]);
    // A coupling facility table cannot say what is behind the records it has.
    let pool = [
        ("TABLE", "CF"),
        ("CFDTPOOL", "POOL1"),
        ("TABLENAME", "PARTIAL"),
        ("KEYLENGTH", "8"),
        ("RECORDSIZE", "100"),
        ("LOAD", "YES"),
        ("MAXNUMRECS", "2"),
    ];
    define_file(region, "CFTFULL", "TEST.SOURCE", &pool);
    load("CFTFULL");
    run(|task| {
        assert_eq!(keyed(task, command::READ, "CFTFULL", "SRC2", &[option::UPDATE])?, NORMAL);
        assert_eq!(rewrite(task, "CFTFULL", "SRC2", "TABLE")?.code, NORMAL);
        assert_eq!(keyed(task, command::READ, "CFTFULL", "SRC3", &[])?, LOADING);
        assert_eq!(keyed(task, command::READ, "CFTFULL", "SRC3", &[option::GTEQ])?, LOADING);
        assert_eq!(keyed(task, command::DELETE, "CFTFULL", "SRC3", &[])?, LOADING);
        assert_eq!(write(task, "CFTFULL", "SRC9", "X")?.code, LOADING);
        assert_eq!(keyed(task, command::STARTBR, "CFTFULL", "SRC2", &[])?, NORMAL);
        assert_eq!(keyed(task, command::READNEXT, "CFTFULL", "SRC2", &[])?, NORMAL);
        assert_eq!(keyed(task, command::READNEXT, "CFTFULL", "SRC2", &[])?, LOADING);
        Ok(())
    });
}

#[test]
fn closing_a_file_ends_the_load_of_its_table() {
    let region = the_region();
    source();
    define_file(region, "UMTSTOP", "TEST.SOURCE", &[("TABLE", "USER")]);
    let turn = files::file_control::FileControl::of(region).loads.lock();
    run(|task| {
        assert_eq!(keyed(task, command::READ, "UMTSTOP", "SRC2", &[])?, NORMAL);
        Ok(())
    });
    run(|task| {
        let closed = issue(task, command::SET_FILE, |call| {
            call.bytes(option::FILE, &e("UMTSTOP ")).flag(option::CLOSED);
        })?;
        assert_eq!(closed.code, NORMAL);
        let opened = issue(task, command::SET_FILE, |call| {
            call.bytes(option::FILE, &e("UMTSTOP ")).flag(option::OPEN);
        })?;
        assert_eq!(opened.code, NORMAL);
        Ok(())
    });
    drop(turn);
    load("UMTSTOP");
    assert_eq!((figure("UMTSTOP", "table_adds_by_load"), figure("UMTSTOP", "table_records")), (3, 3));
    assert!(region.messages.kept().iter().any(|message| message.id == "DFHFC0945" && message.text.contains("UMTSTOP")));
}

/// Suspends the task (EXEC CICS SUSPEND) until a record of the table is found; how often.
fn suspends_until_found(task: &mut Task, file: &str, key: &str) -> Result<u32, Raised> {
    for times in 0..10_000 {
        match keyed(task, command::READ, file, key, &[])? {
            NORMAL => return Ok(times),
            other => assert_eq!(other, LOADING),
        }
        assert_eq!(issue(task, command::SUSPEND, |_| {})?.code, NORMAL);
    }
    panic!("{key} is never loaded");
}

/// "The loading of a coupling facility data table ... occurs on the QR TCB"; "CFCL to load a coupling facility data table" (Opening a data
/// table).
#[test]
fn a_coupling_facility_table_is_loaded_on_qr_in_pieces() {
    let region = the_region();
    idcams("DEFINE CLUSTER (NAME(TEST.PIECES) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(5 1))");
    define_file(region, "PCSFILE", "TEST.PIECES", &[]);
    run(|task| {
        for number in 0..4_000 {
            assert_eq!(write(task, "PCSFILE", &format!("P{number:04}"), "SOURCE")?.code, NORMAL);
        }
        Ok(())
    });
    let shape =
        [("TABLE", "CF"), ("CFDTPOOL", "POOL1"), ("TABLENAME", "PIECES"), ("KEYLENGTH", "8"), ("RECORDSIZE", "100"), ("LOAD", "YES")];
    define_file(region, "CFTPCS", "TEST.PIECES", &shape);
    let first = begin_with(region, &[("CONCURRENCY", "QUASIRENT")], |task| {
        // This request opens the table, on QR, which the task does not give up.
        assert_eq!(keyed(task, command::READ, "CFTPCS", "P0000", &[])?, LOADING);
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert_eq!(keyed(task, command::READ, "CFTPCS", "P0000", &[])?, LOADING, "it is loaded on QR");
        suspends_until_found(task, "CFTPCS", "P0000")?;
        // One piece is loaded: its records may be read and changed, others not.
        assert_eq!(keyed(task, command::READ, "CFTPCS", "P0063", &[option::UPDATE])?, NORMAL);
        assert_eq!(rewrite(task, "CFTPCS", "P0063", "TABLE")?.code, NORMAL);
        assert_eq!(keyed(task, command::READ, "CFTPCS", "P0064", &[])?, LOADING);
        assert_eq!(keyed(task, command::STARTBR, "CFTPCS", "P0064", &[])?, LOADING);
        assert_eq!(write(task, "CFTPCS", "P9999", "X")?.code, LOADING);
        // The task gives the file up, and closes it before all records are loaded.
        assert_eq!(syncpoint(task)?.code, NORMAL);
        let closed = issue(task, command::SET_FILE, |call| {
            call.bytes(option::FILE, &e("CFTPCS  ")).flag(option::CLOSED);
        })?;
        Ok(closed.code)
    });
    assert_eq!(first.result(), Ok(NORMAL));
    assert!(
        region.messages.kept().iter().any(|message| message.id == "DFHFC0945" && message.text.contains("CFTPCS")),
        "the load has ended"
    );
    let second = begin_with(region, &[("CONCURRENCY", "QUASIRENT")], |task| {
        let opened = issue(task, command::SET_FILE, |call| {
            call.bytes(option::FILE, &e("CFTPCS  ")).flag(option::OPEN).flag(option::ENABLED);
        })?;
        assert_eq!(opened.code, NORMAL);
        // The table outlives its file, and its load goes on where it ended.
        assert_eq!(keyed(task, command::READ, "CFTPCS", "P0063", &[])?, NORMAL);
        let pieces = suspends_until_found(task, "CFTPCS", "P3999")?;
        assert_eq!(keyed(task, command::READ, "CFTPCS", "P9998", &[])?, (condition::NOTFND.0, 80));
        Ok(pieces)
    });
    let pieces = second.result().unwrap_or_else(|code| panic!("abend {code}"));
    assert!(pieces >= 5, "{pieces}: four thousand records are 63 pieces, each in a dispatch of its own");
    let figures = ["table_adds_by_load", "table_records"].map(|counter| figure("CFTPCS", counter));
    assert_eq!(figures, [4_000, 4_000]);
}

#[test]
fn a_user_maintained_table_changes_without_its_source() {
    let region = the_region();
    source();
    define_file(region, "UMTFILE", "TEST.SOURCE", &[("TABLE", "USER"), ("MAXNUMRECS", "4"), ("RECOVERY", "BACKOUTONLY")]);
    load("UMTFILE");
    run(|task| {
        assert_eq!(t(&read(task, "UMTFILE", "SRC2", |_| {})?.call.result_bytes(option::INTO)[8..14]), "SOURCE");
        assert_eq!(write(task, "UMTFILE", "UMT4", "TABLE")?.code, NORMAL);
        assert_eq!(write(task, "UMTFILE", "UMT5", "TABLE")?.code, (condition::NOSPACE.0, 102));
        let reply = on_file(task, command::DELETE, "UMTFILE", |call| {
            call.bytes(option::RIDFLD, &e("SRC1    "));
        })?;
        assert_eq!(reply.code, NORMAL);
        assert_eq!(write(task, "UMTFILE", "UMT5", "TABLE")?.code, NORMAL);
        assert_eq!(read(task, "SRCFILE", "SRC1", |_| {})?.code, NORMAL);
        assert_eq!(read(task, "SRCFILE", "UMT4", |_| {})?.code, (condition::NOTFND.0, 80));
        rollback(task)?;
        assert_eq!(read(task, "UMTFILE", "UMT4", |_| {})?.code, (condition::NOTFND.0, 80));
        // Three records after the backout: there is room for one.
        assert_eq!(write(task, "UMTFILE", "UMT6", "TABLE")?.code, NORMAL);
        assert_eq!(write(task, "UMTFILE", "UMT7", "TABLE")?.code, (condition::NOSPACE.0, 102));
        let reply = on_file(task, command::READ, "UMTFILE", |call| {
            call.bytes(option::INTO, &[0; 100]).flag(option::RBA).bytes(option::RIDFLD, &[0; 4]);
        })?;
        assert_eq!(reply.code, (condition::INVREQ.0, 44));
        let reply = issue(task, command::INQUIRE_FILE, |call| {
            call.bytes(option::FILE, &e("UMTFILE")).integer(option::TABLE, 0);
        })?;
        assert_eq!(reply.number(option::TABLE), cvda::USERTABLE);
        Ok(())
    });
}

#[test]
fn a_coupling_facility_table_by_contention_raises_changed() {
    let region = the_region();
    source();
    let common =
        [("TABLE", "CF"), ("CFDTPOOL", "POOL1"), ("TABLENAME", "CONT"), ("KEYLENGTH", "8"), ("RECORDSIZE", "100"), ("LOAD", "YES")];
    let with = |more: &[(&'static str, &'static str)]| [&common[..], more].concat();
    define_file(region, "CFTFILE", "TEST.SOURCE", &with(&[("UPDATEMODEL", "CONTENTION")]));
    load("CFTFILE");
    run(|task| {
        assert_eq!(
            read(task, "CFTFILE", "SRC1", |call| {
                call.flag(option::UPDATE);
            })?
            .code,
            NORMAL
        );
        Ok(())
    });
    let (read_it, changed) = (Flag::default(), Flag::default());
    let slow = {
        let (read_it, changed) = (read_it.clone(), changed.clone());
        begin(move |task| {
            read(task, "CFTFILE", "SRC2", |call| {
                call.flag(option::UPDATE);
            })?;
            read_it.raise();
            changed.await_raised(task)?;
            let first = rewrite(task, "CFTFILE", "SRC2", "SLOW")?.code;
            // Not held any more; read again it goes well.
            let second = rewrite(task, "CFTFILE", "SRC2", "SLOW")?.code;
            read(task, "CFTFILE", "SRC2", |call| {
                call.flag(option::UPDATE);
            })?;
            Ok((first, second, rewrite(task, "CFTFILE", "SRC2", "SLOW")?.code))
        })
    };
    read_it.wait();
    run(|task| {
        // No task waits for a record that is only read for update.
        read(task, "CFTFILE", "SRC2", |call| {
            call.flag(option::UPDATE);
        })?;
        assert_eq!(rewrite(task, "CFTFILE", "SRC2", "FAST")?.code, NORMAL);
        Ok(())
    });
    changed.raise();
    assert_eq!(slow.result(), Ok(((condition::CHANGED.0, 109), (condition::INVREQ.0, 30), NORMAL)));
    run(|task| {
        assert_eq!(t(&read(task, "CFTFILE", "SRC2", |_| {})?.call.result_bytes(option::INTO)[8..12]), "SLOW");
        assert_eq!(t(&read(task, "SRCFILE", "SRC2", |_| {})?.call.result_bytes(option::INTO)[8..14]), "SOURCE");
        read(task, "CFTFILE", "SRC3", |call| {
            call.flag(option::UPDATE);
        })?;
        assert_eq!(on_file(task, command::DELETE, "CFTFILE", |_| {})?.code, NORMAL);
        assert_eq!(read(task, "CFTFILE", "SRC3", |_| {})?.code, (condition::NOTFND.0, 80));
        let reply = issue(task, command::INQUIRE_FILE, |call| {
            call.bytes(option::FILE, &e("CFTFILE")).integer(option::TABLE, 0).integer(option::UPDATEMODEL, 0).integer(option::LOADTYPE, 0);
        })?;
        let seen = (reply.number(option::TABLE), reply.number(option::UPDATEMODEL), reply.number(option::LOADTYPE));
        assert_eq!(seen, (cvda::CFTABLE, cvda::CONTENTION, cvda::LOAD));
        Ok(())
    });
    // Another file of the same table sees the same records.
    define_file(region, "CFTFIL2", "TEST.SOURCE", &with(&[]));
    run(|task| {
        assert_eq!(t(&read(task, "CFTFIL2", "SRC2", |_| {})?.call.result_bytes(option::INTO)[8..12]), "SLOW");
        Ok(())
    });
}

#[test]
fn a_coupling_facility_table_by_locking_is_recoverable_and_limited() {
    let region = the_region();
    let attributes = [
        ("TABLE", "CF"),
        ("CFDTPOOL", "POOL1"),
        ("KEYLENGTH", "8"),
        ("RECORDSIZE", "100"),
        ("RECOVERY", "BACKOUTONLY"),
        ("MAXNUMRECS", "2"),
    ];
    define_file(region, "CFLFILE", "", &attributes);
    run(|task| {
        assert_eq!(write(task, "CFLFILE", "ONE", "X")?.code, NORMAL);
        syncpoint(task)?;
        assert_eq!(write(task, "CFLFILE", "TWO", "X")?.code, NORMAL);
        assert_eq!(write(task, "CFLFILE", "THREE", "X")?.code, (condition::NOSPACE.0, 103));
        assert_eq!(write(task, "CFLFILE", "ONE", "X")?.code, (condition::NOSPACE.0, 103));
        rollback(task)?;
        assert_eq!(write(task, "CFLFILE", "ONE", "X")?.code, (condition::DUPREC.0, 150));
        assert_eq!(read(task, "CFLFILE", "TWO", |_| {})?.code, (condition::NOTFND.0, 80));
        Ok(())
    });
}

#[test]
fn after_images_of_a_data_set_with_log_all_reach_its_log() {
    let region = the_region();
    run(|task| {
        assert_eq!(write(task, "FWDFILE", "FORWARD1", "FIRST")?.code, NORMAL);
        syncpoint(task)?;
        assert_eq!(write(task, "FWDFILE", "FORWARD2", "BACKED OUT")?.code, NORMAL);
        rollback(task)?;
        Ok(())
    });
    region.data_sets.carry_forward_logs().unwrap();
    let log = region.data_sets.forward_directory("REGENT.FWD");
    let images = vsam::forward::read_images(&log, "TEST.FORWARD", None).unwrap();
    let records: Vec<String> = images.values().map(|image| t(image.record.as_deref().unwrap_or_default())).collect();
    assert_eq!(records, ["FORWARD1FIRST"]);
}

/// The contents of a log: kind, purposes (F and R), whether it belongs to a unit of work, and the record.
fn log_of(log: &str) -> Vec<String> {
    let data_sets = &the_region().data_sets;
    data_sets.carry_forward_logs().unwrap();
    let images = vsam::forward::read_log(&data_sets.forward_directory(log)).unwrap();
    let purposes = ["", "F", "R", "FR"];
    let shown = images.values().map(|image| {
        let file = matches!(image.kind, ImageKind::TieUp | ImageKind::FileClose);
        let text = |record: &[u8]| if file { String::from_utf8_lossy(record).into_owned() } else { t(record) };
        let record = image.record.as_deref().map_or("-".to_string(), text);
        format!("{} {} {} {record}", image.kind.name(), purposes[usize::from(image.purpose)], u8::from(image.unit != 0))
    });
    shown.collect()
}

/// The records of the table of replication logging in the recovery guide.
#[test]
fn changes_of_a_replicated_data_set_are_in_the_log_with_their_units_of_work() {
    let region = the_region();
    run(|task| {
        assert_eq!(write(task, "CPYFILE", "COPY1", "A")?.code, NORMAL);
        syncpoint(task)?;
        read(task, "CPYFILE", "COPY1", |call| {
            call.flag(option::UPDATE);
        })?;
        assert_eq!(rewrite(task, "CPYFILE", "COPY1", "B")?.code, NORMAL);
        rollback(task)?;
        read(task, "CPYFILE", "COPY1", |call| {
            call.flag(option::UPDATE);
        })?;
        assert_eq!(rewrite(task, "CPYFILE", "COPY1", "C")?.code, NORMAL);
        assert_eq!(write(task, "CP2FILE", "ONLY", "X")?.code, NORMAL);
        syncpoint(task)?;
        let reply = issue(task, command::INQUIRE_DSNAME, |call| {
            call.bytes(option::DSNAME, &e(&format!("{:<44}", "TEST.COPIED"))).integer(option::LOGREPSTATUS, 0);
        })?;
        assert_eq!(reply.number(option::LOGREPSTATUS), cvda::LOGREPLICATE);
        let reply = issue(task, command::INQUIRE_DSNAME, |call| {
            call.bytes(option::DSNAME, &e(&format!("{:<44}", "TEST.VARIABLE"))).integer(option::LOGREPSTATUS, 0);
        })?;
        assert_ne!(reply.number(option::LOGREPSTATUS), cvda::LOGREPLICATE);
        let reply = on_file(task, command::DELETE, "CPYFILE", |call| {
            call.bytes(option::RIDFLD, &e("COPY1   "));
        })?;
        assert_eq!(reply.code, NORMAL);
        Ok(())
    });
    run(|task| {
        let closed = issue(task, command::SET_FILE, |call| {
            call.bytes(option::FILE, &e("CPYFILE ")).flag(option::CLOSED);
        })?;
        assert_eq!(closed.code, NORMAL);
        Ok(())
    });
    let expected = [
        "TIEUP FR 0 CPYFILE",
        "UNDO R 1 -",
        "REDO FR 1 COPY1   A",
        // The first record has loaded the data set: the file is closed and opened by the next request.
        "FILECLOSE FR 0 CPYFILE",
        "COMMIT R 1 -",
        "TIEUP FR 0 CPYFILE",
        "UNDO R 1 COPY1   A",
        "REDO R 1 COPY1   B",
        "BACKOUT R 1 -",
        "UNDO R 1 COPY1   A",
        "REDO FR 1 COPY1   C",
        "COMMIT R 1 -",
        "UNDO R 1 COPY1   C",
        "REDO FR 1 -",
        "COMMIT R 1 -",
        "FILECLOSE FR 0 CPYFILE",
    ];
    assert_eq!(log_of("REGENT.COPY"), expected);
    // Not recoverable: the changes are no part of a unit of work.
    let changes: Vec<String> = log_of("REGENT.COPY2").into_iter().filter(|line| !line.contains("CP2FILE")).collect();
    assert_eq!(changes, ["UNDO R 0 -", "REDO R 0 ONLY    X"]);
    assert!(region.messages.kept().iter().any(|message| message.id == "DFHFC6046"));
    // Forward recovery takes only what is for it.
    let images = vsam::forward::read_images(&region.data_sets.forward_directory("REGENT.COPY2"), "TEST.COPIED2", None).unwrap();
    assert!(images.is_empty());
}

/// SET FILE of a closed, disabled file.
fn set_closed(task: &mut Task, file: &str, build: impl FnOnce(&mut region::exec_interface::Call)) -> Result<(u16, i32), Raised> {
    issue(task, command::SET_FILE, |call| {
        call.bytes(option::FILE, &e(&format!("{file:<8}"))).flag(option::CLOSED).flag(option::DISABLED);
    })?;
    let changed = issue(task, command::SET_FILE, |call| {
        call.bytes(option::FILE, &e(&format!("{file:<8}")));
        build(call);
    })?;
    issue(task, command::SET_FILE, |call| {
        call.bytes(option::FILE, &e(&format!("{file:<8}"))).flag(option::ENABLED);
    })?;
    Ok(changed.code)
}

#[test]
fn a_file_changes_to_a_data_table_and_back() {
    idcams("  DEFINE CLUSTER (NAME(TEST.SETTAB) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "SETTAB", "TEST.SETTAB", &[]);
    run(|task| write(task, "SETTAB", "KEY1", "X").map(|_| ()));
    run(|task| {
        let busy = issue(task, command::SET_FILE, |call| {
            call.bytes(option::FILE, &e("SETTAB  ")).flag(option::USERTABLE);
        })?;
        assert_eq!(busy.code, (condition::INVREQ.0, 3), "the first record has closed the file, and it is enabled");
        assert_eq!(
            set_closed(task, "SETTAB", |call| {
                call.flag(option::USERTABLE).integer(option::MAXNUMRECS, 2);
            })?,
            NORMAL
        );
        Ok(())
    });
    load("SETTAB");
    run(|task| {
        assert_eq!(write(task, "SETTAB", "KEY2", "X")?.code, NORMAL);
        assert_eq!(write(task, "SETTAB", "KEY3", "X")?.code, (condition::NOSPACE.0, 102));
        let view = issue(task, command::INQUIRE_FILE, |call| {
            call.bytes(option::FILE, &e("SETTAB  ")).integer(option::TABLE, 0).integer(option::MAXNUMRECS, 0);
        })?;
        assert_eq!((view.number(option::TABLE), view.number(option::MAXNUMRECS)), (cvda::USERTABLE, 2));
        Ok(())
    });
    run(|task| {
        assert_eq!(
            set_closed(task, "SETTAB", |call| {
                call.flag(option::NOTTABLE);
            })?,
            NORMAL
        );
        assert_eq!(read(task, "SETTAB", "KEY2", |_| {})?.code, (condition::NOTFND.0, 80), "it was in the table only");
        assert_eq!(read(task, "SETTAB", "KEY1", |_| {})?.code, NORMAL);
        Ok(())
    });
}

#[test]
fn a_reusable_data_set_is_emptied_once_when_its_file_is_opened() {
    idcams("  DEFINE CLUSTER (NAME(TEST.SETEMP) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) REUSE)\n");
    define_file(the_region(), "SETEMP", "TEST.SETEMP", &[]);
    run(|task| write(task, "SETEMP", "KEY1", "X").map(|_| ()));
    run(|task| {
        assert_eq!(
            set_closed(task, "SETEMP", |call| {
                call.flag(option::EMPTY);
            })?,
            NORMAL
        );
        let status = |task: &mut region::Task| {
            issue(task, command::INQUIRE_FILE, |call| {
                call.bytes(option::FILE, &e("SETEMP  ")).integer(option::EMPTYSTATUS, 0);
            })
            .map(|reply| reply.number(option::EMPTYSTATUS))
        };
        assert_eq!(status(task)?, cvda::EMPTYREQ);
        assert_eq!(read(task, "SETEMP", "KEY1", |_| {})?.code, (condition::NOTFND.0, 80));
        assert_eq!(status(task)?, cvda::NOEMPTYREQ);
        assert_eq!(write(task, "SETEMP", "KEY2", "X")?.code, NORMAL);
        Ok(())
    });
    run(|task| {
        assert_eq!(set_closed(task, "SETEMP", |_| {})?, NORMAL);
        assert_eq!(read(task, "SETEMP", "KEY2", |_| {})?.code, NORMAL);
        Ok(())
    });
}
