//! CECI and CECS: the command interpreter, and the syntax checker.
//!
//! The first line is the command; ENTER checks it (ABOUT TO EXECUTE COMMAND), ENTER again executes it (COMMAND EXECUTION COMPLETE). PF1 is
//! help, PF4 shows the EIB, PF5 the variables, PF9 all messages; ENTER returns from these. PF6 shows the last output of a command.
//!
//! * `parse`  the command line; `run` execution; `variables`; `show` the display of a command and the EIB.

mod parse;
mod run;
mod show;
mod variables;

use super::panel::{self, Answer, Panel, Style};
use exec::{OptionId, aid};
use parse::Parsed;
use region::exec_interface::call::Response;
use region::{Raised, Task};
use run::Value;
use terminals::terminal_control::input::{display, facility};
use terminals::terminal_control::output;
use variables::Variables;

const COMMAND: usize = 0;
const NAME: usize = 1;
/// Fields of the variables screen: three for each line.
const VARIABLES: usize = 10;
/// Empty lines for new variables.
const NEW_VARIABLES: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Menu,
    SyntaxCheck,
    AboutToExecute,
    Complete,
}

impl Status {
    fn text(self) -> &'static str {
        match self {
            Status::Menu => "STATUS:  ENTER ONE OF THE FOLLOWING",
            Status::SyntaxCheck => "STATUS:  COMMAND SYNTAX CHECK",
            Status::AboutToExecute => "STATUS:  ABOUT TO EXECUTE COMMAND",
            Status::Complete => "STATUS:  COMMAND EXECUTION COMPLETE",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Screen {
    Command,
    Eib,
    Variables,
    Messages,
    Help,
}

const HELP: [&str; 13] = [
    "Type a command in the first line, without EXEC CICS. Options may be cut short",
    "as long as they stay unique; capitals show the letters needed. Quotes around",
    "values are not needed. X'...' are bytes; &NAME stands for a variable.",
    "",
    "ENTER checks the command, and ENTER again executes it. A question mark before",
    "or behind the command shows its syntax and executes nothing.",
    "",
    "PF2   values as characters or hexadecimal      PF3    end",
    "PF4   the EXEC interface block                 PF5    variables",
    "PF6   the screen of the last command           PF9    messages",
    "PF7 PF8  scroll half a page                    PF10 PF11  scroll a page",
    "",
    "A name in NAME= keeps the command as a variable: &NAME is that command then.",
];

struct Session {
    executes: bool,
    command: String,
    parsed: Parsed,
    status: Status,
    screen: Screen,
    response: Option<Response>,
    results: Vec<(OptionId, Value)>,
    variables: Variables,
    hexadecimal: bool,
    top: usize,
    /// The data stream a command sent last.
    user_screen: Vec<u8>,
}

/// The program of transaction CECI.
pub fn interpret(task: &mut Task) -> Result<(), Raised> {
    converse(task, true)
}

/// The program of transaction CECS.
pub fn check(task: &mut Task) -> Result<(), Raised> {
    converse(task, false)
}

fn converse(task: &mut Task, executes: bool) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let command = panel::typed(task, display(&*terminal)?)?;
    let mut variables = Variables::default();
    variables.set("DFHC", task.region.code_page.encode("THIS IS A SAMPLE"));
    variables.set("DFHR", task.region.code_page.encode("READQ TS QUEUE('CECIDATA') INTO(&DFHC)"));
    variables.set("DFHW", task.region.code_page.encode("WRITEQ TS QUEUE('CECIDATA') FROM(&DFHC)"));
    let mut session = Session {
        executes,
        command: String::new(),
        parsed: Parsed::default(),
        status: Status::Menu,
        screen: Screen::Command,
        response: None,
        results: Vec::new(),
        variables,
        hexadecimal: false,
        top: 0,
        user_screen: Vec::new(),
    };
    session.read_command(task, &command);
    loop {
        let panel = session.draw(task)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        match answer.aid {
            aid::PF3 | aid::PF15 | aid::CLEAR | aid::PA1 | aid::PA2 | aid::PA3 => return end(task),
            aid::PF2 | aid::PF14 => session.hexadecimal = !session.hexadecimal,
            aid::PF1 | aid::PF13 => session.turn_to(Screen::Help),
            aid::PF6 | aid::PF18 => session.show_user_screen(task)?,
            aid::PF4 | aid::PF16 => session.turn_to(Screen::Eib),
            aid::PF5 | aid::PF17 => session.turn_to(Screen::Variables),
            aid::PF9 | aid::PF21 => session.turn_to(Screen::Messages),
            aid::PF7 | aid::PF19 => session.top = session.top.saturating_sub(9),
            aid::PF8 | aid::PF20 => session.top += 9,
            aid::PF10 | aid::PF22 => session.top = session.top.saturating_sub(18),
            aid::PF11 | aid::PF23 => session.top += 18,
            aid::ENTER => session.enter(task, &answer)?,
            _ => {}
        }
    }
}

impl Session {
    /// Shows the output of a command until a key is pressed.
    fn show_user_screen(&self, task: &mut Task) -> Result<(), Raised> {
        if self.user_screen.is_empty() {
            return Ok(());
        }
        let terminal = facility(task)?;
        let display = display(&*terminal)?;
        output::send(task, display, self.user_screen.clone(), false)?;
        terminals::terminal_control::input::next(task, display, true)?;
        Ok(())
    }

    fn turn_to(&mut self, screen: Screen) {
        self.screen = screen;
        self.top = 0;
    }

    /// Reads a command line. `&NAME` alone is the command stored in the variable.
    fn read_command(&mut self, task: &Task, text: &str) {
        self.command = text.trim().to_string();
        let held = self.command.strip_prefix('&').and_then(|name| self.variables.get(name)).map(|data| task.region.code_page.text(data));
        self.parsed = parse::parse(held.as_deref().unwrap_or(&self.command));
        self.parsed.messages.extend(run::undefined_variables(&self.parsed, &self.variables));
        self.parsed.messages.extend(run::invalid_numbers(task, &self.parsed, &self.variables));
        self.response = None;
        self.results.clear();
        self.top = 0;
        if let Some(spec) = self.parsed.command
            && !self.parsed.check_only
            && self.executes
        {
            self.parsed.messages.extend(run::refusal(spec));
        }
        self.status = if self.command.is_empty() {
            Status::Menu
        } else if self.executes && !self.parsed.is_severe() && !self.parsed.check_only {
            Status::AboutToExecute
        } else {
            Status::SyntaxCheck
        };
    }

    /// The command line as it is on the screen.
    fn shown_command(&self) -> String {
        show::without_secrets(&self.command, &self.parsed).trim().to_string()
    }

    fn enter(&mut self, task: &mut Task, answer: &Answer) -> Result<(), Raised> {
        let typed = answer.value(COMMAND).map(|text| text.trim().to_string());
        if let Some(name) = answer.value(NAME).filter(|name| !name.trim().is_empty()) {
            self.variables.set(name, task.region.code_page.encode(&self.command));
        }
        if self.screen == Screen::Variables {
            self.change_variables(task, answer);
        }
        let was = std::mem::replace(&mut self.screen, Screen::Command);
        if let Some(text) = typed.filter(|text| *text != self.shown_command()) {
            self.read_command(task, &text);
            return Ok(());
        }
        if was != Screen::Command {
            return Ok(());
        }
        match self.status {
            Status::AboutToExecute => self.execute(task),
            Status::Complete => {
                let command = self.command.clone();
                self.read_command(task, &command);
                Ok(())
            }
            Status::Menu | Status::SyntaxCheck => Ok(()),
        }
    }

    fn execute(&mut self, task: &mut Task) -> Result<(), Raised> {
        let sent = task.performance.terminal_messages_out;
        let done = match run::execute(task, &self.parsed, &mut self.variables) {
            // A command that ends the task, such as RETURN: the input has locked the keyboard, and no output follows.
            Err(Raised::Leave) => {
                display(&*facility(task)?)?.unlock();
                return Err(Raised::Leave);
            }
            done => done?,
        };
        self.response = Some(done.response);
        self.results = done.results;
        self.status = Status::Complete;
        if task.performance.terminal_messages_out > sent {
            // The output of the command stays until the operator continues.
            let terminal = facility(task)?;
            let display = display(&*terminal)?;
            if !terminals::terminal_control::TaskState::of(&task.parts).deferred_output.is_empty() {
                self.user_screen = terminals::terminal_control::TaskState::of(&task.parts).deferred_output.clone();
            }
            output::flush(task, display)?;
            terminals::terminal_control::input::next(task, display, true)?;
        }
        Ok(())
    }

    /// Data, name and length of each line of the variables screen.
    fn change_variables(&mut self, task: &Task, answer: &Answer) {
        let names: Vec<String> = self.variables.iter().map(|(name, _)| name.to_string()).collect();
        let blank = task.region.code_page.space();
        for index in 0..names.len() + NEW_VARIABLES {
            let field = |part: usize| answer.value(VARIABLES + 3 * index + part);
            let (name, length, data) = (field(0), field(1), field(2));
            if name.is_none() && length.is_none() && data.is_none() {
                continue;
            }
            let old = names.get(index);
            let name = name.map(str::to_string).or_else(|| old.cloned()).unwrap_or_default();
            if name.trim().trim_start_matches('&').is_empty() {
                old.into_iter().for_each(|old| self.variables.remove(old));
                continue;
            }
            let mut bytes = old.and_then(|old| self.variables.get(old)).map(<[u8]>::to_vec).unwrap_or_default();
            if let Some(data) = data {
                let typed = task.region.code_page.encode(data);
                let kept = bytes.len().max(typed.len());
                bytes = typed;
                bytes.resize(kept, blank);
            }
            if let Some(length) = length.and_then(|length| length.trim().trim_start_matches('+').parse::<usize>().ok()) {
                bytes.resize(length.min(variables::LENGTH_MAX), blank);
            }
            old.into_iter().for_each(|old| self.variables.remove(old));
            self.variables.set(&name, bytes);
        }
    }

    fn draw(&mut self, task: &mut Task) -> Result<Panel, Raised> {
        let mut panel = Panel::for_task(task)?;
        let (rows, columns) = (panel.size.rows, panel.size.columns);
        panel.input(COMMAND, 1, 2, columns - 2, Style::Input, &self.shown_command());
        let body = usize::from(rows).saturating_sub(6);
        let (status, lines) = match self.screen {
            Screen::Command => (self.status.text(), self.command_lines(task, usize::from(columns) - 3)),
            Screen::Eib => ("EXEC INTERFACE BLOCK", show::eib_lines(task)),
            Screen::Help => ("HELP", HELP.iter().map(|line| line.to_string()).collect()),
            Screen::Messages => ("SYNTAX MESSAGES", self.parsed.messages.clone()),
            Screen::Variables => ("VARIABLES", Vec::new()),
        };
        panel.text(2, 2, status).text(2, columns - 22, "NAME=").input(NAME, 2, columns - 16, 10, Style::Input, "");
        self.top = self.top.min(lines.len().saturating_sub(1));
        if self.screen == Screen::Variables {
            self.draw_variables(task, &mut panel, body);
        }
        for (index, line) in lines.iter().skip(self.top).take(body).enumerate() {
            panel.text(3 + index as u16, 2, line);
        }
        if self.top + body < lines.len() {
            panel.text(rows - 3, 2, "+");
        }
        if self.screen == Screen::Command {
            self.draw_response(&mut panel);
        }
        panel.text(rows, 1, "PF 1 HELP 2 HEX 3 END 4 EIB 5 VAR 6 USER 7 SBH 8 SFH 9 MSG 10 SB 11 SF").cursor_at(1, 2);
        Ok(panel)
    }

    fn command_lines(&self, task: &Task, width: usize) -> Vec<String> {
        match self.parsed.command {
            Some(spec) => show::syntax(task, spec, &self.parsed, &self.results, self.hexadecimal, width),
            None if self.command.is_empty() => {
                let verbs: Vec<String> = parse::verbs().iter().map(|verb| format!("{verb:15}")).collect();
                verbs.chunks((width / 15).max(1)).map(|line| line.concat().trim_end().to_string()).collect()
            }
            None => Vec::new(),
        }
    }

    fn draw_response(&self, panel: &mut Panel) {
        let rows = panel.size.rows;
        if let Some(response) = self.response {
            let name = response.condition.name();
            let codes = format!("EIBRESP={:+011} EIBRESP2={:+011}", response.condition.0, response.resp2);
            panel.bright(rows - 2, 2, &format!("RESPONSE: {name}")).text(rows - 2, 28, &codes);
            let meaning =
                self.parsed.command.and_then(|spec| exec::resp2_meaning(spec.name, response.condition, i64::from(response.resp2)));
            if let Some(meaning) = meaning {
                panel.text(rows - 1, 2, meaning);
            }
            return;
        }
        let messages = &self.parsed.messages;
        let severe = messages.iter().find(|message| message.starts_with('S')).or(messages.first());
        if let Some(message) = severe {
            panel.bright(rows - 2, 2, message);
        }
        if messages.len() > 1 {
            panel.text(rows - 1, 2, &format!("{} MESSAGES, PRESS PF9", messages.len()));
        }
    }

    fn draw_variables(&self, task: &Task, panel: &mut Panel, body: usize) {
        let width = panel.size.columns - 24;
        panel.text(3, 2, " NAME       LENGTH   DATA");
        let existing: Vec<(String, usize, String)> = self
            .variables
            .iter()
            .map(|(name, data)| (format!("&{name}"), data.len(), task.region.code_page.text(&data[..data.len().min(usize::from(width))])))
            .collect();
        for index in 0..(existing.len() + NEW_VARIABLES).min(body - 1) {
            let row = 4 + index as u16;
            let id = VARIABLES + 3 * index;
            let (name, length, data) = existing.get(index).map_or((String::new(), String::new(), String::new()), |(name, length, data)| {
                (name.clone(), format!("{length:+06}"), data.chars().map(|c| if c.is_control() { '.' } else { c }).collect())
            });
            panel.input(id, row, 2, 10, Style::Input, &name);
            panel.input(id + 1, row, 14, 6, Style::Input, &length);
            panel.input(id + 2, row, 23, width, Style::Input, &data);
        }
    }
}

fn end(task: &mut Task) -> Result<(), Raised> {
    let mut panel = Panel::for_task(task)?;
    panel.input(COMMAND, 1, 2, panel.size.columns - 2, Style::Input, "").bright(2, 2, "STATUS:  SESSION ENDED").cursor_at(1, 2);
    panel.show(task)
}
