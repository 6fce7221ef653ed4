//! DFHCSDUP: executes control statements against a CSD and writes the listing.
//!
//! Return codes are those of the IBM utility: 0 done, 4 done with a warning, 8 a command was not executed. As there, only LIST commands are
//! executed after an error in a job; `regent up` continues, to report every error at once. Groups and lists whose
//! names begin with DFH are supplied and cannot be changed, except while they are being loaded.

mod list;

use crate::attributes::{Match, ResourceType, resource_type, resource_types};
use crate::edit::{Editor, Refused};
use crate::file::{Csd, Definition, Names, Origin, Owner, Part};
use crate::statement::{self, Statement};
use crate::{remarks, rules};
use std::fmt::Write as _;
use std::path::Path;

/// A message of the utility about one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `DFHnnnn`.
    pub id: &'static str,
    pub severity: Severity,
    pub text: String,
    pub origin: Origin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Information,
    Warning,
    Error,
}

/// The result of a run of the utility.
#[derive(Debug, Default)]
pub struct Report {
    /// The listing.
    pub text: String,
    pub messages: Vec<Message>,
    pub return_code: u32,
    pub commands_executed: usize,
    pub commands_in_error: usize,
    /// Groups touched by DEFINE, COPY or ADD in this run, in order, once each.
    pub groups: Vec<String>,
}

/// For whom statements are executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A user: every statement is tried.
    Interactive,
    /// A batch job: an error stops everything after it except LIST.
    Job,
    /// The supplied groups are loaded, which no other statement may change.
    Supplied,
}

/// Runs statements as a user of the utility would.
pub fn execute(csd: &mut Csd, input: &str, source: &str) -> Report {
    run(csd, input, source, Mode::Interactive)
}

/// As `execute`, but an error stops everything after it except LIST, as a batch job of the utility does.
pub fn execute_job(csd: &mut Csd, input: &str, source: &str) -> Report {
    run(csd, input, source, Mode::Job)
}

impl Csd {
    /// A CSD after INITIALIZE: the supplied groups and their list DFHLIST.
    pub fn initialized() -> Csd {
        let mut csd = Csd::default();
        let report = run(&mut csd, crate::SUPPLIED_GROUPS, "supplied groups", Mode::Supplied);
        debug_assert_eq!(report.return_code, 0, "{}", report.text);
        csd
    }

    /// Reads a CSD file; statements that cannot be read are reported in the returned listing's messages.
    pub fn load(path: &Path) -> std::io::Result<(Csd, Report)> {
        let text = std::fs::read_to_string(path)?;
        let mut csd = Csd::initialized();
        let report = execute(&mut csd, &text, &path.display().to_string());
        remarks::read(&mut csd, &text);
        Ok((csd, report))
    }
}

fn run(csd: &mut Csd, input: &str, source: &str, mode: Mode) -> Report {
    let (statements, errors) = statement::parse(input);
    let mut utility = Utility { csd, source, mode, report: Report::default(), groups: Names::default(), line: 0 };
    for error in errors {
        utility.line = error.line;
        utility.say("DFH5201", Severity::Error, format!("SYNTAX ERROR: {}", error.message));
        utility.report.commands_in_error += 1;
    }
    for statement in &statements {
        utility.line = statement.line;
        for text in &statement.text {
            let _ = writeln!(utility.report.text, "  {text}");
        }
        if mode != Mode::Interactive && utility.report.return_code >= 8 && statement.verb != "LIST" {
            utility.say("DFH5104", Severity::Warning, "COMMAND NOT EXECUTED BECAUSE OF THE ERROR ABOVE".to_string());
            continue;
        }
        match utility.command(statement) {
            Ok(()) => {
                utility.report.commands_executed += 1;
                utility.say("DFH5101", Severity::Information, format!("{} COMMAND EXECUTED", statement.verb));
            }
            Err((id, text)) => {
                utility.report.commands_in_error += 1;
                utility.say(id, Severity::Error, text);
                utility.say("DFH5105", Severity::Information, format!("{} COMMAND NOT EXECUTED", statement.verb));
            }
        }
    }
    utility.close()
}

type Failure = (&'static str, String);

/// `; EXPECTED PROGRAM`: the word that was probably meant.
fn near(word: &str, candidates: impl Iterator<Item = &'static str> + Clone) -> String {
    exec::nearest(word, candidates).map(|near| format!("; EXPECTED {near}")).unwrap_or_default()
}

struct Utility<'a> {
    csd: &'a mut Csd,
    source: &'a str,
    mode: Mode,
    report: Report,
    /// [`Report::groups`] at the end.
    groups: Names,
    line: usize,
}

impl Utility<'_> {
    fn say(&mut self, id: &'static str, severity: Severity, text: String) {
        let letter = match severity {
            Severity::Information => 'I',
            Severity::Warning => 'W',
            Severity::Error => 'E',
        };
        let code = match severity {
            Severity::Information => 0,
            Severity::Warning => 4,
            Severity::Error => 8,
        };
        let _ = writeln!(self.report.text, "{id} {letter}  {text}");
        self.report.return_code = self.report.return_code.max(code);
        let origin = Origin { source: self.source.to_string(), line: self.line };
        self.report.messages.push(Message { id, severity, text, origin });
    }

    fn close(mut self) -> Report {
        let (done, wrong) = (self.report.commands_executed, self.report.commands_in_error);
        self.line = 0;
        self.say("DFH5107", Severity::Information, format!("COMMANDS EXECUTED: {done}  COMMANDS IN ERROR: {wrong}"));
        let text = format!("END OF DFHCSDUP UTILITY JOB. HIGHEST RETURN CODE WAS: {}", self.report.return_code);
        self.say("DFH5109", Severity::Information, text);
        Report { groups: self.groups.into_ordered(), ..self.report }
    }

    fn command(&mut self, statement: &Statement) -> Result<(), Failure> {
        match statement.verb.as_str() {
            "DEFINE" | "USERDEFINE" => self.define(statement),
            "ALTER" => self.alter(statement),
            "DELETE" => self.delete(statement),
            "ADD" => self.add(statement),
            "REMOVE" => self.remove(statement),
            "COPY" => self.copy(statement),
            "APPEND" => self.append(statement),
            "LIST" => self.list(statement),
            "INITIALIZE" => {
                *self.csd = Csd::initialized();
                Ok(())
            }
            "UPGRADE" | "SERVICE" | "VERIFY" | "PROCESS" => {
                self.say("DFH5163", Severity::Information, format!("{} HAS NOTHING TO DO FOR THIS CSD", statement.verb));
                Ok(())
            }
            other => Err(("DFH5202", format!("{other} IS NOT SUPPORTED BY THIS UTILITY"))),
        }
    }

    fn group_of(&self, statement: &Statement, keyword: &str) -> Result<String, Failure> {
        let value = statement.operands.iter().find(|o| is_keyword(&o.keyword, keyword)).and_then(|o| o.value.as_deref());
        let name = value.unwrap_or("").trim().to_ascii_uppercase();
        if name.is_empty() {
            return Err(("DFH5204", format!("{} NEEDS {keyword}(name)", statement.verb)));
        }
        if name.len() > 8 || !name.chars().all(|c| c.is_ascii_alphanumeric() || "$@#*+".contains(c)) {
            return Err(("DFH5208", format!("{name} IS NOT A VALID NAME FOR {keyword}")));
        }
        Ok(name)
    }

    /// The supplied groups are nobody's, and a locked group or list is its owner's, which the utility never is.
    fn may_change(&self, part: Part, name: &str) -> Result<(), Failure> {
        if self.mode == Mode::Supplied {
            return Ok(());
        }
        self.csd.may_change(part, name, &Editor::Utility).map_err(|refused| match refused {
            Refused::Locked(part, name, Owner { applid, user }) => {
                ("DFH5179", format!("{} {name} IS LOCKED BY USER {user} OF REGION {applid}", part.name()))
            }
            _ => ("DFH5177", format!("{name} IS SUPPLIED WITH THE SYSTEM AND CANNOT BE CHANGED; COPY IT FIRST")),
        })
    }

    /// The resource named by a DEFINE, ALTER or DELETE: the first operand that is a resource type.
    fn resource<'s>(&self, statement: &'s Statement) -> Result<Option<(&'static ResourceType, &'s str)>, Failure> {
        for operand in &statement.operands {
            if is_keyword(&operand.keyword, "GROUP") || is_keyword(&operand.keyword, "LIST") {
                continue;
            }
            if let Some(resource) = resource_type(&operand.keyword) {
                return Ok(Some((resource, operand.value.as_deref().unwrap_or(""))));
            }
            return match statement.verb.as_str() {
                "DELETE" => Ok(None),
                _ => {
                    let near = near(&operand.keyword, resource_types().iter().map(|resource| resource.name));
                    Err(("DFH5206", format!("{} IS NOT A RESOURCE TYPE{near}", operand.keyword)))
                }
            };
        }
        Ok(None)
    }

    /// Applies the attribute operands of a statement; every fault is reported, then the command fails.
    fn apply(&mut self, statement: &Statement, definition: &mut Definition) -> Result<(), Failure> {
        let mut faults: Vec<Failure> = Vec::new();
        let mut resource_seen = false;
        for operand in &statement.operands {
            let is_group =
                is_keyword(&operand.keyword, "GROUP") && !definition.resource.attributes.iter().any(|a| a.name == operand.keyword);
            if is_group {
                continue;
            }
            if !resource_seen && resource_type(&operand.keyword).is_some_and(|r| std::ptr::eq(r, definition.resource)) {
                resource_seen = true;
                continue;
            }
            let resource = definition.resource;
            match (resource.attribute(&operand.keyword), operand.value.as_deref()) {
                (Match::Attribute(attribute), Some(value)) => match attribute.check(value) {
                    Ok(value) => {
                        definition.attributes.insert(attribute.name, value);
                    }
                    Err(why) => faults.push(("DFH5213", format!("LINE {}: {why}", operand.line))),
                },
                (Match::Attribute(attribute), None) => {
                    faults.push(("DFH5204", format!("LINE {}: {} NEEDS A VALUE IN PARENTHESES", operand.line, attribute.name)));
                }
                (Match::Ignored, _) => {}
                (Match::Ambiguous(names), _) => {
                    let text = format!("LINE {}: {} MAY BE {}", operand.line, operand.keyword, names.join(", "));
                    faults.push(("DFH5205", text));
                }
                (Match::Unknown, _) => {
                    let near = near(&operand.keyword, resource.attributes.iter().map(|attribute| attribute.name));
                    let text = format!("LINE {}: {} IS NOT AN ATTRIBUTE OF {}{near}", operand.line, operand.keyword, resource.name);
                    faults.push(("DFH5203", text));
                }
            }
        }
        let Some(last) = faults.pop() else { return Ok(()) };
        for (id, text) in faults {
            self.say(id, Severity::Error, text);
        }
        Err(last)
    }

    fn define(&mut self, statement: &Statement) -> Result<(), Failure> {
        let Some((resource, name)) = self.resource(statement)? else {
            return Err(("DFH5206", format!("{} NEEDS A RESOURCE TYPE AND NAME", statement.verb)));
        };
        let name = resource.check_name(name).map_err(|why| ("DFH5208", why))?;
        let group = self.group_of(statement, "GROUP")?;
        self.may_change(Part::Group, &group)?;
        if self.csd.group(&group).any(|d| d.resource.name == resource.name && d.name == name) {
            return Err(("DFH5145", format!("{} {name} ALREADY EXISTS IN GROUP {group}", resource.name)));
        }
        let origin = Origin { source: self.source.to_string(), line: statement.line };
        let attributes = match statement.verb.as_str() {
            "DEFINE" => Default::default(),
            _ => match self.csd.user_defaults(resource) {
                Some(defaults) => defaults.attributes.clone(),
                None => return Err(("DFH5151", format!("{} USER NOT FOUND IN GROUP USERDEF", resource.name))),
            },
        };
        let mut definition = Definition { resource, name: name.clone(), group: group.clone(), attributes, origin };
        self.apply(statement, &mut definition)?;
        self.check_complete(&definition)?;
        if !self.csd.has_group(&group) {
            self.say("DFH5131", Severity::Information, format!("GROUP {group} CREATED"));
        }
        self.touch(&group);
        self.csd.put(definition);
        self.say("DFH5143", Severity::Information, format!("{} {name} DEFINED IN GROUP {group}", resource.name));
        Ok(())
    }

    fn touch(&mut self, group: &str) {
        self.groups.add(group);
    }

    /// Rules over several attributes of one definition.
    fn check_complete(&mut self, definition: &Definition) -> Result<(), Failure> {
        let (resource, name) = (definition.resource.name, &definition.name);
        match rules::check(definition) {
            Ok(()) => {}
            Err(rules::Fault::Missing(attribute)) => return Err(("DFH5209", format!("{resource} {name} NEEDS {attribute}"))),
            Err(rules::Fault::Conflict(why)) => return Err(("DFH5220", format!("{resource} {name}: {why}"))),
        }
        if definition.name.starts_with("DFH") && definition.resource.name == "PROGRAM" && self.mode != Mode::Supplied {
            let text = format!("PROGRAM {} BEGINS WITH DFH, WHICH IS RESERVED", definition.name);
            self.say("DFH5164", Severity::Warning, text);
        }
        Ok(())
    }

    fn alter(&mut self, statement: &Statement) -> Result<(), Failure> {
        let Some((resource, name)) = self.resource(statement)? else {
            return Err(("DFH5206", "ALTER NEEDS A RESOURCE TYPE AND NAME".to_string()));
        };
        let group = self.group_of(statement, "GROUP")?;
        let pattern = if name.trim() == "*" { "*".to_string() } else { generic_name(resource, name)? };
        let chosen: Vec<Definition> = self
            .csd
            .groups
            .iter()
            .filter(|(candidate, _)| matches_name(&group, candidate))
            .flat_map(|(_, group)| group.values())
            .filter(|d| d.resource.name == resource.name && matches_name(&pattern, &d.name))
            .cloned()
            .collect();
        if chosen.is_empty() {
            return Err(("DFH5151", format!("{} {name} NOT FOUND IN GROUP {group}", resource.name)));
        }
        for mut definition in chosen {
            self.may_change(Part::Group, &definition.group)?;
            self.apply(statement, &mut definition)?;
            self.check_complete(&definition)?;
            let text = format!("{} {} ALTERED IN GROUP {}", resource.name, definition.name, definition.group);
            self.csd.put(definition);
            self.say("DFH5144", Severity::Information, text);
        }
        Ok(())
    }

    fn delete(&mut self, statement: &Statement) -> Result<(), Failure> {
        if let Some(list) = statement.operands.iter().find(|o| is_keyword(&o.keyword, "LIST")) {
            let list = list.value.as_deref().unwrap_or("").trim().to_ascii_uppercase();
            self.may_change(Part::List, &list)?;
            if self.csd.lists.remove(&list).is_none() {
                return Err(("DFH5152", format!("LIST {list} DOES NOT EXIST")));
            }
            self.say("DFH5153", Severity::Information, format!("LIST {list} DELETED"));
            return Ok(());
        }
        let group = self.group_of(statement, "GROUP")?;
        self.may_change(Part::Group, &group)?;
        if !self.csd.has_group(&group) {
            return Err(("DFH5152", format!("GROUP {group} DOES NOT EXIST")));
        }
        match self.resource(statement)? {
            Some((resource, name)) => {
                let name = resource.check_name(name).map_err(|why| ("DFH5208", why))?;
                let definitions = self.csd.groups.get_mut(&group).expect("checked");
                if definitions.remove(&(resource.name, name.clone())).is_none() {
                    return Err(("DFH5151", format!("{} {name} NOT FOUND IN GROUP {group}", resource.name)));
                }
                self.say("DFH5155", Severity::Information, format!("{} {name} DELETED FROM GROUP {group}", resource.name));
                if self.csd.groups[&group].is_empty() {
                    self.drop_group(&group, statement.operand("REMOVE").is_some());
                }
            }
            None => self.drop_group(&group, statement.operand("REMOVE").is_some()),
        }
        Ok(())
    }

    fn drop_group(&mut self, group: &str, from_lists: bool) {
        self.csd.groups.remove(group);
        self.say("DFH5153", Severity::Information, format!("GROUP {group} DELETED FROM THE CSD"));
        if from_lists {
            for groups in self.csd.lists.values_mut() {
                groups.retain(|name| name != group);
            }
            self.csd.lists.retain(|_, groups| !groups.is_empty());
        }
    }

    fn add(&mut self, statement: &Statement) -> Result<(), Failure> {
        let group = self.group_of(statement, "GROUP")?;
        let list = self.group_of(statement, "LIST")?;
        self.may_change(Part::List, &list)?;
        if !self.csd.lists.contains_key(&list) {
            self.say("DFH5131", Severity::Information, format!("LIST {list} CREATED"));
        }
        if !self.csd.add_to_list(&list, &group) {
            return Err(("DFH5136", format!("GROUP {group} IS ALREADY IN LIST {list}")));
        }
        self.touch(&group);
        // BEFORE and AFTER place the group; the list then has the order in which groups are installed.
        let position = statement.operands.iter().find(|o| o.keyword == "BEFORE" || o.keyword == "AFTER");
        if let (Some(operand), Some(groups)) = (position, self.csd.lists.get_mut(&list)) {
            let other = operand.value.as_deref().unwrap_or("").to_ascii_uppercase();
            groups.retain(|name| name != group);
            let at = groups.iter().position(|name| *name == other).map(|at| at + usize::from(operand.keyword == "AFTER"));
            groups.place(at.unwrap_or(groups.len()), &group);
        }
        self.say("DFH5135", Severity::Information, format!("GROUP {group} ADDED TO LIST {list}"));
        Ok(())
    }

    fn remove(&mut self, statement: &Statement) -> Result<(), Failure> {
        let group = self.group_of(statement, "GROUP")?;
        let list = self.group_of(statement, "LIST")?;
        self.may_change(Part::List, &list)?;
        let Some(groups) = self.csd.lists.get_mut(&list) else {
            return Err(("DFH5152", format!("LIST {list} DOES NOT EXIST")));
        };
        let before = groups.len();
        groups.retain(|name| !matches_name(&group, name));
        if groups.len() == before {
            return Err(("DFH5137", format!("GROUP {group} IS NOT IN LIST {list}")));
        }
        if groups.is_empty() {
            self.csd.lists.remove(&list);
        }
        self.say("DFH5138", Severity::Information, format!("GROUP {group} REMOVED FROM LIST {list}"));
        Ok(())
    }

    fn copy(&mut self, statement: &Statement) -> Result<(), Failure> {
        let from = self.group_of(statement, "GROUP")?;
        let to = self.group_of(statement, "TO")?;
        self.may_change(Part::Group, &to)?;
        let only = match statement.operands.iter().find(|o| !["GROUP", "TO", "REPLACE", "MERGE"].iter().any(|k| is_keyword(&o.keyword, k)))
        {
            Some(operand) => {
                let resource = resource_type(&operand.keyword);
                Some(resource.ok_or(("DFH5206", format!("{} IS NOT A RESOURCE TYPE", operand.keyword)))?)
            }
            None => None,
        };
        let chosen: Vec<Definition> = self.csd.group(&from).filter(|d| only.is_none_or(|o| o.name == d.resource.name)).cloned().collect();
        if chosen.is_empty() {
            return Err(("DFH5152", format!("GROUP {from} DOES NOT EXIST OR HAS NOTHING TO COPY")));
        }
        let (replace, merge) = (statement.operand("REPLACE").is_some(), statement.operand("MERGE").is_some());
        for mut definition in chosen {
            let exists = self.csd.group(&to).any(|d| d.resource.name == definition.resource.name && d.name == definition.name);
            if exists && !replace {
                if !merge {
                    let text =
                        format!("{} {} ALREADY EXISTS IN GROUP {to}: SAY REPLACE OR MERGE", definition.resource.name, definition.name);
                    return Err(("DFH5145", text));
                }
                continue;
            }
            definition.group.clone_from(&to);
            let text = format!("{} {} COPIED TO GROUP {to}", definition.resource.name, definition.name);
            self.csd.put(definition);
            self.say("DFH5161", Severity::Information, text);
        }
        self.touch(&to);
        Ok(())
    }

    fn append(&mut self, statement: &Statement) -> Result<(), Failure> {
        let from = self.group_of(statement, "LIST")?;
        let to = self.group_of(statement, "TO")?;
        self.may_change(Part::List, &to)?;
        let Some(groups) = self.csd.lists.get(&from).cloned() else {
            return Err(("DFH5152", format!("LIST {from} DOES NOT EXIST")));
        };
        for group in groups.into_ordered() {
            self.csd.add_to_list(&to, &group);
        }
        self.say("DFH5139", Severity::Information, format!("LIST {from} APPENDED TO LIST {to}"));
        Ok(())
    }
}

/// Whether a written keyword is `full` or a prefix of at least its first letter.
fn is_keyword(written: &str, full: &str) -> bool {
    !written.is_empty() && full.starts_with(written) && (written.len() >= 2 || matches!(full, "GROUP" | "LIST"))
}

/// Generic names: `*` any characters, `+` any one character.
pub(crate) fn matches_name(pattern: &str, name: &str) -> bool {
    fn matches(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern.first(), name.first()) {
            (None, None) => true,
            (Some(b'*'), _) => matches(&pattern[1..], name) || (!name.is_empty() && matches(pattern, &name[1..])),
            (Some(b'+'), Some(_)) => matches(&pattern[1..], &name[1..]),
            (Some(wanted), Some(found)) => wanted == found && matches(&pattern[1..], &name[1..]),
            _ => false,
        }
    }
    matches(pattern.as_bytes(), name.as_bytes())
}

fn generic_name(resource: &ResourceType, name: &str) -> Result<String, Failure> {
    let plain = name.replace(['*', '+'], "A");
    resource.check_name(&plain).map_err(|why| ("DFH5208", why))?;
    Ok(resource.folded(name))
}

#[cfg(test)]
mod tests;
