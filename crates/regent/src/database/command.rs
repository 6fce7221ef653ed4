//! `regent sql`: runs SQL of Db2 as DSNTEP2 does, on the database of an application or on a server.

use std::path::PathBuf;

use clap::Args;

use super::{Database, Executor, Failure, Listing, Settings};
use crate::console::Console;
use crate::work_directory::WorkDirectory;

#[derive(Args)]
pub struct Arguments {
    /// The application's directory; with `--database`, a file of SQL statements. Standard input is read if there is neither a file nor `--`.
    place: Option<PathBuf>,
    /// A server: `postgresql://user@host:port/database`.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
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
    /// SQL statements.
    #[arg(last = true, value_name = "STATEMENT")]
    statements: Vec<String>,
}

/// Exit codes, as the return codes of DSNTEP2.
const WARNING: u8 = 4;
const ERROR: u8 = 8;

pub fn command(
    arguments: Arguments,
    settings: impl Fn(&std::path::Path) -> Result<Settings, String>,
    console: &Console,
) -> Result<u8, String> {
    let (database, schema) = match &arguments.database {
        Some(url) => (Database::at(url)?, super::SCHEMA.to_string()),
        None => {
            let directory = arguments.place.clone().unwrap_or_else(|| PathBuf::from("."));
            let work = WorkDirectory::of(&directory, arguments.data.as_deref());
            let settings = settings(&directory)?;
            (Database::existing(&settings, &directory, &work)?, super::schema(&settings, &work))
        }
    };
    let outcome = execute(&database, arguments.schema.as_ref().unwrap_or(&schema), &arguments, console);
    let closed = database.close();
    outcome.and_then(|code| closed.map(|()| code))
}

fn execute(database: &Database, schema: &str, arguments: &Arguments, console: &Console) -> Result<u8, String> {
    let file = arguments.file.as_ref().or(arguments.place.as_ref().filter(|_| arguments.database.is_some()));
    let text = match arguments.statements.is_empty() {
        false => arguments.statements.join(" "),
        true => crate::idcams::read_input(file.map(PathBuf::as_path))?,
    };
    let mut executor = Executor::new(database.session()?, schema, database.order())?;
    let mut code = 0;
    for statement in sql::script(&text, arguments.terminator) {
        let mut listing = Listing::default();
        match executor.statement(&statement.text, None, &mut listing) {
            Ok(_) => {}
            Err(Failure::Sql(error)) => {
                let level = if error.code > 0 { WARNING } else { ERROR };
                code = code.max(level);
                listing.line(&format!("line {}: {}", statement.line, Failure::Sql(error)));
            }
            Err(failure @ Failure::Lost(_)) => return Err(failure.to_string()),
        }
        listing.take().lines().for_each(|line| console.line(line));
    }
    Ok(code)
}
