//! Every RESP2 value has a name, from one table (`crates/exec/tables/resp2.tsv`): handlers raise conditions only with named values, and the
//! table lists each value under its condition.

mod support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use support::root;

/// The crates whose sources raise conditions.
const CRATES: [&str; 7] = ["documents", "files", "queues", "region", "server", "supplied", "terminals"];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Arguments of a call whose opening parenthesis is before `text`.
fn arguments(text: &str) -> Vec<String> {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("a part").push(c);
    }
    parts.into_iter().map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect()
}

struct Call {
    /// `None` for `raise_length` and for an option of ASSIGN without a value.
    condition: Option<String>,
    resp2: String,
}

/// Calls that raise a condition.
fn calls(source: &str) -> Vec<Call> {
    let code: String = source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut calls = Vec::new();
    for name in ["raise(", "Raised::new(", "raise_length(", "Unavailable("] {
        for (at, _) in code.match_indices(name) {
            let before = &code[..at];
            if before.ends_with("fn ") || before.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let mut given = arguments(&code[at + name.len()..]);
            if name == "raise_length(" || name == "Unavailable(" {
                calls.extend(given.drain(..1).map(|resp2| Call { condition: None, resp2 }));
            } else if let [condition, resp2] = given.as_slice() {
                calls
                    .push(Call { condition: condition.rsplit_once("condition::").map(|(_, name)| name.to_string()), resp2: resp2.clone() });
            }
        }
    }
    calls
}

/// The words of an expression with what stands before each, so far as it is a path.
fn words(expression: &str) -> impl Iterator<Item = &str> {
    expression.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).filter(|word| !word.is_empty())
}

#[test]
fn conditions_are_raised_with_resp2_values_of_the_table() {
    let table = include_str!("../../exec/tables/resp2.tsv");
    let rows: HashSet<(&str, &str, &str)> =
        table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()).map(|cells| (cells[0], cells[1], cells[3])).collect();
    let mut files = Vec::new();
    for name in CRATES {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    let (mut faults, mut checked) = (Vec::new(), 0);
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source");
        let group =
            source.split_once("use exec::resp2::").and_then(|(_, rest)| rest.split_once(" as resp2;")).map_or("", |(group, _)| group);
        for call in calls(&source) {
            for word in words(&call.resp2) {
                let name = word.rsplit("::").next().unwrap_or_default();
                // A value of another group is written out: `exec::resp2::GROUP::NAME`.
                let written_out = word.strip_prefix("exec::resp2::").and_then(|rest| rest.split_once("::")).map(|(group, _)| group);
                let group = written_out.unwrap_or(group);
                let is_number = word.starts_with(|c: char| c.is_ascii_digit());
                let is_constant = name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
                if is_number || is_constant && written_out.is_none() && word != format!("resp2::{name}") {
                    faults.push(format!("{}: {} is not of the table", file.display(), call.resp2));
                } else if is_constant && name != "NONE" {
                    checked += 1;
                    let is_known = |condition: &String| rows.contains(&(group, name, condition.as_str()));
                    if call.condition.as_ref().is_some_and(|condition| !is_known(condition)) {
                        faults.push(format!("{}: no row {group} {name} {}", file.display(), call.condition.unwrap_or_default()));
                        break;
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "crates/exec/tables/resp2.tsv:\n{}", faults.join("\n"));
    assert!(checked > 100, "only {checked} calls were looked at");
}
