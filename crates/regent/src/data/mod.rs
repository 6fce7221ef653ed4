//! `regent vsam`: show, check, repair, export, recover and log, for data sets of a data directory that no region has open.

mod copybook;
mod export;
mod log;
mod parquet;
mod recover;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::json;
use vsam::catalog::Entry;
use vsam::idcams::{self, IdcamsOptions};
use vsam::store::tell_of_wild_accesses;
use vsam::{DataSets, Store};

use crate::console::Console;
use crate::dd::DdArguments;
use crate::idcams::open_store;

/// Exit code of a check that found damage, and of a repair that could not be made.
const DAMAGED: u8 = 8;

#[derive(Args)]
pub struct Arguments {
    /// The region's data directory (`DIR/.regent/data` of `regent up DIR`).
    #[arg(long, global = true, default_value = ".regent/data")]
    data: PathBuf,
    /// Code page of character data, by its CCSID.
    #[arg(long, global = true, default_value_t = 37, value_parser = crate::code_page::ccsid)]
    ccsid: u16,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the data sets, or show everything about one.
    Show { data_set: Option<String> },
    /// Read every record and index entry, compare them with their checksums and with each other. Exit code 8: damage.
    Check {
        /// All data sets if omitted.
        data_set: Option<String>,
    },
    /// Rebuild alternate indexes and control intervals from the records.
    Repair {
        data_set: String,
        /// Remove records whose checksum is wrong.
        #[arg(long)]
        drop_damaged: bool,
    },
    /// Write the records as CSV, JSON lines or Parquet, by a copybook.
    Export(export::Arguments),
    /// Rebuild a data set from its backup and its forward recovery log.
    Recover(recover::Arguments),
    /// List the records of a forward recovery or replication log.
    Log(log::Arguments),
}

/// An open data directory.
struct Data {
    store: Arc<Store>,
    sets: Arc<DataSets>,
    ccsid: u16,
}

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    if !arguments.data.is_dir() {
        return Err(format!("{}: no data directory", arguments.data.display()));
    }
    tell_of_wild_accesses(&arguments.data);
    let store = open_store(&arguments.data)?;
    let sets = DataSets::new(store.clone()).map_err(|error| error.to_string())?;
    let data = Data { store, sets, ccsid: arguments.ccsid };
    let code = match arguments.command {
        Command::Show { data_set: None } => show_all(&data, console),
        Command::Show { data_set: Some(name) } => show_one(&data, &name),
        Command::Check { data_set } => check(&data, data_set, console),
        Command::Repair { data_set, drop_damaged } => repair(&data, &data_set, drop_damaged, console),
        Command::Export(arguments) => export::command(&data, &arguments, console),
        Command::Recover(arguments) => recover::command(&data, &arguments, console),
        Command::Log(arguments) => log::command(&data, &arguments, console),
    }?;
    let Data { store, sets, .. } = data;
    drop(sets);
    store.close().map_err(|error| error.to_string())?;
    Ok(code)
}

fn show_all(data: &Data, console: &Console) -> Result<u8, String> {
    let mut is_damaged = false;
    for name in data.sets.clusters().map_err(|error| error.to_string())? {
        let Some(Entry::Cluster(cluster)) = data.sets.catalog().get(&name).map_err(|error| error.to_string())? else { continue };
        // Damage in one data set does not hide the others.
        let records = match data.sets.open(&name, Default::default()).and_then(|file| file.record_count()) {
            Ok(records) => Some(records),
            Err(error) => {
                console.warning(&format!("{name}: {error}"));
                is_damaged = true;
                None
            }
        };
        let (kind, attributes) = (cluster.organization.name(), &cluster.attributes);
        if console.is_json() {
            let members = json!({
                "name": name, "organization": kind, "records": records, "record_length_max": attributes.record_max,
                "key_length": attributes.key_length, "key_position": attributes.key_position, "alternate_indexes": cluster.indexes,
            });
            console.event("data_set", members);
        } else {
            let key = if attributes.key_length > 0 {
                format!("key {}+{}", attributes.key_position, attributes.key_length)
            } else {
                String::new()
            };
            let indexes = if cluster.indexes.is_empty() { String::new() } else { format!("  indexes {}", cluster.indexes.join(" ")) };
            let records = records.map_or("?".to_string(), |records| records.to_string());
            console.line(&format!("{name:<44} {kind:<6} {records:>10} records of up to {} {key}{indexes}", attributes.record_max));
        }
    }
    Ok(if is_damaged { DAMAGED } else { 0 })
}

fn show_one(data: &Data, name: &str) -> Result<u8, String> {
    let statement = format!(" LISTCAT ENTRIES({}) ALL\n", name.to_uppercase());
    let outcome = idcams::run(
        &data.sets,
        &statement,
        &DdArguments { dds: &[], data: None, data_classes: &[] },
        &IdcamsOptions { ccsid: data.ccsid.into(), progress: None },
    );
    crate::output::print(&outcome.listing)?;
    Ok(outcome.condition_code.min(16) as u8)
}

fn check(data: &Data, name: Option<String>, console: &Console) -> Result<u8, String> {
    let names = match name {
        Some(name) => vec![name.to_uppercase()],
        None => data.sets.clusters().map_err(|error| error.to_string())?,
    };
    let mut damaged = false;
    for name in names {
        let report = data.sets.check_cluster(&name).map_err(|error| error.to_string())?;
        damaged |= !report.faults.is_empty();
        if console.is_json() {
            let members =
                json!({ "name": name, "records": report.records, "index_entries": report.index_entries, "faults": report.faults });
            console.event("check", members);
            continue;
        }
        let verdict = if report.faults.is_empty() { "good" } else { "DAMAGED" };
        console.line(&format!("{name:<44} {verdict}: {} records, {} index entries", report.records, report.index_entries));
        report.faults.iter().for_each(|fault| console.warning(&format!("  {fault}")));
    }
    Ok(if damaged { DAMAGED } else { 0 })
}

fn repair(data: &Data, name: &str, drop_damaged: bool, console: &Console) -> Result<u8, String> {
    let name = name.to_uppercase();
    match data.sets.repair_cluster(&name, drop_damaged) {
        Ok(dropped) => {
            for key in &dropped {
                let key: String = key.iter().map(|byte| format!("{byte:02X}")).collect();
                console.warning(&format!("{name}: record {key} was damaged and is gone"));
            }
            console.line(&format!("{name}: indexes and control intervals built from the records"));
            Ok(if dropped.is_empty() { 0 } else { 4 })
        }
        Err(error) => {
            console.warning(&format!("{name}: {error}"));
            Ok(DAMAGED)
        }
    }
}
