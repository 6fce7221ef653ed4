//! The free space in the control intervals of the data set, and the placement of items.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Size of a control interval, from the supplied definition of the data set.
pub const INTERVAL_BYTES: u32 = 4096;
/// Bytes used by VSAM at the end of an interval with one record.
const VSAM_CONTROL_BYTES: u32 = 7;
/// Of an interval not longer than 16 KB.
pub const SEGMENT_BYTES: u32 = 64;
pub const SEGMENTS: u8 = ((INTERVAL_BYTES - VSAM_CONTROL_BYTES) / SEGMENT_BYTES) as u8;
pub const BYTES_AVAILABLE: u32 = SEGMENTS as u32 * SEGMENT_BYTES;
const HEADER_BYTES: usize = 36;
/// The most an interval holds of an item.
const ITEM_BYTES_MAX: usize = BYTES_AVAILABLE as usize - HEADER_BYTES;

/// Where an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    One {
        interval: u32,
        segments: u8,
    },
    /// Whole intervals, and the last with so many segments.
    Several {
        intervals: Box<[u32]>,
        last_segments: u8,
    },
}

impl Place {
    pub fn intervals(&self) -> &[u32] {
        match self {
            Place::One { interval, .. } => std::slice::from_ref(interval),
            Place::Several { intervals, .. } => intervals,
        }
    }

    pub fn is_long(&self) -> bool {
        matches!(self, Place::Several { .. })
    }

    /// Whether an item of that length takes as many segments of one interval.
    pub fn is_as_long(&self, length: usize) -> bool {
        matches!(self, Place::One { segments, .. } if length <= ITEM_BYTES_MAX && *segments == segments_of(length))
    }
}

fn segments_of(length: usize) -> u8 {
    (length + HEADER_BYTES).div_ceil(SEGMENT_BYTES as usize) as u8
}

#[derive(Clone, Copy, Default)]
struct Interval {
    used: u8,
    /// Behind the last item.
    tail: u8,
    /// It was empty, and its new contents have not yet been read into a buffer.
    new: bool,
}

#[derive(Default)]
pub struct Intervals {
    all: Vec<Interval>,
    /// The interval written last.
    current: Option<u32>,
    /// The others with room: the most, and of these the first, at the end.
    room: BTreeSet<(u8, Reverse<u32>)>,
    in_use: u64,
    pub format_writes: u64,
    pub compressions: u64,
}

impl Intervals {
    pub fn in_use(&self) -> u64 {
        self.in_use
    }

    pub fn formatted(&self) -> u64 {
        self.all.len() as u64
    }

    pub fn is_new(&self, interval: u32) -> bool {
        self.all[interval as usize].new
    }

    /// It is in a buffer.
    pub fn written(&mut self, interval: u32) {
        self.all[interval as usize].new = false;
    }

    fn free_segments(&self, interval: u32) -> u8 {
        SEGMENTS - self.all[interval as usize].used
    }

    pub fn place(&mut self, length: usize) -> Place {
        if length <= ITEM_BYTES_MAX {
            let segments = segments_of(length);
            return Place::One { interval: self.put(segments), segments };
        }
        let rest = length % ITEM_BYTES_MAX;
        let mut intervals: Vec<u32> = (0..length / ITEM_BYTES_MAX).map(|_| self.put(SEGMENTS)).collect();
        let last_segments = if rest == 0 { SEGMENTS } else { segments_of(rest) };
        if rest > 0 {
            intervals.push(self.put(last_segments));
        }
        Place::Several { intervals: intervals.into(), last_segments }
    }

    fn put(&mut self, segments: u8) -> u32 {
        let at = match self.current {
            Some(current) if self.free_segments(current) >= segments => current,
            _ => self.next(segments),
        };
        let interval = &mut self.all[at as usize];
        if interval.used == 0 {
            *interval = Interval { new: true, ..Interval::default() };
            self.in_use += 1;
        }
        if interval.tail + segments > SEGMENTS {
            interval.tail = interval.used;
            self.compressions += 1;
        }
        interval.used += segments;
        interval.tail += segments;
        at
    }

    /// Makes another interval the one written last.
    fn next(&mut self, segments: u8) -> u32 {
        let roomy = self.room.last().copied().filter(|(free, _)| *free >= segments);
        if let Some(left) = self.current
            && self.free_segments(left) > 0
        {
            self.room.insert((self.free_segments(left), Reverse(left)));
        }
        let next = match roomy {
            Some(entry) => {
                self.room.remove(&entry);
                entry.1.0
            }
            None => {
                self.all.push(Interval::default());
                self.format_writes += 1;
                self.all.len() as u32 - 1
            }
        };
        self.current = Some(next);
        next
    }

    /// Frees the place of an item; answers the intervals that are empty now.
    pub fn free(&mut self, place: &Place) -> Vec<u32> {
        let mut emptied = Vec::new();
        let intervals = place.intervals();
        for (at, interval) in intervals.iter().enumerate() {
            let segments = match place {
                Place::One { segments, .. } => *segments,
                Place::Several { last_segments, .. } if at + 1 == intervals.len() => *last_segments,
                Place::Several { .. } => SEGMENTS,
            };
            let before = self.free_segments(*interval);
            let state = &mut self.all[*interval as usize];
            state.used -= segments;
            if state.used == 0 {
                *state = Interval::default();
                self.in_use -= 1;
                emptied.push(*interval);
            }
            if self.current != Some(*interval) {
                self.room.remove(&(before, Reverse(*interval)));
                self.room.insert((self.free_segments(*interval), Reverse(*interval)));
            }
        }
        emptied
    }
}
