//! Tests: which thread flushes the log and which are woken; where records lie in segments.

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

/// A waiter that is suspended and never flushes by itself, like a task of a region.
struct Suspended(ThreadWaiter, Flusher);

impl Waiter for Suspended {
    fn flusher(&self) -> Flusher {
        self.1
    }

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
    // Another thread flushes earlier records, and another task waits for the same LSN.
    {
        let mut flush = log.flush.lock();
        flush.flushing = true;
        flush.waiters.push(Pending { lsn, waker: other.waker(), may_block: false });
    }
    let step = |number| match number {
        // The flush ends before this LSN: the waiter is removed and woken to flush, but another thread is already flushing.
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
    // The disk works again. Another task that had checked the log before the failure appends and flushes now.
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
        // The next record follows the header of the next segment; the remaining room is filled.
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
    // The next segment does not exist yet; it exists and is empty; it has a record. The segment with the cut is kept.
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
    // The region dies here: the log ends after its first record.
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
                    log.force(lsn, &Suspended(ThreadWaiter::new(), Flusher::LogThread)).unwrap();
                    assert!(log.durable() >= lsn);
                })
            })
            .collect();
        testing::eventually("all tasks wait", || log.flush.lock().waiters.len() == TASKS);
        let thread = scope.spawn(|| log.run_thread());
        tasks.into_iter().for_each(|task| task.join().unwrap());
        log.stop_thread();
        thread.join().unwrap();
    });
    assert_eq!(log.syncs.load(Ordering::SeqCst), 1);
}

/// Runs `act` when a task waits that left the flush to its dispatcher; it must end with the record on disk.
fn with_offer(act: impl FnOnce(&Log, Lsn)) {
    let directory = tempfile::tempdir().unwrap();
    let log = new_log(directory.path());
    std::thread::scope(|scope| {
        let lsn = append(&log);
        let log = &log;
        let task = scope.spawn(move || log.force(lsn, &Suspended(ThreadWaiter::new(), Flusher::Dispatcher)));
        testing::eventually("a flush is offered", || log.is_flush_offered());
        assert!(!log.flush.lock().thread_wanted, "the log's thread is woken in vain");
        act(log, lsn);
        task.join().unwrap().unwrap();
        assert!(log.durable() >= lsn && !log.is_flush_offered());
    });
}

#[test]
fn a_thread_of_the_dispatcher_does_the_flush_offered_to_it() {
    with_offer(|log, lsn| {
        let woken = log.flush_offered();
        assert_eq!((woken.len(), log.durable()), (1, lsn));
        assert!(log.flush_offered().is_empty(), "an offer is taken once");
        woken.into_iter().for_each(Waker::wake);
    });
}

#[test]
fn the_thread_of_the_log_does_the_flush_that_the_dispatcher_leaves() {
    with_offer(|log, _| {
        log.leave_offered();
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| log.run_thread());
            testing::eventually("the log's thread syncs", || log.syncs.load(Ordering::SeqCst) > 0);
            log.stop_thread();
            thread.join().unwrap();
        });
    });
}

#[test]
fn later_waiters_are_served_by_another_dispatcher_flush() {
    with_offer(|log, _| {
        log.flush.lock().flushing = true;
        assert!(log.flush_offered().is_empty(), "somebody flushes already");
        // What it wrote does not contain the record.
        assert!(log.end_flush(FlushEnd::Done, Flusher::Dispatcher).is_empty());
        assert!(log.is_flush_offered());
        log.flush_offered().into_iter().for_each(Waker::wake);
    });
}
