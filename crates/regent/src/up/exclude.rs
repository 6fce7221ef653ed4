//! `exclude` of `regent.toml`: which paths are left out.
//!
//! An entry is a path from the application's directory, as `old` or `src/old` or, for an included directory, `../common/old`; it also
//! leaves out everything below it. `*` and `?` stand for characters of one name and `**` for any number of directories. An entry of a
//! single name with `*` or `?` matches files and directories of such a name everywhere.

use std::path::{Component, Path};

/// The entries, and which of them have left something out.
pub struct Excluded {
    entries: Vec<Entry>,
}

struct Entry {
    written: String,
    parts: Vec<String>,
    everywhere: bool,
    used: bool,
}

impl Excluded {
    pub fn new(entries: &[String]) -> Excluded {
        let entry = |written: &String| {
            let parts = parts(Path::new(written));
            let everywhere = parts.len() == 1 && !written.starts_with('/') && written.contains(['*', '?']);
            Entry { written: written.clone(), parts, everywhere, used: false }
        };
        Excluded { entries: entries.iter().map(entry).collect() }
    }

    /// True for a path that an entry names. Directories are asked about before what they hold.
    pub fn leaves_out(&mut self, application: &Path, path: &Path) -> bool {
        let path = relative(application, path);
        let mut left_out = false;
        for entry in &mut self.entries {
            let matches = match entry.everywhere {
                true => path.last().is_some_and(|name| name_matches(&entry.parts[0], name)),
                false => path_matches(&entry.parts, &path),
            };
            entry.used |= matches;
            left_out |= matches;
        }
        left_out
    }

    /// Entries that have left nothing out, as they are written.
    pub fn idle(self) -> Vec<String> {
        self.entries.into_iter().filter(|entry| !entry.used).map(|entry| entry.written).collect()
    }
}

/// The names of a path, `.` left out and `x/..` taken together.
fn parts(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts
}

/// The names from the application's directory to the path.
fn relative(application: &Path, path: &Path) -> Vec<String> {
    let (from, to) = (parts(application), parts(path));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| "..".to_string());
    up.chain(to[common..].iter().cloned()).collect()
}

fn path_matches(pattern: &[String], path: &[String]) -> bool {
    match (pattern, path) {
        ([], []) => true,
        ([head, rest @ ..], _) if head == "**" => (0..=path.len()).any(|skipped| path_matches(rest, &path[skipped..])),
        ([head, rest @ ..], [name, below @ ..]) => name_matches(head, name) && path_matches(rest, below),
        _ => false,
    }
}

fn name_matches(pattern: &str, name: &str) -> bool {
    let mut characters = pattern.chars();
    match characters.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = characters.as_str();
            name.char_indices().map(|(at, _)| at).chain([name.len()]).any(|at| name_matches(rest, &name[at..]))
        }
        Some(wanted) => {
            let mut name = name.chars();
            name.next().is_some_and(|found| wanted == '?' || wanted == found) && name_matches(characters.as_str(), name.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_the_paths_they_leave_out() {
        let leaves_out = |entry: &str, path: &str| Excluded::new(&[entry.to_string()]).leaves_out(Path::new("apps/bank"), Path::new(path));
        for (entry, path) in [
            ("old", "apps/bank/old"),
            ("./src/old/", "apps/bank/src/old"),
            ("src/OLD.cbl", "apps/bank/src/OLD.cbl"),
            ("../common/old", "apps/bank/../common/old"),
            ("*.bak", "apps/bank/src/A.bak"),
            ("src/*.bak", "apps/bank/src/A.bak"),
            ("**/test?", "apps/bank/a/b/tests"),
        ] {
            assert!(leaves_out(entry, path), "{entry} {path}");
        }
        for (entry, path) in [("old", "apps/bank/src/old"), ("old", "apps/bank/older"), ("src/*.bak", "apps/bank/src/a/A.bak")] {
            assert!(!leaves_out(entry, path), "{entry} {path}");
        }
    }

    #[test]
    fn an_entry_that_leaves_nothing_out_is_named() {
        let mut excluded = Excluded::new(&["old".to_string(), "olld".to_string()]);
        assert!(excluded.leaves_out(Path::new("a"), Path::new("a/old")));
        assert_eq!(excluded.idle(), ["olld"]);
    }
}
