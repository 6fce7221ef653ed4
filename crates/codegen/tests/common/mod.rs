//! Compiles a program and runs it as a batch job, in either code page, with either kind of code.
#![allow(dead_code)]

use codegen::{Effort, Settings};
use program::batch::BatchHost;
use program::module::Module;
use program::rununit::{Ended, Failure};
use std::sync::Arc;

pub const EBCDIC: u16 = 37;
pub const ASCII: u16 = 819;

pub struct Outcome {
    pub output: String,
    pub return_code: i32,
    pub failure: Option<Box<Failure>>,
}

/// Optimized code with the common operations inline everywhere, or in loops only, as by default.
pub fn settings(inline: bool) -> Settings {
    let effort = if inline { Effort::Full } else { Effort::Loops };
    Settings { effort, verify: true }
}

/// Nothing inline and nothing in registers: what the run time's routines compute.
pub fn plain() -> Settings {
    Settings { effort: Effort::None, ..settings(true) }
}

pub fn compile_with(source: &str, ccsid: u16, settings: &Settings) -> Arc<Module> {
    module(source, &cobol::Options { codepage: ccsid, ..cobol::Options::default() }, settings)
}

/// From the source to the load module.
pub fn module(source: &str, options: &cobol::Options, settings: &Settings) -> Arc<Module> {
    let compiled = cobol::compile_source("TEST.cbl", source.as_bytes(), options, &cobol::source::NoCopies);
    assert!(compiled.is_usable(), "{}", compiled.diagnostics.render(&compiled.sources));
    let image = codegen::compile(&compiled.programs, settings).unwrap_or_else(|error| panic!("{error}"));
    Module::from_bytes(&image.to_bytes()).expect("the module loads")
}

/// The messages of a compilation with options.
pub fn messages(options: &str, source: &str) -> String {
    let mut given = cobol::Options::default();
    assert!(given.apply(options).is_empty(), "{options}");
    let compiled = cobol::compile_source("TEST.cbl", source.as_bytes(), &given, &cobol::source::NoCopies);
    compiled.diagnostics.render(&compiled.sources)
}

pub fn compile(source: &str, ccsid: u16) -> Arc<Module> {
    compile_with(source, ccsid, &settings(true))
}

pub fn run_module(module: &Arc<Module>, others: &[Arc<Module>]) -> Outcome {
    let mut output = Vec::new();
    let (ended, return_code) = {
        let mut host = BatchHost::new(&mut output);
        for other in others {
            host.add(other);
        }
        host.run(module, None)
    };
    let failure = match ended {
        Ended::Abended(failure) => Some(failure),
        _ => None,
    };
    Outcome { output: String::from_utf8(output).expect("DISPLAY writes UTF-8"), return_code, failure }
}

pub fn run(source: &str, ccsid: u16) -> Outcome {
    run_module(&compile(source, ccsid), &[])
}

/// A fixed-format program of these data and procedure lines.
pub fn program(data: &str, procedure: &str) -> String {
    let indent = |text: &str| text.lines().map(|line| format!("       {}\n", line.trim_end())).collect::<String>();
    format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n{}       \
         PROCEDURE DIVISION.\n{}",
        indent(data),
        indent(procedure)
    )
}

/// The output of a program in both code pages and with inline code everywhere, in loops and nowhere, and with TEST, which must agree.
pub fn output(data: &str, procedure: &str) -> String {
    let source = program(data, procedure);
    let mut first: Option<String> = None;
    for ccsid in [EBCDIC, ASCII] {
        for (settings, test) in [(settings(true), false), (settings(false), false), (plain(), false), (settings(false), true)] {
            let how = format!("CCSID {ccsid}, {:?}, TEST {test}", settings.effort);
            let module = module(&source, &cobol::Options { codepage: ccsid, test, ..cobol::Options::default() }, &settings);
            let outcome = run_module(&module, &[]);
            if let Some(failure) = outcome.failure {
                panic!("{how}: {}\n{source}", failure.text());
            }
            match &first {
                None => first = Some(outcome.output),
                Some(known) => assert_eq!(known, &outcome.output, "{how}\n{source}"),
            }
        }
    }
    first.unwrap_or_default()
}

/// What a program of these options does with inline code everywhere, in loops and nowhere, and with TEST. The source is in free format.
pub fn outcomes(options: &str, data: &str, procedure: &str, ccsid: u16) -> Vec<(String, Outcome)> {
    let kinds = [(settings(true), false), (settings(false), false), (plain(), false), (settings(false), true)];
    let ran = kinds.into_iter().map(|(settings, test)| {
        let how = format!("{options}, CCSID {ccsid}, {:?}, TEST {test}", settings.effort);
        let format = cobol::options::SourceFormat::Free;
        let mut given = cobol::Options { codepage: ccsid, format, test, ..cobol::Options::default() };
        assert!(given.apply(options).is_empty(), "{options}");
        (how, run_module(&module(&program(data, procedure), &given, &settings), &[]))
    });
    ran.collect()
}

/// The lines that a program displays, in both code pages and with every kind of code. The source is in free format.
#[track_caller]
pub fn displays(options: &str, data: &str, procedure: &str, expected: &[&str]) {
    for ccsid in [EBCDIC, ASCII] {
        for (how, outcome) in outcomes(options, data, procedure, ccsid) {
            let failure = outcome.failure.map(|failure| failure.text());
            let lines: Vec<&str> = outcome.output.lines().map(str::trim_end).collect();
            assert_eq!((lines.as_slice(), failure), (expected, None), "{how}");
        }
    }
}

/// What a whole program displays, which must be the same in both code pages.
#[track_caller]
pub fn both(source: &str) -> String {
    let outcomes = [EBCDIC, ASCII].map(|ccsid| run(source, ccsid));
    for outcome in &outcomes {
        if let Some(failure) = &outcome.failure {
            panic!("{}\n{}", failure.text(), outcome.output);
        }
    }
    assert_eq!(outcomes[0].output, outcomes[1].output);
    outcomes[0].output.clone()
}
