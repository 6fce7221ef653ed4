//! Callable services of condition handling and messages: CEEHDLR, CEESGL, CEEMRCR, CEEMSG ... (Programming Reference, "Condition handling
//! services" and "Message handling services").
//!
//! `unsafe` here reads and writes the arguments of a call: see the parent module.

use super::condition_options::TerminationAction;
use super::conditions::{Cause, Handler, Moved, Resumable, Verdict};
use super::services::Areas;
use super::*;
use le::callable::token::{CEE, ERROR, IGZ, TOKEN_LENGTH, Token};
use le::callable::{Feedback, messages};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Register,
    Unregister,
    Signal,
    MoveCursor,
    SetResumePoint,
    MoveCursorTo,
    Dump,
    InitialToken,
    QualifyingData,
    RoutineName,
    RoutineOffset,
    ConditionBlock,
    RecordInformation,
    Insert,
    GetMessage,
    PutMessage,
    DebugTool,
    Platform,
}

/// A service by name, and which arguments it needs; the feedback code follows them.
pub(super) fn find(name: &str) -> Option<(Service, std::ops::Range<usize>)> {
    Some(match name {
        "CEEHDLR" => (Service::Register, 0..2),
        "CEEHDLU" => (Service::Unregister, 0..1),
        "CEESGL" => (Service::Signal, 0..2),
        "CEEMRCR" => (Service::MoveCursor, 0..1),
        "CEE3SRP" => (Service::SetResumePoint, 0..1),
        "CEEMRCE" => (Service::MoveCursorTo, 0..1),
        "CEE3DMP" => (Service::Dump, 0..2),
        "CEEITOK" => (Service::InitialToken, 0..1),
        "CEEGQDT" => (Service::QualifyingData, 0..2),
        "CEE3GRN" => (Service::RoutineName, 0..1),
        "CEE3GRO" => (Service::RoutineOffset, 0..1),
        "CEE3CIB" => (Service::ConditionBlock, 1..2),
        "CEERCDM" => (Service::RecordInformation, 0..2),
        "CEECMI" => (Service::Insert, 0..3),
        "CEEMGET" => (Service::GetMessage, 0..3),
        "CEEMSG" => (Service::PutMessage, 0..2),
        "CEETEST" => (Service::DebugTool, 0..1),
        "CEEGPID" => (Service::Platform, 0..2),
        _ => return None,
    })
}

const fn warning(message: u16) -> Feedback {
    Feedback { severity: 1, message }
}

const fn severe(message: u16) -> Feedback {
    Feedback { severity: 3, message }
}

/// CEE036: no condition token.
const NO_TOKEN: Feedback = severe(102);
/// CEE069: the condition signalled by CEESGL was not handled.
const UNHANDLED: Feedback = Feedback { severity: 0, message: 201 };
/// CEE07S, CEE07T: nothing to unregister; more registrations of the routine remain.
const NOT_REGISTERED: Feedback = warning(252);
const MORE_REGISTRATIONS: Feedback = warning(253);
/// CEE07U: neither 0 nor 1.
const TYPE_OF_MOVE: Feedback = warning(254);
/// CEE07V: no resume point.
const NO_LABEL: Feedback = Feedback { severity: 2, message: 255 };
/// CEE080: registered again. CEE081: no entry.
const REGISTERED_AGAIN: Feedback = warning(256);
const NO_ENTRY: Feedback = severe(257);
/// CEE083, CEE084.
const FRAME_ZERO: Feedback = severe(259);
const NO_CONDITION_TO_MOVE: Feedback = severe(260);
/// CEE35S.
const NO_CONDITION: Feedback = warning(3260);
/// CEE0E3: the destination of a message.
pub(super) const DESTINATION: Feedback = severe(451);
/// CEE0E7: more of the message follows. CEE0EA: no text.
const TRUNCATED: Feedback = warning(455);
const NO_REPOSITORY: Feedback = warning(458);
/// CEE0E6: the facility has no message of this number.
const NO_MESSAGE: Feedback = severe(454);
/// CEE0EE, CEE0EF, CEE0EG, CEE0H9: instance specific information and inserts.
const NO_INSTANCE: Feedback = severe(462);
const INSERT_LENGTH: Feedback = severe(463);
const NO_INSTANCE_DATA: Feedback = severe(464);
const INSERT_NUMBER: Feedback = severe(553);
/// CEE2F2.
const NO_DEBUG_TOOL: Feedback = severe(2530);

/// The destination MSGFILE.
pub(super) const MESSAGE_FILE: i32 = 2;
const INSERTS_MAX: i32 = 9;
const INSERT_LENGTH_MAX: usize = 254;
/// Length of the areas of CEE3GRN and CEEMGET.
const TEXT_LENGTH: usize = 80;
const DUMP_OPTIONS_LENGTH: usize = 255;
/// CEEGPID: Language Environment of z/OS, version 2, release 2.
pub(super) const VERSION: i32 = 0x0402_0200;
/// z/OS or CMS.
const PLATFORM: i32 = 3;

impl RunUnit {
    /// Runs a service and returns the condition for its feedback code. CEESGL handles its own.
    pub(super) unsafe fn condition_service(
        &mut self,
        frame: FrameId,
        service: Service,
        areas: &Areas<'_>,
        feedback: Option<*mut u8>,
    ) -> Result<Feedback, Departure> {
        let session = frame.session();
        Ok(match service {
            Service::Register => return self.register(frame, areas.fullword(0) as u32, areas.fullword(1) as u32),
            Service::Unregister => self.unregister(frame, areas.fullword(0) as u32),
            Service::Signal => return self.signal_by_service(areas, feedback),
            Service::MoveCursor => self.move_cursor_by(areas.fullword(0))?,
            Service::SetResumePoint => {
                if !self.conditions.guarded.contains(&frame.as_ptr()) {
                    return Err(self.refuse_service("CEE3SRP", "its program has no CALL 'CEEHDLR'"));
                }
                let token = self.conditions.add_resume_point(frame.as_ptr());
                areas.set_fullword(0, token as i32);
                Feedback::SUCCESS
            }
            Service::MoveCursorTo if self.conditions.active.is_empty() => NO_CONDITION_TO_MOVE,
            Service::MoveCursorTo => match self.conditions.move_cursor_to(areas.fullword(0) as u32) {
                true => Feedback::SUCCESS,
                false => NO_LABEL,
            },
            Service::Dump => {
                let title = session.code_page.decode(areas.area(0, TEXT_LENGTH));
                let options = session.code_page.decode(areas.area(1, DUMP_OPTIONS_LENGTH));
                self.dump_on_request(title.trim_end(), &options)
            }
            Service::InitialToken => self.with_active(|active| areas.set_token(0, active.initial)),
            Service::RoutineName => self.with_active(|active| {
                let name = FrameId::new(active.failing).map_or(String::new(), |frame| frame.name().to_string());
                areas.set_text(0, TEXT_LENGTH, &session.code_page.encode(&name), session);
            }),
            Service::RoutineOffset => self.with_active(|active| areas.set_fullword(0, active.offset as i32)),
            Service::ConditionBlock => return self.condition_block(areas),
            Service::RecordInformation => self.record_information(areas),
            Service::QualifyingData => match self.conditions.instance(&areas.token(0)) {
                _ if areas.token(0).instance() == 0 => NO_INSTANCE_DATA,
                None => NO_INSTANCE,
                Some(instance) => {
                    areas.set_fullword(1, instance.data.unwrap_or(0) as i32);
                    Feedback::SUCCESS
                }
            },
            Service::Insert => self.insert(areas, session),
            Service::GetMessage => self.get_message(areas, session),
            Service::PutMessage => self.dispatch_message(areas),
            Service::DebugTool => NO_DEBUG_TOOL,
            Service::Platform => {
                areas.set_fullword(0, VERSION);
                areas.set_fullword(1, PLATFORM);
                Feedback::SUCCESS
            }
        })
    }

    /// CEEMRCR.
    fn move_cursor_by(&mut self, type_of_move: i32) -> Result<Feedback, Departure> {
        let to_caller = match type_of_move {
            0 => false,
            1 => true,
            _ => return Ok(TYPE_OF_MOVE),
        };
        Ok(match self.move_cursor(to_caller)? {
            Moved::Done => Feedback::SUCCESS,
            Moved::NothingActive => NO_CONDITION_TO_MOVE,
            Moved::FrameZero => FRAME_ZERO,
        })
    }

    /// CEEMSG.
    unsafe fn dispatch_message(&mut self, areas: &Areas<'_>) -> Feedback {
        if areas.fullword(1) != MESSAGE_FILE {
            return DESTINATION;
        }
        match self.message_of(&areas.token(0)) {
            Some(text) => {
                self.host().message(&text);
                Feedback::SUCCESS
            }
            None => missing_text(&areas.token(0)),
        }
    }

    fn register(&mut self, frame: FrameId, pointer: u32, token: u32) -> Result<Feedback, Departure> {
        if self.pointed(pointer).is_none() {
            return Ok(NO_ENTRY);
        }
        if !self.conditions.guarded.contains(&frame.as_ptr()) {
            return Err(self.refuse_service(guarded::REGISTER_HANDLER, "write its name as a literal in the CALL statement"));
        }
        if !self.conditions.guards_all {
            self.conditions.guards_all = true;
            // Call sites that know their program's own entry must learn the guarded one.
            self.header.generation += 1;
        }
        let again = self.conditions.handlers.iter().any(|handler| handler.frame == frame.as_ptr() && handler.pointer == pointer);
        self.conditions.handlers.push(Handler { frame: frame.as_ptr(), pointer, token });
        Ok(if again { REGISTERED_AGAIN } else { Feedback::SUCCESS })
    }

    fn unregister(&mut self, frame: FrameId, pointer: u32) -> Feedback {
        let is_it = |handler: &Handler| handler.frame == frame.as_ptr() && handler.pointer == pointer;
        let Some(at) = self.conditions.handlers.iter().rposition(is_it) else { return NOT_REGISTERED };
        self.conditions.handlers.remove(at);
        if self.conditions.handlers.iter().any(is_it) { MORE_REGISTRATIONS } else { Feedback::SUCCESS }
    }

    /// CEESGL. With a feedback code, an unhandled condition is reported in it; without one it ends the program from severity 2 on.
    unsafe fn signal_by_service(&mut self, areas: &Areas<'_>, feedback: Option<*mut u8>) -> Result<Feedback, Departure> {
        let mut token = areas.token(0);
        if token.is_zero() {
            return Ok(NO_TOKEN);
        }
        let instance = self.conditions.instance_mut(&mut token);
        instance.data = Some(areas.fullword(1) as u32);
        areas.set_token(0, token);
        if self.raise(token, Cause::Signal, Resumable::InPlace, feedback.is_some(), 0)? { Ok(Feedback::SUCCESS) } else { Ok(UNHANDLED) }
    }

    /// Signals a condition at a CALL; returns whether it was handled. An unhandled condition of severity 2 or more ends the program, unless
    /// there is a feedback code; the abend has `reason`.
    pub(super) fn raise(
        &mut self,
        token: Token,
        cause: Cause,
        resumable: Resumable,
        feedback: bool,
        reason: u32,
    ) -> Result<bool, Departure> {
        match self.signal(token, cause, resumable, feedback, 0)? {
            Verdict::InPlace => Ok(true),
            Verdict::Leave(leaving) => {
                self.conditions.leaving = Some(leaving);
                Err(Departure::Exit(0))
            }
            Verdict::Unhandled if feedback || token.severity() == 0 => Ok(false),
            Verdict::Unhandled if token.severity() < ERROR => {
                self.put_message(&token);
                Ok(false)
            }
            Verdict::Unhandled | Verdict::Refused => {
                self.put_message(&token);
                self.conditions.terminating = true;
                Err(Departure::Abend(Box::new(kernel::Abend::new("4038", u64::from(reason)))))
            }
        }
    }

    fn put_message(&mut self, token: &Token) {
        if self.conditions.options.termination == TerminationAction::Quiet {
            return;
        }
        let text = self.message_of(token).unwrap_or_else(|| format!("{} was signaled and not handled.", messages::identifier(token)));
        self.host().message(&text);
    }

    fn with_active(&mut self, work: impl FnOnce(&conditions::Active)) -> Feedback {
        match self.conditions.active.last() {
            Some(active) => {
                work(active);
                Feedback::SUCCESS
            }
            None => NO_CONDITION,
        }
    }

    /// CEECMI: an insert of the message of a token, which gets instance specific information by it.
    unsafe fn insert(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let mut token = areas.token(0);
        let (number, length) = (areas.fullword(1), areas.halfword(2) as usize);
        if token.is_zero() {
            return NO_TOKEN;
        }
        if !(1..=INSERTS_MAX).contains(&number) {
            return INSERT_NUMBER;
        }
        if length > INSERT_LENGTH_MAX {
            return INSERT_LENGTH;
        }
        let text = session.code_page.decode(areas.string(2));
        let inserts = &mut self.conditions.instance_mut(&mut token).inserts;
        let at = number as usize - 1;
        inserts.resize(inserts.len().max(at + 1), String::new());
        inserts[at] = text;
        areas.set_token(0, token);
        Feedback::SUCCESS
    }

    /// CEEMGET: the message in pieces of 80 characters; the third argument is the position to continue at, 0 at the end of the message.
    unsafe fn get_message(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let token = areas.token(0);
        let Some(text) = self.message_of(&token) else { return missing_text(&token) };
        let bytes = session.code_page.encode(&text);
        let start = (areas.fullword(2).max(0) as usize).min(bytes.len());
        let end = bytes.len().min(start + TEXT_LENGTH);
        areas.set_text(1, TEXT_LENGTH, &bytes[start..end], session);
        let more = end < bytes.len();
        areas.set_fullword(2, if more { end as i32 } else { 0 });
        if more { TRUNCATED } else { Feedback::SUCCESS }
    }
}

fn missing_text(token: &Token) -> Feedback {
    match token.facility() {
        _ if token.is_zero() => NO_TOKEN,
        CEE | IGZ => NO_MESSAGE,
        _ => NO_REPOSITORY,
    }
}

impl Areas<'_> {
    pub unsafe fn token(&self, at: usize) -> Token {
        Token(self.0[at].cast::<[u8; TOKEN_LENGTH]>().read())
    }

    unsafe fn set_token(&self, at: usize, token: Token) {
        self.0[at].cast::<[u8; TOKEN_LENGTH]>().write(token.0);
    }
}
