//! ENTER TRACENUM and ENTER TRACEID: trace entries of programs.

use crate::name::Name8;
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::trace as resp2;
use exec::{condition, option};
use kernel::trace::{self, Value};

/// Numbers that a program may use.
const NUMBERS: std::ops::RangeInclusive<i64> = 0..=199;
/// Bytes that FROM may have.
const LENGTHS: std::ops::RangeInclusive<i64> = 0..=4000;
/// The data without FROMLENGTH, and without FROM: two fullwords.
const LENGTH_DEFAULT: i64 = 8;

fn number(arguments: &Arguments, option: exec::OptionId) -> Result<u16, Raised> {
    match arguments.integer(option).filter(|number| NUMBERS.contains(number)) {
        Some(number) => Ok(number as u16),
        None => raise(condition::INVREQ, resp2::TRACENUM),
    }
}

/// An entry is refused if there is no destination for it, or the main user trace flag is off; an exception is always taken.
fn check_destinations(is_exception: bool) -> Outcome {
    let flags = trace::flags();
    if is_exception {
        Ok(())
    } else if !flags.has_destination() {
        raise(condition::INVREQ, resp2::NO_DESTINATION)
    } else if !flags.user {
        raise(condition::INVREQ, resp2::USER_OFF)
    } else {
        Ok(())
    }
}

pub(super) fn enter_tracenum(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let number = number(arguments, option::TRACENUM)?;
    let length = arguments.integer(option::FROMLENGTH).unwrap_or(LENGTH_DEFAULT);
    if !LENGTHS.contains(&length) {
        return raise(condition::LENGERR, resp2::LENGTH);
    }
    let is_exception = arguments.has(option::EXCEPTION);
    check_destinations(is_exception)?;
    write(task, arguments, number, length as usize, is_exception)
}

/// The form before release 3: FROM has eight bytes.
pub(super) fn enter_traceid(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let number = number(arguments, option::TRACEID)?;
    check_destinations(false)?;
    write(task, arguments, number, LENGTH_DEFAULT as usize, false)
}

fn write(task: &mut Task, arguments: &Arguments, number: u16, length: usize, is_exception: bool) -> Outcome {
    let data = arguments.bytes_of_length(option::FROM, length)?.unwrap_or_else(|| vec![0; LENGTH_DEFAULT as usize]);
    let resource: Name8 = arguments.name(option::RESOURCE)?.unwrap_or_default();
    let program = task.program_name();
    let values = [Value::Text(resource.as_str()), Value::Text(program.as_str()), Value::Number(arguments.line.into()), Value::Data(&data)];
    trace::user_entry(number, is_exception, &values);
    Ok(())
}
