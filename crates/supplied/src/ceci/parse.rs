//! Parses a command for CECI: the command of the catalogue, its options and their values, and its errors.
//!
//! Commands and options may be abbreviated as long as they are unique; quotes around values and a leading EXEC CICS are optional.

use crate::cemt::is_command_of;
use exec::{ArgumentRule, CommandSpec, Direction, OptionSpec, RuleKind};

/// One option with its value as typed.
#[derive(Clone, Debug)]
pub struct Given {
    pub option: &'static OptionSpec,
    /// `None`: without parentheses.
    pub value: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub command: Option<&'static CommandSpec>,
    pub given: Vec<Given>,
    /// Each begins with its severity: S prevents execution, E and W do not.
    pub messages: Vec<String>,
    /// A question mark before or after it: only the syntax is requested.
    pub check_only: bool,
}

impl Parsed {
    pub fn is_severe(&self) -> bool {
        self.messages.iter().any(|message| message.starts_with('S'))
    }

    pub fn given(&self, option: exec::OptionId) -> Option<&Given> {
        self.given.iter().find(|given| given.option.id == option)
    }
}

/// A word and its text in parentheses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub word: String,
    pub value: Option<String>,
}

/// Splits a command. Parentheses inside quotes do not count.
pub fn items(text: &str) -> Vec<Item> {
    let characters: Vec<char> = text.chars().collect();
    let mut items = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        if characters[at] == ' ' || characters[at] == ',' {
            at += 1;
            continue;
        }
        let start = at;
        while at < characters.len() && !matches!(characters[at], ' ' | '(' | ',') {
            at += 1;
        }
        let word: String = characters[start..at].iter().collect::<String>().to_ascii_uppercase();
        let mut behind = at;
        while behind < characters.len() && characters[behind] == ' ' {
            behind += 1;
        }
        let mut value = None;
        if characters.get(behind) == Some(&'(') {
            let (inner, next) = parenthesized(&characters, behind);
            value = Some(inner);
            at = next;
        }
        if at == start {
            // A parenthesis without a word.
            at += 1;
            continue;
        }
        items.push(Item { word, value });
    }
    items
}

/// The text between the parentheses, and the position after them.
fn parenthesized(characters: &[char], open: usize) -> (String, usize) {
    let (mut depth, mut quoted) = (0, false);
    for at in open..characters.len() {
        match characters[at] {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return (characters[open + 1..at].iter().collect::<String>().trim().to_string(), at + 1);
                }
            }
            _ => {}
        }
    }
    (characters[open + 1..].iter().collect::<String>().trim().to_string(), characters.len())
}

/// The commands a verb may mean: its own, or those of the only verb it begins.
fn commands_of(verb: &str) -> Vec<&'static CommandSpec> {
    let exact = exec::commands_of_verb(verb);
    if !exact.is_empty() {
        return exact.iter().collect();
    }
    let fitting: Vec<&CommandSpec> = exec::commands().iter().filter(|spec| spec.words[0].starts_with(verb)).collect();
    let one_verb = fitting.first().is_some_and(|first| fitting.iter().all(|spec| spec.words[0] == first.words[0]));
    if one_verb { fitting } else { Vec::new() }
}

/// All verbs, for the list of commands.
pub fn verbs() -> Vec<&'static str> {
    let mut verbs: Vec<&str> = exec::commands().iter().map(|spec| spec.words[0]).collect();
    verbs.sort_unstable();
    verbs.dedup();
    verbs
}

/// The command whose words are all there. Of several it is the one whose second word comes first, because the others are then options of it:
/// INQUIRE TRANSACTION PROGRAM is no INQUIRE PROGRAM. After that the one with fewest words cut short counts, then the one that CEMT takes the short
/// word for (TRAN is TRANSACTION, not TRANCLASS), then the one with most words.
fn command_of(items: &[Item]) -> Option<&'static CommandSpec> {
    let verb = &items.first()?.word;
    let candidates = commands_of(verb);
    let place = |word: &str| {
        let exact = items.iter().skip(1).position(|item| item.word == word);
        let short = || items.iter().skip(1).position(|item| item.word.len() >= 2 && word.starts_with(&item.word));
        exact.map(|at| (at, true)).or_else(|| short().map(|at| (at, false)))
    };
    let rank = |spec: &&'static CommandSpec| {
        let places: Vec<(usize, bool)> = spec.words[1..].iter().map(|word| place(word)).collect::<Option<_>>()?;
        let (first, _) = places.first()?;
        let short = places.iter().filter(|(_, exact)| !exact).count();
        let is_meant = short > 0 && is_command_of(&items[1 + first].word, spec.id);
        Some((*first, short, !is_meant, std::cmp::Reverse(spec.words.len())))
    };
    let by_words = candidates.iter().filter_map(|spec| Some((rank(spec)?, spec))).min_by_key(|(rank, _)| *rank).map(|(_, spec)| spec);
    let alone = || candidates.iter().find(|spec| spec.words.len() == 1);
    by_words.or_else(alone).copied().or_else(|| exec::command_by_name(verb))
}

pub fn parse(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let mut text = text.trim();
    if let Some(rest) = text.strip_prefix('?') {
        parsed.check_only = true;
        text = rest.trim_start();
    } else if let Some(rest) = text.strip_suffix('?') {
        parsed.check_only = true;
        text = rest.trim_end();
    }
    let mut items = items(text);
    for word in ["EXEC", "CICS"] {
        if items.first().is_some_and(|item| item.word == word && item.value.is_none()) {
            items.remove(0);
        }
    }
    if items.is_empty() {
        return parsed;
    }
    let Some(spec) = command_of(&items) else {
        parsed.messages.push(format!("S '{}' is not a command, or may be several.", items[0].word));
        return parsed;
    };
    parsed.command = Some(spec);
    // The first item is the verb; an item that is a word of the name and not an option has no further effect.
    let mut names: Vec<&str> = spec.words[1..].to_vec();
    for item in &items[1..] {
        let name = names.iter().position(|word| *word == item.word || item.word.len() >= 2 && word.starts_with(item.word.as_str()));
        match spec.option_by_abbreviation(&item.word).or_else(|| usual(spec, &item.word)) {
            Some(option) => {
                names.retain(|name| *name != option.name);
                give(&mut parsed, option, item);
            }
            None if name.is_some() && item.value.is_none() => {
                names.remove(name.unwrap_or_default());
            }
            None => parsed.messages.push(format!("E '{}' is not an option of {}, or may be several. It is ignored.", item.word, spec.name)),
        }
    }
    check(spec, &mut parsed);
    parsed
}

/// Abbreviations that everybody uses though they could be several: Q is QUEUE, and not QNAME.
fn usual(spec: &'static CommandSpec, word: &str) -> Option<&'static OptionSpec> {
    const USUAL: [(&str, &str); 1] = [("Q", "QUEUE")];
    USUAL.iter().find(|(short, _)| *short == word).and_then(|(_, option)| spec.option_by_name(option))
}

fn give(parsed: &mut Parsed, option: &'static OptionSpec, item: &Item) {
    if parsed.given(option.id).is_some() {
        parsed.messages.push(format!("E {} is there twice. The second is ignored.", option.name));
        return;
    }
    let empty = item.value.as_ref().is_none_or(String::is_empty);
    match option.argument {
        ArgumentRule::None if item.value.is_some() => {
            parsed.messages.push(format!("W {} takes no value. The value is ignored.", option.name))
        }
        // A receiver may be left out: its area is supplied.
        ArgumentRule::Required if empty && option.direction != Direction::Out => {
            parsed.messages.push(format!("S Option {} has been given without a value.", option.name));
        }
        _ => {}
    }
    let value = item.value.clone().filter(|_| option.argument != ArgumentRule::None);
    parsed.given.push(Given { option, value });
}

/// The rules of the command about which options go together.
fn check(spec: &'static CommandSpec, parsed: &mut Parsed) {
    let receiver = |id| spec.option(id).is_some_and(|option| option.direction == Direction::Out);
    for rule in spec.rules {
        let present = rule.options.iter().filter(|option| parsed.given(**option).is_some()).count();
        let names: Vec<&str> = rule.options.iter().map(|option| option.name()).collect();
        let message = match rule.kind {
            RuleKind::Required => rule
                .options
                .iter()
                .find(|option| parsed.given(**option).is_none() && !receiver(**option))
                .map(|option| format!("S Option {} has been omitted or specified with an invalid value.", option.name())),
            RuleKind::ExactlyOne if present == 0 && !rule.options.iter().any(|option| receiver(*option)) => {
                Some(format!("S One of {} must be specified.", names.join(", ")))
            }
            RuleKind::ExactlyOne | RuleKind::AtMostOne if present > 1 => {
                Some(format!("S Only one of {} may be specified.", names.join(", ")))
            }
            RuleKind::Needs if parsed.given(rule.options[0]).is_some() && present == 1 => {
                Some(format!("S {} can be specified only with {}.", names[0], names[1..].join(" or ")))
            }
            _ => None,
        };
        parsed.messages.extend(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::{command, option};

    /// The first option of INQUIRE names the resource; the names of other resources are options.
    #[test]
    fn the_first_resource_names_the_command() {
        let named = |text: &str| parse(text).command.map(|spec| spec.name);
        for (text, name) in [
            ("INQUIRE TRANSACTION(A) PROGRAM()", "INQUIRE TRANSACTION"),
            ("INQ PROG(A) LIBRARY()", "INQUIRE PROGRAM"),
            ("INQ TRAN(A)", "INQUIRE TRANSACTION"),
            ("INQUIRE TRA(A) PROGRAM()", "INQUIRE TRANSACTION"),
            ("SET TRAN(A) ENABLED", "SET TRANSACTION"),
            ("INQUIRE TRANCLASS(A)", "INQUIRE TRANCLASS"),
            ("INQUIRE TRAND(A)", "INQUIRE TRANDUMPCODE"),
            ("INQUIRE TERMINAL(A) NETNAME()", "INQUIRE TERMINAL"),
            ("INQUIRE NETNAME(A) TERMINAL()", "INQUIRE NETNAME"),
            ("SET TRANSACTION(A) PROGRAM(B)", "SET TRANSACTION"),
            ("SEND MAP(A) MAPPINGDEV(B)", "SEND MAP MAPPINGDEV"),
            ("DELETE CONT(A) CHANNEL(B)", "DELETE CONTAINER"),
            ("INQUIRE START PROGRAM", "INQUIRE PROGRAM"),
            ("SEND MAP(A) MAPSET(B)", "SEND MAP"),
        ] {
            assert_eq!(named(text), Some(name), "{text}");
        }
        assert!(parse("INQUIRE TRANSACTION(A) PROGRAM()").messages.is_empty());
    }

    #[test]
    fn commands_and_options_may_be_short() {
        let parsed = parse("READ FIL(FILEA) RID('00 (1')");
        assert_eq!(parsed.command.unwrap().id, command::READ);
        assert_eq!(parsed.given(option::FILE).unwrap().value.as_deref(), Some("FILEA"));
        assert_eq!(parsed.given(option::RIDFLD).unwrap().value.as_deref(), Some("'00 (1'"));
        assert!(!parsed.is_severe(), "{:?}", parsed.messages);
        assert!(parse("READ").is_severe());
        assert_eq!(parse("exec cics writeq ts queue(a) from(b)").command.unwrap().id, command::WRITEQ_TS);
        assert_eq!(parse("WRITEQ QUEUE(A)").command.unwrap().id, command::WRITEQ_TS);
        assert_eq!(parse("SEND MAP(A)").command.unwrap().id, command::SEND_MAP);
        assert_eq!(parse("SEND TEXT FROM(A)").command.unwrap().id, command::SEND_TEXT);
        assert_eq!(parse("SEND FROM(A)").command.unwrap().id, command::SEND);
        assert_eq!(parse("INQUIRE TRANSACTION(CEMT)").command.unwrap().id, command::INQUIRE_TRANSACTION);
        assert!(parse("FROB").is_severe());
        assert!(parse("?ASKTIME").check_only && parse("ASKTIME ?").check_only && !parse("WRITEQ TS QUEUE(A) FROM('?')").check_only);
        assert!(parse("").command.is_none());
    }

    #[test]
    fn wrong_combinations_are_severe() {
        let parsed = parse("SEND MAP(A) DATAONLY MAPONLY");
        assert!(parsed.messages.iter().any(|message| message.contains("Only one of")), "{:?}", parsed.messages);
        assert!(parse("ASKTIME FROB").messages[0].starts_with("E 'FROB'"));
    }
}
