//! The buffers of the data set: which control intervals they hold, and when these are written and read.

/// Not in a buffer; a buffer without an interval.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot {
    interval: u32,
    changed: bool,
    /// Used since the search for a free buffer last passed it.
    used: bool,
    /// Requests whose input or output goes on.
    held: u32,
}

const EMPTY: Slot = Slot { interval: NONE, changed: false, used: false, held: 0 };

/// The buffers for output or for input: a part of all.
struct Half {
    first: usize,
    count: usize,
    hand: usize,
}

pub struct Buffers {
    slots: Vec<Slot>,
    /// The buffer of each interval.
    places: Vec<u32>,
    output: Half,
    input: Half,
    pub writes: u64,
    pub forced_writes: u64,
    pub reads: u64,
    pub accesses: u64,
    /// Buffers with an interval.
    pub filled: u32,
    pub filled_peak: u32,
    pub waits: u64,
    pub waiting: u32,
    pub waiting_peak: u32,
    /// The present request met a buffer that another holds.
    met_held: bool,
}

impl Buffers {
    /// Half for output, half for input; of an odd number output has one more.
    pub fn new(count: u32) -> Buffers {
        let count = count.max(2) as usize;
        Buffers::divided(count, count.div_ceil(2))
    }

    /// All for both.
    pub fn undivided(count: u32) -> Buffers {
        let count = count.max(1) as usize;
        Buffers::divided(count, count)
    }

    fn divided(count: usize, output: usize) -> Buffers {
        Buffers {
            slots: vec![EMPTY; count],
            places: Vec::new(),
            output: Half { first: 0, count: output, hand: 0 },
            input: Half { first: output, count: count - output, hand: 0 },
            writes: 0,
            forced_writes: 0,
            reads: 0,
            accesses: 0,
            filled: 0,
            filled_peak: 0,
            waits: 0,
            waiting: 0,
            waiting_peak: 0,
            met_held: false,
        }
    }

    pub fn count(&self) -> u32 {
        self.slots.len() as u32
    }

    fn slot_of(&self, interval: u32) -> Option<usize> {
        self.places.get(interval as usize).copied().filter(|slot| *slot != NONE).map(|slot| slot as usize)
    }

    fn use_slot(&mut self, slot: usize) {
        if self.slots[slot].held > 0 {
            self.waits += 1;
            self.met_held = true;
        }
        self.slots[slot].used = true;
    }

    /// Reads an interval into a buffer of one half; true if another had to be written for it.
    fn bring(&mut self, interval: u32, output: bool) -> bool {
        let half = if output || self.input.count == 0 { &mut self.output } else { &mut self.input };
        let slots = &mut self.slots[half.first..half.first + half.count];
        // After two rounds every buffer is in use: the request waits for one of them.
        for _ in 0..2 * slots.len() {
            let slot = &mut slots[half.hand];
            if slot.interval == NONE || !(std::mem::replace(&mut slot.used, false) || slot.held > 0) {
                break;
            }
            half.hand = (half.hand + 1) % slots.len();
        }
        let slot = &mut slots[half.hand];
        let (old, index) = (*slot, half.first + half.hand);
        *slot = Slot { interval, used: true, ..EMPTY };
        half.hand = (half.hand + 1) % half.count;
        if old.held > 0 {
            self.waits += 1;
            self.met_held = true;
        }
        match old.interval {
            NONE => self.filled += 1,
            old => self.places[old as usize] = NONE,
        }
        self.filled_peak = self.filled_peak.max(self.filled);
        if self.places.len() <= interval as usize {
            self.places.resize(interval as usize + 1, NONE);
        }
        self.places[interval as usize] = index as u32;
        self.writes += u64::from(old.changed);
        old.changed
    }

    /// An interval is changed; an empty one need not be read. True if this needed input or output.
    pub fn write(&mut self, interval: u32, empty: bool) -> bool {
        let mut transferred = false;
        self.accesses += 1;
        match self.slot_of(interval) {
            Some(slot) if slot < self.input.first => self.use_slot(slot),
            Some(slot) => {
                self.use_slot(slot);
                self.slots[slot] = EMPTY;
                self.filled -= 1;
                transferred = self.bring(interval, true);
            }
            None => {
                transferred = self.bring(interval, true) | !empty;
                self.reads += u64::from(!empty);
            }
        }
        if let Some(slot) = self.slot_of(interval) {
            self.slots[slot].changed = true;
        }
        transferred
    }

    /// An item of an interval is read. True if the interval was.
    pub fn read(&mut self, interval: u32) -> bool {
        self.accesses += 1;
        if let Some(slot) = self.slot_of(interval) {
            self.use_slot(slot);
            return false;
        }
        self.bring(interval, false);
        self.reads += 1;
        true
    }

    /// At a syncpoint: a changed interval is written.
    pub fn force(&mut self, interval: u32) {
        if let Some(slot) = self.slot_of(interval)
            && std::mem::replace(&mut self.slots[slot].changed, false)
        {
            self.writes += 1;
            self.forced_writes += 1;
        }
    }

    /// The interval is now empty.
    pub fn drop_interval(&mut self, interval: u32) {
        if let Some(slot) = self.slot_of(interval) {
            self.slots[slot] = EMPTY;
            self.filled -= 1;
            self.places[interval as usize] = NONE;
        }
    }

    /// The request has ended; returns whether it had to wait for a buffer.
    pub fn take_met_held(&mut self) -> bool {
        std::mem::take(&mut self.met_held)
    }

    /// The peaks are the present values.
    pub fn begin_peaks(&mut self) {
        (self.filled_peak, self.waiting_peak) = (self.filled, self.waiting);
    }

    /// Input or output for an interval begins.
    pub fn hold(&mut self, interval: u32, waited: bool) {
        if let Some(slot) = self.slot_of(interval) {
            self.slots[slot].held += 1;
        }
        self.waiting += u32::from(waited);
        self.waiting_peak = self.waiting_peak.max(self.waiting);
    }

    pub fn let_go(&mut self, interval: u32, waited: bool) {
        self.waiting -= u32::from(waited);
        if let Some(slot) = self.slot_of(interval) {
            self.slots[slot].held = self.slots[slot].held.saturating_sub(1);
        }
    }
}
