//! The gate: the processing around every EXEC CICS command.
//!
//! Order: find the row of the command; switch mode if necessary; run the [`stages`] resolve, authorize, route and execute; switch back if
//! the program needs it; account: record the response in the EIB, check the attention word (purge, runaway), and choose between the next
//! statement, a label and an abend. [`crate::extensions`] may observe, refuse and replace every command on the way.
//!
//! `frame` is the program that issued the command; a program of the region itself has none, and no HANDLE. Invariant: when `execute`
//! returns, no borrow, lock or allocation of the command is left, because control may never return from compiled code.

use super::response_code::response_code;
use super::{stages, traced};
use crate::Task;
use crate::change_mode::{self, Home, Need};
use crate::control_blocks::arguments::Arguments;
use crate::control_blocks::dispatch;
use crate::control_blocks::gauge::Gauge;
use crate::control_blocks::handle::Action;
use crate::control_blocks::raised::{Abend, Interrupt, Raised, raise};
use crate::dump::cause::{self, Unhandled};
use exec::block::{Argument, Block, Representation};
use exec::resp2;
use exec::{CommandId, CommandSpec, Condition, DefaultAction, Direction, Family, command, condition};
use kernel::attention;
use kernel::storage::Key;
use kernel::trace::{self, Component};
use program::rununit::{ExecOutcome, FrameId};

/// Value of [`ExecOutcome::Leave`]; the task's level has the reason.
const LEFT: u64 = 1;

/// Commands that a user-written condition handler and the programs it calls may not use (Language Environment Programming Guide,
/// "Restrictions on EXEC CICS commands in condition handlers").
const REFUSED_IN_HANDLERS: [CommandId; 7] = [
    command::ABEND,
    command::HANDLE_ABEND,
    command::HANDLE_AID,
    command::HANDLE_CONDITION,
    command::IGNORE_CONDITION,
    command::POP_HANDLE,
    command::PUSH_HANDLE,
];

/// Executes one command of the program in `frame`.
pub fn execute(task: &mut Task, frame: Option<FrameId>, block: &mut Block) -> ExecOutcome {
    task.performance.commands += 1;
    task.frame = frame;
    let region = task.region;
    let Some(entry) = stages::find(region, block.command) else {
        return fail(task, Abend::new("AEIP").because("the argument block names no command"));
    };
    let line = block.line;
    let nohandle = block.flags & Block::NOHANDLE != 0;
    task.line = line;
    task.command = Some(block.command);
    let observed = region.extensions.is_observed();
    let answered = if observed { region.extensions.before(task, block) } else { None };
    if trace::is_on(Component::Ei, 1) {
        traced::entering(task, entry.spec, block);
    }

    let need = entry.need(task);
    if need != Need::Threadsafe
        && let Err(abend) = enter(task, need)
    {
        return fail(task, abend);
    }
    let levels = task.levels.len();
    let mut arguments = Arguments::new(block, &region.code_page);
    let mut outcome = match (answered, task.gauge) {
        (None, None) => carry_out(task, entry, &mut arguments),
        (Some(outcome), None) => outcome,
        (answered, Some(gauge)) => gauged(task, gauge, entry, answered, &mut arguments),
    };
    let function = function_code(entry.spec, &arguments);
    debug_assert_eq!(task.levels.len(), levels, "{} ends at the level it was given at", entry.spec.name);
    if task.level().is_some_and(|level| level.home != Home::Any)
        && let Err(abend) = leave(task)
    {
        return fail(task, abend);
    }
    debug_assert!(task.level().is_none_or(|level| change_mode::program_mode(level.home, task.kernel.mode()).is_none()));
    if observed {
        region.extensions.after(task, block, &mut outcome);
    }
    account(task, frame, block, entry, Answer { function, family: entry.spec.family, nohandle }, outcome)
}

/// The stages between the gate's own: refusals independent of the resource, then resolve, authorize, route, execute.
#[inline]
fn carry_out(task: &mut Task, entry: &'static dispatch::Entry, arguments: &mut Arguments) -> crate::Outcome {
    if task.is_handling_condition() && REFUSED_IN_HANDLERS.contains(&entry.spec.id) {
        return raise(condition::INVREQ, resp2::NONE);
    }
    if task.region.command_protection
        && let Some(address) = protected_output(task, entry, arguments)
    {
        return Err(Raised::Abend(Box::new(command_protection(address))));
    }
    if let Some(option) = entry.refused.iter().find(|option| arguments.has(**option)) {
        let name = format!("{} {}", entry.spec.name, option.name());
        return Err(Raised::Abend(Box::new(not_implemented(task, &name))));
    }
    let target = stages::resolve(task, entry.spec, arguments)?;
    stages::authorize(task, entry.spec, target.as_ref(), arguments)?;
    let route = stages::route(task.region, entry.spec, target.as_ref(), arguments)?;
    stages::execute(task, entry, target.as_ref(), route, arguments)
}

/// A command of a task whose use of resources is watched.
fn gauged(
    task: &mut Task,
    gauge: &'static Gauge,
    entry: &'static dispatch::Entry,
    answered: Option<crate::Outcome>,
    arguments: &mut Arguments,
) -> crate::Outcome {
    (gauge.before)(task, arguments)?;
    let outcome = match answered {
        Some(outcome) => outcome,
        None => carry_out(task, entry, arguments),
    };
    match outcome {
        Ok(()) | Err(Raised::Condition { .. }) => (gauge.after)(task).and(outcome),
        leaves => leaves,
    }
}

/// How a command is to be answered: EIBFN, the family that decides EIBRCODE, and NOHANDLE (or RESP).
#[derive(Clone, Copy)]
struct Answer {
    function: u16,
    family: Family,
    nohandle: bool,
}

/// The last stage: the response in EIB and RESP, trace, the requests of the attention word, and where control continues.
#[inline]
fn account(
    task: &mut Task,
    frame: Option<FrameId>,
    block: &mut Block,
    entry: &dispatch::Entry,
    answer: Answer,
    outcome: crate::Outcome,
) -> ExecOutcome {
    let unhandled = match outcome {
        Err(Raised::Condition { condition, resp2, lengths, .. }) => Some(Unhandled { condition, resp2, lengths }),
        _ => None,
    };
    let unhandled_condition = unhandled.is_some();
    let outcome = complete(task, frame, answer, outcome);
    if matches!(outcome, ExecOutcome::Abend(_)) {
        cause::of_command(task, entry.spec, block, unhandled);
    }
    if answer.nohandle && matches!(outcome, ExecOutcome::Continue) {
        record_response(task, block);
    }
    if trace::is_on(Component::Ei, 1) {
        let ending = traced::Ending::of(&outcome, unhandled_condition);
        traced::leaving(task, entry.spec, block, ending);
    }
    match outcome {
        ExecOutcome::Continue | ExecOutcome::GoTo(_) if task.kernel.attention() != 0 => match attention_abend(task) {
            Some(abend) => fail(task, abend),
            None => outcome,
        },
        outcome => outcome,
    }
}

/// Command protection (CMDPROT=YES): the first output area that begins at an address the program itself could not write.
fn protected_output(task: &Task, entry: &dispatch::Entry, arguments: &Arguments) -> Option<usize> {
    if !task.runs_in_user_key() {
        return None;
    }
    let is_output = |argument: &&Argument| {
        let direction = entry.spec.option(argument.option).map(|option| option.direction);
        argument.representation == Representation::Area && matches!(direction, Some(Direction::Out | Direction::InOut))
    };
    let addresses = arguments.all().iter().filter(is_output).map(|argument| argument.address as usize);
    addresses.into_iter().find(|&address| match kernel::storage::key_at(address) {
        Some(Key::Cics) => true,
        Some(Key::User) => task.storage.subspace().is_some_and(|subspace| {
            let isolated = task.region.storage.dsa_at(address).is_some_and(kernel::storage::Dsa::is_isolated);
            isolated && !subspace.contains(address)
        }),
        None => false,
    })
}

#[cold]
fn command_protection(address: usize) -> Abend {
    let mut abend = Abend::new("AEYD").because(format!("the program cannot write the output area at {address:X}"));
    abend.storage = Some(address);
    abend
}

/// EIBFN of the command: ASKTIME with ABSTIME has its own function code.
#[inline]
pub fn function_code(spec: &CommandSpec, arguments: &Arguments) -> u16 {
    const ASKTIME: u16 = 0x1002;
    const ASKTIME_ABSTIME: u16 = 0x4A02;
    if spec.eibfn == ASKTIME && arguments.has(exec::option::ABSTIME) { ASKTIME_ABSTIME } else { spec.eibfn }
}

/// RESP and RESP2, for the program's own items: compiled code stores them.
fn record_response(task: &Task, block: &mut Block) {
    let mut arguments = Arguments::new(block, &task.region.code_page);
    arguments.set_integer(exec::option::RESP, i64::from(task.eib.full(exec::eib::EIBRESP)));
    arguments.set_integer(exec::option::RESP2, i64::from(task.eib.full(exec::eib::EIBRESP2)));
}

/// Records the response and chooses where control continues.
fn complete(
    task: &mut Task,
    frame: Option<FrameId>,
    Answer { function, family, nohandle }: Answer,
    outcome: crate::Outcome,
) -> ExecOutcome {
    let (condition, resp2, access) = match outcome {
        Ok(()) => (condition::NORMAL, 0, [0; 2]),
        Err(Raised::Condition { condition, resp2, access, .. }) => (condition, resp2, access),
        Err(Raised::Abend(abend)) => return fail(task, *abend),
        Err(Raised::Leave) => return ExecOutcome::Leave(LEFT),
        Err(Raised::Goto(label)) => return ExecOutcome::GoTo(label),
    };
    let mut code = response_code(function, family, condition);
    if access != [0; 2] {
        code[1..3].copy_from_slice(&access);
    }
    task.eib.set_response(function, code, condition.0, resp2);
    if let Err(fault) = task.eib.flush() {
        return fail(task, Abend::new("ASRA").because(format!("the EIB at {:X} cannot be written", fault.address)));
    }
    // An attention key takes precedence over a condition of the same input command.
    let aid = task.aid_received.take();
    if nohandle {
        return ExecOutcome::Continue;
    }
    let label_for = |aid| task.level().and_then(|level| level.handles.aid(frame?, aid));
    if let Some(label) = aid.and_then(label_for) {
        return ExecOutcome::GoTo(label);
    }
    if condition == condition::NORMAL {
        return ExecOutcome::Continue;
    }
    raised(task, frame, condition, resp2)
}

/// A condition that the program did not ask to see in RESP.
fn raised(task: &mut Task, frame: Option<FrameId>, condition: Condition, resp2: i32) -> ExecOutcome {
    let level = task.level();
    let specific = level.and_then(|level| level.handles.condition(frame?, condition));
    let default = condition.default_action();
    // HANDLE CONDITION ERROR covers the conditions whose default is an abend.
    let general = || level.and_then(|level| level.handles.condition(frame?, condition::ERROR));
    let action = specific.or_else(|| if default == DefaultAction::Abend { general() } else { None });
    match action {
        Some(Action::Label(label)) => ExecOutcome::GoTo(label),
        Some(Action::Ignore) => ExecOutcome::Continue,
        None if default != DefaultAction::Abend => ExecOutcome::Continue,
        None => {
            let mut abend = Abend::new(condition.abend_code().unwrap_or("AEIA"));
            abend.reason = Some(format!("{} with RESP2 {resp2} was not handled", condition.name()));
            fail(task, abend)
        }
    }
}

impl Task {
    /// The program intercepts this condition: by RESP or NOHANDLE, or by HANDLE CONDITION with a label.
    pub fn intercepts(&self, arguments: &Arguments, condition: Condition) -> bool {
        let handled = || self.level().and_then(|level| level.handles.condition(self.frame?, condition));
        arguments.nohandle || matches!(handled(), Some(Action::Label(_)))
    }
}

/// Hands an abend to the recovery point; the details wait in the task.
pub fn fail(task: &mut Task, mut abend: Abend) -> ExecOutcome {
    abend.command = abend.command.or(task.command);
    if abend.line == 0 {
        abend.line = task.line;
    }
    let code = abend.code;
    task.pending_abend = Some(Box::new(abend));
    ExecOutcome::Abend(Box::new(kernel::Abend::new(std::str::from_utf8(&code).unwrap_or("ASRA"), 0)))
}

pub(super) fn enter(task: &mut Task, need: Need) -> Result<(), Abend> {
    match change_mode::command_mode(need, task.kernel.mode()) {
        Some(mode) => change(task, mode),
        None => Ok(()),
    }
}

pub(super) fn leave(task: &mut Task) -> Result<(), Abend> {
    let Some(level) = task.level() else { return Ok(()) };
    match change_mode::program_mode(level.home, task.kernel.mode()) {
        Some(mode) => change(task, mode),
        None => Ok(()),
    }
}

fn change(task: &mut Task, mode: kernel::Mode) -> Result<(), Abend> {
    task.kernel.change_mode(mode).map(|_| ()).map_err(|_| Task::purge_abend())
}

/// The abend that the attention word requests before control returns to the program.
pub(super) fn attention_abend(task: &mut Task) -> Option<Abend> {
    let bits = task.kernel.attention();
    if bits & attention::RUNAWAY != 0 {
        let mut abend = Abend::new("AICA").because(task.runaway_reason());
        // A program that has run away again since the last notification does so in its exits: they are skipped.
        abend.cancel_exits = !task.kernel.runaway_delivered();
        return Some(abend);
    }
    if bits & attention::STACK != 0 {
        // The command was carried out on the reserve of the stack: the program must not continue with the rest of the stack.
        task.kernel.clear_attention(attention::STACK);
        let mut abend = Abend::new("ASRA").because("the stack of the task is exhausted");
        abend.interrupt = Some(Box::new(Interrupt::protection(0)));
        return Some(abend);
    }
    if bits & (attention::PURGE | attention::FORCE_PURGE | attention::KILL) != 0 {
        // A plain purge waits until the task is in a wait that can be purged.
        let strong = bits & (attention::FORCE_PURGE | attention::KILL) != 0;
        if strong {
            task.kernel.clear_attention(attention::PURGE | attention::FORCE_PURGE | attention::KILL);
            return Some(Task::purge_abend());
        }
    }
    None
}

/// Commands that ask for what may be refused for other reasons too: a program that looks at the response gets one, and can tell its user.
const ANSWERED: [CommandId; 1] = [command::RUN_TRANSID];

/// Whether a program that looks at its response gets a condition from a command without a handler.
pub fn is_answered(command: CommandId) -> bool {
    ANSWERED.contains(&command)
}

/// A command without a handler.
pub(super) fn without_handler(task: &Task, spec: &CommandSpec, is_looked_at: bool) -> crate::Outcome {
    if !is_looked_at || !is_answered(spec.id) {
        return Err(Raised::Abend(Box::new(not_implemented(task, spec.name))));
    }
    tell("DFHEI0002", task, spec.name);
    raise(condition::INVREQ, resp2::NONE)
}

fn tell(id: &'static str, task: &Task, name: &str) {
    let program = task.program_name();
    let (line, transid) = (task.line.to_string(), task.transid.as_str());
    let values = [("program", program.as_str()), ("line", &line), ("command", name), ("transid", transid)];
    task.region.messages.send(id, &values);
}

fn not_implemented(task: &Task, name: &str) -> Abend {
    tell("DFHEI0001", task, name);
    Abend::new("AEY9").because(format!("EXEC CICS {name} is not available in this release"))
}
