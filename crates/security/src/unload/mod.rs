//! Takes in users, groups, connects and profiles of general resources from a file of the database unload utility, IRRDBU00.
//!
//! Passwords and keys are not in such a file. Users who had a password are revoked until they have one again.

mod record;

use std::collections::BTreeMap;

use crate::change::Change;
use crate::commands::{Report, new_connect, new_profile};
use crate::database::{Database, Update, new_user};
use crate::generic;
use crate::journal::Error;
use crate::moment::Moment;
use crate::name::{GroupName8, Name8, UserId8};
use crate::profile::{Accessor, ConditionalAccess, Profile, StartedSegment};
use crate::settings::INTERVAL_DAYS_MAX;
use crate::state::State;
use crate::user::{CicsSegment, Group, GroupAuthority, OPERATOR_CLASS_MAX, Revocation, User};
use record::Record;

const NOT_A_RECORD: u16 = 130;
const NOT_USED: u16 = 131;
const KEPT: u16 = 132;
const UNKNOWN_CLASS: u16 = 133;
const TAKEN: u16 = 134;
const WITHOUT_USER: u16 = 135;
/// Lines that are not records, told one by one.
const BAD_LINES_MAX: usize = 10;

/// What has been read.
#[derive(Default)]
struct Unloaded {
    groups: BTreeMap<GroupName8, Group>,
    users: BTreeMap<UserId8, User>,
    profiles: BTreeMap<(Name8, String), Profile>,
    /// Authorities of connects, whose records stand with the groups.
    authorities: BTreeMap<(UserId8, GroupName8), GroupAuthority>,
    /// How many records of each type are not used.
    unused: BTreeMap<String, usize>,
    unknown_classes: BTreeMap<Name8, usize>,
    bad_lines: Vec<usize>,
}

impl Database {
    /// Takes in a file of the database unload utility, as text. What the database has already stays as it is.
    pub fn import_unload(&self, text: &str, now: Moment) -> Report {
        let mut report = Report::default();
        let taken = self.update(|state| -> Result<_, Error> {
            let mut unloaded = Unloaded::default();
            for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                let record = Record::new(line).filter(Record::has_type);
                if record.and_then(|record| unloaded.take(state, &record, now)).is_none() {
                    unloaded.bad_lines.push(number + 1);
                }
            }
            unloaded.connect();
            Ok(unloaded.update(state, &mut report))
        });
        match taken {
            Ok(()) => report,
            Err(error) => {
                report.fail(&error.into());
                report
            }
        }
    }
}

impl Unloaded {
    /// Takes a record; none if it is not one.
    fn take(&mut self, state: &State, record: &Record, now: Moment) -> Option<()> {
        if !record.is_used() {
            *self.unused.entry(record.of.to_string()).or_default() += 1;
            return Some(());
        }
        if record.of.starts_with("05") {
            return self.take_resource(state, record, now);
        }
        let name = record.name("NAME")?;
        match record.of {
            "0100" => {
                let group = Group {
                    name,
                    owner: record.name("OWNER_ID")?,
                    superior: record.name("SUPGRP_ID"),
                    created: record.date("CREATE_DATE").unwrap_or(now),
                    data: record.text("INSTALL_DATA").to_string(),
                    universal: record.is_yes("UNIVERSAL"),
                };
                self.groups.insert(name, group);
            }
            "0102" => {
                let authority = GroupAuthority::ALL.into_iter().find(|authority| authority.name() == record.text("AUTH"))?;
                self.authorities.insert((record.name("MEMBER_ID")?, name), authority);
            }
            "0200" => drop(self.users.insert(name, user(record, name, now)?)),
            _ => match self.users.get_mut(&name) {
                Some(user) => add_to_user(record, user, now)?,
                None => *self.unused.entry(record.of.to_string()).or_default() += 1,
            },
        }
        Some(())
    }

    fn take_resource(&mut self, state: &State, record: &Record, now: Moment) -> Option<()> {
        let class_name = record.name("CLASS_NAME")?;
        let name = record.text("NAME").to_string();
        let Some(class) = state.class(class_name).filter(|class| !name.is_empty() && name.len() <= class.name_length_max) else {
            *self.unknown_classes.entry(class_name).or_default() += 1;
            return Some(());
        };
        if record.of == "0500" {
            let mut profile = new_profile(class, name.clone(), record.is_yes("GENERIC") || generic::is_generic(&name), now);
            profile.owner = record.name("OWNER_ID")?;
            profile.created = record.date("CREATE_DATE").unwrap_or(now);
            profile.uacc = record.level("UACC");
            profile.audit = record.audit("AUDIT_LEVEL", "AUDIT_OKQUAL", "AUDIT_FAQUAL");
            profile.global_audit = record.audit("GAUDIT_LEVEL", "GAUDIT_OKQUAL", "GAUDIT_FAQUAL");
            profile.level = record.number("LEVEL").and_then(|level| u8::try_from(level).ok()).unwrap_or(0);
            profile.data = record.text("INSTALL_DATA").to_string();
            profile.application_data = record.text("APPL_DATA").to_string();
            profile.warning = record.is_yes("WARNING");
            profile.notify = record.name("NOTIFY_ID");
            self.profiles.insert((class_name, name), profile);
            return Some(());
        }
        match self.profiles.get_mut(&(class_name, name)) {
            Some(profile) => add_to_profile(record, profile),
            None => {
                *self.unused.entry(record.of.to_string()).or_default() += 1;
                Some(())
            }
        }
    }

    /// Gives the connects their authorities, and every user one to the default group and an operator class.
    fn connect(&mut self) {
        for user in self.users.values_mut() {
            if let Some(cics) = user.cics.as_mut().filter(|cics| cics.operator_classes == 0) {
                cics.operator_classes = CicsSegment::default().operator_classes;
            }
            let (id, default, created) = (user.id, user.default_group, user.created);
            user.connects.entry(default).or_insert_with(|| new_connect(default, created));
            for (group, connect) in &mut user.connects {
                connect.authority = self.authorities.get(&(id, *group)).copied().unwrap_or(connect.authority);
            }
        }
    }

    /// What is to be changed, with what is told of it.
    fn update(self, state: &State, report: &mut Report) -> Update<()> {
        for line in self.bad_lines.iter().take(BAD_LINES_MAX) {
            report.warn(NOT_A_RECORD, format!("LINE {line} IS NOT A RECORD OF THE DATABASE UNLOAD UTILITY"));
        }
        if self.bad_lines.len() > BAD_LINES_MAX {
            report.warn(NOT_A_RECORD, format!("{} MORE LINES ARE NOT", self.bad_lines.len() - BAD_LINES_MAX));
        }
        for (of, count) in &self.unused {
            report.warn(NOT_USED, format!("{count} RECORDS OF TYPE {of} ARE NOT USED"));
        }
        for (class, count) in &self.unknown_classes {
            report.warn(UNKNOWN_CLASS, format!("{count} RECORDS OF CLASS {class} ARE NOT USED, WHICH IS NOT DEFINED HERE"));
        }
        let mut kept = 0;
        let mut is_new = |is_there: bool| {
            kept += usize::from(is_there);
            !is_there
        };
        let groups: Vec<Group> = self.groups.into_values().filter(|group| is_new(state.groups.contains_key(&group.name))).collect();
        let users: Vec<User> = self.users.into_values().filter(|user| is_new(state.users.contains_key(&user.id))).collect();
        let profiles = self.profiles.into_values().filter(|profile| is_new(state.profile(profile.class, &profile.name).is_some()));
        let profiles: Vec<Profile> = profiles.collect();
        if kept > 0 {
            report.warn(KEPT, format!("{kept} USERS, GROUPS AND PROFILES WERE THERE ALREADY AND ARE AS THEY WERE"));
        }
        let revoked = users.iter().filter(|user| user.revocation.revoked).count();
        let counts = format!("{} GROUPS, {} USERS AND {} PROFILES", groups.len(), users.len(), profiles.len());
        report.line(format!("RGTS{TAKEN}I {counts} WERE TAKEN IN"));
        if revoked > 0 {
            report.warn(WITHOUT_USER, format!("{revoked} USERS ARE REVOKED UNTIL ALTUSER GIVES THEM A PASSWORD AND RESUMES THEM"));
        }
        let touched = users.iter().map(|user| user.id).collect();
        let mut changes: Vec<Change> = groups.into_iter().map(Change::Group).collect();
        changes.extend(users.into_iter().map(|user| Change::User(Box::new(user))));
        changes.extend(profiles.into_iter().map(|profile| Change::Profile(Box::new(profile))));
        Update { changes, touched, result: () }
    }
}

/// The user of a basic data record. PRO in NOPWD is a protected user.
fn user(record: &Record, name: UserId8, now: Moment) -> Option<User> {
    let mut user = new_user(name, record.name("DEFGRP_ID")?, now);
    user.connects.clear();
    user.name = record.text("PROGRAMMER").trim_matches('#').to_string();
    user.owner = record.name("OWNER_ID")?;
    user.created = record.date("CREATE_DATE").unwrap_or(now);
    user.attributes.special = record.is_yes("SPECIAL");
    user.attributes.operations = record.is_yes("OPER");
    user.attributes.auditor = record.is_yes("AUDITOR");
    user.attributes.user_audit = record.is_yes("UAUDIT");
    user.attributes.restricted = record.text("ATTRIBS").contains("RSTD");
    user.attributes.protected = record.text("NOPWD").eq_ignore_ascii_case("PRO");
    user.interval_days = record.number("PWD_INTERVAL").filter(|days| *days <= u32::from(INTERVAL_DAYS_MAX)).map(|days| days as u16);
    user.data = record.text("INSTALL_DATA").to_string();
    user.used = record.date("LASTJOB_DATE").map(|date| Moment(date.0 + record.seconds("LASTJOB_TIME").unwrap_or(0)));
    user.revocation = revocation(record);
    user.revocation.revoked |= !user.attributes.protected;
    if user.revocation.revoked {
        // A date would resume a user who has no password.
        user.revocation.resume_from = None;
    }
    Some(user)
}

fn revocation(record: &Record) -> Revocation {
    Revocation { revoked: record.is_yes("REVOKE"), revoke_from: record.date("REVOKE_DATE"), resume_from: record.date("RESUME_DATE") }
}

fn add_to_user(record: &Record, user: &mut User, now: Moment) -> Option<()> {
    match record.of {
        "0205" => {
            let group = record.name("GRP_ID")?;
            let mut connect = new_connect(record.name("OWNER_ID")?, record.date("CONNECT_DATE").unwrap_or(now));
            connect.uacc = record.level("UACC");
            connect.revocation = revocation(record);
            user.connects.insert(group, connect);
        }
        "0230" => {
            let cics = user.cics.get_or_insert_default();
            // Classes follow in records of their own.
            cics.operator_classes = 0;
            cics.operator_identification = record.text("OPIDENT").to_string();
            cics.operator_priority = record.number("OPPRTY").and_then(|priority| u8::try_from(priority).ok()).unwrap_or(0);
            cics.signed_off_by_force = record.text("NOFORCE").eq_ignore_ascii_case("NO");
            cics.timeout_minutes = record.seconds("TIMEOUT").map_or(0, |seconds| (seconds / 60) as u16);
        }
        "0231" => {
            let cics = user.cics.get_or_insert_default();
            let class = record.number("OPCLASS").filter(|class| (1..=u32::from(OPERATOR_CLASS_MAX)).contains(class))?;
            cics.operator_classes |= 1 << (class - 1);
        }
        "0232" | "0233" => {
            let cics = user.cics.get_or_insert_default();
            let keys = if record.of == "0232" { &mut cics.resource_keys } else { &mut cics.transaction_keys };
            keys.push(u8::try_from(record.number("KEY")?).ok()?);
        }
        "0240" => {
            let language = user.language.get_or_insert_default();
            let code = |field: &str| Some(record.text(field).to_string()).filter(|code| !code.is_empty());
            (language.primary, language.secondary) = (code("PRIMARY"), code("SECONDARY"));
        }
        other => unreachable!("records of type {other} are read elsewhere"),
    }
    Some(())
}

fn add_to_profile(record: &Record, profile: &mut Profile) -> Option<()> {
    match record.of {
        "0503" => {
            let member = record.text("MEMBER");
            let is_global = profile.class.as_str() == "GLOBAL";
            profile.members.push(if is_global { format!("{member}/{}", record.level("GLOBAL_ACC").name()) } else { member.to_string() });
        }
        "0505" => drop(profile.access.insert(Accessor::of_text(record.text("AUTH_ID"))?, record.level("ACCESS"))),
        "0507" if record.text("CATYPE") == "TERMINAL" => profile.conditional_access.push(ConditionalAccess {
            terminal: record.name("CANAME")?,
            id: Accessor::of_text(record.text("AUTH_ID"))?,
            level: record.level("ACCESS"),
        }),
        // Programs, consoles and ports are nothing that a region's users come from.
        "0507" => {}
        "0540" => {
            profile.started = Some(StartedSegment {
                user: record.name("USER_ID"),
                group: record.name("GROUP_ID"),
                trusted: record.is_yes("TRUSTED"),
                privileged: record.is_yes("PRIVILEGED"),
                trace: record.is_yes("TRACE"),
            });
        }
        other => unreachable!("records of type {other} are read elsewhere"),
    }
    Some(())
}
