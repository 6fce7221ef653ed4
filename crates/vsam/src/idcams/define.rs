//! DEFINE: CLUSTER, ALTERNATEINDEX, PATH, GENERATIONDATAGROUP, NONVSAM, ALIAS; catalogs and page spaces are noted and ignored.
//!
//! Invariant: every keyword of the command is either applied, kept for listing, accepted as without meaning here (listed in
//! `IGNORED`), or refused by name.

use super::parser::{Command, Parameter};
use super::{Done, Failure, Run, exclusive, numbers, one_name, one_value, shown};
use crate::catalog::default_ci_size;
use crate::catalog::retention;
use crate::catalog::*;
use crate::moment::Moment;

/// Control interval of a linear data set, of which all others are multiples.
const LINEAR_CI_BYTES: u32 = 4096;
const CI_BYTES_MAX: u32 = 32_768;
/// RECORDSIZE of an alternate index that says nothing of it.
const INDEX_RECORD_DEFAULT: (u32, u32) = (4086, 32_600);

/// Keywords with nothing to do here: they concern real volumes, SMS, RLS internals and obsolete options.
const IGNORED: &[&str] = &[
    "IMBED",
    "NOIMBED",
    "IMBD",
    "NIMBD",
    "REPLICATE",
    "NOREPLICATE",
    "REPL",
    "NREPL",
    "UNORDERED",
    "ORDERED",
    "UNORD",
    "ORD",
    "UNIQUE",
    "UNQ",
    "SUBALLOCATION",
    "SUBAL",
    "KEYRANGES",
    "KRNG",
    "EXCEPTIONEXIT",
    "EEXT",
    "FRLOG",
    "CATALOG",
    "CAT",
    "FILE",
    "ATTEMPTS",
    "ATT",
    "AUTHORIZATION",
    "AUTH",
    "CODE",
    "CONTROLPW",
    "CTLPW",
    "MASTERPW",
    "MRPW",
    "READPW",
    "RDPW",
    "UPDATEPW",
    "UPDPW",
    "SHR0",
    "EATTR",
    "ACCOUNT",
    "ACCT",
    "RECATALOG",
    "RCTLG",
    "NORECATALOG",
    "NRCTLG",
    "KEYLABEL",
    "NOEMPTY",
    "NEMP",
    "NOSCRATCH",
    "NSCR",
    "LIFO",
    "RLSENABLE",
    "RLSQUIESCE",
    "BUFND",
    "BUFNI",
    "STRNO",
    "FRSPC",
];

/// Keywords of which a list takes one.
const EXCLUSIVE: &[&[&str]] = &[
    &["INDEXED", "IXD", "NONINDEXED", "NIXD", "NUMBERED", "NUMD", "LINEAR", "LIN"],
    &[
        "TRACKS",
        "TRACK",
        "TRK",
        "TRKS",
        "CYLINDERS",
        "CYLINDER",
        "CYL",
        "CYLS",
        "RECORDS",
        "RECORD",
        "REC",
        "KILOBYTES",
        "KILOBYTE",
        "KB",
        "MEGABYTES",
        "MEGABYTE",
        "MB",
    ],
    &["REUSE", "RUS", "NOREUSE", "NRUS"],
    &["SPANNED", "SPND", "NONSPANNED", "NSPND"],
    &["SPEED", "RECOVERY", "RCVY"],
    &["ERASE", "ERAS", "NOERASE", "NERAS"],
    &["UNIQUEKEY", "UNQK", "NONUNIQUEKEY", "NUNQK"],
    &["UPGRADE", "UPG", "NOUPGRADE", "NUPG"],
    &["UPDATE", "UPD", "NOUPDATE", "NUPD"],
    &["TO", "FOR"],
    &["COMPRESSED", "NOTCOMPRESSED"],
    &["KEYS", "KEY"],
    &["RECORDSIZE", "RECSZ"],
    &["NAME"],
];

/// Generations a group defined EXTENDED may have.
const GENERATIONS_EXTENDED_MAX: u32 = 999;
/// Of a group: its generations have nine characters more.
const GROUP_NAME_LENGTH_MAX: usize = 35;
/// Attributes of a group of which a command gives one.
pub(super) const GROUP_EXCLUSIVE: &[&[&str]] = &[
    &["EMPTY", "EMP", "NOEMPTY", "NEMP"],
    &["SCRATCH", "SCR", "NOSCRATCH", "NSCR"],
    &["FIFO", "LIFO"],
    &["EXTENDED", "EXT", "NOEXTENDED", "NOEXT"],
    &["PURGE", "PRG", "NOPURGE", "NPRG"],
    &["TO", "FOR"],
];

/// LIMIT within what the group allows.
pub(super) fn check_limit(group: &GenerationGroupEntry) -> Done {
    let most = if group.extended { GENERATIONS_EXTENDED_MAX } else { GENERATIONS_MAX };
    if (1..=most).contains(&group.limit) { Ok(()) } else { Err(Failure::syntax(format!("IDC3218I LIMIT IS FROM 1 TO {most}"))) }
}

/// The expiration date of TO(date) or FOR(days): year x 1000 + day of the year.
pub(super) fn expiration(parameter: &Parameter) -> Result<u32, Failure> {
    let value = numbers(parameter, 1, 1)?[0];
    let date = if parameter.word() == "FOR" { retention::after(value) } else { retention::date(value) };
    date.ok_or_else(|| Failure::syntax(format!("IDC3203I ITEM '{value}' DOES NOT ADHERE TO RESTRICTIONS OF '{}'", parameter.word())))
}

/// BWO(TYPECICS | TYPEIMS | NO).
pub(super) fn backup(parameter: &Parameter) -> Result<BackupOption, Failure> {
    Ok(match one_value(parameter)?.word() {
        "TYPECICS" => BackupOption::TypeCics,
        "TYPEIMS" => BackupOption::TypeIms,
        "TYPEOTHER" => BackupOption::TypeOther,
        "NO" => BackupOption::No,
        _ => return Err(Failure::improper(parameter)),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Cluster,
    Data,
    Index,
}

pub(super) struct Draft {
    pub name: String,
    pub attributes: Attributes,
    pub organisation: Organisation,
    ci_size: Option<u32>,
    relate: String,
    through: String,
    unique: bool,
    upgrade: bool,
    update: bool,
    pub alternate_index: bool,
    /// COMPRESSED or NOTCOMPRESSED.
    pub compressed: Option<bool>,
    record_size_given: bool,
}

impl Draft {
    fn new() -> Draft {
        let mut attributes = Attributes::new(64, 0, 4089, 4089);
        attributes.created = Moment::now().ordinal();
        attributes.space_secondary = 0;
        Draft {
            name: String::new(),
            attributes,
            organisation: Organisation::Ksds,
            ci_size: None,
            relate: String::new(),
            through: String::new(),
            unique: false,
            upgrade: true,
            update: true,
            alternate_index: false,
            compressed: None,
            record_size_given: false,
        }
    }

    fn apply_all(&mut self, list: &Parameter, level: Level) -> Done {
        exclusive(list.arguments.as_deref().unwrap_or_default(), EXCLUSIVE)?;
        for parameter in list.arguments.as_deref().unwrap_or_default() {
            if self.apply_organisation(parameter, level)? || self.apply_size(parameter, level)? {
                continue;
            }
            self.apply_flag(parameter)?;
        }
        Ok(())
    }

    /// Names, organisation and what belongs to alternate indexes and paths. False if the keyword is none of them.
    fn apply_organisation(&mut self, parameter: &Parameter, level: Level) -> Result<bool, Failure> {
        match parameter.word() {
            "NAME" => {
                let name = one_name(parameter)?;
                match level {
                    Level::Cluster => self.name = name,
                    Level::Data => self.attributes.data_name = name,
                    Level::Index => self.attributes.index_name = name,
                }
            }
            "INDEXED" | "IXD" => self.organisation = Organisation::Ksds,
            "NONINDEXED" | "NIXD" => self.organisation = Organisation::Esds,
            "NUMBERED" | "NUMD" => self.organisation = Organisation::Rrds,
            "LINEAR" | "LIN" => self.organisation = Organisation::Linear,
            "RELATE" | "REL" => self.relate = one_name(parameter)?,
            "PATHENTRY" | "PENT" => self.through = one_name(parameter)?,
            "UNIQUEKEY" | "UNQK" => self.unique = true,
            "NONUNIQUEKEY" | "NUNQK" => self.unique = false,
            "UPGRADE" | "UPG" => self.upgrade = true,
            "NOUPGRADE" | "NUPG" => self.upgrade = false,
            "UPDATE" | "UPD" => self.update = true,
            "NOUPDATE" | "NUPD" => self.update = false,
            "COMPRESSED" if !self.alternate_index => self.compressed = Some(true),
            "NOTCOMPRESSED" if !self.alternate_index => self.compressed = Some(false),
            // Taken by `model` before everything else.
            "MODEL" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// MODEL: the attributes of an entry, where the command does not say others.
    fn model(&mut self, entry: &Entry) -> Done {
        match entry {
            Entry::Cluster(cluster) if !self.alternate_index => {
                // Fixed or variable: as the lengths of the records say in the end.
                let numbered = cluster.organisation == Organisation::Vrrds;
                self.organisation = if numbered { Organisation::Rrds } else { cluster.organisation };
            }
            Entry::AlternateIndex(index) if self.alternate_index => (self.unique, self.upgrade) = (index.unique, index.upgrade),
            _ => return Err(Failure::new(12, ["IDC3007I MODEL: AN ENTRY OF ANOTHER TYPE".to_string()])),
        }
        let Some(attributes) = entry.attributes() else { return Ok(()) };
        let (data_name, index_name, created) = (String::new(), String::new(), self.attributes.created);
        self.attributes = Attributes { data_name, index_name, created, expires: 0, ..attributes.clone() };
        if self.organisation == Organisation::Linear {
            (self.attributes.record_average, self.attributes.record_max) = (0, 0);
        }
        self.ci_size = Some(attributes.ci_size);
        Ok(())
    }

    /// Keys, record and control interval sizes, space. False if the keyword is none of them.
    fn apply_size(&mut self, parameter: &Parameter, level: Level) -> Result<bool, Failure> {
        let attributes = &mut self.attributes;
        let mut space = |unit: SpaceUnit| -> Done {
            let values = numbers(parameter, 1, 2)?;
            if level != Level::Index {
                attributes.space_unit = unit;
                attributes.space_primary = values[0];
                attributes.space_secondary = values.get(1).copied().unwrap_or(0);
            }
            Ok(())
        };
        match parameter.word() {
            "TRACKS" | "TRACK" | "TRK" | "TRKS" => space(SpaceUnit::Tracks)?,
            "CYLINDERS" | "CYLINDER" | "CYL" | "CYLS" => space(SpaceUnit::Cylinders)?,
            "RECORDS" | "RECORD" | "REC" => space(SpaceUnit::Records)?,
            "KILOBYTES" | "KILOBYTE" | "KB" => space(SpaceUnit::Kilobytes)?,
            "MEGABYTES" | "MEGABYTE" | "MB" => space(SpaceUnit::Megabytes)?,
            "KEYS" | "KEY" => {
                let values = numbers(parameter, 2, 2)?;
                (attributes.key_length, attributes.key_position) = (values[0], values[1]);
            }
            "RECORDSIZE" | "RECSZ" => {
                let values = numbers(parameter, 2, 2)?;
                (attributes.record_average, attributes.record_max) = (values[0], values[1]);
                self.record_size_given = true;
            }
            "FREESPACE" | "FSPC" => {
                let values = numbers(parameter, 1, 2)?;
                attributes.freespace_ci = values[0];
                attributes.freespace_ca = values.get(1).copied().unwrap_or(0);
            }
            "CONTROLINTERVALSIZE" | "CISZ" | "CNVSZ" => {
                let size = numbers(parameter, 1, 1)?[0];
                if level == Level::Index {
                    attributes.index_ci_size = size;
                } else {
                    self.ci_size = Some(size);
                }
            }
            "SHAREOPTIONS" | "SHR" => {
                let values = numbers(parameter, 1, 2)?;
                attributes.share_cross_region = values[0];
                attributes.share_cross_system = values.get(1).copied().unwrap_or(3);
            }
            "BUFFERSPACE" | "BUFSP" | "BUFSPC" => attributes.buffer_space = numbers(parameter, 1, 1)?[0],
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn apply_flag(&mut self, parameter: &Parameter) -> Done {
        let attributes = &mut self.attributes;
        match parameter.word() {
            "REUSE" | "RUS" => attributes.reuse = true,
            "NOREUSE" | "NRUS" => attributes.reuse = false,
            "SPANNED" | "SPND" => attributes.spanned = true,
            // The records of an alternate index span intervals whatever is said.
            "NONSPANNED" | "NSPND" => attributes.spanned = self.alternate_index,
            "ERASE" | "ERAS" => attributes.erase = true,
            "NOERASE" | "NERAS" => attributes.erase = false,
            "SPEED" => attributes.speed = true,
            "RECOVERY" | "RCVY" => attributes.speed = false,
            "WRITECHECK" | "WCK" => attributes.write_check = true,
            "NOWRITECHECK" | "NWCK" => attributes.write_check = false,
            "OWNER" => attributes.owner = shown(one_value(parameter)?),
            "VOLUMES" | "VOLUME" | "VOL" | "VOLS" => {
                attributes.volumes = parameter.arguments.as_deref().unwrap_or_default().iter().map(shown).collect();
            }
            "STORAGECLASS" | "STORCLAS" | "STORCLASS" | "SC" => attributes.storage_class = shown(one_value(parameter)?),
            "MANAGEMENTCLASS" | "MGMTCLAS" | "MGMTCLASS" | "MGC" => {
                attributes.management_class = shown(one_value(parameter)?);
            }
            "DATACLASS" | "DATACLAS" | "DATACLS" | "DCLAS" => attributes.data_class = shown(one_value(parameter)?),
            "TO" | "FOR" => attributes.expires = expiration(parameter)?,
            "LOGSTREAMID" | "LSID" => attributes.log_stream = super::log_stream(parameter)?,
            "LOGREPLICATE" => attributes.log_replicate = true,
            "NOLOGREPLICATE" => attributes.log_replicate = false,
            "BWO" => attributes.backup = backup(parameter)?,
            "LOG" => {
                attributes.log = match one_value(parameter)?.word() {
                    "NONE" => LogOption::None,
                    "UNDO" => LogOption::Undo,
                    "ALL" => LogOption::All,
                    _ => return Err(Failure::improper(parameter)),
                }
            }
            word if IGNORED.contains(&word) => {}
            _ => return Err(Failure::improper(parameter)),
        }
        Ok(())
    }

    /// Checks the whole and settles defaults.
    fn finish(&mut self) -> Done {
        let invalid = |what: String| Err(Failure::new(12, [format!("IDC3007I {what}")]));
        if self.name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        let a = &mut self.attributes;
        if self.organisation == Organisation::Rrds && a.record_average != a.record_max {
            self.organisation = Organisation::Vrrds;
        }
        if !self.alternate_index && self.organisation != Organisation::Ksds {
            (a.key_length, a.key_position) = (0, 0);
        }
        if self.organisation == Organisation::Linear {
            let size = self.ci_size.unwrap_or(LINEAR_CI_BYTES).next_multiple_of(LINEAR_CI_BYTES).min(CI_BYTES_MAX);
            if self.record_size_given || a.spanned {
                return invalid("RECORDSIZE AND SPANNED ARE NOT FOR A LINEAR DATA SET".to_string());
            }
            (a.record_average, a.record_max, a.ci_size, self.ci_size) = (size, size, size, Some(size));
            return Ok(());
        }
        if a.spanned && matches!(self.organisation, Organisation::Rrds | Organisation::Vrrds) {
            return invalid("SPANNED IS NOT FOR A NUMBERED DATA SET".to_string());
        }
        let longest = match self.organisation {
            _ if a.spanned => RECORD_LENGTH_MAX,
            Organisation::Vrrds => RECORD_LENGTH_NUMBERED_MAX,
            _ => RECORD_LENGTH_NONSPANNED_MAX,
        };
        if let Some(why) = refused_record_size(a.record_average, a.record_max, longest) {
            return invalid(why);
        }
        let keyed = self.alternate_index || self.organisation == Organisation::Ksds;
        if keyed && !(1..=KEY_LENGTH_MAX as u32).contains(&a.key_length) {
            return invalid(format!("KEYS: A KEY HAS 1 TO 255 BYTES, NOT {}", a.key_length));
        }
        if keyed && !self.alternate_index && a.key_position.saturating_add(a.key_length) > a.record_max {
            return invalid("KEYS: THE KEY LIES OUTSIDE THE RECORD".to_string());
        }
        if a.freespace_ci > 100 || a.freespace_ca > 100 {
            return invalid("FREESPACE: A PERCENTAGE IS AT MOST 100".to_string());
        }
        if !(1..=4).contains(&a.share_cross_region) || !(3..=4).contains(&a.share_cross_system) {
            return invalid("SHAREOPTIONS NOT ALLOWED".to_string());
        }
        a.ci_size = match self.ci_size {
            None => default_ci_size(a.record_max, a.spanned || self.alternate_index),
            Some(size) if size > CI_BYTES_MAX => return invalid(format!("CONTROLINTERVALSIZE({size}) IS OVER 32768")),
            Some(size) if size <= 8192 => size.max(512).next_multiple_of(512),
            Some(size) => size.next_multiple_of(2048),
        };
        if !a.spanned && !self.alternate_index && a.record_max + 7 > a.ci_size {
            a.ci_size = default_ci_size(a.record_max, false);
        }
        if a.spanned && !self.alternate_index && a.record_max > a.cis_per_ca() * (a.ci_size - 10) {
            return invalid("RECORDSIZE: A SPANNED RECORD IS NOT LONGER THAN A CONTROL AREA".to_string());
        }
        if !a.spanned && !self.alternate_index && a.record_max + 7 > a.ci_size {
            return invalid("RECORDSIZE: A RECORD OF THIS LENGTH MUST BE SPANNED".to_string());
        }
        Ok(())
    }
}

/// Why RECORDSIZE is not allowed.
pub(super) fn refused_record_size(average: u32, maximum: u32, longest: usize) -> Option<String> {
    let why = match () {
        _ if average == 0 => "A RECORD HAS AT LEAST 1 BYTE".to_string(),
        _ if average > maximum => format!("THE AVERAGE LENGTH {average} IS GREATER THAN THE MAXIMUM {maximum}"),
        _ if maximum as usize > longest => format!("THE LONGEST RECORD OF THIS DATA SET HAS {longest} BYTES"),
        _ => return None,
    };
    Some(format!("RECORDSIZE({average} {maximum}) NOT ALLOWED: {why}"))
}

impl Run<'_> {
    pub(super) fn define(&mut self, command: &Command) -> Done {
        let Some(object) = command.parameters.first() else { return Err(Failure::missing("TYPE OF OBJECT")) };
        match object.word() {
            "CLUSTER" | "CL" => self.define_data(command, false),
            "ALTERNATEINDEX" | "AIX" => self.define_data(command, true),
            "PATH" => self.define_path(object),
            "GENERATIONDATAGROUP" | "GDG" => self.define_group(object),
            "NONVSAM" | "NVSAM" => self.define_non_vsam(object),
            "ALIAS" => self.define_alias(object),
            "USERCATALOG" | "UCAT" | "MASTERCATALOG" | "MCAT" | "SPACE" | "SPC" | "PAGESPACE" | "PGSPC" => {
                self.listing.message(4, &format!("IDC2011I {} HAS NO MEANING HERE AND WAS NOT DEFINED", object.word()));
                Ok(())
            }
            _ => Err(Failure::improper(object)),
        }
    }

    fn define_data(&mut self, command: &Command, alternate_index: bool) -> Done {
        let mut draft = Draft::new();
        draft.alternate_index = alternate_index;
        draft.attributes.spanned = alternate_index;
        if alternate_index {
            (draft.attributes.record_average, draft.attributes.record_max) = INDEX_RECORD_DEFAULT;
        }
        for list in &command.parameters {
            let model = list.arguments.as_deref().unwrap_or_default().iter().find(|parameter| parameter.word() == "MODEL");
            if let Some(model) = model {
                draft.model(&self.model_entry(&one_name(model)?)?)?;
            }
        }
        for parameter in &command.parameters {
            match parameter.word() {
                "CLUSTER" | "CL" | "ALTERNATEINDEX" | "AIX" => draft.apply_all(parameter, Level::Cluster)?,
                "DATA" => draft.apply_all(parameter, Level::Data)?,
                "INDEX" | "IX" => draft.apply_all(parameter, Level::Index)?,
                "CATALOG" | "CAT" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        draft.finish()?;
        self.settle_compression(&mut draft)?;
        let (name, volume) = (draft.name.clone(), draft.attributes.volumes.first().cloned());
        if alternate_index {
            if draft.relate.is_empty() {
                return Err(Failure::missing("RELATE"));
            }
            let (unique, upgrade) = (draft.unique, draft.upgrade);
            self.data_sets.define_index(&name, &draft.relate, unique, upgrade, draft.attributes)?;
        } else {
            self.data_sets.define_cluster(&name, draft.organisation, draft.attributes)?;
        }
        let indexed = alternate_index || draft.organisation.has_index();
        let volume = volume.unwrap_or_else(|| "REGENT".to_string());
        self.listing.line(&format!("IDC0508I DATA ALLOCATION STATUS FOR VOLUME {volume} IS 0"));
        if indexed {
            self.listing.line(&format!("IDC0509I INDEX ALLOCATION STATUS FOR VOLUME {volume} IS 0"));
        }
        Ok(())
    }

    /// The entry MODEL names: of a component, its cluster's or alternate index's.
    fn model_entry(&self, name: &str) -> Result<Entry, Failure> {
        match self.data_sets.catalog().resolve(name)? {
            Some((_, Entry::Component(owner, _))) => self.model_entry(&owner),
            Some((_, entry)) => Ok(entry),
            None => Err(super::not_found(name)),
        }
    }

    fn define_path(&mut self, object: &Parameter) -> Done {
        let mut draft = Draft::new();
        let model = object.arguments.as_deref().unwrap_or_default().iter().find(|parameter| parameter.word() == "MODEL");
        if let Some(model) = model {
            match self.model_entry(&one_name(model)?)? {
                Entry::Path(path) => (draft.through, draft.update) = (path.entry, path.update),
                _ => return Err(Failure::new(12, ["IDC3007I MODEL: AN ENTRY OF ANOTHER TYPE".to_string()])),
            }
        }
        draft.apply_all(object, Level::Cluster)?;
        if draft.name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        if draft.through.is_empty() {
            return Err(Failure::missing("PATHENTRY"));
        }
        Ok(self.data_sets.define_path_until(&draft.name, &draft.through, draft.update, draft.attributes.expires)?)
    }

    fn define_group(&mut self, object: &Parameter) -> Done {
        let mut name = String::new();
        let mut group = GenerationGroupEntry {
            limit: 0,
            scratch: false,
            empty: false,
            fifo: false,
            generations: Vec::new(),
            created: Moment::now().ordinal(),
            expires: 0,
            purge: false,
            extended: false,
        };
        let arguments = object.arguments.as_deref().unwrap_or_default();
        super::exclusive(arguments, GROUP_EXCLUSIVE)?;
        for parameter in object.arguments.as_deref().unwrap_or_default() {
            match parameter.word() {
                "NAME" => name = one_name(parameter)?,
                "LIMIT" | "LIM" => group.limit = numbers(parameter, 1, 1)?[0],
                "SCRATCH" | "SCR" => group.scratch = true,
                "EMPTY" | "EMP" => group.empty = true,
                "FIFO" => group.fifo = true,
                "EXTENDED" | "EXT" => group.extended = true,
                "PURGE" | "PRG" => group.purge = true,
                "TO" | "FOR" => group.expires = expiration(parameter)?,
                "NOEXTENDED" | "NOEXT" | "NOPURGE" | "NPRG" | "OWNER" => {}
                word if IGNORED.contains(&word) => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        if name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        if !arguments.iter().any(|parameter| matches!(parameter.word(), "LIMIT" | "LIM")) {
            return Err(Failure::missing("LIMIT"));
        }
        check_limit(&group)?;
        if name.len() > GROUP_NAME_LENGTH_MAX {
            return Err(Failure::syntax(format!(
                "IDC3203I ITEM '{name}' DOES NOT ADHERE TO RESTRICTIONS: A GROUP HAS {GROUP_NAME_LENGTH_MAX} CHARACTERS AT MOST"
            )));
        }
        self.define_entry(&name, Entry::GenerationGroup(group))
    }

    fn define_non_vsam(&mut self, object: &Parameter) -> Done {
        let mut name = String::new();
        let created = Moment::now().ordinal();
        let mut entry = NonVsamEntry { device_types: String::new(), volumes: Vec::new(), created, expires: 0 };
        for parameter in object.arguments.as_deref().unwrap_or_default() {
            match parameter.word() {
                "NAME" => name = one_name(parameter)?,
                "DEVICETYPES" | "DEVT" | "DEVICETYPE" => entry.device_types = shown(one_value(parameter)?),
                "VOLUMES" | "VOLUME" | "VOL" => {
                    entry.volumes = parameter.arguments.as_deref().unwrap_or_default().iter().map(shown).collect();
                }
                "TO" | "FOR" => entry.expires = expiration(parameter)?,
                "OWNER" | "FILESEQUENCENUMBERS" | "FSEQN" => {}
                word if IGNORED.contains(&word) => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        if name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        self.define_entry(&name, Entry::NonVsam(entry))
    }

    fn define_alias(&mut self, object: &Parameter) -> Done {
        let (mut name, mut target) = (String::new(), String::new());
        for parameter in object.arguments.as_deref().unwrap_or_default() {
            match parameter.word() {
                "NAME" => name = one_name(parameter)?,
                "RELATE" | "REL" => target = one_name(parameter)?,
                _ => return Err(Failure::improper(parameter)),
            }
        }
        if name.is_empty() || target.is_empty() {
            return Err(Failure::missing("NAME AND RELATE"));
        }
        self.define_entry(&name, Entry::Alias(target))
    }

    /// Defines an entry without data. A new generation may roll others off.
    fn define_entry(&mut self, name: &str, entry: Entry) -> Done {
        let rolled_off = self.data_sets.define_entry(name, entry)?;
        self.list_rolled_off(&rolled_off);
        Ok(())
    }
}
