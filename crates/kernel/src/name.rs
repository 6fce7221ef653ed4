//! Fixed-length names as CICS has them: padded with blanks, compared as a whole, never allocated.

use std::fmt;

/// A name of up to `N` characters, blank padded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name<const N: usize>([u8; N]);

/// Operator identifications, languages.
pub type Name3 = Name<3>;
/// Transactions, terminals, systems, queues of transient data.
pub type Name4 = Name<4>;
/// A resource type of a wait, a class, a subpool: eight characters.
pub type Name8 = Name<8>;
/// A resource name of a wait: sixteen characters.
pub type Name16 = Name<16>;

/// The same name in another length: cut or padded.
pub fn resized<const N: usize, const M: usize>(name: &Name<N>) -> Name<M> {
    Name::from_bytes(name.as_bytes())
}

impl<const N: usize> Name<N> {
    /// The name with no characters.
    pub const BLANK: Name<N> = Name([b' '; N]);

    /// Takes the first `N` bytes of `text`.
    pub const fn new(text: &str) -> Name<N> {
        Name::from_bytes(text.as_bytes())
    }

    /// Takes the first `N` bytes; shorter input is padded with blanks.
    pub const fn from_bytes(bytes: &[u8]) -> Name<N> {
        let mut name = [b' '; N];
        let mut index = 0;
        while index < N && index < bytes.len() {
            name[index] = bytes[index];
            index += 1;
        }
        Name(name)
    }

    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// The characters before the padding; bytes that are not UTF-8 end the text.
    pub fn as_str(&self) -> &str {
        let text = match std::str::from_utf8(&self.0) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&self.0[..error.valid_up_to()]).unwrap_or(""),
        };
        text.trim_end_matches([' ', '\0'])
    }

    pub fn is_blank(&self) -> bool {
        self.0.iter().all(|&byte| byte == b' ')
    }
}

impl<const N: usize> Default for Name<N> {
    fn default() -> Self {
        Name::BLANK
    }
}

impl<const N: usize> From<&str> for Name<N> {
    fn from(text: &str) -> Self {
        Name::new(text)
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
    fn pads_and_trims() {
        assert_eq!(Name8::new("QR").as_bytes(), b"QR      ");
        assert_eq!(Name8::new("ABCDEFGHI").as_str(), "ABCDEFGH");
        assert_eq!(Name8::new("ABCDEFGH").as_str(), "ABCDEFGH");
        assert!(Name16::new("").is_blank());
        assert_eq!(Name8::from_bytes(&[b'A', 0xC1, b'B']).as_str(), "A");
    }
}
