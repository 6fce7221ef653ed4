//! The EXEC interface block of a task: a copy the region keeps, and the storage the program sees.
//!
//! Invariant: after every command the program's storage equals the copy. The layout is the catalogue's (`exec::eib`).

use super::packed::packed;
use crate::code_page::RegionCodePage;
use crate::name::Name;
use crate::storage_access::{self, Fault};
use exec::eib;

pub struct Eib {
    address: usize,
    bytes: [u8; eib::LENGTH],
}

impl Eib {
    /// Bytes to allocate for the program's copy.
    pub const STORAGE_LENGTH: usize = eib::LENGTH.next_multiple_of(8);

    pub fn new() -> Self {
        Self { address: 0, bytes: [0; eib::LENGTH] }
    }

    /// Its address in the program; 0 before the task has storage.
    pub fn address(&self) -> u32 {
        self.address as u32
    }

    pub fn place(&mut self, address: usize) {
        self.address = address;
    }

    /// Makes the program's storage equal to the copy.
    pub fn flush(&self) -> Result<(), Fault> {
        if self.address == 0 {
            return Ok(());
        }
        storage_access::write(self.address, &self.bytes)
    }

    pub fn bytes(&self) -> &[u8; eib::LENGTH] {
        &self.bytes
    }

    pub fn set(&mut self, offset: usize, value: &[u8]) {
        self.bytes[offset..offset + value.len()].copy_from_slice(value);
    }

    pub fn byte(&self, offset: usize) -> u8 {
        self.bytes[offset]
    }

    /// The eight bytes of a name.
    pub fn name_bytes(&self, offset: usize) -> [u8; 8] {
        self.bytes[offset..offset + 8].try_into().expect("eight bytes")
    }

    pub fn set_byte(&mut self, offset: usize, value: u8) {
        self.bytes[offset] = value;
    }

    pub fn set_half(&mut self, offset: usize, value: u16) {
        self.set(offset, &value.to_be_bytes());
    }

    pub fn half(&self, offset: usize) -> u16 {
        u16::from_be_bytes([self.bytes[offset], self.bytes[offset + 1]])
    }

    fn set_full(&mut self, offset: usize, value: i32) {
        self.set(offset, &value.to_be_bytes());
    }

    pub fn full(&self, offset: usize) -> i32 {
        i32::from_be_bytes([self.bytes[offset], self.bytes[offset + 1], self.bytes[offset + 2], self.bytes[offset + 3]])
    }

    /// PIC S9(7) COMP-3, positive.
    pub fn set_packed(&mut self, offset: usize, value: u32) {
        self.set(offset, &packed::<4>(value.into()));
    }

    pub fn set_name<const N: usize>(&mut self, offset: usize, name: &Name<N>, code_page: &RegionCodePage) {
        self.set(offset, &code_page.encode_name(name));
    }

    /// EIBFN, EIBRCODE, EIBRESP and EIBRESP2 of a finished command.
    pub fn set_response(&mut self, function: u16, code: [u8; 6], resp: u16, resp2: i32) {
        self.set(eib::EIBFN, &function.to_be_bytes());
        self.set(eib::EIBRCODE, &code);
        self.set_full(eib::EIBRESP, i32::from(resp));
        self.set_full(eib::EIBRESP2, resp2);
    }
}

impl Default for Eib {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_fields_are_as_documented() {
        let mut eib = Eib::new();
        eib.set_packed(eib::EIBDATE, 126_325);
        assert_eq!(eib.bytes()[4..8], [0x01, 0x26, 0x32, 0x5C]);
        eib.set_packed(eib::EIBTASKN, 9_999_999);
        assert_eq!(eib.bytes()[12..16], [0x99, 0x99, 0x99, 0x9C]);
        eib.set_response(0x0602, [0x81, 0, 0, 0, 0, 0], 13, 80);
        assert_eq!((eib.full(eib::EIBRESP), eib.full(eib::EIBRESP2), eib.half(eib::EIBFN)), (13, 80, 0x0602));
    }
}
