//! Decides which code is worth optimizing. *Hot* code uses all means of this compiler and goes through Cranelift's optimizer. *Cold* code,
//! which is most of a program, runs once per transaction or record, and is generated for fast compilation.
//!
//! Code is hot when a loop runs it: an inline or out-of-line PERFORM with a phrase that repeats, or a GO TO back, and everything performed
//! from there. A loop that waits for files, commands or a terminal in each iteration is not hot: the waits take far longer than
//! optimization would save. Nor is a loop whose constants give it only a few iterations, unless a hot loop encloses it. A hot loop in cold
//! code becomes its own native function if control leaves it only at its end.
//!
//! Invariant: heat decides how code is generated, never what it does.

use crate::Effort;
use crate::flow::{Flow, uses_files};
use cobol::program::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of statements of a program without files and commands that is hot as a whole, because others may call it in loops.
const CALLED_WEIGHT_MAX: u32 = 250;

/// Turns of a loop that is not worth the effort: the lines of a screen, the months of a year.
const TURNS_MAX: i128 = 24;

#[derive(Default)]
pub struct Heat<'a> {
    /// Everything is hot.
    pub all: bool,
    /// Ranges that hot code performs.
    ranges: FxHashSet<Range>,
    /// Paragraphs with a loop of their own that cannot become a function.
    paragraphs: FxHashSet<u32>,
    /// Loops that become functions in cold code, by their address: index in `bodies`.
    loops: FxHashMap<*const Perform, u32>,
    pub bodies: Vec<&'a Statement>,
}

impl Heat<'_> {
    pub fn is_hot_range(&self, range: Range, body: &[u32]) -> bool {
        self.all || self.ranges.contains(&range) || self.are_hot(body)
    }

    /// One of these paragraphs is hot.
    pub fn are_hot(&self, paragraphs: &[u32]) -> bool {
        self.all || paragraphs.iter().any(|paragraph| self.paragraphs.contains(paragraph))
    }

    /// The number of the function a loop of cold code becomes.
    pub fn function_of(&self, perform: &Perform) -> Option<u32> {
        self.loops.get(&std::ptr::from_ref(perform)).copied()
    }
}

pub fn analyse<'a>(program: &'a Program, flow: &Flow, effort: Effort) -> Heat<'a> {
    // Items of a resumable program are never in registers: control may come in anywhere.
    // So are those of a program compiled with TEST, whose storage a debugger reads and changes between any two statements.
    if effort == Effort::None || flow.resumable || program.options.test {
        return Heat::default();
    }
    let mut survey = Survey { program, flow, quiet: FxHashMap::default(), heat: Heat::default() };
    let called = !program.parameters.is_empty() || program.returning.is_some();
    survey.heat.all = effort == Effort::Full
        || called
            && program.statement_count <= CALLED_WEIGHT_MAX
            && program.procedures.iter().all(|procedure| survey.are_quiet(&procedure.statements));
    if survey.heat.all {
        return survey.heat;
    }
    for (number, procedure) in program.procedures.iter().enumerate() {
        survey.find_loops(&procedure.statements, number as u32);
        survey.find_jumps(&procedure.statements, number as u32);
    }
    // Everything a hot paragraph performs is hot, recursively.
    let hot: Vec<u32> = survey.heat.paragraphs.iter().copied().collect();
    for paragraph in hot {
        survey.heat_statements(&program.procedures[paragraph as usize].statements);
    }
    survey.heat
}

/// A loop, unless its constants give it only a few iterations.
fn turns_often(control: &PerformControl) -> bool {
    match control {
        PerformControl::Once => false,
        PerformControl::Times(count) => constant(count).is_none_or(|count| count > TURNS_MAX),
        PerformControl::Until { .. } => true,
        PerformControl::Varying(varying) => match varying.loops.as_slice() {
            [single] => !ends_soon(&single.until),
            _ => true,
        },
    }
}

/// The variable has reached a small constant.
fn ends_soon(condition: &Condition) -> bool {
    use RelationOperator::{Equal, Greater, GreaterOrEqual};
    match condition {
        Condition::Or(parts) => parts.iter().any(ends_soon),
        Condition::Relation(relation) => {
            matches!(relation.operator, Equal | Greater | GreaterOrEqual)
                && matches!(relation.kind, CompareKind::Numeric | CompareKind::Index)
                && constant(&relation.right).is_some_and(|bound| bound <= TURNS_MAX)
        }
        _ => false,
    }
}

fn constant(operand: &Operand) -> Option<i128> {
    match operand {
        Operand::Literal(Literal { value: LiteralValue::Numeric(number), .. }) if number.scale == 0 => Some(number.value),
        Operand::Expression(expression) => match &expression.kind {
            ExpressionKind::Number(number) if number.scale == 0 => Some(number.value),
            _ => None,
        },
        _ => None,
    }
}

struct Survey<'a, 'f> {
    program: &'a Program,
    flow: &'f Flow,
    /// Whether the paragraphs of a range are quiet; a range being looked at counts as quiet.
    quiet: FxHashMap<Range, bool>,
    heat: Heat<'a>,
}

impl<'a> Survey<'a, '_> {
    /// Whether nothing here waits for external events.
    fn are_quiet(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| {
            let waits = uses_files(&statement.kind)
                || matches!(
                    statement.kind,
                    StatementKind::ExecCics(_)
                        | StatementKind::ExecSql(_)
                        | StatementKind::Accept(_)
                        | StatementKind::Sort(_)
                        | StatementKind::Merge(_)
                        | StatementKind::XmlParse(_)
                );
            let performed = match &statement.kind {
                StatementKind::Perform(perform) => match perform.body {
                    PerformBody::Range(range) => self.is_quiet(range),
                    PerformBody::Inline(_) => true,
                },
                _ => true,
            };
            !waits && performed && nested_lists(&statement.kind).into_iter().all(|part| self.are_quiet(part))
        })
    }

    fn is_quiet(&mut self, range: Range) -> bool {
        if let Some(known) = self.quiet.get(&range) {
            return *known;
        }
        self.quiet.insert(range, true);
        let program = self.program;
        let quiet = (range.first.0..=range.last.0).all(|paragraph| self.are_quiet(&program.procedures[paragraph as usize].statements));
        self.quiet.insert(range, quiet);
        quiet
    }

    fn find_loops(&mut self, statements: &'a [Statement], paragraph: u32) {
        for statement in statements {
            if let StatementKind::Perform(perform) = &statement.kind
                && turns_often(&perform.control)
                && self.is_quiet_body(&perform.body)
            {
                self.heat_body(&perform.body);
                if self.is_contained(&perform.body) {
                    self.heat.loops.insert(std::ptr::from_ref(&**perform), self.heat.bodies.len() as u32);
                    self.heat.bodies.push(statement);
                } else {
                    self.heat.paragraphs.insert(paragraph);
                }
                continue;
            }
            for part in nested_lists(&statement.kind) {
                self.find_loops(part, paragraph);
            }
        }
    }

    fn is_quiet_body(&mut self, body: &PerformBody) -> bool {
        match body {
            PerformBody::Inline(statements) => self.are_quiet(statements),
            PerformBody::Range(range) => self.is_quiet(*range),
        }
    }

    /// GO TO a paragraph that is not further on: the paragraphs between form a loop.
    fn find_jumps(&mut self, statements: &[Statement], paragraph: u32) {
        for statement in statements {
            if let StatementKind::GoTo(target) = &statement.kind
                && target.0 <= paragraph
                && self.is_quiet(Range { first: *target, last: ProcedureId(paragraph) })
            {
                self.heat.paragraphs.extend(target.0..=paragraph);
            }
            for part in nested_lists(&statement.kind) {
                self.find_jumps(part, paragraph);
            }
        }
    }

    fn heat_body(&mut self, body: &'a PerformBody) {
        match body {
            PerformBody::Inline(statements) => self.heat_statements(statements),
            PerformBody::Range(range) => self.heat_range(*range),
        }
    }

    fn heat_range(&mut self, range: Range) {
        if !self.heat.ranges.insert(range) {
            return;
        }
        let program = self.program;
        let closed = self.flow.closed.contains_key(&range);
        for paragraph in range.first.0..=range.last.0 {
            if !closed {
                self.heat.paragraphs.insert(paragraph);
            }
            self.heat_statements(&program.procedures[paragraph as usize].statements);
        }
    }

    fn heat_statements(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            if let StatementKind::Perform(perform) = &statement.kind
                && let PerformBody::Range(range) = perform.body
            {
                self.heat_range(range);
            }
            for part in nested_lists(&statement.kind) {
                self.heat_statements(part);
            }
        }
    }

    /// Control leaves the loop at its end only, or with the program.
    fn is_contained(&self, body: &PerformBody) -> bool {
        match body {
            PerformBody::Range(range) => self.flow.closed.contains_key(range),
            PerformBody::Inline(statements) => self.are_contained(statements),
        }
    }

    fn are_contained(&self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| {
            let leaves = matches!(
                statement.kind,
                StatementKind::GoTo(_)
                    | StatementKind::GoToAltered { .. }
                    | StatementKind::GoToDepending { .. }
                    | StatementKind::NextSentence(_)
                    | StatementKind::SentenceEnd(_)
                    | StatementKind::ExitProcedure(_)
                    | StatementKind::Entry(_)
            );
            let performed = match &statement.kind {
                StatementKind::Perform(perform) => self.is_contained(&perform.body),
                _ => true,
            };
            !leaves && performed && nested_lists(&statement.kind).into_iter().all(|part| self.are_contained(part))
        })
    }
}
