//! CEDF at a terminal: the application it is tested with, the way to a display, and the displays that are kept in `cedf/*.txt`.

use super::terminal::Terminal;
use super::{Region, root};
use std::path::PathBuf;

pub fn golden(name: &str) -> PathBuf {
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
pub fn shows(terminal: &mut Terminal, name: &str) {
    let screen = stable(&terminal.text());
    if std::env::var("REGENT_SCREENS").is_ok_and(|mode| mode == "write") {
        std::fs::write(golden(name), &screen).expect("written");
    }
    let expected = std::fs::read_to_string(golden(name)).unwrap_or_default();
    assert!(screen == expected, "{name}.txt is\n{expected}\nand the screen\n{screen}");
}

pub fn cedf_on(terminal: &mut Terminal) {
    terminal.transaction("CEDF");
    terminal.expect("THIS TERMINAL: EDF MODE ON");
}

/// The application of `applications/cedf`, and a terminal.
pub fn start_programs() -> (Region, tempfile::TempDir, Terminal) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("crates/regent/tests/applications/cedf"), data.path(), &[]);
    let terminal = Terminal::connect(region.port);
    (region, data, terminal)
}

/// Begins a transaction under CEDF, and goes on to the first display of this text.
pub fn step_to(terminal: &mut Terminal, transaction: &str, display: &str, command: &str) {
    cedf_on(terminal);
    terminal.transaction(transaction);
    terminal.expect("PROGRAM INITIATION");
    continue_to(terminal, display, command);
}

pub fn continue_to(terminal: &mut Terminal, display: &str, command: &str) {
    const STEPS_MAX: usize = 40;
    for _ in 0..STEPS_MAX {
        terminal.enter();
        let screen = terminal.text();
        if screen[1].contains(display) && screen.iter().any(|line| line.contains(command)) {
            return;
        }
    }
    panic!("no {display} with {command}; the screen:\n{}", terminal.text().join("\n"));
}
