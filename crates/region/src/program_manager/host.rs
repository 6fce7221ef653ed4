//! The requests of compiled programs to the region: the `Host` of crate `program`, for a task.

use super::TaskState;
use super::program::Code;
use crate::exec_interface::gate;
use crate::name::Name8;
use crate::{Raised, Task};
use exec::block::Block;
use kernel::storage::{Getmain, Line, ProgramStorage};
use kernel::{Departure, Resumed, Wait};
use program::module::Module;
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::{ExecOutcome, FrameId, Host, MapProgram, Milestone, ResourceManagerService, WatchWord};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

impl Host for Task {
    #[inline]
    fn exec(&mut self, frame: FrameId, block: &mut Block) -> ExecOutcome {
        gate::execute(self, Some(frame), block)
    }

    fn sql(&mut self, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, Departure> {
        crate::exec_interface::sql::execute(self, frame, request)
    }

    fn resource_manager(&mut self, frame: FrameId, service: ResourceManagerService, arguments: &[u32]) -> Result<i32, Departure> {
        crate::exec_interface::resource_manager::call(self, frame, service, arguments)
    }

    /// CALL of a program: it is a load module of the library, with or without a PROGRAM definition.
    fn load(&mut self, name: &str) -> Result<Option<Arc<Module>>, Departure> {
        let region = self.region;
        let name = Name8::new(name);
        // A program that the control program refuses is a member of the library all the same.
        let context = self.context();
        let application = context.as_ref().and_then(|context| context.application.as_ref());
        let _ = self.install_undefined(application, name);
        let program = match region.programs().called(region, application, name) {
            Ok(program) => program,
            Err(_) => return Ok(None),
        };
        match self.code_of(&program) {
            Ok(Code::Module { module, .. }) => Ok(Some(module)),
            _ => Ok(None),
        }
    }

    fn not_found(&mut self, name: &str) -> Departure {
        let abend = crate::Abend::new("AEI0").because(format!("CALL: program {name} is not available"));
        let failed = gate::fail(self, abend);
        if let Some(abend) = &mut self.pending_abend {
            // The statement is the CALL, not the command before it: the run unit knows its line.
            (abend.line, abend.command) = (0, None);
            abend.cause = Some(format!("CALL {name}: no such program"));
        }
        match failed {
            ExecOutcome::Abend(abend) => Departure::Abend(abend),
            _ => Departure::Abend(Box::new(kernel::Abend::new("AEI0", 0))),
        }
    }

    fn getmain(&mut self, length: u32) -> Result<u32, Departure> {
        // TASKDATAKEY, not EXECKEY, is the key of the copies of working storage too.
        let request = Getmain { length: length.max(1) as usize, line: Line::Below2G, key: self.data_key(), initial: None };
        match Task::getmain(self, request, false) {
            Ok(address) => Ok(address as u32),
            Err(raised) => Err(self.no_storage(length, raised)),
        }
    }

    fn getmain_now(&mut self, length: u32) -> Option<u32> {
        let request = Getmain { length: length.max(1) as usize, line: Line::Below2G, key: self.data_key(), initial: None };
        Some(self.storage.getmain(request).ok()? as u32)
    }

    fn freemain(&mut self, address: u32, _length: u32) {
        self.freemain(address as usize);
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Departure> {
        match Task::reserve(self, bytes) {
            Ok(charge) => {
                TaskState::of_mut(&mut self.parts).statements.absorb(charge);
                Ok(())
            }
            Err(raised) => Err(departure(self, raised)),
        }
    }

    fn release(&mut self, bytes: usize) {
        let charge = &mut TaskState::of_mut(&mut self.parts).statements;
        debug_assert!(charge.bytes() >= bytes, "what was reserved is released once");
        let made_less = charge.resize(charge.bytes().saturating_sub(bytes));
        debug_assert!(made_less.is_ok(), "less is never refused");
    }

    /// A copy of a C program is in the shared DSA of its key. If there is no storage for it, the task waits.
    fn map_program(&mut self, length: u32, map: MapProgram<'_>) -> Result<ProgramStorage, Departure> {
        let obtained = self.obtain(false, || map(Some(&self.region.storage)));
        obtained.map_err(|raised| self.no_storage(length, raised))
    }

    fn c_argument(&mut self, number: usize) -> Option<String> {
        (number == 0).then(|| self.transid.to_string())
    }

    fn display(&mut self, target: u32, text: &str, _advance: bool) {
        super::run_time_output::display(self, target, text);
    }

    fn message(&mut self, text: &str) {
        super::run_time_output::message(self, text);
    }

    /// Under CICS the dump of Language Environment goes to the destination of its messages.
    fn dump(&mut self, text: &str) -> bool {
        self.message(text);
        true
    }

    /// As EXEC CICS DELAY without REQID waits.
    fn delay(&mut self, time: Duration) -> Result<(), Departure> {
        match self.kernel.delay(&Wait::new("ICWAIT"), time) {
            Resumed::Purged(_) => Err(departure(self, Raised::Abend(Box::new(Task::purge_abend())))),
            _ => Ok(()),
        }
    }

    fn dump_heading(&mut self) -> Option<String> {
        Some(format!("Task Number: {}  Transaction ID: {}", self.number, self.transid))
    }

    /// "Language Environment abend and condition handling": while HANDLE ABEND is active its exit gets the abend, and handlers registered by
    /// CEEHDLR are ignored.
    fn abend_is_condition(&mut self, abend: &kernel::Abend) -> bool {
        let passes_exits = self.pending_abend.as_ref().is_some_and(|pending| pending.cancel_exits);
        let is_purge = matches!(abend.kind, kernel::AbendKind::Purged(_));
        let ran_away_again = abend.kind == kernel::AbendKind::Runaway && abend.value == kernel::guard::RAN_AWAY_AGAIN;
        !passes_exits && !is_purge && !ran_away_again && !self.level().is_some_and(|level| level.handles.has_active_abend())
    }

    fn condition_begins(&mut self) {
        let abend = self.pending_abend.take();
        self.handler_levels.push(self.levels.len());
        TaskState::of_mut(&mut self.parts).handling.push(abend);
    }

    fn condition_ends(&mut self, handled: bool) {
        self.handler_levels.pop();
        let abend = TaskState::of_mut(&mut self.parts).handling.pop().flatten();
        // A handler that has itself abended leaves its own.
        if !handled && self.pending_abend.is_none() {
            self.pending_abend = abend;
        }
    }

    fn watch(&mut self) -> Option<WatchWord> {
        self.region.extensions.debugger()?.watch(self)
    }

    fn reached(&mut self, frame: FrameId, milestone: Milestone) -> Result<(), Departure> {
        let Some(debugger) = self.region.extensions.debugger() else { return Ok(()) };
        debugger.reached(self, frame, milestone).map_err(|raised| departure(self, raised))
    }

    fn is_nested(&self) -> bool {
        self.levels.len() > 1
    }

    fn accept(&mut self, _source: u32) -> Option<String> {
        None
    }

    fn now(&mut self) -> (i64, u32) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (since.as_secs() as i64, since.subsec_nanos())
    }

    fn utc_offset_seconds(&mut self) -> i32 {
        // Every LINK needs it, and it does not change within a dispatch.
        let dispatch = self.kernel.dispatches();
        let programs = TaskState::of_mut(&mut self.parts);
        if programs.utc_offset.0 != dispatch {
            let offset = crate::clock::utc_offset_seconds(kernel::clock::coarse_unix_seconds());
            programs.utc_offset = (dispatch, offset as i32);
        }
        programs.utc_offset.1
    }
}

impl Task {
    /// The language asked for storage, not a command: the abend names the bytes, and the run unit knows the line of the statement.
    #[cold]
    fn no_storage(&mut self, length: u32, raised: Raised) -> Departure {
        let too_long = matches!(raised, Raised::Condition { condition: exec::condition::LENGERR, .. });
        let departure = departure(self, raised);
        if let Some(abend) = self.pending_abend.as_mut().filter(|_| too_long) {
            let limit = self.region.storage.limit(Line::Below2G);
            let reason = format!("{length} bytes of program storage are more than the limit of the region, {limit} bytes (EDSALIM)");
            (abend.line, abend.command) = (0, None);
            abend.reason = Some(reason);
        }
        departure
    }
}

fn departure(task: &mut Task, raised: Raised) -> Departure {
    let abend = match raised {
        Raised::Abend(abend) => *abend,
        Raised::Condition { condition, .. } => crate::Abend::new(condition.abend_code().unwrap_or("AKEA")),
        Raised::Leave | Raised::Goto(_) => crate::Abend::new("AKEA"),
    };
    match gate::fail(task, abend) {
        ExecOutcome::Abend(abend) => Departure::Abend(abend),
        _ => Departure::Exit(0),
    }
}
