//! The dispatch table: for every command of the catalogue its handler and the TCB mode it needs.

use super::arguments::Arguments;
use super::raised::Outcome;
use super::trace_gates::{Gate, gate_of};
use crate::change_mode::Need;
use crate::{Commands, Task};
use exec::{CommandSpec, OptionId, Threadsafe};

/// The group of EIBFN that file control has.
const FILE_CONTROL: u16 = 0x06;

/// Executes one command for a task.
pub type Handler = fn(&mut Task, &mut Arguments<'_>) -> Outcome;

/// One row of the table.
#[derive(Clone, Copy)]
pub struct Entry {
    pub handler: Option<Handler>,
    pub threadsafe: Threadsafe,
    pub function: u16,
    /// Options a program may not give.
    pub refused: &'static [OptionId],
    /// Options that have no value in this region.
    pub without_value: &'static [OptionId],
    /// The trace points of its domain.
    pub gate: Option<&'static Gate>,
    pub spec: &'static CommandSpec,
}

/// The table, by command number.
pub fn table(handlers: impl Iterator<Item = Commands>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = exec::commands()
        .iter()
        .map(|spec| {
            let (refused, without_value) = (super::options::refused(spec), super::options::without_value(spec));
            let gate = gate_of(spec);
            Entry { handler: None, threadsafe: spec.threadsafe, function: spec.eibfn, refused, without_value, gate, spec }
        })
        .collect();
    for (command, handler) in handlers.flatten() {
        let entry = &mut entries[usize::from(command.0)];
        assert!(entry.handler.is_none(), "{} has two handlers", entry.spec.name);
        entry.handler = Some(*handler);
    }
    entries
}

impl Entry {
    /// The command's mode requirement for this task. Conditional commands are threadsafe for local resources: files unless FCQRONLY=YES,
    /// and every queue, program and resource name of this region.
    #[inline]
    pub fn need(&self, task: &Task) -> Need {
        match self.threadsafe {
            Threadsafe::Yes => Need::Threadsafe,
            Threadsafe::No => Need::Qr,
            Threadsafe::Conditional if self.function >> 8 == FILE_CONTROL && task.region.file_control_on_qr => Need::Qr,
            Threadsafe::Conditional => Need::Threadsafe,
        }
    }
}
