//! `regent sql`: runs SQL of Db2 as DSNTEP2 does, on the database of an application or on a server.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::{Database, Executor, Failure, Finished, Listing, Located, Settings};
use crate::console::Console;
use crate::work_directory::WorkDirectory;

#[derive(Args)]
pub struct Arguments {
    /// The application's directory; with `--database`, a file of SQL statements. Standard input is read if there is neither a file nor a
    /// statement.
    place: Option<PathBuf>,
    /// SQL statements; they may also follow `--`.
    statement: Option<String>,
    /// A server: `postgresql://user@host:port/database`.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// A further database of the application, by its location.
    #[arg(long, value_name = "NAME", conflicts_with = "database")]
    location: Option<String>,
    /// A file of SQL statements.
    #[arg(long, short = 'f', value_name = "FILE")]
    file: Option<PathBuf>,
    /// Work directory of the application [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// Schema of names without a qualifier [default: that of the application].
    #[arg(long)]
    schema: Option<String>,
    /// Character that ends a statement.
    #[arg(long, default_value_t = ';')]
    terminator: char,
    /// Stop at the first statement that fails. Otherwise the later ones run too.
    #[arg(long)]
    stop: bool,
    /// Show what the server said of an error.
    #[arg(long)]
    verbose: bool,
    /// SQL statements.
    #[arg(last = true, value_name = "STATEMENTS")]
    statements: Vec<String>,
}

/// Exit codes, as the return codes of DSNTEP2.
const WARNING: u8 = 4;
const ERROR: u8 = 8;

pub fn command(arguments: Arguments, settings: impl Fn(&Path) -> Result<Settings, String>, console: &Console) -> Result<u8, String> {
    let (database, schema) = match &arguments.database {
        Some(url) => (Database::at(url)?, super::SCHEMA.to_string()),
        None => {
            let directory = arguments.place.clone().unwrap_or_else(|| PathBuf::from("."));
            let work = WorkDirectory::of(&directory, arguments.data.as_deref());
            let settings = settings(&directory)?;
            let schema = super::schema(&settings, &work);
            match &arguments.location {
                None => (Database::existing(&settings, &directory, &work)?, schema),
                Some(name) => {
                    let further = settings.of_location(name)?;
                    (Database::existing(further, &directory, &work)?, further.schema.clone().unwrap_or(schema))
                }
            }
        }
    };
    let outcome = execute(&database, arguments.schema.as_ref().unwrap_or(&schema), &arguments, console);
    let closed = database.close();
    outcome.and_then(|code| closed.map(|()| code))
}

fn execute(database: &Database, schema: &str, arguments: &Arguments, console: &Console) -> Result<u8, String> {
    let text = arguments.text()?;
    let statements = sql::script(&text, arguments.terminator);
    if statements.is_empty() {
        return Err(
            "there is no SQL statement: give one, regent sql DIRECTORY \"SELECT ...\", a file with -f, or standard input".to_string()
        );
    }
    let mut executor = Executor::new(database, schema)?;
    let mut code = 0;
    for statement in &statements {
        let mut listing = Listing::default();
        let outcome = executor.statement(&statement.text, None, &mut listing);
        listing.take().lines().for_each(|line| console.line(line));
        match outcome {
            Ok(Finished::NoEffect(reason)) => console.line(&reason),
            Ok(Finished::Done) => {}
            Err(Failure::Sql(error)) => {
                code = code.max(if error.code > 0 { WARNING } else { ERROR });
                arguments.report(&Located::new(&text, 1, statement, &error), console);
                if arguments.stop {
                    break;
                }
            }
            Err(failure @ Failure::Lost(_)) => return Err(failure.to_string()),
        }
    }
    Ok(code)
}

impl Arguments {
    /// The SQL: of the command, of a file, or of standard input.
    fn text(&self) -> Result<String, String> {
        if !self.statements.is_empty() {
            return Ok(self.statements.join(" "));
        }
        let place = self.place.as_ref().filter(|_| self.database.is_some());
        // With --database there is no directory, so a text with blanks that names no file is a statement.
        let statement = place.and_then(|place| place.to_str()).filter(|place| place.contains(' ') && !Path::new(place).exists());
        match self.statement.as_deref().or(statement) {
            Some(text) => Ok(text.to_string()),
            None => crate::idcams::read_input(self.file.as_ref().or(place).map(PathBuf::as_path)),
        }
    }

    fn report(&self, located: &Located<'_>, console: &Console) {
        let error = located.error;
        if console.is_json() {
            let state = String::from_utf8_lossy(&error.state);
            let mut members = json!({
                "sqlcode": error.code, "sqlstate": state, "line": located.line, "column": located.column, "text": error.to_string(),
            });
            if self.verbose {
                members["cause"] = json!(error.cause);
            }
            return console.event("error", members);
        }
        console.diagnostic(&format!("line {located}"));
        if self.verbose && !error.cause.is_empty() {
            console.line(&error.cause);
        }
    }
}
