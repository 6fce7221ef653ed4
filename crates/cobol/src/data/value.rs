//! VALUE clauses: from a literal to the initial bytes of an item.
//!
//! Rules are those of the VALUE clause, not of MOVE: JUSTIFIED, editing and BLANK WHEN ZERO do not apply.

use crate::options::{Options, QuoteCharacter};
use crate::program::{Category, Figurative, Item, Literal, LiteralValue, Number, Sign, Usage};
use le::CodePage;

/// The parameters of encoding besides the item.
pub struct Encoder {
    pub page: &'static CodePage,
    quote: u8,
    /// COMP-1 and COMP-2 are IEEE binary floating point.
    binary_floating_point: bool,
}

/// The bytes, and whether anything was cut off.
pub struct Encoded {
    pub bytes: Vec<u8>,
    pub truncated: bool,
}

impl Encoder {
    pub fn new(options: &Options) -> Encoder {
        let page = le::code_page::by_ccsid(options.codepage).unwrap_or(&le::code_page::CCSID_037);
        let quote = page.ascii(if options.quote == QuoteCharacter::Quote { b'"' } else { b'\'' });
        Encoder { page, quote, binary_floating_point: options.uses_binary_floating_point() }
    }

    /// One character of a figurative constant other than ALL literal.
    pub fn figurative_byte(&self, figurative: &Figurative) -> u8 {
        match figurative {
            Figurative::Zero => self.page.ascii(b'0'),
            Figurative::Space => self.page.ascii(b' '),
            Figurative::HighValue => 0xFF,
            Figurative::LowValue | Figurative::Null => 0x00,
            Figurative::Quote => self.quote,
            Figurative::All { bytes, .. } => bytes.first().copied().unwrap_or(0),
        }
    }

    /// Text in the code page; characters it lacks become its substitute.
    pub fn text(&self, text: &str) -> Vec<u8> {
        if self.page.ascii(b'A') == b'A' && text.is_ascii() {
            return text.as_bytes().to_vec();
        }
        if text.is_ascii() && !self.page.is_mixed() {
            return text.bytes().map(|byte| self.page.ascii(byte)).collect();
        }
        self.page.encode(&self.without_shifts(text))
    }

    /// The first character that the code page does not have.
    pub fn missing(&self, text: &str) -> Option<char> {
        self.page.try_encode(&self.without_shifts(text)).err()
    }

    /// Text for a mixed page: shift-out and shift-in are derived from its characters, whether the source has them or not.
    fn without_shifts(&self, text: &str) -> String {
        let is_shift = |character: char| self.page.is_mixed() && matches!(character, '\u{0E}' | '\u{0F}');
        text.chars().filter(|character| !is_shift(*character)).collect()
    }

    pub fn national(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    /// The initial bytes of one occurrence of the item.
    pub fn initial(&self, item: &Item, literal: &Literal) -> Result<Encoded, String> {
        let length = item.length_max as usize;
        match &literal.value {
            LiteralValue::Null => Ok(Encoded { bytes: vec![0; length], truncated: false }),
            LiteralValue::Figurative(figurative) => self.figurative(item, figurative, length),
            LiteralValue::Numeric(number) => self.number(item, number),
            LiteralValue::Float(value) => self.float(item, *value),
            LiteralValue::Alphanumeric(bytes) | LiteralValue::Dbcs(bytes) => self.characters(item, bytes, length),
            LiteralValue::Utf8(bytes) => match item.category {
                Category::Utf8 => Ok(utf8(bytes, item)),
                _ => Err("a UTF-8 literal cannot be the value of this item".to_string()),
            },
            LiteralValue::National(bytes) => {
                if matches!(item.category, Category::National | Category::NationalEdited) {
                    Ok(padded(bytes, length, &[0x00, 0x20]))
                } else {
                    Err("a national literal cannot be the value of this item".to_string())
                }
            }
        }
    }

    fn figurative(&self, item: &Item, figurative: &Figurative, length: usize) -> Result<Encoded, String> {
        if item.is_numeric() {
            return match figurative {
                Figurative::Zero => self.number(item, &Number::integer(0, 1)),
                Figurative::All { bytes, .. } if item.usage == Usage::Display => Ok(repeated(bytes, length)),
                _ => Err("only ZERO can be the value of a numeric item".to_string()),
            };
        }
        if matches!(item.category, Category::National | Category::NationalEdited) {
            let unit = match figurative {
                Figurative::Zero => vec![0x00, 0x30],
                Figurative::Space => vec![0x00, 0x20],
                Figurative::Quote => vec![0x00, 0x22],
                Figurative::HighValue => vec![0xFF, 0xFF],
                Figurative::All { bytes, encoding } => Encoder::national(&encoding.page(self.page).decode(bytes)),
                _ => vec![0, 0],
            };
            return Ok(repeated(&unit, length));
        }
        if item.category == Category::Utf8 {
            let unit = match figurative {
                Figurative::Zero => "0".to_string(),
                Figurative::Space => " ".to_string(),
                Figurative::Quote => char::from(self.page.to_ascii(self.quote)).to_string(),
                Figurative::HighValue => {
                    let filled = le::movement::Filled::with_high_value(length, &utf8_attributes(item));
                    return Ok(Encoded { bytes: filled.collect(), truncated: false });
                }
                Figurative::LowValue | Figurative::Null => "\0".to_string(),
                Figurative::All { bytes, encoding } => encoding.page(self.page).decode(bytes),
            };
            let filled = le::movement::Filled::with_all(unit.as_bytes(), length, &utf8_attributes(item));
            return Ok(Encoded { bytes: filled.collect(), truncated: false });
        }
        if item.category == Category::Dbcs && *figurative == Figurative::Space {
            return Ok(repeated(&[0x40, 0x40], length));
        }
        match figurative {
            Figurative::All { bytes, .. } => Ok(repeated(bytes, length)),
            other => Ok(Encoded { bytes: vec![self.figurative_byte(other); length], truncated: false }),
        }
    }

    fn characters(&self, item: &Item, bytes: &[u8], length: usize) -> Result<Encoded, String> {
        match item.category {
            Category::Numeric | Category::InternalFloat | Category::ExternalFloat => {
                Err("a numeric item needs a numeric literal as its value".to_string())
            }
            Category::Index | Category::Pointer | Category::ProcedurePointer | Category::FunctionPointer | Category::ObjectReference => {
                Err("only NULL can be the value of a pointer".to_string())
            }
            Category::National | Category::NationalEdited => {
                Ok(padded(&Encoder::national(&self.page.decode(bytes)), length, &[0x00, 0x20]))
            }
            Category::Dbcs => Ok(padded(bytes, length, &[0x40, 0x40])),
            Category::Utf8 => Ok(utf8(self.page.decode(bytes).as_bytes(), item)),
            _ => Ok(padded(bytes, length, &[self.page.ascii(b' ')])),
        }
    }

    fn number(&self, item: &Item, number: &Number) -> Result<Encoded, String> {
        match item.category {
            Category::InternalFloat => self.float(item, number_as_float(number)),
            Category::Numeric => {
                let (value, truncated) = at_scale(number, item.scale);
                let bytes = self.stored(item, value)?;
                let limit = 10_u128.checked_pow(u32::from(item.digits)).unwrap_or(u128::MAX);
                let too_large = value.unsigned_abs() >= limit && item.usage != Usage::NativeBinary;
                Ok(Encoded { bytes, truncated: truncated || too_large })
            }
            Category::Index => Ok(Encoded { bytes: (number.value as i32).to_be_bytes().to_vec(), truncated: false }),
            Category::Pointer | Category::FunctionPointer | Category::ProcedurePointer | Category::ObjectReference => {
                Err("only NULL can be the value of a pointer".to_string())
            }
            Category::ExternalFloat => Err("a floating-point item cannot have this value".to_string()),
            _ => {
                // An IBM extension: a numeric literal for an alphanumeric item represents its digits.
                let digits = format!("{:0width$}", number.value.unsigned_abs(), width = usize::from(number.digits));
                Ok(padded(&self.text(&digits), item.length_max as usize, &[self.page.ascii(b' ')]))
            }
        }
    }

    /// The bytes of a fixed-point item that holds `value` (an integer at the item's scale); high-order digits are cut.
    pub fn stored(&self, item: &Item, value: i128) -> Result<Vec<u8>, String> {
        let length = item.length_max as usize;
        let negative = value < 0;
        if negative && item.sign == Sign::Unsigned {
            return Err("an unsigned item cannot have a negative value".to_string());
        }
        let digits = decimal_digits(value.unsigned_abs(), usize::from(item.digits));
        match item.usage {
            Usage::Binary | Usage::NativeBinary => Ok(value.to_be_bytes()[16 - length.min(16)..].to_vec()),
            Usage::Packed => {
                let sign = match (item.sign, negative) {
                    (Sign::Unsigned, _) => 0xF,
                    (_, true) => 0xD,
                    (_, false) => 0xC,
                };
                let mut nibbles = digits;
                nibbles.push(sign);
                if nibbles.len() % 2 == 1 {
                    nibbles.insert(0, 0);
                }
                Ok(nibbles.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
            }
            Usage::National => Ok(national_digits(item.sign, &digits, negative)),
            _ => Ok(self.zoned(item.sign, &digits, negative)),
        }
    }

    fn zoned(&self, sign: Sign, digits: &[u8], negative: bool) -> Vec<u8> {
        let mut bytes: Vec<u8> = digits.iter().map(|digit| self.page.ascii(b'0') + digit).collect();
        let ebcdic = self.page.is_ebcdic();
        let overpunch = |byte: u8| match (ebcdic, negative) {
            (true, true) => 0xD0 | byte & 0x0F,
            (true, false) => 0xC0 | byte & 0x0F,
            (false, true) => byte | 0x40,
            (false, false) => byte,
        };
        let separate = self.page.ascii(if negative { b'-' } else { b'+' });
        let last = bytes.len() - 1;
        match sign {
            Sign::Unsigned => {}
            Sign::Trailing => bytes[last] = overpunch(bytes[last]),
            Sign::Leading => bytes[0] = overpunch(bytes[0]),
            Sign::TrailingSeparate => bytes.push(separate),
            Sign::LeadingSeparate => bytes.insert(0, separate),
        }
        bytes
    }

    fn float(&self, item: &Item, value: f64) -> Result<Encoded, String> {
        if item.category != Category::InternalFloat {
            return Err("a floating-point literal can be the value of a COMP-1 or COMP-2 item only".to_string());
        }
        let bytes = match (!self.binary_floating_point, item.usage) {
            (true, Usage::Float) => hexadecimal(value, 24).to_be_bytes()[..4].to_vec(),
            (true, _) => hexadecimal(value, 56).to_be_bytes().to_vec(),
            (false, Usage::Float) => (value as f32).to_be_bytes().to_vec(),
            (false, _) => value.to_be_bytes().to_vec(),
        };
        Ok(Encoded { bytes, truncated: false })
    }
}

/// Hexadecimal floating point: sign, excess-64 exponent of 16, fraction of `bits` bits, left-aligned in 64 bits; rounded.
/// (z/Architecture Principles of Operation, "Hexadecimal-floating-point data format".)
fn hexadecimal(value: f64, bits: u32) -> u64 {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let sign = u64::from(value < 0.0) << 63;
    let mut fraction = value.abs();
    let mut exponent = 64_i32;
    while fraction >= 1.0 {
        fraction /= 16.0;
        exponent += 1;
    }
    while fraction < 1.0 / 16.0 {
        fraction *= 16.0;
        exponent -= 1;
    }
    let mut mantissa = (fraction * (1_u64 << bits) as f64).round() as u64;
    if mantissa >> bits != 0 {
        mantissa >>= 4;
        exponent += 1;
    }
    match exponent {
        ..0 => 0,
        0..=127 => sign | (exponent as u64) << 56 | mantissa << (56 - bits),
        _ => sign | 0x7FFF_FFFF_FFFF_FFFF,
    }
}

/// The number as an integer at `scale`, and whether digits other than zero were lost.
pub fn at_scale(number: &Number, scale: i8) -> (i128, bool) {
    let shift = i32::from(scale) - i32::from(number.scale);
    let power = 10_i128.checked_pow(shift.unsigned_abs());
    match power {
        Some(power) if shift >= 0 => match number.value.checked_mul(power) {
            Some(value) => (value, false),
            None => (0, true),
        },
        Some(power) => (number.value / power, number.value % power != 0),
        None => (0, number.value != 0),
    }
}

pub fn number_as_float(number: &Number) -> f64 {
    format!("{}e{}", number.value, -i32::from(number.scale)).parse().unwrap_or(0.0)
}

/// Digits of usage NATIONAL with their separate sign.
fn national_digits(sign: Sign, digits: &[u8], negative: bool) -> Vec<u8> {
    let mut text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let separate = if negative { '-' } else { '+' };
    match sign {
        Sign::LeadingSeparate => text.insert(0, separate),
        Sign::TrailingSeparate => text.push(separate),
        Sign::Unsigned | Sign::Leading | Sign::Trailing => {}
    }
    Encoder::national(&text)
}

/// The low-order `count` digits, most significant first, one a byte.
fn decimal_digits(mut magnitude: u128, count: usize) -> Vec<u8> {
    let mut digits = vec![0; count];
    for digit in digits.iter_mut().rev() {
        *digit = (magnitude % 10) as u8;
        magnitude /= 10;
    }
    digits
}

fn repeated(unit: &[u8], length: usize) -> Encoded {
    Encoded { bytes: unit.iter().copied().cycle().take(length).collect(), truncated: false }
}

/// The characters that fit an item of UTF-8, whole, padded with spaces.
fn utf8(bytes: &[u8], item: &Item) -> Encoded {
    let most = if item.characters == 0 { u32::MAX } else { item.characters };
    let length = item.length_max as usize;
    let used = le::code_page::utf8_prefix(bytes, most, length);
    Encoded { truncated: used < bytes.len(), ..padded(&bytes[..used], length, b" ") }
}

/// An item of so many characters, or of so many bytes.
fn utf8_attributes(item: &Item) -> le::Attributes {
    match item.characters {
        0 => le::Attributes::new(le::Usage::Utf8, item.length_max),
        characters => le::Attributes::utf8_characters(characters, item.length_max),
    }
}

fn padded(bytes: &[u8], length: usize, pad: &[u8]) -> Encoded {
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(&bytes[..bytes.len().min(length)]);
    let mut fill = pad.iter().copied().cycle();
    while out.len() < length {
        out.push(fill.next().unwrap_or(0));
    }
    Encoded { bytes: out, truncated: bytes.len() > length }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_floating_point_of_known_values() {
        // 1.0 = 0.0625 * 16: X'4110000000000000'; 0.1 = X'4019999A' in the short format; -118.625 = X'C276A000'.
        assert_eq!(hexadecimal(1.0, 56), 0x4110_0000_0000_0000);
        assert_eq!(hexadecimal(0.1, 24) >> 32, 0x4019_999A);
        assert_eq!(hexadecimal(-118.625, 24) >> 32, 0xC276_A000);
        assert_eq!(hexadecimal(0.0, 56), 0);
    }

    #[test]
    fn scaling_reports_lost_digits() {
        let number = Number { value: 12345, digits: 5, scale: 2, signed: false };
        assert_eq!(at_scale(&number, 3), (123450, false));
        assert_eq!(at_scale(&number, 1), (1234, true));
    }
}
