//! Storage of programs: every access of this crate to an address that a program gave.
//!
//! `unsafe` here copies bytes from and to such addresses, and rests on this: [`Memory`] is made only inside
//! [`kernel::guard::on_program_data`], where a fault on an address that a program can form is a trap of the program; copies go to and from
//! buffers of this crate, and no reference into program storage is made. Work under the guard owns nothing: the buffers belong to
//! its caller, and are valid at each moment at which a fault can occur. `tests/server/wild_addresses.rs` covers it.

use kernel::Departure;
use kernel::guard::on_program_data;
use program::requests::{SqlRequest, SqlVariable};

/// Access to storage of the program.
pub struct Memory(());

/// Runs work that reads or writes storage of the program. A fault is the program's. The work must not wait.
pub fn access<R>(work: impl FnOnce(&Memory) -> R) -> Result<R, Departure> {
    on_program_data(|| work(&Memory(())))
}

impl Memory {
    /// Appends bytes from storage to the buffer.
    pub fn read(&self, address: u64, length: usize, out: &mut Vec<u8>) {
        out.reserve(length);
        unsafe {
            let end = out.as_mut_ptr().add(out.len());
            copy(address as usize as *const u8, end, length);
            out.set_len(out.len() + length);
        }
    }

    pub fn array<const N: usize>(&self, address: u64) -> [u8; N] {
        let mut bytes = [0; N];
        unsafe { copy(address as usize as *const u8, bytes.as_mut_ptr(), N) };
        bytes
    }

    pub fn halfword(&self, address: u64) -> i16 {
        i16::from_be_bytes(self.array(address))
    }

    pub fn fullword(&self, address: u64) -> i32 {
        i32::from_be_bytes(self.array(address))
    }

    pub fn write(&self, address: u64, bytes: &[u8]) {
        unsafe { copy(bytes.as_ptr(), address as usize as *mut u8, bytes.len()) };
    }
}

/// The system's copy: a null address is as wild as any other, where the standard library's asserts that there is none.
unsafe fn copy(from: *const u8, to: *mut u8, length: usize) {
    libc::memcpy(to.cast(), from.cast(), length);
}

/// Copies the places of a request's variables, as many as its statement has; none if the request has another number. A C program can build a
/// request of its own, so the count is not one to reserve memory for.
pub fn places_of(request: &SqlRequest, count: usize, out: &mut Vec<SqlVariable>) -> Result<(), Departure> {
    out.clear();
    if request.variable_count as usize != count {
        return Ok(());
    }
    out.reserve(count);
    access(|_| unsafe {
        copy(request.variables.cast(), out.as_mut_ptr().cast(), count * size_of::<SqlVariable>());
        out.set_len(count);
    })
}
