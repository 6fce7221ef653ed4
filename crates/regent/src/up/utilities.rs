//! Loads tables by the LOAD statements of DSNUTILB steps, each step once. Like a script, it is recorded in the database itself.
//!
//! A step whose records are not there yet waits for the programs of the application, which may make them.

use sql::names::string;
use sql::utility::{Encoding, Load, Utility, utilities};
use vsam::idcams::{RecordFormat, records_of};

use super::configuration::Format;
use super::program_steps::ProgramStep;
use super::setup::{CARD_LENGTH, SetUp};
use crate::database::{Database, Executor};

const CCSID_ASCII: u16 = 819;
const CCSID_UNICODE: u16 = 1208;

pub struct Utilities<'a> {
    pub set_up: &'a SetUp<'a>,
    pub database: &'a Database,
    pub schema: &'a str,
}

/// Why a step was not run.
enum Why {
    /// A data set is not there.
    Missing(String),
    Failed(String),
}

impl Utilities<'_> {
    /// Runs the steps that have not yet run well. `may_wait`: one whose data set is not there is left for later.
    pub fn run(&self, steps: &[ProgramStep], may_wait: bool) -> Result<Vec<String>, String> {
        let mut problems = Vec::new();
        if steps.is_empty() {
            return Ok(problems);
        }
        let mut executor = Executor::new(self.database, self.schema)?;
        let done = executor.rows("select step || statement from db2.set_up").map_err(|failure| failure.to_string())?;
        let done: Vec<String> = done.into_iter().flatten().collect();
        for step in steps {
            let key = format!("{:08x}", crc32fast::hash(step.control.as_bytes()));
            if done.contains(&format!("{}{key}", step.title)) {
                continue;
            }
            let record = format!("insert into db2.set_up (step, statement) values ({}, '{key}')", string(&step.title));
            match self.step(step, &mut executor) {
                Ok(rows) => {
                    executor.plain(&record).map_err(|failure| failure.to_string())?;
                    self.set_up.console.line(&format!("  {:<24} {rows} rows loaded", step.title));
                }
                Err(Why::Missing(_)) if may_wait => {}
                Err(Why::Missing(name)) => problems.push(format!("{} was not run: data set {name} is not there", step.title)),
                Err(Why::Failed(why)) => problems.push(format!("{}: LOAD: {why}", step.title)),
            }
        }
        Ok(problems)
    }

    fn step(&self, step: &ProgramStep, executor: &mut Executor) -> Result<u64, Why> {
        let statements = utilities(&step.control).map_err(|diagnostic| Why::Failed(diagnostic.text))?;
        let loads: Vec<&Load> = statements
            .iter()
            .filter_map(|statement| match statement {
                Utility::Load(load) => Some(&**load),
                Utility::NoEffect(_) => None,
            })
            .collect();
        // All records are there before the first table is filled.
        let records = loads.iter().map(|load| self.records(step, load)).collect::<Result<Vec<_>, Why>>()?;
        let mut rows = 0;
        for (load, records) in loads.iter().zip(&records) {
            rows += executor.load(load, self.set_up.ccsid, records).map_err(Why::Failed)?;
        }
        Ok(rows)
    }

    /// The records of the DD that the statement names.
    fn records(&self, step: &ProgramStep, load: &Load) -> Result<Vec<Vec<u8>>, Why> {
        let ccsid = load.ccsid.unwrap_or(match load.encoding {
            Encoding::Ebcdic => self.set_up.ccsid,
            Encoding::Ascii => CCSID_ASCII,
            Encoding::Unicode => CCSID_UNICODE,
        });
        let page = codepage::by_ccsid(ccsid).or_else(|| codepage::by_ccsid(self.set_up.ccsid));
        let page = page.ok_or_else(|| Why::Failed(format!("CCSID {ccsid} is not known")))?;
        let dds: Vec<_> = step.step.concatenation(&load.input).collect();
        if dds.is_empty() {
            return Err(Why::Failed(format!("there is no DD statement {}", load.input)));
        }
        let mut all = Vec::new();
        for dd in dds {
            if let Some(records) = &dd.in_stream {
                all.extend(records.iter().map(|record| padded(page.encode(record), CARD_LENGTH, page.space)));
                continue;
            }
            let Some(name) = dd.data_set.as_deref().filter(|_| !dd.dummy) else { continue };
            let Some((path, format, length)) = self.set_up.sequential(name) else { return Err(Why::Missing(name.to_string())) };
            let unknown = || Why::Failed(format!("{name}: the record length is not known: give LRECL, or record_length in [data]"));
            let format = match format {
                Format::Fixed => RecordFormat::Fixed(length.or(dd.record_length).ok_or_else(unknown)?),
                Format::Variable => RecordFormat::Variable,
                Format::Blocked => RecordFormat::Blocked,
                Format::Text => RecordFormat::Text,
            };
            // A line of text ends where its blanks begin.
            let least = if format == RecordFormat::Text { length.or(dd.record_length).unwrap_or(CARD_LENGTH) } else { 0 };
            let records = records_of(&path, format, page).map_err(Why::Failed)?;
            all.extend(records.into_iter().map(|record| padded(record, least, page.space)));
        }
        Ok(all)
    }
}

fn padded(mut record: Vec<u8>, least: usize, space: u8) -> Vec<u8> {
    record.resize(record.len().max(least), space);
    record
}
