//! Guarded entries: a program runs under its own recovery point, where its abends and program interruptions become conditions and where a
//! moved resume cursor lets its caller continue.
//!
//! The first program of a run unit, condition handlers, programs that CALL 'CEEHDLR', and every program called once a handler is registered
//! get a guarded entry. Others are called directly.
//!
//! Invariant: a departure that is meant for an outer guarded entry passes through each entry on the way; none is skipped.
//!
//! `unsafe` here enters programs; `kernel::guard` states the conditions, and the parent module names the tests.

use super::condition_options::TerminationAction;
use super::conditions::{Cause, Leaving, Resumable, Verdict};
use super::*;
use crate::abi::entry_label;
use le::callable::messages;
use le::callable::token::{CEE, IGZ, Token};

/// The service whose CALL makes a program's entry a guarded one.
pub(super) const REGISTER_HANDLER: &str = "CEEHDLR";
const SEVERE: u16 = 3;
/// IGZ0050S.
const ZERO_TO_NEGATIVE_POWER: u16 = 50;
const CRITICAL: u16 = 4;
/// The abend of errors that the run time itself has found.
const SOFTWARE_ABEND: &[u8; 4] = b"4038";

/// How a departure continues at the guarded entry it was for.
pub(super) enum Landing {
    /// Behind the call of the program.
    Returned,
    /// In the program, at a label.
    Label(u32),
}

/// Place of the label among the arguments of a program's entry.
const LABEL: usize = 3;

impl RunUnit {
    /// Whether a program is entered under its own recovery point.
    pub(super) fn is_guarded(&self, module: &Module, program: usize) -> bool {
        self.conditions.guards_all || module.programs[program].called.iter().any(|name| name == REGISTER_HANDLER)
    }

    /// The function through which compiled code calls a program so.
    pub(super) fn guarded_entry_address(&self) -> usize {
        let entry: crate::abi::Entry = match self.key {
            ProgramKey::Cics => super::shims::guarded_entry::<{ key::CICS }>,
            ProgramKey::User => super::shims::guarded_entry::<{ key::USER }>,
            ProgramKey::Isolated => super::shims::guarded_entry::<{ key::ISOLATED }>,
        };
        entry as usize
    }

    /// Runs a program, from one of its labels, until it ends in some way; returns its completion if control returns behind its call.
    pub(crate) fn run_guarded(&mut self, frame: *mut Frame, label: u32) -> Result<u32, Departure> {
        let enter_program: kernel::guard::GuardedFunction = match self.key {
            ProgramKey::Cics => enter_program::<{ key::CICS }>,
            ProgramKey::User => enter_program::<{ key::USER }>,
            ProgramKey::Isolated => enter_program::<{ key::ISOLATED }>,
        };
        let context: *mut Context = &mut self.context;
        let entry = unsafe { Activation::of(frame).entry(context, frame) };
        let mut arguments = [entry as usize, context as usize, frame as usize, label as usize];
        self.conditions.guarded.push(frame);
        let ended = loop {
            // Compiled code and the shims below this point own nothing that an abend would have to release.
            let departure = match unsafe { kernel::guarded_call(enter_program, arguments) } {
                Ok(completion) => break Ok(completion as u32),
                Err(departure) => departure,
            };
            if let Some(subspace) = &self.subspace {
                // A trap has left the program without a gate.
                unsafe { subspace.enter_cics_key() };
            }
            match self.land(frame, departure) {
                Ok(Landing::Returned) => break Ok(completion::RETURNED),
                Ok(Landing::Label(label)) => arguments[LABEL] = label as usize,
                Err(departure) => break Err(departure),
            }
        };
        let at = self.conditions.guarded.iter().rposition(|known| *known == frame);
        self.conditions.guarded.truncate(at.unwrap_or(0));
        if self.conditions.remembers_frames() {
            self.conditions.forget(frame);
        }
        ended
    }

    /// A departure has reached the guarded entry of this frame (null: the call of a handler that could not be entered).
    #[cold]
    pub(super) fn land(&mut self, frame: *mut Frame, departure: Departure) -> Result<Landing, Departure> {
        let abend = match departure {
            Departure::Exit(value) => return self.exit_lands(frame, value),
            Departure::Abend(abend) => abend,
        };
        // Further out than the place where it became a failure.
        if self.conditions.failure.is_some() {
            return Err(Departure::Abend(abend));
        }
        let failure = self.explain((*abend).clone());
        let is_condition = !self.conditions.terminating && self.conditions.options.trap && self.host().abend_is_condition(&failure.abend);
        if is_condition {
            let token = self.condition_of(&failure);
            let offset = failure.place.as_ref().map_or(0, |place| place.offset);
            match self.signal(token, cause_of(&failure), self.resumable(&failure), false, offset) {
                // A condition in a handler has been resumed further out, perhaps here.
                Err(Departure::Exit(value)) => return self.exit_lands(frame, value),
                Err(departure) => return Err(departure),
                Ok(Verdict::Leave(leaving)) => {
                    self.conditions.leaving = Some(leaving);
                    return self.exit_lands(frame, 0);
                }
                Ok(Verdict::InPlace | Verdict::Unhandled | Verdict::Refused) => self.report(&token, &failure),
            }
        }
        self.conditions.failure = Some(Box::new(failure));
        Err(Departure::Abend(abend))
    }

    /// Whether the failing program can resume behind its statement; a program that can has noted the statement in its frame.
    fn resumable(&self, failure: &Failure) -> Resumable {
        let frame = self.header.current;
        let is_command = failure.interruption.is_none() && &failure.abend.code != SOFTWARE_ABEND;
        if !self.conditions.guarded.contains(&frame) || (failure.abend.trap.is_none() && !is_command) {
            return Resumable::Elsewhere;
        }
        let info = unsafe { Activation::of(frame) }.info();
        let statement = unsafe { (*frame).statement }.checked_sub(info.statement_base);
        match info.resume_points.iter().find(|point| Some(point.statement) == statement) {
            Some(point) => Resumable::Behind { label: point.point | entry_label::RESUME, at_once: failure.interruption.is_some() },
            None => Resumable::Elsewhere,
        }
    }

    fn exit_lands(&mut self, frame: *mut Frame, value: u64) -> Result<Landing, Departure> {
        let landing = match self.conditions.leaving {
            Some(Leaving::ReturnOf(target)) if target == frame => Landing::Returned,
            Some(Leaving::Label(target, label)) if target == frame => Landing::Label(label),
            _ => return Err(Departure::Exit(value)),
        };
        self.conditions.leaving = None;
        self.unwind_to(frame);
        Ok(landing)
    }

    /// The condition that an abend, program interruption or run-time error is.
    fn condition_of(&mut self, failure: &Failure) -> Token {
        use crate::requests::failure as error;
        if let Some(code) = failure.interruption {
            return messages::interruption(code);
        }
        let message = match (failure.exception, failure.run_time_error) {
            (Some(le::Exception::Subscript), _) => 6,
            (Some(le::Exception::OccursDependingOn), _) => 9,
            (Some(le::Exception::Exponentiation), _) => {
                let place = failure.place.as_ref().map(|place| super::checks::exponentiation_place(&place.program, place.offset));
                return self.conditions.with_inserts(Token::new(IGZ, SEVERE, ZERO_TO_NEGATIVE_POWER), place.into_iter().collect());
            }
            (Some(le::Exception::ReferenceModification), _) => 72,
            (Some(_), _) => 152,
            (None, Some(error::RECURSION)) => 64,
            (None, Some(error::NUMERIC_CHECK)) => 280,
            _ => {
                let token = Token::new(CEE, CRITICAL, messages::ABEND);
                return self.conditions.with_inserts(token, vec![failure.abend.code_text().trim_end().to_string()]);
            }
        };
        Token::new(IGZ, SEVERE, message)
    }

    /// The message of a condition that ends the program, and the place where it arose.
    fn report(&mut self, token: &Token, failure: &Failure) {
        let action = self.conditions.options.termination;
        if action == TerminationAction::Quiet {
            return;
        }
        let Some(message) = self.message_of(token) else { return };
        self.host().message(&message);
        if let Some(place) = &failure.place {
            for line in wrapped(&whereabouts(place, failure)) {
                self.host().message(&line);
            }
        }
        if action >= TerminationAction::Trace {
            self.dump_of_condition(failure, action == TerminationAction::Dump);
        }
    }
}

fn cause_of(failure: &Failure) -> Cause {
    match failure.interruption {
        Some(_) => Cause::ProgramCheck { address: failure.abend.trap.map_or(0, |trap| u32::try_from(trap.pc).unwrap_or(0)) },
        None => Cause::Abend { code: failure.abend.code, reason: failure.abend.value as u32 },
    }
}

/// The second part of the message: where the condition arose.
fn whereabouts(place: &Place, failure: &Failure) -> String {
    let Place { program, offset, line, .. } = place;
    let statement = if *line == 0 { String::new() } else { format!(" at statement {line}") };
    let address = failure.abend.trap.filter(|trap| trap.pc != 0).map_or(String::new(), |trap| format!(" at address {:08X}", trap.pc));
    format!(
        "From compile unit {program} at entry point {program}{statement} at compile unit offset +{offset:08X} at entry offset \
         +{offset:08X}{address}."
    )
}

/// The lines of a message after its first, with the length for MSGFILE.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![MESSAGE_INDENT.to_string()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if line.len() + word.len() > MESSAGE_WIDTH {
            lines.push(format!("{MESSAGE_INDENT}{word} "));
        } else {
            line.push_str(word);
            line.push(' ');
        }
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

/// Under the text of a message, behind its identifier.
const MESSAGE_INDENT: &str = "         ";
/// MSGFILE(SYSOUT,FBA,121): a control character and so many more.
const MESSAGE_WIDTH: usize = 120;
