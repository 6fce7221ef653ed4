//! Routed messages in the store, which a restart brings back: those whose REQID a TSMODEL with RECOVERY(YES) is for.
//!
//! Rules ("Message recovery"): the message is part of the unit of work of its SEND PAGE, and is delivered when that is committed; it leaves the store
//! when it is displayed or purged. A cold start forgets all. Layout of a record of table `bms.messages` under a number, big endian: version 1, receiver
//! 1 (0 anyone, 1 operator, 2 classes) and its 3 bytes, due 8 (milliseconds, local), terminal 4, terminal for errors 4 (blank: none), identifier of the
//! message 4, REQID 8, automatic 1, length of the title 1, title, pages.

use super::pages::{PagedMessage, note_id};
use super::waiting::{Receiver, Waiting};
use super::{TerminalControl, display::display_of};
use csd::{Prefix, TsModelDefinition};
use region::clock::Abstime;
use region::name::{Name, Name4, Name8};
use region::{Abend, Outcome, Raised, Region, StartType, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use vsam::{Direction, StoreError, Table, ThreadWaiter};

const VERSION: u8 = 1;
/// Number of the next record.
static NEXT: AtomicU64 = AtomicU64::new(1);

fn table(region: &Region) -> Result<Table, StoreError> {
    region.store.table("bms.messages")
}

/// Whether messages of a REQID are recovered: as the TSMODEL with the longest prefix of it says.
pub fn is_recoverable(region: &Region, request_id: Name8) -> bool {
    let installed = region.installed.read();
    let models = installed.of_type("TSMODEL").map(TsModelDefinition::from);
    let matching = models.filter_map(|model| match &model.prefix {
        Prefix::Text(prefix) if request_id.as_str().starts_with(prefix.as_str()) => Some((prefix.len(), model.recoverable)),
        _ => None,
    });
    matching.max_by_key(|(length, _)| *length).is_some_and(|(_, recoverable)| recoverable)
}

fn encode(terminal: Name4, waiting: &Waiting) -> Vec<u8> {
    let (kind, receiver) = match waiting.receiver {
        Receiver::Anyone => (0, [0; 3]),
        Receiver::Operator(name) => (1, *name.as_bytes()),
        Receiver::Classes(classes) => (2, classes),
    };
    let message = &waiting.message;
    let title = &message.title.as_bytes()[..message.title.len().min(usize::from(u8::MAX))];
    let mut bytes = vec![VERSION, kind];
    bytes.extend(receiver);
    bytes.extend(waiting.due.0.to_be_bytes());
    bytes.extend(terminal.as_bytes());
    bytes.extend(waiting.error_terminal.unwrap_or(Name4::BLANK).as_bytes());
    bytes.extend(message.id.to_be_bytes());
    bytes.extend(message.request_id.as_bytes());
    bytes.extend([u8::from(message.automatic), title.len() as u8]);
    bytes.extend(title);
    bytes.extend(bms::page_record::encode(&message.pages));
    bytes
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

fn name<const N: usize>(bytes: &mut &[u8]) -> Option<Name<N>> {
    take(bytes, N).map(Name::from_bytes)
}

fn decode(number: u64, mut bytes: &[u8]) -> Option<(Name4, Waiting)> {
    let bytes = &mut bytes;
    let &[version, kind] = take(bytes, 2)? else { return None };
    let receiver: [u8; 3] = take(bytes, 3)?.try_into().ok()?;
    let receiver = match (version, kind) {
        (VERSION, 0) => Receiver::Anyone,
        (VERSION, 1) => Receiver::Operator(Name::from_bytes(&receiver)),
        (VERSION, 2) => Receiver::Classes(receiver),
        _ => return None,
    };
    let due = Abstime(i64::from_be_bytes(take(bytes, 8)?.try_into().ok()?));
    let (terminal, error_terminal): (Name4, Name4) = (name(bytes)?, name(bytes)?);
    let id = u32::from_be_bytes(take(bytes, 4)?.try_into().ok()?);
    let request_id = name(bytes)?;
    let &[automatic, length] = take(bytes, 2)? else { return None };
    let title = String::from_utf8(take(bytes, usize::from(length))?.to_vec()).ok()?;
    let pages = Arc::new(bms::page_record::decode(bytes)?);
    let message = PagedMessage { id, request_id, title, pages, operator_purges: false, automatic: automatic != 0 };
    let error_terminal = Some(error_terminal).filter(|name| !name.is_blank());
    Some((terminal, Waiting { message, receiver, is_routed: true, due, error_terminal, kept: Some(number) }))
}

/// Writes a message in the unit of work of the task.
///
/// # Errors
///
/// Abend ABMC: the store fails.
pub fn write(task: &mut Task, terminal: Name4, waiting: &mut Waiting) -> Outcome {
    let region = task.region;
    let failed = |error: StoreError| Raised::Abend(Box::new(Abend::new("ABMC").because(format!("a message cannot be kept: {error}"))));
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    waiting.kept = Some(number);
    let table = table(region).map_err(failed)?;
    let record = encode(terminal, waiting);
    task.recovery.unit(&region.store).put(&table, &number.to_be_bytes(), &record).map_err(failed)
}

/// Forgets messages that have been displayed or purged.
pub fn remove(region: &'static Region, messages: &[Waiting]) {
    let numbers: Vec<u64> = messages.iter().filter_map(|waiting| waiting.kept).collect();
    if numbers.is_empty() {
        return;
    }
    region.dispatcher.spawn_blocking(move || {
        let removed = table(region).and_then(|table| {
            let unit = region.store.begin();
            numbers.iter().try_for_each(|number| unit.delete(&table, &number.to_be_bytes()))?;
            unit.commit(&ThreadWaiter::new())
        });
        if let Err(error) = removed {
            tracing::warn!(target: "region::bms", %error, "a routed message could not be removed from the store");
        }
    });
}

/// Brings the messages back at a warm or emergency start.
///
/// # Errors
///
/// The store fails.
pub fn restart(region: &'static Region) -> Result<(), StoreError> {
    let table = table(region)?;
    if StartType::of(region).is_cold() {
        return region.store.clear_table(&table);
    }
    let waiting = &TerminalControl::of(region).waiting;
    region.store.scan(&table, Some(&[0]), Direction::Forward, &mut |key, value| {
        let number = key.try_into().map(u64::from_be_bytes).unwrap_or(0);
        if let Some((terminal, message)) = decode(number, value) {
            NEXT.fetch_max(number + 1, Ordering::Relaxed);
            note_id(message.message.id);
            offer_when_due(region, terminal, message.due);
            waiting.add(terminal, message);
        }
        true
    })
}

/// A terminal is offered its messages when one is due. One that is not there now is offered them when it comes.
pub fn offer_when_due(region: &'static Region, terminal: Name4, due: Abstime) {
    let offer = move || {
        let found = region.terminals.find(terminal);
        if let Some(display) = found.as_deref().and_then(display_of) {
            display.offer_messages();
        }
    };
    let delay = due.0 - region::clock::now_local().0;
    if delay <= 0 {
        offer();
    } else {
        region.dispatcher.after(std::time::Duration::from_millis(delay as u64), offer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_round_trips() {
        let page = bms::page::Page { orders: vec![1, 2, 3], used: true, ..bms::page::Page::default() };
        let message = PagedMessage {
            id: 77,
            request_id: Name8::new("RQ"),
            title: "TO ALL".to_string(),
            pages: Arc::new(vec![page.clone()]),
            operator_purges: false,
            automatic: true,
        };
        let receiver = Receiver::Operator(Name::new("ABC"));
        let (due, error_terminal) = (Abstime(12_345), Some(Name4::new("T009")));
        let waiting = Waiting { message, receiver, is_routed: true, due, error_terminal, kept: Some(5) };
        let bytes = encode(Name4::new("T001"), &waiting);
        let (terminal, back) = decode(5, &bytes).unwrap();
        assert_eq!(
            (terminal.as_str(), back.receiver, back.due.0, back.error_terminal, back.kept),
            ("T001", receiver, 12_345, error_terminal, Some(5))
        );
        assert_eq!(
            (back.message.id, back.message.title.as_str(), back.message.automatic, &*back.message.pages),
            (77, "TO ALL", true, &vec![page])
        );
        assert!((0..bytes.len()).all(|length| decode(5, &bytes[..length]).is_none()));
    }
}
