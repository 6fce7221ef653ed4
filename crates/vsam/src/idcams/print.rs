//! PRINT: records in CHARACTER, HEX or DUMP format.

use super::parser::Command;
use super::range::Range;
use super::repro::{Place, Source};
use super::{DdTarget, Done, Failure, Run};
use crate::catalog::Organization;
use codepage::{CodePage, Reader, Taken};

const CHARACTERS_PER_LINE: usize = 120;
const HEX_BYTES_PER_LINE: usize = 60;
const DUMP_BYTES_PER_LINE: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Character,
    Hex,
    Dump,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

impl Run<'_> {
    pub(super) fn print(&mut self, command: &Command) -> Done {
        super::exclusive(&command.parameters, &[Range::EXCLUSIVE, &[&["OUTFILE", "OFILE"]]].concat())?;
        let (mut input, mut outfile) = (None, None);
        let mut range = Range::default();
        let mut format = Format::Dump;
        for parameter in &command.parameters {
            match parameter.word() {
                "INFILE" | "IFILE" => input = Some(self.dd(parameter, false)?),
                "INDATASET" | "IDS" => input = Some(self.dd(parameter, true)?),
                "CHARACTER" | "CHAR" => format = Format::Character,
                "HEX" => format = Format::Hex,
                "DUMP" => format = Format::Dump,
                "OUTFILE" | "OFILE" => outfile = Some(parameter),
                _ if range.apply(self, parameter)? => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let (name, target) = input.ok_or_else(|| Failure::missing("INFILE OR INDATASET"))?;
        let title = match &target {
            DdTarget::DataSet(set) => set.clone(),
            _ => name.clone(),
        };
        let mut source = self.source(&name, target, 80)?;
        source.must_be_available()?;
        let start = self.listing.text.len();
        self.listing.line(&format!("LISTING OF DATA SET -{title}"));
        self.listing.line("");
        let organization = match &source {
            Source::Data { file, .. } if file.attributes().path => Some(Organization::Ksds),
            Source::Data { file, .. } => Some(file.attributes().organization),
            _ => None,
        };
        let mut printed = 0u64;
        let (page, listing) = (self.page, &mut self.listing);
        let result = source.for_each(&range, &mut |record, place| {
            listing.line(&heading(organization, place, format, page));
            for line in record_lines(record, format, page) {
                listing.line(&line);
            }
            listing.line("");
            printed += 1;
            Ok(true)
        });
        self.divert(start, outfile)?;
        if let Err(failure) = result {
            self.fail(failure);
        }
        self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {printed}"));
        Ok(())
    }
}

fn heading(organization: Option<Organization>, place: &Place, format: Format, page: &CodePage) -> String {
    match organization {
        Some(Organization::Ksds) if format == Format::Character => {
            format!("KEY OF RECORD - {}", printable(page, &place.key))
        }
        Some(Organization::Ksds) => format!("KEY OF RECORD - {}", hex(&place.key)),
        Some(Organization::Esds | Organization::Linear) => format!("RBA OF RECORD - {}", place.number),
        Some(_) => format!("RELATIVE RECORD NUMBER - {}", place.number),
        None => format!("RECORD SEQUENCE NUMBER - {}", place.number),
    }
}

fn record_lines(record: &[u8], format: Format, page: &CodePage) -> Vec<String> {
    let characters = |bytes: &[u8]| printable(page, bytes);
    match format {
        Format::Character => record.chunks(CHARACTERS_PER_LINE).map(characters).collect(),
        Format::Hex => record.chunks(HEX_BYTES_PER_LINE).map(hex).collect(),
        Format::Dump => record
            .chunks(DUMP_BYTES_PER_LINE)
            .enumerate()
            .map(|(line, bytes)| {
                let words: Vec<String> = bytes.chunks(4).map(hex).collect();
                let offset = line * DUMP_BYTES_PER_LINE;
                format!("{offset:06X}  {:<71}  *{:<32}*", words.join(" "), characters(bytes))
            })
            .collect(),
    }
}

/// Bytes in a listing: a period for each unprintable one. A double-byte character takes two columns, as many as its bytes.
pub(super) fn printable(page: &CodePage, bytes: &[u8]) -> String {
    let plain =
        |character: char| if character.is_control() || matches!(character, '\u{A0}' | '\u{AD}' | '\u{FFFD}') { '.' } else { character };
    if !page.is_mixed() {
        return bytes.iter().map(|byte| plain(page.character_of(*byte))).collect();
    }
    let (mut reader, mut at, mut shown) = (Reader::new(page), 0, String::new());
    while at < bytes.len() {
        let (taken, width) = reader.take(&bytes[at..]);
        at += width;
        match taken {
            Taken::One(character) => shown.push(plain(character)),
            Taken::Two(base, mark) => shown.extend([base, mark]),
            Taken::Shift | Taken::Malformed | Taken::Incomplete => shown.extend(std::iter::repeat_n('.', width)),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_line_has_eight_words_and_the_characters() {
        let record: Vec<u8> = (0..40).map(|n| if n < 36 { 0xC1 } else { n }).collect();
        let lines = record_lines(&record, Format::Dump, &codepage::CCSID_037);
        assert_eq!(lines[0].len(), 8 + 71 + 2 + 34);
        assert_eq!(lines[0], format!("000000  {}  *{}*", ["C1C1C1C1"; 8].join(" "), "A".repeat(32)));
        assert!(lines[1].starts_with("000020  C1C1C1C1 24252627  "));
        assert!(lines[1].ends_with(&format!("*AAAA....{}*", " ".repeat(24))));
    }

    #[test]
    fn characters_are_those_of_the_page() {
        assert_eq!(printable(&codepage::CCSID_273, &[0x4A, 0x81, 0x15]), "Äa.");
        assert_eq!(printable(&codepage::CCSID_939, &codepage::CCSID_939.encode("a日本b")), "a.日本.b");
    }
}
