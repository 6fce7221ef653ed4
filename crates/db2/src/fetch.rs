//! FETCH of one row: the next from the block, or by position from a scrollable cursor.

use crate::compiled::{Call, Operands};
use crate::context::Context;
use crate::cursor::{Kind, ROW_ID_BYTES, RowId};
use crate::errors::{Done, Stop, code};
use crate::link::Answer;
use crate::state::{State, deliver_row};
use sql::Orientation;

/// FETCH without FOR n ROWS.
pub fn fetch(
    state: &mut State,
    call: &Call,
    cursor: &str,
    orientation: &Orientation,
    outputs: Operands,
    context: &mut Context,
) -> Done<()> {
    state.link.statistics.fetches += 1;
    let (open, rows, _) = state.cursors.open(call.package, cursor)?;
    if open.kind == (Kind::Declared { scroll: true }) {
        move_to(state, call, cursor, orientation, 1, context)?;
    } else if *orientation != Orientation::Next {
        return Err(Stop::sql(code::FETCH_ORIENTATION, &[cursor]));
    } else if rows.left() == 0 && !open.exhausted {
        refill(state, call.package, cursor, 1, context)?;
    }
    take_row(state, call.package, cursor, outputs, 0, context)
}

/// Brings the next block; `wanted` rows at least, if there are so many.
pub fn refill(state: &mut State, package: usize, cursor: &str, wanted: u32, context: &mut Context) -> Done<()> {
    let (open, rows, portal) = state.cursors.open(package, cursor)?;
    rows.clear();
    let block = open.block.max(wanted);
    let answer = match open.kind {
        Kind::Portal => state.link.more(portal, block, rows, context.wait)?,
        Kind::Declared { .. } => {
            let mut answer = state.link.run_text(&format!("FETCH FORWARD {block} FROM {portal}"), rows, context.wait)?;
            answer.suspended = answer.count == i64::from(block);
            answer
        }
    };
    open.exhausted = !answer.suspended;
    open.grow(rows);
    Ok(())
}

/// Gives the next row of the block to the program: to element `element` of arrays. +100 if there is none.
pub fn take_row(state: &mut State, package: usize, cursor: &str, outputs: Operands, element: u32, context: &mut Context) -> Done<()> {
    let (open, rows, _) = state.cursors.open(package, cursor)?;
    if element == 0 {
        open.row_ids.clear();
    }
    let Some(row) = rows.take() else {
        open.on_row = open.kind == (Kind::Declared { scroll: true }) && element > 0;
        return Err(Stop::sql(code::NOT_FOUND, &[]));
    };
    open.on_row = true;
    let columns = open.columns();
    if open.has_row_ids() {
        let id = row.clone().nth(columns).flatten();
        open.row_ids.push(id.and_then(|id| RowId::try_from(id).ok()).unwrap_or([0; ROW_ID_BYTES]));
    }
    let receivers = (&mut state.delivery, &mut state.locators, &mut state.area);
    let described = open.described.clone();
    if outputs.len() > 0 {
        deliver_row(row, &described, columns, outputs, element, receivers, context)?;
    }
    state.report_delivery();
    state.area.rows = i64::from(element) + 1;
    Ok(())
}

/// Positions a scrollable cursor and brings up to `count` rows from there.
///
/// The server stands on the last row that it gave, `trailing` rows behind the first of the rowset that the program stands on.
pub fn move_to(state: &mut State, call: &Call, cursor: &str, orientation: &Orientation, count: u32, context: &mut Context) -> Done<()> {
    let target = target_of(state, call, orientation)?;
    let (open, rows, portal) = state.cursors.open(call.package, cursor)?;
    rows.clear();
    let trailing = std::mem::take(&mut open.trailing);
    open.on_row = false;
    let count = i64::from(count);
    let where_to = match target {
        Target::Next => format!("FORWARD {count}"),
        Target::Prior if count == 1 => format!("RELATIVE {}", -(trailing + 1)),
        Target::Prior => format!("RELATIVE {}", -(trailing + count)),
        Target::Last => format!("ABSOLUTE {}", -count),
        Target::Absolute(number) => format!("ABSOLUTE {number}"),
        Target::Relative(rows) => format!("RELATIVE {}", rows - trailing),
        // BEFORE and AFTER bring no row, and that is no condition.
        Target::Before => return moved(state.link.run_text(&format!("MOVE ABSOLUTE 0 IN {portal}"), rows, context.wait)),
        Target::After => return moved(state.link.run_text(&format!("MOVE FORWARD ALL IN {portal}"), rows, context.wait)),
    };
    state.link.run_text(&format!("FETCH {where_to} FROM {portal}"), rows, context.wait)?;
    if rows.len() == 0 && count > 1 && matches!(target, Target::Prior | Target::Last) {
        // Fewer rows than the rowset has lie in front: it begins with the first.
        state.link.run_text(&format!("FETCH ABSOLUTE 1 FROM {portal}"), rows, context.wait)?;
    }
    let missing = count - rows.len() as i64;
    if rows.len() > 0 && missing > 0 && target != Target::Next {
        state.link.run_text(&format!("FETCH FORWARD {missing} FROM {portal}"), rows, context.wait)?;
    }
    // Behind a rowset that is not full the server stands behind the last row.
    let found = rows.len() as i64;
    open.trailing = if found == count { found - 1 } else { found };
    Ok(())
}

/// The cursor stands on no row.
fn moved(answer: Done<Answer>) -> Done<()> {
    answer?;
    Err(Stop::Moved)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Next,
    Prior,
    Last,
    Before,
    After,
    Absolute(i64),
    /// To the first row of the rowset.
    Relative(i64),
}

fn target_of(state: &mut State, call: &Call, orientation: &Orientation) -> Done<Target> {
    Ok(match orientation {
        Orientation::Next => Target::Next,
        Orientation::Prior => Target::Prior,
        Orientation::First => Target::Absolute(1),
        Orientation::Last => Target::Last,
        Orientation::Current => Target::Relative(0),
        Orientation::Before => Target::Before,
        Orientation::After => Target::After,
        Orientation::Absolute(number) => Target::Absolute(state.number(call, number)?),
        Orientation::Relative(number) => Target::Relative(state.number(call, number)?),
        Orientation::RowsetStartingAt(inner) => target_of(state, call, inner)?,
    })
}
