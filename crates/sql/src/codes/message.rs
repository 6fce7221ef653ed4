//! Texts of SQLCODEs, and the message lines that DSNTIAR makes of an SQLCA.

use super::find;

/// Shortest and longest line that DSNTIAR makes.
const LINE_MIN: usize = 72;
const LINE_MAX: usize = 240;
/// Continuation lines begin below the text of the first.
const INDENT: usize = 10;
/// Smallest room for lines that DSNTIAR accepts.
const AREA_MIN: usize = 240;

/// An SQLCA, as characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Communication {
    pub code: i32,
    pub state: String,
    /// SQLERRP.
    pub procedure: String,
    pub tokens: Vec<String>,
    /// SQLERRD(1) to (6).
    pub errd: [i32; 6],
    /// SQLWARN0 to SQLWARNA.
    pub warnings: [u8; 11],
}

/// Why DSNTIAR made no lines, or not all; its return code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum DsntiarError {
    /// The lines did not all fit.
    Truncated = 4,
    /// The length of a line is not 72 to 240.
    LineLength = 8,
    /// The area has less than 240 bytes for lines.
    AreaLength = 12,
}

/// The text of a code with its tokens; of a code that is not in the table its tokens alone.
pub fn message_text(code: i32, tokens: &[String]) -> String {
    let Some(row) = find(code) else {
        return format!("NO TEXT IS KNOWN FOR THIS CODE. TOKENS {}", tokens.join(", "));
    };
    let mut parts = row.text.split("${");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (number, rest) = part.split_once('}').unwrap_or((part, ""));
        let token = number.parse::<usize>().ok().and_then(|number| tokens.get(number.checked_sub(1)?));
        text.push_str(token.map_or("*N", String::as_str));
        text.push_str(rest);
    }
    text
}

/// The lines for an SQLCA, each padded to `length` characters, as many as an area with room for `room` bytes of lines holds, and why it is not
/// complete. The halfword before the lines is the caller's.
pub fn dsntiar(area: &Communication, length: usize, room: usize) -> (Vec<String>, Option<DsntiarError>) {
    if !(LINE_MIN..=LINE_MAX).contains(&length) {
        return (Vec::new(), Some(DsntiarError::LineLength));
    }
    if room < AREA_MIN {
        return (Vec::new(), Some(DsntiarError::AreaLength));
    }
    let mut lines: Vec<String> = messages(area).iter().flat_map(|message| wrapped(message, length)).collect();
    let fit = room / length;
    let error = (lines.len() > fit).then_some(DsntiarError::Truncated);
    lines.truncate(fit);
    debug_assert!(lines.iter().all(|line| line.chars().count() == length));
    (lines, error)
}

fn messages(area: &Communication) -> Vec<String> {
    let text = message_text(area.code, &area.tokens);
    let mut messages = vec![match area.code {
        0 if area.warnings[0] != b'W' => "DSNT400I SQLCODE = 000,  SUCCESSFUL EXECUTION".to_string(),
        0 => "DSNT404I SQLCODE = 000, WARNING:  SEE SQLWARN".to_string(),
        100 => format!("DSNT404I SQLCODE = 100, NOT FOUND:  {text}"),
        code if code > 0 => format!("DSNT404I SQLCODE = {code:03}, WARNING:  {text}"),
        code => format!("DSNT408I SQLCODE = {code}, ERROR:  {text}"),
    }];
    messages.push(format!("DSNT418I SQLSTATE   = {} SQLSTATE RETURN CODE", area.state));
    if area.code < 0 {
        messages.push(format!("DSNT415I SQLERRP    = {} SQL PROCEDURE DETECTING ERROR", area.procedure));
    }
    if area.code != 0 {
        let numbers = area.errd.map(|number| number.to_string()).join("  ");
        let hexadecimal = area.errd.map(|number| format!("X'{number:08X}'")).join("  ");
        messages.push(format!("DSNT416I SQLERRD    = {numbers}  SQL DIAGNOSTIC INFORMATION"));
        messages.push(format!("DSNT416I SQLERRD    = {hexadecimal}  SQL DIAGNOSTIC INFORMATION"));
    }
    for (range, name) in [(0..6, "SQLWARN0-5"), (6..11, "SQLWARN6-A")] {
        let warnings = &area.warnings[range];
        if warnings.iter().any(|warning| !matches!(warning, b' ' | 0)) {
            let shown = warnings.iter().map(|warning| char::from(*warning).to_string().trim().replace('\0', "")).collect::<Vec<_>>();
            messages.push(format!("DSNT417I {name} = {} SQL WARNINGS", shown.join(",")));
        }
    }
    messages
}

/// A blank for carriage control, then the message, broken at blanks.
fn wrapped(message: &str, length: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from(" ");
    let mut used = 1;
    for word in message.split_inclusive(' ') {
        let mut word: Vec<char> = word.chars().collect();
        if used + word.iter().collect::<String>().trim_end().chars().count() > length && used > INDENT {
            lines.push(std::mem::replace(&mut line, " ".repeat(INDENT)));
            used = INDENT;
        }
        // A word that is longer than a line is cut.
        while used + word.len() > length {
            let rest = word.split_off(length - used);
            line.extend(word);
            lines.push(std::mem::replace(&mut line, " ".repeat(INDENT)));
            used = INDENT;
            word = rest;
            if word.iter().all(|character| *character == ' ') {
                word.clear();
            }
        }
        used += word.len();
        line.extend(word);
    }
    if line.trim() != "" {
        lines.push(line);
    }
    lines.into_iter().map(|line| format!("{line:<length$}")).collect()
}
