//! Relation conditions.
use std::cmp::Ordering;
use crate::movement::Figurative;
use crate::{Attributes, Decimal, Result, Session};
/// Any two operands that may be compared.
/// # Safety
/// Both areas readable for the lengths of their attributes.
pub unsafe fn compare(left: *const u8, left_attributes: &Attributes, right: *const u8, right_attributes: &Attributes, session: &Session) -> Result<Ordering> { todo!() }
/// # Safety
/// Area readable for its length.
pub unsafe fn compare_figurative(left: *const u8, left_attributes: &Attributes, figurative: Figurative, session: &Session) -> Result<Ordering> { todo!() }
/// With ALL literal (in the left operand's encoding).
/// # Safety
/// Area readable for its length.
pub unsafe fn compare_all(left: *const u8, left_attributes: &Attributes, literal: &[u8], session: &Session) -> Result<Ordering> { todo!() }
/// With a numeric literal or an evaluated expression.
/// # Safety
/// Area readable for its length.
pub unsafe fn compare_decimal(left: *const u8, left_attributes: &Attributes, right: &Decimal, session: &Session) -> Result<Ordering> { todo!() }
/// Alphanumeric comparison with the shorter operand padded with `pad`, native sequence.
pub fn compare_bytes(left: &[u8], right: &[u8], pad: u8) -> Ordering { todo!() }
/// The same by a collating sequence of ordinals.
pub fn compare_collated(left: &[u8], right: &[u8], pad: u8, collating: &[u8; 256]) -> Ordering { todo!() }
