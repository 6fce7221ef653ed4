//! Storage control: GETMAIN and FREEMAIN.
//!
//! Storage of a task comes from the kernel's task storage and ends with the task; SHARED storage stays until a task frees it. Location
//! follows CICS: FLENGTH without BELOW is anywhere below 2 GB, LENGTH and BELOW are below 16 MB.

use crate::{Arguments, Domain, Handler, Outcome, Task, raise};
use exec::resp2::storage_control as resp2;
use exec::{CommandId, command, condition, option};
use kernel::storage::{Getmain, Key, Line, StorageError};

/// What this domain is made of.
pub static DOMAIN: Domain = Domain { name: "storage control", commands: &[handlers], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::GETMAIN, getmain), (command::FREEMAIN, freemain), (command::GETMAIN64, getmain), (command::FREEMAIN64, freemain)]
}

/// Longest request; CICS refuses what no DSA could ever hold.
const LENGTH_MAX: i64 = 1 << 30;
const LENGTH_BELOW_MAX: i64 = 16 << 20;
/// Longest request by LENGTH, an unsigned halfword.
const LENGTH_HALFWORD_MAX: i64 = 65_520;

fn getmain(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let halfword = arguments.integer(option::LENGTH);
    // LENGTH is an unsigned halfword to CICS: 32,768 to 65,520 arrive negative from a PIC S9(4).
    let short = halfword.map(|length| if length < 0 { length + 65_536 } else { length });
    let is_64 = arguments.command == command::GETMAIN64;
    let below = arguments.has(option::BELOW) || halfword.is_some();
    let length = arguments.integer(option::FLENGTH).or(short).unwrap_or(0);
    let length_max = if below { LENGTH_BELOW_MAX } else { LENGTH_MAX };
    if length <= 0 || length > length_max || short.is_some_and(|length| length > LENGTH_HALFWORD_MAX) {
        return raise(condition::LENGERR, resp2::LENGTH);
    }
    let key = if arguments.has(option::CICSDATAKEY) {
        Key::Cics
    } else if arguments.has(option::USERDATAKEY) {
        Key::User
    } else {
        task.data_key()
    };
    let line = if is_64 && !arguments.has(option::BELOW) {
        Line::Above
    } else if below {
        Line::Below16M
    } else {
        Line::Below2G
    };
    let initial = arguments.bytes_of_length(option::INITIMG, 1)?.map(|bytes| bytes[0]);
    let request = Getmain { length: length as usize, line, key, initial };
    match line {
        Line::Below16M => task.performance.storage_getmains_below += 1,
        _ => task.performance.storage_getmains_extended += 1,
    }
    task.performance.storage_getmains_user += 1;
    // A program that handles NOSTG is told at once instead of waiting.
    let handled = task.handles(arguments, condition::NOSTG);
    let no_suspend = arguments.has(option::NOSUSPEND) || handled;
    let address =
        if arguments.has(option::SHARED) { task.getmain_shared(request, no_suspend)? } else { task.getmain(request, no_suspend)? };
    arguments.set_integer(option::SET, address as i64);
    Ok(())
}

fn freemain(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let pointer = arguments.integer(option::DATAPOINTER).map(|value| value as usize);
    let Some(address) = pointer.or_else(|| arguments.area(option::DATA).map(|area| area.address)) else {
        return raise(condition::INVREQ, resp2::NOT_AN_AREA);
    };
    let region = task.region;
    match task.storage.freemain(address) {
        Ok(_) => Ok(()),
        Err(StorageError::NotOwned) => match region.storage.freemain_shared(address) {
            Ok(_) => Ok(()),
            Err(_) => raise(condition::INVREQ, resp2::NOT_AN_AREA),
        },
        Err(StorageError::Violation(violation)) => {
            region.storage_violation(task.number, &violation);
            Ok(())
        }
        Err(_) => raise(condition::INVREQ, resp2::NOT_AN_AREA),
    }
}
