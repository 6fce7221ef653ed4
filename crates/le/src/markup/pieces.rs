//! Long texts in pieces: between two of them it is tested whether the program is to be stopped.
//!
//! Invariants: a piece has whole characters, and no piece is empty; pieces are converted as the whole text would be.

use super::Caller;
use crate::code_page::{CodePage, Encoding};
use crate::exception::Result;
use crate::session::Session;

/// Bytes of a piece, but for a character at its end.
pub(super) const PIECE: usize = 1 << 16;

/// The text in pieces.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    split(text, PIECE)
}

/// The text in pieces that can be encoded one by one: mixed text, which keeps a shift state, is one piece.
pub(super) fn pieces_for<'a>(text: &'a str, page: &CodePage) -> impl Iterator<Item = &'a str> {
    let is_stateful = matches!(page.encoding, Encoding::Mixed | Encoding::Double);
    split(text, if is_stateful { text.len() } else { PIECE })
}

fn split(mut text: &str, size: usize) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = (size.min(text.len())..=text.len()).find(|&end| text.is_char_boundary(end))?;
        let (piece, rest) = text.split_at(end);
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The text in a code page, as [`CodePage::encode`] has it, piece by piece.
pub fn encode(text: &str, page: &CodePage, mut put: impl FnMut(&[u8])) {
    pieces_for(text, page).for_each(|piece| put(&page.encode(piece)));
}

/// Bytes of a code page as text, as [`CodePage::decode`] has it.
pub(super) fn decoded(bytes: &[u8], page: &CodePage, session: &Session) -> Result<String> {
    decoded_into(String::new(), bytes, page, session)
}

/// The same for a document, whose memory is counted.
pub fn decoded_counted(bytes: &[u8], page: &CodePage, session: &Session, caller: &mut dyn Caller) -> Result<String> {
    if bytes.len() <= PIECE {
        return decoded(bytes, page, session);
    }
    let (mut length, mut rest) = (0, bytes);
    while !rest.is_empty() {
        session.check_stop()?;
        let (piece, others) = rest.split_at(end_of_piece(rest, page));
        if piece.len() > 2 * PIECE {
            // Text with a shift state is one piece.
            caller.reserve(2 * piece.len())?;
        }
        length += page.decode(piece).len();
        rest = others;
    }
    caller.reserve(length)?;
    decoded_into(String::with_capacity(length), bytes, page, session)
}

fn decoded_into(mut text: String, bytes: &[u8], page: &CodePage, session: &Session) -> Result<String> {
    let mut rest = bytes;
    while !rest.is_empty() {
        session.check_stop()?;
        let (piece, others) = rest.split_at(end_of_piece(rest, page));
        text.push_str(&page.decode(piece));
        rest = others;
    }
    Ok(text)
}

/// Where a piece may end: before a byte that begins a character whatever is before it.
fn end_of_piece(bytes: &[u8], page: &CodePage) -> usize {
    let begins = |at: usize| match page.encoding {
        Encoding::Ebcdic | Encoding::Ascii => true,
        Encoding::Utf8 => bytes[at] & 0xC0 != 0x80,
        Encoding::Utf16 => at.is_multiple_of(2) && bytes[at] & 0xFC != 0xDC,
        Encoding::Mixed | Encoding::Double => false,
    };
    (PIECE..bytes.len()).find(|&at| begins(at)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_page::{CCSID_037, CCSID_939, CCSID_1200, CCSID_1208};

    /// What was reserved.
    struct Counted(usize);

    impl Caller for Counted {
        fn reserve(&mut self, bytes: usize) -> Result<()> {
            self.0 += bytes;
            Ok(())
        }
    }

    #[test]
    fn pieces_are_decoded_and_encoded_as_the_whole() {
        let session = Session::ebcdic();
        for page in [&CCSID_037, &CCSID_939, &CCSID_1200, &CCSID_1208] {
            // Each of the characters lies across the end of a piece.
            for shift in 0..8 {
                let text = format!("{}{}", "x".repeat(PIECE / 2 - shift), "aé日😀".repeat(PIECE / 4));
                let bytes = page.encode(&text);
                assert_eq!(decoded(&bytes, page, &session), Ok(page.decode(&bytes)), "{}", page.ccsid);
                let joined: Vec<u8> = pieces_for(&text, page).flat_map(|piece| page.encode(piece)).collect();
                assert!(joined == bytes, "{}", page.ccsid);
                // Malformed at the end of a piece.
                let mut damaged = bytes.clone();
                damaged[PIECE - 1] = 0xD8;
                assert_eq!(decoded(&damaged, page, &session), Ok(page.decode(&damaged)), "{}", page.ccsid);
                let mut counted = Counted(0);
                assert_eq!(decoded_counted(&bytes, page, &session, &mut counted), Ok(page.decode(&bytes)), "{}", page.ccsid);
                assert!(counted.0 >= page.decode(&bytes).len(), "{}", page.ccsid);
            }
            assert_eq!(decoded(b"", page, &session), Ok(String::new()));
        }
        assert_eq!(pieces("").count(), 0);
        assert_eq!(decoded(&[0x80; 2 * PIECE], &CCSID_1208, &session).unwrap().chars().count(), 2 * PIECE);
    }
}
