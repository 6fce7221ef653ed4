//! Queries.

use super::scope::{ScopeTable, TableColumns};
use super::{Emitter, Place};
use crate::ast::{
    Body, ChangedRows, CommonTable, DataType, Expression, ExpressionKind, Grouping, KeepLocks, Query, Select, SelectItem, SetKind, Table,
    TableKind,
};
use crate::names::identifier;
use crate::problem::Problem;

/// A query without its WITH, and its columns if they are known.
pub struct Emitted {
    pub text: String,
    pub columns: Option<TableColumns>,
}

impl Emitter<'_> {
    /// A query of its own right: a statement's, or a cursor's. `updatable`: rows are locked as they are read.
    pub fn select_statement(&mut self, query: &Query, updatable: bool) -> Result<String, Problem> {
        let (with, emitted) = self.query_parts(query)?;
        let lock = self.lock_clause(query, updatable);
        let mut changes = std::mem::take(&mut self.changes);
        let changed = !changes.is_empty();
        changes.extend(with);
        let text = format!("{}{}{lock}", with_clause(&changes, query), emitted.text);
        if changed {
            self.changes.push(String::new());
        }
        Ok(text)
    }

    /// A query inside another.
    pub fn query(&mut self, query: &Query) -> Result<String, Problem> {
        Ok(self.query_with_columns(query)?.text)
    }

    pub fn query_with_columns(&mut self, query: &Query) -> Result<Emitted, Problem> {
        let (with, emitted) = self.query_parts(query)?;
        Ok(Emitted { text: format!("{}{}", with_clause(&with, query), emitted.text), columns: emitted.columns })
    }

    /// The common table expressions, and the rest.
    fn query_parts(&mut self, query: &Query) -> Result<(Vec<String>, Emitted), Problem> {
        let common = self.scopes.common_count();
        let assigned = self.item_types.take();
        let mut with = Vec::new();
        for table in &query.with {
            with.push(self.common_table(table)?);
        }
        self.item_types = assigned;
        let emitted = match &query.body {
            Body::Select(select) => self.select(select, query)?,
            body => self.compound(body, query)?,
        };
        self.scopes.truncate_common(common);
        Ok((with, emitted))
    }

    fn common_table(&mut self, table: &CommonTable) -> Result<String, Problem> {
        let name = table.name.last().to_string();
        let recursive = mentions(&table.query, &name);
        if recursive {
            self.scopes.add_common(ScopeTable { name: name.clone(), ..ScopeTable::default() });
        }
        let emitted = self.query_with_columns(&table.query)?;
        let names: Vec<String> = table.columns.iter().map(|column| identifier(column.last())).collect();
        let list = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        let columns = renamed(emitted.columns, &table.columns);
        self.scopes.add_common(ScopeTable { name: name.clone(), columns, ..ScopeTable::default() });
        Ok(format!("{}{list} AS ({})", identifier(&name), emitted.text))
    }

    fn select(&mut self, select: &Select, query: &Query) -> Result<Emitted, Problem> {
        let assigned = self.item_types.take();
        self.scopes.enter();
        let from = self.from(&select.from)?;
        let mut items = Vec::new();
        for (index, item) in select.items.iter().enumerate() {
            let place = assigned.as_ref().and_then(|types| types.get(index));
            items.extend(self.select_item(item, place)?);
        }
        let columns = self.output_columns(select);
        let distinct = if select.distinct { "DISTINCT " } else { "" };
        let mut text = format!("SELECT {distinct}{}{from}", items.join(", "));
        if let Some(condition) = &select.condition {
            text.push_str(&format!(" WHERE {}", self.condition(condition)?));
        }
        if !select.group.is_empty() {
            let groups: Vec<String> = select.group.iter().map(|group| self.grouping(group)).collect::<Result<_, _>>()?;
            text.push_str(&format!(" GROUP BY {}", groups.join(", ")));
        }
        if let Some(having) = &select.having {
            text.push_str(&format!(" HAVING {}", self.condition(having)?));
        }
        let text = if select.distinct {
            self.order_outside(text, columns.as_ref(), &query.order)?
        } else {
            let order = self.order_inside(select, &query.order)?;
            format!("{text}{order}")
        };
        let limits = self.limits(query)?;
        self.scopes.leave();
        Ok(Emitted { text: format!("{text}{limits}"), columns })
    }

    /// VALUES, a fullselect in parentheses, or set operators.
    fn compound(&mut self, body: &Body, query: &Query) -> Result<Emitted, Problem> {
        if !matches!(body, Body::Values(_)) {
            self.item_types = None;
        }
        let emitted = self.body(body)?;
        let text = self.order_outside(emitted.text, emitted.columns.as_ref(), &query.order)?;
        let limits = self.limits(query)?;
        Ok(Emitted { text: format!("{text}{limits}"), columns: emitted.columns })
    }

    fn body(&mut self, body: &Body) -> Result<Emitted, Problem> {
        match body {
            Body::Select(select) => self.select(select, &bare_query(select.offset)),
            Body::Nested(query) => {
                let emitted = self.query_with_columns(query)?;
                Ok(Emitted { text: format!("({})", emitted.text), columns: emitted.columns })
            }
            Body::Values(rows) => {
                let mut texts = Vec::new();
                let mut columns = None;
                for row in rows {
                    let values = self.values(crate::parse::row_values(row), &Place::Alone)?;
                    columns = Some(vec![(String::new(), None); values.len()]);
                    texts.push(format!("({})", values.join(", ")));
                }
                Ok(Emitted { text: format!("VALUES {}", texts.join(", ")), columns })
            }
            Body::Set { first, rest } => {
                let first = self.set_operand(first)?;
                let mut text = first.text;
                for (operator, operand) in rest {
                    let operand = self.set_operand(operand)?;
                    let word = match operator.kind {
                        SetKind::Union => "UNION",
                        SetKind::Except => "EXCEPT",
                        SetKind::Intersect => "INTERSECT",
                    };
                    let all = if operator.all { " ALL" } else { "" };
                    text.push_str(&format!(" {word}{all} {}", operand.text));
                }
                Ok(Emitted { text, columns: first.columns })
            }
        }
    }

    /// An operand that has operators of its own is in parentheses.
    fn set_operand(&mut self, body: &Body) -> Result<Emitted, Problem> {
        let emitted = self.body(body)?;
        let text = if matches!(body, Body::Set { .. }) { format!("({})", emitted.text) } else { emitted.text };
        Ok(Emitted { text, columns: emitted.columns })
    }

    fn from(&mut self, tables: &[Table]) -> Result<String, Problem> {
        let texts: Vec<String> = tables.iter().map(|table| self.table(table)).collect::<Result<_, _>>()?;
        Ok(if texts.is_empty() { String::new() } else { format!(" FROM {}", texts.join(", ")) })
    }

    fn select_item(&mut self, item: &SelectItem, assigned: Option<&Option<DataType>>) -> Result<Vec<String>, Problem> {
        match item {
            SelectItem::All => Ok(vec!["*".to_string()]),
            SelectItem::AllOf(name) => Ok(vec![format!("{}.*", identifier(name.last()))]),
            SelectItem::Value { value, name } => {
                if matches!(value.kind, ExpressionKind::Marker(_)) && assigned.is_none() {
                    let text = "a parameter marker cannot be an item of the select list";
                    return Err(Problem::new(-418, "42610", value.offset, &[], text));
                }
                let place = match assigned {
                    Some(data_type) if self.is_untyped(value) => Place::Assigned(data_type.clone()),
                    _ => Place::Alone,
                };
                if let (ExpressionKind::Host(reference), None) = (&value.kind, name) {
                    return Ok(self.host_items(*reference, &place));
                }
                let text = self.value(value, &place)?;
                Ok(vec![match name {
                    Some(name) => format!("{text} AS {}", identifier(name.last())),
                    None => text,
                }])
            }
        }
    }

    /// Names and types of the select list; `None` if `*` stands for columns that are not known.
    fn output_columns(&self, select: &Select) -> Option<TableColumns> {
        let mut columns = Vec::new();
        for item in &select.items {
            match item {
                SelectItem::All => {
                    for table in self.scopes.innermost() {
                        columns.extend(table.columns.clone()?);
                    }
                }
                SelectItem::AllOf(name) => {
                    let table = self.scopes.innermost().iter().find(|table| table.name == name.last())?;
                    columns.extend(table.columns.clone()?);
                }
                SelectItem::Value { value: Expression { kind: ExpressionKind::Host(reference), .. }, name: None } => {
                    columns.extend(self.hosts.variables(*reference).map(|_| (String::new(), None)));
                }
                SelectItem::Value { value, name } => {
                    let own = match (&value.kind, name) {
                        (_, Some(name)) => name.last().to_string(),
                        (ExpressionKind::Column(name), None) => name.last().to_string(),
                        _ => String::new(),
                    };
                    columns.push((own, self.type_of(value)));
                }
            }
        }
        Some(columns)
    }

    fn grouping(&mut self, group: &Grouping) -> Result<String, Problem> {
        Ok(match group {
            Grouping::Value(value) => self.value(value, &Place::Alone)?,
            Grouping::List(values) => format!("({})", self.values(values, &Place::Alone)?.join(", ")),
            Grouping::Sets { keyword, sets } => {
                let sets: Vec<String> = sets.iter().map(|set| self.grouping(set)).collect::<Result<_, _>>()?;
                format!("{keyword} ({})", sets.join(", "))
            }
        })
    }

    /// LIMIT and OFFSET.
    fn limits(&mut self, query: &Query) -> Result<String, Problem> {
        let mut text = String::new();
        if let Some(fetch) = &query.fetch {
            text.push_str(&format!(" LIMIT {}", self.row_count(fetch)?));
        }
        if let Some(offset) = &query.offset_rows {
            text.push_str(&format!(" OFFSET {}", self.row_count(offset)?));
        }
        Ok(text)
    }

    pub fn row_count(&mut self, rows: &Expression) -> Result<String, Problem> {
        self.value(rows, &Place::Assigned(Some(DataType::BigInt)))
    }

    /// FOR UPDATE where rows are locked. Rows of joins, groups and sets cannot be.
    fn lock_clause(&self, query: &Query, updatable: bool) -> String {
        let clauses = &query.clauses;
        let simple = match &query.body {
            Body::Select(select) => {
                let aggregates = select.items.iter().any(|item| match item {
                    SelectItem::Value { value, .. } => super::call::is_aggregate(value),
                    _ => false,
                });
                let changed = select.from.iter().any(|table| matches!(table.kind, TableKind::Changed { .. }));
                !select.distinct && select.group.is_empty() && select.having.is_none() && !aggregates && !changed
            }
            _ => false,
        };
        if !simple || clauses.read_only {
            return String::new();
        }
        let strength = match clauses.keep_locks {
            Some(KeepLocks::Share) => " FOR SHARE",
            Some(KeepLocks::Update | KeepLocks::Exclusive) => " FOR UPDATE",
            None if clauses.for_update || updatable => " FOR UPDATE",
            None if clauses.skip_locked => " FOR SHARE",
            None => return String::new(),
        };
        let skip = if clauses.skip_locked { " SKIP LOCKED" } else { "" };
        format!("{strength}{skip}")
    }
}

/// WITH, if there are common table expressions.
fn with_clause(tables: &[String], query: &Query) -> String {
    if tables.is_empty() {
        return String::new();
    }
    let recursive = query.with.iter().any(|table| mentions(&table.query, table.name.last()));
    format!("WITH {}{} ", if recursive { "RECURSIVE " } else { "" }, tables.join(", "))
}

/// The columns with the names of a column list.
pub fn renamed(columns: Option<TableColumns>, names: &[crate::ast::Name]) -> Option<TableColumns> {
    if names.is_empty() {
        return columns;
    }
    let types = columns.unwrap_or_default();
    let typed = |index: usize| types.get(index).and_then(|(_, data_type)| data_type.clone());
    Some(names.iter().enumerate().map(|(index, name)| (name.last().to_string(), typed(index))).collect())
}

fn bare_query(offset: usize) -> Query {
    Query {
        offset,
        with: Vec::new(),
        body: Body::Values(Vec::new()),
        order: Vec::new(),
        offset_rows: None,
        fetch: None,
        clauses: Default::default(),
    }
}

/// The query reads a table of this name.
fn mentions(query: &Query, name: &str) -> bool {
    body_mentions(&query.body, name)
}

fn body_mentions(body: &Body, name: &str) -> bool {
    match body {
        Body::Select(select) => select.from.iter().any(|table| table_mentions(table, name)),
        Body::Values(_) => false,
        Body::Nested(query) => mentions(query, name),
        Body::Set { first, rest } => body_mentions(first, name) || rest.iter().any(|(_, body)| body_mentions(body, name)),
    }
}

fn table_mentions(table: &Table, name: &str) -> bool {
    match &table.kind {
        TableKind::Named(own) => own.parts.len() == 1 && own.last() == name,
        TableKind::Derived { query, .. } => mentions(query, name),
        TableKind::Join(join) => table_mentions(&join.first, name) || join.rest.iter().any(|(_, table, _)| table_mentions(table, name)),
        TableKind::Function { .. } => false,
        TableKind::Changed { which, .. } => {
            debug_assert!(matches!(which, ChangedRows::Final | ChangedRows::Old | ChangedRows::New));
            false
        }
    }
}
