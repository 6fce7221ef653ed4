//! XDUOUT and XDUCLSE: the exit points before a record of a transaction dump is written, and after its data set has been closed.
//!
//! A record is a section of the dump. Exit programs need a task, and dumps are written by a thread of their own: so XDUOUT is called for all
//! sections before the first is written, and XDUCLSE when the task that has caused the end of a data set goes on.

use super::data_sets::{Closed, DataSets, Unwritten};
use crate::dump_sections::{Content, Section};
use crate::{ExitArgument, Task};
use exec::{ExitPoint, exit_constant, exit_point};

/// Characters of the title in front of a section's data, and most bytes of both.
const TITLE_BYTES: usize = 40;
const BUFFER_BYTES_MAX: usize = 32_767;
const DATA_SET_NAME_BYTES: usize = 44;

/// The sections that the exit programs at XDUOUT let pass.
pub fn wanted(task: &mut Task, sections: Vec<Section>) -> Vec<Section> {
    let is_open = DataSets::of(task.region).is_open();
    let function = if is_open { "UEPDMPWR" } else { "UEPDMPDY" };
    sections.into_iter().filter(|section| !call(task, function, &buffer(task, section))).collect()
}

/// The dump has been written, or could not be. `is_switched`: to another data set than the one it began in.
pub fn ended<T>(task: &mut Task, written: &Result<T, Unwritten>, is_switched: bool) {
    if is_switched {
        call(task, "UEPDMPRE", &[]);
    }
    if written.is_err() {
        call(task, "UEPDMPAB", &[]);
    }
}

fn buffer(task: &Task, section: &Section) -> Vec<u8> {
    let page = &task.region.code_page;
    let mut buffer = vec![page.space(); TITLE_BYTES];
    page.fill(&section.title, &mut buffer);
    match &section.content {
        Content::Lines(lines) => buffer.extend(page.encode(&lines.join("\n"))),
        Content::Area { bytes, .. } | Content::Trace(bytes) => buffer.extend(&bytes[..bytes.len().min(BUFFER_BYTES_MAX)]),
    }
    buffer.truncate(BUFFER_BYTES_MAX);
    buffer
}

/// Calls XDUOUT; true: the record is not to be written.
fn call(task: &mut Task, function: &str, buffer: &[u8]) -> bool {
    let point: ExitPoint = exit_point::XDUOUT;
    if !task.has_exit(point) {
        return false;
    }
    let mut arguments = task.exit_arguments(point, |name| {
        Some(match name {
            "UEPDMPFC" => ExitArgument::bytes(&[exit_constant(function) as u8]),
            "UEPDMPBF" => ExitArgument::bytes(buffer),
            "UEPDMPLEN" => ExitArgument::bytes(&(buffer.len() as u16).to_be_bytes()),
            _ => return None,
        })
    });
    task.call_exit(point, &mut arguments).is_ok_and(|code| code.is("UERCBYP"))
}

/// Calls XDUCLSE for the data sets that have been closed since the last call.
pub fn data_sets_closed(task: &mut Task) {
    let point = exit_point::XDUCLSE;
    for Closed { dd_name, path } in DataSets::of(task.region).take_closed() {
        if !task.has_exit(point) {
            continue;
        }
        let page = &task.region.code_page;
        let text = |text: &str, length: usize| {
            let mut bytes = vec![page.space(); length];
            page.fill(text, &mut bytes);
            ExitArgument::Bytes(bytes)
        };
        let name: Vec<char> = path.display().to_string().chars().collect();
        let end: String = name[name.len().saturating_sub(DATA_SET_NAME_BYTES)..].iter().collect();
        let mut arguments = task.exit_arguments(point, |name| {
            Some(match name {
                "UEPDMPDD" => text(dd_name, 8),
                "UEPDMPDSN" => text(&end, DATA_SET_NAME_BYTES),
                _ => return None,
            })
        });
        if task.call_exit(point, &mut arguments).is_ok_and(|code| code.is("UERCSWCH")) {
            DataSets::of(task.region).switch_next();
        }
    }
}
