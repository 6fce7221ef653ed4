//! GRANT and REVOKE: privileges on tables, views, sequences and types; those on objects of Db2 alone have no effect.

use super::{Definer, folded};
use crate::guard;
use crate::lexer::TokenKind;
use crate::names::identifier;
use crate::problem::Problem;

/// Behind ON: objects whose privileges the server knows, as it calls them.
const OBJECTS: &[(&[&str], &str)] = &[
    (&["TABLE"], "TABLE"),
    (&["SEQUENCE"], "SEQUENCE"),
    (&["DISTINCT", "TYPE"], "DOMAIN"),
    (&["TYPE"], "DOMAIN"),
    (&["FUNCTION"], "FUNCTION"),
    (&["PROCEDURE"], "PROCEDURE"),
];
/// Behind ON: objects that the server does not have.
const NOT_OF_THE_SERVER: &[&str] = &[
    "PLAN",
    "PACKAGE",
    "DATABASE",
    "COLLECTION",
    "SCHEMA",
    "SYSTEM",
    "VARIABLE",
    "JAR",
    "SPECIFIC",
    "BUFFERPOOL",
    "STOGROUP",
    "TABLESPACE",
];
/// Privileges on tables that the server has under the same name.
const PRIVILEGES: &[&str] = &["SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES", "TRIGGER", "USAGE", "EXECUTE"];

impl Definer<'_> {
    pub(super) fn grant(&mut self) -> Result<(), Problem> {
        let Some((privileges, kind, objects)) = self.privileges()? else { return self.without_effect() };
        self.parser.expect("TO")?;
        let grantees = self.grantees()?;
        let begin = self.parser.offset();
        let option = if self.parser.take_words(&["WITH", "GRANT", "OPTION"]) { " WITH GRANT OPTION" } else { "" };
        self.note_public_option(begin, &grantees, option);
        for grantee in grantees.iter().filter(|grantee| *grantee != "PUBLIC") {
            self.emit(format!("CALL db2.ensure_role({})", folded(grantee)));
        }
        let names: Vec<String> = grantees.iter().map(|grantee| grantee_name(grantee)).collect();
        let has_public = grantees.iter().any(|grantee| grantee == "PUBLIC");
        let option = if has_public { "" } else { option };
        if !privileges.is_empty() {
            self.emit(format!("GRANT {privileges} ON {kind} {objects} TO {}{option}", names.join(", ")));
        }
        Ok(())
    }

    fn note_public_option(&mut self, begin: usize, grantees: &[String], option: &str) {
        if !option.is_empty() && grantees.iter().any(|grantee| grantee == "PUBLIC") {
            self.note_from(begin);
        }
    }

    pub(super) fn revoke(&mut self) -> Result<(), Problem> {
        let Some((privileges, kind, objects)) = self.privileges()? else { return self.without_effect() };
        self.parser.expect("FROM")?;
        let grantees = self.grantees()?;
        let begin = self.parser.offset();
        if self.parser.take("BY") {
            if !self.parser.take("ALL") {
                self.grantees()?;
            }
            self.note_from(begin);
        }
        self.parser.take_words(&["INCLUDING", "DEPENDENT", "PRIVILEGES"]);
        self.parser.take_words(&["NOT", "INCLUDING", "DEPENDENT", "PRIVILEGES"]);
        self.parser.take("RESTRICT");
        let names: Vec<String> = grantees.iter().map(|grantee| grantee_name(grantee)).collect();
        if !privileges.is_empty() {
            self.emit(format!("REVOKE {privileges} ON {kind} {objects} FROM {} CASCADE", names.join(", ")));
        }
        Ok(())
    }

    /// The privileges, the kind of the objects and their names; `None` if the server has nothing like them.
    fn privileges(&mut self) -> Result<Option<(String, &'static str, String)>, Problem> {
        let mut privileges = Vec::new();
        loop {
            let TokenKind::Word(word) = &self.parser.token().kind else {
                return Err(self.parser.unexpected("ALL SELECT INSERT UPDATE DELETE"));
            };
            self.parser.next();
            if word == "ALL" {
                self.parser.take("PRIVILEGES");
                privileges.push("ALL PRIVILEGES".to_string());
            } else if PRIVILEGES.contains(&word.as_str()) {
                let columns = if self.parser.at_symbol("(") { format!(" ({})", self.columns()?.join(", ")) } else { String::new() };
                privileges.push(format!("{word}{columns}"));
            } else if ["INDEX", "ALTER", "UNLOAD"].contains(&word.as_str()) {
                // The owner of a table has these.
                self.note(word);
            } else {
                return Ok(None);
            }
            if !self.parser.take_symbol(",") {
                break;
            }
        }
        if !self.parser.take("ON") {
            return Ok(None);
        }
        if NOT_OF_THE_SERVER.iter().any(|word| self.parser.at_word(word) && !self.parser.ahead(1).is_symbol(".")) {
            return Ok(None);
        }
        let kind = OBJECTS.iter().find(|(words, _)| self.parser.take_words(words)).map_or("TABLE", |(_, kind)| kind);
        let mut objects = Vec::new();
        loop {
            objects.push(self.granted(kind)?);
            if self.parser.at_symbol("(") {
                self.skip_list()?;
            }
            if !self.parser.take_symbol(",") {
                break;
            }
        }
        Ok(Some((privileges.join(", "), kind, objects.join(", "))))
    }

    fn granted(&mut self, kind: &str) -> Result<String, Problem> {
        if !matches!(kind, "FUNCTION" | "PROCEDURE") {
            return self.object("GRANT");
        }
        let name = self.parser.name()?;
        guard::changeable(&name, "GRANT")?;
        self.names.function(&name)
    }

    /// PUBLIC, authorization IDs, roles.
    fn grantees(&mut self) -> Result<Vec<String>, Problem> {
        self.parser.list(|parser| {
            parser.take("ROLE");
            let name = parser.simple_name()?;
            parser.take_words(&["AT", "ALL", "LOCATIONS"]);
            Ok(name.last().to_string())
        })
    }
}

fn grantee_name(grantee: &str) -> String {
    if grantee == "PUBLIC" { grantee.to_string() } else { identifier(grantee) }
}
