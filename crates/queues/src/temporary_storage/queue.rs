//! Queues that are not recoverable: in main storage, which is subpool TSMAIN, or auxiliary with their items in the store.
//!
//! Invariants: the result of a request is visible to every later request, whatever state its store write is in: an auxiliary item is held
//! in memory until its write is published and no one else is writing to the queue. The queue's lock is never held across a suspend.

use super::header::{Header, item_key, item_of, seconds_now};
use super::model::Model;
use super::{ITEMS_MAX, QueueName, TemporaryStorage};
use kernel::storage::StoredData;
use parking_lot::Mutex;
use region::Region;
use region::name::Name4;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use vsam::store::Charge;
use vsam::{Change, Direction, StoreError, ThreadWaiter, Waiter};

/// Memory of a queue without its items.
const QUEUE_BYTES: usize = 400;
/// Memory of an item of main storage besides its data, and of an item whose data is in the store.
const MAIN_ITEM_BYTES: usize = 80;
const AUXILIARY_ITEM_BYTES: usize = 48;

enum Item {
    /// In main storage.
    Main(StoredData),
    Held(Arc<[u8]>),
    /// In the store, this long.
    Stored(usize),
}

impl Item {
    fn length(&self) -> usize {
        match self {
            Item::Main(data) => data.length(),
            Item::Held(data) => data.len(),
            Item::Stored(length) => *length,
        }
    }
}

pub(super) struct Queue {
    pub name: QueueName,
    pub main: bool,
    inner: Mutex<Inner>,
}

struct Inner {
    header: Header,
    items: Vec<Item>,
    /// Number of the item last read.
    cursor: u16,
    writers: u32,
    deleted: bool,
    /// Its memory in the account of the region: the queue, and for each item its entry and its data in main storage.
    charge: Charge,
}

/// Why a request on a queue was refused.
#[derive(Debug)]
pub(super) enum Refused {
    /// The queue was deleted by another task meanwhile: look it up again.
    Gone,
    Item,
    NoSpace,
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Refused::Store(error)
    }
}

/// Numbers of the item written and of all items.
pub(super) struct Written {
    pub item: u16,
    pub items: u16,
}

impl Queue {
    /// `charge`: `QUEUE_BYTES`.
    fn new(name: QueueName, main: bool, header: Header, charge: Charge) -> Self {
        let inner = Inner { header, items: Vec::new(), cursor: 0, writers: 0, deleted: false, charge };
        Self { name, main, inner: Mutex::new(inner) }
    }

    pub fn header(&self) -> Header {
        let inner = self.inner.lock();
        Header { items: inner.items.len() as u16, ..inner.header.clone() }
    }

    /// Memory of an item.
    fn item_bytes(&self, length: usize) -> usize {
        if self.main { MAIN_ITEM_BYTES + length } else { AUXILIARY_ITEM_BYTES }
    }

    /// Adds an item, or replaces item `rewrite`. `stored`: the data in main storage, for a queue there.
    pub fn write(
        &self,
        region: &Region,
        data: &[u8],
        stored: Option<StoredData>,
        rewrite: Option<i64>,
        waiter: &dyn Waiter,
    ) -> Result<Written, Refused> {
        debug_assert_eq!(stored.is_some(), self.main, "data of main storage is stored before");
        let storage = &TemporaryStorage::of(region);
        let mut inner = self.inner.lock();
        if inner.deleted {
            return Err(Refused::Gone);
        }
        let index = match rewrite {
            Some(item) if item >= 1 && item <= inner.items.len() as i64 => item as usize - 1,
            Some(_) => return Err(Refused::Item),
            None if inner.items.len() >= ITEMS_MAX => return Err(Refused::Item),
            None => inner.items.len(),
        };
        let replaced = inner.items.get(index).map(Item::length);
        if self.main && !storage.has_room(data.len().saturating_sub(replaced.unwrap_or(0))) {
            return Err(Refused::NoSpace);
        }
        let bytes = inner.charge.bytes() + self.item_bytes(data.len()) - replaced.map_or(0, |length| self.item_bytes(length));
        inner.charge.resize(bytes)?;
        inner.header.count(data.len(), replaced);
        inner.header.used_at = seconds_now();
        let (item, held) = match stored {
            Some(stored) => (Item::Main(stored), None),
            None => {
                let held: Arc<[u8]> = data.into();
                (Item::Held(held.clone()), Some(held))
            }
        };
        match replaced {
            Some(_) => inner.items[index] = item,
            None => inner.items.push(item),
        }
        let written = Written { item: index as u16 + 1, items: inner.items.len() as u16 };
        let counters = &storage.counters;
        counters.longest_queue.fetch_max(u64::from(written.items), Ordering::Relaxed);
        if !self.main {
            counters.longest_item.fetch_max(data.len() as u64, Ordering::Relaxed);
        }
        if self.main {
            let added = data.len() as u64;
            let now = counters.main_bytes.fetch_add(added, Ordering::Relaxed) + added;
            counters.main_bytes.fetch_sub(replaced.unwrap_or(0) as u64, Ordering::Relaxed);
            counters.main_bytes_max.fetch_max(now, Ordering::Relaxed);
            if replaced.is_some_and(|replaced| replaced > data.len()) {
                storage.space_freed();
            }
            drop(inner);
            storage.tell_use(region);
            return Ok(written);
        }
        inner.writers += 1;
        let number = inner.header.number;
        let transfer = storage.auxiliary().put(number, written.item, data.len());
        drop(inner);
        let key = item_key(number, written.item).to_vec();
        let change = Change { table: storage.tables().items.clone(), key, value: Some(data.to_vec()) };
        let published = region.store.publish(vec![change], waiter);
        drop(transfer);
        let mut inner = self.inner.lock();
        inner.writers -= 1;
        published?;
        if inner.writers == 0
            && let Some(Item::Held(present)) = inner.items.get(index)
            && held.as_ref().is_some_and(|held| Arc::ptr_eq(present, held))
        {
            inner.items[index] = Item::Stored(data.len());
        }
        Ok(written)
    }

    /// Reads item `item`, or the one after the cursor, into `data`; answers the number of items.
    pub fn read(&self, region: &Region, item: Option<i64>, data: &mut Vec<u8>) -> Result<u16, Refused> {
        let mut inner = self.inner.lock();
        if inner.deleted {
            return Err(Refused::Gone);
        }
        let wanted = item.unwrap_or(i64::from(inner.cursor) + 1);
        if wanted < 1 || wanted > inner.items.len() as i64 {
            return Err(Refused::Item);
        }
        let items = inner.items.len() as u16;
        inner.cursor = wanted as u16;
        inner.header.used_at = seconds_now();
        data.clear();
        let _transfer = if self.main { None } else { TemporaryStorage::of(region).auxiliary().get(inner.header.number, wanted as u16) };
        match &inner.items[wanted as usize - 1] {
            Item::Main(stored) => {
                stored.append_to(data);
                return Ok(items);
            }
            Item::Held(held) => {
                data.extend_from_slice(held);
                return Ok(items);
            }
            Item::Stored(_) => {}
        }
        let key = item_key(inner.header.number, wanted as u16);
        drop(inner);
        match region.store.get(&TemporaryStorage::of(region).tables().items, &key)? {
            Some(stored) => {
                *data = stored;
                Ok(items)
            }
            None => Err(Refused::Gone),
        }
    }
}

fn header_change(region: &Region, name: &QueueName, header: Option<&Header>) -> Change {
    let table = TemporaryStorage::of(region).tables().headers.clone();
    Change { table, key: name.to_vec(), value: header.map(Header::encode) }
}

/// The queue of that name, created if there is none.
pub(super) fn obtain(
    region: &'static Region,
    name: QueueName,
    main: bool,
    model: Option<&Model>,
    transid: Name4,
    waiter: &dyn Waiter,
) -> Result<Arc<Queue>, Refused> {
    let storage = &TemporaryStorage::of(region);
    let mut queues = storage.queues.write();
    if let Some(queue) = queues.get(&name) {
        return Ok(queue.clone());
    }
    let charge = region.store.account().reserve(QUEUE_BYTES)?;
    let now = seconds_now();
    let header = Header {
        number: region.store.next_arrival(),
        transid,
        created_at: now,
        used_at: now,
        expiry_minutes: model.map_or(0, |model| model.definition.expiry_minutes),
        model: model.map(|model| model.definition.name).unwrap_or_default(),
        ..Header::default()
    };
    let queue = Arc::new(Queue::new(name, main, header.clone(), charge));
    queues.insert(name, queue.clone());
    drop(queues);
    storage.counters.queues_created.fetch_add(1, Ordering::Relaxed);
    storage.counters.names_change(1);
    if !main {
        region.store.publish(vec![header_change(region, &name, Some(&header))], waiter)?;
    }
    Ok(queue)
}

/// Deletes a queue; false if it is not there (any more).
pub(super) fn delete(region: &Region, queue: &Queue, waiter: &dyn Waiter) -> Result<bool, StoreError> {
    let storage = TemporaryStorage::of(region);
    let (number, items) = {
        let mut inner = queue.inner.lock();
        if std::mem::replace(&mut inner.deleted, true) {
            return Ok(false);
        }
        let items = std::mem::take(&mut inner.items);
        inner.charge = Charge::default();
        if queue.main {
            let bytes: usize = items.iter().map(Item::length).sum();
            storage.counters.main_bytes.fetch_sub(bytes as u64, Ordering::Relaxed);
            storage.space_freed();
        }
        (inner.header.number, items.len() as u16)
    };
    let remove = || {
        let mut queues = storage.queues.write();
        if queues.get(&queue.name).is_some_and(|present| std::ptr::eq(&**present, queue)) {
            queues.remove(&queue.name);
            storage.counters.names_change(-1);
        }
    };
    if queue.main {
        remove();
        return Ok(true);
    }
    storage.auxiliary().delete(number);
    // The header is deleted before a queue of the same name can be created.
    let mut changes = vec![header_change(region, &queue.name, None)];
    let table = &storage.tables().items;
    changes.extend((1..=items).map(|item| Change { table: table.clone(), key: item_key(number, item).to_vec(), value: None }));
    let published = region.store.publish(changes, waiter);
    remove();
    published.map(|()| true)
}

/// Restores auxiliary queues after a restart; after a failure removes those that are not recoverable, and items without a queue.
pub(super) fn load(region: &'static Region, emergency: bool) -> Result<(), StoreError> {
    let storage = &TemporaryStorage::of(region);
    let tables = storage.tables();
    let mut headers: Vec<(QueueName, Header)> = Vec::new();
    let mut gone: Vec<Change> = Vec::new();
    region.store.scan(&tables.headers, Some(&[0]), Direction::Forward, &mut |key, value| {
        match (<QueueName>::try_from(key), Header::decode(value)) {
            (Ok(name), Some(header)) if header.recoverable || !emergency => headers.push((name, header)),
            _ => gone.push(Change { table: tables.headers.clone(), key: key.to_vec(), value: None }),
        }
        true
    })?;
    let mut lengths: rustc_hash::FxHashMap<u64, Vec<(u16, usize)>> = Default::default();
    region.store.scan(&tables.items, Some(&[0]), Direction::Forward, &mut |key, value| {
        if let Some((number, item)) = item_of(key) {
            lengths.entry(number).or_default().push((item, value.len()));
        }
        true
    })?;
    let mut queues = storage.queues.write();
    for (name, header) in headers {
        let items = lengths.remove(&header.number).unwrap_or_default();
        if header.recoverable {
            continue;
        }
        let bytes = QUEUE_BYTES + items.len() * AUXILIARY_ITEM_BYTES;
        let queue = Queue::new(name, false, header, region.store.account().charge(bytes));
        {
            let mut inner = queue.inner.lock();
            for (_, length) in items {
                inner.header.count(length, None);
                inner.items.push(Item::Stored(length));
            }
        }
        queues.insert(name, Arc::new(queue));
    }
    drop(queues);
    for (number, items) in lengths {
        gone.extend(items.into_iter().map(|(item, _)| Change {
            table: tables.items.clone(),
            key: item_key(number, item).to_vec(),
            value: None,
        }));
    }
    if gone.is_empty() { Ok(()) } else { region.store.publish(gone, &ThreadWaiter::new()) }
}

/// Deletes queues, also of shared pools, that have not been used for the expiry interval of their model.
pub(super) fn delete_expired(region: &'static Region) {
    let storage = &TemporaryStorage::of(region);
    let now = seconds_now();
    let expired = |queue: &Arc<Queue>| {
        let header = queue.header();
        header.expiry_minutes > 0 && header.used_at + u64::from(header.expiry_minutes) * 60 <= now
    };
    let queues: Vec<Arc<Queue>> = storage.queues.read().values().filter(|queue| expired(queue)).cloned().collect();
    region.dispatcher.spawn_blocking(move || {
        let count = |deleted: u64| TemporaryStorage::of(region).counters.queues_expired.fetch_add(deleted, Ordering::Relaxed);
        for queue in queues {
            if delete(region, &queue, &ThreadWaiter::new()).is_ok_and(|deleted| deleted) {
                count(1);
            }
        }
        match super::shared::delete_expired(region) {
            Ok(deleted) => {
                count(deleted);
            }
            Err(error) => tracing::warn!(target: "region::ts", ?error, "expired queues of shared pools could not be deleted"),
        }
    });
}
