//! Common parts of the INQUIRE and SET commands of all domains: browses, options given as a CVDA or as a keyword, resource signatures.
//!
//! Common rules: a browse (START, NEXT, END) covers the names known at START; NEXT skips those that have been removed; options that do not
//! apply return blanks, zero or NOTAPPLIC. Invariant: a task has at most one browse of a command.

mod browse;
mod signature;

pub use crate::set_values::{NULL_NUMBER, attribute, checked, number, parameter, switch};
pub use browse::{Browse, BrowseStep, is_browse, step};
pub use signature::give as give_signature;

use crate::Domain;
use exec::CommandId;

crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "inquiry", slots: &[&IN_TASK], ..Domain::NONE };

/// The part of a task: browses in progress, by the command that browses.
#[derive(Default)]
pub struct TaskState {
    browses: Vec<(CommandId, Browse)>,
}
