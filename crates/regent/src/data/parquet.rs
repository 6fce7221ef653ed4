//! Parquet files: the layout of the Apache Parquet format specification, with plain encoding and without compression.
//!
//! A file is `PAR1`, row groups, the metadata, its length (u32, little endian) and `PAR1`. A row group has one chunk per column, with one
//! data page: a header, definition levels (which values are present) in runs, and the values. Headers and metadata are in the compact
//! protocol of Thrift. Every column is optional. Invariants: at most one row group is buffered; all chunks of a group have the same number
//! of values.

use std::io::{self, Write};

const MAGIC: &[u8; 4] = b"PAR1";
/// Bytes of values, and rows, at which a row group is written.
const GROUP_BYTES: usize = 64 << 20;
const GROUP_ROWS: u32 = 1 << 20;
/// Digits an INT64 holds; longer decimals have sixteen bytes.
const INT64_DIGITS: u32 = 18;
const LONG_DECIMAL_BYTES: usize = 16;

/// Physical types, and the other numbers of the format's Thrift definition.
mod format {
    pub const INT64: i32 = 2;
    pub const DOUBLE: i32 = 5;
    pub const BYTE_ARRAY: i32 = 6;
    pub const FIXED_LENGTH_BYTE_ARRAY: i32 = 7;
    pub const UTF8: i32 = 0;
    pub const DECIMAL: i32 = 5;
    pub const OPTIONAL: i32 = 1;
    pub const DATA_PAGE: i32 = 0;
    pub const PLAIN: i32 = 0;
    pub const RUN_LENGTH: i32 = 3;
    pub const UNCOMPRESSED: i32 = 0;
    pub const VERSION: i32 = 1;
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// A number of so many digits, so many of them behind the point.
    Decimal {
        digits: u32,
        scale: u32,
    },
    Double,
}

impl Kind {
    fn physical(self) -> i32 {
        match self {
            Kind::Text => format::BYTE_ARRAY,
            Kind::Double => format::DOUBLE,
            Kind::Decimal { digits, .. } if digits <= INT64_DIGITS => format::INT64,
            Kind::Decimal { .. } => format::FIXED_LENGTH_BYTE_ARRAY,
        }
    }
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    /// A number without its decimal point.
    Number(i128),
    Double(f64),
    Null,
}

/// The compact protocol of Thrift, as far as the format needs it.
#[derive(Default)]
struct Compact {
    bytes: Vec<u8>,
    /// Number of the last field of each structure that is open.
    fields: Vec<i16>,
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Compact {
    fn begin() -> Compact {
        Compact { bytes: Vec::new(), fields: vec![0] }
    }

    fn unsigned(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn signed(&mut self, value: i64) {
        self.unsigned(((value << 1) ^ (value >> 63)) as u64);
    }

    fn field(&mut self, number: i16, kind: u8) {
        let last = self.fields.last_mut().expect("a structure is open");
        let step = number - std::mem::replace(last, number);
        assert!((1..=15).contains(&step), "fields are written in order");
        self.bytes.push((step as u8) << 4 | kind);
    }

    fn i32(&mut self, number: i16, value: i32) {
        self.field(number, I32);
        self.signed(value.into());
    }

    fn i64(&mut self, number: i16, value: i64) {
        self.field(number, I64);
        self.signed(value);
    }

    fn binary(&mut self, text: &str) {
        self.unsigned(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn text(&mut self, number: i16, text: &str) {
        self.field(number, BINARY);
        self.binary(text);
    }

    fn list(&mut self, number: i16, kind: u8, length: usize) {
        self.field(number, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xF0 | kind);
            self.unsigned(length as u64);
        }
    }

    /// A structure as an element of a list; as a field, after `field`.
    fn structure(&mut self, content: impl FnOnce(&mut Compact)) {
        self.fields.push(0);
        content(self);
        self.end();
    }

    fn end(&mut self) {
        self.fields.pop();
        self.bytes.push(0);
    }
}

/// The values of one column of the row group being made.
#[derive(Default)]
struct Chunk {
    values: Vec<u8>,
    /// Runs of values that are there, or are not.
    runs: Vec<(bool, u32)>,
}

impl Chunk {
    fn note(&mut self, present: bool) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == present => *count += 1,
            _ => self.runs.push((present, 1)),
        }
    }

    fn levels(&self) -> Vec<u8> {
        let mut runs = Compact::default();
        for (present, count) in &self.runs {
            runs.unsigned(u64::from(*count) << 1);
            runs.bytes.push(u8::from(*present));
        }
        let mut levels = (runs.bytes.len() as u32).to_le_bytes().to_vec();
        levels.extend(runs.bytes);
        levels
    }
}

/// Where a chunk is in the file.
struct Placed {
    offset: u64,
    bytes: u64,
}

struct Group {
    rows: u32,
    chunks: Vec<Placed>,
}

/// Writes a file row by row.
pub struct Writer<W: Write> {
    out: W,
    offset: u64,
    columns: Vec<(String, Kind)>,
    chunks: Vec<Chunk>,
    rows: u32,
    groups: Vec<Group>,
}

impl<W: Write> Writer<W> {
    pub fn new(mut out: W, columns: Vec<(String, Kind)>) -> io::Result<Writer<W>> {
        out.write_all(MAGIC)?;
        let chunks = columns.iter().map(|_| Chunk::default()).collect();
        Ok(Writer { out, offset: MAGIC.len() as u64, columns, chunks, rows: 0, groups: Vec::new() })
    }

    /// Adds a row with a cell for every column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> io::Result<()> {
        let mut cells = cells.into_iter();
        for ((_, kind), chunk) in self.columns.iter().zip(&mut self.chunks) {
            let present = match (cells.next().unwrap_or(Cell::Null), kind) {
                (Cell::Text(text), Kind::Text) => {
                    chunk.values.extend_from_slice(&(text.len() as u32).to_le_bytes());
                    chunk.values.extend_from_slice(text.as_bytes());
                    true
                }
                (Cell::Number(number), Kind::Decimal { digits, .. }) if *digits <= INT64_DIGITS => match i64::try_from(number) {
                    Ok(number) => {
                        chunk.values.extend_from_slice(&number.to_le_bytes());
                        true
                    }
                    Err(_) => false,
                },
                (Cell::Number(number), Kind::Decimal { .. }) => {
                    chunk.values.extend_from_slice(&number.to_be_bytes());
                    true
                }
                (Cell::Double(number), Kind::Double) => {
                    chunk.values.extend_from_slice(&number.to_le_bytes());
                    true
                }
                _ => false,
            };
            chunk.note(present);
        }
        self.rows += 1;
        let bytes: usize = self.chunks.iter().map(|chunk| chunk.values.len()).sum();
        if self.rows >= GROUP_ROWS || bytes >= GROUP_BYTES { self.end_group() } else { Ok(()) }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.offset += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn end_group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        if rows == 0 {
            return Ok(());
        }
        let mut placed = Vec::new();
        for at in 0..self.chunks.len() {
            let chunk = std::mem::take(&mut self.chunks[at]);
            let levels = chunk.levels();
            let size = (levels.len() + chunk.values.len()) as i32;
            let mut header = Compact::begin();
            header.i32(1, format::DATA_PAGE);
            header.i32(2, size);
            header.i32(3, size);
            header.field(5, STRUCT);
            header.structure(|page| {
                page.i32(1, rows as i32);
                page.i32(2, format::PLAIN);
                page.i32(3, format::RUN_LENGTH);
                page.i32(4, format::RUN_LENGTH);
            });
            header.end();
            let offset = self.offset;
            self.put(&header.bytes)?;
            self.put(&levels)?;
            self.put(&chunk.values)?;
            placed.push(Placed { offset, bytes: self.offset - offset });
        }
        self.groups.push(Group { rows, chunks: placed });
        Ok(())
    }

    fn schema(&self, meta: &mut Compact) {
        meta.list(2, STRUCT, self.columns.len() + 1);
        meta.structure(|root| {
            root.text(4, "schema");
            root.i32(5, self.columns.len() as i32);
        });
        for (name, kind) in &self.columns {
            meta.structure(|column| {
                column.i32(1, kind.physical());
                if kind.physical() == format::FIXED_LENGTH_BYTE_ARRAY {
                    column.i32(2, LONG_DECIMAL_BYTES as i32);
                }
                column.i32(3, format::OPTIONAL);
                column.text(4, name);
                match kind {
                    Kind::Text => column.i32(6, format::UTF8),
                    Kind::Double => {}
                    // A whole number that fits is an INT64 and nothing more.
                    Kind::Decimal { scale: 0, digits } if *digits <= INT64_DIGITS => {}
                    Kind::Decimal { digits, scale } => {
                        column.i32(6, format::DECIMAL);
                        column.i32(7, *scale as i32);
                        column.i32(8, *digits as i32);
                    }
                }
            });
        }
    }

    fn group(&self, group: &Group, meta: &mut Compact) {
        meta.list(1, STRUCT, group.chunks.len());
        for ((name, kind), placed) in self.columns.iter().zip(&group.chunks) {
            meta.structure(|chunk| {
                chunk.i64(2, placed.offset as i64);
                chunk.field(3, STRUCT);
                chunk.structure(|column| {
                    column.i32(1, kind.physical());
                    column.list(2, I32, 2);
                    column.signed(format::PLAIN.into());
                    column.signed(format::RUN_LENGTH.into());
                    column.list(3, BINARY, 1);
                    column.binary(name);
                    column.i32(4, format::UNCOMPRESSED);
                    column.i64(5, group.rows.into());
                    column.i64(6, placed.bytes as i64);
                    column.i64(7, placed.bytes as i64);
                    column.i64(9, placed.offset as i64);
                });
            });
        }
        meta.i64(2, group.chunks.iter().map(|placed| placed.bytes as i64).sum());
        meta.i64(3, group.rows.into());
    }

    /// Writes what is left and the metadata. Answers the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_group()?;
        let mut meta = Compact::begin();
        meta.i32(1, format::VERSION);
        self.schema(&mut meta);
        meta.i64(3, self.groups.iter().map(|group| i64::from(group.rows)).sum());
        meta.list(4, STRUCT, self.groups.len());
        for group in &self.groups {
            meta.structure(|meta| self.group(group, meta));
        }
        meta.text(6, concat!("regent ", env!("CARGO_PKG_VERSION")));
        meta.end();
        self.put(&meta.bytes)?;
        self.put(&(meta.bytes.len() as u32).to_le_bytes())?;
        self.put(MAGIC)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a file of two rows and two columns, as laid out by hand from the specification.
    #[test]
    fn a_small_file_is_laid_out_as_specified() {
        let columns = vec![("N".to_string(), Kind::Decimal { digits: 4, scale: 0 }), ("T".to_string(), Kind::Text)];
        let mut writer = Writer::new(Vec::new(), columns).unwrap();
        writer.row([Cell::Number(-2), Cell::Text("ab".into())]).unwrap();
        writer.row([Cell::Number(7), Cell::Null]).unwrap();
        let bytes = writer.finish().unwrap();
        let mut expected = b"PAR1".to_vec();
        // Page of N: 22 bytes, two values; a run of two that are there.
        expected.extend([0x15, 0, 0x15, 44, 0x15, 44, 0x2C, 0x15, 4, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0]);
        expected.extend([2, 0, 0, 0, 4, 1]);
        expected.extend((-2i64).to_le_bytes());
        expected.extend(7i64.to_le_bytes());
        // Page of T: 14 bytes; one there, one not.
        expected.extend([0x15, 0, 0x15, 28, 0x15, 28, 0x2C, 0x15, 4, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0]);
        expected.extend([4, 0, 0, 0, 2, 1, 2, 0]);
        expected.extend([2, 0, 0, 0, b'a', b'b']);
        assert_eq!(&bytes[..expected.len()], &expected[..]);
        // Metadata: version, root of two columns, their elements.
        let meta = &bytes[expected.len()..bytes.len() - 8];
        let mut start = vec![0x15, 2, 0x19, 0x3C, 0x48, 6];
        start.extend(b"schema");
        start.extend([0x15, 4, 0, 0x15, 4, 0x25, 2, 0x18, 1, b'N', 0, 0x15, 12, 0x25, 2, 0x18, 1, b'T', 0x25, 0, 0, 0x16, 4, 0x19, 0x1C]);
        assert_eq!(&meta[..start.len()], &start[..]);
        assert_eq!(&bytes[bytes.len() - 8..bytes.len() - 4], &(meta.len() as u32).to_le_bytes());
        assert!(bytes.ends_with(b"PAR1"));
    }
}
