//! The state of EXEC CICS commands and options, from the table that the conformance tests check, and commands in source text that the COBOL
//! front end does not read.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use exec::CommandSpec;

const TABLE: &str = include_str!("../../../../../conformance/commands.tsv");

/// What the table says of a command or an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Works,
    /// With the reason.
    Refused(&'static str),
    /// With the subsystem that it belongs to.
    Later(&'static str),
}

/// Says of an option only that no test of the project uses it.
const UNTESTED: &str = "TEST";

fn states() -> &'static HashMap<(&'static str, &'static str), State> {
    static STATES: OnceLock<HashMap<(&'static str, &'static str), State>> = OnceLock::new();
    STATES.get_or_init(|| {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        let state = |line: &'static str| {
            let mut columns = line.split('\t');
            let mut next = || columns.next().unwrap_or_default();
            let (command, option, state, reason) = (next(), next(), next(), next());
            let state = match state.strip_prefix("later: ") {
                Some(UNTESTED) => State::Works,
                Some(subsystem) => State::Later(subsystem),
                None if state == "refused" => State::Refused(reason),
                None => State::Works,
            };
            ((command, option), state)
        };
        rows.map(state).collect()
    })
}

/// The state of a command.
pub fn of_command(spec: &CommandSpec) -> State {
    match states().get(&(spec.name, "-")) {
        Some(State::Works) | None if !spec.implemented => State::Later("NOT AVAILABLE"),
        Some(state) => *state,
        None => State::Works,
    }
}

/// The state of an option of a command.
pub fn of_option(spec: &CommandSpec, option: &str) -> State {
    states().get(&(spec.name, option)).copied().unwrap_or(State::Works)
}

/// A command in a text, and the line on which it begins, from 1.
pub struct InText {
    pub spec: &'static CommandSpec,
    pub line: u32,
}

/// The commands of a text in a language that ends them with a semicolon, as C does.
pub fn in_text(text: &str) -> Vec<InText> {
    let mut found = Vec::new();
    let upper = text.to_ascii_uppercase();
    let mut at = 0;
    while let Some(offset) = upper[at..].find("EXEC") {
        let begin = at + offset;
        at = begin + "EXEC".len();
        let Some(rest) = upper[at..].trim_start().strip_prefix("CICS") else { continue };
        let command = rest.split(';').next().unwrap_or_default();
        if let Some(spec) = command_of(&words(command)) {
            found.push(InText { spec, line: upper[..begin].matches('\n').count() as u32 + 1 });
        }
    }
    found
}

/// The command of the words of a text: the one with the most words of those all of whose words are there.
fn command_of(words: &[String]) -> Option<&'static CommandSpec> {
    let all: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    let fitting = exec::commands_of_verb(words.first()?).iter().filter(|spec| spec.words.iter().all(|word| all.contains(word)));
    fitting.max_by_key(|spec| spec.words.len())
}

/// The longest command that a text may hold.
const COMMAND_LENGTH_MAX: usize = 8192;

/// The words outside parentheses and literals.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let (mut depth, mut quote) = (0_usize, None);
    for c in text.chars().take(COMMAND_LENGTH_MAX).chain([' ']) {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if depth == 0 && (c.is_ascii_alphanumeric() || c == '-') => {
                word.push(c);
                continue;
            }
            None if c == '(' => depth += 1,
            None if c == ')' => depth = depth.saturating_sub(1),
            None => {}
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_state_of_the_table() {
        let spec = |name: &str| exec::command_by_name(name).unwrap();
        assert_eq!(of_command(spec("READ")), State::Works);
        assert_eq!(of_option(spec("READ"), "UPDATE"), State::Works);
        assert_eq!(of_command(spec("DEFINE ACTIVITY")), State::Later("BTS"));
    }

    #[test]
    fn commands_of_c_are_found() {
        let text = "int main() {\n  EXEC CICS READ FILE(\"A;\") INTO(&x);\n exec cics\n link program(\"P\");\n EXEC SQL SELECT 1;\n EXEC CICS NONSENSE; }";
        let found: Vec<(&str, u32)> = in_text(text).iter().map(|command| (command.spec.name, command.line)).collect();
        assert_eq!(found, [("READ", 2), ("LINK", 3)]);
        assert!(in_text("EXEC CICS ((((('''").is_empty());
    }
}
