//! The problems of an application that is started nevertheless: the list behind `ready, with N problems`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use csd::file::{Csd, Definition};
use program::batch::MODULE_EXTENSION;
use region::messages::{Message, Severity, Sink};
use vsam::DataSets;

use super::configuration;
use super::discover::{ASSEMBLER, MACRO_LEVEL, PLI};
use super::jcl;
use super::setup::Outcome;
use crate::console::Console;

/// Texts of one line each, in the order in which they were met.
#[derive(Default, Debug, Clone)]
pub struct Problems(Vec<String>);

impl Problems {
    pub fn add(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.0.contains(&text) {
            self.0.push(text);
        }
    }

    pub fn list(&self) -> &[String] {
        &self.0
    }
}

/// Data sets by the names of the files that the application defines on them.
fn files_by_data_set(csd: &Csd, groups: &[String]) -> BTreeMap<String, String> {
    let files = groups.iter().flat_map(|group| csd.group(group)).filter(|definition| definition.resource.name == "FILE");
    let local = files.filter(|file| file.get("REMOTESYSTEM").trim().is_empty());
    local.map(|file| (file.get("DSNAME").trim().to_uppercase(), file.name.clone())).filter(|(name, _)| !name.is_empty()).collect()
}

/// The data sets of the files that the application defines.
pub fn data_sets_of_files(csd: &Csd, groups: &[String]) -> BTreeSet<String> {
    files_by_data_set(csd, groups).into_keys().collect()
}

/// Reports the result of the set-up, and which failures matter: those of files that the application needs and that nothing else has
/// created.
pub fn of_set_up(outcome: &Outcome, csd: &Csd, groups: &[String], data_sets: &Arc<DataSets>, console: &Console, problems: &mut Problems) {
    let files = files_by_data_set(csd, groups);
    let is_there = |name: &String| data_sets.open(name, Default::default()).is_ok();
    let needs = |names: &BTreeSet<String>, verb: &str, is_met: &dyn Fn(&String) -> bool| -> Vec<String> {
        let unmet = names.iter().filter(|name| !is_met(name));
        unmet.filter_map(|name| Some(format!("FILE({}) uses {name}, which it should have {verb}", files.get(name)?))).collect()
    };
    let mut explained: BTreeSet<&String> = BTreeSet::new();
    for failure in &outcome.failures {
        let mut needed = needs(&failure.defines, "made", &is_there);
        needed.extend(needs(&failure.loads, "loaded", &|name| outcome.loaded.contains(name)));
        explained.extend(failure.defines.iter().chain(&failure.loads));
        let text = format!("{}: condition code {}", failure.title, failure.condition_code);
        let listing = failure.listing.display();
        match needed.is_empty() {
            true => console.line(&format!("  {text} does not matter: no FILE lacks what the step makes; listing {listing}")),
            false => {
                let message = failure.message.as_ref().map_or(String::new(), |message| format!("{message}; "));
                problems.add(format!("{text} matters: {}; {message}see {listing}", needed.join(", ")));
            }
        }
    }
    for (title, symbols) in &outcome.unknown_symbols {
        problems.add(format!("{title} was not run: {}", without_value(symbols)));
    }
    for name in &outcome.undefined {
        problems.add(format!("data set {name} is defined by no job, and BLDINDEX needs it: add the job that has its DEFINE CLUSTER"));
    }
    for (name, targets) in outcome.missing.iter().filter(|(name, _)| !outcome.undefined.contains(*name)) {
        let lacking: Vec<&str> =
            targets.iter().filter(|target| files.contains_key(*target) && !outcome.loaded.contains(*target)).map(String::as_str).collect();
        let advice = format!("no file for the sequential data set {name}: name one under [data] in {}", configuration::FILE_NAME);
        match lacking.is_empty() && !targets.is_empty() {
            true => console.line(&format!("  {advice}; no FILE lacks it")),
            false if targets.is_empty() => problems.add(advice),
            false => problems.add(format!("{advice}; {} is loaded from it", lacking.join(", "))),
        }
    }
    for (data_set, file) in files.iter().filter(|(data_set, _)| jcl::placeholders(data_set).is_empty() && !data_set.contains('&')) {
        if !explained.contains(data_set) && !is_there(data_set) {
            problems.add(format!("FILE({file}): data set {data_set} does not exist{}", why_missing(outcome, data_set)));
        }
    }
}

/// Why nothing has made a data set.
fn why_missing(outcome: &Outcome, data_set: &str) -> String {
    let Some(step) = outcome.defined_before.get(data_set) else {
        return "; no job or IDCAMS input of the application defines it".to_string();
    };
    let since = if step.has_changed { "was run with other statements or symbols" } else { "was run, so it has been deleted since" };
    format!(
        ": {} defines it, but {since}, and is not run again: run it by 'regent idcams', or remove all data by 'regent clean --everything', \
         and the next start runs every step",
        step.title
    )
}

/// Reports transactions whose program is nowhere, and files without a data set. `library` has the load modules of the application.
/// `refused` are files that are not used, with the reason. `programs_autoinstall`: PGAIPGM=ACTIVE, programs need no definition.
pub fn of_definitions(
    csd: &Csd,
    groups: &[String],
    library: &Path,
    refused: &[(PathBuf, &'static str)],
    programs_autoinstall: bool,
    problems: &mut Problems,
) {
    let all: Vec<&Definition> = groups.iter().flat_map(|group| csd.group(group)).collect();
    let of_type = |resource: &'static str| all.iter().copied().filter(move |definition| definition.resource.name == resource);
    // What the libraries of LIBRARY definitions hold is known when they are searched; one that is not on this machine holds nothing.
    let is_searched_elsewhere = of_type("LIBRARY").any(|definition| {
        let mut data_sets = definition.attributes.iter().filter(|(name, _)| name.starts_with("DSNAME")).map(|(_, value)| value);
        data_sets.any(|name| Path::new(name).is_dir() || library.join(name).is_dir())
    });
    let is_remote = |definition: &Definition| !definition.get("REMOTESYSTEM").trim().is_empty() || definition.is("DYNAMIC", "YES");
    // A source that did not compile has left its messages, which have been reported.
    let members = std::fs::read_dir(library).into_iter().flatten().flatten().map(|entry| entry.path());
    let members = members.filter(|path| path.extension().is_some_and(|extension| extension == MODULE_EXTENSION || extension == "messages"));
    let members: BTreeSet<String> = members.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    let remote: BTreeSet<&str> = of_type("PROGRAM").filter(|program| is_remote(program)).map(|program| program.name.as_str()).collect();
    let defined: BTreeSet<&str> = of_type("PROGRAM").map(|program| program.name.as_str()).collect();
    for transaction in of_type("TRANSACTION").filter(|transaction| !is_remote(transaction)) {
        let program = transaction.get("PROGRAM").trim();
        if let Some((path, reason)) = source_without_compiler(program, refused).filter(|_| !members.contains(program)) {
            problems.add(format!("TRANSACTION({}): program {program}: {} is {reason}", transaction.name, path.display()));
            continue;
        }
        if is_searched_elsewhere {
            continue;
        }
        if members.contains(program) && !defined.contains(program) && !programs_autoinstall {
            problems.add(format!(
                "TRANSACTION({}): program {program} is not defined: {} names it; DEFINE PROGRAM({program}), or set PGAIPGM=ACTIVE to have \
                 programs installed at their first use",
                transaction.name,
                place(transaction)
            ));
        }
        if program.is_empty() || program.starts_with("DFH") || remote.contains(program) || members.contains(program) {
            continue;
        }
        let near = exec::meant(program, members.iter().map(String::as_str));
        problems.add(format!(
            "TRANSACTION({}): program {program} does not exist: {} names it, and no source of the application makes a load module of that name{near}",
            transaction.name,
            place(transaction)
        ));
    }
    for transaction in of_type("TRANSACTION") {
        for resource in ["TRANCLASS", "PROFILE"] {
            let named = transaction.get(resource).trim();
            let is_supplied = named.is_empty() || named.starts_with("DFH");
            if !is_supplied && !of_type(resource).any(|definition| definition.name == named) {
                let (name, place) = (&transaction.name, place(transaction));
                problems.add(format!("TRANSACTION({name}): {resource} {named} is not defined: {place} names it"));
            }
        }
    }
    for file in of_type("FILE").filter(|file| !is_remote(file) && file.get("DSNAME").trim().is_empty() && !file.is("TABLE", "CF")) {
        problems.add(format!(
            "FILE({}) has no data set, so it cannot be opened: add DSNAME(name) to its definition, {}, or let a program name one by SET FILE \
             DSNAME",
            file.name,
            place(file)
        ));
    }
}

/// The source of a program in a language that has no compiler here.
fn source_without_compiler<'a>(program: &str, refused: &'a [(PathBuf, &'static str)]) -> Option<&'a (PathBuf, &'static str)> {
    let is_its_source = |path: &Path| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(program));
    refused.iter().find(|(path, reason)| matches!(*reason, PLI | ASSEMBLER | MACRO_LEVEL) && is_its_source(path))
}

/// Tells that there is nothing to type at a terminal. An application of batch programs has no problem.
pub fn of_no_transactions(csd: &Csd, groups: &[String], console: &Console) {
    let mut all = groups.iter().flat_map(|group| csd.group(group));
    if !all.any(|definition| matches!(definition.resource.name, "TRANSACTION" | "BUNDLE")) {
        console.line(
            "  the application defines no TRANSACTION: DFHCSDUP statements in a file *.csd do, and DEFINE BUNDLE installs the definitions of a \
             bundle",
        );
    }
}

/// Where a definition was written.
fn place(definition: &Definition) -> String {
    format!("{}:{}", definition.origin.source, definition.origin.line)
}

/// `<A>, <B> have no value; ...`, for symbols.
pub fn without_value(symbols: &[String]) -> String {
    let (have, them) = if symbols.len() == 1 { ("has", "it") } else { ("have", "them") };
    format!("{} {have} no value; give {them} one under [symbols] in {}", symbols.join(", "), configuration::FILE_NAME)
}

/// Names of GRPLIST that are neither a list nor a group, and groups of lists that are not there.
pub fn of_group_lists(lists: &[String], csd: &Csd, problems: &mut Problems) {
    for list in lists.iter().filter(|list| *list != "DFHLIST") {
        match csd.list(list) {
            Some(groups) => {
                for group in groups.iter().filter(|group| !csd.has_group(group)) {
                    problems.add(format!("list {list} of GRPLIST names {group}, which is no group in the CSD"));
                }
            }
            None if !csd.has_group(list) => problems.add(format!("GRPLIST names {list}, which is no list or group in the CSD")),
            None => {}
        }
    }
}

/// Reports each DB2TRAN whose DB2ENTRY is not installed with it.
pub fn of_threads(csd: &Csd, groups: &[String], problems: &mut Problems) {
    let all: Vec<&Definition> = groups.iter().flat_map(|group| csd.group(group)).collect();
    let has_entry = |name: &str| all.iter().any(|known| known.resource.name == "DB2ENTRY" && known.name == name);
    for transaction in all.iter().filter(|definition| definition.resource.name == "DB2TRAN") {
        let entry = transaction.get("ENTRY").trim();
        if has_entry(entry) {
            continue;
        }
        let place = place(transaction);
        // Without TRANSID the name of the DB2TRAN is that of the transaction.
        let named = Some(transaction.get("TRANSID").trim()).filter(|transid| !transid.is_empty()).unwrap_or(&transaction.name);
        let name = &transaction.name;
        problems.add(format!("{place}: DB2TRAN({name}): no DB2ENTRY({entry}) is installed; transaction {named} uses the pool"));
    }
}

/// Keeps the errors that the region reports while it starts.
#[derive(Default)]
pub struct StartErrors {
    texts: Mutex<Vec<String>>,
}

impl Sink for StartErrors {
    fn message(&self, message: &Message) {
        if message.severity == Severity::Error {
            let mut texts = self.texts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            texts.push(format!("{} {}", message.id, message.text));
        }
    }
}

impl StartErrors {
    /// Adds what was reported, but for names of GRPLIST that are not there: those are known by then.
    pub fn add_to(&self, problems: &mut Problems) {
        let texts = self.texts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = problems.clone();
        let is_known = |text: &String| {
            let name = text.split("Install of GROUP ").nth(1).and_then(|rest| rest.split(' ').next());
            name.is_some_and(|name| known.list().iter().any(|problem| problem.starts_with(&format!("GRPLIST names {name},"))))
        };
        texts.iter().filter(|text| !is_known(text)).for_each(|text| problems.add(text.clone()));
    }
}
