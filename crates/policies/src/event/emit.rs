//! The way of an event to its adapter.
//!
//! An adapter with a transaction starts that transaction, with the event in the containers of its channel; a custom adapter too, with the
//! containers of "Writing a custom EP adapter". An adapter with a queue starts a task of transaction CEPR (or of its own), whose program writes
//! the flattened event on a TCB of mode EP. A synchronous adapter emits the event in the task that captures it (`synchronous`); the events of
//! others wait for the dispatcher (`queue`), those of a transactional adapter from the syncpoint on (`unit`).

use super::adapter::{Adapter, Destination};
use super::captured::{Event, adapter_parameters};
use super::{queue, synchronous, unit};
use crate::Policies;
use crate::message::tell;
use crate::policy::Receiver;
use exec::{CommandId, command, option};
use kernel::Mode;
use kernel::trace::{self, Value, points};
use parking_lot::Mutex;
use region::channel::{CONTAINER_BYTES_MAX, Channel, Container, Lookup};
use region::exec_interface::{Call, Response};
use region::name::{Name4, Name16};
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

/// The channel of an event.
pub const CHANNEL: Name16 = Name16::new("DFHEP.EVENT");
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
const TOO_MANY: &str = "too many events are on their way";
/// EPAP_RECOVER: the adapter need not look whether what it uses is recoverable; it must be, or must not be.
const ANY: &str = " ";
const RECOVERABLE: &str = "R";
const NON_RECOVERABLE: &str = "N";
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

/// Sends an event of a policy or of the region to an adapter, or to all adapters of a set.
pub fn emit(region: &'static Region, receiver: &Receiver, event: Event) {
    let event = Arc::new(event);
    for (name, adapter) in adapters(region, receiver) {
        match adapter {
            None => lost(region, &name, NOT_THERE),
            Some(adapter) if adapter.is_synchronous => lost(region, &name, "it is synchronous, and the event is of no application"),
            Some(adapter) if adapter.is_transactional => lost(region, &name, "it is transactional, and the event is of no unit of work"),
            Some(adapter) => queue::add(region, adapter, event.clone()),
        }
    }
}

/// Sends an event of an application.
///
/// # Errors
///
/// The task abends: a synchronous adapter has been purged.
pub fn emit_of(task: &mut Task, receiver: &Receiver, event: Event) -> Result<(), Raised> {
    let region = task.region;
    let event = Arc::new(event);
    for (name, adapter) in adapters(region, receiver) {
        let Some(adapter) = adapter else {
            lost(region, &name, NOT_THERE);
            continue;
        };
        if adapter.is_synchronous {
            synchronous::emit(task, &adapter, &event)?;
        } else if adapter.is_transactional {
            unit::hold(task, adapter, event.clone());
        } else {
            queue::add(region, adapter, event.clone());
        }
    }
    Ok(())
}

/// The adapters with their names; none for a name that is not installed and enabled. The event of a set that is not there is lost.
fn adapters(region: &'static Region, receiver: &Receiver) -> Vec<(String, Option<Arc<Adapter>>)> {
    let names = match receiver {
        Receiver::Adapter(name) => vec![name.clone()],
        Receiver::Set(name) => {
            let set = Policies::of(region).adapter_sets.lock().get(name).cloned();
            match set.filter(|set| set.is_enabled.load(Ordering::Relaxed)) {
                Some(set) => set.adapters.clone(),
                None => return vec![(name.clone(), None)],
            }
        }
    };
    let adapters = Policies::of(region).adapters.lock();
    let enabled = |name: &String| adapters.get(name).filter(|adapter| adapter.is_enabled.load(Ordering::Relaxed)).cloned();
    names.into_iter().map(|name| (name.clone(), enabled(&name))).collect()
}

/// An event that an adapter does not get.
pub fn lost(region: &'static Region, adapter: &str, reason: &str) {
    let figures = &Policies::of(region).processing.figures;
    let counter = if reason == NOT_THERE { &figures.lost_unavailable } else { &figures.lost_dispatch };
    counter.fetch_add(1, Ordering::Relaxed);
    tell(region, "DFHEP0114", &[("adapter", adapter), ("reason", reason)]);
}

/// An event passes to its adapter.
pub fn count(region: &Region, adapter: &Adapter, event: &Event) {
    adapter.put.fetch_add(1, Ordering::Relaxed);
    let figures = &Policies::of(region).processing.figures;
    figures.to_adapters[adapter.destination.number()].fetch_add(1, Ordering::Relaxed);
    trace::point(&points::EC_EVENT, &[Value::Text("EMIT"), Value::Text(&event.label), Value::Text(&adapter.name)]);
}

/// Starts the task that emits an event.
pub fn dispatch(region: &'static Region, adapter: &Adapter, event: &Event) {
    count(region, adapter, event);
    let channel = Arc::new(Channel::new(CHANNEL, Lookup::default()));
    if !Policies::of(region).events.add(&channel) {
        return lost(region, &adapter.name, TOO_MANY);
    }
    let own = || if adapter.transid.is_blank() { Name4::new(TRANSACTION) } else { adapter.transid };
    let transid = match &adapter.destination {
        Destination::Transaction { transid } => {
            fill(region, &channel, event);
            *transid
        }
        Destination::Custom { .. } => {
            fill_for_custom(region, &channel, adapter, event);
            own()
        }
        Destination::TsQueue { .. } | Destination::TdQueue { .. } => {
            put(&channel, ADAPTER, adapter.name.as_bytes().to_vec());
            put(&channel, FLATTENED, event.flattened(region));
            own()
        }
    };
    let mut request = AttachRequest::new(transid, StartCode::StartWithChannel);
    request.user_id = if adapter.uses_context_user { event.user } else { adapter.user };
    request.channel = Some(channel);
    if let Err(failure) = region.attach(request) {
        lost(region, &adapter.name, &failure.message.line());
    }
}

fn put(channel: &Channel, name: Name16, data: Vec<u8>) {
    debug_assert!(data.len() <= CONTAINER_BYTES_MAX);
    channel.put(name, Container { data, ..Container::default() });
}

fn numbered(prefix: &str, number: usize) -> Name16 {
    Name16::new(&format!("DFHEP.{prefix}.{:05}", number + 1))
}

/// The event in containers: its context, and for each item its name and its data.
fn fill(region: &Region, channel: &Channel, event: &Event) {
    put(channel, CONTEXT, event.flattened_context(region));
    for (number, item) in event.items.iter().enumerate() {
        put(channel, numbered("NAME", number), region.code_page.encode(&item.name));
        put(channel, numbered("DATA", number), item.formatted.clone());
    }
}

/// The object of a custom adapter: context, description and parameters, and for each item its data as captured and as formatted.
pub fn fill_for_custom(region: &Region, channel: &Channel, adapter: &Adapter, event: &Event) {
    let recoverable = match (adapter.is_synchronous, adapter.is_transactional) {
        (false, _) => ANY,
        (true, true) => RECOVERABLE,
        (true, false) => NON_RECOVERABLE,
    };
    put(channel, Name16::new("DFHEP.CONTEXT"), event.context(region));
    put(channel, Name16::new("DFHEP.DESCRIPTOR"), event.descriptor(region));
    put(channel, Name16::new("DFHEP.ADAPTPARM"), adapter_parameters(region, &adapter.name, recoverable));
    if let Destination::Custom { data, .. } = &adapter.destination {
        put(channel, ADAPTER, region.code_page.encode(data));
    }
    for (number, item) in event.items.iter().enumerate() {
        put(channel, numbered("CHAR", number), item.formatted.clone());
        put(channel, numbered("DATA", number), item.raw.clone());
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
    if let Some(response) = write_to_queue(task, &adapter, &record.data)?
        && !response.is_normal()
    {
        let reason = format!("{} with RESP2 {}", response.condition.name(), response.resp2);
        Policies::of(region).processing.figures.lost_adapter.fetch_add(1, Ordering::Relaxed);
        tell(region, "DFHEP0114", &[("adapter", &adapter.name), ("reason", &reason)]);
    }
    Ok(())
}

/// Writes a flattened event to the queue of an adapter; `None`: it has none.
///
/// # Errors
///
/// The task abends.
pub fn write_to_queue(task: &mut Task, adapter: &Adapter, record: &[u8]) -> Result<Option<Response>, Raised> {
    let page = &task.region.code_page;
    let record = &record[..record.len().min(RECORD_BYTES_MAX)];
    let mut call = match &adapter.destination {
        Destination::TsQueue { queue, is_auxiliary } => {
            let mut call = writing(command::WRITEQ_TS, record);
            let place = if *is_auxiliary { option::AUXILIARY } else { option::MAIN };
            call.bytes(option::QNAME, &page.encode_name(queue)).flag(place).flag(option::NOSUSPEND);
            call
        }
        Destination::TdQueue { queue } => {
            let mut call = writing(command::WRITEQ_TD, record);
            call.bytes(option::QUEUE, &page.encode_name(queue));
            call
        }
        Destination::Transaction { .. } | Destination::Custom { .. } => return Ok(None),
    };
    call.execute(task).map(Some)
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
