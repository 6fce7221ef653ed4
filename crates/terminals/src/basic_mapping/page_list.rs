//! The result of SET for a program: a list of pages, each in the format of a terminal input/output area.
//!
//! The list has four bytes for each page: the terminal's type (the suffix letter of its maps) and the 24-bit address of the area; X'FF'
//! ends it. An area is eight bytes of storage accounting, the length of the data as a halfword, two reserved bytes, the data, and the
//! four bytes of the page control area that SEND TEXT MAPPED needs: the write command, the write control character, two bytes of zeros.
//! All of it lives until the program's level ends, below 16 MB.

use bms::constants::{SNA_CMD_EW, SNA_CMD_EWA, SNA_CMD_W};
use exec::resp2;
use exec::{condition, option};
use kernel::storage::{Getmain, Line};
use region::storage_access::{self, Area};
use region::{Arguments, Outcome, Raised, Task, raise};

/// Suffix letter of maps for 3270 displays with 80 columns, in EBCDIC.
const TYPE_DISPLAY: u8 = 0xD4;
const END_OF_LIST: u8 = 0xFF;
/// Storage accounting, length, reserved halfword.
const PREFIX_LENGTH: usize = 12;
const LENGTH_OFFSET: usize = 8;
const CONTROL_LENGTH: usize = 4;
/// Command and write control character in front of a data stream.
const COMMAND_LENGTH: usize = 2;

fn storage(task: &mut Task, bytes: &[u8]) -> Result<usize, Raised> {
    let request = Getmain { length: bytes.len(), line: Line::Below16M, key: task.data_key(), initial: None };
    let address = task.getmain(request, false)?;
    storage_access::write(address, bytes)?;
    // Pages are the program's until it frees them or the task ends (FREEMAIN, option DATA).
    task.storage.hand_out(request.line, request.key, address);
    Ok(address)
}

/// The area of one page.
fn area(stream: &[u8]) -> Vec<u8> {
    let (command, data) = stream.split_at(COMMAND_LENGTH.min(stream.len()));
    let mut area = vec![0; PREFIX_LENGTH];
    area[LENGTH_OFFSET..LENGTH_OFFSET + 2].copy_from_slice(&(data.len() as u16).to_be_bytes());
    area.extend_from_slice(data);
    area.extend_from_slice(command);
    area.resize(PREFIX_LENGTH + data.len() + CONTROL_LENGTH, 0);
    area
}

/// Sets the pointer of SET to the list of these pages; RETPAGE notifies the program of them.
pub fn give(task: &mut Task, arguments: &mut Arguments, streams: &[Vec<u8>]) -> Outcome {
    if streams.is_empty() {
        return Ok(());
    }
    let mut list = Vec::with_capacity(4 * streams.len() + 1);
    for stream in streams {
        let address = storage(task, &area(stream))?;
        list.push(TYPE_DISPLAY);
        list.extend_from_slice(&(address as u32).to_be_bytes()[1..]);
    }
    list.extend_from_slice(&[END_OF_LIST, 0, 0, 0]);
    let address = storage(task, &list)?;
    arguments.set_integer(option::SET, address as i64);
    raise(condition::RETPAGE, resp2::NONE)
}

/// The address of one page's area, for SEND MAP MAPPINGDEV.
pub fn give_area(task: &mut Task, arguments: &mut Arguments, stream: &[u8]) -> Outcome {
    let address = storage(task, &area(stream))?;
    arguments.set_integer(option::SET, address as i64);
    Ok(())
}

/// The data stream of SEND TEXT MAPPED: the data, with the command from the page control area that follows it.
pub fn read_back(data: Area) -> Result<Vec<u8>, Raised> {
    let control = Area::new(data.address + data.length, CONTROL_LENGTH).read()?;
    if ![SNA_CMD_W, SNA_CMD_EW, SNA_CMD_EWA].contains(&control[0]) {
        // The area was not returned by SET.
        return raise(condition::INVREQ, resp2::NONE);
    }
    Ok([&control[..COMMAND_LENGTH], &data.read()?].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_has_its_length_and_its_control() {
        let made = area(&[SNA_CMD_EW, 0xC3, 1, 2, 3]);
        assert_eq!(made, [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 2, 3, SNA_CMD_EW, 0xC3, 0, 0]);
    }
}
