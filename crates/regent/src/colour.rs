//! Colour in compiler messages: the identifier in the colour of its severity, the marker below the source line, and the place.
//!
//! Invariant: without the colours the text is the same, byte for byte.

use std::ffi::OsStr;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const GREEN: &str = "\x1b[1;32m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Whether a stream gets colour: it is a terminal, and neither NO_COLOR (no-color.org: set and not empty) nor TERM=dumb forbids it.
pub fn is_wanted(is_terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    is_terminal && no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

/// [`is_wanted`] with this process's environment.
pub fn is_wanted_on(stream: &impl std::io::IsTerminal) -> bool {
    is_wanted(stream.is_terminal(), std::env::var_os("NO_COLOR").as_deref(), std::env::var_os("TERM").as_deref())
}

/// Messages with colour, line by line.
pub fn paint(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn line(line: &str) -> String {
    if let Some((number, mark)) = line.split_once(" | ")
        && number.trim().is_empty()
        && !mark.trim().is_empty()
        && mark.trim().bytes().all(|byte| byte == b'^')
    {
        let indent = mark.len() - mark.trim_start().len();
        return format!("{number} | {}{GREEN}{}{PLAIN}", &mark[..indent], &mark[indent..]);
    }
    // `PATH:LINE:COLUMN: IDENTIFIER text`, where IDENTIFIER is RGTxxnnnn-S or the assembler's word.
    for (at, _) in line.match_indices(": ") {
        let (place, rest) = (&line[..at], &line[at + 2..]);
        if !place.ends_with(|last: char| last.is_ascii_digit()) {
            continue;
        }
        if let Some((length, colour)) = severity(rest) {
            let (identifier, text) = rest.split_at(length);
            return format!("{BOLD}{place}{PLAIN}: {colour}{identifier}{PLAIN}{text}");
        }
    }
    line.to_string()
}

/// Length and colour of what tells the severity at the beginning of a message.
fn severity(text: &str) -> Option<(usize, &'static str)> {
    for (word, colour) in [("warning:", YELLOW), ("error:", RED), ("severe error:", RED)] {
        if text.starts_with(word) {
            return Some((word.len() - 1, colour));
        }
    }
    let identifier = text.split(' ').next().filter(|identifier| identifier.starts_with("RGT"))?;
    let colour = match identifier.rsplit_once('-')?.1 {
        "I" => CYAN,
        "W" => YELLOW,
        _ => RED,
    };
    Some((identifier.len(), colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_and_mark_are_coloured_and_the_text_stays() {
        let text = "a.cbl:12:8: RGTPS1012-S X is not defined; expected Y\n    12 |        MOVE X TO A\n       |             ^\n1 more message is not shown";
        let painted = paint(text);
        let expected = "\x1b[1ma.cbl:12:8\x1b[0m: \x1b[1;31mRGTPS1012-S\x1b[0m X is not defined; expected Y\n    12 |        MOVE X TO A\n       |             \x1b[1;32m^\x1b[0m\n1 more message is not shown";
        assert_eq!(painted, expected);
        let plain = [RED, YELLOW, CYAN, GREEN, BOLD, PLAIN].iter().fold(painted, |text, colour| text.replace(colour, ""));
        assert_eq!(plain, text);
    }

    #[test]
    fn the_colour_tells_the_severity() {
        assert!(paint("a.cbl:1:1: RGTLI0095-W text").contains("\x1b[1;33mRGTLI0095-W\x1b[0m text"));
        assert!(paint("m.bms:5:1: warning: POS: within").contains("\x1b[1;33mwarning\x1b[0m: POS: within"));
        assert!(paint("m.bms:5:1: severe error: too many").contains("\x1b[1;31msevere error\x1b[0m: too many"));
        assert_eq!(paint("a line: of another kind"), "a line: of another kind");
    }

    #[test]
    fn no_color_and_a_dumb_terminal_forbid_colour() {
        let (set, empty, dumb) = (OsStr::new("1"), OsStr::new(""), OsStr::new("dumb"));
        assert!(is_wanted(true, None, None) && is_wanted(true, Some(empty), None));
        assert!(!is_wanted(false, None, None) && !is_wanted(true, Some(set), None) && !is_wanted(true, None, Some(dumb)));
    }
}
