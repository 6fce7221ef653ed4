//! Each command that is implemented has a handler, a COBOL or C program that uses it in a test, and a page.

use crate::source::{files, root, text};
use region::domain::Registry;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Commands whose pointers have eight bytes: programs of 31 bits cannot issue them.
const WITHOUT_COBOL: [&str; 2] = ["FREEMAIN64", "GETMAIN64"];

/// The words outside parentheses of a command, in upper case.
fn words(statement: &str) -> Vec<String> {
    let mut depth = 0;
    let outside: String = statement
        .chars()
        .map(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ if depth == 0 => return c.to_ascii_uppercase(),
                _ => {}
            }
            ' '
        })
        .collect();
    outside.split_whitespace().map(str::to_string).collect()
}

/// Names of the commands that programs of tests and samples issue.
fn used() -> BTreeSet<&'static str> {
    let directories = ["crates", "samples", "bench"].map(|name| root().join(name));
    let extensions = ["cbl", "cob", "CBL", "cpy", "c", "rs", "tsv"];
    let paths = directories.iter().flat_map(|directory| extensions.iter().flat_map(|extension| files(directory, extension)));
    let paths = paths.filter(|path| !path.components().any(|part| part.as_os_str() == "src" || part.as_os_str() == "target"));
    let mut used = BTreeSet::new();
    for path in paths {
        // C ends a command with a semicolon, COBOL with END-EXEC. A table of commands has them in the third cell of a line.
        let text = text(&path);
        let written = text.split("EXEC CICS ").skip(1);
        let written = written.map(|statement| statement.split("END-EXEC").next().unwrap_or("").split(';').next().unwrap_or(""));
        let is_table = path.extension().is_some_and(|extension| extension == "tsv");
        let listed = text.lines().filter_map(|line| line.split('\t').nth(2).filter(|_| is_table));
        for statement in written.chain(listed) {
            let words = words(statement);
            let is = |spec: &&exec::CommandSpec| {
                let mut name = spec.name.split(' ');
                name.next() == words.first().map(String::as_str) && name.all(|word| words.iter().any(|given| given == word))
            };
            // Of two with as many words it is the one whose words come first: others are options (INQUIRE CAPDATAPRED CAPTURESPEC(..)).
            let place = |spec: &exec::CommandSpec| spec.name.split(' ').map(|word| words.iter().position(|given| given == word)).max();
            let rank = |spec: &&exec::CommandSpec| (spec.name.split(' ').count(), Reverse(place(spec)));
            used.extend(exec::commands().iter().filter(is).max_by_key(rank).map(|spec| spec.name));
        }
    }
    used
}

#[test]
fn every_implemented_command_has_a_handler_a_test_and_a_page() {
    let registry = Registry::new(&server::DOMAINS);
    let used = used();
    let pages: BTreeSet<String> =
        files(&root().join("docs/commands"), "md").iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let mut faults = Vec::new();
    for spec in exec::commands().iter().filter(|spec| spec.implemented) {
        if registry.command(spec.id).is_none_or(|entry| entry.handler.is_none()) {
            faults.push(format!("{} has no handler", spec.name));
        }
        if !used.contains(spec.name) && !WITHOUT_COBOL.contains(&spec.name) {
            faults.push(format!("{} is in no program of a test", spec.name));
        }
        let page = spec.name.to_lowercase().replace(' ', "-");
        if !pages.contains(&page) {
            faults.push(format!("{} has no page docs/commands/{page}.md", spec.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The table of docs/exits.md has the global user exit points that are called, and no others.
#[test]
fn the_page_of_exits_has_the_exit_points_that_are_called() {
    let page = text(&root().join("docs/exits.md"));
    let cells = page.lines().filter_map(|line| line.strip_prefix("| X")?.split(" |").next().map(|names| format!("X{names}")));
    let listed: BTreeSet<String> = cells.flat_map(|names| names.split(", ").map(str::to_string).collect::<Vec<_>>()).collect();
    let called = exec::exit_points().iter().filter(|spec| spec.absent.is_none()).map(|spec| spec.name.to_string());
    assert_eq!(listed, called.collect::<BTreeSet<String>>());
}
