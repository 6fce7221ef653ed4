//! Passwords and phrases as commands give them.
//!
//! Invariant: what is read of a program's storage goes into a secret, which is erased when it is dropped, and nowhere else.

use exec::{OptionId, condition, option};
use region::{Arguments, Raised, raise};
use security::{CARD_LENGTH_MAX, PHRASE_LENGTH_MAX, Secret};

/// A password of at most eight characters; `None`: the option is not given, or blank ("If an optional input field contains all blanks, it is
/// ignored").
pub fn password(arguments: &Arguments, option: OptionId) -> Result<Option<Secret>, Raised> {
    let text = arguments.text(option)?.unwrap_or_default();
    Ok(some(&text))
}

/// A phrase with the length that an option gives; 1 to 100 characters.
///
/// # Errors
///
/// LENGERR with the RESP2 value of another length.
pub fn phrase(arguments: &Arguments, (option, length): (OptionId, OptionId), resp2: i32) -> Result<Option<Secret>, Raised> {
    let Some(area) = arguments.area(option) else { return Ok(None) };
    let length = arguments.integer(length).unwrap_or(area.length as i64);
    let bytes = match usize::try_from(length) {
        Ok(length) if (1..=PHRASE_LENGTH_MAX).contains(&length) => arguments.bytes_of_length(option, length)?.unwrap_or_default(),
        _ => return raise(condition::LENGERR, resp2),
    };
    Ok(some(arguments.code_page().text(&bytes).trim_end()))
}

/// OIDCARD: what an operator identification card says.
///
/// # Errors
///
/// The area cannot be read.
pub fn card(arguments: &Arguments) -> Result<Option<Secret>, Raised> {
    let Some(area) = arguments.area(option::OIDCARD) else { return Ok(None) };
    let length = if area.length == 0 { CARD_LENGTH_MAX } else { area.length.min(CARD_LENGTH_MAX) };
    let bytes = arguments.bytes_of_length(option::OIDCARD, length)?.unwrap_or_default();
    Ok(some(&arguments.code_page().text(&bytes)))
}

fn some(text: &str) -> Option<Secret> {
    let text = text.trim_end_matches([' ', '\0']);
    (!text.is_empty()).then(|| Secret::new(text))
}
