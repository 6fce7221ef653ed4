//! What is wrong with an SQL text: Db2's code and tokens for programs, a sentence and an offset for people.

use crate::diagnostic::Diagnostic;

/// Why a text cannot be parsed or translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// SQLCODE, negative.
    pub code: i32,
    pub state: &'static str,
    /// SQLERRMC, the tokens of Db2's message.
    pub tokens: Vec<String>,
    pub offset: usize,
    pub text: String,
    pub expected: Option<String>,
}

/// ILLEGAL SYMBOL token. SOME SYMBOLS THAT MIGHT BE LEGAL ARE: ...
const UNEXPECTED_TOKEN: i32 = -104;
/// An undefined name.
const UNDEFINED: i32 = -204;
/// UNACCEPTABLE SQL STATEMENT.
const UNACCEPTABLE: i32 = -84;
/// THE STATEMENT IS TOO LONG OR TOO COMPLEX.
const TOO_COMPLEX: i32 = -101;

const DATA_TYPES: &[&str] = &[
    "SMALLINT",
    "INTEGER",
    "INT",
    "BIGINT",
    "DECIMAL",
    "DEC",
    "NUMERIC",
    "DECFLOAT",
    "REAL",
    "DOUBLE",
    "FLOAT",
    "CHAR",
    "CHARACTER",
    "VARCHAR",
    "CLOB",
    "GRAPHIC",
    "VARGRAPHIC",
    "DBCLOB",
    "BINARY",
    "VARBINARY",
    "BLOB",
    "DATE",
    "TIME",
    "TIMESTAMP",
    "ROWID",
    "XML",
];

/// Says that no data type has this name, and which is like it.
pub fn not_a_type(name: &str) -> String {
    format!("{name} is not a data type{}", exec::meant(name, DATA_TYPES.iter().copied()))
}

impl Problem {
    pub fn new(code: i32, state: &'static str, offset: usize, tokens: &[&str], text: impl Into<String>) -> Problem {
        debug_assert!(code < 0, "a problem is an error");
        debug_assert_eq!(state.len(), 5);
        let tokens = tokens.iter().map(|token| token.to_string()).collect();
        Problem { code, state, tokens, offset, text: text.into(), expected: None }
    }

    /// `found` stands where the grammar has no such word; `expected` lists what may stand there.
    pub fn unexpected(offset: usize, found: &str, expected: &str) -> Problem {
        let text = format!("{found} is not expected here");
        let mut problem = Problem::new(UNEXPECTED_TOKEN, "42601", offset, &[found, expected], text);
        problem.expected = Some(expected.to_string());
        problem
    }

    /// Says it in another way, without a list of what is expected.
    pub fn explained(self, text: String) -> Problem {
        Problem { text, expected: None, ..self }
    }

    /// No data type has this name.
    pub fn not_a_type(offset: usize, name: &str) -> Problem {
        Problem::new(UNDEFINED, "42704", offset, &[name], not_a_type(name))
    }

    /// A clause of Db2 that has no translation.
    pub fn unsupported(offset: usize, clause: &str) -> Problem {
        Problem::new(UNACCEPTABLE, "42612", offset, &[clause], format!("{clause} is not supported"))
    }

    pub fn too_complex(offset: usize) -> Problem {
        Problem::new(TOO_COMPLEX, "54001", offset, &[], "the statement is nested too deeply")
    }

    pub fn too_many_variables(offset: usize) -> Problem {
        let text = format!("the statement has more than {} host variables", u16::MAX);
        Problem::new(TOO_COMPLEX, "54001", offset, &[], text)
    }

    pub fn diagnostic(self) -> Diagnostic {
        Diagnostic { offset: self.offset, warning: false, text: self.text, expected: self.expected }
    }
}
