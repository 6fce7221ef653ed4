//! The shared parts of the store: tables, reads merged over the layers, and publication of changes.
//!
//! Invariant: changes become visible in LSN order under the log's publication lock. If their record does not reach the disk, they are taken
//! back before their unit of work gets its error.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use parking_lot::{Condvar, Mutex, RwLock};
use rustc_hash::FxHashMap;

use super::account::Account;
use super::applier::{ApplyState, Keypoints};
use super::engine::{Engine, SEAL_LENGTH};
use super::in_doubt::InDoubtUnits;
use super::locks::{LockName, LockTable};
use super::log::{Log, Tail};
use super::overlay::{Map, Merge, Overlay};
use super::packed::{self, Compression, opened};
use super::record::{Lsn, PayloadBuilder, RecordType, outcome_payload};
use super::unsynced::Unsynced;
use super::{Direction, KEY_LENGTH_MAX, StoreConfig, StoreError, TableId, UnitId, VALUE_LENGTH_MAX};
use crate::wait::{WaitKind, WaitReason, Waiter};

/// AKPFREQ's default: log records from one keypoint to the next.
const KEYPOINT_RECORDS: u64 = 4_000;
/// The applier starts before its interval when this fraction (one n-th) of the overlay's limit is used.
const EARLY_APPLY_FRACTION: usize = 4;
/// A unit of work that commits waits for the log to be cut behind what is in the pages.
const LOG_BEHIND: WaitReason<'static> = WaitReason { kind: WaitKind::Backlog, resource: "DFHLOG" };
/// Units of work from this size on commit only a few at a time, as memory allows.
const LARGE_UNIT_BYTES: usize = 64 << 10;

/// A handle of a table: ordered byte keys to values. Cheap to clone.
#[derive(Clone)]
pub struct Table(pub(crate) Arc<TableInner>);

pub(crate) struct TableInner {
    pub id: TableId,
    pub name: String,
    /// The compression of its records in the pages; `None`: not compressed.
    pub compression: Option<Compression>,
    pub overlay: Overlay,
}

impl Table {
    pub(crate) fn new(id: TableId, name: &str, compression: Option<Compression>) -> Table {
        Table(Arc::new(TableInner { id, name: name.to_string(), compression, overlay: Overlay::default() }))
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }

    pub fn id(&self) -> TableId {
        self.0.id
    }

    /// The bytes that a record of this table takes in a control interval.
    pub(crate) fn length_in_interval(&self, record: &[u8]) -> usize {
        packed::length_in_interval(self.0.compression, record)
    }

    pub(crate) fn compression(&self) -> Option<Compression> {
        self.0.compression
    }

    pub(crate) fn overlay(&self) -> &Overlay {
        &self.0.overlay
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} {})", self.0.id.0, self.0.name)
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The uncommitted changes of a unit of work, by table.
pub(crate) type WriteSets = smallvec::SmallVec<[(Table, Map); 4]>;

#[derive(Default)]
pub(crate) struct Counters {
    pub commits: AtomicU64,
    pub applied_batches: AtomicU64,
    pub applied_records: AtomicU64,
    pub keypoints: AtomicU64,
}

pub(crate) struct Core {
    pub config: StoreConfig,
    pub account: Account,
    /// Bytes of large units of work that have room and are not yet published.
    committing_bytes: AtomicUsize,
    pub engine: Box<dyn Engine>,
    pub log: Log,
    pub locks: LockTable,
    pub in_doubt: InDoubtUnits,
    pub tables: RwLock<FxHashMap<String, Table>>,
    /// Tables with changes not yet frozen; changed under the publication lock.
    pub(super) dirty: Mutex<Vec<Table>>,
    pub(super) overlay_bytes: AtomicUsize,
    pub(super) keypoints: Keypoints,
    pub(super) apply: Mutex<ApplyState>,
    pub(super) apply_signal: Condvar,
    pub(super) round_done: Condvar,
    /// The failure to prepare segments has been reported.
    pub(super) told_of_segments: AtomicBool,
    pub counters: Counters,
}

pub(crate) fn check_key(key: &[u8]) -> Result<(), StoreError> {
    match key.len() {
        1..=KEY_LENGTH_MAX => Ok(()),
        length => Err(StoreError::KeyLength(length)),
    }
}

pub(crate) fn check_value(value: &[u8]) -> Result<(), StoreError> {
    if value.len() > VALUE_LENGTH_MAX { Err(StoreError::ValueLength(value.len())) } else { Ok(()) }
}

impl Core {
    pub(crate) fn new(
        config: StoreConfig,
        engine: Box<dyn Engine>,
        log: Log,
        tables: FxHashMap<String, Table>,
        in_doubt: InDoubtUnits,
    ) -> Core {
        Core {
            config,
            account: Account::new(),
            committing_bytes: AtomicUsize::new(0),
            engine,
            log,
            locks: LockTable::new(),
            in_doubt,
            tables: RwLock::new(tables),
            dirty: Mutex::new(Vec::new()),
            overlay_bytes: AtomicUsize::new(0),
            keypoints: Keypoints::new(KEYPOINT_RECORDS),
            apply: Mutex::new(ApplyState::default()),
            apply_signal: Condvar::new(),
            round_done: Condvar::new(),
            told_of_segments: AtomicBool::new(false),
            counters: Counters::default(),
        }
    }

    pub(crate) fn overlay_bytes(&self) -> usize {
        self.overlay_bytes.load(Ordering::Relaxed)
    }

    fn damaged(&self, table: &Table, key: &[u8], why: &'static str) -> StoreError {
        let key: String = key.iter().map(|byte| format!("{byte:02X}")).collect();
        tracing::error!(table = table.name(), %key, "stored record damaged: {why}");
        StoreError::RecordDamaged { table: table.name().to_string(), key, why }
    }

    /// The engine knows tables by their numbers only.
    fn named(&self, table: &Table, error: StoreError) -> StoreError {
        let table = table.name().to_string();
        let error = match error {
            StoreError::RecordDamaged { key, why, .. } => StoreError::RecordDamaged { table, key, why },
            StoreError::PagesDamaged { why, .. } => StoreError::PagesDamaged { table, why },
            other => return other,
        };
        tracing::error!("{error}");
        error
    }

    /// Visits the value of a key: the overlay first, then the pages. (Own changes are the unit of work's matter.)
    #[inline]
    pub(crate) fn get_with(&self, table: &Table, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        if let Some(layers) = table.overlay().read()
            && let Some(entry) = layers.get(key)
        {
            if let Some(stored) = entry {
                visit(&stored[SEAL_LENGTH..]);
            }
            return Ok(entry.is_some());
        }
        let mut damage = None;
        let found = self.engine.get(table.id(), key, &mut |stored| {
            damage = opened(table.id(), key, stored, &mut *visit).err();
        })?;
        match damage {
            None => Ok(found),
            Some(why) => Err(self.damaged(table, key, why)),
        }
    }

    /// Visits records in order, merged over `own` changes, the overlay and the pages.
    pub(crate) fn scan_with(
        &self,
        table: &Table,
        own: Option<&Map>,
        from: Option<(&[u8], bool)>,
        direction: Direction,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        let layers = table.overlay().read();
        let committed = layers.iter().flat_map(|layers| [&layers.active, layers.frozen.as_ref()]);
        let mut merge = Merge::new(own.into_iter().chain(committed), from, direction);
        let mut stopped = false;
        let mut damage = None;
        let scanned = self.engine.range(table.id(), from, direction, &mut |key, stored| {
            while let Some(next) = merge.peek()
                && merge.before(next, key)
            {
                let (next, value) = merge.next().expect("peeked");
                if value.is_some_and(|value| !visit(next, &value[SEAL_LENGTH..])) {
                    stopped = true;
                    return false;
                }
            }
            let go_on = if merge.peek() == Some(key) {
                let (_, value) = merge.next().expect("peeked");
                value.is_none_or(|value| visit(key, &value[SEAL_LENGTH..]))
            } else {
                opened(table.id(), key, stored, |data| visit(key, data)).unwrap_or_else(|why| {
                    damage = Some((key.to_vec(), why));
                    false
                })
            };
            stopped = !go_on;
            go_on
        });
        if let Some((key, why)) = damage {
            return Err(self.damaged(table, &key, why));
        }
        scanned.map_err(|error| self.named(table, error))?;
        while !stopped && let Some((key, value)) = merge.next() {
            stopped = value.is_some_and(|value| !visit(key, &value[SEAL_LENGTH..]));
        }
        Ok(())
    }

    /// Most bytes that are committed and not applied when another unit of work commits.
    fn overlay_bytes_max(&self) -> usize {
        self.config.overlay_bytes_max.min(usize::try_from(self.account.overlay_limit()).unwrap_or(usize::MAX))
    }

    /// Waits while too much is committed and not applied. Large units of work count from here on, so that many of them do not commit at once.
    pub(crate) fn wait_for_room(&self, bytes: usize, reason: WaitReason<'_>, waiter: &dyn Waiter) -> Result<Committing<'_>, StoreError> {
        let most = self.overlay_bytes_max();
        let bytes = if bytes >= LARGE_UNIT_BYTES { bytes } else { 0 };
        loop {
            let committing = self.committing_bytes.load(Ordering::Relaxed);
            let has_room = || self.overlay_bytes() + committing <= most;
            if has_room() {
                if bytes == 0 || self.count_committing(committing, bytes) {
                    return Ok(Committing { core: self, bytes });
                }
                continue;
            }
            self.log.check()?;
            {
                let mut apply = self.apply.lock();
                if has_room() {
                    continue;
                }
                apply.check_room()?;
                apply.waiters.push(waiter.waker());
                apply.requested = apply.requested.max(apply.done + 1);
                self.apply_signal.notify_one();
            }
            let _ = waiter.wait(reason, None);
        }
    }

    /// False: another unit of work was faster.
    fn count_committing(&self, seen: usize, bytes: usize) -> bool {
        self.committing_bytes.compare_exchange(seen, seen + bytes, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Logs and publishes a unit of work's changes; returns the LSN to force. All or nothing.
    pub(crate) fn commit(&self, unit: UnitId, sets: WriteSets, waiter: &dyn Waiter) -> Result<Lsn, StoreError> {
        let bytes = bytes_of(&sets);
        let _committing = self.wait_for_room(bytes, LOG_BEHIND, waiter)?;
        self.log.check_open()?;
        self.log.check_room()?;
        self.check_lengths(&sets)?;
        let payloads = self.payload_builder(unit, &sets, bytes).finish();
        let mut tail = self.log.tail_of_working()?;
        self.append_all(&mut tail, RecordType::Unit, payloads.into_iter());
        let lsn = tail.end;
        self.publish_sets(sets, Some((lsn, &mut tail.unsynced)));
        drop(tail);
        self.counters.commits.fetch_add(1, Ordering::Relaxed);
        Ok(lsn)
    }

    fn payload_builder(&self, unit: UnitId, sets: &WriteSets, bytes: usize) -> PayloadBuilder {
        let mut builder = PayloadBuilder::new(unit, self.log.payload_max(), bytes);
        for (table, map) in sets {
            for (key, value) in map {
                builder.add(table.id(), key, value.as_deref());
            }
        }
        builder
    }

    /// Appends the payloads of a unit of work, the last one as a record of this type. Payloads passed by value are freed one by one: a large
    /// unit of work is not twice in memory.
    fn append_all<P: AsRef<[u8]>>(&self, tail: &mut Tail, last_kind: RecordType, payloads: impl ExactSizeIterator<Item = (P, u32)>) {
        let last = payloads.len() - 1;
        for (index, (payload, crc)) in payloads.enumerate() {
            let kind = if index == last { last_kind } else { RecordType::Part };
            self.log.append(tail, kind, payload.as_ref(), crc);
        }
    }

    /// Phase one: logs changes and locks of a unit of work without making them visible; answers the LSN to force.
    pub(crate) fn prepare(
        &self,
        unit: UnitId,
        sets: &WriteSets,
        locks: &[LockName],
        description: &[u8],
        waiter: &dyn Waiter,
    ) -> Result<Lsn, StoreError> {
        let bytes = bytes_of(sets);
        let _committing = self.wait_for_room(bytes, LOG_BEHIND, waiter)?;
        self.log.check_open()?;
        self.log.check_room()?;
        self.check_lengths(sets)?;
        let mut builder = self.payload_builder(unit, sets, bytes);
        locks.iter().for_each(|name| builder.add_lock(name.table, &name.key));
        builder.add_description(description);
        let payloads = builder.finish();
        let mut tail = self.log.tail_of_working()?;
        self.append_all(&mut tail, RecordType::Prepared, payloads.iter().map(|(payload, crc)| (payload, *crc)));
        self.in_doubt.add(unit, payloads.into_iter().map(|(payload, _)| payload).collect());
        Ok(tail.end)
    }

    /// Phase two of a prepared unit of work: `sets` are published, or `None`: backed out. Returns the LSN to force.
    pub(crate) fn resolve(&self, unit: UnitId, sets: Option<WriteSets>) -> Result<Lsn, StoreError> {
        self.log.check_open()?;
        let kind = if sets.is_some() { RecordType::Committed } else { RecordType::BackedOut };
        let payload = outcome_payload(unit);
        let mut tail = self.log.tail_of_working()?;
        self.log.append(&mut tail, kind, &payload, crc32fast::hash(&payload));
        self.in_doubt.resolved(unit);
        let lsn = tail.end;
        if let Some(sets) = sets {
            self.publish_sets(sets, Some((lsn, &mut tail.unsynced)));
            self.counters.commits.fetch_add(1, Ordering::Relaxed);
        }
        Ok(lsn)
    }

    /// Refuses values that no log record of this store's segments holds.
    fn check_lengths(&self, sets: &WriteSets) -> Result<(), StoreError> {
        let longest = sets.iter().flat_map(|(_, map)| map.values().flatten()).map(|value| value.len()).max().unwrap_or(0);
        if longest > self.log.value_max() { Err(StoreError::ValueLength(longest - SEAL_LENGTH)) } else { Ok(()) }
    }

    /// Publishes changes that are not logged. A wait for room is one for the pages of the first table.
    pub(crate) fn publish_unlogged(&self, sets: WriteSets, waiter: &dyn Waiter) -> Result<(), StoreError> {
        let table = sets.first().map(|(table, _)| table.clone());
        let resource = table.as_ref().map_or("", Table::name);
        let _committing = self.wait_for_room(bytes_of(&sets), WaitReason { kind: WaitKind::Transfer, resource }, waiter)?;
        self.publish_at_once(sets)
    }

    /// As `publish_unlogged`, without waiting for room.
    pub(crate) fn publish_at_once(&self, sets: WriteSets) -> Result<(), StoreError> {
        self.log.check_open()?;
        let tail = self.log.tail_of_working()?;
        self.publish_sets(sets, None);
        drop(tail);
        Ok(())
    }

    /// The publication lock is held. Logged changes have the end of their record, and are taken back if it does not reach the disk.
    fn publish_sets(&self, sets: WriteSets, mut logged: Option<(Lsn, &mut Unsynced)>) {
        debug_assert!(self.log.is_publishing(), "changes are published in the order of the log");
        let mut added = 0;
        for (table, map) in sets {
            let mut replaced = Vec::with_capacity(if logged.is_some() { map.len() } else { 0 });
            let (was_empty, bytes) = table.overlay().publish(map, logged.is_some().then_some(&mut replaced));
            added += bytes;
            if let Some((lsn, unsynced)) = &mut logged {
                unsynced.add(*lsn, table.clone(), replaced);
            }
            if was_empty {
                self.dirty.lock().push(table);
            }
        }
        let total = self.overlay_bytes.fetch_add(added, Ordering::Relaxed) + added;
        let early = self.overlay_bytes_max() / EARLY_APPLY_FRACTION;
        if total > early && total - added <= early {
            self.apply_signal.notify_one();
        }
    }
}

/// A unit of work between the wait for room and its publication.
pub(crate) struct Committing<'a> {
    core: &'a Core,
    /// 0: a small one, which does not count.
    bytes: usize,
}

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        if self.bytes > 0 {
            let before = self.core.committing_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
            debug_assert!(before >= self.bytes, "a unit of work that commits was counted");
        }
    }
}

fn bytes_of(sets: &WriteSets) -> usize {
    let entries = sets.iter().flat_map(|(_, map)| map.iter());
    entries.map(|(key, value)| super::overlay::entry_bytes(key, value.as_deref())).sum()
}

/// Makes write sets of loose changes.
pub(crate) fn sets_of(changes: Vec<super::Change>) -> Result<WriteSets, StoreError> {
    let mut sets = WriteSets::new();
    for change in changes {
        check_key(&change.key)?;
        let stored = match &change.value {
            None => None,
            Some(value) => {
                check_value(value)?;
                Some(super::engine::seal(change.table.id(), &change.key, value))
            }
        };
        let map = set_for(&mut sets, &change.table);
        map.insert(change.key.into_boxed_slice(), stored);
    }
    Ok(sets)
}

/// The map of a table in write sets, created if new.
pub(crate) fn set_for<'a>(sets: &'a mut WriteSets, table: &Table) -> &'a mut Map {
    let index = match sets.iter().position(|(other, _)| other == table) {
        Some(index) => index,
        None => {
            sets.push((table.clone(), BTreeMap::new()));
            sets.len() - 1
        }
    };
    &mut sets[index].1
}
