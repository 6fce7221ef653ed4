//! Numeric and alphanumeric editing: pictures compiled to compact edit programs.
use crate::code_page::CodePage;
use crate::{Attributes, Decimal, Session};
/// A currency symbol of SPECIAL-NAMES and the text it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Currency<'a> { pub symbol: char, pub text: &'a str }
pub struct PictureOptions<'a> { pub decimal_comma: bool, pub currencies: &'a [Currency<'a>], pub code_page: &'static CodePage }
/// What a PICTURE character-string says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Usage::Alphanumeric, Alphabetic, AlphanumericEdited, NumericEdited, Zoned (category numeric), National, NationalEdited, Utf8, FloatDisplay, Dbcs.
    pub category: crate::Usage,
    /// Character positions (for numeric without S SEPARATE; P and V do not count).
    pub characters: u32,
    pub digits: u8,
    pub scale: i8,
    pub signed: bool,
    /// Edit program of edited categories; place it at a multiple of 4 in the program's pool.
    pub program: Vec<u8>,
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureError { /** 0-based character of the string. */ pub position: usize, pub text: String }
/// Compiles a PICTURE character-string (case does not matter). Allocates; for the compiler.
pub fn compile(picture: &str, options: &PictureOptions<'_>) -> Result<Picture, PictureError> { todo!() }
/// Edits a value into `target` (exact length) - no rounding.
/// # Safety
/// `target` writable for its length, `program` an edit program.
pub unsafe fn edit(value: &Decimal, program: *const u8, target: *mut u8, attributes: &Attributes, session: &Session) { todo!() }
/// The value of a numeric-edited item.
/// # Safety
/// `area` readable for its length.
pub unsafe fn deedit(area: *const u8, attributes: &Attributes, session: &Session) -> crate::Result<Decimal> { todo!() }
