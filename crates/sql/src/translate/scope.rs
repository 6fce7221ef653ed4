//! What the names of columns stand for: the tables of each FROM clause and their columns, where they are declared.

use crate::ast::{DataType, Expression, Name};

/// The columns of a table, and the type of each if it is known.
pub type TableColumns = Vec<(String, Option<DataType>)>;

/// A table that a name may qualify.
#[derive(Clone, Debug, Default)]
pub struct ScopeTable {
    /// Its correlation name, or its own name.
    pub name: String,
    /// `None`: the columns are not known.
    pub columns: Option<TableColumns>,
    /// Values that stand for the columns: the source of a MERGE.
    pub values: Option<Vec<Expression>>,
    /// A table of the server, as the server names it; not a query.
    pub object: Option<String>,
}

#[derive(Default)]
pub struct Scopes {
    /// Innermost last.
    stack: Vec<Vec<ScopeTable>>,
    /// Common table expressions.
    common: Vec<ScopeTable>,
}

/// What a name of a column is found to be.
pub enum Resolved<'a> {
    Unknown,
    /// A column of this type, if that is known.
    Column(Option<DataType>),
    /// A value that stands for the column.
    Value(&'a Expression),
}

impl Scopes {
    pub fn enter(&mut self) {
        self.stack.push(Vec::new());
    }

    pub fn leave(&mut self) {
        self.stack.pop().expect("enter and leave are paired");
    }

    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Adds a table to the innermost scope.
    pub fn add(&mut self, table: ScopeTable) {
        self.stack.last_mut().expect("a scope is entered").push(table);
    }

    /// The tables of the innermost scope.
    pub fn innermost(&self) -> &[ScopeTable] {
        self.stack.last().map_or(&[], Vec::as_slice)
    }

    pub fn common_count(&self) -> usize {
        self.common.len()
    }

    pub fn add_common(&mut self, table: ScopeTable) {
        self.common.push(table);
    }

    pub fn truncate_common(&mut self, count: usize) {
        self.common.truncate(count);
    }

    /// What is emitted next stands outside the queries that have these; [`Scopes::show_common`] ends that.
    pub fn hide_common(&mut self) -> Vec<ScopeTable> {
        std::mem::take(&mut self.common)
    }

    pub fn show_common(&mut self, common: Vec<ScopeTable>) {
        self.common = common;
    }

    pub fn common(&self, name: &str) -> Option<&ScopeTable> {
        self.common.iter().rev().find(|table| table.name == name)
    }

    /// A table of this name can be seen.
    pub fn has(&self, name: &str) -> bool {
        self.stack.iter().flatten().any(|table| table.name == name)
    }

    /// The server's tables that may have a column which no query has; `None` if that cannot be told.
    pub fn objects(&self, qualifier: Option<&String>) -> Option<Vec<String>> {
        let mut seen = self.stack.iter().flatten().filter(|table| qualifier.is_none_or(|qualifier| table.name == *qualifier)).peekable();
        seen.peek()?;
        let mut objects = Vec::new();
        for table in seen {
            match &table.object {
                Some(object) => objects.push(object.clone()),
                None if table.columns.is_none() => return None,
                None => {}
            }
        }
        Some(objects)
    }

    pub fn resolve(&self, name: &Name) -> Resolved<'_> {
        let column = name.last();
        let qualifier = name.qualifiers().last();
        for scope in self.stack.iter().rev() {
            let tables = scope.iter().filter(|table| qualifier.is_none_or(|qualifier| table.name == *qualifier));
            let mut unknown = false;
            for table in tables {
                let Some(columns) = &table.columns else {
                    unknown = true;
                    continue;
                };
                if let Some(index) = columns.iter().position(|(own, _)| own == column) {
                    return match &table.values {
                        Some(values) => Resolved::Value(&values[index]),
                        None => Resolved::Column(columns[index].1.clone()),
                    };
                }
            }
            if unknown {
                return Resolved::Unknown;
            }
        }
        Resolved::Unknown
    }
}
