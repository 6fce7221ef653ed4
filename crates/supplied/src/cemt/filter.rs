//! The words of an INQUIRE that restrict it: `I TRA DIS`, `I TASK TRA(CEMT)`, `I TASK TCLASS(BATCH)`.

use super::command::{self, Unknown, Word};
use super::engine::Row;
use super::keywords;
use super::others;
use super::resources::{Column, Naming, Resource, Shape};
use exec::{OptionId, cvda};

/// What one word asks of a row.
pub enum Filter {
    /// One of these columns fits the pattern.
    Shown { options: Vec<OptionId>, pattern: String },
    /// An option that no column shows fits the pattern.
    Unseen { column: Column, pattern: String },
    /// One of the columns has a value that begins so.
    Value(String),
}

/// The filters that the words of an INQUIRE are, and the words that are not valid. The name of an option without a value restricts nothing, as
/// all columns are shown anyway.
pub fn filters<'a>(resource: &'static Resource, words: impl Iterator<Item = &'a Word>) -> (Vec<Filter>, Vec<Unknown>) {
    let spec = resource.inquire.spec();
    let mut filters = Vec::new();
    let mut ignored = Vec::new();
    for word in words {
        let keyword = word.keyword.as_str();
        let shown: Vec<OptionId> =
            resource.columns().map(|column| column.option).filter(|option| option.name().starts_with(keyword)).collect();
        let option = spec.option_by_abbreviation(keyword).filter(|option| option.direction.is_output());
        let unknown = || Unknown::of(keyword, spec.options.iter().filter(|option| option.direction.is_output()).map(|option| option.name));
        match &word.value {
            Some(pattern) if !shown.is_empty() => filters.push(Filter::Shown { options: shown, pattern: pattern.to_ascii_uppercase() }),
            Some(pattern) => match option.and_then(|option| Some((option, others::shape(option)?))) {
                Some((option, shape)) => {
                    let column = Column { label: "", option: option.id, shape };
                    filters.push(Filter::Unseen { column, pattern: pattern.to_ascii_uppercase() });
                }
                None => ignored.push(unknown()),
            },
            None if is_name_of_value(resource, keyword) => {}
            None if is_value(resource, keyword) => filters.push(Filter::Value(keyword.to_string())),
            None if !shown.is_empty() || option.is_some() => {}
            None => ignored.push(unknown()),
        }
    }
    // There is nothing to choose from.
    if resource.naming == Naming::Single {
        filters.clear();
    }
    (filters, ignored)
}

/// An option in full that has names or numbers, such as PRIORITY.
fn is_name_of_value(resource: &Resource, keyword: &str) -> bool {
    let is_choice = |column: &Column| matches!(column.shape, Shape::Cvda | Shape::Choice(_) | Shape::Action(_));
    resource.columns().any(|column| column.option.name() == keyword && column.option != resource.name_option && !is_choice(column))
}

/// The beginning of a value that columns have.
fn is_value(resource: &Resource, keyword: &str) -> bool {
    let has = |column: &Column| match column.shape {
        Shape::Choice(values) => values.iter().any(|value| value.starts_with(keyword)),
        Shape::Cvda => cvda::names().any(|name| name.starts_with(keyword)),
        _ => false,
    };
    word_of_file(resource, keyword).is_some() || resource.columns().any(has)
}

/// CEMT's own word for what may be done with a file.
fn word_of_file(resource: &Resource, keyword: &str) -> Option<&'static str> {
    (resource.set == exec::command::SET_FILE).then(|| keywords::of_file(keyword)).flatten()
}

/// The columns an INQUIRE must ask for besides those it shows.
pub fn unseen(filters: &[Filter]) -> Vec<Column> {
    filters.iter().filter_map(|filter| if let Filter::Unseen { column, .. } = filter { Some(*column) } else { None }).collect()
}

impl Filter {
    pub fn fits(&self, resource: &Resource, row: &Row) -> bool {
        let mut cells = resource.lines.iter().zip(&row.cells).flat_map(|(line, cells)| line.iter().zip(cells));
        match self {
            Filter::Shown { options, pattern } => cells.any(|(column, cell)| options.contains(&column.option) && fits(pattern, cell)),
            Filter::Unseen { column, pattern } => row.unseen.iter().any(|(option, value)| *option == column.option && fits(pattern, value)),
            Filter::Value(word) => {
                let asked = word_of_file(resource, word).and_then(cvda::value_of);
                let is_it = |cell: &str| cell.starts_with(word.as_str()) || asked.is_some() && asked == cvda::value_of(cell);
                cells.any(|(column, cell)| matches!(column.shape, Shape::Cvda | Shape::Choice(_)) && is_it(cell))
            }
        }
    }
}

/// Numbers are the same with and without leading zeros.
fn fits(pattern: &str, value: &str) -> bool {
    command::fits(pattern, value) || command::fits(pattern.trim_start_matches('0'), value.trim_start_matches('0'))
}
