//! The fields of a record as a copybook describes them, and their values.
//!
//! The copybook is compiled as WORKING-STORAGE of an empty program, so pictures, usages, OCCURS and COPY REPLACING have their usual
//! meaning. Fields are the elementary items that redefine nothing, tables field by field (`NAME(1)`); FILLER is left out; a name that
//! occurs twice is qualified by its groups (`NAME OF GROUP`). Occurrences beyond the counter of OCCURS DEPENDING ON are absent, and the
//! counter of the record determines the position of the fields behind the table. A number without valid digits is shown as X'...', never
//! guessed.

use std::path::Path;

use cobol::program::{Base, BaseKind, Category, Item, ItemId, Program, Sign, Size, Usage};
use cobol::source::Directories;
use region::code_page::RegionCodePage;

use super::parquet::Kind;

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    place: Extent,
    /// The counters of the tables it is in, and its occurrence in each.
    occurrences: Vec<(Counter, u32)>,
    length: usize,
    digits: u32,
    form: Form,
}

/// Where the last field with a fixed place ends: what a record has at least, to hold them all.
pub fn length(fields: &[Field]) -> usize {
    let fixed = fields.iter().filter(|field| field.place.terms.is_empty());
    fixed.map(|field| field.place.fixed + field.length).max().unwrap_or(0)
}

/// Bytes that may depend on counters: `fixed`, and for each term the occurrences of a table times the size of one.
#[derive(Clone, Debug, PartialEq, Default)]
struct Extent {
    fixed: usize,
    terms: Vec<(Counter, Extent)>,
}

/// The field with the number of occurrences of a table, and its maximum.
#[derive(Clone, Debug, PartialEq)]
struct Counter {
    field: Box<Field>,
    most: u32,
}

impl Extent {
    /// `None` where a counter holds no number of occurrences.
    fn bytes(&self, record: &[u8], page: &RegionCodePage) -> Option<usize> {
        let mut bytes = self.fixed;
        for (counter, stride) in &self.terms {
            bytes += counter.occurrences(record, page)? as usize * stride.bytes(record, page)?;
        }
        Some(bytes)
    }
}

impl Counter {
    fn occurrences(&self, record: &[u8], page: &RegionCodePage) -> Option<u32> {
        match self.field.value(record, page) {
            Value::Number(number) => number.parse().ok().filter(|count| *count <= self.most),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Text,
    Zoned {
        scale: i32,
        sign: Sign,
    },
    Packed {
        scale: i32,
        signed: bool,
    },
    Binary {
        scale: i32,
        signed: bool,
    },
    /// COMP-1 and COMP-2, hexadecimal or (under ASCII) IEEE.
    Float {
        hexadecimal: bool,
    },
    National,
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
    let before = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. LAYOUT.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n{heading}"
    );
    let source = format!("{before}{text}\n       PROCEDURE DIVISION.\n           GOBACK.\n");
    let directories: Vec<&Path> = path.parent().into_iter().collect();
    let options = crate::compile::options("", ccsid)?;
    let name = path.display().to_string();
    let mut compilation = cobol::compile_source(&name, source.as_bytes(), &options, &Directories::new(&directories));
    if !compilation.is_usable() {
        compilation.sources.count_behind(0, before.lines().count() as u32);
        return Err(crate::compile::messages(&compilation).join("\n"));
    }
    let program = &compilation.programs[0];
    let wanted = |item: &Item| item.level == 1 && is_storage(&program.bases[item.base.0 as usize]) && item.redefines.is_none();
    let named = |item: &Item| record.is_none_or(|record| item.name.eq_ignore_ascii_case(record));
    let top = program.items.iter().position(|item| wanted(item) && named(item));
    let top = top.ok_or_else(|| format!("{}: no such record", path.display()))?;
    let start = program.items[top].offset.fixed as usize;
    let mut collector =
        Collector { program, start, hexadecimal: ccsid != ASCII_CCSID, fields: Vec::new(), groups: Vec::new(), of: Vec::new() };
    collector.collect(ItemId(top as u32), &Occurrence::default())?;
    let Collector { mut fields, of, .. } = collector;
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    for (at, field) in fields.iter_mut().enumerate() {
        let is_twice = names.iter().filter(|name| **name == names[at]).count() > 1;
        if is_twice && !of[at].is_empty() {
            field.name = format!("{} OF {}", field.name, of[at]);
        }
    }
    Ok(fields)
}

const ASCII_CCSID: u16 = 819;

fn is_storage(base: &Base) -> bool {
    base.kind == BaseKind::Working
}

/// Where the subscripts so far lead.
#[derive(Clone, Default)]
struct Occurrence {
    /// What they add to an item's offset.
    shift: Extent,
    counters: Vec<(Counter, u32)>,
    subscripts: String,
}

/// Gathers the fields of a record.
struct Collector<'a> {
    program: &'a Program,
    /// Offset of the record in its storage.
    start: usize,
    hexadecimal: bool,
    fields: Vec<Field>,
    /// Groups around the item being looked at, below the record; and, of each field, their names.
    groups: Vec<String>,
    of: Vec<String>,
}

impl Collector<'_> {
    /// A size of the program as one of the record.
    fn extent(&self, size: &Size) -> Result<Extent, String> {
        let terms = size.terms.iter().map(|term| Ok((self.counter(term.table)?, self.extent(&term.stride)?)));
        Ok(Extent { fixed: size.fixed as usize, terms: terms.collect::<Result<_, String>>()? })
    }

    fn counter(&self, table: ItemId) -> Result<Counter, String> {
        let table = &self.program.items[table.0 as usize];
        let occurs = table.occurs.as_ref().ok_or_else(|| format!("{}: a table is expected", table.name))?;
        let counter = occurs.depending.map(|item| &self.program.items[item.0 as usize]);
        let counter = counter
            .filter(|counter| counter.base == table.base && counter.offset.is_fixed() && counter.offset.fixed as usize >= self.start);
        let counter = counter.ok_or_else(|| format!("{}: its DEPENDING ON item is not in the fixed part of the record", table.name))?;
        let place = Extent { fixed: counter.offset.fixed as usize - self.start, terms: Vec::new() };
        let field = self.field(counter, counter.name.to_string(), place, Vec::new());
        Ok(Counter { field: Box::new(field), most: occurs.max })
    }

    fn field(&self, item: &Item, name: String, place: Extent, occurrences: Vec<(Counter, u32)>) -> Field {
        let (length, digits) = (item.length_max as usize, u32::from(item.digits));
        Field { name, place, occurrences, length, digits, form: form_of(item, self.hexadecimal) }
    }

    /// Adds the fields of an item.
    fn collect(&mut self, id: ItemId, within: &Occurrence) -> Result<(), String> {
        let program = self.program;
        let item = &program.items[id.0 as usize];
        if item.redefines.is_some() || item.level == 66 {
            return Ok(());
        }
        let Some(occurs) = &item.occurs else { return self.one(id, item, within) };
        let stride = self.extent(&occurs.stride)?;
        let counter = occurs.depending.map(|_| self.counter(id)).transpose()?;
        for time in 0..occurs.max {
            let mut inner = within.clone();
            inner.shift.fixed += time as usize * stride.fixed;
            // An occurrence behind others of variable size: each of them adds its terms.
            (0..time).for_each(|_| inner.shift.terms.extend(stride.terms.iter().cloned()));
            inner.counters.extend(counter.iter().map(|counter| (counter.clone(), time + 1)));
            let number = time + 1;
            inner.subscripts = if inner.subscripts.is_empty() { number.to_string() } else { format!("{},{number}", inner.subscripts) };
            self.one(id, item, &inner)?;
        }
        Ok(())
    }

    /// Adds one occurrence of an item.
    fn one(&mut self, id: ItemId, item: &Item, within: &Occurrence) -> Result<(), String> {
        if item.is_group() {
            let is_named = item.level > 1 && &*item.name != "FILLER";
            self.groups.extend(is_named.then(|| item.name.to_string()));
            let mut child = id.0 + 1;
            while child < item.end.0 {
                self.collect(ItemId(child), within)?;
                child = self.program.items[child as usize].end.0.max(child + 1);
            }
            self.groups.truncate(self.groups.len() - usize::from(is_named));
            return Ok(());
        }
        if &*item.name == "FILLER" {
            return Ok(());
        }
        let subscripts = &within.subscripts;
        let name = if subscripts.is_empty() { item.name.to_string() } else { format!("{}({subscripts})", item.name) };
        let mut place = self.extent(&item.offset)?;
        place.fixed = place.fixed - self.start + within.shift.fixed;
        place.terms.extend(within.shift.terms.iter().cloned());
        self.fields.push(self.field(item, name, place, within.counters.clone()));
        self.of.push(self.groups.iter().rev().map(String::as_str).collect::<Vec<_>>().join(" OF "));
        Ok(())
    }
}

fn form_of(item: &Item, hexadecimal: bool) -> Form {
    let (scale, signed) = (i32::from(item.scale), item.sign != Sign::Unsigned);
    match (item.category, item.usage) {
        (Category::Numeric, Usage::Display) => Form::Zoned { scale, sign: item.sign },
        (Category::Numeric, Usage::Packed) => Form::Packed { scale, signed },
        (Category::Numeric, Usage::Binary | Usage::NativeBinary) => Form::Binary { scale, signed },
        (_, Usage::Float | Usage::Double) => Form::Float { hexadecimal },
        (_, Usage::National) => Form::National,
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
            Form::Text | Form::National | Form::Hexadecimal => return Kind::Text,
            Form::Float { .. } => return Kind::Double,
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
        let there = self
            .occurrences
            .iter()
            .all(|(counter, occurrence)| counter.occurrences(record, page).is_some_and(|count| *occurrence <= count));
        let Some(start) = self.place.bytes(record, page).filter(|_| there) else { return Value::Absent };
        let Some(bytes) = record.get(start..start + self.length) else { return Value::Absent };
        let number = match self.form {
            Form::Text => return Value::Text(page.text(bytes).trim_end_matches([' ', '\0']).to_string()),
            Form::National => match national(bytes) {
                Some(text) => return Value::Text(text),
                None => None,
            },
            Form::Float { hexadecimal } => float(bytes, hexadecimal),
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

/// Whether the counters of the tables in a record hold numbers of occurrences.
pub fn counters_hold(fields: &[Field], record: &[u8], page: &RegionCodePage) -> bool {
    fields.iter().flat_map(|field| &field.occurrences).all(|(counter, _)| counter.occurrences(record, page).is_some())
}

fn national(bytes: &[u8]) -> Option<String> {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok().map(|text| text.trim_end_matches([' ', '\0']).to_string())
}

fn float(bytes: &[u8], hexadecimal: bool) -> Option<String> {
    let value = match bytes.len() {
        4 if hexadecimal => le::float::from_hexadecimal(u64::from(u32::from_be_bytes(bytes.try_into().ok()?)) << 32),
        4 => f64::from(f32::from_be_bytes(bytes.try_into().ok()?)),
        _ if hexadecimal => le::float::from_hexadecimal(u64::from_be_bytes(bytes.try_into().ok()?)),
        _ => f64::from_be_bytes(bytes.try_into().ok()?),
    };
    value.is_finite().then(|| format!("{value:?}"))
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

/// Zone of the digits in ASCII; in EBCDIC it is F.
const ASCII_ZONE: u8 = 3;

fn zoned(bytes: &[u8], sign: Sign, page: &RegionCodePage) -> Option<i128> {
    let text = page.text(bytes);
    let (separate, digits): (Option<char>, &[u8]) = match sign {
        Sign::LeadingSeparate => (text.chars().next(), bytes.get(1..)?),
        Sign::TrailingSeparate => (text.chars().last(), bytes.split_last()?.1),
        _ => (None, bytes),
    };
    if separate.is_some_and(|sign| sign != '+' && sign != '-') {
        return None;
    }
    let at = if sign == Sign::Leading { 0 } else { digits.len().checked_sub(1)? };
    let overpunched = matches!(sign, Sign::Trailing | Sign::Leading);
    let digit_zone = page.encode("0")[0] >> 4;
    let (mut value, mut negative) = (0i128, separate == Some('-'));
    for (position, byte) in digits.iter().enumerate() {
        let (zone, digit) = (byte >> 4, byte & 15);
        // The sign of an overpunched digit: in EBCDIC zone B or D is minus, in ASCII zone 7.
        let carries_sign = overpunched && position == at;
        negative |= carries_sign && (if digit_zone == ASCII_ZONE { zone == 0x7 } else { matches!(zone, 0xB | 0xD) });
        let zone_fits = zone == digit_zone || carries_sign && (if digit_zone == ASCII_ZONE { zone == 0x7 } else { zone >= 0xA });
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
        // Letters in a number, and a blank, are no digits.
        for wrong in ["ABC4", "004 "] {
            record[..4].copy_from_slice(&page.encode(wrong));
            assert!(matches!(fields[0].value(&record, &page), Value::Text(hex) if hex.starts_with("X'")), "{wrong}");
        }
    }

    #[test]
    fn messages_count_the_lines_of_the_copybook() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("wrong.cpy");
        let wrong = |text: &str| {
            std::fs::write(&path, text).unwrap();
            fields(&path, None, 37).err().unwrap()
        };
        let message = wrong(&COPYBOOK.replace("PIC X(6)", "PIC Q(6)"));
        assert!(message.starts_with(&format!("{}:3:", path.display())), "{message}");
        // Without a level 01, too, which is put before it.
        let lines: String =
            COPYBOOK.replace("PIC S9(4) COMP.", "PIC S9(4) COMPILE.").lines().skip(1).map(|line| format!("{line}\n")).collect();
        let message = wrong(&lines);
        assert!(message.starts_with(&format!("{}:6:", path.display())), "{message}");
    }

    const VARIABLE: &str = "       01  ORDERS.
           05  COUNTER             PIC 9.
           05  LINES-OF OCCURS 0 TO 3 TIMES DEPENDING ON COUNTER.
               10  ARTICLE         PIC XX.
               10  PRICE           PIC 9(2) COMP-3.
           05  SHIPPED.
               10  WHEN-DONE       PIC X(3).
           05  PAID.
               10  WHEN-DONE       PIC X(3).
           05  RATE                COMP-1.
           05  TOWN                PIC N(2) USAGE NATIONAL.
           05  SLOT OCCURS 2 TIMES.
               10  KIND            PIC X.
               10  AMOUNT          PIC S9(8) COMP SYNC.
";

    #[test]
    fn fields_behind_a_variable_table_move_with_its_counter() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("orders.cpy");
        // Slack bytes of SYNC need a fixed place, so the table of slots is tried by itself.
        let (variable, slots) = VARIABLE.split_at(VARIABLE.find("           05  SLOT").unwrap());
        std::fs::write(&path, variable).unwrap();
        let described = fields(&path, None, 37).unwrap();
        let names: Vec<&str> = described.iter().map(|field| field.name.as_str()).collect();
        let lines = ["ARTICLE(1)", "PRICE(1)", "ARTICLE(2)", "PRICE(2)", "ARTICLE(3)", "PRICE(3)"];
        assert_eq!(names[..7], [&["COUNTER"], &lines[..]].concat());
        assert_eq!(names[7..], ["WHEN-DONE OF SHIPPED", "WHEN-DONE OF PAID", "RATE", "TOWN"]);
        let page = RegionCodePage::new(&le::code_page::CCSID_037);
        let text = |text: &str| Value::Text(text.to_string());
        let number = |text: &str| Value::Number(text.to_string());
        // Hexadecimal floating point: X'41180000' is 1.5.
        let tail = [page.encode("MONTUE"), vec![0x41, 0x18, 0, 0, 0, b'K', 0xF6, 0]].concat();
        let one = [page.encode("1AA"), vec![0x02, 0x5F], tail.clone()].concat();
        let behind = [text("MON"), text("TUE"), number("1.5"), text("K\u{F600}")];
        let values: Vec<Value> = described.iter().map(|field| field.value(&one, &page)).collect();
        let absent = || Value::Absent;
        assert_eq!(values[..7], [number("1"), text("AA"), number("25"), absent(), absent(), absent(), absent()]);
        assert_eq!(values[7..], behind);
        let none = [page.encode("0"), tail.clone()].concat();
        assert_eq!(described[7].value(&none, &page), text("MON"));
        assert!(counters_hold(&described, &none, &page));
        // A counter that is no number, or more than the table has, places nothing behind it.
        for wrong in ["X", "4"] {
            let record = [page.encode(wrong), tail.clone()].concat();
            assert!(!counters_hold(&described, &record, &page), "{wrong}");
            assert_eq!(described[7].value(&record, &page), Value::Absent);
        }
        // Slack bytes are part of an occurrence.
        std::fs::write(&path, format!("       01  S.\n{slots}")).unwrap();
        let described = fields(&path, None, 37).unwrap();
        let record = [&[0xC1, 0, 0, 0, 0, 0, 0, 1, 0xC2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFE][..]].concat();
        let values: Vec<Value> = described.iter().map(|field| field.value(&record, &page)).collect();
        assert_eq!(values, [text("A"), number("1"), text("B"), number("-2")]);
    }
}
