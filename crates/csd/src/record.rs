//! A record of the installed resources in a file, for other processes: DFHCSDUP statements that make a CSD with the same definitions.
//!
//! Invariants: a statement is appended whole; the file is written anew before it has many times as many statements as there are resources.
//! Supplied definitions are not in it.

use crate::csdup;
use crate::file::{Csd, Definition, is_supplied};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The record is for its owner, as the CSD is.
const FILE_MODE: u32 = 0o600;
/// Statements that are not needed any more, before the file is written anew.
const STALE_MAX: usize = 10_000;

#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    file: File,
    statements: usize,
}

impl Record {
    /// Replaces the file.
    pub fn new<'a>(path: &Path, definitions: impl Iterator<Item = &'a Definition>) -> std::io::Result<Record> {
        let next = path.with_extension("next");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(FILE_MODE).open(&next)?;
        let kept: Vec<String> = definitions.filter(|definition| is_kept(definition)).map(Definition::statement).collect();
        let text: String = kept.iter().map(|statement| format!("{statement}\n")).collect();
        file.write_all(text.as_bytes())?;
        std::fs::rename(&next, path)?;
        Ok(Record { path: path.to_path_buf(), file, statements: kept.len() })
    }

    /// Adds what a change makes of a definition. `all` are those installed after it.
    pub fn change<'a>(
        &mut self,
        before: Option<&Definition>,
        after: Option<&Definition>,
        all: impl ExactSizeIterator<Item = &'a Definition>,
    ) -> std::io::Result<()> {
        let mut text = String::new();
        if let Some(definition) = before.filter(|definition| is_kept(definition)) {
            text += &format!("DELETE {}({}) GROUP({})\n", definition.resource.name, definition.name, definition.group);
        }
        if let Some(definition) = after.filter(|definition| is_kept(definition)) {
            text += &format!("{}\n", definition.statement());
        }
        self.statements += 2;
        let written = match self.statements > all.len() + STALE_MAX {
            true => Record::new(&self.path, all).map(|record| *self = record),
            false => self.file.write_all(text.as_bytes()),
        };
        if written.is_err() {
            let _ = std::fs::remove_file(&self.path);
        }
        written
    }
}

fn is_kept(definition: &Definition) -> bool {
    !is_supplied(&definition.group) && !definition.group.is_empty()
}

/// The installed resources as a CSD: each in the group from which it was installed.
pub fn read(path: &Path) -> std::io::Result<Csd> {
    let text = std::fs::read_to_string(path)?;
    let mut csd = Csd::default();
    csdup::execute(&mut csd, &text, &path.display().to_string());
    Ok(csd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Installed;

    #[test]
    fn the_record_has_what_is_installed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("installed");
        let mut installed = Installed::default();
        installed.put(Definition::new("PROGRAM", "DFHX", "DFHOPER"));
        installed.put(Definition::new("PROGRAM", "P1", "PAY").with("DESCRIPTION", "Teller's (main)"));
        installed.record_to(&path).unwrap();
        installed.put(Definition::new("PROGRAM", "P1", "HR").with("EXECKEY", "CICS"));
        installed.put(Definition::new("TRANSACTION", "P1", "HR").with("PROGRAM", "P1"));
        installed.put(Definition::new("TRANSACTION", "GONE", "HR").with("PROGRAM", "P1"));
        installed.remove("TRANSACTION", "GONE");
        installed.remove("PROGRAM", "DFHX");
        let csd = read(&path).unwrap();
        assert_eq!(csd.groups().collect::<Vec<_>>(), ["HR"]);
        let names: Vec<_> = csd.group("HR").map(|definition| (definition.resource.name, definition.name.as_str())).collect();
        assert_eq!(names, [("PROGRAM", "P1"), ("TRANSACTION", "P1")]);
        assert!(csd.definition("HR", "PROGRAM", "P1").unwrap().is("EXECKEY", "CICS"));
    }

    #[test]
    fn the_record_does_not_grow_for_ever() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("installed");
        let mut installed = Installed::default();
        installed.record_to(&path).unwrap();
        for number in 0..STALE_MAX {
            installed.put(Definition::new("PROGRAM", &format!("P{}", number % 3), "PAY"));
        }
        assert_eq!(read(&path).unwrap().group("PAY").count(), 3);
        assert!(std::fs::metadata(&path).unwrap().len() < 400_000);
    }
}
