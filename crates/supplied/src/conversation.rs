//! Conversations of a line at a time: what was typed with the transaction, a prompt and its answer.

use super::panel::{self, Panel, Style};
use exec::aid;
use region::{Raised, Task};
use terminals::terminal_control::input::{display, facility};

/// The field for the answer.
const ANSWER: usize = 1;

/// What the operator answers.
pub enum Typed {
    Text(String),
    /// A key other than ENTER.
    Key,
}

/// What was typed behind the transaction identifier; empty if nothing.
pub fn typed(task: &mut Task) -> Result<String, Raised> {
    let terminal = facility(task)?;
    panel::typed(task, display(&*terminal)?)
}

/// Shows a line, and waits for text in the lines below it.
pub fn ask(task: &mut Task, prompt: &str) -> Result<Typed, Raised> {
    let mut panel = Panel::for_task(task)?;
    let length = (panel.size.rows - 1) * panel.size.columns - 3;
    panel.text(1, 2, prompt).input(ANSWER, 2, 2, length, Style::Input, "").cursor_to(ANSWER);
    panel.show(task)?;
    let answer = panel.read(task)?;
    match answer.aid {
        aid::ENTER => Ok(Typed::Text(answer.value(ANSWER).unwrap_or_default().to_string())),
        _ => Ok(Typed::Key),
    }
}

/// Shows a line as the last output.
pub fn last_word(task: &mut Task, text: &str) -> Result<(), Raised> {
    panel::last_word(task, text)
}
