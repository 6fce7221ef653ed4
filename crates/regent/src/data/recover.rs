//! `regent vsam recover`: rebuilds a data set from its backup and the after-images of its forward recovery log.
//!
//! The backup is the output of IDCAMS REPRO or EXPORT, taken after the log was begun. Afterwards the data set has every change that was
//! committed and reached the log (or, with `--until`, those made before that moment).

use std::path::PathBuf;

use clap::Args;
use vsam::idcams::{self, IdcamsOptions};

use super::Data;
use crate::console::Console;
use crate::dd::{DdArgument, DdArguments};

#[derive(Args)]
pub struct Arguments {
    data_set: String,
    /// The backup: PATH[:fixed:LENGTH|:variable|:blocked|:text] of REPRO, or PATH:variable of EXPORT with `--portable`.
    #[arg(long)]
    backup: Option<String>,
    /// The backup was written by EXPORT.
    #[arg(long)]
    portable: bool,
    /// Name of the log (LOGSTREAMID of the data set, or DFHJnn by FWDRECOVLOG(nn)), or its directory when it is kept elsewhere.
    #[arg(long)]
    log: String,
    /// Ignore changes made after this time, in seconds since 1970.
    #[arg(long)]
    until: Option<u64>,
}

pub fn command(data: &Data, arguments: &Arguments, console: &Console) -> Result<u8, String> {
    let name = arguments.data_set.to_uppercase();
    if let Some(backup) = &arguments.backup {
        let dd: DdArgument = format!("BACKUP={backup}").parse()?;
        let present = data.sets.catalog().get(&name).map_err(|error| error.to_string())?.is_some();
        let statements = match (arguments.portable, present) {
            // Its alternate indexes and paths stay, and so does what was altered since.
            (true, true) => {
                empty(data, &name)?;
                format!(" IMPORT INFILE(BACKUP) OUTDATASET({name}) INTOEMPTY\n")
            }
            (true, false) => format!(" IMPORT INFILE(BACKUP) OUTDATASET({name})\n"),
            (false, true) => {
                empty(data, &name)?;
                format!(" REPRO INFILE(BACKUP) OUTDATASET({name})\n")
            }
            (false, false) => return Err(format!("{name} is not in the catalog: define it, or recover from a portable backup")),
        };
        let options = IdcamsOptions { ccsid: data.ccsid.into(), progress: None };
        let outcome = idcams::run(&data.sets, &statements, &DdArguments { dds: &[dd], data: None, data_classes: &[] }, &options);
        if outcome.condition_code > 4 {
            crate::output::print(&outcome.listing)?;
            return Ok(outcome.condition_code.min(16) as u8);
        }
    }
    // What is committed and not yet in the files comes first.
    data.sets.carry_forward_logs().map_err(|error| error.to_string())?;
    let given = PathBuf::from(&arguments.log);
    let directory = if given.is_dir() { given } else { data.sets.forward_directory(&arguments.log) };
    let applied = data.sets.recover_forward(&name, &directory, arguments.until).map_err(|error| error.to_string())?;
    console.line(&format!("{name}: {applied} changes applied from {}", directory.display()));
    Ok(0)
}

fn empty(data: &Data, name: &str) -> Result<(), String> {
    data.sets.empty_cluster(name).map_err(|error| error.to_string())
}
