//! Channels and containers: what goes with LINK, XCTL and START, containers of bits and of characters, and the TCB of their commands.

mod scratch;
mod tasks_support;

use exec::{OptionId, command, condition, option};
use kernel::Mode;
use region::exec_interface::call::Call;
use region::name::{Name4, Name16};
use region::{AttachRequest, Raised, StartCode, Task};
use std::sync::{Mutex, mpsc};
use std::time::Duration;
use tasks_support::{define_program, define_transaction, response, run, the_region};

const LONG: Duration = Duration::from_secs(20);

fn on_container(command: exec::CommandId, task: &Task, container: &str, channel: &str) -> Call {
    let mut call = Call::new(command);
    call.text(task, option::CONTAINER, container);
    if !channel.is_empty() {
        call.text(task, option::CHANNEL, channel);
    }
    call
}

/// PUT; without a channel into the current one.
fn put(task: &mut Task, container: &str, channel: &str, data: &[u8], ccsid: Option<i64>) -> Result<(u16, i32), Raised> {
    let mut call = on_container(command::PUT_CONTAINER, task, container, channel);
    call.bytes(option::FROM, data);
    if let Some(ccsid) = ccsid {
        call.integer(option::FROMCCSID, ccsid);
    }
    response(&mut call, task)
}

fn put_flagged(task: &mut Task, container: &str, channel: &str, data: &[u8], flag: OptionId) -> Result<(u16, i32), Raised> {
    let mut call = on_container(command::PUT_CONTAINER, task, container, channel);
    call.bytes(option::FROM, data).flag(flag);
    response(&mut call, task)
}

/// GET: the response and what was given.
fn get(task: &mut Task, container: &str, channel: &str, ccsid: Option<i64>) -> Result<((u16, i32), Vec<u8>), Raised> {
    const ROOM: usize = 1000;
    let mut call = on_container(command::GET_CONTAINER, task, container, channel);
    call.bytes(option::INTO, &[0; ROOM]).integer(option::FLENGTH, ROOM as i64);
    if let Some(ccsid) = ccsid {
        call.integer(option::INTOCCSID, ccsid);
    }
    let code = response(&mut call, task)?;
    let length = call.result(option::FLENGTH).unwrap_or(0).clamp(0, ROOM as i64) as usize;
    Ok((code, call.result_bytes(option::INTO)[..length].to_vec()))
}

const NORMAL: (u16, i32) = (0, 0);

/// "Grüße" in code page 037, in ISO 8859-1 and in UTF-8.
const EBCDIC: [u8; 5] = [0xC7, 0x99, 0xDC, 0x59, 0x85];
const LATIN_1: [u8; 5] = [0x47, 0x72, 0xFC, 0xDF, 0x65];
const UTF_8: [u8; 7] = [0x47, 0x72, 0xC3, 0xBC, 0xC3, 0x9F, 0x65];

#[test]
fn a_char_container_is_converted_between_the_code_pages_of_put_and_get() {
    run("CH01", |task| {
        for (name, data, ccsid) in [("FROM037", &EBCDIC[..], 37), ("FROM819", &LATIN_1, 819), ("FROM1208", &UTF_8, 1208)] {
            assert_eq!(put(task, name, "CH", data, Some(ccsid))?, NORMAL);
            for (into, expected) in [(37, &EBCDIC[..]), (819, &LATIN_1), (1208, &UTF_8)] {
                assert_eq!(get(task, name, "CH", Some(into))?, (NORMAL, expected.to_vec()), "{name} to {into}");
            }
            // Without INTOCCSID: the code page of the region.
            assert_eq!(get(task, name, "CH", None)?, (NORMAL, EBCDIC.to_vec()), "{name}");
        }
        // CHAR without a code page: the region's.
        assert_eq!(put_flagged(task, "CHAR", "CH", &EBCDIC, option::CHAR)?, NORMAL);
        assert_eq!(get(task, "CHAR", "CH", Some(1208))?, (NORMAL, UTF_8.to_vec()));
        Ok(())
    })
    .unwrap();
}

/// Every byte comes back as it was; a code page asked for is refused (CCSIDERR 3), and a container keeps its type.
#[test]
fn a_bit_container_is_its_bytes() {
    run("CH02", |task| {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(put_flagged(task, "BITS", "CH", &all, option::BIT)?, NORMAL);
        assert_eq!(put(task, "DEFAULT", "CH", &all, None)?, NORMAL);
        for name in ["BITS", "DEFAULT"] {
            assert_eq!(get(task, name, "CH", None)?, (NORMAL, all.clone()), "{name}");
            for ccsid in [37, 819, 1208] {
                assert_eq!(get(task, name, "CH", Some(ccsid))?.0, (condition::CCSIDERR.0, 3), "{name} {ccsid}");
            }
            assert_eq!(put_flagged(task, name, "CH", b"X", option::CHAR)?, (condition::INVREQ.0, 33), "{name}");
        }
        assert_eq!(put_flagged(task, "TEXT", "CH", &EBCDIC, option::CHAR)?, NORMAL);
        assert_eq!(put_flagged(task, "TEXT", "CH", b"X", option::BIT)?, (condition::INVREQ.0, 33));
        Ok(())
    })
    .unwrap();
}

#[test]
fn containers_are_put_got_moved_and_deleted_without_leaving_the_open_tcb() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("CHOPEN", &[("CONCURRENCY", "REQUIRED")], move |task| {
        let missing = (condition::CONTAINERERR.0, 10);
        let before = task.kernel.times().change_modes;
        assert_eq!(put(task, "ONE", "FIRST", b"data", None)?, NORMAL);
        assert_eq!(get(task, "ONE", "FIRST", None)?, (NORMAL, b"data".to_vec()));
        let mut moved = on_container(command::MOVE_CONTAINER, task, "ONE", "FIRST");
        moved.text(task, option::AS, "TWO").text(task, option::TOCHANNEL, "SECOND");
        assert_eq!(response(&mut moved, task)?, NORMAL);
        assert_eq!(get(task, "ONE", "FIRST", None)?.0, missing);
        assert_eq!(get(task, "TWO", "SECOND", None)?, (NORMAL, b"data".to_vec()));
        let mut delete = on_container(command::DELETE_CONTAINER, task, "TWO", "SECOND");
        assert_eq!([response(&mut delete, task)?, response(&mut delete, task)?], [NORMAL, missing]);
        assert_eq!(response(&mut moved, task)?, missing);
        sender.lock().unwrap().send((task.kernel.times().change_modes - before, task.kernel.mode())).unwrap();
        Ok(())
    });
    define_transaction("CH03", "CHOPEN");
    the_region().attach(AttachRequest::new(Name4::new("CH03"), StartCode::Start)).unwrap();
    assert_eq!(receiver.recv_timeout(LONG).unwrap(), (0, Mode::L8));
}

/// LINK gives the channel itself, in both directions; XCTL hands it on; START gives a copy.
#[test]
fn a_channel_goes_with_link_xctl_and_start() {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define_program("CHLAST", &[], |task| {
        assert_eq!(get(task, "GIVEN", "", None)?, (NORMAL, b"to xctl".to_vec()));
        assert_eq!(put(task, "GIVEN", "", b"and back", None)?, NORMAL);
        Ok(())
    });
    define_program("CHLINKED", &[], |task| {
        assert_eq!(get(task, "GIVEN", "", None)?, (NORMAL, b"to link".to_vec()));
        assert_eq!(put(task, "GIVEN", "", b"to xctl", None)?, NORMAL);
        let mut xctl = Call::new(command::XCTL);
        xctl.text(task, option::PROGRAM, "CHLAST").text(task, option::CHANNEL, "MINE");
        xctl.execute(task).map(|_| ())
    });
    define_program("CHSTART", &[], move |task| {
        let mut assign = Call::new(command::ASSIGN);
        assign.bytes(option::CHANNEL, &[0; 16]).execute(task)?;
        let name = task.region.code_page.text(&assign.result_bytes(option::CHANNEL)).trim_end().to_string();
        sender.lock().unwrap().send((task.start_code.text(), name, get(task, "GIVEN", "", None)?)).unwrap();
        Ok(())
    });
    define_transaction("CHST", "CHSTART");
    run("CH04", |task| {
        assert_eq!(put(task, "GIVEN", "MINE", b"to link", None)?, NORMAL);
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "CHLINKED").text(task, option::CHANNEL, "MINE");
        assert_eq!(response(&mut link, task)?, NORMAL);
        assert_eq!(get(task, "GIVEN", "MINE", None)?, (NORMAL, b"and back".to_vec()));
        let mut start = Call::new(command::START_CHANNEL);
        start.text(task, option::TRANSID, "CHST").text(task, option::CHANNEL, "MINE");
        assert_eq!(response(&mut start, task)?, NORMAL);
        // Too late for the task that was started.
        assert_eq!(put(task, "GIVEN", "MINE", b"changed", None)?, NORMAL);
        Ok(())
    })
    .unwrap();
    let started = receiver.recv_timeout(LONG).unwrap();
    assert_eq!(started, ("S", "MINE".to_string(), (NORMAL, b"and back".to_vec())));
}

/// Three thousand times what a communication area holds.
#[test]
fn a_channel_has_no_limit_of_32_kilobytes() {
    const PIECE: usize = 20_000_000;
    run("CH05", |task| {
        let piece: Vec<u8> = (0..PIECE).map(|at| (at % 253) as u8).collect();
        for container in ["A", "B"] {
            assert_eq!(put(task, container, "LARGE", &piece, None)?, NORMAL);
            assert_eq!(put_flagged(task, container, "LARGE", &piece, option::APPEND)?, NORMAL);
            let mut length = on_container(command::GET_CONTAINER, task, container, "LARGE");
            length.flag(option::NODATA).integer(option::FLENGTH, 0);
            assert_eq!(response(&mut length, task)?, NORMAL);
            assert_eq!(length.result(option::FLENGTH), Some(2 * PIECE as i64));
            let mut end = on_container(command::GET_CONTAINER, task, container, "LARGE");
            end.bytes(option::INTO, &[0; 10]).integer(option::FLENGTH, 10).integer(option::BYTEOFFSET, 2 * PIECE as i64 - 10);
            assert_eq!(response(&mut end, task)?, NORMAL);
            assert!(end.result_bytes(option::INTO) == piece[PIECE - 10..]);
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn containers_keep_their_type_and_are_converted() {
    let results = run("T013", |task| {
        let mut results = Vec::new();
        let mut put = Call::new(command::PUT_CONTAINER);
        put.text(task, option::CONTAINER, "C1")
            .text(task, option::CHANNEL, "CH")
            .bytes(option::FROM, b"ABC")
            .integer(option::FROMCCSID, 819);
        results.push(response(&mut put, task)?);
        let mut get = Call::new(command::GET_CONTAINER);
        get.text(task, option::CONTAINER, "C1").text(task, option::CHANNEL, "CH").bytes(option::INTO, &[0; 3]).integer(option::FLENGTH, 3);
        results.push(response(&mut get, task)?);
        assert_eq!(get.result_bytes(option::INTO), [0xC1, 0xC2, 0xC3]);
        let mut short = Call::new(command::GET_CONTAINER);
        short
            .text(task, option::CONTAINER, "C1")
            .text(task, option::CHANNEL, "CH")
            .bytes(option::INTO, &[0; 3])
            .integer(option::FLENGTH, 2);
        results.push(response(&mut short, task)?);
        assert_eq!(short.result(option::FLENGTH), Some(3));
        let mut other_type = Call::new(command::PUT_CONTAINER);
        other_type.text(task, option::CONTAINER, "C1").text(task, option::CHANNEL, "CH").bytes(option::FROM, b"X").flag(option::BIT);
        results.push(response(&mut other_type, task)?);
        let mut missing = Call::new(command::GET_CONTAINER);
        missing.text(task, option::CONTAINER, "C2").text(task, option::CHANNEL, "CH").flag(option::NODATA).integer(option::FLENGTH, 0);
        results.push(response(&mut missing, task)?);
        let mut no_channel = Call::new(command::GET_CONTAINER);
        no_channel.text(task, option::CONTAINER, "C2").flag(option::NODATA).integer(option::FLENGTH, 0);
        results.push(response(&mut no_channel, task)?);
        Ok(results)
    })
    .unwrap();
    let expected =
        [(0, 0), (0, 0), (condition::LENGERR.0, 11), (condition::INVREQ.0, 33), (condition::CONTAINERERR.0, 10), (condition::INVREQ.0, 4)];
    assert_eq!(results, expected);
}

#[test]
fn a_channel_passed_by_link_is_the_current_channel_there() {
    define_program("CHANNEL1", &[], |task| {
        let mut put = Call::new(command::PUT_CONTAINER);
        put.text(task, option::CONTAINER, "BACK").bytes(option::FROM, b"x");
        assert_eq!(response(&mut put, task)?, (0, 0));
        assert_eq!(task.level().unwrap().channel.as_ref().unwrap().name(), Name16::new("MYCHANNEL"));
        Ok(())
    });
    let count = run("T014", |task| {
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "CHANNEL1").text(task, option::CHANNEL, "MYCHANNEL");
        assert_eq!(response(&mut link, task)?, (0, 0));
        let mut query = Call::new(command::QUERY_CHANNEL);
        query.text(task, option::CHANNEL, "MYCHANNEL").integer(option::CONTAINERCNT, 0);
        assert_eq!(response(&mut query, task)?, (0, 0));
        Ok(query.result(option::CONTAINERCNT))
    })
    .unwrap();
    assert_eq!(count, Some(1));
}

/// DFHCHNL: every command counts, and a PUT that makes a container counts as a creation (PGCRECCT).
#[test]
fn the_commands_of_a_task_are_counted() {
    let counted = run("CHCT", |task| {
        let before = task.performance;
        assert_eq!(put(task, "ONE", "CT", b"12345", None)?, NORMAL);
        assert_eq!(put(task, "ONE", "CT", b"123", None)?, NORMAL);
        assert_eq!(put(task, "TWO", "CT", b"1", None)?, NORMAL);
        assert_eq!(get(task, "ONE", "CT", None)?.0, NORMAL);
        let after = task.performance;
        let difference = |of: fn(&region::Performance) -> u64| of(&after) - of(&before);
        Ok([
            difference(|of| of.container_total),
            difference(|of| of.container_puts),
            difference(|of| of.container_creations),
            difference(|of| of.container_gets),
            difference(|of| of.container_bytes_put),
            difference(|of| of.container_bytes_got),
        ])
    });
    assert_eq!(counted.unwrap(), [4, 3, 2, 1, 9, 3]);
}
