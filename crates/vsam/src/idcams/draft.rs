//! The object that DEFINE is to create: the keywords of a cluster, alternate index or path, and the attributes they result in.
//!
//! Invariant: every keyword of the command is applied, kept for listing, accepted without effect (listed in `IGNORED`), or rejected by
//! name.

use super::parser::Parameter;
use super::{Done, Failure, exclusive, numbers, one_name, one_value, shown};
use crate::catalog::retention;
use crate::catalog::*;
use crate::moment::Moment;

/// Control interval of a linear data set, of which all others are multiples.
const LINEAR_CI_BYTES: u32 = 4096;
const CI_BYTES_MAX: u32 = 32_768;

/// Keywords without effect here: they concern real volumes, SMS, RLS internals and obsolete options.
pub(super) const IGNORED: &[&str] = &[
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

/// The place of a keyword: at the entry itself, or at one of its components.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Cluster,
    Data,
    Index,
}

/// A cluster, alternate index or path as the keywords read so far describe it.
pub(super) struct Draft {
    pub name: String,
    pub attributes: Attributes,
    pub organization: Organization,
    ci_size: Option<u32>,
    pub relate: String,
    pub through: String,
    pub unique: bool,
    pub upgrade: bool,
    pub update: bool,
    pub alternate_index: bool,
    /// COMPRESSED or NOTCOMPRESSED.
    pub compressed: Option<bool>,
    record_size_given: bool,
    keys_given: bool,
}

impl Draft {
    pub(super) fn new() -> Draft {
        let mut attributes = Attributes::new(64, 0, 4089, 4089);
        attributes.created = Moment::now().ordinal();
        attributes.space_secondary = 0;
        Draft {
            name: String::new(),
            attributes,
            organization: Organization::Ksds,
            ci_size: None,
            relate: String::new(),
            through: String::new(),
            unique: false,
            upgrade: true,
            update: true,
            alternate_index: false,
            compressed: None,
            record_size_given: false,
            keys_given: false,
        }
    }

    pub(super) fn apply_all(&mut self, list: &Parameter, level: Level) -> Done {
        exclusive(list.arguments.as_deref().unwrap_or_default(), EXCLUSIVE)?;
        for parameter in list.arguments.as_deref().unwrap_or_default() {
            if self.apply_organization(parameter, level)? || self.apply_size(parameter, level)? {
                continue;
            }
            self.apply_flag(parameter)?;
        }
        Ok(())
    }

    /// Names, organization, and keywords of alternate indexes and paths. False for any other keyword.
    fn apply_organization(&mut self, parameter: &Parameter, level: Level) -> Result<bool, Failure> {
        match parameter.word() {
            "NAME" => {
                let name = one_name(parameter)?;
                match level {
                    Level::Cluster => self.name = name,
                    Level::Data => self.attributes.data_name = name,
                    Level::Index => self.attributes.index_name = name,
                }
            }
            "INDEXED" | "IXD" => self.organization = Organization::Ksds,
            "NONINDEXED" | "NIXD" => self.organization = Organization::Esds,
            "NUMBERED" | "NUMD" => self.organization = Organization::Rrds,
            "LINEAR" | "LIN" => self.organization = Organization::Linear,
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
            // Handled by `model` before everything else.
            "MODEL" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// MODEL: the attributes of an entry, unless the command overrides them.
    pub(super) fn model(&mut self, entry: &Entry) -> Done {
        match entry {
            Entry::Cluster(cluster) if !self.alternate_index => {
                // Fixed or variable is decided at the end by the record lengths.
                let numbered = cluster.organization == Organization::Vrrds;
                self.organization = if numbered { Organization::Rrds } else { cluster.organization };
            }
            Entry::AlternateIndex(index) if self.alternate_index => (self.unique, self.upgrade) = (index.unique, index.upgrade),
            _ => return Err(Failure::new(12, ["IDC3007I MODEL: AN ENTRY OF ANOTHER TYPE".to_string()])),
        }
        let Some(attributes) = entry.attributes() else { return Ok(()) };
        let (data_name, index_name, created) = (String::new(), String::new(), self.attributes.created);
        self.attributes = Attributes { data_name, index_name, created, expires: 0, ..attributes.clone() };
        if self.organization == Organization::Linear {
            (self.attributes.record_average, self.attributes.record_max) = (0, 0);
        }
        self.ci_size = Some(attributes.ci_size);
        Ok(())
    }

    /// Keys, record and control interval sizes, space. False for any other keyword.
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
                self.keys_given = true;
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

    /// Everything else: each keyword is applied, kept for listing, in `IGNORED`, or refused.
    fn apply_flag(&mut self, parameter: &Parameter) -> Done {
        let attributes = &mut self.attributes;
        match parameter.word() {
            "REUSE" | "RUS" => attributes.reuse = true,
            "NOREUSE" | "NRUS" => attributes.reuse = false,
            "SPANNED" | "SPND" => attributes.spanned = true,
            // The records of an alternate index always span intervals.
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
    pub(super) fn finish(&mut self) -> Done {
        let invalid = |what: String| Err(Failure::new(12, [format!("IDC3007I {what}")]));
        if self.name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        let a = &mut self.attributes;
        if self.organization == Organization::Rrds && a.record_average != a.record_max {
            self.organization = Organization::Vrrds;
        }
        if !self.alternate_index && self.organization != Organization::Ksds {
            (a.key_length, a.key_position) = (0, 0);
        }
        if self.organization == Organization::Linear {
            let size = self.ci_size.unwrap_or(LINEAR_CI_BYTES).next_multiple_of(LINEAR_CI_BYTES).min(CI_BYTES_MAX);
            if self.record_size_given || a.spanned {
                return invalid("RECORDSIZE AND SPANNED ARE NOT FOR A LINEAR DATA SET".to_string());
            }
            (a.record_average, a.record_max, a.ci_size, self.ci_size) = (size, size, size, Some(size));
            return Ok(());
        }
        if a.spanned && matches!(self.organization, Organization::Rrds | Organization::Vrrds) {
            return invalid("SPANNED IS NOT FOR A NUMBERED DATA SET".to_string());
        }
        let longest = match self.organization {
            _ if a.spanned => RECORD_LENGTH_MAX,
            Organization::Vrrds => RECORD_LENGTH_NUMBERED_MAX,
            _ => RECORD_LENGTH_NONSPANNED_MAX,
        };
        if let Some(why) = refused_record_size(a.record_average, a.record_max, longest) {
            return invalid(why);
        }
        let keyed = self.alternate_index || self.organization == Organization::Ksds;
        if keyed && !(1..=KEY_LENGTH_MAX as u32).contains(&a.key_length) {
            return invalid(format!("KEYS: A KEY HAS 1 TO 255 BYTES, NOT {}", a.key_length));
        }
        if keyed && !self.alternate_index && a.key_position.saturating_add(a.key_length) > a.record_max {
            let default = if self.keys_given { "" } else { "; THE DEFAULT IS KEYS(64 0)" };
            return invalid(format!("KEYS: THE KEY LIES OUTSIDE THE RECORD{default}"));
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
