//! IDCAMS: control statements run against the data sets, with listing and condition codes.
//!
//! Invariants: a command either completes or an IDC message says why not, and its condition code gives the severity; a syntax error fails
//! only its own command, with code 12; no command runs after code 16. Message identifiers are those of the access method services, the
//! texts are our own.

mod alter;
mod compression;
mod dd;
mod define;
mod delete;
mod draft;
mod lexer;
mod listcat;
mod listcat_component;
mod listing;
mod mask;
mod other;
mod parser;
mod portable;
mod print;
mod range;
mod repro;

use crate::disk::names::stream_name_fault;
use std::path::PathBuf;
use std::sync::Arc;

use crate::data_sets::DataSets;
use crate::error::FileError;
use codepage::CodePage;
pub use compression::DataClass;
pub use dd::records_of;
use listing::Listing;
use parser::{Code, Command, Comparison, Parameter, Parser, Statement, Value};

/// How records lie in a flat file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Records of this length one after the other; 0: the maximum record length of the data set on the other side of the copy.
    Fixed(usize),
    /// Each record is preceded by a record descriptor word (length + 4, two zero bytes), as V and VB data sets are downloaded.
    Variable,
    /// The same in blocks, each preceded by a block descriptor word, as V and VB data sets are downloaded with both.
    Blocked,
    /// Lines of UTF-8 text, translated to the code page; padded with blanks for a target of fixed length records.
    Text,
}

/// The meaning of a DD name.
#[derive(Clone, Debug)]
pub enum DdTarget {
    /// A data set of the catalog.
    DataSet(String),
    File {
        path: PathBuf,
        format: RecordFormat,
    },
    /// In-stream data.
    Records(Vec<Vec<u8>>),
    Dummy,
}

/// Resolves DD names (INFILE, OUTFILE) of a job step, and data set names that are not in the catalog (sequential files).
pub trait DdResolver {
    fn resolve_dd(&self, name: &str) -> Option<DdTarget>;
    fn resolve_data_set(&self, name: &str) -> Option<DdTarget> {
        let _ = name;
        None
    }
    /// The properties of a data class; `None`: only its name is known.
    fn data_class(&self, name: &str) -> Option<DataClass> {
        let _ = name;
        None
    }
    /// Removes the flat file of a data set deleted with SCRATCH; false if there is none.
    fn scratch(&self, name: &str) -> std::io::Result<bool> {
        let _ = name;
        Ok(false)
    }
    /// Renames the flat file of a renamed data set; false if there is none.
    fn rename(&self, name: &str, new_name: &str) -> std::io::Result<bool> {
        let _ = (name, new_name);
        Ok(false)
    }
}

/// Result of a run of IDCAMS.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The listing (SYSPRINT), lines without carriage control.
    pub listing: String,
    /// MAXCC: 0, 4, 8, 12 or 16.
    pub condition_code: u32,
}

/// Settings of a run.
#[derive(Clone, Debug, Default)]
pub struct IdcamsOptions {
    /// Code page of character data in records, any that the crate `codepage` has; another number counts as 37. Keys in
    /// statements and PRINT CHARACTER use it.
    pub ccsid: u32,
    /// Called with the data set's name and the records copied so far, for progress bars.
    pub progress: Option<fn(&str, u64)>,
}

/// The shared state of the commands of a run.
pub(crate) struct Run<'a> {
    pub data_sets: &'a Arc<DataSets>,
    pub dds: &'a dyn DdResolver,
    pub options: &'a IdcamsOptions,
    pub page: &'static CodePage,
    pub listing: Listing,
    /// This run among the users of the data sets, for SHAREOPTIONS.
    pub user: u32,
    /// Set by CANCEL: the rest is ignored.
    cancelled: bool,
}

/// Follows the message of a command that is not carried out.
const BYPASSED: &str = "IDC3202I ABOVE TEXT BYPASSED UNTIL NEXT COMMAND. CONDITION CODE IS 12";

/// Why a command did not complete: message lines and condition code.
pub(crate) struct Failure {
    pub lines: Vec<String>,
    pub code: u32,
}

impl Failure {
    pub(crate) fn new(code: u32, lines: impl IntoIterator<Item = String>) -> Failure {
        Failure { lines: lines.into_iter().collect(), code }
    }

    pub(crate) fn syntax(message: impl Into<String>) -> Failure {
        Failure { lines: vec![message.into(), BYPASSED.to_string()], code: 12 }
    }

    /// Whether the command was bypassed.
    fn is_syntax(&self) -> bool {
        self.lines.iter().any(|line| line == BYPASSED)
    }

    /// The failure of one of several entries: the command continues with the next.
    fn of_one_entry(mut self) -> Failure {
        self.lines.retain(|line| line != BYPASSED);
        self
    }

    pub(crate) fn improper(parameter: &Parameter) -> Failure {
        Failure::syntax(format!("IDC3211I KEYWORD '{}' IS IMPROPER", shown(parameter)))
    }

    pub(crate) fn missing(what: &str) -> Failure {
        Failure::syntax(format!("IDC3212I REQUIRED PARAMETER '{what}' IS MISSING"))
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        match error {
            FileError::DataSetNotFound(name) => not_found(&name),
            FileError::DataSetExists(_) => Failure::new(
                12,
                [
                    "IDC3013I DUPLICATE DATA SET NAME".to_string(),
                    "IDC3009I ** VSAM CATALOG RETURN CODE IS 8 - REASON CODE IS IGG0CLEH-38".to_string(),
                ],
            ),
            FileError::InUse(name) => {
                Failure::new(12, [format!("IDC3028I DATA SET {name} IS IN USE"), "IDC3009I ** VSAM CATALOG RETURN CODE IS 184".to_string()])
            }
            FileError::NotShared(name) => {
                Failure::new(12, [format!("IDC3300I ERROR OPENING {name}"), "IDC3351I ** VSAM OPEN RETURN CODE IS 168".to_string()])
            }
            // The system's message may contain a file name.
            FileError::Store(error) => Failure::new(12, [format!("IDC3351I ** VSAM REQUEST FAILED: {error}")]),
            other => Failure::new(12, [format!("IDC3351I ** VSAM REQUEST FAILED: {}", other.to_string().to_uppercase())]),
        }
    }
}

impl From<crate::error::StoreError> for Failure {
    fn from(error: crate::error::StoreError) -> Failure {
        FileError::from(error).into()
    }
}

pub(crate) fn not_found(name: &str) -> Failure {
    Failure::new(
        8,
        [format!("IDC3012I ENTRY {name} NOT FOUND"), "IDC3009I ** VSAM CATALOG RETURN CODE IS 8 - REASON CODE IS IGG0CLEG-42".to_string()],
    )
}

pub(crate) type Done = Result<(), Failure>;

/// A parameter as the user wrote it, shortened.
pub(crate) fn shown(parameter: &Parameter) -> String {
    match &parameter.value {
        Value::Word(word) => word.clone(),
        Value::Text(text) => format!("'{text}'"),
        Value::Hex(_) => "X'...'".to_string(),
    }
}

/// The single value in parentheses of a keyword.
pub(crate) fn one_value(parameter: &Parameter) -> Result<&Parameter, Failure> {
    match parameter.arguments.as_deref() {
        Some([value]) => Ok(value),
        _ => Err(Failure::syntax(format!("IDC3203I ITEM '{}' DOES NOT ADHERE TO RESTRICTIONS: IT NEEDS ONE VALUE", shown(parameter)))),
    }
}

/// LOGSTREAMID.
pub(crate) fn log_stream(parameter: &Parameter) -> Result<String, Failure> {
    let name = shown(one_value(parameter)?);
    match stream_name_fault(&name) {
        None => Ok(name),
        Some(why) => Err(Failure::syntax(format!("IDC3203I ITEM '{}' DOES NOT ADHERE TO RESTRICTIONS: {why}", shown(parameter)))),
    }
}

/// Refuses a second keyword of a set of which a command accepts only one.
pub(crate) fn exclusive(parameters: &[Parameter], sets: &[&[&str]]) -> Done {
    for set in sets {
        let mut given = parameters.iter().filter(|parameter| set.contains(&parameter.word()));
        if let (Some(_), Some(second)) = (given.next(), given.next()) {
            return Err(Failure::improper(second));
        }
    }
    Ok(())
}

/// The name in parentheses of a keyword, upper case, without a password.
pub(crate) fn one_name(parameter: &Parameter) -> Result<String, Failure> {
    let name = match parameter.arguments.as_deref() {
        Some([first, ..]) => name_of(first)?,
        _ => return Err(Failure::syntax(format!("IDC3203I ITEM '{}' DOES NOT ADHERE TO RESTRICTIONS: IT NEEDS A NAME", shown(parameter)))),
    };
    if is_generic(&name) {
        return Err(Failure::syntax(format!("IDC3203I ITEM '{name}' DOES NOT ADHERE TO RESTRICTIONS")));
    }
    Ok(name)
}

/// As `name_of`, with a relative generation, NAME(0), made absolute.
pub(crate) fn absolute_name(data_sets: &DataSets, parameter: &Parameter) -> Result<String, Failure> {
    let name = name_of(parameter)?;
    match parameter.arguments.as_deref() {
        Some([relative]) if !relative.word().is_empty() => Ok(data_sets.absolute_name(&format!("{name}({})", relative.word()))?),
        _ => Ok(name),
    }
}

/// Whether a name stands for several.
pub(crate) fn is_generic(name: &str) -> bool {
    name.contains(['*', '%'])
}

/// A name as the user wrote it, perhaps generic.
pub(crate) fn name_of(parameter: &Parameter) -> Result<String, Failure> {
    let name = match &parameter.value {
        Value::Word(word) => word.split('/').next().unwrap_or_default().to_string(),
        Value::Text(text) => text.to_uppercase(),
        Value::Hex(_) => String::new(),
    };
    let qualifier = |part: &str| {
        (1..=8).contains(&part.len())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "@#$-*%".contains(c))
            && !part.starts_with(|c: char| c.is_ascii_digit() || c == '-')
    };
    if name.len() <= crate::catalog::NAME_LENGTH_MAX && name.split('.').all(qualifier) {
        Ok(name)
    } else {
        Err(Failure::syntax(format!("IDC3203I ITEM '{name}' DOES NOT ADHERE TO RESTRICTIONS")))
    }
}

/// Numbers in parentheses of a keyword: decimal, X'...' or B'...'.
pub(crate) fn numbers(parameter: &Parameter, least: usize, most: usize) -> Result<Vec<u32>, Failure> {
    let arguments = parameter.arguments.as_deref().unwrap_or_default();
    let values: Option<Vec<u32>> = arguments
        .iter()
        .map(|argument| match &argument.value {
            Value::Word(word) => word.parse().ok(),
            Value::Hex(bytes) if bytes.len() <= 4 => Some(bytes.iter().fold(0, |number, byte| number << 8 | *byte as u32)),
            _ => None,
        })
        .collect();
    match values {
        Some(values) if (least..=most).contains(&values.len()) => Ok(values),
        _ => Err(Failure::syntax(format!("IDC3218I IMPROPER NUMERIC FIELD IN '{}'", shown(parameter)))),
    }
}

/// Runs control statements against the data sets.
pub fn run(data_sets: &Arc<DataSets>, statements: &str, dds: &dyn DdResolver, options: &IdcamsOptions) -> Outcome {
    let page = u16::try_from(options.ccsid).ok().and_then(codepage::by_ccsid).unwrap_or(&codepage::CCSID_037);
    let user = data_sets.new_user();
    let mut run = Run { data_sets, dds, options, page, listing: Listing::new(), user, cancelled: false };
    let mut parser = Parser::new(lexer::tokens(statements));
    let mut lines = statements.lines();
    let mut shown = 0;
    while !run.has_ended()
        && let Some(statement) = parser.statement()
    {
        // Each command is listed before its results.
        let read = parser.lines_read();
        lines.by_ref().take(read - shown).for_each(|line| run.listing.line(line));
        run.listing.line("");
        shown = read;
        run.execute(&statement);
    }
    lines.for_each(|line| run.listing.line(line));
    let max = run.listing.max;
    run.listing.line("");
    run.listing.line(&format!("IDC0002I IDCAMS PROCESSING COMPLETE. MAXIMUM CONDITION CODE WAS {max}"));
    Outcome { listing: run.listing.text, condition_code: max }
}

fn holds(comparison: Comparison, left: u32, right: u32) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Greater => left > right,
        Comparison::GreaterOrEqual => left >= right,
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
    }
}

/// The highest condition code: it ends the run.
const CODE_MAX: u32 = 16;

impl Run<'_> {
    fn has_ended(&self) -> bool {
        self.cancelled || self.listing.max >= CODE_MAX || self.listing.last >= CODE_MAX
    }

    fn execute(&mut self, statement: &Statement) {
        match statement {
            Statement::Command(command) => self.command(command),
            Statement::Bad(message) => {
                self.listing.last = 0;
                self.fail(Failure::syntax(message.clone()));
            }
            // A greater value is reduced to 16. LASTCC above MAXCC also raises MAXCC.
            Statement::Set { code: Code::Last, number } => {
                self.listing.last = (*number).min(CODE_MAX);
                self.listing.max = self.listing.max.max(self.listing.last);
            }
            Statement::Set { code: Code::Max, number } => self.listing.max = (*number).min(CODE_MAX),
            Statement::If { code, comparison, number, then, otherwise } => {
                let value = if *code == Code::Last { self.listing.last } else { self.listing.max };
                let clause = if holds(*comparison, value, *number) { then } else { otherwise };
                for statement in clause {
                    if self.has_ended() {
                        break;
                    }
                    self.execute(statement);
                }
            }
        }
    }

    /// A parameter that is understood but has no effect here: the user is told, and the command continues.
    pub(crate) fn without_meaning(&mut self, parameter: &Parameter) {
        self.listing.message(4, &format!("IDC2011I {} HAS NO MEANING HERE AND IS NOT OBEYED", shown(parameter)));
    }

    /// PARM: the margins themselves are handled where statements are read.
    fn parm(&mut self, command: &Command) -> Done {
        for parameter in &command.parameters {
            match parameter.word() {
                "MARGINS" | "MARGIN" | "MARG" => drop(numbers(parameter, 2, 2)?),
                "TEST" | "GRAPHICS" | "GRPH" => self.without_meaning(parameter),
                _ => return Err(Failure::improper(parameter)),
            }
        }
        Ok(())
    }

    /// Moves the lines listed from `start` on to the file that OUTFILE names.
    pub(crate) fn divert(&mut self, start: usize, outfile: Option<&Parameter>) -> Done {
        let Some(outfile) = outfile else { return Ok(()) };
        let lines = self.listing.text.split_off(start);
        let (name, target) = self.dd(outfile, false)?;
        let DdTarget::File { path, format } = target else {
            return match target {
                DdTarget::Dummy => Ok(()),
                _ => Err(Failure::new(12, [format!("IDC3300I ERROR OPENING {name}: A FLAT FILE IS NEEDED")])),
            };
        };
        let format = if format == RecordFormat::Fixed(0) { RecordFormat::Text } else { format };
        let failed = |why: String| Failure::new(12, [format!("IDC3302I ACTION ERROR ON {name}: {why}")]);
        let mut writer = dd::FlatWriter::create(&path, format, self.page).map_err(failed)?;
        lines.lines().try_for_each(|line| writer.put(&self.page.encode(line))).and_then(|()| writer.finish()).map_err(failed)
    }

    fn fail(&mut self, failure: Failure) {
        for line in &failure.lines {
            self.listing.line(line);
        }
        self.listing.code(failure.code);
    }

    fn command(&mut self, command: &Command) {
        let last = std::mem::take(&mut self.listing.last);
        let result = match command.verb.as_str() {
            "DEFINE" | "DEF" => self.define(command),
            "DELETE" | "DEL" => self.delete(command),
            "ALTER" => self.alter(command),
            "REPRO" => self.repro(command),
            "PRINT" => self.print(command),
            "LISTCAT" | "LISTC" => self.listcat(command),
            "VERIFY" | "VFY" => self.verify(command),
            "EXAMINE" => self.examine(command),
            "BLDINDEX" | "BIX" => self.build_index(command),
            "EXPORT" | "EXP" => self.export(command),
            "IMPORT" | "IMP" => self.import(command),
            "PARM" => self.parm(command),
            "CANCEL" => {
                self.cancelled = true;
                self.listing.last = last;
                self.listing.line("IDC0003I THE REST OF THE JOB STEP IS CANCELLED");
                return;
            }
            verb => Err(Failure::syntax(format!("IDC3200I COMMAND VERB '{verb}' INVALID"))),
        };
        if let Err(failure) = result {
            self.fail(failure);
        }
        match self.listing.last {
            0..12 => {
                let code = self.listing.last;
                self.listing.line(&format!("IDC0001I FUNCTION COMPLETED, HIGHEST CONDITION CODE WAS {code}"));
            }
            code => self.listing.line(&format!("IDC3003I FUNCTION TERMINATED. CONDITION CODE IS {code}")),
        }
        self.listing.line("");
    }
}
