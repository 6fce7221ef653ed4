//! FETCH of a rowset into host variable arrays.

use crate::compiled::{Call, Operands};
use crate::context::Context;
use crate::cursor::Kind;
use crate::errors::{Done, SqlError, Stop, code};
use crate::fetch::{move_to, refill, take_row};
use crate::state::State;
use sql::{Number, Orientation, ROWS_AS_BEFORE};

/// Most rows of a rowset.
pub const ROWS_MAX: i64 = 32_767;

/// FETCH ... FOR n ROWS. A rowset that is not full gives +100 with the number of its rows.
pub fn fetch(
    state: &mut State,
    call: &Call,
    cursor: &str,
    orientation: &Orientation,
    rows: &Number,
    outputs: Operands,
    context: &mut Context,
) -> Done<()> {
    state.link.statistics.fetches += 1;
    let wanted = match rows {
        Number::Literal(ROWS_AS_BEFORE) => state.cursors.open(call.package, cursor)?.0.rowset,
        rows => state.number(call, rows)?,
    };
    if !(1..=ROWS_MAX).contains(&wanted) {
        return Err(Stop::sql(code::ROWS_OUT_OF_RANGE, &[&wanted.to_string()]));
    }
    let wanted = wanted as u32;
    let (open, _, _) = state.cursors.open(call.package, cursor)?;
    open.rowset = i64::from(wanted);
    let scroll = open.kind == (Kind::Declared { scroll: true });
    let next = matches!(orientation, Orientation::Next)
        || matches!(orientation, Orientation::RowsetStartingAt(inner) if **inner == Orientation::Next);
    if scroll {
        move_to(state, call, cursor, orientation, wanted, context)?;
    } else if !next {
        return Err(Stop::sql(code::FETCH_ORIENTATION, &[cursor]));
    }
    let mut taken = 0;
    while taken < wanted {
        let (open, rows, _) = state.cursors.open(call.package, cursor)?;
        if !scroll && rows.left() == 0 && !open.exhausted {
            refill(state, call.package, cursor, wanted - taken, context)?;
        }
        match take_row(state, call.package, cursor, outputs, taken, context) {
            Err(Stop::Sql(error)) if error.code == code::NOT_FOUND => break,
            done => done?,
        }
        taken += 1;
    }
    let (open, _, _) = state.cursors.open(call.package, cursor)?;
    open.on_row = taken > 0;
    state.area.rows = i64::from(taken);
    if taken < wanted {
        state.area.set(SqlError::new(code::NOT_FOUND, &[]));
    }
    Ok(())
}
