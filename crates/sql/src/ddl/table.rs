//! CREATE TABLE, and the two kinds of temporary tables.

use super::{Definer, array, folded};
use crate::ast::Name;
use crate::names::{derived, identifier, object, string};
use crate::problem::Problem;

/// The parts of a table between its parentheses.
#[derive(Default)]
struct Elements {
    items: Vec<String>,
    /// Columns of each key.
    keys: Vec<Vec<String>>,
    row_change: Vec<String>,
    columns: Vec<String>,
}

impl Definer<'_> {
    /// At TABLE.
    pub(super) fn create_table(&mut self) -> Result<(), Problem> {
        self.parser.expect("TABLE")?;
        let (name, table) = self.new_object()?;
        if self.parser.take("LIKE") {
            let text = self.like()?;
            self.emit(format!("CREATE TABLE {table} ({text})"));
            return self.table_options(&table);
        }
        if self.parser.at_word("AS") || self.names_columns_of_query() {
            return self.table_of_query(&table);
        }
        let elements = self.elements(&table)?;
        self.emit(format!("CREATE TABLE {table} ({})", elements.items.join(", ")));
        self.own_sequences(&name, &table, &elements);
        for column in &elements.row_change {
            self.row_change_trigger(&table, column);
        }
        if self.options.ebcdic_order {
            for key in &elements.keys {
                self.emit(format!("CALL db2.create_ebcdic_index({}, {})", string(&table), array(key)));
            }
        }
        self.table_options(&table)
    }

    /// Sequences of decimal identity columns go with their table.
    fn own_sequences(&mut self, name: &Name, table: &str, elements: &Elements) {
        debug_assert_eq!(object(name), table);
        for column in &elements.columns {
            let sequence = derived(table, column, "seq");
            if self.result.texts.iter().any(|text| text.starts_with(&format!("CREATE SEQUENCE {sequence}"))) {
                self.emit(format!("ALTER SEQUENCE {sequence} OWNED BY {table}.{column}"));
            }
        }
    }

    /// (columns, constraints, LIKE).
    fn elements(&mut self, table: &str) -> Result<Elements, Problem> {
        let mut elements = Elements::default();
        self.parser.expect_symbol("(")?;
        loop {
            if self.at_constraint() {
                let (text, key) = self.table_constraint()?;
                elements.items.push(text);
                elements.keys.extend(key);
            } else if self.parser.take("LIKE") {
                let text = self.like()?;
                elements.items.push(text);
            } else if self.parser.at_words(&["PERIOD", "SYSTEM_TIME"]) || self.parser.at_words(&["PERIOD", "FOR"]) {
                return Err(self.parser.unsupported("PERIOD"));
            } else {
                let column = self.column(table)?;
                elements.columns.push(column.name);
                elements.items.push(column.text);
                elements.keys.extend(column.key.map(|key| vec![key]));
                elements.row_change.extend(column.row_change);
            }
            if !self.parser.take_symbol(",") {
                break;
            }
        }
        self.parser.expect_symbol(")")?;
        Ok(elements)
    }

    /// Behind LIKE: the table and what is copied.
    fn like(&mut self) -> Result<String, Problem> {
        let mut text = format!("LIKE {}", self.read_object()?);
        loop {
            let including = match self.parser.take_one(&["INCLUDING", "EXCLUDING"]) {
                None => return Ok(text),
                Some(word) => word == "INCLUDING",
            };
            let what = if self.parser.take("IDENTITY") {
                self.parser.take_words(&["COLUMN", "ATTRIBUTES"]);
                "IDENTITY"
            } else if self.parser.take_words(&["ROW", "CHANGE", "TIMESTAMP"]) {
                self.parser.take_words(&["COLUMN", "ATTRIBUTES"]);
                continue;
            } else if self.parser.take_words(&["XML", "TYPE", "MODIFIERS"]) {
                continue;
            } else {
                self.parser.take("COLUMN");
                self.parser.expect("DEFAULTS")?;
                "DEFAULTS"
            };
            if including {
                text.push_str(&format!(" INCLUDING {what}"));
            }
        }
    }

    /// (a, b) AS: names only, without types.
    fn names_columns_of_query(&self) -> bool {
        let is_list_end = |ahead: usize| self.parser.ahead(ahead).is_symbol(",") || self.parser.ahead(ahead).is_symbol(")");
        self.parser.at_symbol("(") && is_list_end(2)
    }

    /// CREATE TABLE ... AS (fullselect): without data, or a materialized query table.
    fn table_of_query(&mut self, table: &str) -> Result<(), Problem> {
        let columns = if self.parser.at_symbol("(") { format!(" ({})", self.columns()?.join(", ")) } else { String::new() };
        self.parser.expect("AS")?;
        let query = self.parser.subquery()?;
        let query = self.query_text(&query)?;
        if self.parser.take_words(&["WITH", "NO", "DATA"]) || self.parser.take_words(&["DEFINITION", "ONLY"]) {
            while self.parser.at_word("INCLUDING") || self.parser.at_word("EXCLUDING") {
                let begin = self.parser.offset();
                self.parser.next();
                self.parser.take("IDENTITY");
                self.parser.take("COLUMN");
                self.parser.take_one(&["DEFAULTS", "ATTRIBUTES"]);
                self.note_from(begin);
            }
            self.emit(format!("CREATE TABLE {table}{columns} AS {query} WITH NO DATA"));
            return self.table_options(table);
        }
        self.parser.expect_words(&["DATA", "INITIALLY", "DEFERRED", "REFRESH", "DEFERRED"])?;
        self.emit(format!("CREATE MATERIALIZED VIEW {table}{columns} AS {query} WITH NO DATA"));
        self.without_effect_rest()
    }

    /// IN database.table-space, and clauses without effect.
    fn table_options(&mut self, table: &str) -> Result<(), Problem> {
        loop {
            let begin = self.parser.offset();
            if self.parser.take("IN") {
                let is_database = self.parser.take("DATABASE");
                let place = self.parser.name()?;
                let (database, space) = match (&place.parts[..], is_database) {
                    ([database], true) => (database.as_str(), ""),
                    ([space], false) => ("", space.as_str()),
                    ([.., database, space], _) => (database.as_str(), space.as_str()),
                    ([], _) => unreachable!("a name has a part"),
                };
                self.emit(format!("CALL db2.place({}, {}, {})", string(table), folded(database), folded(space)));
                self.note_from(begin);
            } else if !self.option()? {
                return Ok(());
            }
        }
    }

    /// DECLARE GLOBAL TEMPORARY TABLE, at GLOBAL: a temporary table of the session.
    pub(super) fn declare_temporary(&mut self) -> Result<(), Problem> {
        self.parser.expect_words(&["GLOBAL", "TEMPORARY", "TABLE"])?;
        let name = self.parser.name()?;
        let table = identifier(name.last());
        let body = if self.parser.take("LIKE") {
            format!("({})", self.like()?)
        } else if self.parser.at_word("AS") {
            self.parser.next();
            let query = self.parser.subquery()?;
            let query = self.query_text(&query)?;
            if !self.parser.take_words(&["DEFINITION", "ONLY"]) {
                self.parser.expect_words(&["WITH", "NO", "DATA"])?;
            }
            format!("AS {query} WITH NO DATA")
        } else {
            format!("({})", self.elements(&table)?.items.join(", "))
        };
        let (mut on_commit, mut replace) = ("DELETE ROWS", false);
        loop {
            let begin = self.parser.offset();
            if self.parser.take_words(&["ON", "COMMIT"]) {
                on_commit = match self.parser.take_one(&["DELETE", "PRESERVE", "DROP"]) {
                    Some("PRESERVE") => "PRESERVE ROWS",
                    Some("DROP") => "DROP",
                    Some(_) => "DELETE ROWS",
                    None => return Err(self.parser.unexpected("DELETE PRESERVE DROP")),
                };
                if !self.parser.take("ROWS") {
                    self.parser.take("TABLE");
                }
            } else if self.parser.take_words(&["WITH", "REPLACE"]) {
                replace = true;
            } else if self.parser.take_words(&["ON", "ROLLBACK"]) {
                self.parser.next();
                self.parser.take("ROWS");
                self.note_from(begin);
            } else if !self.option()? {
                break;
            }
        }
        if replace {
            self.emit(format!("DROP TABLE IF EXISTS pg_temp.{table}"));
        }
        let text = match body.strip_prefix("AS ") {
            // ON COMMIT stands before the query.
            Some(query) => format!("CREATE TEMPORARY TABLE {table} ON COMMIT {on_commit} AS {query}"),
            None => format!("CREATE TEMPORARY TABLE {table} {body} ON COMMIT {on_commit}"),
        };
        self.emit(text);
        Ok(())
    }

    /// CREATE GLOBAL TEMPORARY TABLE, at GLOBAL: each unit of work sees its own rows of one table, by a view.
    pub(super) fn create_temporary(&mut self) -> Result<(), Problem> {
        self.parser.expect_words(&["GLOBAL", "TEMPORARY", "TABLE"])?;
        let (name, view) = self.new_object()?;
        let mut parts = name.parts.clone();
        parts.last_mut().expect("a name has a part").push_str("_ROWS_");
        let rows = object(&Name { offset: name.offset, parts });
        let (items, columns) = if self.parser.take("LIKE") {
            let like = self.like()?;
            (vec![like], "*".to_string())
        } else {
            let elements = self.elements(&view)?;
            (elements.items, elements.columns.join(", "))
        };
        self.table_options(&rows)?;
        let unit = "db2_unit_ bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint";
        self.emit(format!("CREATE UNLOGGED TABLE {rows} ({}, {unit})", items.join(", ")));
        self.emit(format!(
            "CREATE VIEW {view} AS SELECT {columns} FROM {rows} WHERE db2_unit_ = pg_current_xact_id_if_assigned()::text::bigint"
        ));
        Ok(())
    }
}
