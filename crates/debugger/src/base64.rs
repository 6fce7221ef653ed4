//! Base64 (RFC 4648, with padding), the form in which the protocol carries storage.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING: u8 = b'=';

pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for piece in bytes.chunks(3) {
        let word = piece.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - piece.len()));
        for place in 0..4 {
            let digit = ALPHABET[(word >> (18 - 6 * place)) as usize & 63];
            text.push(char::from(if place <= piece.len() { digit } else { PADDING }));
        }
    }
    text
}

/// `None` for a text that is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches(char::from(PADDING));
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for piece in digits.as_bytes().chunks(4) {
        let mut word = 0;
        for digit in piece {
            word = word << 6 | ALPHABET.iter().position(|known| known == digit)? as u32;
        }
        word <<= 6 * (4 - piece.len());
        bytes.extend_from_slice(&word.to_be_bytes()[1..piece.len()]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, "Test Vectors".
    #[test]
    fn the_examples_of_the_standard_are_right() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(decode("+/8=").as_deref(), Some([0xFB, 0xFF].as_slice()));
        for wrong in ["Z", "Zg", "Zg=", "Z===", "====", "Zm9v=", "Zm?v"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
