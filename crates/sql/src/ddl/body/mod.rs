//! Bodies in SQL PL become PL/pgSQL.
//!
//! Each SQL statement of a body is one that the translator knows, so a body reaches nothing that a program does not. A statement whose compound
//! has a handler for errors is a block of its own: an error takes back that statement alone, and the handler runs, as in Db2. What is not
//! translated is refused by its name.
//!
//! Invariants: a text of a statement ends with a semicolon and a line end; names of the application are in quotes or come from the translator;
//! names that begin with `db2_` are those of this module.

mod compound;
mod control;
mod leaf;

use super::Definer;
use crate::ast::{DataType, Name};
use crate::lexer::{Token, TokenKind};
use crate::names::{delimited, folded};
use crate::problem::Problem;
use std::collections::HashMap;

/// What the body is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Function { returns: DataType },
    Procedure,
    Trigger { before: bool, correlations: Vec<String> },
}

/// A handler of a compound statement.
struct Handler {
    exits: bool,
    conditions: Vec<Condition>,
    body: String,
    /// The body re-raises the error, so it cannot handle NOT FOUND.
    resignals: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Condition {
    NotFound,
    Error,
    State(String),
}

/// A compound statement around the present one.
struct Compound {
    label: String,
    handlers: Vec<Handler>,
    conditions: HashMap<String, String>,
    /// False while its handlers are read: they do not handle each other's errors.
    is_active: bool,
}

/// A body under way.
pub(super) struct Body {
    kind: Kind,
    /// Variables and parameters, by name, that are in scope.
    variables: Vec<(String, Option<DataType>)>,
    compounds: Vec<Compound>,
    cursors: Vec<String>,
    /// Labels of the statements around, and whether they are loops.
    labels: Vec<(String, bool)>,
    /// The body looks at SQLCODE, SQLSTATE or the diagnostics.
    diagnoses: bool,
    in_handler: bool,
    /// A RESIGNAL without an SQLSTATE was read.
    resignals: bool,
    next_label: usize,
    depth: usize,
}

/// Statements that may be inside each other.
const NESTING_MAX: usize = 60;

/// A label and its colon look like a word and a host variable to the lexer. There are no host variables in a definition.
pub(super) fn labels(tokens: &mut Vec<Token>) {
    let mut split = Vec::with_capacity(tokens.len());
    for token in tokens.drain(..) {
        match &token.kind {
            TokenKind::Host { name, indicator: None, .. } if name.len() == 1 => {
                let word = TokenKind::Word(name[0].to_uppercase());
                split.push(Token { kind: TokenKind::Symbol(":"), end: token.offset + 1, ..token.clone() });
                split.push(Token { kind: word, ..token });
            }
            _ => split.push(token),
        }
    }
    *tokens = split;
}

impl Body {
    pub fn new(kind: Kind, parameters: Vec<(String, Option<DataType>)>) -> Body {
        Body {
            kind,
            variables: parameters,
            compounds: Vec::new(),
            cursors: Vec::new(),
            labels: Vec::new(),
            diagnoses: false,
            in_handler: false,
            resignals: false,
            next_label: 0,
            depth: 0,
        }
    }

    fn new_label(&mut self) -> String {
        self.next_label += 1;
        format!("db2_b{}", self.next_label)
    }

    fn variable(&self, name: &str) -> Option<&(String, Option<DataType>)> {
        self.variables.iter().rev().find(|(known, _)| known == name)
    }

    fn type_of(&self, name: &Name) -> Option<DataType> {
        if name.parts.len() > 1 { None } else { self.variable(name.last())?.1.clone() }
    }

    fn is_before_trigger(&self) -> bool {
        matches!(self.kind, Kind::Trigger { before: true, .. })
    }
}

impl Definer<'_> {
    /// The whole body, as the text of a PL/pgSQL function. `declarations` come before its own, `condition` is the WHEN of a trigger.
    pub(super) fn body(&mut self, body: &mut Body, declarations: &str, condition: Option<String>) -> Result<String, Problem> {
        body.diagnoses =
            self.parser.rest().iter().any(|token| ["SQLCODE", "SQLSTATE", "DIAGNOSTICS"].iter().any(|word| token.is_word(word)));
        let statement = self.body_statement(body)?;
        self.parser.take_symbol(";");
        let statement = match condition {
            Some(condition) => format!("IF {condition} THEN\n{statement}END IF;\n"),
            None => statement,
        };
        let end = match body.kind {
            Kind::Trigger { before: true, .. } => "IF tg_op = 'DELETE' THEN RETURN old; END IF;\nRETURN new;\n",
            Kind::Trigger { .. } => "RETURN NULL;\n",
            Kind::Function { .. } | Kind::Procedure => "",
        };
        Ok(format!(
            "#variable_conflict use_column\nDECLARE\n{declarations}db2_rows bigint := 0;\ndb2_keep record;\ndb2_sqlcode integer := 0;\n\
             db2_sqlstate text := '00000';\ndb2_message text := '';\ndb2_hint text := '';\ndb2_detail text := '';\nBEGIN\n{statement}{end}END"
        ))
    }

    /// Texts for the names that a body gives to its own variables.
    fn special_names(&mut self, body: &Body) {
        let special = [("SQLCODE", "db2_sqlcode"), ("SQLSTATE", "db2_sqlstate")];
        for (name, text) in special {
            if body.variable(name).is_some() {
                self.locals.push((name.to_string(), text.to_string()));
            }
        }
    }

    /// One statement of a body; its semicolon stays.
    fn body_statement(&mut self, body: &mut Body) -> Result<String, Problem> {
        if body.depth == NESTING_MAX {
            return Err(Problem::too_complex(self.parser.offset()));
        }
        body.depth += 1;
        let text = self.labelled_statement(body);
        body.depth -= 1;
        text
    }

    fn labelled_statement(&mut self, body: &mut Body) -> Result<String, Problem> {
        let label = match self.parser.token().word() {
            Some(word) if self.parser.ahead(1).is_symbol(":") => Some(word.to_string()),
            _ => None,
        };
        if label.is_some() {
            self.parser.next();
            self.parser.next();
        }
        let Some(word) = self.parser.token().word().map(str::to_string) else { return Err(self.parser.unexpected("BEGIN SET IF")) };
        let labels = body.labels.len();
        body.labels.extend(label.clone().map(|label| (label, word != "BEGIN")));
        let text = self.statement_of(body, &word, label);
        body.labels.truncate(labels);
        text
    }

    fn statement_of(&mut self, body: &mut Body, word: &str, label: Option<String>) -> Result<String, Problem> {
        match (word, &label) {
            ("BEGIN", _) => self.compound(body, label),
            ("WHILE" | "LOOP" | "REPEAT" | "FOR", _) => self.repeated(body, word, label),
            (_, Some(_)) => Err(self.parser.unexpected("BEGIN WHILE LOOP REPEAT FOR")),
            ("IF", _) => self.conditional(body),
            ("CASE", _) => self.case_statement(body),
            ("LEAVE" | "ITERATE", _) => {
                self.parser.next();
                let name = self.parser.simple_name()?;
                let is_known = body.labels.iter().any(|(label, is_loop)| label == name.last() && (*is_loop || word == "LEAVE"));
                if !is_known {
                    let text = format!("{} is not the label of a statement around {word}", name.last());
                    return Err(Problem::new(-779, "42736", name.offset, &[name.last()], text));
                }
                let verb = if word == "LEAVE" { "EXIT" } else { "CONTINUE" };
                Ok(format!("{verb} {};\n", delimited(&folded(name.last()))))
            }
            ("RETURN", _) => self.return_statement(body),
            ("SIGNAL" | "RESIGNAL", _) => self.signal(body),
            _ => self.leaf_statement(body, word),
        }
    }

    /// The statements up to one of these words.
    fn statements(&mut self, body: &mut Body, ends: &[&str]) -> Result<String, Problem> {
        let mut texts = String::new();
        while !ends.iter().any(|end| self.parser.at_word(end)) {
            if self.parser.at_end() {
                return Err(self.parser.unexpected(ends[0]));
            }
            texts += &self.body_statement(body)?;
            self.parser.expect_symbol(";")?;
        }
        if texts.is_empty() {
            texts += "NULL;\n";
        }
        Ok(texts)
    }

    /// What a statement assigns to.
    fn target(&mut self, body: &Body) -> Result<(String, Option<DataType>), Problem> {
        let name = self.parser.name()?;
        let column = |name: &Name| format!("new.{}", delimited(&folded(name.last())));
        if let Kind::Trigger { correlations, .. } = &body.kind {
            match name.qualifiers().last() {
                Some(qualifier) if correlations.contains(qualifier) => {
                    let own = delimited(&folded(qualifier));
                    return Ok((format!("{own}.{}", delimited(&folded(name.last()))), None));
                }
                None if body.variable(name.last()).is_none() && body.is_before_trigger() => return Ok((column(&name), None)),
                _ => {}
            }
        }
        if let Some((_, text)) = self.locals.iter().rev().find(|(own, _)| own == name.last() && name.parts.len() == 1) {
            return Ok((text.clone(), None));
        }
        if name.parts.len() > 1 || body.variable(name.last()).is_none() {
            let text = format!("{} is not a variable or parameter", name.parts.join("."));
            return Err(Problem::new(-206, "42703", name.offset, &[name.last()], text));
        }
        Ok((delimited(&folded(name.last())), body.type_of(&name)))
    }
}
