//! STRING (Language Reference, "STRING statement").

use crate::attributes::Attributes;
use crate::session::Session;

/// One sending operand with its delimiter. Signed and non-DISPLAY numeric operands are moved to characters before.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StringSource {
    pub address: *const u8,
    /// Null: DELIMITED BY SIZE.
    pub delimiter: *const u8,
    pub length: u32,
    pub delimiter_length: u32,
}

/// Transfers the sending operands to the target, from the 1-based position `pointer` (start it at 1 without a POINTER
/// phrase), which is advanced past the last character. Returns whether there was an overflow. The rest of the target is
/// unchanged. For a national target operands are UTF-16 and the pointer counts characters.
///
/// # Safety
/// All areas must be valid for their lengths.
pub unsafe fn string(
    sources: &[StringSource],
    target: *mut u8,
    target_attributes: &Attributes,
    pointer: &mut i64,
    session: &Session,
) -> bool {
    let _ = session;
    let width = if target_attributes.is_national() { 2 } else { 1 };
    let capacity = target_attributes.length as usize / width;
    if *pointer < 1 || *pointer > capacity as i64 {
        return !sources.is_empty();
    }
    let mut at = (*pointer as usize - 1) * width;
    let end = capacity * width;
    let mut overflow = false;
    for source in sources {
        let bytes = std::slice::from_raw_parts(source.address, source.length as usize);
        let length = if source.delimiter.is_null() {
            bytes.len()
        } else {
            let delimiter = std::slice::from_raw_parts(source.delimiter, source.delimiter_length as usize);
            find(bytes, delimiter, width).unwrap_or(bytes.len())
        };
        let count = length.min(end - at);
        std::ptr::copy(source.address, target.add(at), count);
        at += count;
        if count < length {
            overflow = true;
            break;
        }
    }
    *pointer = (at / width) as i64 + 1;
    overflow
}

/// First occurrence of `pattern`, at a character boundary; `None` also for an empty pattern.
#[inline]
pub(crate) fn find(bytes: &[u8], pattern: &[u8], width: usize) -> Option<usize> {
    match pattern {
        [] => None,
        &[byte] => bytes.iter().position(|&other| other == byte),
        _ => {
            let last = bytes.len().checked_sub(pattern.len())?;
            (0..=last).step_by(width).find(|&at| bytes[at] == pattern[0] && &bytes[at..at + pattern.len()] == pattern)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(sources: &[(&str, Option<&str>)], target: &str, pointer: i64) -> (String, i64, bool) {
        let session = Session::ascii();
        let sources: Vec<StringSource> = sources
            .iter()
            .map(|(text, delimiter)| StringSource {
                address: text.as_ptr(),
                delimiter: delimiter.map_or(std::ptr::null(), str::as_ptr),
                length: text.len() as u32,
                delimiter_length: delimiter.map_or(0, |delimiter| delimiter.len() as u32),
            })
            .collect();
        let mut area = target.as_bytes().to_vec();
        let mut pointer = pointer;
        let attributes = Attributes::alphanumeric(area.len() as u32);
        let overflow = unsafe { string(&sources, area.as_mut_ptr(), &attributes, &mut pointer, &session) };
        (String::from_utf8(area).unwrap(), pointer, overflow)
    }

    #[test]
    fn delimiters_pointer_and_overflow() {
        let sources = [("GONZALEZ   ", Some(" ")), (", ", None), ("MARIA*X", Some("*"))];
        assert_eq!(run(&sources, "....................", 1), ("GONZALEZ, MARIA.....".into(), 16, false));
        assert_eq!(run(&sources, "..........", 1), ("GONZALEZ, ".into(), 11, true));
        assert_eq!(run(&sources, "....................", 4), ("...GONZALEZ, MARIA..".into(), 19, false));
        assert_eq!(run(&[("AB", None)], "....", 5), ("....".into(), 5, true));
        assert_eq!(run(&[("AB", None)], "....", 0), ("....".into(), 0, true));
        assert_eq!(run(&[("AB", None)], "....", 3), ("..AB".into(), 5, false));
        assert_eq!(run(&[("A  B  ", Some("  "))], "....", 1), ("A...".into(), 2, false));
    }
}
