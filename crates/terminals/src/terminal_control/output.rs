//! Output as a task produces it: one record may be deferred; it leaves at the next request to the terminal, at WAIT or when the unit of
//! work has been committed. The deferred output of a task that abends is dropped with its changes.
//!
//! The output queued for one terminal is bounded, so a task waits for a client that reads more slowly than it sends.

use super::display::{DisplayTerminal, LinkError};
use super::{exits, input};
use crate::terminal_control::TaskState;
use bms::ScreenSize;
use bms::constants::*;
use bms::text::Translation;
use exec::condition;
use exec::resp2;
use kernel::Resumed;
use region::{Abend, Outcome, Raised, Task, raise};
use tn3270::Room;

/// Sends a record, or defers it.
pub fn send(task: &mut Task, display: &DisplayTerminal, record: Vec<u8>, wait: bool) -> Outcome {
    // The output replaces the input that started the task: a RECEIVE from now on waits for the terminal.
    task.conversation.initial_input = None;
    flush(task, display)?;
    // What is not for a partition is for the whole screen.
    if record.first().is_some_and(|command| ![SNA_CMD_WSF, CMD_WSF].contains(command)) && display.partitions().is_some() {
        transmit(task, display, &[&[SNA_CMD_WSF][..], &bms::partition::base_state()].concat())?;
        display.note_partitions(None);
    }
    let profile = super::profile_of(task);
    if profile.one_write && task.conversation.has_sent {
        return Err(Raised::Abend(Box::new(Abend::new("ATCC").because("ONEWTE(YES) of the profile: the task has sent before"))));
    }
    let record = exits::output(task, display, record)?;
    task.performance.terminal_messages_out += 1;
    task.performance.terminal_characters_out += record.len() as u64;
    task.conversation.has_sent = true;
    if std::mem::take(&mut TaskState::of_mut(&mut task.parts).definite_response) || profile.message_integrity {
        return transmit_and_confirm(task, display, &record);
    }
    if wait {
        return transmit(task, display, &record);
    }
    TaskState::of_mut(&mut task.parts).deferred_output = record;
    task.touch_unit_of_work();
    Ok(())
}

/// Sends deferred output.
pub fn flush(task: &mut Task, display: &DisplayTerminal) -> Outcome {
    let record = std::mem::take(&mut TaskState::of_mut(&mut task.parts).deferred_output);
    transmit(task, display, &record)
}

fn transmit(task: &mut Task, display: &DisplayTerminal, record: &[u8]) -> Outcome {
    loop {
        match display.transmit_with(record, Room::Usual) {
            Ok(()) => return Ok(()),
            Err(LinkError::Closed) => return raise(condition::TERMERR, resp2::NONE),
            Err(LinkError::Full) => wait_for_room(task, display)?,
        }
    }
}

/// Sends a record and waits until the client confirms that it has it. A TN3270 client without the function RESPONSES confirms nothing.
fn transmit_and_confirm(task: &mut Task, display: &DisplayTerminal, record: &[u8]) -> Outcome {
    display.await_confirmation(Some(task.kernel.waker()));
    let confirms = loop {
        match display.transmit_by(record, |link| link.send_to_confirm(record, Room::Usual)) {
            Ok(confirms) => break confirms,
            Err(LinkError::Closed) => {
                display.await_confirmation(None);
                return raise(condition::TERMERR, resp2::NONE);
            }
            Err(LinkError::Full) => wait_for_room(task, display)?,
        }
    };
    let outcome = loop {
        if !confirms {
            break Ok(());
        }
        match display.confirmed() {
            Some(true) => break Ok(()),
            Some(false) => break raise(condition::TERMERR, resp2::NONE),
            None if display.is_closed() => break raise(condition::TERMERR, resp2::NONE),
            None => {}
        }
        let wait = input::terminal_wait(task);
        match task.kernel.suspend(&wait) {
            Resumed::Posted(_) => {}
            ended => break Err(input::wait_ended(ended)),
        }
    };
    display.await_confirmation(None);
    outcome
}

/// Waits until the client has read enough of the earlier output. A purge ends the wait, and so does RTIMOUT of the profile.
fn wait_for_room(task: &mut Task, display: &DisplayTerminal) -> Outcome {
    let wait = input::terminal_wait(task);
    display.link.when_there_is_room(task.kernel.waker());
    match task.kernel.suspend(&wait) {
        Resumed::Posted(_) => Ok(()),
        ended => Err(input::wait_ended(ended)),
    }
}

/// Sends the output deferred until the unit of work has been committed, at once or when the terminal scan delay (ICVTSD) has passed. The next
/// request reports a client that has disconnected.
pub fn flush_committed(task: &mut Task, display: &DisplayTerminal) {
    let record = std::mem::take(&mut TaskState::of_mut(&mut task.parts).deferred_output);
    send_last(task, display, record);
}

/// The output deferred when the unit of work ended. No program is left that could be notified of a failure.
pub(super) fn send_last(task: &mut Task, display: &DisplayTerminal, record: Vec<u8>) {
    let delay = task.region.dispatcher.terminal_scan_delay();
    if record.is_empty() || delay.is_zero() {
        let _ = transmit(task, display, &record);
    } else {
        display.send_later(record, delay);
    }
}

/// Whether the alternate screen will be in use after the deferred output has been sent.
pub fn is_alternate(task: &Task, display: &DisplayTerminal) -> bool {
    match TaskState::of(&task.parts).deferred_output.first() {
        Some(&SNA_CMD_EW) => false,
        Some(&SNA_CMD_EWA) => true,
        _ => display.is_alternate(),
    }
}

/// The screen that an ERASE selects: DEFAULT, ALTERNATE or the profile's SCRNSIZE. A terminal with one size has only the default one.
pub fn erase_alternate(task: &mut Task, display: &DisplayTerminal, default: bool, alternate: bool) -> bool {
    let wanted = if default || alternate { alternate } else { super::profile_of(task).alternate_screen };
    wanted && display.capabilities.alternate_size != display.capabilities.default_size
}

/// Screen size by the flag.
pub fn size(display: &DisplayTerminal, alternate: bool) -> ScreenSize {
    display.capabilities.size(alternate)
}

/// The data stream of a program whose characters are not EBCDIC: text is converted, orders and their operands are unchanged.
pub fn translated(stream: &[u8], translation: &Translation) -> Vec<u8> {
    let mut out = Vec::with_capacity(stream.len());
    let mut index = 0;
    while index < stream.len() {
        let operands = match stream[index] {
            ORDER_SBA | ORDER_SA | ORDER_EUA => 2,
            ORDER_SF | ORDER_GE => 1,
            ORDER_SFE | ORDER_MF => 1 + 2 * usize::from(stream.get(index + 1).copied().unwrap_or(0)),
            ORDER_RA => 3,
            ORDER_IC | ORDER_PT | 0 => 0,
            byte => {
                out.push(translation.to_terminal[usize::from(byte)]);
                index += 1;
                continue;
            }
        };
        let end = (index + 1 + operands).min(stream.len());
        out.extend_from_slice(&stream[index..end]);
        index = end;
    }
    out
}

/// The reverse, for data that RECEIVE delivers to such a program.
pub fn translated_input(data: &[u8], translation: &Translation) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut index = 0;
    while index < data.len() {
        let operands = match data[index] {
            ORDER_SBA | ORDER_SA => 2,
            ORDER_GE => 1,
            byte => {
                out.push(if byte == 0 { 0 } else { translation.from_terminal[usize::from(byte)] });
                index += 1;
                continue;
            }
        };
        let end = (index + 1 + operands).min(data.len());
        out.extend_from_slice(&data[index..end]);
        index = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_is_translated() {
        let translation = Translation::between(&codepage::CCSID_037, &codepage::CCSID_819);
        let stream = [ORDER_SBA, 0x40, 0x41, ORDER_SF, 0x60, b'A', ORDER_RA, 0x41, 0x42, b'*', b'1', ORDER_IC];
        assert_eq!(
            translated(&stream, &translation),
            [ORDER_SBA, 0x40, 0x41, ORDER_SF, 0x60, 0xC1, ORDER_RA, 0x41, 0x42, b'*', 0xF1, ORDER_IC]
        );
        assert_eq!(translated(&[ORDER_SFE, 9], &translation), [ORDER_SFE, 9]);
        assert_eq!(translated_input(&[ORDER_SBA, 0xC1, 0xC1, 0xC1, 0xF1], &translation), [ORDER_SBA, 0xC1, 0xC1, b'A', b'1']);
    }
}
