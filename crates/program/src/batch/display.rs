//! DISPLAY to DD names, and the standard streams of C programs: lines of text, or fixed-length records.
//!
//! Rules: Enterprise COBOL for z/OS Programming Guide, "Displaying data on the system logical output device" and OUTDD; Language Reference,
//! "DISPLAY statement": data longer than a record continues in the next one.

use super::dd::{DataDefinition, FileFormat};
use super::files::Files;
use super::sequential::{VARIABLE_LENGTH_MAX, WORD_LENGTH, descriptor_word, put_variable};
use le::CodePage;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{BufWriter, Error, Result, Write};

/// DISPLAY UPON SYSOUT without OUTDD, and standard error of C programs.
pub(super) const SYSTEM_OUTPUT: &str = "SYSOUT";
/// Standard output of C programs.
pub(super) const SYSTEM_PRINT: &str = "SYSPRINT";
/// DISPLAY UPON SYSPUNCH.
pub(super) const SYSTEM_PUNCH: &str = "SYSPUNCH";

#[derive(Default)]
pub(super) struct Displays {
    /// By DD name; `None`: standard output.
    open: FxHashMap<String, Option<Display>>,
}

struct Display {
    /// `None`: DD DUMMY.
    file: Option<BufWriter<File>>,
    format: FileFormat,
    /// Shown WITH NO ADVANCING.
    begun: String,
}

impl Displays {
    /// Writes to the DD name; false if it is not allocated.
    pub(super) fn write(&mut self, dd: &str, text: &str, advance: bool, files: &mut Files, page: &CodePage) -> Result<bool> {
        if !self.open.contains_key(dd) {
            // The open is tried only once, whatever the result.
            self.open.insert(dd.to_string(), None);
            let display = open(dd, files)?;
            self.open.insert(dd.to_string(), display);
        }
        let Some(Some(display)) = self.open.get_mut(dd) else { return Ok(false) };
        display.begun.push_str(text);
        if advance {
            display.line(page)?;
        }
        Ok(true)
    }

    pub(super) fn close(&mut self) {
        for (_, display) in self.open.drain() {
            if let Some(Display { file: Some(mut file), format, begun }) = display {
                if !begun.is_empty() && matches!(format, FileFormat::Text | FileFormat::Unspecified) {
                    let _ = file.write_all(begun.as_bytes());
                }
                let _ = file.flush();
            }
        }
    }
}

fn open(dd: &str, files: &mut Files) -> Result<Option<Display>> {
    let (path, format) = match files.definition(dd) {
        None => return Ok(None),
        Some(DataDefinition::Dummy) => return Ok(Some(Display { file: None, format: FileFormat::Text, begun: String::new() })),
        Some(DataDefinition::File { path, format }) => (path, format),
        Some(DataDefinition::DataSet { name, new }) => match files.data_set_path(&name, new) {
            Some(path) => (path, FileFormat::Text),
            None => return Err(Error::other(format!("{name} is no sequential data set"))),
        },
    };
    let file = File::create(&path).map_err(|error| Error::other(format!("{}: {error}", path.display())))?;
    Ok(Some(Display { file: Some(BufWriter::new(file)), format, begun: String::new() }))
}

impl Display {
    /// The line is complete.
    fn line(&mut self, page: &CodePage) -> Result<()> {
        let text = std::mem::take(&mut self.begun);
        let Some(file) = &mut self.file else { return Ok(()) };
        match self.format {
            FileFormat::Text | FileFormat::Unspecified => writeln!(file, "{text}"),
            FileFormat::Fixed(length) => {
                let mut bytes = page.encode(&text);
                let blank = page.encode(" ")[0];
                bytes.resize(bytes.len().max(1).next_multiple_of(length), blank);
                file.write_all(&bytes)
            }
            FileFormat::Blocked => {
                let record = page.encode(&text);
                let record = &record[..record.len().min(VARIABLE_LENGTH_MAX - WORD_LENGTH)];
                file.write_all(&descriptor_word(record.len() + WORD_LENGTH))?;
                put_variable(file, &[record])
            }
            FileFormat::Variable => page.encode(&text).chunks(VARIABLE_LENGTH_MAX).try_for_each(|record| put_variable(file, &[record])),
        }
    }
}
