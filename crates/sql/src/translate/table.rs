//! Tables of FROM.

use super::query::renamed;
use super::scope::{ScopeTable, TableColumns};
use super::{Emitter, Place};
use crate::ast::{ChangedRows, DataType, Insert, InsertRows, Join, JoinKind, Name, Statement, Table, TableKind};
use crate::names::identifier;
use crate::problem::Problem;

impl Emitter<'_> {
    /// A table reference; its names are added to the scope.
    pub fn table(&mut self, table: &Table) -> Result<String, Problem> {
        match &table.kind {
            TableKind::Named(name) => {
                let columns = self.columns_of(name);
                let alias = table.alias.as_ref();
                let own = alias.unwrap_or(name).last().to_string();
                let is_common = name.qualifiers().is_empty() && self.scopes.common(name.last()).is_some();
                let object = if is_common { self.object(name) } else { self.read_table(name)? };
                let columns = renamed(columns, &table.columns);
                self.scopes.add(ScopeTable { name: own, columns, values: None, object: (!is_common).then(|| object.clone()) });
                Ok(match alias {
                    Some(alias) => format!("{object} AS {}", correlation(alias, &table.columns)),
                    None => object,
                })
            }
            TableKind::Derived { query, lateral } => {
                let emitted = self.query_with_columns(query)?;
                let lateral = if *lateral { "LATERAL " } else { "" };
                self.derived(format!("{lateral}({})", emitted.text), emitted.columns, table)
            }
            TableKind::Function { name, arguments } => {
                let name = self.routine(name)?;
                let arguments = self.values(arguments, &Place::Alone)?;
                self.derived(format!("LATERAL {name}({})", arguments.join(", ")), None, table)
            }
            TableKind::Join(join) => Ok(self.join(join)?),
            TableKind::Changed { which, statement, include } => {
                // The change stands in front of the whole statement, where the common tables of its queries are not known.
                let common = self.scopes.hide_common();
                let changed = match include {
                    true => self.changed_with_include(*which, statement, table),
                    false => self.changed(*which, statement, table),
                };
                self.scopes.show_common(common);
                changed
            }
        }
    }

    /// A table that needs a name on the server.
    fn derived(&mut self, text: String, columns: Option<TableColumns>, table: &Table) -> Result<String, Problem> {
        let name = match &table.alias {
            Some(alias) => correlation(alias, &table.columns),
            None => self.invented_name(),
        };
        let own = table.alias.as_ref().map_or(String::new(), |alias| alias.last().to_string());
        self.scopes.add(ScopeTable { name: own, columns: renamed(columns, &table.columns), ..ScopeTable::default() });
        Ok(format!("{text} AS {name}"))
    }

    fn join(&mut self, join: &Join) -> Result<String, Problem> {
        let mut text = self.join_operand(&join.first)?;
        for (kind, table, condition) in &join.rest {
            let table = self.join_operand(table)?;
            let word = match kind {
                JoinKind::Inner => "JOIN",
                JoinKind::Left => "LEFT JOIN",
                JoinKind::Right => "RIGHT JOIN",
                JoinKind::Full => "FULL JOIN",
                JoinKind::Cross => "CROSS JOIN",
            };
            text.push_str(&format!(" {word} {table}"));
            if let Some(condition) = condition {
                text.push_str(&format!(" ON {}", self.condition(condition)?));
            }
        }
        Ok(text)
    }

    fn join_operand(&mut self, table: &Table) -> Result<String, Problem> {
        let text = self.table(table)?;
        Ok(if matches!(table.kind, TableKind::Join(_)) { format!("({text})") } else { text })
    }

    /// FINAL, NEW or OLD TABLE: the change is a common table expression of the whole statement.
    fn changed(&mut self, which: ChangedRows, statement: &Statement, table: &Table) -> Result<String, Problem> {
        let name = self.invented_name();
        let (text, target) = match statement {
            Statement::Insert(insert) if which != ChangedRows::Old => (self.insert(insert)?, &insert.table),
            Statement::Delete(delete) if which == ChangedRows::Old => (self.delete(delete)?, &delete.table),
            Statement::Update(update) if which != ChangedRows::Old => (self.update(update)?, &update.table),
            Statement::Update(update) => {
                let rows = self.rows_before(update)?;
                let change = self.update(update)?;
                let rows_name = self.invented_name();
                self.changes.push(format!("{rows_name} AS ({rows})"));
                self.changes.push(format!("{name} AS ({change})"));
                return self.changed_rows(rows_name, &update.table, table);
            }
            Statement::Merge(_) => return Err(Problem::unsupported(table.offset, "FINAL TABLE of MERGE")),
            Statement::Insert(_) => return Err(Problem::unexpected(table.offset, "OLD", "FINAL NEW")),
            _ => return Err(Problem::unexpected(table.offset, "FINAL", "OLD")),
        };
        self.changes.push(format!("{name} AS ({text} RETURNING *)"));
        self.changed_rows(name, target, table)
    }

    /// INSERT of one row with INCLUDE columns: their values stand behind those of the row.
    fn changed_with_include(&mut self, which: ChangedRows, statement: &Statement, table: &Table) -> Result<String, Problem> {
        let unsupported = || Problem::unsupported(table.offset, "INCLUDE columns, except in an INSERT of one row,");
        let Statement::Insert(insert) = statement else { return Err(unsupported()) };
        let InsertRows::Values(rows) = &insert.rows else { return Err(unsupported()) };
        let ([row], true) = (&rows[..], which == ChangedRows::Final) else { return Err(unsupported()) };
        if row.len() < insert.include.len() {
            return Err(Problem::new(-117, "42802", insert.offset, &[], "the INCLUDE columns have no values"));
        }
        let (row, extra) = row.split_at(row.len() - insert.include.len());
        let plain = Insert { include: Vec::new(), rows: InsertRows::Values(vec![row.to_vec()]), ..(**insert).clone() };
        let text = self.insert(&plain)?;
        let name = self.invented_name();
        let mut columns = self.columns_of(&insert.table);
        let mut list = format!("{name}.*");
        for ((column, data_type), value) in insert.include.iter().zip(extra) {
            let value = self.value(value, &Place::Assigned(Some(data_type.clone())))?;
            let type_name = self.type_name(data_type)?;
            list.push_str(&format!(", {value}::{type_name} AS {}", identifier(column.last())));
            if let Some(columns) = &mut columns {
                columns.push((column.last().to_string(), Some(data_type.clone())));
            }
        }
        self.changes.push(format!("{name} AS ({text} RETURNING *)"));
        let own = table.alias.as_ref().unwrap_or(&insert.table);
        self.scopes.add(ScopeTable { name: own.last().to_string(), columns: renamed(columns, &table.columns), ..ScopeTable::default() });
        Ok(format!("(SELECT {list} FROM {name}) AS {}", correlation(own, &table.columns)))
    }

    /// The rows in the common table expression `name`, under the name that the statement gives them.
    fn changed_rows(&mut self, name: String, target: &Name, table: &Table) -> Result<String, Problem> {
        let own = table.alias.as_ref().unwrap_or(target);
        let columns = self.columns_of(target);
        self.scopes.add(ScopeTable { name: own.last().to_string(), columns: renamed(columns, &table.columns), ..ScopeTable::default() });
        Ok(format!("{name} AS {}", correlation(own, &table.columns)))
    }

    /// The columns of a declared table or common table expression.
    pub fn columns_of(&self, name: &Name) -> Option<TableColumns> {
        if name.qualifiers().is_empty()
            && let Some(common) = self.scopes.common(name.last())
        {
            return common.columns.clone();
        }
        if name.last() == "SYSDUMMY1" {
            return Some(vec![("IBMREQD".to_string(), Some(DataType::Char { length: 1, bits: false }))]);
        }
        let qualified = name.parts[name.parts.len().saturating_sub(2)..].join(".");
        let mut columns = self.tables.get(&qualified).or_else(|| self.tables.get(name.last())).cloned()?;
        // The server makes no table with such a column, so a declaration of one is wrong.
        columns.retain(|(column, _)| !crate::guard::is_system_column(column));
        Some(columns)
    }
}

/// A correlation name and its column list.
fn correlation(alias: &Name, columns: &[Name]) -> String {
    let name = identifier(alias.last());
    if columns.is_empty() {
        return name;
    }
    let columns: Vec<String> = columns.iter().map(|column| identifier(column.last())).collect();
    format!("{name}({})", columns.join(", "))
}
