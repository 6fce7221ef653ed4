//! Dynamic SQL: PREPARE, EXECUTE, EXECUTE IMMEDIATE and DESCRIBE.

use crate::compiled::{Call, Operands};
use crate::context::Context;
use crate::dynamic_table::{DynamicStatement, Prepared, translated};
use crate::errors::{Done, Stop, code};
use crate::link::{Column, Described};
use crate::rows::Rows;
use crate::sqlca::OF_ALL_ROWS;
use crate::state::State;
use crate::{execute, positioned, registers, sqlda, unit_commands};
use postgres::binary;
use sql::{DynamicKind, KnownColumn, Number, Text};
use std::sync::Arc;

/// PREPARE: the server checks the statement now.
pub fn prepare(
    state: &mut State,
    call: &Call,
    name: &str,
    (from, attributes): (&Text, Option<&Text>),
    into: Option<u16>,
    context: &mut Context,
) -> Done<()> {
    if let Some(cursor) = state.cursors.using(call.package, name) {
        return Err(Stop::sql(code::PREPARE_OF_OPEN_CURSOR, &[&cursor]));
    }
    state.prepared.remove(call.package, name);
    let text = state.text(call, from)?;
    let attributes = attributes.map(|attributes| state.text(call, attributes)).transpose()?.unwrap_or_default();
    let statement = translated(&text, call.compiled.page.code_page.ccsid, context.bind)?;
    let described = describe_at_server(state, &statement, context)?;
    if let (Some(into), Some(described)) = (into, &described) {
        write(state, call, into, (columns_of(&statement, described), &statement.dynamic.columns), context)?;
    }
    if statement.dynamic.of_all_rows {
        state.area.warn(OF_ALL_ROWS);
    }
    state.prepared.insert(call.package, name, Prepared { statement, attributes: attributes.to_uppercase() });
    Ok(())
}

/// The server's description; `None`: the run time executes the statement itself.
fn describe_at_server(state: &mut State, statement: &DynamicStatement, context: &mut Context) -> Done<Option<Arc<Described>>> {
    // A definition may rest on objects that are made before it is executed, and a positioned change on a cursor that is not open yet.
    let is_checked = !matches!(statement.dynamic.kind, DynamicKind::Definition { .. } | DynamicKind::Truncate | DynamicKind::LockTable);
    if statement.dynamic.text.is_empty() || !is_checked || statement.dynamic.cursor.is_some() {
        return Ok(None);
    }
    let command = statement.command();
    let repeatable = State::is_repeatable(command.isolation, context);
    state.link.prepare(command.key, command.sources(), repeatable, context.wait).map(Some)
}

/// The columns that DESCRIBE shows: only a SELECT has some.
fn columns_of<'a>(statement: &DynamicStatement, described: &'a Described) -> &'a [Column] {
    if matches!(statement.dynamic.kind, DynamicKind::Select) { &described.columns } else { &[] }
}

/// EXECUTE name USING ... INTO ...
pub fn execute_prepared(
    state: &mut State,
    call: &Call,
    name: &str,
    rows: Option<&Number>,
    operands: [Operands; 2],
    context: &mut Context,
) -> Done<()> {
    let [inputs, outputs] = operands;
    let Some(prepared) = state.prepared.find(call.package, name) else {
        return Err(Stop::sql(code::EXECUTE_NOT_PREPARED, &[]));
    };
    let statement = &prepared.statement;
    if matches!(statement.dynamic.kind, DynamicKind::Select) && outputs.len() == 0 {
        return Err(Stop::sql(code::EXECUTE_NOT_PREPARED, &[]));
    }
    if let Some(rows) = rows {
        let count = state.number(call, rows)?;
        return crate::multirow::execute(state, statement.command(), inputs, count, true, context);
    }
    perform(state, call.package, statement, inputs, outputs, context)
}

/// EXECUTE IMMEDIATE: no SELECT, and no parameter markers.
pub fn execute_immediate(state: &mut State, call: &Call, from: &Text, context: &mut Context) -> Done<()> {
    let text = state.text(call, from)?;
    let statement = translated(&text, call.compiled.page.code_page.ccsid, context.bind)?;
    if matches!(statement.dynamic.kind, DynamicKind::Select) {
        return Err(Stop::sql(code::SELECT_IN_IMMEDIATE, &["SELECT"]));
    }
    let none = Operands { order: &[], ..call.inputs() };
    perform(state, call.package, &statement, none, none, context)
}

fn perform(
    state: &mut State,
    package: usize,
    statement: &DynamicStatement,
    inputs: Operands,
    outputs: Operands,
    context: &mut Context,
) -> Done<()> {
    let command = statement.command();
    match &statement.dynamic.kind {
        DynamicKind::Commit => unit_commands::end(true, context),
        DynamicKind::Rollback => unit_commands::end(false, context),
        DynamicKind::Savepoint { name, unique } => unit_commands::savepoint(state, name, *unique, context),
        DynamicKind::RollbackTo { name } => unit_commands::rollback_to(state, name.as_deref(), context),
        DynamicKind::Release { name } => unit_commands::release(state, name, context),
        DynamicKind::SetRegister { register, value } => registers::set(state, register, value),
        DynamicKind::NoEffect { .. } => Ok(()),
        DynamicKind::Definition { texts, .. } => execute::define(state, texts, context),
        _ if statement.dynamic.cursor.is_some() => {
            let cursor = statement.dynamic.cursor.as_deref().unwrap_or_default();
            positioned::execute(state, command, inputs, (package, cursor), None, context)
        }
        _ if statement.dynamic.returns_rows && outputs.len() > 0 => execute::select_into(state, command, inputs, outputs, context),
        _ => execute::execute(state, command, inputs, context),
    }
}

/// DESCRIBE OUTPUT and DESCRIBE INPUT.
pub fn describe(state: &mut State, call: &Call, name: &str, input: bool, into: u16, context: &mut Context) -> Done<()> {
    let Some(prepared) = state.prepared.find(call.package, name) else {
        return Err(Stop::sql(code::DESCRIBE_NOT_PREPARED, &[]));
    };
    let described = describe_at_server(state, &prepared.statement, context)?.unwrap_or_default();
    if input {
        let column = |oid: &u32| Column::of_parameter(*oid);
        let columns: Vec<Column> = described.parameters.iter().map(column).collect();
        return write(state, call, into, (&columns, &[]), context);
    }
    let statement = prepared.statement.clone();
    write(state, call, into, (columns_of(&statement, &described), &statement.dynamic.columns), context)
}

/// DESCRIBE TABLE: the columns that SELECT * has.
pub fn describe_table(state: &mut State, call: &Call, table: &Text, into: u16, context: &mut Context) -> Done<()> {
    let table = state.text(call, table)?;
    let statement = translated(&format!("SELECT * FROM {table}"), call.compiled.page.code_page.ccsid, context.bind)?;
    let described = describe_at_server(state, &statement, context)?.unwrap_or_default();
    write(state, call, into, (&described.columns, &[]), context)
}

/// DESCRIBE CURSOR of an open cursor.
pub fn describe_cursor(state: &mut State, call: &Call, cursor: &Text, into: u16, context: &mut Context) -> Done<()> {
    let name = state.text(call, cursor)?;
    let Some(columns) = state.cursors.find(call.package, &name).and_then(|cursor| {
        let open = cursor.open.as_ref()?;
        Some(open.described.columns[..open.columns()].to_vec())
    }) else {
        return Err(Stop::sql(code::CURSOR_UNKNOWN, &[&name]));
    };
    write(state, call, into, (&columns, &[]), context)
}

/// Writes the description of columns to the descriptor. Those of tables are looked up: NOT NULL is in the catalog only. The text of the
/// statement tells more of some than the server.
fn write(state: &mut State, call: &Call, into: u16, (columns, known): (&[Column], &[KnownColumn]), context: &mut Context) -> Done<()> {
    let of_tables: Vec<String> =
        columns.iter().filter(|column| column.table != 0).map(|column| format!("({}, {})", column.table, column.number)).collect();
    let mut not_null = Vec::new();
    if !of_tables.is_empty() {
        let query = format!(
            "SELECT attrelid::pg_catalog.int8, attnum FROM pg_catalog.pg_attribute WHERE attnotnull AND (attrelid::pg_catalog.int8, attnum) IN ({})",
            of_tables.join(", ")
        );
        let mut rows = Rows::default();
        state.link.run_text(&query, &mut rows, context.wait)?;
        while let Some(mut row) = rows.take() {
            let table = row.next().flatten().and_then(binary::decode_i64);
            not_null.push((table, row.next().flatten().and_then(binary::decode_i16)));
        }
    }
    let is_nullable = |column: &Column| !not_null.contains(&(Some(i64::from(column.table)), Some(column.number)));
    let described = |(index, column): (usize, &Column)| {
        let mut column = column.clone();
        let known = known.get(index);
        column.kind.modifier = known.and_then(|known| known.modifier).unwrap_or(column.kind.modifier);
        let is_nullable = !known.is_some_and(|known| known.is_never_null) && is_nullable(&column);
        (column, is_nullable)
    };
    let columns: Vec<(Column, bool)> = columns.iter().enumerate().map(described).collect();
    let address = call.places[usize::from(into)].address;
    let form = (call.compiled.page, call.compiled.hosts[usize::from(into)].variable.reversed);
    sqlda::write((&mut state.delivery, &mut state.area), address, &columns, form)
}
