//! Intrinsic functions, called by number with evaluated arguments.
//!
//! Arguments are values: numbers as [`Decimal`] or f64, characters as areas. A phrase that is a keyword in the source is
//! a Decimal code at the end of the arguments:
//! - TRIM: 1 LEADING, 2 TRAILING (omitted: both).
//! - NUMVAL-C, TEST-NUMVAL-C: second argument the currency string or `Omitted`, third 1 for ANYCASE.
//! - FIND-STRING: third argument 1 LAST, 2 ANYCASE, 3 both.
//! - WHEN-COMPILED: the compiler passes the 21 characters as the only argument.
//!
//! For an argument of the form table(ALL) the compiler passes every element. Integer results have scale 0. A function of long characters or
//! of many arguments gives up when the program is to be stopped.
//!
//! `unsafe` here reads arguments of characters, which the caller of [`call`] promises to be readable for their lengths; and in the modules
//! below what the [`Session`] leads to, which stays valid as long as the session is used. `tests/garbage.rs` calls every function with
//! arguments of random bytes, and `tests.rs` checks the results.

mod arithmetic;
mod characters;
mod dates;
mod formatted;
mod numval;
mod scientific;
mod table;
mod unicode;

pub use table::TABLE;

use crate::code_page::{CCSID_1200, CCSID_1208, CodePage};
use crate::decimal::{self, Decimal, Rounding};
use crate::exception::{Exception, Result};
use crate::session::Session;

/// The kind of a [`Value`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum ValueKind {
    /// An optional argument that was not written.
    Omitted = 0,
    Alphanumeric = 1,
    National = 2,
    Utf8 = 3,
    Decimal = 4,
    Float = 5,
}

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

const _: () = assert!(std::mem::size_of::<Value>() == 64);

/// The result type of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultType {
    Integer,
    /// Fixed point, or floating point when an argument is.
    Numeric,
    Float,
    Alphanumeric,
    National,
    Utf8,
    /// The type of the first argument.
    Argument,
}

/// A function of the language: index in [`TABLE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(transparent)]
pub struct FunctionId(pub u16);

/// Bytes after which a function looks whether the program is to be stopped.
const WINDOW: usize = 1 << 16;

type Evaluate = fn(&mut Call<'_>) -> Result<Value>;

/// One row of the function table.
pub struct Function {
    pub name: &'static str,
    pub result: ResultType,
    pub arguments_min: u8,
    /// 255: any number.
    pub arguments_max: u8,
    evaluate: Evaluate,
}

/// One evaluation: the arguments, the buffer for a character result, and the session.
struct Call<'a> {
    arguments: &'a [Value],
    buffer: &'a mut [u8],
    session: &'a Session,
}

/// The function of a name (upper case).
pub fn find(name: &str) -> Option<FunctionId> {
    TABLE.binary_search_by(|row| row.name.cmp(name)).ok().map(|index| FunctionId(index as u16))
}

/// The row of a function.
pub fn describe(function: FunctionId) -> &'static Function {
    &TABLE[function.0 as usize]
}

/// Upper bound of the result's length in bytes: the buffer that [`call`] needs.
pub fn result_length_max(function: FunctionId, arguments: &[Value], _session: &Session) -> usize {
    let factor = match describe(function).name {
        "BIT-OF" => 8,
        "DISPLAY-OF" | "NATIONAL-OF" | "HEX-OF" => 4,
        _ => 1,
    };
    // CONCAT needs the sum; for the others it is a bound too.
    let total: usize = arguments.iter().map(|argument| argument.length as usize).sum();
    total * factor + 64
}

/// Evaluates a function; a character result is in `buffer` or is an argument, and `address` points to it.
///
/// # Safety
/// Addresses of the arguments must be readable for their lengths.
pub unsafe fn call(function: FunctionId, arguments: &[Value], buffer: &mut [u8], session: &Session) -> Result<Value> {
    let row = TABLE.get(function.0 as usize).ok_or(Exception::FunctionArgument)?;
    let given = arguments.iter().rposition(|value| value.kind != ValueKind::Omitted).map_or(0, |at| at + 1);
    if given < row.arguments_min as usize || (row.arguments_max != 255 && given > row.arguments_max as usize) {
        return Err(Exception::FunctionArgument);
    }
    let result = (row.evaluate)(&mut Call { arguments: &arguments[..given], buffer, session });
    session.check_stop()?;
    result
}

impl Value {
    pub const fn omitted() -> Value {
        Value { kind: ValueKind::Omitted, length: 0, address: std::ptr::null(), decimal: Decimal::ZERO, float: 0.0 }
    }

    pub const fn decimal(value: Decimal) -> Value {
        Value { kind: ValueKind::Decimal, decimal: value, ..Value::omitted() }
    }

    pub const fn integer(value: i64) -> Value {
        Value::decimal(Decimal::integer(value))
    }

    pub const fn float(value: f64) -> Value {
        Value { kind: ValueKind::Float, float: value, ..Value::omitted() }
    }

    /// Characters of a kind; the caller keeps the bytes alive.
    pub const fn characters(kind: ValueKind, bytes: &[u8]) -> Value {
        Value { kind, length: bytes.len() as u32, address: bytes.as_ptr(), ..Value::omitted() }
    }

    pub const fn alphanumeric(bytes: &[u8]) -> Value {
        Value::characters(ValueKind::Alphanumeric, bytes)
    }

    fn is_characters(&self) -> bool {
        matches!(self.kind, ValueKind::Alphanumeric | ValueKind::National | ValueKind::Utf8)
    }

    /// The bytes of a character value; empty for numbers.
    fn bytes(&self) -> &[u8] {
        if !self.is_characters() || self.address.is_null() {
            return &[];
        }
        // SAFETY: `call` requires that addresses of arguments are readable for their lengths.
        unsafe { std::slice::from_raw_parts(self.address, self.length as usize) }
    }

    /// The code page its characters are in.
    fn page(&self, session: &Session) -> &'static CodePage {
        match self.kind {
            ValueKind::National => &CCSID_1200,
            ValueKind::Utf8 => &CCSID_1208,
            _ => session.code_page,
        }
    }

    fn as_float(&self) -> f64 {
        if self.kind == ValueKind::Float { self.float } else { decimal::to_float(&self.decimal) }
    }

    fn as_decimal(&self) -> Decimal {
        if self.kind == ValueKind::Float {
            return crate::numeric::float_to_decimal(self.float, crate::numeric::FLOAT8_DIGITS);
        }
        self.decimal
    }
}

impl Call<'_> {
    fn count(&self) -> usize {
        self.arguments.len()
    }

    fn get(&self, index: usize) -> Result<&Value> {
        self.arguments.get(index).ok_or(Exception::FunctionArgument)
    }

    fn has(&self, index: usize) -> bool {
        self.arguments.get(index).is_some_and(|value| value.kind != ValueKind::Omitted)
    }

    fn decimal(&self, index: usize) -> Result<Decimal> {
        let value = self.get(index)?;
        if value.is_characters() { Err(Exception::FunctionArgument) } else { Ok(value.as_decimal()) }
    }

    fn float(&self, index: usize) -> Result<f64> {
        let value = self.get(index)?;
        if value.is_characters() { Err(Exception::FunctionArgument) } else { Ok(value.as_float()) }
    }

    /// An integer argument; decimal places are dropped.
    fn integer(&self, index: usize) -> Result<i64> {
        self.decimal(index)?.to_integer().ok_or(Exception::FunctionArgument)
    }

    /// An optional integer argument.
    fn integer_or(&self, index: usize, default: i64) -> Result<i64> {
        if self.has(index) { self.integer(index) } else { Ok(default) }
    }

    fn bytes(&self, index: usize) -> Result<&[u8]> {
        let value = self.get(index)?;
        if value.is_characters() { Ok(value.bytes()) } else { Err(Exception::FunctionArgument) }
    }

    /// Whether any argument is floating point.
    fn any_float(&self) -> bool {
        self.arguments.iter().any(|value| value.kind == ValueKind::Float)
    }

    /// The first `length` bytes of the buffer as a result.
    fn result(&self, kind: ValueKind, length: usize) -> Result<Value> {
        let bytes = self.buffer.get(..length).ok_or(Exception::BufferLength)?;
        Ok(Value::characters(kind, bytes))
    }

    /// Writes ASCII text in the code page as the result.
    fn text(&mut self, text: &[u8]) -> Result<Value> {
        let page = self.session.code_page;
        let target = self.buffer.get_mut(..text.len()).ok_or(Exception::BufferLength)?;
        for (byte, &ascii) in target.iter_mut().zip(text) {
            *byte = page.ascii(ascii);
        }
        self.result(ValueKind::Alphanumeric, text.len())
    }

    /// A character argument as ASCII in a bounded buffer; characters outside ASCII become 0.
    fn ascii<'b>(&self, index: usize, out: &'b mut [u8]) -> Result<&'b [u8]> {
        let value = self.get(index)?;
        let bytes = self.bytes(index)?;
        let page = value.page(self.session);
        let mut length = 0;
        let mut at = 0;
        while at < bytes.len() {
            let (code, width) = crate::code_page::take(page, &bytes[at..]);
            *out.get_mut(length).ok_or(Exception::FunctionArgument)? = if code < 128 { code as u8 } else { 0 };
            length += 1;
            at += width.max(1);
        }
        Ok(&out[..length])
    }
}

/// The decimal itself if it is an integer; otherwise the floor.
fn floor(value: &Decimal) -> Result<Decimal> {
    decimal::at_scale(value, 0, Rounding::TowardLesser).ok_or(Exception::FunctionArgument)
}

fn finite(value: f64) -> Result<Value> {
    if value.is_finite() { Ok(Value::float(value)) } else { Err(Exception::FunctionArgument) }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
