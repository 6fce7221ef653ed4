//! The execution of CEDA's commands, on the CSD of the region and on the region itself.
//!
//! Every change is made at once and for good, as EXEC CICS CSD makes it; a change that the CSD refuses is a severe message.

use super::attributes::Sheet;
use super::check;
use super::command::Command;
use super::messages::{Message, error, information, is_refused, severe};
use super::vocabulary::{Operand, Verb, value_in_full};
use csd::attributes::{Attribute, ResourceType};
use csd::csdup::matches_name;
use csd::edit::{self, Duplicates, In, Place};
use csd::installed::Installer;
use csd::rules::{self, Fault};
use csd::{Csd, Definition, Editor, Owner, Part, Refused, Unavailable};
use region::{Raised, Task};
use std::sync::Arc;

/// Longest name of a system.
const SYSTEM_LENGTH_MAX: usize = 4;

/// What a command did.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub messages: Vec<Message>,
    /// `INSTALL SUCCESSFUL`
    pub text: String,
}

impl Outcome {
    fn of(verb: Verb, messages: Vec<Message>) -> Outcome {
        let result = if is_refused(&messages) { "UNSUCCESSFUL" } else { "SUCCESSFUL" };
        Outcome { messages, text: format!("{} {result}", verb.name()) }
    }

    pub fn failed(&self) -> bool {
        is_refused(&self.messages)
    }
}

impl From<Unavailable> for Message {
    fn from(unavailable: Unavailable) -> Message {
        severe(&format!("The CSD cannot be used: {unavailable}."))
    }
}

impl From<Refused> for Message {
    fn from(refused: Refused) -> Message {
        severe(&refusal(&refused))
    }
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Group => "Group",
        Part::List => "List",
    }
}

fn refusal(refused: &Refused) -> String {
    match refused {
        Refused::Locked(part, name, owner) => {
            format!("{} {name} is locked to APPLID: {} USERID: {}.", part_name(*part), owner.applid, owner.user)
        }
        Refused::Supplied(part, name) => format!("{} {name} is supplied by the system and cannot be changed.", part_name(*part)),
        Refused::NameInUse(Part::Group, name) => format!("{name} is the name of a list."),
        Refused::NameInUse(Part::List, name) => format!("{name} is the name of a group."),
        Refused::DefinitionExists(kind, name) => format!("{kind} {name} already exists in this group."),
        Refused::GroupInList(name) => format!("Group {name} already exists in this list."),
        Refused::NoGroup(name) => format!("Group {name} not found."),
        Refused::NoList(name) => format!("List {name} not found."),
        Refused::NoDefinition(kind, name) => format!("{kind} {name} not found in this group."),
        Refused::GroupNotInList(name) | Refused::NoPlace(name) => format!("Group {name} is not in the list."),
        Refused::Incomplete(fault) => incomplete(fault),
    }
}

fn incomplete(fault: &Fault) -> String {
    match fault {
        Fault::Missing(attribute) => format!("{attribute} must be specified."),
        Fault::Conflict(why) => format!("{why}."),
    }
}

pub fn snapshot(task: &mut Task) -> Result<Result<Arc<Csd>, Message>, Raised> {
    let region = task.region;
    Ok(task.on_resource_owning_tcb(|_| region.csd.snapshot()).map_err(Message::from))
}

/// Changes the CSD.
fn change<T>(task: &mut Task, change: impl FnOnce(&mut Csd, &Editor) -> Result<T, Refused>) -> Result<T, Message> {
    let region = task.region;
    let editor = Editor::User(owner(task));
    task.on_resource_owning_tcb(|_| region.csd.change(|csd| change(csd, &editor).map_err(Message::from)))
}

fn owner(task: &Task) -> Owner {
    Owner { applid: task.region.applid.as_str().trim_end().to_string(), user: task.user_id.as_str().trim_end().to_string() }
}

/// The name of a group or list of a command, or what is wrong with it.
fn named(command: &Command, operand: Operand) -> Result<&str, Message> {
    let omitted = || severe(&format!("{} has been omitted or specified with an invalid value.", operand.name()));
    command.value(operand).filter(|name| edit::is_name(name)).ok_or_else(omitted)
}

/// Executes a command that has no panel of attributes and shows no list.
pub fn run(task: &mut Task, command: &Command) -> Result<Outcome, Raised> {
    let Some(verb) = command.verb else { return Ok(Outcome::default()) };
    let messages = match verb {
        Verb::Install => install(task, command)?,
        Verb::Check => {
            return Ok(match snapshot(task)? {
                Ok(csd) => checked(&csd, command, task.region.sysid.as_str().trim_end()),
                Err(message) => Outcome::of(verb, vec![message]),
            });
        }
        _ => match changed(task, verb, command) {
            Ok(messages) => messages,
            Err(message) => vec![message],
        },
    };
    Ok(Outcome::of(verb, messages))
}

fn changed(task: &mut Task, verb: Verb, command: &Command) -> Result<Vec<Message>, Message> {
    match verb {
        Verb::Add => {
            let (group, list) = (named(command, Operand::Group)?, named(command, Operand::List)?);
            let place = match (command.value(Operand::Before), command.value(Operand::After)) {
                (Some(before), _) => Place::Before(before),
                (_, Some(after)) => Place::After(after),
                _ => Place::End,
            };
            let is_new = change(task, |csd, editor| {
                let is_new = csd.list(list).is_none();
                csd.add(group, list, place, editor).map(|()| is_new)
            })?;
            Ok(if is_new { vec![information(&format!("New list {list} created."))] } else { Vec::new() })
        }
        Verb::Append => {
            let (from, to) = (named(command, Operand::List)?, named(command, Operand::To)?);
            change(task, |csd, editor| csd.append(from, to, editor)).map(|()| Vec::new())
        }
        Verb::Remove => {
            let (group, list) = (named(command, Operand::Group)?, named(command, Operand::List)?);
            change(task, |csd, editor| csd.remove(group, list, editor)).map(|()| Vec::new())
        }
        Verb::Lock | Verb::Unlock => {
            let (part, name) = match command.has(Operand::List) {
                true => (Part::List, named(command, Operand::List)?),
                false => (Part::Group, named(command, Operand::Group)?),
            };
            let owner = owner(task);
            change(task, |csd, _| if verb == Verb::Lock { csd.lock(part, name, &owner) } else { csd.unlock(part, name, &owner) })
                .map(|()| Vec::new())
        }
        Verb::Delete if command.has(Operand::List) => {
            let list = named(command, Operand::List)?;
            change(task, |csd, editor| csd.delete_list(list, editor)).map(|()| vec![information(&format!("List {list} deleted."))])
        }
        Verb::Delete => delete(task, command),
        Verb::Copy | Verb::Move | Verb::Rename => copy(task, verb, command),
        other => Err(severe(&format!("{} cannot be executed here.", other.name()))),
    }
}

/// The definitions of a group that a command is about: one, those of a generic name, or ALL.
fn chosen(csd: &Csd, group: &str, command: &Command) -> Result<Vec<(&'static ResourceType, String)>, Refused> {
    if !csd.has_group(group) {
        return Err(Refused::NoGroup(group.to_string()));
    }
    let pattern = command.value(Operand::All).unwrap_or("*");
    let fits = |definition: &&Definition| match &command.resource {
        Some((of, name)) => definition.resource.name == of.name && matches_name(name, &definition.name),
        None => matches_name(pattern, &definition.name),
    };
    let found: Vec<_> = csd.group(group).filter(fits).map(|definition| (definition.resource, definition.name.clone())).collect();
    match &command.resource {
        Some((of, name)) if found.is_empty() => Err(Refused::NoDefinition(of.name, name.clone())),
        _ => Ok(found),
    }
}

/// A command about definitions names a resource, or has ALL.
fn about_something(command: &Command) -> Result<(), Message> {
    if command.resource.is_some() || command.has(Operand::All) { Ok(()) } else { Err(severe("A resource type or ALL must be specified.")) }
}

fn delete(task: &mut Task, command: &Command) -> Result<Vec<Message>, Message> {
    let group = named(command, Operand::Group)?;
    about_something(command)?;
    let from_lists = command.has(Operand::Remove);
    let is_gone = change(task, |csd, editor| {
        for (resource, name) in chosen(csd, group, command)? {
            csd.delete_definition(In { group, resource, name: &name }, from_lists, editor)?;
        }
        Ok(!csd.has_group(group))
    })?;
    Ok(if is_gone { vec![information(&format!("Group {group} deleted."))] } else { Vec::new() })
}

/// COPY, MOVE and RENAME: definitions get another group, another name, or both.
fn copy(task: &mut Task, verb: Verb, command: &Command) -> Result<Vec<Message>, Message> {
    let from = named(command, Operand::Group)?;
    let to = if command.has(Operand::To) { named(command, Operand::To)? } else { from };
    about_something(command)?;
    let new_name = command.value(Operand::As);
    if verb == Verb::Rename && new_name.is_none() || to == from && new_name.is_none() {
        let wanted = if verb == Verb::Rename { "AS" } else { "TO or AS" };
        return Err(severe(&format!("{wanted} must be specified.")));
    }
    let duplicates = match (command.has(Operand::Replace), command.has(Operand::Merge)) {
        (true, _) => Duplicates::Replace,
        (_, true) => Duplicates::Keep,
        _ => Duplicates::Refuse,
    };
    let is_new = change(task, |csd, editor| {
        let is_new = !csd.has_group(to);
        let chosen = chosen(csd, from, command)?;
        for (resource, name) in &chosen {
            let target = new_name.filter(|_| chosen.len() == 1).map_or(name.clone(), |new| resource.folded(new));
            let wanted = In { group: from, resource, name };
            match verb {
                Verb::Copy => csd.copy_definition(wanted, to, &target, duplicates, editor)?,
                _ => csd.rename(wanted, to, &target, duplicates, editor)?,
            }
        }
        Ok(is_new)
    })?;
    Ok(if is_new { vec![information(&format!("New group {to} created."))] } else { Vec::new() })
}

fn checked(csd: &Csd, command: &Command, own: &str) -> Outcome {
    let (groups, place) = match command.value(Operand::List) {
        Some(lists) => {
            let lists = lists.split(',').map(str::trim).collect::<Vec<_>>();
            if let Some(missing) = lists.iter().find(|list| csd.list(list).is_none()) {
                return Outcome::of(Verb::Check, vec![severe(&format!("List {missing} not found."))]);
            }
            (lists.iter().flat_map(|list| csd.list(list).unwrap_or_default().to_vec()).collect(), "list")
        }
        None => match named(command, Operand::Group) {
            Ok(group) if csd.has_group(group) => (vec![group.to_string()], "group"),
            Ok(group) => return Outcome::of(Verb::Check, vec![severe(&format!("Group {group} not found."))]),
            Err(message) => return Outcome::of(Verb::Check, vec![message]),
        },
    };
    let system = command.value(Operand::Remotesystem).unwrap_or(own);
    if system.len() > SYSTEM_LENGTH_MAX {
        return Outcome::of(Verb::Check, vec![severe("REMOTESYSTEM has been omitted or specified with an invalid value.")]);
    }
    Outcome::of(Verb::Check, check::check(csd, &groups, place, system))
}

fn install(task: &mut Task, command: &Command) -> Result<Vec<Message>, Raised> {
    let csd = match snapshot(task)? {
        Ok(csd) => csd,
        Err(message) => return Ok(vec![message]),
    };
    let definitions: Vec<Definition> = match to_install(task, &csd, command) {
        Ok(definitions) => definitions,
        Err(message) => return Ok(vec![message]),
    };
    let installer = Installer::of_csd(task.user_id.as_str().trim_end());
    let region = task.region;
    let failures = task.on_resource_owning_tcb(|task| {
        let mut failures = Vec::new();
        for definition in &definitions {
            let installed = match region.extensions.may_install(task, definition) {
                true => region.install_by(definition, installer.clone()),
                false => Err(region::extensions::NOT_AUTHORIZED.to_string()),
            };
            if let Err(reason) = installed {
                region.report_install(definition, &reason);
                let (kind, name) = (definition.resource.name, &definition.name);
                failures.push(severe(&format!("Install of {kind} {name} failed because {}.", reason.trim_end_matches('.'))));
            }
        }
        failures
    });
    Ok(failures)
}

/// The definitions that INSTALL names, in the order to install them.
fn to_install(task: &Task, csd: &Csd, command: &Command) -> Result<Vec<Definition>, Message> {
    let (operand, part) = if command.has(Operand::List) { (Operand::List, Part::List) } else { (Operand::Group, Part::Group) };
    let name = named(command, operand)?;
    let is_there = if part == Part::List { csd.list(name).is_some() } else { csd.has_group(name) };
    if !is_there {
        return Err(severe(&format!("{} {name} not found.", part_name(part))));
    }
    let rank = |of: &str| task.region.registry.install_rank(of);
    let (definitions, _) = csd::installed::in_install_order(csd, &[name.to_string()], rank);
    let pattern = command.value(Operand::All).unwrap_or("*");
    let fits = |definition: &&&Definition| match &command.resource {
        Some((of, name)) => definition.resource.name == of.name && matches_name(name, &definition.name),
        None => matches_name(pattern, &definition.name),
    };
    let chosen: Vec<Definition> = definitions.iter().filter(fits).map(|definition| (*definition).clone()).collect();
    match &command.resource {
        Some((of, name)) if chosen.is_empty() => Err(severe(&refusal(&Refused::NoDefinition(of.name, name.clone())))),
        _ => Ok(chosen),
    }
}

/// Values as typed go into a definition; what is not accepted is a severe message.
pub fn apply(definition: &mut Definition, values: &[(&'static Attribute, String)]) -> Vec<Message> {
    let mut messages = Vec::new();
    for (attribute, typed) in values {
        match attribute.check(&value_in_full(attribute, typed)) {
            Ok(value) => drop(definition.attributes.insert(attribute.name, value)),
            Err(why) => messages.push(severe(&format!("{why}."))),
        }
    }
    messages
}

/// DEFINE and USERDEFINE of a command: the sheet, and what came of it.
pub fn define(task: &mut Task, command: &Command) -> Result<(Sheet, Outcome), Raised> {
    let verb = command.verb.unwrap_or(Verb::Define);
    let (of, name) = command.resource.as_ref().expect("a panel of attributes is about a resource");
    let mut definition = Definition::new(of.name, name, command.value(Operand::Group).unwrap_or_default());
    let mut messages = Vec::new();
    if verb == Verb::Userdefine {
        match snapshot(task)? {
            Ok(csd) => match csd.user_defaults(of) {
                Some(defaults) => definition.attributes = defaults.attributes.clone(),
                None => messages.push(error(&format!("{} USER not found in group USERDEF. The defaults of the system are used.", of.name))),
            },
            Err(message) => messages.push(message),
        }
    }
    messages.extend(apply(&mut definition, &command.attributes));
    let mut sheet = Sheet { verb, definition, is_defined: false };
    let outcome = put(task, &mut sheet, messages);
    Ok((sheet, outcome))
}

/// Puts the new definition of a sheet into the CSD.
pub fn put(task: &mut Task, sheet: &mut Sheet, mut messages: Vec<Message>) -> Outcome {
    let definition = &mut sheet.definition;
    match definition.resource.check_name(&definition.name) {
        Ok(name) => definition.name = name,
        Err(why) => messages.push(severe(&format!("{why}."))),
    }
    definition.group = definition.group.to_ascii_uppercase();
    if !edit::is_name(&definition.group) {
        messages.push(severe("GROUP has been omitted or specified with an invalid value."));
    }
    if let Err(fault) = rules::check(definition) {
        messages.push(severe(&incomplete(&fault)));
    }
    if !is_refused(&messages) {
        let (new, group) = (definition.clone(), definition.group.clone());
        let defined = change(task, |csd, editor| {
            let is_new = !csd.has_group(&group);
            csd.define(new, editor).map(|()| is_new)
        });
        match defined {
            Ok(is_new) => {
                sheet.is_defined = true;
                messages.extend(is_new.then(|| information(&format!("New group {group} created."))));
            }
            Err(message) => messages.push(message),
        }
    }
    Outcome::of(sheet.verb, messages)
}

/// The sheet of a definition that is in the CSD, with the changes of an ALTER made.
pub fn open(task: &mut Task, command: &Command) -> Result<Result<(Sheet, Outcome), Outcome>, Raised> {
    let verb = command.verb.unwrap_or(Verb::View);
    let (of, name) = command.resource.as_ref().expect("a panel of attributes is about a resource");
    let found = match (snapshot(task)?, named(command, Operand::Group)) {
        (Ok(csd), Ok(group)) => {
            let fitting = csd.group(group).find(|definition| definition.resource.name == of.name && matches_name(name, &definition.name));
            match fitting {
                Some(definition) => Ok(definition.clone()),
                None if !csd.has_group(group) => Err(severe(&format!("Group {group} not found."))),
                None => Err(severe(&format!("{} {name} not found in group {group}.", of.name))),
            }
        }
        (Err(message), _) | (_, Err(message)) => Err(message),
    };
    let definition = match found {
        Ok(definition) => definition,
        Err(message) => return Ok(Err(Outcome::of(verb, vec![message]))),
    };
    let mut sheet = Sheet { verb, definition, is_defined: true };
    let outcome = if command.attributes.is_empty() { Outcome::default() } else { alter(task, &mut sheet, &command.attributes) };
    Ok(Ok((sheet, outcome)))
}

/// Changes the definition of a sheet in the CSD.
pub fn alter(task: &mut Task, sheet: &mut Sheet, values: &[(&'static Attribute, String)]) -> Outcome {
    let mut changed = sheet.definition.clone();
    let mut messages = apply(&mut changed, values);
    if !is_refused(&messages) {
        let (resource, group, name) = (changed.resource, changed.group.clone(), changed.name.clone());
        let altered = change(task, |csd, editor| {
            csd.alter(In { group: &group, resource, name: &name }, editor, |definition| {
                definition.attributes.clone_from(&changed.attributes);
                Ok::<(), Refused>(())
            })
        });
        match altered {
            Ok(()) => sheet.definition = changed,
            Err(message) => messages.push(message),
        }
    }
    Outcome::of(Verb::Alter, messages)
}
