//! Checks the static SQL of a program against the tables of the application's database, as BIND does: the server analyses each statement, so
//! its names, functions and numbers of columns are found wrong when the program is compiled.
//!
//! The messages are warnings: the tables may be made before the program runs.

use std::sync::Mutex;

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

/// A session of the database, shared by the threads of the compiler.
pub struct SqlCheck(Mutex<Executor>);

impl SqlCheck {
    pub fn connect(database: &Database, schema: &str) -> Result<SqlCheck, String> {
        Ok(SqlCheck(Mutex::new(Executor::new(database.session()?, schema, database.order())?)))
    }

    /// Adds what is found to the messages of the compilation. A session that is lost finds nothing more.
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
        let mut found = Vec::new();
        for statement in &statements {
            let Some(block) = blocks.iter().find(|block| is_source(&block.text, statement)) else { continue };
            let mut executor = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let Ok(outcome) = executor.check(&statement.check, &statement.text, &block.text) else { break };
            if let Some(error) = outcome.filter(|error| REPORTED.contains(&error.code))
                && let Some(span) = block.span_at(error.place.offset.unwrap_or(0))
            {
                found.push(Diagnostic::new(Severity::Warning, CODE, span, text(&error, &executor.current_schema)));
            }
        }
        found.into_iter().for_each(|message| compilation.diagnostics.push(message));
    }
}

/// The statements of a program and those nested in it that the server can analyse.
fn of_program(program: &Program, statements: &mut Vec<Statement>) {
    let decoded: Vec<Statement> = program.sql.iter().filter_map(|bytes| Statement::decode(bytes)).collect();
    // Whose tables the statements of a program with several databases mean is known when it runs.
    let connects =
        |statement: &Statement| matches!(statement.action, Action::Connect { server: Some(_), .. } | Action::SetConnection { .. });
    let is_checked = !decoded.iter().any(connects);
    statements.extend(decoded.into_iter().filter(|statement| {
        let is_whole = match &statement.action {
            Action::Execute { .. } | Action::SelectInto { .. } | Action::Positioned { .. } => true,
            Action::Open { cursor } => cursor.of == CursorOf::Query,
            _ => false,
        };
        // Temporary tables are declared when the program runs.
        is_checked && is_whole && !statement.text.is_empty() && !statement.text.contains("pg_temp.")
    }));
    program.nested.iter().for_each(|nested| of_program(nested, statements));
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

fn text(error: &SqlError, schema: &str) -> String {
    let words = &error.place.text;
    let is_unqualified = error.tokens.first().is_some_and(|name| !name.contains('.'));
    match (words.is_empty(), error.code) {
        (true, code) => format!("SQLCODE {code} at run time: {}", sql::message_text(code, &error.tokens)),
        (false, UNDEFINED) if is_unqualified && words.starts_with("table ") => format!("{words} in schema {schema}"),
        (false, _) => words.clone(),
    }
}
