//! Automatic journaling: the records that file requests write to the user journal.

use super::journals::lines;
use super::support::*;
use exec::{command, option};
use region::{Raised, Task};

/// The blocks in a journal, as bytes.
fn blocks(journal: &str) -> Vec<Vec<u8>> {
    let data = |line: &String| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["type"], "FC");
        let digits = value["data"].as_str().unwrap().to_string();
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
    };
    lines(journal).iter().map(data).collect()
}

/// A block of reads, updates and additions.
fn block(record_type: u8, file: &str, flags: u8, rba: u32, key: &[u8], record: &[u8]) -> Vec<u8> {
    let mut block = vec![record_type, 0x80];
    block.extend(e(&format!("{file:<8}")));
    block.extend([0, 0]);
    block.extend((record.len() as u32).to_be_bytes());
    block.extend(rba.to_be_bytes());
    block.extend((key.len() as u16).to_be_bytes());
    block.extend([0, 0, flags, 0, 0, 0]);
    block.extend(key);
    block.extend(record);
    block
}

fn deletion(file: &str, base: &[u8], path: &[u8]) -> Vec<u8> {
    let mut block = vec![0x86, 0x80];
    block.extend(e(&format!("{file:<8}")));
    block.extend([0, 0, 0, 0, 0, 0]);
    block.extend((base.len() as u16).to_be_bytes());
    block.extend((path.len() as u16).to_be_bytes());
    block.extend([0; 4]);
    block.extend(base);
    block.extend(path);
    block
}

fn delete(task: &mut Task, file: &str, key: &str, generic: Option<i64>) -> Result<(u16, i32), Raised> {
    on_file(task, command::DELETE, file, |call| {
        call.bytes(option::RIDFLD, &e(&format!("{key:<8}")));
        if let Some(length) = generic {
            call.flag(option::GENERIC).integer(option::KEYLENGTH, length);
        }
    })
    .map(|reply| reply.code)
}

#[test]
fn every_request_is_journaled_as_the_definition_says() {
    idcams("  DEFINE CLUSTER (NAME(TEST.JNLALL) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    let all = [("JOURNAL", "31"), ("JNLREAD", "ALL"), ("JNLSYNCREAD", "YES"), ("JNLUPDATE", "YES"), ("JNLADD", "ALL")];
    define_file(the_region(), "JNLALL", "TEST.JNLALL", &[&all[..], &[("RECOVERY", "BACKOUTONLY")]].concat());
    run(|task| {
        assert_eq!(write(task, "JNLALL", "KEY1", "ONE")?.code, NORMAL);
        assert_eq!(read(task, "JNLALL", "KEY1", |_| {})?.code, NORMAL);
        read(task, "JNLALL", "KEY1", |call| {
            call.flag(option::UPDATE);
        })?;
        assert_eq!(rewrite(task, "JNLALL", "KEY1", "TWO")?.code, NORMAL);
        // What fails is not journaled, except what JNLADD(BEFORE) wrote; what is backed out stays.
        assert_ne!(read(task, "JNLALL", "NONE", |_| {})?.code, NORMAL);
        assert_eq!(delete(task, "JNLALL", "KEY1", None)?, NORMAL);
        assert_eq!(rollback(task)?.code, NORMAL);
        write(task, "JNLALL", "GEN1", "G")?;
        write(task, "JNLALL", "GEN2", "G")?;
        assert_eq!(delete(task, "JNLALL", "GEN", Some(3))?, NORMAL);
        Ok(())
    });
    let (key, gen1, gen2) = (e("KEY1    "), e("GEN1    "), e("GEN2    "));
    let one = record("KEY1", "ONE");
    let two = record("KEY1", "TWO");
    let added = |type_: u8, key: &[u8], data: &[u8]| block(type_, "JNLALL", 0, 0, key, data);
    let expected = vec![
        added(0x83, &key, &one),
        added(0x84, &key, &one),
        added(0x80, &key, &one),
        added(0x81, &key, &one),
        added(0x82, &key, &two),
        deletion("JNLALL", &key, &[]),
        added(0x83, &gen1, &record("GEN1", "G")),
        added(0x84, &gen1, &record("GEN1", "G")),
        added(0x83, &gen2, &record("GEN2", "G")),
        added(0x84, &gen2, &record("GEN2", "G")),
        deletion("JNLALL", &gen1, &[]),
        deletion("JNLALL", &gen2, &[]),
    ];
    // JNLSYNCWRITE is the default: the stream has them all when the requests have ended.
    assert_eq!(blocks("DFHJ31"), expected);
}

#[test]
fn only_requested_events_are_journaled() {
    idcams("  DEFINE CLUSTER (NAME(TEST.JNLSOME) NONINDEXED RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "JNLSOME", "TEST.JNLSOME", &[("JOURNAL", "32"), ("JNLADD", "AFTER"), ("JNLREAD", "UPDATEONLY")]);
    let data = record("ENTRY", "E");
    let expected = [
        block(0x84, "JNLSOME", 0x40, 0, &[0; 4], &data),
        block(0x84, "JNLSOME", 0, data.len() as u32, &(data.len() as u32).to_be_bytes(), &data),
        block(0x81, "JNLSOME", 0, 0, &[0; 4], &data),
    ];
    run(move |task| {
        let add = |task: &mut Task, mass_insert: bool| {
            on_file(task, command::WRITE, "JNLSOME", |call| {
                call.bytes(option::FROM, &data).flag(option::RBA).bytes(option::RIDFLD, &[0; 4]);
                if mass_insert {
                    call.flag(option::MASSINSERT);
                }
            })
        };
        assert_eq!(add(task, true)?.code, NORMAL);
        assert_eq!(on_file(task, command::UNLOCK, "JNLSOME", |_| {})?.code, NORMAL);
        assert_eq!(add(task, false)?.code, NORMAL);
        for update in [false, true] {
            let reply = on_file(task, command::READ, "JNLSOME", |call| {
                call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &[0; 4]).flag(option::RBA);
                if update {
                    call.flag(option::UPDATE);
                }
            })?;
            assert_eq!(reply.code, NORMAL);
        }
        // Without JNLSYNCREAD, reads are not waited for and are still in the buffer.
        issue(task, command::WAIT_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("DFHJ32  "));
        })?;
        Ok(())
    });
    assert_eq!(blocks("DFHJ32"), expected);
}

#[test]
fn a_journal_that_is_disabled_fails_the_request() {
    idcams("  DEFINE CLUSTER (NAME(TEST.JNLOFF) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n");
    define_file(the_region(), "JNLOFF", "TEST.JNLOFF", &[("JOURNAL", "33"), ("JNLADD", "BEFORE")]);
    run(|task| {
        assert_eq!(write(task, "JNLOFF", "KEY1", "ONE")?.code, NORMAL);
        issue(task, command::SET_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("DFHJ33  ")).flag(option::DISABLED);
        })?;
        assert_eq!(write(task, "JNLOFF", "KEY2", "TWO")?.code, (exec::condition::IOERR.0, 120));
        assert_eq!(read(task, "JNLOFF", "KEY2", |_| {})?.code, (exec::condition::NOTFND.0, 80), "it was to be journaled first");
        Ok(())
    });
}
