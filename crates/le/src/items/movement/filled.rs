//! UTF-8 items filled by figurative constants and ALL literals: with as many whole characters as the item has, or as fit its bytes, then
//! with spaces. In an item whose bytes are counted, HIGH-VALUE ends in the last character of as many bytes as are left (Programming Guide,
//! "Using UTF-8-character figurative constants").

use super::Figurative;
use crate::attributes::Attributes;
use crate::code_page::utf8_prefix;
use crate::session::Session;

pub(super) const SPACE: u8 = 0x20;
/// The last character with that many bytes: U+007F, U+07FF, U+FFFF, U+10FFFF.
const HIGH_VALUES: [&[u8]; 5] = [&[], &[0x7F], &[0xDF, 0xBF], &[0xEF, 0xBF, 0xBF], &[0xF4, 0x8F, 0xBF, 0xBF]];
const CHARACTER_BYTES_MAX: usize = 4;

/// The bytes, one after the other.
pub struct Filled<'a> {
    text: Text<'a>,
    /// Remaining bytes of the item, and characters.
    bytes: usize,
    characters: u32,
    /// The rest of the current character.
    character: &'a [u8],
}

#[derive(Clone, Copy)]
enum Text<'a> {
    HighValue,
    /// Over and over; from where on.
    All(&'a [u8], usize),
}

impl<'a> Filled<'a> {
    /// With a text of UTF-8 that is not empty.
    pub fn with_all(text: &'a [u8], bytes: usize, attributes: &Attributes) -> Filled<'a> {
        debug_assert!(!text.is_empty());
        Filled { text: Text::All(text, 0), bytes, characters: attributes.characters_max(), character: &[] }
    }

    pub fn with_high_value(bytes: usize, attributes: &Attributes) -> Filled<'static> {
        Filled { text: Text::HighValue, bytes, characters: attributes.characters_max(), character: &[] }
    }

    pub fn with(figurative: Figurative, bytes: usize, attributes: &Attributes, session: &Session) -> Filled<'static> {
        let text: &'static [u8] = match figurative {
            Figurative::HighValue => return Filled::with_high_value(bytes, attributes),
            Figurative::LowValue | Figurative::Null => b"\0",
            Figurative::Space => b" ",
            Figurative::Zero => b"0",
            Figurative::Quote if figurative.unit(session) == u16::from(b'"') => b"\"",
            Figurative::Quote => b"'",
        };
        Filled::with_all(text, bytes, attributes)
    }

    /// Takes the equal characters at the front: the character, and how many there are. None when the text has several characters.
    pub(super) fn take_equal(&mut self) -> (&'a [u8], usize) {
        let character = match self.text {
            Text::HighValue => HIGH_VALUES[CHARACTER_BYTES_MAX],
            Text::All(text, _) if utf8_prefix(text, 1, text.len()).max(1) == text.len() => text,
            Text::All(..) => return (&[], 0),
        };
        debug_assert!(self.character.is_empty());
        let count = (self.bytes / character.len()).min(self.characters as usize);
        self.bytes -= count * character.len();
        self.characters -= count as u32;
        (character, count)
    }

    /// The bytes left if they are all spaces behind the last character.
    pub(super) fn padding(&self) -> Option<usize> {
        (self.characters == 0 && self.character.is_empty()).then_some(self.bytes)
    }

    fn next_character(&mut self) -> &'a [u8] {
        match &mut self.text {
            Text::HighValue => HIGH_VALUES[self.bytes.min(CHARACTER_BYTES_MAX)],
            Text::All(text, at) => {
                let rest = &text[*at..];
                let character = &rest[..utf8_prefix(rest, 1, rest.len()).max(1)];
                *at = (*at + character.len()) % text.len();
                character
            }
        }
    }
}

impl Iterator for Filled<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.bytes == 0 {
            return None;
        }
        if self.character.is_empty() && self.characters > 0 {
            let character = self.next_character();
            let fits = character.len() <= self.bytes;
            self.characters = if fits { self.characters - 1 } else { 0 };
            self.character = if fits { character } else { &[] };
        }
        self.bytes -= 1;
        let Some((first, rest)) = self.character.split_first() else { return Some(SPACE) };
        self.character = rest;
        Some(*first)
    }
}

/// Compares the characters of a UTF-8 item with those that a figurative constant or ALL literal fills the item with.
pub fn compare_filled(contents: &[u8], filled: Filled<'_>) -> std::cmp::Ordering {
    let padded = contents.iter().copied().chain(std::iter::repeat(SPACE));
    padded.zip(filled).map(|(left, right)| left.cmp(&right)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
}
