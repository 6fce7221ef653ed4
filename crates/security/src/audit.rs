//! The record of what was asked and answered: a line of JSON for each event, in `audit.log` of the database's directory.
//!
//! Invariant: the files of the record never take more than `FILE_BYTES_MAX` times `FILES_MAX`. A line is written whole, by one call, so the
//! lines of several processes do not mix.

use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::Serialize;

use crate::journal::private_file;
use crate::level::Level;
use crate::moment::Moment;
use crate::name::Name8;

/// The longest file; then it becomes `audit.log.1`, and the others move on by one.
pub const FILE_BYTES_MAX: u64 = 16 << 20;
/// Files that are kept, the current one too.
pub const FILES_MAX: usize = 8;
/// The longest text of a caller in a record; what is behind it is cut off.
const TEXT_LENGTH_MAX: usize = 512;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    SignOn,
    Access,
    Command,
}

/// A record. Fields that do not apply are left out.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AuditRecord<'a> {
    pub time: Moment,
    pub event: Event,
    pub user: Name8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<Name8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub application: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<Name8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Level>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Level>,
    /// What came of it: `success`, `failure`, `warning`.
    pub result: &'a str,
    /// The text of a command, without secrets; the reason of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'a str>,
}

impl<'a> AuditRecord<'a> {
    pub fn new(time: Moment, event: Event, user: Name8, result: &'a str) -> AuditRecord<'a> {
        AuditRecord {
            time,
            event,
            user,
            group: None,
            application: None,
            terminal: None,
            class: None,
            resource: None,
            profile: None,
            asked: None,
            allowed: None,
            result,
            detail: None,
        }
    }
}

/// The files of the record.
pub(crate) struct AuditFile {
    path: PathBuf,
    open: Mutex<Option<std::fs::File>>,
}

impl AuditFile {
    pub fn new(directory: &Path) -> AuditFile {
        AuditFile { path: directory.join("audit.log"), open: Mutex::new(None) }
    }

    /// Appends a record.
    pub fn append<'a>(&self, record: &AuditRecord<'a>) -> std::io::Result<()> {
        let cut = |text: &Option<&'a str>| text.map(|text| &text[..text.floor_char_boundary(TEXT_LENGTH_MAX)]);
        let record = AuditRecord { resource: cut(&record.resource), detail: cut(&record.detail), ..record.clone() };
        let mut bytes = serde_json::to_vec(&record)?;
        bytes.push(b'\n');
        let mut open = self.open.lock();
        // Another process may have moved the file on.
        let is_current = |file: &std::fs::File| {
            let there = std::fs::symlink_metadata(&self.path).ok().map(|there| there.ino());
            there.is_some() && there == file.metadata().ok().map(|own| own.ino())
        };
        if !open.as_ref().is_some_and(is_current) {
            *open = Some(private_file().append(true).create(true).open(&self.path)?);
        }
        let file = open.as_mut().expect("it is open");
        if file.metadata()?.len() + bytes.len() as u64 > FILE_BYTES_MAX {
            self.rotate()?;
            *file = private_file().append(true).create(true).open(&self.path)?;
        }
        file.write_all(&bytes)
    }

    /// Moves each file on by one number; the last is removed.
    fn rotate(&self) -> std::io::Result<()> {
        let numbered = |number: usize| PathBuf::from(format!("{}.{number}", self.path.display()));
        for number in (1..FILES_MAX - 1).rev() {
            match std::fs::rename(numbered(number), numbered(number + 1)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        std::fs::rename(&self.path, numbered(1))
    }
}
