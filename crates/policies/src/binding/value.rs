//! The data of an application as an event binding describes it: its type, and its value.
//!
//! Source: CICS TS 5.5, data area DFHEPDEK (the types), "CICS flattened event (CFE) data formats". Numbers with a sign that is not valid, and
//! digits that are none, are faults: nothing is guessed. Invariant: a value of a number has at most 31 digits.

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Char,
    /// Up to the first byte of binary zeros.
    CharZ,
    Hex,
    HexZ,
    Packed,
    Zoned,
    SignedHalf,
    UnsignedHalf,
    SignedFull,
    UnsignedFull,
    SignedDouble,
    UnsignedDouble,
    /// Hexadecimal floating point.
    FloatHex,
    /// Binary floating point.
    FloatBinary,
}

/// FLOAT is the form that the region's COBOL programs have; the names of floating point are unverified.
const KINDS: [(&str, Kind); 15] = [
    ("CHAR", Kind::Char),
    ("CHARZ", Kind::CharZ),
    ("HEX", Kind::Hex),
    ("HEXZ", Kind::HexZ),
    ("PACKED", Kind::Packed),
    ("ZONED", Kind::Zoned),
    ("SHWORD", Kind::SignedHalf),
    ("UHWORD", Kind::UnsignedHalf),
    ("SFWORD", Kind::SignedFull),
    ("UFWORD", Kind::UnsignedFull),
    ("SDWORD", Kind::SignedDouble),
    ("UDWORD", Kind::UnsignedDouble),
    ("FLOAT", Kind::FloatHex),
    ("HFP", Kind::FloatHex),
    ("BFP", Kind::FloatBinary),
];

/// Most bytes of packed and zoned decimal data.
const PACKED_BYTES_MAX: usize = 16;
const ZONED_BYTES_MAX: usize = 31;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Characters of the region's code page.
    Text(Vec<u8>),
    /// Bytes, to be seen as hexadecimal digits.
    Hex(Vec<u8>),
    /// A number without its decimal point: the digits behind that are those of the field's precision.
    Number(i128),
    Float(f64),
}

/// The bytes are not a value of the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invalid;

impl Kind {
    pub fn find(name: &str) -> Option<Kind> {
        KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    pub fn is_text(self) -> bool {
        matches!(self, Kind::Char | Kind::CharZ | Kind::Hex | Kind::HexZ)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::FloatHex | Kind::FloatBinary)
    }

    pub fn is_signed(self) -> bool {
        !matches!(self, Kind::UnsignedHalf | Kind::UnsignedFull | Kind::UnsignedDouble)
    }

    /// Whether a field of the type can have this length; zero is up to the end of the data, or the only length.
    pub fn allows(self, length: usize) -> bool {
        match self {
            Kind::Char | Kind::CharZ | Kind::Hex | Kind::HexZ => true,
            Kind::Packed => (1..=PACKED_BYTES_MAX).contains(&length),
            Kind::Zoned => (1..=ZONED_BYTES_MAX).contains(&length),
            Kind::FloatHex | Kind::FloatBinary => matches!(length, 4 | 8),
            binary => length == 0 || Some(length) == binary.binary_bytes(),
        }
    }

    /// The length of a binary number.
    pub fn binary_bytes(self) -> Option<usize> {
        match self {
            Kind::SignedHalf | Kind::UnsignedHalf => Some(2),
            Kind::SignedFull | Kind::UnsignedFull => Some(4),
            Kind::SignedDouble | Kind::UnsignedDouble => Some(8),
            _ => None,
        }
    }

    /// The most digits that a number of this length has.
    pub fn digits(self, length: usize) -> usize {
        match self {
            Kind::Packed => length * 2 - 1,
            Kind::Zoned => length,
            Kind::SignedHalf | Kind::UnsignedHalf => 5,
            Kind::SignedFull | Kind::UnsignedFull => 10,
            Kind::SignedDouble => 19,
            Kind::UnsignedDouble => 20,
            _ => length,
        }
    }

    /// The value of a field.
    ///
    /// # Errors
    ///
    /// The bytes are not a value of the type.
    pub fn decode(self, bytes: &[u8]) -> Result<Value, Invalid> {
        let to_end = || bytes.iter().position(|byte| *byte == 0).map_or(bytes, |end| &bytes[..end]).to_vec();
        match self {
            Kind::Char => Ok(Value::Text(bytes.to_vec())),
            Kind::CharZ => Ok(Value::Text(to_end())),
            Kind::Hex => Ok(Value::Hex(bytes.to_vec())),
            Kind::HexZ => Ok(Value::Hex(to_end())),
            Kind::Packed => packed(bytes).map(Value::Number),
            Kind::Zoned => zoned(bytes).map(Value::Number),
            Kind::FloatHex | Kind::FloatBinary => float(self, bytes).map(Value::Float),
            binary if Some(bytes.len()) != binary.binary_bytes() => Err(Invalid),
            binary => {
                let unsigned = bytes.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
                let shift = 64 - 8 * bytes.len() as u32;
                let signed = (unsigned << shift) as i64 >> shift;
                Ok(Value::Number(if binary.is_signed() { signed.into() } else { unsigned.into() }))
            }
        }
    }
}

/// Signs: 0xB and 0xD are negative, the other letters positive.
fn signed(digits: i128, sign: u8) -> Result<i128, Invalid> {
    match sign {
        0xB | 0xD => Ok(-digits),
        0xA | 0xC | 0xE | 0xF => Ok(digits),
        _ => Err(Invalid),
    }
}

fn appended(number: i128, digit: u8) -> Result<i128, Invalid> {
    if digit > 9 { Err(Invalid) } else { Ok(number * 10 + i128::from(digit)) }
}

fn packed(bytes: &[u8]) -> Result<i128, Invalid> {
    let (last, rest) = bytes.split_last().ok_or(Invalid)?;
    let mut number = 0;
    for byte in rest {
        number = appended(appended(number, byte >> 4)?, byte & 0xF)?;
    }
    signed(appended(number, last >> 4)?, last & 0xF)
}

fn zoned(bytes: &[u8]) -> Result<i128, Invalid> {
    let (last, rest) = bytes.split_last().ok_or(Invalid)?;
    let mut number = 0;
    for byte in rest {
        // The zone of a digit is F in EBCDIC and 3 in ASCII.
        if !matches!(byte >> 4, 0xF | 0x3) {
            return Err(Invalid);
        }
        number = appended(number, byte & 0xF)?;
    }
    let sign = if last >> 4 == 0x3 { 0xF } else { last >> 4 };
    signed(appended(number, last & 0xF)?, sign)
}

fn float(kind: Kind, bytes: &[u8]) -> Result<f64, Invalid> {
    let short: Result<[u8; 4], _> = bytes.try_into();
    let long: Result<[u8; 8], _> = bytes.try_into();
    match (kind, short, long) {
        (Kind::FloatBinary, Ok(short), _) => Ok(f32::from_be_bytes(short).into()),
        (Kind::FloatBinary, _, Ok(long)) => Ok(f64::from_be_bytes(long)),
        (_, Ok(short), _) => Ok(le::float::from_hexadecimal(u64::from(u32::from_be_bytes(short)) << 32)),
        (_, _, Ok(long)) => Ok(le::float::from_hexadecimal(u64::from_be_bytes(long))),
        _ => Err(Invalid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_programs_store_them() {
        for (kind, bytes, number) in [
            (Kind::Packed, &[0x12, 0x34, 0x5C][..], 12345),
            (Kind::Packed, &[0x1D], -1),
            (Kind::Packed, &[0x00, 0x7F], 7),
            (Kind::Zoned, &[0xF1, 0xF2, 0xD3], -123),
            (Kind::Zoned, &[0xF1, 0xC0], 10),
            (Kind::SignedHalf, &[0xFF, 0xFE], -2),
            (Kind::UnsignedHalf, &[0xFF, 0xFE], 65_534),
            (Kind::SignedFull, &[0x80, 0, 0, 0], -2_147_483_648),
            (Kind::UnsignedFull, &[0x80, 0, 0, 0], 2_147_483_648),
            (Kind::SignedDouble, &[0xFF; 8], -1),
        ] {
            assert_eq!(kind.decode(bytes), Ok(Value::Number(number)), "{kind:?} {bytes:X?}");
        }
        // 100 as COMP-1: 0.64 (hexadecimal) times 16 squared.
        assert_eq!(Kind::FloatHex.decode(&[0x42, 0x64, 0, 0]), Ok(Value::Float(100.0)));
        assert_eq!(Kind::FloatBinary.decode(&1.5f64.to_be_bytes()), Ok(Value::Float(1.5)));
        assert_eq!(Kind::CharZ.decode(&[0xC1, 0xC2, 0, 0xC3]), Ok(Value::Text(vec![0xC1, 0xC2])));
    }

    #[test]
    fn what_is_no_number_is_a_fault() {
        for (kind, bytes) in [
            (Kind::Packed, &[0x1A, 0x2C][..]),
            (Kind::Packed, &[0x12, 0x34]),
            (Kind::Packed, &[]),
            (Kind::Zoned, &[0xC1, 0xF2]),
            (Kind::Zoned, &[0xF1, 0x12]),
            (Kind::SignedFull, &[0, 1]),
            (Kind::FloatHex, &[0; 3]),
        ] {
            assert_eq!(kind.decode(bytes), Err(Invalid), "{kind:?} {bytes:X?}");
        }
        assert!(Kind::Packed.allows(16) && !Kind::Packed.allows(17) && !Kind::Packed.allows(0));
        assert!(Kind::SignedHalf.allows(0) && Kind::SignedHalf.allows(2) && !Kind::SignedHalf.allows(4));
        assert!(Kind::find("DFP").is_none());
    }
}
