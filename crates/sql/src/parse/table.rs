//! Table references: names, derived tables, joins, and rows that a statement changes.

use super::Parser;
use crate::ast::{ChangedRows, Join, JoinKind, Statement, Table, TableKind};
use crate::problem::Problem;

/// Forms of join that are words, and the tokens of each.
const JOINS: &[(&[&str], JoinKind)] = &[
    (&["JOIN"], JoinKind::Inner),
    (&["INNER", "JOIN"], JoinKind::Inner),
    (&["LEFT", "JOIN"], JoinKind::Left),
    (&["LEFT", "OUTER", "JOIN"], JoinKind::Left),
    (&["RIGHT", "JOIN"], JoinKind::Right),
    (&["RIGHT", "OUTER", "JOIN"], JoinKind::Right),
    (&["FULL", "JOIN"], JoinKind::Full),
    (&["FULL", "OUTER", "JOIN"], JoinKind::Full),
    (&["CROSS", "JOIN"], JoinKind::Cross),
];

impl Parser<'_> {
    pub(super) fn table_reference(&mut self) -> Result<Table, Problem> {
        let first = self.table_operand()?;
        self.joins(first)
    }

    fn joins(&mut self, first: Table) -> Result<Table, Problem> {
        let offset = first.offset;
        let mut rest = Vec::new();
        while let Some(kind) = self.take_join() {
            let table = self.table_operand()?;
            if kind == JoinKind::Cross {
                rest.push((kind, table, None));
            } else if self.take("ON") {
                rest.push((kind, table, Some(self.condition()?)));
            } else {
                rest.push((kind, self.right_nested_join(table)?, Some(self.join_condition()?)));
            }
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Table { offset, kind: TableKind::Join(Box::new(Join { first, rest })), alias: None, columns: Vec::new() })
    }

    /// `a JOIN b JOIN c ON ... ON ...`: the second join is the right operand of the first.
    fn right_nested_join(&mut self, first: Table) -> Result<Table, Problem> {
        let Some(kind) = self.take_join() else { return Err(self.unexpected("ON")) };
        self.nested(|parser| {
            let offset = first.offset;
            let mut table = parser.table_operand()?;
            if !parser.at_word("ON") && kind != JoinKind::Cross {
                table = parser.right_nested_join(table)?;
            }
            let condition = if kind == JoinKind::Cross { None } else { Some(parser.join_condition()?) };
            let join = Join { first, rest: vec![(kind, table, condition)] };
            Ok(Table { offset, kind: TableKind::Join(Box::new(join)), alias: None, columns: Vec::new() })
        })
    }

    fn join_condition(&mut self) -> Result<crate::ast::Expression, Problem> {
        self.expect("ON")?;
        self.condition()
    }

    fn take_join(&mut self) -> Option<JoinKind> {
        let (words, kind) = JOINS.iter().find(|(words, _)| self.at_words(words))?;
        self.take_words(words);
        Some(*kind)
    }

    fn table_operand(&mut self) -> Result<Table, Problem> {
        let offset = self.offset();
        if self.at_symbol("(") {
            return self.nested(Self::table_in_parentheses);
        }
        let changed = match self.token().word() {
            Some("FINAL") => Some(ChangedRows::Final),
            Some("OLD") => Some(ChangedRows::Old),
            Some("NEW") => Some(ChangedRows::New),
            _ => None,
        };
        if let Some(which) = changed
            && self.ahead(1).is_word("TABLE")
        {
            return self.nested(|parser| parser.changed_rows(which));
        }
        if self.at_word("TABLE") && self.ahead(1).is_symbol("(") {
            return self.nested(Self::table_function);
        }
        if self.at_word("XMLTABLE") || self.at_word("UNNEST") {
            let clause = self.token().word().expect("a word").to_string();
            return Err(self.unsupported(&clause));
        }
        let name = self.name()?;
        if self.at_words(&["FOR", "SYSTEM_TIME"]) || self.at_words(&["FOR", "BUSINESS_TIME"]) {
            return Err(self.unsupported("a period specification (FOR SYSTEM_TIME, FOR BUSINESS_TIME)"));
        }
        self.correlation(Table { offset, kind: TableKind::Named(name), alias: None, columns: Vec::new() })
    }

    /// [AS] name [(columns)].
    fn correlation(&mut self, mut table: Table) -> Result<Table, Problem> {
        if self.take("AS") || self.at_table_alias() {
            table.alias = Some(self.simple_name()?);
            table.columns = self.column_list()?;
        }
        Ok(table)
    }

    fn at_table_alias(&self) -> bool {
        self.at_alias()
    }

    /// A fullselect or a joined table.
    fn table_in_parentheses(&mut self) -> Result<Table, Problem> {
        let offset = self.offset();
        if self.at_subquery() {
            let query = Box::new(self.subquery()?);
            let kind = TableKind::Derived { query, lateral: false };
            return self.correlation(Table { offset, kind, alias: None, columns: Vec::new() });
        }
        self.expect_symbol("(")?;
        let inner = self.table_operand()?;
        let inner = self.joins(inner)?;
        let table = match inner.kind {
            TableKind::Derived { query, lateral: false } if inner.alias.is_none() => {
                let query = Box::new(self.continued_query(*query)?);
                Table { offset, kind: TableKind::Derived { query, lateral: false }, alias: None, columns: Vec::new() }
            }
            _ => inner,
        };
        self.expect_symbol(")")?;
        if matches!(table.kind, TableKind::Derived { .. }) && table.alias.is_none() { self.correlation(table) } else { Ok(table) }
    }

    /// TABLE(fullselect) or TABLE(function(...)).
    fn table_function(&mut self) -> Result<Table, Problem> {
        let offset = self.offset();
        self.expect("TABLE")?;
        let kind = if self.at_subquery() {
            TableKind::Derived { query: Box::new(self.subquery()?), lateral: true }
        } else {
            self.expect_symbol("(")?;
            let name = self.name()?;
            self.expect_symbol("(")?;
            let arguments = if self.at_symbol(")") { Vec::new() } else { self.list(Self::value)? };
            self.expect_symbol(")")?;
            self.expect_symbol(")")?;
            TableKind::Function { name, arguments }
        };
        self.correlation(Table { offset, kind, alias: None, columns: Vec::new() })
    }

    /// FINAL TABLE (data-change statement).
    fn changed_rows(&mut self, which: ChangedRows) -> Result<Table, Problem> {
        let offset = self.offset();
        self.next();
        self.expect("TABLE")?;
        self.expect_symbol("(")?;
        let statement = match self.token().word() {
            Some("INSERT") => self.insert()?,
            Some("UPDATE") => self.update()?,
            Some("DELETE") => self.delete()?,
            Some("MERGE") => self.merge()?,
            _ => return Err(self.unexpected("INSERT UPDATE DELETE MERGE")),
        };
        self.expect_symbol(")")?;
        let include = match &statement {
            Statement::Insert(insert) => !insert.include.is_empty(),
            Statement::Update(update) => !update.include.is_empty(),
            Statement::Delete(delete) => !delete.include.is_empty(),
            _ => false,
        };
        let kind = TableKind::Changed { which, statement: Box::new(statement), include };
        self.correlation(Table { offset, kind, alias: None, columns: Vec::new() })
    }
}
