//! Browses of INQUIRE commands.

use super::TaskState;
use crate::name::Name;
use crate::{Arguments, Raised, Task, raise};
use exec::resp2::inquiry as resp2;
use exec::{CommandId, OptionId, condition, option};
use std::collections::VecDeque;

/// The request of an INQUIRE command.
pub enum BrowseStep<const N: usize> {
    /// This resource.
    One(Name<N>),
    /// START and END have nothing to return.
    Done,
}

impl Task {
    /// Decodes START, NEXT, END or a single inquiry. NEXT stores the name it reaches in `name_option`; `exists` returns whether a name
    /// still exists.
    pub fn browse_step<const N: usize>(
        &mut self,
        arguments: &mut Arguments,
        name_option: OptionId,
        names: impl FnOnce() -> Vec<Name<N>>,
        exists: impl Fn(Name<N>) -> bool,
    ) -> Result<BrowseStep<N>, Raised> {
        if !is_browse(arguments) {
            return Ok(BrowseStep::One(arguments.name(name_option)?.unwrap_or_default()));
        }
        // The alphabetical order is that of the program's characters.
        let code_page = arguments.code_page();
        let key = |name: &Name<N>| code_page.encode_name(name);
        let from: Option<Name<N>> = arguments.name(option::AT)?;
        let ordered = || {
            let mut names = names();
            names.retain(|name| from.is_none_or(|from| key(name) >= key(&from)));
            names.sort_by_key(key);
            names.iter().map(crate::name::resized).collect()
        };
        let command: CommandId = arguments.command;
        let browses = &mut TaskState::of_mut(&mut self.parts).browses;
        let mut slot = browses.iter().position(|(known, _)| *known == command).map(|at| browses.swap_remove(at).1);
        // A browse passes over what the task may not inquire about.
        let authority = self.region.extensions.authority();
        let shows = |name: &Name<16>| authority.is_none_or(|authority| authority.shows(self, command, name));
        let reached = step_over(arguments, &mut slot, ordered, |name| exists(crate::name::resized(name)) && shows(name));
        TaskState::of_mut(&mut self.parts).browses.extend(slot.map(|left| (command, left)));
        let Some(name) = reached? else { return Ok(BrowseStep::Done) };
        let name: Name<N> = crate::name::resized(&name);
        arguments.set_name(name_option, &name)?;
        Ok(BrowseStep::One(name))
    }
}

/// START, NEXT and END of a browse whose entries are `rows`. `Ok(None)`: nothing to return.
pub fn step<T>(arguments: &Arguments, slot: &mut Option<VecDeque<T>>, rows: impl FnOnce() -> VecDeque<T>) -> Result<Option<T>, Raised> {
    step_over(arguments, slot, rows, |_| true)
}

/// As `step`; NEXT passes over entries that no longer exist.
pub fn step_over<T>(
    arguments: &Arguments,
    slot: &mut Option<VecDeque<T>>,
    rows: impl FnOnce() -> VecDeque<T>,
    exists: impl Fn(&T) -> bool,
) -> Result<Option<T>, Raised> {
    if arguments.has(option::START) {
        if slot.is_some() {
            return raise(condition::ILLOGIC, resp2::BROWSE_STATE);
        }
        *slot = Some(rows());
        return Ok(None);
    }
    let Some(left) = slot else { return raise(condition::ILLOGIC, resp2::BROWSE_STATE) };
    if arguments.has(option::END) {
        *slot = None;
        return Ok(None);
    }
    while let Some(row) = left.pop_front() {
        if exists(&row) {
            return Ok(Some(row));
        }
    }
    raise(condition::END, resp2::NO_MORE)
}

/// The command is part of a browse, not an inquiry about one resource.
pub fn is_browse(arguments: &Arguments) -> bool {
    [option::START, option::NEXT, option::END].into_iter().any(|option| arguments.has(option))
}
