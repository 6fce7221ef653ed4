//! CEMT: the master terminal, a conversation; CEOT and CEST, which are parts of it.
//!
//! * `command`   the command line; `resources` the display of each resource, `others` of those without a table, `expanded` of one with everything;
//! * `engine`    INQUIRE, SET and DISCARD; `setting` SET of one; `filter` what restricts an INQUIRE; `perform` PERFORM;
//! * `view`      the layout of answers, on the screen and as plain text.

mod association;
mod bundles;
mod command;
mod database;
mod documents;
mod dumps;
mod engine;
mod expanded;
mod filter;
mod keywords;
mod others;
mod perform;
mod programs;
mod resources;
mod setting;
mod system;
mod tracing;
mod view;
mod words;

pub(crate) use keywords::displayed_cvda;
pub(crate) use resources::is_command_of;
pub(crate) use words::not_normal;

use super::panel::{self, Answer, Panel, Style};
use engine::Reply;
use exec::aid;
use region::{Raised, Task};
use setting::Overtyped;
use std::collections::BTreeMap;
use terminals::terminal_control::input::{display, facility};
use view::Line;

/// Identifier of the command line; columns that can be typed over have the following ones.
const COMMAND: usize = 0;
/// Lines above the body, and below it.
const HEAD_LINES: usize = 2;
const FOOT_LINES: usize = 4;

/// The keys, on the last line.
const KEYS: &str = "PF 1 HELP       3 END       7 SBH 8 SFH 9 MSG 10 SB 11 SF";

/// The contents of the screen.
struct View {
    command: String,
    reply: Reply,
    lines: Vec<Line>,
    /// First line shown.
    top: usize,
    messages: bool,
    scope: Scope,
    /// The display that the expanded one came from: reply and first line.
    under: Option<(Reply, usize)>,
}

/// Where something can be typed.
#[derive(Clone, Copy)]
enum Target {
    /// A value that can be typed over.
    Cell(view::Place),
    /// The place before a row, for S or a question mark.
    Select(usize),
}

/// Which resources the operator may ask for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// CEST: tasks and terminals.
    Supervisor,
}

const SUPERVISED: [&str; 2] = ["TASK", "TERMINAL"];

impl View {
    fn new(task: &mut Task, command: String, scope: Scope) -> Result<Self, Raised> {
        let refused = scope == Scope::Supervisor && !engine::is_within(&command, &SUPERVISED);
        let reply = match refused {
            true => Reply::Done { text: "A SUPERVISOR MAY INQUIRE AND SET TASKS AND TERMINALS".to_string(), failed: true },
            false => engine::execute(task, &command)?,
        };
        let lines = view::lines(&reply);
        Ok(Self { command, reply, lines, top: 0, messages: false, scope, under: None })
    }

    fn body_lines(panel: &Panel) -> usize {
        usize::from(panel.size.rows).saturating_sub(HEAD_LINES + FOOT_LINES).max(1)
    }

    /// The row that a line of the screen belongs to.
    fn row_at(&self, screen_row: u16) -> Option<usize> {
        let mut line = self.top + usize::from(screen_row).checked_sub(HEAD_LINES + 1)?;
        for (number, lines) in view::rows_lines(&self.reply).iter().enumerate() {
            if line < lines.len() {
                return Some(number);
            }
            line -= lines.len();
        }
        None
    }

    /// Shows one row with everything that is known of it.
    fn expand(&mut self, task: &mut Task, number: usize) -> Result<(), Raised> {
        let Reply::Rows { resource, rows, .. } = &self.reply else { return Ok(()) };
        let Some(row) = rows.get(number).filter(|row| !row.cells.is_empty()) else { return Ok(()) };
        let expanded = expanded::expand(task, resource, row)?;
        self.show_over(expanded);
        Ok(())
    }

    fn show_over(&mut self, reply: Reply) {
        let under = std::mem::replace(&mut self.reply, reply);
        self.under = Some((under, self.top));
        self.top = 0;
        self.lines = view::lines(&self.reply);
    }

    fn scroll(&mut self, body: usize, lines: isize) {
        let last = self.lines.len().saturating_sub(body);
        self.top = self.top.saturating_add_signed(lines).min(last);
    }
}

/// What CEMT shows for the beginning of a command and a question mark: its verbs, the resources of a verb, or the words that a command
/// may have. `None`: a word is not known.
pub fn syntax(words: &str) -> Option<Vec<String>> {
    let reply = match command::parse(&format!("{words} ?")).ok()? {
        command::Command::Menu(verb, prefix) => Reply::Menu { verb, prefix },
        command::Command::PerformSyntax(spec) => Reply::PerformSyntax(spec),
        command::Command::Syntax(verb, resource) => Reply::Syntax { verb, resource },
        _ => return None,
    };
    Some(view::lines(&reply).iter().map(view::text).collect())
}

/// The program of transaction CEMT.
pub fn master_terminal(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?;
    let view = View::new(task, typed, Scope::All)?;
    converse(task, view)
}

/// The program of transaction CEOT: the status of the operator's own terminal. Options typed with it are set.
pub fn terminal_status(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?;
    let verb = if typed.is_empty() { "INQUIRE" } else { "SET" };
    let view = View::new(task, format!("{verb} TERMINAL({}) {typed}", terminal.name()), Scope::Supervisor)?;
    converse(task, view)
}

/// The program of transaction CEST: CEMT for tasks and terminals only.
pub fn supervisory_terminal(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?;
    let view = View::new(task, typed, Scope::Supervisor)?;
    converse(task, view)
}

/// At a console a command is answered in lines, and that is all.
fn print(task: &mut Task, view: &View) -> Result<(), Raised> {
    let response = view::response(&view.reply).map(|response| format!("RESPONSE: {response} {}", moment()));
    let status = view::status(&view.reply).trim();
    let head = (!status.is_empty()).then(|| status.to_string());
    let lines: Vec<String> = head.into_iter().chain(view.lines.iter().map(view::text)).chain(response).collect();
    panel::print(task, &lines)
}

fn converse(task: &mut Task, mut view: View) -> Result<(), Raised> {
    let terminal = facility(task)?;
    if display(&*terminal)?.is_console() {
        return print(task, &view);
    }
    loop {
        let (panel, places) = draw(task, &view)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        let body = View::body_lines(&panel);
        view.messages = false;
        match answer.aid {
            aid::PF3 | aid::PF15 | aid::CLEAR | aid::PA1 | aid::PA2 | aid::PA3 => return end(task),
            // One message is on the screen already.
            aid::PF9 | aid::PF21 if view::messages(&view.reply).len() > 1 => {
                all_messages(task, &panel, &view::messages(&view.reply))?;
                continue;
            }
            aid::PF1 | aid::PF13 => {
                help(task, &panel)?;
                continue;
            }
            aid::PF9 | aid::PF21 => view.messages = true,
            aid::PF7 | aid::PF19 => view.scroll(body, -(body as isize) / 2),
            aid::PF8 | aid::PF20 => view.scroll(body, body as isize / 2),
            aid::PF10 | aid::PF22 => view.scroll(body, -(body as isize)),
            aid::PF11 | aid::PF23 => view.scroll(body, body as isize),
            _ => {}
        }
        enter(task, &mut view, &answer, &places)?;
    }
}

/// Carries out the input: a new command, changes of the rows, or a row to be expanded.
fn enter(task: &mut Task, view: &mut View, answer: &Answer, places: &BTreeMap<usize, Target>) -> Result<(), Raised> {
    if let Some(command) = answer.value(COMMAND)
        && command.trim() != view.command.trim()
    {
        *view = View::new(task, command.trim().to_string(), view.scope)?;
        return Ok(());
    }
    let mut changes: BTreeMap<usize, Vec<Overtyped>> = BTreeMap::new();
    let mut selected = None;
    for (id, value) in &answer.values {
        match places.get(id) {
            Some(Target::Select(row)) if ["S", "?"].contains(&value.trim().to_ascii_uppercase().as_str()) => selected = Some(*row),
            // Over a value, too: a question mark is none.
            Some(Target::Cell(place)) if value.trim_start().starts_with('?') => selected = Some(place.row),
            Some(Target::Cell(place)) => {
                let change = Overtyped { line: place.line, column: place.column, value: value.clone() };
                changes.entry(place.row).or_default().push(change);
            }
            _ => {}
        }
    }
    let by_cursor = || view.row_at(answer.cursor.0).filter(|_| changes.is_empty() && answer.aid == aid::ENTER);
    if let Some(row) = selected.or_else(by_cursor) {
        return view.expand(task, row);
    }
    if changes.is_empty() {
        return if answer.aid == aid::ENTER { refresh(task, view) } else { Ok(()) };
    }
    let rows = match &mut view.reply {
        Reply::Rows { resource, rows, .. } => Some((*resource, &mut rows[..])),
        Reply::Expanded { resource, row } => Some((*resource, std::slice::from_mut(row))),
        _ => None,
    };
    let Some((resource, rows)) = rows else { return Ok(()) };
    for (number, changes) in changes {
        if let Some(row) = rows.get_mut(number) {
            *row = setting::overtype(task, resource, row, &changes)?;
        }
    }
    view.lines = view::lines(&view.reply);
    Ok(())
}

/// Shows how things are now; from an expanded display, the one before it.
fn refresh(task: &mut Task, view: &mut View) -> Result<(), Raised> {
    let top = match view.under.take() {
        Some((under, top)) => {
            view.reply = under;
            top
        }
        None => view.top,
    };
    if !matches!(view.reply, Reply::Rows { after_set: true, .. }) && matches!(view.reply, Reply::Rows { .. }) {
        *view = View::new(task, view.command.clone(), view.scope)?;
    }
    view.lines = view::lines(&view.reply);
    view.top = top.min(view.lines.len().saturating_sub(1));
    Ok(())
}

/// The panel, and the place of each input field.
fn draw(task: &mut Task, view: &View) -> Result<(Panel, BTreeMap<usize, Target>), Raised> {
    let mut panel = Panel::for_task(task)?;
    let mut places = BTreeMap::new();
    let (rows, columns) = (panel.size.rows, panel.size.columns);
    panel.input(COMMAND, 1, 2, columns - 2, Style::Input, &view.command);
    panel.text(2, 2, view::status(&view.reply));
    let body = View::body_lines(&panel);
    let mut before = None;
    for (index, line) in view.lines.iter().skip(view.top).take(body).enumerate() {
        let row = (HEAD_LINES + 1 + index) as u16;
        let of_row = view.row_at(row).filter(|_| matches!(view.reply, Reply::Rows { .. }));
        if of_row.is_some() && std::mem::replace(&mut before, of_row) != of_row {
            let id = places.len() + 1;
            places.insert(id, Target::Select(of_row.unwrap_or_default()));
            panel.input(id, row, 1, 1, Style::Input, "");
        }
        for piece in line {
            match piece.input {
                None if piece.bright => panel.bright(row, piece.column as u16, &piece.text),
                None => panel.text(row, piece.column as u16, &piece.text),
                Some(place) => {
                    let id = places.len() + 1;
                    places.insert(id, Target::Cell(place));
                    panel.input(id, row, piece.column as u16, piece.width as u16, Style::Input, &piece.text)
                }
            };
        }
    }
    if view.top > 0 {
        panel.text(2, columns - 1, "+");
    }
    if view.top + body < view.lines.len() {
        panel.text(rows - FOOT_LINES as u16 + 1, 2, "+");
    }
    let messages = view::messages(&view.reply);
    if let Some(first) = messages.first() {
        let text: String = first.chars().take(usize::from(columns) - 5).collect();
        panel.bright(rows - FOOT_LINES as u16 + 1, 4, &text);
    }
    foot(task, &mut panel, view::response(&view.reply).as_deref(), view.messages && messages.is_empty());
    panel.alarm = view.reply.errors() > 0;
    panel.cursor_at(1, 2);
    Ok((panel, places))
}

/// System, response and time, keys.
fn foot(task: &Task, panel: &mut Panel, response: Option<&str>, messages: bool) {
    let region = task.region;
    let rows = panel.size.rows;
    panel.text(rows - 2, 48, &format!("SYSID={} APPLID={}", region.sysid, region.applid));
    panel.text(rows - 1, 46, &moment());
    if let Some(response) = response {
        panel.text(rows - 1, 2, &format!("RESPONSE: {response}"));
    } else if messages {
        panel.text(rows - 1, 2, "NO MESSAGES");
    }
    panel.text(rows, 1, KEYS);
}

/// Time and date as the operator's transactions show them.
fn moment() -> String {
    let now = region::clock::now_local();
    let (hours, minutes, seconds) = now.time();
    format!("TIME:  {hours:02}.{minutes:02}.{seconds:02}  DATE: {}", engine::operator_date(now))
}

/// The help panel begins in column 3 of 80.
const HELP: &[&str] = &[
    "CEMT: DISCARD, INQUIRE, PERFORM and SET",
    "",
    "Type a command in the first line. Keywords may be cut to the letters",
    "shown as capitals: I TRA(C*) is INQUIRE TRANSACTION(C*). In names * stands",
    "for any characters and + for one.",
    "",
    "Type over a value to change it: Ena to Dis, a priority, a data set name;",
    "in the blank after a program's status NEW (NEWCOPY) or PHA (PHASEIN);",
    "in the blank after a task's state PUR (PURGE), FOR (FORCEPURGE) or KIL",
    "(KILL).",
    "",
    "S or ? before a line, or ENTER with the cursor on it, shows everything that",
    "is known of the resource; ENTER from there comes back.",
    "",
    "ENTER  carries out what was typed, or shows how things are now",
    "PF3    ends       PF7 PF8  scroll half a page    PF10 PF11  scroll a page",
    "",
    "Press ENTER to go on.",
];

/// PF9: every message, as the line for messages has only the first.
fn all_messages(task: &mut Task, under: &Panel, messages: &[String]) -> Result<(), Raised> {
    let mut panel = Panel::new(under.size);
    for (row, line) in (1..under.size.rows).zip(messages) {
        panel.text(row, 2, line);
    }
    panel.text(under.size.rows, 1, KEYS).show(task)?;
    panel.read(task).map(|_| ())
}

fn help(task: &mut Task, under: &Panel) -> Result<(), Raised> {
    let mut panel = Panel::new(under.size);
    for (index, line) in HELP.iter().enumerate() {
        panel.text(2 + index as u16, 3, line);
    }
    panel.show(task)?;
    panel.read(task).map(|_| ())
}

fn end(task: &mut Task) -> Result<(), Raised> {
    let mut panel = Panel::for_task(task)?;
    panel.input(COMMAND, 1, 2, panel.size.columns - 2, Style::Input, "").bright(2, 2, "STATUS:  SESSION ENDED").cursor_at(1, 2);
    panel.show(task)
}

#[cfg(test)]
mod tests {
    use super::HELP;

    #[test]
    fn help_fits_on_a_screen_of_80_columns() {
        assert!(HELP.iter().all(|line| line.chars().count() <= 77));
    }
}
