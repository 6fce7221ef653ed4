//! What a DD name stands for, as it is written on a command line or in an environment variable `DD_NAME`.

use std::path::PathBuf;
use std::str::FromStr;

/// The allocation of a DD name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataDefinition {
    /// A data set of the catalog. `new`: it is defined when a program opens it and it is not there (DISP=(NEW,CATLG)).
    DataSet { name: String, new: bool },
    File { path: PathBuf, format: FileFormat },
    /// Reads are at the end at once, writes go nowhere.
    Dummy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// The format comes from the program's or the target's record.
    Unspecified,
    /// Records of one length without anything between them.
    Fixed(usize),
    /// A record descriptor word before each record.
    Variable,
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
                return Ok(DataDefinition::DataSet { name: name.to_uppercase(), new });
            }
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
            (Some("text"), None) => FileFormat::Text,
            _ => {
                return Err(format!(
                    "{value}: PATH, PATH:fixed:LENGTH, PATH:variable, PATH:text, dataset:DSN, newdataset:DSN or dummy is expected"
                ));
            }
        };
        Ok(DataDefinition::File { path, format })
    }
}
