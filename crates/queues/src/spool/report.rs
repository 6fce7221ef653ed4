//! A report that is open: written by its program, or read.
//!
//! Records have their lengths before them (record descriptor words), so their bytes are as the program wrote them.

use super::directory::{self, REPORT};
use crate::record::{self, Format};
use region::Region;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::PathBuf;
use vsam::disk::private;

/// Bytes of a report's token.
pub const TOKEN_BYTES: usize = 8;
/// Longest record.
pub const RECORD_BYTES_MAX: usize = 32_760;

/// How a report was opened.
enum Stream {
    Output {
        file: BufWriter<File>,
        /// Where it goes when it is closed.
        destination: PathBuf,
        /// What it is, line by line.
        description: String,
        records: u64,
    },
    Input {
        file: BufReader<File>,
        /// A record that did not fit into the program's area, and is read again.
        held: Option<Vec<u8>>,
        at_end: bool,
    },
}

pub struct Report {
    pub token: [u8; TOKEN_BYTES],
    /// Longest record that may be written.
    pub record_bytes: usize,
    path: PathBuf,
    stream: Stream,
}

/// What is said of a report besides its records.
pub struct Description<'a> {
    pub node: &'a str,
    pub user: &'a str,
    pub class: u8,
    /// NOCC, ASA or MCC.
    pub control: &'a str,
    /// PRINT or PUNCH.
    pub device: &'a str,
    pub record_bytes: usize,
    /// The text of OUTDESCR.
    pub output: &'a str,
    pub transid: &'a str,
    pub owner: &'a str,
}

impl Description<'_> {
    fn text(&self, region: &Region) -> String {
        let mut text = String::new();
        let class = char::from(self.class).to_string();
        let length = self.record_bytes.to_string();
        for (name, value) in [
            ("node", self.node),
            ("userid", self.user),
            ("class", class.as_str()),
            ("control", self.control),
            ("device", self.device),
            ("recordlength", length.as_str()),
            ("outdescr", self.output),
            ("applid", region.applid.as_str()),
            ("transid", self.transid),
            ("owner", self.owner),
        ] {
            let _ = writeln!(text, "{name}={value}");
        }
        text
    }
}

impl Report {
    /// A report that is written.
    ///
    /// # Errors
    ///
    /// Its file cannot be made.
    pub fn create(region: &Region, name: &str, token: [u8; TOKEN_BYTES], destination: PathBuf, of: &Description) -> io::Result<Report> {
        let path = directory::open(region)?.join(format!("{name}.{}", directory::RECORDS));
        let file = private::open(private::open_options().write(true).create_new(true), &path)?;
        let description = of.text(region);
        let stream = Stream::Output { file: BufWriter::new(file), destination, description, records: 0 };
        Ok(Report { token, record_bytes: of.record_bytes, path, stream })
    }

    /// A report that is read.
    ///
    /// # Errors
    ///
    /// Its file cannot be opened.
    pub fn open(path: PathBuf, token: [u8; TOKEN_BYTES]) -> io::Result<Report> {
        let file = private::open(private::open_options().read(true), &path)?;
        let stream = Stream::Input { file: BufReader::new(file), held: None, at_end: false };
        Ok(Report { token, record_bytes: RECORD_BYTES_MAX, path, stream })
    }

    pub fn is_input(&self) -> bool {
        matches!(self.stream, Stream::Input { .. })
    }

    /// All records have been read.
    pub fn is_at_end(&self) -> bool {
        matches!(self.stream, Stream::Input { at_end: true, .. })
    }

    /// Writes a record; false for a report that is read.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&mut self, region: &Region, data: &[u8]) -> io::Result<bool> {
        match &mut self.stream {
            Stream::Output { file, records, .. } => {
                debug_assert!(data.len() <= RECORD_BYTES_MAX);
                *records += 1;
                record::write(file, Format::Variable, data, &region.code_page)?;
                Ok(true)
            }
            Stream::Input { .. } => Ok(false),
        }
    }

    /// The next record; `None` at the end. It stays the next one until it is passed.
    ///
    /// # Errors
    ///
    /// It cannot be read, or the report is being written.
    pub fn next(&mut self, region: &Region) -> io::Result<Option<&[u8]>> {
        match &mut self.stream {
            Stream::Output { .. } => Err(io::ErrorKind::Unsupported.into()),
            Stream::Input { file, held, at_end } => {
                if held.is_none() {
                    let mut data = Vec::new();
                    match record::read(file, Format::Variable, &mut data, &region.code_page)? {
                        true => *held = Some(data),
                        false => *at_end = true,
                    }
                }
                Ok(held.as_deref())
            }
        }
    }

    /// The next record has been delivered.
    pub fn pass(&mut self) {
        if let Stream::Input { held, .. } = &mut self.stream {
            *held = None;
        }
    }

    /// Closes the report: kept where it belongs, or deleted.
    ///
    /// # Errors
    ///
    /// Its files cannot be moved or deleted.
    pub fn close(self, keep: bool) -> io::Result<()> {
        match self.stream {
            Stream::Output { mut file, destination, description, records } if keep => {
                file.flush()?;
                file.get_ref().sync_all()?;
                private::create_directory(&destination)?;
                let name = self.path.file_name().unwrap_or_default();
                let target = destination.join(name);
                // The description is there before the report has its name.
                private::write(&target.with_extension(REPORT), format!("{description}records={records}\n").as_bytes())?;
                std::fs::rename(&self.path, target)
            }
            Stream::Input { .. } if keep => Ok(()),
            Stream::Output { .. } => std::fs::remove_file(&self.path),
            Stream::Input { .. } => {
                let description = self.path.with_extension(REPORT);
                std::fs::remove_file(&self.path)?;
                if description.exists() { std::fs::remove_file(description) } else { Ok(()) }
            }
        }
    }
}
