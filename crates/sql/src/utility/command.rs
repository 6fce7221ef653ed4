//! Commands of the DSN command processor, as IKJEFT01, IKJEFT1A and IKJEFT1B read them from SYSTSIN.

use crate::diagnostic::Diagnostic;

/// One command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DsnCommand {
    /// DSN SYSTEM(name).
    Dsn {
        system: String,
    },
    Run(Run),
    Bind(Bind),
    End,
    /// Another command of TSO or Db2, as written.
    Other(String),
}

/// RUN PROGRAM(name) PLAN(name) LIB('library') PARMS('parameters').
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    pub program: String,
    pub plan: Option<String>,
    pub library: Option<String>,
    pub parameters: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BindVerb {
    Bind,
    Rebind,
    Free,
}

/// BIND, REBIND and FREE of a plan or package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bind {
    pub verb: BindVerb,
    pub is_plan: bool,
    /// Of the plan, or the collection of the package.
    pub name: String,
    /// Keyword and value, in order; keywords in upper case.
    pub options: Vec<(String, String)>,
}

impl Bind {
    /// The value of an option, which the command may abbreviate to three letters.
    pub fn option(&self, name: &str) -> Option<&str> {
        const LETTERS_MIN: usize = 3;
        let is = |keyword: &str| keyword == name || keyword.len() >= LETTERS_MIN && name.starts_with(keyword);
        self.options.iter().find(|(keyword, _)| is(keyword)).map(|(_, value)| value.as_str())
    }
}

/// Programs of Db2 that execute SQL which they read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SqlProgram {
    /// Statements without results: DSNTIAD.
    Statements,
    /// Statements and queries with listed results: DSNTEP2, DSNTEP4.
    Listing,
    /// Unloads tables: DSNTIAUL.
    Unload,
}

/// What a program is, by its name.
pub fn sql_program(name: &str) -> Option<SqlProgram> {
    match name.to_uppercase().as_str() {
        "DSNTIAD" => Some(SqlProgram::Statements),
        "DSNTEP2" | "DSNTEP4" => Some(SqlProgram::Listing),
        "DSNTIAUL" => Some(SqlProgram::Unload),
        _ => None,
    }
}

/// The commands of SYSTSIN in order. A line that ends with a hyphen or plus sign is continued.
pub fn dsn_commands(text: &str) -> Result<Vec<DsnCommand>, Diagnostic> {
    let mut commands = Vec::new();
    for (offset, line) in logical_lines(text) {
        if let Some(command) = command(&line, offset)? {
            commands.push(command);
        }
    }
    Ok(commands)
}

/// Lines with their continuations, without comments, and the offset of each.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut current: Option<(usize, String)> = None;
    let mut offset = 0;
    for line in without_comments(text).split_inclusive('\n') {
        let trimmed = line.trim();
        let continued = trimmed.strip_suffix(['-', '+']);
        let (begin, mut joined) = current.take().unwrap_or((offset, String::new()));
        joined.push_str(continued.unwrap_or(trimmed).trim_end());
        match continued {
            Some(_) => {
                joined.push(' ');
                current = Some((begin, joined));
            }
            None => lines.push((begin, joined)),
        }
        offset += line.len();
    }
    lines.extend(current);
    lines.retain(|(_, line)| !line.trim().is_empty());
    lines
}

/// Comments become blanks of the same length; one that is not closed ends with its line.
fn without_comments(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        let line_end = rest[at..].find('\n').map_or(rest.len(), |end| at + end);
        let end = rest[at..line_end].find("*/").map_or(line_end, |end| at + end + 2);
        result.push_str(&rest[..at]);
        result.push_str(&" ".repeat(end - at));
        rest = &rest[end..];
    }
    result.push_str(rest);
    result
}

fn command(line: &str, offset: usize) -> Result<Option<DsnCommand>, Diagnostic> {
    let mut words = Words { line, at: 0, offset };
    let Some(verb) = words.word() else { return Ok(Some(DsnCommand::Other(line.trim().to_string()))) };
    Ok(Some(match verb.as_str() {
        "DSN" => {
            let options = words.options()?;
            let system = options.iter().find(|(keyword, _)| "SYSTEM".starts_with(keyword.as_str()));
            DsnCommand::Dsn { system: system.map(|(_, value)| value.to_uppercase()).unwrap_or_default() }
        }
        "RUN" => DsnCommand::Run(run(&mut words)?),
        "BIND" | "REBIND" | "FREE" => DsnCommand::Bind(bind(&verb, &mut words)?),
        "END" => DsnCommand::End,
        _ => DsnCommand::Other(line.trim().to_string()),
    }))
}

fn run(words: &mut Words<'_>) -> Result<Run, Diagnostic> {
    let mut run = Run::default();
    for (keyword, value) in words.options()? {
        match keyword.as_str() {
            "PROGRAM" | "PROG" => run.program = value.to_uppercase(),
            "PLAN" => run.plan = Some(value.to_uppercase()),
            "LIB" | "LIBRARY" => run.library = Some(unquoted(&value).to_uppercase()),
            "PARMS" | "PARM" | "PARMETERS" => run.parameters = unquoted(&value),
            "CP" => {}
            _ => return Err(words.unexpected(&keyword, "PROGRAM PLAN LIB PARMS")),
        }
    }
    if run.program.is_empty() {
        return Err(words.unexpected("RUN", "PROGRAM(name)"));
    }
    Ok(run)
}

fn bind(verb: &str, words: &mut Words<'_>) -> Result<Bind, Diagnostic> {
    let options = words.options()?;
    let Some(((kind, name), options)) = options.split_first() else { return Err(words.unexpected(verb, "PLAN PACKAGE")) };
    let is_plan = match kind.as_str() {
        "PLAN" => true,
        "PACKAGE" | "TRIGGER" | "SERVICE" | "QUERY" => false,
        _ => return Err(words.unexpected(kind, "PLAN PACKAGE")),
    };
    let verb = match verb {
        "BIND" => BindVerb::Bind,
        "REBIND" => BindVerb::Rebind,
        _ => BindVerb::Free,
    };
    Ok(Bind { verb, is_plan, name: name.to_uppercase(), options: options.to_vec() })
}

fn unquoted(value: &str) -> String {
    match value.trim().strip_prefix('\'').and_then(|value| value.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'"),
        None => value.trim().to_string(),
    }
}

/// The words of a command, and values in parentheses behind them.
struct Words<'a> {
    line: &'a str,
    at: usize,
    offset: usize,
}

impl Words<'_> {
    fn rest(&mut self) -> &str {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        &self.line[self.at..]
    }

    fn word(&mut self) -> Option<String> {
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '@' | '#' | '$' | '&' | '.'))).unwrap_or(rest.len());
        let word = rest[..length].to_uppercase();
        self.at += length;
        (length > 0).then_some(word)
    }

    /// All keywords with their values; a keyword alone has an empty one.
    fn options(&mut self) -> Result<Vec<(String, String)>, Diagnostic> {
        let mut options = Vec::new();
        while !self.rest().is_empty() {
            let Some(keyword) = self.word() else {
                let found = self.rest().chars().next().unwrap_or(' ').to_string();
                return Err(self.unexpected(&found, "a keyword"));
            };
            let value = if self.rest().starts_with('(') { self.value()? } else { String::new() };
            options.push((keyword, value));
        }
        Ok(options)
    }

    /// The text between a parenthesis and its partner; parentheses in quotes do not count.
    fn value(&mut self) -> Result<String, Diagnostic> {
        let (mut depth, mut in_quotes) = (0, false);
        let rest = &self.line[self.at..];
        for (at, c) in rest.char_indices() {
            match c {
                '\'' => in_quotes = !in_quotes,
                '(' if !in_quotes => depth += 1,
                ')' if !in_quotes => {
                    depth -= 1;
                    if depth == 0 {
                        let value = rest[1..at].trim().to_string();
                        self.at += at + 1;
                        return Ok(value);
                    }
                }
                _ => {}
            }
        }
        // A parenthesis that is missing at the end of the command is taken as there.
        if in_quotes {
            return Err(self.unexpected("'", "a closing quote"));
        }
        let value = rest[1..].trim().to_string();
        self.at = self.line.len();
        Ok(value)
    }

    fn unexpected(&self, found: &str, expected: &str) -> Diagnostic {
        let text = format!("{found} is not expected here");
        Diagnostic { offset: self.offset, warning: false, text, expected: Some(expected.to_string()) }
    }
}
