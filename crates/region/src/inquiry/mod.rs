//! Common parts of the INQUIRE and SET commands of all domains: browses, options given as a CVDA or as a keyword, resource signatures.
//!
//! Common rules: a browse (START, NEXT, END) covers the names known at START; NEXT skips those that have been removed; options that do not
//! apply return blanks, zero or NOTAPPLIC. Invariant: a task has at most one browse of a command.

mod browse;
mod signature;

pub use crate::set_values::{NULL_NUMBER, attribute, checked, number, parameter, switch};
pub use browse::{BrowseStep, is_browse, step, step_over};
pub use signature::give as give_signature;

use crate::Domain;
use crate::name::Name;
use exec::CommandId;
use std::collections::VecDeque;

crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "inquiry", slots: &[&IN_TASK], ..Domain::NONE };

/// The part of a task: the names that are left of the browses in progress, by the command that browses. The longest have sixteen characters.
#[derive(Default)]
pub struct TaskState {
    browses: Vec<(CommandId, VecDeque<Name<16>>)>,
}

/// One of two CVDAs.
pub const fn either(flag: bool, yes: i64, no: i64) -> i64 {
    if flag { yes } else { no }
}
