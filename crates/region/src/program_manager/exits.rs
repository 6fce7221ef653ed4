//! The global user exits of program control: XPCFTCH before a program runs, XPCTA after an abend, XPCHAIR before its handler, XPCABND before its
//! dump.
//!
//! UERCMEA is ignored at all, as DFHPCUE tells the exit program (PCUE_NO_MODIFY, PCUE_NO_RESUME): a program has no address to branch to.

use super::TaskState;
use super::ready::ReadyProgram;
use crate::control_blocks::exit_structure::ExitRecord;
use crate::{Abend, ExitArgument, ExitCode, Raised, Task};
use exec::exit_point;

/// PCUE_CONTROL_BITS: the task has a terminal; UERCMEA is ignored.
const HAS_TERMINAL: u64 = 0x80;
const ADDRESS_IGNORED: u64 = 0x10;

impl Task {
    /// The return code of the program that has ended last (RETURN-CODE, or the value of `main`).
    pub fn return_code(&self) -> i32 {
        TaskState::of(&self.parts).return_code
    }
}

/// A program of the present level is about to run.
#[inline]
pub fn fetched(task: &mut Task, ready: &ReadyProgram) -> Result<(), Box<Abend>> {
    if task.has_exit(exit_point::XPCFTCH) { call_fetched(task, ready) } else { Ok(()) }
}

#[cold]
fn call_fetched(task: &mut Task, ready: &ReadyProgram) -> Result<(), Box<Abend>> {
    let program = &ready.program;
    let (address, _) = program.image().unwrap_or((0, 0));
    let language = if program.is_c() {
        "C"
    } else if program.is_cobol() {
        "COB"
    } else {
        ""
    };
    let commarea = task.level().map_or((0, 0), |level| (level.commarea.address, level.commarea.length));
    let record = record_of(task)
        .text("PCUE_PROGRAM_LANGUAGE", language)
        .number("PCUE_LOAD_POINT", address as u64)
        .number("PCUE_ENTRY_POINT", address as u64)
        .number("PCUE_PROGRAM_SIZE", program.length() as u64)
        .number("PCUE_COMMAREA_ADDRESS", commarea.0 as u64)
        .number("PCUE_COMMAREA_SIZE", commarea.1 as u64)
        .into_bytes();
    call(task, exit_point::XPCFTCH, &mut [ExitArgument::Bytes(record)]).map(|_| ())
}

fn record_of(task: &Task) -> ExitRecord<'static> {
    let terminal = task.terminal_name();
    let bits = ADDRESS_IGNORED | if terminal.is_blank() { 0 } else { HAS_TERMINAL };
    ExitRecord::new("DFHPCUE", &task.region.code_page)
        .number("PCUE_CONTROL_BITS", bits)
        .number("PCUE_TASK_NUMBER", task.number.into())
        .text("PCUE_TRANSACTION_ID", task.transid.as_str())
        .text("PCUE_TERMINAL_ID", terminal.as_str())
        .text("PCUE_PROGRAM_NAME", task.program_name().as_str())
        .number("PCUE_LOGICAL_LEVEL", task.levels.len() as u64)
}

/// A program has abended, and nothing has handled it yet. An abend of the exit program takes the place of the first.
pub fn abended(task: &mut Task, abend: &mut Abend) -> Result<(), Box<Abend>> {
    let is_first = !std::mem::replace(&mut abend.seen_by_exits, true);
    if !is_first || !task.has_exit(exit_point::XPCTA) {
        return Ok(());
    }
    let [record, details] = of_abend(task, abend);
    call(task, exit_point::XPCTA, &mut [record, details]).map(|_| ())
}

/// DFHPCUE and DFHTACB for an abend.
fn of_abend(task: &Task, abend: &Abend) -> [ExitArgument; 2] {
    let flag = |flag: bool| u64::from(flag);
    let record = record_of(task).text("PCUE_PROGRAM_NAME", abend.program.as_str()).into_bytes();
    let details = ExitRecord::new("DFHTACB", &task.region.code_page)
        .text("TACB_ABCODE", &abend.code_text())
        .text("TACB_PROGRAM", abend.program.as_str())
        .number("TACB_INTERRUPT", abend.interrupt.as_ref().map_or(0, |interrupt| interrupt.code.into()))
        .number("TACB_KEY", flag(task.runs_in_user_key()))
        .number("TACB_CANCEL", flag(abend.cancel_exits))
        .number("TACB_OFFSET", abend.offset.unwrap_or(u32::MAX).into())
        .number("TACB_LINE", abend.line.into())
        .number("TACB_ADDRESS", abend.storage.unwrap_or(0) as u64)
        .into_bytes();
    [ExitArgument::Bytes(record), ExitArgument::Bytes(details)]
}

/// The label of HANDLE ABEND is about to get control.
pub fn handled(task: &mut Task) -> Result<(), Box<Abend>> {
    if !task.has_exit(exit_point::XPCHAIR) {
        return Ok(());
    }
    let record = ExitArgument::Bytes(record_of(task).into_bytes());
    call(task, exit_point::XPCHAIR, &mut [record]).map(|_| ())
}

impl Task {
    /// The exit programs of XPCABND suppress the transaction dump of an abend.
    pub(crate) fn suppresses_dump(&mut self, abend: &Abend) -> bool {
        if !self.has_exit(exit_point::XPCABND) {
            return false;
        }
        let mut arguments = of_abend(self, abend);
        // The task is ending already: an abend of the exit program changes nothing.
        call(self, exit_point::XPCABND, &mut arguments).is_ok_and(|code| code.is("UERCBYP"))
    }
}

fn call(task: &mut Task, point: exec::ExitPoint, arguments: &mut [ExitArgument]) -> Result<ExitCode, Box<Abend>> {
    match task.call_exit(point, arguments) {
        Err(Raised::Abend(abend)) => Err(abend),
        Err(_) => Ok(ExitCode::NORMAL),
        Ok(code) => Ok(code),
    }
}
