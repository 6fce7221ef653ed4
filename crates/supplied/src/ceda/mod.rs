//! CEDA: resource definition online, on panels; CEDB, which cannot install, and CEDC, which only looks ("CEDA - resource definition online").
//!
//! * `vocabulary` the words and how far they may be cut; `command` the command line; `messages` messages and their severity;
//! * `engine`     what commands do; `check` CHECK;
//! * `attributes` the panel of a definition; `operands` that of a command; `listing` lists; `screen` how they are drawn.

mod attributes;
mod check;
mod command;
mod engine;
mod listing;
mod messages;
mod operands;
mod screen;
mod vocabulary;

use crate::conversation;
use crate::panel::{Answer, Panel, Style};
use attributes::{Line, Sheet, Subject};
use command::Command;
use csd::attributes::Attribute;
use engine::Outcome;
use exec::aid;
use listing::Asked;
use messages::Message;
use region::{Raised, Task};
use screen::{Body, COMMAND, Drawn, Screen, Target, body_lines, draw};
use std::collections::BTreeMap;
use vocabulary::{Operand, Verb};

/// What CEDC can do.
const LOOKING: &[Verb] = &[Verb::Display, Verb::Expand, Verb::View];
/// CEDB has everything else.
const NOT_IN_CEDB: Verb = Verb::Install;
/// Screens that PF12 can return to.
const SCREENS_MAX: usize = 20;

/// The session of an operator.
struct Session {
    transaction: String,
    allowed: Vec<Verb>,
    /// The group of the last command that named one: that of the next command that does not.
    group: String,
    screens: Vec<Screen>,
}

/// The program of transactions CEDA, CEDB and CEDC.
pub fn resource_definition(task: &mut Task) -> Result<(), Raised> {
    let transaction = task.transid.as_str().trim_end().to_string();
    let allowed: Vec<Verb> = match transaction.as_str() {
        "CEDC" => LOOKING.to_vec(),
        "CEDB" => Verb::ALL.into_iter().filter(|verb| *verb != NOT_IN_CEDB).collect(),
        _ => Verb::ALL.to_vec(),
    };
    let typed = conversation::typed(task)?;
    let mut session = Session { transaction, allowed, group: String::new(), screens: Vec::new() };
    session.execute(task, &typed)?;
    session.converse(task)
}

impl Session {
    fn top(&mut self) -> &mut Screen {
        self.screens.last_mut().expect("there is always a screen")
    }

    fn push(&mut self, screen: Screen) {
        if self.screens.len() == SCREENS_MAX {
            self.screens.remove(0);
        }
        self.screens.push(screen);
    }

    fn converse(mut self, task: &mut Task) -> Result<(), Raised> {
        loop {
            let drawn = draw(task, &self.transaction, &self.allowed, self.screens.last().expect("there is always a screen"))?;
            drawn.panel.show(task)?;
            let answer = drawn.panel.read(task)?;
            let body = body_lines(&drawn.panel) as isize;
            match answer.aid {
                aid::PF3 | aid::PF15 | aid::CLEAR | aid::PA1 | aid::PA2 | aid::PA3 => return end(task),
                aid::PF1 | aid::PF13 => help(task, &drawn.panel, self.top())?,
                aid::PF9 | aid::PF21 => all_messages(task, &drawn.panel, self.top())?,
                aid::PF12 | aid::PF24 => {
                    if self.screens.len() > 1 {
                        self.screens.pop();
                    }
                }
                key => {
                    self.enter(task, &answer, &drawn)?;
                    self.scroll(key, body);
                }
            }
        }
    }

    fn scroll(&mut self, key: u8, body: isize) {
        let screen = self.top();
        let last = screen.length().saturating_sub(body as usize);
        let by = |lines: isize| screen.top.saturating_add_signed(lines).min(last);
        screen.top = match key {
            aid::PF7 | aid::PF19 => by(-body / 2),
            aid::PF8 | aid::PF20 => by(body / 2),
            aid::PF10 | aid::PF22 => by(-body),
            aid::PF11 | aid::PF23 => by(body),
            aid::PF4 | aid::PF16 => 0,
            aid::PF5 | aid::PF17 => last,
            aid::PF2 | aid::PF14 => {
                screen.compressed = !screen.compressed;
                0
            }
            _ => screen.top.min(last),
        };
    }

    /// Carries out what was typed: a new command, or changes of the body.
    fn enter(&mut self, task: &mut Task, answer: &Answer, drawn: &Drawn) -> Result<(), Raised> {
        if let Some(typed) = answer.value(COMMAND).map(str::trim)
            && typed != self.top().command.trim()
        {
            let typed = typed.to_string();
            return self.execute(task, &typed);
        }
        let mut values: Vec<(Target, String)> = Vec::new();
        for (id, value) in answer.values.iter().filter(|(id, _)| *id != COMMAND) {
            values.extend(drawn.targets.get(id - 1).map(|target| (target.clone(), value.clone())));
        }
        match &self.top().body {
            Body::Sheet(_) => self.overtype(task, &values),
            Body::Operands(_) => self.change_operands(task, &values),
            Body::List(_) => self.enter_rows(task, &values),
            Body::Menu | Body::Types => Ok(()),
        }
    }

    /// A command line.
    fn execute(&mut self, task: &mut Task, typed: &str) -> Result<(), Raised> {
        let typed = typed.strip_prefix(self.transaction.as_str()).unwrap_or(typed).trim();
        let (command, messages) = command::parse(typed, &self.allowed);
        self.show(task, typed, command, messages)
    }

    /// The screen of a command, which is executed if it is complete.
    fn show(&mut self, task: &mut Task, typed: &str, mut command: Command, mut messages: Vec<Message>) -> Result<(), Raised> {
        let Some(verb) = command.verb else {
            self.push(Screen::new(typed, Body::Menu, Outcome { messages, text: String::new() }));
            return Ok(());
        };
        let takes_group = verb.operands().0.contains(&Operand::Group) && !command.has(Operand::List);
        match command.value(Operand::Group).map(str::to_string) {
            Some(group) => self.group = group,
            None if takes_group && !self.group.is_empty() => command.set(Operand::Group, &self.group.clone()),
            None => {}
        }
        let mut screen = if verb.has_attributes() {
            self.sheet(task, typed, &command)?
        } else if matches!(verb, Verb::Display | Verb::Expand) {
            list(task, typed, &command)?
        } else if command.operands.is_empty() && command.resource.is_none() {
            Screen::new(typed, Body::Operands(command), Outcome::default())
        } else {
            let outcome = engine::run(task, &command)?;
            Screen::new(typed, Body::Operands(command), outcome)
        };
        messages.append(&mut screen.outcome.messages);
        screen.outcome.messages = messages;
        self.push(screen);
        Ok(())
    }

    fn sheet(&self, task: &mut Task, typed: &str, command: &Command) -> Result<Screen, Raised> {
        let verb = command.verb.unwrap_or(Verb::View);
        if command.resource.is_none() {
            return Ok(Screen::new(typed, Body::Types, Outcome::default()));
        }
        if matches!(verb, Verb::Define | Verb::Userdefine) {
            let (sheet, outcome) = engine::define(task, command)?;
            return Ok(Screen::new(typed, Body::Sheet(sheet), outcome));
        }
        Ok(match engine::open(task, command)? {
            Ok((sheet, outcome)) => Screen::new(typed, Body::Sheet(sheet), outcome),
            Err(outcome) => Screen::new(typed, Body::Operands(command.clone()), outcome),
        })
    }

    /// Values typed over a panel of attributes.
    fn overtype(&mut self, task: &mut Task, values: &[(Target, String)]) -> Result<(), Raised> {
        let screen = self.screens.last_mut().expect("there is always a screen");
        let Body::Sheet(sheet) = &mut screen.body else { return Ok(()) };
        let mut parts: BTreeMap<(usize, usize), String> = BTreeMap::new();
        let (mut name, mut group) = (None, None);
        for (target, value) in values {
            match target {
                Target::Subject(Subject::Name) => name = Some(value.trim().to_string()),
                Target::Subject(Subject::Group) => group = Some(value.trim().to_ascii_uppercase()),
                Target::Subject(Subject::Attribute(number, part)) => drop(parts.insert((*number, *part), value.clone())),
                _ => {}
            }
        }
        let changes = changed_values(sheet, &parts);
        if name.is_none() && group.is_none() && changes.is_empty() && (sheet.is_defined || values.is_empty()) {
            return Ok(());
        }
        screen.outcome = if sheet.is_defined {
            engine::alter(task, sheet, &changes)
        } else {
            sheet.definition.name = name.unwrap_or_else(|| sheet.definition.name.clone());
            sheet.definition.group = group.unwrap_or_else(|| sheet.definition.group.clone());
            let messages = engine::apply(&mut sheet.definition, &changes);
            engine::put(task, sheet, messages)
        };
        if sheet.is_defined {
            self.group = sheet.definition.group.clone();
        }
        Ok(())
    }

    fn change_operands(&mut self, task: &mut Task, values: &[(Target, String)]) -> Result<(), Raised> {
        let screen = self.screens.last().expect("there is always a screen");
        let Body::Operands(command) = &screen.body else { return Ok(()) };
        let lines = operands::lines(command);
        let mut changed = command.clone();
        for (target, value) in values {
            if let Target::Operand(at) = target
                && let Some(line) = lines.get(*at)
            {
                operands::change(&mut changed, line, value);
            }
        }
        if values.is_empty() {
            return Ok(());
        }
        let typed = screen.command.clone();
        self.screens.pop();
        self.show(task, &typed, changed, Vec::new())
    }

    /// Commands typed beside the lines of a list; the first that has a screen of its own is shown last.
    fn enter_rows(&mut self, task: &mut Task, values: &[(Target, String)]) -> Result<(), Raised> {
        let mut wanted = None;
        let mut previous = String::new();
        for (target, value) in values {
            let typed = value.trim().trim_start_matches(['*', '?']).trim();
            let Target::Row(at) = target else { continue };
            let Body::List(rows) = &mut self.top().body else { return Ok(()) };
            let Some(row) = rows.get_mut(*at).filter(|_| !typed.is_empty()) else { continue };
            // An equals sign repeats the command above.
            let typed = if typed == "=" { previous.clone() } else { typed.to_string() };
            previous.clone_from(&typed);
            let item = row.item.clone();
            if let Some(refused) = self.refused(&item, &typed) {
                self.take(*at, refused);
                continue;
            }
            match listing::enter(task, &item, &typed)? {
                Asked::Done(outcome) => self.take(*at, outcome),
                Asked::Screen(command) => drop(wanted.get_or_insert(command)),
            }
        }
        let Some(command) = wanted else { return Ok(()) };
        let typed = command.verb.map_or("", Verb::name).to_string();
        self.show(task, &typed, command, Vec::new())
    }

    /// CEDB and CEDC have fewer commands.
    fn refused(&self, item: &listing::Item, typed: &str) -> Option<Outcome> {
        let word = typed.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        let verb = item.verbs().iter().find(|verb| verb.name().starts_with(&word))?;
        let message = messages::severe(&format!("{} is not a command of {}.", verb.name(), self.transaction));
        (!self.allowed.contains(verb)).then(|| Outcome { messages: vec![message], text: String::new() })
    }

    fn take(&mut self, at: usize, outcome: Outcome) {
        if let Body::List(rows) = &mut self.top().body
            && let Some(row) = rows.get_mut(at)
        {
            row.take(outcome);
        }
    }
}

fn list(task: &mut Task, typed: &str, command: &Command) -> Result<Screen, Raised> {
    let verb = command.verb.map_or("", Verb::name);
    let rows = match engine::snapshot(task)? {
        Ok(csd) => listing::rows(&csd, command),
        Err(message) => Err(message),
    };
    Ok(match rows {
        Ok(rows) => Screen::new(typed, Body::List(rows), Outcome::default()),
        Err(message) => {
            let outcome = Outcome { messages: vec![message], text: format!("{verb} UNSUCCESSFUL") };
            Screen::new(typed, Body::Operands(command.clone()), outcome)
        }
    })
}

/// The attributes of which parts were typed over, with their whole values.
fn changed_values(sheet: &Sheet, parts: &BTreeMap<(usize, usize), String>) -> Vec<(&'static Attribute, String)> {
    let of = sheet.definition.resource;
    let mut numbers: Vec<usize> = parts.keys().map(|(number, _)| *number).collect();
    numbers.dedup();
    let whole = |number: usize| {
        let lines = attributes::lines(sheet).into_iter();
        let texts = lines.filter_map(|line| match line {
            Line::Value { subject: Subject::Attribute(of, part), text, length, .. } if of == number => {
                let typed = parts.get(&(number, part)).cloned().unwrap_or(text);
                Some(format!("{typed:width$}", width = usize::from(length)))
            }
            _ => None,
        });
        texts.collect::<String>().trim_end().to_string()
    };
    let is_changed =
        |attribute: &'static Attribute, value: &str| vocabulary::shown(attribute, sheet.definition.get(attribute.name)) != value;
    let values = numbers.into_iter().map(|number| (&of.attributes[number], whole(number)));
    values.filter(|(attribute, value)| is_changed(attribute, value)).collect()
}

/// PF9: the messages of the screen, and of the lines of a list.
fn all_messages(task: &mut Task, under: &Panel, screen: &Screen) -> Result<(), Raised> {
    let of_rows: Vec<&Message> = match &screen.body {
        Body::List(rows) => rows.iter().flat_map(|row| &row.messages).collect(),
        _ => Vec::new(),
    };
    let lines: Vec<String> =
        screen.outcome.messages.iter().chain(of_rows).map(|message| format!("{} {}", message.severity.letter(), message.text)).collect();
    let mut panel = Panel::new(under.size);
    let none = ["NO MESSAGES".to_string()];
    for (row, line) in (1..under.size.rows).zip(if lines.is_empty() { &none[..] } else { &lines }) {
        panel.text(row, 2, line);
    }
    panel.text(under.size.rows, 2, "PRESS ENTER TO GO ON").show(task)?;
    panel.read(task).map(|_| ())
}

fn help(task: &mut Task, under: &Panel, screen: &Screen) -> Result<(), Raised> {
    let of_list = match &screen.body {
        Body::List(rows) => rows.first().map(|row| listing::possible(&row.item)).unwrap_or_default(),
        _ => String::new(),
    };
    let lines = [
        "Type a command in the first line: words may be cut to their capitals.",
        "DEFINE PROGRAM(PAYPGM) GROUP(PAY) makes a definition, INSTALL GROUP(PAY)",
        "brings it into the region, EXPAND GROUP(PAY) lists what the group has.",
        "",
        "Type over values behind ==> and press ENTER: the definition is changed.",
        "Beside a line of a list, type a command; its initial letter is enough, and",
        "an equals sign repeats the one above.",
        of_list.as_str(),
        "",
        "PF2   shows only attributes that are not the defaults, and all again",
        "PF3   ends             PF9   shows all messages",
        "PF7 PF8 PF10 PF11  scroll half a page and a page",
        "PF12  returns to the screen before",
    ];
    let mut panel = Panel::new(under.size);
    for (row, line) in (2..).zip(lines) {
        panel.text(row, 2, line);
    }
    panel.show(task)?;
    panel.read(task).map(|_| ())
}

fn end(task: &mut Task) -> Result<(), Raised> {
    let mut panel = Panel::for_task(task)?;
    let columns = panel.size.columns;
    panel.input(COMMAND, 1, 2, columns - 2, Style::Input, "").bright(2, 2, "STATUS:  SESSION ENDED").cursor_at(1, 2);
    panel.show(task)
}
