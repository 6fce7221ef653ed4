//! PICTURE character-strings: from the text to category, digits, scale, size and edit symbols.
//!
//! Invariants: an analysed picture has a size of at least one character; `symbols` is empty unless the picture is edited
//! or external floating point; digits never exceed [`DIGITS_MAX`] (the ARITH limit is checked by the caller).

use crate::options::CURRENCY_STAND_IN;
use crate::program::Category;

/// More digits than any ARITH allows; keeps arithmetic on pictures in bounds.
pub const DIGITS_MAX: u32 = 38;
/// The longest item in bytes (Enterprise COBOL, appendix "Compiler limits").
pub const ITEM_LENGTH_MAX: u32 = 134_217_727;
/// The longest character-string (the same source).
const PICTURE_LENGTH_MAX: usize = 50;
/// Edited pictures are expanded, so they are bounded (the same source).
const EDITED_LENGTH_MAX: u64 = 249;

/// The analysed picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureInfo {
    pub category: Category,
    /// Digit positions (9, Z, *, floating positions but the first), P not counted.
    pub digits: u8,
    pub scale: i8,
    pub signed: bool,
    /// Character positions the item takes in DISPLAY (S, V and P take none).
    pub characters: u32,
    /// Expanded symbols of edited pictures.
    pub symbols: Vec<u8>,
}

/// How the SPECIAL-NAMES paragraph changes pictures.
#[derive(Clone, Debug)]
pub struct PictureRules {
    pub decimal_point_is_comma: bool,
    /// Currency symbols: symbol and length of the sign it stands for.
    pub currencies: Vec<(u8, u32)>,
    /// Currency symbols that are not ASCII (the pound sign), with the control character that represents each in the text of a picture.
    pub stand_ins: Vec<(char, u8)>,
}

impl PictureRules {
    /// The character that represents a currency symbol in the text of a picture: the symbol itself if it is ASCII.
    pub fn stand_in(&mut self, symbol: char) -> u8 {
        if symbol.is_ascii() {
            return symbol as u8;
        }
        if let Some(known) = self.stand_ins.iter().find(|known| known.0 == symbol) {
            return known.1;
        }
        let control = match self.stand_ins.len() {
            0 => CURRENCY_STAND_IN,
            more => b' ' - more.min(0x1F) as u8,
        };
        self.stand_ins.push((symbol, control));
        control
    }

    /// The text of a picture with its currency symbols in ASCII.
    pub fn ascii(&self, picture: &str) -> String {
        let stand_in =
            |character: char| self.stand_ins.iter().find(|known| known.0 == character).map_or(character, |known| known.1 as char);
        picture.chars().map(stand_in).collect()
    }
}

impl Default for PictureRules {
    fn default() -> PictureRules {
        PictureRules { decimal_point_is_comma: false, currencies: vec![(b'$', 1)], stand_ins: Vec::new() }
    }
}

/// Analyses the text of a PICTURE clause (upper case is not required).
pub fn analyze(text: &str, rules: &PictureRules) -> Result<PictureInfo, String> {
    if text.len() > PICTURE_LENGTH_MAX {
        return Err(format!("it has {} characters; the most is {PICTURE_LENGTH_MAX}", text.len()));
    }
    let runs = expand(text, rules)?;
    if runs.is_empty() {
        return Err("the picture is empty".to_string());
    }
    let total: u64 = runs.iter().map(|run| u64::from(run.1)).sum();
    if total > u64::from(ITEM_LENGTH_MAX) {
        return Err(format!("the picture describes {total} characters; the most is {ITEM_LENGTH_MAX}"));
    }
    let has = |symbols: &[u8]| runs.iter().any(|run| symbols.contains(&run.0));
    let only = |symbols: &[u8]| runs.iter().all(|run| symbols.contains(&run.0));
    let count = |symbols: &[u8]| -> u32 { runs.iter().filter(|run| symbols.contains(&run.0)).map(|run| run.1).sum() };
    let plain = |category, characters| PictureInfo { category, digits: 0, scale: 0, signed: false, characters, symbols: Vec::new() };
    if has(b"E") {
        return external_float(&runs);
    }
    if has(b"N") {
        let category = if only(b"N") { Category::National } else { Category::NationalEdited };
        return text_picture(&runs, category, b"NB0/", plain);
    }
    if has(b"U") {
        return text_picture(&runs, Category::Utf8, b"U", plain);
    }
    if has(b"G") {
        return text_picture(&runs, Category::Dbcs, b"GB", plain);
    }
    if only(b"A") {
        return Ok(plain(Category::Alphabetic, count(b"A")));
    }
    if has(b"XA") {
        let category = if only(b"XA9") { Category::Alphanumeric } else { Category::AlphanumericEdited };
        return text_picture(&runs, category, b"XA9B0/", plain);
    }
    if only(b"9SVP") {
        return numeric(&runs);
    }
    numeric_edited(&runs, rules)
}

/// Symbol runs: CR and DB become `c` and `d`, the currency symbol stays.
fn expand(text: &str, rules: &PictureRules) -> Result<Vec<(u8, u32)>, String> {
    let bytes = text.as_bytes();
    let mut runs: Vec<(u8, u32)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let written = bytes[at];
        let upper = written.to_ascii_uppercase();
        at += 1;
        let is_currency = rules.currencies.iter().any(|currency| currency.0 == written || currency.0 == upper);
        let symbol = match upper {
            b'C' if bytes.get(at).is_some_and(|next| next.eq_ignore_ascii_case(&b'R')) && !is_currency => {
                at += 1;
                b'c'
            }
            b'D' if bytes.get(at).is_some_and(|next| next.eq_ignore_ascii_case(&b'B')) && !is_currency => {
                at += 1;
                b'd'
            }
            _ if is_currency => {
                if rules.currencies.iter().any(|currency| currency.0 == written) {
                    written
                } else {
                    upper
                }
            }
            b'A' | b'B' | b'E' | b'G' | b'N' | b'P' | b'S' | b'U' | b'V' | b'X' | b'Z' | b'9' | b'0' | b'/' | b',' | b'.' | b'+' | b'-'
            | b'*' => upper,
            _ => return Err(format!("'{}' is not a picture symbol", char::from(written))),
        };
        let mut repeat = 1;
        if bytes.get(at) == Some(&b'(') {
            let close = bytes[at..].iter().position(|byte| *byte == b')').ok_or("a '(' of the picture has no ')'")?;
            let digits = text.get(at + 1..at + close).unwrap_or("").trim();
            repeat = digits.parse::<u32>().map_err(|_| format!("'({digits})' is not a repetition factor"))?;
            if repeat == 0 {
                return Err("a repetition factor of zero is not allowed".to_string());
            }
            at += close + 1;
        }
        match runs.last_mut() {
            Some(run) if run.0 == symbol => run.1 = run.1.saturating_add(repeat),
            _ => runs.push((symbol, repeat)),
        }
    }
    Ok(runs)
}

fn text_picture(
    runs: &[(u8, u32)],
    category: Category,
    allowed: &[u8],
    plain: impl Fn(Category, u32) -> PictureInfo,
) -> Result<PictureInfo, String> {
    if let Some(run) = runs.iter().find(|run| !allowed.contains(&run.0)) {
        return Err(format!("the symbol {} cannot be combined with the others of this picture", symbol_name(run.0)));
    }
    let total: u64 = runs.iter().map(|run| u64::from(run.1)).sum();
    let mut info = plain(category, total as u32);
    if matches!(category, Category::AlphanumericEdited | Category::NationalEdited) {
        info.symbols = flatten(runs, total)?;
    }
    Ok(info)
}

fn flatten(runs: &[(u8, u32)], total: u64) -> Result<Vec<u8>, String> {
    if total > EDITED_LENGTH_MAX {
        return Err(format!("an edited picture has {total} characters; the most is {EDITED_LENGTH_MAX}"));
    }
    let mut symbols = Vec::with_capacity(total as usize);
    for run in runs {
        for _ in 0..run.1 {
            match run.0 {
                b'c' => symbols.extend_from_slice(b"CR"),
                b'd' => symbols.extend_from_slice(b"DB"),
                other => symbols.push(other),
            }
        }
    }
    Ok(symbols)
}

fn numeric(runs: &[(u8, u32)]) -> Result<PictureInfo, String> {
    let mut digits: u32 = 0;
    let mut decimals: u32 = 0;
    let mut point = false;
    let mut signed = false;
    let mut p_before: u32 = 0;
    let mut p_after: u32 = 0;
    for (index, run) in runs.iter().enumerate() {
        match run.0 {
            b'S' => {
                if index != 0 || run.1 != 1 {
                    return Err("S must be the first symbol and occur once".to_string());
                }
                signed = true;
            }
            b'V' => {
                if point || run.1 != 1 {
                    return Err("V occurs more than once".to_string());
                }
                point = true;
            }
            b'P' => {
                if digits == 0 {
                    p_before += run.1
                } else {
                    p_after += run.1
                }
            }
            _ => {
                if p_after > 0 {
                    return Err("P stands between digits".to_string());
                }
                digits = digits.saturating_add(run.1);
                if point {
                    decimals = decimals.saturating_add(run.1);
                }
            }
        }
    }
    if digits == 0 {
        return Err("the picture has no digit position".to_string());
    }
    if p_before > 0 && p_after > 0 {
        return Err("P stands on both sides of the digits".to_string());
    }
    if digits.saturating_add(p_before).saturating_add(p_after) > DIGITS_MAX {
        return Err(format!("the picture has {digits} digits; too many"));
    }
    let scale = match (p_before, p_after) {
        (0, 0) => decimals as i8,
        (before, 0) => (digits + before) as i8,
        (_, after) => -(after as i8),
    };
    Ok(PictureInfo { category: Category::Numeric, digits: digits as u8, scale, signed, characters: digits, symbols: Vec::new() })
}

fn external_float(runs: &[(u8, u32)]) -> Result<PictureInfo, String> {
    let total: u64 = runs.iter().map(|run| u64::from(run.1)).sum();
    let symbols = flatten(runs, total)?;
    let exponent = symbols.iter().position(|symbol| *symbol == b'E').ok_or("no E")?;
    let (mantissa, rest) = symbols.split_at(exponent);
    let sign = |bytes: &[u8]| matches!(bytes.first(), Some(b'+' | b'-'));
    if !sign(mantissa) || !sign(&rest[1..]) || rest.len() != 4 || &rest[2..] != b"99" {
        return Err("a floating-point picture has the form +9(m)E+99".to_string());
    }
    let places = &mantissa[1..];
    if places.iter().any(|symbol| !matches!(symbol, b'9' | b'.' | b'V' | b',')) {
        return Err("the mantissa of a floating-point picture has only 9, V and a decimal point".to_string());
    }
    let digits = places.iter().filter(|symbol| **symbol == b'9').count();
    if digits == 0 || digits > 16 {
        return Err("the mantissa has 1 to 16 digits".to_string());
    }
    let point = places.iter().position(|symbol| *symbol != b'9');
    let scale = point.map_or(0, |point| places.len() - point - 1);
    let stored = symbols.iter().filter(|symbol| **symbol != b'V').count();
    let characters = stored as u32;
    Ok(PictureInfo { category: Category::ExternalFloat, digits: digits as u8, scale: scale as i8, signed: true, characters, symbols })
}

fn numeric_edited(runs: &[(u8, u32)], rules: &PictureRules) -> Result<PictureInfo, String> {
    let total: u64 = runs.iter().map(|run| u64::from(run.1) * if matches!(run.0, b'c' | b'd') { 2 } else { 1 }).sum();
    let symbols = flatten(runs, total)?;
    let (point, _) = if rules.decimal_point_is_comma { (b',', b'.') } else { (b'.', b',') };
    if let Some(run) = runs.iter().find(|run| matches!(run.0, b'A' | b'X' | b'N' | b'G' | b'S' | b'E')) {
        return Err(format!("the symbol {} cannot be used in a numeric-edited picture", symbol_name(run.0)));
    }
    check_edited(runs, point, rules)?;
    let floating = floating_symbol(&symbols, rules);
    check_order(&symbols, floating)?;
    let mut digits = 0_u32;
    let mut decimals = 0_u32;
    let mut after_point = false;
    let mut p_count = 0_i32;
    let mut p_left = false;
    let mut floated = false;
    for symbol in &symbols {
        let is_digit = match *symbol {
            b'9' | b'Z' | b'*' => true,
            other if Some(other) == floating => std::mem::replace(&mut floated, true),
            b'P' => {
                p_left |= digits == 0;
                p_count += 1;
                false
            }
            b'V' => {
                after_point = true;
                false
            }
            other if other == point => {
                after_point = true;
                false
            }
            _ => false,
        };
        if is_digit {
            digits += 1;
            decimals += u32::from(after_point);
        }
    }
    if digits == 0 {
        return Err("the picture has no digit position".to_string());
    }
    if digits > DIGITS_MAX || p_count > DIGITS_MAX as i32 {
        return Err(format!("the picture has {digits} digits; too many"));
    }
    let scale = match (p_count, p_left) {
        (0, _) => decimals as i32,
        (count, true) => digits as i32 + count,
        (count, false) => -count,
    };
    // A currency sign longer than its symbol widens the item once.
    let mut characters = symbols.iter().filter(|symbol| !matches!(symbol, b'V' | b'P')).count() as u32;
    if let Some(currency) = rules.currencies.iter().find(|currency| symbols.contains(&currency.0)) {
        characters += currency.1.saturating_sub(1);
    }
    let signed = symbols.iter().any(|symbol| matches!(symbol, b'+' | b'-')) || runs.iter().any(|run| matches!(run.0, b'c' | b'd'));
    Ok(PictureInfo { category: Category::NumericEdited, digits: digits as u8, scale: scale as i8, signed, characters, symbols })
}

/// The symbol that floats: +, - or a currency symbol that occurs at least twice as an insertion string.
fn floating_symbol(symbols: &[u8], rules: &PictureRules) -> Option<u8> {
    let candidates = [b'+', b'-'].into_iter().chain(rules.currencies.iter().map(|currency| currency.0));
    candidates.into_iter().find(|candidate| symbols.iter().filter(|symbol| *symbol == candidate).count() > 1)
}

fn check_edited(runs: &[(u8, u32)], point: u8, rules: &PictureRules) -> Result<(), String> {
    let count = |wanted: u8| -> u32 { runs.iter().filter(|run| run.0 == wanted).map(|run| run.1).sum() };
    if count(point) + count(b'V') > 1 {
        return Err("the picture has more than one decimal point".to_string());
    }
    if count(b'Z') > 0 && count(b'*') > 0 {
        return Err("Z and * exclude each other".to_string());
    }
    if count(b'c') + count(b'd') > 1 {
        return Err("CR and DB occur once at most".to_string());
    }
    if let Some(at) = runs.iter().position(|run| matches!(run.0, b'c' | b'd')) {
        if at + 1 != runs.len() {
            return Err("CR or DB must be the last symbol".to_string());
        }
        if count(b'+') + count(b'-') > 0 {
            return Err("CR and DB exclude + and -".to_string());
        }
    }
    if count(b'+') > 0 && count(b'-') > 0 {
        return Err("+ and - exclude each other".to_string());
    }
    let known = |symbol: u8| b"9ZVP*B0/,.+-cd".contains(&symbol) || rules.currencies.iter().any(|currency| currency.0 == symbol);
    match runs.iter().find(|run| !known(run.0)) {
        Some(run) => Err(format!("'{}' is not a symbol of a numeric-edited picture", symbol_name(run.0))),
        None => Ok(()),
    }
}

/// Checks the order of symbols (Language Reference, "PICTURE clause symbols and sequence", the table of precedence).
fn check_order(symbols: &[u8], floating: Option<u8>) -> Result<(), String> {
    let replaced = |symbol: &u8| matches!(symbol, b'Z' | b'*') || Some(*symbol) == floating;
    let nine = symbols.iter().position(|symbol| *symbol == b'9');
    if let Some(later) = nine.and_then(|nine| symbols[nine..].iter().find(|symbol| replaced(symbol))) {
        return Err(format!("{} cannot stand to the right of 9", symbol_name(*later)));
    }
    if floating.is_some() && symbols.iter().any(|symbol| matches!(symbol, b'Z' | b'*')) {
        return Err("a floating insertion string excludes Z and *".to_string());
    }
    let is_sign = |symbol: &u8| matches!(symbol, b'+' | b'-') && Some(*symbol) != floating;
    match symbols.iter().position(is_sign) {
        Some(at) if at != 0 && at + 1 != symbols.len() => Err(format!("{} must be the first or the last symbol", symbol_name(symbols[at]))),
        _ => Ok(()),
    }
}

fn symbol_name(symbol: u8) -> String {
    match symbol {
        b'c' => "CR".to_string(),
        b'd' => "DB".to_string(),
        other => char::from(other).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(text: &str) -> PictureInfo {
        analyze(text, &PictureRules::default()).unwrap_or_else(|message| panic!("{text}: {message}"))
    }

    #[test]
    fn numeric_pictures() {
        let picture = info("S9(5)V99");
        assert_eq!((picture.category, picture.digits, picture.scale, picture.signed), (Category::Numeric, 7, 2, true));
        assert_eq!((info("9(3)PP").digits, info("9(3)PP").scale), (3, -2));
        assert_eq!((info("PP9(3)").digits, info("PP9(3)").scale), (3, 5));
        assert_eq!((info("VPP9").digits, info("VPP9").scale), (1, 3));
    }

    #[test]
    fn edited_pictures_count_digits_and_characters() {
        let picture = info("$$,$$9.99CR");
        assert_eq!((picture.category, picture.digits, picture.scale, picture.characters), (Category::NumericEdited, 6, 2, 11));
        let picture = info("-(7)9.99");
        assert_eq!((picture.digits, picture.scale, picture.characters, picture.signed), (9, 2, 11, true));
        assert_eq!(info("ZZ,ZZ9").characters, 6);
        assert_eq!(info("+9(4)").digits, 4);
        assert_eq!(info("99/99/9999").category, Category::NumericEdited);
        assert_eq!(info("XXBXX").category, Category::AlphanumericEdited);
        assert_eq!(info("+9.9(5)E+99").category, Category::ExternalFloat);
        assert_eq!(info("+9.9(5)E+99").characters, 12);
    }

    #[test]
    fn text_pictures() {
        assert_eq!((info("X(10)").category, info("X(10)").characters), (Category::Alphanumeric, 10));
        assert_eq!(info("a(4)").category, Category::Alphabetic);
        assert_eq!(info("N(4)").category, Category::National);
        assert_eq!(info("A99X").category, Category::Alphanumeric);
    }

    #[test]
    fn wrong_pictures_are_refused() {
        let rules = PictureRules::default();
        for text in [
            "",
            "9(0)",
            "9(",
            "9(2",
            "99V9V9",
            "9S9",
            "Q",
            "P9P",
            "ZZ*9",
            "X(999999999999)",
            "9(99)",
            "9CR9",
            "V",
            "Z(300)",
            "Z9Z",
            "9*",
            "$9$9",
            "$$Z9",
            "9+9",
            "+9+",
        ] {
            assert!(analyze(text, &rules).is_err(), "{text}");
        }
    }

    #[test]
    fn decimal_comma_exchanges_point_and_comma() {
        let rules = PictureRules { decimal_point_is_comma: true, ..PictureRules::default() };
        let picture = analyze("ZZ.ZZ9,99", &rules).expect("picture");
        assert_eq!((picture.digits, picture.scale), (7, 2));
    }
}
