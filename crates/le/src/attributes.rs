//! The description of a data item: usage, sign, digits, scale, length.
//!
//! Compiled programs keep these descriptors among their constants, so the layout is fixed (`repr(C)`, 16 bytes) and
//! holds no address: an edited item names its edit program by offset into the program's pool
//! ([`crate::Session::edit_programs`]). For a variable-length or reference-modified operand, compiled code copies the
//! descriptor and replaces `length`.
//!
//! `unsafe` here reads the bytes of an item to find where its contents end: see `lib.rs`.

/// Usage together with the category that decides the rules of MOVE and comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Usage {
    /// A group item: bytes, moved and compared without conversion.
    Group = 0,
    Alphanumeric = 1,
    Alphabetic = 2,
    AlphanumericEdited = 3,
    NumericEdited = 4,
    /// USAGE DISPLAY, zoned decimal; `sign` gives the position of the sign.
    Zoned = 5,
    /// USAGE PACKED-DECIMAL (COMP-3); `sign` is Unsigned or anything else for signed.
    Packed = 6,
    /// USAGE BINARY (COMP, COMP-4): big-endian 2, 4 or 8 bytes; TRUNC applies.
    Binary = 7,
    /// USAGE COMP-5: the full range of the field, big-endian like z/OS.
    NativeBinary = 8,
    /// USAGE COMP-1.
    Float4 = 9,
    /// USAGE COMP-2.
    Float8 = 10,
    /// USAGE NATIONAL, category national: UTF-16 big-endian; `length` is in bytes.
    National = 11,
    /// USAGE NATIONAL, category national-edited.
    NationalEdited = 12,
    /// USAGE NATIONAL, category numeric (national decimal); a separate sign takes one character.
    NationalZoned = 13,
    /// USAGE UTF-8.
    Utf8 = 14,
    /// USAGE INDEX: 4 bytes, big-endian.
    Index = 15,
    /// USAGE POINTER, PROCEDURE-POINTER: 4 bytes, big-endian.
    Pointer = 16,
    /// USAGE FUNCTION-POINTER: 4 bytes, big-endian.
    FunctionPointer = 17,
    /// USAGE DISPLAY external floating point (PICTURE +9.9(5)E+99): `edit` gives the picture.
    FloatDisplay = 18,
    /// USAGE DISPLAY-1 (DBCS), category DBCS; `length` is in bytes.
    Dbcs = 19,
    /// USAGE NATIONAL, category numeric-edited.
    NationalNumericEdited = 20,
}

/// Every usage, in the order of their numbers.
const USAGES: [Usage; 21] = [
    Usage::Group,
    Usage::Alphanumeric,
    Usage::Alphabetic,
    Usage::AlphanumericEdited,
    Usage::NumericEdited,
    Usage::Zoned,
    Usage::Packed,
    Usage::Binary,
    Usage::NativeBinary,
    Usage::Float4,
    Usage::Float8,
    Usage::National,
    Usage::NationalEdited,
    Usage::NationalZoned,
    Usage::Utf8,
    Usage::Index,
    Usage::Pointer,
    Usage::FunctionPointer,
    Usage::FloatDisplay,
    Usage::Dbcs,
    Usage::NationalNumericEdited,
];

impl Usage {
    /// The usage with this number, as load modules have it.
    pub fn of(number: u8) -> Option<Usage> {
        USAGES.get(usize::from(number)).copied()
    }

    /// The word of the USAGE clause; empty for DISPLAY and groups.
    pub fn word(self) -> &'static str {
        match self {
            Usage::Packed => "COMP-3",
            Usage::Binary => "COMP",
            Usage::NativeBinary => "COMP-5",
            Usage::Float4 => "COMP-1",
            Usage::Float8 => "COMP-2",
            Usage::Index => "INDEX",
            Usage::Pointer => "POINTER",
            Usage::FunctionPointer => "FUNCTION-POINTER",
            Usage::National | Usage::NationalEdited | Usage::NationalZoned | Usage::NationalNumericEdited => "NATIONAL",
            Usage::Utf8 => "UTF-8",
            Usage::Dbcs => "DISPLAY-1",
            Usage::Group
            | Usage::Alphanumeric
            | Usage::Alphabetic
            | Usage::AlphanumericEdited
            | Usage::NumericEdited
            | Usage::Zoned
            | Usage::FloatDisplay => "",
        }
    }
}

/// Where the operational sign of a numeric item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Sign {
    /// PICTURE without S.
    Unsigned = 0,
    /// Overpunched on the last digit (the default of S), and the sign of packed and binary items.
    Trailing = 1,
    /// SIGN LEADING: overpunched on the first digit.
    Leading = 2,
    /// SIGN TRAILING SEPARATE CHARACTER.
    TrailingSeparate = 3,
    /// SIGN LEADING SEPARATE CHARACTER.
    LeadingSeparate = 4,
}

/// Every place of a sign, in the order of their numbers.
const SIGNS: [Sign; 5] = [Sign::Unsigned, Sign::Trailing, Sign::Leading, Sign::TrailingSeparate, Sign::LeadingSeparate];

impl Sign {
    /// The place with this number, as load modules have it.
    pub fn of(number: u8) -> Option<Sign> {
        SIGNS.get(usize::from(number)).copied()
    }
}

/// Description of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Attributes {
    pub usage: Usage,
    pub sign: Sign,
    /// Any of the flag constants of this type.
    pub flags: u16,
    /// Length of the item in bytes.
    pub length: u32,
    /// Decimal digit positions of the PICTURE (9s and, for edited items, replaceable digits); P positions do not count.
    pub digits: u8,
    /// Decimal places; the value is the digits times ten to the power -scale. P positions are included: PIC 9(3)PP has
    /// scale -2, PIC PP9(3) has scale 5.
    pub scale: i8,
    pub reserved: u16,
    /// For edited items and external floating point: offset of the edit program in the program's pool. For UTF-8 items with a fixed
    /// number of characters: that number.
    pub edit: u32,
}

const _: () = assert!(std::mem::size_of::<Attributes>() == 16);

impl Attributes {
    /// JUSTIFIED RIGHT.
    pub const JUSTIFIED: u16 = 0x0001;
    /// BLANK WHEN ZERO.
    pub const BLANK_WHEN_ZERO: u16 = 0x0002;
    /// The operand is a literal or an intermediate value (DISPLAY shows it as written).
    pub const LITERAL: u16 = 0x0004;
    /// GROUP-USAGE NATIONAL group: treated as an elementary national item.
    pub const NATIONAL_GROUP: u16 = 0x0008;

    pub const fn new(usage: Usage, length: u32) -> Attributes {
        Attributes { usage, sign: Sign::Unsigned, flags: 0, length, digits: 0, scale: 0, reserved: 0, edit: 0 }
    }

    pub const fn alphanumeric(length: u32) -> Attributes {
        Attributes::new(Usage::Alphanumeric, length)
    }

    pub const fn group(length: u32) -> Attributes {
        Attributes::new(Usage::Group, length)
    }

    const fn number(usage: Usage, length: u32, digits: u8, scale: i8, sign: Sign) -> Attributes {
        Attributes { usage, sign, flags: 0, length, digits, scale, reserved: 0, edit: 0 }
    }

    /// USAGE DISPLAY numeric item; a separate sign adds a byte.
    pub const fn zoned(digits: u8, scale: i8, sign: Sign) -> Attributes {
        let separate = matches!(sign, Sign::TrailingSeparate | Sign::LeadingSeparate);
        Attributes::number(Usage::Zoned, digits as u32 + separate as u32, digits, scale, sign)
    }

    /// USAGE NATIONAL numeric item.
    pub const fn national_zoned(digits: u8, scale: i8, sign: Sign) -> Attributes {
        let separate = matches!(sign, Sign::TrailingSeparate | Sign::LeadingSeparate);
        Attributes::number(Usage::NationalZoned, 2 * (digits as u32 + separate as u32), digits, scale, sign)
    }

    pub const fn packed(digits: u8, scale: i8, signed: bool) -> Attributes {
        let sign = if signed { Sign::Trailing } else { Sign::Unsigned };
        Attributes::number(Usage::Packed, digits as u32 / 2 + 1, digits, scale, sign)
    }

    /// Bytes of a binary item with this many digits: 2, 4 or 8.
    pub const fn binary_length(digits: u8) -> u32 {
        match digits {
            0..=4 => 2,
            5..=9 => 4,
            _ => 8,
        }
    }

    pub const fn binary(digits: u8, scale: i8, signed: bool) -> Attributes {
        let sign = if signed { Sign::Trailing } else { Sign::Unsigned };
        Attributes::number(Usage::Binary, Attributes::binary_length(digits), digits, scale, sign)
    }

    pub const fn native_binary(digits: u8, scale: i8, signed: bool) -> Attributes {
        let sign = if signed { Sign::Trailing } else { Sign::Unsigned };
        Attributes::number(Usage::NativeBinary, Attributes::binary_length(digits), digits, scale, sign)
    }

    pub const fn float4() -> Attributes {
        Attributes::number(Usage::Float4, 4, 7, 0, Sign::Trailing)
    }

    pub const fn float8() -> Attributes {
        Attributes::number(Usage::Float8, 8, 15, 0, Sign::Trailing)
    }

    pub const fn national(length: u32) -> Attributes {
        Attributes::new(Usage::National, length)
    }

    /// USAGE UTF-8 of a fixed number of characters; `length` has room for the longest.
    pub const fn utf8_characters(characters: u32, length: u32) -> Attributes {
        Attributes { edit: characters, ..Attributes::new(Usage::Utf8, length) }
    }

    /// Characters a UTF-8 item is limited to; all that fit when its bytes are counted.
    pub const fn characters_max(&self) -> u32 {
        if self.edit == 0 { u32::MAX } else { self.edit }
    }

    /// The bytes that are the contents: of a UTF-8 item with a fixed number of characters, the bytes of these.
    ///
    /// # Safety
    /// `area` must be readable for the length.
    #[inline(always)]
    pub unsafe fn contents_length(&self, area: *const u8) -> usize {
        let length = self.length as usize;
        if !matches!(self.usage, Usage::Utf8) || self.edit == 0 {
            return length;
        }
        crate::code_page::utf8_prefix(std::slice::from_raw_parts(area, length), self.edit, length)
    }

    pub const fn with_flags(mut self, flags: u16) -> Attributes {
        self.flags |= flags;
        self
    }

    pub const fn with_length(mut self, length: u32) -> Attributes {
        self.length = length;
        self
    }

    pub const fn is_signed(&self) -> bool {
        !matches!(self.sign, Sign::Unsigned)
    }

    pub const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Category numeric: fixed point or floating point, any usage.
    pub const fn is_numeric(&self) -> bool {
        self.is_fixed() || self.is_float()
    }

    /// Fixed-point numeric, any usage; index and pointer items are not numeric.
    pub const fn is_fixed(&self) -> bool {
        matches!(self.usage, Usage::Zoned | Usage::Packed | Usage::Binary | Usage::NativeBinary | Usage::NationalZoned)
    }

    pub const fn is_float(&self) -> bool {
        matches!(self.usage, Usage::Float4 | Usage::Float8 | Usage::FloatDisplay)
    }

    /// The item holds UTF-16 characters.
    pub const fn is_national(&self) -> bool {
        matches!(self.usage, Usage::National | Usage::NationalEdited | Usage::NationalZoned | Usage::NationalNumericEdited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usages_and_signs_are_known_by_their_numbers() {
        for (number, usage) in (0..).zip(USAGES) {
            assert_eq!((usage as u8, Usage::of(number)), (number, Some(usage)));
        }
        for (number, sign) in (0..).zip(SIGNS) {
            assert_eq!((sign as u8, Sign::of(number)), (number, Some(sign)));
        }
        assert_eq!((Usage::of(USAGES.len() as u8), Sign::of(SIGNS.len() as u8)), (None, None));
    }
}
