//! Selects the items that a loop can keep in registers.
//!
//! A numeric item of the program's own storage is *resident* in a loop when every operation of the loop on its bytes is an operation on its
//! number, under the item's own name. The bytes in storage then need to be right only where the loop ends. The loop is generated twice, as
//! `emit::resident` describes.
//!
//! Invariants: a loop with a statement unknown here, or one that runs other code, has no residents; an item whose bytes are also used as
//! characters by a receiver, through a group, a redefinition or a subscript is not resident.

use crate::flow::Flow;
use cobol::program::*;
use le::{Attributes, Sign};
use rustc_hash::FxHashMap;

/// Maximum number of statements in a loop that is generated twice.
const WEIGHT_MAX: u32 = 150;
/// Items kept in registers at once; more would only be kept on the stack.
const RESIDENTS_MAX: usize = 24;

/// An item to keep.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub item: ItemId,
    pub written: bool,
    /// Each iteration of the loop stores it before reading it, so its initial value does not matter.
    pub defined: bool,
}

#[derive(Default, Clone, Copy)]
struct Uses {
    count: u32,
    written: bool,
    defined: bool,
}

struct Survey<'a> {
    program: &'a Program,
    flow: &'a Flow,
    descriptors: &'a [Attributes],
    uses: FxHashMap<ItemId, Uses>,
    /// Bytes used otherwise: base, from, to.
    touched: Vec<(u32, u32, u32)>,
    /// The second is a number here only if the first is.
    links: Vec<(ItemId, ItemId)>,
    ranges: Vec<Range>,
    weight: u32,
    /// Inside so many performed ranges; a GO TO in one stays in it.
    in_range: u32,
    /// The current statements run in each iteration.
    certain: bool,
    usable: bool,
}

/// Items of this description can be kept.
pub fn is_kept(attributes: &Attributes) -> bool {
    match attributes.usage {
        le::Usage::Binary | le::Usage::NativeBinary => {
            matches!(attributes.length, 2 | 4 | 8) && (attributes.length < 8 || attributes.is_signed())
        }
        le::Usage::Index | le::Usage::Float4 | le::Usage::Float8 => true,
        le::Usage::Packed => attributes.length <= 8 && attributes.digits > 0,
        le::Usage::Zoned => {
            matches!(attributes.sign, Sign::Unsigned | Sign::Trailing)
                && (1..=16).contains(&attributes.digits)
                && attributes.length == attributes.digits as u32
        }
        _ => false,
    }
}

/// The items a loop keeps; none if it is not worthwhile or not possible.
pub fn plan(program: &Program, flow: &Flow, descriptors: &[Attributes], perform: &Perform) -> Vec<Plan> {
    let mut survey = Survey {
        program,
        flow,
        descriptors,
        uses: FxHashMap::default(),
        touched: Vec::new(),
        links: Vec::new(),
        ranges: Vec::new(),
        weight: 0,
        in_range: 0,
        certain: true,
        usable: true,
    };
    survey.perform(perform);
    survey.result()
}

impl<'a> Survey<'a> {
    fn result(mut self) -> Vec<Plan> {
        if !self.usable {
            return Vec::new();
        }
        // An item that shares bytes with another item in use cannot be kept as a number.
        let items: Vec<ItemId> = self.uses.keys().copied().collect();
        for item in &items {
            let (base, from, to) = self.extent_of(*item);
            let shared = self.touched.iter().any(|(other, start, end)| *other == base && *start < to && from < *end);
            let twin = items.iter().any(|other| {
                let (other_base, start, end) = self.extent_of(*other);
                other != item && other_base == base && start < to && from < end
            });
            if shared || twin {
                self.uses.remove(item);
            }
        }
        while let Some((_, target)) =
            self.links.iter().copied().find(|(source, target)| !self.uses.contains_key(source) && self.uses.contains_key(target))
        {
            self.uses.remove(&target);
        }
        let mut found: Vec<(u32, Plan)> =
            self.uses.iter().map(|(item, uses)| (uses.count, Plan { item: *item, written: uses.written, defined: uses.defined })).collect();
        found.sort_by_key(|(count, plan)| (std::cmp::Reverse(*count), plan.item));
        found.truncate(RESIDENTS_MAX);
        let gains = found.iter().any(|(_, plan)| plan.written) && found.iter().map(|(count, _)| count).sum::<u32>() >= 2;
        if gains { found.into_iter().map(|(_, plan)| plan).collect() } else { Vec::new() }
    }

    fn extent_of(&self, item: ItemId) -> (u32, u32, u32) {
        let item = self.program.item(item);
        (item.base.0, item.offset.fixed, item.offset.fixed + item.length_max)
    }

    fn is_candidate(&self, id: ItemId) -> bool {
        let item = self.program.item(id);
        let own = matches!(
            self.program.bases[item.base.0 as usize].kind,
            BaseKind::Working | BaseKind::Local | BaseKind::Indexes | BaseKind::Registers | BaseKind::Record(_)
        );
        own && item.dimensions.is_empty() && item.offset.is_fixed() && item.length.is_fixed() && is_kept(&self.descriptors[id.0 as usize])
    }

    fn usage(&self, id: ItemId) -> &Attributes {
        &self.descriptors[id.0 as usize]
    }

    /// The bytes a reference may mean, subscripts and modification included.
    fn touch(&mut self, reference: &Reference) {
        self.parts(reference);
        let item = self.program.item(reference.item);
        let base = item.base.0;
        let whole = self.program.bases[base as usize].length;
        self.usable &= !(self.flow.aliases && matches!(self.program.bases[base as usize].kind, BaseKind::Linkage));
        let outermost = item.dimensions.first().map(|dimension| self.program.item(*dimension));
        let extent = match outermost {
            _ if !item.offset.is_fixed() => (base, 0, whole),
            None => (base, item.offset.fixed, item.offset.fixed + item.length_max),
            Some(table) => match &table.occurs {
                Some(occurs) if occurs.stride.is_fixed() && table.offset.is_fixed() => {
                    (base, table.offset.fixed, table.offset.fixed + occurs.stride.fixed * occurs.max)
                }
                _ => (base, 0, whole),
            },
        };
        self.touched.push(extent);
    }

    /// The items that a reference reads to find its place.
    fn parts(&mut self, reference: &Reference) {
        for subscript in &reference.subscripts {
            match subscript {
                Subscript::Index { index, .. } => self.read_item(*index),
                Subscript::Item { reference, .. } => self.read(reference),
                Subscript::Expression(expression) => self.expression(expression),
                Subscript::Literal(_) | Subscript::All | Subscript::Loop(_) => {}
            }
        }
        if let Some(modification) = &reference.modification {
            self.expression(&modification.start);
            if let Some(length) = &modification.length {
                self.expression(length);
            }
        }
        let item = self.program.item(reference.item);
        let terms = item.offset.terms.iter().chain(&item.length.terms);
        let tables: Vec<ItemId> = terms.map(|term| term.table).collect();
        tables.into_iter().for_each(|table| self.depending(table));
    }

    fn depending(&mut self, table: ItemId) {
        if let Some(item) = self.program.item(table).occurs.as_ref().and_then(|occurs| occurs.depending) {
            self.read_item(item);
        }
    }

    fn read_item(&mut self, item: ItemId) {
        if self.is_candidate(item) {
            self.uses.entry(item).or_default().count += 1;
        } else {
            self.touch(&Reference::plain(item, Span::default()));
        }
    }

    /// A number is read.
    fn read(&mut self, reference: &Reference) {
        if reference.is_plain() { self.read_item(reference.item) } else { self.touch(reference) }
    }

    /// Characters are read: those of a kept item are stored first.
    fn read_characters(&mut self, reference: &Reference) {
        if !(reference.is_plain() && self.is_candidate(reference.item)) {
            self.touch(reference);
        }
    }

    /// A number is stored; `always`: whatever the value.
    fn write(&mut self, reference: &Reference, always: bool) {
        if !reference.is_plain() || !self.is_candidate(reference.item) {
            return self.touch(reference);
        }
        let certain = self.certain;
        let uses = self.uses.entry(reference.item).or_default();
        uses.defined |= uses.count == 0 && certain && always;
        uses.count += 1;
        uses.written = true;
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Number(_) | ExpressionKind::Float(_) => {}
            ExpressionKind::Reference(reference) => self.read(reference),
            ExpressionKind::Function(call) => self.function(call),
            ExpressionKind::LengthOf(reference) => self.parts(reference),
            ExpressionKind::AddressOf(_) => self.usable = false,
            ExpressionKind::Negate(inner) => self.expression(inner),
            ExpressionKind::Binary { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
        }
    }

    fn function(&mut self, call: &FunctionCall) {
        for argument in &call.arguments {
            self.characters(argument);
        }
        if let Some(modification) = &call.modification {
            self.expression(&modification.start);
            if let Some(length) = &modification.length {
                self.expression(length);
            }
        }
    }

    fn number(&mut self, operand: &Operand) {
        match operand {
            Operand::Reference(reference) => self.read(reference),
            Operand::Expression(expression) => self.expression(expression),
            other => self.characters(other),
        }
    }

    fn characters(&mut self, operand: &Operand) {
        match operand {
            Operand::Reference(reference) => self.read_characters(reference),
            Operand::Literal(_) | Operand::Figurative(..) => {}
            Operand::Function(call) => self.function(call),
            Operand::AddressOf(_) => self.usable = false,
            Operand::LengthOf(reference) => self.parts(reference),
            Operand::Expression(expression) => self.expression(expression),
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Relation(relation) => match relation.kind {
                CompareKind::Numeric | CompareKind::Index | CompareKind::Float => {
                    self.number(&relation.left);
                    self.number(&relation.right);
                }
                _ => {
                    self.characters(&relation.left);
                    self.characters(&relation.right);
                }
            },
            Condition::Class(class) => self.characters(&class.operand),
            Condition::Sign { expression, .. } => self.expression(expression),
            Condition::Switch { .. } | Condition::Constant(_) => {}
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| self.condition(part)),
            Condition::Not(inner) => self.condition(inner),
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.weight += 1;
            self.usable &= self.weight <= WEIGHT_MAX;
            if !self.usable {
                return;
            }
            self.statement(&statement.kind);
        }
    }

    /// Statements that may not be reached.
    fn branch(&mut self, statements: &[Statement]) {
        let certain = std::mem::replace(&mut self.certain, false);
        self.statements(statements);
        self.certain = certain && self.certain_after(statements);
    }

    /// Whether control certainly leaves at the end of these.
    fn certain_after(&self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| {
            !matches!(
                statement.kind,
                StatementKind::GoTo(_)
                    | StatementKind::GoToDepending { .. }
                    | StatementKind::NextSentence(_)
                    | StatementKind::ExitPerform
                    | StatementKind::ExitPerformCycle
                    | StatementKind::ExitProcedure(_)
            ) && cobol::program::nested_lists(&statement.kind).into_iter().all(|part| self.certain_after(part))
        })
    }

    fn optional(&mut self, statements: &Option<Statements>) {
        if let Some(statements) = statements {
            self.branch(statements);
        }
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Continue | StatementKind::SentenceEnd(_) => {}
            StatementKind::ExitPerform | StatementKind::ExitPerformCycle => self.certain = false,
            StatementKind::GoTo(_) | StatementKind::NextSentence(_) | StatementKind::ExitProcedure(_) => {
                self.certain = false;
                self.usable &= self.in_range > 0;
            }
            StatementKind::GoToDepending { selector, .. } => {
                self.certain = false;
                self.usable &= self.in_range > 0;
                self.read_characters(selector);
            }
            StatementKind::Block(list) => self.statements(list),
            StatementKind::Move(s) => self.movement(s),
            StatementKind::Arithmetic(s) => self.arithmetic(s),
            StatementKind::DivideRemainder(s) => {
                self.expression(&s.dividend);
                self.expression(&s.divisor);
                self.write(&s.quotient.reference, false);
                self.write(&s.remainder.reference, false);
                self.optional(&s.on_size_error);
                self.optional(&s.not_on_size_error);
            }
            StatementKind::If(s) => {
                self.condition(&s.condition);
                self.branch(&s.then);
                self.branch(&s.otherwise);
            }
            StatementKind::Evaluate(s) => {
                for branch in &s.branches {
                    self.condition(&branch.condition);
                    self.branch(&branch.statements);
                }
                self.branch(&s.other);
            }
            StatementKind::Perform(s) => self.perform(s),
            StatementKind::SetIndex { targets, value } => {
                self.number(value);
                targets.iter().for_each(|target| self.write(target, true));
            }
            StatementKind::SetIndexBy { targets, by, .. } => {
                self.number(by);
                for target in targets {
                    self.read(target);
                    self.write(target, false);
                }
            }
            StatementKind::Search(s) => self.search(s),
            StatementKind::SearchAll(s) => {
                self.depending(s.table);
                self.write(&Reference::plain(s.index, Span::default()), false);
                for key in &s.keys {
                    self.number_or_characters(key.kind, &Operand::Reference(key.key.clone()));
                    self.number_or_characters(key.kind, &key.value);
                }
                self.branch(&s.at_end);
                self.branch(&s.when);
            }
            StatementKind::Initialize(steps) => self.initialize(steps),
            _ => self.usable = false,
        }
    }

    fn number_or_characters(&mut self, kind: CompareKind, operand: &Operand) {
        match kind {
            CompareKind::Numeric | CompareKind::Index | CompareKind::Float => self.number(operand),
            _ => self.characters(operand),
        }
    }

    fn search(&mut self, search: &Search) {
        self.depending(search.table);
        self.read_item(search.index);
        self.write(&Reference::plain(search.index, Span::default()), false);
        if let Some(varying) = &search.varying {
            self.read(varying);
            self.write(varying, false);
        }
        for branch in &search.branches {
            self.condition(&branch.condition);
            self.branch(&branch.statements);
        }
        self.branch(&search.at_end);
    }

    fn initialize(&mut self, steps: &[InitializeStep]) {
        for step in steps {
            match step {
                InitializeStep::Move { target, value } => {
                    self.characters(value);
                    self.touch(target);
                }
                InitializeStep::Image { target, .. } => self.touch(target),
                InitializeStep::Loop { table, body, .. } => {
                    self.depending(*table);
                    self.initialize(body);
                }
            }
        }
    }

    fn movement(&mut self, movement: &Move) {
        let numeric = |attributes: &Attributes| attributes.is_fixed() || attributes.usage == le::Usage::Index;
        let zoned = |attributes: &Attributes| attributes.usage == le::Usage::Zoned;
        let float = |attributes: &Attributes| matches!(attributes.usage, le::Usage::Float4 | le::Usage::Float8);
        let from = match &movement.from {
            Operand::Reference(reference) if reference.modification.is_none() => Some(*self.usage(reference.item)),
            _ => None,
        };
        let constant = match &movement.from {
            Operand::Literal(literal) => matches!(literal.value, LiteralValue::Numeric(_)),
            Operand::Figurative(figurative, _) => *figurative == Figurative::Zero,
            _ => false,
        };
        let mut number = constant;
        if let (Operand::Reference(reference), Some(attributes)) = (&movement.from, from)
            && numeric(&attributes)
        {
            number = true;
            self.read(reference);
        } else {
            self.characters(&movement.from);
        }
        for target in &movement.to {
            let attributes = *self.usage(target.item);
            if (constant || from.as_ref().is_some_and(float)) && float(&attributes) && target.modification.is_none() {
                self.write(target, true);
                continue;
            }
            if !number || !numeric(&attributes) || target.modification.is_some() {
                self.touch(target);
                continue;
            }
            if let (Operand::Reference(source), Some(known)) = (&movement.from, from)
                && zoned(&known)
                && zoned(&attributes)
            {
                // Zoned to zoned moves digits unchecked: only between two that are known to be numbers.
                if !source.is_plain() || !self.is_candidate(source.item) {
                    self.touch(target);
                    continue;
                }
                self.links.push((source.item, target.item));
            }
            self.write(target, true);
        }
    }

    fn arithmetic(&mut self, arithmetic: &Arithmetic) {
        let always = arithmetic.on_size_error.is_none() && arithmetic.not_on_size_error.is_none();
        for operation in &arithmetic.operations {
            self.expression(&operation.value);
            for target in &operation.targets {
                if operation.combine != Combine::Store {
                    self.read(&target.reference);
                }
                let attributes = self.usage(target.reference.item);
                let number = attributes.is_fixed() || matches!(attributes.usage, le::Usage::Float4 | le::Usage::Float8);
                if number { self.write(&target.reference, always) } else { self.touch(&target.reference) }
            }
        }
        self.optional(&arithmetic.on_size_error);
        self.optional(&arithmetic.not_on_size_error);
    }

    fn perform(&mut self, perform: &Perform) {
        let outermost = self.weight == 0;
        self.weight += 1;
        match &perform.control {
            PerformControl::Once => return self.body(&perform.body),
            PerformControl::Times(count) => self.number(count),
            PerformControl::Until { condition, .. } => self.condition(condition),
            PerformControl::Varying(varying) => {
                for variable in &varying.loops {
                    // The outermost loop's variables get their first values before anything is kept.
                    self.statement(&variable.initialize.kind);
                    self.condition(&variable.until);
                }
            }
        }
        let certain = self.certain;
        self.certain = certain && outermost;
        self.body(&perform.body);
        if let PerformControl::Varying(varying) = &perform.control {
            self.certain = false;
            for variable in &varying.loops {
                self.statement(&variable.step.kind);
            }
        }
        self.certain = certain;
    }

    fn body(&mut self, body: &PerformBody) {
        let range = match body {
            PerformBody::Inline(statements) => return self.statements(statements),
            PerformBody::Range(range) => *range,
        };
        let (flow, program) = (self.flow, self.program);
        let Some(closed) = flow.closed.get(&range) else {
            self.usable = false;
            return;
        };
        if self.ranges.contains(&range) {
            return;
        }
        self.ranges.push(range);
        self.in_range += 1;
        for paragraph in &closed.body {
            self.statements(&program.procedures[*paragraph as usize].statements);
        }
        self.in_range -= 1;
    }
}
