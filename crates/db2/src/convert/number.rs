//! Numbers: from and to the forms of host variables.

use super::{Fault, HostVariable};
use codepage::CodePage;
use le::decimal::{digit_count, power_of_ten};
use le::float::{from_hexadecimal, to_hexadecimal, to_hexadecimal_short};
use le::{Decimal, Rounding};
use sql::VariableType;

/// A number on its way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// `coefficient` times ten to the power of minus `scale`.
    Decimal {
        coefficient: i128,
        scale: i32,
    },
    Float(f64),
}

impl Number {
    pub const fn integer(value: i64) -> Number {
        Number::Decimal { coefficient: value as i128, scale: 0 }
    }

    /// The integer part.
    pub fn to_integer(self) -> Result<i64, Fault> {
        let (value, _) = self.at_scale(0)?;
        i64::try_from(value).map_err(|_| Fault::Overflow)
    }

    pub fn to_float(self) -> f64 {
        match self {
            Number::Float(value) => value,
            Number::Decimal { coefficient, scale } => le::decimal::to_float(&Decimal::new(coefficient, scale)),
        }
    }

    /// The coefficient at this scale; digits beyond it are cut off, and the second value says that there were some.
    pub fn at_scale(self, wanted: i32) -> Result<(i128, bool), Fault> {
        match self {
            Number::Decimal { coefficient, scale } if scale == wanted => Ok((coefficient, false)),
            Number::Decimal { coefficient, scale } if scale < wanted => {
                let zeros = (wanted - scale) as u32;
                if coefficient == 0 {
                    return Ok((0, false));
                }
                if zeros > le::decimal::DIGITS_MAX {
                    return Err(Fault::Overflow);
                }
                let value = coefficient.checked_mul(power_of_ten(zeros) as i128).ok_or(Fault::Overflow)?;
                Ok((value, false))
            }
            Number::Decimal { coefficient, scale } => {
                let places = (scale - wanted) as u32;
                if places > le::decimal::DIGITS_MAX {
                    return Ok((0, coefficient != 0));
                }
                let power = power_of_ten(places) as i128;
                Ok((coefficient / power, coefficient % power != 0))
            }
            Number::Float(value) => {
                let decimal = le::decimal::from_float(value, wanted, Rounding::Truncation).map_err(|_| Fault::Overflow)?;
                Ok((decimal.coefficient, false))
            }
        }
    }

    /// Appends the number as the server's `numeric`. A floating-point number has the digits that tell it apart.
    pub fn put_numeric(self, out: &mut Vec<u8>) -> Result<(), Fault> {
        match self {
            Number::Decimal { coefficient, scale } => put_decimal(coefficient, scale, out),
            Number::Float(value) => match Number::parse(&format!("{value:e}"))? {
                Number::Decimal { coefficient, scale } => put_decimal(coefficient, scale, out),
                Number::Float(_) => Err(Fault::Overflow),
            },
        }
    }

    /// The number that a text is: digits with sign, decimal point and exponent.
    pub fn parse(text: &str) -> Result<Number, Fault> {
        let text = text.trim();
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().map_err(|_| Fault::InvalidNumberText)?),
            None => (text, 0),
        };
        let (negative, digits) = match mantissa.as_bytes().first() {
            Some(b'-') => (true, &mantissa[1..]),
            Some(b'+') => (false, &mantissa[1..]),
            _ => (false, mantissa),
        };
        let (mut coefficient, mut scale, mut point, mut any) = (0i128, 0i32, false, false);
        for byte in digits.bytes() {
            match byte {
                b'0'..=b'9' => {
                    let digit = i128::from(byte - b'0');
                    coefficient = coefficient.checked_mul(10).and_then(|value| value.checked_add(digit)).ok_or(Fault::Overflow)?;
                    scale += i32::from(point);
                    any = true;
                }
                b'.' | b',' if !point => point = true,
                _ => return Err(Fault::InvalidNumberText),
            }
        }
        if !any {
            return Err(Fault::InvalidNumberText);
        }
        let value = if negative { -coefficient } else { coefficient };
        let scale = scale.checked_sub(exponent).filter(|scale| scale.abs() < 1000).ok_or(Fault::Overflow)?;
        Ok(Number::Decimal { coefficient: value, scale })
    }

    /// As Db2 shows it in a character string.
    pub fn text(self) -> String {
        match self {
            Number::Float(value) => format!("{value:E}"),
            Number::Decimal { coefficient, scale } if scale <= 0 => {
                format!("{coefficient}{}", if coefficient == 0 { String::new() } else { "0".repeat(scale.unsigned_abs() as usize) })
            }
            Number::Decimal { coefficient, scale } => {
                let width = scale as usize + 1;
                let digits = format!("{:0width$}", coefficient.unsigned_abs());
                let (whole, fraction) = digits.split_at(digits.len() - scale as usize);
                format!("{}{whole}.{fraction}", if coefficient < 0 { "-" } else { "" })
            }
        }
    }
}

fn put_decimal(coefficient: i128, scale: i32, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (coefficient, scale) = match u16::try_from(scale) {
        Ok(scale) => (coefficient, scale),
        Err(_) => (Number::Decimal { coefficient, scale }.at_scale(0)?.0, 0),
    };
    postgres::binary::encode_numeric(coefficient, scale, out);
    Ok(())
}

/// The number in a host variable.
pub fn load(host: &HostVariable, bytes: &[u8]) -> Result<Number, Fault> {
    let variable = &host.variable;
    let scale = i32::from(variable.scale);
    let coefficient = match variable.kind {
        VariableType::SmallInt => i128::from(i16::from_be_bytes(array(bytes)?)),
        VariableType::Integer => i128::from(i32::from_be_bytes(array(bytes)?)),
        VariableType::BigInt => i128::from(i64::from_be_bytes(array(bytes)?)),
        VariableType::Packed => packed(bytes)?,
        VariableType::Zoned { signed } => zoned(bytes, signed, host.page.code_page)?,
        VariableType::SignSeparate { leading } => sign_separate(bytes, leading, host.page.code_page)?,
        VariableType::Real => return Ok(Number::Float(from_hexadecimal(u64::from(u32::from_be_bytes(array(bytes)?)) << 32))),
        VariableType::Double => return Ok(Number::Float(from_hexadecimal(u64::from_be_bytes(array(bytes)?)))),
        VariableType::IeeeReal => return Ok(Number::Float(f64::from(f32::from_be_bytes(array(bytes)?)))),
        VariableType::IeeeDouble => return Ok(Number::Float(f64::from_be_bytes(array(bytes)?))),
        _ => return Err(Fault::Incompatible),
    };
    Ok(Number::Decimal { coefficient, scale })
}

fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Fault> {
    bytes.try_into().map_err(|_| Fault::Incompatible)
}

/// Digits of a 64-bit integer that always fit.
const DIGITS_64: usize = 18;

fn packed(bytes: &[u8]) -> Result<i128, Fault> {
    let (last, front) = bytes.split_last().ok_or(Fault::InvalidDecimal)?;
    let negative = match last & 0x0F {
        0x0B | 0x0D => true,
        0x0A..=0x0F => false,
        _ => return Err(Fault::InvalidDecimal),
    };
    let nibbles = front.iter().flat_map(|byte| [byte >> 4, byte & 0x0F]).chain([last >> 4]);
    let magnitude = digits(nibbles, 2 * bytes.len() - 1)?;
    Ok(if negative { -magnitude } else { magnitude })
}

fn digits(nibbles: impl Iterator<Item = u8>, count: usize) -> Result<i128, Fault> {
    if count <= DIGITS_64 {
        let mut value = 0u64;
        for digit in nibbles {
            if digit > 9 {
                return Err(Fault::InvalidDecimal);
            }
            value = value * 10 + u64::from(digit);
        }
        return Ok(i128::from(value));
    }
    let mut value = 0i128;
    for digit in nibbles {
        if digit > 9 {
            return Err(Fault::InvalidDecimal);
        }
        value = value.checked_mul(10).and_then(|value| value.checked_add(i128::from(digit))).ok_or(Fault::Overflow)?;
    }
    Ok(value)
}

fn zoned(bytes: &[u8], signed: bool, page: &CodePage) -> Result<i128, Fault> {
    let last = *bytes.last().ok_or(Fault::InvalidDecimal)?;
    let magnitude = digits(bytes.iter().map(|byte| byte & 0x0F), bytes.len())?;
    let zone = last & 0xF0;
    let negative = signed && (zone == page.zone_minus || (page.is_ebcdic() && zone == 0xB0));
    Ok(if negative { -magnitude } else { magnitude })
}

fn sign_separate(bytes: &[u8], leading: bool, page: &CodePage) -> Result<i128, Fault> {
    let (sign, body) = if leading { bytes.split_first() } else { bytes.split_last() }.ok_or(Fault::InvalidDecimal)?;
    if *sign != page.plus && *sign != page.minus {
        return Err(Fault::InvalidDecimal);
    }
    let magnitude = digits(body.iter().map(|byte| byte & 0x0F), body.len())?;
    Ok(if *sign == page.minus { -magnitude } else { magnitude })
}

/// Appends the number in the form of a host variable.
pub fn store(host: &HostVariable, number: Number, out: &mut Vec<u8>) -> Result<(), Fault> {
    let variable = &host.variable;
    match variable.kind {
        VariableType::Real => {
            out.extend_from_slice(&to_hexadecimal_short(number.to_float()).ok_or(Fault::Overflow)?.to_be_bytes());
            return Ok(());
        }
        VariableType::Double => {
            out.extend_from_slice(&to_hexadecimal(number.to_float()).ok_or(Fault::Overflow)?.to_be_bytes());
            return Ok(());
        }
        VariableType::IeeeReal => {
            let value = number.to_float() as f32;
            out.extend_from_slice(&Some(value).filter(|value| value.is_finite()).ok_or(Fault::Overflow)?.to_be_bytes());
            return Ok(());
        }
        VariableType::IeeeDouble => {
            out.extend_from_slice(&number.to_float().to_be_bytes());
            return Ok(());
        }
        _ => {}
    }
    let (value, _) = number.at_scale(i32::from(variable.scale))?;
    let digits = usize::from(variable.precision);
    match variable.kind {
        VariableType::SmallInt => out.extend_from_slice(&i16::try_from(value).map_err(|_| Fault::Overflow)?.to_be_bytes()),
        VariableType::Integer => out.extend_from_slice(&i32::try_from(value).map_err(|_| Fault::Overflow)?.to_be_bytes()),
        VariableType::BigInt => out.extend_from_slice(&i64::try_from(value).map_err(|_| Fault::Overflow)?.to_be_bytes()),
        VariableType::Packed => put_packed(value, digits, out)?,
        VariableType::Zoned { signed } => put_zoned(value, digits, signed, host.page.code_page, out)?,
        VariableType::SignSeparate { leading } => put_sign_separate(value, digits, leading, host.page.code_page, out)?,
        _ => return Err(Fault::Incompatible),
    }
    Ok(())
}

/// Most digits of a decimal host variable.
const DIGITS_MAX: usize = 38;

/// The digits of a magnitude, right-adjusted; too many of them overflow.
fn digits_of(value: i128, count: usize) -> Result<[u8; DIGITS_MAX], Fault> {
    let mut rest = value.unsigned_abs();
    if digit_count(rest) as usize > count.min(DIGITS_MAX) {
        return Err(Fault::Overflow);
    }
    let mut places = [0u8; DIGITS_MAX];
    for place in places.iter_mut().rev() {
        if rest == 0 {
            break;
        }
        match u64::try_from(rest) {
            Ok(small) => (*place, rest) = ((small % 10) as u8, u128::from(small / 10)),
            Err(_) => (*place, rest) = ((rest % 10) as u8, rest / 10),
        }
    }
    Ok(places)
}

fn put_packed(value: i128, count: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let places = digits_of(value, count)?;
    let sign = if value < 0 { 0x0D } else { 0x0C };
    // An even number of digits leaves the first half byte zero.
    let length = count / 2 + 1;
    let nibble = |index: usize| if index < 2 * length - 1 { digit_at(&places, 2 * length - 1 - index) } else { sign };
    out.extend((0..length).map(|byte| nibble(2 * byte) << 4 | nibble(2 * byte + 1)));
    Ok(())
}

/// The digit so many places from the right; the last is 1.
fn digit_at(places: &[u8; DIGITS_MAX], from_right: usize) -> u8 {
    DIGITS_MAX.checked_sub(from_right).map_or(0, |index| places[index])
}

fn put_zoned(value: i128, count: usize, signed: bool, page: &CodePage, out: &mut Vec<u8>) -> Result<(), Fault> {
    let places = digits_of(value, count)?;
    out.extend((0..count).map(|index| page.zone | digit_at(&places, count - index)));
    if signed && let Some(last) = out.last_mut() {
        *last = *last & 0x0F | if value < 0 { page.zone_minus } else { page.zone_plus };
    }
    Ok(())
}

fn put_sign_separate(value: i128, count: usize, leading: bool, page: &CodePage, out: &mut Vec<u8>) -> Result<(), Fault> {
    let sign = if value < 0 { page.minus } else { page.plus };
    if leading {
        out.push(sign);
    }
    put_zoned(value, count, false, page, out)?;
    if !leading {
        out.push(sign);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Page;
    use super::*;
    use sql::Variable;

    fn host(kind: VariableType, precision: u8, scale: i8) -> HostVariable {
        let variable = Variable { name: "V".into(), ..Variable::single(kind, u32::from(precision), precision, scale) };
        HostVariable { variable, page: Page::of(37) }
    }

    #[test]
    fn every_form_returns_as_it_was() {
        let kinds = [
            (VariableType::SmallInt, 4),
            (VariableType::Integer, 9),
            (VariableType::BigInt, 18),
            (VariableType::Packed, 15),
            (VariableType::Packed, 31),
            (VariableType::Packed, 4),
            (VariableType::Zoned { signed: true }, 9),
            (VariableType::SignSeparate { leading: true }, 9),
            (VariableType::SignSeparate { leading: false }, 9),
        ];
        for (kind, precision) in kinds {
            let host = host(kind, precision, 2);
            for value in [0, 1, -1, 9999, -1234] {
                let mut bytes = Vec::new();
                store(&host, Number::Decimal { coefficient: value, scale: 2 }, &mut bytes).unwrap();
                assert_eq!(bytes.len(), host.bytes_max(), "{kind:?}");
                assert_eq!(load(&host, &bytes), Ok(Number::Decimal { coefficient: value, scale: 2 }), "{kind:?}");
            }
        }
    }

    #[test]
    fn packed_bytes_are_those_of_the_host() {
        let mut bytes = Vec::new();
        store(&host(VariableType::Packed, 5, 2), Number::Decimal { coefficient: -12_345, scale: 2 }, &mut bytes).unwrap();
        assert_eq!(bytes, [0x12, 0x34, 0x5D]);
        assert_eq!(store(&host(VariableType::Packed, 4, 2), Number::integer(100), &mut bytes), Err(Fault::Overflow));
        assert_eq!(load(&host(VariableType::Packed, 3, 0), &[0x40, 0x40]), Err(Fault::InvalidDecimal));
        assert_eq!(load(&host(VariableType::Packed, 3, 0), &[0x12, 0x3F]), Ok(Number::integer(123)));
    }

    #[test]
    fn texts_and_numbers() {
        assert_eq!(Number::parse(" -12.50 "), Ok(Number::Decimal { coefficient: -1250, scale: 2 }));
        assert_eq!(Number::parse("1E3").unwrap().to_integer(), Ok(1000));
        assert_eq!(Number::parse("1x"), Err(Fault::InvalidNumberText));
        assert_eq!(Number::Decimal { coefficient: -5, scale: 2 }.text(), "-0.05");
    }
}
