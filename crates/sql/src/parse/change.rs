//! INSERT, UPDATE, DELETE, TRUNCATE and LOCK TABLE.

use super::Parser;
use crate::ast::{Assignment, DataType, Delete, Expression, ExpressionKind, Filter, Insert, InsertRows, Name, Statement, Update};
use crate::problem::Problem;

impl Parser<'_> {
    pub(super) fn insert(&mut self) -> Result<Statement, Problem> {
        let offset = self.offset();
        self.expect_words(&["INSERT", "INTO"])?;
        let table = self.name()?;
        let in_parentheses = self.at_symbol("(") && !self.at_subquery() && !self.ahead(1).is_symbol("(");
        let columns = if in_parentheses { self.parenthesized(Self::simple_name)? } else { Vec::new() };
        let include = self.include_columns()?;
        let overriding = self.overriding()?;
        let rows = self.insert_rows()?;
        let isolation = self.optional_isolation()?;
        self.query_number()?;
        Ok(Statement::Insert(Box::new(Insert { offset, table, columns, include, overriding, rows, isolation })))
    }

    /// INCLUDE (name type, ...).
    fn include_columns(&mut self) -> Result<Vec<(Name, DataType)>, Problem> {
        if !self.take("INCLUDE") {
            return Ok(Vec::new());
        }
        self.parenthesized(|parser| Ok((parser.simple_name()?, parser.data_type()?)))
    }

    fn overriding(&mut self) -> Result<Option<&'static str>, Problem> {
        if !self.take("OVERRIDING") {
            return Ok(None);
        }
        let Some(who) = self.take_one(&["USER", "SYSTEM"]) else { return Err(self.unexpected("USER SYSTEM")) };
        self.expect("VALUE")?;
        Ok(Some(who))
    }

    fn insert_rows(&mut self) -> Result<InsertRows, Problem> {
        if self.take_words(&["DEFAULT", "VALUES"]) {
            return Ok(InsertRows::Defaults);
        }
        if !self.take("VALUES") {
            return Ok(InsertRows::Query(Box::new(self.query()?)));
        }
        let first = self.reference_count();
        let row = self.values_row()?;
        let Some((rows, atomic)) = self.array_rows()? else {
            let mut rows = vec![row];
            while self.take_symbol(",") {
                rows.push(self.values_row()?);
            }
            return Ok(InsertRows::Values(rows));
        };
        self.arrays_since(first);
        if let crate::statement::Number::Variable(index) = rows {
            self.references_mut()[usize::from(index)].array = false;
        }
        Ok(InsertRows::Arrays { values: row, rows, atomic })
    }

    /// (value, ...) or one value.
    fn values_row(&mut self) -> Result<Vec<Expression>, Problem> {
        if !self.at_symbol("(") || self.at_subquery() {
            return Ok(vec![self.assigned_value()?]);
        }
        self.parenthesized(Self::assigned_value)
    }

    /// FOR n ROWS [ATOMIC | NOT ATOMIC CONTINUE ON SQLEXCEPTION].
    fn array_rows(&mut self) -> Result<Option<(crate::statement::Number, bool)>, Problem> {
        if !self.take("FOR") {
            return Ok(None);
        }
        let rows = self.count()?;
        self.expect_rows()?;
        Ok(Some((rows, self.atomic()?)))
    }

    pub(super) fn expect_rows(&mut self) -> Result<(), Problem> {
        if self.take_one(&["ROWS", "ROW"]).is_none() {
            return Err(self.unexpected("ROWS"));
        }
        Ok(())
    }

    /// ATOMIC is the default.
    pub(super) fn atomic(&mut self) -> Result<bool, Problem> {
        if self.take_words(&["NOT", "ATOMIC"]) {
            self.expect_words(&["CONTINUE", "ON", "SQLEXCEPTION"])?;
            return Ok(false);
        }
        self.take("ATOMIC");
        Ok(true)
    }

    pub(super) fn update(&mut self) -> Result<Statement, Problem> {
        let offset = self.offset();
        self.expect("UPDATE")?;
        let table = self.name()?;
        self.refuse_period()?;
        let alias = self.changed_alias()?;
        let include = self.include_columns()?;
        self.expect("SET")?;
        let assignments = self.assignments()?;
        let filter = self.filter()?;
        Ok(Statement::Update(Box::new(Update { offset, table, alias, include, assignments, filter })))
    }

    fn refuse_period(&self) -> Result<(), Problem> {
        if self.at_words(&["FOR", "PORTION"]) {
            return Err(self.unsupported("FOR PORTION OF BUSINESS_TIME"));
        }
        Ok(())
    }

    pub(super) fn changed_alias(&mut self) -> Result<Option<Name>, Problem> {
        if self.take("AS") || self.at_alias() {
            return Ok(Some(self.simple_name()?));
        }
        Ok(None)
    }

    pub(super) fn assignments(&mut self) -> Result<Vec<Assignment>, Problem> {
        self.list(|parser| {
            let row = parser.at_symbol("(");
            let columns = if row { parser.parenthesized(Self::name)? } else { vec![parser.name()?] };
            parser.expect_symbol("=")?;
            let values = if row && parser.at_symbol("(") && !parser.at_subquery() {
                parser.parenthesized(Self::assigned_value)?
            } else {
                vec![parser.assigned_value()?]
            };
            let from_query = matches!(values[..], [Expression { kind: ExpressionKind::Subquery(_) | ExpressionKind::Host(_), .. }]);
            if values.len() != columns.len() && !from_query {
                let text = format!("{} columns are assigned {} values", columns.len(), values.len());
                return Err(Problem::new(-117, "42802", columns[0].offset, &[], text));
            }
            Ok(Assignment { columns, values })
        })
    }

    pub(super) fn delete(&mut self) -> Result<Statement, Problem> {
        let offset = self.offset();
        self.expect_words(&["DELETE", "FROM"])?;
        let table = self.name()?;
        self.refuse_period()?;
        let alias = self.changed_alias()?;
        let include = self.include_columns()?;
        let assignments = if self.take("SET") { self.assignments()? } else { Vec::new() };
        let filter = self.filter()?;
        Ok(Statement::Delete(Box::new(Delete { offset, table, alias, include, assignments, filter })))
    }

    /// WHERE and the clauses behind it.
    fn filter(&mut self) -> Result<Filter, Problem> {
        let mut filter = Filter::default();
        if self.take("WHERE") {
            if self.take_words(&["CURRENT", "OF"]) {
                filter.cursor = Some(self.hyphenated_name()?);
                if self.take_words(&["FOR", "ROW"]) {
                    filter.row = Some(self.count()?);
                    self.expect_words(&["OF", "ROWSET"])?;
                }
            } else {
                filter.condition = Some(self.condition()?);
            }
        }
        loop {
            if self.at_words(&["ORDER", "BY"]) {
                filter.order = self.order_by()?;
            } else if self.at_words(&["FETCH", "FIRST"]) || self.at_words(&["FETCH", "NEXT"]) {
                filter.fetch = Some(self.fetch_first()?);
            } else if self.at_word("WITH") {
                filter.isolation = Some(self.isolation()?);
            } else if self.take_words(&["SKIP", "LOCKED", "DATA"]) {
                filter.skip_locked = true;
            } else if !self.query_number()? {
                return Ok(filter);
            }
        }
    }

    pub(super) fn truncate(&mut self) -> Result<Statement, Problem> {
        self.expect("TRUNCATE")?;
        self.take("TABLE");
        let table = self.name()?;
        let mut restart_identity = false;
        loop {
            if self.take_words(&["RESTART", "IDENTITY"]) {
                restart_identity = true;
            } else if !(self.take_words(&["DROP", "STORAGE"])
                || self.take_words(&["REUSE", "STORAGE"])
                || self.take_words(&["IGNORE", "DELETE", "TRIGGERS"])
                || self.take_words(&["RESTRICT", "WHEN", "DELETE", "TRIGGERS"])
                || self.take_words(&["CONTINUE", "IDENTITY"])
                || self.take("IMMEDIATE"))
            {
                return Ok(Statement::Truncate { table, restart_identity });
            }
        }
    }

    pub(super) fn lock_table(&mut self) -> Result<Statement, Problem> {
        self.expect_words(&["LOCK", "TABLE"])?;
        let table = self.name()?;
        if self.take_one(&["PARTITION", "PART"]).is_some() {
            self.unsigned()?;
        }
        self.expect("IN")?;
        let Some(mode) = self.take_one(&["SHARE", "EXCLUSIVE"]) else { return Err(self.unexpected("SHARE EXCLUSIVE")) };
        self.expect("MODE")?;
        Ok(Statement::LockTable { table, exclusive: mode == "EXCLUSIVE" })
    }
}
