//! The control flow between paragraphs, and its consequences for the structure of the code.
//!
//! A PERFORM range is *closed* when control that enters it at its first paragraph can leave it only at the end of its last one (or by
//! ending the program): no GO TO, HANDLE label or performed range leads out. A closed range becomes a native function, or is expanded where
//! it is performed. Everything else runs in *general form*: each paragraph that ends a PERFORM has a cell in the frame with the point to
//! continue at, as in IBM's compiler, so any GO TO between ranges has the same meaning.
//!
//! Invariants: a closed range's body lies within `first..=last`; a paragraph that control can reach other than through closed
//! ranges is general and belongs to exactly one group; a group's weight is bounded, so compile time is linear.
//!
//! A program that registers condition handlers is *resumable*: a handler may ask to resume behind any of its statements, so control must be
//! able to enter there from outside. All of the program runs in general form, whose state is in the frame.

use cobol::program::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Statements in a general group; more begin a new function.
const GROUP_WEIGHT_MAX: u32 = 400;
/// Maximum number of statements in a closed range that becomes one function; a larger one runs in general form.
const CLOSED_WEIGHT_MAX: u32 = 2500;
/// Maximum number of statements in a closed range that is expanded at each PERFORM.
const EXPANDED_WEIGHT_MAX: u32 = 10;
/// The same for a range that is performed at one place only.
const SINGLE_WEIGHT_MAX: u32 = 150;

/// The control flow of a paragraph's own statements.
#[derive(Default, Clone)]
struct Moves {
    /// GO TO targets.
    jumps: FxHashSet<u32>,
    /// EXIT PARAGRAPH or EXIT SECTION: the end of these procedures.
    ends: FxHashSet<u32>,
    performs: Vec<Range>,
    /// A command may go to any HANDLE label.
    labels: bool,
    /// The end of the paragraph can be reached.
    falls: bool,
    weight: u32,
}

/// A closed PERFORM range.
#[derive(Clone, Debug)]
pub struct Closed {
    pub range: Range,
    /// Its paragraphs, ascending.
    pub body: Vec<u32>,
    pub weight: u32,
    /// Expand it where it is performed.
    pub expand: bool,
    /// Number among the native range functions.
    pub function: u32,
}

/// Paragraphs that are one function of the general form.
#[derive(Clone, Debug)]
pub struct Group {
    pub paragraphs: Vec<u32>,
}

pub struct Flow {
    pub closed: FxHashMap<Range, Closed>,
    /// Closed ranges by their number.
    pub ordered: Vec<Range>,
    pub groups: Vec<Group>,
    /// Paragraph to (group, index in it), for general paragraphs.
    pub points: FxHashMap<u32, (u32, u32)>,
    /// Paragraphs whose end some general PERFORM waits for, with the number of their cell.
    pub cells: FxHashMap<u32, u32>,
    /// Targets of ALTER by altered paragraph.
    pub alters: FxHashMap<u32, Vec<u32>>,
    /// Linkage items may overlap own items: addresses are set, or the program may be called with its own items.
    pub aliases: bool,
    /// Control can resume behind any statement.
    pub resumable: bool,
}

/// The service that registers a condition handler.
const REGISTER_HANDLER: &str = "CEEHDLR";

fn registers_handlers(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| {
        let calls = match &statement.kind {
            StatementKind::Call(call) => matches!(&call.target, CallTarget::Literal(name) if &**name == REGISTER_HANDLER),
            _ => false,
        };
        calls || nested_lists(&statement.kind).into_iter().any(registers_handlers)
    })
}

/// Contained programs call global USE procedures as closed ranges, which have no place to go on at.
fn is_resumable(program: &Program) -> bool {
    !program.declaratives.iter().any(|declarative| declarative.global)
        && program.procedures.iter().any(|procedure| registers_handlers(&procedure.statements))
}

fn sets_addresses(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| {
        matches!(statement.kind, StatementKind::SetAddress { .. } | StatementKind::SetPointerBy { .. })
            || nested_lists(&statement.kind).into_iter().any(sets_addresses)
    })
}

pub fn analyse(program: &Program) -> Flow {
    let mut analysis = Analysis { program, moves: Vec::new(), ranges: Vec::new(), alters: FxHashMap::default() };
    for index in 0..program.procedures.len() {
        collect_alters(&program.procedures[index].statements, &mut analysis.alters);
    }
    for index in 0..program.procedures.len() {
        let moves = analysis.survey(index as u32);
        analysis.moves.push(moves);
    }
    analysis.find_ranges();
    let resumable = is_resumable(program);
    let closed = if resumable { FxHashMap::default() } else { analysis.close_ranges() };
    let (general, cells) = analysis.general(&closed);
    let groups = analysis.group(&general);
    let mut points = FxHashMap::default();
    for (number, group) in groups.iter().enumerate() {
        for (index, paragraph) in group.paragraphs.iter().enumerate() {
            points.insert(*paragraph, (number as u32, index as u32));
        }
    }
    let aliases = program.recursive || program.procedures.iter().any(|procedure| sets_addresses(&procedure.statements));
    let mut ordered: Vec<&Closed> = closed.values().collect();
    ordered.sort_by_key(|closed| closed.function);
    let ordered = ordered.into_iter().map(|closed| closed.range).collect();
    Flow { closed, ordered, groups, points, cells, alters: analysis.alters, aliases, resumable }
}

struct Analysis<'a> {
    program: &'a Program,
    moves: Vec<Moves>,
    ranges: Vec<(Range, u32)>,
    alters: FxHashMap<u32, Vec<u32>>,
}

impl Analysis<'_> {
    fn survey(&self, index: u32) -> Moves {
        let mut moves = Moves::default();
        moves.falls = self.statements(&self.program.procedures[index as usize].statements, &mut moves);
        moves
    }

    /// Notes what statements do; returns whether control can leave at their end.
    fn statements(&self, statements: &[Statement], moves: &mut Moves) -> bool {
        let mut reached = true;
        for statement in statements {
            moves.weight += 1;
            let falls = self.statement(statement, moves);
            // A later SentenceEnd may be reached by NEXT SENTENCE.
            reached = match statement.kind {
                StatementKind::SentenceEnd(_) => true,
                _ => reached && falls,
            };
        }
        reached
    }

    fn statement(&self, statement: &Statement, moves: &mut Moves) -> bool {
        match &statement.kind {
            StatementKind::GoTo(target) => {
                moves.jumps.insert(target.0);
                false
            }
            StatementKind::GoToAltered { paragraph, initial } => {
                moves.jumps.extend(initial.iter().map(|target| target.0));
                moves.jumps.extend(self.alters.get(&paragraph.0).into_iter().flatten());
                false
            }
            StatementKind::GoToDepending { targets, .. } => {
                moves.jumps.extend(targets.iter().map(|target| target.0));
                true
            }
            StatementKind::ExitProcedure(procedure) => {
                moves.ends.insert(self.program.procedure(*procedure).last.0);
                false
            }
            StatementKind::GoBack | StatementKind::StopRun { .. } => false,
            StatementKind::NextSentence(_) | StatementKind::ExitPerform | StatementKind::ExitPerformCycle => false,
            StatementKind::Perform(perform) => {
                match &perform.body {
                    PerformBody::Range(range) => moves.performs.push(*range),
                    PerformBody::Inline(body) => {
                        self.statements(body, moves);
                    }
                }
                true
            }
            StatementKind::Sort(sort) | StatementKind::Merge(sort) => {
                moves.performs.extend(sort_procedures(sort));
                true
            }
            StatementKind::XmlParse(parse) => {
                moves.performs.push(parse.procedure);
                self.parts(&statement.kind, moves);
                true
            }
            StatementKind::ExecCics(command) => {
                moves.labels |= command.flags & exec::block::Block::NOHANDLE == 0;
                true
            }
            StatementKind::ExecSql(sql) => {
                moves.jumps.extend(sql.whenever.targets().map(|target| target.0));
                true
            }
            StatementKind::If(branch) => {
                let then = self.statements(&branch.then, moves);
                let otherwise = self.statements(&branch.otherwise, moves);
                then || otherwise
            }
            StatementKind::Evaluate(evaluate) => {
                let mut falls = self.statements(&evaluate.other, moves);
                for branch in &evaluate.branches {
                    falls |= self.statements(&branch.statements, moves);
                }
                falls
            }
            _ => {
                self.parts(&statement.kind, moves);
                if uses_files(&statement.kind) {
                    for declarative in &self.program.declaratives {
                        moves.performs.push(section_range(self.program, declarative.section));
                    }
                }
                true
            }
        }
    }

    /// Note what statements within a statement do.
    fn parts(&self, kind: &StatementKind, moves: &mut Moves) {
        for part in nested_lists(kind) {
            self.statements(part, moves);
        }
    }

    fn find_ranges(&mut self) {
        let mut uses: FxHashMap<Range, u32> = FxHashMap::default();
        for moves in &self.moves {
            for range in &moves.performs {
                *uses.entry(*range).or_insert(0) += 1;
            }
        }
        // Contained programs may run these.
        for declarative in self.program.declaratives.iter().filter(|declarative| declarative.global) {
            *uses.entry(section_range(self.program, declarative.section)).or_insert(0) += 1;
        }
        self.ranges = uses.into_iter().collect();
        self.ranges.sort_by_key(|(range, _)| (range.first, range.last));
    }

    /// Where HANDLE commands can lead.
    fn labels(&self) -> impl Iterator<Item = u32> + '_ {
        self.program.labels.iter().filter_map(|label| match label {
            Label::Procedure(procedure) => Some(procedure.0),
            Label::Entry(_) => None,
        })
    }

    /// The paragraphs of a range, if control cannot escape it by itself.
    fn body(&self, range: Range) -> Option<Vec<u32>> {
        let inside = |paragraph: u32| (range.first.0..=range.last.0).contains(&paragraph);
        if range.first > range.last {
            return None;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![range.first.0];
        while let Some(paragraph) = open.pop() {
            if !seen.insert(paragraph) {
                continue;
            }
            let moves = &self.moves[paragraph as usize];
            let mut next: Vec<u32> = moves.jumps.iter().copied().collect();
            if moves.labels {
                next.extend(self.labels());
            }
            if next.iter().any(|target| !inside(*target)) || moves.ends.iter().any(|end| !inside(*end)) {
                return None;
            }
            next.extend(moves.ends.iter().filter(|end| **end != range.last.0).map(|end| end + 1));
            if moves.falls && paragraph != range.last.0 {
                next.push(paragraph + 1);
            }
            open.extend(next);
        }
        let mut body: Vec<u32> = seen.into_iter().collect();
        body.sort_unstable();
        Some(body)
    }

    fn close_ranges(&self) -> FxHashMap<Range, Closed> {
        let mut closed = FxHashMap::default();
        for (range, uses) in &self.ranges {
            let Some(body) = self.body(*range) else { continue };
            let weight = body.iter().map(|paragraph| self.moves[*paragraph as usize].weight).sum();
            if weight > CLOSED_WEIGHT_MAX {
                continue;
            }
            let leaf = body.iter().all(|paragraph| self.moves[*paragraph as usize].performs.is_empty());
            let expand = (leaf && weight <= EXPANDED_WEIGHT_MAX) || (*uses == 1 && weight <= SINGLE_WEIGHT_MAX);
            closed.insert(*range, Closed { range: *range, body, weight, expand, function: 0 });
        }
        // A range that performs one that is not closed is not closed either.
        loop {
            let open: Vec<Range> = closed
                .values()
                .filter(|candidate| {
                    candidate
                        .body
                        .iter()
                        .any(|paragraph| self.moves[*paragraph as usize].performs.iter().any(|range| !closed.contains_key(range)))
                })
                .map(|candidate| candidate.range)
                .collect();
            if open.is_empty() {
                break;
            }
            for range in open {
                closed.remove(&range);
            }
        }
        self.limit_copies(&mut closed);
        let mut ordered: Vec<Range> = closed.keys().copied().collect();
        ordered.sort_by_key(|range| (range.first, range.last));
        for (number, range) in ordered.iter().enumerate() {
            if let Some(closed) = closed.get_mut(range) {
                closed.function = number as u32;
            }
        }
        closed
    }

    /// Overlapping ranges copy paragraphs; when that more than trebles the program, only single paragraphs stay closed.
    fn limit_copies(&self, closed: &mut FxHashMap<Range, Closed>) {
        let total: u32 = self.moves.iter().map(|moves| moves.weight + 1).sum();
        let copies: u32 = closed.values().map(|closed| closed.weight).sum();
        if copies > 3 * total {
            closed.retain(|range, _| range.first == range.last);
            loop {
                let before = closed.len();
                let keys: FxHashSet<Range> = closed.keys().copied().collect();
                closed.retain(|_, candidate| {
                    candidate.body.iter().all(|paragraph| self.moves[*paragraph as usize].performs.iter().all(|range| keys.contains(range)))
                });
                if closed.len() == before {
                    break;
                }
            }
        }
    }

    /// Paragraphs of the general form, and the cells of those that end a general PERFORM.
    fn general(&self, closed: &FxHashMap<Range, Closed>) -> (Vec<u32>, FxHashMap<u32, u32>) {
        let count = self.program.procedures.len() as u32;
        let mut open: Vec<u32> = self.program.start.iter().map(|start| start.0).chain(self.labels()).collect();
        for (index, procedure) in self.program.procedures.iter().enumerate() {
            if contains_entry(&procedure.statements) {
                open.push(index as u32);
            }
        }
        let mut seen = FxHashSet::default();
        let mut cells = FxHashMap::default();
        while let Some(paragraph) = open.pop() {
            if paragraph >= count || !seen.insert(paragraph) {
                continue;
            }
            let moves = &self.moves[paragraph as usize];
            open.extend(&moves.jumps);
            open.extend(moves.ends.iter().map(|end| end + 1));
            if moves.falls {
                open.push(paragraph + 1);
            }
            for range in moves.performs.iter().filter(|range| !closed.contains_key(range)) {
                open.push(range.first.0);
                // After the last paragraph control returns, but a leftover cell may also let it fall through.
                let number = cells.len() as u32;
                cells.entry(range.last.0).or_insert(number);
            }
        }
        let mut general: Vec<u32> = seen.into_iter().collect();
        general.sort_unstable();
        (general, cells)
    }

    fn group(&self, general: &[u32]) -> Vec<Group> {
        let mut groups = vec![Group { paragraphs: Vec::new() }];
        let mut weight = 0;
        for paragraph in general {
            let own = self.moves[*paragraph as usize].weight + 1;
            if weight + own > GROUP_WEIGHT_MAX && weight > 0 {
                groups.push(Group { paragraphs: Vec::new() });
                weight = 0;
            }
            weight += own;
            groups.last_mut().expect("there is one").paragraphs.push(*paragraph);
        }
        groups
    }
}

/// From a section's (or paragraph's) first statement to its last.
pub fn section_range(program: &Program, section: ProcedureId) -> Range {
    Range { first: section, last: program.procedure(section).last }
}

fn collect_alters(statements: &[Statement], alters: &mut FxHashMap<u32, Vec<u32>>) {
    for statement in statements {
        if let StatementKind::Alter(pairs) = &statement.kind {
            for (paragraph, target) in pairs {
                let targets = alters.entry(paragraph.0).or_default();
                if !targets.contains(&target.0) {
                    targets.push(target.0);
                }
            }
        }
        for part in nested_lists(&statement.kind) {
            collect_alters(part, alters);
        }
    }
}

fn contains_entry(statements: &[Statement]) -> bool {
    statements
        .iter()
        .any(|statement| matches!(statement.kind, StatementKind::Entry(_)) || nested_lists(&statement.kind).into_iter().any(contains_entry))
}

pub fn uses_files(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Open(_)
            | StatementKind::Close(_)
            | StatementKind::Read(_)
            | StatementKind::Write(_)
            | StatementKind::Rewrite(_)
            | StatementKind::Delete(_)
            | StatementKind::Start(_)
    )
}

/// The INPUT and OUTPUT PROCEDURE of SORT and MERGE.
fn sort_procedures(sort: &Sort) -> impl Iterator<Item = Range> {
    let input = if let SortInput::Procedure(range) = &sort.input { Some(*range) } else { None };
    let output = if let SortOutput::Procedure(range) = &sort.output { Some(*range) } else { None };
    input.into_iter().chain(output)
}
