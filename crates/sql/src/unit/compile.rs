//! One static statement: its action, its text, its variables.

use super::Unit;
use crate::ast::{self, Callee, CursorSource, Described, Expression, ExpressionKind, InsertRows, Query, Source};
use crate::ddl;
use crate::diagnostic::Diagnostic;
use crate::parse::Parsed;
use crate::problem::Problem;
use crate::reference::Expansion;
use crate::statement::{
    Action, Cursor, CursorOf, DiagnosticItem, Isolation, Number, Orientation, Scroll, Statement, Text, VariableIndex, VariableType,
};
use crate::translate::{Emitter, Hosts, Place};

pub struct Compiler<'a> {
    unit: &'a Unit,
    parsed: &'a Parsed,
    expansions: &'a [Expansion],
    emitter: Emitter<'a>,
    hosts: Hosts<'a>,
    outputs: Vec<VariableIndex>,
    /// Inputs that are no parameters of a text: those of USING.
    using: Vec<VariableIndex>,
    isolation: Option<Isolation>,
    read_only: bool,
}

impl<'a> Compiler<'a> {
    pub fn new(unit: &'a Unit, parsed: &'a Parsed, expansions: &'a [Expansion]) -> Compiler<'a> {
        let own = parsed.references.len();
        let (own_expansions, declared) = expansions.split_at(own);
        let hosts = Hosts::new(&parsed.references, own_expansions, 0);
        let emitter_hosts = match unit.opened(parsed) {
            Some(declaration) => Hosts::new(&declaration.references, declared, own_expansions.iter().map(Vec::len).sum()),
            None => Hosts::new(&parsed.references, own_expansions, 0),
        };
        let emitter = Emitter::new(&unit.options, emitter_hosts, &unit.tables);
        Compiler { unit, parsed, expansions, emitter, hosts, outputs: Vec::new(), using: Vec::new(), isolation: None, read_only: false }
    }

    pub fn warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.emitter.warnings)
    }

    /// The statement; `None` if it is for the compiler alone.
    pub fn statement(&mut self) -> Result<Option<Statement>, Problem> {
        if let Some(marker) = self.parsed.markers.first() {
            let text = "a parameter marker cannot stand in a static statement";
            return Err(Problem::new(-104, "42601", *marker, &["?", ":<HOST VARIABLE>"], text));
        }
        if self.parsed.is_declarative() {
            self.declaration()?;
            return Ok(None);
        }
        let (action, text) = self.action()?;
        let inputs = if self.using.is_empty() { self.emitter.inputs().to_vec() } else { std::mem::take(&mut self.using) };
        let statement = Statement {
            action,
            source: self.parsed.text.split_whitespace().collect::<Vec<_>>().join(" "),
            text,
            check: self.emitter.names.check(),
            variables: self.expansions.concat(),
            inputs,
            outputs: std::mem::take(&mut self.outputs),
            isolation: self.isolation,
            read_only: self.read_only,
            is_unobserved: false,
        };
        let count = statement.variables.len();
        assert!(statement.inputs.iter().chain(&statement.outputs).all(|index| usize::from(*index) < count), "indexes of variables");
        Ok(Some(statement))
    }

    /// A declaration is translated for its errors.
    fn declaration(&mut self) -> Result<(), Problem> {
        let ast::Statement::DeclareCursor(cursor) = &self.parsed.statement else { return Ok(()) };
        if self.unit.repeated.contains(self.parsed) {
            let text = format!("the cursor {} is declared twice", cursor.name.last());
            return Err(Problem::new(-502, "24502", cursor.name.offset, &[cursor.name.last()], text));
        }
        if let CursorSource::Query(query) = &cursor.of {
            self.emitter.select_statement(query, false)?;
        }
        Ok(())
    }

    fn action(&mut self) -> Result<(Action, String), Problem> {
        use ast::Statement::*;
        match &self.parsed.statement {
            Select(query) => {
                let mut problem = Problem::unexpected(query.offset, "SELECT", "INTO");
                problem.text = "SELECT needs INTO here; several rows need a cursor".to_string();
                Err(problem)
            }
            SelectInto(_) | Assign { .. } => self.assigning(),
            Insert(_) | Update(_) | Delete(_) | Merge(_) | Truncate { .. } | LockTable { .. } | Call { .. } => self.change(),
            Open { .. } | Fetch(_) | Close { .. } | AllocateCursor { .. } => self.cursor(),
            Prepare { .. } | Execute { .. } | ExecuteImmediate { .. } | Describe { .. } => self.prepared(),
            AssociateLocators { .. } | FreeLocator { .. } | HoldLocator { .. } => self.locators(),
            Definition { .. } => self.definition(),
            _ => Ok((self.session()?, String::new())),
        }
    }

    fn definition(&mut self) -> Result<(Action, String), Problem> {
        let definition = ddl::definition(&self.parsed.text, &self.unit.options)?;
        self.emitter.warnings.extend(definition.notes.iter().map(|note| Diagnostic::warning(0, note.clone())));
        if definition.texts.is_empty() {
            return Ok((Action::NoEffect { reason: definition.notes.join("; ") }, String::new()));
        }
        Ok((Action::Ddl { texts: definition.texts, notes: definition.notes }, String::new()))
    }

    fn assigning(&mut self) -> Result<(Action, String), Problem> {
        match &self.parsed.statement {
            ast::Statement::SelectInto(query) => {
                let ast::Body::Select(select) = &query.body else { unreachable!("the parser gives SelectInto for a subselect") };
                self.set_outputs(&select.into);
                self.query_clauses(query);
                let text = self.emitter.select_statement(query, false)?;
                Ok((Action::SelectInto { changes: self.emitter.changes_data() }, text))
            }
            ast::Statement::Assign { targets, values } => {
                self.set_outputs(targets);
                let text = self.assignment(targets.len(), values)?;
                Ok((Action::SelectInto { changes: self.emitter.changes_data() }, text))
            }
            _ => unreachable!("the caller has matched"),
        }
    }

    /// SET: one row of values. A fullselect of several columns gives nulls if it finds no row.
    fn assignment(&mut self, targets: usize, values: &[Expression]) -> Result<String, Problem> {
        if let [Expression { kind: ExpressionKind::Subquery(query), .. }] = values
            && targets > 1
        {
            let query = self.emitter.query(query)?;
            return Ok(format!("SELECT db2_r.* FROM (SELECT 1) AS db2_o LEFT JOIN ({query}) AS db2_r ON true"));
        }
        let values = self.emitter.values(values, &Place::Alone)?;
        Ok(format!("SELECT {}", values.join(", ")))
    }

    fn query_clauses(&mut self, query: &Query) {
        self.isolation = query.clauses.isolation;
        self.read_only = query.clauses.read_only || query.clauses.skip_locked;
    }

    fn set_outputs(&mut self, targets: &[usize]) {
        let hosts = &self.hosts;
        self.outputs = targets.iter().flat_map(|target| hosts.variables(*target).map(|(index, _)| index)).collect();
    }

    fn change(&mut self) -> Result<(Action, String), Problem> {
        use ast::Statement::*;
        let searched;
        let (mut rows, mut atomic) = (None, true);
        let text = match &self.parsed.statement {
            Insert(insert) => {
                self.isolation = insert.isolation;
                searched = matches!(insert.rows, InsertRows::Query(_));
                if let InsertRows::Arrays { rows: count, atomic: all, .. } = &insert.rows {
                    (rows, atomic) = (Some(self.number(count)?), *all);
                }
                self.emitter.insert(insert)?
            }
            Update(update) => {
                let text = self.emitter.update(update)?;
                return self.filtered(&update.filter, text);
            }
            Delete(delete) => {
                let text = self.emitter.delete(delete)?;
                return self.filtered(&delete.filter, text);
            }
            Merge(merge) => {
                searched = true;
                rows = merge.rows.as_ref().map(|rows| self.number(rows)).transpose()?;
                atomic = merge.atomic;
                self.emitter.merge(merge)?
            }
            Call { procedure, arguments, descriptor } => return self.call(procedure, arguments, *descriptor),
            other => {
                let text = other_change(&mut self.emitter, other)?;
                let changes = matches!(other, Truncate { .. });
                return Ok((Action::Execute { changes, searched: false, rows: None, atomic: true }, text));
            }
        };
        Ok((Action::Execute { changes: true, searched, rows, atomic }, text))
    }

    fn filtered(&mut self, filter: &ast::Filter, text: String) -> Result<(Action, String), Problem> {
        self.isolation = filter.isolation;
        let Some(cursor) = &filter.cursor else {
            return Ok((Action::Execute { changes: true, searched: true, rows: None, atomic: true }, text));
        };
        self.known_cursor(cursor)?;
        let row = filter.row.as_ref().map(|row| self.number(row)).transpose()?;
        Ok((Action::Positioned { cursor: cursor.last().to_string(), row }, text))
    }

    fn call(&mut self, procedure: &Callee, arguments: &[Expression], descriptor: Option<usize>) -> Result<(Action, String), Problem> {
        if let Some(descriptor) = descriptor {
            let offset = self.parsed.references[descriptor].offset;
            return Err(Problem::unsupported(offset, "CALL USING DESCRIPTOR"));
        }
        let hosts: Vec<usize> = arguments
            .iter()
            .filter_map(|argument| match argument.kind {
                ExpressionKind::Host(reference) => Some(reference),
                _ => None,
            })
            .collect();
        self.set_outputs(&hosts);
        let values = self.emitter.values(arguments, &Place::Assigned(None))?;
        let text = match procedure {
            Callee::Name(name) => format!("CALL {}({})", self.emitter.routine(name)?, values.join(", ")),
            Callee::Host(_) => format!("({})", values.join(", ")),
        };
        Ok((Action::Call { procedure: self.callee(procedure)? }, text))
    }

    fn cursor(&mut self) -> Result<(Action, String), Problem> {
        use ast::Statement::*;
        match &self.parsed.statement {
            Open { cursor, using, descriptor } => self.open(cursor, using, *descriptor),
            Fetch(fetch) => {
                self.known_cursor(&fetch.cursor)?;
                self.check_orientation(fetch)?;
                self.set_outputs(&fetch.into);
                let rows = fetch.rows.as_ref().map(|rows| self.number(rows)).transpose()?;
                let descriptor = fetch.descriptor.map(|target| self.index(target)).transpose()?;
                let orientation = self.orientation(&fetch.orientation)?;
                let cursor = fetch.cursor.last().to_string();
                Ok((Action::Fetch { cursor, orientation, rows, descriptor }, String::new()))
            }
            Close { cursor } => {
                self.known_cursor(cursor)?;
                Ok((Action::Close { cursor: cursor.last().to_string() }, String::new()))
            }
            AllocateCursor { cursor, locator } => {
                let action = Action::AllocateCursor { cursor: cursor.last().to_string(), locator: self.index(*locator)? };
                Ok((action, String::new()))
            }
            _ => unreachable!("the caller has matched"),
        }
    }

    fn known_cursor(&self, name: &ast::Name) -> Result<(), Problem> {
        if self.unit.cursors.contains_key(name.last()) || self.unit.allocated.contains(name.last()) {
            return Ok(());
        }
        let known = self.unit.cursors.keys().chain(&self.unit.allocated).map(String::as_str);
        let text = format!("the cursor {} is not declared{}", name.last(), exec::meant(name.last(), known));
        Err(Problem::new(-504, "34000", name.offset, &[name.last()], text))
    }

    /// A cursor with a query of its own declares how it is fetched; PREPARE ATTRIBUTES may say so for the others.
    fn check_orientation(&self, fetch: &ast::Fetch) -> Result<(), Problem> {
        let Some(Parsed { statement: ast::Statement::DeclareCursor(declared), .. }) = self.unit.cursors.get(fetch.cursor.last()) else {
            return Ok(());
        };
        let rowset = matches!(fetch.orientation, Orientation::RowsetStartingAt(_));
        let forward = match &fetch.orientation {
            Orientation::Next => true,
            Orientation::RowsetStartingAt(start) => **start == Orientation::Next,
            _ => false,
        };
        let missing = match &declared.of {
            CursorSource::Prepared(_) => return Ok(()),
            CursorSource::Query(_) if !forward && declared.scroll == Scroll::No => "SCROLL",
            CursorSource::Query(_) if rowset && !declared.rowset => "WITH ROWSET POSITIONING",
            CursorSource::Query(_) => return Ok(()),
        };
        let name = fetch.cursor.last();
        let text = format!("the cursor {name} is not declared {missing}");
        Err(Problem::new(-225, "42872", fetch.cursor.offset, &[name], text))
    }

    fn open(&mut self, name: &ast::Name, using: &[Expression], descriptor: Option<usize>) -> Result<(Action, String), Problem> {
        self.known_cursor(name)?;
        let Some(Parsed { statement: ast::Statement::DeclareCursor(declared), .. }) = self.unit.opened(self.parsed) else {
            let text = format!("the cursor {} is allocated for a result set and is open already", name.last());
            return Err(Problem::new(-504, "34000", name.offset, &[name.last()], text));
        };
        let positioned = self.unit.positioned.contains(name.last());
        let (mut updatable, mut text) = (positioned, String::new());
        let of = match &declared.of {
            CursorSource::Query(query) => {
                self.query_clauses(query);
                updatable |= query.clauses.for_update;
                text = self.emitter.select_statement(query, positioned).map_err(|problem| Problem { offset: 0, ..problem })?;
                CursorOf::Query
            }
            CursorSource::Prepared(statement) => CursorOf::Prepared(statement.last().to_string()),
        };
        self.use_variables(using, descriptor)?;
        let cursor = Cursor {
            name: name.last().to_string(),
            of,
            with_hold: declared.with_hold,
            scroll: declared.scroll,
            rowset: declared.rowset,
            updatable,
            with_return: declared.with_return,
            isolation: self.isolation,
        };
        Ok((Action::Open { cursor }, text))
    }

    /// USING: its variables become the inputs; a descriptor is the one input.
    fn use_variables(&mut self, using: &[Expression], descriptor: Option<usize>) -> Result<(), Problem> {
        for value in using {
            let ExpressionKind::Host(reference) = value.kind else { unreachable!("the parser takes host variables only") };
            self.using.extend(self.hosts.variables(reference).map(|(index, _)| index));
        }
        if let Some(descriptor) = descriptor {
            self.using.push(self.index(descriptor)?);
        }
        Ok(())
    }

    fn prepared(&mut self) -> Result<(Action, String), Problem> {
        use ast::Statement::*;
        let action = match &self.parsed.statement {
            Prepare { name, from, into, attributes } => Action::Prepare {
                name: name.last().to_string(),
                from: self.text(from)?,
                into: into.map(|target| self.index(target)).transpose()?,
                attributes: attributes.as_ref().map(|text| self.text(text)).transpose()?,
            },
            Execute { name, using, into, descriptor, rows } => {
                self.set_outputs(into);
                self.use_variables(using, None)?;
                let descriptor = descriptor.map(|target| self.index(target)).transpose()?;
                let rows = rows.as_ref().map(|rows| self.number(rows)).transpose()?;
                Action::ExecutePrepared { name: name.last().to_string(), descriptor, rows }
            }
            ExecuteImmediate { from } => Action::ExecuteImmediate { from: self.text(from)? },
            Describe { what, into } => {
                let into = self.index(*into)?;
                match what {
                    Described::Output(name) => Action::Describe { name: name.last().to_string(), input: false, into },
                    Described::Input(name) => Action::Describe { name: name.last().to_string(), input: true, into },
                    Described::Table(table) => Action::DescribeTable { table: self.text(table)?, into },
                    Described::Cursor(name) | Described::Procedure(name) => Action::DescribeCursor { cursor: self.text(name)?, into },
                }
            }
            _ => unreachable!("the caller has matched"),
        };
        Ok((action, String::new()))
    }

    fn locators(&mut self) -> Result<(Action, String), Problem> {
        use ast::Statement::*;
        let action = match &self.parsed.statement {
            AssociateLocators { procedure, locators } => {
                Action::AssociateLocators { procedure: self.callee(procedure)?, locators: self.indexes(locators)? }
            }
            FreeLocator { locators } => Action::FreeLocator { locators: self.indexes(locators)? },
            HoldLocator { locators } => Action::HoldLocator { locators: self.indexes(locators)? },
            _ => unreachable!("the caller has matched"),
        };
        Ok((action, String::new()))
    }

    fn session(&mut self) -> Result<Action, Problem> {
        use ast::Statement::*;
        Ok(match &self.parsed.statement {
            Commit => Action::Commit,
            Rollback { savepoint: None } => Action::Rollback,
            Rollback { savepoint: Some(name) } => Action::RollbackTo { name: name.as_ref().map(|name| name.last().to_string()) },
            Savepoint { name, unique } => Action::Savepoint { name: name.last().to_string(), unique: *unique },
            ReleaseSavepoint { name } => Action::Release { name: name.last().to_string() },
            Connect { reset: true, .. } => Action::ConnectReset,
            Connect { server, user, password, .. } => Action::Connect {
                server: server.as_ref().map(|text| self.text(text)).transpose()?,
                user: user.as_ref().map(|text| self.text(text)).transpose()?,
                password: password.as_ref().map(|text| self.text(text)).transpose()?,
            },
            SetConnection { server } => Action::SetConnection { server: self.text(server)? },
            ReleaseConnection { server } => Action::ReleaseConnection { server: self.text(server)? },
            SetRegister { register, value } => Action::SetRegister { register: register.clone(), value: self.text(value)? },
            GetDiagnostics { items, stacked } => {
                let items = items
                    .iter()
                    .map(|item| {
                        let condition = item.condition.as_ref().map(|number| self.number(number)).transpose()?;
                        Ok(DiagnosticItem { receiver: self.index(item.target)?, name: item.name.clone(), condition })
                    })
                    .collect::<Result<_, Problem>>()?;
                Action::GetDiagnostics { items, stacked: *stacked }
            }
            NoEffect { reason } => Action::NoEffect { reason: reason.clone() },
            other => unreachable!("{other:?} is handled elsewhere"),
        })
    }

    fn index(&self, reference: usize) -> Result<VariableIndex, Problem> {
        Ok(self.hosts.variable(reference)?.0)
    }

    fn indexes(&self, references: &[usize]) -> Result<Vec<VariableIndex>, Problem> {
        references.iter().map(|reference| self.index(*reference)).collect()
    }

    fn number(&self, number: &Number) -> Result<Number, Problem> {
        Ok(match number {
            Number::Literal(value) => Number::Literal(*value),
            Number::Variable(reference) => Number::Variable(self.index(usize::from(*reference))?),
        })
    }

    fn text(&self, source: &Source) -> Result<Text, Problem> {
        match source {
            Source::Literal(text) => Ok(Text::Literal(text.clone())),
            Source::Host(reference) => {
                let (index, variable) = self.hosts.variable(*reference)?;
                let host = &self.parsed.references[*reference];
                if !is_text(variable.kind) {
                    let text = format!("{} is not a character string", host.name.join("."));
                    return Err(Problem::new(-312, "42618", host.offset, &[&host.name.join(".")], text));
                }
                Ok(Text::Variable(index))
            }
        }
    }

    fn callee(&self, procedure: &Callee) -> Result<Text, Problem> {
        match procedure {
            Callee::Name(name) => Ok(Text::Literal(name.parts.join("."))),
            Callee::Host(reference) => self.text(&Source::Host(*reference)),
        }
    }

    fn orientation(&self, orientation: &Orientation) -> Result<Orientation, Problem> {
        Ok(match orientation {
            Orientation::Absolute(number) => Orientation::Absolute(self.number(number)?),
            Orientation::Relative(number) => Orientation::Relative(self.number(number)?),
            Orientation::RowsetStartingAt(start) => Orientation::RowsetStartingAt(Box::new(self.orientation(start)?)),
            other => other.clone(),
        })
    }
}

fn is_text(kind: VariableType) -> bool {
    use VariableType::*;
    matches!(kind, Char | VarChar | NulTerminated | Graphic | VarGraphic | NulTerminatedGraphic | Clob | DbClob)
}

/// TRUNCATE and LOCK TABLE.
pub fn other_change(emitter: &mut Emitter<'_>, statement: &ast::Statement) -> Result<String, Problem> {
    Ok(match statement {
        ast::Statement::Truncate { table, restart_identity } => {
            let restart = if *restart_identity { " RESTART IDENTITY" } else { "" };
            format!("TRUNCATE TABLE {}{restart}", emitter.changed_table(table, "TRUNCATE")?)
        }
        ast::Statement::LockTable { table, exclusive } => {
            let mode = if *exclusive { "EXCLUSIVE" } else { "SHARE" };
            format!("LOCK TABLE {} IN {mode} MODE", emitter.changed_table(table, "LOCK")?)
        }
        other => unreachable!("{other:?} is neither TRUNCATE nor LOCK TABLE"),
    })
}
