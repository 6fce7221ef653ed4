//! From a host variable to a parameter in binary format: a fullword with the length, then the value.

use super::number::load;
use super::{Fault, HostVariable, Number, datetime, page};
use crate::types::{self, Family, Oid};
use sql::VariableType;

/// Length of a null value.
const NULL: i32 = -1;

pub fn encode_null(out: &mut Vec<u8>) {
    out.extend_from_slice(&NULL.to_be_bytes());
}

/// Appends the parameter. `data` are the bytes of the variable behind its length field. `scratch` is room for text.
pub fn encode(target: Oid, host: &HostVariable, data: &[u8], scratch: &mut Vec<u8>, out: &mut Vec<u8>) -> Result<(), Fault> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let done = value(target, host, data, scratch, out);
    if done.is_err() {
        out.truncate(start);
        return done;
    }
    let length = (out.len() - start - 4) as i32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

fn value(target: Oid, host: &HostVariable, data: &[u8], scratch: &mut Vec<u8>, out: &mut Vec<u8>) -> Result<(), Fault> {
    if host.is_number() {
        return number(target, load(host, data)?, out);
    }
    match types::family(target) {
        Family::Bytes => {
            // Characters beside a column of bytes are the bytes they are.
            out.extend_from_slice(data);
            Ok(())
        }
        Family::Text { fixed } => {
            characters(host, data, out);
            let is_fixed = matches!(host.variable.kind, VariableType::Char | VariableType::Graphic);
            if is_fixed && (fixed || target == postgres::oid::TEXT) {
                // Comparisons ignore blanks at the end.
                let kept = out.iter().rev().take_while(|byte| **byte == b' ').count();
                let floor = out.len() - kept;
                out.truncate(floor);
            }
            Ok(())
        }
        family => {
            scratch.clear();
            characters(host, data, scratch);
            from_text(family, scratch, out)
        }
    }
}

/// Appends the characters of a variable in UTF-8.
fn characters(host: &HostVariable, data: &[u8], out: &mut Vec<u8>) {
    use VariableType::{DbClob, Graphic, NulTerminatedGraphic, VarGraphic};
    let is_graphic = matches!(host.variable.kind, Graphic | VarGraphic | NulTerminatedGraphic | DbClob);
    match is_graphic {
        true => page::to_server(data, graphic_page(host), out),
        false => host.page.to_utf8(data, out),
    }
}

/// The code page of a variable of double-byte characters.
pub(super) fn graphic_page(host: &HostVariable) -> &'static codepage::CodePage {
    match codepage::by_ccsid(host.variable.ccsid) {
        Some(page) if host.variable.ccsid != 0 => page,
        _ => host.page.graphic(),
    }
}

/// Appends what a text is to a type that is not text.
fn from_text(family: Family, text: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
    match family {
        Family::Date => out.extend_from_slice(&datetime::parse_date(text)?.to_be_bytes()),
        Family::Time => out.extend_from_slice(&datetime::parse_time(text)?.to_be_bytes()),
        Family::Timestamp => out.extend_from_slice(&datetime::parse_timestamp(text)?.to_be_bytes()),
        Family::Other => out.extend_from_slice(text),
        Family::Boolean => out.push(u8::from(!matches!(text.first(), None | Some(b'0' | b'f' | b'F' | b'n' | b'N')))),
        _ => {
            let text = std::str::from_utf8(text).map_err(|_| Fault::InvalidNumberText)?;
            let number = Number::parse(text.trim_end_matches(['\0', '\u{1}']))?;
            return into_family(family, number, out);
        }
    }
    Ok(())
}

/// Appends a number as a parameter of this type, without the length.
fn number(target: Oid, number: Number, out: &mut Vec<u8>) -> Result<(), Fault> {
    match types::family(target) {
        Family::Text { .. } | Family::Other => {
            out.extend_from_slice(number.text().as_bytes());
            Ok(())
        }
        family => into_family(family, number, out),
    }
}

fn into_family(family: Family, number: Number, out: &mut Vec<u8>) -> Result<(), Fault> {
    let integer = |number: Number| number.to_integer();
    match family {
        Family::Integer { bytes: 2 } => out.extend_from_slice(&i16::try_from(integer(number)?).map_err(|_| Fault::Overflow)?.to_be_bytes()),
        Family::Integer { bytes: 4 } => out.extend_from_slice(&i32::try_from(integer(number)?).map_err(|_| Fault::Overflow)?.to_be_bytes()),
        Family::Integer { .. } => out.extend_from_slice(&integer(number)?.to_be_bytes()),
        Family::Numeric => number.put_numeric(out)?,
        Family::Float { bytes: 4 } => out.extend_from_slice(&(number.to_float() as f32).to_be_bytes()),
        Family::Float { .. } => out.extend_from_slice(&number.to_float().to_be_bytes()),
        Family::Boolean => out.push(u8::from(integer(number)? != 0)),
        _ => return Err(Fault::Incompatible),
    }
    Ok(())
}
