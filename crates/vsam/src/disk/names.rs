//! File names for the names of queues, journals, log streams and data sets: the only place that maps one to the other.
//!
//! Invariants: a file name is one component of a path and never a hidden file, whatever the name is; two names never map to the same file
//! name. A byte that a file name cannot hold is written as `%` and two hexadecimal digits; CICS and MVS names need no such escapes.

use std::fmt::Write;
use std::io::{Error, ErrorKind, Result};

/// Longest file name of the usual file systems (NAME_MAX).
const FILE_NAME_BYTES_MAX: usize = 255;
/// Longest log stream name and longest qualifier of it ("JOURNALMODEL attributes", STREAMNAME).
const STREAM_NAME_LENGTH_MAX: usize = 26;
const QUALIFIER_LENGTH_MAX: usize = 8;

/// How letters stand in the file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letters {
    /// Upper case letters become lower case ones; lower case ones, which names seldom have, are escaped.
    Lower,
    /// As they are.
    Kept,
}

/// The file name for a name; `extension` with its period, or empty.
pub fn file_name(name: &str, letters: Letters, extension: &str) -> Result<String> {
    let mut out = String::with_capacity(name.len() + extension.len());
    for (index, byte) in name.bytes().enumerate() {
        match byte {
            b'A'..=b'Z' if letters == Letters::Lower => out.push(byte.to_ascii_lowercase() as char),
            b'a'..=b'z' if letters == Letters::Lower => escape(&mut out, byte),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'$' | b'@' | b'#' | b'-' | b'_' => out.push(byte as char),
            b'.' if index > 0 => out.push('.'),
            _ => escape(&mut out, byte),
        }
    }
    out.push_str(extension);
    match name.len() {
        0 => Err(Error::new(ErrorKind::InvalidInput, "a name without a character has no file")),
        _ if out.len() > FILE_NAME_BYTES_MAX => {
            Err(Error::new(ErrorKind::InvalidInput, format!("{name}: too long for the name of a file")))
        }
        _ => Ok(out),
    }
}

fn escape(out: &mut String, byte: u8) {
    let _ = write!(out, "%{byte:02X}");
}

/// Whether the name has only upper case letters, digits and the national characters $ @ #.
pub fn is_plain_name(name: &str) -> bool {
    name.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'$' | b'@' | b'#'))
}

/// Why this is not the name of a log stream: qualifiers of 1 to 8 letters, digits, $ @ #, joined by periods, up to 26 characters in all.
pub fn stream_name_fault(name: &str) -> Option<String> {
    let qualifier = |part: &str| (1..=QUALIFIER_LENGTH_MAX).contains(&part.len()) && is_plain_name(part);
    if name.len() > STREAM_NAME_LENGTH_MAX {
        return Some(format!("{name}: the name of a log stream has up to {STREAM_NAME_LENGTH_MAX} characters"));
    }
    let fits = name.split('.').all(qualifier);
    (!fits).then(|| format!("{name}: the name of a log stream has qualifiers of 1 to {QUALIFIER_LENGTH_MAX} letters, digits, $ @ #"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn names_as_they_should_be_are_file_names() {
        assert_eq!(file_name("CICSUSER.APPL.DFHJ05", Letters::Lower, ".journal").unwrap(), "cicsuser.appl.dfhj05.journal");
        assert_eq!(file_name("SHOP.LOG#1", Letters::Kept, "").unwrap(), "SHOP.LOG#1");
    }

    #[test]
    fn no_name_leaves_its_directory_or_shares_a_file() {
        let names = [
            "..",
            ".",
            "../A",
            "/ETC/PASSWD",
            "A/B",
            "A\0B",
            "A B",
            "%",
            "%2E",
            "a",
            "A",
            "aA",
            "Aa",
            "A.B",
            "A..B",
            ".A",
            "Ä",
            "A\\B",
            "\n",
            "%61",
        ];
        for letters in [Letters::Lower, Letters::Kept] {
            let mut known = BTreeMap::new();
            for name in names {
                let file = file_name(name, letters, "").unwrap();
                assert_eq!(std::path::Path::new(&file).components().count(), 1, "{name:?}: {file}");
                assert!(!file.starts_with('.') && !file.contains(['/', '\0']), "{name:?}: {file}");
                assert_eq!(known.insert(file.clone(), name), None, "{name:?}: {file}");
            }
        }
        assert!(file_name("", Letters::Kept, "").is_err() && file_name(&"X".repeat(300), Letters::Kept, "").is_err());
    }

    #[test]
    fn names_of_log_streams_are_those_of_mvs() {
        for good in ["A", "CICSUSER.APPLID12.DFHJ05", "A.B@.C#"] {
            assert_eq!(stream_name_fault(good), None);
        }
        for bad in ["", "A..B", "../X", "a.B", "NINELONGX", "A.B.", "CICSUSER.APPLICAT.JOURNALS1", "A/B", "A\0"] {
            assert!(stream_name_fault(bad).is_some(), "{bad:?}");
        }
    }
}
