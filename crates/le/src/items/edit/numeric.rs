//! Runs numeric edit programs.
//!
//! `unsafe` here reads edit programs, and reads and writes edited items: see the parent module.

use super::program::*;
use crate::code_page::CodePage;
use crate::decimal::digit_count;
use crate::numeric::digits::nibbles_to_bytes;
use crate::numeric::zoned;

/// Copies without a call: edited items are short.
#[inline(always)]
unsafe fn copy_short(source: *const u8, target: *mut u8, length: usize) {
    if length >= 8 {
        let mut at = 0;
        while at + 8 <= length {
            target.add(at).cast::<[u8; 8]>().write(source.add(at).cast::<[u8; 8]>().read());
            at += 8;
        }
        target.add(length - 8).cast::<[u8; 8]>().write(source.add(length - 8).cast::<[u8; 8]>().read());
        return;
    }
    for index in 0..length {
        std::ptr::write_volatile(target.add(index), *source.add(index));
    }
}

#[inline(always)]
fn digits_of(magnitude: u128) -> u32 {
    match u64::try_from(magnitude) {
        Ok(short) => {
            let bits = 64 - short.leading_zeros();
            let estimate = (bits * 1233) >> 12;
            estimate + u32::from(short >= crate::decimal::POWERS_SHORT[estimate as usize])
        }
        Err(_) => digit_count(magnitude),
    }
}

/// The digits to be shown, as characters.
pub struct Digits {
    text: [u8; 40],
    /// Where the digits start in `text`.
    start: usize,
    /// Leading zeros.
    zeros: usize,
    is_zero: bool,
}

impl Digits {
    /// Of a magnitude that fits `count` digits.
    pub fn of(magnitude: u128, count: usize, page: &CodePage) -> Digits {
        let mut text = [0u8; 40];
        // SAFETY: `count` is at most 38, the digits of a picture at most 31.
        unsafe { zoned::store_digits(text.as_mut_ptr(), count.min(38), magnitude, page.zone) };
        let zeros = count.saturating_sub(digits_of(magnitude) as usize);
        Digits { text, start: 0, zeros, is_zero: magnitude == 0 }
    }

    /// Of at most fifteen digits in nibble form.
    #[inline(always)]
    pub fn of_short(nibbles: u64, count: usize, page: &CodePage) -> Digits {
        let zones = u64::from_le_bytes([page.zone; 8]);
        let mut text = [0u8; 40];
        text[..8].copy_from_slice(&(nibbles_to_bytes(nibbles >> 32) | zones).to_le_bytes());
        text[8..16].copy_from_slice(&(nibbles_to_bytes(nibbles) | zones).to_le_bytes());
        let used = 16 - nibbles.leading_zeros() as usize / 4;
        Digits { text, start: 16 - count, zeros: count.saturating_sub(used), is_zero: nibbles == 0 }
    }
}

/// Edits digits into `target` of `length` characters (that of the program).
///
/// # Safety
/// `program` must be a numeric edit program with as many digits, and `target` writable for `length` bytes.
#[inline]
pub unsafe fn run(program: *const u8, value: &Digits, minus: bool, target: *mut u8, length: usize, blank_when_zero: bool, page: &CodePage) {
    let byte = |offset: usize| *program.add(offset);
    let flags = byte(FLAGS);
    let digits = byte(DIGITS) as usize;
    let currency_length = byte(CURRENCY_LENGTH) as usize;
    let positions = program.add(FIXED);
    let template = positions.add(digits + currency_length);
    let length = length.min(byte(LENGTH) as usize);
    if value.is_zero && (blank_when_zero || flags & ALL_SUPPRESSED != 0) {
        let stars = flags & ASTERISK != 0 && !blank_when_zero;
        target.write_bytes(if stars { page.asterisk } else { page.space }, length);
        if stars && byte(POINT) != NO_POSITION {
            let point = byte(POINT) as usize;
            *target.add(point) = *template.add(point);
        }
        return;
    }
    copy_short(template, target, length);
    let text = value.text.as_ptr().add(value.start);
    let limit = byte(LIMIT) as usize;
    let suppressed = value.zeros.min(limit);
    for index in suppressed..digits {
        *target.add(*positions.add(index) as usize) = *text.add(index);
    }
    if limit > 0 {
        let start = byte(SUPPRESS_START) as usize;
        let end = if value.zeros >= limit { byte(SUPPRESS_END) as usize } else { *positions.add(suppressed) as usize };
        let fill = if flags & ASTERISK != 0 { page.asterisk } else { page.space };
        fill_short(target.add(start), end.saturating_sub(start), fill);
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

/// Fills an area, usually of a few bytes, without a call.
#[inline(always)]
unsafe fn fill_short(target: *mut u8, length: usize, byte: u8) {
    if length >= 8 {
        let word = [byte; 8];
        let mut at = 0;
        while at + 8 <= length {
            target.add(at).cast::<[u8; 8]>().write(word);
            at += 8;
        }
        target.add(length - 8).cast::<[u8; 8]>().write(word);
        return;
    }
    for index in 0..length {
        std::ptr::write_volatile(target.add(index), byte);
    }
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

/// The coefficient shown by `bytes`: digits at their positions; other characters there count as zero.
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
