//! Statements that choose and repeat, RETURN and SIGNAL.

use super::leaf::{Counted, handled};
use super::{Body, Definer, Kind};
use crate::ast::{Body as QueryBody, Expression, ExpressionKind, Query, SelectItem};
use crate::names::{delimited, folded, string};
use crate::problem::Problem;

impl Definer<'_> {
    fn condition_of(&mut self) -> Result<String, Problem> {
        let condition = self.parser.condition()?;
        self.condition_text(&condition)
    }

    /// IF condition THEN ... ELSEIF ... ELSE ... END IF.
    pub(super) fn conditional(&mut self, body: &mut Body) -> Result<String, Problem> {
        self.parser.expect("IF")?;
        let mut text = format!("IF {} THEN\n", self.condition_of()?);
        self.parser.expect("THEN")?;
        loop {
            text += &self.statements(body, &["ELSEIF", "ELSE", "END"])?;
            if self.parser.take("ELSEIF") {
                text += &format!("ELSIF {} THEN\n", self.condition_of()?);
                self.parser.expect("THEN")?;
                continue;
            }
            if self.parser.take("ELSE") {
                text += "ELSE\n";
                text += &self.statements(body, &["END"])?;
            }
            self.parser.expect_words(&["END", "IF"])?;
            return Ok(text + "END IF;\n");
        }
    }

    /// CASE, with a value or with conditions. Without a branch that is taken, and without ELSE, it is an error in both.
    pub(super) fn case_statement(&mut self, body: &mut Body) -> Result<String, Problem> {
        self.parser.expect("CASE")?;
        let value = if self.parser.at_word("WHEN") { None } else { Some(self.parser.value()?) };
        let mut text = match &value {
            Some(value) => format!("CASE {}\n", self.plain_value(value)?),
            None => "CASE\n".to_string(),
        };
        while self.parser.take("WHEN") {
            let when = match value {
                Some(_) => {
                    let compared = self.parser.value()?;
                    self.plain_value(&compared)?
                }
                None => self.condition_of()?,
            };
            self.parser.expect("THEN")?;
            text += &format!("WHEN {when} THEN\n{}", self.statements(body, &["WHEN", "ELSE", "END"])?);
        }
        let other =
            if self.parser.take("ELSE") { self.statements(body, &["END"])? } else { "PERFORM db2.raise(-773, '20000');\n".to_string() };
        text += &format!("ELSE\n{other}");
        self.parser.expect_words(&["END", "CASE"])?;
        Ok(text + "END CASE;\n")
    }

    /// WHILE, LOOP, REPEAT and FOR.
    pub(super) fn repeated(&mut self, body: &mut Body, word: &str, label: Option<String>) -> Result<String, Problem> {
        self.parser.next();
        let own = label.as_ref().map(|label| format!("<<{}>>\n", delimited(&folded(label)))).unwrap_or_default();
        let text = match word {
            "WHILE" => {
                let condition = self.condition_of()?;
                self.parser.expect("DO")?;
                format!("{own}WHILE {condition} LOOP\n{}END LOOP;\n", self.statements(body, &["END"])?)
            }
            "REPEAT" => {
                let inside = self.statements(body, &["UNTIL"])?;
                self.parser.expect("UNTIL")?;
                format!("{own}LOOP\n{inside}EXIT WHEN {};\nEND LOOP;\n", self.condition_of()?)
            }
            "FOR" => self.for_statement(body, &own)?,
            _ => format!("{own}LOOP\n{}END LOOP;\n", self.statements(body, &["END"])?),
        };
        self.parser.expect("END")?;
        if self.parser.take_one(&["WHILE", "LOOP", "REPEAT", "FOR"]).is_none() {
            return Err(self.parser.unexpected(word));
        }
        self.end_label(label.as_deref())?;
        Ok(text)
    }

    /// The label behind an END must be that of the beginning.
    pub(super) fn end_label(&mut self, label: Option<&str>) -> Result<(), Problem> {
        match self.parser.token().word() {
            Some(word) if Some(word) == label => {
                self.parser.next();
                Ok(())
            }
            Some(word) => {
                let text = format!("label {word} is not that of the beginning");
                Err(Problem::new(-778, "428D5", self.parser.offset(), &[word], text))
            }
            None => Ok(()),
        }
    }

    /// Behind FOR: `[variable AS] [cursor CURSOR [WITH HOLD] FOR] select DO`.
    fn for_statement(&mut self, body: &mut Body, own: &str) -> Result<String, Problem> {
        let record = match self.parser.ahead(1).is_word("AS") {
            true => {
                let name = self.parser.simple_name()?;
                self.parser.next();
                folded(name.last())
            }
            false => body.new_label(),
        };
        if self.parser.ahead(1).is_word("CURSOR") {
            self.parser.next();
            self.parser.next();
            let _ = self.parser.take_words(&["WITH", "HOLD"]) || self.parser.take_words(&["WITHOUT", "HOLD"]);
            self.parser.expect("FOR")?;
        }
        let query = self.parser.query()?;
        let text = self.query_text(&query)?;
        self.parser.expect("DO")?;
        let known = self.locals.len();
        let record = delimited(&record);
        for column in columns_of(&query) {
            self.locals.push((column.clone(), format!("{record}.{}", delimited(&folded(&column)))));
        }
        let inside = self.statements(body, &["END"]);
        self.locals.truncate(known);
        Ok(format!("DECLARE\n{record} record;\nBEGIN\n{own}FOR {record} IN {text} LOOP\n{}END LOOP;\nEND;\n", inside?))
    }

    pub(super) fn return_statement(&mut self, body: &mut Body) -> Result<String, Problem> {
        self.parser.expect("RETURN")?;
        if let Kind::Function { returns } = &body.kind {
            let (value, returns) = (self.parser.value()?, returns.clone());
            let text = self.emitted(|emitter| emitter.cast(&value, &returns))?;
            return Ok(format!("RETURN {text};\n"));
        }
        if !self.parser.at_symbol(";") && !self.parser.at_end() {
            return Err(self.parser.unsupported("RETURN with a value in a procedure"));
        }
        Ok(match body.kind {
            Kind::Trigger { before: true, .. } => "RETURN new;\n".to_string(),
            Kind::Trigger { .. } => "RETURN NULL;\n".to_string(),
            _ => "RETURN;\n".to_string(),
        })
    }

    /// SIGNAL SQLSTATE 'state' SET MESSAGE_TEXT = value, or the older form with the text in parentheses; RESIGNAL.
    pub(super) fn signal(&mut self, body: &mut Body) -> Result<String, Problem> {
        let again = self.parser.at_word("RESIGNAL");
        self.parser.next();
        if again && !body.in_handler {
            let text = "RESIGNAL is not in a handler";
            return Err(Problem::new(-787, "0K000", self.parser.offset(), &[], text));
        }
        if again && (self.parser.at_symbol(";") || self.parser.at_end()) {
            body.resignals = true;
            return Ok(handled(body, "RAISE;\n".to_string(), Counted::No));
        }
        let offset = self.parser.offset();
        let state = if self.parser.take("SQLSTATE") {
            self.parser.take("VALUE");
            self.parser.string()?
        } else {
            let name = self.parser.simple_name()?;
            let found = body.compounds.iter().rev().find_map(|compound| compound.conditions.get(name.last()).cloned());
            let text = format!("there is no condition {} with an SQLSTATE", name.last());
            found.ok_or_else(|| Problem::new(-781, "42737", name.offset, &[name.last()], text))?
        };
        let is_error = state.len() == 5 && state.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        if !is_error || state.starts_with("00") {
            let text = format!("'{state}' is not an SQLSTATE that can be signalled");
            return Err(Problem::new(-435, "428B3", offset, &[&state], text));
        }
        if state.starts_with("01") || state.starts_with("02") {
            return Err(Problem::unsupported(offset, &format!("SIGNAL of SQLSTATE {state}, which is no error")));
        }
        let message = if self.parser.take_words(&["SET", "MESSAGE_TEXT"]) {
            self.parser.expect_symbol("=")?;
            let value = self.parser.value()?;
            self.plain_value(&value)?
        } else if self.parser.take_symbol("(") {
            let value = self.parser.value()?;
            self.parser.expect_symbol(")")?;
            self.plain_value(&value)?
        } else {
            "''".to_string()
        };
        let text = format!("PERFORM db2.raise(-438, {}, coalesce(({message})::text, ''));\n", string(&state));
        Ok(handled(body, text, Counted::No))
    }

    /// A value that stands alone.
    fn plain_value(&mut self, value: &Expression) -> Result<String, Problem> {
        self.value_text(value, &crate::translate::Place::Alone)
    }
}

/// Names of the columns that a query gives.
fn columns_of(query: &Query) -> Vec<String> {
    let QueryBody::Select(select) = &query.body else { return Vec::new() };
    let name = |item: &SelectItem| match item {
        SelectItem::Value { name: Some(name), .. } => Some(name.last().to_string()),
        SelectItem::Value { value: Expression { kind: ExpressionKind::Column(name), .. }, .. } => Some(name.last().to_string()),
        _ => None,
    };
    select.items.iter().filter_map(name).collect()
}
