//! PICTURE character-strings: category, size, and edit programs. Runs in the compiler only and allocates.
//!
//! Language Reference, "PICTURE clause": symbols A B E G N P S U V X Z 9 0 / , . + - CR DB * and currency symbols.

use super::program::*;
use crate::attributes::Usage;
use crate::code_page::CodePage;

/// A currency symbol of SPECIAL-NAMES and its text.
#[derive(Clone, Copy, Debug)]
pub struct Currency<'a> {
    pub symbol: char,
    pub text: &'a str,
}

/// The effect of SPECIAL-NAMES and the compiler options on pictures.
#[derive(Clone, Copy, Debug)]
pub struct PictureOptions<'a> {
    pub decimal_comma: bool,
    /// Empty: `$` stands for itself.
    pub currencies: &'a [Currency<'a>],
    pub code_page: &'static CodePage,
}

/// An analysed PICTURE character-string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Alphanumeric, Alphabetic, AlphanumericEdited, NumericEdited, Zoned (category numeric), National, NationalEdited,
    /// Utf8, FloatDisplay or Dbcs.
    pub category: Usage,
    /// Character positions; for a numeric item its digits (V, P and S take none).
    pub characters: u32,
    pub digits: u8,
    pub scale: i8,
    pub signed: bool,
    /// Edit program of edited categories.
    pub program: Vec<u8>,
}

/// Why a picture is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureError {
    /// 0-based character of the string.
    pub position: usize,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// X, A, N, U, G.
    Character(char),
    Nine,
    Zero,
    Slash,
    Blank,
    /// Insertion comma (period under DECIMAL-POINT IS COMMA).
    Comma,
    Point,
    Suppress,
    Asterisk,
    Plus,
    Minus,
    Cr,
    Db,
    Currency(usize),
    Scaling,
    Sign,
    Assumed,
    Exponent,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub symbol: Symbol,
    pub count: u32,
    pub position: usize,
}

pub(super) fn error<T>(position: usize, text: &str) -> Result<T, PictureError> {
    Err(PictureError { position, text: text.to_string() })
}

/// Compiles a PICTURE character-string (case does not matter).
pub fn compile(picture: &str, options: &PictureOptions<'_>) -> Result<Picture, PictureError> {
    let items = scan(picture, options)?;
    if items.is_empty() {
        return error(0, "the picture is empty");
    }
    let has = |wanted: &dyn Fn(Symbol) -> bool| items.iter().any(|item| wanted(item.symbol));
    if has(&|symbol| symbol == Symbol::Exponent) {
        return floating(&items);
    }
    if has(&|symbol| matches!(symbol, Symbol::Character(_))) {
        return characters(&items, options);
    }
    let simple = |symbol| matches!(symbol, Symbol::Nine | Symbol::Scaling | Symbol::Sign | Symbol::Assumed);
    if items.iter().all(|item| simple(item.symbol)) {
        return numeric(&items);
    }
    super::edited::compile(&items, options)
}

/// Compiles a numeric picture (only 9, V, P) as numeric-edited, for BLANK WHEN ZERO.
pub fn compile_edited(picture: &str, options: &PictureOptions<'_>) -> Result<Picture, PictureError> {
    super::edited::compile(&scan(picture, options)?, options)
}

fn scan(picture: &str, options: &PictureOptions<'_>) -> Result<Vec<Item>, PictureError> {
    let text: Vec<char> = picture.chars().collect();
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let position = at;
        let (symbol, width) = symbol_at(&text, at, options)?;
        at += width;
        let mut count = 1;
        if text.get(at) == Some(&'(') {
            let close = text[at..].iter().position(|&c| c == ')').map(|offset| at + offset);
            let Some(close) = close else { return error(at, "the repetition has no closing parenthesis") };
            let number: String = text[at + 1..close].iter().collect();
            count = match number.trim().parse::<u32>() {
                Ok(count) if count > 0 => count,
                _ => return error(at + 1, "the repetition is not a positive integer"),
            };
            at = close + 1;
        }
        let once = matches!(symbol, Symbol::Point | Symbol::Sign | Symbol::Assumed | Symbol::Cr | Symbol::Db | Symbol::Exponent);
        if once && (count > 1 || items.iter().any(|item| item.symbol == symbol)) {
            return error(position, "the symbol may appear only once");
        }
        match items.last_mut() {
            Some(last) if last.symbol == symbol => last.count += count,
            _ => items.push(Item { symbol, count, position }),
        }
    }
    Ok(items)
}

fn symbol_at(text: &[char], at: usize, options: &PictureOptions<'_>) -> Result<(Symbol, usize), PictureError> {
    let character = text[at];
    if let Some(index) = options.currencies.iter().position(|currency| currency.symbol == character) {
        return Ok((Symbol::Currency(index), 1));
    }
    let next = text.get(at + 1).map(|c| c.to_ascii_uppercase());
    let symbol = match character.to_ascii_uppercase() {
        letter @ ('X' | 'A' | 'N' | 'U' | 'G') => Symbol::Character(letter),
        '9' => Symbol::Nine,
        '0' => Symbol::Zero,
        '/' => Symbol::Slash,
        'B' => Symbol::Blank,
        ',' if options.decimal_comma => Symbol::Point,
        '.' if options.decimal_comma => Symbol::Comma,
        ',' => Symbol::Comma,
        '.' => Symbol::Point,
        'Z' => Symbol::Suppress,
        '*' => Symbol::Asterisk,
        '+' => Symbol::Plus,
        '-' => Symbol::Minus,
        'C' if next == Some('R') => return Ok((Symbol::Cr, 2)),
        'D' if next == Some('B') => return Ok((Symbol::Db, 2)),
        'P' => Symbol::Scaling,
        'S' => Symbol::Sign,
        'V' => Symbol::Assumed,
        'E' => Symbol::Exponent,
        '$' if options.currencies.is_empty() => Symbol::Currency(0),
        _ => return error(at, "the character is not a PICTURE symbol"),
    };
    Ok((symbol, 1))
}

/// Digits, scale and sign of S, V, P and 9, from symbols that are digit positions by `is_digit`.
pub(super) struct Places {
    pub digits: u32,
    pub scale: i32,
    pub signed: bool,
}

pub(super) fn places(items: &[Item], is_digit: &dyn Fn(usize) -> u32) -> Result<Places, PictureError> {
    let mut out = Places { digits: 0, scale: 0, signed: false };
    let mut after_point = false;
    let mut scaling_seen = false;
    for (index, item) in items.iter().enumerate() {
        match item.symbol {
            Symbol::Sign if index > 0 => return error(item.position, "S must be the first symbol"),
            Symbol::Sign => out.signed = true,
            Symbol::Assumed | Symbol::Point => {
                if after_point {
                    return error(item.position, "there is more than one decimal point");
                }
                after_point = true;
            }
            Symbol::Scaling => {
                if scaling_seen {
                    return error(item.position, "P symbols must be one string");
                }
                scaling_seen = true;
                if out.digits == 0 {
                    // Leading Ps: the point is to their left.
                    after_point = true;
                    out.scale += item.count as i32;
                } else if after_point {
                    return error(item.position, "P must not follow a decimal point and digits");
                } else {
                    out.scale -= item.count as i32;
                    let rest = &items[index + 1..];
                    if rest.iter().enumerate().any(|(offset, _)| is_digit(index + 1 + offset) > 0) {
                        return error(item.position, "P must be at an end of the digits");
                    }
                }
            }
            _ => {
                let count = is_digit(index);
                out.digits += count;
                if after_point {
                    out.scale += count as i32;
                }
            }
        }
    }
    if out.digits == 0 {
        return error(0, "the picture has no digit positions");
    }
    if out.digits > 31 {
        return error(0, "the picture has more than 31 digits");
    }
    if !(-127..=127).contains(&out.scale) {
        return error(0, "the picture is scaled too far");
    }
    Ok(out)
}

fn numeric(items: &[Item]) -> Result<Picture, PictureError> {
    let places = places(items, &|index| if items[index].symbol == Symbol::Nine { items[index].count } else { 0 })?;
    Ok(Picture {
        category: Usage::Zoned,
        characters: places.digits,
        digits: places.digits as u8,
        scale: places.scale as i8,
        signed: places.signed,
        program: Vec::new(),
    })
}

fn characters(items: &[Item], options: &PictureOptions<'_>) -> Result<Picture, PictureError> {
    let mut letters: Vec<char> = Vec::new();
    let mut edited = false;
    let mut length = 0u32;
    let page = options.code_page;
    let mut program = vec![KIND_CHARACTERS, 0, 0, 0];
    for item in items {
        let (run, byte) = match item.symbol {
            Symbol::Character(letter) => {
                letters.push(letter);
                (RUN_COPY, 0)
            }
            Symbol::Nine => (RUN_COPY, 0),
            Symbol::Blank => (RUN_INSERT, page.space),
            Symbol::Zero => (RUN_INSERT, page.zero),
            Symbol::Slash => (RUN_INSERT, page.slash),
            _ => return error(item.position, "the symbol cannot be used with characters"),
        };
        edited |= run == RUN_INSERT;
        length += item.count;
        let mut left = item.count;
        while left > 0 {
            let count = left.min(u32::from(u16::MAX)) as u16;
            program.extend([run, byte]);
            program.extend(count.to_le_bytes());
            left -= u32::from(count);
        }
    }
    program.extend([RUN_END, 0, 0, 0]);
    let nine = items.iter().any(|item| item.symbol == Symbol::Nine);
    let only = |letter: char| letters.iter().all(|&other| other == letter) && !nine;
    let category = match (letters[0], edited) {
        ('N', false) if only('N') => Usage::National,
        ('N', true) if only('N') => Usage::NationalEdited,
        ('U', false) if only('U') => Usage::Utf8,
        ('G', _) if only('G') => Usage::Dbcs,
        ('A', false) if only('A') => Usage::Alphabetic,
        _ if letters.iter().any(|letter| matches!(letter, 'N' | 'U' | 'G')) => {
            return error(items[0].position, "the symbols cannot be mixed");
        }
        (_, true) => Usage::AlphanumericEdited,
        (_, false) => Usage::Alphanumeric,
    };
    if !matches!(category, Usage::AlphanumericEdited | Usage::NationalEdited) {
        program.clear();
    }
    Ok(Picture { category, characters: length, digits: 0, scale: 0, signed: false, program })
}

fn floating(items: &[Item]) -> Result<Picture, PictureError> {
    let sign = |item: &Item| match item.symbol {
        Symbol::Plus => Ok(SIGN_PLUS),
        Symbol::Minus => Ok(SIGN_MINUS),
        _ => error(item.position, "a sign is needed here"),
    };
    let wrong = || PictureError { position: 0, text: "external floating point is written like +9.9(5)E+99".into() };
    let exponent_at = items.iter().position(|item| item.symbol == Symbol::Exponent).ok_or_else(wrong)?;
    let (mantissa, exponent) = (&items[..exponent_at], &items[exponent_at + 1..]);
    let [first, rest @ ..] = mantissa else { return Err(wrong()) };
    let [exponent_sign, exponent_digits] = exponent else { return Err(wrong()) };
    if exponent_digits.symbol != Symbol::Nine || exponent_digits.count != 2 || first.count != 1 {
        return Err(wrong());
    }
    let (mut integers, mut decimals, mut point, mut actual) = (0, 0, false, false);
    for item in rest {
        match item.symbol {
            Symbol::Nine if point => decimals += item.count,
            Symbol::Nine => integers += item.count,
            Symbol::Point | Symbol::Assumed => {
                point = true;
                actual = item.symbol == Symbol::Point;
            }
            _ => return error(item.position, "the symbol cannot be used in external floating point"),
        }
    }
    if !(1..=16).contains(&(integers + decimals)) {
        return error(first.position, "the mantissa has 1 to 16 digits");
    }
    let program = vec![KIND_FLOATING, sign(first)?, integers as u8, decimals as u8, u8::from(actual), sign(exponent_sign)?];
    debug_assert_eq!(program.len(), FLOAT_FIXED);
    Ok(Picture {
        category: Usage::FloatDisplay,
        characters: 1 + integers + decimals + u32::from(actual) + 4,
        digits: (integers + decimals) as u8,
        scale: decimals as i8,
        signed: true,
        program,
    })
}
