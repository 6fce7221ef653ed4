//! Job control language, as far as an application's set-up jobs need it: steps, DD statements, in-stream data, procedures, INCLUDE groups
//! and symbols. The caller refuses programs other than the utilities that Regent has.

mod compilers;
mod procedures;
mod statement;
mod symbols;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use compilers::makes_load_modules;
pub use procedures::{Members, parse};
use statement::{Statement, unquote};
pub use statement::{in_stream, is_jcl, split_operands};
use symbols::Symbols;
pub use symbols::{placeholders, substitute};

/// A job, or a fragment without a JOB statement.
#[derive(Debug, Default)]
pub struct Job {
    pub name: String,
    pub steps: Vec<Step>,
    /// Statements that were not understood or obeyed: line and reason.
    pub remarks: Vec<(usize, String)>,
}

/// What a file of job control language holds.
#[derive(Debug)]
pub enum Content {
    Jobs(Vec<Job>),
    /// A procedure: its steps run where a job calls it.
    Procedure,
}

#[derive(Debug, Default, Clone)]
pub struct Step {
    /// The step's name; with the names of the steps that called it before it, `CALLER.STEP`, for a step of a procedure.
    pub name: String,
    /// PGM= of the EXEC statement, or the name of a procedure that is not in the application.
    pub program: String,
    pub is_procedure: bool,
    pub parm: String,
    /// Line of the EXEC statement.
    pub line: usize,
    /// Where the EXEC statement stands, for a step of a procedure that is a member.
    pub procedure: Option<PathBuf>,
    /// Values on the EXEC statement of a procedure that is not in the application.
    pub parameters: BTreeMap<String, String>,
    pub dds: Vec<Dd>,
}

#[derive(Debug, Default, Clone)]
pub struct Dd {
    /// Empty for a DD that is concatenated to the one before.
    pub name: String,
    /// The step of a procedure that the DD is for: `STEP` of `STEP.NAME`.
    pub step: String,
    pub data_set: Option<String>,
    /// In-stream records, without the ending delimiter.
    pub in_stream: Option<Vec<String>>,
    /// The line of the first of them in the job.
    pub in_stream_line: usize,
    /// LRECL of the DCB, if given.
    pub record_length: Option<usize>,
    /// RECFM of the DCB, if given.
    pub record_format: Option<String>,
    pub dummy: bool,
    /// Symbols in the name of the data set or in the in-stream records that have no value.
    pub missing: Vec<String>,
}

impl Dd {
    /// Library and member of `LIBRARY(MEMBER)`; none for a generation, as `BASE(+1)`.
    pub fn member(&self) -> Option<(&str, &str)> {
        let (library, member) = self.data_set.as_ref()?.strip_suffix(')')?.split_once('(')?;
        member.starts_with(|first: char| !matches!(first, '0'..='9' | '+' | '-')).then_some((library, member))
    }
}

impl Step {
    /// The DD statements of a name, those concatenated to it included.
    pub fn concatenation(&self, name: &str) -> impl Iterator<Item = &Dd> {
        let mut current = "";
        self.dds.iter().filter(move |dd| {
            if !dd.name.is_empty() {
                current = &dd.name;
            }
            current == name
        })
    }

    /// The DD statements of data: all but those of libraries that programs are searched in, and what is concatenated to them.
    pub fn data(&self) -> impl Iterator<Item = &Dd> {
        let mut current = "";
        self.dds.iter().filter(move |dd| {
            if !dd.name.is_empty() {
                current = &dd.name;
            }
            !PROGRAM_LIBRARIES.contains(&current)
        })
    }

    /// Control statements that a DD holds, in the stream or in a file of the application: the records joined as lines.
    pub fn control_statements(&self, name: &str, file: &dyn Fn(&Dd) -> Option<String>) -> Option<String> {
        let mut text = None;
        for dd in self.concatenation(name) {
            let part = match &dd.in_stream {
                Some(records) => records.iter().map(|record| format!("{record}\n")).collect(),
                None => match file(dd) {
                    Some(part) => part,
                    None => continue,
                },
            };
            text.get_or_insert_with(String::new).push_str(&part);
        }
        text
    }

    #[cfg(test)]
    pub fn in_stream(&self, name: &str) -> Option<String> {
        self.control_statements(name, &|_| None)
    }

    /// Symbols without a value in what the step reads and writes; the names of its program libraries have no effect here.
    pub fn missing(&self) -> Vec<String> {
        let mut missing: Vec<String> = self.data().flat_map(|dd| dd.missing.iter().cloned()).collect();
        missing.sort();
        missing.dedup();
        missing
    }
}

/// DD statements of libraries that programs are searched in.
const PROGRAM_LIBRARIES: [&str; 3] = ["STEPLIB", "JOBLIB", "STEPCAT"];

/// Keywords of EXEC: any other keyword on one that calls a procedure gives a value to a symbol.
const EXEC_KEYWORDS: [&str; 17] = [
    "PGM", "PROC", "ACCT", "ADDRSPC", "CCSID", "COND", "DYNAMNBR", "MEMLIMIT", "PARM", "PARMDD", "PERFORM", "RD", "REGION", "REGIONX",
    "RLSTMOUT", "TIME", "TVSMSG",
];

/// An EXEC statement, its symbols replaced.
#[derive(Default)]
struct Exec {
    program: String,
    is_procedure: bool,
    parm: Option<String>,
    /// PARM.STEP of a call.
    step_parms: Vec<(String, String)>,
    parameters: BTreeMap<String, String>,
}

fn exec(operands: &[String]) -> Exec {
    let mut exec = Exec::default();
    for operand in operands {
        let Some((key, value)) = operand.split_once('=') else {
            if exec.program.is_empty() {
                exec.program = operand.to_uppercase();
                exec.is_procedure = true;
            }
            continue;
        };
        let key = key.to_uppercase();
        match key.split_once('.').map_or((key.as_str(), ""), |(key, step)| (key, step)) {
            ("PGM", _) => exec.program = value.to_uppercase(),
            ("PROC", _) => {
                exec.program = value.to_uppercase();
                exec.is_procedure = true;
            }
            ("PARM", "") => exec.parm = Some(parm(value)),
            ("PARM", step) => exec.step_parms.push((step.to_string(), parm(value))),
            (keyword, _) if EXEC_KEYWORDS.contains(&keyword) => {}
            _ => {
                exec.parameters.insert(key, unquote(value));
            }
        }
    }
    exec
}

/// The value of PARM: the parentheses around its parts are not part of it.
fn parm(value: &str) -> String {
    match value.strip_prefix('(').and_then(|value| value.strip_suffix(')')) {
        Some(inner) => split_operands(inner).iter().map(|part| unquote(part)).collect::<Vec<_>>().join(","),
        None => unquote(value),
    }
}

/// A DD statement, its symbols replaced.
fn dd(statement: &Statement, symbols: &Symbols) -> Dd {
    let mut unknown = Vec::new();
    let operands = split_operands(&symbols.substitute(&statement.operands, &mut unknown));
    let (step, name) = statement.name.rsplit_once('.').unwrap_or(("", &statement.name));
    let mut dd = Dd { name: name.to_string(), step: step.to_string(), ..Dd::default() };
    for operand in &operands {
        let (key, value) = operand.split_once('=').unwrap_or((operand, ""));
        match key.to_uppercase().as_str() {
            "DSN" | "DSNAME" if value.eq_ignore_ascii_case("NULLFILE") => dd.dummy = true,
            "DSN" | "DSNAME" => dd.data_set = Some(unquote(value).to_uppercase()),
            "DUMMY" => dd.dummy = true,
            "LRECL" => dd.record_length = value.parse().ok(),
            "RECFM" => dd.record_format = Some(value.to_uppercase()),
            "DCB" => {
                for (key, value) in split_operands(value.trim_matches(['(', ')'])).iter().filter_map(|o| o.split_once('=')) {
                    match key.to_uppercase().as_str() {
                        "LRECL" => dd.record_length = value.parse().ok(),
                        "RECFM" => dd.record_format = Some(value.to_uppercase()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    unknown.retain(|name| dd.data_set.as_ref().is_some_and(|data_set| data_set.contains(&name.to_uppercase())));
    if let Some(records) = &statement.in_stream {
        dd.in_stream_line = statement.in_stream_line;
        dd.in_stream = Some(records.iter().map(|record| symbols.substitute(record, &mut unknown)).collect());
    }
    dd.missing = unknown;
    dd
}

/// The last qualifier of a data set's name: the directory that stands for a library has its name.
fn last_qualifier(data_set: &str) -> &str {
    data_set.rsplit('.').next().unwrap_or(data_set)
}

/// Members of the application that lie in the directory that stands for a library go before others of the same name.
pub fn preferred<'a>(candidates: &'a [PathBuf], libraries: &[String]) -> Option<&'a PathBuf> {
    let in_library = |path: &Path, library: &String| {
        let directory = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        directory.eq_ignore_ascii_case(last_qualifier(library))
    };
    libraries.iter().find_map(|library| candidates.iter().find(|path| in_library(path, library))).or(candidates.first())
}

#[cfg(test)]
mod tests;
