//! The dispatch table: for every command of the catalogue its handler and the TCB mode it needs.

use super::arguments::Arguments;
use super::change_mode::Need;
use super::raised::Outcome;
use crate::transaction_manager::Task;
use exec::{CommandId, CommandSpec, OptionId, Threadsafe};
use std::sync::OnceLock;

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
    pub spec: &'static CommandSpec,
}

/// The handlers of every domain. A domain adds its list here and keeps the list itself beside its code.
fn domains() -> [&'static [(CommandId, Handler)]; 22] {
    [
        super::handlers(),
        crate::transaction_manager::handlers(),
        crate::operator::handlers(),
        crate::built_in_functions::handlers(),
        crate::diagnostics::handlers(),
        crate::event_wait::handlers(),
        crate::program_manager::handlers(),
        crate::storage_control::handlers(),
        crate::time_of_day::handlers(),
        crate::interval_control::handlers(),
        crate::enqueue::handlers(),
        crate::journaling::handlers(),
        crate::channels::handlers(),
        crate::recovery_manager::handlers(),
        crate::system_programming::handlers(),
        crate::file_control::handlers(),
        crate::temporary_storage::handlers(),
        crate::transient_data::handlers(),
        crate::named_counters::handlers(),
        crate::terminal_control::handlers(),
        crate::basic_mapping::handlers(),
        crate::statistics::handlers(),
    ]
}

/// The table, by command number.
pub fn table() -> &'static [Entry] {
    static TABLE: OnceLock<Vec<Entry>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut entries: Vec<Entry> = exec::commands()
            .iter()
            .map(|spec| {
                let (refused, without_value) = (super::options::refused(spec), super::options::without_value(spec));
                Entry { handler: None, threadsafe: spec.threadsafe, function: spec.eibfn, refused, without_value, spec }
            })
            .collect();
        for handlers in domains() {
            for (command, handler) in handlers {
                let entry = &mut entries[usize::from(command.0)];
                assert!(entry.handler.is_none(), "{} has two handlers", entry.spec.name);
                entry.handler = Some(*handler);
            }
        }
        entries
    })
}

impl Entry {
    /// What the command needs for this task. Conditional commands are threadsafe for local resources: files unless FCQRONLY=YES,
    /// and every queue, program and resource name of this region.
    #[inline]
    pub fn need(&self, task: &Task) -> Need {
        match self.threadsafe {
            Threadsafe::Yes => Need::Threadsafe,
            Threadsafe::No => Need::Qr,
            // Function codes 06xx are file control.
            Threadsafe::Conditional if self.function >> 8 == 0x06 && task.region.file_control_on_qr => Need::Qr,
            Threadsafe::Conditional => Need::Threadsafe,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_declared_implemented_has_one_handler() {
        let missing: Vec<&str> =
            table().iter().filter(|entry| entry.spec.implemented && entry.handler.is_none()).map(|entry| entry.spec.name).collect();
        assert!(missing.is_empty(), "no handler for {missing:?}");
        let undeclared: Vec<&str> =
            table().iter().filter(|entry| !entry.spec.implemented && entry.handler.is_some()).map(|entry| entry.spec.name).collect();
        assert!(undeclared.is_empty(), "implemented.tsv does not have {undeclared:?}");
    }
}
