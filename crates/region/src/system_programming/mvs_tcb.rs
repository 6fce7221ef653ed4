//! INQUIRE MVSTCB: the threads of the region, and the storage that each of them owns.
//!
//! A TCB of z/OS is a thread here, and its address the identifier of the thread. The first thread owns the dynamic storage areas, as the job
//! step TCB does: an extent of an area is an element of its storage. Other threads own none; their stacks are above 2 GB, where elements of this
//! command cannot be.

use super::TaskState;
use super::storage::{free_lists, give_lists, list_storage};
use crate::inquiry::step;
use crate::{Arguments, Outcome, Task};
use exec::option;
use kernel::storage::{Dsa, Extent, Key, Line};
use kernel::threads::threads;
use std::collections::VecDeque;

/// The subpools of z/OS that CICS takes its areas of: CICS key, user key, and that of the read-only areas.
const CICS_KEY_SUBPOOL: u32 = 128;
const USER_KEY_SUBPOOL: u32 = 129;
const READ_ONLY_SUBPOOL: u32 = 252;
/// The storage keys of the three.
const CICS_KEY: u32 = 8;
const USER_KEY: u32 = 9;
const READ_ONLY_KEY: u32 = 0;

/// The subpool and the key of an element.
fn subpool_and_key(extent: &Extent) -> (u32, u32) {
    match (extent.dsa, extent.dsa.key()) {
        (Dsa::Rdsa | Dsa::Erdsa, _) => (READ_ONLY_SUBPOOL, READ_ONLY_KEY),
        (_, Key::User) => (USER_KEY_SUBPOOL, USER_KEY),
        (_, Key::Cics) => (CICS_KEY_SUBPOOL, CICS_KEY),
    }
}

/// The descriptor of an element: five fullwords.
fn descriptor(extent: &Extent) -> Vec<u8> {
    let (subpool, key) = subpool_and_key(extent);
    [extent.address as u32, extent.length as u32, extent.used as u32, subpool, key].into_iter().flat_map(u32::to_be_bytes).collect()
}

fn elements_of(task: &Task, is_first: bool) -> Vec<Extent> {
    match is_first {
        true => task.region.storage.extents().into_iter().filter(|extent| extent.dsa.line() != Line::Above).collect(),
        false => Vec::new(),
    }
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let rows = || threads().iter().map(|thread| thread.id).collect::<VecDeque<u32>>();
    let thread = loop {
        let slot = &mut TaskState::of_mut(&mut task.parts).threads;
        let Some(id) = step(arguments, slot, rows)? else { return Ok(()) };
        // A thread that has ended meanwhile is passed over.
        if let Some(thread) = threads().into_iter().find(|thread| thread.id == id) {
            break thread;
        }
    };
    let lists = [option::SET, option::ELEMENTLIST, option::LENGTHLIST, option::SUBPOOLLIST];
    free_lists(task, arguments, &lists);
    let elements = elements_of(task, thread.is_first());
    arguments.set_integer(option::MVSTCB, thread.id.into());
    arguments.set_integer(option::NUMELEMENTS, elements.len() as i64);
    if arguments.has(option::SET) {
        let mut pointers = Vec::with_capacity(elements.len() * size_of::<u32>());
        let descriptors: Vec<u8> = elements.iter().flat_map(descriptor).collect();
        let size = descriptors.len().checked_div(elements.len()).unwrap_or(0);
        let first = list_storage(task, &descriptors)?;
        for at in 0..elements.len() {
            pointers.extend(((first + at * size) as u32).to_be_bytes());
        }
        let address = list_storage(task, &pointers)?;
        arguments.set_integer(option::SET, address as i64);
    }
    let words = |value: fn(&Extent) -> u32| elements.iter().flat_map(|extent| value(extent).to_be_bytes()).collect();
    let lists = [
        (option::ELEMENTLIST, words(|extent| extent.address as u32)),
        (option::LENGTHLIST, words(|extent| extent.length as u32)),
        (option::SUBPOOLLIST, words(|extent| subpool_and_key(extent).0)),
    ];
    give_lists(task, arguments, lists)
}
