//! INSERT, UPDATE and DELETE.

use super::scope::{ScopeTable, TableColumns};
use super::{Emitter, Place};
use crate::ast::{Assignment, DataType, Delete, Expression, ExpressionKind, Filter, Insert, InsertRows, Name, Operator, Update};
use crate::column_guard;
use crate::diagnostic::Diagnostic;
use crate::lexer::Literal;
use crate::names::{delimited, identifier};
use crate::problem::Problem;

impl Emitter<'_> {
    pub fn insert(&mut self, insert: &Insert) -> Result<String, Problem> {
        let table = self.changed_table(&insert.table, "INSERT")?;
        let columns = self.columns_of(&insert.table);
        let names = self.insert_columns(insert, columns.as_ref());
        let types: Vec<Option<DataType>> = names.iter().map(|name| column_type(columns.as_ref(), name)).collect();
        let list = if insert.columns.is_empty() {
            String::new()
        } else {
            let names: Vec<String> = insert.columns.iter().map(|column| identifier(column.last())).collect();
            format!(" ({})", names.join(", "))
        };
        let overriding = insert.overriding.map_or(String::new(), |who| format!(" OVERRIDING {who} VALUE"));
        let mut count = None;
        let rows = match &insert.rows {
            InsertRows::Defaults => "DEFAULT VALUES".to_string(),
            InsertRows::Values(rows) => {
                let mut texts = Vec::new();
                for row in rows {
                    let values = self.insert_row(insert, row, &types, &names)?;
                    count = Some(values.len());
                    texts.push(format!("({})", values.join(", ")));
                }
                format!("VALUES {}", texts.join(", "))
            }
            InsertRows::Arrays { values, .. } => {
                let values = self.insert_row(insert, values, &types, &names)?;
                count = Some(values.len());
                format!("VALUES ({})", values.join(", "))
            }
            InsertRows::Query(query) => {
                self.item_types = Some(types);
                let emitted = self.query_with_columns(query)?;
                self.item_types = None;
                count = emitted.columns.map(|columns| columns.len());
                emitted.text
            }
        };
        let guard = count.filter(|_| insert.columns.is_empty()).map_or(String::new(), |count| self.column_guard(&insert.table, count));
        Ok(format!("{guard}INSERT INTO {table}{list}{overriding} {rows}"))
    }

    /// Ahead of a change without a list of columns: this many values are given.
    pub fn column_guard(&mut self, table: &Name, count: usize) -> String {
        column_guard::text(&self.object(table), count)
    }

    /// The columns that receive values; those that the declaration of the table lacks are warned of.
    fn insert_columns(&mut self, insert: &Insert, columns: Option<&TableColumns>) -> Vec<String> {
        let Some(columns) = columns else { return insert.columns.iter().map(|name| name.last().to_string()).collect() };
        if insert.columns.is_empty() {
            return columns.iter().map(|(name, _)| name.clone()).collect();
        }
        for name in &insert.columns {
            self.check_target(name, &insert.table, Some(columns));
        }
        insert.columns.iter().map(|name| name.last().to_string()).collect()
    }

    fn check_target(&mut self, column: &Name, table: &Name, columns: Option<&TableColumns>) {
        let absent = columns.is_some_and(|columns| columns.iter().all(|(own, _)| own != column.last()));
        if absent {
            let text = format!("{} is not a column of the declared table {}", column.last(), table.last());
            self.warnings.push(Diagnostic::warning(column.offset, text));
        }
    }

    fn insert_row(
        &mut self,
        insert: &Insert,
        row: &[Expression],
        types: &[Option<DataType>],
        columns: &[String],
    ) -> Result<Vec<String>, Problem> {
        let mut values = Vec::new();
        for value in row {
            let data_type = types.get(values.len()).cloned().flatten();
            let place = Place::Assigned(data_type);
            match &value.kind {
                ExpressionKind::Host(reference) => values.extend(self.host_items(*reference, &place)),
                _ => {
                    let column = columns.get(values.len()).map(String::as_str);
                    values.push(self.assigned(value, &place, &insert.table, column)?);
                }
            }
        }
        let known = !types.is_empty();
        if known && values.len() != types.len() {
            let text = format!("{} columns receive {} values", types.len(), values.len());
            if !insert.columns.is_empty() {
                return Err(Problem::new(-117, "42802", insert.offset, &[], text));
            }
            self.warnings.push(Diagnostic::warning(insert.offset, text));
        }
        Ok(values)
    }

    /// A value for a column: a string becomes what the column is. Decimal places that the column does not have are cut off; the server would
    /// round.
    pub fn assigned(&mut self, value: &Expression, place: &Place, table: &Name, column: Option<&str>) -> Result<String, Problem> {
        let text = match place {
            Place::Assigned(None) if let Some(constant) = self.convertible(value) => constant,
            _ if self.is_untyped(value) => self.value(value, place)?,
            Place::Assigned(Some(data_type)) => self.converted(value, data_type)?,
            _ => self.value(value, &Place::Alone)?,
        };
        let Place::Assigned(target) = place else { return Ok(text) };
        let own = match self.type_of(value) {
            Some(data_type) if data_type.is_integer() || !data_type.is_number() => return Ok(text),
            Some(DataType::Decimal { scale, .. }) => Some(scale),
            _ => None,
        };
        let fitting = match target {
            Some(DataType::Decimal { scale, .. }) => *scale,
            Some(data_type) if data_type.is_integer() => 0,
            Some(_) => return Ok(text),
            None => {
                return Ok(match column.filter(|_| gains_places(value)) {
                    Some(column) => {
                        let table = crate::names::string(&self.object(table));
                        let column = crate::names::string(&crate::names::folded(column));
                        format!("db2.fitted({text}, {table}, {column})")
                    }
                    None => text,
                });
            }
        };
        let is_computed = matches!(value.kind, ExpressionKind::Chain { .. } | ExpressionKind::Literal(_));
        if is_computed && own.is_none_or(|own| own > fitting) { Ok(format!("db2.truncate({text}, {fitting})")) } else { Ok(text) }
    }

    pub fn update(&mut self, update: &Update) -> Result<String, Problem> {
        self.enter_target(&update.table, update.alias.as_ref());
        let columns = self.columns_of(&update.table);
        let target = self.target(&update.table, update.alias.as_ref(), "UPDATE")?;
        let assignments = self.assignments(&update.assignments, &update.table, columns.as_ref())?;
        let condition = self.filter(&update.filter, &update.table, update.alias.as_ref())?;
        self.scopes.leave();
        Ok(format!("UPDATE {target} SET {assignments}{condition}"))
    }

    /// The rows that an UPDATE is about to change.
    pub fn rows_before(&mut self, update: &Update) -> Result<String, Problem> {
        self.enter_target(&update.table, update.alias.as_ref());
        let target = self.target(&update.table, update.alias.as_ref(), "UPDATE")?;
        let condition = self.filter(&update.filter, &update.table, update.alias.as_ref())?;
        self.scopes.leave();
        Ok(format!("SELECT * FROM {target}{condition}"))
    }

    pub fn delete(&mut self, delete: &Delete) -> Result<String, Problem> {
        if !delete.assignments.is_empty() {
            return Err(Problem::unsupported(delete.offset, "SET in DELETE"));
        }
        self.enter_target(&delete.table, delete.alias.as_ref());
        let target = self.target(&delete.table, delete.alias.as_ref(), "DELETE")?;
        let condition = self.filter(&delete.filter, &delete.table, delete.alias.as_ref())?;
        self.scopes.leave();
        Ok(format!("DELETE FROM {target}{condition}"))
    }

    fn target(&mut self, table: &Name, alias: Option<&Name>, operation: &str) -> Result<String, Problem> {
        let table = self.changed_table(table, operation)?;
        Ok(match alias {
            Some(alias) => format!("{table} AS {}", identifier(alias.last())),
            None => table,
        })
    }

    fn enter_target(&mut self, table: &Name, alias: Option<&Name>) {
        let columns = self.columns_of(table);
        self.scopes.enter();
        let object = Some(crate::names::object(table));
        self.scopes.add(ScopeTable { name: alias.unwrap_or(table).last().to_string(), columns, values: None, object });
    }

    /// SET a = x, (b, c) = (y, z).
    pub fn assignments(&mut self, assignments: &[Assignment], table: &Name, columns: Option<&TableColumns>) -> Result<String, Problem> {
        let mut texts = Vec::new();
        for assignment in assignments {
            for column in &assignment.columns {
                self.check_target(column, table, columns);
            }
            let names: Vec<String> = assignment.columns.iter().map(|column| identifier(column.last())).collect();
            let types = assignment.columns.iter().map(|column| column_type(columns, column.last()));
            if let [Expression { kind: ExpressionKind::Subquery(query), .. }] = &assignment.values[..] {
                texts.push(format!("({}) = ({})", names.join(", "), self.query(query)?));
                continue;
            }
            let mut values = Vec::new();
            for (value, data_type) in assignment.values.iter().zip(types) {
                let place = Place::Assigned(data_type);
                match &value.kind {
                    ExpressionKind::Host(reference) if assignment.values.len() == 1 => values.extend(self.host_items(*reference, &place)),
                    _ => {
                        let column = assignment.columns.get(values.len()).map(|column| column.last().to_string());
                        values.push(self.assigned(value, &place, table, column.as_deref())?);
                    }
                }
            }
            if values.len() != names.len() {
                let text = format!("{} columns are assigned {} values", names.len(), values.len());
                return Err(Problem::new(-117, "42802", assignment.columns[0].offset, &[], text));
            }
            texts.extend(names.iter().zip(&values).map(|(name, value)| format!("{name} = {value}")));
        }
        Ok(texts.join(", "))
    }

    /// WHERE. A number of rows, an order or SKIP LOCKED DATA choose the rows by their places in the table.
    fn filter(&mut self, filter: &Filter, table: &Name, alias: Option<&Name>) -> Result<String, Problem> {
        if let Some(cursor) = &filter.cursor {
            return Ok(format!(" WHERE CURRENT OF {}", delimited(cursor.last())));
        }
        let condition = match &filter.condition {
            Some(condition) => format!(" WHERE {}", self.condition(condition)?),
            None => String::new(),
        };
        if filter.fetch.is_none() && !filter.skip_locked {
            return Ok(condition);
        }
        let target = self.target(table, alias, "SELECT")?;
        let name = identifier(alias.unwrap_or(table).last());
        let order = if filter.order.is_empty() { String::new() } else { format!(" {}", self.ordered_keys(&filter.order)?) };
        let limit = match &filter.fetch {
            Some(rows) => format!(" LIMIT {}", self.row_count(rows)?),
            None => String::new(),
        };
        let skip = if filter.skip_locked { " SKIP LOCKED" } else { "" };
        let rows = format!("SELECT {name}.ctid FROM {target}{condition}{order}{limit} FOR UPDATE{skip}");
        Ok(format!(" WHERE {name}.ctid = ANY (ARRAY({rows}))"))
    }
}

/// The value may have more decimal places than the column: a quotient, or a product of other than integers.
fn gains_places(value: &Expression) -> bool {
    let is_whole = |value: &Expression| matches!(value.kind, ExpressionKind::Literal(Literal::Integer(_)));
    match &value.kind {
        ExpressionKind::Chain { first, rest } => {
            let gains = |(operator, operand): &(Operator, Expression)| match operator {
                Operator::Multiply => !is_whole(operand),
                Operator::Divide => true,
                _ => false,
            };
            let has_places = |value: &Expression| matches!(value.kind, ExpressionKind::Literal(Literal::Decimal(_)));
            rest.iter().any(|part| gains(part) || has_places(&part.1) || gains_places(&part.1)) || has_places(first) || gains_places(first)
        }
        ExpressionKind::Negative(value) => gains_places(value),
        _ => false,
    }
}

pub fn column_type(columns: Option<&TableColumns>, name: &str) -> Option<DataType> {
    columns?.iter().find(|(own, _)| own == name)?.1.clone()
}
