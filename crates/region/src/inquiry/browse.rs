//! Browses of INQUIRE commands.

use super::TaskState;
use crate::name::Name;
use crate::{Arguments, Raised, Task, raise};
use exec::resp2::inquiry as resp2;
use exec::{CommandId, OptionId, condition, option};
use std::collections::VecDeque;

/// The remaining names, in order; the longest names are sixteen characters.
pub struct Browse {
    names: std::vec::IntoIter<Name<16>>,
}

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
        let command: CommandId = arguments.command;
        let browses = &mut TaskState::of_mut(&mut self.parts).browses;
        let position = browses.iter().position(|(known, _)| *known == command);
        if arguments.has(option::START) {
            if position.is_some() {
                return raise(condition::ILLOGIC, resp2::BROWSE_STATE);
            }
            // The alphabetical order is that of the program's characters.
            let code_page = arguments.code_page();
            let key = |name: &Name<N>| code_page.encode_name(name);
            let from: Option<Name<N>> = arguments.name(option::AT)?;
            let mut names = names();
            names.retain(|name| from.is_none_or(|from| key(name) >= key(&from)));
            names.sort_by_key(key);
            let names: Vec<Name<16>> = names.iter().map(crate::name::resized).collect();
            browses.push((command, Browse { names: names.into_iter() }));
            return Ok(BrowseStep::Done);
        }
        let Some(position) = position else {
            return match arguments.has(option::NEXT) || arguments.has(option::END) {
                true => raise(condition::ILLOGIC, resp2::BROWSE_STATE),
                false => Ok(BrowseStep::One(arguments.name(name_option)?.unwrap_or_default())),
            };
        };
        if arguments.has(option::END) {
            browses.remove(position);
            return Ok(BrowseStep::Done);
        }
        if !arguments.has(option::NEXT) {
            return Ok(BrowseStep::One(arguments.name(name_option)?.unwrap_or_default()));
        }
        for name in browses[position].1.names.by_ref() {
            let name: Name<N> = crate::name::resized(&name);
            if exists(name) {
                arguments.set_name(name_option, &name)?;
                return Ok(BrowseStep::One(name));
            }
        }
        raise(condition::END, resp2::NO_MORE)
    }
}

/// START, NEXT and END of a browse whose entries are `rows`. `Ok(None)`: nothing to return.
pub fn step<T>(arguments: &Arguments, slot: &mut Option<VecDeque<T>>, rows: impl FnOnce() -> VecDeque<T>) -> Result<Option<T>, Raised> {
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
    match left.pop_front() {
        Some(row) => Ok(Some(row)),
        None => raise(condition::END, resp2::NO_MORE),
    }
}

/// The command is part of a browse, not an inquiry about one resource.
pub fn is_browse(arguments: &Arguments) -> bool {
    [option::START, option::NEXT, option::END].into_iter().any(|option| arguments.has(option))
}
