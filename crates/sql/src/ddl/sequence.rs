//! Sequences, and the options that identity columns share with them.

use super::Definer;
use crate::ast::DataType;
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;

/// Options with a number, and their words for the server.
const NUMBERS: &[(&[&str], &str)] = &[
    (&["START", "WITH"], "START WITH"),
    (&["INCREMENT", "BY"], "INCREMENT BY"),
    (&["MINVALUE"], "MINVALUE"),
    (&["MAXVALUE"], "MAXVALUE"),
    (&["RESTART", "WITH"], "RESTART WITH"),
];
/// Options without a number.
const WORDS: &[(&[&str], &str)] = &[
    (&["NO", "MINVALUE"], "NO MINVALUE"),
    (&["NO", "MAXVALUE"], "NO MAXVALUE"),
    (&["NO", "CYCLE"], "NO CYCLE"),
    (&["NOCYCLE"], "NO CYCLE"),
    (&["CYCLE"], "CYCLE"),
    (&["RESTART"], "RESTART"),
];
/// The server gives values in order, without keeping some in memory for each session.
const WITHOUT_EFFECT: &[&[&str]] = &[&["NO", "CACHE"], &["NOCACHE"], &["CACHE"], &["NO", "ORDER"], &["NOORDER"], &["ORDER"]];

impl Definer<'_> {
    /// CREATE SEQUENCE, at SEQUENCE.
    pub(super) fn create_sequence(&mut self) -> Result<(), Problem> {
        self.parser.next();
        let (_, name) = self.new_object()?;
        let mut text = format!("CREATE SEQUENCE {name}");
        if self.parser.take("AS") {
            let data_type = self.parser.data_type()?;
            // Sequences of decimals become those of 64-bit integers.
            if matches!(data_type, DataType::SmallInt | DataType::Integer) {
                text.push_str(&format!(" AS {}", self.type_name(&data_type)?));
            }
        }
        text.push_str(&self.sequence_options()?);
        self.emit(text);
        Ok(())
    }

    /// ALTER SEQUENCE, at the name.
    pub(super) fn alter_sequence(&mut self) -> Result<(), Problem> {
        let name = self.object("ALTER")?;
        let options = self.sequence_options()?;
        if !options.is_empty() {
            self.emit(format!("ALTER SEQUENCE {name}{options}"));
        }
        Ok(())
    }

    /// Options with or without commas between them; each with a blank before it.
    pub(super) fn sequence_options(&mut self) -> Result<String, Problem> {
        let mut text = String::new();
        loop {
            self.parser.take_symbol(",");
            let begin = self.parser.offset();
            if let Some((words, option)) = NUMBERS.iter().find(|(words, _)| self.parser.at_words(words)) {
                self.parser.take_words(words);
                if let Some(number) = self.number()? {
                    text.push_str(&format!(" {option} {number}"));
                }
            } else if let Some((words, option)) = WORDS.iter().find(|(words, _)| self.parser.at_words(words)) {
                self.parser.take_words(words);
                text.push_str(&format!(" {option}"));
            } else if let Some(words) = WITHOUT_EFFECT.iter().find(|words| self.parser.at_words(words)) {
                self.parser.take_words(words);
                if words == &["CACHE"] {
                    self.parser.unsigned()?;
                }
                self.note_from(begin);
            } else {
                return Ok(text);
            }
        }
    }

    /// A whole number; `None` if it is not in the range of 64 bits, so that the server's own limit holds.
    fn number(&mut self) -> Result<Option<i64>, Problem> {
        let negative = self.parser.take_symbol("-");
        if !negative {
            self.parser.take_symbol("+");
        }
        let (TokenKind::Literal(Literal::Integer(digits)) | TokenKind::Literal(Literal::Decimal(digits))) = &self.parser.token().kind
        else {
            return Err(self.parser.unexpected("<INTEGER>"));
        };
        let value = digits.split('.').next().unwrap_or_default().parse::<i64>().ok();
        self.parser.next();
        Ok(value.map(|value| if negative { -value } else { value }))
    }
}
