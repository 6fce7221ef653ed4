//! The screens of CEDA, and how they are drawn.
//!
//! Line 1 is the command line, line 2 says what to do; the last four lines are the message, the region, the result and the keys. The body is
//! between them.

use super::attributes::{self, ARROW, CHOICES, LABEL, Line, Sheet, Subject, VALUE};
use super::command::Command;
use super::engine::Outcome;
use super::listing::{self, Row};
use super::messages::summary;
use super::operands;
use super::vocabulary::{Verb, capitalized};
use crate::panel::{Panel, Style};
use csd::attributes::resource_types;
use region::{Raised, Task};

/// Lines above the body, and below it.
const HEAD_LINES: u16 = 3;
const FOOT_LINES: u16 = 4;
/// Columns of a list: name, type, group, the place for a command, date and time.
const NAME: u16 = 4;
const TYPE: u16 = 13;
const GROUP: u16 = 26;
const COMMAND_COLUMN: u16 = 35;
const COMMAND_LENGTH: u16 = 25;
const LIST_LAST: u16 = 80;

pub enum Body {
    /// The commands of the transaction.
    Menu,
    /// The types of resources of a command.
    Types,
    Operands(Command),
    Sheet(Sheet),
    List(Vec<Row>),
}

/// A screen of the session. The one that is shown is the last; PF12 returns to the one before.
pub struct Screen {
    pub command: String,
    pub body: Body,
    pub outcome: Outcome,
    /// The first line of the body that is shown.
    pub top: usize,
    /// Only attributes that differ from the defaults (PF2).
    pub compressed: bool,
}

/// What an input field of the screen is.
#[derive(Clone, Debug)]
pub enum Target {
    Subject(Subject),
    Operand(usize),
    Row(usize),
}

/// The panel of a screen, and its input fields in the order of their identifiers, of which the first is the command line's.
pub struct Drawn {
    pub panel: Panel,
    pub targets: Vec<Target>,
}

/// The identifier of the command line; targets follow.
pub const COMMAND: usize = 0;

impl Screen {
    pub fn new(command: &str, body: Body, outcome: Outcome) -> Screen {
        Screen { command: command.to_string(), body, outcome, top: 0, compressed: false }
    }

    /// The lines of the body, without the heading.
    pub fn length(&self) -> usize {
        match &self.body {
            Body::Menu => Verb::ALL.len(),
            Body::Types => resource_types().len(),
            Body::Operands(command) => operands::lines(command).len(),
            Body::Sheet(sheet) => self.lines_of(sheet).len(),
            Body::List(rows) => rows.len(),
        }
    }

    pub fn lines_of(&self, sheet: &Sheet) -> Vec<Line> {
        let given = |subject: &Subject| match subject {
            Subject::Attribute(number, _) => sheet.definition.attributes.contains_key(sheet.definition.resource.attributes[*number].name),
            _ => true,
        };
        let lines = attributes::lines(sheet).into_iter();
        lines.filter(|line| !self.compressed || matches!(line, Line::Value { subject, .. } if given(subject))).collect()
    }

    fn status(&self) -> &'static str {
        match &self.body {
            Body::Menu | Body::Types => "ENTER ONE OF THE FOLLOWING",
            Body::Sheet(sheet) if sheet.verb == Verb::View => "OBJECT CHARACTERISTICS",
            Body::Operands(_) | Body::Sheet(_) => "OVERTYPE TO MODIFY",
            Body::List(_) => "ENTER COMMANDS",
        }
    }
}

pub fn body_lines(panel: &Panel) -> usize {
    usize::from(panel.size.rows.saturating_sub(HEAD_LINES + FOOT_LINES)).max(1)
}

/// `allowed`: the commands of the transaction.
pub fn draw(task: &mut Task, transaction: &str, allowed: &[Verb], screen: &Screen) -> Result<Drawn, Raised> {
    let panel = Panel::for_task(task)?;
    let mut drawn = Drawn { panel, targets: Vec::new() };
    let columns = drawn.panel.size.columns;
    drawn.panel.input(COMMAND, 1, 2, columns - 2, Style::Input, &screen.command);
    drawn.panel.text(2, 3, screen.status());
    match &screen.body {
        Body::Menu => {
            choices(&mut drawn.panel, screen, allowed.iter().map(|verb| capitalized(verb.name(), allowed.iter().map(|verb| verb.name()))))
        }
        Body::Types => {
            let types = || resource_types().iter().map(|of| of.name);
            choices(&mut drawn.panel, screen, types().map(|name| capitalized(name, types())));
        }
        Body::Operands(command) => operand_lines(&mut drawn, transaction, screen, command),
        Body::Sheet(sheet) => sheet_lines(&mut drawn, transaction, screen, sheet),
        Body::List(rows) => list_lines(&mut drawn, screen, rows),
    }
    foot(task, &mut drawn.panel, screen);
    drawn.panel.cursor_to(COMMAND);
    Ok(drawn)
}

/// Lines that only tell what could be typed.
fn choices(panel: &mut Panel, screen: &Screen, lines: impl Iterator<Item = String>) {
    let body = body_lines(panel) + 1;
    for (row, line) in lines.skip(screen.top).take(body).enumerate() {
        panel.text(HEAD_LINES + row as u16, 4, &line);
    }
}

fn release(panel: &mut Panel) {
    panel.text(2, 61, &format!("CICS RELEASE = {}", csd::RELEASE));
}

fn input(drawn: &mut Drawn, row: u16, column: u16, length: u16, text: &str, target: Target) {
    drawn.targets.push(target);
    let id = drawn.targets.len();
    drawn.panel.input(id, row, column, length, Style::Input, text);
}

fn operand_lines(drawn: &mut Drawn, transaction: &str, screen: &Screen, command: &Command) {
    release(&mut drawn.panel);
    let verbs = || Verb::ALL.iter().map(|verb| verb.name());
    let verb = command.verb.map_or("", Verb::name);
    drawn.panel.text(3, 4, &format!("{transaction}  {}", capitalized(verb, verbs())));
    let body = body_lines(&drawn.panel);
    for (at, line) in operands::lines(command).iter().enumerate().skip(screen.top).take(body) {
        let row = HEAD_LINES + 1 + (at - screen.top) as u16;
        drawn.panel.text(row, LABEL, &format!("{:13}==>", line.label));
        input(drawn, row, VALUE, line.length, &line.value, Target::Operand(at));
    }
}

fn sheet_lines(drawn: &mut Drawn, transaction: &str, screen: &Screen, sheet: &Sheet) {
    release(&mut drawn.panel);
    drawn.panel.text(3, 4, &attributes::title(transaction, sheet));
    let body = body_lines(&drawn.panel);
    for (at, line) in screen.lines_of(sheet).into_iter().skip(screen.top).take(body).enumerate() {
        let row = HEAD_LINES + 1 + at as u16;
        match line {
            Line::Heading(text) => drop(drawn.panel.text(row, LABEL - 1, text)),
            Line::Choices(text) => drop(drawn.panel.text(row, CHOICES, &text)),
            Line::Value { label, subject, text, length, open, choices } => {
                let arrow = if open { "==>" } else { "  :" };
                let mark = if label.is_empty() { "   " } else { arrow };
                drawn.panel.text(row, LABEL, &format!("{label:width$}{mark}", width = usize::from(ARROW - LABEL)));
                match open {
                    true => input(drawn, row, VALUE, length, &text, Target::Subject(subject)),
                    false => drop(drawn.panel.text(row, VALUE, &text)),
                }
                if !choices.is_empty() {
                    drawn.panel.text(row, CHOICES, &choices);
                }
            }
        }
    }
}

fn list_lines(drawn: &mut Drawn, screen: &Screen, rows: &[Row]) {
    let [name, kind, group] = listing::headings(rows);
    drawn.panel.text(3, NAME, &format!("{name:9}{kind:13}{group}")).text(3, LIST_LAST - 14, "DATE   TIME");
    let body = body_lines(&drawn.panel);
    for (at, row) in rows.iter().enumerate().skip(screen.top).take(body) {
        let line = HEAD_LINES + 1 + (at - screen.top) as u16;
        let [name, kind, group] = row.item.columns();
        drawn.panel.text(line, NAME, &name);
        if !kind.is_empty() {
            drawn.panel.text(line, TYPE, &kind);
        }
        if !group.is_empty() {
            drawn.panel.text(line, GROUP, &group);
        }
        input(drawn, line, COMMAND_COLUMN, COMMAND_LENGTH, &row.mark, Target::Row(at));
        let result = if row.result.is_empty() { row.changed.clone() } else { row.result.clone() };
        if !result.is_empty() {
            drawn.panel.text(line, LIST_LAST + 1 - result.chars().count() as u16, &result);
        }
    }
}

/// The message, the region, the result with date and time, and the keys.
fn foot(task: &Task, panel: &mut Panel, screen: &Screen) {
    let (rows, columns) = (panel.size.rows, panel.size.columns);
    let body = body_lines(panel);
    if screen.top > 0 {
        panel.text(HEAD_LINES + 1, 2, "+");
    }
    if screen.top + body < screen.length() {
        panel.text(rows - FOOT_LINES, 2, "+");
    }
    let message: String = summary(&screen.outcome.messages).chars().take(usize::from(columns) - 4).collect();
    if !message.is_empty() {
        panel.bright(rows - 3, 4, &message);
    }
    let region = task.region;
    panel.text(rows - 2, 55, &format!("SYSID={} APPLID={}", region.sysid, region.applid));
    let result = match &screen.body {
        Body::List(rows) => format!("RESULTS: {} TO {} OF {}", screen.top + 1, (screen.top + body).min(rows.len()), rows.len()),
        _ => screen.outcome.text.clone(),
    };
    if !result.is_empty() {
        let now = region::clock::now_local();
        let date = now.date();
        panel.text(rows - 1, 4, &result);
        panel.text(
            rows - 1,
            49,
            &format!("TIME:  {}  DATE: {:02}.{:03}", now.time_text().replace(':', "."), date.year % 100, date.day_of_year),
        );
    }
    let lists = if matches!(screen.body, Body::List(_)) { "4 TOP 5 BOT" } else { "           " };
    panel.text(rows, 2, &format!("PF 1 HELP 2 COM 3 END {lists} 6 CRSR 7 SBH 8 SFH 9 MSG 10 SB 11 SF 12 CNCL"));
    panel.alarm = screen.outcome.failed();
}
