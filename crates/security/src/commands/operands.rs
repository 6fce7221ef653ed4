//! The operands of a command, checked against `tables/operands.tsv`.

use std::sync::LazyLock;

use super::report::{CommandError, failed};
use super::text::Operand;
use crate::level::Level;
use crate::moment::Moment;
use crate::name::Name8;
use crate::user::GroupAuthority;

/// What stands in the parentheses of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arguments {
    None,
    One,
    Optional,
    List,
    /// Words that may have a level in parentheses.
    Levels,
    Operands,
}

/// A row of the table.
struct Row {
    /// Commands, or one segment.
    contexts: Vec<&'static str>,
    name: &'static str,
    arguments: Arguments,
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = include_str!("../../tables/operands.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [contexts, name, arguments] = columns[..] else { panic!("operands.tsv: {line}") };
        let arguments = match arguments {
            "none" => Arguments::None,
            "one" => Arguments::One,
            "optional" => Arguments::Optional,
            "list" => Arguments::List,
            "levels" => Arguments::Levels,
            "operands" => Arguments::Operands,
            _ => panic!("operands.tsv: {line}"),
        };
        Row { contexts: contexts.split(' ').map(|context| context.trim_start_matches('.')).collect(), name, arguments }
    })
    .collect()
});

const UNKNOWN_OPERAND: u16 = 10;
const AMBIGUOUS_OPERAND: u16 = 11;
const WRONG_ARGUMENTS: u16 = 12;
const WRONG_VALUE: u16 = 13;
const CONFLICTING_OPERANDS: u16 = 14;
const MISSING_OPERAND: u16 = 15;

/// The operands that were given, by their names in the table.
#[derive(Debug, Default)]
pub(crate) struct Operands {
    given: Vec<(&'static str, Vec<Operand>)>,
    segments: Vec<(&'static str, Operands)>,
}

/// The rows that a word may stand for: the one it is, or those it begins.
fn rows_of(context: &str, word: &str) -> Vec<&'static Row> {
    let in_context = TABLE.iter().filter(|row| row.contexts.contains(&context));
    let mut found: Vec<&Row> = in_context.filter(|row| row.name.starts_with(word)).collect();
    if let Some(exact) = found.iter().position(|row| row.name == word) {
        found = vec![found[exact]];
    }
    found
}

impl Operands {
    /// Reads operands of a command or segment.
    pub fn read(context: &str, operands: Vec<Operand>) -> Result<Operands, CommandError> {
        let mut read = Operands::default();
        for operand in operands {
            let word = operand.word.to_ascii_uppercase();
            let rows = rows_of(context, &word);
            let row = match rows[..] {
                [row] if !operand.is_quoted && !word.is_empty() => row,
                [] | [_] => return Err(failed(UNKNOWN_OPERAND, format!("{context} HAS NO OPERAND {}", shown(&operand)))),
                _ => {
                    let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
                    return Err(failed(AMBIGUOUS_OPERAND, format!("{word} MAY STAND FOR {}", names.join(", "))));
                }
            };
            if read.has(row.name) {
                return Err(failed(CONFLICTING_OPERANDS, format!("{} IS THERE TWICE", row.name)));
            }
            read.add(row, operand.arguments)?;
        }
        read.check_opposites()?;
        Ok(read)
    }

    fn add(&mut self, row: &'static Row, arguments: Option<Vec<Operand>>) -> Result<(), CommandError> {
        let count = arguments.as_ref().map_or(0, Vec::len);
        let is_right = match row.arguments {
            Arguments::None => arguments.is_none(),
            Arguments::One => count == 1,
            Arguments::Optional => count <= 1,
            Arguments::List | Arguments::Levels => count >= 1,
            Arguments::Operands => arguments.is_some(),
        };
        let needs_words = !matches!(row.arguments, Arguments::Operands | Arguments::Levels);
        let are_words = || arguments.iter().flatten().all(|argument| argument.arguments.is_none());
        if !is_right || needs_words && !are_words() {
            let expected = match row.arguments {
                Arguments::None => "NO VALUE",
                Arguments::One => "ONE VALUE",
                Arguments::Optional => "AT MOST ONE VALUE",
                Arguments::List | Arguments::Levels => "ONE VALUE OR MORE",
                Arguments::Operands => "OPERANDS",
            };
            return Err(failed(WRONG_ARGUMENTS, format!("{} NEEDS {expected} IN PARENTHESES", row.name)));
        }
        let arguments = arguments.unwrap_or_default();
        if row.arguments == Arguments::Operands {
            let context = if row.name.starts_with("RULE") { "RULE" } else { row.name };
            self.segments.push((row.name, Operands::read(context, arguments)?));
            self.given.push((row.name, Vec::new()));
        } else {
            self.given.push((row.name, arguments));
        }
        Ok(())
    }

    /// An operand and its negation exclude each other.
    fn check_opposites(&self) -> Result<(), CommandError> {
        for (name, _) in &self.given {
            if let Some(positive) = name.strip_prefix("NO").filter(|positive| self.has(positive)) {
                return Err(failed(CONFLICTING_OPERANDS, format!("{positive} AND {name} EXCLUDE EACH OTHER")));
            }
        }
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    /// The names of all operands.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.given.iter().map(|(name, _)| *name)
    }

    /// On, off, or as it was: an operand and its negation.
    pub fn flag(&self, name: &str) -> Option<bool> {
        if self.has(name) {
            return Some(true);
        }
        self.given.iter().any(|(given, _)| given.strip_prefix("NO") == Some(name)).then_some(false)
    }

    /// The values of an operand; none if it was not given.
    pub fn values(&self, name: &str) -> Option<&[Operand]> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, values)| &values[..])
    }

    /// The one value of an operand, as it was written.
    pub fn value(&self, name: &str) -> Option<&Operand> {
        self.values(name)?.first()
    }

    /// The value of an operand, in upper case unless it is quoted.
    pub fn text(&self, name: &str) -> Option<String> {
        self.value(name).map(folded)
    }

    pub fn segment(&self, name: &str) -> Option<&Operands> {
        self.segments.iter().find(|(given, _)| *given == name).map(|(_, operands)| operands)
    }

    pub fn name(&self, operand: &str) -> Result<Option<Name8>, CommandError> {
        self.value(operand).map(|value| name_of(operand, value)).transpose()
    }

    pub fn names_of(&self, operand: &str) -> Result<Option<Vec<Name8>>, CommandError> {
        self.values(operand).map(|values| values.iter().map(|value| name_of(operand, value)).collect()).transpose()
    }

    pub fn level(&self, operand: &str) -> Result<Option<Level>, CommandError> {
        let level = |text: String| Level::of_name(&text).ok_or_else(|| wrong(operand, &text));
        self.text(operand).map(level).transpose()
    }

    pub fn group_authority(&self) -> Result<Option<GroupAuthority>, CommandError> {
        let authority = |text: String| {
            let found = GroupAuthority::ALL.into_iter().find(|authority| authority.name() == text);
            found.ok_or_else(|| wrong("AUTHORITY", &text))
        };
        self.text("AUTHORITY").map(authority).transpose()
    }

    /// A number in a range.
    pub fn number(&self, operand: &str, range: std::ops::RangeInclusive<u32>) -> Result<Option<u32>, CommandError> {
        self.value(operand).map(|value| number_of(operand, value, range)).transpose()
    }

    pub fn numbers(&self, operand: &str, range: std::ops::RangeInclusive<u32>) -> Result<Option<Vec<u32>>, CommandError> {
        let numbers = |values: &[Operand]| values.iter().map(|value| number_of(operand, value, range.clone())).collect();
        self.values(operand).map(numbers).transpose()
    }

    /// YES or NO.
    pub fn yes_or_no(&self, operand: &str) -> Result<Option<bool>, CommandError> {
        self.one_of(operand, &[("YES", true), ("NO", false)])
    }

    pub fn one_of<T: Copy>(&self, operand: &str, words: &[(&str, T)]) -> Result<Option<T>, CommandError> {
        let value = |text: String| {
            let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
            found.ok_or_else(|| wrong(operand, &text))
        };
        self.text(operand).map(value).transpose()
    }

    /// A text of at most so many characters.
    pub fn bounded_text(&self, operand: &str, length_max: usize) -> Result<Option<String>, CommandError> {
        let Some(value) = self.value(operand) else { return Ok(None) };
        if value.word.chars().count() > length_max {
            return Err(failed(WRONG_VALUE, format!("{operand} HAS MORE THAN {length_max} CHARACTERS")));
        }
        Ok(Some(value.word.clone()))
    }

    /// A date: mm/dd/yy or mm/dd/yyyy, of which two digits up to 70 are of this century.
    pub fn date(&self, operand: &str) -> Result<Option<Moment>, CommandError> {
        let Some(text) = self.text(operand) else { return Ok(None) };
        let parts: Option<Vec<i64>> = text.split('/').map(|part| part.parse().ok()).collect();
        let moment = match parts.as_deref() {
            Some([month, day, year @ 0..=70]) => Moment::of_date(2000 + year, *month, *day),
            Some([month, day, year @ 71..=99]) => Moment::of_date(1900 + year, *month, *day),
            Some([month, day, year]) => Moment::of_date(*year, *month, *day),
            _ => None,
        };
        moment.map(Some).ok_or_else(|| wrong(operand, &text))
    }

    /// The value that a command cannot do without.
    pub fn required<T>(operand: &str, value: Option<T>) -> Result<T, CommandError> {
        value.ok_or_else(|| failed(MISSING_OPERAND, format!("{operand} IS MISSING")))
    }
}

/// How an operand was written.
fn shown(operand: &Operand) -> String {
    if operand.word.is_empty() { "()".to_string() } else { operand.word.to_ascii_uppercase() }
}

/// A value in upper case unless it is quoted.
pub(crate) fn folded(value: &Operand) -> String {
    if value.is_quoted { value.word.clone() } else { value.word.to_ascii_uppercase() }
}

pub(crate) fn wrong(operand: &str, value: &str) -> CommandError {
    failed(WRONG_VALUE, format!("{operand} CANNOT HAVE THE VALUE {value}"))
}

pub(crate) fn name_of(operand: &str, value: &Operand) -> Result<Name8, CommandError> {
    let is_padded = value.word.ends_with(' ');
    Name8::new(&value.word).ok().filter(|_| !is_padded).ok_or_else(|| wrong(operand, &value.word))
}

fn number_of(operand: &str, value: &Operand, range: std::ops::RangeInclusive<u32>) -> Result<u32, CommandError> {
    let is_number = !value.word.is_empty() && value.word.len() <= 9 && value.word.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.word.parse().ok().filter(|number| is_number && range.contains(number));
    number.ok_or_else(|| failed(WRONG_VALUE, format!("{operand} MUST BE FROM {} TO {}", range.start(), range.end())))
}

/// The names of a positional operand: one word, or a list in parentheses.
pub(crate) fn positional(operand: &str, given: Option<Operand>) -> Result<Vec<Operand>, CommandError> {
    let given = Operands::required(operand, given)?;
    match given.arguments {
        None => Ok(vec![given]),
        Some(list) if given.word.is_empty() && !list.is_empty() && list.iter().all(|value| value.arguments.is_none()) => Ok(list),
        Some(_) => Err(failed(MISSING_OPERAND, format!("{operand} IS MISSING"))),
    }
}
