//! The commands that list and change the database, as RACF has them under TSO (z/OS Security Server RACF Command Language Reference).
//!
//! Whoever may write the files of the database may enter any command; the authority of users over each other's profiles is not checked here.

mod groups;
mod list_options;
mod list_resources;
mod list_users;
mod logon;
mod operands;
mod report;
mod resource_segments;
mod resources;
mod search;
mod segments;
mod setropts;
mod text;
mod users;

use crate::audit::{AuditRecord, Event};
use crate::database::{Database, TOP_GROUP};
use crate::moment::Moment;
use crate::name::Name8;
use crate::secret::{HashedSecret, Secret};

pub use report::Report;
pub(crate) use resources::new_profile;
pub use text::{COMMAND_LENGTH_MAX, commands_of_lines};
pub(crate) use users::new_connect;

use report::{CommandError, failed};
use text::Operand;

const NOT_A_COMMAND: u16 = 3;
const NOT_DEFINED: u16 = 102;
const NOT_AUDITED: u16 = 198;

/// What a command works on.
struct Request<'a> {
    database: &'a Database,
    now: Moment,
}

impl Request<'_> {
    fn hash(&self, secret: &Secret, earlier: Option<&HashedSecret>) -> Result<HashedSecret, CommandError> {
        let hash = self.database.hashing.with(|| HashedSecret::of(secret, earlier));
        hash.map_err(|error| failed(NOT_AUDITED, error.to_string().to_uppercase()))
    }
}

type Handler = fn(&Request, Vec<Operand>, &mut Report) -> Result<(), CommandError>;

/// Each command with its abbreviation.
const COMMANDS: [(&str, &str, Handler); 18] = [
    ("ADDGROUP", "AG", groups::add),
    ("ADDUSER", "AU", users::add),
    ("ALTGROUP", "ALG", groups::alter),
    ("ALTUSER", "ALU", users::alter),
    ("CONNECT", "CO", groups::connect),
    ("DELGROUP", "DG", groups::delete),
    ("DELUSER", "DU", users::delete),
    ("LISTGRP", "LG", list_users::list_groups),
    ("LISTUSER", "LU", list_users::list_users),
    ("PASSWORD", "PW", users::password),
    ("PERMIT", "PE", resources::permit),
    ("PHRASE", "PHRASE", users::password),
    ("RALTER", "RALT", resources::alter),
    ("RDEFINE", "RDEF", resources::define),
    ("RDELETE", "RDEL", resources::delete),
    ("REMOVE", "RE", groups::remove),
    ("RLIST", "RL", list_resources::list),
    ("SEARCH", "SR", search::search),
];

impl Database {
    /// Carries out a command: what it prints, and its return code.
    pub fn execute(&self, command: &str, now: Moment) -> Report {
        let mut report = Report::default();
        let request = Request { database: self, now };
        match text::parse(command) {
            Err(error) => report.fail(&error),
            Ok((name, operands)) => {
                if let Err(error) = dispatch(&request, &name, operands.clone(), &mut report) {
                    report.fail(&error);
                }
                record(&request, &name, &operands, &mut report);
            }
        }
        report
    }
}

fn dispatch(request: &Request, name: &str, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    if ["SETROPTS", "SETR"].contains(&name) {
        return setropts::set(request, operands, report);
    }
    let found = COMMANDS.iter().find(|(command, abbreviation, _)| name == *command || name == *abbreviation);
    let (_, _, handler) = found.ok_or_else(|| failed(NOT_A_COMMAND, format!("{name} IS NOT A COMMAND")))?;
    request.database.reload()?;
    handler(request, operands, report)
}

/// Records a command, without the values of secrets.
fn record(request: &Request, name: &str, operands: &[Operand], report: &mut Report) {
    let class = operands.first().map(|first| first.word.to_ascii_uppercase()).unwrap_or_default();
    let is_recorded = request.database.with_state(|state| {
        let object = if name.contains("USER") || name == "AU" {
            "USER"
        } else if name.contains("GROUP") {
            "GROUP"
        } else {
            &class
        };
        state.settings.special_audit || Name8::new(object).is_ok_and(|class| state.settings.audit.contains(&class))
    });
    if !is_recorded {
        return;
    }
    let shown: Vec<String> = operands.iter().map(shown).collect();
    let detail = format!("{name} {}", shown.join(" "));
    let result = if report.return_code < 8 { "success" } else { "failure" };
    let record = AuditRecord { detail: Some(&detail), ..AuditRecord::new(request.now, Event::Command, Name8::constant(TOP_GROUP), result) };
    if let Err(error) = request.database.audit(&record) {
        report.warn(NOT_AUDITED, format!("THE COMMAND IS NOT RECORDED: {error}").to_uppercase());
    }
}

/// Operands whose values are secret, in all their abbreviations.
const SECRET_OPERANDS: [&str; 4] = ["PASSWORD", "PHRASE", "KEYMASKED", "OIDCARD"];

fn shown(operand: &Operand) -> String {
    let Some(arguments) = &operand.arguments else { return operand.word.clone() };
    let word = operand.word.to_ascii_uppercase();
    let is_secret = !word.is_empty() && SECRET_OPERANDS.iter().any(|secret| secret.starts_with(&word));
    let inside: Vec<String> = arguments.iter().map(shown).collect();
    format!("{word}({})", if is_secret { "...".to_string() } else { inside.join(" ") })
}

/// There is no object of a name.
fn unknown(what: &str, name: Name8) -> CommandError {
    failed(NOT_DEFINED, format!("{what} {name} IS NOT DEFINED"))
}
