//! The source of a control table: statements of one assembler macro, the last of which is TYPE=FINAL.

use bms::diagnostic::{Diagnostic, Severity};
use bms::operand::{Operand, operands};
use bms::source::{Statement, statements};

/// Assembler statements without effect on a table.
const WITHOUT_EFFECT: [&str; 8] = ["TITLE", "PRINT", "EJECT", "SPACE", "PUNCH", "AMODE", "RMODE", "CSECT"];

/// What reads the statements of a table.
pub(crate) trait Reader {
    /// The macro, and the kind of table in words.
    const MACRO: &'static str;
    const KIND: &'static str;

    /// A statement of the macro. True: it is the last one.
    fn statement(&mut self, statement: &Statement, operands: &[Operand], faults: &mut Faults) -> bool;
}

/// Where the faults of a source go.
pub(crate) struct Faults<'a> {
    file: &'a str,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Faults<'_> {
    pub fn error(&mut self, line: u32, column: u32, message: String) {
        let (file, operand) = (self.file.to_string(), String::new());
        self.diagnostics.push(Diagnostic { severity: Severity::Error, file, line, column, operand, message });
    }
}

/// The reader behind the last statement of its table; `None` if there is an error.
pub(crate) fn read<R: Reader>(mut reader: R, file: &str, source: &[u8], diagnostics: &mut Vec<Diagnostic>) -> Option<R> {
    let before = diagnostics.len();
    let statements = statements(file, source, diagnostics);
    let mut has_ended = false;
    for statement in &statements {
        let operation = statement.operation.as_str();
        if has_ended || operation == "END" || WITHOUT_EFFECT.contains(&operation) {
            continue;
        }
        if operation != R::MACRO {
            let message = format!("{operation} is not a statement of {}: {} is", R::KIND, R::MACRO);
            Faults { file, diagnostics }.error(statement.line, 1, message);
            continue;
        }
        let operands = operands(file, statement, diagnostics);
        has_ended = reader.statement(statement, &operands, &mut Faults { file, diagnostics });
    }
    if !has_ended {
        let line = statements.last().map_or(1, |statement| statement.line);
        Faults { file, diagnostics }.error(line, 1, format!("{} TYPE=FINAL is missing at the end of the table", R::MACRO));
    }
    let errors = diagnostics[before..].iter().any(|diagnostic| diagnostic.severity >= Severity::Error);
    (!errors).then_some(reader)
}
