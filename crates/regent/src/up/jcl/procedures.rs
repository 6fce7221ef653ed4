//! Builds jobs from statements: procedures, in-stream and from the application, replace the EXEC statements that call them, and INCLUDE
//! groups replace the INCLUDE statements.
//!
//! Rules (MVS JCL Reference, "Using cataloged and in-stream procedures", "Modifying OUTPUT JCL and DD statements", "Nesting procedures"):
//! DD statements behind the call override those of the step they name, parameter by parameter, or are added to it; one without a step name
//! applies to the step named before, and to the first step if none was named. A PARM without a step name applies to the first step.

use std::path::{Path, PathBuf};

use super::statement::{Statement, read, split_operands, unquote};
use super::symbols::Symbols;
use super::{Content, Dd, Exec, Job, Step, dd, exec};
use std::collections::BTreeMap;

/// Procedures call procedures, and groups include groups, to this depth.
const NESTING_MAX: usize = 15;
/// Steps of a job, as on z/OS.
const STEPS_MAX: usize = 255;
/// Calls and INCLUDE statements of one job that are expanded; members that call each other could go on for ever.
const EXPANSIONS_MAX: usize = 4096;

/// The members of the application that jobs may name.
pub trait Members {
    /// Path and text of a member; one in a directory that stands for one of the libraries goes first.
    fn find(&self, name: &str, libraries: &[String]) -> Option<(PathBuf, String)>;
}

#[derive(Clone)]
struct Procedure {
    /// Operands of the PROC statement: symbols and their defaults.
    defaults: String,
    body: Vec<Statement>,
    path: Option<PathBuf>,
}

/// Reads one file. Symbols of the caller take part.
pub fn parse(text: &str, given: &BTreeMap<String, String>, members: &dyn Members) -> Content {
    let statements = read(text);
    if statements.first().is_some_and(|first| first.operation == "PROC") && !statements.iter().any(|statement| statement.operation == "JOB")
    {
        return Content::Procedure;
    }
    let mut reader = Reader {
        members,
        symbols: Symbols::new(given),
        procedures: BTreeMap::new(),
        libraries: Vec::new(),
        expansions: 0,
        jobs: Vec::new(),
    };
    let mut at = 0;
    while at < statements.len() {
        // A file may hold several jobs. What stands before the first is a fragment.
        let name = match statements[at].operation.as_str() {
            "JOB" => {
                at += 1;
                statements[at - 1].name.clone()
            }
            _ => String::new(),
        };
        let end = (at..statements.len()).find(|next| statements[*next].operation == "JOB").unwrap_or(statements.len());
        reader.job(name, &statements[at..end]);
        at = end;
    }
    Content::Jobs(reader.jobs)
}

struct Reader<'a> {
    members: &'a dyn Members,
    symbols: Symbols,
    /// In-stream procedures of the job.
    procedures: BTreeMap<String, Procedure>,
    /// JCLLIB ORDER.
    libraries: Vec<String>,
    expansions: usize,
    jobs: Vec<Job>,
}

impl Reader<'_> {
    fn job(&mut self, name: String, statements: &[Statement]) {
        self.symbols.begin_job(&name);
        self.procedures.clear();
        self.libraries.clear();
        self.expansions = 0;
        self.jobs.push(Job { name, ..Job::default() });
        let mut steps = self.steps(statements.to_vec(), 0, None);
        if steps.len() > STEPS_MAX {
            self.remark(0, format!("the job has more than {STEPS_MAX} steps; the rest is left out"));
            steps.truncate(STEPS_MAX);
        }
        resolve_references(&mut steps);
        self.current().steps = steps;
    }

    fn current(&mut self) -> &mut Job {
        self.jobs.last_mut().expect("a job is begun before its statements are read")
    }

    fn remark(&mut self, line: usize, reason: String) {
        let remarks = &mut self.current().remarks;
        if !remarks.iter().any(|(_, known)| *known == reason) {
            remarks.push((line, reason));
        }
    }

    /// The steps of a job or of a procedure's body.
    fn steps(&mut self, mut statements: Vec<Statement>, depth: usize, path: Option<&Path>) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut at = 0;
        while at < statements.len() && steps.len() <= STEPS_MAX {
            let statement = statements[at].clone();
            at += 1;
            match statement.operation.as_str() {
                "EXEC" => self.exec(&statement, &mut statements, &mut at, depth, path, &mut steps),
                "DD" => match steps.last_mut() {
                    Some(step) => step.dds.push(dd(&statement, &self.symbols)),
                    // DD statements of the job: libraries of programs.
                    None if matches!(statement.name.as_str(), "JOBLIB" | "JOBCAT" | "SYSCHK" | "") => {}
                    None => self.remark(statement.line, format!("DD statement {} stands before the first EXEC", statement.name)),
                },
                "PROC" => at = self.in_stream_procedure(&statement, &statements, at),
                "INCLUDE" => self.include(&statement, &mut statements, at),
                _ => self.declaration(&statement),
            }
        }
        steps
    }

    /// Statements that make no step.
    fn declaration(&mut self, statement: &Statement) {
        let operands = split_operands(&self.symbols.substitute(&statement.operands, &mut Vec::new()));
        match statement.operation.as_str() {
            "SET" => {
                for (name, value) in operands.iter().filter_map(|operand| operand.split_once('=')) {
                    self.symbols.set(name, unquote(value));
                }
            }
            "JCLLIB" => {
                let order = operands.iter().find_map(|operand| operand.strip_prefix("ORDER=")).unwrap_or_default();
                let order = order.strip_prefix('(').and_then(|order| order.strip_suffix(')')).unwrap_or(order);
                self.libraries = split_operands(order).iter().map(|library| unquote(library)).collect();
            }
            // In-stream data has its symbols replaced whether they are exported or not. Conditions of IF are not evaluated: the steps of
            // both branches are looked at.
            "PEND" | "EXPORT" | "OUTPUT" | "IF" | "ELSE" | "ENDIF" | "XMIT" | "CNTL" | "ENDCNTL" | "COMMAND" | "NOTIFY" | "SCHEDULE" => {}
            other => self.remark(statement.line, format!("JCL statement {other} is not known")),
        }
    }

    /// Keeps a procedure that stands in the job; where the job goes on behind its PEND.
    fn in_stream_procedure(&mut self, statement: &Statement, statements: &[Statement], at: usize) -> usize {
        let end = (at..statements.len()).find(|next| statements[*next].operation == "PEND");
        if end.is_none() {
            self.remark(statement.line, format!("procedure {} has no PEND statement", statement.name));
        }
        let end = end.unwrap_or(statements.len());
        let body = statements[at..end].to_vec();
        self.procedures.insert(statement.name.clone(), Procedure { defaults: statement.operands.clone(), body, path: None });
        (end + 1).min(statements.len())
    }

    /// Puts the statements of a member in the place of an INCLUDE statement.
    fn include(&mut self, statement: &Statement, statements: &mut Vec<Statement>, at: usize) {
        let operands = split_operands(&self.symbols.substitute(&statement.operands, &mut Vec::new()));
        let Some(name) = operands.iter().find_map(|operand| operand.strip_prefix("MEMBER=")).map(str::to_uppercase) else {
            return self.remark(statement.line, "INCLUDE names no MEMBER".to_string());
        };
        let Some((_, text)) = self.members.find(&name, &self.libraries) else {
            return self.remark(statement.line, format!("INCLUDE MEMBER={name}: the application has no such member"));
        };
        if !self.may_expand(&format!("INCLUDE MEMBER={name}"), "groups", statement.include_depth, statement.line) {
            return;
        }
        let include_depth = statement.include_depth + 1;
        statements.splice(at..at, read(&text).into_iter().map(|included| Statement { include_depth, ..included }));
    }

    fn exec(
        &mut self,
        statement: &Statement,
        statements: &mut Vec<Statement>,
        at: &mut usize,
        depth: usize,
        path: Option<&Path>,
        steps: &mut Vec<Step>,
    ) {
        let exec = exec(&split_operands(&self.symbols.substitute(&statement.operands, &mut Vec::new())));
        let procedure = if exec.is_procedure { self.procedure(&exec.program, statement.line, depth) } else { None };
        let Some(procedure) = procedure else {
            steps.push(Step {
                name: statement.name.clone(),
                program: exec.program,
                is_procedure: exec.is_procedure,
                parm: exec.parm.unwrap_or_default(),
                line: statement.line,
                procedure: path.map(Path::to_path_buf),
                parameters: exec.parameters,
                dds: Vec::new(),
            });
            return;
        };
        // The statements behind the call belong to it, with the values that symbols have there.
        let mut overrides = Vec::new();
        while let Some(next) = statements.get(*at).cloned() {
            match next.operation.as_str() {
                "DD" => overrides.push(dd(&next, &self.symbols)),
                "OUTPUT" => {}
                "INCLUDE" => self.include(&next, statements, *at + 1),
                _ => break,
            }
            *at += 1;
        }
        let called = exec.parameters.clone();
        let defaults = split_operands(&self.symbols.substitute(&procedure.defaults, &mut Vec::new()));
        let defaults = defaults.iter().filter_map(|operand| operand.split_once('='));
        let defaults = defaults.map(|(name, value)| (name.to_uppercase(), unquote(value))).collect();
        self.symbols.enter_procedure(called, defaults);
        let mut inner = self.steps(procedure.body, depth + 1, procedure.path.as_deref());
        self.symbols.leave_procedure();
        modify(&mut inner, &exec, overrides);
        let caller = |step: &Step| if step.procedure.is_none() { statement.line } else { step.line };
        steps.extend(inner.into_iter().map(|step| Step { name: format!("{}.{}", statement.name, step.name), line: caller(&step), ..step }));
    }

    /// False, with a remark, where the limits of a job are reached.
    fn may_expand(&mut self, what: &str, of: &str, depth: usize, line: usize) -> bool {
        self.expansions += 1;
        if depth >= NESTING_MAX {
            self.remark(line, format!("{what}: {of} nest deeper than {NESTING_MAX}"));
        } else if self.expansions > EXPANSIONS_MAX {
            self.remark(line, format!("{what}: the job has more than {EXPANSIONS_MAX} calls and INCLUDE statements"));
        } else {
            return true;
        }
        false
    }

    /// The procedure a step calls: one of the job, or a member of the application.
    fn procedure(&mut self, name: &str, line: usize, depth: usize) -> Option<Procedure> {
        if !self.may_expand(&format!("procedure {name}"), "procedures", depth, line) {
            return None;
        }
        if let Some(procedure) = self.procedures.get(name) {
            return Some(procedure.clone());
        }
        let (path, text) = self.members.find(name, &self.libraries)?;
        let mut statements = read(&text);
        // A member may begin without PROC when it has no symbols with defaults. A job is no procedure.
        if statements.iter().any(|statement| statement.operation == "JOB") {
            return None;
        }
        let begin = statements.iter().position(|statement| statement.operation == "PROC");
        let defaults = begin.map_or(String::new(), |begin| statements[begin].operands.clone());
        let body = statements.split_off(begin.map_or(0, |begin| begin + 1));
        Some(Procedure { defaults, body, path: Some(path) })
    }
}

/// Applies what stands on and behind the EXEC statement of a call to the steps of the procedure.
fn modify(steps: &mut [Step], exec: &Exec, overrides: Vec<Dd>) {
    if let (Some(parm), Some(first)) = (&exec.parm, steps.first_mut()) {
        first.parm = parm.clone();
    }
    for (name, parm) in &exec.step_parms {
        steps.iter_mut().filter(|step| step.name == *name).for_each(|step| step.parm = parm.clone());
    }
    let (mut target, mut name, mut place) = (0, String::new(), 0);
    for dd in overrides {
        if !dd.step.is_empty() {
            let Some(found) = steps.iter().position(|step| step.name == dd.step) else { continue };
            target = found;
        }
        let Some(step) = steps.get_mut(target) else { return };
        // A DD without a name is for the one at its place in the concatenation.
        if dd.name.is_empty() {
            place += 1;
        } else {
            name = dd.name.clone();
            place = 0;
        }
        override_dd(step, &name, place, dd);
    }
}

fn override_dd(step: &mut Step, name: &str, place: usize, new: Dd) {
    let Some(begin) = step.dds.iter().position(|dd| dd.name == name) else {
        return step.dds.push(new);
    };
    let end = (begin + 1..step.dds.len()).find(|at| !step.dds[*at].name.is_empty()).unwrap_or(step.dds.len());
    match step.dds[begin..end].get_mut(place) {
        Some(old) => merge(old, new),
        None => step.dds.insert(end, new),
    }
}

/// Parameters of the overriding DD replace those of the same name; a data set or in-stream data takes the place of either.
fn merge(old: &mut Dd, new: Dd) {
    if new.data_set.is_some() || new.in_stream.is_some() || new.dummy {
        old.data_set = new.data_set;
        old.in_stream = new.in_stream;
        old.in_stream_line = new.in_stream_line;
        old.dummy = new.dummy;
        old.missing = new.missing;
    }
    old.record_length = new.record_length.or(old.record_length);
    old.record_format = new.record_format.or(old.record_format.take());
}

/// Replaces backward references, as `DSN=*.STEP.NAME`, by the data set they refer to.
fn resolve_references(steps: &mut [Step]) {
    for at in 0..steps.len() {
        for index in 0..steps[at].dds.len() {
            let Some(reference) = steps[at].dds[index].data_set.as_ref().and_then(|name| name.strip_prefix("*.")) else { continue };
            let (step, name) = reference.rsplit_once('.').unwrap_or(("", reference));
            let from = if step.is_empty() { Some(&steps[at]) } else { steps[..at].iter().find(|earlier| earlier.name == step) };
            let found = from.and_then(|step| step.dds.iter().find(|dd| dd.name == name)).and_then(|dd| dd.data_set.clone());
            if found.is_some() {
                steps[at].dds[index].data_set = found;
            }
        }
    }
}
