//! `regent scan DIR`: what an application uses that is missing, refused or different here, before anything is made of it.
//!
//! * `findings`    counts, uses and findings;
//! * `programs`    programs by the front ends; `commands` the state of EXEC CICS commands;
//! * `definitions` maps, the CSD, data sets, system initialization parameters, jobs.
//!
//! Nothing is written, and nothing of the application is run.

mod commands;
mod definitions;
mod findings;
mod programs;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use clap::Args;
use cobol::source::Directories;
use region::system_initialization::SystemInitialization;
use serde_json::json;

use self::definitions::Definitions;
use self::findings::{Report, Severity};
use self::programs::{Programs, Symbolic};
use super::configuration::Configuration;
use super::discover::{self, Found};
use super::jobs::Jobs;
use crate::compile;
use crate::console::Console;

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// Show all places of a finding, not only the first.
    #[arg(long)]
    all: bool,
    /// Also show notes: files and job steps that are not used, commands that work.
    #[arg(long)]
    notes: bool,
}

/// Languages by the reason for which `up` does not use their sources.
const REFUSED_LANGUAGES: [(&str, &str); 3] =
    [("PL/I programs", discover::PLI), ("assembler programs", discover::ASSEMBLER), ("macro-level programs", discover::MACRO_LEVEL)];

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    let report = scan(&arguments.directory)?;
    match console.is_json() {
        true => crate::output::print(&(in_json(&report).to_string() + "\n"))?,
        false => crate::output::print(&text(&report, &arguments))?,
    }
    Ok(report.worst().exit_code())
}

/// A path as the report shows it: from the application's directory.
fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

fn scan(directory: &Path) -> Result<Report, String> {
    let configuration = Configuration::read(directory)?;
    let found = discover::discover(directory, &configuration)?;
    let jobs = Jobs::read(&configuration, &found);
    let mut report = Report { counts: counts(&found), ..Report::default() };
    let symbolic = definitions::maps(directory, &found, &mut report)?;
    let parts = Definitions { root: directory, configuration: &configuration, found: &found, jobs: &jobs };
    let csd = parts.scan(&mut report);
    let wanted = jobs.load_modules(&configuration.modules).into_iter().map(|wanted| wanted.module.to_uppercase());
    let remote = csd
        .groups()
        .flat_map(|group| csd.group(group))
        .filter(|definition| definition.resource.name == "PROGRAM" && !definition.get("REMOTESYSTEM").is_empty());
    let known: BTreeSet<String> = wanted.chain(remote.map(|definition| definition.name.clone())).collect();
    let programs = Programs {
        root: directory,
        sources: &found.programs,
        directories: Directories::new(&found.copy_directories),
        symbolic: Symbolic(symbolic),
        options: compile::options(&configuration.compiler.options, SystemInitialization::new().local_ccsid())?,
        known,
        wanted: parts.programs_of_transactions(&csd),
        refused: refused_sources(&found),
    };
    report.merge(programs.scan());
    report.sort();
    Ok(report)
}

fn counts(found: &Found) -> Vec<(&'static str, usize)> {
    let c = found.programs.iter().filter(|path| compile::is_c(path)).count();
    let mut counts = vec![("COBOL programs", found.programs.len() - c), ("C and C++ programs", c)];
    for (language, reason) in REFUSED_LANGUAGES {
        counts.push((language, found.refused.iter().filter(|(_, why)| *why == reason).count()));
    }
    counts.extend([
        ("copybooks", found.copybooks),
        ("map sources", found.maps.len()),
        ("definition files", found.definitions.len()),
        ("jobs", found.jobs.len()),
        ("SQL scripts", found.scripts.len()),
        ("bundles", found.bundles.len()),
    ]);
    counts
}

/// Names of the sources that have no compiler.
fn refused_sources(found: &Found) -> HashMap<String, &'static str> {
    let sources = found.refused.iter().filter(|(_, why)| REFUSED_LANGUAGES.iter().any(|(_, reason)| why == reason));
    sources.filter_map(|(path, why)| Some((path.file_stem()?.to_string_lossy().to_uppercase(), *why))).collect()
}

fn text(report: &Report, arguments: &Arguments) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (what, count) in report.counts.iter().filter(|(_, count)| *count > 0) {
        lines.push(format!("{count:>7}  {what}"));
    }
    let areas: BTreeSet<&str> = report.uses.keys().map(|(area, _)| *area).collect();
    for area in areas {
        let uses = || report.uses.iter().filter(|((of, _), _)| *of == area);
        let total: usize = uses().map(|(_, found)| found.count).sum();
        let others = uses().filter(|(_, found)| found.state != "works").count();
        let kinds = uses().count();
        let state = match others {
            0 => "all work".to_string(),
            1 => "1 does not work".to_string(),
            _ => format!("{others} do not work"),
        };
        lines.push(format!("{total:>7}  {area}, {kinds} kinds: {state}"));
        for ((_, name), found) in uses().filter(|(_, found)| arguments.notes || found.state != "works") {
            lines.push(format!("         {:>6}  {name}: {}", found.count, found.state));
        }
    }
    for ((severity, area, subject, what), places) in report.findings.iter().rev() {
        if *severity == Severity::Note && !arguments.notes {
            continue;
        }
        let shown = if arguments.all { places.len() } else { 1 };
        let more = places.len() - shown.min(places.len());
        let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
        let at: Vec<String> = places.iter().take(shown).map(place).collect();
        lines.push(format!("{}: {area} {subject}: {what} ({}{rest})", severity.word(), at.join(", ")));
    }
    let number = |severity, noun: &str| {
        let count = report.number_of(severity);
        format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
    };
    lines.push([number(Severity::Error, "error"), number(Severity::Warning, "warning"), number(Severity::Note, "note")].join(", "));
    lines.join("\n") + "\n"
}

fn place((file, line): &findings::Place) -> String {
    if *line == 0 { file.clone() } else { format!("{file}:{line}") }
}

fn in_json(report: &Report) -> serde_json::Value {
    let uses: Vec<_> = report
        .uses
        .iter()
        .map(|((area, name), found)| json!({ "area": area, "name": name, "count": found.count, "state": found.state, "first": place(&found.first) }))
        .collect();
    let findings: Vec<_> = report
        .findings
        .iter()
        .rev()
        .map(|((severity, area, subject, text), places)| {
            let places: Vec<_> = places.iter().map(|(file, line)| json!({ "file": file, "line": line })).collect();
            json!({ "severity": severity.word(), "area": area, "subject": subject, "text": text, "places": places })
        })
        .collect();
    let counts: serde_json::Map<String, serde_json::Value> =
        report.counts.iter().map(|(what, count)| (what.to_string(), json!(count))).collect();
    json!({ "counts": counts, "uses": uses, "findings": findings, "severity": report.worst().word() })
}
