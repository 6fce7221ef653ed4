//! Every form of every command that the region executes, generated from the command catalogue, becomes a call of the run time in C, and the
//! machine's compiler accepts the result.

use cobol::diagnostics::{Diagnostics, Severity};
use exec::{ArgumentKind, ArgumentRule, CommandSpec, Direction, OptionId, OptionSpec, RuleKind, command, option};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Commands that C programs cannot have; the translator's own test says so of each.
const UNSTRUCTURED: [exec::CommandId; 5] =
    [command::HANDLE_AID, command::HANDLE_CONDITION, command::IGNORE_CONDITION, command::PUSH_HANDLE, command::POP_HANDLE];

/// How an argument is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Form {
    Bare,
    Variable,
    Constant,
}

struct Written {
    options: Vec<(&'static OptionSpec, Form)>,
}

/// The forms an option can be written in.
fn forms(spec: &OptionSpec) -> Vec<Form> {
    let constant = spec.direction == Direction::In && !matches!(spec.kind, ArgumentKind::PointerReference | ArgumentKind::PointerValue);
    match spec.argument {
        ArgumentRule::None => vec![Form::Bare],
        ArgumentRule::Optional => vec![Form::Bare, Form::Variable],
        ArgumentRule::Required if constant => vec![Form::Variable, Form::Constant],
        ArgumentRule::Required => vec![Form::Variable],
    }
}

fn usual(spec: &OptionSpec) -> Form {
    if spec.argument == ArgumentRule::Required { Form::Variable } else { Form::Bare }
}

fn is_usable(spec: &OptionSpec) -> bool {
    spec.kind != ArgumentKind::Label
}

/// The smallest command with this option: required options are added, excluded ones left out.
fn smallest(spec: &'static CommandSpec, wanted: Option<(&'static OptionSpec, Form)>) -> Written {
    let mut chosen: Vec<(&'static OptionSpec, Form)> = wanted.into_iter().collect();
    // Words of the name may be options that have arguments: INQUIRE FILE(name).
    for word in &spec.words[1..] {
        let named = spec.option_by_name(word).filter(|option| chosen.iter().all(|(known, _)| known.id != option.id));
        chosen.extend(named.map(|option| (option, usual(option))));
    }
    // In C the area of a map is always said.
    for (of, area, instead) in [(command::SEND_MAP, option::FROM, option::MAPONLY), (command::RECEIVE_MAP, option::INTO, option::SET)] {
        let other = wanted.is_some_and(|(option, _)| option.id == instead);
        if spec.id == of && !other && wanted.is_none_or(|(option, _)| option.id != area) {
            chosen.extend(spec.option(area).map(|option| (option, usual(option))));
        }
    }
    for _ in 0..spec.rules.len() + 1 {
        for rule in spec.rules {
            let present = |id: &OptionId| chosen.iter().any(|(option, _)| option.id == *id);
            let found = rule.options.iter().filter(|id| present(id)).count();
            let missing: Option<&OptionId> = match rule.kind {
                RuleKind::Required => rule.options.iter().find(|id| !present(id)),
                RuleKind::ExactlyOne if found == 0 => rule.options.iter().find(|id| !is_excluded(spec, **id, &chosen)),
                RuleKind::Needs | RuleKind::Requires if present(&rule.options[0]) && found == 1 => {
                    rule.options[1..].iter().find(|id| !is_excluded(spec, **id, &chosen))
                }
                _ => None,
            };
            chosen.extend(missing.and_then(|id| spec.option(*id)).map(|option| (option, usual(option))));
        }
    }
    Written { options: chosen }
}

/// Whether a rule excludes the option together with those chosen.
fn is_excluded(spec: &CommandSpec, id: OptionId, chosen: &[(&'static OptionSpec, Form)]) -> bool {
    let label = spec.option(id).is_none_or(|option| !is_usable(option));
    let exclusive = |kind: RuleKind| matches!(kind, RuleKind::ExactlyOne | RuleKind::AtMostOne);
    label
        || spec
            .rules
            .iter()
            .filter(|rule| exclusive(rule.kind) && rule.options.contains(&id))
            .any(|rule| chosen.iter().any(|(option, _)| option.id != id && rule.options.contains(&option.id)))
}

fn argument(spec: &OptionSpec, form: Form) -> String {
    let number = spec.numeric.is_number();
    let text = match (spec.kind, form) {
        (_, Form::Bare) => return spec.name.to_string(),
        (ArgumentKind::PointerReference | ArgumentKind::PointerValue, _) => "pointer",
        _ if matches!(spec.numeric, exec::Numeric::Pointer | exec::Numeric::Pointer64) => "pointer",
        (ArgumentKind::Cvda, Form::Constant) => "DFHVALUE(OPEN)",
        _ if number && form == Form::Constant => "1",
        _ if number => match spec.numeric {
            exec::Numeric::Halfword => "half",
            exec::Numeric::Doubleword | exec::Numeric::Abstime => "doubleword",
            _ => "fullword",
        },
        (_, Form::Constant) => "\"A\"",
        _ => "area",
    };
    format!("{}({text})", spec.name)
}

fn command_text(spec: &CommandSpec, written: &Written) -> String {
    let mut text = format!("EXEC CICS {}", spec.words[0]);
    let mut options: Vec<&(&OptionSpec, Form)> = written.options.iter().collect();
    for word in &spec.words[1..] {
        match options.iter().position(|(option, _)| option.name == *word) {
            Some(at) => {
                let (option, form) = options.remove(at);
                let _ = write!(text, " {}", argument(option, *form));
            }
            None => {
                let _ = write!(text, " {word}");
            }
        }
    }
    options.iter().for_each(|(option, form)| {
        let _ = write!(text, " {}", argument(option, *form));
    });
    text + " RESP(fullword) RESP2(fullword)"
}

/// All forms of a command, each once.
fn texts(spec: &'static CommandSpec) -> BTreeSet<String> {
    let mut texts = BTreeSet::from([command_text(spec, &smallest(spec, None))]);
    for option in spec.options.iter().filter(|option| is_usable(option)) {
        texts.extend(forms(option).into_iter().map(|form| command_text(spec, &smallest(spec, Some((option, form))))));
    }
    texts
}

fn program(texts: &BTreeSet<String>) -> String {
    let mut source =
        "int main(void)\n{\n    static char area[4096];\n    short half = 1;\n    int fullword = 1;\n    long long doubleword = 1;\n    \
                      void *pointer = area;\n"
            .to_string();
    texts.iter().for_each(|text| {
        let _ = writeln!(source, "    {text};");
    });
    source + "    return half + fullword + (int)doubleword + (pointer != 0);\n}\n"
}

fn commands() -> impl Iterator<Item = &'static CommandSpec> {
    exec::commands().iter().filter(|spec| spec.implemented && !UNSTRUCTURED.contains(&spec.id))
}

fn compiler() -> c::Compiler {
    c::Compiler::new(c::Settings { ccsid: 37, xplink: false, include: Vec::new(), sources: Vec::new() })
}

#[test]
fn every_form_of_every_command_becomes_a_call() {
    let (mut count, mut wrong) = (0, Vec::new());
    let compiler = compiler();
    for spec in commands() {
        for text in texts(spec) {
            let mut diagnostics = Diagnostics::new(100);
            let translation = compiler.translate("T.c", &program(&BTreeSet::from([text.clone()])), &mut diagnostics);
            let told: Vec<String> =
                diagnostics.iter().filter(|message| message.severity >= Severity::Error).map(|message| message.text.clone()).collect();
            let called = translation.text.matches(&format!("regent_execute({}, ", spec.id.0)).count();
            let options = translation.text.matches(".option = ").count();
            // RESP and RESP2 are two; of the words of the command's name some are options.
            if called != 1 || !told.is_empty() || options < 2 {
                wrong.push(format!("{text}: {called} calls, {options} options, {told:?}"));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 1000, "{count}");
}

#[test]
fn the_machines_compiler_takes_every_command() {
    let directory = tempfile::tempdir().expect("a directory");
    let compiler = compiler();
    // A source for each command's family of first letters: a program may not be too long.
    let mut sources: std::collections::BTreeMap<char, BTreeSet<String>> = Default::default();
    for spec in commands() {
        let letter = spec.name.chars().next().unwrap_or('X');
        sources.entry(letter).or_default().extend(texts(spec));
    }
    let mut failed = Vec::new();
    for (letter, texts) in sources {
        let path = directory.path().join(format!("CMD{letter}.c"));
        std::fs::write(&path, program(&texts)).expect("written");
        let compilation = compiler.compile(&path, None);
        if compilation.image.is_none() || compilation.return_code >= 8 {
            failed.push(format!("{letter}: {}", compilation.messages.join("\n")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n").chars().take(6000).collect::<String>());
}
