//! DD names on the command line: `--dd NAME=PATH`, `--dd NAME=PATH:fixed:80`, `--dd NAME=dataset:A.B.C`.

use std::path::PathBuf;
use std::str::FromStr;

use vsam::idcams::{DdResolver, DdTarget, RecordFormat};

/// What a DD name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DdArgument {
    pub name: String,
    pub target: Target,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A data set of the catalog in the data directory.
    DataSet(String),
    File { path: PathBuf, format: FileFormat },
    Dummy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// The length comes from the program's or the target's record.
    Unspecified,
    Fixed(usize),
    Variable,
    Text,
}

/// As on a DD statement: 1 to 8 letters, digits and national characters.
const DD_NAME_LENGTH_MAX: usize = 8;
/// The longest logical record of a sequential data set.
const RECORD_LENGTH_MAX: usize = 32_760;

impl FromStr for DdArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<DdArgument, String> {
        let (name, value) = text.split_once('=').ok_or("NAME=PATH is expected")?;
        if name.is_empty() || name.len() > DD_NAME_LENGTH_MAX || !name.chars().all(|c| c.is_ascii_alphanumeric() || "#@$".contains(c)) {
            return Err(format!("{name}: a DD name has 1 to {DD_NAME_LENGTH_MAX} letters, digits, # @ $"));
        }
        Ok(DdArgument { name: name.to_uppercase(), target: target(value)? })
    }
}

fn target(value: &str) -> Result<Target, String> {
    if value.eq_ignore_ascii_case("dummy") {
        return Ok(Target::Dummy);
    }
    if let Some(name) = value.strip_prefix("dataset:") {
        return Ok(Target::DataSet(name.to_uppercase()));
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
        _ => return Err(format!("{value}: PATH, PATH:fixed:LENGTH, PATH:variable or PATH:text is expected")),
    };
    Ok(Target::File { path, format })
}

/// The DD names of one command.
pub struct DdArguments<'a>(pub &'a [DdArgument]);

impl DdResolver for DdArguments<'_> {
    fn resolve_dd(&self, name: &str) -> Option<DdTarget> {
        let argument = self.0.iter().find(|argument| argument.name.eq_ignore_ascii_case(name))?;
        Some(match &argument.target {
            Target::DataSet(name) => DdTarget::DataSet(name.clone()),
            Target::Dummy => DdTarget::Dummy,
            Target::File { path, format } => DdTarget::File { path: path.clone(), format: record_format(*format) },
        })
    }
}

fn record_format(format: FileFormat) -> RecordFormat {
    match format {
        // The length of the record on the other side.
        FileFormat::Unspecified => RecordFormat::Fixed(0),
        FileFormat::Fixed(length) => RecordFormat::Fixed(length),
        FileFormat::Variable => RecordFormat::Variable,
        FileFormat::Text => RecordFormat::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_errors() {
        let parse = |text: &str| text.parse::<DdArgument>();
        assert_eq!(parse("in=/a/b").unwrap().name, "IN");
        assert_eq!(parse("A=x:fixed:32760").unwrap().target, Target::File { path: "x".into(), format: FileFormat::Fixed(32_760) });
        assert_eq!(parse("A=dataset:p.q").unwrap().target, Target::DataSet("P.Q".into()));
        assert_eq!(parse("A=dummy").unwrap().target, Target::Dummy);
        for wrong in ["A", "=x", "ABCDEFGHI=x", "A=x:fixed", "A=x:fixed:0", "A=x:fixed:32761", "A=x:odd", "A-B=x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
