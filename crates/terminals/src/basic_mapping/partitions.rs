//! Partitions of the task's terminal: the set in effect, the partition that a command is for, SEND PARTNSET and RECEIVE PARTN.
//!
//! Rules (CICS, "Partition support"): TRANSACTION PARTITIONSET names the set of a task, KEEP and OWN leave what is at the terminal, and without it
//! the terminal is in the base state; SEND PARTNSET chooses another, which goes to the terminal with the next output. Output goes to the
//! partition of OUTPARTN, or of the map (PARTN), or to the first; ACTPARTN moves the cursor. A terminal that has no partitions ignores all of
//! this.

use super::options::{Surface, display, facility};
use super::{TaskState, mapset, send};
use crate::terminal_control::{DisplayTerminal, TerminalControl, input, output};
use bms::constants::SNA_CMD_WSF;
use bms::model::Map;
use bms::partition::{self, Partition, PartitionSet};
use bms::send_map::wcc;
use exec::resp2;
use exec::{condition, option};
use region::name::{Name4, Name8};
use region::{Arguments, Outcome, Raised, Task, raise};
use std::sync::Arc;

/// PARTITIONSET of a TRANSACTION: the program takes what is at the terminal.
const KEEP: &str = "KEEP";
const OWN: &str = "OWN";
/// Inputs from another partition than the expected one that are refused before PARTNFAIL.
const REFUSALS_MAX: usize = 3;

/// Where output goes.
#[derive(Clone)]
pub struct Place {
    set: Arc<PartitionSet>,
    pub id: u8,
    activates: Option<u8>,
}

impl Place {
    fn partition(&self) -> &Partition {
        &self.set.partitions[usize::from(self.id)]
    }

    pub fn name(&self) -> &str {
        &self.partition().name
    }

    /// The partition as a screen.
    pub fn surface(&self, display: &DisplayTerminal) -> Surface {
        surface_of(display, self.partition())
    }
}

fn surface_of(display: &DisplayTerminal, partition: &Partition) -> Surface {
    let whole = Surface::of(display);
    let suffix = partition.map_suffix.or(whole.suffix(display.is_alternate()));
    Surface { capabilities: display.capabilities_of(partition.buffer_size), alternate_suffix: suffix, partition_suffix: suffix }
}

/// The partition set of the task; `None` in the base state, and at a terminal that has no partitions.
fn set_of(task: &mut Task, display: &DisplayTerminal) -> Result<Option<Arc<PartitionSet>>, Raised> {
    if !display.capabilities.partitions {
        return Ok(None);
    }
    if let Some(chosen) = &TaskState::of(&task.parts).partition_set {
        return Ok(chosen.clone());
    }
    let name = task.definition.partition_set;
    let set = match name.as_str() {
        "" => None,
        KEEP | OWN => display.partitions(),
        _ => Some(load(task, display, name)?),
    };
    TaskState::of_mut(&mut task.parts).partition_set = Some(set.clone());
    Ok(set)
}

/// The name of the set in effect, for ASSIGN PARTNSET.
pub fn set_name(task: &Task) -> Option<String> {
    let chosen = TaskState::of(&task.parts).partition_set.as_ref()?.as_ref()?;
    Some(chosen.name.clone())
}

/// A partition set from the libraries, with the suffix of the terminal or without.
fn load(task: &Task, display: &DisplayTerminal, name: Name8) -> Result<Arc<PartitionSet>, Raised> {
    let member = |name: Name8| task.region.programs().find_member(name, program::batch::MODULE_EXTENSION);
    let surface = Surface::of(display);
    let suffixes = [surface.alternate_suffix, surface.suffix(false)];
    let suffixed = suffixes.into_iter().flatten().map(|suffix| Name8::new(&format!("{name}{suffix}")));
    let found = suffixed.chain([name]).find_map(member);
    let read = found.and_then(|(_, path)| std::fs::read(path).ok());
    match read.and_then(|bytes| partition::decode(&bytes).ok()) {
        Some(set) => Ok(Arc::new(set)),
        None => raise(condition::INVPARTNSET, resp2::NONE),
    }
}

fn find(set: &PartitionSet, name: Name4) -> Result<u8, Raised> {
    set.find(name.as_str()).map_or_else(|| raise(condition::INVPARTN, resp2::NONE), Ok)
}

/// The partition a command is for. `map`: mapset and map of a SEND MAP.
pub fn place(
    task: &mut Task,
    display: &DisplayTerminal,
    arguments: &Arguments,
    map: Option<(Name8, Name8)>,
) -> Result<Option<Place>, Raised> {
    let Some(set) = set_of(task, display)? else { return Ok(None) };
    let mut activates = arguments.name(option::ACTPARTN)?.map(|name| find(&set, name)).transpose()?;
    let id = match (arguments.name(option::OUTPARTN)?, map) {
        (Some(name), _) => find(&set, name)?,
        (None, Some((mapset_name, map_name))) => {
            let mapset = mapset::for_task(task, mapset_name, Surface::of(display).suffix(display.is_alternate()))?;
            let Some((map, _)) = mapset.map(map_name.as_str()) else { return Err(send::no_such_map(map_name, mapset_name, &mapset)) };
            let id = if map.partition.is_empty() { 0 } else { find(&set, Name4::new(&map.partition))? };
            activates = activates.or(map.activates_partition.then_some(id));
            id
        }
        (None, None) => 0,
    };
    Ok(Some(Place { set, id, activates }))
}

/// Sends the output of a command to its partition, after the partitions themselves if they are not at the terminal.
pub fn transmit(task: &mut Task, display: &DisplayTerminal, place: Option<&Place>, stream: Vec<u8>, wait: bool) -> Outcome {
    let Some(place) = place else { return output::send(task, display, stream, wait) };
    if display.partitions().is_none_or(|there| there != place.set) {
        output::send(task, display, [&[SNA_CMD_WSF][..], &place.set.create()].concat(), true)?;
        display.note_partitions(Some(place.set.clone()));
    }
    let mut record = [&[SNA_CMD_WSF][..], &partition::write_to(place.id, &stream)].concat();
    record.extend(place.activates.map(partition::activate).unwrap_or_default());
    output::send(task, display, record, wait)
}

/// SEND PARTNSET.
pub fn send_partnset(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    if TaskState::of(&task.parts).message.is_some() {
        return raise(condition::INVREQ, resp2::NONE);
    }
    let named: Option<Name8> = arguments.name(option::PARTNSET)?;
    let set = named.map(|name| load(task, display, name)).transpose()?;
    if display.capabilities.partitions {
        TaskState::of_mut(&mut task.parts).partition_set = Some(set);
    }
    Ok(())
}

/// The surface that an input is mapped for: the partition it came from, or the screen.
pub fn input_surface(display: &DisplayTerminal) -> Option<Surface> {
    let (set, id) = (display.partitions()?, display.input_partition()?);
    set.get(id).map(|partition| surface_of(display, partition))
}

/// The partition that the last input came from, for ASSIGN INPARTN and RECEIVE PARTN.
pub fn input_name(display: &DisplayTerminal) -> Option<String> {
    let (set, id) = (display.partitions()?, display.input_partition()?);
    set.get(id).map(|partition| partition.name.clone())
}

/// Whether an input has come from the partition that RECEIVE MAP expects: INPARTN, or else that of the map. If not, the operator is sent there.
pub fn is_expected(
    task: &mut Task,
    display: &DisplayTerminal,
    arguments: &Arguments,
    map: &Map,
    refusals: &mut usize,
) -> Result<bool, Raised> {
    let Some(set) = display.partitions() else { return Ok(true) };
    let named = arguments.name(option::INPARTN)?;
    let of_map = (!map.partition.is_empty()).then(|| Name4::new(&map.partition));
    let Some(expected) = named.or(of_map).map(|name| find(&set, name)).transpose()? else { return Ok(true) };
    if display.input_partition() == Some(expected) {
        return Ok(true);
    }
    if *refusals >= REFUSALS_MAX {
        return raise(condition::PARTNFAIL, resp2::NONE);
    }
    *refusals += 1;
    let unlock = [bms::constants::SNA_CMD_W, wcc(bms::model::Control { free_keyboard: true, ..Default::default() }).byte()];
    let mut record = [&[SNA_CMD_WSF][..], &partition::write_to(expected, &unlock), &partition::activate(expected)].concat();
    if let Some(id) = set.for_errors() {
        let screen = display.capabilities_of(set.partitions[usize::from(id)].buffer_size);
        let text = format!("Input is expected from partition {}", set.partitions[usize::from(expected)].name);
        let usage = bms::send_map::ScreenUse { capabilities: &screen, alternate: false, translation: None, full_lines: false };
        let options = bms::send_map::SendOptions { erase: bms::send_map::Erase::Screen, ..Default::default() };
        let streams = bms::send_text::send_text(&bms::text::encode(display.page(), &text), &options, usage);
        record.extend(streams.iter().take(1).flat_map(|stream| partition::write_to(id, stream)));
    }
    output::send(task, display, record, true)?;
    Ok(false)
}

/// RECEIVE PARTN: data of whatever partition the operator has worked in. In the base state the name is blank.
pub fn receive_partn(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let input = input::next(task, display, arguments.has(option::ASIS))?;
    arguments.set_text(option::PARTN, &input_name(display).unwrap_or_default())?;
    let region = task.region;
    let mut data = match TerminalControl::of(region).translation(region) {
        Some(translation) if !input.from_program => output::translated_input(&input.data, translation),
        _ => input.data,
    };
    let most = match (arguments.integer(option::LENGTH), arguments.area(option::INTO)) {
        (Some(length), _) => usize::try_from(length).unwrap_or(0),
        (None, Some(area)) => area.length,
        (None, None) => usize::MAX,
    };
    let is_too_long = data.len() > most && arguments.has(option::INTO);
    arguments.set_integer(option::LENGTH, data.len() as i64);
    if arguments.has(option::SET) {
        let address = task.level_storage(&data)?;
        arguments.set_integer(option::SET, address as i64);
    } else {
        data.truncate(most);
        arguments.set_bytes_unbounded(option::INTO, &data)?;
    }
    if is_too_long { raise(condition::LENGERR, resp2::NONE) } else { Ok(()) }
}
