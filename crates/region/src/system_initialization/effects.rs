//! What each parameter does, or why the region refuses it (`tables/sit_effects.tsv`).
//!
//! Invariant: every parameter has one row. A refused parameter accepts its default and values that ask for nothing, so no parameter is
//! accepted and ignored.

use std::collections::HashMap;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../tables/sit_effects.tsv");

/// Whether a parameter has an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Effective,
    Refused,
}

impl State {
    pub const fn text(self) -> &'static str {
        match self {
            State::Effective => "effective",
            State::Refused => "refused",
        }
    }
}

/// The row of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    pub state: State,
    /// What it does, or why it is refused.
    pub text: &'static str,
    harmless: &'static str,
}

impl Effect {
    /// Whether a value is not refused.
    pub fn accepts(&self, value: &str, default: &str) -> bool {
        self.state == State::Effective || value == default || self.harmless.split('|').any(|one| one == value)
    }
}

fn rows() -> impl Iterator<Item = (&'static str, Effect)> {
    TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).flat_map(|line| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap_or_default();
        let (names, state, text, harmless) = (next(), next(), next(), next());
        let state = match state {
            "effective" => State::Effective,
            "refused" => State::Refused,
            other => panic!("{other} is not a state of a system initialization parameter"),
        };
        names.split(' ').map(move |name| (name, Effect { state, text, harmless }))
    })
}

/// The effect of a parameter of the table.
pub fn effect(name: &str) -> Effect {
    static EFFECTS: OnceLock<HashMap<&'static str, Effect>> = OnceLock::new();
    *EFFECTS.get_or_init(|| rows().collect()).get(name).unwrap_or_else(|| panic!("{name} has no row in sit_effects.tsv"))
}

#[cfg(test)]
mod tests {
    use super::super::parameters;
    use super::*;
    use std::path::Path;

    #[test]
    fn every_parameter_has_one_row() {
        let names: Vec<&str> = rows().map(|(name, _)| name).collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name} has two rows");
            assert!(parameters().iter().any(|parameter| parameter.name == *name), "{name} is not a parameter");
        }
        for parameter in parameters() {
            let effect = effect(parameter.name);
            assert!(!effect.text.is_empty(), "{}", parameter.name);
            for value in effect.harmless.split('|').filter(|value| !value.is_empty()) {
                let any = rows().filter(|(_, of)| of.text == effect.text).filter_map(|(name, _)| super::super::parameter::find(name));
                let is_known = any.into_iter().any(|of| of.check(of.name, value).is_ok());
                assert!(is_known, "{}={value} is accepted by none of the row", parameter.name);
            }
        }
    }

    /// Text of all sources below a directory.
    fn source(directory: &Path, text: &mut String) {
        for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let path = entry.path();
            match path.is_dir() {
                true => source(&path, text),
                false => *text += &std::fs::read_to_string(&path).unwrap_or_default(),
            }
        }
    }

    /// An effective parameter is one that some domain reads by its name.
    #[test]
    fn effective_parameters_are_read() {
        let mut text = String::new();
        for domains in ["region", "security_manager", "files", "queues", "terminals", "attachment", "supplied", "server", "regent"] {
            source(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(domains).join("src"), &mut text);
        }
        for (name, _) in rows().filter(|(_, effect)| effect.state == State::Effective) {
            let read = text.contains(&format!("\"{name}\"")) || text.contains(&format!("\"{name}{{"));
            assert!(read, "nothing reads {name}");
        }
    }
}
