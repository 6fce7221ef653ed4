//! PERFORM DUMP.

use crate::dump::codes::{Suppressor, valid_code};
use crate::dump::system::{self, Failure, Request, Taken};
use crate::name::Name8;
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::dump_requests as resp2;
use exec::{OptionId, condition, option};

/// Longest TITLE and CALLER.
const TITLE_LENGTH_MAX: i64 = 80;
const CALLER_LENGTH_MAX: i64 = 8;

pub(super) fn dump(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::DUMPCODE)?.unwrap_or_default();
    let title = text(arguments, option::TITLE, option::TITLELENGTH, TITLE_LENGTH_MAX, resp2::TITLE_LENGTH)?;
    let caller = text(arguments, option::CALLER, option::CALLERLENGTH, CALLER_LENGTH_MAX, resp2::CALLER_LENGTH)?;
    let Some(code) = valid_code(name.as_str()) else { return raise(condition::INVREQ, resp2::DUMPCODE) };
    let symptoms = format!("RIDS/{} MS/{code}", task.program_name());
    let message = format!("Requested by transaction {} of {}", task.transid, task.user_id);
    match system::request(task, code, Request { title, caller, symptoms, message, sections: Vec::new() }) {
        Taken::Written { id, .. } => arguments.set_text(option::DUMPID, &id),
        Taken::Suppressed(Suppressor::Table) => raise(condition::SUPPRESSED, resp2::SUPPRESSED_BY_TABLE),
        Taken::Suppressed(Suppressor::Exit) => raise(condition::SUPPRESSED, resp2::SUPPRESSED_BY_EXIT),
        Taken::Suppressed(Suppressor::Global) => raise(condition::SUPPRESSED, resp2::SUPPRESSED_GLOBALLY),
        Taken::Failed(failure) => Err(raised(&failure)),
    }
}

fn raised(failure: &Failure) -> Raised {
    match failure {
        Failure::Busy => Raised::new(condition::SYSBUSY, resp2::SYSTEM_DUMP_BUSY),
        Failure::Storage => Raised::new(condition::NOSTG, resp2::NO_STORAGE),
        Failure::NoSpace(_) => Raised::new(condition::NOSPACE, resp2::NO_SPACE),
        Failure::Io(_) => Raised::new(condition::IOERR, resp2::NOT_WRITTEN),
    }
}

/// A text with its length; one without is as long as its area, up to the limit.
fn text(arguments: &Arguments, option: OptionId, length: OptionId, most: i64, fault: i32) -> Result<String, Raised> {
    let Some(area) = arguments.area(option) else { return Ok(String::new()) };
    let length = arguments.integer(length).unwrap_or((area.length as i64).min(most));
    if !(0..=most).contains(&length) {
        return raise(condition::INVREQ, fault);
    }
    let bytes = arguments.bytes_of_length(option, length as usize)?.unwrap_or_default();
    let shown = arguments.code_page().text(&bytes);
    Ok(shown.chars().map(|c| if c.is_control() { '.' } else { c }).collect::<String>().trim_end().to_string())
}
