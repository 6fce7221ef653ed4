//! A task under EDF: its stops, what the operator sees at each of them, and what the keys do ("Using EDF menu functions").
//!
//! Invariants: ENTER goes on only if nothing was changed on the display, otherwise it shows the display with the changes; at most ten
//! displays are remembered; whatever a display offers is undone or done when the stop ends.

use super::super::panel::Answer;
use super::carrier::{Carrier, Lost};
use super::command::{self, Change, Copies};
use super::control::{Subject, Watch};
use super::display::{Display, Function, Line, Menu, Target, function};
use super::eib;
use super::points::Point;
use super::relay::Request;
use super::stops::Stops;
use super::storage::{self, Items, View};
use exec::block::Block;
use exec::{aid, condition, resp2};
use region::storage_access::{Area, arguments_of};
use region::{Abend, Raised, Task};
use std::collections::VecDeque;

/// Displays that are remembered.
const REMEMBERED_MAX: usize = 10;

/// What a session keeps from one task to the next.
#[derive(Default)]
pub struct Kept {
    pub stops: Stops,
    pub is_suppressed: bool,
    hexadecimal: bool,
    remembered: VecDeque<Display>,
}

pub struct Session {
    pub subject: Subject,
    watch: Watch,
    carrier: Carrier,
    pub kept: Kept,
    /// The data of the program that issued the last command.
    items: Option<Items>,
    /// Copies of constants that were typed over.
    pub copies: Copies,
    /// The command about to be executed is not to be.
    pub noop: bool,
    /// The abend on its way has been shown.
    pub abend_shown: bool,
    /// The task has been purged: it stops nowhere any more.
    is_purged: bool,
    /// The abend that the next command gets.
    pub pending: Option<Box<Abend>>,
}

/// How a stop ends.
#[derive(Debug)]
pub enum End {
    Continue,
    /// END EDF SESSION, or the terminal has gone.
    Session,
    /// ABEND USER TASK, or a purge.
    Abend(Box<Abend>),
}

/// What is on display during a stop.
enum Screen {
    Current,
    Eib,
    Storage(View),
    Stops,
    /// The remembered display with this number, from 1 for the last one.
    Previous(usize),
    Registers,
}

const OTHER: Menu = [
    Function::CurrentDisplay,
    Function::Undefined,
    Function::SwitchHexChar,
    Function::EndSession,
    Function::SuppressDisplays,
    Function::WorkingStorage,
    Function::UserDisplay,
    Function::ScrollBack,
    Function::ScrollForward,
    Function::StopConditions,
    Function::PreviousDisplay,
    Function::NextDisplay,
    Function::RememberDisplay,
];

const fn with(mut menu: Menu, keys: &[(usize, Function)]) -> Menu {
    let mut index = 0;
    while index < keys.len() {
        menu[keys[index].0] = keys[index].1;
        index += 1;
    }
    menu
}

const PREVIOUS_MENU: Menu = with(OTHER, &[(2, Function::Undefined), (3, Function::Undefined), (12, Function::Undefined)]);
const EIB_MENU: Menu = with(OTHER, &[(3, Function::Undefined), (10, Function::Undefined), (11, Function::Undefined)]);
const STOPS_MENU: Menu =
    with(EIB_MENU, &[(2, Function::Undefined), (7, Function::Undefined), (8, Function::Undefined), (9, Function::Undefined)]);
const STORAGE_MENU: Menu = with(
    EIB_MENU,
    &[
        (2, Function::BrowseTempStorage),
        (4, Function::EibDisplay),
        (5, Function::InvokeCeci),
        (7, Function::ScrollBackHalf),
        (8, Function::ScrollForwardHalf),
        (9, Function::Undefined),
        (10, Function::ScrollBackFull),
        (11, Function::ScrollForwardFull),
    ],
);

/// A stop in progress.
struct Stop {
    screen: Screen,
    message: String,
    /// First line on the screen.
    top: usize,
    /// ABEND USER TASK was requested; the code typed so far.
    abend: Option<String>,
    /// Something was typed over the display.
    is_changed: bool,
    /// Rows of the screen.
    rows: u16,
}

impl Session {
    pub fn new(subject: Subject, watch: Watch, carrier: Carrier, kept: Kept) -> Session {
        Session {
            subject,
            watch,
            carrier,
            kept,
            items: None,
            copies: Copies::default(),
            noop: false,
            abend_shown: false,
            is_purged: false,
            pending: None,
        }
    }

    /// A program of the task issues a command.
    pub fn runs(&mut self, task: &Task) {
        self.items = task.frame.map(Items::of);
        self.abend_shown = false;
    }

    pub fn is_on_own_terminal(&self) -> bool {
        self.carrier.is_own()
    }

    /// The terminal with the displays is free again, after these words.
    pub fn close(self, farewell: String) -> Kept {
        self.carrier.close(farewell);
        self.kept
    }

    /// Lets the operator see what the task has sent, until a key is pressed.
    pub fn show_user_screen(&self, task: &mut Task) -> Result<(), Lost> {
        self.carrier.show_user_screen(task)
    }

    /// A point is reached: stops there, unless displays are suppressed and no stop condition is met.
    pub fn reach(&mut self, task: &mut Task, mut point: Point) -> End {
        if self.is_purged {
            return End::Continue;
        }
        if self.kept.is_suppressed {
            if !point.is_due(|event| self.kept.stops.met(event)) {
                self.remember(task, &mut point);
                return End::Continue;
            }
            self.kept.is_suppressed = false;
        }
        match self.stop(task, &mut point) {
            Ok(end) => {
                self.remember(task, &mut point);
                end
            }
            Err(lost) => self.lost(lost),
        }
    }

    /// A display was not answered.
    pub fn lost(&mut self, lost: Lost) -> End {
        match lost {
            Lost::Purged => {
                self.is_purged = true;
                End::Abend(Box::new(Task::purge_abend()))
            }
            Lost::Terminal => End::Session,
        }
    }

    fn remember(&mut self, task: &Task, point: &mut Point) {
        if point.is_remembered() {
            let display = point.display(task, heading(task), self.kept.hexadecimal, false);
            self.remember_display(display);
        }
    }

    fn remember_display(&mut self, display: Display) {
        self.kept.remembered.truncate(REMEMBERED_MAX - 1);
        self.kept.remembered.push_front(display);
    }

    fn stop(&mut self, task: &mut Task, point: &mut Point) -> Result<End, Lost> {
        let rows = self.carrier.panel(task)?.size.rows;
        let mut stop = Stop { screen: Screen::Current, message: String::new(), top: 0, abend: None, is_changed: false, rows };
        loop {
            let mut panel = self.carrier.panel(task)?;
            let (mut display, number) = self.display(task, point, &stop);
            display.top = stop.top;
            display.scroll(0, rows);
            stop.top = display.top;
            display.draw(&mut panel, number);
            let targets = display.targets();
            match stop.abend.is_some().then(|| targets.iter().position(|target| *target == Target::AbendCode)).flatten() {
                Some(code) => panel.cursor_to(code),
                None => panel.cursor_at(1, 1),
            };
            let answer = self.carrier.converse(task, panel)?;
            stop.message.clear();
            stop.is_changed = self.take_changes(task, point, &mut stop, &display, &answer);
            let Some(function) = function(&display.menu, answer.aid) else {
                if answer.aid != aid::CLEAR {
                    stop.message = "THAT KEY IS UNDEFINED".to_string();
                }
                continue;
            };
            if function != Function::AbendUserTask {
                stop.abend = None;
            }
            if let Some(end) = self.act(task, &mut stop, &mut display, function)? {
                return Ok(end);
            }
        }
    }

    /// The display that is due, with its number.
    fn display(&self, task: &Task, point: &mut Point, stop: &Stop) -> (Display, i32) {
        let open = !self.watch.read_only;
        let mut number = 0;
        let other = |status: Line, body: Vec<Line>, menu: Menu| Display {
            heading: heading(task),
            status,
            body,
            foot: Vec::new(),
            message: Line::default(),
            menu,
            top: 0,
        };
        let hexadecimal = self.kept.hexadecimal;
        let mut display = match &stop.screen {
            Screen::Current => point.display(task, heading(task), hexadecimal, open),
            Screen::Eib => {
                let is_executed = matches!(point, Point::Executed { .. });
                let body = eib::lines(task, &point.eib(task), hexadecimal, open && is_executed);
                other(Line::text(2, "EXEC INTERFACE BLOCK"), body, EIB_MENU)
            }
            Screen::Storage(view) => {
                let empty = other(view.status(), Vec::new(), STORAGE_MENU);
                let body = view.lines(task, empty.page_lines(stop.rows));
                Display { body, ..empty }
            }
            Screen::Stops => other(Line::text(2, "DISPLAY ON CONDITION:-"), self.kept.stops.lines(), STOPS_MENU),
            Screen::Registers => other(Line::text(2, "REGISTERS AT ABEND"), registers(point), EIB_MENU),
            Screen::Previous(index) => {
                number = -(*index as i32);
                let display = self.kept.remembered[index - 1].clone();
                Display { menu: PREVIOUS_MENU, ..display }
            }
        };
        if let Some(code) = &stop.abend {
            display.message = Line::text(2, ENTER_CODE).and_field(ENTER_CODE.len() as u16 + 4, code, Target::AbendCode, 4);
        } else if !stop.message.is_empty() || !matches!(stop.screen, Screen::Current) {
            display.message = Line::text(2, stop.message.as_str());
        }
        (display, number)
    }

    /// Carries out what was typed over the display. True if anything was changed or refused: the display is shown again.
    fn take_changes(&mut self, task: &mut Task, point: &mut Point, stop: &mut Stop, display: &Display, answer: &Answer) -> bool {
        let targets = display.targets();
        let mut is_changed = false;
        // Digits are stored after characters, because they take precedence.
        let mut typed: Vec<(Target, &str)> =
            answer.values.iter().filter_map(|(id, text)| Some((*targets.get(*id)?, text.as_str()))).collect();
        typed.sort_by_key(|(target, _)| matches!(target, Target::Storage { hexadecimal: true, .. }));
        for (target, text) in typed {
            if text.trim_end() == display.shown(target).trim_end() {
                continue;
            }
            let goes_on = matches!(target, Target::Reply | Target::AbendCode);
            is_changed |= !goes_on;
            if let Err(message) = self.change(task, point, stop, display.shown(target), target, text) {
                (stop.message, is_changed) = (message.to_string(), true);
            }
        }
        is_changed
    }

    fn change(
        &mut self,
        task: &mut Task,
        point: &mut Point,
        stop: &mut Stop,
        shown: &str,
        target: Target,
        typed: &str,
    ) -> Result<(), &'static str> {
        let upper = typed.trim().to_ascii_uppercase();
        match (target, point) {
            (Target::Stop(index), _) => return self.kept.stops.change(index, typed),
            (Target::AbendCode, _) => stop.abend = Some(upper),
            (Target::Address, _) => {
                if let Screen::Storage(view) = &mut stop.screen {
                    stop.message = view.go_to(&upper, self.items.as_ref(), &task.region.code_page)?;
                }
            }
            (Target::Reply, Point::TaskTermination { reply, .. }) => match upper.as_str() {
                "YES" => **reply = true,
                "NO" => **reply = false,
                _ => return Err("REPLY YES OR NO"),
            },
            _ if self.watch.read_only => return Err(READ_ONLY),
            (Target::Storage { address, length, hexadecimal }, _) => {
                return storage::change(task, Area::new(address, length), shown, typed, hexadecimal);
            }
            (Target::Verb, Point::AboutToExecute { noop, .. }) => **noop = !**noop && command::is_noop(typed),
            (Target::Response, Point::Executed { block, outcome, .. }) => **outcome = named_response(block, &upper)?,
            (Target::Eib(_), Point::Executed { block, outcome, .. }) => **outcome = numbered_response(block, &upper)?,
            (Target::Argument(index), Point::AboutToExecute { block, .. }) => {
                return self.change_argument(task, block, index, shown, typed, false);
            }
            (Target::Argument(index), Point::Executed { block, .. }) => {
                return self.change_argument(task, block, index, shown, typed, true);
            }
            _ => {}
        }
        Ok(())
    }

    fn change_argument(
        &mut self,
        task: &Task,
        block: &mut Block,
        index: usize,
        shown: &str,
        typed: &str,
        executed: bool,
    ) -> Result<(), &'static str> {
        let Some(spec) = block.command.checked() else { return Ok(()) };
        let arguments = arguments_of(block);
        let Some(length) = arguments.get(index).map(|_| command::length_of(task, arguments, index)) else { return Ok(()) };
        let argument = &mut arguments[index];
        let Some(option) = spec.option(argument.option) else { return Ok(()) };
        let change = Change { shown, typed, hexadecimal: self.kept.hexadecimal, executed, length };
        command::change(task, option, argument, &change, &mut self.copies)
    }

    /// Does what a key is for; `Some` ends the stop.
    fn act(&mut self, task: &mut Task, stop: &mut Stop, display: &mut Display, function: Function) -> Result<Option<End>, Lost> {
        let page = display.page_lines(stop.rows) as isize;
        match function {
            Function::Continue if stop.is_changed => {}
            Function::Continue => return Ok(Some(End::Continue)),
            Function::EndSession => return Ok(Some(End::Session)),
            // A change that was refused is shown first.
            Function::SuppressDisplays if !stop.message.is_empty() => {}
            Function::SuppressDisplays => {
                self.kept.is_suppressed = true;
                return Ok(Some(End::Continue));
            }
            Function::AbendUserTask => return Ok(self.request_abend(stop)),
            Function::CurrentDisplay if stop.is_changed => {}
            Function::CurrentDisplay => stop.show(Screen::Current),
            Function::SwitchHexChar => self.kept.hexadecimal = !self.kept.hexadecimal,
            Function::WorkingStorage => {
                stop.show(Screen::Storage(View::of(self.items.as_ref().map_or(Area::new(0, 0), Items::working_storage))))
            }
            Function::UserDisplay if self.carrier.is_own() => self.carrier.show_user_screen(task)?,
            Function::UserDisplay => stop.message = "THE USER DISPLAY IS AT ANOTHER TERMINAL".to_string(),
            Function::ScrollBack | Function::ScrollBackFull => stop.scroll(display, -page),
            Function::ScrollForward | Function::ScrollForwardFull => stop.scroll(display, page),
            Function::ScrollBackHalf => stop.scroll(display, -page / 2),
            Function::ScrollForwardHalf => stop.scroll(display, page / 2),
            Function::StopConditions => stop.show(Screen::Stops),
            Function::EibDisplay => stop.show(Screen::Eib),
            Function::RegistersAtAbend => stop.show(Screen::Registers),
            Function::PreviousDisplay => self.turn_back(stop),
            Function::NextDisplay => turn_forward(stop),
            Function::RememberDisplay => {
                self.remember_display(display.clone());
                stop.message = "DISPLAY REMEMBERED".to_string();
            }
            Function::BrowseTempStorage | Function::InvokeCeci if self.watch.read_only => stop.message = READ_ONLY.to_string(),
            Function::BrowseTempStorage => self.carrier.run(task, Request::Browse)?,
            Function::InvokeCeci => self.carrier.run(task, Request::Interpret)?,
            Function::Undefined => stop.message = "THAT KEY IS UNDEFINED".to_string(),
        }
        Ok(None)
    }

    fn turn_back(&self, stop: &mut Stop) {
        let next = match stop.screen {
            Screen::Previous(index) => index + 1,
            _ => 1,
        };
        if next > self.kept.remembered.len() {
            stop.message = "NO FURTHER DISPLAYS ARE REMEMBERED".to_string();
        } else {
            stop.show(Screen::Previous(next));
        }
    }

    /// The first request asks for the code, the second one with a code ends the stop.
    fn request_abend(&self, stop: &mut Stop) -> Option<End> {
        if self.watch.read_only {
            stop.message = READ_ONLY.to_string();
            return None;
        }
        match stop.abend.as_deref() {
            Some("NO") => {
                let mut abend = Abend::new("????");
                abend.no_dump = true;
                Some(End::Abend(Box::new(abend.because(REQUESTED))))
            }
            Some(code) if !code.is_empty() => Some(End::Abend(Box::new(Abend::new(code).because(REQUESTED)))),
            _ => {
                stop.abend = Some(String::new());
                None
            }
        }
    }
}

const ENTER_CODE: &str = "ENTER ABEND CODE AND REQUEST ABEND AGAIN";
const REQUESTED: &str = "the operator requested the abend at an EDF display";
const READ_ONLY: &str = "THE FUNCTION IS NOT ALLOWED: EDF IS IN READ-ONLY MODE";

impl Stop {
    fn show(&mut self, screen: Screen) {
        self.screen = screen;
        self.top = 0;
    }

    fn scroll(&mut self, display: &mut Display, lines: isize) {
        if let Screen::Storage(view) = &mut self.screen {
            view.scroll(lines);
            return;
        }
        display.scroll(lines, self.rows);
        self.top = display.top;
    }
}

fn turn_forward(stop: &mut Stop) {
    match stop.screen {
        Screen::Previous(index) if index > 1 => stop.show(Screen::Previous(index - 1)),
        _ => stop.show(Screen::Current),
    }
}

fn heading(task: &Task) -> String {
    let (transid, program, applid) = (task.transid, task.program_name(), task.region.applid);
    let program = if program.is_blank() { task.definition.program } else { program };
    format!("TRANSACTION: {transid} PROGRAM: {program} TASK: {:05} APPLID: {applid}", task.number)
}

fn named_response(block: &Block, name: &str) -> Result<region::Outcome, &'static str> {
    outcome_of(block, exec::condition_by_name(name).ok_or("THE CONDITION IS NOT KNOWN")?)
}

fn numbered_response(block: &Block, number: &str) -> Result<region::Outcome, &'static str> {
    const INVALID: &str = "THE RESPONSE IS NOT VALID";
    let condition = exec::Condition(number.parse().map_err(|_| INVALID)?);
    condition.spec().ok_or(INVALID)?;
    outcome_of(block, condition)
}

/// NORMAL, ERROR, or a condition that the command can raise ("Overtyping to make changes").
fn outcome_of(block: &Block, condition: exec::Condition) -> Result<region::Outcome, &'static str> {
    let of_command = block.command.checked().map_or(&[][..], |spec| spec.conditions);
    match condition {
        condition::NORMAL => Ok(Ok(())),
        condition if condition == condition::ERROR || of_command.contains(&condition) => Ok(Err(Raised::new(condition, resp2::NONE))),
        _ => Err("THE CONDITION CANNOT OCCUR FOR THIS COMMAND"),
    }
}

/// The registers of a program that was interrupted.
fn registers(point: &Point) -> Vec<Line> {
    let abend = match point {
        Point::Abend(abend) => Some(*abend),
        Point::TaskTermination { abend, .. } => *abend,
        _ => None,
    };
    let Some(interrupt) = abend.and_then(|abend| abend.interrupt.as_ref()) else {
        return vec![Line::text(2, "THE PROGRAM WAS NOT INTERRUPTED")];
    };
    let lines = interrupt.registers.chunks(4).enumerate();
    lines
        .map(|(index, registers)| {
            let words: Vec<String> = registers.iter().map(|register| format!("{register:016X}")).collect();
            Line::text(2, format!("{:<3}{}", index * 4, words.join(" ")))
        })
        .collect()
}
