//! `regent vsam export`: records of a data set or path as CSV, JSON lines or Parquet.
//!
//! Without a copybook a record is one text field, in hexadecimal if it is not text. CSV follows RFC 4180; JSON has one object per line,
//! with numbers as they are in the record. In a numeric Parquet column, a value that is not a number becomes null, and is counted.

use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use region::code_page::RegionCodePage;
use serde_json::{Map, Number};
use vsam::catalog::Organization;
use vsam::{FileError, RecordId, Search};

use super::Data;
use super::copybook::{self, Field, Value};
use super::parquet::{Cell, Kind, Writer};
use crate::console::Console;

#[derive(Args)]
pub struct Arguments {
    data_set: String,
    /// The copybook that describes the record.
    #[arg(long)]
    copybook: Option<PathBuf>,
    /// The 01 level to use of a copybook that has several.
    #[arg(long)]
    record: Option<String>,
    #[arg(long = "as", value_enum, default_value = "csv")]
    form: Form,
    /// File to write; standard output if omitted.
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Csv,
    Json,
    Parquet,
}

pub fn code_page(ccsid: u16) -> Result<RegionCodePage, String> {
    crate::code_page::page(ccsid).map(RegionCodePage::new)
}

pub fn command(data: &Data, arguments: &Arguments, console: &Console) -> Result<u8, String> {
    let page = code_page(data.ccsid)?;
    let name = arguments.data_set.to_uppercase();
    // Before a file is made of it.
    let file = data.sets.open(&name, Default::default()).map_err(|error| error.to_string())?;
    let fields = match &arguments.copybook {
        Some(path) => Some(copybook::fields(path, arguments.record.as_deref(), data.ccsid)?),
        None => None,
    };
    let described = fields.as_deref().map_or(0, copybook::length);
    let longest = file.attributes().record_length_max;
    if described > longest {
        let path = arguments.copybook.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        eprintln!("regent: {path} describes {described} bytes, but a record of {name} has at most {longest}: fields behind it are empty");
    }
    drop(file);
    let out: Box<dyn Write> = match &arguments.output {
        Some(path) => {
            // The records of an application are private to their owner.
            let mut options = std::fs::File::options();
            let file = options.write(true).create(true).truncate(true).mode(0o600).open(path);
            Box::new(file.map_err(|error| format!("{}: {error}", path.display()))?)
        }
        None => Box::new(std::io::stdout()),
    };
    let mut out = BufWriter::new(out);
    let io = |error: std::io::Error| error.to_string();
    if matches!(arguments.form, Form::Parquet) {
        let (wrong, lost) = to_parquet(data, &name, fields.as_deref(), &page, out)?;
        if wrong > 0 {
            console.warning(&format!("{wrong} values that are no numbers are null"));
        }
        warn_of_counters(console, lost);
        return Ok(0);
    }
    if matches!(arguments.form, Form::Csv) {
        let names = fields.as_ref().map(|fields| fields.iter().map(|field| quoted(&field.name)).collect());
        let names: Vec<String> = names.unwrap_or_else(|| vec!["RECORD".to_string()]);
        write!(out, "{}\r\n", names.join(",")).map_err(io)?;
    }
    let mut lost = 0u64;
    for_each_record(data, &name, &mut |record| {
        lost += u64::from(fields.as_ref().is_some_and(|fields| !copybook::counters_hold(fields, record, &page)));
        let values: Vec<(String, Value)> = match &fields {
            Some(fields) => fields.iter().map(|field: &Field| (field.name.clone(), field.value(record, &page))).collect(),
            None => vec![("RECORD".to_string(), Value::Text(text_of(record, &page)))],
        };
        let written = match arguments.form {
            Form::Csv => write!(out, "{}\r\n", values.iter().map(|(_, value)| csv(value)).collect::<Vec<_>>().join(",")),
            _ => writeln!(out, "{}", json(values)),
        };
        written.map_err(io)
    })?;
    out.flush().map_err(io)?;
    warn_of_counters(console, lost);
    Ok(0)
}

/// A record without copybook.
fn text_of(record: &[u8], page: &RegionCodePage) -> String {
    let text = page.text(record);
    if text.chars().any(char::is_control) {
        return format!("X'{}'", record.iter().map(|byte| format!("{byte:02X}")).collect::<String>());
    }
    text.trim_end().to_string()
}

fn warn_of_counters(console: &Console, records: u64) {
    if records > 0 {
        console.warning(&format!(
            "{records} records have no number of occurrences in a DEPENDING ON item: what lies in and behind the table is left out"
        ));
    }
}

/// Returns the number of values that were not numbers, and of records with an invalid counter.
fn to_parquet(data: &Data, name: &str, fields: Option<&[Field]>, page: &RegionCodePage, out: impl Write) -> Result<(u64, u64), String> {
    let columns = match fields {
        Some(fields) => fields.iter().map(|field| (field.name.clone(), field.kind())).collect(),
        None => vec![("RECORD".to_string(), Kind::Text)],
    };
    let io = |error: std::io::Error| error.to_string();
    let mut writer = Writer::new(out, columns).map_err(io)?;
    let (mut wrong, mut lost) = (0, 0);
    for_each_record(data, name, &mut |record| {
        let Some(fields) = fields else { return writer.row([Cell::Text(text_of(record, page))]).map_err(io) };
        lost += u64::from(!copybook::counters_hold(fields, record, page));
        let cells = fields.iter().map(|field| match (field.value(record, page), field.kind()) {
            (Value::Text(text), Kind::Text) => Cell::Text(text),
            (Value::Number(number), Kind::Decimal { .. }) => number.replace('.', "").parse().map_or(Cell::Null, Cell::Number),
            (Value::Number(number), Kind::Double) => number.parse().map_or(Cell::Null, Cell::Double),
            (Value::Absent, _) => Cell::Null,
            _ => {
                wrong += 1;
                Cell::Null
            }
        });
        writer.row(cells.collect::<Vec<Cell>>()).map_err(io)
    })?;
    writer.finish().map_err(io)?;
    Ok((wrong, lost))
}

/// Calls `each` with every record of a data set, alternate index or path, in order.
fn for_each_record(data: &Data, name: &str, each: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
    let file = data.sets.open(name, Default::default()).map_err(|error| error.to_string())?;
    let unit = data.store.begin();
    let attributes = file.attributes();
    let keyed = attributes.path || attributes.organization == Organization::Ksds;
    let numbered = !keyed && matches!(attributes.organization, Organization::Rrds | Organization::Vrrds);
    let mut key = vec![0; attributes.key_length];
    let mut number = u64::from(numbered);
    let first = key.clone();
    let start = if keyed {
        RecordId::Key(&first)
    } else if numbered {
        RecordId::Rrn(1)
    } else {
        RecordId::Rba(0)
    };
    let mut browse = match file.start_browse(&unit, start, Search::GTEQ) {
        Err(FileError::NotFound) => return Ok(()),
        other => other.map_err(|error| error.to_string())?,
    };
    let mut record = Vec::new();
    loop {
        let at = if keyed {
            RecordId::Key(&key)
        } else if numbered {
            RecordId::Rrn(number as u32)
        } else {
            RecordId::Rba(number)
        };
        match browse.next(&unit, at, &mut record) {
            Ok(found) => {
                number = found.number;
                key = found.key;
            }
            Err(FileError::EndOfFile) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        }
        each(&record)?;
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

fn csv(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Number(number) => number.clone(),
        Value::Absent => String::new(),
    }
}

fn json(values: Vec<(String, Value)>) -> String {
    let mut object = Map::new();
    for (name, value) in values {
        let value = match value {
            Value::Text(text) => serde_json::Value::String(text),
            Value::Number(number) => match number.parse::<Number>() {
                // A number a double cannot hold stays text, digit for digit.
                Ok(parsed) if parsed.to_string() == number => serde_json::Value::Number(parsed),
                _ => serde_json::Value::String(number),
            },
            Value::Absent => serde_json::Value::Null,
        };
        object.insert(name, value);
    }
    serde_json::Value::Object(object).to_string()
}
