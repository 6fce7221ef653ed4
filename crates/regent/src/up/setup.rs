//! Creates and loads an application's files: runs the IDCAMS steps of its jobs and control-statement files, each once. The ledger
//! `setup.json` of the data directory records the steps that have run, so that a later start keeps its data.
//!
//! Jobs have no defined order: a step that needs a data set defined by another step waits for that step.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vsam::DataSets;
use vsam::disk::names::{Letters, file_name};
use vsam::disk::private;
use vsam::idcams::{self, DataClass, DdResolver, DdTarget, IdcamsOptions, RecordFormat};

use super::configuration::{Configuration, Format};
use super::discover::Found;
use super::jcl::{self, Dd, Step};
use super::jobs::{Jobs, read_text};
use super::statements::{Effects, effects, remaining};
use crate::console::Console;
use crate::replace::replace_file;
use crate::sequential::{rename_sequential, scratch_sequential, sequential_path};
use crate::work_directory::WorkDirectory;

/// A condition code above this is a failure: 4 is a warning.
const FAILURE_ABOVE: u32 = 4;

/// One run of IDCAMS: a job step, or a file of control statements.
pub struct Unit {
    /// `JOB.STEP`, or the file's name.
    pub title: String,
    pub text: String,
    pub dds: Vec<Dd>,
    pub effects: Effects,
    /// Symbols that have no value.
    pub unknown_symbols: Vec<String>,
}

/// What has been run, by title.
#[derive(Default, Serialize, Deserialize)]
pub struct Ledger {
    /// The store that it was run for; missing in ledgers of the first release.
    #[serde(default)]
    store: Option<String>,
    done: BTreeMap<String, Entry>,
    /// Steps of the application's own programs.
    #[serde(default)]
    pub programs: BTreeMap<String, ProgramEntry>,
}

#[derive(Serialize, Deserialize)]
pub struct ProgramEntry {
    /// CRC of the program's name and its parameter.
    pub statements: u32,
    pub return_code: i32,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    /// CRC of the statements as they were run.
    statements: u32,
    /// CRC of the records in the stream then; missing in older ledgers.
    #[serde(default)]
    records: Option<u32>,
    /// CRC of the names of the data sets that its DD statements had then; missing in older ledgers.
    #[serde(default)]
    data_sets: Option<u32>,
    condition_code: u32,
    /// The first error message of the listing.
    #[serde(default)]
    message: Option<String>,
    /// Sequential data sets that were not found then.
    missing: BTreeSet<String>,
}

/// The result of the set-up.
#[derive(Default)]
pub struct Outcome {
    pub steps_run: usize,
    /// Steps with a condition code above 4, at this start or at an earlier one.
    pub failures: Vec<Failure>,
    /// Sequential data sets that no file is known for, and the data sets they would be loaded into.
    pub missing: BTreeMap<String, BTreeSet<String>>,
    /// Those of them that a step takes for clusters or alternate indexes.
    pub undefined: BTreeSet<String>,
    /// Titles of steps that were not run, and the symbols that have no value.
    pub unknown_symbols: Vec<(String, Vec<String>)>,
    /// Data sets that a step has loaded without an error.
    pub loaded: BTreeSet<String>,
    /// By data set, the steps that define it and were run at an earlier start, not at this one.
    pub defined_before: BTreeMap<String, RunBefore>,
}

/// A step that was run at an earlier start.
pub struct RunBefore {
    pub title: String,
    /// Its statements or symbols are others now.
    pub has_changed: bool,
}

/// A step that ended with a condition code above 4.
pub struct Failure {
    pub title: String,
    pub condition_code: u32,
    /// The first error message of its listing.
    pub message: Option<String>,
    pub listing: PathBuf,
    /// The data sets that it should have made.
    pub defines: BTreeSet<String>,
    /// The data sets that it should have loaded.
    pub loads: BTreeSet<String>,
}

pub struct SetUp<'a> {
    pub directory: &'a Path,
    pub work: &'a WorkDirectory,
    pub configuration: &'a Configuration,
    pub found: &'a Found,
    pub data_sets: &'a Arc<DataSets>,
    pub ccsid: u16,
    pub console: &'a Console,
    /// The formats of the files that have been looked at.
    pub formats: RefCell<BTreeMap<PathBuf, Format>>,
}

impl Ledger {
    pub fn read(path: &Path) -> Result<Ledger, String> {
        let unreadable = |error: &dyn std::fmt::Display| {
            format!(
                "{}: the record of the set-up cannot be read: {error}. Restore it from its backup; or remove it, and every step of the set-up \
                 runs again, those that delete and define data sets too",
                path.display()
            )
        };
        match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| unreadable(&error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Ledger::default()),
            Err(error) => Err(unreadable(&error)),
        }
    }

    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        replace_file(path, text.as_bytes())
    }
}

/// The runs of IDCAMS of an application.
pub fn units(configuration: &Configuration, found: &Found, jobs: &Jobs<'_>) -> Vec<Unit> {
    let mut units = Vec::new();
    for (path, job) in &jobs.jobs {
        let job_name = Jobs::name(path, job);
        for step in job.steps.iter().filter(|step| !step.is_procedure && step.program == "IDCAMS") {
            if let Some(text) = jobs.control_statements(step, "SYSIN") {
                units.push(unit(format!("{job_name}.{}", step.name), text, step.dds.clone(), step.missing()));
            }
        }
    }
    for path in found.control_statements.iter().filter(|path| !jobs.has_read(path)) {
        let text = jcl::substitute(&read_text(path), &configuration.symbols);
        let title = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        let unknown_symbols = jcl::placeholders(&text);
        units.push(unit(title, text, Vec::new(), unknown_symbols));
    }
    make_titles_unique(&mut units);
    units
}

/// The steps and jobs that cannot be used, with the reason. `is_used` says so of a step of a job that other parts of the set-up run.
pub fn refused(jobs: &Jobs<'_>, is_used: &dyn Fn(&str, &Step) -> bool) -> Vec<(PathBuf, String)> {
    let mut refused = Vec::new();
    for (path, job) in &jobs.jobs {
        let job_name = Jobs::name(path, job);
        refused.extend(job.remarks.iter().map(|(line, reason)| (path.clone(), format!("line {line}: {reason}"))));
        let (mut programs, mut procedures, mut compiled) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for step in &job.steps {
            match step.program.as_str() {
                _ if step.is_procedure && jcl::makes_load_modules(&step.program) => {
                    if !jobs.has_source(step) {
                        compiled.insert(step.program.clone());
                    }
                }
                _ if step.is_procedure => {
                    procedures.insert(step.program.clone());
                }
                "IDCAMS" | "DFHCSDUP" if jobs.control_statements(step, "SYSIN").is_none() => {
                    let reason =
                        format!("line {}: step {}: SYSIN is neither in the stream nor a file of the application", step.line, step.name);
                    refused.push((path.clone(), reason))
                }
                // IEFBR14 does nothing; the data sets that its DD statements create and delete are not needed here.
                "IDCAMS" | "DFHCSDUP" | "IEFBR14" => {}
                _ if is_used(&job_name, step) => {}
                program => {
                    programs.insert(program.to_string());
                }
            }
        }
        for (names, text) in [
            (programs, "steps that run"),
            (procedures, "calls of procedures that are not in the application:"),
            (compiled, "the application has no COBOL, C or BMS source for calls of"),
        ] {
            if !names.is_empty() {
                refused.push((path.clone(), format!("{text} {}", names.into_iter().collect::<Vec<_>>().join(", "))));
            }
        }
    }
    refused.extend(jobs.unused.iter().map(|path| (path.clone(), "procedure that no job calls".to_string())));
    refused
}

/// The ledger knows steps by their titles. Jobs of one name are about, and so are steps without one.
fn make_titles_unique(units: &mut [Unit]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for unit in units {
        let count = seen.entry(unit.title.clone()).or_default();
        *count += 1;
        if *count > 1 {
            unit.title = format!("{} ({count})", unit.title);
        }
    }
}

/// Files that may be data, but that no step of a job, no statement and no `[data]` entry names.
pub fn unused_data<'a>(configuration: &Configuration, found: &'a Found, units: &[Unit]) -> Vec<&'a Path> {
    let configured: BTreeSet<String> = configuration
        .data
        .values()
        .filter_map(|source| source.path().file_name())
        .map(|name| name.to_string_lossy().to_uppercase())
        .collect();
    let named = |name: &String| {
        configured.contains(name)
            || units.iter().any(|unit| {
                unit.dds.iter().any(|dd| dd.data_set.as_ref() == Some(name)) || unit.effects.copies.iter().any(|copy| copy.from == *name)
            })
    };
    found.data.iter().filter(|(name, _)| !named(name)).map(|(_, path)| path.as_path()).collect()
}

fn unit(title: String, text: String, dds: Vec<Dd>, unknown_symbols: Vec<String>) -> Unit {
    let effects = effects(&text, &|dd| dds.iter().find(|d| d.name == dd).and_then(|d| d.data_set.clone()));
    Unit { title, text, dds, effects, unknown_symbols }
}

/// DFHCSDUP input of the application: text and the name it is reported under.
pub fn definitions(configuration: &Configuration, found: &Found, jobs: &Jobs<'_>) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for path in &found.definitions {
        out.push((path.display().to_string(), jcl::substitute(&read_text(path), &configuration.symbols)));
    }
    for (path, job) in &jobs.jobs {
        let steps = job.steps.iter().filter(|step| step.program == "DFHCSDUP");
        let inputs = steps.filter_map(|step| Some((step, jobs.control_statements(step, "SYSIN")?)));
        out.extend(inputs.map(|(step, text)| (format!("{} step {}", path.display(), step.name), text)));
    }
    out
}

impl SetUp<'_> {
    /// Runs every step that has not yet been run, in an order in which each finds the data sets it needs.
    pub fn run(&self, units: &[Unit]) -> Result<Outcome, String> {
        let mut ledger = Ledger::read(&self.work.ledger())?;
        self.compare_store(&mut ledger)?;
        let mut outcome = Outcome::default();
        let provided: BTreeSet<&str> = units.iter().flat_map(|unit| unit.effects.defines.iter().map(String::as_str)).collect();
        let mut remaining: Vec<&Unit> = units.iter().filter(|unit| unit.effects.sets_up(&provided)).collect();
        let mut defined: BTreeSet<String> = BTreeSet::new();
        let mut run_now: BTreeSet<String> = BTreeSet::new();
        while !remaining.is_empty() {
            let next = remaining.iter().position(|unit| unit.effects.is_ready(&defined, &provided)).unwrap_or(0);
            let unit = remaining.remove(next);
            defined.extend(unit.effects.defines.iter().cloned());
            if self.run_unit(unit, &provided, &run_now, &mut ledger, &mut outcome)? {
                run_now.extend(unit.effects.defines.iter().cloned());
            }
        }
        Ok(outcome)
    }

    /// The ledger must belong to the open store; otherwise the work it records was lost with another store.
    fn compare_store(&self, ledger: &mut Ledger) -> Result<(), String> {
        let store = self.data_sets.store();
        let own = format!("{:016X}", store.identifier());
        let (is_new, had) = (store.restart_report().created, ledger.store.replace(own.clone()));
        if ledger.done.is_empty() || had.map_or(!is_new, |had| had == own) {
            return Ok(());
        }
        let (data, ledger_path) = (store.directory().display().to_string(), self.work.ledger());
        if self.data_sets.clusters().map_err(|error| error.to_string())?.is_empty() {
            self.console.warning(&format!("set up    {data} has no data sets: they are made and loaded again, as at the first start"));
            ledger.done.clear();
            ledger.programs.clear();
        } else {
            let path = ledger_path.display();
            self.console.warning(&format!(
                "set up    {data} is not the data that was set up here: it is used as it is; remove {path} to set it up"
            ));
        }
        Ok(())
    }

    /// Runs a step unless it has been run and would do no more now; whether it was run. `provided` are the data sets that steps define,
    /// `run_now` those whose steps have been run at this start.
    fn run_unit(
        &self,
        unit: &Unit,
        provided: &BTreeSet<&str>,
        run_now: &BTreeSet<String>,
        ledger: &mut Ledger,
        outcome: &mut Outcome,
    ) -> Result<bool, String> {
        let statements = crc32fast::hash(unit.text.as_bytes());
        let (records, data_sets) = (records_in_stream(unit), data_sets_of_dds(unit));
        let resolver = Resolver { set_up: self, unit, provided, missing: Default::default() };
        if !unit.unknown_symbols.is_empty() {
            outcome.unknown_symbols.push((unit.title.clone(), unit.unknown_symbols.clone()));
            return Ok(false);
        }
        let mut text = unit.text.clone();
        if let Some(entry) = ledger.done.get(&unit.title) {
            let found_now = entry.missing.iter().any(|name| self.sequential(name).is_some());
            // Failed statements are run again after a change, unless that could undo later work.
            let is_there = |name: &String| self.data_sets.open(name, Default::default()).is_ok();
            let failed = entry.condition_code > FAILURE_ABOVE;
            let is_rewritten = entry.statements != statements || entry.data_sets.is_some_and(|before| before != data_sets);
            let is_mended = failed && is_rewritten;
            let has_changed = is_rewritten || entry.records.is_some_and(|before| before != records);
            // A step that went well is run again when what it made has been deleted.
            let is_renewed = !failed && has_changed && !unit.effects.defines.is_empty() && !unit.effects.defines.iter().any(is_there);
            // What it needs may not have been there, and has been defined now; what it has loaded may be new and empty.
            let has_target = unit.effects.needs.iter().any(|name| run_now.contains(name) && (failed || self.is_empty(name)));
            if is_mended && !found_now && !has_target && unit.effects.defines.iter().any(is_there) {
                text = self.left_of(unit);
            }
            if !found_now && !has_target && !is_renewed && (!is_mended || text.trim().is_empty()) {
                if has_changed && !failed {
                    self.tell_of_change(unit);
                }
                self.tell(unit, entry, outcome);
                let before = |name: &String| (name.clone(), RunBefore { title: unit.title.clone(), has_changed });
                outcome.defined_before.extend(unit.effects.defines.iter().map(before));
                return Ok(false);
            }
        }
        let options = IdcamsOptions { ccsid: u32::from(self.ccsid), progress: None };
        let result = idcams::run(self.data_sets, &text, &resolver, &options);
        let missing = resolver.missing.take();
        self.keep_listing(&unit.title, &result.listing)?;
        outcome.steps_run += 1;
        self.console.line(&format!("  {:<24} condition code {}", unit.title, result.condition_code));
        let message = first_error(&result.listing);
        let condition_code = result.condition_code;
        let entry = Entry { statements, records: Some(records), data_sets: Some(data_sets), condition_code, message, missing };
        self.tell(unit, &entry, outcome);
        ledger.done.insert(unit.title.clone(), entry);
        // A failure must not lose work that the ledger records as done.
        self.data_sets.store().keypoint().map_err(|error| error.to_string())?;
        ledger.write(&self.work.ledger())?;
        Ok(true)
    }

    /// A data set that is there and has never been loaded.
    fn is_empty(&self, name: &str) -> bool {
        self.data_sets.open(name, Default::default()).is_ok_and(|file| file.is_to_be_loaded().unwrap_or(false))
    }

    /// The statements of a step that has failed in part and has been changed: those for what it has not made.
    fn left_of(&self, unit: &Unit) -> String {
        let is_there = |name: &String| self.data_sets.open(name, Default::default()).is_ok();
        let is_empty = |name: &String| self.is_empty(name);
        let data_set_of = |name: &str| unit.dds.iter().find(|dd| dd.name == name).and_then(|dd| dd.data_set.clone());
        let there: Vec<&str> = unit.effects.defines.iter().filter(|name| is_there(name)).map(String::as_str).collect();
        let (title, kept) = (&unit.title, there.join(", "));
        match remaining(&unit.text, &data_set_of, &is_there, &is_empty) {
            Some(text) if !text.trim().is_empty() => {
                self.console.line(&format!("  {title}: {kept} was made before and is kept; what the step has not made is made now"));
                text
            }
            Some(_) => String::new(),
            None => {
                self.console.warning(&format!(
                    "  {title} has changed and is not run again, because it has made {kept} and its IF statements cannot be carried out in \
                     part: run what is left by 'regent idcams', or delete {kept}, and the next start runs the whole step"
                ));
                String::new()
            }
        }
    }

    /// A step that has been changed since it went well is not run again: data changed since then would be lost.
    fn tell_of_change(&self, unit: &Unit) {
        let title = &unit.title;
        let made: Vec<&str> = unit.effects.defines.iter().map(String::as_str).collect();
        let way = match made.as_slice() {
            [] => "run it by 'regent idcams'".to_string(),
            made => format!("run what is new by 'regent idcams', or delete {}, and the next start runs the whole step", made.join(", ")),
        };
        self.console
            .warning(&format!("  {title} has changed since it was run, and is not run again, because its data may be in use: {way}"));
    }

    /// The problems after a step, at this start or at the one that ran it.
    fn tell(&self, unit: &Unit, entry: &Entry, outcome: &mut Outcome) {
        let loads = unit.effects.copies.iter().map(|copy| copy.to.clone());
        for name in &entry.missing {
            let targets = unit.effects.copies.iter().filter(|copy| copy.from == *name).map(|copy| copy.to.clone());
            outcome.missing.entry(name.clone()).or_default().extend(targets);
            // REPRO copies sequential data sets, too; BLDINDEX has none.
            if unit.effects.needs.contains(name) && unit.effects.copies.iter().all(|copy| copy.from != *name && copy.to != *name) {
                outcome.undefined.insert(name.clone());
            }
        }
        if entry.condition_code > FAILURE_ABOVE {
            let defines = unit.effects.defines.clone();
            let listing = self.listing_path(&unit.title);
            let loads = loads.collect();
            let (title, condition_code, message) = (unit.title.clone(), entry.condition_code, entry.message.clone());
            outcome.failures.push(Failure { title, condition_code, message, listing, defines, loads });
        } else if entry.missing.is_empty() {
            outcome.loaded.extend(loads);
        }
    }

    fn listing_path(&self, title: &str) -> PathBuf {
        // A title that no file can have has a listing all the same.
        let file = file_name(title, Letters::Kept, ".txt").unwrap_or_else(|_| "%.txt".to_string());
        self.work.listings().join(file)
    }

    fn keep_listing(&self, title: &str, listing: &str) -> Result<(), String> {
        let directory = self.work.listings();
        let path = self.listing_path(title);
        private::create_directory(&directory)
            .and_then(|()| private::write(&path, listing.as_bytes()))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Path and format of a sequential data set or DD name, if it is known.
    pub fn sequential(&self, name: &str) -> Option<(PathBuf, Format, Option<usize>)> {
        let name = name.to_uppercase();
        if let Some((_, source)) = self.configuration.data.iter().find(|(key, _)| key.to_uppercase() == name) {
            let path = self.directory.join(source.path());
            let format = source.format().unwrap_or_else(|| self.format_of(&path));
            return Some((path, format, source.record_length()));
        }
        let made = sequential_path(self.work, &name);
        if made.is_file() {
            return Some((made, Format::Fixed, None));
        }
        self.found.data.get(&name).map(|path| (path.clone(), self.format_of(path), None))
    }

    /// The format of a file for which none is given; it is looked at once.
    fn format_of(&self, path: &Path) -> Format {
        *self.formats.borrow_mut().entry(path.to_path_buf()).or_insert_with(|| format_of(path))
    }

    /// Length of a flat file's fixed records when nothing says it: the record length of the data set it is loaded into.
    fn target_record_length(&self, unit: &Unit, source: &str) -> Option<usize> {
        let target = unit.effects.copies.iter().find(|copy| copy.from == source)?.to.clone();
        let file = self.data_sets.open(&target, Default::default()).ok()?;
        Some(file.attributes().record_length_max)
    }
}

/// Bytes of a file by which lines of text are told from records.
const LOOK_BYTES: u64 = 64 << 10;

/// The format of a file for which none is given: text if it begins with lines of characters.
fn format_of(path: &Path) -> Format {
    let mut bytes = Vec::new();
    let begins = std::fs::File::open(path).and_then(|file| file.take(LOOK_BYTES).read_to_end(&mut bytes));
    if begins.is_ok() && is_lines(&bytes) { Format::Text } else { Format::Fixed }
}

/// EBCDIC records are hardly ever valid UTF-8 with line feeds and without control characters.
fn is_lines(bytes: &[u8]) -> bool {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The last character may be cut off.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
        Err(_) => return false,
    };
    text.contains('\n') && !text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

fn records_in_stream(unit: &Unit) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    for record in unit.dds.iter().filter_map(|dd| dd.in_stream.as_ref()).flatten() {
        crc.update(record.as_bytes());
        crc.update(b"\n");
    }
    crc.finalize()
}

fn data_sets_of_dds(unit: &Unit) -> u32 {
    let names: Vec<&str> = unit.dds.iter().filter_map(|dd| dd.data_set.as_deref()).collect();
    crc32fast::hash(names.join("\n").as_bytes())
}

/// The first message of a listing that says what is wrong: IDC3 begins the identifiers of errors.
fn first_error(listing: &str) -> Option<String> {
    listing.lines().map(str::trim).find(|line| line.starts_with("IDC3")).map(str::to_string)
}

struct Resolver<'a> {
    set_up: &'a SetUp<'a>,
    unit: &'a Unit,
    /// Data sets that steps define: they are no files.
    provided: &'a BTreeSet<&'a str>,
    missing: RefCell<BTreeSet<String>>,
}

impl Resolver<'_> {
    fn flat_file(&self, name: &str, dd: Option<&Dd>) -> Option<DdTarget> {
        let Some((path, format, length)) = self.set_up.sequential(name) else {
            if !self.provided.contains(name) {
                self.missing.borrow_mut().insert(name.to_string());
            }
            return None;
        };
        let length = length.or(dd.and_then(|dd| dd.record_length)).or_else(|| self.set_up.target_record_length(self.unit, name));
        let format = match format {
            Format::Fixed => RecordFormat::Fixed(length?),
            Format::Variable => RecordFormat::Variable,
            Format::Blocked => RecordFormat::Blocked,
            Format::Text => RecordFormat::Text,
        };
        Some(DdTarget::File { path, format })
    }
}

/// Bytes of a record of an in-stream data set.
pub const CARD_LENGTH: usize = 80;

impl DdResolver for Resolver<'_> {
    fn resolve_dd(&self, name: &str) -> Option<DdTarget> {
        if self.set_up.configuration.data.keys().any(|key| key.eq_ignore_ascii_case(name)) {
            return self.flat_file(name, None);
        }
        let dd = self.unit.dds.iter().find(|dd| dd.name.eq_ignore_ascii_case(name))?;
        if dd.dummy {
            return Some(DdTarget::Dummy);
        }
        if let Some(records) = &dd.in_stream {
            let page = le::code_page::by_ccsid(self.set_up.ccsid)?;
            let card = |record: &String| {
                let mut bytes = page.encode(record);
                bytes.resize(bytes.len().max(CARD_LENGTH), page.space);
                bytes
            };
            return Some(DdTarget::Records(records.iter().map(card).collect()));
        }
        let data_set = dd.data_set.as_deref()?;
        if self.set_up.data_sets.open(data_set, Default::default()).is_ok() {
            return Some(DdTarget::DataSet(data_set.to_string()));
        }
        self.flat_file(data_set, Some(dd))
    }

    fn resolve_data_set(&self, name: &str) -> Option<DdTarget> {
        self.flat_file(&name.to_uppercase(), None)
    }

    fn data_class(&self, name: &str) -> Option<DataClass> {
        let classes = &self.set_up.configuration.data_classes;
        let class = classes.iter().find(|(class, _)| class.eq_ignore_ascii_case(name))?.1;
        Some(DataClass { compaction: class.compaction })
    }

    fn scratch(&self, name: &str) -> std::io::Result<bool> {
        scratch_sequential(self.set_up.work, name)
    }

    fn rename(&self, name: &str, new_name: &str) -> std::io::Result<bool> {
        rename_sequential(self.set_up.work, name, new_name)
    }
}
