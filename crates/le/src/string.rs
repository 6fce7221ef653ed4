//! STRING.
use crate::{Attributes, Session};
/// One sending operand with its delimiter.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StringSource {
    pub address: *const u8,
    /// Null: DELIMITED BY SIZE.
    pub delimiter: *const u8,
    pub length: u32,
    pub delimiter_length: u32,
}
/// STRING; `pointer` is the 1-based position (start it at 1 without a POINTER phrase) and is updated. Returns overflow.
/// For a national target sources and delimiters are UTF-16 and the pointer counts characters.
/// # Safety
/// All areas valid for their lengths.
pub unsafe fn string(sources: &[StringSource], target: *mut u8, target_attributes: &Attributes, pointer: &mut i64, session: &Session) -> bool { todo!() }
