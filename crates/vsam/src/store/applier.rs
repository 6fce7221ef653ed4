//! The applier: carries committed changes to the pages, and cuts the log behind them.
//!
//! Invariants: "applied up to" in the pages is an LSN such that every unit of work below it is in the pages and none above is in part; a
//! batch goes to the pages only after the log is on disk up to it; a batch that could not be written is written again before any other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

use super::StoreError;
use super::core::{Core, Table};
use super::in_doubt::Cut;
use super::overlay::Map;
use super::packed::Packer;
use super::record::Lsn;
use crate::wait::ThreadWaiter;

/// Bytes of log after which a keypoint is taken, however few the records are.
const KEYPOINT_BYTES_MAX: u64 = 256 << 20;
/// Failed batches after which the store stops.
const APPLY_FAILURES_MAX: u32 = 20;
/// The applier rests this many times as long as it took to apply a batch, so that it uses a twentieth of the time.
const PAUSE_PER_BATCH: u32 = 20;
/// A rest is at most this many times as long as `apply_interval`.
const PAUSE_GROWTH_MAX: u32 = 10;

#[derive(Default)]
pub(super) struct ApplyState {
    /// Rounds requested and done; a round covers the changes published before it was requested.
    pub(super) requested: u64,
    pub(super) done: u64,
    stop: Option<Stop>,
    pub(super) waiters: Vec<Waker>,
    /// Why the last batch could not be written for lack of room. It is tried again.
    no_room: Option<String>,
}

impl ApplyState {
    pub(super) fn check_room(&self) -> Result<(), StoreError> {
        self.no_room.clone().map_or(Ok(()), |why| Err(StoreError::NoRoom(why)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Applies committed changes first.
    Orderly,
    /// Leave everything as a crash would (tests).
    Abandon,
}

/// When the log is cut.
pub(super) struct Keypoints {
    /// Log records from one keypoint to the next; 0: no keypoints.
    frequency: AtomicU64,
    /// Records and bytes of the log at the last keypoint.
    records: AtomicU64,
    bytes: AtomicU64,
    /// The log is needed from this segment on.
    keep_from: AtomicU64,
}

impl Keypoints {
    pub(super) fn new(frequency: u64) -> Keypoints {
        let (records, bytes, keep_from) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        Keypoints { frequency: AtomicU64::new(frequency), records, bytes, keep_from }
    }
}

impl Core {
    /// Applies everything published before the call to the pages. Blocks the calling thread.
    pub(crate) fn apply_all(&self) -> Result<(), StoreError> {
        let mut apply = self.apply.lock();
        // The round in progress may have begun before the call: wait for the one after it.
        let target = apply.done + 2;
        while apply.done < target {
            self.log.check()?;
            if apply.stop.is_some() {
                return Err(StoreError::Stopped("the store is closed".into()));
            }
            apply.check_room()?;
            apply.requested = apply.requested.max(target);
            self.apply_signal.notify_one();
            self.round_done.wait_for(&mut apply, Duration::from_millis(50));
        }
        Ok(())
    }

    pub(crate) fn stop_applier(&self, stop: Stop) {
        let mut apply = self.apply.lock();
        apply.stop.get_or_insert(stop);
        self.apply_signal.notify_all();
    }

    /// The applier thread.
    pub(crate) fn run_applier(&self) {
        let waiter = ThreadWaiter::new();
        let mut batch: Option<FrozenBatch> = None;
        let mut failures = 0;
        let mut pause = self.config.apply_interval;
        loop {
            let stop = {
                let mut apply = self.apply.lock();
                if apply.stop.is_none() && apply.requested <= apply.done {
                    self.apply_signal.wait_for(&mut apply, pause);
                }
                apply.stop
            };
            if stop == Some(Stop::Abandon) {
                break;
            }
            let frozen = batch.take().or_else(|| self.freeze());
            let begin = Instant::now();
            let result = frozen.as_ref().map_or(Ok(()), |frozen| self.apply_frozen(frozen, &waiter));
            match result {
                Ok(()) => {
                    failures = 0;
                    if self.apply.lock().no_room.take().is_some() {
                        tracing::warn!("pages: there is room again, everything committed is in them");
                    }
                    pause = self.pause_after(begin.elapsed());
                }
                Err(error) if error.is_no_room() && self.log.is_patient() && self.log.check().is_ok() && stop.is_none() => {
                    batch = frozen;
                    self.pages_have_no_room(&error);
                    std::thread::sleep(self.config.apply_retry_pause);
                    continue;
                }
                Err(error) => {
                    failures += 1;
                    tracing::warn!("applying committed changes to the pages: {error}");
                    batch = frozen;
                    if failures >= APPLY_FAILURES_MAX || self.log.check().is_err() || stop.is_some() {
                        self.log.fail(format!("applying committed changes: {error}"));
                        self.end_round();
                        break;
                    }
                    std::thread::sleep(self.config.apply_retry_pause);
                    continue;
                }
            }
            self.end_round();
            if stop.is_some() && self.dirty.lock().is_empty() {
                break;
            }
        }
    }

    /// The sync of a batch holds up those of the log, and one large batch costs less than several small ones.
    fn pause_after(&self, batch: Duration) -> Duration {
        let shortest = self.config.apply_interval;
        (batch * PAUSE_PER_BATCH).clamp(shortest, shortest * PAUSE_GROWTH_MAX)
    }

    /// Fails while committed changes cannot go to the pages.
    pub(crate) fn check_page_room(&self) -> Result<(), StoreError> {
        self.apply.lock().check_room()
    }

    /// Reported once; waiters for a round get the error too, and may request another round.
    fn pages_have_no_room(&self, error: &StoreError) {
        let mut apply = self.apply.lock();
        if apply.no_room.replace(error.to_string()).is_none() {
            tracing::error!("pages: {error}; what is committed is in the log, and goes to the pages when there is room");
        }
        let waiters = std::mem::take(&mut apply.waiters);
        drop(apply);
        self.round_done.notify_all();
        waiters.into_iter().for_each(Waker::wake);
    }

    fn end_round(&self) {
        let waiters = {
            let mut apply = self.apply.lock();
            apply.done += 1;
            std::mem::take(&mut apply.waiters)
        };
        self.round_done.notify_all();
        waiters.into_iter().for_each(Waker::wake);
    }

    /// Takes a consistent cut of everything published.
    fn freeze(&self) -> Option<FrozenBatch> {
        let mut tail = self.log.tail();
        let dirty = std::mem::take(&mut *self.dirty.lock());
        if dirty.is_empty() {
            return None;
        }
        let mut tables: Vec<(Table, Arc<Map>)> = dirty
            .into_iter()
            .map(|table| {
                let map = table.overlay().freeze();
                (table, map)
            })
            .collect();
        let cut = tail.end;
        let bytes = self.overlay_bytes.load(Ordering::Relaxed);
        let in_doubt = self.in_doubt.at_cut();
        tail.unsynced.freeze(cut);
        drop(tail);
        tables.sort_by_key(|(table, _)| table.id());
        Some(FrozenBatch { tables, cut, bytes, in_doubt })
    }

    fn apply_frozen(&self, frozen: &FrozenBatch, waiter: &ThreadWaiter) -> Result<(), StoreError> {
        self.log.force(frozen.cut, waiter)?;
        assert!(self.log.durable() >= frozen.cut, "the pages would be ahead of the log");
        self.engine.apply(&mut |writer| {
            let mut packer = Packer::default();
            for (table, map) in &frozen.tables {
                for (key, value) in map.iter() {
                    match value {
                        Some(stored) => writer.put(table.id(), key, packer.form(table.compression(), table.id(), key, stored))?,
                        None => writer.delete(table.id(), key)?,
                    }
                }
            }
            frozen.in_doubt.write(writer)?;
            writer.put_meta("applied", &frozen.cut.to_le_bytes())
        })?;
        self.in_doubt.written(&frozen.in_doubt);
        let records: usize = frozen.tables.iter().map(|(_, map)| map.len()).sum();
        for (table, _) in &frozen.tables {
            table.overlay().thaw();
        }
        let bytes = self.overlay_bytes.fetch_sub(frozen.bytes, Ordering::Relaxed);
        debug_assert!(bytes >= frozen.bytes, "more bytes are applied than were published");
        self.counters.applied_batches.fetch_add(1, Ordering::Relaxed);
        self.counters.applied_records.fetch_add(records as u64, Ordering::Relaxed);
        self.maintain_log(frozen.cut);
        Ok(())
    }

    pub(crate) fn keypoint_frequency(&self) -> u64 {
        self.keypoints.frequency.load(Ordering::Relaxed)
    }

    pub(crate) fn set_keypoint_frequency(&self, records: u64) {
        self.keypoints.frequency.store(records, Ordering::Relaxed);
    }

    /// Prepares segments ahead and, if a keypoint is due, frees those behind the cut.
    fn maintain_log(&self, cut: Lsn) {
        let (keypoints, log) = (&self.keypoints, &self.log);
        let frequency = keypoints.frequency.load(Ordering::Relaxed);
        let (records, bytes) = (log.records.load(Ordering::Relaxed), log.bytes.load(Ordering::Relaxed));
        let due = records - keypoints.records.load(Ordering::Relaxed) >= frequency
            || bytes - keypoints.bytes.load(Ordering::Relaxed) >= KEYPOINT_BYTES_MAX;
        let segments = &log.segments;
        if frequency > 0 && due {
            keypoints.records.store(records, Ordering::Relaxed);
            keypoints.bytes.store(bytes, Ordering::Relaxed);
            keypoints.keep_from.store(segments.number_of(cut), Ordering::Relaxed);
            self.counters.keypoints.fetch_add(1, Ordering::Relaxed);
        }
        let current = segments.number_of(log.tail().end);
        let keep_from = keypoints.keep_from.load(Ordering::Relaxed).min(current);
        match segments.maintain(current, keep_from) {
            Ok(()) => self.told_of_segments.store(false, Ordering::Relaxed),
            Err(error) if self.told_of_segments.swap(true, Ordering::Relaxed) => tracing::debug!("preparing log segments: {error}"),
            Err(error) => tracing::warn!("preparing log segments: {error}"),
        }
    }
}

/// A cut of the overlay being written to the pages.
struct FrozenBatch {
    tables: Vec<(Table, Arc<Map>)>,
    cut: Lsn,
    bytes: usize,
    in_doubt: Cut,
}
