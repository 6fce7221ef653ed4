//! What an application's jobs and scripts make in its database: which steps there are, the schema of unqualified names, and whether the
//! application needs a database at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sql::utility::{BindVerb, DsnCommand, SqlProgram, Utility, dsn_commands, sql_program};

use super::configuration::{Configuration, FILE_NAME};
use super::discover::Found;
use super::further::Further;
use super::jcl::{self, Job, Step};
use super::jobs::{Jobs, read_text};
use super::kept::{Kept, Opening};
use super::problems::{Problems, without_value};
use super::program_steps::{Choice, FileNeeds, ProgramStep, UNLOAD};
use super::programs::Programs;
use super::setup::SetUp;
use super::standby::Standby;
use super::tables;
use super::utilities::Utilities;

use crate::compile::SqlCheck;
use crate::console::Console;
use crate::database::{Database, Settings, Surroundings};
use crate::work_directory::WorkDirectory;

/// The program names of TSO in batch.
const TERMINAL_MONITORS: [&str; 3] = ["IKJEFT01", "IKJEFT1A", "IKJEFT1B"];

/// The program of Db2's utilities, and the procedure that calls it.
const UTILITIES: [&str; 2] = ["DSNUTILB", "DSNUPROC"];

/// SQL text that makes objects and rows.
pub struct Script {
    /// `JOB.STEP`, or the file's name.
    pub title: String,
    pub path: PathBuf,
    /// Line of the file at which the text begins, from 1.
    pub line: usize,
    pub text: String,
    /// Symbols that have no value.
    pub unknown_symbols: Vec<String>,
}

#[derive(Default)]
pub struct Collected {
    pub scripts: Vec<Script>,
    /// Those of the further databases, by location.
    located: BTreeMap<String, Vec<Script>>,
    pub programs: Vec<ProgramStep>,
    /// Steps of DSNUTILB that load tables.
    pub loads: Vec<ProgramStep>,
    /// Qualifiers of BIND, and how many packages have them.
    qualifiers: BTreeMap<String, usize>,
}

/// The database of an application at its start, and what is run there.
#[derive(Default)]
pub struct Prepared {
    /// `None`: the application needs none.
    database: Option<Result<Database, String>>,
    settings: Settings,
    schema: String,
    collected: Collected,
    further: Further,
    surroundings: Option<Surroundings>,
    /// The steps of programs that are run.
    choice: Choice,
}

impl Prepared {
    /// Opens the database if the application needs one. One that cannot be had is a problem of the start, and is awaited by the region.
    pub fn of(
        directory: &Path,
        configuration: &Configuration,
        found: &Found,
        jobs: &Jobs<'_>,
        work: &WorkDirectory,
        console: &Console,
        problems: &mut Problems,
    ) -> Prepared {
        let mut prepared = Prepared { collected: collect(configuration, found, jobs), ..Prepared::default() };
        if !is_needed(configuration, found) {
            return prepared;
        }
        let settings = configuration.database.clone().unwrap_or_default();
        if let Some(schema) = prepared.collected.schema(&settings)
            && let Err(error) = crate::database::keep_schema(work, &schema)
        {
            problems.add(error);
        }
        prepared.schema = crate::database::schema(&settings, work);
        let opened = Database::open(&settings, directory, work);
        match &opened {
            Ok(database) => {
                console.line(&format!("database  {}, schema {}", database.description(), prepared.schema));
                database.warnings().iter().for_each(|warning| console.line(&format!("warning   {warning}")));
            }
            Err(error) => problems.add(format!("the database is not there: {error}; its SQL scripts are run when it answers")),
        }
        prepared.surroundings = Some(Surroundings::of(&settings, directory, work));
        (prepared.database, prepared.settings) = (Some(opened), settings);
        prepared
    }

    /// What a database is opened with.
    fn opening(&self, settings: &Settings, scripts: Vec<Script>, console: &Console) -> Option<Opening> {
        let Surroundings { directory, work, .. } = self.surroundings.clone()?;
        let schema = settings.schema.clone().unwrap_or_else(|| self.schema.clone());
        Some(Opening { settings: settings.clone(), directory, work, schema, scripts, console: *console })
    }

    /// The database, if it answers.
    fn answering(&self) -> Option<&Database> {
        self.database.as_ref()?.as_ref().ok()
    }

    /// Chooses the steps of programs that are run.
    pub fn choose(&mut self, needs: &FileNeeds<'_>) {
        self.choice = Choice::of(&self.collected.programs, &self.settings.jobs, needs);
    }

    /// The files whose steps of the application's own programs are not run, with the reason.
    pub fn not_run(&self) -> Vec<(PathBuf, String)> {
        self.choice.not_run()
    }

    /// True for a step whose program is the application's, or whose statements are for the database.
    pub fn uses(&self, job: &str, step: &Step) -> bool {
        self.choice.knows(job, step) || self.is_for_database(step)
    }

    fn is_for_database(&self, step: &Step) -> bool {
        self.database.is_some() && (TERMINAL_MONITORS.contains(&step.program.as_str()) || UTILITIES.contains(&step.program.as_str()))
    }

    /// Checks the static SQL of programs, if there is a database.
    pub fn check(&mut self, problems: &mut Problems) -> Option<SqlCheck> {
        let checked = SqlCheck::connect(self.answering()?, &self.schema);
        checked.map_err(|why| self.lose(why, problems)).ok()
    }

    /// Runs the scripts, and opens the further databases with theirs.
    pub fn run_scripts(&mut self, console: &Console, problems: &mut Problems) {
        if let Some(database) = self.answering()
            && let Err(why) = tables::run(database, &self.schema, &self.collected.scripts, console, problems)
        {
            self.lose(why, problems);
        }
        let mut openings = Vec::new();
        for (name, settings) in &self.settings.locations {
            let scripts = self.collected.located.remove(name).unwrap_or_default();
            openings.extend(self.opening(settings, scripts, console));
        }
        self.further = Further::open(openings, console, problems);
    }

    /// A database that goes while it is prepared is awaited by the region like one that was not there.
    fn lose(&mut self, why: String, problems: &mut Problems) {
        problems.add(format!("the database is not there any more: {why}; its SQL scripts are run when it answers"));
        self.database = Some(Err(why));
    }

    /// Runs the steps of the application's own programs that were chosen.
    pub fn run_programs(&self, set_up: &SetUp<'_>, problems: &mut Problems) -> Result<(), String> {
        for name in &self.choice.unknown {
            problems.add(format!(
                "{FILE_NAME}: [database] jobs: `{name}` is no job with a step that runs a program of the application, or DSNTIAUL"
            ));
        }
        let mut steps: Vec<&ProgramStep> = Vec::new();
        for step in &self.choice.run {
            let missing = step.step.missing();
            match missing.is_empty() {
                true => steps.push(step),
                false => problems.add(format!("{} was not run: {}", step.title, without_value(&missing))),
            }
        }
        if matches!(self.database, Some(Err(_))) && !steps.is_empty() {
            // The region has the files later on, so they cannot wait for the database.
            let titles: Vec<&str> = steps.iter().map(|step| step.title.as_str()).collect();
            problems.add(format!("jobs: {} not run without the database; the next start with it runs them", titles.join(", ")));
            return Ok(());
        }
        let database = self.answering().map(|database| (database, self.schema.as_str()));
        let (work, data_sets, console) = (set_up.work, set_up.data_sets, set_up.console);
        let surroundings = self.surroundings.clone();
        let programs = Programs { work, data_sets, database, surroundings, console, ccsid: set_up.ccsid };
        self.load(set_up, true, problems)?;
        programs.run(&steps)?.into_iter().for_each(|problem| problems.add(problem));
        self.load(set_up, false, problems)
    }

    /// Runs the steps that load tables. `may_wait`: the programs of the application may still make the records.
    fn load(&self, set_up: &SetUp<'_>, may_wait: bool, problems: &mut Problems) -> Result<(), String> {
        let Some(database) = self.answering() else { return Ok(()) };
        let utilities = Utilities { set_up, database, schema: &self.schema };
        let found = utilities.run(&self.collected.loads, may_wait)?;
        // The second run finds what is wrong again.
        found.into_iter().filter(|_| !may_wait).for_each(|problem| problems.add(problem));
        Ok(())
    }

    /// The database for the region.
    pub fn into_standby(mut self, console: &Console) -> Option<Standby> {
        let scripts = std::mem::take(&mut self.collected.scripts);
        let opening = self.opening(&self.settings, scripts, console)?;
        self.database.map(|found| Standby::new(Kept::new(opening, found), self.further))
    }
}

/// The database of an application that has been set up, and the schema of unqualified names.
pub fn existing(configuration: &Configuration, found: &Found, directory: &Path, work: &WorkDirectory) -> Option<(Database, String)> {
    if !is_needed(configuration, found) {
        return None;
    }
    let settings = configuration.database.clone().unwrap_or_default();
    let database = Database::existing(&settings, directory, work).ok()?;
    Some((database, crate::database::schema(&settings, work)))
}

/// True if a program of the application has EXEC SQL, or `regent.toml` has `[database]`.
pub fn is_needed(configuration: &Configuration, found: &Found) -> bool {
    configuration.database.is_some() || found.programs.iter().any(|path| has_sql(&read_text(path)))
}

/// EXEC SQL in a line that is no comment.
fn has_sql(text: &str) -> bool {
    text.lines().filter(|line| !matches!(line.as_bytes().get(6), Some(b'*' | b'/'))).any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).any(|pair| pair[0].eq_ignore_ascii_case("EXEC") && pair[1].eq_ignore_ascii_case("SQL"))
    })
}

/// The steps and scripts of an application for its database.
pub fn collect(configuration: &Configuration, found: &Found, jobs: &Jobs<'_>) -> Collected {
    let mut collected = Collected::default();
    for (path, job) in &jobs.jobs {
        for step in &job.steps {
            of_step(path, job, step, jobs, &mut collected);
        }
    }
    for path in found.scripts.iter().filter(|path| !jobs.has_read(path)) {
        let text = jcl::substitute(&read_text(path), &configuration.symbols);
        let title = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        let unknown_symbols = jcl::placeholders(&text);
        collected.scripts.push(Script { title, path: path.clone(), line: 1, text, unknown_symbols });
    }
    make_titles_unique(collected.scripts.iter_mut().map(|script| &mut script.title));
    make_titles_unique(collected.programs.iter_mut().map(|program| &mut program.title));
    make_titles_unique(collected.loads.iter_mut().map(|load| &mut load.title));
    if let Some(settings) = &configuration.database {
        collected.choose(settings);
    }
    collected.scripts.retain(|script| sets_up(&script.text));
    collected
}

fn of_step(path: &Path, job: &Job, step: &Step, jobs: &Jobs<'_>, collected: &mut Collected) {
    let job_name = Jobs::name(path, job);
    let title = format!("{job_name}.{}", step.name);
    let step_of = |program: String, plan: String, parm: String, control: String| ProgramStep {
        title: title.clone(),
        job: job_name.clone(),
        path: path.to_path_buf(),
        program,
        plan,
        parm,
        control,
        step: step.clone(),
        loads: Vec::new(),
    };
    if UTILITIES.contains(&step.program.as_str()) {
        let control = jobs.control_statements(step, "SYSIN").unwrap_or_default();
        if loads(&control) {
            collected.loads.push(step_of(step.program.clone(), String::new(), step.parm.clone(), control));
        }
        return;
    }
    if !TERMINAL_MONITORS.contains(&step.program.as_str()) {
        if !step.is_procedure {
            collected.programs.push(step_of(step.program.clone(), String::new(), step.parm.clone(), String::new()));
        }
        return;
    }
    let Some(text) = jobs.control_statements(step, "SYSTSIN") else { return };
    for command in dsn_commands(&text).unwrap_or_default() {
        match command {
            DsnCommand::Run(run) => match sql_program(&run.program) {
                Some(SqlProgram::Statements | SqlProgram::Listing) => collected.scripts.extend(script(path, &title, step, jobs)),
                Some(SqlProgram::Unload) => {
                    let control = jobs.control_statements(step, "SYSIN").unwrap_or_default();
                    collected.programs.push(step_of(UNLOAD.to_string(), run.plan.unwrap_or_default(), run.parameters, control));
                }
                None => collected.programs.push(step_of(run.program, run.plan.unwrap_or_default(), run.parameters, String::new())),
            },
            DsnCommand::Bind(bind) if bind.verb == BindVerb::Bind => {
                let named = ["QUALIFIER", "OWNER"].iter().filter_map(|name| bind.option(name)).find(|value| is_name(value));
                if let Some(qualifier) = named {
                    *collected.qualifiers.entry(qualifier.to_uppercase()).or_default() += 1;
                }
            }
            _ => {}
        }
    }
}

/// True if the statements of a utility have a LOAD, or cannot be read: the run says why.
fn loads(control: &str) -> bool {
    sql::utility::utilities(control).map_or(true, |all| all.iter().any(|utility| matches!(utility, Utility::Load(_))))
}

/// A placeholder without a value is no name.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#'))
}

/// The SQL that a step reads from SYSIN.
fn script(path: &Path, title: &str, step: &Step, jobs: &Jobs<'_>) -> Option<Script> {
    let text = jobs.control_statements(step, "SYSIN")?;
    let unknown_symbols = step.concatenation("SYSIN").flat_map(|dd| dd.missing.iter().cloned()).collect();
    let line = step.concatenation("SYSIN").find_map(|dd| dd.in_stream.as_ref().map(|_| dd.in_stream_line)).unwrap_or(1);
    let path = jobs.path_of(step, "SYSIN").unwrap_or_else(|| path.to_path_buf());
    Some(Script { title: title.to_string(), path, line, text, unknown_symbols })
}

/// The ledger knows steps by their titles.
fn make_titles_unique<'a>(titles: impl Iterator<Item = &'a mut String>) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for title in titles {
        let count = seen.entry(title.clone()).or_default();
        *count += 1;
        if *count > 1 {
            *title = format!("{title} ({count})");
        }
    }
}

/// Takes out the scripts that these names mean, in their order.
fn take_chosen(scripts: &mut Vec<Script>, chosen: &[String]) -> Vec<Script> {
    let mut taken = Vec::new();
    for name in chosen {
        let (named, rest) = std::mem::take(scripts).into_iter().partition(|script| is_named(&script.title, &script.path, name));
        *scripts = rest;
        taken.extend::<Vec<Script>>(named);
    }
    taken
}

/// `JOB`, `JOB.STEP` or the end of a path.
fn is_named(title: &str, path: &Path, name: &str) -> bool {
    let job = title.split('.').next().unwrap_or(title);
    title.eq_ignore_ascii_case(name) || job.eq_ignore_ascii_case(name) || path.ends_with(name)
}

/// Statements of which a script must have one to make anything.
const SET_UP: [&str; 7] = ["CREATE", "ALTER", "INSERT", "MERGE", "GRANT", "LABEL", "COMMENT"];

fn sets_up(text: &str) -> bool {
    sql::script(text, ';').iter().any(|statement| SET_UP.contains(&first_word(&statement.text).as_str()))
}

pub fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_uppercase()
}

impl Collected {
    /// Gives the locations the scripts that `regent.toml` names for them; of the others it may name those to run, in its order.
    fn choose(&mut self, settings: &Settings) {
        for (name, location) in &settings.locations {
            let mut scripts = take_chosen(&mut self.scripts, location.scripts.as_deref().unwrap_or_default());
            scripts.retain(|script| sets_up(&script.text));
            self.located.insert(name.clone(), scripts);
        }
        if let Some(chosen) = &settings.scripts {
            self.scripts = take_chosen(&mut self.scripts, chosen);
        }
    }

    /// The schema of names without a qualifier: of `regent.toml`, else of most packages, else the SQLID of the scripts.
    pub fn schema(&self, settings: &Settings) -> Option<String> {
        let bound = || self.qualifiers.iter().max_by_key(|(_, count)| **count).map(|(name, _)| name.clone());
        let identifier = || self.scripts.iter().find_map(|script| current_sqlid(&script.text));
        settings.schema.clone().or_else(bound).or_else(identifier)
    }
}

/// The value of the first SET CURRENT SQLID.
fn current_sqlid(text: &str) -> Option<String> {
    sql::script(text, ';').iter().find_map(|statement| {
        let upper = statement.text.to_uppercase();
        let value = upper.strip_prefix("SET")?.trim_start().strip_prefix("CURRENT")?.trim_start().strip_prefix("SQLID")?;
        let value = value.trim_start().strip_prefix('=')?.trim().trim_matches('\'').to_string();
        (!value.is_empty() && !value.contains(['<', '&', '@'])).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_with_sql_is_known_by_its_text() {
        assert!(has_sql("       PROCEDURE DIVISION.\n           EXEC  SQL SELECT\n"));
        assert!(has_sql("    exec sql include sqlca;"));
        assert!(!has_sql("      *    EXEC SQL SELECT\n           EXEC CICS RETURN END-EXEC"));
    }

    #[test]
    fn scripts_that_only_drop_or_query_set_nothing_up() {
        assert!(!sets_up("SET CURRENT SQLID = 'A';\nDROP TABLE B;\nSELECT * FROM C;"));
        assert!(sets_up("-- X\nSET CURRENT SQLID = 'A';\n  CREATE TABLE B (C INTEGER);"));
        assert_eq!(current_sqlid("SET CURRENT SQLID='IBMUSER' ;"), Some("IBMUSER".to_string()));
        assert_eq!(current_sqlid("SET CURRENT SQLID = '<SQLID>';"), None);
    }
}
