//! Access to program addresses on behalf of a command: a bad address is an error value, not a trap.
//!
//! Invariant that makes the `unsafe` here sound: only the routines of `access_routines`, which accept any address, touch program storage;
//! the caller's side of a copy is a slice.
//!
//! The tests below cover it, and `regent/tests/traps.rs` passes unmapped addresses to commands. Miri cannot run assembly.

use super::access_routines::{Accessed, FAULT_KEY, kernel_access_copy, kernel_access_read, kernel_access_write};
use super::thread::prepare_thread_once;

/// A program address could not be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessFault {
    pub address: usize,
    /// Refused by a storage key.
    pub protection_key: bool,
}

fn result(accessed: Accessed) -> Result<(), AccessFault> {
    if accessed.fault == 0 {
        return Ok(());
    }
    Err(AccessFault { address: accessed.address, protection_key: accessed.fault & FAULT_KEY != 0 })
}

/// Copies from program storage.
///
/// # Safety
/// `from` must not lead to memory Rust code holds references to; areas of program storage never do.
pub unsafe fn copy_in(from: usize, to: &mut [u8]) -> Result<(), AccessFault> {
    prepare_thread_once();
    result(unsafe { kernel_access_copy(to.as_mut_ptr(), from as *const u8, to.len()) })
}

/// Copies to program storage.
///
/// # Safety
/// As [`copy_in`].
pub unsafe fn copy_out(from: &[u8], to: usize) -> Result<(), AccessFault> {
    prepare_thread_once();
    result(unsafe { kernel_access_copy(to as *mut u8, from.as_ptr(), from.len()) })
}

/// Tests that every byte of the area can be read, or written, by touching each of its pages. A length of zero is accessible.
pub fn probe(address: usize, length: usize, write: bool) -> Result<(), AccessFault> {
    const PAGE_BYTES: usize = 4096;
    if length == 0 {
        return Ok(());
    }
    let last = address.checked_add(length - 1).ok_or(AccessFault { address: usize::MAX, protection_key: false })?;
    prepare_thread_once();
    let mut at = address;
    loop {
        // A write test atomically rewrites the byte it found, so it changes nothing.
        result(unsafe { if write { kernel_access_write(at) } else { kernel_access_read(at) } })?;
        match (at | (PAGE_BYTES - 1)).checked_add(1) {
            Some(next) if next <= last => at = next,
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_addresses_are_errors() {
        let mut buffer = [0u8; 8];
        let fault = unsafe { copy_in(0x10, &mut buffer) }.unwrap_err();
        assert_eq!(fault, AccessFault { address: 0x10, protection_key: false });
        assert_eq!(unsafe { copy_out(&buffer, 0x20) }.unwrap_err().address, 0x20);
        assert!(probe(0x30, 1, false).is_err());
        assert!(probe(usize::MAX, 2, false).is_err());
    }

    #[test]
    fn good_addresses_are_copied() {
        let source = Box::leak(Box::new([7u8; 16])).as_mut_ptr() as usize;
        let mut buffer = [0u8; 16];
        unsafe { copy_in(source, &mut buffer) }.unwrap();
        assert_eq!(buffer, [7; 16]);
        unsafe { copy_out(&[9; 4], source + 12) }.unwrap();
        unsafe { copy_in(source, &mut buffer) }.unwrap();
        assert_eq!(buffer[11..], [7, 9, 9, 9, 9]);
        assert!(probe(source, 16, true).is_ok());
        assert!(probe(0, 0, true).is_ok());
    }

    #[test]
    fn areas_of_every_length_are_copied_and_nothing_beside_them() {
        let source: Vec<u8> = (0..1100u32).map(|at| (at * 7 % 251) as u8).collect();
        for length in (0..80).chain([127, 128, 129, 511, 512, 513, 514, 1000]) {
            let mut target = vec![0xEE; length + 2];
            unsafe { copy_in(source.as_ptr() as usize + 3, &mut target[1..=length]) }.unwrap();
            assert_eq!(target[1..=length], source[3..3 + length]);
            assert_eq!((target[0], target[length + 1]), (0xEE, 0xEE), "{length}");
        }
    }

    #[test]
    fn an_area_at_the_end_of_a_page_is_copied_and_one_beyond_it_faults_there() {
        const PAGE: usize = 4096;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let page = unsafe { libc::mmap(std::ptr::null_mut(), 2 * PAGE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) } as usize;
        let end = page + PAGE;
        unsafe { libc::mprotect(end as *mut libc::c_void, PAGE, libc::PROT_NONE) };
        for length in (1..80).chain([500, 600]) {
            let mut buffer = vec![0; length];
            unsafe { copy_in(end - length, &mut buffer) }.unwrap();
            unsafe { copy_out(&buffer, end - length) }.unwrap();
            assert_eq!(unsafe { copy_in(end - length + 1, &mut buffer) }.unwrap_err().address, end);
            assert_eq!(unsafe { copy_out(&buffer, end - length + 1) }.unwrap_err().address, end);
        }
        unsafe { libc::munmap(page as *mut libc::c_void, 2 * PAGE) };
    }

    #[test]
    fn a_read_only_page_cannot_be_written() {
        static CONSTANT: [u8; 4096] = [1; 4096];
        let address = CONSTANT.as_ptr() as usize;
        assert!(probe(address, 4096, false).is_ok());
        assert_eq!(probe(address, 1, true).unwrap_err().address, address);
    }
}
