//! Mutated programs through the whole compiler: whatever is wrong with the text, compilation ends with messages or a load module, never
//! with a panic or a hang. A program compiled without errors must give a load module that can be read.
//!
//! `REGENT_FUZZ_CORPUS=DIR REGENT_FUZZ_SECONDS=3600 cargo test --release -p codegen --test mutation` uses the sources below a directory and
//! runs for that long; failing programs are written to the system's temporary directory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use cobol::Options;
use cobol::source::Members;
use program::module::Module;
use testing::Random;

const ROUNDS: usize = 300;
/// A mutated program that takes longer is a hang.
const COMPILE_TIME_MAX: Duration = Duration::from_secs(60);
const INSERTED: [&str; 16] = [
    "(",
    ")",
    ".",
    "'",
    "-",
    "PIC",
    "END-IF",
    "9(18)",
    "OCCURS 999 TIMES",
    "COMP-3",
    "REDEFINES",
    "EXEC CICS",
    "END-EXEC",
    "FUNCTION",
    "COPY X.",
    "DEPENDING ON",
];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| ["cbl", "cob", "sub"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
        {
            found.push(path);
        }
    }
}

/// Changes a few lines, and a few words in lines.
fn mutate(corpus: &[Vec<String>], random: &mut Random) -> String {
    let mut lines = corpus[random.index(corpus.len())].clone();
    for _ in 0..1 + random.index(5) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (random.index(lines.len()), random.index(lines.len()));
        match random.index(8) {
            0 => {
                lines.remove(at);
            }
            1 => lines.swap(at, other),
            2 => {
                let donor = &corpus[random.index(corpus.len())];
                lines.insert(at, donor[random.index(donor.len())].clone());
            }
            3 => lines.truncate(at.max(1)),
            _ => lines[at] = mutate_line(&lines[at], &lines[other], random),
        }
    }
    lines.join("\n")
}

fn mutate_line(line: &str, other: &str, random: &mut Random) -> String {
    let indent: String = line.chars().take_while(|character| character.is_whitespace()).collect();
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let donor: Vec<&str> = other.split_whitespace().collect();
    if words.is_empty() || donor.is_empty() {
        return other.to_string();
    }
    let at = random.index(words.len());
    match random.index(5) {
        0 => {
            words.remove(at);
        }
        1 => words[at] = donor[random.index(donor.len())],
        2 => words.insert(at, donor[random.index(donor.len())]),
        3 => words.insert(at, INSERTED[random.index(INSERTED.len())]),
        _ => {
            let to = random.index(words.len());
            words.swap(at, to);
        }
    }
    format!("{indent}{}", words.join(" "))
}

/// Compiler options that lead to other code; each is given to half of the programs.
const OPTIONS: [&str; 10] = [
    "SSRANGE",
    "ARITH(EXTEND)",
    "TRUNC(BIN)",
    "NUMPROC(PFD)",
    "NUMCHECK(ZON,PAC,BIN)",
    "CODEPAGE(819)",
    "DYNAM",
    "FLOAT(NATIVE)",
    "NSYMBOL(DBCS)",
    "TEST",
];

/// Some of the options, and one of the efforts.
fn settings(random: &mut Random) -> (Options, codegen::Settings) {
    let mut options = Options::default();
    for option in OPTIONS {
        if random.index(2) == 0 {
            options.apply(option);
        }
    }
    let effort = [codegen::Effort::None, codegen::Effort::Loops, codegen::Effort::Full][random.index(3)];
    (options, codegen::Settings { effort, verify: true })
}

/// What is wrong with the compiler, if anything is.
fn compile(text: &str, options: &Options, settings: &codegen::Settings) -> Option<String> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let compilation = cobol::compile_source("MUTATED", text.as_bytes(), options, &Members::new());
        let _ = compilation.diagnostics.render(&compilation.sources);
        if !compilation.is_usable() {
            return None;
        }
        let image = match codegen::compile(&compilation.programs, settings) {
            Ok(image) => image,
            Err(error) => return Some(format!("no code: {error}")),
        };
        Module::from_bytes(&image.to_bytes()).err().map(|error| format!("module: {error}"))
    }));
    outcome.unwrap_or_else(|_| Some("panic".to_string()))
}

#[test]
fn mutated_programs_end_with_messages_or_a_module() {
    let corpus_directory = std::env::var_os("REGENT_FUZZ_CORPUS").map(PathBuf::from);
    let seconds: Option<u64> = std::env::var("REGENT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let mut paths = Vec::new();
    sources(&corpus_directory.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cobol")), &mut paths);
    let read = |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).lines().map(str::to_string).collect();
    let corpus: Vec<Vec<String>> = paths.iter().map(read).filter(|lines: &Vec<String>| !lines.is_empty()).collect();
    assert!(!corpus.is_empty(), "no sources");
    let (send_text, texts) = channel::<(String, Options, codegen::Settings)>();
    let (send_result, results) = channel();
    // Deep nesting must be bounded by the compiler, not by the stack: the usual size of a thread's.
    std::thread::Builder::new()
        .stack_size(8 << 20)
        .spawn(move || texts.iter().all(|(text, options, settings)| send_result.send(compile(&text, &options, &settings)).is_ok()))
        .expect("a thread");
    let begun = Instant::now();
    let mut random =
        Random::new(std::env::var("REGENT_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0x2545_F491_4F6C_DD1D));
    let mut failures = 0;
    for round in 0.. {
        let more = seconds.map_or(round < ROUNDS, |seconds| begun.elapsed() < Duration::from_secs(seconds));
        if !more {
            break;
        }
        let text = mutate(&corpus, &mut random);
        let (options, settings) = settings(&mut random);
        send_text.send((text.clone(), options, settings)).expect("the compiler's thread");
        let problem = match results.recv_timeout(COMPILE_TIME_MAX) {
            Ok(problem) => problem,
            Err(RecvTimeoutError::Timeout) => panic!("a hang: {}", keep(&text, failures)),
            Err(RecvTimeoutError::Disconnected) => panic!("the thread ended: {}", keep(&text, failures)),
        };
        if let Some(problem) = problem {
            failures += 1;
            eprintln!("{problem}: {}", keep(&text, failures));
        }
    }
    assert_eq!(failures, 0);
}

fn keep(text: &str, number: usize) -> String {
    let path = std::env::temp_dir().join(format!("regent-mutation-{}-{number}.cbl", std::process::id()));
    let _ = std::fs::write(&path, text);
    path.display().to_string()
}
