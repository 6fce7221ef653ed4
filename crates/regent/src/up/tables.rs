//! Makes an application's tables and rows: runs its SQL scripts, each statement once. The database itself records what was run, so a
//! database that is made again is set up again, and one that two regions share is set up once.
//!
//! Nothing is dropped: DROP is left out, and an object that is there stays as it is. A statement that needs an object which another script
//! makes waits for that script.

use std::collections::BTreeSet;

use sql::names::string;

use super::database::{Script, first_word};
use super::problems::{Problems, without_value};
use crate::console::Console;
use crate::database::{Database, Executor, Failure, Finished, Listing, Located};

/// SQLCODEs: a name that is not defined, and one that is in use.
const UNDEFINED: i32 = -204;
const EXISTS: i32 = -601;

/// A script under way.
struct Progress<'a> {
    script: &'a Script,
    statements: Vec<sql::ScriptStatement>,
    /// The first that has not been run.
    next: usize,
    run: usize,
    kept: Vec<String>,
    failures: Vec<String>,
    has_begun: bool,
}

/// Runs the scripts; a failed statement is a problem of the start, and is tried again at the next.
pub fn run(database: &Database, schema: &str, scripts: &[Script], console: &Console, problems: &mut Problems) -> Result<(), String> {
    let mut executor = Executor::new(database, schema)?;
    let mut all: Vec<Progress<'_>> = Vec::new();
    for script in scripts {
        match script.unknown_symbols.is_empty() {
            true => all.push(Progress::new(script)),
            false => problems.add(format!("{} was not run: {}", script.title, without_value(&script.unknown_symbols))),
        }
    }
    // A round without progress is the last but one: what then still waits for an object fails.
    let mut may_wait = true;
    loop {
        let mut has_run = false;
        for progress in &mut all {
            has_run |= progress.advance(&mut executor, may_wait)?;
        }
        if all.iter().all(Progress::is_done) {
            break;
        }
        may_wait = has_run;
    }
    report(&all, console, problems);
    Ok(())
}

fn report(all: &[Progress<'_>], console: &Console, problems: &mut Problems) {
    for progress in all {
        let title = &progress.script.title;
        if progress.run > 0 {
            let noun = if progress.run == 1 { "statement" } else { "statements" };
            console.line(&format!("  {title:<24} {} SQL {noun}", progress.run));
        }
        for kept in &progress.kept {
            console.line(&format!("  {title}: {kept}"));
        }
        progress.failures.iter().for_each(|failure| problems.add(failure));
    }
}

impl<'a> Progress<'a> {
    fn new(script: &'a Script) -> Progress<'a> {
        let statements = sql::script(&script.text, ';');
        Progress { script, statements, next: 0, run: 0, kept: Vec::new(), failures: Vec::new(), has_begun: false }
    }

    fn is_done(&self) -> bool {
        self.next >= self.statements.len()
    }

    /// Runs statements up to the end, or up to one that waits; whether any was run. Registers are set again at each round.
    fn advance(&mut self, executor: &mut Executor, may_wait: bool) -> Result<bool, String> {
        if self.is_done() {
            return Ok(false);
        }
        executor.begin()?;
        let done = self.executed(executor)?;
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut has_run = !self.has_begun;
        self.has_begun = true;
        for at in 0..self.statements.len() {
            let statement = self.statements[at].clone();
            let text = &statement.text;
            let verb = first_word(text);
            if verb == "SET" {
                self.execute(executor, &statement, None, false)?;
                continue;
            }
            let key = key(text, &executor.current_schema, &mut seen);
            if at < self.next || done.contains(&key) || verb == "DROP" || verb == "SELECT" || verb == "WITH" {
                self.next = self.next.max(at + 1);
                continue;
            }
            let record = format!("insert into db2.set_up (step, statement) values ({}, '{key}')", string(&self.script.title));
            if !self.execute(executor, &statement, Some(&record), may_wait)? {
                return Ok(has_run);
            }
            has_run = true;
            self.next = at + 1;
        }
        self.next = self.statements.len();
        Ok(has_run)
    }

    /// False: the statement waits for an object.
    fn execute(
        &mut self,
        executor: &mut Executor,
        statement: &sql::ScriptStatement,
        record: Option<&str>,
        may_wait: bool,
    ) -> Result<bool, String> {
        match executor.statement(&statement.text, record, &mut Listing::default()) {
            Ok(Finished::Done) => self.run += 1,
            Ok(Finished::NoEffect(_)) => {}
            Err(Failure::Sql(error)) if error.code == UNDEFINED && may_wait => return Ok(false),
            Err(Failure::Sql(error)) if error.code == EXISTS => {
                let name = error.tokens.first().cloned().unwrap_or_default();
                self.kept.push(format!("{name} exists already and is left as it is"));
                if let Some(record) = record {
                    executor.plain(record).map_err(|failure| failure.to_string())?;
                }
            }
            Err(Failure::Sql(error)) => {
                let located = Located::new(&self.script.text, self.script.line, statement, &error);
                self.failures.push(format!("{}:{located}", self.script.path.display()));
                crate::log::write(format!("{}: {}\n", self.script.title, error.cause).as_bytes());
            }
            Err(Failure::Lost(why)) => return Err(format!("{}: {why}", self.script.title)),
        }
        Ok(true)
    }

    /// What was run at earlier starts.
    fn executed(&self, executor: &mut Executor) -> Result<BTreeSet<String>, String> {
        let query = format!("select statement from db2.set_up where step = {}", string(&self.script.title));
        let rows = executor.rows(&query).map_err(|failure| failure.to_string())?;
        Ok(rows.into_iter().flatten().collect())
    }
}

/// By what the record knows a statement: its text and the schema in force; the second of two that are alike has another key.
fn key(text: &str, schema: &str, seen: &mut BTreeSet<String>) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = format!("{schema}\n{}", words.join(" "));
    let first = format!("{:08x}{:x}", crc32fast::hash(text.as_bytes()), text.len());
    let mut key = first.clone();
    for number in 2.. {
        if seen.insert(key.clone()) {
            break;
        }
        key = format!("{first}.{number}");
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_statements_apart() {
        let mut seen = BTreeSet::new();
        let first = key("INSERT INTO T  VALUES (1)", "A", &mut seen);
        assert_eq!(key("INSERT INTO T VALUES (1)", "A", &mut BTreeSet::new()), first, "blanks do not count");
        assert_ne!(key("INSERT INTO T VALUES (1)", "A", &mut seen), first, "the same twice is two statements");
        assert_ne!(key("INSERT INTO T VALUES (1)", "B", &mut BTreeSet::new()), first);
    }
}
