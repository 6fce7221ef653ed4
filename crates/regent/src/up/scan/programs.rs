//! The programs of an application: what the front ends say of them, and what they use.
//!
//! Invariant: a source on which the compiler itself fails is a finding, and no end of the scan.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cobol::exec_translate::{ExecCommand, translate};
use cobol::lexer::{ExecBlock, ExecLanguage, LiteralKind, Token, TokenKind};
use cobol::source::{CopyMember, CopyResolver, Directories, FirstOf};
use cobol::{Compilation, Options};
use exec::option;

use super::commands::{self, State};
use super::findings::{Place, Report, Severity};
use super::shown;
use crate::compile;

/// The areas of what programs use.
pub const CICS: &str = "EXEC CICS";
pub const SQL: &str = "EXEC SQL";
pub const DLI: &str = "EXEC DLI";
pub const CALL: &str = "CALL";
pub const COPY: &str = "COPY";
pub const COBOL: &str = "COBOL";
pub const CSD: &str = "CSD";

/// Options that name a program which must be there when the command is executed.
const PROGRAM_COMMANDS: [&str; 4] = ["LINK", "XCTL", "LOAD", "HANDLE ABEND"];
/// Programs that come with the system.
const SUPPLIED: [&str; 4] = ["DFH", "CEE", "IGZ", "DSN"];
/// The calls of other products.
const DLI_CALLS: [&str; 3] = ["CBLTDLI", "AIBTDLI", "CEETDLI"];

const MQ_CALLS: [&str; 23] = [
    "MQBACK", "MQBEGIN", "MQBUFMH", "MQCB", "MQCLOSE", "MQCMIT", "MQCONN", "MQCONNX", "MQCRTMH", "MQCTL", "MQDISC", "MQDLTMH", "MQDLTMP",
    "MQGET", "MQINQ", "MQINQMP", "MQOPEN", "MQPUT", "MQPUT1", "MQSET", "MQSTAT", "MQSUB", "MQSUBRQ",
];

/// Severities of messages with which no program is made, and of one that is corrected by an assumption.
const FAILURES: [&str; 2] = ["severe", "unrecoverable"];
const CORRECTED: &str = "error";

/// Symbolic maps in memory, by name.
pub struct Symbolic(pub HashMap<String, String>);

impl CopyResolver for Symbolic {
    fn resolve(&self, name: &str, _library: Option<&str>) -> Option<CopyMember> {
        let text = self.0.get(&name.to_uppercase())?;
        Some(CopyMember { name: format!("{name}.cpy"), bytes: text.clone().into_bytes() })
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// What the programs are read with, and what the application has.
pub struct Programs<'a> {
    pub root: &'a Path,
    pub sources: &'a [PathBuf],
    pub directories: Directories,
    pub symbolic: Symbolic,
    pub options: Options,
    /// Names of programs: sources, load modules of other names, definitions with another language.
    pub known: BTreeSet<String>,
    /// Programs of transactions, and where they are defined.
    pub wanted: Vec<(String, Place)>,
    /// Names of sources that have no compiler.
    pub refused: HashMap<String, &'static str>,
}

/// A program that another one names.
struct Named {
    program: String,
    area: &'static str,
    place: Place,
}

/// What one source uses.
#[derive(Default)]
struct Seen {
    report: Report,
    programs: Vec<String>,
    named: Vec<Named>,
    has_errors: bool,
}

impl Programs<'_> {
    /// Reads all programs, on all processors.
    pub fn scan(&self) -> Report {
        let next = AtomicUsize::new(0);
        let all: Mutex<Vec<Seen>> = Mutex::new(Vec::new());
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(self.sources.len().max(1));
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(path) = self.sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let seen = self.source(path);
                        all.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(seen);
                    }
                });
            }
        });
        self.joined(all.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    fn joined(&self, all: Vec<Seen>) -> Report {
        let mut report = Report::default();
        let with_errors = all.iter().filter(|seen| seen.has_errors).count();
        let known: BTreeSet<String> = all.iter().flat_map(|seen| seen.programs.iter().cloned()).chain(self.known.iter().cloned()).collect();
        let defined = self.wanted.iter().map(|(program, place)| Named { program: program.clone(), area: CSD, place: place.clone() });
        let mut named: Vec<Named> = defined.collect();
        for seen in all {
            report.merge(seen.report);
            named.extend(seen.named);
        }
        for Named { program, area, place } in named.into_iter().filter(|named| !known.contains(&named.program)) {
            let text = match self.refused.get(&program) {
                Some(reason) => format!("its source is in the application, but cannot be used: {reason}"),
                None => "no source of the application makes this program".to_string(),
            };
            report.add(Severity::Error, area, &program, text, place);
        }
        report.counts.push(("programs with errors", with_errors));
        report
    }

    fn source(&self, path: &Path) -> Seen {
        let attempt = catch_unwind(AssertUnwindSafe(|| if compile::is_c(path) { self.c(path) } else { self.cobol(path) }));
        attempt.unwrap_or_else(|_| {
            let mut seen = Seen { has_errors: true, ..Seen::default() };
            seen.report.add(
                Severity::Error,
                COBOL,
                &shown(self.root, path),
                "the compiler itself failed on this source",
                (shown(self.root, path), 0),
            );
            seen
        })
    }

    fn c(&self, path: &Path) -> Seen {
        let mut seen =
            Seen { programs: path.file_stem().map(|stem| stem.to_string_lossy().to_uppercase()).into_iter().collect(), ..Seen::default() };
        let text = super::super::jobs::read_text(path);
        for command in commands::in_text(&text) {
            command_used(&mut seen.report, command.spec, [].into_iter(), (shown(self.root, path), command.line));
        }
        seen
    }

    fn cobol(&self, path: &Path) -> Seen {
        let mut seen = Seen::default();
        let name = shown(self.root, path);
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                seen.report.add(Severity::Error, COBOL, &name, error.to_string(), (name.clone(), 0));
                return seen;
            }
        };
        let resolver = FirstOf(vec![&self.directories, &self.symbolic]);
        let compilation = cobol::compile_source(&name, &bytes, &self.options, &resolver);
        seen.programs = compilation.programs.iter().map(|program| program.name.to_string().to_uppercase()).collect();
        seen.programs.extend(path.file_stem().map(|stem| stem.to_string_lossy().to_uppercase()));
        messages(&compilation, &name, &mut seen);
        self.tokens(&compilation, &mut seen);
        seen
    }

    fn tokens(&self, compilation: &Compilation, seen: &mut Seen) {
        let mut ignored = cobol::diagnostics::Diagnostics::default();
        let mut tokens = compilation.tokens.iter().peekable();
        while let Some(token) = tokens.next() {
            let place = || (shown(self.root, Path::new(compilation.sources.file_name(token.span.file))), token.span.line);
            match &token.kind {
                TokenKind::Exec(block) => self.block(block, token, &mut ignored, place(), seen),
                TokenKind::Word(word) if &**word == "CALL" => {
                    if let Some(name) = tokens.peek().and_then(|next| literal(next)) {
                        call(&name.to_uppercase(), place(), seen);
                    }
                }
                _ => {}
            }
        }
    }

    fn block(&self, block: &ExecBlock, token: &Token, ignored: &mut cobol::diagnostics::Diagnostics, place: Place, seen: &mut Seen) {
        let first = || block.text.split_whitespace().next().unwrap_or_default().to_uppercase();
        match &block.language {
            ExecLanguage::Cics => {
                let Some(command) = translate(block, token.span, ignored) else { return };
                let spec = command.command.spec();
                let options = command.options.iter().map(|option| option.spec.id.name());
                command_used(&mut seen.report, spec, options, place.clone());
                if PROGRAM_COMMANDS.contains(&spec.name)
                    && let Some(program) = program_of(&command)
                    && !is_supplied(&program)
                {
                    seen.named.push(Named { program, area: CICS, place });
                }
            }
            ExecLanguage::Sql => seen.report.count_use(SQL, &first(), "works", place),
            ExecLanguage::Other(language) if &**language == "DLI" => {
                seen.report.count_use(DLI, &first(), "missing", place.clone());
                seen.report.add(Severity::Error, DLI, &first(), "there is no DL/I: the program cannot be used", place);
            }
            ExecLanguage::Other(language) => {
                let text = "this language is not known: the program cannot be used";
                seen.report.add(Severity::Error, COBOL, &format!("EXEC {language}"), text, place);
            }
        }
    }
}

pub fn is_supplied(program: &str) -> bool {
    SUPPLIED.iter().any(|prefix| program.starts_with(prefix))
}

/// The program that a command names by a literal; one of another region is not sought here.
fn program_of(command: &ExecCommand) -> Option<String> {
    if command.option(option::SYSID).is_some() {
        return None;
    }
    let argument = command.option(option::PROGRAM)?.argument.as_deref()?;
    let [token] = argument else { return None };
    literal(token).map(|name| name.trim().to_uppercase()).filter(|name| !name.is_empty())
}

fn literal(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Literal(literal) if literal.kind == LiteralKind::Alphanumeric => Some(&literal.text),
        _ => None,
    }
}

/// Counts a command, and reports what of it does not work.
fn command_used(report: &mut Report, spec: &exec::CommandSpec, options: impl Iterator<Item = &'static str>, place: Place) {
    let state = commands::of_command(spec);
    let words = match state {
        State::Works => "works".to_string(),
        State::Refused(_) => "refused".to_string(),
        State::Later(subsystem) => format!("later: {subsystem}"),
    };
    report.count_use(CICS, spec.name, &words, place.clone());
    match state {
        State::Refused(reason) => return report.add(Severity::Error, CICS, spec.name, format!("refused: {reason}"), place),
        State::Later(subsystem) => {
            return report.add(
                Severity::Error,
                CICS,
                spec.name,
                format!("not there yet ({subsystem}); a task that executes it abends"),
                place,
            );
        }
        State::Works => {}
    }
    for option in options {
        let subject = || format!("{} {option}", spec.name);
        match commands::of_option(spec, option) {
            State::Works => {}
            State::Refused(reason) => report.add(Severity::Error, CICS, &subject(), format!("refused: {reason}"), place.clone()),
            State::Later(subsystem) => {
                report.add(Severity::Warning, CICS, &subject(), format!("not there yet ({subsystem})"), place.clone())
            }
        }
    }
}

fn call(name: &str, place: Place, seen: &mut Seen) {
    if let Some(reason) = le::callable::refused::why(name) {
        seen.report.count_use(CALL, name, "refused", place.clone());
        return seen.report.add(Severity::Error, CALL, name, format!("refused: {reason}"), place);
    }
    let is_mq = MQ_CALLS.contains(&name);
    let state = if is_mq || DLI_CALLS.contains(&name) { "missing" } else { "works" };
    seen.report.count_use(CALL, name, state, place.clone());
    if is_mq {
        seen.report.add(Severity::Error, CALL, name, "there is no IBM MQ: the program cannot be used", place);
    } else if DLI_CALLS.contains(&name) {
        seen.report.add(Severity::Error, CALL, name, "there is no DL/I: the program cannot be used", place);
    } else if !is_supplied(name) {
        seen.named.push(Named { program: name.to_string(), area: CALL, place });
    }
}

/// The copy members that are missing, and the first error of a source that has others.
fn messages(compilation: &Compilation, name: &str, seen: &mut Seen) {
    let mut first: [Option<(String, u32)>; 2] = [None, None];
    let mut counts = [0_usize; 2];
    for message in compilation.diagnostics.located(&compilation.sources, None) {
        if let Some(member) = message.missing_member() {
            seen.has_errors = true;
            let member = member.to_string();
            seen.report.add(Severity::Error, COPY, &member, "the copy member is not in the application", (message.file, message.line));
            continue;
        }
        let is_failure = FAILURES.contains(&message.severity.as_str());
        if is_failure || message.severity == CORRECTED {
            counts[usize::from(is_failure)] += 1;
            first[usize::from(is_failure)].get_or_insert_with(|| (format!("{} {}", message.code, message.text), message.line));
        }
    }
    seen.has_errors |= counts[1] > 0;
    for ((first, count), severity) in first.into_iter().zip(counts).zip([Severity::Warning, Severity::Error]) {
        if let Some((text, line)) = first {
            let more = if count > 1 { format!("; {} more", count - 1) } else { String::new() };
            seen.report.add(severity, COBOL, name, format!("{text}{more}"), (name.to_string(), line));
        }
    }
}
