//! WRITE OPERATOR.

use crate::operator::Operator;
use crate::{Arguments, Handler, Outcome, Task, raise};
use exec::resp2::operator as resp2;
use exec::{CommandId, command, condition, cvda, option};
use kernel::{Name16, Wait};
use std::time::Duration;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::WRITE_OPERATOR, write_operator)]
}

const TEXT_BYTES_MAX: i64 = 690;
const REPLY_TEXT_BYTES_MAX: i64 = 121;
const REPLY_BYTES_MAX: i64 = 119;

fn write_operator(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let area = arguments.area(option::TEXT);
    let length = arguments.integer(option::TEXTLENGTH).unwrap_or(area.map_or(0, |area| area.length as i64));
    let asks = arguments.has(option::REPLY);
    let text_max = if asks { REPLY_TEXT_BYTES_MAX } else { TEXT_BYTES_MAX };
    if !(0..=text_max).contains(&length) {
        return raise(condition::INVREQ, resp2::TEXTLENGTH);
    }
    if arguments.integer(option::NUMROUTES).is_some_and(|count| !(1..=28).contains(&count)) {
        return raise(condition::INVREQ, resp2::NUMROUTES);
    }
    if arguments.integer(option::ACTION).is_some_and(|action| ![cvda::CRITICAL, cvda::EVENTUAL, cvda::IMMEDIATE].contains(&action)) {
        return raise(condition::INVREQ, resp2::ACTION);
    }
    let bytes = arguments.bytes_of_length(option::TEXT, length as usize)?.unwrap_or_default();
    let region = task.region;
    let text = region.code_page.text(&bytes).trim_end().to_string();
    if !asks {
        region.messages.send("DFHWTO000", &[("text", &text)]);
        return Ok(());
    }
    let reply_max = arguments.integer(option::MAXLENGTH).unwrap_or(REPLY_BYTES_MAX);
    if !(1..=REPLY_BYTES_MAX).contains(&reply_max) {
        return raise(condition::INVREQ, resp2::MAXLENGTH);
    }
    let timeout = arguments.integer(option::TIMEOUT).unwrap_or(i64::from(region.sit.number("OPERTIM")));
    if !(0..=86_400).contains(&timeout) {
        return raise(condition::INVREQ, resp2::TIMEOUT);
    }
    let mut wait = Wait::new("DFHCPIN").named(Name16::new("OPERATOR"));
    if timeout > 0 {
        wait = wait.timeout(Duration::from_secs(timeout as u64));
    }
    let waker = task.kernel.waker();
    let number = Operator::of(region).ask(text.clone(), waker);
    region.messages.send("DFHWTO000", &[("text", &format!("{number:02} {text}"))]);
    let resumed = task.suspend(&wait);
    let reply = Operator::of(region).take_reply(number);
    resumed?;
    let Some(reply) = reply else { return raise(condition::EXPIRED, resp2::NO_REPLY) };
    let bytes = region.code_page.encode(&reply);
    let kept = &bytes[..bytes.len().min(reply_max as usize)];
    arguments.set_bytes(option::REPLY, kept)?;
    arguments.set_integer(option::REPLYLENGTH, kept.len() as i64);
    Ok(())
}
