//! MERGE, as the statement of the same name in PostgreSQL 15.
//!
//! One row of values as the source does not become a table: each of its columns is replaced by its value, so that the server infers the types of
//! the parameters from the columns they are compared with and assigned to.

use super::change::column_type;
use super::query::renamed;
use super::scope::ScopeTable;
use super::{Emitter, Place};
use crate::ast::{Expression, Merge, MergeAction, MergeBranch, MergeSource};
use crate::names::identifier;
use crate::parse::row_values;
use crate::problem::Problem;

impl Emitter<'_> {
    pub fn merge(&mut self, merge: &Merge) -> Result<String, Problem> {
        let table = self.changed_table(&merge.table, "MERGE")?;
        let alias = match &merge.alias {
            Some(alias) => format!(" AS {}", identifier(alias.last())),
            None => String::new(),
        };
        let columns = self.columns_of(&merge.table);
        self.scopes.enter();
        let source = self.merge_source(merge)?;
        let own = merge.alias.as_ref().unwrap_or(&merge.table).last().to_string();
        self.scopes.add(ScopeTable { name: own, columns, values: None, object: Some(table.clone()) });
        let condition = self.condition(&merge.condition)?;
        // The server itself refuses an INSERT with more values than columns.
        let counts = merge.branches.iter().filter_map(|branch| match &branch.action {
            MergeAction::Insert { columns, values } if columns.is_empty() => Some(values.len()),
            _ => None,
        });
        let guard = counts.min().map_or(String::new(), |count| self.column_guard(&merge.table, count));
        let mut text = format!("{guard}MERGE INTO {table}{alias} USING {source} ON {condition}");
        for branch in &merge.branches {
            text.push_str(&self.merge_branch(merge, branch)?);
        }
        self.scopes.leave();
        Ok(text)
    }

    fn merge_source(&mut self, merge: &Merge) -> Result<String, Problem> {
        let name = merge.source_alias.as_ref();
        let own = name.map_or(String::new(), |name| name.last().to_string());
        let list: Vec<String> = merge.source_columns.iter().map(|column| identifier(column.last())).collect();
        let list = if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) };
        let alias = match name {
            Some(name) => identifier(name.last()),
            None => self.invented_name(),
        };
        match &merge.source {
            MergeSource::Values(rows) if rows.len() == 1 => self.merge_values(merge, row_values(&rows[0]), own),
            MergeSource::Values(rows) => {
                let mut texts = Vec::new();
                for row in rows {
                    texts.push(format!("({})", self.values(row_values(row), &Place::Alone)?.join(", ")));
                }
                let columns = renamed(None, &merge.source_columns);
                self.scopes.add(ScopeTable { name: own, columns, ..ScopeTable::default() });
                Ok(format!("(VALUES {}) AS {alias}{list}", texts.join(", ")))
            }
            MergeSource::Query(query) => {
                let emitted = self.query_with_columns(query)?;
                let columns = renamed(emitted.columns, &merge.source_columns);
                self.scopes.add(ScopeTable { name: own, columns, ..ScopeTable::default() });
                Ok(format!("({}) AS {alias}{list}", emitted.text))
            }
            MergeSource::Named(table) => {
                let columns = renamed(self.columns_of(table), &merge.source_columns);
                let own = name.unwrap_or(table).last().to_string();
                let object = self.read_table(table)?;
                self.scopes.add(ScopeTable { name: own, columns, values: None, object: Some(object.clone()) });
                Ok(if name.is_some() { format!("{object} AS {alias}{list}") } else { object })
            }
        }
    }

    /// One row of values.
    fn merge_values(&mut self, merge: &Merge, values: &[Expression], own: String) -> Result<String, Problem> {
        let mut items = Vec::new();
        for value in values {
            items.extend(self.source_items(value));
        }
        if items.len() != merge.source_columns.len() {
            let text = format!("the source has {} columns and {} values", merge.source_columns.len(), items.len());
            return Err(Problem::new(-117, "42802", merge.offset, &[], text));
        }
        let columns = merge.source_columns.iter().map(|column| (column.last().to_string(), None)).collect();
        self.scopes.add(ScopeTable { name: own, columns: Some(columns), values: Some(items), object: None });
        let name = self.invented_name();
        Ok(format!("(SELECT 1) AS {name}"))
    }

    /// The items of a structure are not expressions of the statement: a structure stays one value.
    fn source_items(&self, value: &Expression) -> Vec<Expression> {
        vec![value.clone()]
    }

    fn merge_branch(&mut self, merge: &Merge, branch: &MergeBranch) -> Result<String, Problem> {
        let matched = if branch.matched { "MATCHED" } else { "NOT MATCHED" };
        let condition = match &branch.condition {
            Some(condition) => format!(" AND {}", self.condition(condition)?),
            None => String::new(),
        };
        let columns = self.columns_of(&merge.table);
        let action = match &branch.action {
            MergeAction::Delete => "DELETE".to_string(),
            MergeAction::Update(assignments) => format!("UPDATE SET {}", self.assignments(assignments, &merge.table, columns.as_ref())?),
            MergeAction::Insert { columns: names, values } => {
                if !names.is_empty() && names.len() != values.len() {
                    let text = format!("{} columns receive {} values", names.len(), values.len());
                    return Err(Problem::new(-117, "42802", names[0].offset, &[], text));
                }
                let mut texts = Vec::new();
                for (index, value) in values.iter().enumerate() {
                    let data_type = names.get(index).and_then(|name| column_type(columns.as_ref(), name.last()));
                    let place = Place::Assigned(data_type);
                    let column = names.get(index).map(|name| name.last().to_string());
                    texts.push(self.assigned(value, &place, &merge.table, column.as_deref())?);
                }
                let names: Vec<String> = names.iter().map(|name| identifier(name.last())).collect();
                let list = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
                format!("INSERT{list} VALUES ({})", texts.join(", "))
            }
        };
        Ok(format!(" WHEN {matched}{condition} THEN {action}"))
    }
}
