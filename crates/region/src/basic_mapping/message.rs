//! Logical messages: ACCUM builds pages, SEND PAGE sends them, PURGE MESSAGE drops them.
//!
//! With the disposition TERMINAL the pages go to the screen one after another. PAGING, which keeps them for retrieval by the operator, is
//! refused where the options are read.

use super::options::{Send, display, facility, screen};
use super::send::map_error;
use crate::exec_interface::{Arguments, Outcome, raise};
use crate::terminal_control::{DisplayTerminal, output};
use crate::transaction_manager::Task;
use bms::layout::MapLayout;
use bms::model::Map;
use bms::page::{LogicalMessage, PageError, Placed};
use bms::send_map::{MapData, SendOptions};
use bms::send_text::TextOptions;
use exec::{condition, option};

pub fn add_map(task: &mut Task, display: &DisplayTerminal, map: &Map, layout: &MapLayout, data: MapData, send: &Send) -> Outcome {
    let mut message = task.basic_mapping.message.take().unwrap_or_else(|| LogicalMessage::new(if map.trailer { map.lines } else { 0 }));
    let placed = message.add_map(map, layout, data, &send.options, screen(task, display, send.alternate));
    task.basic_mapping.message = Some(message);
    task.touch_unit_of_work();
    match placed {
        Ok(Placed::OnPage) => Ok(()),
        Ok(Placed::Overflow) => raise(condition::OVERFLOW, 0),
        Err(PageError::Map(error)) => Err(map_error(error)),
        Err(PageError::TooManyPages) => raise(condition::INVREQ, 0),
    }
}

pub fn add_text(task: &mut Task, display: &DisplayTerminal, text: &[u8], options: &TextOptions, send: &Send) -> Outcome {
    let mut message = task.basic_mapping.message.take().unwrap_or_default();
    let screen = screen(task, display, send.alternate);
    let added = bms::send_text::pages(text, options, screen).iter().try_for_each(|lines| message.add_text(lines, screen));
    task.basic_mapping.message = Some(message);
    task.touch_unit_of_work();
    if added.is_err() { raise(condition::INVREQ, 0) } else { Ok(()) }
}

pub fn send_page(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    facility(task)?;
    if arguments.has(option::SET) || task.basic_mapping.message.is_none() {
        return raise(condition::INVREQ, 0);
    }
    complete(task)
}

/// Sends what has been built.
pub fn complete(task: &mut Task) -> Outcome {
    let Some(message) = task.basic_mapping.message.take() else { return Ok(()) };
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let alternate = output::erase_alternate(task, display, false, false);
    for page in message.finish(&SendOptions::default(), screen(task, display, alternate)) {
        output::send(task, display, page, false)?;
    }
    Ok(())
}

pub fn purge_message(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    facility(task)?;
    task.basic_mapping.message = None;
    Ok(())
}
