//! CEDF on the bank sample as a user of s3270 sees it, display by display.
//!
//! The displays are in `cedf/*.txt`. Their form is that of the figures in "Testing with EDF", "What does EDF display?"; their contents follow
//! from the source of the sample. Values that change from run to run are replaced by `#`. `REGENT_SCREENS=write` writes the displays anew, to
//! be compared with the figures.

mod support;

use std::path::PathBuf;
use support::terminal::Terminal;
use support::{Region, root};

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("samples/bank"), data.path(), &[]);
    (region, data)
}

fn golden(name: &str) -> PathBuf {
    root().join("crates/regent/tests/cedf").join(format!("{name}.txt"))
}

/// Replaces the digits behind a text by `#`: each of them, or all by one where their number changes too.
fn hidden(line: &str, before: &str, each: bool) -> String {
    let Some(at) = line.find(before) else { return line.to_string() };
    let (head, tail) = line.split_at(at + before.len());
    let digits = tail.chars().take_while(char::is_ascii_hexdigit).count();
    format!("{head}{}{}", "#".repeat(if each { digits } else { 1 }), &tail[digits..])
}

/// The screen without what changes from run to run.
fn stable(screen: &[String]) -> String {
    const CHANGING: [(&str, bool); 7] = [
        ("TASK: ", true),
        ("EIBTIME       = ", false),
        ("EIBDATE       = ", false),
        ("EIBTASKN      = ", false),
        ("EIBTRMID      = '", false),
        ("AT X'", true),
        ("OFFSET:X'", true),
    ];
    let lines = screen.iter().map(|line| CHANGING.iter().fold(line.clone(), |line, (before, each)| hidden(&line, before, *each)));
    lines.map(|line| line.trim_end().to_string()).collect::<Vec<_>>().join("\n") + "\n"
}

/// Compares the screen with the one that is kept.
fn shows(terminal: &mut Terminal, name: &str) {
    let screen = stable(&terminal.text());
    if std::env::var("REGENT_SCREENS").is_ok_and(|mode| mode == "write") {
        std::fs::write(golden(name), &screen).expect("written");
    }
    let expected = std::fs::read_to_string(golden(name)).unwrap_or_default();
    assert!(screen == expected, "{name}.txt is\n{expected}\nand the screen\n{screen}");
}

fn cedf_on(terminal: &mut Terminal) {
    terminal.transaction("CEDF");
    terminal.expect("THIS TERMINAL: EDF MODE ON");
}

#[test]
fn the_displays_of_a_task_at_its_own_terminal() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    cedf_on(&mut terminal);
    terminal.transaction("BANK");
    terminal.expect("PROGRAM INITIATION");
    shows(&mut terminal, "initiation");
    terminal.enter();
    terminal.expect("EXEC CICS HANDLE AID");
    shows(&mut terminal, "handle_aid_before");
    terminal.enter();
    terminal.expect("COMMAND EXECUTION COMPLETE");
    shows(&mut terminal, "handle_aid_after");
    terminal.enter();
    terminal.expect("EXEC CICS ASKTIME");
    shows(&mut terminal, "asktime_before");
    // To the end of the task, with the screen of the bank in between.
    terminal.pf(4);
    terminal.expect("TASK TERMINATION");
    shows(&mut terminal, "task_termination");
    terminal.pf(3);
    terminal.expect("BRANCH TELLER SIGN-ON");
    terminal.fill(10, 42, "ADAMS");
    terminal.fill(12, 42, "4711");
    terminal.enter();
    terminal.expect("MAIN MENU");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The displays in docs/cedf.md are those that the tests of this file see.
#[test]
fn the_document_shows_the_displays_of_these_tests() {
    let document = std::fs::read_to_string(root().join("docs/cedf.md")).expect("the document");
    let blocks: Vec<(&str, &str)> = document
        .split("```screen ")
        .skip(1)
        .filter_map(|rest| rest.split_once('\n'))
        .filter_map(|(name, rest)| Some((name, rest.split_once("```")?.0)))
        .collect();
    assert!(blocks.len() >= 4, "{}", blocks.len());
    for (name, shown) in blocks {
        let screen = std::fs::read_to_string(golden(name)).expect("a display");
        assert!(shown == screen, "{name} in docs/cedf.md should be\n{screen}");
    }
}
