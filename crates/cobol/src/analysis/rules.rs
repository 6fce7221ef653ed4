//! RULES: warnings of things that are legal and better avoided; DIAGTRUNC; WORD(CICS).
//! (Enterprise COBOL for z/OS 6.4 Programming Guide, options RULES, DIAGTRUNC and WORD.)

use super::references::{Role, each_reference, expression};
use crate::diagnostics::Diagnostics;
use crate::lexer::{Token, TokenKind};
use crate::options::{Options, Rules, Trunc, Unreferenced};
use crate::program::*;
use crate::source::{FileKind, SourceMap};
use rustc_hash::FxHashMap;

/// Words of the reserved word table for CICS: a program compiled with WORD(CICS) must not have them.
const CICS_WORDS: [&str; 17] = [
    "CLOSE",
    "DELETE",
    "FD",
    "FILE",
    "FILE-CONTROL",
    "I-O-CONTROL",
    "INPUT-OUTPUT",
    "LABEL",
    "MERGE",
    "OPEN",
    "READ",
    "RERUN",
    "REWRITE",
    "SD",
    "SORT",
    "START",
    "WRITE",
];

/// Names that the translators of CICS and Db2 make up.
const GENERATED_NAMES: [&str; 4] = ["DFH", "DSN", "EYU", "SQL"];

/// Padding of a MOVE from here on is worth a warning.
const PADDING_BYTES: u32 = 256;

pub fn cics_words(tokens: &[Token], out: &mut Diagnostics) {
    for token in tokens {
        if let TokenKind::Word(word) = &token.kind
            && CICS_WORDS.contains(&&**word)
        {
            out.severe("PS0086", token.span, format!("{word} is not available to CICS programs (WORD(CICS))"));
        }
    }
}

/// OMITODOMIN: OCCURS DEPENDING ON without the least number of occurrences.
pub fn omitted_minimum(tokens: &[Token], out: &mut Diagnostics) {
    let is =
        |index: usize, wanted: &str| matches!(tokens.get(index).map(|token| &token.kind), Some(TokenKind::Word(word)) if **word == *wanted);
    for index in 0..tokens.len() {
        if !is(index, "OCCURS") || is(index + 2, "TO") {
            continue;
        }
        let entry = tokens[index..].iter().take_while(|token| token.kind != TokenKind::Period);
        if entry.into_iter().any(|token| matches!(&token.kind, TokenKind::Word(word) if **word == *"DEPENDING")) {
            out.warning("DS1260", tokens[index].span, "RULES(NOOMITODOMIN): OCCURS DEPENDING ON without the minimum; 1 is assumed");
        }
    }
}

/// ENDPERIOD: a conditional statement whose scope a period ends.
pub fn end_period(program: &Program, tokens: &[Token], out: &mut Diagnostics) {
    let mut scopes: FxHashMap<Span, Scope> = FxHashMap::default();
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            scopes.entry(statement.span).or_insert_with(|| scope_of(&statement.kind));
        });
    }
    let mut open: Vec<(&str, Span, Scope)> = Vec::new();
    for token in tokens {
        match &token.kind {
            TokenKind::Period => {
                for (verb, span, scope) in open.drain(..) {
                    if scope == Scope::Conditional {
                        let text = format!("RULES(NOENDPERIOD): the scope of this {verb} is ended by a period, not by END-{verb}");
                        out.warning("PS1266", span, text);
                    }
                }
            }
            TokenKind::Word(word) => {
                if let Some(verb) = word.strip_prefix("END-") {
                    if let Some(at) = open.iter().rposition(|(known, ..)| *known == verb) {
                        open.truncate(at);
                    }
                } else if let Some(scope) = scopes.get(&token.span) {
                    // The next statement ends one that has no scope of its own.
                    if open.last().is_some_and(|(.., scope)| *scope == Scope::None) {
                        open.pop();
                    }
                    open.push((word, token.span, *scope));
                }
            }
            _ => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    None,
    /// Statements are inside, and only END- ends them.
    Delimited,
    Conditional,
}

fn scope_of(kind: &StatementKind) -> Scope {
    match kind {
        StatementKind::Perform(perform) => match perform.body {
            PerformBody::Inline(_) => Scope::Delimited,
            PerformBody::Range(_) => Scope::None,
        },
        StatementKind::Block(_) => Scope::None,
        StatementKind::If(_) | StatementKind::Evaluate(_) | StatementKind::Search(_) | StatementKind::SearchAll(_) => Scope::Conditional,
        other => {
            let mut lists = 0;
            each_list(other, &mut |list| lists += usize::from(!list.is_empty()));
            if lists > 0 { Scope::Conditional } else { Scope::None }
        }
    }
}

/// Rules about data items.
pub fn data(program: &Program, sources: &SourceMap, rules: &Rules, out: &mut Diagnostics) {
    for (index, item) in program.items.iter().enumerate().filter(|(_, item)| item.span.line > 0) {
        let generated = GENERATED_NAMES.iter().any(|prefix| item.name.starts_with(prefix));
        if rules.no_even_pack && item.usage == Usage::Packed && item.digits.is_multiple_of(2) && item.digits > 0 && !generated {
            let text = format!("RULES(NOEVENPACK): {} has {} digits, an even number", item.name, item.digits);
            out.warning("DS1265", item.span, text);
        }
        if rules.no_slack_bytes {
            slack(program, ItemId(index as u32), item, out);
        }
        if let (true, 1, Some(redefined)) = (rules.no_lax_redefinition, item.level, item.redefines) {
            let other = program.item(redefined);
            if other.length_max != item.length_max {
                let text = format!(
                    "RULES(NOLAXREDEF): {} has {} bytes and redefines {}, which has {}",
                    item.name, item.length_max, other.name, other.length_max
                );
                out.warning("DS1154", item.span, text);
            }
        }
    }
    if rules.unreferenced != Unreferenced::Quiet {
        unreferenced(program, sources, rules.unreferenced, out);
    }
}

/// Slack bytes before a SYNCHRONIZED item, or at the end of the occurrences of a table that holds one.
fn slack(program: &Program, id: ItemId, item: &Item, out: &mut Diagnostics) {
    // Where the last of these items ends, redefinitions apart.
    let end = |items: &mut dyn Iterator<Item = ItemId>| {
        let last = items.filter(|item| program.item(*item).redefines.is_none()).last().map(|last| program.item(last))?;
        let bytes = last.occurs.as_ref().map_or(last.length_max, |occurs| occurs.stride.fixed * occurs.max);
        Some(last.offset.fixed + bytes)
    };
    if let Some(parent) = item.parent.filter(|_| item.synchronized && item.redefines.is_none()) {
        let before = end(&mut program.children(parent).take_while(|child| *child != id)).unwrap_or(program.item(parent).offset.fixed);
        if item.offset.fixed > before {
            let text = format!("RULES(NOSLACKBYTES): {} slack bytes are added before {}", item.offset.fixed - before, item.name);
            out.warning("DS1264", item.span, text);
        }
    }
    if let Some(occurs) = item.occurs.as_ref().filter(|occurs| occurs.stride.is_fixed() && item.length.is_fixed()) {
        let after = item.offset.fixed + occurs.stride.fixed;
        if let Some(used) = end(&mut program.children(id)).filter(|used| *used < after) {
            let text = format!("RULES(NOSLACKBYTES): {} slack bytes are added after each occurrence of {}", after - used, item.name);
            out.warning("DS1264", item.span, text);
        }
    }
}

/// UNREF: level-01 and level-77 items that nothing refers to, nor to anything in them.
fn unreferenced(program: &Program, sources: &SourceMap, wanted: Unreferenced, out: &mut Diagnostics) {
    let mut used: Vec<bool> = program.items.iter().map(|item| item.referenced).collect();
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            each_reference(&statement.kind, &mut |reference, _| used[reference.item.0 as usize] = true);
        });
    }
    for parameter in &program.parameters {
        used[parameter.item.0 as usize] = true;
    }
    for (index, item) in program.items.iter().enumerate() {
        let own = wanted == Unreferenced::All || item.span.file == 0;
        let supplied = sources.file(item.span.file).is_some_and(|file| file.kind == FileKind::Supplied);
        if !matches!(item.level, 1 | 77) || item.span.line == 0 || supplied || !own {
            continue;
        }
        let end = (item.end.0 as usize).max(index + 1);
        if !used[index..end].iter().any(|used| *used) {
            let option = if wanted == Unreferenced::All { "NOUNREFALL" } else { "NOUNREFSOURCE" };
            out.warning("SC2262", item.span, format!("RULES({option}): nothing refers to {} nor to anything in it", item.name));
        }
    }
}

/// LAXPERF: what costs time without need.
pub fn performance(program: &Program, options: &Options, out: &mut Diagnostics) {
    let costly = [
        (options.trunc == Trunc::Bin, "TRUNC(BIN)"),
        (options.ssrange.is_some(), "SSRANGE"),
        (options.numcheck.is_some(), "NUMCHECK"),
        (options.parmcheck.is_some(), "PARMCHECK"),
    ];
    for (_, option) in costly.iter().filter(|(on, _)| *on) {
        out.warning_once("SC2261", program.span, format!("RULES(NOLAXPERF): the option {option} makes slower code"));
    }
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| costly_statement(program, statement, out));
    }
}

fn costly_statement(program: &Program, statement: &Statement, out: &mut Diagnostics) {
    let zoned = |reference: &Reference| {
        let item = program.item(reference.item);
        item.category == Category::Numeric && item.usage == Usage::Display
    };
    let mut warn = |span: Span, text: String| out.warning("PS2263", span, format!("RULES(NOLAXPERF): {text}"));
    if let StatementKind::Arithmetic(arithmetic) = &statement.kind {
        let mut found: Vec<&Reference> = Vec::new();
        for operation in &arithmetic.operations {
            expression(&operation.value, &mut |reference, _| found.push(reference));
            found.extend(operation.targets.iter().map(|target| &target.reference));
        }
        for reference in found.into_iter().filter(|reference| zoned(reference)) {
            warn(reference.span, format!("{} is USAGE DISPLAY and takes part in arithmetic", program.item(reference.item).name));
        }
    }
    each_reference(&statement.kind, &mut |reference, _| {
        for subscript in &reference.subscripts {
            if let Subscript::Item { reference: inner, .. } = subscript
                && program.item(inner.item).usage != Usage::Binary
                && program.item(inner.item).usage != Usage::NativeBinary
            {
                warn(inner.span, format!("the subscript {} is not binary", program.item(inner.item).name));
            }
        }
    });
    if let StatementKind::Move(moved) = &statement.kind {
        let length = match &moved.from {
            Operand::Reference(reference) if reference.is_plain() => Some(program.item(reference.item).length_max),
            Operand::Literal(Literal { value: LiteralValue::Alphanumeric(bytes), .. }) => Some(bytes.len() as u32),
            _ => None,
        };
        for target in moved.to.iter().filter(|target| target.is_plain()) {
            let room = program.item(target.item).length_max;
            if let Some(length) = length.filter(|length| room >= length + PADDING_BYTES) {
                warn(target.span, format!("the MOVE pads {} with {} spaces", program.item(target.item).name, room - length));
            }
        }
    }
}

/// DIAGTRUNC: a MOVE whose numeric receiver has fewer integer positions than the sender.
pub fn truncation(program: &Program, out: &mut Diagnostics) {
    let integers = |item: &Item| i32::from(item.digits) - i32::from(item.scale);
    let fixed = |item: &Item| item.category == Category::Numeric && item.digits > 0;
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            let StatementKind::Move(moved) = &statement.kind else { return };
            let sent = match &moved.from {
                Operand::Reference(from) if from.modification.is_none() && fixed(program.item(from.item)) => {
                    integers(program.item(from.item))
                }
                Operand::Literal(Literal { value: LiteralValue::Numeric(number), .. }) => {
                    i32::from(number.digits) - i32::from(number.scale)
                }
                _ => return,
            };
            for target in moved.to.iter().filter(|target| target.modification.is_none() && fixed(program.item(target.item))) {
                let item = program.item(target.item);
                if integers(item) < sent {
                    let text =
                        format!("{} has {} integer positions and is sent {sent}: digits may be lost", item.name, integers(item).max(0));
                    out.warning("PG1128", target.span, text);
                }
            }
        });
    }
}

/// Whether a role reads the item.
pub fn reads(role: Role) -> bool {
    matches!(role, Role::Sends | Role::Both)
}
