//! USAGE NATIONAL numeric: the digits and a separate sign as UTF-16 characters.
//!
//! `unsafe` here reads and writes national items: see the parent module.

use super::zoned;
use crate::attributes::Sign;
use crate::code_page::CCSID_819;
use crate::exception::{Exception, Result};

const CHARACTERS_MAX: usize = 40;

/// # Safety
/// `area` must be readable for `length` bytes.
pub unsafe fn load(area: *const u8, length: usize, sign: Sign) -> Result<i128> {
    let mut narrow = [0u8; CHARACTERS_MAX];
    let count = (length / 2).min(CHARACTERS_MAX);
    for (index, byte) in narrow[..count].iter_mut().enumerate() {
        if *area.add(2 * index) != 0 {
            return Err(Exception::Data);
        }
        *byte = *area.add(2 * index + 1);
    }
    if count == 0 {
        return Err(Exception::Data);
    }
    zoned::load(narrow.as_ptr(), count, sign, &CCSID_819, false)
}

/// # Safety
/// `area` must be writable for `length` bytes.
pub unsafe fn store(area: *mut u8, length: usize, magnitude: u128, minus: bool, sign: Sign) {
    let mut narrow = [0u8; CHARACTERS_MAX];
    let count = (length / 2).min(CHARACTERS_MAX);
    if count == 0 {
        return;
    }
    zoned::store(narrow.as_mut_ptr(), count, magnitude, minus && sign != Sign::Unsigned, sign, &CCSID_819);
    for (index, &byte) in narrow[..count].iter().enumerate() {
        *area.add(2 * index) = 0;
        *area.add(2 * index + 1) = byte;
    }
}
