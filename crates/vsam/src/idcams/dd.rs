//! Flat files as DD names: fixed records, records with descriptor words, lines of text.
//!
//! Invariants: a reader gives whole records or an error naming the file and position; a writer makes the file complete and
//! synced by `finish`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::RecordFormat;
use super::code_page::CodePage;

const BUFFER_BYTES: usize = 1 << 20;

/// Reads records of a flat file.
pub(crate) struct FlatReader {
    input: BufReader<File>,
    path: PathBuf,
    format: RecordFormat,
    page: CodePage,
    records: u64,
}

impl FlatReader {
    pub(crate) fn open(path: &Path, format: RecordFormat, page: CodePage) -> Result<FlatReader, String> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let input = BufReader::with_capacity(BUFFER_BYTES, file);
        Ok(FlatReader { input, path: path.to_path_buf(), format, page, records: 0 })
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

    /// Reads the next record; false at the end.
    pub(crate) fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, String> {
        let more = match self.format {
            RecordFormat::Fixed(length) => {
                record.resize(length.max(1), 0);
                self.fill(record)?
            }
            RecordFormat::Variable => {
                let mut descriptor = [0u8; 4];
                if self.fill(&mut descriptor)? {
                    let length = u16::from_be_bytes([descriptor[0], descriptor[1]]) as usize;
                    if length < 4 || descriptor[2..] != [0, 0] {
                        return Err(self.error("no valid record descriptor word"));
                    }
                    record.resize(length - 4, 0);
                    length == 4 || self.fill(record)?
                } else {
                    false
                }
            }
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

/// Writes records to a flat file.
pub(crate) struct FlatWriter {
    output: BufWriter<File>,
    path: PathBuf,
    format: RecordFormat,
    page: CodePage,
}

impl FlatWriter {
    pub(crate) fn create(path: &Path, format: RecordFormat, page: CodePage) -> Result<FlatWriter, String> {
        let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let output = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(FlatWriter { output, path: path.to_path_buf(), format, page })
    }

    /// Writes a record. Shorter ones are padded with blanks in fixed format, longer ones are refused.
    pub(crate) fn put(&mut self, record: &[u8]) -> Result<(), String> {
        let result = match self.format {
            RecordFormat::Fixed(length) if record.len() > length => {
                return Err(format!("{}: record of {} bytes is longer than {length}", self.path.display(), record.len()));
            }
            RecordFormat::Fixed(length) => {
                let padding = vec![self.page.blank(); length - record.len()];
                self.output.write_all(record).and_then(|()| self.output.write_all(&padding))
            }
            RecordFormat::Variable => {
                let length = (record.len() + 4) as u16;
                let [high, low] = length.to_be_bytes();
                self.output.write_all(&[high, low, 0, 0]).and_then(|()| self.output.write_all(record))
            }
            RecordFormat::Text => {
                let line = self.page.decode(record);
                writeln!(self.output, "{}", line.trim_end())
            }
        };
        result.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    pub(crate) fn finish(mut self) -> Result<(), String> {
        let result = self.output.flush().and_then(|()| self.output.get_ref().sync_all());
        result.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(format: RecordFormat, records: &[&[u8]]) -> Result<Vec<Vec<u8>>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = FlatWriter::create(file.path(), format, CodePage::Ebcdic037)?;
        records.iter().try_for_each(|record| writer.put(record))?;
        writer.finish()?;
        let mut reader = FlatReader::open(file.path(), format, CodePage::Ebcdic037)?;
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
    fn a_file_that_ends_within_a_record_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [1, 2, 3, 4]).unwrap();
        let mut reader = FlatReader::open(file.path(), RecordFormat::Fixed(3), CodePage::Latin1).unwrap();
        let mut record = Vec::new();
        assert_eq!(reader.next(&mut record), Ok(true));
        assert!(reader.next(&mut record).unwrap_err().contains("record 2"));
        let mut reader = FlatReader::open(file.path(), RecordFormat::Variable, CodePage::Latin1).unwrap();
        assert!(reader.next(&mut record).unwrap_err().contains("descriptor"));
    }
}
