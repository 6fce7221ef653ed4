//! NUMVAL, NUMVAL-C, NUMVAL-F and their tests.
//!
//! Forms (spaces are allowed between all parts): NUMVAL `[+|-] digits[.digits]` or `digits[.digits] [+|-|CR|DB]`; NUMVAL-C also a currency
//! sign before the digits and commas among the integer digits; NUMVAL-F `[+|-] digits[.digits] [E [+|-] digits]`. DECIMAL-POINT IS COMMA
//! exchanges comma and point.

use super::{Call, Value, WINDOW};
use crate::code_page::take;
use crate::decimal::{self, Decimal};
use crate::exception::{Exception, Result};
use crate::session::{Arith, Session};

/// Reads an argument character by character as ASCII (0 for other characters).
struct Scanner<'a> {
    bytes: &'a [u8],
    page: &'static crate::CodePage,
    at: usize,
    /// Characters read.
    position: usize,
    digits: u32,
    scale: i32,
    value: i128,
    minus: bool,
    digits_max: u32,
    point: u8,
    comma: u8,
    session: &'a Session,
}

/// Position (1-based) of the first character in error.
type Scan<T> = std::result::Result<T, usize>;

impl<'a> Scanner<'a> {
    fn new(value: &'a Value, session: &'a Session) -> Scanner<'a> {
        let (point, comma) = if session.decimal_comma { (b',', b'.') } else { (b'.', b',') };
        Scanner {
            bytes: value.bytes(),
            page: value.page(session),
            at: 0,
            position: 0,
            digits: 0,
            scale: 0,
            value: 0,
            minus: false,
            digits_max: if session.arith == Arith::Extend { 31 } else { 18 },
            point,
            comma,
            session,
        }
    }

    /// The next character in upper case; `None` at the end.
    fn peek(&self) -> Option<u8> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let code = take(self.page, &self.bytes[self.at..]).0;
        Some(if code < 128 { (code as u8).to_ascii_uppercase() } else { 0 })
    }

    fn advance(&mut self) {
        if self.at < self.bytes.len() {
            self.at += take(self.page, &self.bytes[self.at..]).1.max(1);
            self.position += 1;
        }
    }

    fn spaces(&mut self) {
        while self.peek() == Some(b' ') && !(self.at.is_multiple_of(WINDOW) && self.session.is_stopped()) {
            self.advance();
        }
    }

    fn error<T>(&self) -> Scan<T> {
        Err(self.position + 1)
    }

    fn accept(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.advance();
        }
        found
    }

    fn leading_sign(&mut self) -> bool {
        if self.accept(b'-') {
            self.minus = true;
            return true;
        }
        self.accept(b'+')
    }

    /// Digits with a decimal point; commas among integer digits when allowed.
    fn number(&mut self, commas: bool) -> Scan<()> {
        let mut after_point = false;
        loop {
            match self.peek() {
                Some(digit @ b'0'..=b'9') => {
                    if self.digits > 0 || digit != b'0' || after_point {
                        self.digits += 1;
                    }
                    if self.digits > self.digits_max {
                        return self.error();
                    }
                    self.value = self.value * 10 + i128::from(digit - b'0');
                    self.scale += i32::from(after_point);
                    self.digits = self.digits.max(1);
                }
                Some(byte) if byte == self.point && !after_point => after_point = true,
                Some(byte) if byte == self.comma && commas && !after_point && self.digits > 0 => {}
                _ => break,
            }
            self.advance();
        }
        if self.digits == 0 { self.error() } else { Ok(()) }
    }

    fn trailing_sign(&mut self) -> Scan<()> {
        match self.peek() {
            Some(b'+') => self.advance(),
            Some(b'-') => {
                self.minus = true;
                self.advance();
            }
            Some(first @ (b'C' | b'D')) => {
                self.advance();
                let second = if first == b'C' { b'R' } else { b'B' };
                if !self.accept(second) {
                    return self.error();
                }
                self.minus = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Scan<Decimal> {
        self.spaces();
        if self.peek().is_some() {
            return self.error();
        }
        Ok(Decimal::new(if self.minus { -self.value } else { self.value }, self.scale))
    }
}

fn plain(value: &Value, session: &Session) -> Scan<Decimal> {
    let mut scan = Scanner::new(value, session);
    scan.spaces();
    let signed = scan.leading_sign();
    scan.spaces();
    scan.number(false)?;
    scan.spaces();
    if !signed {
        scan.trailing_sign()?;
    }
    scan.end()
}

fn with_currency(value: &Value, currency: &[u8], session: &Session) -> Scan<Decimal> {
    let mut scan = Scanner::new(value, session);
    scan.spaces();
    let mut signed = scan.leading_sign();
    scan.spaces();
    if !currency.is_empty() && scan.bytes[scan.at..].starts_with(currency) {
        let end = scan.at + currency.len();
        while scan.at < end {
            scan.advance();
        }
        scan.spaces();
        if !signed {
            signed = scan.leading_sign();
            scan.spaces();
        }
    }
    scan.number(true)?;
    scan.spaces();
    if !signed {
        scan.trailing_sign()?;
    }
    scan.end()
}

/// Decimal and power of ten.
fn with_exponent(value: &Value, session: &Session) -> Scan<(Decimal, i32)> {
    let mut scan = Scanner::new(value, session);
    scan.spaces();
    scan.leading_sign();
    scan.spaces();
    scan.number(false)?;
    scan.spaces();
    let mut exponent = 0;
    if scan.accept(b'E') {
        scan.spaces();
        let minus = scan.accept(b'-');
        if !minus {
            scan.accept(b'+');
        }
        scan.spaces();
        let mut digits = 0;
        while let Some(digit @ b'0'..=b'9') = scan.peek() {
            digits += 1;
            if digits > 4 {
                return scan.error();
            }
            exponent = exponent * 10 + i32::from(digit - b'0');
            scan.advance();
        }
        if digits == 0 {
            return scan.error();
        }
        exponent = if minus { -exponent } else { exponent };
    }
    scan.end().map(|decimal| (decimal, exponent))
}

/// The currency string of NUMVAL-C: the second argument without spaces at its ends, or the program's currency sign.
fn currency<'a>(call: &'a Call<'_>) -> Result<&'a [u8]> {
    if !call.has(1) {
        return Ok(std::slice::from_ref(&call.session.currency));
    }
    let space = call.session.code_page.space;
    let bytes = call.bytes(1)?;
    let first = bytes.iter().position(|&byte| byte != space).unwrap_or(bytes.len());
    let last = bytes.iter().rposition(|&byte| byte != space).map_or(first, |at| at + 1);
    Ok(&bytes[first..last])
}

/// An argument of another form has no defined value; it is treated as zero.
pub fn numval(call: &mut Call<'_>) -> Result<Value> {
    call.bytes(0)?;
    Ok(Value::decimal(plain(call.get(0)?, call.session).unwrap_or(Decimal::ZERO)))
}

pub fn numval_c(call: &mut Call<'_>) -> Result<Value> {
    call.bytes(0)?;
    let value = with_currency(call.get(0)?, currency(call)?, call.session);
    Ok(Value::decimal(value.unwrap_or(Decimal::ZERO)))
}

/// Fixed point when the value fits the intermediate digits, else floating point.
pub fn numval_f(call: &mut Call<'_>) -> Result<Value> {
    call.bytes(0)?;
    let (value, exponent) = with_exponent(call.get(0)?, call.session).unwrap_or((Decimal::ZERO, 0));
    let moved = Decimal::new(value.coefficient, value.scale - exponent);
    let digits = call.session.intermediate_digits() as i32;
    let count = decimal::digit_count(value.coefficient.unsigned_abs()) as i32;
    if moved.scale > digits || count - moved.scale > digits {
        return super::finite(decimal::to_float(&moved));
    }
    let fixed = decimal::at_scale(&moved, moved.scale.max(0), decimal::Rounding::Truncation);
    Ok(Value::decimal(fixed.ok_or(Exception::FunctionArgument)?))
}

fn position<T>(scan: Scan<T>) -> Result<Value> {
    Ok(Value::integer(scan.err().unwrap_or(0) as i64))
}

pub fn test_numval(call: &mut Call<'_>) -> Result<Value> {
    position(plain(call.get(0)?, call.session))
}

pub fn test_numval_c(call: &mut Call<'_>) -> Result<Value> {
    position(with_currency(call.get(0)?, currency(call)?, call.session))
}

pub fn test_numval_f(call: &mut Call<'_>) -> Result<Value> {
    position(with_exponent(call.get(0)?, call.session))
}
