//! RECEIVE MAP, from the terminal or from data of the program.

use super::exits::Mapping;
use super::options::{Surface, display, facility};
use super::{mapset, partitions, send, validation};
use crate::terminal_control::TerminalControl;
use crate::terminal_control::{DisplayTerminal, Input, input, output};
use bms::Inbound;
use bms::inbound::Body;
use bms::receive_map::ReceiveError;
use exec::resp2;
use exec::{condition, eib, option};
use region::name::Name8;
use region::{Arguments, Outcome, Raised, Task, raise};

pub fn receive_map(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let (map_name, mapset_name) = send::names(arguments)?;
    if let Some(input) = from_program(task, arguments)? {
        return map_input(task, arguments, display, (map_name, mapset_name), input);
    }
    let mut refusals = 0;
    loop {
        let input = input::next(task, display, arguments.has(option::ASIS))?;
        let mapset = mapset::for_task(task, mapset_name, surface_of(task, display).1)?;
        let Some((map, _)) = mapset.map(map_name.as_str()) else { return Err(send::no_such_map(map_name, mapset_name, &mapset)) };
        if partitions::is_expected(task, display, arguments, map, &mut refusals)? {
            return map_input(task, arguments, display, (map_name, mapset_name), input);
        }
    }
}

/// The screen or the partition that an input comes from, and the suffix of its mapsets.
fn surface_of(task: &Task, display: &DisplayTerminal) -> (Surface, Option<char>) {
    let surface = partitions::input_surface(display).unwrap_or_else(|| Surface::of(display));
    let suffix = surface.suffix(output::is_alternate(task, display));
    (surface, suffix)
}

fn map_input(task: &mut Task, arguments: &mut Arguments, display: &DisplayTerminal, names: (Name8, Name8), input: Input) -> Outcome {
    let (map_name, mapset_name) = names;
    let alternate = output::is_alternate(task, display);
    let (surface, suffix) = surface_of(task, display);
    let mapset = mapset::for_task(task, mapset_name, suffix)?;
    let Some((map, layout)) = mapset.map(map_name.as_str()) else { return Err(send::no_such_map(map_name, mapset_name, &mapset)) };
    task.performance.map_requests += 1;
    task.performance.map_inputs += 1;
    task.performance.map_total += 1;
    let from_program = input.from_program;
    let inbound = inbound(task, display, input)?;
    let translation = TerminalControl::of(task.region).translation(task.region);
    let mapping = Mapping { mapset: mapset_name, map, layout, size: surface.capabilities.size(alternate), translation };
    if !from_program {
        validation::validate(task, display, &mapping, &inbound)?;
    }
    // UCTRAN has been applied to the whole input.
    let mapped = match bms::receive_map::receive_map(map, layout, &inbound, surface.screen(task, alternate), None) {
        Ok(mapped) => mapped,
        Err(ReceiveError::MapFail) => return raise(condition::MAPFAIL, resp2::NONE),
        Err(ReceiveError::Map(error)) => return Err(send::map_error(error)),
    };
    let area = mapping.received(task, display, mapped.area)?;
    if arguments.has(option::SET) {
        let address = task.level_storage(&area)?;
        arguments.set_integer(option::SET, address as i64);
        return Ok(());
    }
    arguments.set_bytes(option::INTO, &area)
}

/// RECEIVE MAP MAPPINGDEV: data that came from a terminal like the named one.
pub fn receive_map_mappingdev(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = send::mapping_device(task, arguments)?;
    let display = display(&*terminal)?;
    let (map_name, mapset_name) = send::names(arguments)?;
    let Some(input) = from_program(task, arguments)? else { return raise(condition::MAPFAIL, resp2::NONE) };
    map_input(task, arguments, display, (map_name, mapset_name), input)
}

/// FROM: data the program has received before.
fn from_program(task: &Task, arguments: &Arguments) -> Result<Option<Input>, Raised> {
    let Some(area) = arguments.area(option::FROM) else { return Ok(None) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64).max(0) as usize;
    let data = arguments.bytes_of_length(option::FROM, length)?.unwrap_or_default();
    Ok(Some(Input { aid: task.eib.byte(eib::EIBAID), cursor: task.eib.half(eib::EIBCPOSN), data, from_program: true }))
}

/// The fields of an input. Data that do not parse cannot be mapped.
fn inbound(task: &Task, display: &DisplayTerminal, input: Input) -> Result<Inbound, Raised> {
    let size = display.input_size();
    let region = task.region;
    let data = match TerminalControl::of(region).translation(region) {
        Some(translation) if input.from_program => output::translated(&input.data, translation),
        _ => input.data,
    };
    if exec::aid::is_short_read(input.aid) && data.is_empty() {
        return Ok(Inbound { aid: input.aid, cursor: Some(input.cursor), body: Body::Short });
    }
    let addressing = display.input_addressing();
    match Inbound::parse_data(input.aid, input.cursor, &data, size.positions(), addressing) {
        Ok(inbound) => Ok(inbound),
        Err(_) => raise(condition::MAPFAIL, resp2::NONE),
    }
}
