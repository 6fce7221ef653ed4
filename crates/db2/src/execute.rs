//! Statements that are executed at once: changes, and SELECT INTO.

use crate::command::Command;
use crate::compiled::Operands;
use crate::context::Context;
use crate::errors::{Done, SqlError, Stop, code, is_stale_plan};
use crate::link::{Answer, Described, Run};
use crate::sqlca::Area;
use crate::state::{State, deliver_row};
use std::sync::Arc;

/// Rows that a SELECT INTO asks for: one more than it may have.
const SINGLE_ROW_MAX: u32 = 2;

/// Executes a statement whose result is the number of rows that it changed.
pub fn execute(state: &mut State, command: Command, inputs: Operands, context: &mut Context) -> Done<()> {
    if command.is_unobserved && command.changes && state.link.may_run_ahead() && state.link.is_prepared(command.key) {
        return run_ahead(state, command, inputs, context);
    }
    let (_, answer) = run(state, command, inputs, 0, context)?;
    state.link.unit.touched(command.changes);
    state.link.statistics.changes += u64::from(command.changes);
    finish_change(&mut state.area, answer.count, command.searched);
    Ok(())
}

/// Leaves the change to the statement behind it, because nobody looks at its result.
fn run_ahead(state: &mut State, command: Command, inputs: Operands, context: &mut Context) -> Done<()> {
    state.gather(inputs, 0)?;
    let (described, repeatable) = bind(state, &command, inputs, context)?;
    state.link.run_ahead(described, &state.parameters, repeatable);
    state.link.statistics.changes += 1;
    Ok(())
}

/// SQLERRD(3) and +100 of a change.
fn finish_change(area: &mut Area, rows: i64, searched: bool) {
    area.rows = rows;
    if searched && rows == 0 {
        area.set(SqlError::new(code::NOT_FOUND, &[]));
    }
}

/// Executes a definition, which is some statements of the server.
pub fn define(state: &mut State, texts: &[String], context: &mut Context) -> Done<()> {
    state.link.run_texts(texts, context.wait)?;
    state.link.unit.touched(true);
    Ok(())
}

/// Executes a statement with at most one row of results.
pub fn select_into(state: &mut State, command: Command, inputs: Operands, outputs: Operands, context: &mut Context) -> Done<()> {
    // A change is complete before its first row comes; without a limit the server need not keep the rest.
    let rows_max = if command.changes { 0 } else { SINGLE_ROW_MAX };
    let (described, answer) = run(state, command, inputs, rows_max, context)?;
    state.link.statistics.selects += 1;
    if command.changes {
        state.link.unit.touched(true);
    }
    if state.rows.left() > 1 {
        return Err(Stop::sql(code::MULTIPLE_ROWS, &[]));
    }
    let Some(row) = state.rows.take() else { return Err(Stop::sql(code::NOT_FOUND, &[])) };
    let receivers = (&mut state.delivery, &mut state.locators, &mut state.area);
    deliver_row(row, &described, described.columns.len(), outputs, 0, receivers, context)?;
    state.report_delivery();
    state.area.rows = if command.changes { answer.count } else { 1 };
    Ok(())
}

/// Binds and executes; the rows are in `state.rows`.
fn run(state: &mut State, command: Command, inputs: Operands, rows_max: u32, context: &mut Context) -> Done<(Arc<Described>, Answer)> {
    state.gather(inputs, 0)?;
    match attempt(state, command, inputs, rows_max, context) {
        Err(Stop::Sql(error)) if is_stale_plan(&error) => {
            // The shape of its tables has changed since it was prepared.
            state.link.forget(command.key);
            attempt(state, command, inputs, rows_max, context)
        }
        done => done,
    }
}

fn attempt(state: &mut State, command: Command, inputs: Operands, rows_max: u32, context: &mut Context) -> Done<(Arc<Described>, Answer)> {
    let (described, repeatable) = bind(state, &command, inputs, context)?;
    let answer = send(state, &described, rows_max, repeatable, context)?;
    Ok((described, answer))
}

/// The prepared statement, whose parameters are in `state.parameters`, and whether its isolation is repeatable read.
fn bind(state: &mut State, command: &Command, inputs: Operands, context: &mut Context) -> Done<(Arc<Described>, bool)> {
    let repeatable = State::is_repeatable(command.isolation, context);
    let described = state.link.prepare(command.key, command.sources(), repeatable, context.wait)?;
    state.encode(inputs, &described.parameters)?;
    Ok((described, repeatable))
}

/// Executes a statement whose last parameter is not a host variable: `last` is its encoded value.
pub fn execute_with(state: &mut State, command: Command, inputs: Operands, last: &[u8], context: &mut Context) -> Done<Answer> {
    state.gather(inputs, 0)?;
    let described = state.link.prepare(command.key, command.sources(), false, context.wait)?;
    let (_, own) = described.parameters.split_last().ok_or_else(|| Stop::sql(code::HOST_VARIABLE_COUNT, &[]))?;
    state.encode(inputs, own)?;
    state.parameters.extend_from_slice(last);
    send(state, &described, 0, false, context)
}

fn send(state: &mut State, described: &Described, rows_max: u32, repeatable: bool, context: &mut Context) -> Done<Answer> {
    state.rows.clear();
    let run = Run { described, parameters: &state.parameters, portal: "", rows_max, repeatable };
    state.link.run(run, &mut state.rows, context.wait)
}
