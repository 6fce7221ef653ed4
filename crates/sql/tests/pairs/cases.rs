//! Pairs of statements: Db2's text and what it becomes. The files are lists of cases, separated by blank lines:
//!
//! ```text
//! # heading
//! Db2 text
//! => PostgreSQL text, or !SQLCODE and the message
//! ```
//!
//! Host variables are described by their names: `:I2`, `:I4`, `:I8`, `:P92` (packed), `:C10`, `:V20`, `:F8`, `:G5`, `:B4`, `:DA` (an SQLDA).

#![allow(dead_code)] // Two test binaries share this module; neither uses all of it.

use sql::{Expansion, Parsed, Unit, UnitOptions, Variable, VariableType};

pub struct Case {
    pub source: String,
    pub expected: String,
}

/// The tables that every case may use, as a program declares them.
pub const DECLARATIONS: &str = include_str!("declare.sql");

pub const STATIC: &str = include_str!("static.txt");
pub const DECLARED: &str = include_str!("declared.txt");
pub const DYNAMIC: &str = include_str!("dynamic.txt");

pub fn cases(text: &str) -> Vec<Case> {
    let blocks = text.split("\n\n").map(|block| block.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n"));
    blocks
        .filter(|block| !block.trim().is_empty())
        .map(|block| {
            let (source, expected) = block.split_once("\n=>").unwrap_or((&block, ""));
            Case { source: source.trim().to_string(), expected: expected.trim().to_string() }
        })
        .collect()
}

fn variable(name: &str) -> Variable {
    let (kind, digits) = name.split_at(1);
    let number: u32 = digits.parse().unwrap_or(0);
    let (kind, length) = match (kind, number) {
        ("I", 2) => (VariableType::SmallInt, 2),
        ("I", 8) => (VariableType::BigInt, 8),
        ("I", _) => (VariableType::Integer, 4),
        ("P", _) => (VariableType::Packed, number / 10),
        ("C", _) => (VariableType::Char, number),
        ("V", _) => (VariableType::VarChar, number),
        ("F", _) => (VariableType::Double, 8),
        ("G", _) => (VariableType::Graphic, number),
        ("B", _) => (VariableType::Binary, number),
        ("D", _) => (VariableType::Descriptor, 0),
        ("L", _) => (VariableType::ResultSetLocator, 4),
        _ => panic!("the name {name} describes no variable"),
    };
    let packed = kind == VariableType::Packed;
    Variable {
        name: name.to_string(),
        kind,
        length,
        precision: if packed { (number / 10) as u8 } else { 0 },
        scale: if packed { (number % 10) as i8 } else { 0 },
        ccsid: 0,
        indicator: false,
        stride: 0,
        indicator_stride: 0,
        reversed: false,
        indicator_reversed: false,
        occurs: 0,
    }
}

/// A structure `:S.I4.V20` has the items that its name lists behind `S-`: `:S-I4-V20`.
fn expansion(name: &str) -> Expansion {
    match name.strip_prefix("S-") {
        Some(items) => items.split('-').map(variable).collect(),
        None => vec![variable(name)],
    }
}

pub fn unit(declared: bool) -> Unit {
    let mut unit = Unit::new(UnitOptions::default());
    let cursors = "DECLARE C1 CURSOR FOR SELECT EMPNO, LASTNAME FROM EMP WHERE SALARY > :P92 ORDER BY LASTNAME;
        DECLARE C2 CURSOR WITH HOLD FOR SELECT EMPNO FROM EMP WHERE EMPNO = :C6 FOR UPDATE OF SALARY;
        DECLARE C3 INSENSITIVE SCROLL CURSOR WITH ROWSET POSITIONING FOR SELECT EMPNO FROM EMP FOR READ ONLY;
        DECLARE C4 CURSOR FOR S1";
    for text in cursors.split(';').chain(DECLARATIONS.split(';').filter(|_| declared)) {
        if !text.trim().is_empty() {
            unit.survey(&sql::parse(text, &UnitOptions::default()).unwrap_or_else(|problems| panic!("{text}: {problems:?}")));
        }
    }
    unit
}

pub fn parse(text: &str) -> Result<Parsed, String> {
    sql::parse(text, &UnitOptions::default()).map_err(|problems| format!("!{} at {}", problems[0].text, problems[0].offset))
}

/// What a static statement becomes: its text, then its inputs and its warnings where it has any.
pub fn compiled(unit: &Unit, text: &str) -> Result<sql::Compiled, String> {
    let parsed = parse(text)?;
    let expansions: Vec<Expansion> =
        unit.references(&parsed).iter().map(|reference| expansion(reference.name.last().expect("a name"))).collect();
    unit.compile(&parsed, &expansions).map_err(|problems| format!("!{} at {}", problems[0].text, problems[0].offset))
}

pub fn static_outcome(unit: &Unit, text: &str) -> String {
    match compiled(unit, text) {
        Err(problem) => problem,
        Ok(compiled) => {
            let mut lines = Vec::new();
            if let Some(statement) = &compiled.statement {
                let bytes = statement.encode();
                assert_eq!(sql::Statement::decode(&bytes).as_ref(), Some(statement));
                if statement.text.is_empty() {
                    lines.push(format!("{:?}", statement.action));
                } else {
                    lines.push(statement.text.clone());
                }
            }
            lines.extend(compiled.warnings.iter().map(|warning| format!("? {} at {}", warning.text, warning.offset)));
            lines.join("\n")
        }
    }
}

pub fn dynamic_outcome(text: &str) -> String {
    match sql::translate(text, &UnitOptions::default()) {
        Ok(dynamic) if dynamic.text.is_empty() => format!("{:?}", dynamic.kind),
        Ok(dynamic) => dynamic.text,
        Err(error) => format!("!{} {}", error.code, error.tokens.join("; ")).trim_end().to_string(),
    }
}
