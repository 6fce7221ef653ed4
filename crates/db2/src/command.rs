//! What is to be executed, of a program or prepared.

use crate::compiled::Call;
use crate::link::{Form, Key};
use sql::{Action, Isolation};

/// A text to execute, static or dynamic.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    pub key: Key,
    pub text: &'a str,
    pub isolation: Option<Isolation>,
    pub changes: bool,
    pub searched: bool,
}

impl<'a> Command<'a> {
    pub fn of(call: &Call<'a>) -> Command<'a> {
        let statement = call.statement();
        let (changes, searched) = match statement.action {
            Action::Execute { changes, searched, .. } => (changes, searched),
            Action::SelectInto { changes } => (changes, false),
            _ => (true, true),
        };
        let key = Key { id: call.compiled.id, form: Form::Plain };
        Command { key, text: &statement.text, isolation: statement.isolation, changes, searched }
    }
}
