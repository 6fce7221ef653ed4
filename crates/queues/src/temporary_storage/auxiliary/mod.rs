//! A model of the control intervals of auxiliary temporary storage (DFHTEMP) and their buffers.
//!
//! Items are in the store. The reads and writes that CICS would have made to the data set are tracked by control interval, so that
//! statistics show them. `intervals` knows the free space in each interval, `queue_buffers` the buffered intervals; this module connects
//! both with the queues.
//!
//! Rules ("Control interval size for auxiliary temporary storage", "Temporary storage: Global statistics"): an item has a header of 36
//! bytes and takes whole segments of 64; an item too long for one interval takes several. Half of the buffers are for output, half for
//! input. A changed buffer is written when another interval needs it, and at the syncpoint if the change is recoverable; an interval that
//! is not in a buffer is read when one of its items is read. A new interval is formatted only if no other has room. An item goes into the
//! interval written last if that has room, else into the one with the most room; if the free space is not contiguous, the interval is
//! compressed first.
//!
//! Invariants: the model holds no items, and no request waits for it; the space in use of an interval is the sum of the items placed in it.

mod intervals;

use crate::queue_buffers::{self, Buffers, Modelled, Strings};
use intervals::{Intervals, Place};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use vsam::store::{Account, Tally};

const PLACE_BYTES: usize = 56;

pub use intervals::{BYTES_AVAILABLE, INTERVAL_BYTES, SEGMENT_BYTES, SEGMENTS};

/// Everything counted since the start; peaks since the interval began.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct AuxiliaryStatistics {
    pub buffers: u32,
    pub strings: u32,
    /// Items that did not fit into an interval.
    pub long_writes: u64,
    pub intervals: u64,
    pub intervals_in_use: u64,
    pub intervals_in_use_peak: u64,
    pub format_writes: u64,
    pub compressions: u64,
    pub buffer_writes: u64,
    pub forced_writes: u64,
    pub buffer_reads: u64,
    pub buffer_waits: u64,
    pub buffer_waiting: u32,
    pub buffer_waiting_peak: u32,
    pub strings_in_use_peak: u32,
    pub string_waits: u64,
    pub string_waiting: u32,
    pub string_waiting_peak: u32,
}

/// A change of a recoverable queue that its unit of work may still back out.
pub enum Change {
    /// An item was added, possibly replacing another.
    Put { queue: u64, item: u16, before: Option<Place> },
    /// The queue is to be deleted.
    Delete { queue: u64 },
}

pub struct Model {
    intervals: Intervals,
    buffers: Buffers,
    queues: FxHashMap<u64, Vec<Option<Place>>>,
    /// Items of each queue put by units of work that have not yet ended.
    uncommitted: FxHashMap<u64, usize>,
    long_writes: u64,
    intervals_in_use_peak: u64,
    strings: Strings,
    /// The memory of the places.
    tally: Tally,
    account: &'static Account,
}

/// Memory of the place of an item, with its share of the interval.
fn bytes_of(place: &Place) -> u64 {
    (PLACE_BYTES + size_of_val(place.intervals())) as u64
}

pub struct Auxiliary(Mutex<Model>);

/// What a request holds while the store works for it.
pub type Transfer<'a> = queue_buffers::Transfer<'a, Model>;

impl Modelled for Model {
    fn parts(&mut self) -> (&mut Buffers, &mut Strings) {
        (&mut self.buffers, &mut self.strings)
    }
}

impl Model {
    /// An interval is needed for output, or for input; returns whether that needed a read or write.
    fn touch(&mut self, interval: u32, output: bool) -> bool {
        if output { self.buffers.write(interval, self.intervals.is_new(interval)) } else { self.buffers.read(interval) }
    }

    /// Places an item in intervals; returns its place, and the last interval that needed input or output.
    fn place(&mut self, length: usize) -> (Place, Option<u32>) {
        let formatted = self.intervals.formatted();
        let place = self.intervals.place(length);
        self.tally.change(self.account, bytes_of(&place), 0);
        self.long_writes += u64::from(place.is_long());
        let mut transferred = None;
        for interval in place.intervals() {
            if self.touch(*interval, true) || u64::from(*interval) >= formatted {
                transferred = Some(*interval);
            }
            self.intervals.written(*interval);
        }
        self.intervals_in_use_peak = self.intervals_in_use_peak.max(self.intervals.in_use());
        (place, transferred)
    }

    fn free(&mut self, place: &Place) {
        self.tally.change(self.account, 0, bytes_of(place));
        for emptied in self.intervals.free(place) {
            // Nothing in it is worth a write.
            self.buffers.drop_interval(emptied);
        }
    }

    fn delete(&mut self, queue: u64) {
        for place in self.queues.remove(&queue).into_iter().flatten().flatten() {
            self.free(&place);
        }
    }

    /// The unit of work that put an item has ended.
    fn is_decided(&mut self, queue: u64) {
        if let Some(items) = self.uncommitted.get_mut(&queue) {
            *items -= 1;
            if *items == 0 {
                self.uncommitted.remove(&queue);
            }
        }
    }

    fn slot(&mut self, queue: u64, item: u16) -> &mut Option<Place> {
        let items = self.queues.entry(queue).or_default();
        let at = usize::from(item).saturating_sub(1);
        if items.len() <= at {
            items.resize(at + 1, None);
        }
        &mut items[at]
    }
}

impl Auxiliary {
    /// The memory of the model counts in the account.
    pub fn new(buffers: u32, strings: u32, account: &'static Account) -> Auxiliary {
        Auxiliary(Mutex::new(Model {
            intervals: Intervals::default(),
            buffers: Buffers::new(buffers),
            queues: FxHashMap::default(),
            uncommitted: FxHashMap::default(),
            long_writes: 0,
            intervals_in_use_peak: 0,
            strings: Strings::new(strings),
            tally: Tally::default(),
            account,
        }))
    }

    /// Writes an item. The returned transfer is held while the store writes it.
    pub fn put(&self, queue: u64, item: u16, length: usize) -> Option<Transfer<'_>> {
        let mut model = self.0.lock();
        let before = model.slot(queue, item).take();
        let (place, transferred) = match before {
            Some(place) if place.is_as_long(length) => {
                let interval = place.intervals()[0];
                let transferred = model.touch(interval, true).then_some(interval);
                (place, transferred)
            }
            before => {
                before.iter().for_each(|place| model.free(place));
                model.place(length)
            }
        };
        *model.slot(queue, item) = Some(place);
        Transfer::begin(&self.0, &mut model, transferred)
    }

    /// Writes an item of a recoverable queue: the replaced item stays until the syncpoint.
    pub fn put_recoverable(&self, queue: u64, item: u16, length: usize) -> (Change, Option<Transfer<'_>>) {
        let mut model = self.0.lock();
        let (place, transferred) = model.place(length);
        let before = model.slot(queue, item).replace(place);
        *model.uncommitted.entry(queue).or_default() += 1;
        (Change::Put { queue, item, before }, Transfer::begin(&self.0, &mut model, transferred))
    }

    /// An item is read.
    pub fn get(&self, queue: u64, item: u16) -> Option<Transfer<'_>> {
        let mut guard = self.0.lock();
        let model = &mut *guard;
        let place = model.queues.get(&queue)?.get(usize::from(item).checked_sub(1)?)?.clone()?;
        let mut transferred = None;
        for interval in place.intervals() {
            if model.touch(*interval, false) {
                transferred = Some(*interval);
            }
        }
        Transfer::begin(&self.0, &mut guard, transferred)
    }

    pub fn delete(&self, queue: u64) {
        self.0.lock().delete(queue);
    }

    /// A unit of work has ended: if it commits, the intervals it has changed are written.
    pub fn ended(&self, changes: Vec<Change>, committed: bool) {
        let mut model = self.0.lock();
        let mut changed: Vec<u32> = Vec::new();
        for change in changes.into_iter().rev() {
            if let Change::Put { queue, .. } = &change {
                model.is_decided(*queue);
            }
            match change {
                Change::Put { queue, item, before } if committed => {
                    let place = model.queues.get(&queue).and_then(|items| items.get(usize::from(item) - 1)?.as_ref());
                    changed.extend(place.iter().flat_map(|place| place.intervals().iter().copied()));
                    before.iter().for_each(|place| model.free(place));
                }
                Change::Put { queue, item, before } => {
                    let place = std::mem::replace(model.slot(queue, item), before);
                    place.iter().for_each(|place| model.free(place));
                }
                Change::Delete { queue } if committed => model.delete(queue),
                Change::Delete { .. } => {}
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed.into_iter().for_each(|interval| model.buffers.force(interval));
    }

    /// An item found after a restart, or added without a task: its intervals are on the data set.
    pub fn found(&self, queue: u64, item: u16, length: usize) {
        let mut model = self.0.lock();
        if model.slot(queue, item).is_none() {
            let intervals = &mut model.intervals;
            let (format_writes, compressions) = (intervals.format_writes, intervals.compressions);
            let place = intervals.place(length);
            place.intervals().iter().for_each(|interval| intervals.written(*interval));
            (intervals.format_writes, intervals.compressions) = (format_writes, compressions);
            let account = model.account;
            model.tally.change(account, bytes_of(&place), 0);
            *model.slot(queue, item) = Some(place);
            model.intervals_in_use_peak = model.intervals_in_use_peak.max(model.intervals.in_use());
        }
    }

    /// The queues with items of open units of work.
    pub fn uncommitted(&self) -> FxHashSet<u64> {
        self.0.lock().uncommitted.keys().copied().collect()
    }

    /// Drops the queues that are not there any more, other than those of open units of work.
    pub fn retain(&self, is_there: impl Fn(u64) -> bool) {
        let mut model = self.0.lock();
        let gone: Vec<u64> =
            model.queues.keys().copied().filter(|queue| !is_there(*queue) && !model.uncommitted.contains_key(queue)).collect();
        gone.into_iter().for_each(|queue| model.delete(queue));
    }

    pub fn statistics(&self, peaks: kernel::Peaks) -> AuxiliaryStatistics {
        let mut model = self.0.lock();
        let in_use = model.intervals.in_use();
        let (buffers, strings) = (&model.buffers, &model.strings);
        let statistics = AuxiliaryStatistics {
            buffers: buffers.count(),
            strings: strings.limit(),
            long_writes: model.long_writes,
            intervals: model.intervals.formatted(),
            intervals_in_use: in_use,
            intervals_in_use_peak: model.intervals_in_use_peak,
            format_writes: model.intervals.format_writes,
            compressions: model.intervals.compressions,
            buffer_writes: buffers.writes,
            forced_writes: buffers.forced_writes,
            buffer_reads: buffers.reads,
            buffer_waits: buffers.waits,
            buffer_waiting: buffers.waiting,
            buffer_waiting_peak: buffers.waiting_peak,
            strings_in_use_peak: strings.in_use_peak,
            string_waits: strings.waits,
            string_waiting: strings.waiting(),
            string_waiting_peak: strings.waiting_peak,
        };
        if peaks == kernel::Peaks::Begin {
            model.intervals_in_use_peak = in_use;
            model.strings.begin_peaks();
            model.buffers.begin_peaks();
        }
        statistics
    }
}

#[cfg(test)]
mod tests;
