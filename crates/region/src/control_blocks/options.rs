//! Options that no handler reads (`options.tsv` of crate `exec`): those that are refused when a program gives them, and those that return the null
//! value INQUIRE commands have for an attribute that does not apply.
//!
//! Invariant: every option of an implemented command is named in the source of some domain or has a row in the table.

use super::arguments::Arguments;
use super::queried::Queried;
use super::raised::Outcome;
use exec::{ArgumentKind, CommandSpec, Effect, Numeric, OptionId, OptionSpec, cvda};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// A pointer to nothing.
pub const NULL_POINTER: i64 = 0xFF00_0000;

/// Options of every command, which the gate handles.
const COMMON: [&str; 3] = ["RESP", "RESP2", "NOHANDLE"];

/// Options of a command that the region ignores, for its documentation.
pub struct Unused {
    /// The effect when a program gives them, as the end of a sentence.
    pub effect: &'static str,
    pub options: Vec<&'static str>,
    pub why: &'static str,
}

/// The rows of the table about a command.
pub fn unused(command: &CommandSpec) -> Vec<Unused> {
    let effect = |effect| match effect {
        Effect::Refused => "refused: the task ends with abend AEY9",
        Effect::Null => "given their null value",
        Effect::Accepted => "accepted and have no effect",
    };
    let of_command = exec::unused_options().iter().filter(|row| row.command == command.name);
    of_command.map(|row| Unused { effect: effect(row.effect), options: row.options.clone(), why: row.why }).collect()
}

/// The options with an effect, by command.
fn by_command(effect: Effect) -> HashMap<&'static str, Vec<OptionId>> {
    let mut options: HashMap<&'static str, Vec<OptionId>> = HashMap::new();
    for row in exec::unused_options().iter().filter(|row| row.effect == effect) {
        let ids = row.options.iter().filter_map(|name| exec::option_by_name(name));
        options.entry(row.command).or_default().extend(ids);
    }
    options
}

/// The options of a command that the region refuses.
pub fn refused(command: &CommandSpec) -> &'static [OptionId] {
    static REFUSED: OnceLock<HashMap<&'static str, Vec<OptionId>>> = OnceLock::new();
    REFUSED.get_or_init(|| by_command(Effect::Refused)).get(command.name).map_or(&[], Vec::as_slice)
}

/// The options of a command that have no value in this region.
pub fn without_value(command: &CommandSpec) -> &'static [OptionId] {
    static WITHOUT: OnceLock<HashMap<&'static str, Vec<OptionId>>> = OnceLock::new();
    WITHOUT.get_or_init(|| by_command(Effect::Null)).get(command.name).map_or(&[], Vec::as_slice)
}

/// The options of a command that its handler has not looked at, and that the table does not have.
pub fn unread(command: &CommandSpec, queried: &HashSet<Queried>) -> Vec<&'static str> {
    let listed: Vec<&str> = unused(command).into_iter().flat_map(|unused| unused.options).collect();
    let options = command.options.iter().filter(|option| !COMMON.contains(&option.name) && !listed.contains(&option.name));
    options.filter(|option| !queried.contains(&(command.id, option.id))).map(|option| option.name).collect()
}

/// Sets the null value in each of these options that the command has.
#[cold]
pub fn give_null(arguments: &mut Arguments, command: &CommandSpec, options: &[OptionId]) -> Outcome {
    for option in command.options.iter().filter(|option| options.contains(&option.id)) {
        match null_of(option) {
            Some(value) => arguments.set_integer(option.id, value),
            None => arguments.set_text(option.id, "")?,
        }
    }
    Ok(())
}

/// `None`: blanks.
fn null_of(option: &OptionSpec) -> Option<i64> {
    match (option.kind, option.numeric) {
        (ArgumentKind::Cvda, _) => Some(cvda::NOTAPPLIC),
        (ArgumentKind::PointerReference, _) | (_, Numeric::Pointer | Numeric::Pointer64) => Some(NULL_POINTER),
        (_, Numeric::Not) => None,
        _ => Some(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The names of options the sources below a directory use.
    fn used(directory: &Path, names: &mut HashSet<String>) {
        for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                used(&path, names);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            for rest in text.split("option::").skip(1) {
                let end = rest.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')).unwrap_or(rest.len());
                names.insert(rest[..end].to_string());
            }
        }
    }

    #[test]
    fn every_option_of_an_implemented_command_is_used_or_in_the_table() {
        // These commands look their options up by name: conditions, keys, and components of trace.
        const BY_NAME: [&str; 5] = ["HANDLE CONDITION", "IGNORE CONDITION", "HANDLE AID", "INQUIRE TRACETYPE", "SET TRACETYPE"];
        let mut names = HashSet::new();
        // The handlers are in the crates of the domains.
        for domains in ["region", "files", "queues", "documents", "terminals", "attachment", "policies", "security_manager", "supplied"] {
            used(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(domains).join("src"), &mut names);
        }
        let mut listed: HashSet<(&str, &str)> = HashSet::new();
        for row in exec::unused_options() {
            assert!(exec::commands().iter().any(|spec| spec.name == row.command), "no command {}", row.command);
            listed.extend(row.options.iter().map(|option| (row.command, *option)));
        }
        let mut faults = Vec::new();
        for spec in exec::commands().iter().filter(|spec| spec.implemented && !BY_NAME.contains(&spec.name)) {
            for option in spec.options.iter().filter(|option| !COMMON.contains(&option.name)) {
                let is_used = names.contains(&option.name.replace('-', "_"));
                let is_listed = listed.remove(&(spec.name, option.name));
                if !is_used && !is_listed {
                    faults.push(format!("{} {}", spec.name, option.name));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(listed.is_empty(), "rows for nothing: {listed:?}");
    }
}
