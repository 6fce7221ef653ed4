//! `regent idcams [FILE]`: control statements from a file or standard input, the listing to standard output, MAXCC
//! as the exit code.

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use vsam::idcams::{self, IdcamsOptions};
use vsam::store::{Run, StoreConfig, tell_of_missing_pages, tell_of_wild_accesses};
use vsam::{DataSets, Store};

use crate::dd::{DataClassArgument, DdArgument, DdArguments};

#[derive(Args)]
pub struct Arguments {
    /// Control statements; standard input if omitted.
    file: Option<PathBuf>,
    /// The region's data directory (`DIR/.regent/data` of `regent up DIR`).
    #[arg(long, default_value = ".regent/data")]
    data: PathBuf,
    /// DD names: NAME=PATH[:fixed:LENGTH|:variable|:blocked|:text] or NAME=dataset:DSN.
    #[arg(long = "dd")]
    dds: Vec<DdArgument>,
    /// Data classes that compress: NAME=compaction.
    #[arg(long = "data-class")]
    data_classes: Vec<DataClassArgument>,
    /// Code page of character data, by its CCSID.
    #[arg(long, default_value_t = 37, value_parser = crate::code_page::ccsid)]
    ccsid: u16,
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let statements = read_input(arguments.file.as_deref())?;
    tell_of_wild_accesses(&arguments.data);
    let store = open_store(&arguments.data)?;
    let data_sets = DataSets::new(store.clone()).map_err(|error| error.to_string())?;
    let shows_progress = std::io::stderr().is_terminal();
    let options = IdcamsOptions { ccsid: u32::from(arguments.ccsid), progress: shows_progress.then_some(show_progress) };
    let outcome = idcams::run(
        &data_sets,
        &statements,
        &DdArguments { dds: &arguments.dds, data: Some(&arguments.data), data_classes: &arguments.data_classes },
        &options,
    );
    if shows_progress {
        // The listing begins where the line of progress stands.
        eprint!("\r{:79}\r", "");
    }
    let printed = crate::output::print(&outcome.listing);
    store.close().map_err(|error| error.to_string())?;
    printed?;
    Ok(outcome.condition_code.min(16) as u8)
}

/// How far a copy is, in one line of a terminal that the next goes over.
fn show_progress(name: &str, records: u64) {
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "\r{name}: {records} records ").and_then(|()| out.flush());
}

/// Text of a file, or of standard input.
pub fn read_input(file: Option<&Path>) -> Result<String, String> {
    let mut bytes = Vec::new();
    match file {
        Some(path) => bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?,
        None => {
            std::io::stdin().read_to_end(&mut bytes).map_err(|error| format!("standard input: {error}"))?;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens the store of a data directory, creating it if it does not exist. It counts as opened by a utility until a region begins to run on
/// it.
pub fn open_store(directory: &Path) -> Result<Arc<Store>, String> {
    vsam::disk::private::create_directory(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    tell_of_missing_pages(directory);
    let config = StoreConfig { run: Run::Utility, ..StoreConfig::default() };
    Store::open(directory, config).map_err(|error| {
        let text = error.to_string();
        let path = directory.display().to_string();
        if text.starts_with(&path) { text } else { format!("{path}: {text}") }
    })
}
