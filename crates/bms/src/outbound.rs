//! Builder of an outbound 3270 data stream. It knows the screen size, keeps the current buffer address and leaves out SBA
//! orders that would change nothing. Addresses are taken modulo the screen size, so a stream it builds never has an address
//! the terminal must reject.

use crate::address::Addressing;
use crate::capabilities::ScreenSize;
use crate::constants::*;

/// Shortest run worth a repeat-to-address order (4 bytes, and 3 for an SBA that may be needed after).
const RUN_LENGTH_MIN: usize = 5;

#[derive(Debug, Clone)]
pub struct Outbound {
    bytes: Vec<u8>,
    positions: u16,
    addressing: Addressing,
    /// Current buffer address, None when it is not known (start of a write without SBA).
    address: Option<u16>,
}

/// Write control character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wcc(pub u8);

impl Wcc {
    pub const RESTORE_KEYBOARD: Wcc = Wcc(WCC_KEYBOARD_RESTORE_BIT);
    pub const RESET_MDT: Wcc = Wcc(WCC_RESET_MDT_BIT);
    pub const SOUND_ALARM: Wcc = Wcc(WCC_SOUND_ALARM_BIT);

    pub fn with(self, other: Wcc) -> Wcc {
        Wcc(self.0 | other.0)
    }

    /// The byte to send: bits 0 and 1 make it a graphic character.
    pub fn byte(self) -> u8 {
        crate::address::graphic(self.0 & 0x3F)
    }
}

impl Outbound {
    /// A write, erase/write or erase/write alternate (`SNA_CMD_W`, `SNA_CMD_EW`, `SNA_CMD_EWA`).
    pub fn write(command: u8, wcc: Wcc, size: ScreenSize, addressing: Addressing) -> Outbound {
        let mut stream = Outbound::body(size, addressing);
        stream.bytes.extend([command, wcc.byte()]);
        stream.address = (command != SNA_CMD_W && command != CMD_W).then_some(0);
        stream
    }

    /// Orders and data only, to be joined to a write later.
    pub fn body(size: ScreenSize, addressing: Addressing) -> Outbound {
        Outbound { bytes: Vec::with_capacity(1024), positions: size.positions() as u16, addressing, address: None }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    pub fn positions(&self) -> u16 {
        self.positions
    }

    /// Raw orders built elsewhere; the address is unknown afterwards.
    pub fn raw(&mut self, orders: &[u8]) {
        self.bytes.extend_from_slice(orders);
        self.address = None;
    }

    pub fn set_address(&mut self, address: u16) {
        let address = address % self.positions;
        if self.address != Some(address) {
            self.bytes.push(ORDER_SBA);
            self.bytes.extend(self.addressing.encode(address));
            self.address = Some(address);
        }
    }

    fn advance(&mut self, count: usize) {
        let positions = self.positions as usize;
        self.address = self.address.map(|address| ((address as usize + count) % positions) as u16);
    }

    pub fn start_field(&mut self, attribute: u8) {
        self.bytes.extend([ORDER_SF, attribute]);
        self.advance(1);
    }

    /// SFE if there are extended attributes (type, value), SF if there are none.
    pub fn start_field_extended(&mut self, attribute: u8, extended: &[(u8, u8)]) {
        if extended.is_empty() {
            return self.start_field(attribute);
        }
        self.bytes.extend([ORDER_SFE, extended.len() as u8 + 1, XA_3270, attribute]);
        self.bytes.extend(extended.iter().flat_map(|&(kind, value)| [kind, value]));
        self.advance(1);
    }

    /// Changes some attributes of the field attribute at the current address.
    pub fn modify_field(&mut self, pairs: &[(u8, u8)]) {
        self.bytes.extend([ORDER_MF, pairs.len() as u8]);
        self.bytes.extend(pairs.iter().flat_map(|&(kind, value)| [kind, value]));
        self.advance(1);
    }

    pub fn insert_cursor(&mut self) {
        self.bytes.push(ORDER_IC);
    }

    pub fn program_tab(&mut self) {
        self.bytes.push(ORDER_PT);
        self.address = None;
    }

    pub fn repeat_to(&mut self, address: u16, character: u8) {
        let address = address % self.positions;
        self.bytes.push(ORDER_RA);
        self.bytes.extend(self.addressing.encode(address));
        self.bytes.push(character);
        self.address = Some(address);
    }

    pub fn erase_unprotected_to(&mut self, address: u16) {
        let address = address % self.positions;
        self.bytes.push(ORDER_EUA);
        self.bytes.extend(self.addressing.encode(address));
        self.address = Some(address);
    }

    pub fn graphic_escape(&mut self, character: u8) {
        self.bytes.extend([ORDER_GE, character]);
        self.advance(1);
    }

    /// Characters as they are.
    pub fn data(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.bytes.extend_from_slice(text);
        self.advance(text.len());
    }

    /// Characters, runs of one character (blanks, nulls, lines) as repeat-to-address.
    pub fn data_compressed(&mut self, text: &[u8]) {
        let Some(start) = self.address else { return self.data(text) };
        let mut literal = 0;
        let mut index = 0;
        while index + RUN_LENGTH_MIN <= text.len() {
            let byte = text[index];
            // The last byte of a run of the shortest length is checked first: most text fails there.
            if text[index + RUN_LENGTH_MIN - 1] != byte {
                index += 1;
                continue;
            }
            let run = text[index..].iter().position(|&next| next != byte).unwrap_or(text.len() - index);
            if run >= RUN_LENGTH_MIN && (byte == 0 || byte >= 0x40) && run < self.positions as usize {
                self.data(&text[literal..index]);
                let stop = (start as usize + index + run) % self.positions as usize;
                self.repeat_to(stop as u16, byte);
                literal = index + run;
            }
            index += run;
        }
        self.data(&text[literal..]);
    }
}

/// Read Partition (Query) for terminals that can answer one.
pub fn query() -> Vec<u8> {
    vec![SNA_CMD_WSF, 0x00, 0x05, SF_READ_PART, SF_PID_QUERY, SF_RP_QUERY]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> Outbound {
        Outbound::write(SNA_CMD_EW, Wcc::RESTORE_KEYBOARD.with(Wcc::RESET_MDT), ScreenSize::MODEL2, Addressing::Bits12)
    }

    #[test]
    fn orders() {
        let mut out = stream();
        out.start_field(0xF0);
        out.data(&[0xC1, 0xC2]);
        out.set_address(3);
        out.set_address(80);
        out.start_field_extended(0x60, &[(0x42, 0xF2)]);
        out.insert_cursor();
        assert_eq!(out.finish(), [0xF5, 0xC3, 0x1D, 0xF0, 0xC1, 0xC2, 0x11, 0xC1, 0x50, 0x29, 0x02, 0xC0, 0x60, 0x42, 0xF2, 0x13]);
    }

    proptest::proptest! {
        #[test]
        fn compression_changes_nothing(
            text in proptest::collection::vec(proptest::prop_oneof![0u8..1, 0x40u8..0x44], 0..200),
            start in 0u16..1920,
        ) {
            use crate::{Capabilities, Model, Screen};
            let mut plain = Screen::new(&Capabilities::of_model(Model::Two, true), &codepage::CCSID_037);
            let mut compressed = plain.clone();
            let build = |compress: bool| {
                let mut out = stream();
                out.set_address(start);
                if compress { out.data_compressed(&text) } else { out.data(&text) }
                out.data(&[0xC1]);
                out.finish()
            };
            plain.apply(&build(false)).unwrap();
            compressed.apply(&build(true)).unwrap();
            proptest::prop_assert_eq!(plain.cells(), compressed.cells());
        }
    }

    #[test]
    fn runs_are_compressed_and_wrap() {
        let mut out = stream();
        out.set_address(1915);
        let from = out.bytes().len();
        out.data_compressed(&[0x60; 5]);
        assert_eq!(&out.bytes()[from..], [0x3C, 0x40, 0x40, 0x60]);
        out.data_compressed(&[0x60; 4]);
        assert_eq!(&out.bytes()[from + 4..], [0x60; 4]);
        assert_eq!(out.address, Some(4));
    }
}
