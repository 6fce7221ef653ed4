//! `regent.toml`: the settings that `regent up` cannot infer from an application's directory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::trace::auxiliary::{BYTES_DEFAULT, BYTES_MIN};
use region::shutdown::assist::Intervals;
use serde::Deserialize;

use crate::database::Settings as DatabaseSettings;

pub const FILE_NAME: &str = "regent.toml";

/// The whole file. Every table is optional; an unknown key is an error that names it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Configuration {
    /// Values of symbols in JCL and control statements: `&HLQ`, `<HLQ>`, `@HLQ@`.
    pub symbols: BTreeMap<String, String>,
    /// System initialization parameters by their CICS names.
    pub sit: BTreeMap<String, toml::Value>,
    /// DD names of the region: name to a file or directory, relative to the application's directory.
    pub dd: BTreeMap<String, PathBuf>,
    /// Where the records of a sequential data set or DD are.
    pub data: BTreeMap<String, DataSource>,
    /// Batch programs that make data before the jobs run.
    pub batch: Vec<BatchStep>,
    /// Data classes, as storage management has them, by name.
    #[serde(rename = "data-classes")]
    pub data_classes: BTreeMap<String, DataClass>,
    /// Load modules of other names than their programs': name to PROGRAM-ID or source.
    pub modules: BTreeMap<String, String>,
    pub source: Sources,
    /// The SQL database, and further ones by their locations.
    #[serde(deserialize_with = "crate::database::read_tables")]
    pub database: Option<DatabaseSettings>,
    pub compiler: Compiler,
    #[serde(rename = "language-environment")]
    pub language_environment: LanguageEnvironment,
    #[serde(rename = "shutdown-assist")]
    pub shutdown_assist: ShutdownAssist,
    pub dumps: Dumps,
    pub trace: Trace,
}

/// The auxiliary trace data sets, whose size JCL gives on z/OS.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trace {
    /// Room of each of DFHAUXT and DFHBUXT.
    pub data_set_kilobytes: Option<u32>,
}

impl Trace {
    pub fn data_set_bytes(&self) -> u64 {
        self.data_set_kilobytes.map_or(BYTES_DEFAULT, |kilobytes| (u64::from(kilobytes) << 10).max(BYTES_MIN))
    }
}

/// The dump data sets.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dumps {
    /// Room of a transaction dump data set.
    pub data_set_megabytes: Option<u32>,
}

impl Dumps {
    pub fn data_set_bytes(&self) -> u64 {
        self.data_set_megabytes.map_or(region::dump::data_sets::BYTES_MAX, |megabytes| u64::from(megabytes.max(1)) << 20)
    }
}

/// How patient the shutdown assist program DFHCESD is; what is not given is as documented for it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShutdownAssist {
    /// What tasks have before the first sample of a normal shutdown.
    pub wait_seconds: Option<u32>,
    /// From one sample to the next.
    pub sample_milliseconds: Option<u32>,
}

impl ShutdownAssist {
    pub fn intervals(&self) -> Intervals {
        let documented = Intervals::default();
        Intervals {
            wait: self.wait_seconds.map_or(documented.wait, |seconds| Duration::from_secs(seconds.into())),
            sample: self.sample_milliseconds.map_or(documented.sample, |milliseconds| Duration::from_millis(milliseconds.into())),
        }
    }
}

/// What a data class gives the data sets of it.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DataClass {
    /// Key-sequenced data sets are compressed.
    pub compaction: bool,
}

/// Which files of the directory are looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sources {
    /// Further directories for COPY members, relative to the application's directory.
    pub copy: Vec<PathBuf>,
    /// Paths, relative to the application's directory, that are left out: see `exclude`.
    pub exclude: Vec<String>,
    /// Further applications' directories to take sources and definitions from.
    pub include: Vec<PathBuf>,
    /// Symbolic maps made from the map sources are taken before COPY members of the same name: those of the source are out of date.
    pub maps_first: bool,
}

/// Options for every compile of this application.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Compiler {
    /// As on a CBL statement: `"TRUNC(OPT),ARITH(EXTEND)"`.
    pub options: String,
    /// C programs are compiled with XPLINK unless they say otherwise themselves.
    pub xplink: bool,
}

/// Language Environment in the region.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LanguageEnvironment {
    /// Run-time options of every program, as the module CEEROPT has them: `"USRHDLR(LASTH),COUNTRY(DE)"`.
    pub options: String,
}

/// A flat file: a path, or a path with the way its records lie in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum DataSource {
    Path(PathBuf),
    Described { path: PathBuf, format: Option<Format>, record_length: Option<usize> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Fixed,
    Variable,
    Blocked,
    Text,
}

/// A batch program that `up` runs when one of the files it creates is missing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchStep {
    /// Source, relative to the application's directory.
    pub program: PathBuf,
    /// DD name to the name of the sequential data set it writes.
    #[serde(default)]
    pub creates: BTreeMap<String, String>,
    /// DD name to a file it reads.
    #[serde(default)]
    pub reads: BTreeMap<String, PathBuf>,
    #[serde(default)]
    pub parm: String,
}

impl DataSource {
    pub fn path(&self) -> &Path {
        match self {
            DataSource::Path(path) | DataSource::Described { path, .. } => path,
        }
    }

    /// The format, if it is given.
    pub fn format(&self) -> Option<Format> {
        match self {
            DataSource::Path(_) => None,
            DataSource::Described { format, .. } => *format,
        }
    }

    pub fn record_length(&self) -> Option<usize> {
        match self {
            DataSource::Path(_) => None,
            DataSource::Described { record_length, .. } => *record_length,
        }
    }
}

/// The DD name of the library of document templates: a directory of this name is allocated without being named.
const TEMPLATE_LIBRARY: &str = "DFHHTML";

impl Configuration {
    /// The DD names of the region with their paths.
    pub fn dd_names(&self, directory: &Path) -> BTreeMap<String, PathBuf> {
        let mut names: BTreeMap<String, PathBuf> =
            self.dd.iter().map(|(name, path)| (name.to_ascii_uppercase(), directory.join(path))).collect();
        let templates = directory.join(TEMPLATE_LIBRARY);
        if templates.is_dir() {
            names.entry(TEMPLATE_LIBRARY.to_string()).or_insert(templates);
        }
        names
    }

    /// Reads `regent.toml` of the directory; the default when there is none.
    pub fn read(directory: &Path) -> Result<Configuration, String> {
        let path = directory.join(FILE_NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).map_err(|error| format!("{}: {}", path.display(), shown(&error, &text))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Configuration::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// The system initialization parameters as NAME=VALUE texts.
    pub fn sit_parameters(&self) -> Result<Vec<(String, String)>, String> {
        self.sit
            .iter()
            .map(|(name, value)| match value {
                toml::Value::String(text) => Ok((name.to_uppercase(), text.clone())),
                toml::Value::Integer(number) => Ok((name.to_uppercase(), number.to_string())),
                toml::Value::Boolean(true) => Ok((name.to_uppercase(), "YES".to_string())),
                toml::Value::Boolean(false) => Ok((name.to_uppercase(), "NO".to_string())),
                other => Err(format!("{FILE_NAME}: [sit] {name} = {other}: a text or a whole number is expected")),
            })
            .collect()
    }
}

/// The error with the line that it is about, unless a password may be there: in section [database], or in a line that looks like one.
fn shown(error: &toml::de::Error, text: &str) -> String {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let before = &text[..at];
    let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = error.span().map_or(at, |span| span.end.clamp(at, text.len()));
    let end = text[end..].find('\n').map_or(text.len(), |newline| end + newline);
    let lines = text[begin..end].to_ascii_lowercase();
    let section = before.lines().rev().find(|line| is_header(line)).unwrap_or_default();
    let is_harmless = !section.contains("database") && !["://", "@", "pass", "database", "url"].iter().any(|sign| lines.contains(sign));
    if is_harmless {
        return error.to_string();
    }
    // What is in quotes is a value, and so is the variant that is not known.
    let quoted = error.message().split('"').enumerate().map(|(number, part)| if number % 2 == 1 { "***" } else { part });
    let mut message = quoted.collect::<Vec<_>>().join("\"");
    if let Some(rest) = message.strip_prefix("unknown variant `").and_then(|rest| rest.split_once('`')) {
        message = format!("unknown variant `***`{}", rest.1);
    }
    format!("line {}: {message}", before.matches('\n').count() + 1)
}

/// `[section]`, and no line of a list.
fn is_header(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default().trim();
    line.starts_with('[') && line.ends_with(']') && line.chars().all(|c| c.is_alphanumeric() || "[]-_. ".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_may_have_a_password_is_not_shown() {
        for text in [
            "[database]\nurl = \"postgresql://u:S3cret@h/d\n",
            "[database]\npassword = \"S3cret\"\n",
            "database = \"postgresql://u:S3cret@h/d\"\n",
            "[database]\nurl = [\"S3cret\"]\n",
            "[database]\nurl = S3cret\n",
            "[database]\npw = \"S3cret\"\n",
            "[database]\n# jobs\njobs = [\"S3cret\"\n",
            "[ database ]\norder = \"S3cret\"\n",
            "database.pw = \"S3cret\"\n",
        ] {
            let error = toml::from_str::<Configuration>(text).err().map(|error| shown(&error, text)).unwrap_or_default();
            assert!(error.contains("line ") && !error.contains("S3cret"), "{text}: {error}");
        }
    }

    #[test]
    fn a_full_file_is_read() {
        let text = r#"
            [symbols]
            HLQ = "A.B"
            [sit]
            MXT = 100
            APPLID = "X"
            STGPROT = true
            [data]
            CUSTIN = "data/cust.bin"
            "A.B.C" = { path = "x.txt", format = "text", record_length = 80 }
            [[batch]]
            program = "gen.cbl"
            creates = { OUT = "A.B.OUT" }
            [data-classes]
            SMALL = { compaction = true }
            [source]
            exclude = ["tests"]
        "#;
        let configuration: Configuration = toml::from_str(text).unwrap();
        assert_eq!(configuration.symbols["HLQ"], "A.B");
        let sit = configuration.sit_parameters().unwrap();
        assert!(sit.contains(&("MXT".into(), "100".into())) && sit.contains(&("STGPROT".into(), "YES".into())));
        assert!(configuration.data_classes["SMALL"].compaction);
        assert_eq!(configuration.data["A.B.C"].format(), Some(Format::Text));
        assert_eq!(configuration.data["A.B.C"].record_length(), Some(80));
        assert_eq!(configuration.data["CUSTIN"].path(), Path::new("data/cust.bin"));
        assert_eq!(configuration.batch[0].creates["OUT"], "A.B.OUT");
    }

    #[test]
    fn an_unknown_key_is_refused_by_name() {
        let error = toml::from_str::<Configuration>("[sitt]\nMXT = 1\n").unwrap_err().to_string();
        assert!(error.contains("sitt"), "{error}");
    }
}
