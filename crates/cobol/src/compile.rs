//! The driver of the front end: text in, typed programs and diagnostics out.

use crate::analysis;
use crate::debugging;
use crate::diagnostics::Diagnostics;
use crate::lexer::{self, Token};
use crate::options::Options;
use crate::parse;
use crate::program::Program;
use crate::report::Report;
use crate::report_writer;
use crate::source::{CopyResolver, SourceMap};

/// Stack for the parser: enough for the deepest nesting it allows, in any build.
const STACK_BYTES: usize = 64 << 20;

/// The result of a compilation.
#[derive(Debug)]
pub struct Compilation {
    /// Outermost programs in source order. After errors they include empty or incomplete programs: check [`Diagnostics::forbids_code`]
    /// before generating code.
    pub programs: Vec<Program>,
    pub diagnostics: Diagnostics,
    pub sources: SourceMap,
    /// All tokens, for the listing's cross reference.
    pub tokens: Vec<Token>,
    /// Options after CBL and PROCESS statements.
    pub options: Options,
}

impl Compilation {
    /// Whether code may be generated: there are programs, no message is too severe, and the COMPILE option allows it.
    pub fn is_usable(&self) -> bool {
        let allowed = self.options.code_limit().is_some_and(|limit| !self.diagnostics.reaches(limit));
        allowed && !self.diagnostics.forbids_code() && !self.programs.is_empty()
    }
}

/// Compiles a source to typed programs. `name` is the path shown in messages.
pub fn compile_source(name: &str, bytes: &[u8], options: &Options, resolver: &dyn CopyResolver) -> Compilation {
    let mut options = options.clone();
    let mut diagnostics = Diagnostics::new(options.error_limit);
    let stream = lexer::tokenize(name, bytes, &mut options, resolver, &mut diagnostics);
    let sources = &stream.sources;
    let mut report = Report::new(diagnostics);
    let (mut with_reports, mut with_debugging) = (Vec::new(), Vec::new());
    let tokens = report_writer::expand(&stream.tokens, &mut report, &mut with_reports);
    let tokens = debugging::expand(tokens, &mut with_debugging);
    let settings = &options;
    // The parser recurses on nested statements and expressions; its own stack makes the bound independent of the caller's.
    let parsed = std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, move || parse::parse(tokens, sources, settings, report));
        match worker {
            Ok(worker) => match worker.join() {
                Ok(parsed) => parsed,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(_) => parse::parse(tokens, sources, settings, Report::new(Diagnostics::new(settings.error_limit))),
        }
    });
    let (programs, mut report) = parsed;
    analysis::run(&programs, &stream.tokens, &stream.sources, &options, &mut report.diagnostics);
    report.diagnostics.name_cut_text(&stream.sources);
    Compilation { programs, diagnostics: report.diagnostics, sources: stream.sources, tokens: stream.tokens, options }
}
