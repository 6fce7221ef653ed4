//! Each package in Cargo.lock, for any platform, has a licence that ARCHITECTURE.md allows; each application tested for
//! docs/compatibility.md states its licence.
//!
//! `licences.tsv` records the statement of each manifest. A new dependency needs a row there: `cargo metadata --format-version 1 --locked
//! --all-features` prints the licence of each package.

mod support;

use std::collections::BTreeMap;

use support::root;

fn text(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Name and version of each package of Cargo.lock that comes from a registry.
fn locked() -> Vec<(String, String)> {
    let lock = text("Cargo.lock");
    let packages = lock.split("[[package]]").skip(1);
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")))?;
        Some(line.trim_matches('"').to_string())
    };
    packages
        .filter(|package| value(package, "source").is_some())
        .map(|package| (value(package, "name").unwrap(), value(package, "version").unwrap()))
        .collect()
}

/// The rows of `licences.tsv`.
fn stated() -> BTreeMap<(String, String), String> {
    let rows = text("crates/regent/tests/licences.tsv");
    rows.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            ((columns[0].to_string(), columns[1].to_string()), columns[2].to_string())
        })
        .collect()
}

/// The licences that ARCHITECTURE.md allows.
fn allowed() -> Vec<String> {
    let document = text("ARCHITECTURE.md");
    let line = document.lines().find(|line| line.starts_with("Allowed licences:")).expect("ARCHITECTURE.md lists the licences");
    line.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// Whether a licence expression can be met: one side of each OR, both of each AND. Older manifests write `/` for OR.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace(" / ", " OR ").replace('/', " OR ");
    let expression = expression.trim();
    // No expression in use nests deeper than one pair of parentheses around the first part of an AND.
    if let Some((first, second)) = expression.strip_prefix('(').and_then(|rest| rest.split_once(") AND ")) {
        return is_allowed(first, allowed) && is_allowed(second, allowed);
    }
    assert!(!expression.contains(['(', ')']), "{expression}");
    let whole = |part: &str| part.split(" AND ").all(|licence| allowed.iter().any(|known| known == licence.trim()));
    expression.split(" OR ").any(whole)
}

#[test]
fn each_dependency_has_an_allowed_licence() {
    let (stated, allowed) = (stated(), allowed());
    let locked = locked();
    assert!(locked.len() > 100 && allowed.len() > 2);
    for package in &locked {
        let licence = stated.get(package).unwrap_or_else(|| panic!("licences.tsv has no row for {} {}", package.0, package.1));
        assert!(is_allowed(licence, &allowed), "{} {}: {licence} is not among {allowed:?}", package.0, package.1);
    }
    for package in stated.keys() {
        assert!(locked.contains(package), "licences.tsv has {} {}, which Cargo.lock does not", package.0, package.1);
    }
}

/// What the packages in the local registry say is what the table says.
#[test]
fn the_licence_table_matches_the_manifests() {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let (stated, mut compared) = (stated(), 0);
    for package in metadata["packages"].as_array().expect("packages").iter().filter(|package| !package["source"].is_null()) {
        let text = |member: &str| package[member].as_str().unwrap_or_default().to_string();
        assert_eq!(stated.get(&(text("name"), text("version"))), Some(&text("license")), "{}", text("name"));
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn licences_that_are_not_allowed_are_refused() {
    let allowed = ["MIT".to_string(), "Apache-2.0".to_string()];
    assert!(is_allowed("MIT/Apache-2.0", &allowed) && is_allowed("GPL-3.0 OR MIT", &allowed));
    assert!(is_allowed("(MIT OR Apache-2.0) AND MIT", &allowed));
    assert!(!is_allowed("GPL-3.0", &allowed) && !is_allowed("MIT AND GPL-3.0", &allowed));
    assert!(!is_allowed("(MIT OR Apache-2.0) AND GPL-3.0", &allowed));
}

/// The first table of docs/compatibility.md: each application's licence allows anybody to run it anywhere.
#[test]
fn each_application_states_a_licence_that_allows_its_use() {
    let document = text("docs/compatibility.md");
    let mut rows = document.lines().skip_while(|line| !line.starts_with("| name | repository |"));
    let heading: Vec<&str> = rows.next().expect("the table").split('|').map(str::trim).collect();
    let column = heading.iter().position(|name| *name == "licence").expect("a column for the licence");
    let rows: Vec<Vec<&str>> =
        rows.skip(1).take_while(|line| line.starts_with('|')).map(|line| line.split('|').map(str::trim).collect()).collect();
    assert!(!rows.is_empty());
    for row in &rows {
        assert!(["Apache-2.0", "EPL-2.0", "GPL-3.0", "MIT"].contains(&row[column]), "{}: {}", row[1], row[column]);
    }
    let directories = std::fs::read_dir(root().join("docs/compatibility")).unwrap();
    for directory in directories.map(Result::unwrap).filter(|entry| entry.path().is_dir()) {
        let name = directory.file_name().into_string().unwrap();
        assert!(rows.iter().any(|row| row[1] == name), "docs/compatibility/{name} has no row in the table");
    }
}
