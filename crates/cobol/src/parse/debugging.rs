//! Monitoring of files and identifiers by debugging sections (ANSI X3.23-1985, module DEB, "The USE FOR DEBUGGING statement").
//!
//! A statement that names a monitored file or item becomes a block: the statement itself, and the MOVEs to DEBUG-ITEM with a PERFORM of the
//! debugging section, at the moment the standard prescribes: before a WRITE, REWRITE and GO TO DEPENDING; after each setting and each
//! evaluation in a PERFORM; after an OPEN, CLOSE, DELETE, START and a READ that was no AT END; after any other statement.
//!
//! Invariants: statements of debugging sections are not monitored; a section is performed at most once per statement for an item, and only
//! while the run-time option DEBUG is on.

use super::Parser;
use super::cursor::Parsed;
use super::operand::number_expression;
use crate::names::Named;
use crate::program::*;

#[derive(Default)]
pub struct Debugging {
    monitors: Vec<Monitor>,
    /// Monitored items referenced by the statements being parsed; a statement removes its own when it ends.
    pub mentions: Vec<Reference>,
}

struct Monitor {
    target: Target,
    /// ALL REFERENCES OF; otherwise only statements that change the item.
    all: bool,
    section: ProcedureId,
    /// As in the USE statement, with its qualifiers.
    name: Box<str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    File(FileId),
    Item(ItemId),
}

/// A debugging section to be performed: the monitor's number and the reference that shows the contents.
type Trigger = (usize, Option<Reference>);

impl Debugging {
    pub fn mention(&mut self, reference: &Reference) {
        if self.monitors.iter().any(|monitor| monitor.target == Target::Item(reference.item)) {
            self.mentions.push(Reference { modification: None, ..reference.clone() });
        }
    }

    fn of_file(&self, file: FileId) -> Option<usize> {
        self.monitors.iter().position(|monitor| monitor.target == Target::File(file))
    }

    fn of_item(&self, item: ItemId) -> Option<usize> {
        self.monitors.iter().position(|monitor| monitor.target == Target::Item(item))
    }
}

impl Parser<'_> {
    /// USE FOR DEBUGGING ON files and identifiers; the procedures have been taken out before.
    pub fn debugging_section(&mut self, section: ProcedureId) -> Parsed<()> {
        self.accept("ON");
        while !self.at_period() && !self.at_end() {
            let mut all = self.accept("ALL");
            if self.accept("REFERENCES") {
                all = true;
                let _ = self.accept("OF") || self.accept("IN");
            }
            if self.at_period() {
                break;
            }
            let name = self.qualified_name()?;
            let target = match self.resolve(&name)? {
                Named::File(file) => Target::File(file),
                Named::Item(item) => Target::Item(item),
                Named::Condition(_) => {
                    return self.fail_at(name.span, format!("{} is a condition-name and cannot be monitored", name.name));
                }
            };
            if self.unit.debugging.monitors.iter().any(|monitor| monitor.target == target) {
                self.report.severe(name.span, format!("{} is monitored by another debugging section", name.text()));
            }
            self.unit.debugging.monitors.push(Monitor { target, all, section, name: name.text().into() });
        }
        self.unit.program.declaratives.push(Declarative { section, trigger: crate::program::Trigger::Debugging, global: false });
        self.expect_period("USE");
        Ok(())
    }

    /// The statement with the effects of its mentions of monitored items. Takes the mentions from `first` on.
    pub fn monitored(&mut self, kind: StatementKind, first: usize, span: Span) -> StatementKind {
        if self.unit.debugging.monitors.is_empty() {
            return kind;
        }
        let mentions = self.unit.debugging.mentions.split_off(first);
        let debugging_section = |declarative: &Declarative| {
            declarative.trigger == crate::program::Trigger::Debugging && Some(declarative.section) == self.unit.section
        };
        if self.unit.program.declaratives.iter().any(debugging_section) {
            return kind;
        }
        match kind {
            StatementKind::Write(write) => self.monitored_write(*write, &mentions, span),
            StatementKind::Rewrite(rewrite) => self.monitored_rewrite(*rewrite, &mentions, span),
            StatementKind::Perform(perform) => self.monitored_perform(*perform, &mentions, span),
            StatementKind::GoToDepending { .. } => {
                let triggers = self.item_triggers(&kind, &mentions);
                self.with_sections(triggers, vec![kind], Vec::new(), span)
            }
            kind => self.monitored_other(kind, &mentions, span),
        }
    }

    fn monitored_other(&mut self, mut kind: StatementKind, mentions: &[Reference], span: Span) -> StatementKind {
        let mut triggers = self.file_triggers(&kind);
        triggers.append(&mut self.item_triggers(&kind, mentions));
        if triggers.is_empty() {
            return kind;
        }
        if let StatementKind::Read(read) = &mut kind {
            let handlers = &mut read.handlers;
            if handlers.at_end.is_some() || handlers.invalid_key.is_some() {
                let slot = if handlers.at_end.is_some() { &mut handlers.not_at_end } else { &mut handlers.not_invalid_key };
                let rest = slot.take().unwrap_or_default();
                let mut list = self.performs(&triggers, span);
                list.extend(rest);
                if let StatementKind::Read(read) = &mut kind {
                    let handlers = &mut read.handlers;
                    let slot = if handlers.at_end.is_some() { &mut handlers.not_at_end } else { &mut handlers.not_invalid_key };
                    *slot = Some(list);
                }
                return kind;
            }
        }
        if !has_branches(&kind) {
            return self.with_sections(Vec::new(), vec![kind], triggers, span);
        }
        // Both branches of the statement begin with it.
        complete_branches(&mut kind);
        let mut lists = 0;
        each_list_mut(&mut kind, &mut |_| lists += 1);
        let mut performs: Vec<Statements> = (0..lists).map(|_| self.performs(&triggers, span)).collect();
        each_list_mut(&mut kind, &mut |list| {
            let mut whole = performs.pop().unwrap_or_default();
            whole.append(list);
            *list = whole;
        });
        kind
    }

    /// The implicit move of FROM comes first, then the debugging section, then the WRITE.
    fn monitored_write(&mut self, mut write: Write, mentions: &[Reference], span: Span) -> StatementKind {
        let triggers = self.record_triggers(write.record, mentions, span);
        if triggers.is_empty() {
            return StatementKind::Write(Box::new(write));
        }
        let mut first = self.move_of_from(&mut write.from, write.record, span);
        first.append(&mut self.performs(&triggers, span));
        let statement = self.statement_of(StatementKind::Write(Box::new(write)), span);
        first.push(statement);
        StatementKind::Block(first)
    }

    fn monitored_rewrite(&mut self, mut rewrite: Rewrite, mentions: &[Reference], span: Span) -> StatementKind {
        let triggers = self.record_triggers(rewrite.record, mentions, span);
        if triggers.is_empty() {
            return StatementKind::Rewrite(Box::new(rewrite));
        }
        let mut first = self.move_of_from(&mut rewrite.from, rewrite.record, span);
        first.append(&mut self.performs(&triggers, span));
        let statement = self.statement_of(StatementKind::Rewrite(Box::new(rewrite)), span);
        first.push(statement);
        StatementKind::Block(first)
    }

    fn move_of_from(&mut self, from: &mut Option<Operand>, record: ItemId, span: Span) -> Statements {
        match from.take() {
            Some(from) => {
                let kind = StatementKind::Move(Box::new(Move { from, to: vec![Reference::plain(record, span)] }));
                vec![self.statement_of(kind, span)]
            }
            None => Vec::new(),
        }
    }

    /// The record itself, and all other monitored items that are mentioned.
    fn record_triggers(&self, record: ItemId, mentions: &[Reference], span: Span) -> Vec<Trigger> {
        let debugging = &self.unit.debugging;
        let mut triggers = Vec::new();
        if let Some(monitor) = debugging.of_item(record) {
            triggers.push((monitor, Some(Reference::plain(record, span))));
        }
        for mention in mentions.iter().filter(|mention| mention.item != record) {
            if let Some(monitor) = debugging.of_item(mention.item).filter(|monitor| debugging.monitors[*monitor].all) {
                add(&mut triggers, (monitor, Some(mention.clone())));
            }
        }
        triggers
    }

    fn item_triggers(&self, kind: &StatementKind, mentions: &[Reference]) -> Vec<Trigger> {
        let debugging = &self.unit.debugging;
        let mut triggers = Vec::new();
        for mention in mentions {
            let Some(monitor) = debugging.of_item(mention.item) else { continue };
            if debugging.monitors[monitor].all || changes(kind, mention.item) {
                add(&mut triggers, (monitor, Some(mention.clone())));
            }
        }
        triggers
    }

    fn file_triggers(&self, kind: &StatementKind) -> Vec<Trigger> {
        let debugging = &self.unit.debugging;
        let plain = |file: FileId| debugging.of_file(file).map(|monitor| (monitor, None));
        match kind {
            StatementKind::Open(files) => files.iter().filter_map(|file| plain(file.0)).collect(),
            StatementKind::Close(files) => files.iter().filter_map(|file| plain(file.0)).collect(),
            StatementKind::Delete(delete) => plain(delete.file).into_iter().collect(),
            StatementKind::Start(start) => plain(start.file).into_iter().collect(),
            StatementKind::Read(read) => {
                // DEBUG-CONTENTS is the record read: the longest record of the file covers the others.
                let records = &self.unit.program.file(read.file).records;
                let record = records.iter().copied().max_by_key(|record| self.item(*record).length_max);
                let contents = record.map(|record| Reference::plain(record, Span::NONE));
                debugging.of_file(read.file).map(|monitor| (monitor, contents)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// PERFORM with a monitored item in its phrases becomes the loops the standard describes it by, with the debugging sections
    /// after each setting and each evaluation.
    fn monitored_perform(&mut self, perform: Perform, mentions: &[Reference], span: Span) -> StatementKind {
        let relevant: Vec<Trigger> =
            mentions.iter().filter_map(|mention| Some((self.unit.debugging.of_item(mention.item)?, Some(mention.clone())))).collect();
        if relevant.is_empty() || matches!(perform.control, PerformControl::Once) {
            return StatementKind::Perform(Box::new(perform));
        }
        let Perform { body, control } = perform;
        match control {
            PerformControl::Varying(varying) => self.monitored_loops(body, *varying, &relevant, span),
            PerformControl::Until { condition, test_after } => {
                let test = self.exit_test(condition, &relevant, span);
                let mut list = self.loop_body(body, span);
                list.insert(if test_after { list.len() } else { 0 }, test);
                self.endless(list, span).kind
            }
            control => {
                let all = |trigger: &&Trigger| self.unit.debugging.monitors[trigger.0].all;
                let after = relevant.iter().filter(all).cloned().collect();
                let statement = StatementKind::Perform(Box::new(Perform { body, control }));
                self.with_sections(after, vec![statement], Vec::new(), span)
            }
        }
    }

    fn monitored_loops(&mut self, body: PerformBody, varying: PerformVarying, relevant: &[Trigger], span: Span) -> StatementKind {
        let PerformVarying { test_after, loops } = varying;
        let mut first: Statements = Vec::new();
        for variable in &loops {
            first.append(&mut self.setting(variable.initialize.clone(), relevant, span));
        }
        // From the innermost loop outwards: test, body, step, and the inner variable's FROM value again.
        let mut inside = self.loop_body(body, span);
        for (depth, variable) in loops.iter().enumerate().rev() {
            let test = self.exit_test(variable.until.clone(), relevant, span);
            inside.insert(if test_after { inside.len() } else { 0 }, test);
            inside.append(&mut self.setting(variable.step.clone(), relevant, span));
            if let Some(inner) = loops.get(depth + 1) {
                inside.append(&mut self.setting(inner.initialize.clone(), relevant, span));
            }
            inside = vec![self.endless(inside, span)];
        }
        first.append(&mut inside);
        StatementKind::Block(first)
    }

    /// The body once; EXIT PERFORM of an inline body must leave the loop, CYCLE only the body.
    fn loop_body(&mut self, body: PerformBody, span: Span) -> Statements {
        match body {
            PerformBody::Inline(list) if !cycles(&list) => list,
            body => vec![self.statement_of(StatementKind::Perform(Box::new(Perform { body, control: PerformControl::Once })), span)],
        }
    }

    fn endless(&mut self, list: Statements, span: Span) -> Statement {
        let control = PerformControl::Until { condition: Condition::Constant(false), test_after: false };
        self.statement_of(StatementKind::Perform(Box::new(Perform { body: PerformBody::Inline(list), control })), span)
    }

    /// IF condition EXIT PERFORM, with the debugging sections of items in the condition either way.
    fn exit_test(&mut self, condition: Condition, relevant: &[Trigger], span: Span) -> Statement {
        let named = |trigger: &&Trigger| trigger.1.as_ref().is_some_and(|reference| in_condition(&condition, reference.item));
        let triggers = relevant.iter().filter(named).cloned().collect();
        let triggers = once(triggers);
        let mut then = self.performs(&triggers, span);
        then.push(self.statement_of(StatementKind::ExitPerform, span));
        let otherwise = self.performs(&triggers, span);
        self.statement_of(StatementKind::If(Box::new(If { condition, then, otherwise })), span)
    }

    /// A setting of a loop's variable, with its debugging section.
    fn setting(&mut self, statement: Statement, relevant: &[Trigger], span: Span) -> Statements {
        let changed = |trigger: &&Trigger| trigger.1.as_ref().is_some_and(|reference| changes(&statement.kind, reference.item));
        let triggers = once(relevant.iter().filter(changed).cloned().collect());
        let mut list = vec![statement];
        list.append(&mut self.performs(&triggers, span));
        list
    }

    /// Debugging sections before and after statements.
    fn with_sections(&mut self, before: Vec<Trigger>, kinds: Vec<StatementKind>, after: Vec<Trigger>, span: Span) -> StatementKind {
        let mut list = self.performs(&before, span);
        for kind in kinds {
            let statement = self.statement_of(kind, span);
            list.push(statement);
        }
        list.append(&mut self.performs(&after, span));
        match list.len() {
            1 => list.remove(0).kind,
            _ => StatementKind::Block(list),
        }
    }

    /// IF the switch is on: DEBUG-ITEM filled, and the section performed; for each trigger.
    fn performs(&mut self, triggers: &[Trigger], span: Span) -> Statements {
        triggers.iter().map(|trigger| self.perform_section(trigger, span)).collect()
    }

    fn perform_section(&mut self, (monitor, contents): &Trigger, span: Span) -> Statement {
        let monitor = &self.unit.debugging.monitors[*monitor];
        let (section, name) = (monitor.section, monitor.name.clone());
        let last = self.unit.program.procedure(section).last;
        let space = Operand::Figurative(Figurative::Space, span);
        let line = self.text_operand(&format!("{:06}", span.line), span);
        let name = self.text_operand(&name, span);
        let mut then = Vec::new();
        for (item, value) in [("DEBUG-ITEM", space), ("DEBUG-LINE", line), ("DEBUG-NAME", name)] {
            self.fill(item, value, span, &mut then);
        }
        if let Some(reference) = contents {
            for (position, subscript) in reference.subscripts.iter().take(3).enumerate() {
                if let (Some(target), Some(value)) = (self.debug_item(&format!("DEBUG-SUB-{}", position + 1)), occurrence(subscript, span))
                {
                    let kind = self.store(value, Reference::plain(target, span));
                    then.push(self.statement_of(kind, span));
                }
            }
            self.fill("DEBUG-CONTENTS", Operand::Reference(reference.clone()), span, &mut then);
        }
        let body = PerformBody::Range(Range { first: section, last });
        then.push(self.statement_of(StatementKind::Perform(Box::new(Perform { body, control: PerformControl::Once })), span));
        let condition = Condition::Switch { switch: DEBUG_SWITCH, on: true };
        self.statement_of(StatementKind::If(Box::new(If { condition, then, otherwise: Vec::new() })), span)
    }

    fn debug_item(&self, name: &str) -> Option<ItemId> {
        match self.unit.names.find(&self.unit.program, name, &[]) {
            Ok(Named::Item(item)) => Some(item),
            _ => None,
        }
    }

    fn fill(&mut self, name: &str, value: Operand, span: Span, list: &mut Statements) {
        if let Some(item) = self.debug_item(name) {
            let kind = StatementKind::Move(Box::new(Move { from: value, to: vec![Reference::plain(item, span)] }));
            list.push(self.statement_of(kind, span));
        }
    }

    fn text_operand(&self, text: &str, span: Span) -> Operand {
        Operand::Literal(Literal { value: LiteralValue::Alphanumeric(self.encoder.text(text).into()), span })
    }
}

/// The occurrence number a subscript gives.
fn occurrence(subscript: &Subscript, span: Span) -> Option<Expression> {
    let numeric = NumericType::Fixed { digits: 9, scale: 0, truncated: false };
    let reference = |reference: Reference, plus: i32| {
        let left = Expression { kind: ExpressionKind::Reference(reference), numeric, span };
        let right = number_expression(i128::from(plus), 9, span);
        let kind = ExpressionKind::Binary { operator: Operator::Add, left: Box::new(left), right: Box::new(right) };
        Expression { kind, numeric, span }
    };
    match subscript {
        Subscript::Literal(number) => Some(number_expression(i128::from(*number), 9, span)),
        Subscript::Index { index, plus } => Some(reference(Reference::plain(*index, span), *plus)),
        Subscript::Item { reference: item, plus } => Some(reference((**item).clone(), *plus)),
        Subscript::Expression(expression) => Some((**expression).clone()),
        Subscript::All | Subscript::Loop(_) => None,
    }
}

fn add(triggers: &mut Vec<Trigger>, trigger: Trigger) {
    if triggers.iter().all(|known| known.0 != trigger.0) {
        triggers.push(trigger);
    }
}

fn once(triggers: Vec<Trigger>) -> Vec<Trigger> {
    let mut unique = Vec::new();
    triggers.into_iter().for_each(|trigger| add(&mut unique, trigger));
    unique
}

/// The condition evaluates the item.
fn in_condition(condition: &Condition, item: ItemId) -> bool {
    match condition {
        Condition::Relation(relation) => in_operand(&relation.left, item) || in_operand(&relation.right, item),
        Condition::Class(class) => in_operand(&class.operand, item),
        Condition::Sign { expression, .. } => in_expression(expression, item),
        Condition::And(list) | Condition::Or(list) => list.iter().any(|condition| in_condition(condition, item)),
        Condition::Not(condition) => in_condition(condition, item),
        Condition::Switch { .. } | Condition::Constant(_) => false,
    }
}

fn in_operand(operand: &Operand, item: ItemId) -> bool {
    match operand {
        Operand::Reference(reference) => in_reference(reference, item),
        Operand::AddressOf(reference) | Operand::LengthOf(reference) => in_reference(reference, item),
        Operand::Function(call) => call.arguments.iter().any(|argument| in_operand(argument, item)),
        Operand::Expression(expression) => in_expression(expression, item),
        Operand::Literal(_) | Operand::Figurative(..) => false,
    }
}

fn in_expression(expression: &Expression, item: ItemId) -> bool {
    match &expression.kind {
        ExpressionKind::Reference(reference) => in_reference(reference, item),
        ExpressionKind::LengthOf(reference) | ExpressionKind::AddressOf(reference) => in_reference(reference, item),
        ExpressionKind::Function(call) => call.arguments.iter().any(|argument| in_operand(argument, item)),
        ExpressionKind::Negate(expression) => in_expression(expression, item),
        ExpressionKind::Binary { left, right, .. } => in_expression(left, item) || in_expression(right, item),
        ExpressionKind::Number(_) | ExpressionKind::Float(_) => false,
    }
}

fn in_reference(reference: &Reference, item: ItemId) -> bool {
    let in_subscript = |subscript: &Subscript| match subscript {
        Subscript::Item { reference, .. } => in_reference(reference, item),
        Subscript::Index { index, .. } => *index == item,
        Subscript::Expression(expression) => in_expression(expression, item),
        _ => false,
    };
    reference.item == item || reference.subscripts.iter().any(in_subscript)
}

/// The statement, or one of a CORRESPONDING block, changes the item.
fn changes(kind: &StatementKind, item: ItemId) -> bool {
    let is = |reference: &Reference| reference.item == item;
    let may = |reference: &Option<Reference>| reference.as_ref().is_some_and(is);
    match kind {
        StatementKind::Move(s) => s.to.iter().any(is),
        StatementKind::Block(list) => list.iter().any(|statement| changes(&statement.kind, item)),
        StatementKind::Arithmetic(s) => s.operations.iter().flat_map(|operation| &operation.targets).any(|target| is(&target.reference)),
        StatementKind::DivideRemainder(s) => is(&s.quotient.reference) || is(&s.remainder.reference),
        StatementKind::StringInto(s) => is(&s.into) || may(&s.pointer),
        StatementKind::Unstring(s) => {
            let fields = s.into.iter().any(|field| is(&field.into) || may(&field.delimiter) || may(&field.count));
            fields || may(&s.pointer) || may(&s.tallying)
        }
        StatementKind::Inspect(s) => {
            let replaces = !s.replacing.is_empty() || s.converting.is_some();
            let target = matches!(&s.target, Operand::Reference(reference) if is(reference));
            replaces && target || s.tallying.iter().any(|tally| is(&tally.counter))
        }
        StatementKind::Initialize(steps) => initializes(steps, item),
        StatementKind::Search(s) => may(&s.varying),
        StatementKind::SetIndex { targets, .. } | StatementKind::SetIndexBy { targets, .. } => targets.iter().any(is),
        StatementKind::SetPointerBy { targets, .. } | StatementKind::SetEntry { targets, .. } => targets.iter().any(is),
        StatementKind::SetAddress { targets, .. } => targets.iter().any(|target| matches!(target, AddressTarget::Item(r) if is(r))),
        StatementKind::Accept(s) => is(&s.into),
        StatementKind::Read(s) => may(&s.into),
        StatementKind::Return(s) => may(&s.into),
        StatementKind::Release { record, .. } => *record == item,
        StatementKind::Call(s) => {
            let by_reference = |argument: &CallArgument| {
                argument.mode == CallMode::Reference && matches!(&argument.value, Operand::Reference(reference) if is(reference))
            };
            matches!(&s.returning, Some(CallReturning::Item(reference)) if is(reference)) || s.arguments.iter().any(by_reference)
        }
        _ => false,
    }
}

fn initializes(steps: &[InitializeStep], item: ItemId) -> bool {
    steps.iter().any(|step| match step {
        InitializeStep::Move { target, .. } | InitializeStep::Image { target, .. } => target.item == item,
        InitializeStep::Loop { body, .. } => initializes(body, item),
    })
}

/// An EXIT PERFORM CYCLE of this loop.
fn cycles(list: &[Statement]) -> bool {
    list.iter().any(|statement| match &statement.kind {
        StatementKind::ExitPerformCycle => true,
        StatementKind::Perform(_) => false,
        kind => {
            let mut inner = false;
            each_list_mut(&mut kind.clone(), &mut |list| inner |= cycles(list));
            inner
        }
    })
}

/// Statements that continue in branches: code after them may never be reached.
fn has_branches(kind: &StatementKind) -> bool {
    let any = |handlers: &FileHandlers| handlers.invalid_key.is_some() || handlers.not_invalid_key.is_some();
    match kind {
        StatementKind::If(_) | StatementKind::Evaluate(_) | StatementKind::Search(_) | StatementKind::SearchAll(_) => true,
        StatementKind::Delete(s) => any(&s.handlers),
        StatementKind::Start(s) => any(&s.handlers),
        StatementKind::Arithmetic(s) => s.on_size_error.is_some() || s.not_on_size_error.is_some(),
        StatementKind::DivideRemainder(s) => s.on_size_error.is_some() || s.not_on_size_error.is_some(),
        StatementKind::StringInto(s) => s.on_overflow.is_some() || s.not_on_overflow.is_some(),
        StatementKind::Unstring(s) => s.on_overflow.is_some() || s.not_on_overflow.is_some(),
        _ => false,
    }
}

/// Adds the missing branch to such a statement.
fn complete_branches(kind: &mut StatementKind) {
    let both = |slots: [&mut Option<Statements>; 2]| {
        for slot in slots {
            slot.get_or_insert_default();
        }
    };
    match kind {
        StatementKind::Delete(s) => both([&mut s.handlers.invalid_key, &mut s.handlers.not_invalid_key]),
        StatementKind::Start(s) => both([&mut s.handlers.invalid_key, &mut s.handlers.not_invalid_key]),
        StatementKind::Arithmetic(s) => both([&mut s.on_size_error, &mut s.not_on_size_error]),
        StatementKind::DivideRemainder(s) => both([&mut s.on_size_error, &mut s.not_on_size_error]),
        StatementKind::StringInto(s) => both([&mut s.on_overflow, &mut s.not_on_overflow]),
        StatementKind::Unstring(s) => both([&mut s.on_overflow, &mut s.not_on_overflow]),
        _ => {}
    }
}
