//! The message of a utility when the mapped pages cannot be read.
//!
//! The pages are mapped memory. Reading a page beyond the end of a truncated file raises SIGBUS, and an overwritten index can lead to any
//! address; LMDB has no checksum that would detect it first. The opener of a store asks for a message instead of a bare SIGBUS. A utility
//! that only processes data treats every wild access as damage; a region cannot, because its programs make wild accesses of their own.
//! Invariant: the handlers allocate nothing, take no lock, and end the process.
//!
//! `unsafe` here installs a handler and writes to standard error from it, with calls that are safe in a handler. `regent/tests/vsam.rs`
//! cuts a page file short to see it.

#![allow(unsafe_code)]

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Exit code: the severest condition code of the utilities.
const EXIT_CODE: i32 = 16;

/// The messages, prepared in advance: one for the pages, and one for other mapped files, for which a full device has no room.
static MESSAGES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
/// Start and end of the mapped pages.
static PAGES: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Notes where this page file is mapped, if messages were requested.
pub(super) fn pages_are_mapped(file: &Path) {
    if MESSAGES.get().is_none() {
        return;
    }
    let Some(addresses) = addresses_of(file) else { return };
    for (bound, address) in PAGES.iter().zip([addresses.start, addresses.end]) {
        bound.store(address, Ordering::Relaxed);
    }
}

/// Where a file is mapped.
pub(super) fn addresses_of(file: &Path) -> Option<Range<usize>> {
    let (maps, file) = (std::fs::read_to_string("/proc/self/maps").ok()?, file.canonicalize().ok()?);
    let line = maps.lines().find(|line| line.ends_with(&*file.to_string_lossy()))?;
    let (start, end) = line.split_once(' ')?.0.split_once('-')?;
    Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
}

/// From now on a missing page ends the process with a message that names the page file of the data directory.
pub fn tell_of_missing_pages(data_directory: &Path) {
    tell_of(libc::SIGBUS, data_directory);
}

/// Does the same for every wild access: in a program that runs no application code, overwritten pages caused it.
pub fn tell_of_wild_accesses(data_directory: &Path) {
    tell_of(libc::SIGSEGV, data_directory);
}

fn tell_of(signal: i32, data_directory: &Path) {
    MESSAGES.get_or_init(|| {
        let pages = data_directory.join("pages").join("data.mdb");
        let damaged = "is damaged: it is cut short, or its pages do not lead to each other. Restore the data directory";
        let full = "a file of it has no room in memory or on the device";
        [format!("regent: {} {damaged}\n", pages.display()), format!("regent: {}: {full}\n", data_directory.display())]
            .map(String::into_bytes)
    });
    // Safety: `tell` is async-signal-safe: it calls only write and _exit, and reads only data that is never written again.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = tell as extern "C" fn(i32, *const libc::siginfo_t, *mut libc::c_void) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
        libc::sigaction(signal, &action, std::ptr::null_mut());
    }
}

extern "C" fn tell(signal: i32, info: *const libc::siginfo_t, _context: *mut libc::c_void) {
    // Safety: the system passes the information of the signal.
    let address = unsafe { (*info).si_addr() } as usize;
    let [start, end] = [&PAGES[0], &PAGES[1]].map(|bound| bound.load(Ordering::Relaxed));
    let is_of_pages = signal == libc::SIGSEGV || (start..end).contains(&address);
    let message = MESSAGES.get().map_or(&[][..], |messages| &messages[usize::from(!is_of_pages)]);
    // Safety: the message is valid memory of this length; `_exit` runs nothing of this process.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(EXIT_CODE);
    }
}
