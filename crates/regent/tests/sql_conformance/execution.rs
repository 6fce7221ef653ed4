//! Runs the cases, each as a program of its own, and compares what it prints with what is expected.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::case::{Case, Expected};
use crate::database::{Cluster, Database};
use crate::program::{Program, program};

/// How long one case may take, with its compilation.
const LIMIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(2);

/// Cases that run at the same time, each in a database of its own.
const WORKERS: usize = 3;

type Outcome = Result<(), String>;

pub fn run(cases: &[Case]) -> Vec<Outcome> {
    let scratch = tempfile::tempdir().expect("a directory");
    let kept = std::env::var_os("SQL_CASES_KEEP").map(PathBuf::from);
    let directory = kept.unwrap_or_else(|| scratch.path().to_path_buf());
    std::fs::create_dir_all(&directory).expect("a directory");
    let server = tempfile::tempdir().expect("a directory");
    // A case that cannot be made a program ends the test before the first one runs.
    let programs: Vec<Program> = cases.iter().enumerate().map(|(index, case)| program(case, &name(index))).collect();
    let cluster = Cluster::start(&server.path().join("database"));
    let next = AtomicUsize::new(0);
    let outcomes: Vec<Mutex<Outcome>> = cases.iter().map(|_| Mutex::new(Ok(()))).collect();
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let (cluster, next, outcomes, programs, directory) = (&cluster, &next, &outcomes, &programs, &directory);
            scope.spawn(move || {
                let mut database = cluster.database(worker);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    *outcomes[index].lock().expect("not poisoned") = one(case, &name(index), &programs[index], directory, &mut database);
                }
            });
        }
    });
    outcomes.into_iter().map(|outcome| outcome.into_inner().expect("not poisoned")).collect()
}

/// What a program printed, and how it ended.
struct Printed {
    lines: Vec<String>,
    errors: String,
    /// None: it took too long.
    code: Option<i32>,
}

/// Name of the program that a case becomes.
fn name(index: usize) -> String {
    format!("Q{index:04}")
}

fn one(case: &Case, name: &str, program: &Program, directory: &Path, database: &mut Database) -> Outcome {
    let members = directory.join(format!("{name}.members"));
    std::fs::create_dir_all(&members).expect("a directory");
    for (member, lines) in &case.members {
        let text: String = lines.iter().map(|line| format!("       {line}\n")).collect();
        std::fs::write(members.join(format!("{member}.cpy")), text).expect("written");
    }
    let source = directory.join(format!("{name}.cbl"));
    std::fs::write(&source, &program.text).expect("written");
    database.clean();
    let printed = execute(&source, &members, &case.options, &database.url);
    match &case.expected {
        Expected::Lines(expected) => compare(expected, &printed),
        Expected::Refused(words) => refused(words, program, &printed),
    }
}

fn execute(source: &Path, members: &Path, options: &str, url: &str) -> Printed {
    let file = |extension: &str| source.with_extension(extension);
    let options = if options.is_empty() { "ARITH(EXTEND)".to_string() } else { format!("ARITH(EXTEND),{options}") };
    let create = |path: PathBuf| Stdio::from(std::fs::File::create(path).expect("a file"));
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_regent"))
        .arg("run")
        .arg(source)
        .arg("-I")
        .arg(members)
        .args(["--options", &options, "--database", url])
        .stdin(Stdio::null())
        .stdout(create(file("out")))
        .stderr(create(file("err")))
        .spawn()
        .expect("regent runs");
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().expect("waited for") {
            break Some(status.code().unwrap_or(-1));
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("killed");
            child.wait().expect("waited for");
            break None;
        }
        std::thread::sleep(PAUSE);
    };
    let text = |extension| String::from_utf8_lossy(&std::fs::read(file(extension)).expect("read")).into_owned();
    let lines = text("out").lines().map(|line| line.trim().to_string()).collect();
    Printed { lines, errors: text("err"), code }
}

fn compare(expected: &[String], printed: &Printed) -> Outcome {
    if expected == printed.lines && printed.code == Some(0) {
        return Ok(());
    }
    let mut text = String::new();
    let longest = expected.len().max(printed.lines.len());
    for index in 0..longest {
        match (expected.get(index), printed.lines.get(index)) {
            (Some(wanted), Some(got)) if wanted == got => text.push_str(&format!("      {wanted}\n")),
            (wanted, got) => {
                wanted.iter().for_each(|line| text.push_str(&format!("    - {line}\n")));
                got.iter().for_each(|line| text.push_str(&format!("    + {line}\n")));
            }
        }
    }
    Err(format!("{text}{}", ending(printed)))
}

fn ending(printed: &Printed) -> String {
    let how = match printed.code {
        Some(0) => String::new(),
        Some(code) => format!("    exit code {code}\n"),
        None => format!("    not ended after {LIMIT:?}\n"),
    };
    how + &printed.errors.lines().map(|line| format!("    {line}\n")).collect::<String>()
}

/// A message `FILE:LINE:COLUMN: ...` names a line of the statement and has the words.
fn refused(words: &[String], program: &Program, printed: &Printed) -> Outcome {
    let (first, last) = program.bad.expect("a bad statement");
    let all: Vec<&str> = printed.errors.lines().chain(printed.lines.iter().map(String::as_str)).collect();
    let at_the_line = |text: &str| {
        let mut parts = text.split(':').skip(1);
        let line = parts.next().and_then(|line| line.parse::<usize>().ok());
        line.is_some_and(|line| (first..=last).contains(&line))
    };
    let told = |text: &&&str| at_the_line(text) && words.iter().all(|word| word == "*" || text.contains(word.as_str()));
    match (printed.code, all.iter().find(told)) {
        (Some(code), Some(_)) if code >= 8 => Ok(()),
        _ => Err(format!("    no message for lines {first} to {last} with {words:?}\n{}", ending(printed))),
    }
}
