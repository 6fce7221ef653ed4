//! Surrogates: who may start work for a user, put a user into a resource, or ask what a user may do (XUSER, class SURROGAT).
//!
//! Rules: "RACF definitions for surrogate user checking", "Situations where surrogate user checking applies". Invariant: everybody is his own
//! surrogate; a user whom no profile makes a surrogate is none.

use crate::manager::{Checked, Manager};
use crate::violation::Violation;
use csd::Definition;
use exec::{CommandId, OptionId, command, option};
use region::name::Name8;
use region::{Arguments, Raised, Task};
use security::Level;

/// The class of surrogates.
pub const CLASS: &str = "SURROGAT";

/// What a surrogate does, which the name of his profile ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// START USERID.
    Start,
    /// Resources whose definitions name a user.
    Install,
    /// QUERY SECURITY USERID.
    Query,
}

impl Purpose {
    const fn suffix(self) -> &'static str {
        match self {
            Purpose::Start => "DFHSTART",
            Purpose::Install => "DFHINSTL",
            Purpose::Query => "DFHQUERY",
        }
    }

    /// The name of the profile of those who may act for a user.
    pub fn profile(self, user_id: Name8) -> String {
        format!("{user_id}.{}", self.suffix())
    }
}

/// Whether the user of a task is a surrogate of another; a refusal is told.
pub fn is_surrogate(manager: &Manager, task: &Task, checked: &Checked, user_id: Name8, purpose: Purpose) -> bool {
    if !manager.settings.surrogates || user_id == task.user_id {
        return true;
    }
    let (class, resource, intent) = (Name8::new(CLASS), purpose.profile(user_id), Level::Read);
    let decision = manager.esm.access(checked.identity, class, &resource, intent);
    let is_allowed = decision.allows(intent);
    if !is_allowed {
        let (user_id, transid, facility) = (task.user_id, task.transid, &task.facility);
        Violation { user_id, transid, facility, class, resource: &resource, intent }.tell(task.region, manager, &decision);
    }
    is_allowed
}

/// Options of SET that put a user into a resource.
const OPTIONS: [(CommandId, OptionId); 4] = [
    (command::SET_DB2CONN, option::AUTHID),
    (command::SET_DB2CONN, option::COMAUTHID),
    (command::SET_DB2ENTRY, option::AUTHID),
    (command::SET_TDQUEUE, option::ATIUSERID),
];

/// The users whom a command puts into a resource.
///
/// # Errors
///
/// The storage of an argument cannot be read.
pub fn users_of(task: &Task, command: CommandId, arguments: &Arguments) -> Result<Vec<Name8>, Raised> {
    let mut users = Vec::new();
    for (_, option) in OPTIONS.iter().filter(|(of, option)| *of == command && arguments.has(*option)) {
        users.extend(arguments.name(*option)?);
    }
    // "SET DB2TRAN that refers to a DB2ENTRY that contains AUTHID".
    if command == command::SET_DB2TRAN
        && let Some(entry) = arguments.text(option::DB2ENTRY)?
        && let Some(entry) = task.region.installed.read().get("DB2ENTRY", entry.trim())
    {
        users.push(entry.get("AUTHID").into());
    }
    users.retain(|user: &Name8| !user.is_blank());
    Ok(users)
}

/// Attributes that put a user into a resource.
const ATTRIBUTES: [(&str, &str); 6] = [
    ("DB2CONN", "AUTHID"),
    ("DB2CONN", "COMAUTHID"),
    ("DB2ENTRY", "AUTHID"),
    ("TDQUEUE", "JOBUSERID"),
    ("TDQUEUE", "USERID"),
    ("TERMINAL", "USERID"),
];

/// The users whom a definition puts into a resource.
pub fn users_in(task: &Task, definition: &Definition) -> Vec<Name8> {
    let own = ATTRIBUTES.iter().filter(|(resource, _)| *resource == definition.resource.name);
    let mut users: Vec<Name8> = own.map(|(_, attribute)| definition.get(attribute).into()).collect();
    if definition.resource.name == "DB2TRAN"
        && let Some(entry) = task.region.installed.read().get("DB2ENTRY", definition.get("ENTRY"))
    {
        users.push(entry.get("AUTHID").into());
    }
    users.retain(|user| !user.is_blank());
    users
}
