//! Conditions: user-written handlers, the walk over the frames that offers them a condition, and the point where the program resumes.
//!
//! A condition is signalled by CEESGL, by a callable service without feedback code, or because an abend or program interruption has left
//! the innermost guarded entry ([`super::guarded`]). All frames of the run unit still exist while handlers run: a handler is a program
//! called by the program in which the condition arose. It returns a result code, and may have moved the resume cursor, which initially
//! points behind the instruction that caused the condition. Compiled code cannot resume at an instruction, so it resumes at the next
//! statement instead, in programs compiled for it: those that call CEEHDLR.
//!
//! Rules: Programming Guide, "User-written condition handler interface"; Programming Reference, CEEHDLR, CEEMRCR, CEESGL,
//! DEPTHCONDLMT, ERRCOUNT.
//!
//! Invariants: the handlers of a frame are removed when its guarded entry ends, however it ends; a condition is in `active` from before its
//! first handler runs until after its last one; a resumption in another frame leaves through guarded entries only.
//!
//! `unsafe` here reads frames on the chain of active ones: see the parent module.

use super::condition_options::ConditionOptions;
use super::*;
use le::callable::token::{ERROR, Token};

/// A handler that CEEHDLR registered.
#[derive(Clone)]
pub(super) struct Handler {
    /// The frame that registered it.
    pub frame: *mut Frame,
    /// The procedure pointer given.
    pub pointer: u32,
    /// The user's fullword.
    pub token: u32,
}

/// A condition whose handlers are running.
pub(super) struct Active {
    pub token: Token,
    /// Before any promotion.
    pub initial: Token,
    /// The frame whose handlers run.
    pub handle_frame: *mut Frame,
    /// The frame in which the condition arose.
    pub failing: *mut Frame,
    pub cursor: Cursor,
    /// Offset of the failing instruction in its program.
    pub offset: u32,
    pub cause: Cause,
    pub resumable: Resumable,
    pub block: super::condition_block::ConditionBlock,
}

/// The cause of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// CEESGL, a callable service, or the run time.
    Signal,
    MathService,
    /// The address of the instruction, 0 if unknown.
    ProgramCheck {
        address: u32,
    },
    Abend {
        code: [u8; 4],
        reason: u32,
    },
}

/// Where a resumption goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cursor {
    /// Behind the cause of the condition.
    Initial,
    /// The same, by a move of the cursor to the frame it is in.
    Moved,
    /// Behind the CALL of this frame.
    ReturnOf(*mut Frame),
    /// At a SERVICE LABEL of this frame.
    Label(*mut Frame, u32),
}

/// How a program can resume behind the cause of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Resumable {
    /// Behind the CALL of the service.
    InPlace,
    /// Also there, but only after CEEMRCR: conditions of the COBOL run time.
    WhenMoved,
    /// The instruction is lost, but its program can be entered behind the statement, at this label: at once if the condition allows it (a
    /// program interruption), or only after CEEMRCR.
    Behind { label: u32, at_once: bool },
    /// The instruction is lost: only in another frame.
    Elsewhere,
}

pub(super) enum Verdict {
    /// Resume behind the cause of the condition.
    InPlace,
    /// Resume elsewhere, by a departure.
    Leave(Leaving),
    Unhandled,
    /// A handler asks to resume where that is not possible.
    Refused,
}

/// The reason for a departure that is not an abend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaving {
    /// To behind the CALL of this frame.
    ReturnOf(*mut Frame),
    /// To a SERVICE LABEL of this frame.
    Label(*mut Frame, u32),
    /// A handler has executed STOP RUN.
    Stop,
}

/// Instance specific information: inserts of the message, and qualifying data.
#[derive(Clone, Default)]
pub(super) struct Instance {
    pub number: u32,
    pub inserts: Vec<String>,
    pub data: Option<u32>,
}

/// A place in a program that CEE3SRP has set; its label is known at the SERVICE LABEL that follows.
struct ResumePoint {
    token: u32,
    frame: *mut Frame,
    label: Option<u32>,
}

/// So many resume points are known; CEEMRCE does not recognize older ones.
const RESUME_POINTS_MAX: usize = 255;
/// Run-time option MSGQ: so many instances are kept.
const INSTANCES_MAX: usize = 15;

#[derive(Default)]
pub(super) struct Conditions {
    pub options: ConditionOptions,
    pub user_handlers: UserHandlers,
    pub handlers: Vec<Handler>,
    pub active: Vec<Active>,
    pub leaving: Option<Leaving>,
    /// Frames with a guarded entry, innermost last.
    pub guarded: Vec<*mut Frame>,
    /// CEEHDLR was called: every further CALL is guarded.
    pub guards_all: bool,
    /// The run unit is ending by this failure.
    pub failure: Option<Box<Failure>>,
    /// The current abend is not a condition (CEE3ABD, an exceeded limit).
    pub terminating: bool,
    instances: std::collections::VecDeque<Instance>,
    instance_last: u32,
    resume_points: std::collections::VecDeque<ResumePoint>,
    resume_point_last: u32,
    errors: u32,
}

/// Result codes of handlers.
mod result_code {
    pub const RESUME: i32 = 10;
    /// The default result code of a handler.
    pub const PERCOLATE: i32 = 20;
    pub const PERCOLATE_FRAME: i32 = 21;
    pub const PROMOTE: i32 = 30;
    pub const PROMOTE_FRAME: i32 = 31;
    pub const PROMOTE_RESTART: i32 = 33;
}

/// Termination imminent due to an unhandled condition: CEE066.
pub(super) const TERMINATION_IMMINENT: Token = Token::new(le::callable::token::CEE, 3, 198);
/// The abend of an exceeded DEPTHCONDLMT or ERRCOUNT, and its reason codes.
const LIMIT_ABEND: &str = "4091";
const REASON_DEPTH: u64 = 21;
const REASON_ERRORS: u64 = 11;

/// Arguments of a handler in program storage: condition token, the user's token, result code, new condition.
mod argument {
    pub const TOKEN: u32 = 12;
    pub const RESULT: u32 = 16;
    pub const NEW_CONDITION: u32 = 20;
    pub const LENGTH: u32 = 32;
}

struct Answer {
    result: i32,
    new_condition: Token,
}

impl Conditions {
    /// For the next run; the room for guarded frames is kept.
    pub fn clear(&mut self) {
        // Field by field: most runs leave nothing behind, and the lists keep their memory.
        let Conditions {
            options,
            user_handlers,
            handlers,
            active,
            leaving,
            guarded,
            guards_all,
            failure,
            terminating,
            instances,
            instance_last,
            resume_points,
            resume_point_last,
            errors,
        } = self;
        *options = ConditionOptions::default();
        *user_handlers = UserHandlers::default();
        handlers.clear();
        active.clear();
        *leaving = None;
        guarded.clear();
        *guards_all = false;
        *failure = None;
        *terminating = false;
        instances.clear();
        *instance_last = 0;
        resume_points.clear();
        *resume_point_last = 0;
        *errors = 0;
    }

    /// The frame has ended.
    pub fn forget(&mut self, frame: *mut Frame) {
        self.handlers.retain(|handler| handler.frame != frame);
        self.resume_points.retain(|point| point.frame != frame);
    }

    /// Whether there is any state for frames.
    pub fn remembers_frames(&self) -> bool {
        !self.handlers.is_empty() || !self.resume_points.is_empty()
    }

    /// CEE3SRP: a resume point at the next SERVICE LABEL; returns its token.
    pub fn add_resume_point(&mut self, frame: *mut Frame) -> u32 {
        if self.resume_points.len() == RESUME_POINTS_MAX {
            self.resume_points.pop_front();
        }
        self.resume_point_last += 1;
        self.resume_points.push_back(ResumePoint { token: self.resume_point_last, frame, label: None });
        self.resume_point_last
    }

    /// The program has reached a SERVICE LABEL.
    pub fn set_resume_label(&mut self, frame: *mut Frame, label: u32) {
        let open = self.resume_points.iter_mut().rfind(|point| point.frame == frame && point.label.is_none());
        if let Some(point) = open {
            point.label = Some(label);
        }
    }

    /// CEEMRCE: the cursor moves to a resume point; false: the token is not known.
    pub fn move_cursor_to(&mut self, token: u32) -> bool {
        let point = self.resume_points.iter().find(|point| point.token == token);
        let (Some(ResumePoint { frame, label: Some(label), .. }), Some(active)) = (point, self.active.last_mut()) else { return false };
        active.cursor = Cursor::Label(*frame, *label);
        true
    }

    pub fn instance(&self, token: &Token) -> Option<&Instance> {
        self.instances.iter().find(|instance| instance.number == token.instance())
    }

    /// The instance of a token, created if it has none; a token whose instance no longer exists gets a new one.
    pub fn instance_mut(&mut self, token: &mut Token) -> &mut Instance {
        let known = self.instances.iter().position(|instance| instance.number == token.instance());
        let at = known.unwrap_or_else(|| {
            if self.instances.len() == INSTANCES_MAX {
                self.instances.pop_front();
            }
            self.instance_last += 1;
            token.set_instance(self.instance_last);
            self.instances.push_back(Instance { number: self.instance_last, ..Instance::default() });
            self.instances.len() - 1
        });
        &mut self.instances[at]
    }

    /// A token with the inserts of its message.
    pub fn with_inserts(&mut self, mut token: Token, inserts: Vec<String>) -> Token {
        token.set_instance(0);
        self.instance_mut(&mut token).inserts = inserts;
        token
    }
}

impl RunUnit {
    /// Run-time options TRAP, DEPTHCONDLMT and ERRCOUNT.
    pub fn set_condition_options(&mut self, options: ConditionOptions) {
        self.conditions.options = options;
    }

    /// Run-time option USRHDLR.
    pub fn set_user_handlers(&mut self, handlers: UserHandlers) {
        if handlers != UserHandlers::default() {
            self.conditions.guards_all = true;
        }
        self.conditions.user_handlers = handlers;
    }

    /// Offers a condition to the handlers. `feedback`: CEESGL was given a feedback code, so an unhandled condition does not end the
    /// program.
    pub(super) fn signal(
        &mut self,
        token: Token,
        cause: Cause,
        resumable: Resumable,
        feedback: bool,
        offset: u32,
    ) -> Result<Verdict, Departure> {
        let options = self.conditions.options;
        if token.severity() >= ERROR {
            self.conditions.errors += 1;
            if options.errors_max != 0 && self.conditions.errors > options.errors_max {
                return Err(self.limit_exceeded(REASON_ERRORS));
            }
        }
        if self.conditions.handlers.is_empty() && self.conditions.user_handlers == UserHandlers::default() {
            return Ok(Verdict::Unhandled);
        }
        if options.depth_max != 0 && self.conditions.active.len() >= options.depth_max as usize {
            return Err(self.limit_exceeded(REASON_DEPTH));
        }
        let failing = self.header.current;
        self.conditions.active.push(Active {
            token,
            initial: token,
            handle_frame: failing,
            failing,
            cursor: Cursor::Initial,
            offset,
            cause,
            resumable,
            block: Default::default(),
        });
        self.host().condition_begins();
        let mut verdict = self.walk(resumable);
        if token.severity() >= ERROR && !feedback && matches!(verdict, Ok(Verdict::Unhandled)) {
            self.active().token = TERMINATION_IMMINENT;
            verdict = self.walk(resumable);
        }
        if let Some(active) = self.conditions.active.pop() {
            self.release_block(&active.block);
        }
        self.host().condition_ends(!matches!(verdict, Ok(Verdict::Unhandled | Verdict::Refused)));
        verdict
    }

    fn limit_exceeded(&mut self, reason: u64) -> Departure {
        self.conditions.terminating = true;
        Departure::Abend(Box::new(kernel::Abend::new(LIMIT_ABEND, reason)))
    }

    fn active(&mut self) -> &mut Active {
        self.conditions.active.last_mut().expect("a condition is being handled")
    }

    /// First the handler of USRHDLR, then those of the frames, then the one at stack frame 0.
    fn walk(&mut self, resumable: Resumable) -> Result<Verdict, Departure> {
        let UserHandlers { first, last } = self.conditions.user_handlers.clone();
        let mut from = self.header.current;
        if let Some(answer) = self.ask_user_handler(first, from)? {
            match answer.result {
                result_code::RESUME => return Ok(self.resumption(resumable)),
                result_code::PERCOLATE_FRAME | result_code::PROMOTE_FRAME => from = unsafe { (*from).caller },
                result_code::PROMOTE_RESTART => from = self.resume_frame(),
                _ => {}
            }
        }
        match self.walk_frames(from, resumable)? {
            Verdict::Unhandled => {}
            verdict => return Ok(verdict),
        }
        match self.ask_user_handler(last, std::ptr::null_mut())? {
            Some(answer) if answer.result == result_code::RESUME => Ok(self.resumption(resumable)),
            _ => Ok(Verdict::Unhandled),
        }
    }

    /// Calls a handler of USRHDLR, which is found by name when needed; `frame`: the frame it counts as a handler of, null for stack frame
    /// 0.
    fn ask_user_handler(&mut self, name: Option<String>, frame: *mut Frame) -> Result<Option<Answer>, Departure> {
        let Some(name) = name else { return Ok(None) };
        let Some(current) = self.current() else { return Ok(None) };
        let pointer = self.entry_pointer(current, &name)?;
        if pointer == 0 {
            let token = self.conditions.with_inserts(Token::new(le::callable::token::CEE, 3, call::MODULE_NOT_FOUND), vec![name]);
            let text = self.message_of(&token).unwrap_or_default();
            self.host().message(&text);
            return Ok(None);
        }
        self.active().handle_frame = frame;
        let answer = self.call_handler(&Handler { frame, pointer, token: 0 })?;
        if matches!(answer.result, result_code::PROMOTE..=result_code::PROMOTE_RESTART) {
            self.active().token = answer.new_condition;
        }
        Ok(Some(answer))
    }

    /// From a frame outward, the handlers of each frame, the last registered first.
    fn walk_frames(&mut self, from: *mut Frame, resumable: Resumable) -> Result<Verdict, Departure> {
        let mut frame = from;
        'frames: while !frame.is_null() {
            let handlers: Vec<Handler> = self.conditions.handlers.iter().filter(|handler| handler.frame == frame).rev().cloned().collect();
            for handler in handlers {
                self.active().handle_frame = frame;
                let answer = self.call_handler(&handler)?;
                if matches!(answer.result, result_code::PROMOTE..=result_code::PROMOTE_RESTART) {
                    self.active().token = answer.new_condition;
                }
                match answer.result {
                    result_code::RESUME => return Ok(self.resumption(resumable)),
                    result_code::PERCOLATE_FRAME | result_code::PROMOTE_FRAME => break,
                    result_code::PROMOTE_RESTART => {
                        frame = self.resume_frame();
                        continue 'frames;
                    }
                    _ => {}
                }
            }
            frame = unsafe { (*frame).caller };
        }
        Ok(Verdict::Unhandled)
    }

    /// The frame the resume cursor is in.
    fn resume_frame(&mut self) -> *mut Frame {
        match self.active().cursor {
            Cursor::Initial | Cursor::Moved => self.active().failing,
            Cursor::ReturnOf(frame) => unsafe { (*frame).caller },
            Cursor::Label(frame, _) => frame,
        }
    }

    fn resumption(&mut self, resumable: Resumable) -> Verdict {
        match (self.active().cursor, resumable) {
            (Cursor::ReturnOf(frame), _) => Verdict::Leave(Leaving::ReturnOf(frame)),
            (Cursor::Label(frame, label), _) => Verdict::Leave(Leaving::Label(frame, label)),
            (_, Resumable::InPlace) | (Cursor::Moved, Resumable::WhenMoved) => Verdict::InPlace,
            (cursor, Resumable::Behind { label, at_once }) if at_once || cursor == Cursor::Moved => {
                Verdict::Leave(Leaving::Label(self.active().failing, label))
            }
            (_, resumable) => {
                let where_to = if resumable == Resumable::Elsewhere { " to another program" } else { "" };
                let text = format!(
                    "A condition handler asked to resume behind the statement that failed, which cannot be: CEEMRCR must move the resume \
                     cursor{where_to} first."
                );
                self.host().message(&text);
                Verdict::Refused
            }
        }
    }

    /// Call a handler on top of the failing program.
    fn call_handler(&mut self, handler: &Handler) -> Result<Answer, Departure> {
        let (module, program, label) = self.pointed(handler.pointer).expect("CEEHDLR has looked");
        let failing = self.header.current;
        let frame = match self.activate(&module, program, failing) {
            Ok(frame) => frame,
            // It is active and not RECURSIVE: a condition in its turn.
            Err(departure) => return self.land(std::ptr::null_mut(), departure).map(|_| unreachable!("no entry to return from")),
        };
        let area = self.host().getmain(argument::LENGTH)?;
        let token = self.active().token;
        unsafe { write_arguments(area, &token, handler.token) };
        let addresses = [area, area + argument::TOKEN, area + argument::RESULT, area + argument::NEW_CONDITION];
        unsafe { call::pass_arguments(frame, &addresses) };
        self.header.current = frame;
        let return_code = self.header.return_code;
        let ended = self.run_guarded(frame, label);
        let answer = unsafe { read_answer(area) };
        self.host().freemain(area, argument::LENGTH);
        let completion = ended?;
        self.deactivate(frame);
        self.header.current = failing;
        self.header.return_code = return_code;
        if completion == completion::STOPPED {
            self.conditions.leaving = Some(Leaving::Stop);
            return Err(Departure::Exit(0));
        }
        Ok(answer)
    }

    /// The target of a procedure pointer.
    pub(super) fn pointed(&self, pointer: u32) -> Option<(Arc<Module>, usize, u32)> {
        self.pointers.get(pointer.checked_sub(call::POINTER_BASE)? as usize).cloned()
    }

    /// CEEMRCR: 0 moves the cursor into the frame whose handler runs, 1 into its caller. The move nearest to the first program takes
    /// effect.
    pub(super) fn move_cursor(&mut self, to_caller: bool) -> Result<Moved, Departure> {
        let Some(active) = self.conditions.active.last() else { return Ok(Moved::NothingActive) };
        let (handle_frame, failing, before) = (active.handle_frame, active.failing, active.cursor);
        let cursor = match (to_caller, handle_frame == failing) {
            _ if handle_frame.is_null() => return Ok(Moved::FrameZero),
            (true, _) if unsafe { (*handle_frame).caller.is_null() } => return Ok(Moved::FrameZero),
            (true, _) => Cursor::ReturnOf(handle_frame),
            (false, true) => Cursor::Moved,
            (false, false) => Cursor::ReturnOf(callee_of(handle_frame, failing)),
        };
        if let Cursor::ReturnOf(frame) = cursor {
            if !self.conditions.guarded.contains(&frame) {
                return Err(self.refuse_service("CEEMRCR", "the program was called in a way that cannot be left: it has no CALL 'CEEHDLR'"));
            }
            if let Cursor::ReturnOf(earlier) = before
                && is_on_chain(frame, earlier)
            {
                return Ok(Moved::Done);
            }
        } else if before != Cursor::Initial {
            return Ok(Moved::Done);
        }
        self.active().cursor = cursor;
        Ok(Moved::Done)
    }

    /// A message with its inserts, for CEEMGET, CEEMSG and termination; `None`: there is no text for it.
    pub(super) fn message_of(&self, token: &Token) -> Option<String> {
        let inserts = self.conditions.instance(token).map_or(&[][..], |instance| &instance.inserts[..]);
        let text = le::callable::messages::text(token, inserts)?;
        let text = self.enclave.national.language.message(text);
        Some(format!("{} {text}", le::callable::messages::identifier(token)))
    }
}

pub(super) enum Moved {
    Done,
    NothingActive,
    FrameZero,
}

/// The frame that `frame` has called, on the chain from `failing` outward.
fn callee_of(frame: *mut Frame, failing: *mut Frame) -> *mut Frame {
    let mut callee = failing;
    unsafe {
        while (*callee).caller != frame {
            callee = (*callee).caller;
        }
    }
    callee
}

/// Whether `outer` is `frame` or one of its callers.
fn is_on_chain(frame: *mut Frame, outer: *mut Frame) -> bool {
    let mut at = frame;
    while !at.is_null() {
        if at == outer {
            return true;
        }
        at = unsafe { (*at).caller };
    }
    false
}

unsafe fn write_arguments(area: u32, token: &Token, user: u32) {
    let base = area as usize as *mut u8;
    std::ptr::write_bytes(base, 0, argument::LENGTH as usize);
    base.cast::<[u8; 12]>().write(token.0);
    base.add(argument::TOKEN as usize).cast::<[u8; 4]>().write(user.to_be_bytes());
    base.add(argument::RESULT as usize).cast::<[u8; 4]>().write(result_code::PERCOLATE.to_be_bytes());
}

unsafe fn read_answer(area: u32) -> Answer {
    let base = area as usize as *const u8;
    Answer {
        result: i32::from_be_bytes(base.add(argument::RESULT as usize).cast::<[u8; 4]>().read()),
        new_condition: Token(base.add(argument::NEW_CONDITION as usize).cast::<[u8; 12]>().read()),
    }
}
