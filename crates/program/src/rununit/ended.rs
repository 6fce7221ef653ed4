//! How a run unit's run came to its end, and where in which program.

use crate::abi::UnitHeader;
use crate::module::{self, Location};
use kernel::Abend;
use kernel::guard::Interrupt;

/// How [`super::RunUnit::start`] or `resume` ended.
pub enum Ended {
    /// GOBACK, EXIT PROGRAM or the end of the program.
    Returned,
    /// STOP RUN.
    Stopped,
    /// The host ended it with this value ([`super::ExecOutcome::Leave`]).
    Left(u64),
    Abended(Box<Failure>),
}

/// Where in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub program: String,
    /// Offset in the module's code.
    pub offset: u32,
    pub line: u32,
    pub statement: u32,
}

/// An abend with what is known of it.
#[derive(Debug)]
pub struct Failure {
    pub abend: Abend,
    /// Program interruption code (4 for 0C4, 7 for 0C7 ...) of a program check.
    pub interruption: Option<u8>,
    /// A run-time error found by the language's own checks (subscript, reference modification, function argument ...).
    pub exception: Option<le::Exception>,
    /// One of `requests::failure`, or [`u32::MAX`] for an error of the run time itself.
    pub run_time_error: Option<u32>,
    pub place: Option<Place>,
}

impl Failure {
    pub(super) fn explain(abend: Abend, header: &UnitHeader, last_line: (u32, u32)) -> Failure {
        let mut failure = Failure { abend, interruption: None, exception: None, run_time_error: None, place: None };
        let Some(trap) = failure.abend.trap else {
            failure.place = current_place(header, last_line);
            // Only these two carry a reason of this run time in their value.
            let value = if matches!(&failure.abend.code, b"ASRA" | b"4038") { failure.abend.value as u32 } else { 0 };
            match exception_of(value) {
                Ok(exception) => {
                    failure.interruption = exception.interruption();
                    failure.exception = Some(exception);
                }
                Err(error) if &failure.abend.code == b"4038" && error != 0 => failure.run_time_error = Some(error),
                Err(4) if &failure.abend.code == b"ASRA" => failure.interruption = Some(4),
                Err(_) => {}
            }
            return failure;
        };
        // A return address lies behind the call it belongs to.
        let address = if trap.in_run_time { trap.pc.wrapping_sub(1) } else { trap.pc };
        let location = module::locate(address);
        let trapped = location.as_ref().and_then(|location| location.trap);
        match trap.interrupt {
            Interrupt::Protection => failure.interruption = Some(4),
            Interrupt::Stopped => {}
            Interrupt::Arithmetic => failure.interruption = Some(9),
            Interrupt::Illegal if trap.in_run_time => match exception_of(header.exception) {
                Ok(exception) => {
                    failure.interruption = exception.interruption();
                    failure.exception = Some(exception);
                }
                Err(error) => failure.run_time_error = Some(error),
            },
            Interrupt::Illegal => match trapped {
                Some(code) if code < 16 => failure.interruption = Some(code),
                Some(code) => failure.exception = le::Exception::from_code(code),
                None => failure.interruption = Some(1),
            },
        }
        let location = location.map(|location| calling_statement(&location, &trap).unwrap_or(location));
        failure.place = location.map(|location| place_of(&location)).or_else(|| current_place(header, last_line));
        failure
    }

    /// One line for a log or a batch listing.
    pub fn text(&self) -> String {
        let what = match (self.exception, self.interruption, self.run_time_error) {
            (Some(exception), Some(code), _) => format!("program interruption 0C{code:X}: {exception}"),
            (Some(exception), None, _) => exception.to_string(),
            (None, Some(code), _) => format!("program interruption 0C{code:X}"),
            (None, None, Some(error)) => run_time_text(error).to_string(),
            (None, None, None) => "abend".to_string(),
        };
        let code = String::from_utf8_lossy(&self.abend.code).into_owned();
        match &self.place {
            Some(place) => format!("{code} in {} at line {}, offset {:X}: {what}", place.program, place.line, place.offset),
            None => format!("{code}: {what}"),
        }
    }
}

/// Frames looked at for the statement that called the run time of a C program.
const C_FRAMES_MAX: usize = 64;
/// Place of the frame pointer among the registers of a trap.
const FRAME_POINTER: usize = 6;

/// When a C program stopped in its run time, which has no lines: the statement that called it, by the chain of frame pointers. The stack
/// may be damaged, so every word of it is read as a program's.
fn calling_statement(location: &Location, trap: &kernel::Trap) -> Option<Location> {
    if location.line != 0 || location.module.c.is_none() {
        return None;
    }
    let mut frame = trap.registers[FRAME_POINTER] as usize;
    for _ in 0..C_FRAMES_MAX {
        let mut words = [0u8; 16];
        unsafe { kernel::guard::copy_in(frame, &mut words) }.ok()?;
        let word = |at: usize| usize::from_ne_bytes(words[at..at + 8].try_into().expect("eight bytes"));
        if let Some(caller) = module::locate(word(8).wrapping_sub(1)).filter(|caller| caller.line != 0) {
            return Some(caller);
        }
        let outer = word(0);
        if outer <= frame {
            return None;
        }
        frame = outer;
    }
    None
}

/// An exception number left by a light slot.
pub fn exception_of(number: u32) -> Result<le::Exception, u32> {
    u8::try_from(number).ok().and_then(le::Exception::from_code).ok_or(number)
}

pub fn place_of(location: &Location) -> Place {
    let program = &location.module.programs[location.program];
    Place {
        program: program.name.clone(),
        offset: location.offset.saturating_sub(program.code_offset),
        line: location.line,
        statement: location.statement,
    }
}

fn current_place(header: &UnitHeader, (line, statement): (u32, u32)) -> Option<Place> {
    let frame = super::FrameId::new(header.current)?;
    Some(Place { program: frame.name().to_string(), offset: 0, line, statement })
}

fn run_time_text(error: u32) -> &'static str {
    use crate::requests::failure;
    match error {
        failure::GO_TO_UNSET => "GO TO without a target: its ALTER was not executed",
        failure::RECURSION => "recursive CALL of a program that is not RECURSIVE",
        failure::FLOW => "control left the program's paragraphs",
        failure::ABORT => "the program called abort",
        failure::NUMERIC_CHECK => "a sending item does not hold valid data (NUMCHECK)",
        failure::STORAGE_CHECK => "a called program has changed storage beyond the end of WORKING-STORAGE (PARMCHECK)",
        crate::requests::failure::UNSUPPORTED => "a statement that is not supported was executed",
        crate::shims::PANIC => "internal error of the run time",
        _ => "run-time error",
    }
}
