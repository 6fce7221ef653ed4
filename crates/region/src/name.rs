//! Names of resources as the region keeps them: a fixed number of ASCII characters, blank padded.
//!
//! Invariants: a `Name<N>` holds exactly `N` bytes; it is trailing-blank padded and never contains a NUL.
//! Programs pass names in the region's code page; `CodePage::name` (see `code_page`) is the only way in from storage.

use std::fmt;

/// A blank-padded ASCII name of `N` characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name<const N: usize>(pub [u8; N]);

pub type Name4 = Name<4>;
pub type Name8 = Name<8>;
pub type Name16 = Name<16>;

impl<const N: usize> Name<N> {
    pub const BLANK: Self = Self([b' '; N]);

    /// Takes at most `N` bytes of ASCII text; what is longer is cut, what is shorter is padded.
    pub const fn new(text: &str) -> Self {
        Self::from_bytes(text.as_bytes())
    }

    pub const fn from_bytes(bytes: &[u8]) -> Self {
        let mut name = [b' '; N];
        let mut at = 0;
        while at < N && at < bytes.len() {
            name[at] = if bytes[at] == 0 { b' ' } else { bytes[at] };
            at += 1;
        }
        Self(name)
    }

    pub fn is_blank(&self) -> bool {
        self.0.iter().all(|byte| *byte == b' ')
    }

    /// The name without its padding.
    pub fn as_str(&self) -> &str {
        let end = self.0.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
        std::str::from_utf8(&self.0[..end]).unwrap_or("?")
    }

    pub fn resized<const M: usize>(&self) -> Name<M> {
        Name::<M>::from_bytes(&self.0)
    }
}

impl<const N: usize> Default for Name<N> {
    fn default() -> Self {
        Self::BLANK
    }
}

impl<const N: usize> From<&str> for Name<N> {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl<const N: usize> fmt::Display for Name<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Name<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_padded_cut_and_printed_without_padding() {
        assert_eq!(Name4::new("AB").0, *b"AB  ");
        assert_eq!(Name4::new("ABCDE").0, *b"ABCD");
        assert_eq!(Name8::from_bytes(b"A\0\0").to_string(), "A");
        assert_eq!(format!("{:<6}|", Name4::new("AB")), "AB    |");
        assert!(Name8::BLANK.is_blank());
    }
}
