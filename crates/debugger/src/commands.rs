//! Programs written in C, which have no statements that tell what they reach: they stop at their EXEC CICS commands, at the lines where these
//! begin.
//!
//! Invariant: a command at which the task is ended is not executed.

use crate::place::{Entry, call_depth};
use crate::tasks::{Debugging, Event, Reason, TaskState, Watcher, breakpoint, condition, is_meant, stop};
use exec::block::Block;
use program::rununit::Milestone;
use region::extensions::{Debugger, Observer, Verdict};
use region::{Outcome, Region, Task};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Sees the commands of all programs from the first client on.
pub struct Commands;

impl Observer for Commands {
    fn before(&self, task: &mut Task, block: &mut Block) -> Verdict {
        match at_command(task, block) {
            Ok(()) => Verdict::Execute,
            ended => Verdict::Answer(ended),
        }
    }

    fn after(&self, _task: &mut Task, _block: &mut Block, _outcome: &mut Outcome) {}
}

/// A client begins.
pub fn observe(region: &Region) {
    if !Debugging::of(region).observes.swap(true, Ordering::Relaxed) {
        region.extensions.observe(Arc::new(Commands));
    }
}

fn at_command(task: &mut Task, block: &Block) -> Outcome {
    let Some(frame) = task.frame.filter(|frame| frame.module().c.is_some()) else { return Ok(()) };
    let Some(spec) = block.command.checked() else { return Ok(()) };
    Watcher.watch(task);
    let level = task.levels.len();
    let state = TaskState::of_mut(&mut task.parts);
    let Some(watched) = state.watched.clone() else { return Ok(()) };
    let Some(client) = watched.client().filter(|client| is_meant(client, frame)) else { return Ok(()) };
    state.path.reached(level, call_depth(frame), frame, Milestone::Statement(block.statement));
    let plan = client.plan();
    let resolved = state.breakpoints_of(&plan, frame.module());
    let (depth, pace) = (state.path.depth(), state.pace);
    client.saw(&plan, &resolved);
    let entry = Entry::of(frame, block.statement, block.line);
    let reason = breakpoint(&plan, &client, entry, resolved.at_command(block.line))
        .or_else(|| watched.is_paused().then_some(Reason::Pause))
        .or_else(|| pace.ends_at(depth, true).then_some(Reason::Step))
        .or_else(|| condition(task, plan.exceptions.conditions).map(Reason::Event))
        .or_else(|| plan.exceptions.commands.then(|| Reason::Event(Event::of_command(spec.name))));
    match reason {
        Some(reason) => stop(task, &watched, &client, entry, reason),
        None => Ok(()),
    }
}
