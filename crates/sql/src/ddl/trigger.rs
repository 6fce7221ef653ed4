//! CREATE TRIGGER: a function of the server that has the body, and the server's trigger that runs it.

use super::Definer;
use super::body::{Body, Kind};
use super::routine::quoted;
use crate::ast::Name;
use crate::names::{delimited, folded, object, string};
use crate::problem::Problem;

/// What REFERENCING names.
#[derive(Default)]
struct Referencing {
    /// Correlation name, and what it is in the function.
    rows: Vec<(String, &'static str)>,
    /// Clauses for transition tables.
    tables: Vec<String>,
}

impl Definer<'_> {
    /// At TRIGGER.
    pub(super) fn create_trigger(&mut self, replace: bool) -> Result<(), Problem> {
        self.parser.expect("TRIGGER")?;
        let (name, trigger) = self.new_object()?;
        self.parser.take_words(&["NO", "CASCADE"]);
        let time = match self.parser.take_one(&["BEFORE", "AFTER", "INSTEAD"]) {
            Some("INSTEAD") => {
                self.parser.expect("OF")?;
                "INSTEAD OF"
            }
            Some(time) => time,
            None => return Err(self.parser.unexpected("BEFORE AFTER INSTEAD")),
        };
        let mut event = self.trigger_event()?;
        while self.parser.take("OR") {
            event += &format!(" OR {}", self.trigger_event()?);
        }
        self.parser.expect("ON")?;
        let table = self.object("TRIGGER")?;
        let referencing = self.referencing()?;
        let each = self.granularity()?;
        self.trigger_options()?;
        let mut declarations = String::new();
        for (correlation, row) in &referencing.rows {
            declarations += &format!("{} ALIAS FOR {row};\n", delimited(&folded(correlation)));
        }
        let condition = if self.parser.take("WHEN") {
            self.parser.expect_symbol("(")?;
            let condition = self.parser.condition()?;
            self.parser.expect_symbol(")")?;
            Some(self.condition_text(&condition)?)
        } else {
            None
        };
        let correlations = referencing.rows.iter().map(|(correlation, _)| correlation.clone()).collect();
        let before = time != "AFTER" && each == "ROW";
        let mut body = Body::new(Kind::Trigger { before, correlations }, Vec::new());
        let text = self.body(&mut body, &declarations, condition)?;
        let function = function_of(&name);
        if replace {
            self.drop_trigger(&trigger, true);
        }
        self.emit(format!(
            "CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS {}",
            quoted(&text)
        ));
        let tables = match &referencing.tables[..] {
            [] => String::new(),
            tables => format!(" REFERENCING {}", tables.join(" ")),
        };
        let event = format!("{time} {event} ON {table}{tables} FOR EACH {each}");
        let (own, table) = (string(&folded(name.last())), string(&table));
        self.emit(format!("CALL db2.create_trigger({own}, {table}, {}, {})", string(&event), string(&function)));
        Ok(())
    }

    /// INSERT, DELETE, UPDATE [OF columns].
    fn trigger_event(&mut self) -> Result<String, Problem> {
        let event = self.parser.take_one(&["INSERT", "DELETE", "UPDATE"]).ok_or_else(|| self.parser.unexpected("INSERT DELETE UPDATE"))?;
        if event != "UPDATE" || !self.parser.take("OF") {
            return Ok(event.to_string());
        }
        let columns = self.parser.list(crate::parse::Parser::simple_name)?;
        let columns: Vec<String> = columns.iter().map(|column| delimited(&folded(column.last()))).collect();
        Ok(format!("UPDATE OF {}", columns.join(", ")))
    }

    /// REFERENCING {OLD | NEW} [ROW | TABLE] [AS] name ...
    fn referencing(&mut self) -> Result<Referencing, Problem> {
        let mut found = Referencing::default();
        if !self.parser.take("REFERENCING") {
            return Ok(found);
        }
        while let Some(word) = self.parser.take_one(&["OLD", "NEW", "OLD_TABLE", "NEW_TABLE"]) {
            let is_old = word.starts_with("OLD");
            let is_table = word.ends_with("TABLE") || self.parser.take("TABLE");
            self.parser.take("ROW");
            self.parser.take("AS");
            let name = self.parser.simple_name()?;
            if is_table {
                let which = if is_old { "OLD" } else { "NEW" };
                found.tables.push(format!("{which} TABLE AS {}", delimited(&folded(name.last()))));
            } else {
                found.rows.push((name.last().to_string(), if is_old { "old" } else { "new" }));
            }
        }
        Ok(found)
    }

    /// FOR EACH ROW or STATEMENT; the latter if nothing is said.
    fn granularity(&mut self) -> Result<&'static str, Problem> {
        if !self.parser.take_words(&["FOR", "EACH"]) {
            return Ok("STATEMENT");
        }
        self.parser.take_one(&["ROW", "STATEMENT"]).ok_or_else(|| self.parser.unexpected("ROW STATEMENT"))
    }

    /// Options between the granularity and the body, all without effect.
    fn trigger_options(&mut self) -> Result<(), Problem> {
        let known: [&[&str]; 10] = [
            &["MODE", "DB2SQL"],
            &["MODE", "DB2ROW"],
            &["NOT", "SECURED"],
            &["SECURED"],
            &["ALLOW", "DEBUG", "MODE"],
            &["DISALLOW", "DEBUG", "MODE"],
            &["DISABLE", "DEBUG", "MODE"],
            &["WITHOUT", "EXPLAIN"],
            &["WITH", "EXPLAIN"],
            &["LANGUAGE", "SQL"],
        ];
        loop {
            let with_name: [&[&str]; 4] = [&["QUALIFIER"], &["VERSION"], &["ISOLATION", "LEVEL"], &["SQL", "PATH"]];
            if known.iter().any(|words| self.parser.take_words(words)) {
                continue;
            }
            if !with_name.iter().any(|words| self.parser.take_words(words)) {
                return Ok(());
            }
            self.parser.next();
        }
    }

    /// `name` is as PostgreSQL spells it.
    pub(super) fn drop_trigger(&mut self, name: &str, missing_ok: bool) {
        let function = with_suffix(name);
        let own = string(&name.replace('"', "").to_uppercase());
        let missing = if missing_ok { ", true" } else { "" };
        self.emit(format!("CALL db2.drop_trigger({own}, {}{missing})", string(&function)));
    }
}

/// The function that has the body of a trigger. No routine of an application has such a name.
fn function_of(trigger: &Name) -> String {
    with_suffix(&object(trigger))
}

/// A name as PostgreSQL spells it, with the end that functions of triggers have.
fn with_suffix(name: &str) -> String {
    match name.strip_suffix('"') {
        Some(open) => format!("{open}$trigger\""),
        None => {
            let at = name.rfind('.').map_or(0, |at| at + 1);
            format!("{}{}", &name[..at], delimited(&format!("{}$trigger", &name[at..])))
        }
    }
}
