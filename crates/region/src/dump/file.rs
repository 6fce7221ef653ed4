//! The file of dumps, as described in docs/formats.md: the magic number, then records, each with its length, its kind and a checksum. A dump
//! is a header record, the records of its sections, and an end record; a file of transaction dumps has one dump after the other.
//!
//! Invariants: a record is at most [`BODY_BYTES_MAX`] long, and a longer area is written as several; a dump without its end record is
//! incomplete, which the reader tells; nothing that a damaged file says makes the reader allocate more than a record may have.

use crate::dump_sections::{Content, Dump, Header, Section};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

pub const MAGIC: &[u8; 8] = b"RGTDUMP1";
/// Most bytes of a record.
const BODY_BYTES_MAX: usize = 16 << 20;
/// Bytes of an area in one record.
const PIECE_BYTES_MAX: usize = 8 << 20;
/// Most lines in one record.
const LINES_MAX: usize = 20_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Header = 1,
    Lines = 2,
    Area = 3,
    Trace = 4,
    End = 5,
}

/// A record as read.
#[expect(clippy::large_enum_variant, reason = "one record is read at a time")]
#[derive(Debug, PartialEq, Eq)]
pub enum Record {
    Header(Header),
    Section(Section),
    End,
}

#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("it is not a file of dumps")]
    NotDumps,
    #[error("it ends in the middle of a record: the dump is incomplete")]
    Truncated,
    #[error("the record at offset {0} is damaged")]
    Damaged(u64),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The head of a section, before its lines, bytes or entries.
#[derive(Serialize, Deserialize)]
struct SectionHead {
    component: String,
    level: u8,
    title: String,
    /// Of an area.
    #[serde(default)]
    address: u64,
}

/// Writes a dump; the number of bytes written.
pub fn write(out: &mut impl Write, dump: &Dump) -> io::Result<u64> {
    let mut written = record(out, Kind::Header, &[&serde_json::to_vec(&dump.header)?])?;
    for section in &dump.sections {
        match &section.content {
            Content::Lines(lines) => {
                for part in lines.chunks(LINES_MAX) {
                    written += piece(out, Kind::Lines, section, 0, part.join("\n").as_bytes())?;
                }
            }
            Content::Area { address, bytes } => {
                for (number, part) in bytes.chunks(PIECE_BYTES_MAX).enumerate() {
                    written += piece(out, Kind::Area, section, address + (number * PIECE_BYTES_MAX) as u64, part)?;
                }
            }
            Content::Trace(entries) => {
                for part in kernel::trace::pieces(entries, PIECE_BYTES_MAX) {
                    written += piece(out, Kind::Trace, section, 0, part)?;
                }
            }
        }
    }
    written += record(out, Kind::End, &[])?;
    Ok(written)
}

/// One record of a section: the length of its head, the head, and the content.
fn piece(out: &mut impl Write, kind: Kind, section: &Section, address: u64, content: &[u8]) -> io::Result<u64> {
    let Section { component, level, title, .. } = section;
    let head = SectionHead { component: component.clone(), level: *level, title: title.clone(), address };
    let head = serde_json::to_vec(&head)?;
    let length = u16::try_from(head.len()).map_err(|_| io::Error::other("the title of a section is too long"))?;
    record(out, kind, &[&length.to_be_bytes(), &head, content])
}

fn record(out: &mut impl Write, kind: Kind, parts: &[&[u8]]) -> io::Result<u64> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    if length > BODY_BYTES_MAX {
        return Err(io::Error::other("a section of the dump is too long"));
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(&[kind as u8]);
    out.write_all(&(length as u32).to_be_bytes())?;
    out.write_all(&[kind as u8])?;
    for part in parts {
        sum.update(part);
        out.write_all(part)?;
    }
    out.write_all(&sum.finalize().to_be_bytes())?;
    Ok(length as u64 + 9)
}

/// Reads the records of a file of dumps.
pub struct Reader<R> {
    input: R,
    offset: u64,
}

impl<R: Read> Reader<R> {
    pub fn new(mut input: R) -> Result<Reader<R>, Fault> {
        let mut magic = [0; MAGIC.len()];
        match input.read_exact(&mut magic) {
            Ok(()) if magic == *MAGIC => Ok(Reader { input, offset: MAGIC.len() as u64 }),
            Ok(()) => Err(Fault::NotDumps),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Fault::NotDumps),
            Err(error) => Err(error.into()),
        }
    }

    /// The next record; `None` at the end of the file.
    pub fn read_next(&mut self) -> Result<Option<Record>, Fault> {
        let mut head = [0; 5];
        let first = loop {
            match self.input.read(&mut head[..1]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                read => break read?,
            }
        };
        if first == 0 {
            return Ok(None);
        }
        self.exact(&mut head[1..])?;
        let length = u32::from_be_bytes(head[..4].try_into().expect("four bytes")) as usize;
        if length > BODY_BYTES_MAX {
            return Err(Fault::Damaged(self.offset));
        }
        let mut body = vec![0; length];
        self.exact(&mut body)?;
        let mut sum = [0; 4];
        self.exact(&mut sum)?;
        let mut expected = crc32fast::Hasher::new();
        expected.update(&head[4..]);
        expected.update(&body);
        let record = if expected.finalize().to_be_bytes() == sum { decoded(head[4], &body) } else { None };
        let record = record.ok_or(Fault::Damaged(self.offset))?;
        self.offset += length as u64 + 9;
        Ok(Some(record))
    }

    fn exact(&mut self, bytes: &mut [u8]) -> Result<(), Fault> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault::Truncated,
            _ => error.into(),
        })
    }
}

fn decoded(kind: u8, body: &[u8]) -> Option<Record> {
    if kind == Kind::Header as u8 {
        return Some(Record::Header(serde_json::from_slice(body).ok()?));
    }
    if kind == Kind::End as u8 {
        return body.is_empty().then_some(Record::End);
    }
    let (length, rest) = body.split_first_chunk::<2>()?;
    let (head, bytes) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    let SectionHead { component, level, title, address } = serde_json::from_slice(head).ok()?;
    let content = match kind {
        _ if kind == Kind::Lines as u8 => Content::Lines(std::str::from_utf8(bytes).ok()?.split('\n').map(str::to_string).collect()),
        _ if kind == Kind::Area as u8 => Content::Area { address, bytes: bytes.to_vec() },
        _ if kind == Kind::Trace as u8 => Content::Trace(bytes.to_vec()),
        _ => return None,
    };
    Some(Record::Section(Section { component, level, title, content }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump_sections::BRIEF;

    fn dump(area: usize) -> Dump {
        let sections = vec![
            Section::lines("KE", BRIEF, "Tasks", vec!["one".into(), "two".into()]),
            Section::area("SM", "Storage", 0x1000, vec![0xC1; area]),
        ];
        Dump { header: Header::of_system("MT0001"), sections }
    }

    fn file(dump: &Dump) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let written = write(&mut bytes, dump).unwrap();
        assert_eq!(bytes.len() as u64, written + MAGIC.len() as u64);
        bytes
    }

    #[test]
    fn what_is_written_is_read_and_long_areas_are_in_pieces() {
        for (length, pieces) in [(PIECE_BYTES_MAX, 1), (PIECE_BYTES_MAX + 1, 2)] {
            let dump = dump(length);
            let bytes = file(&dump);
            let mut reader = Reader::new(bytes.as_slice()).unwrap();
            assert_eq!(reader.read_next().unwrap(), Some(Record::Header(dump.header.clone())));
            assert_eq!(reader.read_next().unwrap(), Some(Record::Section(dump.sections[0].clone())));
            let mut read = Vec::new();
            for number in 0..pieces {
                let Some(Record::Section(Section { content: Content::Area { address, bytes }, .. })) = reader.read_next().unwrap() else {
                    panic!("a piece of the area")
                };
                assert_eq!(address, 0x1000 + (number * PIECE_BYTES_MAX) as u64);
                read.extend(bytes);
            }
            assert_eq!(read.len(), length);
            assert_eq!(reader.read_next().unwrap(), Some(Record::End));
            assert_eq!(reader.read_next().unwrap(), None);
        }
    }

    /// Wherever the writer was killed, the reader gives what came before, and says that the dump is incomplete.
    #[test]
    fn a_cut_file_is_incomplete_and_a_changed_byte_is_found() {
        let bytes = file(&dump(40));
        for length in MAGIC.len()..bytes.len() {
            let mut reader = Reader::new(&bytes[..length]).unwrap();
            let mut ended = false;
            let fault = loop {
                match reader.read_next() {
                    Ok(Some(Record::End)) => ended = true,
                    Ok(Some(_)) => (),
                    Ok(None) => break None,
                    Err(fault) => break Some(fault),
                }
            };
            assert!(!ended && !matches!(fault, Some(Fault::Damaged(_))), "{length}: {fault:?}");
        }
        for at in MAGIC.len()..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            let mut reader = Reader::new(damaged.as_slice()).unwrap();
            let read = std::iter::from_fn(|| reader.read_next().transpose()).collect::<Result<Vec<_>, _>>();
            assert!(read.is_err(), "byte {at}");
        }
        assert!(matches!(Reader::new(&b"something"[..]), Err(Fault::NotDumps)));
    }
}
