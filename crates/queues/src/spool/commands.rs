//! SPOOLOPEN INPUT and OUTPUT, SPOOLREAD, SPOOLWRITE and SPOOLCLOSE.

use super::report::{Description, RECORD_BYTES_MAX, Report, TOKEN_BYTES};
use super::{Spool, TaskSpool, directory, is_there};
use exec::resp2::spool as resp2;
use exec::{CommandId, command, condition, option};
use region::name::Name8;
use region::storage_access::Area;
use region::{Arguments, Handler, Outcome, Raised, Task, raise};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};
use vsam::disk::names::is_plain_name;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::SPOOLOPEN_INPUT, open_input),
        (command::SPOOLOPEN_OUTPUT, open_output),
        (command::SPOOLREAD, read),
        (command::SPOOLWRITE, write),
        (command::SPOOLCLOSE, close),
    ]
}

/// The class of a report that is opened without one.
const DEFAULT_CLASS: u8 = b'A';
/// The first characters of a user's name that are those of the region's.
const APPLID_CHARACTERS: usize = 4;
/// Longest text of OUTDESCR.
const OUTPUT_BYTES_MAX: i32 = 32_767;

fn check_interface(task: &Task) -> Outcome {
    if is_there(task.region) { Ok(()) } else { raise(condition::NOSPOOL, resp2::NO_SUBSYSTEM) }
}

/// A letter or a digit.
fn class(arguments: &Arguments) -> Result<Option<u8>, Raised> {
    let Some(name) = arguments.name::<1>(option::CLASS)? else { return Ok(None) };
    match name.as_bytes() {
        [class] if class.is_ascii_uppercase() || class.is_ascii_digit() => Ok(Some(*class)),
        _ => raise(condition::ILLOGIC, resp2::CLASS),
    }
}

fn token(number: u64) -> [u8; TOKEN_BYTES] {
    format!("{:08X}", number & 0xFFFF_FFFF).into_bytes().try_into().expect("eight digits")
}

/// A name for the files of a report: later ones are greater.
fn file_name(number: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:014}-{number:06}", now.as_millis())
}

fn give_token(task: &mut Task, arguments: &mut Arguments, report: Report) -> Outcome {
    let token = task.region.code_page.encode(&String::from_utf8_lossy(&report.token));
    TaskSpool::of_mut(&mut task.parts).reports.push(report);
    arguments.set_bytes(option::TOKEN, &token)
}

fn open_input(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    check_interface(task)?;
    let region = task.region;
    let user: Name8 = arguments.name(option::USERID)?.unwrap_or_default();
    if user.is_blank() {
        return raise(condition::INVREQ, resp2::NO_USERID);
    }
    let class = class(arguments)?;
    if user.as_bytes()[..APPLID_CHARACTERS] != region.applid.as_bytes()[..APPLID_CHARACTERS] || !is_plain_name(user.as_str()) {
        return raise(condition::NOTAUTH, resp2::NONE);
    }
    claim(task)?;
    let number = Spool::of(region).opened.fetch_add(1, Ordering::Relaxed) + 1;
    let opened = task.on_resource_owning_tcb(|_| {
        let path = directory::next(region, user, class)?;
        Some(Report::open(path, token(number)))
    });
    match opened {
        Some(Ok(report)) => {
            // The next syncpoint closes it.
            task.touch_unit_of_work();
            give_token(task, arguments, report)
        }
        Some(Err(error)) => {
            *Spool::of(region).reader.lock() = None;
            failed(condition::OPENERR, &error)
        }
        None => {
            *Spool::of(region).reader.lock() = None;
            raise(condition::NOTFND, resp2::NO_REPORT)
        }
    }
}

/// One task reads at a time.
fn claim(task: &Task) -> Outcome {
    let mut reader = Spool::of(task.region).reader.lock();
    match *reader {
        Some(number) if number == task.number => raise(condition::SPOLBUSY, resp2::BUSY_BY_TASK),
        Some(_) => raise(condition::SPOLBUSY, resp2::BUSY_BY_OTHER),
        None => {
            *reader = Some(task.number);
            Ok(())
        }
    }
}

/// Gives up the input side of the spool with its report.
pub(super) fn release(task: &Task, report: &Report) {
    let mut reader = Spool::of(task.region).reader.lock();
    if report.is_input() && *reader == Some(task.number) {
        *reader = None;
    }
}

fn failed<T>(condition: exec::Condition, error: &std::io::Error) -> Result<T, Raised> {
    tracing::error!(target: "region::spool", %error, "a request to the spool failed");
    raise(condition, resp2::NONE)
}

fn open_output(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    check_interface(task)?;
    let region = task.region;
    let named = |name: Option<Name8>, missing: i32| match name {
        Some(name) if !name.is_blank() => Ok(name),
        _ => raise(condition::INVREQ, missing),
    };
    let user = named(arguments.name(option::USERID)?, resp2::NO_USERID)?;
    let node = named(arguments.name(option::NODE)?, resp2::NO_NODE)?;
    let is_name = |name: Name8| name.as_str() == "*" || is_plain_name(name.as_str());
    if !is_name(user) || !is_name(node) || (node.as_str() == "*") != (user.as_str() == "*") {
        return raise(condition::NODEIDERR, resp2::NONE);
    }
    let record_bytes = arguments.integer(option::RECORDLENGTH).unwrap_or(RECORD_BYTES_MAX as i64);
    let Some(record_bytes) = usize::try_from(record_bytes).ok().filter(|length| *length <= RECORD_BYTES_MAX) else {
        return raise(condition::LENGERR, resp2::NONE);
    };
    let class = class(arguments)?.unwrap_or(DEFAULT_CLASS);
    let output = output_description(task, arguments)?;
    let first = |choices: [(exec::OptionId, &'static str); 2], other| {
        choices.iter().find(|(option, _)| arguments.has(*option)).map_or(other, |(_, name)| *name)
    };
    let description = Description {
        node: node.as_str(),
        user: user.as_str(),
        class,
        control: first([(option::ASA, "ASA"), (option::MCC, "MCC")], if arguments.has(option::NOCC) { "NOCC" } else { "" }),
        device: first([(option::PUNCH, "PUNCH"), (option::PRINT, "PRINT")], "PRINT"),
        record_bytes: if record_bytes == 0 { RECORD_BYTES_MAX } else { record_bytes },
        output: &output,
        transid: task.transid.as_str(),
        owner: task.user_id.as_str(),
    };
    let destination: PathBuf = directory::destination(region, node, user, class);
    let number = Spool::of(region).opened.fetch_add(1, Ordering::Relaxed) + 1;
    match Report::create(region, &file_name(number), token(number), destination, &description) {
        Ok(report) => give_token(task, arguments, report),
        Err(error) => failed(condition::ALLOCERR, &error),
    }
}

/// OUTDESCR: the address of a pointer to the length and the text of the operands of an OUTPUT statement.
fn output_description(task: &Task, arguments: &Arguments) -> Result<String, Raised> {
    let Some(address) = arguments.integer(option::OUTDESCR) else { return Ok(String::new()) };
    let word = |address: i64| -> Result<i32, Raised> {
        let bytes = Area::new(address as usize, size_of::<i32>()).read()?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | i32::from(*byte)))
    };
    let text = i64::from(word(address)? & i32::MAX);
    let length = word(text)?;
    if !(1..=OUTPUT_BYTES_MAX).contains(&length) {
        return raise(condition::OUTDESCRERR, resp2::NONE);
    }
    let bytes = Area::new(text as usize + size_of::<i32>(), length as usize).read()?;
    let text = task.region.code_page.text(&bytes).trim().to_string();
    let depth = text.chars().try_fold(0u32, |depth, letter| match letter {
        '(' => depth.checked_add(1),
        ')' => depth.checked_sub(1),
        letter => (!letter.is_control()).then_some(depth),
    });
    if depth == Some(0) && text.contains('(') { Ok(text) } else { raise(condition::OUTDESCRERR, resp2::NONE) }
}

/// The place of the report of TOKEN.
fn place(task: &Task, arguments: &Arguments) -> Result<usize, Raised> {
    check_interface(task)?;
    let bytes = arguments.bytes_of_length(option::TOKEN, TOKEN_BYTES)?.unwrap_or_default();
    let token = task.region.code_page.text(&bytes);
    let reports = &TaskSpool::of(&task.parts).reports;
    let found = reports.iter().position(|report| report.token == token.as_bytes());
    found.ok_or(Raised::new(condition::NOTOPEN, resp2::NOT_OPEN))
}

fn read(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let place = place(task, arguments)?;
    let Some(area) = arguments.area(option::INTO) else { return raise(condition::INVREQ, resp2::NO_INTO) };
    let room = arguments.integer(option::MAXFLENGTH).unwrap_or(area.length.min(RECORD_BYTES_MAX) as i64);
    let Some(room) = usize::try_from(room).ok().filter(|room| *room <= RECORD_BYTES_MAX) else {
        return raise(condition::LENGERR, resp2::NONE);
    };
    let region = task.region;
    let report = &mut TaskSpool::of_mut(&mut task.parts).reports[place];
    if !report.is_input() {
        return raise(condition::INVREQ, resp2::UNSUPPORTED);
    }
    if report.is_at_end() {
        return raise(condition::INVREQ, resp2::AFTER_END);
    }
    let record = match report.next(region) {
        Ok(Some(record)) => record.to_vec(),
        Ok(None) => return raise(condition::ENDFILE, resp2::NONE),
        Err(error) => return failed(condition::SPOLERR, &error),
    };
    let fits = record.len().min(room);
    if fits == record.len() {
        report.pass();
    }
    arguments.set_bytes_unbounded(option::INTO, &record[..fits])?;
    arguments.set_integer(option::TOFLENGTH, record.len() as i64);
    // RESP2 is the length of what is cut; the record is read again by the next SPOOLREAD.
    let cut = (record.len() - fits) as i32;
    if cut == 0 { Ok(()) } else { raise(condition::LENGERR, cut) }
}

fn write(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let place = place(task, arguments)?;
    let Some(area) = arguments.area(option::FROM) else { return raise(condition::INVREQ, resp2::NO_FROM) };
    let length = arguments.integer(option::FLENGTH).unwrap_or(area.length as i64);
    let region = task.region;
    let report = &TaskSpool::of(&task.parts).reports[place];
    if report.is_input() {
        return raise(condition::INVREQ, resp2::UNSUPPORTED);
    }
    let most = report.record_bytes as i64;
    if !(0..=RECORD_BYTES_MAX as i64).contains(&length) {
        return raise(condition::LENGERR, resp2::NONE);
    }
    if length == 0 || length > most {
        // RESP2 is the difference between the length and the longest record.
        let difference = (length - most) as i32;
        return raise(condition::LENGERR, difference);
    }
    let data = arguments.bytes_of_length(option::FROM, length as usize)?.unwrap_or_default();
    let report = &mut TaskSpool::of_mut(&mut task.parts).reports[place];
    match report.write(region, &data) {
        Ok(_) => Ok(()),
        Err(error) => failed(condition::SPOLERR, &error),
    }
}

fn close(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let place = place(task, arguments)?;
    let report = TaskSpool::of_mut(&mut task.parts).reports.swap_remove(place);
    // "When an INPUT report is explicitly closed by a SPOOLCLOSE command, the default disposition is DELETE. In all other cases KEEP."
    let keep = if report.is_input() { arguments.has(option::KEEP) } else { !arguments.has(option::DELETE) };
    release(task, &report);
    match task.on_resource_owning_tcb(|_| report.close(keep)) {
        Ok(()) => Ok(()),
        Err(error) => failed(condition::STRELERR, &error),
    }
}
