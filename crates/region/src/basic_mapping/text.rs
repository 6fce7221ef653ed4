//! SEND TEXT and SEND TEXT NOEDIT.

use super::message;
use super::options::{Send, display, facility, screen};
use crate::exec_interface::{Arguments, Outcome, Raised, raise};
use crate::terminal_control::output;
use crate::transaction_manager::Task;
use bms::send_text::{TEXT_LENGTH_MAX, TextJustify, TextOptions};
use exec::{OptionId, condition, option};

/// Length halfword, page number character and control byte before the text of a header or trailer.
const BLOCK_PREFIX_LENGTH: usize = 4;
/// Digits a page number may have.
const PAGE_NUMBER_DIGITS_MAX: usize = 5;

fn text(arguments: &Arguments) -> Result<Vec<u8>, Raised> {
    let Some(area) = arguments.area(option::FROM) else { return Ok(Vec::new()) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    if !(0..=TEXT_LENGTH_MAX as i64).contains(&length) {
        return raise(condition::LENGERR, 0);
    }
    Ok(arguments.bytes_of_length(option::FROM, length as usize)?.unwrap_or_default())
}

pub fn send_text(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let send = Send::of(task, display, arguments)?;
    let text = text(arguments)?;
    let blank = task.region.code_page.space();
    let header = block(arguments, option::HEADER, blank)?;
    let trailer = block(arguments, option::TRAILER, blank)?;
    let options = TextOptions { justify: justify(arguments)?, header: header.as_deref(), trailer: trailer.as_deref() };
    task.performance.map_total += 1;
    if send.accumulate {
        return message::add_text(task, display, &text, &options, &send);
    }
    let stream = bms::send_text::send_text(&text, &options, &send.options, screen(task, display, send.alternate));
    output::send(task, display, stream, send.wait)
}

pub fn send_text_no_edit(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let send = Send::of(task, display, arguments)?;
    let text = text(arguments)?;
    let region = task.region;
    let text = match region.terminals.translation(region) {
        Some(translation) => output::translated(&text, translation),
        None => text,
    };
    task.performance.map_total += 1;
    let stream = bms::send_text::send_no_edit(&text, &send.options, screen(task, display, send.alternate));
    output::send(task, display, stream, send.wait)
}

fn justify(arguments: &Arguments) -> Result<TextJustify, Raised> {
    if arguments.has(option::JUSFIRST) {
        return Ok(TextJustify::First);
    }
    if arguments.has(option::JUSLAST) {
        return Ok(TextJustify::Last);
    }
    match arguments.integer(option::JUSTIFY) {
        None => Ok(TextJustify::None),
        Some(line @ 1..=240) => Ok(TextJustify::Line(line as u16)),
        Some(_) => raise(condition::INVREQ, 0),
    }
}

/// A header or trailer block: length, page number character, a reserved byte, text. Up to five of the character in a row are where the
/// page number goes; a blank character means there is none.
fn block(arguments: &Arguments, option: OptionId, blank: u8) -> Result<Option<Vec<u8>>, Raised> {
    let Some(area) = arguments.area(option) else { return Ok(None) };
    if area.length < BLOCK_PREFIX_LENGTH {
        return raise(condition::LENGERR, 0);
    }
    let prefix = arguments.bytes_of_length(option, BLOCK_PREFIX_LENGTH)?.unwrap_or_default();
    let length = usize::from(u16::from_be_bytes([prefix[0], prefix[1]]));
    let all = arguments.bytes_of_length(option, BLOCK_PREFIX_LENGTH + length)?.unwrap_or_default();
    Ok(Some(with_page_number(&all[BLOCK_PREFIX_LENGTH..], prefix[2], 1, blank)))
}

/// The digits of the code pages in use are the ones of the blank: X'F0' on with X'40', X'30' on with X'20'.
fn with_page_number(text: &[u8], place: u8, page: usize, blank: u8) -> Vec<u8> {
    let mut out = text.to_vec();
    if place == blank || place == 0 {
        return out;
    }
    let Some(start) = text.iter().position(|&byte| byte == place) else { return out };
    let width = text[start..].iter().take_while(|&&byte| byte == place).count().min(PAGE_NUMBER_DIGITS_MAX);
    let zero = if blank == b' ' { b'0' } else { 0xF0 };
    let digits = format!("{page:width$}");
    for (to, digit) in out[start..start + width].iter_mut().zip(digits.bytes().rev().take(width).collect::<Vec<_>>().into_iter().rev()) {
        *to = if digit == b' ' { blank } else { zero + (digit - b'0') };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_replace_their_character() {
        assert_eq!(with_page_number(b"PAGE @@@ OF", b'@', 12, b' '), b"PAGE  12 OF");
        assert_eq!(with_page_number(b"PAGE @", b'@', 12, b' '), b"PAGE 2");
        assert_eq!(with_page_number(b"PAGE @", b' ', 1, b' '), b"PAGE @");
        assert_eq!(with_page_number(&[0x7C, 0x7C], 0x7C, 3, 0x40), [0x40, 0xF3]);
    }
}
