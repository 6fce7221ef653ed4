//! Options of implemented commands that no domain reads (`tables/options.tsv`), and what becomes of them.
//!
//! The translators tell of refused options, and the region acts by the table.

use crate::{CommandSpec, OptionId};
use std::sync::OnceLock;

/// What happens when a program gives such an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The task abends AEY9.
    Refused,
    /// The program gets the null value of an INQUIRE command.
    Null,
    /// Nothing.
    Accepted,
}

/// A row of the table.
pub struct UnusedOptions {
    pub command: &'static str,
    pub effect: Effect,
    pub options: Vec<&'static str>,
    pub why: &'static str,
}

/// The rows of the table.
pub fn unused_options() -> &'static [UnusedOptions] {
    static ROWS: OnceLock<Vec<UnusedOptions>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let table = include_str!("../tables/options.tsv");
        table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
    })
}

fn row(line: &'static str) -> UnusedOptions {
    let mut columns = line.split('\t');
    let mut next = || columns.next().unwrap_or_default();
    let command = next();
    let effect = match next() {
        "refused" => Effect::Refused,
        "null" => Effect::Null,
        _ => Effect::Accepted,
    };
    UnusedOptions { command, effect, options: next().split(' ').collect(), why: next() }
}

/// Why a region refuses an option of a command; `None`: it does not.
pub fn why_refused(command: &CommandSpec, option: OptionId) -> Option<&'static str> {
    let of_command = unused_options().iter().filter(|row| row.command == command.name && row.effect == Effect::Refused);
    of_command.into_iter().find(|row| row.options.contains(&option.name())).map(|row| row.why)
}
