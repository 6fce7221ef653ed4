//! ISSUE COPY, ISSUE PRINT, and the ISSUE commands that a 3270 display does not support.
//!
//! A command for other devices (end of data set, batch data interchange, APPC conversations) returns INVREQ on a display, and NOTALLOC when
//! the task has no terminal or names a conversation that does not exist.

use super::display::DisplayTerminal;
use super::input::{display, facility};
use super::{hardcopy, output};
use bms::constants::*;
use exec::resp2;
use exec::{condition, option};
use kernel::{Resumed, Wait};
use region::name::Name4;
use region::{Arguments, Outcome, Raised, Task, raise};
use std::time::Duration;

/// The time limit for a client to send its buffer.
const BUFFER_TIME_MAX: Duration = Duration::from_secs(10);
/// Copy control character: which positions are copied.
const COPY_WHAT_MASK: u8 = 0x03;
const COPY_ATTRIBUTES: u8 = 0x00;
const COPY_UNPROTECTED: u8 = 0x01;
const COPY_PROTECTED: u8 = 0x02;
/// AID and cursor address in front of a buffer.
pub(super) const BUFFER_PREFIX_LENGTH: usize = 3;

/// A command for another kind of device.
pub(super) fn not_for_displays(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    if arguments.has(option::CONVID) || arguments.has(option::SESSION) {
        // The only conversation is the one with the terminal.
        return raise(condition::NOTALLOC, resp2::NONE);
    }
    facility(task)?;
    raise(condition::INVREQ, resp2::NONE)
}

/// POINT: a display has no logical unit to tell of.
pub(super) fn point(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    if arguments.has(option::CONVID) || arguments.has(option::SESSION) {
        return raise(condition::NOTALLOC, resp2::NONE);
    }
    facility(task).map(|_| ())
}

/// ISSUE LOAD: programs of a 3790.
pub(super) fn issue_load(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    facility(task)?;
    raise(condition::NONVAL, resp2::NONE)
}

/// ISSUE PRINT: the screen, on the printer of the terminal (PRINTER), or the alternate one if that is not available.
pub(super) fn issue_print(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let own = display(&*terminal)?;
    output::flush(task, own)?;
    let Some(printer) = hardcopy::printer_of(own) else { return raise(condition::TERMERR, resp2::NONE) };
    let buffer = read_buffer_of(task, own)?;
    if hardcopy::print(own, &*printer, &buffer) { Ok(()) } else { raise(condition::TERMERR, resp2::NONE) }
}

/// ISSUE COPY: the buffer of another display, into this one.
pub(super) fn issue_copy(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let own = display(&*terminal)?;
    let name: Name4 = arguments.name(option::TERMID)?.unwrap_or_default();
    let Some(other) = task.region.terminals.find(name) else { return raise(condition::TERMIDERR, resp2::NONE) };
    let source = display(&*other)?;
    let control = arguments.bytes(option::CTLCHAR)?.and_then(|bytes| bytes.first().copied());
    output::flush(task, own)?;
    if source.size() != own.size() {
        return raise(condition::TERMERR, resp2::NONE);
    }
    let buffer = read_buffer_of(task, source)?;
    let data = filtered(buffer.get(BUFFER_PREFIX_LENGTH..).unwrap_or_default(), control);
    let command = if own.is_alternate() { SNA_CMD_EWA } else { SNA_CMD_EW };
    let wcc = bms::outbound::Wcc::RESTORE_KEYBOARD.byte();
    output::send(task, own, [&[command, wcc], &data[..]].concat(), arguments.has(option::WAIT))
}

pub(super) fn read_buffer_of(task: &mut Task, source: &DisplayTerminal) -> Result<Vec<u8>, Raised> {
    source.want_buffer(Some(task.kernel.waker()));
    let sent = source.request(&[SNA_CMD_RB]).is_ok();
    let wait = Wait::new("ZCIOWAIT").timeout(BUFFER_TIME_MAX);
    let answered = sent && matches!(task.suspend(&wait)?, Resumed::Posted(_));
    source.want_buffer(None);
    match source.take_buffer().filter(|_| answered) {
        Some(buffer) => Ok(buffer),
        None => raise(condition::TERMERR, resp2::NONE),
    }
}

/// The data selected by the copy control character; all data without one.
fn filtered(data: &[u8], control: Option<u8>) -> Vec<u8> {
    let what = control.map_or(COPY_WHAT_MASK, |control| control & COPY_WHAT_MASK);
    if what == COPY_WHAT_MASK {
        return data.to_vec();
    }
    let mut out = Vec::with_capacity(data.len());
    let mut protected = false;
    let mut index = 0;
    while index < data.len() {
        let end = match data[index] {
            ORDER_SF => index + 2,
            ORDER_SFE => index + 2 + 2 * usize::from(data.get(index + 1).copied().unwrap_or(0)),
            ORDER_SA => index + 3,
            _ => index + 1,
        };
        let item = &data[index..end.min(data.len())];
        match item[0] {
            ORDER_SF => protected = item.get(1).is_some_and(|&attribute| bms::attribute::is_protected(attribute)),
            ORDER_SFE => protected = basic_attribute(item).is_some_and(bms::attribute::is_protected),
            _ => {}
        }
        let copied = matches!(item[0], ORDER_SF | ORDER_SFE)
            || match what {
                COPY_ATTRIBUTES => false,
                COPY_UNPROTECTED => !protected,
                COPY_PROTECTED => protected,
                _ => true,
            };
        // Positions that are not copied are null on the copy.
        if copied {
            out.extend_from_slice(item)
        } else if item[0] != ORDER_SA {
            out.push(0)
        }
        index = end;
    }
    out
}

fn basic_attribute(order: &[u8]) -> Option<u8> {
    order.get(2..)?.chunks_exact(2).find(|pair| pair[0] == XA_3270).map(|pair| pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_control_character_chooses() {
        let buffer = [ORDER_SF, 0x60, 0xC1, ORDER_SF, 0x40, 0xC2, 0xC3];
        assert_eq!(filtered(&buffer, None), buffer);
        assert_eq!(filtered(&buffer, Some(0xC3)), buffer);
        assert_eq!(filtered(&buffer, Some(0x40)), [ORDER_SF, 0x60, 0, ORDER_SF, 0x40, 0, 0]);
        assert_eq!(filtered(&buffer, Some(0xC1)), [ORDER_SF, 0x60, 0, ORDER_SF, 0x40, 0xC2, 0xC3]);
        assert_eq!(filtered(&buffer, Some(0xC2)), [ORDER_SF, 0x60, 0xC1, ORDER_SF, 0x40, 0, 0]);
        assert_eq!(filtered(&[ORDER_SFE, 9], Some(0x40)), [ORDER_SFE, 9]);
    }
}
