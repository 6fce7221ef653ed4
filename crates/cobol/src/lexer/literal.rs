//! Literals: from the text with prefix and quotes to kind and value.
//!
//! Invariant: a malformed literal still yields a usable one together with the problem, so that parsing continues.

use super::{Literal, LiteralKind};

/// The error in a literal, and its replacement.
#[derive(Debug)]
pub struct Malformed {
    pub text: String,
    pub literal: Literal,
}

/// The most a literal may have of its units (Language Reference, Literals, and the appendix Compiler limits; Programming Guide, Using DBCS
/// literals).
fn limit(kind: LiteralKind) -> (&'static str, usize, &'static str) {
    match kind {
        LiteralKind::Alphanumeric => ("an alphanumeric literal", 160, "bytes"),
        LiteralKind::NullTerminated => ("a null-terminated literal", 159, "bytes"),
        LiteralKind::National => ("a national literal", 80, "characters"),
        LiteralKind::Dbcs => ("a DBCS literal", 28, "characters"),
        LiteralKind::Utf8 => ("a UTF-8 literal", 160, "bytes"),
        LiteralKind::Boolean => ("a boolean literal", 160, "digits"),
        LiteralKind::Hexadecimal | LiteralKind::NationalHexadecimal | LiteralKind::Utf8Hexadecimal => {
            ("a hexadecimal literal", 320, "hexadecimal digits")
        }
    }
}

/// A literal's length in the units of its limit.
fn length(kind: LiteralKind, value: &str) -> usize {
    match kind {
        LiteralKind::National => value.encode_utf16().count(),
        LiteralKind::Utf8 => value.len(),
        _ => value.chars().count(),
    }
}

/// The error in a literal that is too long.
fn excess(kind: LiteralKind, value: &str) -> Option<String> {
    let ((name, most, unit), length) = (limit(kind), length(kind, value));
    (length > most).then(|| format!("{name} has at most {most} {unit}; this one has {length}"))
}

/// Takes a literal apart.
pub fn parse(text: &str) -> Result<Literal, Malformed> {
    let open = text.find(['\'', '"']).unwrap_or(0);
    let prefix = text[..open].to_ascii_uppercase();
    let quote = text[open..].chars().next().unwrap_or('\'');
    let body = text[open..].strip_prefix(quote).unwrap_or("");
    let body = body.strip_suffix(quote).unwrap_or(body);
    let doubled = format!("{quote}{quote}");
    let value = if body.contains(quote) { body.replace(&doubled, &quote.to_string()) } else { body.to_string() };
    let kind = match prefix.as_str() {
        "X" | "H" => LiteralKind::Hexadecimal,
        "UX" => LiteralKind::Utf8Hexadecimal,
        "N" => LiteralKind::National,
        "NX" => LiteralKind::NationalHexadecimal,
        "Z" => LiteralKind::NullTerminated,
        "G" => LiteralKind::Dbcs,
        "U" => LiteralKind::Utf8,
        "B" | "BX" => LiteralKind::Boolean,
        _ => LiteralKind::Alphanumeric,
    };
    let (bytes, problem) = match kind {
        LiteralKind::Hexadecimal | LiteralKind::NationalHexadecimal | LiteralKind::Utf8Hexadecimal => {
            hexadecimal(&value, if kind == LiteralKind::NationalHexadecimal { 4 } else { 2 })
        }
        LiteralKind::Boolean if prefix == "BX" => hexadecimal(&value, 2),
        LiteralKind::Boolean => bits(&value),
        _ => (Vec::new(), None),
    };
    let value = match kind {
        LiteralKind::Dbcs | LiteralKind::National => value.trim_matches(['\u{0E}', '\u{0F}']).to_string(),
        _ => value,
    };
    let problem = problem.or_else(|| excess(kind, &value));
    let literal = Literal { kind, text: value.into(), bytes: bytes.into(), quote };
    match problem {
        None => Ok(literal),
        Some(text) => Err(Malformed { text, literal }),
    }
}

/// Hexadecimal digits to bytes; the number of digits must be a multiple of `group`.
fn hexadecimal(text: &str, group: usize) -> (Vec<u8>, Option<String>) {
    let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let Some(mut digits) = digits else {
        return (vec![0; group / 2], Some("a hexadecimal literal may hold only 0 to 9 and A to F".into()));
    };
    let wrong = digits.is_empty() || digits.len() % group != 0;
    while digits.is_empty() || digits.len() % group != 0 {
        digits.push(0);
    }
    let bytes = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    (bytes, wrong.then(|| format!("a hexadecimal literal of this kind has a multiple of {group} digits")))
}

fn bits(text: &str) -> (Vec<u8>, Option<String>) {
    let valid = !text.is_empty() && text.chars().all(|c| matches!(c, '0' | '1'));
    let mut bytes = vec![0_u8; text.len().div_ceil(8).max(1)];
    for (index, _) in text.char_indices().filter(|(_, c)| *c == '1') {
        bytes[index / 8] |= 0x80 >> (index % 8);
    }
    (bytes, (!valid).then(|| "a boolean literal may hold only 0 and 1".to_string()))
}
