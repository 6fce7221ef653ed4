//! The jobs of an application, each file read once: their steps with procedures and INCLUDE groups expanded, and their information about
//! load modules.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::configuration::Configuration;
use super::discover::{Found, has_program, is_map};
use super::jcl::{self, Content, Dd, Job, Members, Step};
use super::link_edit::{self, LoadModule};
use crate::compile::Wanted;

/// The jobs of an application, and the files they took statements from.
pub struct Jobs<'a> {
    found: &'a Found,
    symbols: &'a BTreeMap<String, String>,
    pub jobs: Vec<(PathBuf, Job)>,
    /// Procedures and groups that no job names.
    pub unused: Vec<PathBuf>,
    /// Files that a step reads its control statements from.
    read: RefCell<BTreeSet<PathBuf>>,
}

/// Program names of the binder.
const BINDERS: [&str; 8] = ["IEWL", "IEWBLINK", "HEWL", "LINKEDIT", "LOADER", "IEWBLODI", "HEWLH096", "HEWLKED"];
/// Names of the DD statements that give it its statements.
const BINDER_INPUT: [&str; 2] = ["SYSLIN", "SYSIN"];
/// Values on a call of a compile procedure that name the source.
const SOURCE_PARAMETERS: [&str; 8] = ["MEM", "MEMBER", "MBR", "PROGNAME", "PGMNAME", "PROG", "PROGRAM", "NAME"];

/// The files of the application as members of libraries.
struct ApplicationMembers<'a> {
    found: &'a Found,
    used: RefCell<BTreeSet<PathBuf>>,
}

impl Members for ApplicationMembers<'_> {
    fn find(&self, name: &str, libraries: &[String]) -> Option<(PathBuf, String)> {
        let candidates: Vec<PathBuf> =
            self.found.members.get(name)?.iter().filter(|path| self.found.jobs.contains(path)).cloned().collect();
        let path = jcl::preferred(&candidates, libraries)?.clone();
        let text = read_text(&path);
        self.used.borrow_mut().insert(path.clone());
        Some((path, text))
    }
}

impl<'a> Jobs<'a> {
    pub fn read(configuration: &'a Configuration, found: &'a Found) -> Jobs<'a> {
        let members = ApplicationMembers { found, used: RefCell::default() };
        let (mut jobs, mut procedures) = (Vec::new(), Vec::new());
        for path in &found.jobs {
            match jcl::parse(&read_text(path), &configuration.symbols, &members) {
                Content::Jobs(all) => jobs.extend(all.into_iter().map(|job| (path.clone(), job))),
                Content::Procedure => procedures.push(path.clone()),
            }
        }
        // A fragment that a job includes or calls does its work there.
        let used = members.used.into_inner();
        jobs.retain(|(path, job)| !job.name.is_empty() || !used.contains(path));
        procedures.retain(|path| !used.contains(path));
        Jobs { found, symbols: &configuration.symbols, jobs, unused: procedures, read: RefCell::default() }
    }

    /// The name of a job; that of its file when it has no JOB statement.
    pub fn name(path: &Path, job: &Job) -> String {
        if job.name.is_empty() { path.file_stem().unwrap_or_default().to_string_lossy().to_uppercase() } else { job.name.clone() }
    }

    /// Control statements that a step's DD holds: in the stream, in a member, or in a sequential data set of the application.
    pub fn control_statements(&self, step: &Step, dd: &str) -> Option<String> {
        step.control_statements(dd, &|dd| self.file(dd))
    }

    /// The file of the application that a step's DD reads, if its statements are not in the stream.
    pub fn path_of(&self, step: &Step, dd: &str) -> Option<PathBuf> {
        step.concatenation(dd).filter(|dd| dd.in_stream.is_none()).find_map(|dd| self.path(dd))
    }

    fn file(&self, dd: &Dd) -> Option<String> {
        let path = self.path(dd)?;
        self.read.borrow_mut().insert(path.clone());
        Some(jcl::substitute(&read_text(&path), self.symbols))
    }

    fn path(&self, dd: &Dd) -> Option<PathBuf> {
        match dd.member() {
            Some((library, member)) => {
                let all = self.found.members.get(member)?;
                let is_statements = |path: &&PathBuf| {
                    ![&self.found.programs, &self.found.maps, &self.found.jobs].iter().any(|sources| sources.contains(path))
                };
                let candidates: Vec<PathBuf> = all.iter().filter(is_statements).cloned().collect();
                jcl::preferred(&candidates, &[library.to_string()]).cloned()
            }
            None => self.found.data.get(dd.data_set.as_ref()?).cloned(),
        }
    }

    /// True for a step whose source is in its stream, or a member of the application.
    pub fn has_source(&self, step: &Step) -> bool {
        let is_there = |name: &str| {
            let paths = self.found.members.get(&name.to_uppercase()).into_iter().flatten();
            paths.into_iter().any(|path| self.found.programs.contains(path) || self.found.maps.contains(path))
        };
        let parameters = ["MAPNAME"].iter().chain(&SOURCE_PARAMETERS).filter_map(|name| step.parameters.get(*name));
        parameters.into_iter().any(|name| is_there(name))
            || step.dds.iter().any(|dd| match (&dd.in_stream, dd.member()) {
                (Some(records), _) => {
                    let text = records.join("\n").to_uppercase();
                    is_map(&text) || has_program(&text)
                }
                (None, Some((_, member))) => is_there(member),
                (None, None) => false,
            })
    }

    /// True for a file that a step has read its control statements from.
    pub fn has_read(&self, path: &Path) -> bool {
        self.read.borrow().contains(path)
    }

    /// The load modules whose names are given by `[modules]`, the jobs and the binder's statements in files; the first of a name counts.
    pub fn load_modules(&self, configured: &BTreeMap<String, String>) -> Vec<Wanted> {
        let mut wanted: Vec<Wanted> = configured
            .iter()
            .map(|(module, program)| Wanted {
                module: module.to_uppercase(),
                programs: vec![program.to_uppercase()],
                origin: "regent.toml: [modules]".to_string(),
                is_required: true,
            })
            .collect();
        for (path, job) in &self.jobs {
            self.of_job(path, job, &mut wanted);
        }
        for path in &self.found.link_decks {
            let name = crate::compile::member_name(path);
            for module in link_edit::load_modules(&jcl::substitute(&read_text(path), self.symbols)) {
                let origin = format!("{}:{}", path.display(), module.line);
                self.want(module, name.clone(), name.iter().cloned().collect(), &origin, &mut wanted);
            }
        }
        wanted
    }

    fn of_job(&self, path: &Path, job: &Job, wanted: &mut Vec<Wanted>) {
        // The member that the compile step before the binder's has read.
        let mut compiled: Option<String> = None;
        for step in &job.steps {
            let origin = format!("{}:{} step {}", path.display(), step.line, step.name);
            let is_binder = BINDERS.contains(&step.program.as_str());
            let source = step.dds.iter().filter(|dd| dd.name == "SYSIN").find_map(source);
            if !is_binder && !step.is_procedure {
                compiled = source.or(compiled);
                continue;
            }
            let parameters = SOURCE_PARAMETERS.iter().filter_map(|name| step.parameters.get(*name)).map(|name| name.to_uppercase());
            let parts: Vec<String> = compiled.clone().filter(|_| is_binder).into_iter().chain(source).chain(parameters).collect();
            let module = step.dds.iter().find(|dd| dd.name == "SYSLMOD").and_then(Dd::member).map(|(_, member)| member.to_string());
            for input in BINDER_INPUT {
                let statements =
                    if is_binder { self.control_statements(step, input).into_iter().collect() } else { self.decks(step, input) };
                for deck in statements.iter().flat_map(|text| link_edit::load_modules(text)) {
                    self.want(deck, module.clone(), parts.clone(), &origin, wanted);
                }
            }
            if let Some(module) = module.filter(|module| !wanted.iter().any(|known| known.module == *module)) {
                self.want(LoadModule { name: module, ..LoadModule::default() }, None, parts, &origin, wanted);
            }
        }
    }

    /// The binder's statements in a call of a procedure that is not here: those that read as such, of whichever of its steps.
    fn decks(&self, step: &Step, dd: &str) -> Vec<String> {
        let concatenations = step.dds.chunk_by(|_, next| next.name.is_empty()).filter(|dds| dds[0].name == dd);
        let texts = concatenations.filter_map(|dds| self.control_statements(&Step { dds: dds.to_vec(), ..Step::default() }, dd));
        texts.filter(|text| link_edit::is_deck(text)).collect()
    }

    /// `parts` are what the module may be made of when the statements do not say it.
    fn want(&self, deck: LoadModule, name: Option<String>, parts: Vec<String>, origin: &str, wanted: &mut Vec<Wanted>) {
        let name = if deck.name.is_empty() { name.unwrap_or_default() } else { deck.name };
        let names = std::iter::once(name.clone()).filter(|name| !name.is_empty()).chain(deck.aliases);
        let names: Vec<String> = names.collect();
        let programs: Vec<String> = deck.parts.into_iter().chain(parts).chain([name]).filter(|program| !program.is_empty()).collect();
        for module in names {
            if !wanted.iter().any(|known| known.module == module) {
                wanted.push(Wanted { module, programs: programs.clone(), origin: origin.to_string(), is_required: false });
            }
        }
    }
}

/// The member that is compiled from a DD, or the program that stands in it.
fn source(dd: &Dd) -> Option<String> {
    match &dd.in_stream {
        Some(records) => crate::compile::program_ids(&records.join("\n")).into_iter().next(),
        None => dd.member().map(|(_, member)| member.to_string()),
    }
}

pub fn read_text(path: &Path) -> String {
    std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}
