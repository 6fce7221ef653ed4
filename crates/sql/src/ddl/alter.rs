//! ALTER TABLE, and ALTER of objects where it has no effect.

use super::{Definer, array};
use crate::names::{identifier, string};
use crate::problem::Problem;

impl Definer<'_> {
    pub(super) fn alter(&mut self) -> Result<(), Problem> {
        if self.parser.take("TABLE") {
            return self.alter_table();
        }
        if self.parser.take("SEQUENCE") {
            return self.alter_sequence();
        }
        let words = ["INDEX", "TABLESPACE", "DATABASE", "STOGROUP", "VIEW", "TRUSTED", "MASK", "PERMISSION"];
        if ["FUNCTION", "PROCEDURE", "TRIGGER"].iter().any(|word| self.parser.at_word(word)) {
            return self.alter_routine();
        }
        if words.iter().any(|word| self.parser.at_word(word)) {
            return self.without_effect();
        }
        Err(self.parser.unexpected("TABLE INDEX TABLESPACE DATABASE STOGROUP SEQUENCE VIEW"))
    }

    fn alter_table(&mut self) -> Result<(), Problem> {
        let table = self.object("ALTER")?;
        let mut is_first = true;
        while !self.parser.at_end() && !self.parser.at_symbol(";") {
            if !self.alteration(&table)? {
                let expected = if is_first { "ADD ALTER DROP RENAME" } else { "<END-OF-STATEMENT>" };
                return Err(self.parser.unexpected(expected));
            }
            is_first = false;
        }
        if is_first {
            return Err(self.parser.unexpected("ADD ALTER DROP RENAME"));
        }
        Ok(())
    }

    /// One change of a table; false if none is next.
    fn alteration(&mut self, table: &str) -> Result<bool, Problem> {
        let begin = self.parser.offset();
        if self.parser.take_words(&["ADD", "RESTRICT", "ON", "DROP"]) || self.parser.take_words(&["DROP", "RESTRICT", "ON", "DROP"]) {
            self.note_from(begin);
        } else if self.parser.at_words(&["ADD", "PARTITION"])
            || self.parser.at_words(&["ROTATE", "PARTITION"])
            || self.parser.at_words(&["ALTER", "PARTITION"])
            || self.parser.at_words(&["ADD", "ORGANIZE"])
            || self.parser.at_words(&["ADD", "CLONE"])
        {
            self.without_effect_rest()?;
        } else if self.at_constraint() {
            self.add_constraint(table)?;
        } else if self.parser.take("ADD") {
            self.add(table)?;
        } else if self.parser.take("ALTER") {
            self.parser.take("COLUMN");
            self.alter_column(table)?;
        } else if self.parser.take("DROP") {
            self.drop_from_table(table)?;
        } else if self.parser.take("RENAME") {
            self.parser.take("COLUMN");
            let old = identifier(self.parser.simple_name()?.last());
            self.parser.expect("TO")?;
            let new = identifier(self.parser.simple_name()?.last());
            self.emit(format!("ALTER TABLE {table} RENAME COLUMN {old} TO {new}"));
        } else {
            return self.option();
        }
        Ok(true)
    }

    fn add_constraint(&mut self, table: &str) -> Result<(), Problem> {
        let (text, key) = self.table_constraint()?;
        self.emit(format!("ALTER TABLE {table} ADD {text}"));
        if let Some(key) = key.filter(|_| self.options.ebcdic_order) {
            self.emit(format!("CALL db2.create_ebcdic_index({}, {})", string(table), array(&key)));
        }
        Ok(())
    }

    /// Behind ADD: a constraint or a column.
    fn add(&mut self, table: &str) -> Result<(), Problem> {
        if self.at_constraint() {
            return self.add_constraint(table);
        }
        if self.parser.at_words(&["PERIOD", "FOR"]) || self.parser.at_words(&["VERSIONING", "USE"]) {
            return Err(self.parser.unsupported("PERIOD"));
        }
        self.parser.take("COLUMN");
        let column = self.column(table)?;
        self.emit(format!("ALTER TABLE {table} ADD COLUMN {}", column.text));
        if let Some(changed) = column.row_change {
            self.row_change_trigger(table, &changed);
        }
        Ok(())
    }

    fn alter_column(&mut self, table: &str) -> Result<(), Problem> {
        let column = identifier(self.parser.simple_name()?.last());
        let head = format!("ALTER TABLE {table} ALTER COLUMN {column}");
        if self.parser.take_words(&["SET", "DATA", "TYPE"]) {
            let data_type = self.parser.data_type()?;
            let data_type = self.type_name(&data_type)?;
            self.emit(format!("{head} TYPE {data_type} USING {column}::{data_type}"));
        } else if self.parser.take_words(&["SET", "DEFAULT"]) || self.parser.take_words(&["SET", "WITH", "DEFAULT"]) {
            let value = self.default_value(&crate::ast::DataType::VarChar { length: 0, bits: false })?;
            self.emit(format!("{head} SET DEFAULT {value}"));
        } else if self.parser.take_words(&["DROP", "DEFAULT"]) {
            self.emit(format!("{head} DROP DEFAULT"));
        } else if self.parser.take_words(&["SET", "NOT", "NULL"]) {
            self.emit(format!("{head} SET NOT NULL"));
        } else if self.parser.take_words(&["DROP", "NOT", "NULL"]) {
            self.emit(format!("{head} DROP NOT NULL"));
        } else if self.parser.at_word("RESTART") || self.parser.at_word("SET") {
            self.parser.take("SET");
            let options = self.sequence_options()?;
            let options: Vec<String> = options.trim().split_inclusive(' ').map(str::to_string).collect();
            let text = options.concat().replacen("INCREMENT", "SET INCREMENT", 1);
            self.emit(format!("{head} {text}"));
        } else {
            return Err(self.parser.unexpected("SET DROP RESTART"));
        }
        Ok(())
    }

    fn drop_from_table(&mut self, table: &str) -> Result<(), Problem> {
        if self.parser.take_words(&["PRIMARY", "KEY"]) {
            self.emit(format!("CALL db2.drop_primary_key({})", string(table)));
            return Ok(());
        }
        if self.parser.take_words(&["FOREIGN", "KEY"]) || self.parser.take_one(&["CONSTRAINT", "CHECK", "UNIQUE"]).is_some() {
            let name = identifier(self.parser.simple_name()?.last());
            self.emit(format!("ALTER TABLE {table} DROP CONSTRAINT {name} CASCADE"));
            return Ok(());
        }
        if self.parser.at_words(&["ORGANIZATION"]) || self.parser.at_words(&["CLONE"]) {
            return self.without_effect_rest();
        }
        self.parser.take("COLUMN");
        let column = identifier(self.parser.simple_name()?.last());
        self.parser.take("RESTRICT");
        self.emit(format!("ALTER TABLE {table} DROP COLUMN {column}"));
        Ok(())
    }
}
