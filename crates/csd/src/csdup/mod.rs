//! DFHCSDUP: executes control statements against a CSD and writes the listing.
//!
//! * this file: the run of a job, its messages and its return code;
//! * `define`  DEFINE, USERDEFINE, ALTER, DELETE; `groups` ADD, REMOVE, COPY, APPEND;
//! * `list`    LIST; `scan` SCAN; `extract` EXTRACT and its user programs.
//!
//! Return codes are those of the IBM utility: 0 done, 4 done with a warning, 8 a command was not executed. As there, only LIST commands are
//! executed after an error in a job ("Command processing in DFHCSDUP following internal error detection"), and the job says how many were not;
//! `regent up` continues, to report every error at once. Groups and lists whose names begin with DFH are supplied and cannot be changed,
//! except while they are being loaded.

mod define;
mod extract;
mod groups;
mod list;
mod scan;

pub use extract::{Point, UserPrograms};

use crate::edit::{Editor, Refused};
use crate::file::{Csd, Definition, Names, Origin, Owner, Part};
use crate::remarks;
use crate::statement::{self, Statement};
use std::fmt::Write as _;
use std::path::Path;

/// The DD name of the CSD.
const PRIMARY_DD: &str = "DFHCSD";

/// A message of the utility about one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `DFHnnnn`.
    pub id: &'static str,
    pub severity: Severity,
    pub text: String,
    pub origin: Origin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Information,
    Warning,
    Error,
}

/// The result of a run of the utility.
#[derive(Debug, Default)]
pub struct Report {
    /// The listing.
    pub text: String,
    pub messages: Vec<Message>,
    pub return_code: u32,
    /// Commands executed without a warning, with a warning, not executed for an error of their own, and not executed after an error.
    pub commands_executed: usize,
    pub commands_with_warnings: usize,
    pub commands_in_error: usize,
    pub commands_not_executed: usize,
    /// Groups touched by DEFINE, COPY or ADD in this run, in order, once each.
    pub groups: Vec<String>,
}

/// For whom statements are executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A user: every statement is tried.
    Interactive,
    /// A batch job: an error stops everything after it except LIST.
    Job,
    /// The supplied groups are loaded, which no other statement may change.
    Supplied,
}

/// What a batch job runs with.
pub struct Job<'a> {
    /// The name of the statements, for messages.
    pub source: &'a str,
    /// The name of the primary CSD, and whether it is a new file, which alone INITIALIZE accepts.
    pub data_set: &'a str,
    pub is_new: bool,
    /// Other CSDs by their DD names, for FROMCSD.
    pub secondary: &'a dyn Fn(&str) -> Option<Csd>,
    /// The programs that EXTRACT calls.
    pub programs: &'a mut dyn UserPrograms,
}

/// Runs statements as a user of the utility would.
pub fn execute(csd: &mut Csd, input: &str, source: &str) -> Report {
    run(csd, input, Mode::Interactive, Surroundings { source, ..Surroundings::default() })
}

/// As `execute`, but an error stops everything after it except LIST, as a batch job of the utility does.
pub fn execute_job(csd: &mut Csd, input: &str, job: Job) -> Report {
    let Job { source, data_set, is_new, secondary, programs } = job;
    run(csd, input, Mode::Job, Surroundings { source, data_set, is_new, secondary: Some(secondary), programs: Some(programs) })
}

impl Csd {
    /// A CSD after INITIALIZE: the supplied groups and their list DFHLIST.
    pub fn initialized() -> Csd {
        let mut csd = Csd::default();
        let surroundings = Surroundings { source: "supplied groups", ..Surroundings::default() };
        let report = run(&mut csd, crate::SUPPLIED_GROUPS, Mode::Supplied, surroundings);
        debug_assert_eq!(report.return_code, 0, "{}", report.text);
        csd
    }

    /// Reads a CSD file; statements that cannot be read are reported in the returned listing's messages.
    pub fn load(path: &Path) -> std::io::Result<(Csd, Report)> {
        let text = std::fs::read_to_string(path)?;
        let mut csd = Csd::initialized();
        let report = execute(&mut csd, &text, &path.display().to_string());
        remarks::read(&mut csd, &text);
        Ok((csd, report))
    }
}

/// A job's parameters; a user's run has none of them.
#[derive(Default)]
struct Surroundings<'a> {
    source: &'a str,
    data_set: &'a str,
    is_new: bool,
    secondary: Option<&'a dyn Fn(&str) -> Option<Csd>>,
    programs: Option<&'a mut dyn UserPrograms>,
}

fn run<'a>(csd: &'a mut Csd, input: &str, mode: Mode, surroundings: Surroundings<'a>) -> Report {
    let statements = statement::parse(input);
    let mut utility = Utility { csd, mode, surroundings, report: Report::default(), groups: Names::default(), line: 0 };
    if mode == Mode::Job {
        utility.heading();
    }
    for (index, statement) in statements.iter().enumerate() {
        utility.line = statement.line;
        for text in &statement.text {
            let _ = writeln!(utility.report.text, "  {text}");
        }
        if mode == Mode::Job && index == 0 {
            let text = format!("PRIMARY CSD OPENED;  DDNAME: {PRIMARY_DD}   - DSNAME: {}", utility.surroundings.data_set);
            utility.say("DFH5120", Severity::Information, text);
        }
        if mode != Mode::Interactive && utility.report.return_code >= 8 && statement.verb != "LIST" {
            utility.report.commands_not_executed += 1;
            continue;
        }
        utility.execute(statement);
    }
    utility.close(!statements.is_empty())
}

type Failure = (&'static str, String);

/// `; EXPECTED PROGRAM`: the word that was probably meant.
fn near(word: &str, candidates: impl Iterator<Item = &'static str> + Clone) -> String {
    exec::nearest(word, candidates).map(|near| format!("; EXPECTED {near}")).unwrap_or_default()
}

struct Utility<'a> {
    csd: &'a mut Csd,
    mode: Mode,
    surroundings: Surroundings<'a>,
    report: Report,
    /// [`Report::groups`] at the end.
    groups: Names,
    line: usize,
}

impl Utility<'_> {
    fn heading(&mut self) {
        let stars = "*".repeat(75);
        let title = format!("**  CICS RDO OFF-LINE UTILITY PROGRAM DFHCSDUP RELEASE:{}", crate::RELEASE);
        let _ = writeln!(self.report.text, "{stars}\n{title:<73}**\n{stars}\n");
    }

    fn say(&mut self, id: &'static str, severity: Severity, text: String) {
        let letter = match severity {
            Severity::Information => 'I',
            Severity::Warning => 'W',
            Severity::Error => 'E',
        };
        let code = match severity {
            Severity::Information => 0,
            Severity::Warning => 4,
            Severity::Error => 8,
        };
        let _ = writeln!(self.report.text, "{id} {letter} {text}");
        self.report.return_code = self.report.return_code.max(code);
        let origin = Origin { source: self.surroundings.source.to_string(), line: self.line };
        self.report.messages.push(Message { id, severity, text, origin });
    }

    fn execute(&mut self, statement: &Statement) {
        let said = self.report.messages.len();
        let result = match &statement.fault {
            Some(fault) => {
                self.line = fault.line;
                Err(("DFH5201", format!("SYNTAX ERROR: {}", fault.message)))
            }
            None => self.command(statement),
        };
        match result {
            Ok(()) if self.report.messages[said..].iter().any(|message| message.severity == Severity::Warning) => {
                self.report.commands_with_warnings += 1;
                self.say("DFH5102", Severity::Warning, format!("{} COMMAND EXECUTED WITH WARNING(S).", statement.verb));
            }
            Ok(()) => {
                self.report.commands_executed += 1;
                self.say("DFH5101", Severity::Information, format!("{} COMMAND EXECUTED SUCCESSFULLY.", statement.verb));
            }
            Err((id, text)) => {
                self.report.commands_in_error += 1;
                self.say(id, Severity::Error, text);
                self.say("DFH5103", Severity::Error, format!("ERROR(S) OCCURRED WHILE PROCESSING {} COMMAND.", statement.verb));
            }
        }
    }

    fn close(mut self, opened: bool) -> Report {
        self.line = 0;
        if self.mode == Mode::Job && opened {
            let text = format!("PRIMARY CSD CLOSED;  DDNAME: {PRIMARY_DD}   - DSNAME: {}", self.surroundings.data_set);
            self.say("DFH5123", Severity::Information, text);
        }
        let Report { commands_executed, commands_with_warnings, commands_in_error, commands_not_executed, .. } = self.report;
        let text = format!(
            "COMMANDS EXECUTED SUCCESSFULLY: {commands_executed}     COMMANDS GIVING WARNING(S): {commands_with_warnings}     COMMANDS IN \
             ERROR: {commands_in_error}"
        );
        self.say("DFH5107", Severity::Information, text);
        self.say("DFH5108", Severity::Information, format!("COMMANDS NOT EXECUTED AFTER ERROR(S): {commands_not_executed}"));
        let text = format!("END OF DFHCSDUP UTILITY JOB. HIGHEST RETURN CODE WAS: {}", self.report.return_code);
        self.say("DFH5109", Severity::Information, text);
        Report { groups: self.groups.into_ordered(), ..self.report }
    }

    fn command(&mut self, statement: &Statement) -> Result<(), Failure> {
        match statement.verb.as_str() {
            "DEFINE" => self.define(statement),
            "USERDEFINE" => self.userdefine(statement),
            "ALTER" => self.alter(statement),
            "DELETE" => self.delete(statement),
            "ADD" => self.add(statement),
            "REMOVE" => self.remove(statement),
            "COPY" => self.copy(statement),
            "APPEND" => self.append(statement),
            "LIST" => self.list(statement),
            "SCAN" => self.scan(statement),
            "EXTRACT" => self.extract(statement),
            "INITIALIZE" => self.initialize(),
            "UPGRADE" => self.upgrade(statement),
            "PROCESS" => self.process(statement),
            "VERIFY" => {
                self.say("DFH5160", Severity::Information, "NO GROUP OR LIST WAS LOCKED BY A REGION THAT HAS ENDED".to_string());
                Ok(())
            }
            other => Err(("DFH5202", format!("{other} IS NOT SUPPORTED BY THIS UTILITY"))),
        }
    }

    /// Only a new data set is prepared for use: what a CSD has would be lost ("The DFHCSDUP INITIALIZE command").
    fn initialize(&mut self) -> Result<(), Failure> {
        let is_in_use = self.csd.groups.keys().chain(self.csd.lists.keys()).any(|name| !name.starts_with("DFH"));
        if is_in_use || self.mode == Mode::Job && !self.surroundings.is_new {
            return Err(("DFH5150", "THE PRIMARY CSD HAS ALREADY BEEN INITIALIZED".to_string()));
        }
        *self.csd = Csd::initialized();
        Ok(())
    }

    /// The supplied groups of a CSD are always those of the release.
    fn upgrade(&mut self, statement: &Statement) -> Result<(), Failure> {
        if let Some(using) = statement.operands.iter().find(|operand| is_keyword(&operand.keyword, "USING")) {
            let file = using.value.as_deref().unwrap_or_default();
            return Err(("DFH5202", format!("UPGRADE USING({file}): THERE ARE NO UPGRADES FROM FILES")));
        }
        self.say("DFH5159", Severity::Information, format!("THE SUPPLIED GROUPS ARE THOSE OF RELEASE {}", crate::RELEASE));
        Ok(())
    }

    /// PROCESS APAR(aparnumber): maintenance comes with the release here.
    fn process(&mut self, statement: &Statement) -> Result<(), Failure> {
        let apar = statement.operands.iter().find(|operand| is_keyword(&operand.keyword, "APAR")).and_then(|apar| apar.value.as_deref());
        let Some(apar) = apar.filter(|apar| !apar.is_empty()) else {
            return Err(("DFH5204", "PROCESS NEEDS APAR(number)".to_string()));
        };
        self.say("DFH5159", Severity::Information, format!("APAR {apar} HAS NO CHANGES FOR THE CSD"));
        Ok(())
    }

    /// Only a job changes a definition; others make a CSD anew.
    fn put(&mut self, definition: Definition) {
        if self.mode == Mode::Job { self.csd.put_now(definition) } else { self.csd.put(definition) }
    }

    fn touch(&mut self, group: &str) {
        self.groups.add(group);
    }

    fn group_of(&self, statement: &Statement, keyword: &str) -> Result<String, Failure> {
        let value = statement.operands.iter().find(|o| is_keyword(&o.keyword, keyword)).and_then(|o| o.value.as_deref());
        let name = value.unwrap_or("").trim().to_ascii_uppercase();
        if name.is_empty() {
            return Err(("DFH5204", format!("{} NEEDS {keyword}(name)", statement.verb)));
        }
        if name.len() > 8 || !name.chars().all(|c| c.is_ascii_alphanumeric() || "$@#*+".contains(c)) {
            return Err(("DFH5208", format!("{name} IS NOT A VALID NAME FOR {keyword}")));
        }
        Ok(name)
    }

    /// The supplied groups are nobody's, and a locked group or list is its owner's, which the utility never is.
    fn may_change(&self, part: Part, name: &str) -> Result<(), Failure> {
        if self.mode == Mode::Supplied {
            return Ok(());
        }
        self.csd.may_change(part, name, &Editor::Utility).map_err(|refused| match refused {
            Refused::Locked(part, name, Owner { applid, user }) => {
                ("DFH5179", format!("{} {name} IS LOCKED BY USER {user} OF REGION {applid}", part.name()))
            }
            _ => ("DFH5177", format!("{name} IS SUPPLIED WITH THE SYSTEM AND CANNOT BE CHANGED; COPY IT FIRST")),
        })
    }

    /// The CSD of FROMCSD; `None` if the statement has none.
    fn csd_of(&mut self, statement: &Statement) -> Result<Option<Csd>, Failure> {
        let Some(operand) = statement.operands.iter().find(|operand| is_keyword(&operand.keyword, "FROMCSD")) else { return Ok(None) };
        let name = operand.value.as_deref().unwrap_or_default().trim().to_ascii_uppercase();
        let secondary = self.surroundings.secondary.and_then(|find| find(&name));
        let secondary = secondary.ok_or(("DFH5210", format!("FROMCSD({name}): THERE IS NO CSD WITH THIS DDNAME")))?;
        self.say("DFH5121", Severity::Information, format!("SECONDARY CSD OPENED;  DDNAME: {name}"));
        Ok(Some(secondary))
    }
}

/// Whether a written keyword is `full` or a prefix of at least its first letter.
fn is_keyword(written: &str, full: &str) -> bool {
    !written.is_empty() && full.starts_with(written) && (written.len() >= 2 || matches!(full, "GROUP" | "LIST"))
}

/// Generic names: `*` any characters, `+` any one character.
pub fn matches_name(pattern: &str, name: &str) -> bool {
    fn matches(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern.first(), name.first()) {
            (None, None) => true,
            (Some(b'*'), _) => matches(&pattern[1..], name) || (!name.is_empty() && matches(pattern, &name[1..])),
            (Some(b'+'), Some(_)) => matches(&pattern[1..], &name[1..]),
            (Some(wanted), Some(found)) => wanted == found && matches(&pattern[1..], &name[1..]),
            _ => false,
        }
    }
    matches(pattern.as_bytes(), name.as_bytes())
}

#[cfg(test)]
mod tests;
