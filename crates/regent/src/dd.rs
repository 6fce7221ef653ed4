//! DD names on the command line: `--dd NAME=PATH`, `--dd NAME=PATH:fixed:80`, `--dd NAME=dataset:A.B.C`.

use std::path::Path;
use std::str::FromStr;

use program::batch::{DataDefinition, FileFormat};
use vsam::idcams::{DataClass, DdResolver, DdTarget, RecordFormat};

use crate::sequential::{rename_sequential, scratch_sequential, sequential_path};
use crate::work_directory::WorkDirectory;

/// A DD name and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DdArgument {
    pub name: String,
    pub target: DataDefinition,
}

/// As on a DD statement: 1 to 8 letters, digits and national characters.
const DD_NAME_LENGTH_MAX: usize = 8;
impl FromStr for DdArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<DdArgument, String> {
        let (name, value) = text.split_once('=').ok_or("NAME=PATH is expected")?;
        if name.is_empty() || name.len() > DD_NAME_LENGTH_MAX || !name.chars().all(|c| c.is_ascii_alphanumeric() || "#@$".contains(c)) {
            return Err(format!("{name}: a DD name has 1 to {DD_NAME_LENGTH_MAX} letters, digits, # @ $"));
        }
        Ok(DdArgument { name: name.to_uppercase(), target: value.parse()? })
    }
}

/// A data class on the command line, `NAME=compaction`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataClassArgument {
    name: String,
    class: DataClass,
}

impl FromStr for DataClassArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<DataClassArgument, String> {
        match text.split_once('=') {
            Some((name, "compaction")) if !name.is_empty() => {
                Ok(DataClassArgument { name: name.to_uppercase(), class: DataClass { compaction: true } })
            }
            _ => Err("NAME=compaction is expected".to_string()),
        }
    }
}

/// The DD names of one command, and the data directory beside which its flat files are kept, if it deletes any.
pub struct DdArguments<'a> {
    pub dds: &'a [DdArgument],
    pub data: Option<&'a Path>,
    pub data_classes: &'a [DataClassArgument],
}

impl DdResolver for DdArguments<'_> {
    fn resolve_dd(&self, name: &str) -> Option<DdTarget> {
        let argument = self.dds.iter().find(|argument| argument.name.eq_ignore_ascii_case(name))?;
        Some(match &argument.target {
            DataDefinition::DataSet { name, .. } => DdTarget::DataSet(name.clone()),
            DataDefinition::Dummy => DdTarget::Dummy,
            DataDefinition::File { path, format } => DdTarget::File { path: path.clone(), format: record_format(*format) },
        })
    }

    /// A sequential data set that a batch program has made.
    fn resolve_data_set(&self, name: &str) -> Option<DdTarget> {
        let data = self.data?;
        let path = sequential_path(&WorkDirectory::of_store(data), name);
        path.is_file().then_some(DdTarget::File { path, format: RecordFormat::Fixed(0) })
    }

    fn data_class(&self, name: &str) -> Option<DataClass> {
        self.data_classes.iter().find(|class| class.name == name).map(|class| class.class)
    }

    fn scratch(&self, name: &str) -> std::io::Result<bool> {
        self.data.map_or(Ok(false), |data| scratch_sequential(&WorkDirectory::of_store(data), name))
    }

    fn rename(&self, name: &str, new_name: &str) -> std::io::Result<bool> {
        self.data.map_or(Ok(false), |data| rename_sequential(&WorkDirectory::of_store(data), name, new_name))
    }
}

fn record_format(format: FileFormat) -> RecordFormat {
    match format {
        // The length of the record on the other side.
        FileFormat::Unspecified => RecordFormat::Fixed(0),
        FileFormat::Fixed(length) => RecordFormat::Fixed(length),
        FileFormat::Variable => RecordFormat::Variable,
        FileFormat::Blocked => RecordFormat::Blocked,
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
        assert_eq!(parse("A=x:fixed:32760").unwrap().target, DataDefinition::File { path: "x".into(), format: FileFormat::Fixed(32_760) });
        assert_eq!(parse("A=dataset:p.q").unwrap().target, DataDefinition::DataSet { name: "P.Q".into(), new: false });
        assert_eq!(parse("A=dummy").unwrap().target, DataDefinition::Dummy);
        assert!("cust=compaction".parse::<DataClassArgument>().is_ok_and(|class| class.name == "CUST"));
        assert!("CUST".parse::<DataClassArgument>().is_err() && "CUST=zip".parse::<DataClassArgument>().is_err());
        for wrong in ["A", "=x", "ABCDEFGHI=x", "A=x:fixed", "A=x:fixed:0", "A=x:fixed:32761", "A=x:odd", "A-B=x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
