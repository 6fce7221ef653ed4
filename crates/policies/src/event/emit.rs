//! The way of an event to its adapter.
//!
//! An adapter with a transaction starts that transaction, with the event in the containers of its channel. An adapter with a queue starts a
//! task of transaction CEPR (or of its own), whose program writes the flattened event on a TCB of mode EP. The rule's task waits for neither.

use super::adapter::{Adapter, Destination};
use super::captured::Event;
use crate::Policies;
use crate::message::tell;
use crate::policy::Receiver;
use exec::{CommandId, command, option};
use kernel::Mode;
use kernel::trace::{self, Value, points};
use parking_lot::Mutex;
use region::channel::{CONTAINER_BYTES_MAX, Channel, Container, Lookup};
use region::exec_interface::Call;
use region::name::{Name4, Name8, Name16};
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

/// The channel of an event.
const CHANNEL: Name16 = Name16::new("DFHEP.EVENT");
/// The context of an event in the channel of a started transaction.
const CONTEXT: Name16 = Name16::new("DFHEP.CCECONTEXT");
/// What the program of queue adapters gets: the adapter's name, and the flattened event.
const ADAPTER: Name16 = Name16::new("DFHEP.ADAPTER");
const FLATTENED: Name16 = Name16::new("DFHEP.FLATTENED");
/// The transaction of adapters that name none.
const TRANSACTION: &str = "CEPR";
/// Most events on their way; those after them are lost, with a message.
pub const PENDING_MAX: usize = 1_000;
const NOT_THERE: &str = "it is not installed and enabled";
/// The longest record of a queue.
const RECORD_BYTES_MAX: usize = 32_763;

/// The channels of events whose tasks have not ended. A task may end without having read its event, so nothing is counted down.
#[derive(Default)]
pub struct Pending(Mutex<Vec<Weak<Channel>>>);

impl Pending {
    /// False if there are too many.
    fn add(&self, channel: &Arc<Channel>) -> bool {
        let mut pending = self.0.lock();
        if pending.len() >= PENDING_MAX {
            pending.retain(|channel| channel.strong_count() > 0);
        }
        let has_room = pending.len() < PENDING_MAX;
        if has_room {
            pending.push(Arc::downgrade(channel));
        }
        has_room
    }

    /// The channel is that of an event, not one of this name that a program has made.
    pub fn has(&self, channel: &Channel) -> bool {
        channel.name() == CHANNEL && self.0.lock().iter().any(|event| std::ptr::eq(event.as_ptr(), channel))
    }
}

/// Sends an event to an adapter, or to all adapters of a set.
pub fn emit(region: &'static Region, receiver: &Receiver, event: &Event, context_user: Name8) {
    for name in adapters(region, receiver) {
        let adapter = Policies::of(region).adapters.lock().get(&name).cloned();
        match adapter.filter(|adapter| adapter.is_enabled.load(Ordering::Relaxed)) {
            Some(adapter) => dispatch(region, &adapter, event, context_user),
            None => lost(region, &name, NOT_THERE),
        }
    }
}

/// The names of the adapters. The event of a set that is not there is lost.
fn adapters(region: &'static Region, receiver: &Receiver) -> Vec<String> {
    match receiver {
        Receiver::Adapter(name) => vec![name.clone()],
        Receiver::Set(name) => {
            let set = Policies::of(region).adapter_sets.lock().get(name).cloned();
            match set.filter(|set| set.is_enabled.load(Ordering::Relaxed)) {
                Some(set) => set.adapters.clone(),
                None => {
                    lost(region, name, NOT_THERE);
                    Vec::new()
                }
            }
        }
    }
}

fn lost(region: &'static Region, adapter: &str, reason: &str) {
    tell(region, "DFHEP0114", &[("adapter", adapter), ("reason", reason)]);
}

fn dispatch(region: &'static Region, adapter: &Adapter, event: &Event, context_user: Name8) {
    adapter.put.fetch_add(1, Ordering::Relaxed);
    let rule = event.items.iter().find(|item| item.name == "rule_name").map_or("", |item| item.value.as_str());
    trace::point(&points::EC_EVENT, &[Value::Text("EMIT"), Value::Text(rule), Value::Text(&adapter.name)]);
    let channel = Arc::new(Channel::new(CHANNEL, Lookup::default()));
    if !Policies::of(region).events.add(&channel) {
        return lost(region, &adapter.name, "too many events are on their way");
    }
    let transid = match &adapter.destination {
        Destination::Transaction { transid } => {
            fill(region, &channel, event);
            *transid
        }
        Destination::TsQueue { .. } | Destination::TdQueue { .. } => {
            put(&channel, ADAPTER, adapter.name.as_bytes().to_vec());
            put(&channel, FLATTENED, event.flattened(region));
            if adapter.transid.is_blank() { Name4::new(TRANSACTION) } else { adapter.transid }
        }
    };
    let mut request = AttachRequest::new(transid, StartCode::StartWithChannel);
    request.user_id = if adapter.uses_context_user { context_user } else { adapter.user };
    request.channel = Some(channel);
    if let Err(failure) = region.attach(request) {
        lost(region, &adapter.name, &failure.message.line());
    }
}

fn put(channel: &Channel, name: Name16, data: Vec<u8>) {
    debug_assert!(data.len() <= CONTAINER_BYTES_MAX);
    channel.put(name, Container { data, ..Container::default() });
}

/// The event in containers: its context, and for each item its name and its data.
fn fill(region: &Region, channel: &Channel, event: &Event) {
    put(channel, CONTEXT, event.context().to_vec());
    for (number, item) in event.items.iter().enumerate() {
        let number = number + 1;
        put(channel, Name16::new(&format!("DFHEP.NAME.{number:05}")), region.code_page.encode(item.name));
        put(channel, Name16::new(&format!("DFHEP.DATA.{number:05}")), event.data(region, item));
    }
}

/// The program of queue adapters: writes the flattened event of its channel, on a TCB of event processing (EP).
///
/// # Errors
///
/// The task abends.
pub fn write(task: &mut Task) -> Result<(), Raised> {
    let before = task.kernel.mode();
    let changed = task.kernel.change_mode(Mode::Ep);
    let written = write_event(task);
    let changed_back = task.kernel.change_mode(before);
    debug_assert!(changed.is_ok() && changed_back.is_ok(), "EP has no limit, and the program begins on QR");
    written
}

fn write_event(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    let channel = task.level().and_then(|level| level.channel.clone()).filter(|channel| Policies::of(region).events.has(channel));
    let Some(channel) = channel else { return Ok(()) };
    let (Some(name), Some(record)) = (channel.take(ADAPTER), channel.take(FLATTENED)) else { return Ok(()) };
    let name = String::from_utf8_lossy(&name.data).into_owned();
    let adapter = Policies::of(region).adapters.lock().get(&name).cloned();
    let Some(adapter) = adapter else {
        lost(region, &name, "it has been discarded");
        return Ok(());
    };
    let record = &record.data[..record.data.len().min(RECORD_BYTES_MAX)];
    let response = match &adapter.destination {
        Destination::TsQueue { queue, is_auxiliary } => {
            let mut call = writing(command::WRITEQ_TS, record);
            call.bytes(option::QNAME, &region.code_page.encode_name(queue)).flag(if *is_auxiliary {
                option::AUXILIARY
            } else {
                option::MAIN
            });
            call.flag(option::NOSUSPEND).execute(task)?
        }
        Destination::TdQueue { queue } => {
            let mut call = writing(command::WRITEQ_TD, record);
            call.bytes(option::QUEUE, &region.code_page.encode_name(queue)).execute(task)?
        }
        Destination::Transaction { .. } => return Ok(()),
    };
    if !response.is_normal() {
        let reason = format!("{} with RESP2 {}", response.condition.name(), response.resp2);
        lost(region, &adapter.name, &reason);
    }
    Ok(())
}

fn writing(command: CommandId, record: &[u8]) -> Call {
    let mut call = Call::new(command);
    call.bytes(option::FROM, record).integer(option::LENGTH, record.len() as i64);
    call
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel() -> Arc<Channel> {
        Arc::new(Channel::new(CHANNEL, Lookup::default()))
    }

    #[test]
    fn events_are_on_their_way_until_their_tasks_have_ended() {
        let pending = Pending::default();
        let mut tasks: Vec<Arc<Channel>> = (0..PENDING_MAX).map(|_| channel()).collect();
        assert!(tasks.iter().all(|channel| pending.add(channel)));
        assert!(!pending.add(&channel()), "one too many");
        tasks.pop();
        let last = channel();
        assert!(pending.add(&last) && pending.has(&last));
        assert!(!pending.has(&channel()), "a program has made a channel of this name");
    }
}
