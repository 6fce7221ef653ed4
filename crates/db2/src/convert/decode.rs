//! From a column in binary format to the bytes of a host variable, with its length field.

use super::encode::graphic_page;
use super::number::store;
use super::{ColumnType, DateTimeOptions, FULLWORD, Fault, HALFWORD, HostVariable, Number, TimeFormat, datetime, page};
use crate::types::{self, Family};
use postgres::binary::{self, Numeric};
use sql::VariableType;

/// How a value was stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    /// 0, or the length that the value had before it was cut.
    pub indicator: i16,
    pub truncated: bool,
}

const WHOLE: Stored = Stored { indicator: 0, truncated: false };

/// Appends the bytes of the variable that hold a value which is not null. Fewer than its storage has are appended for varying lengths.
pub fn decode(
    column: ColumnType,
    host: &HostVariable,
    value: &[u8],
    options: DateTimeOptions,
    scratch: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<Stored, Fault> {
    let family = types::family(column.oid);
    if host.is_number() {
        store(host, number_of(family, value)?, out)?;
        return Ok(WHOLE);
    }
    match family {
        Family::Text { .. } | Family::Other => return characters(host, value, out),
        Family::Bytes => return Ok(bits(host, value, out)),
        _ => {}
    }
    scratch.clear();
    let room = characters_max(host);
    let mut truncated = false;
    match family {
        Family::Date if room < datetime::DATE_LENGTH => return Err(Fault::TooShort),
        Family::Date => datetime::put_date(sent(binary::decode_date(value))?, options.date, scratch),
        Family::Time => truncated = time(sent(binary::decode_time(value))?, room, options, scratch)?,
        Family::Timestamp => truncated = timestamp(sent(binary::decode_timestamp(value))?, room, scratch)?,
        Family::Boolean => scratch.push(if sent(binary::decode_bool(value))? { b'1' } else { b'0' }),
        _ => scratch.extend_from_slice(number_of(family, value)?.text().as_bytes()),
    }
    let stored = characters(host, scratch, out)?;
    Ok(Stored { truncated: truncated || stored.truncated, ..stored })
}

/// A value that has the length of its type.
fn sent<T>(value: Option<T>) -> Result<T, Fault> {
    value.ok_or(Fault::Incompatible)
}

fn number_of(family: Family, value: &[u8]) -> Result<Number, Fault> {
    Ok(match family {
        Family::Integer { bytes: 2 } => Number::integer(i64::from(sent(binary::decode_i16(value))?)),
        Family::Integer { bytes: 4 } => Number::integer(i64::from(sent(binary::decode_i32(value))?)),
        Family::Integer { .. } => Number::integer(sent(binary::decode_i64(value))?),
        Family::Numeric => match binary::decode_numeric(value).ok_or(Fault::Incompatible)? {
            Numeric::Decimal { coefficient, scale } => Number::Decimal { coefficient, scale: i32::from(scale) },
            _ => return Err(Fault::Overflow),
        },
        Family::Float { bytes: 4 } => Number::Float(f64::from(sent(binary::decode_f32(value))?)),
        Family::Float { .. } => Number::Float(sent(binary::decode_f64(value))?),
        Family::Boolean => Number::integer(i64::from(sent(binary::decode_bool(value))?)),
        Family::Text { .. } | Family::Other => Number::parse(std::str::from_utf8(value).map_err(|_| Fault::InvalidNumberText)?)?,
        _ => return Err(Fault::Incompatible),
    })
}

/// Most characters (of one byte) of a variable.
fn characters_max(host: &HostVariable) -> usize {
    let length = host.variable.length as usize;
    if host.is_terminated() { length.saturating_sub(1) } else { length }
}

/// Seconds that do not fit are left out, with a warning.
fn time(value: i64, room: usize, options: DateTimeOptions, out: &mut Vec<u8>) -> Result<bool, Fault> {
    datetime::put_time(value, options.time, out);
    if room >= datetime::TIME_LENGTH {
        return Ok(false);
    }
    if room < datetime::TIME_LENGTH_SHORT || options.time == TimeFormat::Usa {
        return Err(Fault::TooShort);
    }
    out.truncate(datetime::TIME_LENGTH_SHORT);
    Ok(true)
}

/// The variable's length decides how many digits of the fraction are given.
fn timestamp(value: i64, room: usize, out: &mut Vec<u8>) -> Result<bool, Fault> {
    if room < datetime::TIMESTAMP_LENGTH_MIN {
        return Err(Fault::TooShort);
    }
    // A point and at least one digit, or nothing.
    let digits = match room {
        0..datetime::TIMESTAMP_LENGTH => (room - datetime::TIMESTAMP_LENGTH_MIN).saturating_sub(1),
        datetime::TIMESTAMP_LENGTH..datetime::TIMESTAMP_LENGTH_MAX => 6,
        _ if room == datetime::TIMESTAMP_LENGTH_MAX => 12,
        _ => 6,
    };
    datetime::put_timestamp(value, digits, out);
    Ok(digits < 6)
}

/// Appends a text in UTF-8 to a variable of characters.
fn characters(host: &HostVariable, text: &[u8], out: &mut Vec<u8>) -> Result<Stored, Fault> {
    let variable = &host.variable;
    let length = variable.length as usize;
    match variable.kind {
        VariableType::Char => {
            let start = out.len();
            host.page.put_text(text, out);
            Ok(fit(start, length, &[host.page.space()], out))
        }
        VariableType::VarChar => Ok(varying(HALFWORD, length, out, |out| host.page.put_text(text, out))),
        VariableType::Clob => Ok(varying(FULLWORD, length, out, |out| host.page.put_text(text, out))),
        VariableType::NulTerminated => {
            let start = out.len();
            host.page.put_text(text, out);
            let had = out.len() - start;
            let room = length.saturating_sub(1);
            out.truncate(start + room);
            out.push(0);
            Ok(cut(had, room))
        }
        VariableType::Graphic => {
            let start = out.len();
            page::from_server(text, graphic_page(host), out);
            Ok(halved(fit(start, 2 * length, &graphic_space(host), out)))
        }
        VariableType::NulTerminatedGraphic => {
            let start = out.len();
            page::from_server(text, graphic_page(host), out);
            let (had, room) = (out.len() - start, 2 * length.saturating_sub(1));
            out.truncate(start + room);
            out.extend_from_slice(&[0; 2]);
            Ok(halved(cut(had, room)))
        }
        VariableType::VarGraphic => Ok(units(HALFWORD, length, host, text, out)),
        VariableType::DbClob => Ok(units(FULLWORD, length, host, text, out)),
        VariableType::Binary | VariableType::VarBinary | VariableType::Blob | VariableType::RowId => Ok(bits(host, text, out)),
        _ => Err(Fault::Incompatible),
    }
}

fn graphic_space(host: &HostVariable) -> [u8; 2] {
    let mut space = Vec::with_capacity(8);
    page::from_server(b" ", graphic_page(host), &mut space);
    if graphic_page(host).encoding == codepage::Encoding::Double {
        return codepage::DOUBLE_BYTE_BLANK.to_be_bytes();
    }
    [space.first().copied().unwrap_or(0), space.get(1).copied().unwrap_or(b' ')]
}

/// Pads or cuts what was appended from `start` on to the length of the variable.
fn fit(start: usize, length: usize, pad: &[u8], out: &mut Vec<u8>) -> Stored {
    let had = out.len() - start;
    (had..length).for_each(|at| out.push(pad[at % pad.len()]));
    out.truncate(start + length);
    cut(had, length)
}

fn cut(had: usize, room: usize) -> Stored {
    if had <= room { WHOLE } else { Stored { indicator: had.min(i16::MAX as usize) as i16, truncated: true } }
}

fn halved(stored: Stored) -> Stored {
    Stored { indicator: stored.indicator / 2, ..stored }
}

/// Appends a length field and what `put` appends, cut to `length`.
fn varying(field: usize, length: usize, out: &mut Vec<u8>, put: impl FnOnce(&mut Vec<u8>)) -> Stored {
    let start = out.len();
    out.resize(start + field, 0);
    put(out);
    let had = out.len() - start - field;
    out.truncate(start + field + length);
    set_length(start, field, had.min(length), out);
    cut(had, length)
}

fn units(field: usize, length: usize, host: &HostVariable, text: &[u8], out: &mut Vec<u8>) -> Stored {
    let start = out.len();
    let stored = varying(field, 2 * length, out, |out| page::from_server(text, graphic_page(host), out));
    let units = (out.len() - start - field) / 2;
    set_length(start, field, units, out);
    halved(stored)
}

fn set_length(start: usize, field: usize, length: usize, out: &mut [u8]) {
    let bytes = (length as u32).to_be_bytes();
    out[start..start + field].copy_from_slice(&bytes[4 - field..]);
}

/// Appends bytes without conversion.
fn bits(host: &HostVariable, value: &[u8], out: &mut Vec<u8>) -> Stored {
    let length = host.variable.length as usize;
    let put = |out: &mut Vec<u8>| out.extend_from_slice(value);
    match host.variable.kind {
        VariableType::VarBinary | VariableType::VarChar | VariableType::VarGraphic => varying(HALFWORD, length, out, put),
        VariableType::RowId => varying(HALFWORD, super::ROWID_BYTES, out, put),
        VariableType::Blob | VariableType::Clob | VariableType::DbClob => varying(FULLWORD, length, out, put),
        VariableType::NulTerminated => {
            let room = length.saturating_sub(1);
            out.extend_from_slice(&value[..value.len().min(room)]);
            out.push(0);
            cut(value.len(), room)
        }
        kind => {
            let start = out.len();
            put(out);
            let pad = if kind == VariableType::Binary { 0 } else { host.page.space() };
            fit(start, host.bytes_max(), &[pad], out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Page, encode};
    use super::*;
    use crate::types::Oid;
    use postgres::oid;
    use sql::Variable;

    fn host(kind: VariableType, length: u32) -> HostVariable {
        HostVariable { variable: Variable { name: "V".into(), ..Variable::single(kind, length, 0, 0) }, page: Page::of(37) }
    }

    fn read(oid: Oid, host: &HostVariable, value: &[u8]) -> (Result<Stored, Fault>, Vec<u8>) {
        let mut out = Vec::new();
        let stored = decode(ColumnType { oid, modifier: -1 }, host, value, DateTimeOptions::default(), &mut Vec::new(), &mut out);
        (stored, out)
    }

    #[test]
    fn characters_are_padded_and_cut() {
        let (stored, bytes) = read(oid::VARCHAR, &host(VariableType::Char, 4), b"AB");
        assert_eq!((stored, bytes), (Ok(WHOLE), vec![0xC1, 0xC2, 0x40, 0x40]));
        let (stored, bytes) = read(oid::VARCHAR, &host(VariableType::Char, 1), b"AB");
        assert_eq!((stored, bytes), (Ok(Stored { indicator: 2, truncated: true }), vec![0xC1]));
        let (stored, bytes) = read(oid::VARCHAR, &host(VariableType::VarChar, 4), b"AB");
        assert_eq!((stored, bytes), (Ok(WHOLE), vec![0, 2, 0xC1, 0xC2]));
        let (stored, bytes) = read(oid::VARCHAR, &host(VariableType::NulTerminated, 2), b"AB");
        assert_eq!((stored, bytes), (Ok(Stored { indicator: 2, truncated: true }), vec![0xC1, 0]));
    }

    #[test]
    fn timestamps_have_the_digits_that_fit() {
        let value = datetime::parse_timestamp(b"2024-02-29-13.05.09.123456").unwrap().to_be_bytes();
        for (length, expected) in
            [(19, "2024-02-29-13.05.09"), (26, "2024-02-29-13.05.09.123456"), (32, "2024-02-29-13.05.09.123456000000")]
        {
            let (stored, bytes) = read(oid::TIMESTAMP, &host(VariableType::Char, length), &value);
            assert_eq!(Page::of(37).text(&bytes), expected);
            assert_eq!(stored.unwrap().truncated, length == 19);
        }
        assert_eq!(read(oid::TIMESTAMP, &host(VariableType::Char, 18), &value).0, Err(Fault::TooShort));
    }

    #[test]
    fn numbers_reach_every_numeric_type() {
        let mut integer = host(VariableType::Integer, 4);
        integer.variable.precision = 9;
        for oid in [oid::INT2, oid::INT4, oid::INT8, oid::NUMERIC, oid::FLOAT4, oid::FLOAT8, oid::VARCHAR] {
            let mut parameter = Vec::new();
            encode(oid, &integer, &(-123i32).to_be_bytes(), &mut Vec::new(), &mut parameter).unwrap();
            assert_eq!(i32::from_be_bytes(parameter[..4].try_into().unwrap()) as usize, parameter.len() - 4);
            let (stored, bytes) = read(oid, &integer, &parameter[4..]);
            assert_eq!((stored, bytes), (Ok(WHOLE), (-123i32).to_be_bytes().to_vec()), "{oid}");
        }
    }
}
