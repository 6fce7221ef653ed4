//! The length of an array whose declaration leaves it to its initial value: `char name[] = "..."`, `short rows[] = { 1, 2 }`.
//!
//! What is not understood has no length here. The compiler asserts the size of every host variable, so no wrong one is used.

use super::declarations::Token;
use crate::scan::Unit;

/// The number of elements that the value behind the `=` gives, in front of a comma or semicolon.
pub fn elements(value: &[Token<'_>], of_characters: bool) -> Option<u32> {
    match value.first()? {
        (Unit::String, _) if of_characters => string(value),
        (Unit::Other('{'), _) => list(&value[1..]),
        _ => None,
    }
}

/// Adjacent strings, with the binary zero at their end.
fn string(value: &[Token<'_>]) -> Option<u32> {
    let parts = value.iter().take_while(|(unit, _)| *unit == Unit::String);
    let (count, length) = parts.fold((0, 1), |(count, length), (_, text)| (count + 1, length + characters(text)));
    let (unit, _) = value.get(count)?;
    matches!(unit, Unit::Other(',' | ';')).then(|| u32::try_from(length).ok())?
}

/// The characters of a string with its quotation marks.
fn characters(text: &str) -> usize {
    let mut rest = text.trim_matches('"').chars().peekable();
    let mut count = 0;
    while let Some(character) = rest.next() {
        if character == '\\' {
            match rest.next() {
                Some('\n') => continue,
                Some('x') => while rest.next_if(char::is_ascii_hexdigit).is_some() {},
                Some('0'..='7') => {
                    let octal = |c: &char| matches!(c, '0'..='7');
                    let _ = rest.next_if(octal).and_then(|_| rest.next_if(octal));
                }
                _ => {}
            }
        }
        count += 1;
    }
    count
}

/// Values behind a brace, without designators.
fn list(value: &[Token<'_>]) -> Option<u32> {
    let (mut depth, mut count, mut is_begun) = (0usize, 0, false);
    for (unit, _) in value {
        match unit {
            Unit::Other('[') if depth == 0 && !is_begun => return None,
            Unit::Other('}') if depth == 0 => return (count + u32::from(is_begun) > 0).then_some(count + u32::from(is_begun)),
            Unit::Other(',') if depth == 0 => {
                count += 1;
                is_begun = false;
                continue;
            }
            Unit::Other('(' | '[' | '{') => depth += 1,
            Unit::Other(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_begun = true;
    }
    None
}
