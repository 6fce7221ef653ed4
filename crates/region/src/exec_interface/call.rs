//! Commands issued by the region's own programs, by CECI and by tests: the same block and the same gate, but no compiled program.
//!
//! ```ignore
//! let mut call = Call::new(command::ENQ);
//! call.bytes(option::RESOURCE, b"NAME").integer(option::LENGTH, 4);
//! let response = call.execute(task)?;
//! ```
//! Invariant: the areas of a call belong to it and live until it is dropped; a call never raises a condition, it returns it.

use super::gate;
use crate::Task;
use crate::control_blocks::raised::{Abend, Raised};
use crate::storage_access::OwnedArea;
use exec::block::{Argument, Block, Representation};
use exec::{CommandId, Condition, OptionId, eib};
use program::rununit::ExecOutcome;

/// The response of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Response {
    pub condition: Condition,
    pub resp2: i32,
}

impl Response {
    pub fn is_normal(self) -> bool {
        self.condition == exec::condition::NORMAL
    }
}

pub struct Call {
    command: CommandId,
    arguments: Vec<Argument>,
    areas: Vec<(OptionId, OwnedArea)>,
}

impl Call {
    pub fn command(&self) -> CommandId {
        self.command
    }

    pub fn new(command: CommandId) -> Self {
        Self { command, arguments: Vec::new(), areas: Vec::new() }
    }

    fn push(&mut self, option: OptionId, representation: Representation, length: usize, address: usize, value: i64) -> &mut Self {
        let argument = Argument { option, representation, flags: 0, length: length as u32, address: address as u64, value };
        self.arguments.push(argument);
        self
    }

    pub fn flag(&mut self, option: OptionId) -> &mut Self {
        self.push(option, Representation::Flag, 0, 0, 0)
    }

    /// A number, in or out.
    pub fn integer(&mut self, option: OptionId, value: i64) -> &mut Self {
        self.push(option, Representation::Integer, 0, 0, value)
    }

    /// An area of the call's own, in or out.
    pub fn bytes(&mut self, option: OptionId, bytes: &[u8]) -> &mut Self {
        let owned = OwnedArea::new(bytes, bytes.len(), 0);
        let area = owned.area();
        self.areas.push((option, owned));
        self.push(option, Representation::Area, area.length, area.address, 0)
    }

    /// Text in the region's code page.
    pub fn text(&mut self, task: &Task, option: OptionId, text: &str) -> &mut Self {
        let bytes = task.region.code_page.encode(text);
        self.bytes(option, &bytes)
    }

    /// An area of program storage.
    pub fn area(&mut self, option: OptionId, address: usize, length: usize) -> &mut Self {
        self.push(option, Representation::Area, length, address, 0)
    }

    /// Issues the command for the task. An abend is an error for the caller to pass on.
    pub fn execute(&mut self, task: &mut Task) -> Result<Response, Raised> {
        let mut block = Block {
            command: self.command,
            argument_count: self.arguments.len() as u16,
            flags: Block::NOHANDLE,
            reserved: 0,
            line: 0,
            statement: 0,
            arguments: self.arguments.as_mut_ptr(),
        };
        match gate::execute(task, None, &mut block) {
            ExecOutcome::Continue | ExecOutcome::GoTo(_) => {}
            ExecOutcome::Leave(_) => return Err(Raised::Leave),
            ExecOutcome::Abend(_) => {
                let abend = task.pending_abend.take().unwrap_or_else(|| Box::new(Abend::new("AEIP")));
                return Err(Raised::Abend(abend));
            }
        }
        let condition = Condition(task.eib.full(eib::EIBRESP) as u16);
        Ok(Response { condition, resp2: task.eib.full(eib::EIBRESP2) })
    }

    /// A number the command gave back.
    pub fn result(&self, option: OptionId) -> Option<i64> {
        let argument = self.arguments.iter().find(|argument| argument.option == option)?;
        (argument.flags & Argument::SET != 0).then_some(argument.value)
    }

    /// An area of the call's own, as the command left it.
    pub fn result_bytes(&self, option: OptionId) -> Vec<u8> {
        let area = self.areas.iter().find(|(known, _)| *known == option);
        area.map_or_else(Vec::new, |(_, owned)| owned.bytes())
    }

    pub fn result_text(&self, task: &Task, option: OptionId) -> String {
        task.region.code_page.text(&self.result_bytes(option)).trim_end().to_string()
    }
}
