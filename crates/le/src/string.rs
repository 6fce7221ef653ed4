//! STRING (Language Reference, "STRING statement").
//!
//! `unsafe` here reads the sending items and writes the receiving item: see `lib.rs`.

use crate::attributes::{Attributes, Usage};
use crate::code_page::utf8_prefix;
use crate::search::two_way;
use crate::session::Session;
use crate::utf8::{characters, splice};

/// Before an operand of more bytes it is tested whether the program is to be stopped.
const LONG: usize = 1 << 16;

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
/// unchanged. For a national target operands are UTF-16, for one of UTF-8 they are UTF-8, and the pointer counts characters.
///
/// A program that is to be stopped meanwhile is left with part of the result: the caller looks at [`Session::is_stopped`] afterwards.
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
    if target_attributes.usage == Usage::Utf8 {
        return string_utf8(sources, target, target_attributes, pointer, session);
    }
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
        if bytes.len() > LONG && session.is_stopped() {
            break;
        }
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

/// STRING into an item of UTF-8: the pointer counts characters.
#[inline(never)]
unsafe fn string_utf8(sources: &[StringSource], target: *mut u8, attributes: &Attributes, pointer: &mut i64, session: &Session) -> bool {
    let area = std::slice::from_raw_parts_mut(target, attributes.length as usize);
    // An item whose bytes are counted has as many positions as it has characters now.
    let positions = if attributes.edit == 0 { characters(area) } else { attributes.edit };
    let Some(mut before) = u32::try_from(*pointer - 1).ok().filter(|before| *before < positions) else {
        return !sources.is_empty();
    };
    let mut at = utf8_prefix(area, before, area.len());
    let mut overflow = false;
    for source in sources {
        let mut bytes = std::slice::from_raw_parts(source.address, source.length as usize);
        if bytes.len() > LONG && session.is_stopped() {
            break;
        }
        if !source.delimiter.is_null() {
            let delimiter = std::slice::from_raw_parts(source.delimiter, source.delimiter_length as usize);
            bytes = &bytes[..find(bytes, delimiter, 1).unwrap_or(bytes.len())];
        }
        let room = attributes.characters_max() - before;
        let taken = &bytes[..utf8_prefix(bytes, room, area.len() - at)];
        let count = characters(taken);
        let old = utf8_prefix(&area[at..], count, area.len());
        at += splice(area, at, old, taken);
        before += count;
        if taken.len() < bytes.len() {
            overflow = true;
            break;
        }
    }
    *pointer = i64::from(before) + 1;
    overflow
}

/// Bytes of a pattern that are compared first. When they are equal, the comparison of the rest counts as work.
const HEAD: usize = 16;

/// First occurrence of `pattern`, at a character boundary; `None` also for an empty pattern. The time is linear in the lengths.
#[inline]
pub(crate) fn find(bytes: &[u8], pattern: &[u8], width: usize) -> Option<usize> {
    match pattern {
        [] => None,
        &[byte] => find_byte(bytes, byte),
        _ if pattern.len() > HEAD => find_long(bytes, pattern, width),
        &[first, ..] if width == 1 => {
            let last = bytes.len().checked_sub(pattern.len())?;
            let mut from = 0;
            while from <= last {
                from += find_byte(&bytes[from..=last], first)?;
                if bytes[from..from + pattern.len()] == *pattern {
                    return Some(from);
                }
                from += 1;
            }
            None
        }
        _ => {
            let last = bytes.len().checked_sub(pattern.len())?;
            (0..=last).step_by(width).find(|&at| bytes[at] == pattern[0] && &bytes[at..at + pattern.len()] == pattern)
        }
    }
}

/// When comparisons of almost equal bytes have taken longer than a pass over the bytes, the rest is searched by [`two_way`].
#[inline(never)]
fn find_long(bytes: &[u8], pattern: &[u8], width: usize) -> Option<usize> {
    let last = bytes.len().checked_sub(pattern.len())?;
    let (first, head) = (pattern[0], &pattern[..HEAD]);
    let (mut from, mut work) = (0, 0);
    while from <= last {
        if width == 1 {
            from += find_byte(&bytes[from..=last], first)?;
        }
        if bytes[from] == first && bytes[from..from + HEAD] == *head {
            if bytes[from..from + pattern.len()] == *pattern {
                return Some(from);
            }
            work += pattern.len();
            if work > bytes.len() {
                return two_way(&bytes[from..], pattern, width).map(|at| from + at);
            }
        }
        from += width;
    }
    None
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// High bit of each byte that is zero; exact up to the first such byte.
#[inline(always)]
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// First occurrence of a byte, eight bytes at a time.
#[inline]
pub(crate) fn find_byte(bytes: &[u8], byte: u8) -> Option<usize> {
    find_any(bytes, &[byte])
}

/// First occurrence of any of a few bytes.
#[inline(always)]
pub(crate) fn find_any<const N: usize>(bytes: &[u8], wanted: &[u8; N]) -> Option<usize> {
    let patterns = wanted.map(|byte| ONES * u64::from(byte));
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let mut found = 0;
        for pattern in patterns {
            let zeros = zero_bytes(word ^ pattern);
            // Only the lowest bit set is sure, so take each pattern's first.
            found |= zeros & zeros.wrapping_neg();
        }
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| wanted.contains(byte))?;
    Some(words.len() * 8 + at)
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
    fn bytes_are_found_where_a_plain_search_finds_them() {
        let mut random = testing::Random::new(3);
        for length in 0..70usize {
            for _ in 0..50 {
                let seed = random.number();
                let bytes: Vec<u8> = (0..length).map(|index| (seed >> (index % 57)) as u8 & 0x81).collect();
                for byte in [0x00, 0x01, 0x80, 0x81, 0x40] {
                    assert_eq!(find_byte(&bytes, byte), bytes.iter().position(|&other| other == byte));
                    let either = bytes.iter().position(|&other| other == byte || other == 0x81);
                    assert_eq!(find_any(&bytes, &[byte, 0x81]), either);
                }
            }
        }
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
