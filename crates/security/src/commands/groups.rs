//! ADDGROUP, ALTGROUP, DELGROUP, CONNECT, REMOVE (z/OS Security Server RACF Command Language Reference).

use super::operands::{Operands, name_of, positional, wrong};
use super::report::{CommandError, Report, failed};
use super::text::Operand;
use super::users::{alter_data, alter_revocation, check_group, check_owner, new_connect, not_connected, owned_by, without_entries};
use super::{Request, unknown};
use crate::change::Change;
use crate::database::{TOP_GROUP, Update};
use crate::name::{GroupName8, Name8};
use crate::state::State;
use crate::user::Group;

const ALREADY_DEFINED: u16 = 101;
const STILL_NEEDED: u16 = 104;
const CIRCLE: u16 = 108;
const DEFAULT_GROUP: u16 = 109;

pub(super) fn add(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let names = positional("GROUP NAME", operands.next())?;
    let operands = Operands::read("ADDGROUP", operands.collect())?;
    for name in names {
        let name = name_of("GROUP NAME", &name)?;
        if name.begins_with_digit() {
            return Err(wrong("GROUP NAME", name.as_str()));
        }
        let added = request.database.update(|state| {
            if state.users.contains_key(&name) || state.groups.contains_key(&name) {
                return Err(failed(ALREADY_DEFINED, format!("{name} IS ALREADY DEFINED")));
            }
            let superior = operands.name("SUPGROUP")?.unwrap_or_else(|| Name8::constant(TOP_GROUP));
            check_group(state, superior)?;
            let owner = operands.name("OWNER")?.map_or(Ok(superior), |owner| check_owner(state, owner))?;
            let universal = operands.has("UNIVERSAL");
            let mut group = Group { name, owner, superior: Some(superior), created: request.now, data: String::new(), universal };
            alter_data(&mut group.data, &operands)?;
            Ok(Update { changes: vec![Change::Group(group)], touched: Vec::new(), result: () })
        });
        added.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

pub(super) fn alter(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let names = positional("GROUP NAME", operands.next())?;
    let operands = Operands::read("ALTGROUP", operands.collect())?;
    for name in names {
        let name = name_of("GROUP NAME", &name)?;
        let altered = request.database.update(|state| {
            let mut group = (**state.groups.get(&name).ok_or_else(|| unknown("GROUP", name))?).clone();
            if let Some(superior) = operands.name("SUPGROUP")? {
                check_group(state, superior)?;
                if group.superior.is_none() || is_at_or_below(state, superior, name) {
                    return Err(failed(CIRCLE, format!("GROUP {superior} CANNOT BE ABOVE GROUP {name}")));
                }
                group.superior = Some(superior);
            }
            if let Some(owner) = operands.name("OWNER")? {
                group.owner = check_owner(state, owner)?;
            }
            alter_data(&mut group.data, &operands)?;
            Ok(Update { changes: vec![Change::Group(group)], touched: Vec::new(), result: () })
        });
        altered.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

/// Whether a group is another or has it among its superiors.
fn is_at_or_below(state: &State, group: GroupName8, other: GroupName8) -> bool {
    let superior = |group: &GroupName8| state.groups.get(group).and_then(|group| group.superior);
    std::iter::successors(Some(group), superior).take(state.groups.len() + 1).any(|group| group == other)
}

pub(super) fn delete(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let names = positional("GROUP NAME", operands.next())?;
    Operands::read("DELGROUP", operands.collect())?;
    for name in names {
        let name = name_of("GROUP NAME", &name)?;
        let deleted = request.database.update(|state| {
            let group = state.groups.get(&name).ok_or_else(|| unknown("GROUP", name))?;
            let subgroup = state.groups.values().find(|group| group.superior == Some(name));
            let member = state.users.values().find(|user| user.connects.contains_key(&name));
            let reason = if group.superior.is_none() {
                Some("IS ABOVE ALL OTHERS".to_string())
            } else if let Some(subgroup) = subgroup {
                Some(format!("IS ABOVE GROUP {}", subgroup.name))
            } else if let Some(member) = member {
                Some(format!("HAS USER {}", member.id))
            } else {
                owned_by(state, name).map(|owned| format!("OWNS {owned}"))
            };
            if let Some(reason) = reason {
                return Err(failed(STILL_NEEDED, format!("GROUP {name} {reason}")));
            }
            let mut changes = without_entries(state, name);
            changes.push(Change::NoGroup(name));
            Ok(Update { changes, touched: Vec::new(), result: () })
        });
        deleted.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

pub(super) fn connect(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let ids = positional("USER ID", operands.next())?;
    let operands = Operands::read("CONNECT", operands.collect())?;
    let group = operands.name("GROUP")?.unwrap_or_else(|| Name8::constant(TOP_GROUP));
    for id in ids {
        let id = name_of("USER ID", &id)?;
        let connected = request.database.update(|state| {
            check_group(state, group)?;
            let mut user = (**state.users.get(&id).ok_or_else(|| unknown("USER", id))?).clone();
            let connect = user.connects.entry(group).or_insert_with(|| new_connect(group, request.now));
            if let Some(owner) = operands.name("OWNER")? {
                connect.owner = check_owner(state, owner)?;
            }
            connect.authority = operands.group_authority()?.unwrap_or(connect.authority);
            connect.uacc = operands.level("UACC")?.unwrap_or(connect.uacc);
            alter_revocation(&mut connect.revocation, &operands)?;
            Ok(Update { changes: vec![Change::User(Box::new(user))], touched: vec![id], result: () })
        });
        connected.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

pub(super) fn remove(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let ids = positional("USER ID", operands.next())?;
    let operands = Operands::read("REMOVE", operands.collect())?;
    let group = operands.name("GROUP")?.unwrap_or_else(|| Name8::constant(TOP_GROUP));
    for id in ids {
        let id = name_of("USER ID", &id)?;
        let removed = request.database.update(|state| {
            let mut user = (**state.users.get(&id).ok_or_else(|| unknown("USER", id))?).clone();
            if user.default_group == group {
                return Err(failed(DEFAULT_GROUP, format!("GROUP {group} IS THE DEFAULT GROUP OF USER {id}")));
            }
            user.connects.remove(&group).ok_or_else(|| not_connected(id, group))?;
            Ok(Update { changes: vec![Change::User(Box::new(user))], touched: vec![id], result: () })
        });
        removed.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}
