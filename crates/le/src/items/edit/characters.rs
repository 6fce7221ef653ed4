//! Runs alphanumeric-edited and national-edited programs.
//!
//! `unsafe` here reads and writes edited items: see the parent module.

use super::program::{RUN_COPY, RUN_END};
use crate::attributes::{Attributes, Usage};
use crate::session::Session;

/// Edits characters (already in the item's encoding, without the insertion characters) into the item: `byte_at` returns the source byte at
/// an index below `count`; spaces follow.
///
/// # Safety
/// `target` must be writable for its length and `attributes.edit` name a program of the session's pool.
pub unsafe fn edit_characters(byte_at: impl Fn(usize) -> u8, count: usize, target: *mut u8, attributes: &Attributes, session: &Session) {
    let wide = attributes.usage == Usage::NationalEdited;
    let page = session.code_page;
    let width = if wide { 2 } else { 1 };
    let length = attributes.length as usize;
    let mut run = session.edit_programs.add(attributes.edit as usize + 4);
    let (mut from, mut to) = (0, 0);
    while *run != RUN_END {
        let size = (u16::from_le_bytes([*run.add(2), *run.add(3)]) as usize * width).min(length - to);
        if *run == RUN_COPY {
            let given = count.saturating_sub(from).min(size);
            for index in 0..given {
                *target.add(to + index) = byte_at(from + index);
            }
            fill(target.add(to + given), size - given, page.space, page.to_unicode[page.space as usize], wide);
            from += size;
        } else {
            let byte = *run.add(1);
            fill(target.add(to), size, byte, page.to_unicode[byte as usize], wide);
        }
        to += size;
        run = run.add(4);
    }
}

unsafe fn fill(target: *mut u8, count: usize, byte: u8, unit: u16, wide: bool) {
    if !wide {
        target.write_bytes(byte, count);
        return;
    }
    for index in 0..count {
        *target.add(index) = unit.to_be_bytes()[index % 2];
    }
}
