//! WAIT EVENT, WAIT EXTERNAL and WAITCICS: waits for event control blocks that lie in program storage.
//!
//! Such a block is posted by whoever stores into it (another program, POST's timer), and storing tells nobody: the waiting task looks at
//! its blocks at short intervals. A block is posted when bit 1 of its first byte is on; a timer event control area of POST when bit 0
//! of its third is.

use crate::exec_interface::{Arguments, Handler, Outcome, Raised, raise};
use crate::name::Name16;
use crate::storage_access;
use crate::transaction_manager::Task;
use exec::{CommandId, command, condition, cvda, option};
use kernel::{Resumed, Wait};
use std::time::Duration;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::WAIT_EVENT, wait_event), (command::WAIT_EXTERNAL, wait_list), (command::WAITCICS, wait_list)]
}

/// How long a task waits between two looks.
const INTERVAL: Duration = Duration::from_millis(5);
const EVENTS_MAX: i64 = 4096;

fn is_posted(address: usize) -> Result<bool, Raised> {
    let mut block = [0u8; 4];
    storage_access::read(address, &mut block)?;
    Ok(block[0] & 0x40 != 0 || block[2] & 0x80 != 0)
}

fn wait_event(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let address = arguments.integer(option::ECADDR).unwrap_or(0) as usize;
    if address == 0 {
        return raise(condition::INVREQ, 2);
    }
    wait_for(task, arguments, &[address], true)
}

fn wait_list(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let list = arguments.integer(option::ECBLIST).unwrap_or(0) as usize;
    let count = arguments.integer(option::NUMEVENTS).unwrap_or(1);
    if list == 0 {
        return raise(condition::INVREQ, 1);
    }
    if !(1..=EVENTS_MAX).contains(&count) {
        return raise(condition::INVREQ, 3);
    }
    let mut pointers = vec![0u8; count as usize * 4];
    storage_access::read(list, &mut pointers)?;
    let words = pointers.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
    // The last pointer may carry the end-of-list bit; a null pointer is no event.
    let addresses: Vec<usize> = words.map(|word| (word & 0x7FFF_FFFF) as usize).filter(|address| *address != 0).collect();
    if addresses.is_empty() {
        return raise(condition::INVREQ, 1);
    }
    let purgeable = match arguments.integer(option::PURGEABILITY) {
        Some(cvda::NOTPURGEABLE) => false,
        None | Some(cvda::PURGEABLE) => !arguments.has(option::NOTPURGEABLE),
        Some(_) => return raise(condition::INVREQ, 4),
    };
    wait_for(task, arguments, &addresses, purgeable)
}

fn wait_for(task: &mut Task, arguments: &Arguments, addresses: &[usize], purgeable: bool) -> Outcome {
    let resource_type = match arguments.command {
        command::WAIT_EVENT => "USERWAIT",
        command::WAITCICS => "WAITCICS",
        _ => "EKCWAIT",
    };
    let name = arguments.text(option::NAME)?.unwrap_or_default();
    let mut wait = Wait::new(resource_type).named(Name16::new(&name));
    if !purgeable {
        wait = wait.not_purgeable();
    }
    loop {
        for address in addresses {
            if is_posted(*address)? {
                return Ok(());
            }
        }
        if let Resumed::Purged(_) = task.kernel.delay(&wait, INTERVAL) {
            return Err(Raised::Abend(Box::new(Task::purge_abend())));
        }
    }
}
