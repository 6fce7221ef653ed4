//! Embedded SQL against Db2's documentation: each case of `conformance/sql` becomes a COBOL program, which the real binary compiles and runs
//! against a private database, and what it prints is compared. Cases that are known to fail are listed in `conformance/sql/not_yet.tsv`.
//!
//! With the environment variable SQL_CASES only the cases run whose file and name have that text, and every one is reported; with
//! SQL_CASES_KEEP the programs stay in that directory.

mod case;
mod database;
mod execution;
mod program;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use case::Case;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/sql").canonicalize().expect("conformance/sql")
}

fn cases() -> Vec<Case> {
    let directory = directory();
    let fixtures = case::fixtures(&directory.join("fixtures.txt"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(&directory).expect("the cases").map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt") && !path.ends_with("fixtures.txt"));
    files.sort();
    let read = |path: &PathBuf| case::read(path, &fixtures).unwrap_or_else(|problem| panic!("{problem}"));
    files.iter().flat_map(read).collect()
}

/// Keys of the cases that fail, with the reasons.
fn not_yet() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(directory().join("not_yet.tsv")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (key, reason) = line.split_once('\t').unwrap_or_else(|| panic!("not_yet.tsv: no tab in {line}"));
            (key.to_string(), reason.to_string())
        })
        .collect()
}

#[test]
fn names_of_cases_are_unique() {
    let (cases, known) = (cases(), not_yet());
    let keys: BTreeSet<String> = cases.iter().map(Case::key).collect();
    let mut seen = BTreeSet::new();
    let twice: Vec<String> = cases.iter().map(Case::key).filter(|key| !seen.insert(key.clone())).collect();
    assert!(twice.is_empty(), "{twice:#?}");
    let unknown: Vec<&String> = known.keys().filter(|key| !keys.contains(*key)).collect();
    assert!(unknown.is_empty(), "not_yet.tsv has cases that do not exist: {unknown:#?}");
}

#[test]
fn embedded_sql_answers_as_db2_documents() {
    let mut cases = cases();
    let filter = std::env::var("SQL_CASES").ok();
    if let Some(filter) = &filter {
        cases.retain(|case| case.key().contains(filter.as_str()));
    }
    let known = not_yet();
    let outcomes = execution::run(&cases);
    let (mut passed, mut failing, mut problems) = (0, 0, Vec::new());
    for (case, outcome) in cases.iter().zip(outcomes) {
        match (outcome, known.get(&case.key())) {
            (Ok(()), None) => passed += 1,
            (Ok(()), Some(_)) => problems.push(format!("{} passes; take it out of not_yet.tsv", case.key())),
            (Err(_), Some(_)) if filter.is_none() => failing += 1,
            (Err(difference), _) => {
                problems.push(format!("{} (line {}; {})\n{difference}", case.key(), case.line, case.source));
            }
        }
    }
    println!("sql conformance: {passed} pass, {failing} known failing of {}", cases.len());
    assert!(problems.is_empty(), "{} cases:\n{}", problems.len(), problems.join("\n"));
}
