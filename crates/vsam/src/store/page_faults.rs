//! What a utility says when the pages cannot be read where they are mapped.
//!
//! The pages are memory: a page behind the end of a file that was cut short is SIGBUS, and an index that was overwritten can lead anywhere.
//! LMDB has no checksum of its own that would find it before. A program that does nothing but look after data asks for a message instead of
//! a bare signal; a region does not, its signals are those of its programs. Invariant: the handlers allocate nothing and take no lock, and
//! end the process.

#![allow(unsafe_code)]

use std::path::Path;
use std::sync::OnceLock;

/// Exit code: the severest condition code of the utilities.
const EXIT_CODE: i32 = 16;
const SIGNALS: [i32; 2] = [libc::SIGBUS, libc::SIGSEGV];

/// The whole message, made before it is needed.
static MESSAGE: OnceLock<Vec<u8>> = OnceLock::new();

/// From now on a fault ends the process with a message that names the page file of the data directory.
pub fn tell_of_page_faults(data_directory: &Path) {
    let pages = data_directory.join("pages").join("data.mdb");
    let message = format!("regent: {} is damaged: it is cut short, or its pages do not lead to each other. Restore the data directory\n", pages.display());
    if MESSAGE.set(message.into_bytes()).is_err() {
        return;
    }
    for signal in SIGNALS {
        // Safety: `tell` is async-signal-safe: it calls write and _exit only, and reads what is never written again.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = tell as extern "C" fn(i32) as usize;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

extern "C" fn tell(_signal: i32) {
    let message = MESSAGE.get().map_or(&[][..], Vec::as_slice);
    // Safety: the message is valid memory of this length; `_exit` runs nothing of this process.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(EXIT_CODE);
    }
}
