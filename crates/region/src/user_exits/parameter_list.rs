//! A parameter list of an exit program in storage of the task: addresses, and the values behind them.

use super::TaskState;
use crate::storage_access::{self, Area};
use crate::{ExitArgument, Raised, Task};
use exec::EXIT_ADDRESS_BYTES;
use kernel::storage::{Getmain, Line};

/// Areas for parameter lists that a task keeps.
const AREAS_MAX: usize = 8;
/// The boundary of each value behind a parameter list.
const BOUNDARY: usize = 8;

/// Storage of the task for a parameter list, which it keeps for the next one.
pub fn take_area(task: &mut Task, length: usize) -> Result<(usize, usize), Raised> {
    let areas = &mut TaskState::of_mut(&mut task.parts).areas;
    if let Some(at) = areas.iter().position(|(_, held)| *held >= length) {
        return Ok(areas.swap_remove(at));
    }
    let length = length.next_multiple_of(BOUNDARY);
    let request = Getmain { length, line: Line::Below2G, key: kernel::storage::Key::Cics, initial: None };
    Ok((task.getmain(request, false)?, length))
}

pub fn keep_area(task: &mut Task, area: (usize, usize)) {
    let areas = &mut TaskState::of_mut(&mut task.parts).areas;
    if areas.len() < AREAS_MAX {
        areas.push(area);
    } else {
        task.freemain(area.0);
    }
}

/// A parameter list with the values behind it, at its place in storage.
pub struct List {
    pub area: (usize, usize),
    /// Addresses of the list.
    count: usize,
    /// Where the copies are.
    copies: Vec<(usize, usize)>,
}

impl List {
    pub fn write(task: &mut Task, values: &[&ExitArgument]) -> Result<List, Raised> {
        let length_of = |value: &ExitArgument| value.get().len().next_multiple_of(BOUNDARY);
        let addresses = (values.len() * EXIT_ADDRESS_BYTES).next_multiple_of(BOUNDARY);
        let length = addresses + values.iter().map(|value| length_of(value)).sum::<usize>();
        let area = take_area(task, length)?;
        let (mut bytes, mut copies, mut next) = (vec![0; length], Vec::with_capacity(values.len()), addresses);
        for (at, value) in values.iter().enumerate() {
            let address = match value {
                ExitArgument::Absent => 0,
                ExitArgument::Address(address) | ExitArgument::Returned(address) => *address,
                ExitArgument::Bytes(copy) => {
                    bytes[next..next + copy.len()].copy_from_slice(copy);
                    area.0 + next
                }
            };
            copies.push((area.0 + next, value.get().len()));
            next += length_of(value);
            let place = at * EXIT_ADDRESS_BYTES;
            bytes[place..place + EXIT_ADDRESS_BYTES].copy_from_slice(&(address as u32).to_be_bytes());
        }
        storage_access::write(area.0, &bytes)?;
        Ok(List { area, count: values.len(), copies })
    }

    /// The list as the communication area of an exit program.
    pub fn as_area(&self) -> Area {
        Area::new(self.area.0, self.count * EXIT_ADDRESS_BYTES)
    }

    /// Where the value of a parameter is.
    pub fn place(&self, parameter: usize) -> usize {
        self.copies[parameter].0
    }

    /// Takes into the arguments, from the parameter `first` on, what the exit program has left in its copies.
    pub fn read_back(&self, first: usize, arguments: &mut [ExitArgument]) -> Result<(), Raised> {
        for (at, argument) in arguments.iter_mut().enumerate() {
            let (address, length) = self.copies[first + at];
            match argument {
                ExitArgument::Bytes(bytes) => *bytes = Area::new(address, length).read()?,
                ExitArgument::Returned(address) => {
                    let mut left = [0; EXIT_ADDRESS_BYTES];
                    storage_access::read(self.area.0 + (first + at) * EXIT_ADDRESS_BYTES, &mut left)?;
                    *address = u32::from_be_bytes(left) as usize;
                }
                ExitArgument::Absent | ExitArgument::Address(_) => {}
            }
        }
        Ok(())
    }
}
