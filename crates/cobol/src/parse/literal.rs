//! Literals and figurative constants.

use super::Parser;
use super::cursor::Parsed;
use crate::lexer::{self, LiteralKind, TokenKind};
use crate::options::Nsymbol;
use crate::program::*;

impl Parser<'_> {
    /// A figurative constant if one is next. `ALL literal` included.
    pub fn figurative(&mut self) -> Option<Figurative> {
        let figurative = match self.word() {
            "ZERO" | "ZEROS" | "ZEROES" => Figurative::Zero,
            "SPACE" | "SPACES" => Figurative::Space,
            "HIGH-VALUE" | "HIGH-VALUES" => Figurative::HighValue,
            "LOW-VALUE" | "LOW-VALUES" => Figurative::LowValue,
            "QUOTE" | "QUOTES" => Figurative::Quote,
            "NULL" | "NULLS" => Figurative::Null,
            "ALL" => return self.all_literal(),
            "" => return None,
            other => {
                let symbolic = self.unit.names.special.get(other)?;
                let crate::names::Special::Symbolic(byte) = symbolic else { return None };
                Figurative::All { bytes: Box::new([*byte]), encoding: LiteralEncoding::CodePage }
            }
        };
        self.advance();
        Some(figurative)
    }

    fn all_literal(&mut self) -> Option<Figurative> {
        let start = self.at;
        self.advance();
        if let TokenKind::Literal(_) = self.token().kind {
            let literal = self.literal()?;
            return match literal.value {
                LiteralValue::Alphanumeric(bytes) if !bytes.is_empty() => {
                    Some(Figurative::All { bytes, encoding: LiteralEncoding::CodePage })
                }
                LiteralValue::National(bytes) if !bytes.is_empty() => Some(Figurative::All { bytes, encoding: LiteralEncoding::National }),
                LiteralValue::Utf8(bytes) if !bytes.is_empty() => Some(Figurative::All { bytes, encoding: LiteralEncoding::Utf8 }),
                _ => Some(Figurative::Space),
            };
        }
        if !self.is_word("ALL")
            && let Some(figurative) = self.figurative()
        {
            return Some(figurative);
        }
        self.at = start;
        None
    }

    /// A literal if one is next: alphanumeric (with `&` concatenation), national, or an unsigned or signed number.
    pub fn literal(&mut self) -> Option<Literal> {
        let span = self.span();
        match &self.token().kind {
            TokenKind::Number(number) => {
                let number = number.clone();
                self.advance();
                Some(Literal { value: self.number_value(&number, false, span), span })
            }
            TokenKind::Plus | TokenKind::Minus => {
                let TokenKind::Number(number) = &self.peek(1).kind else { return None };
                if self.peek(1).spaced {
                    return None;
                }
                let (number, negative) = (number.clone(), matches!(self.token().kind, TokenKind::Minus));
                self.advance();
                self.advance();
                let mut value = self.number_value(&number, negative, span);
                if let LiteralValue::Numeric(number) = &mut value {
                    number.signed = true;
                }
                Some(Literal { value, span })
            }
            TokenKind::Literal(literal) => {
                let literal = literal.clone();
                self.advance();
                let mut value = self.literal_value(&literal);
                while self.is(&TokenKind::Ampersand) {
                    let TokenKind::Literal(next) = &self.peek(1).kind else { break };
                    let next = next.clone();
                    self.advance();
                    self.advance();
                    value = concatenated(value, self.literal_value(&next));
                }
                Some(Literal { value, span })
            }
            _ => None,
        }
    }

    fn literal_value(&mut self, literal: &lexer::Literal) -> LiteralValue {
        match literal.kind {
            LiteralKind::Alphanumeric => LiteralValue::Alphanumeric(self.encoded(&literal.text).into()),
            LiteralKind::NullTerminated => {
                let mut bytes = self.encoded(&literal.text);
                bytes.push(0);
                LiteralValue::Alphanumeric(bytes.into())
            }
            LiteralKind::Hexadecimal | LiteralKind::Boolean => LiteralValue::Alphanumeric(literal.bytes.to_vec().into()),
            LiteralKind::National if self.options.nsymbol == Nsymbol::Dbcs => self.double_byte(&literal.text),
            LiteralKind::National => LiteralValue::National(crate::data::value::Encoder::national(&literal.text).into()),
            LiteralKind::NationalHexadecimal => LiteralValue::National(literal.bytes.to_vec().into()),
            LiteralKind::Dbcs => self.double_byte(&literal.text),
            LiteralKind::Utf8 => LiteralValue::Utf8(unescaped(&literal.text).into_bytes().into()),
            LiteralKind::Utf8Hexadecimal => {
                if std::str::from_utf8(&literal.bytes).is_err() {
                    let span = self.tokens[self.at.saturating_sub(1)].span;
                    self.report.severe(span, "a UX literal must hold valid UTF-8");
                }
                LiteralValue::Utf8(literal.bytes.to_vec().into())
            }
        }
    }

    /// Text in the code page, with a warning if it does not have a character.
    pub fn encoded(&mut self, text: &str) -> Vec<u8> {
        if let Some(missing) = self.encoder.missing(text) {
            let span = self.tokens[self.at.saturating_sub(1)].span;
            let page = self.encoder.page.ccsid;
            self.report.warning(span, format!("code page {page} has no '{missing}': the substitute character stands for it"));
        }
        self.encoder.text(text)
    }

    /// A DBCS literal: the double-byte characters of a mixed code page (Language Reference, "DBCS literals").
    fn double_byte(&mut self, text: &str) -> LiteralValue {
        let span = self.tokens[self.at.saturating_sub(1)].span;
        let page = self.encoder.page;
        let Some(graphic) = page.graphic else {
            let message =
                format!("a DBCS literal needs a code page with double-byte characters, such as CODEPAGE(939); {} has none", page.ccsid);
            self.report.severe(span, message);
            return LiteralValue::Dbcs(vec![page.space; 2 * text.chars().count()].into());
        };
        if let Err(character) = graphic.try_encode(text) {
            self.report.severe(span, format!("'{character}' is not a double-byte character of code page {}", page.ccsid));
        }
        LiteralValue::Dbcs(graphic.encode(text).into())
    }

    fn number_value(&mut self, number: &lexer::Number, negative: bool, span: Span) -> LiteralValue {
        if number.exponent.is_some() {
            let value: f64 = format!("{}e{}", number.text, number.exponent.unwrap_or(0)).parse().unwrap_or_else(|_| {
                let mantissa = number.digits.parse::<f64>().unwrap_or(0.0);
                mantissa * 10_f64.powi(i32::from(number.exponent.unwrap_or(0)) - i32::from(number.scale))
            });
            return LiteralValue::Float(if negative { -value } else { value });
        }
        let limit = usize::from(self.options.digits_max());
        let digits = number.digits.len();
        if digits > limit {
            self.report.severe(span, format!("the literal {} has {digits} digits; the most is {limit}", number.text));
        }
        let magnitude: i128 = number.digits.parse().unwrap_or(0);
        let value = if negative { -magnitude } else { magnitude };
        LiteralValue::Numeric(Number { value, digits: digits.min(38) as u8, scale: number.scale.min(38) as i8, signed: negative })
    }

    /// A literal of a VALUE clause: figurative constants and NULL too.
    pub fn value_literal(&mut self) -> Parsed<Literal> {
        let span = self.span();
        if matches!(self.word(), "NULL" | "NULLS") {
            self.advance();
            return Ok(Literal { value: LiteralValue::Null, span });
        }
        if let Some(figurative) = self.figurative() {
            return Ok(Literal { value: LiteralValue::Figurative(figurative), span });
        }
        // A sign apart from its number is accepted in VALUE.
        if matches!(self.token().kind, TokenKind::Plus | TokenKind::Minus) && matches!(self.peek(1).kind, TokenKind::Number(_)) {
            let negative = matches!(self.token().kind, TokenKind::Minus);
            self.advance();
            if let TokenKind::Number(number) = &self.token().kind {
                let number = number.clone();
                self.advance();
                return Ok(Literal { value: self.number_value(&number, negative, span), span });
            }
        }
        if let Some(number) = self.cics_number() {
            return number;
        }
        match self.literal() {
            Some(literal) => Ok(literal),
            None => self.fail("a literal"),
        }
    }
}

fn concatenated(left: LiteralValue, right: LiteralValue) -> LiteralValue {
    match (left, right) {
        (LiteralValue::Alphanumeric(left), LiteralValue::Alphanumeric(right)) => {
            LiteralValue::Alphanumeric([left.into_vec(), right.into_vec()].concat().into())
        }
        (LiteralValue::Utf8(left), LiteralValue::Utf8(right)) => LiteralValue::Utf8([left.into_vec(), right.into_vec()].concat().into()),
        (LiteralValue::National(left), LiteralValue::National(right)) => {
            LiteralValue::National([left.into_vec(), right.into_vec()].concat().into())
        }
        (left, _) => left,
    }
}

/// A UTF-8 literal with its escapes: `\uhhhh` and `\Uhhhhhhhh` are the character of that code point (Language Reference, "UTF-8 literals").
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = match rest.as_bytes().get(1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let code = rest.get(2..2 + digits).filter(|_| digits > 0).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code.and_then(char::from_u32) {
            Some(character) => {
                out.push(character);
                rest = &rest[2 + digits..];
            }
            None => {
                out.push('\\');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}
