//! INITCHECK: items of WORKING-STORAGE and LOCAL-STORAGE whose value is used before they have one.
//! (Enterprise COBOL for z/OS 6.4 Programming Guide, INITCHECK option.)
//!
//! The analysis follows the paths through the program statement by statement, with the set of elementary items that have a value. Where
//! paths meet, LAX takes the items that have a value on any of them, STRICT those that have one on all. A table is one item; a group has a
//! value as soon as any part of it has. Items passed to other programs or to CICS are assumed to have one.
//!
//! Invariants: the sets at the targets of GO TO change in one direction only, so the passes terminate; warnings are reported only in the
//! last pass.

use super::references::{Role, condition, each_reference, operand};
use crate::diagnostics::Diagnostics;
use crate::options::InitCheck;
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Passes over the program until the sets at the targets of GO TO no longer change; more are never needed in practice.
const PASSES_MAX: usize = 16;

/// A set of elementary items.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Set(Vec<u64>);

impl Set {
    fn has(&self, index: u32) -> bool {
        self.0[index as usize / 64] >> (index % 64) & 1 != 0
    }

    fn add(&mut self, index: u32) {
        self.0[index as usize / 64] |= 1 << (index % 64);
    }
}

pub fn check(program: &Program, how: InitCheck, out: &mut Diagnostics) {
    let Some(start) = program.start else { return };
    let mut checker = Checker::new(program, how);
    let begin = checker.values();
    let whole = Range { first: start, last: ProcedureId(program.procedures.len().saturating_sub(1) as u32) };
    for _ in 0..PASSES_MAX {
        let before = checker.jumps.clone();
        checker.restart();
        checker.range(whole, begin.clone());
        if before == checker.jumps {
            break;
        }
    }
    for ((span, item), found) in &checker.uses {
        let warned = match how {
            InitCheck::Lax => !found.with_value,
            InitCheck::Strict => found.without_value,
        };
        if warned {
            let name = &program.item(ItemId(*item)).name;
            out.warning("CB7311", *span, format!("INITCHECK: {name} is used here before it has been given a value"));
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Use {
    with_value: bool,
    without_value: bool,
}

struct Checker<'a> {
    program: &'a Program,
    how: InitCheck,
    /// The elementary items an item overlaps; `None`: it is not analysed.
    covered: FxHashMap<ItemId, Option<Vec<u32>>>,
    /// The state at the targets of GO TO.
    jumps: BTreeMap<u32, Set>,
    /// The state behind NEXT SENTENCE, EXIT PERFORM and EXIT PARAGRAPH.
    sentences: FxHashMap<u32, Set>,
    loops: Vec<Option<Set>>,
    exits: FxHashMap<ProcedureId, Set>,
    /// Ranges that were followed with this set before.
    followed: FxHashMap<(Range, Set), Option<Set>>,
    active: FxHashSet<Range>,
    uses: BTreeMap<(Span, u32), Use>,
}

type State = Option<Set>;

impl<'a> Checker<'a> {
    fn new(program: &'a Program, how: InitCheck) -> Checker<'a> {
        Checker {
            program,
            how,
            covered: FxHashMap::default(),
            jumps: BTreeMap::new(),
            sentences: FxHashMap::default(),
            loops: Vec::new(),
            exits: FxHashMap::default(),
            followed: FxHashMap::default(),
            active: FxHashSet::default(),
            uses: BTreeMap::new(),
        }
    }

    fn restart(&mut self) {
        self.followed.clear();
        self.sentences.clear();
        self.exits.clear();
        self.loops.clear();
        self.uses.clear();
    }

    /// The items that begin with a value.
    fn values(&mut self) -> Set {
        let mut set = Set(vec![0; self.program.items.len() / 64 + 1]);
        let valued = self.program.items.iter().enumerate().filter(|(_, item)| item.value.is_some());
        for (index, _) in valued.collect::<Vec<_>>() {
            self.give(&mut set, ItemId(index as u32));
        }
        set
    }

    /// The elementary items that share a byte with an item.
    fn covered(&mut self, id: ItemId) -> Option<&[u32]> {
        let program = self.program;
        self.covered
            .entry(id)
            .or_insert_with(|| {
                let item = program.item(id);
                let watched = matches!(program.base(item.base).kind, BaseKind::Working | BaseKind::Local);
                if !watched || item.external || item.global {
                    return None;
                }
                let (from, to) = extent(program, id);
                let elementary = program.items.iter().enumerate().filter(|(index, other)| {
                    let (start, end) = extent(program, ItemId(*index as u32));
                    other.base == item.base && !other.is_group() && start < to && from < end
                });
                Some(elementary.map(|(index, _)| index as u32).collect())
            })
            .as_deref()
    }

    fn give(&mut self, set: &mut Set, item: ItemId) {
        for index in self.covered(item).unwrap_or_default() {
            set.add(*index);
        }
    }

    fn merge(&self, one: State, other: State) -> State {
        match (one, other) {
            (Some(mut one), Some(other)) => {
                for (one, other) in one.0.iter_mut().zip(other.0) {
                    match self.how {
                        InitCheck::Lax => *one |= other,
                        InitCheck::Strict => *one &= other,
                    }
                }
                Some(one)
            }
            (one, other) => one.or(other),
        }
    }

    /// Uses first, then the items that are given a value.
    fn effects(&mut self, set: &mut Set, references: &[(&'a Reference, Role)]) {
        for (reference, role) in references {
            if super::rules::reads(*role) {
                self.used(set, reference);
            }
        }
        for (reference, role) in references {
            if *role != Role::Sends {
                self.give(set, reference.item);
            }
        }
    }

    fn used(&mut self, set: &Set, reference: &Reference) {
        let Some(covered) = self.covered(reference.item).filter(|covered| !covered.is_empty()) else { return };
        let has_value = covered.iter().any(|index| set.has(*index));
        let found = self.uses.entry((reference.span, reference.item.0)).or_default();
        found.with_value |= has_value;
        found.without_value |= !has_value;
    }

    fn tested(&mut self, set: &mut Set, test: &'a Condition) {
        let mut found = Vec::new();
        condition(test, &mut |reference, role| found.push((reference, role)));
        self.effects(set, &found);
    }

    /// Procedures one after another, entered also by GO TO.
    fn range(&mut self, range: Range, begin: Set) -> State {
        let key = (range, begin.clone());
        if let Some(known) = self.followed.get(&key) {
            return known.clone();
        }
        if !self.active.insert(range) {
            return Some(begin);
        }
        let mut state = Some(begin);
        for number in range.first.0..=range.last.0 {
            let id = ProcedureId(number);
            let arriving = self.jumps.get(&number).cloned();
            state = self.merge(state, arriving);
            state = self.list(&self.program.procedure(id).statements, state);
            let left = self.exits.remove(&id);
            state = self.merge(state, left);
        }
        self.active.remove(&range);
        self.followed.insert(key, state.clone());
        state
    }

    fn list(&mut self, statements: &'a [Statement], mut state: State) -> State {
        for statement in statements {
            if let StatementKind::SentenceEnd(number) = statement.kind {
                let arriving = self.sentences.remove(&number);
                state = self.merge(state, arriving);
            }
            state = self.statement(statement, state?);
        }
        state
    }

    fn statement(&mut self, statement: &'a Statement, mut set: Set) -> State {
        match &statement.kind {
            StatementKind::If(s) => {
                self.tested(&mut set, &s.condition);
                let then = self.list(&s.then, Some(set.clone()));
                let otherwise = self.list(&s.otherwise, Some(set));
                self.merge(then, otherwise)
            }
            StatementKind::Evaluate(s) => self.branches(&s.branches, &s.other, set),
            StatementKind::Search(s) => self.branches(&s.branches, &s.at_end, set),
            StatementKind::Perform(s) => self.perform(s, set),
            StatementKind::GoTo(target) => self.jump(*target, set),
            StatementKind::GoToDepending { targets, selector } => {
                self.effects(&mut set, &[(selector, Role::Sends)]);
                targets.iter().for_each(|target| drop(self.jump(*target, set.clone())));
                Some(set)
            }
            StatementKind::GoBack | StatementKind::StopRun { .. } | StatementKind::GoToAltered { .. } => None,
            StatementKind::NextSentence(number) => {
                let known = self.sentences.remove(number);
                let both = self.merge(known, Some(set)).expect("one of them is a set");
                self.sentences.insert(*number, both);
                None
            }
            StatementKind::ExitPerform | StatementKind::ExitPerformCycle => {
                if let Some(known) = self.loops.pop() {
                    let both = self.merge(known, Some(set));
                    self.loops.push(both);
                }
                None
            }
            StatementKind::ExitProcedure(procedure) => {
                let known = self.exits.remove(procedure);
                let both = self.merge(known, Some(set)).expect("one of them is a set");
                self.exits.insert(*procedure, both);
                None
            }
            other => self.plain(other, set),
        }
    }

    /// A statement with its effects, then the branches it may take.
    fn plain(&mut self, kind: &'a StatementKind, mut set: Set) -> State {
        if let StatementKind::Sort(sort) | StatementKind::Merge(sort) = kind {
            for range in [sort_input(&sort.input), sort_output(&sort.output)].into_iter().flatten() {
                set = self.range(range, set.clone()).unwrap_or(set);
            }
            return Some(set);
        }
        if let StatementKind::Block(list) = kind {
            return self.list(list, Some(set));
        }
        let mut found = Vec::new();
        each_reference(kind, &mut |reference, role| found.push((reference, role)));
        self.effects(&mut set, &found);
        if let StatementKind::ExecSql(sql) = kind {
            sql.whenever.targets().for_each(|target| drop(self.jump(target, set.clone())));
        }
        let mut lists = Vec::new();
        each_list(kind, &mut |list| lists.push(list));
        let mut state = Some(set.clone());
        for list in lists {
            let after = self.list(list, Some(set.clone()));
            state = self.merge(state, after);
        }
        state
    }

    fn branches(&mut self, branches: &'a [Branch], other: &'a [Statement], mut set: Set) -> State {
        let mut state = None;
        for branch in branches {
            self.tested(&mut set, &branch.condition);
            let after = self.list(&branch.statements, Some(set.clone()));
            state = self.merge(state, after);
        }
        let after = self.list(other, Some(set));
        self.merge(state, after)
    }

    fn jump(&mut self, target: ProcedureId, set: Set) -> State {
        let known = self.jumps.remove(&target.0);
        let both = self.merge(known, Some(set)).expect("one of them is a set");
        self.jumps.insert(target.0, both);
        None
    }

    fn perform(&mut self, perform: &'a Perform, mut set: Set) -> State {
        let (until, test_after) = match &perform.control {
            PerformControl::Once => return self.body(&perform.body, set),
            PerformControl::Times(times) => {
                let mut found = Vec::new();
                operand(times, &mut |reference, role| found.push((reference, role)));
                self.effects(&mut set, &found);
                (Vec::new(), false)
            }
            PerformControl::Until { condition, test_after } => (vec![condition], *test_after),
            PerformControl::Varying(varying) => {
                for turn in &varying.loops {
                    set = self.statement(&turn.initialize, set)?;
                }
                (varying.loops.iter().map(|turn| &turn.until).collect(), varying.test_after)
            }
        };
        // Items set in one iteration have a value in the next.
        let turns = if self.how == InitCheck::Lax { 2 } else { 1 };
        let mut state = Some(set.clone());
        for _ in 0..turns {
            let mut begin = state.clone().unwrap_or_else(|| set.clone());
            if !test_after {
                until.iter().for_each(|test| self.tested(&mut begin, test));
            }
            let mut after = self.body(&perform.body, begin.clone());
            if let (true, Some(after)) = (test_after, &mut after) {
                until.iter().for_each(|test| self.tested(after, test));
            }
            state = if test_after { after } else { self.merge(Some(begin), after) };
        }
        state
    }

    fn body(&mut self, body: &'a PerformBody, set: Set) -> State {
        match body {
            PerformBody::Range(range) => self.range(*range, set),
            PerformBody::Inline(list) => {
                self.loops.push(None);
                let state = self.list(list, Some(set));
                let left = self.loops.pop().flatten();
                self.merge(state, left)
            }
        }
    }
}

fn sort_input(input: &SortInput) -> Option<Range> {
    if let SortInput::Procedure(range) = input { Some(*range) } else { None }
}

fn sort_output(output: &SortOutput) -> Option<Range> {
    if let SortOutput::Procedure(range) = output { Some(*range) } else { None }
}

/// First byte and the one behind the last of an item with all its occurrences; of a variably located one, of its whole record.
fn extent(program: &Program, id: ItemId) -> (u32, u32) {
    let item = program.item(id);
    let whole = if item.is_variable() || !item.offset.is_fixed() { program.root(id) } else { outermost_table(program, id) };
    let item = program.item(whole);
    let bytes = item.occurs.as_ref().map_or(item.length_max, |occurs| occurs.stride.fixed.max(item.length_max).saturating_mul(occurs.max));
    (item.offset.fixed, item.offset.fixed.saturating_add(bytes))
}

fn outermost_table(program: &Program, id: ItemId) -> ItemId {
    program.item(id).dimensions.first().copied().unwrap_or(id)
}
