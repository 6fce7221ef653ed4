//! Checks the static SQL of a program against the tables of the application's database, as BIND does: the server analyses each statement, so
//! its names, functions and numbers of columns are found wrong when the program is compiled.
//!
//! The messages are warnings: the tables may be made before the program runs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use c::{Analysis, Finding};
use cobol::Compilation;
use cobol::diagnostics::{Diagnostic, Severity};
use cobol::lexer::{ExecBlock, ExecLanguage, TokenKind};
use cobol::program::Program;
use sql::{Action, CursorOf, SqlError, Statement};

use crate::database::{Database, Executor};

/// The message of the coprocessor for warnings.
const CODE: &str = "SQ1004";
/// SQLCODEs that tell of names and forms that do not fit the tables; others may be of this moment.
const REPORTED: [i32; 9] = [-117, -203, -204, -206, -401, -408, -421, -440, -612];
const UNDEFINED: i32 = -204;

/// A session of the database, shared by the threads of the compiler; or why it was lost.
pub struct SqlCheck(Mutex<Result<Executor, String>>);

impl SqlCheck {
    pub fn connect(database: &Database, schema: &str) -> Result<SqlCheck, String> {
        Ok(SqlCheck(Mutex::new(Ok(Executor::new(database, schema)?))))
    }

    fn lock(&self) -> MutexGuard<'_, Result<Executor, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why statements were left out: the session was lost.
    pub fn failure(&self) -> Option<String> {
        self.lock().as_ref().err().cloned()
    }

    /// Adds what is found to the messages of a COBOL compilation.
    pub fn check(&self, compilation: &mut Compilation) {
        let blocks: Vec<&ExecBlock> = compilation
            .tokens
            .iter()
            .filter_map(|token| match &token.kind {
                TokenKind::Exec(block) if block.language == ExecLanguage::Sql => Some(&**block),
                _ => None,
            })
            .collect();
        let mut statements = Vec::new();
        compilation.programs.iter().for_each(|program| of_program(program, &mut statements));
        let texts: Vec<&str> = blocks.iter().map(|block| &*block.text).collect();
        let found: Vec<Diagnostic> = self
            .analyse(&statements, &texts)
            .into_iter()
            .filter_map(|Finding { text, offset, message }| {
                Some(Diagnostic::new(Severity::Warning, CODE, blocks[text].span_at(offset)?, message))
            })
            .collect();
        found.into_iter().for_each(|message| compilation.diagnostics.push(message));
    }
}

impl Analysis for SqlCheck {
    /// A session that is lost finds nothing more ([`SqlCheck::failure`]).
    fn analyse(&self, statements: &[Statement], texts: &[&str]) -> Vec<Finding> {
        let mut found = Vec::new();
        if statements.iter().any(leads_away) {
            return found;
        }
        for (statement, text) in paired(statements, texts) {
            let mut session = self.lock();
            let Ok(executor) = &mut *session else { break };
            let outcome = match executor.check(&statement.check, &statement.text, texts[text]) {
                Ok(outcome) => outcome,
                Err(why) => {
                    *session = Err(why);
                    break;
                }
            };
            if let Some(error) = outcome.filter(|error| REPORTED.contains(&error.code)) {
                let message = message_of(&error, &executor.current_schema);
                found.push(Finding { text, offset: error.place.offset.unwrap_or(0), message });
            }
        }
        found
    }
}

/// The statements of a program and those nested in it.
fn of_program(program: &Program, statements: &mut Vec<Statement>) {
    statements.extend(program.sql.iter().filter_map(|bytes| Statement::decode(bytes)));
    program.nested.iter().for_each(|nested| of_program(nested, statements));
}

/// The statement leads to another database: whose tables the statements behind it mean is known when the program runs.
fn leads_away(statement: &Statement) -> bool {
    matches!(statement.action, Action::Connect { server: Some(_), .. } | Action::SetConnection { .. })
}

fn can_be_analysed(statement: &Statement) -> bool {
    let is_whole = match &statement.action {
        Action::Execute { .. } | Action::SelectInto { .. } | Action::Positioned { .. } => true,
        Action::Open { cursor } => cursor.of == CursorOf::Query,
        _ => false,
    };
    // Temporary tables are declared when the program runs.
    is_whole && !statement.text.is_empty() && !statement.text.contains("pg_temp.")
}

/// Each statement with the number of the text in which it stands. Of statements that are alike each has its own; a cursor that is opened
/// more than once has one declaration.
fn paired<'a>(statements: &'a [Statement], texts: &[&str]) -> Vec<(&'a Statement, usize)> {
    let mut left: Vec<usize> = (0..texts.len()).collect();
    let mut pairs = Vec::new();
    for statement in statements.iter().filter(|statement| can_be_analysed(statement)) {
        let Some(at) = left.iter().position(|text| is_source(texts[*text], statement)) else { continue };
        let is_declaration = matches!(statement.action, Action::Open { .. });
        pairs.push((statement, if is_declaration { left[at] } else { left.remove(at) }));
    }
    pairs
}

/// The text of EXEC SQL in which a statement stands: the declaration of a cursor for its OPEN.
fn is_source(text: &str, statement: &Statement) -> bool {
    let mut words = text.split_whitespace();
    match &statement.action {
        Action::Open { cursor } => {
            let mut is = |word: &str| words.next().is_some_and(|own| own.eq_ignore_ascii_case(word));
            is("DECLARE") && is(&cursor.name) && text.to_ascii_uppercase().contains(" CURSOR")
        }
        _ => words.eq(statement.source.split_whitespace()),
    }
}

fn message_of(error: &SqlError, schema: &str) -> String {
    let words = &error.place.text;
    let is_unqualified = error.tokens.first().is_some_and(|name| !name.contains('.'));
    match (words.is_empty(), error.code) {
        (true, code) => format!("SQLCODE {code} at run time: {}", sql::message_text(code, &error.tokens)),
        (false, UNDEFINED) if is_unqualified && words.starts_with("table ") => format!("{words} in schema {schema}"),
        (false, _) => words.clone(),
    }
}
