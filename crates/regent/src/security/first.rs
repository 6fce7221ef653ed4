//! A new security database: the administrator, whose password is shown once, and profiles that leave everything to him until he permits more to
//! others. `regent up` and `regent security` make it, whichever comes first.
//!
//! Invariant: a database that has users is left as it is, so nothing is made twice and no password is shown again.

use security::{ADMINISTRATOR, Database, Moment, Secret};
use security_manager::categories::Category;

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
/// The transaction that greets, unless a region has another.
pub const GREETING: &str = "CSGM";

/// Makes the first users and profiles of a database without users; the password of the administrator. Everybody may run the transaction that
/// greets.
///
/// # Errors
///
/// The database cannot be written.
pub fn make(database: &Database, greeting: &str) -> Result<Option<Secret>, String> {
    let Some(password) = database.create_administrator().map_err(|error| error.to_string())? else { return Ok(None) };
    for command in profiles(greeting) {
        let report = database.execute(&command, Moment::now());
        if report.return_code != 0 {
            return Err(format!("the security database: {command}: {}", report.lines.join(" ")));
        }
    }
    Ok(Some(password))
}

/// Nobody runs the transactions of category 1, the administrator those of category 2 and all others; those of category 3 need no profile.
fn profiles(greeting: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for (class, access) in CLASSES {
        commands.push(format!("RDEFINE {class} ** UACC(NONE)"));
        commands.push(format!("PERMIT ** CLASS({class}) ID({ADMINISTRATOR}) ACCESS({access})"));
    }
    for (profile, category) in [("CICSCAT1", Category::Internal), ("CICSCAT2", Category::Restricted)] {
        let members: Vec<&str> = category.transactions().filter(|transaction| *transaction != greeting).collect();
        commands.push(format!("RDEFINE GCICSTRN {profile} ADDMEM({}) UACC(NONE)", members.join(" ")));
    }
    commands.push(format!("PERMIT CICSCAT2 CLASS(GCICSTRN) ID({ADMINISTRATOR}) ACCESS(READ)"));
    if !greeting.is_empty() {
        commands.push(format!("RDEFINE TCICSTRN {greeting} UACC(READ)"));
    }
    commands
}
