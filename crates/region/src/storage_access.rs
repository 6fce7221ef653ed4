//! Access to the storage of programs: the one place of this crate that reads and writes addresses programs gave.
//!
//! Addresses and lengths come from compiled code and may be anything. Every access goes through the kernel's guarded copies, so a bad
//! address is a [`Fault`] for the caller to turn into an abend, never a fault of the region. No reference into program storage is ever
//! made: another task may change it at any time. The areas are program storage (below 2 GB), constants of load modules or compiled
//! code's stack, never Rust objects; that is what makes the `unsafe` calls below sound.
#![allow(unsafe_code)]

use exec::block::{Argument, Block};

/// An address of the program cannot be read or written.
pub type Fault = kernel::guard::AccessFault;

/// An area a program gave: where it is and how long the data item is.
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

    /// Reads all of it.
    pub fn read(self) -> Result<Vec<u8>, Fault> {
        let mut bytes = vec![0; self.length];
        read(self.address, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes as much of `bytes` as the area holds.
    pub fn write(self, bytes: &[u8]) -> Result<(), Fault> {
        write(self.address, &bytes[..bytes.len().min(self.length)])
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
