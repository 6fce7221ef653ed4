//! EXEC SQL statements, as Db2's coprocessor compiles them: a survey of all statements of an outermost program, then each in its turn with
//! its host variables; WHENEVER, and the place of SQLCODE.
//!
//! Invariants: a statement is parsed once, in the survey; the variables of an [`ExecSql`] are those of its compiled statement, in order;
//! WHENEVER applies to the statements behind it in the text of its own program.

use super::Parser;
use super::cursor::Parsed;
use crate::lexer::{ExecBlock, ExecLanguage, Token, TokenKind};
use crate::names::{Named, Unresolved};
use crate::program::*;
use crate::report::Part;
use rustc_hash::FxHashMap;
use sql::{Action, Diagnostic, Role, Statement as Compiled, UnitOptions, WheneverCondition};
use std::rc::Rc;

/// Bytes of an SQLCA.
const COMMUNICATION_LENGTH: u32 = 136;
const CODE_LENGTH: u32 = 4;
const STATE_LENGTH: u32 = 5;

/// The SQL statements of an outermost program and of those nested in it.
#[derive(Default)]
pub struct SqlUnit {
    unit: Option<sql::Unit>,
    /// By the address of the block.
    parsed: FxHashMap<usize, Rc<Result<sql::Parsed, Vec<Diagnostic>>>>,
}

/// What the parser keeps of one program, nested or not.
#[derive(Default)]
pub struct SqlState {
    /// The statements of the data division: their tokens.
    declarations: Vec<usize>,
    whenever: [Option<Box<str>>; 3],
    /// It has been reported that there is no SQLCA.
    without_communication: bool,
}

fn key(block: &ExecBlock) -> usize {
    std::ptr::from_ref(block) as usize
}

impl<'a> Parser<'a> {
    /// Parses all SQL statements of the outermost program that begins here.
    pub fn survey_sql(&mut self) {
        self.sql = SqlUnit::default();
        let tokens = &self.tokens[self.at..];
        let blocks: Vec<&ExecBlock> = tokens[..program_length(tokens)].iter().filter_map(sql_block).collect();
        if blocks.is_empty() {
            return;
        }
        let options = self.sql_options(tokens);
        let mut unit = sql::Unit::new(options.clone());
        for block in blocks {
            let parsed = sql::parse(&block.text, &options);
            if let Ok(parsed) = &parsed {
                unit.survey(parsed);
            }
            self.sql.parsed.insert(key(block), Rc::new(parsed));
        }
        self.sql.unit = Some(unit);
    }

    fn sql_options(&self, tokens: &[Token]) -> UnitOptions {
        let given = self.options.sql;
        let comma_is_point = |pair: &[Token]| pair[0].is_word("DECIMAL-POINT") && pair[1..].iter().any(|token| token.is_word("COMMA"));
        UnitOptions {
            decimal_precision: if given.long_decimals { 31 } else { 15 },
            comma: given.comma.unwrap_or_else(|| tokens.windows(3).any(comma_is_point)),
            ccsid: self.options.codepage,
            quote_sql: given.quotes,
            ebcdic_order: le::code_page::by_ccsid(self.options.codepage).is_none_or(le::CodePage::is_ebcdic),
        }
    }

    /// EXEC SQL in the data division. Its host variables may not be there yet.
    pub fn sql_declaration(&mut self) {
        self.unit.sql.declarations.push(self.at);
    }

    /// Compiles the statements of the data division, now that all items and procedure names are known.
    pub fn sql_declarations(&mut self) {
        for at in std::mem::take(&mut self.unit.sql.declarations) {
            let token = &self.tokens[at];
            let Some(block) = sql_block(token) else { continue };
            let executable =
                matches!(self.sql.parsed.get(&key(block)).map(|parsed| &**parsed), Some(Ok(parsed)) if !parsed.is_declarative());
            if executable {
                self.report.error(token.span, "this EXEC SQL statement is not valid in the DATA DIVISION; ignored");
            } else {
                // What is wrong has been reported.
                let _ = self.sql_statement(block, token.span);
            }
        }
    }

    pub fn sql_statement(&mut self, block: &'a ExecBlock, span: Span) -> Parsed<StatementKind> {
        let part = self.report.enter(Part::Sql);
        let result = self.compiled_sql(block, span);
        self.report.enter(part);
        result
    }

    fn compiled_sql(&mut self, block: &'a ExecBlock, span: Span) -> Parsed<StatementKind> {
        let parsed = self.sql.parsed.get(&key(block)).cloned();
        let (Some(parsed), Some(unit)) = (parsed, self.sql.unit.take()) else {
            return self.fail_at(span, "this EXEC SQL statement stands outside a program");
        };
        let result = self.compiled_with(&unit, &parsed, block, span);
        self.sql.unit = Some(unit);
        result
    }

    fn compiled_with(
        &mut self,
        unit: &sql::Unit,
        parsed: &Result<sql::Parsed, Vec<Diagnostic>>,
        block: &'a ExecBlock,
        span: Span,
    ) -> Parsed<StatementKind> {
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(problems) => return self.sql_problems(problems, block, span),
        };
        if let Some(whenever) = parsed.whenever() {
            self.note_whenever(&whenever, block, span);
            return Ok(StatementKind::Continue);
        }
        let references = unit.references(parsed);
        let (mut expansions, mut variables, mut failed) = (Vec::new(), Vec::new(), false);
        for host in &references {
            let place = host_span(block, host.offset).unwrap_or(span);
            let indicator = host_span(block, host.indicator_offset).unwrap_or(place);
            match self.host_variables(host, place, indicator) {
                Ok(found) => {
                    let is_set = matches!(host.role, Role::Out | Role::InOut | Role::Descriptor);
                    variables.extend(found.places.into_iter().map(|(data, indicator)| SqlOperand { data, indicator, is_set }));
                    expansions.push(found.variables);
                }
                Err(_) => failed = true,
            }
        }
        if failed {
            return Err(super::Failed);
        }
        let compiled = match unit.compile(parsed, &expansions) {
            Ok(compiled) => compiled,
            Err(problems) => return self.sql_problems(&problems, block, span),
        };
        for warning in &compiled.warnings {
            self.sql_problem(warning, block, span);
        }
        match compiled.statement {
            Some(statement) => self.executable_sql(&statement, variables, block, span),
            None => Ok(StatementKind::Continue),
        }
    }

    fn executable_sql(&mut self, statement: &Compiled, variables: Vec<SqlOperand>, block: &ExecBlock, span: Span) -> Parsed<StatementKind> {
        assert_eq!(statement.variables.len(), variables.len(), "a place for each host variable");
        if self.unit.program.cics && matches!(statement.action, Action::Commit | Action::Rollback) {
            let (word, code) = if statement.action == Action::Commit { ("COMMIT", -925) } else { ("ROLLBACK", -926) };
            let text = format!("{word} gives SQLCODE {code} under CICS; EXEC CICS SYNCPOINT ends the unit of work");
            self.report.warning(span, text);
        }
        let result = self.sql_result(span)?;
        let mut targets = [None; 3];
        for (target, label) in targets.iter_mut().zip(self.unit.sql.whenever.clone()) {
            if let Some(label) = label {
                *target = Some(self.whenever_target(&label, span)?);
            }
        }
        let [not_found, error, warning] = targets;
        let index = self.unit.program.sql.len() as u32;
        self.unit.program.sql.push(statement.encode());
        let (whenever, text) = (Whenever { not_found, error, warning }, (&*block.text).into());
        Ok(StatementKind::ExecSql(Box::new(ExecSql { statement: index, variables, result, whenever, text })))
    }

    fn note_whenever(&mut self, whenever: &sql::Whenever, block: &ExecBlock, span: Span) {
        let slot = match whenever.condition {
            WheneverCondition::NotFound => 0,
            WheneverCondition::SqlError => 1,
            WheneverCondition::SqlWarning => 2,
        };
        let label = whenever.go_to.as_deref().map(str::to_ascii_uppercase);
        if let Some(label) = &label
            && !self.unit.names.procedures.contains_key(label.as_str())
        {
            let place = block.tokens.last().map_or(span, |token| token.span);
            self.report.unresolved(place, format!("the procedure {label} is not defined"));
        }
        self.unit.sql.whenever[slot] = label.map(|label| label.into());
    }

    /// The procedure of a WHENEVER, as GO TO would find it at this statement.
    fn whenever_target(&mut self, label: &str, span: Span) -> Parsed<ProcedureId> {
        match self.unit.names.find_procedure(&self.unit.program, label, None, self.unit.section) {
            Ok(id) => Ok(id),
            Err(Unresolved::Ambiguous(_)) => {
                self.fail_at(span, format!("the procedure name {label} of WHENEVER is not unique here; it needs a name of its own"))
            }
            // Reported at the WHENEVER.
            Err(_) => Err(super::Failed),
        }
    }

    /// Where the statement leaves SQLCODE.
    fn sql_result(&mut self, span: Span) -> Parsed<SqlResult> {
        if let Some(area) = self.sql_item("SQLCA") {
            let length = self.item(area).length_max;
            if length < COMMUNICATION_LENGTH {
                return self.fail_at(span, format!("SQLCA has {length} bytes, not {COMMUNICATION_LENGTH}"));
            }
            return Ok(SqlResult { sqlca: Some(Reference::plain(area, span)), ..SqlResult::default() });
        }
        let code = self.sql_item("SQLCODE").filter(|item| {
            let item = self.item(*item);
            matches!(item.usage, Usage::Binary | Usage::NativeBinary) && item.length_max == CODE_LENGTH && item.dimensions.is_empty()
        });
        let state = self.sql_item("SQLSTATE").filter(|item| self.item(*item).length_max == STATE_LENGTH);
        if code.is_some() || state.is_some() {
            let plain = |item: Option<ItemId>| item.map(|item| Reference::plain(item, span));
            return Ok(SqlResult { sqlca: None, sqlcode: plain(code), sqlstate: plain(state) });
        }
        if !std::mem::replace(&mut self.unit.sql.without_communication, true) {
            let text = "the program has no SQLCA for the results of its SQL statements";
            self.report.expected_at(span, text, "EXEC SQL INCLUDE SQLCA END-EXEC in WORKING-STORAGE");
        }
        Err(super::Failed)
    }

    fn sql_item(&mut self, name: &str) -> Option<ItemId> {
        let Ok(Named::Item(item)) = self.unit.names.find(&self.unit.program, name, &[]) else { return None };
        self.unit.program.items[item.0 as usize].referenced = true;
        Some(item)
    }

    fn sql_problems<T>(&mut self, problems: &[Diagnostic], block: &ExecBlock, span: Span) -> Parsed<T> {
        problems.iter().for_each(|problem| self.sql_problem(problem, block, span));
        Err(super::Failed)
    }

    fn sql_problem(&mut self, problem: &Diagnostic, block: &ExecBlock, span: Span) {
        let place = block.span_at(problem.offset).unwrap_or(span);
        match (&problem.expected, problem.warning) {
            (_, true) => self.report.warning(place, &*problem.text),
            (Some(expected), false) => self.report.expected_at(place, &problem.text, expected),
            (None, false) => self.report.severe(place, &*problem.text),
        }
    }
}

/// A change directly ahead of another static statement, without WHENEVER: nothing looks at its SQLCODE, unless that statement does. Answers
/// its index and what it is then.
pub fn unobserved(program: &Program, before: Option<&Statement>, after: Option<&Statement>) -> Option<(usize, Vec<u8>)> {
    let (StatementKind::ExecSql(before), StatementKind::ExecSql(after)) = (&before?.kind, &after?.kind) else { return None };
    if before.whenever.targets().next().is_some() || uses_result(program, after, &before.result) {
        return None;
    }
    let index = before.statement as usize;
    let mut change = Compiled::decode(&program.sql[index])?;
    let next = Compiled::decode(&program.sql[after.statement as usize])?;
    let is_change = matches!(change.action, Action::Execute { changes: true, rows: None, .. }) && change.outputs.is_empty();
    change.is_unobserved = true;
    (is_change && next.action.takes_changes_along()).then(|| (index, change.encode()))
}

/// Whether a host variable or indicator of the statement may be in the storage where another tells how it ended.
fn uses_result(program: &Program, sql: &ExecSql, result: &SqlResult) -> bool {
    let record = |reference: &Reference| {
        let item = program.item(program.root(reference.item));
        (item.base, item.offset.fixed, item.offset.fixed + item.length_max)
    };
    let places: Vec<_> = [&result.sqlca, &result.sqlcode, &result.sqlstate].into_iter().flatten().map(record).collect();
    let mut used = sql.variables.iter().flat_map(|operand| [Some(&operand.data), operand.indicator.as_ref()]).flatten();
    used.any(|reference| {
        let (base, begin, end) = record(reference);
        // Such storage may be anywhere.
        let is_elsewhere = matches!(program.bases[base.0 as usize].kind, BaseKind::Linkage | BaseKind::External | BaseKind::Outer { .. });
        is_elsewhere || places.iter().any(|place| place.0 == base && place.1 < end && begin < place.2)
    })
}

fn sql_block(token: &Token) -> Option<&ExecBlock> {
    match &token.kind {
        TokenKind::Exec(block) if block.language == ExecLanguage::Sql => Some(block),
        _ => None,
    }
}

/// Tokens up to the end of the first program: its END PROGRAM, or the end of the source.
fn program_length(tokens: &[Token]) -> usize {
    let mut depth = 0_u32;
    for (at, pair) in tokens.windows(2).enumerate() {
        match pair[0].word() {
            Some("PROGRAM-ID" | "FUNCTION-ID") => depth += 1,
            Some("END") if pair[1].is_word("PROGRAM") || pair[1].is_word("FUNCTION") => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// The place of a host variable: that of its name, behind the colon.
fn host_span(block: &ExecBlock, offset: usize) -> Option<Span> {
    let rest = block.text.get(offset..).unwrap_or("");
    let name = rest.strip_prefix(':').map_or(offset, |name| offset + 1 + name.len() - name.trim_start().len());
    block.span_at(name)
}
