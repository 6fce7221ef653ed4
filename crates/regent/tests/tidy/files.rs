//! Lengths and heads of source files and tests, and protocol literals.

use crate::source::{crates, files, head, in_backticks, leads_to, root, shown, text};
use std::collections::BTreeSet;
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

/// `regent help` has a page for whatever a user meets: abend codes, messages of IDCAMS and of the compilers.
#[test]
fn every_code_that_is_issued_has_its_help() {
    let table = text(&root().join("crates/supplied/tables/codes.tsv"));
    let conditions = text(&root().join("crates/exec/tables/conditions.tsv"));
    let known: BTreeSet<&str> = table.lines().filter_map(|line| line.split('\t').next()).collect();
    let of_conditions: BTreeSet<&str> = conditions.lines().flat_map(|line| line.split('\t').nth(2)).collect();
    let mut unknown = BTreeSet::new();
    let sources: Vec<(PathBuf, String)> = sources().into_iter().map(|path| (path.clone(), text(&path))).collect();
    for (path, source) in sources.iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        let is_compiler = ["crates/cobol/", "crates/c/", "crates/codegen/"].iter().any(|part| path.to_string_lossy().contains(part));
        for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let is_abend = ["Abend", "abend(", "TextError::", "let code = if"].iter().any(|word| line.contains(word));
            for word in line.split('"').skip(1).step_by(2) {
                let first = word.split(' ').next().unwrap_or_default();
                let id = match word {
                    _ if is_message_of_idcams(first) => first.to_string(),
                    _ if is_compiler && is_message_of_a_compiler(word) => format!("RGT{word}"),
                    _ if is_abend && is_abend_code(word) && !of_conditions.contains(word) => word.to_string(),
                    _ => continue,
                };
                if !known.contains(id.as_str()) {
                    unknown.insert(id);
                }
            }
        }
    }
    assert!(unknown.is_empty(), "not in crates/supplied/tables/codes.tsv: {unknown:?}");
}

fn is_message_of_idcams(word: &str) -> bool {
    let digits = word.strip_prefix("IDC").and_then(|rest| rest.strip_suffix('I'));
    digits.is_some_and(|digits| digits.len() > 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// CP stands before a code page.
fn is_message_of_a_compiler(word: &str) -> bool {
    !word.starts_with("CP")
        && word.len() == 6
        && word.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        && word.bytes().skip(2).all(|byte| byte.is_ascii_digit())
}

fn is_abend_code(word: &str) -> bool {
    let is_software = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    is_software || word.len() == 4 && word.starts_with('A') && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// A row that no code sends of 3270, EIB and record formats from tables and named constants.
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
