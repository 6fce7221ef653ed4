//! The items a statement refers to, and how. The caller handles statements inside a statement.
//!
//! Invariants: every reference of the statement is visited, those in subscripts and reference modification before the item they belong to;
//! implicit uses (addresses, record areas of files) are not references.

use crate::program::*;

/// The role of an item in a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Its value is used.
    Sends,
    /// It gets a value.
    Receives,
    /// Its value is used and it gets a new one.
    Both,
    /// It may get a value, or only its address may be needed: this cannot be known.
    Passed,
}

pub type Visit<'v, 'a> = &'v mut dyn FnMut(&'a Reference, Role);

pub fn each_reference<'a>(kind: &'a StatementKind, visit: Visit<'_, 'a>) {
    match kind {
        StatementKind::Move(s) => {
            operand(&s.from, visit);
            s.to.iter().for_each(|to| reference(to, Role::Receives, visit));
        }
        StatementKind::Arithmetic(s) => {
            for operation in &s.operations {
                expression(&operation.value, visit);
                let role = if operation.combine == Combine::Store { Role::Receives } else { Role::Both };
                operation.targets.iter().for_each(|target| reference(&target.reference, role, visit));
            }
        }
        StatementKind::DivideRemainder(s) => {
            expression(&s.dividend, visit);
            expression(&s.divisor, visit);
            reference(&s.quotient.reference, Role::Receives, visit);
            reference(&s.remainder.reference, Role::Receives, visit);
        }
        StatementKind::If(s) => condition(&s.condition, visit),
        StatementKind::Evaluate(s) => s.branches.iter().for_each(|branch| condition(&branch.condition, visit)),
        StatementKind::Search(s) => s.branches.iter().for_each(|branch| condition(&branch.condition, visit)),
        StatementKind::SearchAll(s) => {
            for key in &s.keys {
                reference(&key.key, Role::Sends, visit);
                operand(&key.value, visit);
            }
        }
        StatementKind::Perform(s) => match &s.control {
            PerformControl::Times(times) => operand(times, visit),
            PerformControl::Until { condition: until, .. } => condition(until, visit),
            PerformControl::Once | PerformControl::Varying(_) => {}
        },
        StatementKind::GoToDepending { selector, .. } => reference(selector, Role::Sends, visit),
        StatementKind::StopRun { return_code } => return_code.iter().for_each(|code| operand(code, visit)),
        StatementKind::StopLiteral(value) => operand(value, visit),
        StatementKind::Display(s) => s.values.iter().for_each(|value| operand(value, visit)),
        StatementKind::Accept(s) => reference(&s.into, Role::Receives, visit),
        StatementKind::SetIndex { targets, value } => {
            operand(value, visit);
            targets.iter().for_each(|target| reference(target, Role::Receives, visit));
        }
        StatementKind::SetIndexBy { targets, by, .. } | StatementKind::SetPointerBy { targets, by, .. } => {
            operand(by, visit);
            targets.iter().for_each(|target| reference(target, Role::Both, visit));
        }
        StatementKind::Initialize(steps) => initialize(steps, visit),
        other => strings_and_calls(other, visit),
    }
}

fn strings_and_calls<'a>(kind: &'a StatementKind, visit: Visit<'_, 'a>) {
    match kind {
        StatementKind::StringInto(s) => {
            for piece in &s.pieces {
                operand(&piece.from, visit);
                piece.delimiter.iter().for_each(|delimiter| operand(delimiter, visit));
            }
            s.pointer.iter().for_each(|pointer| reference(pointer, Role::Both, visit));
            // What is not reached stays as it was.
            reference(&s.into, Role::Receives, visit);
        }
        StatementKind::Unstring(s) => {
            operand(&s.from, visit);
            s.delimiters.iter().for_each(|delimiter| operand(&delimiter.value, visit));
            for into in &s.into {
                let targets = [Some(&into.into), into.delimiter.as_ref(), into.count.as_ref()];
                targets.into_iter().flatten().for_each(|target| reference(target, Role::Receives, visit));
            }
            [&s.pointer, &s.tallying].into_iter().flatten().for_each(|counter| reference(counter, Role::Both, visit));
        }
        StatementKind::Inspect(s) => {
            let replaced = !s.replacing.is_empty() || s.converting.is_some();
            match (&s.target, replaced) {
                (Operand::Reference(target), true) => reference(target, Role::Both, visit),
                (target, _) => operand(target, visit),
            }
            for tally in &s.tallying {
                tally.value.iter().for_each(|value| operand(value, visit));
                region(&tally.region, visit);
                reference(&tally.counter, Role::Both, visit);
            }
            for replace in &s.replacing {
                replace.value.iter().chain([&replace.by]).for_each(|value| operand(value, visit));
                region(&replace.region, visit);
            }
            if let Some(convert) = &s.converting {
                [&convert.from, &convert.to].into_iter().for_each(|value| operand(value, visit));
                region(&convert.region, visit);
            }
        }
        StatementKind::Call(s) => call(s, visit),
        StatementKind::Cancel(names) => names.iter().for_each(|name| operand(name, visit)),
        StatementKind::SetAddress { value, .. } => operand(value, visit),
        StatementKind::SetEntry { targets, value } => {
            if let EntryValue::Name(name) | EntryValue::Pointer(name) = value {
                reference(name, Role::Sends, visit);
            }
            targets.iter().for_each(|target| reference(target, Role::Receives, visit));
        }
        StatementKind::ExecCics(s) => s.arguments.iter().for_each(|argument| exec_value(&argument.value, visit)),
        StatementKind::ExecSql(s) => exec_sql(s, visit),
        StatementKind::Allocate(s) => s.characters.iter().for_each(|characters| expression(characters, visit)),
        other => files(other, visit),
    }
}

fn call<'a>(call: &'a Call, visit: Visit<'_, 'a>) {
    if let CallTarget::Name(name) | CallTarget::Pointer(name) = &call.target {
        reference(name, Role::Sends, visit);
    }
    for argument in &call.arguments {
        match (argument.mode, &argument.value) {
            (CallMode::Reference, Operand::Reference(passed)) => reference(passed, Role::Passed, visit),
            (_, value) => operand(value, visit),
        }
    }
    if let Some(CallReturning::Item(item)) = &call.returning {
        reference(item, Role::Receives, visit);
    }
}

fn exec_value<'a>(value: &'a ExecValue, visit: Visit<'_, 'a>) {
    match value {
        ExecValue::Integer(value) | ExecValue::Pointer(value) | ExecValue::Area(value) => operand(value, visit),
        ExecValue::IntegerOut(target) | ExecValue::AreaOut(target) => reference(target, Role::Passed, visit),
        ExecValue::IntegerInOut(target) => reference(target, Role::Both, visit),
        ExecValue::Flag | ExecValue::PointerOut(_) | ExecValue::Label(_) => {}
    }
}

fn exec_sql<'a>(statement: &'a ExecSql, visit: Visit<'_, 'a>) {
    for variable in &statement.variables {
        reference(&variable.data, if variable.is_set { Role::Passed } else { Role::Sends }, visit);
        variable
            .indicator
            .iter()
            .for_each(|indicator| reference(indicator, if variable.is_set { Role::Passed } else { Role::Sends }, visit));
    }
    let result = &statement.result;
    [&result.sqlca, &result.sqlcode, &result.sqlstate].into_iter().flatten().for_each(|area| reference(area, Role::Passed, visit));
}

fn files<'a>(kind: &'a StatementKind, visit: Visit<'_, 'a>) {
    match kind {
        StatementKind::Read(s) => s.into.iter().for_each(|into| reference(into, Role::Receives, visit)),
        StatementKind::Return(s) => s.into.iter().for_each(|into| reference(into, Role::Receives, visit)),
        StatementKind::Write(s) => s.from.iter().for_each(|from| operand(from, visit)),
        StatementKind::Rewrite(s) => s.from.iter().for_each(|from| operand(from, visit)),
        StatementKind::Release { from, .. } => from.iter().for_each(|from| operand(from, visit)),
        StatementKind::Start(s) => s.value.iter().for_each(|value| reference(value, Role::Sends, visit)),
        StatementKind::SortTable(s) => reference(&s.table, Role::Both, visit),
        StatementKind::Markup(s) => {
            let (text, root) = match s.kind {
                MarkupKind::JsonParse => (Role::Sends, Role::Receives),
                MarkupKind::JsonGenerate | MarkupKind::XmlGenerate => (Role::Receives, Role::Sends),
            };
            reference(&s.root, root, visit);
            reference(&s.text, text, visit);
            s.count.iter().for_each(|count| reference(count, Role::Receives, visit));
            [&s.encoding, &s.namespace, &s.prefix].into_iter().flatten().for_each(|value| operand(value, visit));
        }
        StatementKind::XmlParse(s) => reference(&s.document, Role::Sends, visit),
        _ => {}
    }
}

fn initialize<'a>(steps: &'a [InitializeStep], visit: Visit<'_, 'a>) {
    for step in steps {
        match step {
            InitializeStep::Move { target, value } => {
                operand(value, visit);
                reference(target, Role::Receives, visit);
            }
            InitializeStep::Image { target, .. } => reference(target, Role::Receives, visit),
            InitializeStep::Loop { body, .. } => initialize(body, visit),
        }
    }
}

fn region<'a>(region: &'a InspectRegion, visit: Visit<'_, 'a>) {
    [&region.before, &region.after].into_iter().flatten().for_each(|value| operand(value, visit));
}

pub fn condition<'a>(test: &'a Condition, visit: Visit<'_, 'a>) {
    match test {
        Condition::Relation(relation) => {
            operand(&relation.left, visit);
            operand(&relation.right, visit);
        }
        Condition::Class(class) => operand(&class.operand, visit),
        Condition::Sign { expression: value, .. } => expression(value, visit),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| condition(part, visit)),
        Condition::Not(inner) => condition(inner, visit),
        Condition::Switch { .. } | Condition::Constant(_) => {}
    }
}

pub fn operand<'a>(value: &'a Operand, visit: Visit<'_, 'a>) {
    match value {
        Operand::Reference(item) => reference(item, Role::Sends, visit),
        Operand::Function(function) => function.arguments.iter().for_each(|argument| operand(argument, visit)),
        Operand::AddressOf(item) | Operand::LengthOf(item) => reference(item, Role::Passed, visit),
        Operand::Expression(value) => expression(value, visit),
        Operand::Literal(_) | Operand::Figurative(..) => {}
    }
}

pub fn expression<'a>(value: &'a Expression, visit: Visit<'_, 'a>) {
    match &value.kind {
        ExpressionKind::Reference(item) => reference(item, Role::Sends, visit),
        ExpressionKind::Function(function) => function.arguments.iter().for_each(|argument| operand(argument, visit)),
        ExpressionKind::LengthOf(item) | ExpressionKind::AddressOf(item) => reference(item, Role::Passed, visit),
        ExpressionKind::Negate(inner) => expression(inner, visit),
        ExpressionKind::Binary { left, right, .. } => {
            expression(left, visit);
            expression(right, visit);
        }
        ExpressionKind::Number(_) | ExpressionKind::Float(_) => {}
    }
}

pub fn reference<'a>(item: &'a Reference, role: Role, visit: Visit<'_, 'a>) {
    for subscript in &item.subscripts {
        match subscript {
            Subscript::Item { reference: inner, .. } => reference(inner, Role::Sends, visit),
            Subscript::Expression(value) => expression(value, visit),
            Subscript::Literal(_) | Subscript::Index { .. } | Subscript::All | Subscript::Loop(_) => {}
        }
    }
    if let Some(modification) = &item.modification {
        expression(&modification.start, visit);
        modification.length.iter().for_each(|length| expression(length, visit));
    }
    visit(item, role);
}
