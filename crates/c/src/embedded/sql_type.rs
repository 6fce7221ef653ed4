//! SQL TYPE IS in declarations of C: LOBs, locators, binary strings and row identifiers, which become types of C.
//!
//! Rules: Db2 for z/OS Application Programming and SQL Guide, "Host variables in C and C++", "Equivalent SQL and C data types".

use super::declarations::Token;
use crate::scan::Unit;
use sql::VariableType;

const LOB_BYTES_MAX: u64 = 2_147_483_647;
const BINARY_BYTES_MAX: u64 = 255;
const VARYING_BYTES_MAX: u64 = 32_704;
const ROW_ID_BYTES: u32 = 40;
const LOCATOR_BYTES: u32 = 4;

/// Reads the type behind SQL TYPE IS: its form, its length, and how many tokens it has. `None`: there is no such type.
pub fn parse(tokens: &[Token]) -> Option<(VariableType, u32, usize)> {
    let words: Vec<String> = tokens.iter().take(8).map(|(_, text)| text.to_ascii_uppercase()).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    // XML is kept as the LOB that follows.
    let skipped = if word(0) == "XML" && word(1) == "AS" { 2 } else { 0 };
    let (kind, taken) = match (word(skipped), word(skipped + 1), word(skipped + 2)) {
        ("CHARACTER" | "CHAR", "LARGE", "OBJECT") => (VariableType::Clob, 3),
        ("BINARY", "LARGE", "OBJECT") => (VariableType::Blob, 3),
        ("CLOB", ..) => (VariableType::Clob, 1),
        ("BLOB", ..) => (VariableType::Blob, 1),
        ("DBCLOB", ..) => (VariableType::DbClob, 1),
        ("BINARY", "VARYING", _) => (VariableType::VarBinary, 2),
        ("VARBINARY", ..) => (VariableType::VarBinary, 1),
        ("BINARY", ..) => (VariableType::Binary, 1),
        ("ROWID", ..) => return Some((VariableType::RowId, ROW_ID_BYTES, skipped + 1)),
        ("CLOB_LOCATOR", ..) => return Some((VariableType::ClobLocator, LOCATOR_BYTES, skipped + 1)),
        ("BLOB_LOCATOR", ..) => return Some((VariableType::BlobLocator, LOCATOR_BYTES, skipped + 1)),
        ("DBCLOB_LOCATOR", ..) => return Some((VariableType::DbClobLocator, LOCATOR_BYTES, skipped + 1)),
        ("RESULT_SET_LOCATOR", varying, _) => {
            return Some((VariableType::ResultSetLocator, LOCATOR_BYTES, skipped + 1 + usize::from(varying == "VARYING")));
        }
        _ => return None,
    };
    let longest = match kind {
        VariableType::Clob | VariableType::Blob => LOB_BYTES_MAX,
        VariableType::DbClob => LOB_BYTES_MAX / 2,
        VariableType::Binary => BINARY_BYTES_MAX,
        _ => VARYING_BYTES_MAX,
    };
    let (length, more) = length(&tokens[(skipped + taken).min(tokens.len())..])?;
    (1..=longest).contains(&length).then(|| (kind, length as u32, skipped + taken + more))
}

/// Why the words behind SQL TYPE IS are no type.
pub fn refusal(words: &str) -> String {
    let upper = words.to_ascii_uppercase();
    if upper.split_whitespace().any(|word| word.ends_with("LOB_FILE")) {
        return format!("SQL TYPE IS {words}: LOB file reference variables are not supported; use a LOB or a locator");
    }
    if upper.starts_with("TABLE ") {
        return format!("SQL TYPE IS {words}: table locators are not supported");
    }
    format!("SQL TYPE IS {words} names no type; CLOB, BLOB, DBCLOB, BINARY, VARBINARY with a length, ROWID and locators do")
}

/// `(n)`, with K, M or G behind the number.
fn length(tokens: &[Token]) -> Option<(u64, usize)> {
    let [(Unit::Other('('), _), (Unit::Number, number), rest @ ..] = tokens else { return None };
    let number = number.to_ascii_uppercase();
    let digits = number.trim_end_matches(['K', 'M', 'G']);
    let mut unit = number[digits.len()..].to_string();
    let mut count = 2;
    if unit.is_empty()
        && let [(Unit::Word, word), ..] = rest
    {
        unit = word.to_ascii_uppercase();
        count += 1;
    }
    let shift = match unit.as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    if tokens.get(count).is_none_or(|(_, text)| *text != ")") {
        return None;
    }
    Some((digits.parse::<u64>().ok()?.checked_mul(1 << shift)?, count + 1))
}

/// The type in C.
pub fn in_c(kind: VariableType, length: u32) -> String {
    match kind {
        VariableType::Binary => format!("__typeof__(char[{length}])"),
        VariableType::VarBinary | VariableType::RowId => format!("struct {{ short len; char data[{length}]; }}"),
        VariableType::Clob | VariableType::Blob => format!("struct {{ unsigned int length; char data[{length}]; }}"),
        VariableType::DbClob => format!("struct {{ unsigned int length; unsigned short data[{length}]; }}"),
        _ => "unsigned int".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::units;

    fn parsed(text: &str) -> Option<(VariableType, u32, usize)> {
        let tokens: Vec<Token> = units(text).filter(|(unit, _)| *unit != Unit::Space).collect();
        parse(&tokens)
    }

    #[test]
    fn types_have_lengths_in_units() {
        assert_eq!(parsed("CLOB(10K) x;"), Some((VariableType::Clob, 10_240, 4)));
        assert_eq!(parsed("binary large object (2 M) x;"), Some((VariableType::Blob, 2 << 20, 7)));
        assert_eq!(parsed("BINARY(5) x;"), Some((VariableType::Binary, 5, 4)));
        assert_eq!(parsed("BINARY VARYING(5) x;"), Some((VariableType::VarBinary, 5, 5)));
        assert_eq!(parsed("XML AS CLOB(1) x;"), Some((VariableType::Clob, 1, 6)));
        assert_eq!(parsed("CLOB_LOCATOR x;"), Some((VariableType::ClobLocator, 4, 1)));
        for wrong in ["CLOB x;", "BINARY(256) x;", "CLOB(3G) x;", "CLOB(", "NUMBER(5) x;", ""] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
