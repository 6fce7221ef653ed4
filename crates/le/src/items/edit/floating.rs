//! External floating point (USAGE DISPLAY, PICTURE +9.9(5)E+99): mantissa, E, two-digit exponent.
//!
//! `unsafe` here reads and writes edited items: see the parent module.

use super::program::*;
use crate::attributes::Attributes;
use crate::decimal::{POWERS_SHORT, StackText};
use crate::exception::{Exception, Result};
use crate::float;
use crate::session::Session;

const LENGTH_MAX: usize = 40;

/// Writes a value according to the picture; the mantissa is rounded in its low-order position.
///
/// # Safety
/// `target` must be writable for its length and `attributes.edit` name a program of the session's pool.
pub unsafe fn edit_float(value: f64, target: *mut u8, attributes: &Attributes, session: &Session) {
    let program = session.edit_programs.add(attributes.edit as usize);
    let page = session.code_page;
    let comma = if session.decimal_comma { page.comma } else { page.period };
    let (integers, decimals) = (*program.add(FLOAT_INTEGERS) as usize, *program.add(FLOAT_DECIMALS) as usize);
    let mut out = [0u8; LENGTH_MAX];
    let length = format(
        value,
        *program.add(FLOAT_SIGN),
        integers,
        decimals,
        *program.add(FLOAT_POINT) == 1,
        *program.add(FLOAT_EXPONENT_SIGN),
        &mut out,
    );
    let length = length.min(attributes.length as usize);
    for (index, &byte) in out[..length].iter().enumerate() {
        *target.add(index) = if byte == b'.' { comma } else { page.ascii(byte) };
    }
}

/// The same in ASCII into a buffer; returns the length. DISPLAY also uses it for COMP-1 and COMP-2.
pub fn format(value: f64, sign: u8, integers: usize, decimals: usize, point: bool, exponent_sign: u8, out: &mut [u8; LENGTH_MAX]) -> usize {
    let digits = (integers + decimals).clamp(1, 18);
    let (mantissa, exponent) = float::significant(value, digits as u32);
    // 0.ddd * 10^exponent is dd.d * 10^(exponent - integers).
    let shown = if mantissa == 0 { 0 } else { exponent - integers as i32 };
    let mut at = 0;
    let mut put = |byte: u8| {
        if at < LENGTH_MAX {
            out[at] = byte;
            at += 1;
        }
    };
    let sign_of = |kind: u8, minus: bool| {
        if minus {
            b'-'
        } else if kind == SIGN_PLUS {
            b'+'
        } else {
            b' '
        }
    };
    put(sign_of(sign, value < 0.0));
    for index in 0..digits {
        if index == integers && point {
            put(b'.');
        }
        put(b'0' + (mantissa / POWERS_SHORT[digits - 1 - index] % 10) as u8);
    }
    put(b'E');
    put(sign_of(exponent_sign, shown < 0));
    let shown = shown.unsigned_abs().min(99) as u8;
    put(b'0' + shown / 10);
    put(b'0' + shown % 10);
    at
}

/// The value that an external floating-point item shows.
///
/// # Safety
/// `area` must be readable for its length and `attributes.edit` name a program of the session's pool.
pub unsafe fn deedit_float(area: *const u8, attributes: &Attributes, session: &Session) -> Result<f64> {
    let program = session.edit_programs.add(attributes.edit as usize);
    let decimals = i32::from(*program.add(FLOAT_DECIMALS));
    let actual_point = *program.add(FLOAT_POINT) == 1;
    let bytes = std::slice::from_raw_parts(area, attributes.length as usize);
    let mut text = StackText::new();
    let mut exponent = 0i32;
    let mut exponent_minus = false;
    let mut in_exponent = false;
    for &byte in bytes {
        match session.code_page.to_ascii(byte) {
            digit @ b'0'..=b'9' if in_exponent => exponent = exponent * 10 + i32::from(digit - b'0'),
            b'-' if in_exponent => exponent_minus = true,
            b'E' | b'e' => in_exponent = true,
            b'+' | b' ' => {}
            mantissa @ (b'0'..=b'9' | b'-') if !in_exponent => put(&mut text, mantissa)?,
            b'.' | b',' if !in_exponent => put(&mut text, b'.')?,
            _ => return Err(Exception::Data),
        }
    }
    let exponent = if exponent_minus { -exponent } else { exponent } - if actual_point { 0 } else { decimals };
    let _ = std::fmt::Write::write_fmt(&mut text, format_args!("e{exponent}"));
    text.as_str().parse().map_err(|_| Exception::Data)
}

fn put(text: &mut StackText, byte: u8) -> Result<()> {
    std::fmt::Write::write_char(text, byte as char).map_err(|_| Exception::Data)
}
