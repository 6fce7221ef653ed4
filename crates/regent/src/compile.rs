//! `regent compile`, and the compilation of a whole application for `regent up`.

mod fingerprint;
mod library;
mod maps;
mod names;
mod programs;
mod sql_check;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use cobol::diagnostics::Located;
use cobol::exec_translate::Naming;
use fingerprint::{Fingerprints, Made, Stamp, Surroundings};
use serde_json::json;

use crate::console::Console;
use crate::work_directory::WorkDirectory;
pub use library::Library;
pub use names::{Names, Plan, Wanted, member_name, plan, program_ids};
pub use programs::{Compiled, Compiler, is_c, messages, module_image, options};
pub use sql_check::SqlCheck;

#[derive(Args)]
pub struct Arguments {
    /// COBOL and C programs and BMS sources; with --app, sources of the application, or none for all.
    #[arg(required_unless_present = "app")]
    files: Vec<PathBuf>,
    /// Compile into the library of this application, with its copybooks and the options of its regent.toml.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "include", "options", "xplink", "list", "ccsid"])]
    app: Option<PathBuf>,
    /// With --app: the work directory [default: DIR/.regent].
    #[arg(long, requires = "app")]
    data: Option<PathBuf>,
    /// Directory to which the load modules are written.
    #[arg(short = 'o', long = "output", default_value = ".")]
    output: PathBuf,
    /// Directory of COPY members; may be given more than once.
    #[arg(short = 'I', long = "include", value_name = "COPYDIR")]
    include: Vec<PathBuf>,
    /// Compiler options as on a CBL statement, e.g. "TRUNC(OPT),ARITH(EXTEND)".
    #[arg(long, default_value = "")]
    options: String,
    /// Compile C programs with XPLINK, unless they say otherwise themselves.
    #[arg(long)]
    xplink: bool,
    /// Print the compiler listing.
    #[arg(long)]
    list: bool,
    /// Code page of data, by its CCSID.
    #[arg(long, default_value_t = 37, value_parser = crate::code_page::ccsid)]
    ccsid: u16,
}

impl Arguments {
    /// With --app: the application, its work directory if one is named, and the sources that are wanted.
    pub fn application(&self) -> Option<(&Path, Option<&Path>, &[PathBuf])> {
        Some((self.app.as_deref()?, self.data.as_deref(), &self.files))
    }
}

/// What is to be compiled, and how.
pub struct Job<'a> {
    pub programs: &'a [PathBuf],
    pub maps: &'a [PathBuf],
    pub copy_directories: &'a [PathBuf],
    /// Where the symbolic maps made from the map sources are kept.
    pub generated_copy: &'a Path,
    pub options: &'a str,
    /// C programs run on TCBs of modes X8 and X9.
    pub xplink: bool,
    pub ccsid: u16,
    pub library: &'a Library,
    /// The names of the load modules; without a plan each has its program's name.
    pub names: Option<&'a Plan>,
    /// Only these of the sources are compiled; all if there are none.
    pub only: &'a [PathBuf],
    /// Checks static SQL against the tables of the application's database, if there is one.
    pub database: Option<&'a SqlCheck>,
    /// The ledger of what is up to date; without one everything is compiled.
    pub fingerprints: Option<&'a Path>,
}

impl Job<'_> {
    /// Where COPY and `#include` look.
    fn search_directories(&self) -> impl Iterator<Item = &Path> {
        let beside = self.programs.iter().filter_map(|path| path.parent());
        self.copy_directories.iter().map(PathBuf::as_path).chain([self.generated_copy]).chain(beside)
    }
}

#[derive(Default)]
pub struct Summary {
    pub compiled: usize,
    pub current: usize,
    /// Sources that made no load module.
    pub failed: Vec<PathBuf>,
    /// Sources whose load modules have statements in error.
    pub in_error: Vec<PathBuf>,
    /// Load modules and mapsets that were made now.
    pub made: Vec<String>,
    /// How many of them are map sources.
    pub failed_maps: usize,
    /// The first source that lacks a copy member.
    pub lacks_member: Option<PathBuf>,
    /// Copy members that were not found, with the number of sources that lack them.
    pub missing_members: BTreeMap<String, usize>,
    /// What the commands of all sources name by literals.
    pub named: Vec<Naming>,
    pub return_code: u8,
    pub elapsed: Duration,
}

/// Return codes from here on mean that a load module was not made, or has statements in error.
const ERROR_RETURN_CODE: u8 = 8;
/// How the codes of messages about compiler options begin.
const OPTION_MESSAGES: &str = "RGTOP";

/// Compiles sources that are not of an application.
pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    let library = Library::create(&arguments.output)?;
    let (maps, programs): (Vec<PathBuf>, Vec<PathBuf>) =
        arguments.files.iter().cloned().partition(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bms")));
    let generated = arguments.output.join("copy");
    let mut directories = arguments.include.clone();
    for path in &programs {
        if let Some(parent) = path.parent().filter(|parent| !directories.iter().any(|d| d == parent)) {
            directories.push(parent.to_path_buf());
        }
    }
    let job = Job {
        programs: &programs,
        maps: &maps,
        copy_directories: &directories,
        generated_copy: &generated,
        options: &arguments.options,
        xplink: arguments.xplink,
        ccsid: arguments.ccsid,
        library: &library,
        names: None,
        only: &[],
        database: None,
        fingerprints: None,
    };
    let summary = if arguments.list { run_with_listing(&job, console)? } else { run(&job, console)? };
    if let Some(path) = &summary.lacks_member {
        console.warning(&where_members_are(path));
    }
    Ok(summary.return_code)
}

/// What to do about copy members that a source lacks: the application it belongs to has directories of its own, and symbolic maps.
fn where_members_are(source: &Path) -> String {
    let is_application = |directory: &&Path| WorkDirectory::of(directory, None).root().is_dir();
    match source.ancestors().skip(1).find(is_application) {
        Some(directory) => {
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            let (directory, source) = (directory.display(), source.display());
            format!(
                "copy members and symbolic maps of the application {directory} are found with: regent compile --app {directory} {source}"
            )
        }
        None => "directories of copy members are named with -I; those of an application are found with --app DIR".to_string(),
    }
}

fn run_with_listing(job: &Job<'_>, console: &Console) -> Result<Summary, String> {
    let summary = run(&Job { programs: &[], ..*job }, console)?;
    let compiler = Compiler::new(job)?;
    let mut return_code = summary.return_code;
    for path in job.programs {
        let compiled = compiler.compile(path, true);
        crate::output::print(&compiled.listing)?;
        return_code = return_code.max(compiled.return_code);
    }
    Ok(Summary { return_code, ..summary })
}

/// Compiles maps, then programs in parallel; reports their errors as it proceeds.
pub fn run(job: &Job<'_>, console: &Console) -> Result<Summary, String> {
    let start = Instant::now();
    let mut ledger = job.fingerprints.map(Fingerprints::read);
    let mut summary = Summary::default();
    compile_maps(job, ledger.as_mut(), console, &mut summary)?;
    compile_programs(job, ledger.as_mut(), console, &mut summary)?;
    if let Some(ledger) = &mut ledger {
        let sources = job.programs.iter().chain(job.maps);
        // A program that is no longer part of the application, or has another name now, is removed.
        for member in ledger.forget_others(sources).into_iter().filter(|member| job.library.has(member)) {
            job.library.remove(&member);
        }
    }
    if let (Some(ledger), Some(path)) = (&ledger, job.fingerprints) {
        ledger.write(path)?;
    }
    summary.elapsed = start.elapsed();
    Ok(summary)
}

fn settings(job: &Job<'_>) -> String {
    format!("{} CODEPAGE({}){}", job.options, job.ccsid, if job.xplink { " XPLINK" } else { "" })
}

fn is_wanted(job: &Job<'_>, path: &PathBuf) -> bool {
    job.only.is_empty() || job.only.contains(path)
}

fn names_of(job: &Job<'_>, path: &Path) -> Names {
    job.names.map(|plan| plan.of(path)).unwrap_or_default()
}

fn compile_maps(job: &Job<'_>, mut ledger: Option<&mut Fingerprints>, console: &Console, summary: &mut Summary) -> Result<(), String> {
    if job.maps.is_empty() {
        return Ok(());
    }
    std::fs::create_dir_all(job.generated_copy).map_err(|error| format!("{}: {error}", job.generated_copy.display()))?;
    for path in job.maps.iter().filter(|path| is_wanted(job, path)) {
        let settings = settings(job);
        let current =
            ledger.as_ref().and_then(|ledger| ledger.current(path, &settings, &Surroundings::none(), |member| job.library.has(member)));
        if let Some(made) = current {
            report(console, path, made, true, summary);
            continue;
        }
        let result = maps::assemble(path, job.ccsid, job.library, job.copy_directories.iter().map(PathBuf::as_path))?;
        for (name, text) in &result.symbolic {
            let copy = job.generated_copy.join(name);
            crate::replace::replace_file(&copy, text.as_bytes())?;
        }
        let sources = result.copied.iter().chain([path]);
        let inputs = BTreeMap::from_iter(sources.filter_map(|source| Stamp::of(source).map(|stamp| (source.clone(), stamp))));
        let maps::MapsResult { mapsets: members, messages, located, return_code, .. } = result;
        let surroundings = Surroundings::none().of([], false);
        let made = Made { options: settings, inputs, members, return_code, messages, located, named: Vec::new(), surroundings };
        if is_whole_application(job) && has_many_warnings(&made) && !console.is_json() {
            crate::log::write(format!("{}\n", made.messages.join("\n")).as_bytes());
            let text = format!("{}: {} warnings, which `regent logs` shows", path.display(), made.located.len());
            console.warning(&text);
            report(console, path, &Made { messages: Vec::new(), ..made.clone() }, false, summary);
        } else {
            report(console, path, &made, false, summary);
        }
        if let Some(ledger) = &mut ledger {
            ledger.put(path, made);
        }
    }
    summary.failed_maps = summary.failed.len();
    Ok(())
}

fn is_whole_application(job: &Job<'_>) -> bool {
    job.names.is_some() && job.only.is_empty()
}

/// More warnings than a start shows of one map source: they hide what matters.
fn has_many_warnings(made: &Made) -> bool {
    const WARNINGS_MAX: usize = 3;
    made.return_code < ERROR_RETURN_CODE && made.located.len() > WARNINGS_MAX
}

fn compile_programs(job: &Job<'_>, mut ledger: Option<&mut Fingerprints>, console: &Console, summary: &mut Summary) -> Result<(), String> {
    let settings = |path: &Path| format!("{}{}", settings(job), names_of(job, path).settings());
    let surroundings = Surroundings::read(job.search_directories());
    let mut stale = Vec::new();
    for path in job.programs.iter().filter(|path| is_wanted(job, path)) {
        match ledger.as_ref().and_then(|ledger| ledger.current(path, &settings(path), &surroundings, |member| job.library.has(member))) {
            Some(made) => report(console, path, made, true, summary),
            None => stale.push(path),
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let compiler = Compiler::new(job)?.with_failed_maps(&summary.failed);
    let bar = console.bar(stale.len() as u64, "compile");
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(stale.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            // The parser descends with the nesting of statements; its bound is chosen for this stack.
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            let spawned = worker.spawn_scoped(scope, || {
                while let Some(path) = stale.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let compiled = compiler.compile(path, false);
                    results.lock().expect("no panic holds this lock").push((*path, compiled));
                    bar.inc(1);
                }
            });
            drop(spawned);
        }
    });
    bar.finish_and_clear();
    let mut results = results.into_inner().expect("no panic holds this lock");
    results.sort_by(|a, b| a.0.cmp(b.0));
    for (path, compiled) in results {
        let inputs: BTreeMap<_, _> = compiled.inputs.iter().filter_map(|input| Some((input.clone(), Stamp::of(input)?))).collect();
        let Compiled { members, return_code, messages, located, named, .. } = compiled;
        let surroundings = surroundings.of(inputs.keys(), return_code >= ERROR_RETURN_CODE);
        let made = Made { options: settings(path), inputs, members, return_code, messages, located, named, surroundings };
        report(console, path, &made, false, summary);
        if let Some(ledger) = &mut ledger {
            ledger.put(path, made);
        }
    }
    Ok(())
}

/// True if nothing is wrong but compiler options.
fn is_about_options_only(messages: &[Located]) -> bool {
    let mut errors = messages.iter().filter(|message| !matches!(message.severity.as_str(), "information" | "warning")).peekable();
    errors.peek().is_some() && errors.all(|message| message.code.starts_with(OPTION_MESSAGES))
}

fn report(console: &Console, path: &Path, made: &Made, current: bool, summary: &mut Summary) {
    let return_code = made.return_code;
    summary.return_code = summary.return_code.max(return_code);
    // A statement in error is compiled as one that ends the program (severity E), so the load module exists.
    match (return_code >= ERROR_RETURN_CODE, current) {
        (true, _) if made.members.is_empty() => summary.failed.push(path.to_path_buf()),
        // A compiler option that is discarded changes no statement.
        (true, _) if is_about_options_only(&made.located) => summary.compiled += 1,
        (true, _) => summary.in_error.push(path.to_path_buf()),
        (false, true) => summary.current += 1,
        (false, false) => summary.compiled += 1,
    }
    if !current {
        summary.made.extend_from_slice(&made.members);
    }
    summary.named.extend_from_slice(&made.named);
    let missing: BTreeSet<&str> = made.located.iter().filter_map(|message| message.missing_member()).collect();
    if summary.lacks_member.is_none() && !missing.is_empty() {
        summary.lacks_member = Some(path.to_path_buf());
    }
    for member in missing {
        *summary.missing_members.entry(member.to_string()).or_default() += 1;
    }
    if console.is_json() {
        let members = json!({
            "path": path, "return_code": return_code, "current": current, "load_modules": made.members,
            "messages": made.messages, "diagnostics": made.located,
        });
        console.event("compiled", members);
    } else if return_code >= ERROR_RETURN_CODE || !current {
        made.messages.iter().for_each(|message| console.diagnostic(message));
    }
}
