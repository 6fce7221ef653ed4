//! Flat files as DD names: fixed-length records, records with record descriptor words (optionally in blocks with block descriptor words),
//! and lines of text.
//!
//! Invariants: a reader gives whole records or an error naming the file and position; after `finish` of a writer the file is complete and
//! synced.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::RecordFormat;
use codepage::CodePage;

const BUFFER_BYTES: usize = 1 << 20;
const DESCRIPTOR_BYTES: usize = 4;
/// The longest record, plus the prefix of a record in a portable data set.
const RECORD_BYTES_MAX: usize = crate::catalog::RECORD_LENGTH_MAX + 16;
/// Data of a record written behind one descriptor word: LRECL 32760 less the word, as in QSAM. Longer records have segments.
const SEGMENT_BYTES_MAX: usize = 32_756;
/// Blocks are filled to half a track of a 3390, as the system determines it for format V; the longest block is for one long record.
const BLOCK_BYTES: usize = 27_998;
const BLOCK_BYTES_MAX: usize = 32_760;

/// Third byte of a segment descriptor word (records of format VBS); in a record descriptor word it is zero.
mod segment {
    pub const WHOLE: u8 = 0;
    pub const FIRST: u8 = 1;
    pub const LAST: u8 = 2;
    pub const MIDDLE: u8 = 3;
}

/// All records of a flat file.
pub fn records_of(path: &Path, format: RecordFormat, page: &'static CodePage) -> Result<Vec<Vec<u8>>, String> {
    let mut reader = FlatReader::open(path, format, page)?;
    let (mut records, mut record) = (Vec::new(), Vec::new());
    while reader.next(&mut record)? {
        records.push(record.clone());
    }
    Ok(records)
}

/// Reads records of a flat file.
pub(crate) struct FlatReader {
    input: BufReader<File>,
    path: PathBuf,
    format: RecordFormat,
    page: &'static CodePage,
    records: u64,
    /// Bytes of the block that have not been read yet, of a blocked file.
    block: usize,
}

impl FlatReader {
    pub(crate) fn open(path: &Path, format: RecordFormat, page: &'static CodePage) -> Result<FlatReader, String> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let input = BufReader::with_capacity(BUFFER_BYTES, file);
        Ok(FlatReader { input, path: path.to_path_buf(), format, page, records: 0, block: 0 })
    }

    fn error(&self, why: &str) -> String {
        format!("{}: record {}: {why}", self.path.display(), self.records + 1)
    }

    /// Reads `record.len()` bytes; false at the end of the file before the first.
    fn fill(&mut self, record: &mut [u8]) -> Result<bool, String> {
        let mut done = 0;
        while done < record.len() {
            match self.input.read(&mut record[done..]) {
                Ok(0) if done == 0 => return Ok(false),
                Ok(0) => return Err(self.error(&format!("the file ends after {done} of {} bytes", record.len()))),
                Ok(count) => done += count,
                Err(error) => return Err(self.error(&error.to_string())),
            }
        }
        Ok(true)
    }

    /// Reads the descriptor word of a block if one begins here: its length, two zero bytes. False at the end of the file.
    fn begin_block(&mut self) -> Result<bool, String> {
        let mut descriptor = [0u8; DESCRIPTOR_BYTES];
        if self.format != RecordFormat::Blocked || self.block > 0 {
            return Ok(true);
        }
        if !self.fill(&mut descriptor)? {
            return Ok(false);
        }
        let length = u16::from_be_bytes([descriptor[0], descriptor[1]]) as usize;
        if length <= DESCRIPTOR_BYTES || length > BLOCK_BYTES_MAX || descriptor[2..] != [0, 0] {
            return Err(self.error("no valid block descriptor word"));
        }
        self.block = length - DESCRIPTOR_BYTES;
        Ok(true)
    }

    /// Appends a segment to `record`, and returns its code from the descriptor word; `None` at the end of the file.
    fn segment(&mut self, record: &mut Vec<u8>) -> Result<Option<u8>, String> {
        let mut descriptor = [0u8; DESCRIPTOR_BYTES];
        if !self.begin_block()? || !self.fill(&mut descriptor)? {
            return Ok(None);
        }
        let length = u16::from_be_bytes([descriptor[0], descriptor[1]]) as usize;
        if length < DESCRIPTOR_BYTES || descriptor[2] > segment::MIDDLE || descriptor[3] != 0 {
            return Err(self.error("no valid record descriptor word"));
        }
        if self.format == RecordFormat::Blocked {
            self.block = self.block.checked_sub(length).ok_or_else(|| self.error("it is longer than its block"))?;
        }
        let start = record.len();
        record.resize(start + length - DESCRIPTOR_BYTES, 0);
        if record.len() > start && !self.fill(&mut record[start..])? {
            return Err(self.error("the file ends behind a record descriptor word"));
        }
        Ok(Some(descriptor[2]))
    }

    /// Reads a record with descriptor words: as a whole, or in segments.
    fn next_variable(&mut self, record: &mut Vec<u8>) -> Result<bool, String> {
        record.clear();
        let mut code = match self.segment(record)? {
            None => return Ok(false),
            Some(segment::WHOLE) => return Ok(true),
            Some(segment::FIRST) => segment::FIRST,
            Some(_) => return Err(self.error("a segment without the first one of its record")),
        };
        while code != segment::LAST {
            code = match self.segment(record)? {
                Some(next @ (segment::MIDDLE | segment::LAST)) => next,
                _ => return Err(self.error("the last segment of the record is missing")),
            };
            if record.len() > RECORD_BYTES_MAX {
                return Err(self.error("its segments are longer than any record"));
            }
        }
        Ok(true)
    }

    /// Reads the next record; false at the end.
    pub(crate) fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, String> {
        let more = match self.format {
            RecordFormat::Fixed(length) => {
                record.resize(length.max(1), 0);
                self.fill(record)?
            }
            RecordFormat::Variable | RecordFormat::Blocked => self.next_variable(record)?,
            RecordFormat::Text => {
                let mut line = String::new();
                let count = self.input.read_line(&mut line).map_err(|error| self.error(&error.to_string()))?;
                *record = self.page.encode(line.trim_end_matches(['\n', '\r']));
                count > 0
            }
        };
        self.records += more as u64;
        Ok(more)
    }
}

/// A record in as few segments as have at most so many bytes each, with their descriptor words.
fn segments(record: &[u8], longest: usize) -> impl Iterator<Item = ([u8; DESCRIPTOR_BYTES], &[u8])> {
    let last = record.len().saturating_sub(1) / longest;
    (0..=last).map(move |number| {
        let part = &record[number * longest..record.len().min((number + 1) * longest)];
        let code = match number {
            0 if last == 0 => segment::WHOLE,
            0 => segment::FIRST,
            _ if number == last => segment::LAST,
            _ => segment::MIDDLE,
        };
        let [high, low] = ((part.len() + DESCRIPTOR_BYTES) as u16).to_be_bytes();
        ([high, low, code, 0], part)
    })
}

/// Writes records to a flat file.
pub(crate) struct FlatWriter {
    output: BufWriter<File>,
    path: PathBuf,
    format: RecordFormat,
    page: &'static CodePage,
    /// Records of the block being filled, for a blocked file.
    block: Vec<u8>,
}

impl FlatWriter {
    pub(crate) fn create(path: &Path, format: RecordFormat, page: &'static CodePage) -> Result<FlatWriter, String> {
        // A user who names a link means its target.
        let mut options = File::options();
        let opened = options.write(true).create(true).truncate(true).mode(0o600).open(path);
        let file = opened.map_err(|error| format!("{}: {error}", path.display()))?;
        let output = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(FlatWriter { output, path: path.to_path_buf(), format, page, block: Vec::new() })
    }

    /// Why a record does not go into this file, if it does not.
    pub(crate) fn refuses(&self, record: &[u8]) -> Option<String> {
        match self.format {
            RecordFormat::Fixed(length) if record.len() > length => {
                Some(format!("{}: record of {} bytes is longer than {length}", self.path.display(), record.len()))
            }
            _ => None,
        }
    }

    /// Writes a record. Shorter ones are padded with blanks in fixed format, longer ones are refused.
    pub(crate) fn put(&mut self, record: &[u8]) -> Result<(), String> {
        if let Some(why) = self.refuses(record) {
            return Err(why);
        }
        let result = match self.format {
            RecordFormat::Fixed(length) => {
                let padding = vec![self.page.space; length - record.len()];
                self.output.write_all(record).and_then(|()| self.output.write_all(&padding))
            }
            RecordFormat::Variable => self.put_variable(record),
            RecordFormat::Blocked => self.put_blocked(record),
            RecordFormat::Text => {
                let line = self.page.decode(record);
                writeln!(self.output, "{}", line.trim_end())
            }
        };
        result.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Writes a record behind its descriptor word, or in segments if it is too long for one.
    fn put_variable(&mut self, record: &[u8]) -> std::io::Result<()> {
        segments(record, SEGMENT_BYTES_MAX).try_for_each(|(descriptor, part)| {
            self.output.write_all(&descriptor)?;
            self.output.write_all(part)
        })
    }

    /// Puts a record into the block, or in segments into several blocks.
    fn put_blocked(&mut self, record: &[u8]) -> std::io::Result<()> {
        let whole = record.len() + 2 * DESCRIPTOR_BYTES <= BLOCK_BYTES_MAX;
        let longest = if whole { record.len() } else { BLOCK_BYTES - 2 * DESCRIPTOR_BYTES };
        for (descriptor, part) in segments(record, longest.max(1)) {
            if self.block.len() + part.len() + 2 * DESCRIPTOR_BYTES > BLOCK_BYTES {
                self.end_block()?;
            }
            self.block.extend_from_slice(&descriptor);
            self.block.extend_from_slice(part);
        }
        Ok(())
    }

    fn end_block(&mut self) -> std::io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let [high, low] = ((self.block.len() + DESCRIPTOR_BYTES) as u16).to_be_bytes();
        self.output.write_all(&[high, low, 0, 0])?;
        self.output.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<(), String> {
        let result = self.end_block().and_then(|()| self.output.flush()).and_then(|()| self.output.get_ref().sync_all());
        result.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(format: RecordFormat, records: &[&[u8]]) -> Result<Vec<Vec<u8>>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = FlatWriter::create(file.path(), format, &codepage::CCSID_037)?;
        records.iter().try_for_each(|record| writer.put(record))?;
        writer.finish()?;
        let mut reader = FlatReader::open(file.path(), format, &codepage::CCSID_037)?;
        let (mut read, mut record) = (Vec::new(), Vec::new());
        while reader.next(&mut record)? {
            read.push(record.clone());
        }
        Ok(read)
    }

    #[test]
    fn records_come_back_in_every_format() {
        assert_eq!(copy(RecordFormat::Fixed(3), &[&[1, 2, 3], &[4]]).unwrap(), [vec![1, 2, 3], vec![4, 0x40, 0x40]]);
        assert_eq!(copy(RecordFormat::Variable, &[&[1], &[], &[0; 5]]).unwrap(), [vec![1], vec![], vec![0; 5]]);
        assert_eq!(copy(RecordFormat::Text, &[&[0xC1, 0xC2, 0x40]]).unwrap(), [vec![0xC1, 0xC2]]);
        assert!(copy(RecordFormat::Fixed(3), &[&[0; 4]]).is_err());
    }

    #[test]
    fn records_longer_than_a_descriptor_word_says_are_written_in_segments() {
        let long: Vec<u8> = (0..200_000u32).map(|n| (n % 251) as u8).collect();
        let records: [&[u8]; 5] =
            [&long[..SEGMENT_BYTES_MAX], &long[..SEGMENT_BYTES_MAX + 1], &long[..2 * SEGMENT_BYTES_MAX], &long, &long[..1]];
        assert!(copy(RecordFormat::Variable, &records).unwrap() == records);
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = FlatWriter::create(file.path(), RecordFormat::Variable, &codepage::CCSID_819).unwrap();
        writer.put(&long[..SEGMENT_BYTES_MAX + 1]).unwrap();
        writer.finish().unwrap();
        let written = std::fs::read(file.path()).unwrap();
        assert_eq!((&written[..4], &written[32_760..]), (&[0x7F, 0xF8, 1, 0][..], &[0, 5, 2, 0, long[SEGMENT_BYTES_MAX]][..]));
        // A last segment without its first, and a first without its last.
        for torn in [&written[32_760..], &written[..32_760]] {
            std::fs::write(file.path(), torn).unwrap();
            let mut reader = FlatReader::open(file.path(), RecordFormat::Variable, &codepage::CCSID_819).unwrap();
            assert!(reader.next(&mut Vec::new()).unwrap_err().contains("segment"));
        }
    }

    #[test]
    fn blocks_have_descriptor_words_of_their_own() {
        let long: Vec<u8> = (0..100_000u32).map(|n| (n % 251) as u8).collect();
        let records: [&[u8]; 8] = [&long[..20_000], &long[..7_986], &long[..1], &[], &long[..32_752], &long[..32_753], &long, &long[..3]];
        assert!(copy(RecordFormat::Blocked, &records).unwrap() == records);
        let file = tempfile::NamedTempFile::new().unwrap();
        let write = |records: &[&[u8]]| {
            let mut writer = FlatWriter::create(file.path(), RecordFormat::Blocked, &codepage::CCSID_819).unwrap();
            records.iter().for_each(|record| writer.put(record).unwrap());
            writer.finish().unwrap();
            std::fs::read(file.path()).unwrap()
        };
        // 4 + 4 + 20000 + 4 + 7986 = 27998: the first two fill a block, the third begins another.
        let written = write(&records[..3]);
        assert_eq!((&written[..8], &written[27_998..]), (&[0x6D, 0x5E, 0, 0, 0x4E, 0x24, 0, 0][..], &[0, 9, 0, 0, 0, 5, 0, 0, 0][..]));
        let read = |bytes: &[u8]| {
            std::fs::write(file.path(), bytes).unwrap();
            let mut reader = FlatReader::open(file.path(), RecordFormat::Blocked, &codepage::CCSID_819).unwrap();
            std::iter::from_fn(|| match reader.next(&mut Vec::new()) {
                Ok(more) => more.then_some(Ok(())),
                Err(why) => Some(Err(why)),
            })
            .find_map(Result::err)
            .unwrap_or_default()
        };
        assert_eq!(read(&written), "");
        assert!(read(&[0, 9, 0, 0, 0, 6, 0, 0, 0]).contains("record 1: it is longer than its block"));
        assert!(read(&[0, 4, 0, 0]).contains("no valid block descriptor word"));
        assert!(read(&[0, 5, 0, 0, 1, 0, 9, 0]).contains("no valid record descriptor word"), "a file without blocks");
        assert!(read(&written[..written.len() - 1]).contains("record 3"));
    }

    #[test]
    fn a_file_that_ends_within_a_record_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [1, 2, 3, 4]).unwrap();
        let mut reader = FlatReader::open(file.path(), RecordFormat::Fixed(3), &codepage::CCSID_819).unwrap();
        let mut record = Vec::new();
        assert_eq!(reader.next(&mut record), Ok(true));
        assert!(reader.next(&mut record).unwrap_err().contains("record 2"));
        let mut reader = FlatReader::open(file.path(), RecordFormat::Variable, &codepage::CCSID_819).unwrap();
        assert!(reader.next(&mut record).unwrap_err().contains("descriptor"));
    }
}
