//! MOVE between all categories.
use crate::{Attributes, Decimal, Result, Session};

/// Figurative constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Figurative { Zero = 0, Space = 1, HighValue = 2, LowValue = 3, Quote = 4, Null = 5 }

/// MOVE source TO target, any categories that IBM allows. Overlap: bytes move left to right.
///
/// # Safety
/// `source` readable and `target` writable for the lengths of their attributes.
pub unsafe fn move_field(source: *const u8, source_attributes: &Attributes, target: *mut u8, target_attributes: &Attributes, session: &Session) -> Result<()> { todo!() }
/// # Safety
/// `target` writable for its length.
pub unsafe fn move_figurative(figurative: Figurative, target: *mut u8, target_attributes: &Attributes, session: &Session) { todo!() }
/// MOVE ALL literal. `literal` is in the target's encoding (UTF-16 for national targets).
/// # Safety
/// `target` writable for its length.
pub unsafe fn move_all(literal: &[u8], target: *mut u8, target_attributes: &Attributes, session: &Session) -> Result<()> { todo!() }
/// MOVE of a numeric value (literal, function result): truncating.
/// # Safety
/// `target` writable for its length.
pub unsafe fn move_decimal(value: &Decimal, value_attributes: &Attributes, target: *mut u8, target_attributes: &Attributes, session: &Session) -> Result<()> { todo!() }
