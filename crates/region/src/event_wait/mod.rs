//! WAIT EVENT, WAIT EXTERNAL and WAITCICS: waits for event control blocks in program storage.
//!
//! A block is posted when bit 1 of its first byte is on; a timer event control area of POST when bit 0 of its third is. When the region
//! posts a block (a POST that is due or cancelled), it notifies [`EventWaits`], which resumes the waiting tasks at once. A program posts a
//! block by storing into it, which notifies no one. A task that waits for a block other than its own timer event control area therefore
//! also polls at short intervals.
//!
//! Invariant: a waiting task registers before it checks the block, and the poster looks for waiting tasks after it has posted, so no post
//! is missed.

use crate::name::Name16;
use crate::{Arguments, Domain, Handler, Outcome, Raised, Task, raise, storage_access};
use exec::resp2::event_wait as resp2;
use exec::{CommandId, command, condition, cvda, option};
use kernel::{Wait, Waker};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::time::Duration;

crate::region_part!(EventWaits);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "event waits", commands: &[handlers], slots: &[&IN_REGION, &IN_TASK], ..Domain::NONE };

crate::task_part!(TaskState);

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// The timer event control area of the task's POST, which only the region posts.
    pub timer_area: Option<usize>,
}

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::WAIT_EVENT, wait_event), (command::WAIT_EXTERNAL, wait_list), (command::WAITCICS, wait_list)]
}

/// The polling interval of a task for blocks that programs post.
const INTERVAL: Duration = Duration::from_millis(5);
const EVENTS_MAX: i64 = 4096;

/// The waiters by the address of their blocks.
#[derive(Default)]
pub struct EventWaits(Mutex<FxHashMap<usize, Vec<Waker>>>);

impl EventWaits {
    fn register(&self, addresses: &[usize], waker: &Waker) {
        let mut waiting = self.0.lock();
        for address in addresses {
            waiting.entry(*address).or_default().push(waker.clone());
        }
    }

    /// Forgets the wakers of waits that are over.
    fn clear(&self, addresses: &[usize]) {
        let mut waiting = self.0.lock();
        for address in addresses {
            if let Some(wakers) = waiting.get_mut(address) {
                wakers.retain(Waker::is_live);
                if wakers.is_empty() {
                    waiting.remove(address);
                }
            }
        }
    }

    /// The region has posted the block at the address.
    pub(crate) fn posted(&self, address: usize) {
        let wakers = self.0.lock().remove(&address).unwrap_or_default();
        for waker in wakers {
            waker.resume();
        }
    }
}

fn is_posted(address: usize) -> Result<bool, Raised> {
    let mut block = [0u8; 4];
    storage_access::read(address, &mut block)?;
    Ok(block[0] & 0x40 != 0 || block[2] & 0x80 != 0)
}

fn wait_event(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let address = arguments.integer(option::ECADDR).unwrap_or(0) as usize;
    if address == 0 {
        return raise(condition::INVREQ, resp2::ECADDR);
    }
    wait_for(task, arguments, &[address], true)
}

fn wait_list(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let list = arguments.integer(option::ECBLIST).unwrap_or(0) as usize;
    let count = arguments.integer(option::NUMEVENTS).unwrap_or(1);
    if list == 0 {
        return raise(condition::INVREQ, resp2::NO_EVENT);
    }
    if !(1..=EVENTS_MAX).contains(&count) {
        return raise(condition::INVREQ, resp2::NUMEVENTS);
    }
    let mut pointers = vec![0u8; count as usize * 4];
    storage_access::read(list, &mut pointers)?;
    let words = pointers.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
    // The last pointer may have the end-of-list bit; a null pointer is not an event.
    let addresses: Vec<usize> = words.map(|word| (word & 0x7FFF_FFFF) as usize).filter(|address| *address != 0).collect();
    if addresses.is_empty() {
        return raise(condition::INVREQ, resp2::NO_EVENT);
    }
    let purgeable = match arguments.integer(option::PURGEABILITY) {
        Some(cvda::NOTPURGEABLE) => false,
        None | Some(cvda::PURGEABLE) => !arguments.has(option::NOTPURGEABLE),
        Some(_) => return raise(condition::INVREQ, resp2::PURGEABILITY),
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
    let own_area = TaskState::of(&task.parts).timer_area;
    if addresses.iter().any(|address| Some(*address) != own_area) {
        wait = wait.timeout(INTERVAL);
    }
    let events = &EventWaits::of(task.region);
    loop {
        events.register(addresses, &task.kernel.waker());
        let posted = any_posted(addresses);
        let waited = match posted {
            Ok(false) => task.suspend(&wait).map(drop),
            _ => {
                task.kernel.abandon_wait();
                Ok(())
            }
        };
        events.clear(addresses);
        if posted? {
            return Ok(());
        }
        waited?;
    }
}

fn any_posted(addresses: &[usize]) -> Result<bool, Raised> {
    for address in addresses {
        if is_posted(*address)? {
            return Ok(true);
        }
    }
    Ok(false)
}
