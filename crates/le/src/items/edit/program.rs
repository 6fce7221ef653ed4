//! Layout of edit programs. All are byte strings without alignment; the first byte is the kind.
//!
//! Numeric (kind 1): the fixed part below, `digits` bytes with the position of each digit, `currency_length` bytes of
//! currency text, then the template of `length` bytes. The template holds insertion characters, the decimal point and
//! a fixed currency sign; digit and sign positions hold spaces.
//!
//! Characters (kind 2): runs of four bytes: operation (0 end, 1 copy, 2 insert), byte to insert, count (2 bytes,
//! little-endian).
//!
//! Floating (kind 3): the six bytes named by `FLOAT_*`.

pub const KIND_NUMERIC: u8 = 1;
pub const KIND_CHARACTERS: u8 = 2;
pub const KIND_FLOATING: u8 = 3;

// Offsets in the fixed part of a numeric program.
pub const FLAGS: usize = 1;
pub const DIGITS: usize = 2;
pub const LENGTH: usize = 3;
/// Leading digits that may be suppressed: those before the decimal point and the first 9.
pub const LIMIT: usize = 4;
/// First position of the suppressed part.
pub const SUPPRESS_START: usize = 5;
/// Position where suppression ends when all `LIMIT` digits are zero: the decimal point, the first 9, or the end.
pub const SUPPRESS_END: usize = 6;
/// One of the `SIGN_*` values for a floating string, or `FLOAT_CURRENCY`.
pub const FLOAT_KIND: usize = 7;
pub const SIGN_KIND: usize = 8;
pub const SIGN_POSITION: usize = 9;
/// Position of the decimal point, or `NO_POSITION`.
pub const POINT: usize = 10;
pub const CURRENCY_LENGTH: usize = 11;
pub const FIXED: usize = 12;

/// All digit positions are suppressible: zero shows as spaces, or asterisks except the point.
pub const ALL_SUPPRESSED: u8 = 0x01;
/// Suppressed positions are filled with asterisks.
pub const ASTERISK: u8 = 0x02;

pub const SIGN_NONE: u8 = 0;
/// '+': shows + or -.
pub const SIGN_PLUS: u8 = 1;
/// '-': shows space or -.
pub const SIGN_MINUS: u8 = 2;
pub const SIGN_CR: u8 = 3;
pub const SIGN_DB: u8 = 4;
pub const FLOAT_CURRENCY: u8 = 5;

pub const NO_POSITION: u8 = 255;

pub const RUN_END: u8 = 0;
pub const RUN_COPY: u8 = 1;
pub const RUN_INSERT: u8 = 2;

// Offsets in a floating program.
pub const FLOAT_SIGN: usize = 1;
pub const FLOAT_INTEGERS: usize = 2;
pub const FLOAT_DECIMALS: usize = 3;
/// 1: an actual decimal point is shown.
pub const FLOAT_POINT: usize = 4;
pub const FLOAT_EXPONENT_SIGN: usize = 5;
pub const FLOAT_FIXED: usize = 6;
