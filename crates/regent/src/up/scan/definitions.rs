//! What an application has besides programs: maps, definitions of the CSD, data sets, system initialization parameters, jobs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use csd::{Csd, Definition, csdup};
use region::system_initialization::{SitError, SystemInitialization};

use super::super::configuration::Configuration;
use super::super::discover::Found;
use super::super::jobs::{Jobs, read_text};
use super::super::{HARMLESS, SUMMARIES, initialization_table, jcl, setup};
use super::findings::{Place, Report, Severity};
use super::programs::{CSD, is_supplied};
use super::shown;

const BMS: &str = "BMS";
const VSAM: &str = "VSAM";
const SIT: &str = "SIT";
const FILES: &str = "file";
const JOB: &str = "JCL";

/// The program that a region runs in.
const INITIALIZATION_PROGRAM: &str = "DFHSIP";

/// The definition is there already, and the first one stays.
const EXISTS: &str = "DFH5145";

/// What a scan reads definitions from.
pub struct Definitions<'a> {
    pub root: &'a Path,
    pub configuration: &'a Configuration,
    pub found: &'a Found,
    pub jobs: &'a Jobs<'a>,
}

/// The symbolic maps by name.
pub fn maps(root: &Path, found: &Found, report: &mut Report) -> Result<HashMap<String, String>, String> {
    let page = bms::text::terminal_page(crate::code_page::page(SystemInitialization::new().local_ccsid())?);
    let mut symbolic = HashMap::new();
    for path in &found.maps {
        let name = shown(root, path);
        let Ok(source) = std::fs::read(path) else {
            report.add(Severity::Error, BMS, &name, "it cannot be read", (name.clone(), 0));
            continue;
        };
        let copy = |member: &str| {
            let paths = found.members.get(&member.to_uppercase())?.iter().find(|other| *other != path)?;
            Some((shown(root, paths), std::fs::read(paths).ok()?))
        };
        let assembly = bms::assemble_with(&name, &source, page, &copy);
        for diagnostic in assembly.diagnostics.iter().filter(|diagnostic| diagnostic.severity != bms::Severity::Warning) {
            let operand = if diagnostic.operand.is_empty() { String::new() } else { format!("{}: ", diagnostic.operand) };
            let text = format!("{operand}{}", diagnostic.message);
            report.add(Severity::Error, BMS, &name, text, (diagnostic.file.clone(), diagnostic.line));
        }
        for set in &assembly.mapsets {
            symbolic.insert(set.name.to_uppercase(), bms::symbolic::cobol_copybook(set));
        }
    }
    Ok(symbolic)
}

impl Definitions<'_> {
    /// Reads all of it. Returns the CSD that the definitions make.
    pub fn scan(&self, report: &mut Report) -> Csd {
        let csd = self.csd(report);
        self.data_sets(&csd, report);
        self.system_initialization(report);
        for (path, reason) in &self.found.refused {
            let extension = path.extension().map_or("no extension".to_string(), |extension| format!(".{}", extension.to_string_lossy()));
            let is_source = reason.contains("rewrite") || reason.contains("not there yet");
            let severity = if is_source { Severity::Warning } else { Severity::Note };
            report.add(severity, FILES, &extension, *reason, (shown(self.root, path), 0));
        }
        for (path, reason) in setup::refused(self.jobs, &|_, _| false) {
            report.add(Severity::Note, JOB, "step", reason, (shown(self.root, &path), 0));
        }
        csd
    }

    fn csd(&self, report: &mut Report) -> Csd {
        let mut csd = Csd::initialized();
        let mut types: BTreeMap<&'static str, usize> = BTreeMap::new();
        for (source, text) in setup::definitions(self.configuration, self.found, self.jobs) {
            let name = shown(self.root, Path::new(&source));
            let unknown = jcl::placeholders(&text);
            if !unknown.is_empty() {
                report.add(Severity::Warning, CSD, "symbols", without_value(&unknown), (name.clone(), 0));
            }
            let listing = csdup::execute(&mut csd, &text, &source);
            for message in listing.messages.iter().filter(|message| !SUMMARIES.contains(&message.id) && !HARMLESS.contains(&message.id)) {
                let severity = match message.severity {
                    csdup::Severity::Information => continue,
                    // What comes of a symbol without a value has been said.
                    _ if !unknown.is_empty() => Severity::Note,
                    csdup::Severity::Warning => Severity::Warning,
                    csdup::Severity::Error if message.id == EXISTS => Severity::Warning,
                    csdup::Severity::Error => Severity::Error,
                };
                let line = u32::try_from(message.origin.line).unwrap_or(0);
                report.add(severity, CSD, message.id, message.text.clone(), (name.clone(), line));
            }
        }
        for definition in own(&csd) {
            *types.entry(definition.resource.name).or_default() += 1;
            if !is_installed(definition.resource.name) {
                let text = "the definition is kept and shown, but nothing works with it yet";
                report.add(Severity::Error, CSD, definition.resource.name, text, self.place(definition));
            }
        }
        report.counts.extend(types);
        csd
    }

    /// The programs of local transactions that do not come with the system.
    pub fn programs_of_transactions(&self, csd: &Csd) -> Vec<(String, Place)> {
        let local = own(csd).filter(|definition| definition.resource.name == "TRANSACTION" && definition.get("REMOTESYSTEM").is_empty());
        let programs = local.map(|definition| (definition.get("PROGRAM").to_string(), self.place(definition)));
        programs.filter(|(program, _)| !program.is_empty() && !is_supplied(program)).collect()
    }

    fn place(&self, definition: &Definition) -> Place {
        (shown(self.root, Path::new(&definition.origin.source)), u32::try_from(definition.origin.line).unwrap_or(0))
    }

    /// FILEs whose data set no statement defines.
    fn data_sets(&self, csd: &Csd, report: &mut Report) {
        let units = setup::units(self.configuration, self.found, self.jobs);
        let defined: BTreeSet<&String> = units.iter().flat_map(|unit| &unit.effects.defines).collect();
        report.counts.push(("clusters, indexes and paths defined", defined.len()));
        for unit in units.iter().filter(|unit| !unit.unknown_symbols.is_empty()) {
            report.add(Severity::Warning, VSAM, &unit.title, without_value(&unit.unknown_symbols), (unit.title.clone(), 0));
        }
        for file in own(csd).filter(|definition| definition.resource.name == "FILE" && definition.get("REMOTESYSTEM").is_empty()) {
            let data_set = file.get("DSNAME").trim().to_uppercase();
            if !data_set.is_empty() && jcl::placeholders(&data_set).is_empty() && !defined.contains(&data_set) {
                let text = format!("no job or IDCAMS input defines its data set {data_set}");
                report.add(Severity::Warning, VSAM, &file.name, text, self.place(file));
            }
        }
    }

    /// The parameters in jobs that run a region, and in tables in assembler source.
    fn system_initialization(&self, report: &mut Report) {
        for (path, job) in &self.jobs.jobs {
            for step in job.steps.iter().filter(|step| step.program == INITIALIZATION_PROGRAM) {
                let place = (shown(self.root, path), u32::try_from(step.line).unwrap_or(0));
                let mut sit = SystemInitialization::new();
                let parm: Vec<&str> = step.parm.split(',').filter(|item| item.contains('=')).collect();
                let sysin = self.jobs.control_statements(step, "SYSIN").unwrap_or_default();
                for error in sit.apply_text(&parm.join("\n")).into_iter().chain(sit.apply_text(&sysin)) {
                    refused(&error, place.clone(), report);
                }
            }
        }
        for path in &self.found.initialization_tables {
            let mut sit = SystemInitialization::new();
            for (line, item) in initialization_table::read(&read_text(path)).parameters {
                if let Err(error) = sit.apply(&item) {
                    refused(&error, (shown(self.root, path), line), report);
                }
            }
        }
    }
}

fn refused(error: &SitError, place: Place, report: &mut Report) {
    let text = error.to_string();
    let severity = match error {
        _ if !jcl::placeholders(&text).is_empty() => Severity::Note,
        SitError::Refused { .. } => Severity::Warning,
        _ => Severity::Error,
    };
    report.add(severity, SIT, "parameter", text, place);
}

fn without_value(symbols: &[String]) -> String {
    format!("symbols without a value: {}; give them under [symbols] in regent.toml", symbols.join(", "))
}

/// The definitions of the application.
fn own(csd: &Csd) -> impl Iterator<Item = &Definition> {
    csd.groups().filter(|group| !csd::file::is_supplied(group)).flat_map(|group| csd.group(group))
}

/// Types that a domain installs, and those whose definitions are only looked up.
fn is_installed(name: &str) -> bool {
    server::registry::DOMAINS.iter().any(|domain| domain.resources.iter().any(|resource| resource.name == name))
}
