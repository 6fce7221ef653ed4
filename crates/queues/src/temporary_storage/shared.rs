//! Queues of shared temporary storage pools: queues whose TSMODEL has a POOLNAME.
//!
//! In CICS a pool belongs to no region: its server keeps the queues over every start, cold starts included, and no backout undoes changes
//! to them. Here the pools are local to the region's store. A WRITEQ or DELETEQ is a unit of work of its own, on disk when the command
//! ends; the lock of the queue is released before the log is forced, so tasks that write to one queue share the force.
//!
//! Tables: `tspool.queues` headers under pool 8 and queue name 16; `tspool.items` as `ts.items`; `tspool.cursors` read cursor 2 and time of last
//! use 8 under the queue number. Cursors are in memory and reach the store a moment after the read, so a failure may set one back.
//!
//! Invariants: a pool is known once a TSMODEL names it or it has been used; items of a queue are numbered from 1 without gaps; no two READQ
//! NEXT get the same item.

use super::QueueName;
use super::header::{Header, item_key, seconds_now};
use super::inquire::{QueueView, view};
use super::model::Model;
use super::queue::{Refused, Written};
use super::{ITEMS_MAX, TemporaryStorage};
use parking_lot::Mutex;
use region::name::Name8;
use region::{About, Region, Task};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use vsam::{Change, Direction, LockWait, StoreError, Table, ThreadWaiter, UnitOfWork, Waiter};

/// The wait type of a task while the server works for it.
const WAIT_TYPE: &str = "TSSHARED";
/// How long after a read the cursors go to the store.
const CURSORS_DELAY: Duration = Duration::from_millis(100);

struct Tables {
    queues: Table,
    items: Table,
    cursors: Table,
}

/// A queue of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SharedName {
    pub pool: Name8,
    pub name: QueueName,
}

impl SharedName {
    fn key(&self) -> [u8; 24] {
        let mut key = [0; 24];
        key[..8].copy_from_slice(self.pool.as_bytes());
        key[8..].copy_from_slice(&self.name);
        key
    }
}

/// The part of a queue that reads change.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Position {
    cursor: u16,
    used_at: u64,
}

impl Position {
    fn encode(self) -> Vec<u8> {
        [&self.cursor.to_be_bytes()[..], &self.used_at.to_be_bytes()].concat()
    }

    fn decode(bytes: &[u8]) -> Option<Position> {
        let (cursor, used_at) = bytes.split_first_chunk()?;
        Some(Position { cursor: u16::from_be_bytes(*cursor), used_at: u64::from_be_bytes(used_at.try_into().ok()?) })
    }
}

#[derive(Default)]
struct Positions {
    of: FxHashMap<u64, Position>,
    /// Queues whose positions are not yet in the store.
    changed: FxHashSet<u64>,
}

/// The pools of a region.
#[derive(Default)]
pub(super) struct Pools {
    tables: OnceLock<Tables>,
    positions: Mutex<Positions>,
    connected: Mutex<BTreeSet<Name8>>,
    pub reads: AtomicU64,
    pub writes: AtomicU64,
}

impl Pools {
    fn tables(&self) -> &Tables {
        self.tables.get().expect("temporary storage is started with the region")
    }

    /// A pool is connected at the first request for it.
    pub fn connect(&self, pool: Name8) {
        self.connected.lock().insert(pool);
    }

    pub fn is_connected(&self, pool: Name8) -> bool {
        self.connected.lock().contains(&pool)
    }

    pub fn connected(&self) -> BTreeSet<Name8> {
        self.connected.lock().clone()
    }

    /// Moves the cursor of a queue to an item, or to the next.
    fn advance(&self, region: &'static Region, header: &Header, item: Option<i64>) -> Result<u16, Refused> {
        let mut positions = self.positions.lock();
        let position = positions.of.get(&header.number).copied().unwrap_or_default();
        let wanted = item.unwrap_or(i64::from(position.cursor) + 1);
        if wanted < 1 || wanted > i64::from(header.items) {
            return Err(Refused::Item);
        }
        positions.of.insert(header.number, Position { cursor: wanted as u16, used_at: seconds_now() });
        if positions.changed.is_empty() {
            let flush = move || region.dispatcher.spawn_blocking(move || store_cursors(region));
            region.dispatcher.after(CURSORS_DELAY, flush);
        }
        positions.changed.insert(header.number);
        Ok(wanted as u16)
    }

    fn forget(&self, queue: u64) {
        let mut positions = self.positions.lock();
        positions.of.remove(&queue);
        positions.changed.remove(&queue);
    }

    fn used_at(&self, header: &Header) -> u64 {
        self.positions.lock().of.get(&header.number).map_or(0, |position| position.used_at).max(header.used_at)
    }

    /// The queues of a pool in order, or of all pools.
    fn scan(&self, region: &Region, pool: Option<Name8>, visit: &mut dyn FnMut(SharedName, Header)) -> Result<(), StoreError> {
        let from = pool.map_or([0; 24], |pool| SharedName { pool, name: [0; 16] }.key());
        let mut damaged = false;
        region.store.scan(&self.tables().queues, Some(&from), Direction::Forward, &mut |key, value| {
            let Some((in_pool, name)) = key.split_first_chunk::<8>() else { return false };
            if pool.is_some_and(|pool| pool.as_bytes() != in_pool) {
                return false;
            }
            match (<QueueName>::try_from(name), Header::decode(value)) {
                (Ok(name), Some(header)) => visit(SharedName { pool: Name8::from_bytes(in_pool), name }, header),
                _ => damaged = true,
            }
            true
        })?;
        if damaged { Err(not_understood()) } else { Ok(()) }
    }

    pub fn views(&self, region: &Region, pool: Name8) -> Result<Vec<QueueView>, StoreError> {
        let mut views = Vec::new();
        self.scan(region, Some(pool), &mut |queue, header| views.push(self.view_of(&queue.name, header)))?;
        Ok(views)
    }

    pub fn view(&self, region: &Region, queue: SharedName) -> Result<Option<QueueView>, StoreError> {
        let header = decoded(region.store.get(&self.tables().queues, &queue.key())?)?;
        Ok(header.map(|header| self.view_of(&queue.name, header)))
    }

    fn view_of(&self, name: &QueueName, header: Header) -> QueueView {
        let used_at = self.used_at(&header);
        view(name, &Header { used_at, ..header }, false)
    }
}

fn not_understood() -> StoreError {
    StoreError::Invalid("the record of a shared temporary storage queue cannot be understood".into())
}

fn decoded(stored: Option<Vec<u8>>) -> Result<Option<Header>, StoreError> {
    stored.map(|bytes| Header::decode(&bytes).ok_or_else(not_understood)).transpose()
}

/// Opens the pools, at any type of start.
pub(super) fn start(region: &Region) -> Result<(), StoreError> {
    let pools = &TemporaryStorage::of(region).pools;
    let table = |name| region.store.table(name);
    let _ = pools.tables.set(Tables { queues: table("tspool.queues")?, items: table("tspool.items")?, cursors: table("tspool.cursors")? });
    let mut queues = FxHashSet::default();
    pools.scan(region, None, &mut |_, header| {
        queues.insert(header.number);
    })?;
    let mut gone = Vec::new();
    let cursors = &pools.tables().cursors;
    region.store.scan(cursors, Some(&[0]), Direction::Forward, &mut |key, value| {
        let number = key.try_into().map(u64::from_be_bytes).ok().filter(|number| queues.contains(number));
        match (number, Position::decode(value)) {
            (Some(number), Some(position)) => {
                pools.positions.lock().of.insert(number, position);
            }
            _ => gone.push(Change { table: cursors.clone(), key: key.to_vec(), value: None }),
        }
        true
    })?;
    if gone.is_empty() { Ok(()) } else { region.store.publish(gone, &ThreadWaiter::new()) }
}

/// The cursors that reads have moved go to the store.
pub(super) fn store_cursors(region: &Region) {
    let pools = &TemporaryStorage::of(region).pools;
    let cursors = &pools.tables().cursors;
    let changes: Vec<Change> = {
        let mut positions = pools.positions.lock();
        let changed = std::mem::take(&mut positions.changed);
        let change = |number: u64| {
            let value = positions.of.get(&number).map(|position| position.encode());
            Change { table: cursors.clone(), key: number.to_be_bytes().to_vec(), value }
        };
        changed.into_iter().map(change).collect()
    };
    if !changes.is_empty()
        && let Err(error) = region.store.publish(changes, &ThreadWaiter::new())
    {
        tracing::warn!(target: "region::ts", %error, "read cursors of shared temporary storage queues could not be kept");
    }
}

/// Replaces a queue by the result of `change`; durable when it returns.
fn change<T>(
    region: &Region,
    queue: SharedName,
    (wait, waiter): (LockWait<'_>, &dyn Waiter),
    change: impl FnOnce(&UnitOfWork, Option<Header>) -> Result<T, Refused>,
) -> Result<T, Refused> {
    let queues = &TemporaryStorage::of(region).pools.tables().queues;
    let unit = region.store.begin();
    unit.lock(queues, &queue.key(), wait)?;
    let header = decoded(unit.get(queues, &queue.key())?)?;
    let answer = change(&unit, header)?;
    unit.commit(waiter)?;
    Ok(answer)
}

/// As `change`, for a task, whose wait is shown and counted.
fn change_by_task<T>(
    task: &mut Task,
    queue: SharedName,
    make: impl FnOnce(&UnitOfWork, Option<Header>) -> Result<T, Refused>,
) -> Result<T, Refused> {
    let region = task.region;
    let waiter = task.waiter();
    waiter.about(About::new(WAIT_TYPE, region.code_page.name(&queue.name)).all());
    let begun = Instant::now();
    let result = change(region, queue, (task.lock_wait(&waiter, false), &*waiter), make);
    waiter.about_nothing();
    task.performance.ts_shared_wait.add(begun.elapsed());
    result
}

/// Adds an item to the queue, which is created if necessary, or replaces item `rewrite`; `None` if the queue of the item to replace does
/// not exist.
pub(super) fn write(
    task: &mut Task,
    queue: SharedName,
    model: &Model,
    data: &[u8],
    rewrite: Option<i64>,
) -> Result<Option<Written>, Refused> {
    let region = task.region;
    let transid = task.transid;
    let pools = &TemporaryStorage::of(region).pools;
    pools.connect(queue.pool);
    pools.writes.fetch_add(1, Ordering::Relaxed);
    let tables = pools.tables();
    change_by_task(task, queue, |unit, present| {
        if present.is_none() && rewrite.is_some() {
            return Ok(None);
        }
        let now = seconds_now();
        let mut header = present.unwrap_or_else(|| Header {
            number: region.store.next_arrival(),
            transid,
            created_at: now,
            expiry_minutes: model.definition.expiry_minutes,
            model: model.definition.name,
            ..Header::default()
        });
        let (item, replaced) = match rewrite {
            Some(item) if item >= 1 && item <= i64::from(header.items) => {
                let key = item_key(header.number, item as u16);
                (item as u16, unit.get(&tables.items, &key)?.map(|old| old.len()))
            }
            Some(_) => return Err(Refused::Item),
            None if usize::from(header.items) >= ITEMS_MAX => return Err(Refused::Item),
            None => {
                header.items += 1;
                (header.items, None)
            }
        };
        header.count(data.len(), replaced);
        header.used_at = now;
        unit.put(&tables.items, &item_key(header.number, item), data)?;
        unit.put(&tables.queues, &queue.key(), &header.encode())?;
        Ok(Some(Written { item, items: header.items }))
    })
}

/// Reads an item into `data`; returns the number of items, or `None` if there is no such queue.
pub(super) fn read(region: &'static Region, queue: SharedName, item: Option<i64>, data: &mut Vec<u8>) -> Result<Option<u16>, Refused> {
    let pools = &TemporaryStorage::of(region).pools;
    pools.connect(queue.pool);
    pools.reads.fetch_add(1, Ordering::Relaxed);
    let Some(header) = decoded(region.store.get(&pools.tables().queues, &queue.key())?)? else { return Ok(None) };
    let item = pools.advance(region, &header, item)?;
    match region.store.get(&pools.tables().items, &item_key(header.number, item))? {
        Some(stored) => {
            *data = stored;
            Ok(Some(header.items))
        }
        // Deleted meanwhile.
        None => {
            pools.forget(header.number);
            Ok(None)
        }
    }
}

/// Removes a queue with its items and cursor from the store.
fn take_away(storage: &TemporaryStorage, unit: &UnitOfWork, queue: SharedName, header: &Header) -> Result<(), StoreError> {
    let tables = storage.pools.tables();
    for item in 1..=header.items {
        unit.delete(&tables.items, &item_key(header.number, item))?;
    }
    unit.delete(&tables.cursors, &header.number.to_be_bytes())?;
    unit.delete(&tables.queues, &queue.key())
}

/// Deletes the queue; false if there is none.
pub(super) fn delete(task: &mut Task, queue: SharedName) -> Result<bool, Refused> {
    let storage = &TemporaryStorage::of(task.region);
    storage.pools.connect(queue.pool);
    let deleted = change_by_task(task, queue, |unit, present| {
        let Some(header) = present else { return Ok(None) };
        take_away(storage, unit, queue, &header)?;
        Ok(Some(header.number))
    })?;
    if let Some(number) = deleted {
        storage.pools.forget(number);
    }
    Ok(deleted.is_some())
}

/// Deletes queues that have not been used for the expiry interval of their model; returns how many.
pub(super) fn delete_expired(region: &Region) -> Result<u64, Refused> {
    let storage = &TemporaryStorage::of(region);
    let pools = &storage.pools;
    let expired =
        |header: &Header| header.expiry_minutes > 0 && pools.used_at(header) + u64::from(header.expiry_minutes) * 60 <= seconds_now();
    let mut queues = Vec::new();
    pools.scan(region, None, &mut |queue, header| {
        if expired(&header) {
            queues.push(queue);
        }
    })?;
    let mut deleted = 0;
    let waiter = ThreadWaiter::new();
    for queue in queues {
        let number = change(region, queue, (LockWait::forever(&waiter), &waiter), |unit, present| {
            let Some(header) = present.filter(|header| expired(header)) else { return Ok(None) };
            take_away(storage, unit, queue, &header)?;
            Ok(Some(header.number))
        })?;
        if let Some(number) = number {
            pools.forget(number);
            deleted += 1;
        }
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_position_round_trips() {
        let position = Position { cursor: 32_767, used_at: 1 << 40 };
        assert_eq!(Position::decode(&position.encode()), Some(position));
        assert_eq!(Position::decode(&position.encode()[1..]), None);
    }
}
