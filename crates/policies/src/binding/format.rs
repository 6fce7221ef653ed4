//! How the items of an event are formatted: text, numeric, scientific.
//!
//! Source: CICS TS 5.5, "CICS flattened event (CFE) data formats": text is left-justified and padded with blanks, or cut; numeric is
//! right-justified with leading zeros, or asterisks if the length is too short; a mantissa that is cut is not rounded. That a numeric item of
//! a type with a sign begins with the sign is unverified. Invariant: the result of an item with a length has that length.

use super::value::{Kind, Value};
use region::code_page::RegionCodePage;

/// The form of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Text,
    Numeric,
    Scientific,
}

const FORMS: [(&str, Form); 3] = [("text", Form::Text), ("numeric", Form::Numeric), ("scientific", Form::Scientific)];
/// Digits of a fraction that no number of the types exceeds.
const FRACTION_DIGITS_MAX: usize = 40;
/// Most digits behind the point of a mantissa, of short and of long numbers.
const MANTISSA_DIGITS: [usize; 2] = [6, 15];
/// The characters of a number in scientific form besides the digits behind its point: sign, digit, point, exponent.
const SCIENTIFIC_CHARACTERS: usize = 8;

impl Form {
    pub fn find(name: &str) -> Option<Form> {
        FORMS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
    }

    pub fn name(self) -> &'static str {
        FORMS.iter().find(|(_, form)| *form == self).map_or("", |(name, _)| name)
    }
}

/// An item of a business event.
#[derive(Clone, Debug)]
pub struct Layout {
    pub form: Form,
    /// Zero: as long as its field needs.
    pub length: usize,
    pub precision: usize,
}

/// The field that is captured.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub kind: Kind,
    pub length: usize,
    /// Digits behind the decimal point.
    pub precision: usize,
}

impl Field {
    /// Characters of any length.
    pub const CHARACTERS: Field = Field { kind: Kind::Char, length: 0, precision: 0 };
}

impl Layout {
    /// The formatted value, in characters of the region. `None`: there is no value.
    pub fn format(&self, page: &RegionCodePage, field: Field, value: Option<&Value>) -> Vec<u8> {
        let length = if self.length == 0 { self.own_length(field, value) } else { self.length };
        let blank = page.space();
        let mut out = match value {
            None if self.form == Form::Text => Vec::new(),
            None => return stars(page, length),
            Some(Value::Text(bytes)) if self.form == Form::Text => bytes.clone(),
            Some(Value::Text(bytes)) => match right_justified(bytes, page.encode("0"), length) {
                Some(bytes) => bytes,
                None => return stars(page, length),
            },
            Some(value) => {
                let Some(text) = self.number(field, value, length) else { return stars(page, length) };
                page.encode(&text)
            }
        };
        out.resize(length, blank);
        out
    }

    /// The length of an item without one: that of its field.
    fn own_length(&self, field: Field, value: Option<&Value>) -> usize {
        let of_value = match value {
            Some(Value::Text(bytes)) => bytes.len(),
            Some(Value::Hex(bytes)) => 2 * bytes.len(),
            _ => 0,
        };
        match (field.kind, self.form) {
            (kind, Form::Scientific) if kind.is_float() && self.precision == 0 => {
                MANTISSA_DIGITS[usize::from(field.length == 8)] + SCIENTIFIC_CHARACTERS
            }
            (_, Form::Scientific) => self.precision + SCIENTIFIC_CHARACTERS,
            (kind, _) if kind.is_text() && field.length > 0 => field.length * if matches!(kind, Kind::Hex | Kind::HexZ) { 2 } else { 1 },
            (kind, _) if kind.is_text() => of_value,
            (kind, _) if kind.is_float() => match value {
                Some(value) => self.number(field, value, 0).map_or(1, |text| text.len()),
                None => 1,
            },
            (kind, _) => {
                let whole = kind.digits(field.length).saturating_sub(field.precision).max(1);
                let fraction = if self.precision > 0 { self.precision + 1 } else { 0 };
                whole + fraction + usize::from(kind.is_signed())
            }
        }
    }

    /// The characters of a number or of bytes; `None`: they do not fit. Without a length they do.
    fn number(&self, field: Field, value: &Value, length: usize) -> Option<String> {
        match (value, self.form) {
            (Value::Hex(bytes), _) => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                if self.form == Form::Text || length == 0 {
                    return Some(digits.chars().take(if length == 0 { digits.len() } else { length }).collect());
                }
                justified("", &digits, length)
            }
            (Value::Float(number), Form::Scientific) => {
                Some(scientific(*number, self.mantissa_digits(field, length))).filter(|text| fits(text, length))
            }
            (Value::Float(number), form) => self.plain(form, true, &fixed(*number, self.precision), *number < 0.0, length),
            (Value::Number(number), Form::Scientific) => {
                let number = *number as f64 / 10f64.powi(field.precision as i32);
                Some(scientific(number, self.mantissa_digits(field, length))).filter(|text| fits(text, length))
            }
            (Value::Number(number), form) => self.plain(
                form,
                field.kind.is_signed(),
                &decimal(number.unsigned_abs(), field.precision, self.precision),
                *number < 0,
                length,
            ),
            (Value::Text(_), _) => None,
        }
    }

    fn mantissa_digits(&self, field: Field, length: usize) -> usize {
        let digits = if self.precision == 0 { MANTISSA_DIGITS[usize::from(field.length == 8)] } else { self.precision };
        if length == 0 { digits } else { digits.min(length.saturating_sub(SCIENTIFIC_CHARACTERS)) }
    }

    /// A number with its sign: in front of the zeros if it is numeric.
    fn plain(&self, form: Form, is_signed: bool, digits: &str, is_negative: bool, length: usize) -> Option<String> {
        if form == Form::Text {
            let text = format!("{}{digits}", if is_negative { "-" } else { "" });
            return Some(text.chars().take(if length == 0 { usize::MAX } else { length }).collect());
        }
        let sign = match (is_signed, is_negative) {
            (false, _) => "",
            (true, true) => "-",
            (true, false) => "+",
        };
        let length = if length == 0 { sign.len() + digits.len() } else { length };
        justified(sign, digits, length)
    }
}

fn fits(text: &str, length: usize) -> bool {
    length == 0 || text.len() <= length
}

fn stars(page: &RegionCodePage, length: usize) -> Vec<u8> {
    page.encode(&"*".repeat(length))
}

fn justified(sign: &str, digits: &str, length: usize) -> Option<String> {
    let zeros = length.checked_sub(sign.len() + digits.len())?;
    Some(format!("{sign}{}{digits}", "0".repeat(zeros)))
}

fn right_justified(bytes: &[u8], zero: Vec<u8>, length: usize) -> Option<Vec<u8>> {
    let zeros = length.checked_sub(bytes.len())?;
    Some(zero.iter().copied().cycle().take(zeros).chain(bytes.iter().copied()).collect())
}

/// A decimal number of this scale with as many digits behind its point as asked for; what is too much is cut.
fn decimal(number: u128, scale: usize, precision: usize) -> String {
    let digits = format!("{number:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    with_fraction(whole, fraction, precision)
}

fn with_fraction(whole: &str, fraction: &str, precision: usize) -> String {
    if precision == 0 {
        return whole.to_string();
    }
    let fraction: String = fraction.chars().chain(std::iter::repeat('0')).take(precision).collect();
    format!("{whole}.{fraction}")
}

/// A floating-point number without its sign. Without a precision it has the digits that it needs.
fn fixed(number: f64, precision: usize) -> String {
    if !number.is_finite() {
        return unusual(number.abs());
    }
    if precision == 0 {
        return format!("{}", number.abs());
    }
    let text = format!("{:.FRACTION_DIGITS_MAX$}", number.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    with_fraction(whole, fraction, precision)
}

fn unusual(number: f64) -> String {
    let name = if number.is_nan() { "NaN" } else { "INF" };
    format!("{}{name}", if number < 0.0 { "-" } else { "" })
}

/// `+d.dddE+ddd`.
fn scientific(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        return unusual(number);
    }
    let sign = if number.is_sign_negative() { '-' } else { '+' };
    let text = format!("{:.FRACTION_DIGITS_MAX$e}", number.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{}E{exponent_sign}{:03}", with_fraction(whole, fraction, digits), exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(form: Form, (length, precision): (usize, usize), field: (Kind, usize, usize), value: Option<Value>) -> String {
        let page = RegionCodePage::new(RegionCodePage::by_ccsid(1140).unwrap());
        let field = Field { kind: field.0, length: field.1, precision: field.2 };
        let bytes = Layout { form, length, precision }.format(&page, field, value.as_ref());
        page.text(&bytes)
    }

    fn text(text: &str) -> Option<Value> {
        Some(Value::Text(RegionCodePage::new(RegionCodePage::by_ccsid(1140).unwrap()).encode(text)))
    }

    #[test]
    fn characters_are_justified_cut_or_asterisks() {
        let of = |form, length, value: &str| formatted(form, (length, 0), (Kind::Char, value.len(), 0), text(value));
        assert_eq!(of(Form::Text, 6, "ABC"), "ABC   ");
        assert_eq!(of(Form::Text, 2, "ABC"), "AB");
        assert_eq!(of(Form::Text, 0, "ABC"), "ABC");
        assert_eq!(of(Form::Numeric, 5, "123"), "00123");
        assert_eq!(of(Form::Numeric, 2, "123"), "**");
        assert_eq!(formatted(Form::Text, (0, 0), (Kind::Hex, 2, 0), Some(Value::Hex(vec![0x0A, 0xFF]))), "0AFF");
        assert_eq!(formatted(Form::Text, (3, 0), (Kind::Char, 3, 0), None), "   ");
        assert_eq!(formatted(Form::Numeric, (3, 0), (Kind::Packed, 2, 0), None), "***");
    }

    #[test]
    fn numbers_have_their_sign_zeros_and_point() {
        let packed = |form, layout, scale, number| formatted(form, layout, (Kind::Packed, 4, scale), Some(Value::Number(number)));
        assert_eq!(packed(Form::Numeric, (8, 0), 0, 123), "+0000123");
        assert_eq!(packed(Form::Numeric, (8, 2), 2, -12_345), "-0123.45");
        assert_eq!(packed(Form::Numeric, (8, 1), 2, 199), "+00001.9");
        assert_eq!(packed(Form::Numeric, (3, 0), 0, 123), "***");
        assert_eq!(packed(Form::Numeric, (0, 2), 2, 5), "+00000.05");
        assert_eq!(packed(Form::Text, (8, 0), 0, -7), "-7      ");
        let half = |number| formatted(Form::Numeric, (0, 0), (Kind::UnsignedHalf, 2, 0), Some(Value::Number(number)));
        assert_eq!(half(42), "00042");
    }

    #[test]
    fn floating_point_is_cut_and_not_rounded() {
        let float = |form, layout, length, number| formatted(form, layout, (Kind::FloatHex, length, 0), Some(Value::Float(number)));
        assert_eq!(float(Form::Scientific, (0, 0), 4, 1000.0), "+1.000000E+003");
        assert_eq!(float(Form::Scientific, (0, 0), 8, -1.25).len(), 23);
        assert_eq!(float(Form::Scientific, (0, 2), 8, -1.259), "-1.25E+000");
        assert_eq!(float(Form::Numeric, (9, 2), 8, 12.349), "+00012.34");
        assert_eq!(float(Form::Text, (6, 1), 8, -2.55), "-2.5  ");
        assert_eq!(float(Form::Text, (4, 1), 8, f64::NEG_INFINITY), "-INF");
    }
}
