//! `regent vsam log`: the records of a forward recovery or replication log.

use std::path::PathBuf;

use clap::Args;
use region::code_page::RegionCodePage;
use serde_json::json;
use vsam::forward::{FORWARD_RECOVERY, Image, ImageKind, REPLICATION, read_log};

use super::Data;
use crate::console::Console;

#[derive(Args)]
pub struct Arguments {
    /// Name of the log (LOGSTREAMID of the data set, or DFHJnn by FWDRECOVLOG(nn)), or its directory when it is kept elsewhere.
    log: String,
    /// Show only records of this data set, and the ends of units of work.
    #[arg(long)]
    data_set: Option<String>,
}

pub fn command(data: &Data, arguments: &Arguments, console: &Console) -> Result<u8, String> {
    // What is committed and not yet in the files comes first.
    data.sets.carry_forward_logs().map_err(|error| error.to_string())?;
    let given = PathBuf::from(&arguments.log);
    let directory = if given.is_dir() { given } else { data.sets.forward_directory(&arguments.log) };
    let images = read_log(&directory).map_err(|error| error.to_string())?;
    let code_page = super::export::code_page(data.ccsid)?;
    let wanted = arguments.data_set.as_ref().map(|name| name.to_uppercase());
    let concerns = |image: &Image| wanted.as_ref().is_none_or(|name| image.data_set.is_empty() || image.data_set == *name);
    for image in images.values().filter(|image| concerns(image)) {
        show(image, &code_page, console);
    }
    Ok(0)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn show(image: &Image, code_page: &RegionCodePage, console: &Console) {
    let is_file = matches!(image.kind, ImageKind::TieUp | ImageKind::FileClose);
    // The name of a file is ours, a record is the program's.
    let text = |bytes: &[u8]| if is_file { String::from_utf8_lossy(bytes).into_owned() } else { code_page.text(bytes) };
    if console.is_json() {
        let members = json!({
            "kind": image.kind.name(), "sequence": image.sequence, "at": image.at, "unit": image.unit, "data_set": image.data_set,
            "forward_recovery": image.purpose & FORWARD_RECOVERY != 0, "replication": image.purpose & REPLICATION != 0,
            "key": hexadecimal(&image.key), "record": image.record.as_deref().map(hexadecimal), "text": image.record.as_deref().map(text),
        });
        return console.event("log_record", members);
    }
    let purpose = match image.purpose {
        FORWARD_RECOVERY => "F ",
        REPLICATION => " R",
        _ => "FR",
    };
    let record = match (&image.record, image.kind) {
        (Some(record), _) => text(record),
        (None, ImageKind::Commit | ImageKind::Backout) => String::new(),
        (None, _) => format!("(no record {})", hexadecimal(&image.key)),
    };
    let (kind, sequence, unit) = (image.kind.name(), image.sequence, image.unit);
    console.line(&format!("{sequence:>12} {kind:<9} {purpose} {unit:016X} {:<44} {record}", image.data_set));
}
