//! The fields of a record of the database unload utility, by `tables/unload.tsv`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::level::Level;
use crate::moment::Moment;
use crate::name::Name8;
use crate::profile::AuditRule;

/// Positions from 0, the last excluded, by type and field.
static FIELDS: LazyLock<FxHashMap<(&str, &str), (usize, usize)>> = LazyLock::new(|| {
    let rows = include_str!("../../tables/unload.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [record, field, first, last] = columns[..] else { panic!("unload.tsv: {line}") };
        ((record, field), (first.parse::<usize>().expect("a position") - 1, last.parse().expect("a position")))
    })
    .collect()
});

/// A record.
pub(super) struct Record<'a> {
    /// Its type, four characters.
    pub of: &'a str,
    line: &'a str,
}

impl<'a> Record<'a> {
    /// The record of a line; none if it is too short to be one, or not of single-byte characters up to its names.
    pub fn new(line: &'a str) -> Option<Record<'a>> {
        Some(Record { of: line.get(..4)?, line })
    }

    /// Whether its type is one: a digit, and three digits or letters.
    pub fn has_type(&self) -> bool {
        let is_type = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
        self.of.starts_with(|first: char| first.is_ascii_digit()) && self.of.bytes().all(is_type)
    }

    /// Whether fields of its type are used.
    pub fn is_used(&self) -> bool {
        FIELDS.contains_key(&(self.of, "NAME"))
    }

    /// A field without the blanks around it; empty if the record ends before.
    pub fn text(&self, field: &str) -> &'a str {
        let (start, end) = FIELDS[&(self.of, field)];
        // Positions count characters, of which data of the installation may have several bytes.
        let at = |position: usize| match self.line.is_ascii() {
            true => position.min(self.line.len()),
            false => self.line.char_indices().nth(position).map_or(self.line.len(), |(at, _)| at),
        };
        self.line[at(start)..at(end)].trim()
    }

    pub fn name(&self, field: &str) -> Option<Name8> {
        Name8::new(self.text(field)).ok()
    }

    pub fn is_yes(&self, field: &str) -> bool {
        self.text(field).eq_ignore_ascii_case("YES")
    }

    pub fn level(&self, field: &str) -> Level {
        Level::of_name(self.text(field)).unwrap_or(Level::None)
    }

    pub fn number(&self, field: &str) -> Option<u32> {
        self.text(field).parse().ok()
    }

    /// A date, yyyy-mm-dd.
    pub fn date(&self, field: &str) -> Option<Moment> {
        let parts: Option<Vec<i64>> = self.text(field).split('-').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some([year, month, day]) => Moment::of_date(*year, *month, *day),
            _ => None,
        }
    }

    /// A time, hh:mm:ss or hh:mm, in seconds.
    pub fn seconds(&self, field: &str) -> Option<i64> {
        let parts: Option<Vec<i64>> =
            self.text(field).split(':').map(|part| part.parse().ok().filter(|part| (0..=99).contains(part))).collect();
        match parts.as_deref() {
            Some([hours, minutes]) => Some(hours * 3600 + minutes * 60),
            Some([hours, minutes, seconds]) => Some(hours * 3600 + minutes * 60 + seconds),
            _ => None,
        }
    }

    /// An audit rule: which attempts, and from which level each kind.
    pub fn audit(&self, level: &str, successes: &str, failures: &str) -> AuditRule {
        let from = |field: &str| Some(Level::of_name(self.text(field)).unwrap_or(Level::Read));
        match self.text(level) {
            "ALL" => AuditRule { successes_from: from(successes), failures_from: from(failures) },
            "SUCCESS" => AuditRule { successes_from: from(successes), failures_from: None },
            "FAIL" => AuditRule { successes_from: None, failures_from: from(failures) },
            _ => AuditRule::NONE,
        }
    }
}
