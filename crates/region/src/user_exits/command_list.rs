//! The parameter list of a command for exit programs: UEPARG and UEPCLPS lead to it.
//!
//! It has sixteen addresses. The first leads to the EXEC interface descriptor (EID); the others lead to arguments, as
//! `exec/tables/command_parameters.tsv` says. An area is the program's own, a number is a copy. The exit program may change numbers, put other
//! addresses in place of those of areas, and put a number elsewhere. An address that has not been set is zero; the last one is not marked.

use super::parameter_list::{keep_area, take_area};
use crate::control_blocks::packed::packed;
use crate::exec_interface::gate::function_code;
use crate::storage_access::{self, Area};
use crate::{Arguments, Raised, Task};
use exec::block::{Argument, Block, Representation};
use exec::{COMMAND_ADDRESSES, CommandParameter, CommandSpec, EID_BYTES, EXIT_ADDRESS_BYTES, ParameterForm, command_parameters};

/// Where the EID and the copies of numbers are, behind the addresses.
const EID: usize = COMMAND_ADDRESSES * EXIT_ADDRESS_BYTES;
const NUMBERS: usize = (EID + EID_BYTES).next_multiple_of(8);
const NUMBER_BYTES: usize = 8;
const TIME_BYTES: usize = 4;
/// Pointers of programs are below 2 GB.
const ADDRESS_LIMIT: u64 = 1 << 31;
const LENGTH: usize = NUMBERS + COMMAND_ADDRESSES * NUMBER_BYTES;

/// The list of one command, in storage of the task.
pub struct CommandList {
    area: (usize, usize),
    /// The addresses that the exit program was given.
    given: [u32; COMMAND_ADDRESSES],
}

impl CommandList {
    /// The list of the command in the block. It has copies of literals, which are beyond the addresses of a list, and of names that are shorter
    /// than the names of their option.
    pub fn write(task: &mut Task, block: &mut Block) -> Result<CommandList, Raised> {
        let Some(spec) = block.command.checked() else { return Err(Raised::abend("AEIP")) };
        let space = task.region.code_page.space();
        let [group, function] = function_code(spec, &Arguments::new(block, &task.region.code_page)).to_be_bytes();
        let arguments = storage_access::arguments_of(block);
        let copies: usize = arguments.iter().filter_map(|argument| copied(spec, argument)).map(room).sum();
        let area = take_area(task, LENGTH + copies)?;
        let mut image = Image { start: area.0, bytes: vec![0; LENGTH + copies], next: LENGTH };
        image.bytes[LENGTH..].fill(space);
        image.bytes[EID..EID + 2].copy_from_slice(&[group, function]);
        for row in command_parameters(spec) {
            if let Some(argument) = arguments.iter().find(|argument| row.options.contains(&argument.option)) {
                image.put(row, argument, copied(spec, argument))?;
            }
        }
        image.put_address(0, area.0 + EID);
        storage_access::write(area.0, &image.bytes)?;
        Ok(CommandList { area, given: addresses(&image.bytes) })
    }

    pub fn address(&self) -> usize {
        self.area.0
    }

    /// Takes into the block what exit programs have changed in the list, which is no longer used.
    pub fn take_back(self, task: &mut Task, block: &mut Block) -> Result<(), Raised> {
        let taken = self.read_back(block);
        keep_area(task, self.area);
        taken
    }

    fn read_back(&self, block: &mut Block) -> Result<(), Raised> {
        let Some(spec) = block.command.checked() else { return Ok(()) };
        let bytes = Area::new(self.area.0, LENGTH).read()?;
        let arguments = storage_access::arguments_of(block);
        let left = addresses(&bytes);
        for row in command_parameters(spec).filter(|row| self.given[row.address] != 0 && row.address != 0) {
            if let Some(argument) = arguments.iter_mut().find(|argument| row.options.contains(&argument.option)) {
                let (length, is_other) = (name_length(spec, argument), left[row.address] != self.given[row.address]);
                take(argument, row, left[row.address] as usize, is_other.then_some(length))?;
            }
        }
        Ok(())
    }
}

fn addresses(bytes: &[u8]) -> [u32; COMMAND_ADDRESSES] {
    std::array::from_fn(|number| {
        let place = number * EXIT_ADDRESS_BYTES;
        u32::from_be_bytes(bytes[place..place + EXIT_ADDRESS_BYTES].try_into().expect("four bytes"))
    })
}

/// The length of the names of an option; 0 for an option that has none.
fn name_length(spec: &CommandSpec, argument: &Argument) -> usize {
    spec.option(argument.option).map_or(0, |option| option.length.into())
}

/// The length of the copy of an area, if the list has one: a program addresses an area with a pointer of four bytes, and a name in its full
/// length.
fn copied(spec: &CommandSpec, argument: &Argument) -> Option<usize> {
    let (length, of_name) = (argument.length as usize, name_length(spec, argument));
    let is_far = argument.address >= ADDRESS_LIMIT;
    (argument.representation == Representation::Area && (is_far || length < of_name)).then_some(length.max(of_name))
}

fn room(length: usize) -> usize {
    length.next_multiple_of(NUMBER_BYTES)
}

/// The bytes of a list, before they are in storage.
struct Image {
    start: usize,
    bytes: Vec<u8>,
    /// Where the next copy of a literal goes.
    next: usize,
}

impl Image {
    fn put_address(&mut self, number: usize, address: usize) {
        let place = number * EXIT_ADDRESS_BYTES;
        self.bytes[place..place + EXIT_ADDRESS_BYTES].copy_from_slice(&(address as u32).to_be_bytes());
    }

    fn put(&mut self, row: &CommandParameter, argument: &Argument, copied: Option<usize>) -> Result<(), Raised> {
        match (row.form, argument.representation) {
            (ParameterForm::Flag, _) => self.bytes[EID + row.byte] |= row.bit,
            (_, Representation::Area) => {
                let address = match copied {
                    None => argument.address as usize,
                    Some(length) => self.copy(argument, length)?,
                };
                self.bytes[EID + row.byte] |= row.bit;
                self.put_address(row.address, address);
            }
            (ParameterForm::Number(length), Representation::Integer) => {
                let value = argument.value.to_be_bytes();
                self.put_number(row, &value[value.len() - length..]);
            }
            (ParameterForm::Time, Representation::Integer) => self.put_number(row, &packed::<TIME_BYTES>(argument.value.unsigned_abs())),
            _ => {}
        }
        Ok(())
    }

    fn copy(&mut self, argument: &Argument, length: usize) -> Result<usize, Raised> {
        let place = self.next;
        storage_access::read(argument.address as usize, &mut self.bytes[place..place + argument.length as usize])?;
        self.next += room(length);
        Ok(self.start + place)
    }

    fn put_number(&mut self, row: &CommandParameter, number: &[u8]) {
        self.bytes[EID + row.byte] |= row.bit;
        let place = NUMBERS + row.address * NUMBER_BYTES;
        self.bytes[place..place + number.len()].copy_from_slice(number);
        self.put_address(row.address, self.start + place);
    }
}

/// `None`: the bytes are no packed decimal.
pub fn time_of(packed: [u8; TIME_BYTES]) -> Option<i64> {
    let halves = packed.iter().flat_map(|byte| [byte >> 4, byte & 0x0F]).take(TIME_BYTES * 2 - 1);
    halves.into_iter().try_fold(0, |time, digit| (digit < 10).then(|| time * 10 + i64::from(digit)))
}

/// An area may be another one now: `other` is the length of a name then, or 0. A number is read where the address leads to.
fn take(argument: &mut Argument, row: &CommandParameter, address: usize, other: Option<usize>) -> Result<(), Raised> {
    match (row.form, argument.representation, other) {
        (_, Representation::Area, Some(length)) => {
            argument.address = address as u64;
            argument.length = if length == 0 { argument.length } else { length as u32 };
        }
        (ParameterForm::Number(length), Representation::Integer, _) => {
            let mut number = [0; NUMBER_BYTES];
            storage_access::read(address, &mut number[NUMBER_BYTES - length..])?;
            let unused = (NUMBER_BYTES - length) * u8::BITS as usize;
            argument.value = i64::from_be_bytes(number) << unused >> unused;
        }
        (ParameterForm::Time, Representation::Integer, _) => {
            let mut packed = [0; TIME_BYTES];
            storage_access::read(address, &mut packed)?;
            argument.value = time_of(packed).unwrap_or(argument.value);
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_packed_decimals() {
        assert_eq!(packed::<TIME_BYTES>(123_456), [0x01, 0x23, 0x45, 0x6C]);
        for time in [0i64, 1, 59, 235_959, 9_999_999] {
            assert_eq!(time_of(packed::<TIME_BYTES>(time.unsigned_abs())), Some(time));
        }
        assert_eq!(time_of([0x0A, 0, 0, 0x0C]), None);
    }
}
