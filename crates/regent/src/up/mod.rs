//! `regent up DIR`: from an application's directory to a running region.
//!
//! Order: find sources, lock the data, compile what changed, create and load data sets that were never loaded, read the resource
//! definitions, start the region, listen, wait for the end. All output is in the work directory.

mod assembled;
mod bundles;
pub mod configuration;
mod database;
mod discover;
mod exclude;
mod further;
mod health;
mod initialization_table;
mod jcl;
mod jobs;
mod kept;
mod link_edit;
mod named;
pub mod parameters;
mod problems;
mod program_steps;
mod programs;
pub mod scan;
mod security;
mod serve;
mod setup;
mod standby;
mod statements;
mod stop;
mod stream;
mod tables;
mod unload;
mod utilities;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bundles::Bundles;
use clap::Args;
use configuration::Configuration;
use csd::{Csd, SharedCsd, Unavailable, csdup};
use discover::Found;
use jobs::Jobs;
use parameters::Overrides;
use problems::Problems;
use program::rununit::RunTimeOptions;
use program_steps::FileNeeds;
use region::system_initialization::SystemInitialization;
use region::{monitoring, program_list};
pub use serve::{Parts, start_region};
use setup::SetUp;
use vsam::disk::private;

use crate::compile::{self, Job, Library, SqlCheck};
use crate::console::Console;
use crate::idcams::open_store;
use crate::sequential::sequential_path;
use crate::work_directory::WorkDirectory;

/// What the 3270 listener does about TLS.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StartTls {
    /// A client may change to TLS.
    Offered,
    /// A client that does not is refused.
    Required,
}

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    directory: PathBuf,
    /// Port of the 3270 listener; 0 selects a free port.
    #[arg(long, default_value_t = 3270)]
    port_3270: u16,
    /// Port of a 3270 listener with TLS; 0 selects a free port [default: none]. The other listener then stays on 127.0.0.1.
    #[arg(long, requires_all = ["certificate", "private_key"])]
    port_3270_tls: Option<u16>,
    /// Certificates for TLS in PEM: its own, then those of its authorities.
    #[arg(long, value_name = "FILE", requires = "private_key")]
    certificate: Option<PathBuf>,
    /// Private key of the certificate, in PEM.
    #[arg(long, value_name = "FILE", requires = "certificate")]
    private_key: Option<PathBuf>,
    /// Whether clients of the 3270 listener may or must change to TLS (STARTTLS).
    #[arg(long, requires_all = ["certificate", "private_key"])]
    starttls: Option<StartTls>,
    /// Certificates of authorities in PEM: a client that uses TLS must show a certificate of one of them.
    #[arg(long, value_name = "FILE", requires = "certificate")]
    client_authorities: Option<PathBuf>,
    /// Port that tells balancers the health of the region, 0% to 100%; 0 selects a free port [default: none].
    #[arg(long)]
    port_health: Option<u16>,
    /// Address the listeners are bound to.
    #[arg(long, default_value = "127.0.0.1")]
    address: String,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// START=COLD: queues, STARTs and definitions start empty; files are kept.
    #[arg(long)]
    cold: bool,
    /// Number of worker threads; 0: one for each processor.
    #[arg(long, default_value_t = 0)]
    workers: usize,
    /// Do not serve an application that has problems; end with exit code 8.
    #[arg(long)]
    strict: bool,
    /// Compile sources when they change, and give the region the new copies.
    #[arg(long)]
    watch: bool,
    /// Read transactions of a console from standard input: `CEMT INQUIRE TASK`.
    #[arg(long)]
    console: bool,
    /// Nothing is written to the log of the region.
    #[arg(skip)]
    without_log: bool,
}

impl Arguments {
    /// An application served without a listener of its own.
    pub fn of(directory: PathBuf, data: PathBuf, sit: Vec<String>, workers: usize) -> Arguments {
        let address = "127.0.0.1".to_string();
        let (cold, strict, watch) = (false, false, false);
        let overrides = Overrides { parm: sit, ..Overrides::default() };
        Arguments {
            directory,
            port_3270: 0,
            port_3270_tls: None,
            certificate: None,
            private_key: None,
            starttls: None,
            client_authorities: None,
            port_health: None,
            address,
            data: Some(data),
            overrides,
            cold,
            workers,
            strict,
            watch,
            console: false,
            without_log: true,
        }
    }
}

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    serve::check_addresses(&arguments)?;
    serve::serve(prepare(&arguments, console)?, &arguments, console)
}

/// Everything up to the region: sources compiled, data made and loaded, definitions read.
pub fn prepare(arguments: &Arguments, console: &Console) -> Result<Parts, String> {
    let directory = &arguments.directory;
    let configuration = Configuration::read(directory)?;
    let mut found = discover::discover(directory, &configuration)?;
    let sit = system_initialization(arguments, &configuration, &found)?;
    let run_time_options = run_time_options(&configuration)?;
    let mut problems = Problems::default();
    let work = WorkDirectory::of(directory, arguments.data.as_deref()).create()?;
    // From here on no other region can serve this data.
    let store = open_store(&work.store())?;
    if !arguments.without_log {
        crate::log::begin(&work)?;
    }
    stream::add_sources(&mut found, directory, &work)?;
    say_what_was_found(&found, console, &mut problems);
    let jobs = Jobs::read(&configuration, &found);
    // The tables come first: the compiler checks static SQL against them.
    let mut database = database::Prepared::of(directory, &configuration, &found, &jobs, &work, console, &mut problems);
    database.run_scripts(console, &mut problems);
    let build = Build { configuration: &configuration, found: &found, jobs: &jobs, work: &work, ccsid: sit.local_ccsid() };
    let summary = build.run(&[], database.check(&mut problems).as_ref(), console, &mut problems)?;
    let units = setup::units(&configuration, &found, &jobs);
    let (shared_csd, csd, groups) =
        read_definitions(&setup::definitions(&configuration, &found, &jobs), directory, &found, &work, console, &mut problems)?;
    problems::of_no_transactions(&csd, &groups, console);
    database.choose(&FileNeeds { units: &units, data_sets: problems::data_sets_of_files(&csd, &groups), library: &work.library() });
    let unused = not_used(&configuration, &found, &jobs, &units, &database);
    report_not_used(&unused, directory, &work, console)?;
    run_batch_steps(arguments, &configuration, &found, &work, sit.local_ccsid(), console)?;
    let data_sets = vsam::DataSets::new(store.clone()).map_err(|error| error.to_string())?;
    let set_up = SetUp {
        directory,
        work: &work,
        configuration: &configuration,
        found: &found,
        data_sets: &data_sets,
        ccsid: sit.local_ccsid(),
        console,
        formats: Default::default(),
    };
    let outcome = set_up.run(&units)?;
    if outcome.steps_run > 0 {
        console.line(&format!("set up    {}, listings in {}", counted(outcome.steps_run, "step"), work.listings().display()));
    }
    database.run_programs(&set_up, &mut problems)?;
    problems::of_set_up(&outcome, &csd, &groups, &data_sets, console, &mut problems);
    problems::of_definitions(&csd, &groups, &work.library(), &found.refused, sit.is("PGAIPGM", "ACTIVE"), &mut problems);
    named::report(&summary, &csd, &groups, &work.library(), &mut problems);
    problems::of_threads(&csd, &groups, &mut problems);
    problems::of_group_lists(&sit.group_lists(), &csd, &mut problems);
    drop(data_sets);
    let program_lists = assembled::read(&found.program_lists, "program list table", program_list::parse, console, &mut problems);
    let monitoring_tables =
        assembled::read(&found.monitoring_tables, "monitoring control table", monitoring::parse, console, &mut problems);
    let (workers, database) = (arguments.workers, database.into_standby(console));
    Ok(Parts {
        sit,
        csd: shared_csd,
        groups,
        work,
        store,
        program_lists,
        monitoring_tables,
        run_time_options,
        workers,
        shutdown_assist: configuration.shutdown_assist.intervals(),
        dump_data_set_bytes: configuration.dumps.data_set_bytes(),
        dd_names: configuration.dd_names(directory),
        auxiliary_trace_bytes: configuration.trace.data_set_bytes(),
        database,
        problems,
    })
}

/// What is in the directory and nothing has used, with the reason.
fn not_used(
    configuration: &Configuration,
    found: &Found,
    jobs: &Jobs,
    units: &[setup::Unit],
    database: &database::Prepared,
) -> Vec<(PathBuf, String)> {
    let mut not_used: Vec<(PathBuf, String)> = found.refused.iter().map(|(path, reason)| (path.clone(), reason.to_string())).collect();
    not_used.retain(|(path, _)| !jobs.has_read(path));
    not_used.extend(setup::refused(jobs, &|job, step| database.uses(job, step)));
    not_used.extend(database.not_run());
    for path in setup::unused_data(configuration, found, units).into_iter().filter(|path| !jobs.has_read(path)) {
        not_used.push((path.to_path_buf(), "data that no job step and no [data] entry names".to_string()));
    }
    not_used
}

/// The system initialization parameters. Feature toggles are in the application's directory, or in one relative to it.
fn system_initialization(arguments: &Arguments, configuration: &Configuration, found: &Found) -> Result<SystemInitialization, String> {
    let tables = &found.initialization_tables;
    let mut sit = parameters::of_application(configuration, tables, &arguments.overrides, arguments.cold)?;
    let toggles = arguments.directory.join(sit.get("USSCONFIG"));
    sit.set("USSCONFIG", &toggles.display().to_string()).map_err(|error| error.to_string())?;
    Ok(sit)
}

/// The number of files shown on the console for each reason; the others are in `not-used.txt`.
const NOT_USED_SHOWN: usize = 3;

/// Reports unused files and the reasons: all of them in `not-used.txt`, a few for each reason on the console.
fn report_not_used(files: &[(PathBuf, String)], directory: &Path, work: &WorkDirectory, console: &Console) -> Result<(), String> {
    let path = work.not_used();
    let lines: String = files.iter().map(|(path, reason)| format!("{}: {reason}\n", path.display())).collect();
    private::write(&path, lines.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
    if console.is_json() {
        files.iter().for_each(|(path, reason)| console.refused(path, reason));
        return Ok(());
    }
    let mut by_reason: Vec<(&str, Vec<String>)> = Vec::new();
    for (path, reason) in files {
        let name = path.strip_prefix(directory).unwrap_or(path).display().to_string();
        match by_reason.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(name),
            None => by_reason.push((reason, vec![name])),
        }
    }
    for (reason, names) in by_reason {
        let more = names.len().saturating_sub(NOT_USED_SHOWN);
        let rest = if more == 0 { String::new() } else { format!(" and {more} more, see {}", path.display()) };
        console.line(&format!("  not used  {}{rest}: {reason}", names[..names.len() - more].join(", ")));
    }
    Ok(())
}

/// The COBOL programs of an application's directory, the directories of its copybooks and its map sources.
pub fn discover_sources(directory: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>, Vec<PathBuf>), String> {
    let found = discover::discover(directory, &Configuration::read(directory)?)?;
    let programs = found.programs.into_iter().filter(|path| !compile::is_c(path)).collect();
    Ok((programs, found.copy_directories, found.maps))
}

/// `[database]` of an application's `regent.toml`.
pub fn database_settings(directory: &Path) -> Result<crate::database::Settings, String> {
    Ok(Configuration::read(directory)?.database.unwrap_or_default())
}

/// Options of the region's programs, as the module CEEROPT has them.
fn run_time_options(configuration: &Configuration) -> Result<Option<RunTimeOptions>, String> {
    let text = &configuration.language_environment.options;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let options = crate::run_time_options::parse(text);
    match options.unknown.first() {
        Some(unknown) => Err(format!("{}: [language-environment] options: {unknown} is not a run-time option", configuration::FILE_NAME)),
        None => Ok(Some(options.of_programs())),
    }
}

fn say_what_was_found(found: &Found, console: &Console, problems: &mut Problems) {
    for entry in &found.idle_excludes {
        problems.add(format!(
            "{}: [source] exclude: `{entry}` leaves nothing out; entries are paths from the directory of this file",
            configuration::FILE_NAME
        ));
    }
    let counts = [
        (found.programs.len(), "program"),
        (found.copybooks, "copybook"),
        (found.maps.len(), "map source"),
        (found.definitions.len(), "definition file"),
        (found.jobs.len(), "job"),
        (found.program_lists.len(), "program list table"),
        (found.monitoring_tables.len(), "monitoring control table"),
        (found.initialization_tables.len(), "system initialization table"),
        (found.control_statements.len(), "control statement file"),
        (found.link_decks.len(), "binder deck"),
        (found.scripts.len(), "SQL script"),
        (found.bundles.len(), "bundle"),
    ];
    let words: Vec<String> = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(*count, what)).collect();
    console.line(&format!("found     {}", if words.is_empty() { "nothing to serve".to_string() } else { words.join(", ") }));
}

/// `1 step`, `2 steps`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// What the compilation of an application takes.
struct Build<'a> {
    configuration: &'a Configuration,
    found: &'a Found,
    jobs: &'a Jobs<'a>,
    work: &'a WorkDirectory,
    ccsid: u16,
}

impl Build<'_> {
    /// Compiles what changed: all sources, or those of `only`.
    fn run(
        &self,
        only: &[PathBuf],
        database: Option<&SqlCheck>,
        console: &Console,
        problems: &mut Problems,
    ) -> Result<compile::Summary, String> {
        let Build { configuration, found, jobs, work, ccsid } = self;
        for directory in [work.library(), work.copy()] {
            private::create_directory(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        }
        let library = Library::create(&work.library())?;
        let names = compile::plan(&found.programs, &jobs.load_modules(&configuration.modules));
        names.warnings.iter().for_each(|warning| console.warning(warning));
        names.problems.iter().for_each(|problem| problems.add(problem));
        let mut copy_directories = found.copy_directories.clone();
        if configuration.source.maps_first {
            copy_directories.insert(0, work.copy());
        }
        let job = Job {
            programs: &found.programs,
            maps: &found.maps,
            copy_directories: &copy_directories,
            generated_copy: &work.copy(),
            options: &configuration.compiler.options,
            xplink: configuration.compiler.xplink,
            ccsid: *ccsid,
            library: &library,
            names: Some(&names),
            only,
            database,
            fingerprints: Some(&work.fingerprints()),
        };
        let summary = compile::run(&job, console)?;
        if let Some(why) = database.and_then(SqlCheck::failure) {
            console.warning(&format!("static SQL was not checked to the end: {why}"));
        }
        report_compilation(&summary, console, problems);
        if let Some(text) = missing_members(&summary, found) {
            console.warning(&text);
        }
        Ok(summary)
    }
}

fn report_compilation(summary: &compile::Summary, console: &Console, problems: &mut Problems) {
    let (compiled, current, seconds) = (summary.compiled, summary.current, summary.elapsed.as_secs_f64());
    let with_errors =
        if summary.in_error.is_empty() { String::new() } else { format!("{} with statements in error, ", summary.in_error.len()) };
    let text = format!(
        "compiled  {compiled} programs and mapsets, {current} up to date, {with_errors}{} failed, {seconds:.1} s",
        summary.failed.len()
    );
    for path in &summary.failed {
        problems.add(format!("{} did not compile: see its messages above", path.display()));
    }
    for path in &summary.in_error {
        let text = "has statements in error, which end the program unless a message says what is ignored: see its messages above";
        problems.add(format!("{} {text}", path.display()));
    }
    match summary.failed.is_empty() && summary.in_error.is_empty() {
        true => console.line(&text),
        false => console.warning(&text),
    }
}

/// The copy members that were not found, in one line: the messages before name each of them for each program.
fn missing_members(summary: &compile::Summary, found: &Found) -> Option<String> {
    let shown = |(member, programs): (&String, &usize)| {
        let is_data = |path: &&PathBuf| found.data.values().any(|data| data == *path);
        let file = found.members.get(member).into_iter().flatten().find(is_data);
        let file = file.map_or(String::new(), |path| {
            let parent = path.parent().unwrap_or(path).display();
            format!("; {} was taken for data: name {parent} in [source] copy of {}", path.display(), configuration::FILE_NAME)
        });
        format!("{member} ({}{file})", counted(*programs, "program"))
    };
    let members: Vec<String> = summary.missing_members.iter().map(shown).collect();
    (!members.is_empty()).then(|| format!("COPY members missing: {}", members.join(", ")))
}

/// `regent compile --app`: compiles sources into the library of an application, whether a region serves it or not.
pub fn compile_for(directory: &Path, data: Option<&Path>, files: &[PathBuf], console: &Console) -> Result<u8, String> {
    let mut problems = Problems::default();
    let summary = rebuild(directory, data, files, console, &mut problems)?;
    // Compilation errors have already been reported.
    Ok(summary.return_code)
}

/// Looks through an application's directory again and compiles what changed.
fn rebuild(
    directory: &Path,
    data: Option<&Path>,
    files: &[PathBuf],
    console: &Console,
    problems: &mut Problems,
) -> Result<compile::Summary, String> {
    let configuration = Configuration::read(directory)?;
    let mut found = discover::discover(directory, &configuration)?;
    let sit = parameters::of_application(&configuration, &found.initialization_tables, &Overrides::default(), false)?;
    let ccsid = sit.local_ccsid();
    let work = WorkDirectory::of(directory, data).create()?;
    stream::add_sources(&mut found, directory, &work)?;
    let jobs = Jobs::read(&configuration, &found);
    let only = files.iter().map(|file| source_of(file, &found, directory)).collect::<Result<Vec<PathBuf>, String>>()?;
    let database = database::existing(&configuration, &found, directory, &work);
    let check = database.as_ref().and_then(|(database, schema)| SqlCheck::connect(database, schema).ok());
    let build = Build { configuration: &configuration, found: &found, jobs: &jobs, work: &work, ccsid };
    let summary = build.run(&only, check.as_ref(), console, problems);
    drop(check);
    match database {
        Some((database, _)) => database.close().and(summary),
        None => summary,
    }
}

/// The source of the application that a path means.
fn source_of(file: &Path, found: &Found, directory: &Path) -> Result<PathBuf, String> {
    let wanted = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
    let mut sources = found.programs.iter().chain(&found.maps);
    let source = sources.find(|path| path.canonicalize().is_ok_and(|path| path == wanted));
    source.cloned().ok_or_else(|| format!("{} is not a program or map source of {}", file.display(), directory.display()))
}

/// Runs the batch programs whose output is not there yet, each in a process of its own.
fn run_batch_steps(
    arguments: &Arguments,
    configuration: &Configuration,
    found: &Found,
    work: &WorkDirectory,
    ccsid: u16,
    console: &Console,
) -> Result<(), String> {
    for step in &configuration.batch {
        let outputs: Vec<(&String, PathBuf)> = step.creates.iter().map(|(dd, name)| (dd, sequential_path(work, name))).collect();
        if outputs.iter().all(|(_, path)| path.is_file()) {
            continue;
        }
        let program = arguments.directory.join(&step.program);
        let executable = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = std::process::Command::new(executable);
        command.arg("run").arg(&program).args(["--ccsid", &ccsid.to_string()]);
        if !step.parm.is_empty() {
            command.args(["--parm", &step.parm]);
        }
        for (dd, path) in &outputs {
            if let Some(parent) = path.parent() {
                private::create_directory(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
            }
            // Written under another name first, so that a broken run leaves nothing that looks complete.
            command.arg("--dd").arg(format!("{dd}={}", scratch(path).display()));
        }
        for (dd, path) in &step.reads {
            command.arg("--dd").arg(format!("{dd}={}", arguments.directory.join(path).display()));
        }
        for directory in &found.copy_directories {
            command.arg("-I").arg(directory);
        }
        let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().for_each(|line| console.line(&format!("  {line}")));
        if !output.status.success() {
            return Err(format!("{} ended with {}\n{}", program.display(), output.status, String::from_utf8_lossy(&output.stderr)));
        }
        for (_, path) in &outputs {
            std::fs::rename(scratch(path), path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

fn scratch(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    path.with_file_name(name)
}

/// Messages of DFHCSDUP that are no problem: a group that is deleted before it is defined does not exist; a group is in a list already; the CSD
/// of the application need not be initialized.
const HARMLESS: [&str; 3] = ["DFH5152", "DFH5136", "DFH5150"];
/// Messages that only say that others stand before them.
const SUMMARIES: [&str; 2] = ["DFH5102", "DFH5103"];

/// The CSD of the application and the groups its definitions are in, in order. `inputs` are texts and the names they are reported under.
fn read_definitions(
    inputs: &[(String, String)],
    directory: &Path,
    found: &Found,
    work: &WorkDirectory,
    console: &Console,
    problems: &mut Problems,
) -> Result<(SharedCsd, Arc<Csd>, Vec<String>), String> {
    let mut csd = Csd::initialized();
    let mut groups: Vec<String> = Vec::new();
    for (source, text) in inputs {
        let unknown = jcl::placeholders(text);
        if !unknown.is_empty() {
            problems.add(format!("{source}: {}", problems::without_value(&unknown)));
        }
        let report = csdup::execute(&mut csd, text, source);
        let shown = |message: &csdup::Message| format!("{source}:{}: {} {}", message.origin.line, message.id, message.text);
        let messages = || report.messages.iter().filter(|message| !SUMMARIES.contains(&message.id));
        for message in messages().filter(|message| message.severity != csdup::Severity::Information) {
            console.warning(&format!("  {}", shown(message)));
        }
        let is_error = |message: &&csdup::Message| message.severity == csdup::Severity::Error && !HARMLESS.contains(&message.id);
        let errors: Vec<&csdup::Message> = messages().filter(is_error).collect();
        match errors[..] {
            // What comes of a name without a value has been said.
            [] => {}
            _ if !unknown.is_empty() => {}
            [only] => problems.add(format!("definition rejected: {}", shown(only))),
            [first, ..] => problems.add(format!("{} definitions rejected, the first: {}", errors.len(), shown(first))),
        }
        for group in report.groups {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    Bundles { directory, found: &found.bundles }.resolve(&mut csd, &groups, console, problems);
    let shared = SharedCsd::on_file(&work.csd());
    let fault = |unavailable: Unavailable| format!("{unavailable}\ncorrect the CSD, or delete it to have it made again");
    let defined: Vec<bool> = groups.iter().map(|group| csd.has_group(group)).collect();
    let lost = shared.change(|kept| Ok::<_, Unavailable>(kept.remake(csd))).map_err(fault)?;
    for (part, name) in lost {
        let text = "its definitions in the sources have changed and replace what was changed at run time";
        console.warning(&format!("  {} {name}: {text}", part.name()));
    }
    let csd = shared.snapshot().map_err(fault)?;
    // A group that was deleted at run time is not installed.
    let mut defined = defined.into_iter();
    groups.retain(|group| !defined.next().unwrap_or(false) || csd.has_group(group));
    Ok((shared, csd, groups))
}
