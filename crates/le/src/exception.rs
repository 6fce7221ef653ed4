//! The errors of operations, named after the program interruptions and Language Environment conditions they become.

/// A failure that ends the statement. Values below 16 are program interruption codes (ASRA, 0Cx).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Exception {
    /// Invalid decimal digits or sign: 0C7.
    Data = 7,
    /// Binary divide by zero: 0C9.
    FixedDivide = 9,
    /// Decimal overflow: 0CA.
    DecimalOverflow = 10,
    /// Decimal divide by zero: 0CB.
    DecimalDivide = 11,
    /// Floating-point overflow: 0CC.
    ExponentOverflow = 12,
    /// Floating-point divide by zero: 0CF.
    FloatDivide = 15,
    /// Subscript or index outside its table (IGZ0006S).
    Subscript = 16,
    /// Reference modification outside the data item (IGZ0072S, IGZ0073S, IGZ0074S).
    ReferenceModification = 17,
    /// An OCCURS DEPENDING ON object outside its range (IGZ0009S).
    OccursDependingOn = 18,
    /// An argument of an intrinsic function outside its domain (IGZ0152S and others).
    FunctionArgument = 19,
    /// Exponentiation that has no defined result: zero to a power not positive, or a negative base with a fraction (IGZ0048W to IGZ0050S).
    Exponentiation = 20,
    /// Characters that cannot be converted to the other code page (IGZ0213S ...).
    Conversion = 21,
    /// The caller's buffer is too small for a function's result.
    BufferLength = 22,
    /// Not an error of the program: it is to be stopped ([`crate::Session::is_stopped`]), and the operation gave up.
    Stopped = 23,
}

impl Exception {
    /// The program interruption code, when the failure is one.
    pub const fn interruption(self) -> Option<u8> {
        let code = self as u8;
        if code < 16 { Some(code) } else { None }
    }

    pub const fn from_code(code: u8) -> Option<Exception> {
        Some(match code {
            7 => Exception::Data,
            9 => Exception::FixedDivide,
            10 => Exception::DecimalOverflow,
            11 => Exception::DecimalDivide,
            12 => Exception::ExponentOverflow,
            15 => Exception::FloatDivide,
            16 => Exception::Subscript,
            17 => Exception::ReferenceModification,
            18 => Exception::OccursDependingOn,
            19 => Exception::FunctionArgument,
            20 => Exception::Exponentiation,
            21 => Exception::Conversion,
            22 => Exception::BufferLength,
            23 => Exception::Stopped,
            _ => return None,
        })
    }

    /// The description, for messages.
    pub const fn text(self) -> &'static str {
        match self {
            Exception::Data => "invalid decimal data",
            Exception::FixedDivide => "fixed-point divide by zero",
            Exception::DecimalOverflow => "decimal overflow",
            Exception::DecimalDivide => "decimal divide by zero",
            Exception::ExponentOverflow => "floating-point overflow",
            Exception::FloatDivide => "floating-point divide by zero",
            Exception::Subscript => "a subscript or index is outside its table",
            Exception::ReferenceModification => "reference modification is outside the data item",
            Exception::OccursDependingOn => "an OCCURS DEPENDING ON object is outside its range",
            Exception::FunctionArgument => "a function argument is outside its domain",
            Exception::Exponentiation => "exponentiation without a defined result",
            Exception::Conversion => "characters cannot be converted",
            Exception::BufferLength => "the result does not fit its buffer",
            Exception::Stopped => "the program was stopped",
        }
    }
}

impl std::fmt::Display for Exception {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.text())
    }
}

impl std::error::Error for Exception {}

pub type Result<T> = std::result::Result<T, Exception>;
