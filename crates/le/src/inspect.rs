//! INSPECT.
use crate::{Attributes, Session};
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum InspectKind { Characters = 0, All = 1, Leading = 2, First = 3 }
/// One comparison of TALLYING or REPLACING, in the order written. Operands are in the item's encoding; a figurative
/// constant is one character (for REPLACING, as many as the comparand: `replacement_length` 1 means repeat).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct InspectPhrase {
    pub kind: InspectKind,
    /// Index of the counter (TALLYING).
    pub counter: u32,
    pub comparand: *const u8,
    pub replacement: *const u8,
    /// BEFORE INITIAL, null when absent.
    pub before: *const u8,
    /// AFTER INITIAL, null when absent.
    pub after: *const u8,
    pub comparand_length: u32,
    pub replacement_length: u32,
    pub before_length: u32,
    pub after_length: u32,
    /// Working storage of the operation; any value.
    pub work: [u32; 4],
}
/// INSPECT ... TALLYING: adds to `counters`.
/// # Safety
/// All areas valid for their lengths.
pub unsafe fn inspect_tally(area: *const u8, attributes: &Attributes, phrases: &mut [InspectPhrase], counters: &mut [i64], session: &Session) { todo!() }
/// INSPECT ... REPLACING.
/// # Safety
/// All areas valid for their lengths.
pub unsafe fn inspect_replace(area: *mut u8, attributes: &Attributes, phrases: &mut [InspectPhrase], session: &Session) { todo!() }
/// INSPECT ... CONVERTING: comparand = from, replacement = to (length 1 with a longer from: figurative), before/after.
/// # Safety
/// All areas valid for their lengths.
pub unsafe fn inspect_convert(area: *mut u8, attributes: &Attributes, phrase: &InspectPhrase, session: &Session) { todo!() }
