//! Severity of messages.

use serde::{Deserialize, Serialize};

/// How bad it is. The letter and return code are the host compiler's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Severity {
    /// I, 0: worth knowing.
    Information,
    /// W, 4: probably not what was meant; the program is compiled.
    Warning,
    /// E, 8: wrong, corrected by an assumption; the program is compiled.
    Error,
    /// S, 12: wrong; no program is produced.
    Severe,
    /// U, 16: the compilation cannot go on.
    Unrecoverable,
}

impl Severity {
    pub fn letter(self) -> char {
        match self {
            Severity::Information => 'I',
            Severity::Warning => 'W',
            Severity::Error => 'E',
            Severity::Severe => 'S',
            Severity::Unrecoverable => 'U',
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Severity::Information => "information",
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Severe => "severe",
            Severity::Unrecoverable => "unrecoverable",
        }
    }

    /// The compiler's return code when this is the worst message.
    pub fn return_code(self) -> u8 {
        match self {
            Severity::Information => 0,
            Severity::Warning => 4,
            Severity::Error => 8,
            Severity::Severe => 12,
            Severity::Unrecoverable => 16,
        }
    }
}
