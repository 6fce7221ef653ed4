//! The statement lists inside a statement.

use super::{FileHandlers, PerformBody, Statement, StatementKind, Statements};

/// Calls `visit` with every statement, those inside a statement after it, in source order.
pub fn each_statement<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Statement)) {
    for statement in statements {
        visit(statement);
        each_list(&statement.kind, &mut |list| each_statement(list, visit));
    }
}

/// Calls `visit` with every list directly inside the statement, in source order.
pub fn each_list<'a>(kind: &'a StatementKind, visit: &mut dyn FnMut(&'a [Statement])) {
    fn optional<'a>(lists: [&'a Option<Statements>; 2], visit: &mut dyn FnMut(&'a [Statement])) {
        lists.into_iter().flatten().for_each(|list| visit(list));
    }
    match kind {
        StatementKind::Block(list) => visit(list),
        StatementKind::If(s) => {
            visit(&s.then);
            visit(&s.otherwise);
        }
        StatementKind::Evaluate(s) => {
            s.branches.iter().for_each(|branch| visit(&branch.statements));
            visit(&s.other);
        }
        StatementKind::Perform(s) => {
            if let PerformBody::Inline(list) = &s.body {
                visit(list);
            }
        }
        StatementKind::Search(s) => {
            visit(&s.at_end);
            s.branches.iter().for_each(|branch| visit(&branch.statements));
        }
        StatementKind::SearchAll(s) => {
            visit(&s.at_end);
            visit(&s.when);
        }
        StatementKind::Return(s) => {
            visit(&s.at_end);
            s.not_at_end.iter().for_each(|list| visit(list));
        }
        StatementKind::Arithmetic(s) => optional([&s.on_size_error, &s.not_on_size_error], visit),
        StatementKind::DivideRemainder(s) => optional([&s.on_size_error, &s.not_on_size_error], visit),
        StatementKind::StringInto(s) => optional([&s.on_overflow, &s.not_on_overflow], visit),
        StatementKind::Unstring(s) => optional([&s.on_overflow, &s.not_on_overflow], visit),
        StatementKind::Call(s) => optional([&s.on_exception, &s.not_on_exception], visit),
        StatementKind::Markup(s) => optional([&s.on_exception, &s.not_on_exception], visit),
        StatementKind::XmlParse(s) => optional([&s.on_exception, &s.not_on_exception], visit),
        StatementKind::Read(s) => handler_lists(&s.handlers).into_iter().flatten().for_each(|list| visit(list)),
        StatementKind::Write(s) => handler_lists(&s.handlers).into_iter().flatten().for_each(|list| visit(list)),
        StatementKind::Rewrite(s) => handler_lists(&s.handlers).into_iter().flatten().for_each(|list| visit(list)),
        StatementKind::Delete(s) => handler_lists(&s.handlers).into_iter().flatten().for_each(|list| visit(list)),
        StatementKind::Start(s) => handler_lists(&s.handlers).into_iter().flatten().for_each(|list| visit(list)),
        _ => {}
    }
}

/// Every list directly inside the statement, in source order.
pub fn nested_lists(kind: &StatementKind) -> Vec<&[Statement]> {
    let mut lists = Vec::new();
    each_list(kind, &mut |list| lists.push(list));
    lists
}

/// The branches of a file statement, in source order.
fn handler_lists(handlers: &FileHandlers) -> [&Option<Statements>; 6] {
    [
        &handlers.at_end,
        &handlers.not_at_end,
        &handlers.invalid_key,
        &handlers.not_invalid_key,
        &handlers.end_of_page,
        &handlers.not_end_of_page,
    ]
}

/// Calls `visit` with every list directly inside the statement, in source order.
pub fn each_list_mut(kind: &mut StatementKind, visit: &mut dyn FnMut(&mut Statements)) {
    let optional = |lists: [&mut Option<Statements>; 2], visit: &mut dyn FnMut(&mut Statements)| {
        for list in lists.into_iter().flatten() {
            visit(list);
        }
    };
    match kind {
        StatementKind::Block(list) => visit(list),
        StatementKind::If(s) => {
            visit(&mut s.then);
            visit(&mut s.otherwise);
        }
        StatementKind::Evaluate(s) => {
            s.branches.iter_mut().for_each(|branch| visit(&mut branch.statements));
            visit(&mut s.other);
        }
        StatementKind::Perform(s) => {
            if let PerformBody::Inline(list) = &mut s.body {
                visit(list);
            }
        }
        StatementKind::Search(s) => {
            visit(&mut s.at_end);
            s.branches.iter_mut().for_each(|branch| visit(&mut branch.statements));
        }
        StatementKind::SearchAll(s) => {
            visit(&mut s.at_end);
            visit(&mut s.when);
        }
        StatementKind::Return(s) => {
            visit(&mut s.at_end);
            s.not_at_end.iter_mut().for_each(visit);
        }
        StatementKind::Arithmetic(s) => optional([&mut s.on_size_error, &mut s.not_on_size_error], visit),
        StatementKind::DivideRemainder(s) => optional([&mut s.on_size_error, &mut s.not_on_size_error], visit),
        StatementKind::StringInto(s) => optional([&mut s.on_overflow, &mut s.not_on_overflow], visit),
        StatementKind::Unstring(s) => optional([&mut s.on_overflow, &mut s.not_on_overflow], visit),
        StatementKind::Call(s) => optional([&mut s.on_exception, &mut s.not_on_exception], visit),
        StatementKind::Markup(s) => optional([&mut s.on_exception, &mut s.not_on_exception], visit),
        StatementKind::XmlParse(s) => optional([&mut s.on_exception, &mut s.not_on_exception], visit),
        StatementKind::Read(s) => handlers(&mut s.handlers, visit),
        StatementKind::Write(s) => handlers(&mut s.handlers, visit),
        StatementKind::Rewrite(s) => handlers(&mut s.handlers, visit),
        StatementKind::Delete(s) => handlers(&mut s.handlers, visit),
        StatementKind::Start(s) => handlers(&mut s.handlers, visit),
        _ => {}
    }
}

fn handlers(handlers: &mut FileHandlers, visit: &mut dyn FnMut(&mut Statements)) {
    let lists = [
        &mut handlers.at_end,
        &mut handlers.not_at_end,
        &mut handlers.invalid_key,
        &mut handlers.not_invalid_key,
        &mut handlers.end_of_page,
        &mut handlers.not_end_of_page,
    ];
    lists.into_iter().flatten().for_each(visit);
}
