//! Statements of Db2 and their translations: see `cases.rs` for the form of the tables.

mod cases;
mod fuzz;

use cases::{Case, DECLARED, DYNAMIC, STATIC};

/// Compares each case; with REGENT_BLESS set, prints the table as it should be.
fn check(table: &str, text: &str, outcome: impl Fn(&str) -> String) {
    let mut wrong = Vec::new();
    for Case { source, expected } in cases::cases(text) {
        let found = outcome(&source);
        if found != expected {
            wrong.push(format!("{source}\n=> {found}\nexpected: {expected}"));
        }
    }
    if std::env::var_os("REGENT_BLESS").is_some() {
        let blessed: Vec<String> = text.trim_end().split("\n\n").map(|block| bless(block, &outcome)).collect();
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs").join(table);
        std::fs::write(path, blessed.join("\n\n") + "\n").expect("the table");
        return;
    }
    assert!(wrong.is_empty(), "{} of {table}:\n{}", wrong.len(), wrong.join("\n\n"));
}

fn bless(block: &str, outcome: impl Fn(&str) -> String) -> String {
    let source = block.split("\n=>").next().expect("a block");
    let statement: Vec<&str> = source.lines().filter(|line| !line.starts_with('#')).collect();
    if statement.is_empty() { source.to_string() } else { format!("{source}\n=> {}", outcome(statement.join("\n").trim())) }
}

#[test]
fn static_statements_without_declared_tables() {
    let unit = cases::unit(false);
    check("static.txt", STATIC, |text| cases::static_outcome(&unit, text));
}

#[test]
fn static_statements_with_declared_tables() {
    let unit = cases::unit(true);
    check("declared.txt", DECLARED, |text| cases::static_outcome(&unit, text));
}

#[test]
fn dynamic_statements() {
    check("dynamic.txt", DYNAMIC, cases::dynamic_outcome);
}
