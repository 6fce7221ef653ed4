//! Profiles of general resources, as RDEFINE and PERMIT describe them (z/OS Security Server RACF Command Language Reference).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::class::Class;
use crate::level::Level;
use crate::moment::Moment;
use crate::name::{GroupName8, Name8};

/// Which accesses are recorded (AUDIT): successes from a level up, failures from a level up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRule {
    #[serde(default)]
    pub successes_from: Option<Level>,
    #[serde(default)]
    pub failures_from: Option<Level>,
}

impl AuditRule {
    /// AUDIT(NONE).
    pub const NONE: AuditRule = AuditRule { successes_from: None, failures_from: None };

    /// Whether an attempt is recorded.
    pub fn records(&self, asked: Level, allowed: bool) -> bool {
        let from = if allowed { self.successes_from } else { self.failures_from };
        from.is_some_and(|from| asked >= from)
    }
}

impl Default for AuditRule {
    /// AUDIT(FAILURES(READ)).
    fn default() -> Self {
        AuditRule { successes_from: None, failures_from: Some(Level::Read) }
    }
}

/// Who an entry of an access list is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Accessor {
    /// All users (ID(*)).
    Everyone,
    /// A user or a group.
    Id(Name8),
}

impl Accessor {
    pub fn of_text(text: &str) -> Option<Accessor> {
        if text == "*" { Some(Accessor::Everyone) } else { Name8::new(text).ok().map(Accessor::Id) }
    }
}

impl fmt::Display for Accessor {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Accessor::Everyone => formatter.pad("*"),
            Accessor::Id(name) => formatter.pad(name.as_str()),
        }
    }
}

impl Serialize for Accessor {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'a> Deserialize<'a> for Accessor {
    fn deserialize<D: serde::Deserializer<'a>>(deserializer: D) -> Result<Accessor, D::Error> {
        let text = String::deserialize(deserializer)?;
        Accessor::of_text(&text).ok_or_else(|| serde::de::Error::custom("neither a name nor *"))
    }
}

/// The terminal at which an entry of a conditional access list counts (PERMIT WHEN(TERMINAL)).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionalAccess {
    pub terminal: Name8,
    pub id: Accessor,
    pub level: Level,
}

/// The type of enhanced PassTickets (SSIGNON TYPE).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TicketAlphabet {
    Upper,
    Mixed,
}

/// Keys and rules of PassTickets: the SSIGNON segment of a profile in class PTKTDATA.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignonSegment {
    /// The DES key of the original algorithm, 16 hexadecimal digits.
    #[serde(default)]
    pub key: Option<String>,
    /// The label of the HMAC key of the enhanced algorithm.
    #[serde(default)]
    pub key_label: Option<String>,
    pub alphabet: TicketAlphabet,
    /// Whether a ticket may be used again while it is valid.
    #[serde(default)]
    pub replay: bool,
    pub timeout_seconds: u32,
}

impl SignonSegment {
    /// How long a ticket is valid before and after its time, unless TIMEOUT says so.
    pub const TIMEOUT_SECONDS: u32 = 600;
}

impl fmt::Debug for SignonSegment {
    /// Without the key.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_struct("SignonSegment").field("key_label", &self.key_label).finish_non_exhaustive()
    }
}

/// The user of a started task: the STDATA segment of a profile in class STARTED.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartedSegment {
    #[serde(default)]
    pub user: Option<Name8>,
    #[serde(default)]
    pub group: Option<GroupName8>,
    #[serde(default)]
    pub privileged: bool,
    #[serde(default)]
    pub trusted: bool,
    #[serde(default)]
    pub trace: bool,
}

/// A profile of a general resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    pub class: Name8,
    pub name: String,
    /// Whether its name is a pattern.
    pub generic: bool,
    pub owner: Name8,
    pub created: Moment,
    pub uacc: Level,
    #[serde(default)]
    pub access: BTreeMap<Accessor, Level>,
    #[serde(default)]
    pub conditional_access: Vec<ConditionalAccess>,
    #[serde(default)]
    pub members: Vec<String>,
    /// What an auditor adds to it is `global_audit`.
    #[serde(default)]
    pub audit: AuditRule,
    #[serde(default = "AuditRule::none")]
    pub global_audit: AuditRule,
    /// All accesses are allowed; those that would not be are recorded.
    #[serde(default)]
    pub warning: bool,
    /// The user who is told of violations.
    #[serde(default)]
    pub notify: Option<Name8>,
    #[serde(default)]
    pub level: u8,
    #[serde(default)]
    pub data: String,
    #[serde(default)]
    pub application_data: String,
    #[serde(default)]
    pub signon: Option<SignonSegment>,
    #[serde(default)]
    pub started: Option<StartedSegment>,
    /// The class that a profile in class CDT defines.
    #[serde(default)]
    pub class_data: Option<Class>,
}

impl AuditRule {
    fn none() -> AuditRule {
        AuditRule::NONE
    }
}
