//! What messages and abend codes mean, and what to do: `tables/codes.tsv`, besides the messages of the region and the conditions of commands.
//!
//! CMAC shows them at a terminal, `regent help` at a shell.

use exec::ConditionSpec;
use region::messages::{Destination, Row, Severity, table};

/// Identifier, text, what to do; a test compares the identifiers with those that the sources use.
const TABLE: &str = include_str!("../tables/codes.tsv");

/// Text and what to do of an abend code, of a message of IDCAMS or of a compiler. The latter is found with and without its severity, which is
/// behind a hyphen.
pub fn code(word: &str) -> Option<(&'static str, Vec<&'static str>)> {
    let wanted = word.split('-').next().unwrap_or(word);
    let rows = TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'));
    let (id, texts) = rows.filter_map(|mut row| Some((row.next()?, row))).find(|(id, _)| *id == wanted)?;
    Some((id, texts.filter(|text| !text.is_empty()).collect()))
}

/// The condition that has this abend code.
pub fn condition_of_abend(code: &str) -> Option<&'static ConditionSpec> {
    exec::catalogue().conditions.iter().find(|spec| spec.abend_code == Some(code))
}

/// A message of the region by its identifier.
pub fn message(id: &str) -> Option<(&'static str, &'static Row)> {
    table().get_key_value(id).map(|(id, row)| (*id, row))
}

/// How severe a message is and where it goes, as sentences.
pub fn importance(row: &Row) -> String {
    let severity = match row.severity {
        Severity::Information => "Information.",
        Severity::Warning => "A warning.",
        Severity::Error => "An error.",
    };
    let destination = match row.destination {
        Destination::Terminal => "The message is shown at the terminal of the task.",
        Destination::Log => "The message is written to a transient data queue of the region.",
        Destination::Console => "The message is sent to the operator: `regent up` prints it.",
    };
    format!("{severity} {destination}")
}
