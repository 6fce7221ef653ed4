//! Moves of characters, and between characters and unsigned integers.
//!
//! `unsafe` here reads and writes the items of a MOVE: see the parent module.

use super::figurative::fill_pattern;
use crate::attributes::{Attributes, Usage};
use crate::code_page::{CCSID_1200, CCSID_1208, CodePage, convert_prefix, converted, converted_length, utf8_prefix};
use crate::conversion::convert_until_stopped;
use crate::decimal::Decimal;
use crate::edit;
use crate::exception::{Exception, Result};
use crate::numeric::zoned;
use crate::session::Session;

/// The padding of a target: one byte, or two for UTF-16 and DBCS.
#[derive(Clone, Copy)]
pub(crate) struct Pad {
    unit: [u8; 2],
    wide: bool,
}

impl Pad {
    pub fn of(attributes: &Attributes, session: &Session) -> Pad {
        let space = session.code_page.space;
        match attributes.usage {
            Usage::National | Usage::NationalEdited | Usage::NationalZoned | Usage::NationalNumericEdited => {
                Pad { unit: [0x00, 0x20], wide: true }
            }
            Usage::Group if attributes.has(Attributes::NATIONAL_GROUP) => Pad { unit: [0x00, 0x20], wide: true },
            Usage::Dbcs => Pad { unit: [space, space], wide: true },
            Usage::Utf8 => Pad { unit: [0x20, 0x20], wide: false },
            _ => Pad { unit: [space, space], wide: false },
        }
    }

    #[inline(always)]
    unsafe fn fill(self, target: *mut u8, length: usize) {
        if !self.wide {
            fill_small(target, length, self.unit[0]);
            return;
        }
        for index in 0..length / 2 {
            target.cast::<[u8; 2]>().add(index).write(self.unit);
        }
        if length % 2 == 1 {
            *target.add(length - 1) = self.unit[0];
        }
    }
}

/// Fills up to 32 bytes without a call.
#[inline(always)]
unsafe fn fill_small(target: *mut u8, length: usize, byte: u8) {
    match length {
        0 => {}
        1..=3 => {
            *target = byte;
            *target.add(length / 2) = byte;
            *target.add(length - 1) = byte;
        }
        4..=7 => fill_ends::<4>(target, length, byte),
        8..=15 => fill_ends::<8>(target, length, byte),
        16..=32 => fill_ends::<16>(target, length, byte),
        _ => target.write_bytes(byte, length),
    }
}

#[inline(always)]
unsafe fn fill_ends<const N: usize>(target: *mut u8, length: usize, byte: u8) {
    target.cast::<[u8; N]>().write([byte; N]);
    target.add(length - N).cast::<[u8; N]>().write([byte; N]);
}

/// Bytes copied one after the other at most.
const REPEATED_AT_ONCE: usize = 256;

/// Copies bytes one after the other from the left: an overlapping target to the right repeats the source.
///
/// # Safety
/// `source` must be readable and `target` writable for the length.
#[inline(always)]
pub unsafe fn copy_left_to_right(source: *const u8, target: *mut u8, length: usize) {
    let distance = (target as usize).wrapping_sub(source as usize);
    if distance != 0 && distance < length && length > REPEATED_AT_ONCE {
        // The bytes before the target, over and over.
        fill_pattern(std::slice::from_raw_parts(source, distance), target, length);
    } else if distance != 0 && distance < length {
        for index in 0..length {
            std::ptr::write_volatile(target.add(index), *source.add(index));
        }
    } else if length <= 32 {
        copy_small(source, target, length);
    } else {
        std::ptr::copy(source, target, length);
    }
}

/// Copies up to 32 bytes without a call; everything is read before anything is written.
#[inline(always)]
unsafe fn copy_small(source: *const u8, target: *mut u8, length: usize) {
    unsafe fn ends<T: Copy>(source: *const u8, target: *mut u8, length: usize) {
        let last = length - size_of::<T>();
        let first_part = source.cast::<T>().read_unaligned();
        let last_part = source.add(last).cast::<T>().read_unaligned();
        target.cast::<T>().write_unaligned(first_part);
        target.add(last).cast::<T>().write_unaligned(last_part);
    }
    match length {
        0 => {}
        1 => *target = *source,
        2..=3 => ends::<u16>(source, target, length),
        4..=7 => ends::<u32>(source, target, length),
        8..=15 => ends::<u64>(source, target, length),
        _ => ends::<u128>(source, target, length),
    }
}

/// Places bytes in a target: left-justified, or right-justified; cut or padded.
#[inline]
pub unsafe fn place(source: *const u8, length: usize, target: *mut u8, target_length: usize, right: bool, pad: Pad) {
    if length == target_length {
        copy_left_to_right(source, target, length);
    } else if right && length < target_length {
        copy_left_to_right(source, target.add(target_length - length), length);
        pad.fill(target, target_length - length);
    } else if right {
        copy_left_to_right(source.add(length - target_length), target, target_length);
    } else {
        let count = length.min(target_length);
        copy_left_to_right(source, target, count);
        if target_length > count {
            pad.fill(target.add(count), target_length - count);
        }
    }
}

/// The code page in which an item holds its characters.
#[inline(always)]
pub(crate) fn page_of(attributes: &Attributes, session: &Session) -> &'static CodePage {
    if attributes.is_national() {
        &CCSID_1200
    } else if attributes.usage == Usage::Utf8 {
        &CCSID_1208
    } else {
        session.code_page
    }
}

/// The code page of an item for conversion: DBCS items hold the double-byte part of a mixed page.
pub(crate) fn conversion_page(attributes: &Attributes, session: &Session) -> &'static CodePage {
    match session.code_page.graphic {
        Some(graphic) if attributes.usage == Usage::Dbcs => graphic,
        _ => page_of(attributes, session),
    }
}

/// Characters to characters.
#[inline]
pub unsafe fn move_characters(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) -> Result<()> {
    let length = source_attributes.contents_length(source);
    let target_length = target_attributes.length as usize;
    let (from, to) = (page_of(source_attributes, session), page_of(target_attributes, session));
    let edited = matches!(target_attributes.usage, Usage::AlphanumericEdited | Usage::NationalEdited);
    let same = std::ptr::eq(from, to);
    if same && target_attributes.usage == Usage::Utf8 {
        // Cut between characters.
        let bytes = std::slice::from_raw_parts(source, length);
        let length = utf8_prefix(bytes, target_attributes.characters_max(), target_length);
        place(source, length, target, target_length, false, Pad::of(target_attributes, session));
        return Ok(());
    }
    if same && !edited {
        let right = target_attributes.has(Attributes::JUSTIFIED);
        place(source, length, target, target_length, right, Pad::of(target_attributes, session));
        return Ok(());
    }
    if same {
        edit::edit_characters(|index| *source.add(index), length, target, target_attributes, session);
        return Ok(());
    }
    let source = std::slice::from_raw_parts(source, length);
    let (from, to) = (conversion_page(source_attributes, session), conversion_page(target_attributes, session));
    if !is_uniform(from) || !is_uniform(to) {
        // The width of a character depends on those before it: convert first, then move within one page.
        let bytes = converted(source, from, to);
        let attributes = if to.is_byte_oriented() { Attributes::alphanumeric(0) } else { target_of(target_attributes) };
        move_characters(bytes.as_ptr(), &attributes.with_length(bytes.len() as u32), target, target_attributes, session)
    } else if edited {
        move_converted_edited(source, from, target, target_attributes, to, session);
        Ok(())
    } else {
        move_converted(source, from, target, target_attributes, to, session)
    }
}

/// MOVE to a dynamic-length item of UTF-8 that holds at most `most` bytes: its length then.
///
/// # Safety
/// The areas must be valid for their lengths.
pub unsafe fn move_to_dynamic_utf8(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    most: usize,
    session: &Session,
) -> Result<usize> {
    let source = std::slice::from_raw_parts(source, source_attributes.contents_length(source));
    let out = std::slice::from_raw_parts_mut(target, most);
    let from = page_of(source_attributes, session);
    if std::ptr::eq(from, &CCSID_1208) {
        let length = utf8_prefix(source, u32::MAX, most);
        std::ptr::copy(source.as_ptr(), target, length);
        return Ok(length);
    }
    let (_, written) = convert_until_stopped(source, from, out, &CCSID_1208, session)?;
    Ok(utf8_prefix(&out[..written], u32::MAX, most))
}

/// Whether a character's width can be determined from its first byte.
fn is_uniform(page: &CodePage) -> bool {
    page.graphic.is_none() && page.double_byte.is_none()
}

/// Description of plain text in the encoding of a target that is not byte-oriented.
fn target_of(attributes: &Attributes) -> Attributes {
    match attributes.usage {
        Usage::Utf8 | Usage::Dbcs => Attributes::new(attributes.usage, 0),
        _ => Attributes::national(0),
    }
}

/// Conversion into the target itself; right-justified targets are shifted afterwards.
unsafe fn move_converted(
    source: &[u8],
    from: &CodePage,
    target: *mut u8,
    target_attributes: &Attributes,
    to: &CodePage,
    session: &Session,
) -> Result<()> {
    let target_length = target_attributes.length as usize;
    let right = target_attributes.has(Attributes::JUSTIFIED);
    let mut source = source;
    if right {
        // Drops characters at the left until the rest fits; each step drops one source unit.
        let mut probe = [0u8; 4];
        let mut total = converted_length(source, from, to);
        while total > target_length && !source.is_empty() {
            session.check_stop()?;
            let (_, written) = convert_prefix(&source[..unit_width(source, from)], from, &mut probe, to);
            total -= written;
            source = &source[unit_width(source, from)..];
        }
    }
    let out = std::slice::from_raw_parts_mut(target, target_length);
    let (_, mut written) = convert_until_stopped(source, from, out, to, session)?;
    let pad = Pad::of(target_attributes, session);
    if target_attributes.usage == Usage::Utf8 {
        written = utf8_prefix(&out[..written], target_attributes.characters_max(), target_length);
    }
    if right && written < target_length {
        std::ptr::copy(target, target.add(target_length - written), written);
        pad.fill(target, target_length - written);
    } else {
        pad.fill(target.add(written), target_length - written);
    }
    Ok(())
}

fn unit_width(source: &[u8], page: &CodePage) -> usize {
    use crate::code_page::Encoding;
    let width = match page.encoding {
        Encoding::Utf16 => 2,
        Encoding::Utf8 => match source[0] {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        },
        _ => 1,
    };
    width.min(source.len())
}

/// Conversion of at most the characters an edited item takes, then editing.
unsafe fn move_converted_edited(
    source: &[u8],
    from: &CodePage,
    target: *mut u8,
    target_attributes: &Attributes,
    to: &CodePage,
    session: &Session,
) {
    // Every character of these targets has the same width in a single-byte or UTF-16 page, so one at a time will do.
    let count = converted_length(source, from, to);
    let wide = if target_attributes.usage == Usage::NationalEdited { 2 } else { 1 };
    let byte_at = |index: usize| {
        let (unit, mut probe) = (index / wide, [0u8; 4]);
        let mut rest = source;
        for _ in 0..unit {
            rest = &rest[unit_width(rest, from).min(rest.len())..];
        }
        let (_, written) = convert_prefix(rest, from, &mut probe, to);
        if index % wide < written { probe[index % wide] } else { 0 }
    };
    edit::edit_characters(byte_at, count, target, target_attributes, session);
}

/// An alphanumeric or national operand as an unsigned integer: the low four bits of each character, at most the last
/// 31. A character whose low four bits are no digit is a data exception.
///
/// # Safety
/// `area` must be readable for its length.
pub unsafe fn digits_of(area: *const u8, attributes: &Attributes) -> Result<Decimal> {
    let wide = attributes.is_national();
    let width = if wide { 2 } else { 1 };
    let count = attributes.length as usize / width;
    let first = count.saturating_sub(31);
    let mut value = 0i128;
    for index in first..count {
        let byte = *area.add(index * width + width - 1);
        let digit = byte & 15;
        if digit > 9 {
            return Err(Exception::Data);
        }
        value = value * 10 + i128::from(digit);
    }
    Ok(Decimal::new(value, 0))
}

/// Stores the decimal digits of a magnitude as characters: `digits` of them, leading zeros included.
///
/// # Safety
/// `target` must be writable for its length.
pub(crate) unsafe fn store_characters(magnitude: u128, digits: u32, target: *mut u8, target_attributes: &Attributes, session: &Session) {
    let mut text = [0u8; 64];
    let digits = digits.clamp(1, 64) as usize;
    zoned::store_digits(text.as_mut_ptr(), digits, magnitude, session.code_page.zone);
    let source = Attributes::alphanumeric(digits as u32);
    let moved = move_characters(text.as_ptr(), &source, target, target_attributes, session);
    debug_assert!(moved.is_ok(), "the characters are few");
}
