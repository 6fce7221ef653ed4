//! An elementary item as text (Language Reference, "Format conversion of elementary data" and "Trimming of generated XML data",
//! which JSON shares).
//!
//! `unsafe` here reads an item of the tree: see the parent module.

use super::pieces::decoded;
use super::{Data, Node, node_flags, suppress};
use crate::attributes::{Attributes, Usage};
use crate::edit::{self, program};
use crate::exception::Result;
use crate::movement::{Figurative, page_of};
use crate::numeric;

/// Significant digits of the external form of COMP-1 and COMP-2 after the decimal point.
const FLOAT4_DECIMALS: usize = 8;
const FLOAT8_DECIMALS: usize = 17;

impl Data<'_> {
    /// The item's value as generated text holds it, trimmed.
    pub(super) unsafe fn text(&self, node: &Node, area: *const u8) -> Result<String> {
        let attributes = self.attributes(node);
        match attributes.usage {
            Usage::Float4 | Usage::Float8 => {
                let value = numeric::load_float(area, &attributes, self.session)?;
                let decimals = if attributes.usage == Usage::Float4 { FLOAT4_DECIMALS } else { FLOAT8_DECIMALS };
                let mut text = [0u8; 40];
                let length = edit::format_float(value, program::SIGN_MINUS, 1, decimals, true, program::SIGN_PLUS, &mut text);
                Ok(String::from_utf8_lossy(&text[..length]).trim().to_string())
            }
            _ if attributes.is_fixed() || matches!(attributes.usage, Usage::Index) => {
                let value = numeric::load(area, &attributes, self.session)?;
                Ok(decimal_text(&value, attributes.scale))
            }
            _ => {
                let bytes = std::slice::from_raw_parts(area, attributes.length as usize);
                let text = decoded(bytes, page_of(&attributes, self.session), self.session)?;
                Ok(trimmed(&text, &attributes, node.has(node_flags::NUMERIC)))
            }
        }
    }

    /// The item's value is one of the figurative constants of a WHEN phrase.
    pub(super) unsafe fn is_any(&self, node: &Node, area: *const u8, constants: u32) -> bool {
        if constants == 0 {
            return false;
        }
        let attributes = self.attributes(node);
        let choices = [
            (suppress::ZERO, Figurative::Zero),
            (suppress::SPACE, Figurative::Space),
            (suppress::LOW_VALUE, Figurative::LowValue),
            (suppress::HIGH_VALUE, Figurative::HighValue),
        ];
        choices.into_iter().any(|(bit, figurative)| {
            let numeric = attributes.is_numeric();
            if constants & bit == 0 {
                return false;
            }
            // Other constants than ZERO are compared with the characters of a numeric item.
            let compared = if numeric && bit != suppress::ZERO { Attributes::alphanumeric(attributes.length) } else { attributes };
            crate::compare::compare_figurative(area, &compared, figurative, self.session) == Ok(std::cmp::Ordering::Equal)
        })
    }
}

/// Sign, at least one integer digit, as many decimals as the item has; no leading zeros.
fn decimal_text(value: &crate::Decimal, scale: i8) -> String {
    let decimals = usize::try_from(scale).unwrap_or(0);
    let mut digits = value.coefficient.unsigned_abs().to_string();
    for _ in value.scale..0 {
        digits.push('0');
    }
    let have = usize::try_from(value.scale).unwrap_or(0);
    digits.extend(std::iter::repeat_n('0', decimals.saturating_sub(have)));
    if digits.len() <= decimals {
        digits.insert_str(0, &"0".repeat(decimals + 1 - digits.len()));
    }
    let point = digits.len() - decimals;
    let whole = digits[..point].trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let sign = if value.is_negative() { "-" } else { "" };
    match decimals {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{}", &digits[point..]),
    }
}

/// Trailing spaces go, or leading ones of a justified item; one space stays of nothing but spaces.
fn trimmed(text: &str, attributes: &Attributes, is_number: bool) -> String {
    if is_number {
        // External floating point: the signs and spaces in front are no part of a number.
        return text.trim().trim_start_matches('+').to_string();
    }
    let cut = if attributes.has(Attributes::JUSTIFIED) { text.trim_start_matches(' ') } else { text.trim_end_matches(' ') };
    if cut.is_empty() && !text.is_empty() { " ".to_string() } else { cut.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decimal;

    #[test]
    fn numbers_lose_leading_zeros_and_keep_their_decimals() {
        // The examples of "Trimming of generated XML data".
        assert_eq!(decimal_text(&Decimal::new(-63435, 3), 3), "-63.435");
        assert_eq!(decimal_text(&Decimal::new(22, 3), 3), "0.022");
        assert_eq!(decimal_text(&Decimal::new(44, 0), 0), "44");
        assert_eq!(decimal_text(&Decimal::new(0, 0), 0), "0");
        // PIC 9(3)PP and PIC PP9(3).
        assert_eq!(decimal_text(&Decimal::new(12, -2), -2), "1200");
        assert_eq!(decimal_text(&Decimal::new(7, 5), 5), "0.00007");
    }
}
