//! The values of SET commands: options given as a CVDA or as a keyword, and numbers.
//!
//! Invariant: the bounds of a number are those of the system initialization parameter or of the resource attribute that it replaces.

use crate::{Arguments, Raised, raise, system_initialization};
use csd::attributes;
use exec::{OptionId, condition};

/// The binary value that leaves an attribute unchanged in a SET command, and that INQUIRE returns for an attribute that does not apply.
pub const NULL_NUMBER: i64 = -1;

/// As [`Arguments::chosen`]; a value that is none of the keywords' raises INVREQ with the RESP2 of the option.
pub fn checked(arguments: &Arguments, option: OptionId, keywords: &[(OptionId, i64)], fault: i32) -> Result<Option<i64>, Raised> {
    match arguments.chosen(option, keywords) {
        Some(value) if !keywords.iter().any(|(_, known)| *known == value) => raise(condition::INVREQ, fault),
        value => Ok(value),
    }
}

/// As `checked`, of two keywords: whether it is the first.
pub fn switch(
    arguments: &Arguments,
    option: OptionId,
    on: (OptionId, i64),
    off: (OptionId, i64),
    fault: i32,
) -> Result<Option<bool>, Raised> {
    Ok(checked(arguments, option, &[on, off], fault)?.map(|value| value == on.1))
}

/// A number; `None` if it is absent or the null value. `accept` returns the number in force for one that is given; without one, INVREQ is
/// raised with the RESP2 of the option.
pub fn number(arguments: &Arguments, option: OptionId, fault: i32, accept: impl FnOnce(u64) -> Option<u64>) -> Result<Option<u64>, Raised> {
    match arguments.integer(option) {
        None | Some(NULL_NUMBER) => Ok(None),
        Some(given) => match u64::try_from(given).ok().and_then(accept) {
            Some(number) => Ok(Some(number)),
            None => raise(condition::INVREQ, fault),
        },
    }
}

/// A number in place of that of a system initialization parameter.
pub fn parameter(arguments: &Arguments, option: OptionId, name: &str, fault: i32) -> Result<Option<u64>, Raised> {
    number(arguments, option, fault, |number| system_initialization::accepted(name, number))
}

/// A number in place of that of an attribute of a resource type.
pub fn attribute(arguments: &Arguments, option: OptionId, (resource, attribute): (&str, &str), fault: i32) -> Result<Option<u64>, Raised> {
    number(arguments, option, fault, |number| attributes::accepted(resource, attribute, number))
}
