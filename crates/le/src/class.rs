//! Class and sign conditions.
use crate::{Attributes, Result, Session};
/// Class conditions of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Class { Numeric = 0, Alphabetic = 1, AlphabeticLower = 2, AlphabeticUpper = 3, Dbcs = 4, Kanji = 5 }
/// # Safety
/// Area readable for its length.
pub unsafe fn is_class(class: Class, area: *const u8, attributes: &Attributes, session: &Session) -> bool { todo!() }
/// A class-name of SPECIAL-NAMES: one bit for each of the 256 bytes, bit 0 of byte 0 first.
/// # Safety
/// Area readable for its length.
pub unsafe fn is_user_class(members: &[u8; 32], area: *const u8, attributes: &Attributes) -> bool { todo!() }
/// -1, 0 or 1.
/// # Safety
/// Area readable for its length.
pub unsafe fn sign_of(area: *const u8, attributes: &Attributes, session: &Session) -> Result<i32> { todo!() }
