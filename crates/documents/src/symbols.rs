//! Symbols: the table of a document, and lists of symbols as programs give them.
//!
//! A list is what a browser sends for a form (`application/x-www-form-urlencoded`): names and values with an equals sign between them,
//! separated by ampersands or by another byte. Source: CICS TS 5.5, "Symbols and symbol lists", "Rules for specifying symbols and symbol lists".
//!
//! Invariants: a name has 1 to 32 of the characters that names may have, and its case counts; a value that a program has set is not changed
//! by a template.

use codepage::CodePage;
use std::collections::HashMap;

/// Memory of a symbol besides its name and value.
const SYMBOL_BYTES: usize = 96;
/// Longest name.
const NAME_LENGTH_MAX: usize = 32;
/// Characters of a name besides letters and digits.
const SPECIAL: &[u8] = b"$_-#.@";
/// Delimiters that are not allowed, as ASCII characters; null, shift-out and shift-in are not allowed either.
const NOT_DELIMITERS: &[u8] = b" +:=%\\";
const SHIFTS: [u8; 2] = [0x0E, 0x0F];

/// The value of a symbol.
struct Symbol {
    value: Vec<u8>,
    /// A program has set it, not a template.
    is_of_program: bool,
}

#[derive(Default)]
pub struct SymbolTable {
    symbols: HashMap<String, Symbol>,
}

impl SymbolTable {
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.symbols.get(name).map(|symbol| symbol.value.as_slice())
    }

    /// Sets a symbol for a program.
    pub fn set(&mut self, name: String, value: Vec<u8>) {
        self.symbols.insert(name, Symbol { value, is_of_program: true });
    }

    /// Sets the default of a symbol, unless a program has set it.
    pub fn set_default(&mut self, name: String, value: Vec<u8>) {
        if self.symbols.get(&name).is_none_or(|symbol| !symbol.is_of_program) {
            self.symbols.insert(name, Symbol { value, is_of_program: false });
        }
    }

    /// Bytes of memory that the names and values take.
    pub fn memory_bytes(symbols: &[(String, Vec<u8>)]) -> usize {
        symbols.iter().map(|(name, value)| SYMBOL_BYTES + name.len() + value.len()).sum()
    }
}

/// How the values of a list are given.
pub struct Given<'a> {
    pub page: &'a CodePage,
    pub delimiter: u8,
    /// Plus signs and percent sequences stay as they are (UNESCAPED).
    pub unescaped: bool,
}

/// The name of a symbol; `None` if it is not one.
pub fn name_of(bytes: &[u8], page: &CodePage) -> Option<String> {
    let is_valid = |character: &u8| character.is_ascii_alphanumeric() || SPECIAL.contains(character);
    let name: Vec<u8> = bytes.iter().map(|byte| page.to_ascii(*byte)).collect();
    let fits = (1..=NAME_LENGTH_MAX).contains(&name.len()) && name.iter().all(is_valid);
    fits.then(|| String::from_utf8(name).expect("ASCII"))
}

/// Whether a byte may separate the symbols of a list.
pub fn is_delimiter(byte: u8, page: &CodePage) -> bool {
    byte != 0 && !SHIFTS.contains(&byte) && NOT_DELIMITERS.iter().all(|character| page.ascii(*character) != byte)
}

/// The symbols of a list.
///
/// # Errors
///
/// The offset of the first one whose name is not valid.
pub fn parse(list: &[u8], given: &Given) -> Result<Vec<(String, Vec<u8>)>, usize> {
    let mut symbols = Vec::new();
    let mut offset = 0;
    if list.is_empty() {
        return Ok(symbols);
    }
    for part in list.split(|byte| *byte == given.delimiter) {
        let equals = part.iter().position(|byte| *byte == given.page.ascii(b'=')).ok_or(offset)?;
        let name = name_of(&part[..equals], given.page).ok_or(offset)?;
        symbols.push((name, value_of(&part[equals + 1..], given)));
        offset += part.len() + 1;
    }
    Ok(symbols)
}

/// A value with its plus signs and percent sequences replaced: `+` is a space, `%2B` the character of that code in ASCII.
pub fn value_of(bytes: &[u8], given: &Given) -> Vec<u8> {
    if given.unescaped {
        return bytes.to_vec();
    }
    let page = given.page;
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(page.to_ascii(*byte)).to_digit(16));
    let (mut value, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte == page.ascii(b'+') {
            value.push(page.space);
        } else if byte == page.ascii(b'%')
            && let (Some(high), Some(low)) = (digit(at), digit(at + 1))
        {
            let character = char::from_u32(high << 4 | low).unwrap_or_default();
            value.extend(page.encode(character.encode_utf8(&mut [0; 4])));
            at += 2;
        } else {
            value.push(byte);
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use codepage::CCSID_037;

    fn parsed(list: &str, delimiter: char, unescaped: bool) -> Result<Vec<(String, String)>, usize> {
        let delimiter = CCSID_037.byte_of(delimiter).unwrap();
        let symbols = parse(&CCSID_037.encode(list), &Given { page: &CCSID_037, delimiter, unescaped })?;
        Ok(symbols.into_iter().map(|(name, value)| (name, CCSID_037.decode(&value))).collect())
    }

    #[test]
    fn a_list_is_a_form() {
        let pairs =
            |pairs: &[(&str, &str)]| Ok(pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect::<Vec<_>>());
        assert_eq!(parsed("applid=IYCQ&jobname=test", '&', false), pairs(&[("applid", "IYCQ"), ("jobname", "test")]));
        assert_eq!(parsed("a=1+2%2B3%41", '&', false), pairs(&[("a", "1 2+3A")]));
        assert_eq!(parsed("a=1+2%2B3", '&', true), pairs(&[("a", "1+2%2B3")]));
        assert_eq!(parsed("a=1&2!b=", '!', false), pairs(&[("a", "1&2"), ("b", "")]));
        assert_eq!(parsed("a=50%", '&', false), pairs(&[("a", "50%")]));
        assert_eq!(parsed("", '&', false), pairs(&[]));
    }

    #[test]
    fn the_offset_of_an_invalid_name_is_told() {
        assert_eq!(parsed("good=1&b d=2", '&', false), Err(7));
        assert_eq!(parsed("=1", '&', false), Err(0));
        assert_eq!(parsed("a=1&", '&', false), Err(4));
        assert_eq!(parsed(&format!("{}=1", "x".repeat(32)), '&', false).map(|list| list.len()), Ok(1));
        assert_eq!(parsed(&format!("{}=1", "x".repeat(33)), '&', false), Err(0));
    }

    #[test]
    fn some_bytes_are_no_delimiters() {
        for byte in [0x00, 0x0E, 0x0F, 0x40, 0x4E, 0x7A, 0x7E, 0x6C, 0xE0] {
            assert!(!is_delimiter(byte, &CCSID_037), "{byte:02X}");
        }
        assert!(is_delimiter(0x50, &CCSID_037) && is_delimiter(0x5A, &CCSID_037));
    }

    #[test]
    fn a_template_does_not_change_what_a_program_has_set() {
        let mut table = SymbolTable::default();
        table.set_default("A".into(), b"1".to_vec());
        table.set_default("A".into(), b"2".to_vec());
        assert_eq!(table.get("A"), Some(&b"2"[..]));
        table.set("A".into(), b"3".to_vec());
        table.set_default("A".into(), b"4".to_vec());
        assert_eq!((table.get("A"), table.get("a")), (Some(&b"3"[..]), None));
    }
}
