//! Views, aliases, types; DROP, RENAME and COMMENT of any object.

use super::{Definer, WITHOUT_EFFECT, folded};
use crate::ast::Name;
use crate::guard;
use crate::names::{identifier, string};
use crate::problem::Problem;

/// Objects of DROP and COMMENT that the server does not have.
const NOT_OF_THE_SERVER: &[&str] = &["PACKAGE", "PLAN", "MASK", "PERMISSION", "TRUSTED", "STOGROUP", "BUFFERPOOL"];

impl Definer<'_> {
    /// At VIEW.
    pub(super) fn create_view(&mut self, replace: bool) -> Result<(), Problem> {
        self.parser.expect("VIEW")?;
        let (_, name) = self.new_object()?;
        let columns = if self.parser.at_symbol("(") { format!(" ({})", self.columns()?.join(", ")) } else { String::new() };
        self.parser.expect("AS")?;
        let query = self.parser.query()?;
        let query = self.query_text(&query)?;
        let create = if replace { "CREATE OR REPLACE VIEW" } else { "CREATE VIEW" };
        let check = self.check.map(|scope| format!(" WITH {scope} CHECK OPTION")).unwrap_or_default();
        self.emit(format!("{create} {name}{columns} AS {query}{check}"));
        Ok(())
    }

    /// ALIAS or SYNONYM name FOR table: a view that can be changed.
    pub(super) fn create_alias(&mut self) -> Result<(), Problem> {
        self.parser.take("PUBLIC");
        self.parser.next();
        let (_, name) = self.new_object()?;
        self.parser.expect("FOR")?;
        if self.parser.take("SEQUENCE") {
            return Err(self.parser.unsupported("CREATE ALIAS FOR SEQUENCE"));
        }
        if self.parser.at_word("TABLE") && !self.parser.ahead(1).is_symbol(".") {
            self.parser.next();
        }
        let target = self.read_object()?;
        self.emit(format!("CREATE VIEW {name} AS SELECT * FROM {target}"));
        Ok(())
    }

    /// [DISTINCT] TYPE name AS type: a domain.
    pub(super) fn create_type(&mut self) -> Result<(), Problem> {
        self.parser.take("DISTINCT");
        self.parser.expect("TYPE")?;
        let (_, name) = self.new_object()?;
        self.parser.expect("AS")?;
        let data_type = self.parser.data_type()?;
        if self.parser.at_word("ARRAY") || self.parser.at_symbol("[") {
            return Err(self.parser.unsupported("CREATE TYPE AS ARRAY"));
        }
        let begin = self.parser.offset();
        if self.parser.take_words(&["WITH", "COMPARISONS"]) || self.parser.take_words(&["INLINE", "LENGTH"]) {
            self.without_effect_rest()?;
            self.note_from(begin);
        }
        let base = self.type_name(&data_type)?;
        self.emit(format!("CREATE DOMAIN {name} AS {base}"));
        Ok(())
    }

    pub(super) fn drop(&mut self) -> Result<(), Problem> {
        let Some(word) = self.parser.token().word() else { return Err(self.parser.unexpected("TABLE INDEX VIEW")) };
        match word {
            "TABLESPACE" | "DATABASE" => return self.drop_container(word == "DATABASE"),
            _ if WITHOUT_EFFECT.contains(&word) || NOT_OF_THE_SERVER.contains(&word) => return self.without_effect(),
            "PUBLIC" => {
                self.parser.next();
            }
            _ => {}
        }
        if self.parser.take_words(&["DISTINCT", "TYPE"]) {
            let name = self.object("DROP")?;
            self.emit(format!("DROP DOMAIN {name}"));
            self.parser.take("RESTRICT");
            return Ok(());
        }
        let kinds = [
            "TABLE",
            "VIEW",
            "ALIAS",
            "SYNONYM",
            "INDEX",
            "SEQUENCE",
            "TYPE",
            "SCHEMA",
            "ROLE",
            "TRIGGER",
            "PROCEDURE",
            "FUNCTION",
            "SPECIFIC",
        ];
        let kind = self.parser.take_one(&kinds).ok_or_else(|| self.parser.unexpected("TABLE INDEX VIEW ALIAS SYNONYM SEQUENCE TYPE"))?;
        let name = self.dropped(kind)?;
        match kind {
            "TABLE" => self.emit(format!("DROP TABLE {name} CASCADE")),
            "VIEW" | "ALIAS" | "SYNONYM" => self.emit(format!("DROP VIEW {name} CASCADE")),
            "INDEX" => self.emit(format!("CALL db2.drop_index({})", string(&name))),
            "TYPE" => self.emit(format!("DROP DOMAIN {name}")),
            "ROLE" => self.emit(format!("CALL db2.drop_role({name})")),
            "SEQUENCE" | "SCHEMA" => self.emit(format!("DROP {kind} {name}")),
            "PROCEDURE" | "FUNCTION" => {
                let types = if self.parser.at_symbol("(") { self.parameter_types()? } else { String::new() };
                self.emit(format!("DROP {kind} {name}{types}"));
            }
            "TRIGGER" => self.drop_trigger(&name, false),
            _ => return Err(self.parser.unsupported(&format!("DROP {kind}"))),
        }
        self.parser.take_one(&["RESTRICT", "CASCADE"]);
        Ok(())
    }

    /// The name behind DROP.
    fn dropped(&mut self, kind: &str) -> Result<String, Problem> {
        match kind {
            "SCHEMA" => {
                let name = self.parser.simple_name()?;
                guard::changeable_schema(&name, "DROP")?;
                Ok(identifier(name.last()))
            }
            "ROLE" => Ok(folded(self.parser.simple_name()?.last())),
            "PROCEDURE" | "FUNCTION" => {
                let name = self.parser.name()?;
                guard::changeable(&name, "DROP")?;
                self.names.function(&name)
            }
            _ => self.object("DROP"),
        }
    }

    /// DROP DATABASE and DROP TABLESPACE drop the tables that were created in them.
    fn drop_container(&mut self, is_database: bool) -> Result<(), Problem> {
        self.parser.next();
        let name = self.parser.name()?;
        let text = match (&name.parts[..], is_database) {
            ([database], true) => format!("CALL db2.drop_placed({})", folded(database)),
            ([.., database, space], false) => format!("CALL db2.drop_placed({}, {})", folded(database), folded(space)),
            _ => format!("CALL db2.drop_placed('', {})", folded(name.last())),
        };
        self.emit(text);
        Ok(())
    }

    pub(super) fn rename(&mut self) -> Result<(), Problem> {
        if self.parser.take("INDEX") {
            let old = self.object("RENAME")?;
            self.parser.expect("TO")?;
            let new = identifier(self.parser.simple_name()?.last());
            self.emit(format!("ALTER INDEX {old} RENAME TO {new}"));
            return Ok(());
        }
        self.parser.take("TABLE");
        let old = self.object("RENAME")?;
        self.parser.expect("TO")?;
        let new = identifier(self.parser.simple_name()?.last());
        self.emit(format!("ALTER TABLE {old} RENAME TO {new}"));
        Ok(())
    }

    /// COMMENT ON object IS 'text', and COMMENT ON table (column IS 'text', ...).
    pub(super) fn comment(&mut self) -> Result<(), Problem> {
        self.parser.take("ON");
        let Some(word) = self.parser.token().word() else { return Err(self.parser.unexpected("TABLE COLUMN")) };
        let kind = match word {
            _ if NOT_OF_THE_SERVER.contains(&word) => return self.without_effect(),
            "COLUMN" => return self.comment_on_column(),
            "ALIAS" => "VIEW",
            "TYPE" => "DOMAIN",
            "ROLE" => return self.comment_on_role(),
            "TABLE" | "INDEX" | "SEQUENCE" | "VIEW" => word,
            "DISTINCT" => {
                self.parser.next();
                "DOMAIN"
            }
            "TRIGGER" | "FUNCTION" | "PROCEDURE" | "SPECIFIC" | "VARIABLE" => return self.without_effect(),
            _ => return self.comment_on_columns(),
        };
        self.parser.next();
        let name = self.object("COMMENT")?;
        self.parser.expect("IS")?;
        let text = string(&self.parser.string()?);
        self.emit(format!("COMMENT ON {kind} {name} IS {text}"));
        Ok(())
    }

    fn comment_on_role(&mut self) -> Result<(), Problem> {
        self.parser.next();
        let name = folded(self.parser.simple_name()?.last());
        self.parser.expect("IS")?;
        let text = string(&self.parser.string()?);
        self.emit(format!("CALL db2.comment_on_role({name}, {text})"));
        Ok(())
    }

    fn comment_on_column(&mut self) -> Result<(), Problem> {
        self.parser.next();
        let name = self.parser.name()?;
        let (_, table) = name.parts.split_last().expect("a name has a part");
        if !table.is_empty() {
            let table = Name { offset: name.offset, parts: table.to_vec() };
            self.names.changed(&table, "COMMENT")?;
        }
        self.parser.expect("IS")?;
        let text = string(&self.parser.string()?);
        let parts: Vec<String> = name.parts[name.parts.len().saturating_sub(3)..].iter().map(|part| identifier(part)).collect();
        self.emit(format!("COMMENT ON COLUMN {} IS {text}", parts.join(".")));
        Ok(())
    }

    fn comment_on_columns(&mut self) -> Result<(), Problem> {
        let table = self.object("COMMENT")?;
        let comments = self.parser.parenthesized(|parser| {
            let column = identifier(parser.simple_name()?.last());
            parser.expect("IS")?;
            Ok((column, string(&parser.string()?)))
        })?;
        for (column, text) in comments {
            self.emit(format!("COMMENT ON COLUMN {table}.{column} IS {text}"));
        }
        Ok(())
    }
}
