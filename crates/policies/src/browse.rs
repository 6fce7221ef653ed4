//! Browses of INQUIRE commands whose names are longer than the sixteen characters of [`region::Task::browse_step`].
//!
//! Invariant: a task has at most one browse of a command.

use crate::TaskPolicies;
use exec::{CommandId, OptionId};
use region::inquiry::{is_browse, step};
use region::{Arguments, Raised, Task};
use std::collections::{BTreeMap, VecDeque};

/// A part of a bundle, for a browse.
pub struct PartRow {
    pub bundle: String,
    pub name: String,
    /// The URI of its type.
    pub kind: String,
    pub file: String,
    /// AVAILSTATUS, PARTCLASS and ENABLESTATUS, as CVDAs.
    pub availability: i64,
    pub class: i64,
    pub status: i64,
}

/// A capture specification by the names of its binding and its own, and the number of one of its predicates or sources.
pub type CaptureRow = (String, String, usize);

/// The browses in progress.
#[derive(Default)]
pub struct Browses {
    names: Vec<(CommandId, VecDeque<String>)>,
    pub parts: Option<VecDeque<PartRow>>,
    /// Capture specifications, by the command that browses them or what they consist of.
    pub captures: BTreeMap<CommandId, Option<VecDeque<CaptureRow>>>,
    /// Sets of event adapters with the adapters in them.
    pub in_sets: Option<VecDeque<(String, String)>>,
}

/// The name that the command asks about, or that its browse reaches; `None` when START and END have nothing to return.
///
/// # Errors
///
/// The browse is at its end, or not in a state for the request.
pub fn browse(
    task: &mut Task,
    arguments: &mut Arguments,
    name_option: OptionId,
    names: impl FnOnce() -> Vec<String>,
) -> Result<Option<String>, Raised> {
    if !is_browse(arguments) {
        return Ok(Some(arguments.text(name_option)?.unwrap_or_default()));
    }
    let command = arguments.command;
    let browses = &mut TaskPolicies::of_mut(&mut task.parts).browses.names;
    let mut slot = browses.iter().position(|(known, _)| *known == command).map(|at| browses.swap_remove(at).1);
    let reached = step(arguments, &mut slot, || names().into());
    browses.extend(slot.map(|left| (command, left)));
    let Some(name) = reached? else { return Ok(None) };
    arguments.set_text(name_option, &name)?;
    Ok(Some(name))
}
