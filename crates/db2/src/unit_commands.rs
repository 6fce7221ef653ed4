//! The end of a unit of work, and its savepoints. The names of savepoints are delimited for the server, so that none can be one of ours.

use crate::context::{Context, Rules};
use crate::errors::{Done, Stop, code};
use crate::state::{Savepoint, State};
use postgres::Wait;
use sql::names::delimited;

/// Commits. `last` is executed in the same round trip, ahead of COMMIT.
pub fn commit(state: &mut State, last: Option<&str>, keeps_prepared: bool, wait: &mut dyn Wait) -> Done<()> {
    if state.link.unit.is_open() || last.is_some() {
        close_complete(state);
        state.link.commit(last, wait)?;
        state.link.statistics.commits += 1;
        state.link.statistics.single_phase_commits += u64::from(last.is_none());
    }
    ended(state, true, keeps_prepared);
    Ok(())
}

/// A held cursor whose rows have all come needs no copy at the server.
pub fn close_complete(state: &mut State) {
    let complete: Vec<String> = state.cursors.complete_held().map(str::to_string).collect();
    for portal in complete {
        state.link.close_portal(&portal);
    }
}

pub fn rollback(state: &mut State, wait: &mut dyn Wait) -> Done<()> {
    let done = if state.link.unit.is_open() { state.link.rollback(wait) } else { Ok(()) };
    state.link.statistics.aborts += 1;
    ended(state, false, false);
    done
}

/// The unit of work has ended.
pub fn ended(state: &mut State, committed: bool, keeps_prepared: bool) {
    state.cursors.unit_ended(committed);
    state.locators.unit_ended(committed);
    state.savepoints.clear();
    if !keeps_prepared {
        let cursors = &mut state.cursors;
        state.prepared.unit_ended(|package, name| cursors.using(package, name).is_some());
    }
}

/// COMMIT and ROLLBACK of the program: of all connections of its thread.
pub fn end(commits: bool, context: &Context) -> Done<()> {
    match (context.rules, commits) {
        (Rules::Cics, true) => Err(Stop::sql(code::COMMIT_REFUSED, &[])),
        (Rules::Cics, false) => Err(Stop::sql(code::ROLLBACK_REFUSED, &[])),
        (Rules::Batch, commits) => Err(Stop::End { commits }),
    }
}

pub fn savepoint(state: &mut State, name: &str, unique: bool, context: &mut Context) -> Done<()> {
    let older = state.savepoints.iter().position(|savepoint| savepoint.name == name);
    if let Some(older) = older {
        if unique || state.savepoints[older].unique {
            return Err(Stop::sql(code::SAVEPOINT_EXISTS, &[name]));
        }
        state.savepoints.remove(older);
    }
    state.link.savepoint(&format!("SAVEPOINT {}", delimited(name)), false, context.wait)?;
    state.savepoints.push(Savepoint { name: name.to_string(), unique });
    Ok(())
}

/// ROLLBACK TO SAVEPOINT; without a name to the last.
pub fn rollback_to(state: &mut State, name: Option<&str>, context: &mut Context) -> Done<()> {
    let found = match name {
        Some(name) => state.savepoints.iter().rposition(|savepoint| savepoint.name == name),
        None => state.savepoints.len().checked_sub(1),
    };
    let index = found.ok_or_else(|| Stop::sql(code::SAVEPOINT_UNKNOWN, &[name.unwrap_or_default()]))?;
    let text = format!("ROLLBACK TO SAVEPOINT {}", delimited(&state.savepoints[index].name));
    state.link.savepoint(&text, true, context.wait)?;
    state.savepoints.truncate(index + 1);
    Ok(())
}

pub fn release(state: &mut State, name: &str, context: &mut Context) -> Done<()> {
    let found = state.savepoints.iter().rposition(|savepoint| savepoint.name == name);
    let index = found.ok_or_else(|| Stop::sql(code::SAVEPOINT_UNKNOWN, &[name]))?;
    state.link.savepoint(&format!("RELEASE SAVEPOINT {}", delimited(name)), false, context.wait)?;
    state.savepoints.truncate(index);
    Ok(())
}
