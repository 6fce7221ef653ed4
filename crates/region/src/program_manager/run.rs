//! How a level of a task runs: its program, those it transfers control to, and the handling of its abends.

use super::TaskState;
use super::exits::{self, fetched};
use super::program::{Code, ProgramFault};
use super::ready::ReadyProgram;
use crate::change_mode::{self, Home};
use crate::channel::Channel;
use crate::control_blocks::application::Context;
use crate::control_blocks::handle::{AbendExit, HandleTables};
use crate::dump::{self, cause};
use crate::name::Name8;
use crate::program_manager::Leaving;
use crate::storage_access::Area;
use crate::{Abend, Interrupt, Level, Raised, Region, Task};
use csd::{Key, ProgramDefinition};
use kernel::AbendKind;
use kernel::trace::{self, Value, points};
use program::module::Module;
use program::rununit::{Ended, Failure, FrameId, Invocation, RunUnit};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Deepest level of LINK; a loop of LINKs ends here instead of in the task's stack.
const LEVELS_MAX: usize = 255;

/// One SORT keeps in memory this fraction (one n-th) of what a unit of work may change, within limits. The rest is in temporary files.
const SORT_FRACTION: u64 = 16;
const SORT_BYTES_LEAST: usize = 1 << 20;
const SORT_BYTES_MOST: usize = 64 << 20;

/// A program to run at a new level.
pub struct LinkRequest {
    pub program: ReadyProgram,
    pub commarea: Area,
    pub channel: Option<Arc<Channel>>,
    pub input_message: Option<Vec<u8>>,
    pub runs_as: RunsAs,
}

/// Who runs a program, which may override its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunsAs {
    Application,
    /// In CICS key regardless of its definition: a program of a program list table.
    System,
    /// The same, on the TCB of an exit program: it is no program of the application, so XPCFTCH is not called.
    Exit(Home),
}

/// Runs the first program of a task.
pub fn run_first(task: &mut Task, name: Name8, commarea: Area, channel: Option<Arc<Channel>>) -> Result<(), Abend> {
    let program = task.ready_program(name).map_err(|fault| unavailable(task.region, name, fault))?;
    run_level(task, LinkRequest { program, commarea, channel, input_message: None, runs_as: RunsAs::Application }).map_err(|abend| *abend)
}

/// The first program of a transaction cannot run: APCT.
fn unavailable(region: &Region, name: Name8, fault: ProgramFault) -> Abend {
    let mut abend = Abend::new("APCT").because(format!("program {name} is not available: {}", region.programs().reason(name, fault)));
    abend.program = name;
    abend.no_dump = true;
    abend
}

/// Runs a program at a new level until that level ends. The abend is boxed, because it is long and most levels end well.
pub fn run_level(task: &mut Task, request: LinkRequest) -> Result<(), Box<Abend>> {
    if task.levels.len() >= LEVELS_MAX {
        return Err(Box::new(Abend::new("ASRA").because(format!("more than {LEVELS_MAX} levels of LINK"))));
    }
    let caller = (task.program_name(), task.frame, task.line, task.command);
    let context = entered(task, &request);
    let mut level = new_level(&request.program, caller.0, caller.0, request.commarea, request.channel);
    level.context = context;
    level.input_message = request.input_message;
    level.linked_from = task.frame.map(|frame| (frame, task.line));
    match request.runs_as {
        RunsAs::Application => {}
        RunsAs::System => {
            let definition = ProgramDefinition { execkey: Key::Cics, ..(*request.program.program.definition()).clone() };
            level.home = change_mode::home(&definition, task.region.storage_protection, task.region.force_qr);
            level.execkey = Key::Cics;
        }
        RunsAs::Exit(home) => (level.home, level.execkey) = (home, Key::Cics),
    }
    let outer_length = task.eib.half(exec::eib::EIBCALEN);
    let outer_levels = task.levels.len();
    task.levels.push(level);
    task.eib.set_half(exec::eib::EIBCALEN, request.commarea.length as u16);
    let mut ended = match request.runs_as {
        RunsAs::Exit(_) => run_program(task, request.program),
        _ => fetched(task, &request.program).and_then(|()| run_program(task, request.program)),
    };
    while ended.is_ok() {
        let program = match TaskState::of_mut(&mut task.parts).leaving.take() {
            Some(Leaving::Transfer { program, commarea, channel }) => {
                transfer(task, &program, commarea, channel);
                program
            }
            Some(Leaving::Exit { program, commarea, channel }) => {
                transfer(task, &program, commarea, channel);
                task.level_mut().handles.entered(program.program.name);
                program
            }
            _ => break,
        };
        ended = fetched(task, &program).and_then(|()| run_program(task, program));
    }
    TaskState::of_mut(&mut task.parts).leaving = None;
    assert_eq!(task.levels.len(), outer_levels + 1, "levels end in the opposite order of their beginnings");
    end_level(task);
    debug_assert_eq!(task.levels.len(), outer_levels, "a level ends once");
    task.eib.set_half(exec::eib::EIBCALEN, outer_length);
    (_, task.frame, task.line, task.command) = caller;
    ended
}

/// The application context of a new level: that of its program, if LINK or INVOKE APPLICATION enters an application there or the task
/// begins there; otherwise the caller's.
#[inline]
fn entered(task: &mut Task, request: &LinkRequest) -> Option<Arc<Context>> {
    match &request.program.entry_point {
        Some(entry_point) if request.runs_as == RunsAs::Application => {
            let is_first = task.shared.contexts.enter(entry_point);
            if let Some(gauge) = task.gauge.filter(|_| is_first) {
                (gauge.entered)(task);
            }
            Some(entry_point.clone())
        }
        _ => task.context(),
    }
}

fn new_level(program: &ReadyProgram, invoked_by: Name8, returns_to: Name8, commarea: Area, channel: Option<Arc<Channel>>) -> Level {
    Level {
        name: program.program.name,
        invoked_by,
        returns_to,
        commarea,
        channel,
        channels: Vec::new(),
        handles: HandleTables::default(),
        home: program.home,
        execkey: program.execkey,
        data_line: program.data_line,
        context: None,
        input_message: None,
        linked_from: None,
        storage: Vec::new(),
        container_copies: FxHashMap::default(),
    }
}

/// XCTL: the new program has the level, without the old one's handling and channels.
fn transfer(task: &mut Task, program: &ReadyProgram, commarea: Area, channel: Option<Arc<Channel>>) {
    let (from, returns_to) = task.level().map_or((Name8::BLANK, Name8::BLANK), |level| (level.name, level.returns_to));
    let mut level = new_level(program, from, returns_to, commarea, channel);
    if let Some(last) = task.levels.last_mut() {
        // The SET storage of the old program may be the new one's communication area, so it lives as long as the level.
        level.storage = std::mem::take(&mut last.storage);
        level.container_copies = std::mem::take(&mut last.container_copies);
        level.linked_from = last.linked_from;
        // XCTL creates no context ("Application context").
        level.context = last.context.take();
        let last = std::mem::replace(last, level);
        give_up_channels(task, last.channel, last.channels);
    }
    task.eib.set_half(exec::eib::EIBCALEN, commarea.length as u16);
}

fn end_level(task: &mut Task) {
    let Some(level) = task.levels.last_mut() else { return };
    let copies = std::mem::take(&mut level.container_copies);
    let storage = std::mem::take(&mut level.storage);
    let (passed, own) = (level.channel.take(), std::mem::take(&mut level.channels));
    let context = level.context.take();
    for address in storage.into_iter().chain(copies.into_values()) {
        task.freemain(address);
    }
    give_up_channels(task, passed, own);
    // In place: a level is long.
    task.levels.truncate(task.levels.len() - 1);
    if let Some(level) = task.levels.last() {
        if level.context != context {
            task.shared.contexts.return_to(level.context.as_ref());
        }
        task.publish_program();
    }
}

/// The channel that a level was passed, and those it has made.
#[inline]
fn give_up_channels(task: &mut Task, passed: Option<Arc<Channel>>, own: Vec<Arc<Channel>>) {
    passed.into_iter().chain(own).for_each(|channel| task.give_up_channel(channel));
}

/// Runs the program of the present level.
fn run_program(task: &mut Task, ready: ReadyProgram) -> Result<(), Box<Abend>> {
    let program = &ready.program;
    // A user-key program could not write to its own working storage; therefore this applies with and without storage protection.
    if task.definition.task_data_key == Key::Cics && task.level().is_some_and(|level| level.execkey == Key::User) {
        let mut abend = Abend::new("AEZD").because("a program with EXECKEY(USER) in a transaction with TASKDATAKEY(CICS)");
        abend.program = program.name;
        return Err(Box::new(abend));
    }
    program.use_count.fetch_add(1, Ordering::Relaxed);
    program.in_use.fetch_add(1, Ordering::AcqRel);
    task.publish_program();
    let (function, name) = (if task.levels.len() == 1 { "INITIAL_LINK" } else { "LINK" }, program.name);
    let (commarea, levels) = (task.level().map_or(0, |level| level.commarea.length), task.levels.len());
    trace::point_with(&points::PG_PROGRAM_ENTRY, || {
        [Value::Text(function), Value::Text(name.as_str()), Value::Number(commarea as u64), Value::Number(levels as u64)]
    });
    let region = task.region;
    region.extensions.tell(|observer| observer.program_begins(task));
    let ended = run_code(task, &ready.code);
    region.extensions.tell(|observer| observer.program_ends(task, ended.as_ref().err().map(Box::as_ref)));
    trace::point_with(&points::PG_PROGRAM_EXIT, || {
        [Value::Text(function), Value::Text(if ended.is_ok() { "OK" } else { "ABENDED" }), Value::Text(name.as_str())]
    });
    program.in_use.fetch_sub(1, Ordering::AcqRel);
    task.keep_ready(ready);
    ended
}

fn run_code(task: &mut Task, code: &Code) -> Result<(), Box<Abend>> {
    if let Some(level) = task.level()
        && let Some(mode) = change_mode::program_mode(level.home, task.kernel.mode())
    {
        task.kernel.change_mode(mode).map_err(|_| Box::new(Task::purge_abend()))?;
    }
    task.eib.flush().map_err(|_| Box::new(Abend::new("ASRA").because("the EIB cannot be written")))?;
    match code {
        Code::Native(native) => run_native(task, *native),
        Code::Module { module, program, label } => run_module(task, module, *program, *label),
    }
}

/// The program of the task is one that a domain brings.
fn runs_native_program(task: &Task) -> bool {
    task.region.registry.has_program(task.program_name().as_str())
}

fn run_native(task: &mut Task, native: crate::NativeProgram) -> Result<(), Box<Abend>> {
    match native(task) {
        Ok(()) | Err(Raised::Leave | Raised::Goto(_)) => Ok(()),
        Err(Raised::Abend(mut abend)) => {
            if abend.program.is_blank() {
                abend.program = task.program_name();
            }
            Err(abend)
        }
        // An operator who disconnects in the middle of a supplied transaction ends it, which is not an error.
        Err(Raised::Condition { condition: exec::condition::TERMERR, .. }) if runs_native_program(task) => {
            task.rollback();
            Ok(())
        }
        Err(Raised::Condition { condition, .. }) => {
            let mut abend = Abend::new(condition.abend_code().unwrap_or("AEIA"));
            abend.program = task.program_name();
            Err(Box::new(abend))
        }
    }
}

/// What one SORT keeps in memory: many tasks may sort at the same time.
fn sort_bytes(unit_limit: u64) -> usize {
    let bytes = usize::try_from(unit_limit / SORT_FRACTION).unwrap_or(usize::MAX);
    bytes.clamp(SORT_BYTES_LEAST, SORT_BYTES_MOST)
}

fn run_module(task: &mut Task, module: &Arc<Module>, program: usize, label: u32) -> Result<(), Box<Abend>> {
    let mut unit = TaskState::of_mut(&mut task.parts).spare.units.pop().unwrap_or_else(RunUnit::new);
    unit.set_key(task.runs_in_user_key(), task.storage.subspace().cloned());
    unit.set_sort_bytes(sort_bytes(task.region.store.account().unit_limit()));
    if let Some(options) = &task.region.run_time_options {
        unit.set_options(options);
    }
    let commarea = task.level().map_or(Area::new(0, 0), |level| level.commarea);
    let eib = task.eib.address();
    let arguments = [eib, commarea.address as u32];
    let invocation = Invocation { eib, commarea: commarea.address as u32, commarea_length: commarea.length as u32, arguments: &arguments };
    let mut ended = unit.start(task, module, program, label, invocation);
    let mut returned = false;
    let result = loop {
        let failure = match ended {
            Ended::Returned | Ended::Stopped => {
                returned = true;
                break Ok(());
            }
            Ended::Left(_) => break Ok(()),
            Ended::Abended(failure) => failure,
        };
        let statement = failure.place.as_ref().map(|place| place.statement);
        let mut abend = explained(task, *failure);
        cause::of_program(task, unit.current(), statement, &mut abend);
        dump::program_check::report(task, &mut abend);
        let region = task.region;
        region.extensions.tell(|observer| observer.abends(task, &mut abend));
        if let Err(other) = exits::abended(task, &mut abend) {
            abend = *other;
        }
        task.record_abend(&abend);
        show_to_debugger(task, unit.current(), statement, &abend);
        if abend.cancel_exits {
            break Err(Box::new(abend));
        }
        match task.level_mut().handles.take_abend() {
            Some((frame, AbendExit::Label(label))) => {
                dump::forget_programs(task);
                if let Err(abend) = exits::handled(task) {
                    break Err(abend);
                }
                ended = unit.resume(task, frame, label);
            }
            Some((_, AbendExit::Program(name))) => {
                dump::forget_programs(task);
                break enter_exit(task, name);
            }
            None => break Err(Box::new(abend)),
        }
    };
    // "C and C++ programming": the value of main or exit is returned to the caller in EIBRESP2.
    let return_code = unit.return_code();
    let state = TaskState::of_mut(&mut task.parts);
    state.return_value = (returned && module.c.is_some()).then_some(return_code);
    state.return_code = return_code;
    unit.finish(task);
    TaskState::of_mut(&mut task.parts).spare.units.push(unit);
    result
}

/// A purge is nobody's error.
fn show_to_debugger(task: &mut Task, innermost: Option<FrameId>, statement: Option<u32>, abend: &Abend) {
    if let (Some(debugger), Some(innermost)) = (task.region.extensions.debugger(), innermost)
        && abend.code != Task::purge_abend().code
    {
        debugger.abended(task, innermost, statement, abend);
    }
}

/// HANDLE ABEND PROGRAM: the exit takes over the level that abended, with its communication area, once the abended program has ended; when
/// it returns, control goes to the level above. Until it issues HANDLE ABEND RESET, an abend in it goes there too.
fn enter_exit(task: &mut Task, name: Name8) -> Result<(), Box<Abend>> {
    let missing = |_| Box::new(Abend::new("AEI0").because(format!("abend exit {name} is not available")));
    let program = task.ready_program(name).map_err(missing)?;
    let (commarea, channel) = task.level().map_or((Area::new(0, 0), None), |level| (level.commarea, level.channel.clone()));
    TaskState::of_mut(&mut task.parts).leaving = Some(Leaving::Exit { program, commarea, channel });
    Ok(())
}

/// The code of a purged task.
const PURGED: [u8; 4] = *b"AEXY";

/// A policy purged the task, to abend it with a code of its own; its exits may deal with that.
fn as_requested(task: &mut Task, abend: &mut Abend) {
    let requested = task.shared.requested_abend.lock().take();
    if let Some(requested) = requested {
        task.performance.policy_thresholds += 1;
        (abend.code, abend.reason, abend.cancel_exits) = (requested.code, requested.reason, false);
    }
}

/// An abend with all its details, from the gate or from the trap.
fn explained(task: &mut Task, failure: Failure) -> Abend {
    let text = failure.text();
    let place = failure.place;
    let mut abend = match task.pending_abend.take() {
        Some(mut abend) => {
            // A CALL is not a command, so no argument block has its line.
            if let Some(place) = place.as_ref().filter(|place| abend.line == 0 && place.line != 0) {
                abend.line = place.line;
                let reason = abend.reason.take().unwrap_or_default();
                abend.reason = Some(format!("{reason}, {} line {}", place.program, place.line));
            }
            *abend
        }
        None => {
            let mut abend = Abend::new(std::str::from_utf8(&failure.abend.code).unwrap_or("ASRA"));
            abend.reason = Some(text);
            match failure.abend.kind {
                AbendKind::Trap | AbendKind::StackOverflow => {
                    let registers = failure.abend.trap.map_or([0; 16], |trap| trap.registers);
                    let address = failure.abend.trap.map_or(0, |trap| trap.address);
                    match failure.interruption {
                        Some(code) => {
                            abend.interrupt = Some(Box::new(Interrupt { code: u16::from(code), address, registers }));
                            abend.storage = (code == Interrupt::PROTECTION).then_some(address);
                        }
                        // A run-time check of the language found the error: the language's own abend.
                        None => abend.code = *b"4038",
                    }
                }
                AbendKind::Purged(_) => {
                    abend.code = PURGED;
                    abend.cancel_exits = true;
                }
                // Exits that let the task run away again and again would hold the processor forever.
                AbendKind::Runaway => {
                    abend.reason = Some(task.runaway_reason());
                    abend.cancel_exits = failure.abend.value == kernel::guard::RAN_AWAY_AGAIN;
                }
                AbendKind::Raised => {}
            }
            abend.line = place.as_ref().map_or(0, |place| place.line);
            abend.offset = place.as_ref().map(|place| place.offset);
            abend
        }
    };
    if abend.code == PURGED {
        as_requested(task, &mut abend);
    }
    if abend.program.is_blank() {
        abend.program = task.program_name();
    }
    if abend.offset.is_none() {
        abend.offset = place.map(|place| place.offset).filter(|offset| *offset != 0);
    }
    abend
}
