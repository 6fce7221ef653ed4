//! SEND MAP and SEND CONTROL.

use super::options::{Send, display, facility, screen};
use super::{Position, mapset, message};
use crate::exec_interface::{Abend, Arguments, Outcome, Raised, raise};
use crate::name::Name8;
use crate::terminal_control::output;
use crate::transaction_manager::Task;
use bms::layout::MapLayout;
use bms::model::Map;
use bms::send_map::{MapData, MapError, map_origin};
use exec::{condition, option};

/// Names of the map and the mapset it is in.
pub fn names(task: &mut Task, arguments: &Arguments) -> Result<(Name8, Name8), Raised> {
    let map: Name8 = arguments.name(option::MAP)?.unwrap_or_default();
    let mapset: Option<Name8> = arguments.name(option::MAPSET)?;
    task.set_resource(&map);
    Ok((map, mapset.filter(|name| !name.is_blank()).unwrap_or(map)))
}

/// The map is not in its mapset.
pub fn no_such_map(map: Name8, mapset: Name8) -> Raised {
    Raised::Abend(Box::new(Abend::new("ABM0").because(format!("map {map} is not in mapset {mapset}"))))
}

pub fn map_error(_error: MapError) -> Raised {
    Raised::new(condition::INVMPSZ, 0)
}

pub fn send_map(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let (map_name, mapset_name) = names(task, arguments)?;
    let send = Send::of(task, display, arguments)?;
    let suffix = mapset::suffix(display, send.alternate);
    let mapset = mapset::for_task(task, mapset_name, suffix, send.alternate)?;
    let Some((map, layout)) = mapset.map(map_name.as_str()) else { return Err(no_such_map(map_name, mapset_name)) };
    let area = symbolic_map(arguments, layout)?;
    let data = match &area {
        _ if arguments.has(option::MAPONLY) => MapData::MapOnly,
        Some(area) if arguments.has(option::DATAONLY) => MapData::DataOnly(area),
        Some(area) => MapData::Merged(area),
        None if arguments.has(option::DATAONLY) => return raise(condition::INVREQ, 0),
        None => MapData::MapOnly,
    };
    task.performance.map_requests += 1;
    task.performance.map_outputs += 1;
    task.performance.map_total += 1;
    note_position(task, map, map_origin(map, display.capabilities.size(send.alternate), 1).map_err(map_error)?, display.capabilities.size(send.alternate));
    if send.accumulate {
        return message::add_map(task, display, map, layout, data, &send);
    }
    let mapped = bms::send_map::send_map(map, layout, data, &send.options, screen(task, display, send.alternate), 1).map_err(map_error)?;
    output::send(task, display, mapped.stream, send.wait)
}

/// The program's area, as far as the map describes it.
fn symbolic_map(arguments: &Arguments, layout: &MapLayout) -> Result<Option<Vec<u8>>, Raised> {
    let Some(area) = arguments.area(option::FROM) else { return Ok(None) };
    let length = match arguments.integer(option::LENGTH) {
        Some(length) if length < 0 => return raise(condition::LENGERR, 0),
        Some(length) => length as usize,
        None => area.length,
    };
    arguments.bytes_of_length(option::FROM, length.min(layout.length))
}

fn note_position(task: &mut Task, map: &Map, origin: u16, size: bms::ScreenSize) {
    let (line, column) = (origin / size.columns + 1, origin % size.columns + 1);
    task.basic_mapping.position = Some(Position { line, column, height: map.lines, width: map.columns });
}

pub fn send_control(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let send = Send::of(task, display, arguments)?;
    task.performance.map_total += 1;
    let stream = bms::send_map::send_control(&send.options, screen(task, display, send.alternate));
    output::send(task, display, stream, send.wait)
}
