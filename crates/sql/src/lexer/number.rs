//! Numeric constants.

use super::scan::{Scanner, starts_word};
use super::{Literal, TokenKind};
use crate::problem::Problem;

impl Scanner<'_> {
    /// An integer, a decimal number or a floating-point number. The unit of a length, as in `1M`, is a word of its own.
    pub(super) fn number(&mut self) -> Result<TokenKind, Problem> {
        let offset = self.at;
        let mut digits = self.take_while(|c| c.is_ascii_digit()).to_string();
        let mut decimal = false;
        if self.at_point() {
            decimal = true;
            self.at += 1;
            digits.push('.');
            digits.push_str(self.take_while(|c| c.is_ascii_digit()));
        }
        if let Some(exponent) = self.exponent() {
            return Ok(TokenKind::Literal(Literal::Float(format!("{digits}E{exponent}"))));
        }
        let unit = self.rest().starts_with(['K', 'k', 'M', 'm', 'G', 'g']) && !self.rest()[1..].starts_with(super::scan::continues_word);
        if (decimal || !unit) && self.peek().is_some_and(starts_word) {
            let text = &self.text[offset..self.at];
            let bad = format!("{text}{}", self.take_while(super::scan::continues_word));
            return Err(Problem::new(-103, "42604", offset, &[&bad], format!("{bad} is not a numeric constant")));
        }
        Ok(TokenKind::Literal(if decimal { Literal::Decimal(digits) } else { Literal::Integer(digits) }))
    }

    /// The next character is the decimal point; with a decimal comma, a comma is one if a digit follows it.
    fn at_point(&self) -> bool {
        let mut characters = self.rest().chars();
        match characters.next() {
            Some('.') => true,
            Some(',') => self.comma_is_point() && characters.next().is_some_and(|c| c.is_ascii_digit()),
            _ => false,
        }
    }

    /// `E`, a sign and digits.
    fn exponent(&mut self) -> Option<String> {
        let rest = self.rest().strip_prefix(['E', 'e'])?;
        let (sign, digits) = match rest.chars().next()? {
            sign @ ('+' | '-') => (Some(sign), &rest[1..]),
            _ => (None, rest),
        };
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        if length == 0 {
            return None;
        }
        self.at += 1 + usize::from(sign.is_some()) + length;
        Some(format!("{}{}", if sign == Some('-') { "-" } else { "" }, &digits[..length]))
    }
}
