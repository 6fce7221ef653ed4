//! LISTUSER and LISTGRP, in the form in which RACF prints them (z/OS Security Server RACF Command Language Reference, examples of LISTUSER and
//! LISTGRP).

use super::logon;
use super::operands::{Operands, folded, name_of, positional};
use super::report::{CommandError, Report};
use super::text::Operand;
use super::users::users_named;
use super::{Request, unknown};
use crate::database::TOP_GROUP;
use crate::moment::Moment;
use crate::name::{GroupName8, Name8};
use crate::state::State;
use crate::user::{CicsSegment, Connect, Group, LanguageSegment, OPERATOR_CLASS_MAX, Revocation, StoredSecret, User};

pub(super) fn list_users(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let given = positional("USER ID", operands.next())?;
    let operands = Operands::read("LISTUSER", operands.collect())?;
    request.database.with_state(|state| {
        for id in users_named(state, given)? {
            match state.users.get(&id) {
                Some(user) => list_user(state, user, &operands, request.now, report),
                None => report.fail(&unknown("USER", id)),
            }
        }
        Ok(())
    })
}

fn list_user(state: &State, user: &User, operands: &Operands, now: Moment, report: &mut Report) {
    if !operands.has("NORACF") {
        list_base(state, user, now, report);
    }
    if operands.has("CICS") {
        report.line("");
        match &user.cics {
            Some(cics) => list_cics(cics, report),
            None => report.line("NO CICS INFORMATION"),
        }
    }
    if operands.has("LANGUAGE") {
        report.line("");
        match &user.language {
            Some(language) => list_language(language, report),
            None => report.line("NO LANGUAGE INFORMATION"),
        }
    }
}

fn list_base(state: &State, user: &User, now: Moment, report: &mut Report) {
    let name = if user.name.is_empty() { "UNKNOWN" } else { &user.name };
    report.line(format!("USER={:<8}  NAME={name:<20}  OWNER={:<8}  CREATED={}", user.id, user.owner, user.created.julian()));
    let interval = match user.interval_days.unwrap_or(state.settings.password.interval_days) {
        0 => "N/A".to_string(),
        days => format!("{days:3}"),
    };
    report.line(format!(
        " DEFAULT-GROUP={:<8} PASSDATE={:<6} PASS-INTERVAL={interval} PHRASEDATE={}",
        user.default_group,
        secret_date(&user.password),
        secret_date(&user.phrase)
    ));
    attributes(user, now).iter().for_each(|attribute| report.line(format!(" ATTRIBUTES={attribute}")));
    report.line(format!(" {}", dates(&user.revocation)));
    match user.used {
        Some(used) => report.line(format!(" LAST-ACCESS={}/{}", used.julian(), used.time_of_day())),
        None => report.line(" LAST-ACCESS=UNKNOWN"),
    }
    report.line(" CLASS AUTHORIZATIONS=NONE");
    list_data(&user.data, " NO-INSTALLATION-DATA", " INSTALLATION-DATA=", report);
    report.line(" NO-MODEL-NAME");
    report.line(" LOGON ALLOWED   (DAYS)          (TIME)");
    report.line(" ---------------------------------------------");
    report.line(logon::listed(user.logon.as_ref()));
    user.connects.iter().for_each(|(group, connect)| list_connect(*group, connect, now, report));
    report.line("SECURITY-LEVEL=NONE SPECIFIED");
    report.line("CATEGORY-AUTHORIZATION");
    report.line(" NONE SPECIFIED");
    report.line("SECURITY-LABEL=NONE SPECIFIED");
}

fn list_data(data: &str, none: &str, some: &str, report: &mut Report) {
    if data.is_empty() { report.line(none) } else { report.line(format!("{some}{data}")) }
}

/// 00.000 for a password that must be changed, N/A without one.
fn secret_date(secret: &StoredSecret) -> String {
    match (&secret.current, secret.changed) {
        (None, _) => "N/A".to_string(),
        (Some(_), None) => "00.000".to_string(),
        (Some(_), Some(changed)) => changed.julian(),
    }
}

fn attributes(user: &User, now: Moment) -> Vec<&'static str> {
    let attributes = &user.attributes;
    let all = [
        (attributes.special, "SPECIAL"),
        (attributes.operations, "OPERATIONS"),
        (attributes.auditor, "AUDITOR"),
        (attributes.read_only_auditor, "ROAUDIT"),
        (attributes.restricted, "RESTRICTED"),
        (attributes.protected, "PROTECTED"),
        (attributes.user_audit, "UAUDIT"),
        (user.card.is_some(), "OIDCARD"),
        (user.phrase.current.is_some(), "PASSPHRASE"),
        (user.password.current.is_none() && user.phrase.current.is_some(), "NOPASSWORD"),
        (user.revocation.is_revoked(now), "REVOKED"),
    ];
    let mut names: Vec<&str> = all.iter().filter(|(is_there, _)| *is_there).map(|(_, name)| *name).collect();
    if names.is_empty() {
        names.push("NONE");
    }
    names
}

/// The dates of REVOKE and RESUME.
fn dates(revocation: &Revocation) -> String {
    let date = |date: Option<Moment>| date.map_or("NONE".to_string(), Moment::julian);
    format!("REVOKE DATE={:<6} RESUME DATE={}", date(revocation.revoke_from), date(revocation.resume_from))
}

fn list_connect(group: GroupName8, connect: &Connect, now: Moment, report: &mut Report) {
    report.line(format!(
        "  GROUP={group:<8}  AUTH={:<8} CONNECT-OWNER={:<8}  CONNECT-DATE={}",
        connect.authority.name(),
        connect.owner,
        connect.created.julian()
    ));
    report.line(format!("    UACC={}", connect.uacc.name()));
    report.line(format!("    CONNECT ATTRIBUTES={}", if connect.revocation.is_revoked(now) { "REVOKED" } else { "NONE" }));
    report.line(format!("    {}", dates(&connect.revocation)));
}

fn list_cics(cics: &CicsSegment, report: &mut Report) {
    report.line("CICS INFORMATION");
    report.line("----------------");
    let classes = (1..=u32::from(OPERATOR_CLASS_MAX)).filter(|class| cics.operator_classes >> (class - 1) & 1 == 1);
    report.line(format!("OPCLASS= {}", classes.map(|class| format!("{class:03}")).collect::<Vec<_>>().join(",")));
    report.line(format!("OPIDENT= {}", cics.operator_identification));
    report.line(format!("OPPRTY= {:05}", cics.operator_priority));
    report.line(format!("TIMEOUT= {:02}:{:02} (HH:MM)", cics.timeout_minutes / 60, cics.timeout_minutes % 60));
    report.line(format!("XRFSOFF= {}", if cics.signed_off_by_force { "FORCE" } else { "NOFORCE" }));
    for (operand, keys) in [("RSLKEYS", &cics.resource_keys), ("TSLKEYS", &cics.transaction_keys)] {
        if !keys.is_empty() {
            report.line(format!("{operand}= {}", keys.iter().map(|key| format!("{key:05}")).collect::<Vec<_>>().join(" ")));
        }
    }
}

fn list_language(language: &LanguageSegment, report: &mut Report) {
    report.line("LANGUAGE INFORMATION");
    report.line("--------------------");
    for (what, code) in [("PRIMARY", &language.primary), ("SECONDARY", &language.secondary)] {
        report.line(format!("{what} LANGUAGE: {}", code.as_deref().unwrap_or("NOT SPECIFIED")));
    }
}

pub(super) fn list_groups(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let top = Operand { word: TOP_GROUP.to_string(), ..Operand::default() };
    let given = positional("GROUP NAME", Some(operands.next().unwrap_or(top)))?;
    Operands::read("LISTGRP", operands.collect())?;
    request.database.with_state(|state| {
        let names: Vec<Name8> = match given.iter().any(|value| folded(value) == "*") {
            true => state.groups.keys().copied().collect(),
            false => given.iter().map(|value| name_of("GROUP NAME", value)).collect::<Result<_, _>>()?,
        };
        for name in names {
            match state.groups.get(&name) {
                Some(group) => list_group(state, group, request.now, report),
                None => report.fail(&unknown("GROUP", name)),
            }
        }
        Ok(())
    })
}

fn list_group(state: &State, group: &Group, now: Moment, report: &mut Report) {
    report.line(format!("INFORMATION FOR GROUP {}", group.name));
    let superior = group.superior.map_or("NONE".to_string(), |superior| superior.to_string());
    report.line(format!("    SUPERIOR GROUP={superior:<8}  OWNER={:<8}  CREATED={}", group.owner, group.created.julian()));
    list_data(&group.data, "    NO INSTALLATION DATA", "    INSTALLATION DATA=", report);
    report.line("    NO MODEL DATA SET");
    if group.universal {
        report.line("    UNIVERSAL");
    }
    let below = state.groups.values().filter(|other| other.superior == Some(group.name));
    let below: Vec<&str> = below.map(|other| other.name.as_str()).collect();
    match below.is_empty() {
        true => report.line("    NO SUBGROUPS"),
        false => report.line(format!("    SUBGROUP(S)= {}", below.join(" "))),
    }
    let members = state.users.values().filter_map(|user| Some((user.id, user.connects.get(&group.name)?)));
    let members: Vec<(Name8, &Connect)> = members.collect();
    if members.is_empty() {
        report.line("    NO USERS");
        return;
    }
    report.line("    USER(S)=      ACCESS=      UNIVERSAL ACCESS=");
    for (id, connect) in members {
        report.line(format!("      {id:<8}    {:<8}     {}", connect.authority.name(), connect.uacc.name()));
        report.line(format!("         CONNECT ATTRIBUTES={}", if connect.revocation.is_revoked(now) { "REVOKED" } else { "NONE" }));
        report.line(format!("         {}", dates(&connect.revocation)));
    }
}
