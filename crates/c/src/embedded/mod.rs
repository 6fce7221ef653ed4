//! EXEC SQL in C, as Db2's coprocessor compiles it: a survey of all statements of a source and its headers, then each in its turn with the
//! host variables in scope; WHENEVER, and the place of SQLCODE.
//!
//! Invariants: the variables of a statement's request are those of its compiled statement, in order; WHENEVER applies to the statements
//! behind it in the text.

mod constants;
mod declarations;
mod generate;
mod host;
mod initial;
mod sql_type;
mod text;
mod types;

use crate::scan::{Place, Scanner, Unit};
use cobol::diagnostics::{Diagnostic, Diagnostics, Severity};
use declarations::{Declarations, Token};
use generate::{Jump, Request};
use host::Host;
use sql::{Action, UnitOptions, WheneverCondition};
use text::{Block, HostNames};
use types::Type;

pub use host::DECIMAL_INSTEAD;
pub use sql_type::refusal;
pub use text::Unfinished;

const WARNING: &str = "SQ1004";
/// The communication area of a program.
const AREA: &str = "struct sqlca sqlca;";
const SEVERE: &str = "SQ1012";

/// Where a statement stands.
pub struct Site<'a> {
    pub source: &'a str,
    /// As `#line` has it.
    pub file: &'a str,
    /// Of the word EXEC.
    pub start: Place,
    /// Behind the word SQL.
    pub from: Place,
}

/// What becomes of a statement.
pub enum Translated {
    Code(String),
    /// A member to be included.
    Include(String),
    Nothing,
}

/// Analyses static SQL by the tables of a database.
pub trait Analysis {
    /// What is wrong with these statements. `texts` are the words of EXEC SQL that they and the declarations of their cursors come from.
    fn analyse(&self, statements: &[sql::Statement], texts: &[&str]) -> Vec<Finding>;
}

/// What an analysis has found.
pub struct Finding {
    /// Number of the text, and the offset in it.
    pub text: usize,
    pub offset: usize,
    pub message: String,
}

/// The SQL of a source and the headers it includes.
pub struct Embedded {
    options: UnitOptions,
    unit: sql::Unit,
    names: HostNames,
    declarations: Declarations,
    /// Jumps for not found, error and warning.
    whenever: [Option<Jump>; 3],
    /// Compiled statements in their encoded form, and the number of the first.
    pub statements: Vec<Vec<u8>>,
    base: usize,
    /// The statements of the source in its order.
    blocks: Vec<Block>,
    /// There are EXEC CICS commands: COMMIT and ROLLBACK cannot end a unit of work.
    has_commands: bool,
    /// There is SQL at all; else declarations are of no interest.
    is_active: bool,
    without_area: bool,
}

impl Embedded {
    /// For a source in this code page whose statements are numbered from `base`.
    pub fn new(ccsid: u16, ebcdic: bool, base: usize) -> Embedded {
        let options = UnitOptions { ccsid, ebcdic_order: ebcdic, ..UnitOptions::default() };
        Embedded {
            unit: sql::Unit::new(options.clone()),
            options,
            names: HostNames::default(),
            declarations: Declarations::default(),
            whenever: [None, None, None],
            statements: Vec::new(),
            base,
            blocks: Vec::new(),
            has_commands: false,
            is_active: false,
            without_area: false,
        }
    }

    /// Learns the cursors and tables of a source before it is translated. The result: members that it includes.
    pub fn survey(&mut self, source: &str) -> Vec<String> {
        let mut scanner = Scanner::new(source);
        let mut members = Vec::new();
        loop {
            let (unit, word, start) = scanner.next();
            match unit {
                Unit::End => return members,
                Unit::Directive => members.push(word.to_string()),
                Unit::Word if word.eq_ignore_ascii_case("EXEC") => {
                    let Some(from) = behind_sql(source, scanner.at) else {
                        self.has_commands |= behind(source, scanner.at, "CICS").is_some();
                        continue;
                    };
                    self.is_active = true;
                    match text::read(source, start, from, &mut self.names) {
                        Ok(block) => {
                            scanner.at = block.end;
                            self.survey_block(&block, &mut members);
                        }
                        Err(unfinished) => scanner.at = unfinished.resume,
                    }
                }
                _ => {}
            }
        }
    }

    fn survey_block(&mut self, block: &Block, members: &mut Vec<String>) {
        let Ok(parsed) = sql::parse(&block.text, &self.options) else { return };
        if let Some(member) = parsed.included() {
            members.push(include_line(member));
        }
        self.unit.survey(&parsed);
    }

    /// Reads C between statements.
    pub fn declare(&mut self, text: &str) {
        if self.is_active {
            self.declarations.read(text);
        }
    }

    /// Translates a statement; the result with the place behind it.
    pub fn statement(&mut self, site: &Site<'_>, diagnostics: &mut Diagnostics) -> (Translated, Place) {
        let block = match text::read(site.source, site.start, site.from, &mut self.names) {
            Ok(block) => block,
            Err(Unfinished { place, length, text, resume }) => {
                diagnostics.severe(SEVERE, place.span(length), text);
                return (Translated::Nothing, resume);
            }
        };
        let translated = self.compiled(site, &block, diagnostics).unwrap_or(Translated::Nothing);
        let end = block.end;
        self.blocks.push(block);
        (translated, end)
    }

    /// Warns of what the tables of a database do not have.
    pub fn analyse(&self, analysis: &dyn Analysis, diagnostics: &mut Diagnostics) {
        let statements: Vec<_> = self.statements.iter().filter_map(|bytes| sql::Statement::decode(bytes)).collect();
        let texts: Vec<&str> = self.blocks.iter().map(|block| block.text.as_str()).collect();
        for Finding { text, offset, message } in analysis.analyse(&statements, &texts) {
            diagnostics.warning(WARNING, self.blocks[text].place(offset).span(1), message);
        }
    }

    /// `None`: messages say why.
    fn compiled(&mut self, site: &Site<'_>, block: &Block, diagnostics: &mut Diagnostics) -> Option<Translated> {
        let parsed = match sql::parse(&block.text, &self.options) {
            Ok(parsed) => parsed,
            Err(problems) => return report(&problems, block, diagnostics),
        };
        if let Some(member) = parsed.included() {
            return Some(self.include(member));
        }
        if let Some(whenever) = parsed.whenever() {
            self.note_whenever(&whenever, site, block);
            return Some(Translated::Nothing);
        }
        let references = self.unit.references(&parsed);
        let (mut expansions, mut hosts, mut failed) = (Vec::new(), Vec::new(), false);
        for reference in &references {
            let written = self.names.written(&reference.name);
            let indicator = reference.indicator.as_ref().map(|name| self.names.written(name));
            let (Some(written), None | Some(Some(_))) = (written, indicator) else {
                debug_assert!(false, "the reader of the statement names every host variable that the parser finds");
                failed = true;
                diagnostics.severe(SEVERE, block.place(reference.offset).span(1), "this host variable cannot be read".to_string());
                continue;
            };
            match host::hosts(&self.declarations, reference, written, indicator.flatten()) {
                Ok(found) => {
                    expansions.push(found.iter().map(|host| host.variable.clone()).collect::<Vec<_>>());
                    hosts.extend(found);
                }
                Err(text) => {
                    failed = true;
                    let place = if reference.offset == 0 { site.start } else { block.place(reference.offset) };
                    let length = if reference.offset == 0 { 4 } else { written.text().chars().count() + 1 };
                    diagnostics.severe(SEVERE, place.span(length), text);
                }
            }
        }
        if failed || expansions.len() != references.len() {
            return None;
        }
        let compiled = match self.unit.compile(&parsed, &expansions) {
            Ok(compiled) => compiled,
            Err(problems) => return report(&problems, block, diagnostics),
        };
        report::<()>(&compiled.warnings, block, diagnostics);
        match compiled.statement {
            Some(statement) => self.executable(&statement, &hosts, site, diagnostics),
            None => Some(Translated::Nothing),
        }
    }

    fn executable(
        &mut self,
        statement: &sql::Statement,
        hosts: &[Host],
        site: &Site<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Translated> {
        if self.has_commands && matches!(statement.action, Action::Commit | Action::Rollback) {
            let (word, code) = if statement.action == Action::Commit { ("COMMIT", -925) } else { ("ROLLBACK", -926) };
            let text = format!("{word} gives SQLCODE {code} under CICS; EXEC CICS SYNCPOINT ends the unit of work");
            diagnostics.warning(WARNING, site.start.span(4), text);
        }
        let result = self.result(site, diagnostics)?;
        let number = self.base + self.statements.len();
        self.statements.push(statement.encode());
        let request = Request { number, hosts, result, whenever: &self.whenever, line: site.start.line };
        Some(Translated::Code(request.text()))
    }

    fn include(&mut self, member: &str) -> Translated {
        match member.to_ascii_uppercase().as_str() {
            "SQLCA" => {
                self.declarations.read(include_str!("../../include/sqlca.h"));
                self.declarations.read(AREA);
                Translated::Code(format!("\n#include <sqlca.h>\n{AREA}"))
            }
            "SQLDA" => {
                self.declarations.read(include_str!("../../include/sqlda.h"));
                Translated::Code("\n#include <sqlda.h>\n".to_string())
            }
            _ => Translated::Include(include_line(member)),
        }
    }

    /// `#include` of a supplied header by the program itself.
    pub fn note_header(&mut self, name: &str) {
        match name {
            "sqlca.h" if self.is_active => self.declarations.read(include_str!("../../include/sqlca.h")),
            "sqlda.h" if self.is_active => self.declarations.read(include_str!("../../include/sqlda.h")),
            _ => {}
        }
    }

    fn note_whenever(&mut self, whenever: &sql::Whenever, site: &Site<'_>, block: &Block) {
        let slot = match whenever.condition {
            WheneverCondition::NotFound => 0,
            WheneverCondition::SqlError => 1,
            WheneverCondition::SqlWarning => 2,
        };
        let (label, place) = block.last_word.clone();
        self.whenever[slot] = whenever.go_to.is_some().then(|| Jump { label, place, file: site.file.to_string() });
    }

    /// Where the statement leaves SQLCODE.
    fn result(&mut self, site: &Site<'_>, diagnostics: &mut Diagnostics) -> Option<generate::Outcome> {
        if self.declarations.find("sqlca").is_some() {
            return Some(generate::Outcome::Area);
        }
        let is_code = |kind: &Type| matches!(kind, Type::Integer { bytes: 4, unsigned: false });
        let code = self.declarations.find("SQLCODE").is_some_and(|declared| is_code(&declared.kind));
        let state = self.declarations.find("SQLSTATE").is_some_and(|declared| matches!(&declared.kind, Type::Array(_, Some(5 | 6))));
        if code || state {
            return Some(generate::Outcome::Own { code, state });
        }
        if !std::mem::replace(&mut self.without_area, true) {
            let text = "the program has no SQLCA for the results of its SQL statements";
            let message = Diagnostic::new(Severity::Severe, SEVERE, site.start.span(4), text);
            diagnostics.push(message.expected("EXEC SQL INCLUDE SQLCA;"));
        }
        None
    }
}

/// Behind the word SQL, if it comes next.
pub fn behind_sql(source: &str, at: Place) -> Option<Place> {
    behind(source, at, "SQL")
}

fn behind(source: &str, at: Place, word: &str) -> Option<Place> {
    let mut scanner = Scanner::new(source);
    scanner.at = at;
    loop {
        match scanner.next() {
            (Unit::Space, ..) => {}
            (Unit::Word, found, _) if found.eq_ignore_ascii_case(word) => return Some(scanner.at),
            _ => return None,
        }
    }
}

/// `SQL TYPE IS` and its type, if they come next behind a word SQL at `start`: the type in C, and the place behind it. `Err`: the words
/// name no type.
pub fn sql_type_at(source: &str, at: Place) -> Option<Result<(String, Place), Place>> {
    /// Tokens of the longest type.
    const TOKENS: usize = 12;
    let mut scanner = Scanner::new(source);
    scanner.at = at;
    let (mut tokens, mut ends): (Vec<Token>, Vec<Place>) = (Vec::new(), Vec::new());
    while tokens.len() < TOKENS {
        match scanner.next() {
            (Unit::End, ..) => break,
            (Unit::Space, ..) => {}
            (unit, text, _) => {
                tokens.push((unit, text));
                ends.push(scanner.at);
            }
        }
    }
    let [(_, first), (_, second), rest @ ..] = tokens.as_slice() else { return None };
    if !first.eq_ignore_ascii_case("TYPE") || !second.eq_ignore_ascii_case("IS") {
        return None;
    }
    Some(match sql_type::parse(rest) {
        Some((kind, length, count)) => Ok((sql_type::in_c(kind, length), ends[1 + count])),
        None => Err(ends[1]),
    })
}

fn include_line(member: &str) -> String {
    format!("#include \"{member}\"")
}

fn report<T>(problems: &[sql::Diagnostic], block: &Block, diagnostics: &mut Diagnostics) -> Option<T> {
    for problem in problems {
        let (severity, code) = if problem.warning { (Severity::Warning, WARNING) } else { (Severity::Severe, SEVERE) };
        let mut message = Diagnostic::new(severity, code, block.place(problem.offset).span(1), problem.text.clone());
        if let Some(expected) = &problem.expected {
            message = message.expected(expected.clone());
        }
        diagnostics.push(message);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::translate;

    /// Messages, as line, column and text, and the translation.
    fn translated(source: &str) -> (Vec<String>, String) {
        let mut diagnostics = Diagnostics::default();
        let text = translate("t.c", source, None, &mut Embedded::new(37, true, 0), &mut diagnostics).text;
        let messages = diagnostics.iter().map(|message| format!("{}:{}: {}", message.span.line, message.span.column, message.text));
        (messages.collect(), text)
    }

    /// The same of a function's body in a program with an SQLCA, on line 3.
    fn body(text: &str) -> Vec<String> {
        translated(&format!("EXEC SQL INCLUDE SQLCA;\nint main(void) {{ int total; char name[10]; short missing;\n{text}\nreturn 0; }}\n"))
            .0
    }

    #[test]
    fn errors_are_at_the_names_they_are_about() {
        for (text, message) in [
            ("EXEC SQL SELECT A INTO :totl FROM T;", "3:24: the host variable totl is not declared; did you mean total?"),
            ("EXEC SQL SELECT A\n  INTO :total:mising FROM T;", "4:8: the host variable mising is not declared; did you mean missing?"),
            ("EXEC SQL SELECT A INTO :total:name FROM T;", "3:24: name cannot be an indicator: it must be a short, and is an array"),
            ("EXEC SQL DELETE T;", "3:17: T"),
            (
                "EXEC SQL COMMIT;\nEXEC CICS SYNCPOINT;",
                "3:1: COMMIT gives SQLCODE -925 under CICS; EXEC CICS SYNCPOINT ends the unit of work",
            ),
            ("EXEC SQL FETCH NOWHERE INTO :total;", "3:"),
            (
                "EXEC SQL SET :name = 'A;\nx = 1;",
                "3:22: the string has no ' at its end; one that goes on has a backslash at the end of the line",
            ),
            ("EXEC SQL SET :total = 1\nEXEC SQL SET :total = 2;", "3:1: EXEC SQL SET :total has no semicolon at its end before line 4"),
            ("EXEC SQL INCLUDE NOWHERE;", "3:1: the member NOWHERE of INCLUDE is not found"),
            ("SQL TYPE IS NUMBER(5) x;", "3:1: SQL TYPE IS NUMBER(5) x names no type"),
        ] {
            let messages = body(text);
            assert!(messages.len() == 1 && messages[0].starts_with(message), "{text}: {messages:?}");
        }
        assert!(body("EXEC SQL COMMIT;").is_empty(), "a batch program ends its units of work itself");
        let (messages, _) = translated("int main(void) { int n;\n EXEC SQL SET :n = 1; EXEC SQL SET :n = 2; }");
        assert_eq!(messages, ["2:2: the program has no SQLCA for the results of its SQL statements"]);
    }

    #[test]
    fn what_follows_a_statement_keeps_its_line() {
        let source = "EXEC SQL INCLUDE SQLCA;\nint main(void) { long n;\nEXEC SQL\n SET :n\n = 1; n = 2;\nEXEC SQL WHENEVER\n SQLERROR\n GO TO out;\n";
        let (messages, text) = translated(source);
        assert!(messages.is_empty(), "{messages:?}");
        assert!(text.contains("\n#line 5 \"t.c\"\n      n = 2;") || text.contains("#line 5 \"t.c\"\n     "), "{text}");
        assert_eq!(text.rsplit("n = 2;").next().unwrap().matches('\n').count(), 4);
    }

    #[test]
    fn text_without_statements_is_unchanged() {
        for source in ["int sql = 1; char *exec = \"EXEC SQL COMMIT;\"; // EXEC SQL\n", "int SQL, TYPE; int EXEC;\n"] {
            let (messages, text) = translated(source);
            assert!(messages.is_empty() && text.ends_with(source), "{text}");
        }
    }

    #[test]
    fn cursors_are_known_from_all_of_the_source() {
        let source = "EXEC SQL INCLUDE SQLCA;\nint f(void) { int key; EXEC SQL OPEN C1; EXEC SQL DECLARE C1 CURSOR FOR SELECT A FROM T WHERE B = :key; }";
        assert_eq!(translated(source).0, [""; 0]);
        let source = source.replace("int key;", "int other;");
        let messages = translated(&source).0;
        assert!(messages.iter().any(|message| message.contains("the host variable key is not declared")), "{messages:?}");
    }

    #[test]
    fn long_sources_take_linear_time() {
        let mut source = "EXEC SQL INCLUDE SQLCA;\nint main(void) { long n;\n".to_string();
        source.push_str(&"EXEC SQL SET :n = :n + 1; n++;\n".repeat(20_000));
        source.push_str(&"if (n > 1) { char c; c = 'x'; }\n".repeat(80_000));
        source.push('}');
        let started = std::time::Instant::now();
        let (messages, _) = translated(&source);
        assert!(messages.is_empty() && started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
        let (messages, _) = translated(&format!("int main(void) {{ EXEC SQL SELECT {}", "'x', :n, (\n".repeat(100_000)));
        assert_eq!(messages.len(), 1);
    }
}
