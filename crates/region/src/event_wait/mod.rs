//! WAIT EVENT, WAIT EXTERNAL and WAITCICS: waits for event control blocks in program storage.
//!
//! A block is posted when bit 1 of its first byte is on; a timer event control area of POST when bit 0 of its third is. When the region
//! posts a block (a POST that is due or cancelled), it notifies [`EventWaits`], which resumes the waiting tasks at once. A program posts a
//! block by storing into it ("hand posting"), which notifies no one. So while tasks wait, the timer thread looks at their blocks at short
//! intervals, except at timer event control areas. A task waits until one of its blocks is posted, and is not dispatched before.
//!
//! Purge ("WAIT EXTERNAL", "WAITCICS"): a PURGEABLE wait is ended by PURGE and by DTIMOUT, a NOTPURGEABLE one only by FORCEPURGE and KILL;
//! the abend code is AEXY. WAIT EVENT is purgeable, and DTIMOUT does not apply to it.
//!
//! Invariants: a waiting task registers before it checks the block, and the poster looks for waiting tasks after it has posted, so no post
//! is missed; a look at the blocks is due while a block that programs post is waited for.

use crate::name::Name16;
use crate::{Arguments, Domain, Handler, Outcome, Raised, Region, Task, raise, storage_access};
use exec::resp2::event_wait as resp2;
use exec::{CommandId, command, condition, cvda, option};
use kernel::{Resumed, Wait, Waker};
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

/// The interval of the look at blocks that programs post.
const INTERVAL: Duration = Duration::from_millis(5);
const EVENTS_MAX: i64 = 4096;

/// The waiters by the address of their blocks.
#[derive(Default)]
pub struct EventWaits(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: FxHashMap<usize, Waiting>,
    /// A look at the blocks is due.
    is_watched: bool,
}

#[derive(Default)]
struct Waiting {
    wakers: Vec<Waker>,
    /// Programs may post the block.
    by_hand: bool,
}

impl EventWaits {
    fn register(&self, region: &'static Region, addresses: &[usize], own_area: Option<usize>, waker: &Waker) {
        let mut state = self.0.lock();
        for address in addresses {
            let waiting = state.waiting.entry(*address).or_default();
            waiting.wakers.push(waker.clone());
            waiting.by_hand |= Some(*address) != own_area;
        }
        let is_by_hand = addresses.iter().any(|address| Some(*address) != own_area);
        if is_by_hand && !std::mem::replace(&mut state.is_watched, true) {
            drop(state);
            look_later(region);
        }
    }

    /// Forgets the wakers of waits that are over.
    fn clear(&self, addresses: &[usize]) {
        let waiting = &mut self.0.lock().waiting;
        for address in addresses {
            if let Some(of) = waiting.get_mut(address) {
                of.wakers.retain(Waker::is_live);
                if of.wakers.is_empty() {
                    waiting.remove(address);
                }
            }
        }
    }

    /// The region has posted the block at the address.
    pub(crate) fn posted(&self, address: usize) {
        let waiting = self.0.lock().waiting.remove(&address).unwrap_or_default();
        for waker in waiting.wakers {
            waker.resume();
        }
    }

    /// The blocks that programs may have posted; none, and no further look, when no task waits for such a block.
    fn watched(&self) -> Vec<usize> {
        let mut state = self.0.lock();
        let watched: Vec<usize> = state.waiting.iter().filter(|(_, of)| of.by_hand).map(|(address, _)| *address).collect();
        state.is_watched = !watched.is_empty();
        watched
    }
}

fn look_later(region: &'static Region) {
    region.dispatcher.after(INTERVAL, move || look(region));
}

/// Resumes the tasks whose blocks have been posted by a store. A block that cannot be read any more is its task's error.
fn look(region: &'static Region) {
    let events = EventWaits::of(region);
    let watched = events.watched();
    if watched.is_empty() {
        return;
    }
    for address in watched {
        if is_posted(address).unwrap_or(true) {
            events.posted(address);
        }
    }
    look_later(region);
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
    } else if arguments.command != command::WAIT_EVENT {
        wait.timeout = task.definition.deadlock_timeout();
    }
    let own_area = TaskState::of(&task.parts).timer_area;
    let events = &EventWaits::of(task.region);
    loop {
        events.register(task.region, addresses, own_area, &task.kernel.waker());
        let posted = any_posted(addresses);
        let waited = match posted {
            Ok(false) => task.suspend(&wait),
            _ => {
                task.kernel.abandon_wait();
                Ok(Resumed::Posted(0))
            }
        };
        events.clear(addresses);
        if posted? {
            return Ok(());
        }
        if waited? == Resumed::TimedOut {
            return Err(Raised::Abend(Box::new(Task::purge_abend())));
        }
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
