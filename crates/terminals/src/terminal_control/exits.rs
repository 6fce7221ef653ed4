//! XZCATT, XZCIN and XZCOUT: the exit points of a terminal's task at its attach, after its input and before its output; XGMTEXT: before the
//! good morning message.
//!
//! Exit programs need a task: for the input that starts a task, XZCIN is called in that task, before its first program, when the transaction has
//! been chosen. They see the data of a terminal as it sends and takes them (DFHTIOA): fields behind their buffer addresses, in the terminal's
//! code page. They may change the data, and make them shorter.

use super::display::{DisplayTerminal, display_of};
use super::input::Input;
use bms::constants::{CMD_EW, CMD_EWA, CMD_W, SNA_CMD_EW, SNA_CMD_EWA, SNA_CMD_W};
use exec::{ExitPoint, exit_point, exit_structure};
use region::control_blocks::exit_structure::ExitRecord;
use region::facility::Terminal;
use region::{ExitArgument, Raised, Task};

/// Commands that a write control character follows.
const WRITES: [u8; 6] = [CMD_W, CMD_EW, CMD_EWA, SNA_CMD_W, SNA_CMD_EW, SNA_CMD_EWA];
/// TIOAWCI of input and of output.
const INPUT: u64 = 0;
const OUTPUT: u64 = 1;

/// A task of a terminal is about to run its first program. A purge is noticed by what it does next.
pub(super) fn task_begins(task: &mut Task) {
    let has_exit = [exit_point::XZCATT, exit_point::XZCIN].into_iter().any(|point| task.has_exit(point));
    let Some(terminal) = task.facility.terminal().filter(|_| has_exit).cloned() else { return };
    let Some(display) = display_of(&*terminal) else { return };
    if let Some(data) = task.conversation.initial_input.take() {
        let attention = display.attention();
        let input = Input { aid: attention.aid, cursor: attention.cursor, data, from_program: false };
        let left = call(task, exit_point::XZCIN, display, &input, INPUT).unwrap_or(input.data);
        task.conversation.initial_input = Some(left);
    }
    if task.has_exit(exit_point::XZCATT) {
        let attention = display.attention();
        let data = task.conversation.initial_input.clone().unwrap_or_default();
        let input = Input { aid: attention.aid, cursor: attention.cursor, data, from_program: false };
        let _ = call(task, exit_point::XZCATT, display, &input, INPUT);
    }
}

/// Input that the task has waited for.
pub(super) fn input(task: &mut Task, display: &DisplayTerminal, mut input: Input) -> Result<Input, Raised> {
    if task.has_exit(exit_point::XZCIN) {
        input.data = call(task, exit_point::XZCIN, display, &input, INPUT)?;
    }
    Ok(input)
}

/// Output of the task: the record that is to be sent.
pub(super) fn output(task: &mut Task, display: &DisplayTerminal, record: Vec<u8>) -> Result<Vec<u8>, Raised> {
    output_at(task, exit_point::XZCOUT, display, record)
}

/// The good morning message, as the exit programs at XGMTEXT leave it.
///
/// # Errors
///
/// A purge of the task in an exit program.
pub fn good_morning(task: &mut Task, display: &DisplayTerminal, record: Vec<u8>) -> Result<Vec<u8>, Raised> {
    output_at(task, exit_point::XGMTEXT, display, record)
}

fn output_at(task: &mut Task, point: ExitPoint, display: &DisplayTerminal, mut record: Vec<u8>) -> Result<Vec<u8>, Raised> {
    if !task.has_exit(point) || record.is_empty() {
        return Ok(record);
    }
    let head = if WRITES.contains(&record[0]) { 2 } else { 1 };
    let data = record.split_off(head.min(record.len()));
    let attention = display.attention();
    let sent = Input { aid: attention.aid, cursor: attention.cursor, data, from_program: false };
    record.extend(call(task, point, display, &sent, OUTPUT)?);
    Ok(record)
}

/// Calls the exit programs of a point; the data as they leave them.
fn call(task: &mut Task, point: ExitPoint, display: &DisplayTerminal, of: &Input, direction: u64) -> Result<Vec<u8>, Raised> {
    // The length of an area is a halfword.
    if !task.has_exit(point) || of.data.len() > usize::from(u16::MAX) {
        return Ok(of.data.clone());
    }
    let entry = terminal_entry(task, display, of);
    let page = &task.region.code_page;
    let mut area = ExitRecord::new("DFHTIOA", page).number("TIOATDL", of.data.len() as u64).number("TIOAWCI", direction).into_bytes();
    area.extend(&of.data);
    let transid = page.encode_name(&task.transid);
    let mut arguments = task.exit_arguments(point, |name| {
        Some(match name {
            "UEPTCTTE" => ExitArgument::bytes(&entry),
            "UEPTIOA" if of.data.is_empty() => ExitArgument::Absent,
            "UEPTIOA" => ExitArgument::bytes(&area),
            "UEPTPN" => ExitArgument::Absent,
            "UEPTRAN" => ExitArgument::bytes(&transid),
            _ => return None,
        })
    });
    task.call_exit(point, &mut arguments)?;
    let left = point.spec().parameter("UEPTIOA").map_or(&[][..], |at| arguments[at].get());
    Ok(data_left(left, of.data.len()))
}

/// The data of a DFHTIOA that had so many bytes: it may have been made shorter.
fn data_left(area: &[u8], given: usize) -> Vec<u8> {
    let structure = exit_structure("DFHTIOA");
    let at = structure.field("TIOATDL").offset;
    let Some((header, data)) = area.split_at_checked(structure.length()) else { return Vec::new() };
    let length = u16::from_be_bytes([header[at], header[at + 1]]);
    data[..usize::from(length).min(given).min(data.len())].to_vec()
}

/// DFHTCTTE of a terminal.
pub(crate) fn terminal_entry(task: &Task, terminal: &DisplayTerminal, input: &Input) -> Vec<u8> {
    let [kind, model] = terminal.attributes().term_code;
    let area = terminal.user_area();
    ExitRecord::new("DFHTCTTE", &task.region.code_page)
        .text("TCTTETI", terminal.identity.name.as_str())
        .text("TCTTENN", terminal.identity.netname.as_str())
        .text("TCTTEUID", task.user_id.as_str())
        .number("TCTTETT", kind.into())
        .number("TCTTETM", model.into())
        .number("TCTTEAID", input.aid.into())
        .number("TCTTECAD", input.cursor.into())
        .number("TCTTECIA", if area.length > 0 { area.address as u64 } else { 0 })
        .number("TCTTECIL", area.length as u64)
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_may_become_shorter_and_not_longer() {
        let area = |length: u16, data: &[u8]| [&length.to_be_bytes()[..], &[0, 0], data].concat();
        assert_eq!(data_left(&area(3, b"abcd"), 4), b"abc");
        assert_eq!(data_left(&area(4, b"abcd"), 4), b"abcd");
        assert_eq!(data_left(&area(5, b"abcd"), 4), b"abcd");
        assert!(data_left(&[0], 4).is_empty());
    }
}
