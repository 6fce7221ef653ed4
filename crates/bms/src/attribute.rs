//! Field attributes: the 3270 attribute byte and the extended attributes a field may have, in the order symbolic maps hold them
//! (C, P, H, V, U, M, T).

use crate::address::graphic;
use crate::constants::*;

/// Kinds of extended attributes; the discriminant is the place in `ExtendedSet` and in a symbolic map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Extended {
    Color = 0,
    ProgrammedSymbols = 1,
    Highlight = 2,
    Validation = 3,
    Outline = 4,
    Sosi = 5,
    Transparency = 6,
}

pub const EXTENDED_COUNT: usize = 7;

impl Extended {
    pub const ALL: [Extended; EXTENDED_COUNT] = [
        Extended::Color,
        Extended::ProgrammedSymbols,
        Extended::Highlight,
        Extended::Validation,
        Extended::Outline,
        Extended::Sosi,
        Extended::Transparency,
    ];

    /// Suffix of the item in a symbolic map.
    pub fn suffix(self) -> char {
        ['C', 'P', 'H', 'V', 'U', 'M', 'T'][self as usize]
    }

    /// Operand name in MAPATTS and DSATTS, and of the field operand.
    pub fn operand(self) -> &'static str {
        ["COLOR", "PS", "HILIGHT", "VALIDN", "OUTLINE", "SOSI", "TRANSP"][self as usize]
    }

    /// Attribute type in SFE, MF and SA orders.
    pub fn order_type(self) -> u8 {
        [XA_FOREGROUND, XA_CHARSET, XA_HIGHLIGHTING, XA_VALIDATION, XA_OUTLINING, XA_INPUT_CONTROL, XA_TRANSPARENCY][self as usize]
    }
}

/// Values of extended attributes by kind; None is "not specified".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtendedValues(pub [Option<u8>; EXTENDED_COUNT]);

impl ExtendedValues {
    pub fn get(&self, kind: Extended) -> Option<u8> {
        self.0[kind as usize]
    }

    pub fn set(&mut self, kind: Extended, value: Option<u8>) {
        self.0[kind as usize] = value;
    }

    /// Unspecified values are taken from `outer` (field, then map, then mapset).
    pub fn or(&self, outer: &ExtendedValues) -> ExtendedValues {
        ExtendedValues(std::array::from_fn(|index| self.0[index].or(outer.0[index])))
    }
}

/// A set of kinds (MAPATTS, DSATTS, terminal features).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtendedSet(pub u8);

impl ExtendedSet {
    /// The meaning of EXTATT=YES.
    pub const EXTATT: ExtendedSet = ExtendedSet(0b1111);

    pub fn contains(self, kind: Extended) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    pub fn insert(&mut self, kind: Extended) {
        self.0 |= 1 << kind as u8;
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Extended> {
        Extended::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

/// The attribute byte of these bits (FA_PROTECT, FA_NUMERIC, intensity, FA_MODIFY) as the graphic that travels.
pub fn attribute_byte(bits: u8) -> u8 {
    graphic(bits)
}

pub const fn is_protected(attribute: u8) -> bool {
    attribute & FA_PROTECT != 0
}

pub const fn is_numeric(attribute: u8) -> bool {
    attribute & FA_NUMERIC != 0
}

/// Auto-skip is protected and numeric together.
pub const fn is_skip(attribute: u8) -> bool {
    attribute & (FA_PROTECT | FA_NUMERIC) == FA_PROTECT | FA_NUMERIC
}

pub const fn is_modified(attribute: u8) -> bool {
    attribute & FA_MODIFY != 0
}

pub const fn is_hidden(attribute: u8) -> bool {
    attribute & FA_INTENSITY == FA_INT_ZERO_NSEL
}

/// Selectable by light pen: intensified or detectable.
pub const fn is_detectable(attribute: u8) -> bool {
    matches!(attribute & FA_INTENSITY, FA_INT_NORM_SEL | FA_INT_HIGH_SEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_bytes_are_dfhbmsca() {
        // DFHBMSCA: ASK F0, UNP 40, UNN 50, PRO 60, BRY C8, DAR 4C, FSE C1, PRF 61, ASF F1, ASB F8.
        assert_eq!(attribute_byte(0x30), 0xF0);
        assert_eq!(attribute_byte(0x00), 0x40);
        assert_eq!(attribute_byte(0x10), 0x50);
        assert_eq!(attribute_byte(0x20), 0x60);
        assert_eq!(attribute_byte(0x08), 0xC8);
        assert_eq!(attribute_byte(0x0C), 0x4C);
        assert_eq!(attribute_byte(0x01), 0xC1);
        assert_eq!(attribute_byte(0x21), 0x61);
        assert_eq!(attribute_byte(0x31), 0xF1);
        assert_eq!(attribute_byte(0x38), 0xF8);
        assert!(is_skip(0xF8) && is_protected(0x60) && !is_protected(0xC1) && is_modified(0xC1) && is_hidden(0x4C));
    }

    #[test]
    fn sets() {
        let mut set = ExtendedSet::default();
        set.insert(Extended::Highlight);
        set.insert(Extended::Color);
        assert_eq!(set.iter().map(Extended::suffix).collect::<String>(), "CH");
        assert_eq!(ExtendedSet::EXTATT.iter().map(Extended::suffix).collect::<String>(), "CPHV");
    }
}
