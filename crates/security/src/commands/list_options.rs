//! SETROPTS LIST, in the words in which RACF prints it (z/OS Security Server RACF Command Language Reference, examples of SETROPTS).

use std::collections::BTreeSet;

use super::report::Report;
use super::setropts::CONTENTS;
use crate::name::Name8;
use crate::settings::PasswordRule;
use crate::state::State;

/// Names of classes in a line.
const NAMES_IN_LINE: usize = 8;

pub(super) fn list(state: &State, report: &mut Report) {
    let settings = &state.settings;
    let attributes = [(settings.special_audit, "SAUDIT", "NOSAUDIT"), (settings.undefined_terminals, "TERMINAL(READ)", "TERMINAL(NONE)")];
    let attributes: Vec<&str> = attributes.iter().map(|(is_set, on, off)| if *is_set { *on } else { *off }).collect();
    report.line(format!("ATTRIBUTES = {}", attributes.join(" ")));
    for (what, classes) in [
        ("AUDIT CLASSES", &settings.audit),
        ("ACTIVE CLASSES", &settings.active),
        ("GENERIC PROFILE CLASSES", &settings.generic),
        ("GLOBAL CHECKING CLASSES", &settings.global),
        ("SETR RACLIST CLASSES", &settings.listed),
    ] {
        list_classes(what, classes, report);
    }
    match settings.inactive_days {
        0 => report.line("INACTIVE USERIDS ARE NOT BEING AUTOMATICALLY REVOKED."),
        days => report.line(format!("USERIDS NOT USED FOR {days} DAYS ARE REVOKED.")),
    }
    report.line(match settings.group_list {
        true => "LIST OF GROUPS ACCESS CHECKING IS ACTIVE.",
        false => "LIST OF GROUPS ACCESS CHECKING IS INACTIVE.",
    });
    list_password(state, report);
    report.line(format!("PRIMARY LANGUAGE DEFAULT : {}", settings.language_primary));
    report.line(format!("SECONDARY LANGUAGE DEFAULT : {}", settings.language_secondary));
}

fn list_classes(what: &str, classes: &BTreeSet<Name8>, report: &mut Report) {
    let names: Vec<&str> = classes.iter().map(Name8::as_str).collect();
    if names.is_empty() {
        report.line(format!("{what} = NONE"));
    }
    for (at, line) in names.chunks(NAMES_IN_LINE).enumerate() {
        let head = if at == 0 { format!("{what} = ") } else { " ".repeat(what.len() + 3) };
        report.line(format!("{head}{}", line.join(" ")));
    }
}

fn list_password(state: &State, report: &mut Report) {
    let options = &state.settings.password;
    report.line("PASSWORD PROCESSING OPTIONS:");
    report.line("  THE ACTIVE PASSWORD ENCRYPTION ALGORITHM IS ARGON2ID");
    report.line(format!("  PASSWORD CHANGE INTERVAL IS {} DAYS.", options.interval_days));
    report.line(format!("  PASSWORD MINIMUM CHANGE INTERVAL IS {} DAYS.", options.minimum_change_days));
    report.line(format!("  MIXED CASE PASSWORD SUPPORT IS {}IN EFFECT", if options.mixed_case { "" } else { "NOT " }));
    report.line(format!("  SPECIAL CHARACTERS ARE {}ALLOWED.", if options.special_characters { "" } else { "NOT " }));
    match options.history {
        0 => report.line("  NO PASSWORD HISTORY BEING MAINTAINED."),
        count => report.line(format!("  {count} GENERATIONS OF PREVIOUS PASSWORDS BEING MAINTAINED.")),
    }
    match options.revoke_after {
        0 => report.line("  USERIDS NOT BEING AUTOMATICALLY REVOKED."),
        count => report.line(format!("  AFTER {count} CONSECUTIVE UNSUCCESSFUL PASSWORD ATTEMPTS, A USERID WILL BE REVOKED.")),
    }
    let rules: Vec<(usize, &PasswordRule)> =
        options.rules.iter().enumerate().filter_map(|(at, rule)| Some((at + 1, rule.as_ref()?))).collect();
    if rules.is_empty() {
        report.line("  NO INSTALLATION PASSWORD SYNTAX RULES.");
        return;
    }
    report.line("  INSTALLATION PASSWORD SYNTAX RULES:");
    for (number, rule) in rules {
        let lengths = if rule.length_min == rule.length_max {
            rule.length_min.to_string()
        } else {
            format!("{}:{}", rule.length_min, rule.length_max)
        };
        report.line(format!("   RULE {number}  LENGTH({lengths})  {}", contents(rule)));
    }
}

/// The contents of the positions, as they are entered.
fn contents(rule: &PasswordRule) -> String {
    let word =
        |position: &Option<_>| position.and_then(|content| CONTENTS.iter().find(|(_, known)| *known == content)).map(|(word, _)| *word);
    let words: Vec<Option<&str>> = rule.contents.iter().map(word).collect();
    let mut text = Vec::new();
    let mut first = 0;
    for run in words.chunk_by(|one, other| one == other) {
        let last = first + run.len();
        if let Some(word) = run[0] {
            text.push(if run.len() == 1 { format!("{word}({last})") } else { format!("{word}({}:{last})", first + 1) });
        }
        first = last;
    }
    text.join(" ")
}
