//! The values that ASSIGN returns for an option.

use crate::name::{Name3, Name4, Name8};
use smallvec::SmallVec;

/// RESP2 of an option that has no meaning here.
pub type Unavailable = i32;

/// The value of an option of ASSIGN.
pub enum Assigned {
    Number(i64),
    Byte(u8),
    Name3(Name3),
    Name4(Name4),
    Name8(Name8),
    /// Text padded with blanks to the whole area.
    Text(String),
    Bytes(SmallVec<[u8; 64]>),
    Unavailable(Unavailable),
}

impl Assigned {
    pub fn flag(on: bool) -> Assigned {
        Assigned::Byte(if on { 0xFF } else { 0 })
    }
}
