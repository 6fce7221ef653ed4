//! Function calls: arguments, keywords within them, and OVER.

use super::Parser;
use crate::ast::{Call, Expression, ExpressionKind, Name, SortKey, Window};
use crate::lexer::TokenKind;
use crate::problem::Problem;

/// Formats and units that stand as an argument of these functions.
const KEYWORD_ARGUMENTS: &[(&[&str], &[&str])] = &[
    (&["CHAR", "VARCHAR", "GRAPHIC", "VARGRAPHIC"], &["ISO", "USA", "EUR", "JIS", "LOCAL"]),
    (
        &["CHAR", "VARCHAR", "CLOB", "GRAPHIC", "VARGRAPHIC", "DBCLOB", "LEFT", "RIGHT", "INSERT", "LOCATE", "POSITION"],
        &["OCTETS", "CODEUNITS16", "CODEUNITS32"],
    ),
    (&["CHAR_LENGTH", "CHARACTER_LENGTH", "SUBSTRING", "OVERLAY", "LOCATE_IN_STRING", "INSTR"], &["OCTETS", "CODEUNITS16", "CODEUNITS32"]),
    (&["STRIP"], &["BOTH", "B", "LEADING", "L", "TRAILING", "T"]),
];

/// Words before the operand of TRIM and the unit of EXTRACT.
const TRIM_SIDES: &[&str] = &["BOTH", "B", "LEADING", "L", "TRAILING", "T"];
const EXTRACT_UNITS: &[&str] = &["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TIMEZONE_HOUR", "TIMEZONE_MINUTE"];

impl Parser<'_> {
    /// The arguments and OVER of the function `name`, at the parenthesis.
    pub(super) fn call(&mut self, name: Name) -> Result<Expression, Problem> {
        let offset = name.offset;
        let mut call = Call { name, distinct: false, arguments: Vec::new(), keyword: None, order: Vec::new(), over: None };
        self.expect_symbol("(")?;
        let short = call.name.last().to_string();
        match short.as_str() {
            "EXTRACT" => self.extract(&mut call)?,
            "TRIM" => self.trim(&mut call)?,
            "POSITION" => self.position(&mut call)?,
            "XMLAGG" | "XMLELEMENT" | "XMLFOREST" | "XMLTABLE" | "XMLQUERY" | "XMLPARSE" | "XMLSERIALIZE" | "XMLCAST" => {
                return Err(Problem::unsupported(offset, &short));
            }
            _ => self.arguments(&mut call, &short)?,
        }
        self.expect_symbol(")")?;
        if self.take_words(&["WITHIN", "GROUP"]) {
            self.expect_symbol("(")?;
            call.order = self.order_by()?;
            self.expect_symbol(")")?;
        }
        if self.at_word("OVER") && self.ahead(1).is_symbol("(") {
            self.next();
            call.over = Some(self.window()?);
        }
        Ok(Expression { offset, kind: ExpressionKind::Call(Box::new(call)) })
    }

    fn arguments(&mut self, call: &mut Call, function: &str) -> Result<(), Problem> {
        if self.at_symbol(")") {
            return Ok(());
        }
        if self.at_symbol("*") {
            let offset = self.next().offset;
            call.arguments.push(Expression { offset, kind: ExpressionKind::Star });
            return Ok(());
        }
        call.distinct = self.take("DISTINCT");
        if !call.distinct {
            self.take("ALL");
        }
        loop {
            match self.keyword_argument(function) {
                Some(keyword) => call.keyword = Some(keyword),
                None => {
                    let value = self.nested(Self::disjunction)?;
                    let value = self.continued_subquery(value)?;
                    call.arguments.push(value);
                }
            }
            if !self.take_symbol(",") {
                break;
            }
        }
        if self.at_words(&["ORDER", "BY"]) {
            call.order = self.order_by()?;
        }
        Ok(())
    }

    /// Takes a keyword that stands as a whole argument.
    fn keyword_argument(&mut self, function: &str) -> Option<String> {
        let word = self.token().word()?;
        let alone = matches!(self.ahead(1).kind, TokenKind::Symbol(")") | TokenKind::Symbol(","));
        let known = KEYWORD_ARGUMENTS.iter().any(|(functions, words)| functions.contains(&function) && words.contains(&word));
        if !alone || !known {
            return None;
        }
        self.next();
        Some(word.to_string())
    }

    /// EXTRACT(unit FROM value).
    fn extract(&mut self, call: &mut Call) -> Result<(), Problem> {
        let unit = self.take_one(EXTRACT_UNITS).ok_or_else(|| self.unexpected("YEAR MONTH DAY HOUR MINUTE SECOND"))?;
        call.keyword = Some(unit.to_string());
        self.expect("FROM")?;
        call.arguments.push(self.value()?);
        Ok(())
    }

    /// TRIM([side] [character] FROM value), TRIM(value).
    fn trim(&mut self, call: &mut Call) -> Result<(), Problem> {
        let alone = matches!(self.ahead(1).kind, TokenKind::Symbol(_) | TokenKind::End);
        if !alone && let Some(side) = self.take_one(TRIM_SIDES) {
            call.keyword = Some(side.to_string());
        }
        if self.take("FROM") {
            call.arguments.push(self.value()?);
            return Ok(());
        }
        let first = self.value()?;
        if self.take("FROM") {
            call.arguments.push(self.value()?);
        }
        call.arguments.push(first);
        Ok(())
    }

    /// POSITION(a, b, unit) or POSITION(a IN b).
    fn position(&mut self, call: &mut Call) -> Result<(), Problem> {
        let first = self.nested(Self::additive)?;
        call.arguments.push(first);
        if self.take("IN") {
            call.arguments.push(self.value()?);
            return Ok(());
        }
        self.expect_symbol(",")?;
        call.arguments.push(self.value()?);
        if self.take_symbol(",") {
            call.keyword = self.keyword_argument("POSITION");
            if call.keyword.is_none() {
                return Err(self.unexpected("CODEUNITS16 CODEUNITS32 OCTETS"));
            }
        }
        Ok(())
    }

    /// (PARTITION BY ... ORDER BY ... frame).
    fn window(&mut self) -> Result<Window, Problem> {
        let mut window = Window::default();
        self.expect_symbol("(")?;
        if self.take_words(&["PARTITION", "BY"]) {
            window.partition = self.list(Self::value)?;
        }
        if self.at_words(&["ORDER", "BY"]) {
            window.order = self.order_by()?;
        }
        if let Some(unit) = self.take_one(&["ROWS", "RANGE"]) {
            window.frame = Some(self.frame(unit)?);
        }
        self.expect_symbol(")")?;
        Ok(window)
    }

    fn frame(&mut self, unit: &str) -> Result<String, Problem> {
        if !self.take("BETWEEN") {
            return Ok(format!("{unit} {}", self.frame_bound()?));
        }
        let low = self.frame_bound()?;
        self.expect("AND")?;
        Ok(format!("{unit} BETWEEN {low} AND {}", self.frame_bound()?))
    }

    fn frame_bound(&mut self) -> Result<String, Problem> {
        if self.take_words(&["CURRENT", "ROW"]) {
            return Ok("CURRENT ROW".to_string());
        }
        let bound = if self.take("UNBOUNDED") { "UNBOUNDED".to_string() } else { self.unsigned()?.to_string() };
        let side = self.take_one(&["PRECEDING", "FOLLOWING"]).ok_or_else(|| self.unexpected("PRECEDING FOLLOWING"))?;
        Ok(format!("{bound} {side}"))
    }

    /// ORDER BY and its keys.
    pub fn order_by(&mut self) -> Result<Vec<SortKey>, Problem> {
        self.expect_words(&["ORDER", "BY"])?;
        if self.take_words(&["INPUT", "SEQUENCE"]) {
            return Ok(Vec::new());
        }
        self.list(Self::sort_key)
    }

    fn sort_key(&mut self) -> Result<SortKey, Problem> {
        let value = self.value()?;
        let descending = self.take("DESC");
        if !descending {
            self.take("ASC");
        }
        let nulls_first = if self.take("NULLS") {
            let place = self.take_one(&["FIRST", "LAST"]).ok_or_else(|| self.unexpected("FIRST LAST"))?;
            Some(place == "FIRST")
        } else {
            None
        };
        Ok(SortKey { value, descending, nulls_first })
    }
}
