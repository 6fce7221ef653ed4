//! Programs as LINK and XCTL need them: found, enabled and fetched, and kept by a task for their next use.
//!
//! Finding a program takes a lock on the table of programs, and increments the counts of its definition and its copy: atomic operations,
//! which cost more than the rest of a LINK. A task finds a program once, and keeps the result until a program is installed, changed,
//! replaced or discarded. A level takes its program out of the task's list, so nothing is shared and no count changes.

use super::TaskState;
use super::program::{Code, Program, ProgramFault};
use crate::Task;
use crate::change_mode::{self, Home};
use crate::control_blocks::application::{Application, Context};
use crate::name::Name8;
use csd::Key;
use kernel::Mode;
use kernel::storage::Line;
use kernel::trace::{self, Value, points};
use program::module::attributes;
use program::rununit::RunUnit;
use std::sync::Arc;

/// Programs a task keeps; those it used longest ago go first.
const READY_MAX: usize = 8;
/// Run units kept of one task: one for each level of LINK it used.
const UNITS_MAX: usize = 8;

/// A program of this region that is enabled and fetched.
pub struct ReadyProgram {
    pub program: Arc<Program>,
    pub code: Code,
    pub home: Home,
    pub execkey: Key,
    pub data_line: Line,
    /// The program is an application entry point: the context in which it runs.
    pub entry_point: Option<Arc<Context>>,
    /// The application for whose task it was found.
    found_for: Option<Arc<Application>>,
    generation: u64,
}

/// The programs a task leaves to the next one of its transaction, which runs the same programs.
#[derive(Default)]
pub struct Spare {
    #[expect(clippy::vec_box, reason = "compiled code keeps the address of a run unit, so only pointers to it move")]
    pub(super) units: Vec<Box<RunUnit>>,
    ready: Vec<ReadyProgram>,
}

impl Spare {
    /// Bounds the number of programs kept.
    pub fn trim(&mut self) {
        self.units.truncate(UNITS_MAX);
    }
}

impl Task {
    /// The program of this name, ready to run. REMOTESYSTEM of another system is [`ProgramFault::Remote`].
    #[inline]
    pub(crate) fn ready_program(&mut self, name: Name8) -> Result<ReadyProgram, ProgramFault> {
        match self.context() {
            Some(context) => self.ready_program_of(context.application.as_ref(), name),
            None => self.ready_program_of(None, name),
        }
    }

    /// The same, as a task of this application finds it.
    #[inline]
    pub(super) fn ready_program_of(&mut self, application: Option<&Arc<Application>>, name: Name8) -> Result<ReadyProgram, ProgramFault> {
        // Read before the program is looked up: later changes make the result out of date.
        let generation = self.region.programs().generation();
        let is_meant = |ready: &ReadyProgram| ready.program.name == name && ready.found_for.as_ref() == application;
        if let Some(at) = TaskState::of_mut(&mut self.parts).spare.ready.iter().rposition(is_meant) {
            let ready = TaskState::of_mut(&mut self.parts).spare.ready.swap_remove(at);
            if ready.generation == generation {
                return Ok(ready);
            }
        }
        self.find_ready(application, name, generation)
    }

    #[cold]
    fn find_ready(&mut self, application: Option<&Arc<Application>>, name: Name8, generation: u64) -> Result<ReadyProgram, ProgramFault> {
        let region = self.region;
        self.install_undefined(application, name)?;
        trace::point_with(&points::LD_ACQUIRE_ENTRY, || [Value::Text("ACQUIRE_PROGRAM"), Value::Text(name.as_str())]);
        let found = region.programs().local_for(region, application, name).and_then(|program| {
            let code = self.code_of(&program)?;
            Ok((code, program))
        });
        trace::point_with(&points::LD_ACQUIRE_EXIT, || {
            [Value::Text("ACQUIRE_PROGRAM"), Value::Text(if found.is_ok() { "OK" } else { "EXCEPTION" }), Value::Text(name.as_str())]
        });
        let (code, program) = found?;
        let definition = program.definition();
        let home = if program.has(attributes::XPLINK) {
            change_mode::xplink_home(&definition, region.storage_protection)
        } else {
            change_mode::home(&definition, region.storage_protection, region.force_qr)
        };
        let data_line = if definition.data_anywhere { Line::Below2G } else { Line::Below16M };
        let (entry_point, found_for) = (program.entry_point(), application.cloned());
        Ok(ReadyProgram { program, code, home, execkey: definition.execkey, data_line, entry_point, found_for, generation })
    }

    /// A program that is not in storage is loaded on the resource owning TCB, unless the task is on an open TCB: then on that ("Threadsafe
    /// program load": a load issued on an open TCB does not change to RO).
    pub(super) fn on_resource_owner<T>(&self, program: &Program, load: impl FnOnce() -> T) -> T {
        let before = self.kernel.mode();
        if program.is_loaded() || !before.is_single() {
            return load();
        }
        let changed = self.kernel.change_mode(Mode::Ro);
        let loaded = load();
        let changed_back = self.kernel.change_mode(before);
        debug_assert!(changed.is_ok() && changed_back.is_ok(), "a purge does not end the wait for a single TCB");
        loaded
    }

    /// A level has ended: its program is ready for the next.
    #[inline]
    pub(super) fn keep_ready(&mut self, ready: ReadyProgram) {
        let kept = &mut TaskState::of_mut(&mut self.parts).spare.ready;
        if kept.len() == READY_MAX {
            kept.remove(0);
        }
        kept.push(ready);
    }
}
