//! What a command prints, and the errors that end it.

use crate::journal::Error;

/// The lines a command prints and its return code: 0, 4 with a warning, 8 if it was not carried out, 12 if it was not understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub lines: Vec<String>,
    pub return_code: u8,
}

impl Report {
    pub(crate) fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into().trim_end().to_string());
    }

    pub(crate) fn warn(&mut self, number: u16, text: impl std::fmt::Display) {
        self.line(format!("RGTS{number:03}I {text}"));
        self.return_code = self.return_code.max(WARNING);
    }

    pub(crate) fn fail(&mut self, error: &CommandError) {
        self.line(error.to_string());
        self.return_code = self.return_code.max(error.return_code());
    }
}

pub(crate) const WARNING: u8 = 4;
const NOT_DONE: u8 = 8;
const NOT_UNDERSTOOD: u8 = 12;
/// Numbers of messages below this are of the syntax.
const SYNTAX_NUMBERS: u16 = 100;

/// Why a command is not carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("RGTS{number:03}E {text}")]
    Refused { number: u16, text: String },
    #[error("RGTS199E {0}")]
    Database(#[from] Error),
}

impl CommandError {
    fn return_code(&self) -> u8 {
        match self {
            CommandError::Refused { number, .. } if *number < SYNTAX_NUMBERS => NOT_UNDERSTOOD,
            _ => NOT_DONE,
        }
    }
}

/// An error with the number of its message.
pub(crate) fn failed(number: u16, text: impl Into<String>) -> CommandError {
    CommandError::Refused { number, text: text.into() }
}
