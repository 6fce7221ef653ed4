//! UNSTRING (Language Reference, "UNSTRING statement").
//!
//! `unsafe` here reads the sending item and the delimiters and writes the receiving items: see `lib.rs`.

use crate::attributes::{Attributes, Sign, Usage};
use crate::code_page::utf8_prefix;
use crate::exception::Result;
use crate::movement::{Figurative, move_field, move_figurative};
use crate::numeric as number;
use crate::session::Session;
use crate::string::{find, find_any, find_byte};
use crate::utf8;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Delimiter {
    pub address: *const u8,
    pub length: u32,
    /// 1: ALL, successive occurrences count as one.
    pub all: u32,
}

/// One INTO operand; addresses of absent phrases are null.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct UnstringTarget {
    pub address: *mut u8,
    pub attributes: *const Attributes,
    /// DELIMITER IN.
    pub delimiter_address: *mut u8,
    pub delimiter_attributes: *const Attributes,
    /// COUNT IN.
    pub count_address: *mut u8,
    pub count_attributes: *const Attributes,
}

/// Separates the source into the targets. `pointer` is the 1-based position (1 without a POINTER phrase) and is left
/// after the last character examined; the number of targets acted upon is added to `tallying`. Returns whether there
/// was an overflow. Without delimiters each target takes as many characters as it has.
///
/// # Safety
/// All areas must be valid for their lengths.
pub unsafe fn unstring(
    source: *const u8,
    source_attributes: &Attributes,
    delimiters: &[Delimiter],
    targets: &[UnstringTarget],
    pointer: &mut i64,
    tallying: &mut i64,
    session: &Session,
) -> Result<bool> {
    let units = Units::of(source_attributes);
    let width = units.width();
    let bytes = std::slice::from_raw_parts(source, source_attributes.contents_length(source));
    if *pointer < 1 || *pointer > units.count(bytes) as i64 {
        return Ok(true);
    }
    let mut at = units.bytes(bytes, *pointer as usize - 1);
    for target in targets {
        if at >= bytes.len() {
            break;
        }
        let field = if delimiters.is_empty() {
            let length = units.taken(&bytes[at..], &*target.attributes);
            Field { length, delimiter: None, next: at + length }
        } else {
            next_field(bytes, at, delimiters, width, session)
        };
        deliver(&bytes[at..at + field.length], &field, target, units, session)?;
        at = field.next;
        *tallying += 1;
    }
    session.check_stop()?;
    *pointer = units.count(&bytes[..at]) as i64 + 1;
    Ok(at < bytes.len())
}

/// What a position of the source is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Units {
    Bytes,
    National,
    Utf8,
}

impl Units {
    fn of(attributes: &Attributes) -> Units {
        match attributes.usage {
            Usage::Utf8 => Units::Utf8,
            _ if attributes.is_national() => Units::National,
            _ => Units::Bytes,
        }
    }

    /// Bytes from one place where a delimiter may begin to the next: a delimiter of UTF-8 is found at the start of a character only.
    fn width(self) -> usize {
        if self == Units::National { 2 } else { 1 }
    }

    fn usage(self) -> Usage {
        match self {
            Units::Bytes => Usage::Alphanumeric,
            Units::National => Usage::National,
            Units::Utf8 => Usage::Utf8,
        }
    }

    fn count(self, bytes: &[u8]) -> usize {
        match self {
            Units::Utf8 => utf8::characters(bytes) as usize,
            _ => bytes.len() / self.width(),
        }
    }

    /// Bytes of the first so many.
    fn bytes(self, bytes: &[u8], count: usize) -> usize {
        match self {
            Units::Utf8 => utf8_prefix(bytes, count as u32, bytes.len()),
            _ => count * self.width(),
        }
    }

    /// Bytes that a target takes without DELIMITED BY.
    fn taken(self, bytes: &[u8], target: &Attributes) -> usize {
        match self {
            Units::Utf8 => utf8_prefix(bytes, target.characters_max(), (target.length as usize).min(bytes.len())),
            _ => (capacity(target) * self.width()).min(bytes.len()),
        }
    }
}

struct Field<'a> {
    length: usize,
    delimiter: Option<&'a Delimiter>,
    /// Where examination goes on.
    next: usize,
}

#[inline(always)]
unsafe fn matches(bytes: &[u8], at: usize, delimiter: &Delimiter) -> bool {
    let length = delimiter.length as usize;
    if length == 1 {
        return bytes[at] == *delimiter.address;
    }
    length > 0 && at + length <= bytes.len() && bytes[at..at + length] == *std::slice::from_raw_parts(delimiter.address, length)
}

/// The field at a position. The rest of the source when the program is to be stopped meanwhile.
unsafe fn next_field<'a>(bytes: &[u8], start: usize, delimiters: &'a [Delimiter], width: usize, session: &Session) -> Field<'a> {
    let single = |delimiter: &Delimiter| *delimiter.address;
    let found = match delimiters {
        [a] if a.length == 1 => find_byte(&bytes[start..], single(a)),
        [a, b] if a.length == 1 && b.length == 1 => find_any(&bytes[start..], &[single(a), single(b)]),
        _ if bytes.len() - start > SHORT && delimiters.iter().any(|delimiter| delimiter.length > LONG) => {
            return next_field_long(bytes, start, delimiters, width, session);
        }
        _ => return next_field_general(bytes, start, delimiters, width, session),
    };
    let Some(length) = found else {
        return rest_of(bytes, start);
    };
    let delimiter = if bytes[start + length] == single(&delimiters[0]) { &delimiters[0] } else { &delimiters[1] };
    Field { length, delimiter: Some(delimiter), next: after(bytes, start + length, delimiter) }
}

/// The last field of the source.
fn rest_of<'a>(bytes: &[u8], start: usize) -> Field<'a> {
    Field { length: bytes.len() - start, delimiter: None, next: bytes.len() }
}

/// Delimiters of more bytes than this are searched for one after the other, unless no more than `SHORT` bytes are left of the source; others
/// are compared at each position.
const LONG: u32 = 16;
const SHORT: usize = 1 << 12;
/// Least bytes of the source in which one delimiter is searched for before the next one, or after which it is tested whether to stop.
const WINDOW: usize = 1 << 16;

#[inline(never)]
unsafe fn next_field_general<'a>(bytes: &[u8], start: usize, delimiters: &'a [Delimiter], width: usize, session: &Session) -> Field<'a> {
    let mut at = start;
    while at < bytes.len() && !session.is_stopped() {
        let end = bytes.len().min(at + WINDOW);
        while at < end {
            for delimiter in delimiters {
                if matches(bytes, at, delimiter) {
                    return Field { length: at - start, delimiter: Some(delimiter), next: after(bytes, at, delimiter) };
                }
            }
            at += width;
        }
    }
    rest_of(bytes, start)
}

/// As [`next_field_general`], in time linear in the lengths: a window of the source is at least as long as each delimiter.
#[inline(never)]
unsafe fn next_field_long<'a>(bytes: &[u8], start: usize, delimiters: &'a [Delimiter], width: usize, session: &Session) -> Field<'a> {
    let longest = delimiters.iter().map(|delimiter| delimiter.length as usize).max().unwrap_or(0);
    let window_length = longest.max(WINDOW).next_multiple_of(width);
    let mut window = start;
    while window < bytes.len() {
        // Occurrences that begin in the window; of two at one position, the delimiter written first.
        let mut end = bytes.len().min(window + window_length);
        let mut found = None;
        for delimiter in delimiters.iter().filter(|delimiter| delimiter.length > 0) {
            if session.is_stopped() {
                return rest_of(bytes, start);
            }
            let length = delimiter.length as usize;
            let pattern = std::slice::from_raw_parts(delimiter.address, length);
            let searched = &bytes[window..bytes.len().min(end + length - 1)];
            if let Some(at) = find(searched, pattern, width).filter(|at| window + at < end) {
                end = window + at;
                found = Some(delimiter);
            }
        }
        if let Some(delimiter) = found {
            return Field { length: end - start, delimiter: Some(delimiter), next: after(bytes, end, delimiter) };
        }
        window = end;
    }
    rest_of(bytes, start)
}

/// Position after a delimiter found at `at`.
unsafe fn after(bytes: &[u8], at: usize, delimiter: &Delimiter) -> usize {
    let length = delimiter.length as usize;
    let mut next = at + length;
    while delimiter.all == 1 && next < bytes.len() && matches(bytes, next, delimiter) {
        next += length;
    }
    next
}

/// Characters a target takes without DELIMITED BY; a separate sign does not count.
fn capacity(attributes: &Attributes) -> usize {
    match attributes.usage {
        Usage::Zoned | Usage::NationalZoned => {
            let separate = matches!(attributes.sign, Sign::LeadingSeparate | Sign::TrailingSeparate);
            let width = if attributes.usage == Usage::Zoned { 1 } else { 2 };
            attributes.length as usize / width - usize::from(separate)
        }
        Usage::Packed | Usage::Binary | Usage::NativeBinary => usize::from(attributes.digits),
        _ if attributes.is_national() => attributes.length as usize / 2,
        _ => attributes.length as usize,
    }
}

unsafe fn deliver(bytes: &[u8], field: &Field<'_>, target: &UnstringTarget, units: Units, session: &Session) -> Result<()> {
    let usage = units.usage();
    let attributes = &*target.attributes;
    let source = Attributes::new(usage, bytes.len() as u32);
    if bytes.is_empty() {
        let fill = if attributes.is_numeric() { Figurative::Zero } else { Figurative::Space };
        move_figurative(fill, target.address, attributes, session);
    } else {
        move_field(bytes.as_ptr(), &source, target.address, attributes, session)?;
    }
    if !target.delimiter_address.is_null() {
        let attributes = &*target.delimiter_attributes;
        match field.delimiter {
            Some(delimiter) => {
                let source = Attributes::new(usage, delimiter.length);
                move_field(delimiter.address, &source, target.delimiter_address, attributes, session)?;
            }
            None => move_figurative(Figurative::Space, target.delimiter_address, attributes, session),
        }
    }
    if !target.count_address.is_null() {
        let count = units.count(bytes) as i64;
        number::store_integer(count, target.count_address, &*target.count_attributes, session);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Outcome {
        fields: Vec<(String, String, String)>,
        pointer: i64,
        tallying: i64,
        overflow: bool,
    }

    fn run(source: &str, delimiters: &[(&str, bool)], targets: usize, pointer: i64) -> Outcome {
        let session = Session::ascii();
        let delimiters: Vec<Delimiter> = delimiters
            .iter()
            .map(|(text, all)| Delimiter { address: text.as_ptr(), length: text.len() as u32, all: u32::from(*all) })
            .collect();
        let (field, mark, counter) = (Attributes::alphanumeric(5), Attributes::alphanumeric(2), Attributes::zoned(2, 0, Sign::Unsigned));
        let mut areas = vec![[b'.'; 9]; targets];
        let into: Vec<UnstringTarget> = areas
            .iter_mut()
            .map(|area| UnstringTarget {
                address: area.as_mut_ptr(),
                attributes: &field,
                delimiter_address: area[5..].as_mut_ptr(),
                delimiter_attributes: &mark,
                count_address: area[7..].as_mut_ptr(),
                count_attributes: &counter,
            })
            .collect();
        let (mut pointer, mut tallying) = (pointer, 0);
        let attributes = Attributes::alphanumeric(source.len() as u32);
        let overflow =
            unsafe { unstring(source.as_ptr(), &attributes, &delimiters, &into, &mut pointer, &mut tallying, &session) }.unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let fields = areas.iter().map(|area| (text(&area[..5]), text(&area[5..7]), text(&area[7..]))).collect();
        Outcome { fields, pointer, tallying, overflow }
    }

    fn field(text: &str, delimiter: &str, count: &str) -> (String, String, String) {
        (text.into(), delimiter.into(), count.into())
    }

    #[test]
    fn delimiters_counts_and_overflow() {
        let got = run("AB,CD**EFGHIJK,,Z", &[(",", false), ("*", true)], 5, 1);
        assert_eq!(
            got.fields,
            [
                field("AB   ", ", ", "02"),
                field("CD   ", "* ", "02"),
                field("EFGHI", ", ", "07"),
                field("     ", ", ", "00"),
                field("Z    ", "  ", "01"),
            ]
        );
        assert_eq!((got.pointer, got.tallying, got.overflow), (18, 5, false));
        let got = run("AB,CD,EF", &[(",", false)], 2, 1);
        assert_eq!((got.pointer, got.tallying, got.overflow), (7, 2, true));
        let got = run("AB,CD", &[(",", false)], 3, 4);
        assert_eq!(got.fields[0], field("CD   ", "  ", "02"));
        assert_eq!(got.fields[1].0, ".....");
        assert_eq!((got.pointer, got.tallying, got.overflow), (6, 1, false));
        assert!(run("AB", &[(",", false)], 1, 3).overflow);
    }

    #[test]
    fn without_delimiters_targets_take_their_size() {
        let got = run("ABCDEFGH", &[], 2, 1);
        assert_eq!((got.fields[0].0.as_str(), got.fields[1].0.as_str()), ("ABCDE", "FGH  "));
        assert_eq!((got.pointer, got.tallying, got.overflow), (9, 2, false));
    }
}
