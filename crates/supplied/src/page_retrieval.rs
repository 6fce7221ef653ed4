//! CSPG: the operator's page retrieval. The messages and commands are basic mapping's.

use region::{Raised, Task};
use terminals::basic_mapping::paging;
use terminals::terminal_control::input::{self, display, facility};

/// The program of transaction CSPG: started for a message that waits, or by a paging command.
pub fn retrieve(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let typed = if task.conversation.initial_input.is_some() { Some(input::next(task, display, true)?) } else { None };
    paging::run(task, display, typed)
}
