//! Columns of tables: types, defaults, generated values.

use super::Definer;
use crate::ast::DataType;
use crate::lexer::TokenKind;
use crate::names::{self, derived, identifier, string};
use crate::parse::Parser;
use crate::problem::Problem;
use crate::translate::Place;

/// A column, translated.
#[derive(Default)]
pub(super) struct Column {
    pub name: String,
    /// `name type constraints`.
    pub text: String,
    /// The column is a key of its own: PRIMARY KEY or UNIQUE stood with it.
    pub key: Option<String>,
    /// Its value is the time of the last change of the row.
    pub row_change: Option<String>,
}

impl Definer<'_> {
    /// A column of CREATE TABLE or ALTER TABLE ADD in table `table`.
    pub(super) fn column(&mut self, table: &str) -> Result<Column, Problem> {
        let name = identifier(self.parser.simple_name()?.last());
        let data_type = self.parser.data_type()?;
        let text = format!("{name} {}", self.type_name(&data_type)?);
        let mut column = Column { name: name.clone(), text, ..Column::default() };
        let mut has_default = false;
        while self.column_clause(&mut column, &name, &data_type, table, &mut has_default)? {}
        if data_type == DataType::RowId && !has_default {
            column.text.push_str(" DEFAULT db2.rowid()");
        }
        Ok(column)
    }

    fn column_clause(
        &mut self,
        column: &mut Column,
        name: &str,
        data_type: &DataType,
        table: &str,
        has_default: &mut bool,
    ) -> Result<bool, Problem> {
        let begin = self.parser.offset();
        if self.parser.take_words(&["NOT", "NULL"]) {
            column.text.push_str(" NOT NULL");
        } else if self.parser.take_words(&["WITH", "DEFAULT"]) || self.parser.take("DEFAULT") {
            *has_default = true;
            let value = self.default_value(data_type)?;
            column.text.push_str(&format!(" DEFAULT {value}"));
        } else if self.parser.take("GENERATED") {
            *has_default = true;
            self.generated(column, name, data_type, table)?;
        } else if self.parser.take_words(&["AS", "SECURITY", "LABEL"]) || self.parser.take_words(&["IMPLICITLY", "HIDDEN"]) {
            self.note_from(begin);
        } else if self.parser.take("FIELDPROC") {
            self.parser.name()?;
            if self.parser.at_symbol("(") {
                self.skip_list()?;
            }
            self.note_from(begin);
        } else if self.parser.take_words(&["INLINE", "LENGTH"]) {
            self.parser.unsigned()?;
            self.note_from(begin);
        } else {
            return self.column_constraint(column, name);
        }
        Ok(true)
    }

    /// The value behind DEFAULT, or the default of the type.
    pub(super) fn default_value(&mut self, data_type: &DataType) -> Result<String, Problem> {
        const REGISTERS: [&str; 8] =
            ["USER", "CURRENT", "SESSION_USER", "NULL", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "EMPTY_CLOB"];
        let token = self.parser.token();
        let is_value = match &token.kind {
            TokenKind::Literal(_) => true,
            TokenKind::Word(word) => REGISTERS.contains(&word.as_str()) || is_function(&self.parser),
            TokenKind::Symbol(symbol) => ["+", "-"].contains(symbol),
            _ => false,
        };
        if !is_value {
            return Ok(default_of(data_type));
        }
        let value = self.parser.value()?;
        self.value_text(&value, &Place::Assigned(Some(data_type.clone())))
    }

    /// GENERATED ALWAYS or BY DEFAULT: identity, ROWID, row change timestamp.
    fn generated(&mut self, column: &mut Column, name: &str, data_type: &DataType, table: &str) -> Result<(), Problem> {
        let always = self.parser.take("ALWAYS");
        if !always {
            self.parser.take_words(&["BY", "DEFAULT"]);
        }
        let each_row = self.parser.take_words(&["FOR", "EACH", "ROW", "ON", "UPDATE"]);
        if each_row || self.parser.at_words(&["AS", "ROW", "CHANGE"]) {
            self.parser.expect_words(&["AS", "ROW", "CHANGE", "TIMESTAMP"])?;
            column.text.push_str(" DEFAULT db2.now()");
            column.row_change = Some(name.to_string());
            return Ok(());
        }
        if *data_type == DataType::RowId && !self.parser.at_word("AS") {
            column.text.push_str(" DEFAULT db2.rowid()");
            return Ok(());
        }
        self.parser.expect("AS")?;
        if !self.parser.take("IDENTITY") {
            return Err(self.parser.unsupported("GENERATED AS an expression"));
        }
        let options = if self.parser.take_symbol("(") {
            let options = self.sequence_options()?;
            self.parser.expect_symbol(")")?;
            options
        } else {
            String::new()
        };
        if data_type.is_integer() {
            let when = if always { "ALWAYS" } else { "BY DEFAULT" };
            let options = if options.is_empty() { String::new() } else { format!(" ({})", options.trim()) };
            column.text.push_str(&format!(" GENERATED {when} AS IDENTITY{options}"));
        } else {
            self.decimal_identity(column, name, table, &options);
        }
        Ok(())
    }

    /// The server has identity columns of integers only: a decimal one has the next value of a sequence as its default.
    fn decimal_identity(&mut self, column: &mut Column, name: &str, table: &str, options: &str) {
        let sequence = derived(table, name, "seq");
        self.emit(format!("CREATE SEQUENCE {sequence}{options}"));
        column.text.push_str(&format!(" DEFAULT nextval({})", string(&sequence)));
    }

    /// The statements that keep a ROW CHANGE TIMESTAMP column.
    pub(super) fn row_change_trigger(&mut self, table: &str, column: &str) {
        let column = names::plain(column);
        let (trigger, argument) = (identifier(&format!("{column}_row_change")), string(&column));
        self.emit(format!("CREATE TRIGGER {trigger} BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION db2.row_change({argument})"));
    }
}

/// A word with a parenthesis behind it: a cast function, not a clause.
fn is_function(parser: &Parser<'_>) -> bool {
    const CLAUSES: [&str; 4] = ["CHECK", "UNIQUE", "PRIMARY", "REFERENCES"];
    parser.ahead(1).is_symbol("(") && parser.token().word().is_some_and(|word| !CLAUSES.contains(&word))
}

/// The value of DEFAULT without a value.
fn default_of(data_type: &DataType) -> String {
    use DataType::*;
    let text = match data_type {
        _ if data_type.is_number() => "0",
        Date => "CURRENT_DATE",
        Time => "LOCALTIME(0)",
        Timestamp { .. } => "db2.now()",
        Binary { .. } | VarBinary { .. } | Blob { .. } | Char { bits: true, .. } | VarChar { bits: true, .. } => "''::bytea",
        RowId => "db2.rowid()",
        Distinct(_) | Xml => "NULL",
        _ => "''",
    };
    text.to_string()
}
