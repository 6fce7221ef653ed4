//! The points at which a task stops, and their displays ("What does EDF display?").

use super::command;
use super::display::{Display, Function, Line, Menu, Target};
use super::eib;
use super::request::Request;
use super::sql::SqlStatement;
use super::stops::Event;
use exec::block::Block;
use exec::{CommandSpec, Condition, condition};
use region::storage_access::arguments_of;
use region::{Abend, Arguments, Eib, Outcome, Raised, Task};

/// Where a command is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// In the code of its program.
    pub offset: Option<u32>,
    /// 0: not known.
    pub line: u32,
}

pub enum Point<'a> {
    ProgramInitiation,
    AboutToExecute {
        block: &'a mut Block,
        place: Place,
        noop: &'a mut bool,
    },
    Executed {
        block: &'a mut Block,
        place: Place,
        noop: bool,
        outcome: &'a mut Outcome,
    },
    /// An SQL statement, before and after its execution.
    Sql {
        statement: &'a SqlStatement,
        place: Place,
        executed: bool,
    },
    /// A request to a resource manager, before and after it.
    Request {
        request: &'a Request,
        place: Place,
        executed: bool,
    },
    ProgramTermination,
    Abend(&'a Abend),
    TaskTermination {
        abend: Option<&'a Abend>,
        reply: &'a mut bool,
    },
}

use Function as F;

const INITIATION: Menu = [
    F::Continue,
    F::Undefined,
    F::SwitchHexChar,
    F::EndSession,
    F::SuppressDisplays,
    F::WorkingStorage,
    F::UserDisplay,
    F::ScrollBack,
    F::ScrollForward,
    F::StopConditions,
    F::PreviousDisplay,
    F::Undefined,
    F::Undefined,
];

/// A menu that differs from that of program initiation in these keys.
const fn menu(end: Function, eib: Function, last: Function) -> Menu {
    let mut menu = INITIATION;
    (menu[3], menu[11], menu[12]) = (end, eib, last);
    menu
}

const ABOUT_TO_EXECUTE: Menu = menu(F::Undefined, F::EibDisplay, F::AbendUserTask);
const EXECUTED: Menu = menu(F::EndSession, F::EibDisplay, F::AbendUserTask);
/// A statement is not answered by anybody else, so the task cannot be abended there.
const SQL: Menu = menu(F::EndSession, F::EibDisplay, F::Undefined);
const PROGRAM_TERMINATION: Menu = menu(F::EndSession, F::EibDisplay, F::Undefined);
const ABEND: Menu = menu(F::EndSession, F::RegistersAtAbend, F::RememberDisplay);
const TASK_TERMINATION: Menu = menu(F::EndSession, F::EibDisplay, F::Undefined);
const ABNORMAL_TERMINATION: Menu = menu(F::EndSession, F::RegistersAtAbend, F::Undefined);

const BODY_COLUMN: u16 = 2;
const LINE_COLUMN: u16 = 22;
const FUNCTION_COLUMN: u16 = 42;
const RESPONSE_COLUMN: u16 = 12;
const RESPONSE_LENGTH: u16 = 20;
const EIBRESP_COLUMN: u16 = 50;
const EIBRESP2_COLUMN: u16 = 64;
const INTERRUPT_COLUMN: u16 = 26;
const OFFSET_COLUMN: u16 = 60;
const REPLY_TITLE_COLUMN: u16 = 58;
const REPLY_COLUMN: u16 = 65;
const REPLY_LENGTH: u16 = 3;
/// Columns of the message line.
const MEANING_LENGTH: usize = 78;

impl Point<'_> {
    fn status(&self) -> &'static str {
        match self {
            Point::ProgramInitiation => "PROGRAM INITIATION",
            Point::AboutToExecute { .. } | Point::Sql { executed: false, .. } | Point::Request { executed: false, .. } => {
                "ABOUT TO EXECUTE COMMAND"
            }
            Point::Executed { .. } | Point::Sql { executed: true, .. } | Point::Request { executed: true, .. } => {
                "COMMAND EXECUTION COMPLETE"
            }
            Point::ProgramTermination => "PROGRAM TERMINATION",
            Point::Abend(_) => "AN ABEND HAS OCCURRED",
            Point::TaskTermination { abend: None, .. } => "TASK TERMINATION",
            Point::TaskTermination { abend: Some(_), .. } => "ABNORMAL TASK TERMINATION",
        }
    }

    fn menu(&self) -> Menu {
        match self {
            Point::ProgramInitiation => INITIATION,
            Point::AboutToExecute { .. } => ABOUT_TO_EXECUTE,
            Point::Executed { .. } => EXECUTED,
            Point::Sql { .. } | Point::Request { .. } => SQL,
            Point::ProgramTermination => PROGRAM_TERMINATION,
            Point::Abend(_) => ABEND,
            Point::TaskTermination { abend: None, .. } => TASK_TERMINATION,
            Point::TaskTermination { abend: Some(_), .. } => ABNORMAL_TERMINATION,
        }
    }

    /// Whether a stop condition is met, as `met` decides.
    pub fn is_due(&self, met: impl Fn(Event) -> bool) -> bool {
        match self {
            Point::ProgramInitiation | Point::ProgramTermination => false,
            Point::AboutToExecute { block, place, .. } => {
                let text = block.command.checked().map(command::title).unwrap_or_default();
                met(Event::Command { text: &text, offset: place.offset, line: place.line })
            }
            Point::Executed { outcome, .. } => response(outcome).is_some_and(|(condition, _)| met(Event::Condition(condition))),
            Point::Sql { statement, place, executed: false } => {
                met(Event::Command { text: &statement.title(), offset: place.offset, line: place.line })
            }
            Point::Sql { statement, .. } => statement.code().is_some_and(|code| met(Event::SqlCode(code))),
            Point::Request { request, place, executed } => {
                !executed && met(Event::Command { text: request.title(), offset: place.offset, line: place.line })
            }
            Point::Abend(_) => met(Event::Abend),
            Point::TaskTermination { abend, .. } => met(Event::TaskEnds { abnormally: abend.is_some() }),
        }
    }

    /// Displays of commands are kept for PREVIOUS DISPLAY.
    pub fn is_remembered(&self) -> bool {
        matches!(self, Point::AboutToExecute { .. } | Point::Executed { .. } | Point::Sql { .. } | Point::Request { .. })
    }

    /// The EIB as the program finds it after this point.
    pub fn eib(&mut self, task: &Task) -> Eib {
        let mut copy = Eib::new();
        copy.place(task.eib.address() as usize);
        copy.set(0, task.eib.bytes());
        if let Point::Executed { block, outcome, .. } = self
            && let (Some((condition, resp2)), Some(spec)) = (response(outcome), block.command.checked())
        {
            let function = function_of(task, spec, block);
            let code = region::exec_interface::response_code(function, spec.family, condition);
            copy.set_response(function, code, condition.0, resp2);
        }
        copy
    }

    /// The display of this point. `heading`: transaction, program, task and applid.
    pub fn display(&mut self, task: &Task, heading: String, hexadecimal: bool, open: bool) -> Display {
        let status = Line::text(BODY_COLUMN, format!("STATUS:  {}", self.status()));
        let menu = self.menu();
        let (body, foot) = self.contents(task, hexadecimal, open);
        Display { heading, status, body, foot, message: self.meaning(), menu, top: 0 }
    }

    /// What RESP2 of a command means.
    fn meaning(&self) -> Line {
        let Point::Executed { block, outcome, .. } = self else { return Line::default() };
        let response = response(outcome).filter(|(_, resp2)| *resp2 != 0);
        let meaning = response
            .zip(block.command.checked())
            .and_then(|((condition, resp2), spec)| exec::resp2_meaning(spec.name, condition, i64::from(resp2)));
        meaning.map_or_else(Line::default, |text| Line::text(BODY_COLUMN, text.chars().take(MEANING_LENGTH).collect::<String>()))
    }

    fn contents(&mut self, task: &Task, hexadecimal: bool, open: bool) -> (Vec<Line>, Vec<Line>) {
        match self {
            Point::ProgramInitiation => (eib::lines(task, &self.eib(task), hexadecimal, false), Vec::new()),
            Point::AboutToExecute { block, place, noop } => {
                let (block, noop) = (&mut **block, **noop);
                let place = place_line(task, block, place);
                (command_lines(task, block, noop, hexadecimal, open), vec![place, Line::default()])
            }
            Point::Executed { block, place, noop, outcome } => {
                let foot = vec![place_line(task, block, place), response_line(outcome, open)];
                (command_lines(task, block, *noop, hexadecimal, false), foot)
            }
            Point::Sql { statement, place, executed } => {
                let place = place_text(place, task.eib.half(exec::eib::EIBFN));
                (statement.lines(task, *executed), vec![place, Line::default()])
            }
            Point::Request { request, place, .. } => {
                let place = place_text(place, task.eib.half(exec::eib::EIBFN));
                (request.lines(), vec![place, Line::default()])
            }
            Point::ProgramTermination => (Vec::new(), Vec::new()),
            Point::Abend(abend) => {
                let line = abend_line(abend);
                (eib::lines(task, &self.eib(task), hexadecimal, false), vec![line])
            }
            Point::TaskTermination { abend, reply } => {
                let foot = abend.iter().map(|abend| abend_line(abend)).chain([reply_line(**reply)]).collect();
                let is_abnormal = abend.is_some();
                let body = if is_abnormal { eib::lines(task, &self.eib(task), hexadecimal, false) } else { Vec::new() };
                (body, foot)
            }
        }
    }
}

fn command_lines(task: &Task, block: &mut Block, noop: bool, hexadecimal: bool, open: bool) -> Vec<Line> {
    let arguments = arguments_of(block).to_vec();
    command::lines(task, block, &arguments, noop, hexadecimal, open)
}

/// EIBFN of the command.
fn function_of(task: &Task, spec: &CommandSpec, block: &mut Block) -> u16 {
    region::exec_interface::function_code(spec, &Arguments::new(block, &task.region.code_page))
}

fn place_line(task: &Task, block: &mut Block, place: &Place) -> Line {
    place_text(place, block.command.checked().map_or(0, |spec| function_of(task, spec, block)))
}

fn place_text(place: &Place, function: u16) -> Line {
    let offset = place.offset.map_or("......".to_string(), |offset| format!("{offset:06X}"));
    let line = if place.line == 0 { "UNKNOWN".to_string() } else { format!("{:05}", place.line) };
    Line::text(BODY_COLUMN, format!("OFFSET:X'{offset}'"))
        .and_text(LINE_COLUMN, format!("LINE:{line}"))
        .and_text(FUNCTION_COLUMN, format!("EIBFN=X'{function:04X}'"))
}

/// The condition and RESP2 of a command that returns to its program.
pub fn response(outcome: &Outcome) -> Option<(Condition, i32)> {
    match outcome {
        Ok(()) => Some((condition::NORMAL, 0)),
        Err(Raised::Condition { condition, resp2, .. }) => Some((*condition, *resp2)),
        Err(_) => None,
    }
}

fn response_line(outcome: &Outcome, open: bool) -> Line {
    let Some((condition, resp2)) = response(outcome) else { return Line::default() };
    let line = Line::text(BODY_COLUMN, "RESPONSE:");
    let line = if open {
        line.and_field(RESPONSE_COLUMN, condition.name(), Target::Response, RESPONSE_LENGTH)
    } else {
        line.and_text(RESPONSE_COLUMN, condition.name())
    };
    let line = line.and_text(EIBRESP_COLUMN, format!("EIBRESP={}", condition.0));
    if resp2 == 0 { line } else { line.and_text(EIBRESP2_COLUMN, format!("EIBRESP2={resp2}")) }
}

fn abend_line(abend: &Abend) -> Line {
    let line = Line::text(BODY_COLUMN, format!("ABEND :  {}", abend.code_text()));
    let Some(interrupt) = &abend.interrupt else { return line };
    let line =
        line.and_text(INTERRUPT_COLUMN, format!("INTERRUPT: {}", region::dump::cause::interruption_name(interrupt).to_ascii_uppercase()));
    match abend.offset {
        Some(offset) => line.and_text(OFFSET_COLUMN, format!("OFFSET:X'{offset:06X}'")),
        None => line,
    }
}

fn reply_line(reply: bool) -> Line {
    let text = if reply { "YES" } else { "NO" };
    Line::text(BODY_COLUMN, "TO CONTINUE EDF SESSION REPLY YES").and_text(REPLY_TITLE_COLUMN, "REPLY:").and_field(
        REPLY_COLUMN,
        text,
        Target::Reply,
        REPLY_LENGTH,
    )
}
