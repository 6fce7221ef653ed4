//! CREATE TERMINAL: one terminal at once, or a pool of terminals with CREATE TERMINAL COMPLETE.
//!
//! Invariant: the terminals of a pool are installed together or not at all.

use super::{definition, install, log};
use crate::name::Name4;
use crate::{Arguments, Outcome, Task, raise};
use csd::Definition;
use exec::resp2::creation as resp2;
use exec::{condition, option};

/// Most terminals of a pool.
const TERMINALS_MAX: usize = 10_000;

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// Terminals of a pool that is not complete.
    pool: Vec<Definition>,
}

impl TaskState {
    pub fn is_open(&self) -> bool {
        !self.pool.is_empty()
    }
}

pub(super) fn create_terminal(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    if arguments.has(option::COMPLETE) {
        return complete(task);
    }
    if arguments.has(option::DISCARD) {
        return discard(task);
    }
    let definition = definition(task, arguments, "TERMINAL", option::TERMINAL)?;
    if !task.region.extensions.may_install(task, &definition) {
        return raise(condition::NOTAUTH, exec::resp2::authorization::SURROGATE);
    }
    let pool = definition.get("POOL").to_string();
    let collected = &TaskState::of(&task.parts).pool;
    // Another pool, or a terminal of no pool.
    if collected.first().is_some_and(|first| first.get("POOL") != pool) || collected.len() == TERMINALS_MAX {
        return raise(condition::ILLOGIC, resp2::POOL_IS_OPEN);
    }
    log(task, arguments, &definition)?;
    if pool.is_empty() {
        return install(task, &[definition]);
    }
    TaskState::of_mut(&mut task.parts).pool.push(definition);
    Ok(())
}

/// The terminals of the pool replace those that the pool has had.
fn complete(task: &mut Task) -> Outcome {
    let pool = std::mem::take(&mut TaskState::of_mut(&mut task.parts).pool);
    let Some(first) = pool.first() else { return raise(condition::ILLOGIC, resp2::NO_POOL) };
    let name = first.get("POOL");
    let earlier: Vec<String> = {
        let installed = task.region.installed.read();
        installed.of_type("TERMINAL").filter(|terminal| terminal.get("POOL") == name).map(|terminal| terminal.name.clone()).collect()
    };
    for terminal in earlier {
        task.region.installed.write().remove("TERMINAL", &terminal);
        task.region.terminals.remove_released(Name4::new(&terminal));
    }
    install(task, &pool)
}

fn discard(task: &mut Task) -> Outcome {
    let pool = std::mem::take(&mut TaskState::of_mut(&mut task.parts).pool);
    if pool.is_empty() {
        return raise(condition::ILLOGIC, resp2::NO_POOL);
    }
    task.rollback();
    Ok(())
}
