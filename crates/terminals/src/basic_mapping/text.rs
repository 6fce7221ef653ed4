//! SEND TEXT, SEND TEXT MAPPED and SEND TEXT NOEDIT.

use super::options::{Disposition, Send, Surface, destination, display};
use super::{message, page_list, partitions};
use crate::terminal_control::TerminalControl;
use crate::terminal_control::output;
use bms::constants::{SNA_CMD_EWA, SNA_CMD_W};
use bms::page::Page;
use bms::send_map::Erase;
use bms::send_text::TEXT_LENGTH_MAX;
use bms::text_page::{Block, TextJustify, TextOptions};
use exec::resp2;
use exec::{OptionId, condition, option};
use region::storage_access::Area;
use region::{Arguments, Outcome, Raised, Task, raise};

/// Length halfword, page number character and control byte before the text of a header or trailer.
const BLOCK_PREFIX_LENGTH: usize = 4;

fn text(arguments: &Arguments) -> Result<Vec<u8>, Raised> {
    let Some(area) = arguments.area(option::FROM) else { return Ok(Vec::new()) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    if !(0..=TEXT_LENGTH_MAX as i64).contains(&length) {
        return raise(condition::LENGERR, resp2::NONE);
    }
    Ok(arguments.bytes_of_length(option::FROM, length as usize)?.unwrap_or_default())
}

pub fn send_text(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = destination(task, arguments)?;
    let display = terminal.as_deref().map(display).transpose()?;
    let send = Send::of(task, display, arguments)?;
    let text = text(arguments)?;
    task.performance.map_total += 1;
    let place = display.map(|display| partitions::place(task, display, arguments, None)).transpose()?.flatten();
    let Some(display) = display.filter(|_| !message::is_logical(task, &send)) else {
        let blank = task.region.code_page.space();
        let header = block(arguments, option::HEADER, blank)?;
        let trailer = block(arguments, option::TRAILER, blank)?;
        let options = TextOptions { justify: justify(arguments), header, trailer };
        return message::add_text(task, arguments, display, place, &text, &options, &send);
    };
    let surface = place.as_ref().map_or_else(|| Surface::of(display), |place| place.surface(display));
    let streams = bms::send_text::send_text(&text, &send.options, surface.screen(task, send.alternate));
    if send.disposition == Disposition::Set {
        return page_list::give(task, arguments, &streams);
    }
    for stream in streams {
        partitions::transmit(task, display, place.as_ref(), stream, send.wait)?;
    }
    Ok(())
}

pub fn send_text_no_edit(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = destination(task, arguments)?;
    let display = terminal.as_deref().map(display).transpose()?;
    let send = Send::of(task, display, arguments)?;
    let text = text(arguments)?;
    let region = task.region;
    let text = match TerminalControl::of(region).translation(region) {
        Some(translation) => output::translated(&text, translation),
        None => text,
    };
    task.performance.map_total += 1;
    let place = display.map(|display| partitions::place(task, display, arguments, None)).transpose()?.flatten();
    let Some(display) = display.filter(|_| !message::is_logical(task, &send)) else {
        let mut page = Page { orders: text, ..Page::default() };
        page.note(&send.options, None, send.alternate);
        return message::add_stream(task, arguments, display, place, page, &send);
    };
    let surface = place.as_ref().map_or_else(|| Surface::of(display), |place| place.surface(display));
    let stream = bms::send_text::send_no_edit(&text, &send.options, surface.screen(task, send.alternate));
    partitions::transmit(task, display, place.as_ref(), stream, send.wait)
}

/// SEND TEXT MAPPED: sends a page returned by SET unchanged.
pub fn send_text_mapped(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = destination(task, arguments)?;
    let display = terminal.as_deref().map(display).transpose()?;
    let send = Send::of(task, display, arguments)?;
    let Some(area) = arguments.area(option::FROM) else { return raise(condition::INVREQ, resp2::NONE) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    if !(0..=TEXT_LENGTH_MAX as i64).contains(&length) {
        return raise(condition::LENGERR, resp2::NONE);
    }
    let stream = page_list::read_back(Area::new(area.address, length as usize))?;
    task.performance.map_total += 1;
    if let Some(display) = display.filter(|_| !message::is_logical(task, &send)) {
        let place = partitions::place(task, display, arguments, None)?;
        return partitions::transmit(task, display, place.as_ref(), stream, send.wait);
    }
    let page = Page {
        orders: stream[2..].to_vec(),
        control: Some(bms::send_map::control_of(stream[1])),
        erase: if stream[0] == SNA_CMD_W { Erase::None } else { Erase::Screen },
        alternate: stream[0] == SNA_CMD_EWA,
        used: true,
        ..Page::default()
    };
    let place = display.map(|display| partitions::place(task, display, arguments, None)).transpose()?.flatten();
    message::add_stream(task, arguments, display, place, page, &send)
}

/// A line the page does not have is an abend when the page is known.
fn justify(arguments: &Arguments) -> TextJustify {
    if arguments.has(option::JUSFIRST) {
        return TextJustify::First;
    }
    if arguments.has(option::JUSLAST) {
        return TextJustify::Last;
    }
    match arguments.integer(option::JUSTIFY) {
        None => TextJustify::None,
        Some(line) => TextJustify::Line(u16::try_from(line).unwrap_or(0)),
    }
}

/// A header or trailer block: length, page number character, a reserved byte, text. A blank character means that there is no number.
pub fn block(arguments: &Arguments, option: OptionId, blank: u8) -> Result<Option<Block>, Raised> {
    let Some(area) = arguments.area(option) else { return Ok(None) };
    if area.length < BLOCK_PREFIX_LENGTH {
        return raise(condition::LENGERR, resp2::NONE);
    }
    let prefix = arguments.bytes_of_length(option, BLOCK_PREFIX_LENGTH)?.unwrap_or_default();
    let length = usize::from(u16::from_be_bytes([prefix[0], prefix[1]]));
    let all = arguments.bytes_of_length(option, BLOCK_PREFIX_LENGTH + length)?.unwrap_or_default();
    let place = Some(prefix[2]).filter(|&place| place != blank && place != 0);
    Ok(Some(Block { text: all[BLOCK_PREFIX_LENGTH..].to_vec(), place, blank }))
}
