//! The form of a trace entry: what it holds and how it lies in a block of the table, in the auxiliary trace data sets and in the stream.
//!
//! An entry is a header of 32 bytes and values one behind another, in little-endian order, padded with zeros to a multiple of 8 bytes:
//!
//! | offset | bytes | field |
//! | --- | --- | --- |
//! | 0 | 2 | length of the entry |
//! | 2 | 2 | component, two letters |
//! | 4 | 2 | number of the trace point |
//! | 6 | 1 | index of the TCB mode, 255: none |
//! | 7 | 1 | flags |
//! | 8 | 8 | nanoseconds since 1970 UTC |
//! | 16 | 4 | task number, 0: none |
//! | 20 | 4 | KE_NUM |
//! | 24 | 4 | transaction |
//! | 28 | 4 | terminal |
//!
//! A value is its kind in one byte, then: text and data: the length in two bytes and the bytes; number and address: eight bytes. Invariants: an
//! entry fits a block; bytes that are not an entry are refused by [`Entry::read`], never trusted.

use crate::mode::Mode;
use crate::traced_task::Identity;

/// The most bytes of one text or data value; ENTER TRACENUM takes 4,000.
pub const VALUE_BYTES_MAX: usize = 4000;
/// Bytes before the values.
pub const HEADER_BYTES: usize = 32;

const KIND_TEXT: u8 = 1;
const KIND_NUMBER: u8 = 2;
const KIND_ADDRESS: u8 = 3;
const KIND_DATA: u8 = 4;

/// Written for a task with special tracing.
pub const FLAG_SPECIAL: u8 = 0x01;
/// An exception entry.
pub const FLAG_EXCEPTION: u8 = 0x02;
/// An entry of a program (ENTER TRACENUM).
pub const FLAG_USER: u8 = 0x04;

/// A value to be written into an entry.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    Text(&'a str),
    Number(u64),
    Address(usize),
    /// Data of a program, in its code page.
    Data(&'a [u8]),
}

impl Value<'_> {
    fn bytes(&self) -> usize {
        match self {
            Value::Text(text) => 3 + text.len().min(VALUE_BYTES_MAX),
            Value::Data(data) => 3 + data.len().min(VALUE_BYTES_MAX),
            Value::Number(_) | Value::Address(_) => 9,
        }
    }
}

/// The bytes an entry with these values takes.
#[inline]
pub(super) fn entry_bytes(values: &[Value<'_>]) -> usize {
    (HEADER_BYTES + values.iter().map(Value::bytes).sum::<usize>()).next_multiple_of(8)
}

/// As many of the values as fit an entry of so many bytes, and the bytes of that entry.
#[inline]
pub(super) fn fitting<'a, 'b>(values: &'a [Value<'b>], bytes_max: usize) -> (&'a [Value<'b>], usize) {
    let (mut values, mut bytes) = (values, entry_bytes(values));
    while bytes > bytes_max {
        values = &values[..values.len() - 1];
        bytes = entry_bytes(values);
    }
    (values, bytes)
}

/// Where and when an entry is written.
pub(super) struct Head<'a> {
    pub component: &'static str,
    pub number: u16,
    pub flags: u8,
    pub unix_ns: u64,
    pub identity: &'a Identity,
}

/// Writes an entry into bytes of exactly its length.
pub(super) fn write_entry(bytes: &mut [u8], head: &Head<'_>, values: &[Value<'_>]) {
    debug_assert_eq!(bytes.len(), entry_bytes(values));
    let Identity { number, kernel_number, transaction, terminal, mode, .. } = *head.identity;
    let length = bytes.len() as u16;
    bytes[0..2].copy_from_slice(&length.to_le_bytes());
    bytes[2..4].copy_from_slice(head.component.as_bytes());
    bytes[4..6].copy_from_slice(&head.number.to_le_bytes());
    bytes[6] = mode;
    bytes[7] = head.flags;
    bytes[8..16].copy_from_slice(&head.unix_ns.to_le_bytes());
    bytes[16..20].copy_from_slice(&number.to_le_bytes());
    bytes[20..24].copy_from_slice(&kernel_number.to_le_bytes());
    bytes[24..28].copy_from_slice(&transaction);
    bytes[28..32].copy_from_slice(&terminal);
    let mut at = HEADER_BYTES;
    for value in values {
        at = write_value(bytes, at, value);
    }
    bytes[at..].fill(0);
}

/// Two branches rather than a jump by kind: the kinds follow each other without an order that a processor could foresee.
#[inline]
fn write_value(bytes: &mut [u8], at: usize, value: &Value<'_>) -> usize {
    if let Value::Text(_) | Value::Data(_) = value {
        let (kind, data) = if let Value::Text(text) = value { (KIND_TEXT, text.as_bytes()) } else { (KIND_DATA, data_of(value)) };
        let data = &data[..data.len().min(VALUE_BYTES_MAX)];
        let value = &mut bytes[at..at + 3 + data.len()];
        value[0] = kind;
        value[1..3].copy_from_slice(&(data.len() as u16).to_le_bytes());
        copy(&mut value[3..], data);
        return at + 3 + data.len();
    }
    let (kind, word) = if let Value::Number(number) = value { (KIND_NUMBER, *number) } else { (KIND_ADDRESS, address_of(value)) };
    let value = &mut bytes[at..at + 9];
    value[0] = kind;
    value[1..].copy_from_slice(&word.to_le_bytes());
    at + 9
}

fn data_of<'a>(value: &Value<'a>) -> &'a [u8] {
    if let Value::Data(data) = value { data } else { &[] }
}

fn address_of(value: &Value<'_>) -> u64 {
    if let Value::Address(address) = value { *address as u64 } else { 0 }
}

/// Copies all bytes. Names are short: up to 16 bytes are copied in two overlapping words, without a call of the library.
#[inline]
fn copy(to: &mut [u8], from: &[u8]) {
    let length = from.len();
    debug_assert_eq!(to.len(), length);
    match length {
        8..=16 => {
            to[..8].copy_from_slice(&from[..8]);
            to[length - 8..].copy_from_slice(&from[length - 8..]);
        }
        4..=7 => {
            to[..4].copy_from_slice(&from[..4]);
            to[length - 4..].copy_from_slice(&from[length - 4..]);
        }
        0..=3 => to.iter_mut().zip(from).for_each(|(to, from)| *to = *from),
        _ => to.copy_from_slice(from),
    }
}

/// A value as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    Text(String),
    Number(u64),
    Address(u64),
    Data(Vec<u8>),
}

/// An entry as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Two letters.
    pub component: String,
    pub number: u16,
    pub mode: Option<Mode>,
    /// FLAG_SPECIAL, FLAG_EXCEPTION, FLAG_USER.
    pub flags: u8,
    pub unix_ns: u64,
    /// 0: no task.
    pub task: u32,
    pub kernel_number: u32,
    pub transaction: String,
    pub terminal: String,
    pub fields: Vec<Field>,
}

/// The length of the entry at the start of the bytes, if they hold a whole one.
pub fn length_of(bytes: &[u8]) -> Option<usize> {
    let length = usize::from(u16::from_le_bytes(bytes.get(..2)?.try_into().ok()?));
    (length >= HEADER_BYTES && length.is_multiple_of(8) && length <= bytes.len()).then_some(length)
}

/// The task number of an entry.
pub(super) fn task_of(bytes: &[u8]) -> u32 {
    bytes.get(16..20).and_then(|task| task.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// The time of an entry.
pub fn time_of(bytes: &[u8]) -> u64 {
    bytes.get(8..16).and_then(|time| time.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// Whole entries, of at most so many bytes at a time.
pub fn pieces(mut entries: &[u8], bytes_max: usize) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while !entries.is_empty() {
        let mut end = 0;
        while let Some(length) = length_of(&entries[end..]).filter(|length| end + length <= bytes_max) {
            end += length;
        }
        assert!(end > 0, "an entry is shorter than a piece");
        let (piece, rest) = entries.split_at(end);
        pieces.push(piece);
        entries = rest;
    }
    pieces
}

/// The last entries of at most so many bytes.
pub fn newest(mut entries: &[u8], bytes_max: usize) -> &[u8] {
    while entries.len() > bytes_max
        && let Some(length) = length_of(entries)
    {
        entries = &entries[length..];
    }
    entries
}

impl Entry {
    /// The entry at the start of the bytes, and its length.
    pub fn read(bytes: &[u8]) -> Option<(Entry, usize)> {
        let length = length_of(bytes)?;
        let bytes = &bytes[..length];
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let text = |at: usize| String::from_utf8_lossy(&bytes[at..at + 4]).trim_end().to_string();
        let entry = Entry {
            component: String::from_utf8_lossy(&bytes[2..4]).into_owned(),
            number: u16::from_le_bytes([bytes[4], bytes[5]]),
            mode: Mode::ALL.get(usize::from(bytes[6])).copied(),
            flags: bytes[7],
            unix_ns: time_of(bytes),
            task: word(16),
            kernel_number: word(20),
            transaction: text(24),
            terminal: text(28),
            fields: read_fields(&bytes[HEADER_BYTES..])?,
        };
        Some((entry, length))
    }

    /// All entries of bytes that hold one behind another; reading ends at the first that is not one.
    pub fn all(mut bytes: &[u8]) -> Vec<Entry> {
        let mut entries = Vec::new();
        while let Some((entry, length)) = Entry::read(bytes) {
            entries.push(entry);
            bytes = &bytes[length..];
        }
        entries
    }

    pub fn is_exception(&self) -> bool {
        self.flags & FLAG_EXCEPTION != 0
    }

    pub fn is_user(&self) -> bool {
        self.flags & FLAG_USER != 0
    }
}

fn read_fields(bytes: &[u8]) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    let mut rest = bytes;
    while let Some((&kind, after)) = rest.split_first() {
        let word = || Some(u64::from_le_bytes(after.get(..8)?.try_into().ok()?));
        let data = || {
            let length = usize::from(u16::from_le_bytes(after.get(..2)?.try_into().ok()?));
            after.get(2..2 + length)
        };
        let (field, taken) = match kind {
            0 => break,
            KIND_NUMBER => (Field::Number(word()?), 8),
            KIND_ADDRESS => (Field::Address(word()?), 8),
            KIND_TEXT => (Field::Text(String::from_utf8_lossy(data()?).into_owned()), 2 + data()?.len()),
            KIND_DATA => (Field::Data(data()?.to_vec()), 2 + data()?.len()),
            _ => return None,
        };
        fields.push(field);
        rest = &after[taken..];
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(values: &[Value<'_>]) -> Vec<u8> {
        let mut bytes = vec![0xFF; entry_bytes(values)];
        let head = Head { component: "EI", number: 1, flags: FLAG_SPECIAL, unix_ns: 7, identity: &Identity::NONE };
        write_entry(&mut bytes, &head, values);
        bytes
    }

    #[test]
    fn an_entry_reads_as_it_was_written() {
        let values =
            [Value::Text("READ"), Value::Number(u64::MAX), Value::Address(0x1F00_1000), Value::Data(&[0, 1, 0xFF]), Value::Text("")];
        let (entry, length) = Entry::read(&written(&values)).unwrap();
        assert_eq!(length, written(&values).len());
        assert_eq!((entry.component.as_str(), entry.number, entry.mode, entry.unix_ns, entry.flags), ("EI", 1, None, 7, FLAG_SPECIAL));
        let fields = [
            Field::Text("READ".to_string()),
            Field::Number(u64::MAX),
            Field::Address(0x1F00_1000),
            Field::Data(vec![0, 1, 0xFF]),
            Field::Text(String::new()),
        ];
        assert_eq!(entry.fields, fields);
    }

    #[test]
    fn data_of_any_length_is_copied_whole() {
        let data: Vec<u8> = (1..=40).collect();
        for length in 0..=data.len() {
            let (entry, _) = Entry::read(&written(&[Value::Data(&data[..length]), Value::Number(9)])).unwrap();
            assert_eq!(entry.fields, [Field::Data(data[..length].to_vec()), Field::Number(9)]);
        }
    }

    #[test]
    fn a_value_is_cut_at_its_bound() {
        for (given, kept) in [(VALUE_BYTES_MAX, VALUE_BYTES_MAX), (VALUE_BYTES_MAX + 1, VALUE_BYTES_MAX)] {
            let (entry, _) = Entry::read(&written(&[Value::Data(&vec![5; given])])).unwrap();
            assert_eq!(entry.fields, [Field::Data(vec![5; kept])]);
        }
    }

    /// The values that do not fit are left out, the last first.
    #[test]
    fn an_entry_has_the_values_that_fit() {
        let values = [Value::Number(1), Value::Data(&[7; 100]), Value::Number(2)];
        let whole = entry_bytes(&values);
        for (bytes_max, count) in [(whole, 3), (whole - 1, 2), (entry_bytes(&values[..1]), 1), (HEADER_BYTES, 0)] {
            let (fitting, bytes) = fitting(&values, bytes_max);
            assert_eq!((fitting.len(), bytes), (count, entry_bytes(&values[..count])), "{bytes_max}");
        }
    }

    #[test]
    fn damaged_entries_are_refused() {
        let whole = written(&[Value::Data(&[1; 40])]);
        assert!(Entry::read(&whole[..whole.len() - 1]).is_none(), "cut off");
        let mut length = whole.clone();
        length[0] = 8;
        assert!(Entry::read(&length).is_none(), "shorter than a header");
        let mut value = whole.clone();
        value[HEADER_BYTES + 1] = 0xFF;
        assert!(Entry::read(&value).is_none(), "a value that is longer than the entry");
        let mut kind = whole;
        kind[HEADER_BYTES] = 9;
        assert!(Entry::read(&kind).is_none(), "a value of no kind");
    }
}
