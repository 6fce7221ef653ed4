//! The result of taking a character off the front of bytes, common to all encodings and readers.

/// The result of taking a character off the front of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    One(char),
    /// A double-byte code that is a base letter and a combining mark in Unicode.
    Two(char, char),
    /// Shift-out or shift-in: no character.
    Shift,
    /// A code that the page does not have, or invalid bytes.
    Malformed,
    /// The bytes end within a character.
    Incomplete,
}
