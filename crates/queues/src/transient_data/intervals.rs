//! A model of the control intervals of the intrapartition data set (DFHINTRA) and their buffers, like that of auxiliary temporary storage.
//!
//! Rules: an interval has records of one queue, in order, each preceded by four bytes; it is free again when all are read; a new one is
//! formatted only if none is free. A changed buffer is written when another interval needs it, after each request on a physically
//! recoverable queue, and at the syncpoint of a logically recoverable one. A record longer than an interval counts as a whole interval.
//!
//! Invariant: `records` of a queue has the interval of each existing record, in order, with the uncommitted ones of its writer at the end.

use crate::queue_buffers::{self, Buffers, Modelled, Strings};
use kernel::Peaks;
use parking_lot::Mutex;
use region::name::Name4;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use vsam::store::{Account, Tally};

/// Size of a control interval, from the supplied definition of the data set.
pub const INTERVAL_BYTES: u32 = 1536;
/// The bytes of it used by CICS and VSAM.
const CONTROL_BYTES: usize = 32;
const BYTES_AVAILABLE: usize = INTERVAL_BYTES as usize - CONTROL_BYTES;
const RECORD_HEADER_BYTES: usize = 4;
/// Memory of a record: its number in the queue, that of its interval, and its share of the interval.
const RECORD_BYTES: u64 = 28;

#[derive(Default)]
struct QueueIntervals {
    records: VecDeque<u32>,
    /// Of these, read by a unit of work that has not ended.
    read: usize,
    /// The interval written last, and the bytes used in it.
    current: Option<(u32, usize)>,
    in_use: u64,
    in_use_peak: u64,
}

pub struct Model {
    queues: FxHashMap<Name4, QueueIntervals>,
    /// Records in each interval.
    filled: Vec<u32>,
    free: BTreeSet<u32>,
    buffers: Buffers,
    strings: Strings,
    in_use_peak: u64,
    format_writes: u64,
    /// The memory of the records' entries.
    tally: Tally,
    account: &'static Account,
}

pub struct Intrapartition(Mutex<Model>);

/// Everything counted since the start; peaks since the interval began.
pub struct IntrapartitionStatistics {
    pub buffers: u32,
    pub buffers_filled: u32,
    pub buffers_filled_peak: u32,
    pub buffer_accesses: u64,
    pub buffer_waits: u64,
    pub buffer_waiting: u32,
    pub buffer_waiting_peak: u32,
    pub intervals: u64,
    pub intervals_in_use: u64,
    pub intervals_in_use_peak: u64,
    pub writes: u64,
    pub reads: u64,
    pub format_writes: u64,
    pub strings: u32,
    pub string_accesses: u64,
    pub strings_in_use: u32,
    pub strings_in_use_peak: u32,
    pub string_waits: u64,
    pub string_waiting: u32,
    pub string_waiting_peak: u32,
}

/// What a request holds while the store works for it.
pub type Transfer<'a> = queue_buffers::Transfer<'a, Model>;

impl Modelled for Model {
    fn parts(&mut self) -> (&mut Buffers, &mut Strings) {
        (&mut self.buffers, &mut self.strings)
    }
}

impl Model {
    fn in_use(&self) -> u64 {
        (self.filled.len() - self.free.len()) as u64
    }

    /// The interval for a new record of a queue, whether it was free, and whether it was formatted.
    fn place(&mut self, name: Name4, length: usize) -> (u32, bool, bool) {
        let bytes = (length + RECORD_HEADER_BYTES).min(BYTES_AVAILABLE);
        let queue = self.queues.entry(name).or_default();
        let current = queue.current.filter(|(_, used)| used + bytes <= BYTES_AVAILABLE);
        let (interval, used, formatted) = match current {
            Some((interval, used)) => (interval, used, false),
            None => match self.free.pop_first() {
                Some(free) => (free, 0, false),
                None => {
                    self.filled.push(0);
                    self.format_writes += 1;
                    (self.filled.len() as u32 - 1, 0, true)
                }
            },
        };
        self.tally.change(self.account, RECORD_BYTES, 0);
        let was_free = self.filled[interval as usize] == 0;
        self.filled[interval as usize] += 1;
        queue.records.push_back(interval);
        queue.current = Some((interval, used + bytes));
        queue.in_use += u64::from(was_free);
        queue.in_use_peak = queue.in_use_peak.max(queue.in_use);
        self.in_use_peak = self.in_use_peak.max(self.in_use());
        (interval, was_free, formatted)
    }

    /// A record is not there any more.
    fn release(&mut self, name: Name4, interval: u32) {
        self.tally.change(self.account, 0, RECORD_BYTES);
        let filled = &mut self.filled[interval as usize];
        *filled -= 1;
        if *filled > 0 {
            return;
        }
        self.buffers.drop_interval(interval);
        self.free.insert(interval);
        if let Some(queue) = self.queues.get_mut(&name) {
            queue.in_use -= 1;
            queue.current = queue.current.filter(|(current, _)| *current != interval);
        }
    }
}

impl Intrapartition {
    /// The memory of the model counts in the account.
    pub fn new(buffers: u32, strings: u32, account: &'static Account) -> Intrapartition {
        Intrapartition(Mutex::new(Model {
            queues: FxHashMap::default(),
            filled: Vec::new(),
            free: BTreeSet::new(),
            buffers: Buffers::undivided(buffers),
            strings: Strings::new(strings),
            in_use_peak: 0,
            format_writes: 0,
            tally: Tally::default(),
            account,
        }))
    }

    /// Writes a record; immediately, if the queue is physically recoverable. The returned transfer is held while the store writes it.
    pub fn write(&self, queue: Name4, length: usize, at_once: bool) -> Option<Transfer<'_>> {
        let mut model = self.0.lock();
        let (interval, was_free, formatted) = model.place(queue, length);
        let transferred = model.buffers.write(interval, was_free) | formatted | at_once;
        if at_once {
            model.buffers.force(interval);
        }
        Transfer::begin(&self.0, &mut model, transferred.then_some(interval))
    }

    /// The next record is read; it stays until the syncpoint if the queue is logically recoverable.
    pub fn read(&self, queue: Name4, stays: bool) -> Option<Transfer<'_>> {
        let mut model = self.0.lock();
        let state = model.queues.get_mut(&queue)?;
        let interval = *state.records.get(state.read)?;
        if stays {
            state.read += 1;
        } else {
            state.records.pop_front();
        }
        let transferred = model.buffers.read(interval);
        if !stays {
            model.release(queue, interval);
        }
        Transfer::begin(&self.0, &mut model, transferred.then_some(interval))
    }

    /// All records are gone.
    pub fn clear(&self, queue: Name4) {
        let mut model = self.0.lock();
        let Some(state) = model.queues.get_mut(&queue) else { return };
        state.read = 0;
        for interval in std::mem::take(&mut state.records) {
            model.release(queue, interval);
        }
    }

    /// A unit of work has ended that has written and read so many records of a logically recoverable queue.
    pub fn ended(&self, queue: Name4, written: usize, read: usize, committed: bool) {
        let mut guard = self.0.lock();
        let model = &mut *guard;
        let Some(state) = model.queues.get_mut(&queue) else { return };
        state.read = 0;
        let there = state.records.len();
        let gone: Vec<u32> = if committed {
            let mut changed: Vec<u32> = state.records.iter().skip(there.saturating_sub(written)).copied().collect();
            changed.dedup();
            changed.into_iter().for_each(|interval| model.buffers.force(interval));
            state.records.drain(..read.min(there)).collect()
        } else {
            state.records.drain(there.saturating_sub(written)..).collect()
        };
        gone.into_iter().for_each(|interval| model.release(queue, interval));
    }

    /// A record that a restart finds.
    pub fn found(&self, queue: Name4, length: usize) {
        let mut model = self.0.lock();
        let format_writes = model.format_writes;
        model.place(queue, length);
        model.format_writes = format_writes;
    }

    /// Control intervals of a queue, now and at most.
    pub fn of_queue(&self, queue: Name4, peaks: Peaks) -> (u64, u64) {
        let mut model = self.0.lock();
        let Some(state) = model.queues.get_mut(&queue) else { return (0, 0) };
        let most = state.in_use_peak;
        if peaks == Peaks::Begin {
            state.in_use_peak = state.in_use;
        }
        (state.in_use, most)
    }

    pub fn statistics(&self, peaks: Peaks) -> IntrapartitionStatistics {
        let mut model = self.0.lock();
        let in_use = model.in_use();
        let (buffers, strings) = (&model.buffers, &model.strings);
        let statistics = IntrapartitionStatistics {
            buffers: buffers.count(),
            buffers_filled: buffers.filled,
            buffers_filled_peak: buffers.filled_peak,
            buffer_accesses: buffers.accesses,
            buffer_waits: buffers.waits,
            buffer_waiting: buffers.waiting,
            buffer_waiting_peak: buffers.waiting_peak,
            intervals: model.filled.len() as u64,
            intervals_in_use: in_use,
            intervals_in_use_peak: model.in_use_peak,
            writes: buffers.writes,
            reads: buffers.reads,
            format_writes: model.format_writes,
            strings: strings.limit(),
            string_accesses: strings.accesses,
            strings_in_use: strings.in_use(),
            strings_in_use_peak: strings.in_use_peak,
            string_waits: strings.waits,
            string_waiting: strings.waiting(),
            string_waiting_peak: strings.waiting_peak,
        };
        if peaks == Peaks::Begin {
            model.in_use_peak = in_use;
            model.strings.begin_peaks();
            model.buffers.begin_peaks();
        }
        statistics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With its header 500 bytes: three records are in an interval of 1,504.
    const THIRD: usize = 496;

    fn counts(model: &Intrapartition) -> [u64; 5] {
        let now = model.statistics(Peaks::Keep);
        [now.intervals_in_use, now.format_writes, now.writes, now.reads, now.buffer_accesses]
    }

    #[test]
    fn records_fill_intervals_of_their_queue_and_are_read_in_order() {
        let (model, first, second) = (Intrapartition::new(2, 3, Box::leak(Box::default())), Name4::new("FRST"), Name4::new("SCND"));
        (0..4).for_each(|_| drop(model.write(first, THIRD, false)));
        // Two intervals; the third, of the other queue, takes the buffer of the first.
        drop(model.write(second, 10, false));
        assert_eq!(counts(&model), [3, 3, 1, 0, 5]);
        assert_eq!((model.of_queue(first, Peaks::Keep), model.of_queue(second, Peaks::Keep)), ((2, 2), (1, 1)));
        // It is read once for its three records, for which the second is written, and is free then.
        (0..3).for_each(|_| drop(model.read(first, false)));
        assert_eq!(counts(&model), [2, 3, 2, 1, 8]);
        drop(model.write(second, 1_504, false));
        assert_eq!(counts(&model), [3, 3, 2, 1, 9]);
        model.clear(second);
        model.clear(first);
        assert_eq!((counts(&model)[0], model.of_queue(first, Peaks::Begin), model.of_queue(first, Peaks::Keep)), (0, (0, 2), (0, 0)));
    }

    #[test]
    fn recoverable_changes_are_written_at_once_or_at_the_syncpoint() {
        let (model, physical, logical) = (Intrapartition::new(5, 3, Box::leak(Box::default())), Name4::new("PHYS"), Name4::new("LOGI"));
        (0..3).for_each(|_| drop(model.write(physical, THIRD, true)));
        assert_eq!(counts(&model)[..4], [1, 1, 3, 0]);
        (0..4).for_each(|_| drop(model.write(logical, THIRD, false)));
        assert_eq!(counts(&model)[2], 3);
        model.ended(logical, 4, 0, true);
        assert_eq!(counts(&model)[..4], [3, 3, 5, 0]);
        // Backed out: read records are restored, written ones are gone.
        drop(model.read(logical, true));
        (0..3).for_each(|_| drop(model.write(logical, THIRD, false)));
        assert_eq!(counts(&model)[0], 4);
        model.ended(logical, 3, 1, false);
        assert_eq!(counts(&model)[..4], [3, 4, 5, 0]);
        (0..3).for_each(|_| drop(model.read(logical, true)));
        model.ended(logical, 0, 3, true);
        assert_eq!(counts(&model)[0], 2);
    }
}
