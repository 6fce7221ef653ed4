//! Definitions: CREATE, ALTER, DROP, GRANT and their like become statements of PostgreSQL, and notes on the clauses that have no effect there.
//!
//! Invariants: a clause is translated, noted, or an error that names it; the texts are executed in order, and the procedures of schema `db2`
//! that they call are those of `support/define.sql`.

mod alter;
mod body;
mod column;
mod constraint;
mod index;
mod object;
mod option;
mod privilege;
mod routine;
mod sequence;
mod table;
mod trigger;

use crate::ast::{DataType, Expression, Name, Query};
use crate::guard::{self, Names};
use crate::lexer::{self, Token};
use crate::names::{self, identifier, string};
use crate::options::UnitOptions;
use crate::parse::Parser;
use crate::problem::Problem;
use crate::translate::{Emitter, Hosts, Place};
use std::collections::HashMap;

/// A translated definition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Definition {
    /// Statements for the server, in order; none if the definition has no effect there.
    pub texts: Vec<String>,
    /// What was accepted and has no effect: `accepted, no effect: CLAUSE`.
    pub notes: Vec<String>,
}

impl Definition {
    /// All texts as one statement, for the extended protocol: several are a block.
    pub fn text(&self) -> String {
        match &self.texts[..] {
            [] => String::new(),
            [text] => text.clone(),
            texts => {
                let mut tag = "$definition$".to_string();
                while texts.iter().any(|text| text.contains(&tag)) {
                    tag.insert(1, '_');
                }
                format!("DO {tag} BEGIN {}; END {tag}", texts.join("; "))
            }
        }
    }
}

/// Objects that exist only in Db2.
const WITHOUT_EFFECT: &[&str] =
    &["DATABASE", "STOGROUP", "TABLESPACE", "LOB", "LARGE", "AUXILIARY", "AUX", "TRUSTED", "MASK", "PERMISSION"];
/// Objects whose bodies are programs.
const PROGRAMS: &[&str] = &["TRIGGER", "PROCEDURE", "FUNCTION"];

/// Translates a statement that begins with one of the verbs of definitions.
pub fn definition(text: &str, options: &UnitOptions) -> Result<Definition, Problem> {
    let mut tokens = lexer::tokens(text, options)?;
    let check = check_option(&mut tokens);
    if tokens.iter().take(4).any(|token| token.word().is_some_and(|word| PROGRAMS.contains(&word))) {
        body::labels(&mut tokens);
    }
    let parser = Parser::new(text, &tokens);
    let mut definer = Definer { text, parser, options, check, result: Definition::default(), names: Names::default(), locals: Vec::new() };
    definer.statement()?;
    definer.parser.expect_end()?;
    let check = definer.names.check();
    if !check.is_empty() && !definer.result.texts.is_empty() {
        definer.result.texts.insert(0, check);
    }
    Ok(definer.result)
}

/// Takes WITH CHECK OPTION from the end of CREATE VIEW, where the clauses of a query end too.
fn check_option(tokens: &mut Vec<Token>) -> Option<&'static str> {
    let end = tokens.iter().rposition(|token| token.is_word("OPTION"))?;
    let is = |back: usize, word: &str| end >= back && tokens[end - back].is_word(word);
    let is_last = tokens[end + 1..].iter().all(|token| token.is_symbol(";") || token.kind == lexer::TokenKind::End);
    let is_view = tokens.first().is_some_and(|token| token.is_word("CREATE")) && tokens.iter().take(4).any(|token| token.is_word("VIEW"));
    if !is_last || !is_view || !is(1, "CHECK") {
        return None;
    }
    let (length, clause) = match () {
        () if is(2, "WITH") => (3, "CASCADED"),
        () if is(2, "CASCADED") && is(3, "WITH") => (4, "CASCADED"),
        () if is(2, "LOCAL") && is(3, "WITH") => (4, "LOCAL"),
        () => return None,
    };
    tokens.drain(end + 1 - length..=end);
    Some(clause)
}

/// The translator of one definition.
struct Definer<'a> {
    text: &'a str,
    parser: Parser<'a>,
    options: &'a UnitOptions,
    /// WITH CHECK OPTION of a view.
    check: Option<&'static str>,
    result: Definition,
    /// What the server must check first.
    names: Names,
    /// Names of a body that stand for something else where no table is in scope, and their texts.
    locals: Vec<(String, String)>,
}

impl Definer<'_> {
    fn statement(&mut self) -> Result<(), Problem> {
        const VERBS: [&str; 11] =
            ["CREATE", "ALTER", "DROP", "DECLARE", "GRANT", "REVOKE", "COMMENT", "LABEL", "RENAME", "REFRESH", "EXCHANGE"];
        match self.parser.take_one(&VERBS) {
            Some("CREATE") => self.create(),
            Some("ALTER") => self.alter(),
            Some("DROP") => self.drop(),
            Some("DECLARE") => self.declare_temporary(),
            Some("GRANT") => self.grant(),
            Some("REVOKE") => self.revoke(),
            Some("COMMENT") => self.comment(),
            Some("RENAME") => self.rename(),
            Some("REFRESH") => {
                self.parser.expect("TABLE")?;
                let name = self.object("REFRESH")?;
                self.emit(format!("REFRESH MATERIALIZED VIEW {name}"));
                Ok(())
            }
            Some("LABEL") => self.without_effect(),
            Some(verb) => Err(self.parser.unsupported(verb)),
            None => Err(self.parser.unexpected("CREATE ALTER DROP GRANT REVOKE COMMENT LABEL RENAME")),
        }
    }

    fn create(&mut self) -> Result<(), Problem> {
        let replace = self.parser.take_words(&["OR", "REPLACE"]);
        let Some(word) = self.parser.token().word() else { return Err(self.parser.unexpected("TABLE INDEX VIEW")) };
        match word {
            "TABLE" => self.create_table(),
            "UNIQUE" | "INDEX" => self.create_index(),
            "VIEW" => self.create_view(replace),
            "GLOBAL" => self.create_temporary(),
            "ALIAS" | "SYNONYM" | "PUBLIC" => self.create_alias(),
            "SEQUENCE" => self.create_sequence(),
            "TYPE" | "DISTINCT" => self.create_type(),
            "SCHEMA" => {
                self.parser.next();
                let name = self.parser.simple_name()?;
                guard::changeable_schema(&name, "CREATE")?;
                self.emit(format!("CALL db2.ensure_schema({})", folded(name.last())));
                self.without_effect_rest()
            }
            "ROLE" => {
                self.parser.next();
                let name = self.parser.simple_name()?;
                self.emit(format!("CALL db2.ensure_role({})", folded(name.last())));
                Ok(())
            }
            _ if WITHOUT_EFFECT.contains(&word) => self.without_effect(),
            "FUNCTION" => self.create_function(replace),
            "PROCEDURE" => self.create_procedure(replace),
            "TRIGGER" => self.create_trigger(replace),
            "VARIABLE" => Err(self.parser.unsupported("CREATE VARIABLE")),
            _ => Err(self.parser.unexpected("TABLE INDEX VIEW ALIAS SYNONYM SEQUENCE TYPE DATABASE TABLESPACE STOGROUP")),
        }
    }

    fn emit(&mut self, text: String) {
        debug_assert!(!text.ends_with(';'), "a text is one statement");
        self.result.texts.push(text);
    }

    fn note(&mut self, clause: &str) {
        let words: Vec<&str> = clause.split_whitespace().collect();
        self.result.notes.push(format!("accepted, no effect: {}", words.join(" ")));
    }

    /// Notes the source from `begin` to the current token.
    fn note_from(&mut self, begin: usize) {
        let end = self.parser.offset().max(begin);
        let clause = self.text.get(begin..end).unwrap_or_default().to_string();
        self.note(clause.trim());
    }

    /// The whole statement has no effect: it is noted by its first words.
    fn without_effect(&mut self) -> Result<(), Problem> {
        const WORDS_MAX: usize = 6;
        let first: Vec<&str> = self.text.split_whitespace().take(WORDS_MAX).collect();
        let head = first.join(" ");
        self.note(head.trim_end_matches(';'));
        self.skip_rest();
        Ok(())
    }

    /// The rest of the statement has no effect.
    fn without_effect_rest(&mut self) -> Result<(), Problem> {
        let begin = self.parser.offset();
        self.skip_rest();
        if self.parser.offset() > begin {
            self.note_from(begin);
        }
        Ok(())
    }

    fn skip_rest(&mut self) {
        while !self.parser.at_end() {
            self.parser.next();
        }
    }

    /// Takes the name of an object that the operation changes; returns it as PostgreSQL spells it.
    fn object(&mut self, operation: &str) -> Result<String, Problem> {
        let name = self.parser.name()?;
        self.names.changed(&name, operation)
    }

    /// Takes the name of a table that is looked at.
    fn read_object(&mut self) -> Result<String, Problem> {
        let name = self.parser.name()?;
        self.names.read(&name)
    }

    /// The type of the server for a data type.
    fn type_name(&mut self, data_type: &DataType) -> Result<String, Problem> {
        self.emitted(|emitter| emitter.type_name(data_type))
    }

    /// Takes the name of an object to be created, whose schema is made if there is none.
    fn new_object(&mut self) -> Result<(Name, String), Problem> {
        let name = self.parser.name()?;
        guard::changeable(&name, "CREATE")?;
        match name.qualifiers().last().map(String::as_str) {
            Some("SESSION") => {}
            Some(schema) => self.emit(format!("CALL db2.ensure_schema({})", folded(schema))),
            None => self.emit("CALL db2.ensure_schema()".to_string()),
        }
        let object = names::object(&name);
        Ok((name, object))
    }

    fn emitted<T>(&mut self, part: impl FnOnce(&mut Emitter<'_>) -> Result<T, Problem>) -> Result<T, Problem> {
        let tables = HashMap::new();
        let mut emitter = Emitter::new(self.options, Hosts::none(), &tables);
        emitter.locals.clone_from(&self.locals);
        let result = part(&mut emitter);
        self.names.merge(emitter.names);
        result
    }

    fn query_text(&mut self, query: &Query) -> Result<String, Problem> {
        self.emitted(|emitter| emitter.select_statement(query, false))
    }

    fn condition_text(&mut self, condition: &Expression) -> Result<String, Problem> {
        self.emitted(|emitter| emitter.condition(condition))
    }

    fn value_text(&mut self, value: &Expression, place: &Place) -> Result<String, Problem> {
        self.emitted(|emitter| emitter.value(value, place))
    }

    /// (a, b): names of columns.
    fn columns(&mut self) -> Result<Vec<String>, Problem> {
        let names = self.parser.parenthesized(Parser::simple_name)?;
        Ok(names.iter().map(|name| identifier(name.last())).collect())
    }
}

/// A name as a string constant, in the case that the server has it.
fn folded(name: &str) -> String {
    string(&names::folded(name))
}

/// An array constant.
fn array(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| string(item)).collect();
    format!("ARRAY[{}]::text[]", items.join(", "))
}
