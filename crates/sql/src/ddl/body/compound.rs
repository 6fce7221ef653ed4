//! Compound statements: their declarations and handlers.

use super::{Body, Compound, Condition, Definer, Handler};
use crate::names::{delimited, folded};
use crate::problem::Problem;
use std::collections::HashMap;

impl Definer<'_> {
    /// BEGIN [ATOMIC] declarations statements END.
    pub(super) fn compound(&mut self, body: &mut Body, label: Option<String>) -> Result<String, Problem> {
        self.parser.expect("BEGIN")?;
        if !self.parser.take_words(&["NOT", "ATOMIC"]) {
            self.parser.take("ATOMIC");
        }
        let own = label.as_ref().map_or_else(|| body.new_label(), |label| folded(label));
        body.compounds.push(Compound { label: own.clone(), handlers: Vec::new(), conditions: HashMap::new(), is_active: true });
        let (variables, cursors, locals) = (body.variables.len(), body.cursors.len(), self.locals.len());
        let mut declarations = String::new();
        while self.parser.at_word("DECLARE") {
            self.parser.next();
            declarations += &self.declaration(body)?;
            self.parser.expect_symbol(";")?;
        }
        let statements = self.statements(body, &["END"])?;
        self.parser.expect("END")?;
        self.end_label(label.as_deref())?;
        body.compounds.pop();
        body.variables.truncate(variables);
        body.cursors.truncate(cursors);
        self.locals.truncate(locals);
        let declare = if declarations.is_empty() { String::new() } else { format!("DECLARE\n{declarations}") };
        Ok(format!("<<{}>>\n{declare}BEGIN\n{statements}END;\n", delimited(&own)))
    }

    /// Behind DECLARE.
    fn declaration(&mut self, body: &mut Body) -> Result<String, Problem> {
        if self.parser.ahead(1).is_word("HANDLER") {
            self.handler(body)?;
            return Ok(String::new());
        }
        if self.parser.ahead(1).is_word("CONDITION") {
            return self.condition_name(body);
        }
        let follows = ["CURSOR", "SENSITIVE", "INSENSITIVE", "ASENSITIVE", "SCROLL", "NO"];
        if follows.iter().any(|word| self.parser.ahead(1).is_word(word)) {
            return self.cursor(body);
        }
        let names = self.parser.list(crate::parse::Parser::simple_name)?;
        if self.parser.at_word("STATEMENT") {
            return Err(self.parser.unsupported("DECLARE STATEMENT in a routine"));
        }
        let data_type = self.parser.data_type()?;
        let type_name = self.type_name(&data_type)?;
        let default = if self.parser.take("DEFAULT") || self.parser.take("CONSTANT") {
            let value = self.parser.value()?;
            self.assigned_value(&value, Some(&data_type))?
        } else {
            "NULL".to_string()
        };
        let mut text = String::new();
        for name in &names {
            body.variables.push((name.last().to_string(), Some(data_type.clone())));
            if !matches!(name.last(), "SQLCODE" | "SQLSTATE") {
                text += &format!("{} {type_name} := {default};\n", delimited(&folded(name.last())));
            }
        }
        self.special_names(body);
        Ok(text)
    }

    /// name CONDITION [FOR [SQLSTATE [VALUE]] 'state'].
    fn condition_name(&mut self, body: &mut Body) -> Result<String, Problem> {
        let name = self.parser.simple_name()?;
        self.parser.expect("CONDITION")?;
        if self.parser.take("FOR") {
            if self.parser.take("SQLSTATE") {
                self.parser.take("VALUE");
            }
            let state = self.parser.string()?;
            let compound = body.compounds.last_mut().expect("declarations are in a compound");
            compound.conditions.insert(name.last().to_string(), state);
        }
        Ok(String::new())
    }

    /// name [sensitivity] [SCROLL] CURSOR [options] FOR query.
    fn cursor(&mut self, body: &mut Body) -> Result<String, Problem> {
        let name = self.parser.simple_name()?;
        self.parser.take_one(&["SENSITIVE", "INSENSITIVE", "ASENSITIVE"]);
        let scroll = if self.parser.take("SCROLL") { "SCROLL " } else { "NO SCROLL " };
        if scroll == "NO SCROLL " {
            self.parser.take_words(&["NO", "SCROLL"]);
        }
        self.parser.expect("CURSOR")?;
        loop {
            if self.parser.at_words(&["WITH", "RETURN"]) {
                return Err(self.parser.unsupported("CURSOR WITH RETURN: result sets of procedures"));
            }
            let known = [&["WITH", "HOLD"], &["WITHOUT", "HOLD"], &["WITHOUT", "RETURN"]];
            if !known.iter().any(|words| self.parser.take_words(&words[..])) {
                break;
            }
        }
        self.parser.expect("FOR")?;
        if !["SELECT", "WITH"].iter().any(|word| self.parser.at_word(word)) && !self.parser.at_symbol("(") {
            return Err(self.parser.unsupported("CURSOR FOR a prepared statement in a routine"));
        }
        let query = self.parser.query()?;
        let text = self.query_text(&query)?;
        body.cursors.push(name.last().to_string());
        Ok(format!("{} {scroll}CURSOR FOR {text};\n", delimited(&folded(name.last()))))
    }

    /// CONTINUE or EXIT HANDLER FOR conditions statement.
    fn handler(&mut self, body: &mut Body) -> Result<(), Problem> {
        let exits = match self.parser.take_one(&["CONTINUE", "EXIT", "UNDO"]) {
            Some("CONTINUE") => false,
            Some("EXIT") => true,
            Some(_) => return Err(self.parser.unsupported("UNDO HANDLER")),
            None => return Err(self.parser.unexpected("CONTINUE EXIT")),
        };
        self.parser.expect_words(&["HANDLER", "FOR"])?;
        let mut conditions = vec![self.handled(body)?];
        while self.parser.take_symbol(",") {
            conditions.push(self.handled(body)?);
        }
        let at = body.compounds.len() - 1;
        body.compounds[at].is_active = false;
        let was = std::mem::replace(&mut body.in_handler, true);
        let resigned = std::mem::replace(&mut body.resignals, false);
        let text = self.body_statement(body);
        let resignals = std::mem::replace(&mut body.resignals, resigned);
        body.in_handler = was;
        body.compounds[at].is_active = true;
        let text = text?;
        if resignals && conditions.contains(&Condition::NotFound) {
            return Err(self.parser.unsupported("RESIGNAL in a handler for NOT FOUND"));
        }
        body.compounds[at].handlers.push(Handler { exits, conditions, body: text, resignals });
        Ok(())
    }

    fn handled(&mut self, body: &Body) -> Result<Condition, Problem> {
        if self.parser.take_words(&["NOT", "FOUND"]) {
            return Ok(Condition::NotFound);
        }
        if self.parser.take("SQLEXCEPTION") {
            return Ok(Condition::Error);
        }
        if self.parser.at_word("SQLWARNING") {
            return Err(self.parser.unsupported("HANDLER FOR SQLWARNING"));
        }
        let state = if self.parser.take("SQLSTATE") {
            self.parser.take("VALUE");
            self.parser.string()?
        } else {
            let name = self.parser.simple_name()?;
            let found = body.compounds.iter().rev().find_map(|compound| compound.conditions.get(name.last()).cloned());
            let text = format!("there is no condition {}", name.last());
            found.ok_or_else(|| Problem::new(-781, "42737", name.offset, &[name.last()], text))?
        };
        let is_state = state.len() == 5 && state.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        match state.as_str() {
            "02000" => Ok(Condition::NotFound),
            _ if !is_state || state.starts_with("00") || state.starts_with("01") => {
                Err(self.parser.unsupported(&format!("HANDLER FOR SQLSTATE '{state}'")))
            }
            _ => Ok(Condition::State(state)),
        }
    }
}
