//! OPEN and CLOSE. The first block of rows comes in the round trip of OPEN.

use crate::command::Command;
use crate::compiled::{Call, Operands};
use crate::context::Context;
use crate::cursor::{BLOCK_FIRST, Kind, Open, kind_of, with_row_id};
use crate::errors::{Done, Stop, code};
use crate::link::{Form, Key, Run};
use crate::state::State;
use sql::{CursorOf, DynamicKind};

/// Rows asked for at first of a cursor whose position matters.
const ONE: u32 = 1;

/// OPEN with the query, and the inputs of DECLARE or USING.
pub fn open(state: &mut State, call: &Call, cursor: &sql::Cursor, inputs: Operands, context: &mut Context) -> Done<()> {
    if state.cursors.obtain(call.package, &cursor.name).open.is_some() {
        return Err(Stop::sql(code::CURSOR_OPEN, &[&cursor.name]));
    }
    match &cursor.of {
        CursorOf::Query => open_command(state, call.package, cursor, None, Command::of(call), inputs, context),
        CursorOf::Prepared(name) => {
            let Some(prepared) = state.prepared.find(call.package, name) else {
                return Err(Stop::sql(code::CURSOR_NOT_PREPARED, &[&cursor.name]));
            };
            if !matches!(prepared.statement.dynamic.kind, DynamicKind::Select) {
                return Err(Stop::sql(code::CURSOR_NOT_SELECT, &[&cursor.name, name]));
            }
            let declared = prepared.cursor_options(cursor);
            open_command(state, call.package, &declared, Some(name), prepared.statement.command(), inputs, context)
        }
    }
}

fn open_command(
    state: &mut State,
    package: usize,
    cursor: &sql::Cursor,
    prepared: Option<&str>,
    command: Command,
    inputs: Operands,
    context: &mut Context,
) -> Done<()> {
    let isolation = cursor.isolation.or(command.isolation);
    let repeatable = State::is_repeatable(isolation, context);
    state.gather(inputs, 0)?;
    let kind = kind_of(cursor);
    let by_row = (cursor.updatable && kind != Kind::Portal).then(|| with_row_id(command.text)).flatten();
    let updatable = cursor.updatable && (kind == Kind::Portal || by_row.is_some());
    let query = by_row.as_deref().unwrap_or(command.text);
    let form = if by_row.is_some() { Form::ByRow } else { Form::Plain };
    let described = state.link.prepare(Key { form, ..command.key }, (query, command.check), repeatable, context.wait)?;
    state.encode(inputs, &described.parameters)?;
    let portal = state.cursors.portal(package, &cursor.name);
    let parameters = std::mem::take(&mut state.parameters);
    let block = if updatable { ONE } else { BLOCK_FIRST };
    let number = state.cursors.number(package, &cursor.name);
    let rows = &mut state.cursors.obtain(package, &cursor.name).rows;
    rows.clear();
    let mut open = Open {
        described: described.clone(),
        kind,
        hold: cursor.with_hold,
        updatable,
        exhausted: false,
        block,
        on_row: false,
        row_ids: Vec::new(),
        trailing: 0,
        rowset: 1,
        prepared: prepared.map(str::to_string),
    };
    let answer = match kind {
        Kind::Portal => {
            let run = Run { described: &described, parameters: &parameters, portal: &portal, rows_max: block, repeatable };
            state.link.run(run, rows, context.wait).map(|answer| !answer.suspended)
        }
        Kind::Declared { scroll } => {
            let hold = if cursor.with_hold { " WITH HOLD" } else { "" };
            let text = format!("DECLARE {portal} {} CURSOR{hold} FOR {query}", if scroll { "SCROLL" } else { "NO SCROLL" });
            let key = Key { form: if by_row.is_some() { Form::DeclareByRow(number) } else { Form::Declare(number) }, ..command.key };
            let declare = state.link.prepare(key, (&text, ""), repeatable, context.wait);
            declare.and_then(|declare| {
                let run = Run { described: &declare, parameters: &parameters, portal: "", rows_max: 0, repeatable };
                if scroll {
                    return state.link.run(run, rows, context.wait).map(|_| false);
                }
                let answer = state.link.run_then(run, &format!("FETCH FORWARD {block} FROM {portal}"), rows, context.wait)?;
                Ok(answer.count < i64::from(block))
            })
        }
    };
    state.parameters = parameters;
    open.exhausted = answer?;
    open.grow(rows);
    state.cursors.obtain(package, &cursor.name).open = Some(open);
    state.link.unit.touched(false);
    state.link.statistics.opens += 1;
    state.area.cursor_kind(cursor.scroll, updatable);
    Ok(())
}

/// CLOSE: the portal is closed with the next batch.
pub fn close(state: &mut State, package: usize, name: &str) -> Done<()> {
    let (_, rows, portal) = state.cursors.open(package, name)?;
    rows.clear();
    state.link.close_portal(portal);
    if let Some(cursor) = state.cursors.find(package, name) {
        cursor.open = None;
    }
    Ok(())
}
