//! EXEC commands issued by the harness's tasks.

use exec::{CommandId, OptionId, option};
use region::exec_interface::call::Call;
use region::{Raised, Task};

/// An executed command: its condition and its results.
pub struct Reply {
    pub condition: u16,
    pub call: Call,
}

impl Reply {
    pub fn is_normal(&self) -> bool {
        self.condition == exec::condition::NORMAL.0
    }

    pub fn is(&self, condition: exec::Condition) -> bool {
        self.condition == condition.0
    }

    /// A returned character area, up to its last character that is neither blank nor null.
    pub fn text(&self, task: &Task, option: OptionId) -> String {
        text(task, &self.call.result_bytes(option))
    }
}

pub fn text(task: &Task, bytes: &[u8]) -> String {
    task.region.code_page.text(bytes).trim_end_matches([' ', '\0']).to_string()
}

pub fn encode(task: &Task, text: &str) -> Vec<u8> {
    task.region.code_page.encode(text)
}

pub fn issue(task: &mut Task, command: CommandId, build: impl FnOnce(&Task, &mut Call)) -> Result<Reply, Raised> {
    let mut call = Call::new(command);
    build(task, &mut call);
    let response = call.execute(task)?;
    Ok(Reply { condition: response.condition.0, call })
}

pub fn on_file(task: &mut Task, command: CommandId, file: &str, build: impl FnOnce(&Task, &mut Call)) -> Result<Reply, Raised> {
    issue(task, command, |task, call| {
        call.text(task, option::FILE, file);
        build(task, call);
    })
}

pub fn on_queue(task: &mut Task, command: CommandId, queue: &str, build: impl FnOnce(&Task, &mut Call)) -> Result<Reply, Raised> {
    issue(task, command, |task, call| {
        call.text(task, option::QUEUE, queue);
        build(task, call);
    })
}
