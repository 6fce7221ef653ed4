//! A library of load modules: a directory with a file for each program and mapset, by member name.
//!
//! A member is replaced by rename, so that a region with the old one mapped keeps it.

use std::path::{Path, PathBuf};

use program::batch::{MESSAGES_EXTENSION, MODULE_EXTENSION};

use crate::replace::replace_file;

/// As the compiler names MDECK files in a directory.
const DECK_EXTENSION: &str = "dek";

/// The longest program name (PGMNAME(LONGMIXED)).
const NAME_LENGTH_MAX: usize = 160;

fn is_member_name(name: &str) -> bool {
    let may_have = |c: char| c.is_ascii_alphanumeric() || "$@#_-".contains(c);
    (1..=NAME_LENGTH_MAX).contains(&name.len()) && name.chars().all(may_have)
}

#[derive(Clone)]
pub struct Library {
    directory: PathBuf,
}

impl Library {
    pub fn create(directory: &Path) -> Result<Library, String> {
        std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        Ok(Library { directory: directory.to_path_buf() })
    }

    pub fn path(&self, member: &str) -> PathBuf {
        self.directory.join(format!("{member}.{MODULE_EXTENSION}"))
    }

    pub fn has(&self, member: &str) -> bool {
        self.path(member).is_file()
    }

    /// A program's name comes from its source: one that is no member name is an error, because it could lead out of the library.
    pub fn write(&self, member: &str, bytes: &[u8]) -> Result<(), String> {
        if !is_member_name(member) {
            return Err(format!(
                "{member}: a load module cannot have this name; use letters, digits and $ @ # _ - in PROGRAM-ID (at most {NAME_LENGTH_MAX})"
            ));
        }
        replace_file(&self.path(member), bytes)?;
        let _ = std::fs::remove_file(self.messages(member));
        Ok(())
    }

    /// The messages of a program that did not compile; a region names the file when the program is missed.
    pub fn messages(&self, member: &str) -> PathBuf {
        self.directory.join(format!("{member}.{MESSAGES_EXTENSION}"))
    }

    /// The source of a member after library processing.
    pub fn write_deck(&self, name: &str, text: &[u8]) -> Result<(), String> {
        replace_file(&self.directory.join(format!("{name}.{DECK_EXTENSION}")), text)
    }

    /// Removes a member that no longer compiles: the program is then missing, as after a failed link-edit. Its messages give the reason.
    pub fn take_out(&self, member: &str, messages: &[String]) {
        if !is_member_name(member) {
            return;
        }
        self.remove(member);
        let _ = replace_file(&self.messages(member), format!("{}\n", messages.join("\n")).as_bytes());
    }

    /// Removes a member whose source is no longer part of the application.
    pub fn remove(&self, member: &str) {
        let _ = std::fs::remove_file(self.path(member));
        let _ = std::fs::remove_file(self.messages(member));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_replaced_and_removed() {
        let directory = tempfile::tempdir().unwrap();
        let library = Library::create(&directory.path().join("load")).unwrap();
        library.write("PROG", b"one").unwrap();
        library.write("PROG", b"two").unwrap();
        library.write("prog", b"another name").unwrap();
        assert_eq!(std::fs::read(library.path("PROG")).unwrap(), b"two");
        assert!(library.path("PROG").ends_with("PROG.rlm"));
        library.take_out("PROG", &["line 1: what".to_string()]);
        assert!(!library.has("PROG") && library.has("prog"));
        assert_eq!(std::fs::read_to_string(library.messages("PROG")).unwrap(), "line 1: what\n");
        library.write("PROG", b"three").unwrap();
        assert!(!library.messages("PROG").exists(), "messages of an earlier attempt are gone");
        library.remove("PROG");
        assert!(!library.has("PROG"));
    }

    #[test]
    fn no_name_leads_out_of_the_library() {
        let directory = tempfile::tempdir().unwrap();
        let library = Library::create(&directory.path().join("load")).unwrap();
        let longest = "A".repeat(NAME_LENGTH_MAX);
        assert!(library.write(&longest, b"one").is_ok());
        for name in ["../OUTSIDE", "/tmp/OUTSIDE", "A/B", "..", "", "A\0", "\u{e9}", &format!("{longest}A")] {
            assert!(library.write(name, b"one").is_err(), "{name}");
            library.take_out(name, &["message".to_string()]);
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        assert_eq!(std::fs::read_dir(directory.path().join("load")).unwrap().count(), 1);
    }
}
