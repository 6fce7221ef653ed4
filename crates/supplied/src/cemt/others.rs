//! Resources without a table of their own: every INQUIRE command of the region can be shown, with all its values in the order of the
//! catalogue.
//!
//! These displays cannot be typed over; SET is entered as a command. The table is built once, at first use.

use super::engine::available;
use super::resources::{Column, Naming, RESOURCES, Resource, Shape};
use exec::{ArgumentKind, CommandSpec, OptionSpec, RuleKind, option};
use std::sync::OnceLock;

/// CETR shows these: CEMT has no words for them.
const OF_CETR: [&str; 2] = ["TRACEFLAG", "TRACETYPE"];

/// Positions of a line that columns may take.
const LINE_WIDTH: usize = 74;
/// Longest text of a value whose length is not in the catalogue.
const TEXT_LENGTH: usize = 16;
/// Answers longer than this are left to programs.
const TEXT_LENGTH_MAX: usize = 44;

pub fn all() -> impl Iterator<Item = &'static Resource> {
    static OTHERS: OnceLock<Vec<Resource>> = OnceLock::new();
    OTHERS.get_or_init(|| exec::commands_of_verb("INQUIRE").iter().filter_map(resource).collect()).iter()
}

fn resource(spec: &'static CommandSpec) -> Option<Resource> {
    let &[_, keyword] = spec.words else { return None };
    let known = RESOURCES.iter().any(|known| known.is_called(keyword) || known.inquire == spec.id);
    if known || OF_CETR.contains(&keyword) || available(spec.name).is_none() {
        return None;
    }
    // A command that must say what it asks for (INQUIRE STORAGE) is for programs.
    if spec.rules.iter().any(|rule| rule.kind == RuleKind::ExactlyOne) {
        return None;
    }
    let name = spec.option_by_name(keyword);
    let browsed = spec.option(option::START).is_some();
    if name.is_some() && !browsed {
        // Its names cannot be listed.
        return None;
    }
    let set = exec::command_by_name(&format!("SET {keyword}")).map_or(spec.id, |set| set.id);
    let mut columns: Vec<Column> = Vec::new();
    columns.extend(name.map(|name| Column { label: label(name), option: name.id, shape: Shape::Name(length(name)) }));
    columns.extend(spec.options.iter().filter(|option| Some(option.id) != name.map(|name| name.id)).filter_map(column));
    let lines: Vec<&'static [Column]> = on_lines(columns).into_iter().map(|line| &*Box::leak(line.into_boxed_slice())).collect();
    Some(Resource {
        keyword,
        synonyms: &[],
        letters_min: letters_min(keyword),
        inquire: spec.id,
        set,
        name_option: name.map_or(option::TIME, |name| name.id),
        name_length: name.map_or(0, length),
        naming: if name.is_some() { Naming::Browse } else { Naming::Single },
        lines: Box::leak(lines.into_boxed_slice()),
    })
}

/// The fewest letters, three or more, that no other keyword begins with.
fn letters_min(keyword: &str) -> usize {
    const FEWEST: usize = 3;
    let inquired = exec::commands_of_verb("INQUIRE").iter().filter(|spec| spec.implemented).filter_map(|spec| spec.words.get(1).copied());
    let others: Vec<&str> = RESOURCES.iter().map(|known| known.keyword).chain(inquired).filter(|other| *other != keyword).collect();
    let is_own = |letters: &usize| !others.iter().any(|other| other.starts_with(&keyword[..*letters]));
    (FEWEST..keyword.len()).find(is_own).unwrap_or(keyword.len())
}

/// As many columns on a line as fit.
fn on_lines(columns: Vec<Column>) -> Vec<Vec<Column>> {
    let mut lines: Vec<Vec<Column>> = Vec::new();
    let mut room = 0;
    for column in columns {
        let width = match column.shape {
            Shape::Cvda => 4,
            Shape::Name(width) | Shape::Digits(width) => column.label.len() + width + 3,
            _ => LINE_WIDTH,
        };
        match lines.last_mut() {
            Some(line) if width <= room => {
                line.push(column);
                room -= width;
            }
            _ => {
                lines.push(vec![column]);
                room = LINE_WIDTH.saturating_sub(width);
            }
        }
    }
    lines
}

fn length(option: &OptionSpec) -> usize {
    if option.length == 0 { TEXT_LENGTH } else { usize::from(option.length) }
}

/// `Maxtasks`: leaked, as the table's are constants.
pub fn label(option: &OptionSpec) -> &'static str {
    let (first, rest) = option.name.split_at(1);
    Box::leak(format!("{first}{}", rest.to_ascii_lowercase()).into_boxed_str())
}

fn column(option: &'static OptionSpec) -> Option<Column> {
    Some(Column { label: label(option), option: option.id, shape: shape(option)? })
}

/// How the value of an option is shown; `None` if it has none, or one that is left to programs.
pub fn shape(option: &OptionSpec) -> Option<Shape> {
    if !option.direction.is_output() {
        return None;
    }
    if option.kind == ArgumentKind::Cvda {
        Some(Shape::Cvda)
    } else if option.numeric.is_number() {
        Some(Shape::Digits(10))
    } else {
        (length(option) <= TEXT_LENGTH_MAX).then(|| Shape::Name(length(option)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_with_a_table_are_not_generated() {
        for resource in all() {
            assert!(!RESOURCES.iter().any(|known| known.keyword == resource.keyword));
            assert!(!resource.lines.is_empty(), "{}", resource.keyword);
        }
    }
}
