//! `regent up DIR`: from an application's directory to a region that serves it.
//!
//! Order: find sources, lock the data, compile what changed, make and load data that was never loaded, read the resource
//! definitions, start the region, listen, wait for the end. Everything made is in the work directory.

pub mod configuration;
mod discover;
mod jcl;
mod serve;
mod setup;
mod statements;

use std::path::{Path, PathBuf};

use clap::Args;
use configuration::Configuration;
use discover::Found;
use program::rununit::RunTimeOptions;
use region::program_list::{self, ProgramList};
use region::resources::csd::Csd;
use region::resources::csdup;
use region::system_initialization::SystemInitialization;
pub use serve::{Parts, start_region};
use setup::SetUp;
pub use setup::{rename_sequential, scratch_sequential, sequential_path};

use crate::compile::{self, Job, Library};
use crate::console::Console;
use crate::idcams::open_store;

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    directory: PathBuf,
    /// Port of the 3270 listener; 0 picks a free one.
    #[arg(long, default_value_t = 3270)]
    port_3270: u16,
    /// Address the listeners are bound to.
    #[arg(long, default_value = "127.0.0.1")]
    address: String,
    /// Where everything made is kept [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// System initialization parameter, NAME=VALUE; goes over `regent.toml`.
    #[arg(long = "sit", value_name = "NAME=VALUE")]
    sit: Vec<String>,
    /// START=COLD: queues, STARTs and definitions begin anew; files stay.
    #[arg(long)]
    cold: bool,
    /// Worker threads; 0: one a processor.
    #[arg(long, default_value_t = 0)]
    workers: usize,
}

impl Arguments {
    /// An application served without a listener of its own.
    pub fn of(directory: PathBuf, data: PathBuf, sit: Vec<String>, workers: usize) -> Arguments {
        Arguments { directory, port_3270: 0, address: "127.0.0.1".to_string(), data: Some(data), sit, cold: false, workers }
    }
}

/// The directories of one application's work directory.
pub struct WorkDirectory {
    pub root: PathBuf,
}

impl WorkDirectory {
    fn create(root: PathBuf) -> Result<WorkDirectory, String> {
        std::fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(WorkDirectory { root })
    }
    pub fn library(&self) -> PathBuf {
        self.root.join("library")
    }
    pub fn copy(&self) -> PathBuf {
        self.root.join("copy")
    }
    pub fn data(&self) -> PathBuf {
        self.root.join("data")
    }
    pub fn csd(&self) -> PathBuf {
        self.root.join("csd")
    }
    pub fn fingerprints(&self) -> PathBuf {
        self.root.join("compiled.json")
    }
}

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    serve::serve(prepare(&arguments, console)?, &arguments, console)
}

/// Everything up to the region: sources compiled, data made and loaded, definitions read.
pub fn prepare(arguments: &Arguments, console: &Console) -> Result<Parts, String> {
    let directory = &arguments.directory;
    let configuration = Configuration::read(directory)?;
    let sit = system_initialization(&configuration, arguments)?;
    let run_time_options = run_time_options(&configuration)?;
    let found = discover::discover(directory, &configuration)?;
    say_what_was_found(&found, console);
    let work = WorkDirectory::create(arguments.data.clone().unwrap_or_else(|| directory.join(discover::WORK_DIRECTORY)))?;
    // From here on no other region can serve this data.
    let store = open_store(&work.data())?;
    let library = Library::create(&work.library())?;
    compile_application(&configuration, &found, &work, &library, sit.local_ccsid(), console)?;
    let (units, refused) = setup::collect(&configuration, &found);
    for (path, reason) in
        found.refused.iter().map(|(path, reason)| (path, reason.to_string())).chain(refused.iter().map(|(p, r)| (p, r.clone())))
    {
        console.refused(path, &reason);
    }
    for path in setup::unused_data(&configuration, &found, &units) {
        console.refused(path, "data that no job step and no [data] entry names");
    }
    run_batch_steps(arguments, &configuration, &found, &work, sit.local_ccsid(), console)?;
    let data_sets = vsam::DataSets::new(store.clone()).map_err(|error| error.to_string())?;
    let set_up = SetUp {
        directory,
        data_directory: &work.root,
        configuration: &configuration,
        found: &found,
        data_sets: &data_sets,
        ccsid: sit.local_ccsid(),
        console,
    };
    let outcome = set_up.run(&units)?;
    report_set_up(&outcome, &work, console);
    drop(data_sets);
    let (csd, groups) = read_definitions(&configuration, &found, &work, console)?;
    let program_lists = read_program_lists(&found, console);
    Ok(Parts { sit, csd, groups, work, store, program_lists, run_time_options, workers: arguments.workers })
}

/// The COBOL programs of an application's directory, the directories of its copybooks and its map sources.
pub fn discover_sources(directory: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>, Vec<PathBuf>), String> {
    let found = discover::discover(directory, &Configuration::read(directory)?)?;
    let programs = found.programs.into_iter().filter(|path| !compile::is_c(path)).collect();
    Ok((programs, found.copy_directories, found.maps))
}

fn system_initialization(configuration: &Configuration, arguments: &Arguments) -> Result<SystemInitialization, String> {
    let mut sit = SystemInitialization::new();
    for (name, value) in configuration.sit_parameters()? {
        sit.set(&name, &value).map_err(|error| format!("{}: {error}", configuration::FILE_NAME))?;
    }
    if arguments.cold {
        sit.set("START", "COLD").map_err(|error| error.to_string())?;
    }
    for parameter in &arguments.sit {
        sit.apply(parameter).map_err(|error| format!("--sit: {error}"))?;
    }
    crate::code_page::page(sit.local_ccsid()).map_err(|error| format!("LOCALCCSID: {error}"))?;
    Ok(sit)
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

fn say_what_was_found(found: &Found, console: &Console) {
    let counts = [
        (found.programs.len(), "programs"),
        (found.copybooks, "copybooks"),
        (found.maps.len(), "map sources"),
        (found.definitions.len(), "definition files"),
        (found.jobs.len(), "jobs"),
        (found.program_lists.len(), "program list tables"),
        (found.control_statements.len(), "control statement files"),
    ];
    let words: Vec<String> = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    console.line(&format!("found     {}", if words.is_empty() { "nothing to serve".to_string() } else { words.join(", ") }));
}

fn compile_application(
    configuration: &Configuration,
    found: &Found,
    work: &WorkDirectory,
    library: &Library,
    ccsid: u16,
    console: &Console,
) -> Result<(), String> {
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
        ccsid,
        library,
        fingerprints: Some(&work.fingerprints()),
    };
    let summary = compile::run(&job, console)?;
    let text = format!(
        "compiled  {} programs and mapsets, {} up to date, {} failed, {:.1} s",
        summary.compiled,
        summary.current,
        summary.failed,
        summary.elapsed.as_secs_f64()
    );
    if summary.failed > 0 {
        console.warning(&text)
    } else {
        console.line(&text)
    }
    Ok(())
}

/// The program list tables; one with errors is left out, with its messages.
fn read_program_lists(found: &Found, console: &Console) -> Vec<ProgramList> {
    let mut lists = Vec::new();
    for path in &found.program_lists {
        let member = path.file_stem().unwrap_or_default().to_string_lossy().to_uppercase();
        let mut diagnostics = Vec::new();
        let source = std::fs::read(path).unwrap_or_default();
        lists.extend(program_list::parse(&member, &path.display().to_string(), &source, &mut diagnostics));
        diagnostics.iter().for_each(|diagnostic| console.warning(&diagnostic.to_string()));
    }
    lists
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
        let outputs: Vec<(&String, PathBuf)> =
            step.creates.iter().map(|(dd, name)| (dd, setup::sequential_path(&work.root, name))).collect();
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
                std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
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

fn report_set_up(outcome: &setup::Outcome, work: &WorkDirectory, console: &Console) {
    if outcome.steps_run > 0 {
        console.line(&format!("set up    {} steps, listings in {}", outcome.steps_run, work.root.join("listings").display()));
    }
    for (title, code) in &outcome.failures {
        console.warning(&format!("  {title}: condition code {code}, see its listing"));
    }
    for name in &outcome.missing {
        console.warning(&format!("  no file for the sequential data set {name}: name one under [data] in {}", configuration::FILE_NAME));
    }
}

/// The CSD of the application and the groups its definitions are in, in order.
fn read_definitions(
    configuration: &Configuration,
    found: &Found,
    work: &WorkDirectory,
    console: &Console,
) -> Result<(Csd, Vec<String>), String> {
    let mut csd = Csd::initialized();
    let mut groups: Vec<String> = Vec::new();
    for (source, text) in setup::definitions(configuration, found) {
        let report = csdup::execute(&mut csd, &text, &source);
        for message in report.messages.iter().filter(|message| message.severity != csdup::Severity::Information) {
            console.warning(&format!("  {source}:{}: {} {}", message.origin.line, message.id, message.text));
        }
        for group in report.groups {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    csd.save(&work.csd()).map_err(|error| format!("{}: {error}", work.csd().display()))?;
    Ok((csd, groups))
}
