//! A complete browse, for tests.

use vsam::{File, FileError, RecordId, Search, UnitOfWork};

/// Browses until the end; returns each record, and whether DUPKEY was raised for it.
pub fn browse(file: &File, unit: &UnitOfWork, start: &str, forward: bool) -> Vec<(String, bool)> {
    let mut ridfld = start.as_bytes().to_vec();
    let mut browse = file.start_browse(unit, RecordId::Key(&ridfld), Search::GTEQ).unwrap();
    let mut seen = Vec::new();
    loop {
        let mut record = Vec::new();
        let result = if forward {
            browse.next(unit, RecordId::Key(&ridfld), &mut record)
        } else {
            browse.previous(unit, RecordId::Key(&ridfld), &mut record)
        };
        match result {
            Ok(found) => {
                ridfld = found.key;
                seen.push((String::from_utf8(record).unwrap(), found.duplicate_key));
            }
            Err(FileError::EndOfFile) => return seen,
            Err(error) => panic!("{error}"),
        }
    }
}
