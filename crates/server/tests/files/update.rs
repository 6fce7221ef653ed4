//! WRITE, REWRITE, DELETE, UNLOCK, tokens, backout.

use super::support::*;
use exec::{command, condition, option};
use region::exec_interface::Call;

fn update(task: &mut region::Task, key: &str) -> Result<(u16, i32), region::Raised> {
    read(task, "VARFILE", key, |call| {
        call.flag(option::UPDATE);
    })
    .map(|reply| reply.code)
}

fn content(task: &mut region::Task, file: &str, key: &str) -> Result<Option<String>, region::Raised> {
    let reply = read(task, file, key, |call| {
        call.integer(option::LENGTH, 100);
    })?;
    let length = reply.number(option::LENGTH).max(0) as usize;
    Ok((reply.code == NORMAL).then(|| t(&reply.call.result_bytes(option::INTO)[8..length])))
}

#[test]
fn records_are_added_rewritten_and_deleted() {
    run(|task| {
        assert_eq!(write(task, "VARFILE", "UPD01", "ONE")?.code, NORMAL);
        assert_eq!(write(task, "VARFILE", "UPD01", "TWO")?.code, (condition::DUPREC.0, 150));
        assert_eq!(update(task, "UPD01")?, NORMAL);
        assert_eq!(rewrite(task, "VARFILE", "UPD01", "ONE, LONGER")?.code, NORMAL);
        assert_eq!(content(task, "VARFILE", "UPD01")?.as_deref(), Some("ONE, LONGER"));
        // The hold is gone with the REWRITE.
        assert_eq!(rewrite(task, "VARFILE", "UPD01", "AGAIN")?.code, (condition::INVREQ.0, 30));
        assert_eq!(update(task, "UPD01")?, NORMAL);
        assert_eq!(on_file(task, command::DELETE, "VARFILE", |_| {})?.code, NORMAL);
        assert_eq!(content(task, "VARFILE", "UPD01")?, None);
        assert_eq!(on_file(task, command::DELETE, "VARFILE", |_| {})?.code, (condition::INVREQ.0, 31));
        Ok(())
    });
}

#[test]
fn one_update_at_a_time_without_token() {
    run(|task| {
        for key in ["UPD11", "UPD12", "UPD13"] {
            write(task, "VARFILE", key, "X")?;
        }
        assert_eq!(update(task, "UPD11")?, NORMAL);
        assert_eq!(update(task, "UPD12")?, (condition::INVREQ.0, 28));
        // With TOKEN there may be more.
        let mut tokens = Vec::new();
        for key in ["UPD12", "UPD13"] {
            let reply = read(task, "VARFILE", key, |call| {
                call.flag(option::UPDATE).bytes(option::TOKEN, &[0; 4]);
            })?;
            assert_eq!(reply.code, NORMAL);
            tokens.push(reply.call.result_bytes(option::TOKEN));
        }
        assert_ne!(tokens[0], tokens[1]);
        let with = |token: &[u8], key: Option<&str>| {
            let token = token.to_vec();
            let record = key.map(|key| record(key, "BY TOKEN"));
            move |call: &mut Call| {
                call.bytes(option::TOKEN, &token);
                if let Some(record) = &record {
                    call.bytes(option::FROM, record);
                }
            }
        };
        let wrong = on_file(task, command::REWRITE, "VARFILE", with(&[0xFF; 4], Some("UPD13")))?;
        assert_eq!(wrong.code, (condition::INVREQ.0, 47));
        assert_eq!(on_file(task, command::REWRITE, "VARFILE", with(&tokens[1], Some("UPD13")))?.code, NORMAL);
        assert_eq!(on_file(task, command::DELETE, "VARFILE", with(&tokens[0], None))?.code, NORMAL);
        assert_eq!(on_file(task, command::UNLOCK, "VARFILE", with(&tokens[0], None))?.code, (condition::INVREQ.0, 47));
        // The one without is still there, until it is let go.
        assert_eq!(on_file(task, command::UNLOCK, "VARFILE", |_| {})?.code, NORMAL);
        assert_eq!(rewrite(task, "VARFILE", "UPD11", "NO")?.code, (condition::INVREQ.0, 30));
        assert_eq!(on_file(task, command::UNLOCK, "VARFILE", |_| {})?.code, NORMAL);
        assert_eq!(content(task, "VARFILE", "UPD13")?.as_deref(), Some("BY TOKEN"));
        assert_eq!(content(task, "VARFILE", "UPD12")?, None);
        Ok(())
    });
}

#[test]
fn write_checks_keys_and_lengths() {
    run(|task| {
        let lengerr = condition::LENGERR.0;
        assert_eq!(write(task, "VARFILE", "UPD21", &"X".repeat(92))?.code, NORMAL);
        assert_eq!(write(task, "VARFILE", "UPD22", &"X".repeat(93))?.code, (lengerr, 12));
        assert_eq!(write(task, "FIXFILE", "UPD23", &"X".repeat(41))?.code, (lengerr, 14));
        assert_eq!(write(task, "FIXFILE", "UPD23", &"X".repeat(43))?.code, (lengerr, 12));
        assert_eq!(write(task, "FIXFILE", "UPD23", &"X".repeat(42))?.code, NORMAL);
        let other_key = on_file(task, command::WRITE, "VARFILE", |call| {
            call.bytes(option::FROM, &record("UPD24", "")).bytes(option::RIDFLD, &e("UPD25   "));
        })?;
        assert_eq!(other_key.code, (condition::INVREQ.0, 23));
        let key_length = on_file(task, command::WRITE, "VARFILE", |call| {
            call.bytes(option::FROM, &record("UPD24", "")).bytes(option::RIDFLD, &e("UPD24   ")).integer(option::KEYLENGTH, 7);
        })?;
        assert_eq!(key_length.code, (condition::INVREQ.0, 26));
        assert_eq!(update(task, "UPD21")?, NORMAL);
        assert_eq!(rewrite(task, "VARFILE", "UPD21", &"X".repeat(93))?.code, (lengerr, 12));
        assert_eq!(rewrite(task, "VARFILE", "UPD29", "KEY")?.code.0, condition::INVREQ.0);
        // After errors the record is still held.
        assert_eq!(rewrite(task, "VARFILE", "UPD21", "SHORT")?.code, NORMAL);
        // LENGTH cuts the area.
        let cut = on_file(task, command::WRITE, "VARFILE", |call| {
            call.bytes(option::FROM, &record("UPD26", "CUT HERE")).bytes(option::RIDFLD, &e("UPD26   ")).integer(option::LENGTH, 11);
        })?;
        assert_eq!(cut.code, NORMAL);
        assert_eq!(content(task, "VARFILE", "UPD26")?.as_deref(), Some("CUT"));
        Ok(())
    });
}

#[test]
fn services_the_definition_does_not_allow() {
    run(|task| {
        let invreq = (condition::INVREQ.0, 20);
        assert_eq!(write(task, "NONFILE", "UPD31", "X")?.code, invreq);
        assert_eq!(rewrite(task, "NONFILE", "UPD31", "X")?.code, invreq);
        let ridfld = |call: &mut Call| {
            call.bytes(option::RIDFLD, &e("UPD31   "));
        };
        assert_eq!(on_file(task, command::DELETE, "NONFILE", ridfld)?.code, invreq);
        assert_eq!(on_file(task, command::STARTBR, "NONFILE", ridfld)?.code, invreq);
        Ok(())
    });
}

#[test]
fn generic_delete_counts() {
    run(|task| {
        for key in ["DELA1", "DELA2", "DELA3", "DELB1"] {
            write(task, "VARFILE", key, "X")?;
        }
        let mut delete = |key: &str, length: i64| {
            on_file(task, command::DELETE, "VARFILE", |call| {
                call.bytes(option::RIDFLD, &e(&format!("{key:<8}")));
                call.integer(option::KEYLENGTH, length).flag(option::GENERIC).integer(option::NUMREC, 0);
            })
            .map(|reply| (reply.code, reply.number(option::NUMREC)))
        };
        assert_eq!(delete("DELA", 4)?, (NORMAL, 3));
        assert_eq!(delete("DELA", 4)?.0, (condition::NOTFND.0, 80));
        assert_eq!(delete("DELB", 8)?.0, (condition::INVREQ.0, 25));
        assert_eq!(delete("DELB", -1)?.0, (condition::INVREQ.0, 42));
        assert!(content(task, "VARFILE", "DELB1")?.is_some());
        let one = on_file(task, command::DELETE, "VARFILE", |call| {
            call.bytes(option::RIDFLD, &e("DELB1   "));
        })?;
        assert_eq!(one.code, NORMAL);
        Ok(())
    });
}

#[test]
fn an_entry_sequenced_file_gives_addresses_and_keeps_its_records() {
    run(|task| {
        let mut add = |text: &str| {
            on_file(task, command::WRITE, "ENTFILE", |call| {
                call.bytes(option::FROM, &e(text)).bytes(option::RIDFLD, &[0xEE; 4]).flag(option::RBA);
            })
            .map(|reply| (reply.code, reply.call.result_bytes(option::RIDFLD)))
        };
        let (first, first_at) = add("FIRST")?;
        let (second, second_at) = add("SECOND")?;
        assert_eq!((first, second), (NORMAL, NORMAL));
        assert!(second_at > first_at);
        let reply = on_file(task, command::READ, "ENTFILE", |call| {
            call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &second_at).flag(option::RBA).flag(option::UPDATE);
        })?;
        assert_eq!((reply.code, t(&reply.call.result_bytes(option::INTO)[..6])), (NORMAL, "SECOND".into()));
        assert_eq!(on_file(task, command::DELETE, "ENTFILE", |_| {})?.code, (condition::INVREQ.0, 21));
        Ok(())
    });
}

#[test]
fn rollback_and_abend_undo_changes_to_recoverable_files() {
    run(|task| {
        write(task, "VARFILE", "BACK01", "BEFORE")?;
        syncpoint(task)?;
        write(task, "VARFILE", "BACK02", "NEW")?;
        update(task, "BACK01")?;
        rewrite(task, "VARFILE", "BACK01", "AFTER")?;
        assert_eq!(write(task, "BRWFILE", "BACK03", "STAYS")?.code, NORMAL);
        rollback(task)?;
        assert_eq!(content(task, "VARFILE", "BACK01")?.as_deref(), Some("BEFORE"));
        assert_eq!(content(task, "VARFILE", "BACK02")?, None);
        // A file that is not recoverable is not backed out.
        assert_eq!(content(task, "BRWFILE", "BACK03")?.as_deref(), Some("STAYS"));
        on_file(task, command::DELETE, "BRWFILE", |call| {
            call.bytes(option::RIDFLD, &e("BACK03  "));
        })?;
        Ok(())
    });
    let abended = begin(|task| {
        update(task, "BACK01")?;
        rewrite(task, "VARFILE", "BACK01", "ABENDED")?;
        abend::<()>("TEST")
    });
    assert_eq!(abended.result(), Err("TEST".into()));
    let after = run(|task| content(task, "VARFILE", "BACK01"));
    assert_eq!(after.as_deref(), Some("BEFORE"));
}

#[test]
fn a_syncpoint_ends_holds() {
    run(|task| {
        write(task, "VARFILE", "BACK11", "X")?;
        syncpoint(task)?;
        update(task, "BACK11")?;
        syncpoint(task)?;
        assert_eq!(rewrite(task, "VARFILE", "BACK11", "Y")?.code, (condition::INVREQ.0, 30));
        Ok(())
    });
}

#[test]
fn requests_are_counted() {
    run(|task| {
        let before = task.performance;
        write(task, "VARFILE", "COUNT1", "X")?;
        update(task, "COUNT1")?;
        rewrite(task, "VARFILE", "COUNT1", "Y")?;
        let now = task.performance;
        assert_eq!((now.file_adds - before.file_adds, now.file_gets - before.file_gets), (1, 1));
        assert_eq!((now.file_puts - before.file_puts, now.file_total - before.file_total), (1, 3));
        Ok(())
    });
    let statistics = files::file_control::FileControl::of(the_region()).statistics();
    let file = statistics.iter().find(|file| file.name == "VARFILE").unwrap();
    let counter = |name| file.counter(name);
    assert!(counter("add_requests") > 0 && counter("update_requests") > 0 && counter("get_update_requests") > 0);
}

#[test]
fn log_of_the_data_set_overrides_recovery_of_the_file() {
    let region = the_region();
    define_file(region, "LOGFILE", "TEST.LOGGED", &[("RECOVERY", "NONE")]);
    run(|task| {
        write(task, "LOGFILE", "LOGGED1", "X")?;
        rollback(task)?;
        assert_eq!(content(task, "LOGFILE", "LOGGED1")?, None);
        Ok(())
    });
}
