//! Intrinsic functions, called by number with evaluated arguments.
use crate::{Decimal, Result, Session};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum ValueKind { Omitted = 0, Alphanumeric = 1, National = 2, Utf8 = 3, Decimal = 4, Float = 5 }

/// An argument or a result. Characters are in the session's code page (alphanumeric), UTF-16 or UTF-8.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Value {
    pub kind: ValueKind,
    /// Bytes at `address`.
    pub length: u32,
    pub address: *const u8,
    pub decimal: Decimal,
    pub float: f64,
}
/// What a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultType { Integer, Numeric, Alphanumeric, National, Utf8, /** The type of the first argument. */ Argument }

/// A function of the language: index in [`TABLE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(transparent)]
pub struct FunctionId(pub u16);
pub struct Function { pub name: &'static str, pub result: ResultType, pub arguments_min: u8, /** 255: any number. */ pub arguments_max: u8 }
/// Every function, by name ascending.
pub static TABLE: &[Function] = &[];
pub fn find(name: &str) -> Option<FunctionId> { todo!() }
/// Upper bound of the result's length in bytes: the buffer that [`call`] needs.
pub fn result_length_max(function: FunctionId, arguments: &[Value], session: &Session) -> usize { todo!() }
/// Evaluates the function; character results are written to `buffer` and `result.address` points there.
/// # Safety
/// Addresses of the arguments valid for their lengths.
pub unsafe fn call(function: FunctionId, arguments: &[Value], buffer: &mut [u8], session: &Session) -> Result<Value> { todo!() }
