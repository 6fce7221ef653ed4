//! Changes of the database, which its file records one transaction a line.

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::name::{GroupName8, Name8, UserId8};
use crate::profile::Profile;
use crate::settings::Settings;
use crate::user::{Group, User};

/// One change: an object as a whole, or that there is none of its name any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Change {
    User(Box<User>),
    NoUser(UserId8),
    Group(Group),
    NoGroup(GroupName8),
    Profile(Box<Profile>),
    NoProfile {
        class: Name8,
        name: String,
    },
    Settings(Box<Settings>),
    /// What a class in RACLIST has in effect becomes what is defined.
    Refresh(Name8),
    /// A profile in effect in a class in RACLIST that is no longer defined so: of snapshots only.
    Listed(Box<Profile>),
    /// A class in RACLIST whose profiles in effect are those of `Listed` alone: of snapshots only.
    NothingListed(Name8),
    /// A sign-on that succeeded or failed, and what it leaves of the user.
    SignOn {
        user: UserId8,
        used: Option<Moment>,
        failures: u32,
    },
    /// A PassTicket that may not be used again before a moment.
    Ticket {
        user: UserId8,
        application: Name8,
        ticket: String,
        until: Moment,
    },
    /// The HMAC key of a label, in hexadecimal digits.
    Key {
        label: String,
        key: String,
    },
    NoKey(String),
}

/// Changes that take effect together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Transaction {
    /// One more than of the transaction before; those of a snapshot have all the same.
    pub generation: u64,
    /// Users whose authority changed: what CICS hears of as an event of type 71 (RACFSYNC).
    #[serde(default)]
    pub touched: Vec<UserId8>,
    pub changes: Vec<Change>,
}
