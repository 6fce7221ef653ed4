//! SEND MAP and SEND CONTROL.

use super::exits::Mapping;
use super::options::{Disposition, Send, Surface, destination, display, screen};
use super::{Position, mapset, message, page_list, partitions};
use crate::basic_mapping::TaskState;
use crate::terminal_control::TerminalControl;
use bms::layout::MapLayout;
use bms::model::Map;
use bms::object::LoadedMapSet;
use bms::send_map::{MapData, MapError, map_origin};
use exec::resp2;
use exec::{condition, option};
use region::facility::Terminal;
use region::name::{Name4, Name8};
use region::{Abend, Arguments, Outcome, Raised, Task, raise};
use std::sync::Arc;

/// Names of the map and the mapset it is in.
pub fn names(arguments: &Arguments) -> Result<(Name8, Name8), Raised> {
    let map: Name8 = arguments.name(option::MAP)?.unwrap_or_default();
    let mapset: Option<Name8> = arguments.name(option::MAPSET)?;
    Ok((map, mapset.filter(|name| !name.is_blank()).unwrap_or(map)))
}

/// The map is not in its mapset.
pub fn no_such_map(map: Name8, name: Name8, mapset: &LoadedMapSet) -> Raised {
    let near = exec::meant(map.as_str(), mapset.set.maps.iter().map(|known| known.name.as_str()));
    Raised::Abend(Box::new(Abend::new("ABM0").because(format!("map {map} is not in mapset {name}{near}"))))
}

pub fn map_error(_error: MapError) -> Raised {
    Raised::new(condition::INVMPSZ, resp2::NONE)
}

pub fn send_map(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = destination(task, arguments)?;
    let display = terminal.as_deref().map(display).transpose()?;
    let names = names(arguments)?;
    let send = Send::of(task, display, arguments)?;
    task.performance.map_requests += 1;
    task.performance.map_outputs += 1;
    task.performance.map_total += 1;
    let (map_name, mapset_name) = names;
    let place = display.map(|display| partitions::place(task, display, arguments, Some((mapset_name, map_name)))).transpose()?.flatten();
    let Some(display) = display.filter(|_| !message::is_logical(task, &send)) else {
        return message::add_map(task, arguments, display, place, names, &send);
    };
    let surface = place.as_ref().map_or_else(|| Surface::of(display), |place| place.surface(display));
    let mapset = mapset::for_task(task, mapset_name, surface.suffix(send.alternate))?;
    let Some((map, layout)) = mapset.map(map_name.as_str()) else { return Err(no_such_map(map_name, mapset_name, &mapset)) };
    let area = symbolic_map(arguments, layout)?;
    let data = data(arguments, area.as_deref())?;
    let translation = TerminalControl::of(task.region).translation(task.region);
    let size = surface.capabilities.size(send.alternate);
    let mapping = Mapping { mapset: mapset_name, map, layout, size, translation };
    let changed = mapping.sent(task, Some(display), data)?;
    let data = as_changed(data, changed.as_deref());
    let origin = map_origin(map, surface.capabilities.page(send.alternate), 1).map_err(map_error)?;
    note_position(task, map, origin, size);
    let usage = surface.screen(task, send.alternate);
    let mapped = bms::send_map::send_map(map, layout, data, &send.options, usage, 1).map_err(map_error)?;
    if send.disposition == Disposition::Set {
        return page_list::give(task, arguments, &[mapped.stream]);
    }
    partitions::transmit(task, display, place.as_ref(), mapped.stream, send.wait)
}

/// What is mapped: the program's data, or the map alone.
pub fn data<'a>(arguments: &Arguments, area: Option<&'a [u8]>) -> Result<MapData<'a>, Raised> {
    Ok(match area {
        _ if arguments.has(option::MAPONLY) => MapData::MapOnly,
        Some(area) if arguments.has(option::DATAONLY) => MapData::DataOnly(area),
        Some(area) => MapData::Merged(area),
        None if arguments.has(option::DATAONLY) => return raise(condition::INVREQ, resp2::NONE),
        None => MapData::MapOnly,
    })
}

/// The data as exit programs have left them.
pub fn as_changed<'a>(data: MapData<'a>, changed: Option<&'a [u8]>) -> MapData<'a> {
    match changed {
        Some(area) if matches!(data, MapData::DataOnly(_)) => MapData::DataOnly(area),
        Some(area) => MapData::Merged(area),
        None => data,
    }
}

/// The part of the program's area that the map describes.
pub fn symbolic_map(arguments: &Arguments, layout: &MapLayout) -> Result<Option<Vec<u8>>, Raised> {
    let Some(area) = arguments.area(option::FROM) else { return Ok(None) };
    let length = match arguments.integer(option::LENGTH) {
        Some(length) if length < 0 => return raise(condition::LENGERR, resp2::NONE),
        Some(length) => length as usize,
        None => area.length,
    };
    arguments.bytes_of_length(option::FROM, length.min(layout.length))
}

pub fn note_position(task: &mut Task, map: &Map, origin: u16, size: bms::ScreenSize) {
    let (line, column) = (origin / size.columns + 1, origin % size.columns + 1);
    TaskState::of_mut(&mut task.parts).position = Some(Position { line, column, height: map.lines, width: map.columns });
}

pub fn send_control(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = destination(task, arguments)?;
    let display = terminal.as_deref().map(display).transpose()?;
    let send = Send::of(task, display, arguments)?;
    task.performance.map_total += 1;
    let place = display.map(|display| partitions::place(task, display, arguments, None)).transpose()?.flatten();
    let Some(display) = display.filter(|_| !message::is_logical(task, &send)) else {
        return message::add_control(task, arguments, display, place, &send);
    };
    let surface = place.as_ref().map_or_else(|| Surface::of(display), |place| place.surface(display));
    let stream = bms::send_map::send_control(&send.options, surface.screen(task, send.alternate));
    if send.disposition == Disposition::Set {
        return page_list::give(task, arguments, &[stream]);
    }
    partitions::transmit(task, display, place.as_ref(), stream, send.wait)
}

/// SEND MAP MAPPINGDEV: the data stream for a terminal that need not be the task's, given to the program.
pub fn send_map_mappingdev(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = mapping_device(task, arguments)?;
    let display = display(&*terminal)?;
    let (map_name, mapset_name) = names(arguments)?;
    let send = Send::of(task, Some(display), arguments)?;
    let mapset = mapset::for_task(task, mapset_name, Surface::of(display).suffix(send.alternate))?;
    let Some((map, layout)) = mapset.map(map_name.as_str()) else { return Err(no_such_map(map_name, mapset_name, &mapset)) };
    let area = symbolic_map(arguments, layout)?;
    let data = match &area {
        Some(area) if arguments.has(option::DATAONLY) => MapData::DataOnly(area),
        Some(area) if !arguments.has(option::MAPONLY) => MapData::Merged(area),
        _ => MapData::MapOnly,
    };
    task.performance.map_total += 1;
    let usage = screen(task, display, send.alternate);
    let mapped = bms::send_map::send_map(map, layout, data, &send.options, usage, 1).map_err(map_error)?;
    page_list::give_area(task, arguments, &mapped.stream)
}

/// The terminal MAPPINGDEV names: a 3270 display of the region.
pub fn mapping_device(task: &Task, arguments: &Arguments) -> Result<Arc<dyn Terminal>, Raised> {
    let name: Name4 = arguments.name(option::MAPPINGDEV)?.unwrap_or_default();
    task.region.terminals.find(name).map_or_else(|| raise(condition::INVREQ, resp2::NONE), Ok)
}
