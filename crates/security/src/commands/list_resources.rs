//! RLIST, in the form in which RACF prints it (z/OS Security Server RACF Command Language Reference, examples of RLIST).

use std::sync::Arc;

use super::Request;
use super::operands::{Operands, positional};
use super::report::{CommandError, Report, failed};
use super::resources::{class_named, profile_name};
use super::text::Operand;
use crate::class::Class;
use crate::generic;
use crate::level::Level;
use crate::profile::{AuditRule, Profile, TicketAlphabet};
use crate::state::State;

const NOT_DEFINED: u16 = 102;

pub(super) fn list(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let mut operands = operands.into_iter();
    let class_operand = operands.next();
    let names = positional("PROFILE NAME", operands.next())?;
    let operands = Operands::read("RLIST", operands.collect())?;
    request.database.with_state(|state| {
        let class = class_named(state, class_operand.as_ref())?;
        for name in names {
            let name = profile_name(&class, &name);
            let mut profiles: Vec<&Arc<Profile>> = match &name[..] {
                "*" if state.profile(class.name, "*").is_none() => state.profiles(class.name).collect(),
                _ => found(state, &class, &name).into_iter().collect(),
            };
            if operands.has("RESGROUP") || profiles.is_empty() {
                profiles.extend(groups_of(state, &class, &name));
            }
            if profiles.is_empty() {
                report.fail(&failed(NOT_DEFINED, format!("{name} IS NOT DEFINED IN CLASS {}", class.name)));
            }
            profiles.iter().for_each(|profile| list_profile(state, profile, &operands, report));
        }
        Ok(())
    })
}

/// The profile of a name, or the most specific one that protects the resource of that name.
fn found<'a>(state: &'a State, class: &Class, name: &str) -> Option<&'a Arc<Profile>> {
    state.profile(class.name, name).or_else(|| {
        let matching = state.profiles(class.name).filter(|profile| profile.generic && generic::matches(&profile.name, name));
        matching.min_by_key(|profile| generic::specificity(&profile.name))
    })
}

/// The grouping profiles that a resource is a member of.
fn groups_of<'a>(state: &'a State, class: &Class, name: &str) -> Vec<&'a Arc<Profile>> {
    let is_member = |member: &String| member == name || generic::matches(member, name);
    let all = class.group.into_iter().flat_map(|group| state.profiles(group));
    all.filter(|profile| profile.members.iter().any(is_member)).collect()
}

fn block(report: &mut Report, title: &str, lines: &[String]) {
    report.line(title);
    report.line(title.split(' ').map(|word| "-".repeat(word.len())).collect::<Vec<_>>().join(" "));
    lines.iter().for_each(|line| report.line(line.clone()));
    report.line("");
}

fn list_profile(state: &State, profile: &Profile, operands: &Operands, report: &mut Report) {
    let is_base = !operands.has("NORACF");
    if is_base {
        list_base(state, profile, report);
    }
    if is_base && (operands.has("AUTHUSER") || operands.has("ALL")) {
        list_access(profile, report);
    }
    if operands.has("SSIGNON") {
        list_signon(profile, report);
    }
    if operands.has("STDATA") {
        list_started(profile, report);
    }
    if operands.has("CDTINFO") {
        list_class_data(profile, report);
    }
}

fn list_base(state: &State, profile: &Profile, report: &mut Report) {
    report.line("CLASS      NAME");
    report.line("-----      ----");
    report.line(format!("{:<8}   {}{}", profile.class, profile.name, if profile.generic { " (G)" } else { "" }));
    report.line("");
    let class = state.class(profile.class);
    if let Some(group) = class.and_then(|class| class.group) {
        block(report, "GROUP CLASS NAME", &[group.to_string()]);
        let of = groups_of(state, class.expect("it has a group"), &profile.name);
        let names: Vec<String> = of.iter().map(|profile| profile.name.clone()).collect();
        let none = ["NONE".to_string()];
        block(report, "RESOURCE GROUPS", if names.is_empty() { &none } else { &names });
    }
    if let Some(member) = class.and_then(|class| class.member) {
        block(report, "MEMBER CLASS NAME", &[member.to_string()]);
    }
    if !profile.members.is_empty() {
        block(report, "RESOURCES IN GROUP", &profile.members);
    }
    report.line("LEVEL  OWNER      UNIVERSAL ACCESS  WARNING");
    report.line("-----  --------   ----------------  -------");
    let warning = if profile.warning { "YES" } else { "NO" };
    report.line(format!(" {:02}    {:<8}   {:^16}  {warning}", profile.level, profile.owner, profile.uacc.name()));
    report.line("");
    let or_none = |text: &str| [if text.is_empty() { "NONE".to_string() } else { text.to_string() }];
    block(report, "INSTALLATION DATA", &or_none(&profile.data));
    block(report, "APPLICATION DATA", &or_none(&profile.application_data));
    block(report, "AUDITING", &[audit_text(profile.audit)]);
    if profile.global_audit != AuditRule::NONE {
        block(report, "GLOBALAUDIT", &[audit_text(profile.global_audit)]);
    }
    let notified = profile.notify.map_or("NO USER TO BE NOTIFIED".to_string(), |user| user.to_string());
    block(report, "NOTIFY", &[notified]);
}

/// AUDIT as it is entered.
fn audit_text(rule: AuditRule) -> String {
    let part = |word: &str, from: Option<Level>| from.map(|level| format!("{word}({})", level.name()));
    match (rule.successes_from, rule.failures_from) {
        (None, None) => "NONE".to_string(),
        (Some(first), Some(second)) if first == second => format!("ALL({})", first.name()),
        (successes, failures) => {
            let parts: Vec<String> = part("SUCCESS", successes).into_iter().chain(part("FAILURES", failures)).collect();
            parts.join(",")
        }
    }
}

fn list_access(profile: &Profile, report: &mut Report) {
    report.line("USER      ACCESS");
    report.line("----      ------");
    for (accessor, level) in &profile.access {
        report.line(format!("{accessor:<8}  {}", level.name()));
    }
    if profile.access.is_empty() {
        report.line("NO ENTRIES IN STANDARD ACCESS LIST");
    }
    report.line("");
    report.line("   ID     ACCESS   CLASS     ENTITY NAME");
    report.line("-------- -------  --------  -----------");
    for entry in &profile.conditional_access {
        report.line(format!("{:<8} {:<7}  TERMINAL  {}", entry.id, entry.level.name(), entry.terminal));
    }
    if profile.conditional_access.is_empty() {
        report.line("NO ENTRIES IN CONDITIONAL ACCESS LIST");
    }
    report.line("");
}

fn yes_or_no(value: bool) -> &'static str {
    if value { "YES" } else { "NO" }
}

fn list_signon(profile: &Profile, report: &mut Report) {
    let Some(signon) = &profile.signon else { return report.line("NO SSIGNON INFORMATION") };
    let mut lines = Vec::new();
    match &signon.key {
        Some(_) => lines.push("KEYMASKED DATA NOT DISPLAYABLE".to_string()),
        None => lines.push("NO LEGACY KEY".to_string()),
    }
    if let Some(label) = &signon.key_label {
        lines.push(format!("EPTKEYLABEL: {label}"));
    }
    let alphabet = if signon.alphabet == TicketAlphabet::Mixed { "MIXED" } else { "UPPER" };
    lines.push(format!("TYPE: {alphabet}"));
    lines.push(format!("REPLAY: {}", yes_or_no(signon.replay)));
    lines.push(format!("TIMEOUT: {}", signon.timeout_seconds));
    block(report, "SSIGNON INFORMATION", &lines);
}

fn list_started(profile: &Profile, report: &mut Report) {
    let Some(started) = &profile.started else { return report.line("NO STDATA INFORMATION") };
    let name = |name: Option<crate::name::Name8>| name.map_or(String::new(), |name| name.to_string());
    let lines = [
        format!("USER= {}", name(started.user)),
        format!("GROUP= {}", name(started.group)),
        format!("TRUSTED= {}", yes_or_no(started.trusted)),
        format!("PRIVILEGED= {}", yes_or_no(started.privileged)),
        format!("TRACE= {}", yes_or_no(started.trace)),
    ];
    block(report, "STDATA INFORMATION", &lines);
}

fn list_class_data(profile: &Profile, report: &mut Report) {
    let Some(class) = &profile.class_data else { return report.line("NO CDTINFO INFORMATION") };
    let name = |name: Option<crate::name::Name8>| name.map_or(String::new(), |name| name.to_string());
    let lines = [
        format!("CASE = {}", if class.keeps_case { "ASIS" } else { "UPPER" }),
        format!("DEFAULTRC = {:03}", class.default_return_code),
        format!("DEFAULTUACC = {}", class.default_uacc.name()),
        format!("GENERIC = {}", if class.generic { "ALLOWED" } else { "DISALLOWED" }),
        format!("GROUP = {}", name(class.group)),
        format!("MAXLENGTH = {:03}", class.name_length_max),
        format!("MEMBER = {}", name(class.member)),
        format!("OPERATIONS = {}", yes_or_no(class.operations)),
        format!("POSIT = {:010}", class.position.unwrap_or_default()),
    ];
    block(report, "CDTINFO INFORMATION", &lines);
}
