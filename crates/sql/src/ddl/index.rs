//! CREATE INDEX.

use super::{Definer, array, folded};
use crate::ast::ExpressionKind;
use crate::names::{identifier, string};
use crate::problem::Problem;
use crate::translate::Place;

impl Definer<'_> {
    /// At UNIQUE or INDEX. The index is in the schema of its table, whatever its own qualifier.
    pub(super) fn create_index(&mut self) -> Result<(), Problem> {
        let is_unique = self.parser.take("UNIQUE");
        let where_not_null = self.parser.take_words(&["WHERE", "NOT", "NULL"]);
        self.parser.take_words(&["TYPE", "2"]);
        self.parser.expect("INDEX")?;
        let name = self.parser.name()?;
        self.parser.expect("ON")?;
        let table = self.object("CREATE")?;
        if !self.parser.at_symbol("(") {
            // The index of an auxiliary table names no columns.
            return self.without_effect();
        }
        let keys = self.keys()?;
        let mut included = Vec::new();
        loop {
            if self.parser.at_word("INCLUDE") && self.parser.ahead(1).is_symbol("(") {
                self.parser.next();
                included = self.columns()?;
            } else if !self.option()? {
                break;
            }
        }
        let ebcdic = self.options.ebcdic_order;
        let mut text = format!("CALL db2.create_index({}, {}, {}", folded(name.last()), string(&table), array(&keys));
        if is_unique {
            text.push_str(", is_unique => true");
        }
        if where_not_null {
            text.push_str(", where_not_null => true");
        }
        if !included.is_empty() {
            text.push_str(&format!(", included => {}", array(&included)));
        }
        if !ebcdic {
            text.push_str(", ebcdic => false");
        }
        self.emit(format!("{text})"));
        Ok(())
    }

    /// (column or expression, ASC or DESC ...).
    fn keys(&mut self) -> Result<Vec<String>, Problem> {
        let mut keys = Vec::new();
        self.parser.expect_symbol("(")?;
        loop {
            if self.parser.take_words(&["BUSINESS_TIME", "WITHOUT", "OVERLAPS"]) {
                return Err(self.parser.unsupported("BUSINESS_TIME WITHOUT OVERLAPS"));
            }
            let value = self.parser.value()?;
            let mut key = match &value.kind {
                ExpressionKind::Column(name) => identifier(name.last()),
                _ => format!("({})", self.value_text(&value, &Place::Alone)?),
            };
            let begin = self.parser.offset();
            match self.parser.take_one(&["ASC", "DESC", "RANDOM"]) {
                Some("DESC") => key.push_str(" DESC"),
                Some("RANDOM") => self.note_from(begin),
                _ => {}
            }
            keys.push(key);
            if !self.parser.take_symbol(",") {
                break;
            }
        }
        self.parser.expect_symbol(")")?;
        Ok(keys)
    }
}
