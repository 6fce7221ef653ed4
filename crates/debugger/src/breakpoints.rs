//! Breakpoints: at lines of the source, at programs, paragraphs and EXEC CICS commands by their names, and at exceptional events; each on
//! terms.
//!
//! Invariants: a plan does not change: a client replaces it as a whole, and tasks see either the old or the new one. A breakpoint that has
//! moved to the next statement is told so. At most [`BREAKPOINTS_MAX`] of one kind are accepted.
//!
//! Source: Debug Adapter Protocol, requests setBreakpoints, setFunctionBreakpoints and setExceptionBreakpoints.

use crate::expression::{self, Expression};
use parking_lot::Mutex;
use program::module::Module;
use program::module::debugging::{Debugging, StatementInfo};
use program::rununit::FrameId;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

pub const BREAKPOINTS_MAX: usize = 1000;
/// What begins the name of a command.
const COMMAND: &str = "EXEC CICS";

/// The breakpoints of a client.
#[derive(Default)]
pub struct Plan {
    pub lines: Vec<LineBreakpoint>,
    pub functions: Vec<FunctionBreakpoint>,
    pub exceptions: Exceptions,
    /// The places in each module that was asked for.
    resolved: Mutex<Vec<(Weak<Module>, Arc<Resolved>)>>,
}

#[derive(Clone)]
pub struct LineBreakpoint {
    pub id: u64,
    /// As the client names it, and without symbolic links.
    pub source: PathBuf,
    canonical: PathBuf,
    pub line: u32,
    column: Option<u32>,
    terms: Terms,
}

#[derive(Clone)]
pub struct FunctionBreakpoint {
    pub id: u64,
    function: Function,
    terms: Terms,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Function {
    /// A program, or a procedure of the program named behind OF, or of any.
    Named { name: String, of: Option<String> },
    /// Commands whose names begin with these words.
    Command(String),
}

/// Events at which a task stops without a breakpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    pub abends: bool,
    /// A command has raised a condition.
    pub conditions: bool,
    /// A command is about to be executed.
    pub commands: bool,
}

/// The lines of a C source at which commands begin, each with the words behind EXEC CICS, in capital letters.
fn command_lines(source: &str) -> Vec<(u32, String)> {
    let words = |line: &str| line.to_uppercase().replace(['(', ';'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let behind = |line: &str| words(line).split_once(COMMAND).map(|(_, behind)| behind.trim().to_string());
    (1..).zip(source.lines()).filter_map(|(number, line)| Some((number, behind(line)?))).collect()
}

/// The breakpoints of a module, by where they are.
#[derive(Default)]
pub struct Resolved {
    statements: FxHashMap<u32, Vec<At>>,
    /// By the index of the program.
    programs: FxHashMap<u32, Vec<At>>,
    /// In a program written in C, which has no statements: by the lines of its commands.
    commands: FxHashMap<u32, Vec<At>>,
    /// The breakpoints that have a place in the module; of one at a line, the line of its first statement.
    pub found: Vec<(At, Option<u32>)>,
}

/// Index of a breakpoint in the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    Line(usize),
    Function(usize),
}

/// Under which circumstances a breakpoint stops a task.
#[derive(Clone, Default)]
pub struct Terms {
    condition: Option<Expression>,
    hits: Option<(Comparison, u64)>,
    log: Option<Vec<LogPart>>,
    /// How often the condition has held.
    count: Arc<AtomicU64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Multiple,
}

#[derive(Clone, Debug, PartialEq)]
enum LogPart {
    Text(String),
    Value(Expression),
}

/// What a breakpoint that was reached does.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    Stop,
    Nothing,
    /// A logpoint: this text is told.
    Log(String),
    /// The task stops, because the condition cannot be evaluated.
    Fault(String),
}

impl Terms {
    pub fn parse(condition: Option<&str>, hits: Option<&str>, log: Option<&str>) -> Result<Terms, String> {
        let given = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_string);
        Ok(Terms {
            condition: given(condition).map(|text| expression::parse(&text)).transpose()?,
            hits: given(hits).map(|text| hit_condition(&text)).transpose()?,
            log: given(log).map(|text| log_parts(&text)).transpose()?,
            count: Arc::default(),
        })
    }

    /// The breakpoint has been reached in the program of a frame.
    pub fn reached(&self, frame: FrameId) -> Effect {
        match self.condition.as_ref().map_or(Ok(true), |condition| condition.truth(frame)) {
            Ok(true) => {}
            Ok(false) => return Effect::Nothing,
            Err(why) => return Effect::Fault(format!("the condition of the breakpoint cannot be evaluated: {why}")),
        }
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        if self.hits.is_some_and(|(comparison, number)| !comparison.holds(count, number)) {
            return Effect::Nothing;
        }
        match &self.log {
            None => Effect::Stop,
            Some(parts) => Effect::Log(parts.iter().map(|part| part.text(frame)).collect()),
        }
    }
}

impl Comparison {
    fn holds(self, count: u64, number: u64) -> bool {
        match self {
            Comparison::Equal => count == number,
            Comparison::Less => count < number,
            Comparison::LessOrEqual => count <= number,
            Comparison::Greater => count > number,
            Comparison::GreaterOrEqual => count >= number,
            Comparison::Multiple => count.is_multiple_of(number),
        }
    }
}

/// `5` or `>= 5`: from the fifth time on; `= 5`, `< 5`, `<= 5`, `> 5`; `% 5`: each fifth time.
fn hit_condition(text: &str) -> Result<(Comparison, u64), String> {
    let comparisons = [
        (">=", Comparison::GreaterOrEqual),
        ("<=", Comparison::LessOrEqual),
        ("==", Comparison::Equal),
        ("=", Comparison::Equal),
        (">", Comparison::Greater),
        ("<", Comparison::Less),
        ("%", Comparison::Multiple),
    ];
    let found = comparisons.into_iter().find_map(|(sign, comparison)| Some((comparison, text.strip_prefix(sign)?)));
    let (comparison, number) = found.unwrap_or((Comparison::GreaterOrEqual, text));
    let number = number.trim().parse().ok().filter(|number| *number > 0);
    number.map(|number| (comparison, number)).ok_or_else(|| format!("{text} is not a number of times, as in 5, = 5 or % 5"))
}

/// Text with expressions in braces.
fn log_parts(text: &str) -> Result<Vec<LogPart>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, after) = behind.split_once('}').ok_or("a } is missing in the message")?;
        parts.push(LogPart::Text(before.to_string()));
        parts.push(LogPart::Value(expression::parse(inside)?));
        rest = after;
    }
    parts.push(LogPart::Text(rest.to_string()));
    Ok(parts)
}

impl LogPart {
    fn text(&self, frame: FrameId) -> String {
        match self {
            LogPart::Text(text) => text.clone(),
            LogPart::Value(expression) => {
                let shown = expression.evaluate(frame).and_then(|value| value.shown(frame));
                shown.unwrap_or_else(|why| format!("({why})"))
            }
        }
    }
}

/// A path without symbolic links, if the file is there.
fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

impl LineBreakpoint {
    pub fn new(id: u64, source: &Path, line: u32, column: Option<u32>, terms: Terms) -> LineBreakpoint {
        LineBreakpoint { id, source: source.to_path_buf(), canonical: canonical(source), line, column, terms }
    }

    fn statement<'a>(&self, debugging: &'a Debugging, source: u32) -> Option<&'a StatementInfo> {
        let place = |statement: &&StatementInfo| (statement.line, statement.column, statement.number);
        let wanted = (self.line, self.column.unwrap_or(0));
        let inside = debugging.statements.iter().filter(|statement| statement.source == source);
        inside.filter(|statement| (statement.line, statement.column) >= wanted).min_by_key(place)
    }
}

/// The files of a module without symbolic links, by their indexes. To find them costs calls of the system.
struct Files(Vec<PathBuf>);

impl Files {
    fn of(debugging: &Debugging) -> Files {
        Files(debugging.sources.iter().map(|source| canonical(Path::new(source))).collect())
    }

    /// The indexes of a file: a member that is copied twice has two.
    fn indexes_of(&self, canonical: &Path) -> impl Iterator<Item = u32> {
        (0..).zip(&self.0).filter(move |(_, file)| *file == canonical).map(|(index, _)| index)
    }
}

/// The indexes of a file among the sources of a module.
pub fn sources_at(debugging: &Debugging, file: &Path) -> Vec<u32> {
    Files::of(debugging).indexes_of(&canonical(file)).collect()
}

impl FunctionBreakpoint {
    /// `PROGRAM`, `PARAGRAPH`, `PARAGRAPH OF PROGRAM`, `EXEC CICS`, `EXEC CICS READ`.
    pub fn new(id: u64, name: &str, terms: Terms) -> Result<FunctionBreakpoint, String> {
        let words: Vec<String> = name.split_whitespace().map(str::to_uppercase).collect();
        let text = words.join(" ");
        let function = match (text.strip_prefix(COMMAND), words.as_slice()) {
            (Some(command), _) => {
                let command = command.trim().to_string();
                let is_known = command.is_empty() || exec::commands().iter().any(|spec| begins_with(spec.name, &command));
                if !is_known {
                    return Err(format!("{command} is not an EXEC CICS command"));
                }
                Function::Command(command)
            }
            (None, [name]) => Function::Named { name: name.clone(), of: None },
            (None, [name, of, program]) if of == "OF" || of == "IN" => Function::Named { name: name.clone(), of: Some(program.clone()) },
            _ => return Err(format!("{name} is neither a program, nor a paragraph, nor EXEC CICS and a command")),
        };
        Ok(FunctionBreakpoint { id, function, terms })
    }

    fn add_to(&self, at: At, module: &Module, debugging: &Debugging, resolved: &mut Resolved) {
        let mut places = 0;
        let mut add = |statement: u32| {
            resolved.statements.entry(statement).or_default().push(at);
            places += 1;
        };
        let program = |index: u32| module.programs[index as usize].name.as_str();
        match &self.function {
            Function::Command(words) => {
                let names = debugging.statements.iter().filter_map(|statement| {
                    let spec = exec::CommandId(statement.command?).checked()?;
                    Some((statement.number, spec.name))
                });
                names.filter(|(_, name)| begins_with(name, words)).for_each(|(statement, _)| add(statement));
            }
            Function::Named { name, of } => {
                let is_meant = |index: u32| of.as_ref().is_none_or(|of| of.eq_ignore_ascii_case(program(index)));
                for procedure in debugging.procedures.iter().filter(|procedure| is_meant(procedure.program)) {
                    if procedure.name.eq_ignore_ascii_case(name)
                        && let Some(statement) = procedure.first_statement
                    {
                        add(statement);
                    }
                }
                let programs = (0..module.programs.len() as u32).filter(|index| of.is_none() && program(*index).eq_ignore_ascii_case(name));
                for index in programs {
                    resolved.programs.entry(index).or_default().push(at);
                    places += 1;
                }
            }
        }
        resolved.found.extend((places > 0).then_some((at, None)));
    }
}

/// `READ` begins READ, READ NEXT is not begun by `READN`.
fn begins_with(name: &str, words: &str) -> bool {
    name.strip_prefix(words).is_some_and(|rest| words.is_empty() || rest.is_empty() || rest.starts_with(' '))
}

impl Plan {
    /// The same, for changes: what was found in modules is found again.
    pub fn with(&self, change: impl FnOnce(&mut Plan)) -> Plan {
        let mut plan =
            Plan { lines: self.lines.clone(), functions: self.functions.clone(), exceptions: self.exceptions, resolved: Mutex::default() };
        change(&mut plan);
        plan
    }

    /// The breakpoints of a module.
    pub fn of_module(&self, module: &Arc<Module>) -> Arc<Resolved> {
        let mut known = self.resolved.lock();
        if let Some((_, resolved)) = known.iter().find(|(known, _)| std::ptr::eq(known.as_ptr(), Arc::as_ptr(module))) {
            return resolved.clone();
        }
        // A weak reference keeps the address, so that no other module is taken for this one.
        known.retain(|(known, _)| known.strong_count() > 0);
        let resolved = Arc::new(self.resolve(module));
        known.push((Arc::downgrade(module), resolved.clone()));
        resolved
    }

    fn resolve(&self, module: &Module) -> Resolved {
        let mut resolved = Resolved::default();
        if module.c.is_some() {
            self.resolve_commands(Path::new(&module.source), &mut resolved);
            return resolved;
        }
        let Some(debugging) = &module.debugging else { return resolved };
        let files = Files::of(debugging);
        for (index, breakpoint) in self.lines.iter().enumerate() {
            // The statement at the line or the first behind it, in each inclusion of the file in the module.
            let inclusions = files.indexes_of(&breakpoint.canonical);
            let statements: Vec<&StatementInfo> = inclusions.filter_map(|source| breakpoint.statement(debugging, source)).collect();
            for statement in &statements {
                resolved.statements.entry(statement.number).or_default().push(At::Line(index));
            }
            resolved.found.extend(statements.first().map(|first| (At::Line(index), Some(first.line))));
        }
        for (index, breakpoint) in self.functions.iter().enumerate() {
            breakpoint.add_to(At::Function(index), module, debugging, &mut resolved);
        }
        resolved
    }

    /// The breakpoints at commands of a program written in C, which its source tells.
    fn resolve_commands(&self, source: &Path, resolved: &mut Resolved) {
        let source = canonical(source);
        let is_meant = |function: &FunctionBreakpoint| matches!(function.function, Function::Command(_));
        if !self.functions.iter().any(is_meant) && self.lines.iter().all(|breakpoint| breakpoint.canonical != source) {
            return;
        }
        let commands = command_lines(&String::from_utf8_lossy(&std::fs::read(&source).unwrap_or_default()));
        for (index, breakpoint) in self.lines.iter().enumerate().filter(|(_, breakpoint)| breakpoint.canonical == source) {
            if let Some((line, _)) = commands.iter().find(|(line, _)| *line >= breakpoint.line) {
                resolved.commands.entry(*line).or_default().push(At::Line(index));
                resolved.found.push((At::Line(index), Some(*line)));
            }
        }
        for (index, breakpoint) in self.functions.iter().enumerate() {
            let Function::Command(words) = &breakpoint.function else { continue };
            let named = commands.iter().filter(|(_, text)| begins_with(text, words));
            named.for_each(|(line, _)| resolved.commands.entry(*line).or_default().push(At::Function(index)));
            resolved.found.extend(commands.iter().any(|(_, text)| begins_with(text, words)).then_some((At::Function(index), None)));
        }
    }

    pub fn terms(&self, at: At) -> &Terms {
        match at {
            At::Line(index) => &self.lines[index].terms,
            At::Function(index) => &self.functions[index].terms,
        }
    }

    pub fn id(&self, at: At) -> u64 {
        match at {
            At::Line(index) => self.lines[index].id,
            At::Function(index) => self.functions[index].id,
        }
    }
}

impl Resolved {
    pub fn at_statement(&self, statement: u32) -> &[At] {
        self.statements.get(&statement).map_or(&[], Vec::as_slice)
    }

    pub fn at_command(&self, line: u32) -> &[At] {
        self.commands.get(&line).map_or(&[], Vec::as_slice)
    }

    pub fn at_program(&self, program: usize) -> &[At] {
        self.programs.get(&(program as u32)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_compare_the_count() {
        let stops_at = |text: &str| {
            let (comparison, number) = hit_condition(text).unwrap();
            (1..=7).filter(|count| comparison.holds(*count, number)).collect::<Vec<u64>>()
        };
        assert_eq!(stops_at("5"), [5, 6, 7]);
        assert_eq!(stops_at(">= 6"), [6, 7]);
        assert_eq!(stops_at("= 5"), [5]);
        assert_eq!(stops_at("<3"), [1, 2]);
        assert_eq!(stops_at("% 3"), [3, 6]);
        for wrong in ["", "0", "% 0", "often", "-1", "18446744073709551616"] {
            assert!(hit_condition(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn function_breakpoints_name_programs_paragraphs_and_commands() {
        let function = |name: &str| FunctionBreakpoint::new(1, name, Terms::default()).map(|breakpoint| breakpoint.function);
        assert_eq!(function(" main-para of pgm1 "), Ok(Function::Named { name: "MAIN-PARA".into(), of: Some("PGM1".into()) }));
        assert_eq!(function("exec cics read"), Ok(Function::Command("READ".into())));
        assert_eq!(function("EXEC CICS"), Ok(Function::Command(String::new())));
        assert!(function("EXEC CICS REED").is_err() && function("A B").is_err() && function("").is_err());
        assert!(begins_with("READ", "READ") && begins_with("WRITEQ TS", "WRITEQ") && !begins_with("READNEXT", "READ"));
    }

    #[test]
    fn commands_of_a_c_source_are_at_the_lines_where_they_begin() {
        let source = "int main(void)\n{\n    exec  cics Read FILE(\"A\")\n        INTO(x);\n    if (a) EXEC CICS RETURN;\n}\n";
        let lines = command_lines(source);
        assert_eq!(lines.iter().map(|(line, _)| *line).collect::<Vec<u32>>(), [3, 5]);
        assert!(begins_with(&lines[0].1, "READ") && begins_with(&lines[1].1, "RETURN") && !begins_with(&lines[0].1, "READNEXT"));
    }

    #[test]
    fn messages_of_logpoints_have_expressions_in_braces() {
        assert_eq!(log_parts("total {A + 1}!").map(|parts| parts.len()), Ok(3));
        assert!(log_parts("{A").is_err() && log_parts("{A B}").is_err());
    }
}
