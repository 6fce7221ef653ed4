//! STAT: the statistics report.

use super::panel;
use region::statistics::report;
use region::{Raised, Task};

/// Writes the report and shows its location: at the terminal, if there is one, and in the log.
pub fn print(task: &mut Task) -> Result<(), Raised> {
    let said = match report::write(task.region) {
        Ok(path) => format!("The statistics report is {}", path.display()),
        Err(error) => format!("The statistics report cannot be written: {error}"),
    };
    tracing::info!(target: "region::statistics", task = task.number, "{said}");
    if task.facility.terminal().is_some() { panel::last_word(task, &said) } else { Ok(()) }
}
