//! Functions of characters: case, order, length, trimming, bits.
//!
//! `unsafe` here reads the collating sequence of the session (see the parent module) and fills a local buffer by getrandom.

use super::{Call, Value, ValueKind, WINDOW};
use crate::code_page::{CodePage, take, utf8_width};
use crate::exception::{Exception, Result};
use crate::string::find;

pub fn char(call: &mut Call<'_>) -> Result<Value> {
    let ordinal = call.integer(0)?;
    if !(1..=256).contains(&ordinal) {
        return Err(Exception::FunctionArgument);
    }
    let wanted = (ordinal - 1) as u8;
    let byte = match collating(call) {
        None => wanted,
        Some(ordinals) => ordinals.iter().position(|&other| other == wanted).ok_or(Exception::FunctionArgument)? as u8,
    };
    *call.buffer.get_mut(0).ok_or(Exception::BufferLength)? = byte;
    call.result(ValueKind::Alphanumeric, 1)
}

fn collating<'a>(call: &Call<'a>) -> Option<&'a [u8; 256]> {
    // SAFETY: a non-null collating sequence has 256 ordinals, by the contract of `Session`.
    (!call.session.collating.is_null()).then(|| unsafe { &*call.session.collating })
}

pub fn ord(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    let bytes = value.bytes();
    let ordinal = match (value.kind, bytes) {
        (ValueKind::National, [high, low, ..]) => i64::from(u16::from_be_bytes([*high, *low])),
        (ValueKind::Alphanumeric, [byte, ..]) => match collating(call) {
            None => i64::from(*byte),
            Some(ordinals) => i64::from(ordinals[*byte as usize]),
        },
        (ValueKind::Utf8, [_, ..]) => i64::from(take(value.page(call.session), bytes).0),
        _ => return Err(Exception::FunctionArgument),
    };
    Ok(Value::integer(ordinal + 1))
}

/// In characters for national, else in bytes.
pub fn length(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    let length = if value.kind == ValueKind::National { value.length / 2 } else { value.length };
    Ok(Value::integer(i64::from(length)))
}

pub fn byte_length(call: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(i64::from(call.get(0)?.length)))
}

/// The argument with each character folded; those whose width would change are unchanged.
fn fold(call: &mut Call<'_>, bytewise: fn(&CodePage, &mut [u8]), simple: fn(char) -> char) -> Result<Value> {
    let value = *call.get(0)?;
    let bytes = value.bytes();
    let page = value.page(call.session);
    let target = call.buffer.get_mut(..bytes.len()).ok_or(Exception::BufferLength)?;
    target.copy_from_slice(bytes);
    if value.kind == ValueKind::Alphanumeric && page.is_byte_oriented() {
        for piece in target.chunks_mut(WINDOW) {
            call.session.check_stop()?;
            bytewise(page, piece);
        }
        return call.result(value.kind, bytes.len());
    }
    let mut at = 0;
    while at < bytes.len() {
        call.session.check_stop()?;
        let (code, width) = take(page, &bytes[at..]);
        let folded = char::from_u32(code).map_or(code, |character| simple(character) as u32);
        if folded != code && value.kind == ValueKind::National && folded < 0x10000 && width == 2 {
            target[at..at + 2].copy_from_slice(&(folded as u16).to_be_bytes());
        } else if folded != code && value.kind != ValueKind::National && utf8_width(folded) == width {
            char::from_u32(folded).unwrap_or('?').encode_utf8(&mut target[at..at + width]);
        }
        at += width.max(1);
    }
    call.result(value.kind, bytes.len())
}

fn simple_upper(character: char) -> char {
    let mut upper = character.to_uppercase();
    if upper.len() == 1 { upper.next().unwrap_or(character) } else { character }
}

fn simple_lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    if lower.len() == 1 { lower.next().unwrap_or(character) } else { character }
}

pub fn upper_case(call: &mut Call<'_>) -> Result<Value> {
    fold(call, CodePage::fold_upper, simple_upper)
}

pub fn lower_case(call: &mut Call<'_>) -> Result<Value> {
    fold(call, CodePage::fold_lower, simple_lower)
}

pub fn reverse(call: &mut Call<'_>) -> Result<Value> {
    let value = *call.get(0)?;
    let bytes = value.bytes();
    let page = value.page(call.session);
    let target = call.buffer.get_mut(..bytes.len()).ok_or(Exception::BufferLength)?;
    if value.kind == ValueKind::Alphanumeric {
        for (piece, from) in target.chunks_mut(WINDOW).zip(bytes.rchunks(WINDOW)) {
            call.session.check_stop()?;
            piece.copy_from_slice(from);
            piece.reverse();
        }
        return call.result(value.kind, bytes.len());
    }
    let mut at = 0;
    while at < bytes.len() {
        call.session.check_stop()?;
        let width = take(page, &bytes[at..]).1.max(1).min(bytes.len() - at);
        let to = bytes.len() - at - width;
        target[to..to + width].copy_from_slice(&bytes[at..at + width]);
        at += width;
    }
    call.result(value.kind, bytes.len())
}

/// The argument without spaces at its ends. The result of an argument of spaces only has zero length.
pub fn trim(call: &mut Call<'_>) -> Result<Value> {
    let value = *call.get(0)?;
    let side = call.integer_or(1, 0)?;
    let bytes = value.bytes();
    let space: &[u8] = match value.kind {
        ValueKind::National => &[0x00, 0x20],
        ValueKind::Utf8 => &[0x20],
        _ => std::slice::from_ref(&call.session.code_page.space),
    };
    let mut rest = bytes;
    while side != 1 && rest.ends_with(space) {
        call.session.check_stop()?;
        rest = &rest[..rest.len() - space.len()];
    }
    while side != 2 && rest.starts_with(space) {
        call.session.check_stop()?;
        rest = &rest[space.len()..];
    }
    Ok(Value::characters(value.kind, rest))
}

pub fn concat(call: &mut Call<'_>) -> Result<Value> {
    let kind = call.get(0)?.kind;
    let mut at = 0;
    for index in 0..call.count() {
        call.session.check_stop()?;
        let value = call.arguments[index];
        let bytes = value.bytes();
        call.buffer.get_mut(at..at + bytes.len()).ok_or(Exception::BufferLength)?.copy_from_slice(bytes);
        at += bytes.len();
    }
    call.result(kind, at)
}

/// Position (in characters) of the second argument in the first, 0 when it is not there.
pub fn find_string(call: &mut Call<'_>) -> Result<Value> {
    let options = call.integer_or(2, 0)?;
    let (last, any_case) = (options & 1 == 1, options & 2 == 2);
    let (text, wanted) = (call.get(0)?, call.get(1)?);
    let width = if text.kind == ValueKind::National { 2 } else { 1 };
    let page = text.page(call.session);
    let (bytes, pattern) = (text.bytes(), wanted.bytes());
    if pattern.is_empty() || pattern.len() > bytes.len() {
        return Ok(Value::integer(0));
    }
    let same = |a: &[u8]| {
        if !any_case || width == 2 {
            return a == pattern;
        }
        a.iter().zip(pattern).all(|(&x, &y)| page.upper[x as usize] == page.upper[y as usize])
    };
    let mut positions = 0..(bytes.len() - pattern.len()) / width + 1;
    // A comparison may take a pass over a long pattern.
    let matches = |position: &usize| call.session.is_stopped() || same(&bytes[position * width..position * width + pattern.len()]);
    let found = match (last, any_case && width == 1) {
        (false, false) => find(bytes, pattern, width).map(|at| at / width),
        (true, _) => positions.rfind(matches),
        (false, true) => positions.find(matches),
    };
    Ok(Value::integer(found.map_or(0, |position| position as i64 + 1)))
}

pub fn hex_of(call: &mut Call<'_>) -> Result<Value> {
    expand(call, 2, |byte, index| b"0123456789ABCDEF"[(byte >> (4 * (1 - index)) & 15) as usize])
}

pub fn bit_of(call: &mut Call<'_>) -> Result<Value> {
    expand(call, 8, |byte, index| b'0' + (byte >> (7 - index) & 1))
}

fn expand(call: &mut Call<'_>, factor: usize, digit: fn(u8, usize) -> u8) -> Result<Value> {
    let value = *call.get(0)?;
    let bytes = value.bytes();
    let page = call.session.code_page;
    let target = call.buffer.get_mut(..bytes.len() * factor).ok_or(Exception::BufferLength)?;
    for (index, to) in target.iter_mut().enumerate() {
        if index.is_multiple_of(WINDOW) {
            call.session.check_stop()?;
        }
        *to = page.ascii(digit(bytes[index / factor], index % factor));
    }
    call.result(ValueKind::Alphanumeric, bytes.len() * factor)
}

pub fn hex_to_char(call: &mut Call<'_>) -> Result<Value> {
    collapse(call, 2, 16)
}

pub fn bit_to_char(call: &mut Call<'_>) -> Result<Value> {
    collapse(call, 8, 2)
}

fn collapse(call: &mut Call<'_>, factor: usize, radix: u32) -> Result<Value> {
    let value = *call.get(0)?;
    let bytes = value.bytes();
    if !bytes.len().is_multiple_of(factor) {
        return Err(Exception::FunctionArgument);
    }
    let page = value.page(call.session);
    let count = bytes.len() / factor;
    let target = call.buffer.get_mut(..count).ok_or(Exception::BufferLength)?;
    for (to, group) in target.iter_mut().zip(bytes.chunks_exact(factor)) {
        call.session.check_stop()?;
        let mut byte = 0;
        for &digit in group {
            let digit = (page.to_ascii(digit) as char).to_digit(radix).ok_or(Exception::FunctionArgument)?;
            byte = byte * radix + digit;
        }
        *to = byte as u8;
    }
    call.result(ValueKind::Alphanumeric, count)
}

/// A version 4 UUID: 36 characters, lower case.
pub fn uuid4(call: &mut Call<'_>) -> Result<Value> {
    let mut random = [0u8; 16];
    // SAFETY: the buffer is writable for its length. 16 bytes are always delivered whole.
    let got = unsafe { libc::getrandom(random.as_mut_ptr().cast(), random.len(), 0) };
    if got != random.len() as isize {
        return Err(Exception::FunctionArgument);
    }
    random[6] = random[6] & 0x0F | 0x40;
    random[8] = random[8] & 0x3F | 0x80;
    let mut text = [b'-'; 36];
    let mut at = 0;
    for (index, byte) in random.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            at += 1;
        }
        for half in [byte >> 4, byte & 15] {
            text[at] = b"0123456789abcdef"[half as usize];
            at += 1;
        }
    }
    call.text(&text)
}
