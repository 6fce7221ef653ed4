//! UPDATE and DELETE WHERE CURRENT OF a cursor.

use crate::compiled::Call;
use crate::context::Context;
use crate::cursor::RowId;
use crate::errors::{Done, Stop, code};
use crate::execute::{Command, execute_with};
use crate::link::{Form, Key};
use crate::state::State;
use sql::Number;

const CURRENT_OF: &str = "WHERE CURRENT OF";

/// Executes the statement for the row that the cursor stands on, or for a row (all rows) of its rowset.
pub fn execute(state: &mut State, call: &Call, cursor: &str, row: Option<&Number>, context: &mut Context) -> Done<()> {
    let row = row.map(|row| state.number(call, row)).transpose()?;
    let Ok((open, _, portal)) = state.cursors.open(call.package, cursor) else {
        return Err(Stop::sql(code::POSITIONED_NOT_OPEN, &[]));
    };
    if !open.updatable {
        return Err(Stop::sql(code::CURSOR_NOT_UPDATABLE, &[]));
    }
    if !open.on_row {
        return Err(Stop::sql(code::CURSOR_NOT_ON_ROW, &[]));
    }
    let portal = portal.to_string();
    let ids = open.row_ids.clone();
    if !open.has_row_ids() {
        let text = replaced(&call.statement().text, &format!("{CURRENT_OF} {portal}"));
        let command = Command { text: &text, searched: false, ..Command::of(call) };
        crate::execute::execute(state, command, call.inputs(), context)?;
        if is_delete(&call.statement().text) {
            stand_on_no_row(state, call, cursor)?;
        }
        return Ok(());
    }
    let wanted = match row {
        None => 0..ids.len(),
        Some(number) => {
            let index = usize::try_from(number - 1).ok().filter(|index| *index < ids.len());
            let index = index.ok_or_else(|| Stop::sql(code::CURSOR_NOT_ON_ROW, &[]))?;
            index..index + 1
        }
    };
    let mut total = 0;
    for index in wanted {
        let changed = by_row(state, call, ids[index], context)?;
        let (open, _, _) = state.cursors.open(call.package, cursor)?;
        if let (Some(id), Some(place)) = (changed, open.row_ids.get_mut(index)) {
            *place = id;
        }
        total += 1;
    }
    state.area.rows = total;
    Ok(())
}

/// Executes the statement for one row; returns its identifier from now on.
fn by_row(state: &mut State, call: &Call, id: RowId, context: &mut Context) -> Done<Option<RowId>> {
    let marker = call.statement().inputs.len() + 1;
    let text = replaced(&call.statement().text, &format!("WHERE ctid = ${marker} RETURNING ctid"));
    let key = Key { id: call.compiled.id, form: Form::ByRow };
    let command = Command { key, text: &text, isolation: None, changes: true, searched: false };
    let mut last = (id.len() as u32).to_be_bytes().to_vec();
    last.extend_from_slice(&id);
    let answer = execute_with(state, command, call.inputs(), &last, context)?;
    state.link.unit.touched(true);
    if answer.count == 0 {
        return Err(Stop::sql(code::CURSOR_NOT_ON_ROW, &[]));
    }
    let new = state.rows.take().and_then(|mut row| row.next().flatten().and_then(|id| RowId::try_from(id).ok()));
    Ok(new.filter(|_| !is_delete(&call.statement().text)))
}

fn stand_on_no_row(state: &mut State, call: &Call, cursor: &str) -> Done<()> {
    let (open, _, _) = state.cursors.open(call.package, cursor)?;
    open.on_row = false;
    Ok(())
}

fn is_delete(text: &str) -> bool {
    text.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("DELETE"))
}

/// The statement with its WHERE CURRENT OF clause replaced.
fn replaced(text: &str, clause: &str) -> String {
    match text.rfind(CURRENT_OF) {
        Some(at) => {
            let rest = text[at + CURRENT_OF.len()..].trim_start();
            let end = match rest.strip_prefix('"') {
                Some(name) => name.find('"').map_or(rest.len(), |end| end + 2),
                None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            };
            format!("{}{clause}{}", &text[..at], &rest[end..])
        }
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clause_names_the_portal() {
        assert_eq!(replaced("DELETE FROM t WHERE CURRENT OF \"C1\"", "WHERE CURRENT OF c3"), "DELETE FROM t WHERE CURRENT OF c3");
        assert_eq!(replaced("UPDATE t SET a = $1 WHERE CURRENT OF C1 ", "WHERE ctid = $2"), "UPDATE t SET a = $1 WHERE ctid = $2 ");
    }
}
