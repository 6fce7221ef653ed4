//! The ALTER command.
//!
//! Rules: in a generic name one qualifier other than the first is an asterisk. The name selects every matching entry, components included,
//! aliases excluded. If the name is generic, NEWNAME is too, and its asterisk stands for the same qualifier. Each entry is altered by
//! itself, completely or not at all, and a message reports the result.

use super::compression::unfit;
use super::define::GROUP_EXCLUSIVE;
use super::parser::{Command, Parameter};
use super::{DdTarget, Done, Failure, Run, is_generic, name_of, numbers, shown};
use crate::catalog::{Attributes, BackupOption, Entry, KEY_LENGTH_MAX, LogOption, NAME_LENGTH_MAX};
use crate::error::FileError;

/// The qualifier of a generic name that stands for another.
const ANY: &str = "*";

/// Keywords of ALTER; `alter_entry` decides which of them apply to an entry.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "ACCOUNT", "ACCT", "ADDVOLUMES", "AVOL", "BUFFERSPACE", "BUFSP", "BUFSPC", "BWO", "CATALOG", "CAT", "EATTR", "EMPTY", "EMP", "ERASE",
    "ERAS", "EXCEPTIONEXIT", "EEXT", "FIFO", "FILE", "FOR", "FREESPACE", "FSPC", "FRLOG", "INHIBIT", "INH", "KEYS", "KEY", "LIFO", "LIMIT",
    "LIM", "LOG", "LOGREPLICATE", "LOGSTREAMID", "LSID", "MANAGEMENTCLASS", "MGMTCLAS", "MGMTCLASS", "MGC", "NEWNAME", "NEWNM", "NOEMPTY",
    "NEMP", "NOERASE", "NERAS", "NOLOGREPLICATE", "NONUNIQUEKEY", "NUNQK", "NOPURGE", "NPRG", "NOREUSE", "NRUS", "NOSCRATCH", "NSCR", "NOUPDATE", "NUPD",
    "NOUPGRADE", "NUPG", "NOWRITECHECK", "NWCK", "NULLIFY", "NULL", "OWNER", "PURGE", "PRG", "RECORDSIZE", "RECSZ", "REMOVEVOLUMES", "RVOL", "REUSE", "RUS",
    "RLSENABLE", "RLSQUIESCE", "ROLLIN", "ROL", "SCRATCH", "SCR", "SHAREOPTIONS", "SHR", "STORAGECLASS", "STORCLAS", "STORCLASS", "SC", "TO", "UNINHIBIT",
    "UNINH", "UNIQUEKEY", "UNQK", "UPDATE", "UPD", "UPGRADE", "UPG", "WRITECHECK", "WCK",
];

/// The changes made to each entry.
struct Changes<'a> {
    parameters: &'a [Parameter],
    /// NEWNAME, generic if the name of the entries is.
    new_name: Option<String>,
}

/// The text that the asterisk of a generic name matches in a name.
fn meant<'a>(pattern: &str, name: &'a str) -> &'a str {
    pattern.split('.').zip(name.split('.')).find(|(qualifier, _)| *qualifier == ANY).map_or("", |(_, meant)| meant)
}

/// Refuses a generic name in a form that ALTER does not accept.
fn check_generic(name: &str) -> Done {
    let generic: Vec<usize> = name.split('.').enumerate().filter(|(_, part)| is_generic(part)).map(|(position, _)| position).collect();
    match generic[..] {
        [position] if position > 0 && name.split('.').nth(position) == Some(ANY) => Ok(()),
        _ => Err(Failure::syntax(format!("IDC3203I ITEM '{name}' DOES NOT ADHERE TO RESTRICTIONS: ONE ASTERISK STANDS FOR A QUALIFIER"))),
    }
}

impl<'a> Changes<'a> {
    fn new(name: &str, parameters: &'a [Parameter]) -> Result<Changes<'a>, Failure> {
        if let Some(unknown) = parameters.iter().find(|parameter| !KEYWORDS.contains(&parameter.word())) {
            return Err(Failure::improper(unknown));
        }
        super::exclusive(parameters, GROUP_EXCLUSIVE)?;
        let new_name = match parameters.iter().find(|parameter| matches!(parameter.word(), "NEWNAME" | "NEWNM")) {
            Some(parameter) => Some(name_of(super::one_value(parameter)?)?),
            None => None,
        };
        for generic in [Some(name), new_name.as_deref()].into_iter().flatten().filter(|name| is_generic(name)) {
            check_generic(generic)?;
        }
        if let Some(new_name) = &new_name
            && is_generic(new_name) != is_generic(name)
        {
            let why = format!("IDC3203I ITEM '{new_name}' DOES NOT ADHERE TO RESTRICTIONS: BOTH NAMES ARE GENERIC, OR NONE");
            return Err(Failure::syntax(why));
        }
        Ok(Changes { parameters, new_name })
    }

    fn rolls_in(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter.word(), "ROLLIN" | "ROL"))
    }

    /// Whether nothing but the name changes.
    fn name_only(&self) -> bool {
        self.parameters
            .iter()
            .all(|parameter| matches!(parameter.word(), "NEWNAME" | "NEWNM" | "ROLLIN" | "ROL" | "CATALOG" | "CAT" | "FILE"))
    }
}

impl Run<'_> {
    pub(super) fn alter(&mut self, command: &Command) -> Done {
        let Some(first) = command.parameters.first() else { return Err(Failure::missing("ENTRYNAME")) };
        let name = name_of(first)?;
        let changes = Changes::new(&name, &command.parameters[1..])?;
        let generic = is_generic(&name);
        let entries = if generic { self.entries_like(&name)? } else { vec![name.clone()] };
        for parameter in changes.parameters.iter().filter(|parameter| matches!(parameter.word(), "INHIBIT" | "INH")) {
            self.without_meaning(parameter);
        }
        let mut owners = Vec::new();
        for entry in entries {
            let new_name = changes.new_name.as_ref().map(|new| new.replace(ANY, meant(&name, &entry)));
            match self.alter_one(&entry, new_name, &changes, &mut owners) {
                Ok(()) => self.listing.line(&format!("IDC0531I ENTRY {entry} ALTERED")),
                Err(failure) if !generic && failure.is_syntax() => return Err(failure),
                Err(failure) => {
                    self.fail(failure.of_one_entry());
                    self.listing.line(&format!("IDC0532I **ENTRY {entry} NOT ALTERED"));
                }
            }
        }
        Ok(())
    }

    /// The entries a generic name stands for.
    fn entries_like(&self, pattern: &str) -> Result<Vec<String>, Failure> {
        let mut names = Vec::new();
        self.data_sets.catalog().for_each(pattern.split(ANY).next(), |name, entry| {
            if !matches!(entry, Entry::Alias(_)) && super::mask::matches(pattern, name) {
                names.push(name.to_string());
            }
        })?;
        if names.is_empty() { Err(super::not_found(pattern)) } else { Ok(names) }
    }

    /// `owners`: the entries whose attributes have been altered, by their own name or a component's.
    fn alter_one(&mut self, name: &str, new_name: Option<String>, changes: &Changes<'_>, owners: &mut Vec<String>) -> Done {
        if let Some(new_name) = &new_name {
            if new_name.len() > NAME_LENGTH_MAX {
                return Err(Failure::new(8, [format!("IDC3203I ITEM '{new_name}' DOES NOT ADHERE TO RESTRICTIONS")]));
            }
            if self.data_sets.catalog().get(new_name)?.is_some() {
                return Err(refused(FileError::DataSetExists(new_name.clone())));
            }
        }
        // The attributes of a component are kept with its cluster or alternate index.
        let (owner, is_component) = match self.data_sets.catalog().get(name)? {
            Some(Entry::Component(owner, _)) => (owner, true),
            _ => (name.to_string(), false),
        };
        let is_attribute = !(changes.name_only() && (is_component || changes.rolls_in()));
        if is_attribute && !owners.contains(&owner) {
            self.alter_attributes(&owner, changes.parameters)?;
        }
        if changes.rolls_in() {
            let file = self.dds.resolve_data_set(name);
            let has_file = matches!(file, Some(DdTarget::File { path, .. }) if path.is_file());
            let rolled_off = self.data_sets.roll_in_again(name, has_file).map_err(|error| not_rolled_in(name, error))?;
            self.list_rolled_off(&rolled_off);
        }
        match new_name {
            Some(new_name) => self.rename(name, &new_name)?,
            None => owners.push(owner),
        }
        Ok(())
    }

    /// Renames an entry; a non-VSAM data set with its flat file.
    fn rename(&mut self, name: &str, new_name: &str) -> Done {
        let is_flat = matches!(self.data_sets.catalog().get(name)?, Some(Entry::NonVsam(_)));
        let failed =
            |error: std::io::Error| Failure::new(8, [format!("IDC3302I ACTION ERROR ON {name}: {}", error.to_string().to_uppercase())]);
        let moved = is_flat && self.dds.rename(name, new_name).map_err(failed)?;
        match self.data_sets.rename(name, new_name) {
            Ok(rolled_off) => self.list_rolled_off(&rolled_off),
            Err(error) => {
                if moved {
                    self.dds.rename(new_name, name).map_err(failed)?;
                }
                return Err(refused(error));
            }
        }
        Ok(())
    }

    /// All the changes of an entry, or none.
    fn alter_attributes(&mut self, name: &str, changes: &[Parameter]) -> Done {
        // The records in the data set depend on these, so they change only while it is empty.
        let shaped = |parameter: &Parameter| {
            matches!(parameter.word(), "KEYS" | "KEY" | "RECORDSIZE" | "RECSZ" | "UNIQUEKEY" | "UNQK" | "NONUNIQUEKEY" | "NUNQK")
        };
        if changes.iter().any(shaped) && !self.is_empty(name)? {
            return Err(Failure::new(12, [format!("IDC3226I ALTER: {name} IS NOT EMPTY, KEYS AND RECORDSIZE STAY")]));
        }
        let mut problem = None;
        let rolled_off = self.data_sets.alter(name, |entry| {
            let altered = changes.iter().try_for_each(|parameter| alter_entry(entry, parameter));
            altered.and_then(|()| still_fits(entry)).map_err(|failure| {
                problem = Some(failure);
                FileError::NotAllowed("ALTER")
            })
        });
        self.list_rolled_off(&rolled_off.map_err(|error| problem.unwrap_or_else(|| refused(error)))?);
        Ok(())
    }
}

/// Refuses changes that a compressed cluster cannot have.
fn still_fits(entry: &Entry) -> Done {
    match entry {
        Entry::Cluster(cluster) if cluster.attributes.compressed => match unfit(cluster.organization, &cluster.attributes) {
            None => Ok(()),
            Some(why) => Err(Failure::new(12, [format!("IDC3007I COMPRESSED: {why}")])),
        },
        _ => Ok(()),
    }
}

/// A change to one entry that the catalog refuses.
fn refused(error: FileError) -> Failure {
    Failure { code: 8, ..error.into() }
}

/// Why a data set does not become part of its generation group.
fn not_rolled_in(name: &str, error: FileError) -> Failure {
    match error {
        FileError::NotAllowed(why) => Failure::new(8, [format!("IDC3302I ACTION ERROR ON {name}: NOT ROLLED IN, {}", why.to_uppercase())]),
        error => refused(error),
    }
}

/// A keyword that is not an attribute of this kind of entry.
fn wrong_type(parameter: &Parameter) -> Failure {
    let what = format!("IDC3019I INVALID ENTRY TYPE FOR REQUESTED ACTION: {}", shown(parameter));
    Failure::new(8, [what, "IDC3009I ** VSAM CATALOG RETURN CODE IS 60".to_string()])
}

fn alter_entry(entry: &mut Entry, parameter: &Parameter) -> Done {
    match (parameter.word(), entry) {
        ("NEWNAME" | "NEWNM" | "CATALOG" | "CAT" | "FILE" | "ROLLIN" | "ROL", _) => {}
        ("UPGRADE" | "UPG", Entry::AlternateIndex(index)) => index.upgrade = true,
        ("NOUPGRADE" | "NUPG", Entry::AlternateIndex(index)) => index.upgrade = false,
        ("UNIQUEKEY" | "UNQK", Entry::AlternateIndex(index)) => index.unique = true,
        ("NONUNIQUEKEY" | "NUNQK", Entry::AlternateIndex(index)) => index.unique = false,
        ("UPDATE" | "UPD", Entry::Path(path)) => path.update = true,
        ("NOUPDATE" | "NUPD", Entry::Path(path)) => path.update = false,
        ("LIMIT" | "LIM", Entry::GenerationGroup(group)) => {
            group.limit = numbers(parameter, 1, 1)?[0];
            super::define::check_limit(group)?;
        }
        ("FIFO", Entry::GenerationGroup(group)) => group.fifo = true,
        ("LIFO", Entry::GenerationGroup(group)) => group.fifo = false,
        ("EMPTY" | "EMP", Entry::GenerationGroup(group)) => group.empty = true,
        ("NOEMPTY" | "NEMP", Entry::GenerationGroup(group)) => group.empty = false,
        ("SCRATCH" | "SCR", Entry::GenerationGroup(group)) => group.scratch = true,
        ("NOSCRATCH" | "NSCR", Entry::GenerationGroup(group)) => group.scratch = false,
        ("PURGE" | "PRG", Entry::GenerationGroup(group)) => group.purge = true,
        ("NOPURGE" | "NPRG", Entry::GenerationGroup(group)) => group.purge = false,
        ("INHIBIT" | "INH" | "UNINHIBIT" | "UNINH", _) => {}
        ("TO" | "FOR", entry) => match entry.expires_mut() {
            Some(expires) => *expires = super::draft::expiration(parameter)?,
            None => return Err(wrong_type(parameter)),
        },
        ("NULLIFY" | "NULL", entry) => nullify(entry, parameter)?,
        (_, entry) => match entry.attributes_mut() {
            Some(attributes) => alter_attribute(attributes, parameter)?,
            None => return Err(wrong_type(parameter)),
        },
    }
    Ok(())
}

/// What clusters and alternate indexes have in common.
fn alter_attribute(attributes: &mut Attributes, parameter: &Parameter) -> Done {
    match parameter.word() {
        "FREESPACE" | "FSPC" => {
            let values = numbers(parameter, 1, 2)?;
            attributes.freespace_ci = values[0];
            attributes.freespace_ca = values.get(1).copied().unwrap_or(0);
        }
        "SHAREOPTIONS" | "SHR" => {
            let values = numbers(parameter, 1, 2)?;
            attributes.share_cross_region = values[0];
            attributes.share_cross_system = values.get(1).copied().unwrap_or(3);
        }
        "BUFFERSPACE" | "BUFSP" | "BUFSPC" => attributes.buffer_space = numbers(parameter, 1, 1)?[0],
        "ADDVOLUMES" | "AVOL" => {
            attributes.volumes.extend(parameter.arguments.as_deref().unwrap_or_default().iter().map(shown));
        }
        "REMOVEVOLUMES" | "RVOL" => {
            let gone: Vec<String> = parameter.arguments.as_deref().unwrap_or_default().iter().map(shown).collect();
            attributes.volumes.retain(|volume| !gone.contains(volume));
        }
        "ERASE" | "ERAS" => attributes.erase = true,
        "NOERASE" | "NERAS" => attributes.erase = false,
        "REUSE" | "RUS" => attributes.reuse = true,
        "NOREUSE" | "NRUS" => attributes.reuse = false,
        "WRITECHECK" | "WCK" => attributes.write_check = true,
        "NOWRITECHECK" | "NWCK" => attributes.write_check = false,
        "OWNER" => attributes.owner = shown(super::one_value(parameter)?),
        "STORAGECLASS" | "STORCLAS" | "STORCLASS" | "SC" => attributes.storage_class = shown(super::one_value(parameter)?),
        "MANAGEMENTCLASS" | "MGMTCLAS" | "MGMTCLASS" | "MGC" => {
            attributes.management_class = shown(super::one_value(parameter)?);
        }
        // As with DEFINE, of real volumes and SMS.
        "ACCOUNT" | "ACCT" | "EATTR" | "FRLOG" | "EXCEPTIONEXIT" | "EEXT" | "RLSENABLE" | "RLSQUIESCE" => {}
        "LOGSTREAMID" | "LSID" => attributes.log_stream = super::log_stream(parameter)?,
        "LOG" => {
            attributes.log = match super::one_value(parameter)?.word() {
                "NONE" => LogOption::None,
                "UNDO" => LogOption::Undo,
                "ALL" => LogOption::All,
                _ => return Err(Failure::improper(parameter)),
            }
        }
        "KEYS" | "KEY" => alter_key(attributes, parameter)?,
        "RECORDSIZE" | "RECSZ" => alter_record_size(attributes, parameter)?,
        "BWO" => attributes.backup = super::draft::backup(parameter)?,
        "LOGREPLICATE" => attributes.log_replicate = true,
        "NOLOGREPLICATE" => attributes.log_replicate = false,
        _ => return Err(wrong_type(parameter)),
    }
    Ok(())
}

fn alter_key(attributes: &mut Attributes, parameter: &Parameter) -> Done {
    let values = numbers(parameter, 2, 2)?;
    let end = values[0].saturating_add(values[1]);
    if !(1..=KEY_LENGTH_MAX as u32).contains(&values[0]) || end > attributes.record_max {
        return Err(Failure::new(12, ["IDC3007I KEYS: THE KEY LIES OUTSIDE THE RECORD".to_string()]));
    }
    (attributes.key_length, attributes.key_position) = (values[0], values[1]);
    Ok(())
}

fn alter_record_size(attributes: &mut Attributes, parameter: &Parameter) -> Done {
    let values = numbers(parameter, 2, 2)?;
    // A record that is not spanned shares its control interval with seven bytes of control information.
    let longest = if attributes.spanned { u32::MAX } else { attributes.ci_size.saturating_sub(7) };
    if let Some(why) = super::draft::refused_record_size(values[0], values[1], longest as usize) {
        return Err(Failure::new(12, [format!("IDC3007I {why}")]));
    }
    (attributes.record_average, attributes.record_max) = (values[0], values[1]);
    Ok(())
}

/// NULLIFY: attributes as if nobody had given them.
fn nullify(entry: &mut Entry, parameter: &Parameter) -> Done {
    for what in parameter.arguments.as_deref().unwrap_or_default() {
        if matches!(what.word(), "RETENTION" | "RETN") {
            *entry.expires_mut().ok_or_else(|| wrong_type(what))? = 0;
            continue;
        }
        let Some(attributes) = entry.attributes_mut() else { return Err(wrong_type(what)) };
        match what.word() {
            "OWNER" => attributes.owner.clear(),
            "LOGSTREAMID" | "LSID" => attributes.log_stream.clear(),
            "BWO" => attributes.backup = BackupOption::Undefined,
            "LOG" => attributes.log = LogOption::Undefined,
            "AUTHORIZATION" | "AUTH" | "EXCEPTIONEXIT" | "EEXT" => {}
            _ => return Err(Failure::improper(what)),
        }
    }
    Ok(())
}
