//! `regent security`: commands of the security database, from the command line, a file or standard input; the import of what RACF's database
//! unload utility writes.

pub mod first;

use std::path::{Path, PathBuf};

use clap::Args;
use security::{ADMINISTRATOR, Database, Moment, Report, commands_of_lines};

use crate::idcams::read_input;

#[derive(Args)]
pub struct Arguments {
    /// A command, as RACF has it under TSO; or the name of a file of commands; or - for commands of standard input, which keeps passwords from
    /// the list of processes.
    #[arg(required_unless_present = "unload")]
    command: Option<String>,
    /// The region's data directory (`DIR/.regent/data` of `regent up DIR`).
    #[arg(long, default_value = ".regent/data")]
    data: PathBuf,
    /// Take in the users, groups and profiles of a file that the database unload utility (IRRDBU00) wrote, as text. Passwords are not in it: the
    /// users are revoked until they have one.
    #[arg(long, value_name = "FILE")]
    unload: Option<PathBuf>,
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let database = Database::open(&arguments.data).map_err(|error| error.to_string())?;
    greet(&database)?;
    let mut return_code = 0;
    if let Some(file) = &arguments.unload {
        let text = read_input(Some(file))?;
        return_code = print(&database.import_unload(&text, Moment::now()))?;
    }
    match arguments.command.as_deref() {
        None => {}
        Some("-") => return_code = return_code.max(execute_all(&database, &read_input(None)?)?),
        Some(name) if !name.contains([' ', '(']) && Path::new(name).is_file() => {
            return_code = return_code.max(execute_all(&database, &read_input(Some(Path::new(name)))?)?);
        }
        Some(command) => return_code = return_code.max(print(&database.execute(command, Moment::now()))?),
    }
    Ok(return_code)
}

/// Makes the first users and profiles of a new database, and says so.
fn greet(database: &Database) -> Result<(), String> {
    if let Some(password) = first::make(database, first::GREETING)? {
        let password = password.reveal();
        let message = format!("user {ADMINISTRATOR} has the password {password} until the first sign-on, which must change it");
        crate::output::STANDARD_ERROR.write_line(&format!("regent: {}: {message}", database.path().display()));
    }
    Ok(())
}

/// Carries out the commands of a file. What goes wrong is told with the number of the line.
fn execute_all(database: &Database, text: &str) -> Result<u8, String> {
    let mut return_code = 0;
    for (number, command) in commands_of_lines(text) {
        let mut report = database.execute(&command, Moment::now());
        if report.return_code > 0 {
            report.lines.insert(0, format!("LINE {number}:"));
        }
        return_code = return_code.max(print(&report)?);
    }
    Ok(return_code)
}

fn print(report: &Report) -> Result<u8, String> {
    let text: String = report.lines.iter().map(|line| format!("{line}\n")).collect();
    crate::output::print(&text)?;
    Ok(report.return_code)
}
