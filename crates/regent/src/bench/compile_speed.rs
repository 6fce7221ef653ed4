//! `regent bench compile`: the speed of the compiler by phase, on a generated program or on the programs of a directory.
//!
//! Times are processor time of the process, in which nothing else runs; the best of several rounds counts for each phase. Lines are
//! physical lines; those of a copybook count each time it is copied. Programs that do not compile are left out and counted.

mod generator;

use std::path::{Path, PathBuf};

use cobol::source::{Directories, FirstOf};
use cobol::{Compilation, Options};
use serde_json::{Value, json};

use super::Arguments;
use crate::compile::{Job, Library, options, run as compile_maps};
use crate::console::Console;
use crate::up::discover_sources;

/// Nanoseconds of each phase: source text to tokens, tokens to typed program, the code generator's three, writing.
type Times = [u64; PHASES.len()];

const PHASES: [&str; 6] = ["text", "parse", "translate", "machine_code", "join", "write"];

/// The programs compiled, and the time they took.
struct Measured {
    lines: u64,
    statements: u64,
    times: Times,
    code_bytes: u64,
}

/// Compiles sources one after another.
struct Bench<'a> {
    options: Options,
    directories: Directories,
    generated: Directories,
    library: Library,
    scratch: &'a Path,
}

pub fn run(arguments: &Arguments, scratch: &Path, console: &Console) -> Result<Value, String> {
    match &arguments.sources {
        Some(directory) => directory_rows(arguments, directory, scratch, console),
        None => {
            let bench = Bench::new(arguments, &[], scratch)?;
            let rows = arguments.lines.iter().map(|lines| {
                let text = generator::program(*lines);
                let measured = bench.best(arguments.rounds, "generated", text.as_bytes())?;
                let measured = measured.ok_or("the generated program does not compile")?;
                Ok(row("generated", 1, &measured))
            });
            rows.collect::<Result<Vec<Value>, String>>().map(Value::Array)
        }
    }
}

/// A row for each program of a directory and one for their sum.
fn directory_rows(arguments: &Arguments, directory: &Path, scratch: &Path, console: &Console) -> Result<Value, String> {
    let (programs, copy_directories, maps) = discover_sources(directory)?;
    let bench = Bench::new(arguments, &copy_directories, scratch)?;
    let generated = bench.generated_copy();
    let job = Job {
        programs: &[],
        maps: &maps,
        copy_directories: &copy_directories,
        generated_copy: &generated,
        options: &arguments.options,
        xplink: false,
        ccsid: bench.options.codepage,
        library: &bench.library,
        names: None,
        only: &[],
        database: None,
        fingerprints: None,
    };
    compile_maps(&job, console)?;
    let mut rows = Vec::new();
    let mut sum = Measured { lines: 0, statements: 0, times: Times::default(), code_bytes: 0 };
    let mut refused = 0;
    for path in &programs {
        let source = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.display().to_string();
        let Some(measured) = bench.best(arguments.rounds, &name, &source)? else {
            refused += 1;
            continue;
        };
        sum.lines += measured.lines;
        sum.statements += measured.statements;
        sum.code_bytes += measured.code_bytes;
        sum.times.iter_mut().zip(measured.times).for_each(|(all, one)| *all += one);
        rows.push(row(&path.file_stem().unwrap_or_default().to_string_lossy(), 1, &measured));
    }
    let mut total = row("all", rows.len(), &sum);
    total["refused"] = json!(refused);
    rows.push(total);
    Ok(Value::Array(rows))
}

impl Bench<'_> {
    fn new<'a>(arguments: &Arguments, copy_directories: &[PathBuf], scratch: &'a Path) -> Result<Bench<'a>, String> {
        let options = options(&arguments.options, Options::default().codepage)?;
        let library = Library::create(&scratch.join("library"))?;
        let mut bench =
            Bench { options, directories: Directories::new(copy_directories), generated: Directories::new([scratch]), library, scratch };
        bench.generated = Directories::new([bench.generated_copy()]);
        Ok(bench)
    }

    /// Where the symbolic maps are made.
    fn generated_copy(&self) -> PathBuf {
        self.scratch.join("copy")
    }

    /// The best time of each phase in some rounds; `None` when the source does not compile.
    fn best(&self, rounds: u32, name: &str, source: &[u8]) -> Result<Option<Measured>, String> {
        let mut best: Option<Measured> = None;
        for _ in 0..rounds.max(1) {
            let Some(measured) = self.once(name, source)? else { return Ok(None) };
            best = Some(match best {
                None => measured,
                Some(mut best) => {
                    best.times.iter_mut().zip(measured.times).for_each(|(best, time)| *best = time.min(*best));
                    best
                }
            });
        }
        Ok(best)
    }

    fn once(&self, name: &str, source: &[u8]) -> Result<Option<Measured>, String> {
        let resolver = FirstOf(vec![&self.directories, &self.generated]);
        let begun = cpu_ns();
        let mut lexed = self.options.clone();
        let mut ignored = cobol::diagnostics::Diagnostics::new(lexed.error_limit);
        let stream = cobol::lexer::tokenize(name, source, &mut lexed, &resolver, &mut ignored);
        let text = cpu_ns() - begun;
        drop(stream);
        let begun = cpu_ns();
        let compilation = cobol::compile_source(name, source, &self.options, &resolver);
        let front = cpu_ns() - begun;
        if !compilation.is_usable() {
            return Ok(None);
        }
        let mut phases = codegen::Phases::new(cpu_ns);
        let (mut write, mut code_bytes) = (0, 0);
        for program in &compilation.programs {
            let programs = std::slice::from_ref(program);
            let Ok(image) = codegen::compile_measured(programs, &codegen::Settings::default(), &mut phases) else {
                return Ok(None);
            };
            code_bytes += image.code.len() as u64;
            let begun = cpu_ns();
            self.library.write(&program.name, &image.to_bytes())?;
            write += cpu_ns() - begun;
        }
        let times = [text, front.saturating_sub(text), phases.translation, phases.machine_code, phases.joining, write];
        let statements = compilation.programs.iter().map(statements_of).sum();
        Ok(Some(Measured { lines: lines_of(&compilation), statements, times, code_bytes }))
    }
}

/// Processor time of all threads: the parser has one of its own.
fn cpu_ns() -> u64 {
    let (user, system) = kernel::clock::process_cpu();
    (user + system).as_nanos() as u64
}

fn lines_of(compilation: &Compilation) -> u64 {
    compilation.sources.files().iter().map(|file| file.lines.len() as u64).sum()
}

fn statements_of(program: &cobol::program::Program) -> u64 {
    u64::from(program.statement_count) + program.nested.iter().map(statements_of).sum::<u64>()
}

fn row(name: &str, programs: usize, measured: &Measured) -> Value {
    let total: u64 = measured.times.iter().sum();
    let mut row = json!({
        "name": name, "programs": programs, "lines": measured.lines, "statements": measured.statements,
        "code_bytes": measured.code_bytes, "ns": total, "lines_per_second": measured.lines as f64 * 1e9 / total.max(1) as f64,
    });
    for (phase, time) in PHASES.iter().zip(measured.times) {
        row[format!("{phase}_ns")] = json!(time);
    }
    row
}
