//! The source tree as the checks read it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project is there")
}

pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names of the crates of the workspace.
pub fn crates() -> BTreeSet<String> {
    let entries = std::fs::read_dir(root().join("crates")).expect("crates");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// The files below a directory with this extension, in order.
pub fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(directory, extension, &mut found);
    found.sort();
    found
}

fn collect(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|known| known == extension) {
            found.push(path);
        }
    }
}

/// The head of a file: the words of its `//!` lines.
pub fn head(text: &str) -> String {
    text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The names of source files in backticks.
pub fn in_backticks(head: &str) -> Vec<&str> {
    head.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") && !name.contains(char::is_whitespace)).collect()
}

/// The file that a name in the head of another one leads to: below `crates`, in the other's crate or its `src`, or beside it.
pub fn leads_to(from: &Path, name: &str) -> Option<PathBuf> {
    let crates = root().join("crates");
    let own = crates.join(from.strip_prefix(&crates).ok()?.components().next()?);
    [crates, own.clone(), own.join("src"), from.parent()?.to_path_buf()].iter().map(|place| place.join(name)).find(|path| path.is_file())
}

/// The path as a reader of the project writes it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Compares a generated page with the one in the project, or writes it when `REGENT_TIDY=write` is set.
pub fn compare(page: &str, expected: &str) {
    let path = root().join(page);
    if std::env::var("REGENT_TIDY").is_ok_and(|value| value == "write") {
        std::fs::write(&path, expected).expect("the page can be written");
        return;
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    let mut differences = Vec::new();
    for line in expected.lines().filter(|line| !present.lines().any(|known| known == *line)) {
        differences.push(format!("+ {line}"));
    }
    for line in present.lines().filter(|line| !expected.lines().any(|known| known == *line)) {
        differences.push(format!("- {line}"));
    }
    assert!(
        present == expected,
        "{page} does not say what the source says:\n{}\n`REGENT_TIDY=write cargo test --test tidy` writes it anew",
        differences.join("\n")
    );
}
