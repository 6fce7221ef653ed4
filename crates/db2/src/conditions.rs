//! The conditions of the last statement, which GET DIAGNOSTICS reports.

use crate::errors::SqlError;
use crate::sqlca::Area;

/// One condition.
#[derive(Clone, Debug)]
pub struct Condition {
    pub error: SqlError,
    /// Row of a multiple-row statement, from 1; 0: none.
    pub row: i64,
}

/// Of the last statement.
#[derive(Default, Debug)]
pub struct Diagnostics {
    pub conditions: Vec<Condition>,
    pub rows: i64,
}

impl Diagnostics {
    /// Notes the result of a statement that noted no conditions itself.
    pub fn note(&mut self, area: &Area) {
        self.rows = area.rows;
        if self.conditions.is_empty() && area.code != 0 {
            let tokens: Vec<&str> = area.tokens.iter().map(String::as_str).collect();
            let error = SqlError { state: area.state, ..SqlError::new(area.code, &tokens) };
            self.conditions.push(Condition { error, row: 0 });
        }
    }
}
