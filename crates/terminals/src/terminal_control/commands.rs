//! SEND, RECEIVE, CONVERSE, WAIT TERMINAL, ISSUE DISCONNECT, ISSUE ERASEAUP.

use super::display::DisplayTerminal;
use super::input::{self, Input, display, facility};
use super::{access_method, autoinstall_control, definitions, inquire, issue, output};
use crate::terminal_control::TaskState;
use crate::terminal_control::TerminalControl;
use bms::constants::*;
use exec::resp2;
use exec::{CommandId, OptionId, command, condition, eib, option};
use region::{Arguments, Handler, Outcome, Raised, Task, raise};

/// WCC of a SEND without CTLCHAR: keyboard free, MDT off.
const DEFAULT_CONTROL: u8 = 0xC3;
/// Longest data of one SEND or RECEIVE.
const LENGTH_MAX: i64 = 32_767;
const YES: u8 = 0xFF;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::SEND, send),
        (command::RECEIVE, receive),
        (command::CONVERSE, converse),
        (command::WAIT_TERMINAL, wait_terminal),
        (command::ISSUE_DISCONNECT, issue_disconnect),
        (command::ISSUE_ERASEAUP, issue_eraseaup),
        (command::ISSUE_COPY, issue::issue_copy),
        (command::ISSUE_PRINT, issue::issue_print),
        (command::ISSUE_LOAD, issue::issue_load),
        (command::ISSUE_ABEND, issue::not_for_displays),
        (command::ISSUE_ABORT, issue::not_for_displays),
        (command::ISSUE_ADD, issue::not_for_displays),
        (command::ISSUE_CONFIRMATION, issue::not_for_displays),
        (command::ISSUE_END, issue::not_for_displays),
        (command::ISSUE_ENDFILE, issue::not_for_displays),
        (command::ISSUE_ENDOUTPUT, issue::not_for_displays),
        (command::ISSUE_EODS, issue::not_for_displays),
        (command::ISSUE_ERASE, issue::not_for_displays),
        (command::ISSUE_ERROR, issue::not_for_displays),
        (command::ISSUE_NOTE, issue::not_for_displays),
        (command::ISSUE_PASS, issue::not_for_displays),
        (command::ISSUE_PREPARE, issue::not_for_displays),
        (command::ISSUE_QUERY, issue::not_for_displays),
        (command::ISSUE_RECEIVE, issue::not_for_displays),
        (command::ISSUE_REPLACE, issue::not_for_displays),
        (command::ISSUE_RESET, issue::not_for_displays),
        (command::ISSUE_SEND, issue::not_for_displays),
        (command::ISSUE_SIGNAL, issue::not_for_displays),
        (command::ISSUE_WAIT, issue::not_for_displays),
        (command::POINT, issue::point),
        (command::INQUIRE_TERMINAL, inquire::inquire),
        (command::DISCARD_TERMINAL, definitions::discard_terminal),
        (command::INQUIRE_VTAM, access_method::inquire),
        (command::SET_VTAM, access_method::set),
        (command::INQUIRE_PROFILE, definitions::inquire_profile),
        (command::DISCARD_PROFILE, definitions::discard_profile),
        (command::INQUIRE_AUTINSTMODEL, definitions::inquire_model),
        (command::DISCARD_AUTINSTMODEL, definitions::discard_model),
        (command::INQUIRE_AUTOINSTALL, autoinstall_control::inquire),
        (command::SET_AUTOINSTALL, autoinstall_control::set),
        (command::INQUIRE_NETNAME, inquire::inquire_netname),
        (command::SET_TERMINAL, inquire::set),
    ]
}

fn send(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let record = outbound(task, display, arguments, [option::LENGTH, option::FLENGTH])?;
    if arguments.has(option::LAST) {
        TaskState::of_mut(&mut task.parts).last = true;
    }
    TaskState::of_mut(&mut task.parts).definite_response = arguments.has(option::DEFRESP);
    output::send(task, display, record, arguments.has(option::WAIT))
}

/// The record of SEND or CONVERSE.
fn outbound(task: &mut Task, display: &DisplayTerminal, arguments: &Arguments, lengths: [OptionId; 2]) -> Result<Vec<u8>, Raised> {
    let given = lengths.into_iter().find_map(|option| arguments.integer(option));
    let data = match arguments.area(option::FROM) {
        None => Vec::new(),
        Some(area) => {
            let length = given.unwrap_or(area.length as i64);
            if !(0..=LENGTH_MAX).contains(&length) {
                return raise(condition::LENGERR, resp2::NONE);
            }
            arguments.bytes_of_length(option::FROM, length as usize)?.unwrap_or_default()
        }
    };
    let control = arguments.bytes(option::CTLCHAR)?.and_then(|bytes| bytes.first().copied());
    let erase = arguments.has(option::ERASE);
    if arguments.has(option::STRFIELD) {
        if control.is_some() || erase {
            return raise(condition::INVREQ, resp2::NONE);
        }
        return Ok([&[SNA_CMD_WSF], &data[..]].concat());
    }
    let command = if !erase {
        SNA_CMD_W
    } else if output::erase_alternate(task, display, arguments.has(option::DEFAULT), arguments.has(option::ALTERNATE)) {
        SNA_CMD_EWA
    } else {
        SNA_CMD_EW
    };
    let region = task.region;
    let data = match TerminalControl::of(region).translation(region) {
        Some(translation) => output::translated(&data, translation),
        None => data,
    };
    Ok([&[command, control.unwrap_or(DEFAULT_CONTROL)], &data[..]].concat())
}

/// The options of RECEIVE and CONVERSE for the amount of data.
struct Wanted {
    length: OptionId,
    full_length: OptionId,
}

fn receive(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let input = if arguments.has(option::BUFFER) {
        read_buffer(task, display)?
    } else if let Some(data) = TaskState::of_mut(&mut task.parts).remainder.take() {
        Input { aid: task.eib.byte(eib::EIBAID), cursor: task.eib.half(eib::EIBCPOSN), data, from_program: true }
    } else {
        input::next(task, display, arguments.has(option::ASIS))?
    };
    let of_chain = !input.from_program;
    deliver(task, arguments, input, &Wanted { length: option::LENGTH, full_length: option::FLENGTH })?;
    // RECEIVE (LUTYPE2/LUTYPE3): EOC comes with the end of the chain, and a display sends each input as one chain. Default: ignored.
    if of_chain && task.eib.byte(eib::EIBCOMPL) == YES { raise(condition::EOC, resp2::NONE) } else { Ok(()) }
}

fn converse(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let record = outbound(task, display, arguments, [option::FROMLENGTH, option::FROMFLENGTH])?;
    TaskState::of_mut(&mut task.parts).definite_response = arguments.has(option::DEFRESP);
    output::send(task, display, record, true)?;
    let input = input::next(task, display, arguments.has(option::ASIS))?;
    deliver(task, arguments, input, &Wanted { length: option::TOLENGTH, full_length: option::TOFLENGTH })
}

/// RECEIVE BUFFER: the whole screen, as READ BUFFER returns it.
fn read_buffer(task: &mut Task, display: &DisplayTerminal) -> Result<Input, Raised> {
    output::flush(task, display)?;
    if display.transmit(&[SNA_CMD_RB]).is_err() {
        return raise(condition::TERMERR, resp2::NONE);
    }
    let record = input::wait(task, display)?;
    let input = Input::parse(record, display.capabilities.addressing_for(display.size()));
    task.eib.set_byte(eib::EIBAID, input.aid);
    task.eib.set_half(eib::EIBCPOSN, input.cursor);
    Ok(input)
}

/// Delivers the data to the program: INTO or SET, cut to the maximum, with its full length.
fn deliver(task: &mut Task, arguments: &mut Arguments, input: Input, wanted: &Wanted) -> Outcome {
    let region = task.region;
    let mut data = match TerminalControl::of(region).translation(region) {
        Some(translation) if !input.from_program => output::translated_input(&input.data, translation),
        _ => input.data,
    };
    let into = arguments.area(option::INTO);
    let given = |option| arguments.integer(option);
    let maximum = given(option::MAXLENGTH).or_else(|| given(option::MAXFLENGTH));
    let maximum = match into {
        // On input LENGTH is the size of the area.
        Some(area) => Some(maximum.or_else(|| given(wanted.length)).or_else(|| given(wanted.full_length)).unwrap_or(area.length as i64)),
        None => maximum,
    };
    // A value below zero counts as zero.
    let maximum = maximum.map_or(usize::MAX, |maximum| maximum.max(0) as usize);
    let there_was = data.len();
    let too_long = there_was > maximum;
    let keep = too_long && arguments.has(option::NOTRUNCATE);
    if keep {
        TaskState::of_mut(&mut task.parts).remainder = Some(data[maximum..].to_vec());
    }
    data.truncate(maximum);
    let length = if keep { data.len() } else { there_was };
    task.eib.set_byte(eib::EIBEOC, YES);
    task.eib.set_byte(eib::EIBCOMPL, if keep { 0 } else { YES });
    task.eib.set_byte(eib::EIBRECV, if keep { YES } else { 0 });
    if into.is_some() {
        arguments.set_bytes_unbounded(option::INTO, &data)?;
    } else if arguments.has(option::SET) {
        let address = task.level_storage(&data)?;
        arguments.set_integer(option::SET, address as i64);
    }
    arguments.set_integer(wanted.length, length as i64);
    arguments.set_integer(wanted.full_length, length as i64);
    if too_long && !keep { raise(condition::LENGERR, resp2::NONE) } else { Ok(()) }
}

fn wait_terminal(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    output::flush(task, display(&*terminal)?)
}

fn issue_disconnect(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    output::flush(task, display(&*terminal)?)?;
    TaskState::of_mut(&mut task.parts).disconnect = true;
    Ok(())
}

fn issue_eraseaup(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    output::send(task, display(&*terminal)?, vec![SNA_CMD_EAU], arguments.has(option::WAIT))
}
