//! Access to the storage of programs: the only place of this crate that reads and writes addresses given by programs.
//!
//! Addresses and lengths come from compiled code and may be anything. Every access goes through the kernel's guarded copies, so a bad
//! address is a [`Fault`] for the caller to turn into an abend, never a fault of the region. No reference into program storage is ever
//! made: another task may change it at any time. The areas are program storage (below 2 GB), constants of load modules, compiled code's
//! stack, or an [`OwnedArea`] of a program of the region itself: never Rust objects. That is what makes the `unsafe` calls below sound. The
//! tests of this module run them on owned areas; `regent/tests/traps.rs` passes unmapped addresses to commands.
#![allow(unsafe_code)]

use exec::block::{Argument, Block};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// An address of the program cannot be read or written.
pub type Fault = kernel::guard::AccessFault;

/// Areas longer than this are probed before memory is allocated for their contents.
const PROBED_FIRST_BYTES: usize = 1 << 20;

/// An area given by a program: its address and the length of the data item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    pub address: usize,
    pub length: usize,
}

impl Area {
    pub const fn new(address: usize, length: usize) -> Self {
        Self { address, length }
    }

    /// The same area, no longer than `length_max`.
    pub fn truncated(self, length_max: usize) -> Self {
        Self { length: self.length.min(length_max), ..self }
    }

    /// Reads all of it. A long area is probed first: a wrong length from the program must not allocate that much memory.
    pub fn read(self) -> Result<Vec<u8>, Fault> {
        if self.length > PROBED_FIRST_BYTES {
            probe(self, false)?;
        }
        let mut bytes = vec![0; self.length];
        read(self.address, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes as much of `bytes` as the area holds.
    pub fn write(self, bytes: &[u8]) -> Result<(), Fault> {
        write(self.address, &bytes[..bytes.len().min(self.length)])
    }
}

/// An area that a program of the region passes to a command, like storage of a COBOL program. It is bare memory without references into it,
/// so a command may write it through its address while this value is borrowed or moved.
#[derive(Debug)]
pub struct OwnedArea {
    start: NonNull<u8>,
    length: usize,
}

// The memory belongs to this value alone.
unsafe impl Send for OwnedArea {}

impl OwnedArea {
    /// `length` bytes: `bytes` followed by `fill`.
    pub fn new(bytes: &[u8], length: usize, fill: u8) -> Self {
        let length = length.max(bytes.len());
        let layout = Self::layout(length);
        // SAFETY: the layout has a size; the bytes written are those allocated.
        let start = unsafe {
            let start = NonNull::new(alloc(layout)).unwrap_or_else(|| handle_alloc_error(layout));
            start.as_ptr().write_bytes(fill, length);
            start.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            start
        };
        Self { start, length }
    }

    fn layout(length: usize) -> Layout {
        Layout::array::<u8>(length.max(1)).expect("an area is shorter than the address space")
    }

    /// For the argument of a command, which reads and writes by the address alone.
    pub fn area(&self) -> Area {
        Area::new(self.start.as_ptr().expose_provenance(), self.length)
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.area().read().expect("an area of the region's own can be read")
    }
}

impl Drop for OwnedArea {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this layout, and owned by no one else.
        unsafe { dealloc(self.start.as_ptr(), Self::layout(self.length)) };
    }
}

/// Reads storage into `bytes`.
pub fn read(address: usize, bytes: &mut [u8]) -> Result<(), Fault> {
    if bytes.is_empty() {
        return Ok(());
    }
    // SAFETY: see the head of this file; the kernel's copy reports a bad address.
    unsafe { kernel::guard::copy_in(address, bytes) }
}

/// Writes `bytes` to storage.
pub fn write(address: usize, bytes: &[u8]) -> Result<(), Fault> {
    if bytes.is_empty() {
        return Ok(());
    }
    // SAFETY: see the head of this file; the kernel's copy reports a bad address.
    unsafe { kernel::guard::copy_out(bytes, address) }
}

/// Copies between two areas of storage, through a buffer, in pieces.
pub fn copy(from: usize, to: usize, length: usize) -> Result<(), Fault> {
    let mut buffer = [0u8; 1024];
    let mut done = 0;
    while done < length {
        let piece = (length - done).min(buffer.len());
        read(from + done, &mut buffer[..piece])?;
        write(to + done, &buffer[..piece])?;
        done += piece;
    }
    Ok(())
}

/// Tests that an area can be read, or read and written.
pub fn probe(area: Area, writable: bool) -> Result<(), Fault> {
    if area.length == 0 {
        return Ok(());
    }
    kernel::guard::probe(area.address, area.length, writable)
}

/// The arguments of a command's block.
///
/// The block comes from the EXEC slot shim: by the contract of `exec::block` its arguments live, unshared, until the gate returns.
pub fn arguments_of(block: &mut Block) -> &mut [Argument] {
    if block.argument_count == 0 || block.arguments.is_null() {
        return &mut [];
    }
    // SAFETY: the contract above; the lifetime is that of the exclusive borrow of the block.
    unsafe { std::slice::from_raw_parts_mut(block.arguments, usize::from(block.argument_count)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owned_area_is_written_by_its_address() {
        let owned = OwnedArea::new(b"AB", 4, b'.');
        let area = owned.area();
        assert_eq!(owned.bytes(), b"AB..");
        let moved = Box::new(owned);
        area.write(b"wxyzXX").expect("it is there");
        assert_eq!((moved.bytes(), area.length), (b"wxyz".to_vec(), 4));
        assert_eq!(OwnedArea::new(b"", 0, 0).bytes(), b"");
    }

    #[test]
    fn unmapped_addresses_are_faults() {
        for address in [0, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFF00_0000, 0xFFFF_FFF0usize] {
            let area = Area::new(address, 100);
            assert!(area.read().is_err() && area.write(&[0; 100]).is_err() && probe(area, false).is_err(), "{address:X}");
        }
    }
}
