//! The table of system initialization parameters (`tables/sit.tsv`): which parameters there are, their defaults, and what each accepts.
//!
//! Invariant: names are unique. SET commands take the bounds of their numbers from here.

use csd::range::{Range, scaled};
use kernel::trace::Component;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../tables/sit.tsv");

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A text; the table has its most characters, without the quotes around it.
    Text,
    /// A name, or positional names separated by commas: the most characters of each.
    Name,
    Choice,
    /// YES, NO, or the name of a class of resources without its first letter.
    Class,
    Number,
    /// A time of day or an interval, hhmmss.
    Time,
    /// An interval of hours and minutes, hhmm.
    HoursAndMinutes,
    /// Bytes, with K, M or G.
    Size,
    /// Positional values, separated by commas; an omitted one has its default.
    List,
    /// Trace levels: `1`, `(1,2)`, ALL or OFF. The table has the highest.
    Levels,
    /// Trace levels of the component whose code ends the name (STNTRAP).
    Component,
    /// A family of parameters whose name continues (SKRPF1).
    Prefix,
}

/// Longest name of a class of resources, without its first letter.
const CLASS_LENGTH_MAX: usize = 7;

/// Lists of buffers and strings.
const HAVE_STRINGS: [&str; 2] = ["TD", "TS"];

#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    kind: Kind,
    pub default: &'static str,
    accepts: &'static str,
}

impl Parameter {
    /// A family of parameters, and none itself.
    pub fn is_prefix(&self) -> bool {
        matches!(self.kind, Kind::Prefix)
    }
}

/// An override that is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SitError {
    #[error("DFHPA1912 {0} is not a system initialization parameter")]
    Unknown(String),
    #[error("DFHPA1909 {name}={value}: {expected} is expected")]
    Value { name: &'static str, value: String, expected: String },
    #[error("DFHPA1909 {0} cannot be given at the console")]
    NotAtConsole(String),
    #[error("DFHPA1909 {name}={value}: {reason}")]
    Refused { name: String, value: String, reason: &'static str },
    #[error("DFHPA1915 {0:?} is not of the form NAME=VALUE")]
    Form(String),
}

pub fn parameters() -> &'static [Parameter] {
    static PARAMETERS: OnceLock<Vec<Parameter>> = OnceLock::new();
    PARAMETERS.get_or_init(|| {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        rows.map(|line| {
            let columns: Vec<&'static str> = line.split('\t').collect();
            let kind = match columns[1] {
                "name" => Kind::Name,
                "choice" => Kind::Choice,
                "class" => Kind::Class,
                "number" => Kind::Number,
                "time" => Kind::Time,
                "hhmm" => Kind::HoursAndMinutes,
                "size" => Kind::Size,
                "list" => Kind::List,
                "levels" => Kind::Levels,
                "component" => Kind::Component,
                "prefix" => Kind::Prefix,
                "text" => Kind::Text,
                other => panic!("{other} is not a kind of system initialization parameter"),
            };
            Parameter { name: columns[0], kind, default: columns[2], accepts: columns[3] }
        })
        .collect()
    })
}

pub(super) fn find(name: &str) -> Option<&'static Parameter> {
    let exact = parameters().iter().find(|parameter| parameter.name == name && !parameter.is_family());
    exact.or_else(|| parameters().iter().find(|parameter| parameter.has_member(name)))
}

impl Parameter {
    /// The name of a member continues this one.
    fn is_family(&self) -> bool {
        matches!(self.kind, Kind::Prefix | Kind::Component)
    }

    fn has_member(&self, name: &str) -> bool {
        match (self.kind, name.strip_prefix(self.name)) {
            (Kind::Prefix, Some(rest)) => !rest.is_empty(),
            (Kind::Component, Some(code)) => Component::from_code(code).is_some(),
            _ => false,
        }
    }

    fn ranges(&self) -> Vec<Range> {
        let range = |text| Range::parse(text).unwrap_or_else(|| panic!("{text} in the table of system initialization parameters"));
        self.accepts.split('|').filter(|text| !text.is_empty()).map(range).collect()
    }

    /// The value in force when a number is asked for: numbers are rounded down to a multiple of the step, sizes up.
    fn in_force(&self, number: u64) -> Option<u64> {
        let ranges = self.ranges();
        let range = ranges.iter().find(|range| range.contains(number));
        match self.kind {
            Kind::Number => range.map(|range| range.rounded_down(number)),
            Kind::Size if ranges.is_empty() => Some(number),
            Kind::Size => range.map(|range| range.rounded_up(number)),
            _ => None,
        }
    }

    /// The values it accepts, in words.
    pub fn expected(&self) -> String {
        match self.kind {
            Kind::Text if self.accepts.is_empty() => "a text".to_string(),
            Kind::Text => format!("a text of at most {} characters", self.accepts),
            Kind::Prefix => format!("a text; the name continues with {}", self.accepts),
            Kind::Levels | Kind::Component => {
                format!("ALL, OFF, or levels from 1 to {} in parentheses", self.accepts.parse().unwrap_or(1u32))
            }
            Kind::Name => format!("a name of 1 to {} characters A-Z, 0-9, $, @ and #", self.accepts.split(';').next().unwrap_or_default()),
            Kind::Choice => self.accepts.replace('|', ", "),
            Kind::Class => format!("YES, NO or a name of 1 to {CLASS_LENGTH_MAX} characters A-Z, 0-9, $, @ and #"),
            Kind::Number => said(&self.ranges()),
            Kind::Time => {
                let said = |range: &Range| format!("a time hhmmss from {:06} to {:06}", range.low, range.high);
                self.ranges().iter().map(said).collect::<Vec<_>>().join(" or ")
            }
            Kind::HoursAndMinutes => format!("hours and minutes hhmm, {}", said(&self.ranges())),
            Kind::List => format!("({})", self.accepts.replace(';', ",")),
            Kind::Size if self.accepts.is_empty() => "a number of bytes, with K, M or G".to_string(),
            Kind::Size => format!("a size of {}", self.accepts.replace('/', " in multiples of ")),
        }
    }

    /// The value as it is kept, of an override.
    pub(super) fn check(&self, name: &str, value: &str) -> Result<String, SitError> {
        let error = |expected: String| SitError::Value { name: self.name, value: value.to_string(), expected };
        match self.kind {
            Kind::Text if self.accepts.parse().is_ok_and(|longest: usize| unquoted(value).chars().count() > longest) => {
                Err(error(self.expected()))
            }
            Kind::Text | Kind::Prefix => Ok(value.to_string()),
            Kind::Levels | Kind::Component => {
                let of_component = name.strip_prefix(self.name).and_then(Component::from_code).map(Component::levels);
                let highest = of_component.or_else(|| self.accepts.parse().ok()).unwrap_or(1);
                let folded = value.to_ascii_uppercase();
                let expected = || format!("ALL, OFF, or levels from 1 to {highest} in parentheses");
                levels(&folded, highest).map(|_| folded.clone()).ok_or_else(|| error(expected()))
            }
            Kind::Name => {
                let folded = value.to_ascii_uppercase();
                let lengths: Vec<usize> = self.accepts.split(';').filter_map(|length| length.parse().ok()).collect();
                let given = parts(&folded);
                let fits = |(name, length): (&&str, &usize)| (1..=*length).contains(&name.len()) && name.bytes().all(is_of_name);
                let is_list = folded.starts_with('(') && folded.ends_with(')');
                let are_names = given.len() <= lengths.len() && given.iter().zip(&lengths).all(fits);
                let accepted = are_names && (is_list || given == [folded.as_str()]);
                accepted.then_some(folded).ok_or_else(|| error(self.expected()))
            }
            Kind::Choice => {
                let folded = value.to_ascii_uppercase();
                let accepted = self.accepts.split('|').any(|choice| choice == folded);
                accepted.then_some(folded).ok_or_else(|| error(self.expected()))
            }
            Kind::Class => {
                let folded = value.to_ascii_uppercase();
                let is_name = (1..=CLASS_LENGTH_MAX).contains(&folded.len()) && folded.bytes().all(is_of_name);
                is_name.then_some(folded).ok_or_else(|| error(self.expected()))
            }
            Kind::Number => {
                let in_force = value.parse().ok().and_then(|number| self.in_force(number));
                in_force.map(|number| number.to_string()).ok_or_else(|| error(self.expected()))
            }
            Kind::Time => {
                let ranges = self.ranges();
                let is_time =
                    |number: &u64| number / 100 % 100 < 60 && number % 100 < 60 && ranges.iter().any(|range| range.contains(*number));
                let time = value.parse().ok().filter(|number| value.len() <= 6 && is_time(number));
                time.map(|_| value.to_string()).ok_or_else(|| error(self.expected()))
            }
            Kind::HoursAndMinutes => {
                let is_interval = |number: &u64| number % 100 < 60 && self.ranges().iter().any(|range| range.contains(*number));
                let interval = value.parse().ok().filter(|number| value.len() <= 4 && is_interval(number));
                interval.map(|_| value.to_string()).ok_or_else(|| error(self.expected()))
            }
            Kind::List => {
                let folded = value.to_ascii_uppercase();
                let places: Vec<&str> = self.accepts.split(';').collect();
                let given = parts(&folded);
                let fits = |(part, accepts): (&&str, &&str)| part.is_empty() || accepts.split('|').any(|one| accepts_part(one, part));
                // TD and TS end with the numbers of buffers and of strings: the strings must not exceed the buffers.
                let number = |at: usize| part_of(&folded, at).or_else(|| part_of(self.default, at))?.parse::<u32>().ok();
                let balanced = !HAVE_STRINGS.contains(&self.name) || number(places.len() - 1) <= number(places.len() - 2);
                let accepted = given.len() <= places.len() && given.iter().zip(&places).all(fits) && balanced;
                accepted.then_some(folded).ok_or_else(|| error(self.expected()))
            }
            Kind::Size => {
                let Some(size) = scaled(value) else { return Err(error("a number of bytes, with K, M or G".to_string())) };
                match self.in_force(size) {
                    Some(rounded) if rounded != size => Ok(rounded.to_string()),
                    Some(_) => Ok(value.to_ascii_uppercase()),
                    None => Err(error(self.expected())),
                }
            }
        }
    }
}

/// Trace levels by bit, level 1 the lowest; `None` if the value is not one of levels up to the highest.
pub fn levels(value: &str, highest: u32) -> Option<u32> {
    match value {
        "ALL" => Some((1 << highest) - 1),
        "OFF" => Some(0),
        _ => parts(value).iter().try_fold(0, |levels, part| {
            let level = part.parse::<u32>().ok().filter(|level| (1..=highest).contains(level))?;
            Some(levels | 1 << (level - 1))
        }),
    }
}

/// The value in force when SET asks for a number in place of that of a parameter; `None` if the parameter does not accept it.
pub fn accepted(name: &str, number: u64) -> Option<u64> {
    known(name).in_force(number)
}

/// What a parameter accepts, for an operator: `0 or 50 to 65535`.
pub fn bounds(name: &str) -> String {
    let ranges = known(name).accepts.split('|').map(|range| range.split('/').next().unwrap_or(range).replace('-', " to "));
    ranges.collect::<Vec<_>>().join(" or ")
}

/// A parameter that the program names.
pub(super) fn known(name: &str) -> &'static Parameter {
    find(name).unwrap_or_else(|| panic!("{name} is not a system initialization parameter"))
}

/// The numbers that are expected, in words.
fn said(ranges: &[Range]) -> String {
    let words = ranges.iter().map(|Range { low, high, .. }| match low == high {
        true => low.to_string(),
        false => format!("a number from {low} to {high}"),
    });
    words.collect::<Vec<_>>().join(" or ")
}

/// A text without the quotes around it.
pub(super) fn unquoted(text: &str) -> &str {
    text.trim_matches('\'')
}

fn parts(value: &str) -> Vec<&str> {
    value.trim_matches(['(', ')']).split(',').map(str::trim).collect()
}

pub(super) fn part_of(value: &str, at: usize) -> Option<&str> {
    parts(value).get(at).copied().filter(|part| !part.is_empty())
}

/// The characters of names on z/OS.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"$@#".contains(&byte)
}

/// A value of a list is that word, or a number of that range.
fn accepts_part(accepts: &str, part: &str) -> bool {
    let range = accepts.split_once('-').and_then(|(low, high)| Some((low.parse::<u32>().ok()?, high.parse::<u32>().ok()?)));
    match range {
        Some((low, high)) => part.parse().is_ok_and(|number: u32| (low..=high).contains(&number)),
        None => accepts == part,
    }
}
