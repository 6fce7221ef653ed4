//! Conversion between alphanumeric and national, and functions of UTF-8 and UTF-16 characters.

use super::{Call, Value, ValueKind};
use crate::code_page::{CCSID_1200, CCSID_1208, CodePage, by_ccsid};
use crate::conversion::convert_until_stopped;
use crate::exception::{Exception, Result};
use crate::session::Session;

fn page_argument(call: &Call<'_>, index: usize) -> Result<&'static CodePage> {
    if !call.has(index) {
        return Ok(call.session.code_page);
    }
    let ccsid = u16::try_from(call.integer(index)?).map_err(|_| Exception::FunctionArgument)?;
    by_ccsid(ccsid).ok_or(Exception::FunctionArgument)
}

/// National characters in the code page of the second argument, or of the program.
pub fn display_of(call: &mut Call<'_>) -> Result<Value> {
    let page = page_argument(call, 1)?;
    let value = *call.get(0)?;
    let from = if value.kind == ValueKind::Utf8 { &CCSID_1208 } else { &CCSID_1200 };
    let length = convert(value.bytes(), from, call.buffer, page, call.session)?;
    call.result(ValueKind::Alphanumeric, length)
}

/// Characters in the code page of the second argument, or of the program, as national characters.
pub fn national_of(call: &mut Call<'_>) -> Result<Value> {
    let value = *call.get(0)?;
    let from = if value.kind == ValueKind::Alphanumeric { page_argument(call, 1)? } else { value.page(call.session) };
    let length = convert(value.bytes(), from, call.buffer, &CCSID_1200, call.session)?;
    call.result(ValueKind::National, length)
}

/// Converts the bytes; returns the bytes written.
fn convert(source: &[u8], from: &CodePage, out: &mut [u8], to: &CodePage, session: &Session) -> Result<usize> {
    let (read, written) = convert_until_stopped(source, from, out, to, session)?;
    if read == source.len() { Ok(written) } else { Err(Exception::BufferLength) }
}

/// The encoding of an argument of these functions: alphanumeric arguments hold UTF-8.
fn encoding(value: &Value) -> &'static CodePage {
    if value.kind == ValueKind::National { &CCSID_1200 } else { &CCSID_1208 }
}

/// Width of the well-formed character at the start; `None` if it is malformed.
fn width(bytes: &[u8], page: &CodePage) -> Option<usize> {
    if std::ptr::eq(page, &CCSID_1200) {
        let unit = |at: usize| bytes.get(at..at + 2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
        return match unit(0)? {
            0xD800..=0xDBFF if unit(2).is_some_and(|low| (0xDC00..=0xDFFF).contains(&low)) => Some(4),
            0xD800..=0xDFFF => None,
            _ => Some(2),
        };
    }
    let width = match bytes.first()? {
        0x00..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    std::str::from_utf8(bytes.get(..width)?).ok().map(|_| width)
}

/// Byte offsets of the characters, then the total; stops at malformed input.
fn offset_of(bytes: &[u8], page: &CodePage, character: usize, session: &Session) -> Result<usize> {
    let mut at = 0;
    for _ in 0..character {
        session.check_stop()?;
        at += width(&bytes[at..], page).ok_or(Exception::FunctionArgument)?;
    }
    Ok(at)
}

fn count(bytes: &[u8], page: &CodePage, session: &Session) -> Result<usize> {
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        session.check_stop()?;
        at += width(&bytes[at..], page).ok_or(Exception::FunctionArgument)?;
        count += 1;
    }
    Ok(count)
}

/// Characters (code points) in the argument.
pub fn ulength(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    Ok(Value::integer(count(value.bytes(), encoding(value), call.session)? as i64))
}

fn character_index(call: &Call<'_>, index: usize) -> Result<usize> {
    let position = call.integer(index)?;
    usize::try_from(position - 1).map_err(|_| Exception::FunctionArgument)
}

/// Byte position (1-based) of the n-th character; 0 when there are fewer.
pub fn upos(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    let wanted = character_index(call, 1)?;
    let (bytes, page) = (value.bytes(), encoding(value));
    if wanted >= count(bytes, page, call.session)? {
        return Ok(Value::integer(0));
    }
    Ok(Value::integer(offset_of(bytes, page, wanted, call.session)? as i64 + 1))
}

/// Bytes of the n-th character; 0 when there are fewer.
pub fn uwidth(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    let wanted = character_index(call, 1)?;
    let (bytes, page) = (value.bytes(), encoding(value));
    if wanted >= count(bytes, page, call.session)? {
        return Ok(Value::integer(0));
    }
    let at = offset_of(bytes, page, wanted, call.session)?;
    Ok(Value::integer(width(&bytes[at..], page).unwrap_or(0) as i64))
}

/// Characters from a position, with the count in the third argument.
pub fn usubstr(call: &mut Call<'_>) -> Result<Value> {
    let value = *call.get(0)?;
    let (start, length) = (character_index(call, 1)?, call.integer(2)?);
    let length = usize::try_from(length).map_err(|_| Exception::FunctionArgument)?;
    let (bytes, page) = (value.bytes(), encoding(&value));
    if start + length > count(bytes, page, call.session)? {
        return Err(Exception::FunctionArgument);
    }
    let (from, to) = (offset_of(bytes, page, start, call.session)?, offset_of(bytes, page, start + length, call.session)?);
    Ok(Value::characters(value.kind, &bytes[from..to]))
}

/// Position (in characters of UTF-16, in bytes of UTF-8) of the first character beyond U+FFFF; 0 when there is none.
pub fn usupplementary(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    let (bytes, page) = (value.bytes(), encoding(value));
    let unit = if value.kind == ValueKind::National { 2 } else { 1 };
    let mut at = 0;
    while at < bytes.len() {
        call.session.check_stop()?;
        let width = width(&bytes[at..], page).ok_or(Exception::FunctionArgument)?;
        if width == 4 {
            return Ok(Value::integer((at / unit) as i64 + 1));
        }
        at += width;
    }
    Ok(Value::integer(0))
}

/// 0 if the argument is well formed, else the position of the first malformed element.
pub fn uvalid(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    let (bytes, page) = (value.bytes(), encoding(value));
    let unit = if value.kind == ValueKind::National { 2 } else { 1 };
    let mut at = 0;
    while at < bytes.len() {
        call.session.check_stop()?;
        match width(&bytes[at..], page) {
            Some(width) => at += width,
            None => return Ok(Value::integer((at / unit) as i64 + 1)),
        }
    }
    Ok(Value::integer(0))
}
