//! The strings of a data set: concurrent input and output operations. No request waits for one; a request that finds none free is counted.

pub struct Strings {
    limit: u32,
    in_use: u32,
    pub in_use_peak: u32,
    pub accesses: u64,
    pub waits: u64,
    pub waiting_peak: u32,
}

impl Strings {
    pub fn new(limit: u32) -> Strings {
        Strings { limit, in_use: 0, in_use_peak: 0, accesses: 0, waits: 0, waiting_peak: 0 }
    }

    pub fn limit(&self) -> u32 {
        self.limit
    }

    pub fn in_use(&self) -> u32 {
        self.in_use.min(self.limit)
    }

    pub fn waiting(&self) -> u32 {
        self.in_use.saturating_sub(self.limit)
    }

    pub fn begin(&mut self) {
        self.in_use += 1;
        self.accesses += 1;
        self.waits += u64::from(self.waiting() > 0);
        self.waiting_peak = self.waiting_peak.max(self.waiting());
        self.in_use_peak = self.in_use_peak.max(self.in_use());
    }

    pub fn end(&mut self) {
        self.in_use -= 1;
    }

    /// The peaks are the present values.
    pub fn begin_peaks(&mut self) {
        (self.in_use_peak, self.waiting_peak) = (self.in_use(), self.waiting());
    }
}
