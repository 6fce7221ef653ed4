//! The output of Language Environment for a program: DISPLAY and messages, on the transient data queues used under CICS.

use crate::Task;
use crate::name::Name4;

/// Where messages of the run time go.
const RUN_TIME_MESSAGES: &str = "CESE";
/// Characters of a message in one record.
const MESSAGE_LENGTH: usize = 132;

/// Writes a message of Language Environment: control character, terminal, transaction, time stamp, message (Programming Guide, "Format of
/// messages under CICS").
pub(super) fn write(task: &mut Task, text: &str) {
    let (transid, terminal) = (task.transid, task.terminal_name());
    tracing::info!(target: "region::le", transaction = %transid, terminal = %terminal, task = task.number, "{text}");
    let (seconds, nanoseconds) = le::calendar::now();
    let time = le::calendar::LocalTime::of(seconds, nanoseconds, crate::clock::utc_offset_seconds(seconds) as i32);
    let date = time.date;
    let stamp = format!("{:04}{:02}{:02}{:02}{:02}{:02}", date.year, date.month, date.day, time.hour, time.minute, time.second);
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(MESSAGE_LENGTH) {
        let piece: String = piece.iter().collect();
        let record = format!(" {:4}{:4} {stamp} {piece}", terminal.as_str(), transid.as_str());
        task.region.registry.write_text(task.region, Name4::new(RUN_TIME_MESSAGES), &record);
    }
}
