//! The meaning of a DD name, as written on a command line or in an environment variable `DD_NAME`.

use std::path::PathBuf;
use std::str::FromStr;

/// The allocation of a DD name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataDefinition {
    /// A data set of the catalog. `new`: it is defined when a program opens it and it is not there (DISP=(NEW,CATLG)).
    DataSet {
        name: String,
        new: bool,
    },
    File {
        path: PathBuf,
        format: FileFormat,
    },
    /// Reads are at the end at once, writes go nowhere.
    Dummy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// The format follows from the record of the program or of the target.
    Unspecified,
    /// Records of one length without anything between them.
    Fixed(usize),
    /// A record descriptor word before each record.
    Variable,
    /// The same in blocks, with a block descriptor word before each.
    Blocked,
    /// Lines of text in UTF-8.
    Text,
}

/// The longest logical record of a sequential data set.
pub const RECORD_LENGTH_MAX: usize = 32_760;

impl FromStr for DataDefinition {
    type Err = String;

    fn from_str(value: &str) -> Result<DataDefinition, String> {
        if value.eq_ignore_ascii_case("dummy") {
            return Ok(DataDefinition::Dummy);
        }
        for (prefix, new) in [("dataset:", false), ("newdataset:", true)] {
            if let Some(name) = value.strip_prefix(prefix) {
                let new = new || relative_generation(name).is_some_and(|relative| relative > 0);
                return Ok(DataDefinition::DataSet { name: name.to_uppercase(), new });
            }
        }
        if let Some(relative) = relative_generation(value) {
            return Ok(DataDefinition::DataSet { name: value.to_uppercase(), new: relative > 0 });
        }
        let mut parts = value.split(':');
        let path = PathBuf::from(parts.next().unwrap_or_default());
        let format = match (parts.next(), parts.next()) {
            (None, _) => FileFormat::Unspecified,
            (Some("fixed"), Some(length)) => match length.parse() {
                Ok(length @ 1..=RECORD_LENGTH_MAX) => FileFormat::Fixed(length),
                _ => return Err(format!("{length}: a record length from 1 to {RECORD_LENGTH_MAX} is expected")),
            },
            (Some("variable"), None) => FileFormat::Variable,
            (Some("blocked"), None) => FileFormat::Blocked,
            (Some("text"), None) => FileFormat::Text,
            _ => {
                return Err(format!(
                    "{value}: PATH, PATH:fixed:LENGTH, PATH:variable, PATH:blocked, PATH:text, dataset:DSN, newdataset:DSN, GROUP(+1), GROUP(0) or dummy is expected"
                ));
            }
        };
        Ok(DataDefinition::File { path, format })
    }
}

/// The relative number of a generation, when the text is a data set name with one: `A.B(+1)`, `A.B(0)`, `A.B(-1)`.
pub fn relative_generation(text: &str) -> Option<i32> {
    let (name, number) = text.strip_suffix(')')?.split_once('(')?;
    let named = name.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "#@$-".contains(c)));
    let relative = number.strip_prefix('+').unwrap_or(number).parse().ok()?;
    named.then_some(relative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_are_data_sets_and_those_to_come_are_new() {
        for (text, new) in
            [("a.b(+1)", true), ("A.B(0)", false), ("A.B(-2)", false), ("dataset:A.B(+1)", true), ("newdataset:A.B(0)", true)]
        {
            let name = text.rsplit(':').next().unwrap_or_default().to_uppercase();
            assert_eq!(text.parse(), Ok(DataDefinition::DataSet { name, new }), "{text}");
        }
        for text in ["/tmp/a(1)", "A..B(1)", "A.B(x)", "A.B()"] {
            assert_eq!(relative_generation(text), None, "{text}");
        }
    }
}
