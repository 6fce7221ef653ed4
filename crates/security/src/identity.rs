//! Who a task runs for: what a sign-on gives to its caller.

use crate::name::{GroupName8, UserId8};
use crate::user::{Attributes, CicsSegment, LanguageSegment};

/// A user who has been identified, with the groups and attributes in force at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub user: UserId8,
    /// The current group: the one of the sign-on, or the default group.
    pub group: GroupName8,
    /// All groups the user is connected to, the current one too, in order.
    pub groups: Vec<GroupName8>,
    pub attributes: Attributes,
    /// The name of the user, up to 20 characters.
    pub name: String,
    /// Operator identification, classes, priority, timeout: as ADDUSER's CICS segment, or its defaults.
    pub operator: CicsSegment,
    pub language: LanguageSegment,
    /// The terminal of the sign-on, for conditional access lists.
    pub terminal: Option<crate::name::Name8>,
    /// Started with STDATA TRUSTED(YES): every access is allowed.
    pub trusted: bool,
}
