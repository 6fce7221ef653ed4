//! Reading and writing numeric items of every usage.
use crate::{Attributes, Decimal, Result, Rounding, Session};

/// Value of a fixed-point item of any usage (also Index, Pointer). Invalid digits or signs are a data exception.
///
/// # Safety
/// `area` must be readable for `attributes.length` bytes.
pub unsafe fn load(area: *const u8, attributes: &Attributes, session: &Session) -> Result<Decimal> { todo!() }

/// Value of any numeric item as an f64, for floating-point expressions.
///
/// # Safety
/// As [`load`].
pub unsafe fn load_float(area: *const u8, attributes: &Attributes, session: &Session) -> Result<f64> { todo!() }

/// Integer value (decimal places dropped), for subscripts, lengths and EXEC arguments.
///
/// # Safety
/// As [`load`].
pub unsafe fn load_integer(area: *const u8, attributes: &Attributes, session: &Session) -> Result<i64> { todo!() }

/// Stores a value in any numeric or numeric-edited item; returns whether there was a size error. With
/// `keep_on_size_error` (ON SIZE ERROR given) the item is then unchanged, otherwise high-order digits are lost
/// as TRUNC and the usage say.
///
/// # Safety
/// `area` must be writable for `attributes.length` bytes.
pub unsafe fn store(value: &Decimal, area: *mut u8, attributes: &Attributes, rounding: Rounding, keep_on_size_error: bool, session: &Session) -> bool { todo!() }

/// As [`store`] for a floating-point value.
///
/// # Safety
/// As [`store`].
pub unsafe fn store_float(value: f64, area: *mut u8, attributes: &Attributes, rounding: Rounding, keep_on_size_error: bool, session: &Session) -> Result<bool> { todo!() }

/// As [`store`] for an integer (counts, pointers, EXEC results), without rounding; high-order digits are lost.
///
/// # Safety
/// As [`store`].
pub unsafe fn store_integer(value: i64, area: *mut u8, attributes: &Attributes, session: &Session) { todo!() }

/// One arithmetic statement with one source and one target, without a temporary in compiled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Operation { Add = 0, Subtract = 1, Multiply = 2, Divide = 3 }

/// `ADD source TO target`, `SUBTRACT source FROM target`, `MULTIPLY source BY target`, `DIVIDE source INTO target`
/// for fixed-point items; returns whether there was a size error. Dividing by zero is a size error when
/// `keep_on_size_error`, else an exception.
///
/// # Safety
/// `source` must be readable and `target` writable for the lengths of their attributes.
pub unsafe fn apply(operation: Operation, source: *const u8, source_attributes: &Attributes, target: *mut u8, target_attributes: &Attributes, rounding: Rounding, keep_on_size_error: bool, session: &Session) -> Result<bool> { todo!() }
