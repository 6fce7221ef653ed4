//! ORDER BY: characters sort in the order of EBCDIC.

use super::scope::TableColumns;
use super::{Emitter, Place};
use crate::ast::{DataType, Expression, ExpressionKind, Select, SelectItem, SortKey};
use crate::lexer::Literal;
use crate::names::identifier;
use crate::problem::Problem;

/// A sort key as the server sees it.
struct Key {
    text: String,
    /// It is a key of the order of EBCDIC, not a column of the output as it is.
    converted: bool,
}

impl Emitter<'_> {
    /// A value of this type sorts by its EBCDIC key.
    fn sorts_as_ebcdic(&self, data_type: Option<&DataType>) -> bool {
        self.options.ebcdic_order && data_type.is_none_or(DataType::is_character)
    }

    /// ORDER BY within the scope of the select: keys are numbers, names of the select list, or expressions.
    pub fn order_inside(&mut self, select: &Select, keys: &[SortKey]) -> Result<String, Problem> {
        if keys.is_empty() {
            return Ok(String::new());
        }
        let mut texts = Vec::new();
        for key in keys {
            let text = match output_item(select, &key.value) {
                Output::Item(value) if self.options.ebcdic_order && self.may_be_character(value) => {
                    format!("db2.ebcdic({})", self.value(value, &Place::Alone)?)
                }
                Output::Item(_) => match &key.value.kind {
                    ExpressionKind::Column(name) => identifier(name.last()),
                    _ => self.value(&key.value, &Place::Alone)?,
                },
                Output::Number => self.value(&key.value, &Place::Alone)?,
                Output::None => self.sort_value(&key.value)?,
            };
            texts.push(directed(&text, key));
        }
        Ok(format!(" ORDER BY {}", texts.join(", ")))
    }

    fn sort_value(&mut self, value: &Expression) -> Result<String, Problem> {
        let text = self.value(value, &Place::Alone)?;
        Ok(if self.options.ebcdic_order && self.may_be_character(value) { format!("db2.ebcdic({text})") } else { text })
    }

    /// ORDER BY in OVER or in a call: every key is an expression.
    pub fn ordered_keys(&mut self, keys: &[SortKey]) -> Result<String, Problem> {
        let mut texts = Vec::new();
        for key in keys {
            let text = self.sort_value(&key.value)?;
            texts.push(directed(&text, key));
        }
        Ok(format!("ORDER BY {}", texts.join(", ")))
    }

    /// ORDER BY of a set operation or of SELECT DISTINCT: the server sorts by output columns only, so that keys stand outside.
    pub fn order_outside(&mut self, text: String, columns: Option<&TableColumns>, keys: &[SortKey]) -> Result<String, Problem> {
        if keys.is_empty() {
            return Ok(text);
        }
        let name = self.invented_name();
        let keys: Vec<(Key, &SortKey)> =
            keys.iter().map(|key| Ok((self.outer_key(key, columns, &name)?, key))).collect::<Result<_, _>>()?;
        let texts: Vec<String> = keys.iter().map(|(own, key)| directed(&own.text, key)).collect();
        let order = format!("ORDER BY {}", texts.join(", "));
        if keys.iter().any(|(key, _)| key.converted) {
            return Ok(format!("SELECT * FROM ({text}) AS {name} {order}"));
        }
        Ok(format!("{text} {order}"))
    }

    fn outer_key(&mut self, key: &SortKey, columns: Option<&TableColumns>, name: &str) -> Result<Key, Problem> {
        let column = match (&key.value.kind, columns) {
            (ExpressionKind::Literal(Literal::Integer(digits)), Some(columns)) => {
                digits.parse::<usize>().ok().and_then(|number| columns.get(number.checked_sub(1)?))
            }
            (ExpressionKind::Column(name), Some(columns)) => columns.iter().find(|(own, _)| own == name.last()),
            _ => None,
        };
        let output = match (&key.value.kind, column) {
            (_, Some((column, data_type))) if !column.is_empty() => Some((column.clone(), data_type.clone())),
            (ExpressionKind::Column(name), None) => Some((name.last().to_string(), None)),
            _ => None,
        };
        // A qualified name that is no column might be a function of the server.
        let qualifier = column.map_or(String::new(), |_| format!("{name}."));
        match output {
            Some((column, data_type)) if self.sorts_as_ebcdic(data_type.as_ref()) => {
                Ok(Key { text: format!("db2.ebcdic({qualifier}{})", identifier(&column)), converted: true })
            }
            Some((column, _)) => Ok(Key { text: identifier(&column), converted: false }),
            None => Ok(Key { text: self.value(&key.value, &Place::Alone)?, converted: false }),
        }
    }
}

/// What a sort key names.
enum Output<'a> {
    Item(&'a Expression),
    /// A number whose column is not known.
    Number,
    None,
}

fn output_item<'a>(select: &'a Select, key: &Expression) -> Output<'a> {
    match &key.kind {
        ExpressionKind::Literal(Literal::Integer(digits)) => {
            let starred = select.items.iter().any(|item| !matches!(item, SelectItem::Value { .. }));
            let index = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            match index.and_then(|index| select.items.get(index)) {
                Some(SelectItem::Value { value, .. }) if !starred => Output::Item(value),
                _ => Output::Number,
            }
        }
        ExpressionKind::Column(name) if name.qualifiers().is_empty() => {
            let named = select.items.iter().find_map(|item| match item {
                SelectItem::Value { value, name: Some(own) } if own.last() == name.last() => Some(value),
                _ => None,
            });
            named.map_or(Output::None, Output::Item)
        }
        _ => Output::None,
    }
}

/// The key with its direction. Nulls are high on both servers.
fn directed(text: &str, key: &SortKey) -> String {
    let direction = if key.descending { " DESC" } else { "" };
    let nulls = match key.nulls_first {
        Some(true) => " NULLS FIRST",
        Some(false) => " NULLS LAST",
        None => "",
    };
    format!("{text}{direction}{nulls}")
}
