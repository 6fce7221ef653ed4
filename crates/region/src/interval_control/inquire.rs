//! INQUIRE REQID: requests of interval control that have not expired.
//!
//! Rules: "INQUIRE REQID" (System Programming Reference). The expiry is given as a time of day by TIME and AT, as the time that is left by
//! INTERVAL and AFTER.

use super::IntervalControl;
use super::pending::Outstanding;
use crate::clock::{Abstime, now_local};
use crate::control_blocks::options::NULL_POINTER;
use crate::inquiry::{BrowseStep, either};
use crate::name::{Name4, Name8};
use crate::{Arguments, Outcome, Task, raise};
use exec::resp2::interval_control as resp2;
use exec::{condition, cvda, option};

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let interval = IntervalControl::of(task.region);
    let step = task.browse_step(arguments, option::REQID, || interval.request_ids(), |id: Name8| interval.is_pending(id))?;
    let BrowseStep::One(id) = step else { return Ok(()) };
    let Some(request) = interval.outstanding(id) else { return raise(condition::NOTFND, resp2::NO_REQUEST_TO_INQUIRE) };
    match &request {
        Outstanding::Start(start) => {
            arguments.set_integer(option::REQTYPE, cvda::START);
            let has_header = start.data.function_management_header;
            arguments.set_integer(option::FMHSTATUS, either(has_header, cvda::FMH, cvda::NOFMH));
            give_due(arguments, start.due.unwrap_or_else(now_local));
            arguments.set_name(option::TRANSID, &start.transid)?;
            arguments.set_name(option::TERMID, &start.terminal.unwrap_or_default())?;
            arguments.set_name(option::USERID, &start.user_id)?;
            arguments.set_name(option::RTRANSID, &start.data.return_transid.unwrap_or_default())?;
            arguments.set_name(option::RTERMID, &start.data.return_terminal.unwrap_or_default())?;
            arguments.set_name(option::QUEUE, &start.data.queue.unwrap_or_default())?;
            give_data(task, arguments, start.data.data.as_deref())
        }
        Outstanding::OfTask { is_delay, issuer } => {
            arguments.set_integer(option::REQTYPE, either(*is_delay, cvda::DELAY, cvda::POST));
            arguments.set_integer(option::FMHSTATUS, cvda::NOTAPPLIC);
            give_due(arguments, issuer.due);
            arguments.set_name(option::TRANSID, &issuer.transid)?;
            arguments.set_name(option::TERMID, &Name4::BLANK)?;
            arguments.set_name(option::USERID, &issuer.user_id)?;
            arguments.set_blank(&[option::RTRANSID, option::RTERMID, option::QUEUE])?;
            give_data(task, arguments, None)
        }
    }
}

fn give_due(arguments: &mut Arguments, due: Abstime) {
    let left_seconds = ((due.0 - now_local().0).max(0) + 999) / 1000;
    arguments.set_integer(option::TIME, i64::from(due.hhmmss()));
    arguments.set_integer(option::INTERVAL, hhmmss(left_seconds));
    let seconds = if arguments.has(option::AT) { i64::from(due.seconds_of_day()) } else { left_seconds };
    arguments.set_integers([(option::HOURS, seconds / 3600), (option::MINUTES, seconds / 60 % 60), (option::SECONDS, seconds % 60)]);
    debug_assert!(!(arguments.has(option::AT) && arguments.has(option::AFTER)), "the translator takes one of them");
}

fn hhmmss(seconds: i64) -> i64 {
    seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60
}

fn give_data(task: &mut Task, arguments: &mut Arguments, data: Option<&[u8]>) -> Outcome {
    arguments.set_integer(option::LENGTH, data.map_or(0, |data| data.len() as i64));
    if arguments.has(option::SET) {
        let address = match data {
            Some(data) => task.level_storage(data)? as i64,
            None => NULL_POINTER,
        };
        arguments.set_integer(option::SET, address);
    }
    Ok(())
}
