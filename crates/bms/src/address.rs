//! Buffer addresses. Invariants: an encoded address decodes to itself; 12-bit addresses are used up to 4,096 positions, 14-bit above,
//! 16-bit only if the terminal's Query Reply asks for it (GA23-0059, "Buffer addressing").

use crate::constants::GRAPHIC;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Addressing {
    #[default]
    Bits12,
    Bits14,
    Bits16,
}

impl Addressing {
    /// The addressing BMS uses for a screen of this many positions.
    pub fn for_positions(positions: usize) -> Addressing {
        if positions <= 4096 {
            Addressing::Bits12
        } else if positions <= 16_384 {
            Addressing::Bits14
        } else {
            Addressing::Bits16
        }
    }

    pub fn encode(self, address: u16) -> [u8; 2] {
        match self {
            Addressing::Bits12 => {
                debug_assert!(address < 4096);
                [GRAPHIC[(address as usize >> 6) & 0x3F], GRAPHIC[address as usize & 0x3F]]
            }
            Addressing::Bits14 => (address & 0x3FFF).to_be_bytes(),
            Addressing::Bits16 => address.to_be_bytes(),
        }
    }

    /// 12 or 14 bits by the top two bits of the first byte, unless the session uses 16-bit addresses.
    pub fn decode(self, bytes: [u8; 2]) -> u16 {
        if self == Addressing::Bits16 {
            return u16::from_be_bytes(bytes);
        }
        match bytes[0] & 0xC0 {
            0 => u16::from_be_bytes(bytes) & 0x3FFF,
            _ => (bytes[0] as u16 & 0x3F) << 6 | (bytes[1] as u16 & 0x3F),
        }
    }
}

/// The byte that carries six bits as a graphic character.
pub fn graphic(six_bits: u8) -> u8 {
    GRAPHIC[six_bits as usize & 0x3F]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codec_round_trips() {
        for address in 0..4096 {
            assert_eq!(Addressing::Bits12.decode(Addressing::Bits12.encode(address)), address);
        }
        for address in 0..16_384 {
            assert_eq!(Addressing::Bits14.decode(Addressing::Bits14.encode(address)), address);
        }
        assert_eq!(Addressing::Bits16.decode(Addressing::Bits16.encode(65_535)), 65_535);
        // GA23-0059: row 1 column 1 is 4040, row 24 column 80 is 5D7F.
        assert_eq!(Addressing::Bits12.encode(0), [0x40, 0x40]);
        assert_eq!(Addressing::Bits12.encode(1919), [0x5D, 0x7F]);
        assert_eq!(Addressing::Bits12.encode(80), [0xC1, 0x50]);
        assert_eq!(Addressing::for_positions(4096), Addressing::Bits12);
        assert_eq!(Addressing::for_positions(4097), Addressing::Bits14);
    }
}
