//! The output of Language Environment for a program: DISPLAY and messages, on the transient data queues used under CICS.

use crate::Task;
use crate::name::Name4;
use program::requests::display_flags;

/// Messages of the run time, DISPLAY, and standard error of C programs ("Add destination control table (DCT) entries", Language Environment
/// Customization).
const MESSAGE_FILE: &str = "CESE";
/// Standard output of C programs.
const STANDARD_OUTPUT: &str = "CESO";
/// Characters of a message in one record.
const MESSAGE_LENGTH: usize = 132;

pub(super) fn message(task: &mut Task, text: &str) {
    tracing::info!(target: "region::le", transaction = %task.transid, terminal = %task.terminal_name(), task = task.number, "{text}");
    write(task, MESSAGE_FILE, text);
}

/// A line that the program wrote itself; `target` is one of [`display_flags`].
pub(super) fn display(task: &mut Task, target: u32, text: &str) {
    tracing::info!(target: "region::display", transaction = %task.transid, terminal = %task.terminal_name(), task = task.number, "{text}");
    let queue = if target == display_flags::OUTPUT { STANDARD_OUTPUT } else { MESSAGE_FILE };
    write(task, queue, text);
}

/// Control character, terminal, transaction, time stamp, text (Programming Guide, "Message handling under CICS"). A longer text takes
/// several records, an empty one is a record too.
fn write(task: &mut Task, queue: &str, text: &str) {
    let (transid, terminal) = (task.transid, task.terminal_name());
    let (seconds, nanoseconds) = le::calendar::now();
    let time = le::calendar::LocalTime::of(seconds, nanoseconds, crate::clock::utc_offset_seconds(seconds) as i32);
    let date = time.date;
    let stamp = format!("{:04}{:02}{:02}{:02}{:02}{:02}", date.year, date.month, date.day, time.hour, time.minute, time.second);
    let characters: Vec<char> = text.chars().collect();
    let pieces = characters.chunks(MESSAGE_LENGTH).map(|piece| piece.iter().collect());
    let pieces: Vec<String> = if characters.is_empty() { vec![String::new()] } else { pieces.collect() };
    for piece in pieces {
        let record = format!(" {:4}{:4} {stamp} {piece}", terminal.as_str(), transid.as_str());
        task.region.registry.write_text(task.region, Name4::new(queue), &record);
    }
}
