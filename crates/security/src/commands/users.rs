//! ADDUSER, ALTUSER, DELUSER, PASSWORD (z/OS Security Server RACF Command Language Reference).

use super::logon;
use super::operands::{Operands, folded, name_of, positional, wrong};
use super::report::{CommandError, Report, failed};
use super::segments;
use super::text::Operand;
use super::{Request, unknown};
use crate::authenticate::{as_stored, set_secret};
use crate::change::Change;
use crate::database::{TOP_GROUP, Update, new_user};
use crate::level::Level;
use crate::moment::Moment;
use crate::name::{Name8, UserId8};
use crate::profile::Accessor;
use crate::rules;
use crate::secret::{CARD_LENGTH_MAX, HashedSecret, Secret};
use crate::settings::{INTERVAL_DAYS_MAX, Settings};
use crate::state::State;
use crate::user::{Connect, DATA_LENGTH_MAX, GroupAuthority, Revocation, USER_NAME_LENGTH_MAX, User};

const ALREADY_DEFINED: u16 = 101;
const SECRET_NOT_VALID: u16 = 103;
const STILL_NEEDED: u16 = 104;
const WHAT_TO_CHANGE: u16 = 105;
const STILL_NAMED: u16 = 106;

pub(super) fn add(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let ids = positional("USER ID", operands.next())?;
    let operands = Operands::read("ADDUSER", operands.collect())?;
    for id in ids {
        let id = name_of("USER ID", &id)?;
        let hashes = Hashes::of(request, id, &operands)?;
        let added = request.database.update(|state| {
            if state.users.contains_key(&id) || state.groups.contains_key(&id) {
                return Err(failed(ALREADY_DEFINED, format!("{id} IS ALREADY DEFINED")));
            }
            let group = operands.name("DFLTGRP")?.unwrap_or_else(|| Name8::constant(TOP_GROUP));
            check_group(state, group)?;
            let mut user = new_user(id, group, request.now);
            user.owner = Name8::constant(TOP_GROUP);
            alter_connect(&mut user, group, &operands)?;
            apply(request, state, &mut user, &operands, &hashes)?;
            user.attributes.protected = user.password.current.is_none() && user.phrase.current.is_none();
            Ok(Update { changes: vec![Change::User(Box::new(user))], touched: vec![id], result: () })
        });
        added.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

pub(super) fn alter(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let ids = positional("USER ID", operands.next())?;
    let operands = Operands::read("ALTUSER", operands.collect())?;
    for id in ids {
        let id = name_of("USER ID", &id)?;
        let hashes = Hashes::of(request, id, &operands)?;
        let altered = request.database.update(|state| {
            let mut user = (**state.users.get(&id).ok_or_else(|| unknown("USER", id))?).clone();
            if let Some(group) = operands.name("DFLTGRP")? {
                if !user.connects.contains_key(&group) {
                    return Err(not_connected(id, group));
                }
                user.default_group = group;
            }
            let group = operands.name("GROUP")?.unwrap_or(user.default_group);
            alter_connect(&mut user, group, &operands)?;
            apply(request, state, &mut user, &operands, &hashes)?;
            Ok(Update { changes: vec![Change::User(Box::new(user))], touched: vec![id], result: () })
        });
        altered.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

pub(super) fn not_connected(user: UserId8, group: Name8) -> CommandError {
    const NOT_CONNECTED: u16 = 107;
    failed(NOT_CONNECTED, format!("USER {user} IS NOT CONNECTED TO GROUP {group}"))
}

/// AUTHORITY and UACC are those of a connect.
fn alter_connect(user: &mut User, group: Name8, operands: &Operands) -> Result<(), CommandError> {
    let (authority, uacc) = (operands.group_authority()?, operands.level("UACC")?);
    if authority.is_some() || uacc.is_some() {
        let id = user.id;
        let connect = user.connects.get_mut(&group).ok_or_else(|| not_connected(id, group))?;
        connect.authority = authority.unwrap_or(connect.authority);
        connect.uacc = uacc.unwrap_or(connect.uacc);
    }
    Ok(())
}

/// The secrets of a command, hashed before the database is locked.
struct Hashes {
    secrets: Vec<(Secret, HashedSecret)>,
    card: Option<HashedSecret>,
}

impl Hashes {
    fn of(request: &Request, id: UserId8, operands: &Operands) -> Result<Hashes, CommandError> {
        let (settings, user) = request.database.with_state(|state| (state.settings.clone(), state.users.get(&id).cloned()));
        let is_final = operands.has("NOEXPIRED");
        let mut secrets = Vec::new();
        for (operand, is_phrase) in [("PASSWORD", false), ("PHRASE", true)] {
            let Some(value) = operands.value(operand) else { continue };
            let entered = Secret::new(&value.word);
            let secret = if is_phrase { entered } else { as_stored(&settings, &entered) };
            if secret.is_phrase() != is_phrase || !is_permitted(&settings, id, &secret, is_final) {
                return Err(failed(SECRET_NOT_VALID, format!("{operand} IS NOT VALID")));
            }
            let earlier = user.as_ref().map(|user| if is_phrase { &user.phrase } else { &user.password });
            let hash = request.hash(&secret, earlier.and_then(|stored| stored.current.as_ref()))?;
            secrets.push((secret, hash));
        }
        let card = operands.value("OIDCARD").map(|value| card_of(request, &value.word)).transpose()?;
        Ok(Hashes { secrets, card })
    }
}

/// What an operator identification card says.
fn card_of(request: &Request, text: &str) -> Result<HashedSecret, CommandError> {
    if text.is_empty() || text.chars().count() > CARD_LENGTH_MAX {
        return Err(failed(SECRET_NOT_VALID, "OIDCARD IS NOT VALID"));
    }
    request.hash(&Secret::new(text), None)
}

/// The rules of the installation are for what users choose, and for what an administrator sets for good (NOEXPIRED).
fn is_permitted(settings: &Settings, id: UserId8, secret: &Secret, is_final: bool) -> bool {
    if secret.is_phrase() {
        return rules::permits_phrase(id, secret);
    }
    let mut options = settings.password.clone();
    if !is_final {
        options.rules = Default::default();
    }
    rules::permits_password(&options, secret)
}

fn apply(request: &Request, state: &State, user: &mut User, operands: &Operands, hashes: &Hashes) -> Result<(), CommandError> {
    if let Some(name) = operands.bounded_text("NAME", USER_NAME_LENGTH_MAX)? {
        user.name = name;
    }
    if let Some(owner) = operands.name("OWNER")? {
        user.owner = check_owner(state, owner)?;
    }
    alter_data(&mut user.data, operands)?;
    let attributes = &mut user.attributes;
    for (operand, attribute) in [
        ("SPECIAL", &mut attributes.special),
        ("OPERATIONS", &mut attributes.operations),
        ("AUDITOR", &mut attributes.auditor),
        ("ROAUDIT", &mut attributes.read_only_auditor),
        ("RESTRICTED", &mut attributes.restricted),
        ("UAUDIT", &mut attributes.user_audit),
    ] {
        *attribute = operands.flag(operand).unwrap_or(*attribute);
    }
    alter_secrets(request, state, user, operands, hashes)?;
    alter_revocation(&mut user.revocation, operands)?;
    if operands.has("RESUME") {
        user.failures = 0;
        // Otherwise INACTIVE would revoke the user at once.
        user.used = user.used.map(|_| request.now);
    }
    match &hashes.card {
        Some(card) => user.card = Some(card.clone()),
        None if operands.has("NOOIDCARD") => user.card = None,
        None => {}
    }
    logon::alter(&mut user.logon, operands)?;
    segments::alter_cics(&mut user.cics, operands)?;
    segments::alter_language(&mut user.language, operands)
}

fn alter_secrets(request: &Request, state: &State, user: &mut User, operands: &Operands, hashes: &Hashes) -> Result<(), CommandError> {
    let changed = operands.has("NOEXPIRED").then_some(request.now);
    if operands.has("NOEXPIRED") && hashes.secrets.is_empty() {
        return Err(failed(WHAT_TO_CHANGE, "NOEXPIRED NEEDS PASSWORD OR PHRASE"));
    }
    for (secret, hash) in &hashes.secrets {
        set_secret(&state.settings, user, secret, hash.clone(), changed);
        user.attributes.protected = false;
        user.failures = 0;
    }
    if operands.has("NOPASSWORD") {
        user.password = Default::default();
    }
    if operands.has("NOPHRASE") {
        user.phrase = Default::default();
    }
    if operands.has("EXPIRED") {
        (user.password.changed, user.phrase.changed) = (None, None);
    }
    if operands.has("PWCLEAN") {
        // Those that a smaller HISTORY no longer looks at.
        let kept = usize::from(state.settings.password.history);
        user.password.history.truncate(kept);
        user.phrase.history.truncate(kept);
    }
    if operands.has("NOPASSWORD") || operands.has("NOPHRASE") {
        user.attributes.protected = user.password.current.is_none() && user.phrase.current.is_none();
    }
    Ok(())
}

/// REVOKE and RESUME take effect now, or with a date on that day.
pub(super) fn alter_revocation(revocation: &mut Revocation, operands: &Operands) -> Result<(), CommandError> {
    match operands.date("REVOKE")? {
        Some(date) => revocation.revoke_from = Some(date),
        None if operands.has("REVOKE") => *revocation = Revocation { revoked: true, ..Revocation::default() },
        None => {}
    }
    match operands.date("RESUME")? {
        Some(date) => revocation.resume_from = Some(date),
        None if operands.has("RESUME") => *revocation = Revocation::default(),
        None => {}
    }
    if operands.has("NOREVOKE") {
        revocation.revoke_from = None;
    }
    if operands.has("NORESUME") {
        revocation.resume_from = None;
    }
    if revocation.revoke_from.is_some() && revocation.revoke_from == revocation.resume_from {
        return Err(failed(WHAT_TO_CHANGE, "REVOKE AND RESUME HAVE THE SAME DATE"));
    }
    Ok(())
}

pub(super) fn alter_data(data: &mut String, operands: &Operands) -> Result<(), CommandError> {
    if let Some(text) = operands.bounded_text("DATA", DATA_LENGTH_MAX)? {
        *data = text;
    }
    if operands.has("NODATA") {
        data.clear();
    }
    Ok(())
}

/// An owner is a user or a group.
pub(super) fn check_owner(state: &State, owner: Name8) -> Result<Name8, CommandError> {
    let is_there = state.users.contains_key(&owner) || state.groups.contains_key(&owner);
    is_there.then_some(owner).ok_or_else(|| unknown("USER OR GROUP", owner))
}

pub(super) fn check_group(state: &State, group: Name8) -> Result<(), CommandError> {
    if state.groups.contains_key(&group) { Ok(()) } else { Err(unknown("GROUP", group)) }
}

/// What owns nothing can be deleted.
pub(super) fn owned_by(state: &State, owner: Name8) -> Option<String> {
    let user = state.users.values().find(|user| user.owner == owner && user.id != owner).map(|user| format!("USER {}", user.id));
    let group =
        || state.groups.values().find(|group| group.owner == owner && group.name != owner).map(|group| format!("GROUP {}", group.name));
    let profile =
        || state.all_profiles().find(|profile| profile.owner == owner).map(|profile| format!("{} {}", profile.class, profile.name));
    user.or_else(group).or_else(profile)
}

/// Removes the entries of a user or group from all access lists, so that a later one of the name does not have its access.
pub(super) fn without_entries(state: &State, name: Name8) -> Vec<Change> {
    let accessor = Accessor::Id(name);
    let named = state.all_profiles().filter(|profile| {
        let in_conditional = || profile.conditional_access.iter().any(|entry| entry.id == accessor);
        profile.access.contains_key(&accessor) || in_conditional()
    });
    named
        .map(|profile| {
            let mut profile = (**profile).clone();
            profile.access.remove(&accessor);
            profile.conditional_access.retain(|entry| entry.id != accessor);
            Change::Profile(Box::new(profile))
        })
        .collect()
}

pub(super) fn delete(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let ids = positional("USER ID", operands.next())?;
    Operands::read("DELUSER", operands.collect())?;
    for id in ids {
        let id = name_of("USER ID", &id)?;
        let deleted = request.database.update(|state| {
            if !state.users.contains_key(&id) {
                return Err(unknown("USER", id));
            }
            if let Some(owned) = owned_by(state, id) {
                return Err(failed(STILL_NEEDED, format!("USER {id} OWNS {owned}")));
            }
            if let Some(profile) = state.all_profiles().find(|profile| profile.notify == Some(id)) {
                return Err(failed(STILL_NAMED, format!("USER {id} IS NOTIFIED OF {} {}", profile.class, profile.name)));
            }
            let mut changes = without_entries(state, id);
            changes.push(Change::NoUser(id));
            Ok(Update { changes, touched: vec![id], result: () })
        });
        deleted.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

/// PASSWORD and PHRASE: a password by its old one, the interval of users, or a reset of users to no password.
pub(super) fn password(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let operands = Operands::read("PASSWORD", operands)?;
    let users = Operands::required("USER", operands.names_of("USER")?)?;
    for (operand, is_phrase) in [("PASSWORD", false), ("PHRASE", true)] {
        let Some(values) = operands.values(operand) else { continue };
        let ([old, new], [user]) = (values, &users[..]) else {
            return Err(wrong(operand, "OTHER THAN THE CURRENT AND THE NEW ONE, OF ONE USER"));
        };
        let (old, new) = (Secret::new(&old.word), Secret::new(&new.word));
        if new.is_phrase() != is_phrase || old.is_phrase() != is_phrase {
            return Err(failed(SECRET_NOT_VALID, format!("{operand} IS NOT VALID")));
        }
        let changed = request.database.change_secret(*user, &old, &new, request.now);
        changed
            .map_err(|refusal| failed(SECRET_NOT_VALID, format!("{operand} OF USER {user} IS NOT CHANGED: {refusal}").to_uppercase()))?;
    }
    let interval = operands.number("INTERVAL", 1..=u32::from(INTERVAL_DAYS_MAX))?.or(operands.has("NOINTERVAL").then_some(0));
    let Some(interval) = interval else { return Ok(()) };
    for id in users {
        let altered = request.database.update(|state| {
            let mut user = (**state.users.get(&id).ok_or_else(|| unknown("USER", id))?).clone();
            user.interval_days = Some(interval as u16);
            Ok(Update { changes: vec![Change::User(Box::new(user))], touched: Vec::new(), result: () })
        });
        altered.unwrap_or_else(|error| report.fail(&error));
    }
    Ok(())
}

/// A connect with the least authority.
pub(crate) fn new_connect(owner: Name8, now: Moment) -> Connect {
    Connect { authority: GroupAuthority::Use, owner, created: now, uacc: Level::None, revocation: Revocation::default() }
}

/// The users that a command names; all for an asterisk.
pub(super) fn users_named(state: &State, given: Vec<Operand>) -> Result<Vec<UserId8>, CommandError> {
    if given.iter().any(|value| folded(value) == "*") {
        return Ok(state.users.keys().copied().collect());
    }
    given.iter().map(|value| name_of("USER ID", value)).collect()
}
