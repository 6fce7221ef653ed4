//! Entries with what only their place among the others gives them: the sequence number and the time since the entry before.

use kernel::trace::Entry;

/// An entry in its place.
#[derive(Clone, Debug)]
pub struct Numbered {
    pub entry: Entry,
    /// From 1.
    pub number: u64,
    /// Since the entry before; the first has none.
    pub interval_ns: u64,
}

/// Numbers entries as they come.
#[derive(Default)]
pub struct Numbers {
    last: Option<(u64, u64)>,
}

impl Numbers {
    pub fn next(&mut self, entry: Entry) -> Numbered {
        let (number, before) = self.last.unwrap_or((0, entry.unix_ns));
        self.last = Some((number + 1, entry.unix_ns));
        Numbered { number: number + 1, interval_ns: entry.unix_ns.saturating_sub(before), entry }
    }
}
