//! USAGE SQL TYPE IS: LOBs, locators, row identifiers and binary strings, which become items that COBOL can describe.
//!
//! Rules: Db2 for z/OS Application Programming and SQL Guide, "Equivalent SQL and COBOL data types".

use super::Parser;
use super::cursor::Parsed;
use crate::data::entry::Entry;
use crate::lexer::TokenKind;
use crate::program::Usage;
use sql::VariableType;

/// The longest LOB that an item can hold.
const LOB_BYTES_MAX: u64 = 999_999_999;
const BINARY_BYTES_MAX: u64 = 255;
const VARYING_BYTES_MAX: u64 = 32_704;
const ROW_ID_BYTES: u32 = 40;

impl Parser<'_> {
    /// `SQL TYPE IS` and the type, behind USAGE IS.
    pub fn sql_type(&mut self) -> Parsed<(VariableType, u32)> {
        self.begin_clause(&["TYPE", "IS"]);
        let (word, span) = (self.word(), self.span());
        self.advance();
        // XML is kept as the LOB that follows.
        let word = if word == "XML" && self.accept("AS") {
            let lob = self.word();
            self.advance();
            lob
        } else {
            word
        };
        let long = self.accept_pair("LARGE", "OBJECT");
        let kind = match (word, long) {
            ("CLOB", _) | ("CHAR" | "CHARACTER", true) => VariableType::Clob,
            ("BLOB", _) | ("BINARY", true) => VariableType::Blob,
            ("DBCLOB", _) => VariableType::DbClob,
            ("BINARY", false) if self.accept("VARYING") => VariableType::VarBinary,
            ("BINARY", false) => VariableType::Binary,
            ("VARBINARY", _) => VariableType::VarBinary,
            ("ROWID", _) => VariableType::RowId,
            ("CLOB-LOCATOR", _) => VariableType::ClobLocator,
            ("BLOB-LOCATOR", _) => VariableType::BlobLocator,
            ("DBCLOB-LOCATOR", _) => VariableType::DbClobLocator,
            ("RESULT-SET-LOCATOR", _) => {
                self.accept("VARYING");
                VariableType::ResultSetLocator
            }
            _ => return self.fail_at(span, format!("SQL TYPE IS {word} is not supported")),
        };
        let longest = match kind {
            VariableType::Clob | VariableType::Blob => LOB_BYTES_MAX,
            VariableType::DbClob => LOB_BYTES_MAX / 2,
            VariableType::Binary => BINARY_BYTES_MAX,
            VariableType::VarBinary => VARYING_BYTES_MAX,
            VariableType::RowId => return Ok((kind, ROW_ID_BYTES)),
            _ => return Ok((kind, 4)),
        };
        let length = self.sql_length()?;
        match u32::try_from(length) {
            Ok(fitting) if (1..=longest).contains(&length) => Ok((kind, fitting)),
            _ => self.fail_at(span, format!("SQL TYPE IS {word}({length}): the length must be 1 to {longest}")),
        }
    }

    /// `(n)`, with K, M or G behind the number.
    fn sql_length(&mut self) -> Parsed<u64> {
        self.expect_kind(&TokenKind::LeftParenthesis)?;
        let text = match &self.token().kind {
            TokenKind::Number(number) => number.text.to_string(),
            TokenKind::Word(word) => word.to_string(),
            _ => return self.fail("a length"),
        };
        let (digits, unit) = text.split_at(text.trim_end_matches(['K', 'M', 'G']).len());
        let Ok(number) = digits.parse::<u64>() else { return self.fail("a length") };
        self.advance();
        let unit = if unit.is_empty() { self.accept_any(&["K", "M", "G"]).unwrap_or("") } else { unit };
        let shift = match unit {
            "" => 0,
            "K" => 10,
            "M" => 20,
            "G" => 30,
            _ => return self.fail("K, M or G"),
        };
        self.expect_kind(&TokenKind::RightParenthesis)?;
        Ok(number.saturating_mul(1 << shift))
    }
}

/// Gives an item with SQL TYPE its description; returns the items below it.
pub fn describe(entry: &mut Entry) -> Vec<Entry> {
    let Some((kind, length)) = entry.sql_type else { return Vec::new() };
    let span = entry.span;
    let described = |entry: &mut Entry, picture: String, usage: Usage| {
        entry.picture = Some((picture.into(), span));
        entry.usage = Some(usage);
    };
    let (suffixes, size, data) = match kind {
        VariableType::Clob | VariableType::Blob => (["LENGTH", "DATA"], "S9(9)", 'X'),
        VariableType::DbClob => (["LENGTH", "DATA"], "S9(9)", 'G'),
        VariableType::VarBinary | VariableType::RowId => (["LEN", "TEXT"], "S9(4)", 'X'),
        VariableType::Binary => {
            described(entry, format!("X({length})"), Usage::Display);
            return Vec::new();
        }
        _ => {
            described(entry, "S9(9)".to_string(), Usage::NativeBinary);
            return Vec::new();
        }
    };
    // A level 77 item has none below it.
    entry.level = if entry.level == 77 { 1 } else { entry.level };
    entry.usage = None;
    let usage = if data == 'G' { Usage::Display1 } else { Usage::Display };
    let name = entry.name.clone();
    let member = |suffix: &str, picture: String, usage: Usage| {
        let name = name.as_ref().map(|name| format!("{name}-{suffix}").into());
        let mut member = Entry { level: 49, name, span, ..Entry::default() };
        described(&mut member, picture, usage);
        member
    };
    vec![member(suffixes[0], size.to_string(), Usage::NativeBinary), member(suffixes[1], format!("{data}({length})"), usage)]
}
