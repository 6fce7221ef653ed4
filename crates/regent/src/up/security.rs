//! The first start of a region with SEC=YES: the security database gets an administrator, whose password is shown once, and profiles that
//! leave everything to him until he permits more to others.
//!
//! Invariant: a database that has users is left as it is, so nothing is made twice and no password is shown again.

use crate::console::Console;
use region::system_initialization::SystemInitialization;
use security::{ADMINISTRATOR, Database, Moment};
use std::path::Path;

/// The classes in which the administrator may do everything, and others nothing, by the access he gets.
const CLASSES: [(&str, &str); 10] = [
    ("TCICSTRN", "READ"),
    ("ACICSPCT", "ALTER"),
    ("CCICSCMD", "ALTER"),
    ("DCICSDCT", "ALTER"),
    ("FCICSFCT", "ALTER"),
    ("JCICSJCT", "ALTER"),
    ("MCICSPPT", "ALTER"),
    ("RCICSRES", "ALTER"),
    ("SCICSTST", "ALTER"),
    ("SURROGAT", "READ"),
];

/// Prepares the database of a region that is about to start.
///
/// # Errors
///
/// The database cannot be made.
pub fn prepare(sit: &SystemInitialization, data: &Path, console: Option<&Console>) -> Result<(), String> {
    if !sit.is("SEC", "YES") {
        return Ok(());
    }
    let database = Database::open(data).map_err(|error| error.to_string())?;
    let Some(password) = database.create_administrator().map_err(|error| error.to_string())? else { return Ok(()) };
    for command in first_profiles(sit) {
        let report = database.execute(&command, Moment::now());
        if report.return_code != 0 {
            return Err(format!("the security database: {command}: {}", report.lines.join(" ")));
        }
    }
    if let Some(console) = console {
        console.line(&format!("security: user {ADMINISTRATOR} has been made, with the password {}", password.reveal()));
        console.line("      It is shown this once, and must be changed at the first sign-on (CESN)");
    }
    Ok(())
}

/// What protects a region from the start. Everybody is greeted.
fn first_profiles(sit: &SystemInitialization) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for (class, access) in CLASSES {
        commands.push(format!("RDEFINE {class} ** UACC(NONE)"));
        commands.push(format!("PERMIT ** CLASS({class}) ID({ADMINISTRATOR}) ACCESS({access})"));
    }
    let greeting = sit.good_morning_transaction();
    if !greeting.is_blank() {
        commands.push(format!("RDEFINE TCICSTRN {greeting} UACC(READ)"));
    }
    commands
}

/// Tells who may do what when nobody is checked.
pub fn warn(sit: &SystemInitialization, address: &str, console: &Console) {
    let is_loopback = address.parse::<std::net::IpAddr>().map_or(address == "localhost", |address| address.is_loopback());
    if sit.is("SEC", "NO") && !is_loopback {
        console
            .warning(&format!("security: SEC=NO, so everybody who reaches {address} may run every transaction. Start with --sit SEC=YES"));
    }
}
