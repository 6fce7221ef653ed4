//! Formatting: every file is as `cargo fmt` leaves it, by the rules of `rustfmt.toml`.

use crate::source::root;
use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn every_file_is_formatted() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(["fmt", "--all", "--check", "--", "--files-with-diff"]).current_dir(root()).output();
    let output = output.expect("cargo runs");
    let listed = String::from_utf8_lossy(&output.stdout);
    let unformatted: BTreeSet<&str> = listed.lines().map(|path| path.strip_prefix(&*root().to_string_lossy()).unwrap_or(path)).collect();
    let unformatted: Vec<&str> = unformatted.into_iter().map(|path| path.trim_start_matches('/')).collect();
    assert!(
        output.status.success() && unformatted.is_empty(),
        "`cargo fmt --all` changes these files:\n{}\n{}",
        unformatted.join("\n"),
        String::from_utf8_lossy(&output.stderr)
    );
}
