//! RBA, XRBA and RRN in every organization. Addresses are counted by hand for control intervals of 4096 bytes.

use super::support::*;
use exec::{CommandId, command, condition, option};
use region::{Raised, Task};

/// A browse or read by address; the record's key part, or RESP and RESP2.
fn by_address(
    task: &mut Task,
    command: CommandId,
    file: &str,
    kind: exec::OptionId,
    at: &mut Vec<u8>,
) -> Result<Result<String, (u16, i32)>, Raised> {
    let reply = on_file(task, command, file, |call| {
        if command != command::STARTBR && command != command::RESETBR {
            call.bytes(option::INTO, &[0; 100]);
        }
        call.flag(kind).bytes(option::RIDFLD, at);
    })?;
    if reply.code != NORMAL {
        return Ok(Err(reply.code));
    }
    if command == command::READNEXT || command == command::READPREV {
        *at = reply.call.result_bytes(option::RIDFLD);
    }
    let into = if command == command::STARTBR || command == command::RESETBR { Vec::new() } else { reply.call.result_bytes(option::INTO) };
    Ok(Ok(t(&into[..into.len().min(8)])))
}

fn rba(at: u32) -> Vec<u8> {
    at.to_be_bytes().to_vec()
}

#[test]
fn a_key_sequenced_file_is_read_and_browsed_by_rba() {
    run(|task| {
        for number in 1..=3 {
            assert_eq!(write(task, "ADRFILE", &format!("ADR{number}"), &"X".repeat(number * 10))?.code, NORMAL);
        }
        syncpoint(task)?;
        // Records of 18, 28 and 38 bytes lie one behind the other.
        let read = command::READ;
        assert_eq!(by_address(task, read, "ADRFILE", option::RBA, &mut rba(0))?, Ok("ADR1".into()));
        assert_eq!(by_address(task, read, "ADRFILE", option::RBA, &mut rba(46))?, Ok("ADR3".into()));
        assert_eq!(by_address(task, read, "ADRFILE", option::RBA, &mut rba(47))?, Err((condition::NOTFND.0, 80)));
        // XRBA is for an ESDS; a KSDS in RLS mode has no addresses.
        let mut wide = 0u64.to_be_bytes().to_vec();
        assert_eq!(by_address(task, read, "ADRFILE", option::XRBA, &mut wide)?, Err((condition::INVREQ.0, 59)));
        assert_eq!(by_address(task, read, "ADRRLS", option::RBA, &mut rba(0))?, Err((condition::INVREQ.0, 51)));
        let mut at = rba(18);
        assert_eq!(by_address(task, command::STARTBR, "ADRFILE", option::RBA, &mut at)?, Ok(String::new()));
        assert_eq!(by_address(task, command::READNEXT, "ADRFILE", option::RBA, &mut at)?, Ok("ADR2".into()));
        assert_eq!(at, rba(18));
        assert_eq!(by_address(task, command::READNEXT, "ADRFILE", option::RBA, &mut at)?, Ok("ADR3".into()));
        assert_eq!(at, rba(46));
        assert_eq!(by_address(task, command::READNEXT, "ADRFILE", option::RBA, &mut at)?, Err((condition::ENDFILE.0, 90)));
        assert_eq!(by_address(task, command::READPREV, "ADRFILE", option::RBA, &mut at)?, Ok("ADR3".into()));
        assert_eq!(by_address(task, command::READPREV, "ADRFILE", option::RBA, &mut at)?, Ok("ADR2".into()));
        // An address of the program's own repositions the browse; it must be a record's.
        at = rba(0);
        assert_eq!(by_address(task, command::READNEXT, "ADRFILE", option::RBA, &mut at)?, Ok("ADR1".into()));
        assert_eq!(by_address(task, command::RESETBR, "ADRFILE", option::RBA, &mut rba(20))?, Err((condition::NOTFND.0, 80)));
        // The kind of identification may not change within a browse.
        let reply = on_file(task, command::READNEXT, "ADRFILE", |call| {
            call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e("ADR1    "));
        })?;
        assert_eq!(reply.code, (condition::INVREQ.0, 37));
        Ok(())
    });
}

#[test]
fn an_entry_sequenced_browse_by_rba_or_xrba_begins_at_a_record() {
    run(|task| {
        let mut given = Vec::new();
        for number in 0..3u32 {
            let reply = on_file(task, command::WRITE, "EN2FILE", |call| {
                call.bytes(option::FROM, &record(&format!("E{number}"), "0123456789")).flag(option::XRBA).bytes(option::RIDFLD, &[0xAA; 8]);
            })?;
            assert_eq!(reply.code, NORMAL);
            given.push(reply.call.result_bytes(option::RIDFLD));
        }
        assert_eq!(given, [0u64, 18, 36].map(|at| at.to_be_bytes().to_vec()));
        // EQUAL is what counts for addresses: between two records there is nothing.
        assert_eq!(by_address(task, command::STARTBR, "EN2FILE", option::RBA, &mut rba(17))?, Err((condition::NOTFND.0, 80)));
        let mut at = 18u64.to_be_bytes().to_vec();
        assert_eq!(by_address(task, command::STARTBR, "EN2FILE", option::XRBA, &mut at)?, Ok(String::new()));
        assert_eq!(by_address(task, command::READNEXT, "EN2FILE", option::XRBA, &mut at)?, Ok("E1".into()));
        assert_eq!(by_address(task, command::READNEXT, "EN2FILE", option::XRBA, &mut at)?, Ok("E2".into()));
        assert_eq!(at, 36u64.to_be_bytes());
        // The high value is the end: the last record comes first backward.
        let mut end = vec![0xFF; 8];
        assert_eq!(by_address(task, command::RESETBR, "EN2FILE", option::XRBA, &mut end)?, Ok(String::new()));
        assert_eq!(by_address(task, command::READPREV, "EN2FILE", option::XRBA, &mut end)?, Ok("E2".into()));
        Ok(())
    });
}

#[test]
fn relative_records_of_fixed_and_variable_length() {
    run(|task| {
        for (file, lengths) in [("SLOFILE", [42, 42, 42]), ("VSLFILE", [5, 92, 20])] {
            for (number, length) in [7u32, 2, 40].into_iter().zip(lengths) {
                let reply = on_file(task, command::WRITE, file, |call| {
                    let record = record(&format!("R{number}"), &"X".repeat(length));
                    call.bytes(option::FROM, &record).flag(option::RRN).bytes(option::RIDFLD, &rba(number));
                })?;
                assert_eq!(reply.code, NORMAL, "{file} {number}");
            }
            assert_eq!(by_address(task, command::READ, file, option::RRN, &mut rba(7))?, Ok("R7".into()));
            assert_eq!(by_address(task, command::READ, file, option::RRN, &mut rba(8))?, Err((condition::NOTFND.0, 80)));
            let mut at = rba(3);
            assert_eq!(by_address(task, command::STARTBR, file, option::RRN, &mut at)?, Ok(String::new()), "GTEQ is the default");
            assert_eq!(by_address(task, command::READNEXT, file, option::RRN, &mut at)?, Ok("R7".into()));
            assert_eq!(by_address(task, command::READNEXT, file, option::RRN, &mut at)?, Ok("R40".into()));
            assert_eq!(at, rba(40));
            // The browse has control of the interval, which a change of one of its records needs.
            assert_eq!(on_file(task, command::ENDBR, file, |_| {})?.code, NORMAL);
            let reply = on_file(task, command::DELETE, file, |call| {
                call.flag(option::RRN).bytes(option::RIDFLD, &rba(7));
            })?;
            assert_eq!(reply.code, NORMAL);
            let again = on_file(task, command::WRITE, file, |call| {
                let record = record("AGAIN", &"X".repeat(42));
                call.bytes(option::FROM, &record).flag(option::RRN).bytes(option::RIDFLD, &rba(2));
            })?;
            assert_eq!(again.code, (condition::DUPREC.0, 150));
        }
        // 4092 / 53 = 77 slots of 50 bytes in a control interval.
        assert_eq!(by_address(task, command::READ, "SLOFILE", option::RBA, &mut rba(39 * 50))?, Ok("R40".into()));
        Ok(())
    });
}

/// INVREQ has no RESP2 for an identification the data set does not have: VSAM refuses the request, and EIBRCODE has its codes.
#[test]
fn a_record_is_identified_as_its_data_set_has_it() {
    idcams(
        "  DEFINE CLUSTER (NAME(TEST.IDENT.E) NONINDEXED RECORDSIZE(50 100) TRACKS(1 1))
  DEFINE CLUSTER (NAME(TEST.IDENT.R) NUMBERED RECORDSIZE(50 50) TRACKS(1 1))
  DEFINE CLUSTER (NAME(TEST.IDENT.V) NUMBERED RECORDSIZE(50 100) TRACKS(1 1))
  DEFINE CLUSTER (NAME(TEST.IDENT.K) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(1 1))\n",
    );
    for (file, data_set) in [("IDENTE", "E"), ("IDENTR", "R"), ("IDENTV", "V"), ("IDENTK", "K")] {
        define_file(the_region(), file, &format!("TEST.IDENT.{data_set}"), &[]);
    }
    run(|task| {
        let identified = |task: &mut Task, command, file: &str, kind: Option<exec::OptionId>| {
            let reply = on_file(task, command, file, |call| {
                if command == command::READ {
                    call.bytes(option::INTO, &[0; 100]);
                } else if command == command::WRITE {
                    call.bytes(option::FROM, &record("KEY", &"X".repeat(42)));
                }
                let ridfld = if file == "IDENTK" { record("KEY", "") } else { vec![0, 0, 0, 1, 0, 0, 0, 1] };
                call.bytes(option::RIDFLD, &ridfld);
                kind.into_iter().for_each(|kind| {
                    call.flag(kind);
                });
            })?;
            Ok::<_, Raised>((reply.code, response_bytes(task)))
        };
        for (file, kind) in [("IDENTE", Some(option::RBA)), ("IDENTR", Some(option::RRN)), ("IDENTV", Some(option::RRN)), ("IDENTK", None)]
        {
            assert_eq!(identified(task, command::WRITE, file, kind)?.0, NORMAL, "{file}");
        }
        // A keyed request for an ESDS.
        let illogic = (condition::ILLOGIC.0, 110);
        assert_eq!(identified(task, command::READ, "IDENTE", None)?, (illogic, [2, 8, 72]));
        assert_eq!(identified(task, command::STARTBR, "IDENTE", None)?, (illogic, [2, 8, 72]));
        // A relative record data set has numbers, not keys; the others have no numbers.
        for command in [command::READ, command::WRITE] {
            assert_eq!(identified(task, command, "IDENTR", None)?, (illogic, [2, 8, 68]));
            assert_eq!(identified(task, command, "IDENTV", None)?, (illogic, [2, 8, 68]));
        }
        for file in ["IDENTE", "IDENTK"] {
            assert_eq!(identified(task, command::READ, file, Some(option::RRN))?, (illogic, [2, 8, 68]), "{file}");
        }
        Ok(())
    });
}

#[test]
fn file_control_does_not_open_a_linear_data_set() {
    run(|task| {
        let reply = read(task, "LINFILE", "X", |_| {})?;
        assert_eq!(reply.code, (condition::NOTOPEN.0, 60));
        Ok(())
    });
}
