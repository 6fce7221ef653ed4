//! The LOAD utility: where its records are, and how they become rows.

use super::token::{Kind, Tokens};
use crate::diagnostic::Diagnostic;

/// LOAD DATA.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Load {
    /// The DD statement of the records.
    pub input: String,
    /// REPLACE: the tables are emptied first.
    pub replace: bool,
    /// RESUME YES: rows are added to a table that has some. Without it and without REPLACE the tables must be empty.
    pub resume: bool,
    pub encoding: Encoding,
    /// CCSID of character data, if it is given.
    pub ccsid: Option<u16>,
    pub format: Format,
    pub into: Vec<IntoTable>,
    /// Clauses without effect.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Ebcdic,
    Ascii,
    Unicode,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Fields have positions, or follow each other.
    Positional,
    /// FORMAT DELIMITED: fields stand between delimiters.
    Delimited { column: char, character: char, decimal: char },
}

/// INTO TABLE.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IntoTable {
    /// With its qualifier, if it has one.
    pub table: Vec<String>,
    /// All must hold for a record to become a row of this table.
    pub when: Vec<Condition>,
    /// Empty: the columns of the table in their order, in internal formats.
    pub fields: Vec<Field>,
    pub replace: bool,
    pub resume: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub name: String,
    pub place: Place,
    pub kind: FieldKind,
    /// The column is NULL if this holds.
    pub null_if: Option<Condition>,
    /// The column has its default if this holds.
    pub default_if: Option<Condition>,
    /// The name stands only in conditions: no column is loaded.
    pub is_ignored: bool,
}

/// Bytes of the record, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Behind the field before.
    Next,
    From(u32),
    Between(u32, u32),
}

/// The form of a field in the record. Lengths that are not given follow from the place or the column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// No type is given: that of the column.
    OfColumn,
    Char(Option<u32>),
    /// A halfword with the length, then the characters.
    VarChar,
    Graphic(Option<u32>),
    VarGraphic,
    Binary(Option<u32>),
    VarBinary,
    SmallInt,
    Integer,
    BigInt,
    IntegerExternal(Option<u32>),
    Packed,
    Zoned,
    /// Characters of a decimal number: length, and decimal places if it has no point.
    DecimalExternal(Option<u32>, u32),
    /// Binary digits: up to 21 are single precision.
    Float(Option<u32>),
    FloatExternal(Option<u32>),
    DateExternal(Option<u32>),
    TimeExternal(Option<u32>),
    TimestampExternal(Option<u32>),
    RowId,
    Clob,
    Blob,
}

/// `(place) = value` or `field = value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub place: Result<Place, String>,
    pub is_equal: bool,
    pub value: ConditionValue,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConditionValue {
    Text(String),
    Bytes(Vec<u8>),
}

/// Options with one value, and options alone, that have no effect.
const ONE_VALUE: &[&str] = &[
    "LOG",
    "ENFORCE",
    "SORTDEVT",
    "SORTNUM",
    "SORTKEYS",
    "STATISTICS",
    "COPYDDN",
    "RECOVERYDDN",
    "WORKDDN",
    "DISCARDDN",
    "DISCARDS",
    "ERRDDN",
    "MAPDDN",
    "KEEPDICTIONARY",
    "SHRLEVEL",
    "PREFORMAT",
    "REUSE",
    "NUMRECS",
    "FLOAT",
    "PARALLEL",
    "IDENTITYOVERRIDE",
    "PRESORTED",
    "FORCE",
];

/// A LOAD statement, at LOAD.
pub fn load(tokens: &mut Tokens) -> Result<Load, Diagnostic> {
    tokens.expect("LOAD")?;
    tokens.take("DATA");
    let mut load = Load {
        input: "SYSREC".to_string(),
        replace: false,
        resume: false,
        encoding: Encoding::Ebcdic,
        ccsid: None,
        format: Format::Positional,
        into: Vec::new(),
        notes: Vec::new(),
    };
    while !tokens.at_word("INTO") {
        option(tokens, &mut load)?;
    }
    while tokens.take("INTO") {
        load.into.push(into_table(tokens)?);
    }
    Ok(load)
}

fn option(tokens: &mut Tokens, load: &mut Load) -> Result<(), Diagnostic> {
    let Kind::Word(word) = tokens.kind().clone() else { return Err(tokens.unexpected("INTO TABLE")) };
    match word.as_str() {
        "INDDN" => {
            tokens.next();
            // A single value may stand in parentheses.
            let is_enclosed = tokens.take_symbol('(');
            load.input = tokens.name()?;
            if is_enclosed {
                tokens.expect_symbol(')')?;
            }
        }
        "REPLACE" => {
            tokens.next();
            load.replace = true;
        }
        "RESUME" => {
            tokens.next();
            load.resume = resume(tokens)?;
        }
        "EBCDIC" | "ASCII" | "UNICODE" => {
            tokens.next();
            load.encoding = match word.as_str() {
                "ASCII" => Encoding::Ascii,
                "UNICODE" => Encoding::Unicode,
                _ => Encoding::Ebcdic,
            };
        }
        "CCSID" => {
            tokens.next();
            load.ccsid = ccsid(tokens)?;
        }
        "FORMAT" => {
            tokens.next();
            tokens.expect("DELIMITED")?;
            load.format = delimited(tokens)?;
        }
        _ if ONE_VALUE.contains(&word.as_str()) => note(tokens, load, &word),
        _ => return Err(tokens.unexpected("INTO INDDN REPLACE RESUME LOG FORMAT EBCDIC ASCII UNICODE CCSID")),
    }
    Ok(())
}

/// A clause without effect: its word, a word or number behind it, and lists.
fn note(tokens: &mut Tokens, load: &mut Load, word: &str) {
    tokens.next();
    let mut clause = word.to_string();
    let is_option = |tokens: &Tokens| {
        let others = ["INTO", "INDDN", "REPLACE", "RESUME", "EBCDIC", "ASCII", "UNICODE", "CCSID", "FORMAT"];
        others.iter().chain(ONE_VALUE).any(|word| tokens.at_word(word))
    };
    match tokens.kind().clone() {
        Kind::Word(value) if !is_option(tokens) => {
            clause.push_str(&format!(" {value}"));
            tokens.next();
        }
        Kind::Number(value) => {
            clause.push_str(&format!(" {value}"));
            tokens.next();
        }
        _ => {}
    }
    if tokens.at_symbol('(') {
        skip_list(tokens);
    }
    load.notes.push(format!("accepted, no effect: {clause}"));
}

fn skip_list(tokens: &mut Tokens) {
    while !tokens.at_end() && !tokens.take_symbol(')') {
        tokens.next();
    }
}

fn resume(tokens: &mut Tokens) -> Result<bool, Diagnostic> {
    if tokens.take("YES") {
        return Ok(true);
    }
    tokens.expect("NO")?;
    Ok(false)
}

/// CCSID(sbcs, mixed, dbcs): the first that is not zero counts.
fn ccsid(tokens: &mut Tokens) -> Result<Option<u16>, Diagnostic> {
    let mut found = None;
    tokens.expect_symbol('(')?;
    loop {
        let number = tokens.number()?;
        found = found.or(u16::try_from(number).ok().filter(|number| *number > 0));
        if !tokens.take_symbol(',') {
            break;
        }
    }
    tokens.expect_symbol(')')?;
    Ok(found)
}

fn delimited(tokens: &mut Tokens) -> Result<Format, Diagnostic> {
    let (mut column, mut character, mut decimal) = (',', '"', '.');
    loop {
        let target = if tokens.take("COLDEL") {
            &mut column
        } else if tokens.take("CHARDEL") {
            &mut character
        } else if tokens.take("DECPT") {
            &mut decimal
        } else {
            return Ok(Format::Delimited { column, character, decimal });
        };
        *target = match tokens.kind() {
            Kind::Text(text) => text.chars().next(),
            // X'05' of the record's code page is left to the caller as the character of that number.
            Kind::Hexadecimal(bytes) => bytes.first().map(|byte| char::from(*byte)),
            _ => None,
        }
        .ok_or_else(|| tokens.unexpected("a character"))?;
        tokens.next();
    }
}

/// TABLE name, its options and its fields.
fn into_table(tokens: &mut Tokens) -> Result<IntoTable, Diagnostic> {
    tokens.expect("TABLE")?;
    let mut into = IntoTable { table: vec![tokens.name()?], ..IntoTable::default() };
    while tokens.take_symbol('.') {
        into.table.push(tokens.name()?);
    }
    loop {
        if tokens.take("WHEN") {
            into.when = conditions(tokens)?;
        } else if tokens.take("PART") {
            tokens.number()?;
        } else if tokens.take("REPLACE") {
            into.replace = true;
        } else if tokens.take("RESUME") {
            into.resume = resume(tokens)?;
        } else if tokens.take("IGNOREFIELDS") {
            resume(tokens)?;
        } else if tokens.take("INDDN") || tokens.take("DISCARDDN") {
            return Err(tokens.unexpected("one data set for all tables"));
        } else {
            break;
        }
    }
    if tokens.take_symbol('(') {
        loop {
            into.fields.push(field(tokens)?);
            if !tokens.take_symbol(',') {
                break;
            }
        }
        tokens.expect_symbol(')')?;
    }
    Ok(into)
}

fn conditions(tokens: &mut Tokens) -> Result<Vec<Condition>, Diagnostic> {
    let mut found = vec![condition(tokens)?];
    while tokens.take("AND") {
        found.push(condition(tokens)?);
    }
    if tokens.at_word("OR") {
        return Err(tokens.unexpected("AND"));
    }
    Ok(found)
}

/// (1:3)='ABC', (field)='x', field='x', and each in parentheses of its own.
fn condition(tokens: &mut Tokens) -> Result<Condition, Diagnostic> {
    let opened = tokens.take_symbol('(');
    let place = match tokens.kind() {
        Kind::Number(_) => Ok(place(tokens)?),
        Kind::Symbol('(') => {
            tokens.next();
            let place = place(tokens)?;
            tokens.expect_symbol(')')?;
            Ok(place)
        }
        _ => Err(tokens.name()?),
    };
    let closed = opened && tokens.take_symbol(')');
    let is_equal = if tokens.take_symbol('=') {
        true
    } else {
        let is_not = tokens.take_symbol('¬') || tokens.take_symbol('!');
        if is_not {
            tokens.expect_symbol('=')?;
        } else {
            tokens.expect_symbol('<')?;
            tokens.expect_symbol('>')?;
        }
        false
    };
    let value = match tokens.next() {
        Kind::Text(text) => ConditionValue::Text(text),
        Kind::Hexadecimal(bytes) => ConditionValue::Bytes(bytes),
        Kind::Number(number) => ConditionValue::Text(number.to_string()),
        _ => return Err(tokens.unexpected("a string")),
    };
    if opened && !closed {
        tokens.expect_symbol(')')?;
    }
    Ok(Condition { place, is_equal, value })
}

/// start, start:end.
fn place(tokens: &mut Tokens) -> Result<Place, Diagnostic> {
    let start = tokens.number()?;
    if !tokens.take_symbol(':') {
        return Ok(Place::From(start));
    }
    let end = tokens.number()?;
    if start == 0 || end < start {
        return Err(tokens.unexpected("an end behind the start"));
    }
    Ok(Place::Between(start, end))
}

fn field(tokens: &mut Tokens) -> Result<Field, Diagnostic> {
    let name = tokens.name()?;
    let mut place_of_field = Place::Next;
    if tokens.take("POSITION") {
        tokens.expect_symbol('(')?;
        if !tokens.take_symbol('*') {
            place_of_field = place(tokens)?;
        }
        tokens.expect_symbol(')')?;
    }
    let kind = kind(tokens)?;
    let mut field = Field { name, place: place_of_field, kind, null_if: None, default_if: None, is_ignored: false };
    loop {
        if tokens.take("NULLIF") {
            field.null_if = Some(condition(tokens)?);
        } else if tokens.take("DEFAULTIF") {
            field.default_if = Some(condition(tokens)?);
        } else if tokens.take("STRIP") || tokens.take("PRESERVE") || tokens.take("TRUNCATE") || tokens.take("WHITESPACE") {
            tokens.take("WHITESPACE");
        } else {
            return Ok(field);
        }
    }
}

fn kind(tokens: &mut Tokens) -> Result<FieldKind, Diagnostic> {
    let Kind::Word(word) = tokens.kind().clone() else { return Ok(FieldKind::OfColumn) };
    if matches!(word.as_str(), "NULLIF" | "DEFAULTIF") {
        return Ok(FieldKind::OfColumn);
    }
    tokens.next();
    let kind = match word.as_str() {
        "CHAR" | "CHARACTER" => FieldKind::Char(mixed_length(tokens)?),
        "VARCHAR" => {
            mixed_length(tokens)?;
            FieldKind::VarChar
        }
        "GRAPHIC" => {
            tokens.take("EXTERNAL");
            FieldKind::Graphic(length(tokens)?)
        }
        "VARGRAPHIC" => FieldKind::VarGraphic,
        "BINARY" => FieldKind::Binary(length(tokens)?),
        "VARBINARY" => FieldKind::VarBinary,
        "SMALLINT" => FieldKind::SmallInt,
        "BIGINT" => FieldKind::BigInt,
        "INTEGER" | "INT" if tokens.take("EXTERNAL") => FieldKind::IntegerExternal(length(tokens)?),
        "INTEGER" | "INT" => FieldKind::Integer,
        "DECIMAL" | "DEC" => return decimal(tokens),
        "FLOAT" if tokens.take("EXTERNAL") => FieldKind::FloatExternal(length(tokens)?),
        "FLOAT" => FieldKind::Float(length(tokens)?),
        "DATE" | "TIME" | "TIMESTAMP" => {
            tokens.expect("EXTERNAL")?;
            let length = length(tokens)?;
            match word.as_str() {
                "DATE" => FieldKind::DateExternal(length),
                "TIME" => FieldKind::TimeExternal(length),
                _ => FieldKind::TimestampExternal(length),
            }
        }
        "ROWID" => FieldKind::RowId,
        "CLOB" => FieldKind::Clob,
        "BLOB" => FieldKind::Blob,
        _ => return Err(tokens.unexpected("CHAR VARCHAR SMALLINT INTEGER BIGINT DECIMAL FLOAT DATE TIME TIMESTAMP")),
    };
    Ok(kind)
}

/// DECIMAL [PACKED | ZONED | EXTERNAL] [(length [, scale])].
fn decimal(tokens: &mut Tokens) -> Result<FieldKind, Diagnostic> {
    let is_zoned = tokens.take("ZONED");
    let is_external = !is_zoned && tokens.take("EXTERNAL");
    if !is_zoned && !is_external {
        tokens.take("PACKED");
    }
    let (mut digits, mut scale) = (None, 0);
    if tokens.take_symbol('(') {
        digits = Some(tokens.number()?);
        if tokens.take_symbol(',') {
            scale = tokens.number()?;
        }
        tokens.expect_symbol(')')?;
    }
    Ok(match (is_zoned, is_external) {
        (true, _) => FieldKind::Zoned,
        (_, true) => FieldKind::DecimalExternal(digits, scale),
        _ => FieldKind::Packed,
    })
}

/// [BIT | MIXED] (length).
fn mixed_length(tokens: &mut Tokens) -> Result<Option<u32>, Diagnostic> {
    if !tokens.take("MIXED") {
        tokens.take("BIT");
    }
    length(tokens)
}

fn length(tokens: &mut Tokens) -> Result<Option<u32>, Diagnostic> {
    if !tokens.take_symbol('(') {
        return Ok(None);
    }
    let number = tokens.number()?;
    tokens.expect_symbol(')')?;
    Ok(Some(number))
}
