//! Running numeric edit programs.

use super::program::*;
use crate::code_page::CodePage;
use crate::decimal::digit_count;
use crate::numeric::zoned;

/// Copies short areas byte by word, without a call.
#[inline(always)]
unsafe fn copy_short(source: *const u8, target: *mut u8, length: usize) {
    if length >= 16 {
        std::ptr::copy_nonoverlapping(source, target, length);
    } else if length >= 8 {
        let first = source.cast::<[u8; 8]>().read();
        let last = source.add(length - 8).cast::<[u8; 8]>().read();
        target.cast::<[u8; 8]>().write(first);
        target.add(length - 8).cast::<[u8; 8]>().write(last);
    } else {
        for index in 0..length {
            *target.add(index) = *source.add(index);
        }
    }
}

#[inline(always)]
fn digits_of(magnitude: u128) -> u32 {
    match u64::try_from(magnitude) {
        Ok(short) => {
            let bits = 64 - short.leading_zeros();
            let estimate = bits * 1233 >> 12;
            estimate + u32::from(short >= crate::decimal::POWERS_SHORT[estimate as usize])
        }
        Err(_) => digit_count(magnitude),
    }
}

/// Edits `magnitude` into `target` of `length` characters (that of the program).
///
/// # Safety
/// `program` must be a numeric edit program and `target` writable for `length` bytes.
pub unsafe fn run(
    program: *const u8,
    magnitude: u128,
    minus: bool,
    target: *mut u8,
    length: usize,
    blank_when_zero: bool,
    page: &CodePage,
) {
    let byte = |offset: usize| *program.add(offset);
    let flags = byte(FLAGS);
    let digits = byte(DIGITS) as usize;
    let currency_length = byte(CURRENCY_LENGTH) as usize;
    let positions = program.add(FIXED);
    let template = positions.add(digits + currency_length);
    let length = length.min(byte(LENGTH) as usize);
    if magnitude == 0 && (blank_when_zero || flags & ALL_SUPPRESSED != 0) {
        let stars = flags & ASTERISK != 0 && !blank_when_zero;
        target.write_bytes(if stars { page.asterisk } else { page.space }, length);
        if stars && byte(POINT) != NO_POSITION {
            let point = byte(POINT) as usize;
            *target.add(point) = *template.add(point);
        }
        return;
    }
    copy_short(template, target, length);
    let mut text = [0u8; 40];
    zoned::store_digits(text.as_mut_ptr(), digits, magnitude, page.zone);
    for index in 0..digits {
        *target.add(*positions.add(index) as usize) = text[index & 31 | index & 32];
    }
    let limit = byte(LIMIT) as usize;
    let zeros = digits.saturating_sub(digits_of(magnitude) as usize);
    if limit > 0 {
        let start = byte(SUPPRESS_START) as usize;
        let end = if zeros >= limit { byte(SUPPRESS_END) as usize } else { *positions.add(zeros) as usize };
        let fill = if flags & ASTERISK != 0 { page.asterisk } else { page.space };
        for at in start..end {
            *target.add(at) = fill;
        }
        let kind = byte(FLOAT_KIND);
        if kind == FLOAT_CURRENCY {
            let text = positions.add(digits);
            let at = end.saturating_sub(currency_length);
            for index in 0..currency_length {
                *target.add(at + index) = *text.add(index);
            }
        } else if kind != SIGN_NONE && end > start {
            *target.add(end - 1) = sign_byte(kind, minus, page);
        }
    }
    place_sign(byte(SIGN_KIND), target.add(byte(SIGN_POSITION) as usize), minus, page);
}

#[inline(always)]
fn sign_byte(kind: u8, minus: bool, page: &CodePage) -> u8 {
    if minus {
        page.minus
    } else if kind == SIGN_PLUS {
        page.plus
    } else {
        page.space
    }
}

#[inline(always)]
unsafe fn place_sign(kind: u8, target: *mut u8, minus: bool, page: &CodePage) {
    match kind {
        SIGN_NONE => {}
        SIGN_PLUS | SIGN_MINUS => *target = sign_byte(kind, minus, page),
        _ if minus => {
            let text = if kind == SIGN_CR { *b"CR" } else { *b"DB" };
            *target = page.ascii(text[0]);
            *target.add(1) = page.ascii(text[1]);
        }
        _ => {}
    }
}

/// The coefficient that `bytes` show: digits at their positions, anything else there counts as zero.
///
/// # Safety
/// `program` must be a numeric edit program.
pub unsafe fn value(program: *const u8, bytes: &[u8], page: &CodePage) -> i128 {
    let digits = *program.add(DIGITS) as usize;
    let mut magnitude = 0i128;
    for index in 0..digits {
        let position = *program.add(FIXED + index) as usize;
        let shown = bytes.get(position).map_or(0, |&byte| byte ^ page.zone);
        magnitude = magnitude * 10 + if shown < 10 { i128::from(shown) } else { 0 };
    }
    let kind = *program.add(SIGN_KIND);
    let minus = match kind {
        SIGN_CR | SIGN_DB => {
            let position = *program.add(SIGN_POSITION) as usize;
            let letter = page.ascii(if kind == SIGN_CR { b'C' } else { b'D' });
            bytes.get(position) == Some(&letter)
        }
        _ => bytes.contains(&page.minus),
    };
    if minus { -magnitude } else { magnitude }
}
