//! Names of at most eight characters: users, groups, classes, terminals, applications.
//!
//! Invariant: a `Name8` holds one to eight characters of A-Z, 0-9, #, $ and @, padded with blanks, so two names are equal if their bytes are.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The longest name.
pub const NAME_LENGTH_MAX: usize = 8;

/// A user id, the name of a group, class, terminal or application.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name8([u8; NAME_LENGTH_MAX]);

/// The name of a user.
pub type UserId8 = Name8;
/// The name of a group.
pub type GroupName8 = Name8;

/// A text that is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a name has one to eight characters of A-Z, 0-9, #, $ and @")]
pub struct InvalidName;

impl Name8 {
    /// The name of a text, which may be padded with blanks and is folded to upper case.
    pub fn new(text: &str) -> Result<Name8, InvalidName> {
        let text = text.trim_end_matches(' ').as_bytes();
        if text.is_empty() || text.len() > NAME_LENGTH_MAX {
            return Err(InvalidName);
        }
        let mut name = [b' '; NAME_LENGTH_MAX];
        for (to, from) in name.iter_mut().zip(text) {
            *to = from.to_ascii_uppercase();
            if !is_name_character(*to) {
                return Err(InvalidName);
            }
        }
        Ok(Name8(name))
    }

    /// A name that the source gives, so that it is known to be one.
    pub(crate) fn constant(text: &str) -> Name8 {
        Name8::new(text).expect("a name in the source is one")
    }

    /// The name without the blanks behind it.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("names are ASCII").trim_end_matches(' ')
    }

    /// The name padded with blanks to eight characters.
    pub fn padded(&self) -> &[u8; NAME_LENGTH_MAX] {
        &self.0
    }

    /// Whether it begins with a digit, which a group must not.
    pub(crate) fn begins_with_digit(&self) -> bool {
        self.0[0].is_ascii_digit()
    }
}

/// Letters, digits and national characters.
pub(crate) fn is_name_character(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'#' | b'$' | b'@')
}

impl fmt::Display for Name8 {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl fmt::Debug for Name8 {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}", self.as_str())
    }
}

impl Serialize for Name8 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'a> Deserialize<'a> for Name8 {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Name8, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Name8::new(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_to_eight_characters() {
        assert_eq!(Name8::new(""), Err(InvalidName));
        assert_eq!(Name8::new("   "), Err(InvalidName));
        assert_eq!(Name8::new("abcd#$@8").unwrap().as_str(), "ABCD#$@8");
        assert_eq!(Name8::new("ABCDEFGHI"), Err(InvalidName));
        assert_eq!(Name8::new("A B"), Err(InvalidName));
        assert_eq!(Name8::new("ÄB"), Err(InvalidName));
        assert_eq!(Name8::new("AB  ").unwrap().padded(), b"AB      ");
    }
}
