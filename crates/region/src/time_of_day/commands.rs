//! ASKTIME, FORMATTIME and CONVERTTIME.

use super::format::{self, DateForm};
use crate::clock::{Abstime, now_local, utc_offset_seconds};
use crate::{Arguments, Handler, Outcome, Raised, Task, raise};
use exec::resp2::time_of_day as resp2;
use exec::{CommandId, OptionId, command, condition, cvda, eib, option};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::ASKTIME, asktime), (command::FORMATTIME, formattime), (command::CONVERTTIME, converttime)]
}

/// 9999-12-31 23:59:59.999.
const ABSTIME_MAX: i64 = 255_611_375_999_999;

fn asktime(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let now = now_local();
    task.eib.set_packed(eib::EIBTIME, now.hhmmss());
    task.eib.set_packed(eib::EIBDATE, now.cyyddd());
    task.performance.asktimes += 1;
    task.performance.asktime_total += 1;
    arguments.set_integer(option::ABSTIME, now.0);
    Ok(())
}

/// The separator of an option: none if it is absent, its default if it has no value.
fn separator(arguments: &Arguments, option: OptionId, default: char) -> Result<Option<char>, Raised> {
    if !arguments.has(option) {
        return Ok(None);
    }
    let given = arguments.bytes_of_length(option, 1)?;
    Ok(Some(given.map_or(default, |bytes| arguments.code_page().page().character_of(bytes[0]))))
}

fn formattime(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let value = arguments.integer(option::ABSTIME).unwrap_or(-1);
    if !(0..=ABSTIME_MAX).contains(&value) {
        return raise(condition::INVREQ, resp2::ABSTIME);
    }
    task.performance.asktime_total += 1;
    let time = Abstime(value);
    let form = DateForm::from_sit(task.region.sit.get("DATFORM"));
    let date_separator = separator(arguments, option::DATESEP, '/')?;
    let time_separator = separator(arguments, option::TIMESEP, ':')?;
    let pictures: [(OptionId, &str); 12] = [
        (option::DATE, form.picture(false)),
        (option::FULLDATE, form.picture(true)),
        (option::DDMMYY, "DD MM YY"),
        (option::DDMMYYYY, "DD MM YYYY"),
        (option::MMDDYY, "MM DD YY"),
        (option::MMDDYYYY, "MM DD YYYY"),
        (option::YYMMDD, "YY MM DD"),
        (option::YYYYMMDD, "YYYY MM DD"),
        (option::YYDDMM, "YY DD MM"),
        (option::YYYYDDMM, "YYYY DD MM"),
        (option::YYDDD, "YY DDD"),
        (option::YYYYDDD, "YYYY DDD"),
    ];
    let code_page = arguments.code_page();
    for (option, picture) in pictures {
        if arguments.has(option) {
            // Only the bytes of the form are stored: programs pass areas of exactly that length.
            let text = format::date_by_picture(time, picture, date_separator);
            arguments.set_bytes(option, &code_page.encode(&text))?;
        }
    }
    if arguments.has(option::TIME) {
        arguments.set_bytes(option::TIME, &code_page.encode(&format::time_of(time, time_separator)))?;
    }
    if arguments.has(option::DATEFORM) {
        arguments.set_bytes(option::DATEFORM, &code_page.encode(form.name()))?;
    }
    let date = time.date();
    arguments.set_integer(option::DAYCOUNT, time.days());
    arguments.set_integer(option::DAYOFMONTH, i64::from(date.day));
    arguments.set_integer(option::DAYOFWEEK, i64::from(time.day_of_week()));
    arguments.set_integer(option::MONTHOFYEAR, i64::from(date.month));
    arguments.set_integer(option::YEAR, date.year);
    arguments.set_integer(option::MILLISECONDS, value.rem_euclid(1000));
    date_string(arguments, time)
}

fn date_string(arguments: &mut Arguments, time: Abstime) -> Outcome {
    if !arguments.has(option::DATESTRING) {
        return Ok(());
    }
    let unix_seconds = time.0 / 1000 - crate::clock::DAYS_1900_TO_1970 * 86_400;
    let offset = utc_offset_seconds(unix_seconds);
    let gmt = Abstime(time.0 - offset * 1000);
    let text = match arguments.integer(option::STRINGFORMAT) {
        None | Some(cvda::RFC1123) => format::rfc1123(gmt),
        Some(cvda::RFC3339) => match arguments.integer(option::STRINGZONE) {
            None | Some(cvda::UTC) => format::rfc3339(gmt, None),
            Some(cvda::LOCAL) => format::rfc3339(time, Some(offset)),
            Some(_) => return raise(condition::INVREQ, resp2::STRINGZONE),
        },
        Some(_) => return raise(condition::INVREQ, resp2::STRINGFORMAT),
    };
    arguments.set_fixed_text(option::DATESTRING, &text, 29)
}

fn converttime(_task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let text = arguments.text(option::DATESTRING)?.unwrap_or_default();
    let Some(gmt) = format::parse_date_string(&text) else {
        return raise(condition::INVREQ, resp2::DATESTRING);
    };
    let unix_seconds = gmt.0 / 1000 - crate::clock::DAYS_1900_TO_1970 * 86_400;
    let local = gmt.0 + utc_offset_seconds(unix_seconds) * 1000;
    arguments.set_integer(option::ABSTIME, local);
    Ok(())
}
