//! RDEFINE, RALTER, RDELETE, PERMIT (z/OS Security Server RACF Command Language Reference).

use super::operands::{Operands, folded, name_of, positional, wrong};
use super::report::{CommandError, Report, failed};
use super::resource_segments::{alter_class_data, alter_signon, alter_started};
use super::text::Operand;
use super::users::{alter_data, check_owner};
use super::{Request, unknown};
use crate::change::Change;
use crate::class::Class;
use crate::database::{TOP_GROUP, Update};
use crate::generic;
use crate::level::Level;
use crate::moment::Moment;
use crate::name::Name8;
use crate::profile::{Accessor, AuditRule, ConditionalAccess, Profile};
use crate::settings::Settings;
use crate::state::State;
use crate::user::DATA_LENGTH_MAX;

const ALREADY_DEFINED: u16 = 101;
const NAME_NOT_VALID: u16 = 110;
const NOT_GENERIC: u16 = 111;
const NOT_GROUPING: u16 = 112;
const NOT_REFRESHED: u16 = 113;
const NO_ENTRY: u16 = 114;
const NOT_A_MEMBER: u16 = 115;
const CLASS_IN_USE: u16 = 116;
/// The highest LEVEL.
const LEVEL_MAX: u32 = 99;

/// A class by the word of a command.
pub(super) fn class_named(state: &State, operand: Option<&Operand>) -> Result<Class, CommandError> {
    let operand = Operands::required("CLASS", operand)?;
    let name = name_of("CLASS", operand)?;
    state.class(name).cloned().ok_or_else(|| unknown("CLASS", name))
}

/// A profile's name by the word of a command.
pub(super) fn profile_name(class: &Class, operand: &Operand) -> String {
    if class.keeps_case { operand.word.clone() } else { operand.word.to_ascii_uppercase() }
}

/// Whether the name is a pattern.
fn checked_name(settings: &Settings, class: &Class, name: &str) -> Result<bool, CommandError> {
    let is_character = |character: char| {
        character.is_ascii_graphic() && !"(),;'&".contains(character) || character == '&' && class.name.as_str() == "GLOBAL"
    };
    if name.is_empty() || name.len() > class.name_length_max || !name.chars().all(is_character) {
        let rule = format!("A NAME IN CLASS {} HAS 1 TO {} CHARACTERS", class.name, class.name_length_max);
        return Err(failed(NAME_NOT_VALID, format!("{name} IS NOT VALID. {rule}")));
    }
    if !generic::is_generic(name) {
        return Ok(false);
    }
    let is_grouping = class.member.is_some();
    if is_grouping || !class.generic || !settings.generic.contains(&class.name) {
        return Err(failed(NOT_GENERIC, format!("CLASS {} HAS NO GENERIC PROFILES: {name}", class.name)));
    }
    if !generic::is_well_formed(name) {
        return Err(failed(NAME_NOT_VALID, format!("{name} IS NOT VALID. AN ASTERISK ENDS A QUALIFIER, A DOUBLE ASTERISK IS ONE")));
    }
    Ok(true)
}

/// Says that a change in a class in RACLIST waits for its refresh.
fn tell_of_refresh(state: &State, class: &Class, report: &mut Report) {
    let decides = class.member.unwrap_or(class.name);
    if state.settings.listed.contains(&decides) {
        report.warn(NOT_REFRESHED, format!("THE CHANGE TAKES EFFECT WITH SETROPTS RACLIST({decides}) REFRESH"));
    }
}

pub(super) fn define(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let class_operand = operands.next();
    let names = positional("PROFILE NAME", operands.next())?;
    let operands = Operands::read("RDEFINE", operands.collect())?;
    for name in names {
        let defined = request.database.update(|state| {
            let class = class_named(state, class_operand.as_ref())?;
            let name = profile_name(&class, &name);
            let generic = checked_name(&state.settings, &class, &name)?;
            if state.profile(class.name, &name).is_some() {
                return Err(failed(ALREADY_DEFINED, format!("{name} IS ALREADY DEFINED IN CLASS {}", class.name)));
            }
            let mut profile = new_profile(&class, name, generic, request.now);
            if operands.has("FROM") {
                let from_class = class_named(state, operands.value("FCLASS").or(class_operand.as_ref()))?;
                let from = profile_name(&from_class, operands.value("FROM").expect("it is there"));
                let model = state.profile(from_class.name, &from).ok_or_else(|| unknown_profile(&from_class, &from))?;
                copy_model(&mut profile, model);
            }
            let mut changes = Vec::new();
            apply(state, &class, &mut profile, &operands, &mut changes, report)?;
            changes.push(Change::Profile(Box::new(profile)));
            tell_of_refresh(state, &class, report);
            Ok(Update { changes, touched: Vec::new(), result: () })
        });
        defined.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

pub(crate) fn new_profile(class: &Class, name: String, generic: bool, now: Moment) -> Profile {
    Profile {
        class: class.name,
        name,
        generic,
        owner: Name8::constant(TOP_GROUP),
        created: now,
        uacc: class.default_uacc,
        access: Default::default(),
        conditional_access: Vec::new(),
        members: Vec::new(),
        audit: AuditRule::default(),
        global_audit: AuditRule::NONE,
        warning: false,
        notify: None,
        level: 0,
        data: String::new(),
        application_data: String::new(),
        signon: None,
        started: None,
        class_data: None,
    }
}

/// What FROM copies: all but owner, members and segments.
fn copy_model(profile: &mut Profile, model: &Profile) {
    profile.uacc = model.uacc;
    profile.access = model.access.clone();
    profile.conditional_access = model.conditional_access.clone();
    profile.audit = model.audit;
    profile.warning = model.warning;
    profile.level = model.level;
    profile.data = model.data.clone();
}

fn unknown_profile(class: &Class, name: &str) -> CommandError {
    const NOT_DEFINED: u16 = 102;
    failed(NOT_DEFINED, format!("{name} IS NOT DEFINED IN CLASS {}", class.name))
}

pub(super) fn alter(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let class_operand = operands.next();
    let names = positional("PROFILE NAME", operands.next())?;
    let operands = Operands::read("RALTER", operands.collect())?;
    for name in names {
        let altered = request.database.update(|state| {
            let class = class_named(state, class_operand.as_ref())?;
            let name = profile_name(&class, &name);
            let mut profile = (**state.profile(class.name, &name).ok_or_else(|| unknown_profile(&class, &name))?).clone();
            let mut changes = Vec::new();
            apply(state, &class, &mut profile, &operands, &mut changes, report)?;
            changes.push(Change::Profile(Box::new(profile)));
            tell_of_refresh(state, &class, report);
            Ok(Update { changes, touched: Vec::new(), result: () })
        });
        altered.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

fn apply(
    state: &State,
    class: &Class,
    profile: &mut Profile,
    operands: &Operands,
    changes: &mut Vec<Change>,
    report: &mut Report,
) -> Result<(), CommandError> {
    if let Some(owner) = operands.name("OWNER")? {
        profile.owner = check_owner(state, owner)?;
    }
    profile.uacc = operands.level("UACC")?.unwrap_or(profile.uacc);
    alter_data(&mut profile.data, operands)?;
    if let Some(text) = operands.bounded_text("APPLDATA", DATA_LENGTH_MAX)? {
        profile.application_data = text;
    }
    if operands.has("NOAPPLDATA") {
        profile.application_data.clear();
    }
    if let Some(values) = operands.values("AUDIT") {
        profile.audit = audit_rule("AUDIT", values)?;
    }
    if let Some(values) = operands.values("GLOBALAUDIT") {
        profile.global_audit = audit_rule("GLOBALAUDIT", values)?;
    }
    if let Some(level) = operands.number("LEVEL", 0..=LEVEL_MAX)? {
        profile.level = level as u8;
    }
    profile.warning = operands.flag("WARNING").unwrap_or(profile.warning);
    if let Some(notified) = operands.name("NOTIFY")? {
        state.users.get(&notified).ok_or_else(|| unknown("USER", notified))?;
        profile.notify = Some(notified);
    } else if operands.has("NOTIFY") {
        return Err(wrong("NOTIFY", "NONE"));
    }
    if operands.has("NONOTIFY") {
        profile.notify = None;
    }
    alter_members(state, class, profile, operands)?;
    alter_signon(state, profile, operands, changes, report)?;
    alter_started(state, profile, operands)?;
    alter_class_data(state, profile, operands)
}

/// ADDMEM and DELMEM: resources of the member class, or patterns; in class GLOBAL with a level behind a slash.
fn alter_members(state: &State, class: &Class, profile: &mut Profile, operands: &Operands) -> Result<(), CommandError> {
    let is_global = class.name.as_str() == "GLOBAL";
    let member_class = match class.member {
        Some(member) => state.class(member),
        None if is_global => Name8::new(&profile.name).ok().and_then(|name| state.class(name)),
        None => None,
    };
    for (operand, adds) in [("ADDMEM", true), ("DELMEM", false)] {
        let Some(values) = operands.values(operand) else { continue };
        let member_class = member_class.ok_or_else(|| failed(NOT_GROUPING, format!("PROFILE {} HAS NO MEMBERS", profile.name)))?;
        for value in values {
            let member = profile_name(member_class, value);
            let is_there = profile.members.contains(&member);
            if adds && !is_there {
                let (name, level) = if is_global { member.rsplit_once('/').unwrap_or((&member, "")) } else { (&member[..], "NONE") };
                Level::of_name(level).ok_or_else(|| wrong(operand, &member))?;
                check_member(&state.settings, member_class, name, is_global)?;
                profile.members.push(member);
            } else if !adds && !is_there {
                return Err(failed(NOT_A_MEMBER, format!("{member} IS NO MEMBER OF {}", profile.name)));
            } else if !adds {
                profile.members.retain(|other| *other != member);
            }
        }
    }
    Ok(())
}

fn check_member(settings: &Settings, member_class: &Class, name: &str, is_global: bool) -> Result<(), CommandError> {
    let name = if is_global { name.replace("&RACUID", "U").replace("&RACGPID", "G") } else { name.to_string() };
    checked_name(settings, member_class, &name).map(|_| ())
}

/// AUDIT: ALL, NONE, SUCCESS and FAILURES, each with a level in parentheses; READ if it has none.
fn audit_rule(operand: &str, values: &[Operand]) -> Result<AuditRule, CommandError> {
    let mut rule = AuditRule::NONE;
    for value in values {
        let level = match value.arguments.as_deref() {
            None => Level::Read,
            Some([level]) => {
                Level::of_name(&level.word).filter(|level| *level >= Level::Read).ok_or_else(|| wrong(operand, &level.word))?
            }
            Some(_) => return Err(wrong(operand, &value.word)),
        };
        match folded(value).as_str() {
            "ALL" => (rule.successes_from, rule.failures_from) = (Some(level), Some(level)),
            "SUCCESS" => rule.successes_from = Some(level),
            "FAILURES" => rule.failures_from = Some(level),
            "NONE" if value.arguments.is_none() => {}
            word => return Err(wrong(operand, word)),
        }
    }
    Ok(rule)
}

pub(super) fn delete(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let class_operand = operands.next();
    let names = positional("PROFILE NAME", operands.next())?;
    Operands::read("RDELETE", operands.collect())?;
    for name in names {
        let deleted = request.database.update(|state| {
            let class = class_named(state, class_operand.as_ref())?;
            let name = profile_name(&class, &name);
            let profile = state.profile(class.name, &name).ok_or_else(|| unknown_profile(&class, &name))?;
            let defined = profile.class_data.as_ref().filter(|class| state.profiles(class.name).next().is_some());
            if let Some(class) = defined {
                return Err(failed(CLASS_IN_USE, format!("CLASS {} HAS PROFILES", class.name)));
            }
            tell_of_refresh(state, &class, report);
            Ok(Update { changes: vec![Change::NoProfile { class: class.name, name }], touched: Vec::new(), result: () })
        });
        deleted.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

pub(super) fn permit(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let name = Operands::required("PROFILE NAME", operands.next().filter(|name| name.arguments.is_none()))?;
    let operands = Operands::read("PERMIT", operands.collect())?;
    request.database.update(|state| {
        let class = class_named(state, operands.value("CLASS"))?;
        let name = profile_name(&class, &name);
        let mut profile = (**state.profile(class.name, &name).ok_or_else(|| unknown_profile(&class, &name))?).clone();
        if operands.has("RESET") {
            let (standard, conditional) = operands
                .one_of("RESET", &[("ALL", (true, true)), ("STANDARD", (true, false)), ("WHEN", (false, true))])?
                .unwrap_or((true, true));
            if standard {
                profile.access.clear();
            }
            if conditional {
                profile.conditional_access.clear();
            }
        }
        if let Some(from) = operands.value("FROM") {
            let from_class = class_named(state, operands.value("FCLASS").or(operands.value("CLASS")))?;
            let from = profile_name(&from_class, from);
            let model = state.profile(from_class.name, &from).ok_or_else(|| unknown_profile(&from_class, &from))?;
            // What is there already stays.
            for (accessor, level) in &model.access {
                profile.access.entry(*accessor).or_insert(*level);
            }
        }
        if operands.has("ID") {
            alter_access(state, &mut profile, &operands, report)?;
        } else if !operands.has("RESET") && !operands.has("FROM") {
            Operands::required("ID", None::<()>)?;
        }
        tell_of_refresh(state, &class, report);
        Ok(Update { changes: vec![Change::Profile(Box::new(profile))], touched: Vec::new(), result: () })
    })
}

/// Adds, changes or deletes the entries of ID.
fn alter_access(state: &State, profile: &mut Profile, operands: &Operands, report: &mut Report) -> Result<(), CommandError> {
    let deletes = operands.has("DELETE");
    let level = operands.level("ACCESS")?.unwrap_or(Level::Read);
    if let Some(name) = operands.segment("WHEN").and_then(|when| when.names().find(|name| *name != "TERMINAL")) {
        return Err(wrong("WHEN", name));
    }
    let terminals = operands.segment("WHEN").map(|when| when.names_of("TERMINAL")).transpose()?.flatten();
    for value in operands.values("ID").unwrap_or_default() {
        let accessor = Accessor::of_text(&value.word.to_ascii_uppercase()).ok_or_else(|| wrong("ID", &value.word))?;
        if let Accessor::Id(name) = accessor
            && !deletes
        {
            check_owner(state, name)?;
        }
        let before = profile.access.len() + profile.conditional_access.len();
        match &terminals {
            None if deletes => drop(profile.access.remove(&accessor)),
            None => drop(profile.access.insert(accessor, level)),
            Some(terminals) => {
                profile.conditional_access.retain(|entry| entry.id != accessor || !terminals.contains(&entry.terminal));
                let entry = |terminal: &Name8| ConditionalAccess { terminal: *terminal, id: accessor, level };
                profile.conditional_access.extend(terminals.iter().filter(|_| !deletes).map(entry));
            }
        }
        if deletes && before == profile.access.len() + profile.conditional_access.len() {
            report.warn(NO_ENTRY, format!("{accessor} IS NOT IN THE ACCESS LIST OF {}", profile.name));
        }
    }
    Ok(())
}
