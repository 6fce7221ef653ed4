//! The examples of the documents: fenced blocks ```` ```LANGUAGE file=NAME ```` are written to a directory, the commands of ```` ```console
//! ```` blocks are run there and must print what the document shows. A line `...` stands for any lines; `exit N` for an exit code.

mod support;

use std::path::Path;
use std::process::Command;

use support::{regent, root};

struct Block {
    heading: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(heading)) => open = Some(Block { heading: heading.to_string(), lines: Vec::new() }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_string()),
            (None, None) => {}
        }
    }
    blocks
}

/// Runs one command line; what it printed, and its exit code when that is not 0.
fn run(line: &str, directory: &Path) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = if words[0] == "regent" { regent() } else { Command::new(words[0]) };
    let output = command.args(&words[1..]).current_dir(directory).output().unwrap_or_else(|error| panic!("{line}: {error}"));
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end().to_string()).collect();
    lines.extend(String::from_utf8_lossy(&output.stderr).lines().map(str::to_string));
    match output.status.code() {
        Some(0) => {}
        code => lines.push(format!("exit {}", code.unwrap_or(-1))),
    }
    lines
}

fn agrees(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "..." => (0..=printed.len()).any(|skipped| agrees(rest, &printed[skipped..])),
        Some((line, rest)) => printed.first().is_some_and(|first| first == line) && agrees(rest, &printed[1..]),
    }
}

fn check(document: &Path) -> usize {
    let directory = tempfile::tempdir().expect("a directory");
    let text = std::fs::read_to_string(document).expect("the document");
    let mut commands = 0;
    for block in blocks(&text) {
        if let Some((_, name)) = block.heading.split_once("file=") {
            std::fs::write(directory.path().join(name), block.lines.join("\n") + "\n").expect("written");
        }
        if block.heading != "console" {
            continue;
        }
        for example in block.lines.chunk_by(|_, next| !next.starts_with("$ ")) {
            let line =
                example[0].strip_prefix("$ ").unwrap_or_else(|| panic!("{}: {}: a command is expected", document.display(), example[0]));
            let printed = run(line, directory.path());
            assert!(agrees(&example[1..], &printed), "{}: {line}\n{}", document.display(), printed.join("\n"));
            commands += 1;
        }
    }
    commands
}

#[test]
fn documented_examples_produce_the_documented_output() {
    let mut commands = 0;
    for entry in std::fs::read_dir(root().join("docs")).expect("docs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            commands += check(&path);
        }
    }
    assert!(commands > 0, "no document has an example");
}
