//! What is to be executed, of a program or prepared.

use crate::compiled::Call;
use crate::link::{Form, Key};
use sql::{Action, Isolation, Statement};

/// A text to execute, static or dynamic.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    pub key: Key,
    pub text: &'a str,
    /// Executed ahead of the text when the server prepares it.
    pub check: &'a str,
    pub isolation: Option<Isolation>,
    pub changes: bool,
    pub searched: bool,
    /// Nobody looks at its result before the next statement.
    pub is_unobserved: bool,
}

impl<'a> Command<'a> {
    /// The text and what checks it.
    pub fn sources(&self) -> (&'a str, &'a str) {
        (self.text, self.check)
    }

    pub fn of(call: &Call<'a>) -> Command<'a> {
        let statement = call.statement();
        let (changes, searched) = match statement.action {
            Action::Execute { changes, searched, .. } => (changes, searched),
            Action::SelectInto { changes } => (changes, false),
            _ => (true, true),
        };
        let key = Key { id: call.compiled.id, form: Form::Plain };
        let Statement { text, check, isolation, is_unobserved, .. } = statement;
        Command { key, text, check, isolation: *isolation, changes, searched, is_unobserved: *is_unobserved }
    }
}
