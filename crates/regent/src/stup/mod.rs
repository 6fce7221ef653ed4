//! `regent stup`: formats the statistics that a region has written, as DFHSTUP does.

mod control;
mod report;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use clap::Args;
use region::statistics::output::{DIRECTORY, FILE};

use self::control::Control;
use self::report::Entry;
use crate::work_directory::WorkDirectory;

#[derive(Args)]
pub struct Arguments {
    /// Control parameters of DFHSTUP: a file, or - for standard input [default: none, which formats all statistics].
    sysin: Option<PathBuf>,
    /// The application's directory.
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    app: PathBuf,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// The statistics, in place of those of the application.
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
}

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let text = match &arguments.sysin {
        None => String::new(),
        Some(path) if path.as_os_str() == STANDARD_INPUT => crate::idcams::read_input(None)?,
        Some(path) => crate::idcams::read_input(Some(path))?,
    };
    let types: Vec<&str> = report::types().map(|(_, (_, name, _))| name).collect();
    let control = Control::parse(&text, &types)?;
    let store = || WorkDirectory::of(&arguments.app, arguments.data.as_deref()).store();
    let path = arguments.statistics.clone().unwrap_or_else(|| store().join(DIRECTORY).join(FILE));
    let advice = "statistics are written at intervals (STATRCD=ON), at the end of the day and at a shutdown";
    let file = std::fs::File::open(&path).map_err(|error| format!("{}: {error}; {advice}", path.display()))?;
    let mut entries = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| format!("{}: {error}", path.display()))?;
        // A line that a running region has not written to its end is passed over.
        entries.extend(Entry::parse(&line).filter(|entry| control.takes(&entry.applid, entry.of_type(), &entry.reason, &entry.at)));
    }
    crate::output::print(&report::text(&entries, &control))?;
    Ok(0)
}
