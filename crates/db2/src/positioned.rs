//! UPDATE and DELETE WHERE CURRENT OF a cursor.

use crate::command::Command;
use crate::compiled::Operands;
use crate::context::Context;
use crate::cursor::RowId;
use crate::errors::{Done, Stop, code};
use crate::execute::execute_with;
use crate::link::{Form, Key};
use crate::state::State;

const CURRENT_OF: &str = "WHERE CURRENT OF";

/// A cursor of a program: the program and the name.
pub type OfProgram<'a> = (usize, &'a str);

/// Executes the statement for the row that the cursor stands on, or for a row (all rows) of its rowset.
pub fn execute(
    state: &mut State,
    command: Command,
    inputs: Operands,
    (package, cursor): OfProgram,
    row: Option<i64>,
    context: &mut Context,
) -> Done<()> {
    let Ok((open, _, portal)) = state.cursors.open(package, cursor) else {
        return Err(Stop::sql(code::POSITIONED_NOT_OPEN, &[]));
    };
    if !open.updatable {
        return Err(Stop::sql(code::CURSOR_NOT_UPDATABLE, &[]));
    }
    if !open.on_row {
        return Err(Stop::sql(code::CURSOR_NOT_ON_ROW, &[]));
    }
    if !open.has_row_ids() {
        let text = replaced(command.text, &format!("{CURRENT_OF} {portal}"));
        crate::execute::execute(state, Command { text: &text, searched: false, ..command }, inputs, context)?;
        let (open, _, _) = state.cursors.open(package, cursor)?;
        open.on_row = !is_delete(command.text);
        return Ok(());
    }
    let ids = open.row_ids.clone();
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
        let changed = by_row(state, command, inputs, ids[index], context)?;
        let (open, _, _) = state.cursors.open(package, cursor)?;
        if let (Some(id), Some(place)) = (changed, open.row_ids.get_mut(index)) {
            *place = id;
        }
        total += 1;
    }
    state.area.rows = total;
    Ok(())
}

/// Executes the statement for one row; returns its identifier from now on.
fn by_row(state: &mut State, command: Command, inputs: Operands, id: RowId, context: &mut Context) -> Done<Option<RowId>> {
    let text = replaced(command.text, &format!("WHERE ctid = ${} RETURNING ctid", inputs.len() + 1));
    let key = Key { form: Form::ByRow, ..command.key };
    let mut last = (id.len() as u32).to_be_bytes().to_vec();
    last.extend_from_slice(&id);
    let answer = execute_with(state, Command { key, text: &text, ..command }, inputs, &last, context)?;
    state.link.unit.touched(true);
    if answer.count == 0 {
        return Err(Stop::sql(code::CURSOR_NOT_ON_ROW, &[]));
    }
    let new = state.rows.take().and_then(|mut row| row.next().flatten().and_then(|id| RowId::try_from(id).ok()));
    Ok(new.filter(|_| !is_delete(command.text)))
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
