//! Record formats of the files of extrapartition queues and of spool files.
//!
//! A file whose name ends in .txt, .log or .lst, and every file the region creates by itself, holds lines of text (UTF-8). Other files have
//! the host's format: fixed-length records one after the other, variable-length records with a record descriptor word (length + 4, two zero
//! bytes) before each.

use region::code_page::RegionCodePage;
use std::io::{self, BufRead, Read, Write};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Text,
    Fixed(usize),
    Variable,
}

/// Writes one record.
pub(crate) fn write(output: &mut impl Write, format: Format, data: &[u8], code_page: &RegionCodePage) -> io::Result<()> {
    match format {
        Format::Text => {
            let text = code_page.text(data);
            output.write_all(text.trim_end().as_bytes())?;
            output.write_all(b"\n")
        }
        Format::Fixed(_) => output.write_all(data),
        Format::Variable => {
            output.write_all(&[((data.len() + 4) >> 8) as u8, (data.len() + 4) as u8, 0, 0])?;
            output.write_all(data)
        }
    }
}

/// Reads one record; false at the end of the file.
pub(crate) fn read(input: &mut impl BufRead, format: Format, data: &mut Vec<u8>, code_page: &RegionCodePage) -> io::Result<bool> {
    data.clear();
    match format {
        Format::Text => {
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(false);
            }
            *data = code_page.encode(line.trim_end_matches(['\n', '\r']));
            Ok(true)
        }
        Format::Fixed(length) => {
            let read = input.take(length as u64).read_to_end(data)?;
            Ok(read > 0)
        }
        Format::Variable => {
            let mut descriptor = Vec::new();
            if input.take(4).read_to_end(&mut descriptor)? == 0 {
                return Ok(false);
            }
            let length = match descriptor[..] {
                [high, low, _, _] => usize::from(high) << 8 | usize::from(low),
                _ => 0,
            };
            if length < 4 {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "record descriptor word is not valid"));
            }
            input.take(length as u64 - 4).read_to_end(data)?;
            Ok(true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_reads_what_it_wrote() {
        let page = RegionCodePage::new(&codepage::CCSID_037);
        for format in [Format::Text, Format::Fixed(3), Format::Variable] {
            let mut file = Vec::new();
            for record in ["ABC", "DEF"] {
                write(&mut file, format, &page.encode(record), &page).unwrap();
            }
            let mut input = io::Cursor::new(file);
            let mut data = Vec::new();
            for record in ["ABC", "DEF"] {
                assert!(read(&mut input, format, &mut data, &page).unwrap());
                assert_eq!(data, page.encode(record));
            }
            assert!(!read(&mut input, format, &mut data, &page).unwrap(), "{format:?}");
        }
        let mut damaged = io::Cursor::new(vec![0, 3, 0, 0]);
        assert!(read(&mut damaged, Format::Variable, &mut Vec::new(), &page).is_err());
    }
}
