//! Conversion of long texts between code pages: between two pieces it is tested whether the program is to be stopped.
//!
//! Invariant: the result is that of [`convert_prefix`]; short texts are converted by it, and never stopped.

use crate::code_page::{CodePage, Converter, End, convert_prefix};
use crate::exception::Result;
use crate::session::Session;

/// Bytes of a piece.
const PIECE: usize = 1 << 16;

/// Converts as many whole characters as fit; returns the bytes read and the bytes written.
pub(crate) fn convert_until_stopped(
    source: &[u8],
    from: &CodePage,
    out: &mut [u8],
    to: &CodePage,
    session: &Session,
) -> Result<(usize, usize)> {
    if source.len() <= PIECE {
        return Ok(convert_prefix(source, from, out, to));
    }
    let mut converter = Converter::new(from, to);
    let (mut read, mut written) = (0, 0);
    while read < source.len() {
        session.check_stop()?;
        let end = source.len().min(read + PIECE);
        let done = converter.convert(&source[read..end], &mut out[written..], end == source.len());
        (read, written) = (read + done.read, written + done.written);
        if done.end == End::Full {
            break;
        }
    }
    let closing = converter.finish(out, written);
    Ok((read, written + closing))
}
