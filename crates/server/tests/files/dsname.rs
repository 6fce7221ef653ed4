//! INQUIRE DSNAME and SET DSNAME.

use super::support::*;
use exec::{OptionId, command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Task};

const NUMBERS: [OptionId; 10] = [
    option::ACCESSMETHOD,
    option::AVAILABILITY,
    option::FILECOUNT,
    option::OBJECT,
    option::LOSTLOCKS,
    option::QUIESCESTATE,
    option::RECOVSTATUS,
    option::RETLOCKS,
    option::VALIDITY,
    option::BACKUPTYPE,
];

fn inquire(task: &mut Task, name: &str) -> Result<Reply, Raised> {
    issue(task, command::INQUIRE_DSNAME, |call| {
        call.bytes(option::DSNAME, &e(&format!("{name:<44}"))).bytes(option::BASEDSNAME, &[0; 44]).bytes(option::FWDRECOVLSN, &[0; 26]);
        for number in NUMBERS {
            call.integer(number, 0);
        }
    })
}

fn set(task: &mut Task, name: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    issue(task, command::SET_DSNAME, |call| {
        call.bytes(option::DSNAME, &e(&format!("{name:<44}")));
        build(call);
    })
    .map(|reply| reply.code)
}

fn define(name: &str, data_set: &str, more: &[(&'static str, &str)]) {
    define_file(the_region(), name, data_set, more);
}

#[test]
fn a_data_set_shows_what_its_open_file_knows() {
    idcams(
        "  DEFINE CLUSTER (NAME(TEST.DSN.ONE) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) LOG(ALL) LOGSTREAMID(TEST.DSN.LOG) BWO(TYPECICS))
  DEFINE ALTERNATEINDEX (NAME(TEST.DSN.AIX) RELATE(TEST.DSN.ONE) KEYS(4 8) NONUNIQUEKEY UPGRADE TRACKS(1 1))
  DEFINE PATH (NAME(TEST.DSN.PATH) PATHENTRY(TEST.DSN.AIX))\n",
    );
    define("DSNONE", "TEST.DSN.ONE", &[]);
    define("DSNTWO", "TEST.DSN.ONE", &[]);
    define("DSNPATH", "TEST.DSN.PATH", &[]);
    run(|task| {
        let closed = inquire(task, "TEST.DSN.ONE")?;
        assert_eq!(closed.code, NORMAL);
        let numbers = |reply: &Reply, options: &[OptionId]| options.iter().map(|option| reply.number(*option)).collect::<Vec<_>>();
        let when_open = [option::ACCESSMETHOD, option::OBJECT, option::RECOVSTATUS, option::BACKUPTYPE];
        assert_eq!(numbers(&closed, &when_open), [cvda::NOTAPPLIC; 4]);
        let always = [option::AVAILABILITY, option::FILECOUNT, option::LOSTLOCKS, option::RETLOCKS, option::VALIDITY];
        assert_eq!(numbers(&closed, &always), [cvda::AVAILABLE, 2, cvda::NOLOSTLOCKS, cvda::NORETAINED, cvda::INVALID]);
        write(task, "DSNONE", "KEY", "AAAA")?;
        let open = inquire(task, "TEST.DSN.ONE")?;
        assert_eq!(numbers(&open, &when_open), [cvda::VSAM, cvda::BASE, cvda::FWDRECOVABLE, cvda::DYNAMIC]);
        assert_eq!(open.number(option::VALIDITY), cvda::VALID);
        assert_eq!((open.text(option::BASEDSNAME), open.text(option::FWDRECOVLSN)), ("TEST.DSN.ONE".into(), "TEST.DSN.LOG".into()));
        read(task, "DSNPATH", "AAAA", |_| {})?;
        let path = inquire(task, "TEST.DSN.PATH")?;
        assert_eq!((path.number(option::OBJECT), path.text(option::BASEDSNAME)), (cvda::PATH, "TEST.DSN.ONE".into()));
        assert_eq!(inquire(task, "TEST.DSN.NONE")?.code, (condition::DSNNOTFOUND.0, 1));
        Ok(())
    });
}

#[test]
fn a_browse_gives_each_data_set_once() {
    define("DSNBRW", "TEST.DSN.BROWSED", &[]);
    define("DSNBRW2", "TEST.DSN.BROWSED", &[]);
    run(|task| {
        let step = |task: &mut Task, direction| {
            issue(task, command::INQUIRE_DSNAME, |call| {
                call.bytes(option::DSNAME, &[0x40; 44]).flag(direction);
            })
        };
        assert_eq!(step(task, option::START)?.code, NORMAL);
        assert_eq!(step(task, option::START)?.code, (condition::ILLOGIC.0, 1));
        let mut names = Vec::new();
        loop {
            let reply = step(task, option::NEXT)?;
            if reply.code == (condition::END.0, 2) {
                break;
            }
            assert_eq!(reply.code, NORMAL);
            names.push(reply.text(option::DSNAME));
        }
        assert_eq!(step(task, option::END)?.code, NORMAL);
        assert_eq!(names.iter().filter(|name| *name == "TEST.DSN.BROWSED").count(), 1);
        assert!(names.is_sorted() && names.len() > 5, "{names:?}");
        assert_eq!(step(task, option::NEXT)?.code, (condition::ILLOGIC.0, 1));
        Ok(())
    });
}

#[test]
fn an_unavailable_data_set_is_not_opened() {
    idcams("  DEFINE CLUSTER (NAME(TEST.DSN.OFF) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define("DSNOFF", "TEST.DSN.OFF", &[]);
    run(|task| {
        assert_eq!(set(task, "TEST.DSN.NONE", |_| {})?, (condition::DSNNOTFOUND.0, 15));
        assert_eq!(
            set(task, "TEST.DSN.OFF", |call| {
                call.flag(option::UNAVAILABLE);
            })?,
            NORMAL
        );
        assert_eq!(inquire(task, "TEST.DSN.OFF")?.number(option::AVAILABILITY), cvda::UNAVAILABLE);
        assert_eq!(write(task, "DSNOFF", "KEY", "X")?.code, (condition::NOTOPEN.0, 60));
        let open = on_file(task, command::SET_FILE, "DSNOFF", |call| {
            call.flag(option::OPEN);
        })?;
        assert_eq!(open.code, (condition::INVREQ.0, 44));
        assert_eq!(
            set(task, "TEST.DSN.OFF", |call| {
                call.flag(option::AVAILABLE);
            })?,
            NORMAL
        );
        assert_eq!(write(task, "DSNOFF", "KEY", "X")?.code, NORMAL);
        let twice = set(task, "TEST.DSN.OFF", |call| {
            call.flag(option::REMOVE).flag(option::AVAILABLE);
        })?;
        assert_eq!(twice.0, condition::INVREQ.0);
        Ok(())
    });
}

#[test]
fn quiescing_closes_rls_files_and_keeps_them_closed() {
    idcams("  DEFINE CLUSTER (NAME(TEST.DSN.QUI) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) LOG(UNDO))\n");
    define("DSNQUI", "TEST.DSN.QUI", &[("RLSACCESS", "YES")]);
    run(|task| {
        assert_eq!(write(task, "DSNQUI", "KEY", "X")?.code, NORMAL);
        Ok(())
    });
    run(|task| {
        assert_eq!(inquire(task, "TEST.DSN.QUI")?.number(option::QUIESCESTATE), cvda::UNQUIESCED);
        assert_eq!(
            set(task, "TEST.DSN.QUI", |call| {
                call.flag(option::QUIESCED).flag(option::WAIT);
            })?,
            NORMAL
        );
        assert_eq!(inquire(task, "TEST.DSN.QUI")?.number(option::QUIESCESTATE), cvda::QUIESCED);
        assert_eq!(read(task, "DSNQUI", "KEY", |_| {})?.code, (condition::NOTOPEN.0, 60));
        let open = on_file(task, command::SET_FILE, "DSNQUI", |call| {
            call.flag(option::OPEN);
        })?;
        assert_eq!(open.code, (condition::INVREQ.0, 45));
        assert_eq!(
            set(task, "TEST.DSN.QUI", |call| {
                call.flag(option::UNQUIESCED);
            })?,
            NORMAL
        );
        assert_eq!(read(task, "DSNQUI", "KEY", |_| {})?.code, NORMAL);
        Ok(())
    });
}

/// Backup while open: the mark and the recovery point of the catalog.
#[test]
fn a_data_set_that_may_be_backed_up_while_open_has_a_recovery_point() {
    idcams(
        "  DEFINE CLUSTER (NAME(TEST.BWO.YES) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) LOG(ALL) LOGSTREAMID(TEST.BWO.LOG) BWO(TYPECICS))
  DEFINE CLUSTER (NAME(TEST.BWO.NO) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) LOG(ALL) LOGSTREAMID(TEST.BWO.LOG2) BWO(NO))
  DEFINE CLUSTER (NAME(TEST.BWO.FILE) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n",
    );
    define("BWOYES", "TEST.BWO.YES", &[]);
    define("BWONO", "TEST.BWO.NO", &[("BACKUPTYPE", "DYNAMIC")]);
    define("BWOFILE", "TEST.BWO.FILE", &[("BACKUPTYPE", "DYNAMIC"), ("RECOVERY", "ALL"), ("FWDRECOVLOG", "42")]);
    let region = the_region();
    let state = |name: &str| region.data_sets.backup_state(name).unwrap();
    run(|task| {
        for file in ["BWOYES", "BWONO", "BWOFILE"] {
            write(task, file, "KEY1", "X")?;
            syncpoint(task)?;
            // The first record has closed the file: it is opened again.
            write(task, file, "KEY2", "X")?;
        }
        let kinds =
            ["TEST.BWO.YES", "TEST.BWO.NO", "TEST.BWO.FILE"].map(|name| inquire(task, name).map(|reply| reply.number(option::BACKUPTYPE)));
        let kinds: Vec<i64> = kinds.into_iter().collect::<Result<_, _>>()?;
        assert_eq!(kinds, [cvda::DYNAMIC, cvda::STATIC, cvda::DYNAMIC]);
        Ok(())
    });
    assert_eq!(["TEST.BWO.YES", "TEST.BWO.NO", "TEST.BWO.FILE"].map(|name| state(name).status), [0b100, 0, 0b100]);
    let opened = state("TEST.BWO.YES").recovery_point;
    assert!(opened > 0 && state("TEST.BWO.NO").recovery_point == 0);
    let options = vsam::idcams::IdcamsOptions { ccsid: 37, progress: None };
    let listing = vsam::idcams::run(&region.data_sets, " LISTCAT ENT(TEST.BWO.YES) ALL\n", &NoDds, &options).listing;
    assert!(listing.contains("BWO STATUS------10000000") && !listing.contains("BWO TIMESTAMP---00000 00:00:00.0"), "{listing}");
    // Keypoints tie files up with their data sets again, and move the recovery point.
    let tie_ups = || {
        region.data_sets.carry_forward_logs().unwrap();
        let images = vsam::forward::read_log(&region.data_sets.forward_directory("TEST.BWO.LOG")).unwrap();
        images.values().filter(|image| image.kind == vsam::forward::ImageKind::TieUp).count()
    };
    let before = tie_ups();
    let mut number = 0;
    region.store.set_keypoint_frequency(1);
    while !(tie_ups() > before && state("TEST.BWO.YES").recovery_point > opened) {
        number += 1;
        assert!(number < 100, "no keypoint moved the recovery point");
        run(move |task| {
            write(task, "LCKFILE", &format!("BWO{number}"), "X")?;
            syncpoint(task)?;
            delay(task, 100)
        });
        region.store.keypoint().unwrap();
    }
    region.store.set_keypoint_frequency(4000);
    run(|task| {
        for file in ["BWOYES ", "BWOFILE"] {
            let closed = on_file(task, command::SET_FILE, file, |call| {
                call.flag(option::CLOSED);
            })?;
            assert_eq!(closed.code, NORMAL);
        }
        Ok(())
    });
    let closed = state("TEST.BWO.YES");
    assert!(closed.status == 0 && closed.recovery_point > opened);
    run(|task| {
        let recovered = issue(task, command::SET_DSNAME, |call| {
            call.bytes(option::DSNAME, &e(&format!("{:<44}", "TEST.BWO.YES"))).flag(option::RECOVERED);
        })?;
        assert_eq!(recovered.code, NORMAL);
        Ok(())
    });
    assert_eq!(state("TEST.BWO.YES"), vsam::backup::BackupState::default());
}

#[test]
fn quiescing_at_once_abends_the_tasks_in_the_way() {
    idcams("  DEFINE CLUSTER (NAME(TEST.DSN.IMM) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1) LOG(UNDO))\n");
    define("DSNIMM", "TEST.DSN.IMM", &[("RLSACCESS", "YES")]);
    let written = Flag::default();
    let in_the_way = {
        let written = written.clone();
        begin(move |task| {
            assert_eq!(write(task, "DSNIMM", "KEY1", "X")?.code, NORMAL);
            written.raise();
            delay(task, 20_000)
        })
    };
    written.wait();
    run(|task| {
        assert_eq!(
            set(task, "TEST.DSN.IMM", |call| {
                call.flag(option::IMMQUIESCED);
            })?,
            NORMAL
        );
        assert_eq!(inquire(task, "TEST.DSN.IMM")?.number(option::QUIESCESTATE), cvda::QUIESCED);
        Ok(())
    });
    assert!(in_the_way.result().is_err());
    run(|task| {
        assert_eq!(read(task, "DSNIMM", "KEY1", |_| {})?.code, (condition::NOTOPEN.0, 60));
        assert_eq!(
            set(task, "TEST.DSN.IMM", |call| {
                call.flag(option::UNQUIESCED);
            })?,
            NORMAL
        );
        assert_eq!(read(task, "DSNIMM", "KEY1", |_| {})?.code, (condition::NOTFND.0, 80), "it was backed out");
        Ok(())
    });
}
