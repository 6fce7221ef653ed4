//! `regent nist DIR`: compiles and runs the programs of the NIST COBOL 85 validation suite (CCVS85) and prints a table by module.
//!
//! The directory has the layout that open COBOL projects use for the suite: one directory for each module (`NC`, `IX` ...) with `NAME.CBL`,
//! `NAME.SUB` for programs that continue with the files of the one before, `NAME.DAT` for their input, `lib/*.CBL` for called programs, and
//! the copy libraries beside the modules. Chains of programs run in parallel, each in its own directory.

mod report;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::compile::{Compiled, Compiler, Job, Library};
use crate::console::Console;
use report::{Counts, Outcome, Row};

#[derive(Args)]
pub struct Arguments {
    /// The suite, or one module of it.
    directory: PathBuf,
    /// Code page of data, by its CCSID.
    #[arg(long, default_value_t = 37, value_parser = crate::code_page::ccsid)]
    ccsid: u16,
    /// Compiler options as on a CBL statement.
    #[arg(long, default_value = "")]
    options: String,
    /// Run only programs whose names begin with this text.
    #[arg(long, default_value = "")]
    only: String,
    /// Where load modules, files and reports are kept; a temporary directory otherwise.
    #[arg(long)]
    work: Option<PathBuf>,
}

/// The assignment of the suite's report file, as the projects that carry it have set it.
const REPORT: &str = "report.log";
/// A program that runs longer than this does not end.
const RUN_TIME_MAX: Duration = Duration::from_secs(120);
/// The suite is run with UPSI switch 1 on and the others off.
const SWITCHES: &str = "01000000";

/// Programs that are run with the object-time switch for debugging off; the others of the suite expect it on.
const NOT_DEBUGGING: &[&str] = &["DB102A"];
/// Programs whose last STOP asks the operator to cancel them, and its text: that they end there is the test.
const CANCELLED: &[(&str, &str)] = &[("OBNC1M", "OPERATOR KILL OBNC1")];
/// Programs that expect the collating sequence of ASCII: sorts without an alphabet whose result holds letters and digits.
const EXPECTING_ASCII: &[&str] = &["ST137A", "ST144A", "ST147A"];
const CCSID_ASCII: u16 = 819;

/// Programs that run one after the other on the same files.
struct Chain {
    module: String,
    programs: Vec<PathBuf>,
}

struct Suite<'a> {
    arguments: &'a Arguments,
    work: &'a Path,
    executable: PathBuf,
}

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    let modules = modules(&arguments.directory)?;
    if modules.is_empty() {
        return Err(format!("{}: no directories with *.CBL", arguments.directory.display()));
    }
    let temporary = std::env::temp_dir().join(format!("regent-nist-{}", std::process::id()));
    let work = arguments.work.clone().unwrap_or_else(|| temporary.clone());
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let suite = Suite { arguments: &arguments, work: &work, executable };
    let mut chains = Vec::new();
    for module in &modules {
        suite.compile_called(module)?;
        chains.extend(chains_of(module, &arguments.only)?);
    }
    let rows = suite.run(&chains);
    if arguments.work.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    report::print(&rows, console);
    let bad = rows.iter().any(|row| !row.outcome.is_good());
    Ok(if bad { 8 } else { 0 })
}

/// The directory itself or those in it that hold programs.
fn modules(directory: &Path) -> Result<Vec<PathBuf>, String> {
    if !files(directory, "CBL")?.is_empty() {
        return Ok(vec![directory.to_path_buf()]);
    }
    let mut found = Vec::new();
    for path in entries(directory)? {
        if path.is_dir() && !files(&path, "CBL")?.is_empty() {
            found.push(path);
        }
    }
    Ok(found)
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let of_kind = |path: &PathBuf| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    Ok(entries(directory)?.into_iter().filter(of_kind).collect())
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(OsStr::to_str).unwrap_or_default().to_uppercase()
}

/// A chain begins at each `.CBL`; the `.SUB`s behind it by name belong to it.
fn chains_of(directory: &Path, only: &str) -> Result<Vec<Chain>, String> {
    let module = directory.file_name().and_then(OsStr::to_str).unwrap_or_default().to_uppercase();
    let mut programs = files(directory, "CBL")?;
    programs.extend(files(directory, "SUB")?);
    programs.sort_by_key(|path| stem(path));
    let mut chains: Vec<Chain> = Vec::new();
    for program in programs {
        let follows = program.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("SUB"));
        match chains.last_mut().filter(|_| follows) {
            Some(chain) => chain.programs.push(program),
            None => chains.push(Chain { module: module.clone(), programs: vec![program] }),
        }
    }
    chains.retain(|chain| chain.programs.iter().any(|program| stem(program).starts_with(only)));
    Ok(chains)
}

impl Suite<'_> {
    fn compile(&self, program: &Path, library: &Library) -> Result<Compiled, String> {
        let directory = program.parent().unwrap_or(Path::new("."));
        let mut copy_directories = vec![directory.to_path_buf()];
        for level in directory.ancestors().skip(1).take(2) {
            copy_directories.extend(["copy", "copyalt"].map(|name| level.join(name)));
        }
        let generated = self.work.join("copy");
        let job = Job {
            programs: &[],
            maps: &[],
            copy_directories: &copy_directories,
            generated_copy: &generated,
            options: &self.arguments.options,
            xplink: false,
            ccsid: self.ccsid(program),
            library,
            names: None,
            only: &[],
            database: None,
            fingerprints: None,
        };
        Ok(Compiler::new(&job)?.compile(program, false))
    }

    /// The code page a program is compiled and run with.
    fn ccsid(&self, program: &Path) -> u16 {
        if EXPECTING_ASCII.contains(&stem(program).as_str()) { CCSID_ASCII } else { self.arguments.ccsid }
    }

    fn library_of(&self, module: &str) -> PathBuf {
        self.work.join(module).join("lib")
    }

    /// `lib/*.CBL`: programs that those of the module call.
    fn compile_called(&self, module: &Path) -> Result<(), String> {
        let name = module.file_name().and_then(OsStr::to_str).unwrap_or_default().to_uppercase();
        let library = Library::create(&self.library_of(&name))?;
        let called = module.join("lib");
        if called.is_dir() {
            for program in files(&called, "CBL")? {
                self.compile(&program, &library)?;
            }
        }
        Ok(())
    }

    fn run(&self, chains: &[Chain]) -> Vec<Row> {
        let next = AtomicUsize::new(0);
        let rows = Mutex::new(BTreeMap::new());
        let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(chain) = chains.get(next.fetch_add(1, Ordering::Relaxed)) {
                        for program in &chain.programs {
                            let row = self.program(chain, program);
                            rows.lock().unwrap_or_else(|poison| poison.into_inner()).insert((row.module.clone(), row.name.clone()), row);
                        }
                    }
                });
            }
        });
        rows.into_inner().unwrap_or_else(|poison| poison.into_inner()).into_values().collect()
    }

    fn program(&self, chain: &Chain, program: &Path) -> Row {
        let name = stem(program);
        let directory = self.work.join(&chain.module).join(stem(&chain.programs[0]));
        let outcome = self.compile_and_run(chain, program, &name, &directory).unwrap_or_else(Outcome::NotRun);
        Row { module: chain.module.clone(), name, outcome }
    }

    fn compile_and_run(&self, chain: &Chain, program: &Path, name: &str, directory: &Path) -> Result<Outcome, String> {
        let library = Library::create(directory)?;
        let Compiled { members, return_code, messages, .. } = self.compile(program, &library)?;
        let Some(module) = members.first().map(|member| library.path(member)) else {
            return Ok(Outcome::NotCompiled { return_code, messages });
        };
        if is_flagging(name) {
            return Ok(Outcome::CompiledOnly);
        }
        let report = directory.join(REPORT);
        let _ = std::fs::remove_file(&report);
        let mut command = Command::new(&self.executable);
        command.arg("run").arg(&module).arg("--allocate").arg("--upsi").arg(SWITCHES).args(["--data", "data"]);
        command.arg("--ccsid").arg(self.ccsid(program).to_string());
        if !NOT_DEBUGGING.contains(&name) {
            command.arg("--debug");
        }
        let cancelled = CANCELLED.iter().find(|(program, _)| *program == name);
        if let Some((_, text)) = cancelled {
            command.arg("--cancel-at").arg(text);
        }
        command.arg("--library").arg(self.library_of(&chain.module)).arg("--library").arg(directory);
        command.current_dir(directory).env(format!("DD_{}", REPORT.to_uppercase()), format!("{REPORT}:text"));
        let input = std::fs::File::open(program.with_extension("DAT"));
        command.stdin(input.map_or(Stdio::null(), Stdio::from));
        let output = |suffix: &str| std::fs::File::create(directory.join(format!("{name}.{suffix}"))).map_err(|error| error.to_string());
        command.stdout(output("out")?).stderr(output("err")?);
        let child = command.spawn().map_err(|error| error.to_string())?;
        let ended = wait(child)?;
        let text = std::fs::read_to_string(&report).unwrap_or_default();
        let _ = std::fs::rename(&report, directory.join(format!("{name}.log")));
        match ended {
            Some(code) if code < ABEND => Ok(Outcome::Ran(Counts::of(&text))),
            Some(_) => {
                let message = last_line(&directory.join(format!("{name}.err")));
                if cancelled.is_some() && message.contains(program::rununit::CANCELLED) {
                    return Ok(Outcome::Cancelled(Counts::of(&text)));
                }
                Ok(Outcome::Abended(message, Counts::of(&text)))
            }
            None => Ok(Outcome::NotRun(format!("does not end within {} s", RUN_TIME_MAX.as_secs()))),
        }
    }
}

/// Exit code of a batch program that abends, see `regent run`.
const ABEND: i32 = 255;

/// Programs that only show how a compiler flags language elements: their third character is 3 or 4.
fn is_flagging(name: &str) -> bool {
    matches!(name.as_bytes().get(2), Some(b'3' | b'4')) && name.as_bytes().get(3) == Some(&b'0')
}

fn last_line(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default().lines().last().unwrap_or_default().to_string()
}

/// The exit code, or `None` when the program had to be ended.
fn wait(mut child: Child) -> Result<Option<i32>, String> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Some(status.code().unwrap_or(ABEND)));
        }
        if begun.elapsed() > RUN_TIME_MAX {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
