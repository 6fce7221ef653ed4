//! The messages of the map assembler: file, line, column, operand, message. Messages use the assembler's severities (MNOTE 4, 8, 12); with
//! 8 and above no load module is produced.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Warning = 4,
    Error = 8,
    Severe = 12,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// Operand at fault, empty when it is the statement.
    pub operand: String,
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Severe => "severe error",
        };
        write!(f, "{}:{}:{}: {severity}: ", self.file, self.line, self.column)?;
        if !self.operand.is_empty() {
            write!(f, "{}: ", self.operand)?;
        }
        f.write_str(&self.message)
    }
}
