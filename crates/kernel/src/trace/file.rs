//! The form of the auxiliary trace data sets and of the stream: a header, then chunks of entries.
//!
//! The header is 32 bytes: `RGNTRACE`, the version (2 bytes), the CCSID of the region's data (2), the letter (1: A, B, S for the stream, s for a
//! stream that is stopped), a zero, the minutes of local time from UTC (2), the APPLID (8), and the time of creation in nanoseconds since 1970 UTC (8). A chunk is `CHNK`, the length of
//! its entries (4 bytes), their CRC-32 (4) and the entries; a chunk without entries marks a data set that was closed. Numbers are little-endian.
//! Invariant: a chunk whose checksum does not match ends the data set, so a data set of a region that was killed is readable up to the last
//! whole chunk.

use super::entry::Entry;
use crate::name::Name8;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

const MAGIC: &[u8; 8] = b"RGNTRACE";
const VERSION: u16 = 1;
const CHUNK: &[u8; 4] = b"CHNK";
/// Letters of streams.
pub(super) const STREAM: u8 = b'S';
pub(super) const STOPPED_STREAM: u8 = b's';
pub(super) const HEADER_BYTES: usize = 32;
pub(super) const CHUNK_HEADER_BYTES: usize = 12;
/// The longest chunk that a reader takes; the writer makes none longer.
pub(super) const CHUNK_BYTES_MAX: usize = 1 << 20;

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    pub applid: Name8,
    /// The code page of the data of programs.
    pub ccsid: u16,
    pub letter: u8,
    /// From UTC to the region's local time.
    pub offset_minutes: i16,
    pub created_unix_ns: u64,
}

impl Description {
    /// That of a stream to which nothing is written now.
    pub fn is_stopped_stream(&self) -> bool {
        self.letter == STOPPED_STREAM
    }

    pub(super) fn header(&self) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(MAGIC);
        header[8..10].copy_from_slice(&VERSION.to_le_bytes());
        header[10..12].copy_from_slice(&self.ccsid.to_le_bytes());
        header[12] = self.letter;
        header[14..16].copy_from_slice(&self.offset_minutes.to_le_bytes());
        header[16..24].copy_from_slice(self.applid.as_bytes());
        header[24..32].copy_from_slice(&self.created_unix_ns.to_le_bytes());
        header
    }

    fn from_header(header: &[u8; HEADER_BYTES]) -> io::Result<Description> {
        let invalid = |text: &str| Err(io::Error::new(io::ErrorKind::InvalidData, text));
        if &header[..8] != MAGIC {
            return invalid("it is not a trace data set");
        }
        if u16::from_le_bytes([header[8], header[9]]) != VERSION {
            return invalid("it is a trace data set of another version");
        }
        Ok(Description {
            applid: Name8::from_bytes(&header[16..24]),
            ccsid: u16::from_le_bytes([header[10], header[11]]),
            letter: header[12],
            offset_minutes: i16::from_le_bytes([header[14], header[15]]),
            created_unix_ns: u64::from_le_bytes(header[24..32].try_into().expect("eight bytes")),
        })
    }
}

/// A chunk of whole entries.
pub(super) fn chunk(entries: &[u8]) -> Vec<u8> {
    assert!(entries.len() <= CHUNK_BYTES_MAX);
    let mut bytes = Vec::with_capacity(CHUNK_HEADER_BYTES + entries.len());
    bytes.extend_from_slice(CHUNK);
    bytes.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(entries).to_le_bytes());
    bytes.extend_from_slice(entries);
    bytes
}

/// How reading went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Entries(Vec<Entry>),
    /// The mark of a data set or stream that was closed.
    Closed,
    /// There is no more.
    End,
    /// What follows is no whole chunk.
    Torn,
}

/// Reads a data set or a stream.
pub struct Reader<R> {
    source: R,
    pub description: Description,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    pub fn new(mut source: R) -> io::Result<Reader<R>> {
        let mut header = [0; HEADER_BYTES];
        if read_up_to(&mut source, &mut header)? < HEADER_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not a trace data set"));
        }
        Ok(Reader { source, description: Description::from_header(&header)? })
    }

    /// Reads the next chunk.
    pub fn read_next(&mut self) -> io::Result<Next> {
        let mut header = [0; CHUNK_HEADER_BYTES];
        match read_up_to(&mut self.source, &mut header)? {
            0 => return Ok(Next::End),
            CHUNK_HEADER_BYTES => (),
            _ => return Ok(Next::Torn),
        }
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
        let length = word(4) as usize;
        if &header[..4] != CHUNK || length > CHUNK_BYTES_MAX {
            return Ok(Next::Torn);
        }
        let mut entries = vec![0; length];
        if read_up_to(&mut self.source, &mut entries)? < length || crc32fast::hash(&entries) != word(8) {
            return Ok(Next::Torn);
        }
        Ok(if entries.is_empty() { Next::Closed } else { Next::Entries(Entry::all(&entries)) })
    }
}

/// Fills as much of the bytes as the source has.
fn read_up_to(source: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match source.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A data set as read.
pub struct TraceFile {
    pub description: Description,
    /// In the order of their times.
    pub entries: Vec<Entry>,
    pub was_closed: bool,
    /// The last chunk is not whole.
    pub is_torn: bool,
}

/// What the header says, and whether the data set ends with the mark of one that was closed: a region that starts looks at no more of it.
pub(super) fn read_ends(path: &Path) -> io::Result<(Description, bool)> {
    let mut source = std::fs::File::open(path)?;
    let description = Reader::new(&mut source)?.description;
    let length = source.seek(SeekFrom::End(0))?;
    let mut mark = [0; CHUNK_HEADER_BYTES];
    if length < (HEADER_BYTES + CHUNK_HEADER_BYTES) as u64 {
        return Ok((description, false));
    }
    source.seek(SeekFrom::End(-(CHUNK_HEADER_BYTES as i64)))?;
    let is_whole = read_up_to(&mut source, &mut mark)? == CHUNK_HEADER_BYTES;
    Ok((description, is_whole && mark[..] == chunk(&[])[..]))
}

/// Reads a whole data set.
pub fn read(path: &Path) -> io::Result<TraceFile> {
    let mut reader = Reader::new(io::BufReader::new(std::fs::File::open(path)?))?;
    let mut file = TraceFile { description: reader.description, entries: Vec::new(), was_closed: false, is_torn: false };
    loop {
        match reader.read_next()? {
            Next::Entries(entries) => file.entries.extend(entries),
            Next::Closed => file.was_closed = true,
            Next::End => break,
            Next::Torn => {
                file.is_torn = true;
                break;
            }
        }
    }
    file.entries.sort_by_key(|entry| entry.unix_ns);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_data_set_say_whether_it_was_closed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("DFHAUXT");
        let description =
            Description { applid: Name8::new("TEST"), ccsid: 37, letter: b'A', offset_minutes: 60, created_unix_ns: 1_234_567_890 };
        let entries = [7; 100];
        let ends = |parts: &[&[u8]]| {
            std::fs::write(&path, [&[&description.header()[..]], parts].concat().concat()).unwrap();
            read_ends(&path).unwrap()
        };
        let (data, mark) = (chunk(&entries), chunk(&[]));
        assert_eq!(ends(&[]), (description, false));
        assert_eq!(ends(&[&data]), (description, false));
        assert_eq!(ends(&[&mark]), (description, true));
        assert_eq!(ends(&[&data, &mark]), (description, true));
        assert_eq!(ends(&[&data, &mark[1..]]), (description, false));
        std::fs::write(&path, &description.header()[1..]).unwrap();
        assert!(read_ends(&path).is_err() && read_ends(&directory.path().join("NONE")).is_err());
    }
}
