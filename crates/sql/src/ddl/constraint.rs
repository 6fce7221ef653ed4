//! Keys, references and checks.

use super::Definer;
use super::column::Column;
use crate::names::identifier;
use crate::problem::Problem;

impl Definer<'_> {
    /// A constraint behind a column; false if none is next.
    pub(super) fn column_constraint(&mut self, column: &mut Column, name: &str) -> Result<bool, Problem> {
        let constraint = self.constraint_name()?;
        let prefix = constraint.as_ref().map(|name| format!(" CONSTRAINT {name}")).unwrap_or_default();
        if self.parser.take_words(&["PRIMARY", "KEY"]) {
            column.text.push_str(&format!("{prefix} PRIMARY KEY"));
            column.key = Some(name.to_string());
        } else if self.parser.take("UNIQUE") {
            column.text.push_str(&format!("{prefix} UNIQUE"));
            column.key = Some(name.to_string());
        } else if self.parser.at_word("REFERENCES") {
            let references = self.references()?;
            column.text.push_str(&format!("{prefix} {references}"));
        } else if self.parser.at_word("CHECK") {
            let check = self.check()?;
            column.text.push_str(&format!("{prefix} {check}"));
        } else if constraint.is_some() {
            return Err(self.parser.unexpected("PRIMARY UNIQUE REFERENCES CHECK"));
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn constraint_name(&mut self) -> Result<Option<String>, Problem> {
        if !self.parser.take("CONSTRAINT") {
            return Ok(None);
        }
        Ok(Some(identifier(self.parser.simple_name()?.last())))
    }

    /// The next token begins a constraint of a table.
    pub(super) fn at_constraint(&self) -> bool {
        let begins = [&["PRIMARY", "KEY"] as &[&str], &["FOREIGN", "KEY"], &["CONSTRAINT"]];
        let has_list = |word: &str| self.parser.at_word(word) && self.parser.ahead(1).is_symbol("(");
        begins.iter().any(|words| self.parser.at_words(words)) || has_list("UNIQUE") || has_list("CHECK")
    }

    /// A constraint of a table, and the columns of a key.
    pub(super) fn table_constraint(&mut self) -> Result<(String, Option<Vec<String>>), Problem> {
        let named = self.constraint_name()?;
        let prefix = |name: &Option<String>| name.as_ref().map(|name| format!("CONSTRAINT {name} ")).unwrap_or_default();
        if self.parser.take_words(&["PRIMARY", "KEY"]) {
            let columns = self.columns()?;
            return Ok((format!("{}PRIMARY KEY ({})", prefix(&named), columns.join(", ")), Some(columns)));
        }
        if self.parser.take("UNIQUE") {
            let columns = self.columns()?;
            return Ok((format!("{}UNIQUE ({})", prefix(&named), columns.join(", ")), Some(columns)));
        }
        if self.parser.take_words(&["FOREIGN", "KEY"]) {
            let mut name = named;
            if !self.parser.at_symbol("(") {
                name = Some(identifier(self.parser.simple_name()?.last()));
            }
            let columns = self.columns()?;
            let references = self.references()?;
            return Ok((format!("{}FOREIGN KEY ({}) {references}", prefix(&name), columns.join(", ")), None));
        }
        if self.parser.at_word("CHECK") {
            return Ok((format!("{}{}", prefix(&named), self.check()?), None));
        }
        Err(self.parser.unexpected("PRIMARY UNIQUE FOREIGN CHECK"))
    }

    fn references(&mut self) -> Result<String, Problem> {
        self.parser.expect("REFERENCES")?;
        let parent = self.object("REFERENCES")?;
        let mut text = format!("REFERENCES {parent}");
        if self.parser.at_symbol("(") {
            text.push_str(&format!(" ({})", self.columns()?.join(", ")));
        }
        loop {
            let begin = self.parser.offset();
            if self.parser.take_words(&["ON", "DELETE"]) {
                let rule = [&["RESTRICT"] as &[&str], &["NO", "ACTION"], &["CASCADE"], &["SET", "NULL"]];
                let rule = rule.into_iter().find(|words| self.parser.take_words(words));
                let rule = rule.ok_or_else(|| self.parser.unexpected("RESTRICT NO CASCADE SET"))?;
                text.push_str(&format!(" ON DELETE {}", rule.join(" ")));
            } else if self.parser.take("ENFORCED") {
                self.note_from(begin);
            } else if self.parser.take_words(&["NOT", "ENFORCED"]) {
                return Err(self.parser.unsupported("NOT ENFORCED"));
            } else if !self.option_of_reference()? {
                return Ok(text);
            }
        }
    }

    fn option_of_reference(&mut self) -> Result<bool, Problem> {
        let is_option = self.parser.at_words(&["ENABLE", "QUERY"]) || self.parser.at_words(&["DISABLE", "QUERY"]);
        if is_option { self.option() } else { Ok(false) }
    }

    fn check(&mut self) -> Result<String, Problem> {
        self.parser.expect("CHECK")?;
        self.parser.expect_symbol("(")?;
        let condition = self.parser.condition()?;
        self.parser.expect_symbol(")")?;
        Ok(format!("CHECK ({})", self.condition_text(&condition)?))
    }
}
