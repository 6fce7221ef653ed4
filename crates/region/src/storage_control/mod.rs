//! Storage control: GETMAIN and FREEMAIN.
//!
//! Storage of a task comes from the kernel's task storage and ends with the task; SHARED storage stays until a task frees it. Location
//! follows CICS: FLENGTH without BELOW is anywhere below 2 GB, LENGTH and BELOW are below 16 MB; GETMAIN64 is above 2 GB, or where LOCATION says.
//!
//! Invariant: FREEMAIN frees what GETMAIN obtained, and pages of BMS (FREEMAIN, option DATA). The EIB, the CWA and whatever else the region
//! obtained for itself or for a SET option is not the program's to free: others have its address, and free it later.

use crate::{Arguments, Domain, Handler, Outcome, Performance, Raised, Task, raise};
use exec::resp2::storage_control as resp2;
use exec::{CommandId, command, condition, cvda, option};
use kernel::storage::{Dsa, Getmain, Key, Line, StorageError};

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "storage control", commands: &[handlers], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::GETMAIN, getmain), (command::FREEMAIN, freemain), (command::GETMAIN64, getmain), (command::FREEMAIN64, freemain)]
}

/// Longest request below 2 GB; CICS refuses lengths that no DSA could ever hold. Above, MEMLIMIT is the limit.
const LENGTH_MAX: i64 = 1 << 30;
const LENGTH_BELOW_MAX: i64 = 16 << 20;
/// Longest request by LENGTH, an unsigned halfword.
const LENGTH_HALFWORD_MAX: i64 = 65_520;
/// What shared storage above the bar is counted in.
const PAGE: usize = 4096;

fn getmain(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let halfword = arguments.integer(option::LENGTH);
    // LENGTH is an unsigned halfword to CICS: 32,768 to 65,520 arrive negative from a PIC S9(4).
    let short = halfword.map(|length| if length < 0 { length + 65_536 } else { length });
    let line = line(arguments, halfword.is_some())?;
    let length = arguments.integer(option::FLENGTH).or(short).unwrap_or(0);
    let length_max = match line {
        Line::Below16M => LENGTH_BELOW_MAX,
        Line::Below2G => LENGTH_MAX,
        Line::Above => i64::MAX,
    };
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
    let initial = arguments.bytes_of_length(option::INITIMG, 1)?.map(|bytes| bytes[0]);
    let request = Getmain { length: length as usize, line, key, initial };
    // A program that handles NOSTG is told at once instead of waiting.
    let handled = task.handles(arguments, condition::NOSTG);
    let no_suspend = arguments.has(option::NOSUSPEND) || handled;
    let shared = arguments.has(option::SHARED);
    count(&mut task.performance, request, shared);
    let address = match shared {
        true => task.obtain(no_suspend, || task.region.storage.getmain_shared_of_program(request))?,
        false => task.getmain(request, no_suspend)?,
    };
    if shared {
        *shared_bytes(&mut task.performance, line).0 += in_units_of(line, request.length);
    } else {
        task.storage.hand_out(line, key, address);
    }
    arguments.set_integer(option::SET, address as i64);
    Ok(())
}

/// Where the storage is to be. GETMAIN64 is for 64-bit storage, unless LOCATION says another.
fn line(arguments: &Arguments, is_halfword: bool) -> Result<Line, Raised> {
    if arguments.command == command::GETMAIN64 {
        return match arguments.integer(option::LOCATION) {
            None => Ok(Line::Above),
            Some(cvda::LOC24) => Ok(Line::Below16M),
            Some(cvda::LOC31) => Ok(Line::Below2G),
            Some(_) => raise(condition::INVREQ, resp2::REQUEST),
        };
    }
    Ok(if arguments.has(option::BELOW) || is_halfword { Line::Below16M } else { Line::Below2G })
}

/// Counts a request, whatever comes of it.
fn count(performance: &mut Performance, request: Getmain, shared: bool) {
    let counter = match (shared, request.line, request.key) {
        (true, Line::Below16M, _) => &mut performance.getmains_shared_24,
        (true, Line::Below2G, _) => &mut performance.getmains_shared_31,
        (true, Line::Above, _) => &mut performance.getmains_shared_64,
        (false, Line::Below16M, Key::User) => &mut performance.getmains_udsa,
        (false, Line::Below2G, Key::User) => &mut performance.getmains_eudsa,
        (false, Line::Above, Key::User) => &mut performance.getmains_gudsa,
        (false, Line::Below16M, Key::Cics) => &mut performance.getmains_cdsa,
        (false, Line::Below2G, Key::Cics) => &mut performance.getmains_ecdsa,
        (false, Line::Above, Key::Cics) => &mut performance.getmains_gcdsa,
    };
    *counter += 1;
}

/// What a task got and gave back of the shared storage of a line.
fn shared_bytes(performance: &mut Performance, line: Line) -> (&mut u64, &mut u64) {
    match line {
        Line::Below16M => (&mut performance.shared_bytes_got_24, &mut performance.shared_bytes_freed_24),
        Line::Below2G => (&mut performance.shared_bytes_got_31, &mut performance.shared_bytes_freed_31),
        Line::Above => (&mut performance.shared_pages_got_64, &mut performance.shared_pages_freed_64),
    }
}

/// Bytes, and pages above the bar.
fn in_units_of(line: Line, length: usize) -> u64 {
    match line {
        Line::Above => length.div_ceil(PAGE) as u64,
        _ => length as u64,
    }
}

fn line_of(address: usize) -> Line {
    if address < 1 << 24 {
        Line::Below16M
    } else if address < 1 << 31 {
        Line::Below2G
    } else {
        Line::Above
    }
}

fn freemain(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let pointer = arguments.integer(option::DATAPOINTER).map(|value| value as usize);
    let Some(address) = pointer.or_else(|| arguments.area(option::DATA).map(|area| area.address)) else {
        return raise(condition::INVREQ, resp2::NOT_AN_AREA);
    };
    let freed = free(task, address);
    task.region.tell_recovered_storage();
    freed
}

/// Frees storage that a program obtained: of the task, or shared.
fn free(task: &mut Task, address: usize) -> Outcome {
    let region = task.region;
    // "You can release CICS-key storage from a program only if it is being executed in CICS key" (FREEMAIN).
    if task.runs_in_user_key() && region.storage.dsa_at(address).map(Dsa::key) == Some(Key::Cics) {
        return raise(condition::INVREQ, resp2::CICS_KEY);
    }
    let freed = match task.storage.freemain_of_program(address) {
        Err(StorageError::NotOwned) => region.storage.freemain_shared_of_program(address).map(|length| {
            let line = line_of(address);
            *shared_bytes(&mut task.performance, line).1 += in_units_of(line, length);
        }),
        freed => freed.map(|_| ()),
    };
    match freed {
        Ok(()) => Ok(()),
        Err(StorageError::Violation(violation)) => {
            region.storage_violation(task.number, &violation);
            Ok(())
        }
        Err(_) => raise(condition::INVREQ, resp2::NOT_AN_AREA),
    }
}
