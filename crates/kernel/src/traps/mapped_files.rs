//! Files mapped into memory, and what to say when a page of one is missing, because the file was cut short or cannot be read.
//!
//! Invariant: an entry never changes once it is there, so a signal handler reads it without a lock.

use std::ops::Range;
use std::sync::OnceLock;

struct MappedFile {
    addresses: Range<usize>,
    text: String,
}

/// A process maps few files that someone else could cut short: further ones go without a message of their own.
static FILES: [OnceLock<MappedFile>; 4] = [const { OnceLock::new() }; 4];

/// From now on a missing page at these addresses ends the process with this line on standard error and exit code 16.
pub fn tell_of_missing_pages(addresses: Range<usize>, text: &str) {
    let mut file = MappedFile { addresses, text: format!("{text}\n") };
    for place in &FILES {
        match place.set(file) {
            Ok(()) => return,
            Err(refused) => file = refused,
        }
    }
}

/// The line for an address.
pub(super) fn text_of(address: usize) -> Option<&'static str> {
    FILES.iter().filter_map(OnceLock::get).find(|file| file.addresses.contains(&address)).map(|file| file.text.as_str())
}
