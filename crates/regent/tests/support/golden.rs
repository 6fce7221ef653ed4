//! Screens that are kept in `supplied/*.txt`, and shown in the documents as fenced blocks `screen NAME`.

use super::root;
use super::terminal::Terminal;
use std::path::PathBuf;

pub fn golden(name: &str) -> PathBuf {
    root().join("crates/regent/tests/supplied").join(format!("{name}.txt"))
}

/// The screen without time and date, which are cut off, and without trailing blanks. Of a date and a time at the end of a line, as
/// `26.332 15.04.05`, the digits are hidden.
fn stable(screen: &[String]) -> String {
    const MOMENT: &str = "00.000 00.00.00";
    let hidden = |line: &str| {
        let (head, tail) = line.split_at(line.len().saturating_sub(MOMENT.len()));
        let is_moment =
            tail.len() == MOMENT.len() && tail.chars().zip(MOMENT.chars()).all(|(c, of)| c == of || of == '0' && c.is_ascii_digit());
        if is_moment { format!("{head}{}", MOMENT.replace('0', "#")) } else { line.to_string() }
    };
    let line = |line: &String| hidden(line.find("TIME:  ").map_or(line.as_str(), |at| &line[..at + 5]).trim_end());
    screen.iter().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// Compares the screen with the one that is kept; REGENT_SCREENS=write keeps it.
pub fn shows(terminal: &mut Terminal, name: &str) {
    let screen = stable(&terminal.text());
    if std::env::var("REGENT_SCREENS").is_ok_and(|mode| mode == "write") {
        std::fs::write(golden(name), &screen).expect("written");
    }
    let expected = std::fs::read_to_string(golden(name)).unwrap_or_default();
    assert!(screen == expected, "{name}.txt is\n{expected}\nand the screen\n{screen}");
}

/// The screens of a document are those that are kept. Returns how many there are.
pub fn agrees(document: &str) -> usize {
    let text = std::fs::read_to_string(root().join(document)).expect("the document");
    let mut count = 0;
    for block in text.split("\n```screen ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a name");
        let shown = rest.split("\n```").next().unwrap_or_default();
        let kept = std::fs::read_to_string(golden(name)).unwrap_or_default();
        assert!(shown.trim_end() == kept.trim_end(), "{document}, {name}: the screen is\n{kept}");
        count += 1;
    }
    count
}
