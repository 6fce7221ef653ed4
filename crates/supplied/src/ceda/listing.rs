//! EXPAND and DISPLAY: names of definitions, groups or lists, each with a place for a command about it.

use super::command::Command;
use super::engine::{self, Outcome};
use super::messages::{Message, severe, worst};
use super::vocabulary::{self, Operand, Verb};
use csd::Csd;
use csd::attributes::ResourceType;
use csd::csdup::matches_name;
use region::{Raised, Task};

/// What a line names.
#[derive(Clone, Debug)]
pub enum Item {
    Definition {
        of: &'static ResourceType,
        name: String,
        group: String,
    },
    Group(String),
    List(String),
    /// A group in a list.
    Member {
        group: String,
        list: String,
    },
}

impl Item {
    /// The commands that may be typed beside it.
    pub fn verbs(&self) -> &'static [Verb] {
        match self {
            Item::Definition { .. } => {
                &[Verb::Alter, Verb::Copy, Verb::Delete, Verb::Install, Verb::Move, Verb::Rename, Verb::View, Verb::Userdefine]
            }
            Item::Group(_) => &[Verb::Check, Verb::Display, Verb::Expand, Verb::Install, Verb::Lock, Verb::Unlock],
            Item::List(_) => &[Verb::Check, Verb::Display, Verb::Expand, Verb::Install, Verb::Lock, Verb::Unlock],
            Item::Member { .. } => {
                &[Verb::Add, Verb::Check, Verb::Display, Verb::Expand, Verb::Install, Verb::Lock, Verb::Remove, Verb::Unlock]
            }
        }
    }

    /// The texts of the first three columns.
    pub fn columns(&self) -> [String; 3] {
        match self {
            Item::Definition { of, name, group } => [name.clone(), of.name.to_string(), group.clone()],
            Item::Group(name) => [name.clone(), String::new(), String::new()],
            Item::List(name) => [name.clone(), String::new(), String::new()],
            Item::Member { group, list } => [group.clone(), list.clone(), String::new()],
        }
    }
}

/// The headings of the first three columns.
pub fn headings(items: &[Row]) -> [&'static str; 3] {
    match items.first().map(|row| &row.item) {
        Some(Item::Group(_)) => ["GROUP", "", ""],
        Some(Item::List(_)) => ["LIST", "", ""],
        Some(Item::Member { .. }) => ["GROUP", "LIST", ""],
        _ => ["NAME", "TYPE", "GROUP"],
    }
}

#[derive(Clone, Debug)]
pub struct Row {
    pub item: Item,
    /// What is shown in the place for the command: an asterisk if the last one was executed, a question mark if not.
    pub mark: String,
    /// `INSTALL SUCCESSFUL`, `USE PF9 FOR S MSGS`.
    pub result: String,
    /// When the definition was changed last, `26.332 15.04.05`; blank if nobody knows.
    pub changed: String,
    pub messages: Vec<Message>,
}

impl Row {
    fn new(item: Item) -> Row {
        Row { item, mark: String::new(), result: String::new(), changed: String::new(), messages: Vec::new() }
    }

    pub fn take(&mut self, outcome: Outcome) {
        self.mark = if outcome.failed() { "?" } else { "*" }.to_string();
        self.result = match worst(&outcome.messages) {
            Some(severity) if outcome.failed() => format!("USE PF9 FOR {} MSGS", severity.letter()),
            _ => outcome.text,
        };
        self.messages = outcome.messages;
    }
}

/// The lines of a command, or why there are none.
pub fn rows(csd: &Csd, command: &Command) -> Result<Vec<Row>, Message> {
    let expands = command.verb == Some(Verb::Expand);
    let items: Vec<Item> = match (command.value(Operand::Group), command.value(Operand::List)) {
        (_, Some(list)) if expands => members(csd, list)?,
        (None, Some(list)) => csd.lists().filter(|name| matches_name(list, name)).map(|name| Item::List(name.to_string())).collect(),
        (Some(group), _) if expands || command.resource.is_some() || command.has(Operand::All) || !group.contains(['*', '+']) => {
            definitions(csd, group, command)?
        }
        (Some(group), _) => csd.groups().filter(|name| matches_name(group, name)).map(|name| Item::Group(name.to_string())).collect(),
        (None, None) => return Err(severe("GROUP or LIST must be specified.")),
    };
    if items.is_empty() {
        let (part, name) = match (command.value(Operand::List), command.value(Operand::Group)) {
            (Some(list), _) => ("List", list),
            (_, group) => ("Group", group.unwrap_or_default()),
        };
        return Err(match &command.resource {
            Some((of, resource)) => severe(&format!("{} {resource} not found in group {name}.", of.name)),
            None => severe(&format!("{part} {name} not found.")),
        });
    }
    Ok(items.into_iter().map(|item| Row { changed: changed(csd, &item), ..Row::new(item) }).collect())
}

/// `26.332 15.04.05`: when a definition was changed last.
fn changed(csd: &Csd, item: &Item) -> String {
    let Item::Definition { of, name, group } = item else { return String::new() };
    let at = csd.definition(group, of.name, name).and_then(|definition| csd.changed_at(definition));
    at.map_or_else(String::new, |at| {
        let moment = region::clock::local_from_system(at);
        let date = moment.date();
        format!("{:02}.{:03} {}", date.year % 100, date.day_of_year, moment.time_text().replace(':', "."))
    })
}

fn members(csd: &Csd, pattern: &str) -> Result<Vec<Item>, Message> {
    let lists: Vec<&str> = csd.lists().filter(|name| matches_name(pattern, name)).collect();
    let of_list = |list: &str| {
        let groups = csd.list(list).unwrap_or_default().to_vec();
        groups.into_iter().map(|group| Item::Member { group, list: list.to_string() }).collect::<Vec<_>>()
    };
    Ok(lists.into_iter().flat_map(of_list).collect())
}

fn definitions(csd: &Csd, pattern: &str, command: &Command) -> Result<Vec<Item>, Message> {
    let groups: Vec<&str> = csd.groups().filter(|name| matches_name(pattern, name)).collect();
    if groups.is_empty() {
        return Err(severe(&format!("Group {pattern} not found.")));
    }
    let all = command.value(Operand::All).unwrap_or("*");
    let fits = |definition: &&csd::Definition| match &command.resource {
        Some((of, name)) => definition.resource.name == of.name && (name.is_empty() || matches_name(name, &definition.name)),
        None => matches_name(all, &definition.name),
    };
    let item = |definition: &csd::Definition| Item::Definition {
        of: definition.resource,
        name: definition.name.clone(),
        group: definition.group.clone(),
    };
    Ok(groups.into_iter().flat_map(|group| csd.group(group).filter(fits).map(item).collect::<Vec<_>>()).collect())
}

/// What a line of a list asks for.
pub enum Asked {
    /// It has been executed.
    Done(Outcome),
    /// A screen of its own: a panel of attributes, or a list.
    Screen(Command),
}

/// Carries out what was typed beside an item: a command, which its initial letter is enough for, and further operands.
pub fn enter(task: &mut Task, item: &Item, typed: &str) -> Result<Asked, Raised> {
    let command = match command_of(item, typed) {
        Ok(command) => command,
        Err(message) => return Ok(Asked::Done(Outcome { messages: vec![message], text: String::new() })),
    };
    let verb = command.verb.unwrap_or(Verb::View);
    if verb.has_attributes() && command.attributes.is_empty() || matches!(verb, Verb::Expand | Verb::Display) {
        return Ok(Asked::Screen(command));
    }
    let outcome = match verb {
        Verb::Alter => match engine::open(task, &command)? {
            Ok((_, outcome)) | Err(outcome) => outcome,
        },
        Verb::Userdefine => engine::define(task, &command)?.1,
        _ => engine::run(task, &command)?,
    };
    Ok(Asked::Done(outcome))
}

fn command_of(item: &Item, typed: &str) -> Result<Command, Message> {
    let (word, rest) = typed.trim().split_once(' ').unwrap_or((typed.trim(), ""));
    let word = word.to_ascii_uppercase();
    let not_valid = || severe(&format!("'{word}' is not a command that can be entered here."));
    let verb = item.verbs().iter().find(|verb| verb.name().starts_with(&word)).filter(|_| !word.is_empty()).ok_or_else(not_valid)?;
    let own = match item {
        Item::Definition { of, name, group } => format!("{}({name}) GROUP({group})", of.name),
        Item::Group(group) => format!("GROUP({group})"),
        Item::List(list) => format!("LIST({list})"),
        // A group of a list is taken out of it, and put into another.
        Item::Member { group, list } if *verb == Verb::Remove => format!("GROUP({group}) LIST({list})"),
        Item::Member { group, .. } => format!("GROUP({group})"),
    };
    let all = if matches!((item, verb), (Item::Group(_) | Item::Member { .. }, Verb::Display)) { " ALL" } else { "" };
    let (command, messages) = super::command::parse(&format!("{} {own}{all} {rest}", verb.name()), &Verb::ALL);
    match messages.into_iter().next() {
        Some(first) => Err(severe(&first.text)),
        None => Ok(command),
    }
}

/// The commands of an item, for the help: `ALTER COPY ...`.
pub fn possible(item: &Item) -> String {
    let among = || item.verbs().iter().map(|verb| verb.name());
    item.verbs().iter().map(|verb| vocabulary::capitalized(verb.name(), among())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use csd::Definition;

    fn command(text: &str) -> Command {
        super::super::command::parse(text, &Verb::ALL).0
    }

    fn csd() -> Csd {
        let mut csd = Csd::default();
        csd.put(Definition::new("PROGRAM", "P1", "PAY"));
        csd.put(Definition::new("TRANSACTION", "PAY1", "PAY"));
        csd.put(Definition::new("PROGRAM", "P2", "PENSION"));
        csd.add_to_list("L1", "PAY");
        csd
    }

    #[test]
    fn lists_show_what_is_asked_for() {
        let shown = |text: &str| {
            let rows = rows(&csd(), &command(text)).unwrap_or_else(|message| panic!("{message:?}"));
            rows.iter().map(|row| row.item.columns()[0].clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("EXPAND GROUP(PAY)"), "P1 PAY1");
        assert_eq!(shown("DISPLAY GROUP(PAY)"), "P1 PAY1");
        assert_eq!(shown("EX G(P*) PROG(*)"), "P1 P2");
        assert_eq!(shown("EX G(*) ALL(P+)"), "P1 P2");
        assert_eq!(shown("DIS G(*)"), "PAY PENSION");
        assert_eq!(shown("DIS LIST(*)"), "L1");
        assert_eq!(shown("EX LIST(L1)"), "PAY");
        for (text, why) in [("EX G(NONE)", "Group NONE not found."), ("DIS PROG(X) G(PAY)", "PROGRAM X not found in group PAY.")] {
            assert_eq!(rows(&csd(), &command(text)).unwrap_err().text, why);
        }
    }

    #[test]
    fn commands_beside_an_item_need_their_initial_letter() {
        let item =
            Item::Definition { of: csd::attributes::resource_type("PROGRAM").unwrap(), name: "P1".to_string(), group: "PAY".to_string() };
        let command = command_of(&item, "c to(x) as(p9)").unwrap();
        assert_eq!((command.verb, command.value(Operand::To), command.value(Operand::As)), (Some(Verb::Copy), Some("X"), Some("p9")));
        assert_eq!(command_of(&item, "I").unwrap().verb, Some(Verb::Install));
        assert!(command_of(&item, "LOCK").is_err() && command_of(&item, "C FOO(X)").is_err());
        let member = Item::Member { group: "PAY".to_string(), list: "L1".to_string() };
        assert_eq!(command_of(&member, "R").unwrap().value(Operand::List), Some("L1"));
    }
}
