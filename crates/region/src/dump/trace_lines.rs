//! Trace entries of a dump: shown abbreviated, one line for each, or in full, as `regent trace` shows them.

use crate::clock::utc_offset_seconds;
use ::trace::numbered::{Numbered, Numbers};
use ::trace::print::{INTERVAL_NS_DEFAULT, Printer};
use ::trace::select::Form;
use codepage::CodePage;
use kernel::trace::Entry;

/// The entries of one piece of a dump, numbered after those before.
pub fn numbered(entries: &[u8], numbers: &mut Numbers) -> Vec<Numbered> {
    Entry::all(entries).into_iter().map(|entry| numbers.next(entry)).collect()
}

/// The lines of the entries in a form.
pub fn lines(entries: &[Numbered], form: Form, page: &'static CodePage) -> Vec<String> {
    let seconds = entries.first().map_or(0, |numbered| (numbered.entry.unix_ns / 1_000_000_000) as i64);
    let printer = Printer { form, page, offset_seconds: utc_offset_seconds(seconds), interval_ns: INTERVAL_NS_DEFAULT };
    entries.iter().flat_map(|numbered| printer.text(numbered).lines().map(str::to_string).collect::<Vec<_>>()).collect()
}
