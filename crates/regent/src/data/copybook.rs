//! The fields of a record as a copybook describes them, and their values.
//!
//! The copybook is compiled as WORKING-STORAGE of an empty program, so pictures, usages, OCCURS and COPY REPLACING mean what they mean
//! there. Fields are the elementary items that redefine nothing, tables field by field (`NAME(1)`); FILLER is left out. A number that does
//! not hold digits is shown as X'...', never guessed.

use std::path::Path;

use cobol::program::{Base, BaseKind, Category, Item, ItemId, Program, Sign, Usage};
use cobol::source::Directories;
use region::code_page::RegionCodePage;

use super::parquet::Kind;

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    offset: usize,
    length: usize,
    digits: u32,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Text,
    Zoned { scale: i32, sign: Sign },
    Packed { scale: i32, signed: bool },
    Binary { scale: i32, signed: bool },
    Hexadecimal,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    /// Digits with sign and decimal point.
    Number(String),
    /// The record ends before the field.
    Absent,
}

/// Reads a copybook; `record` names the 01 level to take when it has several.
pub fn fields(path: &Path, record: Option<&str>, ccsid: u16) -> Result<Vec<Field>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let has_record = text.lines().any(|line| line.get(6..).unwrap_or_default().trim_start().starts_with("01 "));
    let heading = if has_record { "" } else { "       01 RECORD-OF-COPYBOOK.\n" };
    let source = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. LAYOUT.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n{heading}{text}\n       \
         PROCEDURE DIVISION.\n           GOBACK.\n"
    );
    let directories: Vec<&Path> = path.parent().into_iter().collect();
    let options = crate::compile::options("", ccsid)?;
    let compilation = cobol::compile_source("copybook", source.as_bytes(), &options, &Directories::new(&directories));
    if !compilation.is_usable() {
        return Err(format!("{}: {}", path.display(), crate::compile::messages(&compilation).join("\n")));
    }
    let program = &compilation.programs[0];
    let wanted = |item: &Item| item.level == 1 && is_storage(&program.bases[item.base.0 as usize]) && item.redefines.is_none();
    let named = |item: &Item| record.is_none_or(|record| item.name.eq_ignore_ascii_case(record));
    let top = program.items.iter().position(|item| wanted(item) && named(item));
    let top = top.ok_or_else(|| format!("{}: no such record", path.display()))?;
    let start = program.items[top].offset.fixed as usize;
    let mut found = Vec::new();
    collect(program, ItemId(top as u32), start, 0, "", &mut found)?;
    Ok(found)
}

fn is_storage(base: &Base) -> bool {
    base.kind == BaseKind::Working
}

/// Adds the fields of an item; `shift` is what the subscripts so far add to its offset.
fn collect(program: &Program, id: ItemId, start: usize, shift: usize, subscripts: &str, fields: &mut Vec<Field>) -> Result<(), String> {
    let item = &program.items[id.0 as usize];
    if item.redefines.is_some() || item.level == 66 {
        return Ok(());
    }
    if item.is_variable() {
        return Err(format!("{}: OCCURS DEPENDING ON is not exported", item.name));
    }
    let times = item.occurs.as_ref().map_or(1, |occurs| occurs.max as usize);
    for time in 0..times {
        let shift = shift + time * item.length_max as usize;
        let subscripts = match (item.occurs.is_some(), subscripts) {
            (false, _) => subscripts.to_string(),
            (true, "") => (time + 1).to_string(),
            (true, before) => format!("{before},{}", time + 1),
        };
        if item.is_group() {
            let mut child = id.0 + 1;
            while child < item.end.0 {
                collect(program, ItemId(child), start, shift, &subscripts, fields)?;
                child = program.items[child as usize].end.0.max(child + 1);
            }
            continue;
        }
        if &*item.name == "FILLER" {
            continue;
        }
        let name = if subscripts.is_empty() { item.name.to_string() } else { format!("{}({subscripts})", item.name) };
        let offset = item.offset.fixed as usize - start + shift;
        let digits = u32::from(item.digits);
        fields.push(Field { name, offset, length: item.length_max as usize, digits, form: form_of(item) });
    }
    Ok(())
}

fn form_of(item: &Item) -> Form {
    let (scale, signed) = (i32::from(item.scale), item.sign != Sign::Unsigned);
    match (item.category, item.usage) {
        (Category::Numeric, Usage::Display) => Form::Zoned { scale, sign: item.sign },
        (Category::Numeric, Usage::Packed) => Form::Packed { scale, signed },
        (Category::Numeric, Usage::Binary | Usage::NativeBinary) => Form::Binary { scale, signed },
        (_, Usage::Display) => Form::Text,
        _ => Form::Hexadecimal,
    }
}

/// Digits a binary number of so many bytes may have.
fn binary_digits(bytes: usize) -> u32 {
    match bytes {
        1 => 3,
        2 => 5,
        4 => 10,
        _ => 20,
    }
}

impl Field {
    /// What a column of its values holds.
    pub fn kind(&self) -> Kind {
        let (digits, scale) = match self.form {
            Form::Text | Form::Hexadecimal => return Kind::Text,
            Form::Zoned { scale, .. } | Form::Packed { scale, .. } => (self.digits, scale),
            // A signed doubleword is an INT64, whatever its picture says.
            Form::Binary { scale, signed: true } if scale <= 0 && self.length == 8 => (18, 0),
            Form::Binary { scale, .. } => (binary_digits(self.length), scale),
        };
        let zeros = scale.min(0).unsigned_abs();
        let scale = scale.max(0).unsigned_abs();
        Kind::Decimal { digits: (digits + zeros).max(scale).max(1), scale }
    }

    pub fn value(&self, record: &[u8], page: &RegionCodePage) -> Value {
        let Some(bytes) = record.get(self.offset..self.offset + self.length) else { return Value::Absent };
        let number = match self.form {
            Form::Text => return Value::Text(page.text(bytes).trim_end_matches([' ', '\0']).to_string()),
            Form::Hexadecimal => None,
            Form::Binary { scale, signed } => {
                let negative = signed && bytes.first().is_some_and(|byte| *byte >= 0x80);
                let start = if negative { -1 } else { 0 };
                Some(decimal(bytes.iter().fold(start, |value: i128, byte| value << 8 | i128::from(*byte)), scale))
            }
            Form::Packed { scale, signed } => packed(bytes, signed).map(|value| decimal(value, scale)),
            Form::Zoned { scale, sign } => zoned(bytes, sign, page).map(|value| decimal(value, scale)),
        };
        match number {
            Some(number) => Value::Number(number),
            None => Value::Text(format!("X'{}'", bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>())),
        }
    }
}

fn packed(bytes: &[u8], signed: bool) -> Option<i128> {
    let mut value = 0i128;
    let (last, rest) = bytes.split_last()?;
    for digit in rest.iter().flat_map(|byte| [byte >> 4, byte & 15]).chain([last >> 4]) {
        value = if digit <= 9 { value * 10 + i128::from(digit) } else { return None };
    }
    match last & 15 {
        0xB | 0xD if signed => Some(-value),
        0xA..=0xF => Some(value),
        _ => None,
    }
}

fn zoned(bytes: &[u8], sign: Sign, page: &RegionCodePage) -> Option<i128> {
    let text = page.text(bytes);
    let (separate, digits): (Option<char>, &[u8]) = match sign {
        Sign::LeadingSeparate => (text.chars().next(), bytes.get(1..)?),
        Sign::TrailingSeparate => (text.chars().last(), bytes.split_last()?.1),
        _ => (None, bytes),
    };
    let at = if sign == Sign::Leading { 0 } else { digits.len().checked_sub(1)? };
    let overpunched = matches!(sign, Sign::Trailing | Sign::Leading);
    let (mut value, mut negative) = (0i128, separate == Some('-'));
    for (position, byte) in digits.iter().enumerate() {
        let (zone, digit) = (byte >> 4, byte & 15);
        // The sign of an overpunched digit: EBCDIC zone D, or in ASCII zone 7.
        negative |= overpunched && position == at && matches!(zone, 0xB | 0xD | 0x7);
        let zone_fits = matches!(zone, 0x3 | 0x7 | 0xA..=0xF);
        value = if digit <= 9 && zone_fits { value * 10 + i128::from(digit) } else { return None };
    }
    Some(if negative { -value } else { value })
}

/// An integer times ten to the power of minus `scale`.
fn decimal(value: i128, scale: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = value.unsigned_abs().to_string();
    if scale <= 0 {
        let zeros = if value == 0 { 0 } else { (-scale) as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let digits = format!("{digits:0>width$}", width = scale as usize + 1);
    let point = digits.len() - scale as usize;
    format!("{sign}{}.{}", &digits[..point], &digits[point..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPYBOOK: &str = "       01  CUSTOMER.
           05  CUST-ID             PIC 9(4).
           05  CUST-NAME           PIC X(6).
           05  CUST-NAME-R REDEFINES CUST-NAME PIC 9(6).
           05  FILLER              PIC X(2).
           05  BALANCE             PIC S9(5)V99 COMP-3.
           05  VISITS              PIC S9(4) COMP.
           05  RATE OCCURS 2 TIMES PIC S9V99.
";

    #[test]
    fn fields_and_values_by_the_copybook() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cust.cpy");
        std::fs::write(&path, COPYBOOK).unwrap();
        let fields = fields(&path, None, 37).unwrap();
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["CUST-ID", "CUST-NAME", "BALANCE", "VISITS", "RATE(1)", "RATE(2)"]);
        let page = RegionCodePage::new(&le::code_page::CCSID_037);
        let mut record = page.encode("0042SMITH   ");
        record.extend_from_slice(&[0x00, 0x12, 0x34, 0x5D, 0xFF, 0xFE, 0xF1, 0xF2, 0xC5, 0xF0, 0xF0, 0xD1]);
        let text = |text: &str| Value::Text(text.to_string());
        let number = |text: &str| Value::Number(text.to_string());
        let values: Vec<Value> = fields.iter().map(|field| field.value(&record, &page)).collect();
        assert_eq!(values, [number("42"), text("SMITH"), number("-123.45"), number("-2"), number("1.25"), number("-0.01")]);
        // No digits: shown as they are; a record that ends before the field has none.
        record[15] = 0x40;
        assert_eq!(fields[2].value(&record, &page), text("X'00123440'"));
        assert_eq!(fields[5].value(&record[..20], &page), Value::Absent);
    }
}
