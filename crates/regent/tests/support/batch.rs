//! Batch programs of `applications/batch`, and the data directory they work on.

use std::path::{Path, PathBuf};

use super::{regent, root};

pub fn program(name: &str) -> PathBuf {
    root().join("crates/regent/tests/applications/batch").join(name)
}

/// Members of programs of several applications.
pub fn copy_directory() -> PathBuf {
    root().join("crates/regent/tests/applications/copy")
}

/// Runs a program; its lines without trailing spaces.
pub fn run(name: &str, data: &Path, arguments: &[&str]) -> Vec<String> {
    let output = regent()
        .arg("run")
        .arg(program(name))
        .arg("-I")
        .arg(copy_directory())
        .arg("--data")
        .arg(data)
        .args(arguments)
        .output()
        .expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

pub fn idcams(data: &Path, statements: &str) {
    let file = data.with_extension("ams");
    std::fs::write(&file, statements).expect("written");
    let output = regent().arg("idcams").arg(&file).arg("--data").arg(data).output().expect("regent runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
