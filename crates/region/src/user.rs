//! The user of the process, as the operating system names it.
//!
//! Invariant of the unsafe code: the entry that getpwuid_r fills points into our buffer, which is not moved or freed while it is read.
//! `regent/tests/first_start.rs` covers it.

use std::ffi::CStr;

/// The name of the user the process runs as; `None` if the system has no entry for it.
#[allow(unsafe_code)]
pub fn name() -> Option<String> {
    /// Enough for an entry of any directory service; a longer one is not read.
    const BUFFER_BYTES: usize = 64 << 10;
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut found: *mut libc::passwd = std::ptr::null_mut();
    // SAFETY: all zero is a valid value of the structure; the buffer has the length that is given, and lives until the name is copied.
    unsafe {
        let mut entry: libc::passwd = std::mem::zeroed();
        let failed = libc::getpwuid_r(libc::geteuid(), &mut entry, buffer.as_mut_ptr(), buffer.len(), &mut found) != 0;
        if failed || found.is_null() || entry.pw_name.is_null() {
            return None;
        }
        Some(CStr::from_ptr(entry.pw_name).to_string_lossy().into_owned())
    }
}
