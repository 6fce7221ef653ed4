//! Figurative constants and ALL literals.
//!
//! `unsafe` here reads and writes the items of a MOVE: see the parent module.

use super::filled::SPACE;
use super::{Class, Filled, class};
use crate::attributes::{Attributes, Usage};
use crate::decimal::{Decimal, Rounding};
use crate::edit;
use crate::exception::{Exception, Result};
use crate::numeric as number;
use crate::session::Session;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Figurative {
    Zero = 0,
    Space = 1,
    HighValue = 2,
    LowValue = 3,
    Quote = 4,
    /// NULL: binary zeros.
    Null = 5,
}

impl Figurative {
    /// That of a number as compiled code passes it.
    pub fn from_number(number: u32) -> Figurative {
        debug_assert!(number <= Figurative::Null as u32, "there is no figurative constant {number}");
        match number {
            0 => Figurative::Zero,
            1 => Figurative::Space,
            2 => Figurative::HighValue,
            3 => Figurative::LowValue,
            4 => Figurative::Quote,
            _ => Figurative::Null,
        }
    }

    /// Its byte in the session's code page. HIGH-VALUE and LOW-VALUE are the last and first characters of the collating sequence in use.
    pub fn byte(self, session: &Session) -> u8 {
        let page = session.code_page;
        match self {
            Figurative::Zero => page.zero,
            Figurative::Space => page.space,
            Figurative::Quote => session.quote,
            Figurative::Null => 0,
            Figurative::HighValue => extreme(session, true),
            Figurative::LowValue => extreme(session, false),
        }
    }

    /// Its UTF-16 unit in a national context.
    pub fn unit(self, session: &Session) -> u16 {
        match self {
            Figurative::HighValue => 0xFFFF,
            Figurative::LowValue | Figurative::Null => 0,
            _ => session.code_page.to_unicode[self.byte(session) as usize],
        }
    }

    /// The bytes of one character of it in an operand of this usage, which is not UTF-8, and their number.
    pub fn character(self, usage: Usage, session: &Session) -> ([u8; 2], usize) {
        let national = matches!(usage, Usage::National | Usage::NationalEdited | Usage::NationalZoned | Usage::NationalNumericEdited);
        match national {
            true => (self.unit(session).to_be_bytes(), 2),
            false => ([self.byte(session), 0], 1),
        }
    }
}

fn extreme(session: &Session, high: bool) -> u8 {
    let native = if high { 0xFF } else { 0x00 };
    if session.collating.is_null() {
        return native;
    }
    // SAFETY: a non-null collating sequence has 256 ordinals, by the contract of `Session`.
    let ordinals = unsafe { &*session.collating };
    let bytes = 0..=255u8;
    let best = if high { bytes.max_by_key(|&byte| ordinals[byte as usize]) } else { bytes.min_by_key(|&byte| ordinals[byte as usize]) };
    best.unwrap_or(native)
}

/// MOVE figurative TO target.
///
/// # Safety
/// `target` must be writable for its length.
pub unsafe fn move_figurative(figurative: Figurative, target: *mut u8, target_attributes: &Attributes, session: &Session) {
    let numeric = matches!(class(target_attributes.usage), Class::Number | Class::Edited);
    if numeric && figurative == Figurative::Zero {
        number::store(&Decimal::ZERO, target, target_attributes, Rounding::Truncation, false, session);
        return;
    }
    if target_attributes.usage == Usage::Utf8 {
        let length = target_attributes.length as usize;
        let filled = fill(Filled::with(figurative, length, target_attributes, session), target, session);
        debug_assert!(filled.is_ok(), "all characters but the last are equal");
        return;
    }
    let (character, width) = figurative.character(target_attributes.usage, session);
    if matches!(target_attributes.usage, Usage::AlphanumericEdited | Usage::NationalEdited) {
        let byte_at = |index: usize| character[index % width];
        edit::edit_characters(byte_at, usize::MAX, target, target_attributes, session);
        return;
    }
    let length = target_attributes.length as usize;
    if width == 1 {
        target.write_bytes(character[0], length);
        return;
    }
    for index in 0..length {
        *target.add(index) = character[index & 1];
    }
}

/// Characters after which it is tested whether the program is to be stopped.
const WINDOW: usize = 1 << 16;

unsafe fn fill(mut filled: Filled<'_>, target: *mut u8, session: &Session) -> Result<()> {
    let (character, count) = filled.take_equal();
    let mut at = character.len() * count;
    fill_pattern(character, target, at);
    let mut different = 0;
    let padding = loop {
        if let Some(padding) = filled.padding() {
            break padding;
        }
        let Some(byte) = filled.next() else { break 0 };
        *target.add(at) = byte;
        at += 1;
        different += 1;
        if different == WINDOW {
            session.check_stop()?;
            different = 0;
        }
    };
    target.add(at).write_bytes(SPACE, padding);
    Ok(())
}

/// MOVE ALL literal. `literal` is in the target's encoding (UTF-16 for national targets, the code page for numeric ones).
///
/// # Safety
/// `target` must be writable for its length.
pub unsafe fn move_all(literal: &[u8], target: *mut u8, target_attributes: &Attributes, session: &Session) -> Result<()> {
    if literal.is_empty() {
        return Ok(());
    }
    match class(target_attributes.usage) {
        Class::Number | Class::Edited => {
            // The literal repeated to the digits of the item, as an unsigned integer.
            let digits = usize::from(target_attributes.digits).min(38);
            let mut value = 0i128;
            for index in 0..digits {
                let digit = literal[index % literal.len()] & 15;
                if digit > 9 {
                    return Err(Exception::Data);
                }
                value = value * 10 + i128::from(digit);
            }
            let value = Decimal::new(value, 0);
            number::store(&value, target, target_attributes, Rounding::Truncation, false, session);
        }
        _ if matches!(target_attributes.usage, Usage::AlphanumericEdited | Usage::NationalEdited) => {
            let byte_at = |index: usize| literal[index % literal.len()];
            edit::edit_characters(byte_at, usize::MAX, target, target_attributes, session);
        }
        _ if target_attributes.usage == Usage::Utf8 => {
            return fill(Filled::with_all(literal, target_attributes.length as usize, target_attributes), target, session);
        }
        _ => fill_pattern(literal, target, target_attributes.length as usize),
    }
    Ok(())
}

/// Repeats a pattern over an area, doubling the filled part.
pub(super) unsafe fn fill_pattern(pattern: &[u8], target: *mut u8, length: usize) {
    let first = pattern.len().min(length);
    std::ptr::copy_nonoverlapping(pattern.as_ptr(), target, first);
    let mut done = first;
    while done < length {
        let count = done.min(length - done);
        std::ptr::copy_nonoverlapping(target, target.add(done), count);
        done += count;
    }
}
