//! The system log: append, group commit, and the durable position.
//!
//! Invariants: LSNs are assigned in append order and the log is written in that order; `durable` only grows, and only after a sync of
//! everything below it; one flusher at a time; after a failed write or sync nothing is ever acknowledged again. The exception is a full
//! device under a region: the same bytes are then written again until there is room, and no commit returns in between. The append lock is
//! also the publication lock: the changes of units of work become visible in LSN order under it. The log fails, and `durable` grows, under
//! that lock too: once it has failed, nothing is visible that is not durable.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::StoreError;
use super::directory_lock::DirectoryLock;
use super::record::{HEADER_LENGTH, Header, Lsn, RecordType, padded};
use super::segment::Segments;
use super::unsynced::Unsynced;
use crate::fault;
use crate::wait::{Flusher, WaitEnd, WaitKind, WaitReason, Waiter};

/// How often a full device is checked for room.
const ROOM_LOOK_EVERY: Duration = Duration::from_millis(200);
/// Longest buffer that is used again.
const SPARE_BYTES_MAX: usize = 4 << 20;
const CLOSED: &str = "the store is closed";

/// Appended bytes of one segment not yet written.
struct Chunk {
    start: Lsn,
    bytes: Vec<u8>,
}

struct Pending {
    lsn: Lsn,
    waker: Waker,
    may_block: bool,
}

struct Flush {
    flushing: bool,
    waiters: Vec<Pending>,
    /// A task that may not block is waiting, so the log's own thread must flush.
    thread_wanted: bool,
    stop: bool,
    /// Why nothing can be written at the moment: the device is full. The log's own thread retries, everyone else waits.
    no_room: Option<String>,
}

/// How a flush ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FlushEnd {
    Done,
    Failed,
    /// To be retried: appended data is kept.
    NoRoom,
}

/// The appended part of the log. Locked while appending and publishing.
pub(crate) struct Tail {
    chunks: Vec<Chunk>,
    spare: Vec<Vec<u8>>,
    /// What becomes invisible if the log fails now.
    pub unsynced: Unsynced,
    /// Where the next record goes.
    pub end: Lsn,
}

/// The system log of a store.
pub(crate) struct Log {
    pub segments: Segments,
    tail: Mutex<Tail>,
    flush: Mutex<Flush>,
    thread_signal: Condvar,
    durable: AtomicU64,
    /// A task waits, and the dispatcher thread that it leaves flushes, unless another thread is already flushing.
    offered: AtomicBool,
    closed: AtomicBool,
    /// A device without room is waited for.
    is_patient: AtomicBool,
    /// As `no_room` of the flush.
    is_stalled: AtomicBool,
    failed: Mutex<Option<String>>,
    /// Knows whether the page file still exists.
    directory: Mutex<Option<Arc<DirectoryLock>>>,
    pub syncs: AtomicU64,
    /// The time spent writing and syncing.
    pub flush_nanoseconds: AtomicU64,
    pub records: AtomicU64,
    pub bytes: AtomicU64,
}

impl Log {
    /// Starts appending at the beginning of the segment of `start`, which exists.
    pub(crate) fn start(segments: Segments, start: Lsn) -> Log {
        Log {
            segments,
            tail: Mutex::new(Tail { chunks: Vec::new(), spare: Vec::new(), unsynced: Unsynced::default(), end: start }),
            flush: Mutex::new(Flush { flushing: false, waiters: Vec::new(), thread_wanted: false, stop: false, no_room: None }),
            thread_signal: Condvar::new(),
            durable: AtomicU64::new(start),
            offered: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            is_patient: AtomicBool::new(false),
            is_stalled: AtomicBool::new(false),
            failed: Mutex::new(None),
            directory: Mutex::new(None),
            syncs: AtomicU64::new(0),
            flush_nanoseconds: AtomicU64::new(0),
            records: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// From now on nothing is acknowledged once the page file is gone.
    pub(crate) fn watch(&self, directory: Arc<DirectoryLock>) {
        *self.directory.lock() = Some(directory);
    }

    pub(crate) fn unwatch(&self) {
        *self.directory.lock() = None;
    }

    /// Largest payload a record should have: several fit in a segment.
    pub(crate) fn payload_max(&self) -> usize {
        (self.segments.size() / 8) as usize
    }

    /// Longest stored record that fits into one log record.
    pub(crate) fn value_max(&self) -> usize {
        (self.segments.size() / 2) as usize
    }

    pub(crate) fn durable(&self) -> Lsn {
        self.durable.load(Ordering::Acquire)
    }

    /// Whether the publication lock is held.
    pub(crate) fn is_publishing(&self) -> bool {
        self.tail.is_locked()
    }

    /// The publication lock.
    pub(crate) fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock()
    }

    /// The publication lock of a log that accepts work, to append and publish.
    pub(crate) fn tail_of_working(&self) -> Result<MutexGuard<'_, Tail>, StoreError> {
        let tail = self.tail.lock();
        self.check_open()?;
        Ok(tail)
    }

    /// Whether to wait for room on a full device (a region), or to fail (a utility).
    pub(crate) fn be_patient(&self, is_patient: bool) {
        self.is_patient.store(is_patient, Ordering::Release);
        self.thread_signal.notify_all();
    }

    pub(crate) fn is_patient(&self) -> bool {
        self.is_patient.load(Ordering::Acquire)
    }

    /// Refuses requests that could only wait for room on the device.
    pub(crate) fn check_room(&self) -> Result<(), StoreError> {
        if !self.is_stalled.load(Ordering::Acquire) {
            return Ok(());
        }
        let why = self.flush.lock().no_room.clone();
        why.map_or(Ok(()), |why| Err(StoreError::NoRoom(why)))
    }

    /// Stops the store: no commit is acknowledged from now on.
    pub(crate) fn fail(&self, why: String) {
        self.note_failure(why);
        self.wake_after_failure();
    }

    /// Takes back what is not on disk, before anyone can learn of the failure.
    fn note_failure(&self, why: String) {
        let mut tail = self.tail.lock();
        tail.unsynced.take_back(self.durable());
        self.failed.lock().get_or_insert(why);
    }

    pub(crate) fn failure(&self) -> Option<String> {
        self.failed.lock().clone()
    }

    /// Ends the log: later appends fail. An orderly end first forces everything appended.
    pub(crate) fn close(&self, waiter: &dyn Waiter, orderly: bool) {
        let end = self.tail.lock().end;
        // One more attempt, and no waiting after it.
        self.be_patient(false);
        if orderly {
            // A failure here is already kept and reported by `failure`.
            let _ = self.force(end, waiter);
        }
        // Nothing is appended after this.
        let _tail = self.tail.lock();
        self.closed.store(true, Ordering::Release);
    }

    /// As `check`, for new work: also refuses it once the store is closing.
    pub(crate) fn check_open(&self) -> Result<(), StoreError> {
        if self.closed.load(Ordering::Acquire) {
            return Err(StoreError::Stopped(CLOSED.into()));
        }
        self.check()
    }

    pub(crate) fn check(&self) -> Result<(), StoreError> {
        match self.failed.lock().as_ref() {
            None => Ok(()),
            Some(why) => Err(StoreError::Stopped(why.clone())),
        }
    }

    /// Appends a record; answers the LSN after it, to be forced.
    pub(crate) fn append(&self, tail: &mut Tail, kind: RecordType, payload: &[u8], payload_crc: u32) -> Lsn {
        let length = HEADER_LENGTH + payload.len();
        let (needed, size) = (padded(length) as u64, self.segments.size());
        assert!(needed <= size - super::segment::SEGMENT_HEADER_LENGTH, "record larger than a segment");
        // A segment prepared before this record was known may be too short for it; it then stays empty.
        loop {
            let number = self.segments.number_of(tail.end);
            let left = self.segments.end_of(number, needed) - tail.end;
            if needed <= left {
                break;
            }
            if left as usize >= HEADER_LENGTH {
                self.put_header(tail, RecordType::SegmentEnd, left as u32, 0);
            }
            tail.end = self.segments.first_lsn(number + 1);
        }
        self.put_header(tail, kind, length as u32, payload_crc);
        self.records.fetch_add(1, Ordering::Relaxed);
        let chunk = tail.chunks.last_mut().expect("put_header made one");
        chunk.bytes.extend_from_slice(payload);
        chunk.bytes.resize(padded(chunk.bytes.len()), 0);
        tail.end = chunk.start + chunk.bytes.len() as u64;
        debug_assert!(tail.end.is_multiple_of(8));
        tail.end
    }

    fn put_header(&self, tail: &mut Tail, kind: RecordType, length: u32, payload_crc: u32) {
        let fits = tail.chunks.last().is_some_and(|chunk| chunk.start + chunk.bytes.len() as u64 == tail.end);
        if !fits {
            let bytes = tail.spare.pop().unwrap_or_default();
            tail.chunks.push(Chunk { start: tail.end, bytes });
        }
        let lsn = tail.end;
        let synced = self.durable();
        let header = Header { length, lsn, synced, kind: kind as u8, version: kind.version(), payload_crc };
        tail.chunks.last_mut().expect("just ensured").bytes.extend_from_slice(&header.encode());
    }

    /// Returns when everything below `lsn` is on disk.
    pub(crate) fn force(&self, lsn: Lsn, waiter: &dyn Waiter) -> Result<(), StoreError> {
        let flusher = waiter.flusher();
        let may_block = flusher == Flusher::Caller;
        let mut registered = false;
        while self.durable() < lsn {
            self.check()?;
            let mut flush = self.flush.lock();
            if self.durable() >= lsn {
                break;
            }
            let is_stalled = flush.no_room.is_some() && !flush.stop;
            if (may_block || flush.stop) && !flush.flushing && !is_stalled {
                flush.flushing = true;
                drop(flush);
                match self.flush_once() {
                    Err(error) if !(error.is_no_room() && self.is_patient()) => return Err(error),
                    _ => {}
                }
                registered = false;
                continue;
            }
            // Another waiter may have the same LSN: the applier's cut is the end of the last commit.
            let waker = waiter.waker();
            if !registered || !flush.waiters.iter().any(|pending| pending.lsn == lsn && pending.waker.will_wake(&waker)) {
                flush.waiters.push(Pending { lsn, waker, may_block });
                registered = true;
            }
            if (!may_block || is_stalled) && !flush.flushing {
                match flusher {
                    Flusher::Dispatcher if !is_stalled => self.offered.store(true, Ordering::Release),
                    _ => self.want_thread(&mut flush),
                }
            }
            drop(flush);
            // A purge cannot undo a commit that is in the log, so wait on, whatever the wake-up.
            let _: WaitEnd = waiter.wait(WaitReason { kind: WaitKind::LogForce, resource: "DFHLOG" }, None);
        }
        Ok(())
    }

    fn want_thread(&self, flush: &mut Flush) {
        if !flush.thread_wanted {
            flush.thread_wanted = true;
            self.thread_signal.notify_one();
        }
    }

    /// A task left a flush to the thread of its dispatcher.
    pub(crate) fn is_flush_offered(&self) -> bool {
        self.offered.load(Ordering::Acquire)
    }

    /// Does the offered flush, unless one is in progress; returns the wakers to call.
    pub(crate) fn flush_offered(&self) -> Vec<Waker> {
        let taken = self.offered.swap(false, Ordering::AcqRel) && {
            let mut flush = self.flush.lock();
            if flush.no_room.is_some() {
                self.want_thread(&mut flush);
                return Vec::new();
            }
            // The thread that flushes now will see the waiters it did not serve.
            !std::mem::replace(&mut flush.flushing, true)
        };
        if !taken {
            return Vec::new();
        }
        // A failure is kept in `failed` and reported to every waiter.
        let end = self.end_of_flush(&self.write_appended());
        self.end_flush(end, Flusher::Dispatcher)
    }

    /// Leaves the offered flush to the log's own thread.
    pub(crate) fn leave_offered(&self) {
        if self.offered.swap(false, Ordering::AcqRel) {
            let mut flush = self.flush.lock();
            if !flush.flushing {
                self.want_thread(&mut flush);
            }
        }
    }

    /// Writes and syncs everything appended so far, and wakes the waiters for it. The caller has set `flushing`.
    fn flush_once(&self) -> Result<(), StoreError> {
        let result = self.write_appended();
        let served = self.end_flush(self.end_of_flush(&result), Flusher::LogThread);
        served.into_iter().for_each(Waker::wake);
        result
    }

    fn end_of_flush(&self, result: &Result<(), StoreError>) -> FlushEnd {
        match result {
            Ok(()) => FlushEnd::Done,
            Err(error) if error.is_no_room() && self.check().is_ok() => FlushEnd::NoRoom,
            Err(_) => FlushEnd::Failed,
        }
    }

    /// The caller has set `flushing`, and ends the flush.
    fn write_appended(&self) -> Result<(), StoreError> {
        let (mut chunks, end) = {
            let mut tail = self.tail.lock();
            (std::mem::take(&mut tail.chunks), tail.end)
        };
        let end_of = |chunk: &Chunk| chunk.start + chunk.bytes.len() as u64;
        assert!(chunks.first().is_none_or(|first| first.start >= self.durable()), "what is on disk is written again");
        assert!(chunks.windows(2).all(|pair| end_of(&pair[0]) <= pair[1].start), "the log is written in the order of its records");
        assert!(chunks.last().is_none_or(|last| end_of(last) <= end), "the log is written beyond its end");
        // A thread that passed the check before another's flush failed may get here after it: the data which that flush did not write would
        // then count as durable together with this one's.
        let begin = Instant::now();
        let result = self.check().and_then(|()| self.write_chunks(&chunks)).and_then(|()| self.note_durable(end, &mut chunks));
        self.flush_nanoseconds.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        match &result {
            Ok(()) => {
                if self.is_stalled.swap(false, Ordering::AcqRel) {
                    self.flush.lock().no_room = None;
                    tracing::warn!("system log: there is room again, everything that waited is on disk");
                }
            }
            Err(error) if error.is_no_room() && self.is_patient() => self.stall(chunks, error),
            Err(error) => {
                tracing::error!("system log: {error}; no more work is accepted");
                self.note_failure(error.to_string());
            }
        }
        result
    }

    /// Everything below `end` is on disk, unless the log has failed meanwhile: what it took back then must not be acknowledged. The last
    /// buffer is used again.
    fn note_durable(&self, end: Lsn, chunks: &mut Vec<Chunk>) -> Result<(), StoreError> {
        let spare = chunks.pop().map(|mut chunk| {
            chunk.bytes.clear();
            chunk.bytes
        });
        let mut tail = self.tail.lock();
        self.check()?;
        let before = self.durable.swap(end, Ordering::AcqRel);
        assert!(before <= end, "the log on disk has become shorter");
        tail.spare.extend(spare.filter(|spare| spare.capacity() <= SPARE_BYTES_MAX));
        let synced = tail.unsynced.synced(end);
        drop(tail);
        drop(synced);
        Ok(())
    }

    /// Unwritten data is put back in front of what was appended since. Writing some of it again at the same places does no harm. It is all
    /// in memory, so data lost by a sync that failed for lack of room does not matter either.
    fn stall(&self, chunks: Vec<Chunk>, error: &StoreError) {
        self.tail.lock().chunks.splice(0..0, chunks);
        let mut flush = self.flush.lock();
        if flush.no_room.replace(format!("{error}; it is tried again until there is room")).is_none() {
            tracing::error!("system log: {error}; units of work wait, and new ones cannot be committed, until there is room");
        }
        self.is_stalled.store(true, Ordering::Release);
    }

    fn write_chunks(&self, chunks: &[Chunk]) -> Result<(), StoreError> {
        if let Some(directory) = self.directory.lock().as_ref() {
            directory.check_pages()?;
        }
        for (index, chunk) in chunks.iter().enumerate() {
            let number = self.segments.number_of(chunk.start);
            let file = self.segments.for_writing(number)?;
            let path = self.segments.path(number);
            let io = |error| StoreError::io(&path, error);
            let offset = chunk.start - number * self.segments.size();
            let end = chunk.start + chunk.bytes.len() as u64;
            assert!(end <= self.segments.end_of(number, 0), "a chunk of the log leaves its segment");
            if let Some(torn) = fault::write_point("log.write").map_err(io)? {
                let count = torn.min(chunk.bytes.len());
                file.write_at(&chunk.bytes[..count], offset).map_err(io)?;
                std::process::abort();
            }
            file.write_at(&chunk.bytes, offset).map_err(io)?;
            let last_of_segment = chunks.get(index + 1).is_none_or(|next| self.segments.number_of(next.start) != number);
            if last_of_segment {
                fault::point("log.sync").map_err(io)?;
                file.sync().map_err(io)?;
                fault::point("log.synced").map_err(io)?;
                self.segments.check_in_place(number, &*file)?;
                self.syncs.fetch_add(1, Ordering::Relaxed);
            }
            self.bytes.fetch_add(chunk.bytes.len() as u64, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Ends a flush: returns the wakers of everyone served, and of the next flusher if there is more to do. `next` flushes for tasks.
    fn end_flush(&self, end: FlushEnd, next: Flusher) -> Vec<Waker> {
        let durable = self.durable();
        let mut flush = self.flush.lock();
        assert!(flush.flushing, "a flush ends that did not begin");
        flush.flushing = false;
        let is_served = |pending: &mut Pending| end == FlushEnd::Failed || pending.lsn <= durable;
        let mut woken: Vec<Waker> = flush.waiters.extract_if(.., is_served).map(|pending| pending.waker).collect();
        let stop = flush.stop;
        if end == FlushEnd::NoRoom && !stop {
            self.want_thread(&mut flush);
        } else if let Some(own) = flush.waiters.iter().position(|pending| pending.may_block || stop) {
            woken.push(flush.waiters.swap_remove(own).waker);
        } else if !flush.waiters.is_empty() {
            match next {
                // The thread that flushed checks again before it runs a task or sleeps.
                Flusher::Dispatcher => self.offered.store(true, Ordering::Release),
                _ => self.want_thread(&mut flush),
            }
        }
        woken
    }

    fn wake_after_failure(&self) {
        let waiters = std::mem::take(&mut self.flush.lock().waiters);
        waiters.into_iter().for_each(|pending| pending.waker.wake());
    }

    /// The log's own thread: flushes for tasks that may not block a thread.
    pub(crate) fn run_thread(&self) {
        loop {
            {
                let mut flush = self.flush.lock();
                while !flush.stop && (!flush.thread_wanted || flush.flushing) {
                    // The thread that flushes now signals again if waiters remain.
                    flush.thread_wanted = false;
                    self.thread_signal.wait(&mut flush);
                }
                if flush.no_room.is_some() && !flush.stop && self.is_patient() {
                    self.thread_signal.wait_for(&mut flush, ROOM_LOOK_EVERY);
                    if flush.flushing {
                        continue;
                    }
                }
                // No waiter depends on this thread when it ends; later ones flush for themselves.
                if flush.stop && (flush.waiters.is_empty() || flush.flushing) {
                    return;
                }
                flush.thread_wanted = false;
                flush.flushing = true;
            }
            // A failure is kept in `failed` and reported to every waiter.
            let _ = self.flush_once();
        }
    }

    pub(crate) fn stop_thread(&self) {
        self.flush.lock().stop = true;
        self.thread_signal.notify_all();
    }
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
