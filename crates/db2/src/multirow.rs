//! Changes for each element of host variable arrays: INSERT FOR n ROWS, MERGE, EXECUTE FOR n ROWS.
//!
//! ATOMIC: all rows in one round trip; an error backs out all of them. NOT ATOMIC: each row is tried; those in error are reported by GET
//! DIAGNOSTICS, and the others stay.

use crate::command::Command;
use crate::compiled::Operands;
use crate::conditions::Condition;
use crate::context::Context;
use crate::errors::{Done, SqlError, Stop, code, is_contention};
use crate::host::parameters;
use crate::link::Described;
use crate::rowset::ROWS_MAX;
use crate::state::State;

/// Rows whose parameters are sent in one round trip.
const BATCH_ROWS: usize = 500;

pub fn execute(state: &mut State, command: Command, inputs: Operands, count: i64, atomic: bool, context: &mut Context) -> Done<()> {
    if !(1..=ROWS_MAX).contains(&count) {
        return Err(Stop::sql(code::ROWS_OUT_OF_RANGE, &["INSERT", "", &count.to_string()]));
    }
    let rows = count as u32;
    state.gathered.clear();
    for row in 0..rows {
        state.gathered.take(inputs, row)?;
    }
    let repeatable = State::is_repeatable(command.isolation, context);
    let described = state.link.prepare(command.key, command.sources(), repeatable, context.wait)?;
    let mut buffer = std::mem::take(&mut state.parameters);
    buffer.clear();
    let mut groups: Vec<Result<(usize, usize), Stop>> = Vec::with_capacity(rows as usize);
    for row in 0..rows as usize {
        let start = buffer.len();
        let first = row * inputs.len();
        let done = parameters(inputs, &state.gathered, first, &described.parameters, &state.locators, &mut state.scratch, &mut buffer);
        groups.push(done.map(|()| (start, buffer.len())));
    }
    let total = if atomic {
        all_or_none(state, &described, &buffer, groups, context)
    } else {
        one_by_one(state, &described, &buffer, groups, context)
    };
    state.parameters = buffer;
    let total = total?;
    state.link.statistics.changes += 1;
    state.area.rows = total;
    Ok(())
}

type Groups = Vec<Result<(usize, usize), Stop>>;

fn all_or_none(state: &mut State, described: &Described, buffer: &[u8], groups: Groups, context: &mut Context) -> Done<i64> {
    let ranges: Vec<(usize, usize)> = groups.into_iter().collect::<Result<_, _>>()?;
    let slices: Vec<&[u8]> = ranges.iter().map(|(start, end)| &buffer[*start..*end]).collect();
    // The unit is told of the change when all batches are through: an error backs out to the savepoint ahead of the first.
    let mut counts = Vec::new();
    for batch in slices.chunks(BATCH_ROWS) {
        state.link.run_many(described, batch, &mut counts, context.wait)?;
    }
    state.link.unit.touched(true);
    Ok(counts.iter().sum())
}

fn one_by_one(state: &mut State, described: &Described, buffer: &[u8], groups: Groups, context: &mut Context) -> Done<i64> {
    let (mut total, mut failed) = (0, 0);
    let count = groups.len();
    for (row, group) in groups.into_iter().enumerate() {
        let mut counts = Vec::new();
        let done = match group {
            Ok((start, end)) => state.link.run_many(described, &[&buffer[start..end]], &mut counts, context.wait),
            Err(stop) => Err(stop),
        };
        match done {
            Ok(()) => {
                state.link.unit.touched(true);
                total += counts.iter().sum::<i64>();
            }
            Err(Stop::Sql(error)) if !is_contention(&error) => {
                failed += 1;
                state.diagnostics.conditions.push(Condition { error, row: row as i64 + 1 });
            }
            Err(stop) => return Err(stop),
        }
    }
    if failed > 0 {
        let code = if failed == count { code::ALL_ROWS_FAILED } else { code::ROWS_FAILED };
        let error = SqlError::new(code, &[]);
        state.diagnostics.conditions.insert(0, Condition { error: error.clone(), row: 0 });
        state.diagnostics.rows = total;
        state.area.rows = total;
        return Err(Stop::Sql(error));
    }
    Ok(total)
}
