//! How the running program was compiled and its environment: the information the operations need besides their operands.
//!
//! One `Session` belongs to one activation of a program; it is built from the program's options when the program is entered and only read
//! after that. Its addresses must stay valid as long as it is used.
//!
//! `unsafe` here reads the attention word, which is valid as long as the session is used. `tests/long_operands.rs` covers it.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::code_page::{CCSID_037, CCSID_819, CodePage};
use crate::exception::{Exception, Result};

/// ARITH compiler option: digits carried in intermediate results (30 or 31) and allowed in operands (18 or 31).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Arith {
    Compat = 0,
    Extend = 1,
}

/// TRUNC compiler option: how binary receiving fields are truncated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Trunc {
    /// To the decimal digits of the PICTURE.
    Std = 0,
    /// As is cheapest: to the size of the field.
    Opt = 1,
    /// To the size of the field; the field has its full binary range.
    Bin = 2,
}

/// NUMPROC compiler option: whether signs are known to be the preferred ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Numproc {
    /// Signs are C, D and F only; others make the item not NUMERIC.
    Pfd = 0,
    /// All valid signs are accepted.
    Nopfd = 1,
}

/// Representation of COMP-1 and COMP-2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum FloatFormat {
    /// Hexadecimal floating point, what z/OS programs hold.
    Hexadecimal = 0,
    /// IEEE binary floating point, big-endian.
    Binary = 1,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Session {
    /// Code page of alphanumeric data and literals.
    pub code_page: &'static CodePage,
    /// Base of the program's edit programs; [`crate::Attributes::edit`] is an offset from here. May be null when there are none.
    pub edit_programs: *const u8,
    /// PROGRAM COLLATING SEQUENCE as 256 ordinals; null: the native sequence.
    pub collating: *const [u8; 256],
    /// State of FUNCTION RANDOM of the run unit; null: every call without a seed starts from seed 0.
    pub random: *mut u64,
    /// Local time minus UTC.
    pub utc_offset_seconds: i32,
    pub arith: Arith,
    pub trunc: Trunc,
    pub numproc: Numproc,
    pub float_format: FloatFormat,
    /// DECIMAL-POINT IS COMMA.
    pub decimal_comma: bool,
    /// Currency sign (the default currency sign of the program), in the code page.
    pub currency: u8,
    /// The quotation mark that figurative constant QUOTE stands for, in the code page (APOST option: an apostrophe).
    pub quote: u8,
    /// DISPSIGN(SEP): DISPLAY shows signs separately.
    pub display_sign_separate: bool,
    /// INVDATA: a MOVE to a zoned item keeps the zones of digits, whatever they are.
    pub zones_kept: bool,
    /// INVDATA(CLEANSIGN): a sign position that holds no sign code is plus.
    pub signs_cleaned: bool,
    /// Requests to the running task; null: there are none.
    pub attention: *const AtomicU32,
    /// The bits of `attention` that stop the program.
    pub stop_bits: u32,
}

impl Session {
    /// IBM's default options over this code page: ARITH(COMPAT), TRUNC(STD), NUMPROC(NOPFD), NOINVDATA, QUOTE.
    pub const fn new(code_page: &'static CodePage) -> Session {
        let ebcdic = code_page.is_ebcdic();
        Session {
            code_page,
            edit_programs: std::ptr::null(),
            collating: std::ptr::null(),
            random: std::ptr::null_mut(),
            utc_offset_seconds: 0,
            arith: Arith::Compat,
            trunc: Trunc::Std,
            numproc: Numproc::Nopfd,
            float_format: if ebcdic { FloatFormat::Hexadecimal } else { FloatFormat::Binary },
            decimal_comma: false,
            currency: code_page.dollar,
            quote: code_page.quote,
            display_sign_separate: false,
            zones_kept: false,
            signs_cleaned: false,
            attention: std::ptr::null(),
            stop_bits: 0,
        }
    }

    /// A session with default options in code page 037.
    pub const fn ebcdic() -> Session {
        Session::new(&CCSID_037)
    }

    /// A session with default options in ISO 8859-1.
    pub const fn ascii() -> Session {
        Session::new(&CCSID_819)
    }

    /// Whether the program is to be stopped (a runaway, a purge): a long operation then gives up. Costs a load.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        // SAFETY: a word of requests stays valid as long as the session is used.
        unsafe { self.attention.as_ref() }.is_some_and(|word| word.load(Ordering::Relaxed) & self.stop_bits != 0)
    }

    /// [`Exception::Stopped`] if the program is to be stopped.
    #[inline]
    pub fn check_stop(&self) -> Result<()> {
        if self.is_stopped() { Err(Exception::Stopped) } else { Ok(()) }
    }

    /// Digits carried in intermediate results.
    pub const fn intermediate_digits(&self) -> u32 {
        match self.arith {
            Arith::Compat => 30,
            Arith::Extend => 31,
        }
    }
}
