//! The fields of a record: where they are, what they are in the terms of host variables, and the rows they make.

use crate::convert::{HostVariable, Number, Page, encode, encode_null, load_number};
use crate::link::Column;
use crate::types::{self, Family, Oid};
use sql::utility::{Condition, ConditionValue, Field, FieldKind, Format, IntoTable, Load, Place};
use sql::{Variable, VariableType};
use std::cell::RefCell;

/// A field that cannot be loaded, and why.
type Fault = (String, String);

struct Target {
    name: String,
    place: Place,
    /// Number of characters behind the decimal point, if the text has none.
    implied_places: Option<u32>,
    /// A halfword or fullword with the length is in front of the data.
    length_bytes: usize,
    host: HostVariable,
    oid: Option<Oid>,
    null_if: Option<Condition>,
    default_if: Option<Condition>,
}

/// How the records of one table are.
pub struct Layout {
    targets: Vec<Target>,
    when: Vec<Condition>,
    delimiters: Option<(char, char)>,
    page: &'static Page,
    scratch: RefCell<Vec<u8>>,
}

impl Layout {
    pub fn new(load: &Load, into: &IntoTable, columns: &[Column], page: &'static Page) -> Layout {
        let mut rest = columns.iter();
        let targets = if into.fields.is_empty() {
            rest.map(|column| target(&field_of(column), Some(column), page)).collect()
        } else {
            into.fields.iter().map(|field| target(field, if field.is_ignored { None } else { rest.next() }, page)).collect()
        };
        let delimiters = match load.format {
            Format::Delimited { column, character, .. } => Some((column, character)),
            Format::Positional => None,
        };
        Layout { targets, when: into.when.clone(), delimiters, page, scratch: RefCell::default() }
    }

    /// Appends the row that the record is; false if it is none of this table.
    pub fn put_row(&self, record: &[u8], out: &mut Vec<u8>) -> Result<bool, Fault> {
        let columns = self.targets.iter().filter(|target| target.oid.is_some()).count() as u16;
        if let Some((column, character)) = self.delimiters {
            out.extend_from_slice(&columns.to_be_bytes());
            self.put_delimited(record, column, character, out)?;
            return Ok(true);
        }
        let mut places = Vec::with_capacity(self.targets.len());
        let mut next = 0;
        for target in &self.targets {
            let place = target.find(record, next);
            next = place.end;
            places.push(place);
        }
        if !self.when.iter().all(|condition| self.holds(condition, record, &places)) {
            return Ok(false);
        }
        out.extend_from_slice(&columns.to_be_bytes());
        for (target, place) in self.targets.iter().zip(&places) {
            let Some(oid) = target.oid else { continue };
            let is_null =
                |condition: &Option<Condition>| condition.as_ref().is_some_and(|condition| self.holds(condition, record, &places));
            if is_null(&target.null_if) || is_null(&target.default_if) {
                encode_null(out);
                continue;
            }
            let data = record.get(place.clone()).ok_or_else(|| (target.name.clone(), "the record ends within it".to_string()))?;
            self.put(target, oid, data, out)?;
        }
        Ok(true)
    }

    fn put(&self, target: &Target, oid: Oid, data: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        let mut scratch = self.scratch.borrow_mut();
        let fault = |fault| (target.name.clone(), format!("{fault:?}: {}", self.page.text(data)));
        if let Some(places) = target.implied_places {
            let text = self.page.text(data);
            let mut number = Number::parse(&text).map_err(fault)?;
            if let (Number::Decimal { scale, .. }, false) = (&mut number, text.contains(['.', ','])) {
                *scale += places as i32;
            }
            let host = HostVariable { page: Page::of(UTF_8), ..characters(VariableType::VarChar, u32::MAX, self.page) };
            return encode(oid, &host, number.text().as_bytes(), &mut scratch, out).map_err(fault);
        }
        encode(oid, &target.host, data, &mut scratch, out).map_err(fault)
    }

    fn holds(&self, condition: &Condition, record: &[u8], places: &[std::ops::Range<usize>]) -> bool {
        let place = match &condition.place {
            Ok(Place::Between(first, last)) => first.saturating_sub(1) as usize..*last as usize,
            Ok(Place::From(first)) => first.saturating_sub(1) as usize..first.saturating_sub(1) as usize + length_of(&condition.value),
            Ok(Place::Next) => 0..0,
            Err(name) => match self.targets.iter().position(|target| target.name == *name) {
                Some(index) => {
                    let target = &self.targets[index];
                    if target.host.is_number()
                        && let ConditionValue::Text(text) = &condition.value
                    {
                        let data = record.get(places[index].clone()).unwrap_or_default();
                        let equal = load_number(&target.host, data).is_ok_and(|number| Number::parse(text) == Ok(number));
                        return equal == condition.is_equal;
                    }
                    places[index].clone()
                }
                None => 0..0,
            },
        };
        let value = match &condition.value {
            ConditionValue::Bytes(bytes) => bytes.clone(),
            ConditionValue::Text(text) => self.page.code_page.encode(text),
        };
        let data = record.get(place.start.min(record.len())..place.end.min(record.len())).unwrap_or_default();
        let padding = if matches!(condition.value, ConditionValue::Text(_)) { self.page.space() } else { 0 };
        let byte = |bytes: &[u8], index: usize| bytes.get(index).copied().unwrap_or(padding);
        let equal = (0..data.len().max(value.len())).all(|index| byte(data, index) == byte(&value, index));
        equal == condition.is_equal
    }

    fn put_delimited(&self, record: &[u8], column: char, character: char, out: &mut Vec<u8>) -> Result<(), Fault> {
        let mut text = Vec::new();
        self.page.to_utf8(record, &mut text);
        let text = String::from_utf8_lossy(&text);
        let mut fields = split(text.trim_end_matches(' '), column, character).into_iter();
        let host = characters(VariableType::VarChar, u32::MAX, Page::of(UTF_8));
        for target in &self.targets {
            let field = fields.next().flatten();
            let Some(oid) = target.oid else { continue };
            match field {
                None => encode_null(out),
                Some(text) => encode(oid, &host, text.as_bytes(), &mut self.scratch.borrow_mut(), out)
                    .map_err(|fault| (target.name.clone(), format!("{fault:?}: {text}")))?,
            }
        }
        Ok(())
    }
}

const UTF_8: u16 = 1208;

fn length_of(value: &ConditionValue) -> usize {
    match value {
        ConditionValue::Text(text) => text.chars().count(),
        ConditionValue::Bytes(bytes) => bytes.len(),
    }
}

/// The fields between delimiters; `None`: nothing is there, which is NULL.
fn split(text: &str, column: char, character: char) -> Vec<Option<String>> {
    let mut fields = Vec::new();
    let mut rest = text.chars().peekable();
    loop {
        let (mut field, mut quoted, mut any) = (String::new(), false, false);
        while let Some(next) = rest.peek().copied() {
            if next == character && !quoted {
                (quoted, any) = (true, true);
            } else if next == character {
                rest.next();
                // Two of them are one.
                if rest.peek() != Some(&character) {
                    quoted = false;
                    continue;
                }
                field.push(character);
            } else if next == column && !quoted {
                break;
            } else {
                field.push(next);
            }
            rest.next();
        }
        fields.push((any || !field.trim().is_empty()).then(|| if any { field.clone() } else { field.trim().to_string() }));
        if rest.next().is_none() {
            return fields;
        }
    }
}

impl Target {
    /// Where the field's data are in the record.
    fn find(&self, record: &[u8], next: usize) -> std::ops::Range<usize> {
        let (start, end) = match self.place {
            Place::Next => (next, None),
            Place::From(first) => (first.saturating_sub(1) as usize, None),
            Place::Between(first, last) => (first.saturating_sub(1) as usize, Some(last as usize)),
        };
        if self.length_bytes > 0 {
            let field = record.get(start..start + self.length_bytes).unwrap_or_default();
            let units = field.iter().fold(0usize, |length, byte| length << 8 | usize::from(*byte));
            let unit = self.host.length_field().map_or(1, |(_, unit)| unit);
            return start + self.length_bytes..start + self.length_bytes + units * unit;
        }
        start..end.unwrap_or(start + self.host.bytes_max())
    }
}

/// The field of a column that no field specification names.
fn field_of(column: &Column) -> Field {
    Field {
        name: column.name.to_uppercase(),
        place: Place::Next,
        kind: FieldKind::OfColumn,
        null_if: None,
        default_if: None,
        is_ignored: false,
    }
}

fn characters(kind: VariableType, length: u32, page: &'static Page) -> HostVariable {
    HostVariable { variable: Variable::single(kind, length, 0, 0), page }
}

/// Most bytes of a field with a length of its own.
const VARYING_LENGTH: u32 = 32_704;
/// Characters of dates, times and timestamps.
const DATE_LENGTH: u32 = 10;
const TIME_LENGTH: u32 = 8;
const TIMESTAMP_LENGTH: u32 = 26;
/// Precision and scale of a decimal whose column has none.
const DECIMAL: (u8, i8) = (31, 0);

fn target(field: &Field, column: Option<&Column>, page: &'static Page) -> Target {
    let spanned = match field.place {
        Place::Between(first, last) => Some((last + 1).saturating_sub(first)),
        _ => None,
    };
    let modifier = column.map_or(-1, |column| column.kind.modifier);
    let declared = types::length_of(modifier);
    let decimal = types::precision_of(modifier).unwrap_or(DECIMAL);
    let length = |given: Option<u32>, usual: u32| spanned.or(given).unwrap_or(usual);
    let text = |given: Option<u32>| Variable::single(VariableType::Char, length(given, declared.unwrap_or(1)), 0, 0);
    let packed_digits = spanned.map_or(decimal.0, |bytes| (2 * bytes - 1) as u8);
    let host = match field.kind {
        FieldKind::OfColumn => of_column(column, spanned),
        FieldKind::Char(given) | FieldKind::IntegerExternal(given) | FieldKind::FloatExternal(given) => text(given),
        FieldKind::DecimalExternal(given, _) => text(given),
        FieldKind::DateExternal(given) => Variable::single(VariableType::Char, length(given, DATE_LENGTH), 0, 0),
        FieldKind::TimeExternal(given) => Variable::single(VariableType::Char, length(given, TIME_LENGTH), 0, 0),
        FieldKind::TimestampExternal(given) => Variable::single(VariableType::Char, length(given, TIMESTAMP_LENGTH), 0, 0),
        FieldKind::VarChar => Variable::single(VariableType::VarChar, VARYING_LENGTH, 0, 0),
        FieldKind::Graphic(given) => Variable::single(VariableType::Graphic, given.or(declared).unwrap_or(1), 0, 0),
        FieldKind::VarGraphic => Variable::single(VariableType::VarGraphic, VARYING_LENGTH, 0, 0),
        FieldKind::Binary(given) => Variable::single(VariableType::Binary, length(given, 1), 0, 0),
        FieldKind::VarBinary => Variable::single(VariableType::VarBinary, VARYING_LENGTH, 0, 0),
        FieldKind::SmallInt => Variable::single(VariableType::SmallInt, 2, 0, 0),
        FieldKind::Integer => Variable::single(VariableType::Integer, 4, 0, 0),
        FieldKind::BigInt => Variable::single(VariableType::BigInt, 8, 0, 0),
        FieldKind::Packed => Variable::single(VariableType::Packed, 0, packed_digits, decimal.1),
        FieldKind::Zoned => {
            Variable::single(VariableType::Zoned { signed: true }, 0, spanned.map_or(decimal.0, |bytes| bytes as u8), decimal.1)
        }
        // 1 to 21 digits: single precision.
        FieldKind::Float(given) if spanned.map_or(given.is_some_and(|digits| digits <= 21), |bytes| bytes == 4) => {
            Variable::single(VariableType::Real, 4, 0, 0)
        }
        FieldKind::Float(_) => Variable::single(VariableType::Double, 8, 0, 0),
        FieldKind::RowId => Variable::single(VariableType::RowId, 0, 0, 0),
        FieldKind::Clob => Variable::single(VariableType::Clob, u32::MAX, 0, 0),
        FieldKind::Blob => Variable::single(VariableType::Blob, u32::MAX, 0, 0),
    };
    let host = HostVariable { variable: host, page };
    Target {
        name: field.name.clone(),
        place: field.place,
        implied_places: if let FieldKind::DecimalExternal(_, places) = field.kind { Some(places) } else { None },
        length_bytes: host.length_field().map_or(0, |(bytes, _)| bytes),
        host,
        oid: column.map(|column| column.kind.oid),
        null_if: field.null_if.clone(),
        default_if: field.default_if.clone(),
    }
}

/// A field in the internal format of its column.
pub(super) fn of_column(column: Option<&Column>, spanned: Option<u32>) -> Variable {
    let Some(column) = column else { return Variable::single(VariableType::Char, spanned.unwrap_or(1), 0, 0) };
    let declared = types::length_of(column.kind.modifier);
    let (precision, scale) = types::precision_of(column.kind.modifier).unwrap_or(DECIMAL);
    match types::family(column.kind.oid) {
        Family::Integer { bytes: 2 } | Family::Boolean => Variable::single(VariableType::SmallInt, 2, 0, 0),
        Family::Integer { bytes: 4 } => Variable::single(VariableType::Integer, 4, 0, 0),
        Family::Integer { .. } => Variable::single(VariableType::BigInt, 8, 0, 0),
        Family::Numeric => Variable::single(VariableType::Packed, 0, precision, scale),
        Family::Float { bytes: 4 } => Variable::single(VariableType::Real, 4, 0, 0),
        Family::Float { .. } => Variable::single(VariableType::Double, 8, 0, 0),
        Family::Text { fixed: true } => Variable::single(VariableType::Char, spanned.or(declared).unwrap_or(1), 0, 0),
        Family::Text { .. } | Family::Other => match spanned {
            Some(length) => Variable::single(VariableType::Char, length, 0, 0),
            None => Variable::single(VariableType::VarChar, VARYING_LENGTH, 0, 0),
        },
        Family::Date => Variable::single(VariableType::Char, spanned.unwrap_or(DATE_LENGTH), 0, 0),
        Family::Time => Variable::single(VariableType::Char, spanned.unwrap_or(TIME_LENGTH), 0, 0),
        Family::Timestamp => Variable::single(VariableType::Char, spanned.unwrap_or(TIMESTAMP_LENGTH), 0, 0),
        Family::Bytes => Variable::single(VariableType::VarBinary, VARYING_LENGTH, 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_between_delimiters() {
        let some = |text: &str| Some(text.to_string());
        assert_eq!(split("1,\"A \"\"B\"\", C\",,\"\", x ", ',', '"'), [some("1"), some("A \"B\", C"), None, some(""), some("x")]);
        assert_eq!(split("", ',', '"'), [None]);
    }
}
