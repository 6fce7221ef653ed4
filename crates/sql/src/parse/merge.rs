//! MERGE.

use super::Parser;
use crate::ast::{Expression, ExpressionKind, Merge, MergeAction, MergeBranch, MergeSource, Statement};
use crate::problem::Problem;
use crate::statement::Number;

impl Parser<'_> {
    pub(super) fn merge(&mut self) -> Result<Statement, Problem> {
        let offset = self.offset();
        self.expect_words(&["MERGE", "INTO"])?;
        let table = self.name()?;
        let alias = self.changed_alias()?;
        if self.at_word("INCLUDE") {
            return Err(self.unsupported("INCLUDE columns of MERGE"));
        }
        self.expect("USING")?;
        let (source, rows) = self.merge_source()?;
        let source_alias = self.changed_alias()?;
        let source_columns = self.column_list()?;
        self.expect("ON")?;
        let condition = self.condition()?;
        let mut branches = Vec::new();
        while self.at_word("WHEN") {
            branches.push(self.merge_branch()?);
        }
        if branches.is_empty() {
            return Err(self.unexpected("WHEN"));
        }
        let else_ignore = self.take_words(&["ELSE", "IGNORE"]);
        let atomic = self.atomic()?;
        self.query_number()?;
        let merge = Merge { offset, table, alias, source, source_alias, source_columns, condition, branches, else_ignore, atomic, rows };
        Ok(Statement::Merge(Box::new(merge)))
    }

    /// (VALUES (...)) [FOR n ROWS], (fullselect), a table.
    fn merge_source(&mut self) -> Result<(MergeSource, Option<Number>), Problem> {
        if !self.at_symbol("(") {
            return Ok((MergeSource::Named(self.name()?), None));
        }
        if !self.ahead(1).is_word("VALUES") {
            return Ok((MergeSource::Query(Box::new(self.subquery()?)), None));
        }
        self.next();
        self.next();
        let first = self.reference_count();
        let rows = self.list(Self::value)?;
        let mut count = None;
        let arrays = self.reference_count();
        if self.take("FOR") {
            count = Some(self.count()?);
            self.expect_rows()?;
        }
        self.expect_symbol(")")?;
        if count.is_none() && self.take("FOR") {
            count = Some(self.count()?);
            self.expect_rows()?;
        }
        if count.is_some() {
            self.references_mut()[first..arrays].iter_mut().for_each(|reference| reference.array = true);
        }
        Ok((MergeSource::Values(rows), count))
    }

    fn merge_branch(&mut self) -> Result<MergeBranch, Problem> {
        self.expect("WHEN")?;
        let matched = !self.take("NOT");
        self.expect("MATCHED")?;
        let condition = if self.take("AND") { Some(self.condition()?) } else { None };
        self.expect("THEN")?;
        let action = match self.take_one(&["UPDATE", "DELETE", "INSERT"]) {
            Some("UPDATE") if matched => {
                self.expect("SET")?;
                MergeAction::Update(self.assignments()?)
            }
            Some("DELETE") if matched => MergeAction::Delete,
            Some("INSERT") if !matched => self.merge_insert()?,
            _ if self.at_word("SIGNAL") => return Err(self.unsupported("SIGNAL in MERGE")),
            _ => return Err(self.unexpected(if matched { "UPDATE DELETE" } else { "INSERT" })),
        };
        Ok(MergeBranch { matched, condition, action })
    }

    fn merge_insert(&mut self) -> Result<MergeAction, Problem> {
        let columns = self.column_list()?;
        self.expect("VALUES")?;
        let values = if self.at_symbol("(") { self.parenthesized(Self::assigned_value)? } else { vec![self.assigned_value()?] };
        Ok(MergeAction::Insert { columns, values })
    }
}

/// The values of a row, or the one value.
pub(crate) fn row_values(row: &Expression) -> &[Expression] {
    match &row.kind {
        ExpressionKind::Row(values) => values,
        _ => std::slice::from_ref(row),
    }
}
