//! READ: keys, lengths, INTO and SET, conditions.

use super::support::*;
use exec::{command, condition, cvda, eib, option};
use region::storage_access::Area;

#[test]
fn a_record_is_read_by_its_key() {
    let (first, length, data, resources) = run(|task| {
        assert_eq!(write(task, "VARFILE", "READ01", "CONTENT")?.code, NORMAL);
        syncpoint(task)?;
        let reply = read(task, "VARFILE", "READ01", |call| {
            call.integer(option::LENGTH, 100);
        })?;
        let resources = (t(&task.eib.bytes()[eib::EIBDS..eib::EIBDS + 8]), t(&task.eib.bytes()[eib::EIBRSRCE..eib::EIBRSRCE + 8]));
        Ok((reply.code, reply.number(option::LENGTH), reply.call.result_bytes(option::INTO), resources))
    });
    assert_eq!((first, length), (NORMAL, 15));
    assert_eq!(data[..15], record("READ01", "CONTENT"));
    // What the record does not fill is left alone.
    assert_eq!(data[15], 0);
    assert_eq!(resources, ("VARFILE".into(), "VARFILE".into()));
}

#[test]
fn lengths_are_checked_at_their_bounds() {
    run(|task| {
        write(task, "VARFILE", "READ02", "123456")?;
        let lengerr = condition::LENGERR.0;
        for (room, expected) in [(14, NORMAL), (15, NORMAL), (13, (lengerr, 11)), (0, (lengerr, 11))] {
            let reply = read(task, "VARFILE", "READ02", |call| {
                call.integer(option::LENGTH, room);
            })?;
            assert_eq!((reply.code, reply.number(option::LENGTH)), (expected, 14), "room {room}");
            let given = room.min(14) as usize;
            assert_eq!(reply.call.result_bytes(option::INTO)[..given], record("READ02", "123456")[..given]);
            assert!(reply.call.result_bytes(option::INTO)[given..].iter().all(|byte| *byte == 0));
        }
        // Without LENGTH the area's own length counts.
        let reply = on_file(task, command::READ, "VARFILE", |call| {
            call.bytes(option::INTO, &[0; 13]).bytes(option::RIDFLD, &e("READ02  "));
        })?;
        assert_eq!(reply.code, (lengerr, 11));
        let reply = on_file(task, command::READ, "VARFILE", |call| {
            call.bytes(option::RIDFLD, &e("READ02  "));
        })?;
        assert_eq!(reply.code, (lengerr, 10));
        Ok(())
    });
}

#[test]
fn fixed_length_files_want_the_exact_length() {
    run(|task| {
        let rest = "X".repeat(42);
        assert_eq!(write(task, "FIXFILE", "READ03", &rest)?.code, NORMAL);
        for (length, expected) in [(50, NORMAL), (49, (condition::LENGERR.0, 13)), (51, (condition::LENGERR.0, 13))] {
            let reply = read(task, "FIXFILE", "READ03", |call| {
                call.integer(option::LENGTH, length);
            })?;
            assert_eq!(reply.code, expected, "{length}");
        }
        Ok(())
    });
}

#[test]
fn set_gives_the_record_in_storage() {
    run(|task| {
        write(task, "VARFILE", "READ04", "IN STORAGE")?;
        write(task, "VARFILE", "READ05", "ANOTHER")?;
        let mut addresses = Vec::new();
        for (key, rest) in [("READ04", "IN STORAGE"), ("READ05", "ANOTHER")] {
            let reply = on_file(task, command::READ, "VARFILE", |call| {
                call.integer(option::SET, 0).integer(option::LENGTH, 0).bytes(option::RIDFLD, &e(&format!("{key:<8}")));
            })?;
            assert_eq!(reply.code, NORMAL);
            let length = reply.number(option::LENGTH) as usize;
            let address = reply.number(option::SET) as usize;
            assert_eq!(Area::new(address, length).read()?, record(key, rest));
            addresses.push(address);
        }
        // The next read of the file uses the same storage, one for update has its own.
        assert_eq!(addresses[0], addresses[1]);
        let reply = on_file(task, command::READ, "VARFILE", |call| {
            call.integer(option::SET, 0).bytes(option::RIDFLD, &e("READ04  ")).flag(option::UPDATE);
        })?;
        assert_ne!(reply.number(option::SET) as usize, addresses[0]);
        Ok(())
    });
}

#[test]
fn generic_and_greater_keys() {
    run(|task| {
        for key in ["GENA1", "GENB1", "GENB2"] {
            write(task, "VARFILE", key, "")?;
        }
        let find = |task: &mut _, key: &str, length: Option<i64>, generic: bool, gteq: bool| {
            let reply = read(task, "VARFILE", key, |call| {
                if let Some(length) = length {
                    call.integer(option::KEYLENGTH, length);
                }
                if generic {
                    call.flag(option::GENERIC);
                }
                if gteq {
                    call.flag(option::GTEQ);
                }
            })?;
            Ok::<_, region::Raised>((reply.code, t(&reply.call.result_bytes(option::INTO)[..8])))
        };
        let found = |key: &str| (NORMAL, key.to_string());
        let invreq = |resp2| (condition::INVREQ.0, resp2);
        assert_eq!(find(task, "GENB", Some(4), true, false)?, found("GENB1"));
        assert_eq!(find(task, "GENA9", None, false, true)?, found("GENB1"));
        assert_eq!(find(task, "GENA9", None, false, false)?.0, (condition::NOTFND.0, 80));
        assert_eq!(find(task, "GENX", Some(4), true, false)?.0, (condition::NOTFND.0, 80));
        assert_eq!(find(task, "GENA9", Some(5), true, true)?, found("GENB1"));
        // KEYLENGTH: generic 0 to 7, else exactly 8.
        assert_eq!(find(task, "GENB", Some(-1), true, false)?.0, invreq(42));
        assert_eq!(find(task, "GENB1", Some(7), true, false)?, found("GENB1"));
        assert_eq!(find(task, "GENB1", Some(8), true, false)?.0, invreq(25));
        assert_eq!(find(task, "GENB1", Some(7), false, false)?.0, invreq(26));
        assert_eq!(find(task, "GENB1", Some(9), false, false)?.0, invreq(26));
        assert_eq!(find(task, "GENB1", Some(8), false, false)?, found("GENB1"));
        Ok(())
    });
}

#[test]
fn conditions_of_the_file() {
    run(|task| {
        let mut code = |file: &str, build: &dyn Fn(&mut region::exec_interface::Call)| {
            read(task, file, "NONE", |call| build(call)).map(|reply| reply.code)
        };
        assert_eq!(code("NOFILE", &|_| {})?, (condition::FILENOTFOUND.0, 1));
        assert_eq!(code("NONFILE", &|_| {})?, (condition::INVREQ.0, 20));
        assert_eq!(code("NOWHERE", &|_| {})?, (condition::NOTOPEN.0, 60));
        assert_eq!(code("REMFILE", &|_| {})?, (condition::SYSIDERR.0, 130));
        assert_eq!(code("VARFILE", &|_| {})?, (condition::NOTFND.0, 80));
        let sysid = |call: &mut region::exec_interface::Call| {
            call.bytes(option::SYSID, &e("SYSB"));
        };
        assert_eq!(code("VARFILE", &sysid)?, (condition::SYSIDERR.0, 130));
        let flag = |option| {
            move |call: &mut region::exec_interface::Call| {
                call.flag(option);
            }
        };
        // Files not in RLS mode have no read integrity and always wait.
        assert_eq!(code("VARFILE", &flag(option::CONSISTENT))?, (condition::INVREQ.0, 52));
        assert_eq!(code("VARFILE", &flag(option::REPEATABLE))?, (condition::INVREQ.0, 53));
        assert_eq!(code("VARFILE", &flag(option::NOSUSPEND))?, (condition::INVREQ.0, 55));
        assert_eq!(code("RLSFILE", &flag(option::CONSISTENT))?, (condition::NOTFND.0, 80));
        assert_eq!(code("RLSFILE", &flag(option::NOSUSPEND))?, (condition::NOTFND.0, 80));
        Ok(())
    });
}

#[test]
fn a_path_reads_by_the_alternate_key_and_tells_of_duplicates() {
    run(|task| {
        for (key, alternate) in [("PATH01", "AAAA"), ("PATH02", "BBBB"), ("PATH03", "BBBB")] {
            assert_eq!(write(task, "BASFILE", key, alternate)?.code, NORMAL);
        }
        let mut by = |alternate: &str| {
            on_file(task, command::READ, "PTHFILE", |call| {
                call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e(alternate));
            })
            .map(|reply| (reply.code, t(&reply.call.result_bytes(option::INTO)[..8])))
        };
        assert_eq!(by("AAAA")?, (NORMAL, "PATH01".into()));
        assert_eq!(by("BBBB")?, ((condition::DUPKEY.0, 140), "PATH02".into()));
        assert_eq!(by("CCCC")?.0, (condition::NOTFND.0, 80));
        Ok(())
    });
}

#[test]
fn a_file_over_an_alternate_index_has_the_records_of_the_index() {
    run(|task| {
        for (key, rest) in [("AIXREC01", "ZZZ1"), ("AIXREC02", "ZZZ1")] {
            assert_eq!(write(task, "BASFILE", key, rest)?.code, NORMAL);
        }
        let reply = on_file(task, command::READ, "IDXFILE", |call| {
            call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e("ZZZ1")).integer(option::LENGTH, 100);
        })?;
        assert_eq!(reply.code, NORMAL);
        let data = reply.call.result_bytes(option::INTO);
        assert_eq!(data[..5], [0, 8, 0, 2, 4], "flag, pointer length, pointers, key length");
        assert_eq!((t(&data[5..25]), reply.number(option::LENGTH)), ("ZZZ1AIXREC01AIXREC02".to_string(), 25));
        let update = on_file(task, command::READ, "IDXFILE", |call| {
            call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e("ZZZ1")).flag(option::UPDATE);
        })?;
        assert_eq!(update.code, (condition::INVREQ.0, 20));
        let view = issue(task, command::INQUIRE_FILE, |call| {
            call.bytes(option::FILE, &e("IDXFILE ")).integer(option::TYPE, 0).integer(option::OBJECT, 0).integer(option::KEYPOSITION, 0);
        })?;
        let seen = (view.number(option::TYPE), view.number(option::OBJECT), view.number(option::KEYPOSITION));
        assert_eq!(seen, (cvda::KSDS, cvda::BASE, 5));
        rollback(task)?;
        Ok(())
    });
}
