//! Determines which compilations are up to date, from a ledger of the inputs of each member.
//!
//! A member is made again when its source, a member it copied, a copy member it would now find elsewhere, the options or
//! the compiler changed; one that failed also when there are other files to copy. Inputs are compared by length and checksum, not by time: a checkout changes times.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cobol::diagnostics::Located;
use cobol::exec_translate::Naming;
use serde::{Deserialize, Serialize};

use super::ERROR_RETURN_CODE;

/// The inputs of one compilation, and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub options: String,
    /// The source and every member copied into it.
    pub inputs: BTreeMap<PathBuf, Stamp>,
    pub members: Vec<String>,
    pub return_code: u8,
    /// Messages to show again while the source stays as it is.
    pub messages: Vec<String>,
    #[serde(default)]
    pub located: Vec<Located>,
    /// What its commands name by literals.
    #[serde(default)]
    pub named: Vec<Naming>,
    /// Of the files its COPY statements could have found: see [`Surroundings::of`].
    #[serde(default)]
    pub surroundings: u32,
}

/// The names of the files in the directories that COPY and `#include` search.
pub struct Surroundings(Vec<PathBuf>);

impl Surroundings {
    pub fn read<'a>(directories: impl IntoIterator<Item = &'a Path>) -> Surroundings {
        let mut paths: Vec<PathBuf> = directories
            .into_iter()
            .filter_map(|directory| std::fs::read_dir(directory).ok())
            .flat_map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())))
            .collect();
        paths.sort();
        paths.dedup();
        Surroundings(paths)
    }

    /// Of a source without COPY.
    pub fn none() -> Surroundings {
        Surroundings(Vec::new())
    }

    /// A checksum of the files that a compilation with these inputs could have found. One that failed may have missed any file; a good
    /// one is concerned with the names that it copied, which another directory may have now.
    pub fn of<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>, failed: bool) -> u32 {
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_ascii_uppercase());
        let copied: BTreeSet<_> = inputs.into_iter().map(|input| stem(input)).collect();
        let mut checksum = crc32fast::Hasher::new();
        for path in self.0.iter().filter(|path| failed || copied.contains(&stem(path))) {
            checksum.update(path.as_os_str().as_encoded_bytes());
            checksum.update(b"\n");
        }
        checksum.finalize()
    }

    fn of_made(&self, made: &Made) -> u32 {
        self.of(made.inputs.keys(), made.return_code >= ERROR_RETURN_CODE)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub length: u64,
    pub checksum: u32,
}

#[derive(Default, Serialize, Deserialize)]
pub struct Fingerprints {
    /// Version of the program that wrote the ledger: another one makes everything again.
    build: String,
    by_source: BTreeMap<PathBuf, Made>,
    /// Members that were there when the ledger was read.
    #[serde(skip)]
    before: BTreeSet<String>,
}

impl Stamp {
    pub fn of(path: &Path) -> Option<Stamp> {
        let bytes = std::fs::read(path).ok()?;
        Some(Stamp { length: bytes.len() as u64, checksum: crc32fast::hash(&bytes) })
    }
}

/// Identifies this build: version and the executable's own length and time.
fn build_identity() -> String {
    let executable = std::env::current_exe().and_then(std::fs::metadata);
    let stamp = executable.ok().and_then(|m| Some((m.len(), m.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs())));
    format!("{} {stamp:?}", env!("CARGO_PKG_VERSION"))
}

impl Fingerprints {
    /// Reads the ledger; an empty one when it is not there, damaged, or another build's.
    pub fn read(path: &Path) -> Fingerprints {
        let read: Option<Fingerprints> = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let build = build_identity();
        match read {
            Some(mut ledger) => {
                // Members of another build are built again; they still belong to this application.
                ledger.before = ledger.members();
                if ledger.build != build {
                    ledger.by_source.clear();
                    ledger.build = build;
                }
                ledger
            }
            None => Fingerprints { build, ..Fingerprints::default() },
        }
    }

    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        let advice = if path.is_dir() { ": remove this directory, the file is made again" } else { "" };
        crate::replace::replace_file(path, text.as_bytes()).map_err(|error| format!("{error}{advice}"))
    }

    /// The result for a source, if compiling it today would give the same.
    pub fn current(
        &self,
        source: &Path,
        options: &str,
        surroundings: &Surroundings,
        member_exists: impl Fn(&str) -> bool,
    ) -> Option<&Made> {
        let made = self.by_source.get(source)?;
        let same = made.options == options
            && made.surroundings == surroundings.of_made(made)
            && made.members.iter().all(|member| member_exists(member))
            && made.inputs.iter().all(|(path, stamp)| Stamp::of(path).as_ref() == Some(stamp));
        same.then_some(made)
    }

    fn members(&self) -> BTreeSet<String> {
        self.by_source.values().flat_map(|made| made.members.iter().cloned()).collect()
    }

    /// Keeps the entries of these sources only. Answers the members that no source makes any more.
    pub fn forget_others<'a>(&mut self, sources: impl Iterator<Item = &'a PathBuf>) -> Vec<String> {
        let sources: BTreeSet<&PathBuf> = sources.collect();
        self.by_source.retain(|path, _| sources.contains(path));
        let now = self.members();
        self.before.difference(&now).cloned().collect()
    }

    pub fn put(&mut self, source: &Path, made: Made) {
        self.by_source.insert(source.to_path_buf(), made);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_any_input_makes_it_stale() {
        let directory = tempfile::tempdir().unwrap();
        let (source, copy) = (directory.path().join("a.cbl"), directory.path().join("b.cpy"));
        std::fs::write(&source, "A").unwrap();
        std::fs::write(&copy, "B").unwrap();
        let inputs = [&source, &copy].into_iter().map(|path| (path.clone(), Stamp::of(path).unwrap())).collect();
        let around = || Surroundings::read([directory.path()]);
        let made = |inputs: &BTreeMap<PathBuf, Stamp>, return_code| Made {
            options: "O".into(),
            surroundings: around().of(inputs.keys(), return_code >= ERROR_RETURN_CODE),
            inputs: inputs.clone(),
            members: vec!["A".into()],
            return_code,
            messages: vec![],
            located: vec![],
            named: vec![],
        };
        let ledger_path = directory.path().join("ledger.json");
        let mut ledger = Fingerprints::read(&ledger_path);
        ledger.put(&source, made(&inputs, 0));
        ledger.write(&ledger_path).unwrap();
        let mut ledger = Fingerprints::read(&ledger_path);
        let is_current = |ledger: &Fingerprints| ledger.current(&source, "O", &around(), |_| true).is_some();
        assert!(is_current(&ledger));
        assert!(ledger.current(&source, "P", &around(), |_| true).is_none());
        assert!(ledger.current(&source, "O", &around(), |_| false).is_none());
        // A file of another name concerns a compilation only if it failed: it may be the one that was missing.
        std::fs::write(directory.path().join("other.cpy"), "").unwrap();
        assert!(is_current(&ledger));
        ledger.put(&source, made(&inputs, ERROR_RETURN_CODE));
        assert!(is_current(&ledger));
        std::fs::write(directory.path().join("another.cpy"), "").unwrap();
        assert!(!is_current(&ledger));
        ledger.put(&source, made(&inputs, 0));
        // A file of the same name may be found first.
        std::fs::write(directory.path().join("B.cbl"), "").unwrap();
        assert!(!is_current(&ledger));
        ledger.put(&source, made(&inputs, 0));
        std::fs::write(&copy, "C").unwrap();
        assert!(!is_current(&ledger));
    }
}
