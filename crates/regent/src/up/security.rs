//! The first start of a region with SEC=YES: the security database gets its administrator and first profiles, if it has none.

use crate::console::Console;
use crate::security::first;
use region::system_initialization::SystemInitialization;
use security::{ADMINISTRATOR, Database};
use std::path::Path;

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
    let greeting = sit.good_morning_transaction();
    let Some(password) = first::make(&database, greeting.as_str())? else { return Ok(()) };
    if let Some(console) = console {
        console.line(&format!("security: user {ADMINISTRATOR} has been made, with the password {}", password.reveal()));
        console.line("      It is shown this once, and must be changed at the first sign-on (CESN)");
    }
    Ok(())
}

/// Tells who may do what when nobody is checked.
pub fn warn(sit: &SystemInitialization, address: &str, console: &Console) {
    let is_loopback = address.parse::<std::net::IpAddr>().map_or(address == "localhost", |address| address.is_loopback());
    if sit.is("SEC", "NO") && !is_loopback {
        console
            .warning(&format!("security: SEC=NO, so everybody who reaches {address} may run every transaction. Start with --sit SEC=YES"));
    }
}
