//! How a record that was read is delivered to the program: INTO with the rules of LENGTH, or SET.
//!
//! Rules: LENGTH (by default the length of the INTO area) is the space available. Longer data is truncated, LENGTH is set to its full
//! length and LENGERR is raised. With SET, LENGTH is output only. Invariant: storage for SET belongs to the task; the next request of the
//! same kind reuses its slot, as CICS documents it.

use crate::control_blocks::arguments::Arguments;
use crate::control_blocks::raised::{Outcome, Raised, raise, raise_length};
use crate::{Task, storage_access};
use exec::resp2;
use exec::{condition, option};
use kernel::storage::{Getmain, Line};

/// Address and size of the SET storage of one kind of request.
pub type SetStorage = Option<(usize, usize)>;

/// SET storage is allocated in these units, so that records of similar length fit the existing storage.
const UNIT_BYTES: usize = 1024;

/// Delivers the data of a record to the command.
pub fn deliver(task: &mut Task, arguments: &mut Arguments, data: &[u8], slot: fn(&mut Task) -> &mut SetStorage) -> Outcome {
    let length = data.len() as i64;
    if arguments.has(option::SET) {
        let address = reused_storage(task, slot, data.len())?;
        storage_access::write(address, data)?;
        arguments.set_integer(option::SET, address as i64);
        arguments.set_integer(option::LENGTH, length);
        return Ok(());
    }
    let Some(area) = arguments.area(option::INTO) else { return raise(condition::LENGERR, resp2::NONE) };
    let room = arguments.integer(option::LENGTH).unwrap_or(area.length as i64).max(0);
    arguments.set_bytes_unbounded(option::INTO, &data[..data.len().min(room as usize)])?;
    arguments.set_integer(option::LENGTH, length);
    if length > room { raise_length(resp2::NONE, room, length) } else { Ok(()) }
}

/// Storage that is there already suits a program that takes data below this line.
pub fn lies(address: usize, line: Line) -> bool {
    line != Line::Below16M || address < 16 << 20
}

fn reused_storage(task: &mut Task, slot: fn(&mut Task) -> &mut SetStorage, length: usize) -> Result<usize, Raised> {
    if let Some((address, size)) = *slot(task) {
        if size >= length && lies(address, task.set_line()) {
            return Ok(address);
        }
        *slot(task) = None;
        task.freemain(address);
    }
    let length = length.max(1).next_multiple_of(UNIT_BYTES);
    let request = Getmain { length, line: task.set_line(), key: task.data_key(), initial: None };
    let address = task.getmain(request, false)?;
    *slot(task) = Some((address, length));
    Ok(address)
}
