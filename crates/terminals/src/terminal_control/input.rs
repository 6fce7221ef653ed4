//! Input as a task receives it: first the data that started the task, then what the user of the terminal enters.
//!
//! Order of RECEIVE: INPUTMSG of a LINK to this level, the input that started the task (or INPUTMSG of RETURN and XCTL), then the terminal.
//! EIBAID and EIBCPOSN follow each input, and so does HANDLE AID.

use super::display::{DisplayTerminal, Uppercase, display_of};
use super::{exits, output};
use bms::address::Addressing;
use bms::constants::AID_STRF;
use exec::resp2;
use exec::{condition, eib};
use kernel::{Name16, Resumed, Wait};
use region::facility::Terminal;
use region::{Abend, Raised, Task, raise};
use std::sync::Arc;
use std::time::Duration;

/// One input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Input {
    pub aid: u8,
    pub cursor: u16,
    /// The data after AID and cursor address: fields with their addresses, or characters.
    pub data: Vec<u8>,
    /// The data are a program's (INPUTMSG) in the region's code page, not the terminal's.
    pub from_program: bool,
}

impl Input {
    /// Parses a record. A record too short for a cursor address has none.
    pub fn parse(record: Vec<u8>, addressing: Addressing) -> Self {
        let aid = record.first().copied().unwrap_or_default();
        if aid == AID_STRF {
            return Self { aid, data: record[1..].to_vec(), ..Self::default() };
        }
        let cursor = match record.get(1..3) {
            Some(bytes) => addressing.decode([bytes[0], bytes[1]]),
            None => 0,
        };
        Self { aid, cursor, data: record.get(3..).unwrap_or_default().to_vec(), from_program: false }
    }
}

/// The terminal of the task.
pub fn facility(task: &Task) -> Result<Arc<dyn Terminal>, Raised> {
    task.facility.terminal().cloned().map_or_else(|| raise(condition::NOTALLOC, resp2::NONE), Ok)
}

/// The terminal as a display; other terminals accept no 3270 requests.
pub fn display(terminal: &dyn Terminal) -> Result<&DisplayTerminal, Raised> {
    display_of(terminal).map_or_else(|| raise(condition::INVREQ, resp2::NONE), Ok)
}

/// The next input of the task. `as_is`: letters are not folded (those of the input that started the task have been already).
pub fn next(task: &mut Task, display: &DisplayTerminal, as_is: bool) -> Result<Input, Raised> {
    output::flush(task, display)?;
    let input = match buffered(task) {
        Some(input) => input,
        None => {
            let fold = !as_is && (display.service().uppercase == Uppercase::Yes || super::profile_of(task).uppercase);
            task.conversation.has_read = true;
            let mut record = wait(task, display)?;
            if fold {
                bms::inbound::upper_case(&mut record, display.page());
            }
            let input = Input::parse(record, display.input_addressing());
            task.eib.set_byte(eib::EIBAID, input.aid);
            task.eib.set_half(eib::EIBCPOSN, input.cursor);
            exits::input(task, display, input)?
        }
    };
    task.aid_received = Some(input.aid);
    task.performance.terminal_messages_in += 1;
    task.performance.terminal_characters_in += input.data.len() as u64;
    Ok(input)
}

/// Input that need not be waited for.
fn buffered(task: &mut Task) -> Option<Input> {
    let message = task.levels.last_mut().and_then(|level| level.input_message.take());
    let from_program = message.is_some();
    let data = message.or_else(|| task.conversation.initial_input.take())?;
    Some(Input { aid: task.eib.byte(eib::EIBAID), cursor: task.eib.half(eib::EIBCPOSN), data, from_program })
}

/// Waits for a record of the terminal.
pub(super) fn wait(task: &mut Task, display: &DisplayTerminal) -> Result<Vec<u8>, Raised> {
    display.uncover();
    task.region.monitoring().terminal_waits(task);
    display.unlock();
    let wait = terminal_wait(task);
    let record = wait_for_record(task, display, &wait)?;
    display.note_seen();
    Ok(record)
}

pub(super) fn wait_for_record(task: &Task, display: &DisplayTerminal, wait: &Wait) -> Result<Vec<u8>, Raised> {
    loop {
        {
            let mut state = display.state.lock();
            // TPURGE(NO): a task that waits for a terminal whose session has failed waits on, until it is purged or its time is up.
            if state.closed && task.definition.terminal_purge {
                return raise(condition::TERMERR, resp2::NONE);
            }
            if let Some(record) = state.input.pop_front() {
                return Ok(record);
            }
            state.waiter = Some(task.kernel.waker());
        }
        match task.kernel.suspend(wait) {
            Resumed::Posted(_) => {}
            ended => {
                display.state.lock().waiter = None;
                return Err(wait_ended(ended));
            }
        }
    }
}

/// A wait for the terminal, which RTIMOUT of the profile bounds.
pub(super) fn terminal_wait(task: &mut Task) -> Wait {
    let wait = Wait::new("ZCIOWAIT").named(Name16::new("DFHZARQ1"));
    match super::profile_of(task).read_timeout_seconds {
        0 => wait,
        seconds => wait.timeout(Duration::from_secs(u64::from(seconds))),
    }
}

/// The error for a task whose wait for its terminal ended without the awaited event.
pub(super) fn wait_ended(ended: Resumed) -> Raised {
    Raised::Abend(Box::new(match ended {
        // RTIMOUT of the profile has passed.
        Resumed::TimedOut => Abend::new("AKCT").because("the terminal did not answer in time"),
        _ => Task::purge_abend(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_taken_apart() {
        let input = Input::parse(vec![0x7D, 0xC1, 0x50, 0xC1, 0xC2], Addressing::Bits12);
        assert_eq!((input.aid, input.cursor, input.data), (0x7D, 80, vec![0xC1, 0xC2]));
        let clear = Input::parse(vec![0x6D], Addressing::Bits12);
        assert_eq!((clear.aid, clear.cursor, clear.data.len()), (0x6D, 0, 0));
        assert_eq!(Input::parse(vec![AID_STRF, 0, 3, 0x81], Addressing::Bits12).data, [0, 3, 0x81]);
    }
}
