//! The CICS translator: turns the tokens of an EXEC CICS block into a command of the catalogue with its options.
//!
//! Everything that can be checked without knowing the program's data is checked here, and each error is reported at its option: the
//! command, its options, arguments present or absent, options that exclude or need each other. The arguments themselves stay tokens; the
//! parser turns them into typed operands with the option's [`exec::OptionSpec`].
//!
//! Invariants of a result: every option belongs to the command and occurs once; RESP, RESP2 and NOHANDLE are kept separately from the
//! options; an argument has at least one token and balanced parentheses.

mod named;

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::lexer::{ExecBlock, Token, TokenKind};
use crate::span::Span;
use exec::{ArgumentKind, ArgumentRule, CommandId, CommandSpec, OptionId, OptionSpec, RuleKind, nearest};
pub use named::{NamedResource, Naming, naming, namings};

/// One option as written.
#[derive(Clone, Debug)]
pub struct ExecOption {
    pub spec: &'static OptionSpec,
    /// Where the option's word stands.
    pub span: Span,
    /// The tokens between the parentheses; `None` when it was written without an argument.
    pub argument: Option<Vec<Token>>,
}

/// RESP or RESP2: the receiving data item.
#[derive(Clone, Debug)]
pub struct ResponseArgument {
    pub span: Span,
    pub argument: Vec<Token>,
}

/// A translated command.
#[derive(Clone, Debug)]
pub struct ExecCommand {
    pub command: CommandId,
    /// Where EXEC stands.
    pub span: Span,
    pub options: Vec<ExecOption>,
    pub resp: Option<ResponseArgument>,
    pub resp2: Option<ResponseArgument>,
    pub nohandle: bool,
}

impl ExecCommand {
    /// The option, if it was written.
    pub fn option(&self, id: exec::OptionId) -> Option<&ExecOption> {
        self.options.iter().find(|option| option.spec.id == id)
    }

    /// Whether conditions are returned in RESP instead of raised: RESP or NOHANDLE was written.
    pub fn handles_no_conditions(&self) -> bool {
        self.nohandle || self.resp.is_some()
    }
}

/// One word of a block with the text in parentheses after it.
#[derive(Debug)]
struct Item<'a> {
    word: &'a str,
    span: Span,
    argument: Option<&'a [Token]>,
}

/// Translates one block (`language` must be CICS). Reports errors; `None` if no command can be identified.
pub fn translate(block: &ExecBlock, span: Span, diagnostics: &mut Diagnostics) -> Option<ExecCommand> {
    let items = items(&block.tokens, diagnostics);
    let Some(verb) = items.first() else {
        diagnostics.severe("XL0001", span, "EXEC CICS holds no command");
        return None;
    };
    let chosen = choose(&items);
    if let Some(message) = misspelt_command(&items, chosen) {
        diagnostics.push(message);
        return None;
    }
    let Some(spec) = chosen else {
        diagnostics.push(unknown_command(verb, &items));
        return None;
    };
    let mut command = ExecCommand { command: spec.id, span, options: Vec::new(), resp: None, resp2: None, nohandle: false };
    let meant: Vec<OptionId> = items[1..].iter().filter_map(|item| add_item(&mut command, spec, item, diagnostics)).collect();
    check_rules(&command, spec, &meant, diagnostics);
    check_response(&command, diagnostics);
    if !spec.implemented {
        diagnostics.warning_once("XL0013", verb.span, not_available(spec));
    }
    Some(command)
}

/// The message for a command that the region cannot execute yet.
pub fn not_available(spec: &CommandSpec) -> String {
    format!("{} is not available at run time; a task that executes it abends", spec.name)
}

/// The message for an option that the region refuses.
fn refused_option(spec: &CommandSpec, option: &OptionSpec, why: &str) -> String {
    format!("{} of {} is not available at run time ({why}); a task that executes it abends", option.name, spec.name)
}

/// Splits a block into words with their arguments.
fn items<'a>(tokens: &'a [Token], diagnostics: &mut Diagnostics) -> Vec<Item<'a>> {
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match &token.kind {
            TokenKind::Word(word) => items.push(Item { word, span: token.span, argument: None }),
            TokenKind::LeftParenthesis => {
                let end = closing(tokens, at).unwrap_or_else(|| {
                    diagnostics.severe("XL0002", token.span, "the parenthesis is not closed in the command");
                    tokens.len()
                });
                match items.last_mut() {
                    Some(item) if item.argument.is_none() => item.argument = Some(&tokens[at..end]),
                    _ => diagnostics.severe("XL0003", token.span, "an argument stands without its option"),
                }
                at = end + 1;
            }
            other => {
                let message = Diagnostic::new(Severity::Severe, "XL0004", token.span, format!("`{other}` is not an option"));
                diagnostics.push(message.expected("an option or END-EXEC"));
            }
        }
    }
    items
}

/// Index of the parenthesis that closes one opened just before `at`.
fn closing(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, token) in tokens[at..].iter().enumerate() {
        match token.kind {
            TokenKind::LeftParenthesis => depth += 1,
            TokenKind::RightParenthesis if depth == 0 => return Some(at + offset),
            TokenKind::RightParenthesis => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether the word is a word of a command's name, or an option synonym of one (INQUIRE DATASET).
fn same_word(word: &str, wanted: &str) -> bool {
    word == wanted || exec::option_by_name(word).is_some_and(|id| id.name() == wanted)
}

/// The command: of those with this verb whose other words are all present, the one that knows most of the options, then the one with the
/// most words, then the one whose words come first.
fn choose(items: &[Item]) -> Option<&'static CommandSpec> {
    let (verb, rest) = items.split_first()?;
    let mut best: Option<((usize, usize, usize), &'static CommandSpec)> = None;
    for spec in exec::commands_of_verb(verb.word) {
        let places: Option<Vec<usize>> =
            spec.words[1..].iter().map(|wanted| rest.iter().position(|item| same_word(item.word, wanted))).collect();
        let Some(places) = places else { continue };
        let known = |item: &&Item| {
            is_common(item.word)
                || spec.words[1..].iter().any(|word| same_word(item.word, word))
                || spec.option_by_name(item.word).is_some()
        };
        let unknown = rest.len() - rest.iter().filter(known).count();
        let key = (unknown, usize::MAX - spec.words.len(), places.iter().sum());
        if best.as_ref().is_none_or(|(best_key, _)| key < *best_key) {
            best = Some((key, spec));
        }
    }
    best.map(|(_, spec)| spec).or_else(|| exec::command_by_name(verb.word))
}

fn is_common(word: &str) -> bool {
    matches!(word, "RESP" | "RESP2" | "NOHANDLE")
}

/// The form of the verb that was probably meant if a word that selects it is misspelt: INQUIRE FIEL, SEND MPA.
fn misspelt_command(items: &[Item], chosen: Option<&'static CommandSpec>) -> Option<Diagnostic> {
    let (verb, rest) = items.split_first()?;
    let forms = exec::commands_of_verb(verb.word);
    for item in rest {
        let known =
            |spec: &CommandSpec| spec.words[1..].iter().any(|word| same_word(item.word, word)) || spec.option_by_name(item.word).is_some();
        let an_option = |spec: &CommandSpec| nearest(item.word, spec.options.iter().map(|option| option.name)).is_some();
        if is_common(item.word)
            || chosen.is_some_and(|spec| known(spec) || an_option(spec))
            || (chosen.is_none() && forms.iter().any(known))
        {
            continue;
        }
        let Some(near) = nearest(item.word, forms.iter().flat_map(|spec| spec.words[1..].iter().copied())) else { continue };
        let meant = forms.iter().find(|spec| spec.words[1..].contains(&near))?;
        let text = format!("{} {} is not a CICS command", verb.word, item.word);
        return Some(Diagnostic::new(Severity::Severe, "XL0006", item.span, text).expected(meant.name));
    }
    None
}

/// More forms of a verb than these are not listed in a message.
const FORMS_SHOWN_MAX: usize = 8;

fn unknown_command(verb: &Item, items: &[Item]) -> Diagnostic {
    let forms: Vec<&str> = exec::commands_of_verb(verb.word).iter().map(|spec| spec.name).collect();
    if forms.is_empty() {
        let message = Diagnostic::new(Severity::Severe, "XL0005", verb.span, format!("{} is not a CICS command", verb.word));
        let verbs = exec::commands().iter().map(|spec| spec.words[0]);
        return match nearest(verb.word, verbs) {
            Some(near) => message.expected(near),
            None => message,
        };
    }
    let next = items.get(1).map_or(String::new(), |item| format!(" {}", item.word));
    let message = Diagnostic::new(Severity::Severe, "XL0006", verb.span, format!("{}{next} is not a CICS command", verb.word));
    match forms.len() {
        ..=FORMS_SHOWN_MAX => message.expected(forms.join(" or ")),
        count => message.expected(format!("{}, {} or another of the {count} forms of {}", forms[0], forms[1], verb.word)),
    }
}

/// Adds an item. For a word that is not an option, returns the option that was probably meant.
fn add_item(command: &mut ExecCommand, spec: &'static CommandSpec, item: &Item, diagnostics: &mut Diagnostics) -> Option<OptionId> {
    if is_common(item.word) && spec.option_by_name(item.word).is_none() {
        add_response(command, item, diagnostics);
        return None;
    }
    let Some(option) = spec.option_by_name(item.word) else {
        if spec.words[1..].contains(&item.word) {
            return None;
        }
        let text = format!("{} is not an option of {}; it is ignored", item.word, spec.name);
        let message = Diagnostic::new(Severity::Error, "XL0007", item.span, text);
        let near = nearest(item.word, spec.options.iter().map(|option| option.name));
        diagnostics.push(match near {
            Some(near) => message.expected(near),
            None => message,
        });
        return near.and_then(exec::option_by_name);
    };
    if let Some(first) = command.option(option.id) {
        let message = Diagnostic::new(Severity::Error, "XL0008", item.span, format!("{} is there twice; the first is used", item.word));
        diagnostics.push(message.related(first.span, "the first"));
        return None;
    }
    match (option.argument, item.argument) {
        (ArgumentRule::None, Some(_)) => {
            diagnostics.error("XL0009", item.span, format!("{} has no argument; what stands in parentheses is ignored", item.word));
        }
        (ArgumentRule::Required, None) => {
            let message = Diagnostic::new(Severity::Error, "XL0010", item.span, format!("{} has no argument; it is ignored", item.word));
            diagnostics.push(message.expected(format!("{}({})", item.word, option.kind.word())));
            return None;
        }
        (_, Some([])) => {
            let message =
                Diagnostic::new(Severity::Error, "XL0010", item.span, format!("the argument of {} is empty; it is ignored", item.word));
            diagnostics.push(message.expected(format!("{}({})", item.word, option.kind.word())));
            return None;
        }
        _ => {}
    }
    let argument = if option.argument == ArgumentRule::None { None } else { item.argument };
    check_literal(option, item, diagnostics);
    if spec.implemented
        && let Some(why) = exec::why_refused(spec, option.id)
    {
        diagnostics.warning_once("XL0027", item.span, refused_option(spec, option, why));
    }
    command.options.push(ExecOption { spec: option, span: item.span, argument: argument.map(<[Token]>::to_vec) });
    None
}

fn add_response(command: &mut ExecCommand, item: &Item, diagnostics: &mut Diagnostics) {
    if item.word == "NOHANDLE" {
        if command.nohandle {
            diagnostics.error("XL0008", item.span, "NOHANDLE is there twice");
        }
        command.nohandle = true;
        return;
    }
    let Some(argument) = item.argument.filter(|argument| !argument.is_empty()) else {
        let message = Diagnostic::new(Severity::Error, "XL0010", item.span, format!("{} has no argument; it is ignored", item.word));
        diagnostics.push(message.expected(format!("{}(data-area)", item.word)));
        return;
    };
    let place = if item.word == "RESP" { &mut command.resp } else { &mut command.resp2 };
    match place {
        Some(first) => {
            let message = Diagnostic::new(Severity::Error, "XL0008", item.span, format!("{} is there twice; the first is used", item.word));
            diagnostics.push(message.related(first.span, "the first"));
        }
        None => *place = Some(ResponseArgument { span: item.span, argument: argument.to_vec() }),
    }
}

/// A literal where CICS stores a value, or longer than the name may be.
fn check_literal(option: &OptionSpec, item: &Item, diagnostics: &mut Diagnostics) {
    let Some([Token { kind: TokenKind::Literal(literal), span, .. }]) = item.argument else { return };
    // The name that an INQUIRE is about is returned only by a browse, so a literal is allowed.
    let named = option.direction == exec::Direction::InOut && option.length > 0;
    if option.direction.is_output() && !named && option.argument != ArgumentRule::None {
        let text = format!("{} returns a value; a literal cannot receive it", item.word);
        diagnostics.push(Diagnostic::new(Severity::Severe, "XL0011", *span, text).expected(option.kind.word()));
    }
    let name = matches!(option.kind, ArgumentKind::Name | ArgumentKind::FileName | ArgumentKind::SystemName);
    let length = literal.text.trim_end().chars().count();
    if name && option.length > 0 && length > usize::from(option.length) {
        let text = format!("the name {} is longer than {} characters; the rest is ignored", literal.text, option.length);
        diagnostics.warning("XL0012", *span, text);
    }
}

/// Checks the combination of options. An option missing because it was misspelt has already been reported.
fn check_rules(command: &ExecCommand, spec: &CommandSpec, meant: &[OptionId], diagnostics: &mut Diagnostics) {
    for rule in spec.rules {
        let present: Vec<&ExecOption> = rule.options.iter().filter_map(|id| command.option(*id)).collect();
        let names = |separator: &str| rule.options.iter().map(|id| id.name()).collect::<Vec<_>>().join(separator);
        match rule.kind {
            RuleKind::Required | RuleKind::ExactlyOne if present.is_empty() && !rule.options.iter().any(|id| meant.contains(id)) => {
                let message = Diagnostic::new(Severity::Error, "XL0014", command.span, format!("{} needs {}", spec.name, names(" or ")));
                diagnostics.push(message.expected(names(" or ")));
            }
            RuleKind::ExactlyOne | RuleKind::AtMostOne if present.len() > 1 => {
                let text = format!("{} and {} exclude each other", present[0].spec.name, present[1].spec.name);
                let message = Diagnostic::new(Severity::Error, "XL0015", present[1].span, text);
                diagnostics.push(message.related(present[0].span, present[0].spec.name));
            }
            RuleKind::Needs
                if present.len() == 1 && present[0].spec.id == rule.options[0] && !rule.options.iter().any(|id| meant.contains(id)) =>
            {
                let others: Vec<&str> = rule.options[1..].iter().map(|id| id.name()).collect();
                let text = format!("{} has no effect without {}", present[0].spec.name, others.join(" or "));
                diagnostics.warning("XL0016", present[0].span, text);
            }
            RuleKind::Requires if present.len() == 1 && present[0].spec.id == rule.options[0] => {
                let others: Vec<&str> = rule.options[1..].iter().map(|id| id.name()).collect();
                let text = format!("{} needs {}", present[0].spec.name, others.join(" or "));
                diagnostics.push(Diagnostic::new(Severity::Error, "XL0017", present[0].span, text).expected(others.join(" or ")));
            }
            _ => {}
        }
    }
}

/// RESP2 adds detail to the condition that RESP receives ("RESP and NOHANDLE options"): without RESP the condition is still raised.
fn check_response(command: &ExecCommand, diagnostics: &mut Diagnostics) {
    if let Some(resp2) = &command.resp2
        && command.resp.is_none()
        && !command.nohandle
    {
        diagnostics.push(Diagnostic::new(Severity::Error, "XL0017", resp2.span, "RESP2 needs RESP").expected("RESP(data-area)"));
    }
}

#[cfg(test)]
mod tests;
