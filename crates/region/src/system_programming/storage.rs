//! INQUIRE STORAGE, INQUIRE STORAGE64 and INQUIRE SUBPOOL, and the lists that inquiries return.
//!
//! A list lies in storage of the task: "CICS obtains the storage for this list and frees it when the inquiring task ends, or issues another
//! INQUIRE STORAGE command with ELEMENTLIST or LENGTHLIST, or issues an INQUIRE TASK LIST" (INQUIRE STORAGE).

use super::TaskState;
use crate::inquiry::BrowseStep;
use crate::name::Name8;
use crate::storage_access;
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::storage as resp2;
use exec::{OptionId, command, condition, option};
use kernel::storage::{Dsa, Getmain, Line, TaskElement};

/// The DSAs of task storage: below 2 GB, which INQUIRE STORAGE returns, and above.
const BELOW: [Dsa; 4] = [Dsa::Cdsa, Dsa::Udsa, Dsa::Ecdsa, Dsa::Eudsa];
const ABOVE: [Dsa; 2] = [Dsa::Gcdsa, Dsa::Gudsa];

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let is_64 = arguments.command == command::INQUIRE_STORAGE64;
    let areas: &[Dsa] = if is_64 { &ABOVE } else { &BELOW };
    let address = if is_64 { option::ADDRESS64 } else { option::ADDRESS };
    match arguments.integer(address) {
        Some(address) => {
            let found = usize::try_from(address).ok().and_then(|address| containing(task, address));
            let element = found.filter(|element| areas.contains(&element.dsa));
            let (start, length) = element.map_or((0, 0), |element| (element.address as i64, element.length as i64));
            arguments.set_integer(if is_64 { option::ELEMENT64 } else { option::ELEMENT }, start);
            arguments.set_integer(option::FLENGTH, length);
            Ok(())
        }
        None => list(task, arguments, areas, is_64),
    }
}

/// The element of any user task that contains the address.
fn containing(task: &Task, address: usize) -> Option<TaskElement> {
    let tasks = task.region.transactions().tasks();
    tasks.iter().filter(|shared| !shared.is_system()).find_map(|shared| shared.elements.find(address))
}

fn list(task: &mut Task, arguments: &mut Arguments, areas: &[Dsa], is_64: bool) -> Outcome {
    let asked: Option<Name8> = arguments.name(option::DSANAME)?;
    let wanted = match asked {
        None => areas.to_vec(),
        Some(name) => match areas.iter().find(|dsa| dsa.name() == name.as_str()) {
            Some(dsa) => vec![*dsa],
            None => return raise(condition::INVREQ, resp2::DSA_NAME),
        },
    };
    free_lists(task, arguments, &[option::ELEMENTLIST, option::LENGTHLIST]);
    let number = arguments.integer(option::TASK).map_or(Some(task.number), |number| u32::try_from(number).ok());
    let shared = number.and_then(|number| task.region.transactions().task(number));
    let Some(shared) = shared else { return raise(condition::TASKIDERR, resp2::NO_TASK) };
    if shared.is_system() {
        return raise(condition::TASKIDERR, resp2::SYSTEM_TASK);
    }
    let elements: Vec<TaskElement> = shared.elements.all().into_iter().filter(|element| wanted.contains(&element.dsa)).collect();
    arguments.set_integer(option::NUMELEMENTS, elements.len() as i64);
    let addresses = |element: &TaskElement| match is_64 {
        true => (element.address as u64).to_be_bytes().to_vec(),
        false => (element.address as u32).to_be_bytes().to_vec(),
    };
    let lists = [
        (option::ELEMENTLIST, elements.iter().flat_map(addresses).collect()),
        (option::LENGTHLIST, elements.iter().flat_map(|element| (element.length as u32).to_be_bytes()).collect()),
    ];
    give_lists(task, arguments, lists)
}

/// Frees the lists of the command before, if this one returns any of its lists.
pub(super) fn free_lists(task: &mut Task, arguments: &Arguments, lists: &[OptionId]) {
    if lists.iter().any(|option| arguments.has(*option)) {
        for address in std::mem::take(&mut TaskState::of_mut(&mut task.parts).lists) {
            task.freemain(address);
        }
    }
}

/// Gives lists back in storage of the task.
pub(super) fn give_lists<const N: usize>(task: &mut Task, arguments: &mut Arguments, lists: [(OptionId, Vec<u8>); N]) -> Outcome {
    for (option, bytes) in lists {
        if arguments.has(option) {
            let address = list_storage(task, &bytes)?;
            arguments.set_integer(option, address as i64);
        }
    }
    Ok(())
}

pub(super) fn list_storage(task: &mut Task, bytes: &[u8]) -> Result<usize, Raised> {
    let line = if task.set_line() == Line::Above { Line::Below2G } else { task.set_line() };
    let address = task.getmain(Getmain { length: bytes.len().max(1), line, key: task.data_key(), initial: None }, false)?;
    storage_access::write(address, bytes)?;
    TaskState::of_mut(&mut task.parts).lists.push(address);
    Ok(address)
}

/// INQUIRE SUBPOOL: a name that is in several DSAs has the first.
pub(super) fn inquire_subpool(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let storage = &task.region.storage;
    let subpools = storage.subpools();
    let find = |name: Name8| subpools.iter().find(|subpool| subpool.name == name);
    let names = || subpools.iter().map(|subpool| subpool.name).collect::<Vec<Name8>>();
    let step = task.browse_step(arguments, option::SUBPOOL, names, |name: Name8| find(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(subpool) = find(name) else { return raise(condition::NOTFND, resp2::NO_SUBPOOL) };
    arguments.set_text(option::DSANAME, subpool.dsa.name())
}
