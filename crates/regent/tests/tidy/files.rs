//! Lengths and heads of source files and tests, and protocol literals.

use crate::source::{crates, files, head, in_backticks, leads_to, root, shown, text};
use std::path::PathBuf;

/// A file with one purpose rarely passes this.
const LINES_MAX: usize = 600;

fn sources() -> Vec<PathBuf> {
    below("src")
}

fn sources_and_tests() -> Vec<PathBuf> {
    [below("src"), below("tests")].concat()
}

/// The Rust files of this folder in all crates.
fn below(folder: &str) -> Vec<PathBuf> {
    crates().iter().flat_map(|name| files(&root().join("crates").join(name).join(folder), "rs")).collect()
}

#[test]
fn no_file_is_longer_than_its_purpose() {
    let long = |path: &PathBuf| {
        let lines = text(path).lines().count();
        (lines > LINES_MAX).then(|| format!("{} has {lines} lines", shown(path)))
    };
    let long: Vec<String> = sources_and_tests().iter().filter_map(long).collect();
    assert!(long.is_empty(), "at most {LINES_MAX} lines:\n{}", long.join("\n"));
}

#[test]
fn every_file_has_a_head_comment() {
    let without = |path: &&PathBuf| !text(path).starts_with("//!");
    let without: Vec<String> = sources_and_tests().iter().filter(without).map(|path| shown(path)).collect();
    assert!(without.is_empty(), "files without a head:\n{}", without.join("\n"));
}

/// A reader of a head who looks for the test that it names finds it.
#[test]
fn every_file_that_a_head_names_exists() {
    let mut lost = Vec::new();
    for path in sources_and_tests() {
        let head = head(&text(&path));
        lost.extend(
            in_backticks(&head).iter().filter(|name| leads_to(&path, name).is_none()).map(|name| format!("{}: {name}", shown(&path))),
        );
    }
    assert!(lost.is_empty(), "heads that name files that do not exist:\n{}", lost.join("\n"));
}

/// A row that no code sends tells a reader of a message that never comes.
#[test]
fn every_message_of_the_table_is_sent() {
    let sources: String = sources().iter().map(|path| text(path)).collect();
    let table = text(&root().join("crates/region/tables/messages.tsv"));
    let identifiers = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next());
    let unsent: Vec<&str> = identifiers.filter(|id| !sources.contains(id)).collect();
    assert!(unsent.is_empty(), "messages that nothing sends: {unsent:?}");
}

/// Crates whose sources take bytes of 3270, EIB and record formats from tables and named constants.
const WITHOUT_LITERALS: [&str; 5] = ["region", "files", "queues", "terminals", "supplied"];

/// Masks of half bytes and bytes, which are no protocol's.
const MASKS: [&str; 5] = ["F", "0F", "F0", "FF", "7F"];

/// Whether a line names what its numbers mean: a comment or a constant; or has masks only.
fn is_named(line: &str) -> bool {
    if line.trim_start().starts_with("//") || line.contains("const ") || line.contains("static ") {
        return true;
    }
    line.match_indices("0x").all(|(at, _)| {
        let before = line[..at].trim_end();
        let digits: String = line[at + 2..].chars().take_while(char::is_ascii_hexdigit).collect();
        before.ends_with('&') || MASKS.contains(&digits.as_str())
    })
}

#[test]
fn protocol_numbers_have_names() {
    let mut found = Vec::new();
    for path in WITHOUT_LITERALS.iter().flat_map(|name| files(&root().join("crates").join(name).join("src"), "rs")) {
        let text = text(&path);
        let code = text.split("#[cfg(test)]\nmod").next().unwrap_or("");
        for (number, line) in code.lines().enumerate().filter(|(_, line)| line.contains("0x") && !is_named(line)) {
            found.push(format!("{}:{}: {}", shown(&path), number + 1, line.trim()));
        }
    }
    assert!(found.is_empty(), "numbers of a protocol without a name:\n{}", found.join("\n"));
}
