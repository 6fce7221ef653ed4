//! Detects the reference format of a source when it is not specified: lines that fixed format cannot have count against lines that only
//! fixed format has.
//!
//! Enterprise COBOL knows only fixed format, so it is assumed when the lines are inconclusive. A source whose lines contradict each other
//! is read as most of them indicate. A first header in area A shows that fixed format was meant: then all lines that keep to columns 8 to
//! 72 indicate it, and so they do in a source with no more than one line that begins in column 7. A warning names the format taken, and the
//! line that contradicts it.

use super::format::{Format, INDICATOR, TEXT};
use crate::diagnostics::Diagnostics;
use crate::span::Span;

/// Lines that are looked at.
const LINES_MAX: usize = 400;
/// The last column of area A, from 0.
const AREA_A_LAST: usize = 10;

/// The evidence in the lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detected {
    /// `None`: nothing.
    pub format: Option<Format>,
    /// The first line, from 1, that is in fixed format only, and the first that is in free format only.
    first_fixed: Option<u32>,
    first_free: Option<u32>,
}

impl Detected {
    /// Warns when some lines are not in the format taken.
    pub fn warn(&self, taken: Format, file: u16, lines: &[Box<str>], diagnostics: &mut Diagnostics) {
        let (Some(fixed), Some(free)) = (self.first_fixed, self.first_free) else { return };
        let column = |line: u32| lines.get(line as usize - 1).map_or(0, |text| indent(text) + 1);
        let text = match taken {
            // Column 7 is reported as an error.
            Format::Fixed if column(free) == INDICATOR + 1 => return,
            Format::Fixed => format!(
                "the source is taken to be in fixed format, as line {fixed} is; this line begins in column {}, and columns 1 to 6 are not \
                 read; `>>SOURCE FORMAT IS FREE` at the beginning says otherwise",
                column(free)
            ),
            Format::Free => format!(
                "the source is taken to be in free format, because this line begins in column {}, where fixed format has no text; line \
                 {fixed} looks like fixed format; `>>SOURCE FORMAT IS FIXED` at the beginning says otherwise",
                column(free)
            ),
        };
        diagnostics.warning("LX0011", Span::new(file, free, u16::try_from(column(free)).unwrap_or(0), 1), text);
    }
}

/// True for a CBL or PROCESS statement.
fn is_option_statement(text: &str) -> bool {
    let word = text.split([' ', ',']).next().unwrap_or_default();
    word.eq_ignore_ascii_case("CBL") || word.eq_ignore_ascii_case("PROCESS")
}

/// Blank columns before the text of a line.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ').count()
}

/// The evidence in the lines of a source. `expected` is the format of the source that copies it.
pub fn detect(lines: &[Box<str>], expected: Option<Format>) -> Detected {
    let (mut fixed, mut free, mut said) = (0_u32, 0_u32, false);
    // Lines that are as fixed format has them, and lines that begin in column 7.
    let (mut fitting, mut slips) = (0_u32, 0_u32);
    let (mut found, mut header) = (Detected::default(), None);
    let mut comments = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()).take(LINES_MAX) {
        let text = line.trim_start();
        if text.starts_with(">>") || text.starts_with('$') {
            said |= text.to_ascii_uppercase().contains("SOURCE");
            continue;
        }
        // CBL and PROCESS may begin in any column of fixed format (Enterprise COBOL Language Reference, "CBL (PROCESS) statement").
        if is_option_statement(text) {
            continue;
        }
        let number = Some(index as u32 + 1);
        if header.is_none() && is_header(text) {
            header = Some(is_in_area_a(line));
            found.first_fixed = found.first_fixed.or(number.filter(|_| header == Some(true)));
        }
        if text.starts_with("*>") && indent(line) < INDICATOR {
            comments.push(index as u32 + 1);
            continue;
        }
        match evidence(line) {
            Some(Format::Fixed) => (fixed, found.first_fixed) = (fixed + 1, found.first_fixed.or(number)),
            Some(Format::Free) => {
                slips += u32::from(indent(line) == INDICATOR);
                (free, found.first_free) = (free + 1, found.first_free.or(number));
            }
            None => fitting += u32::from(indent(line) >= TEXT),
        }
    }
    if header == Some(true) || expected == Some(Format::Fixed) || (free == 1 && slips == 1) {
        fixed += fitting;
    }
    // Comments in columns 1 to 6 indicate free format only if nothing indicates fixed format, which ignores them too.
    if header != Some(true) {
        free += comments.len() as u32;
        found.first_free = found.first_free.into_iter().chain(comments.first().copied()).min();
    }
    found.format = match fixed.cmp(&free) {
        std::cmp::Ordering::Less => Some(Format::Free),
        std::cmp::Ordering::Greater => Some(Format::Fixed),
        std::cmp::Ordering::Equal => None,
    };
    if said {
        // Lines after a directive are in the format that it names.
        (found.first_fixed, found.first_free) = (None, None);
    }
    found
}

/// The text of the line begins in area A, with nothing before it.
fn is_in_area_a(line: &str) -> bool {
    (TEXT..=AREA_A_LAST).contains(&indent(line))
}

/// The format that a line must be in.
fn evidence(line: &str) -> Option<Format> {
    let head: Vec<char> = line.chars().take(TEXT + 1).collect();
    if head.len() <= INDICATOR {
        return head[0].is_alphabetic().then_some(Format::Free);
    }
    let sequence = &head[..INDICATOR];
    let blank = sequence.iter().all(|c| *c == ' ');
    let marked = matches!(head[INDICATOR], '*' | '/' | '-');
    if sequence.iter().all(char::is_ascii_digit) {
        // A full sequence number: what stands in column 7 is an indicator, or an error.
        return Some(Format::Fixed);
    }
    if !marked && !matches!(head[INDICATOR], ' ' | 'D' | 'd' | '$' | '>') {
        return Some(Format::Free);
    }
    if blank {
        return marked.then_some(Format::Fixed);
    }
    // A level number may be in columns 5 and 6 of free format; a sequence number is longer.
    let digits = sequence.iter().filter(|c| c.is_ascii_digit()).count();
    if sequence.iter().all(|c| c.is_ascii_digit() || *c == ' ') && (digits > 2 || sequence[0] != ' ') {
        return Some(Format::Fixed);
    }
    let is_indented = head[0] == ' ';
    let has_words = sequence.windows(2).any(|pair| pair[0] == ' ' && pair[1].is_alphanumeric());
    (is_indented || has_words).then_some(Format::Free)
}

/// The header of a division or section, or PROGRAM-ID.
fn is_header(text: &str) -> bool {
    let mut words = text.split([' ', '.']).filter(|word| !word.is_empty()).map(str::to_ascii_uppercase);
    let first = words.next().unwrap_or_default();
    first == "PROGRAM-ID" || matches!(words.next().as_deref(), Some("DIVISION" | "SECTION"))
}
