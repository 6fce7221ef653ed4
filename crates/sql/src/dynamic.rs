//! Dynamic SQL: statements with parameter markers, translated when they are prepared.

use crate::ast::{Body, Callee, DataType, Expression, ExpressionKind, Filter, InsertRows, SelectItem, Source, Statement};
use crate::codes::{Place as ErrorPlace, SqlError};
use crate::ddl::{self, Definition};
use crate::guard::Names;
use crate::options::DynamicOptions;
use crate::parse::{parse_name, parse_statement};
use crate::problem::Problem;
use crate::statement::Isolation;
use crate::translate::{Emitter, Hosts, Place};
use crate::unit::other_change;
use std::collections::HashMap;

/// A dynamic statement. Parameter marker n of the statement is `$n` of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dynamic {
    /// For PostgreSQL; empty where the kind says what to do.
    pub text: String,
    /// Executed ahead of `text`, as [`crate::Statement::check`].
    pub check: String,
    pub kind: DynamicKind,
    pub parameters: usize,
    pub returns_rows: bool,
    pub changes: bool,
    /// A change that finds no row gives +100.
    pub searched: bool,
    /// An UPDATE or DELETE without WHERE.
    pub of_all_rows: bool,
    /// FOR READ ONLY, or SKIP LOCKED DATA.
    pub read_only: bool,
    /// FOR UPDATE.
    pub updatable: bool,
    pub isolation: Option<Isolation>,
    /// The cursor of WHERE CURRENT OF.
    pub cursor: Option<String>,
    /// What the text tells of each column of a SELECT; none if the columns are not known here.
    pub columns: Vec<KnownColumn>,
}

/// What the text of a statement tells of a column, and the server does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownColumn {
    /// The server's modifier of its type; `None`: the server's own.
    pub modifier: Option<i32>,
    /// A constant, a special register or a count.
    pub is_never_null: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DynamicKind {
    Select,
    Insert,
    Update,
    Delete,
    Merge,
    Truncate,
    LockTable,
    /// `text` is CALL.
    Call {
        procedure: String,
    },
    /// CREATE, ALTER, DROP, GRANT and so on: `text` is one statement that executes all of `texts` in their order.
    Definition {
        verb: String,
        texts: Vec<String>,
        /// What was accepted without effect.
        notes: Vec<String>,
    },
    SetRegister {
        register: String,
        value: String,
    },
    Commit,
    Rollback,
    Savepoint {
        name: String,
        unique: bool,
    },
    RollbackTo {
        name: Option<String>,
    },
    Release {
        name: String,
    },
    NoEffect {
        reason: String,
    },
}

/// The name of a procedure that CALL has in a host variable, as the server has it, and the statement that checks it.
pub fn procedure(name: &str) -> Result<(String, String), SqlError> {
    let mut names = Names::default();
    let parsed = parse_name(name, &DynamicOptions::default()).and_then(|name| names.function(&name));
    parsed.map(|name| (name, names.check())).map_err(refused)
}

fn refused(problem: Problem) -> SqlError {
    let tokens: Vec<&str> = problem.tokens.iter().map(String::as_str).collect();
    let error = SqlError::with_state(problem.code, problem.state, &tokens);
    let text = match &problem.expected {
        Some(expected) => format!("{}; expected {expected}", problem.text),
        None => problem.text.clone(),
    };
    SqlError { place: ErrorPlace { offset: Some(problem.offset), text }, ..error }
}

/// Translates a dynamic statement.
pub fn translate(text: &str, options: &DynamicOptions) -> Result<Dynamic, SqlError> {
    translate_statement(text, options).map_err(refused)
}

fn translate_statement(text: &str, options: &DynamicOptions) -> Result<Dynamic, Problem> {
    let parsed = parse_statement(text, options)?;
    if let Some(reference) = parsed.references.first() {
        let name = reference.name.join(".");
        return Err(Problem::new(-312, "42618", reference.offset, &[&name], "a host variable cannot stand in dynamic SQL"));
    }
    if let Statement::Definition { verb } = &parsed.statement {
        return definition(text, verb, options);
    }
    let tables = HashMap::new();
    let mut emitter = Emitter::new(options, Hosts::none(), &tables);
    let mut dynamic = statement(&parsed.statement, &mut emitter)?;
    dynamic.parameters = parsed.markers.len();
    dynamic.changes |= emitter.changes_data();
    dynamic.check = emitter.names.check();
    Ok(dynamic)
}

fn definition(text: &str, verb: &str, options: &DynamicOptions) -> Result<Dynamic, Problem> {
    let definition = ddl::definition(text, options)?;
    let text = definition.text();
    let Definition { texts, notes } = definition;
    if texts.is_empty() {
        return Ok(plain(DynamicKind::NoEffect { reason: notes.join("; ") }, String::new()));
    }
    Ok(plain(DynamicKind::Definition { verb: verb.to_string(), texts, notes }, text))
}

fn plain(kind: DynamicKind, text: String) -> Dynamic {
    Dynamic {
        text,
        check: String::new(),
        kind,
        parameters: 0,
        returns_rows: false,
        changes: false,
        searched: false,
        of_all_rows: false,
        read_only: false,
        updatable: false,
        isolation: None,
        cursor: None,
        columns: Vec::new(),
    }
}

fn statement(statement: &Statement, emitter: &mut Emitter<'_>) -> Result<Dynamic, Problem> {
    Ok(match statement {
        Statement::Select(query) => {
            let text = emitter.select_statement(query, false)?;
            let clauses = &query.clauses;
            Dynamic {
                returns_rows: true,
                read_only: clauses.read_only || clauses.skip_locked,
                updatable: clauses.for_update,
                isolation: clauses.isolation,
                columns: known_columns(&query.body, emitter),
                ..plain(DynamicKind::Select, text)
            }
        }
        Statement::Insert(insert) => Dynamic {
            changes: true,
            searched: matches!(insert.rows, InsertRows::Query(_)),
            isolation: insert.isolation,
            ..plain(DynamicKind::Insert, emitter.insert(insert)?)
        },
        Statement::Update(update) => filtered(DynamicKind::Update, emitter.update(update)?, &update.filter),
        Statement::Delete(delete) => filtered(DynamicKind::Delete, emitter.delete(delete)?, &delete.filter),
        Statement::Merge(merge) => Dynamic { changes: true, searched: true, ..plain(DynamicKind::Merge, emitter.merge(merge)?) },
        Statement::Truncate { .. } => Dynamic { changes: true, ..plain(DynamicKind::Truncate, other_change(emitter, statement)?) },
        Statement::LockTable { .. } => plain(DynamicKind::LockTable, other_change(emitter, statement)?),
        Statement::Call { procedure: Callee::Name(name), arguments, .. } => call(name, arguments, emitter)?,
        Statement::Definition { verb } => return Err(Problem::unsupported(0, verb)),
        other => session(other)?,
    })
}

fn known_columns(body: &Body, emitter: &Emitter<'_>) -> Vec<KnownColumn> {
    let Body::Select(select) = body else { return Vec::new() };
    let known = |value: &Expression| -> KnownColumn {
        let never_null = KnownColumn { modifier: None, is_never_null: true };
        let nullable = KnownColumn { modifier: None, is_never_null: false };
        match &value.kind {
            ExpressionKind::Literal(_) => {
                KnownColumn { modifier: emitter.type_of(value).and_then(|data_type| modifier(&data_type)), ..never_null }
            }
            ExpressionKind::Cast { to, .. } => KnownColumn { modifier: modifier(to), ..nullable },
            ExpressionKind::Register { .. } => never_null,
            ExpressionKind::Call(call) if matches!(call.name.last(), "COUNT" | "COUNT_BIG") => never_null,
            _ => nullable,
        }
    };
    let of_item = |item: &SelectItem| match item {
        SelectItem::Value { value, .. } => Some(known(value)),
        SelectItem::All | SelectItem::AllOf(_) => None,
    };
    select.items.iter().map(of_item).collect::<Option<_>>().unwrap_or_default()
}

/// The server's modifier of a type.
fn modifier(data_type: &DataType) -> Option<i32> {
    /// The server counts the length of its own header.
    const HEADER: i32 = 4;
    match data_type {
        DataType::Decimal { precision, scale } => Some((i32::from(*precision) << 16 | i32::from(*scale)) + HEADER),
        DataType::Char { length, bits: false } | DataType::VarChar { length, bits: false } if *length > 0 => {
            i32::try_from(*length).ok().map(|length| length + HEADER)
        }
        _ => None,
    }
}

/// UPDATE and DELETE.
fn filtered(kind: DynamicKind, text: String, filter: &Filter) -> Dynamic {
    let searched = filter.cursor.is_none();
    Dynamic {
        changes: true,
        searched,
        of_all_rows: searched && filter.condition.is_none(),
        isolation: filter.isolation,
        cursor: filter.cursor.as_ref().map(|name| name.last().to_string()),
        ..plain(kind, text)
    }
}

fn call(name: &crate::ast::Name, arguments: &[Expression], emitter: &mut Emitter<'_>) -> Result<Dynamic, Problem> {
    let outputs = arguments.iter().any(|argument| matches!(argument.kind, ExpressionKind::Marker(_)));
    let values = emitter.values(arguments, &Place::Assigned(None))?;
    let text = format!("CALL {}({})", emitter.routine(name)?, values.join(", "));
    let kind = DynamicKind::Call { procedure: name.parts.join(".") };
    Ok(Dynamic { changes: true, returns_rows: outputs, ..plain(kind, text) })
}

/// Statements that the run time executes itself, and those that cannot be prepared.
fn session(statement: &Statement) -> Result<Dynamic, Problem> {
    let kind = match statement {
        Statement::Commit => DynamicKind::Commit,
        Statement::Rollback { savepoint: None } => DynamicKind::Rollback,
        Statement::Rollback { savepoint: Some(name) } => {
            DynamicKind::RollbackTo { name: name.as_ref().map(|name| name.last().to_string()) }
        }
        Statement::Savepoint { name, unique } => DynamicKind::Savepoint { name: name.last().to_string(), unique: *unique },
        Statement::ReleaseSavepoint { name } => DynamicKind::Release { name: name.last().to_string() },
        Statement::SetRegister { register, value: Source::Literal(value) } => {
            DynamicKind::SetRegister { register: register.clone(), value: value.clone() }
        }
        Statement::NoEffect { reason } => DynamicKind::NoEffect { reason: reason.clone() },
        _ => return Err(Problem::new(-84, "42612", 0, &[], "this statement cannot be prepared")),
    };
    Ok(plain(kind, String::new()))
}
