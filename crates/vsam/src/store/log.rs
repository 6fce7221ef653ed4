//! The system log: append, group commit, and what is known to be on disk.
//!
//! Invariants: LSNs are assigned in append order and the log is written in that order; `durable` only grows, and only after a
//! sync of everything below it; one flusher at a time; after a failed write or sync nothing is ever acknowledged again. The
//! append lock is also the publication lock: what a unit of work changes becomes visible in LSN order under it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Waker;
use std::time::Instant;

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::StoreError;
use super::record::{HEADER_LENGTH, Header, Lsn, RecordType, padded};
use super::segment::Segments;
use crate::fault;
use crate::wait::{WaitEnd, WaitKind, WaitReason, Waiter};

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
    /// A task that may not block waits, so the log's own thread must flush.
    thread_wanted: bool,
    stop: bool,
}

/// The appended part of the log. Locked while appending and publishing.
pub(crate) struct Tail {
    chunks: Vec<Chunk>,
    spare: Vec<Vec<u8>>,
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
    closed: AtomicBool,
    failed: Mutex<Option<String>>,
    pub syncs: AtomicU64,
    /// What writing and syncing took.
    pub flush_nanoseconds: AtomicU64,
    pub records: AtomicU64,
    pub bytes: AtomicU64,
}

impl Log {
    /// Starts appending at the beginning of the segment of `start`, which exists.
    pub(crate) fn start(segments: Segments, start: Lsn) -> Log {
        Log {
            segments,
            tail: Mutex::new(Tail { chunks: Vec::new(), spare: Vec::new(), end: start }),
            flush: Mutex::new(Flush { flushing: false, waiters: Vec::new(), thread_wanted: false, stop: false }),
            thread_signal: Condvar::new(),
            durable: AtomicU64::new(start),
            closed: AtomicBool::new(false),
            failed: Mutex::new(None),
            syncs: AtomicU64::new(0),
            flush_nanoseconds: AtomicU64::new(0),
            records: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// Largest payload a record should have: several fit in a segment.
    pub(crate) fn payload_max(&self) -> usize {
        (self.segments.size() / 8) as usize
    }

    /// Longest stored record that fits a log record of its own.
    pub(crate) fn value_max(&self) -> usize {
        (self.segments.size() / 2) as usize
    }

    pub(crate) fn durable(&self) -> Lsn {
        self.durable.load(Ordering::Acquire)
    }

    /// The publication lock.
    pub(crate) fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock()
    }

    /// Stops the store: no commit is acknowledged from now on.
    pub(crate) fn fail(&self, why: String) {
        self.failed.lock().get_or_insert(why);
        self.wake_after_failure();
    }

    pub(crate) fn failure(&self) -> Option<String> {
        self.failed.lock().clone()
    }

    /// Ends the log: later appends fail. An orderly end forces what was appended before.
    pub(crate) fn close(&self, waiter: &dyn Waiter, orderly: bool) {
        let end = self.tail.lock().end;
        if orderly {
            // A failure here is already kept and reported by `failure`.
            let _ = self.force(end, waiter);
        }
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
        let size = self.segments.size();
        if tail.end.is_multiple_of(size) {
            // The record before ended with its segment.
            tail.end = self.segments.first_lsn(tail.end / size);
        }
        let segment_end = (tail.end / size + 1) * size;
        let left = (segment_end - tail.end) as usize;
        assert!(padded(length) <= (size - super::segment::SEGMENT_HEADER_LENGTH) as usize, "record larger than a segment");
        if padded(length) > left {
            if left >= HEADER_LENGTH {
                self.put_header(tail, RecordType::SegmentEnd, left as u32, 0);
            }
            tail.end = self.segments.first_lsn(segment_end / size);
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
        let may_block = waiter.may_block();
        let mut registered = false;
        while self.durable() < lsn {
            self.check()?;
            let mut flush = self.flush.lock();
            if self.durable() >= lsn {
                break;
            }
            if (may_block || flush.stop) && !flush.flushing {
                flush.flushing = true;
                drop(flush);
                self.flush_once()?;
                registered = false;
                continue;
            }
            // Another waiter may have the same LSN: the applier's cut is the end of the last commit.
            let waker = waiter.waker();
            if !registered || !flush.waiters.iter().any(|pending| pending.lsn == lsn && pending.waker.will_wake(&waker)) {
                flush.waiters.push(Pending { lsn, waker, may_block });
                registered = true;
            }
            if !may_block && !flush.flushing && !flush.thread_wanted {
                flush.thread_wanted = true;
                self.thread_signal.notify_one();
            }
            drop(flush);
            // A purge cannot take back a commit that is in the log: wait on, whatever woke us.
            let _: WaitEnd = waiter.wait(WaitReason { kind: WaitKind::LogForce, resource: "DFHLOG" }, None);
        }
        Ok(())
    }

    /// Writes and syncs everything appended so far. The caller has set `flushing`.
    fn flush_once(&self) -> Result<(), StoreError> {
        let (mut chunks, end) = {
            let mut tail = self.tail.lock();
            (std::mem::take(&mut tail.chunks), tail.end)
        };
        // Who passed the check before another's flush failed may come here after it: what that flush did not write would be taken for
        // durable with what this one writes.
        let begin = Instant::now();
        let result = self.check().and_then(|()| self.write_chunks(&chunks));
        self.flush_nanoseconds.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        let spare = chunks.pop().map(|mut chunk| {
            chunk.bytes.clear();
            chunk.bytes
        });
        if let Some(spare) = spare.filter(|spare| spare.capacity() <= 4 << 20) {
            self.tail.lock().spare.push(spare);
        }
        match &result {
            Ok(()) => self.durable.store(end, Ordering::Release),
            Err(error) => {
                tracing::error!("system log: {error}; no more work is accepted");
                self.failed.lock().get_or_insert(error.to_string());
            }
        }
        self.wake_after_flush(result.is_err());
        result
    }

    fn write_chunks(&self, chunks: &[Chunk]) -> Result<(), StoreError> {
        for (index, chunk) in chunks.iter().enumerate() {
            let number = self.segments.number_of(chunk.start);
            let file = self.segments.for_writing(number)?;
            let path = self.segments.path(number);
            let io = |error| StoreError::io(&path, error);
            let offset = chunk.start - number * self.segments.size();
            assert!(offset + chunk.bytes.len() as u64 <= self.segments.size(), "a chunk of the log leaves its segment");
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
                self.syncs.fetch_add(1, Ordering::Relaxed);
            }
            self.bytes.fetch_add(chunk.bytes.len() as u64, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Ends a flush: wakes everyone served, and the next flusher if there is more to do.
    fn wake_after_flush(&self, failed: bool) {
        let durable = self.durable();
        let mut served = Vec::new();
        {
            let mut flush = self.flush.lock();
            flush.flushing = false;
            let mut index = 0;
            while index < flush.waiters.len() {
                if failed || flush.waiters[index].lsn <= durable {
                    served.push(flush.waiters.swap_remove(index).waker);
                } else {
                    index += 1;
                }
            }
            let stop = flush.stop;
            if let Some(next) = flush.waiters.iter().position(|pending| pending.may_block || stop) {
                served.push(flush.waiters.swap_remove(next).waker);
            } else if !flush.waiters.is_empty() {
                flush.thread_wanted = true;
                self.thread_signal.notify_one();
            }
        }
        for waker in served {
            waker.wake();
        }
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
                    // Whoever flushes now signals again if waiters remain.
                    flush.thread_wanted = false;
                    self.thread_signal.wait(&mut flush);
                }
                // Nobody is left waiting for this thread when it ends; later ones flush for themselves.
                if flush.stop && (flush.waiters.is_empty() || flush.flushing) {
                    return;
                }
                flush.thread_wanted = false;
                flush.flushing = true;
            }
            // A failure is kept in `failed` and told to every waiter.
            let _ = self.flush_once();
        }
    }

    pub(crate) fn stop_thread(&self) {
        self.flush.lock().stop = true;
        self.thread_signal.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::RealDisk;
    use crate::wait::ThreadWaiter;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    const SEGMENT_BYTES: u64 = 64 * 1024;

    fn new_log(directory: &std::path::Path) -> Log {
        let segments = Segments::open(Arc::new(RealDisk), directory, SEGMENT_BYTES, 1).unwrap();
        let start = segments.first_lsn(1);
        Log::start(segments, start)
    }

    fn append(log: &Log) -> Lsn {
        let mut tail = log.tail();
        log.append(&mut tail, RecordType::Unit, b"payload", crc32fast::hash(b"payload"))
    }

    /// A waiter whose waits are steps of a test: each is a call with its number, from 1 on.
    struct Scripted<F: Fn(usize) + Send + Sync> {
        inner: ThreadWaiter,
        waits: AtomicUsize,
        step: F,
    }

    impl<F: Fn(usize) + Send + Sync> Waiter for Scripted<F> {
        fn waker(&self) -> Waker {
            self.inner.waker()
        }

        fn wait(&self, _: WaitReason<'_>, _: Option<Instant>) -> WaitEnd {
            (self.step)(self.waits.fetch_add(1, Ordering::SeqCst) + 1);
            WaitEnd::Woken
        }
    }

    /// A waiter that is suspended and never flushes by itself, as a task of a region.
    struct Suspended(ThreadWaiter);

    impl Waiter for Suspended {
        fn waker(&self) -> Waker {
            self.0.waker()
        }

        fn wait(&self, reason: WaitReason<'_>, deadline: Option<Instant>) -> WaitEnd {
            self.0.wait(reason, deadline)
        }
    }

    fn is_registered(log: &Log, waker: &Waker) -> bool {
        log.flush.lock().waiters.iter().any(|pending| pending.waker.will_wake(waker))
    }

    #[test]
    fn a_waiter_woken_too_early_waits_again_though_another_has_the_same_lsn() {
        let directory = tempfile::tempdir().unwrap();
        let log = new_log(directory.path());
        let lsn = append(&log);
        let (own, other) = (ThreadWaiter::new(), ThreadWaiter::new());
        let waker = own.waker();
        // Somebody flushes what came before, and another task waits for the same LSN.
        {
            let mut flush = log.flush.lock();
            flush.flushing = true;
            flush.waiters.push(Pending { lsn, waker: other.waker(), may_block: false });
        }
        let step = |number| match number {
            // The flush ends before this LSN: the waiter is taken out and woken to flush, but another one flushes already.
            1 => {
                assert!(is_registered(&log, &waker));
                log.flush.lock().waiters.retain(|pending| !pending.waker.will_wake(&waker));
            }
            2 => {
                assert!(is_registered(&log, &waker), "nobody would wake this waiter");
                log.durable.store(lsn, Ordering::Release);
            }
            _ => panic!("waits {number} times"),
        };
        let waiter = Scripted { inner: own, waits: AtomicUsize::new(0), step };
        log.force(lsn, &waiter).unwrap();
        assert_eq!(waiter.waits.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn nothing_is_acknowledged_after_a_flush_that_failed() {
        let directory = tempfile::tempdir().unwrap();
        let disk = crate::disk::FaultDisk::new(directory.path(), None).unwrap();
        let segments = Segments::open(Arc::new(disk.clone()), directory.path(), SEGMENT_BYTES, 1).unwrap();
        let start = segments.first_lsn(1);
        segments.for_writing(1).unwrap();
        let log = Log::start(segments, start);
        let lost = append(&log);
        disk.set_plan(Some(crate::disk::FaultPlan { at_operation: 1, kind: crate::disk::FaultKind::Failure, seed: 1 }));
        log.force(lost, &ThreadWaiter::new()).unwrap_err();
        // The disk works again. Another task had found the log good before the failure, and appends and flushes now.
        append(&log);
        log.flush.lock().flushing = true;
        log.flush_once().unwrap_err();
        assert_eq!(log.durable(), start);
        log.force(lost, &ThreadWaiter::new()).unwrap_err();
    }

    #[test]
    fn a_record_may_end_with_its_segment() {
        let directory = tempfile::tempdir().unwrap();
        let log = new_log(directory.path());
        let room = (SEGMENT_BYTES - super::super::segment::SEGMENT_HEADER_LENGTH) as usize;
        // A whole segment, one that leaves no room for a header, one that leaves room for just a header.
        for left in [0, HEADER_LENGTH - 8, HEADER_LENGTH] {
            let payload = vec![7; room - HEADER_LENGTH - left];
            let mut tail = log.tail();
            let end = log.append(&mut tail, RecordType::Unit, &payload, crc32fast::hash(&payload));
            drop(tail);
            assert_eq!(end % SEGMENT_BYTES, (SEGMENT_BYTES - left as u64) % SEGMENT_BYTES);
            log.force(append(&log), &ThreadWaiter::new()).unwrap();
            // The next record stands behind the header of the next segment; the rest of it is filled.
            let rest = vec![8; room - 2 * HEADER_LENGTH - padded(b"payload".len())];
            let mut tail = log.tail();
            log.append(&mut tail, RecordType::Unit, &rest, crc32fast::hash(&rest));
        }
        log.force(append(&log), &ThreadWaiter::new()).unwrap();
        for entry in std::fs::read_dir(directory.path()).unwrap() {
            assert_eq!(entry.unwrap().metadata().unwrap().len(), SEGMENT_BYTES);
        }
    }

    #[test]
    fn a_restart_may_begin_at_the_end_of_a_segment() {
        let directory = tempfile::tempdir().unwrap();
        let log = new_log(directory.path());
        let payload = vec![7; (SEGMENT_BYTES - super::super::segment::SEGMENT_HEADER_LENGTH) as usize - HEADER_LENGTH];
        let mut tail = log.tail();
        let cut = log.append(&mut tail, RecordType::Unit, &payload, crc32fast::hash(&payload));
        drop(tail);
        log.force(cut, &ThreadWaiter::new()).unwrap();
        assert!(cut.is_multiple_of(SEGMENT_BYTES));
        let records_from_cut = || {
            let segments = Segments::open(Arc::new(RealDisk), directory.path(), SEGMENT_BYTES, 1).unwrap();
            super::super::replay::read_log(&segments, cut, &mut |_, _, _| Ok(())).unwrap().records
        };
        // The next segment is not there yet; it is there and empty; it has a record. What holds the cut stays.
        assert_eq!(records_from_cut(), 0);
        log.segments.maintain(log.segments.number_of(cut), log.segments.number_of(cut)).unwrap();
        assert_eq!(records_from_cut(), 0);
        log.force(append(&log), &ThreadWaiter::new()).unwrap();
        assert_eq!(records_from_cut(), 1);
    }

    #[test]
    fn no_segment_is_left_out_when_appending_runs_ahead_of_writing() {
        let directory = tempfile::tempdir().unwrap();
        let log = new_log(directory.path());
        let first = append(&log);
        log.force(first, &ThreadWaiter::new()).unwrap();
        // Appended into segment 4 and not yet written when segments are prepared.
        let payload = vec![7; SEGMENT_BYTES as usize / 2];
        while log.segments.number_of(log.tail().end) < 4 {
            let mut tail = log.tail();
            log.append(&mut tail, RecordType::Unit, &payload, crc32fast::hash(&payload));
        }
        log.segments.maintain(4, 1).unwrap();
        // The region dies here: the log ends behind its first record.
        let segments = Segments::open(Arc::new(RealDisk), directory.path(), SEGMENT_BYTES, 1).unwrap();
        let end = super::super::replay::read_log(&segments, segments.first_lsn(1), &mut |_, _, _| Ok(())).unwrap();
        assert_eq!((end.records, end.lsn), (1, first));
    }

    #[test]
    fn all_that_wait_when_a_sync_begins_share_it() {
        const TASKS: usize = 16;
        let directory = tempfile::tempdir().unwrap();
        let log = new_log(directory.path());
        std::thread::scope(|scope| {
            let tasks: Vec<_> = (0..TASKS)
                .map(|_| {
                    scope.spawn(|| {
                        let lsn = append(&log);
                        log.force(lsn, &Suspended(ThreadWaiter::new())).unwrap();
                        assert!(log.durable() >= lsn);
                    })
                })
                .collect();
            while log.flush.lock().waiters.len() < TASKS {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            let thread = scope.spawn(|| log.run_thread());
            tasks.into_iter().for_each(|task| task.join().unwrap());
            log.stop_thread();
            thread.join().unwrap();
        });
        assert_eq!(log.syncs.load(Ordering::SeqCst), 1);
    }
}
