//! EXEC SQL statements: parsed and translated by crate `sql`, with the program's data as host variables.
//!
//! All blocks of the source are parsed before the first program is read, because a cursor may be used by statements in front of others that
//! decide what kind it is. Messages about a block are given where the parser comes to it.

mod variable;

use super::Parser;
use super::cursor::Parsed;
use crate::lexer::{ExecBlock, ExecLanguage, Token, TokenKind};
use crate::names::QualifiedName;
use crate::options::Options;
use crate::program::*;
use ::sql::{Diagnostic, HostReference, Role, Unit, UnitOptions, WheneverCondition};
use rustc_hash::FxHashMap;

/// The SQL of a source.
pub struct Sql {
    unit: Unit,
    /// By the place of the EXEC.
    blocks: FxHashMap<Span, Result<::sql::Parsed, Vec<Diagnostic>>>,
}

impl Sql {
    /// Parses every block.
    pub fn survey(tokens: &[Token], options: &Options) -> Sql {
        let unit_options = UnitOptions { ccsid: options.codepage, ..UnitOptions::default() };
        let mut sql = Sql { unit: Unit::new(unit_options.clone()), blocks: FxHashMap::default() };
        for token in tokens {
            if let TokenKind::Exec(block) = &token.kind
                && block.language == ExecLanguage::Sql
            {
                let parsed = ::sql::parse(&block.text, &unit_options);
                if let Ok(parsed) = &parsed {
                    sql.unit.survey(parsed);
                }
                sql.blocks.insert(token.span, parsed);
            }
        }
        sql
    }
}

/// Code of errors of SQL.
const CODE: &str = "SQ0001";
/// Of warnings.
const WARNING: &str = "SQ0002";

impl<'a> Parser<'a> {
    /// EXEC SQL in the data division: only declarations.
    pub fn declarative_sql(&mut self, block: &ExecBlock, span: Span) {
        let Some(parsed) = self.parsed_sql(block, span) else { return };
        if parsed.is_declarative() {
            self.declare_sql(&parsed, block, span);
        } else {
            self.report.error(span, "this EXEC SQL statement is not valid in the DATA DIVISION; ignored");
        }
    }

    /// EXEC SQL in the procedure division.
    pub fn sql_statement(&mut self, block: &'a ExecBlock, span: Span) -> Parsed<StatementKind> {
        let Some(parsed) = self.parsed_sql(block, span) else { return Err(super::Failed) };
        if let Some(whenever) = parsed.whenever() {
            self.whenever(&whenever, span)?;
            return Ok(StatementKind::Continue);
        }
        if parsed.is_declarative() {
            self.declare_sql(&parsed, block, span);
            return Ok(StatementKind::Continue);
        }
        let result = self.sql_result(span)?;
        let references = self.sql.unit.references(&parsed);
        let (mut expansions, mut variables, mut failed) = (Vec::new(), Vec::new(), false);
        for reference in &references {
            match self.host_variable(block, span, reference) {
                Ok(expanded) => {
                    expansions.push(expanded.iter().map(|host| host.variable.clone()).collect());
                    let is_set = matches!(reference.role, Role::Out | Role::InOut | Role::Descriptor);
                    let operand = |host: variable::HostVariable| SqlOperand { data: host.data, indicator: host.indicator, is_set };
                    variables.extend(expanded.into_iter().map(operand));
                }
                Err(_) => failed = true,
            }
        }
        if failed {
            return Err(super::Failed);
        }
        let compiled = match self.sql.unit.compile(&parsed, &expansions) {
            Ok(compiled) => compiled,
            Err(diagnostics) => {
                self.sql_messages(&diagnostics, block, span);
                return Err(super::Failed);
            }
        };
        self.sql_messages(&compiled.warnings, block, span);
        let Some(statement) = compiled.statement else { return Ok(StatementKind::Continue) };
        self.warn_of_unit_of_work(&statement, span);
        assert_eq!(statement.variables.len(), variables.len(), "a variable for each operand");
        let index = self.unit.program.sql.len() as u32;
        self.unit.program.sql.push(statement.encode());
        let (whenever, text) = (self.unit.whenever, (&*block.text).into());
        Ok(StatementKind::ExecSql(Box::new(ExecSql { statement: index, variables, result, whenever, text })))
    }

    /// The parsed block; its errors are reported.
    fn parsed_sql(&mut self, block: &ExecBlock, span: Span) -> Option<::sql::Parsed> {
        match self.sql.blocks.get(&span)?.clone() {
            Ok(parsed) => Some(parsed),
            Err(diagnostics) => {
                self.sql_messages(&diagnostics, block, span);
                None
            }
        }
    }

    fn declare_sql(&mut self, parsed: &::sql::Parsed, block: &ExecBlock, span: Span) {
        // A cursor's host variables are resolved where it is opened.
        let expansions = vec![Vec::new(); self.sql.unit.references(parsed).len()];
        match self.sql.unit.compile(parsed, &expansions) {
            Ok(compiled) => self.sql_messages(&compiled.warnings, block, span),
            Err(diagnostics) => self.sql_messages(&diagnostics, block, span),
        }
    }

    /// Under CICS the unit of work is CICS's.
    fn warn_of_unit_of_work(&mut self, statement: &::sql::Statement, span: Span) {
        let (verb, code) = match statement.action {
            ::sql::Action::Commit => ("COMMIT", -925),
            ::sql::Action::Rollback => ("ROLLBACK", -926),
            _ => return,
        };
        if self.cics {
            let text = format!("EXEC SQL {verb} in a program for CICS ends with SQLCODE {code}; use EXEC CICS SYNCPOINT");
            self.report.warning(span, text);
        }
    }

    fn sql_messages(&mut self, diagnostics: &[Diagnostic], block: &ExecBlock, span: Span) {
        for diagnostic in diagnostics {
            let place = block.place_of(diagnostic.offset).unwrap_or(span);
            self.report.sql(if diagnostic.warning { WARNING } else { CODE }, place, diagnostic);
        }
    }

    fn whenever(&mut self, whenever: &::sql::Whenever, span: Span) -> Parsed<()> {
        let target = match &whenever.go_to {
            None => None,
            Some(name) => match self.unit.names.find_procedure(&self.unit.program, name, None, self.unit.section) {
                Ok(procedure) => Some(procedure),
                Err(_) => return self.fail_at(span, format!("{name}, to which WHENEVER goes, is not one paragraph or section")),
            },
        };
        match whenever.condition {
            WheneverCondition::NotFound => self.unit.whenever.not_found = target,
            WheneverCondition::SqlError => self.unit.whenever.error = target,
            WheneverCondition::SqlWarning => self.unit.whenever.warning = target,
        }
        Ok(())
    }

    /// The SQLCA, or SQLCODE and SQLSTATE of the program.
    fn sql_result(&mut self, span: Span) -> Parsed<SqlResult> {
        let mut find = |name: &str| {
            let name = QualifiedName::simple(name, span);
            let item = self.unit.names.find_item(&self.unit.program, &name).ok()?;
            self.unit.program.items[item.0 as usize].referenced = true;
            Some(Reference::plain(item, span))
        };
        if let Some(sqlca) = find("SQLCA") {
            return Ok(SqlResult { sqlca: Some(sqlca), ..SqlResult::default() });
        }
        let (sqlcode, sqlstate) = (find("SQLCODE"), find("SQLSTATE"));
        if sqlcode.is_none() && sqlstate.is_none() {
            let text = "the program has no SQLCA to tell how an EXEC SQL statement ends; add EXEC SQL INCLUDE SQLCA END-EXEC";
            if self.unit.reported.insert("\u{1}SQLCA".into()) {
                self.report.error(span, text);
            }
            return Err(super::Failed);
        }
        for (reference, length) in [(&sqlcode, 4), (&sqlstate, 5)] {
            if let Some(reference) = reference
                && self.item(reference.item).length_max != length
            {
                let text = format!("{} must have {length} bytes to tell how an EXEC SQL statement ends", self.item(reference.item).name);
                return self.fail_at(span, text);
            }
        }
        Ok(SqlResult { sqlca: None, sqlcode, sqlstate })
    }

    fn host_place(&self, block: &ExecBlock, span: Span, reference: &HostReference) -> Span {
        // The host variables of a cursor are elsewhere: messages name the OPEN.
        if reference.offset == 0 { span } else { block.place_of(reference.offset).unwrap_or(span) }
    }
}
