//! The cause of a task's failure in one line: the place, the statement executed, and what was wrong with it.
//!
//! Invariant: a cause is composed only when a program abends; commands that succeed or whose conditions are handled cost nothing, and an
//! abend that HANDLE ABEND handles at once copies no storage.

use super::snapshot::{self, ProgramSnapshot};
use crate::code_page::RegionCodePage;
use crate::{Abend, Arguments, Interrupt, Task};
use exec::block::{Argument, Block, Representation};
use exec::{ArgumentKind, CommandSpec, Condition, condition, option};
use program::rununit::FrameId;
use std::path::Path;

/// Names of a command that are shown, and characters of each.
const NAMES_MAX: usize = 4;
const NAME_LENGTH_MAX: usize = 48;
/// Bytes of a key that are shown.
const KEY_LENGTH_MAX: usize = 64;

/// An unhandled condition: its number, RESP2, and for LENGERR the length given by the program and the actual one.
#[derive(Clone, Copy)]
pub struct Unhandled {
    pub condition: Condition,
    pub resp2: i32,
    pub lengths: [u32; 2],
}

/// Adds the command and its result to the abend of a command.
#[cold]
pub fn of_command(task: &mut Task, spec: &CommandSpec, block: &mut Block, unhandled: Option<Unhandled>) {
    let page = &task.region.code_page;
    let arguments = Arguments::new(block, page);
    let mut text = format!("{}{}", spec.name, names(spec, &arguments, page));
    if let Some(unhandled) = unhandled {
        if !is_about_name(unhandled.condition)
            && let Some(key) = key(&arguments, page)
        {
            text = format!("{text} RIDFLD({key})");
        }
        text = format!("{text}: {}, {}", unhandled.condition.name(), meaning(spec, &arguments, unhandled));
    }
    let Some(abend) = task.pending_abend.as_mut().filter(|abend| abend.cause.is_none()) else { return };
    if unhandled.is_none() {
        let reason = abend.reason.clone().unwrap_or_else(|| format!("abend {}", abend.code_text()));
        text = format!("{text}: {reason}");
    }
    abend.cause = Some(text);
}

/// `FILE(ACCT)`, `MAP(M1) MAPSET(MS)`: the names the command was given.
fn names(spec: &CommandSpec, arguments: &Arguments, page: &RegionCodePage) -> String {
    let name = |argument: &Argument| {
        let option = spec.option(argument.option)?;
        let is_name = matches!(option.kind, ArgumentKind::Name | ArgumentKind::FileName | ArgumentKind::SystemName);
        // Words of the command's own name have been shown with it.
        if !is_name || argument.representation != Representation::Area || option.direction.is_output() {
            return None;
        }
        let bytes = arguments.area(argument.option)?.truncated(NAME_LENGTH_MAX).read().ok()?;
        Some(format!(" {}({})", option.name, page.text(&bytes).trim_end()))
    };
    let text: String = arguments.all().iter().filter_map(name).take(NAMES_MAX).collect();
    // SEND MAP MAP(M1) has no more information than SEND MAP(M1).
    let last = spec.words.last().copied().unwrap_or_default();
    match text.strip_prefix(&format!(" {last}(")) {
        Some(rest) if spec.words.len() > 1 => format!("({rest}"),
        _ => text,
    }
}

/// The record's key: as text, or in hexadecimal if it is not text.
fn key(arguments: &Arguments, page: &RegionCodePage) -> Option<String> {
    let area = arguments.area(option::RIDFLD)?;
    let length = arguments.integer(option::KEYLENGTH).and_then(|length| usize::try_from(length).ok()).unwrap_or(area.length);
    let bytes = area.truncated(length.min(KEY_LENGTH_MAX)).read().ok()?;
    let text = page.text(&bytes);
    let printable = !text.chars().any(|character| character.is_control() || character == '\u{FFFD}');
    Some(if printable { text.trim_end().to_string() } else { super::values::LIMITS.hexadecimal(&bytes) })
}

/// Conditions for a missing resource: the key does not matter for them.
fn is_about_name(condition: Condition) -> bool {
    [condition::FILENOTFOUND, condition::NOTOPEN, condition::DISABLED, condition::SYSIDERR].contains(&condition)
}

fn meaning(spec: &CommandSpec, arguments: &Arguments, unhandled: Unhandled) -> String {
    let Unhandled { condition, resp2, lengths: [given, actual] } = unhandled;
    let of_lengths = || {
        if arguments.has(option::FROM) {
            format!("the program gives {given} bytes, the file takes {actual}")
        } else {
            format!("the data has {actual} bytes, the program has room for {given}")
        }
    };
    let known = match condition {
        condition::LENGERR if given != actual => return of_lengths(),
        condition::FILENOTFOUND => "no such FILE",
        condition::NOTFND => "no record with this key",
        condition::DUPREC => "there is a record with this key",
        condition::NOTOPEN => "the file is not open",
        condition::ENDFILE => "there are no more records",
        condition::QIDERR => "no such QUEUE",
        condition::ITEMERR => "no such ITEM",
        condition::TRANSIDERR => "no such TRANSACTION",
        condition::TERMIDERR => "no such TERMINAL",
        condition::MAPFAIL => "the terminal sent no data for the map",
        condition::CONTAINERERR => "no such CONTAINER",
        condition::CHANNELERR => "no such CHANNEL, or its name is not valid",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_string();
    }
    match exec::resp2_meaning(spec.name, condition, i64::from(resp2)) {
        Some(meaning) => format!("{meaning} (RESP2 {resp2})"),
        None => format!("RESP2 {resp2}"),
    }
}

/// Completes the abend of a compiled program while its storage is there: source, operands of a statement that was interrupted, and the
/// data of the active programs for the dump.
#[cold]
pub fn of_program(task: &mut Task, innermost: Option<FrameId>, statement: Option<u32>, abend: &mut Abend) {
    let is_handled = !abend.cancel_exits && task.level().is_some_and(|level| level.handles.has_active_abend());
    if is_handled {
        return;
    }
    // The levels above the one that failed are at their LINK.
    let is_first = super::TaskState::of(&task.parts).snapshots.is_empty();
    let programs = snapshot::capture(innermost, if is_first { abend.line } else { task.line });
    if let Some(failed) = programs.first() {
        if abend.source.is_none() && !failed.module.source.is_empty() {
            abend.source = Some(failed.module.source.as_str().into());
        }
        if let (None, Some(interrupt)) = (&abend.cause, &abend.interrupt) {
            let operands = statement.map(|statement| failed.operands(statement, &task.region.code_page)).unwrap_or_default();
            abend.cause = Some(interruption(interrupt, &operands));
        }
    }
    if task.definition.dump && !abend.no_dump {
        super::TaskState::of_mut(&mut task.parts).snapshots.extend(programs);
    }
}

const PROTECTION: u16 = 0x4;
/// Program interruption conditions (Principles of Operation, "Interruptions").
const INTERRUPTIONS: [(u16, &str); 10] = [
    (1, "operation"),
    (PROTECTION, "protection"),
    (5, "addressing"),
    (6, "specification"),
    (7, "data"),
    (8, "fixed-point overflow"),
    (9, "fixed-point divide"),
    (10, "decimal overflow"),
    (11, "decimal divide"),
    (15, "floating-point divide"),
];

/// The name of a program interruption: `protection`.
pub fn interruption_name(interrupt: &Interrupt) -> &'static str {
    let code = interrupt.code & 0xF;
    INTERRUPTIONS.iter().find(|(number, _)| *number == code).map_or("program", |(_, name)| name)
}

fn interruption(interrupt: &Interrupt, operands: &str) -> String {
    let (code, name) = (interrupt.code & 0xF, interruption_name(interrupt));
    let place = if code == PROTECTION { format!(" at address {:X}", interrupt.address) } else { String::new() };
    let operands = if operands.is_empty() { String::new() } else { format!(": {operands}") };
    format!("{} {name} exception{place}{operands}", interrupt.completion_code())
}

/// The line for the operator: `BADPGM.cbl:17 READ FILE(NOFILE): FILENOTFOUND, no such FILE`.
pub fn line(abend: &Abend) -> String {
    let source = abend.source.as_deref().and_then(|source| Path::new(source).file_name()).map(|name| name.to_string_lossy().into_owned());
    let place = match (source, abend.line) {
        (Some(source), 1..) => format!("{source}:{}", abend.line),
        (Some(source), 0) => source,
        (None, 1..) => format!("{} line {}", abend.program, abend.line),
        (None, 0) => abend.program.to_string(),
    };
    let cause = abend.cause.clone().unwrap_or_else(|| match &abend.reason {
        Some(reason) => format!("abend {}: {reason}", abend.code_text()),
        None => format!("abend {}", abend.code_text()),
    });
    format!("{place} {cause}")
}

/// The data of the programs that a command of the running program finds (DUMP TRANSACTION).
pub fn running_programs(task: &Task) -> Vec<ProgramSnapshot> {
    snapshot::capture(task.frame, task.line)
}
