//! The panel of a command without attributes: a line for each of its operands, `Group        ==> PAY`.

use super::command::Command;
use super::vocabulary::{self, Meant, Operand, Verb, capitalized, operand_names};

/// One line of the panel.
#[derive(Clone, Debug)]
pub struct Line {
    pub label: String,
    pub value: String,
    /// Characters of the value.
    pub length: u16,
    meant: Meant,
}

/// Longest value of an operand: lists of CHECK.
const LENGTH_MAX: u16 = 40;

/// The types a command takes, then its other operands.
pub fn lines(command: &Command) -> Vec<Line> {
    let Some(verb) = command.verb else { return Vec::new() };
    let label = |name: &str| capitalized(name, operand_names(verb));
    let value_of = |operand: Operand| match operand.is_switch() {
        true if command.has(operand) => "Yes".to_string(),
        true => "No".to_string(),
        false => command.value(operand).unwrap_or_default().to_string(),
    };
    let mut lines: Vec<Line> = Vec::new();
    for name in operand_names(verb) {
        let Some(meant) = vocabulary::operand(verb, name) else { continue };
        let (value, length) = match meant {
            Meant::Type(of) => {
                let given = command.resource.as_ref().filter(|(given, _)| given.name == of.name);
                (given.map(|(_, name)| name.clone()).unwrap_or_default(), of.name_length_max.min(32) as u16)
            }
            Meant::Operand(operand) if verb == Verb::Check && operand == Operand::List => (value_of(operand), LENGTH_MAX),
            Meant::Operand(operand) => (value_of(operand), 8),
        };
        lines.push(Line { label: label(name), value, length, meant });
    }
    // Types come first, as on the panels of CICS.
    lines.sort_by_key(|line| matches!(line.meant, Meant::Operand(_)));
    lines
}

/// A command with what was typed over one of its lines.
pub fn change(command: &mut Command, line: &Line, typed: &str) {
    match line.meant {
        Meant::Type(of) if typed.trim().is_empty() => command.resource = command.resource.take().filter(|(given, _)| given.name != of.name),
        Meant::Type(of) => command.resource = Some((of, of.folded(typed))),
        Meant::Operand(operand) => {
            command.operands.retain(|(known, _)| *known != operand);
            let is_given = if operand.is_switch() { typed.trim().to_ascii_uppercase().starts_with('Y') } else { !typed.trim().is_empty() };
            if is_given {
                let value = if operand == Operand::As { typed.trim().to_string() } else { typed.trim().to_ascii_uppercase() };
                command.operands.push((operand, if operand.is_switch() { String::new() } else { value }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_has_the_operands_of_its_command() {
        let (mut command, _) = super::super::command::parse("INSTALL PROGRAM(P1) GROUP(G1)", &Verb::ALL);
        let lines = super::lines(&command);
        let value = |label: &str| lines.iter().find(|line| line.label == label).map(|line| line.value.clone());
        assert_eq!((value("PROGram"), value("Group"), value("Mapset")), (Some("P1".to_string()), Some("G1".to_string()), None));
        let map = lines.iter().find(|line| line.label.eq_ignore_ascii_case("MAPSET")).unwrap();
        change(&mut command, map, "m1");
        assert_eq!(command.resource.as_ref().map(|(of, name)| (of.name, name.as_str())), Some(("MAPSET", "M1")));
    }
}
